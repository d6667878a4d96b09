/// Octile integration: Dijkstra by buckets as wide as the shortest step, so that whatever is taken
/// from the lowest bucket is final and the order within it does not matter (Dial 1969; Denardo, Fox
/// 1979).
///
/// Where all cells cost the same there are only two lengths of step, so three flat lists do, and a
/// cell needs to try only the moves that no other equally short way makes superfluous: the natural
/// and forced neighbours of jump point search (Harabor, Grastien 2011), here without jumps.
/// Diagonal first is the canonical order. A cell that is reached from several directions at the
/// same cost keeps them all, so ties need no further argument. In the open that is about one move
/// per cell.
#include "field/solver.h"

static const uint32_t step_length[8] = {
    THRONG_OCTILE_UNIT,     THRONG_OCTILE_UNIT,     THRONG_OCTILE_UNIT,     THRONG_OCTILE_UNIT,
    THRONG_OCTILE_DIAGONAL, THRONG_OCTILE_DIAGONAL, THRONG_OCTILE_DIAGONAL, THRONG_OCTILE_DIAGONAL};

/// A cell of the 3 x 3 block round a cell, as a number: 4 is the middle.
static int block_cell(int move)
{
    return (thg_move_y[move] + 1) * 3 + thg_move_x[move] + 1;
}

/// Shortest ways from `start` to every cell of a 3 x 3 block, round the middle, over cells that are
/// known to fit.
static void ways_round(const bool fits[9], int start, uint32_t way[9])
{
    for (int i = 0; i < 9; i++) {
        way[i] = i == start ? 0 : UINT32_MAX / 2;
    }
    // Eight cells in a ring: seven rounds of relaxing settle every way.
    for (int round = 0; round < 7; round++) {
        for (int from = 0; from < 9; from++) {
            for (int to = 0; to < 9; to++) {
                int dx = to % 3 - from % 3;
                int dy = to / 3 - from / 3;
                bool near = dx * dx <= 1 && dy * dy <= 1;
                if (from == 4 || to == 4 || !near || !fits[from] || !fits[to]) {
                    continue;
                }
                bool beside = fits[from / 3 * 3 + to % 3] && fits[to / 3 * 3 + from % 3];
                if (dx != 0 && dy != 0 && !beside) {
                    continue;
                }
                uint32_t length = dx != 0 && dy != 0 ? THRONG_OCTILE_DIAGONAL : THRONG_OCTILE_UNIT;
                way[to] = way[from] + length < way[to] ? way[from] + length : way[to];
            }
        }
    }
}

static int opposite(int move)
{
    return move < 4 ? (move + 2) % 4 : 4 + (move + 2) % 4;
}

/// True for masks that a map can give: a diagonal is allowed only beside two straight moves.
static bool moves_possible(unsigned moves)
{
    unsigned straight = moves & 15u;
    unsigned pairs = straight & (straight >> 1 | straight << 3);
    return ((moves >> 4) & ~pairs) == 0;
}

/// Moves worth trying from a cell reached by `arrival` whose allowed moves are `moves`.
static uint8_t worth_trying(int arrival, unsigned moves)
{
    bool fits[9] = {false};
    uint32_t way[9];
    int back = opposite(arrival);
    if (((moves >> back) & 1u) == 0) {
        return (uint8_t)moves; // nobody arrives like that
    }
    fits[4] = true;
    for (int move = 0; move < 8; move++) {
        fits[block_cell(move)] = (moves >> move) & 1u;
    }
    ways_round(fits, block_cell(back), way);
    unsigned worth = 0;
    for (int move = 0; move < 8; move++) {
        uint32_t through = step_length[arrival] + step_length[move];
        uint32_t round = way[block_cell(move)];
        bool better_round = round < through || (round == through && arrival < 4);
        if (((moves >> move) & 1u) != 0 && move != back && !better_round) {
            worth |= 1u << move;
        }
    }
    return (uint8_t)worth;
}

void thg_octile_prepare(thg_solver *solver)
{
    for (unsigned moves = 0; moves < 256; moves++) {
        if (!moves_possible(moves)) {
            continue;
        }
        for (int arrival = 0; arrival < 8; arrival++) {
            solver->successors[1u << arrival][moves] = worth_trying(arrival, moves);
        }
        for (unsigned arrivals = 3; arrivals < 256; arrivals++) {
            unsigned rest = arrivals & (arrivals - 1);
            solver->successors[arrivals][moves] =
                solver->successors[arrivals ^ rest][moves] | solver->successors[rest][moves];
        }
    }
}

static void seed(void *context, uint32_t cell, uint32_t cost)
{
    thg_solver *solver = context;
    uint32_t before = solver->back.cost[cell];
    if (cost >= before) {
        return;
    }
    solver->back.cost[cell] = cost;
    thg_solver_touch(solver, cell);
    if (solver->uniform) {
        solver->mark[cell] = 0xFF; // from everywhere: every move is worth trying
        solver->lists.list[0][solver->lists.count[0]++] = cell;
    } else {
        thg_queue_push(solver, cell, cost, before);
    }
}

void thg_octile_begin(thg_solver *solver)
{
    const thg_prices *prices = &solver->prices;
    uint32_t low = thg_octile_step(prices->min, prices->min, THRONG_OCTILE_UNIT);
    uint32_t high = thg_octile_step(prices->max, prices->max, THRONG_OCTILE_DIAGONAL);
    solver->uniform = prices->min == prices->max;
    if (solver->uniform) {
        thg_lists *lists = &solver->lists;
        for (int i = 0; i < 3; i++) {
            lists->list[i] = solver->entries + (size_t)i * solver->map->padded_count;
            lists->count[i] = 0;
        }
        lists->read = 0;
        lists->base = 0;
        lists->straight = low;
        lists->diagonal = high;
        lists->far = false;
    } else {
        thg_queue_reset(solver, low, high);
    }
    thg_goal_seed(solver->field, seed, solver);
}

#define AHEAD 12u ///< cells between asking for memory and needing it; 8 to 16 measured alike

/// What the inner loop keeps in registers.
typedef struct walker {
    uint32_t *restrict cost;
    uint8_t *restrict mark;
    uint32_t *restrict next, *restrict after; ///< where the next two lists end
    uint32_t limit;                           ///< first cost of the list after the next
    uint32_t step[8];
    ptrdiff_t offset[8];
} walker;

/// Tries one move. A neighbour is on a list already when its old cost lies in the same bucket.
/// Without branches: which way a comparison goes is anybody's guess beside walls.
static inline void try_move(walker *walk, uint32_t cell, uint32_t here, unsigned move)
{
    size_t to = (size_t)((ptrdiff_t)cell + walk->offset[move]);
    uint32_t cost = here + walk->step[move];
    uint32_t before = walk->cost[to];
    uint32_t limit = walk->limit;
    unsigned lower = cost < before;
    unsigned soon = cost < limit;
    unsigned from = 1u << move;
    unsigned tied = cost == before ? from : 0u;
    unsigned mark = walk->mark[to];
    walk->cost[to] = lower ? cost : before;
    walk->mark[to] = (uint8_t)(lower ? from : mark | tied);
    *walk->next = (uint32_t)to;
    walk->next += lower & soon & (before >= limit);
    *walk->after = (uint32_t)to;
    walk->after += lower & (soon ^ 1u) & (before == THRONG_UNREACHED);
}

/// Takes cells from the first list until it or the budget ends. Returns the cells taken.
static uint32_t walk_list(thg_solver *solver, uint32_t count)
{
    thg_lists *lists = &solver->lists;
    const uint8_t *allowed = thg_field_layer(solver->field)->moves;
    const uint32_t *list = lists->list[0] + lists->read;
    walker walk = {solver->back.cost,
                   solver->mark,
                   lists->list[1] + lists->count[1],
                   lists->list[2] + lists->count[2],
                   lists->base + 2 * lists->straight,
                   {0},
                   {0}};
    for (int move = 0; move < 8; move++) {
        walk.step[move] = move < 4 ? lists->straight : lists->diagonal;
        walk.offset[move] = thg_move_x[move] + (ptrdiff_t)solver->map->stride * thg_move_y[move];
    }
    const uint8_t(*successors)[256] = (const uint8_t(*)[256])solver->successors;
    uint32_t base = lists->base;
    size_t first = solver->back.first;
    size_t end = solver->back.end;
    ptrdiff_t stride = solver->map->stride;
    // The front is long and lies across the rows: without the prefetches half of the time is
    // waiting.
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cell = list[i];
        uint32_t soon = list[i + AHEAD < count ? i + AHEAD : i];
        __builtin_prefetch(&allowed[soon]);
        for (ptrdiff_t row = -stride; row <= stride; row += stride) {
            __builtin_prefetch(&walk.cost[(ptrdiff_t)soon + row]);
            __builtin_prefetch(&walk.mark[(ptrdiff_t)soon + row]);
        }
        uint32_t here = walk.cost[cell];
        if (here < base) {
            continue; // it fell into an earlier bucket and was taken there
        }
        first = cell < first ? cell : first;
        end = cell >= end ? cell + 1 : end;
        unsigned moves = allowed[cell];
        unsigned arrivals = walk.mark[cell];
        unsigned worth = successors[arrivals][moves];
        while (worth != 0) {
            try_move(&walk, cell, here, (unsigned)__builtin_ctz(worth));
            worth &= worth - 1;
        }
    }
    solver->back.first = first;
    solver->back.end = end;
    lists->read += count;
    lists->count[1] = (uint32_t)(walk.next - lists->list[1]);
    lists->count[2] = (uint32_t)(walk.after - lists->list[2]);
    return count;
}

/// Puts all cells that wait on the first list, each once: near the end of 32 bits order is given
/// up.
static void lists_merge(thg_solver *solver)
{
    thg_lists *lists = &solver->lists;
    uint32_t *all = lists->list[0];
    uint32_t count = 0;
    for (int i = 0; i < 3; i++) {
        for (uint32_t j = 0; j < lists->count[i]; j++) {
            solver->mark[lists->list[i][j]] = 0;
        }
    }
    for (int i = 0; i < 3; i++) {
        for (uint32_t j = 0; j < lists->count[i]; j++) {
            uint32_t cell = lists->list[i][j];
            // A stale cell is settled already; its costs cannot be told from the others' any more,
            // and taking it once more does no harm.
            if (solver->mark[cell] == 0) {
                solver->mark[cell] = 1;
                all[count++] = cell;
            }
        }
    }
    lists->count[0] = count;
    lists->count[1] = 0;
    lists->count[2] = 0;
    lists->read = 0;
    lists->far = true;
}

/// Takes one cell of the far part: costs saturate, and whatever falls is put on the next list,
/// once.
static void walk_far(thg_solver *solver, uint32_t cell)
{
    thg_lists *lists = &solver->lists;
    unsigned moves = thg_field_layer(solver->field)->moves[cell];
    uint32_t *cost = solver->back.cost;
    solver->mark[cell] = 0;
    thg_solver_touch(solver, cell);
    while (moves != 0) {
        unsigned move = (unsigned)__builtin_ctz(moves);
        moves &= moves - 1;
        size_t to = (size_t)((ptrdiff_t)cell + thg_move_x[move] +
                             (ptrdiff_t)solver->map->stride * thg_move_y[move]);
        uint64_t after = (uint64_t)cost[cell] + (move < 4 ? lists->straight : lists->diagonal);
        after = after < THRONG_FAR ? after : THRONG_FAR;
        if (after >= cost[to]) {
            continue;
        }
        bool waits = cost[to] != THRONG_UNREACHED && solver->mark[to] == 1;
        cost[to] = (uint32_t)after;
        if (!waits) {
            solver->mark[to] = 1;
            lists->list[1][lists->count[1]++] = (uint32_t)to;
        }
    }
}

/// Makes the next list the first. False when all are empty.
static bool lists_turn(thg_solver *solver)
{
    thg_lists *lists = &solver->lists;
    if (lists->count[1] == 0 && lists->count[2] == 0) {
        return false;
    }
    uint32_t *empty = lists->list[0];
    lists->read = 0;
    lists->list[0] = lists->list[1];
    lists->count[0] = lists->count[1];
    if (lists->far) {
        lists->list[1] = empty;
        lists->count[1] = 0;
        return true;
    }
    lists->list[1] = lists->list[2];
    lists->count[1] = lists->count[2];
    lists->list[2] = empty;
    lists->count[2] = 0;
    lists->base += lists->straight;
    if (lists->base > THRONG_FAR - 4 * lists->diagonal) {
        lists_merge(solver);
    }
    return true;
}

static bool advance_uniform(thg_solver *solver, int *cell_budget)
{
    thg_lists *lists = &solver->lists;
    for (;;) {
        uint32_t left = lists->count[0] - lists->read;
        if (left == 0) {
            if (!lists_turn(solver)) {
                return true;
            }
            continue;
        }
        if (*cell_budget <= 0) {
            return false;
        }
        if (lists->far) {
            walk_far(solver, lists->list[0][lists->read++]);
            *cell_budget -= 1;
        } else {
            uint32_t budget = (uint32_t)*cell_budget;
            *cell_budget -= (int)walk_list(solver, left < budget ? left : budget);
        }
    }
}

static bool advance_priced(thg_solver *solver, int *cell_budget)
{
    const thg_layer *layer = thg_field_layer(solver->field);
    const uint16_t *price = solver->prices.price;
    uint32_t *cost = solver->back.cost;
    int budget = *cell_budget;
    uint32_t cell;
    while (budget > 0 && thg_queue_pop(solver, &cell)) {
        budget--;
        if (solver->mark[cell] == 0) {
            continue;
        }
        solver->mark[cell] = 0;
        thg_solver_touch(solver, cell);
        uint32_t here = cost[cell];
        unsigned moves = layer->moves[cell];
        while (moves != 0) {
            unsigned move = (unsigned)__builtin_ctz(moves);
            moves &= moves - 1;
            size_t to = (size_t)((ptrdiff_t)cell + thg_move_x[move] +
                                 (ptrdiff_t)solver->map->stride * thg_move_y[move]);
            uint64_t after =
                (uint64_t)here + thg_octile_step(price[cell], price[to], step_length[move]);
            after = after < THRONG_FAR ? after : THRONG_FAR;
            uint32_t before = cost[to];
            if (after < before) {
                cost[to] = (uint32_t)after;
                thg_queue_push(solver, (uint32_t)to, (uint32_t)after, before);
            }
        }
    }
    *cell_budget = budget;
    return solver->queue.entry_count == 0;
}

bool thg_octile_advance(thg_solver *solver, int *cell_budget)
{
    return solver->uniform ? advance_uniform(solver, cell_budget)
                           : advance_priced(solver, cell_budget);
}

uint32_t thg_octile_settled(const thg_solver *solver)
{
    if (!solver->uniform) {
        return solver->queue.current << solver->queue.shift;
    }
    return solver->lists.far ? 0 : solver->lists.base;
}
