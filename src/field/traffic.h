/// Traffic: how full the map is and which way people go there, as whole numbers per block of cells,
/// and what that makes of the prices of one field.
///
/// A block is about a metre wide. What is counted now is blended into what was, so that nothing
/// flips to and fro; blocks where nobody is for a while cost nothing.
#ifndef THG_TRAFFIC_H
#define THG_TRAFFIC_H

#include "field/field.h"

#define THG_TRAFFIC_AREA 1024        ///< units of area in a square metre
#define THG_TRAFFIC_SHARE 256        ///< units of a share of the speed that is wanted
#define THG_TRAFFIC_BLOCKS (1 << 18) ///< at most; on larger maps a block is wider

/// What is in a block: sums over its discs, each weighed with its area.
typedef struct thg_traffic_block {
    int32_t area;             ///< of all
    int32_t pace;             ///< of those who walk: their speed, in shares of the wanted one
    int32_t along_x, along_y; ///< the same towards where they want to
    int32_t yielding;         ///< of those who stand and make way
} thg_traffic_block;

typedef struct thg_traffic thg_traffic;

/// THRONG_NO_MEMORY.
throng_result thg_traffic_create(const throng_map *map, thg_traffic **traffic);
void thg_traffic_destroy(thg_traffic *traffic);

/// Counts anew: begin, one call for each agent in any order, end. O(agents + busy blocks).
void thg_traffic_begin(thg_traffic *traffic);
void thg_traffic_add(thg_traffic *traffic, throng_vec2 position, const thg_traffic_block *disc);
void thg_traffic_end(thg_traffic *traffic);

/// For a field that turns everyone: where they wanted to says nothing any more. Prices take each
/// for one who goes with the field, and the next counts begin anew, until it is taken back.
void thg_traffic_forget_ways(thg_traffic *traffic, bool forget);

/// True where nobody was for a while: prices are the layer's.
bool thg_traffic_is_calm(const thg_traffic *traffic);

/// Prices of a field's class with `weight` times the delay that the crowd makes for those who
/// follow the field: 1 is the delay itself, the free speed over the speed that is possible there.
/// `price` holds padded_count numbers. O(cells) for a copy, and some 100 ns a busy block.
thg_prices thg_traffic_price(thg_traffic *traffic, const throng_field *field, float weight,
                             uint16_t *price);

/// All blocks, for snapshots and pictures: row by row, `*width` by `*height`, each `*side` cells
/// wide.
const thg_traffic_block *thg_traffic_blocks(const thg_traffic *traffic, int *width, int *height,
                                            int *side);
/// Makes the blocks those of a snapshot. False, and calm, where a number cannot be.
bool thg_traffic_restore(thg_traffic *traffic, const thg_traffic_block *blocks);

#endif
