/// A block: one sector's cells, integrated by themselves.
///
/// The eikonal update is the one of whole maps, and its integer fixed point does not depend on the
/// order of work; so a map integrated block by block, each told of its neighbours' edges, ends in
/// the bits of a map integrated at once. Cells wait in buckets linked through the cells themselves;
/// a bucket too full of different costs is untidy, not wrong.
#ifndef THG_BLOCK_H
#define THG_BLOCK_H

#include "core/core.h"
#include "map/map.h"

#define THG_BLOCK_MOST 64 ///< cells a side at most
#define THG_BLOCK_ROOM ((THG_BLOCK_MOST + 2) * (THG_BLOCK_MOST + 2))
#define THG_BLOCK_BUCKETS 512

typedef struct thg_block {
    const throng_map *map;
    const thg_layer *layer;
    int first_x, first_y;           ///< cell of the map that is cell (0, 0)
    int side;                       ///< as asked for
    int width, height;              ///< of what lies in the map
    int stride;                     ///< side + 2
    uint16_t min_price, max_price;  ///< of its fitting cells; 0 when it has none
    bool clear;                     ///< every cell fits, and all cost the same
    uint32_t cost[THG_BLOCK_ROOM];  ///< with a rim of one cell, which is read and never written
    uint16_t price[THG_BLOCK_ROOM]; ///< 0 on the rim
    uint16_t next[THG_BLOCK_ROOM], before[THG_BLOCK_ROOM]; ///< in a bucket; index 0 is none
    uint16_t bucket[THG_BLOCK_ROOM]; ///< where a cell waits, counted from 1; 0 nowhere
    uint16_t head[THG_BLOCK_BUCKETS];
    uint32_t base; ///< lowest cost of the first bucket
    uint32_t shift;
    int lowest;  ///< no cell waits in a bucket below
    int waiting; ///< cells
} thg_block;

/// Index of a cell, counted from the block's corner; -1 and side are the rim.
static inline int thg_block_index(const thg_block *block, int x, int y)
{
    return (y + 1) * block->stride + x + 1;
}

/// Takes the prices of the cells from (first_x, first_y) on, `side` by `side`, as far as the map
/// goes. Costs are left as they are. O(cells).
void thg_block_load(thg_block *block, const throng_map *map, const thg_layer *layer, int first_x,
                    int first_y, int side);

/// All costs unreached, nobody waits; seeds will cost at least `base`, and about `spread` more at
/// most.
void thg_block_clear(thg_block *block, uint32_t base, uint32_t spread);

/// The same, with the costs as they are.
void thg_block_rest(thg_block *block, uint32_t base, uint32_t spread);

/// Gives a cell a cost, if that is less than it has, and lets it spread.
void thg_block_seed(thg_block *block, int index, uint32_t cost);

/// Lets a cell spread that has its cost already.
void thg_block_wake(thg_block *block, int index);

/// Works out a cell anew from its neighbours, and lets it spread if it falls.
void thg_block_update(thg_block *block, int index);

/// Seeds the cells in sight of a point, within a few cells, with their distance. The point is in
/// cells of the map, and in the block.
void thg_block_seed_point(thg_block *block, float x, float y);

/// Spreads until nothing falls any more. Returns how many cells it took.
int thg_block_run(thg_block *block);

/// Spreads until a cell has been taken: from there on the way down is known. Returns how many cells
/// it took.
int thg_block_run_until(thg_block *block, int index);

#endif
