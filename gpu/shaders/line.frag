#version 450
layout(location = 0) in vec4 colour;
layout(location = 1) in float across;
layout(location = 0) out vec4 picture;

void main()
{
    picture = vec4(colour.rgb, colour.a * (1.0 - smoothstep(0.7, 1.0, abs(across))));
}
