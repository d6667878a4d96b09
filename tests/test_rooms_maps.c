/// Exact lengths at full size: mazes of 16,384 rooms, MovingAI's rooms and mazes, long ways.
///
/// Each map: 12,000 pairs of cells (60 starts, 200 goals each) against Dijkstra over cells, four
/// neighbours and eight. Maps that this copy does not have are skipped with a message.
#include "rooms_fixture.h"
#include <throng_io/map_file.h>
#include <time.h>

static int compare(throng_rooms *rooms, const throng_map *map, bool diagonal, int starts, int goals,
                   uint64_t seed)
{
    fixture_reference reference = fixture_make_reference(map, rooms, diagonal);
    int cells = reference.width * reference.height, wrong = 0;
    for (int i = 0; i < starts; i++) {
        int start = fixture_draw_cell(rooms, cells, &seed);
        fixture_search(&reference, start);
        for (int j = 0; j < goals; j++) {
            throng_rooms_goal goal = {false, fixture_draw_cell(rooms, cells, &seed)};
            uint64_t length = reference.length[goal.index];
            length = length < THRONG_ROOMS_FAR ? length : THRONG_ROOMS_FAR;
            wrong += throng_rooms_find(rooms, start, goal).length != length;
        }
        throng_rooms_goal goal = {true, 1 + fixture_draw(&seed, throng_rooms_count(rooms))};
        uint64_t length = fixture_room_length(&reference, goal.index);
        length = length < THRONG_ROOMS_FAR ? length : THRONG_ROOMS_FAR;
        wrong += throng_rooms_find(rooms, start, goal).length != length;
    }
    fixture_free_reference(&reference);
    return wrong;
}

static void large_mazes_are_exact(void **state)
{
    (void)state;
    static const int extra[4] = {10, 30, 70, 30};
    for (int i = 0; i < 4; i++) {
        throng_maze_def def = throng_default_maze_def();
        def.extra_doors = extra[i];
        def.obstacles = i == 3 ? 20 : 0;
        fixture_maze maze = fixture_make_maze(&def);
        for (int diagonal = 0; diagonal < 2; diagonal++) {
            throng_rooms *rooms = fixture_rooms(maze.map, maze.zones, diagonal, NULL);
            throng_rooms_report report = throng_rooms_get_report(rooms);
            print_message("%d %% extra, obstacles %d, %d neighbours: %d doors, %lld runs\n",
                          extra[i], def.obstacles, diagonal ? 8 : 4, report.doors,
                          (long long)report.runs);
            assert_int_equal(compare(rooms, maze.map, diagonal, 60, 200, 3), 0);
            throng_rooms_destroy(rooms);
        }
        fixture_free_maze(&maze);
    }
}

static throng_map *load(const char *name)
{
    static const char *const folders[] = {"maps/movingai", "../shared/data/movingai/rooms",
                                          "../shared/data/movingai/mazes"};
    throng_map_def def = throng_default_map_def();
    throng_class_def class_def = throng_default_class_def();
    int class_index;
    for (int i = 0; i < 3; i++) {
        char file[256], path[1024];
        throng_map *map;
        snprintf(file, sizeof file, "%s/%s.map", folders[i], name);
        test_source_path(path, sizeof path, file);
        if (throng_map_load(path, &def, &map, NULL) == THRONG_OK) {
            class_def.radius = 0.0f;
            assert_ok(throng_map_add_class(map, &class_def, &class_index));
            return map;
        }
    }
    print_message("%s: not here, skipped\n", name);
    return NULL;
}

static void real_mazes_are_exact(void **state)
{
    (void)state;
    static const char *const names[] = {"8room_000",   "16room_000",  "64room_000",
                                        "maze512-1-0", "maze512-4-0", "maze512-32-0"};
    for (int i = 0; i < 6; i++) {
        throng_map *map = load(names[i]);
        for (int diagonal = 0; diagonal < 2 && map != NULL; diagonal++) {
            throng_rooms *rooms = fixture_rooms(map, NULL, diagonal, NULL);
            throng_rooms_report report = throng_rooms_get_report(rooms);
            print_message("%s, %d neighbours: %d rooms, %d doors, %d arcs, %d hierarchy arcs, "
                          "rows %.1f MiB\n",
                          names[i], diagonal ? 8 : 4, report.rooms, report.doors, report.arcs,
                          report.hierarchy_arcs, (double)report.row_bytes / 1048576.0);
            assert_int_equal(compare(rooms, map, diagonal, 60, 200, 5), 0);
            throng_rooms_destroy(rooms);
        }
        throng_map_destroy(map);
    }
}

/// One corridor to and fro over the whole map: ways of 500,000 steps.
static void ways_beyond_65535_steps_are_right(void **state)
{
    (void)state;
    enum { SIDE = 1024 };
    uint8_t *terrain = calloc(SIDE * SIDE, 1);
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            bool gap = y % 2 == 1 && x == (y % 4 == 1 ? SIDE - 1 : 0);
            terrain[y * SIDE + x] = y % 2 == 0 || gap ? THRONG_GROUND : THRONG_WALL;
        }
    }
    throng_map *map = fixture_map(terrain, SIDE, SIDE);
    free(terrain);
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        throng_rooms *rooms = fixture_rooms(map, NULL, diagonal, NULL);
        throng_rooms_goal goal = {false, (SIDE - 2) * SIDE};
        uint32_t steps = (SIDE / 2) * (SIDE - 1) + (SIDE / 2 - 1) * 2;
        uint32_t unit = diagonal ? THRONG_ROOMS_STRAIGHT : 1u;
        uint32_t length = throng_rooms_find(rooms, 0, goal).length;
        assert_true(length > 65535 && length <= steps * unit && length >= (steps - SIDE) * unit);
        assert_int_equal(compare(rooms, map, diagonal, 10, 50, 5), 0);
        throng_rooms_destroy(rooms);
    }
    throng_map_destroy(map);
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/// 1,000 random changes at full size, each checked on 50 pairs and each far cheaper than a rebuild.
static void a_thousand_changes_are_exact_and_cheap(void **state)
{
    (void)state;
    throng_maze_def def = throng_default_maze_def();
    fixture_maze maze = fixture_make_maze(&def);
    double start = seconds();
    throng_rooms *rooms = fixture_rooms(maze.map, maze.zones, false, NULL);
    double build = seconds() - start, changing = 0.0;
    fixture_reference reference = fixture_make_reference(maze.map, rooms, false);
    uint64_t seed = 11;
    int wrong = 0;
    for (int i = 0; i < 1000; i++) {
        int door = fixture_draw(&seed, throng_rooms_door_count(rooms));
        int kind = fixture_draw(&seed, 4);
        throng_door change = {.closed = kind < 2, .delay = kind == 2 ? 20 : 0};
        change.one_way =
            kind == 3 ? throng_rooms_at(rooms, throng_rooms_door_cell(rooms, door)) : 0;
        start = seconds();
        assert_ok(throng_rooms_set_door(rooms, door, &change));
        changing += seconds() - start;
        int from = fixture_draw_cell(rooms, maze.width * maze.height, &seed);
        fixture_search(&reference, from);
        for (int k = 0; k < 50; k++) {
            throng_rooms_goal goal = {false,
                                      fixture_draw_cell(rooms, maze.width * maze.height, &seed)};
            uint64_t length = reference.length[goal.index];
            length = length < THRONG_ROOMS_FAR ? length : THRONG_ROOMS_FAR;
            wrong += throng_rooms_find(rooms, from, goal).length != length;
        }
    }
    print_message("a rebuild takes %.0f ms, a change %.3f ms: 1/%.0f\n", build * 1e3, changing,
                  build / (changing / 1000.0));
    assert_int_equal(wrong, 0);
    assert_true(changing / 1000.0 < build / 100.0);
    fixture_free_reference(&reference);
    throng_rooms_destroy(rooms);
    fixture_free_maze(&maze);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(ways_beyond_65535_steps_are_right),
        TEST(real_mazes_are_exact),
        TEST(large_mazes_are_exact),
        TEST(a_thousand_changes_are_exact_and_cheap),
    };
    return RUN_TESTS(tests);
}
