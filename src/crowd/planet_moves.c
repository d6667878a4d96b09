/// Moves on a planet: along great circles, out of walls and along them. As walls.c, whose rules
/// these are; every move ends in a free place, checked as it is stored.
#include "crowd/planet.h"
#include <math.h>

#define PUSH_PASSES 6
#define HELD_SHARE 0.95f ///< of the radius that must be clear of walls after a push

/// The nearest point of all walls to a point of the plane, and its squared distance.
static float nearest_point(const thg_planet_walls *walls, float x, float y, float *to_x,
                           float *to_y)
{
    float best = INFINITY;
    *to_x = *to_y = 0.0f;
    for (int i = 0; i < walls->count; i++) {
        float at_x, at_y, square = thg_planet_wall_point(walls, i, x, y, &at_x, &at_y);
        if (square < best) {
            best = square;
            *to_x = at_x;
            *to_y = at_y;
        }
    }
    return best;
}

static bool is_free(const throng_planet *planet, const thg_layer *layer, float radius, float x,
                    float y)
{
    thg_spot spot = thg_planet_spot(planet, x, y);
    thg_planet_walls walls;
    float to_x, to_y, least = radius * HELD_SHARE;
    return !thg_planet_walls_near(planet, layer->blocked_terrains, &spot, radius, &walls) &&
           nearest_point(&walls, 0.0f, 0.0f, &to_x, &to_y) >= least * least;
}

bool thg_planet_push_out(const throng_planet *planet, const thg_layer *layer, float radius,
                         float *x, float *y)
{
    thg_spot spot = thg_planet_spot(planet, *x, *y);
    thg_planet_walls walls;
    float at_x = 0.0f, at_y = 0.0f;
    if (thg_planet_walls_near(planet, layer->blocked_terrains, &spot, 2.0f * radius, &walls)) {
        return false;
    }
    // The nearest wall pushes first: along a row of cells no corner between two of them is felt.
    bool moved = false;
    for (int pass = 0; pass < PUSH_PASSES; pass++) {
        float to_x, to_y, square = nearest_point(&walls, at_x, at_y, &to_x, &to_y);
        if (square >= radius * radius) {
            break;
        }
        if (!(square > 0.0f)) {
            return false;
        }
        float distance = sqrtf(square), push = (radius - distance) / distance;
        at_x += (at_x - to_x) * push;
        at_y += (at_y - to_y) * push;
        moved = true;
    }
    if (!moved) {
        return true;
    }
    double scale = 1.0 / planet->radius;
    thg_vec3 place = thg_plus(spot.place, spot.east, (double)at_x * scale);
    place = thg_unit(thg_plus(place, thg_spot_north(&spot), (double)at_y * scale));
    float new_x, new_y;
    thg_planet_flatten(planet, place, &new_x, &new_y);
    if (!is_free(planet, layer, radius, new_x, new_y)) {
        return false;
    }
    *x = new_x;
    *y = new_y;
    return true;
}

/// To a position, out of the walls there. False, and no move, where that cannot be.
static bool push_to(const throng_map *map, const thg_layer *layer, const thg_profile *profile,
                    float to_x, float to_y, float *x, float *y)
{
    if (thg_walls_far(map, layer, profile, to_x, to_y) ||
        thg_planet_push_out(map->planet, layer, profile->def.radius, &to_x, &to_y)) {
        *x = to_x;
        *y = to_y;
        return true;
    }
    return false;
}

static bool shift_to(const throng_map *map, const thg_layer *layer, const thg_profile *profile,
                     const thg_spot *from, float dx, float dy, float *x, float *y)
{
    float to_x, to_y;
    thg_planet_flatten(map->planet, thg_planet_go(map->planet, from, dx, dy), &to_x, &to_y);
    return push_to(map, layer, profile, to_x, to_y, x, y);
}

bool thg_planet_shift_from(const thg_spot *from, const throng_map *map, const thg_layer *layer,
                           const thg_profile *profile, float dx, float dy, float *x, float *y)
{
    if (dx == 0.0f && dy == 0.0f) { // not even by rounding
        return true;
    }
    float to_x, to_y;
    thg_planet_flatten(map->planet, thg_planet_go(map->planet, from, dx, dy), &to_x, &to_y);
    if (thg_walls_far(map, layer, profile, to_x, to_y)) {
        *x = to_x;
        *y = to_y;
        return true;
    }
    (void)(push_to(map, layer, profile, to_x, to_y, x, y) ||
           (dx != 0.0f && shift_to(map, layer, profile, from, dx, 0.0f, x, y)) ||
           (dy != 0.0f && shift_to(map, layer, profile, from, 0.0f, dy, x, y)));
    return false;
}

void thg_planet_shift(const throng_map *map, const thg_layer *layer, const thg_profile *profile,
                      float dx, float dy, float *x, float *y)
{
    thg_spot from = thg_planet_spot(map->planet, *x, *y);
    thg_planet_shift_from(&from, map, layer, profile, dx, dy, x, y);
}

void thg_planet_slide(const throng_map *map, const thg_layer *layer, const thg_profile *profile,
                      float dx, float dy, float *x, float *y)
{
    float left = sqrtf(dx * dx + dy * dy);
    float shortest = 0.5f * profile->def.radius;
    if (left <= shortest) {
        thg_planet_shift(map, layer, profile, dx, dy, x, y);
        return;
    }
    thg_spot spot = thg_planet_spot(map->planet, *x, *y);
    float unit_x = dx / left, unit_y = dy / left;
    while (left > 0.0f) {
        // Far from walls a step may be as long as the clearance leaves.
        int column, row;
        throng_map_cell_at(map, (throng_vec2){*x, *y}, &column, &row);
        float half_cells = sqrtf((float)layer->clearance[thg_padded_index(map, column, row)]);
        float length = 0.5f * (half_cells - 1.4143f) * map->cell_size - profile->def.radius;
        length = length > shortest ? length : shortest;
        length = length < left ? length : left;
        thg_planet_shift(map, layer, profile, unit_x * length, unit_y * length, x, y);
        if (*x == spot.x && *y == spot.y) {
            return;
        }
        thg_spot to = thg_planet_spot(map->planet, *x, *y);
        thg_spot_carry(&spot, &to, &unit_x, &unit_y);
        spot = to;
        left -= length;
    }
}

void thg_planet_repel(const throng_planet *planet, const thg_profile *profile, float x, float y,
                      float *push_x, float *push_y)
{
    const thg_layer *layer = &planet->atlas->layers[profile->def.class_index];
    float reach = profile->def.wall_reach, radius = profile->def.radius;
    *push_x = *push_y = 0.0f;
    if (!(reach > 0.0f)) {
        return;
    }
    thg_spot spot = thg_planet_spot(planet, x, y);
    thg_planet_walls walls;
    thg_planet_walls_near(planet, layer->blocked_terrains, &spot, radius + reach, &walls);
    // Of each quarter round the place the nearest wall counts, and all together no more than one.
    float side_x[4] = {0}, side_y[4] = {0}, strongest[4] = {0}, most = 0.0f;
    for (int i = 0; i < walls.count; i++) {
        float to_x, to_y;
        float distance = sqrtf(thg_planet_wall_point(&walls, i, 0.0f, 0.0f, &to_x, &to_y));
        float strength = 1.0f - (distance - radius) / reach;
        strength = strength < 1.0f ? strength : 1.0f;
        int side = fabsf(to_x) > fabsf(to_y) ? (to_x > 0.0f) : 2 + (to_y > 0.0f);
        if (distance > 0.0f && strength > strongest[side]) {
            strongest[side] = strength;
            side_x[side] = -to_x / distance * strength;
            side_y[side] = -to_y / distance * strength;
            most = strength > most ? strength : most;
        }
    }
    *push_x = side_x[0] + side_x[1] + side_x[2] + side_x[3];
    *push_y = side_y[0] + side_y[1] + side_y[2] + side_y[3];
    thg_limit_length(push_x, push_y, most);
}

float thg_planet_free_way(const throng_map *map, const thg_layer *layer, float x, float y, float dx,
                          float dy, float length)
{
    const float half = 0.5f * map->cell_size;
    thg_spot spot = thg_planet_spot(map->planet, x, y);
    uint32_t before = 0;
    for (float way = 0.0f; way < length;) {
        float to_x, to_y;
        int column, row;
        thg_planet_flatten(map->planet, thg_planet_go(map->planet, &spot, dx * way, dy * way),
                           &to_x, &to_y);
        throng_map_cell_at(map, (throng_vec2){to_x, to_y}, &column, &row);
        size_t index = thg_padded_index(map, column, row);
        uint32_t clearance = layer->clearance[index];
        bool fits = layer->region[index] != 0;
        if (way > 0.0f && !fits && clearance <= before) { // out of a narrow place is free
            return way;
        }
        before = clearance;
        float leap = sqrtf((float)clearance) * half - layer->def.radius - 1.4143f * half;
        way += leap > half && way > 0.0f ? leap : half;
    }
    return length;
}
