#version 450
#extension GL_GOOGLE_include_directive : require
// Turns the counts of a pass into arguments: one call for each level that has any, then the count.
#include "common.glsl"
layout(local_size_x = 1) in;
layout(push_constant) uniform Push {
    int pass; // 0: first, 1: second
    int unused;
    ivec4 first_index, index_count, vertex_offset; // of the levels
    ivec2 shadow;                                  // first index and count of its quad
} push;
layout(set = 0, binding = 4, std430) readonly buffer Counters { uint counters[16]; };
layout(set = 0, binding = 5, std430) writeonly buffer Arguments { uint arguments[]; };

void write(uint at, uint count, int indices, int first, int offset, uint instance)
{
    arguments[at] = uint(indices);
    arguments[at + 1] = count;
    arguments[at + 2] = uint(first);
    arguments[at + 3] = uint(offset);
    arguments[at + 4] = instance;
}

void main()
{
    uint most = uint(frame.cells.w), base = uint(push.pass) * 8u, at = uint(push.pass) * 32u;
    uint calls = 0;
    for (int level = 0; level < 4; level++) {
        uint count = counters[base + level];
        if (count > 0) {
            uint first = push.pass == 0 ? 0u : most - count;
            write(at + calls * 5u, count, push.index_count[level], push.first_index[level],
                  push.vertex_offset[level], uint(level) * most + first);
            calls++;
        }
    }
    uint shadows = counters[base + 4];
    write(at + 20u, shadows, push.shadow.y, push.shadow.x, 0,
          4u * most + (push.pass == 0 ? 0u : most - shadows));
    arguments[at + 25u] = calls;
}
