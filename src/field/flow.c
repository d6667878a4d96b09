/// After integration: which way to go from each cell.
///
/// Directions are upwind per axis: towards the lower neighbour of each axis, by how much lower it
/// is, as Godunov's scheme read the costs. Unreached neighbours are higher than any cost, so a wall
/// never pulls. Then leads: cells where the class does not fit but may have been pushed to are
/// given the way to the nearest cell that fits, breadth first; where that one is not reached, they
/// are not either. Cells too far to count get the way to the nearest cell that is not.
#include "field/solver.h"
#include "jobs/jobs.h"
#include <math.h>

#define FLOW_BLOCK 4096 ///< cells that one thread derives at a time
#define FLOW_BLOCKS 64

static const int8_t unit_x[8] = {127, 0, -127, 0, 90, -90, -90, 90};
static const int8_t unit_y[8] = {0, 127, 0, -127, 90, 90, -90, -90};

static int8_t to_byte(float value)
{
    return (int8_t)(int)(value + (value < 0.0f ? -0.5f : 0.5f));
}

/// Directions of `count` cells of a row, from their costs alone. Cells that are not reached get
/// whatever, see thg_flow_row.
static void upwind_row(const uint32_t *cost, ptrdiff_t stride, int count, int8_t *flow)
{
    for (int i = 0; i < count; i++) {
        uint32_t here = cost[i];
        uint32_t west = cost[i - 1];
        uint32_t east = cost[i + 1];
        uint32_t north = cost[i - stride];
        uint32_t south = cost[i + stride];
        uint32_t a = west < east ? west : east;
        uint32_t b = north < south ? north : south;
        // A fall is at most the price of one step, far below 2^31.
        float fall_x = a < here ? (float)(int32_t)(here - a) : 0.0f;
        float fall_y = b < here ? (float)(int32_t)(here - b) : 0.0f;
        float squared = fall_x * fall_x + fall_y * fall_y;
        float scale = squared > 0.0f ? 127.0f / sqrtf(squared) : 0.0f;
        float x = fall_x * scale;
        float y = fall_y * scale;
        flow[2 * i] = to_byte(east < west ? x : -x);
        flow[2 * i + 1] = to_byte(south < north ? y : -y);
    }
}

int thg_flow_steepest(unsigned moves, const uint32_t *cost, ptrdiff_t stride)
{
    int best = -1;
    float best_fall = 0.0f;
    for (int move = 0; move < 8; move++) {
        uint32_t there = cost[thg_move_x[move] + stride * thg_move_y[move]];
        if (((moves >> move) & 1u) == 0 || there >= cost[0]) {
            continue;
        }
        float fall = (float)(cost[0] - there) * (move < 4 ? 1.0f : 0.70710678f);
        if (fall > best_fall) {
            best_fall = fall;
            best = move;
        }
    }
    return best;
}

/// Where both axes fall but the cell across the corner is no lower, two ways round something meet:
/// pointing between them leads into it, so one is taken, the steeper, along x on a tie.
static void split_ridge(unsigned moves, const uint32_t *cost, ptrdiff_t stride, int8_t *flow)
{
    ptrdiff_t across = (flow[0] > 0 ? 1 : -1) + (flow[1] > 0 ? stride : -stride);
    int diagonal = flow[1] > 0 ? (flow[0] > 0 ? THG_SE : THG_SW) : (flow[0] > 0 ? THG_NE : THG_NW);
    if (cost[across] < cost[0] && ((moves >> diagonal) & 1u) != 0) {
        return;
    }
    int x = flow[0] < 0 ? -flow[0] : flow[0];
    int y = flow[1] < 0 ? -flow[1] : flow[1];
    flow[0] = x < y ? 0 : (int8_t)(flow[0] > 0 ? 127 : -127);
    flow[1] = x < y ? (int8_t)(flow[1] > 0 ? 127 : -127) : 0;
}

uint32_t thg_flow_row(const thg_layer *layer, size_t first, const uint32_t *cost, ptrdiff_t stride,
                      int count, int8_t *flow, bool *far_seen)
{
    uint32_t reached_count = 0;
    upwind_row(cost, stride, count, flow);
    // Corrects what that could not know: walls and unreached cells have no direction, saturated
    // ones wait for a lead, and cells that only a diagonal leads down from take it.
    for (int i = 0; i < count; i++, cost++, flow += 2) {
        unsigned moves = layer->moves[first + (size_t)i];
        bool reached = layer->price[first + (size_t)i] != 0 && cost[0] != THRONG_UNREACHED;
        reached_count += reached;
        if (!reached || cost[0] == THRONG_FAR) {
            flow[0] = 0;
            flow[1] = 0;
            *far_seen |= reached;
        } else if (flow[0] != 0 && flow[1] != 0) {
            split_ridge(moves, cost, stride, flow);
        } else if (flow[0] == 0 && flow[1] == 0 && cost[0] != 0) {
            int move = thg_flow_steepest(moves, cost, stride);
            flow[0] = move < 0 ? 0 : unit_x[move];
            flow[1] = move < 0 ? 0 : unit_y[move];
        }
    }
    return reached_count;
}

/// True for a cell that should have a direction but has none, and is not known to belong elsewhere.
static bool wants_lead(const thg_solver *solver, const thg_layer *layer, size_t cell)
{
    if (layer->price[cell] != 0) {
        return solver->back.cost[cell] == THRONG_FAR && solver->back.flow[2 * cell] == 0 &&
               solver->back.flow[2 * cell + 1] == 0;
    }
    return solver->back.cost[cell] == THRONG_UNREACHED && solver->mark[cell] == 0 &&
           !thg_layer_blocked(solver->map, layer, cell);
}

/// What a cell costs when it leads to a straight neighbour with a cost.
static uint32_t lead_cost(const thg_solver *solver, const thg_layer *layer, size_t cell, size_t to)
{
    float price = layer->def.cost[solver->map->solid[cell]];
    uint64_t way = (uint64_t)(price * (float)thg_field_unit(solver->field) + 0.5f);
    uint64_t cost = (uint64_t)solver->back.cost[to] + way;
    return cost < THRONG_FAR ? (uint32_t)cost : THRONG_FAR;
}

/// Lets a cell lead by `move` to its neighbour `to`, and puts it on the list of those that others
/// may follow. Where `to` is not reached, neither is the cell; it is marked as belonging there.
static void give_lead(thg_solver *solver, const thg_layer *layer, size_t cell, size_t to, int move)
{
    if (solver->back.cost[to] != THRONG_UNREACHED) {
        solver->back.flow[2 * cell] = unit_x[move];
        solver->back.flow[2 * cell + 1] = unit_y[move];
        if (layer->price[cell] == 0) {
            solver->back.cost[cell] = lead_cost(solver, layer, cell, to);
            solver->back.reached_count++;
            thg_solver_touch(solver, cell);
        }
    } else {
        solver->mark[cell] = 1;
        thg_solver_touch(solver, cell);
    }
    solver->entries[solver->lead_count++] = (uint32_t)cell;
}

static size_t neighbour(const thg_solver *solver, size_t cell, int move)
{
    return (size_t)((ptrdiff_t)cell + thg_move_x[move] +
                    (ptrdiff_t)solver->map->stride * thg_move_y[move]);
}

/// Gives a cell beside fitting ones the lead to the cheapest of them. Straight moves only: one ends
/// in the neighbour from wherever in the cell it starts.
static void seek_cell(thg_solver *solver, const thg_layer *layer, size_t cell)
{
    if (!wants_lead(solver, layer, cell)) {
        return;
    }
    int best = -1;
    uint32_t best_cost = THRONG_UNREACHED;
    for (int move = 0; move < 4; move++) {
        size_t to = neighbour(solver, cell, move);
        uint32_t cost = solver->back.cost[to];
        // A saturated cell must get its own lead before it can give one.
        if (layer->price[to] != 0 && cost != THRONG_FAR && (best < 0 || cost < best_cost)) {
            best_cost = cost;
            best = move;
        }
    }
    bool fits = layer->price[cell] != 0;
    if (best >= 0 && !(fits && best_cost == THRONG_UNREACHED)) {
        give_lead(solver, layer, cell, neighbour(solver, cell, best), best);
    }
}

/// Lets the neighbours of a cell that leads follow it. Cells that fit follow only such.
static void spread_cell(thg_solver *solver, const thg_layer *layer, size_t cell)
{
    for (int move = 0; move < 4; move++) {
        size_t from = neighbour(solver, cell, move);
        bool across = layer->price[from] != 0 && layer->price[cell] == 0;
        if (!across && wants_lead(solver, layer, from)) {
            give_lead(solver, layer, from, cell, (move + 2) % 4);
        }
    }
}

/// The rows of a repair: only where costs or prices changed. A row counts as what it derives anew,
/// and as a 16th of its cells, because all are compared.
static bool repaired_rows(thg_solver *solver, int *cell_budget)
{
    const throng_map *map = solver->map;
    for (;;) {
        int paid = thg_min_int(solver->flow_owed, *cell_budget);
        solver->flow_owed -= paid;
        *cell_budget -= paid;
        if (solver->flow_owed == 0 && solver->cursor == map->cell_count) {
            return true;
        }
        if (*cell_budget <= 0) {
            return false;
        }
        int y = (int)(solver->cursor / (size_t)map->width);
        int derived = thg_repair_flow_row(solver, y);
        solver->cursor += (size_t)map->width;
        solver->flow_owed = derived + map->width / 16 + 1;
    }
}

/// Cells from the cursor on, in blocks.
typedef struct flow_pass {
    thg_solver *solver;
    uint32_t reached_count[FLOW_BLOCKS];
    bool far_seen[FLOW_BLOCKS];
} flow_pass;

static void flow_range(void *context, int first, int end, int block)
{
    flow_pass *pass = context;
    thg_solver *solver = pass->solver;
    const throng_map *map = solver->map;
    const thg_layer *layer = thg_field_layer(solver->field);
    while (first < end) {
        size_t at = solver->cursor + (size_t)first;
        int x = (int)(at % (size_t)map->width);
        int count = thg_min_int(map->width - x, end - first);
        size_t cell = thg_padded_index(map, x, (int)(at / (size_t)map->width));
        pass->reached_count[block] +=
            thg_flow_row(layer, cell, solver->back.cost + cell, map->stride, count,
                         solver->back.flow + 2 * cell, &pass->far_seen[block]);
        first += count;
    }
}

static bool flow_cells(thg_solver *solver, int *cell_budget)
{
    const throng_map *map = solver->map;
    if (solver->repairing) {
        return repaired_rows(solver, cell_budget);
    }
    while (solver->cursor<map->cell_count && * cell_budget> 0) {
        size_t left = map->cell_count - solver->cursor;
        int count = thg_min_int(*cell_budget, FLOW_BLOCKS * FLOW_BLOCK);
        count = left < (size_t)count ? (int)left : count;
        flow_pass pass = {.solver = solver};
        thg_parallel_for(solver->jobs, count, FLOW_BLOCK, flow_range, &pass);
        for (int block = 0; block < FLOW_BLOCKS; block++) {
            solver->back.reached_count += pass.reached_count[block];
            solver->far_seen |= pass.far_seen[block];
        }
        solver->cursor += (size_t)count;
        *cell_budget -= count;
    }
    return solver->cursor == map->cell_count;
}

static bool seek_cells(thg_solver *solver, const thg_layer *layer, int *cell_budget)
{
    const throng_map *map = solver->map;
    for (; solver->cursor<map->cell_count && * cell_budget> 0; solver->cursor++) {
        int y = (int)(solver->cursor / (size_t)map->width);
        int x = (int)(solver->cursor % (size_t)map->width);
        seek_cell(solver, layer, thg_padded_index(map, x, y));
        *cell_budget -= 1;
    }
    return solver->cursor == map->cell_count;
}

static bool spread_cells(thg_solver *solver, const thg_layer *layer, int *cell_budget)
{
    for (; solver->lead_read<solver->lead_count && * cell_budget> 0; *cell_budget -= 1) {
        spread_cell(solver, layer, solver->entries[solver->lead_read++]);
    }
    return solver->lead_read == solver->lead_count;
}

bool thg_flow_advance(thg_solver *solver, int *cell_budget)
{
    const thg_layer *layer = thg_field_layer(solver->field);
    if (solver->phase == THG_FLOW && flow_cells(solver, cell_budget)) {
        solver->cursor =
            !thg_has_leads(solver->field) && !solver->far_seen ? solver->map->cell_count : 0;
        solver->phase = THG_SEEK;
    }
    if (solver->phase == THG_SEEK && seek_cells(solver, layer, cell_budget)) {
        solver->phase = THG_LEADS;
    }
    return solver->phase == THG_LEADS && spread_cells(solver, layer, cell_budget);
}
