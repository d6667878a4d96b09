/// Walkers: walked lengths are the shortest; threads; statuses; one walker a cell.
#include "walkers_fixture.h"

/// Steps until nobody walks; adds up what each walked, and that each step is one.
static void walk_all(walk *made, throng_jobs *jobs, uint64_t *walked)
{
    throng_walkers_view view = throng_walkers_get_view(made->walkers);
    uint32_t *last = malloc((size_t)made->count * sizeof *last);
    int width = made->maze.width;
    for (int steps = 0; steps < 100000; steps++) {
        memcpy(last, view.cells, (size_t)made->count * sizeof *last);
        throng_walkers_summary sum = throng_walkers_step(made->walkers, jobs);
        for (int i = 0; i < made->count; i++) {
            int dx = abs((int)view.cells[i] % width - (int)last[i] % width);
            int dy = abs((int)view.cells[i] / width - (int)last[i] / width);
            assert_true(dx <= 1 && dy <= 1 && (made->diagonal || dx + dy <= 1));
            walked[view.ids[i]] += !made->diagonal ? (uint64_t)(dx + dy)
                                   : dx + dy == 2  ? THRONG_ROOMS_DIAGONAL
                                   : dx + dy == 1  ? THRONG_ROOMS_STRAIGHT
                                                   : 0u;
        }
        if (sum.walking == 0) {
            break;
        }
    }
    free(last);
}

static void check_ends(const walk *made)
{
    throng_walkers_view view = throng_walkers_get_view(made->walkers);
    for (int i = 0; i < made->count; i++) {
        throng_rooms_goal goal = made->goals[view.ids[i]];
        assert_int_equal(view.statuses[i], THRONG_WALKER_ARRIVED);
        assert_int_equal(goal.is_room ? throng_rooms_at(made->rooms, (int)view.cells[i])
                                      : (int)view.cells[i],
                         goal.index);
    }
}

static void check_lengths(throng_maze_def def, bool diagonal, int count, bool to_rooms)
{
    walk made = make_walk(&def, diagonal, count, to_rooms, NULL);
    uint64_t *walked = calloc((size_t)count, sizeof *walked);
    uint32_t *wanted = malloc((size_t)count * sizeof *wanted);
    for (int i = 0; i < count; i++) {
        wanted[i] = throng_rooms_find(made.rooms, made.starts[i], made.goals[i]).length;
    }
    walk_all(&made, NULL, walked);
    check_ends(&made);
    for (int i = 0; i < count; i++) {
        if (walked[i] != wanted[i]) {
            fail_msg("walker %d walked %u, the shortest way is %u", i, (unsigned)walked[i],
                     wanted[i]);
        }
    }
    free(wanted);
    free(walked);
    free_walk(&made);
}

/// The lengths that throng_rooms_find gives are Dijkstra's (test_rooms.c), so these are too.
static void walked_lengths_are_the_shortest(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        throng_maze_def def = throng_default_maze_def();
        def.rooms_x = 12;
        def.rooms_y = 10;
        def.room_size = i < 4 ? 8 : 40; // legs longer than one word
        def.extra_doors = 10 + 20 * i;
        def.obstacles = i % 2 * 25;
        // With few rooms, the second is planned by sweeps.
        check_lengths(def, i & 1, i < 4 ? 3000 : 400, (i >> 1) & 1);
    }
}

static void closed_in_walkers_are_told_and_go_on(void **state)
{
    (void)state;
    static const char *const rows[] = {"AAA#BBB", "AAAABBB", "AAA#BBB"};
    fixture_maze maze = fixture_drawn(rows, 3);
    throng_rooms *rooms = fixture_rooms(maze.map, maze.zones, false, NULL);
    throng_walkers_def def = throng_default_walkers_def();
    throng_walkers *walkers;
    int start = 0;
    throng_rooms_goal goal = {false, 6};
    throng_door closed = {.closed = true}, open = {0};
    def.cells = &start;
    def.count = 1;
    assert_ok(throng_walkers_create(rooms, &def, &walkers));
    assert_ok(throng_walkers_set_goals(walkers, NULL, 0, 1, &goal));
    throng_walkers_view view = throng_walkers_get_view(walkers);
    assert_int_equal(throng_walkers_step(walkers, NULL).walking, 1);
    int door = throng_rooms_door_at(rooms, 10);
    assert_true(door >= 0);
    assert_ok(throng_walkers_set_door(walkers, NULL, door, &closed));
    assert_int_equal(throng_walkers_step(walkers, NULL).unreachable, 1);
    uint32_t cell = view.cells[0];
    assert_int_equal(throng_walkers_step(walkers, NULL).moved, 0);
    assert_int_equal(view.cells[0], cell);
    assert_ok(throng_walkers_set_door(walkers, NULL, door, &open));
    for (int i = 0; i < 12; i++) {
        throng_walkers_step(walkers, NULL);
    }
    assert_int_equal(view.statuses[0], THRONG_WALKER_ARRIVED);
    assert_int_equal(view.cells[0], 6);
    // A new goal in the same room, and one that is no cell.
    goal.index = 6 + 14;
    assert_ok(throng_walkers_set_goals(walkers, NULL, 0, 1, &goal));
    for (int i = 0; i < 4; i++) {
        throng_walkers_step(walkers, NULL);
    }
    assert_int_equal(view.cells[0], 20);
    goal.index = 21;
    assert_int_equal(throng_walkers_set_goals(walkers, NULL, 0, 1, &goal), THRONG_BAD_ARGUMENT);
    throng_walkers_destroy(walkers);
    throng_rooms_destroy(rooms);
    fixture_free_maze(&maze);
}

static uint64_t hash_with_threads(int threads)
{
    throng_jobs *jobs;
    throng_maze_def def = throng_default_maze_def();
    def.rooms_x = def.rooms_y = 16;
    assert_ok(throng_jobs_create(threads, &jobs));
    walk made = make_walk(&def, true, 20000, false, jobs);
    uint64_t seed = 1;
    for (int i = 0; i < 60; i++) {
        if (i % 10 == 5) {
            throng_door change = {.closed = i % 20 == 5};
            int door = fixture_draw(&seed, throng_rooms_door_count(made.rooms));
            assert_ok(throng_walkers_set_door(made.walkers, jobs, door, &change));
        }
        throng_walkers_step(made.walkers, jobs);
        throng_rooms_refresh(made.rooms, jobs, 32);
    }
    uint64_t hash = throng_walkers_hash(made.walkers);
    free_walk(&made);
    throng_jobs_destroy(jobs);
    return hash;
}

static void any_number_of_threads_gives_one_hash(void **state)
{
    (void)state;
    uint64_t hash = hash_with_threads(1);
    assert_true(hash == hash_with_threads(2));
    assert_true(hash == hash_with_threads(5));
}

static void a_step_allocates_nothing(void **state)
{
    (void)state;
    throng_maze_def def = throng_default_maze_def();
    def.rooms_x = def.rooms_y = 8;
    walk made = make_walk(&def, false, 500, false, NULL);
    uint64_t before = throng_allocation_count();
    throng_door closed = {.closed = true};
    assert_ok(throng_walkers_set_door(made.walkers, NULL, 3, &closed));
    for (int i = 0; i < 50; i++) {
        throng_walkers_step(made.walkers, NULL);
        throng_rooms_refresh(made.rooms, NULL, 10);
    }
    assert_true(throng_allocation_count() == before);
    free_walk(&made);
}

// ---- One walker a cell -------------------------------------------------------------------------

/// Corridors of one cell, every `pitch` cells, over the whole map: no dead ends.
static throng_map *make_corridors(int width, int height, int pitch)
{
    uint8_t *terrain = calloc((size_t)width * (size_t)height, 1);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            terrain[y * width + x] = x % pitch == 0 || y % pitch == 0 ? THRONG_GROUND : THRONG_WALL;
        }
    }
    throng_map *map = fixture_map(terrain, width, height);
    free(terrain);
    return map;
}

/// Steps until all have arrived; no two in one cell, no two change places. Returns the steps.
static int walk_crowded(throng_map *map, const int *starts, const throng_rooms_goal *goals,
                        int count, bool come_back, int most_steps)
{
    int width = throng_map_width(map), cells = width * throng_map_height(map), steps = 0;
    throng_rooms_def def = throng_default_rooms_def();
    throng_walkers_def walkers_def = throng_default_walkers_def();
    throng_rooms *rooms;
    throng_walkers *walkers;
    def.most_cells = 64;
    assert_ok(throng_rooms_create(map, 0, &def, &rooms, NULL));
    walkers_def.cells = starts;
    walkers_def.count = count;
    walkers_def.one_per_cell = true;
    walkers_def.come_back = come_back;
    assert_ok(throng_walkers_create(rooms, &walkers_def, &walkers));
    assert_ok(throng_walkers_set_goals(walkers, NULL, 0, count, goals));
    throng_walkers_view view = throng_walkers_get_view(walkers);
    int *who = malloc((size_t)cells * sizeof *who), *before = malloc((size_t)cells * sizeof *who);
    memset(before, 0xff, (size_t)cells * sizeof *before);
    for (int i = 0; i < count; i++) {
        before[view.cells[i]] = i;
    }
    throng_walkers_summary sum = {0};
    for (; steps < most_steps && sum.arrived < count; steps++) {
        uint32_t *last = malloc((size_t)count * sizeof *last);
        memcpy(last, view.cells, (size_t)count * sizeof *last);
        sum = throng_walkers_step(walkers, NULL);
        memset(who, 0xff, (size_t)cells * sizeof *who);
        for (int i = 0; i < count; i++) {
            assert_int_equal(who[view.cells[i]], -1);
            who[view.cells[i]] = i;
            int other = before[view.cells[i]];
            assert_false(other >= 0 && other != i && view.cells[other] == last[i]);
        }
        memcpy(before, who, (size_t)cells * sizeof *who);
        free(last);
    }
    print_message("%d of %d arrived after %d steps\n", sum.arrived, count, steps);
    assert_int_equal(sum.arrived, count);
    for (int i = 0; i < count && come_back; i++) {
        assert_int_equal(view.cells[i], goals[view.ids[i]].index);
    }
    free(who);
    free(before);
    throng_walkers_destroy(walkers);
    throng_rooms_destroy(rooms);
    return steps;
}

static void sixty_four_in_a_loop_arrive(void **state)
{
    (void)state;
    enum { SIDE = 20, RING = 4 * (SIDE - 1) };
    uint8_t terrain[SIDE * SIDE] = {0};
    int ring[RING], starts[64];
    throng_rooms_goal goals[64];
    for (int i = 0; i < SIDE - 1; i++) {
        ring[i] = i;
        ring[SIDE - 1 + i] = i * SIDE + SIDE - 1;
        ring[2 * (SIDE - 1) + i] = (SIDE - 1) * SIDE + SIDE - 1 - i;
        ring[3 * (SIDE - 1) + i] = (SIDE - 1 - i) * SIDE;
    }
    for (int i = 0; i < RING; i++) {
        terrain[ring[i]] = THRONG_GROUND;
    }
    throng_map *map = fixture_map(terrain, SIDE, SIDE);
    for (int i = 0; i < 64; i++) {
        starts[i] = ring[i];
        // Half of them want to go one way round, half the other.
        goals[i] = (throng_rooms_goal){false, ring[(i + (i % 2 == 0 ? 20 : RING - 20)) % RING]};
    }
    walk_crowded(map, starts, goals, 64, false, 20000);
    throng_map_destroy(map);
}

static void two_files_meeting_head_on_resolve(void **state)
{
    (void)state;
    enum { WIDTH = 41, HEIGHT = 21, FILE_LENGTH = 16 };
    throng_map *map = make_corridors(WIDTH, HEIGHT, 4);
    int starts[2 * FILE_LENGTH];
    throng_rooms_goal goals[2 * FILE_LENGTH];
    for (int i = 0; i < FILE_LENGTH; i++) {
        int row = 8 * WIDTH;
        starts[i] = row + i;
        goals[i] = (throng_rooms_goal){false, row + WIDTH - FILE_LENGTH + i};
        starts[FILE_LENGTH + i] = row + WIDTH - FILE_LENGTH + i;
        goals[FILE_LENGTH + i] = (throng_rooms_goal){false, row + i};
    }
    walk_crowded(map, starts, goals, 2 * FILE_LENGTH, false, 5000);
    throng_map_destroy(map);
}

/// Each has a goal of its own and may be in the way there: in the end all stand on theirs at once.
static void who_made_way_comes_back(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    throng_maze_def def = throng_default_maze_def();
    def.rooms_x = def.rooms_y = 5;
    def.extra_doors = 60;
    fixture_maze maze = fixture_make_maze(&def);
    int starts[COUNT], cells = maze.width * maze.height;
    uint8_t *taken = calloc((size_t)cells, 1);
    throng_rooms_goal goals[COUNT];
    uint64_t seed = 3;
    for (int i = 0; i < 2 * COUNT; i++) {
        int cell, bit = i < COUNT ? 1 : 2;
        do {
            cell = fixture_draw(&seed, cells);
        } while (maze.zones[cell] == 0 || (taken[cell] & bit) != 0);
        taken[cell] |= (uint8_t)bit;
        if (i < COUNT) {
            starts[i] = cell;
        } else {
            goals[i - COUNT] = (throng_rooms_goal){false, cell};
        }
    }
    free(taken);
    walk_crowded(maze.map, starts, goals, COUNT, true, 5000);
    fixture_free_maze(&maze);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(walked_lengths_are_the_shortest),
        TEST(closed_in_walkers_are_told_and_go_on),
        TEST(any_number_of_threads_gives_one_hash),
        TEST(a_step_allocates_nothing),
        TEST(sixty_four_in_a_loop_arrive),
        TEST(two_files_meeting_head_on_resolve),
        TEST(who_made_way_comes_back),
    };
    return RUN_TESTS(tests);
}
