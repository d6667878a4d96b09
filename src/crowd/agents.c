/// Agents: the memory of a crowd, ids and rows, and the views through which hosts read them.
#include "crowd/flock.h"
#include "crowd/planet.h"
#include "crowd/routes.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define CROWD_COOKIE 0x43524f57u
#define MAX_DERIVED 32
#define LARGEST_ON_PLANET 0.25 ///< of the planet's radius: bins of such agents fit on a face

throng_crowd_def throng_default_crowd_def(void)
{
    return (throng_crowd_def){
        .cookie = CROWD_COOKIE,
        .max_agents = 1000,
        .max_goals = 64,
        .metric = THRONG_EIKONAL,
        .field_cell_budget = 32768,
        .route_bytes = 1 << 26,
        .traffic = 1.0f,
    };
}

static bool crowd_def_is_valid(const throng_crowd_def *def)
{
    if (def == NULL || def->cookie != CROWD_COOKIE || def->map == NULL || def->profiles == NULL ||
        def->profile_count < 1 || def->profile_count > THRONG_MAX_PROFILES || def->max_agents < 1 ||
        def->max_agents > 1 << 24 || def->max_goals < 1 || def->max_goals > 65535 ||
        (unsigned)def->metric > THRONG_OCTILE || def->field_cell_budget < 1024 ||
        def->field_cell_budget > 1 << 30 || def->route_bytes < 1 << 20 ||
        !(def->traffic >= 0.0f && def->traffic <= 4.0f) || thg_kernels_get(def->kernels) == NULL) {
        return false;
    }
    for (int i = 0; i < def->profile_count; i++) {
        const throng_planet *planet = def->map->planet;
        if (!thg_profile_is_valid(def->map, &def->profiles[i]) ||
            (planet != NULL &&
             (double)def->profiles[i].radius > LARGEST_ON_PLANET * planet->radius)) {
            return false;
        }
    }
    return true;
}

static bool take_columns(thg_columns *columns, size_t capacity)
{
    bool all = true;
#define THG_COLUMN(type, name)                                                                     \
    columns->name = thg_allocate(capacity, sizeof(type));                                          \
    all = all && columns->name != NULL;
#include "crowd/columns.inc"
#undef THG_COLUMN
    return all;
}

static void release_columns(thg_columns *columns, size_t capacity)
{
#define THG_COLUMN(type, name) thg_release(columns->name, capacity, sizeof(type));
#include "crowd/columns.inc"
#undef THG_COLUMN
}

/// What is derived from a row, as pointers and sizes, so that taking and giving back agree.
typedef struct derived_array {
    void **memory;
    size_t size;
} derived_array;

static bool take_spots(throng_crowd *crowd)
{
    if (crowd->map->planet == NULL) {
        return true;
    }
    crowd->derived.spots = thg_allocate((size_t)crowd->capacity, sizeof *crowd->derived.spots);
    for (int i = 0; i < crowd->capacity && crowd->derived.spots != NULL; i++) {
        crowd->derived.spots[i].x = NAN; // of no position yet
    }
    bool all = crowd->derived.spots != NULL;
    for (int i = 0; i < 3; i++) {
        crowd->derived.space[i] = thg_allocate((size_t)crowd->capacity, sizeof(float));
        all = all && crowd->derived.space[i] != NULL;
    }
    return all;
}

static int derived_arrays(thg_derived *derived, derived_array arrays[MAX_DERIVED])
{
    float **floats[] = {&derived->radius, &derived->yield,      &derived->key,
                        &derived->stir,   &derived->wish_x,     &derived->wish_y,
                        &derived->from_x, &derived->from_y,     &derived->next_x,
                        &derived->next_y, &derived->next_yield, &derived->depth,
                        &derived->rank,   &derived->placed_x,   &derived->placed_y,
                        &derived->orca_x, &derived->orca_y};
    int count = 0;
    for (; count < (int)(sizeof floats / sizeof floats[0]); count++) {
        arrays[count] = (derived_array){(void **)floats[count], sizeof(float)};
    }
    arrays[count++] = (derived_array){(void **)&derived->bin, sizeof(uint32_t)};
    arrays[count++] = (derived_array){(void **)&derived->who, sizeof(uint32_t)};
    arrays[count++] = (derived_array){(void **)&derived->minds, sizeof(uint32_t)};
    arrays[count++] = (derived_array){(void **)&derived->change, sizeof(uint8_t)};
    arrays[count++] = (derived_array){(void **)&derived->gate_role, sizeof(uint32_t)};
    arrays[count++] = (derived_array){(void **)&derived->sensed, sizeof(thg_sense_result)};
    arrays[count++] = (derived_array){(void **)&derived->wants, sizeof(thg_state_want)};
    return count;
}

static bool take_derived(thg_derived *derived, size_t capacity)
{
    derived_array arrays[MAX_DERIVED];
    int count = derived_arrays(derived, arrays);
    bool all = true;
    for (int i = 0; i < count; i++) {
        *arrays[i].memory = thg_allocate(capacity, arrays[i].size);
        all = all && *arrays[i].memory != NULL;
    }
    return all;
}

static void release_derived(thg_derived *derived, size_t capacity)
{
    derived_array arrays[MAX_DERIVED];
    int count = derived_arrays(derived, arrays);
    for (int i = 0; i < count; i++) {
        thg_release(*arrays[i].memory, capacity, arrays[i].size);
    }
}

static void copy_profiles(throng_crowd *crowd, const throng_crowd_def *def)
{
    float cell = def->map->cell_size, least = FLT_MAX;
    for (int i = 0; i < def->profile_count; i++) {
        thg_profile *profile = &crowd->profiles[i];
        profile->def = def->profiles[i];
        float mass = profile->def.mass;
        mass = mass > 0.0f ? mass : profile->def.radius * profile->def.radius;
        profile->yield = 1.0f / mass;
        float top = profile->def.speed * thg_profile_top_pace(&profile->def);
        least = profile->def.radius < least ? profile->def.radius : least;
        crowd->top_speed = top > crowd->top_speed ? top : crowd->top_speed;
        // A wall can be in reach of a disc centred anywhere in a cell when the clearance of its
        // centre is below the radius and half a diagonal.
        float half_cells = 2.0f * profile->def.radius / cell + 1.4143f;
        profile->way_class =
            profile->def.ways_of >= 0 ? profile->def.ways_of : profile->def.class_index;
        profile->near_wall = (uint32_t)(half_cells * half_cells) + 1;
        const throng_profile_def *rules = &profile->def;
        profile->sees_flock = rules->flock_alignment > 0.0f || rules->flock_cohesion > 0.0f ||
                              rules->flock_separation > 0.0f;
        profile->flocks = profile->sees_flock || rules->wander_weight > 0.0f ||
                          rules->wall_weight > 0.0f || rules->field_weight != 1.0f;
        crowd->flocks = crowd->flocks || profile->flocks;
        thg_states_know_profile(crowd, profile);
    }
    thg_teams_know_profiles(crowd);
    crowd->substep_move = 0.5f * least;
}

static bool take_block_memory(thg_bins *bins, size_t blocks)
{
    bins->sorted = thg_allocate(blocks, sizeof *bins->sorted);
    bins->same = thg_allocate(blocks, sizeof *bins->same);
    bins->wakeful = thg_allocate(blocks, sizeof *bins->wakeful);
    bins->awake_from = thg_allocate(blocks, sizeof *bins->awake_from);
    bins->rest = thg_allocate(blocks, sizeof *bins->rest);
    return bins->sorted && bins->same && bins->wakeful && bins->awake_from && bins->rest;
}

static bool take_memory(throng_crowd *crowd)
{
    size_t capacity = (size_t)crowd->capacity, agents = (size_t)crowd->def.max_agents;
    size_t blocks = thg_row_blocks(crowd->capacity);
    crowd->slots = thg_allocate(agents + 1, sizeof *crowd->slots);
    crowd->free_slots = thg_allocate(agents, sizeof *crowd->free_slots);
    crowd->ids = thg_allocate(capacity, sizeof *crowd->ids);
    crowd->goals = thg_allocate((size_t)crowd->def.max_goals + 1, sizeof *crowd->goals);
    crowd->events = thg_allocate((size_t)crowd->event_capacity, sizeof *crowd->events);
    crowd->bins.start = thg_allocate((size_t)crowd->bins.count + 1, sizeof *crowd->bins.start);
    crowd->bins.order = thg_allocate(capacity, sizeof *crowd->bins.order);
    crowd->bins.awake = thg_allocate(capacity, sizeof *crowd->bins.awake);
    crowd->bins.crush = thg_allocate((size_t)crowd->bins.count, sizeof *crowd->bins.crush);
    crowd->block_overlap = thg_allocate(blocks, sizeof(float));
    crowd->block_changes = thg_allocate(blocks, sizeof(uint8_t));
    bool rest = take_block_memory(&crowd->bins, blocks);
    bool columns = take_columns(&crowd->columns, capacity);
    bool spare = take_columns(&crowd->spare, capacity);
    bool derived = take_derived(&crowd->derived, capacity) && take_spots(crowd);
    return crowd->slots && crowd->free_slots && crowd->ids && crowd->goals && crowd->events &&
           crowd->bins.start && crowd->bins.order && crowd->bins.awake && crowd->bins.crush &&
           crowd->block_overlap && crowd->block_changes && rest && columns && spare && derived;
}

throng_result throng_crowd_create(const throng_crowd_def *def, throng_crowd **out)
{
    if (out == NULL || !crowd_def_is_valid(def)) {
        return THRONG_BAD_ARGUMENT;
    }
    *out = NULL;
    throng_crowd *crowd = thg_allocate(1, sizeof *crowd);
    if (crowd == NULL) {
        return THRONG_NO_MEMORY;
    }
    crowd->def = *def;
    crowd->map = def->map;
    crowd->jobs = def->jobs;
    crowd->profile_count = def->profile_count;
    crowd->kernels = thg_kernels_get(def->kernels);
    crowd->capacity = def->max_agents + THG_ROW_PADDING;
    crowd->event_capacity = 2 * def->max_agents + 64;
    copy_profiles(crowd, def);
    crowd->def.profiles = NULL; // the host's array is not ours to keep
    thg_bins_lay(crowd);
    throng_map_update(crowd->map);
    crowd->map_version = throng_map_version(crowd->map);
    if (!take_memory(crowd) || thg_gates_create(crowd) != THRONG_OK ||
        thg_crowd_traffic_create(crowd) != THRONG_OK) {
        throng_crowd_destroy(crowd);
        return THRONG_NO_MEMORY;
    }
    thg_gates_find(crowd);
    for (int i = def->max_agents; i >= 1; i--) {
        crowd->slots[i].row = THG_ROW_FREE;
        crowd->free_slots[crowd->free_count++] = (uint32_t)i;
    }
    for (int i = 0; i < THG_STAGE_COUNT; i++) {
        static const char *const names[] = {
#define THG_STAGE(name) #name,
#include "crowd/stages.inc"
#undef THG_STAGE
        };
        crowd->stage_times[i].stage = names[i];
    }
    *out = crowd;
    return THRONG_OK;
}

void throng_crowd_destroy(throng_crowd *crowd)
{
    if (crowd == NULL) {
        return;
    }
    size_t capacity = (size_t)crowd->capacity, agents = (size_t)crowd->def.max_agents;
    size_t blocks = thg_row_blocks(crowd->capacity);
    thg_goals_destroy(crowd);
    thg_gates_destroy(crowd);
    thg_crowd_traffic_destroy(crowd);
    thg_release(crowd->slots, agents + 1, sizeof *crowd->slots);
    thg_release(crowd->steers, agents + 1, sizeof *crowd->steers);
    thg_release(crowd->free_slots, agents, sizeof *crowd->free_slots);
    thg_release(crowd->ids, capacity, sizeof *crowd->ids);
    thg_release(crowd->goals, (size_t)crowd->def.max_goals + 1, sizeof *crowd->goals);
    thg_release(crowd->events, (size_t)crowd->event_capacity, sizeof *crowd->events);
    thg_release(crowd->bins.start, (size_t)crowd->bins.count + 1, sizeof *crowd->bins.start);
    thg_release(crowd->bins.order, capacity, sizeof *crowd->bins.order);
    thg_release(crowd->bins.awake, capacity, sizeof *crowd->bins.awake);
    thg_release(crowd->bins.crush, (size_t)crowd->bins.count, sizeof *crowd->bins.crush);
    thg_release(crowd->block_overlap, blocks, sizeof(float));
    thg_release(crowd->block_changes, blocks, sizeof(uint8_t));
    thg_release(crowd->bins.sorted, blocks, sizeof *crowd->bins.sorted);
    thg_release(crowd->bins.same, blocks, sizeof *crowd->bins.same);
    thg_release(crowd->bins.wakeful, blocks, sizeof *crowd->bins.wakeful);
    thg_release(crowd->bins.awake_from, blocks, sizeof *crowd->bins.awake_from);
    thg_release(crowd->bins.rest, blocks, sizeof *crowd->bins.rest);
    thg_release(crowd->commands, (size_t)crowd->command_capacity, sizeof *crowd->commands);
    release_columns(&crowd->columns, capacity);
    release_columns(&crowd->spare, capacity);
    thg_release(crowd->derived.spots, capacity, sizeof *crowd->derived.spots);
    for (int i = 0; i < 3; i++) {
        thg_release(crowd->derived.space[i], capacity, sizeof(float));
    }
    release_derived(&crowd->derived, capacity);
    thg_release(crowd, 1, sizeof *crowd);
}

void thg_agents_derive(throng_crowd *crowd, int first, int end)
{
    thg_columns *columns = &crowd->columns;
    thg_derived *derived = &crowd->derived;
    for (int row = first; row < end; row++) {
        const thg_profile *profile = &crowd->profiles[columns->profile[row]];
        uint8_t status = columns->status[row];
        bool walks = thg_row_walks(crowd, row);
        if (profile->def.kinematic) { // whoever is driven counts as one who walks
            walks = columns->vx[row] != 0.0f || columns->vy[row] != 0.0f;
        }
        // One who stands without a goal gives way; one who has arrived holds his place.
        float ease = status == THRONG_IDLE ? 1.5f : status == THRONG_ARRIVED ? 0.6f : 1.0f;
        derived->radius[row] = profile->def.radius;
        derived->yield[row] = profile->yield * ease;
        // Those on a steering order alone go to a goal that nobody stands at.
        int goal = columns->goal[row] != 0 || !walks ? columns->goal[row] : THG_NO_GOAL_KEY;
        derived->key[row] = (float)(2 * goal + (walks ? 0 : 1));
        derived->stir[row] = walks ? THG_STIR_WALKING : columns->disturbed[row] - THG_STIR_LOSS;
        derived->from_x[row] = columns->x[row];
        derived->from_y[row] = columns->y[row];
        if (profile->def.anchored || profile->def.kinematic) {
            bool fixed = thg_teams_is_fixed(crowd, row);
            derived->yield[row] = fixed ? THG_FIXED_YIELD : profile->yield * THG_WALKING_ANCHOR;
        }
    }
    if (crowd->asks_who) {
        thg_teams_derive(crowd, first, end);
    }
}

void thg_agents_drop_gone(throng_crowd *crowd)
{
    thg_columns *columns = &crowd->columns;
    int kept = 0;
    if (!crowd->rows_gone) {
        return;
    }
    for (int row = 0; row < crowd->agent_count; row++) {
        if (columns->status[row] == THG_STATUS_GONE) {
            continue;
        }
        if (kept != row) {
#define THG_COLUMN(type, name) columns->name[kept] = columns->name[row];
#include "crowd/columns.inc"
#undef THG_COLUMN
        }
        kept++;
    }
    crowd->agent_count = kept;
    crowd->rows_gone = false;
    crowd->rows_moved = true;
    crowd->bins.known = false;
}

static void index_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    (void)block;
    for (int row = first; row < end; row++) {
        uint32_t slot = crowd->columns.slot[row];
        crowd->slots[slot].row = row;
        crowd->ids[row] = (throng_agent_id){slot, crowd->slots[slot].generation};
        crowd->derived.radius[row] = crowd->profiles[crowd->columns.profile[row]].def.radius;
    }
}

void thg_agents_index(throng_crowd *crowd)
{
    if (crowd->rows_moved) {
        thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK, index_rows, crowd);
        crowd->rows_moved = false;
        if (crowd->derived.spots != NULL) {
            thg_spots_refresh(crowd);
        }
    }
}

int thg_agents_row(const throng_crowd *crowd, uint32_t slot, uint32_t generation)
{
    if (slot == 0 || slot > (uint32_t)crowd->def.max_agents ||
        crowd->slots[slot].generation != generation) {
        return THG_ROW_FREE;
    }
    return crowd->slots[slot].row;
}

bool thg_is_steered(const throng_crowd *crowd, int row)
{
    return crowd->steers != NULL &&
           crowd->steers[crowd->columns.slot[row]].kind != THRONG_STEER_NONE;
}

void thg_agents_end(throng_crowd *crowd, int row)
{
    uint32_t slot = crowd->columns.slot[row];
    if (crowd->steers != NULL) {
        crowd->steers[slot] = (thg_steer){0};
    }
    if (crowd->routes != NULL && crowd->routes->ways != NULL) {
        crowd->routes->ways[slot] = (thg_way){0};
    }
    thg_agents_set_status(crowd, row, THRONG_IDLE);
    thg_goal_count(crowd, crowd->columns.goal[row], crowd->columns.profile[row], -1);
    crowd->columns.goal[row] = 0;
    crowd->columns.status[row] = THG_STATUS_GONE;
    crowd->rows_gone = true;
    crowd->slots[slot].row = THG_ROW_FREE;
    crowd->free_slots[crowd->free_count++] = slot;
}

throng_agents_view throng_crowd_agents(const throng_crowd *crowd)
{
    const thg_columns *columns = &crowd->columns;
    return (throng_agents_view){
        .count = crowd->agent_count,
        .id = crowd->ids,
        .x = columns->x,
        .y = columns->y,
        .vx = columns->vx,
        .vy = columns->vy,
        .radius = crowd->derived.radius,
        .status = columns->status,
        .contact = columns->contact,
        .profile = columns->profile,
        .goal = columns->goal,
        .team = columns->team,
    };
}

int throng_crowd_find(const throng_crowd *crowd, throng_agent_id agent)
{
    int row = thg_agents_row(crowd, agent.slot, agent.generation);
    return row >= 0 ? row : -1;
}

const char *throng_status_name(throng_status status)
{
    static const char *const names[] = {"idle", "walking", "arrived", "stuck", "cut off"};
    return (unsigned)status < 5 ? names[status] : "unknown";
}

double throng_crowd_time(const throng_crowd *crowd)
{
    return crowd->time;
}

uint64_t throng_crowd_step_count(const throng_crowd *crowd)
{
    return crowd->step_count;
}

throng_map *throng_crowd_map(const throng_crowd *crowd)
{
    return crowd->map;
}

int throng_crowd_profile_count(const throng_crowd *crowd)
{
    return crowd->profile_count;
}

throng_profile_def throng_crowd_profile(const throng_crowd *crowd, int profile)
{
    THRONG_ASSERT(profile >= 0 && profile < crowd->profile_count);
    return crowd->profiles[profile].def;
}

const throng_event *throng_crowd_events(const throng_crowd *crowd, int *count)
{
    *count = crowd->event_count;
    return crowd->events;
}

const throng_stage_time *throng_crowd_stage_times(const throng_crowd *crowd, int *count)
{
    *count = THG_STAGE_COUNT;
    return crowd->stage_times;
}
