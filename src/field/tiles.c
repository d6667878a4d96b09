/// Working tiles out, showing them, reading them. See tiles.h.
#include "field/tiles.h"
#include <math.h>
#include <string.h>

/// There is news for a tile, of cells from that cost on. Of equal costs the first sector goes
/// first.
static void wake(thg_tile_pool *pool, uint32_t tile, uint32_t cost)
{
    thg_heap_offer(&pool->heap, tile, (uint64_t)cost << 32 | (uint32_t)pool->tiles[tile].sector);
}

// ---- Neighbours ---------------------------------------------------------------------------------

/// The tile so many sectors on; NULL none.
static thg_tile *beside(const thg_tiles *tiles, int sector, int dx, int dy)
{
    const thg_tile_pool *pool = tiles->pool;
    int x = sector % pool->columns + dx;
    int y = sector / pool->columns + dy;
    if (x < 0 || y < 0 || x >= pool->columns || y >= pool->rows) {
        return NULL;
    }
    uint32_t at = tiles->tile_of[y * pool->columns + x];
    return at != 0 ? &pool->tiles[at] : NULL;
}

/// Part of a tile's rim towards a neighbour: its first cell and how many, in the tile and in the
/// neighbour's edge.
typedef struct rim {
    int to, from, step, count;
} rim;

static rim rim_towards(const thg_tile_pool *pool, int dx, int dy)
{
    int side = pool->side;
    int stride = pool->stride;
    int x = dx < 0 ? 0 : dx > 0 ? side + 1 : 1;
    int y = dy < 0 ? 0 : dy > 0 ? side + 1 : 1;
    int from_x = dx < 0 ? side : 1;
    int from_y = dy < 0 ? side : 1;
    rim part = {y * stride + x, from_y * stride + from_x, dx == 0 ? 1 : stride,
                dx != 0 && dy != 0 ? 1 : side};
    return part;
}

/// Fills the rim of `cost` towards a neighbour from its costs.
static void fill_rim(const thg_tile_pool *pool, uint32_t *cost, const uint32_t *other, int dx,
                     int dy)
{
    rim part = rim_towards(pool, dx, dy);
    for (int i = 0; i < part.count; i++) {
        cost[part.to + i * part.step] =
            other != NULL ? other[part.from + i * part.step] : THRONG_UNREACHED;
    }
}

// ---- Work ---------------------------------------------------------------------------------------

static void seed_cell(void *context, uint32_t cell, uint32_t cost)
{
    thg_tiles *tiles = context;
    thg_tile_pool *pool = tiles->pool;
    int x = (int)(cell % (uint32_t)pool->map->stride) - 1;
    int y = (int)(cell / (uint32_t)pool->map->stride) - 1;
    uint32_t at = tiles->tile_of[(y >> pool->shift) * pool->columns + (x >> pool->shift)];
    if (at == 0) {
        return;
    }
    thg_tile *tile = &pool->tiles[at];
    int mask = pool->side - 1;
    uint32_t *here = &tile->cost[((y & mask) + 1) * pool->stride + (x & mask) + 1];
    if (cost < *here) {
        *here = cost;
        tile->seeded = true;
        tile->changed = true;
        wake(pool, at, cost);
    }
}

/// The lowest cost in a neighbour's edge towards a tile.
static uint32_t lowest_on_edge(const thg_tile_pool *pool, const thg_tile *other, int dx, int dy)
{
    rim part = rim_towards(pool, dx, dy);
    uint32_t lowest = THRONG_UNREACHED;
    for (int i = 0; i < part.count; i++) {
        uint32_t cost = other->cost[part.from + i * part.step];
        lowest = cost < lowest ? cost : lowest;
    }
    return lowest;
}

void thg_tiles_begin(thg_tiles *tiles)
{
    thg_tile_pool *pool = tiles->pool;
    size_t cells = (size_t)pool->stride * (size_t)pool->stride;
    if (tiles->doors != NULL) {
        thg_room_tiles_begin(tiles);
        return;
    }
    thg_heap_clear(&pool->heap);
    // What an interrupted work had still to tell is lost.
    bool anew = tiles->version != pool->map->version || tiles->unfinished;
    tiles->anew = anew;
    tiles->unfinished = true;
    pool->working = tiles;
    tiles->version = pool->map->version;
    thg_goal_resolve(&tiles->question);
    for (int i = 0; i < tiles->member_count; i++) {
        uint32_t at = tiles->tile_of[tiles->members[i]];
        thg_tile *tile = &pool->tiles[at];
        if (anew) {
            memset(tile->cost, 0xFF, cells * sizeof *tile->cost);
            tile->seeded = false;
            tile->changed = true;
            continue;
        }
        if (tile->visible) {
            continue;
        }
        for (int move = 0; move < 4; move++) {
            int dx = thg_move_x[move], dy = thg_move_y[move];
            const thg_tile *other = beside(tiles, tiles->members[i], dx, dy);
            uint32_t lowest =
                other != NULL ? lowest_on_edge(pool, other, dx, dy) : THRONG_UNREACHED;
            if (lowest != THRONG_UNREACHED) {
                wake(pool, at, lowest);
            }
        }
    }
    thg_goal_seed(&tiles->question, seed_cell, tiles);
}

/// Tells the neighbours of a tile what has fallen on its edges; the block has the new costs, the
/// tile the old ones.
static void tell(thg_tiles *tiles, const thg_tile *tile)
{
    thg_tile_pool *pool = tiles->pool;
    const uint32_t *now = pool->block->cost;
    for (int move = 0; move < 4; move++) {
        int dx = thg_move_x[move], dy = thg_move_y[move];
        thg_tile *other = beside(tiles, tile->sector, dx, dy);
        if (other == NULL) {
            continue;
        }
        rim part = rim_towards(pool, -dx, -dy); // as the neighbour sees it
        uint32_t lowest = THRONG_UNREACHED;
        for (int i = 0; i < part.count; i++) {
            int at = part.from + i * part.step;
            lowest = now[at] < tile->cost[at] && now[at] < lowest ? now[at] : lowest;
        }
        if (lowest != THRONG_UNREACHED) {
            wake(pool, (uint32_t)(other - pool->tiles), lowest);
        }
    }
}

/// Works one tile out, as far as its neighbours' edges tell. Returns the cells' worth of work.
static int work_out(thg_tiles *tiles, thg_tile *tile)
{
    thg_tile_pool *pool = tiles->pool;
    thg_block *block = pool->block;
    int column = tile->sector % pool->columns;
    int row = tile->sector / pool->columns;
    thg_block_load(block, pool->map, thg_field_layer(&tiles->question), column << pool->shift,
                   row << pool->shift, pool->side);
    memcpy(block->cost, tile->cost,
           (size_t)pool->stride * (size_t)pool->stride * sizeof *tile->cost);
    uint32_t spread = (uint32_t)pool->side * block->max_price * (uint32_t)THG_EIKONAL_PER_PRICE;
    thg_block_rest(block, (uint32_t)(tile->place.key >> 32), spread);
    for (int move = 0; move < 4; move++) {
        int dx = thg_move_x[move], dy = thg_move_y[move];
        const thg_tile *other = beside(tiles, tile->sector, dx, dy);
        fill_rim(pool, block->cost, other != NULL ? other->cost : NULL, dx, dy);
        rim part = rim_towards(pool, dx, dy);
        int inward = -dx - dy * pool->stride;
        for (int i = 0; i < part.count && other != NULL; i++) {
            thg_block_update(block, part.to + i * part.step + inward);
        }
    }
    for (int y = 0; y < block->height && tile->seeded; y++) {
        for (int x = 0; x < block->width; x++) {
            int index = thg_block_index(block, x, y);
            if (block->cost[index] != THRONG_UNREACHED) {
                thg_block_wake(block, index);
            }
        }
    }
    tile->seeded = false;
    int taken = thg_block_run(block);
    if (taken > 0) {
        tile->changed = true;
        tell(tiles, tile);
        memcpy(tile->cost, block->cost,
               (size_t)pool->stride * (size_t)pool->stride * sizeof *tile->cost);
    }
    return taken + 4 * pool->side;
}

bool thg_tiles_advance(thg_tiles *tiles, int *budget)
{
    thg_tile_pool *pool = tiles->pool;
    if (tiles->doors != NULL) {
        return thg_room_tiles_advance(tiles, budget);
    }
    while (pool->heap.count > 0 && *budget > 0) {
        *budget -= work_out(tiles, &pool->tiles[thg_heap_take(&pool->heap)]);
    }
    return pool->heap.count == 0;
}

uint32_t thg_tiles_cost(const thg_tiles *tiles, int x, int y)
{
    const thg_tile_pool *pool = tiles->pool;
    uint32_t at = tiles->tile_of[(y >> pool->shift) * pool->columns + (x >> pool->shift)];
    int mask = pool->side - 1;
    return at != 0 ? pool->tiles[at].cost[((y & mask) + 1) * pool->stride + (x & mask) + 1]
                   : THRONG_UNREACHED;
}

// ---- Showing ------------------------------------------------------------------------------------

/// True when the tile or one that it touches has changed.
static bool is_stale(const thg_tiles *tiles, const thg_tile *tile)
{
    bool stale = false;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            const thg_tile *other = beside(tiles, tile->sector, dx, dy);
            stale = stale || (other != NULL && other->changed);
        }
    }
    return stale;
}

static void show_costs(thg_tiles *tiles, thg_tile *tile)
{
    const thg_tile_pool *pool = tiles->pool;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            const thg_tile *other = beside(tiles, tile->sector, dx, dy);
            if (dx != 0 || dy != 0) {
                fill_rim(pool, tile->cost, other != NULL ? other->cost : NULL, dx, dy);
            }
        }
    }
    memcpy(tile->shown, tile->cost,
           (size_t)pool->stride * (size_t)pool->stride * sizeof *tile->cost);
    int first_x = (tile->sector % pool->columns) << pool->shift;
    int first_y = (tile->sector / pool->columns) << pool->shift;
    int width = thg_min_int(pool->side, pool->map->width - first_x);
    int height = thg_min_int(pool->side, pool->map->height - first_y);
    for (int y = 0; y < height; y++) {
        ptrdiff_t at = (ptrdiff_t)(y + 1) * pool->stride + 1;
        bool far_seen = false;
        thg_flow_row(thg_field_layer(&tiles->question),
                     thg_padded_index(pool->map, first_x, first_y + y), tile->shown + at,
                     pool->stride, width, tile->flow + 2 * at, &far_seen);
    }
}

/// Copies the neighbours' directions to the rim.
static void show_rim(thg_tiles *tiles, thg_tile *tile)
{
    const thg_tile_pool *pool = tiles->pool;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            const thg_tile *other = beside(tiles, tile->sector, dx, dy);
            rim part = rim_towards(pool, dx, dy);
            for (int i = 0; i < part.count && (dx != 0 || dy != 0); i++) {
                int to = 2 * (part.to + i * part.step);
                int from = 2 * (part.from + i * part.step);
                tile->flow[to] = other != NULL ? other->flow[from] : 0;
                tile->flow[to + 1] = other != NULL ? other->flow[from + 1] : 0;
            }
        }
    }
}

int thg_tiles_show(thg_tiles *tiles)
{
    thg_tile_pool *pool = tiles->pool;
    if (tiles->doors != NULL) {
        return thg_room_tiles_show(tiles);
    }
    int work = 0;
    for (int i = 0; i < tiles->member_count; i++) {
        thg_tile *tile = &pool->tiles[tiles->tile_of[tiles->members[i]]];
        if (!tile->visible || is_stale(tiles, tile)) {
            show_costs(tiles, tile);
            work += pool->side * pool->side / 4;
        }
    }
    for (int i = 0; i < tiles->member_count; i++) {
        thg_tile *tile = &pool->tiles[tiles->tile_of[tiles->members[i]]];
        show_rim(tiles, tile);
        work += pool->side;
    }
    for (int i = 0; i < tiles->member_count; i++) {
        thg_tile *tile = &pool->tiles[tiles->tile_of[tiles->members[i]]];
        tile->changed = false;
        tile->visible = true;
    }
    thg_goal_show_points(&tiles->question.goal);
    tiles->shown_count = tiles->member_count;
    tiles->shown_version = tiles->version;
    tiles->unfinished = false;
    pool->working = NULL;
    return work;
}

// ---- Reading ------------------------------------------------------------------------------------

static const thg_tile *tile_at(const thg_tiles *tiles, int x, int y)
{
    const thg_tile_pool *pool = tiles->pool;
    uint32_t at = tiles->tile_of[(y >> pool->shift) * pool->columns + (x >> pool->shift)];
    return at != 0 && pool->tiles[at].visible ? &pool->tiles[at] : NULL;
}

uint32_t thg_tiles_shown_cost(const thg_tiles *tiles, int x, int y)
{
    const thg_tile *tile = tile_at(tiles, x, y);
    int mask = tiles->pool->side - 1;
    return tile != NULL ? tile->shown[((y & mask) + 1) * tiles->pool->stride + (x & mask) + 1]
                        : THRONG_UNREACHED;
}

bool thg_tiles_has(const thg_tiles *tiles, throng_vec2 position)
{
    int x, y;
    throng_map_cell_at(tiles->pool->map, position, &x, &y);
    return tile_at(tiles, x, y) != NULL;
}

throng_sample thg_tiles_sample(const thg_tiles *tiles, throng_vec2 position)
{
    const thg_tile_pool *pool = tiles->pool;
    const throng_map *map = pool->map;
    throng_sample sample = {{0.0f, 0.0f}, INFINITY, false};
    const thg_layer *layer = thg_field_layer(&tiles->question);
    int x, y;
    throng_map_cell_at(map, position, &x, &y);
    size_t cell = thg_padded_index(map, x, y);
    if (layer->price[cell] == 0 && !thg_layer_blocked(map, layer, cell) &&
        throng_map_nearest_fit(map, tiles->question.class_index, position, 0, &x, &y)) {
        throng_vec2 to = throng_map_cell_center(map, x, y);
        throng_sample there = tile_at(tiles, x, y) != NULL ? thg_tiles_sample(tiles, to) : sample;
        float dx = to.x - position.x;
        float dy = to.y - position.y;
        float length = sqrtf(dx * dx + dy * dy);
        if (!there.reached) {
            return sample;
        }
        sample.reached = true;
        sample.cost = there.cost + length;
        sample.direction =
            length > 0.0f ? (throng_vec2){dx / length, dy / length} : (throng_vec2){0.0f, 0.0f};
        return sample;
    }
    const thg_tile *tile = tile_at(tiles, x, y);
    if (tile == NULL) {
        return sample;
    }
    thg_reading reading = {
        .map = map,
        .layer = layer,
        .cost = tile->shown,
        .flow = tile->flow,
        .stride = pool->stride,
        .first_x = (tile->sector % pool->columns) << pool->shift,
        .first_y = (tile->sector / pool->columns) << pool->shift,
        .unit = THRONG_EIKONAL_UNIT,
        .points = tiles->question.goal.resolved[0],
        .point_count = tiles->question.goal.resolved_count[0],
    };
    return thg_reading_sample(&reading, position);
}
