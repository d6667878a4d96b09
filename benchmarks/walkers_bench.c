/// A million walkers in a maze of 16,384 rooms: the published scheme, rebuilt, beside ours.
#include "bench.h"
#include "core/core.h"
#include "jobs/jobs.h"
#include "rooms_plain.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WALKERS = 1 << 20, ROUNDS = 5, STEPS = 24, PLAIN_STEPS = 2 };

typedef struct walkers_case {
    throng_map *map;
    uint16_t *zones;
    throng_rooms *rooms;
    plain_rooms *plain;
    throng_jobs *jobs;
    int *cells;
    throng_rooms_goal *goals;
    plain_walker *published, *keeping;
    double build_ms, plain_build_ms;
} walkers_case;

static int by_time(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static bool make_map(walkers_case *made)
{
    throng_maze_def def = throng_default_maze_def();
    throng_map_def map_def = throng_default_map_def();
    throng_class_def class_def = throng_default_class_def();
    int class_index, width = throng_maze_width(&def), height = throng_maze_height(&def);
    size_t cells = (size_t)width * (size_t)height;
    uint8_t *terrain = malloc(cells);
    made->zones = malloc(cells * sizeof *made->zones);
    map_def.width = width;
    map_def.height = height;
    map_def.terrain = terrain;
    class_def.radius = 0.0f;
    bool good = terrain != NULL && made->zones != NULL &&
                throng_maze_fill(&def, terrain, made->zones) == THRONG_OK &&
                throng_map_create(&map_def, &made->map) == THRONG_OK &&
                throng_map_add_class(made->map, &class_def, &class_index) == THRONG_OK;
    free(terrain);
    return good;
}

static bool make_rooms(walkers_case *made, int threads)
{
    throng_rooms_def def = throng_default_rooms_def();
    if (throng_jobs_create(threads, &made->jobs) != THRONG_OK) {
        return false;
    }
    def.zones = made->zones;
    def.jobs = made->jobs;
    double start = bench_now();
    if (throng_rooms_create(made->map, 0, &def, &made->rooms, NULL) != THRONG_OK) {
        return false;
    }
    made->build_ms = bench_now() - start;
    made->plain =
        plain_rooms_create(made->zones, throng_map_width(made->map), throng_map_height(made->map),
                           throng_rooms_count(made->rooms), made->jobs, &made->plain_build_ms);
    return made->plain != NULL;
}

static bool place_walkers(walkers_case *made)
{
    made->cells = malloc(WALKERS * sizeof *made->cells);
    made->goals = malloc(WALKERS * sizeof *made->goals);
    made->published = calloc(WALKERS, sizeof *made->published);
    made->keeping = calloc(WALKERS, sizeof *made->keeping);
    if (made->cells == NULL || made->goals == NULL || made->published == NULL ||
        made->keeping == NULL) {
        return false;
    }
    int cells = throng_map_width(made->map) * throng_map_height(made->map);
    uint64_t drawn = 0;
    for (int i = 0; i < WALKERS; i++) {
        int cell;
        do {
            cell = (int)(thg_mix64(++drawn) % (uint64_t)cells);
        } while (made->zones[cell] == 0);
        uint64_t room = thg_mix64(++drawn) % (uint64_t)throng_rooms_count(made->rooms);
        made->cells[i] = cell;
        made->goals[i] = (throng_rooms_goal){true, (int)room + 1};
        made->published[i] = (plain_walker){(uint32_t)cell, (uint16_t)(room + 1), 0, 0};
        made->keeping[i] = made->published[i];
    }
    return true;
}

static throng_walkers *make_walkers(const walkers_case *made, throng_jobs *jobs)
{
    throng_walkers_def def = throng_default_walkers_def();
    throng_walkers *walkers = NULL;
    def.cells = made->cells;
    def.count = WALKERS;
    if (throng_walkers_create(made->rooms, &def, &walkers) != THRONG_OK) {
        return NULL;
    }
    throng_walkers_set_goals(walkers, jobs, 0, WALKERS, made->goals);
    return walkers;
}

// ---- The limit ---------------------------------------------------------------------------------

typedef struct read_work {
    const uint32_t *table;
    uint32_t mask;
    uint32_t salt;
    atomic_uint sum;
} read_work;

static void read_block(void *context, int first, int end, int block)
{
    read_work *work = context;
    uint32_t sum = 0;
    (void)block;
    for (int i = first; i < end; i++) {
        uint32_t at = ((uint32_t)i + work->salt) * 2654435769u;
        sum += work->table[(at ^ at >> 15) & work->mask];
    }
    atomic_fetch_add(&work->sum, sum);
}

static double time_reads(read_work *work, throng_jobs *jobs)
{
    double start = bench_now();
    thg_parallel_for(jobs, WALKERS, 4096, read_block, work);
    work->salt += 977;
    return bench_now() - start;
}

// ---- Rounds ------------------------------------------------------------------------------------

typedef struct round_times {
    double ours[ROUNDS], published[ROUNDS], keeping[ROUNDS], reads[ROUNDS];
} round_times;

static double time_plain(const walkers_case *made, plain_walker *walkers, bool keeps)
{
    double start = bench_now();
    for (int i = 0; i < PLAIN_STEPS; i++) {
        plain_rooms_step(made->plain, walkers, WALKERS, keeps, made->jobs);
    }
    return (bench_now() - start) / PLAIN_STEPS;
}

static void run_rounds(const walkers_case *made, throng_walkers *walkers, read_work *reads,
                       round_times *times)
{
    for (int round = 0; round < ROUNDS; round++) {
        double start = bench_now();
        for (int i = 0; i < STEPS; i++) {
            throng_walkers_step(walkers, made->jobs);
        }
        times->ours[round] = (bench_now() - start) / STEPS;
        times->published[round] = time_plain(made, made->published, false);
        times->keeping[round] = time_plain(made, made->keeping, true);
        times->reads[round] = time_reads(reads, made->jobs);
    }
    qsort(times->ours, ROUNDS, sizeof(double), by_time);
    qsort(times->published, ROUNDS, sizeof(double), by_time);
    qsort(times->keeping, ROUNDS, sizeof(double), by_time);
    qsort(times->reads, ROUNDS, sizeof(double), by_time);
}

/// The hash after the same steps on one thread; 0 when it is another.
static uint64_t checked_hash(const walkers_case *made, const throng_walkers *walkers)
{
    throng_walkers *alone = make_walkers(made, NULL);
    if (alone == NULL) {
        return 0;
    }
    for (int i = 0; i < ROUNDS * STEPS; i++) {
        throng_walkers_step(alone, NULL);
    }
    uint64_t hash = throng_walkers_hash(walkers);
    bool same = hash == throng_walkers_hash(alone);
    throng_walkers_destroy(alone);
    return same ? hash : 0;
}

static void report_rows(const walkers_case *made, const round_times *times, uint64_t hash,
                        int threads, bench_report *report, void *context)
{
    throng_rooms_report tables = throng_rooms_get_report(made->rooms);
    double bytes = (double)(tables.zone_bytes + tables.inside_bytes + tables.graph_bytes +
                            tables.hierarchy_bytes + tables.row_bytes);
    char name[64], other[64];
    snprintf(name, sizeof name, "rooms_build_%.1fMiB", bytes / 1048576.0);
    snprintf(other, sizeof other, "hop table, %d planes, %.0f MiB", plain_rooms_planes(made->plain),
             (double)plain_rooms_bytes(made->plain) / 1048576.0);
    thg_bench_row row = {
        name, tables.rooms, threads, made->build_ms, made->build_ms, other, made->plain_build_ms,
        hash, NULL};
    report(context, &row);
    row = (thg_bench_row){"walkers_1048576",
                          WALKERS,
                          threads,
                          times->ours[0],
                          times->ours[ROUNDS / 2],
                          "published scheme",
                          times->published[0],
                          hash,
                          NULL};
    report(context, &row);
    row.name = "walkers_1048576_kept";
    row.baseline = "published scheme, door kept a room";
    row.baseline_ms = times->keeping[0];
    report(context, &row);
    row = (thg_bench_row){"walkers_1048576_limit",
                          WALKERS,
                          threads,
                          times->ours[0],
                          times->ours[ROUNDS / 2],
                          "as many random reads of 16 MiB",
                          times->reads[0],
                          hash,
                          NULL};
    report(context, &row);
}

static void release(walkers_case *made)
{
    plain_rooms_destroy(made->plain);
    throng_rooms_destroy(made->rooms);
    throng_map_destroy(made->map);
    throng_jobs_destroy(made->jobs);
    free(made->zones);
    free(made->cells);
    free(made->goals);
    free(made->published);
    free(made->keeping);
}

void bench_walkers(int threads, bench_report *report, void *context)
{
    walkers_case made = {0};
    enum { TABLE = 1 << 22 };
    uint32_t *table = malloc(TABLE * sizeof *table);
    if (table != NULL && make_map(&made) && make_rooms(&made, threads) && place_walkers(&made)) {
        throng_walkers *walkers = make_walkers(&made, made.jobs);
        memset(table, 1, TABLE * sizeof *table);
        read_work reads = {table, TABLE - 1, 0, 0};
        if (walkers != NULL) {
            round_times times;
            run_rounds(&made, walkers, &reads, &times);
            uint64_t hash = checked_hash(&made, walkers);
            report_rows(&made, &times, hash, threads, report, context);
            throng_walkers_destroy(walkers);
        }
    }
    free(table);
    release(&made);
}
