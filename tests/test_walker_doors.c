/// Doors that change under walkers: each step is one on a shortest way, and what old rows still say
/// is what new ones would.
#include "rooms/walkers.h"
#include "walkers_fixture.h"

static void doors_change_under_walkers(void **state)
{
    (void)state;
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        throng_maze_def def = throng_default_maze_def();
        def.rooms_x = def.rooms_y = 12;
        def.extra_doors = 60;
        walk made = make_walk(&def, diagonal, 400, false, NULL);
        uint64_t seed = 77, *walked = calloc(400, sizeof *walked);
        throng_walkers_view view = throng_walkers_get_view(made.walkers);
        uint32_t *left = malloc(400 * sizeof *left);
        for (int i = 0; i < 60; i++) {
            int door = fixture_draw(&seed, throng_rooms_door_count(made.rooms));
            throng_door change = {.closed = fixture_draw(&seed, 2) == 0};
            change.delay = change.closed ? 0 : fixture_draw(&seed, 3) * 5;
            assert_ok(throng_walkers_set_door(made.walkers, NULL, door, &change));
            // Two steps on, everybody who moves is two steps nearer to the goal on a shortest way.
            // Delays are no steps: the length left tells.
            for (int step = 0; step < 6; step++) {
                for (int k = 0; k < 400; k++) {
                    left[k] =
                        throng_rooms_find(made.rooms, (int)view.cells[k], made.goals[view.ids[k]])
                            .length;
                }
                uint32_t last[400];
                memcpy(last, view.cells, sizeof last);
                throng_walkers_step(made.walkers, NULL);
                for (int k = 0; k < 400; k++) {
                    if (view.cells[k] == last[k]) {
                        continue;
                    }
                    uint32_t now =
                        throng_rooms_find(made.rooms, (int)view.cells[k], made.goals[view.ids[k]])
                            .length;
                    int entered = throng_rooms_door_at(made.rooms, (int)view.cells[k]);
                    uint32_t unit = diagonal ? THRONG_ROOMS_STRAIGHT : 1u, step_length = unit;
                    if ((int)view.cells[k] % made.maze.width != (int)last[k] % made.maze.width &&
                        (int)view.cells[k] / made.maze.width != (int)last[k] / made.maze.width) {
                        step_length = THRONG_ROOMS_DIAGONAL;
                    }
                    if (entered >= 0) {
                        step_length +=
                            unit * (uint32_t)throng_rooms_get_door(made.rooms, entered).delay;
                    }
                    assert_int_equal(left[k], now + step_length);
                }
            }
            throng_rooms_refresh(made.rooms, NULL, fixture_draw(&seed, 80));
        }
        free(left);
        free(walked);
        free_walk(&made);
    }
}

/// A random state of a door: mostly as others are, now and then slow or one-way.
static throng_door draw_state(const throng_rooms *rooms, int door, uint64_t *seed)
{
    throng_door state = {.closed = fixture_draw(seed, 2) == 0};
    int kind = fixture_draw(seed, 8);
    state.delay = kind == 0 ? 1 + fixture_draw(seed, 9) : 0;
    state.one_way = kind == 1 ? throng_rooms_at(rooms, throng_rooms_door_cell(rooms, door)) : 0;
    return state;
}

/// Changes doors all the while, most of them there and back, and steps; `rows` are rebuilt a step.
static uint64_t hash_with_rows(bool diagonal, bool to_rooms, int rows)
{
    throng_maze_def def = throng_default_maze_def();
    def.rooms_x = def.rooms_y = 14;
    def.extra_doors = 40;
    walk made = make_walk(&def, diagonal, 3000, to_rooms, NULL);
    throng_walkers_destroy(made.walkers);
    throng_walkers_def walkers_def = throng_default_walkers_def();
    walkers_def.cells = made.starts;
    walkers_def.count = made.count;
    walkers_def.most_plans = 1 << 16; // nobody waits
    assert_ok(throng_walkers_create(made.rooms, &walkers_def, &made.walkers));
    assert_ok(throng_walkers_set_goals(made.walkers, NULL, 0, made.count, made.goals));
    uint64_t seed = 21;
    int last = 0;
    for (int step = 0; step < 150; step++) {
        if (step % 3 == 0) {
            bool back = step % 2 == 1;
            int door = back ? last : fixture_draw(&seed, throng_rooms_door_count(made.rooms));
            throng_door state = back ? (throng_door){0} : draw_state(made.rooms, door, &seed);
            assert_ok(throng_walkers_set_door(made.walkers, NULL, door, &state));
            last = door;
        }
        throng_walkers_summary sum = throng_walkers_step(made.walkers, NULL);
        assert_int_equal(sum.waiting, 0);
        throng_rooms_refresh(made.rooms, NULL, rows);
    }
    uint64_t hash = throng_walkers_hash(made.walkers);
    free_walk(&made);
    return hash;
}

static void it_does_not_show_when_rows_are_rebuilt(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        uint64_t hash = hash_with_rows(kind & 1, kind >> 1, 0);
        assert_true(hash == hash_with_rows(kind & 1, kind >> 1, 9));
        assert_true(hash == hash_with_rows(kind & 1, kind >> 1, 1 << 16));
    }
}

/// First steps from every door to every other, as the doors are.
static void all_steps(throng_rooms *rooms, int *steps)
{
    int doors = throng_rooms_door_count(rooms);
    for (int i = 0; i < doors * doors; i++) {
        steps[i] = throng_rooms_step(rooms, i / doors, i % doors);
    }
}

static uint32_t length_between(throng_rooms *rooms, uint32_t from, uint32_t to)
{
    thg_seed start = {from, 0, 0}, end = {to, 0, 0};
    return thg_search_ways(rooms, &rooms->searches[0], &start, 1, &end, 1).length;
}

/// All pairs of doors that the changes spare: the row of back then says what is right today.
static int check_spared(walk *made, int *const *steps, uint32_t ages)
{
    throng_rooms *rooms = made->rooms;
    uint32_t doors = rooms->door_count;
    int spared = 0;
    for (uint32_t pair = 0; pair < doors * doors; pair += 3) {
        uint32_t from = pair / doors, to = pair % doors;
        uint32_t length = length_between(rooms, from, to);
        for (uint32_t age = 1; age <= ages && from != to && length < THG_FAR; age++) {
            if (thg_changes_spare(&made->walkers->changes, rooms, rooms->version - age, from, to,
                                  length + 5, 5)) {
                assert_int_equal(steps[ages - age][pair], steps[ages][pair]);
                spared += steps[ages - 1][pair] == steps[ages][pair];
            }
        }
    }
    return spared;
}

static void rows_that_changes_spare_are_right(void **state)
{
    (void)state;
    enum { CHANGES = 24 };
    throng_maze_def def = throng_default_maze_def();
    def.rooms_x = def.rooms_y = 6;
    def.extra_doors = 60;
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        walk made = make_walk(&def, diagonal, 10, false, NULL);
        int doors = throng_rooms_door_count(made.rooms), *steps[CHANGES + 1];
        uint64_t seed = 4;
        int64_t spared = 0, asked = 0;
        for (int i = 0; i <= CHANGES; i++) {
            steps[i] = malloc((size_t)doors * (size_t)doors * sizeof *steps[i]);
        }
        all_steps(made.rooms, steps[0]);
        for (int i = 1; i <= CHANGES; i++) {
            uint32_t version = made.rooms->version;
            while (made.rooms->version == version) { // until one makes a difference
                int door = i % 3 == 2 ? (int)made.walkers->changes.ring[version % THG_CHANGES].door
                                      : fixture_draw(&seed, doors);
                throng_door drawn =
                    i % 3 == 2 ? (throng_door){0} : draw_state(made.rooms, door, &seed);
                if (i % 3 == 2 && made.rooms->doors[door].delay == 0 &&
                    !made.rooms->doors[door].closed && made.rooms->doors[door].one_way == 0) {
                    drawn.closed = true;
                }
                assert_ok(throng_walkers_set_door(made.walkers, NULL, door, &drawn));
            }
            all_steps(made.rooms, steps[i]);
            spared += check_spared(&made, steps, (uint32_t)i);
            asked += (int64_t)doors * doors / 3 * i;
        }
        print_message("%d neighbours: %d %% of the old rows' answers are spared\n",
                      diagonal ? 8 : 4, (int)(spared * 100 / asked));
        assert_true(spared * 4 > asked);
        for (int i = 0; i <= CHANGES; i++) {
            free(steps[i]);
        }
        free_walk(&made);
    }
}

/// A door that closes and opens again before anybody planned anew leaves no trace.
static void who_waits_goes_on_when_the_door_opens_again(void **state)
{
    (void)state;
    throng_maze_def def = throng_default_maze_def();
    def.rooms_x = def.rooms_y = 10;
    def.extra_doors = 0; // every door is the only way for somebody
    walk made = make_walk(&def, false, 2000, false, NULL);
    throng_walkers_destroy(made.walkers);
    throng_walkers_def walkers_def = throng_default_walkers_def();
    walkers_def.cells = made.starts;
    walkers_def.count = made.count;
    walkers_def.most_plans = 1;
    assert_ok(throng_walkers_create(made.rooms, &walkers_def, &made.walkers));
    assert_ok(throng_walkers_set_goals(made.walkers, NULL, 0, made.count, made.goals));
    throng_rooms_goal corner = {false, (made.maze.width - 2) * (made.maze.width + 1)};
    int door = throng_rooms_find(made.rooms, made.maze.width + 1, corner).first_door;
    throng_door closed = {.closed = true}, open = {0};
    throng_walkers_step(made.walkers, NULL);
    assert_ok(throng_walkers_set_door(made.walkers, NULL, door, &closed));
    throng_walkers_summary sum = throng_walkers_step(made.walkers, NULL);
    int waiting = sum.waiting;
    assert_true(waiting > 5);
    assert_ok(throng_walkers_set_door(made.walkers, NULL, door, &open));
    sum = throng_walkers_step(made.walkers, NULL);
    assert_true(sum.waiting <= 1);
    assert_int_equal(sum.unreachable + sum.walking + sum.arrived, made.count);
    for (int step = 0; step < 2000 && sum.walking > 0; step++) {
        sum = throng_walkers_step(made.walkers, NULL);
    }
    assert_int_equal(sum.arrived, made.count);
    free_walk(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(doors_change_under_walkers),
        TEST(it_does_not_show_when_rows_are_rebuilt),
        TEST(rows_that_changes_spare_are_right),
        TEST(who_waits_goes_on_when_the_door_opens_again),
    };
    return RUN_TESTS(tests);
}
