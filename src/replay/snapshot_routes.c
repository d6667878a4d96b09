/// Tiles and paths in snapshots.
///
/// What agents read of a tile is stored as it is. What was being worked out is not: it begins with
/// what is read and goes on in the same order, so it is done again, as many cells as had been done.
#include "replay/snapshot_routes.h"

_Static_assert(sizeof(thg_way) == 88, "a way has no holes");

/// The goal's points where agents read them, in cells.
static throng_result stream_points(thg_stream *stream, thg_goal_copy *goal)
{
    int32_t count = goal->resolved_count[0];
    THG_STREAM(stream, count);
    if (count < 0 || count > goal->resolved_capacity[0]) {
        return THRONG_BAD_DATA;
    }
    goal->resolved_count[0] = count;
    thg_stream_bytes(stream, goal->resolved[0], (size_t)count * sizeof *goal->resolved[0]);
    for (int i = 0; i < count; i++) {
        if (!thg_is_finite(goal->resolved[0][i].x) || !thg_is_finite(goal->resolved[0][i].y)) {
            return THRONG_BAD_DATA;
        }
    }
    return THRONG_OK;
}

/// One tile: its sector and, if agents read it, what they read.
static throng_result stream_tile(thg_stream *stream, thg_tiles *tiles, int member)
{
    thg_tile_pool *pool = tiles->pool;
    bool reading = stream->mode == THG_STREAM_READ;
    int32_t sector = reading ? 0 : tiles->members[member];
    THG_STREAM(stream, sector);
    if (sector < 0 || sector >= pool->count ||
        (reading && (tiles->tile_of[sector] != 0 || pool->first_free == 0 ||
                     !thg_tiles_join(tiles, sector)))) {
        return THRONG_BAD_DATA;
    }
    thg_tile *tile = &pool->tiles[tiles->tile_of[sector]];
    uint8_t state = (uint8_t)(tile->visible | tile->entered << 1);
    THG_STREAM(stream, state);
    if (state > 3 || ((state & 2) && tiles->doors == NULL)) {
        return THRONG_BAD_DATA;
    }
    if (reading) {
        tile->entered = (state & 2) != 0;
    }
    if (state & 1) {
        size_t cells = (size_t)pool->stride * (size_t)pool->stride;
        thg_stream_bytes(stream, tile->shown, cells * sizeof *tile->shown);
        thg_stream_bytes(stream, tile->flow, cells * 2);
        if (reading) {
            memcpy(tile->cost, tile->shown, cells * sizeof *tile->cost);
            tile->visible = true;
            tile->changed = false;
        }
    }
    return THRONG_OK;
}

/// What the doors cost, where that is known: rooms that join later are worked out from it.
static throng_result stream_doors(thg_stream *stream, thg_doors *doors)
{
    uint8_t known = doors->known;
    THG_STREAM(stream, known);
    if (known > 1) {
        return THRONG_BAD_DATA;
    }
    doors->known = known != 0;
    if (known) {
        uint32_t count = doors->graph->door_count;
        thg_stream_bytes(stream, doors->cost, count * sizeof *doors->cost);
        thg_stream_bytes(stream, doors->onward, count * sizeof *doors->onward);
        for (uint32_t i = 0; i < count; i++) {
            if (doors->onward[i] > 1) {
                return THRONG_BAD_DATA;
            }
        }
    }
    return THRONG_OK;
}

static throng_result stream_tiles(thg_stream *stream, throng_crowd *crowd, thg_tiles *tiles)
{
    int32_t count = tiles->member_count, shown_count = tiles->shown_count;
    bool is_current = tiles->version != 0 && tiles->version == crowd->map->version;
    uint8_t flags =
        (uint8_t)(is_current | tiles->unfinished << 1 | tiles->busy << 2 | tiles->anew << 3);
    THG_STREAM(stream, count);
    THG_STREAM(stream, shown_count);
    THG_STREAM(stream, flags);
    THG_STREAM(stream, tiles->used_at);
    if (count < 0 || count > tiles->pool->count || shown_count < 0 || shown_count > count ||
        flags > 15) {
        return THRONG_BAD_DATA;
    }
    for (int i = 0; i < count; i++) {
        throng_result result = stream_tile(stream, tiles, i);
        if (result != THRONG_OK || stream->short_of_data) {
            return THRONG_BAD_DATA;
        }
    }
    if (stream->mode == THG_STREAM_READ) {
        tiles->shown_count = shown_count;
        tiles->version = flags & 1; // see thg_routes_restored
        tiles->unfinished = (flags & 2) != 0;
        tiles->busy = (flags & 4) != 0;
        tiles->anew = (flags & 8) != 0;
    }
    if (tiles->doors != NULL) {
        throng_result result = stream_doors(stream, tiles->doors);
        if (result != THRONG_OK) {
            return result;
        }
    }
    return stream_points(stream, &tiles->question.goal);
}

static bool way_is_valid(const throng_crowd *crowd, const thg_way *way)
{
    for (int i = 0; i < THG_WAY_POINTS; i++) {
        if (!thg_is_finite(way->points[i].x) || !thg_is_finite(way->points[i].y)) {
            return false;
        }
    }
    if (!thg_is_finite(way->aim.x) || !thg_is_finite(way->aim.y)) {
        return false;
    }
    return way->count <= THG_WAY_POINTS && (way->next < way->count || way->next == 0) &&
           way->state <= THG_WAY_LOST && way->whole <= 1 &&
           way->goal <= (uint32_t)crowd->def.max_goals;
}

static throng_result stream_ways(thg_stream *stream, throng_crowd *crowd)
{
    thg_routes *routes = crowd->routes;
    THG_STREAM(stream, routes->cursor);
    uint8_t ways = routes->ways != NULL;
    THG_STREAM(stream, ways);
    if (routes->cursor > (uint32_t)crowd->def.max_agents || ways > 1) {
        return THRONG_BAD_DATA;
    }
    if (ways && routes->ways == NULL) { // of a goal that is gone
        routes->ways = thg_allocate((size_t)crowd->def.max_agents + 1, sizeof *routes->ways);
        if (routes->ways == NULL) {
            return THRONG_NO_MEMORY;
        }
    }
    for (int i = 0; i <= crowd->def.max_agents && ways; i++) {
        THG_STREAM(stream, routes->ways[i]);
        if (!way_is_valid(crowd, &routes->ways[i])) {
            return THRONG_BAD_DATA;
        }
    }
    return THRONG_OK;
}

throng_result thg_stream_routes(thg_stream *stream, throng_crowd *crowd)
{
    uint8_t there = crowd->routes != NULL;
    THG_STREAM(stream, there);
    if (there > 1 || (there == 0 && crowd->routes != NULL)) {
        return THRONG_BAD_DATA;
    }
    if (there == 0) {
        return THRONG_OK;
    }
    if (crowd->routes == NULL) { // their goals are gone
        crowd->routes = thg_allocate(1, sizeof *crowd->routes);
        if (crowd->routes == NULL) {
            return THRONG_NO_MEMORY;
        }
    }
    for (int slot = 1; slot <= crowd->def.max_goals; slot++) {
        for (int i = 0; i < crowd->map->layer_count && crowd->goals[slot].used; i++) {
            thg_goal_field *field = &crowd->goals[slot].fields[i];
            throng_result result = THRONG_OK;
            if (field->tiles != NULL) {
                THG_STREAM(stream, field->refused_until);
                result = stream_tiles(stream, crowd, field->tiles);
            } else if (field->question != NULL) {
                result = stream_points(stream, &field->question->goal);
            }
            if (result != THRONG_OK) {
                return result;
            }
        }
    }
    return stream_ways(stream, crowd);
}

/// Takes interrupted work to where it stood.
static void go_on(throng_crowd *crowd, thg_goal_field *field)
{
    thg_tiles *tiles = field->tiles;
    tiles->version = tiles->anew ? 0 : crowd->map->version;
    tiles->unfinished = false;
    thg_tiles_begin(tiles);
    for (int64_t left = crowd->field_progress; left > 0;) {
        int budget = left < INT32_MAX ? (int)left : INT32_MAX;
        int given = budget;
        if (thg_tiles_advance(tiles, &budget)) {
            break; // only a forged snapshot says that waiting tiles are done
        }
        left -= given - budget;
    }
}

void thg_routes_restored(throng_crowd *crowd, bool map_pending)
{
    for (int slot = 1; slot <= crowd->def.max_goals && crowd->routes != NULL; slot++) {
        for (int i = 0; i < crowd->map->layer_count; i++) {
            thg_goal_field *field = &crowd->goals[slot].fields[i];
            if (field->tiles != NULL) {
                bool is_current = field->tiles->version == 1 && !map_pending;
                field->tiles->version = is_current ? crowd->map->version : 0;
                field->tiles->shown_version = field->tiles->version;
                thg_routes_aim(&crowd->goals[slot], field, field->solving_at);
            }
            if (field->tiles != NULL || field->question != NULL) {
                thg_goal_find_regions(crowd, (uint32_t)slot, i);
            }
        }
    }
    if (!map_pending && crowd->field_active) {
        uint32_t entry = crowd->field_queue[0];
        thg_goal_field *field =
            &crowd->goals[entry / THRONG_MAX_CLASSES].fields[entry % THRONG_MAX_CLASSES];
        if (field->tiles != NULL) {
            go_on(crowd, field);
        }
    }
}
