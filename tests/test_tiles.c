/// Tiles: the bits of the whole map's field where all of it has joined; walks as long as down the
/// field where only a corridor has, wherever the grid of sectors lies.
#include "field/tiles.h"
#include "field_fixture.h"
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void solve(thg_tiles *tiles)
{
    thg_tiles_begin(tiles);
    for (int budget = INT32_MAX; !thg_tiles_advance(tiles, &budget); budget = INT32_MAX) {
    }
    thg_tiles_show(tiles);
}

static int region_of(const throng_map *map, throng_vec2 place)
{
    int x, y;
    throng_map_cell_at(map, place, &x, &y);
    return throng_map_region(map, 0, x, y);
}

static void all_tiles_have_the_bits_of_the_whole_field(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (int kind = 0; kind < FIELD_MAP_KINDS; kind++) {
        for (int terrains = 1; terrains <= 8; terrains += 7) {
            for (int side = 32; side <= 64; side += 32) {
                float radius = terrains == 1 ? 0.0f : 0.7f;
                throng_map *map =
                    fixture_map((field_map_kind)kind, 150, 133, 3, terrains, radius, 0.0f);
                thg_tile_pool *pool = NULL;
                thg_tiles *tiles = NULL;
                throng_vec2 goal = map->layers[0].fit_count > 0 ? fixture_place(map, &random, 0)
                                                                : (throng_vec2){1.0f, 1.0f};
                throng_goal_shape shape = fixture_point(&goal);
                throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
                throng_field_solve(field);
                assert_ok(thg_tile_pool_create(map, side, 1 << 20, true, &pool));
                assert_ok(thg_tiles_create(pool, 0, &shape, &tiles));
                assert_true(thg_tiles_join_goal(tiles));
                solve(tiles);
                // In any order, and some at a time: what is there falls to the same bits.
                for (int i = 0; i < pool->count; i++) {
                    assert_true(thg_tiles_join(tiles, (i * 7 + 3) % pool->count));
                    if (i % 5 == 0) {
                        solve(tiles);
                    }
                }
                for (int i = 0; i < pool->count; i++) {
                    assert_true(thg_tiles_join(tiles, i));
                }
                solve(tiles);
                throng_field_view view = throng_field_get_view(field);
                for (int y = 0; y < view.height; y++) {
                    for (int x = 0; x < view.width; x++) {
                        size_t at = (size_t)y * (size_t)view.stride + (size_t)x;
                        if (!throng_map_fits(map, 0, x, y)) {
                            continue; // the field has leads there
                        }
                        assert_int_equal(thg_tiles_cost(tiles, x, y), view.cost[at]);
                        throng_vec2 off = throng_map_cell_center(map, x, y);
                        off.x += 0.3f;
                        off.y -= 0.2f;
                        throng_sample a = throng_field_sample(field, off);
                        throng_sample b = thg_tiles_sample(tiles, off);
                        assert_memory_equal(&a.direction, &b.direction, sizeof a.direction);
                        assert_int_equal(a.reached, b.reached);
                        assert_true(!a.reached || a.cost == b.cost);
                    }
                }
                thg_tiles_destroy(tiles);
                thg_tile_pool_destroy(pool);
                throng_field_destroy(field);
                throng_map_destroy(map);
            }
        }
    }
}

static throng_sample ask_tiles(const void *tiles, throng_vec2 place)
{
    return thg_tiles_sample(tiles, place);
}

/// A map of a kind, moved by so many cells of wall.
static throng_map *moved_map(field_map_kind kind, int side, int terrains, int shift)
{
    int whole = side + shift;
    uint8_t *inner = malloc((size_t)side * (size_t)side);
    uint8_t *terrain = malloc((size_t)whole * (size_t)whole);
    field_map_fill(kind, side, side, 21, terrains, inner);
    memset(terrain, THRONG_WALL, (size_t)whole * (size_t)whole);
    for (int y = 0; y < side; y++) {
        memcpy(terrain + (size_t)(y + shift) * (size_t)whole + shift,
               inner + (size_t)y * (size_t)side, (size_t)side);
    }
    throng_map_def def = throng_default_map_def();
    throng_class_def class_def = field_map_class();
    throng_map *map = NULL;
    int class_index;
    def.width = def.height = whole;
    def.terrain = terrain;
    assert_ok(throng_map_create(&def, &map));
    assert_ok(throng_map_add_class(map, &class_def, &class_index));
    free(inner);
    free(terrain);
    return map;
}

/// Ratios of tiles to the whole field: worst and mean of what walks cost, worst of what the start
/// is said to cost.
typedef struct comparison {
    double worst, mean, worst_said;
} comparison;

/// The worst ratio of a walk down a corridor's tiles to one down the whole field.
static comparison compare(const throng_map *map, int pairs, uint64_t seed)
{
    comparison found = {0};
    uint64_t random = seed;
    double sum = 0.0, whole_ms = 0.0, tiles_ms = 0.0;
    int count = 0, members = 0;
    throng_paths *paths = fixture_paths(map);
    thg_tile_pool *pool = NULL;
    assert_ok(thg_tile_pool_create(map, 32, 16 << 20, true, &pool));
    for (int i = 0; i < pairs; i++) {
        throng_vec2 goal = fixture_place(map, &random, 0);
        throng_vec2 from = fixture_place(map, &random, region_of(map, goal));
        throng_goal_shape shape = fixture_point(&goal);
        throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
        thg_tiles *tiles = NULL;
        double start = seconds();
        throng_field_solve(field);
        whole_ms += 1e3 * (seconds() - start);
        assert_ok(thg_tiles_create(pool, 0, &shape, &tiles));
        start = seconds();
        throng_path_query query = throng_default_path_query();
        throng_path path;
        query.from = from;
        query.to = goal;
        assert_ok(throng_paths_find(paths, &query, &path));
        assert_true(thg_tiles_join_goal(tiles));
        assert_true(thg_tiles_join_corridor(tiles, path.points, path.point_count));
        solve(tiles);
        tiles_ms += 1e3 * (seconds() - start);
        double best = fixture_walk(map, fixture_ask_field, field, from, goal);
        double ours = fixture_walk(map, ask_tiles, tiles, from, goal);
        assert_true(ours >= 0.0 && best >= 0.0);
        if (best > 4.0) {
            double said = (double)(thg_tiles_sample(tiles, from).cost /
                                   throng_field_sample(field, from).cost);
            found.worst = fmax(found.worst, ours / best);
            found.worst_said = fmax(found.worst_said, said);
            sum += ours / best;
            count++;
        }
        members += tiles->member_count;
        thg_tiles_destroy(tiles);
        throng_field_destroy(field);
    }
    found.mean = sum / count;
    print_message("walks %.4f, at worst %.4f, said %.4f; %d of %d tiles, %.2f ms against %.2f\n",
                  found.mean, found.worst, found.worst_said, members / pairs, pool->count,
                  tiles_ms / pairs, whole_ms / pairs);
    thg_tile_pool_destroy(pool);
    throng_paths_destroy(paths);
    return found;
}

static void walks_down_a_corridor_are_as_long_wherever_the_grid_lies(void **state)
{
    (void)state;
    static const int shifts[] = {0, 1, 7, 16, 31};
    for (int kind = 0; kind < FIELD_MAP_NOISE; kind++) {
        for (int terrains = 1; terrains <= 8; terrains += 7) {
            for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
                throng_map *map = moved_map((field_map_kind)kind, 400, terrains, shifts[i]);
                print_message("kind %d, %d terrains, moved %2d: ", kind, terrains, shifts[i]);
                comparison found = compare(map, 20, 77);
                assert_true(found.worst <= 1.01 && found.worst_said <= 1.01);
                throng_map_destroy(map);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_tiles_have_the_bits_of_the_whole_field),
        TEST(walks_down_a_corridor_are_as_long_wherever_the_grid_lies),
    };
    return RUN_TESTS(tests);
}
