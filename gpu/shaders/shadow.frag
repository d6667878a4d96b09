#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
layout(location = 0) in vec3 place;
layout(location = 1) in vec2 along;
layout(location = 0) out vec4 picture;

void main()
{
    float blur = 0.25 + 0.45 * clamp(along.x, 0.0, 1.0);
    float width = mix(0.9, 0.5, smoothstep(0.72, 0.92, along.x));
    float inside = 1.0 - smoothstep(width - blur, width + blur, abs(along.y));
    float ends = smoothstep(-0.2, 0.05, along.x) * (1.0 - smoothstep(0.92, 1.08, along.x));
    float far = distance(place, frame.eye.xyz) / frame.sun.w;
    picture = vec4(0.05, 0.05, 0.12, 0.42 * inside * ends * exp2(-far * far));
}
