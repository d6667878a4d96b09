#version 450
#extension GL_GOOGLE_include_directive : require
// The sides of walls: one instance for each straight run of cells.
#include "common.glsl"
struct Side { vec4 run; }; // from x, y to x, y
layout(set = 0, binding = 12, std430) readonly buffer Sides { Side sides[]; };
layout(location = 0) out vec3 place;
layout(location = 1) flat out vec3 normal;

void main()
{
    vec4 run = sides[gl_InstanceIndex].run;
    float along = float(gl_VertexIndex & 1), up = float(gl_VertexIndex >> 1 & 1);
    place = vec3(mix(run.xy, run.zw, along), up * frame.ground.w);
    vec2 way = normalize(run.zw - run.xy);
    normal = vec3(way.y, -way.x, 0); // runs go round so that this is the outside
    gl_Position = frame.view_projection * vec4(place, 1);
}
