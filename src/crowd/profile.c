/// Profiles: what an agent is like, as a list of numbers with ranges, and ready-made ones by name.
#include "crowd/crowd.h"
#include <string.h>

#define PROFILE_COOKIE 0x50524f46u
#define LARGEST_ON_PLANET 0.25 ///< of the planet's radius: bins of such agents fit on a face

throng_profile_def throng_default_profile_def(void)
{
    return (throng_profile_def){
        .cookie = PROFILE_COOKIE,
        .radius = 0.4f,
        .speed = 2.0f,
        .acceleration = 8.0f,
        .separation_weight = 0.3f,
        .separation_gap = 0.2f,
        .avoidance_weight = 1.5f,
        .avoidance_horizon = 2.0f,
        .density_slowdown = 1.0f,
        .orca_horizon = 2.0f,
        .ways_of = -1,
        .orca_wall_horizon = 0.5f,
        .orca_neighbours = 10,
        .orca_distance = 5.0f,
        .layers = 1,
        .mask = 65535,
        .gates = true,
        .field_weight = 1.0f,
        .flock_spacing = 1.0f,
        .flock_radius = 3.0f,
        .wall_horizon = 1.0f,
        .headway = 0.4f,
        .following = 1.0f,
        .persistence = 0.15f,
        .probe_angle_deg = 30.0f,
        .side_neighbours = 3,
        .patience = 2.0f,
    };
}

/// People as measured: free speeds of 1.34 +- 0.26 m/s (Weidmann 1993), and a speed that follows
/// from the gap ahead (Tordeux, Chraibi, Seyfried 2016). A part of the speed of those ahead counts
/// too: it changes nothing in one stream, where 1 / (1 - following) more headway evens it out, and
/// makes two opposed streams slower than one, as they are.
static throng_profile_def pedestrian(void)
{
    throng_profile_def def = throng_default_profile_def();
    def.radius = 0.2f;
    def.speed = 1.34f;
    def.speed_deviation = 0.19f;
    def.acceleration = 4.0f;
    def.separation_gap = 0.3f;
    def.avoidance_weight = 1.0f;
    def.avoidance_horizon = 1.5f;
    def.headway = 1.0f;
    def.following = 0.3f;
    def.persistence = 0.05f;
    return def;
}

/// One of thousands who press on to the same place: the rules of a tower-defence horde.
static throng_profile_def horde(void)
{
    throng_profile_def def = throng_default_profile_def();
    def.radius = 0.45f;
    def.separation_weight = 0.5f;
    def.separation_gap = 0.3f;
    def.avoidance_weight = 0.0f;
    def.density_slowdown = 0.0f;
    def.probe_length = 0.15f;
    def.probe_angle_deg = 20.0f;
    def.head_on = true;
    def.overtaking = true;
    def.shove = 0.5f;
    def.density_free = 0.6f;
    def.density_full = 2.5f;
    def.wall_push = 0.1f;
    def.wall_reach = 0.3f;
    def.push_cap = 0.15f;
    return def;
}

#define PRESETS(PRESET)                                                                            \
    PRESET("default", throng_default_profile_def)                                                  \
    PRESET("horde", horde)                                                                         \
    PRESET("pedestrian", pedestrian)

bool throng_profile_preset(const char *name, throng_profile_def *def)
{
#define PRESET(its_name, make)                                                                     \
    if (strcmp(name, its_name) == 0) {                                                             \
        *def = make();                                                                             \
        return true;                                                                               \
    }
    PRESETS(PRESET)
#undef PRESET
    return false;
}

const char *const *throng_profile_preset_names(int *count)
{
    static const char *const names[] = {
#define PRESET(its_name, make) its_name,
        PRESETS(PRESET)
#undef PRESET
    };
    *count = (int)(sizeof names / sizeof names[0]);
    return names;
}

const throng_profile_number *throng_profile_numbers(int *count)
{
    static const throng_profile_number numbers[] = {
#define THG_PROFILE(kind, name, low, high)                                                         \
    {#name, THRONG_PROFILE_##kind, offsetof(throng_profile_def, name), low, high},
#include "crowd/profile.inc"
#undef THG_PROFILE
    };
    *count = (int)(sizeof numbers / sizeof numbers[0]);
    return numbers;
}

float throng_profile_get(const throng_profile_def *def, const throng_profile_number *number)
{
    const char *at = (const char *)def + number->offset;
    switch (number->kind) {
    case THRONG_PROFILE_WHOLE:
        return (float)*(const int *)(const void *)at;
    case THRONG_PROFILE_FLAG:
        return *(const bool *)(const void *)at ? 1.0f : 0.0f;
    default:
        return *(const float *)(const void *)at;
    }
}

void throng_profile_set(throng_profile_def *def, const throng_profile_number *number, float value)
{
    char *at = (char *)def + number->offset;
    switch (number->kind) {
    case THRONG_PROFILE_WHOLE:
        *(int *)(void *)at = (int)value;
        break;
    case THRONG_PROFILE_FLAG:
        *(bool *)(void *)at = value != 0.0f;
        break;
    default:
        *(float *)(void *)at = value;
    }
}

bool thg_profile_is_valid(const throng_map *map, const throng_profile_def *def)
{
    if (def->cookie != PROFILE_COOKIE || def->class_index < 0 ||
        def->class_index >= map->layer_count) {
        return false;
    }
    int count;
    const throng_profile_number *numbers = throng_profile_numbers(&count);
    for (int i = 0; i < count; i++) {
        float value = throng_profile_get(def, &numbers[i]);
        if (!(value >= numbers[i].low && value <= numbers[i].high)) { // NaN too
            return false;
        }
    }
    if (map->planet != NULL && (double)def->radius > LARGEST_ON_PLANET * map->planet->radius) {
        return false;
    }
    int ways = def->ways_of;
    if (ways < -1 || ways >= map->layer_count ||
        (ways >= 0 && map->layers[ways].def.radius != map->layers[def->class_index].def.radius)) {
        return false;
    }
    // A mass is none, or heavy enough to divide by.
    return def->radius <= map->layers[def->class_index].def.radius * 1.0001f &&
           (def->mass == 0.0f || def->mass >= 1e-3f);
}

float thg_profile_top_pace(const throng_profile_def *def)
{
    float top = 1.0f + def->speed_spread + 3.0f * def->speed_deviation;
    return top < THG_TOP_PACE ? top : THG_TOP_PACE;
}

/// The sum of three draws is a bell of half a unit's deviation that ends three deviations from its
/// middle: near enough to what is measured of people, and the same bits everywhere.
static float draw_bell(uint64_t seed, uint32_t generation, uint32_t slot)
{
    float sum = 0.0f;
    for (uint64_t i = 0; i < 3; i++) {
        sum += thg_random(seed, generation + ((i + 1) << 32), slot);
    }
    return 2.0f * sum - 3.0f;
}

float thg_profile_draw_pace(const throng_profile_def *def, uint64_t seed, uint32_t generation,
                            uint32_t slot)
{
    float pace = 1.0f + def->speed_spread * (2.0f * thg_random(seed, generation, slot) - 1.0f);
    if (def->speed_deviation > 0.0f) {
        pace += def->speed_deviation * draw_bell(seed, generation, slot);
        pace = thg_clamp(pace, THG_LEAST_PACE, thg_profile_top_pace(def));
    }
    return pace;
}
