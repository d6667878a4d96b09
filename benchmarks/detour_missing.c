/// In place of detour_crowd.cpp where this program is built without librecast-dev.
#include "detour_crowd.h"
#include <stddef.h>

bool detour_is_there(void)
{
    return false;
}

detour_crowd *detour_create(int quads, float size, const unsigned char *pillars, int agents,
                            float radius)
{
    (void)quads, (void)size, (void)pillars, (void)agents, (void)radius;
    return NULL;
}

void detour_destroy(detour_crowd *crowd)
{
    (void)crowd;
}

bool detour_add(detour_crowd *crowd, float x, float y, float radius, float speed,
                float acceleration, float target_x, float target_y)
{
    (void)crowd, (void)x, (void)y, (void)radius, (void)speed, (void)acceleration;
    (void)target_x, (void)target_y;
    return false;
}

void detour_step(detour_crowd *crowd, float dt)
{
    (void)crowd, (void)dt;
}

int detour_count_ready(const detour_crowd *crowd)
{
    (void)crowd;
    return 0;
}

int detour_count_full_paths(const detour_crowd *crowd)
{
    (void)crowd;
    return 0;
}

float detour_progress(const detour_crowd *crowd)
{
    (void)crowd;
    return 0.0f;
}
