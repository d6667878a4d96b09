#version 450
#extension GL_GOOGLE_include_directive : require
// A line with a width: a strip that lies flat, as a road marking does.
#include "common.glsl"
layout(set = 0, binding = 10, std430) readonly buffer Lines { Line lines[]; };
layout(location = 0) out vec4 colour;
layout(location = 1) out float across;

void main()
{
    Line line = lines[gl_InstanceIndex];
    vec3 way = line.to.xyz - line.from.xyz;
    vec3 to_eye = frame.eye.xyz - line.from.xyz;
    vec3 side = cross(way, to_eye);
    side = length(side) < 1e-6 ? vec3(1, 0, 0) : normalize(side);
    across = float(gl_VertexIndex >> 1 & 1) * 2.0 - 1.0;
    vec3 at = (gl_VertexIndex & 1) != 0 ? line.to.xyz : line.from.xyz;
    // At least a pixel and a half, so that it does not fall apart far away.
    float width = max(line.from.w, 1.5 * distance(at, frame.eye.xyz) / frame.eye.w);
    colour = unpackUnorm4x8(floatBitsToUint(line.to.w));
    gl_Position = frame.view_projection * vec4(at + side * across * width * 0.5, 1);
}
