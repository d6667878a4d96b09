#version 450
#extension GL_GOOGLE_include_directive : require
// One level of the depth pyramid: the farthest of what lies under each texel.
#include "common.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform Push { int level; } push;
layout(set = 0, binding = 6, std430) buffer Pyramid { float pyramid[]; };
layout(set = 0, binding = 7) uniform sampler2D depth;

void main()
{
    int from = 0, start = 0;
    ivec2 below = frame.screen.xy, size = frame.screen.zw;
    for (int i = 0; i < push.level; i++) {
        from = start;
        start += size.x * size.y;
        below = size;
        size = max(size / 2, ivec2(1));
    }
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, size))) {
        return;
    }
    // Whatever a texel overlaps counts, so no size needs to be a power of two. That is four each way
    // at most; fewer come twice.
    ivec2 first = at * below / size, last = min(((at + 1) * below + size - 1) / size, below) - 1;
    float farthest = 0.0;
    for (int i = 0; i < 16; i++) {
        ivec2 from_at = min(first + ivec2(i & 3, i >> 2), last);
        farthest = max(farthest, push.level == 0 ? texelFetch(depth, from_at, 0).r
                                                 : pyramid[from + from_at.y * below.x + from_at.x]);
    }
    pyramid[start + at.y * size.x + at.x] = farthest;
}
