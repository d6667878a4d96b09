/// What a benchmark hands to whoever prints it: one row per case, beside its baseline.
#ifndef THG_BENCH_H
#define THG_BENCH_H

#include <stdint.h>

/// One measured case. Times are wall milliseconds of the same run, interleaved with the baseline's.
typedef struct thg_bench_row {
    const char *name;     ///< e.g. "octile_open_1024"
    int n;                ///< cells or agents
    int threads;          ///< threads used
    double ms, ms_median; ///< minimum and median over the runs
    const char *baseline; ///< what it is compared with, e.g. "binary heap Dijkstra"
    double baseline_ms;   ///< minimum over the runs
    uint64_t hash;        ///< of the result; 0 when it differs from the baseline's
    const char *note;     ///< more about it, or NULL
} thg_bench_row;

/// Receives each row as soon as it is measured.
typedef void bench_report(void *context, const thg_bench_row *row);

/// Milliseconds of a steady clock.
double bench_now(void);

/// Sorts times and gives the middle one.
double bench_median(double *times, int count);

/// Octile integration by buckets against a plain binary-heap Dijkstra.
void bench_octile(bench_report *report, void *context);

/// Eikonal integration by buckets against fast marching on a binary heap.
void bench_eikonal(bench_report *report, void *context);

/// Routes: `auto` beside the best of field, tiles and path on a grid of cases. A hash is 0 where it
/// took more than 1.5 times as long.
void bench_routes(bench_report *report, void *context);

/// Single paths beside A* on cells (a hash is 0 where a path is longer), and the first direction on
/// a map of 8192 x 8192 beside its field (0 where it took more than 1/20, more than 64 MiB, or
/// tiles said more than 1.01 times as much).
void bench_paths(bench_report *report, void *context);

/// The eikonal solver that a map gets, against fast marching, against the buckets, and against
/// scikit-fmm where Python has it; repair of an edit against a solve from scratch. A map that is
/// not there (Berlin, beside the sources) is left out.
void bench_fields(int threads, bench_report *report, void *context);

/// Whole steps of a crowd with so many threads, and with one, against an array-of-structs, scalar
/// version of the same rules, and stage by stage. Then a crowd asleep, one with giants in it and
/// one of a million, each beside another crowd of ours; a hash is then 0 where the crowd did
/// something else than the row says.
void bench_crowd(int threads, bench_report *report, void *context);

/// Part of bench_crowd: our steps beside DetourCrowd's, on open ground and among pillars. Says on
/// stderr how to get it where the build has none.
void bench_detour(int threads, bench_report *report, void *context);

/// The stage of reciprocal half planes alone, at two densities.
void bench_orca(int threads, bench_report *report, void *context);

/// A million walkers in a maze of 16,384 rooms, and building its tables, against the published
/// scheme, as it is and keeping its door; beside them as many random reads. The hash is of the
/// walkers, and 0 when one thread comes to another.
void bench_walkers(int threads, bench_report *report, void *context);

/// Frames of a crowd on the graphics device, drawn in four ways: the CPU's time to record one,
/// beside a call an agent. A hash is 0 where a bound that the note names is missed. Says on stderr
/// what is missing where there is no device, or no memory on it.
void bench_draw(int threads, bench_report *report, void *context);

#endif
