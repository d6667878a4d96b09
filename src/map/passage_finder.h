/// The search for passages, inside: what its parts hand each other.
#ifndef THG_PASSAGE_FINDER_H
#define THG_PASSAGE_FINDER_H

#include "map/passages.h"
#include <math.h>
#include <string.h>

#define MOST_CHORD 400 ///< cells of a chord

/// A chord as a word: length in tenths of a cell, whether the cell is its middle, and the axis.
#define CHORD_LENGTH(chord) ((chord) >> 3)
#define CHORD_IS_MIDDLE(chord) (((chord)&4u) != 0)
#define CHORD_AXIS(chord) ((chord)&3u)

typedef struct finder {
    const throng_map *map;
    const thg_layer *layer;
    uint16_t *chord, *label;
    uint32_t *queue, *order;
    size_t queue_count;
    size_t seed_count;
    uint8_t *mark;
} finder;

static inline bool is_free(const finder *find, size_t cell)
{
    return find->layer->clearance[cell] != 0;
}

static inline throng_vec2 center_of(const finder *find, size_t cell)
{
    int stride = find->map->stride;
    return throng_map_cell_center(find->map, (int)(cell % (size_t)stride) - 1,
                                  (int)(cell / (size_t)stride) - 1);
}

typedef bool enters_function(finder *find, size_t cell, const void *context);

/// Spreads from queue[first..end) in at most so many rings to all four neighbours that `enters`
/// lets in; returns the new end. *last (may be NULL) is where the last full ring starts, or the
/// end. Stops when the queue is full.
static inline size_t spread(finder *find, size_t first, size_t end, int rings,
                            enters_function *enters, const void *context, size_t *last)
{
    const ptrdiff_t steps[4] = {1, find->map->stride, -1, -(ptrdiff_t)find->map->stride};
    size_t ring_end = end;
    for (int ring = 0; ring < rings && first < ring_end; ring++) {
        for (size_t i = first; i < ring_end; i++) {
            for (int k = 0; k < 4; k++) {
                size_t next = find->queue[i] + (size_t)steps[k];
                if (end < find->queue_count && is_free(find, next) && enters(find, next, context)) {
                    find->queue[end++] = (uint32_t)next;
                }
            }
        }
        first = ring_end;
        ring_end = end;
    }
    if (last != NULL) {
        *last = first;
    }
    return end;
}

/// Finds each cell's shortest chord of at most so many cells, and lists the middles of chords where
/// the class fits, the shortest first, by index among equals.
void thg_passage_chords(finder *find, int most);

/// Tells the mouths of the body queue[0..body_end); returns how many there are, which may be more
/// than THG_MAX_MOUTHS. Niches join the body's label.
int thg_passage_mouths(finder *find, size_t body_end, float width, uint16_t label,
                       thg_mouth *mouths);

#endif
