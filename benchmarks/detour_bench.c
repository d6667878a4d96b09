/// Our crowd beside DetourCrowd: the same field, the same agents, step by step in turn.
#include "bench.h"
#include "crowd_case.h"
#include "detour_crowd.h"
#include <stdio.h>
#include <stdlib.h>

#define AGENTS 10000
#define STEPS 5
#define LEAST_WAIT 1.0f    ///< seconds for Detour's agents to get going
#define LONGEST_WAIT 20.0f ///< and for all of them to have a path

/// Detour's crowd where ours is now. NULL without memory.
static detour_crowd *copy_crowd(const bench_crowd_case *the, bool pillars)
{
    int squares = (int)the->side / 2;
    unsigned char *taken = calloc((size_t)(squares * squares), 1);
    if (taken == NULL) {
        return NULL;
    }
    for (int i = 0; i < squares * squares; i++) {
        taken[i] = bench_has_pillar(i % squares, i / squares);
    }
    throng_profile_def profile = throng_crowd_profile(the->crowd, 0);
    detour_crowd *copy =
        detour_create(squares, 2.0f, pillars ? taken : NULL, AGENTS, profile.radius);
    free(taken);
    throng_agents_view agents = throng_crowd_agents(the->crowd);
    const float near = 1.0f, far = the->side - 1.0f;
    bool all = copy != NULL;
    for (int i = 0; i < agents.count && all; i++) {
        // Straight ahead to the strip that the agent's goal is: see crowd_case.c.
        const float targets[4][2] = {
            {far, agents.y[i]}, {near, agents.y[i]}, {agents.x[i], far}, {agents.x[i], near}};
        const float *target = targets[(agents.goal[i] - 1) % 4];
        all = detour_add(copy, agents.x[i], agents.y[i], profile.radius,
                         profile.speed * the->crowd->columns.pace[i], profile.acceleration,
                         target[0], target[1]);
    }
    if (!all) {
        detour_destroy(copy);
        copy = NULL;
    }
    return copy;
}

static void measure(const char *name, int threads, bool pillars, bench_report *report,
                    void *context)
{
    const bench_case_def def = {.agents = AGENTS, .threads = threads, .pillars = pillars};
    bench_crowd_case the;
    detour_crowd *other = NULL;
    if (bench_case_create(&the, &def) && (other = copy_crowd(&the, pillars)) != NULL) {
        float waited = 0.0f;
        while (waited < LEAST_WAIT ||
               (waited < LONGEST_WAIT && detour_count_ready(other) < AGENTS)) {
            detour_step(other, BENCH_DT);
            waited += BENCH_DT;
        }
        double ours[STEPS], theirs[STEPS], least = 0.0, their_least = 0.0;
        for (int i = 0; i < STEPS; i++) {
            double start = bench_now();
            throng_crowd_step(the.crowd, BENCH_DT);
            ours[i] = bench_now() - start;
            start = bench_now();
            detour_step(other, BENCH_DT);
            theirs[i] = bench_now() - start;
            least = i == 0 || ours[i] < least ? ours[i] : least;
            their_least = i == 0 || theirs[i] < their_least ? theirs[i] : their_least;
        }
        char baseline[80];
        snprintf(baseline, sizeof baseline, "DetourCrowd, %d full paths at %.1f s",
                 detour_count_full_paths(other), (double)waited);
        bool meant = bench_count_as_meant(&the, &def) >= 0.99 * AGENTS;
        // Who does not walk there is no baseline.
        meant = meant && detour_progress(other) > 0.1f * waited;
        thg_bench_row row = {.name = name,
                             .n = AGENTS,
                             .threads = threads,
                             .ms = least,
                             .ms_median = bench_median(ours, STEPS),
                             .baseline = baseline,
                             .baseline_ms = their_least,
                             .hash = meant ? bench_hash_crowd(the.crowd) : 0};
        report(context, &row);
    }
    detour_destroy(other);
    bench_case_destroy(&the);
}

void bench_detour(int threads, bench_report *report, void *context)
{
    if (!detour_is_there()) {
        fprintf(stderr, "bench: no DetourCrowd to compare with in this build; for it, run "
                        "`apt-get install librecast-dev` and build anew\n");
        return;
    }
    measure("detour_flat_10k", threads, false, report, context);
    measure("detour_pillars_10k", threads, true, report, context);
}
