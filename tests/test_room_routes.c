/// How long ways by rooms are: of a continuous crowd's directions beside those of whole-map fields,
/// and of walkers where wide openings have fewer doors than cells.
#include "rooms_fixture.h"
#include <throng/throng.h>
#include <throng_io/map_file.h>

#define STARTS 24
#define STEP 0.2f ///< metres
#define SECTOR 32

static throng_map *load(const char *name)
{
    char path[1024];
    throng_map_def def = throng_default_map_def();
    throng_class_def class_def = throng_default_class_def();
    throng_map *map;
    int class_index;
    test_source_path(path, sizeof path, name);
    assert_ok(throng_map_load(path, &def, &map, NULL));
    assert_ok(throng_map_add_class(map, &class_def, &class_index));
    return map;
}

static bool fits(const throng_map *map, throng_vec2 at)
{
    int x, y;
    return throng_map_cell_at(map, at, &x, &y) && throng_map_fits(map, 0, x, y);
}

/// A walk down a goal's directions, sliding along walls; -1 where it does not arrive.
static double walk(const throng_crowd *crowd, const throng_map *map, throng_goal_id goal,
                   throng_vec2 at, throng_vec2 to)
{
    double length = 0.0;
    for (int i = 0; i < 100000; i++) {
        float away = hypotf(to.x - at.x, to.y - at.y);
        throng_sample sample = throng_crowd_way(crowd, goal, 0, at);
        if (away < 0.8f) {
            return length + (double)away;
        }
        if (!sample.reached) {
            return -1.0;
        }
        throng_vec2 next = {at.x + sample.direction.x * STEP, at.y + sample.direction.y * STEP};
        throng_vec2 along = {next.x, at.y}, across = {at.x, next.y};
        next = fits(map, next) ? next : fits(map, along) && along.x != at.x ? along : across;
        length += (double)hypotf(next.x - at.x, next.y - at.y);
        at = next;
    }
    return -1.0;
}

static throng_vec2 place_in(const throng_map *map, int region, uint64_t *seed)
{
    for (;;) {
        int x = fixture_draw(seed, throng_map_width(map));
        int y = fixture_draw(seed, throng_map_height(map));
        int found = throng_map_region(map, 0, x, y);
        if (found != 0 && (region == 0 || found == region)) {
            return throng_map_cell_center(map, x, y);
        }
    }
}

/// Lets somebody stand in each sector for a step, so that all rooms are worked out.
static void visit_all(throng_crowd *crowd, const throng_map *map, throng_goal_id goal, int region)
{
    for (int cell = 0; cell < throng_map_width(map) * throng_map_height(map); cell++) {
        int x = cell % throng_map_width(map), y = cell / throng_map_width(map);
        throng_vec2 at = throng_map_cell_center(map, x, y);
        if (throng_map_region(map, 0, x, y) != region ||
            throng_crowd_way(crowd, goal, 0, at).reached) {
            continue;
        }
        throng_spawn_def def = {.position = at, .goal = goal};
        throng_agent_id agent;
        assert_ok(throng_crowd_spawn(crowd, &def, &agent));
        throng_crowd_step(crowd, 1e-4f);
        throng_crowd_solve_fields(crowd);
        throng_crowd_remove(crowd, agent);
        throng_crowd_step(crowd, 1e-4f);
    }
}

static void measure(const char *name, throng_map *map)
{
    uint64_t seed = 3;
    throng_vec2 to = place_in(map, 0, &seed), starts[STARTS];
    int x, y, region;
    for (int i = 0, hits = 0; i < 40 && hits < 15; i++) { // the largest region, or near it
        to = place_in(map, 0, &seed);
        throng_map_cell_at(map, to, &x, &y);
        hits = 0;
        for (int k = 0; k < 20; k++) {
            int other_x, other_y;
            throng_map_cell_at(map, place_in(map, 0, &seed), &other_x, &other_y);
            hits += throng_map_region(map, 0, other_x, other_y) == throng_map_region(map, 0, x, y);
        }
    }
    region = throng_map_region(map, 0, x, y);
    for (int i = 0; i < STARTS; i++) {
        starts[i] = place_in(map, region, &seed);
    }
    double sums[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        throng_profile_def profile = throng_default_profile_def();
        throng_crowd_def def = throng_default_crowd_def();
        throng_goal_def goal_def = throng_default_goal_def();
        throng_crowd *crowd;
        throng_goal_id goal;
        def.map = map;
        def.profiles = &profile;
        def.profile_count = 1;
        def.max_agents = 4;
        goal_def.shape.points = &to;
        goal_def.shape.point_count = 1;
        goal_def.method = k == 0 ? THRONG_ROUTE_FIELD : THRONG_ROUTE_ROOMS;
        assert_ok(throng_crowd_create(&def, &crowd));
        assert_ok(throng_crowd_add_goal(crowd, &goal_def, &goal));
        visit_all(crowd, map, goal, region);
        for (int i = 0; i < STARTS; i++) {
            double length = walk(crowd, map, goal, starts[i], to);
            assert_true(length >= 0.0);
            sums[k] += length;
        }
        throng_crowd_destroy(crowd);
    }
    print_message("%s: by rooms %.4f of the field's length\n", name, sums[1] / sums[0]);
    assert_true(sums[1] <= 1.05 * sums[0]);
    throng_map_destroy(map);
}

static void ways_by_rooms_are_as_long_as_those_by_fields(void **state)
{
    (void)state;
    static const int extra[3] = {10, 30, 70};
    for (int i = 0; i < 3; i++) {
        throng_maze_def maze = throng_default_maze_def();
        throng_map_def def = throng_default_map_def();
        throng_class_def class_def = throng_default_class_def();
        uint8_t terrain[200 * 200];
        throng_map *map;
        int class_index;
        maze.rooms_x = maze.rooms_y = 25;
        maze.extra_doors = extra[i];
        def.width = throng_maze_width(&maze);
        def.height = throng_maze_height(&maze);
        def.terrain = terrain;
        assert_true(def.width * def.height <= (int)sizeof terrain);
        assert_ok(throng_maze_fill(&maze, terrain, NULL));
        assert_ok(throng_map_create(&def, &map));
        assert_ok(throng_map_add_class(map, &class_def, &class_index));
        measure("maze", map);
    }
    measure("8room", load("maps/movingai/8room_000.map"));
    measure("maze512-4", load("maps/movingai/maze512-4-0.map"));
    measure("Berlin", load("maps/movingai/Berlin_0_256.map"));
}

/// Lengths over thinned doors beside the exact ones, and whether the same cells are reached.
static void wide_openings_with_fewer_doors_lengthen_little(void **state)
{
    (void)state;
    throng_map *map = load("maps/movingai/Berlin_0_256.map");
    int doors = 0;
    for (int spacing = 1; spacing <= 8; spacing *= 8) {
        throng_rooms_def def = throng_default_rooms_def();
        throng_rooms *rooms;
        def.door_spacing = spacing;
        assert_ok(throng_rooms_create(map, 0, &def, &rooms, NULL));
        fixture_reference reference = fixture_make_reference(map, rooms, false);
        int cells = reference.width * reference.height;
        uint64_t seed = 5;
        double exact = 0.0, found = 0.0;
        for (int i = 0; i < 20; i++) {
            int start = fixture_draw_cell(rooms, cells, &seed);
            fixture_search(&reference, start);
            for (int j = 0; j < 50; j++) {
                throng_rooms_goal goal = {false, fixture_draw_cell(rooms, cells, &seed)};
                uint32_t length = throng_rooms_find(rooms, start, goal).length;
                uint64_t least = reference.length[goal.index];
                assert_int_equal(length < THRONG_ROOMS_FAR, least < THRONG_ROOMS_FAR);
                exact += length < THRONG_ROOMS_FAR ? (double)least : 0.0;
                found += length < THRONG_ROOMS_FAR ? (double)length : 0.0;
            }
        }
        print_message("spacing %d: %d doors, %.4f of the exact length\n", spacing,
                      throng_rooms_door_count(rooms), found / exact);
        assert_true(spacing == 1 ? found == exact : found <= 1.05 * exact);
        assert_true(spacing == 1 || throng_rooms_door_count(rooms) * 2 < doors);
        doors = throng_rooms_door_count(rooms);
        fixture_free_reference(&reference);
        throng_rooms_destroy(rooms);
    }
    throng_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(ways_by_rooms_are_as_long_as_those_by_fields),
        TEST(wide_openings_with_fewer_doors_lengthen_little),
    };
    return RUN_TESTS(tests);
}
