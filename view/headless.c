/// Without a window: frames into a picture, a video, and numbers.
#include "play.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng_io/video.h>

view_options view_default_options(void)
{
    return (view_options){.draw = "gpu-driven",
                          .camera = "overview",
                          .size = "1280x720",
                          .frames_per_second = 25,
                          .samples = 2,
                          .speed = 1.0,
                          .start = 2.0};
}

typedef struct headless_run {
    const view_options *wanted;
    view_stage stage;
    throng_gpu *gpu;
    throng_drawing *drawing;
    throng_picture picture;
    throng_video *video;
    throng_camera camera;
    throng_draw_mode mode;
    uint32_t layers;
    view_show show;
    view_play play;
    int frames;
    throng_frame_stats sum, last;
    double least_record, least_gpu, least_frame;
} headless_run;

throng_result view_read_mode(const char *name, throng_draw_mode *mode, throng_error *error)
{
    for (int i = 0; i < THRONG_DRAW_MODE_COUNT; i++) {
        if (strcmp(name, throng_draw_mode_name((throng_draw_mode)i)) == 0) {
            *mode = (throng_draw_mode)i;
            return THRONG_OK;
        }
    }
    return view_fail(error, "expected naive, instanced, indirect or gpu-driven, found '%s'", name);
}

throng_result view_read_size(const char *text, int *width, int *height, throng_error *error)
{
    char rest;
    if (sscanf(text, "%dx%d%c", width, height, &rest) != 2 || *width < 16 || *height < 16 ||
        *width > 4096 || *height > 4096) {
        return view_fail(error, "expected a size like 1280x720, sides from 16 to 4096, found '%s'",
                         text);
    }
    return THRONG_OK;
}

static throng_result out_of_memory(throng_error *error)
{
    view_fail(error, "no memory for the picture");
    return error->result = THRONG_NO_MEMORY;
}

static throng_result no_frame(const headless_run *run, throng_error *error)
{
    view_fail(error,
              throng_gpu_is_lost(run->gpu) ? "%s: the Vulkan device was lost while it drew"
                                           : "%s: the Vulkan device has no memory left",
              throng_gpu_name(run->gpu));
    return error->result = THRONG_UNREACHABLE;
}

static throng_result open_drawing(headless_run *run, throng_error *error)
{
    const view_options *wanted = run->wanted;
    throng_gpu_def gpu = throng_default_gpu_def();
    gpu.validate = wanted->validate;
    gpu.lose_after = wanted->lose_after;
    throng_drawing_def def = throng_default_drawing_def();
    throng_result result = view_read_mode(wanted->draw, &run->mode, error);
    if (result == THRONG_OK) {
        result = view_read_size(wanted->size, &def.width, &def.height, error);
    }
    if (result == THRONG_OK) {
        result = view_read_layers(wanted->layers, &run->layers, error);
    }
    if (result == THRONG_OK) {
        result = throng_gpu_create(&gpu, &run->gpu, error);
    }
    if (result == THRONG_OK) {
        result = view_stage_open(&run->stage, wanted, error);
    }
    if (result != THRONG_OK) {
        return result;
    }
    def.gpu = run->gpu;
    def.samples = wanted->samples;
    def.max_agents = run->stage.agent_count + 20000; // what sources may add
    if (!view_show_open(&run->show, &run->stage) ||
        throng_picture_create(def.width, def.height, &run->picture) != THRONG_OK) {
        return out_of_memory(error);
    }
    result = throng_drawing_create(&def, &run->drawing);
    if (result != THRONG_OK) {
        return result == THRONG_UNREACHABLE ? no_frame(run, error) : out_of_memory(error);
    }
    if (wanted->video != NULL) {
        return throng_video_open(wanted->video, def.width, def.height, wanted->frames_per_second,
                                 &run->video, error);
    }
    return THRONG_OK;
}

static void add_stats(headless_run *run, int frame)
{
    const throng_frame_stats *last = &run->last;
    run->sum.record_seconds += last->record_seconds;
    run->sum.gpu_seconds += last->gpu_seconds;
    run->sum.frame_seconds += last->frame_seconds;
    if (frame == 0 || last->record_seconds < run->least_record) {
        run->least_record = last->record_seconds;
    }
    if (frame == 0 || last->gpu_seconds < run->least_gpu) {
        run->least_gpu = last->gpu_seconds;
    }
    if (frame == 0 || last->frame_seconds < run->least_frame) {
        run->least_frame = last->frame_seconds;
    }
}

/// The playground from beginning to end; what it shows is in the frames that follow.
static throng_result run_playground(headless_run *run, throng_error *error)
{
    const char *name = run->wanted->playground != NULL ? run->wanted->playground
                                                       : throng_scene_playground(run->stage.scene);
    if (!view_play_open(&run->play, name)) {
        return view_fail(error, "there is no playground '%s'; there are %s", name,
                         view_play_names());
    }
    if (run->play.kind == NULL) {
        return THRONG_OK;
    }
    run->show.play = &run->play;
    run->play.done = false;
    view_play_place place = {&run->stage, run->drawing, &run->camera, run->wanted->pick};
    if (view_show_step(&run->show, &run->stage, run->drawing, run->layers, run->wanted->pick) !=
        THRONG_OK) {
        return no_frame(run, error);
    }
    while (!run->play.done) {
        if (!view_play_work(&run->play, &place, 1.0)) {
            return out_of_memory(error);
        }
    }
    run->show.repaint = true;
    return THRONG_OK;
}

/// A camera that is near the crowd is near the agent whose layers are drawn.
static void look_at_picked(headless_run *run)
{
    const uint32_t own = 1u << VIEW_NEIGHBOURS | 1u << VIEW_MOTIVES;
    const char *name = run->wanted->camera;
    int row = run->wanted->pick;
    bool near = strcmp(name, "close") == 0 || strcmp(name, "street") == 0;
    throng_agents_view agents = throng_crowd_agents(run->stage.crowd);
    if (!near || (run->layers & own) == 0 || row >= agents.count) {
        return;
    }
    throng_camera *camera = &run->camera;
    const float way[2] = {agents.x[row] - camera->target[0], agents.y[row] - camera->target[1]};
    for (int i = 0; i < 2; i++) {
        camera->eye[i] += way[i];
        camera->target[i] += way[i];
    }
}

static throng_result draw_frames(headless_run *run, throng_error *error)
{
    view_stage *stage = &run->stage;
    const view_options *wanted = run->wanted;
    while (throng_crowd_time(stage->crowd) < wanted->start && !throng_world_done(stage->world)) {
        if (!view_stage_step(stage)) {
            return out_of_memory(error);
        }
    }
    if (!view_camera(stage, wanted->camera, &run->camera)) {
        return view_fail(error, "there is no camera '%s'; there are %s", wanted->camera,
                         view_camera_names());
    }
    look_at_picked(run);
    throng_result played = run_playground(run, error);
    if (played != THRONG_OK) {
        return played;
    }
    double owed = 1.0; // of a step; at 1 the next is due
    bool fresh = true;
    for (run->frames = 0;
         run->frames < (wanted->frames > 0 ? wanted->frames : 1) ||
         (wanted->frames == 0 && run->video != NULL && !throng_world_done(stage->world));
         run->frames++) {
        for (; owed > 1.0 && !throng_world_done(stage->world); owed -= 1.0, fresh = true) {
            if (!view_stage_step(stage)) {
                return out_of_memory(error);
            }
        }
        if (fresh && view_show_step(&run->show, stage, run->drawing, run->layers, wanted->pick) !=
                         THRONG_OK) {
            return no_frame(run, error);
        }
        fresh = false;
        if (throng_drawing_frame(run->drawing, &run->camera, (float)owed, run->mode, &run->last) !=
            THRONG_OK) {
            return no_frame(run, error);
        }
        add_stats(run, run->frames);
        if (run->video != NULL) {
            throng_drawing_read(run->drawing, run->picture.rgb);
            throng_result result = throng_video_frame(run->video, &run->picture, error);
            if (result != THRONG_OK) {
                return result;
            }
        }
        owed += wanted->speed / wanted->frames_per_second / (double)stage->dt;
    }
    throng_drawing_read(run->drawing, run->picture.rgb);
    return wanted->png != NULL ? throng_picture_save(&run->picture, wanted->png, error) : THRONG_OK;
}

static void print_stats(const headless_run *run)
{
    const throng_frame_stats *last = &run->last;
    double frames = run->frames > 0 ? (double)run->frames : 1.0;
    if (run->wanted->quiet) {
        return;
    }
    if (!run->wanted->json) {
        printf("%s: %d agents, %s on %s\n", throng_scene_name(run->stage.scene),
               run->stage.agent_count, throng_draw_mode_name(run->mode), throng_gpu_name(run->gpu));
        printf("  draw calls     %d, %lld triangles, %d agents drawn (%d, %d, %d, %d by level)\n",
               last->draw_calls, (long long)last->triangles, last->agents_drawn, last->levels[0],
               last->levels[1], last->levels[2], last->levels[3]);
        printf("  a frame        record %.3f ms, device %.2f ms, all %.2f ms; mean of %d\n",
               run->sum.record_seconds / frames * 1e3, run->sum.gpu_seconds / frames * 1e3,
               run->sum.frame_seconds / frames * 1e3, run->frames);
        view_play_print(&run->play);
        return;
    }
    printf("{\"agents\": %d, \"mode\": \"%s\", \"device\": \"%s\", \"frames\": %d, "
           "\"draw_calls\": %d, \"triangles\": %lld, \"agents_drawn\": %d, \"drawn_late\": %d, "
           "\"levels\": [%d, %d, %d, %d], ",
           run->stage.agent_count, throng_draw_mode_name(run->mode), throng_gpu_name(run->gpu),
           run->frames, last->draw_calls, (long long)last->triangles, last->agents_drawn,
           last->drawn_late, last->levels[0], last->levels[1], last->levels[2], last->levels[3]);
    printf("\"record_ms\": %.6g, \"gpu_ms\": %.6g, \"frame_ms\": %.6g, \"least_record_ms\": %.6g, "
           "\"least_gpu_ms\": %.6g, \"least_frame_ms\": %.6g, \"validation_messages\": %d",
           run->sum.record_seconds / frames * 1e3, run->sum.gpu_seconds / frames * 1e3,
           run->sum.frame_seconds / frames * 1e3, run->least_record * 1e3, run->least_gpu * 1e3,
           run->least_frame * 1e3, throng_gpu_message_count(run->gpu));
    if (run->play.kind != NULL) {
        printf(", \"playground\": ");
        view_play_print_json(&run->play);
    }
    printf("}\n");
}

throng_result view_headless(const view_options *options, throng_error *error)
{
    headless_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return out_of_memory(error);
    }
    run->wanted = options;
    throng_result result = open_drawing(run, error);
    if (result == THRONG_OK) {
        view_choose_colours(&run->stage, run->layers);
        result = draw_frames(run, error);
    }
    if (result == THRONG_OK) {
        result = throng_video_close(run->video, error);
    } else {
        throng_video_abort(run->video);
    }
    if (result == THRONG_OK) {
        print_stats(run);
        if (throng_gpu_message_count(run->gpu) > 0) {
            view_fail(error, "the validation layer says: %.400s",
                      throng_gpu_first_message(run->gpu));
            result = error->result = THRONG_BAD_DATA;
        }
    }
    view_play_close(&run->play);
    throng_drawing_destroy(run->drawing);
    throng_gpu_destroy(run->gpu);
    view_stage_close(&run->stage);
    throng_picture_free(&run->picture);
    view_show_close(&run->show);
    free(run);
    return result;
}
