/// Maps, goals and classes that make no sense: each has an answer that is written down, whatever
/// the method, and leaves nothing behind.
#include "test.h"

#include <math.h>
#include <throng/throng.h>

#define DT (1.0f / 30.0f)

typedef struct world {
    throng_map *map;
    throng_crowd *crowd;
    throng_route_method method;
} world;

/// A map of rows; '.' is ground, '#' wall, one metre a cell; one class, one profile of its radius.
static world make(const char *text, float radius, throng_route_method method, throng_metric metric)
{
    world made = {.method = method};
    throng_map_def map_def = throng_default_map_def();
    throng_error error = {0};
    assert_ok_or(throng_map_from_text(text, strlen(text), &map_def, &made.map, &error), &error);
    throng_class_def class_def = throng_default_class_def();
    int class_index;
    class_def.radius = radius;
    assert_ok(throng_map_add_class(made.map, &class_def, &class_index));
    throng_profile_def profile = throng_default_profile_def();
    profile.radius = radius < 10.0f ? radius : 10.0f;
    throng_crowd_def def = throng_default_crowd_def();
    def.map = made.map;
    def.profiles = &profile;
    def.profile_count = 1;
    def.max_agents = 20;
    def.metric = metric;
    assert_ok(throng_crowd_create(&def, &made.crowd));
    return made;
}

static void end(world *made)
{
    throng_crowd_destroy(made->crowd);
    throng_map_destroy(made->map);
    assert_int_equal(throng_live_bytes(), 0);
}

static throng_goal_id goal_at(world *made, float x, float y)
{
    throng_vec2 point = {x, y};
    throng_goal_def def = throng_default_goal_def();
    def.shape.points = &point;
    def.shape.point_count = 1;
    def.method = made->method;
    throng_goal_id goal;
    assert_ok(throng_crowd_add_goal(made->crowd, &def, &goal));
    return goal;
}

static throng_agent_id spawn_at(world *made, float x, float y, throng_goal_id goal)
{
    throng_spawn_def def = {.position = {x, y}, .goal = goal};
    throng_agent_id agent;
    assert_ok(throng_crowd_spawn(made->crowd, &def, &agent));
    return agent;
}

/// Steps for so many seconds; counts events of a kind. Returns all the flags.
static uint32_t run(world *made, float seconds, throng_event_kind kind, int *events)
{
    uint32_t flags = 0;
    int seen = 0;
    for (int i = 0; i < (int)(seconds * 30.0f); i++) {
        flags |= throng_crowd_step(made->crowd, DT);
        int count;
        const throng_event *list = throng_crowd_events(made->crowd, &count);
        for (int k = 0; k < count; k++) {
            seen += list[k].kind == kind;
        }
    }
    if (events != NULL) {
        *events = seen;
    }
    return flags;
}

static int status_of(const world *made, throng_agent_id agent)
{
    int row = throng_crowd_find(made->crowd, agent);
    return row >= 0 ? throng_crowd_agents(made->crowd).status[row] : -1;
}

static void check_still(const world *made, throng_agent_id agent, float x, float y)
{
    int row = throng_crowd_find(made->crowd, agent);
    assert_true(row >= 0);
    throng_agents_view agents = throng_crowd_agents(made->crowd);
    assert_near(agents.x[row], x, 0.05);
    assert_near(agents.y[row], y, 0.05);
}

/// A path between two places, as a result.
static throng_result path_between(const throng_map *map, throng_vec2 from, throng_vec2 to)
{
    throng_paths_def def = throng_default_paths_def();
    def.map = map;
    throng_paths *paths = NULL;
    assert_ok(throng_paths_create(&def, &paths));
    throng_path_query query = throng_default_path_query();
    query.from = from;
    query.to = to;
    throng_path path;
    throng_result result = throng_paths_find(paths, &query, &path);
    throng_paths_destroy(paths);
    return result;
}

#define EACH_METHOD(method)                                                                        \
    for (throng_route_method method = THRONG_ROUTE_AUTO; method <= THRONG_ROUTE_ROOMS; method++)

// ---- Goals --------------------------------------------------------------------------------------

static const char walled[] = "............\n"
                             "............\n"
                             ".....#######\n"
                             ".....#######\n"
                             ".....#######\n"
                             ".....#######\n"
                             ".....#######\n";

static void a_goal_deep_in_a_wall_cuts_off_at_once_by_every_method(void **state)
{
    (void)state;
    EACH_METHOD(method)
    {
        world made = make(walled, 0.4f, method, THRONG_EIKONAL);
        throng_goal_id goal = goal_at(&made, 10.5f, 6.5f); // 5 m from the next free cell
        throng_agent_id agent = spawn_at(&made, 2.5f, 2.5f, goal);
        int lost;
        run(&made, 1.0f, THRONG_EVENT_UNREACHABLE, &lost);
        assert_int_equal(lost, 1);
        assert_int_equal(status_of(&made, agent), THRONG_CUT_OFF);
        check_still(&made, agent, 2.5f, 2.5f);
        assert_false(throng_crowd_way(made.crowd, goal, 0, (throng_vec2){2.5f, 2.5f}).reached);
        end(&made);
    }
}

static void a_goal_a_little_in_a_wall_is_the_nearest_place_by_every_method(void **state)
{
    (void)state;
    EACH_METHOD(method)
    {
        world made = make(walled, 0.4f, method, THRONG_EIKONAL);
        throng_agent_id agent = spawn_at(&made, 1.5f, 5.5f, goal_at(&made, 8.5f, 2.5f));
        int arrived;
        run(&made, 15.0f, THRONG_EVENT_ARRIVED, &arrived);
        assert_int_equal(arrived, 1);
        assert_int_equal(status_of(&made, agent), THRONG_ARRIVED);
        throng_agents_view agents = throng_crowd_agents(made.crowd);
        assert_near(agents.x[0], 8.5, 1.0);
        assert_near(agents.y[0], 1.5, 0.6);
        end(&made);
    }
}

static void goals_of_wall_only_or_outside_cut_off_by_every_method(void **state)
{
    (void)state;
    static const throng_rect rects[] = {{{6.0f, 3.0f}, {12.0f, 7.0f}},
                                        {{-9.0f, -9.0f}, {-1.0f, -1.0f}},
                                        {{500.0f, 1.0f}, {501.0f, 3.0f}}};
    EACH_METHOD(method)
    {
        world made = make(walled, 0.4f, method, THRONG_EIKONAL);
        throng_agent_id agents[5];
        for (int i = 0; i < 3; i++) {
            throng_goal_def def = throng_default_goal_def();
            def.shape.rects = &rects[i];
            def.shape.rect_count = 1;
            def.method = method;
            throng_goal_id goal;
            assert_ok(throng_crowd_add_goal(made.crowd, &def, &goal));
            agents[i] = spawn_at(&made, 1.5f + (float)i, 3.5f, goal);
        }
        agents[3] = spawn_at(&made, 1.5f, 5.5f, goal_at(&made, 1e6f, -1e6f));
        agents[4] = spawn_at(&made, 3.5f, 5.5f, goal_at(&made, -3e38f, 3e38f));
        run(&made, 1.0f, THRONG_EVENT_UNREACHABLE, NULL);
        for (int i = 0; i < 5; i++) {
            assert_int_equal(status_of(&made, agents[i]), THRONG_CUT_OFF);
        }
        end(&made);
    }
}

static void a_goal_that_is_no_number_is_refused(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    world made = make(walled, 0.4f, THRONG_ROUTE_AUTO, THRONG_EIKONAL);
    for (int i = 0; i < 3; i++) {
        throng_vec2 point = {bad[i], 1.0f};
        throng_rect rect = {{0.0f, bad[i]}, {1.0f, 1.0f}};
        int cell = i - 1 + (i > 0) * 12 * 7; // -1, and two behind the last
        throng_goal_def defs[3];
        throng_goal_id goal;
        for (int k = 0; k < 3; k++) {
            defs[k] = throng_default_goal_def();
        }
        defs[0].shape.points = &point;
        defs[0].shape.point_count = 1;
        defs[1].shape.rects = &rect;
        defs[1].shape.rect_count = 1;
        defs[2].shape.cells = &cell;
        defs[2].shape.cell_count = 1;
        for (int k = 0; k < 3; k++) {
            assert_int_equal(throng_crowd_add_goal(made.crowd, &defs[k], &goal),
                             THRONG_BAD_ARGUMENT);
        }
    }
    end(&made);
}

static void the_65536th_goal_is_one_too_many(void **state)
{
    (void)state;
    world made = make(walled, 0.4f, THRONG_ROUTE_PATH, THRONG_EIKONAL);
    throng_profile_def profile = throng_default_profile_def();
    throng_crowd_def def = throng_default_crowd_def();
    def.map = made.map;
    def.profiles = &profile;
    def.profile_count = 1;
    def.max_agents = 4;
    def.max_goals = 65536;
    throng_crowd_destroy(made.crowd);
    made.crowd = NULL;
    assert_int_equal(throng_crowd_create(&def, &made.crowd), THRONG_BAD_ARGUMENT);
    def.max_goals = 65535;
    assert_ok(throng_crowd_create(&def, &made.crowd));
    throng_goal_id goal = {0, 0}, middle = {0, 0};
    for (int i = 0; i < 65535; i++) {
        goal = goal_at(&made, 0.5f + (float)(i % 10), 0.5f);
        middle = i == 30000 ? goal : middle;
    }
    throng_goal_def one_more = throng_default_goal_def();
    throng_goal_id none;
    assert_int_equal(throng_crowd_add_goal(made.crowd, &one_more, &none), THRONG_LIMIT);
    throng_agent_id agent = spawn_at(&made, 1.5f, 4.5f, goal); // to the last one
    run(&made, 8.0f, THRONG_EVENT_ARRIVED, NULL);
    assert_int_equal(status_of(&made, agent), THRONG_ARRIVED);
    assert_ok(throng_crowd_remove_goal(made.crowd, middle)); // its place is taken anew
    throng_crowd_step(made.crowd, DT);
    none = goal_at(&made, 2.5f, 0.5f);
    assert_int_equal(none.slot, middle.slot);
    assert_int_not_equal(none.generation, middle.generation);
    assert_int_equal(throng_crowd_add_goal(made.crowd, &one_more, &none), THRONG_LIMIT);
    end(&made);
}

// ---- Classes ------------------------------------------------------------------------------------

static void who_fits_nowhere_is_removed_and_told(void **state)
{
    (void)state;
    EACH_METHOD(method)
    {
        world made = make(walled, 3.0f, method, THRONG_EIKONAL);
        assert_int_equal(throng_map_region_count(made.map, 0), 0);
        throng_goal_id goal = goal_at(&made, 1.5f, 1.5f);
        throng_agent_id agent = spawn_at(&made, 2.5f, 2.5f, goal);
        int removed;
        uint32_t flags = run(&made, 0.1f, THRONG_EVENT_REMOVED, &removed);
        assert_int_equal(removed, 1);
        assert_true((flags & THRONG_STEP_NO_ROOM) != 0);
        assert_int_equal(throng_crowd_find(made.crowd, agent), -1);
        assert_false(throng_crowd_way(made.crowd, goal, 0, (throng_vec2){2.5f, 2.5f}).reached);
        throng_vec2 here = {1.5f, 1.5f}, there = {4.5f, 1.5f}, nearest;
        assert_int_equal(path_between(made.map, here, there), THRONG_UNREACHABLE);
        throng_reach_query reach = throng_default_reach_query();
        reach.from = here;
        reach.to = there;
        assert_false(throng_query_reachable(made.map, &reach));
        assert_false(throng_query_nearest_reachable(made.map, &reach, &nearest));
        assert_false(throng_query_sees(made.map, 0, here, there));
        end(&made);
    }
}

static void costs_are_0_or_from_a_sixteenth_to_64(void **state)
{
    (void)state;
    static const struct {
        float cost;
        bool good;
    } cases[] = {{0.0f, true},      {0.0625f, true},    {64.0f, true},  {0.06f, false},
                 {64.1f, false},    {255.0f, false},    {-1.0f, false}, {NAN, false},
                 {INFINITY, false}, {-INFINITY, false}, {-0.0f, true},  {1e-30f, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world made = make(walled, 0.4f, THRONG_ROUTE_AUTO, THRONG_EIKONAL);
        throng_class_def def = throng_default_class_def();
        int index = -1;
        def.cost[THRONG_GROUND] = cases[i].cost;
        assert_int_equal(throng_map_add_class(made.map, &def, &index),
                         cases[i].good ? THRONG_OK : THRONG_BAD_ARGUMENT);
        assert_int_equal(throng_map_class_count(made.map), cases[i].good ? 2 : 1);
        def = throng_default_class_def();
        def.cost[THRONG_WALL] = cases[i].cost; // walls block, whoever it is
        assert_int_equal(throng_map_add_class(made.map, &def, &index),
                         cases[i].cost == 0.0f ? THRONG_OK : THRONG_BAD_ARGUMENT);
        end(&made);
    }
}

static void a_class_that_all_ground_blocks_is_nowhere(void **state)
{
    (void)state;
    world made = make(walled, 0.4f, THRONG_ROUTE_AUTO, THRONG_EIKONAL);
    throng_class_def def = throng_default_class_def();
    int index;
    def.cost[THRONG_GROUND] = 0.0f;
    assert_ok(throng_map_add_class(made.map, &def, &index));
    throng_map_update(made.map);
    assert_int_equal(throng_map_region_count(made.map, index), 0);
    throng_vec2 point = {1.5f, 1.5f};
    throng_goal_shape shape = throng_default_goal_shape();
    shape.points = &point;
    shape.point_count = 1;
    for (throng_metric metric = THRONG_OCTILE; metric <= THRONG_EIKONAL; metric++) {
        throng_field *field = NULL;
        assert_ok(throng_field_create(made.map, index, &shape, metric, &field));
        throng_field_solve(field);
        assert_int_equal(throng_field_get_view(field).reached_count, 0);
        assert_false(throng_field_sample(field, point).reached);
        throng_field_destroy(field);
    }
    end(&made);
}

// ---- Maps ---------------------------------------------------------------------------------------

static void on_one_cell_one_is_there(void **state)
{
    (void)state;
    for (throng_metric metric = THRONG_OCTILE; metric <= THRONG_EIKONAL; metric++) {
        EACH_METHOD(method)
        {
            world made = make(".\n", 0.4f, method, metric);
            throng_agent_id agent = spawn_at(&made, 0.5f, 0.5f, goal_at(&made, 0.5f, 0.5f));
            int arrived;
            run(&made, 1.0f, THRONG_EVENT_ARRIVED, &arrived);
            assert_int_equal(arrived, 1);
            assert_int_equal(status_of(&made, agent), THRONG_ARRIVED);
            check_still(&made, agent, 0.5f, 0.5f);
            assert_int_equal(throng_map_region_count(made.map, 0), 1);
            // The only cell becomes a wall: nobody can stay.
            assert_ok(
                throng_crowd_edit_rect(made.crowd, (throng_cell_rect){0, 0, 1, 1}, THRONG_WALL));
            uint32_t flags = throng_crowd_step(made.crowd, DT);
            assert_true((flags & THRONG_STEP_NO_ROOM) != 0);
            assert_int_equal(throng_crowd_agents(made.crowd).count, 0);
            assert_ok(
                throng_crowd_edit_rect(made.crowd, (throng_cell_rect){0, 0, 1, 1}, THRONG_GROUND));
            spawn_at(&made, 7.0f, 0.5f, (throng_goal_id){0, 0});
            run(&made, 0.1f, THRONG_EVENT_REMOVED, NULL);
            assert_int_equal(throng_crowd_agents(made.crowd).count, 1);
            end(&made);
        }
    }
    throng_vec2 here = {0.5f, 0.5f};
    world made = make(".\n", 0.4f, THRONG_ROUTE_AUTO, THRONG_EIKONAL);
    assert_ok(path_between(made.map, here, here));
    end(&made);
}

static void among_walls_only_nobody_is_anywhere(void **state)
{
    (void)state;
    static const char *const maps[] = {"#\n", "####\n####\n####\n"};
    for (int i = 0; i < 2; i++) {
        for (throng_metric metric = THRONG_OCTILE; metric <= THRONG_EIKONAL; metric++) {
            EACH_METHOD(method)
            {
                world made = make(maps[i], 0.4f, method, metric);
                throng_goal_id goal = goal_at(&made, 0.5f, 0.5f);
                spawn_at(&made, 0.5f, 0.5f, goal);
                int removed;
                uint32_t flags = run(&made, 0.2f, THRONG_EVENT_REMOVED, &removed);
                assert_int_equal(removed, 1);
                assert_true((flags & THRONG_STEP_NO_ROOM) != 0);
                assert_int_equal(throng_crowd_agents(made.crowd).count, 0);
                assert_int_equal(throng_crowd_gates(made.crowd, NULL, 0), 0);
                throng_build_answer answer;
                assert_ok(throng_crowd_may_build(made.crowd, (throng_cell_rect){0, 0, 9, 9},
                                                 THRONG_WALL, &answer));
                assert_false(answer.cuts);
                end(&made);
            }
        }
        world made = make(maps[i], 0.4f, THRONG_ROUTE_AUTO, THRONG_EIKONAL);
        throng_vec2 here = {0.5f, 0.5f};
        int x, y;
        assert_int_equal(path_between(made.map, here, here), THRONG_UNREACHABLE);
        assert_false(throng_map_nearest_fit(made.map, 0, here, 0, &x, &y));
        end(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_goal_deep_in_a_wall_cuts_off_at_once_by_every_method),
        TEST(a_goal_a_little_in_a_wall_is_the_nearest_place_by_every_method),
        TEST(goals_of_wall_only_or_outside_cut_off_by_every_method),
        TEST(a_goal_that_is_no_number_is_refused),
        TEST(the_65536th_goal_is_one_too_many),
        TEST(who_fits_nowhere_is_removed_and_told),
        TEST(costs_are_0_or_from_a_sixteenth_to_64),
        TEST(a_class_that_all_ground_blocks_is_nowhere),
        TEST(on_one_cell_one_is_there),
        TEST(among_walls_only_nobody_is_anywhere),
    };
    return RUN_TESTS(tests);
}
