/// What a row on a planet sees, laid into the plane that touches the planet at its place.
///
/// Others are put where they are seen, at their distance along the sphere, and their velocities
/// lose nothing but what leads off the plane. Two see each other equally far away, so they push
/// each other equally.
#include "crowd/planet.h"
#include <math.h>
#include <string.h>

#define NEAR_ROWS 128 ///< that are looked at together

void thg_local_begin(thg_local *local, const throng_crowd *crowd)
{
    memset(local, 0, sizeof *local);
    local->crowd = *crowd;
    thg_columns *columns = &local->crowd.columns;
    thg_derived *derived = &local->crowd.derived;
    columns->x = local->x;
    columns->y = local->y;
    columns->vx = local->vx;
    columns->vy = local->vy;
    columns->slot = local->slot;
    columns->goal = local->goal;
    columns->profile = local->profile;
    columns->status = local->status;
    derived->wish_x = local->wish_x;
    derived->wish_y = local->wish_y;
    derived->radius = local->radius;
    derived->yield = local->yield;
    derived->key = local->key;
    derived->stir = local->stir;
    derived->rank = local->rank;
    derived->who = local->who;
    derived->minds = local->minds;
    local->rows = thg_rows_of(&local->crowd);
    local->ranges.count = 1;
}

static void add_row(thg_local *local, const throng_crowd *crowd, int row, float x, float y)
{
    const thg_columns *columns = &crowd->columns;
    const thg_derived *derived = &crowd->derived;
    int at = local->count++;
    local->x[at] = x;
    local->y[at] = y;
    local->slot[at] = columns->slot[row];
    local->goal[at] = columns->goal[row];
    local->profile[at] = columns->profile[row];
    local->status[at] = columns->status[row];
    local->radius[at] = derived->radius[row];
    local->yield[at] = derived->yield[row];
    local->key[at] = derived->key[row];
    local->stir[at] = derived->stir[row];
    if (crowd->asks_who) {
        local->rank[at] = derived->rank[row];
        local->who[at] = derived->who[row];
        local->minds[at] = derived->minds[row];
    }
}

/// A vector of another spot in the plane of the own one.
static void lay(const thg_spot *own, thg_vec3 north, thg_vec3 along, float *x, float *y)
{
    *x = (float)thg_dot(along, own->east);
    *y = (float)thg_dot(along, north);
}

/// A row as it is seen from another. False when it is farther away than `reach`, or there is no
/// room for it.
static bool add_other(thg_local *local, const throng_crowd *crowd, const thg_spot *own,
                      thg_vec3 north, int row, float reach)
{
    double radius = crowd->map->planet->radius;
    thg_vec3 off = thg_plus(crowd->derived.spots[row].place, own->place, -1.0);
    double chord = thg_dot(off, off);
    if (chord * radius * radius > (double)reach * (double)reach || local->count == THG_LOCAL_MOST) {
        return false;
    }
    // The arc is longer than what is seen of it by a sixth of its square.
    double x = thg_dot(off, own->east), y = thg_dot(off, north);
    double longer = radius * (1.0 + (x * x + y * y) * (1.0 / 6.0));
    add_row(local, crowd, row, (float)(x * longer), (float)(y * longer));
    return true;
}

/// How the row that was added last moves and wants to.
static void add_motion(thg_local *local, const throng_crowd *crowd, const thg_spot *own,
                       thg_vec3 north, int row)
{
    const thg_spot *spot = &crowd->derived.spots[row];
    int at = local->count - 1;
    thg_vec3 zero = {0.0, 0.0, 0.0}, their_north = thg_spot_north(spot);
    float vx = crowd->columns.vx[row], vy = crowd->columns.vy[row];
    float wish_x = crowd->derived.wish_x[row], wish_y = crowd->derived.wish_y[row];
    thg_vec3 along = thg_plus(zero, spot->east, (double)vx);
    lay(own, north, thg_plus(along, their_north, (double)vy), &local->vx[at], &local->vy[at]);
    along = thg_plus(zero, spot->east, (double)wish_x);
    lay(own, north, thg_plus(along, their_north, (double)wish_y), &local->wish_x[at],
        &local->wish_y[at]);
}

/// The row itself, at the origin.
static thg_vec3 begin_look(thg_local *local, const throng_crowd *crowd, int row)
{
    local->count = 0;
    add_row(local, crowd, row, 0.0f, 0.0f);
    local->vx[0] = crowd->columns.vx[row];
    local->vy[0] = crowd->columns.vy[row];
    local->wish_x[0] = crowd->derived.wish_x[row];
    local->wish_y[0] = crowd->derived.wish_y[row];
    local->crowd.derived.spots = &crowd->derived.spots[row];
    return thg_spot_north(&crowd->derived.spots[row]);
}

static void end_look(thg_local *local)
{
    local->ranges.begin[0] = 0;
    local->ranges.end[0] = local->count;
}

void thg_local_look(thg_local *local, const throng_crowd *crowd, int row, const thg_ranges *ranges,
                    float reach)
{
    const thg_spot *own = &crowd->derived.spots[row];
    thg_vec3 north = begin_look(local, crowd, row);
    for (int k = 0; k < ranges->count; k++) {
        for (int j = ranges->begin[k]; j < ranges->end[k]; j++) {
            if (j != row && add_other(local, crowd, own, north, j, reach)) {
                add_motion(local, crowd, own, north, j);
            }
        }
    }
    end_look(local);
}

/// Of some rows those that touch one, or nearly: a first look through space, in floats.
static int find_near(const thg_derived *derived, int row, int first, int count, float fine,
                     int32_t *near)
{
    const float *x = derived->space[0] + first, *y = derived->space[1] + first;
    const float *z = derived->space[2] + first, *radius = derived->radius + first;
    float own_x = derived->space[0][row], own_y = derived->space[1][row];
    float own_z = derived->space[2][row], own_radius = derived->radius[row] + fine;
    float gap[NEAR_ROWS];
    for (int i = 0; i < count; i++) {
        float dx = x[i] - own_x, dy = y[i] - own_y, dz = z[i] - own_z;
        float reach = own_radius + radius[i];
        gap[i] = dx * dx + dy * dy + dz * dz - reach * reach;
    }
    int found = 0;
    for (int i = 0; i < count; i++) {
        near[found] = first + i;
        found += gap[i] <= 0.0f;
    }
    return found;
}

void thg_local_touch(thg_local *local, const throng_crowd *crowd, int row, const thg_ranges *ranges)
{
    const thg_spot *own = &crowd->derived.spots[row];
    thg_vec3 north = begin_look(local, crowd, row);
    float fine = 4e-7f * (float)crowd->map->planet->radius;
    int32_t near[NEAR_ROWS];
    for (int k = 0; k < ranges->count; k++) {
        for (int first = ranges->begin[k]; first < ranges->end[k]; first += NEAR_ROWS) {
            int count = thg_min_int(ranges->end[k] - first, NEAR_ROWS);
            int found = find_near(&crowd->derived, row, first, count, fine, near);
            for (int i = 0; i < found; i++) {
                if (near[i] != row) {
                    add_other(local, crowd, own, north, near[i], INFINITY);
                }
            }
        }
    }
    end_look(local);
}

// ---- Spots ------------------------------------------------------------------------------------

static void refresh_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    (void)block;
    for (int row = first; row < end; row++) {
        thg_spot *spot = &crowd->derived.spots[row];
        float x = crowd->columns.x[row], y = crowd->columns.y[row];
        if (!(spot->x == x && spot->y == y)) { // not a number before the first time
            *spot = thg_planet_spot(crowd->map->planet, x, y);
            double radius = crowd->map->planet->radius;
            crowd->derived.space[0][row] = (float)(spot->place.x * radius);
            crowd->derived.space[1][row] = (float)(spot->place.y * radius);
            crowd->derived.space[2][row] = (float)(spot->place.z * radius);
        }
    }
}

void thg_spots_refresh(throng_crowd *crowd)
{
    thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK, refresh_rows, crowd);
}

throng_vec2 thg_planet_seen_from(const throng_crowd *crowd, int row, float x, float y)
{
    const throng_planet *planet = crowd->map->planet;
    throng_vec2 way;
    thg_planet_see(planet, &crowd->derived.spots[row], thg_planet_spot(planet, x, y).place, &way.x,
                   &way.y);
    return way;
}

// ---- Ways made --------------------------------------------------------------------------------

void thg_planet_find_velocity(throng_crowd *crowd, int row, float dt)
{
    const throng_planet *planet = crowd->map->planet;
    thg_columns *columns = &crowd->columns;
    thg_derived *derived = &crowd->derived;
    thg_spot from = thg_planet_spot(planet, derived->from_x[row], derived->from_y[row]);
    const thg_spot *to = &derived->spots[row];
    float x, y, vx = columns->vx[row], vy = columns->vy[row];
    thg_planet_see(planet, &from, to->place, &x, &y);
    // What positions cannot tell is no change of velocity.
    float off_x = x - vx * dt, off_y = y - vy * dt;
    float fine = 2e-7f * (float)(6 * planet->side) * crowd->map->cell_size;
    if (off_x * off_x + off_y * off_y > fine * fine) {
        float speed = crowd->profiles[columns->profile[row]].def.speed;
        vx = x * (1.0f / dt);
        vy = y * (1.0f / dt);
        thg_limit_length(&vx, &vy, speed * columns->pace[row]);
    }
    thg_spot_carry(&from, to, &vx, &vy);
    columns->vx[row] = vx;
    columns->vy[row] = vy;
    thg_spot_carry(&from, to, &derived->wish_x[row], &derived->wish_y[row]);
}

void thg_planet_drive(throng_crowd *crowd, int row, float dt)
{
    const throng_planet *planet = crowd->map->planet;
    thg_columns *columns = &crowd->columns;
    float *vx = &columns->vx[row], *vy = &columns->vy[row];
    if (*vx == 0.0f && *vy == 0.0f) {
        return;
    }
    const thg_spot *from = &crowd->derived.spots[row];
    thg_vec3 place = thg_planet_go(planet, from, *vx * dt, *vy * dt);
    thg_planet_flatten(planet, place, &columns->x[row], &columns->y[row]);
    thg_spot to = thg_planet_spot(planet, columns->x[row], columns->y[row]);
    thg_spot_carry(from, &to, vx, vy);
}
