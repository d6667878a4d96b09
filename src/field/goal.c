/// Goals: copies of shapes, points snapped to cells that fit, and the costs a solve starts from.
///
/// A point source is where Godunov's scheme errs most: the front's curvature is unbounded there,
/// and the error is carried outwards for ever. So cells in clear sight of the goal start from their
/// exact distance to it; the scheme takes over where the front is nearly straight. The distance is
/// measured to the point itself, not to the middle of its cell.
#include "field/solver.h"
#include <math.h>
#include <string.h>

throng_goal_shape throng_default_goal_shape(void)
{
    throng_goal_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.snap_distance = 2.0f;
    return shape;
}

static bool shape_valid(const throng_goal_shape *shape)
{
    return shape->point_count >= 0 && shape->rect_count >= 0 && shape->cell_count >= 0 &&
           (shape->point_count == 0 || shape->points != NULL) &&
           (shape->rect_count == 0 || shape->rects != NULL) &&
           (shape->cell_count == 0 || shape->cells != NULL) && shape->snap_distance >= 0.0f;
}

/// Arrays for a shape, and for `front_count` points that are being read.
static bool arrays_create(thg_goal_copy *goal, const throng_goal_shape *shape, int front_count)
{
    memset(goal, 0, sizeof *goal);
    goal->point_capacity = shape->point_count;
    goal->rect_capacity = shape->rect_count;
    goal->cell_capacity = shape->cell_count;
    goal->points = thg_allocate((size_t)shape->point_count, sizeof *goal->points);
    goal->rects = thg_allocate((size_t)shape->rect_count, sizeof *goal->rects);
    goal->cells = thg_allocate((size_t)shape->cell_count, sizeof *goal->cells);
    bool complete = goal->points != NULL && goal->rects != NULL && goal->cells != NULL;
    for (int i = 0; i < 2; i++) {
        // The two change places with every solve, so each must hold what either may need.
        goal->resolved_capacity[i] = thg_max_int(shape->point_count, front_count);
        goal->resolved[i] =
            thg_allocate((size_t)goal->resolved_capacity[i], sizeof *goal->resolved[i]);
        complete = complete && goal->resolved[i] != NULL;
    }
    return complete;
}

/// Copies of arrays; memcpy wants no NULL, not even for nothing.
static void copy(void *to, const void *from, int count, size_t size)
{
    if (count > 0) {
        memcpy(to, from, (size_t)count * size);
    }
}

throng_result thg_goal_copy_set(thg_goal_copy *goal, const throng_goal_shape *shape)
{
    if (!shape_valid(shape)) {
        return THRONG_BAD_ARGUMENT;
    }
    bool roomy = goal->points != NULL && shape->point_count <= goal->point_capacity &&
                 shape->rect_count <= goal->rect_capacity &&
                 shape->cell_count <= goal->cell_capacity;
    if (!roomy) {
        // The old shape must survive a failure, so the new arrays are complete before it goes.
        thg_goal_copy fresh;
        if (!arrays_create(&fresh, shape, goal->resolved_count[0])) {
            thg_goal_copy_release(&fresh);
            return THRONG_NO_MEMORY;
        }
        fresh.resolved_count[0] = goal->resolved_count[0];
        copy(fresh.resolved[0], goal->resolved[0], goal->resolved_count[0], sizeof(throng_vec2));
        thg_goal_copy_release(goal);
        *goal = fresh;
    }
    copy(goal->points, shape->points, shape->point_count, sizeof *goal->points);
    copy(goal->rects, shape->rects, shape->rect_count, sizeof *goal->rects);
    copy(goal->cells, shape->cells, shape->cell_count, sizeof *goal->cells);
    goal->shape = *shape;
    goal->shape.points = goal->points;
    goal->shape.rects = goal->rects;
    goal->shape.cells = goal->cells;
    goal->resolved_count[1] = 0;
    return THRONG_OK;
}

void thg_goal_copy_release(thg_goal_copy *goal)
{
    thg_release(goal->points, (size_t)goal->point_capacity, sizeof *goal->points);
    thg_release(goal->rects, (size_t)goal->rect_capacity, sizeof *goal->rects);
    thg_release(goal->cells, (size_t)goal->cell_capacity, sizeof *goal->cells);
    for (int i = 0; i < 2; i++) {
        thg_release(goal->resolved[i], (size_t)goal->resolved_capacity[i], sizeof(throng_vec2));
    }
}

static bool is_finite(throng_vec2 point)
{
    return point.x - point.x == 0.0f && point.y - point.y == 0.0f;
}

void thg_goal_resolve(throng_field *field)
{
    thg_goal_copy *goal = &field->goal;
    const throng_map *map = field->map;
    int count = 0;
    for (int i = 0; i < goal->shape.point_count; i++) {
        throng_vec2 point = goal->points[i];
        int x, y;
        if (!is_finite(point)) {
            continue;
        }
        throng_vec2 cells = {(point.x - map->origin.x) * map->inverse_cell_size,
                             (point.y - map->origin.y) * map->inverse_cell_size};
        bool inside = throng_map_cell_at(map, point, &x, &y);
        if (!inside || !throng_map_fits(map, field->class_index, x, y)) {
            if (!throng_map_nearest_fit(map, field->class_index, point, 0, &x, &y)) {
                continue;
            }
            throng_vec2 center = throng_map_cell_center(map, x, y);
            float dx = center.x - point.x;
            float dy = center.y - point.y;
            if (sqrtf(dx * dx + dy * dy) > goal->shape.snap_distance) {
                continue;
            }
            cells.x = (float)x + 0.5f;
            cells.y = (float)y + 0.5f;
        }
        goal->resolved[1][count++] = cells;
    }
    goal->resolved_count[1] = count;
}

void thg_goal_show_points(thg_goal_copy *goal)
{
    goal->resolved_count[0] = goal->resolved_count[1];
    for (int i = 0; i < goal->resolved_count[1]; i++) {
        goal->resolved[0][i] = goal->resolved[1][i];
    }
}

#define BALL_REACH 10 ///< cells from the middle one; BALL_RADIUS and the point's offset in its cell
#define BALL_SIDE (2 * BALL_REACH + 1)

/// A goal point and which of the cells round it are seeded.
typedef struct ball {
    throng_vec2 point; ///< in cells
    int x, y;          ///< its cell
    uint16_t price;
    bool seeded[BALL_SIDE][BALL_SIDE];
} ball;

/// Seeds one cell if it can see the point and both cells before it, towards the point, are seeded
/// too. Without the latter a cell that peeps past a corner could be cheaper than all its
/// neighbours.
static void ball_cell(const throng_field *field, ball *from, int dx, int dy, thg_seed *seed,
                      void *context)
{
    const throng_map *map = field->map;
    const thg_layer *layer = thg_field_layer(field);
    int x = from->x + dx;
    int y = from->y + dy;
    int before_x = dx > 0 ? dx - 1 : dx + (dx < 0);
    int before_y = dy > 0 ? dy - 1 : dy + (dy < 0);
    bool follows = (dx == 0 && dy == 0) || (from->seeded[dy + BALL_REACH][before_x + BALL_REACH] &&
                                            from->seeded[before_y + BALL_REACH][dx + BALL_REACH]);
    bool alone = (dx == 0) != (dy == 0);
    if (alone) {
        follows = from->seeded[before_y + BALL_REACH][before_x + BALL_REACH];
    }
    if (!follows || x < 0 || y < 0 || x >= map->width || y >= map->height) {
        return;
    }
    float center_x = (float)x + 0.5f;
    float center_y = (float)y + 0.5f;
    float away_x = center_x - from->point.x;
    float away_y = center_y - from->point.y;
    float distance = sqrtf(away_x * away_x + away_y * away_y);
    if (distance <= THG_BALL_RADIUS &&
        thg_layer_sees(map, layer, from->price, from->point.x, from->point.y, center_x, center_y)) {
        float scale = (float)from->price * (float)THG_EIKONAL_PER_PRICE;
        from->seeded[dy + BALL_REACH][dx + BALL_REACH] = true;
        seed(context, (uint32_t)thg_padded_index(map, x, y), (uint32_t)(distance * scale + 0.5f));
    }
}

/// Seeds the cells in sight of a point with their distance to it; all of one price.
static void seed_ball(const throng_field *field, throng_vec2 point, thg_seed *seed, void *context)
{
    ball from;
    memset(&from, 0, sizeof from);
    from.point = point;
    from.x = (int)point.x;
    from.y = (int)point.y;
    from.price = thg_field_layer(field)->price[thg_padded_index(field->map, from.x, from.y)];
    for (int i = 0; i <= BALL_REACH; i++) {
        for (int j = 0; j <= BALL_REACH; j++) {
            for (int quadrant = 0; quadrant < 4; quadrant++) {
                int dx = quadrant & 1 ? -j : j;
                int dy = quadrant & 2 ? -i : i;
                bool twice = (j == 0 && (quadrant & 1)) || (i == 0 && (quadrant & 2));
                if (!twice) {
                    ball_cell(field, &from, dx, dy, seed, context);
                }
            }
        }
    }
}

/// What is seeded for a cell of the goal: itself, and a ball where one is wanted.
static void seed_cell(const throng_field *field, int x, int y, bool ball, thg_seed *seed,
                      void *context)
{
    if (ball) {
        throng_vec2 middle = {(float)x + 0.5f, (float)y + 0.5f};
        seed_ball(field, middle, seed, context);
    } else {
        seed(context, (uint32_t)thg_padded_index(field->map, x, y), 0);
    }
}

/// The cells whose centres lie in a rectangle in metres, as [first, end) along one axis.
static void center_range(float low, float high, float origin, float cell_size, int count,
                         int *first, int *end)
{
    double start = ((double)low - (double)origin) / (double)cell_size - 0.5;
    double stop = ((double)high - (double)origin) / (double)cell_size - 0.5;
    start = start > 0.0 ? start : 0.0; // also for NaN
    stop = stop < (double)count ? stop : (double)count;
    *first = start < (double)count ? (int)start : count;
    *first += (double)*first < start;
    *end = stop > 0.0 ? (int)stop : 0;
    *end += (double)*end < stop;
}

static throng_cell_rect rect_cells(const throng_map *map, const throng_rect *rect)
{
    int first_x, first_y, end_x, end_y;
    center_range(rect->min.x, rect->max.x, map->origin.x, map->cell_size, map->width, &first_x,
                 &end_x);
    center_range(rect->min.y, rect->max.y, map->origin.y, map->cell_size, map->height, &first_y,
                 &end_y);
    throng_cell_rect cells = {first_x, first_y, thg_max_int(end_x - first_x, 0),
                              thg_max_int(end_y - first_y, 0)};
    return cells;
}

/// Moves a cell of the goal to the nearest that fits; false when that is too far.
static bool snap_cell(const throng_field *field, int *x, int *y)
{
    const throng_map *map = field->map;
    if (throng_map_fits(map, field->class_index, *x, *y)) {
        return true;
    }
    throng_vec2 from = throng_map_cell_center(map, *x, *y);
    if (!throng_map_nearest_fit(map, field->class_index, from, 0, x, y)) {
        return false;
    }
    throng_vec2 to = throng_map_cell_center(map, *x, *y);
    float dx = to.x - from.x;
    float dy = to.y - from.y;
    return sqrtf(dx * dx + dy * dy) <= field->goal.shape.snap_distance;
}

void thg_goal_seed(const throng_field *field, thg_seed *seed, void *context)
{
    const throng_map *map = field->map;
    const thg_goal_copy *goal = &field->goal;
    bool ball = field->metric == THRONG_EIKONAL &&
                (int64_t)goal->resolved_count[1] + goal->shape.cell_count <= THG_BALL_GOALS;
    for (int i = 0; i < goal->resolved_count[1]; i++) {
        throng_vec2 point = goal->resolved[1][i];
        if (ball) {
            seed_ball(field, point, seed, context);
        } else {
            seed_cell(field, (int)point.x, (int)point.y, false, seed, context);
        }
    }
    for (int i = 0; i < goal->shape.cell_count; i++) {
        if (goal->cells[i] >= 0 && (size_t)goal->cells[i] < map->cell_count) {
            int x = goal->cells[i] % map->width;
            int y = goal->cells[i] / map->width;
            if (snap_cell(field, &x, &y)) {
                seed_cell(field, x, y, ball, seed, context);
            }
        }
    }
    for (int i = 0; i < goal->shape.rect_count; i++) {
        throng_cell_rect cells = rect_cells(map, &goal->rects[i]);
        for (int y = cells.y; y < cells.y + cells.height; y++) {
            for (int x = cells.x; x < cells.x + cells.width; x++) {
                if (throng_map_fits(map, field->class_index, x, y)) {
                    seed_cell(field, x, y, false, seed, context);
                }
            }
        }
    }
}

bool thg_goal_has_cell(const throng_field *field, int x, int y)
{
    const throng_map *map = field->map;
    const thg_goal_copy *goal = &field->goal;
    for (int i = 0; i < goal->shape.rect_count; i++) {
        throng_cell_rect cells = rect_cells(map, &goal->rects[i]);
        if (x >= cells.x && x < cells.x + cells.width && y >= cells.y &&
            y < cells.y + cells.height) {
            return true;
        }
    }
    for (int i = 0; i < goal->shape.cell_count; i++) {
        if (goal->cells[i] == y * map->width + x) {
            return true;
        }
    }
    return false;
}
