// Light of a clear afternoon: a warm sun, a blue sky, and haze that swallows the distance.
layout(set = 0, binding = 8) uniform sampler2D ground_colours; // a: share of wall

vec3 lit(vec3 colour, vec3 normal, float sunlight, float openness)
{
    float sun = max(dot(normal, frame.sun.xyz), 0.0) * sunlight;
    float sky = 0.5 + 0.5 * normal.z;
    vec3 light = vec3(1.0, 0.93, 0.82) * sun * 0.85 +
                 mix(vec3(0.34, 0.32, 0.32), vec3(0.50, 0.56, 0.66), sky) * openness;
    return colour * light;
}

vec3 hazy(vec3 colour, vec3 place)
{
    float far = distance(place, frame.eye.xyz) / frame.sun.w;
    return mix(colour, frame.haze.rgb, 1.0 - exp2(-far * far));
}

// The picture is kept as sRGB.
vec3 encoded(vec3 colour)
{
    return pow(clamp(colour, 0.0, 1.0), vec3(1.0 / 2.2));
}

vec3 decoded(vec3 colour)
{
    return pow(colour, vec3(2.2));
}

vec2 ground_at(vec2 place)
{
    return (place - frame.ground.xy) / (frame.ground.z * vec2(frame.cells.xy));
}
