/// Sectors: the map in squares of 32 or 64 cells, and what it costs to cross each.
///
/// Where two sectors touch, each longest run of cell pairs that fit on both sides is a window. A
/// window has nodes: its two ends and as many between that none is farther than eight cells from
/// the next; one when it is narrow. A node is the middle of the line between its two cells, so it
/// belongs to both sectors. A sector keeps what it costs to get from each of its nodes to each
/// other inside the sector, for those nodes that were asked about: the straight line where nothing
/// is in the way, an eikonal solution where something is. (Botea, Mueller, Schaeffer 2004, with
/// windows as in Emerson 2013.)
///
/// A sector is looked at when somebody asks, and kept in a ring of fixed size: the oldest is
/// forgotten first, and looked at again when asked for again. What it holds is a function of the
/// map alone, so nobody can tell. After an edit a sector is checked against a checksum of its
/// prices, and looked at anew only when they have changed.
#ifndef THG_SECTORS_H
#define THG_SECTORS_H

#include "field/block.h"

#define THG_SECTOR_NODES (4 * (THG_BLOCK_MOST / 2)) ///< at most
#define THG_NODE_SPACING 8

enum { THG_SIDE_WEST = 0, THG_SIDE_EAST, THG_SIDE_NORTH, THG_SIDE_SOUTH };

/// One sector, as long as no other is asked for.
typedef struct thg_sector {
    uint64_t checksum; ///< of its prices and those of the cells round it
    uint32_t index;
    uint32_t bytes;                       ///< in the ring
    uint32_t version;                     ///< of the map the checksum was last compared on
    uint16_t count;                       ///< nodes
    uint16_t first[5];                    ///< of each side: west, east, north, south; and the count
    uint8_t clear;                        ///< every cell fits, and all cost the same
    uint8_t offset[THG_SECTOR_NODES + 1]; ///< cells from the side's beginning
    uint8_t known[THG_SECTOR_NODES];      ///< 1: the node's distances are there
    uint32_t distance[];                  ///< units; from node i to j: [i count + j]
} thg_sector;

typedef struct thg_sectors {
    const throng_map *map;
    int class_index;
    int side, shift; ///< cells, and as a power of two
    int columns, rows, count;
    uint32_t *place; ///< per sector: where in the ring, in words of eight bytes from 1; 0 nowhere
    uint64_t *ring;
    size_t ring_words;
    size_t head, tail; ///< words: where the next goes, and where the oldest lies
    size_t filled_end; ///< where the ring was left when it last turned
    bool turned;       ///< the head is behind the tail
    int kept;          ///< places in use, left ones included
    thg_block *block;
    uint64_t built_count, kept_count, forgotten_count, solved_count; ///< so far
} thg_sectors;

/// `side` 32 or 64; `bytes` for the ring, at least 256 KiB are taken. THRONG_NO_MEMORY.
throng_result thg_sectors_create(const throng_map *map, int class_index, int side, size_t bytes,
                                 thg_sectors **sectors);
void thg_sectors_destroy(thg_sectors *sectors);

/// The sector as the map is now. Its address is good until the next call.
const thg_sector *thg_sectors_get(thg_sectors *sectors, int index);

/// A sector of a cell.
static inline int thg_sector_of(const thg_sectors *sectors, int x, int y)
{
    return (y >> sectors->shift) * sectors->columns + (x >> sectors->shift);
}

/// What it costs from a node to each of the sector's nodes: [count] units, or THRONG_UNREACHED.
const uint32_t *thg_sector_distances(thg_sectors *sectors, const thg_sector *sector, int node);

/// The side a node is on.
static inline int thg_sector_side(const thg_sector *sector, int node)
{
    return node < sector->first[THG_SIDE_NORTH]
               ? (node < sector->first[THG_SIDE_EAST] ? THG_SIDE_WEST : THG_SIDE_EAST)
               : (node < sector->first[THG_SIDE_SOUTH] ? THG_SIDE_NORTH : THG_SIDE_SOUTH);
}

/// The edge between sectors on a side of one: east edges are even, south edges odd.
static inline uint32_t thg_sector_edge(const thg_sectors *sectors, int sector, int side)
{
    int owner = side == THG_SIDE_WEST    ? sector - 1
                : side == THG_SIDE_NORTH ? sector - sectors->columns
                                         : sector;
    return 2 * (uint32_t)owner + (side >= THG_SIDE_NORTH);
}

/// Where a node lies, in cells of the map.
throng_vec2 thg_sector_node(const thg_sectors *sectors, const thg_sector *sector, int node);

/// What it costs from a point of the sector (in cells) to each of its nodes: [count] units, or
/// THRONG_UNREACHED.
void thg_sector_reach(thg_sectors *sectors, const thg_sector *sector, throng_vec2 from,
                      uint32_t *distance);

/// What a straight line between two points costs where it is sure that nothing is better: all in
/// cells of one price, and that the lowest of `least`. Units; THRONG_UNREACHED otherwise.
uint32_t thg_straight_cost(const throng_map *map, const thg_layer *layer, uint16_t least,
                           throng_vec2 from, throng_vec2 to);

#endif
