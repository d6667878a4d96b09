/// Claims about the tile solver: the same bits as the buckets and as sweeping, in every build of
/// its kernel, on any map and at any price; and roots that are exact.
#include "field_fixture.h"
#include <limits.h>

static const char *const build_names[THG_TILE_BUILDS] = {"auto", "plain", "portable", "avx2",
                                                         "avx512"};

/// Integrates with one build; false where it cannot run.
static bool integrate_with(throng_field *field, thg_tile_build build)
{
    field->solver->way = THG_WAY_TILES;
    if (!thg_tiles_use(field->solver, build)) {
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
    for (int build = THG_TILE_PLAIN; build < THG_TILE_BUILDS; build++) {
        if (integrate_with(field, (thg_tile_build)build)) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_build_gives_the_bits_of_the_buckets),
    };
    return RUN_TESTS(tests);
}
