/// throng run: simulates a scene, and leaves a picture, a video and a table of what came of it.
#include "cli.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng_io/trajectory.h>
#include <throng_io/video.h>
#include <throng_io/walk.h>
#include <throng_io/world.h>

#define MOST_GOALS 64

typedef struct run_options {
    int steps, threads, seed, frames_per_second, size;
    double speed, picture_at, near;
    throng_kernels kernels;
    throng_route_method method;
    const char *out, *trajectory, *save, *restore;
    bool no_video, quiet, json;
} run_options;

static const cli_option options[] = {
    {"--out", "DIR", "leave NAME.png and NAME.mp4 there", CLI_TEXT, offsetof(run_options, out), 0,
     0},
    {"--no-video", NULL, "only the picture", CLI_FLAG, offsetof(run_options, no_video), 0, 0},
    {"--picture-at", "S", "simulated second of the picture (a sixth of the run)", CLI_REAL,
     offsetof(run_options, picture_at), 0, 1e6},
    {"--speed", "X", "simulated seconds a second of the video (4)", CLI_REAL,
     offsetof(run_options, speed), 0.01, 1000},
    {"--fps", "N", "frames a second of the video (25)", CLI_WHOLE,
     offsetof(run_options, frames_per_second), 1, 120},
    {"--size", "N", "pixels of the longer side (1024)", CLI_WHOLE, offsetof(run_options, size), 64,
     8192},
    {"--trajectory", "FILE", ".txt or .sqlite that PedPy reads, 10 frames a second", CLI_TEXT,
     offsetof(run_options, trajectory), 0, 0},
    {"--steps", "N", "stop after N steps (the scene's end)", CLI_WHOLE,
     offsetof(run_options, steps), 1, 1e9},
    {"--threads", "N", "threads (as the scene says)", CLI_WHOLE, offsetof(run_options, threads), 1,
     64},
    {"--seed", "N", "another draw of what is random (0)", CLI_WHOLE, offsetof(run_options, seed), 0,
     1e9},
    {"--near", "M", "metres between centres that count as near in the metrics (0.8)", CLI_REAL,
     offsetof(run_options, near), 0, 100},
    {"--kernels", "NAME", "auto, scalar, portable, avx2 or avx512", CLI_KERNELS,
     offsetof(run_options, kernels), 0, 0},
    {"--method", "NAME", "auto, field, tiles or path: how ways are found (as the scene says)",
     CLI_ROUTE, offsetof(run_options, method), 0, 0},
    {"--save", "FILE", "leave a snapshot of the end", CLI_TEXT, offsetof(run_options, save), 0, 0},
    {"--restore", "FILE", "go on from a snapshot of this scene", CLI_TEXT,
     offsetof(run_options, restore), 0, 0},
    {"--quiet", NULL, "no table", CLI_FLAG, offsetof(run_options, quiet), 0, 0},
    {"--json", NULL, "the table as one JSON object", CLI_FLAG, offsetof(run_options, json), 0, 0},
};

static void defaults(void *out)
{
    *(run_options *)out = (run_options){
        .frames_per_second = 25, .speed = 4.0, .size = 1024, .picture_at = -1.0, .near = 0.8};
}

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
    char picture_path[4096], video_path[4096];
    double stages[32]; ///< seconds by stage
} run_output;

static bool open_pictures(run_output *out, throng_error *error)
{
    const run_options *wanted = out->wanted;
    throng_map *map = throng_world_map(out->world);
    const char *name = throng_scene_name(out->scene);
    int length =
        snprintf(out->picture_path, sizeof out->picture_path, "%s/%s.png", wanted->out, name);
    snprintf(out->video_path, sizeof out->video_path, "%s/%s.mp4", wanted->out, name);
    if (length < 0 || (size_t)length >= sizeof out->picture_path || strchr(name, '/') != NULL) {
        snprintf(error->text, sizeof error->text, "the scene's name makes no file name: %s", name);
        return false;
    }
    int width = throng_map_width(map), height = throng_map_height(map);
    double scale = (double)wanted->size / (width > height ? width : height);
    int pixels_x = (int)fmax(64.0, width * scale + 0.5);
    int pixels_y = (int)fmax(64.0, height * scale + 0.5);
    out->drawing = throng_default_scene_picture();
    out->drawing.map = map;
    out->drawing.crowd = throng_world_crowd(out->world);
    out->drawing.class_index = 0;
    if (throng_crowd_profile_count(out->drawing.crowd) > 1) {
        out->drawing.colours = THRONG_COLOUR_PROFILE;
    }
    out->drawing.title = name;
    out->drawing.subtitle = throng_scene_about(out->scene);
    int goals = throng_world_goal_count(out->world);
    goals = goals < MOST_GOALS ? goals : MOST_GOALS;
    for (int i = 0; i < goals; i++) {
        throng_goal_id goal = throng_world_goal_at(out->world, i, &out->goals[i], NULL);
        if (i == 0) {
            out->drawing.field =
                throng_crowd_goal_field(out->drawing.crowd, goal, out->drawing.class_index);
        }
    }
    out->drawing.goals = out->goals;
    out->drawing.goal_count = goals;
    // Whole cities are sparse: there one a square metre is much.
    float longer = (float)(width > height ? width : height) * throng_map_cell_size(map);
    out->drawing.density_full = longer > 200.0f ? 1.0f : 4.0f;
    if (throng_picture_create(pixels_x, pixels_y, &out->picture) != THRONG_OK ||
        throng_picture_create(pixels_x, pixels_y, &out->background) != THRONG_OK) {
        snprintf(error->text, sizeof error->text, "no memory for a picture of %d x %d pixels",
                 pixels_x, pixels_y);
        return false;
    }
    return wanted->no_video ||
           throng_video_open(out->video_path, pixels_x, pixels_y, wanted->frames_per_second,
                             &out->video, error) == THRONG_OK;
}

static bool open_output(run_output *out, throng_error *error)
{
    const run_options *wanted = out->wanted;
    out->picture_at =
        wanted->picture_at >= 0.0 ? wanted->picture_at : throng_scene_seconds(out->scene) / 6.0;
    if (wanted->out != NULL && !open_pictures(out, error)) {
        return false;
    }
    if (wanted->trajectory != NULL) {
        throng_trajectory_def def = throng_default_trajectory_def();
        def.map = throng_world_map(out->world);
        def.class_index = 0;
        return throng_trajectory_open(wanted->trajectory, &def, &out->trajectory, error) ==
               THRONG_OK;
    }
    return true;
}

/// Background and crowd as they are now; the background is kept while map and field stay.
static throng_result draw_now(run_output *out)
{
    uint32_t map = throng_map_version(out->drawing.map), field = 0;
    if (out->drawing.field != NULL) {
        field = throng_field_get_view(out->drawing.field).version;
    }
    bool moved = throng_world_goals_moved(out->world) != out->background_moved;
    if (map != out->background_map || field != out->background_field || moved) {
        throng_picture_draw_background(&out->background, &out->drawing);
        out->background_map = map;
        out->background_field = field;
        out->background_moved = throng_world_goals_moved(out->world);
    }
    throng_picture_copy(&out->picture, &out->background);
    return throng_picture_draw_crowd(&out->picture, &out->drawing);
}

/// Draws and writes what is due after a step; `last` forces the picture.
static bool write_due(run_output *out, bool last, throng_error *error)
{
    double time = throng_crowd_time(out->drawing.crowd != NULL ? out->drawing.crowd
                                                               : throng_world_crowd(out->world));
    const double slack = 1e-6;
    bool frame = out->video != NULL && time + slack >= out->next_frame;
    bool picture =
        out->wanted->out != NULL && !out->picture_done && (last || time + slack >= out->picture_at);
    if (frame || picture) {
        throng_result result = draw_now(out);
        if (result == THRONG_OK && frame) {
            result = throng_video_frame(out->video, &out->picture, error);
            out->next_frame += out->wanted->speed / out->wanted->frames_per_second;
        }
        if (result == THRONG_OK && picture) {
            result = throng_picture_save(&out->picture, out->picture_path, error);
            out->picture_done = true;
        }
        if (result != THRONG_OK) {
            return false;
        }
    }
    if (out->trajectory != NULL && time + slack >= out->next_row) {
        out->next_row += 0.1;
        return throng_trajectory_frame(out->trajectory,
                                       throng_crowd_agents(throng_world_crowd(out->world)),
                                       error) == THRONG_OK;
    }
    return true;
}

static void add_stages(run_output *out)
{
    int count;
    const throng_stage_time *times =
        throng_crowd_stage_times(throng_world_crowd(out->world), &count);
    for (int i = 0; i < count && i < 32; i++) {
        out->stages[i] += times[i].seconds;
    }
}

static bool simulate(run_output *out, throng_error *error)
{
    const run_options *wanted = out->wanted;
    double seconds = throng_scene_seconds(out->scene);
    throng_crowd *crowd = throng_world_crowd(out->world);
    out->next_frame = out->next_row = throng_crowd_time(crowd);
    uint64_t first = throng_crowd_step_count(crowd);
    bool done = throng_world_done(out->world);
    while (!done) {
        throng_world_step(out->world);
        add_stages(out);
        done = throng_world_done(out->world) ||
               (wanted->steps > 0 &&
                throng_crowd_step_count(crowd) - first >= (uint64_t)wanted->steps);
        if (!write_due(out, done, error)) {
            return false;
        }
        cli_progress(throng_scene_name(out->scene), throng_crowd_time(crowd), seconds);
    }
    return true;
}

/// Ends files; after a failure nothing half-made stays.
static bool close_output(run_output *out, bool fine, throng_error *error)
{
    if (fine) {
        fine = throng_video_close(out->video, error) == THRONG_OK;
        fine = throng_trajectory_close(out->trajectory, fine ? error : &(throng_error){0}) ==
                   THRONG_OK &&
               fine;
    } else {
        throng_video_abort(out->video);
        throng_trajectory_abort(out->trajectory);
    }
    throng_picture_free(&out->picture);
    throng_picture_free(&out->background);
    return fine;
}

static void print_table(const run_output *out, const throng_world_summary *sum, uint64_t hash)
{
    printf("%s: %s\n", throng_scene_name(out->scene), throng_scene_about(out->scene));
    printf("  agents         %d spawned, %d arrived, %d still walking, %d stuck, %d cut off\n",
           sum->spawned, sum->arrived, sum->walking, sum->stuck, sum->cut_off);
    printf("  arrival        mean %.1f s, 95 in 100 by %.1f s\n", sum->mean_arrival,
           sum->percentile_95_arrival);
    printf("  speed          mean %.2f m/s of those who walk\n", sum->mean_speed);
    printf("  order          headings agree by %.2f, lanes %.2f\n", sum->polarisation,
           sum->lane_order);
    printf("  closeness      worst overlap %.3f of a radius, worst wall %.3f, %d in walls\n",
           sum->worst_overlap, sum->worst_wall, sum->in_walls);
    throng_world_metrics metrics = throng_world_get_metrics(out->world);
    printf("  nearest        %.1f in 100 closer than %.2f m, smallest %.2f m; overlap p50 %.3f, "
           "p99 %.3f, p99.9 %.3f\n",
           100.0 * metrics.near_share, metrics.near, sum->smallest_distance, metrics.overlap_50,
           metrics.overlap_99, metrics.overlap_999);
    printf("  by density     %.0f in 100 of the wanted speed free, %.0f between, %.0f in a jam; "
           "%.1f s a head below a tenth\n",
           100.0 * metrics.speed_share[0], 100.0 * metrics.speed_share[1],
           100.0 * metrics.speed_share[2], metrics.jam_seconds);
    printf("  contact        %.1f in 100 walking, %.1f dodging, %.1f waiting; %.2f flips of "
           "heading a second\n",
           100.0 * metrics.contact_share[0], 100.0 * metrics.contact_share[1],
           100.0 * metrics.contact_share[2], metrics.flips);
    printf("  way            %.3f of the shortest\n", metrics.detour);
    printf("  simulated      %.1f s in %" PRIu64 " steps\n", sum->seconds, sum->steps);
    printf("  took           %.2f s, %.3f ms a step, slowest %.2f ms\n", sum->wall_seconds,
           sum->steps > 0 ? sum->wall_seconds / (double)sum->steps * 1e3 : 0.0,
           sum->slowest_step * 1e3);
    int count;
    const throng_stage_time *times =
        throng_crowd_stage_times(throng_world_crowd(out->world), &count);
    printf("  by stage      ");
    for (int i = 0; i < count && i < 32; i++) {
        printf(" %s %.2f", times[i].stage,
               sum->steps > 0 ? out->stages[i] / (double)sum->steps * 1e3 : 0.0);
    }
    printf(" ms\n  hash           %016" PRIx64 "\n", hash);
    if (out->wanted->out != NULL) {
        printf("  left           %s%s%s\n", out->picture_path, out->wanted->no_video ? "" : ", ",
               out->wanted->no_video ? "" : out->video_path);
    }
}

/// The metrics as a member, and the beginning of the stages.
static void print_json_metrics(const run_output *out)
{
    throng_world_metrics sum = throng_world_get_metrics(out->world);
    double smallest = throng_world_get_summary(out->world).smallest_distance;
    printf("\"metrics\": {\"near\": %.6g, \"near_share\": %.6g, \"smallest_distance\": ", sum.near,
           sum.near_share);
    printf(isfinite(smallest) ? "%.6g" : "null", smallest);
    printf(", \"overlap_50\": %.6g, \"overlap_99\": %.6g, \"overlap_999\": %.6g, "
           "\"speed_free\": %.6g, \"speed_between\": %.6g, \"speed_jam\": %.6g, "
           "\"contact_walking\": %.6g, \"contact_dodging\": %.6g, \"contact_waiting\": %.6g, "
           "\"heading_flips\": %.6g, \"jam_seconds\": %.6g, \"detour\": %.6g}, \"stages_ms\": {",
           sum.overlap_50, sum.overlap_99, sum.overlap_999, sum.speed_share[0], sum.speed_share[1],
           sum.speed_share[2], sum.contact_share[0], sum.contact_share[1], sum.contact_share[2],
           sum.flips, sum.jam_seconds, sum.detour);
}

static void print_json(const run_output *out, const throng_world_summary *sum, uint64_t hash)
{
    printf("{\"scene\": ");
    cli_print_json_text(throng_scene_name(out->scene));
    printf(
        ", \"spawned\": %d, \"arrived\": %d, \"removed\": %d, \"walking\": %d, \"idle\": %d, "
        "\"stuck\": %d, \"cut_off\": %d, \"mean_arrival\": %.6g, \"percentile_95_arrival\": %.6g, "
        "\"mean_speed\": %.6g, \"polarisation\": %.6g, \"lane_order\": %.6g, \"worst_overlap\": "
        "%.6g, \"worst_wall\": %.6g, \"in_walls\": %d, "
        "\"not_finite\": %d, \"steps\": %" PRIu64 ", \"seconds\": %.6g, \"wall_seconds\": %.6g, "
        "\"slowest_step\": %.6g, ",
        sum->spawned, sum->arrived, sum->removed, sum->walking, sum->idle, sum->stuck, sum->cut_off,
        sum->mean_arrival, sum->percentile_95_arrival, sum->mean_speed, sum->polarisation,
        sum->lane_order, sum->worst_overlap, sum->worst_wall, sum->in_walls, sum->not_finite,
        sum->steps, sum->seconds, sum->wall_seconds, sum->slowest_step);
    print_json_metrics(out);
    int count;
    const throng_stage_time *times =
        throng_crowd_stage_times(throng_world_crowd(out->world), &count);
    for (int i = 0; i < count && i < 32; i++) {
        printf("%s\"%s\": %.6g", i > 0 ? ", " : "", times[i].stage,
               sum->steps > 0 ? out->stages[i] / (double)sum->steps * 1e3 : 0.0);
    }
    printf("}, \"hash\": \"%016" PRIx64 "\"}\n", hash);
}

static int run_world(run_output *out)
{
    const run_options *wanted = out->wanted;
    throng_error error = {0};
    if (wanted->restore != NULL &&
        throng_world_resume(out->world, wanted->restore, &error) != THRONG_OK) {
        return cli_fail(&error);
    }
    bool fine = open_output(out, &error) && simulate(out, &error);
    cli_progress_end();
    if (!close_output(out, fine, &error)) {
        return cli_fail(&error);
    }
    throng_crowd *crowd = throng_world_crowd(out->world);
    if (wanted->save != NULL && throng_crowd_save(crowd, wanted->save, &error) != THRONG_OK) {
        return cli_fail(&error);
    }
    throng_world_summary sum = throng_world_get_summary(out->world);
    if (wanted->json) {
        print_json(out, &sum, throng_crowd_hash(crowd));
    } else if (!wanted->quiet) {
        print_table(out, &sum, throng_crowd_hash(crowd));
    }
    return CLI_FINE;
}

static int run(void *given, int count, char **arguments)
{
    const run_options *wanted = given;
    (void)count;
    throng_scene *scene = NULL;
    if (!cli_has_kernels(&cli_run, wanted->kernels) ||
        (scene = cli_load_scene(arguments[0])) == NULL) {
        return CLI_BAD_INPUT;
    }
    if (throng_scene_has_walkers(scene)) {
        cli_walk_wanted walk = {
            wanted->out,  wanted->threads,  wanted->seed, wanted->steps, wanted->frames_per_second,
            wanted->size, wanted->no_video, wanted->json, wanted->quiet};
        int ended = cli_run_walk(scene, &walk);
        throng_scene_destroy(scene);
        return ended;
    }
    throng_error error = {0};
    throng_world_options options_of_world = throng_default_world_options();
    options_of_world.threads = wanted->threads;
    options_of_world.seed = (uint64_t)wanted->seed;
    options_of_world.kernels = wanted->kernels;
    options_of_world.near = (float)wanted->near;
    options_of_world.method = wanted->method;
    run_output *out = calloc(1, sizeof *out);
    int status = CLI_FINE;
    if (out == NULL) {
        status = cli_complain("no memory");
    } else if (wanted->out != NULL && !cli_make_folder(wanted->out)) {
        status = CLI_BAD_INPUT;
    } else {
        out->wanted = wanted;
        out->scene = scene;
        status = throng_world_create(scene, &options_of_world, &out->world, &error) == THRONG_OK
                     ? run_world(out)
                     : cli_fail(&error);
        throng_world_destroy(out->world);
    }
    free(out);
    throng_scene_destroy(scene);
    return status;
}

const cli_verb cli_run = {
    .name = "run",
    .arguments = "SCENE",
    .summary = "simulate; summary table; picture, video, trajectories",
    .text =
        "Runs a scene to its end. The picture and the video show what the solver itself has: the\n"
        "first goal's field, the density, the agents.",
    .example = "throng run scenes/city.json --out out",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least = 1,
    .most = 1,
    .defaults = defaults,
    .run = run,
};
