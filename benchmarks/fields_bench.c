/// Benchmarks of the eikonal solver that a map gets, of both that there are, and of repair.
///
/// Each map is solved by all in turn, so that they meet the same noise; a row has the least time of
/// each. What is compared is integration alone, but for repairs, which are whole: flow and all.
#include "bench.h"
#include "field/solver.h"
#include "field_maps.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SIDE 1024
#define RUNS 5
#define EDITS 7
#define NEVER 1e30

typedef struct fields_case {
    throng_map *map;
    throng_field *field;
} fields_case;

typedef struct fields_map {
    const char *name;
    enum { GENERATED, SERPENTINE, BERLIN } source;
    field_map_kind kind;
    int terrains;
} fields_map;

/// Corridors three cells wide that wind down the map.
static void wind(uint8_t *terrain)
{
    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE, y = i / SIDE;
        bool gap = y / 4 % 2 == 0 ? x >= SIDE - 3 : x < 3;
        terrain[i] = y % 4 == 3 && !gap ? THRONG_WALL : terrain[i];
    }
}

/// Walls of the city; false when its map is not there.
static bool build_city(uint8_t *terrain)
{
    const char *root = getenv("THRONG_SOURCE_DIR");
    char path[1024], line[SIDE + 8];
    snprintf(path, sizeof path, "%s/maps/movingai/Berlin_0_1024.map", root != NULL ? root : ".");
    FILE *file = fopen(path, "r");
    bool fine = file != NULL;
    for (int i = 0; i < 4 && fine; i++) {
        fine = fgets(line, sizeof line, file) != NULL;
    }
    for (int y = 0; y < SIDE && fine; y++) {
        fine = fgets(line, sizeof line, file) != NULL && strlen(line) >= SIDE;
        for (int x = 0; x < SIDE && fine; x++) {
            uint8_t *cell = &terrain[y * SIDE + x];
            *cell = line[x] == '.' ? *cell : THRONG_WALL;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return fine;
}

static void case_end(fields_case *the)
{
    throng_field_destroy(the->field);
    throng_map_destroy(the->map);
}

static bool case_begin(fields_case *the, const fields_map *from)
{
    *the = (fields_case){NULL, NULL};
    uint8_t *terrain = malloc((size_t)SIDE * SIDE);
    throng_map_def def = throng_default_map_def();
    throng_class_def class_def = field_map_class();
    throng_vec2 point = {SIDE / 2 + 4.5f, SIDE / 2 + 4.5f};
    throng_goal_shape shape = throng_default_goal_shape();
    int class_index = 0;
    def.width = SIDE;
    def.height = SIDE;
    def.terrain = terrain;
    shape.points = &point;
    shape.point_count = 1;
    shape.snap_distance = 50.0f;
    bool made = terrain != NULL;
    if (made) {
        field_map_fill(from->kind, SIDE, SIDE, 7, from->terrains, terrain);
        if (from->source == SERPENTINE) {
            wind(terrain);
        }
        made = (from->source != BERLIN || build_city(terrain)) &&
               throng_map_create(&def, &the->map) == THRONG_OK &&
               throng_map_add_class(the->map, &class_def, &class_index) == THRONG_OK &&
               throng_field_create(the->map, class_index, &shape, THRONG_EIKONAL, &the->field) ==
                   THRONG_OK;
    }
    free(terrain);
    if (!made) {
        case_end(the);
    }
    return made;
}

static uint64_t hash_costs(const throng_map *map, const uint32_t *cost)
{
    uint64_t hash = 1;
    for (size_t i = 0; i < map->padded_count; i++) {
        hash = thg_mix64(hash + cost[i]);
    }
    return hash;
}

/// Milliseconds of an integration; its hash goes to *hash, 0 where another way gave another.
static double integrate(fields_case *the, thg_eikonal_way way, uint64_t *hash)
{
    the->field->solver->way = way;
    double start = bench_now();
    thg_field_integrate(the->field);
    double time = bench_now() - start;
    uint64_t found = hash_costs(the->map, the->field->solver->back.cost);
    *hash = *hash == 1 || *hash == found ? found : 0;
    return time;
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

/// Milliseconds that scikit-fmm takes for the same map; NEVER where Python has none.
static double time_scikit(const fields_case *the)
{
    static const char script[] =
        "import sys, time, numpy, skfmm\\n"
        "p = numpy.fromfile(sys.argv[1], dtype=numpy.uint16).reshape(1024, 1024)\\n"
        "m = numpy.ma.MaskedArray(numpy.ones(p.shape), p == 0)\\n"
        "f = numpy.argwhere(p > 0); g = f[((f - 516) ** 2).sum(axis=1).argmin()]\\n"
        "m[g[0], g[1]] = -1; s = 64.0 / numpy.maximum(p, 1); t = 1e30\\n"
        "for i in range(3):\\n"
        "    a = time.perf_counter(); skfmm.travel_time(m, s, order=1)\\n"
        "    t = min(t, time.perf_counter() - a)\\n"
        "print(t * 1e3)\\n";
    char path[] = "/tmp/throng_fields_XXXXXX", command[1400];
    const throng_map *map = the->map;
    int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (file == NULL) {
        return NEVER;
    }
    bool fine = true;
    for (int y = 0; y < SIDE; y++) {
        fine = fwrite(map->layers[0].price + thg_padded_index(map, 0, y), sizeof(uint16_t), SIDE,
                      file) == SIDE &&
               fine;
    }
    fine = fclose(file) == 0 && fine;
    // Debian's package is for its own Python, which need not be the first in the path.
    snprintf(command, sizeof command, "printf '%s' | PATH=/usr/bin:$PATH python3 - %s 2>/dev/null",
             script, path);
    double time = NEVER;
    FILE *answer = fine ? popen(command, "r") : NULL;
    if (answer != NULL) {
        char line[64];
        if (fgets(line, sizeof line, answer) != NULL) {
            time = strtod(line, NULL);
        }
        pclose(answer);
    }
    remove(path);
    return time > 0.0 ? time : NEVER;
}

static void report_pair(const char *name, const char *part, int threads, double ours,
                        const char *baseline, double theirs, uint64_t hash, bench_report *report,
                        void *context)
{
    char full[96];
    snprintf(full, sizeof full, "%s%s", name, part);
    thg_bench_row row = {full, SIDE * SIDE, threads, ours, ours, baseline, theirs, hash, NULL};
    report(context, &row);
}

static void measure_solvers(fields_case *the, const fields_map *from, throng_jobs *jobs,
                            bench_report *report, void *context)
{
    double chosen = NEVER, tiles = NEVER, buckets = NEVER, marching = NEVER, shared = NEVER;
    uint64_t hash = 1;
    float *cost = malloc(the->map->padded_count * sizeof *cost);
    for (int run = 0; run < RUNS; run++) {
        chosen = lesser(chosen, integrate(the, THG_WAY_AUTO, &hash));
        buckets = lesser(buckets, integrate(the, THG_WAY_BUCKETS, &hash));
        tiles = lesser(tiles, integrate(the, THG_WAY_TILES, &hash));
        throng_field_use_jobs(the->field, jobs);
        shared = lesser(shared, integrate(the, THG_WAY_AUTO, &hash));
        throng_field_use_jobs(the->field, NULL);
        double start = bench_now();
        bool fine = cost != NULL && thg_plain_marching(the->field, cost) == THRONG_OK;
        marching = fine ? lesser(marching, bench_now() - start) : marching;
    }
    free(cost);
    the->field->solver->way = THG_WAY_AUTO;
    report_pair(from->name, "", 1, chosen, "binary heap fast marching", marching, hash, report,
                context);
    report_pair(from->name, "_threads", throng_jobs_thread_count(jobs), shared,
                "binary heap fast marching", marching, hash, report, context);
    report_pair(from->name, "_threads_gain", throng_jobs_thread_count(jobs), shared, "one thread",
                chosen, hash, report, context);
    report_pair(from->name, "_chosen", 1, chosen, "buckets", buckets, hash, report, context);
    report_pair(from->name, "_tiles", 1, tiles, "buckets", buckets, hash, report, context);
    double scikit = time_scikit(the);
    if (scikit < NEVER) {
        report_pair(from->name, "_scikit", 1, chosen, "scikit-fmm, order 1", scikit, hash, report,
                    context);
    } else {
        fprintf(stderr, "%s: no scikit-fmm (python3-scikit-fmm), left out\n", from->name);
    }
}

/// Buildings of 4 x 4 come up here and there: the mean time of their repairs against that of
/// solving anew.
static void measure_repair(fields_case *the, const fields_map *from, bench_report *report,
                           void *context)
{
    double repair = 0.0, anew = 0.0;
    uint64_t hash = 1;
    throng_field_solve(the->field);
    for (int i = 0; i < EDITS; i++) {
        throng_cell_rect rect = {90 + i * 137 % 800, 150 + i * 311 % 700, 4, 4};
        throng_map_edit_rect(the->map, rect, THRONG_WALL);
        throng_map_update(the->map);
        double start = bench_now();
        throng_field_repair(the->field);
        repair += bench_now() - start;
        uint64_t repaired = hash_costs(the->map, the->field->front.cost);
        double again = NEVER;
        for (int run = 0; run < 2; run++) {
            start = bench_now();
            throng_field_solve(the->field);
            again = lesser(again, bench_now() - start);
        }
        anew += again;
        hash = hash != 0 && repaired == hash_costs(the->map, the->field->front.cost) ? repaired : 0;
    }
    report_pair(from->name, "_repair", 1, repair / EDITS, "solved anew", anew / EDITS, hash, report,
                context);
}

void bench_fields(int threads, bench_report *report, void *context)
{
    static const fields_map maps[] = {
        {"fields_open", GENERATED, FIELD_MAP_OPEN, 1},
        {"fields_open_costs", GENERATED, FIELD_MAP_OPEN, 8},
        {"fields_rectangles", GENERATED, FIELD_MAP_RECTANGLES, 1},
        {"fields_rectangles_costs", GENERATED, FIELD_MAP_RECTANGLES, 8},
        {"fields_rooms", GENERATED, FIELD_MAP_ROOMS, 1},
        {"fields_rooms_costs", GENERATED, FIELD_MAP_ROOMS, 8},
        {"fields_berlin", BERLIN, FIELD_MAP_OPEN, 1},
        {"fields_berlin_costs", BERLIN, FIELD_MAP_OPEN, 8},
        {"fields_serpentine", SERPENTINE, FIELD_MAP_OPEN, 1},
        {"fields_serpentine_costs", SERPENTINE, FIELD_MAP_OPEN, 8},
    };
    throng_jobs *jobs = NULL;
    if (throng_jobs_create(threads, &jobs) != THRONG_OK) {
        fprintf(stderr, "fields: no threads, left out\n");
        return;
    }
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        fields_case the;
        if (!case_begin(&the, &maps[i])) {
            fprintf(stderr, "%s: its map is not here, left out\n", maps[i].name);
            continue;
        }
        measure_solvers(&the, &maps[i], jobs, report, context);
        measure_repair(&the, &maps[i], report, context);
        case_end(&the);
    }
    throng_jobs_destroy(jobs);
}
