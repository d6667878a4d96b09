/// Layers of how ways are found: the door that is shown and its pages, the corridor for the class
/// of who is picked, and that looking changes nothing. No device is needed.
#include "test.h"

#include "view/view.h"
#include <throng/replay.h>

static void open_stage(view_stage *stage, const char *name)
{
    static char scene[1024];
    const char *source = getenv("THRONG_SOURCE_DIR");
    throng_error error = {0};
    view_options options = view_default_options();
    snprintf(scene, sizeof scene, "%s/%s", source != NULL ? source : ".", name);
    options.scene = scene;
    assert_ok_or(view_stage_open(stage, &options, &error), &error);
}

static void the_doors_of_a_room_are_pages_that_go_round(void **state)
{
    (void)state;
    view_stage stage;
    open_stage(&stage, "scenes/room.json");
    int room, page, count, first[64];
    assert_true(view_door_of_page(&stage, 0, &room, &page, &count) >= 0);
    assert_in_range(count, 2, 64);
    for (int i = 0; i < count; i++) {
        stage.door_page = i;
        first[i] = view_door_of_page(&stage, 0, &room, &page, &count);
        assert_int_equal(page, i);
        for (int j = 0; j < i; j++) {
            assert_int_not_equal(first[i], first[j]);
        }
        stage.door_page = i + count;
        assert_int_equal(view_door_of_page(&stage, 0, &room, &page, &count), first[i]);
        stage.door_page = i - 3 * count;
        assert_int_equal(view_door_of_page(&stage, 0, &room, &page, &count), first[i]);
    }
    view_stage_close(&stage);
}

static void the_room_is_that_under_the_cursor(void **state)
{
    (void)state;
    view_stage stage;
    open_stage(&stage, "scenes/room.json");
    int width = throng_map_width(stage.map), height = throng_map_height(stage.map);
    int room, page, count, seen = 0, other = 0, walls = 0;
    assert_true(view_door_of_page(&stage, 0, &seen, &page, &count) >= 0);
    stage.has_cursor = true;
    for (int i = 0; i < width * height; i++) {
        stage.cursor = throng_map_cell_center(stage.map, i % width, i / width);
        int door = view_door_of_page(&stage, 0, &room, &page, &count);
        if (!throng_map_fits(stage.map, 0, i % width, i / width)) {
            assert_int_equal(door, -1);
            walls++;
        }
        other += door >= 0 && room != seen;
    }
    assert_true(walls > 0 && other > 0);
    stage.cursor = (throng_vec2){-1000, -1000};
    assert_int_equal(view_door_of_page(&stage, 0, &room, &page, &count), -1);
    assert_int_equal(view_door_of_page(&stage, -1, &room, &page, &count), -1);
    view_stage_close(&stage);
}

/// Lengths rise from the door, its own room is green, and a door painted shut has another field.
static void a_doors_field_is_painted_and_follows_the_map(void **state)
{
    (void)state;
    view_stage stage;
    open_stage(&stage, "scenes/room.json");
    int width = throng_map_width(stage.map), height = throng_map_height(stage.map);
    size_t cells = (size_t)width * (size_t)height;
    uint32_t *plain = calloc(3, cells * sizeof *plain), *door = plain + cells,
             *after = door + cells;
    assert_non_null(plain);
    view_paint(&stage, 0, 0, plain);
    view_paint(&stage, 1u << VIEW_DOOR, 0, door);
    int painted = 0, green = 0;
    for (size_t i = 0; i < cells; i++) {
        bool fits = throng_map_fits(stage.map, 0, (int)i % width, (int)i / width);
        assert_true(fits || door[i] == plain[i]);
        painted += door[i] != plain[i];
        green += door[i] != plain[i] && (door[i] >> 8 & 255u) > (door[i] & 255u) + 40 &&
                 (door[i] >> 8 & 255u) > (door[i] >> 16 & 255u) + 40;
    }
    assert_true(painted > (int)cells / 3);
    assert_in_range(green, 20, painted - 20);
    assert_ok(throng_crowd_edit_rect(stage.crowd, (throng_cell_rect){width / 2, 0, 2, height},
                                     THRONG_WALL));
    throng_crowd_step(stage.crowd, 0.0f);
    view_paint(&stage, 1u << VIEW_DOOR, 0, after);
    view_paint(&stage, 0, 0, plain);
    int shut = 0;
    for (size_t i = 0; i < cells; i++) { // nothing is painted where nobody fits any more
        bool fits = throng_map_fits(stage.map, 0, (int)i % width, (int)i / width);
        assert_true(fits || after[i] == plain[i]);
        shut += !fits && door[i] != after[i];
    }
    assert_true(shut > height / 2);
    free(plain);
    view_stage_close(&stage);
}

/// Another page paints what it would have painted at first.
static void each_page_is_a_field_of_its_own(void **state)
{
    (void)state;
    view_stage stage, anew;
    open_stage(&stage, "scenes/room.json");
    size_t cells = (size_t)throng_map_width(stage.map) * (size_t)throng_map_height(stage.map);
    uint32_t *first = calloc(3, cells * sizeof *first), *next = first + cells, *own = next + cells;
    assert_non_null(first);
    view_paint(&stage, 1u << VIEW_DOOR, 0, first);
    stage.door_page = 1;
    view_paint(&stage, 1u << VIEW_DOOR, 0, next);
    assert_memory_not_equal(first, next, cells * sizeof *next);
    open_stage(&anew, "scenes/room.json");
    anew.door_page = 1;
    view_paint(&anew, 1u << VIEW_DOOR, 0, own);
    assert_memory_equal(next, own, cells * sizeof *own);
    free(first);
    view_stage_close(&stage);
    view_stage_close(&anew);
}

/// The row of the map that is mostly wall, metres.
static float middle_wall(const throng_map *map)
{
    int best = 0, most = 0, height = throng_map_height(map), width = throng_map_width(map);
    for (int y = height / 8; y < height - height / 8; y++) {
        int count = 0;
        for (int x = 0; x < width; x++) {
            count += throng_map_terrain_at(map, x, y) == THRONG_WALL;
        }
        best = count > most ? y : best;
        most = count > most ? count : most;
    }
    assert_true(most > width / 2);
    return throng_map_cell_center(map, 0, best).y;
}

/// The small go through the narrow gap, the large, who do not fit there, through the wide one.
static void the_corridor_is_for_the_class_of_who_is_picked(void **state)
{
    (void)state;
    view_stage stage;
    open_stage(&stage, "scenes/trials/o12_two_sizes_two_gaps.json");
    throng_agents_view agents = throng_crowd_agents(stage.crowd);
    view_lines lines = {0};
    float wall = middle_wall(stage.map);
    int crossed[2] = {0}, narrow[2] = {0};
    for (int row = 0; row < agents.count; row++) {
        int class_index = throng_crowd_profile(stage.crowd, agents.profile[row]).class_index;
        assert_in_range(class_index, 0, 1);
        view_draw_lines(&stage, 1u << VIEW_CORRIDOR, row, &lines);
        assert_false(lines.lost);
        for (int i = 0; i < lines.count; i++) {
            const throng_drawn_line *line = &lines.lines[i];
            float a = line->from[1] - wall, b = line->to[1] - wall;
            if (line->from[2] != 0.12f || (a < 0) == (b < 0)) {
                continue; // the way itself has its own height
            }
            float share = a / (a - b);
            throng_vec2 at = {line->from[0] + (line->to[0] - line->from[0]) * share, wall};
            int x, y;
            assert_true(throng_map_cell_at(stage.map, at, &x, &y));
            crossed[class_index]++;
            narrow[class_index] += !throng_map_fits(stage.map, 1, x, y);
        }
    }
    assert_true(crossed[0] > 0 && crossed[1] > 0);
    assert_int_equal(narrow[0], crossed[0]);
    assert_int_equal(narrow[1], 0);
    free(lines.lines);
    view_stage_close(&stage);
}

static void looking_changes_nothing(void **state)
{
    (void)state;
    view_stage looked, left;
    open_stage(&looked, "scenes/room.json");
    open_stage(&left, "scenes/room.json");
    size_t cells = (size_t)throng_map_width(looked.map) * (size_t)throng_map_height(looked.map);
    uint32_t *colours = calloc(cells, sizeof *colours);
    view_lines lines = {0};
    for (int i = 0; i < 40; i++) {
        looked.door_page = i;
        view_paint(&looked, (1u << VIEW_LAYER_COUNT) - 1, i, colours);
        view_draw_lines(&looked, (1u << VIEW_LAYER_COUNT) - 1, i, &lines);
        assert_true(lines.count > 100);
        assert_true(view_stage_step(&looked));
        assert_true(view_stage_step(&left));
        assert_true(throng_crowd_hash(looked.crowd) == throng_crowd_hash(left.crowd));
    }
    free(colours);
    free(lines.lines);
    view_stage_close(&looked);
    view_stage_close(&left);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_doors_of_a_room_are_pages_that_go_round),
        TEST(the_room_is_that_under_the_cursor),
        TEST(a_doors_field_is_painted_and_follows_the_map),
        TEST(each_page_is_a_field_of_its_own),
        TEST(the_corridor_is_for_the_class_of_who_is_picked),
        TEST(looking_changes_nothing),
    };
    return RUN_TESTS(tests);
}
