/// Blocks that rest are skipped, and nothing else depends on it: the same crowd twice, one of them
/// made to forget who rests before every step, has one hash.
#include "crowd/crowd.h"
#include "crowd_fixture.h"
#include "pass_on.h"

#define SIDE 64
#define SLEEPERS (SIDE * SIDE)

static const throng_goal_id nowhere = {0, 0};

static fixture make_crowd(void)
{
    fixture world =
        fixture_make((fixture_options){.width = 200, .height = 200, .max_agents = SLEEPERS + 100});
    for (int i = 0; i < SLEEPERS; i++) {
        fixture_spawn(&world, 12.0f + (float)(i % SIDE), 12.0f + (float)(i / SIDE), 0, nowhere);
    }
    return world;
}

static int count_resting(const fixture *world)
{
    int count = 0;
    for (int i = 0; i * THG_ROW_BLOCK < world->crowd->agent_count; i++) {
        count += thg_block_rests(world->crowd, i);
    }
    return count;
}

/// Steps both, and compares. Returns the most blocks that rested after a step of the first.
static int step_both(fixture worlds[2], int steps, float dt)
{
    int most = 0;
    for (int i = 0; i < steps; i++) {
        worlds[1].crowd->bins.known = false;
        throng_crowd_step(worlds[0].crowd, dt);
        throng_crowd_step(worlds[1].crowd, dt);
        most = thg_max_int(most, count_resting(&worlds[0]));
        if (dt < THG_MAX_SUBSTEP) {
            assert_int_equal(count_resting(&worlds[1]), 0);
        }
        assert_true(throng_crowd_hash(worlds[0].crowd) == throng_crowd_hash(worlds[1].crowd));
    }
    return most;
}

static void skipping_those_who_rest_changes_no_bit(void **ignored)
{
    (void)ignored;
    const float dt = 1.0f / 30.0f;
    const int blocks = SLEEPERS / THG_ROW_BLOCK;
    fixture worlds[2] = {make_crowd(), make_crowd()};
    assert_int_equal(step_both(worlds, 60, dt), blocks);

    // Somebody comes near, walks in and wakes some; the others go on sleeping.
    for (int i = 0; i < 2; i++) {
        throng_goal_id goal = fixture_goal(&worlds[i], 30.0f, 14.5f);
        fixture_spawn(&worlds[i], 3.0f, 14.5f, 0, goal);
    }
    int resting = step_both(worlds, 240, dt);
    assert_true(resting > 0 && resting < blocks + 1);

    // Orders, a jump among them, a wall on top of some, and steps of many substeps.
    for (int i = 0; i < 2; i++) {
        throng_crowd *crowd = worlds[i].crowd;
        int row = crowd->agent_count / 2;
        throng_agent_id one = throng_crowd_agents(crowd).id[row];
        assert_ok(throng_crowd_teleport(crowd, one, (throng_vec2){40.2f, 60.3f}));
        assert_ok(throng_crowd_edit_rect(crowd, (throng_cell_rect){90, 90, 6, 6}, THRONG_WALL));
    }
    step_both(worlds, 60, dt);
    step_both(worlds, 20, 0.5f);
    assert_true(step_both(worlds, 200, dt) > 0);

    // A crowd that packs round a point wakes by itself when others press in.
    for (int i = 0; i < 2; i++) {
        throng_goal_id goal = fixture_goal(&worlds[i], 88.0f, 88.0f);
        for (int k = 0; k < 60; k++) {
            fixture_spawn(&worlds[i], 84.0f + 0.9f * (float)(k % 8), 4.0f + (float)(k / 8), 0,
                          goal);
        }
    }
    step_both(worlds, 100, 0.5f);
    fixture_destroy(&worlds[0]);
    fixture_destroy(&worlds[1]);
}

static void rest_ends_with_a_restore(void **ignored)
{
    (void)ignored;
    fixture worlds[2] = {make_crowd(), make_crowd()};
    assert_true(step_both(worlds, 60, 1.0f / 30.0f) > 0);
    for (int i = 0; i < 2; i++) {
        pass_on(worlds[i].crowd, worlds[i].crowd);
        assert_int_equal(count_resting(&worlds[i]), 0);
    }
    assert_true(step_both(worlds, 30, 1.0f / 30.0f) > 0);
    fixture_destroy(&worlds[0]);
    fixture_destroy(&worlds[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(skipping_those_who_rest_changes_no_bit),
        TEST(rest_ends_with_a_restore),
    };
    return RUN_TESTS(tests);
}
