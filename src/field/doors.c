/// See doors.h. Costs are whole units, and of doors with equal costs the lower goes first, so the
/// result does not depend on what the sectors' ring holds.
#include "field/doors.h"
#include "field/solver.h"
#include <string.h>

throng_result thg_door_graph_create(const throng_map *map, int class_index, size_t bytes,
                                    thg_door_graph **result)
{
    thg_door_graph *graph = thg_allocate(1, sizeof *graph);
    if (graph == NULL) {
        return THRONG_NO_MEMORY;
    }
    throng_result outcome =
        thg_sectors_create(map, class_index, THG_DOOR_SIDE, bytes, &graph->sectors);
    if (outcome == THRONG_OK) {
        graph->door_count = 2u * (uint32_t)graph->sectors->count * THG_EDGE_DOORS;
        graph->places = thg_allocate(graph->door_count, sizeof *graph->places);
        graph->heap.items = thg_allocate((size_t)graph->door_count + 1, sizeof *graph->heap.items);
        graph->heap.places = graph->places;
        graph->heap.size = sizeof *graph->places;
        outcome = graph->places != NULL && graph->heap.items != NULL ? THRONG_OK : THRONG_NO_MEMORY;
    }
    if (outcome != THRONG_OK) {
        thg_door_graph_destroy(graph);
        return outcome;
    }
    for (int i = 0; i < graph->sectors->count; i++) {
        const thg_sector *sector = thg_sectors_get(graph->sectors, i);
        for (int node = 0; node < sector->count; node++) {
            thg_sector_distances(graph->sectors, sector, node);
        }
    }
    *result = graph;
    return THRONG_OK;
}

void thg_door_graph_destroy(thg_door_graph *graph)
{
    if (graph == NULL) {
        return;
    }
    thg_sectors_destroy(graph->sectors);
    thg_release(graph->places, graph->door_count, sizeof *graph->places);
    thg_release(graph->heap.items, (size_t)graph->door_count + 1, sizeof *graph->heap.items);
    thg_release(graph, 1, sizeof *graph);
}

throng_result thg_doors_create(thg_door_graph *graph, thg_doors **result)
{
    thg_doors *doors = thg_allocate(1, sizeof *doors);
    if (doors == NULL) {
        return THRONG_NO_MEMORY;
    }
    doors->graph = graph;
    doors->cost = thg_allocate(graph->door_count, sizeof *doors->cost);
    doors->onward = thg_allocate(graph->door_count, sizeof *doors->onward);
    if (doors->cost == NULL || doors->onward == NULL) {
        thg_doors_destroy(doors);
        return THRONG_NO_MEMORY;
    }
    *result = doors;
    return THRONG_OK;
}

void thg_doors_destroy(thg_doors *doors)
{
    if (doors != NULL) {
        thg_release(doors->cost, doors->graph->door_count, sizeof *doors->cost);
        thg_release(doors->onward, doors->graph->door_count, sizeof *doors->onward);
        thg_release(doors, 1, sizeof *doors);
    }
}

// ---- The search ---------------------------------------------------------------------------------

void thg_doors_clear(thg_doors *doors)
{
    thg_heap_clear(&doors->graph->heap);
    memset(doors->cost, 0xFF, doors->graph->door_count * sizeof *doors->cost);
    memset(doors->onward, 0, doors->graph->door_count * sizeof *doors->onward);
    doors->known = false;
}

/// Door of a sector's node.
static uint32_t door_of(const thg_sectors *sectors, const thg_sector *sector, int node)
{
    int side = thg_sector_side(sector, node);
    return thg_sector_edge(sectors, (int)sector->index, side) * THG_EDGE_DOORS +
           (uint32_t)(node - sector->first[side]);
}

/// True where a sector lies east or south of its side's line.
static bool is_beyond(int side)
{
    return side == THG_SIDE_WEST || side == THG_SIDE_NORTH;
}

/// A way from a node through its sector.
static void offer(thg_doors *doors, const thg_sector *sector, int node, uint64_t cost)
{
    uint32_t door = door_of(doors->graph->sectors, sector, node);
    if (cost < doors->cost[door] && cost < THRONG_FAR) {
        doors->cost[door] = (uint32_t)cost;
        doors->onward[door] = is_beyond(thg_sector_side(sector, node));
        thg_heap_offer(&doors->graph->heap, door, cost);
    }
}

/// A side's cells: that of the block, and the one beyond; `step` apart.
typedef struct side_cells {
    int inside, outside, step, length;
} side_cells;

static side_cells cells_of_side(const thg_block *block, int side)
{
    bool upright = side == THG_SIDE_WEST || side == THG_SIDE_EAST;
    int x = side == THG_SIDE_EAST ? block->width - 1 : 0;
    int y = side == THG_SIDE_SOUTH ? block->height - 1 : 0;
    int away = upright ? 1 : block->stride;
    side_cells cells = {thg_block_index(block, x, y), 0, upright ? block->stride : 1,
                        upright ? block->height : block->width};
    cells.outside = cells.inside + (is_beyond(side) ? -away : away);
    return cells;
}

void thg_doors_begin(thg_doors *doors, int index, const thg_block *block)
{
    thg_sectors *sectors = doors->graph->sectors;
    const thg_sector *sector = thg_sectors_get(sectors, index);
    for (int node = 0; node < sector->count; node++) {
        int side = thg_sector_side(sector, node);
        side_cells cells = cells_of_side(block, side);
        int cell = cells.inside + sector->offset[node] * cells.step;
        if (block->cost[cell] < THRONG_FAR) {
            uint32_t half = block->price[cell] * (uint32_t)THG_EIKONAL_PER_PRICE / 2;
            offer(doors, sector, node, (uint64_t)block->cost[cell] + half);
        }
    }
}

/// Goes on from a door through one of its sectors. Returns the work.
static int spread(thg_doors *doors, int index, int side, uint32_t door)
{
    thg_sectors *sectors = doors->graph->sectors;
    const thg_sector *sector = thg_sectors_get(sectors, index);
    int own = sector->first[side] + (int)(door % THG_EDGE_DOORS);
    const uint32_t *distances = thg_sector_distances(sectors, sector, own);
    for (int node = 0; node < sector->count; node++) {
        if (node != own && distances[node] < THRONG_FAR) {
            offer(doors, sector, node, (uint64_t)doors->cost[door] + distances[node]);
        }
    }
    return sector->count;
}

bool thg_doors_advance(thg_doors *doors, int *budget)
{
    thg_heap *heap = &doors->graph->heap;
    int columns = doors->graph->sectors->columns;
    while (heap->count > 0 && *budget > 0) {
        uint32_t door = thg_heap_take(heap);
        uint32_t edge = door / THG_EDGE_DOORS;
        int first = (int)(edge / 2);
        bool south = edge % 2 != 0;
        *budget -= spread(doors, first, south ? THG_SIDE_SOUTH : THG_SIDE_EAST, door);
        *budget -= spread(doors, first + (south ? columns : 1),
                          south ? THG_SIDE_NORTH : THG_SIDE_WEST, door);
    }
    doors->known = heap->count == 0;
    return doors->known;
}

// ---- The rim of a room --------------------------------------------------------------------------

/// Nodes of a side with what is known of them.
typedef struct side_doors {
    const thg_sector *sector;
    const uint32_t *cost; ///< of the side's first
    const uint8_t *onward;
    int first, count; ///< nodes
    bool beyond;
} side_doors;

static side_doors doors_of_side(const thg_doors *doors, const thg_sector *sector, int side)
{
    uint32_t door =
        thg_sector_edge(doors->graph->sectors, (int)sector->index, side) * THG_EDGE_DOORS;
    side_doors of = {sector, NULL, NULL, sector->first[side], 0, is_beyond(side)};
    of.count = sector->first[side + 1] - sector->first[side];
    if (of.count > 0) { // on the map's border there are none
        of.cost = doors->cost + door;
        of.onward = doors->onward + door;
    }
    return of;
}

/// True for a door through which the sector is left.
static bool is_exit(const side_doors *of, int i)
{
    return of->cost[i] < THRONG_FAR && (of->onward[i] != 0) != of->beyond;
}

unsigned thg_doors_exits(const thg_doors *doors, int index, uint32_t *lowest)
{
    const thg_sector *sector = thg_sectors_get(doors->graph->sectors, index);
    unsigned sides = 0;
    *lowest = THRONG_FAR;
    for (int side = 0; side < 4; side++) {
        side_doors of = doors_of_side(doors, sector, side);
        for (int i = 0; i < of.count; i++) {
            bool leaves = is_exit(&of, i);
            sides |= (unsigned)leaves << side;
            *lowest = leaves && of.cost[i] < *lowest ? of.cost[i] : *lowest;
        }
    }
    return sides;
}

/// Cost at the line beside the cell `at` between two doors of a window, the same for a window's
/// only door. Between two exits it changes evenly; an exit beside a door that is none is one up to
/// the middle, and costs what it is away more.
static uint32_t cost_between(const side_doors *of, int low, int high, int at, uint32_t unit)
{
    int low_at = of->sector->offset[of->first + low],
        high_at = of->sector->offset[of->first + high];
    bool low_exit = is_exit(of, low), high_exit = is_exit(of, high);
    if (low_exit && high_exit && high_at > low_at) {
        int64_t rise = (int64_t)of->cost[high] - (int64_t)of->cost[low];
        return (uint32_t)((int64_t)of->cost[low] + rise * (at - low_at) / (high_at - low_at));
    }
    int to_low = at < low_at ? low_at - at : at - low_at;
    int to_high = at < high_at ? high_at - at : at - high_at;
    bool takes_low = to_low <= to_high;
    if (takes_low ? !low_exit : !high_exit) {
        return THRONG_UNREACHED;
    }
    uint64_t cost = takes_low ? (uint64_t)of->cost[low] + (uint64_t)to_low * unit
                              : (uint64_t)of->cost[high] + (uint64_t)to_high * unit;
    return cost < THRONG_FAR ? (uint32_t)cost : THRONG_UNREACHED;
}

/// Cells of a side that fit on both sides of the line, a bit each.
static uint32_t open_cells(const thg_doors *doors, const thg_block *block, side_cells cells,
                           int side)
{
    const throng_map *map = doors->graph->sectors->map;
    const uint16_t *price = block->layer->price;
    bool upright = side == THG_SIDE_WEST || side == THG_SIDE_EAST;
    int x = block->first_x + (side == THG_SIDE_EAST ? block->width - 1 : 0);
    int y = block->first_y + (side == THG_SIDE_SOUTH ? block->height - 1 : 0);
    ptrdiff_t step = upright ? map->stride : 1;
    ptrdiff_t away = upright ? 1 : map->stride;
    const uint16_t *here = price + thg_padded_index(map, x, y);
    const uint16_t *there = here + (is_beyond(side) ? -away : away);
    uint32_t open = 0;
    for (int at = 0; at < cells.length; at++) {
        open |= (uint32_t)(here[at * step] != 0 && there[at * step] != 0) << at;
    }
    return open;
}

/// Goes along a side. `low` and `high` are the nearest doors of the same window on both sides; a
/// window's outermost cells are doors but where it has one door only.
static void write_side(const thg_doors *doors, const side_doors *of, int side, thg_block *block)
{
    side_cells cells = cells_of_side(block, side);
    uint32_t open = of->count > 0 ? open_cells(doors, block, cells, side) : 0;
    const uint8_t *offset = of->sector->offset + of->first;
    int low = -1, high = -1;
    for (int at = 0; at < cells.length; at++) {
        if (!(open >> at & 1u)) {
            low = -1;
            continue;
        }
        if (low < 0) { // a window begins: with a door, or there is one at its end
            low = high = high + 1;
        } else if (at > offset[high]) {
            low = high++;
        }
        uint32_t unit =
            block->price[cells.inside + at * cells.step] * (uint32_t)THG_EIKONAL_PER_PRICE;
        uint32_t cost = cost_between(of, low, high, at, unit);
        if (cost != THRONG_UNREACHED) {
            block->cost[cells.outside + at * cells.step] = cost > unit / 2 ? cost - unit / 2 : 0;
            thg_block_update(block, cells.inside + at * cells.step);
        }
    }
}

void thg_doors_rim(const thg_doors *doors, int index, thg_block *block)
{
    const thg_sector *sector = thg_sectors_get(doors->graph->sectors, index);
    for (int side = 0; side < 4; side++) {
        side_doors of = doors_of_side(doors, sector, side);
        write_side(doors, &of, side, block);
    }
}
