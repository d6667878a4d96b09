/// Benchmarks of routes: what it takes until every agent of every goal has its direction, by each
/// method, and whether `auto` picks well; single paths beside A* on the grid; and the first
/// direction on a map of 8192 x 8192 beside the whole map's field.
#include "bench.h"
#include "field/tiles.h"
#include "field_maps.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/route.h>

#define MOST_AGENTS 1000
#define MOST_GOALS 8
#define POOL_BYTES ((size_t)32 << 20)
#define GROUP 64 ///< agents that stand together
#define WARM_PATHS 400
#define METHODS 3   ///< that `auto` chooses among; rooms are measured beside them
#define ALLOWED 1.5 ///< times the best that `auto` may take
#define GIVE_UP 4.0 ///< times the best after which a method is not measured to its end

/// A map with all four methods ready.
typedef struct route_case {
    throng_map *map;
    throng_field *field;
    throng_paths *paths;
    thg_tile_pool *pool;
    thg_tiles *tiles;
    thg_door_graph *graph;
    thg_tiles *rooms; ///< tiles of the same pool, by rooms
    uint64_t random;
    uint64_t hash; ///< of the directions found
} route_case;

static void case_end(route_case *the)
{
    throng_field_destroy(the->field);
    throng_paths_destroy(the->paths);
    thg_tiles_destroy(the->tiles);
    thg_tiles_destroy(the->rooms);
    thg_door_graph_destroy(the->graph);
    thg_tile_pool_destroy(the->pool);
    throng_map_destroy(the->map);
}

static bool case_begin(route_case *the, field_map_kind kind, int side)
{
    memset(the, 0, sizeof *the);
    the->random = 17;
    uint8_t *terrain = malloc((size_t)side * (size_t)side);
    throng_map_def def = throng_default_map_def();
    throng_class_def class_def = field_map_class();
    throng_paths_def paths_def = throng_default_paths_def();
    throng_goal_shape shape = throng_default_goal_shape();
    throng_vec2 point = {0.5f, 0.5f};
    int class_index = 0;
    shape.points = &point;
    shape.point_count = 1;
    def.width = def.height = side;
    def.terrain = terrain;
    paths_def.cache_bytes = 8 << 20;
    bool made = terrain != NULL;
    if (made) {
        field_map_fill(kind, side, side, 7, 1, terrain);
        made = throng_map_create(&def, &the->map) == THRONG_OK &&
               throng_map_add_class(the->map, &class_def, &class_index) == THRONG_OK;
    }
    free(terrain);
    paths_def.map = the->map;
    made = made &&
           throng_field_create(the->map, 0, &shape, THRONG_EIKONAL, &the->field) == THRONG_OK &&
           throng_paths_create(&paths_def, &the->paths) == THRONG_OK &&
           thg_tile_pool_create(the->map, 32, POOL_BYTES, true, &the->pool) == THRONG_OK &&
           thg_tiles_create(the->pool, 0, &shape, &the->tiles) == THRONG_OK &&
           thg_door_graph_create(the->map, 0, (size_t)64 << 20, &the->graph) == THRONG_OK &&
           thg_tiles_create(the->pool, 0, &shape, &the->rooms) == THRONG_OK &&
           thg_tiles_take_doors(the->rooms, the->graph) == THRONG_OK;
    if (!made) {
        case_end(the);
    }
    return made;
}

/// A place in the largest region, which is the first that is met often.
static throng_vec2 place_in(route_case *the, int region)
{
    for (;;) {
        int x = (int)(field_map_random(&the->random) % (uint64_t)throng_map_width(the->map));
        int y = (int)(field_map_random(&the->random) % (uint64_t)throng_map_height(the->map));
        int found = throng_map_region(the->map, 0, x, y);
        if (found != 0 && (region == 0 || found == region)) {
            return throng_map_cell_center(the->map, x, y);
        }
    }
}

static int region_of(const route_case *the, throng_vec2 place)
{
    int x, y;
    throng_map_cell_at(the->map, place, &x, &y);
    return throng_map_region(the->map, 0, x, y);
}

/// A place near another, as one of a group stands beside its leader.
static throng_vec2 place_beside(route_case *the, throng_vec2 leader, int region)
{
    for (int i = 0; i < 50; i++) {
        float dx = (float)(field_map_random(&the->random) % 17) - 8.0f;
        float dy = (float)(field_map_random(&the->random) % 17) - 8.0f;
        throng_vec2 place = {leader.x + dx, leader.y + dy};
        int x, y;
        if (throng_map_cell_at(the->map, place, &x, &y) &&
            throng_map_region(the->map, 0, x, y) == region) {
            return place;
        }
    }
    return leader;
}

static int main_region(route_case *the)
{
    int best = 0, best_hits = 0;
    throng_vec2 places[32];
    for (int i = 0; i < 32; i++) {
        places[i] = place_in(the, 0);
    }
    for (int i = 0; i < 32; i++) {
        int hits = 0;
        for (int k = 0; k < 32; k++) {
            hits += region_of(the, places[k]) == region_of(the, places[i]);
        }
        if (hits > best_hits) {
            best_hits = hits;
            best = region_of(the, places[i]);
        }
    }
    return best;
}

static bool find(route_case *the, throng_vec2 from, throng_vec2 to, throng_path *path)
{
    throng_path_query query = throng_default_path_query();
    query.from = from;
    query.to = to;
    return throng_paths_find(the->paths, &query, path) == THRONG_OK;
}

static bool find_quick(route_case *the, throng_vec2 from, throng_vec2 to, throng_path *path)
{
    throng_path_query query = throng_default_path_query();
    query.from = from;
    query.to = to;
    query.quick = true;
    return throng_paths_find(the->paths, &query, path) == THRONG_OK;
}

static void note(route_case *the, throng_vec2 direction)
{
    uint32_t bits[2];
    memcpy(bits, &direction, sizeof bits);
    the->hash = the->hash * 0x9e3779b97f4a7c15u + bits[0] + ((uint64_t)bits[1] << 32) + 1;
}

/// All agents of a goal get their direction. False when somebody gets none.
typedef bool route_run(route_case *the, throng_vec2 goal, const throng_vec2 *agents, int count);

static bool run_field(route_case *the, throng_vec2 goal, const throng_vec2 *agents, int count)
{
    throng_goal_shape shape = throng_default_goal_shape();
    bool fine = true;
    shape.points = &goal;
    shape.point_count = 1;
    fine = throng_field_set_goal(the->field, &shape) == THRONG_OK;
    throng_field_solve(the->field);
    for (int i = 0; i < count; i++) {
        throng_sample sample = throng_field_sample(the->field, agents[i]);
        fine = fine && sample.reached;
        note(the, sample.direction);
    }
    return fine;
}

static int sector_of(const route_case *the, throng_vec2 place)
{
    int x, y;
    throng_map_cell_at(the->map, place, &x, &y);
    return (y >> the->pool->shift) * the->pool->columns + (x >> the->pool->shift);
}

static void solve_tiles(thg_tiles *tiles)
{
    thg_tiles_begin(tiles);
    for (int budget = INT32_MAX; !thg_tiles_advance(tiles, &budget); budget = INT32_MAX) {
    }
    thg_tiles_show(tiles);
}

static bool run_tiles(route_case *the, throng_vec2 goal, const throng_vec2 *agents, int count)
{
    throng_goal_shape shape = throng_default_goal_shape();
    shape.points = &goal;
    shape.point_count = 1;
    thg_tiles_clear(the->tiles);
    bool fine = thg_goal_copy_set(&the->tiles->question.goal, &shape) == THRONG_OK &&
                thg_tiles_join_goal(the->tiles);
    for (int i = 0; i < count && fine; i++) {
        throng_path path;
        if (the->tiles->tile_of[sector_of(the, agents[i])] == 0) {
            fine = find(the, agents[i], goal, &path) &&
                   thg_tiles_join_corridor(the->tiles, path.points, path.point_count);
        }
    }
    solve_tiles(the->tiles);
    for (int i = 0; i < count && fine; i++) {
        note(the, thg_tiles_sample(the->tiles, agents[i]).direction);
    }
    return fine;
}

/// Rooms are worked out when somebody enters; here all that will be entered on the way are.
static bool run_rooms(route_case *the, throng_vec2 goal, const throng_vec2 *agents, int count)
{
    thg_tiles *rooms = the->rooms;
    throng_goal_shape shape = throng_default_goal_shape();
    shape.points = &goal;
    shape.point_count = 1;
    thg_tiles_clear(rooms);
    bool fine = thg_goal_copy_set(&rooms->question.goal, &shape) == THRONG_OK;
    rooms->doors->known = false;
    fine = fine && thg_tiles_join_goal(rooms);
    for (int i = 0; i < count && fine; i++) {
        fine = thg_tiles_enter(rooms, sector_of(the, agents[i]));
    }
    for (int done = 0; fine && done < rooms->member_count;) {
        done = rooms->member_count;
        solve_tiles(rooms);
        for (int i = 0; i < rooms->member_count; i++) {
            thg_tiles_enter(rooms, rooms->members[i]);
        }
    }
    for (int i = 0; i < count && fine; i++) {
        throng_sample sample = thg_tiles_sample(rooms, agents[i]);
        fine = sample.reached;
        note(the, sample.direction);
    }
    return fine;
}

static bool run_path(route_case *the, throng_vec2 goal, const throng_vec2 *agents, int count)
{
    bool fine = true;
    for (int i = 0; i < count && fine; i++) {
        throng_path path;
        fine = find(the, agents[i], goal, &path);
        if (fine) {
            throng_vec2 way = {path.points[1].x - agents[i].x, path.points[1].y - agents[i].y};
            note(the, way);
        }
    }
    return fine;
}

/// Milliseconds of one method for all goals; what it had taken when it passed `limit`.
static double time_method(route_case *the, throng_route_method method, int goals, int count,
                          const throng_vec2 *places, const throng_vec2 *agents, double limit)
{
    static route_run *const runs[] = {NULL, run_field, run_tiles, run_path, run_rooms};
    double start = bench_now();
    for (int i = 0; i < goals; i++) {
        if (!runs[method](the, places[i], agents + (ptrdiff_t)i * MOST_AGENTS, count)) {
            return INFINITY; // no room
        }
        if (bench_now() - start > limit) {
            break;
        }
    }
    return bench_now() - start;
}

/// Milliseconds by rooms and by the best of the others, over the cases of a map.
typedef struct rooms_sum {
    double rooms, best;
} rooms_sum;

static void grid_case(route_case *the, const char *map_name, int side, int goals, int count,
                      rooms_sum *sum, bench_report *report, void *context)
{
    throng_vec2 places[MOST_GOALS];
    throng_vec2 *agents = malloc(sizeof *agents * MOST_GOALS * MOST_AGENTS);
    if (agents == NULL) {
        return;
    }
    int region = main_region(the);
    for (int i = 0; i < goals; i++) {
        places[i] = place_in(the, region);
        throng_vec2 leader = {0.0f, 0.0f};
        for (int k = 0; k < count; k++) {
            leader = k % GROUP == 0 ? place_in(the, region) : leader;
            agents[i * MOST_AGENTS + k] = place_beside(the, leader, region);
        }
    }
    throng_route_facts facts = {(double)side * side, (double)throng_map_clutter(the->map, 0), goals,
                                count};
    throng_route_method chosen = throng_route_choose(&facts);
    double times[METHODS + 1] = {INFINITY, INFINITY, INFINITY, INFINITY}, rooms = INFINITY;
    double best = INFINITY;
    uint64_t hash = 0;
    throng_route_method best_method = chosen;
    for (int round = 0; round < 2; round++) { // the lesser of two: the machine may be busy
        for (int i = 0; i < METHODS; i++) {
            int method = 1 + (int)(chosen - 1 + (unsigned)i) % METHODS; // the chosen one first
            the->hash = 1;
            double ms = time_method(the, (throng_route_method)method, goals, count, places, agents,
                                    best * GIVE_UP);
            times[method] = ms < times[method] ? ms : times[method];
            hash = method == (int)chosen ? the->hash : hash;
            if (ms < best) {
                best = ms;
                best_method = (throng_route_method)method;
            }
        }
        double ms = time_method(the, THRONG_ROUTE_ROOMS, goals, count, places, agents, INFINITY);
        rooms = ms < rooms ? ms : rooms;
    }
    free(agents);
    sum->rooms += rooms;
    sum->best += best;
    char name[96], baseline[64];
    snprintf(name, sizeof name, "%s_%d_goals%d_agents%d: %s", map_name, side, goals, count,
             throng_route_name(chosen));
    snprintf(baseline, sizeof baseline, "best of the three: %s", throng_route_name(best_method));
    thg_bench_row row = {.name = name,
                         .n = goals * count,
                         .threads = 1,
                         .ms = times[chosen],
                         .ms_median = times[chosen],
                         .baseline = baseline,
                         .baseline_ms = best,
                         .hash = times[chosen] <= ALLOWED * best ? hash : 0};
    report(context, &row);
}

void bench_routes(bench_report *report, void *context)
{
    static const int sides[] = {128, 512, 1024, 2048};
    static const int counts[] = {1, 4, 32, MOST_AGENTS};
    static const int goal_counts[] = {1, MOST_GOALS};
    static const char *const names[] = {"open", "rectangles", "rooms"};
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < 4; i++) {
            route_case the;
            if (!case_begin(&the, (field_map_kind)kind, sides[i])) {
                return;
            }
            rooms_sum sum = {0.0, 0.0};
            int region = main_region(&the);
            for (int k = 0; k < WARM_PATHS; k++) {
                throng_path path;
                throng_vec2 from = place_in(&the, region);
                find(&the, from, place_in(&the, region), &path);
            }
            for (int k = 0; k < 4; k++) {
                for (int g = 0; g < 2; g++) {
                    grid_case(&the, names[kind], sides[i], goal_counts[g], counts[k], &sum, report,
                              context);
                }
            }
            char name[96];
            snprintf(name, sizeof name, "%s_%d_all: rooms", names[kind], sides[i]);
            thg_bench_row row = {.name = name,
                                 .n = sides[i] * sides[i],
                                 .threads = 1,
                                 .ms = sum.rooms,
                                 .ms_median = sum.rooms,
                                 .baseline = "best of the three in each case",
                                 .baseline_ms = sum.best,
                                 .hash = 1};
            report(context, &row);
            case_end(&the);
        }
    }
}

// ---- Single paths beside A* ---------------------------------------------------------------------

typedef struct astar {
    uint32_t *cost, *stamp, *heap_key, *heap_cell;
    uint32_t now, count, capacity;
} astar;

static void astar_push(astar *of, uint32_t key, uint32_t cell)
{
    if (of->count + 2 > of->capacity) {
        return;
    }
    uint32_t at = ++of->count;
    for (; at > 1 && of->heap_key[at / 2] > key; at /= 2) {
        of->heap_key[at] = of->heap_key[at / 2];
        of->heap_cell[at] = of->heap_cell[at / 2];
    }
    of->heap_key[at] = key;
    of->heap_cell[at] = cell;
}

static uint32_t astar_pop(astar *of, uint32_t *key)
{
    uint32_t cell = of->heap_cell[1];
    *key = of->heap_key[1];
    uint32_t last = of->heap_key[of->count], last_cell = of->heap_cell[of->count];
    of->count--;
    uint32_t at = 1;
    while (2 * at <= of->count) {
        uint32_t child = 2 * at;
        child += child < of->count && of->heap_key[child + 1] < of->heap_key[child];
        if (of->heap_key[child] >= last) {
            break;
        }
        of->heap_key[at] = of->heap_key[child];
        of->heap_cell[at] = of->heap_cell[child];
        at = child;
    }
    of->heap_key[at] = last;
    of->heap_cell[at] = last_cell;
    return cell;
}

static uint32_t octile_ahead(const throng_map *map, uint32_t cell, int to_x, int to_y)
{
    int dx = abs((int)(cell % (uint32_t)map->stride) - 1 - to_x);
    int dy = abs((int)(cell / (uint32_t)map->stride) - 1 - to_y);
    int low = dx < dy ? dx : dy;
    return (uint32_t)(low * THRONG_OCTILE_DIAGONAL + (dx + dy - 2 * low) * THRONG_OCTILE_UNIT);
}

/// The usual A* over cells with the octile distance ahead. Returns the cost.
static uint32_t astar_run(astar *of, const throng_map *map, size_t from, size_t to)
{
    const thg_layer *layer = &map->layers[0];
    int to_x = (int)(to % (size_t)map->stride) - 1, to_y = (int)(to / (size_t)map->stride) - 1;
    of->now++;
    of->count = 0;
    of->cost[from] = 0;
    of->stamp[from] = of->now;
    astar_push(of, octile_ahead(map, (uint32_t)from, to_x, to_y), (uint32_t)from);
    while (of->count > 0) {
        uint32_t key;
        uint32_t cell = astar_pop(of, &key);
        if (cell == to) {
            return of->cost[cell];
        }
        if (key > of->cost[cell] + octile_ahead(map, cell, to_x, to_y)) {
            continue;
        }
        for (int move = 0; move < 8; move++) {
            if (((layer->moves[cell] >> move) & 1) == 0) {
                continue;
            }
            uint32_t next =
                (uint32_t)((int)cell + thg_move_x[move] + map->stride * thg_move_y[move]);
            uint32_t cost =
                of->cost[cell] + (uint32_t)(move < 4 ? THRONG_OCTILE_UNIT : THRONG_OCTILE_DIAGONAL);
            if (of->stamp[next] != of->now || cost < of->cost[next]) {
                of->stamp[next] = of->now;
                of->cost[next] = cost;
                astar_push(of, cost + octile_ahead(map, next, to_x, to_y), next);
            }
        }
    }
    return THRONG_UNREACHED;
}

static void many_paths(bench_report *report, void *context)
{
    enum { PATHS = 10000, SEARCHES = 100 };
    static const char *const names[] = {"10000_goals_open_1024", "10000_goals_rectangles_1024",
                                        "10000_goals_rooms_1024"};
    for (int kind = 0; kind < 3; kind++) {
        route_case the;
        if (!case_begin(&the, (field_map_kind)kind, 1024)) {
            return;
        }
        size_t cells = the.map->padded_count;
        astar search = {calloc(cells, 4),
                        calloc(cells, 4),
                        calloc(4 * cells, 4),
                        calloc(4 * cells, 4),
                        0,
                        0,
                        (uint32_t)(4 * cells)};
        throng_vec2 *places = malloc(2 * PATHS * sizeof *places);
        if (search.cost && search.stamp && search.heap_key && search.heap_cell && places) {
            int region = main_region(&the);
            double shorter = 0.0, theirs = 0.0;
            for (int i = 0; i < 2 * PATHS; i++) {
                places[i] = place_in(&the, region);
            }
            the.hash = 1;
            double start = bench_now();
            bool fine = true;
            for (int i = 0; i < PATHS; i++) {
                throng_path path;
                fine = find(&the, places[2 * i], places[2 * i + 1], &path) && fine;
                note(&the, (throng_vec2){path.length, path.cost});
                shorter += i < SEARCHES ? (double)path.length : 0.0;
            }
            double ours = bench_now() - start;
            start = bench_now();
            for (int i = 0; i < SEARCHES; i++) {
                int x, y, to_x, to_y;
                throng_map_cell_at(the.map, places[2 * i], &x, &y);
                throng_map_cell_at(the.map, places[2 * i + 1], &to_x, &to_y);
                theirs += (double)astar_run(&search, the.map, thg_padded_index(the.map, x, y),
                                            thg_padded_index(the.map, to_x, to_y)) /
                          THRONG_OCTILE_UNIT;
            }
            double baseline = (bench_now() - start) * PATHS / SEARCHES;
            thg_bench_row row = {.name = names[kind],
                                 .n = PATHS,
                                 .threads = 1,
                                 .ms = ours,
                                 .ms_median = ours,
                                 .baseline = "A* on cells for each (of 100)",
                                 .baseline_ms = baseline,
                                 .hash = fine && shorter <= theirs * 1.0001 ? the.hash : 0};
            report(context, &row);
        }
        free(search.cost);
        free(search.stamp);
        free(search.heap_key);
        free(search.heap_cell);
        free(places);
        case_end(&the);
    }
}

// ---- The first direction on a map of 8192 x 8192 ------------------------------------------------

static void first_direction(bench_report *report, void *context)
{
    enum { SIDE = 8192 };
    static const char *const names[] = {"first_direction_open_8192",
                                        "first_direction_rectangles_8192"};
    static const char *const field_names[] = {"tiles_solved_open_8192",
                                              "tiles_solved_rectangles_8192"};
    for (int kind = 0; kind < 2; kind++) {
        route_case the;
        if (!case_begin(&the, (field_map_kind)kind, SIDE)) {
            return;
        }
        throng_vec2 from = {2.5f, 2.5f}, to = {SIDE - 2.5f, SIDE - 3.5f};
        int x, y;
        throng_map_nearest_fit(the.map, 0, from, 0, &x, &y);
        from = throng_map_cell_center(the.map, x, y);
        throng_map_nearest_fit(the.map, 0, to, throng_map_region(the.map, 0, x, y), &x, &y);
        to = throng_map_cell_center(the.map, x, y);
        throng_path path;
        double start = bench_now();
        bool fine = find_quick(&the, from, to, &path); // nothing has been looked at before
        double first = bench_now() - start;
        the.hash = 1;
        start = bench_now();
        fine = run_tiles(&the, to, &from, 1) && fine;
        double tiles_ms = bench_now() - start;
        fine = fine && thg_tiles_sample(the.tiles, from).reached;
        size_t bytes = thg_tile_pool_bytes(the.pool) +
                       (size_t)throng_paths_get_counts(the.paths).bytes +
                       2 * (size_t)the.pool->count * sizeof *the.tiles->tile_of;
        start = bench_now();
        run_field(&the, to, &from, 1);
        double whole = bench_now() - start;
        float said = thg_tiles_sample(the.tiles, from).cost;
        fine = fine && said <= 1.01f * throng_field_sample(the.field, from).cost;
        char baseline[64];
        snprintf(baseline, sizeof baseline, "whole-map field; all in %d MiB", (int)(bytes >> 20));
        bool kept = bytes <= ((size_t)64 << 20);
        thg_bench_row row = {.name = names[kind],
                             .n = 1,
                             .threads = 1,
                             .ms = first,
                             .ms_median = first,
                             .baseline = baseline,
                             .baseline_ms = whole,
                             .hash = fine && kept && first * 20.0 <= whole ? the.hash : 0};
        report(context, &row);
        row.name = field_names[kind];
        row.ms = row.ms_median = tiles_ms;
        row.hash = fine && kept ? the.hash : 0;
        report(context, &row);
        case_end(&the);
    }
}

void bench_paths(bench_report *report, void *context)
{
    many_paths(report, context);
    first_direction(report, context);
}
