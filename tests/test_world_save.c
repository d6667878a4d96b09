/// A world that is saved as a scene, and what comes of it.
#include "scene_fixture.h"
#include "test.h"
#include <throng_io/map_file.h>
#include <throng_io/world.h>

static const char scene_text[] =
    "{\"throng_scene\": 1, \"name\": \"yard\", \"seed\": 4, \"duration\": 20,"
    " \"terrains\": [\"mud\"],"
    " \"map\": {\"size\": [24, 12], \"cell\": 0.5, \"origin\": [-12, 3],"
    "  \"shapes\": [{\"rects\": [[0, 3, 1, 12]]},"
    "   {\"terrain\": \"mud\", \"rects\": [[-6, 5, -4, 6], [3, 9, 4, 10]]},"
    "   {\"terrain\": \"trees\", \"rects\": [[5, 4, 6, 5]]}]},"
    " \"classes\": {\"foot\": {\"radius\": 0.4, \"cost\": {\"mud\": 3}}},"
    " \"profiles\": {\"person\": {\"class\": \"foot\", \"speed\": 1.3},"
    "  \"guard\": {\"like\": \"person\", \"anchored\": true, \"preset\": \"horde\"}},"
    " \"goals\": {\"out\": {\"rects\": [[10, 4, 12, 14]], \"remove\": true},"
    "  \"post\": {\"points\": [[-10, 8]]}},"
    " \"agents\": [{\"name\": \"a\", \"goal\": \"out\", \"random\": {\"count\": 20, \"area\": "
    "[-11, 4, -7, 14]}},"
    "  {\"profile\": \"guard\", \"team\": 2, \"at\": [[5, 7]]},"
    "  {\"own_goals\": {\"offset\": [2, 0]}, \"at\": [[-5, 11], [-5, 13]]}],"
    " \"sources\": [{\"area\": [-11, 4, -9, 6], \"rate\": 1, \"goal\": \"out\"}],"
    " \"events\": [{\"at\": 2, \"order\": {\"agents\": \"a\", \"goal\": \"post\"}}],"
    " \"expect\": [{\"name\": \"none\", \"measure\": \"alive_count\", \"at_least\": 1}]}";

static throng_world *open_text(const char *text, throng_scene **scene)
{
    throng_error error = {0};
    throng_world_options options = throng_default_world_options();
    options.spare_agents = 10;
    options.spare_goals = 2;
    throng_world *world = NULL;
    assert_ok_or(throng_scene_parse(text, strlen(text), "yard.json", scene, &error), &error);
    assert_ok_or(throng_world_create(*scene, &options, &world, &error), &error);
    return world;
}

static void a_saved_world_comes_back_as_it_was(void **state)
{
    (void)state;
    throng_scene *scene, *saved_scene;
    throng_error error = {0};
    throng_world *world = open_text(scene_text, &scene);
    throng_crowd *crowd = throng_world_crowd(world);
    for (int i = 0; i < 45; i++) {
        throng_world_step(world);
    }
    // By hand: a wall, a goal that some go to, one more agent.
    throng_saved_goal put = {.name = "put_1", .point = {-2, 13}, .arrive_radius = 1};
    throng_goal_def def = throng_default_goal_def();
    def.shape.points = &put.point;
    def.shape.point_count = 1;
    assert_ok(throng_crowd_add_goal(crowd, &def, &put.id));
    throng_agent_id more;
    throng_spawn_def spawn = {.position = {-3, 4}, .goal = put.id, .profile = 0};
    assert_ok(throng_crowd_spawn(crowd, &spawn, &more));
    assert_ok(throng_crowd_edit_rect(crowd, (throng_cell_rect){40, 18, 3, 2}, THRONG_WALL));
    throng_crowd_step(crowd, 0);
    char *text, *again;
    assert_ok_or(throng_world_to_text(world, &put, 1, NULL, &text, &error), &error);
    throng_world *saved = open_text(text, &saved_scene);
    throng_crowd_step(throng_world_crowd(saved), 0);
    const throng_map *one = throng_world_map(world), *other = throng_world_map(saved);
    size_t cells = (size_t)throng_map_width(one) * (size_t)throng_map_height(one);
    assert_int_equal(cells, 48 * 24);
    assert_memory_equal(throng_map_terrains(one), throng_map_terrains(other), cells);
    throng_agents_view a = throng_crowd_agents(crowd);
    throng_agents_view b = throng_crowd_agents(throng_world_crowd(saved));
    assert_int_equal(a.count, b.count);
    assert_true(a.count >= 24);
    for (int i = 0; i < a.count; i++) {
        int same = 0;
        for (int j = 0; j < b.count; j++) {
            same += a.x[i] == b.x[j] && a.y[i] == b.y[j] && a.profile[i] == b.profile[j] &&
                    a.team[i] == b.team[j] && (a.goal[i] == 0) == (b.goal[j] == 0);
        }
        assert_int_equal(same, 1);
    }
    for (int p = 0; p < 2; p++) {
        int count;
        const throng_profile_number *numbers = throng_profile_numbers(&count);
        throng_profile_def was = throng_crowd_profile(crowd, p);
        throng_profile_def is = throng_crowd_profile(throng_world_crowd(saved), p);
        assert_int_equal(was.class_index, is.class_index);
        for (int n = 0; n < count; n++) {
            assert_true(throng_profile_get(&was, &numbers[n]) ==
                        throng_profile_get(&is, &numbers[n]));
        }
    }
    assert_int_not_equal(throng_world_goal(saved, "put_1").generation, 0);
    // Saved again it is the same text: nothing is lost on the way.
    assert_ok_or(throng_world_to_text(saved, NULL, 0, NULL, &again, &error), &error);
    assert_int_equal(strlen(text), strlen(again));
    for (int i = 0; i < 300; i++) {
        throng_world_step(saved);
    }
    free(text);
    free(again);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
    throng_world_destroy(saved);
    throng_scene_destroy(saved_scene);
}

static void other_profiles_take_the_place_of_the_crowds(void **state)
{
    (void)state;
    throng_scene *scene, *saved_scene;
    throng_error error = {0};
    throng_world *world = open_text(scene_text, &scene);
    throng_world_step(world);
    throng_profile_def profiles[2] = {throng_crowd_profile(throng_world_crowd(world), 0),
                                      throng_crowd_profile(throng_world_crowd(world), 1)};
    profiles[0].speed = 3.25f;
    profiles[1].orca = true;
    profiles[1].orca_neighbours = 7;
    char *text;
    assert_ok_or(throng_world_to_text(world, NULL, 0, profiles, &text, &error), &error);
    throng_world *saved = open_text(text, &saved_scene);
    assert_true(throng_crowd_profile(throng_world_crowd(saved), 0).speed == 3.25f);
    assert_true(throng_crowd_profile(throng_world_crowd(saved), 1).orca);
    assert_int_equal(throng_crowd_profile(throng_world_crowd(saved), 1).orca_neighbours, 7);
    assert_int_equal(throng_world_save(world, NULL, 0, NULL, "no/such/folder/x.json", &error),
                     THRONG_CANNOT_WRITE);
    free(text);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
    throng_world_destroy(saved);
    throng_scene_destroy(saved_scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saved_world_comes_back_as_it_was),
        cmocka_unit_test(other_profiles_take_the_place_of_the_crowds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
