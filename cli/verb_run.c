/// throng run: simulates a scene, and leaves a picture, a video and a table of what came of it.
#include "run.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng_io/walk.h>
#include <throng_io/world.h>

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
    {"--method", "NAME",
     "auto, field, tiles, path or rooms: how ways are found (as the scene says)", CLI_ROUTE,
     offsetof(run_options, method), 0, 0},
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

static bool open_output(run_output *out, throng_error *error)
{
    const run_options *wanted = out->wanted;
    out->picture_at =
        wanted->picture_at >= 0.0 ? wanted->picture_at : throng_scene_seconds(out->scene) / 6.0;
    if (wanted->out != NULL && !cli_run_open_pictures(out, error)) {
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
        throng_result result = cli_run_draw(out);
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
        cli_run_find_routes(out);
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
        cli_run_print_json(out, &sum, throng_crowd_hash(crowd));
    } else if (!wanted->quiet) {
        cli_run_print_table(out, &sum, throng_crowd_hash(crowd));
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
