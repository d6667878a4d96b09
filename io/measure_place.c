/// Measures of where agents are, how close, and in what state.
#include "measure.h"
#include <math.h>

#define BIT(key) (UINT64_C(1) << THG_KEY_##key)

static double finish_worst(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->worst;
}

static double finish_total(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->total;
}

static double finish_total_share(const throng_world *world, thg_meter *meter)
{
    int population = thg_meter_population(world, meter);
    return population > 0 ? (double)meter->total / population : 0.0;
}

static float distance_to(throng_vec2 a, throng_vec2 b)
{
    return sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/// Within a radius of the own goal, or of a point. Who left by an exit is at his goal.
static void observe_within(const throng_world *world, thg_meter *meter)
{
    const thg_expectation *expectation = meter->expectation;
    if (!thg_meter_moment(world, meter, expectation->at)) {
        return;
    }
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        meter->total += expectation->has_point
                            ? thg_track_alive(world, track) &&
                                  distance_to(thg_world_unturned(world, track->last),
                                              expectation->point) <= meter->radius
                            : thg_meter_reached(world, meter, track);
    }
}

static void observe_outside(const throng_world *world, thg_meter *meter)
{
    if (!thg_meter_moment(world, meter, meter->expectation->at)) {
        return;
    }
    throng_rect rect = meter->expectation->rect;
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        throng_vec2 place = thg_world_unturned(world, track->last);
        bool inside = place.x >= rect.min.x && place.x <= rect.max.x && place.y >= rect.min.y &&
                      place.y <= rect.max.y;
        meter->total += thg_track_alive(world, track) && !inside;
    }
}

static void observe_alive(const throng_world *world, thg_meter *meter)
{
    if (!thg_meter_moment(world, meter, meter->expectation->at)) {
        return;
    }
    THG_EACH_TRACK(world, meter, i)
    {
        meter->total += thg_track_alive(world, &world->tracks[i]);
    }
}

/// The farthest from where it began; who is gone is infinitely far.
static void observe_home(const throng_world *world, thg_meter *meter)
{
    if (!thg_meter_moment(world, meter, meter->expectation->at)) {
        return;
    }
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        double away =
            thg_track_alive(world, track) ? distance_to(track->last, track->start) : INFINITY;
        meter->worst = fmax(meter->worst, away);
    }
}

/// The longest stay without a break; values[i] is the present one.
static void observe_stay(const throng_world *world, thg_meter *meter)
{
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        bool near = thg_track_alive(world, track) &&
                    distance_to(thg_world_unturned(world, track->last),
                                meter->expectation->point) <= meter->radius;
        meter->values[i] = near ? meter->values[i] + (float)world->dt : 0.0f;
        meter->worst = fmax(meter->worst, (double)meter->values[i]);
    }
}

static void observe_status(const throng_world *world, thg_meter *meter)
{
    if (!thg_meter_moment(world, meter, meter->expectation->by)) {
        return;
    }
    THG_EACH_TRACK(world, meter, i)
    {
        meter->total += (world->tracks[i].ever & meter->expectation->statuses) != 0;
    }
}

// ---- Of all agents -----------------------------------------------------------------------------

static void observe_overlap(const throng_world *world, thg_meter *meter)
{
    if (thg_meter_within(world, meter)) {
        meter->worst = fmax(meter->worst, world->contacts.overlap);
    }
}

static void observe_penetration(const throng_world *world, thg_meter *meter)
{
    if (thg_meter_within(world, meter)) {
        meter->worst = fmax(meter->worst, world->contacts.penetration);
    }
}

static void observe_distance(const throng_world *world, thg_meter *meter)
{
    if (thg_meter_moment(world, meter, meter->expectation->at)) {
        meter->worst = (double)world->contacts.distance;
    }
}

static double finish_in_wall(const throng_world *world, thg_meter *meter)
{
    (void)meter;
    return (double)world->contacts.in_wall;
}

static double finish_not_finite(const throng_world *world, thg_meter *meter)
{
    (void)meter;
    return (double)world->contacts.not_finite;
}

const thg_measure thg_measures_place[] = {
    {"within_share", 0, BIT(AGENTS) | BIT(RADIUS) | BIT(PACKS) | BIT(AT) | BIT(POINT), false, true,
     observe_within, finish_total_share},
    {"within_count", 0, BIT(AGENTS) | BIT(RADIUS) | BIT(PACKS) | BIT(AT) | BIT(POINT), false, true,
     observe_within, finish_total},
    {"outside_count", BIT(RECT), BIT(AGENTS) | BIT(AT), false, true, observe_outside, finish_total},
    {"alive_count", 0, BIT(AGENTS) | BIT(AT), false, true, observe_alive, finish_total},
    {"home_distance", 0, BIT(AGENTS) | BIT(AT), false, true, observe_home, finish_worst},
    {"stay_time", BIT(POINT) | BIT(RADIUS), BIT(AGENTS), false, false, observe_stay, finish_worst},
    {"status_share", BIT(STATUS), BIT(AGENTS) | BIT(BY), false, true, observe_status,
     finish_total_share},
    {"overlap", 0, BIT(FROM) | BIT(TO), false, false, observe_overlap, finish_worst},
    {"penetration", 0, BIT(FROM) | BIT(TO), false, false, observe_penetration, finish_worst},
    {"pair_distance", 0, BIT(AT), false, true, observe_distance, finish_worst},
    {"in_wall", 0, 0, false, false, NULL, finish_in_wall},
    {"not_finite", 0, 0, false, false, NULL, finish_not_finite},
    {0},
};
