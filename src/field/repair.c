/// Exact repair: what an edit changed is solved again, the rest is kept.
///
/// A cell has support when the goal gives its cost or the update from strictly lower neighbours is
/// no higher. (The floor lets a cost lean on an equal one, and then two may hold each other below
/// the solution.) Where prices changed, cells that lost their support are taken back, and then
/// those that leaned on them. What remains follows from the goal alone and is nowhere below the new
/// solution; the tile solver lowers the rest. All solvers come from above and end in the greatest
/// fixed point, so the result is that of a solve from scratch, to the bit. Costs at THRONG_FAR may
/// lean on each other, so fields that hold one are solved anew; so are those whose goal gives other
/// costs than before.
#include "field/solver.h"
#include <string.h>

#define GIVE_UP 10 ///< a repair is given up when one fitting cell in so many is taken back

/// Bits of solver->mark while a repair tests cells.
enum { WAITS = 1, GIVEN = 2, LISTED = 4 };

static void hash_seed(void *context, uint32_t cell, uint32_t cost)
{
    uint64_t *hash = context;
    *hash = thg_mix64(*hash ^ ((uint64_t)cost << 32 | cell));
}

uint64_t thg_goal_hash(const throng_field *field)
{
    uint64_t hash = 1;
    thg_goal_seed(field, hash_seed, &hash);
    return hash;
}

void thg_repair_keep(throng_field *field)
{
    const thg_solver *solver = field->solver;
    thg_solved *solved = &field->solved;
    solved->known = solved->price != NULL && !solver->far_seen &&
                    solver->prices.price == thg_field_layer(field)->price;
    if (solved->known) {
        memcpy(solved->price, solver->prices.price, solver->map->padded_count * sizeof(uint16_t));
        solved->goal_hash = thg_goal_hash(field);
    }
}

static void test_later(thg_solver *solver, size_t cell)
{
    thg_repair *repair = &solver->repair;
    if ((solver->mark[cell] & WAITS) == 0) {
        size_t capacity = solver->map->padded_count;
        solver->mark[cell] |= WAITS;
        solver->entries[(repair->first + repair->count++) % capacity] = (uint32_t)cell;
    }
}

/// Lists a cell whose tile the solver must visit.
static void list(thg_solver *solver, size_t cell)
{
    if ((solver->mark[cell] & LISTED) == 0) {
        solver->mark[cell] |= LISTED;
        solver->entries[solver->map->padded_count + solver->repair.listed++] = (uint32_t)cell;
    }
}

static void note_given(void *context, uint32_t cell, uint32_t cost)
{
    thg_solver *solver = context;
    if (solver->back.cost[cell] == cost) {
        solver->mark[cell] |= GIVEN;
    }
}

/// The neighbours that cost `cost` or more may have leant on a cell that did.
static void test_around(thg_solver *solver, size_t cell, uint32_t cost)
{
    ptrdiff_t stride = solver->map->stride;
    const ptrdiff_t offset[4] = {1, stride, -1, -stride};
    for (int i = 0; i < 4; i++) {
        size_t near = (size_t)((ptrdiff_t)cell + offset[i]);
        if (solver->back.cost[near] != THRONG_UNREACHED && solver->back.cost[near] >= cost) {
            test_later(solver, near);
        }
    }
}

/// Copies what is kept from the front buffer and notes the rows whose prices changed: all, where
/// there are leads. Returns the number of cells that changed.
static size_t copy_kept(thg_solver *solver)
{
    throng_field *field = solver->field;
    const uint16_t *before = field->solved.price, *after = solver->prices.price;
    uint32_t *cost = solver->back.cost;
    size_t stride = (size_t)solver->map->stride, changed = 0;
    bool leads = thg_has_leads(field);
    for (size_t row = 0; row < solver->map->padded_count; row += stride) {
        bool same = memcmp(before + row, after + row, stride * sizeof *before) == 0;
        solver->touched[row / stride] = leads || !same;
        if (!leads && same) {
            memcpy(cost + row, field->front.cost + row, stride * sizeof *cost);
            continue;
        }
        for (size_t i = row; i < row + stride; i++) {
            bool kept = before[i] != 0 && after[i] != 0; // else unreached, or with a lead's cost
            cost[i] = kept ? field->front.cost[i] : THRONG_UNREACHED;
            changed += before[i] != after[i];
        }
    }
    return changed;
}

static void start_tests(thg_solver *solver)
{
    const throng_field *field = solver->field;
    const throng_map *map = solver->map;
    const uint16_t *before = field->solved.price, *after = solver->prices.price;
    thg_goal_seed(field, note_given, solver);
    for (int y = 0; y < map->height; y++) {
        size_t first = thg_padded_index(map, 0, y);
        size_t end = first + (size_t)map->width;
        if (!solver->touched[y + 1]) {
            continue;
        }
        for (size_t i = first; i < end; i++) {
            if (before[i] == after[i]) {
                continue;
            }
            if (after[i] == 0) {
                test_around(solver, i, field->front.cost[i]);
            } else {
                list(solver, i);
                if (solver->back.cost[i] != THRONG_UNREACHED) {
                    test_later(solver, i);
                }
            }
        }
    }
}

bool thg_repair_begin(thg_solver *solver)
{
    throng_field *field = solver->field;
    const thg_layer *layer = thg_field_layer(field);
    if (!field->solved.known || thg_goal_hash(field) != field->solved.goal_hash) {
        return false;
    }
    memset(solver->mark, 0, solver->map->padded_count);
    size_t changed = copy_kept(solver);
    solver->back.first = 0;
    solver->back.end = solver->map->padded_count;
    if (changed * GIVE_UP > (size_t)layer->fit_count) {
        return false;
    }
    solver->repair = (thg_repair){0};
    start_tests(solver);
    return true;
}

/// Tests one cell for support.
static void test(thg_solver *solver, size_t cell)
{
    uint32_t *cost = solver->back.cost;
    size_t stride = (size_t)solver->map->stride;
    uint32_t here = cost[cell];
    solver->mark[cell] &= (uint8_t)~WAITS;
    if (here == THRONG_UNREACHED || (solver->mark[cell] & GIVEN) != 0) {
        return;
    }
    uint32_t west = cost[cell - 1], east = cost[cell + 1];
    uint32_t north = cost[cell - stride], south = cost[cell + stride];
    uint32_t a = west < east ? west : east;
    uint32_t b = north < south ? north : south;
    a = a < here ? a : THRONG_UNREACHED;
    b = b < here ? b : THRONG_UNREACHED;
    bool alone = a == THRONG_UNREACHED && b == THRONG_UNREACHED;
    uint32_t crossing = solver->prices.price[cell] * (uint32_t)THG_EIKONAL_PER_PRICE;
    if (alone || thg_eikonal_update(a, b, crossing) > here) {
        cost[cell] = THRONG_UNREACHED;
        solver->touched[cell / stride] = 1;
        list(solver, cell);
        test_around(solver, cell, here);
    }
}

/// Hands the cells that were taken back, or became cheaper, to the tile solver.
static void start_tiles(thg_solver *solver)
{
    const uint32_t *cost = solver->back.cost;
    const uint32_t *listed = solver->entries + solver->map->padded_count;
    size_t stride = (size_t)solver->map->stride;
    thg_squares_reset(solver);
    solver->tiled = true;
    for (size_t i = 0; i < solver->repair.listed; i++) {
        size_t cell = listed[i];
        uint32_t a = cost[cell - 1] < cost[cell + 1] ? cost[cell - 1] : cost[cell + 1];
        uint32_t b =
            cost[cell - stride] < cost[cell + stride] ? cost[cell - stride] : cost[cell + stride];
        uint32_t key = a < b ? a : b;
        if (key != THRONG_UNREACHED) {
            thg_squares_mark(solver, cell, key);
        }
    }
    memset(solver->mark, 0, solver->map->padded_count);
}

thg_repair_state thg_repair_advance(thg_solver *solver, int *cell_budget)
{
    thg_repair *repair = &solver->repair;
    size_t capacity = solver->map->padded_count;
    size_t most = (size_t)thg_field_layer(solver->field)->fit_count / GIVE_UP + 64;
    for (; repair->count > 0; *cell_budget -= 1) {
        if (*cell_budget <= 0) {
            return THG_REPAIR_GOES_ON;
        }
        uint32_t cell = solver->entries[repair->first];
        repair->first = (repair->first + 1) % capacity;
        repair->count--;
        test(solver, cell);
        if (repair->listed > most) {
            return THG_REPAIR_TOO_MUCH;
        }
    }
    start_tiles(solver);
    return THG_REPAIR_DONE;
}

/// True where the direction of a cell, which depends on the costs and prices of the nine cells
/// round it, may have changed between [first, end) of one row of prices and costs.
static bool row_differs(const thg_solver *solver, size_t first, size_t end, size_t *low,
                        size_t *high)
{
    const throng_field *field = solver->field;
    const uint16_t *before = field->solved.price, *after = solver->prices.price;
    const uint32_t *old = field->front.cost, *cost = solver->back.cost;
    bool differs = false;
    if (memcmp(old + first, cost + first, (end - first) * sizeof *cost) == 0 &&
        memcmp(before + first, after + first, (end - first) * sizeof *before) == 0) {
        return false;
    }
    for (size_t i = first; i < end; i++) {
        // Where nobody fits the front has leads and the back has none yet.
        bool here = before[i] != after[i] || (after[i] != 0 && old[i] != cost[i]);
        if (here) {
            *low = !differs || i - first < *low ? i - first : *low;
            *high = !differs || i - first + 1 > *high ? i - first + 1 : *high;
            differs = true;
        }
    }
    return differs;
}

static uint32_t count_reached(const uint32_t *cost, size_t count)
{
    uint32_t reached = 0;
    for (size_t i = 0; i < count; i++) {
        reached += cost[i] != THRONG_UNREACHED;
    }
    return reached;
}

/// Copies directions that did not change, and counts the cells that are reached.
static void keep_flow(thg_solver *solver, size_t first, size_t count)
{
    const throng_field *field = solver->field;
    const uint16_t *price = solver->prices.price;
    int8_t *flow = solver->back.flow;
    memcpy(flow + 2 * first, field->front.flow + 2 * first, 2 * count);
    solver->back.reached_count += count_reached(solver->back.cost + first, count);
    for (size_t cell = first; cell < first + count && thg_has_leads(field); cell++) {
        if (price[cell] == 0) {
            flow[2 * cell] = 0;
            flow[2 * cell + 1] = 0;
        }
    }
}

void thg_repair_flow_row(thg_solver *solver, int y, int *first, int *end)
{
    const throng_map *map = solver->map;
    size_t low = (size_t)map->width, high = 0;
    const thg_buffer *front = &solver->field->front;
    size_t row = thg_padded_index(map, 0, y);
    if (!solver->touched[y] && !solver->touched[y + 1] && !solver->touched[y + 2]) {
        memcpy(solver->back.flow + 2 * row, front->flow + 2 * row, 2 * (size_t)map->width);
        *first = *end = 0;
        return;
    }
    solver->back.reached_count -= count_reached(front->cost + row, (size_t)map->width);
    for (int near = y - 1; near <= y + 1; near++) {
        size_t row_low = 0, row_high = 0;
        size_t start = thg_padded_index(map, 0, near);
        if (row_differs(solver, start, start + (size_t)map->width, &row_low, &row_high)) {
            low = row_low < low ? row_low : low;
            high = row_high > high ? row_high : high;
        }
    }
    *first = low > 0 ? (int)low - 1 : 0;
    *end = thg_min_int((int)high + 1, map->width);
    *end = high == 0 ? *first : *end;
    keep_flow(solver, thg_padded_index(map, 0, y), (size_t)*first);
    keep_flow(solver, thg_padded_index(map, *end, y), (size_t)(map->width - *end));
}
