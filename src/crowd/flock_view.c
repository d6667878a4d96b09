/// Who is seen of the flock: those of one's own profile who walk, within a radius, or the k nearest
/// of them (Ballerini et al. 2008: starlings heed the six or seven nearest, however far).
///
/// Rows are sorted by bin, and by slot within a bin, so a sum over the bins in order is the same
/// whatever happened before. The k nearest are kept in order of distance, ties by slot, and summed
/// in that order. They are looked for in a block of bins as wide as the row before needed, and in a
/// wider one while that may hide somebody nearer than the k-th.
#include "crowd/flock.h"
#include "crowd/planet.h"
#include <math.h>

typedef struct look {
    const throng_crowd *crowd;
    const throng_profile_def *profile;
    const thg_level *level; ///< of the bins: a flock is of one profile, so of one level
    int row;
    float x, y, square; ///< place, and squared radius
    thg_flock_view *view;
    int count; ///< of the nearest
    float near_square[THG_MOST_NEAREST];
    int near_row[THG_MOST_NEAREST];
} look;

static void add(look *look, int other, float square)
{
    const thg_columns *columns = &look->crowd->columns;
    thg_flock_view *view = look->view;
    float dx = columns->x[other] - look->x, dy = columns->y[other] - look->y;
    float spacing = look->profile->flock_spacing;
    view->count++;
    view->to_x += dx;
    view->to_y += dy;
    view->vx += columns->vx[other];
    view->vy += columns->vy[other];
    if (!(square < spacing * spacing)) {
        return;
    }
    if (square > THG_COINCIDENT) {
        float distance = sqrtf(square);
        float share = (1.0f - distance / spacing) / distance;
        view->away_x -= dx * share;
        view->away_y -= dy * share;
    } else {
        float own_x, own_y;
        thg_own_direction(look->crowd->bins.turn, columns->slot[look->row], &own_x, &own_y);
        view->away_x += own_x;
        view->away_y += own_y;
    }
}

/// Keeps the k nearest in order; a tie goes to the lower slot.
static void keep(look *look, int other, float square)
{
    const uint32_t *slot = look->crowd->columns.slot;
    int most = look->profile->flock_nearest, at = look->count;
    while (at > 0 &&
           (square < look->near_square[at - 1] ||
            (square == look->near_square[at - 1] && slot[other] < slot[look->near_row[at - 1]]))) {
        at--;
    }
    if (at == most) {
        return;
    }
    look->count += look->count < most;
    for (int i = look->count - 1; i > at; i--) {
        look->near_square[i] = look->near_square[i - 1];
        look->near_row[i] = look->near_row[i - 1];
    }
    look->near_square[at] = square;
    look->near_row[at] = other;
}

/// Takes one row in, if it is of the flock.
static void look_at(look *look, int other)
{
    const throng_crowd *crowd = look->crowd;
    const thg_columns *columns = &crowd->columns;
    float dx = columns->x[other] - look->x, dy = columns->y[other] - look->y;
    float square = dx * dx + dy * dy;
    if (!(square <= look->square) || columns->profile[other] != columns->profile[look->row] ||
        other == look->row || !thg_row_walks(crowd, other) ||
        (look->profile->flock_by_goal && columns->goal[other] != columns->goal[look->row])) {
        return;
    }
    if (look->profile->flock_nearest > 0) {
        keep(look, other, square);
    } else {
        add(look, other, square);
    }
}

/// Those of the flock in bins x0 to x1 of a bin row.
static void look_along(look *look, int x0, int x1, int y)
{
    const throng_crowd *crowd = look->crowd;
    const thg_bins *bins = &crowd->bins;
    const thg_level *level = look->level;
    if (y < 0 || y >= level->height) {
        return;
    }
    x0 = thg_max_int(x0, 0);
    x1 = thg_min_int(x1, level->width - 1);
    if (x0 > x1) {
        return;
    }
    const uint32_t *line = bins->start + level->first + y * level->width;
    for (int other = (int)line[x0]; other < (int)line[x1 + 1]; other++) {
        look_at(look, other);
    }
}

static void look_at_block(look *look, int x, int y, int rings)
{
    for (int k = -rings; k <= rings; k++) {
        look_along(look, x - rings, x + rings, y + k);
    }
}

/// The k nearest: in a block of bins, and in a larger one while it may hide somebody nearer than
/// the k-th. Whom that finds does not depend on the block it begins with.
static void look_for_nearest(look *look, int x, int y, int most, int *hint)
{
    float size = look->level->size * 0.9999f; // bins are found with a little rounding
    int rings = thg_min_int(*hint > 0 ? *hint : 1, most);
    for (;;) {
        look->count = 0;
        look_at_block(look, x, y, rings);
        bool enough = look->count == look->profile->flock_nearest;
        float farthest = enough ? look->near_square[look->count - 1] : 0.0f;
        float seen = (float)rings * size; // whoever is not in the block is farther than this
        int needed = enough ? (int)(sqrtf(farthest) / size) + 1 : 2 * rings + 1;
        *hint = thg_min_int(needed, most);
        if (rings == most || (enough && farthest < seen * seen)) {
            break;
        }
        rings = thg_min_int(needed > rings ? needed : rings + 1, most);
    }
    for (int i = 0; i < look->count; i++) {
        add(look, look->near_row[i], look->near_square[i]);
    }
}

/// The same on a planet: of all within the radius.
static void look_on_planet(const throng_crowd *crowd, int row, thg_local *local, look *look)
{
    thg_ranges ranges;
    thg_planet_ranges(crowd, row, look->profile->flock_radius, &ranges);
    thg_local_look(local, crowd, row, &ranges, look->profile->flock_radius * 1.001f);
    look->crowd = &local->crowd;
    look->row = 0;
    look->x = look->y = 0.0f;
    for (int other = 1; other < local->count; other++) {
        look_at(look, other);
    }
    for (int i = 0; i < look->count; i++) {
        add(look, look->near_row[i], look->near_square[i]);
    }
}

void thg_flock_look(const throng_crowd *crowd, int row, int *hint, thg_local *local,
                    thg_flock_view *view)
{
    const thg_profile *mine = &crowd->profiles[crowd->columns.profile[row]];
    const thg_level *level = &crowd->bins.levels[mine->level];
    const throng_profile_def *profile = &mine->def;
    look look = {.crowd = crowd,
                 .profile = profile,
                 .level = level,
                 .row = row,
                 .x = crowd->columns.x[row],
                 .y = crowd->columns.y[row],
                 .square = profile->flock_radius * profile->flock_radius,
                 .view = view};
    *view = (thg_flock_view){0};
    if (crowd->derived.spots != NULL) {
        look_on_planet(crowd, row, local, &look);
        return;
    }
    int rings = (int)(profile->flock_radius * level->inverse_size) + 1;
    int x = (int)((crowd->derived.bin[row] - level->first) % (uint32_t)level->width);
    int y = (int)((crowd->derived.bin[row] - level->first) / (uint32_t)level->width);
    if (profile->flock_nearest > 0) {
        look_for_nearest(&look, x, y, rings, hint);
        return;
    }
    look_at_block(&look, x, y, rings);
}
