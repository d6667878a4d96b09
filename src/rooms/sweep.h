/// Sixteen sweeps at once: the inner loop of building rows, once per instruction set.
#ifndef THG_SWEEP_H
#define THG_SWEEP_H

#include "rooms/rooms.h"

#define THG_LANES 16
#define THG_LANE_FAR 0x3fffffffu  ///< two of them still are a positive int32
#define THG_LANE_LONG 0x20000000u ///< a key beyond: lengths are too long for lanes

/// For every rank from the highest down, keys[rank] becomes the least of itself and, over its arcs,
/// keys[head] + (down << slot_bits); THG_LANE_FAR where down is THG_FAR. Returns the largest key
/// below THG_LANE_FAR.
typedef uint32_t thg_sweep_lanes(const thg_hierarchy *hierarchy, int slot_bits, uint32_t *keys);

thg_sweep_lanes thg_sweep_plain;
/// NULL when this build or processor has none.
thg_sweep_lanes *thg_sweep_avx2(void);
thg_sweep_lanes *thg_sweep_avx512(void);
thg_sweep_lanes *thg_sweep_best(void);

/// Lengths from up to sixteen doors to all: sweep->keys[rank * 16 + i] from doors[i], THG_LANE_FAR
/// where there is no way. False when a length is too long for lanes.
bool thg_sweep_lengths(const throng_rooms *rooms, thg_sweep *sweep, const uint32_t *doors,
                       uint32_t count);

static inline uint32_t thg_lane_price(uint32_t down, int slot_bits)
{
    return down < THG_LANE_LONG >> slot_bits ? down << slot_bits : THG_LANE_FAR;
}

#endif
