// Poses and tests of single agents. `precise` keeps every rounding as written, so that the CPU can
// do the same sums.
layout(set = 0, binding = 1, std430) readonly buffer Agents { Agent agents[]; };
layout(set = 0, binding = 2, std430) buffer Poses { Pose poses[]; };
layout(set = 0, binding = 3, std430) buffer Order { uint order[]; };
layout(set = 0, binding = 4, std430) buffer Counters { uint counters[16]; };
layout(set = 0, binding = 6, std430) buffer Pyramid { float pyramid[]; };
layout(set = 0, binding = 11, std430) buffer Rejected { uint rejected[]; };

struct Spheres {
    vec2 place;
    float size;
    vec4 body, shadow; // middle, radius
};

// Round all that is drawn of an agent, its shadow apart.
Spheres spheres_of(Agent agent)
{
    Spheres out_;
    out_.size = size_of(agent.radius, agent.seed);
    precise vec2 place = agent.last.xy + (agent.now.xy - agent.last.xy) * frame.right.w;
    float shown = shown_size(out_.size, place);
    precise float height = BOUND_HEIGHT * shown;
    precise float radius = BOUND_RADIUS * shown;
    out_.place = place;
    out_.body = vec4(place, height, radius);
    vec2 reach = 1.75 * frame.sun.xy / max(frame.sun.z, 0.2);
    out_.shadow = vec4(place - 0.44 * out_.size * reach, 0.02,
                       (0.66 * length(reach) + 0.6) * out_.size);
    return out_;
}

bool in_frustum(vec3 centre, float radius)
{
    bool inside = true;
    for (int i = 0; i < 6; i++) {
        precise float distance = frame.planes[i].x * centre.x + frame.planes[i].y * centre.y +
                                 frame.planes[i].z * centre.z + frame.planes[i].w;
        inside = inside && distance >= -radius;
    }
    return inside;
}

// True when all of the sphere lies behind what the pyramid saw through `matrix`.
bool hidden(vec3 centre, float radius, mat4 matrix)
{
    // No loop ends early here: drivers in software have been seen to lose their way in those.
    vec3 low = vec3(1e9), high = vec3(-1e9);
    bool before_camera = true;
    for (int i = 0; i < 8; i++) {
        vec3 corner = centre + radius * vec3((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1,
                                             (i & 4) != 0 ? 1 : -1);
        vec4 clip = matrix * vec4(corner, 1);
        before_camera = before_camera && clip.w >= 1e-3 && clip.z >= 0.0;
        vec3 point = clip.xyz / max(clip.w, 1e-3);
        low = min(low, point);
        high = max(high, point);
    }
    vec2 from = clamp(low.xy * 0.5 + 0.5, 0.0, 1.0), to = clamp(high.xy * 0.5 + 0.5, 0.0, 1.0);
    // What the previous frame did not see may be anywhere now.
    if (!before_camera || any(lessThan(low.xy, vec2(-1))) || any(greaterThan(high.xy, vec2(1)))) {
        return false;
    }
    vec2 texels = (to - from) * vec2(frame.screen.zw);
    // The level where it is no larger than a texel, and so lies on two each way at most.
    ivec2 size = frame.screen.zw;
    int start = 0;
    float most = max(texels.x, texels.y);
    for (int level = 0; level < frame.pyramid.x - 1; level++) {
        if (most > float(1 << level)) {
            start += size.x * size.y;
            size = max(size / 2, ivec2(1));
        }
    }
    ivec2 first = clamp(ivec2(from * vec2(size)), ivec2(0), size - 1);
    ivec2 last = clamp(ivec2(to * vec2(size)), ivec2(0), size - 1);
    float farthest = max(max(pyramid[start + first.y * size.x + first.x],
                             pyramid[start + first.y * size.x + last.x]),
                         max(pyramid[start + last.y * size.x + first.x],
                             pyramid[start + last.y * size.x + last.x]));
    return low.z > farthest;
}

int level_of(vec3 centre, float size)
{
    float pixels = 1.8 * size * frame.eye.w / max(distance(centre, frame.eye.xyz), 1e-3);
    return pixels > 120.0 ? 0 : pixels > 45.0 ? 1 : pixels > 14.0 ? 2 : 3;
}

void write_pose(uint index, Agent agent, vec2 place, float size)
{
    float share = frame.right.w;
    float turn = agent.now.z - agent.last.z;
    turn -= 6.2831853 * floor(turn / 6.2831853 + 0.5);
    float heading = agent.last.z + turn * share;
    float walked = agent.last.w + (agent.now.w - agent.last.w) * share;
    float strides = clamp((agent.now.w - agent.last.w) / 0.015, 0.0, 1.0);
    poses[index] = Pose(vec4(place, size, fract(walked / (STRIDE * size))),
                        vec4(cos(heading), sin(heading), strides, agent.radius),
                        uvec4(agent.tint, agent.figure, agent.seed, 0));
}

// Lists an agent: `list` is a mesh level, or 4 for shadows; base 0 or 8 is the pass's counters.
void emit(uint index, uint list, uint base)
{
    uint most = uint(frame.cells.w), at = atomicAdd(counters[base + list], 1);
    // The second pass writes from the end of a list, for the first is not yet drawn.
    order[list * most + (base == 0 ? at : most - 1u - at)] = index;
}
