/// What `throng run` prints: a table for people, or one JSON object.
#include "run.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/// What is measured on flat maps alone.
static void print_plane(const throng_world_summary *sum, const throng_world_metrics *metrics)
{
    printf("  order          headings agree by %.2f, lanes %.2f\n", sum->polarisation,
           sum->lane_order);
    printf("  nearest        %.1f in 100 closer than %.2f m, smallest %.2f m; overlap p50 %.3f, "
           "p99 %.3f, p99.9 %.3f\n",
           100.0 * metrics->near_share, metrics->near, sum->smallest_distance, metrics->overlap_50,
           metrics->overlap_99, metrics->overlap_999);
    printf("  by density     %.0f in 100 of the wanted speed free, %.0f between, %.0f in a jam; "
           "%.1f s a head below a tenth\n",
           100.0 * metrics->speed_share[0], 100.0 * metrics->speed_share[1],
           100.0 * metrics->speed_share[2], metrics->jam_seconds);
    printf("  contact        %.1f in 100 walking, %.1f dodging, %.1f waiting; %.2f flips of "
           "heading a second\n",
           100.0 * metrics->contact_share[0], 100.0 * metrics->contact_share[1],
           100.0 * metrics->contact_share[2], metrics->flips);
}

void cli_run_print_table(const run_output *out, const throng_world_summary *sum, uint64_t hash)
{
    printf("%s: %s\n", throng_scene_name(out->scene), throng_scene_about(out->scene));
    printf("  agents         %d spawned, %d arrived, %d still walking, %d stuck, %d cut off\n",
           sum->spawned, sum->arrived, sum->walking, sum->stuck, sum->cut_off);
    printf("  arrival        mean %.1f s, 95 in 100 by %.1f s\n", sum->mean_arrival,
           sum->percentile_95_arrival);
    printf("  speed          mean %.2f m/s of those who walk\n", sum->mean_speed);
    printf("  closeness      worst overlap %.3f of a radius, worst wall %.3f, %d in walls\n",
           sum->worst_overlap, sum->worst_wall, sum->in_walls);
    throng_world_metrics metrics = throng_world_get_metrics(out->world);
    if (throng_map_planet(throng_world_map(out->world)) == NULL) {
        print_plane(sum, &metrics);
    }
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

void cli_run_print_json(const run_output *out, const throng_world_summary *sum, uint64_t hash)
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
