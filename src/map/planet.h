/// The planet's inside: what fields on it read per cell.
#ifndef THG_PLANET_H
#define THG_PLANET_H

#include "map/map.h"
#include "map/sphere.h"
#include <throng/planet.h>

/// The ring round a cell, in order: even ones are straight, odd ones lie between two of them. At
/// a corner of the cube the one between is missing; the cell along the columns stands for it.
#define THG_RING 8
static const int thg_ring_x[THG_RING] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int thg_ring_y[THG_RING] = {0, 1, 1, 1, 0, -1, -1, -1};

/// A triangle of a cell's middle C and two neighbours': A the straight one, B the odd one.
typedef struct thg_triangle {
    uint16_t edge;     ///< |AB| in 1/16384 cell; 0: there is none
    int16_t foot;      ///< of C on AB from A, over |AB|, times 8192
    uint16_t height;   ///< of C over AB, over |AB|, times 8192
    int16_t low, high; ///< T(B) - T(A) over the price of |AB|, times 16384, between which the
                       ///< way to C passes between A and B
} thg_triangle;

/// What a cell is like: distances to its ring in 1/16384 cell, triangle k between k and k + 1.
/// All faces are alike and each is its own mirror image, so that a quarter of one says it all.
typedef struct thg_metric {
    uint16_t length[THG_RING];
    thg_triangle triangles[THG_RING];
} thg_metric;

typedef struct thg_planet_class {
    throng_class_def def;
    uint32_t blocked_terrains; ///< bit k: terrain kind k blocks
    uint16_t *price;           ///< cost * THG_PRICE_UNIT; 0 where it does not fit
} thg_planet_class;

struct throng_planet {
    int side, cell_count;
    double radius, cell_size; ///< metres
    throng_map *atlas;        ///< its cells as a map; what is edited, and whose layers crowds read
    uint8_t *terrain;         ///< of the atlas's last update
    uint32_t (*ring)[THG_RING]; ///< neighbours of each cell
    double *tangent;            ///< [2 side + 1] of the angles of cells' edges and middles, in turn
    thg_metric *metric; ///< [half * half] of cells by how far they are from the edges of a face
    int half;           ///< (side + 1) / 2
    thg_planet_class classes[THRONG_MAX_CLASSES];
    int class_count;
    uint32_t *seen;  ///< [cells] round in which a cell was last looked at
    uint32_t *queue; ///< [cells]
    uint32_t round;
};

/// True when the terrain of a cell blocks the class.
static inline bool thg_planet_blocked(const throng_planet *planet, const thg_planet_class *class_,
                                      uint32_t cell)
{
    return (class_->blocked_terrains >> planet->terrain[cell]) & 1u;
}

/// The metric of a cell, and which ways it is mirrored.
typedef struct thg_metric_view {
    const thg_metric *metric;
    bool mirror_x, mirror_y;
} thg_metric_view;

static inline thg_metric_view thg_metric_of(const throng_planet *planet, uint32_t cell)
{
    int side = planet->side, column = (int)cell % side, row = (int)cell / side % side;
    bool right = column >= planet->half, below = row >= planet->half;
    column = right ? side - 1 - column : column;
    row = below ? side - 1 - row : row;
    return (thg_metric_view){&planet->metric[row * planet->half + column], right, below};
}

static inline uint16_t thg_metric_length(thg_metric_view view, int ring)
{
    ring = view.mirror_x ? 4 - ring : ring;
    ring = view.mirror_y ? -ring : ring;
    return view.metric->length[ring & 7];
}

/// Of the places `ring` and `ring` + 1.
static inline const thg_triangle *thg_metric_triangle(thg_metric_view view, int ring)
{
    ring = view.mirror_x ? 3 - ring : ring;
    ring = view.mirror_y ? 7 - ring : ring;
    return &view.metric->triangles[ring & 7];
}

/// Fills planet->metric once rings and tangents are there.
void thg_planet_measure(throng_planet *planet);

/// A place as crowds see it: the place, and which way the columns of its face run there. North is
/// to the left of east, seen from outside; vectors of two numbers are along these.
typedef struct thg_spot {
    thg_vec3 place, east;
    float x, y; ///< on the atlas
} thg_spot;

static inline thg_vec3 thg_spot_north(const thg_spot *spot)
{
    return thg_cross(spot->place, spot->east);
}

// ---- planet_atlas.c
/// Where a position of the atlas lies. Beyond the atlas, and for NaN, its nearest place.
thg_spot thg_planet_spot(const throng_planet *planet, float x, float y);
/// Where on the atlas a unit place lies; never beyond the edge of its face.
void thg_planet_flatten(const throng_planet *planet, thg_vec3 place, float *x, float *y);
/// The cell under a position of the atlas, the nearest where there is none.
uint32_t thg_planet_cell_under(const throng_planet *planet, float x, float y);
/// Of faces of side x side parts, the one at a column and row that may lie beyond an edge of the
/// face, as (face * side + row) * side + column; -1 beyond two edges at once or a whole face.
int thg_planet_part(int side, int face, int column, int row);
/// Metres east and north along the great circle from a spot to a place.
void thg_planet_see(const throng_planet *planet, const thg_spot *from, thg_vec3 place, float *east,
                    float *north);
/// The place so many metres east and north along a great circle.
thg_vec3 thg_planet_go(const throng_planet *planet, const thg_spot *from, float east, float north);
/// Metres between two positions of the atlas.
float thg_planet_apart(const throng_planet *planet, throng_vec2 from, throng_vec2 to);
/// A vector at one spot, carried straight to another.
void thg_spot_carry(const thg_spot *from, const thg_spot *to, float *east, float *north);
/// True when the great circle from a spot to a place runs through cells that fit a class alone.
bool thg_planet_sees(const throng_planet *planet, int class_index, const thg_spot *from,
                     thg_vec3 place);
/// The nearest cell that fits a class, of a region or of any (0), ties by lower index; -1 none.
/// O(cells).
int thg_planet_nearest_fit(const throng_planet *planet, int class_index, float x, float y,
                           int region);

// ---- planet_class.c
/// Room for a class that is about to be added to the atlas. THRONG_BAD_ARGUMENT, THRONG_NO_MEMORY.
throng_result thg_planet_ready_class(throng_planet *planet, const throng_class_def *def);
/// Takes over the atlas's solid terrain.
void thg_planet_take_terrain(throng_planet *planet);
/// Fills a class, and the layer of the atlas that shows it, for the atlas's solid terrain.
void thg_planet_fill_layer(throng_planet *planet, int class_index, thg_layer *layer);

// ---- planet_walls.c
#define THG_PLANET_WALLS 256 ///< cells at most that are looked at
/// Blocked cells round a place, each as four corners in the plane that touches the planet there,
/// in metres east and north, leftwards round. Distances in it are too long by (d / radius)^2 / 3.
typedef struct thg_planet_walls {
    int count;
    uint32_t cell[THG_PLANET_WALLS];
    float x[THG_PLANET_WALLS][4], y[THG_PLANET_WALLS][4];
} thg_planet_walls;
/// Those within `reach` metres that are not all round blocked. True when the place is in one.
bool thg_planet_walls_near(const throng_planet *planet, uint32_t blocked_terrains,
                           const thg_spot *spot, float reach, thg_planet_walls *walls);
/// The nearest point of one of them to a point of the plane; its squared distance, 0 inside.
float thg_planet_wall_point(const thg_planet_walls *walls, int wall, float x, float y, float *to_x,
                            float *to_y);
/// Metres from a unit place outside a cell to the cell, in the plane that touches there.
double thg_planet_cell_distance(const throng_planet *planet, thg_vec3 place, uint32_t cell);
/// throng_map_wall_distance on a planet.
float thg_planet_wall_distance(const throng_planet *planet, int class_index, float x, float y,
                               float limit);

/// Middle of a cell; and the corner of cell (column, row) of a face that is nearest its (0, 0).
thg_vec3 thg_planet_middle(const throng_planet *planet, uint32_t cell);
thg_vec3 thg_planet_corner(const throng_planet *planet, int face, int column, int row);

static inline thg_vec3 thg_wide(throng_vec3 place)
{
    return (thg_vec3){(double)place.x, (double)place.y, (double)place.z};
}

static inline throng_vec3 thg_narrow(thg_vec3 place)
{
    return (throng_vec3){(float)place.x, (float)place.y, (float)place.z};
}

/// True for a vector that is neither zero nor beyond counting: it names a place.
bool thg_is_place(throng_vec3 place);

#endif
