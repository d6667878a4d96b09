/// The ring round a target on which its places lie.
#ifndef THG_RING_H
#define THG_RING_H

#include "core/core.h"
#include <throng/crowd.h>

typedef struct thg_ring {
    throng_vec2 low, high; ///< of the rectangle
    float radius;          ///< metres from it to the ring
    float width, height;
    float corner; ///< metres of one round corner
    float length; ///< metres once round
} thg_ring;

thg_ring thg_ring_make(const throng_slots_def *def);
/// The place at a length along the ring, `out` metres outside of it, and the direction outwards.
/// One goes on along the ring to (-normal.y, normal.x).
throng_vec2 thg_ring_at(const thg_ring *ring, float along, float out, throng_vec2 *normal);
/// Metres from the ring to a place, below 0 inside, and the length along it where it is nearest.
float thg_ring_find(const thg_ring *ring, float x, float y, float *along);
/// The shorter way along the ring from one length to another; below 0 against it.
float thg_ring_between(const thg_ring *ring, float from, float to);

#endif
