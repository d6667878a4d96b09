/// Frames on the device: how many calls they take, commands submitted again, and culling against
/// the same culling on the CPU. A single message of the validation layer fails.
#include "view_fixture.h"

// ---- Calls and commands
// ---------------------------------------------------------------------------

static void calls_do_not_grow_with_the_crowd_but_naive_ones(void **state)
{
    (void)state;
    NEED_DEVICE();
    enum { CROWD = 20000 };
    throng_drawing *drawing = make_town(64, 36, CROWD);
    const throng_camera camera = {
        .eye = {24, 70, 50}, .target = {24, 24, 0}, .view_angle = 0.8f, .near = 0.5f, .far = 500};
    for (int mode = 0; mode < THRONG_DRAW_MODE_COUNT; mode++) {
        throng_frame_stats stats;
        assert_ok(throng_drawing_frame(drawing, &camera, 0.5f, (throng_draw_mode)mode, &stats));
        if (mode == THRONG_DRAW_NAIVE) {
            assert_in_range(stats.draw_calls, CROWD, CROWD + 12);
        } else {
            assert_in_range(stats.draw_calls, 1, 12);
        }
        assert_in_range(stats.agents_drawn, mode == THRONG_DRAW_GPU_DRIVEN ? 1000 : CROWD, CROWD);
        assert_true(stats.gpu_seconds > 0 && stats.record_seconds > 0);
        assert_true(stats.triangles > 2 * stats.agents_drawn);
    }
    throng_drawing_destroy(drawing);
    no_message_of_the_validation_layer();
}

static void commands_are_submitted_again_and_draw_the_same(void **state)
{
    (void)state;
    NEED_DEVICE();
    enum { CROWD = 1500, PIXELS = 96 * 64 };
    throng_drawing *drawing = make_town(96, 64, CROWD);
    uint8_t *again = calloc(2, 3 * PIXELS), *anew = again + 3 * PIXELS;
    throng_drawn_agent few[40] = {{0}};
    throng_camera camera = {
        .eye = {24, 60, 30}, .target = {24, 24, 0}, .view_angle = 0.8f, .near = 0.5f, .far = 500};
    throng_frame_stats stats;
    for (int mode = THRONG_DRAW_INDIRECT; mode < THRONG_DRAW_MODE_COUNT; mode++) {
        for (int frame = 0; frame < 4; frame++) { // with new agents; without; again; once more
            camera.eye[0] += 2.0f;
            assert_ok(throng_drawing_frame(drawing, &camera, 0.5f, (throng_draw_mode)mode, &stats));
            assert_int_equal(stats.reused, frame > (mode == THRONG_DRAW_INDIRECT ? 1 : 0));
        }
        int calls = stats.draw_calls, drawn = stats.agents_drawn;
        throng_drawing_read(drawing, again);
        throng_drawing_forget(drawing);
        assert_ok(throng_drawing_frame(drawing, &camera, 0.5f, (throng_draw_mode)mode, &stats));
        assert_false(stats.reused);
        throng_drawing_read(drawing, anew);
        assert_memory_equal(again, anew, 3 * PIXELS);
        assert_int_equal(stats.draw_calls, calls);
        assert_int_equal(stats.agents_drawn, drawn);
    }
    // Fewer agents of the same block: recorded for new agents, then the same commands, other
    // people.
    for (int i = 0; i < 40; i++) {
        few[i] = (throng_drawn_agent){
            .x = 24, .y = 24, .last_x = 24, .last_y = 24, .radius = 0.4f, .seed = (uint32_t)i};
    }
    for (int count = 40; count > 0; count -= 13) {
        throng_drawing_set_agents(drawing, few, count);
        assert_ok(throng_drawing_frame(drawing, &camera, 1, THRONG_DRAW_INDIRECT, &stats));
        assert_int_equal(stats.reused, count < 40);
        assert_int_equal(stats.agents_drawn, count);
    }
    throng_drawn_line line = {{20, 24, 0.1f}, {28, 24, 0.1f}, 0.2f, 0xff0000ffu};
    assert_ok(throng_drawing_set_lines(drawing, &line, 1));
    assert_ok(throng_drawing_frame(drawing, &camera, 1, THRONG_DRAW_INDIRECT, &stats));
    assert_false(stats.reused); // a call more
    free(again);
    throng_drawing_destroy(drawing);
    no_message_of_the_validation_layer();
}

// ---- Culling ------------------------------------------------------------------------------------

/// Culling.glsl's `hidden`, on the CPU: what the device did is checked against this.
static bool hidden(const throng_drawing *drawing, const float *pyramid, const float *m,
                   const float *centre, float radius)
{
    float low[3] = {1e9f, 1e9f, 1e9f}, high[3] = {-1e9f, -1e9f, -1e9f};
    for (int i = 0; i < 8; i++) {
        float p[3], clip[4];
        for (int c = 0; c < 3; c++) {
            p[c] = centre[c] + ((i >> c & 1) != 0 ? radius : -radius);
        }
        for (int r = 0; r < 4; r++) {
            clip[r] = m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r];
        }
        if (clip[3] < 1e-3f || clip[2] < 0.0f) {
            return false;
        }
        for (int c = 0; c < 3; c++) {
            low[c] = fminf(low[c], clip[c] / clip[3]);
            high[c] = fmaxf(high[c], clip[c] / clip[3]);
        }
    }
    if (low[0] < -1 || low[1] < -1 || high[0] > 1 || high[1] > 1) {
        return false;
    }
    int size[2] = {drawing->pyramid_width, drawing->pyramid_height};
    float from[2], to[2], texels = 1.0f;
    for (int c = 0; c < 2; c++) {
        from[c] = low[c] * 0.5f + 0.5f;
        to[c] = high[c] * 0.5f + 0.5f;
        texels = fmaxf(texels, (to[c] - from[c]) * (float)size[c]);
    }
    int level = 0, start = 0;
    while (level < drawing->pyramid_levels - 1 && texels > (float)(1 << level)) {
        level++;
    }
    for (int i = 0; i < level; i++) {
        start += size[0] * size[1];
        size[0] = size[0] > 1 ? size[0] / 2 : 1;
        size[1] = size[1] > 1 ? size[1] / 2 : 1;
    }
    int first[2], last[2];
    for (int c = 0; c < 2; c++) {
        // from and to lie in [0, 1] here
        first[c] = (int)(from[c] * (float)size[c]);
        last[c] = (int)(to[c] * (float)size[c]);
        first[c] = first[c] < size[c] - 1 ? first[c] : size[c] - 1;
        last[c] = last[c] < size[c] - 1 ? last[c] : size[c] - 1;
    }
    float farthest = 0.0f;
    for (int y = first[1]; y <= last[1]; y++) {
        for (int x = first[0]; x <= last[0]; x++) {
            farthest = fmaxf(farthest, pyramid[start + y * size[0] + x]);
        }
    }
    return low[2] > farthest;
}

typedef struct culling_case {
    const throng_drawing *drawing;
    const float *before, *now; ///< pyramids
    float before_matrix[16];
    bool first;
} culling_case;

/// Whether an agent is drawn, its sphere `scale` times as large as it is.
static bool reference(const culling_case *given, const throng_drawn_agent *agent, float scale)
{
    const thg_frame_data *data = &given->drawing->data;
    float centre[3], planes[6][4];
    memcpy(planes, data->planes, sizeof planes);
    thg_agent_centre(agent, 0.5f, 1.0f, centre);
    float shown = thg_shown_size(data->eye, thg_agent_size(agent), centre);
    float radius = THG_BOUND_RADIUS * shown * scale;
    centre[2] = THG_BOUND_HEIGHT * shown;
    if (!thg_planes_see(planes, centre, radius)) {
        return false;
    }
    return given->first ||
           !hidden(given->drawing, given->before, given->before_matrix, centre, radius) ||
           !hidden(given->drawing, given->now, data->view_projection, centre, radius);
}

/// True when all of a figure's box lies beyond one side of the picture.
static bool wholly_outside(const thg_frame_data *data, const throng_drawn_agent *agent)
{
    const float *m = data->view_projection;
    float centre[3];
    thg_agent_centre(agent, 0.5f, 1.0f, centre);
    float size = thg_shown_size(data->eye, thg_agent_size(agent), centre);
    int outside[6] = {0};
    for (int i = 0; i < 8; i++) {
        float reach = 0.5f * size, clip[4];
        float p[3] = {centre[0] + ((i & 1) != 0 ? reach : -reach),
                      centre[1] + ((i & 2) != 0 ? reach : -reach), (i & 4) != 0 ? 1.85f * size : 0};
        for (int r = 0; r < 4; r++) {
            clip[r] = m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r];
        }
        outside[0] += clip[0] < -clip[3];
        outside[1] += clip[0] > clip[3];
        outside[2] += clip[1] < -clip[3];
        outside[3] += clip[1] > clip[3];
        outside[4] += clip[2] < 0;
        outside[5] += clip[2] > clip[3];
    }
    for (int i = 0; i < 6; i++) {
        if (outside[i] == 8) {
            return true;
        }
    }
    return false;
}

/// What stays the same over the cameras of a culling test.
typedef struct culling_run {
    throng_drawing *drawing, *whole;
    int *drawn;
    uint8_t *is_drawn, *culled_picture, *whole_picture;
    float *before, *now;
    culling_case given;
    int all_drawn, all_outside, late, borderline, culled;
} culling_run;

enum { CULL_CROWD = 3000, CULL_WIDE = 96, CULL_HIGH = 54 };

/// One frame, culled and whole: the same picture, and the set that the CPU finds.
static void check_culling(culling_run *run, const throng_camera *camera)
{
    throng_frame_stats stats, whole;
    const throng_drawn_agent *agents = run->drawing->agents.mapped;
    size_t texels = (size_t)run->drawing->pyramid.size / sizeof(float);
    memcpy(run->given.before_matrix, run->drawing->data.previous, sizeof run->given.before_matrix);
    run->given.first = !run->drawing->has_previous;
    assert_ok(throng_drawing_frame(run->drawing, camera, 0.5f, THRONG_DRAW_GPU_DRIVEN, &stats));
    throng_drawing_read(run->drawing, run->culled_picture);
    assert_ok(throng_drawing_frame(run->whole, camera, 0.5f, THRONG_DRAW_INDIRECT, &whole));
    throng_drawing_read(run->whole, run->whole_picture);
    // Depth ties are settled by order, which the device does not promise: a pixel here and there.
    assert_true(differing(run->culled_picture, run->whole_picture, CULL_WIDE * CULL_HIGH, 8) <
                0.003);
    int count = throng_drawing_drawn(run->drawing, run->drawn, CULL_CROWD);
    assert_int_equal(count, stats.agents_drawn);
    memset(run->is_drawn, 0, CULL_CROWD);
    for (int i = 0; i < count; i++) {
        assert_in_range(run->drawn[i], 0, CULL_CROWD - 1);
        assert_int_equal(run->is_drawn[run->drawn[i]], 0); // nobody twice
        run->is_drawn[run->drawn[i]] = 1;
        run->all_outside += wholly_outside(&run->drawing->data, &agents[run->drawn[i]]);
    }
    run->all_drawn += count;
    run->late += stats.drawn_late;
    run->culled += CULL_CROWD - count;
    const float *pyramid = thg_pyramid_fetch(run->drawing);
    assert_non_null(pyramid);
    memcpy(run->now, pyramid, texels * sizeof *pyramid);
    for (int i = 0; i < CULL_CROWD; i++) {
        if (reference(&run->given, &agents[i], 1.0f) != (run->is_drawn[i] != 0)) {
            // Sums may round differently there; then a hair's breadth decides, and nothing else.
            bool decides = false;
            for (int k = -4; k <= 4; k++) {
                decides = decides || reference(&run->given, &agents[i], 1.0f + 2e-4f * (float)k) ==
                                         (run->is_drawn[i] != 0);
            }
            assert_true(decides);
            run->borderline++;
        }
    }
    memcpy(run->before, run->now, texels * sizeof *run->now);
}

static void culling_draws_what_the_reference_draws_and_nobody_in_view_is_missing(void **state)
{
    (void)state;
    NEED_DEVICE();
    culling_run run = {.drawing = make_town(CULL_WIDE, CULL_HIGH, CULL_CROWD),
                       .whole = make_town(CULL_WIDE, CULL_HIGH, CULL_CROWD),
                       .drawn = calloc(CULL_CROWD, sizeof(int)),
                       .is_drawn = calloc(CULL_CROWD, 1),
                       .culled_picture = calloc(CULL_WIDE * CULL_HIGH, 3),
                       .whole_picture = calloc(CULL_WIDE * CULL_HIGH, 3)};
    size_t pyramid = (size_t)run.drawing->pyramid.size;
    run.before = calloc(1, pyramid);
    run.now = calloc(1, pyramid);
    run.given = (culling_case){.drawing = run.drawing, .before = run.before, .now = run.now};
    uint64_t seed = 11;
    for (int i = 0; i < 200; i++) {
        throng_camera camera = random_camera(&seed);
        check_culling(&run, &camera);
    }
    // Flights: each frame a little further on, as the pyramid of the frame before is meant for.
    for (int flight = 0; flight < 20; flight++) {
        throng_camera camera = random_camera(&seed);
        camera.eye[2] = 1.7f + 0.3f * (float)flight;
        for (int i = 0; i < 6; i++) {
            check_culling(&run, &camera);
            for (int c = 0; c < 2; c++) {
                camera.eye[c] += 0.04f * (camera.target[c] - camera.eye[c]);
            }
            camera.target[0] += 0.8f;
        }
    }
    print_message("%d drawn, %d culled, %d by the second pass, %d borderline, %d wholly outside\n",
                  run.all_drawn, run.culled, run.late, run.borderline, run.all_outside);
    assert_true(run.late > 0); // else the second pass has not been tested
    assert_true(run.all_outside * 20 <= run.all_drawn);
    assert_true(run.borderline * 1000 <= run.all_drawn);
    throng_drawing_destroy(run.drawing);
    throng_drawing_destroy(run.whole);
    free(run.drawn);
    free(run.is_drawn);
    free(run.culled_picture);
    free(run.whole_picture);
    free(run.before);
    free(run.now);
    no_message_of_the_validation_layer();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(calls_do_not_grow_with_the_crowd_but_naive_ones),
        TEST(commands_are_submitted_again_and_draw_the_same),
        TEST(culling_draws_what_the_reference_draws_and_nobody_in_view_is_missing),
    };
    int failed = RUN_TESTS(tests);
    close_device();
    return failed;
}
