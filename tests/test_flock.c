/// Flocks: who is seen, what the rules do, and that no thread or snapshot changes a bit.
#include "crowd_fixture.h"

#include "crowd/flock.h"
#include <throng/replay.h>

#define DT (1.0f / 30.0f)

/// Open ground of 40 x 40 m, `count` agents of one profile at random places.
static fixture flock_make(throng_profile_def profile, int count, int threads, bool steered)
{
    fixture world = {0};
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = 80;
    map_def.cell_size = 0.5f;
    assert_ok(throng_map_create(&map_def, &world.map));
    throng_class_def class_def = throng_default_class_def();
    int class_index;
    assert_ok(throng_map_add_class(world.map, &class_def, &class_index));
    if (threads > 1) {
        assert_ok(throng_jobs_create(threads, &world.jobs));
    }
    world.profiles[0] = profile;
    world.profiles[1] = throng_default_profile_def();
    throng_crowd_def def = throng_default_crowd_def();
    def.map = world.map;
    def.jobs = world.jobs;
    def.profiles = world.profiles;
    def.profile_count = 2;
    def.max_agents = 1000;
    def.seed = 3;
    assert_ok(throng_crowd_create(&def, &world.crowd));
    uint32_t seed = 7;
    throng_steer_def wander = throng_default_steer_def();
    wander.kind = THRONG_STEER_WANDER;
    wander.radius = 0.0f;
    for (int i = 0; i < count; i++) {
        throng_vec2 place = fixture_random_place(&seed, 1.0f, 39.0f);
        throng_agent_id agent =
            fixture_spawn(&world, place.x, place.y, i % 8 == 7, (throng_goal_id){0, 0});
        if (steered) {
            assert_ok(throng_crowd_steer(world.crowd, agent, &wander));
        }
    }
    return world;
}

static throng_profile_def boid(void)
{
    throng_profile_def def = throng_default_profile_def();
    def.radius = 0.2f;
    def.flock_alignment = 1.0f;
    def.flock_cohesion = 0.5f;
    def.flock_separation = 1.5f;
    def.flock_radius = 4.0f;
    return def;
}

/// Where a look is to be tested the bins must be those of the places.
static void bin_rows(fixture *world)
{
    thg_step step = {world->crowd, DT};
    thg_stage_bins_run(&step);
}

static bool is_of_flock(const throng_crowd *crowd, int row, int other)
{
    const thg_columns *columns = &crowd->columns;
    return other != row && columns->profile[other] == columns->profile[row] &&
           (columns->status[other] == THRONG_WALKING || columns->status[other] == THRONG_STUCK);
}

static float square_between(const throng_crowd *crowd, int row, int other)
{
    float dx = crowd->columns.x[other] - crowd->columns.x[row];
    float dy = crowd->columns.y[other] - crowd->columns.y[row];
    return dx * dx + dy * dy;
}

/// Sums over listed rows, in double.
static void check_sums(const throng_crowd *crowd, int row, const int *others, int count)
{
    const thg_columns *columns = &crowd->columns;
    double to_x = 0.0, to_y = 0.0, vx = 0.0, vy = 0.0, away_x = 0.0, away_y = 0.0;
    float spacing = crowd->profiles[columns->profile[row]].def.flock_spacing;
    for (int i = 0; i < count; i++) {
        double dx = (double)columns->x[others[i]] - columns->x[row];
        double dy = (double)columns->y[others[i]] - columns->y[row];
        double distance = sqrt(dx * dx + dy * dy);
        to_x += dx;
        to_y += dy;
        vx += columns->vx[others[i]];
        vy += columns->vy[others[i]];
        if (distance < spacing && distance > 1e-5) {
            away_x -= dx / distance * (1.0 - distance / spacing);
            away_y -= dy / distance * (1.0 - distance / spacing);
        } else if (distance <= 1e-5) {
            float own_x, own_y;
            thg_own_direction(crowd->bins.turn, columns->slot[row], &own_x, &own_y);
            away_x += own_x;
            away_y += own_y;
        }
    }
    thg_flock_view view;
    int hint = row % 7; // whatever it is, the result is the same
    thg_flock_look(crowd, row, &hint, NULL, &view);
    assert_int_equal(view.count, count);
    assert_near(view.to_x, to_x, 1e-3 + 2e-5 * count);
    assert_near(view.to_y, to_y, 1e-3 + 2e-5 * count);
    assert_near(view.vx, vx, 1e-3);
    assert_near(view.vy, vy, 1e-3);
    assert_near(view.away_x, away_x, 1e-3);
    assert_near(view.away_y, away_y, 1e-3);
}

static void what_is_seen_by_radius_is_what_a_double_loop_finds(void **ignored)
{
    (void)ignored;
    const float radii[] = {0.3f, 1.2f, 4.0f, 13.0f, 50.0f};
    for (int k = 0; k < 5; k++) {
        throng_profile_def profile = boid();
        profile.flock_radius = radii[k];
        fixture world = flock_make(profile, 400, 1, true);
        for (int i = 0; i < 20; i++) {
            throng_crowd_step(world.crowd, DT);
        }
        bin_rows(&world);
        int found = 0;
        for (int row = 0; row < world.crowd->agent_count; row++) {
            if (world.crowd->columns.profile[row] != 0) {
                continue;
            }
            int others[400], count = 0;
            for (int other = 0; other < world.crowd->agent_count; other++) {
                if (is_of_flock(world.crowd, row, other) &&
                    square_between(world.crowd, row, other) <= radii[k] * radii[k]) {
                    others[count++] = other;
                }
            }
            check_sums(world.crowd, row, others, count);
            found += count;
        }
        assert_true(k == 0 || found > 0);
        fixture_destroy(&world);
    }
}

/// The k nearest by brute force: the least of what is left, ties by slot.
static int brute_nearest(const throng_crowd *crowd, int row, int most, float radius, int *others)
{
    bool taken[1000] = {false};
    int count = 0;
    while (count < most) {
        int best = -1;
        for (int other = 0; other < crowd->agent_count; other++) {
            float square = square_between(crowd, row, other);
            if (!is_of_flock(crowd, row, other) || taken[other] || square > radius * radius) {
                continue;
            }
            float least = best >= 0 ? square_between(crowd, row, best) : INFINITY;
            if (best < 0 || square < least ||
                (square == least && crowd->columns.slot[other] < crowd->columns.slot[best])) {
                best = other;
            }
        }
        if (best < 0) {
            break;
        }
        taken[best] = true;
        others[count++] = best;
    }
    return count;
}

static void the_nearest_are_those_that_brute_force_finds(void **ignored)
{
    (void)ignored;
    for (int k = 1; k <= 32; k += k < 8 ? 2 : 12) {
        throng_profile_def profile = boid();
        profile.flock_nearest = k;
        profile.flock_radius = k == 5 ? 2.0f : 25.0f;
        fixture world = flock_make(profile, 400, 1, true);
        throng_crowd_step(world.crowd, DT);
        bin_rows(&world);
        for (int row = 0; row < world.crowd->agent_count; row++) {
            if (world.crowd->columns.profile[row] == 0) {
                int others[32];
                int count = brute_nearest(world.crowd, row, k, profile.flock_radius, others);
                check_sums(world.crowd, row, others, count);
            }
        }
        fixture_destroy(&world);
    }
}

/// On a lattice nearly every distance occurs four times or eight.
static void ties_among_the_nearest_go_to_the_lower_slot(void **ignored)
{
    (void)ignored;
    throng_profile_def profile = boid();
    profile.flock_nearest = 6;
    profile.flock_radius = 10.0f;
    fixture world = flock_make(profile, 0, 1, true);
    throng_steer_def seek = throng_default_steer_def();
    seek.kind = THRONG_STEER_SEEK;
    for (int i = 0; i < 144; i++) {
        int at = i * 89 % 144; // slots all over the place
        throng_agent_id agent = fixture_spawn(&world, (float)(8 + at % 12 * 2),
                                              (float)(8 + at / 12 * 2), 0, (throng_goal_id){0, 0});
        assert_ok(throng_crowd_steer(world.crowd, agent, &seek));
    }
    throng_crowd_step(world.crowd, 0.0f);
    bin_rows(&world);
    int ties = 0;
    for (int row = 0; row < world.crowd->agent_count; row++) {
        int others[7];
        int count = brute_nearest(world.crowd, row, 7, profile.flock_radius, others);
        assert_int_equal(count, 7);
        ties += square_between(world.crowd, row, others[5]) ==
                square_between(world.crowd, row, others[6]);
        check_sums(world.crowd, row, others, 6);
    }
    assert_true(ties > 50);
    fixture_destroy(&world);
}

/// Length of the mean heading of the profile's agents.
static double polarisation(const fixture *world)
{
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    double x = 0.0, y = 0.0;
    int count = 0;
    for (int i = 0; i < agents.count; i++) {
        double speed =
            sqrt((double)agents.vx[i] * agents.vx[i] + (double)agents.vy[i] * agents.vy[i]);
        if (agents.profile[i] == 0 && speed > 0.05) {
            x += agents.vx[i] / speed;
            y += agents.vy[i] / speed;
            count++;
        }
    }
    return count > 0 ? sqrt(x * x + y * y) / count : 0.0;
}

static double polarisation_after(float alignment, int steps)
{
    throng_profile_def profile = boid();
    profile.flock_alignment = alignment;
    profile.flock_cohesion = profile.flock_separation = 0.0f;
    profile.flock_radius = 8.0f;
    fixture world = flock_make(profile, 100, 1, true);
    for (int i = 0; i < steps; i++) {
        throng_crowd_step(world.crowd, DT);
    }
    double value = polarisation(&world);
    fixture_destroy(&world);
    return value;
}

static void alignment_brings_headings_together(void **ignored)
{
    (void)ignored;
    double with = polarisation_after(1.0f, 150), without = polarisation_after(0.0f, 150);
    print_message("polarisation after 5 s: %.3f aligned, %.3f not\n", with, without);
    assert_true(with > 0.8);
    assert_true(without < 0.35);
}

/// Mean distance to the middle of all.
static double spread_after(float cohesion, float separation, int steps)
{
    throng_profile_def profile = boid();
    profile.flock_alignment = 0.0f;
    profile.flock_cohesion = cohesion;
    profile.flock_separation = separation;
    profile.flock_radius = 50.0f;
    fixture world = flock_make(profile, 60, 1, true);
    for (int i = 0; i < steps; i++) {
        throng_crowd_step(world.crowd, DT);
    }
    throng_agents_view agents = throng_crowd_agents(world.crowd);
    double x = 0.0, y = 0.0, sum = 0.0;
    int count = 0;
    for (int i = 0; i < agents.count; i++) {
        if (agents.profile[i] == 0) {
            x += agents.x[i];
            y += agents.y[i];
            count++;
        }
    }
    for (int i = 0; i < agents.count; i++) {
        if (agents.profile[i] == 0) {
            sum += hypot(agents.x[i] - x / count, agents.y[i] - y / count);
        }
    }
    fixture_destroy(&world);
    return sum / count;
}

static void cohesion_draws_a_flock_together(void **ignored)
{
    (void)ignored;
    double with = spread_after(4.0f, 0.0f, 400), without = spread_after(0.0f, 0.0f, 400);
    print_message("metres to the middle: %.2f with, %.2f without\n", with, without);
    assert_true(with < 0.6 * without);
}

/// Two alone come to rest where separation and cohesion are in balance:
/// s (1 - d / spacing) = c d / radius.
static void two_of_a_flock_keep_their_distance(void **ignored)
{
    (void)ignored;
    throng_profile_def profile = boid();
    profile.flock_alignment = 1.0f;
    profile.flock_cohesion = 2.0f;
    profile.flock_separation = 2.0f;
    profile.flock_spacing = 3.0f;
    profile.flock_radius = 6.0f;
    profile.separation_weight = profile.avoidance_weight = 0.0f;
    profile.density_slowdown = 0.0f;
    fixture world = flock_make(profile, 0, 1, true);
    throng_steer_def seek = throng_default_steer_def();
    seek.kind = THRONG_STEER_SEEK;
    throng_agent_id pair[2];
    for (int i = 0; i < 2; i++) {
        pair[i] = fixture_spawn(&world, 2.0f, 18.5f + 3.5f * (float)i, 0, (throng_goal_id){0, 0});
        seek.point = (throng_vec2){1000.0f, 20.0f};
        assert_ok(throng_crowd_steer(world.crowd, pair[i], &seek));
    }
    for (int i = 0; i < 400; i++) {
        throng_crowd_step(world.crowd, DT);
    }
    int a = throng_crowd_find(world.crowd, pair[0]), b = throng_crowd_find(world.crowd, pair[1]);
    throng_agents_view agents = throng_crowd_agents(world.crowd);
    assert_near(hypot(agents.x[a] - agents.x[b], agents.y[a] - agents.y[b]), 2.0, 0.1);
    fixture_destroy(&world);
}

static void a_flock_of_one_goal_does_not_see_those_of_another(void **ignored)
{
    (void)ignored;
    throng_profile_def profile = boid();
    profile.flock_by_goal = true;
    profile.flock_radius = 20.0f;
    fixture world = flock_make(profile, 0, 1, false);
    throng_goal_id goals[2] = {fixture_goal(&world, 38.0f, 20.0f),
                               fixture_goal(&world, 2.0f, 20.0f)};
    for (int i = 0; i < 10; i++) {
        fixture_spawn(&world, 16.0f + (float)i, 20.0f, 0, goals[i >= 7]);
    }
    throng_crowd_step(world.crowd, DT);
    bin_rows(&world);
    for (int row = 0; row < 10; row++) {
        thg_flock_view view;
        thg_flock_look(world.crowd, row, &(int){0}, NULL, &view);
        assert_int_equal(view.count, world.crowd->columns.goal[row] == goals[0].slot ? 6 : 2);
    }
    fixture_destroy(&world);
}

static uint64_t hash_after(int threads, int steps)
{
    throng_profile_def profile = boid();
    profile.flock_nearest = 7;
    profile.wall_weight = 1.0f;
    profile.wander_weight = 0.3f;
    fixture world = flock_make(profile, 800, threads, true);
    for (int i = 0; i < steps; i++) {
        throng_crowd_step(world.crowd, DT);
    }
    fixture_check_invariants(&world);
    uint64_t hash = throng_crowd_hash(world.crowd);
    fixture_destroy(&world);
    return hash;
}

static void threads_do_not_change_a_flock(void **ignored)
{
    (void)ignored;
    uint64_t expected = hash_after(1, 100);
    assert_int_equal(hash_after(2, 100), expected);
    assert_int_equal(hash_after(4, 100), expected);
}

static void rules_without_weight_change_nothing(void **ignored)
{
    (void)ignored;
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        throng_profile_def profile = throng_default_profile_def();
        profile.flock_radius = k == 0 ? 3.0f : 17.0f; // seen by nobody
        profile.flock_nearest = k * 5;
        fixture world = flock_make(profile, 0, 1, false);
        assert_false(world.crowd->flocks);
        throng_goal_id goal = fixture_goal(&world, 38.0f, 20.0f);
        for (int i = 0; i < 100; i++) {
            fixture_spawn(&world, (float)(2 + i % 10), (float)(2 + i / 10), 0, goal);
        }
        for (int i = 0; i < 100; i++) {
            throng_crowd_step(world.crowd, DT);
        }
        hashes[k] = throng_crowd_hash(world.crowd);
        fixture_destroy(&world);
    }
    assert_int_equal(hashes[0], hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_seen_by_radius_is_what_a_double_loop_finds),
        TEST(the_nearest_are_those_that_brute_force_finds),
        TEST(ties_among_the_nearest_go_to_the_lower_slot),
        TEST(alignment_brings_headings_together),
        TEST(cohesion_draws_a_flock_together),
        TEST(two_of_a_flock_keep_their_distance),
        TEST(a_flock_of_one_goal_does_not_see_those_of_another),
        TEST(threads_do_not_change_a_flock),
        TEST(rules_without_weight_change_nothing),
    };
    return RUN_TESTS(tests);
}
