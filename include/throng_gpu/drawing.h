/// Drawing: a crowd on its ground, drawn by Vulkan into a picture of its own; a window is one more
/// place to copy it to.
///
/// The same crowd can be drawn in four ways, from one call an agent to a device that decides by
/// itself what to draw. Units are metres; z is up, and the ground lies at z = 0. As in maps, +y
/// runs from row to row, and row 0 lies at the top of a picture seen from above.
#ifndef THRONG_GPU_DRAWING_H
#define THRONG_GPU_DRAWING_H

#include <throng/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_gpu throng_gpu;
typedef struct throng_drawing throng_drawing;

typedef struct throng_gpu_def {
    uint32_t cookie; ///< set by throng_default_gpu_def()
    bool validate;   ///< load the validation layer, synchronisation too, and count what it says
    int lose_after;  ///< for tests: the device counts as lost after so many submits. 0: never
} throng_gpu_def;

/// Without validation.
THRONG_API throng_gpu_def throng_default_gpu_def(void);

/// Opens the first Vulkan device that can draw: a real one before one in software.
/// THRONG_UNREACHABLE when there is no Vulkan, no device or, if asked for, no validation layer;
/// *error (may be NULL) says what to install.
THRONG_API throng_result throng_gpu_create(const throng_gpu_def *def, throng_gpu **gpu,
                                           throng_error *error);
/// NULL is allowed. Drawings on it must be gone.
THRONG_API void throng_gpu_destroy(throng_gpu *gpu);
/// The device's name as its driver gives it.
THRONG_API const char *throng_gpu_name(const throng_gpu *gpu);
/// True when the device is a program on the CPU: count on milliseconds where others take none.
THRONG_API bool throng_gpu_is_software(const throng_gpu *gpu);
/// True from when the device was lost (reset, taken out, hung): all that is on it must be
/// destroyed, the device too, and made anew on another. What is asked of it until then fails.
THRONG_API bool throng_gpu_is_lost(const throng_gpu *gpu);
/// Warnings and errors of the validation layer so far; the first is kept as text, "" when none.
THRONG_API int throng_gpu_message_count(const throng_gpu *gpu);
THRONG_API const char *throng_gpu_first_message(const throng_gpu *gpu);

/// Who decides what is drawn, and how many calls that takes.
typedef enum throng_draw_mode {
    THRONG_DRAW_NAIVE = 0, ///< the CPU poses each agent and calls once for each
    THRONG_DRAW_INSTANCED, ///< the CPU poses each agent and calls once for each mesh level
    THRONG_DRAW_INDIRECT,  ///< the device poses all agents and fills the calls' arguments
    THRONG_DRAW_GPU_DRIVEN ///< the same, but only of those that can be seen: by the frustum and, in
                           ///< two passes, by the depth pyramid (Haar, Aaltonen 2015)
} throng_draw_mode;
#define THRONG_DRAW_MODE_COUNT 4
/// "naive", "instanced", "indirect", "gpu-driven".
THRONG_API const char *throng_draw_mode_name(throng_draw_mode mode);

/// What an agent looks like.
typedef enum throng_figure {
    THRONG_FIGURE_PERSON = 0,
    THRONG_FIGURE_SOLDIER,
    THRONG_FIGURE_BIG,
    THRONG_FIGURE_ZOMBIE
} throng_figure;
#define THRONG_FIGURE_COUNT 4
#define THRONG_FIGURE_LEVELS 4 ///< of detail; the last is an impostor

/// One agent as it was a step ago and as it is now; a frame lies between the two.
typedef struct throng_drawn_agent {
    float x, y, heading, walked; ///< metres, radians (+x towards +y), metres so far
    float last_x, last_y, last_heading, last_walked;
    float radius;    ///< metres
    uint32_t tint;   ///< 0xAABBGGRR
    uint32_t figure; ///< throng_figure
    uint32_t seed;   ///< of the small differences from one to the other
} throng_drawn_agent;

/// Colours and walls, cell by cell.
typedef struct throng_ground {
    int width, height; ///< cells. [1, 16384]
    float cell_size;
    throng_vec2 origin;
    const uint32_t *colours; ///< 0x00BBGGRR of each cell, row by row
    const uint8_t *walls;    ///< not 0 where a wall stands
    float wall_height;       ///< metres. [0, 100]
} throng_ground;

/// A line over the ground, as layers draw arrows, routes and outlines.
typedef struct throng_drawn_line {
    float from[3], to[3]; ///< metres
    float width;          ///< metres
    uint32_t colour;      ///< 0xAABBGGRR
} throng_drawn_line;

typedef struct throng_camera {
    float eye[3], target[3]; ///< metres, apart by 1 mm at least
    float view_angle;        ///< radians from the top of the picture to its bottom. [0.05, 3]
    float near, far;         ///< metres
} throng_camera;

typedef struct throng_drawing_def {
    uint32_t cookie;   ///< set by throng_default_drawing_def()
    throng_gpu *gpu;   ///< outlives the drawing
    int width, height; ///< pixels of the picture. [1, 8192]
    int max_agents;    ///< [1, 2,000,000]
    int samples;       ///< pixels drawn for one of the picture, each way. [1, 4]
} throng_drawing_def;

/// 1280 x 720, 1,000 agents, one sample.
THRONG_API throng_drawing_def throng_default_drawing_def(void);

/// THRONG_BAD_ARGUMENT, THRONG_NO_MEMORY (also the device's).
THRONG_API throng_result throng_drawing_create(const throng_drawing_def *def,
                                               throng_drawing **drawing);
/// NULL is allowed.
THRONG_API void throng_drawing_destroy(throng_drawing *drawing);

/// Replaces the ground. O(cells). THRONG_BAD_ARGUMENT, THRONG_NO_MEMORY (then there is none).
THRONG_API throng_result throng_drawing_set_ground(throng_drawing *drawing,
                                                   const throng_ground *ground);
/// New colours for the ground's cells, its walls as they were; as many as it has. O(cells).
THRONG_API throng_result throng_drawing_set_colours(throng_drawing *drawing,
                                                    const uint32_t *colours);
/// Replaces the agents: once a step, not once a frame. At most max_agents count.
THRONG_API void throng_drawing_set_agents(throng_drawing *drawing, const throng_drawn_agent *agents,
                                          int count);
/// Replaces the lines. THRONG_NO_MEMORY.
THRONG_API throng_result throng_drawing_set_lines(throng_drawing *drawing,
                                                  const throng_drawn_line *lines, int count);

/// What a frame took. Calls and triangles count what was asked for, on the device too.
typedef struct throng_frame_stats {
    int draw_calls;                   ///< vkCmdDraw* calls that were recorded
    int agents_drawn;                 ///< after culling
    int levels[THRONG_FIGURE_LEVELS]; ///< of these, by mesh level
    int drawn_late;                   ///< of these, by the second pass
    int64_t triangles;
    bool reused;           ///< the commands of an earlier frame were submitted again
    double record_seconds; ///< CPU time to pose what the CPU poses and to record the commands
    double gpu_seconds;    ///< between two timestamps of the device
    double frame_seconds;  ///< from the call to the finished picture
} throng_frame_stats;

/// Draws a frame and waits for it. `share` in [0, 1] lies between the last step and this one.
/// THRONG_UNREACHABLE when the device is lost.
THRONG_API throng_result throng_drawing_frame(throng_drawing *drawing, const throng_camera *camera,
                                              float share, throng_draw_mode mode,
                                              throng_frame_stats *stats);

/// The next frame in each mode records its commands anew, instead of submitting those of an earlier
/// one: for measurements.
THRONG_API void throng_drawing_forget(throng_drawing *drawing);

/// The last frame: width * height * 3 bytes, top row first.
THRONG_API void throng_drawing_read(const throng_drawing *drawing, uint8_t *rgb);

/// Indices of the agents that the last frame drew, in no order; writes up to `capacity` and
/// returns how many there are. Asks the device, so it takes a while; for tests and probes.
THRONG_API int throng_drawing_drawn(throng_drawing *drawing, int *agents, int capacity);

/// Where the ray through a point of the picture (0..1 each way, top left first) meets the ground.
/// False when it does not.
THRONG_API bool throng_camera_ground(const throng_camera *camera, float aspect, float x, float y,
                                     throng_vec2 *point);

#ifdef __cplusplus
}
#endif

#endif
