/// See block.h. What is exact here is the fixed point; the buckets only choose a good order.
#include "field/block.h"
#include "field/solver.h"
#include <math.h>
#include <string.h>

void thg_block_load(thg_block *block, const throng_map *map, const thg_layer *layer, int first_x,
                    int first_y, int side)
{
    block->map = map;
    block->layer = layer;
    block->first_x = first_x;
    block->first_y = first_y;
    block->side = side;
    block->stride = side + 2;
    block->width = thg_min_int(side, map->width - first_x);
    block->height = thg_min_int(side, map->height - first_y);
    memset(block->price, 0, (size_t)(block->stride * block->stride) * sizeof *block->price);
    uint16_t low = UINT16_MAX;
    uint16_t high = 0;
    uint16_t least = UINT16_MAX;
    for (int y = 0; y < block->height; y++) {
        const uint16_t *from = layer->price + thg_padded_index(map, first_x, first_y + y);
        uint16_t *to = block->price + thg_block_index(block, 0, y);
        for (int x = 0; x < block->width; x++) {
            uint16_t price = from[x];
            to[x] = price;
            uint16_t fitting = price != 0 ? price : UINT16_MAX;
            low = fitting < low ? fitting : low;
            high = price > high ? price : high;
            least = price < least ? price : least;
        }
    }
    block->min_price = high > 0 ? low : 0;
    block->max_price = high;
    block->clear = least > 0 && least == high && block->width == side && block->height == side;
}

void thg_block_rest(thg_block *block, uint32_t base, uint32_t spread)
{
    uint64_t range =
        spread + 2 * (uint64_t)block->side * block->max_price * (uint64_t)THG_EIKONAL_PER_PRICE;
    uint32_t width = block->min_price * (uint32_t)THG_EIKONAL_PER_PRICE;
    block->base = base;
    block->shift = 0;
    while (block->shift < 31 && (2u << block->shift) <= width) {
        block->shift++;
    }
    while ((range >> block->shift) >= THG_BLOCK_BUCKETS && block->shift < 31) {
        block->shift++;
    }
    memset(block->head, 0, sizeof block->head);
    memset(block->bucket, 0, (size_t)(block->stride * block->stride) * sizeof *block->bucket);
    block->lowest = THG_BLOCK_BUCKETS;
    block->waiting = 0;
}

void thg_block_clear(thg_block *block, uint32_t base, uint32_t spread)
{
    memset(block->cost, 0xFF, (size_t)(block->stride * block->stride) * sizeof *block->cost);
    thg_block_rest(block, base, spread);
}

static void take_out(thg_block *block, int index)
{
    uint16_t next = block->next[index];
    uint16_t before = block->before[index];
    if (before != 0) {
        block->next[before] = next;
    } else {
        block->head[block->bucket[index] - 1] = next;
    }
    if (next != 0) {
        block->before[next] = before;
    }
    block->bucket[index] = 0;
    block->waiting--;
}

static void put_in(thg_block *block, int index, uint32_t cost)
{
    uint32_t above = cost > block->base ? (cost - block->base) >> block->shift : 0;
    int bucket = above < THG_BLOCK_BUCKETS ? (int)above : THG_BLOCK_BUCKETS - 1;
    if (block->bucket[index] == bucket + 1) {
        return;
    }
    if (block->bucket[index] != 0) {
        take_out(block, index);
    }
    uint16_t head = block->head[bucket];
    block->next[index] = head;
    block->before[index] = 0;
    if (head != 0) {
        block->before[head] = (uint16_t)index;
    }
    block->head[bucket] = (uint16_t)index;
    block->bucket[index] = (uint16_t)(bucket + 1);
    block->lowest = bucket < block->lowest ? bucket : block->lowest;
    block->waiting++;
}

void thg_block_seed(thg_block *block, int index, uint32_t cost)
{
    if (block->price[index] != 0 && cost < block->cost[index]) {
        block->cost[index] = cost;
        put_in(block, index, cost);
    }
}

void thg_block_wake(thg_block *block, int index)
{
    put_in(block, index, block->cost[index]);
}

void thg_block_update(thg_block *block, int index)
{
    const uint32_t *cost = block->cost + index;
    uint32_t a = cost[-1] < cost[1] ? cost[-1] : cost[1];
    uint32_t b =
        cost[-block->stride] < cost[block->stride] ? cost[-block->stride] : cost[block->stride];
    if (a != THRONG_UNREACHED || b != THRONG_UNREACHED) {
        uint32_t price = block->price[index];
        thg_block_seed(block, index, thg_eikonal_update(a, b, price * THG_EIKONAL_PER_PRICE));
    }
}

void thg_block_seed_point(thg_block *block, float x, float y)
{
    int column = thg_min_int(thg_max_int((int)x - block->first_x, 0), block->width - 1);
    int row = thg_min_int(thg_max_int((int)y - block->first_y, 0), block->height - 1);
    uint16_t price = block->price[thg_block_index(block, column, row)];
    int reach = (int)THG_BALL_RADIUS;
    for (int dy = -reach; dy <= reach; dy++) {
        for (int dx = -reach; dx <= reach; dx++) {
            int to_x = column + dx;
            int to_y = row + dy;
            if (to_x < 0 || to_y < 0 || to_x >= block->width || to_y >= block->height) {
                continue;
            }
            float center_x = (float)(block->first_x + to_x) + 0.5f;
            float center_y = (float)(block->first_y + to_y) + 0.5f;
            float away_x = center_x - x;
            float away_y = center_y - y;
            float distance = sqrtf(away_x * away_x + away_y * away_y);
            if (distance <= THG_BALL_RADIUS &&
                thg_layer_sees(block->map, block->layer, price, x, y, center_x, center_y)) {
                float scale = (float)price * (float)THG_EIKONAL_PER_PRICE;
                thg_block_seed(block, thg_block_index(block, to_x, to_y),
                               (uint32_t)(distance * scale + 0.5f));
            }
        }
    }
}

int thg_block_run(thg_block *block)
{
    return thg_block_run_until(block, -1);
}

int thg_block_run_until(thg_block *block, int last)
{
    const int offset[4] = {1, block->stride, -1, -block->stride};
    int taken = 0;
    while (block->waiting > 0) {
        while (block->head[block->lowest] == 0) {
            block->lowest++;
        }
        int index = block->head[block->lowest];
        take_out(block, index);
        taken++;
        if (index == last) {
            break;
        }
        uint32_t here = block->cost[index];
        for (int i = 0; i < 4; i++) {
            int to = index + offset[i];
            if (block->price[to] != 0 && block->cost[to] > here) {
                thg_block_update(block, to);
            }
        }
    }
    return taken;
}
