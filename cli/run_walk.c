/// throng run of a scene with walkers: picture, video, table.
#include "cli.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <throng_io/video.h>
#include <throng_io/walk.h>

enum { MOST_FRAMES = 240 };

typedef struct walk_output {
    const cli_walk_wanted *wanted;
    const throng_scene *scene;
    throng_walk *walk;
    throng_walk_picture *drawing;
    throng_video *video;
    char picture_path[4096], video_path[4096];
} walk_output;

static bool open_output(walk_output *out, throng_error *error)
{
    const cli_walk_wanted *wanted = out->wanted;
    const char *name = throng_scene_name(out->scene);
    int length =
        snprintf(out->picture_path, sizeof out->picture_path, "%s/%s.png", wanted->out, name);
    snprintf(out->video_path, sizeof out->video_path, "%s/%s.mp4", wanted->out, name);
    if (length < 0 || (size_t)length >= sizeof out->picture_path || strchr(name, '/') != NULL) {
        snprintf(error->text, sizeof error->text, "the scene's name makes no file name: %s", name);
        return false;
    }
    if (throng_walk_picture_create(out->walk, name, throng_scene_about(out->scene), wanted->size,
                                   &out->drawing) != THRONG_OK) {
        snprintf(error->text, sizeof error->text, "no memory for the picture");
        return false;
    }
    const throng_picture *first = throng_walk_picture_draw(out->drawing);
    return wanted->no_video ||
           throng_video_open(out->video_path, first->width, first->height,
                             wanted->frames_per_second, &out->video, error) == THRONG_OK;
}

/// The picture is of the step at a sixth of the run; frames are spread over all steps.
static bool write_due(walk_output *out, int step, int steps, throng_error *error)
{
    int every = (steps + MOST_FRAMES - 1) / MOST_FRAMES, picture_at = steps / 6;
    bool frame = out->video != NULL && step % every == 0;
    if (out->drawing == NULL || (!frame && step != picture_at)) {
        return true;
    }
    const throng_picture *drawn = throng_walk_picture_draw(out->drawing);
    return (!frame || throng_video_frame(out->video, drawn, error) == THRONG_OK) &&
           (step != picture_at ||
            throng_picture_save(drawn, out->picture_path, error) == THRONG_OK);
}

static bool simulate(walk_output *out, throng_error *error)
{
    int steps = throng_walk_get_summary(out->walk).steps, step = 0;
    bool fine = write_due(out, 0, steps, error);
    while (fine && throng_walk_step(out->walk)) {
        step++;
        fine = write_due(out, step, steps, error);
        cli_progress(throng_scene_name(out->scene), step, steps);
    }
    cli_progress_end();
    if (fine && out->drawing != NULL && step < steps / 6) { // ended early
        fine = throng_picture_save(throng_walk_picture_draw(out->drawing), out->picture_path,
                                   error) == THRONG_OK;
    }
    return fine;
}

static void print(const walk_output *out, double wall)
{
    throng_walk_summary sum = throng_walk_get_summary(out->walk);
    uint64_t hash = throng_walkers_hash(throng_walk_walkers(out->walk));
    double each = sum.moved > 0 ? sum.seconds * 1e9 / (double)sum.moved : 0.0;
    double ratio = sum.median_step > 0.0 ? sum.slowest_step / sum.median_step : 0.0;
    double peak = cli_peak_mib();
    if (out->wanted->json) {
        printf("{\"scene\": ");
        cli_print_json_text(throng_scene_name(out->scene));
        printf(", \"walkers\": %d, \"walking\": %d, \"arrived\": %d, \"unreachable\": %d, "
               "\"steps\": %d, \"door_changes\": %d, \"most_waiting\": %d, \"plan_ms\": %.1f, "
               "\"median_ms\": %.3f, \"slowest_ms\": %.3f, \"ns_each\": %.2f, \"seconds\": %.2f, "
               "\"peak_mib\": %.1f, \"hash\": \"%016" PRIx64 "\"}\n",
               sum.walkers, sum.last.walking, sum.last.arrived, sum.last.unreachable, sum.step,
               sum.changes, sum.most_waiting, sum.plan_seconds * 1e3, sum.median_step * 1e3,
               sum.slowest_step * 1e3, each, wall, peak, hash);
        return;
    }
    throng_rooms_report tables = throng_rooms_get_report(throng_walk_rooms(out->walk));
    printf("%s: %s\n", throng_scene_name(out->scene), throng_scene_about(out->scene));
    printf("  rooms          %d with %d doors\n", tables.rooms, tables.doors);
    printf("  walkers        %d, %d on the way, %d arrived, %d without a way\n", sum.walkers,
           sum.last.walking, sum.last.arrived, sum.last.unreachable);
    printf("  doors          %d changes; at most %d waited to plan anew\n", sum.changes,
           sum.most_waiting);
    printf("  planned        all ways in %.0f ms\n", sum.plan_seconds * 1e3);
    printf(
        "  took           %.2f s for %d steps, %.3f ms a step, slowest %.2f (%.1f times), %.1f ns "
        "a walker's step\n",
        sum.seconds, sum.step, sum.median_step * 1e3, sum.slowest_step * 1e3, ratio, each);
    printf("  all            %.1f s, %.1f MiB at most\n", wall, peak);
    printf("  hash           %016" PRIx64 "\n", hash);
    if (out->wanted->out != NULL) {
        printf("  left           %s%s%s\n", out->picture_path, out->wanted->no_video ? "" : ", ",
               out->wanted->no_video ? "" : out->video_path);
    }
}

int cli_run_walk(const throng_scene *scene, const cli_walk_wanted *wanted)
{
    static walk_output out;
    throng_error error = {0};
    double start = cli_seconds();
    out = (walk_output){.wanted = wanted, .scene = scene};
    if (wanted->out != NULL && !cli_make_folder(wanted->out)) {
        return CLI_BAD_INPUT;
    }
    if (throng_walk_open(scene, wanted->threads, (uint64_t)wanted->seed, wanted->steps, &out.walk,
                         &error) != THRONG_OK) {
        return cli_fail(&error);
    }
    bool fine = (wanted->out == NULL || open_output(&out, &error)) && simulate(&out, &error);
    if (fine) {
        fine = throng_video_close(out.video, &error) == THRONG_OK;
    } else {
        throng_video_abort(out.video);
    }
    if (fine && !wanted->quiet) {
        print(&out, cli_seconds() - start);
    }
    throng_walk_picture_destroy(out.drawing);
    throng_walk_destroy(out.walk);
    return fine ? CLI_FINE : cli_fail(&error);
}
