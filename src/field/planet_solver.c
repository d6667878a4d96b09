/// The eikonal equation on a planet: what a cell costs, from pairs of neighbours on its ring.
///
/// A front that reaches the cell's middle C between neighbours A and B, which it passed at T(A) and
/// T(B), comes at T(A) + q(T(B) - T(A)), where q is the height of C over AB seen along the front
/// (Kimmel, Sethian 1998: Fermat's principle on a triangle). q rises with slope 0 to 1: beyond its
/// ends the way is through A or through B alone. Here q is the exact floor of such a function, in
/// whole numbers, so the cost of a cell never falls when a neighbour's rises; and then any order of
/// strict decreases from unreached ends in the same fixed point, the highest. The heap only chooses
/// a good order. Ends are drawn in by a hair (MARGIN of the metric), which costs nothing visible:
/// the function is flat there.
#include "field/planet.h"

#define BALL 8.0       ///< cells round a goal that get their exact distances
#define MOST_BALL 1024 ///< cells of it

/// Exact floor of the square root.
static uint64_t root_of(uint64_t value)
{
    uint64_t root = (uint64_t)sqrt((double)value);
    while (root * root > value) {
        root--;
    }
    while ((root + 1) * (root + 1) <= value) {
        root++;
    }
    return root;
}

/// Price of a length in 1/16384 cell.
static int64_t price_of(uint16_t length, uint16_t price)
{
    int64_t per_cell = (int64_t)price * (THRONG_EIKONAL_UNIT / THG_PRICE_UNIT);
    return (per_cell * length + 8192) >> 14;
}

static uint32_t at_most_far(uint64_t cost)
{
    return cost < THRONG_FAR ? (uint32_t)cost : THRONG_FAR;
}

/// Through the edge between two neighbours; *bent is T(B) - T(A), cut to where it crosses the edge.
static uint32_t cross(const thg_triangle *triangle, uint32_t straight, uint32_t odd, uint16_t price,
                      int64_t *bent, int64_t *edge)
{
    int64_t whole = price_of(triangle->edge, price);
    int64_t rise = (int64_t)odd - (int64_t)straight, rest = 0;
    // Whole numbers within the ends: up for the lower one, down for the upper.
    int64_t high = (whole * triangle->high - 16383 * (triangle->high < 0)) / 16384;
    int64_t low = (whole * triangle->low + 16383 * (triangle->low > 0)) / 16384;
    if (rise > high) {
        rise = high;
    } else if (rise < low) {
        rest = rise - low;
        rise = low;
    }
    // At most 2^27 times 2^34.
    uint64_t height = (uint64_t)triangle->height * triangle->height;
    uint64_t root = root_of(height * (uint64_t)(whole * whole - rise * rise));
    int64_t over = (rise * triangle->foot + (int64_t)root) / 8192; // never below zero
    *bent = rise;
    *edge = whole;
    return at_most_far((uint64_t)((int64_t)straight + over + rest));
}

/// True when the odd neighbour can be gone to: nothing sticks into the way on either side.
static bool odd_is_open(const throng_planet_field *field, const uint32_t *ring, int odd)
{
    const uint16_t *price = thg_planet_prices(field);
    return price[ring[odd]] != 0 && price[ring[odd - 1]] != 0 && price[ring[(odd + 1) & 7]] != 0;
}

static void try_neighbour(const throng_planet_field *field, uint32_t cell, thg_metric_view view,
                          int place, thg_planet_way *best)
{
    const uint32_t *ring = field->planet->ring[cell];
    const uint16_t *price = thg_planet_prices(field);
    bool odd = place % 2 == 1;
    uint32_t there = field->cost[ring[place]];
    if (there == THRONG_UNREACHED ||
        (odd ? !odd_is_open(field, ring, place) : price[ring[place]] == 0)) {
        return;
    }
    int64_t way = price_of(thg_metric_length(view, place), price[cell]);
    uint32_t cost = at_most_far((uint64_t)there + (uint64_t)way);
    if (cost < best->cost) {
        *best = (thg_planet_way){cost, odd ? -1 : place, odd ? place : -1, odd ? 1.0 : 0.0};
    }
}

static void try_triangle(const throng_planet_field *field, uint32_t cell, thg_metric_view view,
                         int place, thg_planet_way *best)
{
    const uint32_t *ring = field->planet->ring[cell];
    const thg_triangle *triangle = thg_metric_triangle(view, place);
    int straight = place % 2 == 0 ? place : (place + 1) & 7,
        odd = place % 2 == 0 ? place + 1 : place;
    uint32_t a = field->cost[ring[straight]], b = field->cost[ring[odd]];
    if (triangle->edge == 0 || a == THRONG_UNREACHED || b == THRONG_UNREACHED ||
        !odd_is_open(field, ring, odd)) {
        return;
    }
    int64_t rise, edge;
    uint32_t cost = cross(triangle, a, b, thg_planet_prices(field)[cell], &rise, &edge);
    if (cost < best->cost) {
        double slope = (double)rise / sqrt((double)(edge * edge - rise * rise));
        double share = ((double)triangle->foot - (double)triangle->height * slope) / 8192.0;
        share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
        *best = (thg_planet_way){cost, straight, odd, share};
    }
}

thg_planet_way thg_planet_best_way(const throng_planet_field *field, uint32_t cell)
{
    thg_metric_view view = thg_metric_of(field->planet, cell);
    thg_planet_way best = {THRONG_UNREACHED, -1, -1, 0.0};
    for (int place = 0; place < THG_RING; place++) {
        try_triangle(field, cell, view, place, &best);
    }
    for (int place = 0; place < THG_RING; place++) {
        try_neighbour(field, cell, view, place, &best);
    }
    return best;
}

static void offer(throng_planet_field *field, uint32_t cell, uint32_t cost)
{
    if (cost < field->cost[cell]) {
        field->cost[cell] = cost;
        thg_heap_offer(&field->heap, cell, cost);
    }
}

/// Lets a cell that has fallen count for a neighbour: as a point, and in the two triangles it is
/// in. At a corner of the cube it may have two places on the neighbour's ring.
static void tell(throng_planet_field *field, uint32_t cell, uint32_t to)
{
    thg_metric_view view = thg_metric_of(field->planet, to);
    thg_planet_way best = {THRONG_UNREACHED, -1, -1, 0.0};
    for (int place = 0; place < THG_RING; place++) {
        if (field->planet->ring[to][place] == cell) {
            try_neighbour(field, to, view, place, &best);
            try_triangle(field, to, view, place, &best);
            try_triangle(field, to, view, (place + 7) & 7, &best);
        }
    }
    offer(field, to, best.cost);
}

/// Lists the cells within the ball round a goal, nearest rings first. False when one of them, or
/// one beside them, does not fit or has another price: then straight lines are not sure.
static bool list_ball(const throng_planet_field *field, int goal, uint32_t *list, int *count)
{
    const throng_planet *planet = field->planet;
    const uint16_t *price = thg_planet_prices(field);
    double reach = BALL * planet->cell_size / planet->radius;
    uint32_t first = field->goal_cells[goal];
    *count = 0;
    list[(*count)++] = first;
    for (int i = 0; i < *count; i++) {
        for (int k = 0; k < THG_RING; k++) {
            uint32_t cell = planet->ring[list[i]][k];
            bool known = false;
            for (int j = 0; j < *count && !known; j++) {
                known = list[j] == cell;
            }
            if (price[cell] != price[first]) {
                return false;
            }
            if (!known && *count < MOST_BALL &&
                thg_sphere_angle(field->goals[goal], thg_planet_middle(planet, cell)) <= reach) {
                list[(*count)++] = cell;
            }
        }
    }
    return true;
}

static void seed(throng_planet_field *field, int goal)
{
    const throng_planet *planet = field->planet;
    uint32_t list[MOST_BALL], first = field->goal_cells[goal];
    uint16_t price = thg_planet_prices(field)[first];
    int count;
    if (price == 0) {
        return;
    }
    if (!list_ball(field, goal, list, &count)) {
        count = 1;
    }
    double scale = (double)price * (double)(THRONG_EIKONAL_UNIT / THG_PRICE_UNIT) * planet->radius /
                   planet->cell_size;
    for (int i = 0; i < count; i++) {
        double angle = thg_sphere_angle(field->goals[goal], thg_planet_middle(planet, list[i]));
        offer(field, list[i], (uint32_t)(angle * scale + 0.5));
    }
}

/// A part of the goal that is a cell.
static void seed_cell(throng_planet_field *field, int cell)
{
    if (thg_planet_prices(field)[cell] != 0) {
        offer(field, (uint32_t)cell, 0);
    }
}

/// The cells of a shape, and those whose middles its rectangles hold.
static void seed_shape(throng_planet_field *field)
{
    const throng_map *atlas = field->planet->atlas;
    const throng_goal_shape *shape = field->shape;
    for (int i = 0; i < shape->cell_count; i++) {
        seed_cell(field, shape->cells[i]);
    }
    for (int i = 0; i < shape->rect_count; i++) {
        const throng_rect *rect = &shape->rects[i];
        int x0, y0, x1, y1;
        throng_map_cell_at(atlas, rect->min, &x0, &y0);
        throng_map_cell_at(atlas, rect->max, &x1, &y1);
        for (int y = y0; y <= y1; y++) {
            for (int x = x0; x <= x1; x++) {
                throng_vec2 center = throng_map_cell_center(atlas, x, y);
                if (center.x >= rect->min.x && center.x < rect->max.x && center.y >= rect->min.y &&
                    center.y < rect->max.y) {
                    seed_cell(field, y * field->planet->side + x);
                }
            }
        }
    }
}

void thg_planet_resolve(throng_planet_field *field, const throng_vec2 *points)
{
    const throng_planet *planet = field->planet;
    const throng_goal_shape *shape = field->shape;
    for (int i = 0; shape != NULL && i < shape->point_count; i++) {
        throng_vec2 at = points != NULL ? points[i] : shape->points[i];
        thg_vec3 place = thg_planet_spot(planet, at.x, at.y).place;
        uint32_t cell = thg_planet_cell_under(planet, at.x, at.y);
        if (thg_planet_prices(field)[cell] == 0) {
            int fit = thg_planet_nearest_fit(planet, field->class_index, at.x, at.y, 0);
            thg_vec3 middle = fit >= 0 ? thg_planet_middle(planet, (uint32_t)fit) : place;
            double off = thg_sphere_angle(place, middle) * planet->radius;
            if (fit >= 0 && off <= (double)shape->snap_distance) {
                place = middle;
                cell = (uint32_t)fit;
            }
        }
        field->goals[i] = place;
        field->goal_cells[i] = cell;
    }
}

void thg_planet_begin_costs(throng_planet_field *field)
{
    for (int cell = 0; cell < field->planet->cell_count; cell++) {
        field->cost[cell] = THRONG_UNREACHED;
    }
    thg_heap_clear(&field->heap);
    for (int i = 0; i < field->goal_count; i++) {
        seed(field, i);
    }
    if (field->shape != NULL) {
        seed_shape(field);
    }
}

bool thg_planet_advance_costs(throng_planet_field *field, int *budget)
{
    const throng_planet *planet = field->planet;
    const uint16_t *price = thg_planet_prices(field);
    while (field->heap.count > 0 && *budget > 0) {
        uint32_t cell = thg_heap_take(&field->heap);
        for (int k = 0; k < THG_RING; k++) {
            uint32_t to = planet->ring[cell][k];
            if (price[to] != 0) {
                tell(field, cell, to);
            }
        }
        *budget -= THG_PLANET_CELL;
    }
    return field->heap.count == 0;
}
