#include "core/heap.h"

static thg_heap_place *place_of(const thg_heap *heap, uint32_t item)
{
    return (thg_heap_place *)((unsigned char *)heap->places + item * heap->size);
}

static bool goes_before(const thg_heap *heap, uint32_t a, uint32_t b)
{
    uint64_t key_a = place_of(heap, a)->key;
    uint64_t key_b = place_of(heap, b)->key;
    return key_a != key_b ? key_a < key_b : a < b;
}

static void set(thg_heap *heap, uint32_t at, uint32_t item)
{
    heap->items[at] = item;
    place_of(heap, item)->at = at;
}

bool thg_heap_offer(thg_heap *heap, uint32_t item, uint64_t key)
{
    thg_heap_place *place = place_of(heap, item);
    if (place->at != 0 && key >= place->key) {
        return false;
    }
    uint32_t at = place->at != 0 ? place->at : ++heap->count;
    place->key = key;
    for (; at > 1 && goes_before(heap, item, heap->items[at / 2]); at /= 2) {
        set(heap, at, heap->items[at / 2]);
    }
    set(heap, at, item);
    return true;
}

uint32_t thg_heap_take(thg_heap *heap)
{
    uint32_t first = heap->items[1];
    uint32_t last = heap->items[heap->count--];
    place_of(heap, first)->at = 0;
    if (heap->count == 0) {
        return first;
    }
    uint32_t at = 1;
    for (uint32_t child = 2; child <= heap->count; child = 2 * at) {
        if (child < heap->count && goes_before(heap, heap->items[child + 1], heap->items[child])) {
            child++;
        }
        if (!goes_before(heap, heap->items[child], last)) {
            break;
        }
        set(heap, at, heap->items[child]);
        at = child;
    }
    set(heap, at, last);
    return first;
}

void thg_heap_clear(thg_heap *heap)
{
    for (uint32_t i = 1; i <= heap->count; i++) {
        place_of(heap, heap->items[i])->at = 0;
    }
    heap->count = 0;
}
