/// Who rests: blocks of rows that sleep, with nobody awake in sight, cost next to nothing.
///
/// A block is quiet in a substep when all of its rows sleep and surely none of them sees anybody
/// awake. Every stage then leaves it as it is, and what is derived from its rows holds in the next
/// substep too; so a block that is quiet once more, its rows being the same, may be skipped.
/// Nothing that is computed depends on it: skipping saves time and changes no bit.
#include "crowd/crowd.h"
#include <string.h>

/// True while a stage may change what is derived from sleepers, or wake them by itself.
static bool may_be_disturbed(const throng_crowd *crowd)
{
    return crowd->gates.busy || crowd->slot_goals > 0 || crowd->last_press >= crowd->step_count;
}

static uint32_t awake_in_bins(const thg_bins *bins, uint32_t first_bin, uint32_t end_bin)
{
    return bins->awake[bins->start[end_bin]] - bins->awake[bins->start[first_bin]];
}

/// True when nobody whom rows of these bins of one level could see is awake.
static bool is_quiet_around(const thg_bins *bins, uint32_t first_bin, uint32_t last_bin)
{
    for (int i = 0; i < bins->level_count; i++) {
        const thg_level *level = &bins->levels[i];
        uint32_t first = level->first, end = level->end;
        if (first_bin >= first && first_bin < end) {
            if (last_bin >= end) {
                return false; // of two levels: leave it
            }
            uint32_t reach = (uint32_t)(THG_BIN_RING * level->width + THG_BIN_RING);
            first = first_bin - reach;
            end = last_bin + reach + 1;
        }
        if (awake_in_bins(bins, first, end) > 0) {
            return false;
        }
    }
    return true;
}

void thg_rest_forget(throng_crowd *crowd)
{
    memset(crowd->bins.rest, THG_REST_NONE, thg_row_blocks(crowd->agent_count));
}

void thg_rest_find(throng_crowd *crowd)
{
    thg_bins *bins = &crowd->bins;
    if (!bins->tell_quiet || may_be_disturbed(crowd)) {
        thg_rest_forget(crowd);
        return;
    }
    for (int first = 0; first < crowd->agent_count; first += THG_ROW_BLOCK) {
        int block = first / THG_ROW_BLOCK;
        int end = thg_min_int(first + THG_ROW_BLOCK, crowd->agent_count);
        bool rests = bins->awake[first] == bins->awake[end] &&
                     is_quiet_around(bins, crowd->derived.bin[first], crowd->derived.bin[end - 1]);
        bool before = bins->rest[block] != THG_REST_NONE;
        bins->rest[block] = rests ? (before ? THG_REST_KEPT : THG_REST_NEW) : THG_REST_NONE;
    }
}
