#version 450
layout(set = 0, binding = 0) uniform sampler2D letters;
layout(location = 0) in vec2 at;
layout(location = 1) in vec4 colour;
layout(location = 0) out vec4 picture;

void main()
{
    picture = colour * texture(letters, at);
}
