/// Scenes turned under their map, polygons, rounds, and the measures of streams.
#include "scene_fixture.h"

#include <math.h>

typedef struct lines {
    double values[64];
    int count;
} lines;

static void keep_line(void *context, const throng_check_line *line)
{
    lines *found = context;
    found->values[found->count++ % 64] = line->value;
}

static int walls_of(const throng_map *map)
{
    int walls = 0;
    for (int y = 0; y < throng_map_height(map); y++) {
        for (int x = 0; x < throng_map_width(map); x++) {
            walls += throng_map_blocked(map, 0, x, y);
        }
    }
    return walls;
}

static void a_polygon_covers_its_area_and_holes_stay_out(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(
        "{\"throng_scene\": 1, \"map\": {\"size\": [20, 20], \"cell\": 0.1, \"shapes\": [{\n"
        "\"polygons\": [[[2, 2], [18, 2], [2, 18]], [[5, 5], [15, 5], [15, 15], [5, 15],\n"
        "[5, 5], [7, 7], [7, 13], [13, 13], [13, 7], [7, 7]]]}]},\n"
        "\"agents\": [{\"at\": [[19, 19]]}]}");
    throng_world *world = make_good(scene, 0);
    const throng_map *map = throng_world_map(world);
    assert_near(walls_of(map) * 0.01, 128.0 + 64.0 - 32.0, 2.0); // half of the frame lies in both
    assert_true(throng_map_blocked(map, 0, 40, 40));
    assert_false(throng_map_blocked(map, 0, 120, 120)); // in the frame's hole
    assert_true(throng_map_blocked(map, 0, 140, 140));  // in the frame
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

static void a_polygon_of_two_corners_is_refused(void **state)
{
    (void)state;
    throng_scene *scene = NULL;
    throng_error error;
    assert_int_equal(parse("{\"throng_scene\": 1, \"map\": {\"size\": [20, 20], \"shapes\": "
                           "[{\"polygons\": [[[1, 1], [2, 2]]]}]},\n\"agents\": []}",
                           &scene, &error),
                     THRONG_BAD_DATA);
    assert_non_null(strstr(error.text, "at least three corners, found 2"));
    assert_null(scene);
}

static const char corridor[] =
    "{\"throng_scene\": 1, \"duration\": 16, \"map\": {\"size\": [40, 40], \"cell\": 0.2,\n"
    "\"origin\": [-20, -20], \"shapes\": [{\"outside\": [-12, -2, 12, 2]}]},\n"
    "\"profiles\": {\"person\": {\"speed\": 2}},\n"
    "\"goals\": {\"out\": {\"rects\": [[11, -2, 12, 2]], \"remove\": true}},\n"
    "\"agents\": [{\"goal\": \"out\", \"random\": {\"count\": 12, \"area\": [-11, -2, -6, 2]}}],\n"
    "\"gates\": {\"middle\": {\"from\": [0, -2], \"to\": [0, 2]}},\n"
    "\"arrangements\": {\"turn_deg\": [0, 90, 37, -160], \"pivot\": [0, 0]},\n"
    "\"expect\": [\n"
    "{\"name\": \"a\", \"measure\": \"reached_share\", \"at_least\": 1},\n"
    "{\"name\": \"b\", \"measure\": \"gate_count\", \"gate\": \"middle\", \"at_least\": 12},\n"
    "{\"name\": \"c\", \"measure\": \"detour\", \"at_most\": 1.2},\n"
    "{\"name\": \"d\", \"measure\": \"outside_count\", \"rect\": [-12, -2, -5, 2], \"at\": 0.03,\n"
    "\"at_most\": 0}]}";

static void a_turned_scene_is_the_same_scene(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(corridor);
    assert_int_equal(throng_scene_arrangement_count(scene), 4);
    lines found = {{0}, 0};
    throng_check_result result;
    throng_error error = {0};
    assert_ok_or(throng_scene_check(scene, NULL, keep_line, &found, &result, &error), &error);
    assert_int_equal(result.failed, 0);
    assert_true(result.passed >= 16);
    int free[2];
    for (int i = 0; i < 2; i++) {
        throng_world *world = make_good(scene, i * 2);
        free[i] = 200 * 200 - walls_of(throng_world_map(world));
        throng_world_destroy(world);
    }
    assert_int_equal(free[0], 120 * 20);
    assert_near(free[1], free[0], 0.02 * free[0]); // at 37 degrees, in cells
    throng_scene_destroy(scene);
}

static void who_makes_rounds_comes_by_again_and_again(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(
        "{\"throng_scene\": 1, \"duration\": 62, \"map\": {\"size\": [20, 20]},\n"
        "\"goals\": {\"a\": {\"rects\": [[2, 2, 4, 4]]}, \"b\": {\"rects\": [[16, 2, 18, 4]]},\n"
        "\"c\": {\"rects\": [[16, 16, 18, 18]]}},\n"
        "\"agents\": [{\"at\": [[3, 3]], \"rounds\": [\"b\", \"c\", \"a\"]}],\n"
        "\"gates\": {\"g\": {\"from\": [10, 0], \"to\": [10, 6]}},\n"
        "\"expect\": [{\"name\": \"laps\", \"measure\": \"gate_count\", \"gate\": \"g\",\n"
        "\"at_least\": 3}, {\"name\": \"walked\", \"measure\": \"walked\", \"at_least\": 110}]}");
    lines found = {{0}, 0};
    throng_check_result result;
    throng_error error = {0};
    assert_ok_or(throng_scene_check(scene, NULL, keep_line, &found, &result, &error), &error);
    print_message("laps %.0f, walked %.1f m\n", found.values[0], found.values[1]);
    assert_int_equal(result.failed, 0);
    throng_scene_destroy(scene);
}

static void rounds_beside_a_goal_are_refused(void **state)
{
    (void)state;
    throng_scene *scene = NULL;
    throng_error error;
    assert_int_equal(
        parse("{\"throng_scene\": 1, \"map\": {\"size\": [20, 20]},\n"
              "\"goals\": {\"a\": {\"points\": [[2, 2]]}, \"b\": {\"points\": [[9, 9]]}},\n"
              "\"agents\": [{\"at\": [[3, 3]], \"goal\": \"a\", \"rounds\": [\"a\", \"b\"]}]}",
              &scene, &error),
        THRONG_BAD_DATA);
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.text, "goal, own_goals, rounds"));
}

/// Ten in a file, 2 m apart at 2 m/s: one a second past any line, half a one a metre.
static void density_speed_and_flow_of_a_file_are_what_they_must_be(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(
        "{\"throng_scene\": 1, \"duration\": 20, \"map\": {\"size\": [60, 10]},\n"
        "\"profiles\": {\"person\": {\"speed\": 2}},\n"
        "\"goals\": {\"out\": {\"rects\": [[58, 0, 60, 10]], \"remove\": true}},\n"
        "\"agents\": [{\"goal\": \"out\", \"velocity\": [2, 0], \"block\": {\"first\": [2, 5],\n"
        "\"columns\": 10, \"rows\": 1, \"pitch\": [2, 0]}}],\n"
        "\"gates\": {\"g\": {\"from\": [30, 3], \"to\": [30, 7]}},\n"
        "\"expect\": [\n"
        "{\"name\": \"a\", \"measure\": \"density\", \"rect\": [24, 4, 34, 6], \"from\": 8,\n"
        "\"to\": 10, \"at_least\": 0},\n"
        "{\"name\": \"b\", \"measure\": \"mean_speed\", \"rect\": [24, 4, 34, 6], \"from\": 8,\n"
        "\"to\": 10, \"at_least\": 0},\n"
        "{\"name\": \"c\", \"measure\": \"flow\", \"gate\": \"g\", \"at_least\": 0},\n"
        "{\"name\": \"d\", \"measure\": \"flow\", \"gate\": \"g\", \"share\": 0.5, \"at_least\": "
        "0},\n"
        "{\"name\": \"e\", \"measure\": \"specific_flow\", \"gate\": \"g\", \"at_least\": 0},\n"
        "{\"name\": \"f\", \"measure\": \"flow\", \"gate\": \"g\", \"from\": 18, \"at_least\": "
        "0}]}");
    lines found = {{0}, 0};
    throng_check_result result;
    throng_error error = {0};
    assert_ok_or(throng_scene_check(scene, NULL, keep_line, &found, &result, &error), &error);
    assert_near(found.values[0], 0.25, 0.01);
    assert_near(found.values[1], 2.0, 0.01);
    assert_near(found.values[2], 1.0, 0.02);
    assert_near(found.values[3], 1.0, 0.02);
    assert_near(found.values[4], 0.25, 0.005);
    assert_near(found.values[5], 0.0, 0.0); // the last one passed at 14 s
    throng_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_polygon_covers_its_area_and_holes_stay_out),
        TEST(a_polygon_of_two_corners_is_refused),
        TEST(a_turned_scene_is_the_same_scene),
        TEST(who_makes_rounds_comes_by_again_and_again),
        TEST(rounds_beside_a_goal_are_refused),
        TEST(density_speed_and_flow_of_a_file_are_what_they_must_be),
    };
    return RUN_TESTS(tests);
}
