/// Bins by size, sleepers, piles: who is near is always found, and who rests costs nothing.
#include "crowd/crowd.h"
#include "crowd_fixture.h"

#define DT (1.0f / 30.0f)

static const throng_goal_id nowhere = {0, 0};

/// Five sizes from 0.2 to 5 m on open ground.
typedef struct sizes {
    throng_map *map;
    throng_crowd *crowd;
} sizes;

static sizes make_sizes(int max_agents)
{
    static const float radii[] = {0.2f, 0.35f, 0.9f, 2.0f, 5.0f};
    sizes made = {0};
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = 120;
    assert_ok(throng_map_create(&map_def, &made.map));
    throng_class_def class_def = throng_default_class_def();
    class_def.radius = 5.0f;
    int class_index;
    assert_ok(throng_map_add_class(made.map, &class_def, &class_index));
    throng_profile_def profiles[5];
    for (int i = 0; i < 5; i++) {
        profiles[i] = throng_default_profile_def();
        profiles[i].radius = radii[i];
    }
    throng_crowd_def def = throng_default_crowd_def();
    def.traffic = 0.0f; // what is looked at here lies on the straight way
    def.map = made.map;
    def.profiles = profiles;
    def.profile_count = 5;
    def.max_agents = max_agents;
    assert_ok(throng_crowd_create(&def, &made.crowd));
    return made;
}

static void end_sizes(sizes *made)
{
    throng_crowd_destroy(made->crowd);
    throng_map_destroy(made->map);
}

static bool is_in(const thg_ranges *ranges, int row)
{
    for (int k = 0; k < ranges->count; k++) {
        if (row >= ranges->begin[k] && row < ranges->end[k]) {
            return true;
        }
    }
    return false;
}

static void whoever_touches_is_in_the_ranges_whatever_the_sizes(void **ignored)
{
    (void)ignored;
    sizes made = make_sizes(3000);
    uint32_t seed = 3;
    for (int i = 0; i < 3000; i++) {
        throng_vec2 place = fixture_random_place(&seed, 6.0f, 114.0f);
        throng_spawn_def spawn = {.position = place, .profile = i % 50 == 0 ? 4 : i % 4};
        assert_ok(throng_crowd_spawn(made.crowd, &spawn, NULL));
    }
    throng_crowd_step(made.crowd, 0.0f);
    thg_stage_bins_run(&(thg_step){made.crowd, DT});
    assert_true(made.crowd->bins.level_count >= 4);
    int touching = 0;
    for (int row = 0; row < 3000; row++) {
        thg_ranges ranges;
        thg_ranges_narrow(made.crowd, made.crowd->derived.bin[row], &ranges);
        assert_true(is_in(&ranges, row));
        for (int other = 0; other < 3000; other++) {
            float dx = made.crowd->columns.x[other] - made.crowd->columns.x[row];
            float dy = made.crowd->columns.y[other] - made.crowd->columns.y[row];
            float reach = made.crowd->derived.radius[other] + made.crowd->derived.radius[row];
            if (dx * dx + dy * dy < reach * reach) {
                touching++;
                assert_true(is_in(&ranges, other));
            }
        }
    }
    assert_true(touching > 6000); // themselves, and as many others
    end_sizes(&made);
}

static void giants_and_small_ones_come_apart(void **ignored)
{
    (void)ignored;
    sizes made = make_sizes(400);
    uint32_t seed = 8;
    for (int i = 0; i < 400; i++) {
        throng_vec2 place = fixture_random_place(&seed, 20.0f, 100.0f);
        throng_spawn_def spawn = {.position = place, .profile = i % 40 == 0 ? 4 : i % 3};
        assert_ok(throng_crowd_spawn(made.crowd, &spawn, NULL));
    }
    for (int i = 0; i < 90; i++) {
        throng_crowd_step(made.crowd, DT);
    }
    throng_agents_view agents = throng_crowd_agents(made.crowd);
    for (int i = 0; i < agents.count; i++) {
        for (int k = 0; k < i; k++) {
            float dx = agents.x[i] - agents.x[k], dy = agents.y[i] - agents.y[k];
            float least = fminf(agents.radius[i], agents.radius[k]);
            float depth = agents.radius[i] + agents.radius[k] - sqrtf(dx * dx + dy * dy);
            assert_true(depth <= 0.2f * least);
        }
    }
    end_sizes(&made);
}

static int count_sleepers(const fixture *world)
{
    int count = 0;
    for (int row = 0; row < world->crowd->agent_count; row++) {
        count += thg_row_is_still(world->crowd, row);
    }
    return count;
}

static void step_for(fixture *world, float seconds)
{
    for (int i = 0; i < (int)(seconds / DT); i++) {
        throng_crowd_step(world->crowd, DT);
    }
}

static fixture make_sleepers(void)
{
    fixture world = fixture_make((fixture_options){
        .width = 80, .height = 80, .max_agents = 200, .no_traffic = true}); // straight through
    for (int i = 0; i < 100; i++) {
        fixture_spawn(&world, 15.0f + (float)(i % 10), 15.0f + (float)(i / 10), 0, nowhere);
    }
    step_for(&world, 3.0f);
    assert_int_equal(count_sleepers(&world), 100);
    return world;
}

static void who_rests_sleeps_and_does_not_move_a_bit(void **ignored)
{
    (void)ignored;
    fixture world = make_sleepers();
    uint64_t before = 0;
    for (int round = 0; round < 2; round++) {
        throng_agents_view agents = throng_crowd_agents(world.crowd);
        uint64_t sum = 0;
        for (int i = 0; i < agents.count; i++) {
            float values[2] = {agents.x[i], agents.y[i]};
            uint64_t bits;
            memcpy(&bits, values, sizeof bits);
            sum += thg_mix64(bits);
            assert_true(agents.vx[i] == 0.0f && agents.vy[i] == 0.0f);
        }
        assert_true(round == 0 || sum == before);
        before = sum;
        step_for(&world, 2.0f);
    }
    fixture_destroy(&world);
}

static void one_who_walks_through_wakes_whom_he_meets_and_they_sleep_again(void **ignored)
{
    (void)ignored;
    fixture world = make_sleepers();
    throng_goal_id goal = fixture_goal(&world, 35.0f, 19.7f);
    throng_agent_id walker = fixture_spawn(&world, 5.0f, 19.7f, 0, goal);
    int least = 100;
    for (int i = 0; i < 30 * 30; i++) {
        throng_crowd_step(world.crowd, DT);
        int sleepers = count_sleepers(&world);
        least = sleepers < least ? sleepers : least;
    }
    assert_true(least < 95 && least > 20); // those near, not all
    int row = throng_crowd_find(world.crowd, walker);
    assert_int_equal(throng_crowd_agents(world.crowd).status[row], THRONG_ARRIVED);
    step_for(&world, 15.0f);
    assert_int_equal(count_sleepers(&world), 101);
    fixture_destroy(&world);
}

static void an_order_and_a_wall_wake_a_sleeper(void **ignored)
{
    (void)ignored;
    fixture world = make_sleepers();
    throng_agents_view agents = throng_crowd_agents(world.crowd);
    throng_agent_id one = agents.id[0];
    assert_ok(throng_crowd_order(world.crowd, one, fixture_goal(&world, 5.0f, 5.0f)));
    step_for(&world, 0.5f);
    int row = throng_crowd_find(world.crowd, one);
    assert_false(thg_row_is_still(world.crowd, row));
    step_for(&world, 20.0f);
    row = throng_crowd_find(world.crowd, one);
    assert_true(thg_row_is_still(world.crowd, row));
    assert_near(throng_crowd_agents(world.crowd).x[row], 5.0f, 0.6f);

    assert_ok(throng_crowd_edit_rect(world.crowd, (throng_cell_rect){30, 30, 10, 10}, THRONG_WALL));
    step_for(&world, 0.1f);
    assert_true(count_sleepers(&world) < 100);
    fixture_check_invariants(&world);
    fixture_destroy(&world);
}

static void one_who_is_cut_off_wakes_when_the_wall_goes(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make((fixture_options){.width = 80, .height = 80, .max_agents = 4});
    throng_cell_rect wall = {40, 0, 2, 80};
    assert_ok(throng_map_edit_rect(world.map, wall, THRONG_WALL));
    throng_agent_id one = fixture_spawn(&world, 5.0f, 5.0f, 0, fixture_goal(&world, 35.0f, 5.0f));
    step_for(&world, 3.0f);
    int row = throng_crowd_find(world.crowd, one);
    assert_int_equal(throng_crowd_agents(world.crowd).status[row], THRONG_CUT_OFF);
    assert_true(thg_row_is_still(world.crowd, row));
    assert_ok(throng_crowd_edit_rect(world.crowd, wall, THRONG_GROUND));
    step_for(&world, 30.0f);
    row = throng_crowd_find(world.crowd, one);
    assert_int_equal(throng_crowd_agents(world.crowd).status[row], THRONG_ARRIVED);
    fixture_destroy(&world);
}

static void twenty_thousand_on_one_point_come_apart(void **ignored)
{
    (void)ignored;
    fixture world =
        fixture_make((fixture_options){.width = 800, .height = 800, .max_agents = 20000});
    for (int i = 0; i < 20000; i++) {
        fixture_spawn(&world, 200.0f, 200.0f, 0, nowhere);
    }
    throng_crowd_step(world.crowd, DT);
    float widest[2] = {0.0f, 0.0f};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 5; i++) {
            throng_crowd_step(world.crowd, DT);
        }
        throng_agents_view agents = throng_crowd_agents(world.crowd);
        for (int i = 0; i < agents.count; i++) {
            assert_true(agents.x[i] - agents.x[i] == 0.0f && agents.y[i] - agents.y[i] == 0.0f);
            widest[round] = fmaxf(widest[round], fabsf(agents.x[i] - 200.0f));
        }
    }
    assert_true(widest[0] > 5.0f && widest[1] > widest[0]);
    fixture_destroy(&world);
}

static void small_steps_far_from_the_origin_add_up(void **ignored)
{
    (void)ignored;
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = 60;
    map_def.origin = (throng_vec2){1e5f, 0.0f};
    throng_map *map = NULL;
    assert_ok(throng_map_create(&map_def, &map));
    throng_class_def class_def = throng_default_class_def();
    int class_index;
    assert_ok(throng_map_add_class(map, &class_def, &class_index));
    throng_profile_def profile = throng_default_profile_def();
    throng_crowd_def def = throng_default_crowd_def();
    def.map = map;
    def.profiles = &profile;
    def.profile_count = 1;
    fixture world = {.map = map};
    assert_ok(throng_crowd_create(&def, &world.crowd));
    throng_goal_id goal = fixture_goal(&world, 1e5f + 50.0f, 30.0f);
    throng_agent_id one = fixture_spawn(&world, 1e5f + 10.0f, 30.0f, 0, goal);
    for (int i = 0; i < 60 * 5; i++) { // 8 m/s^2 x (1/60 s)^2 is 2 mm; a float there has 8
        throng_crowd_step(world.crowd, 1.0f / 60.0f);
    }
    int row = throng_crowd_find(world.crowd, one);
    float gone = throng_crowd_agents(world.crowd).x[row] - (1e5f + 10.0f);
    print_message("%.2f m in 5 s at 2 m/s\n", (double)gone);
    assert_true(gone > 7.0f && gone < 11.0f);
    fixture_destroy(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(whoever_touches_is_in_the_ranges_whatever_the_sizes),
        TEST(giants_and_small_ones_come_apart),
        TEST(who_rests_sleeps_and_does_not_move_a_bit),
        TEST(one_who_walks_through_wakes_whom_he_meets_and_they_sleep_again),
        TEST(an_order_and_a_wall_wake_a_sleeper),
        TEST(one_who_is_cut_off_wakes_when_the_wall_goes),
        TEST(twenty_thousand_on_one_point_come_apart),
        TEST(small_steps_far_from_the_origin_add_up),
    };
    return RUN_TESTS(tests);
}
