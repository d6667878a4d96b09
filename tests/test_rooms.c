/// Rooms and doors: lengths equal Dijkstra's over cells, in mazes, on real maps, after changes.
#include "rooms_fixture.h"

/// Compares `sources` x `targets` random pairs of cells, and as many of cells with rooms.
static void compare(throng_rooms *rooms, const throng_map *map, bool diagonal, int sources,
                    int targets, uint64_t seed)
{
    fixture_reference reference = fixture_make_reference(map, rooms, diagonal);
    int cells = reference.width * reference.height;
    for (int i = 0; i < sources; i++) {
        int start = fixture_draw_cell(rooms, cells, &seed);
        fixture_search(&reference, start);
        for (int j = 0; j < targets; j++) {
            throng_rooms_goal goal = {false, fixture_draw_cell(rooms, cells, &seed)};
            throng_rooms_route route = throng_rooms_find(rooms, start, goal);
            uint64_t length = reference.length[goal.index];
            length = length < THRONG_ROOMS_FAR ? length : THRONG_ROOMS_FAR;
            if (route.length != length) {
                fail_msg("from cell %d to cell %d: found %u, expected %u", start, goal.index,
                         route.length, (unsigned)length);
            }
        }
        throng_rooms_goal goal = {true, 1 + fixture_draw(&seed, throng_rooms_count(rooms))};
        uint64_t length = fixture_room_length(&reference, goal.index);
        length = length < THRONG_ROOMS_FAR ? length : THRONG_ROOMS_FAR;
        if (throng_rooms_find(rooms, start, goal).length != length) {
            fail_msg("from cell %d to room %d: expected %u", start, goal.index, (unsigned)length);
        }
    }
    fixture_free_reference(&reference);
}

static void small_mazes_are_exact(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        throng_maze_def def = throng_default_maze_def();
        def.rooms_x = 5 + i;
        def.rooms_y = 9;
        def.room_size = 4 + i % 5;
        def.extra_doors = i % 3 * 35;
        def.obstacles = i % 2 * 20;
        def.seed = (uint64_t)i;
        fixture_maze maze = fixture_make_maze(&def);
        for (int diagonal = 0; diagonal < 2; diagonal++) {
            throng_rooms *rooms = fixture_rooms(maze.map, maze.zones, diagonal, NULL);
            assert_int_equal(throng_rooms_get_report(rooms).pockets, 0);
            compare(rooms, maze.map, diagonal, 20, 50, 7u);
            throng_rooms_destroy(rooms);
            rooms = fixture_rooms(maze.map, NULL, diagonal, NULL);
            compare(rooms, maze.map, diagonal, 20, 50, 8u);
            throng_rooms_destroy(rooms);
        }
        fixture_free_maze(&maze);
    }
}

static void the_large_maze_is_built(void **state)
{
    (void)state;
    throng_maze_def def = throng_default_maze_def();
    throng_jobs *jobs;
    assert_ok(throng_jobs_create(2, &jobs));
    fixture_maze maze = fixture_make_maze(&def);
    throng_rooms *rooms = fixture_rooms(maze.map, maze.zones, false, jobs);
    throng_rooms_report report = throng_rooms_get_report(rooms);
    size_t all = report.zone_bytes + report.inside_bytes + report.graph_bytes +
                 report.hierarchy_bytes + report.row_bytes;
    print_message("%d doors, %d arcs, %d hierarchy arcs, %d rows, %lld runs; zones %zu inside %zu "
                  "graph %zu hierarchy %zu rows %zu scratch %zu, all %.1f MiB; ms: zones %.1f "
                  "inside %.1f order %.1f hierarchy %.1f rows %.1f\n",
                  report.doors, report.arcs, report.hierarchy_arcs, report.rows,
                  (long long)report.runs, report.zone_bytes, report.inside_bytes,
                  report.graph_bytes, report.hierarchy_bytes, report.row_bytes,
                  report.scratch_bytes, (double)all / 1048576.0, report.zone_ms, report.inside_ms,
                  report.order_ms, report.hierarchy_ms, report.row_ms);
    assert_true(all <= (size_t)24 << 20);
    compare(rooms, maze.map, false, 5, 200, 9u);
    throng_rooms_destroy(rooms);
    fixture_free_maze(&maze);
    throng_jobs_destroy(jobs);
}

/// Follows the rows from door to door, and the hierarchy beside them.
static void rows_and_hierarchy_say_the_same(void **state)
{
    (void)state;
    throng_maze_def def = throng_default_maze_def();
    def.rooms_x = def.rooms_y = 20;
    def.extra_doors = 70;
    fixture_maze maze = fixture_make_maze(&def);
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        throng_rooms *rooms = fixture_rooms(maze.map, maze.zones, diagonal, NULL);
        int doors = throng_rooms_door_count(rooms);
        int *fresh = malloc((size_t)doors * (size_t)doors * sizeof *fresh);
        for (int i = 0; i < doors * doors; i++) {
            fresh[i] = throng_rooms_step(rooms, i / doors, i % doors);
        }
        // A change there and back makes all rows stale and nothing different.
        throng_door closed = {.closed = true}, open = {0};
        assert_ok(throng_rooms_set_door(rooms, 11, &closed));
        assert_ok(throng_rooms_set_door(rooms, 11, &open));
        assert_int_equal(throng_rooms_get_report(rooms).stale_rows, doors);
        for (int i = 0; i < doors * doors; i += 3) {
            assert_int_equal(fresh[i], throng_rooms_step(rooms, i / doors, i % doors));
        }
        assert_int_equal(throng_rooms_refresh(rooms, NULL, doors), 0);
        for (int i = 0; i < doors * doors; i++) {
            assert_int_equal(fresh[i], throng_rooms_step(rooms, i / doors, i % doors));
        }
        free(fresh);
        throng_rooms_destroy(rooms);
    }
    fixture_free_maze(&maze);
}

static throng_door drawn_door(const throng_rooms *rooms, int door, uint64_t *seed)
{
    throng_door state = {0};
    int kind = fixture_draw(seed, 5);
    state.closed = kind == 1;
    state.delay = kind == 2 || kind == 3 ? 1 + fixture_draw(seed, 40) : 0;
    if (kind >= 3) {
        state.one_way = throng_rooms_at(rooms, throng_rooms_door_cell(rooms, door));
    }
    return state;
}

/// Lengths of all cells to a door, on thirty cells.
static void compare_lengths(throng_rooms *rooms, int cells, int door, uint64_t *seed)
{
    uint32_t *lengths = malloc((size_t)cells * sizeof *lengths);
    throng_rooms_goal goal = {false, throng_rooms_door_cell(rooms, door)};
    assert_ok(throng_rooms_lengths(rooms, door, lengths));
    for (int i = 0; i < 30; i++) {
        int cell = fixture_draw_cell(rooms, cells, seed);
        assert_int_equal(lengths[cell], throng_rooms_find(rooms, cell, goal).length);
    }
    free(lengths);
}

static void changed_doors_are_exact_at_once(void **state)
{
    (void)state;
    throng_maze_def def = throng_default_maze_def();
    def.rooms_x = def.rooms_y = 9;
    def.extra_doors = 50;
    def.obstacles = 15;
    fixture_maze maze = fixture_make_maze(&def);
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        uint64_t seed = 3;
        throng_rooms *rooms = fixture_rooms(maze.map, maze.zones, diagonal, NULL);
        for (int i = 0; i < 120; i++) {
            int door = fixture_draw(&seed, throng_rooms_door_count(rooms));
            throng_door drawn = drawn_door(rooms, door, &seed);
            assert_ok(throng_rooms_set_door(rooms, door, &drawn));
            compare(rooms, maze.map, diagonal, 1, 50, seed);
            compare_lengths(rooms, maze.width * maze.height, door, &seed);
            if (i % 10 == 0) {
                throng_rooms_refresh(rooms, NULL, 40);
            }
        }
        throng_rooms_destroy(rooms);
    }
    fixture_free_maze(&maze);
}

static void broken_input_is_refused(void **state)
{
    (void)state;
    static const char *const rows[] = {"########", "#AA.BB.#", "#AA#BB##", "########"};
    fixture_maze maze = fixture_drawn(rows, 4);
    throng_rooms_def def = throng_default_rooms_def();
    throng_error error = {0};
    throng_rooms *rooms;
    int joins = 8 + 3, nothing = 8 + 6, wall = 0, room = 9, outside = 32;
    def.zones = maze.zones;
    def.door_cells = &joins;
    def.door_cell_count = 1;
    assert_ok_or(throng_rooms_create(maze.map, 0, &def, &rooms, &error), &error);
    assert_int_equal(throng_rooms_count(rooms), 2);
    throng_rooms_goal goal = {false, 8 + 5};
    assert_int_equal(throng_rooms_find(rooms, 9, goal).length, 4);
    throng_rooms_destroy(rooms);
    def.door_cells = &nothing;
    assert_int_equal(throng_rooms_create(maze.map, 0, &def, &rooms, &error), THRONG_BAD_DATA);
    assert_non_null(strstr(error.text, "6,1 joins nothing"));
    def.door_cells = &wall;
    assert_int_equal(throng_rooms_create(maze.map, 0, &def, &rooms, &error), THRONG_BAD_DATA);
    def.door_cells = &room;
    assert_int_equal(throng_rooms_create(maze.map, 0, &def, &rooms, &error), THRONG_BAD_DATA);
    assert_non_null(strstr(error.text, "lies in room 1"));
    def.door_cells = &outside;
    assert_int_equal(throng_rooms_create(maze.map, 0, &def, &rooms, &error), THRONG_BAD_DATA);
    def.door_cell_count = 0;
    maze.zones[0] = 1;
    assert_int_equal(throng_rooms_create(maze.map, 0, &def, &rooms, &error), THRONG_BAD_DATA);
    assert_non_null(strstr(error.text, "0,0"));
    memset(maze.zones, 0, 32 * sizeof *maze.zones);
    assert_int_equal(throng_rooms_create(maze.map, 0, &def, &rooms, &error), THRONG_BAD_DATA);
    assert_null(rooms);
    def.most_cells = 3;
    assert_int_equal(throng_rooms_create(maze.map, 0, &def, &rooms, &error), THRONG_BAD_ARGUMENT);
    def = throng_default_rooms_def();
    assert_int_equal(throng_rooms_create(maze.map, 1, &def, &rooms, &error), THRONG_BAD_ARGUMENT);
    fixture_free_maze(&maze);
}

static void one_room_and_rooms_in_pieces_are_right(void **state)
{
    (void)state;
    static const char *const one[] = {"AAAAA", "A###A", "AAA#A"};
    fixture_maze maze = fixture_drawn(one, 3);
    throng_rooms *rooms = fixture_rooms(maze.map, maze.zones, false, NULL);
    throng_rooms_goal goal = {false, 12};
    assert_int_equal(throng_rooms_door_count(rooms), 0);
    assert_int_equal(throng_rooms_find(rooms, 14, goal).length, 10);
    assert_int_equal(throng_rooms_find(rooms, 14, goal).first_door, -1);
    throng_rooms_destroy(rooms);
    fixture_free_maze(&maze);
    // A is in two pieces, joined through B; C is a pocket.
    static const char *const pieces[] = {"AABBAA#CC", "AA#B#A#CC"};
    maze = fixture_drawn(pieces, 2);
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        rooms = fixture_rooms(maze.map, maze.zones, diagonal, NULL);
        assert_int_equal(throng_rooms_get_report(rooms).pockets, 1);
        compare(rooms, maze.map, diagonal, 20, 40, 5u);
        throng_rooms_destroy(rooms);
    }
    fixture_free_maze(&maze);
}

static throng_result make_and_destroy(void *context)
{
    throng_rooms_def def = throng_default_rooms_def();
    throng_rooms *rooms;
    throng_result result = throng_rooms_create(context, 0, &def, &rooms, NULL);
    throng_rooms_destroy(rooms);
    return result;
}

static void no_memory_leaves_nothing(void **state)
{
    (void)state;
    throng_maze_def def = throng_default_maze_def();
    def.rooms_x = def.rooms_y = 4;
    fixture_maze maze = fixture_make_maze(&def);
    assert_true(test_every_allocation_fails(make_and_destroy, maze.map) > 20);
    fixture_free_maze(&maze);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(small_mazes_are_exact),
        TEST(rows_and_hierarchy_say_the_same),
        TEST(changed_doors_are_exact_at_once),
        TEST(broken_input_is_refused),
        TEST(one_room_and_rooms_in_pieces_are_right),
        TEST(no_memory_leaves_nothing),
        TEST(the_large_maze_is_built),
    };
    return RUN_TESTS(tests);
}
