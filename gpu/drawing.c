/// A drawing: made, filled, read back, and taken apart. What a frame does is in frame.c.
#include "drawing.h"
#include <stdlib.h>
#include <string.h>

#define COOKIE 0x64726177u

throng_drawing_def throng_default_drawing_def(void)
{
    return (throng_drawing_def){
        .cookie = COOKIE, .width = 1280, .height = 720, .max_agents = 1000, .samples = 1};
}

const char *throng_draw_mode_name(throng_draw_mode mode)
{
    static const char *const names[THRONG_DRAW_MODE_COUNT] = {"naive", "instanced", "indirect",
                                                              "gpu-driven"};
    return names[mode];
}

static bool make_samplers(throng_drawing *drawing)
{
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                .maxLod = 32.0f};
    VkDevice device = drawing->gpu->device;
    if (vkCreateSampler(device, &info, NULL, &drawing->near_sampler) != VK_SUCCESS) {
        return false;
    }
    // Cells stay squares from near and become a mean from far away.
    info.minFilter = VK_FILTER_LINEAR;
    info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
    return vkCreateSampler(device, &info, NULL, &drawing->ground_sampler) == VK_SUCCESS;
}

static bool make_commands(throng_drawing *drawing)
{
    VkDevice device = drawing->gpu->device;
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                    .queueFamilyIndex = drawing->gpu->family};
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                     .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                     .queryCount = 2};
    if (vkCreateCommandPool(device, &pool, NULL, &drawing->command_pool) != VK_SUCCESS ||
        vkCreateFence(device, &fence, NULL, &drawing->fence) != VK_SUCCESS ||
        vkCreateQueryPool(device, &queries, NULL, &drawing->queries) != VK_SUCCESS) {
        return false;
    }
    VkCommandBufferAllocateInfo take = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = drawing->command_pool,
                                        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = THG_RECORDINGS + 1};
    VkCommandBuffer all[THG_RECORDINGS + 1];
    if (vkAllocateCommandBuffers(device, &take, all) != VK_SUCCESS) {
        return false;
    }
    drawing->commands = all[THG_RECORDINGS];
    for (int i = 0; i < THG_RECORDINGS; i++) {
        drawing->recordings[i].commands = all[i];
    }
    return true;
}

static bool make_images(throng_drawing *drawing)
{
    drawing->colour = (thg_picture){.format = VK_FORMAT_R8G8B8A8_UNORM,
                                    .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                                    .width = drawing->drawn_width,
                                    .height = drawing->drawn_height,
                                    .levels = 1};
    drawing->depth = drawing->colour;
    drawing->depth.format = VK_FORMAT_D32_SFLOAT;
    drawing->depth.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
    return thg_picture_create(drawing->gpu,
                              VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                              &drawing->colour) &&
           thg_picture_create(drawing->gpu,
                              VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                  VK_IMAGE_USAGE_SAMPLED_BIT,
                              &drawing->depth);
}

/// Levels of the depth pyramid, halves of the picture down to one texel. Returns their texels.
static size_t size_pyramid(throng_drawing *drawing)
{
    int width = (drawing->drawn_width + 1) / 2, height = (drawing->drawn_height + 1) / 2;
    drawing->pyramid_width = width;
    drawing->pyramid_height = height;
    size_t texels = 0;
    for (drawing->pyramid_levels = 0;; drawing->pyramid_levels++) {
        texels += (size_t)width * (size_t)height;
        if (width == 1 && height == 1) {
            drawing->pyramid_levels++;
            return texels;
        }
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
    }
}

static bool make_buffers(throng_drawing *drawing)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const VkBufferUsageFlags from = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    const VkBufferUsageFlags to = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkDeviceSize most = (VkDeviceSize)drawing->max_agents, word = sizeof(uint32_t);
    VkDeviceSize lists = (THRONG_FIGURE_LEVELS + 1) * most * word;
    VkDeviceSize pixels = (VkDeviceSize)drawing->drawn_width * (VkDeviceSize)drawing->drawn_height;
    const struct {
        thg_buffer *buffer;
        VkDeviceSize size;
        VkBufferUsageFlags usage;
        thg_place place;
    } all[] = {
        {&drawing->frame, sizeof(thg_frame_data), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, THG_FROM_CPU},
        {&drawing->vertices,
         (VkDeviceSize)drawing->meshes.figure_vertices * THRONG_FIGURE_COUNT * sizeof(thg_vertex),
         storage, THG_FROM_CPU},
        {&drawing->indices, (VkDeviceSize)drawing->meshes.index_count * sizeof(uint16_t),
         VK_BUFFER_USAGE_INDEX_BUFFER_BIT, THG_FROM_CPU},
        {&drawing->sides, 16, storage, THG_FROM_CPU},
        {&drawing->lines, 32, storage, THG_FROM_CPU},
        {&drawing->agents, most * sizeof(throng_drawn_agent), from, THG_FROM_CPU},
        {&drawing->agents_device, most * sizeof(throng_drawn_agent), storage | to, THG_ON_DEVICE},
        {&drawing->poses, most * sizeof(thg_pose), storage, THG_FROM_CPU},
        {&drawing->poses_device, most * sizeof(thg_pose), storage, THG_ON_DEVICE},
        {&drawing->order, lists, storage, THG_FROM_CPU},
        {&drawing->order_device, lists, storage | from, THG_ON_DEVICE},
        {&drawing->counters, THG_COUNTERS * word, storage | from | to, THG_ON_DEVICE},
        {&drawing->arguments, THG_ARGUMENT_WORDS * word,
         storage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, THG_ON_DEVICE},
        {&drawing->rejected, most * word, storage, THG_ON_DEVICE},
        {&drawing->pyramid, size_pyramid(drawing) * sizeof(float), storage | from, THG_ON_DEVICE},
        {&drawing->picture_back, pixels * 4, to, THG_BACK_TO_CPU},
        {&drawing->counts_back, THG_COUNTERS * word, to, THG_BACK_TO_CPU},
        {&drawing->order_back, lists, to, THG_BACK_TO_CPU},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!thg_buffer_create(drawing->gpu, all[i].size, all[i].usage, all[i].place,
                               all[i].buffer)) {
            return false;
        }
    }
    memcpy(drawing->vertices.mapped, drawing->meshes.vertices,
           (size_t)drawing->meshes.figure_vertices * THRONG_FIGURE_COUNT * sizeof(thg_vertex));
    memcpy(drawing->indices.mapped, drawing->meshes.indices,
           (size_t)drawing->meshes.index_count * sizeof(uint16_t));
    return true;
}

static void fill_graph(throng_drawing *drawing)
{
    thg_graph *graph = &drawing->graph;
    thg_places *at = &drawing->at;
    thg_graph_clear(graph);
    at->agents = thg_graph_add_buffer(graph, "agents", drawing->agents_device.buffer);
    at->poses = thg_graph_add_buffer(graph, "poses", drawing->poses_device.buffer);
    at->order = thg_graph_add_buffer(graph, "order", drawing->order_device.buffer);
    at->counters = thg_graph_add_buffer(graph, "counters", drawing->counters.buffer);
    at->arguments = thg_graph_add_buffer(graph, "arguments", drawing->arguments.buffer);
    at->pyramid = thg_graph_add_buffer(graph, "pyramid", drawing->pyramid.buffer);
    at->rejected = thg_graph_add_buffer(graph, "rejected", drawing->rejected.buffer);
    at->picture_back = thg_graph_add_buffer(graph, "picture_back", drawing->picture_back.buffer);
    at->counts_back = thg_graph_add_buffer(graph, "counts_back", drawing->counts_back.buffer);
    at->order_back = thg_graph_add_buffer(graph, "order_back", drawing->order_back.buffer);
    at->colour = thg_graph_add_image(graph, "colour", &drawing->colour);
    at->depth = thg_graph_add_image(graph, "depth", &drawing->depth);
}

throng_result throng_drawing_create(const throng_drawing_def *def, throng_drawing **out)
{
    *out = NULL;
    if (def->cookie != COOKIE || def->gpu == NULL || def->width < 1 || def->height < 1 ||
        def->width > 8192 || def->height > 8192 || def->max_agents < 1 ||
        def->max_agents > 2000000 || def->samples < 1 || def->samples > 4 ||
        def->width * def->samples > 8192 || def->height * def->samples > 8192) {
        return THRONG_BAD_ARGUMENT;
    }
    throng_drawing *drawing = calloc(1, sizeof *drawing);
    if (drawing == NULL) {
        return THRONG_NO_MEMORY;
    }
    drawing->gpu = def->gpu;
    drawing->width = def->width;
    drawing->height = def->height;
    drawing->samples = def->samples;
    drawing->drawn_width = def->width * def->samples;
    drawing->drawn_height = def->height * def->samples;
    drawing->max_agents = def->max_agents;
    static const uint32_t plain = 0x00d2d8dcu;
    throng_ground ground = {.width = 1,
                            .height = 1,
                            .cell_size = 1.0f,
                            .colours = &plain,
                            .walls = (const uint8_t[1]){0}};
    if (!thg_meshes_create(&drawing->meshes) || !make_samplers(drawing) ||
        !make_commands(drawing) || !make_images(drawing) || !make_buffers(drawing) ||
        !thg_pipelines_create(drawing) ||
        throng_drawing_set_ground(drawing, &ground) != THRONG_OK) {
        throng_drawing_destroy(drawing);
        return def->gpu->lost ? THRONG_UNREACHABLE : THRONG_NO_MEMORY;
    }
    fill_graph(drawing);
    *out = drawing;
    return THRONG_OK;
}

void throng_drawing_destroy(throng_drawing *drawing)
{
    if (drawing == NULL) {
        return;
    }
    VkDevice device = drawing->gpu->device;
    vkDeviceWaitIdle(device);
    thg_pipelines_destroy(drawing);
    thg_buffer *buffers[] = {
        &drawing->frame,        &drawing->vertices,     &drawing->indices,    &drawing->sides,
        &drawing->lines,        &drawing->agents,       &drawing->poses,      &drawing->order,
        &drawing->poses_device, &drawing->counters,     &drawing->arguments,  &drawing->rejected,
        &drawing->order_device, &drawing->pyramid,      &drawing->order_back, &drawing->counts_back,
        &drawing->picture_back, &drawing->agents_device};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
        thg_buffer_destroy(drawing->gpu, buffers[i]);
    }
    thg_picture_destroy(drawing->gpu, &drawing->colour);
    thg_picture_destroy(drawing->gpu, &drawing->depth);
    thg_picture_destroy(drawing->gpu, &drawing->ground);
    vkDestroySampler(device, drawing->near_sampler, NULL);
    vkDestroySampler(device, drawing->ground_sampler, NULL);
    vkDestroyQueryPool(device, drawing->queries, NULL);
    vkDestroyFence(device, drawing->fence, NULL);
    vkDestroyCommandPool(device, drawing->command_pool, NULL);
    thg_meshes_free(&drawing->meshes);
    free(drawing->walls);
    free(drawing);
}

bool thg_commands_begin(throng_drawing *drawing)
{
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    return vkBeginCommandBuffer(drawing->commands, &begin) == VK_SUCCESS;
}

bool thg_commands_run(throng_drawing *drawing)
{
    return vkEndCommandBuffer(drawing->commands) == VK_SUCCESS &&
           thg_commands_submit(drawing, drawing->commands);
}

bool thg_commands_submit(throng_drawing *drawing, VkCommandBuffer commands)
{
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .commandBufferCount = 1,
                           .pCommandBuffers = &commands};
    return thg_gpu_submit(drawing->gpu, &submit, drawing->fence) &&
           thg_gpu_wait(drawing->gpu, drawing->fence);
}

void throng_drawing_set_agents(throng_drawing *drawing, const throng_drawn_agent *agents, int count)
{
    count = count < 0 ? 0 : count < drawing->max_agents ? count : drawing->max_agents;
    drawing->agent_count = count;
    if (count > 0) {
        memcpy(drawing->agents.mapped, agents, (size_t)count * sizeof *agents);
    }
    drawing->agents_fresh = true;
}

throng_result throng_drawing_set_lines(throng_drawing *drawing, const throng_drawn_line *lines,
                                       int count)
{
    count = count > 0 ? count : 0;
    VkDeviceSize size = (VkDeviceSize)count * 32;
    if (size > drawing->lines.size) {
        thg_buffer larger;
        if (!thg_buffer_create(drawing->gpu, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, THG_FROM_CPU,
                               &larger)) {
            return THRONG_NO_MEMORY;
        }
        thg_buffer_destroy(drawing->gpu, &drawing->lines);
        drawing->lines = larger;
        thg_descriptors_write(drawing);
    }
    float *out = drawing->lines.mapped;
    for (int i = 0; i < count; i++, out += 8) {
        memcpy(out, lines[i].from, sizeof lines[i].from);
        out[3] = lines[i].width;
        memcpy(out + 4, lines[i].to, sizeof lines[i].to);
        memcpy(out + 7, &lines[i].colour, sizeof lines[i].colour);
    }
    drawing->line_count = count;
    return THRONG_OK;
}

void throng_drawing_read(const throng_drawing *drawing, uint8_t *rgb)
{
    const uint8_t *pixels = drawing->picture_back.mapped;
    int samples = drawing->samples;
    for (int y = 0; y < drawing->height; y++) {
        for (int x = 0; x < drawing->width; x++, rgb += 3) {
            int sum[3] = {0, 0, 0};
            for (int i = 0; i < samples * samples; i++) {
                size_t row = (size_t)(y * samples + i / samples);
                size_t at =
                    row * (size_t)drawing->drawn_width + (size_t)(x * samples + i % samples);
                for (int c = 0; c < 3; c++) {
                    sum[c] += pixels[at * 4 + (size_t)c];
                }
            }
            for (int c = 0; c < 3; c++) {
                rgb[c] = (uint8_t)((sum[c] + samples * samples / 2) / (samples * samples));
            }
        }
    }
}

/// Brings a buffer of the device here; not part of a frame, for only tests and probes ask.
static bool fetch(throng_drawing *drawing, int from, int to)
{
    thg_graph *graph = &drawing->graph;
    const thg_access accesses[2] = {{from, THG_COPY_FROM}, {to, THG_COPY_TO}};
    const thg_access back = {to, THG_CPU_READ};
    const thg_buffer *target =
        to == drawing->at.order_back ? &drawing->order_back : &drawing->picture_back;
    VkBufferCopy all = {.size = target->size};
    if (from == drawing->at.pyramid) {
        all.size = drawing->pyramid.size;
    }
    if (!thg_commands_begin(drawing)) {
        return false;
    }
    thg_graph_begin(graph);
    thg_graph_pass(graph, drawing->commands, accesses, 2);
    vkCmdCopyBuffer(drawing->commands, graph->resources[from].buffer, target->buffer, 1, &all);
    thg_graph_pass(graph, drawing->commands, &back, 1);
    return thg_commands_run(drawing);
}

const float *thg_pyramid_fetch(throng_drawing *drawing)
{
    // The pyramid is smaller than the picture, whose place is lent to it.
    return fetch(drawing, drawing->at.pyramid, drawing->at.picture_back)
               ? drawing->picture_back.mapped
               : NULL;
}

int throng_drawing_drawn(throng_drawing *drawing, int *agents, int capacity)
{
    const uint32_t *counts = drawing->last_counts;
    bool device = drawing->mode >= THRONG_DRAW_INDIRECT;
    if (device && !fetch(drawing, drawing->at.order, drawing->at.order_back)) {
        return 0;
    }
    const uint32_t *order = device ? drawing->order_back.mapped : drawing->order.mapped;
    size_t most = (size_t)drawing->max_agents;
    int count = 0;
    for (size_t level = 0; level < THRONG_FIGURE_LEVELS; level++) {
        uint32_t all = counts[level] + counts[8 + level];
        for (size_t i = 0; i < all; i++) {
            // What the second pass added lies at the end of the level's list.
            size_t at = i < counts[level] ? i : most - 1 - (i - counts[level]);
            if (count < capacity) {
                agents[count] = (int)order[level * most + at];
            }
            count++;
        }
    }
    return count;
}
