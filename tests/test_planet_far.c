/// scenes/planet.json to its end: ten thousand of three kinds reach the far side of a planet.
#include "scene_fixture.h"

static void ten_thousand_of_three_kinds_reach_the_far_side(void **state)
{
    (void)state;
    char path[512];
    throng_scene *scene = NULL;
    throng_error error = {0};
    test_source_path(path, sizeof path, "scenes/planet.json");
    assert_ok_or(throng_scene_load(path, &scene, &error), &error);
    throng_world_options options = throng_default_world_options();
    throng_world *world = NULL;
    options.threads = 2;
    assert_ok_or(throng_world_create(scene, &options, &world, &error), &error);
    while (!throng_world_done(world)) {
        throng_world_step(world);
    }
    throng_world_summary sum = throng_world_get_summary(world);
    print_message("%d of %d arrived, the last tenth after %.1f s; overlap %.3f, wall %.3f\n",
                  sum.arrived, sum.spawned, sum.percentile_95_arrival, sum.worst_overlap,
                  sum.worst_wall);
    assert_int_equal(sum.spawned, 10000);
    assert_int_equal(sum.arrived, 10000);
    assert_int_equal(sum.in_walls, 0);
    assert_int_equal(sum.not_finite, 0);
    assert_true(sum.worst_overlap < 0.2 && sum.worst_wall <= 0.1);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_of_three_kinds_reach_the_far_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
