/// Benchmarks of the step: the library's beside the plain one of crowd_plain.c, step by step in
/// turn.
#include "bench.h"
#include "crowd_plain.h"
#include <stdlib.h>
#include <string.h>

#define STEPS 5
#define WARM_UP 30
#define DT (1.0f / 30.0f)

typedef struct crowd_case {
    throng_map *map;
    throng_jobs *jobs;
    throng_crowd *crowd;
} crowd_case;

static void case_destroy(crowd_case *the)
{
    throng_crowd_destroy(the->crowd);
    throng_map_destroy(the->map);
    throng_jobs_destroy(the->jobs);
}

static throng_result make_world(crowd_case *the, int agents, int side, int threads)
{
    memset(the, 0, sizeof *the);
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = 2 * side;
    map_def.cell_size = 0.5f;
    throng_result result = throng_map_create(&map_def, &the->map);
    int class_index = 0;
    throng_class_def class_def = throng_default_class_def();
    if (result == THRONG_OK) {
        result = throng_map_add_class(the->map, &class_def, &class_index);
    }
    if (result == THRONG_OK) {
        result = throng_jobs_create(threads, &the->jobs);
    }
    throng_profile_def profile = throng_default_profile_def();
    throng_crowd_def def = throng_default_crowd_def();
    def.map = the->map;
    def.jobs = the->jobs;
    def.profiles = &profile;
    def.profile_count = 1;
    def.max_agents = agents;
    return result == THRONG_OK ? throng_crowd_create(&def, &the->crowd) : result;
}

/// Four crossing streams at one agent a square metre, each to the opposite border strip, which
/// stays out of reach for the few seconds that are measured.
static throng_result fill_world(crowd_case *the, int agents, int side)
{
    const float far = (float)side, margin = 8.0f;
    const throng_rect strips[4] = {{{far - 2, 0}, {far, far}},
                                   {{0, 0}, {2, far}},
                                   {{0, far - 2}, {far, far}},
                                   {{0, 0}, {far, 2}}};
    throng_goal_id goals[4] = {{0, 0}};
    throng_result result = THRONG_OK;
    for (int i = 0; i < 4 && result == THRONG_OK; i++) {
        throng_goal_def goal = throng_default_goal_def();
        goal.shape.rects = &strips[i];
        goal.shape.rect_count = 1;
        goal.remove_on_arrival = true;
        result = throng_crowd_add_goal(the->crowd, &goal, &goals[i]);
    }
    for (int i = 0; i < agents && result == THRONG_OK; i++) {
        float span = far - 2.0f * margin;
        throng_spawn_def spawn = {.position = {margin + span * thg_random(1, 1, (uint32_t)i),
                                               margin + span * thg_random(1, 2, (uint32_t)i)},
                                  .goal = goals[i % 4]};
        result = throng_crowd_spawn(the->crowd, &spawn, NULL);
    }
    throng_crowd_solve_fields(the->crowd);
    return result;
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

static uint64_t hash_crowd(const throng_crowd *crowd)
{
    throng_agents_view agents = throng_crowd_agents(crowd);
    uint64_t sum = 0;
    for (int i = 0; i < agents.count; i++) {
        sum += hash_place(agents.id[i].slot, agents.x[i], agents.y[i], agents.vx[i], agents.vy[i]);
    }
    return sum;
}

static uint64_t hash_plain(const plain_crowd *plain)
{
    uint64_t sum = 0;
    for (int i = 0; i < plain->count; i++) {
        const plain_agent *agent = &plain->agents[i];
        sum += hash_place(agent->slot, agent->x, agent->y, agent->vx, agent->vy);
    }
    return sum;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *name, int agents, int threads, bench_report *report, void *context)
{
    int side = 16;
    while ((side - 16) * (side - 16) < agents) {
        side++;
    }
    crowd_case the;
    plain_crowd plain = {0};
    if (make_world(&the, agents, side, threads) == THRONG_OK &&
        fill_world(&the, agents, side) == THRONG_OK) {
        for (int i = 0; i < WARM_UP; i++) {
            throng_crowd_step(the.crowd, DT);
        }
        if (plain_create(the.crowd, &plain)) {
            double ours[STEPS], theirs[STEPS];
            for (int i = 0; i < STEPS; i++) {
                double start = bench_now();
                throng_crowd_step(the.crowd, DT);
                ours[i] = bench_now() - start;
                start = bench_now();
                plain_step(&plain, DT);
                theirs[i] = bench_now() - start;
            }
            qsort(ours, STEPS, sizeof *ours, by_time);
            qsort(theirs, STEPS, sizeof *theirs, by_time);
            uint64_t hash = hash_crowd(the.crowd);
            thg_bench_row row = {.name = name,
                                 .n = agents,
                                 .threads = threads,
                                 .ms = ours[0],
                                 .ms_median = ours[STEPS / 2],
                                 .baseline = "array of structs, scalar, 1 thread",
                                 .baseline_ms = theirs[0],
                                 .hash = hash == hash_plain(&plain) ? hash : 0};
            report(context, &row);
        }
    }
    plain_destroy(&plain);
    case_destroy(&the);
}

void bench_crowd(int threads, bench_report *report, void *context)
{
    measure("step_10k", 10000, threads, report, context);
    measure("step_100k_1_thread", 100000, 1, report, context);
    measure("step_100k", 100000, threads, report, context);
}
