/// One visit to a tile of 16 x 16 cells: what the tile solver hands to its kernel, and the builds
/// of that kernel.
///
/// A visit lowers the tile's costs to the fixed point that belongs to the costs round it. It
/// is the greatest one, whatever the order, so every kernel, and the plain twin that sweeps cell by
/// cell, leaves the same bits, and the tiles are visited in the same order whichever of them runs.
#ifndef THG_SQUARE_H
#define THG_SQUARE_H

#include "core/core.h"
#include <stdbool.h>
#include <stdint.h>

#define THG_SQUARE 16 ///< cells along a side

enum { THG_SQUARE_NORTH, THG_SQUARE_SOUTH, THG_SQUARE_WEST, THG_SQUARE_EAST, THG_SQUARE_SIDES };

/// Which square roots are needed, by the crossing cost k of the dearest cell.
typedef enum thg_square_roots {
    THG_ROOTS_SHORT, ///< 2 k k < 2^24: floats hold the radicand, and their root's floor is exact
    THG_ROOTS_WORD,  ///< 2 k k < 2^31: floats, then one correction in integers
    THG_ROOTS_LONG   ///< k < 2^20: doubles
} thg_square_roots;

typedef struct thg_square_visit {
    _Alignas(64) uint32_t cost[THG_SQUARE + 2][THG_SQUARE]; ///< rows, with the one before and after
    _Alignas(64) uint32_t outside[2][THG_SQUARE];           ///< costs beside the rows: west, east
    _Alignas(64) uint32_t edge[2][THG_SQUARE];           ///< first and last column before the visit
    _Alignas(64) uint16_t price[THG_SQUARE][THG_SQUARE]; ///< 0 where nobody fits
    uint16_t fits[THG_SQUARE_SIDES];  ///< which cells across each side fit, bit by bit
    uint16_t woken[THG_SQUARE_SIDES]; ///< in: which of them fell. Out: which of them may fall now
    bool whole;                       ///< in: any cell of the tile may be too high
    uint32_t key[THG_SQUARE_SIDES]; ///< out: lowest cost of the tile's cells beside the woken ones
} thg_square_visit;

typedef void thg_square_kernel(thg_square_visit *visit, thg_square_roots roots);

typedef enum thg_square_build {
    THG_SQUARE_AUTO, ///< the best that the processor runs
    THG_SQUARE_PLAIN,
    THG_SQUARE_PORTABLE,
    THG_SQUARE_AVX2,
    THG_SQUARE_AVX512,
    THG_SQUARE_BUILDS
} thg_square_build;

/// NULL where the build or the processor cannot run it.
thg_square_kernel *thg_square_kernel_get(thg_square_build build);
thg_square_kernel *thg_square_kernel_portable(void);
thg_square_kernel *thg_square_kernel_avx2(void);
thg_square_kernel *thg_square_kernel_avx512(void);

/// The twin, cell by cell, for any costs: also what the kernels call where costs are so near the
/// end of 32 bits that they could wrap. Lowers costs only; the sides are the caller's.
void thg_square_sweep(thg_square_visit *visit);

#endif
