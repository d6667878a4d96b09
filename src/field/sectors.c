/// See sectors.h. Everything a sector holds follows from integers and correctly rounded roots.
#include "field/sectors.h"
#include "field/solver.h"
#include <math.h>
#include <string.h>

#define LEAST_RING ((size_t)1 << 18) ///< bytes; some sectors of the greatest size
#define INSET 1e-3f                  ///< cells by which a node is moved into the sector that asks

throng_result thg_sectors_create(const throng_map *map, int class_index, int side, size_t bytes,
                                 thg_sectors **result)
{
    thg_sectors *sectors = thg_allocate(1, sizeof *sectors);
    if (sectors == NULL) {
        return THRONG_NO_MEMORY;
    }
    sectors->map = map;
    sectors->class_index = class_index;
    sectors->side = side;
    sectors->shift = side == 64 ? 6 : 5;
    sectors->columns = (map->width + side - 1) >> sectors->shift;
    sectors->rows = (map->height + side - 1) >> sectors->shift;
    sectors->count = sectors->columns * sectors->rows;
    sectors->ring_words = (bytes > LEAST_RING ? bytes : LEAST_RING) / sizeof *sectors->ring;
    sectors->place = thg_allocate((size_t)sectors->count, sizeof *sectors->place);
    sectors->ring = thg_allocate(sectors->ring_words, sizeof *sectors->ring);
    sectors->block = thg_allocate(1, sizeof *sectors->block);
    if (sectors->place == NULL || sectors->ring == NULL || sectors->block == NULL) {
        thg_sectors_destroy(sectors);
        return THRONG_NO_MEMORY;
    }
    *result = sectors;
    return THRONG_OK;
}

void thg_sectors_destroy(thg_sectors *sectors)
{
    if (sectors == NULL) {
        return;
    }
    thg_release(sectors->place, (size_t)sectors->count, sizeof *sectors->place);
    thg_release(sectors->ring, sectors->ring_words, sizeof *sectors->ring);
    thg_release(sectors->block, 1, sizeof *sectors->block);
    thg_release(sectors, 1, sizeof *sectors);
}

static const thg_layer *layer_of(const thg_sectors *sectors)
{
    return &sectors->map->layers[sectors->class_index];
}

// ---- The ring -----------------------------------------------------------------------------------

static void forget_oldest(thg_sectors *sectors)
{
    const thg_sector *oldest = (const thg_sector *)(sectors->ring + sectors->tail);
    // A sector that was looked at anew has left its old place behind.
    if (sectors->place[oldest->index] == sectors->tail + 1) {
        sectors->place[oldest->index] = 0;
        sectors->forgotten_count++;
    }
    sectors->tail += oldest->bytes / sizeof *sectors->ring;
    sectors->kept--;
    if (sectors->turned && sectors->tail == sectors->filled_end) {
        sectors->tail = 0;
        sectors->turned = false;
    }
}

/// Makes room for `words` at the head. One sector always finds room: the ring holds several.
static size_t ring_take(thg_sectors *sectors, size_t words)
{
    for (;;) {
        if (sectors->kept == 0) {
            sectors->head = sectors->tail = 0;
            sectors->turned = false;
        }
        size_t end = sectors->turned ? sectors->tail : sectors->ring_words;
        if (sectors->head + words <= end) {
            break;
        }
        if (sectors->turned) {
            forget_oldest(sectors);
        } else {
            sectors->filled_end = sectors->head;
            sectors->head = 0;
            sectors->turned = true;
        }
    }
    size_t at = sectors->head;
    sectors->head += words;
    sectors->kept++;
    return at;
}

// ---- Nodes --------------------------------------------------------------------------------------

/// Nodes of a side: `here` and `there` are the prices of its two rows of cells, `step` apart.
static int side_nodes(const uint16_t *here, const uint16_t *there, ptrdiff_t step, int length,
                      uint8_t *offset)
{
    int count = 0;
    for (int first = 0; first < length;) {
        int end = first;
        while (end < length && here[end * step] != 0 && there[end * step] != 0) {
            end++;
        }
        int last = end - 1;
        if (end - first >= 3) {
            int parts = (last - first + THG_NODE_SPACING - 1) / THG_NODE_SPACING;
            for (int i = 0; i <= parts; i++) {
                offset[count++] = (uint8_t)(first + ((last - first) * i + parts / 2) / parts);
            }
        } else if (end > first) {
            offset[count++] = (uint8_t)last;
        }
        first = end + 1;
    }
    return count;
}

static void find_nodes(const thg_sectors *sectors, thg_sector *sector)
{
    const thg_block *block = sectors->block;
    const uint16_t *price =
        layer_of(sectors)->price + thg_padded_index(sectors->map, block->first_x, block->first_y);
    ptrdiff_t stride = sectors->map->stride;
    const uint16_t *east = price + block->width - 1;
    const uint16_t *south = price + stride * (block->height - 1);
    int count = 0;
    sector->first[THG_SIDE_WEST] = 0;
    count += side_nodes(price, price - 1, stride, block->height, sector->offset);
    sector->first[THG_SIDE_EAST] = (uint16_t)count;
    count += side_nodes(east, east + 1, stride, block->height, sector->offset + count);
    sector->first[THG_SIDE_NORTH] = (uint16_t)count;
    count += side_nodes(price, price - stride, 1, block->width, sector->offset + count);
    sector->first[THG_SIDE_SOUTH] = (uint16_t)count;
    count += side_nodes(south, south + stride, 1, block->width, sector->offset + count);
    sector->first[4] = (uint16_t)count;
    sector->count = (uint16_t)count;
}

throng_vec2 thg_sector_node(const thg_sectors *sectors, const thg_sector *sector, int node)
{
    int column = (int)sector->index % sectors->columns;
    int row = (int)sector->index / sectors->columns;
    int side = thg_sector_side(sector, node);
    float along = (float)sector->offset[node] + 0.5f;
    bool upright = side == THG_SIDE_WEST || side == THG_SIDE_EAST;
    float far = side == THG_SIDE_EAST || side == THG_SIDE_SOUTH ? (float)sectors->side : 0.0f;
    throng_vec2 at = {(float)(column << sectors->shift) + (upright ? far : along),
                      (float)(row << sectors->shift) + (upright ? along : far)};
    return at;
}

/// A node as seen from inside its sector, and the cell of the sector that it touches.
static throng_vec2 node_inside(const thg_sectors *sectors, const thg_sector *sector, int node,
                               int *index)
{
    const thg_block *block = sectors->block;
    throng_vec2 at = thg_sector_node(sectors, sector, node);
    int side = thg_sector_side(sector, node);
    at.x += side == THG_SIDE_WEST ? INSET : side == THG_SIDE_EAST ? -INSET : 0.0f;
    at.y += side == THG_SIDE_NORTH ? INSET : side == THG_SIDE_SOUTH ? -INSET : 0.0f;
    *index = thg_block_index(block, (int)at.x - block->first_x, (int)at.y - block->first_y);
    return at;
}

// ---- Distances ----------------------------------------------------------------------------------

static uint32_t length_cost(throng_vec2 from, throng_vec2 to, uint16_t price)
{
    double dx = (double)to.x - (double)from.x;
    double dy = (double)to.y - (double)from.y;
    double cost = sqrt(dx * dx + dy * dy) * (double)price * (double)THG_EIKONAL_PER_PRICE + 0.5;
    return cost < (double)THRONG_FAR ? (uint32_t)cost : THRONG_FAR;
}

uint32_t thg_straight_cost(const throng_map *map, const thg_layer *layer, uint16_t least,
                           throng_vec2 from, throng_vec2 to)
{
    return least != 0 && thg_layer_sees(map, layer, least, from.x, from.y, to.x, to.y)
               ? length_cost(from, to, least)
               : THRONG_UNREACHED;
}

/// Costs from a point inside the loaded block to the nodes.
static void reach_nodes(thg_sectors *sectors, const thg_sector *sector, throng_vec2 from,
                        uint32_t *distance)
{
    thg_block *block = sectors->block;
    bool hidden = false;
    for (int node = 0; node < sector->count; node++) {
        int index;
        throng_vec2 to = node_inside(sectors, sector, node, &index);
        distance[node] = sector->clear ? length_cost(from, to, block->min_price)
                                       : thg_straight_cost(sectors->map, block->layer,
                                                           block->min_price, from, to);
        hidden = hidden || distance[node] == THRONG_UNREACHED;
    }
    if (!hidden) {
        return;
    }
    thg_block_clear(block, 0, 0);
    thg_block_seed_point(block, from.x, from.y);
    thg_block_run(block);
    for (int node = 0; node < sector->count; node++) {
        int index;
        node_inside(sectors, sector, node, &index);
        uint32_t cost = block->cost[index];
        if (distance[node] == THRONG_UNREACHED && cost < THRONG_FAR) {
            // Half a cell on, to the line between the sectors.
            distance[node] = cost + block->price[index] * (uint32_t)THG_EIKONAL_PER_PRICE / 2;
        }
    }
}

static void load(thg_sectors *sectors, uint32_t index)
{
    thg_block_load(sectors->block, sectors->map, layer_of(sectors),
                   ((int)index % sectors->columns) << sectors->shift,
                   ((int)index / sectors->columns) << sectors->shift, sectors->side);
}

void thg_sector_reach(thg_sectors *sectors, const thg_sector *sector, throng_vec2 from,
                      uint32_t *distance)
{
    load(sectors, sector->index);
    reach_nodes(sectors, sector, from, distance);
}

const uint32_t *thg_sector_distances(thg_sectors *sectors, const thg_sector *sector, int node)
{
    // Sectors are the cache's own; who asks may only read them.
    thg_sector *own = (thg_sector *)(sectors->ring + sectors->place[sector->index] - 1);
    uint32_t *distance = own->distance + (size_t)node * own->count;
    if (!own->known[node]) {
        int start;
        load(sectors, own->index);
        throng_vec2 from = node_inside(sectors, own, node, &start);
        reach_nodes(sectors, own, from, distance);
        distance[node] = 0;
        own->known[node] = 1;
        sectors->solved_count++;
    }
    return distance;
}

// ---- Looking at sectors -------------------------------------------------------------------------

static uint64_t mix_row(uint64_t hash, const uint16_t *price, int count)
{
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        uint64_t word;
        memcpy(&word, price + i, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    for (; i < count; i++) {
        hash = (hash ^ price[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

/// Of the prices of the sector and of one cell round it: all that its contents depend on.
static uint64_t checksum_of(const thg_sectors *sectors, int index)
{
    const throng_map *map = sectors->map;
    int first_x = (index % sectors->columns) << sectors->shift;
    int first_y = (index / sectors->columns) << sectors->shift;
    int width = thg_min_int(sectors->side, map->width - first_x) + 2;
    int height = thg_min_int(sectors->side, map->height - first_y) + 2;
    uint64_t hash = (uint64_t)index;
    for (int y = 0; y < height; y++) {
        const uint16_t *price =
            layer_of(sectors)->price + thg_padded_index(map, first_x - 1, first_y - 1 + y);
        hash = mix_row(hash, price, width);
    }
    return thg_mix64(hash);
}

static const thg_sector *look_at(thg_sectors *sectors, int index, uint64_t checksum)
{
    thg_sector found = {
        .checksum = checksum, .index = (uint32_t)index, .version = sectors->map->version};
    load(sectors, (uint32_t)index);
    find_nodes(sectors, &found);
    found.clear = sectors->block->clear;
    size_t pairs = (size_t)found.count * (size_t)found.count;
    size_t bytes = sizeof found + pairs * sizeof found.distance[0];
    size_t words = (bytes + sizeof *sectors->ring - 1) / sizeof *sectors->ring;
    found.bytes = (uint32_t)(words * sizeof *sectors->ring);
    size_t at = ring_take(sectors, words);
    thg_sector *sector = (thg_sector *)(sectors->ring + at);
    memcpy(sector, &found, sizeof found);
    sectors->place[index] = (uint32_t)at + 1;
    sectors->built_count++;
    return sector;
}

const thg_sector *thg_sectors_get(thg_sectors *sectors, int index)
{
    uint32_t place = sectors->place[index];
    if (place == 0) {
        return look_at(sectors, index, checksum_of(sectors, index));
    }
    thg_sector *sector = (thg_sector *)(sectors->ring + place - 1);
    if (sector->version != sectors->map->version) {
        uint64_t checksum = checksum_of(sectors, index);
        if (checksum != sector->checksum) {
            return look_at(sectors, index, checksum);
        }
        sector->version = sectors->map->version;
        sectors->kept_count++;
    }
    return sector;
}
