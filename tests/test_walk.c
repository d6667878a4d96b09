/// Scenes with walkers: what they make, what they refuse, what their pictures show.
#include "scene_fixture.h"
#include <throng_io/walk.h>

#define HEAD "{\"throng_scene\": 1, \"steps_per_second\": 10, \"duration\": 100, "
#define MAZE                                                                                       \
    "\"rooms\": {\"maze\": {\"rooms\": [8, 6], \"room_size\": 7, \"seed\": 3}, "                   \
    "\"close_every\": 5}, "
#define WALKERS                                                                                    \
    "\"walkers\": [{\"count\": 300, \"to\": \"cells\", \"seed\": 2}, {\"count\": 40, \"to\": 20, " \
    "\"watched\": true}, {\"count\": 30, \"to\": \"rooms\", \"from\": [1, 1, 20, 20]}]"

static throng_walk *open_walk(const throng_scene *scene, int threads)
{
    throng_walk *walk = NULL;
    throng_error error = {0};
    assert_ok_or(throng_walk_open(scene, threads, 0, 0, &walk, &error), &error);
    return walk;
}

static void a_walk_goes_alike_on_any_threads(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(HEAD MAZE WALKERS "}");
    assert_true(throng_scene_has_walkers(scene));
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        throng_walk *walk = open_walk(scene, i + 1);
        while (throng_walk_step(walk)) {
        }
        throng_walk_summary sum = throng_walk_get_summary(walk);
        assert_int_equal(sum.walkers, 370);
        assert_int_equal(sum.step, 1000);
        assert_int_equal(sum.changes, 400);
        assert_int_equal(sum.last.arrived + sum.last.walking + sum.last.unreachable, 370);
        assert_true(sum.last.arrived >= 365); // one door is closed at the end
        assert_true(sum.slowest_step >= sum.median_step && sum.median_step > 0.0);
        hashes[i] = throng_walkers_hash(throng_walk_walkers(walk));
        throng_walk_destroy(walk);
    }
    assert_int_equal(hashes[0], hashes[1]);
    throng_world *world = NULL;
    throng_world_options options = throng_default_world_options();
    throng_error error;
    assert_int_equal(throng_world_create(scene, &options, &world, &error), THRONG_BAD_DATA);
    assert_null(world);
    throng_scene_destroy(scene);
}

static void groups_begin_and_go_where_they_should(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(HEAD MAZE WALKERS "}");
    throng_walk *walk = open_walk(scene, 1);
    throng_walkers_view view = throng_walkers_get_view(throng_walk_walkers(walk));
    int width = throng_map_width(throng_walk_map(walk));
    for (int i = 0; i < view.count; i++) {
        int x = (int)view.cells[i] % width, y = (int)view.cells[i] / width;
        assert_true(view.ids[i] < 340 || (x >= 1 && x < 20 && y >= 1 && y < 20));
    }
    while (throng_walk_step(walk)) {
    }
    for (int i = 0; i < view.count; i++) {
        bool watched = view.ids[i] >= 300 && view.ids[i] < 340;
        if (watched && view.statuses[i] == THRONG_WALKER_ARRIVED) {
            assert_int_equal(throng_rooms_at(throng_walk_rooms(walk), (int)view.cells[i]), 20);
        }
    }
    throng_walk_destroy(walk);
    throng_scene_destroy(scene);
}

static void rooms_are_cut_from_the_map(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(
        HEAD "\"map\": {\"rows\": [\"@@@@@@@@@@@\", \"@....@....@\", \"@.........@\", "
             "\"@....@....@\", \"@@@@@@@@@@@\"], \"cell\": 1}, \"rooms\": {\"cut\": 16}, "
             "\"walkers\": [{\"count\": 1, \"from\": [1, 1, 2, 2], \"to\": [9, 3]}]}");
    throng_walk *walk = open_walk(scene, 1);
    assert_true(throng_rooms_count(throng_walk_rooms(walk)) >= 2);
    while (throng_walk_step(walk)) {
    }
    assert_int_equal(throng_walk_get_summary(walk).last.arrived, 1);
    assert_int_equal(throng_walk_get_summary(walk).moved, 10);
    throng_walk_destroy(walk);
    throng_scene_destroy(scene);
}

#define TWO_ROOMS                                                                                  \
    HEAD "\"rooms\": {\"maze\": {\"rooms\": [2, 1], \"room_size\": 6}}, "                          \
         "\"walkers\": [{\"count\": 9, \"from\": [1, 1, 5, 5], \"to\": 2}]"

static void doors_change_when_the_scene_says(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(TWO_ROOMS "}");
    throng_walk *walk = open_walk(scene, 1);
    assert_int_equal(throng_rooms_door_count(throng_walk_rooms(walk)), 1);
    int cell = throng_rooms_door_cell(throng_walk_rooms(walk), 0);
    int width = throng_map_width(throng_walk_map(walk)), last_arrival = 0;
    throng_walk_destroy(walk);
    throng_scene_destroy(scene);
    char text[1024]; // closed at once, open after five seconds: fifty steps
    snprintf(text, sizeof text,
             "%s, \"doors\": [{\"at\": 5, \"cell\": [%d, %d]}, "
             "{\"at\": 0, \"cell\": [%d, %d], \"closed\": true}]}",
             TWO_ROOMS, cell % width, cell / width, cell % width, cell / width);
    scene = parse_good(text);
    walk = open_walk(scene, 1);
    while (throng_walk_step(walk)) {
        throng_walk_summary sum = throng_walk_get_summary(walk);
        assert_int_equal(sum.last.unreachable, sum.step <= 50 ? 9 : 0);
        assert_true(sum.step > 50 || sum.moved == 0);
        last_arrival = sum.last.arrived == 9 && last_arrival == 0 ? sum.step : last_arrival;
    }
    assert_in_range(last_arrival, 52, 62);
    throng_walk_destroy(walk);
    throng_scene_destroy(scene);
}

static void mistakes_are_refused_where_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {HEAD WALKERS "}", "rooms and walkers together"},
        {HEAD MAZE "\"goals\": {\"there\": {\"points\": [[1, 1]]}}, \"agents\": [{\"goal\": "
                   "\"there\", \"at\": [[1, 1]]}], " WALKERS "}",
         "either walkers, or agents"},
        {HEAD "\"map\": {\"size\": [9, 9]}, " MAZE WALKERS "}", "no key map"},
        {HEAD "\"rooms\": {\"cut\": 64}, " WALKERS "}", "key map, which is missing"},
        {HEAD "\"rooms\": {}, " WALKERS "}", "exactly one of the keys maze, cut"},
        {HEAD "\"rooms\": {\"maze\": {\"rooms\": [300, 300]}}, " WALKERS "}",
         "at most 65535 rooms"},
        {HEAD "\"rooms\": {\"maze\": {\"rooms\": [2.5, 3]}}, " WALKERS "}", "whole numbers"},
        {HEAD MAZE "\"walkers\": [{\"count\": 0, \"to\": 1}]}", "found 0"},
        {HEAD MAZE "\"walkers\": [{\"count\": 3}]}", "key to, which is missing"},
        {HEAD MAZE "\"walkers\": [{\"count\": 3, \"to\": \"home\"}]}", "\"cells\", \"rooms\""},
        {HEAD MAZE "\"doors\": [{\"at\": 1}], " WALKERS "}", "key cell, which is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        throng_scene *scene = NULL;
        throng_error error;
        assert_int_equal(parse(cases[i].text, &scene, &error), THRONG_BAD_DATA);
        if (strstr(error.text, cases[i].says) == NULL) {
            print_error("expected \"%s\", found \"%s\"\n", cases[i].says, error.text);
        }
        assert_non_null(strstr(error.text, cases[i].says));
    }
    static const char *const later[] = {
        HEAD MAZE "\"walkers\": [{\"count\": 3, \"to\": [0, 0]}]}",
        HEAD MAZE "\"walkers\": [{\"count\": 3, \"to\": 49}]}",
        HEAD MAZE "\"walkers\": [{\"count\": 3, \"to\": 1, \"from\": [50, 0, 70, 9]}]}",
    };
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        throng_scene *scene = parse_good(later[i]);
        throng_walk *walk = NULL;
        throng_error error = {0};
        assert_int_equal(throng_walk_open(scene, 1, 0, 0, &walk, &error), THRONG_BAD_DATA);
        assert_null(walk);
        assert_string_not_equal(error.text, "");
        throng_scene_destroy(scene);
    }
}

static void a_picture_shows_the_watched_alone(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(HEAD MAZE WALKERS "}");
    throng_walk *walk = open_walk(scene, 1);
    throng_walk_picture *drawing = NULL;
    assert_int_equal(throng_walk_picture_create(walk, "walk", "", 8, &drawing),
                     THRONG_BAD_ARGUMENT);
    assert_ok(throng_walk_picture_create(walk, "walk", "", 336, &drawing));
    const throng_picture *picture = throng_walk_picture_draw(drawing);
    // 56 x 42 cells of 6 pixels from (12, 64) on: count the cells with a dot.
    throng_walkers_view view = throng_walkers_get_view(throng_walk_walkers(walk));
    int dots = 0, cells = 0;
    uint8_t standing[42][56] = {{0}};
    for (int i = 0; i < view.count; i++) {
        bool watched = view.ids[i] >= 300 && view.ids[i] < 340;
        standing[view.cells[i] / 56][view.cells[i] % 56] |= watched;
    }
    for (int y = 0; y < 42; y++) {
        for (int x = 0; x < 56; x++) {
            int at_x = 12 + 6 * x + 3, at_y = 64 + 6 * y + 3;
            const uint8_t *rgb =
                picture->rgb + 3 * ((size_t)at_y * (size_t)picture->width + (size_t)at_x);
            dots += rgb[0] == 250 && rgb[1] == 220 && rgb[2] == 120;
            cells += standing[y][x];
        }
    }
    assert_int_equal(dots, cells);
    throng_walk_picture_destroy(drawing);
    throng_walk_destroy(walk);
    throng_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_walk_goes_alike_on_any_threads),    TEST(groups_begin_and_go_where_they_should),
        TEST(rooms_are_cut_from_the_map),          TEST(doors_change_when_the_scene_says),
        TEST(mistakes_are_refused_where_they_are), TEST(a_picture_shows_the_watched_alone)};
    return RUN_TESTS(tests);
}
