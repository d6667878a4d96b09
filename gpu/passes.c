/// The passes of a frame, as commands: cull, draw, build the pyramid, cull and draw again, bring
/// back.
#include "drawing.h"
#include <math.h>
#include <string.h>

static void push(thg_frame_run *run, const void *data, size_t size)
{
    vkCmdPushConstants(run->commands, run->drawing->layout,
                       VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT, 0, (uint32_t)size,
                       data);
}

static void bind(thg_frame_run *run, thg_pipeline pipeline)
{
    VkPipelineBindPoint point = pipeline < THG_FIRST_DRAWING_PIPE ? VK_PIPELINE_BIND_POINT_COMPUTE
                                                                  : VK_PIPELINE_BIND_POINT_GRAPHICS;
    vkCmdBindPipeline(run->commands, point, run->drawing->pipelines[pipeline]);
}

static void pass(thg_frame_run *run, const thg_access *accesses, int count)
{
    thg_graph_pass(&run->drawing->graph, run->commands, accesses, count);
}
#define PASS(run, ...)                                                                             \
    pass(run, (const thg_access[]){__VA_ARGS__},                                                   \
         (int)(sizeof((const thg_access[]){__VA_ARGS__}) / sizeof(thg_access)))

static void upload_agents(thg_frame_run *run)
{
    throng_drawing *drawing = run->drawing;
    if (!run->uploads) {
        return;
    }
    PASS(run, {drawing->at.agents, THG_COPY_TO});
    VkBufferCopy all = {.size = (VkDeviceSize)run->agents * sizeof(throng_drawn_agent)};
    vkCmdCopyBuffer(run->commands, drawing->agents.buffer, drawing->agents_device.buffer, 1, &all);
}

/// Poses and lists the agents, and fills the arguments of the calls. which: 0 all, 1 first, 2
/// second pass.
static void cull(thg_frame_run *run, int which)
{
    throng_drawing *drawing = run->drawing;
    const thg_places *at = &drawing->at;
    const thg_meshes *meshes = &drawing->meshes;
    if (which != 2) {
        PASS(run, {at->counters, THG_COPY_TO});
        vkCmdFillBuffer(run->commands, drawing->counters.buffer, 0, VK_WHOLE_SIZE, 0);
    }
    PASS(run, {at->agents, THG_COMPUTE_READ}, {at->pyramid, THG_COMPUTE_READ},
         {at->poses, THG_COMPUTE_WRITE}, {at->order, THG_COMPUTE_WRITE},
         {at->counters, THG_COMPUTE_WRITE}, {at->rejected, THG_COMPUTE_WRITE});
    bind(run, THG_PIPE_CULL);
    push(run, &which, sizeof which);
    vkCmdDispatch(run->commands, ((uint32_t)run->agents + 127u) / 128u, 1, 1);
    PASS(run, {at->counters, THG_COMPUTE_READ}, {at->arguments, THG_COMPUTE_WRITE});
    struct {
        int32_t pass, unused[3], first[4], count[4], offset[4], shadow[2];
    } given = {.pass = which == 2};
    memcpy(given.first, meshes->first_index, sizeof given.first);
    memcpy(given.count, meshes->indices_of, sizeof given.count);
    memcpy(given.offset, meshes->vertex_offset, sizeof given.offset);
    given.shadow[0] = meshes->shadow_first;
    given.shadow[1] = meshes->shadow_indices;
    bind(run, THG_PIPE_ARGUMENTS);
    push(run, &given, sizeof given);
    vkCmdDispatch(run->commands, 1, 1, 1);
}

/// From the depth of what the first pass drew: whatever is hidden behind that is hidden.
static void build_pyramid(thg_frame_run *run)
{
    throng_drawing *drawing = run->drawing;
    uint32_t width = (uint32_t)drawing->pyramid_width, height = (uint32_t)drawing->pyramid_height;
    bind(run, THG_PIPE_PYRAMID);
    for (int level = 0; level < drawing->pyramid_levels; level++) {
        PASS(run, {drawing->at.depth, THG_COMPUTE_SAMPLE},
             {drawing->at.pyramid, THG_COMPUTE_WRITE});
        push(run, &level, sizeof level);
        vkCmdDispatch(run->commands, (width + 7) / 8, (height + 7) / 8, 1);
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
    }
}

// ---- Drawing ------------------------------------------------------------------------------------

static void begin_drawing(thg_frame_run *run, bool clear)
{
    throng_drawing *drawing = run->drawing;
    const float *haze = drawing->data.haze;
    VkAttachmentLoadOp load = clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD;
    VkRenderingAttachmentInfoKHR colour = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO_KHR,
                                           .imageView = drawing->colour.view,
                                           .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                           .loadOp = load,
                                           .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    for (int i = 0; i < 3; i++) {
        colour.clearValue.color.float32[i] = powf(haze[i], 1.0f / 2.2f);
    }
    VkRenderingAttachmentInfoKHR depth = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO_KHR,
                                          .imageView = drawing->depth.view,
                                          .imageLayout =
                                              VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                                          .loadOp = load,
                                          .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                          .clearValue.depthStencil.depth = 1.0f};
    VkRect2D area = {.extent = {(uint32_t)drawing->drawn_width, (uint32_t)drawing->drawn_height}};
    VkRenderingInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO_KHR,
                               .renderArea = area,
                               .layerCount = 1,
                               .colorAttachmentCount = 1,
                               .pColorAttachments = &colour,
                               .pDepthAttachment = &depth};
    vkCmdBeginRenderingKHR(run->commands, &info);
    VkViewport viewport = {0, 0, (float)drawing->drawn_width, (float)drawing->drawn_height, 0, 1};
    vkCmdSetViewport(run->commands, 0, 1, &viewport);
    vkCmdSetScissor(run->commands, 0, 1, &area);
    vkCmdBindIndexBuffer(run->commands, drawing->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
}

/// Squares, each an instance of a strip of four corners.
static void draw_squares(thg_frame_run *run, thg_pipeline pipeline, int count)
{
    if (count > 0) {
        bind(run, pipeline);
        vkCmdDraw(run->commands, 4, (uint32_t)count, 0, 0);
        run->draw_calls++;
    }
}

static void draw_instances(thg_frame_run *run, int first, int indices, int offset,
                           uint32_t instance, uint32_t count)
{
    if (count > 0) {
        vkCmdDrawIndexed(run->commands, (uint32_t)indices, count, (uint32_t)first, offset,
                         instance);
        run->draw_calls++;
    }
}

/// Agents as the CPU listed them: a call each, or a call for each level.
static void draw_by_cpu(thg_frame_run *run)
{
    const throng_drawing *drawing = run->drawing;
    const thg_meshes *meshes = &drawing->meshes;
    uint32_t most = (uint32_t)drawing->max_agents;
    bind(run, THG_PIPE_SHADOW);
    draw_instances(run, meshes->shadow_first, meshes->shadow_indices, 0, 4 * most, run->counts[4]);
    bind(run, THG_PIPE_BODY);
    push(run, &meshes->figure_vertices, sizeof meshes->figure_vertices);
    for (uint32_t level = 0; level < THRONG_FIGURE_LEVELS; level++) {
        uint32_t count = run->counts[level], each = run->mode == THRONG_DRAW_NAIVE ? 1 : count;
        for (uint32_t i = 0; i < count; i += each) {
            draw_instances(run, meshes->first_index[level], meshes->indices_of[level],
                           meshes->vertex_offset[level], level * most + i, each);
        }
    }
}

/// Agents as the device listed them.
static void draw_by_device(thg_frame_run *run, int which)
{
    const throng_drawing *drawing = run->drawing;
    VkBuffer arguments = drawing->arguments.buffer;
    VkDeviceSize start = (VkDeviceSize)which * THG_PASS_WORDS * 4;
    const uint32_t stride = sizeof(VkDrawIndexedIndirectCommand);
    bind(run, THG_PIPE_SHADOW);
    vkCmdDrawIndexedIndirect(run->commands, arguments, start + THG_SHADOW_WORD * 4, 1, stride);
    bind(run, THG_PIPE_BODY);
    push(run, &drawing->meshes.figure_vertices, sizeof drawing->meshes.figure_vertices);
    vkCmdDrawIndexedIndirectCount(run->commands, arguments, start, arguments,
                                  start + THG_COUNT_WORD * 4, THRONG_FIGURE_LEVELS, stride);
    run->draw_calls += 2;
}

static void draw_ground(thg_frame_run *run)
{
    draw_squares(run, THG_PIPE_GROUND, run->drawing->side_count > 0 ? 2 : 1);
    draw_squares(run, THG_PIPE_WALLS, run->drawing->side_count);
}

static void draw_first(thg_frame_run *run)
{
    const thg_places *at = &run->drawing->at;
    bool device = run->mode >= THRONG_DRAW_INDIRECT;
    if (device) {
        PASS(run, {at->colour, THG_COLOUR}, {at->depth, THG_DEPTH}, {at->poses, THG_DRAW_READ},
             {at->order, THG_DRAW_READ}, {at->arguments, THG_ARGUMENTS});
    } else {
        PASS(run, {at->colour, THG_COLOUR}, {at->depth, THG_DEPTH});
    }
    begin_drawing(run, true);
    draw_ground(run);
    if (device) {
        draw_by_device(run, 0);
    } else {
        draw_by_cpu(run);
    }
    if (run->mode != THRONG_DRAW_GPU_DRIVEN) {
        draw_squares(run, THG_PIPE_LINE, run->drawing->line_count);
    }
    vkCmdEndRenderingKHR(run->commands);
}

static void draw_second(thg_frame_run *run)
{
    const thg_places *at = &run->drawing->at;
    PASS(run, {at->colour, THG_COLOUR}, {at->depth, THG_DEPTH}, {at->poses, THG_DRAW_READ},
         {at->order, THG_DRAW_READ}, {at->arguments, THG_ARGUMENTS});
    begin_drawing(run, false);
    draw_by_device(run, 1);
    draw_squares(run, THG_PIPE_LINE, run->drawing->line_count);
    vkCmdEndRenderingKHR(run->commands);
}

static void bring_back(thg_frame_run *run)
{
    throng_drawing *drawing = run->drawing;
    const thg_places *at = &drawing->at;
    PASS(run, {at->colour, THG_COPY_FROM}, {at->picture_back, THG_COPY_TO});
    VkBufferImageCopy copy = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {(uint32_t)drawing->drawn_width, (uint32_t)drawing->drawn_height, 1}};
    vkCmdCopyImageToBuffer(run->commands, drawing->colour.image,
                           VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, drawing->picture_back.buffer, 1,
                           &copy);
    if (run->mode >= THRONG_DRAW_INDIRECT) {
        PASS(run, {at->counters, THG_COPY_FROM}, {at->counts_back, THG_COPY_TO});
        VkBufferCopy all = {.size = drawing->counters.size};
        vkCmdCopyBuffer(run->commands, drawing->counters.buffer, drawing->counts_back.buffer, 1,
                        &all);
        PASS(run, {at->counts_back, THG_CPU_READ});
    }
    PASS(run, {at->picture_back, THG_CPU_READ});
}

// ---- The frame ----------------------------------------------------------------------------------

void thg_record_frame(thg_frame_run *run)
{
    throng_drawing *drawing = run->drawing;
    thg_graph_begin(&drawing->graph);
    thg_graph_discard(&drawing->graph, drawing->at.colour);
    thg_graph_discard(&drawing->graph, drawing->at.depth);
    // What the last frame wrote: its fence has been waited for, and caches must know it.
    VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                           .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                           .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(run->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, NULL, 0, NULL);
    vkCmdResetQueryPool(run->commands, drawing->queries, 0, 2);
    vkCmdWriteTimestamp(run->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, drawing->queries, 0);
    bool device = run->mode >= THRONG_DRAW_INDIRECT;
    const VkDescriptorSet *set = device ? &drawing->device_set : &drawing->cpu_set;
    vkCmdBindDescriptorSets(run->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, drawing->layout, 0, 1,
                            set, 0, NULL);
    vkCmdBindDescriptorSets(run->commands, VK_PIPELINE_BIND_POINT_COMPUTE, drawing->layout, 0, 1,
                            set, 0, NULL);
    if (device) {
        upload_agents(run);
        cull(run, run->mode == THRONG_DRAW_GPU_DRIVEN ? 1 : 0);
    }
    draw_first(run);
    if (run->mode == THRONG_DRAW_GPU_DRIVEN) {
        build_pyramid(run);
        cull(run, 2);
        draw_second(run);
    }
    vkCmdWriteTimestamp(run->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, drawing->queries, 1);
    bring_back(run);
}
