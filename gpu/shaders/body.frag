#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "light.glsl"
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 colour;
layout(location = 3) in vec2 card;
layout(location = 4) flat in int flat_card;
layout(location = 0) out vec4 picture;

void main()
{
    vec3 shown = colour, out_of = normalize(normal);
    if (flat_card != 0) {
        // A head, a trunk that narrows, two legs.
        float head = length((card - vec2(0.0, 1.6)) / vec2(0.14, 0.17));
        float across = abs(card.x);
        float trunk = card.y > 0.75 && card.y < 1.45 ? across / mix(0.19, 0.27, (card.y - 0.75) / 0.7)
                                                     : 2.0;
        float legs = card.y <= 0.78 ? across / 0.19 : 2.0;
        if (min(head, min(trunk, legs)) > 1.0) {
            discard;
        }
        shown = flat_card == 2 ? colour
                : head <= 1.0 ? vec3(0.52, 0.36, 0.27) : legs <= 1.0 ? vec3(0.12, 0.12, 0.16) : colour;
    }
    float open = 0.6 + 0.4 * clamp(place.z / 1.2, 0.0, 1.0);
    picture = vec4(encoded(hazy(lit(shown, out_of, 1.0, open), place)), 1);
}
