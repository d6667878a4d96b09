/// Benchmarks of reciprocal half planes: the stage alone, as RVO2 is usually measured (radius 0.25,
/// ten neighbours within 2.5 m, two seconds ahead, steps of 0.1 s), in four crossing streams.
#include "bench.h"
#include "core/core.h"
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#define AGENTS 50000
#define STEPS 6
#define WARM_UP 6
#define DT 0.1f

typedef struct orca_case {
    throng_map *map;
    throng_jobs *jobs;
    throng_crowd *crowd;
} orca_case;

static void case_destroy(orca_case *the)
{
    throng_crowd_destroy(the->crowd);
    throng_map_destroy(the->map);
    throng_jobs_destroy(the->jobs);
}

static throng_result make_world(orca_case *the, int side, int threads, throng_kernels kernels)
{
    memset(the, 0, sizeof *the);
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = side;
    map_def.cell_size = 1.0f;
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
    profile.radius = 0.25f;
    profile.speed = 1.5f;
    profile.orca = true;
    profile.orca_distance = 2.5f;
    throng_crowd_def def = throng_default_crowd_def();
    def.map = the->map;
    def.jobs = the->jobs;
    def.profiles = &profile;
    def.profile_count = 1;
    def.max_agents = AGENTS;
    def.kernels = kernels;
    return result == THRONG_OK ? throng_crowd_create(&def, &the->crowd) : result;
}

static throng_result fill_world(orca_case *the, int side)
{
    const float far = (float)side, margin = 4.0f;
    const throng_rect strips[4] = {{{far - 1, 0}, {far, far}},
                                   {{0, 0}, {1, far}},
                                   {{0, far - 1}, {far, far}},
                                   {{0, 0}, {far, 1}}};
    throng_goal_id goals[4] = {{0, 0}};
    throng_result result = THRONG_OK;
    for (int i = 0; i < 4 && result == THRONG_OK; i++) {
        throng_goal_def goal = throng_default_goal_def();
        goal.shape.rects = &strips[i];
        goal.shape.rect_count = 1;
        goal.remove_on_arrival = true;
        result = throng_crowd_add_goal(the->crowd, &goal, &goals[i]);
    }
    // On a grid, shaken: dense, and nobody in anybody.
    int columns = 1;
    while (columns * columns < AGENTS) {
        columns++;
    }
    float pitch = (far - 2.0f * margin) / (float)columns, shake = pitch - 0.5f;
    for (int i = 0; i < AGENTS && result == THRONG_OK; i++) {
        float x = margin + pitch * (float)(i % columns) + shake * thg_random(1, 1, (uint32_t)i);
        float y = margin + pitch * (float)(i / columns) + shake * thg_random(1, 2, (uint32_t)i);
        throng_spawn_def spawn = {.position = {x, y},
                                  .goal = goals[(int)(4.0f * thg_random(1, 3, (uint32_t)i)) & 3]};
        result = throng_crowd_spawn(the->crowd, &spawn, NULL);
    }
    throng_crowd_solve_fields(the->crowd);
    return result;
}

static double stage_ms(const throng_crowd *crowd)
{
    int count;
    const throng_stage_time *times = throng_crowd_stage_times(crowd, &count);
    for (int i = 0; i < count; i++) {
        if (strcmp(times[i].stage, "orca") == 0) {
            return times[i].seconds * 1e3;
        }
    }
    return 0.0;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *name, int side, int threads, throng_kernels plain,
                    const char *baseline, bench_report *report, void *context)
{
    orca_case ours, theirs;
    throng_result made = make_world(&ours, side, threads, THRONG_KERNELS_AUTO);
    throng_result also = make_world(&theirs, side, 1, plain);
    if (made == THRONG_OK && also == THRONG_OK && fill_world(&ours, side) == THRONG_OK &&
        fill_world(&theirs, side) == THRONG_OK) {
        double ms[STEPS], their_ms[STEPS];
        for (int i = 0; i < WARM_UP + STEPS; i++) {
            int at = i < WARM_UP ? 0 : i - WARM_UP;
            throng_crowd_step(ours.crowd, DT);
            ms[at] = stage_ms(ours.crowd);
            throng_crowd_step(theirs.crowd, DT);
            their_ms[at] = stage_ms(theirs.crowd);
        }
        qsort(ms, STEPS, sizeof *ms, by_time);
        qsort(their_ms, STEPS, sizeof *their_ms, by_time);
        uint64_t hash = throng_crowd_hash(ours.crowd);
        thg_bench_row row = {.name = name,
                             .n = AGENTS,
                             .threads = threads,
                             .ms = ms[0],
                             .ms_median = ms[STEPS / 2],
                             .baseline = baseline,
                             .baseline_ms = their_ms[0],
                             .hash = hash == throng_crowd_hash(theirs.crowd) ? hash : 0};
        report(context, &row);
    }
    case_destroy(&ours);
    case_destroy(&theirs);
}

void bench_orca(int threads, bench_report *report, void *context)
{
    // Sides that hold them at 0.3 and at 1.5 a square metre.
    measure("orca_stage_0.3_per_m2_1_thread", 416, 1, THRONG_KERNELS_SCALAR, "plain kernels",
            report, context);
    measure("orca_stage_0.3_per_m2", 416, threads, THRONG_KERNELS_AUTO, "1 thread", report,
            context);
    measure("orca_stage_1.5_per_m2_1_thread", 191, 1, THRONG_KERNELS_SCALAR, "plain kernels",
            report, context);
    measure("orca_stage_1.5_per_m2", 191, threads, THRONG_KERNELS_AUTO, "1 thread", report,
            context);
}
