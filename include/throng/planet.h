/// Planets: a sphere of cells with terrain, fields over it, and steps along it.
///
/// A planet is a cube blown up to a ball: six faces of side x side cells, laid out in equal angles
/// (Ronchi, Iacono, Paolucci, The "Cubed Sphere", 1996), so that the largest cell has about 1.4
/// times the area of the smallest. There is no pole and no seam: cells know their neighbours across
/// edges, and at the eight corners, where three faces meet, there is one neighbour less. Places are
/// points of the unit sphere, so nothing jumps where one face ends and the next begins.
///
/// Fields are exact fixed points in integers, as those of flat maps are: the same bits whatever the
/// compiler or the order of work. All arithmetic is IEEE addition, multiplication, division and
/// square root; sine, cosine and their inverses are our own.
///
/// Crowds walk on a planet as on a flat map: their map is the planet's *atlas* (throng_planet_map),
/// and everything of crowd.h works on it but for what is listed there. A position on the atlas is
/// two numbers, and throng_planet_place says which place it is.
///
/// Const queries are safe from any thread while nobody paints, edits or solves.
#ifndef THRONG_PLANET_H
#define THRONG_PLANET_H

#include <throng/map.h>

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_PLANET_SIDE 1024
#define THRONG_MAX_PLANET_GOALS 64

/// A place is a point of the unit sphere (any length but 0 will do where one is given), a heading
/// a unit vector at a right angle to it.
typedef struct throng_vec3 {
    float x, y, z;
} throng_vec3;

typedef struct throng_planet throng_planet;

typedef struct throng_planet_def {
    uint32_t cookie;        ///< set by throng_default_planet_def()
    int side;               ///< cells along the edge of a face. [2, THRONG_MAX_PLANET_SIDE]
    float radius;           ///< metres. [1, 1e5]
    const uint8_t *terrain; ///< a kind for each cell, copied; NULL: all ground
    int terrain_count;      ///< of `terrain`: 6 * side * side; 0 with NULL
} throng_planet_def;

/// Side 64, radius 100 m, all ground.
THRONG_API throng_planet_def throng_default_planet_def(void);

/// 6 side^2 cells; about 45 bytes each, and 13 more for each class. O(cells).
/// THRONG_BAD_ARGUMENT (a number out of range, terrain of another size, an unknown kind),
/// THRONG_NO_MEMORY.
THRONG_API throng_result throng_planet_create(const throng_planet_def *def, throng_planet **planet);
/// NULL is allowed. Fields on it must be gone.
THRONG_API void throng_planet_destroy(throng_planet *planet);

/// Adds a class, as for flat maps: radius and what each terrain costs, without wall_surcharge.
/// Infantry, ships and hovercraft are classes. A cell fits when no point of a blocked cell is
/// within the radius of its middle. O(cells). THRONG_BAD_ARGUMENT (also a surcharge, and a radius
/// above 16 cells or half the planet's), THRONG_LIMIT, THRONG_NO_MEMORY.
THRONG_API throng_result throng_planet_add_class(throng_planet *planet, const throng_class_def *def,
                                                 int *class_index);

/// Gives the cells whose middles lie within `reach` metres of a place another terrain, and each
/// class what comes of it. Fields show it once they are solved again. O(cells).
/// THRONG_BAD_ARGUMENT.
THRONG_API throng_result throng_planet_paint(throng_planet *planet, throng_vec3 place, float reach,
                                             int terrain);

THRONG_API int throng_planet_side(const throng_planet *planet);
THRONG_API float throng_planet_radius(const throng_planet *planet);
/// 6 side^2.
THRONG_API int throng_planet_cell_count(const throng_planet *planet);
/// Metres along the middle line of a face from one cell to the next: a quarter of a great circle
/// over `side`.
THRONG_API float throng_planet_cell_size(const throng_planet *planet);
/// Cell (face * side + row) * side + column under a place; -1 for no place (zero, NaN).
THRONG_API int throng_planet_cell_at(const throng_planet *planet, throng_vec3 place);
/// Middle of a cell of the planet.
THRONG_API throng_vec3 throng_planet_cell_center(const throng_planet *planet, int cell);
/// THRONG_WALL for no cell of the planet.
THRONG_API int throng_planet_terrain_at(const throng_planet *planet, int cell);
/// True when the class's radius fits at the middle of the cell.
THRONG_API bool throng_planet_fits(const throng_planet *planet, int class_index, int cell);

/// The place at a longitude (of any number of turns, east is positive) and a latitude (cut to
/// [-90, 90], north is positive), in degrees, and back. Longitude 0 on the equator is (1, 0, 0),
/// the north pole (0, 0, 1).
THRONG_API throng_vec3 throng_planet_at(float longitude_deg, float latitude_deg);
THRONG_API void throng_planet_degrees(throng_vec3 place, float *longitude_deg, float *latitude_deg);

/// Metres along the great circle between two places, whatever lies between.
THRONG_API float throng_planet_distance(const throng_planet *planet, throng_vec3 from,
                                        throng_vec3 to);
/// Heading of the great circle from a place to another; zero where there is none or any (the same
/// place, its antipode).
THRONG_API throng_vec3 throng_planet_heading(throng_vec3 from, throng_vec3 to);
/// Moves a place by `metres` along the great circle of a heading, and carries the heading along:
/// straight on stays straight on. The heading is made a unit vector along the surface first.
THRONG_API void throng_planet_move(const throng_planet *planet, throng_vec3 *place,
                                   throng_vec3 *heading, float metres);

// ---- The atlas --------------------------------------------------------------------------------

/// The planet's cells as a map of side x 6 side cells, its faces one above the other: cell (x, y)
/// is cell y * side + x of the planet. It belongs to the planet. Classes and edits of the one are
/// those of the other; edits count with throng_map_update, which a crowd's step does. Clearance is
/// known up to the class's radius and a cell more, and may be a quarter of a cell short. Flat
/// fields, paths, tiles and rooms refuse such a map.
THRONG_API throng_map *throng_planet_map(const throng_planet *planet);
/// The planet whose atlas a map is; NULL for a flat one.
THRONG_API const throng_planet *throng_map_planet(const throng_map *map);

/// The position on the atlas of a place, and the place of a position (beyond the atlas of the
/// nearest). Positions are floats in metres as in the middle of a face: exact to about 1e-6 of the
/// radius. The origin for no place.
THRONG_API throng_vec2 throng_planet_position(const throng_planet *planet, throng_vec3 place);
THRONG_API throng_vec3 throng_planet_place(const throng_planet *planet, throng_vec2 position);

/// A vector at a position of the atlas, as velocities of agents and directions of fields are given
/// (metres east, along the columns of the face, and north, at a right angle to it), in space along
/// the surface; and back.
THRONG_API throng_vec3 throng_planet_lift(const throng_planet *planet, throng_vec2 position,
                                          throng_vec2 vector);
THRONG_API throng_vec2 throng_planet_lay(const throng_planet *planet, throng_vec2 position,
                                         throng_vec3 vector);

// ---- Fields -----------------------------------------------------------------------------------

typedef struct throng_planet_field throng_planet_field;

/// A field for a class; unsolved. `goals` are places, the nearest in cost counts; one in a cell
/// that does not fit leads nowhere. About 40 bytes a cell. THRONG_BAD_ARGUMENT (no goals, more
/// than THRONG_MAX_PLANET_GOALS, no place, unknown class), THRONG_NO_MEMORY.
THRONG_API throng_result throng_planet_field_create(const throng_planet *planet, int class_index,
                                                    const throng_vec3 *goals, int goal_count,
                                                    throng_planet_field **field);
/// NULL is allowed.
THRONG_API void throng_planet_field_destroy(throng_planet_field *field);

/// Solves for the terrain as it is: the eikonal equation on the sphere, by simplex updates with the
/// true edges of the cells' middles (Kimmel, Sethian 1998), in units of 1/1024 cell. O(cells log
/// cells). Allocates nothing.
THRONG_API void throng_planet_field_solve(throng_planet_field *field);

typedef struct throng_planet_sample {
    throng_vec3 direction; ///< heading, or zero at a goal and where nothing is reached
    float cost;            ///< metres of unit terrain to the goal; INFINITY when unreached
    bool reached;
} throng_planet_sample;

/// Which way, and how far, from a place. Directions of the cells around are blended in space; what
/// does not fit weighs nothing, nor does what lies behind a corner. In a cell that does not fit but
/// is not blocked either it leads to those that do. Safe from any thread while no solve runs.
THRONG_API throng_planet_sample throng_planet_field_sample(const throng_planet_field *field,
                                                           throng_vec3 place);

/// Cost of each cell in units of 1/1024 cell; THRONG_UNREACHED and THRONG_FAR as in field.h.
THRONG_API const uint32_t *throng_planet_field_costs(const throng_planet_field *field);

/// Walks along the field in steps of `step` metres (at most half a cell) until within `step` of a
/// goal, or `max_steps`. Never enters a blocked cell. Writes up to `capacity` places (may be NULL
/// for 0), how many (may be NULL) and the walked metres (may be NULL). True when it arrived.
THRONG_API bool throng_planet_field_trace(const throng_planet_field *field, throng_vec3 start,
                                          float step, int max_steps, throng_vec3 *places,
                                          int capacity, int *place_count, float *length);

#ifdef __cplusplus
}
#endif

#endif
