/// Eikonal integration by tiles: 16 x 16 cells are settled at a time, the tile whose border fell to
/// the lowest cost first (after Chacon, Vladimirsky 2012: march on the coarse scale, sweep on the
/// fine one).
///
/// Tiles of a batch share no side, so that they may be settled on several threads at once.
///
/// Falling costs end in the update's greatest fixed point in any order, so these are the same bits
/// as those of the buckets in eikonal.c.
/// A tile that is visited tells its neighbours which of their cells may fall now; a neighbour waits
/// in buckets by the lowest cost it was told. Order is only a matter of speed: what lies beyond the
/// buckets' range waits in the last one and is put back from there.
#include "field/squares.h"
#include "jobs/jobs.h"
#include <string.h>

#define NOBODY UINT32_MAX
#define TILES_A_BLOCK 1

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
    uint32_t last = tiles->current + THG_SQUARES_BUCKETS - 1;
    number = number > tiles->current ? number : tiles->current;
    return (number < last ? number : last) % THG_SQUARES_BUCKETS;
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

void thg_squares_reset(thg_solver *solver)
{
    thg_squares *tiles = solver->tiles;
    uint32_t crossing = solver->prices.max * (uint32_t)THG_EIKONAL_PER_PRICE;
    for (uint32_t i = 0; i < THG_SQUARES_BUCKETS; i++) {
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
    while ((low * 16) >> tiles->shift > 1) {
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

/// Asks for a tile's memory: its rows lie a page apart.
static void fetch(const thg_solver *solver, uint32_t index)
{
    const throng_map *map = solver->map;
    int x = (int)index % solver->tiles->across * THG_SQUARE;
    int y = (int)index / solver->tiles->across * THG_SQUARE;
    int rows = thg_min_int(THG_SQUARE, map->height - y);
    for (int i = 0; i < rows; i++) {
        size_t cell = thg_padded_index(map, x, y + i);
        __builtin_prefetch(&solver->back.cost[cell - 1], 1);
        __builtin_prefetch(&solver->back.cost[cell + THG_SQUARE], 1);
        __builtin_prefetch(&solver->prices.price[cell]);
    }
}

/// Settles tiles [first, end) of the batch.
static void settle_range(void *context, int first, int end, int block)
{
    (void)block;
    thg_solver *solver = context;
    thg_visited *batch = solver->tiles->batch;
    for (int i = first; i < end; i++) {
        if (i + 1 < end) {
            fetch(solver, batch[i + 1].index);
        }
        thg_square_settle(solver, &batch[i]);
    }
}

/// Takes tiles of the lowest bucket that have no side in common: those of one colour of a
/// chessboard. Returns how many; there is one. Which they are must not depend on the budget: a
/// restored world does the work of several steps at once.
static int take_batch(thg_squares *tiles)
{
    int count = 0;
    uint32_t colour = 0;
    while (count == 0) {
        uint32_t next, index = tiles->head[tiles->current % THG_SQUARES_BUCKETS];
        for (; index != NOBODY && count < THG_SQUARES_BATCH; index = next) {
            thg_square *tile = &tiles->tiles[index];
            uint32_t own = (index / (uint32_t)tiles->across + index % (uint32_t)tiles->across) & 1;
            next = tile->behind;
            if (tile->key >> tiles->shift > tiles->current) { // beyond the range when it came
                leave(tiles, index);
                enter(tiles, index, tile->key);
            } else if (count == 0 || own == colour) {
                leave(tiles, index);
                colour = own;
                tiles->batch[count++].index = index;
            }
        }
        tiles->current += count == 0;
    }
    return count;
}

/// Settles a batch of tiles, on all threads, and wakes their neighbours.
static void visit_batch(thg_solver *solver, int count)
{
    thg_squares *tiles = solver->tiles;
    for (int i = 0; i < count; i++) {
        for (int side = 0; side < THG_SQUARE_SIDES; side++) {
            int64_t near = thg_square_beside(tiles, tiles->batch[i].index, side);
            if (near >= 0 && !tiles->tiles[near].surveyed) {
                thg_square_survey(solver, (uint32_t)near);
            }
        }
    }
    thg_parallel_for(solver->jobs, count, TILES_A_BLOCK, settle_range, solver);
    for (int i = 0; i < count; i++) {
        const thg_visited *visited = &tiles->batch[i];
        thg_square_touch(solver, visited->index);
        for (int side = 0; side < THG_SQUARE_SIDES; side++) {
            if (visited->woken[side] != 0) {
                int64_t near = thg_square_beside(tiles, visited->index, side);
                tiles->tiles[near].woken[side ^ 1] |= visited->woken[side];
                wake(tiles, (uint32_t)near, visited->key[side]);
            }
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
        int count = take_batch(tiles);
        visit_batch(solver, count);
        tiles->owed = count * THG_SQUARE_CELLS;
    }
}
