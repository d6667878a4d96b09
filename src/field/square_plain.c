/// The plain twin of the tile kernels, and which of them runs.
#include "field/solver.h"
#include "field/square.h"
#include <stddef.h>

#define SIDE (THG_SQUARE + 2)

/// One pass over the cells, forwards or backwards; true when one fell.
static bool pass(uint32_t cost[SIDE][SIDE], const thg_square_visit *visit, bool backwards)
{
    bool fell = false;
    for (int i = 0; i < THG_SQUARE * THG_SQUARE; i++) {
        int cell = backwards ? THG_SQUARE * THG_SQUARE - 1 - i : i;
        int x = cell % THG_SQUARE + 1;
        int y = cell / THG_SQUARE + 1;
        uint32_t price = visit->price[y - 1][x - 1];
        uint32_t west = cost[y][x - 1], east = cost[y][x + 1];
        uint32_t north = cost[y - 1][x], south = cost[y + 1][x];
        uint32_t a = west < east ? west : east;
        uint32_t b = north < south ? north : south;
        if (price == 0 || (a == THRONG_UNREACHED && b == THRONG_UNREACHED)) {
            continue;
        }
        uint32_t after = thg_eikonal_update(a, b, price * (uint32_t)THG_EIKONAL_PER_PRICE);
        if (after < cost[y][x]) {
            cost[y][x] = after;
            fell = true;
        }
    }
    return fell;
}

void thg_square_sweep(thg_square_visit *visit)
{
    uint32_t cost[SIDE][SIDE];
    for (int y = 0; y < SIDE; y++) {
        bool beside = y >= 1 && y <= THG_SQUARE;
        cost[y][0] = beside ? visit->outside[0][y - 1] : THRONG_UNREACHED;
        cost[y][SIDE - 1] = beside ? visit->outside[1][y - 1] : THRONG_UNREACHED;
        for (int x = 0; x < THG_SQUARE; x++) {
            cost[y][x + 1] = visit->cost[y][x];
        }
    }
    for (bool fell = true; fell;) {
        fell = pass(cost, visit, false);
        fell = pass(cost, visit, true) || fell;
    }
    for (int y = 1; y <= THG_SQUARE; y++) {
        for (int x = 0; x < THG_SQUARE; x++) {
            visit->cost[y][x] = cost[y][x + 1];
        }
    }
}

/// Wakes the cells across one side: `before` and `after` are the tile's own there.
static void wake_across(thg_square_visit *visit, int side, const uint32_t *before,
                        const uint32_t *after, const uint32_t *across)
{
    visit->woken[side] = 0;
    visit->key[side] = UINT32_MAX;
    for (int i = 0; i < THG_SQUARE; i++) {
        bool fits = (visit->fits[side] >> i & 1) != 0;
        if (fits && after[i] < before[i] && after[i] < across[i]) {
            visit->woken[side] |= (uint16_t)(1 << i);
            visit->key[side] = after[i] < visit->key[side] ? after[i] : visit->key[side];
        }
    }
}

static void visit_plain(thg_square_visit *visit, thg_square_roots roots)
{
    (void)roots;
    uint32_t before[2][THG_SQUARE], column[2][THG_SQUARE];
    for (int x = 0; x < THG_SQUARE; x++) {
        before[0][x] = visit->cost[1][x];
        before[1][x] = visit->cost[THG_SQUARE][x];
    }
    thg_square_sweep(visit);
    for (int y = 0; y < THG_SQUARE; y++) {
        column[0][y] = visit->cost[y + 1][0];
        column[1][y] = visit->cost[y + 1][THG_SQUARE - 1];
    }
    wake_across(visit, THG_SQUARE_NORTH, before[0], visit->cost[1], visit->cost[0]);
    wake_across(visit, THG_SQUARE_SOUTH, before[1], visit->cost[THG_SQUARE],
                visit->cost[THG_SQUARE + 1]);
    for (int side = 0; side < 2; side++) {
        wake_across(visit, THG_SQUARE_WEST + side, visit->edge[side], column[side],
                    visit->outside[side]);
    }
}

thg_square_kernel *thg_square_kernel_get(thg_square_build build)
{
    switch (build) {
    case THG_SQUARE_PLAIN:
        return visit_plain;
    case THG_SQUARE_PORTABLE:
        return thg_square_kernel_portable();
    case THG_SQUARE_AVX2:
        return thg_square_kernel_avx2();
    case THG_SQUARE_AVX512:
        return thg_square_kernel_avx512();
    default:
        break;
    }
    thg_square_kernel *best = thg_square_kernel_avx512();
    best = best != NULL ? best : thg_square_kernel_avx2();
    return best != NULL ? best : thg_square_kernel_portable();
}
