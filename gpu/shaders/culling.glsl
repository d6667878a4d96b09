// Poses and tests of single agents. `precise` keeps every rounding as written, so that the CPU can
// do the same sums.
layout(set = 0, binding = 1, std430) readonly buffer Agents { Agent agents[]; };
layout(set = 0, binding = 2, std430) buffer Poses { Pose poses[]; };
layout(set = 0, binding = 3, std430) buffer Order { uint order[]; };
layout(set = 0, binding = 4, std430) buffer Counters { uint counters[16]; };
layout(set = 0, binding = 6, std430) buffer Pyramid { float pyramid[]; };
layout(set = 0, binding = 11, std430) buffer Rejected { uint rejected[]; };

vec3 centre_of(Agent agent, float size)
{
    precise vec2 place = agent.last.xy + (agent.now.xy - agent.last.xy) * frame.right.w;
    precise float height = BOUND_HEIGHT * size;
    return vec3(place, height);
}

bool in_frustum(vec3 centre, float radius)
{
    for (int i = 0; i < 6; i++) {
        precise float distance = frame.planes[i].x * centre.x + frame.planes[i].y * centre.y +
                                 frame.planes[i].z * centre.z + frame.planes[i].w;
        if (distance < -radius) {
            return false;
        }
    }
    return true;
}

// Where a level of the pyramid begins. Level 0 is frame.screen.zw; each is half of the last.
int level_start(int level, out ivec2 size)
{
    int start = 0;
    size = frame.screen.zw;
    for (int i = 0; i < level; i++) {
        start += size.x * size.y;
        size = max(size / 2, ivec2(1));
    }
    return start;
}

// True when all of the sphere lies behind what the pyramid saw through `matrix`.
bool hidden(vec3 centre, float radius, mat4 matrix)
{
    vec3 low = vec3(1e9), high = vec3(-1e9);
    for (int i = 0; i < 8; i++) {
        vec3 corner = centre + radius * vec3((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1,
                                             (i & 4) != 0 ? 1 : -1);
        vec4 clip = matrix * vec4(corner, 1);
        if (clip.w < 1e-3 || clip.z < 0.0) {
            return false;
        }
        vec3 point = clip.xyz / clip.w;
        low = min(low, point);
        high = max(high, point);
    }
    vec2 from = clamp(low.xy * 0.5 + 0.5, 0.0, 1.0), to = clamp(high.xy * 0.5 + 0.5, 0.0, 1.0);
    // What the previous frame did not see may be anywhere now.
    if (any(lessThan(low.xy, vec2(-1))) || any(greaterThan(high.xy, vec2(1)))) {
        return false;
    }
    vec2 texels = (to - from) * vec2(frame.screen.zw);
    int level = int(ceil(log2(max(max(texels.x, texels.y), 1.0))));
    level = min(level, frame.pyramid.x - 1);
    ivec2 size;
    int start = level_start(level, size);
    ivec2 first = clamp(ivec2(from * vec2(size)), ivec2(0), size - 1);
    ivec2 last = clamp(ivec2(to * vec2(size)), ivec2(0), size - 1);
    float farthest = 0.0;
    for (int y = first.y; y <= last.y; y++) {
        for (int x = first.x; x <= last.x; x++) {
            farthest = max(farthest, pyramid[start + y * size.x + x]);
        }
    }
    return low.z > farthest;
}

int level_of(vec3 centre, float size)
{
    float pixels = 1.8 * size * frame.eye.w / max(distance(centre, frame.eye.xyz), 1e-3);
    return pixels > 120.0 ? 0 : pixels > 45.0 ? 1 : pixels > 14.0 ? 2 : 3;
}

void write_pose(uint index, Agent agent, float size)
{
    float share = frame.right.w;
    vec2 place = agent.last.xy + (agent.now.xy - agent.last.xy) * share;
    float turn = agent.now.z - agent.last.z;
    turn -= 6.2831853 * floor(turn / 6.2831853 + 0.5);
    float heading = agent.last.z + turn * share;
    float walked = agent.last.w + (agent.now.w - agent.last.w) * share;
    float strides = clamp((agent.now.w - agent.last.w) / 0.015, 0.0, 1.0);
    poses[index] = Pose(vec4(place, size, fract(walked / (STRIDE * size))),
                        vec4(cos(heading), sin(heading), strides, agent.radius),
                        uvec4(agent.tint, agent.figure, agent.seed, 0));
}

void emit(uint index, vec3 centre, float size, uint base)
{
    int level = level_of(centre, size);
    uint most = uint(frame.cells.w);
    uint at = atomicAdd(counters[base + level], 1);
    // The second pass writes from the end of a level's region, for the first is not yet drawn.
    order[uint(level) * most + (base == 0 ? at : most - 1u - at)] = index;
    if (level < 3) {
        at = atomicAdd(counters[base + 4], 1);
        order[4u * most + (base == 0 ? at : most - 1u - at)] = index;
    }
}
