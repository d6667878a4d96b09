// What all shaders share: the frame, the agents, and how one of them stands at this moment.
struct Agent {
    vec4 now;  // x, y, heading, metres walked
    vec4 last; // the same a step ago
    float radius;
    uint tint;
    uint figure;
    uint seed;
};

struct Pose {
    vec4 place; // x, y, size, share of the stride
    vec4 turn;  // cosine and sine of the heading, how much it strides, radius
    uvec4 look; // tint, figure, seed, 0
};

struct Vertex {
    vec4 place;  // metres at size 1; w: the part of the body
    vec4 normal; // w: what it is made of
};

struct Line {
    vec4 from; // w: width
    vec4 to;   // w: colour's bits
};

layout(set = 0, binding = 0, std140) uniform Frame {
    mat4 view_projection;
    mat4 previous; // of the frame that the depth pyramid is of
    vec4 eye;      // w: pixels of a metre at a metre's distance
    vec4 right;    // the camera's; w: share of the step
    vec4 planes[6];
    vec4 sun;      // towards it; w: metres where haze is half
    vec4 ground;   // x, y of its corner, size of a cell, height of walls
    ivec4 cells;   // columns, rows; agents; most agents
    ivec4 screen;  // width, height; of the pyramid's first level
    ivec4 pyramid; // levels; 1 when the previous one counts
    vec4 haze;     // colour
} frame;

#define STRIDE 1.5     // metres of two steps at size 1
#define BOUND_HEIGHT 0.95
#define BOUND_RADIUS 1.15

#define LEAST_PIXELS 5.0 // of an impostor: far away it is a sign rather than a likeness

// How large a figure is drawn that stands at `place`.
float shown_size(float size, vec2 place)
{
    precise vec3 way = frame.eye.xyz - vec3(place, 0.9);
    precise float away = sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
    precise float least = LEAST_PIXELS * away / (frame.eye.w * 1.75);
    return max(size, least);
}

float size_of(float radius, uint seed)
{
    float size = radius < 0.2 ? radius / 0.2 : max(1.0, radius / 0.45);
    return size * (0.93 + 0.14 * float(seed & 255u) / 255.0);
}
