/// Buffers and images, each with memory of its own: a drawing has two dozen of them.
#include "gpu.h"
#include <string.h>

/// A type among `allowed` that has all of `wanted`; -1: none.
static int memory_type(const throng_gpu *gpu, uint32_t allowed, VkMemoryPropertyFlags wanted)
{
    for (uint32_t i = 0; i < gpu->memory.memoryTypeCount; i++) {
        if ((allowed >> i & 1u) != 0 &&
            (gpu->memory.memoryTypes[i].propertyFlags & wanted) == wanted) {
            return (int)i;
        }
    }
    return -1;
}

static bool take(throng_gpu *gpu, const VkMemoryRequirements *needs, thg_place place,
                 VkDeviceMemory *memory)
{
    VkMemoryPropertyFlags seen =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryPropertyFlags best[3] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, seen,
                                     seen | VK_MEMORY_PROPERTY_HOST_CACHED_BIT};
    VkMemoryPropertyFlags least[3] = {0, seen, seen};
    int type = memory_type(gpu, needs->memoryTypeBits, best[place]);
    if (type < 0) {
        type = memory_type(gpu, needs->memoryTypeBits, least[place]);
    }
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = needs->size,
                                 .memoryTypeIndex = (uint32_t)type};
    return type >= 0 && vkAllocateMemory(gpu->device, &info, NULL, memory) == VK_SUCCESS;
}

bool thg_buffer_create(throng_gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage,
                       thg_place place, thg_buffer *out)
{
    memset(out, 0, sizeof *out);
    out->size = size > 4 ? size : 4;
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = out->size, .usage = usage};
    if (vkCreateBuffer(gpu->device, &info, NULL, &out->buffer) != VK_SUCCESS) {
        memset(out, 0, sizeof *out);
        return false;
    }
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(gpu->device, out->buffer, &needs);
    if (!take(gpu, &needs, place, &out->memory) ||
        vkBindBufferMemory(gpu->device, out->buffer, out->memory, 0) != VK_SUCCESS ||
        (place != THG_ON_DEVICE &&
         vkMapMemory(gpu->device, out->memory, 0, VK_WHOLE_SIZE, 0, &out->mapped) != VK_SUCCESS)) {
        thg_buffer_destroy(gpu, out);
        return false;
    }
    return true;
}

void thg_buffer_destroy(throng_gpu *gpu, thg_buffer *buffer)
{
    vkDestroyBuffer(gpu->device, buffer->buffer, NULL);
    vkFreeMemory(gpu->device, buffer->memory, NULL);
    memset(buffer, 0, sizeof *buffer);
}

bool thg_picture_create(throng_gpu *gpu, VkImageUsageFlags usage, thg_picture *out)
{
    VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = out->format,
        .extent = {(uint32_t)out->width, (uint32_t)out->height, 1},
        .mipLevels = (uint32_t)out->levels,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = usage,
    };
    VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = out->format,
        .subresourceRange = {out->aspect, 0, (uint32_t)out->levels, 0, 1},
    };
    if (vkCreateImage(gpu->device, &info, NULL, &out->image) != VK_SUCCESS) {
        out->image = VK_NULL_HANDLE;
        return false;
    }
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(gpu->device, out->image, &needs);
    view.image = out->image;
    if (!take(gpu, &needs, THG_ON_DEVICE, &out->memory) ||
        vkBindImageMemory(gpu->device, out->image, out->memory, 0) != VK_SUCCESS ||
        vkCreateImageView(gpu->device, &view, NULL, &out->view) != VK_SUCCESS) {
        thg_picture_destroy(gpu, out);
        return false;
    }
    return true;
}

void thg_picture_destroy(throng_gpu *gpu, thg_picture *image)
{
    vkDestroyImageView(gpu->device, image->view, NULL);
    vkDestroyImage(gpu->device, image->image, NULL);
    vkFreeMemory(gpu->device, image->memory, NULL);
    image->view = VK_NULL_HANDLE;
    image->image = VK_NULL_HANDLE;
    image->memory = VK_NULL_HANDLE;
}
