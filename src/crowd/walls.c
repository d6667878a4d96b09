/// Walls: what a disc may not enter, and how it slides along.
///
/// Walls are the squares blocked for the agent's class, never the mask of cells that do not fit. A
/// disc is pushed by the sides of squares and by outer corners; a corner beside another wall square
/// is covered by that square's side, so inner corners do not push twice. Every move ends in a free
/// place because it starts in one: what cannot be pushed out is not moved. Cost is O(1) away from
/// walls, by the clearance of the cell.
#include "crowd/planet.h"
#include <float.h>
#include <math.h>

#define PUSH_PASSES 4
#define HELD_SHARE 0.95f ///< of the radius that must be clear of walls after a push

/// Cells that a disc may touch, clipped to the map and its border.
typedef struct cell_box {
    int x0, y0, x1, y1;
} cell_box;

static int clip(float value, int high)
{
    return !(value >= 0.0f) ? -1 : value >= (float)high ? high : (int)value; // NaN: -1
}

static cell_box box_around(const throng_map *map, float u, float v, float reach)
{
    return (cell_box){clip(u - reach, map->width), clip(v - reach, map->height),
                      clip(u + reach, map->width), clip(v + reach, map->height)};
}

static bool blocked_at(const throng_map *map, const thg_layer *layer, int x, int y)
{
    if (x < -1 || y < -1 || x > map->width || y > map->height) {
        return true;
    }
    return thg_layer_blocked(map, layer, thg_padded_index(map, x, y));
}

/// Squared distance from a point to a unit square, and the vector from its nearest point.
static float square_distance(float u, float v, int x, int y, float *du, float *dv)
{
    *du = u - thg_clamp(u, (float)x, (float)x + 1.0f);
    *dv = v - thg_clamp(v, (float)y, (float)y + 1.0f);
    return *du * *du + *dv * *dv;
}

/// Pushes (u, v), in cells, out of each square in reach once. False when the centre is in one.
static bool push_pass(const throng_map *map, const thg_layer *layer, float reach, float *u,
                      float *v, bool *moved)
{
    cell_box box = box_around(map, *u, *v, reach);
    for (int y = box.y0; y <= box.y1; y++) {
        for (int x = box.x0; x <= box.x1; x++) {
            if (!thg_layer_blocked(map, layer, thg_padded_index(map, x, y))) {
                continue;
            }
            float du, dv;
            float square = square_distance(*u, *v, x, y, &du, &dv);
            if (square >= reach * reach) {
                continue;
            }
            if (square == 0.0f) {
                return false;
            }
            bool corner = du != 0.0f && dv != 0.0f;
            if (corner && (blocked_at(map, layer, x + (du > 0.0f ? 1 : -1), y) ||
                           blocked_at(map, layer, x, y + (dv > 0.0f ? 1 : -1)))) {
                continue;
            }
            float distance = sqrtf(square);
            float push = (reach - distance) / distance;
            *u += du * push;
            *v += dv * push;
            *moved = true;
        }
    }
    return true;
}

/// True when a disc keeps `share` of its reach clear of every wall and its centre is in none.
static bool disc_is_free(const throng_map *map, const thg_layer *layer, float u, float v,
                         float reach)
{
    if (!(u >= 0.0f && v >= 0.0f && u < (float)map->width && v < (float)map->height)) {
        return false;
    }
    float least = reach * HELD_SHARE;
    cell_box box = box_around(map, u, v, reach);
    for (int y = box.y0; y <= box.y1; y++) {
        for (int x = box.x0; x <= box.x1; x++) {
            float du, dv;
            if (thg_layer_blocked(map, layer, thg_padded_index(map, x, y)) &&
                square_distance(u, v, x, y, &du, &dv) < least * least) {
                return false;
            }
        }
    }
    return true;
}

bool thg_walls_push_out(const throng_map *map, const thg_layer *layer, float radius, float *x,
                        float *y)
{
    if (map->planet != NULL) {
        return thg_planet_push_out(map->planet, layer, radius, x, y);
    }
    float u = (*x - map->origin.x) * map->inverse_cell_size;
    float v = (*y - map->origin.y) * map->inverse_cell_size;
    float reach = radius * map->inverse_cell_size;
    float start_u = u, start_v = v;
    bool moved = true, any = false;
    for (int pass = 0; pass < PUSH_PASSES && moved; pass++) {
        moved = false;
        if (!push_pass(map, layer, reach, &u, &v, &moved)) {
            return false;
        }
        any = any || moved;
    }
    if (any) {
        // Checked as it will be stored: far from the origin floats are coarse.
        *x += (u - start_u) * map->cell_size;
        *y += (v - start_v) * map->cell_size;
        u = (*x - map->origin.x) * map->inverse_cell_size;
        v = (*y - map->origin.y) * map->inverse_cell_size;
    }
    return disc_is_free(map, layer, u, v, reach);
}

static size_t index_under(const throng_map *map, float x, float y)
{
    float u = (x - map->origin.x) * map->inverse_cell_size;
    float v = (y - map->origin.y) * map->inverse_cell_size;
    return thg_padded_index(map, clip(u, map->width), clip(v, map->height));
}

bool thg_walls_far(const throng_map *map, const thg_layer *layer, const thg_profile *profile,
                   float x, float y)
{
    return layer->clearance[index_under(map, x, y)] >= profile->near_wall;
}

static bool shift_to(const throng_map *map, const thg_layer *layer, const thg_profile *profile,
                     float to_x, float to_y, float *x, float *y)
{
    if (thg_walls_far(map, layer, profile, to_x, to_y) ||
        thg_walls_push_out(map, layer, profile->def.radius, &to_x, &to_y)) {
        *x = to_x;
        *y = to_y;
        return true;
    }
    return false;
}

void thg_walls_shift(const throng_map *map, const thg_layer *layer, const thg_profile *profile,
                     float dx, float dy, float *x, float *y)
{
    if (map->planet != NULL) {
        thg_planet_shift(map, layer, profile, dx, dy, x, y);
        return;
    }
    const float from_x = *x, from_y = *y;
    (void)(shift_to(map, layer, profile, from_x + dx, from_y + dy, x, y) ||
           shift_to(map, layer, profile, from_x + dx, from_y + 0.0f, x, y) ||
           shift_to(map, layer, profile, from_x + 0.0f, from_y + dy, x, y));
}

void thg_walls_move(const throng_map *map, const thg_layer *layer, const thg_profile *profile,
                    float dx, float dy, float *x, float *y)
{
    if (map->planet != NULL) {
        thg_planet_slide(map, layer, profile, dx, dy, x, y);
        return;
    }
    float left = sqrtf(dx * dx + dy * dy);
    float shortest = 0.5f * profile->def.radius;
    if (left <= shortest) {
        thg_walls_shift(map, layer, profile, dx, dy, x, y);
        return;
    }
    float unit_x = dx / left, unit_y = dy / left;
    while (left > 0.0f) {
        // Far from walls a step may be as long as the clearance leaves.
        float half_cells = sqrtf((float)layer->clearance[index_under(map, *x, *y)]);
        float length = 0.5f * (half_cells - 1.4143f) * map->cell_size - profile->def.radius;
        length = length > shortest ? length : shortest;
        length = length < left ? length : left;
        float before_x = *x, before_y = *y;
        thg_walls_shift(map, layer, profile, unit_x * length, unit_y * length, x, y);
        if (*x == before_x && *y == before_y) {
            return;
        }
        left -= length;
    }
}

bool thg_walls_place(const throng_map *map, const thg_profile *profile, float *x, float *y)
{
    int class_index = profile->def.class_index;
    const thg_layer *layer = &map->layers[class_index];
    float to_x = *x, to_y = *y;
    int cell_x, cell_y;
    if (throng_map_cell_at(map, (throng_vec2){*x, *y}, &cell_x, &cell_y) &&
        thg_walls_push_out(map, layer, profile->def.radius, &to_x, &to_y)) {
        *x = to_x;
        *y = to_y;
        return true;
    }
    if (!throng_map_nearest_fit(map, class_index, (throng_vec2){*x, *y}, 0, &cell_x, &cell_y)) {
        return false;
    }
    throng_vec2 center = throng_map_cell_center(map, cell_x, cell_y);
    *x = center.x;
    *y = center.y;
    return true;
}
