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

static throng_paths *paths_of(const throng_map *map)
{
    throng_paths_def def = throng_default_paths_def();
    throng_paths *paths = NULL;
    def.map = map;
    assert_ok(throng_paths_create(&def, &paths));
    return paths;
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
    throng_paths *paths = paths_of(map);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(real_maps_give_paths_as_long_as_fields_do),
        TEST(maps_of_all_kinds_give_paths_as_cheap_as_fields),
    };
    return RUN_TESTS(tests);
}
