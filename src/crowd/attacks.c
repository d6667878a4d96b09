/// Walls that break: who stands before a wall that its ways lead through.
///
/// An agent with `ways_of` has two classes: its own, whose walls stop it, and one to which some of
/// these walls are only dear. It walks the second one's ways until the first one's walls hold it.
/// Nothing of that is state: who attacks what follows from where agents are.
#include "crowd/planet.h"
#include "crowd/routes.h"
#include <math.h>

#define LOOKS 4    ///< places ahead that are looked at, to the distance of a cell
#define HOLD 0.98f ///< of the radius: what it only grazes does not hold it

/// Which way a row wants to go; zero where it does not know.
static throng_vec2 wanted(const throng_crowd *crowd, int row, int class_index)
{
    uint32_t slot = crowd->columns.goal[row];
    const thg_goal_field *field = &crowd->goals[slot].fields[class_index];
    throng_vec2 at = {crowd->columns.x[row], crowd->columns.y[row]};
    throng_vec2 none = {0.0f, 0.0f};
    if (field->question == NULL) {
        throng_goal_id goal = {slot, crowd->goals[slot].generation};
        return throng_crowd_way(crowd, goal, class_index, at).direction;
    }
    const thg_way *way = &crowd->routes->ways[crowd->columns.slot[row]];
    if (way->count == 0 || way->goal != slot) {
        return none;
    }
    float dx = way->points[way->next].x - at.x, dy = way->points[way->next].y - at.y;
    float length = sqrtf(dx * dx + dy * dy);
    return length > 1e-4f ? (throng_vec2){dx / length, dy / length} : none;
}

/// The cell nearest to a place, of those that a disc there would touch and that break; false when
/// there is none. Ties by lower index.
static bool breaks_at(const throng_crowd *crowd, const thg_profile *profile, throng_vec2 place,
                      int *x, int *y)
{
    const throng_map *map = crowd->map;
    float scale = map->inverse_cell_size;
    float u = (place.x - map->origin.x) * scale, v = (place.y - map->origin.y) * scale;
    float radius = HOLD * profile->def.radius * scale, best = radius * radius;
    bool found = false;
    for (int row = (int)floorf(v - radius); row <= (int)floorf(v + radius); row++) {
        for (int column = (int)floorf(u - radius); column <= (int)floorf(u + radius); column++) {
            float du = u - thg_clamp(u, (float)column, (float)column + 1.0f);
            float dv = v - thg_clamp(v, (float)row, (float)row + 1.0f);
            if (du * du + dv * dv < best &&
                throng_map_blocked(map, profile->def.class_index, column, row) &&
                !throng_map_blocked(map, profile->way_class, column, row)) {
                best = du * du + dv * dv;
                *x = column;
                *y = row;
                found = true;
            }
        }
    }
    return found;
}

/// The same on a planet.
static bool breaks_on_planet(const throng_crowd *crowd, const thg_profile *profile,
                             const thg_spot *spot, int *x, int *y)
{
    const throng_map *map = crowd->map;
    uint32_t breaks = map->layers[profile->def.class_index].blocked_terrains &
                      ~map->layers[profile->way_class].blocked_terrains;
    float radius = HOLD * profile->def.radius, best = radius * radius;
    thg_planet_walls walls;
    bool found = false;
    thg_planet_walls_near(map->planet, breaks, spot, radius, &walls);
    for (int i = 0; i < walls.count; i++) {
        float at_x, at_y, square = thg_planet_wall_point(&walls, i, 0.0f, 0.0f, &at_x, &at_y);
        if (square < best) {
            best = square;
            *x = (int)walls.cell[i] % map->width;
            *y = (int)walls.cell[i] / map->width;
            found = true;
        }
    }
    return found;
}

/// The first cell on its way that holds a row and breaks, as far as a cell ahead.
static bool finds_wall(const throng_crowd *crowd, int row, int *x, int *y)
{
    const throng_map *map = crowd->map;
    const thg_profile *profile = &crowd->profiles[crowd->columns.profile[row]];
    throng_vec2 way = wanted(crowd, row, profile->way_class);
    for (int i = 1; i <= LOOKS && (way.x != 0.0f || way.y != 0.0f); i++) {
        float ahead = (float)i / LOOKS * map->cell_size;
        throng_vec2 place = {crowd->columns.x[row] + way.x * ahead,
                             crowd->columns.y[row] + way.y * ahead};
        if (map->planet != NULL) {
            thg_vec3 there = thg_planet_go(map->planet, &crowd->derived.spots[row], way.x * ahead,
                                           way.y * ahead);
            thg_planet_flatten(map->planet, there, &place.x, &place.y);
            thg_spot spot = thg_planet_spot(map->planet, place.x, place.y);
            if (breaks_on_planet(crowd, profile, &spot, x, y)) {
                return true;
            }
        } else if (breaks_at(crowd, profile, place, x, y)) {
            return true;
        }
    }
    return false;
}

int throng_crowd_attacks(const throng_crowd *crowd, throng_attack *attacks, int capacity)
{
    int count = 0;
    for (int row = 0; row < crowd->agent_count; row++) {
        const thg_profile *profile = &crowd->profiles[crowd->columns.profile[row]];
        uint8_t status = crowd->columns.status[row];
        int x, y;
        if (profile->way_class == profile->def.class_index || crowd->columns.goal[row] == 0 ||
            (status != THRONG_WALKING && status != THRONG_STUCK) ||
            !finds_wall(crowd, row, &x, &y)) {
            continue;
        }
        if (count < capacity) {
            uint32_t slot = crowd->columns.slot[row];
            attacks[count] = (throng_attack){{slot, crowd->slots[slot].generation}, x, y};
        }
        count++;
    }
    return count;
}
