/// The drawing: what lies on the device, and what a frame is told.
#ifndef THG_DRAWING_H
#define THG_DRAWING_H

#include "gpu.h"
#include "meshes.h"

#define THG_BOUND_HEIGHT 0.95f ///< as in common.glsl
#define THG_BOUND_RADIUS 1.15f
#define THG_STRIDE 1.5f
#define THG_LEAST_PIXELS 5.0f

/// As `Frame` in common.glsl.
typedef struct thg_frame_data {
    float view_projection[16], previous[16];
    float eye[4], right[4], planes[6][4], sun[4], ground[4];
    int32_t cells[4], screen[4], pyramid[4];
    float haze[4];
} thg_frame_data;

/// As `Pose` in common.glsl.
typedef struct thg_pose {
    float place[4], turn[4];
    uint32_t look[4];
} thg_pose;

_Static_assert(sizeof(throng_drawn_agent) == 48, "as Agent in common.glsl");
_Static_assert(sizeof(thg_pose) == 48, "as Pose in common.glsl");
_Static_assert(sizeof(thg_vertex) == 32, "as Vertex in common.glsl");
_Static_assert(sizeof(thg_frame_data) == 352, "as Frame in common.glsl");

typedef enum thg_binding {
    THG_BIND_FRAME = 0,
    THG_BIND_AGENTS,
    THG_BIND_POSES,
    THG_BIND_ORDER,
    THG_BIND_COUNTERS,
    THG_BIND_ARGUMENTS,
    THG_BIND_PYRAMID,
    THG_BIND_DEPTH,
    THG_BIND_GROUND,
    THG_BIND_VERTICES,
    THG_BIND_LINES,
    THG_BIND_REJECTED,
    THG_BIND_SIDES,
    THG_BIND_COUNT
} thg_binding;

typedef enum thg_pipeline {
    THG_PIPE_CULL = 0,
    THG_PIPE_ARGUMENTS,
    THG_PIPE_PYRAMID,
    THG_PIPE_GROUND,
    THG_PIPE_WALLS,
    THG_PIPE_BODY,
    THG_PIPE_SHADOW,
    THG_PIPE_LINE,
    THG_PIPE_COUNT
} thg_pipeline;

#define THG_FIRST_DRAWING_PIPE THG_PIPE_GROUND

#define THG_COUNTERS 16
#define THG_ARGUMENT_WORDS 64 ///< of two passes: four levels, a shadow, the count
#define THG_PASS_WORDS 32
#define THG_SHADOW_WORD 20
#define THG_COUNT_WORD 25

/// Places of the graph's resources.
typedef struct thg_places {
    int agents, poses, order, counters, arguments, pyramid, rejected, colour, depth;
    int picture_back, counts_back, order_back;
} thg_places;

#define THG_RECORDINGS 4 ///< of indirect and gpu-driven, each without and with new agents

/// Commands that may be submitted again, and what they were recorded for.
typedef struct thg_recording {
    VkCommandBuffer commands;
    bool there;
    int agents, lines, sides, draw_calls;
    uint32_t version; ///< of what the descriptor sets point at
} thg_recording;

struct throng_drawing {
    throng_gpu *gpu;
    int width, height;             ///< of the picture
    int drawn_width, drawn_height; ///< times samples
    int samples, max_agents, agent_count, line_count, side_count;
    int pyramid_width, pyramid_height, pyramid_levels;
    thg_meshes meshes;

    thg_buffer frame, vertices, indices, sides, lines;
    thg_buffer agents, agents_device, poses, poses_device, order, order_device;
    thg_buffer counters, arguments, rejected, pyramid;
    thg_buffer picture_back; ///< pixels, read by the CPU
    thg_buffer counts_back, order_back;
    thg_picture colour, depth, ground;
    VkSampler near_sampler, ground_sampler;

    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet cpu_set, device_set; ///< poses and order of the CPU, or of the device
    VkPipelineLayout layout;
    VkPipeline pipelines[THG_PIPE_COUNT];
    VkCommandPool command_pool;
    VkCommandBuffer commands; ///< recorded for each use
    thg_recording recordings[THG_RECORDINGS];
    uint32_t binding_version;
    VkFence fence;
    VkQueryPool queries;

    thg_graph graph;
    thg_places at;
    throng_ground ground_def; ///< without its arrays
    uint8_t *walls;
    thg_frame_data data;
    bool has_previous;
    bool agents_fresh;     ///< not yet on the device
    throng_draw_mode mode; ///< of the last frame
    uint32_t last_counts[THG_COUNTERS];
};

/// Compiles shaders into pipelines. False without memory.
bool thg_pipelines_create(throng_drawing *drawing);
void thg_pipelines_destroy(throng_drawing *drawing);
/// Points both descriptor sets at the buffers and images that there are.
void thg_descriptors_write(throng_drawing *drawing);

/// Begins a set of commands that are not a frame's, and runs it to its end.
bool thg_commands_begin(throng_drawing *drawing);
bool thg_commands_run(throng_drawing *drawing);
/// Runs commands that have been ended, to their end.
bool thg_commands_submit(throng_drawing *drawing, VkCommandBuffer commands);

/// A frame that is being made.
typedef struct thg_frame_run {
    throng_drawing *drawing;
    VkCommandBuffer commands;
    throng_draw_mode mode;
    int agents;                    ///< that are copied and asked
    bool uploads;                  ///< there are new ones
    uint32_t counts[THG_COUNTERS]; ///< of the CPU's modes
    int draw_calls;
} thg_frame_run;

/// Writes the passes of a frame into its commands, which have been begun.
void thg_record_frame(thg_frame_run *run);

/// The depth pyramid as the last gpu-driven frame left it, level after level, until the next frame;
/// the frame's picture can no longer be read. NULL when the device is lost.
const float *thg_pyramid_fetch(throng_drawing *drawing);

/// One bounding sphere's centre, and how much larger than the mesh an agent is.
float thg_agent_size(const throng_drawn_agent *agent);
/// How large it is drawn at a place: far away larger than it is. eye[3] as in thg_frame_data.
float thg_shown_size(const float *eye, float size, const float *place);
void thg_agent_centre(const throng_drawn_agent *agent, float share, float size, float *centre);
/// What the CPU's modes write for the device: poses and lists by level. Fills counts[0 .. 4].
void thg_pose_all(throng_drawing *drawing, float share, uint32_t *counts);

/// The camera's axes, each of unit length.
void thg_camera_axes(const throng_camera *camera, float *ahead, float *right, float *up);
void thg_camera_matrix(const throng_camera *camera, float aspect, float *m);
/// Left, right, top, bottom, near, far: positive inside.
void thg_camera_planes(const float *m, float planes[6][4]);
bool thg_planes_see(float planes[6][4], const float *centre, float radius);

/// Straight runs of wall sides: from x, y to x, y, the outside on the same hand. Writes up to
/// `capacity`, returns how many there are.
int thg_wall_sides(const throng_ground *ground, float *runs, int capacity);

#endif
