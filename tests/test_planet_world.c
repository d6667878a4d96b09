/// Planets as worlds: the same bits on all threads and kernels and after a restore, walls that
/// hold, edits, goals that move, and each local rule across the edges of the cube.
#include "pass_on.h"
#include "planet_fixture.h"
#include <throng/replay.h>
#include <throng/steer.h>

#define DT (1.0f / 30.0f)

static const throng_vec3 nowhere_near = {-1, 0.2f, -0.1f};

/// Agents of all kinds on places that fit them, each kind to a goal of its own.
static void populate(planet_world *world, int count, uint64_t seed)
{
    const throng_vec3 places[PLANET_KINDS] = {{0.3f, 1, 0.9f}, {0, 0.2f, -1}, {-1, -0.3f, 0.1f}};
    throng_goal_id goals[PLANET_KINDS];
    for (int kind = 0; kind < PLANET_KINDS; kind++) {
        goals[kind] = planet_goal(world, places[kind]);
    }
    for (int spawned = 0; spawned < count;) {
        int kind = spawned % PLANET_KINDS;
        throng_vec3 place = planet_random_place(&seed);
        int cell = throng_planet_cell_at(world->planet, place);
        if (throng_planet_fits(world->planet, kind, cell)) {
            planet_spawn(world, place, kind, goals[kind]);
            spawned++;
        }
    }
}

static uint64_t hash_after(planet_options options, int steps)
{
    planet_world world = planet_make(options);
    populate(&world, options.max_agents, 7);
    for (int step = 0; step < steps; step++) {
        throng_crowd_step(world.crowd, DT);
    }
    uint64_t hash = throng_crowd_hash(world.crowd);
    planet_end(&world);
    return hash;
}

static void threads_and_kernels_give_one_hash(void **state)
{
    (void)state;
    planet_options options = {.side = 32, .radius = 40, .max_agents = 3000, .has_water = true};
    uint64_t hash = hash_after(options, 60);
    print_message("found 0x%llxu\n", (unsigned long long)hash);
    for (int threads = 2; threads <= 5; threads++) {
        options.threads = threads;
        assert_true(hash_after(options, 60) == hash);
    }
    options.threads = 2;
    for (int kernels = THRONG_KERNELS_SCALAR; kernels <= THRONG_KERNELS_AVX512; kernels++) {
        options.kernels = (throng_kernels)kernels;
        assert_true(!throng_kernels_available(options.kernels) || hash_after(options, 60) == hash);
    }
}

// ---- Snapshots --------------------------------------------------------------------------------

/// Restores a snapshot of one world in a second; both must go on as one.
static void goes_on_alike(planet_world *world, const planet_options *options)
{
    planet_world other = planet_make(*options);
    pass_on(world->crowd, other.crowd);
    for (int step = 0; step < 40; step++) {
        throng_crowd_step(world->crowd, DT);
        throng_crowd_step(other.crowd, DT);
        assert_true(throng_crowd_hash(other.crowd) == throng_crowd_hash(world->crowd));
    }
    planet_end(&other);
}

static void a_restored_world_goes_on_as_if_nothing_had_happened(void **state)
{
    (void)state;
    planet_options options = {
        .side = 32, .radius = 40, .max_agents = 301, .field_cell_budget = 8000, .has_water = true};
    planet_world world = planet_make(options);
    populate(&world, 300, 5);
    goes_on_alike(&world, &options); // before the first step
    goes_on_alike(&world, &options); // while fields are solved
    throng_crowd_solve_fields(world.crowd);
    goes_on_alike(&world, &options);
    throng_goal_id goal = planet_goal(&world, (throng_vec3){0, 1, 0.1f});
    planet_spawn(&world, (throng_vec3){0.3f, 1, 0}, HOVER, goal);
    for (int i = 0; i < 4; i++) {
        throng_vec3 place = {0.1f * (float)i, 1, 0.2f};
        throng_vec2 point = throng_planet_position(world.planet, place);
        assert_ok(throng_crowd_move_goal(world.crowd, goal, point));
        throng_crowd_edit_rect(world.crowd, (throng_cell_rect){8, 8 + 30 * i, 3, 3}, THRONG_WALL);
        goes_on_alike(&world, &options); // while the terrain and the goal are new
    }
    planet_end(&world);
}

static void a_snapshot_of_another_planet_is_refused(void **state)
{
    (void)state;
    planet_options options = {.side = 16, .radius = 40, .max_agents = 10};
    planet_world world = planet_make(options);
    options.radius = 40.5f;
    planet_world other = planet_make(options);
    void *data;
    size_t size;
    throng_error error;
    assert_ok(throng_crowd_snapshot(world.crowd, &data, &size));
    assert_int_equal(throng_crowd_restore(other.crowd, data, size, &error), THRONG_BAD_DATA);
    throng_snapshot_free(data, size);
    planet_end(&world);
    planet_end(&other);
}

// ---- Walls ------------------------------------------------------------------------------------

/// Fails unless every agent is in a cell free for it and no deeper in a wall than a tenth of its
/// radius.
static void walls_must_hold(const planet_world *world)
{
    throng_agents_view view = throng_crowd_agents(world->crowd);
    throng_map *map = throng_crowd_map(world->crowd);
    for (int i = 0; i < view.count; i++) {
        throng_vec2 at = {view.x[i], view.y[i]};
        int x, y, class_index = world->profiles[view.profile[i]].class_index;
        assert_true(isfinite(at.x) && isfinite(at.y) && isfinite(view.vx[i] + view.vy[i]));
        assert_true(throng_map_cell_at(map, at, &x, &y));
        assert_false(throng_map_blocked(map, class_index, x, y));
        float free = throng_map_wall_distance(map, class_index, at, view.radius[i]);
        assert_true(free >= 0.9f * view.radius[i]);
    }
}

static void walls_hold_in_a_crush_wherever_they_are(void **state)
{
    (void)state;
    planet_world world =
        planet_make((planet_options){.side = 24, .radius = 25, .max_agents = 500, .size = 1.2f});
    uint64_t seed = 12;
    for (int i = 0; i < 60; i++) { // pillars, on edges and corners too
        throng_vec3 place = planet_random_place(&seed);
        place = i < 8 ? (throng_vec3){i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1} : place;
        assert_ok(throng_planet_paint(world.planet, place, 1.2f, THRONG_WALL));
    }
    throng_goal_id goal = planet_goal(&world, (throng_vec3){1, 0.95f, 0.9f});
    for (int i = 0; i < 500; i++) {
        planet_spawn(&world, planet_random_place(&seed), i % PLANET_KINDS, goal);
    }
    for (int step = 0; step < 600; step++) {
        throng_crowd_step(world.crowd, step == 300 ? 5.0f : DT);
        walls_must_hold(&world);
    }
    planet_end(&world);
}

static int count_status(const planet_world *world, throng_status status)
{
    throng_agents_view view = throng_crowd_agents(world->crowd);
    int count = 0;
    for (int i = 0; i < view.count; i++) {
        count += view.status[i] == status;
    }
    return count;
}

static void a_wall_round_the_planet_cuts_off_until_it_opens(void **state)
{
    (void)state;
    planet_world world = planet_make(
        (planet_options){.side = 32, .radius = 40, .max_agents = 100, .field_cell_budget = 65536});
    throng_goal_id goal = planet_goal(&world, nowhere_near);
    uint64_t seed = 3;
    for (int i = 0; i < 100; i++) {
        throng_vec3 place = planet_random_place(&seed);
        place.x = fabsf(place.x) + 1.2f;
        planet_spawn(&world, place, i % PLANET_KINDS, goal);
    }
    for (int step = 0; step < 60; step++) {
        throng_crowd_step(world.crowd, DT);
    }
    assert_int_equal(count_status(&world, THRONG_WALKING), 100);
    // The edges of face 0 are closed all round: a ring of cells on each side of the four.
    int side = 32;
    throng_cell_rect rects[4] = {
        {0, 0, side, 1}, {0, side - 1, side, 1}, {0, 0, 1, side}, {side - 1, 0, 1, side}};
    for (int i = 0; i < 4; i++) {
        assert_ok(throng_crowd_edit_rect(world.crowd, rects[i], THRONG_WALL));
    }
    for (int step = 0; step < 30; step++) {
        throng_crowd_step(world.crowd, DT);
        walls_must_hold(&world);
    }
    int outside = 0;
    throng_agents_view view = throng_crowd_agents(world.crowd);
    for (int i = 0; i < view.count; i++) {
        outside += view.y[i] >= (float)side * throng_map_cell_size(throng_crowd_map(world.crowd));
    }
    print_message("%d outside\n", outside);
    assert_int_equal(count_status(&world, THRONG_CUT_OFF), 100 - outside);
    assert_true(outside < 50);
    throng_cell_rect gate = {14, 0, 4, 1};
    assert_ok(throng_crowd_edit_rect(world.crowd, gate, THRONG_GROUND));
    for (int step = 0; step < 30; step++) {
        throng_crowd_step(world.crowd, DT);
    }
    assert_int_equal(count_status(&world, THRONG_CUT_OFF), 0);
    planet_end(&world);
}

// ---- Goals and orders -------------------------------------------------------------------------

/// How near two come to each other in so many steps, metres.
static float nearest_of(const planet_world *world, throng_agent_id one, throng_agent_id other,
                        int steps)
{
    float nearest = 1e9f;
    for (int step = 0; step < steps; step++) {
        throng_crowd_step(world->crowd, DT);
        throng_vec3 a = planet_place_of(world, throng_crowd_find(world->crowd, one));
        throng_vec3 b = planet_place_of(world, throng_crowd_find(world->crowd, other));
        nearest = fminf(nearest, throng_planet_distance(world->planet, a, b));
    }
    return nearest;
}

static void a_goal_that_an_agent_carries_round_a_corner_is_caught(void **state)
{
    (void)state;
    planet_world world =
        planet_make((planet_options){.side = 32, .radius = 40, .max_agents = 20, .one_kind = true});
    throng_goal_id away = planet_goal(&world, (throng_vec3){-0.2f, 0.9f, 1});
    throng_agent_id hare = planet_spawn(&world, (throng_vec3){1, 0.9f, 0.8f}, WALKER, away);
    throng_goal_id goal = planet_goal(&world, (throng_vec3){1, 0, 0});
    throng_agent_id hound = planet_spawn(&world, (throng_vec3){1, 0.5f, 0.3f}, HOVER, goal);
    assert_ok(throng_crowd_follow(world.crowd, goal, hare));
    float nearest = nearest_of(&world, hare, hound, 1200);
    print_message("nearest %.2f m\n", (double)nearest);
    assert_true(nearest < 1.0f);
    planet_end(&world);
}

static void teleports_and_driven_agents_stay_on_the_sphere(void **state)
{
    (void)state;
    planet_world world = planet_make((planet_options){.side = 16, .radius = 20, .max_agents = 4});
    throng_crowd_destroy(world.crowd);
    world.profiles[HOVER].kinematic = true;
    throng_crowd_def def = throng_default_crowd_def();
    def.map = throng_planet_map(world.planet);
    def.profiles = world.profiles;
    def.profile_count = PLANET_KINDS;
    def.max_agents = 4;
    assert_ok(throng_crowd_create(&def, &world.crowd));
    const throng_goal_id none = {0, 0};
    throng_vec3 start = planet_unit((throng_vec3){1, 0.1f, 0.2f});
    throng_agent_id agent = planet_spawn(&world, start, HOVER, none);
    throng_crowd_step(world.crowd, DT);
    // Once round the world at 3 m/s, over six faces' edges or fewer, and back again.
    throng_vec2 at = throng_planet_position(world.planet, start);
    throng_vec2 way = throng_planet_lay(world.planet, at, (throng_vec3){0, 2.0f, 2.2f});
    assert_ok(throng_crowd_move_kinematic(world.crowd, agent, at, way));
    float round = 2.0f * 3.14159265f * 20.0f, farthest = 0.0f;
    float speed = hypotf(way.x, way.y);
    throng_vec3 place = start;
    for (int step = 0; step < (int)(round / speed / DT); step++) {
        throng_crowd_step(world.crowd, DT);
        throng_vec3 next = planet_place_of(&world, throng_crowd_find(world.crowd, agent));
        float metres = throng_planet_distance(world.planet, place, next);
        assert_true(fabsf(metres - speed * DT) < 1e-4f);
        farthest = fmaxf(farthest, throng_planet_distance(world.planet, start, next));
        place = next;
    }
    assert_true(farthest > 0.49f * round);
    assert_true(throng_planet_distance(world.planet, start, place) < 0.3f);
    throng_vec3 other = planet_unit((throng_vec3){-0.3f, -0.8f, -1});
    assert_ok(
        throng_crowd_teleport(world.crowd, agent, throng_planet_position(world.planet, other)));
    throng_crowd_step(world.crowd, 0.0f);
    place = planet_place_of(&world, throng_crowd_find(world.crowd, agent));
    assert_true(throng_planet_distance(world.planet, other, place) < 1e-3f);
    planet_end(&world);
}

static void a_pursuer_meets_its_prey_beyond_an_edge(void **state)
{
    (void)state;
    planet_world world = planet_make((planet_options){.side = 32, .radius = 40, .max_agents = 4});
    throng_goal_id away = planet_goal(&world, (throng_vec3){-1, 0.6f, 0.2f});
    const throng_goal_id none = {0, 0};
    throng_agent_id prey = planet_spawn(&world, (throng_vec3){1, 0.6f, 0.1f}, WALKER, away);
    throng_agent_id hunter = planet_spawn(&world, (throng_vec3){0.3f, 1, 0.9f}, HOVER, none);
    throng_steer_def def = throng_default_steer_def();
    def.kind = THRONG_STEER_PURSUE;
    def.agent = prey;
    throng_crowd_step(world.crowd, DT);
    assert_ok(throng_crowd_steer(world.crowd, hunter, &def));
    float nearest = nearest_of(&world, hunter, prey, 500);
    assert_true(nearest < 1.2f);
    planet_end(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_kernels_give_one_hash),
        cmocka_unit_test(a_restored_world_goes_on_as_if_nothing_had_happened),
        cmocka_unit_test(a_snapshot_of_another_planet_is_refused),
        cmocka_unit_test(walls_hold_in_a_crush_wherever_they_are),
        cmocka_unit_test(a_wall_round_the_planet_cuts_off_until_it_opens),
        cmocka_unit_test(a_goal_that_an_agent_carries_round_a_corner_is_caught),
        cmocka_unit_test(teleports_and_driven_agents_stay_on_the_sphere),
        cmocka_unit_test(a_pursuer_meets_its_prey_beyond_an_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
