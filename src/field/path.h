/// What the files of paths share.
#ifndef THG_PATH_H
#define THG_PATH_H

#include "core/heap.h"
#include "field/sectors.h"
#include <throng/path.h>

#define THG_PATH_TARGETS 16 ///< places of which the nearest counts
#define THG_NO_STATE UINT32_MAX

/// A node that the search has seen.
typedef struct thg_path_state {
    thg_heap_place place; ///< its key: the cost with what is still ahead at least
    uint64_t cost;
    uint32_t parent; ///< state; THG_NO_STATE: the start
    bool closed;     ///< has been gone on from
    uint32_t sector; ///< through which it was reached
    float x, y;      ///< cells
} thg_path_state;

/// One leg of the coarse way: a straight line or a walk inside one sector.
typedef struct thg_path_leg {
    throng_vec2 from, to; ///< cells
    int sector;
} thg_path_leg;

struct throng_paths {
    throng_paths_def def;
    thg_sectors *sectors;
    thg_path_state *states;
    uint32_t state_count, state_capacity;
    thg_heap heap;        ///< states, the nearest first
    uint32_t *edge_first; ///< per edge between sectors: its first state
    uint32_t *edge_stamp; ///< and the search that it is of
    uint32_t *band_stamp; ///< per sector: the search that may go through it
    uint32_t stamp;
    uint32_t node_distance[THG_SECTOR_NODES];
    uint32_t target_distance[THG_PATH_TARGETS][THG_SECTOR_NODES];
    thg_path_leg *legs; ///< [leg_capacity]
    int leg_count, leg_capacity;
    throng_vec2 *points, *spare, *scratch; ///< [def.max_points]
    struct thg_tile_pool *pool;            ///< for a second look at the way
    struct thg_tiles *tiles;
    throng_vec2 *chain; ///< [THG_BLOCK_ROOM] of one leg
    int64_t work;       ///< cells' worth of this question
};

/// A place in cells, moved to where the class fits; false when there is none near.
bool thg_path_place(const throng_paths *paths, throng_vec2 place, float snap_distance,
                    throng_vec2 *cells);

/// The coarse way from a point to the nearest of some, in cells, all in one region: fills the legs.
/// The target reached goes to *target. Where it is far a search that hurries to the target comes
/// first, and an exact one goes over what is near its way; `quick` leaves it at the first.
throng_result thg_path_search(throng_paths *paths, throng_vec2 from, const throng_vec2 *targets,
                              int target_count, bool quick, int *target);

/// Turns the legs into a taut line: fills points, returns how many. *whole is false where it had to
/// be cut off. `quick`: without a second look.
int thg_path_pull(throng_paths *paths, bool quick, bool *whole);

/// Pulls a line taut in place: straightens, and cuts corners. Returns how many points are left.
int thg_path_taut(throng_paths *paths, throng_vec2 *points, int count);

/// What a line of points costs that is known to be free, in cells of unit price.
double thg_path_cost(const throng_map *map, const thg_layer *layer, const throng_vec2 *points,
                     int count);

// ---- path_refine.c
throng_result thg_path_refine_create(throng_paths *paths);
void thg_path_refine_destroy(throng_paths *paths);
size_t thg_path_refine_bytes(const throng_paths *paths);
/// True where the coarse way may be some hundredths too dear.
bool thg_path_wants_refining(const throng_paths *paths);
/// Improves the points. Returns how many there are.
int thg_path_refine(throng_paths *paths, int count);

/// What the straight line between two points costs, in cells of unit price; INFINITY where
/// something is in the way.
double thg_path_line_cost(const throng_map *map, const thg_layer *layer, throng_vec2 from,
                          throng_vec2 to);

/// Cells between the walls where they come nearest to each other on both sides of the way.
float thg_path_narrowest(const throng_map *map, const thg_layer *layer, const throng_vec2 *points,
                         int point_count);

#endif
