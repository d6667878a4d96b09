/// Goals as scenes write them: how ways are found, and goals that move or follow somebody.
#include "scene_fixture.h"
#include "temp_files.h"

#include <math.h>
#include <throng/replay.h>
#include <throng_io/scene.h>

static const char moving[] =
    "{\"throng_scene\": 1, \"duration\": 60, \"map\": {\"size\": [40, 40],\n"
    "\"shapes\": [{\"rects\": [[20, 5, 21, 40]]}]},\n"
    "\"goals\": {\"tour\": {\"points\": [[5, 30]], \"method\": \"%s\", \"moves\": {\"through\":\n"
    "[[5, 10], [15, 10]], \"speed\": 2, \"from\": 4, \"rounds\": %s}},\n"
    "\"lead\": {\"points\": [[30, 30]], \"follows\": [\"first\", \"second\"]},\n"
    "\"still\": {\"points\": [[35, 38]]}},\n"
    "\"agents\": [{\"name\": \"walkers\", \"goal\": \"tour\", \"block\": {\"first\": [3, 30],\n"
    "\"columns\": 3, \"rows\": 2, \"pitch\": [1.5, 1.5]}},\n"
    "{\"name\": \"first\", \"goal\": \"still\", \"at\": [[30, 10]]},\n"
    "{\"name\": \"second\", \"at\": [[37, 8]]},\n"
    "{\"name\": \"dogs\", \"goal\": \"lead\", \"at\": [[26, 30], [26, 32], [24, 20]]}],\n"
    "\"events\": [{\"at\": 30, \"remove\": {\"agents\": \"first\"}}],\n"
    "\"arrangements\": {\"turn_deg\": [0, 90], \"pivot\": [20, 20]}}";

static throng_world *make_moving(throng_scene **scene, const char *method, bool rounds, int turned)
{
    char text[2000];
    int length = snprintf(text, sizeof text, moving, method, rounds ? "true" : "false");
    assert_true(length > 0 && (size_t)length < sizeof text);
    *scene = parse_good(text);
    return make_good(*scene, turned);
}

static void run_to(throng_world *world, double seconds)
{
    while (throng_crowd_time(throng_world_crowd(world)) < seconds - 1e-3) {
        throng_world_step(world);
    }
}

static throng_vec2 place_of(const throng_world *world, const char *name)
{
    throng_goal_shape shape;
    const char *found = "";
    int i = -1;
    while (strcmp(found, name) != 0) {
        assert_true(++i < throng_world_goal_count(world));
        throng_world_goal_at(world, i, &shape, &found);
    }
    assert_int_equal(shape.point_count, 1);
    return shape.points[0];
}

static void check_place(const throng_world *world, const char *name, float x, float y)
{
    throng_vec2 place = place_of(world, name);
    assert_near(place.x, x, 0.08); // a step's way
    assert_near(place.y, y, 0.08);
}

static void a_goal_goes_through_its_points_and_stays_at_the_last(void **state)
{
    (void)state;
    throng_scene *scene;
    throng_world *world = make_moving(&scene, "auto", false, 0);
    check_place(world, "tour", 5, 30);
    run_to(world, 4.0);
    check_place(world, "tour", 5, 30);
    run_to(world, 9.0);
    check_place(world, "tour", 5, 20);
    run_to(world, 16.5);
    check_place(world, "tour", 10, 10);
    run_to(world, 25.0);
    check_place(world, "tour", 15, 10);
    uint64_t moved = throng_world_goals_moved(world);
    assert_true(moved > 0);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

static void rounds_go_back_to_the_first_point(void **state)
{
    (void)state;
    throng_scene *scene;
    throng_world *world = make_moving(&scene, "auto", true, 0);
    float round = 30.0f + sqrtf(500.0f); // 20, 10 and the way back
    run_to(world, 4.0 + (double)(round + 10.0f) / 2.0);
    check_place(world, "tour", 5, 20);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

static void turned_goals_go_turned_ways(void **state)
{
    (void)state;
    throng_scene *scene;
    throng_world *world = make_moving(&scene, "field", false, 1);
    check_place(world, "tour", 10, 5); // 90 degrees about [20, 20]
    run_to(world, 9.0);
    check_place(world, "tour", 20, 5);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

/// Farthest of the agents of a profile's goal from a place.
static float farthest(const throng_world *world, const char *goal, throng_vec2 place)
{
    throng_agents_view agents = throng_crowd_agents(throng_world_crowd((throng_world *)world));
    uint32_t slot = throng_world_goal(world, goal).slot;
    float most = 0.0f;
    for (int i = 0; i < agents.count; i++) {
        float dx = agents.x[i] - place.x, dy = agents.y[i] - place.y;
        float there = sqrtf(dx * dx + dy * dy);
        most = agents.goal[i] == slot && there > most ? there : most;
    }
    return most;
}

static void agents_come_along_whatever_the_method(void **state)
{
    (void)state;
    static const char *const methods[] = {"auto", "field", "tiles", "path"};
    for (int i = 0; i < 4; i++) {
        throng_scene *scene;
        throng_world *world = make_moving(&scene, methods[i], false, 0);
        run_to(world, 29.0);
        assert_true(farthest(world, "tour", (throng_vec2){15, 10}) < 2.5f);
        throng_world_destroy(world);
        throng_scene_destroy(scene);
    }
}

static void a_goal_follows_the_next_when_the_first_is_gone(void **state)
{
    (void)state;
    throng_scene *scene;
    throng_world *world = make_moving(&scene, "auto", false, 0);
    run_to(world, 29.0);
    throng_vec2 place = place_of(world, "lead");
    assert_near(place.x, 35, 0.7);
    assert_near(place.y, 38, 0.7);
    assert_true(farthest(world, "lead", place) < 2.5f);
    run_to(world, 31.0);
    check_place(world, "lead", 37, 8); // the second one stands there
    run_to(world, 58.0);
    assert_true(farthest(world, "lead", place_of(world, "lead")) < 2.5f);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

static void a_resumed_world_has_its_goals_where_they_were(void **state)
{
    (void)state;
    throng_scene *scene;
    throng_world *world = make_moving(&scene, "auto", true, 0);
    run_to(world, 33.0);
    const char *path = temp_path("goals.throng");
    throng_error error = {0};
    assert_ok_or(throng_crowd_save(throng_world_crowd(world), path, &error), &error);
    throng_world *other = make_good(scene, 0);
    assert_ok_or(throng_world_resume(other, path, &error), &error);
    for (int i = 0; i < 300; i++) {
        throng_world_step(world);
        throng_world_step(other);
        assert_int_equal(throng_crowd_hash(throng_world_crowd(world)),
                         throng_crowd_hash(throng_world_crowd(other)));
    }
    throng_vec2 here = place_of(world, "lead"), there = place_of(other, "lead");
    assert_true(here.x == there.x && here.y == there.y);
    throng_world_destroy(world);
    throng_world_destroy(other);
    throng_scene_destroy(scene);
}

static void goals_have_the_method_that_is_asked_for(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(
        "{\"throng_scene\": 1, \"map\": {\"size\": [40, 40]},\n"
        "\"goals\": {\"a\": {\"points\": [[5, 5]], \"method\": \"path\", \"expected_agents\": 1},\n"
        "\"b\": {\"points\": [[9, 5]], \"method\": \"field\"}, \"c\": {\"points\": [[9, 9]]}},\n"
        "\"agents\": [{\"goal\": \"a\", \"at\": [[9, 30]]}, {\"goal\": \"b\", \"at\": [[7, 30]]},\n"
        "{\"goal\": \"c\", \"at\": [[11, 30]]}]}");
    for (int i = THRONG_ROUTE_AUTO; i <= THRONG_ROUTE_ROOMS; i++) {
        throng_world_options options = throng_default_world_options();
        options.method = (throng_route_method)i;
        throng_world *world = NULL;
        throng_error error = {0};
        assert_ok_or(throng_world_create(scene, &options, &world, &error), &error);
        throng_world_step(world);
        for (int k = 0; k < 3; k++) {
            const char *name[] = {"a", "b", "c"};
            bool field = throng_crowd_goal_field(throng_world_crowd(world),
                                                 throng_world_goal(world, name[k]), 0) != NULL;
            assert_int_equal(field, i == THRONG_ROUTE_AUTO ? k > 0 : i == THRONG_ROUTE_FIELD);
        }
        throng_world_destroy(world);
    }
    throng_scene_destroy(scene);
}

static void five_thousand_own_goals_need_the_method_path(void **state)
{
    (void)state;
    const char *text = "{\"throng_scene\": 1, \"map\": {\"size\": [80, 80]},\n"
                       "\"profiles\": {\"p\": {\"radius\": 0.2}},\n"
                       "\"agents\": [{\"profile\": \"p\", \"block\": {\"first\": [1, 1],\n"
                       "\"columns\": 100, \"rows\": 50, \"pitch\": [0.7, 0.7]},\n"
                       "\"own_goals\": {\"mirror\": [40, 40]%s}}]}";
    char given[600];
    throng_scene *scene = NULL;
    throng_error error;
    snprintf(given, sizeof given, text, "");
    assert_int_equal(parse(given, &scene, &error), THRONG_BAD_DATA);
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.text, "at most 4096"));
    snprintf(given, sizeof given, text, ", \"method\": \"path\"");
    scene = parse_good(given);
    throng_world *world = make_good(scene, 0);
    throng_world_step(world);
    assert_int_equal(throng_crowd_agents(throng_world_crowd(world)).count, 5000);
    assert_int_equal(throng_world_goal_count(world), 5000);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

static void print_failed(void *context, const throng_check_line *line)
{
    (void)context;
    if (!line->passed) {
        print_error("%s: %g, bound %g\n", line->name, line->value, line->bound);
    }
}

static void visitors_follow_their_guide(void **state)
{
    (void)state;
    char path[512];
    throng_scene *scene = NULL;
    throng_check_result result;
    throng_error error = {0};
    test_source_path(path, sizeof path, "scenes/guide.json");
    assert_ok_or(throng_scene_load(path, &scene, &error), &error);
    assert_ok_or(throng_scene_check(scene, NULL, print_failed, NULL, &result, &error), &error);
    assert_int_equal(result.passed, 10);
    assert_int_equal(result.failed, 0);
    throng_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_goal_goes_through_its_points_and_stays_at_the_last),
        TEST(rounds_go_back_to_the_first_point),
        TEST(turned_goals_go_turned_ways),
        TEST(agents_come_along_whatever_the_method),
        TEST(a_goal_follows_the_next_when_the_first_is_gone),
        TEST(a_resumed_world_has_its_goals_where_they_were),
        TEST(goals_have_the_method_that_is_asked_for),
        TEST(visitors_follow_their_guide),
        TEST(five_thousand_own_goals_need_the_method_path),
    };
    return cmocka_run_group_tests(tests, temp_make, temp_remove);
}
