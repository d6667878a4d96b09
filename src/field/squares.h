/// The tile solver's memory, and what a visit to a tile leaves for those beside it.
#ifndef THG_SQUARES_H
#define THG_SQUARES_H

#include "field/solver.h"

#define THG_SQUARES_BUCKETS 1024u
#define THG_SQUARES_BATCH 64 ///< tiles that are visited at a time, at most

/// A tile of a batch, and which of its neighbours may fall now.
typedef struct thg_visited {
    uint32_t index;
    uint16_t woken[THG_SQUARE_SIDES];
    uint32_t key[THG_SQUARE_SIDES]; ///< lowest cost beside the woken cells
} thg_visited;

struct thg_squares {
    thg_square *tiles;
    int across, down; ///< tiles along each side of the map
    uint32_t head[THG_SQUARES_BUCKETS];
    uint32_t shift, current, waiting;
    int owed; ///< cells of the last batch that no budget has paid for yet
    thg_square_kernel *kernel;
    thg_square_roots roots;
    thg_visited batch[THG_SQUARES_BATCH];
};

/// The tile beside one, or -1 beyond the map.
static inline int64_t thg_square_beside(const thg_squares *tiles, uint32_t index, int side)
{
    static const int step_x[THG_SQUARE_SIDES] = {0, 0, -1, 1};
    static const int step_y[THG_SQUARE_SIDES] = {-1, 1, 0, 0};
    int x = (int)index % tiles->across + step_x[side],
        y = (int)index / tiles->across + step_y[side];
    bool inside = x >= 0 && y >= 0 && x < tiles->across && y < tiles->down;
    return inside ? (int64_t)y * tiles->across + x : -1;
}

/// Learns which cells along the sides of a tile fit.
void thg_square_survey(const thg_solver *solver, uint32_t index);

/// Settles one tile. Reads its neighbours' costs and sides and changes nothing outside of it, so
/// that tiles which share no side may be visited at once.
void thg_square_settle(thg_solver *solver, thg_visited *visited);

/// Counts a visited tile into what the solve has touched.
void thg_square_touch(thg_solver *solver, uint32_t index);

#endif
