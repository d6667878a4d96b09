/// A crowd is made, with all the memory that steps need, and ended.
#include "crowd/flock.h"
#include "crowd/notes.h"
#include "crowd/planet.h"
#include "crowd/routes.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define CROWD_COOKIE 0x43524f57u
#define MAX_DERIVED 32

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
        if (!thg_profile_is_valid(def->map, &def->profiles[i])) {
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
    crowd->bins.order = thg_allocate(capacity, sizeof *crowd->bins.order);
    crowd->bins.awake = thg_allocate(capacity, sizeof *crowd->bins.awake);
    crowd->block_overlap = thg_allocate(blocks, sizeof(float));
    crowd->block_changes = thg_allocate(blocks, sizeof(uint8_t));
    bool rest = take_block_memory(&crowd->bins, blocks);
    bool columns = take_columns(&crowd->columns, capacity);
    bool spare = take_columns(&crowd->spare, capacity);
    bool derived = take_derived(&crowd->derived, capacity) && take_spots(crowd);
    return crowd->slots && crowd->free_slots && crowd->ids && crowd->goals && crowd->events &&
           crowd->bins.order && crowd->bins.awake && crowd->block_overlap && crowd->block_changes &&
           rest && columns && spare && derived;
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
    for (int i = 0; i < def->profile_count; i++) {
        crowd->profiles[i].def = crowd->wanted[i] = def->profiles[i];
    }
    crowd->def.profiles = NULL; // the host's array is not ours to keep
    thg_profiles_know(crowd);
    throng_map_update(crowd->map);
    crowd->map_version = throng_map_version(crowd->map);
    if (!take_memory(crowd) || thg_profiles_reserve(crowd) != THRONG_OK ||
        thg_crowd_traffic_create(crowd) != THRONG_OK) {
        throng_crowd_destroy(crowd);
        return THRONG_NO_MEMORY;
    }
    crowd->unsettled = true;
    thg_profiles_settle(crowd);
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
    thg_notes_destroy(crowd);
    thg_goals_destroy(crowd);
    thg_gates_destroy(crowd);
    thg_crowd_traffic_destroy(crowd);
    thg_release(crowd->slots, agents + 1, sizeof *crowd->slots);
    thg_release(crowd->steers, agents + 1, sizeof *crowd->steers);
    thg_release(crowd->free_slots, agents, sizeof *crowd->free_slots);
    thg_release(crowd->ids, capacity, sizeof *crowd->ids);
    thg_release(crowd->goals, (size_t)crowd->def.max_goals + 1, sizeof *crowd->goals);
    thg_release(crowd->events, (size_t)crowd->event_capacity, sizeof *crowd->events);
    thg_bins_release(&crowd->bins);
    thg_release(crowd->bins.order, capacity, sizeof *crowd->bins.order);
    thg_release(crowd->bins.awake, capacity, sizeof *crowd->bins.awake);
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
