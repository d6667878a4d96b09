/// Doors: what it costs to get to a goal from every opening between two sectors, and through which
/// of the two the way goes on.
///
/// A sector, or a piece of it, is a room, and the nodes of its windows are its doors. What it costs
/// to cross a room from door to door is a function of the map (sectors.h) and does not depend on
/// goals; so a goal needs one search over the doors (Dijkstra 1959) in place of one over the cells,
/// and 160 bytes for each 1,024 cells. Any room's field can then be worked out alone, from the
/// costs at its own doors: those from which the way goes on in the next room are where it is left.
/// A room never sends anybody through a door from which the way leads back into it, so costs fall
/// from door to door, and nobody is sent to and fro.
#ifndef THG_DOORS_H
#define THG_DOORS_H

#include "core/heap.h"
#include "field/sectors.h"

#define THG_EDGE_DOORS 16 ///< on a side of a sector of 32 cells, at most
#define THG_DOOR_SIDE 32

/// What the goals of a class share.
typedef struct thg_door_graph {
    thg_sectors *sectors;
    thg_heap heap;          ///< doors by cost
    thg_heap_place *places; ///< [door_count]
    uint32_t door_count;    ///< room for all that there can be
} thg_door_graph;

/// Costs to one goal. Doors count by edges between sectors (thg_sector_edge), and along each.
typedef struct thg_doors {
    thg_door_graph *graph;
    uint32_t *cost;  ///< [door_count] units at the line between the sectors; or THRONG_UNREACHED
    uint8_t *onward; ///< [door_count] 1: the way goes on in the sector east or south of the line
    bool known;      ///< the search has ended
} thg_doors;

/// Looks at the whole map, once. `bytes` for what it costs to
/// cross sectors; what does not fit is worked out again each time. THRONG_NO_MEMORY.
throng_result thg_door_graph_create(const throng_map *map, int class_index, size_t bytes,
                                    thg_door_graph **graph);
void thg_door_graph_destroy(thg_door_graph *graph);

throng_result thg_doors_create(thg_door_graph *graph, thg_doors **doors);
void thg_doors_destroy(thg_doors *doors);

/// Forgets all costs: a search begins.
void thg_doors_clear(thg_doors *doors);

/// Takes the costs of a sector's cells, in a block that has been run, for its doors. The way from
/// these goes on in this sector.
void thg_doors_begin(thg_doors *doors, int sector, const thg_block *block);

/// Goes on for about *budget cells' worth, and subtracts them. True when all doors have their cost.
bool thg_doors_advance(thg_doors *doors, int *budget);

/// Sides through which a sector is left, a bit each; *lowest is the least cost of their doors.
unsigned thg_doors_exits(const thg_doors *doors, int sector, uint32_t *lowest);

/// Writes what the doors through which a sector is left make of the cells beyond its lines: the rim
/// of a block that has it loaded. The cells beside these are worked out anew.
void thg_doors_rim(const thg_doors *doors, int sector, thg_block *block);

#endif
