/// Goals whose agents do not read a whole-map field: those with tiles, by rooms or not, and those
/// with paths.
///
/// All that this costs a world without such goals is a pointer that is NULL. In a step, the fields
/// stage looks who has no tile or no path yet (serially, in an order that follows from the state),
/// finds coarse ways within the budget, and lets tiles join; the tiles are worked out in the queue
/// of fields. Until there is an answer an agent heads straight for its goal.
#ifndef THG_ROUTES_H
#define THG_ROUTES_H

#include "crowd/crowd.h"
#include "field/path.h"
#include "field/tiles.h"
#include <throng/route.h>

#define THG_WAY_POINTS 8 ///< turns of a path that an agent remembers

typedef enum thg_way_state {
    THG_WAY_NONE = 0, ///< wants a path
    THG_WAY_FOUND,
    THG_WAY_LOST ///< there is none, until the map changes or another order comes
} thg_way_state;

/// An agent's path. Saved as it is, so it has no holes.
typedef struct thg_way {
    throng_vec2 points[THG_WAY_POINTS]; ///< metres
    throng_vec2 aim;                    ///< metres: the goal's point, of one that moves
    uint32_t goal, generation;          ///< that it leads to
    uint8_t count, next;                ///< points, and the one that is headed for
    uint8_t state;                      ///< thg_way_state
    uint8_t whole;                      ///< its last point is the goal
    uint32_t missed;                    ///< looks in turn that did not see the next turn
} thg_way;

struct thg_routes {
    thg_tile_pool *pool;                        ///< NULL before the first goal with tiles
    throng_paths *paths[THRONG_MAX_CLASSES];    ///< of classes that need them
    thg_door_graph *graphs[THRONG_MAX_CLASSES]; ///< the same
    thg_way *ways;              ///< [max_agents + 1], by slot; NULL before the first
    int tile_goals, path_goals; ///< goals and classes of each kind
    uint32_t cursor;            ///< slot of the agent that was looked at last
};

/// The method of a goal for a class that is ordered there for the first time.
throng_route_method thg_routes_method(const throng_crowd *crowd, uint32_t goal, int class_index);
/// Makes the tiles or the paths of a goal for a class. THRONG_NO_MEMORY.
throng_result thg_routes_need(throng_crowd *crowd, uint32_t goal, int class_index,
                              throng_route_method method);
/// Drops what thg_routes_need made for a goal and a class.
void thg_routes_drop(throng_crowd *crowd, thg_goal_field *field);
void thg_routes_destroy(throng_crowd *crowd);
/// The map has changed: paths are to be found anew. Tiles are queued like fields.
void thg_routes_map_changed(throng_crowd *crowd);
/// A goal that moves has moved: its paths are asked for anew as agents notice, its tiles once they
/// have been worked out.
void thg_routes_goal_moved(const thg_goal *goal, thg_goal_field *field);
/// Makes the tiles of a goal that moves lead to a point, in metres, with the next work.
void thg_routes_aim(const thg_goal *goal, thg_goal_field *field, throng_vec2 point);
/// Looks who needs what, within the budget.
void thg_routes_look(throng_crowd *crowd, int *budget);
/// Gives the tiles of a goal up to *budget cells of work. True when done.
bool thg_routes_work(thg_goal_field *field, bool begin, int *budget);
/// The direction of a row with tiles or a path. May note in the row's own path that it is lost.
throng_sample thg_routes_sample(throng_crowd *crowd, int row, const thg_goal_field *field,
                                throng_vec2 position);
/// Cost units from a padded cell to a row's goal; of paths only what they remember, and roughly.
uint32_t thg_routes_cost(const throng_crowd *crowd, int row, const thg_goal_field *field,
                         size_t cell);
/// thg_goal_connected, of a place or the nearest that fits.
bool thg_routes_connected(const throng_crowd *crowd, uint32_t goal, int class_index,
                          throng_vec2 place);
/// The goal's points where the class reaches them, in cells.
const throng_vec2 *thg_routes_points(const thg_goal_field *field, int *count);

#endif
