/// The soak: sixty seconds of random edits, spawns, orders, teleports and steps of any length.
///
/// What must always hold is checked after every step: finite, in no wall, no deeper than a tenth of
/// a radius; ids right; the same seed gives the same hash, on any number of threads.
#include "crowd_fixture.h"

static float random_dt(uint32_t *seed)
{
    switch (fixture_random(seed) % 12) {
    case 0:
        return 1.0f / 240.0f;
    case 1:
        return fixture_random_in(seed, 0.0f, 0.5f);
    case 2:
        return fixture_random(seed) % 20 == 0 ? 5.0f : 0.2f;
    default:
        return 1.0f / 30.0f;
    }
}

static void random_command(fixture *world, throng_agent_id *agents, const throng_goal_id *goals,
                           uint32_t *seed)
{
    int who = (int)(fixture_random(seed) % 400);
    throng_vec2 place = fixture_random_place(seed, -3.0f, 43.0f);
    throng_goal_id goal = goals[fixture_random(seed) % 4];
    throng_spawn_def def = {.position = place, .profile = who % 2, .goal = goal};
    throng_cell_rect rect = {(int)(fixture_random(seed) % 90) - 5,
                             (int)(fixture_random(seed) % 90) - 5, (int)(fixture_random(seed) % 12),
                             (int)(fixture_random(seed) % 12)};
    switch (fixture_random(seed) % 8) {
    case 0:
        throng_crowd_edit_rect(world->crowd, rect, THRONG_WALL);
        break;
    case 1:
    case 2:
        rect.width *= 2;
        rect.height *= 2;
        throng_crowd_edit_rect(world->crowd, rect, THRONG_GROUND);
        break;
    case 3:
        throng_crowd_remove(world->crowd, agents[who]);
        break;
    case 4:
        throng_crowd_teleport(world->crowd, agents[who], place);
        break;
    case 5:
        throng_crowd_order(world->crowd, agents[who], goal);
        break;
    default:
        if (throng_crowd_find(world->crowd, agents[who]) < 0) {
            throng_result result = throng_crowd_spawn(world->crowd, &def, &agents[who]);
            assert_true(result == THRONG_OK || result == THRONG_LIMIT);
        }
    }
}

static uint64_t soak(int threads, float seconds, float speed)
{
    fixture world = fixture_make((fixture_options){.width = 80,
                                                   .height = 80,
                                                   .max_agents = 350,
                                                   .threads = threads,
                                                   .slow_speed = speed,
                                                   .boxes = true,
                                                   .field_cell_budget = 3000});
    throng_goal_def exit_def = throng_default_goal_def();
    throng_rect rect = {{0.0f, 0.0f}, {2.0f, 40.0f}};
    exit_def.shape.rects = &rect;
    exit_def.shape.rect_count = 1;
    exit_def.remove_on_arrival = true;
    throng_goal_id goals[4] = {
        {0, 0}, fixture_goal(&world, 38.0f, 20.0f), fixture_goal(&world, 20.0f, 38.0f)};
    assert_ok(throng_crowd_add_goal(world.crowd, &exit_def, &goals[3]));
    throng_agent_id agents[400] = {{0, 0}};
    uint32_t seed = 2026;
    while (throng_crowd_time(world.crowd) < (double)seconds) {
        for (int i = (int)(fixture_random(&seed) % 12); i > 0; i--) {
            random_command(&world, agents, goals, &seed);
        }
        throng_crowd_step(world.crowd, random_dt(&seed));
        fixture_check_invariants(&world);
    }
    uint64_t hash = throng_crowd_hash(world.crowd);
    assert_true(throng_crowd_agents(world.crowd).count > 0);
    fixture_destroy(&world);
    assert_int_equal(throng_live_bytes(), 0);
    return hash;
}

static void sixty_seconds_of_anything_break_nothing_on_any_number_of_threads(void **ignored)
{
    (void)ignored;
    uint64_t expected = soak(1, 60.0f, 1.0f);
    assert_int_equal(soak(2, 60.0f, 1.0f), expected);
    assert_int_equal(soak(5, 60.0f, 1.0f), expected);
}

static void forty_metres_a_second_end_in_no_wall(void **ignored)
{
    (void)ignored;
    uint64_t expected = soak(1, 20.0f, 40.0f);
    assert_int_equal(soak(3, 20.0f, 40.0f), expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sixty_seconds_of_anything_break_nothing_on_any_number_of_threads),
        TEST(forty_metres_a_second_end_in_no_wall),
    };
    return RUN_TESTS(tests);
}
