#include "temp_files.h"
#include <throng_io/map_file.h>

static throng_map *load(const char *path)
{
    throng_map *map = NULL;
    throng_error error;
    memset(&error, 0, sizeof error);
    throng_map_def def = throng_default_map_def();
    assert_ok_or(throng_map_load(path, &def, &map, &error), &error);
    return map;
}

/// The map's terrain as rows of digits, to compare with.
static void assert_terrain(const throng_map *map, const char *rows)
{
    int width = throng_map_width(map);
    int height = throng_map_height(map);
    assert_int_equal(strlen(rows), (size_t)(width * height));
    for (int i = 0; i < width * height; i++) {
        if (throng_map_terrain_at(map, i % width, i / width) != rows[i] - '0') {
            fail_msg("cell (%d, %d) is terrain %d, expected %c", i % width, i / width,
                     throng_map_terrain_at(map, i % width, i / width), rows[i]);
        }
    }
}

static void a_movingai_map_loads(void **state)
{
    (void)state;
    char path[512];
    throng_map *map = load(test_source_path(path, sizeof path, "maps/movingai/room-64-64-8.map"));
    assert_int_equal(throng_map_width(map), 64);
    assert_int_equal(throng_map_height(map), 64);
    throng_map_destroy(map);
    map = load(temp_write_text("rows.txt", ".@T\r\nSW.\r\n"));
    assert_terrain(map, "102341");
    throng_map_destroy(map);
}

static void a_grey_picture_is_wall_where_it_is_dark(void **state)
{
    (void)state;
    static const char binary[] = "P5 # a comment\n3 2\n255\n\x00\x7f\x80\xff\x01\xfe";
    throng_map *map = load(temp_write("a.pgm", binary, sizeof binary - 1));
    assert_terrain(map, "001101");
    throng_map_destroy(map);
    map = load(temp_write_text("b.pgm", "P2\n2 2 # size\n15\n0 15\n7 8"));
    assert_terrain(map, "0101");
    throng_map_destroy(map);
    static const char deep[] = "P5\n2 1\n65535\n\x00\xff\xff\x00";
    map = load(temp_write("c.pgm", deep, sizeof deep - 1));
    assert_terrain(map, "01");
    throng_map_destroy(map);
}

static void content_counts_more_than_the_ending(void **state)
{
    (void)state;
    throng_map *map = load(temp_write("picture.map", "P5 2 1 255 \x00\xff", 13));
    assert_terrain(map, "01");
    throng_map_destroy(map);
}

static void a_ros_map_lies_where_ros_says(void **state)
{
    (void)state;
    // Two columns, three rows; in ROS the last row lies lowest.
    static const char grey[] = "P5 2 3 255 \x00\xff\xcd\xff\xff\x00";
    temp_write("ros.pgm", grey, sizeof grey - 1);
    throng_map *map = load(temp_write_text(
        "ros.yaml",
        "# made by map_saver\nimage: ros.pgm\nresolution: 0.05\norigin: [-1.5, 2.0, 0.0]\n"
        "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"));
    // Bottom row first: 255 0, then unknown (205) 255, then 0 255.
    assert_terrain(map, "100101");
    assert_near(throng_map_cell_size(map), 0.05, 1e-7);
    assert_near(throng_map_origin(map).x, -1.5, 0);
    assert_near(throng_map_origin(map).y, 2.0, 0);
    int x = -1;
    int y = -1;
    assert_true(throng_map_cell_at(map, (throng_vec2){-1.49f, 2.01f}, &x, &y));
    assert_int_equal(throng_map_terrain_at(map, x, y), THRONG_GROUND); // ROS's lower left pixel
    throng_map_destroy(map);
}

static void ros_modes_and_styles_are_read(void **state)
{
    (void)state;
    static const char grey[] = "P5 5 1 255 \xff\xc0\x80\x40\x00";
    temp_write("five.pgm", grey, sizeof grey - 1);
    throng_map *map = load(temp_write_text(
        "scale.yaml", "---\nimage: \"five.pgm\"  # quoted\nmode: scale\nresolution: 1e-1\norigin:\n"
                      "- 0.0\n- 0\n- 0.0\nnegate: false\noccupied_thresh: 0.9\nfree_thresh: 0.1\n"
                      "something_else:\n  nested: 1\n"));
    // occupancies 0, 0.247, 0.498, 0.749, 1: ground, 20 %, 50 %, 80 % of the way, wall
    assert_string_equal(throng_map_terrain_name(map, throng_map_terrain_at(map, 1, 0)),
                        "occupancy_20");
    assert_string_equal(throng_map_terrain_name(map, throng_map_terrain_at(map, 2, 0)),
                        "occupancy_50");
    assert_string_equal(throng_map_terrain_name(map, throng_map_terrain_at(map, 3, 0)),
                        "occupancy_80");
    assert_int_equal(throng_map_terrain_at(map, 0, 0), THRONG_GROUND);
    assert_int_equal(throng_map_terrain_at(map, 4, 0), THRONG_WALL);
    throng_map_destroy(map);
    map = load(temp_write_text("negate.yaml", "image: five.pgm\nresolution: 0.1\n"
                                              "origin: [0, 0, 0]\nnegate: 1\n"));
    assert_terrain(map, "00001"); // 64 of 255 is just not free
    throng_map_destroy(map);
    static const char raw[] = "P5 4 1 255 \x00\x32\x64\xff";
    temp_write("raw.pgm", raw, sizeof raw - 1);
    map = load(temp_write_text("raw.yaml",
                               "image: raw.pgm\nresolution: 1\norigin: [0, 0, 0]\nmode: raw\n"));
    assert_string_equal(throng_map_terrain_name(map, throng_map_terrain_at(map, 1, 0)),
                        "occupancy_50");
    assert_int_equal(throng_map_terrain_at(map, 2, 0), THRONG_WALL);
    assert_int_equal(throng_map_terrain_at(map, 3, 0), THRONG_WALL);
    throng_map_destroy(map);
}

static void a_real_ros_map_loads(void **state)
{
    (void)state;
    char path[512];
    throng_map *map = load(test_source_path(path, sizeof path, "maps/ros/turtlebot3_map.yaml"));
    assert_int_equal(throng_map_width(map), 384);
    int ground = 0;
    for (int i = 0; i < 384 * 384; i++) {
        ground += throng_map_terrain_at(map, i % 384, i / 384) == THRONG_GROUND;
    }
    assert_in_range(ground, 5000, 20000); // the rest is unknown
    int x;
    int y;
    assert_true(throng_map_cell_at(map, (throng_vec2){-2.0f, -0.5f}, &x, &y));
    assert_int_equal(throng_map_terrain_at(map, x, y), THRONG_GROUND); // where the robot starts
    throng_map_destroy(map);
}

static void what_is_saved_comes_back(void **state)
{
    (void)state;
    static const char rows[] = ".@TSW\nW.S@T\n.....\n";
    static const struct {
        const char *name, *terrain;
    } kept[4] = {{"save.map", "102344130211111"},
                 {"save.png", "102344130211111"},
                 {"save.pgm", "100100110011111"},
                 {"save.yaml", "100100110011111"}};
    throng_map_def def = throng_default_map_def();
    def.cell_size = 0.25f;
    def.origin = (throng_vec2){-3.5f, 12.25f};
    throng_map *map = NULL;
    assert_ok(throng_map_from_text(rows, sizeof rows - 1, &def, &map, NULL));
    for (int i = 0; i < 4; i++) {
        throng_error error;
        assert_ok_or(throng_map_save(map, temp_path(kept[i].name), &error), &error);
        throng_map *back = load(temp_path(kept[i].name));
        assert_terrain(back, kept[i].terrain);
        bool yaml = i == 3;
        assert_near(throng_map_cell_size(back), yaml ? 0.25 : 1.0, 0);
        assert_near(throng_map_origin(back).x, yaml ? -3.5 : 0.0, 0);
        assert_near(throng_map_origin(back).y, yaml ? 12.25 : 0.0, 0);
        throng_map_destroy(back);
    }
    throng_map_destroy(map);
}

static void a_failed_save_leaves_what_was_there(void **state)
{
    (void)state;
    throng_map_def def = throng_default_map_def();
    throng_map *map = NULL;
    assert_ok(throng_map_create(&def, &map));
    throng_error error;
    assert_int_equal(throng_map_save(map, "no/such/folder/a.map", &error), THRONG_CANNOT_WRITE);
    assert_string_equal(error.file, "no/such/folder/a.map");
    assert_int_equal(throng_map_save(map, temp_path("a.bmp"), &error), THRONG_BAD_ARGUMENT);
    assert_int_equal(mkdir(temp_path("folder.map"), 0700), 0);
    int count = temp_count();
    assert_int_equal(throng_map_save(map, temp_path("folder.map"), &error), THRONG_CANNOT_WRITE);
    assert_int_equal(temp_count(), count);
    throng_map_destroy(map);
}

typedef struct bad_file {
    const char *name, *data;
    size_t size; ///< 0: strlen(data)
    int line;    ///< 0: none in the error
    const char *says;
} bad_file;

#define YAML "image: good.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n"

static const bad_file bad_files[] = {
    {"empty.map", "", 0, 0, "is empty"},
    {"empty.png", "", 0, 0, "is empty"},
    {"magic.map", "type quad\nheight 1\nwidth 1\nmap\n.\n", 0, 1, "type octile"},
    {"cut.map", "type octile\nheight 3\nwidth 2\nmap\n..\n", 0, 6, "ends after 1 rows"},
    {"header.map", "type octile\nheight 3\n", 0, 3, ""},
    {"huge.map", "type octile\nheight 4000000000\nwidth 2\nmap\n..\n", 0, 2, "16384"},
    {"negative.map", "type octile\nheight -3\nwidth 2\nmap\n..\n", 0, 2, "16384"},
    {"nan.map", "type octile\nheight nan\nwidth 2\nmap\n..\n", 0, 2, "whole number"},
    {"e308.map", "type octile\nheight 1e308\nwidth 2\nmap\n..\n", 0, 2, "whole number"},
    {"width.map", "type octile\nheight 2\nwidth 2\nmap\n..\n...\n", 0, 6, "3 cells, expected 2"},
    {"utf8.map", "type octile\nheight 1\nwidth 2\nmap\n.\xff\n", 0, 5, "0xFF"},
    {"zero.map", ".\0.\n", 4, 1, "0x00"},
    {"rows.map", "....\n...\n", 0, 2, "expected 4"},
    {"after.map", "..\n..\n\n..\n", 0, 4, "after the last row"},
    {"magic.pgm", "P7\n2 2\n255\n....", 0, 0, "byte 0"},
    {"cut.pgm", "P5\n4 4\n255\n....", 0, 0, "16 pixels"},
    {"header.pgm", "P5\n4", 0, 0, "the height"},
    {"huge.pgm", "P5\n99999999999999999999 1\n255\n.", 0, 0, "the width"},
    {"many.pgm", "P5\n16384 16384\n255\n.", 0, 0, "more than 67108864"},
    {"claims.pgm", "P5\n8000 8000\n255\n.", 0, 0, "64000000"},
    {"negative.pgm", "P5\n-2 2\n255\n....", 0, 0, "the width"},
    {"zero.pgm", "P5\n0 2\n255\n....", 0, 0, "the width"},
    {"deep.pgm", "P5\n2 2\n65536\n........", 0, 0, "grey value"},
    {"above.pgm", "P5\n2 1\n7\n\x07\x08", 11, 0, "pixel 1 is 8"},
    {"text.pgm", "P2\n2 1\n255\n12 x", 0, 0, "a pixel"},
    {"glued.pgm", "P2\n2 1\n255\n12x 3", 0, 0, "white space"},
    {"short.pgm", "P2\n3 1\n255\n1 2\n", 0, 0, "ends where a pixel"},
    {"text.png", "hello", 0, 0, "no PNG"},
    {"self.yaml", "image: self.yaml\nresolution: 1\norigin: [0,0,0]\n", 0, 1, "no PNG and no PGM"},
    {"missing.yaml", "image: not_there.pgm\nresolution: 1\norigin: [0,0,0]\n", 0, 1,
     "No such file"},
    {"folder.yaml", "image: ..\nresolution: 1\norigin: [0,0,0]\n", 0, 1, "directory"},
    {"no_image.yaml", "resolution: 1\norigin: [0,0,0]\n", 0, 0, "no `image`"},
    {"no_origin.yaml", "image: good.pgm\nresolution: 1\n", 0, 0, "no `origin`"},
    {"twice.yaml", YAML "resolution: 1\n", 0, 4, "line 2 has it"},
    {"nan.yaml", "image: good.pgm\nresolution: nan\n", 0, 2, "expected a number"},
    {"e308.yaml", "image: good.pgm\nresolution: 1e308\n", 0, 2, "expected a number"},
    {"e999.yaml", "image: good.pgm\nresolution: 1e999\n", 0, 2, "expected a number"},
    {"small.yaml", "image: good.pgm\nresolution: -0.05\n", 0, 2, "from 0.01 to 100"},
    {"far.yaml", "image: good.pgm\nresolution: 1\norigin: [1e308, 0, 0]\n", 0, 3,
     "expected a number"},
    {"turned.yaml", "image: good.pgm\nresolution: 1\norigin: [0, 0, 1.57]\n", 0, 3, "yaw"},
    {"two.yaml", "image: good.pgm\nresolution: 1\norigin: [0, 0]\n", 0, 3, "three numbers"},
    {"block.yaml", "image: good.pgm\nresolution: 1\norigin:\n- 0\n", 0, 3, "three numbers"},
    {"mode.yaml", YAML "mode: cubic\n", 0, 4, "trinary"},
    {"negate.yaml", YAML "negate: maybe\n", 0, 4, "0 or 1"},
    {"swapped.yaml", YAML "occupied_thresh: 0.1\nfree_thresh: 0.5\n", 0, 5, "above"},
    {"utf8.yaml", "image: good.pgm\n# \xc3\x28\n", 0, 2, "not UTF-8"},
    {"line.yaml", YAML "what is this\n", 0, 4, "expected ':'"},
    {"list.yaml", "- image: good.pgm\n", 0, 0, "key: value"},
    {"comment.yaml", "# nothing\n", 0, 0, "key: value"},
    {"open.yaml", YAML "notes: [1, 2\nmode: raw\n", 0, 4, "flow sequence"},
    {"list_number.yaml", "image: good.pgm\nresolution: [1]\n", 0, 2, "a list or a mapping"},
    {"nul.yaml", "image: \"a\\0b\"\n", 0, 1, "file name"},
    {"binary.yaml", "\x1f\x8b\x08", 0, 1, "byte 0: not UTF-8"},
};

static void every_bad_file_gets_a_sentence_and_a_place(void **state)
{
    (void)state;
    temp_write("good.pgm", "P5 2 1 255 \x00\xff", 13);
    throng_map_def def = throng_default_map_def();
    for (size_t i = 0; i < sizeof bad_files / sizeof bad_files[0]; i++) {
        const bad_file *bad = &bad_files[i];
        const char *path =
            temp_write(bad->name, bad->data, bad->size > 0 ? bad->size : strlen(bad->data));
        throng_map *map = (throng_map *)&def;
        throng_error error;
        memset(&error, 0, sizeof error);
        throng_result result = throng_map_load(path, &def, &map, &error);
        bool missing =
            strstr(bad->says, "No such") != NULL || strstr(bad->says, "directory") != NULL;
        bool right = result == (missing ? THRONG_CANNOT_READ : THRONG_BAD_DATA) && map == NULL &&
                     error.result == result && strcmp(error.file, path) == 0 &&
                     error.line == bad->line && strstr(error.text, bad->says) != NULL &&
                     strchr(error.text, '\n') == NULL;
        if (!right) {
            fail_msg("%s: result %s, line %d (expected %d), says \"%s\" (expected \"%s\")",
                     bad->name, throng_result_name(result), error.line, bad->line, error.text,
                     bad->says);
        }
        assert_int_equal(throng_live_bytes(), 0);
        assert_int_equal(throng_map_load(path, &def, &map, NULL), result); // no error wanted
    }
}

static void every_cut_of_a_good_file_is_refused(void **state)
{
    (void)state;
    static const char map_text[] = "type octile\nheight 2\nwidth 3\nmap\n.@.\nTSW\n";
    static const char pgm[] = "P5\n3 2\n255\n\x00\x01\x02\xff\xfe\xfd";
    throng_map_def def = throng_default_map_def();
    for (size_t size = 0; size < sizeof map_text - 2; size++) { // the last line break may miss
        throng_map *map = NULL;
        throng_result result =
            throng_map_load(temp_write("c.map", map_text, size), &def, &map, NULL);
        assert_int_equal(result, THRONG_BAD_DATA);
    }
    for (size_t size = 0; size < sizeof pgm - 1; size++) {
        throng_map *map = NULL;
        throng_result result = throng_map_load(temp_write("c.pgm", pgm, size), &def, &map, NULL);
        assert_int_equal(result, THRONG_BAD_DATA);
    }
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    throng_map_def def = throng_default_map_def();
    throng_map *map = NULL;
    throng_error error;
    assert_int_equal(throng_map_load(temp_folder, &def, &map, &error), THRONG_CANNOT_READ);
    assert_non_null(strstr(error.text, "directory"));
    assert_int_equal(throng_map_load(temp_path("none.map"), &def, &map, &error),
                     THRONG_CANNOT_READ);
    assert_int_equal(mkfifo(temp_path("pipe.map"), 0600), 0);
    assert_int_equal(throng_map_load(temp_path("pipe.map"), &def, &map, &error),
                     THRONG_CANNOT_READ);
    assert_int_equal(throng_map_load("/dev/zero", &def, &map, &error), THRONG_CANNOT_READ);
    const char *locked = temp_write_text("locked.map", "...\n");
    assert_int_equal(chmod(locked, 0), 0);
    if (access(locked, R_OK) == 0) {
        printf("skipped: a file that may not be read (root reads all)\n");
    } else {
        assert_int_equal(throng_map_load(locked, &def, &map, &error), THRONG_CANNOT_READ);
    }
    // A file of 257 MiB of nothing takes no space and is not read.
    const char *large = temp_write_text("large.map", "");
    assert_int_equal(truncate(large, ((off_t)257) << 20), 0);
    assert_int_equal(throng_map_load(large, &def, &map, &error), THRONG_BAD_DATA);
    assert_non_null(strstr(error.text, "at most"));
    def.cell_size = -1.0f;
    const char *good = temp_write_text("good.map", "...\n");
    assert_int_equal(throng_map_load(good, &def, &map, &error), THRONG_BAD_ARGUMENT);
}

static void a_long_path_keeps_its_end_in_the_error(void **state)
{
    (void)state;
    char path[600];
    memset(path, 'x', sizeof path);
    strcpy(path + 590, "end.map");
    throng_map_def def = throng_default_map_def();
    throng_map *map = NULL;
    throng_error error;
    assert_int_equal(throng_map_load(path, &def, &map, &error), THRONG_CANNOT_READ);
    assert_int_equal(strlen(error.file), sizeof error.file - 1);
    assert_memory_equal(error.file, "...", 3);
    assert_non_null(strstr(error.file, "xend.map"));
}

static void loading_gives_back_all_memory(void **state)
{
    (void)state;
    temp_write("good.pgm", "P5 2 1 255 \x00\xff", 13);
    const char *path = temp_write_text("m.yaml", YAML);
    throng_map_def def = throng_default_map_def();
    for (long allowed = 0;; allowed++) {
        test_memory memory = {.allowed = allowed};
        test_memory_use(&memory);
        throng_map *map = NULL;
        throng_result result = throng_map_load(path, &def, &map, NULL);
        if (result == THRONG_OK) {
            throng_map_destroy(map);
        }
        throng_set_memory_hooks(NULL);
        assert_int_equal(memory.live_count, 0);
        if (result == THRONG_OK) {
            break;
        }
        assert_int_equal(result, THRONG_NO_MEMORY);
        assert_null(map);
    }
}

static void a_movingai_scenario_loads(void **state)
{
    (void)state;
    char path[512];
    throng_scenario scenario;
    throng_error error;
    test_source_path(path, sizeof path, "maps/movingai/room-64-64-8.map.scen");
    assert_ok_or(throng_scenario_load(path, &scenario, &error), &error);
    assert_int_equal(scenario.row_count, 310);
    assert_int_equal(scenario.map_width, 64);
    assert_int_equal(scenario.rows[0].line, 2);
    throng_scenario_free(&scenario);
    const char *text = "version 1.0\r\n3 a map with blanks.map 8 9 1 2 3 4 2.82842712\r\n\r\n";
    assert_ok(throng_scenario_load(temp_write_text("a.scen", text), &scenario, &error));
    assert_int_equal(scenario.row_count, 1);
    assert_int_equal(scenario.map_height, 9);
    assert_int_equal(scenario.rows[0].goal_y, 4);
    assert_int_equal(scenario.rows[0].bucket, 3);
    assert_int_equal(scenario.rows[0].straight, -1);
    assert_int_equal(scenario.length_decimals, 8);
    assert_near(scenario.rows[0].length, 2.82842712, 1e-15);
    throng_scenario_free(&scenario);
    const char *csv = "sx,sy,gx,gy,straight,diagonal,length\n1,13,4,12,2,1,3.4142135624\n";
    assert_ok(throng_scenario_load(temp_write_text("a.csv", csv), &scenario, &error));
    assert_int_equal(scenario.rows[0].straight, 2);
    assert_int_equal(scenario.rows[0].diagonal, 1);
    throng_scenario_free(&scenario);
}

static void bad_scenarios_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *says;
    } bad[] = {
        {"", 1, "version 1"},
        {"version 2\n", 1, "version 1"},
        {"version nan\n", 1, "version 1"},
        {"0 m 8 8 1 1 2 2 1\n", 1, "version 1"},
        {"version 1\n0 m 8 8 1 1 2 2\n", 2, "8 fields"},
        {"version 1\n0 m 8 8 1 1 2 2 nan\n", 2, "length"},
        {"version 1\n0 m 8 8 1 1 2 2 -1\n", 2, "length"},
        {"version 1\n0 m 8 8 1 1 2 2 1e308\n", 2, "length"},
        {"version 1\n0 m 8 8 1 1 2 8 1\n", 2, "outside the map"},
        {"version 1\n0 m 8 8 -1 1 2 2 1\n", 2, "start x"},
        {"version 1\n0 m 8 8 1 1 2 2 1\n0 m 8 9 1 1 2 2 1\n", 3, "8 x 9 here"},
        {"version 1\n0 m 99999 8 1 1 2 2 1\n", 2, "map width"},
        {"version 1\nx m 8 8 1 1 2 2 1\n", 2, "bucket"},
        {"version 1\n0 m 8 8 1 1 2 2 1x\n", 2, "length"},
        {"sx,sy,gx,gy,straight,diagonal,length\n1,2,3\n", 2, "3 fields"},
        {"sx,sy,gx,gy,straight,diagonal,length\n1,2,3,4,-5,6,7\n", 2, "straight"},
        {"sx,sy,gx,gy,straight,diagonal,length\n1,2,,4,5,6,7\n", 2, "gx"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        throng_scenario scenario;
        throng_error error;
        memset(&error, 0, sizeof error);
        throng_result result =
            throng_scenario_load(temp_write_text("bad.scen", bad[i].text), &scenario, &error);
        if (result != THRONG_BAD_DATA || error.line != bad[i].line || scenario.rows != NULL ||
            strstr(error.text, bad[i].says) == NULL) {
            fail_msg("case %zu: %s, line %d, \"%s\"", i, throng_result_name(result), error.line,
                     error.text);
        }
    }
}

/// Found by fuzzing: the zero byte once stopped the reader for ever.
static void a_scenario_with_a_zero_byte_ends(void **state)
{
    (void)state;
    static const char text[] = "version 1\n0 m\0 8 8 1 1 2 2 \0\n";
    throng_scenario scenario;
    throng_error error;
    const char *path = temp_write("zero.scen", text, sizeof text - 1);
    assert_int_equal(throng_scenario_load(path, &scenario, &error), THRONG_BAD_DATA);
    assert_int_equal(error.line, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_movingai_map_loads),
        TEST(a_grey_picture_is_wall_where_it_is_dark),
        TEST(content_counts_more_than_the_ending),
        TEST(a_ros_map_lies_where_ros_says),
        TEST(ros_modes_and_styles_are_read),
        TEST(a_real_ros_map_loads),
        TEST(what_is_saved_comes_back),
        TEST(a_failed_save_leaves_what_was_there),
        TEST(every_bad_file_gets_a_sentence_and_a_place),
        TEST(every_cut_of_a_good_file_is_refused),
        TEST(what_is_no_file_is_refused),
        TEST(a_long_path_keeps_its_end_in_the_error),
        TEST(loading_gives_back_all_memory),
        TEST(a_movingai_scenario_loads),
        TEST(bad_scenarios_are_refused_with_their_line),
        TEST(a_scenario_with_a_zero_byte_ends),
    };
    return cmocka_run_group_tests(tests, temp_make, temp_remove);
}
