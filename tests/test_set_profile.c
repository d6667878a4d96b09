/// Profiles that change while a crowd walks: as if they had always been so, refused as at creation,
/// and kept by snapshots.
#include "crowd_fixture.h"
#include "pass_on.h"

#include "crowd/crowd.h"

#define DT (1.0f / 30.0f)

static const fixture_options options = {
    .width = 60, .height = 60, .max_agents = 200, .boxes = true, .field_cell_budget = 4000};

static void run(const fixture *world, int steps)
{
    for (int i = 0; i < steps; i++) {
        throng_crowd_step(world->crowd, DT);
    }
}

/// Two streams of both profiles that meet, some who stand, and a gap between them.
static void fill(fixture *world)
{
    throng_goal_id goals[2] = {fixture_goal(world, 27.0f, 14.0f), fixture_goal(world, 3.0f, 14.0f)};
    uint32_t seed = 3;
    assert_ok(throng_crowd_edit_rect(world->crowd, (throng_cell_rect){30, 0, 2, 26}, THRONG_WALL));
    assert_ok(throng_crowd_edit_rect(world->crowd, (throng_cell_rect){30, 30, 2, 30}, THRONG_WALL));
    for (int i = 0; i < 120; i++) {
        throng_vec2 place = fixture_random_place(&seed, 2.0f, 28.0f);
        throng_goal_id none = {0, 0};
        fixture_spawn(world, place.x, place.y, i % 2,
                      i % 10 == 0 ? none : goals[place.x > 15.0f ? 1 : 0]);
    }
}

static void set_number(throng_profile_def *def, const throng_profile_number *number, float share)
{
    throng_profile_set(def, number, number->low + share * (number->high - number->low));
    if (strcmp(number->name, "radius") == 0) {
        def->radius = 0.22f; // smaller than the others by a level, and within its class
    } else if (strcmp(number->name, "mass") == 0) {
        def->mass = 0.7f;
    } else if (number->kind == THRONG_PROFILE_FLAG || number->high > 100.0f) {
        throng_profile_set(def, number, throng_profile_get(def, number) == 0.0f ? 1.0f : 0.0f);
    }
    if (strcmp(number->name, "acceleration") == 0) {
        def->acceleration = 1.0f;
    }
}

static void expect_same_agents(const fixture *a, const fixture *b)
{
    throng_agents_view first = throng_crowd_agents(a->crowd);
    throng_agents_view other = throng_crowd_agents(b->crowd);
    size_t count = (size_t)first.count;
    assert_int_equal(first.count, other.count);
    assert_memory_equal(first.id, other.id, count * sizeof *first.id);
    assert_memory_equal(first.x, other.x, count * sizeof *first.x);
    assert_memory_equal(first.y, other.y, count * sizeof *first.y);
    assert_memory_equal(first.vx, other.vx, count * sizeof *first.vx);
    assert_memory_equal(first.radius, other.radius, count * sizeof *first.radius);
    assert_memory_equal(first.status, other.status, count);
}

/// A crowd that was made with other profiles, as a crowd whose profiles a command changes.
static fixture made_with(fixture_options with, const throng_profile_def profiles[2])
{
    fixture world = fixture_make(with);
    throng_crowd_destroy(world.crowd);
    throng_crowd_def def = throng_default_crowd_def();
    def.map = world.map;
    def.profiles = profiles;
    def.profile_count = 2;
    def.max_agents = with.max_agents;
    def.field_cell_budget = with.field_cell_budget;
    assert_ok(throng_crowd_create(&def, &world.crowd));
    return world;
}

/// With all links of the chain on, so that every number has something to say.
static throng_profile_def full_profile(void)
{
    throng_profile_def def;
    assert_true(throng_profile_preset("horde", &def));
    def.radius = 0.3f;
    def.avoidance_weight = 0.5f;
    def.density_slowdown = 0.5f;
    def.flock_alignment = def.flock_cohesion = def.flock_separation = 0.5f;
    def.wander_weight = def.wall_weight = 0.3f;
    def.following = 0.6f;
    return def;
}

/// Makes two crowds that must agree, one of them by a command; true when it walks as `plain`.
static bool changes_nothing(const fixture *plain, const throng_profile_def profiles[2], bool late)
{
    fixture made = made_with(options, profiles), changed = made_with(options, plain->profiles);
    if (late) { // those who are there have the old numbers for a moment
        fill(&changed);
    }
    assert_ok(throng_crowd_set_profile(changed.crowd, 1, &profiles[1]));
    if (!late) {
        fill(&changed);
    }
    fill(&made);
    run(&made, 45);
    run(&changed, 45);
    expect_same_agents(&made, &changed);
    throng_agents_view after = throng_crowd_agents(changed.crowd);
    throng_agents_view before = throng_crowd_agents(plain->crowd);
    bool same = after.count == before.count &&
                memcmp(after.x, before.x, (size_t)before.count * sizeof *before.x) == 0;
    fixture_destroy(&made);
    fixture_destroy(&changed);
    return same;
}

/// Every number, one after the other: the same bits as a crowd that was made so.
static void every_number_changes_as_if_it_had_always_been_so(void **ignored)
{
    (void)ignored;
    int count;
    const throng_profile_number *numbers = throng_profile_numbers(&count);
    bool moved[64] = {false};
    for (int pass = 0; pass < 2; pass++) {
        throng_profile_def base[2] = {full_profile(), full_profile()};
        base[1].orca = pass == 1;
        fixture plain = made_with(options, base);
        memcpy(plain.profiles, base, sizeof base);
        fill(&plain);
        run(&plain, 45);
        for (int i = 0; i < count; i++) {
            throng_profile_def profiles[2] = {base[0], base[1]};
            set_number(&profiles[1], &numbers[i], 0.37f);
            bool grows = strcmp(numbers[i].name, "radius") == 0; // a spawn looks at it at once
            if (!profiles[1].kinematic) { // who are driven cannot be sent: a test of its own
                moved[i] = !changes_nothing(&plain, profiles, !grows) || moved[i];
            }
        }
        fixture_destroy(&plain);
    }
    int all = 0;
    for (int i = 0; i < count; i++) {
        all += moved[i];
        if (!moved[i]) {
            print_message("%s changes nothing here\n", numbers[i].name);
        }
    }
    assert_true(all >= count - 8);
}

/// In the midst of things, all at once and back again.
static void a_crowd_in_full_swing_goes_on_with_other_numbers(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(options);
    fill(&world);
    run(&world, 60);
    throng_profile_def slow = world.profiles[0], kept = slow;
    slow.speed = 0.5f;
    slow.gates = false;
    slow.orca = true;
    slow.radius = 0.15f;
    uint64_t hash = throng_crowd_hash(world.crowd);
    assert_ok(throng_crowd_set_profile(world.crowd, 0, &slow));
    assert_true(throng_crowd_profile(world.crowd, 0).speed == kept.speed); // not before the step
    throng_crowd_step(world.crowd, 0.0f);
    assert_true(throng_crowd_profile(world.crowd, 0).speed == 0.5f);
    assert_int_not_equal(throng_crowd_hash(world.crowd), hash);
    run(&world, 30);
    throng_agents_view agents = throng_crowd_agents(world.crowd);
    for (int i = 0; i < agents.count; i++) {
        float speed = sqrtf(agents.vx[i] * agents.vx[i] + agents.vy[i] * agents.vy[i]);
        if (agents.profile[i] == 0) {
            assert_true(agents.radius[i] == 0.15f);
            assert_true(speed < 0.8f); // 0.5, and a push
        }
    }
    fixture_check_invariants(&world);
    assert_ok(throng_crowd_set_profile(world.crowd, 0, &kept)); // larger again, among walls
    for (int i = 0; i < 60; i++) {
        run(&world, 1);
        fixture_check_invariants(&world);
    }
    assert_int_equal(throng_crowd_agents(world.crowd).count, 120);
    fixture_destroy(&world);
    assert_int_equal(throng_live_bytes(), 0);
}

static void bad_profiles_are_refused_as_at_creation(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(options);
    fill(&world);
    run(&world, 5);
    int count;
    const throng_profile_number *numbers = throng_profile_numbers(&count);
    uint64_t hash = throng_crowd_hash(world.crowd);
    for (int i = 0; i < count; i++) {
        bool whole = numbers[i].kind != THRONG_PROFILE_NUMBER;
        float beyond = whole ? 1.0f : 0.01f * (numbers[i].high - numbers[i].low);
        float values[] = {numbers[i].low - beyond, numbers[i].high + beyond, NAN, INFINITY};
        for (int k = 0; k < (whole ? 2 : 4) && numbers[i].kind != THRONG_PROFILE_FLAG; k++) {
            throng_profile_def def = world.profiles[0];
            throng_profile_set(&def, &numbers[i], values[k]);
            assert_int_equal(throng_crowd_set_profile(world.crowd, 0, &def), THRONG_BAD_ARGUMENT);
        }
    }
    throng_profile_def def = world.profiles[0];
    assert_int_equal(throng_crowd_set_profile(world.crowd, -1, &def), THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_crowd_set_profile(world.crowd, 2, &def), THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_crowd_set_profile(world.crowd, 0, NULL), THRONG_BAD_ARGUMENT);
    def.radius = 0.6f; // its class has no room for it
    assert_int_equal(throng_crowd_set_profile(world.crowd, 0, &def), THRONG_BAD_ARGUMENT);
    def = world.profiles[0];
    def.mass = 1e-4f;
    assert_int_equal(throng_crowd_set_profile(world.crowd, 0, &def), THRONG_BAD_ARGUMENT);
    def = world.profiles[0];
    def.cookie = 0;
    assert_int_equal(throng_crowd_set_profile(world.crowd, 0, &def), THRONG_BAD_ARGUMENT);
    def = world.profiles[0];
    def.class_index = 1;
    assert_int_equal(throng_crowd_set_profile(world.crowd, 0, &def), THRONG_BAD_ARGUMENT);
    def = world.profiles[0];
    def.ways_of = 0;
    assert_int_equal(throng_crowd_set_profile(world.crowd, 0, &def), THRONG_BAD_ARGUMENT);
    assert_ok(throng_crowd_set_profile(world.crowd, 0, &world.profiles[0])); // nothing differs
    throng_crowd_step(world.crowd, 0.0f);
    fixture same = fixture_make(options);
    fill(&same);
    run(&same, 5);
    assert_int_equal(throng_crowd_hash(same.crowd), hash);
    throng_crowd_step(same.crowd, 0.0f);
    assert_int_equal(throng_crowd_hash(world.crowd), throng_crowd_hash(same.crowd));
    fixture_destroy(&same);
    fixture_destroy(&world);
}

/// Before the change, with it queued, and after it; into a crowd that was never told of it.
static void snapshots_know_the_profiles(void **ignored)
{
    (void)ignored;
    for (int moment = 0; moment < 2; moment++) {
        fixture world = fixture_make(options), other = fixture_make(options);
        fill(&world);
        run(&world, 20);
        throng_profile_def def = world.profiles[1];
        def.speed = 3.0f;
        def.radius = 0.1f;
        def.gates = false;
        def.speed_spread = 0.5f;
        assert_ok(throng_crowd_set_profile(world.crowd, 1, &def));
        if (moment == 1) {
            run(&world, 7);
        }
        pass_on(world.crowd, other.crowd);
        for (int i = 0; i < 40; i++) {
            run(&world, 1);
            run(&other, 1);
            assert_int_equal(throng_crowd_hash(other.crowd), throng_crowd_hash(world.crowd));
        }
        assert_true(throng_crowd_profile(other.crowd, 1).speed == 3.0f);
        // What is refused is judged by what is queued, on both sides.
        def.kinematic = true;
        throng_goal_id goal = fixture_goal(&other, 4.0f, 4.0f);
        throng_spawn_def spawn = {.position = {3.0f, 3.0f}, .profile = 1, .goal = goal};
        assert_ok(throng_crowd_set_profile(other.crowd, 1, &def));
        assert_int_equal(throng_crowd_spawn(other.crowd, &spawn, NULL), THRONG_BAD_ARGUMENT);
        pass_on(other.crowd, world.crowd);
        assert_int_equal(throng_crowd_spawn(world.crowd, &spawn, NULL), THRONG_BAD_ARGUMENT);
        fixture_destroy(&world);
        fixture_destroy(&other);
    }
    assert_int_equal(throng_live_bytes(), 0);
}

static uint64_t changed_hash(int threads, throng_kernels kernels)
{
    fixture_options with = options;
    with.threads = threads;
    with.kernels = kernels;
    fixture world = fixture_make(with);
    fill(&world);
    run(&world, 30);
    throng_profile_def def = world.profiles[0];
    def.radius = 0.12f;
    def.speed_deviation = 0.2f;
    def.flock_cohesion = 1.0f;
    def.priority = 3;
    assert_ok(throng_crowd_set_profile(world.crowd, 0, &def));
    run(&world, 60);
    uint64_t hash = throng_crowd_hash(world.crowd);
    fixture_destroy(&world);
    return hash;
}

static void a_change_is_the_same_with_any_threads_and_kernels(void **ignored)
{
    (void)ignored;
    uint64_t expected = changed_hash(1, THRONG_KERNELS_SCALAR);
    for (int threads = 1; threads <= 5; threads += 2) {
        for (int kernels = THRONG_KERNELS_SCALAR; kernels <= THRONG_KERNELS_AVX512; kernels++) {
            if (throng_kernels_available((throng_kernels)kernels)) {
                assert_int_equal(changed_hash(threads, (throng_kernels)kernels), expected);
            }
        }
    }
}

/// Those on their way stand and are the host's; let go inside a wall, they come out of it.
static void who_becomes_kinematic_is_the_hosts_and_comes_back_out_of_walls(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(options);
    throng_goal_id goal = fixture_goal(&world, 25.0f, 5.0f);
    throng_agent_id agent = fixture_spawn(&world, 5.0f, 5.0f, 0, goal);
    assert_ok(throng_crowd_edit_rect(world.crowd, (throng_cell_rect){40, 30, 10, 10}, THRONG_WALL));
    run(&world, 10);
    throng_profile_def def = world.profiles[0];
    def.kinematic = true;
    throng_vec2 rest = {0.0f, 0.0f};
    assert_int_equal(throng_crowd_move_kinematic(world.crowd, agent, rest, rest),
                     THRONG_BAD_ARGUMENT);
    assert_ok(throng_crowd_set_profile(world.crowd, 0, &def));
    assert_int_equal(throng_crowd_order(world.crowd, agent, goal), THRONG_BAD_ARGUMENT);
    assert_ok(throng_crowd_move_kinematic(world.crowd, agent, (throng_vec2){22.5f, 17.5f}, rest));
    run(&world, 5);
    throng_agents_view agents = throng_crowd_agents(world.crowd);
    assert_int_equal(agents.goal[0], 0);
    assert_true(agents.x[0] == 22.5f && agents.y[0] == 17.5f);
    def.kinematic = false;
    assert_ok(throng_crowd_set_profile(world.crowd, 0, &def));
    assert_int_equal(throng_crowd_move_kinematic(world.crowd, agent, rest, rest),
                     THRONG_BAD_ARGUMENT);
    assert_ok(throng_crowd_order(world.crowd, agent, goal));
    run(&world, 1);
    fixture_check_invariants(&world);
    run(&world, 500);
    agents = throng_crowd_agents(world.crowd);
    assert_int_equal(agents.status[0], THRONG_ARRIVED);
    fixture_destroy(&world);
}

/// Those who have arrived stay so; what their goal reckons of their areas is right again.
static void who_has_arrived_may_grow_and_leave(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make((fixture_options){.width = 60, .height = 60, .max_agents = 60});
    throng_goal_id goal = fixture_goal(&world, 15.0f, 15.0f);
    throng_profile_def small = world.profiles[0];
    small.radius = 0.15f;
    assert_ok(throng_crowd_set_profile(world.crowd, 0, &small));
    throng_agent_id ids[40];
    for (int i = 0; i < 40; i++) {
        ids[i] = fixture_spawn(&world, 10.0f + (float)(i % 8), 10.0f + (float)(i / 8), 0, goal);
    }
    run(&world, 600);
    const thg_goal *inside = &world.crowd->goals[goal.slot];
    assert_int_equal(inside->agent_area, 40 * 150 * 150);
    assert_true(inside->settled_area > 30 * 150 * 150);
    assert_ok(throng_crowd_set_profile(world.crowd, 0, &world.profiles[0]));
    run(&world, 60);
    assert_int_equal(inside->agent_area, 40 * 400 * 400);
    assert_true(fixture_closest(&world) > 0.8f);
    for (int i = 0; i < 40; i++) {
        assert_ok(throng_crowd_remove(world.crowd, ids[i]));
    }
    run(&world, 1);
    assert_int_equal(inside->agent_area, 0);
    assert_int_equal(inside->settled_area, 0);
    fixture_destroy(&world);
}

static throng_result make_and_change(void *context)
{
    fixture world;
    (void)context;
    fixture_options tiny = {.width = 12, .height = 12, .max_agents = 4};
    throng_result result = fixture_try(&world, tiny);
    if (result == THRONG_OK) {
        throng_profile_def def = world.profiles[0], kept = world.profiles[0];
        def.radius = 0.06f; // many more bins
        uint64_t hash = throng_crowd_hash(world.crowd);
        result = throng_crowd_set_profile(world.crowd, 0, &def);
        throng_crowd_step(world.crowd, 0.0f);
        if (result != THRONG_OK) {
            assert_true(throng_crowd_profile(world.crowd, 0).radius == kept.radius);
            assert_int_not_equal(throng_crowd_hash(world.crowd), hash); // but for the step
            assert_int_equal(world.crowd->profiles[0].changed, false);
        } else {
            assert_true(throng_crowd_profile(world.crowd, 0).radius == 0.06f);
        }
    }
    fixture_destroy(&world);
    return result;
}

static void without_memory_nothing_is_queued(void **ignored)
{
    (void)ignored;
    assert_true(test_every_allocation_fails(make_and_change, NULL) > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_number_changes_as_if_it_had_always_been_so),
        TEST(a_crowd_in_full_swing_goes_on_with_other_numbers),
        TEST(bad_profiles_are_refused_as_at_creation),
        TEST(snapshots_know_the_profiles),
        TEST(a_change_is_the_same_with_any_threads_and_kernels),
        TEST(who_becomes_kinematic_is_the_hosts_and_comes_back_out_of_walls),
        TEST(who_has_arrived_may_grow_and_leave),
        TEST(without_memory_nothing_is_queued),
    };
    return RUN_TESTS(tests);
}
