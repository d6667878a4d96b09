/// Lanes and common headings: what the measures say of known crowds, the trials of flocking
/// streams, and steering orders in scenes.
#include "scene_fixture.h"

#include "measure.h"

/// Two groups in a corridor along x, one step old.
static thg_order order_of(const char *agents, int steps)
{
    char text[2048];
    snprintf(text, sizeof text,
             "{ \"throng_scene\": 1, \"duration\": 20, \"map\": { \"size\": [60, 20] },"
             "  \"goals\": { \"east\": { \"rects\": [[59, 0, 60, 20]] },"
             "               \"west\": { \"rects\": [[0, 0, 1, 20]] } },"
             "  \"agents\": [%s] }",
             agents);
    throng_scene *scene = parse_good(text);
    throng_world *world = make_good(scene, 0);
    for (int i = 0; i < steps; i++) {
        throng_world_step(world);
    }
    thg_order order;
    assert_true(thg_order_look(world, UINT64_MAX, 0.0f, &order));
    throng_world_destroy(world);
    throng_scene_destroy(scene);
    return order;
}

static void streams_apart_are_full_lanes(void **ignored)
{
    (void)ignored;
    thg_order order = order_of(
        "{ \"goal\": \"east\", \"velocity\": [2, 0],"
        "  \"block\": { \"first\": [5, 3], \"columns\": 10, \"rows\": 4, \"pitch\": [3, 1] } },"
        "{ \"goal\": \"west\", \"velocity\": [-2, 0],"
        "  \"block\": { \"first\": [5, 12], \"columns\": 10, \"rows\": 4, \"pitch\": [3, 1] } }",
        5);
    assert_int_equal(order.movers, 80);
    assert_near(order.lane_order, 1.0, 1e-9);
    assert_near(order.polarisation, 0.0, 0.02);
}

static void streams_in_one_row_are_no_lanes(void **ignored)
{
    (void)ignored;
    // Five each way in each row: of nine others four go the same way, (4 - 5)^2 / 81.
    thg_order order = order_of(
        "{ \"goal\": \"east\", \"velocity\": [2, 0],"
        "  \"block\": { \"first\": [30, 3], \"columns\": 5, \"rows\": 4, \"pitch\": [4, 4] } },"
        "{ \"goal\": \"west\", \"velocity\": [-2, 0],"
        "  \"block\": { \"first\": [10, 3], \"columns\": 5, \"rows\": 4, \"pitch\": [4, 4] } }",
        2);
    assert_int_equal(order.movers, 40);
    assert_near(order.lane_order, 1.0 / 81.0, 1e-6);
    assert_near(order.polarisation, 0.0, 0.02);
}

static void one_stream_is_polarised_and_in_lanes(void **ignored)
{
    (void)ignored;
    thg_order order = order_of(
        "{ \"goal\": \"east\", \"velocity\": [2, 0],"
        "  \"block\": { \"first\": [10, 3], \"columns\": 5, \"rows\": 4, \"pitch\": [4, 4] } }",
        2);
    assert_near(order.lane_order, 1.0, 1e-9);
    assert_near(order.polarisation, 1.0, 1e-3);
}

static void who_stands_has_no_order(void **ignored)
{
    (void)ignored;
    thg_order order = order_of("{ \"at\": [[10, 10], [20, 10]] }", 3);
    assert_int_equal(order.movers, 0);
    assert_false(order.has_lanes);
}

static void print_line(void *context, const throng_check_line *line)
{
    (void)context;
    print_message("  %s %s %s: %.4g (%s %.4g)\n", line->passed ? "pass" : "FAIL", line->scene,
                  line->name, line->value, line->at_least ? ">=" : "<=", line->bound);
}

static void check_trial(const char *file)
{
    char path[512];
    throng_scene *scene = NULL;
    throng_error error = {0};
    assert_ok_or(throng_scene_load(test_source_path(path, sizeof path, file), &scene, &error),
                 &error);
    throng_check_result result;
    assert_ok_or(throng_scene_check(scene, NULL, print_line, NULL, &result, &error), &error);
    throng_scene_destroy(scene);
    assert_int_equal(result.failed + result.known, 0);
    assert_true(result.passed > 0);
}

static void streams_that_flock_form_lanes_and_others_fall_apart(void **ignored)
{
    (void)ignored;
    check_trial("scenes/trials/flock_lanes.json");
    check_trial("scenes/trials/flock_lanes_off.json");
}

static void a_scene_steers_its_agents(void **ignored)
{
    (void)ignored;
    throng_scene *scene = parse_good(
        "{ \"throng_scene\": 1, \"duration\": 20, \"map\": { \"size\": [60, 40] },"
        "  \"goals\": { \"east\": { \"points\": [[55, 20]] } },"
        "  \"agents\": ["
        "    { \"name\": \"carts\", \"goal\": \"east\", \"at\": [[20, 18], [20, 22]] },"
        "    { \"name\": \"guards\", \"at\": [[10, 18], [10, 22], [10, 26]],"
        "      \"steer\": { \"kind\": \"follow\", \"whom\": \"carts\", \"radius\": 2 } } ],"
        "  \"sources\": [ { \"name\": \"strays\", \"area\": [30, 30, 40, 38], \"rate\": 1,"
        "                  \"steer\": { \"kind\": \"wander\" } } ],"
        "  \"events\": [ { \"at\": 3, \"steer\": { \"agents\": [\"guards\", \"carts\"],"
        "                   \"kind\": \"flee\", \"point\": [15, 20], \"radius\": 0 } },"
        "                { \"at\": 6, \"steer\": { \"agents\": \"guards\", \"kind\": \"none\" } } "
        "] }");
    throng_world *world = make_good(scene, 0);
    const throng_crowd *crowd = throng_world_crowd(world);
    int expected[3] = {THRONG_STEER_FOLLOW, THRONG_STEER_FLEE, THRONG_STEER_NONE};
    for (int phase = 0; phase < 3; phase++) {
        while (throng_crowd_time(crowd) < 2.0 + 3.0 * phase) {
            throng_world_step(world);
        }
        for (int i = 2; i < 5; i++) {
            throng_steer_def order = throng_crowd_get_steer(crowd, world->tracks[i].id);
            assert_int_equal(order.kind, expected[phase]);
            if (phase == 0) { // three guards for two carts
                assert_int_equal(order.agent.slot, world->tracks[i % 2].id.slot);
            }
        }
        for (int i = 5; i < world->track_count; i++) {
            if (world->tracks[i].stamp > 0) {
                assert_int_equal(throng_crowd_get_steer(crowd, world->tracks[i].id).kind,
                                 THRONG_STEER_WANDER);
            }
        }
    }
    assert_true(world->track_count > 8);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

static void orders_in_scenes_that_make_no_sense_are_refused(void **ignored)
{
    (void)ignored;
    static const char *const bad[][2] = {
        {"{ \"kind\": \"sneak\" }", "none, seek, flee"},
        {"{ \"point\": [1, 1] }", "the key kind"},
        {"{ \"kind\": \"seek\" }", "exactly one of the keys point, whom"},
        {"{ \"kind\": \"seek\", \"point\": [1, 1], \"whom\": \"all\" }", "exactly one of"},
        {"{ \"kind\": \"follow\", \"point\": [1, 1] }", "the key whom for follow"},
        {"{ \"kind\": \"pursue\", \"whom\": \"nobody\" }", "the name of a group"},
        {"{ \"kind\": \"wander\", \"whom\": \"all\" }", "point, not whom"},
        {"{ \"kind\": \"none\", \"point\": [1, 1] }", "neither point nor whom"},
        {"{ \"kind\": \"seek\", \"point\": [1, 1], \"radius\": 1001 }", "[0, 1000]"},
        {"{ \"kind\": \"seek\", \"point\": [1, 1], \"weight\": 5 }", "[0, 4]"},
        {"{ \"kind\": \"seek\", \"point\": [1, 1], \"agents\": \"all\" }", "unknown key"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "{ \"throng_scene\": 1, \"map\": { \"size\": [20, 20] }, \"agents\": ["
                 "{ \"name\": \"all\", \"at\": [[5, 5]] }, { \"at\": [[9, 9]], \"steer\": %s } ] }",
                 bad[i][0]);
        throng_scene *scene = NULL;
        throng_error error;
        assert_int_equal(parse(text, &scene, &error), THRONG_BAD_DATA);
        if (strstr(error.text, bad[i][1]) == NULL) {
            print_error("%s\n", error.text);
        }
        assert_non_null(strstr(error.text, bad[i][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(streams_apart_are_full_lanes),
        TEST(streams_in_one_row_are_no_lanes),
        TEST(one_stream_is_polarised_and_in_lanes),
        TEST(who_stands_has_no_order),
        TEST(streams_that_flock_form_lanes_and_others_fall_apart),
        TEST(a_scene_steers_its_agents),
        TEST(orders_in_scenes_that_make_no_sense_are_refused),
    };
    return RUN_TESTS(tests);
}
