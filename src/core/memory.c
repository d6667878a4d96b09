/// Memory: one pair of hooks, and exact counts of what went through it.
///
/// Every request is rounded up to whole cache lines before the hooks see it, so that a lane may be
/// loaded past the end of an array, and the same rounding is done at release: hooks get the size
/// back that they gave. The counters are atomic for hosts that step crowds on several threads.
#include "core/core.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SIZE ((size_t)64)

static void *allocate_by_default(size_t size, void *context)
{
    (void)context;
    return aligned_alloc(LINE_SIZE, size);
}

static void release_by_default(void *memory, size_t size, void *context)
{
    (void)size;
    (void)context;
    free(memory);
}

static const throng_memory_hooks default_hooks = {allocate_by_default, release_by_default, NULL};
static throng_memory_hooks hooks = {allocate_by_default, release_by_default, NULL};
static atomic_size_t live_bytes;
static _Atomic uint64_t allocation_count;

/// count * size in whole lines, at least one; 0 when that is more than an object may have.
static size_t rounded_size(size_t count, size_t size)
{
    if (size != 0 && count > ((size_t)PTRDIFF_MAX - LINE_SIZE) / size) {
        return 0;
    }
    size_t lines = (count * size + LINE_SIZE - 1) / LINE_SIZE;
    return (lines == 0 ? 1 : lines) * LINE_SIZE;
}

void throng_set_memory_hooks(const throng_memory_hooks *new_hooks)
{
    if (new_hooks == NULL) {
        hooks = default_hooks;
        return;
    }
    THRONG_ASSERT(new_hooks->allocate != NULL && new_hooks->release != NULL);
    hooks = *new_hooks;
}

size_t throng_live_bytes(void)
{
    return atomic_load_explicit(&live_bytes, memory_order_relaxed);
}

uint64_t throng_allocation_count(void)
{
    return atomic_load_explicit(&allocation_count, memory_order_relaxed);
}

void *thg_allocate(size_t count, size_t size)
{
    size_t bytes = rounded_size(count, size);
    if (bytes == 0) {
        return NULL;
    }
    void *memory = hooks.allocate(bytes, hooks.context);
    if (memory == NULL) {
        return NULL;
    }
    THRONG_ASSERT((uintptr_t)memory % LINE_SIZE == 0);
    memset(memory, 0, bytes);
    atomic_fetch_add_explicit(&live_bytes, bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&allocation_count, 1, memory_order_relaxed);
    return memory;
}

void thg_release(void *memory, size_t count, size_t size)
{
    if (memory == NULL) {
        return;
    }
    size_t bytes = rounded_size(count, size);
    atomic_fetch_sub_explicit(&live_bytes, bytes, memory_order_relaxed);
    hooks.release(memory, bytes, hooks.context);
}
