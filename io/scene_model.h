/// What a scene is once it is read: plain structs with every name resolved to an index.
///
/// Strings point into the scene's JSON, lists into its own memory; both live as long as the scene.
/// Nothing here depends on the map file, which is opened when a world is made.
#ifndef THG_SCENE_MODEL_H
#define THG_SCENE_MODEL_H

#include <jansson.h>
#include <throng/throng.h>
#include <throng_io/scene.h>
#include <throng_io/walk.h>

#define THG_MAX_SCENE_SIZE ((size_t)16 << 20) ///< bytes of one file
#define THG_MAX_AGENTS 4000000                ///< agents and what sources produce, in all
#define THG_MAX_GROUPS 64       ///< entries of `agents` and `sources` together: bits of a mask
#define THG_MAX_GATES 16        ///< bits of a mask
#define THG_MAX_OWN_GOALS 4096  ///< each may need a field of its own
#define THG_MAX_OWN_PATHS 60000 ///< of agents that find their ways by paths, these included
#define THG_MAX_DOCUMENTS 8     ///< a scene and what it includes
#define THG_MAX_ENTRIES 4096    ///< of a list of shapes, goals, events or expectations
#define THG_MAX_DISTANCE 1e7    ///< metres from the origin
#define THG_MAX_SECONDS 1e6
#define THG_TIME_SLACK 1e-4 ///< seconds by which sums of dt may miss a written time

typedef struct thg_points {
    throng_vec2 *items;
    int count;
} thg_points;

typedef struct thg_rects {
    throng_rect *items;
    int count;
} thg_rects;

typedef struct thg_numbers {
    float *items;
    int count;
} thg_numbers;

typedef struct thg_texts {
    const char **items;
    int count;
} thg_texts;

// ---- Map --------------------------------------------------------------------------------------

typedef struct thg_boxes {
    int count;
    throng_vec2 side; ///< metres, least and most
    throng_rect area;
    bool has_area;
    thg_rects free; ///< no box touches these
    float apart;    ///< metres between boxes
    uint64_t seed;
} thg_boxes;

/// One stroke of paint. Cells whose centre lies in a gap keep what they were.
typedef struct thg_shape {
    int terrain; ///< index of the scene's terrain list
    thg_rects rects;
    throng_rect outside;
    thg_boxes boxes;
    thg_points *polygons; ///< corners of each
    int polygon_count;
    thg_rects gaps;
    enum { THG_SHAPE_RECTS, THG_SHAPE_OUTSIDE, THG_SHAPE_BOXES, THG_SHAPE_POLYGONS } kind;
} thg_shape;

typedef struct thg_map_model {
    const char *file; ///< NULL: rows, or an empty map of `size`
    thg_texts rows;
    throng_vec2 size; ///< metres
    bool has_size;
    bool is_planet; ///< then places are degrees of longitude and latitude
    int planet_side;
    float planet_radius;
    float cell;
    throng_vec2 origin;
    thg_shape *shapes;
    int shape_count;
} thg_map_model;

typedef struct thg_class_model {
    const char *name;
    throng_class_def def; ///< costs not set
    float cost[THRONG_MAX_TERRAINS];
    uint32_t cost_set; ///< bit per entry of the terrain list
} thg_class_model;

typedef struct thg_profile_model {
    const char *name;
    throng_profile_def def;
} thg_profile_model;

// ---- Goals and agents -------------------------------------------------------------------------

/// A goal that goes from its point through others.
typedef struct thg_goal_moves {
    thg_points through; ///< none: it stays
    float speed, from;  ///< m/s; seconds at which it sets out
    bool rounds;        ///< back to the first, and again
} thg_goal_moves;

typedef struct thg_goal_model {
    const char *name;
    thg_points points;
    thg_rects rects;
    thg_points cells; ///< whole numbers
    float arrive, snap;
    bool remove;
    throng_slots_def slots;
    throng_route_method method;
    int expected_agents;
    thg_goal_moves moves;
    bool follows;
    uint64_t followed; ///< groups: it is where the first of theirs is who lives
} thg_goal_model;

typedef struct thg_relation_model {
    int team, other;
    throng_relation relation;
} thg_relation_model;

typedef struct thg_own_goals {
    enum { THG_OWN_NONE, THG_OWN_OFFSET, THG_OWN_MIRROR, THG_OWN_POINTS, THG_OWN_FAN } kind;
    throng_vec2 offset, mirror;
    thg_points points;
    throng_vec2 fan_first, fan_pitch;
    int fan_columns;
    float arrive, snap;
    bool remove;
    throng_route_method method;
} thg_own_goals;

/// A steering order to the agents of a group.
typedef struct thg_steer_model {
    int kind; ///< throng_steer_kind
    throng_vec2 point;
    uint64_t whom; ///< bit of the group whose agents it is about, one each; 0: the point
    float radius, weight, wall_weight;
} thg_steer_model;

typedef enum thg_form { THG_AT, THG_BLOCK, THG_LATTICE, THG_RANDOM, THG_PILE, THG_SOURCE } thg_form;

/// A group: an entry of `agents`, or of `sources`.
typedef struct thg_group {
    const char *name; ///< "" when it has none
    thg_form form;
    int profile, goal; ///< goal -1: none
    int team;
    int *rounds; ///< goals one after the other, again and again
    int round_count;
    thg_own_goals own;
    throng_vec2 velocity;
    thg_points at;
    throng_vec2 first, pitch; ///< block and lattice: the first place and the steps
    int columns, rows;
    throng_rect area;
    bool has_area;
    int count; ///< of agents; a source: of what it may produce
    float density, apart;
    uint64_t seed;
    float rate, from, until; ///< source: agents per second, seconds
    thg_steer_model steer;   ///< at the start
    int entry;               ///< index in its list of the file
} thg_group;

// ---- Time -------------------------------------------------------------------------------------

typedef enum thg_event_form {
    THG_EVENT_EDIT,
    THG_EVENT_ORDER,
    THG_EVENT_TELEPORT,
    THG_EVENT_REMOVE,
    THG_EVENT_STEP,
    THG_EVENT_DRIVE,
    THG_EVENT_TEAM,
    THG_EVENT_STEER
} thg_event_form;

typedef struct thg_event {
    double at;
    thg_event_form form;
    thg_rects rects;
    int terrain;
    uint64_t groups;
    int goal; ///< -1: stand still
    throng_vec2 by;
    throng_vec2 to;
    bool has_to;
    throng_vec2 velocity;
    int team;
    float step;
    thg_steer_model steer;
    int entry;
} thg_event;

typedef struct thg_gate {
    const char *name;
    throng_vec2 from, to;
} thg_gate;

struct thg_measure;

typedef struct thg_expectation {
    const char *name;
    const struct thg_measure *measure;
    const char *known; ///< NULL: counts
    uint64_t groups;
    bool at_most, of_control;
    bool spread; ///< largest over smallest of the symmetries
    double bound;
    double at, by, from, to; ///< seconds
    float radius;            ///< metres; 0: by the goal
    float packs;             ///< radius in packed radii of the group; 0: not
    float limit, angle_deg, share;
    double percentile;
    int inside, times, runs, every;
    throng_vec2 point;
    bool has_point;
    throng_rect rect;
    uint32_t gates, statuses, contacts;
    throng_vec2 between; ///< agents per m2, from below
    thg_numbers threads;
    uint64_t present; ///< bit per key of the table in scene_expect.c
} thg_expectation;

typedef struct thg_arrangements {
    uint64_t groups; ///< that are shifted
    thg_numbers dx, dy, rotate_deg, turn_deg, seeds;
    float jitter; ///< metres, at most, by which seeds move starts
    throng_vec2 pivot;
    bool symmetries; ///< each of them in eight copies
} thg_arrangements;

typedef struct thg_invariants {
    double overlap_from;
    thg_points overlap_except; ///< from, to in seconds
    float overlap, penetration;
} thg_invariants;

/// Rooms and walkers in place of agents.
typedef struct thg_walk_model {
    throng_walk_def def; ///< no group: there is none
    throng_vec2 maze_rooms;
    bool is_maze; ///< else rooms are cut from the map
} thg_walk_model;

// ---- The scene --------------------------------------------------------------------------------

/// One reading of the scene's JSON: the scene itself, or its control.
typedef struct thg_scene_model {
    const char *playground; ///< or NULL
    const char *name, *about, *known;
    float steps_per_second;
    double duration;
    uint64_t seed;
    int threads, max_agents, field_cell_budget;
    float traffic;
    throng_metric metric;
    bool stop_when_empty;
    const char *terrains[THRONG_MAX_TERRAINS];
    int terrain_count;
    float strength[THRONG_MAX_TERRAINS]; ///< seconds of one agent's hits that a cell stands; 0: all
    bool has_strength;
    thg_map_model map;
    thg_class_model classes[THRONG_MAX_CLASSES];
    int class_count;
    thg_profile_model profiles[THRONG_MAX_PROFILES];
    int profile_count;
    thg_goal_model *goals;
    int goal_count;
    thg_relation_model *relations;
    int relation_count;
    thg_group groups[THG_MAX_GROUPS];
    int group_count;
    thg_event *events; ///< by time, ties as written
    int event_count;
    thg_gate gates[THG_MAX_GATES];
    int gate_count;
    thg_expectation *expectations;
    int expectation_count;
    thg_arrangements arrangements;
    thg_invariants invariants;
    thg_walk_model walk;
} thg_scene_model;

typedef struct thg_document {
    char *path;
    char *text;
    size_t size;
    json_t *root;
} thg_document;

struct throng_scene {
    thg_document documents[THG_MAX_DOCUMENTS]; ///< the file itself, then what it includes
    int document_count;
    json_t *merged, *control_merged;
    char name[64];
    thg_scene_model model, control;
    bool has_control;
    void *blocks; ///< list memory, chained
};

/// count * size zeroed bytes that live as long as the scene; NULL without memory or on overflow.
void *thg_scene_take(throng_scene *scene, size_t count, size_t size);

/// Fills *error with the place of a key. `path` is its way from the root, components with a
/// THG_PATH_MARK before each, a list's index as #number: "\x1f" "agents" "\x1f" "#2". The nearest
/// key above it that the file has gives the line.
#define THG_PATH_MARK '\x1f'
__attribute__((format(printf, 6, 7))) throng_result
thg_scene_fail(const throng_scene *scene, bool control, const char *path, throng_result result,
               throng_error *error, const char *format, ...);

/// All arrangements; the symmetries of a start lie thg_start_count() apart.
int thg_arrangement_count(const thg_scene_model *model);
int thg_start_count(const thg_scene_model *model);
#define THG_SYMMETRIES 8

/// What an arrangement does.
typedef struct thg_arrangement {
    throng_vec2 shift;
    float rotate_deg; ///< starts and goal points
    float turn_deg;   ///< all that is in metres, shapes too
    int symmetry;     ///< the whole world, grid and all; bits, 0: as it is
    uint32_t seed;    ///< of another draw of all that is random; 0: as written
} thg_arrangement;
thg_arrangement thg_arrangement_get(const thg_scene_model *model, int index);

#endif
