/// What the files of libthrong_gpu share: the device, its memory, and the graph of passes.
#ifndef THG_GPU_H
#define THG_GPU_H

#include <throng_gpu/drawing.h>
#include <volk.h>

struct throng_gpu {
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkPhysicalDeviceMemoryProperties memory;
    float timestamp_period; ///< nanoseconds
    bool software, lost;
    int lose_after, submit_count; ///< lose_after 0: as the device says
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    int message_count;
    char first_message[1024];
};

__attribute__((format(printf, 2, 3))) throng_result thg_gpu_fail(throng_error *error,
                                                                 const char *format, ...);

/// Whether a call went well that a lost device fails: all submits, waits and presents ask here.
bool thg_gpu_heard(throng_gpu *gpu, VkResult result);
/// Submits, and says whether the device is still there.
bool thg_gpu_submit(throng_gpu *gpu, const VkSubmitInfo *info, VkFence fence);
/// Waits for a fence and takes it back.
bool thg_gpu_wait(throng_gpu *gpu, VkFence fence);

// ---- Memory -----------------------------------------------------------------------------------

/// A buffer; `mapped` is NULL where the CPU cannot see it.
typedef struct thg_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize size;
    void *mapped;
} thg_buffer;

typedef enum thg_place {
    THG_ON_DEVICE,  ///< not seen by the CPU
    THG_FROM_CPU,   ///< written by the CPU
    THG_BACK_TO_CPU ///< read by it
} thg_place;

/// At least four bytes are taken. False without memory; then *out is empty.
bool thg_buffer_create(throng_gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage,
                       thg_place place, thg_buffer *out);
void thg_buffer_destroy(throng_gpu *gpu, thg_buffer *buffer);

typedef struct thg_picture {
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
    VkFormat format;
    VkImageAspectFlags aspect;
    int width, height, levels;
} thg_picture;

/// `out` says format, aspect, size and levels; the rest is filled. False without memory.
bool thg_picture_create(throng_gpu *gpu, VkImageUsageFlags usage, thg_picture *out);
void thg_picture_destroy(throng_gpu *gpu, thg_picture *image);

// ---- Passes -----------------------------------------------------------------------------------

/// How a pass touches a resource. Each stands for stages, accesses and, for images, a layout.
typedef enum thg_use {
    THG_USE_NONE = 0,
    THG_COMPUTE_READ,
    THG_COMPUTE_WRITE, ///< and read
    THG_DRAW_READ,     ///< by shaders that draw
    THG_SAMPLE,        ///< an image, by shaders that draw
    THG_COMPUTE_SAMPLE,
    THG_ARGUMENTS, ///< of indirect calls
    THG_COLOUR,    ///< drawn to
    THG_DEPTH,
    THG_COPY_FROM,
    THG_COPY_TO,
    THG_CPU_READ, ///< after the frame
    THG_SHOW,     ///< in a window
    THG_USE_COUNT
} thg_use;

#define THG_MAX_RESOURCES 24
#define THG_MAX_USES 12
#define THG_MAX_BARRIERS 256

/// A barrier that the graph found to be needed, as tests see it.
typedef struct thg_barrier {
    int pass, resource;
    thg_use from, to;
} thg_barrier;

typedef struct thg_resource {
    const char *name;
    VkBuffer buffer;
    const thg_picture *image; ///< NULL for a buffer
    thg_use last_write;       ///< that nothing has yet been ordered after in full
    uint32_t seen;            ///< uses (a bit each) that already wait for the last write
    uint32_t readers;         ///< uses that read since the last write
    VkImageLayout layout;
} thg_resource;

/// Orders passes by what they say that they read and write. Nothing else makes barriers.
typedef struct thg_graph {
    thg_resource resources[THG_MAX_RESOURCES];
    int resource_count, pass_count;
    thg_barrier barriers[THG_MAX_BARRIERS]; ///< of this frame
    int barrier_count;
} thg_graph;

typedef struct thg_access {
    int resource; ///< as thg_graph_add_* returned
    thg_use use;
} thg_access;

void thg_graph_clear(thg_graph *graph);
int thg_graph_add_buffer(thg_graph *graph, const char *name, VkBuffer buffer);
/// Its content and layout before the frame do not matter.
int thg_graph_add_image(thg_graph *graph, const char *name, const thg_picture *image);
/// Begins a frame: waits of the last one are over, contents stay.
void thg_graph_begin(thg_graph *graph);
/// What the image holds no longer matters: its next use may begin from any layout.
void thg_graph_discard(thg_graph *graph, int resource);
/// Before a pass's commands: the barriers that its accesses need. `commands` may be null, in which
/// case they are only worked out.
void thg_graph_pass(thg_graph *graph, VkCommandBuffer commands, const thg_access *accesses,
                    int count);
/// True for a use that changes its resource.
bool thg_use_writes(thg_use use);

#endif
