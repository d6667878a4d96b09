/// Scenes mirrored and turned by quarters: map, places, ways, edits and draws all come along, exact
/// to the cell.
#include "scene_fixture.h"

#include <math.h>

/// 12 x 8 cells of 0.5 m from (-3, 5) on, nothing of it symmetric.
static const char text[] =
    "{\"throng_scene\": 1, \"duration\": 8, \"map\": {\"cell\": 0.5, \"origin\": [-3, 5],\n"
    "\"rows\": [\"........T...\", \"............\", \"..S.........\", \"............\",\n"
    "\"......@.....\", \"............\", \"............\", \"W..........@\"],\n"
    "\"shapes\": [{\"terrain\": \"mud\", \"polygons\": [[[0, 5.2], [1.4, 5.2], [0, 6.4]]]}]},\n"
    "\"terrains\": [\"mud\"], \"classes\": {\"c\": {\"radius\": 0.2}},\n"
    "\"profiles\": {\"p\": {\"radius\": 0.2, \"speed\": 1}, \"k\": {\"kinematic\": true, "
    "\"radius\": "
    "0.2}},\n"
    "\"goals\": {\"cells\": {\"cells\": [[10, 1], [11, 1]]}, \"rect\": {\"rects\": [[1.5, 8, 2.5, "
    "9]]},\n"
    "\"ring\": {\"slots\": {\"count\": 3, \"footprint\": [-2, 7, -1.5, 7.5]}},\n"
    "\"tour\": {\"points\": [[-2.5, 5.5]], \"moves\": {\"through\": [[1, 8.5]], \"speed\": 1}}},\n"
    "\"agents\": [{\"goal\": \"cells\", \"at\": [[-2.5, 7.6]]},\n"
    "{\"goal\": \"rect\", \"at\": [[-0.5, 6.2]], \"velocity\": [0.5, 0.2], \"name\": \"a\"},\n"
    "{\"goal\": \"rect\", \"random\": {\"count\": 4, \"area\": [-1, 5, 0.5, 9], \"seed\": 3}},\n"
    "{\"random\": {\"count\": 2, \"seed\": 5}, \"own_goals\": {\"offset\": [0.5, 0.25]}},\n"
    "{\"profile\": \"k\", \"at\": [[2.5, 5.3]], \"name\": \"driven\"},\n"
    "{\"goal\": \"tour\", \"at\": [[1, 5.5]]}],\n"
    "\"events\": [{\"at\": 1, \"edit\": {\"rects\": [[0.75, 7, 2, 7.5]], \"terrain\": \"mud\"}},\n"
    "{\"at\": 0.5, \"drive\": {\"agents\": \"driven\", \"velocity\": [0, 0.1]}},\n"
    "{\"at\": 2, \"teleport\": {\"agents\": \"a\", \"by\": [0, 0.5]}}],\n"
    "\"gates\": {\"g\": {\"from\": [1.25, 7.5], \"to\": [1.25, 9]}},\n"
    "\"arrangements\": {\"dx\": [0, 0.1], \"symmetries\": true},\n"
    "\"expect\": [{\"name\": \"first\", \"measure\": \"within_count\", \"point\": [-2.5, 7.6],\n"
    "\"radius\": 0.15, \"at\": 0.03, \"at_least\": 1},\n"
    "{\"name\": \"there\", \"measure\": \"outside_count\", \"agents\": \"driven\", \"rect\": [2.3, "
    "5.1, 2.7, 6.3],\n"
    "\"at\": 8, \"at_most\": 0},\n"
    "{\"name\": \"same\", \"measure\": \"walked\", \"spread\": true, \"at_most\": 1.05}]}";

#define WIDTH 12
#define HEIGHT 8

/// Where a cell or a place goes: rows and columns change places for bit 4, then left and right for
/// bit 1, top and bottom for bit 2. `width`, `height`: of the map that comes out.
static void carry(int symmetry, float width, float height, float *x, float *y)
{
    if ((symmetry & 4) != 0) {
        float kept = *x;
        *x = *y;
        *y = kept;
    }
    *x = (symmetry & 1) != 0 ? width - *x : *x;
    *y = (symmetry & 2) != 0 ? height - *y : *y;
}

static void check_places(const throng_world *world, const throng_world *first, int symmetry)
{
    throng_agents_view agents = throng_crowd_agents(throng_world_crowd((throng_world *)world));
    throng_agents_view others = throng_crowd_agents(throng_world_crowd((throng_world *)first));
    float width = 0.5f * (float)throng_map_width(throng_world_map((throng_world *)world));
    float height = 0.5f * (float)throng_map_height(throng_world_map((throng_world *)world));
    assert_int_equal(agents.count, others.count);
    for (int i = 0; i < agents.count; i++) {
        int row = throng_crowd_find(throng_world_crowd((throng_world *)world), others.id[i]);
        assert_true(row >= 0);
        float x = others.x[i] + 3.0f, y = others.y[i] - 5.0f;
        float vx = others.vx[i], vy = others.vy[i];
        carry(symmetry, width, height, &x, &y);
        carry(symmetry, 0.0f, 0.0f, &vx, &vy);
        assert_near(agents.x[row] + 3.0f, x, 1e-3);
        assert_near(agents.y[row] - 5.0f, y, 1e-3);
        assert_near(agents.vx[row], vx, 2e-2);
        assert_near(agents.vy[row], vy, 2e-2);
    }
}

static void check_map(const throng_map *map, const throng_map *first, int symmetry)
{
    bool across = (symmetry & 4) != 0;
    int width = throng_map_width(map), height = throng_map_height(map);
    assert_int_equal(width, across ? HEIGHT : WIDTH);
    assert_int_equal(height, across ? WIDTH : HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        float x = (float)(i % WIDTH) + 0.5f, y = (float)(i / WIDTH) + 0.5f;
        carry(symmetry, (float)width, (float)height, &x, &y);
        const char *here = throng_map_terrain_name(map, throng_map_terrain_at(map, (int)x, (int)y));
        int kind = throng_map_terrain_at(first, i % WIDTH, i / WIDTH);
        assert_string_equal(here, throng_map_terrain_name(first, kind));
    }
}

static void check_goals(const throng_world *world, const throng_world *first, int symmetry)
{
    float width = 0.5f * (float)throng_map_width(throng_world_map((throng_world *)world));
    float height = 0.5f * (float)throng_map_height(throng_world_map((throng_world *)world));
    for (int i = 0; i < throng_world_goal_count(first); i++) {
        throng_goal_shape here, there;
        throng_world_goal_at(world, i, &here, NULL);
        throng_world_goal_at(first, i, &there, NULL);
        assert_int_equal(here.rect_count, there.rect_count);
        assert_int_equal(here.point_count, there.point_count);
        for (int k = 0; k < there.point_count + there.rect_count; k++) {
            bool point = k < there.point_count;
            const throng_rect *rect = point ? NULL : &there.rects[k - there.point_count];
            const throng_rect *other = point ? NULL : &here.rects[k - there.point_count];
            float x = point ? there.points[k].x : 0.5f * (rect->min.x + rect->max.x);
            float y = point ? there.points[k].y : 0.5f * (rect->min.y + rect->max.y);
            x += 3.0f;
            y -= 5.0f;
            carry(symmetry, width, height, &x, &y);
            assert_near((point ? here.points[k].x : 0.5f * (other->min.x + other->max.x)) + 3.0f, x,
                        1e-4);
            assert_near((point ? here.points[k].y : 0.5f * (other->min.y + other->max.y)) - 5.0f, y,
                        1e-4);
        }
    }
}

static void everything_comes_along(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(text);
    assert_int_equal(throng_scene_arrangement_count(scene), 16);
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        throng_world *first = make_good(scene, 1), *world = make_good(scene, 2 * symmetry + 1);
        check_map(throng_world_map(world), throng_world_map(first), symmetry);
        check_goals(world, first, symmetry);
        throng_world_step(first);
        throng_world_step(world);
        check_places(world, first, symmetry);
        for (int i = 0; i < 70; i++) { // the edit, the drive, the teleport
            throng_world_step(first);
            throng_world_step(world);
        }
        check_map(throng_world_map(world), throng_world_map(first), symmetry);
        check_goals(world, first, symmetry);
        throng_world_destroy(first);
        throng_world_destroy(world);
    }
    throng_scene_destroy(scene);
}

typedef struct told {
    int spreads, failed;
} told;

static void keep(void *context, const throng_check_line *line)
{
    told *found = context;
    found->spreads += strcmp(line->name, "same") == 0;
    if (!line->passed) {
        print_error("#%d %s: %g, bound %g\n", line->arrangement, line->name, line->value,
                    line->bound);
        found->failed++;
    }
}

static void a_spread_is_told_once_and_measures_are_carried_back(void **state)
{
    (void)state;
    throng_scene *scene = parse_good(text);
    told found = {0, 0};
    throng_error error = {0};
    assert_ok_or(throng_scene_check(scene, NULL, keep, &found, NULL, &error), &error);
    assert_int_equal(found.spreads, 1);
    assert_int_equal(found.failed, 0);
    char name[200];
    throng_scene_arrangement_name(scene, 11, name, sizeof name);
    assert_string_equal(name, "shift 0.1 0, turned by 90");
    throng_scene_destroy(scene);
}

static void a_spread_needs_symmetries(void **state)
{
    (void)state;
    throng_scene *scene = NULL;
    throng_error error;
    assert_int_equal(parse("{\"throng_scene\": 1, \"map\": {\"size\": [20, 20]},\n"
                           "\"agents\": [{\"at\": [[3, 3]]}],\n"
                           "\"expect\": [{\"name\": \"n\", \"measure\": \"walked\",\n"
                           "\"spread\": true, \"at_most\": 2}]}",
                           &scene, &error),
                     THRONG_BAD_DATA);
    assert_int_equal(error.line, 4);
    assert_non_null(strstr(error.text, "arrangements with symmetries"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(everything_comes_along),
        TEST(a_spread_is_told_once_and_measures_are_carried_back),
        TEST(a_spread_needs_symmetries),
    };
    return RUN_TESTS(tests);
}
