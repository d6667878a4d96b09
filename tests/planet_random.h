/// Random numbers and vectors for tests of planets.
#ifndef PLANET_RANDOM_H
#define PLANET_RANDOM_H

#include "core/core.h"
#include <throng/planet.h>

/// From 0 to 1, by SplitMix64.
static inline float random_share(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    return (float)(thg_mix64(*state) >> 40) * (1.0f / 16777216.0f);
}

/// Any direction is as likely as any other; not of unit length.
static inline throng_vec3 random_direction(uint64_t *state)
{
    for (;;) {
        float x = 2.0f * random_share(state) - 1.0f;
        float y = 2.0f * random_share(state) - 1.0f;
        float z = 2.0f * random_share(state) - 1.0f;
        float square = x * x + y * y + z * z;
        if (square < 1.0f && square > 0.01f) {
            return (throng_vec3){x, y, z};
        }
    }
}

#endif
