/// Tiles and paths of goals: what is made for them, and who asks for what. See routes.h.
#include "crowd/routes.h"
#include <string.h>

#define PATH_CACHE_SHARE 8 ///< part of route_bytes that each class's paths keep sectors in
#define DOOR_SHARE 4       ///< part that each class's rooms keep crossings in
#define MANY_WAIT 64       ///< agents without a path; more are answered in a hurry
#define ROOM_WORK 64       ///< cells' worth of letting a sector join
#define REFUSED_STEPS 60   ///< steps after which a corridor that found no room is tried again

throng_route_method thg_routes_method(const throng_crowd *crowd, uint32_t slot, int class_index)
{
    const thg_goal *goal = &crowd->goals[slot];
    if (crowd->map->planet != NULL || crowd->def.metric != THRONG_EIKONAL || goal->slots != NULL) {
        return THRONG_ROUTE_FIELD;
    }
    if (goal->def.method != THRONG_ROUTE_AUTO) {
        return goal->def.method;
    }
    throng_route_facts facts = {.cells = (double)crowd->map->cell_count,
                                .clutter = (double)throng_map_clutter(crowd->map, class_index),
                                .goals = (double)crowd->used_goals,
                                .agents = (double)goal->def.expected_agents};
    return throng_route_choose(&facts);
}

// ---- Memory -------------------------------------------------------------------------------------

static throng_result ready_paths(throng_crowd *crowd, int class_index)
{
    if (crowd->routes->paths[class_index] != NULL) {
        return THRONG_OK;
    }
    throng_paths_def def = throng_default_paths_def();
    def.map = crowd->map;
    def.class_index = class_index;
    def.cache_bytes = crowd->def.route_bytes / PATH_CACHE_SHARE;
    return throng_paths_create(&def, &crowd->routes->paths[class_index]);
}

static throng_result ready_tiles(throng_crowd *crowd, uint32_t slot, int class_index)
{
    thg_routes *routes = crowd->routes;
    throng_result result = THRONG_OK;
    if (routes->pool == NULL) {
        result = thg_tile_pool_create(crowd->map, 32, (size_t)crowd->def.route_bytes / 2, true,
                                      &routes->pool);
    }
    thg_goal *goal = &crowd->goals[slot];
    if (result == THRONG_OK) {
        result = thg_tiles_create(routes->pool, class_index, &goal->def.shape,
                                  &goal->fields[class_index].tiles);
    }
    return result;
}

static throng_result ready_rooms(throng_crowd *crowd, uint32_t slot, int class_index)
{
    thg_door_graph **graph = &crowd->routes->graphs[class_index];
    throng_result result = ready_tiles(crowd, slot, class_index);
    if (result == THRONG_OK && *graph == NULL) {
        result = thg_door_graph_create(crowd->map, class_index,
                                       (size_t)crowd->def.route_bytes / DOOR_SHARE, graph);
    }
    if (result == THRONG_OK) {
        result = thg_tiles_take_doors(crowd->goals[slot].fields[class_index].tiles, *graph);
    }
    return result;
}

static throng_result ready_way(throng_crowd *crowd, uint32_t slot, int class_index)
{
    thg_routes *routes = crowd->routes;
    if (routes->ways == NULL) {
        routes->ways = thg_allocate((size_t)crowd->def.max_agents + 1, sizeof *routes->ways);
    }
    throng_field *question = thg_allocate(1, sizeof *question);
    if (routes->ways == NULL || question == NULL) {
        thg_release(question, 1, sizeof *question);
        return THRONG_NO_MEMORY;
    }
    question->map = crowd->map;
    question->class_index = class_index;
    throng_result result = thg_goal_copy_set(&question->goal, &crowd->goals[slot].def.shape);
    if (result != THRONG_OK) {
        thg_release(question, 1, sizeof *question);
        return result;
    }
    crowd->goals[slot].fields[class_index].question = question;
    return THRONG_OK;
}

/// The goal's points as they are on the map now become those that are read.
static void resolve(throng_field *question)
{
    thg_goal_resolve(question);
    thg_goal_show_points(&question->goal);
}

throng_result thg_routes_need(throng_crowd *crowd, uint32_t slot, int class_index,
                              throng_route_method method)
{
    if (crowd->routes == NULL) {
        crowd->routes = thg_allocate(1, sizeof *crowd->routes);
        if (crowd->routes == NULL) {
            return THRONG_NO_MEMORY;
        }
    }
    thg_goal_field *field = &crowd->goals[slot].fields[class_index];
    throng_result result = THRONG_OK;
    if (method == THRONG_ROUTE_ROOMS) {
        result = ready_rooms(crowd, slot, class_index);
    } else {
        result = ready_paths(crowd, class_index);
        if (result == THRONG_OK) {
            result = method == THRONG_ROUTE_TILES ? ready_tiles(crowd, slot, class_index)
                                                  : ready_way(crowd, slot, class_index);
        }
    }
    if (result == THRONG_OK && field->tiles != NULL) {
        field->tiles->key = slot * THRONG_MAX_CLASSES + (uint32_t)class_index;
    }
    if (result == THRONG_OK) {
        field->method = (uint8_t)method;
        crowd->routes->tile_goals += field->tiles != NULL;
        crowd->routes->path_goals += method == THRONG_ROUTE_PATH;
        if (method == THRONG_ROUTE_PATH) {
            resolve(field->question);
            field->solved_for = crowd->map_version;
        }
    }
    return result;
}

void thg_routes_drop(throng_crowd *crowd, thg_goal_field *field)
{
    if (crowd->routes != NULL) {
        crowd->routes->tile_goals -= field->tiles != NULL;
        crowd->routes->path_goals -= field->question != NULL;
    }
    thg_tiles_destroy(field->tiles);
    if (field->question != NULL) {
        thg_goal_copy_release(&field->question->goal);
        thg_release(field->question, 1, sizeof *field->question);
    }
}

void thg_routes_destroy(throng_crowd *crowd)
{
    thg_routes *routes = crowd->routes;
    if (routes == NULL) {
        return;
    }
    for (int i = 0; i < THRONG_MAX_CLASSES; i++) {
        throng_paths_destroy(routes->paths[i]);
        thg_door_graph_destroy(routes->graphs[i]);
    }
    thg_tile_pool_destroy(routes->pool);
    thg_release(routes->ways, (size_t)crowd->def.max_agents + 1, sizeof *routes->ways);
    thg_release(routes, 1, sizeof *routes);
    crowd->routes = NULL;
}

const throng_vec2 *thg_routes_points(const thg_goal_field *field, int *count)
{
    const thg_goal_copy *goal =
        field->tiles != NULL ? &field->tiles->question.goal : &field->question->goal;
    *count = goal->resolved_count[0];
    return goal->resolved[0];
}

void thg_routes_map_changed(throng_crowd *crowd)
{
    if (crowd->routes == NULL) {
        return;
    }
    for (int slot = 1; slot <= crowd->def.max_goals && crowd->routes->path_goals > 0; slot++) {
        for (int i = 0; i < crowd->map->layer_count && crowd->goals[slot].used; i++) {
            thg_goal_field *field = &crowd->goals[slot].fields[i];
            if (field->question != NULL) {
                resolve(field->question);
                thg_goal_find_regions(crowd, (uint32_t)slot, i);
            }
        }
    }
    for (int i = 1; i <= crowd->def.max_agents && crowd->routes->ways != NULL; i++) {
        crowd->routes->ways[i].state = THG_WAY_NONE;
    }
}

/// Gives a copy of a goal of one point another point. It cannot fail: there are as many as before.
static void move_point(const thg_goal *goal, thg_goal_copy *copy, const throng_vec2 *point)
{
    throng_goal_shape shape = goal->def.shape;
    shape.points = point;
    thg_goal_copy_set(copy, &shape);
}

void thg_routes_goal_moved(const thg_goal *goal, thg_goal_field *field)
{
    if (field->question != NULL) {
        move_point(goal, &field->question->goal, goal->def.shape.points);
        resolve(field->question);
        field->solved_at = field->solving_at = goal->def.shape.points[0];
    }
}

void thg_routes_aim(const thg_goal *goal, thg_goal_field *field, throng_vec2 point)
{
    if (goal->moves) {
        field->solving_at = point;
        move_point(goal, &field->tiles->question.goal, &point);
    }
}

/// Tiles of a goal that has moved are worked out anew, once the last work is done.
static void follow_goals(throng_crowd *crowd)
{
    for (int slot = 1; slot <= crowd->def.max_goals && crowd->moving_goals > 0; slot++) {
        const thg_goal *goal = &crowd->goals[slot];
        for (int i = 0; i < crowd->map->layer_count && goal->used && goal->moves; i++) {
            thg_goal_field *field = &crowd->goals[slot].fields[i];
            if (field->tiles != NULL && !field->waiting && field->tiles->member_count > 0 &&
                thg_goal_has_moved(goal, field)) {
                thg_routes_aim(goal, field, goal->def.shape.points[0]);
                thg_tiles_join_goal(field->tiles);
                field->tiles->version = 0; // all of it
                field->joined = true;
            }
        }
    }
}

// ---- Who asks for what --------------------------------------------------------------------------

static bool is_inside(const throng_map *map, const throng_rect *rect, int x, int y)
{
    throng_vec2 center = throng_map_cell_center(map, x, y);
    return center.x >= rect->min.x && center.x < rect->max.x && center.y >= rect->min.y &&
           center.y < rect->max.y;
}

/// The cell of a rectangle and a region nearest to a place, in metres. Where the rectangle's edge
/// fits O(1), else O(its cells).
static bool nearest_in_rect(const throng_map *map, int class_index, const throng_rect *rect,
                            throng_vec2 from, int region, int *x, int *y)
{
    throng_vec2 place = {thg_clamp(from.x, rect->min.x, rect->max.x),
                         thg_clamp(from.y, rect->min.y, rect->max.y)};
    int first_x, first_y, last_x, last_y;
    throng_map_cell_at(map, place, x, y);
    if (is_inside(map, rect, *x, *y) && throng_map_region(map, class_index, *x, *y) == region) {
        return true;
    }
    throng_map_cell_at(map, rect->min, &first_x, &first_y);
    throng_map_cell_at(map, rect->max, &last_x, &last_y);
    float best = INFINITY;
    for (int row = first_y; row <= last_y; row++) {
        for (int column = first_x; column <= last_x; column++) {
            throng_vec2 center = throng_map_cell_center(map, column, row);
            float dx = center.x - from.x, dy = center.y - from.y;
            if (dx * dx + dy * dy < best && is_inside(map, rect, column, row) &&
                throng_map_region(map, class_index, column, row) == region) {
                best = dx * dx + dy * dy;
                *x = column;
                *y = row;
            }
        }
    }
    return best < INFINITY;
}

/// The places of a goal that a way from a region can lead to, in cells; at most THG_PATH_TARGETS.
static int find_targets(const throng_crowd *crowd, const thg_goal_copy *goal, int class_index,
                        throng_vec2 from, int region, throng_vec2 *targets)
{
    const throng_map *map = crowd->map;
    int count = 0;
    for (int i = 0; i < goal->resolved_count[1] && count < THG_PATH_TARGETS; i++) {
        throng_vec2 at = goal->resolved[1][i];
        if (throng_map_region(map, class_index, (int)at.x, (int)at.y) == region) {
            targets[count++] = at;
        }
    }
    for (int i = 0; i < goal->shape.cell_count && count < THG_PATH_TARGETS; i++) {
        throng_vec2 place =
            throng_map_cell_center(map, goal->cells[i] % map->width, goal->cells[i] / map->width);
        int x, y;
        if (thg_map_snap(map, class_index, place, goal->shape.snap_distance, &x, &y) &&
            throng_map_region(map, class_index, x, y) == region) {
            targets[count++] = (throng_vec2){(float)x + 0.5f, (float)y + 0.5f};
        }
    }
    for (int i = 0; i < goal->shape.rect_count && count < THG_PATH_TARGETS; i++) {
        int x, y;
        if (nearest_in_rect(map, class_index, &goal->rects[i], from, region, &x, &y)) {
            targets[count++] = (throng_vec2){(float)x + 0.5f, (float)y + 0.5f};
        }
    }
    return count;
}

/// Finds a path for a row: it is in paths->points, in cells. Returns how many points; 0 none.
static int find_path(throng_crowd *crowd, int row, const thg_goal_copy *goal, int class_index,
                     bool quick, int *budget, bool *whole)
{
    const throng_map *map = crowd->map;
    throng_paths *paths = crowd->routes->paths[class_index];
    throng_vec2 place = {crowd->columns.x[row], crowd->columns.y[row]};
    throng_vec2 from, targets[THG_PATH_TARGETS];
    if (!thg_path_place(paths, place, 1e6f, &from)) {
        return 0;
    }
    int region = throng_map_region(map, class_index, (int)from.x, (int)from.y);
    int count = find_targets(crowd, goal, class_index, place, region, targets);
    int target;
    paths->work = 64; // for asking
    throng_result result = count > 0 ? thg_path_search(paths, from, targets, count, quick, &target)
                                     : THRONG_UNREACHABLE;
    int points = result == THRONG_OK ? thg_path_pull(paths, quick, whole) : 0;
    *budget -= paths->work < INT32_MAX / 2 ? (int)paths->work : INT32_MAX / 2;
    return points;
}

/// Lets the corridor of a row join its goal's tiles.
static void ask_for_tiles(throng_crowd *crowd, int row, uint32_t slot, int class_index, int *budget)
{
    thg_goal_field *field = &crowd->goals[slot].fields[class_index];
    thg_tiles *tiles = field->tiles;
    bool whole = true;
    if (tiles->member_count == 0 && crowd->goals[slot].moves) {
        thg_routes_aim(&crowd->goals[slot], field, crowd->goals[slot].def.shape.points[0]);
    }
    bool complete = thg_tiles_join_goal(tiles);
    int count = find_path(crowd, row, &tiles->question.goal, class_index, false, budget, &whole);
    const throng_paths *paths = crowd->routes->paths[class_index];
    complete =
        count > 0 && thg_tiles_join_corridor(tiles, paths->points, count) && complete && whole;
    if (!complete) {
        field->refused_until = crowd->step_count + REFUSED_STEPS;
    }
    field->joined = true;
}

/// Lets the sector of a row join its goal's tiles by rooms.
static void ask_for_room(throng_crowd *crowd, uint32_t slot, int class_index, int sector,
                         int *budget)
{
    thg_goal *goal = &crowd->goals[slot];
    thg_goal_field *field = &goal->fields[class_index];
    if (field->tiles->member_count == 0) {
        thg_routes_aim(goal, field, goal->def.shape.points[0]);
    }
    if (!thg_tiles_join_goal(field->tiles) || !thg_tiles_enter(field->tiles, sector)) {
        field->refused_until = crowd->step_count + REFUSED_STEPS;
    }
    field->joined = true;
    *budget -= ROOM_WORK;
}

/// The sector that a place is led in: its own, or that of the nearest cell that fits.
static int sector_of(const throng_crowd *crowd, const thg_tiles *tiles, int class_index,
                     throng_vec2 place)
{
    int x, y;
    throng_map_cell_at(crowd->map, place, &x, &y);
    if (!throng_map_fits(crowd->map, class_index, x, y)) {
        throng_map_nearest_fit(crowd->map, class_index, place, 0, &x, &y);
    }
    return (y >> tiles->pool->shift) * tiles->pool->columns + (x >> tiles->pool->shift);
}

/// True when a sector has not joined for somebody who is in it.
static bool lacks_room(const thg_tiles *tiles, int sector)
{
    uint32_t at = tiles->tile_of[sector];
    return at == 0 || !tiles->pool->tiles[at].entered;
}

/// True when a row's sector has not joined, or was worked out and does not know the row's place.
static bool lacks_tile(const throng_crowd *crowd, const thg_tiles *tiles, throng_vec2 place)
{
    const thg_tile_pool *pool = tiles->pool;
    int x, y;
    throng_map_cell_at(crowd->map, place, &x, &y);
    uint32_t at = tiles->tile_of[(y >> pool->shift) * pool->columns + (x >> pool->shift)];
    return at == 0 || (pool->tiles[at].visible && !thg_tiles_sample(tiles, place).reached);
}

static void look_for_tiles(throng_crowd *crowd, int *budget)
{
    follow_goals(crowd);
    for (int row = 0; row<crowd->agent_count && * budget> 0; row++) {
        uint32_t slot = crowd->columns.goal[row];
        int class_index = crowd->profiles[crowd->columns.profile[row]].way_class;
        thg_goal_field *field = &crowd->goals[slot].fields[class_index];
        if (slot == 0 || field->tiles == NULL || !thg_row_walks(crowd, row)) {
            continue;
        }
        throng_vec2 place = {crowd->columns.x[row], crowd->columns.y[row]};
        field->tiles->used_at = crowd->step_count + 1;
        if (field->waiting || field->refused_until > crowd->step_count) {
            continue;
        }
        bool rooms = field->tiles->doors != NULL;
        int sector = rooms ? sector_of(crowd, field->tiles, class_index, place) : -1;
        bool lacks =
            rooms ? lacks_room(field->tiles, sector) : lacks_tile(crowd, field->tiles, place);
        if (lacks && thg_routes_connected(crowd, slot, class_index, place)) {
            if (rooms) {
                ask_for_room(crowd, slot, class_index, sector, budget);
            } else {
                ask_for_tiles(crowd, row, slot, class_index, budget);
            }
        }
    }
    // Who else asks for the same goal joins before the work begins.
    for (int slot = 1; slot <= crowd->def.max_goals; slot++) {
        for (int i = 0; i < crowd->map->layer_count && crowd->goals[slot].used; i++) {
            thg_goal_field *field = &crowd->goals[slot].fields[i];
            if (field->joined) {
                field->joined = false;
                thg_field_queue_push(crowd, (uint32_t)slot, i);
            }
        }
    }
}

/// Finds the path of a row and remembers its first turns.
static void ask_for_way(throng_crowd *crowd, int row, bool quick, int *budget)
{
    uint32_t slot = crowd->columns.goal[row];
    int class_index = crowd->profiles[crowd->columns.profile[row]].way_class;
    const thg_goal_field *field = &crowd->goals[slot].fields[class_index];
    thg_way *way = &crowd->routes->ways[crowd->columns.slot[row]];
    const throng_map *map = crowd->map;
    bool whole = true;
    thg_goal_resolve(field->question);
    int count = find_path(crowd, row, &field->question->goal, class_index, quick, budget, &whole);
    *way = (thg_way){.goal = slot, .generation = crowd->goals[slot].generation};
    if (crowd->goals[slot].moves) {
        way->aim = crowd->goals[slot].def.shape.points[0];
    }
    way->state = count > 0 ? THG_WAY_FOUND : THG_WAY_LOST;
    const throng_vec2 *points = crowd->routes->paths[class_index]->points;
    for (int i = 1; i < count && way->count < THG_WAY_POINTS; i++) {
        way->points[way->count++] = (throng_vec2){map->origin.x + points[i].x * map->cell_size,
                                                  map->origin.y + points[i].y * map->cell_size};
    }
    way->whole = whole && count <= THG_WAY_POINTS + 1;
}

/// True when a goal has moved by more than a tenth of what it is away from one on the way to it.
static bool has_strayed(const throng_crowd *crowd, int row, const thg_way *way)
{
    const thg_goal *goal = &crowd->goals[crowd->columns.goal[row]];
    if (!goal->moves) {
        return false;
    }
    throng_vec2 to = goal->def.shape.points[0];
    float off_x = to.x - way->aim.x, off_y = to.y - way->aim.y;
    float dx = to.x - crowd->columns.x[row], dy = to.y - crowd->columns.y[row];
    return off_x * off_x + off_y * off_y > 0.01f * (dx * dx + dy * dy);
}

static bool lacks_way(const throng_crowd *crowd, int row)
{
    uint32_t slot = crowd->columns.goal[row];
    int class_index = crowd->profiles[crowd->columns.profile[row]].way_class;
    const thg_way *way = &crowd->routes->ways[crowd->columns.slot[row]];
    return slot != 0 && crowd->goals[slot].fields[class_index].question != NULL &&
           thg_row_walks(crowd, row) &&
           (way->state == THG_WAY_NONE || way->goal != slot ||
            way->generation != crowd->goals[slot].generation || has_strayed(crowd, row, way));
}

/// In the order of slots, going on where the last step stopped. Where many wait, the first way that
/// is found will do: they ask again on the way.
static void look_for_ways(throng_crowd *crowd, int *budget)
{
    thg_routes *routes = crowd->routes;
    int waiting = 0;
    for (int row = 0; row < crowd->agent_count; row++) {
        waiting += lacks_way(crowd, row);
    }
    uint32_t agents = (uint32_t)crowd->def.max_agents;
    uint32_t slot = routes->cursor;
    for (uint32_t i = 0; i < agents; i++) {
        slot = slot < agents ? slot + 1 : 1;
        int row = crowd->slots[slot].row;
        if (row < 0 || !lacks_way(crowd, row)) {
            continue;
        }
        if (*budget <= 0) {
            crowd->flags |= THRONG_STEP_FIELDS_BEHIND;
            return;
        }
        ask_for_way(crowd, row, waiting > MANY_WAIT, budget);
        routes->cursor = slot;
    }
}

void thg_routes_look(throng_crowd *crowd, int *budget)
{
    thg_routes *routes = crowd->routes;
    if (routes != NULL && routes->tile_goals > 0) {
        look_for_tiles(crowd, budget);
    }
    if (routes != NULL && routes->path_goals > 0) {
        look_for_ways(crowd, budget);
    }
}

bool thg_routes_work(thg_goal_field *field, bool begin, int *budget)
{
    if (begin) {
        thg_tiles_begin(field->tiles);
    }
    if (!thg_tiles_advance(field->tiles, budget)) {
        return false;
    }
    *budget -= thg_tiles_show(field->tiles);
    field->tiles->busy = false;
    return true;
}
