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
    uint8_t *terrain;
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
