/// The coarse search: A* over the nodes of windows. Costs are whole units; of states that look
/// equally good the one seen first is taken, so the way does not depend on how memory lies. Every
/// node is gone on from once, so equally good ways cost no more than one; with what is ahead
/// weighed by w, that finds a way at most w times as long as the best over the nodes (Pohl 1970).
#include "field/path.h"
#include "field/solver.h"
#include <math.h>
#include <string.h>

#define QUICK_WEIGHT 1.2
#define EXACT_WEIGHT 1.01 ///< nodes lie apart: no way over them is as short as what is ahead
#define LONG_WAY 64       ///< sectors as the crow flies: what is farther is searched in two steps
#define BAND 2            ///< rings of sectors round the first step's way

/// Places the search may end at, and how far they are from the nodes of their sectors.
typedef struct targets {
    const throng_vec2 *at;
    int count;
    int sector[THG_PATH_TARGETS];
    double weight; ///< of what is ahead: above 1 the search is quicker and its way perhaps longer
    bool banded;   ///< only through sectors with the band's stamp
    uint64_t best; ///< cost of the best way to one
    uint32_t best_parent;
    int best_target;
} targets;

/// What is ahead at least, in units.
static uint64_t ahead(const throng_paths *paths, const targets *to, throng_vec2 from)
{
    const thg_layer *layer = &paths->def.map->layers[paths->def.class_index];
    double least = 1e30;
    for (int i = 0; i < to->count; i++) {
        double dx = (double)to->at[i].x - (double)from.x;
        double dy = (double)to->at[i].y - (double)from.y;
        double squared = dx * dx + dy * dy;
        least = squared < least ? squared : least;
    }
    double cheapest = (double)layer->min_price * (double)THG_EIKONAL_PER_PRICE;
    return (uint64_t)(sqrt(least) * cheapest * to->weight);
}

// ---- States -------------------------------------------------------------------------------------

/// State of a node; THG_NO_STATE when there is no memory for more.
static uint32_t state_of(throng_paths *paths, const thg_sector *sector, int node)
{
    int side = thg_sector_side(sector, node);
    uint32_t edge = thg_sector_edge(paths->sectors, (int)sector->index, side);
    if (paths->edge_stamp[edge] != paths->stamp) {
        uint32_t count = (uint32_t)(sector->first[side + 1] - sector->first[side]);
        if (paths->state_capacity - paths->state_count < count) {
            return THG_NO_STATE;
        }
        paths->edge_stamp[edge] = paths->stamp;
        paths->edge_first[edge] = paths->state_count;
        for (uint32_t i = 0; i < count; i++) {
            throng_vec2 at = thg_sector_node(paths->sectors, sector, sector->first[side] + (int)i);
            paths->states[paths->state_count++] =
                (thg_path_state){.cost = UINT64_MAX, .parent = THG_NO_STATE, .x = at.x, .y = at.y};
        }
    }
    return paths->edge_first[edge] + (uint32_t)(node - sector->first[side]);
}

/// A way to a node through a sector. False when there is no memory for its state.
static bool relax(throng_paths *paths, const targets *to, const thg_sector *sector, int node,
                  uint32_t parent, uint64_t cost)
{
    uint32_t at = state_of(paths, sector, node);
    if (at == THG_NO_STATE) {
        return false;
    }
    thg_path_state *state = &paths->states[at];
    if (cost >= state->cost || state->closed) {
        return true;
    }
    uint64_t rest = state->cost == UINT64_MAX ? ahead(paths, to, (throng_vec2){state->x, state->y})
                                              : state->place.key - state->cost;
    uint64_t whole = cost + rest;
    if (whole >= to->best) {
        return true; // a better one is known
    }
    state->cost = cost;
    state->parent = parent;
    state->sector = sector->index;
    thg_heap_offer(&paths->heap, at, whole);
    return true;
}

static void relax_target(targets *to, int target, uint32_t parent, uint64_t cost)
{
    if (cost < to->best) {
        to->best = cost;
        to->best_parent = parent;
        to->best_target = target;
    }
}

// ---- The search ---------------------------------------------------------------------------------

/// Goes on from a node through one of its sectors.
static bool expand_through(throng_paths *paths, targets *to, int index, uint32_t at)
{
    if (to->banded && paths->band_stamp[index] != paths->stamp) {
        return true;
    }
    const thg_sector *sector = thg_sectors_get(paths->sectors, index);
    const thg_path_state state = paths->states[at];
    // Which of the sector's nodes it is.
    uint32_t edge_node = 0;
    int own = -1;
    for (int side = 0; side < 4 && own < 0; side++) {
        uint32_t edge = thg_sector_edge(paths->sectors, index, side);
        if (sector->first[side] == sector->first[side + 1] ||
            paths->edge_stamp[edge] != paths->stamp) {
            continue;
        }
        edge_node = at - paths->edge_first[edge];
        if (edge_node < (uint32_t)(sector->first[side + 1] - sector->first[side])) {
            own = sector->first[side] + (int)edge_node;
        }
    }
    THRONG_ASSERT(own >= 0);
    for (int i = 0; i < to->count; i++) {
        if (to->sector[i] == index && paths->target_distance[i][own] < THRONG_FAR) {
            relax_target(to, i, at, state.cost + paths->target_distance[i][own]);
        }
    }
    paths->work += sector->count; // whatever the cache has: budgets must not tell
    const uint32_t *distances = thg_sector_distances(paths->sectors, sector, own);
    for (int node = 0; node < sector->count; node++) {
        uint32_t distance = node != own ? distances[node] : THRONG_FAR;
        if (distance < THRONG_FAR && !relax(paths, to, sector, node, at, state.cost + distance)) {
            return false;
        }
    }
    return true;
}

/// The two sectors of a node, from where it lies.
static void sectors_of(const thg_sectors *sectors, const thg_path_state *state, int pair[2])
{
    int x = (int)state->x;
    int y = (int)state->y;
    bool upright = state->x == (float)x; // nodes lie in the middle of cells along their edge
    pair[1] = thg_sector_of(sectors, x, y);
    pair[0] = upright ? pair[1] - 1 : pair[1] - sectors->columns;
}

/// Begins at the nodes of the start's sector, and with targets in the same one.
static bool begin(throng_paths *paths, targets *to, throng_vec2 from)
{
    thg_sectors *sectors = paths->sectors;
    const thg_layer *layer = &paths->def.map->layers[paths->def.class_index];
    int start = thg_sector_of(sectors, (int)from.x, (int)from.y);
    const thg_sector *sector = thg_sectors_get(sectors, start);
    thg_sector_reach(sectors, sector, from, paths->node_distance);
    paths->work += sectors->side * sectors->side / 4;
    for (int i = 0; i < to->count; i++) {
        uint32_t straight =
            thg_straight_cost(paths->def.map, layer, layer->min_price, from, to->at[i]);
        if (straight != THRONG_UNREACHED) {
            relax_target(to, i, THG_NO_STATE, straight);
        } else if (to->sector[i] == start) {
            // The block still holds the costs from the start, unless all nodes were in sight.
            thg_block *block = sectors->block;
            thg_block_clear(block, 0, 0);
            thg_block_seed_point(block, from.x, from.y);
            thg_block_run(block);
            uint32_t cost = block->cost[thg_block_index(block, (int)to->at[i].x - block->first_x,
                                                        (int)to->at[i].y - block->first_y)];
            if (cost < THRONG_FAR) {
                relax_target(to, i, THG_NO_STATE, cost);
            }
        }
    }
    for (int node = 0; node < sector->count; node++) {
        if (paths->node_distance[node] < THRONG_FAR &&
            !relax(paths, to, sector, node, THG_NO_STATE, paths->node_distance[node])) {
            return false;
        }
    }
    return true;
}

/// Writes the legs from the start on. False when there are too many.
static bool write_legs(throng_paths *paths, const targets *to, throng_vec2 from)
{
    int count = 1;
    for (uint32_t at = to->best_parent; at != THG_NO_STATE; at = paths->states[at].parent) {
        count++;
    }
    if (count > paths->leg_capacity) {
        return false;
    }
    throng_vec2 end = to->at[to->best_target];
    int sector = to->sector[to->best_target];
    uint32_t at = to->best_parent;
    for (int i = count - 1; i >= 0; i--) {
        throng_vec2 begin_at =
            at == THG_NO_STATE ? from : (throng_vec2){paths->states[at].x, paths->states[at].y};
        paths->legs[i] = (thg_path_leg){begin_at, end, sector};
        if (at != THG_NO_STATE) {
            end = begin_at;
            sector = (int)paths->states[at].sector;
            at = paths->states[at].parent;
        }
    }
    paths->leg_count = count;
    return true;
}

/// A new search: nothing has been seen.
static void clear(throng_paths *paths)
{
    paths->stamp++;
    if (paths->stamp == 0) { // once in four billion searches
        size_t edges = 2 * (size_t)paths->sectors->count;
        memset(paths->edge_stamp, 0, edges * sizeof *paths->edge_stamp);
        memset(paths->band_stamp, 0, edges / 2 * sizeof *paths->band_stamp);
        paths->stamp = 1;
    }
    paths->state_count = 0;
    paths->heap.count = 0;
}

/// Searches until no better way can be found. False when there is no memory for more states.
static bool search(throng_paths *paths, targets *to, throng_vec2 from)
{
    if (!begin(paths, to, from)) {
        return false;
    }
    // A straight line to the only target, or to the nearest, cannot be beaten.
    bool beeline = to->best_parent == THG_NO_STATE && to->best <= ahead(paths, to, from) + 1;
    const thg_heap *heap = &paths->heap;
    while (!beeline && heap->count > 0 && paths->states[heap->items[1]].place.key < to->best) {
        uint32_t at = thg_heap_take(&paths->heap);
        paths->states[at].closed = true;
        int pair[2];
        sectors_of(paths->sectors, &paths->states[at], pair);
        if (!expand_through(paths, to, pair[0], at) || !expand_through(paths, to, pair[1], at)) {
            return false;
        }
    }
    return true;
}

/// Stamps the sectors of the legs and the rings round them.
static void stamp_band(throng_paths *paths)
{
    const thg_sectors *sectors = paths->sectors;
    for (int i = 0; i < paths->leg_count; i++) {
        int column = paths->legs[i].sector % sectors->columns;
        int row = paths->legs[i].sector / sectors->columns;
        int last_x = thg_min_int(column + BAND, sectors->columns - 1);
        int last_y = thg_min_int(row + BAND, sectors->rows - 1);
        for (int y = thg_max_int(row - BAND, 0); y <= last_y; y++) {
            for (int x = thg_max_int(column - BAND, 0); x <= last_x; x++) {
                paths->band_stamp[y * sectors->columns + x] = paths->stamp;
            }
        }
    }
}

throng_result thg_path_search(throng_paths *paths, throng_vec2 from, const throng_vec2 *places,
                              int target_count, bool quick, int *target)
{
    targets to = {.at = places,
                  .count = target_count,
                  .best = UINT64_MAX,
                  .best_parent = THG_NO_STATE,
                  .weight = EXACT_WEIGHT};
    const thg_layer *layer = &paths->def.map->layers[paths->def.class_index];
    uint64_t sector_cost =
        (uint64_t)paths->sectors->side * layer->min_price * (uint64_t)THG_EIKONAL_PER_PRICE;
    bool far = ahead(paths, &to, from) > LONG_WAY * sector_cost;
    to.weight = quick || far ? QUICK_WEIGHT : EXACT_WEIGHT;
    clear(paths);
    for (int i = 0; i < target_count; i++) {
        to.sector[i] = thg_sector_of(paths->sectors, (int)places[i].x, (int)places[i].y);
        const thg_sector *sector = thg_sectors_get(paths->sectors, to.sector[i]);
        thg_sector_reach(paths->sectors, sector, places[i], paths->target_distance[i]);
        paths->work += paths->sectors->side * paths->sectors->side / 4;
    }
    bool complete = search(paths, &to, from);
    if (!complete && to.weight < QUICK_WEIGHT) {
        // It has outgrown its memory: one that hurries sees less.
        to.weight = QUICK_WEIGHT;
        clear(paths);
        complete = search(paths, &to, from);
    }
    if (!complete && to.best == UINT64_MAX) {
        return THRONG_LIMIT;
    }
    if (to.best == UINT64_MAX) {
        return THRONG_UNREACHABLE;
    }
    if (!write_legs(paths, &to, from)) {
        return THRONG_LIMIT;
    }
    *target = to.best_target;
    if (quick || !far || paths->leg_count == 1) {
        return THRONG_OK;
    }
    // Again, exactly, for what is cheaper near the way that is known.
    to.weight = EXACT_WEIGHT;
    to.banded = true;
    uint64_t known = to.best;
    clear(paths);
    stamp_band(paths);
    if (search(paths, &to, from) && to.best < known && write_legs(paths, &to, from)) {
        *target = to.best_target;
    }
    return THRONG_OK;
}
