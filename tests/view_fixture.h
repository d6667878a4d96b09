/// What tests of the viewer share: the device, under the validation layer where it is installed, a
/// town with a crowd in it, and how pictures are compared.
#ifndef VIEW_FIXTURE_H
#define VIEW_FIXTURE_H

#include "test.h"

#include "gpu/drawing.h"
#include "view/view.h"

static throng_gpu *gpu;
static bool validates; ///< the validation layer listens

/// Opens the device once, under the validation layer where there is one. False when there is none.
static inline bool have_device(void)
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
    validates = def.validate;
    asked = true;
    return gpu != NULL;
}

#define NEED_DEVICE()                                                                              \
    if (!have_device()) {                                                                          \
        print_message("no Vulkan device: nothing tested\n");                                       \
        skip();                                                                                    \
    }

static inline uint32_t draw_bits(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static inline float draw_share(uint64_t *seed)
{
    return (float)(draw_bits(seed) & 0xffffffu) / 16777216.0f;
}

enum { TOWN = 48 };

/// A town of blocks and a crowd in its streets, the same each time.
static inline throng_drawing *make_town(int width, int height, int agents)
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
static inline throng_camera random_camera(uint64_t *seed)
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

static inline void no_message_of_the_validation_layer(void)
{
    if (throng_gpu_message_count(gpu) > 0) {
        print_error("%d messages, the first: %s\n", throng_gpu_message_count(gpu),
                    throng_gpu_first_message(gpu));
    }
    assert_int_equal(throng_gpu_message_count(gpu), 0);
}

/// Share of the pixels of two pictures that differ by more than `most` in any colour.
static inline double differing(const uint8_t *a, const uint8_t *b, int pixels, int most)
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
static inline void close_device(void)
{
    throng_gpu_destroy(gpu);
    gpu = NULL;
}

#endif
