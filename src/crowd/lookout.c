/// Which way is free of walls: obstacle avoidance (Reynolds 1999) by feelers through the clearance
/// map.
///
/// A feeler runs along a direction in leaps as long as the clearance allows. When the way ahead is
/// blocked, feelers to both sides are tried, farther and farther aside, first on the side to which
/// the agent already turns, so that it does not waver; the first free one is taken, or else the
/// longest.
#include "crowd/flock.h"
#include "crowd/planet.h"
#include <math.h>

#define TURNS 4

static size_t index_at(const throng_map *map, float x, float y)
{
    // One cell beyond the map is there too, and blocked.
    float u = thg_clamp((x - map->origin.x) * map->inverse_cell_size, -1.0f, (float)map->width);
    float v = thg_clamp((y - map->origin.y) * map->inverse_cell_size, -1.0f, (float)map->height);
    return thg_padded_index(map, (int)floorf(u), (int)floorf(v));
}

float thg_free_way(const throng_map *map, const thg_layer *layer, float x, float y, float dx,
                   float dy, float length)
{
    if (map->planet != NULL) {
        return thg_planet_free_way(map, layer, x, y, dx, dy, length);
    }
    const float half = 0.5f * map->cell_size;
    uint32_t before = layer->clearance[index_at(map, x, y)];
    for (float way = half; way < length;) {
        size_t index = index_at(map, x + dx * way, y + dy * way);
        uint32_t clearance = layer->clearance[index];
        bool fits = layer->region[index] != 0;
        if (!fits && clearance <= before) { // out of a narrow place is free, deeper in is not
            return way;
        }
        before = clearance;
        float leap = sqrtf((float)clearance) * half - layer->def.radius - 1.4143f * half;
        way += leap > half ? leap : half;
    }
    return length;
}

void thg_turn_from_walls(const throng_crowd *crowd, int row, float length, float weight, float *x,
                         float *y)
{
    // 37, 74, 106 and 143 degrees: triangles in whole numbers, as no cosine is needed.
    static const float along[TURNS] = {0.8f, 0.28f, -0.28f, -0.8f};
    static const float aside[TURNS] = {0.6f, 0.96f, 0.96f, 0.6f};
    const thg_columns *columns = &crowd->columns;
    const throng_map *map = crowd->map;
    const thg_profile *profile = &crowd->profiles[columns->profile[row]];
    const thg_layer *layer = &map->layers[profile->def.class_index];
    float px = columns->x[row], py = columns->y[row];
    float ahead_x = *x, ahead_y = *y;
    float free = thg_free_way(map, layer, px, py, ahead_x, ahead_y, length);
    if (free >= length) {
        return;
    }
    float turning = ahead_x * columns->vy[row] - ahead_y * columns->vx[row];
    bool left =
        turning * turning > THG_CRAWL * THG_CRAWL ? turning < 0.0f : (columns->slot[row] & 1u) != 0;
    float best = free, best_x = ahead_x, best_y = ahead_y;
    for (int i = 0; i < 2 * TURNS && best < length; i++) {
        float side = ((i & 1) != 0) != left ? -aside[i / 2] : aside[i / 2];
        float turn_x = ahead_x * along[i / 2] - ahead_y * side;
        float turn_y = ahead_y * along[i / 2] + ahead_x * side;
        float way = thg_free_way(map, layer, px, py, turn_x, turn_y, length);
        if (way > best) {
            best = way;
            best_x = turn_x;
            best_y = turn_y;
        }
    }
    float share = weight * (1.0f - free / length);
    share = share < 1.0f ? share : 1.0f;
    float to_x = ahead_x + share * (best_x - ahead_x), to_y = ahead_y + share * (best_y - ahead_y);
    float size = sqrtf(to_x * to_x + to_y * to_y);
    if (size > THG_CRAWL) {
        *x = to_x / size;
        *y = to_y / size;
    }
}
