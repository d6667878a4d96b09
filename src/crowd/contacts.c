/// Push apart: position-based relaxation of overlaps (Weiss et al. 2017), Jacobi, so that no order
/// of agents shows. Each agent takes the mean of its pushes, a little over-relaxed and capped;
/// walls come last in every pass, so that they always win. The first passes are for all; while
/// anybody is deep in another, further ones are made for those around, up to a limit that is
/// flagged.
#include "crowd/planet.h"
#include <math.h>
#include <string.h>

// ---- One pass ---------------------------------------------------------------------------------

/// Keeps what a substep's passes move a row, all together, within the cap.
static void cap_push(const throng_crowd *crowd, int row, float cap, float *push_x, float *push_y)
{
    throng_vec2 back =
        thg_seen_from(crowd, row, crowd->derived.placed_x[row], crowd->derived.placed_y[row]);
    float before_x = -back.x, before_y = -back.y;
    float all_x = before_x + *push_x, all_y = before_y + *push_y;
    thg_limit_length(&all_x, &all_y, cap);
    *push_x = all_x - before_x;
    *push_y = all_y - before_y;
}

/// Moves a row by a push. True when a wall has taken most of it.
static inline bool shift_is_pinned(const throng_crowd *crowd, int row, const thg_profile *profile,
                                   const thg_layer *layer, float push_x, float push_y, float *x,
                                   float *y)
{
    if (crowd->derived.spots != NULL) {
        if (thg_planet_shift_from(&crowd->derived.spots[row], crowd->map, layer, profile, push_x,
                                  push_y, x, y)) {
            return false;
        }
        throng_vec2 moved = thg_planet_seen_from(crowd, row, *x, *y);
        return thg_is_pinned(push_x, push_y, moved.x, moved.y);
    }
    float from_x = *x, from_y = *y;
    thg_walls_shift(crowd->map, layer, profile, push_x, push_y, x, y);
    return thg_is_pinned(push_x, push_y, *x - from_x, *y - from_y);
}

/// Moves a row by what those do that touch it.
static void push_row(throng_crowd *crowd, const thg_rows *rows, int row,
                     const thg_contact_result *contact)
{
    float x = rows->x[row], y = rows->y[row], yield = rows->yield[row];
    float scale = THG_OVER_RELAX / (contact->count + (THG_OVER_RELAX - 1.0f));
    float push_x = contact->push_x * scale, push_y = contact->push_y * scale;
    thg_limit_length(&push_x, &push_y, THG_MOST_PUSH * rows->radius[row]);
    if (thg_row_is_still(crowd, row)) {
        float felt = THG_WAKING_PUSH * rows->radius[row];
        bool sleeps = push_x * push_x + push_y * push_y < felt * felt;
        push_x = sleeps ? 0.0f : push_x;
        push_y = sleeps ? 0.0f : push_y;
        crowd->columns.quiet[row] = sleeps ? THG_ASLEEP : 0;
    }
    const thg_profile *profile = &crowd->profiles[crowd->columns.profile[row]];
    if (profile->def.push_cap > 0.0f) {
        cap_push(crowd, row, profile->def.push_cap, &push_x, &push_y);
    }
    const thg_layer *layer = &crowd->map->layers[profile->def.class_index];
    // Who is pinned by a wall yields no more, so that the others do.
    if (shift_is_pinned(crowd, row, profile, layer, push_x, push_y, &x, &y)) {
        float pinned = profile->yield * THG_PINNED_YIELD;
        yield = pinned < yield ? pinned : yield;
    }
    crowd->derived.depth[row] = contact->deepest;
    crowd->derived.next_x[row] = x;
    crowd->derived.next_y[row] = y;
    crowd->derived.next_yield[row] = yield;
}

/// Rows that nobody pushes, as far as is known.
static void keep_rows(throng_crowd *crowd, int first, int count)
{
    size_t size = (size_t)count * sizeof(float);
    memcpy(crowd->derived.next_x + first, crowd->columns.x + first, size);
    memcpy(crowd->derived.next_y + first, crowd->columns.y + first, size);
    memcpy(crowd->derived.next_yield + first, crowd->derived.yield + first, size);
    memset(crowd->derived.depth + first, 0, size);
}

static void touch(const throng_crowd *crowd, const thg_rows *rows, int row,
                  const thg_ranges *ranges, thg_contact_result *contact)
{
    if (crowd->asks_who) {
        crowd->kernels->contact_who(rows, row, ranges, contact);
    } else {
        crowd->kernels->contact(rows, row, ranges, contact);
    }
}

/// A row by itself: where kernels ask who is who, or very many touch. Returns its depth.
static float relax_row(throng_crowd *crowd, const thg_rows *rows, const thg_ranges *ranges, int row)
{
    thg_contact_result contact;
    touch(crowd, rows, row, ranges, &contact);
    if (contact.count > 0.0f) {
        push_row(crowd, rows, row, &contact);
    }
    return contact.deepest;
}

/// Pushes the rows of some pairs. Returns the greatest depth.
static float push_pairs(throng_crowd *crowd, const thg_rows *rows, thg_pairs *pairs)
{
    float deepest = 0.0f;
    crowd->kernels->push(rows, pairs);
    pairs->begin[pairs->row_count] = pairs->count;
    for (int i = 0; i < pairs->row_count; i++) {
        int begin = pairs->begin[i];
        thg_contact_result contact;
        thg_pairs_sum(pairs, begin, pairs->begin[i + 1], &contact);
        push_row(crowd, rows, (int)pairs->first[begin], &contact);
        deepest = contact.deepest > deepest ? contact.deepest : deepest;
    }
    pairs->row_count = 0;
    pairs->count = 0;
    return deepest;
}

/// Looks round from a row, and keeps it where it `is_listed`. False where nobody pushes it.
static bool takes_part(throng_crowd *crowd, const thg_rows *rows, int row, bool is_listed,
                       thg_sight *sight)
{
    bool looks = thg_sight_from(crowd, row, false, sight);
    if (is_listed) {
        keep_rows(crowd, row, 1);
    }
    return looks && rows->yield[row] > THG_FIXED_YIELD;
}

/// Rows of a list; without one all rows from `first` to `end`. First it is found who touches whom,
/// then the pairs are gone through many at a time, and nothing waits for the outcome of one.
static void relax_some(throng_crowd *crowd, const uint32_t *list, int first, int end, int block)
{
    const thg_rows rows = thg_rows_of(crowd);
    thg_sight sight = {.bin = thg_sight_nowhere};
    thg_pairs pairs;
    float deepest = 0.0f;
    pairs.count = pairs.row_count = 0;
    if (list == NULL) {
        keep_rows(crowd, first, end - first);
    }
    for (int i = first; i < end; i++) {
        int row = list != NULL ? (int)list[i] : i;
        if (!takes_part(crowd, &rows, row, list != NULL, &sight)) {
            continue;
        }
        int found = THG_FOUND_MOST + 1;
        if (!crowd->asks_who) {
            found = crowd->kernels->find(&rows, row, &sight.ranges, pairs.second + pairs.count);
        }
        if (found > THG_FOUND_MOST) {
            float depth = relax_row(crowd, &rows, &sight.ranges, row);
            deepest = depth > deepest ? depth : deepest;
            continue;
        }
        for (int k = 0; k < THG_FOUND_MOST; k++) {
            pairs.first[pairs.count + k] = (uint32_t)row;
        }
        pairs.begin[pairs.row_count] = pairs.count;
        pairs.row_count += found > 0;
        pairs.count += found;
        if (pairs.count > THG_PAIRS_MOST - THG_FOUND_MOST) {
            float depth = push_pairs(crowd, &rows, &pairs);
            deepest = depth > deepest ? depth : deepest;
        }
    }
    float depth = push_pairs(crowd, &rows, &pairs);
    crowd->block_overlap[block] = depth > deepest ? depth : deepest;
}

/// The same on a planet: each row by itself, among those it sees.
static void relax_some_on_planet(throng_crowd *crowd, const uint32_t *list, int first, int end,
                                 int block)
{
    const thg_rows rows = thg_rows_of(crowd);
    thg_sight sight = {.bin = thg_sight_nowhere};
    thg_local local;
    float deepest = 0.0f;
    thg_local_begin(&local, crowd);
    if (list == NULL) {
        keep_rows(crowd, first, end - first);
    }
    for (int i = first; i < end; i++) {
        int row = list != NULL ? (int)list[i] : i;
        if (!takes_part(crowd, &rows, row, list != NULL, &sight)) {
            continue;
        }
        thg_contact_result contact;
        thg_local_touch(&local, crowd, row, &sight.ranges);
        touch(crowd, &local.rows, 0, &local.ranges, &contact);
        if (contact.count > 0.0f) {
            push_row(crowd, &rows, row, &contact);
            deepest = contact.deepest > deepest ? contact.deepest : deepest;
        }
    }
    crowd->block_overlap[block] = deepest;
}

static void relax_all_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    if (thg_block_rests(crowd, block)) {
        crowd->block_overlap[block] = 0.0f; // and its rows are the same in both buffers
        return;
    }
    if (crowd->derived.spots != NULL) {
        relax_some_on_planet(crowd, NULL, first, end, block);
        return;
    }
    relax_some(crowd, NULL, first, end, block);
}

static void relax_listed_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    if (crowd->derived.spots != NULL) {
        relax_some_on_planet(crowd, crowd->bins.order, first, end, block);
        return;
    }
    relax_some(crowd, crowd->bins.order, first, end, block);
}

static void keep_listed_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    (void)block;
    for (int i = first; i < end; i++) {
        uint32_t row = crowd->bins.order[i];
        crowd->columns.x[row] = crowd->derived.next_x[row];
        crowd->columns.y[row] = crowd->derived.next_y[row];
        crowd->derived.yield[row] = crowd->derived.next_yield[row];
    }
}

static void swap_floats(float **a, float **b)
{
    float *keep = *a;
    *a = *b;
    *b = keep;
}

static float deepest_of(const throng_crowd *crowd, int rows)
{
    float deepest = 0.0f;
    for (int i = 0; i * THG_ROW_BLOCK < rows; i++) {
        deepest = crowd->block_overlap[i] > deepest ? crowd->block_overlap[i] : deepest;
    }
    return deepest;
}

// ---- Where another pass is worth it -----------------------------------------------------------

static void mark_around_on_planet(throng_crowd *crowd, int row, const thg_level *own)
{
    thg_bins *bins = &crowd->bins;
    for (int i = 0; i < bins->level_count; i++) {
        uint32_t first[THG_MAX_RANGES], count[THG_MAX_RANGES];
        thg_window window = thg_planet_window(own, crowd->derived.bin[row], &bins->levels[i],
                                              (float)THG_CRUSH_BINS * own->sight);
        int runs = thg_planet_runs(&bins->levels[i], window, first, count);
        for (int k = 0; k < runs; k++) {
            memset(bins->crush + first[k], 1, count[k]);
        }
    }
}

/// Marks the bins of all levels within THG_CRUSH_BINS bins of a deep row's.
static void mark_around(throng_crowd *crowd, int row)
{
    thg_bins *bins = &crowd->bins;
    const thg_level *own = &bins->levels[crowd->profiles[crowd->columns.profile[row]].level];
    if (crowd->derived.spots != NULL) {
        mark_around_on_planet(crowd, row, own);
        return;
    }
    int bin = (int)(crowd->derived.bin[row] - own->first);
    int column = bin % own->width - THG_BIN_RING, line = bin / own->width - THG_BIN_RING;
    for (int i = 0; i < bins->level_count; i++) {
        const thg_level *level = &bins->levels[i];
        float scale = own->size * level->inverse_size;
        int x0 = thg_bin_along((float)(column - THG_CRUSH_BINS), scale, level->width);
        int x1 = thg_bin_along((float)(column + THG_CRUSH_BINS) + 0.5f, scale, level->width);
        int y0 = thg_bin_along((float)(line - THG_CRUSH_BINS), scale, level->height);
        int y1 = thg_bin_along((float)(line + THG_CRUSH_BINS) + 0.5f, scale, level->height);
        for (int y = y0; y <= y1; y++) {
            memset(bins->crush + level->first + y * level->width + x0, 1, (size_t)(x1 - x0 + 1));
        }
    }
}

/// Marks the surroundings of the deep ones among what the last pass went through: rows of the list,
/// or all of them.
static void mark_deep(throng_crowd *crowd, const uint32_t *list, int rows)
{
    uint32_t marked = UINT32_MAX;
    for (int i = 0; i < rows; i++) {
        if (i % THG_ROW_BLOCK == 0 && crowd->block_overlap[i / THG_ROW_BLOCK] < THG_DEEP) {
            i += THG_ROW_BLOCK - 1;
            continue;
        }
        int row = list != NULL ? (int)list[i] : i;
        if (crowd->derived.depth[row] >= THG_DEEP && crowd->derived.bin[row] != marked) {
            marked = crowd->derived.bin[row];
            mark_around(crowd, row);
        }
    }
}

/// Lists the rows near a deep pair, in order. The last pass, which `listed` rows of the list were
/// in or all (-1), says where those are: who was not in it is not deep.
static int list_crushed_rows(throng_crowd *crowd, int listed)
{
    thg_bins *bins = &crowd->bins;
    memset(bins->crush, 0, (size_t)bins->count);
    mark_deep(crowd, listed < 0 ? NULL : bins->order, listed < 0 ? crowd->agent_count : listed);
    int count = 0;
    for (const uint8_t *next = bins->crush, *end = next + bins->count;
         (next = memchr(next, 1, (size_t)(end - next))) != NULL; next++) {
        for (uint32_t row = bins->start[next - bins->crush];
             row < bins->start[next - bins->crush + 1]; row++) {
            bins->order[count++] = row;
        }
    }
    return count;
}

/// The passes. Returns the greatest depth of the last.
static float relax(throng_crowd *crowd)
{
    float deepest = 0.0f;
    int count = -1;
    for (int pass = 0; pass < THG_MOST_PASSES; pass++) {
        crowd->bins.turn++;
        if (crowd->derived.spots != NULL) {
            thg_spots_refresh(crowd);
        }
        if (pass < THG_LEAST_PASSES) {
            thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK, relax_all_rows, crowd);
            swap_floats(&crowd->columns.x, &crowd->derived.next_x);
            swap_floats(&crowd->columns.y, &crowd->derived.next_y);
            swap_floats(&crowd->derived.yield, &crowd->derived.next_yield);
            deepest = deepest_of(crowd, crowd->agent_count);
        } else {
            count = list_crushed_rows(crowd, count);
            thg_parallel_for(crowd->jobs, count, THG_ROW_BLOCK, relax_listed_rows, crowd);
            thg_parallel_for(crowd->jobs, count, THG_ROW_BLOCK, keep_listed_rows, crowd);
            deepest = deepest_of(crowd, count);
        }
        if (deepest == 0.0f || (pass + 1 >= THG_LEAST_PASSES && deepest < THG_DEEP)) {
            break;
        }
    }
    return deepest;
}

void thg_stage_contacts_run(thg_step *step)
{
    throng_crowd *crowd = step->crowd;
    if (relax(crowd) > THG_TOO_DEEP) {
        crowd->flags |= THRONG_STEP_CROWDED;
    }
    if (crowd->derived.spots != NULL) {
        thg_spots_refresh(crowd);
    }
}
