/// A world: a scene come to life. Steps it, fires its events, measures it, and checks expectations.
#ifndef THRONG_IO_WORLD_H
#define THRONG_IO_WORLD_H

#include <throng_io/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_world throng_world;

typedef struct throng_world_options {
    int arrangement; ///< which start. [0, throng_scene_arrangement_count)
    int threads;     ///< 0: as the scene says, or 1
    uint64_t seed;   ///< added to the scene's
    throng_kernels kernels;
    bool control;      ///< the scene's control run instead of the scene
    int measure_every; ///< steps between two looks at overlap and walls; 0 never. 1 in checks
    throng_route_method method; ///< of all goals, whatever the scene says; auto: as it says
    int spare_agents;           ///< that a host may spawn besides the scene's. [0, 4,000,000]
    int spare_goals;            ///< that it may add. [0, 4096]
    float near; ///< metres between centres that count as near in the metrics. [0, 100]
} throng_world_options;

/// The first arrangement, the scene's threads, auto kernels, measured every 30 steps.
THRONG_API throng_world_options throng_default_world_options(void);

/// Builds map, crowd and goals, and spawns the agents; fields are solved before the first step.
/// The scene must outlive the world. THRONG_BAD_DATA (with the scene's line), THRONG_CANNOT_READ,
/// THRONG_NO_MEMORY.
THRONG_API throng_result throng_world_create(const throng_scene *scene,
                                             const throng_world_options *options,
                                             throng_world **world, throng_error *error);
THRONG_API void throng_world_destroy(throng_world *world);

/// Goes on from a snapshot of the same scene: events and spawns before its time do not happen
/// again. What has been measured starts anew.
THRONG_API throng_result throng_world_resume(throng_world *world, const char *path,
                                             throng_error *error);

/// One step with what the scene says happens before it. Returns the crowd's step flags; the
/// summary has THRONG_WORLD_NO_MEMORY too.
enum { THRONG_WORLD_NO_MEMORY = 1u << 16 }; ///< an order, spawn or look was dropped: no memory
THRONG_API uint32_t throng_world_step(throng_world *world);

/// True at the scene's end, or, if it says so, when nobody is left and nobody will come.
THRONG_API bool throng_world_done(const throng_world *world);

THRONG_API throng_crowd *throng_world_crowd(const throng_world *world);
THRONG_API throng_map *throng_world_map(const throng_world *world);
/// Id of the goal that the scene calls so; zero when there is none.
THRONG_API throng_goal_id throng_world_goal(const throng_world *world, const char *name);
/// Goals by number, in the scene's order; rectangles of one for pictures. 0 past the end.
THRONG_API int throng_world_goal_count(const throng_world *world);
THRONG_API throng_goal_id throng_world_goal_at(const throng_world *world, int index,
                                               throng_goal_shape *shape, const char **name);

/// Steps after which a goal of the scene was last found elsewhere; 0: none has moved yet. Where the
/// points of throng_world_goal_at() lie changes with it.
THRONG_API uint64_t throng_world_goals_moved(const throng_world *world);

/// What a run came to.
typedef struct throng_world_summary {
    int spawned, arrived, removed; ///< arrived: reached their goal; removed: of these, by an exit
    int walking, idle, stuck, cut_off;          ///< of those who are still there
    double mean_arrival, percentile_95_arrival; ///< seconds, of those who arrived
    double mean_speed;                          ///< m/s of those who walk, over the run
    double polarisation;      ///< mean over the looks: length of the mean heading of those who move
    double lane_order;        ///< mean over the looks, as the measure of that name (docs/scenes.md)
    double worst_overlap;     ///< over the smaller radius, after the first second
    double worst_wall;        ///< penetration over the radius
    double smallest_distance; ///< metres between centres, after the first second
    int in_walls, not_finite; ///< agents found so, ever: must be 0
    uint64_t steps;
    double seconds;      ///< simulated
    double wall_seconds; ///< spent in steps
    double slowest_step; ///< seconds
    uint32_t flags;      ///< all step flags together
} throng_world_summary;
THRONG_API throng_world_summary throng_world_get_summary(const throng_world *world);

/// What the crowd looked like over the run: mean over the looks, one every `measure_every` steps
/// and at most one in ten. Density is agents within 1.5 m over the area of that circle.
typedef struct throng_world_metrics {
    float near;        ///< metres, as asked for
    double near_share; ///< of agents whose nearest neighbour's centre was nearer than that
    double overlap_50, overlap_99, overlap_999; ///< percentiles, over the smaller radius
    double speed_share[3];   ///< of the wanted speed, below 0.6, below 1.2 and from 1.2 agents/m2
    uint64_t speed_count[3]; ///< agents that these are means of
    double contact_share[3]; ///< of those on their way, by throng_contact
    double flips;            ///< changes from turning left to right or back, per second of walking
    double jam_seconds;      ///< below a tenth of the wanted speed on the way, mean of an agent
    double detour;           ///< walked over the field's cost, mean of those who arrived
} throng_world_metrics;
/// All zero when nothing was measured.
THRONG_API throng_world_metrics throng_world_get_metrics(const throng_world *world);

/// One line of a check.
typedef struct throng_check_line {
    const char *scene;
    int arrangement;
    const char *name;   ///< of the expectation
    const char *metric; ///< what was measured
    bool passed;
    bool timing;   ///< depends on this machine: reported, not counted by tests
    bool at_least; ///< bound is the least allowed, else the most
    double value, bound;
    const char *known; ///< why the scene says that it may fail; NULL when it may not
} throng_check_line;

typedef void throng_check_report(void *context, const throng_check_line *line);

typedef struct throng_check_options {
    int threads;     ///< 0: as the scene says
    int arrangement; ///< -1: all
} throng_check_options;

typedef struct throng_check_result {
    int passed;        ///< lines
    int failed;        ///< lines that count: neither known nor by the clock
    int failed_timing; ///< by the clock, and not known
    int known;         ///< failed, as the scene says that they may
} throng_check_result;

/// Runs a scene's arrangements, its control and its hash runs, and reports every expectation and
/// invariant. A result other than THRONG_OK means that it could not be run at all.
THRONG_API throng_result throng_scene_check(const throng_scene *scene,
                                            const throng_check_options *options,
                                            throng_check_report *report, void *context,
                                            throng_check_result *result, throng_error *error);

/// A goal that a host has put besides the scene's own: one point.
typedef struct throng_saved_goal {
    throng_goal_id id;
    char name[32]; ///< in the scene that is written; none of the scene's own goals has it
    throng_vec2 point;
    float arrive_radius; ///< metres
} throng_saved_goal;

/// Writes the world as it is now as a scene: the map as rows, the goals where they are, profiles
/// with all their numbers, and every agent where it stands. `profiles` in place of the crowd's, as
/// many; or NULL. What names groups (events, sources, expectations, arrangements) is left out, and
/// so are velocities and steering orders. THRONG_LIMIT (agents of more than 64 kinds: profile, team
/// and goal), THRONG_CANNOT_WRITE, THRONG_NO_MEMORY.
THRONG_API throng_result throng_world_save(const throng_world *world, const throng_saved_goal *more,
                                           int count, const throng_profile_def *profiles,
                                           const char *path, throng_error *error);
/// The same as text, for throng_scene_parse; from malloc.
THRONG_API throng_result throng_world_to_text(const throng_world *world,
                                              const throng_saved_goal *more, int count,
                                              const throng_profile_def *profiles, char **text,
                                              throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
