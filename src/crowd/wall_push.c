/// A push from the walls themselves, before they are touched: from the four sides of blocked
/// squares and from outer corners.
///
/// Walls are the squares blocked for the class, not the mask of cells that do not fit. Of each of
/// the four sides the nearest square counts, and the nearest outer corner; an inner corner is two
/// sides, and their sum is no stronger than the stronger of them.
#include "crowd/planet.h"
#include <math.h>

/// Strongest pushes, each in [0, 1]: towards -x, +x, -y, +y, and by a corner.
typedef struct wall_pushes {
    float side[4];
    float corner, corner_x, corner_y;
} wall_pushes;

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static bool blocked_at(const throng_map *map, const thg_layer *layer, int x, int y)
{
    return x < -1 || y < -1 || x > map->width || y > map->height ||
           thg_layer_blocked(map, layer, thg_padded_index(map, x, y));
}

/// What one square adds. Lengths in cells.
static void add_square(const throng_map *map, const thg_layer *layer, float u, float v, int x,
                       int y, float radius, float reach, wall_pushes *pushes)
{
    float du = u - thg_clamp(u, (float)x, (float)x + 1.0f);
    float dv = v - thg_clamp(v, (float)y, (float)y + 1.0f);
    float distance = sqrtf(du * du + dv * dv);
    if (!(distance > 0.0f) || !(distance < radius + reach)) {
        return;
    }
    float strength = 1.0f - (distance - radius) / reach;
    strength = strength < 1.0f ? strength : 1.0f;
    if (dv == 0.0f) {
        float *side = &pushes->side[du > 0.0f];
        *side = larger(*side, strength);
    } else if (du == 0.0f) {
        float *side = &pushes->side[2 + (dv > 0.0f)];
        *side = larger(*side, strength);
    } else if (strength > pushes->corner && !blocked_at(map, layer, x + (du > 0.0f ? 1 : -1), y) &&
               !blocked_at(map, layer, x, y + (dv > 0.0f ? 1 : -1))) {
        pushes->corner = strength;
        pushes->corner_x = du / distance;
        pushes->corner_y = dv / distance;
    }
}

void thg_walls_repel(const throng_map *map, const thg_profile *profile, float x, float y,
                     float *push_x, float *push_y)
{
    const thg_layer *layer = &map->layers[profile->def.class_index];
    int cell_x, cell_y;
    *push_x = *push_y = 0.0f;
    if (map->planet != NULL) {
        thg_planet_repel(map->planet, profile, x, y, push_x, push_y);
        return;
    }
    if (!(profile->def.wall_reach > 0.0f) ||
        !throng_map_cell_at(map, (throng_vec2){x, y}, &cell_x, &cell_y) ||
        layer->clearance[thg_padded_index(map, cell_x, cell_y)] >= profile->near_wall_push) {
        return;
    }
    float u = (x - map->origin.x) * map->inverse_cell_size;
    float v = (y - map->origin.y) * map->inverse_cell_size;
    float radius = profile->def.radius * map->inverse_cell_size;
    float reach = profile->def.wall_reach * map->inverse_cell_size;
    int cells = (int)(radius + reach) + 1;
    wall_pushes pushes = {0};
    for (int k = cell_y - cells; k <= cell_y + cells; k++) {
        for (int i = cell_x - cells; i <= cell_x + cells; i++) {
            if (i >= -1 && k >= -1 && i <= map->width && k <= map->height &&
                blocked_at(map, layer, i, k)) {
                add_square(map, layer, u, v, i, k, radius, reach, &pushes);
            }
        }
    }
    float strongest = pushes.corner;
    for (int i = 0; i < 4; i++) {
        strongest = larger(strongest, pushes.side[i]);
    }
    *push_x = pushes.side[1] - pushes.side[0] + pushes.corner * pushes.corner_x;
    *push_y = pushes.side[3] - pushes.side[2] + pushes.corner * pushes.corner_y;
    thg_limit_length(push_x, push_y, strongest);
}
