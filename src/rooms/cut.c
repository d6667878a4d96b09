/// Cutting a map into rooms: basins of the clearance, joined unless a narrowing parts them.
///
/// Cells are taken by falling clearance. A cell that touches no basin starts one; a cell that
/// touches several joins them where it is half as wide as the narrower of their middles, and else
/// stays a border, in the largest. A basin of more cells than allowed is cut again by squares. Each
/// connected piece is a room. (Vincent, Soille: Watersheds in digital spaces, 1991; joining by
/// persistence.)
#include "map/map.h"
#include <string.h>
#include <throng/rooms.h>

typedef struct basin_map {
    const throng_map *map;
    const thg_layer *layer;
    uint32_t *order;  ///< fitting cells by falling clearance
    uint32_t *parent; ///< union-find over cells; THG_NO_BASIN: not taken yet. The root of a basin
                      ///< is the first cell taken for it: that with the largest clearance
    uint32_t *size;   ///< of the basin, at its root
    uint32_t count;
    uint32_t most;
} basin_map;

#define THG_NO_BASIN UINT32_MAX

static uint32_t cell_clearance(const basin_map *basins, uint32_t cell)
{
    int width = basins->map->width;
    return basins->layer
        ->clearance[thg_padded_index(basins->map, (int)cell % width, (int)cell / width)];
}

/// Largest clearance first, then by cell: a counting sort over the clearances that occur, which
/// are squares of small numbers and sums of two; two passes of 16 bits.
static void sort_cells(basin_map *basins, uint32_t *scratch, uint32_t *counts)
{
    int width = basins->map->width;
    uint32_t count = 0;
    for (int y = 0; y < basins->map->height; y++) {
        for (int x = 0; x < width; x++) {
            if (basins->layer->price[thg_padded_index(basins->map, x, y)] != 0) {
                basins->order[count++] = (uint32_t)(y * width + x);
            }
        }
    }
    basins->count = count;
    for (int pass = 0; pass < 2; pass++) {
        uint32_t *from = pass == 0 ? basins->order : scratch;
        uint32_t *to = pass == 0 ? scratch : basins->order;
        memset(counts, 0, 65537 * sizeof *counts);
        for (uint32_t i = 0; i < count; i++) {
            counts[(~cell_clearance(basins, from[i]) >> 16 * pass & 0xffffu) + 1]++;
        }
        for (uint32_t i = 0; i < 65536; i++) {
            counts[i + 1] += counts[i];
        }
        for (uint32_t i = 0; i < count; i++) {
            to[counts[~cell_clearance(basins, from[i]) >> 16 * pass & 0xffffu]++] = from[i];
        }
    }
}

static void join(basin_map *basins, uint32_t a, uint32_t b)
{
    // The wider middle stays the root; of equal ones the lower cell.
    uint32_t wide_a = cell_clearance(basins, a), wide_b = cell_clearance(basins, b);
    if (wide_b > wide_a || (wide_b == wide_a && b < a)) {
        uint32_t kept = a;
        a = b;
        b = kept;
    }
    basins->parent[b] = a;
    basins->size[a] += basins->size[b];
}

static void take_cell(basin_map *basins, uint32_t cell)
{
    static const int straight_x[4] = {1, 0, -1, 0}, straight_y[4] = {0, 1, 0, -1};
    int width = basins->map->width, x = (int)cell % width, y = (int)cell / width;
    uint32_t clearance = cell_clearance(basins, cell), roots[4], found = 0;
    basins->parent[cell] = cell;
    basins->size[cell] = 1;
    for (int i = 0; i < 4; i++) {
        int nx = x + straight_x[i], ny = y + straight_y[i];
        uint32_t next = (uint32_t)(ny * width + nx);
        if (nx < 0 || ny < 0 || nx >= width || ny >= basins->map->height ||
            basins->parent[next] == THG_NO_BASIN) {
            continue;
        }
        uint32_t root = thg_root_of(basins->parent, next), at = 0;
        while (at < found && roots[at] != root) {
            at++;
        }
        if (at < found) {
            continue;
        }
        for (at = found++; at > 0 && basins->size[roots[at - 1]] < basins->size[root]; at--) {
            roots[at] = roots[at - 1];
        }
        roots[at] = root;
    }
    if (found == 0) {
        return;
    }
    // Largest first; the cell joins it, and the others where it is no narrowing of theirs.
    uint32_t own = roots[0];
    basins->parent[cell] = own;
    basins->size[own]++;
    for (uint32_t i = 1; i < found; i++) {
        uint32_t wide = cell_clearance(basins, roots[i]);
        uint32_t narrower = cell_clearance(basins, own);
        narrower = wide < narrower ? wide : narrower;
        bool open = (uint64_t)clearance * 4 >= (uint64_t)narrower; // squares: half the width
        if (open) {
            join(basins, own, roots[i]);
            own = thg_root_of(basins->parent, own);
        }
    }
}

/// True when two neighbour cells lie in one room: one basin and, where it is too large, one square.
static bool is_together(const basin_map *basins, uint32_t a, uint32_t b, uint32_t side)
{
    uint32_t width = (uint32_t)basins->map->width, root = thg_root_of(basins->parent, a);
    if (basins->parent[b] == THG_NO_BASIN || thg_root_of(basins->parent, b) != root) {
        return false;
    }
    return basins->size[root] <= basins->most ||
           (a % width / side == b % width / side && a / width / side == b / width / side);
}

/// Spreads a room's number from its first cell. The cells' order is used up, so it is the stack.
static void spread_room(basin_map *basins, uint32_t start, uint16_t number, uint32_t side,
                        uint16_t *zones)
{
    uint32_t width = (uint32_t)basins->map->width, depth = 0;
    uint32_t cells = (uint32_t)basins->map->cell_count, *stack = basins->order;
    zones[start] = number;
    stack[depth++] = start;
    while (depth > 0) {
        uint32_t cell = stack[--depth];
        uint32_t beside[4] = {cell + 1, cell + width, cell - 1, cell - width};
        bool inside[4] = {cell % width + 1 < width, cell + width<cells, cell % width> 0,
                          cell >= width};
        for (int i = 0; i < 4; i++) {
            if (inside[i] && zones[beside[i]] == 0 && is_together(basins, cell, beside[i], side)) {
                zones[beside[i]] = number;
                stack[depth++] = beside[i];
            }
        }
    }
}

/// Numbers the pieces of basins in row order. False when there are too many.
static bool number_basins(basin_map *basins, uint16_t *zones, int *room_count)
{
    uint32_t side = 1, cells = (uint32_t)basins->map->cell_count;
    while ((side + 1) * (side + 1) <= basins->most) {
        side++;
    }
    memset(zones, 0, cells * sizeof *zones);
    for (uint32_t cell = 0; cell < cells; cell++) {
        if (zones[cell] == 0 && basins->parent[cell] != THG_NO_BASIN) {
            if (*room_count == THRONG_MAX_ROOMS) {
                return false;
            }
            spread_room(basins, cell, (uint16_t)++ * room_count, side, zones);
        }
    }
    return true;
}

throng_result throng_rooms_cut(const throng_map *map, int class_index, int most_cells,
                               uint16_t *zones, int *room_count)
{
    *room_count = 0;
    if (map->planet != NULL || class_index < 0 || class_index >= map->layer_count ||
        most_cells < 16 || most_cells > 1 << 20) {
        return THRONG_BAD_ARGUMENT;
    }
    size_t cells = map->cell_count;
    basin_map basins = {.map = map, .layer = &map->layers[class_index]};
    basins.most = (uint32_t)most_cells;
    basins.order = thg_allocate(cells, sizeof(uint32_t));
    basins.parent = thg_allocate(cells, sizeof(uint32_t));
    basins.size = thg_allocate(cells, sizeof(uint32_t));
    uint32_t *counts = thg_allocate(65537, sizeof *counts);
    throng_result result = THRONG_NO_MEMORY;
    if (basins.order != NULL && basins.parent != NULL && basins.size != NULL && counts != NULL) {
        sort_cells(&basins, basins.size, counts);
        memset(basins.parent, 0xff, cells * sizeof(uint32_t));
        for (uint32_t i = 0; i < basins.count; i++) {
            take_cell(&basins, basins.order[i]);
        }
        result = number_basins(&basins, zones, room_count) ? THRONG_OK : THRONG_LIMIT;
    }
    thg_release(basins.order, cells, sizeof(uint32_t));
    thg_release(basins.parent, cells, sizeof(uint32_t));
    thg_release(basins.size, cells, sizeof(uint32_t));
    thg_release(counts, 65537, sizeof *counts);
    return result;
}
