/// Sizes and kinds on one map: who does not fit never presses at a gap, but goes another way or is
/// told within a second that there is none; and each kind keeps to what it can cross.
#include "crowd_fixture.h"

#include <throng_io/world.h>

#define DT (1.0f / 30.0f)

enum { SMALL, BIG };

typedef struct world {
    throng_map *map;
    throng_crowd *crowd;
    throng_goal_id goal;
    throng_agent_id agents[12];
    int agent_count;
    int lost; ///< events of lost ways so far
} world;

/// 40 x 40 m of 0.5 m cells, a wall across from y = 20 to 21. Two classes: 0.3 m and 1.2 m.
static world make(throng_route_method method, const throng_cell_rect *gaps, int gap_count)
{
    world made = {0};
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = 80;
    map_def.cell_size = 0.5f;
    assert_ok(throng_map_create(&map_def, &made.map));
    assert_ok(throng_map_edit_rect(made.map, (throng_cell_rect){0, 40, 80, 2}, THRONG_WALL));
    for (int i = 0; i < gap_count; i++) {
        assert_ok(throng_map_edit_rect(made.map, gaps[i], THRONG_GROUND));
    }
    throng_profile_def profiles[2] = {throng_default_profile_def(), throng_default_profile_def()};
    static const float radii[2] = {0.3f, 1.2f};
    for (int i = 0; i < 2; i++) {
        throng_class_def class_def = throng_default_class_def();
        class_def.radius = radii[i];
        assert_ok(throng_map_add_class(made.map, &class_def, &profiles[i].class_index));
        profiles[i].radius = radii[i];
    }
    throng_crowd_def def = throng_default_crowd_def();
    def.map = made.map;
    def.profiles = profiles;
    def.profile_count = 2;
    assert_ok(throng_crowd_create(&def, &made.crowd));
    throng_vec2 point = {20.0f, 5.0f};
    throng_goal_def goal = throng_default_goal_def();
    goal.shape.points = &point;
    goal.shape.point_count = 1;
    goal.method = method;
    assert_ok(throng_crowd_add_goal(made.crowd, &goal, &made.goal));
    return made;
}

static void end(world *made)
{
    throng_crowd_destroy(made->crowd);
    throng_map_destroy(made->map);
    assert_int_equal(throng_live_bytes(), 0);
}

/// So many of a profile in a row, right before the middle of the wall; the small ones in front, so
/// that nobody is in the way of one who turns aside.
static void spawn(world *made, int profile, int count)
{
    for (int i = 0; i < count; i++) {
        float x = 20.0f + 3.0f * ((float)i - 0.5f * (float)(count - 1));
        throng_spawn_def def = {.position = {x, profile == SMALL ? 25.0f : 30.0f},
                                .profile = profile,
                                .goal = made->goal};
        assert_ok(throng_crowd_spawn(made->crowd, &def, &made->agents[made->agent_count++]));
    }
}

static void step(world *made)
{
    throng_crowd_step(made->crowd, DT);
    int count;
    const throng_event *events = throng_crowd_events(made->crowd, &count);
    for (int i = 0; i < count; i++) {
        made->lost += events[i].kind == THRONG_EVENT_UNREACHABLE;
    }
}

static int count_status(const world *made, throng_status status)
{
    throng_agents_view agents = throng_crowd_agents(made->crowd);
    int count = 0;
    for (int i = 0; i < agents.count; i++) {
        count += agents.status[i] == status;
    }
    return count;
}

/// Agents within 5 m of the goal, behind the wall.
static int count_there(const world *made)
{
    throng_agents_view agents = throng_crowd_agents(made->crowd);
    int count = 0;
    for (int i = 0; i < agents.count; i++) {
        float dx = agents.x[i] - 20.0f, dy = agents.y[i] - 5.0f;
        count += dx * dx + dy * dy < 25.0f;
    }
    return count;
}

/// Metres from the nearest agent of a profile to a point.
static float nearest(const world *made, int profile, float x, float y)
{
    throng_agents_view agents = throng_crowd_agents(made->crowd);
    float least = INFINITY;
    for (int i = 0; i < agents.count; i++) {
        float dx = agents.x[i] - x, dy = agents.y[i] - y;
        float there = sqrtf(dx * dx + dy * dy);
        least = agents.profile[i] == profile && there < least ? there : least;
    }
    return least;
}

static const throng_cell_rect narrow = {39, 40, 3, 2}; // 1.5 m, at x = 20.25
static const throng_cell_rect wide = {72, 40, 6, 2};   // 3 m, at x = 37.5
static const throng_route_method methods[] = {THRONG_ROUTE_FIELD, THRONG_ROUTE_TILES,
                                              THRONG_ROUTE_PATH};

static void who_does_not_fit_takes_the_detour_and_keeps_off_the_gap(void **state)
{
    (void)state;
    for (int m = 0; m < 3; m++) {
        throng_cell_rect gaps[] = {narrow, wide};
        world made = make(methods[m], gaps, 2);
        spawn(&made, BIG, 4);
        spawn(&made, SMALL, 3);
        float near_gap = INFINITY;
        for (int i = 0; i < 30 * 60; i++) {
            step(&made);
            near_gap = fminf(near_gap, nearest(&made, BIG, 20.0f, 20.5f));
        }
        assert_int_equal(made.lost, 0);
        assert_int_equal(count_there(&made), 7);
        print_message("%s: the nearest big one to the gap %.2f m\n", throng_route_name(methods[m]),
                      (double)near_gap);
        assert_true(near_gap > 4.0f); // nobody even goes by
        end(&made);
    }
}

static void without_a_way_one_is_told_at_once_and_stays(void **state)
{
    (void)state;
    for (int m = 0; m < 3; m++) {
        world made = make(methods[m], &narrow, 1);
        spawn(&made, BIG, 4);
        spawn(&made, SMALL, 3);
        step(&made);
        assert_int_equal(made.lost, 4); // within a step, long before a second
        assert_int_equal(count_status(&made, THRONG_CUT_OFF), 4);
        for (int i = 0; i < 30 * 20; i++) {
            step(&made);
            assert_true(nearest(&made, BIG, 20.0f, 20.5f) > 7.0f);
        }
        assert_int_equal(made.lost, 4); // once each
        assert_int_equal(count_status(&made, THRONG_CUT_OFF), 4);
        assert_int_equal(count_there(&made), 3);
        end(&made);
    }
}

static void a_gap_that_fits_is_taken_until_it_narrows(void **state)
{
    (void)state;
    for (int m = 0; m < 3; m++) {
        for (int detour = 0; detour < 2; detour++) {
            throng_cell_rect gaps[] = {{36, 40, 8, 2}, wide}; // 4 m at x = 20
            world made = make(methods[m], gaps, 1 + detour);
            spawn(&made, BIG, 3);
            for (int i = 0; i < 60; i++) {
                step(&made);
            }
            assert_int_equal(count_status(&made, THRONG_WALKING), 3);
            float before = nearest(&made, BIG, 20.0f, 20.5f);
            assert_true(before < 7.0f); // they are on their way to it
            assert_ok(
                throng_crowd_edit_rect(made.crowd, (throng_cell_rect){36, 40, 3, 2}, THRONG_WALL));
            assert_ok(
                throng_crowd_edit_rect(made.crowd, (throng_cell_rect){41, 40, 3, 2}, THRONG_WALL));
            float near_gap = INFINITY;
            for (int i = 0; i < 30; i++) {
                step(&made);
            }
            assert_int_equal(made.lost, detour ? 0 : 3); // known within a second
            assert_int_equal(count_status(&made, detour ? THRONG_WALKING : THRONG_CUT_OFF), 3);
            for (int i = 0; i < 30 * 40; i++) {
                step(&made);
                near_gap = fminf(near_gap, nearest(&made, BIG, 20.0f, 20.5f));
            }
            assert_true(near_gap > 2.4f); // nobody leans on it
            assert_int_equal(count_there(&made), detour ? 3 : 0);
            end(&made);
        }
    }
}

/// What a path through the wall says of its narrowest place.
static throng_result narrowest_of(const world *made, int class_index, float *width)
{
    throng_paths_def def = throng_default_paths_def();
    def.map = made->map;
    def.class_index = class_index;
    throng_paths *paths = NULL;
    assert_ok(throng_paths_create(&def, &paths));
    throng_path_query query = throng_default_path_query();
    query.from = (throng_vec2){20.0f, 30.0f};
    query.to = (throng_vec2){20.0f, 5.0f};
    query.narrowest = true;
    throng_path path;
    throng_result result = throng_paths_find(paths, &query, &path);
    *width = result == THRONG_OK ? path.narrowest : 0.0f;
    throng_paths_destroy(paths);
    return result;
}

static void a_route_knows_its_narrowest_passage(void **state)
{
    (void)state;
    throng_cell_rect gaps[] = {narrow, wide};
    world made = make(THRONG_ROUTE_FIELD, gaps, 2);
    float width;
    assert_ok(narrowest_of(&made, SMALL, &width));
    assert_near(width, 1.5, 1e-3);
    assert_ok(narrowest_of(&made, BIG, &width));
    assert_near(width, 3.0, 1e-3);
    end(&made);
    made = make(THRONG_ROUTE_FIELD, gaps, 1);
    assert_int_equal(narrowest_of(&made, BIG, &width), THRONG_UNREACHABLE);
    end(&made);
}

// ---- Kinds --------------------------------------------------------------------------------------

/// Fails when somebody's centre is on terrain that its class cannot cross.
static void check_terrain(const throng_map *map, const throng_crowd *crowd)
{
    throng_agents_view agents = throng_crowd_agents(crowd);
    for (int i = 0; i < agents.count; i++) {
        int x, y, class_index = throng_crowd_profile(crowd, agents.profile[i]).class_index;
        assert_true(throng_map_cell_at(map, (throng_vec2){agents.x[i], agents.y[i]}, &x, &y));
        assert_false(throng_map_blocked(map, class_index, x, y));
    }
}

static void tanks_ships_and_hovercraft_come_to_one_harbour(void **state)
{
    (void)state;
    char path[512];
    throng_scene *scene = NULL;
    throng_world *world = NULL;
    throng_error error = {0};
    throng_world_options options = throng_default_world_options();
    test_source_path(path, sizeof path, "scenes/ships.json");
    assert_ok_or(throng_scene_load(path, &scene, &error), &error);
    assert_ok_or(throng_world_create(scene, &options, &world, &error), &error);
    while (!throng_world_done(world)) {
        throng_world_step(world);
        check_terrain(throng_world_map(world), throng_world_crowd(world));
    }
    throng_world_summary sum = throng_world_get_summary(world);
    assert_int_equal(sum.arrived, 300);
    assert_int_equal(sum.in_walls, 0);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_does_not_fit_takes_the_detour_and_keeps_off_the_gap),
        TEST(without_a_way_one_is_told_at_once_and_stays),
        TEST(a_gap_that_fits_is_taken_until_it_narrows),
        TEST(a_route_knows_its_narrowest_passage),
        TEST(tanks_ships_and_hovercraft_come_to_one_harbour),
    };
    return RUN_TESTS(tests);
}
