#version 450
#extension GL_GOOGLE_include_directive : require
// The ground as one large square, and the tops of all walls as another.
#include "common.glsl"
layout(location = 0) out vec3 place;
layout(location = 1) flat out int top;

void main()
{
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1);
    vec2 extent = vec2(frame.cells.xy) * frame.ground.z;
    top = gl_InstanceIndex;
    // The plain goes on beyond the map until haze takes it.
    float beyond = top != 0 ? 0.0 : frame.sun.w * 4.0;
    place = vec3(frame.ground.xy - beyond + corner * (extent + 2.0 * beyond),
                 top != 0 ? frame.ground.w : 0.0);
    gl_Position = frame.view_projection * vec4(place, 1);
}
