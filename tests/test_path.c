/// Paths: as long as the walk down a whole-map field, on real maps and on generated ones.
#include "field/path.h"
#include "field_fixture.h"
#include <throng/path.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static throng_map *load_map(const char *name, float radius)
{
    char file[256], path[1024];
    snprintf(file, sizeof file, "maps/movingai/%s.map", name);
    FILE *stream = fopen(test_source_path(path, sizeof path, file), "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    size_t size = (size_t)ftell(stream);
    rewind(stream);
    char *text = malloc(size + 1);
    assert_int_equal(fread(text, 1, size, stream), size);
    text[size] = '\0';
    fclose(stream);
    throng_map *map = fixture_text_sized(text, size, radius);
    free(text);
    return map;
}

/// Every point of the line fits, and its ends are those asked for.
static void check_path(const throng_map *map, const throng_path *path, throng_vec2 from,
                       throng_vec2 to)
{
    assert_true(path->point_count >= 2);
    assert_true(path->whole);
    assert_near(path->points[0].x, from.x, 1e-3);
    assert_near(path->points[0].y, from.y, 1e-3);
    assert_near(path->points[path->point_count - 1].x, to.x, 1e-3);
    assert_near(path->points[path->point_count - 1].y, to.y, 1e-3);
    for (int i = 0; i + 1 < path->point_count; i++) {
        throng_vec2 a = path->points[i], b = path->points[i + 1];
        if (!thg_layer_sees(map, &map->layers[0], 0, a.x, a.y, b.x, b.y)) {
            fail_msg("%d of %d: %.9g,%.9g to %.9g,%.9g is not free", i, path->point_count,
                     (double)a.x, (double)a.y, (double)b.x, (double)b.y);
        }
    }
}

typedef struct comparison {
    double worst, sum, ms;
    int count;
} comparison;

/// Paths between random places against the walk down a field, in what they cost.
static comparison compare(const throng_map *map, int goals, int starts, uint64_t seed)
{
    comparison found = {0};
    uint64_t random = seed;
    throng_paths *paths = fixture_paths(map);
    for (int i = 0; i < goals; i++) {
        throng_vec2 goal = fixture_place(map, &random, 0);
        int x, y;
        throng_map_cell_at(map, goal, &x, &y);
        int region = throng_map_region(map, 0, x, y);
        throng_goal_shape shape = fixture_point(&goal);
        throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
        throng_field_solve(field);
        for (int k = 0; k < starts; k++) {
            throng_path_query query = throng_default_path_query();
            throng_path path;
            query.from = fixture_place(map, &random, region);
            query.to = goal;
            double start = seconds();
            throng_result result = throng_paths_find(paths, &query, &path);
            found.ms += 1e3 * (seconds() - start);
            assert_ok(result);
            check_path(map, &path, query.from, goal);
            double best = fixture_walk(map, fixture_ask_field, field, query.from, goal);
            assert_true(best >= 0.0);
            if (best > 4.0) { // shorter ones are a matter of the last quarter of a metre
                double ratio = (double)path.cost / best;
                if (ratio > 1.01) {
                    print_message("  %g,%g to %g,%g: %g against %g\n", (double)query.from.x,
                                  (double)query.from.y, (double)goal.x, (double)goal.y,
                                  (double)path.cost, best);
                }
                found.worst = ratio > found.worst ? ratio : found.worst;
                found.sum += ratio;
                found.count++;
            }
        }
        throng_field_destroy(field);
    }
    throng_paths_counts counts = throng_paths_get_counts(paths);
    found.ms /= goals * starts;
    print_message("mean %.4f worst %.4f of %d, %.3f ms each, %d sectors looked at, %d MiB\n",
                  found.sum / found.count, found.worst, found.count, found.ms,
                  (int)counts.looked_at, (int)(counts.bytes >> 20));
    throng_paths_destroy(paths);
    return found;
}

static void real_maps_give_paths_as_long_as_fields_do(void **state)
{
    (void)state;
    static const char *const names[] = {"Berlin_0_256", "random-32-32-20", "room-64-64-8",
                                        "empty-48-48",  "8room_000",       "warehouse-10-20-10-2-1",
                                        "maze512-4-0",  "Berlin_0_1024"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int fat = 0; fat < 2; fat++) {
            throng_map *map = load_map(names[i], fat ? 0.6f : 0.0f);
            print_message("%-24s %s ", names[i], fat ? "0.6" : "0.0");
            comparison found = compare(map, 6, 30, i + 1);
            assert_true(found.worst <= 1.01);
            throng_map_destroy(map);
        }
    }
}

static void maps_of_all_kinds_give_paths_as_cheap_as_fields(void **state)
{
    (void)state;
    for (int kind = 0; kind < FIELD_MAP_KINDS; kind++) {
        for (int terrains = 1; terrains <= 8; terrains += 7) {
            throng_map *map = fixture_map((field_map_kind)kind, 300, 280, 7, terrains, 0.0f, 0.0f);
            print_message("kind %d, %d terrains: ", kind, terrains);
            comparison found = compare(map, 5, 30, 11);
            assert_true(found.worst <= (terrains == 1 ? 1.01 : 1.02));
            assert_true(found.sum <= 1.001 * found.count);
            throng_map_destroy(map);
        }
    }
}

static throng_result find(throng_paths *paths, float from_x, float from_y, float to_x, float to_y,
                          throng_path *path)
{
    throng_path_query query = throng_default_path_query();
    query.from = (throng_vec2){from_x, from_y};
    query.to = (throng_vec2){to_x, to_y};
    query.narrowest = true;
    return throng_paths_find(paths, &query, path);
}

static void bad_questions_have_an_answer(void **state)
{
    (void)state;
    throng_path path;
    throng_map *map = fixture_text("......#...\n......#...\n......#...\n", 0.4f);
    throng_paths *paths = fixture_paths(map);
    assert_int_equal(find(paths, NAN, 1.0f, 2.0f, 1.0f, &path), THRONG_BAD_ARGUMENT);
    assert_int_equal(find(paths, 1.0f, 1.0f, INFINITY, 1.0f, &path), THRONG_BAD_ARGUMENT);
    assert_int_equal(find(paths, 1.0f, 1.0f, 9.0f, 1.0f, &path), THRONG_UNREACHABLE);
    assert_int_equal(find(paths, 1.0f, 1.0f, -90.0f, 1.0f, &path), THRONG_UNREACHABLE);
    assert_ok(find(paths, 1.0f, 1.0f, 1.0f, 1.0f, &path)); // it is there already
    assert_near(path.length, 0.0, 1e-6);
    assert_ok(find(paths, 1.0f, 1.0f, 6.4f, 1.5f, &path)); // a goal in a wall: the cell beside it
    assert_near(path.points[path.point_count - 1].x, 5.5, 1e-6);
    throng_paths_destroy(paths);
    throng_paths_def def = throng_default_paths_def();
    paths = NULL;
    assert_int_equal(throng_paths_create(&def, &paths), THRONG_BAD_ARGUMENT); // no map
    def.map = map;
    def.sector_side = 33;
    assert_int_equal(throng_paths_create(&def, &paths), THRONG_BAD_ARGUMENT);
    def.sector_side = 32;
    def.class_index = 1;
    assert_int_equal(throng_paths_create(&def, &paths), THRONG_BAD_ARGUMENT);
    throng_map_destroy(map);

    static const char *const texts[] = {".\n", "#\n", "####\n####\n", "..\n..\n"};
    for (int i = 0; i < 4; i++) {
        map = fixture_text(texts[i], i == 3 ? 5.0f : 0.4f); // the last: a class that fits nowhere
        paths = fixture_paths(map);
        assert_int_equal(find(paths, 0.5f, 0.5f, 0.6f, 0.5f, &path),
                         i == 0 ? THRONG_OK : THRONG_UNREACHABLE);
        throng_paths_destroy(paths);
        throng_map_destroy(map);
    }
}

static void the_narrowest_place_is_the_door(void **state)
{
    (void)state;
    throng_path path;
    throng_map *map = fixture_text("..........\n"
                                   "..........\n"
                                   "####..####\n"
                                   "..........\n"
                                   "####...###\n"
                                   "..........\n"
                                   "..........\n",
                                   0.4f);
    throng_paths *paths = fixture_paths(map);
    assert_ok(find(paths, 0.5f, 0.5f, 9.5f, 6.5f, &path));
    // From the upper wall's edge to the corner of the lower: a cell down and half a cell aside.
    assert_near(path.narrowest, sqrt(1.25), 1e-3);
    assert_ok(find(paths, 4.5f, 0.5f, 4.5f, 3.5f, &path));
    assert_true(path.narrowest <= 2.0f);
    throng_paths_destroy(paths);
    throng_map_destroy(map);
}

/// The same answers, whatever was asked before and however small the cache.
static void caches_and_edits_change_no_answer(void **state)
{
    (void)state;
    throng_map *map = fixture_map(FIELD_MAP_ROOMS, 330, 300, 3, 1, 0.0f, 0.0f);
    throng_paths_def def = throng_default_paths_def();
    throng_paths *old = NULL;
    uint64_t random = 4;
    def.map = map;
    def.cache_bytes = 0; // the least
    assert_ok(throng_paths_create(&def, &old));
    for (int round = 0; round < 30; round++) {
        throng_cell_rect rect = {
            (int)(field_map_random(&random) % 320), (int)(field_map_random(&random) % 290),
            1 + (int)(field_map_random(&random) % 12), 1 + (int)(field_map_random(&random) % 12)};
        int kind = field_map_random(&random) % 3 == 0 ? THRONG_WALL : THRONG_GROUND;
        assert_ok(throng_map_edit_rect(map, rect, kind));
        throng_map_update(map);
        throng_paths *fresh = fixture_paths(map);
        for (int i = 0; i < 6; i++) {
            throng_vec2 from = fixture_place(map, &random, 0);
            throng_vec2 to = fixture_place(map, &random, 0);
            throng_path a, b;
            throng_result first = find(old, from.x, from.y, to.x, to.y, &a);
            throng_result second = find(fresh, from.x, from.y, to.x, to.y, &b);
            assert_int_equal(first, second);
            assert_int_equal(a.point_count, b.point_count);
            assert_int_equal(a.work_cells, b.work_cells);
            if (a.point_count > 0) {
                assert_memory_equal(a.points, b.points, (size_t)a.point_count * sizeof *a.points);
            }
        }
        throng_paths_destroy(fresh);
    }
    throng_paths_counts counts = throng_paths_get_counts(old);
    assert_true(counts.confirmed > 0 && counts.looked_at > 0);
    assert_true(counts.forgotten > 0);
    throng_paths_destroy(old);
    throng_map_destroy(map);
}

static throng_result make_paths(void *context)
{
    throng_paths_def def = throng_default_paths_def();
    throng_paths *paths = NULL;
    def.map = context;
    throng_result result = throng_paths_create(&def, &paths);
    throng_paths_destroy(paths);
    return result;
}

static void paths_take_all_memory_at_create(void **state)
{
    (void)state;
    throng_map *map = fixture_map(FIELD_MAP_RECTANGLES, 200, 200, 3, 3, 0.0f, 0.0f);
    test_every_allocation_fails(make_paths, map);
    throng_paths *paths = fixture_paths(map);
    uint64_t before = throng_allocation_count();
    uint64_t random = 8;
    for (int i = 0; i < 50; i++) {
        throng_vec2 from = fixture_place(map, &random, 0);
        throng_vec2 to = fixture_place(map, &random, 0);
        throng_path path;
        find(paths, from.x, from.y, to.x, to.y, &path);
    }
    assert_int_equal(throng_allocation_count(), before);
    throng_paths_destroy(paths);
    throng_map_destroy(map);
}

/// An open map has as many equally good ways as one likes; the search must not try them all.
static void equal_routes_do_not_explode(void **state)
{
    (void)state;
    throng_path path;
    throng_map *map = fixture_map(FIELD_MAP_OPEN, 2048, 2048, 1, 1, 0.0f, 0.0f);
    throng_paths *paths = fixture_paths(map);
    assert_ok(find(paths, 1.5f, 1.5f, 2046.5f, 2046.5f, &path));
    assert_int_equal(path.point_count, 2);
    // One wall in the middle, with a gap at each end: no straight line, and many equal ways.
    assert_ok(throng_map_edit_rect(map, (throng_cell_rect){1024, 2, 1, 2044}, THRONG_WALL));
    throng_map_update(map);
    assert_ok(find(paths, 1.5f, 1024.5f, 2046.5f, 1024.5f, &path));
    double best = 2.0 * hypot(1022.5, 1022.5);
    assert_true((double)path.length < 1.01 * best);
    // Every node is taken once or twice, whatever the number of ways: 64 x 64 sectors of 20 nodes.
    print_message("%lld cells of work\n", (long long)path.work_cells);
    assert_true(path.work_cells < 2 * 64 * 64 * 20 * 2 * 20);
    throng_paths_destroy(paths);
    throng_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(real_maps_give_paths_as_long_as_fields_do),
        TEST(bad_questions_have_an_answer),
        TEST(the_narrowest_place_is_the_door),
        TEST(caches_and_edits_change_no_answer),
        TEST(paths_take_all_memory_at_create),
        TEST(equal_routes_do_not_explode),
        TEST(maps_of_all_kinds_give_paths_as_cheap_as_fields),
    };
    return RUN_TESTS(tests);
}
