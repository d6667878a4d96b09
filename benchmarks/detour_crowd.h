/// DetourCrowd as a baseline: the crowd of Recast Navigation, built where Debian's librecast-dev
/// is.
#ifndef THG_DETOUR_CROWD_H
#define THG_DETOUR_CROWD_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct detour_crowd detour_crowd;

/// False where this program was built without the package; then detour_create gives NULL.
bool detour_is_there(void);

/// A square field of `quads` x `quads` squares of `size` metres, without the `pillars` (NULL:
/// none), a byte a square; as one single square when there are none. Each square is at most 30000
/// wide or many. NULL without memory.
detour_crowd *detour_create(int quads, float size, const unsigned char *pillars, int agents,
                            float radius);
void detour_destroy(detour_crowd *crowd);

/// One more agent, with the settings that RecastDemo starts with. False: no room on the field.
bool detour_add(detour_crowd *crowd, float x, float y, float radius, float speed,
                float acceleration, float target_x, float target_y);
void detour_step(detour_crowd *crowd, float dt);

/// Agents whose target is valid, so that they do no longer wait for a path; and of them those whose
/// path leads all the way.
int detour_count_ready(const detour_crowd *crowd);
int detour_count_full_paths(const detour_crowd *crowd);

/// Mean metres that agents have come nearer to their targets since they were added.
float detour_progress(const detour_crowd *crowd);

#ifdef __cplusplus
}
#endif

#endif
