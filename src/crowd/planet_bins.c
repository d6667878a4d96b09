/// Bins on a planet: each face has a square of them, and a window of bins goes on beyond its edges.
///
/// Lines of a face are nowhere nearer to each other than in its middle by more than a factor of
/// the square root of two, across edges too: so with bins that much wider, whoever is within the
/// wanted size is in the next bin.
#include "crowd/planet.h"

#define NARROWEST 1.4142136f

double thg_planet_lay_level(thg_level *level, const throng_planet *planet, float size)
{
    float face = (float)planet->side * planet->atlas->cell_size;
    int bins = thg_max_int((int)(face / (size * NARROWEST)), 1);
    level->size = face / (float)bins;
    level->inverse_size = (float)bins / face;
    level->sight = level->size / NARROWEST;
    level->width = bins;
    level->height = 6 * bins;
    return 6.0 * (double)bins * (double)bins;
}

uint32_t thg_planet_bin(const throng_planet *planet, const thg_level *level, float x, float y)
{
    int side = planet->side, row = (int)thg_planet_cell_under(planet, x, y) / side;
    float start = (float)(row - row % side) * planet->atlas->cell_size;
    int column = (int)(thg_clamp(x * level->inverse_size, 0.0f, (float)level->width));
    int line = (int)(thg_clamp((y - start) * level->inverse_size, 0.0f, (float)level->width));
    column = thg_min_int(column, level->width - 1);
    line = row / side * level->width + thg_min_int(line, level->width - 1);
    return level->first + (uint32_t)(line * level->width + column);
}

static int floor_of(float value)
{
    int whole = (int)value;
    return (float)whole > value ? whole - 1 : whole;
}

thg_window thg_planet_window(const thg_level *own, uint32_t bin, const thg_level *other,
                             float reach)
{
    int column = (int)(bin - own->first) % own->width, line = (int)(bin - own->first) / own->width;
    int row = line % own->width;
    float scale = other->inverse_size, wide = reach * NARROWEST;
    return (thg_window){.face = line / own->width,
                        .x0 = floor_of(((float)column * own->size - wide) * scale),
                        .y0 = floor_of(((float)row * own->size - wide) * scale),
                        .x1 = floor_of(((float)(column + 1) * own->size + wide) * scale),
                        .y1 = floor_of(((float)(row + 1) * own->size + wide) * scale)};
}

/// Runs of bins of a level as they are found.
typedef struct runs {
    const thg_level *level;
    uint32_t *first, *count;
    int found;
} runs;

static void add_run(runs *runs, int a, int b)
{
    if (runs->found < THG_MAX_RANGES) {
        runs->first[runs->found] = runs->level->first + (uint32_t)(a < b ? a : b);
        runs->count[runs->found++] = (uint32_t)(a < b ? b - a : a - b) + 1;
    }
}

/// A part of a window that lies on the face, or all beyond one of its edges. The bins there are a
/// rectangle too, perhaps turned: its rows are the runs.
static void add_block(runs *runs, int face, int x0, int y0, int x1, int y1)
{
    int side = runs->level->width;
    if (x0 > x1 || y0 > y1) {
        return;
    }
    int first = thg_planet_part(side, face, x0, y0);
    int beside = x1 > x0 ? thg_planet_part(side, face, x0 + 1, y0) - first : 0;
    bool rows = beside == 1 || beside == -1 || (x0 == x1 && y0 == y1);
    for (int y = y0; y <= y1 && rows; y++) {
        add_run(runs, thg_planet_part(side, face, x0, y), thg_planet_part(side, face, x1, y));
    }
    bool turned = !rows && y1 > y0;
    if (turned) {
        int step = thg_planet_part(side, face, x0, y0 + 1) - first;
        turned = step == 1 || step == -1;
    }
    for (int x = x0; x <= x1 && turned; x++) {
        add_run(runs, thg_planet_part(side, face, x, y0), thg_planet_part(side, face, x, y1));
    }
    for (int y = y0; y <= y1 && !rows && !turned; y++) { // a line across the rows
        for (int x = x0; x <= x1; x++) {
            int part = thg_planet_part(side, face, x, y);
            add_run(runs, part, part);
        }
    }
}

int thg_planet_runs(const thg_level *level, thg_window window, uint32_t *first, uint32_t *count)
{
    int side = level->width, face = window.face;
    runs runs = {.level = level, .first = first, .count = count};
    int x0 = thg_max_int(window.x0, -side), x1 = thg_min_int(window.x1, 2 * side - 1);
    int y0 = thg_max_int(window.y0, -side), y1 = thg_min_int(window.y1, 2 * side - 1);
    int in_x0 = thg_max_int(x0, 0), in_x1 = thg_min_int(x1, side - 1);
    int in_y0 = thg_max_int(y0, 0), in_y1 = thg_min_int(y1, side - 1);
    add_block(&runs, face, in_x0, in_y0, in_x1, in_y1);
    add_block(&runs, face, x0, in_y0, -1, in_y1);
    add_block(&runs, face, side, in_y0, x1, in_y1);
    add_block(&runs, face, in_x0, y0, in_x1, -1);
    add_block(&runs, face, in_x0, side, in_x1, y1);
    return runs.found;
}

int thg_planet_add_window(const thg_bins *bins, const thg_level *level, thg_window window, int most,
                          thg_ranges *ranges)
{
    uint32_t first[THG_MAX_RANGES], count[THG_MAX_RANGES];
    int runs = thg_planet_runs(level, window, first, count), found = 0;
    for (int k = 0; k < runs && ranges->count < THG_MAX_RANGES; k++) {
        int begin = (int)bins->start[first[k]], end = (int)bins->start[first[k] + count[k]];
        if (begin < end) {
            thg_range_cut(bins, first[k], most, &begin, &end);
            ranges->begin[ranges->count] = begin;
            ranges->end[ranges->count++] = end;
            found += end - begin;
        }
    }
    return found;
}

/// 2 half + 1 bins across around a bin, as the first of ranges. Returns how many rows they have.
static int set_around(const thg_bins *bins, const thg_level *level, uint32_t bin, int half,
                      thg_ranges *ranges)
{
    int line = (int)(bin - level->first) / level->width, y = line % level->width;
    int x = (int)(bin - level->first) % level->width;
    thg_window window = {line / level->width, x - half, y - half, x + half, y + half};
    ranges->count = 0;
    return thg_planet_add_window(bins, level, window, THG_MOST_IN_RANGE, ranges);
}

void thg_planet_ranges_of(const throng_crowd *crowd, uint32_t bin, bool view, thg_ranges *ranges)
{
    const thg_bins *bins = &crowd->bins;
    const thg_level *own = thg_level_of(bins, bin);
    if (set_around(bins, own, bin, 1, ranges) < THG_WIDE_LIMIT && view) {
        set_around(bins, own, bin, 2, ranges);
    }
    for (int i = 0; i < bins->level_count; i++) {
        const thg_level *other = &bins->levels[i];
        if (other != own && bins->start[other->first] < bins->start[other->end]) {
            float reach = own->radius + other->radius + 2.0f * crowd->substep_move;
            thg_window window = thg_planet_window(own, bin, other, reach);
            thg_planet_add_window(bins, other, window, THG_MOST_IN_REACH, ranges);
        }
    }
}

void thg_planet_ranges(const throng_crowd *crowd, int row, float reach, thg_ranges *ranges)
{
    const thg_bins *bins = &crowd->bins;
    const thg_level *own = &bins->levels[crowd->profiles[crowd->columns.profile[row]].level];
    ranges->count = 0;
    for (int i = 0; i < bins->level_count; i++) {
        const thg_level *level = &bins->levels[i];
        thg_window window = thg_planet_window(own, crowd->derived.bin[row], level, reach);
        thg_planet_add_window(bins, level, window, THG_MOST_IN_REACH, ranges);
    }
}
