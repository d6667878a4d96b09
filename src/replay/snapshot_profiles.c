/// Profiles in a snapshot: their numbers, which commands change while a crowd walks.
///
/// Their classes are not here: these are the same on both sides, as the fingerprint says.
#include "replay/snapshot_parts.h"

static bool is_within(const throng_profile_number *number, float value)
{
    return value >= number->low && value <= number->high; // not NaN either
}

throng_result thg_stream_profiles(thg_stream *stream, const throng_map *map, int count,
                                  throng_profile_def *profiles, uint8_t *changed)
{
    int number_count;
    const throng_profile_number *numbers = throng_profile_numbers(&number_count);
    for (int i = 0; i < count; i++) {
        THG_STREAM(stream, changed[i]);
        bool good = changed[i] <= 1;
        for (int k = 0; k < number_count; k++) {
            float value = throng_profile_get(&profiles[i], &numbers[k]);
            THG_STREAM(stream, value);
            good = good && is_within(&numbers[k], value);
            if (good) {
                throng_profile_set(&profiles[i], &numbers[k], value);
            }
        }
        if (!good || !thg_profile_is_valid(map, &profiles[i])) {
            return THRONG_BAD_DATA;
        }
    }
    return THRONG_OK;
}

bool thg_stream_profile_command_is_valid(const throng_crowd *crowd, const thg_command *command)
{
    int count;
    const throng_profile_number *numbers = throng_profile_numbers(&count);
    if (command->kind != THG_COMMAND_set_profile) {
        return true;
    }
    if (command->number < 0 || command->number >= count ||
        !is_within(&numbers[command->number], command->value)) {
        return false;
    }
    throng_profile_def def = crowd->wanted[command->profile];
    throng_profile_set(&def, &numbers[command->number], command->value);
    return thg_profile_is_valid(crowd->map, &def);
}
