/// Benchmarks of integration: our solvers beside the usual ones, interleaved, with results
/// compared.
///
/// Clocks and printing stay out of the library, so they are here. Every case runs ours and the
/// baseline in turn; the row has the least and the median time of ours and the least of the
/// baseline.
#include "bench.h"
#include "field/solver.h"
#include "field_maps.h"
#include "textbook.h"
#include <stdlib.h>
#include <time.h>

#define RUNS 5
#define SIDE 1024
#define GOAL (SIDE / 2 + 4) ///< cell of the goal, along both axes

double bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/// Hash of SIDE x SIDE costs whose rows are `stride` apart.
static uint64_t hash_costs(const uint32_t *cost, size_t stride)
{
    uint64_t hash = 0;
    for (size_t y = 0; y < SIDE; y++) {
        for (size_t x = 0; x < SIDE; x++) {
            hash = thg_mix64(hash + cost[y * stride + x]);
        }
    }
    return hash;
}

/// Least and median of RUNS times.
static void summarise(double *times, double *least, double *median)
{
    for (int i = 1; i < RUNS; i++) {
        for (int j = i; j > 0 && times[j] < times[j - 1]; j--) {
            double swap = times[j];
            times[j] = times[j - 1];
            times[j - 1] = swap;
        }
    }
    *least = times[0];
    *median = times[RUNS / 2];
}

/// A map and a field with its goal near the middle.
typedef struct bench_case {
    throng_map *map;
    throng_field *field;
    uint32_t *cost;    ///< the baseline's
    float *cost_float; ///< the same memory, for fast marching
    uint16_t *price;   ///< of every cell, without a border
} bench_case;

static void case_end(bench_case *the)
{
    throng_field_destroy(the->field);
    throng_map_destroy(the->map);
    free(the->cost);
    free(the->price);
}

static bool case_begin(bench_case *the, field_map_kind kind, int terrains, throng_metric metric)
{
    memset(the, 0, sizeof *the);
    uint8_t *terrain = malloc((size_t)SIDE * SIDE);
    the->cost = malloc((size_t)(SIDE + 2) * (SIDE + 2) * sizeof *the->cost);
    the->cost_float = (float *)(void *)the->cost;
    the->price = malloc((size_t)SIDE * SIDE * sizeof *the->price);
    throng_map_def def = throng_default_map_def();
    throng_class_def class_def = field_map_class();
    throng_vec2 point = {GOAL + 0.5f, GOAL + 0.5f};
    throng_goal_shape shape = throng_default_goal_shape();
    int class_index = 0;
    def.width = SIDE;
    def.height = SIDE;
    def.terrain = terrain;
    shape.points = &point;
    shape.point_count = 1;
    bool made = terrain != NULL && the->cost != NULL && the->price != NULL;
    if (made) {
        field_map_fill(kind, SIDE, SIDE, 7, terrains, terrain);
        made = throng_map_create(&def, &the->map) == THRONG_OK &&
               throng_map_add_class(the->map, &class_def, &class_index) == THRONG_OK &&
               throng_field_create(the->map, class_index, &shape, metric, &the->field) == THRONG_OK;
    }
    free(terrain);
    if (!made) {
        case_end(the);
        return false;
    }
    const thg_layer *layer = &the->map->layers[class_index];
    for (int i = 0; i < SIDE * SIDE; i++) {
        the->price[i] = layer->price[thg_padded_index(the->map, i % SIDE, i / SIDE)];
    }
    return true;
}

/// Measures one case. `whole` times throng_field_solve, flow and all, instead of integration alone.
static void measure(bench_case *the, const char *name, bool whole, bench_report *report,
                    void *context)
{
    bool octile = the->field->metric == THRONG_OCTILE;
    double ours[RUNS], theirs[RUNS];
    uint64_t hash = 0;
    bool equal = true;
    size_t stride = (size_t)the->map->stride;
    size_t corner = thg_padded_index(the->map, 0, 0);
    for (int run = 0; run < RUNS; run++) {
        double start = bench_now();
        if (whole) {
            throng_field_solve(the->field);
        } else {
            thg_field_integrate(the->field);
        }
        ours[run] = bench_now() - start;
        const uint32_t *cost = whole ? the->field->front.cost : the->field->solver->back.cost;
        hash = hash_costs(cost + corner, stride);
        start = bench_now();
        if (octile) {
            equal =
                textbook_dijkstra(the->price, SIDE, SIDE, GOAL * SIDE + GOAL, the->cost) && equal;
        } else {
            equal = thg_plain_marching(the->field, the->cost_float) == THRONG_OK && equal;
        }
        theirs[run] = bench_now() - start;
        equal = equal && (!octile || hash == hash_costs(the->cost, SIDE));
    }
    if (!octile) {
        // Fast marching is in floats; what must be equal to the bit is the sweeping reference.
        equal = thg_plain_eikonal(the->field, the->cost) == THRONG_OK && equal &&
                hash == hash_costs(the->cost + corner, stride);
    }
    double unused;
    thg_bench_row row = {name, SIDE * SIDE, 1, 0.0, 0.0, NULL, 0.0, equal ? hash : 0, NULL};
    row.baseline = octile ? "binary heap Dijkstra" : "binary heap fast marching";
    summarise(ours, &row.ms, &row.ms_median);
    summarise(theirs, &row.baseline_ms, &unused);
    report(context, &row);
}

typedef struct bench_name {
    const char *name, *whole_name;
    field_map_kind kind;
    int terrains;
} bench_name;

static void run_cases(const bench_name *names, int count, throng_metric metric,
                      bench_report *report, void *context)
{
    for (int i = 0; i < count; i++) {
        bench_case the;
        if (case_begin(&the, names[i].kind, names[i].terrains, metric)) {
            measure(&the, names[i].name, false, report, context);
            measure(&the, names[i].whole_name, true, report, context);
            case_end(&the);
        }
    }
}

void bench_octile(bench_report *report, void *context)
{
    static const bench_name names[] = {
        {"octile_open_1024", "octile_open_1024_with_flow", FIELD_MAP_OPEN, 1},
        {"octile_rectangles_1024", "octile_rectangles_1024_with_flow", FIELD_MAP_RECTANGLES, 1},
        {"octile_rooms_1024", "octile_rooms_1024_with_flow", FIELD_MAP_ROOMS, 1},
        {"octile_rectangles_costs_1024", "octile_rectangles_costs_1024_with_flow",
         FIELD_MAP_RECTANGLES, 8},
    };
    run_cases(names, (int)(sizeof names / sizeof names[0]), THRONG_OCTILE, report, context);
}

void bench_eikonal(bench_report *report, void *context)
{
    static const bench_name names[] = {
        {"eikonal_open_1024", "eikonal_open_1024_with_flow", FIELD_MAP_OPEN, 1},
        {"eikonal_rectangles_1024", "eikonal_rectangles_1024_with_flow", FIELD_MAP_RECTANGLES, 1},
        {"eikonal_rooms_1024", "eikonal_rooms_1024_with_flow", FIELD_MAP_ROOMS, 1},
        {"eikonal_rectangles_costs_1024", "eikonal_rectangles_costs_1024_with_flow",
         FIELD_MAP_RECTANGLES, 8},
    };
    run_cases(names, (int)(sizeof names / sizeof names[0]), THRONG_EIKONAL, report, context);
}
