/// A window: a chain of pictures, made anew when its size changes, and a frame that is shown.
///
/// One frame at a time: the picture is taken, filled, and shown, and the next waits for it. What is
/// shown was drawn into a picture of its own before, so there is nothing to gain by more.
#include "window.h"
#include <stdlib.h>
#include <string.h>

void *throng_gpu_instance(const throng_gpu *gpu)
{
    return gpu->instance;
}

/// Plain bytes, no curve: pictures come with their own.
static bool choose_format(throng_window *window)
{
    VkSurfaceFormatKHR formats[64];
    uint32_t count = 64;
    VkResult result = vkGetPhysicalDeviceSurfaceFormatsKHR(window->gpu->physical, window->surface,
                                                           &count, formats);
    if ((result != VK_SUCCESS && result != VK_INCOMPLETE) || count == 0) {
        return false;
    }
    window->format = formats[0];
    for (uint32_t i = count; i-- > 0;) {
        if (formats[i].format == VK_FORMAT_B8G8R8A8_UNORM ||
            formats[i].format == VK_FORMAT_R8G8B8A8_UNORM) {
            window->format = formats[i];
        }
    }
    return true;
}

static void drop_chain(throng_window *window)
{
    VkDevice device = window->gpu->device;
    for (int i = 0; i < window->picture_count; i++) {
        vkDestroyImageView(device, window->pictures[i].view, NULL);
        vkDestroySemaphore(device, window->drawn[i], NULL);
    }
    window->picture_count = 0;
    vkDestroySwapchainKHR(device, window->chain, NULL);
    window->chain = VK_NULL_HANDLE;
}

static bool make_pictures(throng_window *window)
{
    VkDevice device = window->gpu->device;
    VkImage images[THG_MAX_SHOWN];
    uint32_t count = THG_MAX_SHOWN;
    if (vkGetSwapchainImagesKHR(device, window->chain, &count, images) != VK_SUCCESS) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        thg_picture *picture = &window->pictures[i];
        *picture = (thg_picture){.image = images[i],
                                 .format = window->format.format,
                                 .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                                 .width = window->width,
                                 .height = window->height,
                                 .levels = 1};
        VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                      .image = images[i],
                                      .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                      .format = picture->format,
                                      .subresourceRange = {picture->aspect, 0, 1, 0, 1}};
        VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
        window->picture_count++;
        window->drawn[i] = VK_NULL_HANDLE;
        if (vkCreateImageView(device, &view, NULL, &picture->view) != VK_SUCCESS ||
            vkCreateSemaphore(device, &semaphore, NULL, &window->drawn[i]) != VK_SUCCESS) {
            return false;
        }
    }
    return true;
}

/// A chain for the size that the window has now. Without a pixel there is none, which is fine.
static throng_result make_chain(throng_window *window)
{
    throng_gpu *gpu = window->gpu;
    VkSurfaceCapabilitiesKHR can;
    vkDeviceWaitIdle(gpu->device);
    drop_chain(window);
    if (vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu->physical, window->surface, &can) !=
        VK_SUCCESS) {
        return THRONG_UNREACHABLE;
    }
    window->width = (int)can.currentExtent.width;
    window->height = (int)can.currentExtent.height;
    if (can.currentExtent.width == UINT32_MAX || window->width < 1 || window->height < 1) {
        return THRONG_OK;
    }
    uint32_t count = can.minImageCount > 2 ? can.minImageCount : 2;
    VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = window->surface,
        .minImageCount =
            can.maxImageCount > 0 && count > can.maxImageCount ? can.maxImageCount : count,
        .imageFormat = window->format.format,
        .imageColorSpace = window->format.colorSpace,
        .imageExtent = can.currentExtent,
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .preTransform = can.currentTransform,
        .compositeAlpha = (can.supportedCompositeAlpha & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR) != 0
                              ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                              : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
        .presentMode = VK_PRESENT_MODE_FIFO_KHR,
        .clipped = VK_TRUE};
    if (!thg_gpu_heard(gpu, vkCreateSwapchainKHR(gpu->device, &info, NULL, &window->chain))) {
        window->chain = VK_NULL_HANDLE;
        return THRONG_UNREACHABLE;
    }
    window->stale = false;
    return make_pictures(window) ? THRONG_OK : THRONG_NO_MEMORY;
}

static bool make_commands(throng_window *window)
{
    VkDevice device = window->gpu->device;
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                    .queueFamilyIndex = window->gpu->family};
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    if (vkCreateCommandPool(device, &pool, NULL, &window->pool) != VK_SUCCESS ||
        vkCreateFence(device, &fence, NULL, &window->taken) != VK_SUCCESS ||
        vkCreateFence(device, &fence, NULL, &window->done) != VK_SUCCESS) {
        return false;
    }
    VkCommandBufferAllocateInfo take = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = window->pool,
                                        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = 1};
    return vkAllocateCommandBuffers(device, &take, &window->commands) == VK_SUCCESS;
}

throng_result throng_window_create(throng_gpu *gpu, uint64_t surface, throng_window **out,
                                   throng_error *error)
{
    *out = NULL;
    throng_window *window = calloc(1, sizeof *window);
    VkSurfaceKHR given;
    memcpy(&given, &surface, sizeof given);
    if (window == NULL) {
        vkDestroySurfaceKHR(gpu->instance, given, NULL);
        return THRONG_NO_MEMORY;
    }
    window->gpu = gpu;
    window->surface = given;
    window->stale = true;
    VkBool32 can = VK_FALSE;
    if (vkGetPhysicalDeviceSurfaceSupportKHR(gpu->physical, gpu->family, given, &can) !=
            VK_SUCCESS ||
        !can || !choose_format(window)) {
        throng_window_destroy(window);
        return thg_gpu_fail(error, "%s cannot draw to this window", gpu->name);
    }
    if (!make_commands(window) || !thg_overlay_create(window)) {
        throng_window_destroy(window);
        return THRONG_NO_MEMORY;
    }
    *out = window;
    return THRONG_OK;
}

void throng_window_destroy(throng_window *window)
{
    if (window == NULL) {
        return;
    }
    VkDevice device = window->gpu->device;
    vkDeviceWaitIdle(device);
    drop_chain(window);
    thg_overlay_destroy(window);
    vkDestroyFence(device, window->taken, NULL);
    vkDestroyFence(device, window->done, NULL);
    vkDestroyCommandPool(device, window->pool, NULL);
    vkDestroySurfaceKHR(window->gpu->instance, window->surface, NULL);
    free(window);
}

bool throng_window_visible(const throng_window *window)
{
    return window->visible;
}

// ---- A frame ------------------------------------------------------------------------------------

static bool submit(throng_window *window, const VkSemaphore *drawn)
{
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &window->commands,
                         .signalSemaphoreCount = drawn != NULL ? 1 : 0,
                         .pSignalSemaphores = drawn};
    return vkEndCommandBuffer(window->commands) == VK_SUCCESS &&
           thg_gpu_submit(window->gpu, &info, window->done) &&
           thg_gpu_wait(window->gpu, window->done);
}

bool thg_window_run(throng_window *window)
{
    return submit(window, NULL);
}

static void draw_over(throng_window *window, const thg_picture *picture,
                      const throng_overlay *overlay)
{
    VkRenderingAttachmentInfoKHR colour = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO_KHR,
                                           .imageView = picture->view,
                                           .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                           .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                           .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    VkRenderingInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO_KHR,
        .renderArea = {.extent = {(uint32_t)window->width, (uint32_t)window->height}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &colour};
    vkCmdBeginRenderingKHR(window->commands, &info);
    thg_overlay_draw(window, overlay);
    vkCmdEndRenderingKHR(window->commands);
}

/// The drawing's picture, stretched, the overlay over it, and ready to be shown.
static bool record(throng_window *window, int index, const throng_drawing *drawing,
                   const throng_overlay *overlay)
{
    const thg_picture *picture = &window->pictures[index];
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    if (vkBeginCommandBuffer(window->commands, &begin) != VK_SUCCESS) {
        return false;
    }
    thg_graph graph;
    thg_graph_clear(&graph);
    int shown = thg_graph_add_image(&graph, "shown", picture);
    const thg_access copy = {shown, THG_COPY_TO}, over = {shown, THG_COLOUR},
                     show = {shown, THG_SHOW};
    thg_graph_pass(&graph, window->commands, &copy, 1);
    VkImageBlit blit = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                        .srcOffsets = {{0, 0, 0}, {drawing->drawn_width, drawing->drawn_height, 1}},
                        .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                        .dstOffsets = {{0, 0, 0}, {window->width, window->height, 1}}};
    // A frame leaves its picture ready to be copied, and its fence has been waited for.
    vkCmdBlitImage(window->commands, drawing->colour.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                   picture->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &blit,
                   VK_FILTER_LINEAR);
    if (overlay != NULL && overlay->part_count > 0 && overlay->width > 0.0f) {
        thg_graph_pass(&graph, window->commands, &over, 1);
        draw_over(window, picture, overlay);
    }
    thg_graph_pass(&graph, window->commands, &show, 1);
    return true;
}

throng_result throng_window_show(throng_window *window, throng_drawing *drawing,
                                 const throng_overlay *overlay)
{
    window->visible = false;
    if (overlay != NULL && !thg_overlay_fill(window, overlay)) {
        return THRONG_NO_MEMORY;
    }
    for (int attempt = 0; attempt < 3; attempt++) {
        if (window->stale || window->chain == VK_NULL_HANDLE) {
            throng_result result = make_chain(window);
            if (result != THRONG_OK || window->chain == VK_NULL_HANDLE) {
                return result;
            }
        }
        uint32_t index = 0;
        VkResult result = vkAcquireNextImageKHR(window->gpu->device, window->chain, UINT64_MAX,
                                                VK_NULL_HANDLE, window->taken, &index);
        if (result == VK_ERROR_OUT_OF_DATE_KHR) {
            window->stale = true;
            continue;
        }
        window->stale = result == VK_SUBOPTIMAL_KHR;
        if ((!thg_gpu_heard(window->gpu, result) && result != VK_SUBOPTIMAL_KHR) ||
            !thg_gpu_wait(window->gpu, window->taken) ||
            !record(window, (int)index, drawing, overlay) ||
            !submit(window, &window->drawn[index])) {
            return THRONG_UNREACHABLE;
        }
        VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                    .waitSemaphoreCount = 1,
                                    .pWaitSemaphores = &window->drawn[index],
                                    .swapchainCount = 1,
                                    .pSwapchains = &window->chain,
                                    .pImageIndices = &index};
        result = vkQueuePresentKHR(window->gpu->queue, &present);
        window->stale =
            window->stale || result == VK_SUBOPTIMAL_KHR || result == VK_ERROR_OUT_OF_DATE_KHR;
        window->visible = true;
        return thg_gpu_heard(window->gpu, result) || window->stale ? THRONG_OK : THRONG_UNREACHABLE;
    }
    return THRONG_OK; // it changes faster than it can be drawn: the next frame will do
}
