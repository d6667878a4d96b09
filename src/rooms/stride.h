/// The stride: everybody who is inside a room makes the next move of the own leg, no table is read.
/// Once per instruction set.
///
/// moves[i] is THG_STANDS, a mark below 8 that asks for a turn, or a leg: three bits a move, the
/// next lowest, under an end mark.
#ifndef THG_STRIDE_H
#define THG_STRIDE_H

#include <stdint.h>

#define THG_STANDS 0u    ///< does not walk
#define THG_LEG_DONE 1u  ///< a leg without moves: its end mark alone
#define THG_LEG_WAITS 2u ///< has to plan anew

/// Walkers [first, end) that have moves take one; who asks for a turn is listed, in order. Returns
/// how many are; *moved grows by how many moved. `turning` has room for eight more than there are
/// walkers.
typedef uint32_t thg_stride(const int32_t *move_cells, uint32_t *cells, uint64_t *moves,
                            uint32_t first, uint32_t end, uint32_t *turning, uint32_t *moved);

thg_stride thg_stride_plain;
/// NULL when this build or processor has none.
thg_stride *thg_stride_avx2(void);
thg_stride *thg_stride_avx512(void);
thg_stride *thg_stride_best(void);

#endif
