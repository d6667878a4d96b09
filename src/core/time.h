/// The clock of the stage timer. Nothing that it says may reach the state.
#ifndef THG_TIME_H
#define THG_TIME_H

#include <time.h>

/// Seconds of a clock that never goes back; only differences mean something.
static inline double thg_seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
#ifdef CLOCK_MONOTONIC
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
