/// The graph of passes: barriers follow from what passes say that they read and write.
///
/// For each resource it remembers the last write, who has waited for it, and who has read since. A
/// reader waits once for the last write; a writer waits for the last write and for all readers; an
/// image's change of layout counts as a write. Two frames never overlap, so a frame's first barrier
/// waits for nothing older.
#include "gpu.h"
#include <string.h>

typedef struct use_rule {
    VkPipelineStageFlags stages;
    VkAccessFlags accesses;
    VkImageLayout layout;
    bool writes;
} use_rule;

#define DRAWING_SHADERS                                                                            \
    (VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT)
#define DEPTH_STAGES                                                                               \
    (VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT)

static const use_rule rules[THG_USE_COUNT] = {
    [THG_COMPUTE_READ] = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                          VK_IMAGE_LAYOUT_GENERAL, false},
    [THG_COMPUTE_WRITE] = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
                           VK_IMAGE_LAYOUT_GENERAL, true},
    [THG_DRAW_READ] = {DRAWING_SHADERS, VK_ACCESS_SHADER_READ_BIT, VK_IMAGE_LAYOUT_GENERAL, false},
    [THG_SAMPLE] = {DRAWING_SHADERS, VK_ACCESS_SHADER_READ_BIT,
                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, false},
    [THG_COMPUTE_SAMPLE] = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, false},
    [THG_ARGUMENTS] = {VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, VK_ACCESS_INDIRECT_COMMAND_READ_BIT,
                       VK_IMAGE_LAYOUT_UNDEFINED, false},
    [THG_COLOUR] = {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                    VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                    VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, true},
    [THG_DEPTH] = {DEPTH_STAGES,
                   VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                       VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                   VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, true},
    [THG_COPY_FROM] = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT,
                       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, false},
    [THG_COPY_TO] = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                     VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, true},
    [THG_CPU_READ] = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT,
                      VK_IMAGE_LAYOUT_UNDEFINED, false},
    [THG_SHOW] = {VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, false},
};

bool thg_use_writes(thg_use use)
{
    return rules[use].writes;
}

void thg_graph_clear(thg_graph *graph)
{
    memset(graph, 0, sizeof *graph);
}

static int add(thg_graph *graph, const char *name, VkBuffer buffer, const thg_picture *image)
{
    int index = graph->resource_count++;
    graph->resources[index] = (thg_resource){.name = name, .buffer = buffer, .image = image};
    return index;
}

int thg_graph_add_buffer(thg_graph *graph, const char *name, VkBuffer buffer)
{
    return add(graph, name, buffer, NULL);
}

int thg_graph_add_image(thg_graph *graph, const char *name, const thg_picture *image)
{
    return add(graph, name, VK_NULL_HANDLE, image);
}

void thg_graph_begin(thg_graph *graph)
{
    graph->pass_count = graph->barrier_count = 0;
    for (int i = 0; i < graph->resource_count; i++) {
        graph->resources[i].last_write = THG_USE_NONE;
        graph->resources[i].seen = graph->resources[i].readers = 0;
    }
}

/// The uses that `to` has to wait for, as bits; *layout tells whether the image's layout changes.
static uint32_t waits_for(const thg_resource *resource, thg_use to, bool *layout)
{
    const use_rule *rule = &rules[to];
    *layout = resource->image != NULL && resource->layout != rule->layout;
    uint32_t write = resource->last_write != THG_USE_NONE ? 1u << resource->last_write : 0;
    if (rule->writes || *layout) {
        return write | resource->readers;
    }
    return (resource->seen >> to & 1u) != 0 ? 0 : write;
}

/// The barriers of one pass, which become one command.
typedef struct pass_barriers {
    VkPipelineStageFlags from, to;
    VkBufferMemoryBarrier buffers[THG_MAX_USES];
    VkImageMemoryBarrier images[THG_MAX_USES];
    uint32_t buffer_count, image_count;
} pass_barriers;

static void add_barrier(pass_barriers *barriers, const thg_resource *resource, uint32_t from,
                        thg_use to, bool layout)
{
    VkAccessFlags written = 0;
    for (int use = 1; use < THG_USE_COUNT; use++) {
        if ((from >> use & 1u) != 0) {
            barriers->from |= rules[use].stages;
            written |= rules[use].writes ? rules[use].accesses : 0;
        }
    }
    barriers->to |= rules[to].stages;
    if (resource->image == NULL) {
        barriers->buffers[barriers->buffer_count++] =
            (VkBufferMemoryBarrier){.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                    .srcAccessMask = written,
                                    .dstAccessMask = rules[to].accesses,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .buffer = resource->buffer,
                                    .size = VK_WHOLE_SIZE};
        return;
    }
    barriers->images[barriers->image_count++] = (VkImageMemoryBarrier){
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = written,
        .dstAccessMask = rules[to].accesses,
        .oldLayout = resource->layout,
        .newLayout = layout ? rules[to].layout : resource->layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = resource->image->image,
        .subresourceRange = {resource->image->aspect, 0, (uint32_t)resource->image->levels, 0, 1}};
}

static void touch(thg_graph *graph, pass_barriers *barriers, thg_access access)
{
    thg_resource *resource = &graph->resources[access.resource];
    bool layout;
    uint32_t from = waits_for(resource, access.use, &layout);
    if (from != 0 || layout) {
        if (graph->barrier_count < THG_MAX_BARRIERS) {
            graph->barriers[graph->barrier_count++] =
                (thg_barrier){graph->pass_count, access.resource, resource->last_write, access.use};
        }
        add_barrier(barriers, resource, from, access.use, layout);
    }
    if (layout) {
        resource->layout = rules[access.use].layout;
    }
    if (rules[access.use].writes) {
        resource->last_write = access.use;
        resource->seen = resource->readers = 0;
    } else {
        // Others wait for the change of layout as for a write: they come after this reader.
        if (layout) {
            resource->seen = 0;
            resource->last_write = access.use;
        }
        resource->seen |= 1u << access.use;
        resource->readers |= 1u << access.use;
    }
}

void thg_graph_discard(thg_graph *graph, int resource)
{
    graph->resources[resource].layout = VK_IMAGE_LAYOUT_UNDEFINED;
}

void thg_graph_pass(thg_graph *graph, VkCommandBuffer commands, const thg_access *accesses,
                    int count)
{
    pass_barriers barriers;
    barriers.from = barriers.to = 0;
    barriers.buffer_count = barriers.image_count = 0;
    for (int i = 0; i < count; i++) {
        touch(graph, &barriers, accesses[i]);
    }
    if (commands != VK_NULL_HANDLE && barriers.to != 0) {
        VkPipelineStageFlags from =
            barriers.from != 0 ? barriers.from : VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
        vkCmdPipelineBarrier(commands, from, barriers.to, 0, 0, NULL, barriers.buffer_count,
                             barriers.buffers, barriers.image_count, barriers.images);
    }
    graph->pass_count++;
}
