/// Eikonal integration by tiles: 16 x 16 cells are settled at a time, the tile whose border fell to
/// the lowest cost first (after Chacon, Vladimirsky 2012: march on the coarse scale, sweep on the
/// fine one).
///
/// Falling costs end in the update's greatest fixed point in any order, so these are the same bits
/// as those of the buckets in eikonal.c.
/// A tile that is visited tells its neighbours which of their cells may fall now; a neighbour waits
/// in buckets by the lowest cost it was told. Order is only a matter of speed: what lies beyond the
/// buckets' range waits in the last one and is put back from there.
#include "field/solver.h"
#include <string.h>

#define NOBODY UINT32_MAX
#define BUCKETS 1024u

struct thg_squares {
    thg_square *tiles;
    int across, down; ///< tiles along each side of the map
    uint32_t head[BUCKETS];
    uint32_t shift, current, waiting;
    int owed; ///< cells of the last visit that no budget has paid for yet
    thg_square_kernel *kernel;
    thg_square_roots roots;
};

static size_t tile_count(const thg_squares *tiles)
{
    return (size_t)tiles->across * (size_t)tiles->down;
}

thg_squares *thg_squares_create(const throng_map *map)
{
    thg_squares *tiles = thg_allocate(1, sizeof *tiles);
    if (tiles == NULL) {
        return NULL;
    }
    tiles->across = (map->width + THG_SQUARE - 1) / THG_SQUARE;
    tiles->down = (map->height + THG_SQUARE - 1) / THG_SQUARE;
    tiles->kernel = thg_square_kernel_get(THG_SQUARE_AUTO);
    tiles->tiles = thg_allocate(tile_count(tiles), sizeof *tiles->tiles);
    if (tiles->tiles == NULL) {
        thg_squares_destroy(tiles);
        return NULL;
    }
    return tiles;
}

void thg_squares_destroy(thg_squares *tiles)
{
    if (tiles != NULL) {
        thg_release(tiles->tiles, tile_count(tiles), sizeof *tiles->tiles);
        thg_release(tiles, 1, sizeof *tiles);
    }
}

bool thg_squares_use(thg_solver *solver, thg_square_build build)
{
    thg_square_kernel *kernel = thg_square_kernel_get(build);
    solver->tiles->kernel = kernel != NULL ? kernel : solver->tiles->kernel;
    return kernel != NULL;
}

static uint32_t bucket_of(const thg_squares *tiles, uint32_t key)
{
    uint32_t number = key >> tiles->shift;
    uint32_t last = tiles->current + BUCKETS - 1;
    number = number > tiles->current ? number : tiles->current;
    return (number < last ? number : last) % BUCKETS;
}

static void enter(thg_squares *tiles, uint32_t index, uint32_t key)
{
    thg_square *tile = &tiles->tiles[index];
    uint32_t slot = bucket_of(tiles, key);
    tile->key = key;
    tile->slot = slot;
    tile->before = NOBODY;
    tile->behind = tiles->head[slot];
    if (tile->behind != NOBODY) {
        tiles->tiles[tile->behind].before = index;
    }
    tiles->head[slot] = index;
    tile->waits = true;
    tiles->waiting++;
}

static void leave(thg_squares *tiles, uint32_t index)
{
    thg_square *tile = &tiles->tiles[index];
    if (tile->before != NOBODY) {
        tiles->tiles[tile->before].behind = tile->behind;
    } else {
        tiles->head[tile->slot] = tile->behind;
    }
    if (tile->behind != NOBODY) {
        tiles->tiles[tile->behind].before = tile->before;
    }
    tile->waits = false;
    tiles->waiting--;
}

/// Lets a tile wait for its visit at `key`, or at what it waits for already if that is less.
static void wake(thg_squares *tiles, uint32_t index, uint32_t key)
{
    thg_square *tile = &tiles->tiles[index];
    if (!tile->waits) {
        enter(tiles, index, key);
    } else if (key < tile->key) {
        if (bucket_of(tiles, key) == tile->slot) {
            tile->key = key;
        } else {
            leave(tiles, index);
            enter(tiles, index, key);
        }
    }
}

/// The tile to visit next; there is one.
static uint32_t take(thg_squares *tiles)
{
    for (;;) {
        uint32_t index = tiles->head[tiles->current % BUCKETS];
        if (index == NOBODY) {
            tiles->current++;
            continue;
        }
        uint32_t key = tiles->tiles[index].key;
        leave(tiles, index);
        if (key >> tiles->shift <= tiles->current) {
            return index;
        }
        enter(tiles, index, key); // it was beyond the range when it came
    }
}

/// Which of `count` prices, `step` apart, are of cells that fit, bit by bit.
static uint16_t fit_bits(const uint16_t *price, ptrdiff_t step, int count)
{
    unsigned bits = 0;
    for (int i = 0; i < count; i++) {
        bits |= (unsigned)(price[i * step] != 0) << i;
    }
    return (uint16_t)bits;
}

/// Where a tile lies.
typedef struct place {
    size_t cell; ///< padded index of its first
    int x, y;    ///< in tiles
    int columns, rows;
} place;

static place place_of(const thg_solver *solver, uint32_t index)
{
    const throng_map *map = solver->map;
    place at;
    at.x = (int)index % solver->tiles->across;
    at.y = (int)index / solver->tiles->across;
    at.cell = thg_padded_index(map, at.x * THG_SQUARE, at.y * THG_SQUARE);
    at.columns = thg_min_int(THG_SQUARE, map->width - at.x * THG_SQUARE);
    at.rows = thg_min_int(THG_SQUARE, map->height - at.y * THG_SQUARE);
    return at;
}

/// Learns which cells along the sides of a tile fit.
static void survey(const thg_solver *solver, uint32_t index)
{
    thg_square *tile = &solver->tiles->tiles[index];
    ptrdiff_t stride = solver->map->stride;
    place at = place_of(solver, index);
    const uint16_t *first = solver->prices.price + at.cell;
    tile->fits[THG_SQUARE_NORTH] = fit_bits(first, 1, at.columns);
    tile->fits[THG_SQUARE_SOUTH] = fit_bits(first + (at.rows - 1) * stride, 1, at.columns);
    tile->fits[THG_SQUARE_WEST] = fit_bits(first, stride, at.rows);
    tile->fits[THG_SQUARE_EAST] = fit_bits(first + at.columns - 1, stride, at.rows);
    tile->surveyed = true;
}

void thg_squares_reset(thg_solver *solver)
{
    thg_squares *tiles = solver->tiles;
    uint32_t crossing = solver->prices.max * (uint32_t)THG_EIKONAL_PER_PRICE;
    for (uint32_t i = 0; i < BUCKETS; i++) {
        tiles->head[i] = NOBODY;
    }
    memset(tiles->tiles, 0, tile_count(tiles) * sizeof *tiles->tiles);
    tiles->current = 0;
    tiles->waiting = 0;
    tiles->owed = 0;
    tiles->roots = crossing < 2897    ? THG_ROOTS_SHORT
                   : crossing < 32768 ? THG_ROOTS_WORD
                                      : THG_ROOTS_LONG;
    // A bucket as wide as a few steps.
    uint32_t low = solver->prices.min * (uint32_t)THG_EIKONAL_PER_PRICE;
    tiles->shift = 0;
    while ((low * 8) >> tiles->shift > 1) {
        tiles->shift++;
    }
}

void thg_squares_mark(thg_solver *solver, size_t cell, uint32_t key)
{
    thg_squares *tiles = solver->tiles;
    int x = (int)(cell % (size_t)solver->map->stride) - 1;
    int y = (int)(cell / (size_t)solver->map->stride) - 1;
    uint32_t index = (uint32_t)(y / THG_SQUARE * tiles->across + x / THG_SQUARE);
    tiles->tiles[index].whole = true;
    wake(tiles, index, key);
}

static void seed(void *context, uint32_t cell, uint32_t cost)
{
    thg_solver *solver = context;
    if (cost < solver->back.cost[cell]) {
        ptrdiff_t stride = solver->map->stride;
        const ptrdiff_t offset[5] = {0, 1, stride, -1, -stride};
        solver->back.cost[cell] = cost;
        thg_solver_touch(solver, cell);
        for (int i = 0; i < 5; i++) {
            size_t near = (size_t)((ptrdiff_t)cell + offset[i]);
            if (solver->prices.price[near] != 0) {
                thg_squares_mark(solver, near, cost);
            }
        }
    }
}

void thg_squares_begin(thg_solver *solver)
{
    thg_squares_reset(solver);
    thg_goal_seed(solver->field, seed, solver);
}

/// Reads a tile and what lies round it. Beyond the map's last row and column nobody fits.
static void load(const thg_solver *solver, const place *at, thg_square_visit *visit)
{
    size_t stride = (size_t)solver->map->stride;
    const uint32_t *cost = solver->back.cost + at->cell;
    const uint16_t *price = solver->prices.price + at->cell;
    bool whole = at->columns == THG_SQUARE && at->rows == THG_SQUARE;
    if (!whole) {
        memset(visit->cost, 0xFF, sizeof visit->cost); // THRONG_UNREACHED
        memset(visit->outside, 0xFF, sizeof visit->outside);
        memset(visit->edge, 0xFF, sizeof visit->edge);
        memset(visit->price, 0, sizeof visit->price);
        for (int i = 0; i < at->rows + 2; i++) {
            memcpy(visit->cost[i], cost + (ptrdiff_t)stride * (i - 1),
                   (size_t)at->columns * sizeof *cost);
        }
        for (int i = 0; i < at->rows; i++) {
            memcpy(visit->price[i], price + stride * (size_t)i,
                   (size_t)at->columns * sizeof *price);
        }
    } else {
        for (int i = 0; i < THG_SQUARE + 2; i++) {
            memcpy(visit->cost[i], cost + (ptrdiff_t)stride * (i - 1), sizeof visit->cost[i]);
        }
        for (int i = 0; i < THG_SQUARE; i++) {
            memcpy(visit->price[i], price + stride * (size_t)i, sizeof visit->price[i]);
        }
    }
    for (int i = 0; i < at->rows; i++) {
        const uint32_t *row = cost + stride * (size_t)i;
        visit->outside[0][i] = row[-1];
        visit->edge[0][i] = row[0];
        if (at->columns == THG_SQUARE) {
            visit->outside[1][i] = row[THG_SQUARE];
            visit->edge[1][i] = row[THG_SQUARE - 1];
        }
    }
}

static void store(thg_solver *solver, const place *at, const thg_square_visit *visit)
{
    size_t stride = (size_t)solver->map->stride;
    uint32_t *cost = solver->back.cost + at->cell;
    if (solver->repairing) {
        memset(solver->touched + at->cell / stride, 1, (size_t)at->rows);
    }
    if (at->columns == THG_SQUARE) {
        for (int i = 0; i < at->rows; i++) {
            memcpy(cost + stride * (size_t)i, visit->cost[i + 1], sizeof visit->cost[i]);
        }
    } else {
        for (int i = 0; i < at->rows; i++) {
            memcpy(cost + stride * (size_t)i, visit->cost[i + 1],
                   (size_t)at->columns * sizeof *cost);
        }
    }
}

/// Asks for the memory of the tile that is likely to come next: its rows lie a page apart.
static void fetch_next(const thg_solver *solver)
{
    const thg_squares *tiles = solver->tiles;
    uint32_t index = tiles->head[tiles->current % BUCKETS];
    if (index == NOBODY) {
        index = tiles->head[(tiles->current + 1) % BUCKETS];
    }
    if (index != NOBODY) {
        place at = place_of(solver, index);
        size_t stride = (size_t)solver->map->stride;
        for (int i = 0; i < at.rows; i++) {
            size_t cell = at.cell + stride * (size_t)i;
            __builtin_prefetch(&solver->back.cost[cell - 1], 1);
            __builtin_prefetch(&solver->back.cost[cell + THG_SQUARE], 1);
            __builtin_prefetch(&solver->prices.price[cell]);
        }
    }
}

/// Settles one tile and wakes its neighbours.
static void visit_tile(thg_solver *solver, uint32_t index)
{
    static const int step_x[THG_SQUARE_SIDES] = {0, 0, -1, 1};
    static const int step_y[THG_SQUARE_SIDES] = {-1, 1, 0, 0};
    thg_squares *tiles = solver->tiles;
    thg_square *tile = &tiles->tiles[index];
    place at = place_of(solver, index);
    thg_square_visit visit;
    thg_square *near[THG_SQUARE_SIDES];
    for (int side = 0; side < THG_SQUARE_SIDES; side++) {
        int x = at.x + step_x[side], y = at.y + step_y[side];
        bool inside = x >= 0 && y >= 0 && x < tiles->across && y < tiles->down;
        near[side] = inside ? &tiles->tiles[y * tiles->across + x] : NULL;
        if (inside && !near[side]->surveyed) {
            survey(solver, (uint32_t)(y * tiles->across + x));
        }
        visit.fits[side] = inside ? near[side]->fits[side ^ 1] : 0;
        visit.woken[side] = tile->woken[side];
        tile->woken[side] = 0;
    }
    visit.whole = tile->whole;
    tile->whole = false;
    load(solver, &at, &visit);
    fetch_next(solver);
    tiles->kernel(&visit, tiles->roots);
    store(solver, &at, &visit);
    thg_solver_touch(solver, at.cell);
    thg_solver_touch(solver, at.cell + (size_t)(at.rows - 1) * (size_t)solver->map->stride +
                                 (size_t)(at.columns - 1));
    for (int side = 0; side < THG_SQUARE_SIDES; side++) {
        if (visit.woken[side] != 0) {
            near[side]->woken[side ^ 1] |= visit.woken[side];
            wake(tiles, (uint32_t)(near[side] - tiles->tiles), visit.key[side]);
        }
    }
}

bool thg_squares_advance(thg_solver *solver, int *cell_budget)
{
    thg_squares *tiles = solver->tiles;
    for (;;) {
        int paid = thg_min_int(tiles->owed, *cell_budget);
        tiles->owed -= paid;
        *cell_budget -= paid;
        if (tiles->owed == 0 && tiles->waiting == 0) {
            return true;
        }
        if (*cell_budget <= 0) {
            return false;
        }
        visit_tile(solver, take(tiles));
        tiles->owed = THG_SQUARE_CELLS;
    }
}
