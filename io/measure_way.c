/// Measures of arriving and walking.
#include "measure.h"
#include <math.h>

#define BIT(key) (UINT64_C(1) << THG_KEY_##key)

// ---- Arriving: values[i] is when the agent was there, 0 not yet -------------------------------

static void observe_reached(const throng_world *world, thg_meter *meter)
{
    float time = (float)throng_crowd_time(world->crowd);
    THG_EACH_TRACK(world, meter, i)
    {
        if (meter->values[i] == 0.0f && thg_meter_reached(world, meter, &world->tracks[i])) {
            meter->values[i] = time;
        }
    }
}

static int count_reached(const throng_world *world, const thg_meter *meter, double by)
{
    int count = 0;
    THG_EACH_TRACK(world, meter, i)
    {
        count += meter->values[i] > 0.0f && (double)meter->values[i] <= by + 0.001;
    }
    return count;
}

static double share_of(int count, int population)
{
    return population > 0 ? (double)count / population : 0.0;
}

static double finish_reached_share(const throng_world *world, thg_meter *meter)
{
    return share_of(count_reached(world, meter, meter->expectation->by),
                    thg_meter_population(world, meter));
}

static double finish_reached_count(const throng_world *world, thg_meter *meter)
{
    return count_reached(world, meter, meter->expectation->by);
}

/// Seconds until the share has been there: by counting those who came at or before each.
static double finish_time(const throng_world *world, thg_meter *meter)
{
    double needed =
        ceil((double)meter->expectation->share * thg_meter_population(world, meter) - 1e-6);
    double low = 0.0, high = throng_crowd_time(world->crowd);
    if (count_reached(world, meter, high) < needed) {
        return INFINITY;
    }
    for (int i = 0; i < 40; i++) { // halving: fine to far below a step
        double middle = 0.5 * (low + high);
        if (count_reached(world, meter, middle) >= needed) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

/// Mean seconds from the order to the goal.
static double finish_travel(const throng_world *world, thg_meter *meter)
{
    double sum = 0.0;
    THG_EACH_TRACK(world, meter, i)
    {
        bool there = meter->values[i] > 0.0f;
        sum += there ? (double)(meter->values[i] - world->tracks[i].since) : INFINITY;
    }
    int population = thg_meter_population(world, meter);
    return population > 0 ? sum / population : 0.0;
}

/// The longest time an agent took over the ideal: the field's cost where its order found it, at its
/// profile's speed.
static double finish_delay(const throng_world *world, thg_meter *meter)
{
    double worst = 0.0;
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        double speed = world->model->profiles[track->profile].def.speed;
        double ideal = (double)track->ideal / speed;
        bool there = meter->values[i] > 0.0f && ideal > 0.0;
        double delay = there ? (double)(meter->values[i] - track->since) / ideal : INFINITY;
        worst = fmax(worst, delay);
    }
    return worst;
}

/// Walked length, with what is left of the straight way, over the straight way. more[i] is the
/// ratio when the agent was there.
static void observe_detour(const throng_world *world, thg_meter *meter)
{
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        if (meter->values[i] == 0.0f && thg_meter_reached(world, meter, track)) {
            const thg_world_goal *goal = track->goal >= 0 ? &world->goals[track->goal] : NULL;
            double straight = goal != NULL ? thg_goal_distance(goal, track->start) : 0.0;
            double rest = goal != NULL ? thg_goal_distance(goal, track->last) : 0.0;
            meter->values[i] = 1.0f;
            meter->more[i] = straight > 0.0 ? (float)((track->walked + rest) / straight) : 1.0f;
        }
    }
}

static double finish_detour(const throng_world *world, thg_meter *meter)
{
    double worst = 0.0;
    THG_EACH_TRACK(world, meter, i)
    {
        worst = fmax(worst, meter->values[i] > 0.0f ? (double)meter->more[i] : INFINITY);
    }
    return worst;
}

// ---- Pauses between exits: worst is the longest, more[0] the time of the last exit --------------

static void observe_pause(const throng_world *world, thg_meter *meter)
{
    int arrived = 0, population = 0;
    double time = throng_crowd_time(world->crowd);
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        bool out = meter->expectation->gates != 0
                       ? thg_track_crosses(world, track, meter->expectation->gates)
                       : thg_meter_reached(world, meter, track);
        meter->values[i] = out ? 1.0f : meter->values[i];
        population++;
        arrived += meter->values[i] > 0.0f;
    }
    if (arrived > meter->count) {
        meter->count = arrived;
        meter->more[0] = (float)time;
    } else if (arrived > 0 && population - arrived >= meter->expectation->inside) {
        meter->worst = fmax(meter->worst, time - (double)meter->more[0]);
    }
}

static double finish_pause(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->count > 0 ? meter->worst : INFINITY;
}

// ---- Walking in a span: values[i] is what had been walked at its start -------------------------

static void observe_walked(const throng_world *world, thg_meter *meter)
{
    const thg_expectation *expectation = meter->expectation;
    double time = throng_crowd_time(world->crowd);
    if (meter->count == 0 && (time + THG_TIME_SLACK >= expectation->from || world->finishing)) {
        meter->count = 1;
        THG_EACH_TRACK(world, meter, i)
        {
            meter->values[i] = (float)world->tracks[i].walked;
        }
    }
    if (thg_meter_moment(world, meter, expectation->to)) {
        THG_EACH_TRACK(world, meter, i)
        {
            double walked = world->tracks[i].walked - (double)meter->values[i];
            meter->worst = fmax(meter->worst, walked);
            meter->total += walked <= (double)expectation->limit;
        }
    }
}

static double finish_quiet_share(const throng_world *world, thg_meter *meter)
{
    return share_of(meter->total, thg_meter_population(world, meter));
}

static double finish_worst(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->worst;
}

// ---- First motion ------------------------------------------------------------------------------

static void observe_moved(const throng_world *world, thg_meter *meter)
{
    if (throng_crowd_time(world->crowd) > meter->expectation->by + THG_TIME_SLACK) {
        return;
    }
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        if (thg_world_apart(world, track->last, track->start) > meter->expectation->limit) {
            meter->values[i] = 1.0f;
        }
    }
}

static double finish_marked_share(const throng_world *world, thg_meter *meter)
{
    int count = 0;
    THG_EACH_TRACK(world, meter, i)
    {
        count += meter->values[i] > 0.0f;
    }
    return share_of(count, thg_meter_population(world, meter));
}

/// The longest way of one step.
static void observe_displacement(const throng_world *world, thg_meter *meter)
{
    if (thg_meter_within(world, meter)) {
        THG_EACH_TRACK(world, meter, i)
        {
            if (thg_track_alive(world, &world->tracks[i])) {
                meter->worst = fmax(meter->worst, (double)world->tracks[i].moved);
            }
        }
    }
}

#define REACH (BIT(AGENTS) | BIT(RADIUS) | BIT(PACKS))
#define SPAN (BIT(AGENTS) | BIT(FROM) | BIT(TO))

const thg_measure thg_measures_way[] = {
    {"reached_share", 0, REACH | BIT(BY), false, false, observe_reached, finish_reached_share},
    {"reached_count", 0, REACH | BIT(BY), false, false, observe_reached, finish_reached_count},
    {"finish_time", 0, REACH | BIT(SHARE), false, false, observe_reached, finish_time},
    {"travel_time", 0, REACH, false, false, observe_reached, finish_travel},
    {"delay", 0, REACH, false, false, observe_reached, finish_delay},
    {"detour", 0, REACH, false, false, observe_detour, finish_detour},
    {"longest_pause", 0, REACH | BIT(INSIDE) | BIT(GATE), false, false, observe_pause,
     finish_pause},
    {"quiet_share", BIT(LIMIT), SPAN, false, true, observe_walked, finish_quiet_share},
    {"walked", 0, SPAN, false, true, observe_walked, finish_worst},
    {"moved_share", BIT(LIMIT), BIT(AGENTS) | BIT(BY), false, false, observe_moved,
     finish_marked_share},
    {"displacement", 0, SPAN, false, false, observe_displacement, finish_worst},
    {0},
};
