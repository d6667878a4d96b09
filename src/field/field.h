/// The field's inside: what a crowd needs to solve many fields a few cells at a time, and what the
/// files of this folder share.
///
/// A field owns what is read (front cost and flow); a solver owns what is written (back cost and
/// flow, and the queue). When a solve is done the two swap buffers. One solver can serve any number
/// of fields of one map, one after the other.
#ifndef THG_FIELD_H
#define THG_FIELD_H

#include "core/core.h"
#include "map/map.h"
#include <throng/field.h>

typedef struct thg_solver thg_solver;

/// Memory for solving any field of the map. About 20 bytes a cell. THRONG_NO_MEMORY.
throng_result thg_solver_create(const throng_map *map, thg_solver **solver);
/// Solves on these threads from now on, for the same bits; NULL: on the caller's.
void thg_solver_use_jobs(thg_solver *solver, throng_jobs *jobs);
/// NULL is allowed. Fields that use it must be gone.
void thg_solver_destroy(thg_solver *solver);

/// As throng_field_create, but solved by `shared`, which outlives the field; NULL: by its own.
throng_result thg_field_create(const throng_map *map, int class_index,
                               const throng_goal_shape *shape, throng_metric metric,
                               thg_solver *shared, throng_field **field);

/// What each cell costs in one solve, padded: 0 where the class does not fit, and only there.
typedef struct thg_prices {
    const uint16_t *price;
    uint16_t min, max; ///< over fitting cells
} thg_prices;

/// Solves from the next thg_field_begin on reckon with these prices in place of the layer's (whose
/// map version they must be of), until NULL takes them back. Not copied.
void thg_field_set_prices(throng_field *field, const thg_prices *prices);

/// Starts solving for the map as it is now. Whatever its solver was doing before is dropped.
/// O(cells) only to clear what the last solve wrote.
void thg_field_begin(throng_field *field);

/// As thg_field_begin, but where the last solve's result is there and was for the layer's prices as
/// they were then, only what an edit of the map changed is solved again. The result is the same, to
/// the bit. Where more than a third of the cells would be solved again, it solves from scratch.
void thg_field_begin_repair(throng_field *field);

/// Goes on for at most *cell_budget cells and subtracts them: a cell taken from the queue is one, a
/// cell whose flow is derived is another. True when done; then the buffers have been flipped. Where
/// it stands after n cells depends on n alone, not on how n was cut. Starts again when the map has
/// changed since the start; starts when thg_field_begin was not called.
bool thg_field_advance(throng_field *field, int *cell_budget);

/// Installs costs (map->padded_count of them, as in thg_field_costs) as solved and derives the flow
/// from them, as a solve that ended with them would have. For the map and goal as they are now.
/// False, and nothing changed, when a cost cannot be (a blocked cell is reached).
bool thg_field_restore_cost(throng_field *field, const uint32_t *cost);

/// What a solve leaves behind, for snapshots: padded costs, padded directions (two bytes a cell)
/// and the goal's points where they were snapped to, in cells. Costs and directions are unreached
/// and zero before the first solve.
const uint32_t *thg_field_costs(const throng_field *field);
const int8_t *thg_field_flow(const throng_field *field);
const throng_vec2 *thg_field_points(const throng_field *field, int *point_count);

/// throng_field_sample without the cost, which is then undefined: for who only walks.
throng_sample thg_field_lead(const throng_field *field, throng_vec2 position);

/// Makes the field read as one whose solve left these arrays behind, for whatever map that was. The
/// points are those of the goal on the map as it is now. Does not touch the solver.
void thg_field_restore(throng_field *field, const uint32_t *cost, const int8_t *flow);

/// What a repair must know of the last solve: the prices it was for and a hash of what the goal
/// gave. NULL where nothing can be repaired.
const uint16_t *thg_field_solved_prices(const throng_field *field, uint64_t *goal_hash);

/// After thg_field_restore, where that was so.
void thg_field_restore_solved(throng_field *field, const uint16_t *price, uint64_t goal_hash);

/// After thg_field_restore: the points of that solve, where the map has changed since. Counts above
/// the goal's own are cut.
void thg_field_restore_points(throng_field *field, const throng_vec2 *points, int point_count);

#endif
