/// Who is where: agents sorted by bin, and by slot within a bin, all columns moved along.
///
/// A counting sort (Green 2010; Hoetzlein 2014). The order within a bin is by slot, whatever the
/// order before, so the sums that neighbours give do not depend on history. Rows of one bin row are
/// next to each other, so a neighbourhood of 3 x 3 bins is three ranges.
#include "crowd/crowd.h"
#include <math.h>
#include <string.h>

static int bin_along(float position, float origin, float scale, int count)
{
    float at = (position - origin) * scale;
    int bin = at > 0.0f ? (int)at : 0;
    return THG_BIN_RING + thg_min_int(bin, count - 2 * THG_BIN_RING - 1);
}

static void find_bins(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    const thg_bins *bins = &crowd->bins;
    const throng_vec2 origin = crowd->map->origin;
    (void)block;
    for (int row = first; row < end; row++) {
        int x = bin_along(crowd->columns.x[row], origin.x, bins->inverse_size, bins->width);
        int y = bin_along(crowd->columns.y[row], origin.y, bins->inverse_size, bins->height);
        crowd->derived.bin[row] = (uint32_t)(y * bins->width + x);
    }
}

/// Within a bin rows come by slot; nearly always they are in order already.
static void order_bin(const uint32_t *slot, uint32_t *order, uint32_t first, uint32_t end)
{
    for (uint32_t i = first + 1; i < end; i++) {
        uint32_t row = order[i], j = i;
        while (j > first && slot[order[j - 1]] > slot[row]) {
            order[j] = order[j - 1];
            j--;
        }
        order[j] = row;
    }
}

/// A pile of thousands in one bin would make insertion quadratic: sort by merging instead.
static void merge_bin(const uint32_t *slot, uint32_t *order, uint32_t *scratch, uint32_t count)
{
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t low = 0; low < count; low += 2 * width) {
            uint32_t middle = low + width < count ? low + width : count;
            uint32_t high = low + 2 * width < count ? low + 2 * width : count;
            uint32_t a = low, b = middle;
            for (uint32_t i = low; i < high; i++) {
                bool left = a < middle && (b >= high || slot[order[a]] <= slot[order[b]]);
                scratch[i] = left ? order[a++] : order[b++];
            }
        }
        memcpy(order, scratch, count * sizeof *order);
    }
}

static void order_bins(throng_crowd *crowd)
{
    const uint32_t *slot = crowd->columns.slot;
    thg_bins *bins = &crowd->bins;
    for (int bin = 0; bin < bins->count; bin++) {
        uint32_t first = bins->start[bin], end = bins->start[bin + 1];
        if (end - first > 64) {
            // next_x is free until the contacts: as good a scratch as any, row for row.
            merge_bin(slot, bins->order + first, (uint32_t *)(void *)crowd->derived.next_x,
                      end - first);
        } else if (end - first > 1) {
            order_bin(slot, bins->order, first, end);
        }
    }
}

static void move_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    const uint32_t *order = crowd->bins.order;
    (void)block;
#define THG_COLUMN(type, name)                                                                     \
    for (int row = first; row < end; row++) {                                                      \
        crowd->spare.name[row] = crowd->columns.name[order[row]];                                  \
    }
#include "crowd/columns.inc"
#undef THG_COLUMN
}

static void finish_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    (void)block;
    thg_agents_derive(crowd, first, end);
    find_bins(context, first, end, block);
}

void thg_stage_bins_run(thg_step *step)
{
    throng_crowd *crowd = step->crowd;
    thg_bins *bins = &crowd->bins;
    int count = crowd->agent_count;
    thg_parallel_for(crowd->jobs, count, THG_ROW_BLOCK, find_bins, crowd);

    memset(bins->start, 0, ((size_t)bins->count + 1) * sizeof *bins->start);
    for (int row = 0; row < count; row++) {
        bins->start[crowd->derived.bin[row]]++;
    }
    uint32_t sum = 0;
    for (int bin = 0; bin <= bins->count; bin++) {
        uint32_t here = bins->start[bin];
        bins->start[bin] = sum;
        sum += here;
    }
    for (int row = 0; row < count; row++) {
        bins->order[bins->start[crowd->derived.bin[row]]++] = (uint32_t)row;
    }
    // Each start has moved on to the end of its bin: move them back by one place.
    memmove(bins->start + 1, bins->start, (size_t)bins->count * sizeof *bins->start);
    bins->start[0] = 0;
    order_bins(crowd);

    thg_parallel_for(crowd->jobs, count, THG_ROW_BLOCK, move_rows, crowd);
    thg_columns sorted = crowd->spare;
    crowd->spare = crowd->columns;
    crowd->columns = sorted;
    thg_parallel_for(crowd->jobs, count, THG_ROW_BLOCK, finish_rows, crowd);
}
