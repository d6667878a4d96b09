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

/// A repair is given up when one fitting cell in so many is taken back. It still pays at a third
/// (measured on open ground, rectangles and rooms), and not by much at a half.
#define GIVE_UP 3

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

/// Notes where the prices of a row changed; `row` is its first padded index. False where nowhere.
static bool note_prices(thg_solver *solver, size_t row)
{
    const throng_map *map = solver->map;
    const uint16_t *before = solver->field->solved.price + row, *after = solver->prices.price + row;
    int y = (int)(row / (size_t)map->stride) - 1;
    bool same = memcmp(before, after, (size_t)map->stride * sizeof *before) == 0;
    for (int x = 0; x < map->width; x += THG_SQUARE) {
        int count = thg_min_int(THG_SQUARE, map->width - x);
        *thg_touched(solver, y, x / THG_SQUARE) =
            !same && memcmp(before + 1 + x, after + 1 + x, (size_t)count * sizeof *before) != 0;
    }
    return !same;
}

/// Copies what is kept from the front buffer and notes where prices changed. Returns the number of
/// cells that changed.
static size_t copy_kept(thg_solver *solver)
{
    throng_field *field = solver->field;
    const uint16_t *before = field->solved.price, *after = solver->prices.price;
    uint32_t *cost = solver->back.cost;
    size_t stride = (size_t)solver->map->stride, changed = 0;
    bool leads = thg_has_leads(field);
    for (size_t row = 0; row < solver->map->padded_count; row += stride) {
        bool differs = note_prices(solver, row);
        if (!leads && !differs) {
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
        for (int x = 0; x < map->width; x++) {
            size_t i = thg_padded_index(map, x, y);
            if (x % THG_SQUARE == 0 && !*thg_touched(solver, y, x / THG_SQUARE)) {
                x += THG_SQUARE - 1;
            } else if (before[i] != after[i] && after[i] == 0) {
                test_around(solver, i, field->front.cost[i]);
            } else if (before[i] != after[i]) {
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
        *thg_touched(solver, (int)(cell / stride) - 1, (int)(cell % stride - 1) / THG_SQUARE) = 1;
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

static uint32_t count_reached(const uint32_t *cost, size_t count)
{
    uint32_t reached = 0;
    for (size_t i = 0; i < count; i++) {
        reached += cost[i] != THRONG_UNREACHED;
    }
    return reached;
}

/// Copies directions of columns [x, end) of a row that did not change. Where there are leads they
/// are found anew, and who is reached by them is counted anew.
static void keep_flow(thg_solver *solver, int x, int end, int y)
{
    size_t first = thg_padded_index(solver->map, x, y), count = (size_t)(end - x);
    const thg_buffer *front = &solver->field->front;
    int8_t *flow = solver->back.flow;
    memcpy(flow + 2 * first, front->flow + 2 * first, 2 * count);
    if (thg_has_leads(solver->field)) {
        solver->back.reached_count += count_reached(solver->back.cost + first, count) -
                                      count_reached(front->cost + first, count);
        for (size_t cell = first; cell < first + count; cell++) {
            bool fits = solver->prices.price[cell] != 0;
            flow[2 * cell] = fits ? flow[2 * cell] : 0;
            flow[2 * cell + 1] = fits ? flow[2 * cell + 1] : 0;
        }
    }
}

static void derive_flow(thg_solver *solver, int x, int end, int y)
{
    size_t first = thg_padded_index(solver->map, x, y);
    const uint32_t *cost = solver->back.cost + first;
    uint32_t before = count_reached(solver->field->front.cost + first, (size_t)(end - x));
    solver->back.reached_count +=
        thg_flow_row(thg_field_layer(solver->field), first, cost, solver->map->stride, end - x,
                     solver->back.flow + 2 * first, &solver->far_seen) -
        before;
}

/// True where a direction in columns [16 n, 16 n + 16) of row y may have changed, but for those
/// that the columns beside them may have changed.
static bool is_touched(const thg_solver *solver, int y, int n)
{
    return *thg_touched(solver, y - 1, n) || *thg_touched(solver, y, n) ||
           *thg_touched(solver, y + 1, n);
}

int thg_repair_flow_row(thg_solver *solver, int y)
{
    const int width = solver->map->width, columns = (width + THG_SQUARE - 1) / THG_SQUARE;
    int derived = 0, done = 0;
    for (int n = 0; n < columns; n++) {
        if (!is_touched(solver, y, n)) {
            continue;
        }
        int first = thg_max_int(n * THG_SQUARE - 1, done);
        while (n + 1 < columns && is_touched(solver, y, n + 1)) {
            n++;
        }
        int end = thg_min_int((n + 1) * THG_SQUARE + 1, width);
        keep_flow(solver, done, first, y);
        derive_flow(solver, first, end, y);
        derived += end - first;
        done = end;
    }
    keep_flow(solver, done, width, y);
    return derived;
}
