/// Worlds: made from a scene they have the map, the agents and the moments that it says; measured,
/// they say what can be worked out by hand.
#include "scene_fixture.h"

static void shapes_paint_the_cells_whose_centres_they_hold(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(
        "{\"throng_scene\": 1, \"map\": {\"size\": [8, 4], \"cell\": 1, \"origin\": [-4, -2],\n"
        "\"shapes\": [{\"rects\": [[-4, -2, 4, -1]], \"gaps\": [[-1, -2, 1, -1]]},\n"
        "{\"terrain\": \"water\", \"outside\": [-4, -2, 3, 4]},\n"
        "{\"terrain\": \"ice\", \"rects\": [[-4, 1, -2.6, 2]]}]},\n"
        "\"terrains\": [\"ice\"], \"agents\": [{\"at\": [[0, 0]]}]}");
    throng_world *world = make_good(scene, 0);
    const throng_map *map = throng_world_map(world);
    for (int x = 0; x < 8; x++) {
        int top = x == 7 ? THRONG_WATER : x == 3 || x == 4 ? THRONG_GROUND : THRONG_WALL;
        assert_int_equal(throng_map_terrain_at(map, x, 0), top);
        assert_int_equal(throng_map_terrain_at(map, x, 1), x == 7 ? THRONG_WATER : THRONG_GROUND);
    }
    assert_int_equal(throng_map_terrain_at(map, 0, 3), THRONG_FIRST_OWN_TERRAIN);
    assert_int_equal(throng_map_terrain_at(map, 1, 3), THRONG_GROUND);
    assert_string_equal(throng_map_terrain_name(map, THRONG_FIRST_OWN_TERRAIN), "ice");
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

static void a_random_fill_is_the_same_every_time_and_overlaps_nobody(void **state)
{
    (void)state;
    throng_scene *scene =
        parse_good("{\"throng_scene\": 1, \"map\": {\"size\": [20, 20],\n"
                   "\"shapes\": [{\"boxes\": {\"count\": 5, \"side\": [1, 3], \"apart\": 1}}]},\n"
                   "\"agents\": [{\"random\": {\"count\": 150, \"seed\": 3}}]}");
    uint64_t hashes[2];
    for (int run = 0; run < 2; run++) {
        throng_world *world = make_good(scene, 0);
        throng_world_step(world);
        throng_agents_view agents = throng_crowd_agents(throng_world_crowd(world));
        assert_int_equal(agents.count, 150);
        for (int i = 0; i < agents.count; i++) {
            for (int k = 0; k < i; k++) {
                float dx = agents.x[i] - agents.x[k], dy = agents.y[i] - agents.y[k];
                assert_true(dx * dx + dy * dy > 0.79f * 0.79f);
            }
        }
        hashes[run] = throng_crowd_hash(throng_world_crowd(world));
        throng_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
    throng_scene_destroy(scene);
}

static void worlds_that_cannot_be_are_refused_with_the_scenes_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
        int line;
    } cases[] = {
        {"{\"throng_scene\": 1, \"map\": {\"size\": [4, 4]},\n\"agents\": [\n{\"random\": "
         "{\"count\": 100}}]}",
         "room for 100", 3},
        {"{\"throng_scene\": 1, \"map\": {\"size\": [4, 4]},\n\"agents\": [\n{\"at\": [[9, "
         "1]]}]}",
         "on the map", 3},
        {"{\"throng_scene\": 1, \"map\": {\n\"file\": \"no_such.map\"},\n\"agents\": [{\"at\": "
         "[[1, 1]]}]}",
         "no_such.map", 2},
        {"{\"throng_scene\": 1, \"map\": {\"rows\": [\n\"....\",\n\"..x.\"]},\n\"agents\": "
         "[{\"at\": [[1, 1]]}]}",
         "map.rows[1]", 3},
        {"{\"throng_scene\": 1, \"map\": {\"size\": [4, 4]},\n\"goals\": {\"g\": {\n\"cells\": "
         "[[99, 0]]}},\n\"agents\": [{\"at\": [[1, 1]], \"goal\": \"g\"}]}",
         "a cell of the map", 3},
        {"{\"throng_scene\": 1, \"map\": {\"size\": [4, 4], \"shapes\": [\n{\"boxes\": "
         "{\"count\": 50, \"side\": [1, 1], \"apart\": 1}}]},\n\"agents\": [{\"at\": [[1, "
         "1]]}]}",
         "room for 50 boxes", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        throng_scene *scene = parse_good(cases[i].text);
        throng_world_options options = throng_default_world_options();
        throng_world *world = NULL;
        throng_error error = {0};
        assert_true(throng_world_create(scene, &options, &world, &error) != THRONG_OK);
        assert_null(world);
        if (error.line != cases[i].line || strstr(error.text, cases[i].expected) == NULL) {
            fail_msg("case %zu gave %s:%d: %s", i, error.file, error.line, error.text);
        }
        throng_scene_destroy(scene);
    }
}

static void events_happen_in_their_step(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(
        "{\"throng_scene\": 1, \"duration\": 4, \"map\": {\"size\": [40, 10]},\n"
        "\"goals\": {\"east\": {\"points\": [[38, 5]]}},\n"
        "\"agents\": [{\"name\": \"one\", \"at\": [[3, 5]]}, {\"name\": \"two\", \"at\": [[3, "
        "8]]}],\n"
        "\"events\": [{\"at\": 2, \"remove\": {\"agents\": \"two\"}},\n"
        "{\"at\": 1, \"order\": {\"agents\": \"one\", \"goal\": \"east\"}},\n"
        "{\"at\": 3, \"teleport\": {\"agents\": [\"one\"], \"to\": [20, 5]}},\n"
        "{\"at\": 1.5, \"edit\": {\"rects\": [[10, 0, 12, 2]], \"terrain\": \"wall\"}},\n"
        "{\"at\": 3.5, \"step\": 0.25}]}");
    throng_world *world = make_good(scene, 0);
    throng_crowd *crowd = throng_world_crowd(world);
    while (!throng_world_done(world)) {
        double time = throng_crowd_time(crowd);
        throng_world_step(world);
        throng_agents_view agents = throng_crowd_agents(crowd);
        assert_int_equal(agents.count, time > 1.999 ? 1 : 2);
        assert_int_equal(throng_map_terrain_at(throng_world_map(world), 21, 1),
                         time > 1.499 ? THRONG_WALL : THRONG_GROUND);
        if (agents.count == 1) {
            assert_true(time > 2.999 ? agents.x[0] > 19.5f : agents.x[0] < 8.0f);
        }
        double dt = throng_crowd_time(crowd) - time;
        assert_near(dt, time > 3.499 && time < 3.501 ? 0.25 : 1.0 / 30.0, 1e-6);
    }
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

static void sources_produce_at_their_rate_and_stop(void **state)
{
    (void)state;
    throng_scene *scene =
        parse_good("{\"throng_scene\": 1, \"duration\": 30, \"map\": {\"size\": [30, 10]},\n"
                   "\"goals\": {\"out\": {\"rects\": [[27, 0, 30, 10]], \"remove\": true}},\n"
                   "\"sources\": [{\"name\": \"s\", \"goal\": \"out\", \"area\": [1, 1, 6, 9],\n"
                   "\"rate\": 2, \"until\": 5, \"count\": 9}]}");
    throng_world *world = make_good(scene, 0);
    while (throng_crowd_time(throng_world_crowd(world)) < 2.0) {
        throng_world_step(world);
    }
    assert_in_range(throng_world_get_summary(world).spawned, 4, 5);
    while (!throng_world_done(world)) {
        throng_world_step(world);
    }
    throng_world_summary summary = throng_world_get_summary(world);
    assert_int_equal(summary.spawned, 9);
    assert_int_equal(summary.removed, 9);
    assert_true(summary.seconds < 29.0); // it ends when it is empty
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

static void arrangements_shift_a_group_and_turn_all(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(
        "{\"throng_scene\": 1, \"map\": {\"size\": [40, 40], \"origin\": [-20, -20]},\n"
        "\"agents\": [{\"name\": \"a\", \"at\": [[5, 0]]}, {\"name\": \"b\", \"at\": [[9, "
        "0]]}],\n"
        "\"arrangements\": {\"shift\": \"b\", \"dx\": [-1, 0, 1], \"rotate_deg\": [0, 90]}}");
    assert_int_equal(throng_scene_arrangement_count(scene), 6);
    throng_world *world = make_good(scene, 5); // dx 1, 90 degrees
    throng_world_step(world);
    throng_agents_view agents = throng_crowd_agents(throng_world_crowd(world));
    for (int i = 0; i < agents.count; i++) {
        assert_near(agents.x[i], 0.0, 1e-4);
        assert_near(agents.y[i], agents.id[i].slot == 1 ? 5.0 : 10.0, 1e-4);
    }
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

/// Positions after the first step of an arrangement, by slot; and their hash.
static uint64_t first_positions(const throng_scene *scene, int arrangement, float *x, float *y)
{
    throng_world *world = make_good(scene, arrangement);
    throng_world_step(world);
    throng_agents_view agents = throng_crowd_agents(throng_world_crowd(world));
    for (int i = 0; i < agents.count; i++) {
        x[agents.id[i].slot - 1] = agents.x[i];
        y[agents.id[i].slot - 1] = agents.y[i];
    }
    uint64_t hash = throng_crowd_hash(throng_world_crowd(world));
    throng_world_destroy(world);
    return hash;
}

static void seeds_draw_anew_what_is_random_and_move_starts(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(
        "{\"throng_scene\": 1, \"map\": {\"size\": [40, 40]},\n"
        "\"agents\": [{\"name\": \"a\", \"at\": [[5, 5], [9, 5]]}, {\"at\": [[20, 20]]},\n"
        "{\"random\": {\"count\": 3, \"area\": [25, 25, 38, 38]}}],\n"
        "\"arrangements\": {\"shift\": \"a\", \"seeds\": [0, 7, 8], \"jitter\": 0.25}}");
    assert_int_equal(throng_scene_arrangement_count(scene), 3);
    char name[64];
    throng_scene_arrangement_name(scene, 1, name, sizeof name);
    assert_non_null(strstr(name, "seed 7"));
    float x[3][6], y[3][6];
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        hashes[i] = first_positions(scene, i, x[i], y[i]);
        assert_true(hashes[i] == first_positions(scene, i, x[i], y[i]));
    }
    assert_true(hashes[0] != hashes[1] && hashes[1] != hashes[2]);
    assert_near(x[0][0], 5.0, 1e-4); // seed 0: as written
    for (int i = 1; i < 3; i++) {
        assert_true(x[i][0] != 5.0f && x[i][1] - 9.0f != x[i][0] - 5.0f);
        assert_near(x[i][0], 5.0, 0.25);
        assert_near(y[i][1], 5.0, 0.25);
        assert_near(x[i][2], 20.0, 1e-4); // not of the group that is shifted
        assert_true(x[i][3] != x[0][3]);
    }
    throng_scene_destroy(scene);
}

static void gate_balance_is_the_fewest_over_the_most_when_one_group_is_through(void **state)
{
    (void)state;
    // Four walk east at once; of the four who walk west two start so late that they miss it.
    throng_scene *scene = parse_good(
        "{\"throng_scene\": 1, \"duration\": 20, \"map\": {\"size\": [40, 20]},\n"
        "\"goals\": {\"e\": {\"points\": [[38, 5]]}, \"w\": {\"points\": [[2, 15]]}},\n"
        "\"agents\": [{\"name\": \"a\", \"goal\": \"e\", \"at\": [[16, 2], [16, 4], [16, 6], "
        "[16, 8]]},\n{\"name\": \"b\", \"goal\": \"w\", \"at\": [[22, 12], [22, 14], [34, 16], "
        "[34, 18]]}],\n"
        "\"gates\": {\"middle\": {\"from\": [20, 0], \"to\": [20, 20]}},\n"
        "\"expect\": [{\"name\": \"half\", \"measure\": \"gate_balance\", \"gate\": \"middle\", "
        "\"at_least\": 0.5}, {\"name\": \"no_more\", \"measure\": \"gate_balance\",\n"
        "\"gate\": \"middle\", \"at_most\": 0.5}]}");
    throng_check_result result;
    throng_error error = {0};
    assert_ok_or(throng_scene_check(scene, NULL, NULL, NULL, &result, &error), &error);
    assert_int_equal(result.failed, 0);
    throng_scene_destroy(scene);
}

static void a_resumed_world_goes_on_with_the_same_hashes(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(
        "{\"throng_scene\": 1, \"duration\": 8, \"map\": {\"size\": [30, 10]},\n"
        "\"goals\": {\"out\": {\"points\": [[27, 5]]}},\n"
        "\"agents\": [{\"name\": \"a\", \"random\": {\"count\": 20, \"area\": [1, 1, 8, 9]}}],\n"
        "\"sources\": [{\"goal\": \"out\", \"area\": [1, 1, 6, 9], \"rate\": 1}],\n"
        "\"events\": [{\"at\": 2, \"order\": {\"agents\": \"a\", \"goal\": \"out\"}},\n"
        "{\"at\": 3, \"step\": 0.5},\n"
        "{\"at\": 6, \"edit\": {\"rects\": [[14, 0, 15, 4]], \"terrain\": \"wall\"}}]}");
    throng_world *world = make_good(scene, 0), *other = make_good(scene, 0);
    throng_error error = {0};
    while (throng_crowd_time(throng_world_crowd(world)) < 4.0) {
        throng_world_step(world);
    }
    assert_ok_or(throng_crowd_save(throng_world_crowd(world), "scene_resume.bin", &error), &error);
    assert_ok_or(throng_world_resume(other, "scene_resume.bin", &error), &error);
    remove("scene_resume.bin");
    while (!throng_world_done(world)) {
        throng_world_step(world);
        throng_world_step(other);
        assert_true(throng_crowd_hash(throng_world_crowd(world)) ==
                    throng_crowd_hash(throng_world_crowd(other)));
    }
    assert_true(throng_world_done(other));
    throng_world_destroy(world);
    throng_world_destroy(other);
    throng_scene_destroy(scene);
}

static void measuring_changes_no_hash(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(
        "{\"throng_scene\": 1, \"map\": {\"size\": [30, 10]},\n"
        "\"goals\": {\"out\": {\"points\": [[27, 5]]}},\n"
        "\"gates\": {\"g\": {\"from\": [15, 0], \"to\": [15, 10]}},\n"
        "\"agents\": [{\"random\": {\"count\": 40, \"area\": [1, 1, 12, 9]}, \"goal\": "
        "\"out\"}],\n"
        "\"expect\": [{\"name\": \"e\", \"measure\": \"gate_changes_share\", \"times\": 1, "
        "\"at_most\": 1}]}");
    throng_world *world = make_good(scene, 0), *other = NULL;
    throng_world_options options = throng_default_world_options();
    options.measure_every = 0;
    assert_ok(throng_world_create(scene, &options, &other, NULL));
    for (int i = 0; i < 90; i++) {
        throng_world_step(world);
        throng_world_step(other);
    }
    assert_true(throng_crowd_hash(throng_world_crowd(world)) ==
                throng_crowd_hash(throng_world_crowd(other)));
    throng_world_destroy(world);
    throng_world_destroy(other);
    throng_scene_destroy(scene);
}

typedef struct found_lines {
    double values[16];
    bool passed[16];
    int count;
} found_lines;

static void keep_line(void *context, const throng_check_line *line)
{
    found_lines *found = context;
    if (found->count < 16) {
        found->values[found->count] = line->value;
        found->passed[found->count++] = line->passed;
    }
}

/// One agent, 20 m at 2 m/s on open ground: what each measure says can be worked out by hand.
static void measures_say_what_can_be_worked_out_by_hand(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(
        "{\"throng_scene\": 1, \"duration\": 14, \"map\": {\"size\": [40, 10]},\n"
        "\"goals\": {\"g\": {\"points\": [[25, 5]]}},\n"
        "\"gates\": {\"half\": {\"from\": [15, 0], \"to\": [15, 10]}},\n"
        "\"agents\": [{\"at\": [[5, 5]], \"goal\": \"g\"}],\n"
        "\"control\": {\"profiles\": {\"slow\": {\"speed\": 1.6}}},\n"
        "\"expect\": [\n"
        "{\"name\": \"a\", \"measure\": \"finish_time\", \"radius\": 10, \"at_most\": 6},\n"
        "{\"name\": \"b\", \"measure\": \"gate_count\", \"gate\": \"half\", \"at_least\": 1},\n"
        "{\"name\": \"c\", \"measure\": \"detour\", \"at_most\": 1.01},\n"
        "{\"name\": \"d\", \"measure\": \"home_distance\", \"at\": 14, \"at_least\": 19},\n"
        "{\"name\": \"e\", \"measure\": \"walked\", \"from\": 2, \"to\": 4, \"at_most\": 4.1},\n"
        "{\"name\": \"f\", \"measure\": \"delay\", \"at_most\": 1.2},\n"
        "{\"name\": \"g\", \"measure\": \"alive_count\", \"at_most\": 0},\n"
        "{\"name\": \"h\", \"measure\": \"finish_time\", \"radius\": 10, \"of_control\": true, "
        "\"at_most\": 1}]}");
    found_lines found = {.count = 0};
    throng_check_result result;
    throng_error error = {0};
    assert_ok_or(throng_scene_check(scene, NULL, keep_line, &found, &result, &error), &error);
    assert_int_equal(found.count, 13); // eight and the invariants
    assert_near(found.values[0], 5.15, 0.2);
    assert_near(found.values[1], 1.0, 0.0);
    assert_near(found.values[2], 1.0, 0.01);
    assert_near(found.values[3], 19.6, 0.5);
    assert_near(found.values[4], 4.0, 0.1);
    assert_near(found.values[5], 1.02, 0.06);
    assert_false(found.passed[6]);
    assert_near(found.values[7], 0.8, 0.05);
    assert_int_equal(result.passed, 12);
    assert_int_equal(result.failed, 1);
    throng_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(shapes_paint_the_cells_whose_centres_they_hold),
        TEST(a_random_fill_is_the_same_every_time_and_overlaps_nobody),
        TEST(worlds_that_cannot_be_are_refused_with_the_scenes_line),
        TEST(events_happen_in_their_step),
        TEST(sources_produce_at_their_rate_and_stop),
        TEST(arrangements_shift_a_group_and_turn_all),
        TEST(seeds_draw_anew_what_is_random_and_move_starts),
        TEST(gate_balance_is_the_fewest_over_the_most_when_one_group_is_through),
        TEST(a_resumed_world_goes_on_with_the_same_hashes),
        TEST(measuring_changes_no_hash),
        TEST(measures_say_what_can_be_worked_out_by_hand),
    };
    return RUN_TESTS(tests);
}
