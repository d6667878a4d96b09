#version 450
// Panels: corners in pixels of the window.
layout(location = 0) in vec2 place;
layout(location = 1) in vec2 sheet;
layout(location = 2) in vec4 ink;
layout(push_constant) uniform Push { vec2 size; } push;
layout(location = 0) out vec2 at;
layout(location = 1) out vec4 colour;

void main()
{
    at = sheet;
    colour = ink;
    gl_Position = vec4(place / push.size * 2.0 - 1.0, 0.0, 1.0);
}
