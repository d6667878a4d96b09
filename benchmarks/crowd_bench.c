/// Benchmarks of the step: the library's beside the plain one of crowd_plain.c or another crowd of
/// ours, step by step in turn.
#include "bench.h"
#include "crowd_case.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 5
#define MAX_STAGES 32

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, by_time);
    return times[count / 2];
}

/// Keeps the least time of each stage.
static void note_stages(const throng_crowd *crowd, double *least, bool first)
{
    int count;
    const throng_stage_time *times = throng_crowd_stage_times(crowd, &count);
    for (int i = 0; i < count && i < MAX_STAGES; i++) {
        double ms = times[i].seconds * 1e3;
        least[i] = first || ms < least[i] ? ms : least[i];
    }
}

/// A row for each stage that does something, beside the whole step.
static void report_stages(const throng_crowd *crowd, const thg_bench_row *step, const double *least,
                          bench_report *report, void *context)
{
    int count;
    const throng_stage_time *times = throng_crowd_stage_times(crowd, &count);
    for (int i = 0; i < count && i < MAX_STAGES; i++) {
        if (least[i] * 1e6 >= step->n * 0.05) {
            char name[64];
            snprintf(name, sizeof name, "%s_%s", step->name, times[i].stage);
            thg_bench_row row = *step;
            row.name = name;
            row.ms = row.ms_median = least[i];
            row.baseline = "the whole step";
            row.baseline_ms = step->ms;
            report(context, &row);
        }
    }
}

/// Milliseconds of one look at all neighbours, and no more: with bodies of no size the contact
/// kernel only asks how far they are. No rule that heeds neighbours can cost less.
static double time_bare_pass(const throng_crowd *crowd, const float *no_radius)
{
    thg_rows rows = thg_rows_of(crowd);
    thg_sight sight = {.bin = thg_sight_nowhere};
    float touching = 0.0f;
    rows.radius = no_radius;
    double start = bench_now();
    for (int row = 0; row < crowd->agent_count; row++) {
        thg_contact_result result;
        thg_sight_from(crowd, row, true, &sight);
        crowd->kernels->contact(&rows, row, &sight.ranges, &result);
        touching += result.count;
    }
    double ms = bench_now() - start;
    return touching == 0.0f ? ms : INFINITY; // the sum is what makes it be done
}

static void report_bare_pass(const throng_crowd *crowd, const thg_bench_row *step,
                             bench_report *report, void *context)
{
    float *no_radius = calloc((size_t)crowd->capacity, sizeof *no_radius);
    double times[STEPS];
    for (int i = 0; i < STEPS && no_radius != NULL; i++) {
        times[i] = time_bare_pass(crowd, no_radius);
    }
    if (no_radius != NULL) {
        qsort(times, STEPS, sizeof *times, by_time);
        thg_bench_row row = *step;
        row.name = "bare_neighbour_pass_100k";
        row.ms = times[0];
        row.ms_median = times[STEPS / 2];
        row.baseline = "the whole step";
        row.baseline_ms = step->ms;
        report(context, &row);
    }
    free(no_radius);
}

/// Ours beside the plain crowd.
static void measure(const char *name, int agents, int threads, bool stages, bench_report *report,
                    void *context)
{
    const bench_case_def def = {.agents = agents, .threads = threads};
    bench_crowd_case the;
    plain_crowd plain = {0};
    if (bench_case_create(&the, &def) && plain_create(the.crowd, &plain)) {
        double ours[STEPS], theirs[STEPS], least[MAX_STAGES];
        for (int i = 0; i < STEPS; i++) {
            double start = bench_now();
            throng_crowd_step(the.crowd, BENCH_DT);
            ours[i] = bench_now() - start;
            note_stages(the.crowd, least, i == 0);
            start = bench_now();
            plain_step(&plain, BENCH_DT);
            theirs[i] = bench_now() - start;
        }
        qsort(ours, STEPS, sizeof *ours, by_time);
        qsort(theirs, STEPS, sizeof *theirs, by_time);
        uint64_t hash = bench_hash_crowd(the.crowd);
        thg_bench_row row = {.name = name,
                             .n = agents,
                             .threads = threads,
                             .ms = ours[0],
                             .ms_median = ours[STEPS / 2],
                             .baseline = "array of structs, scalar, 1 thread",
                             .baseline_ms = theirs[0],
                             .hash = hash == bench_hash_plain(&plain) ? hash : 0};
        report(context, &row);
        if (stages) {
            report_stages(the.crowd, &row, least, report, context);
            report_bare_pass(the.crowd, &row, report, context);
        }
    }
    plain_destroy(&plain);
    bench_case_destroy(&the);
}

/// Ours beside another crowd of ours, whose time counts `scale` times. Where nearly all do what the
/// case is about the hash is of the result, else 0.
static void measure_beside(const char *name, const bench_case_def *def, const char *baseline,
                           const bench_case_def *other_def, double scale, bench_report *report,
                           void *context)
{
    bench_crowd_case the, other = {0};
    if (bench_case_create(&the, def) && bench_case_create(&other, other_def)) {
        double ours[STEPS], theirs[STEPS];
        for (int i = 0; i < STEPS; i++) {
            double start = bench_now();
            throng_crowd_step(the.crowd, BENCH_DT);
            ours[i] = bench_now() - start;
            start = bench_now();
            throng_crowd_step(other.crowd, BENCH_DT);
            theirs[i] = (bench_now() - start) * scale;
        }
        qsort(ours, STEPS, sizeof *ours, by_time);
        qsort(theirs, STEPS, sizeof *theirs, by_time);
        int meant = bench_count_as_meant(&the, def), of = def->agents + (def->giants ? 10 : 0);
        thg_bench_row row = {.name = name,
                             .n = of,
                             .threads = def->threads,
                             .ms = ours[0],
                             .ms_median = ours[STEPS / 2],
                             .baseline = baseline,
                             .baseline_ms = theirs[0],
                             .hash = meant >= 0.99 * of ? bench_hash_crowd(the.crowd) : 0};
        report(context, &row);
    }
    bench_case_destroy(&other);
    bench_case_destroy(&the);
}

void bench_crowd(int threads, bench_report *report, void *context)
{
    measure("step_10k", 10000, threads, false, report, context);
    measure("step_100k_1_thread", 100000, 1, true, report, context);
    measure("step_100k", 100000, threads, false, report, context);

    const bench_case_def asleep = {.agents = 100000, .threads = threads, .standing = true};
    const bench_case_def walking = {.agents = 100000, .threads = threads};
    const bench_case_def horde = {.agents = 100000, .threads = threads, .preset = "horde"};
    measure_beside("horde_rules_100k", &horde, "the default rules", &walking, 1.0, report, context);
    measure_beside("sleeping_100k", &asleep, "the same crowd walking", &walking, 1.0, report,
                   context);
    const bench_case_def giants = {
        .agents = 10000, .threads = threads, .giants = true, .giants_space = true};
    const bench_case_def people = {.agents = 10000, .threads = threads, .giants_space = true};
    measure_beside("giants_10_in_10k", &giants, "the same without giants", &people, 1.0, report,
                   context);
    const bench_case_def million = {.agents = 1000000, .threads = threads};
    const bench_case_def small = {.agents = 10000, .threads = threads};
    measure_beside("step_1m", &million, "100 times 10,000 agents", &small, 100.0, report, context);
    bench_detour(threads, report, context);
}
