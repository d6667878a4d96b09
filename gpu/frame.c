/// A frame, read from top to bottom: what it is told, its commands, what became of it.
#include "drawing.h"
#include <math.h>
#include <string.h>
#include <time.h>

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- What the frame is told ---------------------------------------------------------------------

static void fill_frame(throng_drawing *drawing, const throng_camera *camera, float share)
{
    thg_frame_data *data = &drawing->data;
    const throng_ground *ground = &drawing->ground_def;
    float aspect = (float)drawing->width / (float)drawing->height, ahead[3], up[3];
    thg_camera_matrix(camera, aspect, data->view_projection);
    thg_camera_planes(data->view_projection, data->planes);
    memcpy(data->eye, camera->eye, sizeof camera->eye);
    data->eye[3] = (float)drawing->height * 0.5f / tanf(camera->view_angle * 0.5f);
    thg_camera_axes(camera, ahead, data->right, up);
    data->right[3] = share < 0.0f ? 0.0f : share > 1.0f ? 1.0f : share;
    const float sun[3] = {-0.52f, -0.62f, 0.59f}; // from the upper left, shadows of one and a half
    memcpy(data->sun, sun, sizeof sun);
    float extent = ground->cell_size *
                   (float)(ground->width > ground->height ? ground->width : ground->height);
    float away = 0.0f;
    for (int i = 0; i < 3; i++) {
        away += (camera->target[i] - camera->eye[i]) * (camera->target[i] - camera->eye[i]);
    }
    data->sun[3] = 2.5f * fmaxf(extent, sqrtf(away)) + 100.0f;
    data->ground[0] = ground->origin.x;
    data->ground[1] = ground->origin.y;
    data->ground[2] = ground->cell_size;
    data->ground[3] = ground->wall_height;
    const int32_t cells[4] = {ground->width, ground->height, drawing->agent_count,
                              drawing->max_agents};
    const int32_t screen[4] = {drawing->drawn_width, drawing->drawn_height, drawing->pyramid_width,
                               drawing->pyramid_height};
    memcpy(data->cells, cells, sizeof cells);
    memcpy(data->screen, screen, sizeof screen);
    data->pyramid[0] = drawing->pyramid_levels;
    data->pyramid[1] = drawing->has_previous;
    const float haze[4] = {0.72f, 0.78f, 0.84f, 1.0f};
    memcpy(data->haze, haze, sizeof haze);
    memcpy(drawing->frame.mapped, data, sizeof *data);
}

// ---- Its commands -------------------------------------------------------------------------------

static bool record_into(thg_frame_run *run, VkCommandBuffer commands, VkCommandBufferUsageFlags use)
{
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = use};
    run->commands = commands;
    if (vkBeginCommandBuffer(commands, &begin) != VK_SUCCESS) {
        return false;
    }
    thg_record_frame(run);
    return vkEndCommandBuffer(commands) == VK_SUCCESS;
}

/// As many agents as are copied and asked: in whole blocks, so that a few more or less of them do
/// not change the commands. The frame's own number is what the shaders go by.
static int in_blocks(const throng_drawing *drawing)
{
    int blocks = (drawing->agent_count + 1023) / 1024 * 1024;
    return blocks < drawing->max_agents ? blocks : drawing->max_agents;
}

/// Where the device decides what to draw, the commands of a frame are those of the one before: they
/// are recorded once for each number of blocks, lines and sides, and submitted again and again.
static bool find_commands(thg_frame_run *run, throng_frame_stats *stats)
{
    throng_drawing *drawing = run->drawing;
    if (run->mode < THRONG_DRAW_INDIRECT) {
        return record_into(run, drawing->commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    }
    run->agents = in_blocks(drawing);
    run->uploads = drawing->agents_fresh && drawing->agent_count > 0;
    thg_recording *found =
        &drawing->recordings[2 * (run->mode - THRONG_DRAW_INDIRECT) + (run->uploads ? 1 : 0)];
    stats->reused = found->there && found->agents == run->agents &&
                    found->lines == drawing->line_count && found->sides == drawing->side_count &&
                    found->version == drawing->binding_version;
    if (stats->reused) {
        run->commands = found->commands;
        run->draw_calls = found->draw_calls;
        return true;
    }
    found->there = record_into(run, found->commands, 0);
    found->agents = run->agents;
    found->lines = drawing->line_count;
    found->sides = drawing->side_count;
    found->version = drawing->binding_version;
    found->draw_calls = run->draw_calls;
    return found->there;
}

void throng_drawing_forget(throng_drawing *drawing)
{
    for (int i = 0; i < THG_RECORDINGS; i++) {
        drawing->recordings[i].there = false;
    }
}

// ---- What became of it --------------------------------------------------------------------------

static void count_drawn(thg_frame_run *run, throng_frame_stats *stats)
{
    throng_drawing *drawing = run->drawing;
    const thg_meshes *meshes = &drawing->meshes;
    if (run->mode >= THRONG_DRAW_INDIRECT) {
        memcpy(drawing->last_counts, drawing->counts_back.mapped, sizeof drawing->last_counts);
    } else {
        memcpy(drawing->last_counts, run->counts, sizeof run->counts);
    }
    const uint32_t *counts = drawing->last_counts;
    stats->draw_calls = run->draw_calls;
    stats->triangles = 2 + 2 * (drawing->side_count > 0) + 2 * (int64_t)drawing->side_count +
                       2 * (int64_t)drawing->line_count + 2 * (int64_t)(counts[4] + counts[12]);
    for (int level = 0; level < THRONG_FIGURE_LEVELS; level++) {
        uint32_t late = counts[8 + level], all = counts[level] + late;
        stats->levels[level] = (int)all;
        stats->agents_drawn += (int)all;
        stats->drawn_late += (int)late;
        stats->triangles += (int64_t)all * meshes->indices_of[level] / 3;
    }
    uint64_t times[2] = {0, 0};
    if (vkGetQueryPoolResults(drawing->gpu->device, drawing->queries, 0, 2, sizeof times, times,
                              sizeof times[0], VK_QUERY_RESULT_64_BIT) == VK_SUCCESS) {
        stats->gpu_seconds = (double)(times[1] - times[0]) * 1e-9 * drawing->gpu->timestamp_period;
    }
}

throng_result throng_drawing_frame(throng_drawing *drawing, const throng_camera *camera,
                                   float share, throng_draw_mode mode, throng_frame_stats *stats)
{
    double started = seconds_now();
    memset(stats, 0, sizeof *stats);
    thg_frame_run run = {.drawing = drawing, .mode = mode};
    fill_frame(drawing, camera, share);
    if (mode < THRONG_DRAW_INDIRECT) {
        thg_pose_all(drawing, drawing->data.right[3], run.counts);
    }
    if (!find_commands(&run, stats)) {
        return THRONG_UNREACHABLE;
    }
    stats->record_seconds = seconds_now() - started;
    if (!thg_commands_submit(drawing, run.commands)) {
        return THRONG_UNREACHABLE;
    }
    drawing->mode = mode;
    drawing->agents_fresh = drawing->agents_fresh && !run.uploads;
    count_drawn(&run, stats);
    if (mode == THRONG_DRAW_GPU_DRIVEN) {
        memcpy(drawing->data.previous, drawing->data.view_projection,
               sizeof drawing->data.previous);
        drawing->has_previous = true;
    }
    stats->frame_seconds = seconds_now() - started;
    return THRONG_OK;
}
