/// Steering orders: Reynolds' behaviours, given to single agents by the host.
///
/// An order needs no field and no goal: a falcon pursues a dove, a guard follows a cart, civilians
/// flee from a monster. An agent that has a goal too does both: the order's pull is added to where
/// the field leads, each with its weight, and the flock's rules of its profile on top. As long as
/// an order holds, its agent counts as walking: it does not settle at its goal (an exit still
/// takes it), nor go to sleep.
///
/// Reynolds, Steering Behaviors For Autonomous Characters, GDC 1999.
#ifndef THRONG_STEER_H
#define THRONG_STEER_H

#include <throng/crowd.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum throng_steer_kind {
    THRONG_STEER_NONE = 0, ///< ends the order that there was
    THRONG_STEER_SEEK,     ///< straight there at full speed, until within `radius`
    THRONG_STEER_FLEE,     ///< straight away, while within `radius` (0: from anywhere)
    THRONG_STEER_ARRIVE,   ///< there, braking; within `radius` the order ends
    THRONG_STEER_PURSUE,   ///< to where it will meet the agent, until within `radius`
    THRONG_STEER_EVADE,    ///< away from where the agent will be soon, while within `radius`
    THRONG_STEER_FOLLOW,   ///< to the place `radius` behind the agent, braking, at its speed
    THRONG_STEER_WANDER ///< on and on with slow turns; within `radius` of the point (0: anywhere)
} throng_steer_kind;

/// "none", "seek", "flee", "arrive", "pursue", "evade", "follow", "wander".
THRONG_API const char *throng_steer_kind_name(throng_steer_kind kind);

typedef struct throng_steer_def {
    uint32_t cookie; ///< set by throng_default_steer_def()
    throng_steer_kind kind;
    throng_agent_id agent; ///< whom it is about; zero: the point. Pursue, evade, follow need one
    throng_vec2 point;     ///< metres
    float radius;          ///< metres between centres; what it means is the kind's. [0, 1000]
    float weight;          ///< of the order's pull beside the field's and the flock's. [0, 4]
    float wall_weight; ///< of turning aside before walls; the profile's, if that is more. [0, 4]
} throng_steer_def;

/// None; radius 0.5 m, weight 1, wall_weight 1.
THRONG_API throng_steer_def throng_default_steer_def(void);

/// Queues an order for an agent; it replaces the one before. The order ends by another, by
/// THRONG_STEER_NONE, when `arrive` is there, or when the agent it is about is gone; the last two
/// give THRONG_EVENT_STEER_ENDED. Whoever has no goal then stands. The first order takes 32 bytes
/// for each of max_agents; a crowd without orders pays nothing. An order costs its agent a look at
/// a few cells each substep. THRONG_STALE_ID (agent, or whom it is about), THRONG_BAD_ARGUMENT (a
/// number out of range, an agent about itself or missing), THRONG_NO_MEMORY.
THRONG_API throng_result throng_crowd_steer(throng_crowd *crowd, throng_agent_id agent,
                                            const throng_steer_def *def);

/// The order an agent has, as of the last step; kind THRONG_STEER_NONE when it has none.
THRONG_API throng_steer_def throng_crowd_get_steer(const throng_crowd *crowd,
                                                   throng_agent_id agent);

#ifdef __cplusplus
}
#endif

#endif
