#version 450
#extension GL_GOOGLE_include_directive : require
// Colours of the cells; walls throw shadows and take the sky from the ground beside them.
#include "common.glsl"
#include "light.glsl"
layout(location = 0) in vec3 place;
layout(location = 1) flat in int top;
layout(location = 0) out vec4 picture;

// Share of the sun that reaches a point of the ground: a few looks along the way to it.
float sunlight(vec2 point)
{
    float reach = frame.ground.w / max(frame.sun.z, 0.05);
    float dark = 0.0;
    for (int i = 1; i <= 10; i++) {
        float along = float(i) / 10.0;
        vec2 at = ground_at(point + frame.sun.xy * reach * along);
        dark = max(dark, textureLod(ground_colours, at, 0.5 + along).a *
                             smoothstep(1.0, 0.75, along));
    }
    return 1.0 - dark;
}

// Lines every ten metres, so that distances can be read.
float grid(vec2 point, float width)
{
    vec2 off = abs(fract(point / 10.0 + 0.5) - 0.5) * 10.0;
    vec2 blur = width + fwidth(point);
    vec2 line = (1.0 - smoothstep(vec2(0.0), blur, off)) * width / blur;
    return max(line.x, line.y);
}

void main()
{
    vec2 at = ground_at(place.xy);
    vec4 cell = texture(ground_colours, at);
    bool outside = any(lessThan(at, vec2(0))) || any(greaterThan(at, vec2(1)));
    if (top != 0 && (outside || textureLod(ground_colours, at, 0.0).a < 0.5)) {
        discard;
    }
    vec3 colour = outside ? vec3(0.42, 0.41, 0.39) : decoded(cell.rgb);
    float sun = 1.0, open = 1.0;
    if (top == 0) {
        colour *= 1.0 - 0.28 * grid(place.xy, 0.06);
        if (!outside) {
            sun = sunlight(place.xy);
            open = 1.0 - 0.45 * textureLod(ground_colours, at, 2.0).a;
        }
    } else {
        colour = mix(vec3(0.62, 0.60, 0.58), colour, 0.25) * 1.08;
    }
    picture = vec4(encoded(hazy(lit(colour, vec3(0, 0, 1), sun, open), place)), 1);
}
