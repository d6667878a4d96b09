/// Chords: runs of free cells from wall to wall, where passages may be.
#include "map/passage_finder.h"

#define ROUNDNESS 0.8f ///< clearance in a chord's middle over half its length, at least

static const int axis_x[4] = {1, 0, 1, 1}, axis_y[4] = {0, 1, 1, -1};

/// True when one can go on from a free cell along an axis: the next is free, and a diagonal does
/// not slip between two walls.
static bool goes_on(const finder *find, size_t cell, ptrdiff_t along_x, ptrdiff_t along_y)
{
    size_t next = cell + (size_t)(along_x + along_y);
    return is_free(find, next) &&
           (along_x == 0 || along_y == 0 || is_free(find, cell + (size_t)along_x) ||
            is_free(find, cell + (size_t)along_y));
}

/// Enters the run that starts at a cell, if it is a chord.
static void enter_run(finder *find, size_t start, int axis, int most)
{
    ptrdiff_t x = axis_x[axis], y = axis_y[axis] * (ptrdiff_t)find->map->stride;
    ptrdiff_t step = x + y;
    int count = 1;
    for (size_t at = start; count <= most && goes_on(find, at, x, y); at += (size_t)step) {
        count++;
    }
    float pitch = axis < 2 ? 1.0f : 1.41421356f;
    uint32_t length = (uint32_t)((float)count * pitch * 10.0f + 0.5f);
    if (count > most || length > (uint32_t)most * 10) {
        return;
    }
    size_t middle = start + (size_t)(count / 2 * step);
    uint32_t below = find->layer->clearance[start + (size_t)((count - 1) / 2 * step)];
    uint32_t above = find->layer->clearance[middle];
    float half_cells = sqrtf((float)(below > above ? below : above));
    half_cells += count % 2 == 0 ? pitch : 0.0f; // the true middle lies between two cells
    if (half_cells < ROUNDNESS * pitch * (float)count) {
        return;
    }
    size_t at = start;
    for (int i = 0; i < count; i++, at += (size_t)step) {
        uint32_t word = length << 3 | (at == middle ? 4u : 0u) | (uint32_t)axis;
        if (find->chord[at] == 0 || CHORD_LENGTH(find->chord[at]) > length) {
            find->chord[at] = (uint16_t)word;
        }
    }
}

static void fill_chords(finder *find, int most)
{
    const throng_map *map = find->map;
    memset(find->chord, 0, map->padded_count * sizeof *find->chord);
    for (int y = 0; y < map->height; y++) {
        size_t first = thg_padded_index(map, 0, y);
        for (size_t cell = first; cell < first + (size_t)map->width; cell++) {
            if (!is_free(find, cell)) {
                continue;
            }
            for (int axis = 0; axis < 4; axis++) {
                ptrdiff_t along_y = -axis_y[axis] * (ptrdiff_t)map->stride;
                if (!goes_on(find, cell, -axis_x[axis], along_y)) {
                    enter_run(find, cell, axis, most);
                }
            }
        }
    }
}

/// Lists the middles of chords where the class fits, the shortest first, by index among equals.
static void list_seeds(finder *find, int most)
{
    uint32_t *starts = find->queue; // free until the first body; at most MOST_CHORD * 10 + 2 words
    int buckets = most * 10 + 2;
    memset(starts, 0, (size_t)buckets * sizeof *starts);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t cell = 0; cell < find->map->padded_count; cell++) {
            uint16_t chord = find->chord[cell];
            if (!CHORD_IS_MIDDLE(chord) || find->layer->price[cell] == 0) {
                continue;
            }
            if (pass == 0) {
                starts[CHORD_LENGTH(chord) + 1]++;
            } else {
                find->order[starts[CHORD_LENGTH(chord)]++] = (uint32_t)cell;
            }
        }
        for (int i = 1; i < buckets && pass == 0; i++) {
            starts[i] += starts[i - 1];
        }
        if (pass == 0) {
            find->seed_count = starts[buckets - 1];
        }
    }
}

void thg_passage_chords(finder *find, int most)
{
    fill_chords(find, most);
    list_seeds(find, most);
}
