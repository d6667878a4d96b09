/// Why an agent goes where it goes: what a step was made of, for one agent at a time.
///
/// A crowd that takes notes keeps, of the last substep, what each rule added to each agent's
/// velocity. The notes are no part of the state: hashes, snapshots and recordings are the same with
/// and without. They cost about 330 bytes for each of max_agents, and a pass over the rows after
/// some of the stages; so they are for viewers and studies, and off by default.
///
/// The terms come from the step itself, not from a second reckoning: added up they are the way
/// that the agent made. On a planet all vectors are metres east and north of where it was.
#ifndef THRONG_EXPLAIN_H
#define THRONG_EXPLAIN_H

#include <throng/crowd.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What moves an agent, in the order of the step. Those up to GATE add up to what it wishes, those
/// up to LIMIT to what it wants among its neighbours, INERTIA to its velocity, and all to the way
/// it made.
typedef enum throng_motive {
    THRONG_MOTIVE_WAY = 0,    ///< where field, path or point leads; of one who stands: back home
    THRONG_MOTIVE_ORDER,      ///< a steering order
    THRONG_MOTIVE_ALIGNMENT,  ///< as the flock moves
    THRONG_MOTIVE_COHESION,   ///< to the middle of the flock
    THRONG_MOTIVE_SPACING,    ///< away from those of the flock who are too near
    THRONG_MOTIVE_SWERVE,     ///< wander_weight
    THRONG_MOTIVE_CUT,        ///< what flock and order ask for beyond the agent's own speed
    THRONG_MOTIVE_LOOKOUT,    ///< aside before walls ahead
    THRONG_MOTIVE_SLOT,       ///< to a place round a target, instead of the way
    THRONG_MOTIVE_GATE,       ///< waiting for one's turn, making room, keeping to the lane
    THRONG_MOTIVE_STATE,      ///< dodging, waiting, and slowing down by density
    THRONG_MOTIVE_SLOWDOWN,   ///< behind those ahead
    THRONG_MOTIVE_AVOIDANCE,  ///< aside before a collision
    THRONG_MOTIVE_SEPARATION, ///< away from those too near
    THRONG_MOTIVE_SHOVE,      ///< out of the way of big ones
    THRONG_MOTIVE_WALL_PUSH,  ///< away from walls beside
    THRONG_MOTIVE_ORCA,       ///< by reciprocal avoidance, in place of all from STATE on
    THRONG_MOTIVE_LIMIT,      ///< what keeps the sum within its speed, and some of the way in it
    THRONG_MOTIVE_INERTIA,    ///< what the acceleration does not yet allow
    THRONG_MOTIVE_SLIDE,      ///< along walls in the way
    THRONG_MOTIVE_CONTACT,    ///< pushed apart from those who touch
    THRONG_MOTIVE_COUNT
} throng_motive;

/// "way", "order", "alignment" ... as above, in lower case with spaces.
THRONG_API const char *throng_motive_name(throng_motive motive);

/// Of the last substep of one agent; vectors in m/s.
typedef struct throng_motives {
    float dt; ///< seconds of the substep
    throng_vec2 terms[THRONG_MOTIVE_COUNT];
    throng_vec2 before;   ///< its velocity when the substep began
    throng_vec2 wish;     ///< the terms up to GATE
    throng_vec2 want;     ///< and up to LIMIT
    throng_vec2 velocity; ///< and INERTIA
    throng_vec2 went;     ///< all terms: the way it made, over dt
} throng_motives;

/// Lets a crowd take notes from its next step on, or ends that. THRONG_NO_MEMORY.
THRONG_API throng_result throng_crowd_take_notes(throng_crowd *crowd, bool on);

/// The notes on one agent. False where there are none: the crowd takes no notes, has made no step
/// since it does or since it was restored, or the agent came after the last step. O(1).
THRONG_API bool throng_crowd_explain(const throng_crowd *crowd, throng_agent_id agent,
                                     throng_motives *motives);

/// Why an agent reckoned with another. Bits.
typedef enum throng_heed {
    THRONG_HEED_SEPARATION = 1, ///< too near
    THRONG_HEED_AVOIDANCE = 2,  ///< on the way to a collision
    THRONG_HEED_SLOWDOWN = 4,   ///< ahead, and not fast enough
    THRONG_HEED_TOUCH = 8,      ///< they touched after the move, and were pushed apart
    THRONG_HEED_FLOCK = 16,     ///< of the flock that it saw
    THRONG_HEED_ORCA = 32       ///< of the nearest that reciprocal avoidance keeps free of
} throng_heed;

typedef struct throng_heeded {
    throng_agent_id agent;
    uint32_t reasons;       ///< throng_heed
    throng_vec2 separation; ///< m/s that it added, before all of it is cut to the agent's speed
    throng_vec2 avoidance;  ///< likewise
    float allowed;          ///< m/s that it leaves along the wish; INFINITY: it is not ahead
    float overlap;          ///< metres in each other after the move; 0: they did not touch
} throng_heeded;

/// Whom an agent reckoned with in the last substep: writes up to `capacity` (heeded may be NULL for
/// 0) in the order they were looked at, and returns how many there are; 0 without notes. Of those
/// who left in that substep nothing is known. O(those in view), and O(max_agents) for one of a
/// flock or with ORCA.
THRONG_API int throng_crowd_heeded(const throng_crowd *crowd, throng_agent_id agent,
                                   throng_heeded *heeded, int capacity);

#ifdef __cplusplus
}
#endif

#endif
