/// Sorting in place: heapsort (Williams, 1964). It takes no memory, and no input makes it slow.
#include "core/core.h"
#include <string.h>

#define MOST_BYTES 16

typedef struct sorting {
    unsigned char *items;
    size_t size;
    thg_order *order;
} sorting;

static bool before(const sorting *sorted, size_t a, size_t b)
{
    return sorted->order(sorted->items + a * sorted->size, sorted->items + b * sorted->size) < 0;
}

static void swap(const sorting *sorted, size_t a, size_t b)
{
    unsigned char kept[MOST_BYTES];
    memcpy(kept, sorted->items + a * sorted->size, sorted->size);
    memcpy(sorted->items + a * sorted->size, sorted->items + b * sorted->size, sorted->size);
    memcpy(sorted->items + b * sorted->size, kept, sorted->size);
}

/// Lets an item sink in a heap of `count`, until none below comes later.
static void sift(const sorting *sorted, size_t at, size_t count)
{
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && before(sorted, child, child + 1)) {
            child++;
        }
        if (!before(sorted, at, child)) {
            return;
        }
        swap(sorted, at, child);
        at = child;
    }
}

void thg_sort(void *items, size_t count, size_t size, thg_order *order)
{
    const sorting sorted = {items, size, order};
    THRONG_ASSERT(size <= MOST_BYTES);
    for (size_t i = count / 2; i > 0; i--) {
        sift(&sorted, i - 1, count);
    }
    for (size_t end = count; end > 1; end--) {
        swap(&sorted, 0, end - 1);
        sift(&sorted, 0, end - 1);
    }
}
