/// What the CPU's modes do by themselves, and the device's do in culling.glsl: the same sums.
#include "drawing.h"
#include <math.h>

float thg_agent_size(const throng_drawn_agent *agent)
{
    float radius = agent->radius;
    float size = radius < 0.2f ? radius / 0.2f : fmaxf(1.0f, radius / 0.45f);
    return size * (0.93f + 0.14f * (float)(agent->seed & 255u) / 255.0f);
}

float thg_shown_size(const float *eye, float size, const float *place)
{
    float x = eye[0] - place[0], y = eye[1] - place[1], z = eye[2] - 0.9f;
    float least = THG_LEAST_PIXELS * sqrtf(x * x + y * y + z * z) / (eye[3] * 1.75f);
    return size >= least ? size : least;
}

void thg_agent_centre(const throng_drawn_agent *agent, float share, float size, float *centre)
{
    centre[0] = agent->last_x + (agent->x - agent->last_x) * share;
    centre[1] = agent->last_y + (agent->y - agent->last_y) * share;
    centre[2] = THG_BOUND_HEIGHT * size;
}

static int level_of(const throng_drawing *drawing, const float *centre, float size)
{
    const float *eye = drawing->data.eye;
    float dx = centre[0] - eye[0], dy = centre[1] - eye[1], dz = centre[2] - eye[2];
    float pixels = 1.8f * size * eye[3] / fmaxf(sqrtf(dx * dx + dy * dy + dz * dz), 1e-3f);
    return pixels > 120.0f ? 0 : pixels > 45.0f ? 1 : pixels > 14.0f ? 2 : 3;
}

static thg_pose pose_of(const throng_drawn_agent *agent, float share, float size,
                        const float *centre)
{
    const float turn_round = 6.2831853f;
    float turn = agent->heading - agent->last_heading;
    turn -= turn_round * floorf(turn / turn_round + 0.5f);
    float heading = agent->last_heading + turn * share;
    float walked = agent->last_walked + (agent->walked - agent->last_walked) * share;
    float cycle = walked / (THG_STRIDE * size);
    float strides = (agent->walked - agent->last_walked) / 0.015f;
    strides = strides < 0.0f ? 0.0f : strides > 1.0f ? 1.0f : strides;
    return (thg_pose){{centre[0], centre[1], size, cycle - floorf(cycle)},
                      {cosf(heading), sinf(heading), strides, agent->radius},
                      {agent->tint, agent->figure, agent->seed, 0}};
}

void thg_pose_all(throng_drawing *drawing, float share, uint32_t *counts)
{
    const throng_drawn_agent *agents = drawing->agents.mapped;
    thg_pose *poses = drawing->poses.mapped;
    uint32_t *order = drawing->order.mapped;
    uint32_t most = (uint32_t)drawing->max_agents;
    for (int i = 0; i < THG_COUNTERS; i++) {
        counts[i] = 0;
    }
    for (int i = 0; i < drawing->agent_count; i++) {
        float size = thg_agent_size(&agents[i]), centre[3];
        thg_agent_centre(&agents[i], share, size, centre);
        poses[i] = pose_of(&agents[i], share, size, centre);
        int level = level_of(drawing, centre, size);
        order[(uint32_t)level * most + counts[level]++] = (uint32_t)i;
        if (level < THRONG_FIGURE_LEVELS - 1) {
            order[4u * most + counts[4]++] = (uint32_t)i;
        }
    }
}
