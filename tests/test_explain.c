/// Explanations: the terms of a step add up to the way made, each is what its rule says, and taking
/// notes changes no bit.
#include "crowd_fixture.h"
#include "scene_fixture.h"

#include "pass_on.h"
#include <throng/explain.h>

#define DT (1.0f / 30.0f)

static throng_vec2 sum_of(const throng_motives *motives, int first, int last)
{
    throng_vec2 sum = {0.0f, 0.0f};
    for (int i = first; i <= last; i++) {
        sum.x += motives->terms[i].x;
        sum.y += motives->terms[i].y;
    }
    return sum;
}

static float size_of(throng_vec2 a)
{
    return sqrtf(a.x * a.x + a.y * a.y);
}

static void assert_same(throng_vec2 a, throng_vec2 b, float tolerance)
{
    assert_near(a.x, b.x, tolerance);
    assert_near(a.y, b.y, tolerance);
}

static throng_motives explain(const throng_crowd *crowd, throng_agent_id agent)
{
    throng_motives motives;
    assert_true(throng_crowd_explain(crowd, agent, &motives));
    return motives;
}

// ---- Scenes -------------------------------------------------------------------------------------

static throng_world *open_scene(const char *name, throng_scene **scene)
{
    char path[512];
    throng_error error = {0};
    assert_ok_or(throng_scene_load(test_source_path(path, sizeof path, name), scene, &error),
                 &error);
    return make_good(*scene, 0);
}

typedef struct seen {
    throng_agent_id id;
    throng_vec2 at, velocity;
} seen;

/// Where everybody is, so that the way made is known from outside.
static int look(const throng_crowd *crowd, seen *all)
{
    throng_agents_view agents = throng_crowd_agents(crowd);
    for (int i = 0; i < agents.count; i++) {
        all[i] = (seen){agents.id[i], {agents.x[i], agents.y[i]}, {agents.vx[i], agents.vy[i]}};
    }
    return agents.count;
}

/// Metres made, seen from where it began.
static throng_vec2 way_from(const throng_crowd *crowd, throng_vec2 from, throng_vec2 to)
{
    const throng_planet *planet = throng_map_planet(throng_crowd_map(crowd));
    if (planet == NULL) {
        return (throng_vec2){to.x - from.x, to.y - from.y};
    }
    throng_vec3 a = throng_planet_place(planet, from), b = throng_planet_place(planet, to);
    float distance = throng_planet_distance(planet, a, b);
    throng_vec2 way = throng_planet_lay(planet, from, throng_planet_heading(a, b));
    float size = size_of(way);
    return size > 0.0f ? (throng_vec2){way.x / size * distance, way.y / size * distance} : way;
}

/// Metres that positions of a world are exact to.
static float grain_of(const throng_crowd *crowd)
{
    const throng_map *map = throng_crowd_map(crowd);
    float side = (float)throng_map_width(map) + (float)throng_map_height(map);
    return 4e-7f * side * throng_map_cell_size(map) + 1e-6f;
}

/// Checks everybody after a step of one substep; returns how many, and the longest of each term.
static int check_step(const throng_crowd *crowd, const seen *before, int count, float *longest)
{
    throng_agents_view agents = throng_crowd_agents(crowd);
    int checked = 0;
    for (int i = 0; i < count; i++) {
        int row = throng_crowd_find(crowd, before[i].id);
        if (row < 0) {
            continue; // it has left
        }
        throng_motives motives = explain(crowd, before[i].id);
        float most = 1e-4f * (1.0f + size_of(motives.terms[THRONG_MOTIVE_CONTACT]));
        assert_same(sum_of(&motives, 0, THRONG_MOTIVE_GATE), motives.wish, most);
        assert_same(sum_of(&motives, 0, THRONG_MOTIVE_LIMIT), motives.want, most);
        assert_same(sum_of(&motives, 0, THRONG_MOTIVE_INERTIA), motives.velocity, most);
        assert_same(sum_of(&motives, 0, THRONG_MOTIVE_COUNT - 1), motives.went, most);
        throng_vec2 way =
            way_from(crowd, before[i].at, (throng_vec2){agents.x[row], agents.y[row]});
        float grain = grain_of(crowd);
        assert_near(motives.dt, 0.02, 1e-6);
        assert_near(motives.went.x * motives.dt, way.x, grain);
        assert_near(motives.went.y * motives.dt, way.y, grain);
        assert_same(motives.before, before[i].velocity, 1e-6f);
        for (int m = 0; m < THRONG_MOTIVE_COUNT; m++) {
            longest[m] = fmaxf(longest[m], size_of(motives.terms[m]));
        }
        checked++;
    }
    return checked;
}

static void the_terms_add_up_to_the_way_made(void **ignored)
{
    (void)ignored;
    static const struct {
        const char *name;
        double start;
        throng_motive needed[3]; ///< that somebody must have; WAY: no more
    } scenes[] = {
        {"scenes/counterflow.json", 4.0, {THRONG_MOTIVE_AVOIDANCE, THRONG_MOTIVE_SEPARATION}},
        {"scenes/horde/gap.json",
         8.0,
         {THRONG_MOTIVE_STATE, THRONG_MOTIVE_CONTACT, THRONG_MOTIVE_WALL_PUSH}},
        {"scenes/boids.json",
         0.5,
         {THRONG_MOTIVE_ALIGNMENT, THRONG_MOTIVE_COHESION, THRONG_MOTIVE_ORDER}},
        {"scenes/gates/gap_2m_1m.json", 12.0, {THRONG_MOTIVE_GATE, THRONG_MOTIVE_SLOWDOWN}},
        {"scenes/slots/tower.json", 15.0, {THRONG_MOTIVE_SLOT}},
        {"scenes/orca/blocks_100.json", 40.0, {THRONG_MOTIVE_ORCA}},
        {"scenes/pedestrian/bottleneck.json", 6.0, {THRONG_MOTIVE_SLIDE, THRONG_MOTIVE_LIMIT}},
        {"scenes/trials/o12_two_sizes_two_gaps.json", 6.0, {THRONG_MOTIVE_SEPARATION}},
        {"scenes/guide.json", 4.0, {THRONG_MOTIVE_INERTIA}},
        {"scenes/planet.json", 1.0, {THRONG_MOTIVE_INERTIA}},
    };
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
        throng_scene *scene = NULL;
        throng_world *world = open_scene(scenes[s].name, &scene);
        throng_crowd *crowd = throng_world_crowd(world);
        float most[THRONG_MOTIVE_COUNT] = {0};
        int checked = 0;
        seen *before = calloc(1 << 17, sizeof *before);
        assert_non_null(before);
        assert_ok(throng_crowd_take_notes(crowd, true));
        while (throng_crowd_time(crowd) < scenes[s].start) {
            throng_world_step(world);
        }
        for (int step = 0; step < 8; step++) {
            int count = look(crowd, before);
            throng_crowd_step(crowd, 0.02f); // short enough for one substep
            checked += check_step(crowd, before, count, most);
        }
        assert_true(checked > 0);
        for (int n = 0; n < 3 && scenes[s].needed[n] != THRONG_MOTIVE_WAY; n++) {
            if (!(most[scenes[s].needed[n]] > 0.01f)) {
                print_error("%s: no %s\n", scenes[s].name, throng_motive_name(scenes[s].needed[n]));
            }
            assert_true(most[scenes[s].needed[n]] > 0.01f);
        }
        free(before);
        throng_world_destroy(world);
        throng_scene_destroy(scene);
    }
}

static void notes_change_no_bit(void **ignored)
{
    (void)ignored;
    static const char *const names[] = {"scenes/boids.json", "scenes/counterflow.json",
                                        "scenes/horde/gap.json", "scenes/slots/tower.json"};
    for (int s = 0; s < 4; s++) {
        throng_scene *scene = NULL;
        throng_world *plain = open_scene(names[s], &scene), *noted = make_good(scene, 0);
        assert_ok(throng_crowd_take_notes(throng_world_crowd(noted), true));
        for (int step = 0; step < 30; step++) {
            throng_world_step(plain);
            throng_world_step(noted);
        }
        assert_int_equal(throng_crowd_hash(throng_world_crowd(plain)),
                         throng_crowd_hash(throng_world_crowd(noted)));
        throng_world_destroy(plain);
        throng_world_destroy(noted);
        throng_scene_destroy(scene);
    }
}

// ---- Single rules -------------------------------------------------------------------------------

static fixture make_two(throng_profile_def profile, throng_profile_def slow)
{
    fixture world = {0};
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = 80;
    map_def.cell_size = 0.5f;
    assert_ok(throng_map_create(&map_def, &world.map));
    throng_class_def class_def = throng_default_class_def();
    int class_index;
    class_def.radius = 1.0f;
    assert_ok(throng_map_add_class(world.map, &class_def, &class_index));
    world.profiles[0] = profile;
    world.profiles[1] = slow;
    throng_crowd_def def = throng_default_crowd_def();
    def.map = world.map;
    def.profiles = world.profiles;
    def.profile_count = 2;
    def.max_agents = 100;
    assert_ok(throng_crowd_create(&def, &world.crowd));
    assert_ok(throng_crowd_take_notes(world.crowd, true));
    return world;
}

static fixture make_open(throng_profile_def profile)
{
    throng_profile_def slow = throng_default_profile_def();
    slow.speed = 0.5f;
    return make_two(profile, slow);
}

static void one_alone_follows_its_way_as_fast_as_it_can(void **ignored)
{
    (void)ignored;
    throng_profile_def profile = throng_default_profile_def();
    profile.speed_spread = profile.speed_deviation = 0.0f;
    fixture world = make_open(profile);
    throng_goal_id goal = fixture_goal(&world, 35.0f, 20.0f);
    throng_agent_id agent = fixture_spawn(&world, 5.0f, 20.0f, 0, goal);
    throng_crowd_solve_fields(world.crowd);
    throng_crowd_step(world.crowd, DT);
    throng_motives motives = explain(world.crowd, agent);
    assert_near(motives.dt, DT, 1e-7);
    assert_same(motives.terms[THRONG_MOTIVE_WAY], (throng_vec2){profile.speed, 0.0f}, 1e-2f);
    for (int i = 1; i < THRONG_MOTIVE_COUNT; i++) {
        if (i != THRONG_MOTIVE_INERTIA) {
            assert_near(size_of(motives.terms[i]), 0.0, 1e-5);
        }
    }
    float gained =
        profile.acceleration * DT < profile.speed ? profile.acceleration * DT : profile.speed;
    assert_near(size_of(motives.velocity), gained, 1e-3);
    assert_near(motives.terms[THRONG_MOTIVE_INERTIA].x, gained - profile.speed, 1e-2);
    assert_int_equal(throng_crowd_heeded(world.crowd, agent, NULL, 0), 0);
    fixture_destroy(&world);
}

static void two_in_one_another_are_pushed_apart(void **ignored)
{
    (void)ignored;
    fixture world = make_open(throng_default_profile_def());
    throng_goal_id none = {0, 0};
    throng_agent_id a = fixture_spawn(&world, 10.0f, 10.0f, 0, none);
    throng_agent_id b = fixture_spawn(&world, 10.7f, 10.0f, 0, none);
    throng_crowd_step(world.crowd, DT);
    throng_motives of_a = explain(world.crowd, a), of_b = explain(world.crowd, b);
    assert_true(of_a.terms[THRONG_MOTIVE_CONTACT].x < -0.1f);
    assert_true(of_b.terms[THRONG_MOTIVE_CONTACT].x > 0.1f);
    throng_heeded heeded[4];
    assert_int_equal(throng_crowd_heeded(world.crowd, a, heeded, 4), 1);
    assert_int_equal(heeded[0].agent.slot, b.slot);
    assert_true((heeded[0].reasons & THRONG_HEED_TOUCH) != 0);
    assert_near(heeded[0].overlap, 0.1, 1e-4);
    fixture_destroy(&world);
}

static void who_is_behind_a_slow_one_is_slowed_down_by_it(void **ignored)
{
    (void)ignored;
    fixture world = make_open(throng_default_profile_def());
    throng_goal_id goal = fixture_goal(&world, 38.0f, 20.0f);
    throng_agent_id slow = fixture_spawn(&world, 11.2f, 20.0f, 1, goal);
    throng_agent_id fast = fixture_spawn(&world, 10.0f, 20.0f, 0, goal);
    throng_crowd_solve_fields(world.crowd);
    for (int i = 0; i < 10; i++) {
        throng_crowd_step(world.crowd, DT);
    }
    throng_motives motives = explain(world.crowd, fast);
    throng_heeded heeded[4];
    assert_int_equal(throng_crowd_heeded(world.crowd, fast, heeded, 4), 1);
    assert_int_equal(heeded[0].agent.slot, slow.slot);
    assert_true((heeded[0].reasons & THRONG_HEED_SLOWDOWN) != 0);
    assert_true(motives.terms[THRONG_MOTIVE_SLOWDOWN].x < -0.1f);
    assert_near(motives.terms[THRONG_MOTIVE_SLOWDOWN].y, 0.0, 0.1);
    throng_profile_def profile = throng_crowd_profile(world.crowd, 0);
    float wish = size_of(motives.wish);
    float left = fmaxf(heeded[0].allowed, profile.persistence * wish);
    assert_near(size_of(motives.terms[THRONG_MOTIVE_SLOWDOWN]),
                profile.density_slowdown * (wish - left), 1e-3);
    fixture_destroy(&world);
}

static void a_big_one_behind_moves_a_small_one_aside(void **ignored)
{
    (void)ignored;
    throng_profile_def small, big;
    assert_true(throng_profile_preset("horde", &small));
    small.radius = 0.4f;
    small.speed = 0.5f;
    small.density_free = 0.0f;
    big = small;
    big.radius = 1.0f;
    big.speed = 2.0f;
    fixture world = make_two(small, big);
    throng_goal_id goal = fixture_goal(&world, 38.0f, 20.0f);
    throng_agent_id before = fixture_spawn(&world, 10.0f, 19.9f, 0, goal);
    fixture_spawn(&world, 8.4f, 20.0f, 1, goal);
    throng_crowd_solve_fields(world.crowd);
    throng_crowd_step(world.crowd, DT);
    throng_vec2 shove = explain(world.crowd, before).terms[THRONG_MOTIVE_SHOVE];
    assert_near(shove.x, 0.0, 0.1);
    assert_near(shove.y, -big.shove * big.speed, 0.1);
    fixture_destroy(&world);
}

/// Cuts a vector as the step does.
static throng_vec2 cut(throng_vec2 sum, float most)
{
    float size = size_of(sum);
    return size > most ? (throng_vec2){sum.x / size * most, sum.y / size * most} : sum;
}

static void what_the_neighbours_say_one_by_one_is_what_they_say_together(void **ignored)
{
    (void)ignored;
    throng_scene *scene = NULL;
    throng_world *world = open_scene("scenes/counterflow.json", &scene);
    throng_crowd *crowd = throng_world_crowd(world);
    assert_ok(throng_crowd_take_notes(crowd, true));
    int many = 0, separated = 0, avoided = 0;
    for (int step = 0; step < 240; step++) {
        throng_world_step(world);
        throng_agents_view agents = throng_crowd_agents(crowd);
        for (int i = 0; i < agents.count && step % 40 == 39; i++) {
            throng_motives motives = explain(crowd, agents.id[i]);
            throng_heeded heeded[256];
            int count = throng_crowd_heeded(crowd, agents.id[i], heeded, 256);
            throng_vec2 push = {0.0f, 0.0f}, side = {0.0f, 0.0f};
            for (int k = 0; k < count; k++) {
                push.x += heeded[k].separation.x;
                push.y += heeded[k].separation.y;
                side.x += heeded[k].avoidance.x;
                side.y += heeded[k].avoidance.y;
            }
            throng_profile_def profile = throng_crowd_profile(crowd, agents.profile[i]);
            float wish = size_of(motives.wish);
            assert_in_range(count, 0, 256);
            assert_same(cut(push, wish * profile.separation_weight),
                        motives.terms[THRONG_MOTIVE_SEPARATION], 1e-3f);
            if (size_of(motives.terms[THRONG_MOTIVE_AVOIDANCE]) > 0.0f) { // not shouldering past
                assert_same(cut(side, 1.3f * wish), motives.terms[THRONG_MOTIVE_AVOIDANCE], 2e-3f);
                avoided++;
            }
            separated += size_of(push) > 0.01f;
            many += count > 1;
        }
    }
    assert_true(many > 20);
    assert_true(separated > 20);
    assert_true(avoided > 20);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

static void a_flock_is_heeded_and_its_rules_are_as_defined(void **ignored)
{
    (void)ignored;
    throng_profile_def profile = throng_default_profile_def();
    profile.speed_spread = profile.speed_deviation = 0.0f;
    profile.flock_alignment = 0.5f;
    profile.flock_cohesion = 0.25f;
    profile.flock_radius = 5.0f;
    fixture world = make_open(profile);
    throng_goal_id goal = fixture_goal(&world, 38.0f, 20.0f);
    throng_agent_id a = fixture_spawn(&world, 5.0f, 20.0f, 0, goal);
    throng_agent_id b = fixture_spawn(&world, 5.0f, 23.0f, 0, goal);
    throng_agent_id far = fixture_spawn(&world, 5.0f, 30.0f, 0, goal);
    throng_crowd_solve_fields(world.crowd);
    for (int i = 0; i < 30; i++) {
        throng_crowd_step(world.crowd, DT);
    }
    throng_agents_view agents = throng_crowd_agents(world.crowd);
    int row_a = throng_crowd_find(world.crowd, a), row_b = throng_crowd_find(world.crowd, b);
    throng_vec2 to = {agents.x[row_b] - agents.x[row_a], agents.y[row_b] - agents.y[row_a]};
    throng_vec2 with = {agents.vx[row_b], agents.vy[row_b]};
    throng_crowd_step(world.crowd, DT);
    throng_motives motives = explain(world.crowd, a);
    float speed = profile.speed;
    throng_vec2 cohesion = {0.25f * to.x / 5.0f * speed, 0.25f * to.y / 5.0f * speed};
    assert_same(motives.terms[THRONG_MOTIVE_COHESION], cohesion, 1e-2f);
    assert_same(motives.terms[THRONG_MOTIVE_ALIGNMENT], (throng_vec2){0.5f * with.x, 0.5f * with.y},
                1e-2f);
    throng_heeded heeded[4];
    assert_int_equal(throng_crowd_heeded(world.crowd, a, heeded, 4), 1);
    assert_int_equal(heeded[0].agent.slot, b.slot);
    assert_int_equal(heeded[0].reasons, THRONG_HEED_FLOCK);
    assert_int_equal(throng_crowd_heeded(world.crowd, far, heeded, 4), 0);
    fixture_destroy(&world);
}

static void one_with_orca_heeds_the_nearest(void **ignored)
{
    (void)ignored;
    throng_profile_def profile = throng_default_profile_def();
    profile.orca = true;
    profile.orca_neighbours = 2;
    fixture world = make_open(profile);
    throng_goal_id goal = fixture_goal(&world, 38.0f, 20.0f);
    throng_agent_id agents[4];
    for (int i = 0; i < 4; i++) {
        agents[i] = fixture_spawn(&world, 5.0f + 1.5f * (float)i, 20.2f, 0, goal);
    }
    throng_crowd_solve_fields(world.crowd);
    throng_crowd_step(world.crowd, DT);
    throng_heeded heeded[4];
    assert_int_equal(throng_crowd_heeded(world.crowd, agents[0], heeded, 4), 2);
    for (int i = 0; i < 2; i++) {
        assert_true(heeded[i].agent.slot == agents[1].slot ||
                    heeded[i].agent.slot == agents[2].slot);
        assert_true((heeded[i].reasons & THRONG_HEED_ORCA) != 0);
    }
    throng_motives motives = explain(world.crowd, agents[0]);
    assert_near(size_of(motives.terms[THRONG_MOTIVE_SEPARATION]), 0.0, 0.0);
    assert_same(motives.want,
                (throng_vec2){motives.wish.x + motives.terms[THRONG_MOTIVE_ORCA].x,
                              motives.wish.y + motives.terms[THRONG_MOTIVE_ORCA].y},
                1e-5f);
    fixture_destroy(&world);
}

// ---- When there is nothing to say ---------------------------------------------------------------

static void without_notes_there_is_no_explanation(void **ignored)
{
    (void)ignored;
    fixture world = make_open(throng_default_profile_def());
    throng_goal_id goal = fixture_goal(&world, 38.0f, 20.0f);
    throng_agent_id agent = fixture_spawn(&world, 5.0f, 20.0f, 0, goal);
    throng_motives motives;
    assert_false(throng_crowd_explain(world.crowd, agent, &motives)); // no step yet
    throng_crowd_step(world.crowd, 0.0f);
    assert_false(throng_crowd_explain(world.crowd, agent, &motives)); // nor a substep
    throng_crowd_step(world.crowd, DT);
    assert_true(throng_crowd_explain(world.crowd, agent, &motives));

    // One who comes while time stands has none; those who were there keep theirs.
    throng_agent_id late = fixture_spawn(&world, 8.0f, 20.0f, 0, goal);
    throng_crowd_step(world.crowd, 0.0f);
    assert_true(throng_crowd_explain(world.crowd, agent, &motives));
    assert_false(throng_crowd_explain(world.crowd, late, &motives));
    throng_crowd_step(world.crowd, DT);
    assert_true(throng_crowd_explain(world.crowd, late, &motives));

    // Its id may be another's by now.
    assert_ok(throng_crowd_remove(world.crowd, late));
    throng_crowd_step(world.crowd, 0.0f);
    assert_false(throng_crowd_explain(world.crowd, late, &motives));
    throng_agent_id next = fixture_spawn(&world, 8.0f, 20.0f, 0, goal);
    throng_crowd_step(world.crowd, 0.0f);
    assert_false(throng_crowd_explain(world.crowd, next, &motives));

    // A restored crowd goes on taking notes, from its next step on.
    throng_crowd_step(world.crowd, DT);
    pass_on(world.crowd, world.crowd);
    assert_false(throng_crowd_explain(world.crowd, agent, &motives));
    assert_int_equal(throng_crowd_heeded(world.crowd, agent, NULL, 0), 0);
    throng_crowd_step(world.crowd, DT);
    assert_true(throng_crowd_explain(world.crowd, agent, &motives));

    assert_ok(throng_crowd_take_notes(world.crowd, false));
    assert_false(throng_crowd_explain(world.crowd, agent, &motives));
    fixture_destroy(&world);
}

static throng_result take_notes(void *context)
{
    fixture world = {0};
    (void)context;
    throng_result result =
        fixture_try(&world, (fixture_options){.width = 20, .height = 20, .max_agents = 10});
    if (result == THRONG_OK) {
        result = throng_crowd_take_notes(world.crowd, true);
    }
    fixture_destroy(&world);
    return result;
}

static void notes_that_find_no_memory_leave_nothing(void **ignored)
{
    (void)ignored;
    assert_true(test_every_allocation_fails(take_notes, NULL) > 3);
}

static void every_motive_has_its_own_name(void **ignored)
{
    (void)ignored;
    for (int i = 0; i < THRONG_MOTIVE_COUNT; i++) {
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(throng_motive_name((throng_motive)i),
                                    throng_motive_name((throng_motive)k));
        }
    }
    assert_string_equal(throng_motive_name(THRONG_MOTIVE_COUNT), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_terms_add_up_to_the_way_made),
        TEST(notes_change_no_bit),
        TEST(one_alone_follows_its_way_as_fast_as_it_can),
        TEST(two_in_one_another_are_pushed_apart),
        TEST(who_is_behind_a_slow_one_is_slowed_down_by_it),
        TEST(a_big_one_behind_moves_a_small_one_aside),
        TEST(what_the_neighbours_say_one_by_one_is_what_they_say_together),
        TEST(a_flock_is_heeded_and_its_rules_are_as_defined),
        TEST(one_with_orca_heeds_the_nearest),
        TEST(without_notes_there_is_no_explanation),
        TEST(notes_that_find_no_memory_leave_nothing),
        TEST(every_motive_has_its_own_name),
    };
    return RUN_TESTS(tests);
}
