/// A second look at the way: the field in the sectors along it.
///
/// The coarse search passes through the nodes of windows only, and crosses sectors without leaving
/// them; where terrain costs vary, or a short way winds between small obstacles, that is some
/// hundredths too dear. So the sectors of the way and the ring round them are integrated as tiles,
/// and the way goes down their costs instead. Where it comes near new sectors these join, and it
/// goes down again, until none is new.
#include "field/tiles.h"
#include <math.h>

#define REFINE_ROUNDS 4
#define REFINE_BYTES ((size_t)6 << 20)
#define PACE 0.25f  ///< cells
#define SHORT_WAY 6 ///< sectors: shorter ones are looked at again even where all costs the same

throng_result thg_path_refine_create(throng_paths *paths)
{
    throng_vec2 nowhere = {0.0f, 0.0f};
    throng_goal_shape shape = throng_default_goal_shape();
    shape.points = &nowhere;
    shape.point_count = 1;
    shape.snap_distance = 0.0f;
    throng_result result = thg_tile_pool_create(paths->def.map, paths->def.sector_side,
                                                REFINE_BYTES, true, &paths->pool);
    return result == THRONG_OK
               ? thg_tiles_create(paths->pool, paths->def.class_index, &shape, &paths->tiles)
               : result;
}

void thg_path_refine_destroy(throng_paths *paths)
{
    thg_tiles_destroy(paths->tiles);
    thg_tile_pool_destroy(paths->pool);
}

size_t thg_path_refine_bytes(const throng_paths *paths)
{
    return thg_tile_pool_bytes(paths->pool) +
           (size_t)paths->pool->count * 2 * sizeof *paths->tiles->tile_of;
}

bool thg_path_wants_refining(const throng_paths *paths)
{
    const thg_layer *layer = &paths->def.map->layers[paths->def.class_index];
    return layer->min_price != layer->max_price ||
           (paths->leg_count > 1 && paths->leg_count <= SHORT_WAY);
}

static bool fits(const throng_paths *paths, throng_vec2 at)
{
    const throng_map *map = paths->def.map;
    const thg_layer *layer = &map->layers[paths->def.class_index];
    return at.x >= 0.0f && at.y >= 0.0f && at.x < (float)map->width && at.y < (float)map->height &&
           layer->price[thg_padded_index(map, (int)at.x, (int)at.y)] != 0;
}

/// Walks down the tiles' costs from the start, a quarter of a cell at a time, along x and then
/// along y, each only where the class fits: fills `line`. Returns how many points; 0 when it does
/// not arrive or there is no room for them.
static int walk_down(const throng_paths *paths, throng_vec2 from, throng_vec2 to, throng_vec2 *line,
                     int capacity)
{
    const throng_map *map = paths->def.map;
    throng_vec2 at = from;
    int count = 0;
    while (count + 3 <= capacity) {
        float dx = to.x - at.x;
        float dy = to.y - at.y;
        line[count++] = at;
        if (dx * dx + dy * dy <= PACE * PACE) {
            line[count++] = to;
            return count;
        }
        throng_vec2 place = {map->origin.x + at.x * map->cell_size,
                             map->origin.y + at.y * map->cell_size};
        throng_sample sample = thg_tiles_sample(paths->tiles, place);
        throng_vec2 along_x = {at.x + sample.direction.x * PACE, at.y};
        along_x = fits(paths, along_x) ? along_x : at;
        throng_vec2 along_y = {along_x.x, along_x.y + sample.direction.y * PACE};
        along_y = fits(paths, along_y) ? along_y : along_x;
        if (along_y.x == at.x && along_y.y == at.y) {
            break;
        }
        const thg_layer *layer = &map->layers[paths->def.class_index];
        if (!thg_layer_sees(map, layer, 0, at.x, at.y, along_y.x, along_y.y)) {
            line[count++] = along_x;
        }
        at = along_y;
    }
    return 0;
}

static void work_out(throng_paths *paths)
{
    thg_tiles_begin(paths->tiles);
    int budget = INT32_MAX;
    while (!thg_tiles_advance(paths->tiles, &budget)) {
        paths->work += INT32_MAX - budget;
        budget = INT32_MAX;
    }
    paths->work += INT32_MAX - budget + thg_tiles_show(paths->tiles);
}

/// Cells to metres, as goals want them.
static bool aim(throng_paths *paths, throng_vec2 to)
{
    const throng_map *map = paths->def.map;
    throng_vec2 place = {map->origin.x + to.x * map->cell_size,
                         map->origin.y + to.y * map->cell_size};
    throng_goal_shape shape = throng_default_goal_shape();
    shape.points = &place;
    shape.point_count = 1;
    shape.snap_distance = map->cell_size;
    thg_tiles_clear(paths->tiles);
    return thg_goal_copy_set(&paths->tiles->question.goal, &shape) == THRONG_OK &&
           thg_tiles_join_goal(paths->tiles);
}

int thg_path_refine(throng_paths *paths, int count)
{
    const thg_layer *layer = &paths->def.map->layers[paths->def.class_index];
    throng_vec2 from = paths->points[0];
    throng_vec2 to = paths->points[count - 1];
    if (!aim(paths, to)) {
        return count;
    }
    double best = thg_path_cost(paths->def.map, layer, paths->points, count);
    for (int round = 0; round < REFINE_ROUNDS; round++) {
        int before = paths->tiles->member_count;
        if (!thg_tiles_join_corridor(paths->tiles, paths->points, count) ||
            paths->tiles->member_count == before) {
            break;
        }
        work_out(paths);
        int found = walk_down(paths, from, to, paths->spare, paths->def.max_points);
        found = found > 0 ? thg_path_taut(paths, paths->spare, found) : 0;
        // What is left in `spare` is the line; it is taken when it is no dearer.
        double cost = found > 0 ? thg_path_cost(paths->def.map, layer, paths->spare, found)
                                : (double)INFINITY;
        if (!(cost < best)) {
            break;
        }
        best = cost;
        count = found;
        for (int i = 0; i < count; i++) {
            paths->points[i] = paths->spare[i];
        }
    }
    return count;
}
