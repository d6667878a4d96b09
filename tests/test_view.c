/// The viewer and libthrong_gpu: passes, figures, walls, and, where there is a Vulkan device,
/// pictures, culling and counts. The device runs under the validation layer where it is installed;
/// a single message of it fails.
#include "test.h"

#include "gpu/drawing.h"
#include "io/map_image.h"
#include "view/view.h"

// ---- Passes -------------------------------------------------------------------------------------

enum { WIDE = 20, HIGH = 10 };

static void a_reader_waits_once_for_the_last_write(void **state)
{
    (void)state;
    thg_graph graph;
    thg_graph_clear(&graph);
    int buffer = thg_graph_add_buffer(&graph, "buffer", VK_NULL_HANDLE);
    const thg_access write = {buffer, THG_COMPUTE_WRITE}, read = {buffer, THG_DRAW_READ};
    thg_graph_begin(&graph);
    thg_graph_pass(&graph, VK_NULL_HANDLE, &write, 1);
    assert_int_equal(graph.barrier_count, 0); // nothing came before
    thg_graph_pass(&graph, VK_NULL_HANDLE, &read, 1);
    thg_graph_pass(&graph, VK_NULL_HANDLE, &read, 1);
    assert_int_equal(graph.barrier_count, 1);
    assert_int_equal(graph.barriers[0].pass, 1);
    assert_int_equal(graph.barriers[0].from, THG_COMPUTE_WRITE);
    assert_int_equal(graph.barriers[0].to, THG_DRAW_READ);
    const thg_access other = {buffer, THG_ARGUMENTS};
    thg_graph_pass(&graph, VK_NULL_HANDLE, &other, 1); // another kind of reader waits for itself
    assert_int_equal(graph.barrier_count, 2);
    assert_int_equal(graph.barriers[1].from, THG_COMPUTE_WRITE);
}

static void a_writer_waits_for_readers_and_for_the_writer_before(void **state)
{
    (void)state;
    thg_graph graph;
    thg_graph_clear(&graph);
    int buffer = thg_graph_add_buffer(&graph, "buffer", VK_NULL_HANDLE);
    int other = thg_graph_add_buffer(&graph, "other", VK_NULL_HANDLE);
    const thg_access write = {buffer, THG_COMPUTE_WRITE}, read = {buffer, THG_DRAW_READ};
    const thg_access elsewhere = {other, THG_COMPUTE_WRITE};
    thg_graph_begin(&graph);
    thg_graph_pass(&graph, VK_NULL_HANDLE, &read, 1);
    thg_graph_pass(&graph, VK_NULL_HANDLE, &elsewhere, 1);
    assert_int_equal(graph.barrier_count, 0);
    thg_graph_pass(&graph, VK_NULL_HANDLE, &write, 1); // after the reader
    assert_int_equal(graph.barrier_count, 1);
    assert_int_equal(graph.barriers[0].resource, buffer);
    thg_graph_pass(&graph, VK_NULL_HANDLE, &write, 1); // after the writer: two dispatches in a row
    assert_int_equal(graph.barrier_count, 2);
    assert_int_equal(graph.barriers[1].from, THG_COMPUTE_WRITE);
    assert_int_equal(graph.barriers[1].to, THG_COMPUTE_WRITE);
}

static void an_image_changes_its_layout_and_keeps_it_from_frame_to_frame(void **state)
{
    (void)state;
    thg_graph graph;
    thg_picture picture = {.levels = 1};
    thg_graph_clear(&graph);
    int image = thg_graph_add_image(&graph, "image", &picture);
    const thg_access draw = {image, THG_DEPTH}, sample = {image, THG_COMPUTE_SAMPLE};
    thg_graph_begin(&graph);
    thg_graph_pass(&graph, VK_NULL_HANDLE, &draw, 1); // from undefined
    thg_graph_pass(&graph, VK_NULL_HANDLE, &sample, 1);
    thg_graph_pass(&graph, VK_NULL_HANDLE, &sample, 1);
    assert_int_equal(graph.barrier_count, 2);
    assert_int_equal(graph.resources[image].layout, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    thg_graph_begin(&graph);
    thg_graph_pass(&graph, VK_NULL_HANDLE, &sample, 1);
    assert_int_equal(graph.barrier_count, 0);
    thg_graph_pass(&graph, VK_NULL_HANDLE, &draw, 1);
    assert_int_equal(graph.barrier_count, 1);
}

// ---- Figures, walls, cameras --------------------------------------------------------------------

static void figures_have_levels_that_end_in_a_card(void **state)
{
    (void)state;
    thg_meshes meshes;
    assert_true(thg_meshes_create(&meshes));
    for (int level = 0; level < THRONG_FIGURE_LEVELS; level++) {
        int limit = level + 1 < THRONG_FIGURE_LEVELS ? meshes.vertex_offset[level + 1]
                                                     : meshes.figure_vertices;
        limit -= meshes.vertex_offset[level];
        for (int i = 0; i < meshes.indices_of[level]; i++) {
            assert_in_range(meshes.indices[meshes.first_index[level] + i], 0, limit - 1);
        }
        if (level > 0) {
            assert_true(meshes.indices_of[level] * 2 < meshes.indices_of[level - 1] * 3 / 2);
        }
    }
    assert_int_equal(meshes.indices_of[THRONG_FIGURE_LEVELS - 1], 6);
    for (int i = 0; i < meshes.figure_vertices * THRONG_FIGURE_COUNT; i++) {
        const thg_vertex *at = &meshes.vertices[i];
        float up =
            at->place[2] - THG_BOUND_HEIGHT; // all of it lies in the sphere that culling uses
        float reach = sqrtf(at->place[0] * at->place[0] + at->place[1] * at->place[1] + up * up);
        assert_true(reach < THG_BOUND_RADIUS);
        assert_true(at->place[2] >= 0.0f);
    }
    thg_meshes_free(&meshes);
}

static void walls_have_sides_all_round_in_long_runs(void **state)
{
    (void)state;
    uint8_t walls[WIDE * HIGH] = {0};
    uint32_t colours[WIDE * HIGH] = {0};
    for (int x = 3; x < 9; x++) { // an L: a bar of 6 x 1 and a leg of 2 x 3
        walls[2 * WIDE + x] = 1;
    }
    for (int y = 3; y < 6; y++) {
        walls[y * WIDE + 3] = walls[y * WIDE + 4] = 1;
    }
    throng_ground ground = {.width = WIDE,
                            .height = HIGH,
                            .cell_size = 0.5f,
                            .origin = {-5, 7},
                            .colours = colours,
                            .walls = walls};
    float runs[64];
    assert_int_equal(thg_wall_sides(&ground, runs, 16), 6); // an L has six sides
    double length = 0, area = 0;
    for (int i = 0; i < 6; i++) {
        const float *run = runs + 4 * i;
        length += fabs(run[2] - run[0]) + fabs(run[3] - run[1]);
        area += ((double)run[0] * run[3] - (double)run[2] * run[1]) / 2; // they go round one way
    }
    assert_near(length, 20 * 0.5, 1e-5);
    assert_near(area, 12 * 0.25, 1e-4);
}

static void a_camera_finds_the_ground_under_a_pixel(void **state)
{
    (void)state;
    const throng_camera camera = {
        .eye = {10, 40, 20}, .target = {10, 10, 0}, .view_angle = 0.8f, .near = 0.5f, .far = 500};
    throng_vec2 point;
    assert_true(throng_camera_ground(&camera, 1.5f, 0.5f, 0.5f, &point));
    assert_near(point.x, 10, 1e-3);
    assert_near(point.y, 10, 1e-3);
    // Any point of the ground, drawn and asked back; further right is further along +x.
    float m[16];
    thg_camera_matrix(&camera, 1.5f, m);
    const float ground[3] = {14, 8, 0};
    float clip[4];
    for (int i = 0; i < 4; i++) {
        clip[i] = m[i] * ground[0] + m[4 + i] * ground[1] + m[12 + i];
    }
    assert_true(clip[0] > 0);
    assert_true(throng_camera_ground(&camera, 1.5f, clip[0] / clip[3] * 0.5f + 0.5f,
                                     clip[1] / clip[3] * 0.5f + 0.5f, &point));
    assert_near(point.x, ground[0], 1e-3);
    assert_near(point.y, ground[1], 1e-3);
    assert_false(throng_camera_ground(&camera, 1.5f, 0.5f, -3.0f, &point)); // the sky
}

static void a_wrong_layer_is_named(void **state)
{
    (void)state;
    throng_error error;
    uint32_t layers;
    assert_ok(view_read_layers("heat,arrows", &layers, &error));
    assert_int_equal(layers, 1u << VIEW_HEAT | 1u << VIEW_ARROWS);
    assert_int_equal(view_read_layers("heat,smell", &layers, &error), THRONG_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "smell"));
    assert_non_null(strstr(error.text, "density"));
}

// ---- With a device ------------------------------------------------------------------------------

static throng_gpu *gpu;

/// Opens the device once, under the validation layer where there is one. False when there is none.
static bool have_device(void)
{
    static bool asked;
    throng_error error = {0};
    throng_gpu_def def = throng_default_gpu_def();
    def.validate = true;
    if (!asked && throng_gpu_create(&def, &gpu, &error) != THRONG_OK) {
        print_message("without validation: %s\n", error.text);
        def.validate = false;
        if (throng_gpu_create(&def, &gpu, &error) != THRONG_OK) {
            print_message("no device: %s\n", error.text);
        }
    }
    asked = true;
    return gpu != NULL;
}

#define NEED_DEVICE()                                                                              \
    if (!have_device()) {                                                                          \
        print_message("no Vulkan device: nothing tested\n");                                       \
        skip();                                                                                    \
    }

static uint32_t draw_bits(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static float draw_share(uint64_t *seed)
{
    return (float)(draw_bits(seed) & 0xffffffu) / 16777216.0f;
}

enum { TOWN = 48 };

/// A town of blocks and a crowd in its streets, the same each time.
static throng_drawing *make_town(int width, int height, int agents)
{
    static uint32_t colours[TOWN * TOWN];
    static uint8_t walls[TOWN * TOWN];
    for (int y = 0; y < TOWN; y++) {
        for (int x = 0; x < TOWN; x++) {
            walls[y * TOWN + x] = x % 12 >= 6 && y % 12 >= 6;
            colours[y * TOWN + x] = 0xd0d8e0u;
        }
    }
    throng_ground ground = {.width = TOWN,
                            .height = TOWN,
                            .cell_size = 1.0f,
                            .colours = colours,
                            .walls = walls,
                            .wall_height = 6.0f};
    throng_drawing_def def = throng_default_drawing_def();
    def.gpu = gpu;
    def.width = width;
    def.height = height;
    def.max_agents = agents;
    throng_drawing *drawing = NULL;
    assert_ok(throng_drawing_create(&def, &drawing));
    assert_ok(throng_drawing_set_ground(drawing, &ground));
    throng_drawn_agent *all = calloc((size_t)agents, sizeof *all);
    assert_non_null(all);
    uint64_t seed = 5;
    for (int i = 0; i < agents; i++) {
        throng_drawn_agent *agent = &all[i];
        do {
            agent->x = draw_share(&seed) * TOWN;
            agent->y = draw_share(&seed) * TOWN;
        } while (walls[(int)agent->y * TOWN + (int)agent->x] != 0);
        agent->heading = draw_share(&seed) * 6.0f;
        agent->last_heading = agent->heading - 0.1f;
        agent->walked = draw_share(&seed) * 9.0f;
        agent->last_walked = agent->walked - 0.05f;
        agent->last_x = agent->x - 0.05f;
        agent->last_y = agent->y;
        agent->radius = 0.4f;
        agent->tint = 0xff000000u | draw_bits(&seed);
        agent->figure = draw_bits(&seed) % THRONG_FIGURE_COUNT;
        agent->seed = draw_bits(&seed);
    }
    throng_drawing_set_agents(drawing, all, agents);
    free(all);
    return drawing;
}

/// A camera somewhere in or over the town, looking anywhere.
static throng_camera random_camera(uint64_t *seed)
{
    throng_camera camera = {.view_angle = 0.4f + draw_share(seed), .near = 0.3f, .far = 300.0f};
    float height = draw_share(seed);
    camera.eye[0] = (draw_share(seed) * 1.4f - 0.2f) * TOWN;
    camera.eye[1] = (draw_share(seed) * 1.4f - 0.2f) * TOWN;
    camera.eye[2] = 1.2f + 30.0f * height * height;
    camera.target[0] = draw_share(seed) * TOWN;
    camera.target[1] = draw_share(seed) * TOWN;
    camera.target[2] = draw_share(seed) * 2.0f;
    return camera;
}

static void no_message_of_the_validation_layer(void)
{
    if (throng_gpu_message_count(gpu) > 0) {
        print_error("%d messages, the first: %s\n", throng_gpu_message_count(gpu),
                    throng_gpu_first_message(gpu));
    }
    assert_int_equal(throng_gpu_message_count(gpu), 0);
}

/// Share of the pixels of two pictures that differ by more than `most` in any colour.
static double differing(const uint8_t *a, const uint8_t *b, int pixels, int most)
{
    int count = 0;
    for (int i = 0; i < pixels; i++) {
        bool differs = false;
        for (int c = 0; c < 3; c++) {
            differs = differs || abs(a[3 * i + c] - b[3 * i + c]) > most;
        }
        count += differs;
    }
    return (double)count / pixels;
}

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

// ---- Pictures -----------------------------------------------------------------------------------

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

static void close_device(void)
{
    throng_gpu_destroy(gpu);
    gpu = NULL;
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
        TEST(a_reader_waits_once_for_the_last_write),
        TEST(a_writer_waits_for_readers_and_for_the_writer_before),
        TEST(an_image_changes_its_layout_and_keeps_it_from_frame_to_frame),
        TEST(figures_have_levels_that_end_in_a_card),
        TEST(walls_have_sides_all_round_in_long_runs),
        TEST(a_camera_finds_the_ground_under_a_pixel),
        TEST(a_wrong_layer_is_named),
        TEST(calls_do_not_grow_with_the_crowd_but_naive_ones),
        TEST(commands_are_submitted_again_and_draw_the_same),
        TEST(culling_draws_what_the_reference_draws_and_nobody_in_view_is_missing),
        TEST(pictures_are_those_kept_and_the_same_in_all_modes),
        TEST(bad_words_are_refused_and_leave_nothing),
        TEST(without_a_driver_there_is_a_clear_message),
    };
    return RUN_TESTS(tests);
}
