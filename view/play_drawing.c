/// Naive against instanced: the same picture drawn in the four ways, and what each costs.
#include "play.h"
#include <math.h>
#include <stdio.h>

#define FRAMES 5 ///< of each way; the first makes ready

typedef struct play_drawing {
    int frame; ///< of all ways
    throng_frame_stats least;
} play_drawing;

static void add(throng_frame_stats *least, const throng_frame_stats *stats, bool first)
{
    throng_frame_stats before = *least;
    *least = *stats;
    if (!first) {
        least->record_seconds = fmin(before.record_seconds, stats->record_seconds);
        least->gpu_seconds = fmin(before.gpu_seconds, stats->gpu_seconds);
        least->frame_seconds = fmin(before.frame_seconds, stats->frame_seconds);
    }
}

static void conclude(view_play *play, int agents)
{
    const view_play_table *table = &play->table;
    const view_play_row *naive = &table->rows[0], *last = &table->rows[table->row_count - 1];
    snprintf(
        play->verdict, sizeof play->verdict,
        "%d agents: %.0f calls naive, %.0f %s, which tells the device what to draw in 1/%.0f of "
        "the CPU's time.",
        agents, naive->values[0], last->values[0], last->name,
        naive->values[2] / fmax(last->values[2], 1e-6));
}

static bool work_drawing(view_play *play, const view_play_place *place, double seconds)
{
    play_drawing *own = play->own;
    double until = view_play_seconds() + seconds;
    if (place->drawing == NULL) {
        play->done = true;
        return true;
    }
    int agents = place->stage->agent_count;
    agents = agents < (int)play->value ? agents : (int)play->value;
    throng_drawing_set_agents(place->drawing, place->stage->agents, agents);
    do {
        throng_draw_mode mode = (throng_draw_mode)(own->frame / FRAMES);
        throng_frame_stats stats;
        if (throng_drawing_frame(place->drawing, place->camera, 1.0f, mode, &stats) != THRONG_OK) {
            play->done = true; // the device is lost: the window opens it again
            return true;
        }
        int round = own->frame++ % FRAMES;
        if (round > 0) {
            add(&own->least, &stats, round == 1);
        }
        if (round == FRAMES - 1) {
            const throng_frame_stats *least = &own->least;
            view_play_set(play, throng_draw_mode_name(mode),
                          (double[]){least->draw_calls, (double)least->triangles,
                                     least->record_seconds * 1e3, least->gpu_seconds * 1e3,
                                     least->frame_seconds * 1e3});
            conclude(play, agents);
        }
        play->done = own->frame == FRAMES * THRONG_DRAW_MODE_COUNT;
    } while (!play->done && view_play_seconds() < until);
    throng_drawing_set_agents(place->drawing, place->stage->agents, place->stage->agent_count);
    return true;
}

const view_play_kind view_play_drawing = {
    .name = "drawing",
    .title = "Naive against instanced",
    .about = "One call for each agent, one for each mesh, and one that the device fills in itself: "
             "what the CPU spends on telling, and the device on drawing. The picture is the same.",
    .slider = "agents",
    .tooltip = "So many are drawn.",
    .low = 1.0f,
    .high = 20000.0f,
    .first = 20000.0f,
    .whole = true,
    .logarithmic = true,
    .waits = true,
    .table = {.columns = {"calls", "triangles", "record_ms", "device_ms", "frame_ms"}, .bars = 2},
    .own_size = sizeof(play_drawing),
    .work = work_drawing,
};
