/// Measures of streams: how dense, how fast, how many through a gate.
///
/// As pedestrian experiments are evaluated (Seyfried et al. 2009; RiMEA 4): density is agents in a
/// rectangle over its area, speed is the mean over these agents, both sampled after every step of
/// the span; flow is taken between two crossings, so that the span's ends do not blur it.
#include "measure.h"
#include <math.h>
#include <stdlib.h>

#define BIT(key) (UINT64_C(1) << THG_KEY_##key)

static double area_of(throng_rect rect)
{
    return ((double)rect.max.x - rect.min.x) * ((double)rect.max.y - rect.min.y);
}

/// worst sums speeds, total counts agents, count steps.
static void observe_rect(const throng_world *world, thg_meter *meter)
{
    if (!thg_meter_within(world, meter)) {
        return;
    }
    throng_rect rect = meter->expectation->rect;
    meter->count++;
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        if (thg_track_alive(world, track) &&
            thg_rect_covers(&rect, thg_world_unturned(world, track->last))) {
            meter->total++;
            meter->worst += world->dt > 0.0 ? (double)track->moved / world->dt : 0.0;
        }
    }
}

static double finish_density(const throng_world *world, thg_meter *meter)
{
    (void)world;
    double steps = meter->count > 0 ? meter->count : 1.0;
    return meter->total / steps / area_of(meter->expectation->rect);
}

static double finish_speed(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->total > 0 ? meter->worst / meter->total : 0.0;
}

/// values[i] is the moment of the last crossing in the span; 0 none.
static void observe_crossings(const throng_world *world, thg_meter *meter)
{
    if (!thg_meter_within(world, meter)) {
        return;
    }
    THG_EACH_TRACK(world, meter, i)
    {
        if (thg_track_crosses(world, &world->tracks[i], meter->expectation->gates)) {
            meter->values[i] = (float)throng_crowd_time(world->crowd);
        }
    }
}

static int compare_floats(const void *a, const void *b)
{
    float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

/// Agents per second over the middle `share` of the crossings; 0 when fewer than two crossed.
static double finish_flow(const throng_world *world, thg_meter *meter)
{
    float *times = malloc(((size_t)world->track_count + 1) * sizeof *times);
    int count = 0;
    THG_EACH_TRACK(world, meter, i)
    {
        if (times != NULL && meter->values[i] > 0.0f) {
            times[count++] = meter->values[i];
        }
    }
    double flow = 0.0;
    if (count > 1) {
        qsort(times, (size_t)count, sizeof *times, compare_floats);
        int skipped = (int)(0.5 * (1.0 - (double)meter->expectation->share) * count);
        int first = skipped, last = count - 1 - skipped;
        double seconds = (double)times[last] - (double)times[first];
        flow = last > first && seconds > 0.0 ? (last - first) / seconds : 0.0;
    }
    free(times);
    return flow;
}

static double finish_specific_flow(const throng_world *world, thg_meter *meter)
{
    double width = 0.0;
    for (int i = 0; i < world->model->gate_count; i++) {
        const thg_gate *gate = &world->model->gates[i];
        if ((meter->expectation->gates >> i & 1) != 0) {
            width += hypot((double)gate->to.x - gate->from.x, (double)gate->to.y - gate->from.y);
        }
    }
    return finish_flow(world, meter) / width;
}

#define SPAN (BIT(FROM) | BIT(TO))

const thg_measure thg_measures_flow[] = {
    {"density", BIT(RECT), BIT(AGENTS) | SPAN, false, false, observe_rect, finish_density},
    {"mean_speed", BIT(RECT), BIT(AGENTS) | SPAN, false, false, observe_rect, finish_speed},
    {"flow", BIT(GATE), BIT(AGENTS) | BIT(SHARE) | SPAN, false, false, observe_crossings,
     finish_flow},
    {"specific_flow", BIT(GATE), BIT(AGENTS) | BIT(SHARE) | SPAN, false, false, observe_crossings,
     finish_specific_flow},
    {0},
};
