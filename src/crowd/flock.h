/// What the flock stage is made of: who is seen of the flock, what an order pulls towards, and
/// which way is free of walls.
#ifndef THG_FLOCK_H
#define THG_FLOCK_H

#include "crowd/crowd.h"
#include <throng/steer.h>

typedef struct thg_local thg_local; // of planets: see planet.h

#define THG_MOST_NEAREST 32 ///< of a profile's flock_nearest

/// A steering order, by slot of its agent. Plain words, as it is saved.
typedef struct thg_steer {
    uint32_t kind; ///< throng_steer_kind
    uint32_t target, target_generation;
    float x, y;
    float radius, weight, wall_weight;
} thg_steer;

// ---- flock_view.c
/// What an agent sees of its flock: sums over those seen, in an order that follows from places and
/// slots alone.
typedef struct thg_flock_view {
    int count;
    float away_x, away_y; ///< from those nearer than flock_spacing: each at most a unit
    float to_x, to_y;     ///< metres to them, summed
    float vx, vy;         ///< their velocities, summed
} thg_flock_view;

/// Looks round a row as its profile says. *hint is how many bins the k nearest were away last time,
/// 0 unknown: it saves work and changes no result. Cost: O(agents in the bins that flock_radius
/// touches), or with flock_nearest in those nearer than the k-th.
void thg_flock_look(const throng_crowd *crowd, int row, int *hint, thg_local *local,
                    thg_flock_view *view);

// ---- steering.c
/// Where an order pulls its agent.
typedef struct thg_pull {
    float x, y;  ///< of length [0, 1]: a share of the wanted speed
    float reach; ///< metres to where it leads; FLT_MAX: there is no such place
} thg_pull;

/// The pull of a row's order on its agent, whose own speed is `speed` > 0. The table of slots knows
/// the rows.
thg_pull thg_steer_pull(const throng_crowd *crowd, int row, float speed, float dt);
/// True when the row's order is done, or whom it is about is gone.
bool thg_steer_is_over(const throng_crowd *crowd, int row);
/// Swerving: from -1 to 1 and back, smooth in time, each agent its own.
float thg_wander_turn(const throng_crowd *crowd, uint32_t slot);
/// Takes the memory of orders if it is not there. THRONG_NO_MEMORY.
throng_result thg_steers_need(throng_crowd *crowd);
/// False for an order that throng_crowd_steer would refuse, its agent's ids left aside.
bool thg_steer_is_valid(const thg_steer *steer);
/// The order that a command gives.
thg_steer thg_steer_of(const thg_command *command);
/// Makes a slot's order this one; the status of its agent is the caller's business.
void thg_steer_put(throng_crowd *crowd, uint32_t slot, const thg_steer *steer);

// ---- lookout.c
/// Turns a direction (unit) away from a wall within `length` metres of a row's place, as sharply as
/// the wall is near: `weight` times the part of the length that is not free.
void thg_turn_from_walls(const throng_crowd *crowd, int row, float length, float weight, float *x,
                         float *y);
/// Metres that are free for the class from a place in a direction (unit), at most `length`.
float thg_free_way(const throng_map *map, const thg_layer *layer, float x, float y, float dx,
                   float dy, float length);

#endif
