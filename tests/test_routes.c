/// Tiles and paths in a crowd: agents arrive as they do by fields; threads, snapshots and the state
/// of caches change nothing; the step allocates nothing.
#include "crowd_fixture.h"
#include "pass_on.h"

#include "crowd/routes.h"
#include <throng/route.h>

#define DT (1.0f / 30.0f)

typedef struct route_options {
    throng_route_method method;
    int goals, agents, threads;
    int route_bytes; ///< 0: the default
    int budget;
    throng_metric metric;
} route_options;

/// 200 x 180 cells of 0.5 m with blocks of wall; each agent goes to the next goal in turn.
static fixture make_world(route_options options, throng_goal_id *goals)
{
    fixture world;
    memset(&world, 0, sizeof world);
    throng_map_def map_def = throng_default_map_def();
    throng_class_def class_def = throng_default_class_def();
    int class_index;
    map_def.width = 200;
    map_def.height = 180;
    map_def.cell_size = 0.5f;
    assert_ok(throng_map_create(&map_def, &world.map));
    assert_ok(throng_map_add_class(world.map, &class_def, &class_index));
    uint32_t seed = 5;
    for (int i = 0; i < 60; i++) {
        int x = (int)(fixture_random(&seed) % 185);
        int y = (int)(fixture_random(&seed) % 165);
        throng_cell_rect rect = {x, y, 4 + (i % 3) * 4, 4 + (i % 5) * 2};
        assert_ok(throng_map_edit_rect(world.map, rect, THRONG_WALL));
    }
    throng_map_update(world.map);
    if (options.threads > 1) {
        assert_ok(throng_jobs_create(options.threads, &world.jobs));
    }
    world.profiles[0] = throng_default_profile_def();
    throng_crowd_def def = throng_default_crowd_def();
    def.map = world.map;
    def.jobs = world.jobs;
    def.profiles = world.profiles;
    def.profile_count = 1;
    def.max_agents = options.agents + 8;
    def.max_goals = options.goals + 2;
    def.metric = options.metric;
    def.field_cell_budget = options.budget > 0 ? options.budget : def.field_cell_budget;
    def.route_bytes = options.route_bytes > 0 ? options.route_bytes : def.route_bytes;
    assert_ok(throng_crowd_create(&def, &world.crowd));
    for (int i = 0; i < options.goals; i++) {
        throng_goal_def goal_def = throng_default_goal_def();
        throng_vec2 point = fixture_random_place(&seed, 5.0f, 85.0f);
        goal_def.shape.points = &point;
        goal_def.shape.point_count = 1;
        goal_def.shape.snap_distance = 10.0f;
        goal_def.arrive_radius = 1.5f;
        goal_def.method = options.method;
        assert_ok(throng_crowd_add_goal(world.crowd, &goal_def, &goals[i]));
    }
    for (int i = 0; i < options.agents; i++) {
        throng_vec2 place = fixture_random_place(&seed, 2.0f, 88.0f);
        fixture_spawn(&world, place.x, place.y, 0, goals[i % options.goals]);
    }
    return world;
}

static void run(fixture *world, int steps)
{
    for (int i = 0; i < steps; i++) {
        throng_crowd_step(world->crowd, DT);
    }
}

static int count_status(const fixture *world, throng_status status)
{
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    int count = 0;
    for (int i = 0; i < agents.count; i++) {
        count += agents.status[i] == status;
    }
    return count;
}

/// Steps until nineteen of twenty have arrived.
static int steps_to_arrive(route_options options)
{
    throng_goal_id goals[64];
    fixture world = make_world(options, goals);
    int steps = 0;
    while (steps < 6000 && count_status(&world, THRONG_ARRIVED) < options.agents * 19 / 20) {
        run(&world, 10);
        steps += 10;
    }
    fixture_check_invariants(&world);
    print_message("%s: %d steps, %d of %d arrived\n", throng_route_name(options.method), steps,
                  count_status(&world, THRONG_ARRIVED), options.agents);
    fixture_destroy(&world);
    return steps;
}

static void all_methods_lead_there_in_the_same_time(void **ignored)
{
    (void)ignored;
    route_options options = {.method = THRONG_ROUTE_FIELD, .goals = 20, .agents = 100};
    int by_field = steps_to_arrive(options);
    assert_true(by_field < 6000);
    options.method = THRONG_ROUTE_TILES;
    assert_true(steps_to_arrive(options) <= by_field * 11 / 10);
    options.method = THRONG_ROUTE_PATH;
    assert_true(steps_to_arrive(options) <= by_field * 11 / 10);
    options.method = THRONG_ROUTE_ROOMS;
    assert_true(steps_to_arrive(options) <= by_field * 11 / 10);
}

static void threads_change_nothing(void **ignored)
{
    (void)ignored;
    for (int method = THRONG_ROUTE_TILES; method <= THRONG_ROUTE_ROOMS; method++) {
        uint64_t expected = 0;
        for (int threads = 1; threads <= 5; threads += 2) {
            throng_goal_id goals[8];
            route_options options = {.method = (throng_route_method)method,
                                     .goals = 8,
                                     .agents = 2200,
                                     .threads = threads,
                                     .budget = 4000};
            fixture world = make_world(options, goals);
            run(&world, 40);
            assert_ok(throng_crowd_edit_rect(world.crowd, (throng_cell_rect){60, 20, 3, 90},
                                             THRONG_WALL));
            run(&world, 40);
            uint64_t hash = throng_crowd_hash(world.crowd);
            assert_true(expected == 0 || hash == expected);
            expected = hash;
            fixture_destroy(&world);
        }
    }
}

/// Restores into a world that has done other things, so its caches hold something else.
static void check_restore(route_options options, int before, bool pending)
{
    throng_goal_id goals[64], other_goals[64];
    fixture world = make_world(options, goals);
    fixture other = make_world(options, other_goals);
    run(&other, 25);
    assert_ok(throng_crowd_edit_rect(other.crowd, (throng_cell_rect){100, 100, 9, 9}, THRONG_WALL));
    run(&other, 3);
    run(&world, before);
    if (pending) {
        assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){90, 10, 3, 120}, THRONG_WALL));
    }
    pass_on(world.crowd, other.crowd);
    for (int i = 0; i < 60; i++) {
        if (i == 20) {
            throng_cell_rect rect = {30, 60, 100, 3};
            assert_ok(throng_crowd_edit_rect(world.crowd, rect, THRONG_WALL));
            assert_ok(throng_crowd_edit_rect(other.crowd, rect, THRONG_WALL));
        }
        run(&world, 1);
        run(&other, 1);
        assert_int_equal(throng_crowd_hash(other.crowd), throng_crowd_hash(world.crowd));
    }
    fixture_destroy(&world);
    fixture_destroy(&other);
}

static void a_restored_world_goes_on_with_the_same_hashes(void **ignored)
{
    (void)ignored;
    for (int method = THRONG_ROUTE_TILES; method <= THRONG_ROUTE_ROOMS; method++) {
        static const int times[] = {0, 1, 2, 5, 9, 30};
        for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
            route_options options = {
                .method = (throng_route_method)method, .goals = 6, .agents = 120, .budget = 3000};
            check_restore(options, times[i], false);
            check_restore(options, times[i], true);
            options.route_bytes = 1 << 20; // tiles of one goal push out another's
            check_restore(options, times[i], false);
        }
    }
}

static void a_step_allocates_nothing(void **ignored)
{
    (void)ignored;
    for (int method = THRONG_ROUTE_TILES; method <= THRONG_ROUTE_ROOMS; method++) {
        throng_goal_id goals[10];
        route_options options = {.method = (throng_route_method)method,
                                 .goals = 10,
                                 .agents = 200,
                                 .route_bytes = 1 << 20};
        fixture world = make_world(options, goals);
        uint64_t before = throng_allocation_count();
        run(&world, 30);
        throng_crowd_edit_rect(world.crowd, (throng_cell_rect){60, 20, 3, 90}, THRONG_WALL);
        before++; // the command's own
        run(&world, 60);
        assert_true(throng_allocation_count() <= before);
        assert_true(world.crowd->routes != NULL);
        assert_true(method == THRONG_ROUTE_PATH || world.crowd->routes->pool->evictions > 0);
        fixture_destroy(&world);
        assert_int_equal(throng_live_bytes(), 0);
    }
}

static void who_cannot_get_there_is_told_so(void **ignored)
{
    (void)ignored;
    for (int method = THRONG_ROUTE_TILES; method <= THRONG_ROUTE_ROOMS; method++) {
        throng_goal_id goals[1];
        route_options options = {.method = (throng_route_method)method, .goals = 1, .agents = 30};
        fixture world = make_world(options, goals);
        run(&world, 10);
        assert_int_equal(count_status(&world, THRONG_CUT_OFF), 0);
        // A wall all across, and the goal on one side of it.
        throng_cell_rect wall = {98, 0, 4, 180};
        assert_ok(throng_crowd_edit_rect(world.crowd, wall, THRONG_WALL));
        run(&world, 30);
        int cut_off = count_status(&world, THRONG_CUT_OFF);
        assert_true(cut_off > 3 && cut_off < 27);
        assert_ok(throng_crowd_edit_rect(world.crowd, wall, THRONG_GROUND));
        run(&world, 30);
        assert_int_equal(count_status(&world, THRONG_CUT_OFF), 0);
        fixture_destroy(&world);
    }
}

static void goals_of_all_shapes_and_none_have_an_answer(void **ignored)
{
    (void)ignored;
    for (int method = THRONG_ROUTE_TILES; method <= THRONG_ROUTE_ROOMS; method++) {
        throng_goal_id goals[1], more[4];
        route_options options = {.method = (throng_route_method)method, .goals = 1, .agents = 4};
        fixture world = make_world(options, goals);
        throng_goal_def def = throng_default_goal_def();
        throng_rect rect = {{70.0f, 60.0f}, {76.0f, 66.0f}};
        int cells[9];
        for (int i = 0; i < 9; i++) {
            cells[i] = (20 + i / 3 * 2) * 200 + 20 + i % 3 * 2;
        }
        def.method = (throng_route_method)method;
        def.shape.rects = &rect;
        def.shape.rect_count = 1;
        assert_ok(throng_crowd_add_goal(world.crowd, &def, &more[0]));
        throng_crowd_remove_goal(world.crowd, goals[0]);
        run(&world, 1);
        for (int i = 0; i < 4; i++) {
            throng_agent_id id = throng_crowd_agents(world.crowd).id[i];
            assert_ok(throng_crowd_order(world.crowd, id, more[0]));
        }
        run(&world, 3000);
        assert_int_equal(count_status(&world, THRONG_ARRIVED), 4);
        throng_crowd_remove_goal(world.crowd, more[0]);
        run(&world, 1);
        def = throng_default_goal_def();
        def.method = (throng_route_method)method;
        def.shape.cells = cells;
        def.shape.cell_count = 9;
        def.shape.snap_distance = 20.0f;
        assert_ok(throng_crowd_add_goal(world.crowd, &def, &more[1]));
        for (int i = 0; i < 4; i++) {
            throng_agent_id id = throng_crowd_agents(world.crowd).id[i];
            assert_ok(throng_crowd_order(world.crowd, id, more[1]));
        }
        run(&world, 3000);
        assert_int_equal(count_status(&world, THRONG_ARRIVED), 4);
        // A goal in the middle of nowhere: no way leads there.
        throng_vec2 far = {5000.0f, 5000.0f};
        def = throng_default_goal_def();
        def.method = (throng_route_method)method;
        def.shape.points = &far;
        def.shape.point_count = 1;
        assert_ok(throng_crowd_add_goal(world.crowd, &def, &more[2]));
        for (int i = 0; i < 4; i++) {
            throng_agent_id id = throng_crowd_agents(world.crowd).id[i];
            assert_ok(throng_crowd_order(world.crowd, id, more[2]));
        }
        run(&world, 30);
        assert_int_equal(count_status(&world, THRONG_CUT_OFF), 4);
        def.method = (throng_route_method)9;
        assert_int_equal(throng_crowd_add_goal(world.crowd, &def, &more[3]), THRONG_BAD_ARGUMENT);
        def.method = THRONG_ROUTE_AUTO;
        def.expected_agents = -1;
        assert_int_equal(throng_crowd_add_goal(world.crowd, &def, &more[3]), THRONG_BAD_ARGUMENT);
        fixture_destroy(&world);
    }
}

static void octile_crowds_and_small_worlds_take_fields(void **ignored)
{
    (void)ignored;
    throng_goal_id goals[1];
    route_options options = {
        .method = THRONG_ROUTE_TILES, .goals = 1, .agents = 4, .metric = THRONG_OCTILE};
    fixture world = make_world(options, goals);
    assert_non_null(throng_crowd_goal_field(world.crowd, goals[0], 0));
    fixture_destroy(&world);
    options = (route_options){.method = THRONG_ROUTE_AUTO, .goals = 1, .agents = 4};
    world = make_world(options, goals);
    assert_non_null(throng_crowd_goal_field(world.crowd, goals[0], 0));
    fixture_destroy(&world);
}

static void questions_are_answered_and_change_nothing(void **ignored)
{
    (void)ignored;
    for (int method = THRONG_ROUTE_FIELD; method <= THRONG_ROUTE_ROOMS; method++) {
        throng_goal_id goals[3], none = {0, 0};
        route_options options = {.method = (throng_route_method)method, .goals = 3, .agents = 60};
        fixture world = make_world(options, goals);
        run(&world, 30);
        uint64_t before = throng_crowd_hash(world.crowd);
        throng_agents_view agents = throng_crowd_agents(world.crowd);
        int known = 0;
        for (int i = 0; i < agents.count; i++) {
            throng_goal_id goal = goals[agents.goal[i] - 1];
            throng_vec2 place = {agents.x[i], agents.y[i]};
            throng_sample sample = throng_crowd_way(world.crowd, goal, 0, place);
            known += sample.reached;
        }
        assert_true(method == THRONG_ROUTE_PATH ? known == 0 : known >= agents.count - 2);
        assert_false(throng_crowd_way(world.crowd, none, 0, (throng_vec2){9.0f, 9.0f}).reached);
        assert_false(throng_crowd_way(world.crowd, goals[0], 0, (throng_vec2){NAN, 9.0f}).reached);
        throng_build_answer answer;
        // All across the map: it parts agents from goals. A block in a corner: it parts nobody.
        assert_ok(throng_crowd_may_build(world.crowd, (throng_cell_rect){98, 0, 4, 180},
                                         THRONG_WALL, &answer));
        assert_true(answer.cuts);
        assert_ok(throng_crowd_may_build(world.crowd, (throng_cell_rect){0, 0, 2, 2}, THRONG_WALL,
                                         &answer));
        assert_false(answer.cuts);
        assert_int_equal(throng_crowd_may_build(world.crowd, (throng_cell_rect){0, 0, -2, 2},
                                                THRONG_WALL, &answer),
                         THRONG_BAD_ARGUMENT);
        assert_int_equal(throng_crowd_hash(world.crowd), before);
        fixture_destroy(&world);
    }
}

/// Where a goal goes round a ring, metres.
static throng_vec2 on_ring(int step)
{
    float angle = (float)step * 0.01f;
    return (throng_vec2){45.0f + 30.0f * cosf(angle), 45.0f + 30.0f * sinf(angle)};
}

static void goals_that_move_are_followed(void **ignored)
{
    (void)ignored;
    for (int method = THRONG_ROUTE_TILES; method <= THRONG_ROUTE_ROOMS; method++) {
        throng_goal_id goals[2], other_goals[2];
        route_options options = {
            .method = (throng_route_method)method, .goals = 2, .agents = 40, .budget = 6000};
        fixture world = make_world(options, goals);
        fixture other = make_world(options, other_goals);
        for (int i = 0; i < 400; i++) {
            assert_ok(throng_crowd_move_goal(world.crowd, goals[0], on_ring(i)));
            run(&world, 1);
        }
        pass_on(world.crowd, other.crowd);
        for (int i = 400; i < 900; i++) {
            throng_vec2 point = on_ring(i < 600 ? i : 600); // then it rests
            assert_ok(throng_crowd_move_goal(world.crowd, goals[0], point));
            assert_ok(throng_crowd_move_goal(other.crowd, goals[0], point));
            run(&world, 1);
            run(&other, 1);
            assert_int_equal(throng_crowd_hash(other.crowd), throng_crowd_hash(world.crowd));
        }
        run(&world, 1600);
        throng_agents_view agents = throng_crowd_agents(world.crowd);
        throng_vec2 point = on_ring(600);
        int near = 0;
        for (int i = 0; i < agents.count; i++) {
            float dx = agents.x[i] - point.x, dy = agents.y[i] - point.y;
            near += agents.goal[i] == 1 && dx * dx + dy * dy < 100.0f;
        }
        print_message("%s: %d of 20 are with the goal\n",
                      throng_route_name((throng_route_method)method), near);
        assert_true(near >= 18);
        fixture_destroy(&world);
        fixture_destroy(&other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_methods_lead_there_in_the_same_time),
        TEST(threads_change_nothing),
        TEST(a_restored_world_goes_on_with_the_same_hashes),
        TEST(a_step_allocates_nothing),
        TEST(who_cannot_get_there_is_told_so),
        TEST(goals_of_all_shapes_and_none_have_an_answer),
        TEST(questions_are_answered_and_change_nothing),
        TEST(goals_that_move_are_followed),
        TEST(octile_crowds_and_small_worlds_take_fields),
    };
    return RUN_TESTS(tests);
}
