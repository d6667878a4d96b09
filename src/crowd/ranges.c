/// Who may be near: the rows of the bins around one, as a few contiguous ranges.
///
/// Agents of about one size share a level of bins (thg_bins_lay), so that a few giants do not widen
/// the view of thousands of small ones: an agent looks at 3 x 3 bins of its own level, and at those
/// of other levels within reach of the two sizes. In a pile of thousands in one bin everybody would
/// look at everybody; so only a part of such a range is looked at, another one every turn.
#include "crowd/planet.h"

void thg_range_cut(const thg_bins *bins, uint32_t first_bin, int most, int *begin, int *end)
{
    if (*end - *begin > most) {
        uint64_t places = (uint64_t)(*end - *begin - most) + 1;
        *begin += (int)(thg_mix64(bins->turn ^ ((uint64_t)first_bin << 32)) % places);
        *end = *begin + most;
    }
}

static void add_range(const thg_bins *bins, uint32_t first_bin, uint32_t end_bin, int most,
                      thg_ranges *ranges)
{
    int begin = (int)bins->start[first_bin], end = (int)bins->start[end_bin];
    if (begin == end || ranges->count == THG_MAX_RANGES) {
        return;
    }
    thg_range_cut(bins, first_bin, most, &begin, &end);
    ranges->begin[ranges->count] = begin;
    ranges->end[ranges->count] = end;
    ranges->count++;
}

/// 2 half + 1 bins across around a bin of a level: the first of the ranges. Returns how many rows
/// they have. Every stage does this for nearly every agent.
static int set_own_level(const thg_bins *bins, const thg_level *level, uint32_t bin, int half,
                         thg_ranges *ranges)
{
    uint32_t first_bin = bin - (uint32_t)(half * level->width + half);
    int count = 0, found = 0;
    for (int y = -half; y <= half; y++, first_bin += (uint32_t)level->width) {
        const uint32_t *start = bins->start + first_bin;
        int begin = (int)start[0], end = (int)start[2 * half + 1];
        if (begin == end) {
            continue;
        }
        thg_range_cut(bins, first_bin, THG_MOST_IN_RANGE, &begin, &end);
        ranges->begin[count] = begin;
        ranges->end[count] = end;
        found += end - begin;
        count++;
    }
    ranges->count = count;
    return found;
}

/// The bins of another level that an agent anywhere in a bin can touch.
static void add_other_level(const throng_crowd *crowd, const thg_level *own, uint32_t bin,
                            const thg_level *other, thg_ranges *ranges)
{
    int column = (int)(bin - own->first) % own->width - THG_BIN_RING;
    int row = (int)(bin - own->first) / own->width - THG_BIN_RING;
    float reach = own->radius + other->radius + 2.0f * crowd->substep_move;
    float scale = other->inverse_size;
    int x0 = thg_bin_along((float)column * own->size - reach, scale, other->width);
    int x1 = thg_bin_along((float)(column + 1) * own->size + reach, scale, other->width);
    int y0 = thg_bin_along((float)row * own->size - reach, scale, other->height);
    int y1 = thg_bin_along((float)(row + 1) * own->size + reach, scale, other->height);
    for (int y = y0; y <= y1; y++) {
        uint32_t line = other->first + (uint32_t)(y * other->width);
        add_range(&crowd->bins, line + (uint32_t)x0, line + (uint32_t)x1 + 1, THG_MOST_IN_REACH,
                  ranges);
    }
}

const thg_level *thg_level_of(const thg_bins *bins, uint32_t bin)
{
    int level = 0;
    while (level + 1 < bins->level_count && bin >= bins->levels[level + 1].first) {
        level++;
    }
    return &bins->levels[level];
}

static void add_other_levels(const throng_crowd *crowd, const thg_level *own, uint32_t bin,
                             thg_ranges *ranges)
{
    for (int i = 0; i < crowd->bins.level_count; i++) {
        const thg_level *other = &crowd->bins.levels[i];
        if (other != own && crowd->bins.start[other->first] < crowd->bins.start[other->end]) {
            add_other_level(crowd, own, bin, other, ranges);
        }
    }
}

static uint32_t awake_between(const thg_bins *bins, uint32_t first_bin, uint32_t end_bin)
{
    return bins->awake[bins->start[end_bin]] - bins->awake[bins->start[first_bin]];
}

/// True when surely nobody whom a row of the bin could see is awake.
static bool is_quiet(const thg_bins *bins, uint32_t bin)
{
    if (!bins->tell_quiet) {
        return false;
    }
    const thg_level *own = thg_level_of(bins, bin);
    for (int i = 0; i < bins->level_count; i++) {
        const thg_level *level = &bins->levels[i];
        if (level != own && awake_between(bins, level->first, level->end) > 0) {
            return false;
        }
    }
    uint32_t reach = (uint32_t)(THG_BIN_RING * own->width + THG_BIN_RING);
    return awake_between(bins, bin - reach, bin + reach + 1) == 0;
}

void thg_ranges_narrow(const throng_crowd *crowd, uint32_t bin, thg_ranges *ranges)
{
    if (crowd->derived.spots != NULL) {
        thg_planet_ranges_of(crowd, bin, false, ranges);
        return;
    }
    const thg_level *own = thg_level_of(&crowd->bins, bin);
    set_own_level(&crowd->bins, own, bin, 1, ranges);
    add_other_levels(crowd, own, bin, ranges);
}

void thg_ranges_view(const throng_crowd *crowd, uint32_t bin, thg_ranges *ranges)
{
    if (crowd->derived.spots != NULL) {
        thg_planet_ranges_of(crowd, bin, true, ranges);
        return;
    }
    const thg_level *own = thg_level_of(&crowd->bins, bin);
    if (set_own_level(&crowd->bins, own, bin, 1, ranges) < THG_WIDE_LIMIT) {
        set_own_level(&crowd->bins, own, bin, 2, ranges);
    }
    add_other_levels(crowd, own, bin, ranges);
}

static bool any_awake(const thg_bins *bins, const thg_ranges *ranges)
{
    for (int i = 0; i < ranges->count && bins->sleepers; i++) {
        if (bins->awake[ranges->begin[i]] < bins->awake[ranges->end[i]]) {
            return true;
        }
    }
    return !bins->sleepers;
}

bool thg_sight_from(const throng_crowd *crowd, int row, bool wide, thg_sight *sight)
{
    uint32_t bin = crowd->derived.bin[row];
    if (bin != sight->bin) {
        sight->bin = bin;
        sight->quiet = is_quiet(&crowd->bins, bin);
        sight->looked = false;
    }
    bool still = thg_row_is_still(crowd, row);
    if (still && sight->quiet) {
        return false;
    }
    if (!sight->looked) {
        if (wide) {
            thg_ranges_view(crowd, bin, &sight->ranges);
        } else {
            thg_ranges_narrow(crowd, bin, &sight->ranges);
        }
        sight->awake = any_awake(&crowd->bins, &sight->ranges);
        sight->looked = true;
    }
    return !still || sight->awake;
}
