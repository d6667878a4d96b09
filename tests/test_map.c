/// Claims about maps: clearance, fit, prices, regions, edits, queries, and text that is read.
#include "test.h"

#include "../benchmarks/field_maps.h"
#include "map/map.h"

static throng_map *map_of_kinds(const uint8_t *terrain, int width, int height)
{
    throng_map_def def = throng_default_map_def();
    throng_map *map = NULL;
    def.width = width;
    def.height = height;
    def.terrain = terrain;
    assert_ok(throng_map_create(&def, &map));
    return map;
}

static throng_map *map_of_text(const char *text)
{
    throng_map_def def = throng_default_map_def();
    throng_map *map = NULL;
    throng_error error;
    assert_ok_or(throng_map_from_text(text, strlen(text), &def, &map, &error), &error);
    return map;
}

static int add_class(throng_map *map, float radius)
{
    throng_class_def def = throng_default_class_def();
    int class_index = -1;
    def.radius = radius;
    assert_ok(throng_map_add_class(map, &def, &class_index));
    return class_index;
}

static void clearance_equals_brute_force(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 23}, {31, 1}, {17, 29}, {40, 40}, {61, 33}};
    uint8_t terrain[61 * 40];
    for (int i = 0; i < 6; i++) {
        for (int kind = 0; kind < FIELD_MAP_KINDS; kind++) {
            int width = sizes[i][0];
            int height = sizes[i][1];
            field_map_fill((field_map_kind)kind, width, height, 100u + (unsigned)kind, 1, terrain);
            throng_map *map = map_of_kinds(terrain, width, height);
            const thg_layer *layer = &map->layers[add_class(map, 0.0f)];
            uint32_t *plain = malloc(map->padded_count * sizeof *plain);
            thg_clearance_fill_plain(map, layer->blocked_terrains, plain);
            for (size_t cell = 0; cell < map->padded_count; cell++) {
                assert_int_equal(layer->clearance[cell], plain[cell]);
            }
            free(plain);
            throng_map_destroy(map);
        }
    }
}

static void clearance_of_a_sparse_map_equals_brute_force(void **state)
{
    (void)state;
    // Few walls far apart: every curve of the envelope takes part somewhere.
    uint8_t terrain[48 * 48];
    uint64_t random = 5;
    for (int round = 0; round < 30; round++) {
        memset(terrain, THRONG_GROUND, sizeof terrain);
        for (int i = 0; i < round / 3; i++) {
            terrain[field_map_random(&random) % sizeof terrain] = THRONG_WALL;
        }
        throng_map *map = map_of_kinds(terrain, 48, 48);
        const thg_layer *layer = &map->layers[add_class(map, 0.0f)];
        uint32_t *plain = malloc(map->padded_count * sizeof *plain);
        thg_clearance_fill_plain(map, layer->blocked_terrains, plain);
        assert_memory_equal(layer->clearance, plain, map->padded_count * sizeof *plain);
        free(plain);
        throng_map_destroy(map);
    }
}

static void half_a_metre_fits_a_lane_of_one_metre(void **state)
{
    (void)state;
    throng_map *map = map_of_text("#####\n.....\n#####\n");
    int person = add_class(map, 0.5f);
    int stout = add_class(map, 0.51f);
    assert_true(throng_map_fits(map, person, 2, 1));
    assert_false(throng_map_fits(map, stout, 2, 1));
    assert_near(throng_map_clearance(map, person, 2, 1), 0.5, 0.0);
    assert_near(throng_map_clearance(map, person, 2, 0), 0.0, 0.0);
    assert_near(throng_map_clearance(map, person, -5, 0), 0.0, 0.0);
    // Classes that are blocked by the same terrains share the array.
    assert_ptr_equal(map->layers[person].clearance, map->layers[stout].clearance);
    throng_map_destroy(map);
}

static void a_wall_surcharge_falls_with_the_square_and_ends(void **state)
{
    (void)state;
    throng_map *map = map_of_text("..........\n..........\n..........\n..........\n..........\n"
                                  "..........\n..........\n..........\n..........\n..........\n");
    throng_class_def def = throng_default_class_def();
    int class_index;
    def.radius = 0.5f;
    def.wall_surcharge = 2.0f;
    def.wall_distance = 2.0f;
    assert_ok(throng_map_add_class(map, &def, &class_index));
    const thg_layer *layer = &map->layers[class_index];
    // Clearances 0.5, 1.5, 2.5: 1 + 2 * 1, 1 + 2 * 0.25, 1.
    assert_int_equal(layer->price[thg_padded_index(map, 0, 5)], 64 * 3);
    assert_int_equal(layer->price[thg_padded_index(map, 1, 5)], 96);
    assert_int_equal(layer->price[thg_padded_index(map, 2, 5)], 64);
    assert_int_equal(layer->min_price, 64);
    assert_int_equal(layer->max_price, 192);
    throng_map_destroy(map);
}

static void diagonal_moves_never_cut_corners(void **state)
{
    (void)state;
    throng_map *map = map_of_text("..#\n...\n...\n");
    const thg_layer *layer = &map->layers[add_class(map, 0.0f)];
    uint8_t moves = layer->moves[thg_padded_index(map, 1, 1)];
    assert_int_equal(moves, 0xFF & ~(1 << THG_NE));
    moves = layer->moves[thg_padded_index(map, 1, 0)];
    assert_int_equal(moves, 1 << THG_SOUTH | 1 << THG_WEST | 1 << THG_SW);
    throng_map_destroy(map);
}

/// Labels by flood fill in row order.
static void flood_labels(const throng_map *map, const thg_layer *layer, int32_t *label)
{
    size_t *stack = malloc(map->padded_count * sizeof *stack);
    int32_t count = 0;
    memset(label, 0, map->padded_count * sizeof *label);
    for (size_t start = 0; start < map->padded_count; start++) {
        if (layer->price[start] == 0 || label[start] != 0) {
            continue;
        }
        size_t depth = 1;
        stack[0] = start;
        label[start] = ++count;
        while (depth > 0) {
            size_t cell = stack[--depth];
            for (int move = 0; move < 8; move++) {
                size_t to = (size_t)((ptrdiff_t)cell + thg_move_x[move] +
                                     (ptrdiff_t)map->stride * thg_move_y[move]);
                if (((layer->moves[cell] >> move) & 1) && label[to] == 0) {
                    label[to] = count;
                    stack[depth++] = to;
                }
            }
        }
    }
    assert_int_equal(layer->region_count, count);
    free(stack);
}

static void regions_are_what_a_flood_finds_in_row_order(void **state)
{
    (void)state;
    uint8_t terrain[80 * 60];
    for (unsigned seed = 0; seed < 12; seed++) {
        field_map_fill(seed % 3 == 0 ? FIELD_MAP_ROOMS : FIELD_MAP_NOISE, 80, 60, seed, 1, terrain);
        for (unsigned i = 0; i < seed * 60; i++) {
            terrain[(i * 2654435761u) % sizeof terrain] = THRONG_WALL;
        }
        throng_map *map = map_of_kinds(terrain, 80, 60);
        const thg_layer *layer = &map->layers[add_class(map, 0.0f)];
        int32_t *label = malloc(map->padded_count * sizeof *label);
        flood_labels(map, layer, label);
        assert_memory_equal(label, layer->region, map->padded_count * sizeof *label);
        free(label);
        throng_map_destroy(map);
    }
}

static void an_edit_counts_after_the_update_and_allocates_nothing(void **state)
{
    (void)state;
    throng_map *map = map_of_text("......\n......\n......\n");
    int class_index = add_class(map, 0.25f);
    throng_cell_rect wall = {3, -5, 1, 100};
    assert_int_equal(throng_map_version(map), 1);
    assert_ok(throng_map_edit_rect(map, wall, THRONG_WALL));
    assert_int_equal(throng_map_terrain_at(map, 3, 0), THRONG_WALL);
    assert_true(throng_map_fits(map, class_index, 3, 0));
    uint64_t allocations = throng_allocation_count();
    throng_map_update(map);
    assert_int_equal(throng_allocation_count(), allocations);
    assert_int_equal(throng_map_version(map), 2);
    assert_false(throng_map_fits(map, class_index, 3, 0));
    assert_int_equal(throng_map_region_count(map, class_index), 2);
    assert_int_equal(throng_map_region(map, class_index, 4, 0), 2);
    assert_ok(throng_map_edit_rect(map, wall, THRONG_WALL)); // changes nothing
    throng_map_update(map);
    assert_int_equal(throng_map_version(map), 2);
    throng_map_destroy(map);
}

static void edits_refuse_unnamed_kinds_and_negative_sizes(void **state)
{
    (void)state;
    throng_map *map = map_of_text("..\n..\n");
    throng_cell_rect rect = {0, 0, 1, 1};
    throng_cell_rect huge = {INT32_MAX - 1, INT32_MIN, INT32_MAX, INT32_MAX};
    throng_cell_rect negative = {0, 0, -1, 1};
    int kind;
    assert_int_equal(throng_map_edit_rect(map, rect, THRONG_FIRST_OWN_TERRAIN),
                     THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_map_edit_rect(map, rect, -1), THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_map_edit_rect(map, negative, THRONG_WALL), THRONG_BAD_ARGUMENT);
    assert_ok(throng_map_edit_rect(map, huge, THRONG_WALL));
    assert_ok(throng_map_terrain(map, "lava", &kind));
    assert_int_equal(kind, THRONG_FIRST_OWN_TERRAIN);
    assert_ok(throng_map_terrain(map, "lava", &kind));
    assert_int_equal(kind, THRONG_FIRST_OWN_TERRAIN);
    assert_ok(throng_map_edit_rect(map, rect, kind));
    assert_string_equal(throng_map_terrain_name(map, kind), "lava");
    assert_null(throng_map_terrain_name(map, kind + 1));
    assert_int_equal(throng_map_terrain(map, "", &kind), THRONG_BAD_ARGUMENT);
    char name[16];
    throng_result result = THRONG_OK;
    for (int i = 0; i < THRONG_MAX_TERRAINS && result == THRONG_OK; i++) {
        snprintf(name, sizeof name, "k%d", i);
        result = throng_map_terrain(map, name, &kind);
    }
    assert_int_equal(result, THRONG_LIMIT);
    throng_map_destroy(map);
}

static void defs_outside_their_ranges_are_refused(void **state)
{
    (void)state;
    throng_map *map = NULL;
    throng_map_def def = throng_default_map_def();
    def.width = 0;
    assert_int_equal(throng_map_create(&def, &map), THRONG_BAD_ARGUMENT);
    def.width = THRONG_MAX_MAP_SIDE;
    def.height = THRONG_MAX_MAP_SIDE; // 2^28 cells
    assert_int_equal(throng_map_create(&def, &map), THRONG_BAD_ARGUMENT);
    def = throng_default_map_def();
    def.cell_size = NAN;
    assert_int_equal(throng_map_create(&def, &map), THRONG_BAD_ARGUMENT);
    def = throng_default_map_def();
    def.cookie = 0;
    assert_int_equal(throng_map_create(&def, &map), THRONG_BAD_ARGUMENT);
    map = map_of_text("..\n");
    throng_class_def class_def = throng_default_class_def();
    int class_index;
    class_def.cost[THRONG_WALL] = 1.0f;
    assert_int_equal(throng_map_add_class(map, &class_def, &class_index), THRONG_BAD_ARGUMENT);
    class_def = throng_default_class_def();
    class_def.cost[THRONG_GROUND] = INFINITY;
    assert_int_equal(throng_map_add_class(map, &class_def, &class_index), THRONG_BAD_ARGUMENT);
    class_def = throng_default_class_def();
    class_def.radius = NAN;
    assert_int_equal(throng_map_add_class(map, &class_def, &class_index), THRONG_BAD_ARGUMENT);
    for (int i = 0; i < THRONG_MAX_CLASSES; i++) {
        add_class(map, 0.1f);
    }
    class_def = throng_default_class_def();
    assert_int_equal(throng_map_add_class(map, &class_def, &class_index), THRONG_LIMIT);
    throng_map_destroy(map);
}

/// Distance from a point to the nearest square whose being blocked is `blocked`, outside included.
static double plain_distance(const throng_map *map, int class_index, double x, double y,
                             bool blocked)
{
    double best = 1e9;
    for (int row = -3; row < map->height + 3; row++) {
        for (int column = -3; column < map->width + 3; column++) {
            if (throng_map_blocked(map, class_index, column, row) == blocked) {
                double dx = fmax(fmax(column - x, x - column - 1), 0.0);
                double dy = fmax(fmax(row - y, y - row - 1), 0.0);
                best = fmin(best, sqrt(dx * dx + dy * dy));
            }
        }
    }
    return best;
}

static void wall_distance_equals_brute_force_on_both_sides(void **state)
{
    (void)state;
    uint8_t terrain[20 * 14];
    uint64_t random = 11;
    field_map_fill(FIELD_MAP_RECTANGLES, 20, 14, 3, 1, terrain);
    throng_map *map = map_of_kinds(terrain, 20, 14);
    int class_index = add_class(map, 0.0f);
    for (int i = 0; i < 3000; i++) {
        float x = (float)(field_map_random(&random) % 2400) * 0.01f - 2.0f;
        float y = (float)(field_map_random(&random) % 1800) * 0.01f - 2.0f;
        float limit = i % 3 == 0 ? 1.0f : 30.0f;
        throng_vec2 position = {x, y};
        int column, row;
        bool wall = !throng_map_cell_at(map, position, &column, &row) ||
                    throng_map_blocked(map, class_index, column, row);
        double expected = plain_distance(map, class_index, x, y, !wall);
        expected = fmin(expected, limit) * (wall ? -1.0 : 1.0);
        assert_near(throng_map_wall_distance(map, class_index, position, limit), expected, 2e-5);
    }
    throng_vec2 nowhere = {NAN, 1.0f};
    assert_true(throng_map_wall_distance(map, class_index, nowhere, 2.0f) <= 0.0f);
    throng_map_destroy(map);
}

static void the_nearest_fit_equals_brute_force(void **state)
{
    (void)state;
    uint8_t terrain[23 * 19];
    uint64_t random = 17;
    field_map_fill(FIELD_MAP_NOISE, 23, 19, 5, 1, terrain);
    throng_map *map = map_of_kinds(terrain, 23, 19);
    int class_index = add_class(map, 0.0f);
    int regions = throng_map_region_count(map, class_index);
    for (int i = 0; i < 2000; i++) {
        float x = (float)(field_map_random(&random) % 3300) * 0.01f - 5.0f;
        float y = (float)(field_map_random(&random) % 2900) * 0.01f - 5.0f;
        int region = i % (regions + 1);
        int best = -1;
        double least = 1e300;
        for (int cell = 0; cell < 23 * 19; cell++) {
            int label = throng_map_region(map, class_index, cell % 23, cell / 23);
            if (label == 0 || (region != 0 && label != region)) {
                continue;
            }
            double dx = cell % 23 + 0.5 - (double)x;
            double dy = cell / 23 + 0.5 - (double)y;
            if (dx * dx + dy * dy < least) {
                least = dx * dx + dy * dy;
                best = cell;
            }
        }
        int found_x, found_y;
        throng_vec2 position = {x, y};
        assert_true(throng_map_nearest_fit(map, class_index, position, region, &found_x, &found_y));
        assert_int_equal(found_y * 23 + found_x, best);
    }
    int x, y;
    throng_vec2 anywhere = {INFINITY, NAN};
    assert_true(throng_map_nearest_fit(map, class_index, anywhere, 0, &x, &y));
    assert_false(throng_map_nearest_fit(map, class_index, anywhere, regions + 1, &x, &y));
    throng_map_destroy(map);
}

static void a_cell_contains_its_centre_and_not_its_far_edge(void **state)
{
    (void)state;
    throng_map_def def = throng_default_map_def();
    throng_map *map = NULL;
    int x, y;
    def.width = 7;
    def.height = 5;
    def.cell_size = 0.4f;
    def.origin.x = -1.3f;
    def.origin.y = 12.0f;
    assert_ok(throng_map_create(&def, &map));
    for (int cell = 0; cell < 35; cell++) {
        assert_true(
            throng_map_cell_at(map, throng_map_cell_center(map, cell % 7, cell / 7), &x, &y));
        assert_int_equal(y * 7 + x, cell);
    }
    throng_vec2 outside[4] = {{-1.4f, 12.1f}, {9.0f, 12.1f}, {NAN, NAN}, {-1.0f, 14.1f}};
    for (int i = 0; i < 4; i++) {
        assert_false(throng_map_cell_at(map, outside[i], &x, &y));
        assert_in_range(x, 0, 6);
        assert_in_range(y, 0, 4);
    }
    throng_map_destroy(map);
}

static void text_is_read_as_rows_or_as_a_movingai_file(void **state)
{
    (void)state;
    throng_map *map = map_of_text("type octile\r\nheight 2\r\nwidth 8\r\nmap\r\n.G@O#TSW\r\n"
                                  "........\r\n\r\n");
    static const int kinds[8] = {1, 1, 0, 0, 0, 2, 3, 4};
    assert_int_equal(throng_map_width(map), 8);
    assert_int_equal(throng_map_height(map), 2);
    for (int x = 0; x < 8; x++) {
        assert_int_equal(throng_map_terrain_at(map, x, 0), kinds[x]);
    }
    throng_map_destroy(map);
    map = map_of_text("\n..#\n###"); // no line end at the last row
    assert_int_equal(throng_map_width(map), 3);
    assert_int_equal(throng_map_height(map), 2);
    throng_map_destroy(map);
}

typedef struct broken_text {
    const char *text;
    int size; ///< -1: strlen
    int line, column;
} broken_text;

static void broken_texts_are_refused_with_line_and_column(void **state)
{
    (void)state;
    static const broken_text broken[] = {
        {"", 0, 1, 0},
        {"\n\n  \n", -1, 1, 0},
        {"...\n..\n", -1, 2, 3},
        {"...\n....\n", -1, 2, 4},
        {"...\n.x.\n", -1, 2, 2},
        {"...\n\n...\n", -1, 3, 1},
        {"..\0.\n", 5, 1, 3},
        {".\xc3\xa4.\n", -1, 1, 2},
        {"\xff\xfe.\n", -1, 1, 1},
        {"type octile", -1, 2, 0},
        {"type tile\nheight 1\nwidth 1\nmap\n.\n", -1, 1, 1},
        {"type octile\nheight 1\n", -1, 3, 0},
        {"type octile\nheight 1\nheight 1\nmap\n.\n", -1, 3, 1},
        {"type octile\nwidth 1\nmap\n.\n", -1, 3, 1},
        {"type octile\nheight 1\nwidth 1\n.\n", -1, 4, 1},
        {"type octile\nheight 1\nwidth 1\n", -1, 4, 0},
        {"type octile\nheight 1000000000\nwidth 1\nmap\n.\n", -1, 2, 1},
        {"type octile\nheight 99999999999999999999\nwidth 1\nmap\n.\n", -1, 2, 1},
        {"type octile\nheight -1\nwidth 1\nmap\n.\n", -1, 2, 1},
        {"type octile\nheight 0\nwidth 1\nmap\n", -1, 2, 1},
        {"type octile\nheight 1e3\nwidth 1\nmap\n.\n", -1, 2, 1},
        {"type octile\nheight nan\nwidth 1\nmap\n.\n", -1, 2, 1},
        {"type octile\nheight 1 \nwidth 1\nmap\n.\n", -1, 2, 1},
        {"type octile\nheight 16384\nwidth 16384\nmap\n...\n", -1, 5, 4},
        {"type octile\nheight 3\nwidth 2\nmap\n..\n..\n", -1, 7, 0},
        {"type octile\nheight 1\nwidth 2\nmap\n..\n..\n", -1, 6, 1},
        {"type octile\nheight 1\nwidth 2\nmap\n..\n\nrubbish\n", -1, 7, 1},
        {"type octile\nheight 2\nwidth 2\nmap\n..\n\n..\n", -1, 6, 1},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        throng_map_def def = throng_default_map_def();
        throng_map *map = NULL;
        throng_error error;
        memset(&error, 0, sizeof error);
        size_t live = throng_live_bytes();
        size_t size = broken[i].size >= 0 ? (size_t)broken[i].size : strlen(broken[i].text);
        // Read from memory that ends where the text ends, so that a sanitizer sees a step too far.
        char *text = malloc(size + 1);
        memcpy(text, broken[i].text, size);
        char *exact = realloc(text, size > 0 ? size : 1);
        assert_int_equal(throng_map_from_text(exact, size, &def, &map, &error), THRONG_BAD_DATA);
        free(exact);
        if (error.line != broken[i].line || error.column != broken[i].column) {
            fail_msg("text %zu: line %d column %d, expected %d %d: %s", i, error.line, error.column,
                     broken[i].line, broken[i].column, error.text);
        }
        assert_true(error.text[0] != '\0');
        assert_null(map);
        assert_int_equal(throng_live_bytes(), live);
        assert_int_equal(throng_map_from_text(broken[i].text, size, &def, &map, NULL),
                         THRONG_BAD_DATA);
    }
}

static throng_result make_and_destroy(void *context)
{
    (void)context;
    throng_map_def def = throng_default_map_def();
    throng_class_def class_def = throng_default_class_def();
    throng_map *map = NULL;
    int class_index;
    throng_result result = throng_map_from_text("...\n.#.\n", 8, &def, &map, NULL);
    if (result == THRONG_OK) {
        result = throng_map_add_class(map, &class_def, &class_index);
        class_def.radius = 0.1f;
        result = result == THRONG_OK ? throng_map_add_class(map, &class_def, &class_index) : result;
        throng_map_destroy(map);
    }
    return result;
}

static void every_allocation_of_a_map_may_fail(void **state)
{
    (void)state;
    assert_true(test_every_allocation_fails(make_and_destroy, NULL) >= 11);
}

static void sight_needs_every_cell_that_the_line_touches(void **state)
{
    (void)state;
    throng_map *map = map_of_text(".....\n..#..\n.....\n");
    const thg_layer *layer = &map->layers[add_class(map, 0.0f)];
    assert_true(thg_layer_sees(map, layer, 0, 0.5f, 0.5f, 4.5f, 0.5f));
    assert_false(thg_layer_sees(map, layer, 0, 0.5f, 1.5f, 4.5f, 1.5f));
    assert_false(thg_layer_sees(map, layer, 0, 0.5f, 0.5f, 4.5f, 2.5f));
    assert_false(thg_layer_sees(map, layer, 0, 1.5f, 1.5f, 2.5f, 0.5f)); // through a wall's corner
    assert_false(thg_layer_sees(map, layer, 0, 2.5f, 0.5f, 2.5f, 1.5f));
    assert_true(thg_layer_sees(map, layer, 64, 1.9f, 0.1f, 0.2f, 2.8f));
    assert_false(thg_layer_sees(map, layer, 65, 0.5f, 0.5f, 1.5f, 0.5f));
    throng_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(clearance_equals_brute_force),
        TEST(clearance_of_a_sparse_map_equals_brute_force),
        TEST(half_a_metre_fits_a_lane_of_one_metre),
        TEST(a_wall_surcharge_falls_with_the_square_and_ends),
        TEST(diagonal_moves_never_cut_corners),
        TEST(regions_are_what_a_flood_finds_in_row_order),
        TEST(an_edit_counts_after_the_update_and_allocates_nothing),
        TEST(edits_refuse_unnamed_kinds_and_negative_sizes),
        TEST(defs_outside_their_ranges_are_refused),
        TEST(wall_distance_equals_brute_force_on_both_sides),
        TEST(the_nearest_fit_equals_brute_force),
        TEST(a_cell_contains_its_centre_and_not_its_far_edge),
        TEST(text_is_read_as_rows_or_as_a_movingai_file),
        TEST(broken_texts_are_refused_with_line_and_column),
        TEST(every_allocation_of_a_map_may_fail),
        TEST(sight_needs_every_cell_that_the_line_touches),
    };
    return RUN_TESTS(tests);
}
