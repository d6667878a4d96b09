/// The map: a grid of square cells, each with a terrain kind, and what each class makes of it.
///
/// A *class* is what the map looks like to a kind of agent: a clearance radius and a cost for each
/// terrain (0 blocks). For each class the map keeps, always for the terrain of the last update:
/// - clearance: exact Euclidean distance from each cell's centre to the nearest blocked cell (a
///   square, not its centre) or to the map's edge, which is a wall;
/// - fit: the cells whose centre has at least the class's radius of clearance. Fields run over
///   these; a straight step between two neighbouring centres that fit is free of walls too;
/// - regions: which fitting cells reach which.
#ifndef THRONG_MAP_H
#define THRONG_MAP_H

#include <throng/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_TERRAINS 32
#define THRONG_MAX_CLASSES 16
#define THRONG_MAX_MAP_SIDE 16384 ///< cells per side; at most 2^26 cells in all

/// Terrain kinds every map knows. A map may name more, up to THRONG_MAX_TERRAINS.
enum {
    THRONG_WALL = 0, ///< blocks every class
    THRONG_GROUND = 1,
    THRONG_TREES = 2,
    THRONG_SWAMP = 3,
    THRONG_WATER = 4,
    THRONG_FIRST_OWN_TERRAIN = 5
};

typedef struct throng_map throng_map;

typedef struct throng_map_def {
    uint32_t cookie;        ///< set by throng_default_map_def()
    int width, height;      ///< cells. [1, THRONG_MAX_MAP_SIDE]
    float cell_size;        ///< metres a side. [0.01, 100]
    throng_vec2 origin;     ///< where the corner of cell (0, 0) lies, metres. |origin| <= 1e6
    const uint8_t *terrain; ///< width * height kinds, row by row, copied; NULL: all ground
} throng_map_def;

typedef struct throng_class_def {
    uint32_t cookie;                 ///< set by throng_default_class_def()
    float radius;                    ///< metres of clearance its agents need. [0, 100]
    float cost[THRONG_MAX_TERRAINS]; ///< price of a cell of each terrain; 0 blocks, else [1/16, 64]
    float wall_surcharge; ///< A of 1 + A max(0, 1 - d/D)^2, the price beside a wall. [0, 8]
    float wall_distance;  ///< D, metres beyond the radius where the surcharge ends. [0, 100]
} throng_class_def;

/// 1 x 1 cells of 1 m at the origin.
THRONG_API throng_map_def throng_default_map_def(void);

/// Radius 0.4; ground, swamp and own terrains cost 1; wall, trees and water block; no surcharge.
THRONG_API throng_class_def throng_default_class_def(void);

/// Cost: O(cells). THRONG_BAD_ARGUMENT, THRONG_NO_MEMORY.
THRONG_API throng_result throng_map_create(const throng_map_def *def, throng_map **map);

/// Reads a map drawn in characters, one row a line: `.` and `G` ground, `@` `O` and `#` wall, `T`
/// trees, `S` swamp, `W` water. Either rows alone (all of one length), or a whole MovingAI file
/// (`type octile`, `height`, `width`, `map`, rows). `size` bytes, no terminator needed; lines may
/// end in CR LF. `def` gives cell size and origin; its width, height and terrain are ignored.
/// THRONG_BAD_DATA fills *error (may be NULL) with line, column and what was expected.
THRONG_API throng_result throng_map_from_text(const char *text, size_t size,
                                              const throng_map_def *def, throng_map **map,
                                              throng_error *error);

/// NULL is allowed. Fields and crowds on it must be gone.
THRONG_API void throng_map_destroy(throng_map *map);

/// Names a terrain of the host's own, or finds it if the name is known. [1 to 31 bytes]
/// THRONG_LIMIT when all kinds are taken.
THRONG_API throng_result throng_map_terrain(throng_map *map, const char *name, int *kind);

/// Name of a kind; NULL when it has none.
THRONG_API const char *throng_map_terrain_name(const throng_map *map, int kind);

/// Adds a class; *class_index counts from 0. Cost: O(cells). Classes live as long as the map.
/// THRONG_BAD_ARGUMENT, THRONG_LIMIT, THRONG_NO_MEMORY.
THRONG_API throng_result throng_map_add_class(throng_map *map, const throng_class_def *def,
                                              int *class_index);
THRONG_API int throng_map_class_count(const throng_map *map);
THRONG_API throng_class_def throng_map_class(const throng_map *map, int class_index);

/// Sets the terrain of a rectangle of cells; parts outside the map are ignored. Takes effect for
/// queries, fields and crowds with the next throng_map_update. A crowd's step updates its map.
/// THRONG_BAD_ARGUMENT for an unnamed kind or a negative size.
THRONG_API throng_result throng_map_edit_rect(throng_map *map, throng_cell_rect rect, int kind);

/// Brings clearance, fit and regions up to the terrain. O(1) when nothing changed, else O(cells).
/// Not while another thread queries the map or a crowd on it steps. Allocates nothing.
THRONG_API void throng_map_update(throng_map *map);

/// Counts the updates that changed something; starts at 1.
THRONG_API uint32_t throng_map_version(const throng_map *map);

THRONG_API int throng_map_width(const throng_map *map);
THRONG_API int throng_map_height(const throng_map *map);
THRONG_API float throng_map_cell_size(const throng_map *map);
THRONG_API throng_vec2 throng_map_origin(const throng_map *map);

/// The cell a position lies in. False outside the map (and for NaN); then *x and *y are the nearest
/// cell inside.
THRONG_API bool throng_map_cell_at(const throng_map *map, throng_vec2 position, int *x, int *y);
THRONG_API throng_vec2 throng_map_cell_center(const throng_map *map, int x, int y);

/// width * height kinds, row by row; valid until the next edit.
THRONG_API const uint8_t *throng_map_terrains(const throng_map *map);

/// THRONG_WALL outside the map.
THRONG_API int throng_map_terrain_at(const throng_map *map, int x, int y);

/// True when the terrain of the cell blocks the class, and outside the map.
THRONG_API bool throng_map_blocked(const throng_map *map, int class_index, int x, int y);

/// Metres from the centre of the cell to the nearest square blocked for the class, or to the map's
/// edge; 0 in a blocked cell and outside. Exact up to the rounding of one square root.
THRONG_API float throng_map_clearance(const throng_map *map, int class_index, int x, int y);

/// True when the class's radius fits at the centre of the cell.
THRONG_API bool throng_map_fits(const throng_map *map, int class_index, int x, int y);

/// Label of the region of a fitting cell, counted from 1 in row order; 0 when it does not fit.
THRONG_API int throng_map_region(const throng_map *map, int class_index, int x, int y);
THRONG_API int throng_map_region_count(const throng_map *map, int class_index);

/// Share of neighbouring cells of a row of which the class fits in one alone, over at most 64 rows
/// of the map: how much is in the way. [0, 1] O(64 width).
THRONG_API float throng_map_clutter(const throng_map *map, int class_index);

/// Metres from a point to the nearest wall of the class, at most `limit`; negative inside a wall.
/// Exact: squares, not centres. O((limit / cell_size)^2). What penetration is measured with.
THRONG_API float throng_map_wall_distance(const throng_map *map, int class_index,
                                          throng_vec2 position, float limit);

/// The nearest fitting cell to a position by distance to its centre, ties by lower index, in
/// region `region` or in any (0). False when there is none. O(cells) at worst.
THRONG_API bool throng_map_nearest_fit(const throng_map *map, int class_index, throng_vec2 position,
                                       int region, int *x, int *y);

#ifdef __cplusplus
}
#endif

#endif
