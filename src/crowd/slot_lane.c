/// The lane round a target as walls leave it.
#include "crowd/crowd.h"
#include "crowd/slots.h"
#include <float.h>

static throng_vec2 in_cells(const throng_map *map, throng_vec2 place)
{
    return (throng_vec2){(place.x - map->origin.x) * map->inverse_cell_size,
                         (place.y - map->origin.y) * map->inverse_cell_size};
}

bool thg_lane_sees(const throng_map *map, int class_index, throng_vec2 from, throng_vec2 to)
{
    int x, y;
    if (!throng_map_cell_at(map, from, &x, &y) || !throng_map_cell_at(map, to, &x, &y)) {
        return false;
    }
    from = in_cells(map, from);
    to = in_cells(map, to);
    return thg_layer_sees(map, &map->layers[class_index], 0, from.x, from.y, to.x, to.y);
}

/// A disc of the class fits there, whatever the cell as a whole has room for.
static bool disc_fits(const throng_map *map, int class_index, throng_vec2 place)
{
    int x, y;
    float radius = map->layers[class_index].def.radius;
    return throng_map_cell_at(map, place, &x, &y) && !throng_map_blocked(map, class_index, x, y) &&
           throng_map_wall_distance(map, class_index, place, radius) >= radius;
}

void thg_lane_look(const throng_crowd *crowd, thg_slots *slots, int class_index)
{
    thg_lane *lane = &slots->lanes[class_index];
    const throng_map *map = crowd->map;
    if (lane->version == crowd->map_version && lane->version != 0) {
        return;
    }
    float out = thg_lane_out(map->layers[class_index].def.radius);
    throng_vec2 normal, before = thg_ring_at(&slots->ring, 0.0f, out, &normal);
    lane->version = crowd->map_version;
    lane->any_cut = false;
    lane->slack = map->layers[class_index].def.radius + map->cell_size;
    for (int i = 0; i < slots->count; i++) {
        bool fits = disc_fits(map, class_index, slots->places[i].position);
        uint32_t bit = UINT32_C(1) << class_index;
        slots->places[i].fits = fits ? slots->places[i].fits | bit : slots->places[i].fits & ~bit;
    }
    for (int i = 0; i < THG_STATIONS; i++) {
        float along = slots->ring.length * (float)(i + 1) / (float)THG_STATIONS;
        throng_vec2 next =
            thg_ring_at(&slots->ring, i + 1 < THG_STATIONS ? along : 0.0f, out, &normal);
        lane->cut[i] = !thg_lane_sees(map, class_index, before, next);
        lane->any_cut = lane->any_cut || lane->cut[i];
        before = next;
    }
}

static int station_at(const thg_ring *ring, float along)
{
    int station = (int)(along / ring->length * (float)THG_STATIONS);
    return thg_min_int(thg_max_int(station, 0), THG_STATIONS - 1);
}

/// True when the lane is free over a way along the ring, up to beside its end.
static bool lane_is_free(const thg_slots *slots, const thg_lane *lane, float from, float way)
{
    if (fabsf(way) <= lane->slack) {
        return true;
    }
    float to = from + way - (way > 0.0f ? lane->slack : -lane->slack);
    to = to >= slots->ring.length ? to - slots->ring.length : to;
    to = to < 0.0f ? to + slots->ring.length : to;
    int station = station_at(&slots->ring, way > 0.0f ? from : to);
    int last = station_at(&slots->ring, way > 0.0f ? to : from);
    for (int i = 0; i < THG_STATIONS; i++) {
        if (lane->cut[station]) {
            return false;
        }
        if (station == last) {
            break;
        }
        station = (station + 1) % THG_STATIONS;
    }
    return true;
}

float thg_lane_way(const thg_slots *slots, const thg_lane *lane, float from, float to)
{
    float way = thg_ring_between(&slots->ring, from, to);
    if (!lane->any_cut || lane_is_free(slots, lane, from, way)) {
        return way;
    }
    float other = way > 0.0f ? way - slots->ring.length : way + slots->ring.length;
    return lane_is_free(slots, lane, from, other) ? other : FLT_MAX;
}
