/// The window's inside: its pictures, and the overlay's part of it.
#ifndef THG_WINDOW_H
#define THG_WINDOW_H

#include "drawing.h"
#include <throng_gpu/window.h>

#define THG_MAX_SHOWN 8 ///< pictures of a window that take turns

/// Panels over a picture.
typedef struct thg_overlay {
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkSampler sampler;
    thg_picture sheet;
    thg_buffer corners, indices;
} thg_overlay;

struct throng_window {
    throng_gpu *gpu;
    VkSurfaceKHR surface;
    VkSurfaceFormatKHR format;
    VkSwapchainKHR chain;
    thg_picture pictures[THG_MAX_SHOWN]; ///< the chain's; no memory of our own
    VkSemaphore drawn[THG_MAX_SHOWN];
    int picture_count, width, height;
    bool stale, visible;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence taken, done;
    thg_overlay overlay;
};

bool thg_overlay_create(throng_window *window);
void thg_overlay_destroy(throng_window *window);
/// Copies the triangles to the device. False without memory.
bool thg_overlay_fill(throng_window *window, const throng_overlay *overlay);
/// Within a rendering of the window's size.
void thg_overlay_draw(throng_window *window, const throng_overlay *overlay);
/// Runs the window's commands to their end.
bool thg_window_run(throng_window *window);

#endif
