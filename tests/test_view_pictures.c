/// Pictures of scenes, through the same door as the command line: as kept in tests/pictures, the
/// same in every mode, and refused with a word where what is asked for is wrong.
#include "view_fixture.h"

#include "io/map_image.h"

/// Scenes, cameras and layers whose pictures are kept in tests/pictures.
static const struct {
    const char *name, *scene, *camera, *layers, *figures;
    double start;
} shots[] = {
    {"counterflow", "scenes/counterflow.json", "crowd", "", NULL, 4},
    {"counterflow_top", "scenes/counterflow.json", "top", "density,contacts", NULL, 6},
    {"room", "scenes/room.json", "overview", "heat,arrows,route", NULL, 5},
    {"room_clearance", "scenes/room.json", "top", "clearance,bins", NULL, 1},
    {"crossing", "scenes/crossing.json", "overview", "goals", NULL, 8},
    {"boids", "scenes/boids.json", "overview", "", NULL, 3},
    {"tower", "scenes/slots/tower.json", "close", "slots", "zombie", 20},
    {"gates", "scenes/gates/three_ways.json", "overview", "gates,status", "soldier", 10},
    {"street", "scenes/counterflow.json", "street", "", "big,soldier", 3},
    {"portals", "scenes/trials/o12_two_sizes_two_gaps.json", "overview", "portals,corridor", NULL,
     2},
    {"rooms", "scenes/room.json", "top", "rooms", NULL, 2},
    {"door", "scenes/room.json", "top", "door", NULL, 2},
    {"regions", "scenes/trials/o12_two_sizes_two_gaps.json", "overview", "regions,cost", NULL, 2},
};

enum { SHOT_WIDE = 192, SHOT_HIGH = 108 };

/// Draws a shot in one mode through the same door as the command line, and reads its PNG.
static void take_shot(int shot, throng_draw_mode mode, const char *path, uint8_t *rgb)
{
    throng_error error = {0};
    char scene[1024];
    const char *source = getenv("THRONG_SOURCE_DIR");
    snprintf(scene, sizeof scene, "%s/%s", source != NULL ? source : ".", shots[shot].scene);
    view_options options = view_default_options();
    char size[32];
    snprintf(size, sizeof size, "%dx%d", SHOT_WIDE, SHOT_HIGH);
    options.scene = scene;
    options.png = path;
    options.draw = throng_draw_mode_name(mode);
    options.camera = shots[shot].camera;
    options.layers = shots[shot].layers;
    options.figures = shots[shot].figures;
    options.start = shots[shot].start;
    options.size = size;
    options.samples = 1;
    options.quiet = true;
    options.frames = mode == THRONG_DRAW_GPU_DRIVEN ? 2 : 1; // with a pyramid of the first
    options.speed = 0;
    assert_ok_or(view_headless(&options, &error), &error);
    thg_bytes bytes = {0};
    thg_image image = {0};
    assert_ok_or(thg_file_read(path, THRONG_MAX_FILE_SIZE, &bytes, &error), &error);
    assert_ok_or(thg_png_decode(&bytes, path, &image, &error), &error);
    assert_int_equal(image.width, SHOT_WIDE);
    assert_int_equal(image.height, SHOT_HIGH);
    for (int i = 0; i < SHOT_WIDE * SHOT_HIGH; i++) {
        memcpy(rgb + 3 * i, image.pixels + image.channels * i, 3);
    }
    thg_image_free(&image);
    thg_bytes_free(&bytes);
}

static void pictures_are_those_kept_and_the_same_in_all_modes(void **state)
{
    (void)state;
    NEED_DEVICE();
    static uint8_t first[SHOT_WIDE * SHOT_HIGH * 3], other[SHOT_WIDE * SHOT_HIGH * 3];
    const char *source = getenv("THRONG_SOURCE_DIR");
    bool renew = getenv("THRONG_RENEW_PICTURES") != NULL;
    for (int shot = 0; shot < (int)(sizeof shots / sizeof shots[0]); shot++) {
        char path[512], kept[1024];
        snprintf(path, sizeof path, "view_%s.png", shots[shot].name);
        snprintf(kept, sizeof kept, "%s/tests/pictures/%s.png", source != NULL ? source : ".",
                 shots[shot].name);
        take_shot(shot, THRONG_DRAW_INSTANCED, renew ? kept : path, first);
        for (int mode = 0; mode < THRONG_DRAW_MODE_COUNT; mode++) {
            if (mode != THRONG_DRAW_INSTANCED) {
                take_shot(shot, (throng_draw_mode)mode, path, other);
                double share = differing(first, other, SHOT_WIDE * SHOT_HIGH, 12);
                if (share > 0.005) {
                    print_error("%s: %s differs from instanced in %.2f %% of its pixels\n",
                                shots[shot].name, throng_draw_mode_name((throng_draw_mode)mode),
                                100 * share);
                }
                assert_true(share <= 0.005);
            }
        }
        // Drivers round differently; the pictures were made by the one in software.
        thg_bytes bytes = {0};
        thg_image image = {0};
        throng_error error = {0};
        assert_ok_or(thg_file_read(kept, THRONG_MAX_FILE_SIZE, &bytes, &error), &error);
        assert_ok_or(thg_png_decode(&bytes, kept, &image, &error), &error);
        for (int i = 0; i < SHOT_WIDE * SHOT_HIGH; i++) {
            memcpy(other + 3 * i, image.pixels + image.channels * i, 3);
        }
        double share = differing(first, other, SHOT_WIDE * SHOT_HIGH, 24);
        if (share > 0.02) {
            print_error("%s: differs from %s in %.2f %% of its pixels; see %s\n", shots[shot].name,
                        kept, 100 * share, path);
        }
        assert_true(share <= 0.02);
        thg_image_free(&image);
        thg_bytes_free(&bytes);
    }
}

static void bad_words_are_refused_and_leave_nothing(void **state)
{
    (void)state;
    NEED_DEVICE();
    const char *source = getenv("THRONG_SOURCE_DIR");
    char scene[1024];
    snprintf(scene, sizeof scene, "%s/scenes/room.json", source != NULL ? source : ".");
    const struct {
        const char *camera, *draw, *size, *figures, *text;
    } wrong[] = {
        {"cellar", "naive", "64x64", NULL, "cellar"},
        {"top", "nicely", "64x64", NULL, "nicely"},
        {"top", "naive", "64", NULL, "1280x720"},
        {"top", "naive", "64x64", "person,elf", "elf"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        throng_error error = {0};
        view_options options = view_default_options();
        options.scene = scene;
        options.camera = wrong[i].camera;
        options.draw = wrong[i].draw;
        options.size = wrong[i].size;
        options.figures = wrong[i].figures;
        options.quiet = true;
        assert_int_equal(view_headless(&options, &error), THRONG_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, wrong[i].text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pictures_are_those_kept_and_the_same_in_all_modes),
        TEST(bad_words_are_refused_and_leave_nothing),
    };
    int failed = RUN_TESTS(tests);
    close_device();
    return failed;
}
