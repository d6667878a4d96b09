/// Pipelines: all with one layout and one kind of descriptor set, so that passes only differ in the
/// pipeline that they bind.
#include "drawing.h"
#include <string.h>

static const uint32_t cull_comp[] = {
#include "shader_cull.comp.inc"
};
static const uint32_t arguments_comp[] = {
#include "shader_arguments.comp.inc"
};
static const uint32_t pyramid_comp[] = {
#include "shader_pyramid.comp.inc"
};
static const uint32_t ground_vert[] = {
#include "shader_ground.vert.inc"
};
static const uint32_t ground_frag[] = {
#include "shader_ground.frag.inc"
};
static const uint32_t walls_vert[] = {
#include "shader_walls.vert.inc"
};
static const uint32_t walls_frag[] = {
#include "shader_walls.frag.inc"
};
static const uint32_t body_vert[] = {
#include "shader_body.vert.inc"
};
static const uint32_t body_frag[] = {
#include "shader_body.frag.inc"
};
static const uint32_t shadow_vert[] = {
#include "shader_shadow.vert.inc"
};
static const uint32_t shadow_frag[] = {
#include "shader_shadow.frag.inc"
};
static const uint32_t line_vert[] = {
#include "shader_line.vert.inc"
};
static const uint32_t line_frag[] = {
#include "shader_line.frag.inc"
};

typedef struct shader {
    const uint32_t *words;
    size_t size;
} shader;

#define SHADER(name)                                                                               \
    {                                                                                              \
        name, sizeof name                                                                          \
    }

/// Compute pipelines have one shader, the others two.
static const shader shaders[THG_PIPE_COUNT][2] = {
    [THG_PIPE_CULL] = {SHADER(cull_comp)},
    [THG_PIPE_ARGUMENTS] = {SHADER(arguments_comp)},
    [THG_PIPE_PYRAMID] = {SHADER(pyramid_comp)},
    [THG_PIPE_GROUND] = {SHADER(ground_vert), SHADER(ground_frag)},
    [THG_PIPE_WALLS] = {SHADER(walls_vert), SHADER(walls_frag)},
    [THG_PIPE_BODY] = {SHADER(body_vert), SHADER(body_frag)},
    [THG_PIPE_SHADOW] = {SHADER(shadow_vert), SHADER(shadow_frag)},
    [THG_PIPE_LINE] = {SHADER(line_vert), SHADER(line_frag)},
};

static bool make_module(VkDevice device, const shader *code, VkShaderModule *module)
{
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = code->size,
                                     .pCode = code->words};
    return vkCreateShaderModule(device, &info, NULL, module) == VK_SUCCESS;
}

static VkPipelineShaderStageCreateInfo stage_of(VkShaderStageFlagBits stage, VkShaderModule module)
{
    return (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage,
        .module = module,
        .pName = "main"};
}

static bool make_compute(throng_drawing *drawing, thg_pipeline which)
{
    VkDevice device = drawing->gpu->device;
    VkShaderModule module;
    if (!make_module(device, &shaders[which][0], &module)) {
        return false;
    }
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .stage = stage_of(VK_SHADER_STAGE_COMPUTE_BIT, module),
                                        .layout = drawing->layout};
    VkResult result = vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL,
                                               &drawing->pipelines[which]);
    vkDestroyShaderModule(device, module, NULL);
    return result == VK_SUCCESS;
}

/// Shadows and lines are see-through: they blend and leave the depth as it was.
static VkResult make_graphics(throng_drawing *drawing, thg_pipeline which,
                              const VkPipelineShaderStageCreateInfo *stages)
{
    bool clear = which == THG_PIPE_SHADOW || which == THG_PIPE_LINE;
    VkPipelineVertexInputStateCreateInfo no_input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    if (which != THG_PIPE_BODY && which != THG_PIPE_SHADOW) {
        assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP; // squares without indices
    }
    VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1};
    VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .polygonMode = VK_POLYGON_MODE_FILL,
        .cullMode = VK_CULL_MODE_NONE,
        .frontFace = VK_FRONT_FACE_CLOCKWISE,
        .lineWidth = 1.0f};
    VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = VK_TRUE,
        .depthWriteEnable = !clear,
        .depthCompareOp = VK_COMPARE_OP_LESS};
    VkPipelineColorBlendAttachmentState blend = {
        .blendEnable = clear,
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
        .pColorAttachmentFormats = &drawing->colour.format,
        .depthAttachmentFormat = drawing->depth.format};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = &rendering,
                                         .stageCount = 2,
                                         .pStages = stages,
                                         .pVertexInputState = &no_input,
                                         .pInputAssemblyState = &assembly,
                                         .pViewportState = &viewport,
                                         .pRasterizationState = &raster,
                                         .pMultisampleState = &samples,
                                         .pDepthStencilState = &depth,
                                         .pColorBlendState = &blending,
                                         .pDynamicState = &dynamic,
                                         .layout = drawing->layout};
    return vkCreateGraphicsPipelines(drawing->gpu->device, VK_NULL_HANDLE, 1, &info, NULL,
                                     &drawing->pipelines[which]);
}

static bool make_drawing_pipeline(throng_drawing *drawing, thg_pipeline which)
{
    VkDevice device = drawing->gpu->device;
    VkShaderModule vertex, fragment;
    if (!make_module(device, &shaders[which][0], &vertex)) {
        return false;
    }
    if (!make_module(device, &shaders[which][1], &fragment)) {
        vkDestroyShaderModule(device, vertex, NULL);
        return false;
    }
    VkPipelineShaderStageCreateInfo stages[2] = {stage_of(VK_SHADER_STAGE_VERTEX_BIT, vertex),
                                                 stage_of(VK_SHADER_STAGE_FRAGMENT_BIT, fragment)};
    VkResult result = make_graphics(drawing, which, stages);
    vkDestroyShaderModule(device, vertex, NULL);
    vkDestroyShaderModule(device, fragment, NULL);
    return result == VK_SUCCESS;
}

static VkDescriptorType type_of(int binding)
{
    return binding == THG_BIND_FRAME ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
           : binding == THG_BIND_DEPTH || binding == THG_BIND_GROUND
               ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
               : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static bool make_sets(throng_drawing *drawing)
{
    VkDevice device = drawing->gpu->device;
    VkDescriptorSetLayoutBinding bindings[THG_BIND_COUNT];
    memset(bindings, 0, sizeof bindings);
    for (int i = 0; i < THG_BIND_COUNT; i++) {
        bindings[i].binding = (uint32_t)i;
        bindings[i].descriptorType = type_of(i);
        bindings[i].descriptorCount = 1;
        bindings[i].stageFlags =
            VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    }
    VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = THG_BIND_COUNT,
        .pBindings = bindings};
    VkDescriptorPoolSize sizes[3] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2},
                                     {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 4},
                                     {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 * THG_BIND_COUNT}};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = 2,
                                       .poolSizeCount = 3,
                                       .pPoolSizes = sizes};
    if (vkCreateDescriptorSetLayout(device, &layout, NULL, &drawing->set_layout) != VK_SUCCESS ||
        vkCreateDescriptorPool(device, &pool, NULL, &drawing->pool) != VK_SUCCESS) {
        return false;
    }
    VkDescriptorSetLayout layouts[2] = {drawing->set_layout, drawing->set_layout};
    VkDescriptorSet sets[2];
    VkDescriptorSetAllocateInfo take = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = drawing->pool,
                                        .descriptorSetCount = 2,
                                        .pSetLayouts = layouts};
    if (vkAllocateDescriptorSets(device, &take, sets) != VK_SUCCESS) {
        return false;
    }
    drawing->cpu_set = sets[0];
    drawing->device_set = sets[1];
    VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT, 0, 80};
    VkPipelineLayoutCreateInfo all = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                      .setLayoutCount = 1,
                                      .pSetLayouts = &drawing->set_layout,
                                      .pushConstantRangeCount = 1,
                                      .pPushConstantRanges = &push};
    return vkCreatePipelineLayout(device, &all, NULL, &drawing->layout) == VK_SUCCESS;
}

bool thg_pipelines_create(throng_drawing *drawing)
{
    if (!make_sets(drawing)) {
        return false;
    }
    for (int i = 0; i < THG_PIPE_COUNT; i++) {
        if (!(i < THG_FIRST_DRAWING_PIPE ? make_compute(drawing, (thg_pipeline)i)
                                         : make_drawing_pipeline(drawing, (thg_pipeline)i))) {
            return false;
        }
    }
    return true;
}

void thg_pipelines_destroy(throng_drawing *drawing)
{
    VkDevice device = drawing->gpu->device;
    for (int i = 0; i < THG_PIPE_COUNT; i++) {
        vkDestroyPipeline(device, drawing->pipelines[i], NULL);
    }
    vkDestroyPipelineLayout(device, drawing->layout, NULL);
    vkDestroyDescriptorPool(device, drawing->pool, NULL);
    vkDestroyDescriptorSetLayout(device, drawing->set_layout, NULL);
}

static void write_set(throng_drawing *drawing, VkDescriptorSet set, bool device)
{
    const thg_buffer *buffers[THG_BIND_COUNT] = {
        [THG_BIND_FRAME] = &drawing->frame,
        [THG_BIND_AGENTS] = &drawing->agents_device,
        [THG_BIND_POSES] = device ? &drawing->poses_device : &drawing->poses,
        [THG_BIND_ORDER] = device ? &drawing->order_device : &drawing->order,
        [THG_BIND_COUNTERS] = &drawing->counters,
        [THG_BIND_ARGUMENTS] = &drawing->arguments,
        [THG_BIND_PYRAMID] = &drawing->pyramid,
        [THG_BIND_VERTICES] = &drawing->vertices,
        [THG_BIND_LINES] = &drawing->lines,
        [THG_BIND_REJECTED] = &drawing->rejected,
        [THG_BIND_SIDES] = &drawing->sides,
    };
    VkDescriptorBufferInfo infos[THG_BIND_COUNT];
    VkDescriptorImageInfo images[THG_BIND_COUNT];
    VkWriteDescriptorSet writes[THG_BIND_COUNT];
    memset(writes, 0, sizeof writes);
    for (int i = 0; i < THG_BIND_COUNT; i++) {
        writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        writes[i].dstSet = set;
        writes[i].dstBinding = (uint32_t)i;
        writes[i].descriptorCount = 1;
        writes[i].descriptorType = type_of(i);
        if (buffers[i] != NULL) {
            infos[i] = (VkDescriptorBufferInfo){buffers[i]->buffer, 0, VK_WHOLE_SIZE};
            writes[i].pBufferInfo = &infos[i];
        } else {
            bool ground = i == THG_BIND_GROUND;
            images[i] =
                (VkDescriptorImageInfo){ground ? drawing->ground_sampler : drawing->near_sampler,
                                        ground ? drawing->ground.view : drawing->depth.view,
                                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
            writes[i].pImageInfo = &images[i];
        }
    }
    vkUpdateDescriptorSets(drawing->gpu->device, THG_BIND_COUNT, writes, 0, NULL);
}

void thg_descriptors_write(throng_drawing *drawing)
{
    drawing->binding_version++; // commands that were recorded with the sets may not be used again
    write_set(drawing, drawing->cpu_set, false);
    write_set(drawing, drawing->device_set, true);
}
