/// The device that is lost, and the one that is not there.
#include "view_fixture.h"

static throng_gpu *device_lost_after(int submits)
{
    throng_error error = {0};
    throng_gpu *opened = NULL;
    throng_gpu_def def = throng_default_gpu_def();
    def.validate = validates;
    def.lose_after = submits;
    assert_ok_or(throng_gpu_create(&def, &opened, &error), &error);
    return opened;
}

/// After each number of submits that a drawing's first frames take: it fails, stays lost, leaves
/// nothing behind that the validation layer minds, and another device draws.
static void a_lost_device_fails_stays_lost_and_can_be_replaced(void **state)
{
    (void)state;
    NEED_DEVICE();
    const throng_camera camera = {
        .eye = {1, 6, 6}, .target = {1, 1, 0}, .view_angle = 0.8f, .near = 0.5f, .far = 50};
    throng_frame_stats stats;
    int lost_in[2] = {0};
    for (int submits = 1; submits < 6; submits++) {
        throng_gpu *fragile = device_lost_after(submits);
        throng_drawing_def def = throng_default_drawing_def();
        throng_drawing *drawing = NULL;
        def.gpu = fragile;
        def.width = def.height = 32;
        throng_result result = throng_drawing_create(&def, &drawing);
        lost_in[0] += result != THRONG_OK;
        for (int i = 0; result == THRONG_OK && i < 8; i++) {
            assert_false(throng_gpu_is_lost(fragile));
            result = throng_drawing_frame(drawing, &camera, 1,
                                          (throng_draw_mode)(i % THRONG_DRAW_MODE_COUNT), &stats);
            lost_in[1] += result != THRONG_OK;
        }
        assert_int_equal(result, THRONG_UNREACHABLE);
        assert_true(throng_gpu_is_lost(fragile));
        if (drawing != NULL) { // whatever is asked of it now
            uint32_t colour = 0;
            assert_int_equal(throng_drawing_frame(drawing, &camera, 1, THRONG_DRAW_NAIVE, &stats),
                             THRONG_UNREACHABLE);
            assert_int_equal(throng_drawing_set_colours(drawing, &colour), THRONG_UNREACHABLE);
        }
        throng_drawing_destroy(drawing);
        assert_int_equal(throng_gpu_message_count(fragile), 0);
        throng_gpu_destroy(fragile);
    }
    assert_true(lost_in[0] > 0 && lost_in[1] > 0);
    throng_drawing *drawing = make_town(32, 32, 10);
    assert_ok(throng_drawing_frame(drawing, &camera, 1, THRONG_DRAW_GPU_DRIVEN, &stats));
    throng_drawing_destroy(drawing);
    no_message_of_the_validation_layer();
}

static void a_picture_of_a_lost_device_is_not_written_and_says_why(void **state)
{
    (void)state;
    NEED_DEVICE();
    const char *source = getenv("THRONG_SOURCE_DIR");
    char scene[1024];
    snprintf(scene, sizeof scene, "%s/scenes/room.json", source != NULL ? source : ".");
    int lost = 0;
    for (int submits = 1; submits < 8; submits++) {
        throng_error error = {0};
        view_options options = view_default_options();
        options.scene = scene;
        options.png = "view_lost.png";
        options.size = "32x32";
        options.start = 0;
        options.frames = 3;
        options.quiet = true;
        options.validate = validates;
        options.lose_after = submits;
        remove(options.png);
        throng_result result = view_headless(&options, &error);
        FILE *file = fopen(options.png, "rb");
        assert_int_equal(file != NULL, result == THRONG_OK);
        if (file != NULL) {
            fclose(file);
        } else {
            lost++;
            assert_int_equal(result, THRONG_UNREACHABLE);
            assert_non_null(strstr(error.text, "lost"));
            assert_non_null(strstr(error.text, throng_gpu_name(gpu)));
        }
    }
    assert_in_range(lost, 3, 6); // the last ones outlive their picture
}

/// Last, for it hides the drivers from this process.
static void without_a_driver_there_is_a_clear_message(void **state)
{
    (void)state;
    close_device();
    setenv("VK_DRIVER_FILES", "/nowhere.json", 1);
    setenv("VK_ICD_FILENAMES", "/nowhere.json", 1);
    throng_error error = {0};
    throng_gpu *none = NULL;
    throng_gpu_def def = throng_default_gpu_def();
    assert_int_equal(throng_gpu_create(&def, &none, &error), THRONG_UNREACHABLE);
    assert_null(none);
    assert_non_null(strstr(error.text, "mesa-vulkan-drivers"));
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_lost_device_fails_stays_lost_and_can_be_replaced),
        TEST(a_picture_of_a_lost_device_is_not_written_and_says_why),
        TEST(without_a_driver_there_is_a_clear_message),
    };
    return RUN_TESTS(tests);
}
