/// Claims about the tile solver: the same bits as the buckets and as sweeping, in every build of
/// its kernel, on any map and at any price; and roots that are exact.
#include "field_fixture.h"
#include <limits.h>

static const char *const build_names[THG_SQUARE_BUILDS] = {"auto", "plain", "portable", "avx2",
                                                           "avx512"};

/// Integrates with one build; false where it cannot run.
static bool integrate_with(throng_field *field, thg_square_build build)
{
    field->solver->way = THG_WAY_TILES;
    if (!thg_squares_use(field->solver, build)) {
        return false;
    }
    thg_field_integrate(field);
    return true;
}

static void check_costs(const throng_map *map, const uint32_t *cost, const uint32_t *wanted,
                        const char *name)
{
    for (size_t cell = 0; cell < map->padded_count; cell++) {
        if (cost[cell] != wanted[cell]) {
            fail_msg("%s: cell %d,%d costs %u instead of %u", name,
                     (int)(cell % (size_t)map->stride) - 1, (int)(cell / (size_t)map->stride) - 1,
                     cost[cell], wanted[cell]);
        }
    }
}

/// Every build against the buckets.
static void check_builds(throng_field *field)
{
    const throng_map *map = field->map;
    uint32_t *wanted = malloc(map->padded_count * sizeof *wanted);
    field->solver->way = THG_WAY_BUCKETS;
    thg_field_integrate(field);
    memcpy(wanted, field->solver->back.cost, map->padded_count * sizeof *wanted);
    for (int build = THG_SQUARE_PLAIN; build < THG_SQUARE_BUILDS; build++) {
        if (integrate_with(field, (thg_square_build)build)) {
            check_costs(map, field->solver->back.cost, wanted, build_names[build]);
        }
    }
    free(wanted);
}

static void every_build_gives_the_bits_of_the_buckets(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {16, 16}, {37, 2}, {64, 64}, {97, 61}, {40, 113}};
    uint64_t random = 5;
    for (unsigned round = 0; round < 120; round++) {
        const int *size = sizes[field_map_random(&random) % 6];
        field_map_kind kind = (field_map_kind)(round % FIELD_MAP_KINDS);
        int terrains = round % 3 == 0 ? 1 : 8;
        float surcharge = round % 4 == 3 ? 4.0f : 0.0f;
        throng_map *map = fixture_map(kind, size[0], size[1], 50 + round, terrains,
                                      round % 5 == 4 ? 1.2f : 0.0f, surcharge);
        throng_vec2 points[2] = {{0.3f * (float)size[0], 0.7f * (float)size[1]},
                                 {0.9f * (float)size[0], 0.2f * (float)size[1]}};
        throng_goal_shape shape = fixture_point(points);
        shape.point_count = 1 + (int)(round % 2);
        throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
        check_builds(field);
        throng_field_destroy(field);
        throng_map_destroy(map);
    }
}

/// A repaired field against one that is solved anew, flow and leads included.
static void check_repair(throng_field *repaired, throng_field *fresh, int edit)
{
    const throng_map *map = fresh->map;
    throng_field_repair(repaired);
    throng_field_solve(fresh);
    for (size_t cell = 0; cell < map->padded_count; cell++) {
        bool same = repaired->front.cost[cell] == fresh->front.cost[cell] &&
                    repaired->front.flow[2 * cell] == fresh->front.flow[2 * cell] &&
                    repaired->front.flow[2 * cell + 1] == fresh->front.flow[2 * cell + 1];
        if (!same) {
            fail_msg("edit %d: cell %d,%d: %u (%d,%d) instead of %u (%d,%d)", edit,
                     (int)(cell % (size_t)map->stride) - 1, (int)(cell / (size_t)map->stride) - 1,
                     repaired->front.cost[cell], repaired->front.flow[2 * cell],
                     repaired->front.flow[2 * cell + 1], fresh->front.cost[cell],
                     fresh->front.flow[2 * cell], fresh->front.flow[2 * cell + 1]);
        }
    }
    assert_int_equal(repaired->front.reached_count, fresh->front.reached_count);
}

static void after_each_of_500_edits_a_repair_is_a_fresh_solve(void **state)
{
    (void)state;
    uint64_t random = 11;
    int repairs = 0;
    for (int round = 0; round < 10; round++) {
        int width = round == 8 ? 600 : 120 + 13 * round; // far from the goal equal costs are common
        int height = round == 8 ? 500 : 190 - 11 * round;
        throng_map *map = fixture_map((field_map_kind)(round % 3), width, height,
                                      70u + (unsigned)round, round % 2 == 0 ? 1 : 8,
                                      round % 5 == 3 ? 0.9f : 0.0f, round % 4 == 2 ? 3.0f : 0.0f);
        throng_vec2 points[2] = {{0.4f * (float)width, 0.6f * (float)height},
                                 {0.9f * (float)width, 0.9f * (float)height}};
        throng_goal_shape shape = fixture_point(points);
        shape.point_count = 1 + round % 2;
        throng_field *repaired = fixture_field(map, THRONG_EIKONAL, &shape);
        throng_field *fresh = fixture_field(map, THRONG_EIKONAL, &shape);
        throng_field_solve(repaired);
        for (int edit = 0; edit < 50; edit++) {
            throng_cell_rect rect = {(int)(field_map_random(&random) % (uint64_t)width),
                                     (int)(field_map_random(&random) % (uint64_t)height),
                                     1 + (int)(field_map_random(&random) % 6),
                                     1 + (int)(field_map_random(&random) % 6)};
            static const int kinds[4] = {THRONG_WALL, THRONG_GROUND, THRONG_SWAMP, THRONG_WALL};
            if (edit == 31) {
                rect = (throng_cell_rect){0, height / 2, width, 1}; // cut off, and opened again
            }
            int kind = edit == 31 ? THRONG_WALL : kinds[field_map_random(&random) % 4];
            assert_ok(throng_map_edit_rect(map, rect, kind));
            if (edit == 32) {
                rect = (throng_cell_rect){width / 3, height / 2, 3, 1};
                assert_ok(throng_map_edit_rect(map, rect, THRONG_GROUND));
            }
            throng_map_update(map);
            thg_field_begin_repair(repaired);
            repairs += repaired->solver->repairing;
            check_repair(repaired, fresh, 50 * round + edit);
        }
        throng_field_destroy(repaired);
        throng_field_destroy(fresh);
        throng_map_destroy(map);
    }
    assert_in_range(repairs, 400, 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_build_gives_the_bits_of_the_buckets),
        TEST(after_each_of_500_edits_a_repair_is_a_fresh_solve),
    };
    return RUN_TESTS(tests);
}
