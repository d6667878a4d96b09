/// The stride in plain C, and which build of it runs.
#include "rooms/stride.h"
#include <stddef.h>

uint32_t thg_stride_plain(const int32_t *move_cells, uint32_t *cells, uint64_t *moves,
                          uint32_t first, uint32_t end, uint32_t *turning, uint32_t *moved)
{
    uint32_t listed = 0;
    for (uint32_t i = first; i < end; i++) {
        uint64_t own = moves[i];
        if (own >= 8) {
            cells[i] += (uint32_t)move_cells[own & 7u];
            moves[i] = own >> 3;
            ++*moved;
        } else if (own != THG_STANDS) {
            turning[listed++] = i;
        }
    }
    return listed;
}

thg_stride *thg_stride_best(void)
{
    thg_stride *best = thg_stride_avx512();
    best = best != NULL ? best : thg_stride_avx2();
    return best != NULL ? best : thg_stride_plain;
}
