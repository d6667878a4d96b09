/// Does a way lead there? Answered from the regions, which every update of the map keeps.
#include "map/planet.h"
#include <math.h>
#include <string.h>
#include <throng/query.h>

#define REACH_COOKIE 0x52454143u

throng_reach_query throng_default_reach_query(void)
{
    throng_reach_query query;
    memset(&query, 0, sizeof query);
    query.cookie = REACH_COOKIE;
    query.snap_distance = 2.0f;
    return query;
}

static bool query_valid(const throng_map *map, const throng_reach_query *query)
{
    return query->cookie == REACH_COOKIE && query->class_index >= 0 &&
           query->class_index < map->layer_count;
}

bool thg_map_snap(const throng_map *map, int class_index, throng_vec2 place, float snap_distance,
                  int *x, int *y)
{
    if (!throng_map_cell_at(map, place, x, y)) {
        return false;
    }
    if (throng_map_fits(map, class_index, *x, *y)) {
        return true;
    }
    if (!(snap_distance > 0.0f) || !throng_map_nearest_fit(map, class_index, place, 0, x, y)) {
        return false;
    }
    throng_vec2 center = throng_map_cell_center(map, *x, *y);
    float dx = center.x - place.x;
    float dy = center.y - place.y;
    if (map->planet != NULL) {
        return thg_planet_apart(map->planet, center, place) <= snap_distance;
    }
    return sqrtf(dx * dx + dy * dy) <= snap_distance;
}

bool throng_query_reachable(const throng_map *map, const throng_reach_query *query)
{
    int from_x, from_y, to_x, to_y;
    return query_valid(map, query) &&
           thg_map_snap(map, query->class_index, query->from, query->snap_distance, &from_x,
                        &from_y) &&
           thg_map_snap(map, query->class_index, query->to, query->snap_distance, &to_x, &to_y) &&
           throng_map_region(map, query->class_index, from_x, from_y) ==
               throng_map_region(map, query->class_index, to_x, to_y);
}

bool throng_query_sees(const throng_map *map, int class_index, throng_vec2 from, throng_vec2 to)
{
    int x, y;
    if (class_index < 0 || class_index >= map->layer_count ||
        !throng_map_cell_at(map, from, &x, &y) || !throng_map_cell_at(map, to, &x, &y)) {
        return false;
    }
    if (map->planet != NULL) {
        thg_spot spot = thg_planet_spot(map->planet, from.x, from.y);
        thg_vec3 place = thg_planet_spot(map->planet, to.x, to.y).place;
        return thg_planet_sees(map->planet, class_index, &spot, place);
    }
    float scale = map->inverse_cell_size;
    return thg_layer_sees(map, &map->layers[class_index], 0, (from.x - map->origin.x) * scale,
                          (from.y - map->origin.y) * scale, (to.x - map->origin.x) * scale,
                          (to.y - map->origin.y) * scale);
}

bool throng_query_nearest_reachable(const throng_map *map, const throng_reach_query *query,
                                    throng_vec2 *nearest)
{
    int x, y;
    if (!query_valid(map, query) || !thg_is_finite(query->to.x) || !thg_is_finite(query->to.y) ||
        !thg_map_snap(map, query->class_index, query->from, query->snap_distance, &x, &y)) {
        return false;
    }
    int region = throng_map_region(map, query->class_index, x, y);
    if (throng_map_cell_at(map, query->to, &x, &y) &&
        throng_map_region(map, query->class_index, x, y) == region) {
        *nearest = query->to;
        return true;
    }
    if (!throng_map_nearest_fit(map, query->class_index, query->to, region, &x, &y)) {
        return false;
    }
    *nearest = throng_map_cell_center(map, x, y);
    return true;
}
