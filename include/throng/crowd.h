/// The crowd: agents with profiles and goals on a map, and the step that moves them.
///
/// Changes are commands: calls queue them, the next step applies them in call order. State is read
/// through views, which stay valid until the next step or restore. Nothing here reads a clock or
/// keeps a global; a process may hold any number of crowds. Calls on one crowd come from one
/// thread; const queries may come from any thread between steps.
#ifndef THRONG_CROWD_H
#define THRONG_CROWD_H

#include <throng/field.h>
#include <throng/jobs.h>
#include <throng/map.h>
#include <throng/query.h>
#include <throng/route.h>

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_PROFILES 64
#define THRONG_MAX_TEAMS 16
#define THRONG_MAX_SLOTS 4096 ///< of a goal
#define THRONG_MAX_DT 5.0f    ///< seconds; a longer step is cut to this and flagged

typedef struct throng_crowd throng_crowd;

/// Handles: zero is none; a handle of something gone is refused, never mistaken for another.
typedef struct throng_agent_id {
    uint32_t slot, generation;
} throng_agent_id;
typedef struct throng_goal_id {
    uint32_t slot, generation;
} throng_goal_id;

/// What an agent is like. Weights of 0 switch a link of the chain off.
typedef struct throng_profile_def {
    uint32_t cookie;         ///< set by throng_default_profile_def()
    int class_index;         ///< the class of the map whose walls and costs it knows
    int ways_of;             ///< the class whose ways it takes, of the same radius; -1: its own. To
                             ///< one that breaks walls they lead through what stops it; see
                             ///< throng_crowd_attacks()
    float radius;            ///< metres. [0.05, 10]; at most its class's
    float speed;             ///< wanted speed, m/s. [0, 40]
    float speed_spread;      ///< share by which agents differ: speed (1 +- spread). [0, 0.9]
    float speed_deviation;   ///< the same drawn from a bell: one deviation, three at most. [0, 0.3]
    float acceleration;      ///< m/s^2. [0.1, 1000]
    float separation_weight; ///< pull towards a free distance from others. [0, 4]
    float separation_gap;    ///< metres between skins where separation starts. [0, 2]
    float avoidance_weight;  ///< strength of stepping aside before a collision. [0, 4]
    float avoidance_horizon; ///< seconds to a collision that are looked ahead. [0.1, 10]
    float density_slowdown;  ///< 1 slows down to 15 % in a full crowd, 0 never. [0, 1]
    float headway;           ///< seconds of free gap that are kept to those ahead. [0.05, 10]
    float following;         ///< share of their speed that is kept beside the gap's. [0, 1]
    float persistence;       ///< share of the speed that is kept whoever is ahead. [0, 1]
    bool orca;          ///< choose velocities by reciprocal avoidance (van den Berg et al. 2011)
                        ///< instead of stepping aside and slowing down; about 0.5 us an agent
    float orca_horizon; ///< seconds that it keeps free of others. [0.1, 60]
    float orca_wall_horizon; ///< seconds that it keeps free of walls, within 30 cells. [0.1, 60]
    int orca_neighbours;     ///< it minds so many, the nearest. [1, 32]
    float orca_distance;     ///< metres within which it minds them. [0.1, 100]
    float mass;              ///< who yields in a push. [1e-3, 1e6], or 0: radius squared
    bool anchored;           ///< nobody pushes it; it walks when it is sent, and makes no way
    bool kinematic; ///< the host moves it (throng_crowd_move_kinematic); it pushes, walls do not
                    ///< stop it, and it cannot be sent to a goal
    int layers;     ///< bits: what it is to others. [0, 65535]
    int mask;       ///< bits: the layers it minds; whom it does not mind it walks through,
                    ///< while those who mind it keep clear of it on their own. [0, 65535]
    int priority;   ///< others of lower priority step aside and give way in a push; it does not
                    ///< for them. [0, 255]
    bool gates;     ///< takes turns with those who come the other way through a narrow gap
    float field_weight;     ///< of the field's direction beside flock and orders; 1. [0, 4]
    float flock_alignment;  ///< weight of moving as the flock moves. [0, 4]
    float flock_cohesion;   ///< weight of going to the middle of those seen of it. [0, 4]
    float flock_separation; ///< weight of keeping flock_spacing. [0, 4]
    float flock_spacing;    ///< metres between centres that the flock keeps. [0, 50]
    float flock_radius;     ///< metres within which others are seen: cost grows with it. [0, 50]
    int flock_nearest;      ///< only so many nearest of them; 0: all. [0, 32]
    bool flock_by_goal;     ///< the flock is those of the same goal; else all of the profile
    float wander_weight;    ///< of swerving slowly to and fro. [0, 4]
    float wall_weight;      ///< of turning aside before walls ahead. [0, 4]
    float wall_horizon;     ///< seconds to a wall that are looked ahead. [0.1, 10]

    // Contact states: what one does who finds others in the way. See docs/local.md.
    float probe_length;    ///< metres ahead, between skins, that shall be free; 0 no states. [0, 5]
    float probe_angle_deg; ///< half the cone that is looked at ahead. [0, 90]
    int side_neighbours;   ///< fewer ones that the other side must have to dodge there. [0, 100]
    float patience;        ///< seconds of waiting before one dodges all the same. [0, 60]
    bool head_on;          ///< of two who meet, the one with the lower slot goes on
    bool overtaking;       ///< who goes the same way closes only the side that it is on
    float shove;        ///< share of its speed with which a big one moves small ones aside. [0, 4]
    float density_free; ///< agents/m2 ahead from which one slows down; 0 never. [0, 100]
    float density_full; ///< agents/m2 that would leave nothing; 15 % stay. [0, 100]
    float wall_push;    ///< share of the speed with which a wall's skin pushes. [0, 4]
    float wall_reach;   ///< metres from the skin in which it does. [0, 5]
    float push_cap;     ///< metres that contacts move one in a substep; 0 no cap. [0, 10]
} throng_profile_def;

/// A person: radius 0.4 m, 2 m/s, class 0.
THRONG_API throng_profile_def throng_default_profile_def(void);

/// A ready-made profile by name. False for an unknown name; then *def is left alone. Its class is
/// 0. "default": a person in a game. "horde": one of thousands who press on to the same place, of
/// radius 0.45 m, with contact states. "pedestrian": people as measured, for evacuation and
/// stations; its class needs a radius of 0.2 m at least.
THRONG_API bool throng_profile_preset(const char *name, throng_profile_def *def);
/// The names throng_profile_preset() knows.
THRONG_API const char *const *throng_profile_preset_names(int *count);

/// How a number of a profile is stored: float, int or bool.
typedef enum throng_profile_kind {
    THRONG_PROFILE_NUMBER = 0,
    THRONG_PROFILE_WHOLE,
    THRONG_PROFILE_FLAG
} throng_profile_kind;

/// One number of a profile: for editors and readers that handle all without knowing each.
typedef struct throng_profile_number {
    const char *name; ///< of the member, e.g. "radius"
    throng_profile_kind kind;
    size_t offset;   ///< of the member in throng_profile_def
    float low, high; ///< the range that is accepted
} throng_profile_number;

/// All numbers of a profile but its class, in the order of the documentation.
THRONG_API const throng_profile_number *throng_profile_numbers(int *count);
/// A profile's value of a number.
THRONG_API float throng_profile_get(const throng_profile_def *def,
                                    const throng_profile_number *number);

/// Sets it, with no check: throng_crowd_create() and throng_crowd_set_profile() do that. A flag is
/// set by anything but 0; of a whole number's value the fraction is dropped.
THRONG_API void throng_profile_set(throng_profile_def *def, const throng_profile_number *number,
                                   float value);

/// Which build of the neighbour kernels runs. All give the same bits.
typedef enum throng_kernels {
    THRONG_KERNELS_AUTO = 0, ///< the best this processor can
    THRONG_KERNELS_SCALAR,   ///< the plain reference
    THRONG_KERNELS_PORTABLE, ///< lanes in baseline instructions
    THRONG_KERNELS_AVX2,
    THRONG_KERNELS_AVX512
} throng_kernels;

/// True when this build and processor can run them.
THRONG_API bool throng_kernels_available(throng_kernels kernels);
/// "auto", "scalar", "portable", "avx2", "avx512".
THRONG_API const char *throng_kernels_name(throng_kernels kernels);

typedef struct throng_crowd_def {
    uint32_t cookie;                    ///< set by throng_default_crowd_def()
    throng_map *map;                    ///< outlives the crowd; the crowd's commands edit it; or
                                        ///< throng_planet_map(): then positions, everywhere, are
                                        ///< of a planet's atlas, see planet.h
    throng_jobs *jobs;                  ///< outlives the crowd; NULL: the calling thread alone
    const throng_profile_def *profiles; ///< copied
    int profile_count;                  ///< [1, THRONG_MAX_PROFILES]
    int max_agents;                     ///< [1, 16,777,216]
    int max_goals;                      ///< [1, 65,535]
    throng_metric metric;               ///< of the fields
    uint64_t seed;                      ///< of speed spread and of every other draw
    int field_cell_budget;              ///< cells of field work a step may do; [1024, 2^30]
    int route_bytes; ///< for tiles of all goals, and sectors of their paths; [2^20, 2^31)
    float traffic; ///< weight of the delay that the crowd makes, in the cost of cells; 0: none, 1:
                   ///< as measured. [0, 4]
    throng_kernels kernels;
} throng_crowd_def;

/// 1,000 agents, 64 goals, eikonal, 32,768 cells of field work a step.
THRONG_API throng_crowd_def throng_default_crowd_def(void);

/// Takes all memory the step needs but that of fields, which come with the first order of a class
/// to a goal. THRONG_BAD_ARGUMENT, THRONG_NO_MEMORY.
THRONG_API throng_result throng_crowd_create(const throng_crowd_def *def, throng_crowd **crowd);
THRONG_API void throng_crowd_destroy(throng_crowd *crowd);

// ---- Goals ------------------------------------------------------------------------------------

/// Places to stand round a target: a rectangle, a disc (min = max, and a radius), or both. They lie
/// evenly on the line that runs round it at a distance; nearer to each other than two agents are
/// wide, they cannot all be held. An agent that comes near takes the free place it has the shortest
/// way to, walks round to it on a lane outside the others, and has it until it dies or is sent
/// elsewhere; when that happens the next takes it. Who finds none waits outside the lane. Arrived
/// is who stands on his place, or waits; one who waited and gets a place walks again, and arrives
/// once more. A place where the class of an agent does not fit is not offered to it, nor one that
/// the lane leads to on neither way.
typedef struct throng_slots_def {
    int count;             ///< 0: none, an ordinary goal. [0, THRONG_MAX_SLOTS]
    throng_rect footprint; ///< metres; min may be max
    float radius;          ///< metres by which the footprint reaches farther, rounded. [0, 1000]
    float distance;        ///< metres from its edge to the places' middles. [0, 100]
} throng_slots_def;

typedef struct throng_goal_def {
    uint32_t cookie; ///< set by throng_default_goal_def()
    throng_goal_shape shape;
    float arrive_radius;        ///< metres from a point that count as there. [0, 1000]
    bool remove_on_arrival;     ///< an exit: whoever arrives leaves the world
    throng_slots_def slots;     ///< when it has any, `shape` is empty and nobody is removed
    throng_route_method method; ///< how its agents find their way; a goal with slots: by fields
    int expected_agents;        ///< for `auto`: how many will go there; 0: not known. [0, 2^24]
} throng_goal_def;

/// No parts, 0.5 m, stay on arrival.
THRONG_API throng_goal_def throng_default_goal_def(void);

/// The goal can be ordered at once. Its fields are solved within the budget of the steps that
/// follow; until then agents head straight for it. THRONG_LIMIT, THRONG_NO_MEMORY.
THRONG_API throng_result throng_crowd_add_goal(throng_crowd *crowd, const throng_goal_def *def,
                                               throng_goal_id *goal);

typedef enum throng_slot_state {
    THRONG_SLOT_FREE = 0,
    THRONG_SLOT_CLAIMED, ///< its agent is on the way
    THRONG_SLOT_HELD,    ///< its agent stands there
    THRONG_SLOT_BLOCKED  ///< no agent that comes fits there
} throng_slot_state;

typedef struct throng_slot {
    throng_vec2 position; ///< metres
    throng_agent_id agent;
    throng_slot_state state;
} throng_slot;

/// The places round a goal, in the order they lie; NULL and 0 for a goal without or a stale id.
/// Valid until the next step.
THRONG_API const throng_slot *throng_crowd_slots(const throng_crowd *crowd, throng_goal_id goal,
                                                 int *count);

/// Queues the goal's end: its agents stand still without a goal, its id goes stale.
/// THRONG_STALE_ID.
THRONG_API throng_result throng_crowd_remove_goal(throng_crowd *crowd, throng_goal_id goal);

/// Moves a goal that is one point (and has no places). Those who stand where it was walk on; its
/// fields are solved anew a few times a second, within the steps' budget, and agents in sight of it
/// go straight at it. THRONG_STALE_ID, THRONG_BAD_ARGUMENT (more than a point, not finite),
/// THRONG_NO_MEMORY.
THRONG_API throng_result throng_crowd_move_goal(throng_crowd *crowd, throng_goal_id goal,
                                                throng_vec2 point);

/// From the next step on the goal is where an agent is, until that one is gone, another is
/// followed, or none (zero). A goal that is one point, as above.
THRONG_API throng_result throng_crowd_follow(throng_crowd *crowd, throng_goal_id goal,
                                             throng_agent_id agent);

/// Solves every field that is waiting, now: for load time, so that no step has to.
THRONG_API void throng_crowd_solve_fields(throng_crowd *crowd);

/// The field that agents of a class read for a goal; NULL when no such agent was ever ordered
/// there. Valid until the goal is removed.
THRONG_API const throng_field *throng_crowd_goal_field(const throng_crowd *crowd,
                                                       throng_goal_id goal, int class_index);

// ---- Questions: from any thread between steps; the next hash does not tell ----------------------

/// Which way, and how far, for a class from a position to a goal, as its agents are told: from the
/// field or the tiles of their last solution. Not reached where nothing is known: before the first
/// order of the class, outside tiles, and for goals with paths (ask throng_paths_find). O(1).
THRONG_API throng_sample throng_crowd_way(const throng_crowd *crowd, throng_goal_id goal,
                                          int class_index, throng_vec2 position);

/// Would setting a rectangle to a terrain cut an agent off from its goal, or bury one who has a
/// goal? As throng_query_build for every class; where that would part anything at all, goal by goal
/// with those who go there. A goal's rectangle counts by its middle. O(the rectangle's edge), at
/// worst O(cells) for each goal. THRONG_BAD_ARGUMENT, THRONG_NO_MEMORY.
THRONG_API throng_result throng_crowd_may_build(const throng_crowd *crowd, throng_cell_rect rect,
                                                int terrain, throng_build_answer *answer);

// ---- Commands ---------------------------------------------------------------------------------

typedef struct throng_spawn_def {
    throng_vec2 position; ///< metres; a place that does not fit is moved to the nearest that does
    throng_vec2 velocity; ///< m/s; cut to the agent's own speed
    int profile;
    throng_goal_id goal; ///< zero: none; the only one for a kinematic agent
    int team;            ///< [0, THRONG_MAX_TEAMS)
} throng_spawn_def;

/// The id is valid at once; the agent is there with the next step. THRONG_LIMIT at max_agents,
/// THRONG_BAD_ARGUMENT (not finite, no such profile or team, a goal for a kinematic agent),
/// THRONG_STALE_ID (goal), THRONG_NO_MEMORY.
THRONG_API throng_result throng_crowd_spawn(throng_crowd *crowd, const throng_spawn_def *def,
                                            throng_agent_id *agent);
THRONG_API throng_result throng_crowd_remove(throng_crowd *crowd, throng_agent_id agent);

/// Sends an agent to a goal; a zero goal makes it stand where it is. THRONG_STALE_ID,
/// THRONG_NO_MEMORY, THRONG_BAD_ARGUMENT (a goal for a kinematic agent).
THRONG_API throng_result throng_crowd_order(throng_crowd *crowd, throng_agent_id agent,
                                            throng_goal_id goal);

/// Puts an agent elsewhere, at rest; a place that does not fit is moved to the nearest that does.
THRONG_API throng_result throng_crowd_teleport(throng_crowd *crowd, throng_agent_id agent,
                                               throng_vec2 position);

/// What teams are to each other. Allies who stand make way and go back, and others shoulder past
/// them; neutrals make way, but nobody shoulders past them; enemies hold: one who stands is not
/// moved by enemies who walk, and these go round it or stay in front of it.
typedef enum throng_relation { THRONG_ALLY = 0, THRONG_NEUTRAL, THRONG_ENEMY } throng_relation;

/// "ally", "neutral", "enemy".
THRONG_API const char *throng_relation_name(throng_relation relation);

/// Sets what two teams are to each other, both ways; the two may be one. At first all are allies.
/// The first relation that is none of allies makes the neighbour kernels ask who is who, which
/// costs them about a tenth. THRONG_BAD_ARGUMENT, THRONG_NO_MEMORY.
THRONG_API throng_result throng_crowd_set_relation(throng_crowd *crowd, int team, int other,
                                                   throng_relation relation);
/// The relation as the last step left it. Teams must be in [0, THRONG_MAX_TEAMS).
THRONG_API throng_relation throng_crowd_relation(const throng_crowd *crowd, int team, int other);

/// Puts an agent into a team. THRONG_STALE_ID, THRONG_BAD_ARGUMENT, THRONG_NO_MEMORY.
THRONG_API throng_result throng_crowd_set_team(throng_crowd *crowd, throng_agent_id agent,
                                               int team);

/// Moves a kinematic agent: with the next step it is at `position` (clipped to the map) and goes on
/// at `velocity` (m/s, cut to its profile's speed) until the next call. So a host that calls it
/// before each step gives the place and velocity of that moment. Walls do not stop it, and its
/// centre may be in one; those it drives into are pushed aside, and walls stop them.
/// THRONG_STALE_ID, THRONG_BAD_ARGUMENT (not finite, not a kinematic agent), THRONG_NO_MEMORY.
THRONG_API throng_result throng_crowd_move_kinematic(throng_crowd *crowd, throng_agent_id agent,
                                                     throng_vec2 position, throng_vec2 velocity);

/// Changes the map's terrain with the next step. Agents under a new wall are put on the nearest
/// cell that fits them.
THRONG_API throng_result throng_crowd_edit_rect(throng_crowd *crowd, throng_cell_rect rect,
                                                int terrain);

/// Makes a profile this one, with the next step and for all its agents: they go on as if they had
/// always been so. Any number may differ; class and ways_of may not, for fields and claims hang on
/// them. Who has become larger and stands in a wall is put on the nearest cell that fits; who has
/// become kinematic loses its goal; own speeds are drawn anew when their spread has changed, the
/// same as at a spawn. The step that follows costs O(agents), and O(cells) when radii or `gates`
/// differ. THRONG_BAD_ARGUMENT (as for throng_crowd_create(); no such profile; another class),
/// THRONG_NO_MEMORY; then nothing is queued.
THRONG_API throng_result throng_crowd_set_profile(throng_crowd *crowd, int profile,
                                                  const throng_profile_def *def);

// ---- The step ---------------------------------------------------------------------------------

/// Bits that a step returns; each names the knob to turn. 0 is a step in full.
enum {
    THRONG_STEP_DT_CUT = 1u << 0,        ///< dt beyond THRONG_MAX_DT, negative or NaN
    THRONG_STEP_SUBSTEPS_CUT = 1u << 1,  ///< too fast for dt: interactions coarser than wanted
    THRONG_STEP_FIELDS_BEHIND = 1u << 2, ///< raise field_cell_budget: a field is not yet solved
    THRONG_STEP_EVENTS_LOST = 1u << 3,   ///< more events than 2 max_agents + 64
    THRONG_STEP_NO_ROOM = 1u << 4,       ///< an agent had no free cell on the map and was removed
    THRONG_STEP_CROWDED = 1u << 5        ///< a pair still overlaps by more than 0.2 of a radius
};

/// Moves the world by dt seconds. [0, THRONG_MAX_DT] Allocates nothing. Below a microsecond
/// commands are applied and nobody moves. Positions are floats: far from the origin (1e5 m) they
/// have steps of 8 mm, and a speed comes out only on average.
THRONG_API uint32_t throng_crowd_step(throng_crowd *crowd, float dt);

typedef enum throng_status {
    THRONG_IDLE = 0, ///< no goal: stands, makes way, goes back
    THRONG_WALKING,  ///< on the way
    THRONG_ARRIVED,  ///< at the goal, or as near as the crowd there lets it
    THRONG_STUCK,    ///< wants to walk and gets nowhere
    THRONG_CUT_OFF   ///< no way leads from here to the goal
} throng_status;

/// "idle", "walking", "arrived", "stuck", "cut off".
THRONG_API const char *throng_status_name(throng_status status);

/// What one who walks makes of those in the way; always walking without probe_length.
typedef enum throng_contact {
    THRONG_CONTACT_WALKING = 0,
    THRONG_CONTACT_DODGING, ///< goes round by a side
    THRONG_CONTACT_WAITING  ///< has no free side
} throng_contact;

/// "walking", "dodging", "waiting".
THRONG_API const char *throng_contact_name(throng_contact contact);

/// One row per living agent, sorted by place; a row changes from step to step, an id does not.
typedef struct throng_agents_view {
    int count;
    const throng_agent_id *id;
    const float *x, *y;     ///< metres
    const float *vx, *vy;   ///< m/s over the last substep; on a planet east and north
    const float *radius;    ///< metres
    const uint8_t *status;  ///< throng_status
    const uint8_t *contact; ///< throng_contact
    const uint8_t *profile;
    const uint16_t *goal; ///< slot of the goal, 0 none
    const uint8_t *team;
} throng_agents_view;
THRONG_API throng_agents_view throng_crowd_agents(const throng_crowd *crowd);

/// Row of an agent in the view, or -1 when it is gone or not yet there.
THRONG_API int throng_crowd_find(const throng_crowd *crowd, throng_agent_id agent);

typedef enum throng_event_kind {
    THRONG_EVENT_ARRIVED = 0, ///< once per order; again after a teleport or a wall that moved it,
                              ///< and when one who waited for a place has it
    THRONG_EVENT_UNREACHABLE, ///< once each time the way is lost
    THRONG_EVENT_STUCK,       ///< once each time it gets nowhere for five seconds
    THRONG_EVENT_REMOVED,     ///< left by an exit, or no room
    THRONG_EVENT_STEER_ENDED  ///< a steering order is done, or whom it was about is gone
} throng_event_kind;

typedef struct throng_event {
    throng_event_kind kind;
    throng_agent_id agent;
    throng_goal_id goal;
} throng_event;

/// Events of the last step, in the order they happened: stage by stage, within a stage by row, the
/// same on every machine. Valid until the next step.
THRONG_API const throng_event *throng_crowd_events(const throng_crowd *crowd, int *count);

/// Seconds of simulated time and steps since create.
THRONG_API double throng_crowd_time(const throng_crowd *crowd);
THRONG_API uint64_t throng_crowd_step_count(const throng_crowd *crowd);

// ---- Gates ------------------------------------------------------------------------------------

/// What happens where the map is narrow. One-way traffic never leaves FREE.
typedef enum throng_gate_mode {
    THRONG_GATE_FREE = 0, ///< nothing: at most one side wants through
    THRONG_GATE_LANES,    ///< wide enough for two lanes: each direction keeps to its right half
    THRONG_GATE_TOKEN     ///< narrow: one side goes while the others make room and wait
} throng_gate_mode;

#define THRONG_MAX_GATE_MOUTHS 4

/// A narrow place between walls, as classes blocked by the same terrain see it. Found when the
/// crowd is created and when the map changes: passages that hold the smallest of these classes and
/// are at most 4.2 m or five and a half of the largest radius's diameters wide; at most 4,094.
typedef struct throng_gate {
    throng_vec2 from, to; ///< metres: where it is narrowest, from wall to wall
    float width, length;  ///< metres; length from mouth to mouth
    int class_index;      ///< one of the classes that see it
    throng_gate_mode mode;
    int mouth_count;                            ///< [2, THRONG_MAX_GATE_MOUTHS]
    throng_vec2 mouths[THRONG_MAX_GATE_MOUTHS]; ///< middles, metres
    int waiting[THRONG_MAX_GATE_MOUTHS];        ///< agents before each mouth that want through
    int inside[THRONG_MAX_GATE_MOUTHS];         ///< agents inside on the way to each mouth
    int owner;                                  ///< mouth whose side may enter; -1: all
    bool clearing;                              ///< nobody may enter until those inside have left
} throng_gate;

/// Writes up to `capacity` gates (gates may be NULL for 0) as the last substep left them, and
/// returns how many there are. A gate's place in the list changes with the map alone.
THRONG_API int throng_crowd_gates(const throng_crowd *crowd, throng_gate *gates, int capacity);
/// "free", "lanes", "token".
THRONG_API const char *throng_gate_mode_name(throng_gate_mode mode);

THRONG_API throng_map *throng_crowd_map(const throng_crowd *crowd);
THRONG_API int throng_crowd_profile_count(const throng_crowd *crowd);
/// A profile as the last step left it.
THRONG_API throng_profile_def throng_crowd_profile(const throng_crowd *crowd, int profile);

// ---- Walls that break -------------------------------------------------------------------------

/// An agent that stands before a wall which its ways lead through.
typedef struct throng_attack {
    throng_agent_id agent;
    int x, y; ///< the cell that it wants through
} throng_attack;

/// Who attacks which cell now: agents with `ways_of`, on their way, who could not go on by a cell
/// for walls that the class whose ways they take may cross; of these the nearest. Writes up to
/// `capacity` in the order of rows (attacks may be NULL for 0) and returns how many there are. The
/// host counts hits, and opens the wall by throng_crowd_edit_rect(). From any thread between steps.
/// O(agents).
THRONG_API int throng_crowd_attacks(const throng_crowd *crowd, throng_attack *attacks,
                                    int capacity);

/// Wall-clock seconds that each stage took in the last step. Not part of the state.
typedef struct throng_stage_time {
    const char *stage;
    double seconds;
} throng_stage_time;
THRONG_API const throng_stage_time *throng_crowd_stage_times(const throng_crowd *crowd, int *count);

#ifdef __cplusplus
}
#endif

#endif
