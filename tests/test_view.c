/// The viewer and libthrong_gpu without a device: passes, figures, walls, cameras, words.
#include "test.h"

#include "gpu/drawing.h"
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
    };
    return RUN_TESTS(tests);
}
