/// Walls that break: who attacks which cell, and what happens when the host opens it.
#include "crowd_fixture.h"

#include <throng_io/world.h>

#define DT (1.0f / 30.0f)

enum { PEASANT, RAIDER };

typedef struct siege {
    throng_map *map;
    throng_crowd *crowd;
    throng_goal_id goal;
    int wood;
    throng_profile_def profiles[2];
} siege;

/// 20 x 10 m of 0.5 m cells; a wall from x = 10 to 11 with 2 m of wood in its middle, no way round.
static siege make(throng_route_method method)
{
    siege made = {0};
    throng_map_def map_def = throng_default_map_def();
    map_def.width = 40;
    map_def.height = 20;
    map_def.cell_size = 0.5f;
    assert_ok(throng_map_create(&map_def, &made.map));
    assert_ok(throng_map_terrain(made.map, "wood", &made.wood));
    assert_ok(throng_map_edit_rect(made.map, (throng_cell_rect){20, 0, 2, 20}, THRONG_WALL));
    assert_ok(throng_map_edit_rect(made.map, (throng_cell_rect){20, 8, 2, 4}, made.wood));
    int foot, ram, wide;
    throng_class_def def = throng_default_class_def();
    def.cost[made.wood] = 0.0f;
    assert_ok(throng_map_add_class(made.map, &def, &foot));
    def.cost[made.wood] = 5.0f;
    assert_ok(throng_map_add_class(made.map, &def, &ram));
    def.radius = 0.5f;
    assert_ok(throng_map_add_class(made.map, &def, &wide));
    throng_map_update(made.map);
    made.profiles[PEASANT] = made.profiles[RAIDER] = throng_default_profile_def();
    made.profiles[RAIDER].ways_of = ram;
    throng_crowd_def crowd_def = throng_default_crowd_def();
    crowd_def.map = made.map;
    crowd_def.profiles = made.profiles;
    crowd_def.profile_count = 2;
    assert_ok(throng_crowd_create(&crowd_def, &made.crowd));
    throng_vec2 point = {17.0f, 5.0f};
    throng_goal_def goal = throng_default_goal_def();
    goal.shape.points = &point;
    goal.shape.point_count = 1;
    goal.method = method;
    assert_ok(throng_crowd_add_goal(made.crowd, &goal, &made.goal));
    return made;
}

static void end(siege *made)
{
    throng_crowd_destroy(made->crowd);
    throng_map_destroy(made->map);
    assert_int_equal(throng_live_bytes(), 0);
}

static throng_agent_id spawn(siege *made, int profile, float y)
{
    throng_spawn_def def = {.position = {5.0f, y}, .profile = profile, .goal = made->goal};
    throng_agent_id agent;
    assert_ok(throng_crowd_spawn(made->crowd, &def, &agent));
    return agent;
}

static void run(siege *made, int steps)
{
    for (int i = 0; i < steps; i++) {
        throng_crowd_step(made->crowd, DT);
    }
}

static int status_of(const siege *made, throng_agent_id agent)
{
    int row = throng_crowd_find(made->crowd, agent);
    assert_true(row >= 0);
    return throng_crowd_agents(made->crowd).status[row];
}

static void a_raider_attacks_wood_and_gets_through_when_it_is_opened(void **state)
{
    (void)state;
    static const throng_route_method methods[] = {THRONG_ROUTE_FIELD, THRONG_ROUTE_TILES,
                                                  THRONG_ROUTE_PATH};
    for (int m = 0; m < 3; m++) {
        siege made = make(methods[m]);
        throng_agent_id raider = spawn(&made, RAIDER, 5.0f), peasant = spawn(&made, PEASANT, 2.0f);
        throng_attack attacks[4];
        run(&made, 2);
        assert_int_equal(throng_crowd_attacks(made.crowd, attacks, 4), 0); // too far away
        assert_int_equal(status_of(&made, peasant), THRONG_CUT_OFF);
        assert_int_equal(status_of(&made, raider), THRONG_WALKING);
        run(&made, 30 * 5);
        uint64_t hash = throng_crowd_hash(made.crowd);
        assert_int_equal(throng_crowd_attacks(made.crowd, NULL, 0), 1);
        assert_int_equal(throng_crowd_attacks(made.crowd, attacks, 4), 1);
        assert_true(throng_crowd_hash(made.crowd) == hash);
        assert_int_equal(attacks[0].agent.slot, raider.slot);
        assert_int_equal(attacks[0].x, 20);
        assert_in_range(attacks[0].y, 8, 11);
        assert_int_equal(throng_map_terrain_at(made.map, attacks[0].x, attacks[0].y), made.wood);
        // The host opens what is attacked, cell by cell, until the way is wide enough.
        int opened = 0;
        for (int i = 0; i < 30 * 20; i++) {
            if (throng_crowd_attacks(made.crowd, attacks, 4) > 0) {
                throng_cell_rect cell = {attacks[0].x, attacks[0].y, 1, 1};
                assert_ok(throng_crowd_edit_rect(made.crowd, cell, THRONG_GROUND));
                opened++;
            }
            throng_crowd_step(made.crowd, DT);
        }
        print_message("%s: through after %d cells\n", throng_route_name(methods[m]), opened);
        assert_in_range(opened, 3, 8); // two deep, and wider than one for a disc of 0.8 m
        assert_int_equal(status_of(&made, raider), THRONG_ARRIVED);
        end(&made);
    }
}

static void only_ways_of_the_same_radius_are_taken(void **state)
{
    (void)state;
    siege made = make(THRONG_ROUTE_FIELD);
    throng_crowd_def def = throng_default_crowd_def();
    def.map = made.map;
    def.profiles = made.profiles;
    def.profile_count = 2;
    static const int bad[] = {-2, 2, 3, 1000};
    for (int i = 0; i < 4; i++) {
        throng_crowd *crowd = NULL;
        made.profiles[RAIDER].ways_of = bad[i];
        assert_int_equal(throng_crowd_create(&def, &crowd), THRONG_BAD_ARGUMENT);
    }
    end(&made);
}

static void print_failed(void *context, const throng_check_line *line)
{
    (void)context;
    if (!line->passed) {
        print_error("%s: %g, bound %g\n", line->name, line->value, line->bound);
    }
}

static void raiders_break_through_and_peasants_walk_round(void **state)
{
    (void)state;
    char path[512];
    throng_scene *scene = NULL;
    throng_check_result result;
    throng_error error = {0};
    test_source_path(path, sizeof path, "scenes/siege.json");
    assert_ok_or(throng_scene_load(path, &scene, &error), &error);
    assert_ok_or(throng_scene_check(scene, NULL, print_failed, NULL, &result, &error), &error);
    assert_int_equal(result.passed, 8);
    assert_int_equal(result.failed, 0);
    throng_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_raider_attacks_wood_and_gets_through_when_it_is_opened),
        TEST(only_ways_of_the_same_radius_are_taken),
        TEST(raiders_break_through_and_peasants_walk_round),
    };
    return RUN_TESTS(tests);
}
