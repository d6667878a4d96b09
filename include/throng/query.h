/// Questions to a map that change nothing: does a way lead there, where is the nearest place that
/// one can get to, would a building cut somebody off.
///
/// All are about the map as it was last updated. They may be asked from any thread between steps,
/// and the next step's hash is the same whether they were asked or not. How far it is and along
/// which way is asked of paths (path.h) or, where a field for the goal is there, of the field.
#ifndef THRONG_QUERY_H
#define THRONG_QUERY_H

#include <throng/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Two places and who goes between them.
typedef struct throng_reach_query {
    uint32_t cookie; ///< set by throng_default_reach_query()
    int class_index;
    throng_vec2 from, to; ///< metres
    float snap_distance;  ///< metres a place may be moved to where the class fits. [0, inf)
} throng_reach_query;

/// Class 0, both places at the origin, moved up to 2 m.
THRONG_API throng_reach_query throng_default_reach_query(void);

/// True when a way leads from one place to the other. A place whose cell does not fit the class
/// counts as the nearest cell that does, within snap_distance; when there is none, nothing leads
/// there. NaN and places outside the map lead nowhere. O(1), and O(snap_distance squared) where a
/// place has to be moved.
THRONG_API bool throng_query_reachable(const throng_map *map, const throng_reach_query *query);

/// True when the straight line between two places touches only cells that fit the class. Places
/// outside the map see nothing. O(distance).
THRONG_API bool throng_query_sees(const throng_map *map, int class_index, throng_vec2 from,
                                  throng_vec2 to);

/// The place nearest to `to` by straight distance that a way leads to from `from`: `to` itself, or
/// the middle of a cell. False when `from` is nowhere. O(distance to it squared).
THRONG_API bool throng_query_nearest_reachable(const throng_map *map,
                                               const throng_reach_query *query,
                                               throng_vec2 *nearest);

/// A building that is not there yet.
typedef struct throng_build_query {
    uint32_t cookie; ///< set by throng_default_build_query()
    int class_index;
    throng_cell_rect rect;   ///< cells; parts outside the map are ignored
    int terrain;             ///< what the cells would become
    const throng_vec2 *keep; ///< metres: places that must go on reaching each other; see below
    int keep_count;          ///< 0: everything must
    float snap_distance;     ///< metres a kept place may be moved to where the class fits. [0, inf)
} throng_build_query;

/// Class 0, no cells, wall, everything must go on reaching everything.
THRONG_API throng_build_query throng_default_build_query(void);

typedef struct throng_build_answer {
    bool cuts; ///< somebody would be cut off: do not build
    /// Cells looked at: a few times the rectangle's edge where a look round it is enough, at most
    /// the map's otherwise.
    int64_t cells;
} throng_build_answer;

/// Would setting a rectangle to a terrain cut anyone off? Exact, class radius included: `cuts` is
/// true when two cells that reach each other now, and where the class would still fit, would not
/// reach each other any more. With `keep`, only the kept places count, and one that the class would
/// not fit at any more is cut off too. To ask about one goal, keep the goal and those who go there.
///
/// First a ring round the rectangle is looked at, O(its edge); if what lies round the rectangle is
/// still joined there, nothing is cut. Else fronts grow from the parts until they meet or the
/// smallest ends: O(cells) at worst. Takes 8 bytes for each cell of the ring's box, and in the
/// second case of the map, and gives them back. THRONG_BAD_ARGUMENT, THRONG_NO_MEMORY.
THRONG_API throng_result throng_query_build(const throng_map *map, const throng_build_query *query,
                                            throng_build_answer *answer);

#ifdef __cplusplus
}
#endif

#endif
