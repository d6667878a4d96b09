/// Steering orders: each does what it says, ends as it says, and is kept by snapshots.
#include "crowd_fixture.h"
#include "pass_on.h"

#include <throng/replay.h>

#define DT (1.0f / 30.0f)

static const fixture_options field = {.width = 120, .height = 120, .max_agents = 300};

static throng_steer_def steer_of(throng_steer_kind kind, float radius)
{
    throng_steer_def def = throng_default_steer_def();
    def.kind = kind;
    def.radius = radius;
    return def;
}

static throng_agent_id steered(fixture *world, float x, float y, int profile, throng_steer_def def)
{
    throng_agent_id agent = fixture_spawn(world, x, y, profile, (throng_goal_id){0, 0});
    assert_ok(throng_crowd_steer(world->crowd, agent, &def));
    return agent;
}

static throng_vec2 place_of(const fixture *world, throng_agent_id agent)
{
    int row = throng_crowd_find(world->crowd, agent);
    assert_true(row >= 0);
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    return (throng_vec2){agents.x[row], agents.y[row]};
}

static float speed_of(const fixture *world, throng_agent_id agent)
{
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    int row = throng_crowd_find(world->crowd, agent);
    return hypotf(agents.vx[row], agents.vy[row]);
}

static int status_of(const fixture *world, throng_agent_id agent)
{
    return throng_crowd_agents(world->crowd).status[throng_crowd_find(world->crowd, agent)];
}

static float apart(const fixture *world, throng_agent_id a, throng_agent_id b)
{
    throng_vec2 from = place_of(world, a), to = place_of(world, b);
    return hypotf(to.x - from.x, to.y - from.y);
}

static float way_to(const fixture *world, throng_agent_id agent, throng_vec2 point)
{
    throng_vec2 from = place_of(world, agent);
    return hypotf(point.x - from.x, point.y - from.y);
}

static void run(fixture *world, int steps)
{
    for (int i = 0; i < steps; i++) {
        throng_crowd_step(world->crowd, DT);
    }
}

static void one_who_seeks_goes_straight_there(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(field);
    throng_steer_def seek = steer_of(THRONG_STEER_SEEK, 1.0f);
    seek.point = (throng_vec2){40.0f, 45.0f};
    throng_agent_id agent = steered(&world, 10.0f, 5.0f, 0, seek);
    run(&world, 300); // 10 s at 2 m/s
    assert_near(way_to(&world, agent, seek.point), 50.0 - 20.0, 0.6);
    assert_int_equal(status_of(&world, agent), THRONG_WALKING);
    run(&world, 900);
    assert_true(way_to(&world, agent, seek.point) <= 1.0f);
    assert_near(speed_of(&world, agent), 0.0, 0.01);
    run(&world, 300); // there, and not called stuck
    assert_int_equal(status_of(&world, agent), THRONG_WALKING);
    fixture_destroy(&world);
}

static void one_who_flees_gets_away_and_then_rests(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(field);
    throng_steer_def flee = steer_of(THRONG_STEER_FLEE, 8.0f);
    flee.point = (throng_vec2){30.0f, 30.0f};
    throng_agent_id near = steered(&world, 32.0f, 31.0f, 0, flee);
    throng_agent_id on_it = steered(&world, 30.0f, 30.0f, 0, flee);
    throng_agent_id far = steered(&world, 45.0f, 30.0f, 0, flee);
    throng_crowd_step(world.crowd, 0.0f);
    float before = way_to(&world, near, flee.point);
    for (int i = 0; i < 60; i++) {
        run(&world, 1);
        float now = way_to(&world, near, flee.point);
        assert_true(now >= before);
        before = now;
    }
    run(&world, 240);
    assert_true(way_to(&world, near, flee.point) > 8.0f);
    assert_true(way_to(&world, on_it, flee.point) > 8.0f);
    assert_true(way_to(&world, near, flee.point) < 9.0f);
    assert_near(speed_of(&world, near), 0.0, 0.01);
    assert_near(way_to(&world, far, flee.point), 15.0, 1e-4);
    fixture_destroy(&world);
}

static void one_who_arrives_stops_at_the_point_and_is_done(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(field);
    throng_steer_def arrive = steer_of(THRONG_STEER_ARRIVE, 0.3f);
    arrive.point = (throng_vec2){20.0f, 10.0f};
    throng_agent_id agent = steered(&world, 10.0f, 10.0f, 0, arrive);
    int ended = 0;
    for (int i = 0; i < 300; i++) {
        run(&world, 1);
        int count;
        const throng_event *events = throng_crowd_events(world.crowd, &count);
        for (int k = 0; k < count; k++) {
            ended +=
                events[k].kind == THRONG_EVENT_STEER_ENDED && events[k].agent.slot == agent.slot;
        }
        assert_true(place_of(&world, agent).x < 20.3f); // no overshoot
    }
    assert_int_equal(ended, 1);
    assert_true(way_to(&world, agent, arrive.point) < 0.3f);
    assert_near(speed_of(&world, agent), 0.0, 0.01);
    assert_int_equal(status_of(&world, agent), THRONG_IDLE);
    assert_int_equal(throng_crowd_get_steer(world.crowd, agent).kind, THRONG_STEER_NONE);
    fixture_destroy(&world);
}

/// Seconds until one of the kind is within a metre and a half of one who crosses before him.
static float seconds_to_catch(throng_steer_kind kind)
{
    fixture_options options = field;
    options.slow_speed = 1.5f;
    fixture world = fixture_make(options);
    throng_goal_id goal = fixture_goal(&world, 58.0f, 30.0f);
    throng_agent_id prey = fixture_spawn(&world, 10.0f, 30.0f, 1, goal);
    throng_steer_def hunt = steer_of(kind, 0.0f);
    hunt.agent = prey;
    throng_agent_id hunter = steered(&world, 25.0f, 12.0f, 0, hunt);
    float seconds = INFINITY;
    for (int i = 0; i < 900 && seconds == INFINITY; i++) {
        run(&world, 1);
        seconds = apart(&world, hunter, prey) < 1.5f ? (float)(i + 1) * DT : INFINITY;
    }
    fixture_destroy(&world);
    return seconds;
}

static void one_who_pursues_meets_his_prey_sooner_than_one_who_seeks(void **ignored)
{
    (void)ignored;
    float pursuit = seconds_to_catch(THRONG_STEER_PURSUE);
    float chase = seconds_to_catch(THRONG_STEER_SEEK);
    print_message("caught after %.2f s by pursuit, %.2f s by seeking\n", (double)pursuit,
                  (double)chase);
    assert_true(pursuit < 0.95f * chase);
    assert_true(chase < 30.0f);
}

/// The least distance that one of the kind keeps from a faster one who runs past.
static float least_distance(throng_steer_kind kind)
{
    fixture_options options = field;
    options.slow_speed = 4.0f;
    fixture world = fixture_make(options);
    throng_goal_id goal = fixture_goal(&world, 58.0f, 31.0f);
    throng_agent_id wolf = fixture_spawn(&world, 5.0f, 28.0f, 1, goal);
    throng_steer_def order = steer_of(kind, 15.0f);
    order.agent = wolf;
    throng_agent_id sheep = steered(&world, 25.0f, 30.0f, 0, order);
    float least = INFINITY;
    for (int i = 0; i < 400; i++) {
        run(&world, 1);
        least = fminf(least, apart(&world, wolf, sheep));
    }
    fixture_destroy(&world);
    return least;
}

static void one_who_evades_keeps_clear_where_one_who_flees_is_caught_up(void **ignored)
{
    (void)ignored;
    float evading = least_distance(THRONG_STEER_EVADE), fleeing = least_distance(THRONG_STEER_FLEE);
    print_message("least distance %.2f m evading, %.2f m fleeing\n", (double)evading,
                  (double)fleeing);
    assert_true(evading > 1.2f * fleeing);
}

static void one_who_follows_keeps_his_distance_behind(void **ignored)
{
    (void)ignored;
    fixture_options options = field;
    options.slow_speed = 1.2f;
    fixture world = fixture_make(options);
    throng_goal_id goal = fixture_goal(&world, 55.0f, 30.0f);
    throng_agent_id leader = fixture_spawn(&world, 20.0f, 30.0f, 1, goal);
    throng_steer_def order = steer_of(THRONG_STEER_FOLLOW, 3.0f);
    order.agent = leader;
    throng_agent_id follower = steered(&world, 10.0f, 34.0f, 0, order);
    run(&world, 600); // 20 s: the leader still walks
    throng_vec2 ahead = place_of(&world, leader), behind = place_of(&world, follower);
    assert_true(speed_of(&world, leader) > 0.8f);
    assert_near(ahead.x - behind.x, 3.0, 0.4);
    assert_near(ahead.y - behind.y, 0.0, 0.4);
    run(&world, 900); // the leader stands
    assert_near(apart(&world, leader, follower), 3.0, 0.4);
    assert_near(speed_of(&world, follower), 0.0, 0.1);
    fixture_destroy(&world);
}

static void an_order_ends_when_the_one_it_is_about_is_gone(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(field);
    throng_goal_id goal = fixture_goal(&world, 55.0f, 30.0f);
    throng_agent_id leader = fixture_spawn(&world, 20.0f, 30.0f, 0, goal);
    throng_steer_def order = steer_of(THRONG_STEER_FOLLOW, 3.0f);
    order.agent = leader;
    throng_agent_id follower = steered(&world, 10.0f, 30.0f, 0, order);
    run(&world, 30);
    assert_int_equal(throng_crowd_get_steer(world.crowd, follower).kind, THRONG_STEER_FOLLOW);
    assert_ok(throng_crowd_remove(world.crowd, leader));
    fixture_spawn(&world, 50.0f, 50.0f, 0, goal); // takes the slot: no ghost is followed
    run(&world, 1);
    int count;
    const throng_event *events = throng_crowd_events(world.crowd, &count);
    assert_int_equal(count, 1);
    assert_int_equal(events[0].kind, THRONG_EVENT_STEER_ENDED);
    assert_int_equal(status_of(&world, follower), THRONG_IDLE);
    assert_int_equal(throng_crowd_steer(world.crowd, follower, &order), THRONG_STALE_ID);
    fixture_destroy(&world);
}

static void one_who_wanders_stays_in_his_range_and_goes_far(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(field);
    throng_steer_def order = steer_of(THRONG_STEER_WANDER, 6.0f);
    order.point = (throng_vec2){30.0f, 30.0f};
    throng_agent_id agent = steered(&world, 30.0f, 30.0f, 0, order);
    throng_crowd_step(world.crowd, 0.0f);
    double walked = 0.0, turned_left = 0.0, turned_right = 0.0;
    float heading_x = 0.0f, heading_y = 0.0f;
    for (int i = 0; i < 1800; i++) {
        throng_vec2 before = place_of(&world, agent);
        run(&world, 1);
        throng_vec2 after = place_of(&world, agent);
        float dx = after.x - before.x, dy = after.y - before.y;
        float turn = heading_x * dy - heading_y * dx;
        turned_left += turn < 0.0f;
        turned_right += turn > 0.0f;
        heading_x = dx;
        heading_y = dy;
        walked += hypot(dx, dy);
        assert_true(way_to(&world, agent, order.point) < 12.0f);
    }
    assert_true(walked > 0.9 * 2.0 * 60.0); // a minute at 2 m/s
    assert_true(turned_left > 300.0 && turned_right > 300.0);
    fixture_destroy(&world);
}

/// The least distance to a wall of one who seeks a point behind a block.
static float least_wall(float wall_weight, throng_vec2 *end)
{
    fixture world = fixture_make(field);
    throng_map_edit_rect(world.map, (throng_cell_rect){50, 54, 10, 10}, THRONG_WALL);
    throng_steer_def seek = steer_of(THRONG_STEER_SEEK, 0.5f);
    seek.point = (throng_vec2){45.0f, 29.0f};
    seek.wall_weight = wall_weight;
    throng_agent_id agent = steered(&world, 12.0f, 29.3f, 0, seek);
    float least = INFINITY;
    for (int i = 0; i < 900; i++) {
        run(&world, 1);
        least = fminf(least, throng_map_wall_distance(world.map, 0, place_of(&world, agent), 3.0f));
    }
    *end = place_of(&world, agent);
    fixture_destroy(&world);
    return least;
}

static void walls_ahead_are_avoided_before_they_are_touched(void **ignored)
{
    (void)ignored;
    throng_vec2 with_end, without_end;
    float with = least_wall(2.0f, &with_end), without = least_wall(0.0f, &without_end);
    print_message("least distance to the wall: %.3f m looking ahead, %.3f m not; radius 0.4 m\n",
                  (double)with, (double)without);
    assert_true(with > 0.5f); // and the radius is 0.4
    assert_true(without < 0.41f);
    assert_near(with_end.x, 45.0, 0.6);
    assert_near(with_end.y, 29.0, 0.6);
    assert_true(without_end.x < 25.0f); // it stands before the block for ever
}

static void an_order_beside_a_goal_gives_way_to_it_when_it_ends(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(field);
    throng_goal_id goal = fixture_goal(&world, 50.0f, 30.0f);
    throng_agent_id agent = fixture_spawn(&world, 20.0f, 30.0f, 0, goal);
    throng_steer_def flee = steer_of(THRONG_STEER_FLEE, 6.0f);
    flee.point = (throng_vec2){40.0f, 30.0f};
    flee.weight = 4.0f;
    assert_ok(throng_crowd_steer(world.crowd, agent, &flee));
    run(&world, 900);
    assert_true(place_of(&world, agent).x < 36.0f); // held off by what it flees from
    throng_steer_def none = throng_default_steer_def();
    assert_ok(throng_crowd_steer(world.crowd, agent, &none));
    run(&world, 900);
    assert_near(place_of(&world, agent).x, 50.0, 0.7);
    assert_int_equal(status_of(&world, agent), THRONG_ARRIVED);
    // One who has arrived obeys a new order, and comes back.
    flee.point = (throng_vec2){52.0f, 30.0f};
    assert_ok(throng_crowd_steer(world.crowd, agent, &flee));
    run(&world, 60);
    assert_true(way_to(&world, agent, flee.point) > 3.0f);
    fixture_destroy(&world);
}

static void orders_that_make_no_sense_are_refused(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(field);
    throng_agent_id agent = fixture_spawn(&world, 20.0f, 30.0f, 0, (throng_goal_id){0, 0});
    throng_agent_id other = fixture_spawn(&world, 25.0f, 30.0f, 0, (throng_goal_id){0, 0});
    throng_steer_def bad[] = {
        steer_of(THRONG_STEER_PURSUE, 1.0f),   steer_of(THRONG_STEER_FOLLOW, 1.0f),
        steer_of(THRONG_STEER_SEEK, -1.0f),    steer_of(THRONG_STEER_SEEK, 1001.0f),
        steer_of(THRONG_STEER_SEEK, NAN),      steer_of((throng_steer_kind)8, 1.0f),
        steer_of((throng_steer_kind)-1, 1.0f), steer_of(THRONG_STEER_SEEK, 1.0f),
        steer_of(THRONG_STEER_SEEK, 1.0f),     steer_of(THRONG_STEER_SEEK, 1.0f),
        steer_of(THRONG_STEER_SEEK, 1.0f),     steer_of(THRONG_STEER_WANDER, 1.0f),
    };
    bad[7].point.x = INFINITY;
    bad[8].weight = 4.1f;
    bad[9].agent = agent; // about itself
    bad[10].cookie = 0;
    bad[11].agent = other;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(throng_crowd_steer(world.crowd, agent, &bad[i]), THRONG_BAD_ARGUMENT);
    }
    throng_steer_def seek = steer_of(THRONG_STEER_SEEK, 1.0f);
    assert_int_equal(throng_crowd_steer(world.crowd, (throng_agent_id){9, 9}, &seek),
                     THRONG_STALE_ID);
    seek.agent = (throng_agent_id){other.slot, other.generation + 1};
    assert_int_equal(throng_crowd_steer(world.crowd, agent, &seek), THRONG_STALE_ID);
    run(&world, 1);
    assert_int_equal(status_of(&world, agent), THRONG_IDLE);
    fixture_destroy(&world);
}

/// A zoo: every kind of order, some agents with goals, one command queued.
static fixture zoo(int threads)
{
    fixture_options options = {
        .width = 120, .height = 120, .max_agents = 300, .threads = threads, .boxes = true};
    fixture world = fixture_make(options);
    throng_goal_id goal = fixture_goal(&world, 50.0f, 30.0f), none = {0, 0};
    throng_agent_id before = {0, 0};
    uint32_t seed = 5;
    for (int i = 0; i < 240; i++) {
        throng_vec2 place = fixture_random_place(&seed, 1.0f, 59.0f);
        throng_agent_id agent =
            fixture_spawn(&world, place.x, place.y, i % 2, i % 3 == 0 ? goal : none);
        throng_steer_def def = steer_of((throng_steer_kind)(i % 8), 4.0f);
        def.point = fixture_random_place(&seed, 1.0f, 59.0f);
        if (def.kind != THRONG_STEER_WANDER && i % 5 != 0) {
            def.agent = before;
        }
        if (def.agent.slot != 0 || def.kind < THRONG_STEER_PURSUE ||
            def.kind == THRONG_STEER_WANDER) {
            assert_ok(throng_crowd_steer(world.crowd, agent, &def));
        }
        before = agent;
    }
    run(&world, 40);
    throng_steer_def last = steer_of(THRONG_STEER_ARRIVE, 1.0f);
    last.point = (throng_vec2){30.0f, 30.0f};
    assert_ok(throng_crowd_steer(world.crowd, before, &last));
    return world;
}

static void a_snapshot_keeps_orders_to_the_bit(void **ignored)
{
    (void)ignored;
    fixture world = zoo(1);
    fixture_options options = {.width = 120, .height = 120, .max_agents = 300};
    fixture other = fixture_make(options);
    pass_on(world.crowd, other.crowd);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(throng_crowd_hash(other.crowd), throng_crowd_hash(world.crowd));
        run(&world, 1);
        run(&other, 1);
    }
    fixture_check_invariants(&other);
    fixture_destroy(&world);
    fixture_destroy(&other);
    assert_int_equal(throng_live_bytes(), 0);
}

static void threads_do_not_change_what_orders_do(void **ignored)
{
    (void)ignored;
    uint64_t expected = 0;
    for (int threads = 1; threads <= 4; threads *= 2) {
        fixture world = zoo(threads);
        run(&world, 150);
        uint64_t hash = throng_crowd_hash(world.crowd);
        expected = threads == 1 ? hash : expected;
        assert_int_equal(hash, expected);
        fixture_destroy(&world);
    }
}

static void the_hash_sees_an_order(void **ignored)
{
    (void)ignored;
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        fixture world = fixture_make(field);
        throng_steer_def seek = steer_of(THRONG_STEER_SEEK, 5.0f + (float)i);
        seek.point = (throng_vec2){20.0f, 20.0f};
        steered(&world, 20.0f, 20.0f, 0, seek);
        throng_crowd_step(world.crowd, DT);
        hashes[i] = throng_crowd_hash(world.crowd);
        fixture_destroy(&world);
    }
    assert_int_not_equal(hashes[0], hashes[1]);
}

static throng_result steer_one(void *context)
{
    (void)context;
    fixture world;
    fixture_options options = {.width = 20, .height = 20, .max_agents = 5};
    throng_result result = fixture_try(&world, options);
    throng_agent_id agent = {0, 0};
    if (result == THRONG_OK) {
        throng_spawn_def def = {.position = {3.0f, 3.0f}};
        result = throng_crowd_spawn(world.crowd, &def, &agent);
    }
    if (result == THRONG_OK) {
        throng_steer_def seek = steer_of(THRONG_STEER_SEEK, 1.0f);
        result = throng_crowd_steer(world.crowd, agent, &seek);
        throng_crowd_step(world.crowd, DT); // a refused order leaves a world that steps
    }
    fixture_destroy(&world);
    return result;
}

static void every_allocation_of_an_order_may_fail(void **ignored)
{
    (void)ignored;
    assert_true(test_every_allocation_fails(steer_one, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_who_seeks_goes_straight_there),
        TEST(one_who_flees_gets_away_and_then_rests),
        TEST(one_who_arrives_stops_at_the_point_and_is_done),
        TEST(one_who_pursues_meets_his_prey_sooner_than_one_who_seeks),
        TEST(one_who_evades_keeps_clear_where_one_who_flees_is_caught_up),
        TEST(one_who_follows_keeps_his_distance_behind),
        TEST(an_order_ends_when_the_one_it_is_about_is_gone),
        TEST(one_who_wanders_stays_in_his_range_and_goes_far),
        TEST(walls_ahead_are_avoided_before_they_are_touched),
        TEST(an_order_beside_a_goal_gives_way_to_it_when_it_ends),
        TEST(orders_that_make_no_sense_are_refused),
        TEST(a_snapshot_keeps_orders_to_the_bit),
        TEST(threads_do_not_change_what_orders_do),
        TEST(the_hash_sees_an_order),
        TEST(every_allocation_of_an_order_may_fail),
    };
    return RUN_TESTS(tests);
}
