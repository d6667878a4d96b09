/// How narrow a way gets: the distance between walls on opposite sides of it.
///
/// At each cell of the way the nearest wall is on one side; the nearest wall that lies to the other
/// side of the cell, at least 120 degrees round, is the opposite one. The nearest points of the two
/// are as far apart as the passage is wide there, whichever way the path crosses it. At a corner
/// that the way bends round there is no opposite wall.
#include "field/path.h"
#include <math.h>

#define MOST_GAP 32 ///< cells; wider is wide

/// Looks for walls round a cell. Distances in half cells.
typedef struct gap_search {
    const throng_map *map;
    const thg_layer *layer;
    int x, y;
    int64_t wall_x, wall_y; ///< nearest point of the nearest wall, from the cell's middle
} gap_search;

static int64_t nearest_half(int from, int to)
{
    int64_t way = 2 * ((int64_t)to - from);
    return way > 0 ? way - 1 : way < 0 ? way + 1 : 0;
}

static bool is_wall(const gap_search *search, int x, int y)
{
    const throng_map *map = search->map;
    return x < 0 || y < 0 || x >= map->width || y >= map->height ||
           thg_layer_blocked(map, search->layer, thg_padded_index(map, x, y));
}

/// The nearest wall, or with `opposite` the one nearest to it on the other side. Squared half
/// cells between; `limit` when none is nearer.
static int64_t find_wall(gap_search *search, int reach, bool opposite, int64_t limit)
{
    int64_t best = limit;
    int64_t from_x = search->wall_x;
    int64_t from_y = search->wall_y;
    for (int dy = -reach; dy <= reach; dy++) {
        for (int dx = -reach; dx <= reach; dx++) {
            int64_t x = nearest_half(0, dx);
            int64_t y = nearest_half(0, dy);
            int64_t square = x * x + y * y;
            if (opposite) {
                int64_t dot = x * from_x + y * from_y;
                // cosine <= -1/2, without a root
                if (dot >= 0 || 4 * dot * dot < square * (from_x * from_x + from_y * from_y)) {
                    continue;
                }
                square = (x - from_x) * (x - from_x) + (y - from_y) * (y - from_y);
            }
            if (square < best && is_wall(search, search->x + dx, search->y + dy)) {
                best = square;
                search->wall_x = opposite ? search->wall_x : x;
                search->wall_y = opposite ? search->wall_y : y;
            }
        }
    }
    return best;
}

/// The gap at a cell if it is less than `best`, in squared half cells.
static int64_t gap_at(const throng_map *map, const thg_layer *layer, int x, int y, int64_t best)
{
    int64_t clearance = (int64_t)layer->clearance[thg_padded_index(map, x, y)];
    if (4 * clearance >= best) {
        return best;
    }
    gap_search search = {map, layer, x, y, 0, 0};
    int near = (int)sqrtf((float)clearance) / 2 + 2;
    find_wall(&search, near, false, INT64_MAX);
    int reach = (int)(sqrtf((float)best) - sqrtf((float)clearance)) / 2 + 2;
    return find_wall(&search, reach, true, best);
}

float thg_path_narrowest(const throng_map *map, const thg_layer *layer, const throng_vec2 *points,
                         int point_count)
{
    const int64_t limit = (int64_t)4 * MOST_GAP * MOST_GAP;
    int64_t best = limit;
    for (int i = 0; i + 1 < point_count; i++) {
        float dx = points[i + 1].x - points[i].x;
        float dy = points[i + 1].y - points[i].y;
        int steps = (int)(2.0f * (fabsf(dx) + fabsf(dy))) + 1;
        int last_x = -1, last_y = -1;
        for (int k = 0; k <= steps; k++) {
            float share = (float)k / (float)steps;
            int x = thg_min_int((int)(points[i].x + dx * share), map->width - 1);
            int y = thg_min_int((int)(points[i].y + dy * share), map->height - 1);
            if (x != last_x || y != last_y) {
                best = gap_at(map, layer, x, y, best);
            }
            last_x = x;
            last_y = y;
        }
    }
    return best < limit ? 0.5f * sqrtf((float)best) : INFINITY;
}
