/// Gates: where a map has them, that one-way traffic does not notice, and that two crowds pass.
#include "crowd_fixture.h"
#include "pass_on.h"

#include "crowd/crowd.h"
#include <throng/replay.h>
#include <throng_io/world.h>

static const fixture_options options = {.width = 80, .height = 80, .max_agents = 200};
static const float DT = 1.0f / 30.0f;

/// The fixture's world with walls in its cells; gates are found at the next step.
static fixture walled(const throng_cell_rect *walls, int count)
{
    fixture world = fixture_make(options);
    for (int i = 0; i < count; i++) {
        assert_ok(throng_crowd_edit_rect(world.crowd, walls[i], THRONG_WALL));
    }
    throng_crowd_step(world.crowd, DT);
    return world;
}

/// A wall two cells thick along x = 19.5 m with a gap of four cells (2 m) in its middle.
static fixture two_rooms(void)
{
    const throng_cell_rect walls[] = {{39, 0, 2, 38}, {39, 42, 2, 38}};
    return walled(walls, 2);
}

static void a_gap_in_a_wall_is_one_gate(void **ignored)
{
    (void)ignored;
    fixture world = two_rooms();
    throng_gate gate;
    assert_int_equal(throng_crowd_gates(world.crowd, &gate, 1), 1);
    assert_float_equal(gate.width, 2.0f, 0.1f);
    assert_float_equal(gate.length, 1.0f, 0.6f);
    assert_int_equal(gate.mouth_count, 2);
    assert_float_equal(0.5f * (gate.from.y + gate.to.y), 20.0f, 0.3f);
    assert_float_equal(0.5f * (gate.from.x + gate.to.x), 20.0f, 0.5f);
    assert_int_equal(gate.mode, THRONG_GATE_FREE);
    fixture_destroy(&world);
}

static void a_slanted_gap_is_one_gate_of_its_width(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(options);
    // A wall along the diagonal, five cells thick, open for four cells in the middle.
    for (int i = 0; i < 80; i++) {
        if (i < 38 || i >= 42) {
            throng_cell_rect rect = {i - 2, 79 - i, 5, 1};
            assert_ok(throng_crowd_edit_rect(world.crowd, rect, THRONG_WALL));
        }
    }
    throng_crowd_step(world.crowd, DT);
    throng_gate gates[8];
    assert_int_equal(throng_crowd_gates(world.crowd, gates, 8), 1);
    assert_true(gates[0].width > 1.9f && gates[0].width < 3.5f);
    fixture_destroy(&world);
}

static void corners_pillars_and_dead_ends_are_none(void **ignored)
{
    (void)ignored;
    // A room's corner by two walls, a pillar two metres from another, a niche of a metre.
    const throng_cell_rect walls[] = {{0, 20, 20, 2},  {50, 50, 3, 3},  {50, 57, 3, 3},
                                      {60, 10, 10, 2}, {60, 14, 10, 2}, {68, 10, 2, 6}};
    fixture world = walled(walls, 6);
    assert_int_equal(throng_crowd_gates(world.crowd, NULL, 0), 0);
    fixture_destroy(&world);
}

static void a_wall_that_closes_the_gap_ends_the_gate(void **ignored)
{
    (void)ignored;
    fixture world = two_rooms();
    assert_ok(throng_crowd_edit_rect(world.crowd, (throng_cell_rect){39, 38, 2, 4}, THRONG_WALL));
    throng_crowd_step(world.crowd, DT);
    assert_int_equal(throng_crowd_gates(world.crowd, NULL, 0), 0);
    assert_ok(throng_crowd_edit_rect(world.crowd, (throng_cell_rect){39, 38, 2, 4}, THRONG_GROUND));
    throng_crowd_step(world.crowd, DT);
    assert_int_equal(throng_crowd_gates(world.crowd, NULL, 0), 1);
    fixture_destroy(&world);
}

/// Blocks of agents on one side or on both, with goals behind the other.
static void send_through(fixture *world, int a_side, bool both)
{
    throng_goal_id east = fixture_goal(world, 34.0f, 20.0f);
    throng_goal_id west = fixture_goal(world, 6.0f, 20.0f);
    for (int i = 0; i < a_side; i++) {
        float x = (float)(i / 8), y = 16.5f + (float)(i % 8);
        fixture_spawn(world, 18.0f - x, y, 0, east);
        if (both) {
            fixture_spawn(world, 22.0f + x, y, 0, west);
        }
    }
    throng_crowd_solve_fields(world->crowd);
}

static int busiest_mode(const fixture *world)
{
    throng_gate gate;
    assert_int_equal(throng_crowd_gates(world->crowd, &gate, 1), 1);
    return gate.mode;
}

static void one_way_traffic_never_meets_a_token(void **ignored)
{
    (void)ignored;
    fixture world = two_rooms();
    send_through(&world, 40, false);
    for (int i = 0; i < 600; i++) {
        throng_crowd_step(world.crowd, DT);
        assert_int_equal(busiest_mode(&world), THRONG_GATE_FREE);
    }
    fixture_destroy(&world);
}

/// How many are on the side they came for.
static int across(const fixture *world, uint16_t goal, bool east)
{
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    int count = 0;
    for (int i = 0; i < agents.count; i++) {
        count += agents.goal[i] == goal && (agents.x[i] > 20.5f) == east;
    }
    return count;
}

static void two_crowds_pass_one_gap_in_turns(void **ignored)
{
    (void)ignored;
    fixture world = two_rooms();
    send_through(&world, 40, true);
    bool token = false, changed = false;
    int owner = -1;
    for (int i = 0; i < 30 * 70; i++) {
        throng_crowd_step(world.crowd, DT);
        throng_gate gate;
        throng_crowd_gates(world.crowd, &gate, 1);
        token = token || gate.mode == THRONG_GATE_TOKEN;
        changed = changed || (owner >= 0 && gate.owner >= 0 && gate.owner != owner);
        owner = gate.owner >= 0 ? gate.owner : owner;
    }
    assert_true(token);
    assert_true(changed);
    assert_int_equal(across(&world, 1, true), 40);
    assert_int_equal(across(&world, 2, false), 40);
    assert_int_equal(busiest_mode(&world), THRONG_GATE_FREE);
    fixture_destroy(&world);
}

static void waiting_for_a_turn_is_not_being_stuck(void **ignored)
{
    (void)ignored;
    fixture world = two_rooms();
    send_through(&world, 40, true);
    int stuck = 0;
    for (int i = 0; i < 30 * 40; i++) {
        throng_crowd_step(world.crowd, DT);
        int count;
        const throng_event *events = throng_crowd_events(world.crowd, &count);
        for (int k = 0; k < count; k++) {
            stuck += events[k].kind == THRONG_EVENT_STUCK;
        }
    }
    assert_true(stuck <= 4);
    fixture_destroy(&world);
}

static void a_token_goes_on_after_a_restore_with_the_same_hashes(void **ignored)
{
    (void)ignored;
    fixture world = two_rooms(), other = fixture_make(options);
    send_through(&world, 40, true);
    for (int i = 0; i < 300; i++) {
        throng_crowd_step(world.crowd, DT);
    }
    assert_int_equal(busiest_mode(&world), THRONG_GATE_TOKEN);
    for (int pending = 0; pending < 2; pending++) {
        if (pending) { // an edit that the next step looks at, elsewhere: the token stays
            assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){2, 2, 2, 2}, THRONG_WALL));
        }
        pass_on(world.crowd, other.crowd);
        for (int i = 0; i < 200; i++) {
            throng_crowd_step(world.crowd, DT);
            throng_crowd_step(other.crowd, DT);
            assert_int_equal(throng_crowd_hash(other.crowd), throng_crowd_hash(world.crowd));
        }
        assert_int_equal(busiest_mode(&other), THRONG_GATE_TOKEN);
    }
    fixture_destroy(&world);
    fixture_destroy(&other);
}

static uint64_t hash_after_turns(int threads)
{
    fixture_options with = options;
    with.threads = threads;
    fixture world = fixture_make(with);
    assert_ok(throng_crowd_edit_rect(world.crowd, (throng_cell_rect){39, 0, 2, 38}, THRONG_WALL));
    assert_ok(throng_crowd_edit_rect(world.crowd, (throng_cell_rect){39, 42, 2, 38}, THRONG_WALL));
    throng_crowd_step(world.crowd, DT);
    send_through(&world, 40, true);
    for (int i = 0; i < 400; i++) {
        throng_crowd_step(world.crowd, DT);
    }
    assert_int_equal(busiest_mode(&world), THRONG_GATE_TOKEN);
    uint64_t hash = throng_crowd_hash(world.crowd);
    fixture_destroy(&world);
    return hash;
}

static void threads_do_not_change_whose_turn_it_is(void **ignored)
{
    (void)ignored;
    uint64_t hash = hash_after_turns(1);
    assert_int_equal(hash_after_turns(2), hash);
    assert_int_equal(hash_after_turns(4), hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_gap_in_a_wall_is_one_gate),
        TEST(a_slanted_gap_is_one_gate_of_its_width),
        TEST(corners_pillars_and_dead_ends_are_none),
        TEST(a_wall_that_closes_the_gap_ends_the_gate),
        TEST(one_way_traffic_never_meets_a_token),
        TEST(two_crowds_pass_one_gap_in_turns),
        TEST(waiting_for_a_turn_is_not_being_stuck),
        TEST(a_token_goes_on_after_a_restore_with_the_same_hashes),
        TEST(threads_do_not_change_whose_turn_it_is),
    };
    return RUN_TESTS(tests);
}
