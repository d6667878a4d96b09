/// See crowd_case.h.
#include "crowd_case.h"
#include <string.h>

#define WARM_UP 30
#define LONGEST_WARM_UP 900
#define GIANT_RADIUS 5.0f

void bench_case_destroy(bench_crowd_case *the)
{
    throng_crowd_destroy(the->crowd);
    throng_map_destroy(the->map);
    throng_jobs_destroy(the->jobs);
}

bool bench_has_pillar(int x, int y)
{
    const int pitch = BENCH_PILLAR_PITCH / 2;
    return x % pitch == pitch / 2 && y % pitch == pitch / 2;
}

/// In cells of half a metre: one metre in the middle of a square of two.
static throng_result build_pillars(bench_crowd_case *the)
{
    int squares = (int)the->side / 2;
    throng_result result = THRONG_OK;
    for (int i = 0; i < squares * squares && result == THRONG_OK; i++) {
        int x = i % squares, y = i / squares;
        if (bench_has_pillar(x, y)) {
            throng_cell_rect pillar = {4 * x + 1, 4 * y + 1, 2, 2};
            result = throng_map_edit_rect(the->map, pillar, THRONG_WALL);
        }
    }
    return result;
}

static throng_result make_world(bench_crowd_case *the, const bench_case_def *def)
{
    memset(the, 0, sizeof *the);
    the->margin = def->giants_space ? 24.0f : 8.0f;
    // Ten giants cover 785 square metres.
    int area = def->agents + (def->giants_space ? 785 : 0);
    int inner = 0, margin = (int)the->margin;
    while (inner * inner < area) {
        inner++;
    }
    the->side = (float)(inner + 2 * margin);
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = 2 * (inner + 2 * margin);
    map_def.cell_size = 0.5f;
    throng_result result = throng_map_create(&map_def, &the->map);
    throng_profile_def profiles[2] = {throng_default_profile_def(), throng_default_profile_def()};
    if (result == THRONG_OK && def->preset != NULL &&
        !throng_profile_preset(def->preset, &profiles[0])) {
        result = THRONG_BAD_ARGUMENT;
    }
    profiles[1].radius = GIANT_RADIUS;
    for (int i = 0; i < (def->giants_space ? 2 : 1) && result == THRONG_OK; i++) {
        throng_class_def class_def = throng_default_class_def();
        if (profiles[i].radius > class_def.radius) {
            class_def.radius = profiles[i].radius;
        }
        result = throng_map_add_class(the->map, &class_def, &profiles[i].class_index);
    }
    if (result == THRONG_OK && def->pillars) {
        result = build_pillars(the);
    }
    if (result == THRONG_OK) {
        result = throng_jobs_create(def->threads, &the->jobs);
    }
    throng_crowd_def crowd_def = throng_default_crowd_def();
    crowd_def.traffic = 0.0f; // the twin knows no cost but the map's
    crowd_def.map = the->map;
    crowd_def.jobs = the->jobs;
    crowd_def.profiles = profiles;
    crowd_def.profile_count = def->giants ? 2 : 1;
    crowd_def.max_agents = def->agents + 10;
    crowd_def.kernels = def->kernels;
    return result == THRONG_OK ? throng_crowd_create(&crowd_def, &the->crowd) : result;
}

/// Where a giant starts: five across, two deep.
static throng_vec2 giant_place(const bench_crowd_case *the, int giant)
{
    float span = the->side - 2.0f * the->margin;
    return (throng_vec2){the->margin + span * (0.1f + 0.2f * (float)(giant % 5)),
                         the->margin + span * (0.25f + 0.5f * (float)(giant / 5))};
}

static bool is_under_giant(const bench_crowd_case *the, throng_vec2 place)
{
    for (int i = 0; i < 10; i++) {
        throng_vec2 giant = giant_place(the, i);
        float dx = place.x - giant.x, dy = place.y - giant.y;
        if (dx * dx + dy * dy < (GIANT_RADIUS + 0.4f) * (GIANT_RADIUS + 0.4f)) {
            return true;
        }
    }
    return false;
}

static bool is_taken(const bench_crowd_case *the, const bench_case_def *def, throng_vec2 place)
{
    return (def->giants_space && is_under_giant(the, place)) ||
           (def->pillars && bench_has_pillar((int)place.x / 2, (int)place.y / 2));
}

static throng_vec2 random_place(const bench_crowd_case *the, const bench_case_def *def,
                                uint32_t agent)
{
    float span = the->side - 2.0f * the->margin;
    throng_vec2 place = {0, 0};
    for (uint64_t draw = 1; draw == 1 || is_taken(the, def, place); draw += 2) {
        place.x = the->margin + span * thg_random(1, draw, agent);
        place.y = the->margin + span * thg_random(1, draw + 1, agent);
    }
    return place;
}

/// Four crossing streams at one agent a square metre, each to the opposite border strip, which
/// stays out of reach for the few seconds that are measured.
static throng_result fill_world(bench_crowd_case *the, const bench_case_def *def)
{
    const float far = the->side, deep = def->giants_space ? 14.0f : 2.0f;
    const throng_rect strips[4] = {{{far - deep, 0}, {far, far}},
                                   {{0, 0}, {deep, far}},
                                   {{0, far - deep}, {far, far}},
                                   {{0, 0}, {far, deep}}};
    throng_goal_id goals[4] = {{0, 0}};
    throng_result result = THRONG_OK;
    for (int i = 0; i < 4 && !def->standing && result == THRONG_OK; i++) {
        throng_goal_def goal = throng_default_goal_def();
        goal.shape.rects = &strips[i];
        goal.shape.rect_count = 1;
        goal.remove_on_arrival = true;
        result = throng_crowd_add_goal(the->crowd, &goal, &goals[i]);
    }
    for (int i = 0; i < def->agents && result == THRONG_OK; i++) {
        throng_spawn_def spawn = {.position = random_place(the, def, (uint32_t)i),
                                  .goal = goals[i % 4]};
        result = throng_crowd_spawn(the->crowd, &spawn, NULL);
    }
    for (int i = 0; i < 10 && def->giants && result == THRONG_OK; i++) {
        throng_spawn_def spawn = {
            .position = giant_place(the, i), .profile = 1, .goal = goals[i % 4]};
        result = throng_crowd_spawn(the->crowd, &spawn, NULL);
    }
    throng_crowd_solve_fields(the->crowd);
    return result;
}

int bench_count_as_meant(const bench_crowd_case *the, const bench_case_def *def)
{
    int count = 0;
    for (int row = 0; row < the->crowd->agent_count; row++) {
        count += def->standing ? thg_row_is_still(the->crowd, row)
                               : the->crowd->columns.status[row] == THRONG_WALKING;
    }
    return count;
}

bool bench_case_create(bench_crowd_case *the, const bench_case_def *def)
{
    if (make_world(the, def) != THRONG_OK || fill_world(the, def) != THRONG_OK) {
        return false;
    }
    for (int i = 0; i < WARM_UP; i++) {
        throng_crowd_step(the->crowd, BENCH_DT);
    }
    for (int i = WARM_UP; i < LONGEST_WARM_UP && def->standing; i++) {
        if (i % WARM_UP == 0 && bench_count_as_meant(the, def) == def->agents) {
            break;
        }
        throng_crowd_step(the->crowd, BENCH_DT);
    }
    return true;
}

static uint64_t hash_place(uint32_t slot, float x, float y, float vx, float vy)
{
    float values[4] = {x, y, vx, vy};
    uint64_t hash = slot;
    for (int i = 0; i < 4; i++) {
        uint32_t bits;
        values[i] = values[i] == 0.0f ? 0.0f : values[i];
        memcpy(&bits, &values[i], sizeof bits);
        hash = thg_mix64(hash * 0x9e3779b97f4a7c15u + bits);
    }
    return hash;
}

uint64_t bench_hash_crowd(const throng_crowd *crowd)
{
    throng_agents_view agents = throng_crowd_agents(crowd);
    uint64_t sum = 0;
    for (int i = 0; i < agents.count; i++) {
        sum += hash_place(agents.id[i].slot, agents.x[i], agents.y[i], agents.vx[i], agents.vy[i]);
    }
    return sum;
}

uint64_t bench_hash_plain(const plain_crowd *plain)
{
    uint64_t sum = 0;
    for (int i = 0; i < plain->count; i++) {
        const plain_agent *agent = &plain->agents[i];
        sum += hash_place(agent->slot, agent->x, agent->y, agent->vx, agent->vy);
    }
    return sum;
}
