/// The same fields by the simplest means: what the fast solvers are compared with, cell for cell,
/// and what benchmarks call the usual way.
#include "field/solver.h"
#include <math.h>
#include <string.h>

/// A binary heap with lazy deletion: what a priority queue of the standard libraries does.
typedef struct heap {
    uint64_t *keys; ///< cost above, cell below; keys[0] is least
    size_t count, capacity;
    bool failed;
} heap;

static void heap_push(heap *queue, uint32_t cost, uint32_t cell)
{
    if (queue->count == queue->capacity) {
        size_t capacity = queue->capacity > 0 ? queue->capacity * 2 : 1024;
        uint64_t *keys = thg_allocate(capacity, sizeof *keys);
        if (keys == NULL) {
            queue->failed = true;
            return;
        }
        if (queue->count > 0) {
            memcpy(keys, queue->keys, queue->count * sizeof *keys);
        }
        thg_release(queue->keys, queue->capacity, sizeof *keys);
        queue->keys = keys;
        queue->capacity = capacity;
    }
    uint64_t key = (uint64_t)cost << 32 | cell;
    size_t at = queue->count++;
    while (at > 0 && queue->keys[(at - 1) / 2] > key) {
        queue->keys[at] = queue->keys[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    queue->keys[at] = key;
}

static uint64_t heap_pop(heap *queue)
{
    uint64_t *keys = queue->keys;
    uint64_t least = keys[0];
    uint64_t key = keys[--queue->count];
    size_t at = 0;
    size_t child = 1;
    while (child < queue->count) {
        child += child + 1 < queue->count && keys[child + 1] < keys[child];
        if (keys[child] >= key) {
            break;
        }
        keys[at] = keys[child];
        at = child;
        child = 2 * at + 1;
    }
    keys[at] = key;
    return least;
}

static void heap_release(heap *queue)
{
    thg_release(queue->keys, queue->capacity, sizeof *queue->keys);
}

typedef struct seeding {
    uint32_t *cost;
    heap *queue; ///< NULL: costs only
} seeding;

static void seed_plain(void *context, uint32_t cell, uint32_t cost)
{
    seeding *to = context;
    if (cost < to->cost[cell]) {
        to->cost[cell] = cost;
        if (to->queue != NULL) {
            heap_push(to->queue, cost, cell);
        }
    }
}

static void all_unreached(const throng_map *map, uint32_t *cost)
{
    for (size_t i = 0; i < map->padded_count; i++) {
        cost[i] = THRONG_UNREACHED;
    }
}

throng_result thg_plain_octile(throng_field *field, uint32_t *cost)
{
    const throng_map *map = field->map;
    const thg_layer *layer = thg_field_layer(field);
    const uint16_t *price = thg_field_prices(field).price;
    heap queue = {NULL, 0, 0, false};
    seeding to = {cost, &queue};
    all_unreached(map, cost);
    thg_goal_resolve(field);
    thg_goal_seed(field, seed_plain, &to);
    while (queue.count > 0 && !queue.failed) {
        uint64_t key = heap_pop(&queue);
        uint32_t cell = (uint32_t)key;
        uint32_t here = (uint32_t)(key >> 32);
        if (here != cost[cell]) {
            continue;
        }
        for (int move = 0; move < 8; move++) {
            if (((layer->moves[cell] >> move) & 1) == 0) {
                continue;
            }
            size_t next = (size_t)((ptrdiff_t)cell + thg_move_x[move] +
                                   (ptrdiff_t)map->stride * thg_move_y[move]);
            uint32_t length = move < 4 ? THRONG_OCTILE_UNIT : THRONG_OCTILE_DIAGONAL;
            uint64_t after = (uint64_t)here + thg_octile_step(price[cell], price[next], length);
            after = after < THRONG_FAR ? after : THRONG_FAR;
            if (after < cost[next]) {
                cost[next] = (uint32_t)after;
                heap_push(&queue, (uint32_t)after, (uint32_t)next);
            }
        }
    }
    heap_release(&queue);
    return queue.failed ? THRONG_NO_MEMORY : THRONG_OK;
}

/// One sweep over all cells in one of four orders; true when a cell fell.
static bool sweep(const throng_map *map, const uint16_t *price, uint32_t *cost, int order)
{
    size_t stride = (size_t)map->stride;
    bool changed = false;
    for (int i = 0; i < map->height; i++) {
        int y = order & 2 ? map->height - 1 - i : i;
        for (int j = 0; j < map->width; j++) {
            int x = order & 1 ? map->width - 1 - j : j;
            size_t at = thg_padded_index(map, x, y);
            if (price[at] == 0) {
                continue;
            }
            uint32_t a = cost[at - 1] < cost[at + 1] ? cost[at - 1] : cost[at + 1];
            uint32_t b =
                cost[at - stride] < cost[at + stride] ? cost[at - stride] : cost[at + stride];
            if (a == THRONG_UNREACHED && b == THRONG_UNREACHED) {
                continue;
            }
            uint32_t after = thg_eikonal_update(a, b, price[at] * (uint32_t)THG_EIKONAL_PER_PRICE);
            if (after < cost[at]) {
                cost[at] = after;
                changed = true;
            }
        }
    }
    return changed;
}

throng_result thg_plain_eikonal(throng_field *field, uint32_t *cost)
{
    seeding to = {cost, NULL};
    all_unreached(field->map, cost);
    thg_goal_resolve(field);
    thg_goal_seed(field, seed_plain, &to);
    int quiet = 0;
    for (int order = 0; quiet < 4; order = (order + 1) & 3) {
        quiet = sweep(field->map, thg_field_prices(field).price, cost, order) ? 0 : quiet + 1;
    }
    return THRONG_OK;
}

/// Godunov's update in floats.
static float update_float(float a, float b, float k)
{
    float gap = fabsf(a - b);
    if (!(gap < k)) {
        return (a < b ? a : b) + k;
    }
    return 0.5f * (a + b + sqrtf(2.0f * k * k - gap * gap));
}

/// Lazy heap keys order floats that are not negative by their bits.
static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

typedef struct marching_seed {
    float *cost;
    heap *queue;
} marching_seed;

static void seed_marching(void *context, uint32_t cell, uint32_t cost)
{
    marching_seed *to = context;
    to->cost[cell] = (float)cost;
    heap_push(to->queue, float_bits((float)cost), cell);
}

throng_result thg_plain_marching(throng_field *field, float *cost)
{
    const throng_map *map = field->map;
    const uint16_t *price = thg_field_prices(field).price;
    size_t stride = (size_t)map->stride;
    const ptrdiff_t offset[4] = {1, (ptrdiff_t)stride, -1, -(ptrdiff_t)stride};
    heap queue = {NULL, 0, 0, false};
    marching_seed to = {cost, &queue};
    for (size_t i = 0; i < map->padded_count; i++) {
        cost[i] = 1e30f;
    }
    thg_goal_resolve(field);
    thg_goal_seed(field, seed_marching, &to);
    while (queue.count > 0 && !queue.failed) {
        uint64_t key = heap_pop(&queue);
        uint32_t cell = (uint32_t)key;
        if ((uint32_t)(key >> 32) != float_bits(cost[cell])) {
            continue;
        }
        for (int i = 0; i < 4; i++) {
            size_t next = (size_t)((ptrdiff_t)cell + offset[i]);
            if (price[next] == 0 || cost[next] <= cost[cell]) {
                continue;
            }
            float a = cost[next - 1] < cost[next + 1] ? cost[next - 1] : cost[next + 1];
            float b = cost[next - stride] < cost[next + stride] ? cost[next - stride]
                                                                : cost[next + stride];
            float k = (float)price[next] * (float)THG_EIKONAL_PER_PRICE;
            float after = update_float(a, b, k);
            if (after < cost[next]) {
                cost[next] = after;
                heap_push(&queue, float_bits(after), (uint32_t)next);
            }
        }
    }
    heap_release(&queue);
    return queue.failed ? THRONG_NO_MEMORY : THRONG_OK;
}
