/// Eikonal integration: |grad T| = price by Godunov's first order update in integers, exact.
///
/// The update floor((a + b + isqrt(2 k k - (a - b)^2)) / 2) is the floor of a function that never
/// falls when a neighbour rises, so any order of strict decreases from above ends in the same, the
/// greatest, fixed point. (There are lower ones, by a unit in a few cells: a cost may lean on an
/// equal neighbour, see repair.c.) Buckets (Yatziv, Bartesaghi, Sapiro 2006)
/// only choose a good order; a cell that falls again after it was taken is put back, which is what
/// makes their untidy queue exact.
#include "field/solver.h"
#include <math.h>

#define NARROW 5 ///< mean corridor width, in half cells, from which on tiles are used

uint32_t thg_root(uint64_t value)
{
    return (uint32_t)sqrt((double)value);
}

uint32_t thg_eikonal_update(uint32_t a, uint32_t b, uint32_t k)
{
    uint32_t low = a < b ? a : b;
    uint32_t high = a < b ? b : a;
    uint64_t gap = high - low;
    uint64_t value;
    if (gap >= k) {
        value = (uint64_t)low + k;
    } else {
        value = ((uint64_t)low + high + thg_root(2 * (uint64_t)k * k - gap * gap)) / 2;
    }
    return value < THRONG_FAR ? (uint32_t)value : THRONG_FAR;
}

static void seed(void *context, uint32_t cell, uint32_t cost)
{
    thg_solver *solver = context;
    uint32_t before = solver->back.cost[cell];
    if (cost < before) {
        solver->back.cost[cell] = cost;
        thg_solver_touch(solver, cell);
        thg_queue_push(solver, cell, cost, before);
    }
}

/// Tiles are faster wherever the front is wide. In corridors of a cell or two a tile holds many
/// turns of the way and is visited for each, so there the buckets are. A corridor w cells wide has
/// 2 / w of its cells along its walls, so that share measures the mean width. It depends on where
/// the class fits alone: which solver ran decides how far a budget reaches, and that must be the
/// same on every machine.
static bool tiles_suit(const thg_layer *layer)
{
    return (int64_t)layer->edge_count * NARROW <= 4 * (int64_t)layer->fit_count;
}

void thg_eikonal_begin(thg_solver *solver)
{
    solver->tiled = solver->way == THG_WAY_AUTO ? tiles_suit(thg_field_layer(solver->field))
                                                : solver->way == THG_WAY_TILES;
    if (solver->tiled) {
        thg_squares_begin(solver);
        return;
    }
    uint32_t low = solver->prices.min * (uint32_t)THG_EIKONAL_PER_PRICE;
    uint32_t high = solver->prices.max * (uint32_t)THG_EIKONAL_PER_PRICE;
    // Seeds of a ball spread over its radius in the dearest cells; steps spread over one cell.
    uint64_t range = (uint64_t)high * ((uint32_t)THG_BALL_RADIUS + 2);
    thg_queue_reset(solver, low, range);
    thg_goal_seed(solver->field, seed, solver);
}

bool thg_eikonal_advance(thg_solver *solver, int *cell_budget)
{
    if (solver->tiled) {
        return thg_squares_advance(solver, cell_budget);
    }
    const uint16_t *price = solver->prices.price;
    uint32_t *cost = solver->back.cost;
    size_t stride = (size_t)solver->map->stride;
    const ptrdiff_t offset[4] = {1, (ptrdiff_t)stride, -1, -(ptrdiff_t)stride};
    size_t first = solver->back.first;
    size_t end = solver->back.end;
    int budget = *cell_budget;
    uint32_t cell;
    while (budget > 0 && thg_queue_pop(solver, &cell)) {
        budget--;
        if (solver->mark[cell] == 0) {
            continue;
        }
        solver->mark[cell] = 0;
        first = cell < first ? cell : first;
        end = cell >= end ? cell + 1 : end;
        uint32_t here = cost[cell];
        for (int i = 0; i < 4; i++) {
            size_t next = (size_t)((ptrdiff_t)cell + offset[i]);
            uint32_t before = cost[next];
            uint32_t crossing = price[next];
            if (crossing == 0 || before <= here) {
                continue;
            }
            uint32_t west = cost[next - 1];
            uint32_t east = cost[next + 1];
            uint32_t north = cost[next - stride];
            uint32_t south = cost[next + stride];
            uint32_t after =
                thg_eikonal_update(west < east ? west : east, north < south ? north : south,
                                   crossing * THG_EIKONAL_PER_PRICE);
            if (after < before) {
                cost[next] = after;
                thg_queue_push(solver, (uint32_t)next, after, before);
            }
        }
    }
    solver->back.first = first;
    solver->back.end = end;
    *cell_budget = budget;
    return solver->queue.entry_count == 0;
}
