/// A* (Hart, Nilsson, Raphael 1968) on a grid of 8 neighbours without cut corners: what everybody
/// writes who gives each agent a path of its own. An honest rival: a binary heap, the octile
/// distance as the estimate, ties to the one farther on, cheap prices, no memory cleared between
/// two searches, a border in place of checks.
#include "play.h"
#include <math.h>
#include <stdlib.h>

#define PRICE_UNIT 64u ///< of a cell of cost 1

typedef struct astar_node {
    uint32_t cost;   ///< from the start
    uint32_t stamp;  ///< the search that it was last seen in
    int32_t before;  ///< padded cell
    uint32_t closed; ///< the search that took it from the heap
} astar_node;

struct view_astar {
    int width, height, stride;
    uint16_t *price; ///< padded: a border of 0, blocked
    astar_node *nodes;
    uint64_t *keys; ///< the heap: estimate above, cost to go below, so that ties go far first
    int32_t *cells; ///< beside it
    int count, capacity;
    uint32_t search, least_price;
};

void view_astar_destroy(view_astar *astar)
{
    if (astar != NULL) {
        free(astar->price);
        free(astar->nodes);
        free(astar->keys);
        free(astar->cells);
        free(astar);
    }
}

view_astar *view_astar_create(const throng_map *map, int class_index)
{
    view_astar *astar = calloc(1, sizeof *astar);
    if (astar == NULL) {
        return NULL;
    }
    throng_class_def class_def = throng_map_class(map, class_index);
    astar->width = throng_map_width(map);
    astar->height = throng_map_height(map);
    astar->stride = astar->width + 2;
    size_t cells = (size_t)astar->stride * (size_t)(astar->height + 2);
    astar->price = calloc(cells, sizeof *astar->price);
    astar->nodes = calloc(cells, sizeof *astar->nodes);
    if (astar->price == NULL || astar->nodes == NULL) {
        view_astar_destroy(astar);
        return NULL;
    }
    astar->least_price = UINT32_MAX;
    for (int y = 0; y < astar->height; y++) {
        for (int x = 0; x < astar->width; x++) {
            float cost = class_def.cost[throng_map_terrain_at(map, x, y)];
            if (throng_map_fits(map, class_index, x, y) && cost > 0.0f) {
                uint16_t price = (uint16_t)(cost * (float)PRICE_UNIT + 0.5f);
                astar->price[(y + 1) * astar->stride + x + 1] = price;
                astar->least_price = price < astar->least_price ? price : astar->least_price;
            }
        }
    }
    return astar;
}

// ---- The heap -----------------------------------------------------------------------------------

static bool push(view_astar *astar, uint64_t key, int32_t cell)
{
    if (astar->count == astar->capacity) {
        int capacity = astar->capacity > 0 ? 2 * astar->capacity : 1024;
        uint64_t *keys = realloc(astar->keys, (size_t)capacity * sizeof *keys);
        astar->keys = keys != NULL ? keys : astar->keys;
        int32_t *cells = realloc(astar->cells, (size_t)capacity * sizeof *cells);
        astar->cells = cells != NULL ? cells : astar->cells;
        if (keys == NULL || cells == NULL) {
            return false;
        }
        astar->capacity = capacity;
    }
    int at = astar->count++;
    for (int above; at > 0 && key < astar->keys[above = (at - 1) / 2]; at = above) {
        astar->keys[at] = astar->keys[above];
        astar->cells[at] = astar->cells[above];
    }
    astar->keys[at] = key;
    astar->cells[at] = cell;
    return true;
}

static int32_t pop(view_astar *astar)
{
    int32_t top = astar->cells[0], cell = astar->cells[--astar->count];
    uint64_t key = astar->keys[astar->count];
    int at = 0, count = astar->count;
    for (int child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && astar->keys[child + 1] < astar->keys[child];
        if (astar->keys[child] >= key) {
            break;
        }
        astar->keys[at] = astar->keys[child];
        astar->cells[at] = astar->cells[child];
    }
    astar->keys[at] = key;
    astar->cells[at] = cell;
    return top;
}

// ---- The search ---------------------------------------------------------------------------------

/// What is left at least: straight and diagonal steps over the cheapest cells there are.
static uint32_t estimate(const view_astar *astar, int dx, int dy)
{
    uint32_t wide = (uint32_t)abs(dx), high = (uint32_t)abs(dy);
    uint32_t less = wide < high ? wide : high, more = wide < high ? high : wide;
    uint64_t length =
        (uint64_t)(more - less) * THRONG_OCTILE_UNIT + (uint64_t)less * THRONG_OCTILE_DIAGONAL;
    return (uint32_t)(length * astar->least_price / PRICE_UNIT);
}

static bool open_neighbours(view_astar *astar, int32_t here, int to_x, int to_y)
{
    static const int step_x[8] = {1, -1, 0, 0, 1, -1, -1, 1};
    static const int step_y[8] = {0, 0, 1, -1, 1, 1, -1, -1};
    const uint16_t *price = astar->price;
    int stride = astar->stride;
    int x = here % stride - 1, y = here / stride - 1;
    uint32_t so_far = astar->nodes[here].cost;
    for (int i = 0; i < 8; i++) {
        int32_t next = here + step_y[i] * stride + step_x[i];
        astar_node *node = &astar->nodes[next];
        if (price[next] == 0 || node->closed == astar->search ||
            (i >= 4 && (price[here + step_x[i]] == 0 || price[here + step_y[i] * stride] == 0))) {
            continue;
        }
        uint32_t length = i < 4 ? THRONG_OCTILE_UNIT : THRONG_OCTILE_DIAGONAL;
        uint64_t step = ((uint64_t)price[here] + price[next]) * length / (2 * PRICE_UNIT);
        uint32_t cost = so_far + (uint32_t)step;
        if (node->stamp != astar->search || cost < node->cost) {
            uint32_t left = estimate(astar, to_x - x - step_x[i], to_y - y - step_y[i]);
            *node = (astar_node){cost, astar->search, here, node->closed};
            if (!push(astar, (uint64_t)(cost + left) << 32 | left, next)) {
                return false;
            }
        }
    }
    return true;
}

bool view_astar_find(view_astar *astar, int from, int to, view_astar_answer *answer)
{
    int to_x = to % astar->width, to_y = to / astar->width;
    int32_t start = (from / astar->width + 1) * astar->stride + from % astar->width + 1;
    int32_t goal = (to_y + 1) * astar->stride + to_x + 1;
    *answer = (view_astar_answer){0};
    astar->search++;
    astar->count = 0;
    if (astar->price[start] == 0 || astar->price[goal] == 0) {
        return true;
    }
    astar->nodes[start] = (astar_node){0, astar->search, -1, astar->nodes[start].closed};
    if (!push(astar, 0, start)) {
        return false;
    }
    while (astar->count > 0) {
        int32_t here = pop(astar);
        if (astar->nodes[here].closed == astar->search) {
            continue; // a cheaper way to it came first
        }
        astar->nodes[here].closed = astar->search;
        answer->visited++;
        if (here == goal) {
            answer->found = true;
            answer->cost = astar->nodes[here].cost;
            return true;
        }
        if (!open_neighbours(astar, here, to_x, to_y)) {
            return false;
        }
    }
    return true;
}

static int32_t padded(const view_astar *astar, int cell)
{
    return (cell / astar->width + 1) * astar->stride + cell % astar->width + 1;
}

bool view_astar_visited(const view_astar *astar, int cell)
{
    return astar->search != 0 && astar->nodes[padded(astar, cell)].closed == astar->search;
}

int view_astar_before(const view_astar *astar, int cell)
{
    int32_t before = astar->nodes[padded(astar, cell)].before;
    return before < 0 ? -1
                      : (before / astar->stride - 1) * astar->width + before % astar->stride - 1;
}
