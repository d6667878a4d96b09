/// The crowd at its edges: goals in odd places, worlds shared, things ended while they are in use.
#include "crowd_fixture.h"

#define DT (1.0f / 30.0f)

static const fixture_options small = {.width = 80, .height = 80, .max_agents = 300};
static const throng_goal_id no_goal = {0, 0};

static void run(const fixture *world, int steps)
{
    for (int i = 0; i < steps; i++) {
        throng_crowd_step(world->crowd, DT);
        fixture_check_invariants(world);
    }
}

static throng_goal_id add(fixture *world, const throng_goal_shape *shape, bool removes)
{
    throng_goal_def def = throng_default_goal_def();
    def.shape = *shape;
    def.remove_on_arrival = removes;
    throng_goal_id goal = {0, 0};
    assert_ok(throng_crowd_add_goal(world->crowd, &def, &goal));
    return goal;
}

static int status_of(const fixture *world, throng_agent_id agent)
{
    return throng_crowd_agents(world->crowd).status[throng_crowd_find(world->crowd, agent)];
}

static void goals_outside_the_map_or_without_parts_cut_off(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(small);
    throng_goal_shape shape = throng_default_goal_shape();
    throng_goal_id nothing = add(&world, &shape, false);
    throng_rect far = {{1000.0f, 1000.0f}, {1010.0f, 1010.0f}};
    shape.rects = &far;
    shape.rect_count = 1;
    throng_goal_id outside = add(&world, &shape, true);
    throng_agent_id a = fixture_spawn(&world, 10.0f, 10.0f, 0, nothing);
    throng_agent_id b = fixture_spawn(&world, 20.0f, 10.0f, 0, outside);
    run(&world, 30);
    assert_int_equal(status_of(&world, a), THRONG_CUT_OFF);
    assert_int_equal(status_of(&world, b), THRONG_CUT_OFF);
    fixture_destroy(&world);
}

/// Where a lane leaves no circle the crowd stands in line, quietly, and nobody is told he is stuck.
static void in_a_lane_they_stand_in_line(void **ignored)
{
    (void)ignored;
    for (int cells = 3; cells <= 5; cells++) { // 1.5 to 2.5 m wide
        fixture world = fixture_make(small);
        assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){0, 0, 60, 80}, THRONG_WALL));
        assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){10, 40, 50, cells}, 1));
        assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){10, 20, cells, 20}, 1));
        throng_goal_id goal = fixture_goal(&world, 5.5f, 10.5f); // behind a corner, at the end
        for (int i = 0; i < 30; i++) {
            fixture_spawn(&world, 31.0f + (float)(i % 6) * 1.2f, 15.0f + (float)(i / 6) * 1.2f, 0,
                          goal);
        }
        run(&world, 30 * 90);
        throng_agents_view agents = throng_crowd_agents(world.crowd);
        for (int i = 0; i < agents.count; i++) {
            float square = agents.vx[i] * agents.vx[i] + agents.vy[i] * agents.vy[i];
            assert_int_equal(agents.status[i], THRONG_ARRIVED);
            assert_true(square < 0.05f * 0.05f);
        }
        fixture_destroy(&world);
    }
}

static void a_goal_inside_a_wall_is_its_nearest_free_place(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(small);
    assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){40, 40, 4, 4}, THRONG_WALL));
    throng_goal_id goal = fixture_goal(&world, 20.4f, 20.9f);
    throng_agent_id agent = fixture_spawn(&world, 5.0f, 20.0f, 0, goal);
    run(&world, 30 * 15);
    assert_int_equal(status_of(&world, agent), THRONG_ARRIVED);
    fixture_destroy(&world);
}

static void those_spawned_in_walls_or_outside_stand_in_free_places(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(small);
    assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){30, 30, 20, 20}, THRONG_WALL));
    fixture_spawn(&world, 20.0f, 20.0f, 0, no_goal);
    fixture_spawn(&world, -500.0f, 3e6f, 1, no_goal);
    fixture_spawn(&world, 0.0f, 0.0f, 0, no_goal);
    fixture_spawn(&world, 40.0f, 40.0f, 0, no_goal);
    run(&world, 5);
    assert_int_equal(throng_crowd_agents(world.crowd).count, 4);
    fixture_destroy(&world);
}

static void the_end_of_a_goal_leaves_its_agents_idle_and_its_slot_free(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(small);
    throng_goal_id goal = fixture_goal(&world, 30.0f, 20.0f);
    throng_agent_id walker = fixture_spawn(&world, 5.0f, 20.0f, 0, goal);
    throng_agent_id near = fixture_spawn(&world, 29.8f, 20.0f, 0, goal);
    run(&world, 20);
    assert_int_equal(status_of(&world, near), THRONG_ARRIVED);
    assert_ok(throng_crowd_remove_goal(world.crowd, goal));
    assert_int_equal(throng_crowd_remove_goal(world.crowd, goal), THRONG_STALE_ID);
    assert_int_equal(throng_crowd_order(world.crowd, near, goal), THRONG_STALE_ID);
    run(&world, 1);
    assert_int_equal(status_of(&world, walker), THRONG_IDLE);
    assert_int_equal(status_of(&world, near), THRONG_IDLE);
    assert_null(throng_crowd_goal_field(world.crowd, goal, 0));
    throng_goal_id next = fixture_goal(&world, 5.0f, 5.0f);
    assert_int_equal(next.slot, goal.slot);
    assert_int_not_equal(next.generation, goal.generation);
    assert_ok(throng_crowd_order(world.crowd, walker, next));
    run(&world, 30 * 15);
    assert_int_equal(status_of(&world, walker), THRONG_ARRIVED);
    fixture_destroy(&world);
}

static void a_goal_ends_while_its_field_is_half_solved(void **ignored)
{
    (void)ignored;
    fixture_options slow = small;
    slow.field_cell_budget = 1024;
    fixture world = fixture_make(slow);
    throng_goal_id goals[3];
    for (int i = 0; i < 3; i++) {
        goals[i] = fixture_goal(&world, 10.0f + 10.0f * (float)i, 30.0f);
        fixture_spawn(&world, 5.0f + 5.0f * (float)i, 5.0f, i % 2, goals[i]);
    }
    run(&world, 2);
    assert_ok(throng_crowd_remove_goal(world.crowd, goals[0]));
    run(&world, 1);
    assert_ok(throng_crowd_remove_goal(world.crowd, goals[2]));
    run(&world, 30 * 40);
    int row = throng_crowd_agents(world.crowd).status[0] == THRONG_ARRIVED ? 0 : 1;
    row = throng_crowd_agents(world.crowd).status[row] == THRONG_ARRIVED ? row : 2;
    assert_int_equal(throng_crowd_agents(world.crowd).status[row], THRONG_ARRIVED);
    fixture_destroy(&world);
}

static void two_crowds_on_one_map_both_see_its_edits(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(small);
    fixture other = {.map = world.map};
    throng_crowd_def def = throng_default_crowd_def();
    def.map = world.map;
    def.profiles = world.profiles;
    def.profile_count = 2;
    assert_ok(throng_crowd_create(&def, &other.crowd));
    throng_goal_id here = fixture_goal(&world, 35.0f, 20.0f);
    throng_goal_id there = fixture_goal(&other, 35.0f, 20.0f);
    throng_agent_id a = fixture_spawn(&world, 5.0f, 20.0f, 0, here);
    throng_agent_id b = fixture_spawn(&other, 5.0f, 21.0f, 0, there);
    run(&world, 10);
    run(&other, 10);
    assert_ok(throng_crowd_edit_rect(world.crowd, (throng_cell_rect){40, 0, 1, 80}, THRONG_WALL));
    run(&world, 10);
    run(&other, 10);
    assert_int_equal(status_of(&world, a), THRONG_CUT_OFF);
    assert_int_equal(status_of(&other, b), THRONG_CUT_OFF);
    // And the host may edit the map itself, between steps.
    assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){40, 0, 1, 80}, THRONG_GROUND));
    run(&world, 30 * 20);
    run(&other, 30 * 20);
    assert_int_equal(status_of(&world, a), THRONG_ARRIVED);
    assert_int_equal(status_of(&other, b), THRONG_ARRIVED);
    throng_crowd_destroy(other.crowd);
    fixture_destroy(&world);
}

static void limits_come_back_as_results(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(small);
    throng_goal_def def = throng_default_goal_def();
    throng_goal_id goal;
    for (int i = 0; i < 64; i++) {
        assert_ok(throng_crowd_add_goal(world.crowd, &def, &goal));
    }
    assert_int_equal(throng_crowd_add_goal(world.crowd, &def, &goal), THRONG_LIMIT);
    throng_spawn_def spawn = {.position = {20.0f, 20.0f}};
    for (int i = 0; i < 300; i++) {
        assert_ok(throng_crowd_spawn(world.crowd, &spawn, NULL));
    }
    assert_int_equal(throng_crowd_spawn(world.crowd, &spawn, NULL), THRONG_LIMIT);
    run(&world, 60);
    assert_int_equal(throng_crowd_agents(world.crowd).count, 300);
    fixture_destroy(&world);
}

static void a_step_of_no_time_applies_commands_and_moves_nobody(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(small);
    throng_agent_id agent = fixture_spawn(&world, 20.0f, 20.0f, 1, no_goal);
    assert_int_equal(throng_crowd_step(world.crowd, 0.0f), 0);
    throng_agents_view agents = throng_crowd_agents(world.crowd);
    assert_int_equal(throng_crowd_find(world.crowd, agent), 0);
    assert_true(agents.x[0] == 20.0f && agents.radius[0] == 0.3f);
    assert_ok(throng_crowd_remove(world.crowd, agent));
    assert_ok(throng_crowd_teleport(world.crowd, agent, (throng_vec2){3.0f, 3.0f}));
    assert_int_equal(throng_crowd_step(world.crowd, 0.0f), 0);
    assert_int_equal(throng_crowd_agents(world.crowd).count, 0);
    fixture_destroy(&world);
}

static void an_arrival_fires_again_only_for_a_new_order(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(small);
    throng_goal_id goal = fixture_goal(&world, 20.0f, 20.0f);
    throng_agent_id agent = fixture_spawn(&world, 18.0f, 20.0f, 0, goal);
    int arrivals = 0;
    for (int i = 0; i < 300; i++) {
        if (i == 150) {
            assert_ok(throng_crowd_order(world.crowd, agent, goal));
        }
        throng_crowd_step(world.crowd, DT);
        int count;
        const throng_event *events = throng_crowd_events(world.crowd, &count);
        for (int k = 0; k < count; k++) {
            arrivals += events[k].kind == THRONG_EVENT_ARRIVED;
        }
        if (i == 149) {
            assert_int_equal(arrivals, 1);
        }
    }
    assert_int_equal(arrivals, 2);
    fixture_destroy(&world);
}

static void an_edit_called_before_a_spawn_comes_first(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(small);
    throng_cell_rect all = {0, 0, 80, 80};
    assert_ok(throng_crowd_edit_rect(world.crowd, all, THRONG_WALL));
    throng_crowd_step(world.crowd, DT);
    assert_ok(throng_crowd_edit_rect(world.crowd, all, THRONG_GROUND));
    fixture_spawn(&world, 10.0f, 10.0f, 0, no_goal);
    assert_int_equal(throng_crowd_step(world.crowd, DT) & THRONG_STEP_NO_ROOM, 0);
    assert_int_equal(throng_crowd_agents(world.crowd).count, 1);
    fixture_destroy(&world);
}

static void any_finite_velocity_and_any_short_step_end_well(void **ignored)
{
    (void)ignored;
    fixture_options options = small;
    options.boxes = true;
    fixture world = fixture_make(options);
    uint32_t seed = 9;
    const float speeds[4] = {1e9f, -7.2e8f, 3e38f, 50.0f};
    for (int i = 0; i < 100; i++) {
        throng_spawn_def spawn = {.position = fixture_random_place(&seed, 1.0f, 39.0f),
                                  .velocity = {speeds[i % 4], speeds[(i + 1) % 4]},
                                  .profile = i % 2};
        assert_ok(throng_crowd_spawn(world.crowd, &spawn, NULL));
    }
    run(&world, 10);
    const float steps[5] = {1e-39f, 1e-20f, 1e-7f, 1e-5f, 5.0f};
    for (int i = 0; i < 5; i++) {
        throng_crowd_step(world.crowd, steps[i]);
        fixture_check_invariants(&world);
    }
    fixture_destroy(&world);
}

static void defs_out_of_range_are_refused(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(small);
    throng_crowd_def def = throng_default_crowd_def();
    throng_profile_def profile = throng_default_profile_def();
    throng_crowd *crowd = NULL;
    def.map = world.map;
    def.profiles = &profile;
    def.profile_count = 1;
    profile.mass = 1e-39f;
    assert_int_equal(throng_crowd_create(&def, &crowd), THRONG_BAD_ARGUMENT);
    profile.mass = 0.0f;
    def.kernels = (throng_kernels)99;
    assert_int_equal(throng_crowd_create(&def, &crowd), THRONG_BAD_ARGUMENT);
    throng_goal_def goal_def = throng_default_goal_def();
    goal_def.shape.point_count = 1;
    throng_goal_id goal;
    assert_int_equal(throng_crowd_add_goal(world.crowd, &goal_def, &goal), THRONG_BAD_ARGUMENT);
    fixture_destroy(&world);
}

static void the_host_is_told_each_time_a_way_is_lost(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(small);
    throng_cell_rect wall = {40, 0, 1, 80}, door = {40, 38, 1, 4};
    assert_ok(throng_map_edit_rect(world.map, wall, THRONG_WALL));
    fixture_spawn(&world, 5.0f, 20.0f, 0, fixture_goal(&world, 35.0f, 20.0f));
    int told = 0;
    for (int i = 0; i < 200; i++) {
        if (i == 50 || i == 70) {
            throng_crowd_edit_rect(world.crowd, door, i == 50 ? THRONG_GROUND : THRONG_WALL);
        }
        throng_crowd_step(world.crowd, DT);
        int count;
        const throng_event *events = throng_crowd_events(world.crowd, &count);
        for (int k = 0; k < count; k++) {
            told += events[k].kind == THRONG_EVENT_UNREACHABLE;
            assert_int_not_equal(events[k].kind, THRONG_EVENT_STUCK);
        }
    }
    assert_int_equal(told, 2);
    fixture_destroy(&world);
}

/// Small cells and wide agents, wide cells and small agents: walls hold.
static void cells_far_smaller_or_larger_than_agents_hold(void **ignored)
{
    (void)ignored;
    const float sizes[3] = {0.05f, 5.0f, 40.0f};
    for (int i = 0; i < 3; i++) {
        fixture world = {0};
        throng_map_def map_def = throng_default_map_def();
        map_def.width = map_def.height = 60;
        map_def.cell_size = sizes[i];
        assert_ok(throng_map_create(&map_def, &world.map));
        throng_class_def class_def = throng_default_class_def();
        class_def.radius = i == 0 ? 0.4f : 0.3f;
        int class_index;
        assert_ok(throng_map_add_class(world.map, &class_def, &class_index));
        assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){25, 0, 3, 30}, THRONG_WALL));
        throng_profile_def profile = throng_default_profile_def();
        profile.radius = class_def.radius;
        throng_crowd_def def = throng_default_crowd_def();
        def.map = world.map;
        def.profiles = &profile;
        def.profile_count = 1;
        assert_ok(throng_crowd_create(&def, &world.crowd));
        throng_goal_id goal = fixture_goal(&world, 55.0f * sizes[i], 10.0f * sizes[i]);
        for (int k = 0; k < 10; k++) {
            fixture_spawn(&world, 10.0f * sizes[i], (float)(5 + k) * sizes[i], 0, goal);
        }
        run(&world, 200);
        fixture_destroy(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(goals_outside_the_map_or_without_parts_cut_off),
        TEST(in_a_lane_they_stand_in_line),
        TEST(a_goal_inside_a_wall_is_its_nearest_free_place),
        TEST(those_spawned_in_walls_or_outside_stand_in_free_places),
        TEST(the_end_of_a_goal_leaves_its_agents_idle_and_its_slot_free),
        TEST(a_goal_ends_while_its_field_is_half_solved),
        TEST(two_crowds_on_one_map_both_see_its_edits),
        TEST(limits_come_back_as_results),
        TEST(a_step_of_no_time_applies_commands_and_moves_nobody),
        TEST(an_arrival_fires_again_only_for_a_new_order),
        TEST(an_edit_called_before_a_spawn_comes_first),
        TEST(any_finite_velocity_and_any_short_step_end_well),
        TEST(defs_out_of_range_are_refused),
        TEST(the_host_is_told_each_time_a_way_is_lost),
        TEST(cells_far_smaller_or_larger_than_agents_hold),
    };
    return RUN_TESTS(tests);
}
