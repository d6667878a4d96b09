/// Profiles: what an agent is like, as a list of numbers with ranges, and ready-made ones by name.
#include "crowd/crowd.h"
#include <string.h>

#define PROFILE_COOKIE 0x50524f46u

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
        .orca_wall_horizon = 0.5f,
        .orca_neighbours = 10,
        .orca_distance = 5.0f,
        .layers = 1,
        .mask = 65535,
        .gates = true,
    };
}

bool throng_profile_preset(const char *name, throng_profile_def *def)
{
    throng_profile_def preset = throng_default_profile_def();
    if (strcmp(name, "default") != 0) {
        return false;
    }
    *def = preset;
    return true;
}

const char *const *throng_profile_preset_names(int *count)
{
    static const char *const names[] = {"default"};
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
    // A mass is none, or heavy enough to divide by.
    return def->radius <= map->layers[def->class_index].def.radius * 1.0001f &&
           (def->mass == 0.0f || def->mass >= 1e-3f);
}
