/// The sweep in plain C, and which build of it runs.
#include "rooms/sweep.h"

uint32_t thg_sweep_plain(const thg_hierarchy *hierarchy, int slot_bits, uint32_t *keys)
{
    uint32_t most = 0;
    for (uint32_t rank = hierarchy->count; rank-- > 0;) {
        uint32_t *own = keys + (size_t)rank * THG_LANES;
        for (uint32_t arc = hierarchy->first[rank]; arc < hierarchy->first[rank + 1]; arc++) {
            const uint32_t *other = keys + (size_t)hierarchy->head[arc] * THG_LANES;
            uint32_t price = thg_lane_price(hierarchy->down[arc], slot_bits);
            for (int lane = 0; lane < THG_LANES; lane++) {
                uint32_t sum = other[lane] + price;
                own[lane] = sum < own[lane] ? sum : own[lane];
            }
        }
        for (int lane = 0; lane < THG_LANES; lane++) {
            most = own[lane] < THG_LANE_FAR && own[lane] > most ? own[lane] : most;
        }
    }
    return most;
}

thg_sweep_lanes *thg_sweep_best(void)
{
    thg_sweep_lanes *best = thg_sweep_avx512();
    best = best != NULL ? best : thg_sweep_avx2();
    return best != NULL ? best : thg_sweep_plain;
}
