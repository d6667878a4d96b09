/// Contact states: each rule alone, seen from outside.
#include "crowd_fixture.h"

#include "crowd/crowd.h"

#define DT (1.0f / 30.0f)

static const fixture_options small = {.width = 80, .height = 80, .max_agents = 200};

/// A fixture whose profiles come from the caller: the first as given, the second likewise.
static fixture make(throng_profile_def first, throng_profile_def second)
{
    fixture world = {0};
    throng_map_def map_def = throng_default_map_def();
    map_def.width = small.width;
    map_def.height = small.height;
    map_def.cell_size = 0.5f;
    assert_ok(throng_map_create(&map_def, &world.map));
    throng_class_def class_def = throng_default_class_def();
    class_def.radius = 1.5f;
    int class_index;
    assert_ok(throng_map_add_class(world.map, &class_def, &class_index));
    world.profiles[0] = first;
    world.profiles[1] = second;
    throng_crowd_def def = throng_default_crowd_def();
    def.map = world.map;
    def.profiles = world.profiles;
    def.profile_count = 2;
    def.max_agents = small.max_agents;
    assert_ok(throng_crowd_create(&def, &world.crowd));
    return world;
}

/// Probes and nothing else: neither separation nor anticipation.
static throng_profile_def prober(void)
{
    throng_profile_def def = throng_default_profile_def();
    def.separation_weight = 0.0f;
    def.avoidance_weight = 0.0f;
    def.density_slowdown = 0.0f;
    def.probe_length = 0.6f;
    return def;
}

static uint8_t contact_of(const fixture *world, throng_agent_id agent)
{
    return throng_crowd_agents(world->crowd).contact[throng_crowd_find(world->crowd, agent)];
}

static throng_vec2 place_of(const fixture *world, throng_agent_id agent)
{
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    int row = throng_crowd_find(world->crowd, agent);
    return (throng_vec2){agents.x[row], agents.y[row]};
}

static void who_wants_to_stand_is_never_waiting(void **state)
{
    (void)state;
    throng_profile_def still = prober();
    still.speed = 0.0f;
    fixture world = make(still, prober());
    throng_goal_id goal = fixture_goal(&world, 35.0f, 20.0f);
    throng_agent_id agent = fixture_spawn(&world, 10.0f, 20.0f, 0, goal);
    for (int i = 0; i < 20; i++) { // a wall of others ahead, as near as can be
        fixture_spawn(&world, 11.0f + 0.82f * (float)(i % 4), 16.0f + 0.82f * (float)(i / 2), 0,
                      (throng_goal_id){0, 0});
    }
    for (int i = 0; i < 60; i++) {
        throng_crowd_step(world.crowd, DT);
        assert_int_equal(contact_of(&world, agent), THRONG_CONTACT_WALKING);
    }
    fixture_destroy(&world);
}

static void one_who_stands_ahead_is_dodged(void **state)
{
    (void)state;
    fixture world = make(prober(), prober());
    throng_goal_id goal = fixture_goal(&world, 35.0f, 20.0f);
    throng_agent_id agent = fixture_spawn(&world, 10.0f, 20.0f, 0, goal);
    throng_agent_id other = fixture_spawn(&world, 14.0f, 20.1f, 1, (throng_goal_id){0, 0});
    bool dodged = false;
    for (int i = 0; i < 200; i++) {
        throng_crowd_step(world.crowd, DT);
        dodged = dodged || contact_of(&world, agent) == THRONG_CONTACT_DODGING;
    }
    assert_true(dodged);
    assert_true(place_of(&world, agent).x > place_of(&world, other).x + 1.0f);
    fixture_destroy(&world);
}

static void of_two_who_meet_the_lower_slot_goes_on(void **state)
{
    (void)state;
    throng_profile_def def = prober();
    def.head_on = true;
    fixture world = make(def, def);
    throng_goal_id east = fixture_goal(&world, 30.0f, 20.0f);
    throng_goal_id west = fixture_goal(&world, 10.0f, 20.0f);
    throng_agent_id lower = fixture_spawn(&world, 12.0f, 20.0f, 0, east);
    throng_agent_id higher = fixture_spawn(&world, 28.0f, 20.0f, 0, west);
    assert_true(lower.slot < higher.slot);
    bool dodged = false;
    for (int i = 0; i < 300; i++) {
        throng_crowd_step(world.crowd, DT);
        assert_int_equal(contact_of(&world, lower), THRONG_CONTACT_WALKING);
        dodged = dodged || contact_of(&world, higher) == THRONG_CONTACT_DODGING;
    }
    assert_true(dodged);
    assert_true(place_of(&world, lower).x > 29.0f);
    assert_true(place_of(&world, higher).x < 11.0f);
    fixture_destroy(&world);
}

/// What a fast one makes of a big slow one that goes the same way close ahead.
static uint8_t contact_behind_a_big_one(bool overtaking)
{
    throng_profile_def fast = prober(), big = throng_default_profile_def();
    fast.overtaking = overtaking;
    big.radius = 1.25f;
    big.speed = 0.6f;
    fixture world = make(fast, big);
    throng_goal_id goal = fixture_goal(&world, 38.0f, 20.0f);
    throng_agent_id agent = fixture_spawn(&world, 9.2f, 20.0f, 0, goal);
    fixture_spawn(&world, 11.0f, 20.0f, 1, goal);
    throng_crowd_step(world.crowd, DT);
    uint8_t contact = contact_of(&world, agent);
    fixture_destroy(&world);
    return contact;
}

static void one_overtaken_closes_no_side_from_straight_ahead(void **state)
{
    (void)state;
    assert_int_equal(contact_behind_a_big_one(false), THRONG_CONTACT_WAITING);
    assert_int_equal(contact_behind_a_big_one(true), THRONG_CONTACT_DODGING);
}

static void a_big_slow_one_is_overtaken(void **state)
{
    (void)state;
    throng_profile_def fast = prober(), big = throng_default_profile_def();
    fast.overtaking = true;
    fast.patience = 60.0f;
    big.radius = 1.25f;
    big.speed = 0.6f;
    fixture world = make(fast, big);
    throng_goal_id goal = fixture_goal(&world, 38.0f, 20.0f);
    throng_agent_id agent = fixture_spawn(&world, 6.0f, 20.0f, 0, goal);
    throng_agent_id slow = fixture_spawn(&world, 11.0f, 20.0f, 1, goal);
    for (int i = 0; i < 300; i++) {
        throng_crowd_step(world.crowd, DT);
    }
    assert_true(place_of(&world, agent).x > place_of(&world, slow).x + 3.0f);
    fixture_destroy(&world);
}

/// How far a small one that stands off the way of a big one has been moved when it is past.
static float moved_aside(float shove)
{
    throng_profile_def small_one = prober(), big = prober();
    small_one.speed = 0.3f;
    big.radius = 1.25f;
    big.speed = 1.1f;
    big.shove = shove;
    fixture world = make(small_one, big);
    throng_goal_id goal = fixture_goal(&world, 38.0f, 20.0f);
    fixture_spawn(&world, 10.0f, 20.0f, 1, goal);
    throng_goal_id own = fixture_goal(&world, 38.0f, 20.9f);
    throng_agent_id agent = fixture_spawn(&world, 12.5f, 20.9f, 0, own);
    float most = 0.0f;
    for (int i = 0; i < 30; i++) {
        throng_crowd_step(world.crowd, DT);
        float y = place_of(&world, agent).y;
        most = y > most ? y : most;
    }
    fixture_destroy(&world);
    return most - 20.9f;
}

static void the_big_push_the_small_aside(void **state)
{
    (void)state;
    float with = moved_aside(1.0f), without = moved_aside(0.0f);
    print_message("  aside by %.3f m, without %.3f m\n", (double)with, (double)without);
    assert_true(with > without + 0.05f);
}

static void nobody_changes_sides_for_one_neighbour(void **state)
{
    (void)state;
    int changes[2];
    for (int k = 0; k < 2; k++) {
        throng_profile_def def = prober();
        def.side_neighbours = k == 0 ? 0 : 3;
        fixture world = make(def, def);
        throng_goal_id goal = fixture_goal(&world, 38.0f, 20.0f);
        uint32_t seed = 3;
        for (int i = 0; i < 60; i++) { // who stands is a forest to go through
            throng_vec2 place = fixture_random_place(&seed, 12.0f, 28.0f);
            fixture_spawn(&world, place.x, place.y, 1, (throng_goal_id){0, 0});
        }
        for (int i = 0; i < 60; i++) {
            throng_vec2 place = fixture_random_place(&seed, 2.0f, 12.0f);
            fixture_spawn(&world, place.x, place.y + 13.0f, 0, goal);
        }
        uint8_t before[201] = {0};
        changes[k] = 0;
        for (int i = 0; i < 400; i++) {
            throng_crowd_step(world.crowd, DT);
            for (int row = 0; row < world.crowd->agent_count; row++) {
                uint32_t slot = world.crowd->columns.slot[row];
                uint8_t side = world.crowd->columns.side[row];
                changes[k] += before[slot] != 0 && side != 0 && side != before[slot];
                before[slot] = side;
            }
        }
        fixture_destroy(&world);
    }
    print_message("  %d changes of side, %d without hysteresis\n", changes[1], changes[0]);
    assert_true(changes[0] > 0);
    assert_true(2 * changes[1] < changes[0]);
}

static void an_inner_corner_pushes_no_harder_than_a_wall(void **state)
{
    (void)state;
    throng_profile_def def = prober();
    def.wall_push = 1.0f;
    def.wall_reach = 1.0f;
    fixture world = make(def, def);
    // Walls along the left and the top edges of a nook at cell (20, 20).
    assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){10, 10, 10, 40}, THRONG_WALL));
    assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){10, 10, 40, 10}, THRONG_WALL));
    throng_map_update(world.map);
    const thg_profile *profile = &world.crowd->profiles[0];
    float x, y, corner_x, corner_y;
    thg_walls_repel(world.map, profile, 10.0f + 0.7f, 20.0f, &x, &y); // beside one wall
    thg_walls_repel(world.map, profile, 10.0f + 0.7f, 10.0f + 0.7f, &corner_x, &corner_y);
    assert_float_equal(y, 0.0f, 1e-6f);
    assert_float_equal(x, 0.7f, 1e-4f); // 0.3 m off, of a reach of 1 m
    assert_float_equal(sqrtf(corner_x * corner_x + corner_y * corner_y), x, 1e-4f);
    assert_float_equal(corner_x, corner_y, 1e-5f);
    // An outer corner pushes along the line from it.
    thg_walls_repel(world.map, profile, 25.0f + 0.5f, 10.0f + 0.5f, &x, &y);
    assert_true(x > 0.0f && y > 0.0f);
    thg_walls_repel(world.map, profile, 30.0f, 30.0f, &x, &y); // far from all
    assert_true(x == 0.0f && y == 0.0f);
    fixture_destroy(&world);
}

/// Metres that the first step moves one of two who are nearly on one point.
static float first_push(float cap)
{
    throng_profile_def def = throng_default_profile_def();
    def.push_cap = cap;
    fixture world = make(def, def);
    throng_agent_id agent = fixture_spawn(&world, 20.0f, 20.0f, 0, (throng_goal_id){0, 0});
    fixture_spawn(&world, 20.1f, 20.0f, 0, (throng_goal_id){0, 0});
    throng_crowd_step(world.crowd, DT);
    throng_vec2 place = place_of(&world, agent);
    fixture_destroy(&world);
    return 20.0f - place.x;
}

static void the_cap_limits_what_contacts_move(void **state)
{
    (void)state;
    float free = first_push(0.0f), capped = first_push(0.05f);
    print_message("  %.3f m, capped %.3f m\n", (double)free, (double)capped);
    assert_true(free > 0.2f);
    assert_true(capped > 0.04f && capped < 0.06f); // the cap, and a step's own start
}

static void density_ahead_slows_down_and_behind_does_not(void **state)
{
    (void)state;
    throng_profile_def def = prober();
    def.probe_length = 0.0f;
    def.density_free = 0.6f;
    def.density_full = 1.3f;
    def.speed = 1.0f;
    fixture world = make(def, def);
    throng_goal_id goal = fixture_goal(&world, 38.0f, 20.0f);
    for (int column = 0; column < 10; column++) {
        for (int row = 0; row < 10; row++) {
            fixture_spawn(&world, 10.0f + 0.85f * (float)column, 16.0f + 0.85f * (float)row, 0,
                          goal);
        }
    }
    for (int i = 0; i < 8; i++) {
        throng_crowd_step(world.crowd, DT);
    }
    throng_agents_view agents = throng_crowd_agents(world.crowd);
    float front = 0.0f, back = 0.0f;
    int fronts = 0, backs = 0;
    for (int row = 0; row < agents.count; row++) {
        if (agents.x[row] > 17.4f) {
            front += agents.vx[row];
            fronts++;
        } else if (agents.x[row] < 12.0f) {
            back += agents.vx[row];
            backs++;
        }
    }
    assert_true(fronts > 0 && backs > 0);
    assert_true(front / (float)fronts > 0.8f);
    assert_true(back / (float)backs < front / (float)fronts - 0.1f);
    fixture_destroy(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_wants_to_stand_is_never_waiting),
        TEST(one_who_stands_ahead_is_dodged),
        TEST(of_two_who_meet_the_lower_slot_goes_on),
        TEST(one_overtaken_closes_no_side_from_straight_ahead),
        TEST(a_big_slow_one_is_overtaken),
        TEST(the_big_push_the_small_aside),
        TEST(nobody_changes_sides_for_one_neighbour),
        TEST(an_inner_corner_pushes_no_harder_than_a_wall),
        TEST(the_cap_limits_what_contacts_move),
        TEST(density_ahead_slows_down_and_behind_does_not),
    };
    return RUN_TESTS(tests);
}
