/// Scenes on planets: places in degrees, paint, events, what is refused; and pictures of globes.
#include "scene_fixture.h"
#include <throng_io/picture.h>

static const char small[] =
    "{\"throng_scene\": 1, \"duration\": 30,"
    "\"map\": {\"planet\": {\"radius\": 30, \"side\": 24}, \"shapes\": ["
    "  {\"rects\": [[-180, -90, 180, 90]], \"terrain\": \"water\"},"
    "  {\"rects\": [[150, -40, 215, 40]], \"terrain\": \"ground\"},"
    "  {\"polygons\": [[[-10, -10], [10, -10], [10, 10], [-10, 10]]], \"terrain\": \"swamp\"}]},"
    "\"agents\": [{\"at\": [[160, 0], [170, 10]], \"goal\": \"east\"}],"
    "\"goals\": {\"east\": {\"points\": [[-160, 5]]}},"
    "\"events\": [{\"at\": 1, \"edit\": {\"rects\": [[176, 20, 184, 40]], \"terrain\": "
    "\"trees\"}}]}";

static throng_vec2 position_of(const throng_world *world, float longitude, float latitude)
{
    return throng_planet_position(throng_map_planet(throng_world_map(world)),
                                  throng_planet_at(longitude, latitude));
}

static int terrain_at(const throng_world *world, float longitude, float latitude)
{
    int x, y;
    throng_map *map = throng_world_map(world);
    throng_map_cell_at(map, position_of(world, longitude, latitude), &x, &y);
    return throng_map_terrain_at(map, x, y);
}

static void degrees_go_to_places_and_back(void **state)
{
    (void)state;
    for (int longitude = -175; longitude <= 180; longitude += 5) {
        for (int latitude = -85; latitude <= 85; latitude += 5) {
            float east, north;
            throng_vec3 place = throng_planet_at((float)longitude, (float)latitude);
            throng_planet_degrees(place, &east, &north);
            assert_near(place.z, sin(latitude * 0.017453292519943295), 1e-6);
            assert_near(place.x * cos(longitude * 0.017453292519943295) +
                            place.y * sin(longitude * 0.017453292519943295),
                        cos(latitude * 0.017453292519943295), 1e-6);
            assert_near(fabsf(east - (float)longitude) > 180 ? east + 360 : east, longitude, 1e-3);
            assert_near(north, latitude, 1e-3);
        }
    }
    throng_vec3 same = throng_planet_at(725.0f, 200.0f); // two turns, and no farther than the pole
    assert_near(same.z, 1.0, 1e-6);
    same = throng_planet_at(NAN, NAN);
    assert_true(same.x == same.x && same.y == same.y && same.z == same.z);
}

static void a_scene_in_degrees_is_painted_walked_and_edited(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(small);
    throng_world *world = make_good(scene, 0);
    assert_int_equal(terrain_at(world, -90, 0), THRONG_WATER);
    assert_int_equal(terrain_at(world, 170, 30), THRONG_GROUND);
    assert_int_equal(terrain_at(world, -150, 30), THRONG_GROUND); // beyond 180
    assert_int_equal(terrain_at(world, -140, 0), THRONG_WATER);
    assert_int_equal(terrain_at(world, 0, 0), THRONG_SWAMP);
    assert_int_equal(terrain_at(world, 180, 30), THRONG_GROUND);
    const throng_planet *planet = throng_map_planet(throng_world_map(world));
    throng_world_step(world);
    throng_agents_view view = throng_crowd_agents(throng_world_crowd(world));
    assert_int_equal(view.count, 2);
    while (!throng_world_done(world)) {
        throng_world_step(world);
    }
    assert_int_equal(terrain_at(world, 180, 30), THRONG_TREES);
    view = throng_crowd_agents(throng_world_crowd(world));
    throng_vec3 goal = throng_planet_at(-160, 5);
    for (int i = 0; i < view.count; i++) {
        throng_vec3 place = throng_planet_place(planet, (throng_vec2){view.x[i], view.y[i]});
        assert_int_equal(view.status[i], THRONG_ARRIVED);
        assert_true(throng_planet_distance(planet, place, goal) < 2.0f);
    }
    // They walked their ways, whatever the atlas says.
    throng_world_summary sum = throng_world_get_summary(world);
    assert_int_equal(sum.arrived, 2);
    assert_true(sum.mean_speed > 1.5 && sum.mean_speed < 2.01);
    assert_true(sum.worst_overlap < 0.2 && sum.in_walls == 0);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

static void refuse(const char *text, const char *expected)
{
    throng_scene *scene = NULL;
    throng_error error;
    throng_result result = parse(text, &scene, &error);
    if (result == THRONG_OK) {
        throng_world_options options = throng_default_world_options();
        throng_world *world = NULL;
        options.arrangement = throng_scene_arrangement_count(scene) - 1;
        result = throng_world_create(scene, &options, &world, &error);
        assert_null(world);
    }
    if (strstr(error.text, expected) == NULL) {
        print_error("expected \"%s\" in \"%s\"\n", expected, error.text);
    }
    assert_int_equal(result, THRONG_BAD_DATA);
    assert_non_null(strstr(error.text, expected));
    throng_scene_destroy(scene);
}

#define SCENE(map, rest)                                                                           \
    "{\"throng_scene\": 1, \"duration\": 5, \"map\": {" map                                        \
    "}, \"agents\": [{\"at\": [[0, 0]]}]" rest "}"

static void what_planets_do_not_have_is_refused_with_its_place(void **state)
{
    (void)state;
    refuse(SCENE("\"planet\": {\"radius\": 0}", ""), "map.planet.radius");
    refuse(SCENE("\"planet\": {\"side\": 1}", ""), "map.planet.side");
    refuse(SCENE("\"planet\": {}, \"size\": [4, 4]", ""), "map");
    refuse(SCENE("\"planet\": {}, \"shapes\": [{\"boxes\": {\"count\": 1, \"side\": [1, 1]}}]", ""),
           "boxes are for flat maps");
    refuse(SCENE("\"planet\": {}", ", \"goals\": {\"a\": {\"rects\": [[0, 0, 1, 1]]}}"), "goals.a");
    refuse(
        SCENE("\"planet\": {}",
              ", \"expect\": [{\"name\": \"a\", \"measure\": \"polarisation\", \"at_least\": 0}]"),
        "expect[0].measure");
    refuse(SCENE("\"planet\": {}", ", \"arrangements\": {\"turn_deg\": [0, 90]}"), "arrangements");
}

static void globes_show_terrain_and_agents_on_the_half_where_they_are(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(small);
    throng_world *world = make_good(scene, 0);
    throng_world_step(world);
    const throng_planet *planet = throng_map_planet(throng_world_map(world));
    throng_picture picture;
    assert_ok(throng_picture_create(200, 100, &picture));
    for (int half = 0; half < 2; half++) {
        throng_globe globe = throng_globe_fit(planet, throng_planet_at(half == 0 ? 165 : -15, 0),
                                              (throng_pixel_rect){100 * half, 0, 100, 100});
        throng_vec2 pixel;
        assert_true(throng_globe_pixel(&globe, throng_planet_at(160, 0), &pixel) == (half == 0));
        throng_picture_draw_globe(&picture, &globe, throng_world_map(world), -1);
        throng_picture_draw_globe_agents(&picture, &globe,
                                         throng_crowd_agents(throng_world_crowd(world)),
                                         THRONG_COLOUR_PROFILE);
        // North is up, east is right.
        throng_vec2 north, east, middle;
        throng_globe_pixel(&globe, globe.toward, &middle);
        throng_vec3 up = throng_planet_at(half == 0 ? 165 : -15, 20);
        throng_globe_pixel(&globe, up, &north);
        throng_globe_pixel(&globe, throng_planet_at(half == 0 ? 185 : 5, 0), &east);
        assert_true(north.y < middle.y - 10 && east.x > middle.x + 10);
    }
    throng_globe left =
        throng_globe_fit(planet, throng_planet_at(165, 0), (throng_pixel_rect){0, 0, 100, 100});
    throng_vec2 at;
    throng_globe_pixel(&left, throng_planet_at(160, 0), &at);
    const uint8_t *agent = picture.rgb + 3 * ((size_t)at.y * 200 + (size_t)at.x);
    const uint8_t *sea = picture.rgb + 3 * (50 * 200 + 150 + 30);
    throng_colour colour = throng_colour_of_index(0);
    assert_true(abs(agent[0] - colour.r) < 40 && abs(agent[1] - colour.g) < 40);
    assert_true(sea[2] > sea[0] + 20); // blue
    throng_picture_free(&picture);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degrees_go_to_places_and_back),
        cmocka_unit_test(a_scene_in_degrees_is_painted_walked_and_edited),
        cmocka_unit_test(what_planets_do_not_have_is_refused_with_its_place),
        cmocka_unit_test(globes_show_terrain_and_agents_on_the_half_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
