/// The inside of a world: what it owns, whom it follows, and what it measures.
#ifndef THG_WORLD_MODEL_H
#define THG_WORLD_MODEL_H

#include "scene_model.h"
#include <throng_io/world.h>

/// A goal of the crowd with the geometry that distances are taken to.
typedef struct thg_world_goal {
    throng_goal_id id;
    const char *name; ///< NULL: an agent's own
    thg_points points;
    thg_rects rects;           ///< as written, or the rows of cells that turned ones cover
    throng_rect *turned_rects; ///< the memory of the latter, NULL without
    throng_rect *cell_rects;
    int cell_count;
    throng_agent_id followed;    ///< who carries it; zero: nobody
    const throng_planet *planet; ///< that it is on; NULL: none
} thg_world_goal;

/// What a world knows about one agent, in spawn order.
typedef struct thg_track {
    throng_agent_id id;
    int group, profile;
    int goal;                        ///< index of the world's goals, -1 none
    throng_vec2 start, before, last; ///< first place, before and after the last step
    throng_vec2 from;                ///< where its last order found it
    throng_vec2 velocity;
    double walked;        ///< metres
    double walking_time;  ///< seconds with the status walking
    double walking_way;   ///< metres walked in them
    float since, arrived; ///< seconds: of the last order, of arriving; arrived -1: not yet
    float moved;          ///< metres of the last step
    float ideal;          ///< metres of unit terrain to the goal from the start; 0 not known
    uint8_t status, ever; ///< throng_status now; bits of all it has had
    uint64_t stamp;       ///< count of steps after which it was last seen
    bool left;            ///< by an exit
    bool jumped;          ///< was teleported: the next move is not walked
    throng_vec2 heading;  ///< unit, at the last look at headings; zero: had none
    float headed;         ///< seconds to that look in which it had one; 0: it had none
    int8_t turning;       ///< side of the last turn
    bool flipped;         ///< turned to the other side at the last look
    bool jammed;          ///< on its way and all but still in the last step
} thg_track;

/// Places taken so far, so that random fills and sources find free ones.
typedef struct thg_places {
    float cell, inverse;
    throng_vec2 origin;
    int width, height;
    int *head; ///< [width * height] first place, -1 none
    int *next; ///< [capacity]
    float *x, *y, *radius;
    int count, capacity;
} thg_places;

/// What is kept about contacts and walls; see world_contacts.c.
typedef struct thg_contacts {
    int *start, *order; ///< own bins
    int width, height;
    float size;
    throng_vec2 origin;
    double overlap, penetration;             ///< of the last look: worst, over radii
    float distance;                          ///< least between two centres; INFINITY: no pair
    double worst_overlap, worst_penetration; ///< of the run, exceptions left out
    double worst_distance;
    uint64_t in_wall, not_finite;
} thg_contacts;

#define THG_OVERLAP_BUCKETS 1000

/// What one look found about one row.
typedef struct thg_look {
    float nearest; ///< metres to the nearest centre, as far as is looked; INFINITY: nobody
    float overlap; ///< deepest with another, over the smaller radius
    int around;    ///< agents within THG_DENSITY_REACH, itself included
} thg_look;

/// The metrics of a run; see metrics.c.
typedef struct thg_metrics {
    int *start, *order; ///< own bins
    int width, height;
    float size;
    int every;           ///< steps
    bool fresh;          ///< `looks` are of the last step
    bool headings_fresh; ///< so are the headings of the tracks
    thg_look *looks;     ///< by row
    double next_heading, last_heading;
    uint64_t looked, near, flips;
    uint64_t overlaps[THG_OVERLAP_BUCKETS];
    uint64_t contact[3], speed_count[3];
    double speed_sum[3], headed, jam_seconds;
} thg_metrics;

struct thg_meter;

struct throng_world {
    const throng_scene *scene;
    const thg_scene_model *model;
    throng_world_options options;
    thg_arrangement arrangement;
    int symmetry; ///< the arrangement's, once the map is there; see world_turn.c
    throng_map *map;
    throng_planet *planet; ///< whose atlas the map is; NULL: it is flat
    throng_jobs *jobs;
    throng_crowd *crowd;
    thg_world_goal *goals; ///< the named ones first
    int goal_count;
    int terrain_kind[THRONG_MAX_TERRAINS]; ///< of the scene's list
    float *hits;                           ///< by cell: seconds; NULL: no walls break
    throng_attack *attacks;                ///< [max_agents]
    thg_track *tracks;
    int track_count, track_capacity;
    uint32_t *slot_track; ///< [max_agents + 1] track of an id's slot
    int max_agents;
    int next_event;
    int produced[THG_MAX_GROUPS]; ///< by sources
    thg_contacts contacts;
    thg_metrics metrics;
    struct thg_meter *meters;
    int meter_count;
    float *ticks; ///< seconds of each step of the crowd, for meters
    int tick_count, tick_capacity;
    uint64_t steps;
    uint64_t goals_moved; ///< steps after which one was last found elsewhere
    uint32_t flags;
    double tick_seconds, slowest_tick;
    double dt;                               ///< of the last step
    double polarisation_sum, lane_order_sum; ///< over the looks of the run
    int polarisation_looks, lane_order_looks;
    bool finishing; ///< what waits for a moment takes this one
};

// ---- world_map.c
throng_result thg_world_make_map(throng_world *world, throng_error *error);

// ---- world_planet.c
throng_result thg_world_make_planet(throng_world *world, throng_error *error);
/// What a scene on a planet may not have: fails with its place.
throng_result thg_world_check_planet(const throng_world *world, throng_error *error);
/// From degrees of longitude and latitude to the atlas, and back.
throng_vec2 thg_planet_lay_down(const throng_world *world, throng_vec2 degrees);
throng_vec2 thg_planet_pick_up(const throng_world *world, throng_vec2 position);
/// True when a rectangle in degrees, which may reach beyond 180, holds the middle of a cell.
bool thg_planet_rect_has_cell(const throng_world *world, const throng_rect *rect, int x, int y);
/// Gives the cells of a rectangle in degrees another terrain with the next step.
throng_result thg_planet_edit(throng_world *world, const throng_rect *rect, int kind);
/// Looks at all pairs of agents, by their places in space.
void thg_planet_look_at_pairs(throng_world *world, const throng_agents_view *agents);
/// Metres between two positions of the map.
float thg_world_apart(const throng_world *world, throng_vec2 from, throng_vec2 to);

// ---- world_turn.c
/// What a symmetry does: bits; columns and rows change places first.
enum { THG_MIRRORED_X = 1, THG_MIRRORED_Y = 2, THG_TRANSPOSED = 4 };
/// Puts the map of the arrangement's symmetry in the place of the one that was made, before it has
/// classes. THRONG_OK, THRONG_NO_MEMORY.
throng_result thg_world_mirror_map(throng_world *world);
/// From the world as it was made to the one that is run: places, rectangles, cells.
throng_vec2 thg_world_mirrored(const throng_world *world, throng_vec2 place);
throng_rect thg_world_mirrored_rect(const throng_world *world, throng_rect rect);
void thg_world_mirror_cell(const throng_world *world, int *x, int *y);
/// Cells of the map that was made.
void thg_world_made_size(const throng_world *world, int *width, int *height);
/// As thg_world_cells, on the map that was made.
throng_cell_rect thg_world_made_cells(const throng_world *world, throng_rect rect);
/// Turns a written place as the arrangement turns the whole scene, and back.
throng_vec2 thg_world_turned(const throng_world *world, throng_vec2 place);
throng_vec2 thg_world_unturned(const throng_world *world, throng_vec2 place);
/// The same for a way or a velocity.
throng_vec2 thg_world_turned_way(const throng_world *world, throng_vec2 way);
/// Shifts, rotates and turns a start or goal point; `shifted`: of a group that is shifted.
throng_vec2 thg_world_arrange(const throng_world *world, throng_vec2 position, bool shifted);
/// What the arrangement's seed makes of a seed; as written without one.
uint64_t thg_world_seed(const throng_world *world, uint64_t written);
/// Lower edges are inside, upper ones outside.
bool thg_rect_covers(const throng_rect *rect, throng_vec2 place);
/// True when the centre of a cell lies in a written rectangle.
bool thg_world_rect_has_cell(const throng_world *world, const throng_rect *rect, int x, int y);
/// The cells whose centres lie in an upright rectangle, cut to the map.
throng_cell_rect thg_map_cells(const throng_map *map, throng_rect rect);
/// The cells whose centres lie in a written rectangle, or, where it is turned, in what stands round
/// it; cut to the map. Width or height may be 0.
throng_cell_rect thg_world_cells(const throng_world *world, throng_rect rect);
/// Of a row of these cells, those in the rectangle itself.
throng_cell_rect thg_world_run(const throng_world *world, throng_rect rect, throng_cell_rect around,
                               int y);

// ---- world_goals.c
throng_result thg_world_make_goals(throng_world *world, throng_error *error);
/// The goal that one agent of a group has for himself. Taken from where he would stand unshifted:
/// an arrangement moves the start, not the end.
throng_result thg_world_make_own_goal(throng_world *world, const thg_group *group, int index,
                                      throng_vec2 start, int *goal);
/// Sends the goals that move to where they are at `time`, and those that follow after whom they
/// follow. THRONG_OK, THRONG_NO_MEMORY.
throng_result thg_world_move_goals(throng_world *world, double time);
/// True for one that the scene moves.
bool thg_world_goal_moves(const throng_world *world, int goal);
/// Notes where the goals that follow somebody are after a step.
void thg_world_find_goals(throng_world *world);
/// Metres from a place to the nearest part of a goal; 0 in a rectangle or cell of it.
float thg_goal_distance(const thg_world_goal *goal, throng_vec2 position);

// ---- world_walls.c
/// Makes room for hits if walls of the scene break. False without memory.
bool thg_world_make_walls(throng_world *world);
void thg_world_end_walls(throng_world *world);
/// Counts the hits of the last step on walls that break, and opens those that have had enough.
/// THRONG_OK, THRONG_NO_MEMORY.
throng_result thg_world_hit_walls(throng_world *world);

// ---- world_spawn.c
throng_result thg_world_spawn_all(throng_world *world, throng_error *error);
/// Produces what the sources owe at `time`. THRONG_OK, THRONG_NO_MEMORY.
throng_result thg_world_run_sources(throng_world *world, double time);
/// Gives a steering order to the agents of some groups, those before a track left out. THRONG_OK,
/// THRONG_NO_MEMORY.
throng_result thg_world_steer(throng_world *world, uint64_t groups, int first_track,
                              const thg_steer_model *steer);
/// What a source owes in all at `time`.
int thg_source_due(const thg_group *source, double time);
/// Notes an agent that was spawned. False when it has no room for it.
bool thg_world_track(throng_world *world, throng_agent_id id, int group, int goal,
                     throng_vec2 position);
thg_track *thg_world_track_of(const throng_world *world, throng_agent_id id);

// ---- world_places.c
bool thg_places_create(thg_places *places, const throng_map *map, float reach, int capacity);
void thg_places_destroy(thg_places *places);
void thg_places_add(thg_places *places, throng_vec2 position, float radius);
/// True when a disc there keeps `apart` metres from every other.
bool thg_places_free(const thg_places *places, throng_vec2 position, float radius, float apart);
/// Random numbers for scenes: SplitMix64, whole numbers only until the last division.
uint64_t thg_draw(uint64_t *state);
int thg_draw_below(uint64_t *state, int bound);
/// [0, 1)
float thg_draw_share(uint64_t *state);
/// Sine and cosine of an angle, the same bits everywhere; exact at multiples of 90.
void thg_turn(float angle_deg, double *sine, double *cosine);

// ---- world_events.c
/// Applies what is due at `time` and gives the seconds of the step that follows. `apply` false only
/// counts: what a restored world has behind it.
double thg_world_schedule(throng_world *world, double time, bool apply);

// ---- world_metrics.c and world_contacts.c
/// True when the last step left the agent in the world.
static inline bool thg_track_alive(const throng_world *world, const thg_track *track)
{
    return track->stamp == world->steps && track->stamp > 0;
}

/// How far agents agree on where they go.
typedef struct thg_order {
    double polarisation; ///< length of the mean heading. [0, 1]
    double lane_order;   ///< see measure_order.c. [0, 1]
    int movers;          ///< agents that move; of fewer than two nothing is said
    bool has_lanes;      ///< somebody has another in his strip
} thg_order;

/// Looks at the agents of some groups; `strip` metres to either side, 0: three quarters of the own
/// radius. O(n log n). False without memory.
bool thg_order_look(const throng_world *world, uint64_t groups, float strip, thg_order *order);

/// Follows every agent through the last step.
void thg_world_follow(throng_world *world);
bool thg_contacts_create(throng_world *world);
/// Takes a pair that is so far apart into account.
void thg_contacts_take_pair(thg_contacts *contacts, float distance, float reach, float smaller);
void thg_contacts_destroy(throng_world *world);
/// Looks at overlap, walls and finiteness now.
void thg_contacts_look(throng_world *world);
bool thg_metrics_create(throng_world *world);
void thg_metrics_destroy(throng_world *world);
/// Follows headings and jams through the last step; looks at closeness every few.
void thg_metrics_look(throng_world *world);
bool thg_meters_create(throng_world *world);
void thg_meters_destroy(throng_world *world);
void thg_meters_observe(throng_world *world);
/// The value of an expectation at the end of a run; INFINITY for what never happened.
double thg_meter_value(throng_world *world, int index);

#endif
