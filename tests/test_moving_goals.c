/// Goals that move: agents come along, those who had arrived walk on, and all of it is in hash and
/// snapshot.
#include "crowd/crowd.h"
#include "crowd_fixture.h"
#include "pass_on.h"

#define DT (1.0f / 30.0f)

static const fixture_options options = {
    .width = 80, .height = 80, .max_agents = 200, .field_cell_budget = 4000};

static void run(fixture *world, float seconds)
{
    for (int i = 0; i < (int)(seconds * 30.0f); i++) {
        throng_crowd_step(world->crowd, DT);
    }
}

/// The way from an agent to a place, in metres.
static float distance_to(const fixture *world, throng_agent_id agent, throng_vec2 place)
{
    int row = throng_crowd_find(world->crowd, agent);
    assert_true(row >= 0);
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    float dx = agents.x[row] - place.x, dy = agents.y[row] - place.y;
    return sqrtf(dx * dx + dy * dy);
}

static throng_status status_of(const fixture *world, throng_agent_id agent)
{
    int row = throng_crowd_find(world->crowd, agent);
    return (throng_status)throng_crowd_agents(world->crowd).status[row];
}

/// A wall across the map, with a gap at the top: what is behind it is out of sight.
static void build_wall(fixture *world)
{
    assert_ok(throng_map_edit_rect(world->map, (throng_cell_rect){40, 12, 2, 68}, THRONG_WALL));
}

static void who_had_arrived_walks_on_to_where_the_goal_is_now(void **ignored)
{
    (void)ignored;
    for (int behind = 0; behind < 2; behind++) {
        fixture world = fixture_make(options);
        build_wall(&world);
        throng_goal_id goal = fixture_goal(&world, 10.0f, 30.0f);
        throng_agent_id agent = fixture_spawn(&world, 5.0f, 30.0f, 0, goal);
        run(&world, 6.0f);
        assert_int_equal(status_of(&world, agent), THRONG_ARRIVED);
        throng_vec2 there = {behind ? 30.0f : 15.0f, 30.0f};
        assert_ok(throng_crowd_move_goal(world.crowd, goal, there));
        run(&world, 1.0f);
        assert_int_equal(status_of(&world, agent), THRONG_WALKING);
        run(&world, 40.0f);
        assert_int_equal(status_of(&world, agent), THRONG_ARRIVED);
        assert_true(distance_to(&world, agent, there) < 1.0f);
        fixture_destroy(&world);
    }
    assert_int_equal(throng_live_bytes(), 0);
}

static void a_group_follows_an_agent_until_it_is_gone(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(options);
    build_wall(&world);
    throng_goal_id nowhere = {0, 0};
    throng_goal_id far = fixture_goal(&world, 35.0f, 35.0f);
    throng_goal_id prey = fixture_goal(&world, 12.0f, 30.0f);
    throng_agent_id leader = fixture_spawn(&world, 12.0f, 30.0f, 1, far);
    throng_agent_id others[12];
    for (int i = 0; i < 12; i++) {
        others[i] = fixture_spawn(&world, 3.0f + (float)(i % 4), 28.0f + (float)(i / 4), 0, prey);
    }
    assert_ok(throng_crowd_follow(world.crowd, prey, leader));
    run(&world, 90.0f);
    assert_int_equal(status_of(&world, leader), THRONG_ARRIVED);
    throng_vec2 end = {35.0f, 35.0f};
    for (int i = 0; i < 12; i++) {
        assert_true(distance_to(&world, others[i], end) < 4.0f);
    }
    assert_ok(throng_crowd_remove(world.crowd, leader));
    assert_ok(throng_crowd_order(world.crowd, others[0], nowhere));
    run(&world, 5.0f); // the goal stays where he was last
    throng_agent_id late = fixture_spawn(&world, 25.0f, 35.0f, 0, prey);
    run(&world, 20.0f);
    assert_true(distance_to(&world, late, end) < 4.5f);
    fixture_destroy(&world);
}

static void a_snapshot_carries_goals_on_their_way(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(options), other = fixture_make(options);
    build_wall(&world);
    throng_goal_id far = fixture_goal(&world, 35.0f, 35.0f);
    throng_goal_id prey = fixture_goal(&world, 12.0f, 30.0f);
    throng_agent_id leader = fixture_spawn(&world, 12.0f, 30.0f, 1, far);
    for (int i = 0; i < 60; i++) {
        fixture_spawn(&world, 2.0f + (float)(i % 8), 26.0f + (float)(i / 8), 0, prey);
    }
    assert_ok(throng_crowd_follow(world.crowd, prey, leader));
    run(&world, 1.0f);
    for (int i = 0; i < 20; i++) {
        run(&world, 0.7f);
        pass_on(world.crowd, other.crowd);
        for (int step = 0; step < 15; step++) {
            assert_int_equal(throng_crowd_hash(other.crowd), throng_crowd_hash(world.crowd));
            throng_crowd_step(world.crowd, DT);
            throng_crowd_step(other.crowd, DT);
        }
    }
    fixture_destroy(&world);
    fixture_destroy(&other);
    assert_int_equal(throng_live_bytes(), 0);
}

static void what_cannot_move_is_refused(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(options);
    throng_goal_def def = throng_default_goal_def();
    throng_rect rect = {{1.0f, 1.0f}, {2.0f, 2.0f}};
    def.shape.rects = &rect;
    def.shape.rect_count = 1;
    throng_goal_id area, point = fixture_goal(&world, 5.0f, 5.0f);
    assert_ok(throng_crowd_add_goal(world.crowd, &def, &area));
    throng_agent_id agent = fixture_spawn(&world, 3.0f, 3.0f, 0, point);
    throng_agent_id stale = {agent.slot, agent.generation + 1};
    throng_goal_id gone = {point.slot, point.generation + 1};
    throng_crowd *crowd = world.crowd;
    throng_vec2 place = {5.0f, 6.0f};
    assert_int_equal(throng_crowd_move_goal(crowd, area, place), THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_crowd_follow(crowd, area, agent), THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_crowd_move_goal(crowd, gone, place), THRONG_STALE_ID);
    assert_int_equal(throng_crowd_follow(crowd, gone, agent), THRONG_STALE_ID);
    assert_int_equal(throng_crowd_follow(crowd, point, stale), THRONG_STALE_ID);
    assert_int_equal(throng_crowd_move_goal(crowd, point, (throng_vec2){NAN, 0.0f}),
                     THRONG_BAD_ARGUMENT);
    // Into a wall: they go to the nearest place that fits.
    assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){40, 40, 2, 2}, THRONG_WALL));
    assert_ok(throng_crowd_move_goal(crowd, point, (throng_vec2){20.5f, 20.5f}));
    run(&world, 20.0f);
    assert_true(distance_to(&world, agent, (throng_vec2){20.5f, 20.5f}) < 2.5f);
    fixture_check_invariants(&world);
    fixture_destroy(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_had_arrived_walks_on_to_where_the_goal_is_now),
        TEST(a_group_follows_an_agent_until_it_is_gone),
        TEST(a_snapshot_carries_goals_on_their_way),
        TEST(what_cannot_move_is_refused),
    };
    return RUN_TESTS(tests);
}
