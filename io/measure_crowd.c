/// Measures of the crowd's texture: closeness, density, headings, contact states, jams.
///
/// They look at the steps at which the metrics do (every tenth), jams and headings at their own.
#include "metrics.h"
#include <math.h>
#include <stdlib.h>

#define BIT(key) (UINT64_C(1) << THG_KEY_##key)

static bool inside(const thg_meter *meter, throng_vec2 place)
{
    throng_rect rect = meter->expectation->rect;
    return (meter->expectation->present & BIT(RECT)) == 0 ||
           (place.x >= rect.min.x && place.x < rect.max.x && place.y >= rect.min.y &&
            place.y < rect.max.y);
}

/// True for a row that the meter is about at a fresh look.
static bool counts(const throng_world *world, const thg_meter *meter,
                   const throng_agents_view *agents, int row)
{
    const thg_track *track = thg_world_track_of(world, agents->id[row]);
    return track != NULL && (meter->expectation->groups >> track->group & 1) != 0 &&
           inside(meter, (throng_vec2){agents->x[row], agents->y[row]});
}

static bool on_the_way(const throng_agents_view *agents, int row)
{
    return agents->status[row] == THRONG_WALKING || agents->status[row] == THRONG_STUCK;
}

#define EACH_ROW(world, meter, agents, row)                                                        \
    throng_agents_view agents = throng_crowd_agents((world)->crowd);                               \
    int row_count = (world)->metrics.fresh && thg_meter_within(world, meter) ? agents.count : 0;   \
    for (int row = 0; row < row_count && row < (world)->max_agents; row++)                         \
        if (counts(world, meter, &agents, row))

static double finish_share(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->count > 0 ? (double)meter->total / meter->count : 0.0;
}

static double finish_worst(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->worst;
}

static void observe_near(const throng_world *world, thg_meter *meter)
{
    EACH_ROW(world, meter, agents, row)
    {
        meter->count++;
        meter->total += world->metrics.looks[row].nearest < meter->expectation->limit;
    }
}

/// worst is the least distance; count whether there was any.
static void observe_distance(const throng_world *world, thg_meter *meter)
{
    EACH_ROW(world, meter, agents, row)
    {
        double nearest = (double)world->metrics.looks[row].nearest;
        meter->worst = meter->count == 0 ? nearest : fmin(meter->worst, nearest);
        meter->count = 1;
    }
}

static double finish_distance(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->count > 0 ? meter->worst : INFINITY;
}

static void observe_overlaps(const throng_world *world, thg_meter *meter)
{
    if (meter->buckets == NULL) {
        return;
    }
    EACH_ROW(world, meter, agents, row)
    {
        double overlap = (double)world->metrics.looks[row].overlap;
        int bucket = (int)(overlap * (THG_OVERLAP_BUCKETS / THG_OVERLAP_TOP));
        meter->buckets[bucket < THG_OVERLAP_BUCKETS ? bucket : THG_OVERLAP_BUCKETS - 1]++;
    }
}

static double finish_overlaps(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return thg_overlap_percentile(meter->buckets, meter->expectation->percentile);
}

/// worst sums shares of the wanted speed, of count.
static void observe_speed(const throng_world *world, thg_meter *meter)
{
    throng_vec2 span = meter->expectation->between;
    bool all = (meter->expectation->present & BIT(BETWEEN)) == 0;
    EACH_ROW(world, meter, agents, row)
    {
        double density = thg_density_of(world->metrics.looks[row].around);
        double wanted = (double)world->model->profiles[agents.profile[row]].def.speed;
        if (on_the_way(&agents, row) && wanted > 0.0 &&
            (all || (density >= (double)span.x && density < (double)span.y))) {
            meter->count++;
            meter->worst += hypot((double)agents.vx[row], (double)agents.vy[row]) / wanted;
        }
    }
}

static double finish_mean(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->count > 0 ? meter->worst / meter->count : 0.0;
}

static void observe_contact(const throng_world *world, thg_meter *meter)
{
    EACH_ROW(world, meter, agents, row)
    {
        if (on_the_way(&agents, row)) {
            meter->count++;
            meter->total += meter->expectation->contacts >> agents.contact[row] & 1;
        }
    }
}

/// total counts flips, worst sums the seconds in which they could have been.
static void observe_flips(const throng_world *world, thg_meter *meter)
{
    if (!world->metrics.headings_fresh || !thg_meter_within(world, meter)) {
        return;
    }
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        if (track->headed > 0.0f && inside(meter, track->last)) {
            meter->total += track->flipped;
            meter->worst += (double)track->headed;
        }
    }
}

static double finish_flips(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->worst > 0.0 ? meter->total / meter->worst : 0.0;
}

/// worst sums seconds.
static void observe_jam(const throng_world *world, thg_meter *meter)
{
    if (!thg_meter_within(world, meter)) {
        return;
    }
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        meter->worst += track->jammed && inside(meter, track->last) ? world->dt : 0.0;
    }
}

static double finish_jam(const throng_world *world, thg_meter *meter)
{
    int population = thg_meter_population(world, meter);
    return population > 0 ? meter->worst / population : 0.0;
}

/// Stuck at each look; worst is the most at once.
static void observe_stuck(const throng_world *world, thg_meter *meter)
{
    int stuck = 0;
    EACH_ROW(world, meter, agents, row)
    {
        stuck += agents.status[row] == THRONG_STUCK;
    }
    meter->worst = fmax(meter->worst, stuck);
}

#define WHERE (BIT(AGENTS) | BIT(RECT) | BIT(FROM) | BIT(TO))

const thg_measure thg_measures_crowd[] = {
    {"near_share", BIT(LIMIT), WHERE, false, false, observe_near, finish_share},
    {"least_distance", 0, WHERE, false, false, observe_distance, finish_distance},
    {"overlap_percentile", BIT(PERCENTILE), WHERE, false, false, observe_overlaps, finish_overlaps},
    {"speed_share", 0, WHERE | BIT(BETWEEN), false, false, observe_speed, finish_mean},
    {"contact_share", BIT(CONTACT), WHERE, false, false, observe_contact, finish_share},
    {"heading_flips", 0, WHERE, false, false, observe_flips, finish_flips},
    {"jam_time", 0, WHERE, false, false, observe_jam, finish_jam},
    {"stuck_count", 0, WHERE, false, false, observe_stuck, finish_worst},
    {0},
};
