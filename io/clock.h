/// The clock behind times that are reported. Nothing that it says may reach a state.
#ifndef THG_CLOCK_H
#define THG_CLOCK_H

#include <time.h>

/// Seconds of a clock that never goes back; only differences mean something.
static inline double thg_clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
