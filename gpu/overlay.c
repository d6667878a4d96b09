/// The overlay: triangles with one sheet of letters, drawn over what a window shows.
#include "window.h"
#include <stddef.h>
#include <string.h>

static const uint32_t overlay_vert[] = {
#include "shader_overlay.vert.inc"
};
static const uint32_t overlay_frag[] = {
#include "shader_overlay.frag.inc"
};

static bool make_set(throng_window *window)
{
    VkDevice device = window->gpu->device;
    thg_overlay *made = &window->overlay;
    VkDescriptorSetLayoutBinding binding = {.descriptorType =
                                                VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                            .descriptorCount = 1,
                                            .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
    VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = 1,
                                       .poolSizeCount = 1,
                                       .pPoolSizes = &size};
    VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                   .magFilter = VK_FILTER_LINEAR,
                                   .minFilter = VK_FILTER_LINEAR,
                                   .maxLod = 1.0f};
    if (vkCreateDescriptorSetLayout(device, &layout, NULL, &made->set_layout) != VK_SUCCESS ||
        vkCreateDescriptorPool(device, &pool, NULL, &made->pool) != VK_SUCCESS ||
        vkCreateSampler(device, &sampler, NULL, &made->sampler) != VK_SUCCESS) {
        return false;
    }
    VkDescriptorSetAllocateInfo take = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = made->pool,
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &made->set_layout};
    VkPushConstantRange push = {VK_SHADER_STAGE_VERTEX_BIT, 0, 2 * sizeof(float)};
    VkPipelineLayoutCreateInfo all = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                      .setLayoutCount = 1,
                                      .pSetLayouts = &made->set_layout,
                                      .pushConstantRangeCount = 1,
                                      .pPushConstantRanges = &push};
    return vkAllocateDescriptorSets(device, &take, &made->set) == VK_SUCCESS &&
           vkCreatePipelineLayout(device, &all, NULL, &made->layout) == VK_SUCCESS;
}

static VkResult make_pipeline(throng_window *window, const VkPipelineShaderStageCreateInfo *stages)
{
    VkVertexInputBindingDescription binding = {0, sizeof(throng_overlay_corner),
                                               VK_VERTEX_INPUT_RATE_VERTEX};
    VkVertexInputAttributeDescription attributes[3] = {
        {0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(throng_overlay_corner, x)},
        {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(throng_overlay_corner, u)},
        {2, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(throng_overlay_corner, colour)}};
    VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &binding,
        .vertexAttributeDescriptionCount = 3,
        .pVertexAttributeDescriptions = attributes};
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1};
    VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .polygonMode = VK_POLYGON_MODE_FILL,
        .cullMode = VK_CULL_MODE_NONE,
        .lineWidth = 1.0f};
    VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkPipelineColorBlendAttachmentState blend = {
        .blendEnable = VK_TRUE,
        .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .colorWriteMask = 0xf};
    VkPipelineColorBlendStateCreateInfo blending = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &blend};
    VkDynamicState dynamics[2] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 2,
        .pDynamicStates = dynamics};
    VkPipelineRenderingCreateInfoKHR rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO_KHR,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &window->format.format};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = &rendering,
                                         .stageCount = 2,
                                         .pStages = stages,
                                         .pVertexInputState = &input,
                                         .pInputAssemblyState = &assembly,
                                         .pViewportState = &viewport,
                                         .pRasterizationState = &raster,
                                         .pMultisampleState = &samples,
                                         .pColorBlendState = &blending,
                                         .pDynamicState = &dynamic,
                                         .layout = window->overlay.layout};
    return vkCreateGraphicsPipelines(window->gpu->device, VK_NULL_HANDLE, 1, &info, NULL,
                                     &window->overlay.pipeline);
}

bool thg_overlay_create(throng_window *window)
{
    VkDevice device = window->gpu->device;
    VkShaderModule vertex, fragment;
    VkPipelineShaderStageCreateInfo stages[2];
    VkShaderModuleCreateInfo infos[2] = {{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                          .codeSize = sizeof overlay_vert,
                                          .pCode = overlay_vert},
                                         {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                          .codeSize = sizeof overlay_frag,
                                          .pCode = overlay_frag}};
    if (!make_set(window) || vkCreateShaderModule(device, &infos[0], NULL, &vertex) != VK_SUCCESS) {
        return false;
    }
    bool fine = vkCreateShaderModule(device, &infos[1], NULL, &fragment) == VK_SUCCESS;
    if (fine) {
        for (int i = 0; i < 2; i++) {
            stages[i] = (VkPipelineShaderStageCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = i == 0 ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT,
                .module = i == 0 ? vertex : fragment,
                .pName = "main"};
        }
        fine = make_pipeline(window, stages) == VK_SUCCESS;
        vkDestroyShaderModule(device, fragment, NULL);
    }
    vkDestroyShaderModule(device, vertex, NULL);
    return fine;
}

void thg_overlay_destroy(throng_window *window)
{
    VkDevice device = window->gpu->device;
    thg_overlay *made = &window->overlay;
    vkDestroyPipeline(device, made->pipeline, NULL);
    vkDestroyPipelineLayout(device, made->layout, NULL);
    vkDestroyDescriptorPool(device, made->pool, NULL);
    vkDestroyDescriptorSetLayout(device, made->set_layout, NULL);
    vkDestroySampler(device, made->sampler, NULL);
    thg_picture_destroy(window->gpu, &made->sheet);
    thg_buffer_destroy(window->gpu, &made->corners);
    thg_buffer_destroy(window->gpu, &made->indices);
}

static bool copy_sheet(throng_window *window, const thg_buffer *staging)
{
    const thg_picture *sheet = &window->overlay.sheet;
    thg_graph graph;
    thg_graph_clear(&graph);
    int image = thg_graph_add_image(&graph, "sheet", sheet);
    const thg_access write = {image, THG_COPY_TO}, read = {image, THG_SAMPLE};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                              .imageExtent = {(uint32_t)sheet->width, (uint32_t)sheet->height, 1}};
    if (vkBeginCommandBuffer(window->commands, &begin) != VK_SUCCESS) {
        return false;
    }
    thg_graph_pass(&graph, window->commands, &write, 1);
    vkCmdCopyBufferToImage(window->commands, staging->buffer, sheet->image,
                           VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    thg_graph_pass(&graph, window->commands, &read, 1);
    return thg_window_run(window);
}

throng_result throng_window_set_sheet(throng_window *window, const uint8_t *rgba, int width,
                                      int height)
{
    thg_overlay *made = &window->overlay;
    thg_picture sheet = {.format = VK_FORMAT_R8G8B8A8_UNORM,
                         .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                         .width = width,
                         .height = height,
                         .levels = 1};
    thg_buffer staging;
    VkDeviceSize size = (VkDeviceSize)width * (VkDeviceSize)height * 4;
    if (!thg_buffer_create(window->gpu, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, THG_FROM_CPU,
                           &staging)) {
        return THRONG_NO_MEMORY;
    }
    if (!thg_picture_create(window->gpu,
                            VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, &sheet)) {
        thg_buffer_destroy(window->gpu, &staging);
        return THRONG_NO_MEMORY;
    }
    memcpy(staging.mapped, rgba, size);
    thg_picture_destroy(window->gpu, &made->sheet);
    made->sheet = sheet;
    bool fine = copy_sheet(window, &staging);
    thg_buffer_destroy(window->gpu, &staging);
    VkDescriptorImageInfo image = {made->sampler, sheet.view,
                                   VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = made->set,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                  .pImageInfo = &image};
    vkUpdateDescriptorSets(window->gpu->device, 1, &write, 0, NULL);
    return fine ? THRONG_OK : THRONG_UNREACHABLE;
}

static bool fill(throng_gpu *gpu, thg_buffer *buffer, VkBufferUsageFlags usage, const void *data,
                 size_t size)
{
    if (size > buffer->size) {
        thg_buffer larger;
        if (!thg_buffer_create(gpu, 2 * size, usage, THG_FROM_CPU, &larger)) {
            return false;
        }
        thg_buffer_destroy(gpu, buffer);
        *buffer = larger;
    }
    if (size > 0) {
        memcpy(buffer->mapped, data, size);
    }
    return true;
}

bool thg_overlay_fill(throng_window *window, const throng_overlay *overlay)
{
    return fill(window->gpu, &window->overlay.corners, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                overlay->corners, (size_t)overlay->corner_count * sizeof *overlay->corners) &&
           fill(window->gpu, &window->overlay.indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
                overlay->indices, (size_t)overlay->index_count * sizeof *overlay->indices);
}

/// A part's rectangle in the window's pixels. False when nothing of it is inside.
static bool clip_of(const throng_window *window, const throng_overlay *overlay, const float *clip,
                    VkRect2D *area)
{
    float x = (float)window->width / overlay->width, y = (float)window->height / overlay->height;
    float left = clip[0] * x, top = clip[1] * y, right = clip[2] * x, bottom = clip[3] * y;
    left = left > 0.0f ? left : 0.0f;
    top = top > 0.0f ? top : 0.0f;
    right = right < (float)window->width ? right : (float)window->width;
    bottom = bottom < (float)window->height ? bottom : (float)window->height;
    if (!(right >= left + 1.0f) || !(bottom >= top + 1.0f)) {
        return false;
    }
    *area = (VkRect2D){{(int32_t)left, (int32_t)top},
                       {(uint32_t)(right - left), (uint32_t)(bottom - top)}};
    return true;
}

void thg_overlay_draw(throng_window *window, const throng_overlay *overlay)
{
    thg_overlay *made = &window->overlay;
    VkCommandBuffer commands = window->commands;
    if (made->sheet.image == VK_NULL_HANDLE) {
        return;
    }
    VkViewport viewport = {0, 0, (float)window->width, (float)window->height, 0, 1};
    VkDeviceSize zero = 0;
    const float size[2] = {overlay->width, overlay->height};
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, made->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, made->layout, 0, 1,
                            &made->set, 0, NULL);
    vkCmdPushConstants(commands, made->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof size, size);
    vkCmdBindVertexBuffers(commands, 0, 1, &made->corners.buffer, &zero);
    vkCmdBindIndexBuffer(commands, made->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdSetViewport(commands, 0, 1, &viewport);
    for (int i = 0; i < overlay->part_count; i++) {
        const throng_overlay_part *part = &overlay->parts[i];
        VkRect2D area;
        if (clip_of(window, overlay, part->clip, &area)) {
            vkCmdSetScissor(commands, 0, 1, &area);
            vkCmdDrawIndexed(commands, part->index_count, 1, part->first_index, part->first_corner,
                             0);
        }
    }
}
