/// Congested doors: queues make doors slow, and part of the walkers takes another.
#include "rooms_fixture.h"

enum { WIDTH = 41, HEIGHT = 31, COUNT = 160, NEAR = 4, FAR = 26 };

/// Two rooms with a wall between them that has two gaps, one of them near to all who start.
static fixture_maze two_doors(void)
{
    uint8_t terrain[WIDTH * HEIGHT];
    fixture_maze maze = {NULL, calloc(WIDTH * HEIGHT, sizeof(uint16_t)), WIDTH, HEIGHT};
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int x = i % WIDTH, y = i / WIDTH;
        bool wall = x == WIDTH / 2 && y != NEAR && y != FAR;
        terrain[i] = wall ? THRONG_WALL : THRONG_GROUND;
        maze.zones[i] = wall ? 0 : x <= WIDTH / 2 ? 1 : 2;
    }
    maze.map = fixture_map(terrain, WIDTH, HEIGHT);
    return maze;
}

/// Steps until all who start at the upper left stand at the upper right.
static int steps_needed(const fixture_maze *maze, int every, int *used_far)
{
    throng_rooms *rooms = fixture_rooms(maze->map, maze->zones, false, NULL);
    throng_walkers_def def = throng_default_walkers_def();
    throng_walkers *walkers;
    int starts[COUNT], steps = 0, far = FAR * WIDTH + WIDTH / 2;
    throng_rooms_goal goals[COUNT];
    for (int i = 0; i < COUNT; i++) {
        starts[i] = i / 16 * WIDTH + i % 16;
        goals[i] = (throng_rooms_goal){false, i / 16 * WIDTH + WIDTH - 1 - i % 16};
    }
    def.cells = starts;
    def.count = COUNT;
    def.one_per_cell = true;
    assert_ok(throng_walkers_create(rooms, &def, &walkers));
    assert_ok(throng_walkers_set_goals(walkers, NULL, 0, COUNT, goals));
    uint64_t before = throng_allocation_count();
    throng_walkers_view view = throng_walkers_get_view(walkers);
    throng_walkers_summary sum = {0};
    *used_far = 0;
    while (sum.arrived < COUNT && steps < 5000) {
        sum = throng_walkers_step(walkers, NULL);
        steps++;
        if (every > 0 && steps % every == 0) {
            assert_true(throng_walkers_congest(walkers, NULL, 8) <= 2);
        }
        for (int i = 0; i < COUNT; i++) {
            *used_far += (int)view.cells[i] == far;
        }
    }
    assert_int_equal(sum.arrived, COUNT);
    // When all have gone, the doors are as quick as they were, but for what is no longer worth it.
    for (int i = 0; i < 20 && every > 0; i++) {
        throng_walkers_step(walkers, NULL);
        throng_walkers_congest(walkers, NULL, 8);
    }
    for (int door = 0; door < throng_rooms_door_count(rooms); door++) {
        assert_true(throng_rooms_get_door(rooms, door).delay <= 7);
    }
    assert_true(throng_allocation_count() == before);
    throng_walkers_destroy(walkers);
    throng_rooms_destroy(rooms);
    return steps;
}

static void queues_send_part_of_the_walkers_elsewhere(void **state)
{
    (void)state;
    fixture_maze maze = two_doors();
    int far, none, plain = steps_needed(&maze, 0, &none), congested = steps_needed(&maze, 5, &far);
    print_message("%d steps through one door, %d where queues count: %d and %d at the far door\n",
                  plain, congested, none, far);
    assert_true(far > COUNT / 8 && far > 4 * none); // some are pushed there
    assert_true(congested * 10 < plain * 9);
    fixture_free_maze(&maze);
}

static void without_queues_no_door_changes(void **state)
{
    (void)state;
    fixture_maze maze = two_doors();
    throng_rooms *rooms = fixture_rooms(maze.map, maze.zones, false, NULL);
    throng_walkers_def def = throng_default_walkers_def();
    int starts[2] = {0, 5};
    throng_rooms_goal goals[2] = {{true, 2}, {true, 2}};
    def.cells = starts;
    def.count = 2;
    for (int one = 0; one < 2; one++) {
        throng_walkers *walkers;
        def.one_per_cell = one;
        assert_ok(throng_walkers_create(rooms, &def, &walkers));
        assert_int_equal(throng_walkers_congest(walkers, NULL, 8), 0); // before any step
        assert_ok(throng_walkers_set_goals(walkers, NULL, 0, 2, goals));
        for (int i = 0; i < 40; i++) {
            throng_walkers_step(walkers, NULL);
            assert_int_equal(throng_walkers_congest(walkers, NULL, 8), 0);
        }
        assert_int_equal(throng_walkers_step(walkers, NULL).arrived, 2);
        throng_walkers_destroy(walkers);
    }
    throng_rooms_destroy(rooms);
    fixture_free_maze(&maze);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(queues_send_part_of_the_walkers_elsewhere),
        TEST(without_queues_no_door_changes),
    };
    return RUN_TESTS(tests);
}
