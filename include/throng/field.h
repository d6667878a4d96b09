/// Fields: what it costs to reach a goal from every cell, and which way to go from every point.
///
/// Two metrics, both exact fixed points in integers, so that no order of work changes a bit:
/// - octile: the cheapest chain of straight and diagonal cell steps (Dijkstra by buckets). A step
///   costs the mean of its two cells; a unit cell is 13,860 units straight and 19,601 diagonal,
///   neighbours in the continued fraction of sqrt 2, so integers order paths of up to 13,859
///   diagonal steps exactly as real numbers would. Diagonals that cut a corner are not allowed.
/// - eikonal: the straight-line metric, |grad T| = cost, Godunov's first order scheme (Sethian,
///   Level Set Methods, 1999) in units of 1/1024 cell with an exactly rounded monotone update, by
///   buckets with re-insertion (Yatziv, Bartesaghi, Sapiro 2006, made exact).
/// 32-bit costs saturate at THRONG_FAR (known to be reachable, too far to count); they never wrap.
#ifndef THRONG_FIELD_H
#define THRONG_FIELD_H

#include <throng/jobs.h>
#include <throng/map.h>

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_EIKONAL_UNIT 1024
#define THRONG_OCTILE_UNIT 13860
#define THRONG_OCTILE_DIAGONAL 19601
#define THRONG_UNREACHED UINT32_MAX  ///< cost of a cell from which no way leads to the goal
#define THRONG_FAR (UINT32_MAX - 1u) ///< cost of a cell that is reached but beyond counting

typedef enum throng_metric { THRONG_EIKONAL = 0, THRONG_OCTILE = 1 } throng_metric;

/// Where agents go: any mix of points, rectangles and cells; the nearest in cost counts. Parts that
/// do not fit the class (a point in a wall) are moved to the nearest cell that fits, within
/// `snap_distance`; parts farther off are ignored. Arrays are copied.
typedef struct throng_goal_shape {
    const throng_vec2 *points; ///< metres
    int point_count;
    const throng_rect *rects; ///< metres; every fitting cell whose centre lies inside
    int rect_count;
    const int *cells; ///< y * width + x
    int cell_count;
    float snap_distance; ///< metres
} throng_goal_shape;

/// No parts; snaps up to 2 m.
THRONG_API throng_goal_shape throng_default_goal_shape(void);

typedef struct throng_field throng_field;

/// Takes all memory a field needs (12 bytes a cell for its two buffers and as much for the solver).
/// The field is unsolved. THRONG_BAD_ARGUMENT, THRONG_NO_MEMORY.
THRONG_API throng_result throng_field_create(const throng_map *map, int class_index,
                                             const throng_goal_shape *shape, throng_metric metric,
                                             throng_field **field);
THRONG_API void throng_field_destroy(throng_field *field);

/// Solves on these threads from now on, for the same bits; NULL (as it starts): on the caller's.
/// They must outlive the field's last solve and have no other work meanwhile. Eikonal fields of
/// open maps gain most: 1.6 to 1.8 times on two threads.
THRONG_API void throng_field_use_jobs(throng_field *field, throng_jobs *jobs);

/// Solves for the map as it was last updated and flips buffers. O(cells). Allocates nothing.
THRONG_API void throng_field_solve(throng_field *field);

/// After an edit of the map: solves again what it changed, for the same result as
/// throng_field_solve to the bit. Eikonal fields; others, and fields where more than a tenth of the
/// cells or the goal's surroundings changed, are solved from scratch. O(cells) to compare, at
/// little for each, and the cost of solving the cells that changed. Allocates nothing.
THRONG_API void throng_field_repair(throng_field *field);

/// Solves only until every listed cell (y * width + x) has its final cost or nothing more can be
/// reached, for queries with few starts. Costs of other cells may be missing or too high, and the
/// flow is not filled: read costs and steps of the listed cells only. Octile fields.
THRONG_API void throng_field_solve_until(throng_field *field, const int *cells, int cell_count);

/// Moves the goal; the next solve uses it. THRONG_NO_MEMORY.
THRONG_API throng_result throng_field_set_goal(throng_field *field, const throng_goal_shape *shape);

/// The answer at a point.
typedef struct throng_sample {
    throng_vec2 direction; ///< unit, or zero at the goal and where nothing is reached
    float cost;            ///< cost to the goal in metres of unit terrain; INFINITY when unreached
    bool reached;
} throng_sample;

/// Which way, and how far, from a position. Upwind gradients of the four cells around are blended;
/// walls and unreached cells weigh nothing, nor does a cell behind a blocked diagonal. Beside the
/// goal it points at the goal itself. From a cell that does not fit it leads to the nearest that
/// does. Safe from any thread while no solve runs. About 20 ns.
THRONG_API throng_sample throng_field_sample(const throng_field *field, throng_vec2 position);

/// Arrays of the last solve, for pictures and tests. Row y, column x: [y * stride + x].
typedef struct throng_field_view {
    const uint32_t *cost; ///< units, or THRONG_UNREACHED, THRONG_FAR
    const int8_t *flow;   ///< x at [2 i], y at [2 i + 1]: unit direction times 127, or zero
    int width, height, stride;
    uint32_t unit;          ///< units per cell of unit cost
    uint32_t version;       ///< solves so far
    uint32_t reached_count; ///< cells with a cost
} throng_field_view;
THRONG_API throng_field_view throng_field_get_view(const throng_field *field);

/// Straight and diagonal steps of the cheapest path from a cell, for an octile field where every
/// terrain costs 1. False where unreached, or beyond 13,859 diagonals.
THRONG_API bool throng_field_octile_steps(const throng_field *field, int x, int y, int *straight,
                                          int *diagonal);

/// Walks a point along the field from `start` in steps of `step` metres until within `step` of the
/// goal or `max_steps`. Writes up to `capacity` points (points may be NULL) and the walked length.
/// Returns true when it arrived. What tests and debug pictures use.
THRONG_API bool throng_field_trace(const throng_field *field, throng_vec2 start, float step,
                                   int max_steps, throng_vec2 *points, int capacity,
                                   int *point_count, float *length);

#ifdef __cplusplus
}
#endif

#endif
