/// A priority queue of numbered items, whose keys may fall while they wait: a binary heap that
/// knows where each item is. Items have their place in a member of their own, anywhere in an array
/// of structs. Of equal keys the lower number goes first, so the order follows from the items.
#ifndef THG_HEAP_H
#define THG_HEAP_H

#include "core/core.h"

typedef struct thg_heap_place {
    uint64_t key;
    uint32_t at; ///< in the heap, from 1; 0: not in it
} thg_heap_place;

typedef struct thg_heap {
    uint32_t *items; ///< [most + 1], from 1; owned by who made the heap
    uint32_t count;
    void *places; ///< that of item 0
    size_t size;  ///< bytes from one item's place to the next one's
} thg_heap;

/// Puts an item in with a key, or lowers its key. False where it waits with one as low. O(log n)
bool thg_heap_offer(thg_heap *heap, uint32_t item, uint64_t key);

/// Takes out the item with the lowest key; there must be one. O(log n)
uint32_t thg_heap_take(thg_heap *heap);

/// Takes out all. O(n)
void thg_heap_clear(thg_heap *heap);

#endif
