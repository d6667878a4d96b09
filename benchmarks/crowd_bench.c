/// Benchmarks of the step: the library's beside the plain one of crowd_plain.c, step by step in
/// turn.
#include "bench.h"
#include "crowd_plain.h"
#include <stdlib.h>
#include <string.h>

#define STEPS 5
#define WARM_UP 30
#define DT (1.0f / 30.0f)
#define GIANTS 10
#define GIANT_RADIUS 5.0f

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

/// `giants`: a second profile of five metres, with a class of its own.
static throng_result make_world(crowd_case *the, int agents, int side, int threads, bool giants)
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
    throng_profile_def profiles[2] = {throng_default_profile_def(), throng_default_profile_def()};
    if (giants && result == THRONG_OK) {
        profiles[1].radius = class_def.radius = GIANT_RADIUS;
        result = throng_map_add_class(the->map, &class_def, &profiles[1].class_index);
    }
    throng_crowd_def def = throng_default_crowd_def();
    def.map = the->map;
    def.jobs = the->jobs;
    def.profiles = profiles;
    def.profile_count = giants ? 2 : 1;
    def.max_agents = agents;
    return result == THRONG_OK ? throng_crowd_create(&def, &the->crowd) : result;
}

/// Four crossing streams at one agent a square metre, each to the opposite border strip, which
/// stays out of reach for the few seconds that are measured.
static throng_result fill_world(crowd_case *the, int agents, int giants, int side)
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
                                  .profile = i < giants ? 1 : 0,
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

/// Metres of a square that holds so many at one a square metre, with its margins.
static int side_for(int agents)
{
    int side = 16;
    while ((side - 16) * (side - 16) < agents) {
        side++;
    }
    return side;
}

static void measure(const char *name, int agents, int threads, bench_report *report, void *context)
{
    int side = side_for(agents);
    crowd_case the;
    plain_crowd plain = {0};
    if (make_world(&the, agents, side, threads, false) == THRONG_OK &&
        fill_world(&the, agents, 0, side) == THRONG_OK) {
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

// ---- One crowd beside another -----------------------------------------------------------------

/// Steps both in turn; the baseline's time counts `times` over. Both must last the same steps.
static void compare(const char *name, const char *baseline, crowd_case *ours, crowd_case *theirs,
                    double times, int threads, bench_report *report, void *context)
{
    double our_ms[STEPS], their_ms[STEPS];
    for (int i = -WARM_UP; i < STEPS; i++) {
        double start = bench_now();
        throng_crowd_step(ours->crowd, DT);
        double middle = bench_now();
        throng_crowd_step(theirs->crowd, DT);
        if (i >= 0) {
            our_ms[i] = middle - start;
            their_ms[i] = bench_now() - middle;
        }
    }
    qsort(our_ms, STEPS, sizeof *our_ms, by_time);
    qsort(their_ms, STEPS, sizeof *their_ms, by_time);
    thg_bench_row row = {.name = name,
                         .n = throng_crowd_agents(ours->crowd).count,
                         .threads = threads,
                         .ms = our_ms[0],
                         .ms_median = our_ms[STEPS / 2],
                         .baseline = baseline,
                         .baseline_ms = their_ms[0] * times,
                         .hash = hash_crowd(ours->crowd)};
    report(context, &row);
}

/// Idle agents, a metre apart: they fall asleep during the warm-up.
static throng_result fill_with_sleepers(crowd_case *the, int agents, int side)
{
    throng_result result = THRONG_OK;
    int columns = side - 16;
    for (int i = 0; i < agents && result == THRONG_OK; i++) {
        throng_spawn_def spawn = {
            .position = {8.5f + (float)(i % columns), 8.5f + (float)(i / columns)}};
        result = throng_crowd_spawn(the->crowd, &spawn, NULL);
    }
    return result;
}

static void measure_sleepers(int threads, bench_report *report, void *context)
{
    const int agents = 100000, side = side_for(agents);
    crowd_case asleep = {0}, walking = {0};
    if (make_world(&asleep, agents, side, threads, false) == THRONG_OK &&
        make_world(&walking, agents, side, threads, false) == THRONG_OK &&
        fill_with_sleepers(&asleep, agents, side) == THRONG_OK &&
        fill_world(&walking, agents, 0, side) == THRONG_OK) {
        compare("sleeping_100k", "as many that walk", &asleep, &walking, 1.0, threads, report,
                context);
    }
    case_destroy(&asleep);
    case_destroy(&walking);
}

static void measure_giants(int threads, bench_report *report, void *context)
{
    const int agents = 10000, side = side_for(agents + 2000); // 2,000 m2 for ten giants
    crowd_case with = {0}, without = {0};
    if (make_world(&with, agents + GIANTS, side, threads, true) == THRONG_OK &&
        make_world(&without, agents, side, threads, false) == THRONG_OK &&
        fill_world(&with, agents + GIANTS, GIANTS, side) == THRONG_OK &&
        fill_world(&without, agents, 0, side) == THRONG_OK) {
        compare("ten_giants_in_10k", "without the giants", &with, &without, 1.0, threads, report,
                context);
    }
    case_destroy(&with);
    case_destroy(&without);
}

static void measure_growth(int threads, bench_report *report, void *context)
{
    const int many = 1000000, few = 10000;
    crowd_case large = {0}, small = {0};
    if (make_world(&large, many, side_for(many), threads, false) == THRONG_OK &&
        make_world(&small, few, side_for(few), threads, false) == THRONG_OK &&
        fill_world(&large, many, 0, side_for(many)) == THRONG_OK &&
        fill_world(&small, few, 0, side_for(few)) == THRONG_OK) {
        compare("step_1m", "10,000 agents, times 100", &large, &small, 100.0, threads, report,
                context);
    }
    case_destroy(&large);
    case_destroy(&small);
}

void bench_crowd(int threads, bench_report *report, void *context)
{
    measure("step_10k", 10000, threads, report, context);
    measure("step_100k_1_thread", 100000, 1, report, context);
    measure("step_100k", 100000, threads, report, context);
    measure_sleepers(threads, report, context);
    measure_giants(threads, report, context);
    measure_growth(threads, report, context);
}
