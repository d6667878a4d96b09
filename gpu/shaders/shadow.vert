#version 450
#extension GL_GOOGLE_include_directive : require
// The shadow of a standing figure on the ground: long, away from the sun, soft.
#include "common.glsl"
layout(set = 0, binding = 2, std430) readonly buffer Poses { Pose poses[]; };
layout(set = 0, binding = 3, std430) readonly buffer Order { uint order[]; };
layout(location = 0) out vec3 place;
layout(location = 1) out vec2 along; // 0 at the feet, 1 at the head; across -1..1

void main()
{
    Pose pose = poses[order[gl_InstanceIndex]];
    float size = pose.place.z;
    vec2 away = -normalize(frame.sun.xy), side = vec2(-away.y, away.x);
    float reach = 1.75 * length(frame.sun.xy) / max(frame.sun.z, 0.2);
    float t = float(gl_VertexIndex & 1), across = float(gl_VertexIndex >> 1 & 1) * 2.0 - 1.0;
    along = vec2(mix(-0.2, 1.08, t), across * 1.4);
    float width = pose.look.y == 2u ? 0.42 : 0.28;
    vec2 off = away * along.x * reach + side * along.y * width;
    place = vec3(pose.place.xy + off * size, 0.02);
    gl_Position = frame.view_projection * vec4(place, 1);
}
