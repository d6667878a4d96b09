/// What the files of `throng run` share.
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli.h"
#include <throng_io/trajectory.h>
#include <throng_io/video.h>
#include <throng_io/walk.h>
#include <throng_io/world.h>

#define MOST_GOALS 64
#define MOST_ENTRIES 16
#define MOST_ROUTES 16
#define MOST_ROUTE_POINTS 512

typedef struct run_options {
    int steps, threads, seed, frames_per_second, size;
    double speed, picture_at, near;
    throng_kernels kernels;
    throng_route_method method;
    const char *out, *trajectory, *save, *restore;
    bool no_video, quiet, json;
} run_options;

/// What is drawn and written while a world runs.
typedef struct run_output {
    const run_options *wanted;
    const throng_scene *scene;
    throng_world *world;
    throng_picture picture, background;
    uint32_t background_map, background_field; ///< versions that the background shows
    uint64_t background_moved;                 ///< steps after which goals had moved
    throng_video *video;
    throng_trajectory *trajectory;
    throng_goal_shape goals[MOST_GOALS];
    throng_scene_picture drawing;
    double next_frame, next_row; ///< simulated seconds
    double picture_at;
    bool picture_done;
    throng_legend_entry legend[MOST_ENTRIES];
    throng_picture_route routes[MOST_ROUTES]; ///< how classes go, once the agents are there
    throng_vec2 route_points[MOST_ROUTES][MOST_ROUTE_POINTS];
    bool kinds_differ; ///< terrain costs classes differently: the field of one says little
    char picture_path[4096], video_path[4096];
    double stages[32]; ///< seconds by stage
} run_output;

/// Opens the picture and the video. False with an error.
bool cli_run_open_pictures(run_output *out, throng_error *error);
/// Finds how the first agents of each class go, where terrain costs them differently, once.
void cli_run_find_routes(run_output *out);
/// Background and crowd as they are now; the background is kept while map, field and goals stay.
throng_result cli_run_draw(run_output *out);

void cli_run_print_table(const run_output *out, const throng_world_summary *sum, uint64_t hash);
void cli_run_print_json(const run_output *out, const throng_world_summary *sum, uint64_t hash);

#endif
