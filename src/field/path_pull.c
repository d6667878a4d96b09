/// From the coarse way to a taut line.
///
/// First each leg that is not a straight line is walked inside its sector, down the costs from its
/// end, and straightened; then the whole is pulled: from each point on to the farthest that a
/// straight line reaches more cheaply than the way between; then corners are cut, halving what is
/// cut until the line fits, until little is gained; then pulled once more. Where terrain costs
/// differ, what counts is what a line costs, not its length. Only sums, products and roots of
/// doubles: the same everywhere.
#include "field/path.h"
#include "field/solver.h"
#include <math.h>

#define CUT_ROUNDS 6
#define CUT_HALVINGS 5
#define LEAST_GAIN 1e-6 ///< of its cost, that a line must gain: rounding is no gain

/// Steps along a straight line, from cell to cell.
typedef struct line_walk {
    int x, y, end_x, end_y, step_x, step_y;
    double next_x, next_y;   ///< share of the line at which the next column or row begins
    double delta_x, delta_y; ///< share between two columns, two rows
} line_walk;

static void axis_begin(double from, double to, int cell, int step, double *next, double *delta)
{
    double way = to - from;
    if (way == 0.0) {
        *next = *delta = 2.0; // never
        return;
    }
    double edge = (double)(step > 0 ? cell + 1 : cell);
    *next = (edge - from) / way;
    *delta = (double)step / way;
}

static line_walk line_begin(throng_vec2 from, throng_vec2 to)
{
    line_walk walk;
    walk.x = (int)from.x;
    walk.y = (int)from.y;
    walk.end_x = (int)to.x;
    walk.end_y = (int)to.y;
    walk.step_x = walk.end_x > walk.x ? 1 : -1;
    walk.step_y = walk.end_y > walk.y ? 1 : -1;
    axis_begin((double)from.x, (double)to.x, walk.x, walk.step_x, &walk.next_x, &walk.delta_x);
    axis_begin((double)from.y, (double)to.y, walk.y, walk.step_y, &walk.next_y, &walk.delta_y);
    return walk;
}

/// Price summed over shares of a line between cells of different prices; the line is free.
static double priced_share(const throng_map *map, const thg_layer *layer, throng_vec2 from,
                           throng_vec2 to)
{
    line_walk walk = line_begin(from, to);
    double sum = 0.0;
    double at = 0.0;
    for (;;) {
        double price = (double)layer->price[thg_padded_index(map, walk.x, walk.y)];
        if (walk.x == walk.end_x && walk.y == walk.end_y) {
            return sum + (1.0 - at) * price;
        }
        bool along_x = walk.y == walk.end_y || (walk.x != walk.end_x && walk.next_x < walk.next_y);
        double next = along_x ? walk.next_x : walk.next_y;
        next = next < at ? at : next > 1.0 ? 1.0 : next;
        sum += (next - at) * price;
        at = next;
        if (along_x) {
            walk.x += walk.step_x;
            walk.next_x += walk.delta_x;
        } else {
            walk.y += walk.step_y;
            walk.next_y += walk.delta_y;
        }
    }
}

static double length_of(throng_vec2 from, throng_vec2 to)
{
    double dx = (double)to.x - (double)from.x;
    double dy = (double)to.y - (double)from.y;
    return sqrt(dx * dx + dy * dy);
}

/// What a line costs that is known to be free, in cells of unit price.
static double free_cost(const throng_map *map, const thg_layer *layer, throng_vec2 from,
                        throng_vec2 to)
{
    double price = layer->min_price == layer->max_price ? (double)layer->min_price
                                                        : priced_share(map, layer, from, to);
    return length_of(from, to) * price * (1.0 / (double)THG_PRICE_UNIT);
}

double thg_path_line_cost(const throng_map *map, const thg_layer *layer, throng_vec2 from,
                          throng_vec2 to)
{
    return thg_layer_sees(map, layer, 0, from.x, from.y, to.x, to.y)
               ? free_cost(map, layer, from, to)
               : (double)INFINITY;
}

/// A way being pulled.
typedef struct way {
    throng_paths *paths;
    const throng_map *map;
    const thg_layer *layer;
} way;

static double line_cost(const way *of, throng_vec2 from, throng_vec2 to)
{
    of->paths->work += 1 + (int64_t)length_of(from, to) / 16;
    return thg_path_line_cost(of->map, of->layer, from, to);
}

/// True when the straight line from a to b is no dearer than `cost`.
static bool shorter(const way *of, throng_vec2 a, throng_vec2 b, double cost)
{
    return line_cost(of, a, b) <= cost * (1.0 + LEAST_GAIN);
}

static double way_cost(const way *of, const throng_vec2 *points, int from, int to)
{
    double sum = 0.0;
    for (int i = from; i < to; i++) {
        sum += free_cost(of->map, of->layer, points[i], points[i + 1]);
    }
    return sum;
}

/// Index of the farthest point that a straight line from `from` replaces the way to: by doubling,
/// then halving, for the farther the less likely.
static int farthest(const way *of, const throng_vec2 *points, int count, int from)
{
    int good = from + 1;
    int step = 1;
    double cost = way_cost(of, points, from, good);
    int bad = count;
    while (good + step < count) {
        double on = cost + way_cost(of, points, good, good + step);
        if (!shorter(of, points[from], points[good + step], on)) {
            bad = good + step;
            break;
        }
        good += step;
        cost = on;
        step *= 2;
        step = thg_min_int(step, thg_max_int(count - 1 - good, 1));
    }
    while (bad - good > 1 && bad < count) {
        int middle = good + (bad - good) / 2;
        double on = cost + way_cost(of, points, good, middle);
        if (shorter(of, points[from], points[middle], on)) {
            good = middle;
            cost = on;
        } else {
            bad = middle;
        }
    }
    return good;
}

/// Straightens a way; `to` may be `points`. Returns how many points are left.
static int straighten(const way *of, const throng_vec2 *points, int count, throng_vec2 *to)
{
    int kept = 0;
    int at = 0;
    to[kept++] = points[0];
    while (at < count - 1) {
        at = farthest(of, points, count, at);
        to[kept++] = points[at];
    }
    return kept;
}

static throng_vec2 between(throng_vec2 from, throng_vec2 to, double share)
{
    throng_vec2 at = {(float)((double)from.x + ((double)to.x - (double)from.x) * share),
                      (float)((double)from.y + ((double)to.y - (double)from.y) * share)};
    return at;
}

/// Cuts the corner b of a, b, c as far as a straight line allows. Returns how many points replace
/// it: none, two, or one, b itself.
static int cut_corner(const way *of, throng_vec2 a, throng_vec2 b, throng_vec2 c,
                      throng_vec2 cut[2])
{
    if (shorter(of, a, c,
                free_cost(of->map, of->layer, a, b) + free_cost(of->map, of->layer, b, c))) {
        return 0;
    }
    double good = 0.0;
    double bad = 1.0;
    for (int i = 0; i < CUT_HALVINGS; i++) {
        double share = 0.5 * (good + bad);
        throng_vec2 p = between(b, a, share);
        throng_vec2 q = between(b, c, share);
        double parts = free_cost(of->map, of->layer, p, b) + free_cost(of->map, of->layer, b, q);
        if (line_cost(of, p, q) < parts * (1.0 - LEAST_GAIN)) {
            good = share;
        } else {
            bad = share;
        }
    }
    cut[0] = between(b, a, good);
    cut[1] = between(b, c, good);
    // A part of a line that is free may touch a corner by a rounding: then the corner stays.
    if (good == 0.0 || !(line_cost(of, a, cut[0]) < (double)INFINITY) ||
        !(line_cost(of, cut[1], c) < (double)INFINITY)) {
        cut[0] = b;
        return 1;
    }
    return 2;
}

/// Cuts every corner once, into `to`. Returns how many points that makes; `count` when they would
/// not all fit.
static int cut_corners(const way *of, const throng_vec2 *points, int count, throng_vec2 *to,
                       int capacity)
{
    if (2 * count > capacity) {
        return 0;
    }
    int kept = 0;
    to[kept++] = points[0];
    for (int i = 1; i + 1 < count; i++) {
        throng_vec2 cut[2];
        int pieces = cut_corner(of, to[kept - 1], points[i], points[i + 1], cut);
        for (int k = 0; k < pieces; k++) {
            to[kept++] = cut[k];
        }
    }
    to[kept++] = points[count - 1];
    return kept;
}

static int inside(int cell, int count)
{
    return thg_min_int(thg_max_int(cell, 0), count - 1);
}

/// Walks a leg inside its sector, down the costs from its end: fills the chain.
static int walk_leg(throng_paths *paths, const thg_path_leg *leg)
{
    thg_sectors *sectors = paths->sectors;
    thg_block *block = sectors->block;
    thg_block_load(block, paths->def.map, &paths->def.map->layers[paths->def.class_index],
                   (leg->sector % sectors->columns) << sectors->shift,
                   (leg->sector / sectors->columns) << sectors->shift, sectors->side);
    // An end on the line between sectors is seen from a hair inside this one.
    throng_vec2 end = leg->to;
    end.x = thg_clamp(end.x, (float)block->first_x + 1e-3f,
                      (float)(block->first_x + block->width) - 1e-3f);
    end.y = thg_clamp(end.y, (float)block->first_y + 1e-3f,
                      (float)(block->first_y + block->height) - 1e-3f);
    thg_block_clear(block, 0, 0);
    thg_block_seed_point(block, end.x, end.y);
    int x = inside((int)leg->from.x - block->first_x, block->width);
    int y = inside((int)leg->from.y - block->first_y, block->height);
    paths->work += thg_block_run_until(block, thg_block_index(block, x, y));
    int count = 0;
    paths->chain[count++] = leg->from;
    for (int move = 0; move >= 0 && count < THG_BLOCK_ROOM - 1;) {
        throng_vec2 center = {(float)(block->first_x + x) + 0.5f,
                              (float)(block->first_y + y) + 0.5f};
        paths->chain[count++] = center;
        unsigned moves =
            block->layer
                ->moves[thg_padded_index(block->map, block->first_x + x, block->first_y + y)];
        move = thg_flow_steepest(moves, block->cost + thg_block_index(block, x, y), block->stride);
        x += move >= 0 ? thg_move_x[move] : 0;
        y += move >= 0 ? thg_move_y[move] : 0;
    }
    paths->chain[count++] = leg->to;
    return count;
}

/// The legs as one line of points. Returns how many; stops before there is no room for a leg.
static int write_points(throng_paths *paths, const way *of, bool *whole)
{
    int count = 0;
    paths->points[count++] = paths->legs[0].from;
    *whole = true;
    for (int i = 0; i < paths->leg_count; i++) {
        const thg_path_leg *leg = &paths->legs[i];
        bool straight = thg_straight_cost(of->map, of->layer, of->layer->min_price, leg->from,
                                          leg->to) != THRONG_UNREACHED;
        int steps = straight ? 2 : walk_leg(paths, leg);
        if (straight) {
            paths->chain[1] = leg->to;
        } else {
            steps = straighten(of, paths->chain, steps, paths->chain);
        }
        if (count + steps > paths->def.max_points / 2) {
            *whole = false;
            break;
        }
        for (int k = 1; k < steps; k++) {
            paths->points[count++] = paths->chain[k];
        }
    }
    return count;
}

double thg_path_cost(const throng_map *map, const thg_layer *layer, const throng_vec2 *points,
                     int count)
{
    double sum = 0.0;
    for (int i = 0; i + 1 < count; i++) {
        sum += free_cost(map, layer, points[i], points[i + 1]);
    }
    return sum;
}

int thg_path_taut(throng_paths *paths, throng_vec2 *points, int count)
{
    way of = {paths, paths->def.map, &paths->def.map->layers[paths->def.class_index]};
    count = straighten(&of, points, count, points);
    for (int round = 0; round < CUT_ROUNDS && count > 2; round++) {
        int cut = cut_corners(&of, points, count, paths->scratch, paths->def.max_points);
        if (cut == 0) {
            break;
        }
        count = straighten(&of, paths->scratch, cut, points);
    }
    return count;
}

int thg_path_pull(throng_paths *paths, bool quick, bool *whole)
{
    way of = {paths, paths->def.map, &paths->def.map->layers[paths->def.class_index]};
    int count = write_points(paths, &of, whole);
    count = thg_path_taut(paths, paths->points, count);
    return *whole && !quick && thg_path_wants_refining(paths) ? thg_path_refine(paths, count)
                                                              : count;
}
