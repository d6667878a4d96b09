/// Paths: from one place to another, any-angle, for an agent with a goal of its own.
///
/// A coarse search (A*) over the windows between sectors finds through which of them the way leads;
/// what lies between two windows is worked out inside their sector; then the way is pulled taut:
/// wherever a straight line costs less, it replaces what it cuts off. Where all terrain costs the
/// same that leaves corners at obstacles only. Short ways, and all where terrain costs vary, are
/// looked at a second time: a field in the sectors along them. Against the walk down a whole-map
/// field paths are at most 1 % longer, and 2 % dearer where the cost of terrain changes eightfold
/// every few cells (tests/test_path.c); on average they are shorter. That holds to a distance of 64
/// sectors; beyond, the best way is looked for only near one that was found in a hurry.
///
/// The answer depends on the map and the question alone, not on what was asked before: what is kept
/// between questions is a cache of things that follow from the map.
#ifndef THRONG_PATH_H
#define THRONG_PATH_H

#include <throng/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One class's paths on a map: the cache of sectors, and the memory of a search.
typedef struct throng_paths throng_paths;

typedef struct throng_paths_def {
    uint32_t cookie;       ///< set by throng_default_paths_def()
    const throng_map *map; ///< outlives the paths
    int class_index;
    int sector_side; ///< cells; 32 or 64
    int cache_bytes; ///< for sectors that have been looked at; at least 256 KiB are taken
    int max_points;  ///< of a path before it is pulled taut; longer ones are cut off. [16, 2^20]
} throng_paths_def;

/// Class 0, sectors of 32, 16 MiB, 16,384 points.
THRONG_API throng_paths_def throng_default_paths_def(void);

/// Takes all the memory that paths will need: the cache, and about 20 bytes for each place where
/// sectors may touch, up to 24 MiB. THRONG_BAD_ARGUMENT, THRONG_NO_MEMORY.
THRONG_API throng_result throng_paths_create(const throng_paths_def *def, throng_paths **paths);
THRONG_API void throng_paths_destroy(throng_paths *paths);

typedef struct throng_path_query {
    uint32_t cookie;      ///< set by throng_default_path_query()
    throng_vec2 from, to; ///< metres
    float snap_distance;  ///< metres a place may be moved to where the class fits. [0, inf)
    bool narrowest;       ///< measure it
    bool quick; ///< take the first way found: several times sooner, some hundredths longer
} throng_path_query;

/// From and to the origin, moved up to 2 m.
THRONG_API throng_path_query throng_default_path_query(void);

typedef struct throng_path {
    const throng_vec2 *points; ///< metres; both ends included, moved to where the class fits
    int point_count;
    float length; ///< metres
    float cost;   ///< metres of unit terrain
    /// Metres between the walls where they come nearest to each other on both sides of the way, if
    /// it was asked for; INFINITY where they are more than 32 cells apart.
    float narrowest;
    bool whole;         ///< false: it was cut off at max_points; ask again from its end
    int sectors;        ///< that the coarse way crosses
    int64_t work_cells; ///< cells' worth of work, for budgets
} throng_path;

/// Finds a path on the map as it was last updated. Points are good until the next question. Changes
/// nothing but the paths' own cache and scratch: ask from several threads with paths of their own.
/// THRONG_BAD_ARGUMENT (NaN, infinite), THRONG_UNREACHABLE (no way, or no place that fits near an
/// end), THRONG_LIMIT (the search outgrew its memory). Microseconds in the open, about a
/// millisecond across 1024 x 1024 cells of a city. Allocates nothing.
THRONG_API throng_result throng_paths_find(throng_paths *paths, const throng_path_query *query,
                                           throng_path *path);

/// Where sectors touch, for pictures: the two ends of each window, metres. Writes up to `capacity`
/// of the windows of the sectors that the last path crosses (`all` false) or of the whole map
/// (looks at every sector), and returns how many there are.
typedef struct throng_path_window {
    throng_vec2 from, to;
} throng_path_window;
THRONG_API int throng_paths_windows(throng_paths *paths, bool all, throng_path_window *windows,
                                    int capacity);

/// The sectors that tiles along the last path would take, its ring included, as rectangles in
/// metres. Writes up to `capacity`, returns how many there are.
THRONG_API int throng_paths_corridor(const throng_paths *paths, throng_rect *sectors, int capacity);

/// What the cache has done so far.
typedef struct throng_paths_counts {
    int64_t looked_at; ///< sectors worked out
    int64_t confirmed; ///< found unchanged after an edit of the map
    int64_t forgotten; ///< dropped for want of room
    int64_t bytes;     ///< all that the paths hold
} throng_paths_counts;
THRONG_API throng_paths_counts throng_paths_get_counts(const throng_paths *paths);

#ifdef __cplusplus
}
#endif

#endif
