/// Crowds that benchmarks of the step are about: four crossing streams at one agent a square metre,
/// or a crowd that stands and sleeps, on open ground or among pillars.
#ifndef THG_CROWD_CASE_H
#define THG_CROWD_CASE_H

#include "crowd_plain.h"

#define BENCH_DT (1.0f / 30.0f)
#define BENCH_PILLAR_PITCH 8 ///< metres from a pillar to the next

/// What a case is about.
typedef struct bench_case_def {
    int agents, threads;
    const char *preset; ///< of the profile; NULL: the default one
    throng_kernels kernels;
    bool standing;     ///< without a goal: they settle and fall asleep
    bool giants;       ///< ten among them
    bool giants_space; ///< left free among them, with or without giants
    bool pillars;      ///< on a grid
} bench_case_def;

typedef struct bench_crowd_case {
    throng_map *map;
    throng_jobs *jobs;
    throng_crowd *crowd;
    float side, margin; ///< metres of the map, and from its border to the crowd
} bench_crowd_case;

/// A crowd some steps on its way, or settled. False without memory.
bool bench_case_create(bench_crowd_case *the, const bench_case_def *def);
void bench_case_destroy(bench_crowd_case *the);

/// Agents that do what the case is about: sleep, or walk.
int bench_count_as_meant(const bench_crowd_case *the, const bench_case_def *def);

/// True for a square of two metres, counted from the corner, in whose middle a pillar of one metre
/// stands where there are any. So much is left out that a disc of half a metre keeps clear.
bool bench_has_pillar(int x, int y);

/// A hash of slots, places and velocities.
uint64_t bench_hash_crowd(const throng_crowd *crowd);
uint64_t bench_hash_plain(const plain_crowd *plain);

#endif
