/// Rooms at their limits: very large, very many, very long, and zones that come from pictures.
#include "rooms_fixture.h"
#include "temp_files.h"
#include <throng_io/map_file.h>
#include <throng_io/picture.h>

enum { SIDE = 1024 };

/// Zones of the fitting cells of a map: `left` up to a column, `right` from there on.
static uint16_t *halves(const throng_map *map, int column)
{
    int width = throng_map_width(map), height = throng_map_height(map);
    uint16_t *zones = calloc((size_t)width * (size_t)height, sizeof *zones);
    for (int i = 0; i < width * height; i++) {
        bool fits = throng_map_fits(map, 0, i % width, i / width);
        zones[i] = fits ? (uint16_t)(i % width < column ? 1 : 2) : 0;
    }
    return zones;
}

/// Lengths from random cells to random cells and to rooms, against Dijkstra's algorithm.
static void check(throng_rooms *rooms, const throng_map *map, bool diagonal, int starts)
{
    fixture_reference reference = fixture_make_reference(map, rooms, diagonal);
    int cells = reference.width * reference.height;
    uint64_t seed = 17;
    for (int i = 0; i < starts; i++) {
        int start = fixture_draw_cell(rooms, cells, &seed);
        fixture_search(&reference, start);
        for (int k = 0; k < 4; k++) {
            throng_rooms_goal goal = {false, fixture_draw_cell(rooms, cells, &seed)};
            assert_int_equal(throng_rooms_find(rooms, start, goal).length,
                             reference.length[goal.index]);
        }
    }
    fixture_free_reference(&reference);
}

/// Walks from a cell to another and counts the steps.
static uint32_t walk(throng_rooms *rooms, int from, int to)
{
    throng_walkers_def def = throng_default_walkers_def();
    throng_walkers *walkers;
    throng_rooms_goal goal = {false, to};
    uint32_t steps = 0;
    def.cells = &from;
    def.count = 1;
    assert_ok(throng_walkers_create(rooms, &def, &walkers));
    assert_ok(throng_walkers_set_goals(walkers, NULL, 0, 1, &goal));
    while (throng_walkers_step(walkers, NULL).moved > 0) {
        steps++;
    }
    throng_walkers_view view = throng_walkers_get_view(walkers);
    assert_int_equal(view.statuses[0], THRONG_WALKER_ARRIVED);
    assert_int_equal(view.cells[0], to);
    throng_walkers_destroy(walkers);
    return steps;
}

static void a_room_of_a_million_cells_is_right(void **state)
{
    (void)state;
    uint8_t *terrain = malloc(SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++) {
        // Pillars, and a wall with two gaps before the last columns.
        bool pillar = i % SIDE % 16 == 7 && i / SIDE % 16 == 7, gap = i / SIDE == 9;
        bool wall = i % SIDE == SIDE - 24 && !gap && i / SIDE != SIDE - 2;
        terrain[i] = pillar || wall ? THRONG_WALL : THRONG_GROUND;
    }
    throng_map *map = fixture_map(terrain, SIDE, SIDE);
    uint16_t *zones = halves(map, SIDE - 24 + 1);
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        throng_rooms *rooms = fixture_rooms(map, zones, diagonal, NULL);
        assert_int_equal(throng_rooms_count(rooms), 2);
        assert_int_equal(throng_rooms_door_count(rooms), 2);
        check(rooms, map, diagonal, 3);
        int from = 3 * SIDE + 2, to = (SIDE - 3) * SIDE + SIDE - 2;
        throng_rooms_goal goal = {false, to};
        if (!diagonal) {
            assert_int_equal(walk(rooms, from, to), throng_rooms_find(rooms, from, goal).length);
        }
        throng_rooms_destroy(rooms);
    }
    free(zones);
    free(terrain);
    throng_map_destroy(map);
}

/// Two rooms, each a corridor to and fro: ways inside one room are longer than 16 bits hold.
static void serpentine_rooms_are_right(void **state)
{
    (void)state;
    enum { WIDTH = 1024, HEIGHT = 401 };
    uint8_t *terrain = malloc(WIDTH * HEIGHT);
    uint16_t *zones = malloc(WIDTH * HEIGHT * sizeof *zones);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int x = i % WIDTH, y = i / WIDTH;
        bool gap = y % 2 == 1 && x == (y % 4 == 1 ? WIDTH - 1 : 0);
        terrain[i] = y % 2 == 0 || gap ? THRONG_GROUND : THRONG_WALL;
        zones[i] = terrain[i] == THRONG_GROUND ? (uint16_t)(y < HEIGHT / 2 ? 1 : 2) : 0;
    }
    throng_map *map = fixture_map(terrain, WIDTH, HEIGHT);
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        throng_rooms *rooms = fixture_rooms(map, zones, diagonal, NULL);
        assert_int_equal(throng_rooms_door_count(rooms), 1);
        check(rooms, map, diagonal, 4);
        int end = HEIGHT * WIDTH - 1;
        throng_rooms_goal goal = {false, end};
        uint32_t length = throng_rooms_find(rooms, 0, goal).length;
        uint32_t inside = throng_rooms_inside(rooms, 1, 0, 0);
        assert_true(inside > 65535u && length > inside);
        if (!diagonal) {
            assert_int_equal(length, 201 * (WIDTH - 1) + 400);
            assert_int_equal(walk(rooms, 0, end), length);
        }
        throng_rooms_destroy(rooms);
    }
    free(zones);
    free(terrain);
    throng_map_destroy(map);
}

static void more_than_65535_rooms_are_refused(void **state)
{
    (void)state;
    throng_maze_def maze = throng_default_maze_def();
    maze.rooms_x = 256;
    maze.rooms_y = 256;
    maze.room_size = 3;
    assert_int_equal(throng_maze_fill(&maze, NULL, NULL), THRONG_BAD_ARGUMENT);
    // Single cells apart from each other are rooms of their own: more than there may be.
    uint8_t *terrain = malloc(SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++) {
        terrain[i] = i % SIDE % 2 == 0 && i / SIDE % 2 == 0 ? THRONG_GROUND : THRONG_WALL;
    }
    throng_map *map = fixture_map(terrain, SIDE, SIDE);
    throng_rooms_def def = throng_default_rooms_def();
    throng_rooms *rooms;
    throng_error error = {0};
    uint16_t *zones = malloc(SIDE * SIDE * sizeof *zones);
    int count;
    assert_int_equal(throng_rooms_cut(map, 0, 4096, zones, &count), THRONG_LIMIT);
    assert_int_equal(throng_rooms_create(map, 0, &def, &rooms, &error), THRONG_LIMIT);
    assert_non_null(strstr(error.text, "65535"));
    assert_null(rooms);
    throng_map_destroy(map);
    // The most there may be: each cell given its number, all of them pockets but one pair.
    int number = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        bool used = terrain[i] == THRONG_GROUND && number < THRONG_MAX_ROOMS;
        zones[i] = used ? (uint16_t)++number : 0;
    }
    map = fixture_map(terrain, SIDE, SIDE);
    rooms = fixture_rooms(map, zones, false, NULL);
    assert_int_equal(throng_rooms_count(rooms), THRONG_MAX_ROOMS);
    assert_int_equal(throng_rooms_get_report(rooms).pockets, THRONG_MAX_ROOMS - 1);
    throng_rooms_goal goal = {true, THRONG_MAX_ROOMS};
    assert_int_equal(throng_rooms_find(rooms, 0, goal).length, THRONG_ROOMS_FAR);
    throng_rooms_destroy(rooms);
    throng_map_destroy(map);
    free(zones);
    free(terrain);
}

// ---- Pictures ----------------------------------------------------------------------------------

static throng_result load_zones(const char *path, int width, int height, uint16_t *zones,
                                int *count, throng_error *error)
{
    memset(error, 0, sizeof *error);
    return throng_zones_load(path, width, height, zones, count, error);
}

static void zones_come_from_pictures(void **state)
{
    (void)state;
    uint16_t zones[12];
    int count;
    throng_error error;
    const char *grey = temp_write_text("zones.pgm", "P2\n4 3\n255\n"
                                                    "9 9 0 7\n"
                                                    "9 0 0 7\n"
                                                    "9 200 7 7\n");
    static const uint16_t wanted[12] = {1, 1, 0, 2, 1, 0, 0, 2, 1, 3, 2, 2};
    assert_ok_or(load_zones(grey, 4, 3, zones, &count, &error), &error);
    assert_int_equal(count, 3);
    assert_memory_equal(zones, wanted, sizeof wanted);
    // The same rooms from the picture that a map of terrains is: colours count, not shades.
    throng_map_def map_def = throng_default_map_def();
    static const uint8_t terrain[6] = {THRONG_WALL,  THRONG_GROUND, THRONG_TREES,
                                       THRONG_TREES, THRONG_WATER,  THRONG_GROUND};
    throng_map *map;
    map_def.width = 3;
    map_def.height = 2;
    map_def.terrain = terrain;
    assert_ok(throng_map_create(&map_def, &map));
    const char *coloured = temp_path("zones.png");
    assert_ok(throng_map_save(map, coloured, &error));
    static const uint16_t colours[6] = {0, 1, 2, 2, 3, 1};
    assert_ok_or(load_zones(coloured, 3, 2, zones, &count, &error), &error);
    assert_int_equal(count, 3);
    assert_memory_equal(zones, colours, sizeof colours);
    throng_map_destroy(map);
}

static void wrong_pictures_are_refused(void **state)
{
    (void)state;
    uint16_t zones[12];
    int count;
    throng_error error;
    const char *path = temp_write_text("wrong.pgm", "P2\n3 2\n255\n1 2 3 4 5 6\n");
    assert_int_equal(load_zones(path, 4, 3, zones, &count, &error), THRONG_BAD_DATA);
    assert_non_null(strstr(error.text, "4 x 3"));
    assert_non_null(strstr(error.text, "3 x 2"));
    path = temp_write_text("short.pgm", "P2\n4 3\n255\n1 2 3 4 5 6\n");
    assert_int_equal(load_zones(path, 4, 3, zones, &count, &error), THRONG_BAD_DATA);
    path = temp_write_text("none.png", "zones");
    assert_int_equal(load_zones(path, 4, 3, zones, &count, &error), THRONG_BAD_DATA);
    assert_int_equal(load_zones(temp_path("nowhere.png"), 4, 3, zones, &count, &error),
                     THRONG_CANNOT_READ);
    assert_int_equal(count, 0);
}

/// A picture with one colour more than there may be rooms.
static void too_many_colours_are_refused(void **state)
{
    (void)state;
    enum { WIDTH = 256, HEIGHT = 257 };
    uint8_t *pixels = malloc(WIDTH * HEIGHT * 3);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        pixels[3 * i] = (uint8_t)(i + 1);
        pixels[3 * i + 1] = (uint8_t)((i + 1) >> 8);
        pixels[3 * i + 2] = (uint8_t)((i + 1) >> 16);
    }
    throng_picture picture = {WIDTH, HEIGHT, pixels};
    throng_error error = {0};
    const char *path = temp_path("many.png");
    assert_ok_or(throng_picture_save(&picture, path, &error), &error);
    uint16_t *zones = malloc(WIDTH * HEIGHT * sizeof *zones);
    int count;
    assert_int_equal(load_zones(path, WIDTH, HEIGHT, zones, &count, &error), THRONG_LIMIT);
    assert_int_equal(error.line, 256);
    free(zones);
    free(pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_room_of_a_million_cells_is_right), TEST(serpentine_rooms_are_right),
        TEST(more_than_65535_rooms_are_refused),  TEST(zones_come_from_pictures),
        TEST(wrong_pictures_are_refused),         TEST(too_many_colours_are_refused),
    };
    return cmocka_run_group_tests(tests, temp_make, temp_remove);
}
