/// Dijkstra as a textbook has it: a binary heap of (cost, cell) pairs that grows like a vector,
/// stale pairs skipped when they come up, neighbours checked against the grid.
#include "textbook.h"
#include <stdlib.h>

typedef struct node {
    uint32_t cost;
    int cell;
} node;

typedef struct node_heap {
    node *nodes;
    int count, capacity;
} node_heap;

static bool push(node_heap *heap, uint32_t cost, int cell)
{
    if (heap->count == heap->capacity) {
        int capacity = heap->capacity > 0 ? heap->capacity * 2 : 64;
        node *nodes = realloc(heap->nodes, (size_t)capacity * sizeof *nodes);
        if (nodes == NULL) {
            return false;
        }
        heap->nodes = nodes;
        heap->capacity = capacity;
    }
    node *nodes = heap->nodes;
    int at = heap->count++;
    nodes[at].cost = cost;
    nodes[at].cell = cell;
    while (at > 0 && nodes[at].cost < nodes[(at - 1) / 2].cost) {
        node swap = nodes[at];
        nodes[at] = nodes[(at - 1) / 2];
        nodes[(at - 1) / 2] = swap;
        at = (at - 1) / 2;
    }
    return true;
}

static node pop(node_heap *heap)
{
    node *nodes = heap->nodes;
    node top = nodes[0];
    nodes[0] = nodes[--heap->count];
    int at = 0;
    for (;;) {
        int least = at;
        for (int child = 2 * at + 1; child <= 2 * at + 2 && child < heap->count; child++) {
            least = nodes[child].cost < nodes[least].cost ? child : least;
        }
        if (least == at) {
            return top;
        }
        node swap = nodes[at];
        nodes[at] = nodes[least];
        nodes[least] = swap;
        at = least;
    }
}

bool textbook_dijkstra(const uint16_t *price, int width, int height, int start, uint32_t *cost)
{
    static const int step_x[8] = {1, 0, -1, 0, 1, -1, -1, 1};
    static const int step_y[8] = {0, 1, 0, -1, 1, 1, -1, -1};
    node_heap heap = {NULL, 0, 0};
    for (int i = 0; i < width * height; i++) {
        cost[i] = UINT32_MAX;
    }
    cost[start] = 0;
    bool fine = push(&heap, 0, start);
    while (fine && heap.count > 0) {
        node here = pop(&heap);
        if (here.cost > cost[here.cell]) {
            continue;
        }
        int x = here.cell % width;
        int y = here.cell / width;
        for (int i = 0; i < 8; i++) {
            int to_x = x + step_x[i];
            int to_y = y + step_y[i];
            if (to_x < 0 || to_y < 0 || to_x >= width || to_y >= height) {
                continue;
            }
            int to = to_y * width + to_x;
            bool cuts = i >= 4 && (price[y * width + to_x] == 0 || price[to_y * width + x] == 0);
            if (price[to] == 0 || cuts) {
                continue;
            }
            uint32_t length = i < 4 ? 13860 : 19601;
            uint32_t after = here.cost + (((uint32_t)price[here.cell] + price[to]) * length >> 7);
            if (after < cost[to]) {
                cost[to] = after;
                fine = fine && push(&heap, after, to);
            }
        }
    }
    free(heap.nodes);
    return fine;
}
