/// Who is where: agents sorted by bin, and by slot within a bin, all columns moved along.
///
/// A counting sort (Green 2010; Hoetzlein 2014). The order within a bin is by slot, whatever the
/// order before, so the sums that neighbours give do not depend on history. Rows of one bin row are
/// next to each other, so a neighbourhood of 3 x 3 bins is three ranges. When nobody has left its
/// bin, nothing is moved.
#include "crowd/planet.h"
#include <math.h>
#include <string.h>

#define MAX_BINS (1 << 22)

// ---- The levels -------------------------------------------------------------------------------

/// The bins of the profiles as wanted, before they are the crowd's.
typedef struct bin_plan {
    thg_level levels[THG_MAX_LEVELS];
    int level_count, count;
    int level_of[THRONG_MAX_PROFILES];
} bin_plan;

/// Profiles from small to large share a level while the largest is at most twice the smallest.
static void divide_into_levels(const throng_crowd *crowd, bin_plan *plan)
{
    float below = 0.0f; // radii up to here have their level
    for (;;) {
        float least = INFINITY;
        for (int i = 0; i < crowd->profile_count; i++) {
            float radius = crowd->wanted[i].radius;
            least = radius > below && radius < least ? radius : least;
        }
        if (least == INFINITY) {
            return;
        }
        // From 0.05 to 10 m there are eight doublings; the last level takes what is left.
        bool last = plan->level_count == THG_MAX_LEVELS - 1;
        below = last ? INFINITY : 2.0f * least;
        thg_level *level = &plan->levels[plan->level_count];
        for (int i = 0; i < crowd->profile_count; i++) {
            float radius = crowd->wanted[i].radius;
            if (radius >= least && radius <= below) {
                plan->level_of[i] = plan->level_count;
                level->radius = radius > level->radius ? radius : level->radius;
            }
        }
        plan->level_count++;
    }
}

/// As small as contacts allow. Who walks as the gap alone allows (following below 1) must see the
/// gap that frees him, two bins on, as far as twice that size goes.
static float wanted_size(const throng_crowd *crowd, const bin_plan *plan, int level)
{
    float move = thg_profiles_substep_move(crowd);
    float least = 2.0f * (plan->levels[level].radius + move), gap = 0.0f;
    for (int i = 0; i < crowd->profile_count; i++) {
        const throng_profile_def *def = &crowd->wanted[i];
        if (plan->level_of[i] == level && def->following < 1.0f) {
            float free = def->speed * def->headway + 2.0f * def->radius;
            gap = free > gap ? free : gap;
        }
    }
    return thg_clamp(0.5f * gap, least, 2.0f * least);
}

static double lay_level(thg_level *level, const throng_map *map, float size)
{
    if (map->planet != NULL) {
        return thg_planet_lay_level(level, map->planet, size);
    }
    float width = (float)map->width * map->cell_size, height = (float)map->height * map->cell_size;
    level->size = size;
    level->inverse_size = 1.0f / size;
    level->sight = size;
    if ((double)(width / size) * (double)(height / size) > (double)MAX_BINS) {
        return (double)MAX_BINS * 2.0;
    }
    level->width = (int)(width / size) + 1 + 2 * THG_BIN_RING;
    level->height = (int)(height / size) + 1 + 2 * THG_BIN_RING;
    return (double)level->width * (double)level->height;
}

static bin_plan plan_bins(const throng_crowd *crowd)
{
    bin_plan plan = {0};
    divide_into_levels(crowd, &plan);
    // As small as contacts allow, and coarser where the map would need too many.
    for (float coarser = 1.0f;; coarser *= 1.25f) {
        double count = 0.0;
        for (int i = 0; i < plan.level_count; i++) {
            thg_level *level = &plan.levels[i];
            level->first = (uint32_t)(count < (double)MAX_BINS ? count : (double)MAX_BINS);
            count += lay_level(level, crowd->map, wanted_size(crowd, &plan, i) * coarser);
            level->end = (uint32_t)(count < (double)MAX_BINS ? count : (double)MAX_BINS);
        }
        if (count <= (double)MAX_BINS) {
            plan.count = (int)count;
            return plan;
        }
    }
}

throng_result thg_bins_reserve(throng_crowd *crowd)
{
    thg_bins *bins = &crowd->bins;
    int count = plan_bins(crowd).count;
    if (count <= bins->capacity) {
        return THRONG_OK;
    }
    uint32_t *start = thg_allocate((size_t)count + 1, sizeof *start);
    uint8_t *crush = thg_allocate((size_t)count, sizeof *crush);
    if (start == NULL || crush == NULL) {
        thg_release(start, (size_t)count + 1, sizeof *start);
        thg_release(crush, (size_t)count, sizeof *crush);
        return THRONG_NO_MEMORY;
    }
    thg_bins_release(bins); // the next substep fills both anew
    bins->start = start;
    bins->crush = crush;
    bins->capacity = count;
    bins->known = false;
    return THRONG_OK;
}

void thg_bins_release(thg_bins *bins)
{
    thg_release(bins->start, (size_t)bins->capacity + 1, sizeof *bins->start);
    thg_release(bins->crush, (size_t)bins->capacity, sizeof *bins->crush);
}

void thg_bins_lay(throng_crowd *crowd)
{
    bin_plan plan = plan_bins(crowd);
    memcpy(crowd->bins.levels, plan.levels, sizeof plan.levels);
    crowd->bins.level_count = plan.level_count;
    crowd->bins.count = plan.count;
    crowd->bins.known = false;
    for (int i = 0; i < crowd->profile_count; i++) {
        crowd->profiles[i].level = plan.level_of[i];
    }
}

// ---- The sort ---------------------------------------------------------------------------------

static inline void find_bins_on(throng_crowd *crowd, const throng_planet *planet, int first,
                                int end, int block)
{
    const throng_vec2 origin = crowd->map->origin;
    const uint32_t *slot = crowd->columns.slot;
    bool sorted = true, same = true;
    uint32_t awake = 0;
    if (crowd->bins.rest[block] != THG_REST_NONE) {
        return; // it stays sorted, the same and asleep
    }
    for (int row = first; row < end; row++) {
        const thg_level *level =
            &crowd->bins.levels[crowd->profiles[crowd->columns.profile[row]].level];
        int x = thg_bin_along(crowd->columns.x[row] - origin.x, level->inverse_size, level->width);
        int y = thg_bin_along(crowd->columns.y[row] - origin.y, level->inverse_size, level->height);
        uint32_t bin = level->first + (uint32_t)(y * level->width + x);
        if (planet != NULL) {
            bin = thg_planet_bin(planet, level, crowd->columns.x[row], crowd->columns.y[row]);
        }
        same = same && crowd->derived.bin[row] == bin;
        crowd->derived.bin[row] = bin;
        awake += !thg_row_is_still(crowd, row);
        if (row > first) {
            uint32_t before = crowd->derived.bin[row - 1];
            sorted = sorted && (before < bin || (before == bin && slot[row - 1] < slot[row]));
        }
    }
    crowd->bins.sorted[block] = sorted;
    crowd->bins.same[block] = same;
    crowd->bins.wakeful[block] = awake;
}

static void find_bins(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    if (crowd->map->planet != NULL) {
        find_bins_on(crowd, crowd->map->planet, first, end, block);
    } else {
        find_bins_on(crowd, NULL, first, end, block);
    }
}

/// True when each row is in the bin where it was at the last look.
static bool all_stayed(const throng_crowd *crowd)
{
    bool same = crowd->bins.known;
    for (int row = 0; row < crowd->agent_count && same; row += THG_ROW_BLOCK) {
        same = crowd->bins.same[row / THG_ROW_BLOCK];
    }
    return same;
}

static bool rows_are_sorted(const throng_crowd *crowd)
{
    const uint32_t *bin = crowd->derived.bin, *slot = crowd->columns.slot;
    for (int row = 0; row < crowd->agent_count; row += THG_ROW_BLOCK) {
        bool joins = row == 0 || bin[row - 1] < bin[row] ||
                     (bin[row - 1] == bin[row] && slot[row - 1] < slot[row]);
        if (!joins || !crowd->bins.sorted[row / THG_ROW_BLOCK]) {
            return false;
        }
    }
    return true;
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

static void order_bins(void *context, int first_bin, int end_bin, int block)
{
    throng_crowd *crowd = context;
    const uint32_t *slot = crowd->columns.slot;
    thg_bins *bins = &crowd->bins;
    (void)block;
    for (int bin = first_bin; bin < end_bin; bin++) {
        uint32_t first = bins->start[bin], end = bins->start[bin + 1];
        if (end - first > 64) {
            // next_x is free until the contacts: as good a scratch as any, row for row.
            merge_bin(slot, bins->order + first, (uint32_t *)(void *)crowd->derived.next_x + first,
                      end - first);
        } else if (end - first > 1) {
            order_bin(slot, bins->order, first, end);
        }
    }
}

static void move_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    (void)block;
#define THG_COLUMN(type, name)                                                                     \
    for (int row = first; row < end; row++) {                                                      \
        crowd->spare.name[row] = crowd->columns.name[crowd->bins.order[row]];                      \
    }
#include "crowd/columns.inc"
#undef THG_COLUMN
}

/// Finds where each bin's rows start; with `order` also which row goes where.
static void count_rows(throng_crowd *crowd, bool order)
{
    thg_bins *bins = &crowd->bins;
    const uint32_t *bin_of = crowd->derived.bin;
    int count = crowd->agent_count;
    memset(bins->start, 0, ((size_t)bins->count + 1) * sizeof *bins->start);
    for (int row = 0; row < count; row++) {
        bins->start[bin_of[row]]++;
    }
    uint32_t sum = 0;
    for (int bin = 0; bin <= bins->count; bin++) {
        uint32_t here = bins->start[bin];
        bins->start[bin] = sum;
        sum += here;
    }
    if (order) {
        for (int row = 0; row < count; row++) {
            bins->order[bins->start[bin_of[row]]++] = (uint32_t)row;
        }
        // Each start has moved on to the end of its bin: move them back by one place.
        memmove(bins->start + 1, bins->start, (size_t)bins->count * sizeof *bins->start);
        bins->start[0] = 0;
    }
}

/// Counts the awake among the rows of a block, from `count` on.
static uint32_t count_awake_in(throng_crowd *crowd, int first, int end, uint32_t count)
{
    thg_bins *bins = &crowd->bins;
    int block = first / THG_ROW_BLOCK;
    bool asleep = bins->rest[block] != THG_REST_NONE;
    if (asleep && bins->awake_from[block] == count) {
        return count; // as it was
    }
    bins->awake_from[block] = count;
    for (int row = first; row < end; row++) {
        bins->awake[row] = count;
        count += !asleep && !thg_row_is_still(crowd, row);
    }
    return count;
}

/// Counts who is awake, so that a range says at once whether anybody in it is; and who rests.
static void count_awake(throng_crowd *crowd)
{
    thg_bins *bins = &crowd->bins;
    uint32_t all = 0, count = 0;
    for (size_t block = 0; block < thg_row_blocks(crowd->agent_count); block++) {
        all += bins->wakeful[block];
    }
    bins->sleepers = all < (uint32_t)crowd->agent_count;
    bins->tell_quiet = bins->sleepers && crowd->derived.spots == NULL;
    for (int first = 0; first < crowd->agent_count && bins->sleepers; first += THG_ROW_BLOCK) {
        int end = thg_min_int(first + THG_ROW_BLOCK, crowd->agent_count);
        count = count_awake_in(crowd, first, end, count);
    }
    bins->awake[crowd->agent_count] = count;
    thg_rest_find(crowd);
}

static void derive_rows(void *context, int first, int end, int block)
{
    if (!thg_block_rests(context, block)) {
        thg_agents_derive(context, first, end);
    }
}

static void finish_rows(void *context, int first, int end, int block)
{
    find_bins(context, first, end, block);
    thg_agents_derive(context, first, end);
}

static void sort_rows(throng_crowd *crowd)
{
    int count = crowd->agent_count;
    crowd->bins.turn += THG_MOST_PASSES + 1;
    if (!crowd->bins.known) {
        thg_rest_forget(crowd);
    }
    thg_parallel_for(crowd->jobs, count, THG_ROW_BLOCK, find_bins, crowd);
    if (rows_are_sorted(crowd)) {
        if (!all_stayed(crowd)) {
            count_rows(crowd, false);
        }
        crowd->bins.known = true;
        count_awake(crowd);
        thg_parallel_for(crowd->jobs, count, THG_ROW_BLOCK, derive_rows, crowd);
        return;
    }
    count_rows(crowd, true);
    thg_parallel_for(crowd->jobs, crowd->bins.count, THG_BIN_BLOCK, order_bins, crowd);
    thg_parallel_for(crowd->jobs, count, THG_ROW_BLOCK, move_rows, crowd);
    thg_columns sorted = crowd->spare;
    crowd->spare = crowd->columns;
    crowd->columns = sorted;
    crowd->rows_moved = true;
    crowd->bins.known = true;
    thg_rest_forget(crowd);
    thg_parallel_for(crowd->jobs, count, THG_ROW_BLOCK, finish_rows, crowd);
    count_awake(crowd);
}

void thg_stage_bins_run(thg_step *step)
{
    sort_rows(step->crowd);
    if (step->crowd->derived.spots != NULL) {
        thg_spots_refresh(step->crowd);
    }
}
