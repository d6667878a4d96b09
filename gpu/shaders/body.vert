#version 450
#extension GL_GOOGLE_include_directive : require
// One agent an instance. Legs swing by the distance walked: while a foot stands, it moves back
// under the body exactly as far as the body moves on.
#include "common.glsl"
layout(set = 0, binding = 2, std430) readonly buffer Poses { Pose poses[]; };
layout(set = 0, binding = 3, std430) readonly buffer Order { uint order[]; };
layout(set = 0, binding = 9, std430) readonly buffer Vertices { Vertex vertices[]; };
layout(push_constant) uniform Push { int figure_vertices; } push;
layout(location = 0) out vec3 place;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec3 colour;
layout(location = 3) out vec2 card; // of an impostor
layout(location = 4) flat out int flat_card;

const float leg = 0.86; // metres from hip to sole

// Where the foot is before or behind the hip, and how high; share of the stride from touchdown.
vec2 foot(float share)
{
    float half_step = STRIDE * 0.25;
    if (share < 0.5) {
        return vec2(half_step * (1.0 - 4.0 * share), 0.0);
    }
    float back = (share - 0.5) * 2.0;
    float eased = back * back * (3.0 - 2.0 * back);
    return vec2(half_step * (2.0 * eased - 1.0), 0.16 * sin(3.14159 * back));
}

vec3 made_of(int kind, uvec4 look)
{
    vec3 tint = pow(unpackUnorm4x8(look.x).rgb, vec3(2.2));
    float other = float(look.z >> 8 & 255u) / 255.0, third = float(look.z >> 16 & 255u) / 255.0;
    const vec3 light_skin = vec3(0.78, 0.56, 0.43), dark_skin = vec3(0.22, 0.12, 0.08);
    if (kind == 0) {
        return tint * (0.82 + 0.36 * other);
    }
    if (kind == 1) {
        return look.y == 3u ? vec3(0.36, 0.47, 0.30) : mix(light_skin, dark_skin, third * third);
    }
    if (kind == 2) {
        vec3 cloth = mix(vec3(0.08, 0.10, 0.17), vec3(0.26, 0.22, 0.18), third);
        return look.y == 1u ? tint * 0.55 : cloth * (0.7 + 0.6 * other);
    }
    if (kind == 3) {
        return vec3(0.13, 0.14, 0.14);
    }
    return mix(vec3(0.05, 0.03, 0.02), vec3(0.42, 0.28, 0.14), other * third);
}

void main()
{
    Pose pose = poses[order[gl_InstanceIndex]];
    Vertex vertex = vertices[int(pose.look.y) * push.figure_vertices + gl_VertexIndex];
    int part = int(vertex.place.w + 0.5), kind = int(vertex.normal.w + 0.5);
    vec3 at = vertex.place.xyz, out_of = vertex.normal.xyz;
    float size = pose.place.z;
    flat_card = 0;
    card = vec2(0);
    colour = made_of(kind, pose.look);
    if (part == 6) {
        // An impostor faces the camera; x is across, z is up.
        vec3 side = frame.right.xyz;
        card = at.xz;
        flat_card = 1;
        float shown = shown_size(size, pose.place.xy);
        flat_card = shown > 2.0 * size ? 2 : 1; // so small, only its colour counts
        size = shown;
        normal = normalize(vec3(frame.eye.xy - pose.place.xy, 0.6));
        vec3 eye_way = normalize(frame.eye.xyz - vec3(pose.place.xy, size));
        // Seen from above a standing card would be a line: lean it back.
        vec3 up = normalize(cross(eye_way, side));
        up = up.z < 0.0 ? -up : up;
        place = vec3(pose.place.xy, 0.05) + size * (side * at.x + up * at.z * max(up.z, 0.45));
        gl_Position = frame.view_projection * vec4(place, 1);
        return;
    }
    float strides = pose.turn.z, share = pose.place.w;
    float standing = asin(foot(share < 0.5 ? share : share - 0.5).x * strides / leg);
    float drop = leg * (1.0 - cos(standing)); // the body sinks as the standing leg leans
    if (part == 1 || part == 2) {
        vec2 sole = foot(fract(share + (part == 1 ? 0.0 : 0.5))) * strides;
        float lean = asin(clamp(sole.x / leg, -0.9, 0.9)), down = clamp((leg - at.z) / leg, 0.0, 1.0);
        float c = cos(lean), s = sin(lean), below = leg - at.z;
        at = vec3(at.x * c + below * s, at.y, leg - below * c + at.x * s + sole.y * down);
        out_of = vec3(out_of.x * c - out_of.z * s, out_of.y, out_of.z * c + out_of.x * s);
    } else if ((part == 3 || part == 4) && pose.look.y != 3u) {
        float swing = foot(fract(share + (part == 3 ? 0.5 : 0.0))).x * strides * 0.9;
        float c = cos(swing), s = sin(swing), below = 1.42 - at.z;
        at = vec3(at.x * c + below * s, at.y, 1.42 - below * c + at.x * s);
    }
    at.z -= drop;
    if (pose.look.y == 3u && part != 1 && part != 2) {
        at.y += 0.05 * sin(6.2832 * share) * at.z; // zombies sway
    }
    vec2 ahead = pose.turn.xy;
    at *= size;
    place = vec3(pose.place.xy + ahead * at.x + vec2(-ahead.y, ahead.x) * at.y, at.z);
    normal = vec3(ahead * out_of.x + vec2(-ahead.y, ahead.x) * out_of.y, out_of.z);
    gl_Position = frame.view_projection * vec4(place, 1);
}
