/// The pool of tiles, and who has which. See tiles.h.
#include "field/tiles.h"
#include <string.h>

#define LEAST_TILES 64

static size_t tile_bytes(int side, bool shown)
{
    size_t cells = (size_t)(side + 2) * (size_t)(side + 2);
    return sizeof(thg_tile) + sizeof(uint32_t) + cells * (shown ? 2 * sizeof(uint32_t) + 2 : 4);
}

throng_result thg_tile_pool_create(const throng_map *map, int side, size_t bytes, bool shown,
                                   thg_tile_pool **result)
{
    thg_tile_pool *pool = thg_allocate(1, sizeof *pool);
    if (pool == NULL) {
        return THRONG_NO_MEMORY;
    }
    pool->map = map;
    pool->side = side;
    pool->shift = side == 64 ? 6 : 5;
    pool->columns = (map->width + side - 1) >> pool->shift;
    pool->rows = (map->height + side - 1) >> pool->shift;
    pool->count = pool->columns * pool->rows;
    pool->stride = side + 2;
    size_t wanted = bytes / tile_bytes(side, shown);
    wanted = wanted < (size_t)LEAST_TILES ? (size_t)LEAST_TILES : wanted;
    pool->capacity = (int)(wanted < ((size_t)1 << 20) ? wanted : (size_t)1 << 20);
    size_t tiles = (size_t)pool->capacity + 1;
    size_t cells = (size_t)pool->stride * (size_t)pool->stride;
    pool->tiles = thg_allocate(tiles, sizeof *pool->tiles);
    pool->heap.items = thg_allocate(tiles, sizeof *pool->heap.items);
    pool->costs = thg_allocate(tiles * cells, sizeof *pool->costs);
    pool->showns = shown ? thg_allocate(tiles * cells, sizeof *pool->showns) : NULL;
    pool->flows = shown ? thg_allocate(tiles * cells, 2) : NULL;
    pool->block = thg_allocate(1, sizeof *pool->block);
    if (pool->tiles == NULL || pool->heap.items == NULL || pool->costs == NULL ||
        pool->block == NULL || (shown && (pool->showns == NULL || pool->flows == NULL))) {
        thg_tile_pool_destroy(pool);
        return THRONG_NO_MEMORY;
    }
    pool->heap.places = &pool->tiles->place;
    pool->heap.size = sizeof *pool->tiles;
    for (int i = pool->capacity; i > 0; i--) {
        thg_tile *tile = &pool->tiles[i];
        tile->sector = -1;
        tile->cost = pool->costs + (size_t)i * cells;
        tile->shown = shown ? pool->showns + (size_t)i * cells : NULL;
        tile->flow = shown ? pool->flows + (size_t)i * cells * 2 : NULL;
        tile->next = pool->first_free;
        pool->first_free = (uint32_t)i;
    }
    pool->free_count = pool->capacity;
    *result = pool;
    return THRONG_OK;
}

void thg_tile_pool_destroy(thg_tile_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    size_t tiles = (size_t)pool->capacity + 1;
    size_t cells = (size_t)pool->stride * (size_t)pool->stride;
    thg_release(pool->tiles, tiles, sizeof *pool->tiles);
    thg_release(pool->heap.items, tiles, sizeof *pool->heap.items);
    thg_release(pool->costs, tiles * cells, sizeof *pool->costs);
    thg_release(pool->showns, tiles * cells, sizeof *pool->showns);
    thg_release(pool->flows, tiles * cells, 2);
    thg_release(pool->block, 1, sizeof *pool->block);
    thg_release(pool, 1, sizeof *pool);
}

size_t thg_tile_pool_bytes(const thg_tile_pool *pool)
{
    return sizeof *pool + sizeof *pool->block +
           ((size_t)pool->capacity + 1) * tile_bytes(pool->side, pool->showns != NULL);
}

throng_result thg_tiles_create(thg_tile_pool *pool, int class_index, const throng_goal_shape *shape,
                               thg_tiles **result)
{
    thg_tiles *tiles = thg_allocate(1, sizeof *tiles);
    if (tiles == NULL) {
        return THRONG_NO_MEMORY;
    }
    tiles->pool = pool;
    tiles->question.map = pool->map;
    tiles->question.class_index = class_index;
    tiles->question.metric = THRONG_EIKONAL;
    tiles->tile_of = thg_allocate((size_t)pool->count, sizeof *tiles->tile_of);
    tiles->members = thg_allocate((size_t)pool->count, sizeof *tiles->members);
    tiles->next = pool->owners;
    pool->owners = tiles;
    throng_result outcome = tiles->tile_of != NULL && tiles->members != NULL
                                ? thg_goal_copy_set(&tiles->question.goal, shape)
                                : THRONG_NO_MEMORY;
    if (outcome != THRONG_OK) {
        thg_tiles_destroy(tiles);
        return outcome;
    }
    *result = tiles;
    return THRONG_OK;
}

throng_result thg_tiles_take_doors(thg_tiles *tiles, thg_door_graph *graph)
{
    THRONG_ASSERT(tiles->pool->side == graph->sectors->side);
    return thg_doors_create(graph, &tiles->doors);
}

void thg_tiles_destroy(thg_tiles *tiles)
{
    if (tiles == NULL) {
        return;
    }
    thg_tile_pool *pool = tiles->pool;
    if (tiles->tile_of != NULL && tiles->members != NULL) {
        thg_tiles_clear(tiles);
    }
    for (thg_tiles **link = &pool->owners; *link != NULL; link = &(*link)->next) {
        if (*link == tiles) {
            *link = tiles->next;
            break;
        }
    }
    thg_release(tiles->tile_of, (size_t)pool->count, sizeof *tiles->tile_of);
    thg_release(tiles->members, (size_t)pool->count, sizeof *tiles->members);
    thg_goal_copy_release(&tiles->question.goal);
    thg_doors_destroy(tiles->doors);
    thg_release(tiles, 1, sizeof *tiles);
}

void thg_tiles_clear(thg_tiles *tiles)
{
    thg_tile_pool *pool = tiles->pool;
    if (pool->working == tiles) {
        pool->working = NULL;
        pool->heap.count = 0;
    }
    for (int i = 0; i < tiles->member_count; i++) {
        uint32_t *at = &tiles->tile_of[tiles->members[i]];
        thg_tile *tile = &pool->tiles[*at];
        tile->sector = -1;
        tile->place.at = 0;
        tile->next = pool->first_free;
        pool->first_free = *at;
        pool->free_count++;
        *at = 0;
    }
    tiles->member_count = 0;
    tiles->shown_count = 0;
    tiles->version = 0;
    tiles->shown_version = 0;
    tiles->unfinished = false;
}

/// Takes the tiles of whoever was asked least lately. False when nobody else has any.
static bool evict(thg_tile_pool *pool, const thg_tiles *keep)
{
    thg_tiles *oldest = NULL;
    for (thg_tiles *at = pool->owners; at != NULL; at = at->next) {
        if (at != keep && !at->busy && at->member_count > 0 &&
            (oldest == NULL || at->used_at < oldest->used_at ||
             (at->used_at == oldest->used_at && at->key < oldest->key))) {
            oldest = at;
        }
    }
    if (oldest != NULL) {
        pool->evictions += (uint64_t)oldest->member_count;
        thg_tiles_clear(oldest);
    }
    return oldest != NULL;
}

bool thg_tiles_join(thg_tiles *tiles, int sector)
{
    thg_tile_pool *pool = tiles->pool;
    if (tiles->tile_of[sector] != 0) {
        return true;
    }
    while (pool->first_free == 0) {
        if (!evict(pool, tiles)) {
            return false;
        }
    }
    uint32_t at = pool->first_free;
    thg_tile *tile = &pool->tiles[at];
    size_t cells = (size_t)pool->stride * (size_t)pool->stride;
    pool->first_free = tile->next;
    pool->free_count--;
    tile->sector = sector;
    tile->place.at = 0;
    tile->seeded = false;
    tile->changed = true;
    tile->visible = false;
    tile->entered = false;
    memset(tile->cost, 0xFF, cells * sizeof *tile->cost); // THRONG_UNREACHED
    tiles->tile_of[sector] = at;
    tiles->members[tiles->member_count++] = sector;
    return true;
}

bool thg_tiles_enter(thg_tiles *tiles, int sector)
{
    bool joined = thg_tiles_join(tiles, sector);
    if (joined) {
        tiles->pool->tiles[tiles->tile_of[sector]].entered = true;
    }
    return joined;
}

/// What a seed of the goal meets: its sector joins.
typedef struct joining {
    thg_tiles *tiles;
    bool complete;
} joining;

static void join_seed(void *context, uint32_t cell, uint32_t cost)
{
    joining *to = context;
    thg_tile_pool *pool = to->tiles->pool;
    int x = (int)(cell % (uint32_t)pool->map->stride) - 1;
    int y = (int)(cell / (uint32_t)pool->map->stride) - 1;
    (void)cost;
    to->complete =
        thg_tiles_join(to->tiles, (y >> pool->shift) * pool->columns + (x >> pool->shift)) &&
        to->complete;
}

bool thg_tiles_join_goal(thg_tiles *tiles)
{
    joining to = {tiles, true};
    thg_goal_resolve(&tiles->question);
    thg_goal_seed(&tiles->question, join_seed, &to);
    return to.complete;
}

/// One ring round a sector of the corridor; two where terrain costs vary and the best way may lie
/// farther off than walls would let it.
static bool join_ring(thg_tiles *tiles, int column, int row)
{
    const thg_tile_pool *pool = tiles->pool;
    const thg_layer *layer = thg_field_layer(&tiles->question);
    int ring = layer->min_price == layer->max_price ? 1 : 2;
    bool complete = true;
    for (int y = thg_max_int(row - ring, 0); y <= thg_min_int(row + ring, pool->rows - 1); y++) {
        for (int x = thg_max_int(column - ring, 0);
             x <= thg_min_int(column + ring, pool->columns - 1); x++) {
            complete = thg_tiles_join(tiles, y * pool->columns + x) && complete;
        }
    }
    return complete;
}

bool thg_tiles_join_corridor(thg_tiles *tiles, const throng_vec2 *points, int point_count)
{
    const thg_tile_pool *pool = tiles->pool;
    bool complete = true;
    int last = -1;
    for (int i = 0; i < point_count; i++) {
        throng_vec2 from = points[i > 0 ? i - 1 : 0];
        float dx = points[i].x - from.x;
        float dy = points[i].y - from.y;
        float longest = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
        int steps = (int)(longest * 4.0f / (float)pool->side) + 1;
        for (int k = 0; k <= steps && complete; k++) {
            float share = (float)k / (float)steps;
            int column = thg_min_int((int)(from.x + dx * share) >> pool->shift, pool->columns - 1);
            int row = thg_min_int((int)(from.y + dy * share) >> pool->shift, pool->rows - 1);
            if (row * pool->columns + column != last) {
                complete = join_ring(tiles, column, row);
                last = row * pool->columns + column;
            }
        }
    }
    return complete;
}
