/// Path questions: where from and where to, and the answer in metres. See path.h of the doors.
#include "field/path.h"
#include "field/solver.h"
#include <math.h>
#include <string.h>

#define PATHS_COOKIE 0x50545331u
#define QUERY_COOKIE 0x50545132u
#define MOST_STATES ((size_t)1 << 17)
#define MOST_LEGS 65536

throng_paths_def throng_default_paths_def(void)
{
    throng_paths_def def;
    memset(&def, 0, sizeof def);
    def.cookie = PATHS_COOKIE;
    def.sector_side = 32;
    def.cache_bytes = 1 << 24;
    def.max_points = 16384;
    return def;
}

throng_path_query throng_default_path_query(void)
{
    throng_path_query query;
    memset(&query, 0, sizeof query);
    query.cookie = QUERY_COOKIE;
    query.snap_distance = 2.0f;
    return query;
}

static bool def_valid(const throng_paths_def *def)
{
    return def != NULL && def->cookie == PATHS_COOKIE && def->map != NULL &&
           def->map->planet == NULL && def->class_index >= 0 &&
           def->class_index < def->map->layer_count &&
           (def->sector_side == 32 || def->sector_side == 64) && def->cache_bytes >= 0 &&
           def->max_points >= 16 && def->max_points <= 1 << 20;
}

throng_result throng_paths_create(const throng_paths_def *def, throng_paths **result)
{
    if (result == NULL || !def_valid(def)) {
        return THRONG_BAD_ARGUMENT;
    }
    throng_paths *paths = thg_allocate(1, sizeof *paths);
    if (paths == NULL) {
        return THRONG_NO_MEMORY;
    }
    paths->def = *def;
    if (thg_sectors_create(def->map, def->class_index, def->sector_side, (size_t)def->cache_bytes,
                           &paths->sectors) != THRONG_OK) {
        throng_paths_destroy(paths);
        return THRONG_NO_MEMORY;
    }
    size_t edges = 2 * (size_t)paths->sectors->count;
    size_t states = edges * (size_t)def->sector_side / 2;
    paths->state_capacity = (uint32_t)(states < MOST_STATES ? states : MOST_STATES);
    paths->leg_capacity = thg_min_int((int)paths->state_capacity + 2, MOST_LEGS);
    paths->states = thg_allocate(paths->state_capacity, sizeof *paths->states);
    paths->heap.items = thg_allocate((size_t)paths->state_capacity + 1, sizeof *paths->heap.items);
    paths->edge_first = thg_allocate(edges, sizeof *paths->edge_first);
    paths->edge_stamp = thg_allocate(edges, sizeof *paths->edge_stamp);
    paths->band_stamp = thg_allocate(edges / 2, sizeof *paths->band_stamp);
    paths->legs = thg_allocate((size_t)paths->leg_capacity, sizeof *paths->legs);
    paths->points = thg_allocate((size_t)def->max_points, sizeof *paths->points);
    paths->spare = thg_allocate((size_t)def->max_points, sizeof *paths->spare);
    paths->scratch = thg_allocate((size_t)def->max_points, sizeof *paths->scratch);
    paths->chain = thg_allocate(THG_BLOCK_ROOM, sizeof *paths->chain);
    if (paths->states == NULL || paths->heap.items == NULL || paths->edge_first == NULL ||
        paths->edge_stamp == NULL || paths->band_stamp == NULL || paths->legs == NULL ||
        paths->points == NULL || paths->spare == NULL || paths->scratch == NULL ||
        paths->chain == NULL || thg_path_refine_create(paths) != THRONG_OK) {
        throng_paths_destroy(paths);
        return THRONG_NO_MEMORY;
    }
    paths->heap.places = &paths->states->place;
    paths->heap.size = sizeof *paths->states;
    *result = paths;
    return THRONG_OK;
}

void throng_paths_destroy(throng_paths *paths)
{
    if (paths == NULL) {
        return;
    }
    size_t edges = paths->sectors != NULL ? 2 * (size_t)paths->sectors->count : 0;
    thg_release(paths->states, paths->state_capacity, sizeof *paths->states);
    thg_release(paths->heap.items, (size_t)paths->state_capacity + 1, sizeof *paths->heap.items);
    thg_release(paths->edge_first, edges, sizeof *paths->edge_first);
    thg_release(paths->edge_stamp, edges, sizeof *paths->edge_stamp);
    thg_release(paths->band_stamp, edges / 2, sizeof *paths->band_stamp);
    thg_release(paths->legs, (size_t)paths->leg_capacity, sizeof *paths->legs);
    thg_release(paths->points, (size_t)paths->def.max_points, sizeof *paths->points);
    thg_release(paths->spare, (size_t)paths->def.max_points, sizeof *paths->spare);
    thg_release(paths->scratch, (size_t)paths->def.max_points, sizeof *paths->scratch);
    thg_path_refine_destroy(paths);
    thg_release(paths->chain, THG_BLOCK_ROOM, sizeof *paths->chain);
    thg_sectors_destroy(paths->sectors);
    thg_release(paths, 1, sizeof *paths);
}

bool thg_path_place(const throng_paths *paths, throng_vec2 place, float snap_distance,
                    throng_vec2 *cells)
{
    const throng_map *map = paths->def.map;
    int x, y;
    if (!thg_map_snap(map, paths->def.class_index, place, snap_distance, &x, &y)) {
        return false;
    }
    cells->x = (place.x - map->origin.x) * map->inverse_cell_size;
    cells->y = (place.y - map->origin.y) * map->inverse_cell_size;
    if ((int)cells->x != x || (int)cells->y != y) {
        cells->x = (float)x + 0.5f;
        cells->y = (float)y + 0.5f;
    }
    return true;
}

static int region_at(const throng_paths *paths, throng_vec2 cells)
{
    return throng_map_region(paths->def.map, paths->def.class_index, (int)cells.x, (int)cells.y);
}

/// Length and cost of the points, which then become metres.
static void measure(throng_paths *paths, throng_path *path)
{
    const throng_map *map = paths->def.map;
    const thg_layer *layer = &map->layers[paths->def.class_index];
    double length = 0.0;
    double cost = 0.0;
    for (int i = 0; i + 1 < path->point_count; i++) {
        double dx = (double)paths->points[i + 1].x - (double)paths->points[i].x;
        double dy = (double)paths->points[i + 1].y - (double)paths->points[i].y;
        length += sqrt(dx * dx + dy * dy);
        cost += thg_path_line_cost(map, layer, paths->points[i], paths->points[i + 1]);
    }
    path->length = (float)(length * (double)map->cell_size);
    path->cost = (float)(cost * (double)map->cell_size);
    for (int i = 0; i < path->point_count; i++) {
        paths->points[i].x = map->origin.x + paths->points[i].x * map->cell_size;
        paths->points[i].y = map->origin.y + paths->points[i].y * map->cell_size;
    }
}

throng_result throng_paths_find(throng_paths *paths, const throng_path_query *query,
                                throng_path *path)
{
    memset(path, 0, sizeof *path);
    path->narrowest = INFINITY;
    if (query->cookie != QUERY_COOKIE || !thg_is_finite(query->from.x) ||
        !thg_is_finite(query->from.y) || !thg_is_finite(query->to.x) ||
        !thg_is_finite(query->to.y) || !(query->snap_distance >= 0.0f)) {
        return THRONG_BAD_ARGUMENT;
    }
    throng_vec2 from, to;
    if (!thg_path_place(paths, query->from, query->snap_distance, &from) ||
        !thg_path_place(paths, query->to, query->snap_distance, &to) ||
        region_at(paths, from) != region_at(paths, to)) {
        return THRONG_UNREACHABLE;
    }
    paths->work = 0;
    int target;
    throng_result result = thg_path_search(paths, from, &to, 1, query->quick, &target);
    if (result != THRONG_OK) {
        return result;
    }
    path->sectors = paths->leg_count;
    path->point_count = thg_path_pull(paths, query->quick, &path->whole);
    path->points = paths->points;
    const throng_map *map = paths->def.map;
    if (query->narrowest) {
        path->narrowest = thg_path_narrowest(map, &map->layers[paths->def.class_index],
                                             paths->points, path->point_count) *
                          map->cell_size;
    }
    measure(paths, path);
    path->work_cells = paths->work;
    return THRONG_OK;
}

throng_paths_counts throng_paths_get_counts(const throng_paths *paths)
{
    size_t edges = 2 * (size_t)paths->sectors->count;
    size_t bytes =
        sizeof *paths + sizeof *paths->sectors + sizeof *paths->sectors->block +
        (size_t)paths->sectors->count * sizeof *paths->sectors->place +
        paths->sectors->ring_words * sizeof *paths->sectors->ring +
        (size_t)paths->state_capacity * (sizeof *paths->states + sizeof *paths->heap.items) +
        edges * (sizeof *paths->edge_first + sizeof *paths->edge_stamp) +
        (size_t)paths->leg_capacity * sizeof *paths->legs +
        3 * (size_t)paths->def.max_points * sizeof *paths->points + thg_path_refine_bytes(paths) +
        THG_BLOCK_ROOM * sizeof *paths->chain;
    throng_paths_counts counts = {
        .looked_at = (int64_t)paths->sectors->built_count,
        .confirmed = (int64_t)paths->sectors->kept_count,
        .forgotten = (int64_t)paths->sectors->forgotten_count,
        .bytes = (int64_t)bytes,
    };
    return counts;
}
