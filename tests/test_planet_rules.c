/// Every local rule on a planet, on a face and across the corners of the cube; what planets refuse.
#include "planet_fixture.h"
#include <throng/replay.h>
#include <throng/steer.h>

#define DT (1.0f / 30.0f)

/// A crowd anew on the same planet, with other profiles.
static void remake(planet_world *world, int threads)
{
    throng_crowd_destroy(world->crowd);
    world->crowd = NULL;
    throng_crowd_def def = throng_default_crowd_def();
    if (threads > 1 && world->jobs == NULL) {
        assert_ok(throng_jobs_create(threads, &world->jobs));
    }
    def.map = throng_planet_map(world->planet);
    def.jobs = world->jobs;
    def.profiles = world->profiles;
    def.profile_count = PLANET_KINDS;
    def.max_agents = 400;
    assert_ok(throng_crowd_create(&def, &world->crowd));
}

static planet_world world_of(float radius)
{
    return planet_make(
        (planet_options){.side = 32, .radius = radius, .max_agents = 400, .one_kind = true});
}

/// A place so many metres along two axes from a middle.
static throng_vec3 beside(const planet_world *world, throng_vec3 middle, float right, float up)
{
    throng_vec3 at = planet_unit(middle), axis = {0.0f, 0.0f, 1.0f};
    float scale = 1.0f / throng_planet_radius(world->planet);
    throng_vec3 east =
        planet_unit((throng_vec3){axis.y * at.z - axis.z * at.y, axis.z * at.x - axis.x * at.z,
                                  axis.x * at.y - axis.y * at.x});
    throng_vec3 north = {at.y * east.z - at.z * east.y, at.z * east.x - at.x * east.z,
                         at.x * east.y - at.y * east.x};
    right *= scale;
    up *= scale;
    return planet_unit((throng_vec3){at.x + right * east.x + up * north.x,
                                     at.y + right * east.y + up * north.y,
                                     at.z + right * east.z + up * north.z});
}

/// Two blocks of 5 x 4 that swap sides at a place. Returns the seconds until all have arrived.
static float swap_at(planet_world *world, throng_vec3 middle, uint64_t *hash)
{
    throng_goal_id goals[2];
    for (int side = 0; side < 2; side++) {
        goals[side] = planet_goal(world, beside(world, middle, side == 0 ? 12 : -12, 0));
    }
    for (int i = 0; i < 40; i++) {
        int side = i & 1;
        float right = 9.0f + (float)(i / 2 % 5), up = (float)(i / 10) * 1.1f - 1.6f;
        planet_spawn(world, beside(world, middle, side == 0 ? -right : right, up), WALKER,
                     goals[side]);
    }
    throng_crowd_step(world->crowd, 0.0f);
    throng_crowd_solve_fields(world->crowd);
    int arrived = 0, step = 0;
    while (arrived < 40 && step < 1800) {
        throng_crowd_step(world->crowd, DT);
        throng_agents_view view = throng_crowd_agents(world->crowd);
        arrived = 0;
        for (int i = 0; i < view.count; i++) {
            arrived += view.status[i] == THRONG_ARRIVED;
        }
        step++;
    }
    *hash = throng_crowd_hash(world->crowd);
    return arrived == 40 ? (float)step * DT : 1e9f;
}

static void use_default(throng_profile_def *def)
{
    (void)def;
}

static void use_orca(throng_profile_def *def)
{
    def->orca = true;
}

static void use_horde(throng_profile_def *def)
{
    float radius = def->radius;
    int class_index = def->class_index;
    throng_profile_preset("horde", def);
    def->radius = radius;
    def->class_index = class_index;
}

static void use_flock(throng_profile_def *def)
{
    def->flock_alignment = 0.5f;
    def->flock_cohesion = 0.2f;
    def->flock_separation = 0.5f;
    def->flock_by_goal = true;
    def->flock_radius = 4.0f;
}

static void use_nearest(throng_profile_def *def)
{
    use_flock(def);
    def->flock_nearest = 4;
}

/// With each rule two blocks pass through each other, in about the same time on a face, an edge and
/// a corner, with the same bits on more threads.
static void two_blocks_swap_by_every_rule_everywhere(void **state)
{
    (void)state;
    static void (*const rules[])(throng_profile_def *) = {use_default, use_orca, use_horde,
                                                          use_flock, use_nearest};
    static const char *const names[] = {"default", "orca", "horde", "flock", "nearest"};
    const throng_vec3 middles[] = {{1, 0.05f, 0.02f}, {1, 1, 0.1f}, {1, 1, 1}, {-1, 1, -1}};
    for (int rule = 0; rule < 5; rule++) {
        float seconds[4];
        for (int i = 0; i < 4; i++) {
            uint64_t hash = 0, again = 0;
            planet_world world = world_of(60.0f);
            rules[rule](&world.profiles[WALKER]);
            remake(&world, 1);
            seconds[i] = swap_at(&world, middles[i], &hash);
            remake(&world, 3);
            swap_at(&world, middles[i], &again);
            assert_true(hash == again);
            planet_end(&world);
        }
        print_message("%s: %.1f %.1f %.1f %.1f s\n", names[rule], (double)seconds[0],
                      (double)seconds[1], (double)seconds[2], (double)seconds[3]);
        for (int i = 0; i < 4; i++) {
            assert_true(seconds[i] < 30.0f);
        }
    }
}

/// One is ordered straight at a pillar on an edge of the cube. Returns the least distance to it
/// within fifteen seconds, in *past how near it came to the place behind it, and in *speed how fast
/// it was when it first came within 0.6 m of the pillar.
static float run_at_a_pillar(void (*rule)(throng_profile_def *), float wall_weight, float *past,
                             float *speed)
{
    planet_world world = world_of(40.0f);
    assert_ok(throng_planet_paint(world.planet, (throng_vec3){1, 1, 0.05f}, 3.0f, THRONG_WALL));
    rule(&world.profiles[WALKER]);
    remake(&world, 1);
    const throng_goal_id none = {0, 0};
    throng_vec3 target = planet_unit((throng_vec3){0.6f, 1, 0.05f});
    throng_agent_id agent = planet_spawn(&world, (throng_vec3){1, 0.6f, 0.03f}, WALKER, none);
    throng_steer_def def = throng_default_steer_def();
    def.kind = THRONG_STEER_SEEK;
    def.point = throng_planet_position(world.planet, target);
    def.wall_weight = wall_weight;
    assert_ok(throng_crowd_steer(world.crowd, agent, &def));
    throng_map *map = throng_crowd_map(world.crowd);
    float nearest = 1e9f;
    *past = 1e9f;
    *speed = -1.0f;
    for (int step = 0; step < 450; step++) {
        throng_crowd_step(world.crowd, DT);
        throng_agents_view view = throng_crowd_agents(world.crowd);
        throng_vec2 at = {view.x[0], view.y[0]};
        nearest = fminf(nearest, throng_map_wall_distance(map, WALKER, at, 5.0f));
        if (nearest < 0.6f && *speed < 0.0f) {
            *speed = hypotf(view.vx[0], view.vy[0]);
        }
        *past =
            fminf(*past, throng_planet_distance(world.planet, planet_place_of(&world, 0), target));
    }
    planet_end(&world);
    return nearest;
}

static void use_wall_push(throng_profile_def *def)
{
    use_horde(def);
    def->wall_push = 0.5f;
    def->wall_reach = 0.5f;
}

static void walls_are_seen_before_they_are_touched(void **state)
{
    (void)state;
    float past, speed, radius = 0.4f;
    float plain = run_at_a_pillar(use_default, 0.0f, &past, &speed);
    print_message("plain: %.3f m, %.1f m short, %.2f m/s\n", (double)plain, (double)past,
                  (double)speed);
    assert_true(plain < radius + 0.01f && past > 5.0f && speed > 1.9f);
    run_at_a_pillar(use_default, 1.0f, &past, &speed);
    print_message("feelers: %.1f m short\n", (double)past);
    assert_true(past < 1.0f);
    run_at_a_pillar(use_orca, 0.0f, &past, &speed);
    print_message("orca: %.2f m/s\n", (double)speed);
    assert_true(speed > 0.0f && speed < 0.5f);
    run_at_a_pillar(use_wall_push, 0.0f, &past, &speed);
    print_message("wall push: %.2f m/s\n", (double)speed);
    assert_true(speed > 1.0f && speed < 1.8f); // a push of up to half its speed
}

static void a_wall_on_the_way_is_attacked(void **state)
{
    (void)state;
    planet_world world = world_of(40.0f);
    throng_class_def ways = throng_default_class_def();
    int breaker;
    ways.radius = throng_map_class(throng_planet_map(world.planet), WALKER).radius;
    ways.cost[THRONG_TREES] = 2.0f;
    assert_ok(throng_planet_add_class(world.planet, &ways, &breaker));
    world.profiles[WALKER].ways_of = breaker;
    // A ring of trees round the goal, which walkers do not pass and their ways do.
    throng_vec3 middle = {1, 1, 1};
    assert_ok(throng_planet_paint(world.planet, middle, 9.0f, THRONG_TREES));
    assert_ok(throng_planet_paint(world.planet, middle, 5.0f, THRONG_GROUND));
    remake(&world, 1);
    throng_goal_id goal = planet_goal(&world, middle);
    planet_spawn(&world, (throng_vec3){1, 0.6f, 0.6f}, WALKER, goal);
    throng_attack attack;
    int count = 0;
    for (int step = 0; step < 600 && count == 0; step++) {
        throng_crowd_step(world.crowd, DT);
        count = throng_crowd_attacks(world.crowd, &attack, 1);
    }
    assert_int_equal(count, 1);
    throng_map *map = throng_crowd_map(world.crowd);
    assert_int_equal(throng_map_terrain_at(map, attack.x, attack.y), THRONG_TREES);
    planet_end(&world);
}

static void what_planets_do_not_know_is_refused(void **state)
{
    (void)state;
    planet_world world = world_of(20.0f);
    throng_map *map = throng_planet_map(world.planet);
    assert_true(throng_map_planet(map) == world.planet);
    throng_goal_shape shape = throng_default_goal_shape();
    throng_vec2 points[THRONG_MAX_PLANET_GOALS + 1] = {{0}};
    shape.points = points;
    shape.point_count = 1;
    throng_field *field;
    assert_int_equal(throng_field_create(map, 0, &shape, THRONG_EIKONAL, &field),
                     THRONG_BAD_ARGUMENT);
    throng_paths_def paths_def = throng_default_paths_def();
    throng_paths *paths;
    paths_def.map = map;
    assert_int_equal(throng_paths_create(&paths_def, &paths), THRONG_BAD_ARGUMENT);
    throng_rooms_def rooms_def = throng_default_rooms_def();
    throng_rooms *rooms;
    throng_error error;
    assert_int_equal(throng_rooms_create(map, 0, &rooms_def, &rooms, &error), THRONG_BAD_ARGUMENT);
    throng_build_query query = throng_default_build_query();
    throng_build_answer answer;
    query.rect = (throng_cell_rect){1, 1, 1, 1};
    assert_int_equal(throng_query_build(map, &query, &answer), THRONG_BAD_ARGUMENT);

    throng_goal_def def = throng_default_goal_def();
    throng_goal_id goal;
    def.shape = shape;
    def.shape.point_count = THRONG_MAX_PLANET_GOALS + 1;
    assert_int_equal(throng_crowd_add_goal(world.crowd, &def, &goal), THRONG_BAD_ARGUMENT);
    def = throng_default_goal_def();
    def.slots.count = 4;
    def.slots.radius = 1.0f;
    def.slots.distance = 1.0f;
    assert_int_equal(throng_crowd_add_goal(world.crowd, &def, &goal), THRONG_BAD_ARGUMENT);

    throng_class_def class_def = throng_default_class_def();
    int index;
    class_def.radius = 8.0f;
    assert_ok(throng_planet_add_class(world.planet, &class_def, &index));
    world.profiles[WALKER].class_index = index;
    world.profiles[WALKER].radius = 6.0f;
    throng_crowd_def crowd_def = throng_default_crowd_def();
    crowd_def.map = map;
    crowd_def.profiles = world.profiles;
    crowd_def.profile_count = 1;
    throng_crowd *crowd = NULL;
    assert_int_equal(throng_crowd_create(&crowd_def, &crowd), THRONG_BAD_ARGUMENT);
    planet_end(&world);
}

/// All that a crowd on a planet takes memory for.
static throng_result live_once(void *context)
{
    (void)context;
    planet_world world;
    throng_result result =
        planet_try(&world, (planet_options){.side = 8, .radius = 20, .max_agents = 20});
    throng_goal_def def = throng_default_goal_def();
    throng_vec2 point = {3.0f, 3.0f};
    throng_goal_id goal = {0, 0};
    def.shape.points = &point;
    def.shape.point_count = 1;
    if (result == THRONG_OK) {
        result = throng_crowd_add_goal(world.crowd, &def, &goal);
    }
    throng_spawn_def spawn = {.position = {20.0f, 30.0f}, .goal = goal};
    if (result == THRONG_OK) {
        result = throng_crowd_spawn(world.crowd, &spawn, NULL);
    }
    uint64_t before = throng_allocation_count();
    for (int i = 0; i < 30 && result == THRONG_OK; i++) {
        throng_crowd_step(world.crowd, DT);
    }
    assert_true(throng_allocation_count() == before); // a step takes none
    planet_end(&world);
    return result;
}

static void memory_comes_back_whichever_allocation_fails(void **state)
{
    (void)state;
    assert_true(test_every_allocation_fails(live_once, NULL) >= 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_blocks_swap_by_every_rule_everywhere),
        cmocka_unit_test(walls_are_seen_before_they_are_touched),
        cmocka_unit_test(a_wall_on_the_way_is_attacked),
        cmocka_unit_test(what_planets_do_not_know_is_refused),
        cmocka_unit_test(memory_comes_back_whichever_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
