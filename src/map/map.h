/// The map's inside: what fields and the crowd read per cell.
///
/// All arrays of a layer are padded by one cell on each side, so that neighbours of a cell need no
/// bounds check: cell (x, y) lies at (y + 1) * stride + x + 1, stride = width + 2. The border is
/// blocked. Layers are kept for the terrain of the last update only.
#ifndef THG_MAP_H
#define THG_MAP_H

#include "core/core.h"
#include <throng/map.h>

#define THG_PRICE_UNIT 64 ///< price of a cell of unit cost

/// The eight moves: four straight, then four diagonal; bit i of a moves mask is move i.
/// Diagonals are allowed where both straight neighbours beside them fit.
enum { THG_EAST, THG_SOUTH, THG_WEST, THG_NORTH, THG_SE, THG_SW, THG_NW, THG_NE };
static const int thg_move_x[8] = {1, 0, -1, 0, 1, -1, -1, 1};
static const int thg_move_y[8] = {0, 1, 0, -1, 1, 1, -1, -1};

/// One class's picture of the map.
typedef struct thg_layer {
    throng_class_def def;
    uint32_t *clearance; ///< squared, in half cells: exact. 0 blocked
    uint16_t *price; ///< cost * THG_PRICE_UNIT, wall surcharge included; 0 where it does not fit
    uint8_t *moves;  ///< which of the eight neighbours can be stepped to; 0 where it does not fit
    int32_t *region; ///< label from 1; 0 where it does not fit
    int region_count;
    int fit_count;      ///< cells that fit
    int edge_count;     ///< of those, cells with a straight neighbour that does not
    uint16_t min_price; ///< over fitting cells; THG_PRICE_UNIT when there is none
    uint16_t max_price;
    uint32_t blocked_terrains; ///< bit k: terrain kind k blocks
    int shared_clearance;      ///< layer whose clearance array this one borrows, or -1
} thg_layer;

struct throng_map {
    int width, height, stride;
    size_t cell_count;   ///< width * height
    size_t padded_count; ///< (width + 2) * (height + 2)
    float cell_size, inverse_cell_size;
    throng_vec2 origin;
    uint8_t *terrain; ///< as edited, row by row, not padded
    uint8_t *solid;   ///< padded terrain of the last update; the border is THRONG_WALL
    bool dirty;       ///< an edit since the last update
    uint32_t version;
    char names[THRONG_MAX_TERRAINS][32];
    int terrain_count;
    thg_layer layers[THRONG_MAX_CLASSES];
    int layer_count;
    struct throng_planet *planet; ///< whose atlas it is; NULL: it is flat
    uint32_t *scratch;            ///< scratch_count words, for the update
    size_t scratch_count;
};

/// Index of a cell in padded arrays. [-1, width] x [-1, height] are valid.
static inline size_t thg_padded_index(const throng_map *map, int x, int y)
{
    return (size_t)(y + 1) * (size_t)map->stride + (size_t)(x + 1);
}

/// True when the terrain at a padded index blocks the layer.
static inline bool thg_layer_blocked(const throng_map *map, const thg_layer *layer, size_t index)
{
    return (layer->blocked_terrains >> map->solid[index]) & 1u;
}

/// Clearance of every cell for the terrains in `blocked_terrains`, in squared half cells. O(cells).
/// `scratch` holds 3 * stride words.
void thg_clearance_fill(const throng_map *map, uint32_t blocked_terrains, uint32_t *clearance,
                        uint32_t *scratch);

/// The plain twin of thg_clearance_fill, O(cells^2): the reference it is tested against.
void thg_clearance_fill_plain(const throng_map *map, uint32_t blocked_terrains,
                              uint32_t *clearance);

/// Fills price, moves, regions and counts of a layer from the map's solid terrain and the layer's
/// clearance. O(cells).
void thg_layer_fill(throng_map *map, thg_layer *layer);

/// Clearance in squared half cells that the class of a layer needs to fit.
uint32_t thg_layer_clearance_needed(const throng_map *map, const thg_layer *layer);

/// The cell a place counts as for a class: its own, or the nearest that fits within snap_distance
/// metres. False outside the map, for NaN, and where none is that near.
bool thg_map_snap(const throng_map *map, int class_index, throng_vec2 place, float snap_distance,
                  int *x, int *y);

/// True when every cell that the segment touches fits the layer and, where `price` is not 0, has
/// that price. Ends are in cells: the middle of cell (x, y) is (x + 0.5, y + 0.5). O(length).
bool thg_layer_sees(const throng_map *map, const thg_layer *layer, uint16_t price, float from_x,
                    float from_y, float to_x, float to_y);

#endif
