#version 450
#extension GL_GOOGLE_include_directive : require
// One agent an invocation: pose it and list it for its mesh level, if it can be seen.
#include "common.glsl"
#include "culling.glsl"
layout(local_size_x = 128) in;
layout(push_constant) uniform Push { int pass; } push; // 0: all; 1, 2: first and second pass

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index >= uint(frame.cells.z)) {
        return;
    }
    if (push.pass == 2 && rejected[index] == 0) {
        return;
    }
    Agent agent = agents[index];
    float size = size_of(agent.radius, agent.seed);
    vec3 centre = centre_of(agent, size);
    precise float radius = BOUND_RADIUS * size;
    if (push.pass == 1) {
        rejected[index] = 0;
        if (!in_frustum(centre, radius)) {
            return;
        }
        if (frame.pyramid.y != 0 && hidden(centre, radius, frame.previous)) {
            rejected[index] = 1;
            return;
        }
    } else if (push.pass == 2) {
        if (hidden(centre, radius, frame.view_projection)) {
            return;
        }
        rejected[index] = 2; // drawn late, for those who ask
    }
    write_pose(index, agent, size);
    emit(index, centre, size, push.pass == 2 ? 8u : 0u);
}
