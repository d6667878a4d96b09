/// Passages: where the free space of a layer narrows between two walls, found from its clearance.
///
/// A passage is a body of cells with two mouths or more; where three or four passages meet in a
/// small middle they and the middle are one. Each cell near a passage has a label: which passage,
/// and whether it lies inside or before which mouth. All of it is a function of the map alone.
#ifndef THG_PASSAGES_H
#define THG_PASSAGES_H

#include "map/map.h"

#define THG_MAX_PASSAGES 4094
#define THG_MAX_MOUTHS 4
#define THG_MOUTH_CELLS 7
#define THG_INSIDE 15          ///< the part of a label for cells inside; else it is the mouth
#define THG_PASSAGE_REACH 5.0f ///< metres before a mouth that have labels
#define THG_LABEL_PASSAGE(label) ((int)((label) >> 4) - 1)
#define THG_LABEL_PART(label) ((int)((label)&15u))

typedef struct thg_mouth {
    float x, y;                       ///< middle, metres
    float out_x, out_y;               ///< unit, out of the passage
    uint32_t cell;                    ///< padded; a fitting cell just outside
    uint32_t across[THG_MOUTH_CELLS]; ///< likewise, from side to side, where costs are read
} thg_mouth;

typedef struct thg_passage {
    throng_vec2 from, to; ///< where it is narrowest: from wall to wall
    float width;          ///< metres there
    float length;         ///< metres between the two mouths farthest apart
    int mouth_count;
    bool straight; ///< two mouths that see each other
    thg_mouth mouths[THG_MAX_MOUTHS];
} thg_passage;

typedef struct thg_passages {
    uint16_t *label;       ///< [padded_count] (passage + 1) << 4 | part; 0 none
    thg_passage *passages; ///< [THG_MAX_PASSAGES]
    int count;
    bool cut; ///< there were more
} thg_passages;

/// What a search needs beside; one serves any number of searches.
typedef struct thg_passage_scratch {
    uint16_t *chord; ///< [padded_count]
    uint32_t *queue; ///< [queue_count]
    uint32_t *order; ///< [padded_count]
    uint8_t *mark;   ///< [padded_count] zero between searches
    size_t queue_count;
} thg_passage_scratch;

/// THRONG_NO_MEMORY; then what was taken is given back by the release.
throng_result thg_passages_create(const throng_map *map, thg_passages *passages);
void thg_passages_release(const throng_map *map, thg_passages *passages);
throng_result thg_passage_scratch_create(const throng_map *map, thg_passage_scratch *scratch);
void thg_passage_scratch_release(const throng_map *map, thg_passage_scratch *scratch);

/// Finds the passages of a layer that are at most `most_width` metres wide and fit its class.
/// Allocates nothing. O(cells).
void thg_passages_find(const throng_map *map, const thg_layer *layer, float most_width,
                       thg_passage_scratch *scratch, thg_passages *passages);

#endif
