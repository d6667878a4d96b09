#version 450
#extension GL_GOOGLE_include_directive : require
// One agent an invocation: pose it and list it for its mesh level, if it can be seen.
#include "common.glsl"
#include "culling.glsl"
layout(local_size_x = 128) in;
layout(push_constant) uniform Push { int pass; } push; // 0: all; 1, 2: first and second pass

#define BODY 1u
#define SHADOW 2u

// Of `asked`, what lies in the frustum and is not hidden; what the pyramid of the last frame hides
// is asked again by the second pass.
uint seen(uint asked, Spheres spheres, out uint later)
{
    uint found = 0;
    later = 0;
    for (uint bit = BODY; bit <= SHADOW; bit <<= 1) {
        vec4 sphere = bit == BODY ? spheres.body : spheres.shadow;
        if ((asked & bit) == 0) {
            continue;
        }
        if (push.pass == 2) {
            found |= hidden(sphere.xyz, sphere.w, frame.view_projection) ? 0u : bit;
        } else if (in_frustum(sphere.xyz, sphere.w)) {
            bool before = frame.pyramid.y != 0 && hidden(sphere.xyz, sphere.w, frame.previous);
            found |= before ? 0u : bit;
            later |= before ? bit : 0u;
        }
    }
    return found;
}

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index >= uint(frame.cells.z)) {
        return;
    }
    uint asked = push.pass == 2 ? rejected[index] : BODY | SHADOW;
    if (asked == 0) {
        return;
    }
    Agent agent = agents[index];
    Spheres spheres = spheres_of(agent);
    int level = level_of(vec3(spheres.place, BOUND_HEIGHT * spheres.size), spheres.size);
    asked &= level < 3 ? ~0u : ~SHADOW; // far away nobody misses it
    uint later = 0;
    if (push.pass != 0) {
        asked = seen(asked, spheres, later);
    }
    if (push.pass == 1) {
        rejected[index] = later;
    }
    if (asked == 0) {
        return;
    }
    uint base = push.pass == 2 ? 8u : 0u;
    write_pose(index, agent, spheres.place, spheres.size);
    if ((asked & BODY) != 0) {
        emit(index, uint(level), base);
    }
    if ((asked & SHADOW) != 0) {
        emit(index, 4u, base);
    }
}
