#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "light.glsl"
layout(location = 0) in vec3 place;
layout(location = 1) flat in vec3 normal;
layout(location = 0) out vec4 picture;

void main()
{
    float up = place.z / max(frame.ground.w, 0.01);
    vec3 colour = vec3(0.58, 0.55, 0.52);
    float open = mix(0.55, 1.0, smoothstep(0.0, 0.8, up)); // darker at the foot
    picture = vec4(encoded(hazy(lit(colour, normal, 1.0, open), place)), 1);
}
