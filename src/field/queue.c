/// The bucket queue: cells by cost, in lists of chunks from a fixed pool.
///
/// Why it cannot overflow: a cell is pushed only into a bucket where it is not yet, so live entries
/// never outnumber cells. When chunks run out, stale entries are dropped and chunks refilled to the
/// brim; then at most cells / 31 + buckets chunks are in use, and the pool (3 words a cell) holds
/// that and a third more as long as there are at most cells / 32 buckets, which the reset sees to.
/// Fewer buckets only make them wider: an integration that re-inserts stays exact.
#include "field/solver.h"
#include <string.h>

void thg_queue_reset(thg_solver *solver, uint32_t width, uint64_t range)
{
    thg_queue *queue = &solver->queue;
    uint32_t shift = 0;
    while (shift < 31 && (2u << shift) <= width) {
        shift++;
    }
    while ((range >> shift) + 3 > queue->limit) {
        shift++;
    }
    uint32_t count = 4;
    while (count < (range >> shift) + 3) {
        count *= 2;
    }
    queue->shift = shift;
    queue->mask = count - 1;
    queue->current = 0;
    queue->entry_count = 0;
    queue->free_chunk = 0;
    queue->fresh_chunk = 1;
    memset(queue->head, 0, count * sizeof *queue->head);
    memset(queue->fill, 0, count * sizeof *queue->fill);
}

static uint32_t *chunk_at(thg_queue *queue, uint32_t chunk)
{
    return queue->words + (size_t)chunk * THG_CHUNK;
}

static void chunk_release(thg_queue *queue, uint32_t chunk)
{
    *chunk_at(queue, chunk) = queue->free_chunk;
    queue->free_chunk = chunk;
}

/// Drops what is stale in one bucket and packs the rest. Reads ahead of where it writes, so that it
/// needs no chunk of its own.
static void bucket_compact(thg_solver *solver, uint32_t slot)
{
    thg_queue *queue = &solver->queue;
    uint32_t read = queue->head[slot];
    uint32_t read_fill = queue->fill[slot];
    uint32_t write = 0;
    uint32_t write_fill = 0;
    while (read != 0) {
        uint32_t *from = chunk_at(queue, read);
        uint32_t next = from[0];
        uint32_t kept[THG_PER_CHUNK];
        uint32_t kept_count = 0;
        for (uint32_t i = 1; i <= read_fill; i++) {
            uint32_t cell = from[i];
            bool live = solver->mark[cell] != 0 &&
                        ((solver->back.cost[cell] >> queue->shift) & queue->mask) == slot;
            kept[kept_count] = cell;
            kept_count += live;
        }
        queue->entry_count -= read_fill - kept_count;
        chunk_release(queue, read);
        for (uint32_t i = 0; i < kept_count; i++) {
            if (write == 0 || write_fill == THG_PER_CHUNK) {
                uint32_t chunk = queue->free_chunk;
                queue->free_chunk = *chunk_at(queue, chunk);
                *chunk_at(queue, chunk) = write;
                write = chunk;
                write_fill = 0;
            }
            chunk_at(queue, write)[++write_fill] = kept[i];
        }
        read = next;
        read_fill = THG_PER_CHUNK;
    }
    queue->head[slot] = write;
    queue->fill[slot] = write_fill;
}

static uint32_t chunk_take(thg_solver *solver)
{
    thg_queue *queue = &solver->queue;
    if (queue->free_chunk == 0 && queue->fresh_chunk == queue->chunk_count) {
        for (uint32_t slot = 0; slot <= queue->mask; slot++) {
            bucket_compact(solver, slot);
        }
    }
    if (queue->free_chunk != 0) {
        uint32_t chunk = queue->free_chunk;
        queue->free_chunk = *chunk_at(queue, chunk);
        return chunk;
    }
    THRONG_ASSERT(queue->fresh_chunk < queue->chunk_count);
    return queue->fresh_chunk++;
}

void thg_queue_grow(thg_solver *solver, uint32_t cell, uint32_t slot)
{
    thg_queue *queue = &solver->queue;
    // Taking may compact this very bucket, so its head is read afterwards; and the cell's old entry
    // must look stale to that.
    solver->mark[cell] = 0;
    uint32_t chunk = chunk_take(solver);
    if (queue->head[slot] != 0 && queue->fill[slot] < THG_PER_CHUNK) {
        chunk_release(queue, chunk);
        return;
    }
    *chunk_at(queue, chunk) = queue->head[slot];
    queue->head[slot] = chunk;
    queue->fill[slot] = 0;
}
