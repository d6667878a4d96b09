/// Visits of the tile solver: a tile and its rim are read, settled and written back.
#include "field/squares.h"
#include <string.h>

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

void thg_square_survey(const thg_solver *solver, uint32_t index)
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

static void store(const thg_solver *solver, const place *at, const thg_square_visit *visit)
{
    size_t stride = (size_t)solver->map->stride;
    uint32_t *cost = solver->back.cost + at->cell;
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

void thg_square_settle(thg_solver *solver, thg_visited *visited)
{
    thg_squares *tiles = solver->tiles;
    thg_square *tile = &tiles->tiles[visited->index];
    place at = place_of(solver, visited->index);
    thg_square_visit visit;
    for (int side = 0; side < THG_SQUARE_SIDES; side++) {
        int64_t near = thg_square_beside(tiles, visited->index, side);
        visit.fits[side] = near >= 0 ? tiles->tiles[near].fits[side ^ 1] : 0;
        visit.woken[side] = tile->woken[side];
        tile->woken[side] = 0;
    }
    visit.whole = tile->whole;
    tile->whole = false;
    load(solver, &at, &visit);
    tiles->kernel(&visit, tiles->roots);
    store(solver, &at, &visit);
    memcpy(visited->woken, visit.woken, sizeof visited->woken);
    memcpy(visited->key, visit.key, sizeof visited->key);
}

void thg_square_touch(thg_solver *solver, uint32_t index)
{
    place at = place_of(solver, index);
    size_t stride = (size_t)solver->map->stride;
    thg_solver_touch(solver, at.cell);
    thg_solver_touch(solver, at.cell + (size_t)(at.rows - 1) * stride + (size_t)(at.columns - 1));
    for (int i = 0; i < at.rows && solver->repairing; i++) {
        *thg_touched(solver, at.y * THG_SQUARE + i, at.x) = 1;
    }
}
