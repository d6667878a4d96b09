/// The crowd's inside: columns of agents, slots of ids, goals with their fields, and the stages.
///
/// Rows are sorted by bin, and by slot within a bin, at the start of each substep; so the order of
/// every sum follows from the set of agents alone, not from how they got there.
#ifndef THG_CROWD_H
#define THG_CROWD_H

#include "core/core.h"
#include "crowd/kernels.h"
#include "crowd/slots.h"
#include "field/field.h"
#include "field/traffic.h"
#include "jobs/jobs.h"
#include "map/map.h"
#include "map/passages.h"
#include "map/planet.h"
#include <math.h>
#include <throng/crowd.h>

#define THG_ROW_BLOCK 1024   ///< rows of a parallel block
#define THG_BIN_BLOCK 4096   ///< bins of one
#define THG_ROW_PADDING 16   ///< rows that kernels may read past the last
#define THG_MAX_SUBSTEP 0.1f ///< seconds between two looks at the neighbours
#define THG_MAX_SUBSTEPS 64
#define THG_GOAL_REGIONS 8
#define THG_NO_GOAL_KEY 65536 ///< in keys, of those who walk without one; goals end before
#define THG_BIN_RING 2        ///< empty bins round a level, so that no range needs a check
#define THG_MAX_LEVELS 8

/// The saved state of the agents, one array a column.
typedef struct thg_columns {
#define THG_COLUMN(type, name) type *name;
#include "crowd/columns.inc"
#undef THG_COLUMN
} thg_columns;

/// What the contact states make of a wish.
typedef struct thg_state_want {
    float x, y;             ///< m/s, in place of the wish
    float aside_x, aside_y; ///< m/s, by walls and big ones, added at the end
} thg_state_want;

/// What a substep computes anew for each row; never saved.
typedef struct thg_derived {
    float *radius;
    float *yield;           ///< inverse mass: who gives way in a contact
    float *key;             ///< 2 goal + (stands ? 1 : 0), for comparisons in lanes
    float *stir;            ///< seconds of disturbance a touch by this agent causes
    float *wish_x, *wish_y; ///< wanted velocity, before the neighbours are asked
    float *orca_x, *orca_y; ///< chosen velocity of those who avoid reciprocally
    float *from_x, *from_y; ///< positions at the start of the substep
    float *next_x, *next_y; ///< positions that a contact iteration writes
    float *next_yield;      ///< and who gives way in the next one
    float *depth;           ///< of the row's deepest contact, over the smaller radius
    float *rank;            ///< priority
    uint32_t *bin;
    uint32_t *who, *minds; ///< as in thg_rows
    uint32_t *gate_role;   ///< what the agent is to a gate near it: see gates.h
    uint8_t *change;       ///< what the arrivals found
    thg_sense_result *sensed;
    thg_state_want *wants;      ///< of profiles with states
    float *placed_x, *placed_y; ///< where a substep's contacts began, of profiles with a cap
    thg_spot *spots;            ///< on a planet: where rows are; NULL on a flat map
    float *space[3];            ///< the same in metres from its middle, for a first look
} thg_derived;

/// Where an id points.
typedef struct thg_slot {
    uint32_t generation;
    int32_t row;      ///< THG_ROW_FREE, THG_ROW_COMING or a row
    uint32_t profile; ///< of its agent
} thg_slot;
enum { THG_ROW_UNSEEN = -3, THG_ROW_FREE = -2, THG_ROW_COMING = -1 }; // unseen: by a restore

/// A profile as the stages read it.
typedef struct thg_profile {
    throng_profile_def def;
    int way_class; ///< whose ways it takes: `ways_of`, or its own
    float yield;
    int level;               ///< of the bins
    uint32_t near_wall;      ///< squared half cells: below this clearance a wall may be in reach
    uint32_t near_wall_push; ///< the same for the push of walls
    float probe_cosine;      ///< of half the cone ahead
    bool has_states;
    bool sees_flock; ///< one of Reynolds' three rules has a weight
    bool flocks;     ///< the flock stage has something to do
    bool changed;    ///< a number of it, since the crowd was made
} thg_profile;

typedef struct thg_routes thg_routes;
typedef struct thg_notes thg_notes;

/// One field: a goal as a class sees it. Of field, tiles, question and sphere one is there.
typedef struct thg_goal_field {
    throng_field *field;
    struct thg_tiles *tiles;
    throng_field *question;            ///< of paths: the goal alone, no buffers
    throng_planet_field *sphere;       ///< on a planet, in place of `field`
    uint8_t method;                    ///< throng_route_method; 0 before the first order
    bool joined;                       ///< tiles have joined in this step
    uint64_t refused_until;            ///< step before which nobody asks for tiles again
    bool waiting;                      ///< queued or being solved
    bool priced;                       ///< what agents read was solved with the crowd in the prices
    uint32_t solved_for;               ///< map version of the front buffer, 0 none
    throng_vec2 solved_at, solving_at; ///< of a goal that moves: where it was
    int region_count; ///< regions from which the goal is reached; -1: too many to list
    int32_t regions[THG_GOAL_REGIONS];
} thg_goal_field;

typedef struct thg_goal {
    uint32_t generation;
    bool used, ending;      ///< `ending`: its removal is queued
    bool moves;             ///< its one point is where the host or `follow` puts it
    throng_agent_id follow; ///< zero: nobody
    throng_goal_def def;    ///< owns the arrays of its shape
    thg_goal_field fields[THRONG_MAX_CLASSES];
    int64_t agent_area;   ///< their radii squared, in square millimetres
    int64_t settled_area; ///< of those who have arrived
    thg_slots *slots;     ///< places round it; NULL: none
    uint64_t pressed_at;  ///< step, counted from 1, when somebody last pressed in; 0 never
} thg_goal;

typedef enum thg_command_kind {
#define THG_COMMAND(name) THG_COMMAND_##name,
#include "crowd/commands.inc"
#undef THG_COMMAND
    THG_COMMAND_COUNT
} thg_command_kind;

/// A queued change; which members count depends on the kind. Plain words, so that it can be saved.
typedef struct thg_command {
    uint32_t kind;
    uint32_t slot, generation;
    uint32_t goal, goal_generation;
    float x, y, vx, vy;
    int32_t profile;
    int32_t rect_x, rect_y, rect_width, rect_height, terrain;
    int32_t team, other_team, relation;
    uint32_t steer, target, target_generation; ///< kind of the order, and whom it is about
    float radius, weight, wall_weight;
    int32_t number; ///< of throng_profile_numbers()
    float value;
} thg_command;

typedef enum thg_stage {
#define THG_STAGE(name) THG_STAGE_##name,
#include "crowd/stages.inc"
#undef THG_STAGE
    THG_STAGE_COUNT
} thg_stage;

/// A grid of bins for agents of about one size: the largest radius is at most twice the smallest.
typedef struct thg_level {
    float size, inverse_size; ///< metres
    float radius;             ///< the largest, metres
    float sight;              ///< metres within which all are in the next bin at most
    int width, height;        ///< bins, ring included
    uint32_t first, end;      ///< numbers of its bins
} thg_level;

/// The bins of all levels, the smallest agents first, numbered through.
typedef struct thg_bins {
    thg_level levels[THG_MAX_LEVELS];
    int level_count;
    int count;       ///< of all levels
    int capacity;    ///< for which there is memory
    uint32_t *start; ///< [capacity + 1] first row of each bin
    uint32_t *order; ///< [capacity] scratch: old row of each new one
    uint32_t *awake; ///< [capacity] how many rows before each are awake
    bool sleepers;   ///< any; without, `awake` is not filled
    bool tell_quiet; ///< so, and bins around one are bins near it in number too: on no planet
    bool known;      ///< rows and whose they are have stayed since the last look
    // Per block of rows:
    uint8_t *sorted;      ///< they lie in order already
    uint8_t *same;        ///< each is in the bin where it was
    uint32_t *wakeful;    ///< how many are awake
    uint32_t *awake_from; ///< how many before it were, when `awake` was filled
    uint8_t *rest;        ///< thg_rest
    uint8_t *crush;       ///< [capacity] where another contact pass is worth it
    uint64_t turn;        ///< changes with every look: which part of a pile is looked at
} thg_bins;

/// How a block of rows rests: see rest.c.
typedef enum thg_rest {
    THG_REST_NONE,
    THG_REST_NEW, ///< quiet, but not in the substep before
    THG_REST_KEPT ///< quiet once more: stages skip it
} thg_rest;

/// What a gate is doing. Saved while it is not free, so it has no holes.
typedef struct thg_gate_state {
    uint32_t key;   ///< cell of its first mouth: by it a gate is known again on a changed map
    uint8_t mode;   ///< throng_gate_mode
    uint8_t owner;  ///< the mouth whose side may enter, while there is a token
    uint8_t next;   ///< the mouth that gets it when the passage is clear
    uint8_t clears; ///< 1: nobody enters until it is
    float age;      ///< seconds of the phase
    float limit;    ///< seconds after which the others' turn comes
    float calm;     ///< seconds since both sides last wanted through
    uint8_t served[THG_MAX_MOUTHS]; ///< who got through from a mouth, less than the fewest of all
} thg_gate_state;

/// Who wants what at a gate, as whole numbers, so that no order of agents shows.
typedef struct thg_gate_counts {
    int32_t queue[THG_MAX_MOUTHS][THG_MAX_MOUTHS]; ///< before a mouth, on the way to another
    int32_t inside[THG_MAX_MOUTHS];                ///< on the way to a mouth
    int32_t passed[THG_MAX_MOUTHS]; ///< got through in this substep, by where they came
    int32_t radius;                 ///< the largest, in tenths of a millimetre
} thg_gate_counts;

/// Classes that are blocked by the same terrain see the same gates.
typedef struct thg_gate_family {
    int layer; ///< of its smallest class
    float most_width;
    thg_passages passages;
    thg_gate_state *states; ///< [THG_MAX_PASSAGES]
    thg_gate_counts *counts;
} thg_gate_family;

typedef struct thg_gates {
    int family_count; ///< in use, in the order of the profiles
    int family_made;  ///< that have memory; those after family_count rest
    thg_gate_family families[THRONG_MAX_CLASSES];
    int8_t family_of[THRONG_MAX_PROFILES]; ///< -1: the profile knows no gates
    thg_passage_scratch scratch;
    thg_gate_state *spare; ///< [THG_MAX_PASSAGES] where states wait while gates are found anew
    bool busy;             ///< a gate is not free
} thg_gates;

/// Crowd in the cost. Without a weight there are no blocks.
typedef struct thg_crowd_traffic {
    thg_traffic *blocks;
    float count_age; ///< seconds since the last count
    float round_age; ///< since the fields were last gone through
    uint32_t next; ///< entry, as in field_queue, of the field to solve anew; 0: none in this round
    bool turning;  ///< the map has changed, and not all fields are solved for it
    bool pricing;  ///< the solve under way reckons with `prices`
    thg_prices prices;
    uint16_t *price; ///< padded
} thg_crowd_traffic;

struct throng_crowd {
    throng_crowd_def def;
    throng_map *map;
    throng_jobs *jobs;
    thg_profile profiles[THRONG_MAX_PROFILES];
    throng_profile_def wanted[THRONG_MAX_PROFILES]; ///< as the queued commands will leave them
    int profile_count;
    bool unsettled;  ///< bins and gates are not yet those of the profiles
    bool has_states; ///< a profile has
    const thg_kernels *kernels;

    uint8_t relations[THRONG_MAX_TEAMS][THRONG_MAX_TEAMS];          ///< throng_relation; symmetric
    uint32_t enemies[THRONG_MAX_TEAMS], neutrals[THRONG_MAX_TEAMS]; ///< teams, as in thg_rows
    bool asks_who;                                                  ///< the kernels ask who is who
    bool profiles_differ; ///< in whom they mind or outrank
    bool some_hold;       ///< a profile is anchored or kinematic

    thg_columns columns, spare; ///< `spare`: where the sort writes
    thg_derived derived;
    int agent_count; ///< rows
    int capacity;    ///< rows allocated, padding included

    thg_slot *slots;
    struct thg_steer *steers; ///< by slot: steering orders; NULL before the first
    bool steers_used;         ///< there was an order; a crowd without skips the stage
    bool steers_aim;          ///< there was one about an agent
    bool flocks;              ///< a profile does
    uint32_t *free_slots;     ///< a stack
    int free_count;
    throng_agent_id *ids; ///< of the view, by row

    thg_goal *goals;       ///< [max_goals + 1]; 0 is none
    uint32_t next_goal;    ///< no lower one is free
    int used_goals;        ///< how many there are
    int slot_goals;        ///< of them that have places round them
    int moving_goals;      ///< of them that move
    uint32_t *field_queue; ///< goal * THRONG_MAX_CLASSES + class, oldest first
    int field_queue_count;
    bool field_active;      ///< the first of the queue, or of the traffic's, is under way
    int64_t field_progress; ///< cells it has been given
    thg_solver *solver;
    thg_routes *routes; ///< tiles and paths; NULL before the first goal that has such
    thg_crowd_traffic traffic;
    uint32_t map_version; ///< that fields and agents were last checked against

    thg_command *commands;
    int command_count, command_capacity;

    throng_event *events;
    int event_count, event_capacity;

    thg_gates gates;
    thg_bins bins;
    float *block_overlap;   ///< per block, the deepest pair of a contact pass
    uint8_t *block_changes; ///< per block of rows, whether the arrivals found anything
    uint64_t last_press;    ///< the latest step, counted from 1, when somebody pressed in anywhere
    float substep_move;     ///< metres an agent may go between two looks at the neighbours
    float top_speed;

    thg_notes *notes; ///< NULL: nobody takes notes

    double time;
    uint64_t step_count;
    uint32_t flags;  ///< of the step under way
    bool rows_gone;  ///< rows wait to be dropped
    bool rows_moved; ///< slots and ids do not yet say where
    throng_stage_time stage_times[THG_STAGE_COUNT];
};

/// The step under way, as every stage gets it.
typedef struct thg_step {
    throng_crowd *crowd;
    float dt; ///< of a substep
} thg_step;

typedef void thg_stage_function(thg_step *step);
#define THG_STAGE(name) thg_stage_function thg_stage_##name##_run;
#include "crowd/stages.inc"
#undef THG_STAGE

// ---- profile.c
/// False for a number out of its range, an unknown class, or a radius its class has no room for.
bool thg_profile_is_valid(const throng_map *map, const throng_profile_def *def);
/// An agent's own speed over its profile's. [THG_LEAST_PACE, thg_profile_top_pace]
float thg_profile_draw_pace(const throng_profile_def *def, uint64_t seed, uint32_t generation,
                            uint32_t slot);
/// The highest pace that may be drawn; at most THG_TOP_PACE.
float thg_profile_top_pace(const throng_profile_def *def);
#define THG_LEAST_PACE 0.1f
#define THG_TOP_PACE 2.0f

// ---- profiles.c
/// Works out what the stages need to know of the profiles, after their numbers have changed.
void thg_profiles_know(throng_crowd *crowd);
/// Metres that an agent may go between two looks at the neighbours, for the profiles as wanted.
float thg_profiles_substep_move(const throng_crowd *crowd);
/// Takes the memory that the profiles as wanted need. What the crowd does stays as it is.
/// THRONG_NO_MEMORY.
throng_result thg_profiles_reserve(throng_crowd *crowd);
/// Changes a number of a profile, and what agents have of it. thg_profiles_settle() is due.
void thg_profile_set_number(throng_crowd *crowd, int profile, int number, float value);
/// Lays bins and gates for the profiles as they are, if a number has changed.
void thg_profiles_settle(throng_crowd *crowd);

// ---- commands.c
/// Room for so many more commands. False: no memory.
bool thg_commands_make_room(throng_crowd *crowd, int more);

// ---- apply.c
/// Sends a row to the goal of a slot, 0 none.
void thg_agents_set_goal(throng_crowd *crowd, int row, uint32_t goal);

// ---- teams.c
/// Finds out what is special about the profiles, after they are set.
void thg_teams_know_profiles(throng_crowd *crowd);
/// Whether kernels ask who is who, after the relations have changed.
void thg_teams_changed(throng_crowd *crowd);
/// Fills rank, who and minds of rows when kernels ask.
void thg_teams_derive(throng_crowd *crowd, int first, int end);
/// True for one nobody can push now: kinematic, or anchored and not on the way.
bool thg_teams_is_fixed(const throng_crowd *crowd, int row);

// ---- planet_local.c
throng_vec2 thg_planet_seen_from(const throng_crowd *crowd, int row, float x, float y);
/// Metres from a row to a position, as vectors of the row are given.
static inline throng_vec2 thg_seen_from(const throng_crowd *crowd, int row, float x, float y)
{
    if (crowd->derived.spots != NULL) {
        return thg_planet_seen_from(crowd, row, x, y);
    }
    return (throng_vec2){x - crowd->columns.x[row], y - crowd->columns.y[row]};
}

// ---- slots.c
bool thg_slots_are_valid(const throng_slots_def *def);
/// What the field of a goal with places leads to.
throng_rect thg_slots_box(const throng_map *map, const throng_slots_def *def);
thg_slots *thg_slots_create(const throng_slots_def *def);
void thg_slots_destroy(thg_slots *slots);
/// Metres from an agent to the place that is its own; FLT_MAX when it has none.
float thg_slots_distance(const throng_crowd *crowd, int row);
/// True for one on its place, or at the end of the queue for one.
bool thg_slots_is_there(const throng_crowd *crowd, int row);
/// Brings up to date what the host sees of places, once rows are indexed.
void thg_slots_look(throng_crowd *crowd);
/// Books a restored agent's place. False when it cannot have it.
bool thg_slots_adopt(throng_crowd *crowd, int row);

// ---- agents.c
/// True for a row that is on its way, even where it gets nowhere.
static inline bool thg_row_walks(const throng_crowd *crowd, int row)
{
    uint8_t status = crowd->columns.status[row];
    return status == THRONG_WALKING || status == THRONG_STUCK;
}
/// True for a row that sleeps: it stands, nothing has moved it for a while, and no stage looks at
/// it until an awake neighbour, an order or the map wakes it.
static inline bool thg_row_is_still(const throng_crowd *crowd, int row)
{
    return crowd->columns.quiet[row] >= THG_ASLEEP;
}
/// Drops rows whose status is THG_STATUS_GONE, keeping the order of the others.
void thg_agents_drop_gone(throng_crowd *crowd);
enum { THG_STATUS_GONE = 255 };
/// Fills what is derived from a row's columns: radius, yield, key, stir.
void thg_agents_derive(throng_crowd *crowd, int first, int end);
/// Makes slots and view ids say where each row's agent is now; at no cost when none has moved.
void thg_agents_index(throng_crowd *crowd);
/// Row of an id, or -1.
int thg_agents_row(const throng_crowd *crowd, uint32_t slot, uint32_t generation);
/// Ends an agent: its id is stale from here on. The row goes with the next drop.
void thg_agents_end(throng_crowd *crowd, int row);
/// True for one who has a steering order.
bool thg_is_steered(const throng_crowd *crowd, int row);

// ---- rest.c
/// No block rests, as far as is known. After anything but a stage has changed rows.
void thg_rest_forget(throng_crowd *crowd);
/// Finds out which blocks rest, once rows are in bins and `awake` is filled.
void thg_rest_find(throng_crowd *crowd);
/// True for a block of rows that stages skip in this substep.
static inline bool thg_block_rests(const throng_crowd *crowd, int block)
{
    return crowd->bins.rest[block] == THG_REST_KEPT;
}
static inline size_t thg_row_blocks(int rows)
{
    return ((size_t)rows + THG_ROW_BLOCK - 1) / THG_ROW_BLOCK;
}

// ---- bins.c
/// Divides the profiles as wanted into levels by radius, and lays the levels' bins over the map.
/// There is memory for them.
void thg_bins_lay(throng_crowd *crowd);
/// Takes that memory. THRONG_NO_MEMORY.
throng_result thg_bins_reserve(throng_crowd *crowd);
void thg_bins_release(thg_bins *bins);
/// Bin along one side, for a position relative to the map's origin. Clamped to the map.
static inline int thg_bin_along(float offset, float inverse_size, int count)
{
    float at = offset * inverse_size;
    int bin = at > 0.0f ? (at < (float)count ? (int)at : count) : 0;
    return THG_BIN_RING + thg_min_int(bin, count - 2 * THG_BIN_RING - 1);
}

// ---- ranges.c
/// Rows that may touch an agent of a bin: 3 x 3 bins of its own level, and of other levels what is
/// within reach. Empty ranges are left out; of a pile only a part is given, another one every turn.
void thg_ranges_narrow(const throng_crowd *crowd, uint32_t bin, thg_ranges *ranges);
/// The same, and 5 x 5 bins of its own level where that is few agents: who stands in a crowd sees
/// no farther, and the pass stays short.
void thg_ranges_view(const throng_crowd *crowd, uint32_t bin, thg_ranges *ranges);

/// The level of a bin.
const thg_level *thg_level_of(const thg_bins *bins, uint32_t bin);
/// Of more than `most` rows, which begin with a bin's, leaves a part: another one every turn.
void thg_range_cut(const thg_bins *bins, uint32_t first_bin, int most, int *begin, int *end);
/// Whom the rows of a block see, kept from row to row while the bin is the same.
typedef struct thg_sight {
    thg_ranges ranges;
    uint32_t bin;
    bool quiet;  ///< at a glance, without ranges: nobody around is awake
    bool looked; ///< the ranges are the bin's
    bool awake;  ///< somebody in them is
} thg_sight;
static const uint32_t thg_sight_nowhere = UINT32_MAX;
/// Looks from a row; `wide` as steering does, else as contacts do. False, perhaps without ranges,
/// for one who sleeps and sees nobody awake. Begin with sight->bin = thg_sight_nowhere.
bool thg_sight_from(const throng_crowd *crowd, int row, bool wide, thg_sight *sight);

// ---- sense.c
/// The rows as kernels read them, at the positions of the columns.
thg_rows thg_rows_of(const throng_crowd *crowd);

// ---- goals.c
bool thg_goal_valid(const throng_crowd *crowd, uint32_t slot, uint32_t generation);
/// The field of a goal for a class, made if it is not there.
throng_result thg_goal_need_field(throng_crowd *crowd, uint32_t goal, int class_index);
/// Lists the regions from which a goal is reached, after it or the map has changed.
void thg_goal_find_regions(throng_crowd *crowd, uint32_t goal, int class_index);
/// False when no way leads from a place to the goal, by the regions of the map as it is now.
bool thg_goal_connected(const throng_crowd *crowd, uint32_t goal, int class_index, float x,
                        float y);
/// Books that an agent of a goal comes (1) or goes (-1); that it settles there or leaves its place.
void thg_goal_count(throng_crowd *crowd, uint32_t goal, int profile, int change);
void thg_goal_count_settled(throng_crowd *crowd, uint32_t goal, int profile, int change);
/// Metres that agents of an area (as booked) need round each point of the goal when packed.
float thg_goal_pack_radius(const thg_goal *goal, int64_t area);
/// Squared distance from an agent to the nearest point of its goal, as its class reaches it, and
/// that point; FLT_MAX when the goal has none.
float thg_goal_nearest_point(const throng_crowd *crowd, int row, throng_vec2 *point);
/// Agents whom a wall has come upon go to the nearest free place: of one profile, -1: of all.
void thg_agents_free_from_walls(throng_crowd *crowd, int only);
void thg_goals_destroy(throng_crowd *crowd);
/// Puts a copy of a goal into a slot.
throng_result thg_goal_put(throng_crowd *crowd, uint32_t slot, const throng_goal_def *def);
void thg_goal_clear(throng_crowd *crowd, uint32_t slot);
void thg_field_queue_push(throng_crowd *crowd, uint32_t goal, int class_index);

/// True while somebody presses in on the crowd that stands at a goal.
bool thg_goal_is_pressed(const throng_crowd *crowd, uint32_t goal);

// ---- moving_goals.c
/// True for a goal that is one point.
bool thg_goal_can_move(const thg_goal *goal);
/// Makes it one that moves; and puts it somewhere.
void thg_goal_set_moving(throng_crowd *crowd, uint32_t goal);
void thg_goal_put_at(throng_crowd *crowd, uint32_t goal, throng_vec2 point);
/// Puts goals where those are whom they follow, and wakes those who stood where a goal was.
void thg_goals_move(throng_crowd *crowd);
/// True when the goal is no longer where it was when what agents read was solved.
bool thg_goal_has_moved(const thg_goal *goal, const thg_goal_field *field);
/// The way straight at a goal that moves; false where it is far or hidden.
bool thg_goal_in_sight(const throng_crowd *crowd, int row, throng_vec2 *way);
/// Before a solve begins: it is for a goal that moves at `point`.
void thg_goal_aim(const thg_goal *goal, thg_goal_field *field, const throng_vec2 *point);

// ---- traffic.c
throng_result thg_crowd_traffic_create(throng_crowd *crowd);
void thg_crowd_traffic_destroy(throng_crowd *crowd);
/// The map has changed: everyone is about to turn.
void thg_crowd_traffic_turn(throng_crowd *crowd);
/// The field that the crowd has made stale, as an entry of the field queue; 0 none.
uint32_t thg_crowd_traffic_entry(throng_crowd *crowd);
/// Gives a field the prices of this moment, before its solve begins.
void thg_crowd_traffic_price(throng_crowd *crowd, thg_goal_field *field);

// ---- walls.c
/// Pushes a disc out of the walls of a layer. False when it stays more than a twentieth of its
/// radius inside, or its centre in a wall; then *x, *y are not to be used.
bool thg_walls_push_out(const throng_map *map, const thg_layer *layer, float radius, float *x,
                        float *y);
/// Moves a disc from a free place by at most half its radius: out of walls, or along one axis, or
/// not.
void thg_walls_shift(const throng_map *map, const thg_layer *layer, const thg_profile *profile,
                     float dx, float dy, float *x, float *y);
/// Moves a disc from a free place, sliding along walls; whatever the distance, it ends in a free
/// place.
void thg_walls_move(const throng_map *map, const thg_layer *layer, const thg_profile *profile,
                    float dx, float dy, float *x, float *y);
/// The nearest place where a disc of the profile is free, for one put down by hand. False: none.
bool thg_walls_place(const throng_map *map, const thg_profile *profile, float *x, float *y);
/// True when no wall can be in reach of a disc of the profile anywhere in the cell under (x, y).
bool thg_walls_far(const throng_map *map, const thg_layer *layer, const thg_profile *profile,
                   float x, float y);

/// Into the map, for those that walls do not hold.
static inline void thg_map_clip(const throng_map *map, float *x, float *y)
{
    // A hair inside, so that rounding cannot put it in the cell beyond the last.
    float inset = 1e-3f * map->cell_size;
    float right = map->origin.x + (float)map->width * map->cell_size;
    float bottom = map->origin.y + (float)map->height * map->cell_size;
    *x = thg_clamp(*x, map->origin.x + inset, right - inset);
    *y = thg_clamp(*y, map->origin.y + inset, bottom - inset);
}
// ---- wall_push.c
/// The push of the walls near a disc, as a share in [0, 1].
void thg_walls_repel(const throng_map *map, const thg_profile *profile, float x, float y,
                     float *push_x, float *push_y);

// ---- states.c
/// Works out what the stage needs to know of a profile.
void thg_states_know_profile(throng_crowd *crowd, thg_profile *profile);

/// Shortens a vector to at most `most`, keeping its direction.
static inline void thg_limit_length(float *x, float *y, float most)
{
    float square = *x * *x + *y * *y;
    if (square > most * most) {
        float scale = most / sqrtf(square);
        *x *= scale;
        *y *= scale;
    }
}

/// True when a wall has taken most of a push: what is left of it is under half.
static inline bool thg_is_pinned(float push_x, float push_y, float moved_x, float moved_y)
{
    return 4.0f * (moved_x * moved_x + moved_y * moved_y) < push_x * push_x + push_y * push_y;
}

// ---- gates.c
/// Takes memory for the gates that the profiles as wanted know. THRONG_NO_MEMORY.
throng_result thg_gates_reserve(throng_crowd *crowd);
/// Divides the profiles into families, and finds the gates of each.
void thg_gates_lay(throng_crowd *crowd);
void thg_gates_destroy(throng_crowd *crowd);
/// Finds the gates of the map as it is; a gate that was there before goes on as it was. O(cells).
void thg_gates_find(throng_crowd *crowd);

// ---- arrivals.c
void thg_event_add(throng_crowd *crowd, throng_event_kind kind, int row);
/// Sets what an agent does anew: order, arrival, loss of a goal. Home and anchor are where it
/// stands. Booked with its goal, so an agent changes goals while it is idle.
void thg_agents_set_status(throng_crowd *crowd, int row, throng_status status);
/// Walking with a goal or a steering order, idle without.
throng_status thg_agents_fresh_status(const throng_crowd *crowd, int row);

#endif
