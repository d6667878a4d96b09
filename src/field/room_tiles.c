/// Tiles of goals by rooms: each is worked out alone, from the goal and from its own doors.
///
/// Work goes in three phases. What the goal gives spreads in the goal's own sectors, as far as
/// their doors; from there the doors of the whole map get their costs (doors.h); then each sector
/// that somebody is in is solved between the doors through which it is left, and the sectors behind
/// these join, so that nobody comes to one that is not worked out. Where the work stands follows
/// from how much was done, and nothing is read before all of it is.
#include "field/solver.h"
#include "field/tiles.h"
#include <string.h>

/// What the goal gives a cell.
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
    }
}

static thg_tile *member(const thg_tiles *tiles, int i)
{
    return &tiles->pool->tiles[tiles->tile_of[tiles->members[i]]];
}

void thg_room_tiles_begin(thg_tiles *tiles)
{
    thg_tile_pool *pool = tiles->pool;
    size_t cells = (size_t)pool->stride * (size_t)pool->stride;
    tiles->anew = tiles->version != pool->map->version || tiles->unfinished || !tiles->doors->known;
    tiles->unfinished = true;
    tiles->version = pool->map->version;
    tiles->cursor = 0;
    tiles->spread = false;
    pool->working = tiles;
    thg_goal_resolve(&tiles->question);
    for (int i = 0; i < tiles->member_count && tiles->anew; i++) {
        thg_tile *tile = member(tiles, i);
        memset(tile->cost, 0xFF, cells * sizeof *tile->cost);
        tile->seeded = false;
        tile->changed = true;
    }
    if (tiles->anew) {
        thg_doors_clear(tiles->doors);
    }
    thg_goal_seed(&tiles->question, seed_cell, tiles);
}

/// Takes a tile's sector into the block, with what the goal gives it and nothing beyond its lines.
static thg_block *load(thg_tiles *tiles, const thg_tile *tile, uint32_t lowest)
{
    thg_tile_pool *pool = tiles->pool;
    thg_block *block = pool->block;
    thg_block_load(block, pool->map, thg_field_layer(&tiles->question),
                   (tile->sector % pool->columns) << pool->shift,
                   (tile->sector / pool->columns) << pool->shift, pool->side);
    uint32_t spread = (uint32_t)pool->side * block->max_price * (uint32_t)THG_EIKONAL_PER_PRICE;
    thg_block_clear(block, tile->seeded ? 0 : lowest, spread);
    for (int y = 0; y < block->height && tile->seeded; y++) {
        for (int x = 0; x < block->width; x++) {
            int index = thg_block_index(block, x, y);
            thg_block_seed(block, index, tile->cost[index]);
        }
    }
    return block;
}

/// From the goal to the doors of the sectors that it is in. True when all have been looked at.
static bool spread_goal(thg_tiles *tiles, int *budget)
{
    for (; *budget > 0 && tiles->cursor < tiles->member_count; tiles->cursor++) {
        const thg_tile *tile = member(tiles, tiles->cursor);
        if (tile->seeded) {
            thg_block *block = load(tiles, tile, 0);
            *budget -= thg_block_run(block) + 4 * tiles->pool->side;
            thg_doors_begin(tiles->doors, tile->sector, block);
        }
    }
    return tiles->cursor == tiles->member_count;
}

/// The sectors into which one is left join.
static void join_next(thg_tiles *tiles, int sector, unsigned exits)
{
    const int beside[4] = {-1, 1, -tiles->pool->columns, tiles->pool->columns};
    for (int side = 0; side < 4; side++) {
        if (exits >> side & 1u) {
            thg_tiles_join(tiles, sector + beside[side]);
        }
    }
}

static int work_out(thg_tiles *tiles, thg_tile *tile, uint32_t lowest)
{
    thg_tile_pool *pool = tiles->pool;
    thg_block *block = load(tiles, tile, lowest);
    thg_doors_rim(tiles->doors, tile->sector, block);
    int taken = thg_block_run(block);
    memcpy(tile->cost, block->cost,
           (size_t)pool->stride * (size_t)pool->stride * sizeof *tile->cost);
    return taken + 4 * pool->side;
}

static bool work_out_all(thg_tiles *tiles, int *budget)
{
    for (; *budget > 0 && tiles->cursor < tiles->member_count; tiles->cursor++) {
        thg_tile *tile = member(tiles, tiles->cursor);
        uint32_t lowest;
        unsigned exits = thg_doors_exits(tiles->doors, tile->sector, &lowest);
        if (tile->entered) {
            join_next(tiles, tile->sector, exits);
        }
        if (tile->changed) {
            *budget -= work_out(tiles, tile, lowest);
        }
    }
    return tiles->cursor == tiles->member_count;
}

bool thg_room_tiles_advance(thg_tiles *tiles, int *budget)
{
    if (!tiles->doors->known) {
        tiles->spread = tiles->spread || spread_goal(tiles, budget);
        if (!tiles->spread || !thg_doors_advance(tiles->doors, budget)) {
            return false;
        }
        tiles->cursor = 0;
    }
    return work_out_all(tiles, budget);
}

int thg_room_tiles_show(thg_tiles *tiles)
{
    thg_tile_pool *pool = tiles->pool;
    size_t cells = (size_t)pool->stride * (size_t)pool->stride;
    int work = 0;
    for (int i = 0; i < tiles->member_count; i++) {
        thg_tile *tile = member(tiles, i);
        if (!tile->changed) {
            continue;
        }
        memcpy(tile->shown, tile->cost, cells * sizeof *tile->cost);
        memset(tile->flow, 0, 2 * cells); // beyond the lines nothing is blended in
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
        tile->changed = false;
        tile->visible = true;
        work += pool->side * pool->side / 4;
    }
    thg_goal_show_points(&tiles->question.goal);
    tiles->shown_count = tiles->member_count;
    tiles->shown_version = tiles->version;
    tiles->unfinished = false;
    pool->working = NULL;
    return work;
}
