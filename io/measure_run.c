/// Measures of gates, headings and the time that steps take.
#include "measure.h"
#include <math.h>
#include <stdlib.h>

#define BIT(key) (UINT64_C(1) << THG_KEY_##key)
#define TRACE_POINTS 2048
#define AIM_EVERY 0.5 ///< seconds between two looks at where agents are headed

// ---- Gates -------------------------------------------------------------------------------------

static double side_of(const thg_gate *gate, throng_vec2 point)
{
    return ((double)gate->to.x - gate->from.x) * ((double)point.y - gate->from.y) -
           ((double)gate->to.y - gate->from.y) * ((double)point.x - gate->from.x);
}

static bool crosses(const thg_gate *gate, throng_vec2 from, throng_vec2 to)
{
    double before = side_of(gate, from), after = side_of(gate, to);
    if ((before >= 0.0) == (after >= 0.0)) {
        return false;
    }
    double part = before / (before - after);
    double x = from.x + part * ((double)to.x - from.x) - gate->from.x;
    double y = from.y + part * ((double)to.y - from.y) - gate->from.y;
    double along_x = (double)gate->to.x - gate->from.x, along_y = (double)gate->to.y - gate->from.y;
    double along = x * along_x + y * along_y;
    return along >= 0.0 && along <= along_x * along_x + along_y * along_y;
}

/// Index of the gate that a step goes through, -1 none.
static int gate_of_step(const throng_world *world, throng_vec2 from, throng_vec2 to)
{
    from = thg_world_unturned(world, from);
    to = thg_world_unturned(world, to);
    for (int i = 0; i < world->model->gate_count; i++) {
        if (crosses(&world->model->gates[i], from, to)) {
            return i;
        }
    }
    return -1;
}

bool thg_track_crosses(const throng_world *world, const thg_track *track, uint32_t gates)
{
    int gate = thg_track_alive(world, track) ? gate_of_step(world, track->before, track->last) : -1;
    return gate >= 0 && (gates >> gate & 1) != 0;
}

/// total counts crossings of the chosen gates; values[i] is the first gate of any + 1.
static void observe_gates(const throng_world *world, thg_meter *meter)
{
    if (!thg_meter_within(world, meter)) {
        return;
    }
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        int gate =
            thg_track_alive(world, track) ? gate_of_step(world, track->before, track->last) : -1;
        if (gate >= 0) {
            meter->total += meter->expectation->gates >> gate & 1;
            meter->values[i] = meter->values[i] > 0.0f ? meter->values[i] : (float)(gate + 1);
        }
    }
}

static double finish_gate_count(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->total;
}

static double finish_gate_share(const throng_world *world, thg_meter *meter)
{
    int all = 0, chosen = 0;
    THG_EACH_TRACK(world, meter, i)
    {
        if (meter->values[i] > 0.0f) {
            all++;
            chosen += meter->expectation->gates >> ((int)meter->values[i] - 1) & 1;
        }
    }
    return all > 0 ? (double)chosen / all : 0.0;
}

// ---- Shares of gates ---------------------------------------------------------------------------

/// The share that the first group through has of it when it is through counts; worst is the result.
/// values[i] is 1 for one who has crossed.
static void observe_balance(const throng_world *world, thg_meter *meter)
{
    int crossed[THG_MAX_GROUPS] = {0}, sizes[THG_MAX_GROUPS] = {0}, least = INT32_MAX, most = 0;
    bool through = world->finishing;
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        if (thg_track_crosses(world, track, meter->expectation->gates)) {
            meter->values[i] = 1.0f;
        }
        crossed[track->group] += meter->values[i] > 0.0f;
        sizes[track->group]++;
    }
    for (int i = 0; i < world->model->group_count; i++) {
        if (sizes[i] > 0) {
            least = crossed[i] < least ? crossed[i] : least;
            most = crossed[i] > most ? crossed[i] : most;
            through = through || (double)crossed[i] >= (double)meter->expectation->share * sizes[i];
        }
    }
    if (through && !meter->taken) {
        meter->taken = true;
        meter->worst = most > 0 ? (double)least / most : 0.0;
    }
}

static double finish_balance(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->worst;
}

/// The gate through which the field leads from a place, + 1; 0 none.
static int aimed_gate(const throng_world *world, const throng_field *field, throng_vec2 place)
{
    static _Thread_local throng_vec2 points[TRACE_POINTS];
    int count = 0;
    float length;
    throng_field_trace(field, place, throng_map_cell_size(world->map), TRACE_POINTS - 1, points,
                       TRACE_POINTS, &count, &length);
    count = count < TRACE_POINTS ? count : TRACE_POINTS;
    for (int i = 1; i < count; i++) {
        int gate = gate_of_step(world, points[i - 1], points[i]);
        if (gate >= 0) {
            return gate + 1;
        }
    }
    return 0;
}

/// values[i] is the gate it is headed for + 1, more[i] how often that changed, worst the time of
/// the next look.
static void observe_aims(const throng_world *world, thg_meter *meter)
{
    double time = throng_crowd_time(world->crowd);
    if (time + THG_TIME_SLACK < meter->worst) {
        return;
    }
    meter->worst = time + AIM_EVERY;
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        const throng_field *field =
            thg_track_alive(world, track) ? thg_track_field(world, track) : NULL;
        int aim = field != NULL ? aimed_gate(world, field, track->last) : 0;
        if (aim > 0) {
            meter->more[i] += meter->values[i] > 0.0f && (int)meter->values[i] != aim;
            meter->values[i] = (float)aim;
        }
    }
}

static double finish_gate_changes(const throng_world *world, thg_meter *meter)
{
    int count = 0, population = thg_meter_population(world, meter);
    THG_EACH_TRACK(world, meter, i)
    {
        count += (int)meter->more[i] > meter->expectation->times;
    }
    return population > 0 ? (double)count / population : 0.0;
}

// ---- Headings ----------------------------------------------------------------------------------

/// Of those who walk, how many head where the field now leads. total of count.
static void observe_turned(const throng_world *world, thg_meter *meter)
{
    double sine, cosine;
    if (!thg_meter_moment(world, meter, meter->expectation->by)) {
        return;
    }
    thg_turn(meter->expectation->angle_deg, &sine, &cosine);
    THG_EACH_TRACK(world, meter, i)
    {
        const thg_track *track = &world->tracks[i];
        const throng_field *field =
            thg_track_alive(world, track) ? thg_track_field(world, track) : NULL;
        if (field == NULL || track->status == THRONG_ARRIVED) {
            continue;
        }
        throng_sample sample = throng_field_sample(field, track->last);
        throng_vec2 way = sample.direction, velocity = track->velocity;
        double speed = sqrt((double)velocity.x * velocity.x + (double)velocity.y * velocity.y);
        double along = (double)way.x * velocity.x + (double)way.y * velocity.y;
        if (sample.reached) {
            meter->count++;
            meter->total += speed > 0.05 && along >= cosine * speed - 1e-6;
        }
    }
}

static double finish_turned(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->count > 0 ? (double)meter->total / meter->count : 0.0;
}

// ---- The clock ---------------------------------------------------------------------------------

static int compare_floats(const void *a, const void *b)
{
    float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

/// The value that `percentile` of the steps in the span do not exceed; 0 when there is none.
static double tick_percentile(const throng_world *world, double from, double to, double percentile)
{
    double rate = world->model->steps_per_second;
    int first = (int)fmin(fmax(from * rate, 0.0), (double)world->tick_count);
    int end = (int)fmin(fmax(to * rate, 0.0), (double)world->tick_count);
    int count = end - first;
    float *sorted = count > 0 ? malloc((size_t)count * sizeof *sorted) : NULL;
    if (sorted == NULL) {
        return count > 0 ? INFINITY : 0.0;
    }
    for (int i = 0; i < count; i++) {
        sorted[i] = world->ticks[first + i];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_floats);
    int index = (int)ceil(percentile / 100.0 * count) - 1;
    double value = sorted[index < 0 ? 0 : index];
    free(sorted);
    return value;
}

static double finish_tick_time(const throng_world *world, thg_meter *meter)
{
    const thg_expectation *expectation = meter->expectation;
    return 1000.0 *
           tick_percentile(world, expectation->from, expectation->to, expectation->percentile);
}

/// The slowest step of the run over the median of a span.
static double finish_tick_ratio(const throng_world *world, thg_meter *meter)
{
    double median = tick_percentile(world, meter->expectation->from, meter->expectation->to, 50.0);
    return median > 0.0 ? world->slowest_tick / median : INFINITY;
}

#define SPAN (BIT(FROM) | BIT(TO))

const thg_measure thg_measures_run[] = {
    {"gate_count", BIT(GATE), BIT(AGENTS) | SPAN, false, false, observe_gates, finish_gate_count},
    {"gate_share", BIT(GATE), BIT(AGENTS) | SPAN, false, false, observe_gates, finish_gate_share},
    {"gate_balance", BIT(GATE), BIT(AGENTS) | BIT(SHARE), false, true, observe_balance,
     finish_balance},
    {"gate_changes_share", BIT(TIMES), BIT(AGENTS), false, false, observe_aims,
     finish_gate_changes},
    {"turned_share", BIT(BY), BIT(AGENTS) | BIT(ANGLE), false, true, observe_turned, finish_turned},
    {"tick_time", 0, SPAN | BIT(PERCENTILE), true, false, NULL, finish_tick_time},
    {"tick_ratio", 0, SPAN, true, false, NULL, finish_tick_ratio},
    {"hash_differences", 0, BIT(THREADS) | BIT(RUNS) | BIT(EVERY), false, false, NULL, NULL},
    {0},
};
