/// Tiles: a goal's field in some sectors only, those that lie on the ways of who goes there.
///
/// The sectors of a corridor and the ring round it join the goal's tiles. A tile takes its
/// neighbours' edges as they are, cell by cell, so nothing bends where two meet; and as costs
/// only fall, to the highest eikonal solution, the costs are the bits that a whole-map solver would
/// find on a map that ends where the tiles end, whatever order they joined in. When more join,
/// costs can only fall, so work goes on from what is there. Agents read what was shown when the
/// last work was done.
///
/// Tiles of goals by rooms are worked out one by one, from the costs at their own doors (doors.h):
/// only the sectors where somebody is join, and those that he will come to next.
///
/// Tiles come from a pool of fixed size that the goals of a map share. When it is empty, the goal
/// whose tiles were asked for least lately loses all of its own.
#ifndef THG_TILES_H
#define THG_TILES_H

#include "field/block.h"
#include "field/doors.h"
#include "field/path.h"
#include "field/solver.h"

typedef struct thg_tiles thg_tiles;

typedef struct thg_tile {
    uint32_t *cost;       ///< with a rim; being worked on
    uint32_t *shown;      ///< with a rim; what is read. NULL in pools that only work
    int8_t *flow;         ///< of `shown`
    int32_t sector;       ///< -1: free
    uint32_t next;        ///< free tile, from 1
    thg_heap_place place; ///< its key: lowest cost that is news to it << 32 | sector
    bool seeded;          ///< all its costs are news
    bool changed;         ///< since it was last shown
    bool visible;         ///< has been shown
    bool entered;         ///< by rooms: somebody has been here, so the next ones join too
} thg_tile;

typedef struct thg_tile_pool {
    const throng_map *map;
    int side, shift, columns, rows, count; ///< of sectors
    int stride;                            ///< of a tile, side + 2
    thg_tile *tiles;                       ///< [capacity + 1]; 0 is none
    int capacity, free_count;
    uint32_t first_free;
    uint32_t *costs, *showns;
    int8_t *flows;
    thg_heap heap;      ///< tiles that have something to do, the most urgent first
    thg_tiles *working; ///< whose they are
    thg_block *block;
    thg_tiles *owners;                ///< a list
    uint64_t clock;                   ///< rises with every use
    uint64_t hits, misses, evictions; ///< answers from a tile, from none; tiles taken away
} thg_tile_pool;

/// A goal's tiles for a class.
struct thg_tiles {
    thg_tile_pool *pool;
    throng_field question; ///< the goal; has no buffers
    uint32_t *tile_of;     ///< per sector: tile, 0 none
    int32_t *members;      ///< sectors, in the order they joined
    int member_count;
    int shown_count;        ///< members when last shown
    uint32_t version;       ///< of the map that the work is for; 0: nothing done
    uint32_t shown_version; ///< 0: nothing shown
    bool unfinished;        ///< work was begun and not shown
    bool busy;              ///< waits for work: keeps its tiles
    bool anew;              ///< the work that was begun last began with nothing
    uint32_t key;           ///< of tiles asked for at the same time, the lower go first
    uint64_t used_at;       ///< on the pool's clock
    thg_doors *doors;       ///< by rooms; NULL: tiles tell each other
    bool spread;            ///< by rooms: the doors of the goal's own sectors have their costs
    int cursor;             ///< by rooms: members that are done in this phase of the work
    thg_tiles *next;
};

/// Tiles of `side` 32 or 64 cells, as many as `bytes` hold, at least 64. `shown`: with memory to be
/// read from. THRONG_NO_MEMORY.
throng_result thg_tile_pool_create(const throng_map *map, int side, size_t bytes, bool shown,
                                   thg_tile_pool **pool);
/// Whose tiles must be gone.
void thg_tile_pool_destroy(thg_tile_pool *pool);
size_t thg_tile_pool_bytes(const thg_tile_pool *pool);

throng_result thg_tiles_create(thg_tile_pool *pool, int class_index, const throng_goal_shape *shape,
                               thg_tiles **tiles);
/// Makes tiles that were just created those of a goal by rooms; the pool's are of the graph's size.
throng_result thg_tiles_take_doors(thg_tiles *tiles, thg_door_graph *graph);
void thg_tiles_destroy(thg_tiles *tiles);

/// Gives all tiles back to the pool.
void thg_tiles_clear(thg_tiles *tiles);

/// Lets a sector join. False when the pool is empty and nobody else has tiles.
bool thg_tiles_join(thg_tiles *tiles, int sector);

/// By rooms: lets the sector of somebody join. False as above.
bool thg_tiles_enter(thg_tiles *tiles, int sector);

/// Lets the sectors of the goal itself join, and where the class can stand there.
bool thg_tiles_join_goal(thg_tiles *tiles);

/// Lets the sectors that a path found for this goal touches join, and the ring round them.
bool thg_tiles_join_corridor(thg_tiles *tiles, const throng_vec2 *points, int point_count);

/// Starts work on what is new: anew when the map has changed. Drops what the pool was working on.
void thg_tiles_begin(thg_tiles *tiles);

/// Goes on for about *budget cells, and subtracts them. True when nothing is left to do. Where it
/// stands follows from how many were subtracted since the start.
bool thg_tiles_advance(thg_tiles *tiles, int *budget);

/// Lets what was worked out be read. Returns the cells' worth of work.
int thg_tiles_show(thg_tiles *tiles);

// ---- room_tiles.c: the same three for goals by rooms.
void thg_room_tiles_begin(thg_tiles *tiles);
bool thg_room_tiles_advance(thg_tiles *tiles, int *budget);
int thg_room_tiles_show(thg_tiles *tiles);

/// Cost being worked on, of a cell; THRONG_UNREACHED where there is no tile.
uint32_t thg_tiles_cost(const thg_tiles *tiles, int x, int y);

/// The cost that is read, of a cell.
uint32_t thg_tiles_shown_cost(const thg_tiles *tiles, int x, int y);

/// True when the place's sector has been shown.
bool thg_tiles_has(const thg_tiles *tiles, throng_vec2 position);

/// As throng_field_sample, from what was shown; nothing where there is no tile. A cell where the
/// class does not fit leads to the nearest that does.
throng_sample thg_tiles_sample(const thg_tiles *tiles, throng_vec2 position);

/// Whether anything is left to do after joining or an edit of the map.
static inline bool thg_tiles_are_behind(const thg_tiles *tiles)
{
    return tiles->member_count > 0 && (tiles->shown_count != tiles->member_count ||
                                       tiles->shown_version != tiles->question.map->version);
}

#endif
