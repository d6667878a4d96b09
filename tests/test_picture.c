#include "temp_files.h"
#include <png.h>
#include <throng/throng.h>
#include <throng_io/map_file.h>
#include <throng_io/picture.h>
#include <throng_io/video.h>
#include <zlib.h>

// ---- PNG in ------------------------------------------------------------------------------------

/// A PNG of any kind from rows of samples, as libpng writes it.
static const char *write_png(const char *name, int width, int height, int depth, int kind,
                             int interlace, const uint8_t *rows, size_t row_size)
{
    const char *path = temp_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, depth, kind, interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (kind == PNG_COLOR_TYPE_PALETTE) {
        static const png_color palette[4] = {{0, 0, 0}, {255, 255, 255}, {40, 90, 170}, {9, 9, 9}};
        static const png_byte opacity[4] = {255, 255, 255, 0};
        png_set_PLTE(png, info, palette, 4);
        png_set_tRNS(png, info, opacity, 4, NULL);
    }
    png_write_info(png, info);
    png_bytep pointers[64];
    for (int y = 0; y < height; y++) {
        pointers[y] = (png_bytep)(uintptr_t)(rows + (size_t)y * row_size);
    }
    png_write_image(png, pointers);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    fclose(file);
    return path;
}

static void assert_png_terrain(const char *path, const char *rows)
{
    throng_map_def def = throng_default_map_def();
    throng_map *map = NULL;
    throng_error error;
    memset(&error, 0, sizeof error);
    assert_ok_or(throng_map_load(path, &def, &map, &error), &error);
    int width = throng_map_width(map);
    assert_int_equal(strlen(rows), (size_t)(width * throng_map_height(map)));
    for (int i = 0; rows[i] != '\0'; i++) {
        assert_int_equal(throng_map_terrain_at(map, i % width, i / width), rows[i] - '0');
    }
    throng_map_destroy(map);
}

static void every_kind_of_png_becomes_a_map(void **state)
{
    (void)state;
    static const uint8_t grey[6] = {0, 127, 128, 255, 1, 254};
    assert_png_terrain(write_png("g8.png", 3, 2, 8, PNG_COLOR_TYPE_GRAY, 0, grey, 3), "001101");
    static const uint8_t bits[2] = {0xa0, 0x40}; // 1 0 1 / 0 1 0
    assert_png_terrain(write_png("g1.png", 3, 2, 1, PNG_COLOR_TYPE_GRAY, 0, bits, 1), "101010");
    static const uint8_t deep[8] = {0, 0, 0x7e, 0xff, 0x81, 0, 0xff, 0xff};
    assert_png_terrain(write_png("g16.png", 4, 1, 16, PNG_COLOR_TYPE_GRAY, 0, deep, 8), "0011");
    static const uint8_t indices[1] = {0x1b}; // 0 1 2 3: black, white, water, transparent
    assert_png_terrain(write_png("p2.png", 4, 1, 2, PNG_COLOR_TYPE_PALETTE, 0, indices, 1), "0140");
    static const uint8_t clear[8] = {255, 255, 255, 127, 255, 128, 0, 255};
    assert_png_terrain(write_png("ga.png", 4, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, 0, clear, 8),
                       "1010");
    static const uint8_t colours[9] = {255, 0, 0, 0, 255, 0, 255, 200, 0}; // red green amber
    assert_png_terrain(write_png("rgb.png", 3, 1, 8, PNG_COLOR_TYPE_RGB, 0, colours, 9), "011");
    uint8_t pattern[9 * 11];
    char expected[9 * 11 + 1] = "";
    for (int i = 0; i < 99; i++) {
        bool white = i * 7 % 5 > 2;
        pattern[i] = white ? 255 : 0;
        expected[i] = white ? '1' : '0';
    }
    expected[99] = '\0';
    assert_png_terrain(
        write_png("adam7.png", 9, 11, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7, pattern, 9),
        expected);
}

static throng_result load_bytes(const uint8_t *data, size_t size, throng_error *error)
{
    throng_map_def def = throng_default_map_def();
    throng_map *map = NULL;
    memset(error, 0, sizeof *error);
    throng_result result = throng_map_load(temp_write("bad.png", data, size), &def, &map, error);
    if (result == THRONG_OK) {
        throng_map_destroy(map);
    } else {
        assert_null(map);
        assert_int_equal(error->result, result);
        assert_non_null(strstr(error->file, "bad.png"));
        assert_true(strlen(error->text) > 10);
    }
    return result;
}

static void every_cut_and_every_flipped_byte_of_a_png_is_refused(void **state)
{
    (void)state;
    static const uint8_t grey[12] = {0, 127, 128, 255, 1, 254, 3, 9, 200, 100, 50, 25};
    size_t size = 0;
    uint8_t *data = (uint8_t *)temp_read(
        write_png("good.png", 4, 3, 8, PNG_COLOR_TYPE_GRAY, 0, grey, 4), &size);
    throng_error error;
    assert_int_equal(load_bytes(data, size, &error), THRONG_OK);
    for (size_t cut = 0; cut < size; cut++) {
        assert_int_equal(load_bytes(data, cut, &error), THRONG_BAD_DATA);
    }
    for (size_t i = 0; i < size; i++) { // checksums see every one of them
        data[i] ^= 0x20;
        throng_result result = load_bytes(data, size, &error);
        if (result != THRONG_BAD_DATA) {
            fail_msg("byte %zu flipped: %s", i, throng_result_name(result));
        }
        data[i] ^= 0x20;
    }
    free(data);
}

/// Puts a value into the header of a PNG and makes its checksum right again.
static void set_header(uint8_t *png, size_t at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        png[at + (size_t)i] = (uint8_t)(value >> (24 - 8 * i));
    }
    uint32_t sum = (uint32_t)crc32(0, png + 12, 17);
    for (int i = 0; i < 4; i++) {
        png[29 + i] = (uint8_t)(sum >> (24 - 8 * i));
    }
}

static void a_png_that_claims_nonsense_is_refused(void **state)
{
    (void)state;
    static const uint8_t grey[4] = {0, 255, 255, 0};
    char path[512];
    snprintf(path, sizeof path, "%s",
             write_png("small.png", 2, 2, 8, PNG_COLOR_TYPE_GRAY, 0, grey, 2));
    size_t size = 0;
    static const struct {
        size_t at;
        uint32_t value;
        const char *says;
    } claims[] = {
        {16, 0, ""},               // no width
        {16, 0x7fffffff, "16384"}, // two thousand million columns
        {16, 0xffffffff, ""},      // a negative width
        {20, 16385, "16384"},      // one row too many
        {20, 16384, ""},           // rows that are not there
        {16, 3, ""},               // wider than its data
        {24, 0x09000000, ""},      // nine bits
        {24, 0x08050000, ""},      // no such kind of colour
        {24, 0x08000100, ""},      // no such compression
    };
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        uint8_t *data = (uint8_t *)temp_read(path, &size);
        set_header(data, claims[i].at, claims[i].value);
        throng_error error;
        throng_result result = load_bytes(data, size, &error);
        if (result != THRONG_BAD_DATA || strstr(error.text, claims[i].says) == NULL ||
            strstr(error.text, "byte ") == NULL) {
            fail_msg("claim %zu: %s, \"%s\"", i, throng_result_name(result), error.text);
        }
        free(data);
    }
    // Sides that fit one by one, but not together.
    uint8_t *data = (uint8_t *)temp_read(path, &size);
    set_header(data, 16, 16384);
    set_header(data, 20, 16384);
    throng_error error;
    assert_int_equal(load_bytes(data, size, &error), THRONG_BAD_DATA);
    assert_non_null(strstr(error.text, "67108864"));
    // Sixty million pixels in a hundred bytes: refused before memory is taken.
    set_header(data, 20, 4000);
    assert_int_equal(load_bytes(data, size, &error), THRONG_BAD_DATA);
    assert_non_null(strstr(error.text, "too short"));
    free(data);
}

// ---- Drawing -----------------------------------------------------------------------------------

static int pixel_sum(const throng_picture *picture, int x, int y)
{
    const uint8_t *pixel = picture->rgb + 3 * (y * picture->width + x);
    return pixel[0] + pixel[1] + pixel[2];
}

static uint32_t picture_sum(const throng_picture *picture)
{
    return (uint32_t)crc32(0, picture->rgb, (uInt)(picture->width * picture->height * 3));
}

static void a_saved_picture_holds_every_pixel(void **state)
{
    (void)state;
    throng_picture picture;
    assert_ok(throng_picture_create(37, 23, &picture));
    for (int i = 0; i < 37 * 23 * 3; i++) {
        picture.rgb[i] = (uint8_t)(i * 7);
    }
    throng_error error;
    assert_ok_or(throng_picture_save(&picture, temp_path("p.png"), &error), &error);
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    assert_int_equal(png_image_begin_read_from_file(&image, temp_path("p.png")), 1);
    image.format = PNG_FORMAT_RGB;
    uint8_t back[37 * 23 * 3];
    assert_int_equal(png_image_finish_read(&image, NULL, back, 0, NULL), 1);
    assert_memory_equal(back, picture.rgb, sizeof back);
    assert_int_equal(throng_picture_save(&picture, "no/such/p.png", &error), THRONG_CANNOT_WRITE);
    throng_picture_free(&picture);
    assert_int_equal(throng_picture_create(0, 5, &picture), THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_picture_create(5, 20000, &picture), THRONG_BAD_ARGUMENT);
}

static void nothing_is_drawn_outside_of_a_picture(void **state)
{
    (void)state;
    throng_picture picture;
    assert_ok(throng_picture_create(20, 10, &picture));
    throng_colour white = {255, 255, 255, 255};
    uint32_t before = picture_sum(&picture);
    throng_picture_fill(&picture, (throng_pixel_rect){-100, -100, 90, 90}, white);
    throng_picture_fill(&picture, (throng_pixel_rect){2000000000, 0, 2000000000, 5}, white);
    throng_picture_disc(&picture, -50.0f, 5.0f, 20.0f, white);
    throng_picture_disc(&picture, NAN, 5.0f, 20.0f, white);
    throng_picture_disc(&picture, 1e30f, 5.0f, 20.0f, white);
    throng_picture_line(&picture, (throng_vec2){-9, -9}, (throng_vec2){-1, 30}, 1.0f, white);
    throng_picture_line(&picture, (throng_vec2){NAN, 0}, (throng_vec2){1, 3}, 1.0f, white);
    throng_picture_text(&picture, 19999, 3, 2, "far away", white);
    assert_int_equal(picture_sum(&picture), before);
    throng_picture_disc(&picture, 0.0f, 0.0f, 1e5f, white); // covers everything
    assert_int_equal(pixel_sum(&picture, 19, 9), 765);
    throng_picture_free(&picture);
}

static void a_disc_covers_its_area(void **state)
{
    (void)state;
    throng_picture picture;
    assert_ok(throng_picture_create(64, 64, &picture));
    throng_picture_fill(&picture, (throng_pixel_rect){0, 0, 64, 64}, (throng_colour){0, 0, 0, 255});
    for (float radius = 1.0f; radius < 25.0f; radius *= 1.7f) {
        throng_picture shown;
        assert_ok(throng_picture_create(64, 64, &shown));
        throng_picture_copy(&shown, &picture);
        throng_picture_disc(&shown, 31.7f, 32.2f, radius, (throng_colour){255, 255, 255, 255});
        double area = 0;
        for (int i = 0; i < 64 * 64; i++) {
            area += shown.rgb[3 * i] / 255.0;
        }
        assert_near(area / (3.14159265 * radius * radius), 1.0, 0.1);
        throng_picture_free(&shown);
    }
    throng_picture_free(&picture);
}

static void a_view_keeps_proportions_and_turns_y_when_asked(void **state)
{
    (void)state;
    throng_rect world = {{-10, -5}, {30, 15}}; // 40 x 20 m
    throng_pixel_rect area = {100, 50, 400, 400};
    throng_view2 down = throng_view2_fit(world, area, false);
    throng_view2 up = throng_view2_fit(world, area, true);
    assert_near(down.scale, 10, 1e-5);
    throng_vec2 pixel = throng_view2_pixel(&down, (throng_vec2){-10, -5});
    assert_near(pixel.x, 100, 1e-3);
    assert_near(pixel.y, 150, 1e-3);
    pixel = throng_view2_pixel(&up, (throng_vec2){-10, -5});
    assert_near(pixel.x, 100, 1e-3);
    assert_near(pixel.y, 350, 1e-3);
}

static void ramps_grow_lighter_all_the_way(void **state)
{
    (void)state;
    throng_colour (*ramps[2])(float) = {throng_colour_ramp, throng_colour_heat};
    for (int k = 0; k < 2; k++) {
        double before = -1;
        for (int i = 0; i <= 100; i++) {
            throng_colour c = ramps[k]((float)i / 100.0f);
            double light = 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
            assert_true(light >= before - 0.8);
            before = light;
        }
        throng_colour low = ramps[k](NAN);
        throng_colour first = ramps[k](0.0f);
        assert_memory_equal(&low, &first, sizeof low);
    }
}

typedef struct world {
    throng_map *map;
    throng_crowd *crowd;
    throng_goal_id goal;
    throng_goal_shape shape;
    throng_rect exit;
} world;

static void make_world(world *made)
{
    char path[512];
    throng_map_def map_def = throng_default_map_def();
    assert_ok(throng_map_load(test_source_path(path, sizeof path, "maps/movingai/room-64-64-8.map"),
                              &map_def, &made->map, NULL));
    int index;
    throng_class_def class_def = throng_default_class_def();
    assert_ok(throng_map_add_class(made->map, &class_def, &index));
    throng_profile_def profile = throng_default_profile_def();
    throng_crowd_def def = throng_default_crowd_def();
    def.map = made->map;
    def.profiles = &profile;
    def.profile_count = 1;
    assert_ok(throng_crowd_create(&def, &made->crowd));
    made->exit = (throng_rect){{30, 30}, {34, 34}};
    throng_goal_def goal = throng_default_goal_def();
    goal.shape.rects = &made->exit;
    goal.shape.rect_count = 1;
    made->shape = goal.shape;
    assert_ok(throng_crowd_add_goal(made->crowd, &goal, &made->goal));
    for (int i = 0; i < 200; i++) {
        throng_spawn_def spawn = {
            .position = {2.0f + (float)(i % 20) * 3.0f, 2.0f + (float)(i / 20) * 6.0f},
            .goal = made->goal};
        throng_agent_id agent;
        assert_ok(throng_crowd_spawn(made->crowd, &spawn, &agent));
    }
    throng_crowd_step(made->crowd, 0.05f);
    throng_crowd_solve_fields(made->crowd);
    for (int i = 0; i < 10; i++) {
        throng_crowd_step(made->crowd, 0.05f);
    }
}

static throng_scene_picture picture_of(const world *made)
{
    throng_scene_picture scene = throng_default_scene_picture();
    scene.map = made->map;
    scene.crowd = made->crowd;
    scene.field = throng_crowd_goal_field(made->crowd, made->goal, 0);
    scene.goals = &made->shape;
    scene.goal_count = 1;
    scene.title = "Rooms";
    return scene;
}

static void a_scene_shows_walls_fields_agents_and_words_in_any_size(void **state)
{
    (void)state;
    world made;
    make_world(&made);
    throng_scene_picture scene = picture_of(&made);
    static const int sizes[5][2] = {{1024, 1024}, {1280, 720}, {360, 800}, {64, 48}, {1, 1}};
    for (int i = 0; i < 5; i++) {
        throng_picture empty, full, again;
        assert_ok(throng_picture_create(sizes[i][0], sizes[i][1], &empty));
        assert_ok(throng_picture_create(sizes[i][0], sizes[i][1], &full));
        assert_ok(throng_picture_create(sizes[i][0], sizes[i][1], &again));
        for (int turned = 0; turned < 2; turned++) {
            scene.y_up = turned;
            throng_picture_draw_background(&full, &scene);
            assert_true(i > 2 || picture_sum(&full) != picture_sum(&empty));
            uint32_t background = picture_sum(&full);
            throng_picture_copy(&again, &full);
            assert_ok(throng_picture_draw_crowd(&full, &scene));
            assert_true(i > 2 || picture_sum(&full) != background);
            assert_ok(throng_picture_draw_crowd(&again, &scene));
            assert_int_equal(picture_sum(&again), picture_sum(&full));
        }
        throng_picture_free(&empty);
        throng_picture_free(&full);
        throng_picture_free(&again);
    }
    throng_crowd_destroy(made.crowd);
    throng_map_destroy(made.map);
}

static void every_agent_is_seen_where_it_is(void **state)
{
    (void)state;
    world made;
    make_world(&made);
    throng_picture picture;
    assert_ok(throng_picture_create(256, 256, &picture));
    throng_view2 view = throng_view2_of_map(made.map, (throng_pixel_rect){0, 0, 256, 256}, false);
    throng_picture_draw_map(&picture, &view, made.map, 0);
    throng_agents_view agents = throng_crowd_agents(made.crowd);
    assert_int_equal(agents.count, 200);
    throng_picture_draw_agents(&picture, &view, agents, THRONG_COLOUR_STATUS);
    for (int i = 0; i < agents.count; i++) {
        throng_vec2 at = throng_view2_pixel(&view, (throng_vec2){agents.x[i], agents.y[i]});
        assert_true(pixel_sum(&picture, (int)at.x, (int)at.y) > 300); // the map is darker
    }
    throng_picture_free(&picture);
    throng_crowd_destroy(made.crowd);
    throng_map_destroy(made.map);
}

/// Pixels that are exactly of a colour.
static int count_colour(const throng_picture *picture, throng_colour colour)
{
    int count = 0;
    for (int i = 0; i < picture->width * picture->height; i++) {
        const uint8_t *pixel = picture->rgb + 3 * (size_t)i;
        count += pixel[0] == colour.r && pixel[1] == colour.g && pixel[2] == colour.b;
    }
    return count;
}

static void ways_and_a_legend_of_grounds_are_drawn(void **state)
{
    (void)state;
    world made;
    make_world(&made);
    throng_scene_picture scene = picture_of(&made);
    throng_picture plain, full;
    assert_ok(throng_picture_create(1024, 724, &plain));
    assert_ok(throng_picture_create(1024, 724, &full));
    throng_picture_draw_background(&plain, &scene);
    throng_vec2 points[] = {{5.0f, 5.0f}, {50.0f, 9.0f}, {60.0f, 60.0f}};
    throng_picture_route route = {{255, 0, 0, 255}, points, 3};
    throng_legend_entry entries[] = {{throng_colour_of_terrain(THRONG_WATER), "water", true},
                                     {{0, 255, 0, 255}, "frogs", false}};
    scene.routes = &route;
    scene.route_count = 1;
    scene.legend = entries;
    scene.legend_count = 2;
    throng_picture_draw_background(&full, &scene);
    throng_colour water = throng_colour_of_terrain(THRONG_WATER);
    assert_int_equal(count_colour(&plain, water), 0);
    assert_int_equal(count_colour(&full, water), 12 * 12); // two pixels a dot, less the rim
    assert_true(count_colour(&full, (throng_colour){0, 255, 0, 255}) > 60);
    int reddened = 0;
    for (int i = 0; i < full.width * full.height; i++) {
        reddened += full.rgb[3 * (size_t)i] > plain.rgb[3 * (size_t)i] + 60;
    }
    assert_true(reddened > 800); // a way of some 100 m at 10 pixels a metre
    throng_picture_free(&plain);
    throng_picture_free(&full);
    throng_crowd_destroy(made.crowd);
    throng_map_destroy(made.map);
}

static void a_field_is_lightest_at_its_goal(void **state)
{
    (void)state;
    world made;
    make_world(&made);
    throng_picture picture;
    assert_ok(throng_picture_create(128, 128, &picture));
    throng_view2 view = throng_view2_of_map(made.map, (throng_pixel_rect){0, 0, 128, 128}, false);
    throng_picture_draw_map(&picture, &view, made.map, 0);
    throng_field_style style = throng_default_field_style();
    style.opacity = 1.0f;
    style.lines = false;
    throng_field_view field =
        throng_field_get_view(throng_crowd_goal_field(made.crowd, made.goal, 0));
    float highest = throng_picture_draw_field(&picture, &view, made.map, field, &style);
    assert_true(highest > 30 && highest < 500);
    int brightest = 0;
    int at = 0;
    for (int i = 0; i < 128 * 128; i++) {
        int sum = pixel_sum(&picture, i % 128, i / 128);
        at = sum > brightest ? i : at;
        brightest = sum > brightest ? sum : brightest;
    }
    assert_in_range(at % 128, 52, 76);
    assert_in_range(at / 128, 52, 76);
    throng_picture_free(&picture);
    throng_crowd_destroy(made.crowd);
    throng_map_destroy(made.map);
}

static void density_shows_where_people_are(void **state)
{
    (void)state;
    float x[400], y[400];
    for (int i = 0; i < 400; i++) { // 4 per square metre on 10 x 10 m, in the left half
        x[i] = 5.0f + (float)(i % 20) * 0.5f;
        y[i] = 5.0f + (float)(i / 20) * 0.5f;
    }
    throng_agents_view agents;
    memset(&agents, 0, sizeof agents);
    agents.count = 400;
    agents.x = x;
    agents.y = y;
    throng_picture picture;
    assert_ok(throng_picture_create(400, 200, &picture));
    throng_view2 view = throng_view2_fit((throng_rect){{0, 0}, {40, 20}},
                                         (throng_pixel_rect){0, 0, 400, 200}, false);
    throng_picture_fill(&picture, (throng_pixel_rect){0, 0, 400, 200},
                        (throng_colour){0, 0, 0, 255});
    assert_ok(throng_picture_draw_density(&picture, &view, agents, 8.0f));
    throng_colour middle = throng_colour_heat(0.5f); // 4 of 8
    const uint8_t *pixel = picture.rgb + 3 * (100 * 400 + 100);
    assert_near(pixel[0], middle.r * 225 / 255.0, 10);
    assert_near(pixel[1], middle.g * 225 / 255.0, 10);
    assert_int_equal(pixel_sum(&picture, 300, 100), 0);
    assert_int_equal(throng_picture_draw_density(&picture, &view, agents, NAN),
                     THRONG_BAD_ARGUMENT);
    throng_picture_free(&picture);
}

// ---- Video -------------------------------------------------------------------------------------

static void a_video_holds_every_frame(void **state)
{
    (void)state;
    throng_error error;
    memset(&error, 0, sizeof error);
    throng_picture picture;
    assert_ok(throng_picture_create(65, 33, &picture)); // odd on purpose
    throng_video *video = NULL;
    assert_ok_or(throng_video_open(temp_path("v.mp4"), 65, 33, 25, &video, &error), &error);
    for (int i = 0; i < 12; i++) {
        throng_picture_disc(&picture, (float)i * 5.0f, 16.0f, 4.0f, throng_colour_of_index(i));
        if (throng_video_frame(video, &picture, &error) != THRONG_OK) {
            break;
        }
    }
    throng_result result = throng_video_close(video, &error);
    if (result != THRONG_OK && strstr(error.text, "install") != NULL) {
        printf("skipped: there is no ffmpeg here\n");
    } else {
        assert_ok_or(result, &error);
        size_t size = 0;
        char *data = temp_read(temp_path("v.mp4"), &size);
        assert_true(size > 500);
        assert_memory_equal(data + 4, "ftyp", 4);
        free(data);
    }
    throng_picture_free(&picture);
}

static void a_video_that_cannot_be_made_says_why_and_leaves_nothing(void **state)
{
    (void)state;
    throng_error error;
    throng_video *video = NULL;
    assert_int_equal(throng_video_open("no/such/v.mp4", 64, 64, 25, &video, &error),
                     THRONG_CANNOT_WRITE);
    assert_int_equal(throng_video_open(temp_path("v.avi"), 64, 64, 25, &video, &error),
                     THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_video_open(temp_path("v.mp4"), 64, 64, 0, &video, &error),
                     THRONG_BAD_ARGUMENT);
    int count = temp_count();
    assert_ok_or(throng_video_open(temp_path("none.mp4"), 64, 64, 25, &video, &error), &error);
    assert_int_equal(throng_video_close(video, &error), THRONG_CANNOT_WRITE); // no frame
    assert_ok_or(throng_video_open(temp_path("none.mp4"), 64, 64, 25, &video, &error), &error);
    throng_video_abort(video);
    // Without ffmpeg on the path: the package is named, and the broken pipe ends nobody.
    char *path = getenv("PATH");
    char kept[4096];
    snprintf(kept, sizeof kept, "%s", path != NULL ? path : "");
    setenv("PATH", "/nowhere", 1);
    throng_picture picture;
    assert_ok(throng_picture_create(512, 512, &picture));
    throng_result result = throng_video_open(temp_path("none.mp4"), 512, 512, 25, &video, &error);
    assert_int_equal(result, THRONG_OK);
    for (int i = 0; i < 3 && result == THRONG_OK; i++) {
        result = throng_video_frame(video, &picture, &error);
    }
    setenv("PATH", kept, 1);
    assert_int_equal(result, THRONG_CANNOT_WRITE);
    assert_non_null(strstr(error.text, "package ffmpeg"));
    assert_int_equal(throng_video_close(video, &error), THRONG_CANNOT_WRITE);
    throng_picture_free(&picture);
    assert_int_equal(temp_count(), count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_kind_of_png_becomes_a_map),
        TEST(every_cut_and_every_flipped_byte_of_a_png_is_refused),
        TEST(a_png_that_claims_nonsense_is_refused),
        TEST(a_saved_picture_holds_every_pixel),
        TEST(nothing_is_drawn_outside_of_a_picture),
        TEST(a_disc_covers_its_area),
        TEST(a_view_keeps_proportions_and_turns_y_when_asked),
        TEST(ramps_grow_lighter_all_the_way),
        TEST(a_scene_shows_walls_fields_agents_and_words_in_any_size),
        TEST(every_agent_is_seen_where_it_is),
        TEST(ways_and_a_legend_of_grounds_are_drawn),
        TEST(a_field_is_lightest_at_its_goal),
        TEST(density_shows_where_people_are),
        TEST(a_video_holds_every_frame),
        TEST(a_video_that_cannot_be_made_says_why_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, temp_make, temp_remove);
}
