/// What a crowd looks like from outside: closeness, density, headings, jams, contact states.
///
/// Taken from the crowd's view with bins of its own, every few steps: what is checked must not rest
/// on what does the work. Density is a whole number of agents within THG_DENSITY_REACH, the agent
/// itself included, over the area of that circle (walls are not left out of it). Headings are
/// compared every THG_HEADING_EVERY seconds.
#include "metrics.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BINS (1 << 22)
#define PI 3.14159265358979

double thg_density_of(int count)
{
    return count / (PI * THG_DENSITY_REACH * THG_DENSITY_REACH);
}

// ---- Memory ------------------------------------------------------------------------------------

/// Metres that have to be looked round each agent.
static float reach_of(const throng_world *world)
{
    float reach = fmaxf(THG_DENSITY_REACH, world->options.near);
    for (int i = 0; i < world->model->profile_count; i++) {
        reach = fmaxf(reach, 2.0f * world->model->profiles[i].def.radius);
    }
    for (int i = 0; i < world->model->expectation_count; i++) {
        const thg_expectation *expectation = &world->model->expectations[i];
        bool near = strcmp(expectation->measure->name, "near_share") == 0;
        reach = near ? fmaxf(reach, expectation->limit) : reach;
    }
    return reach;
}

bool thg_metrics_create(throng_world *world)
{
    thg_metrics *metrics = &world->metrics;
    float cell = throng_map_cell_size(world->map);
    float width = (float)throng_map_width(world->map) * cell;
    float height = (float)throng_map_height(world->map) * cell;
    metrics->size = reach_of(world);
    while ((width / metrics->size + 1.0f) * (height / metrics->size + 1.0f) > (float)MAX_BINS) {
        metrics->size *= 1.5f;
    }
    metrics->width = (int)(width / metrics->size) + 1;
    metrics->height = (int)(height / metrics->size) + 1;
    int every = world->options.measure_every;
    metrics->every = every > THG_METRICS_EVERY ? every : THG_METRICS_EVERY;
    size_t bins = (size_t)metrics->width * (size_t)metrics->height;
    metrics->start = malloc((bins + 1) * sizeof *metrics->start);
    metrics->order = malloc(((size_t)world->max_agents + 1) * sizeof *metrics->order);
    metrics->looks = malloc(((size_t)world->max_agents + 1) * sizeof *metrics->looks);
    return metrics->start != NULL && metrics->order != NULL && metrics->looks != NULL;
}

void thg_metrics_destroy(throng_world *world)
{
    free(world->metrics.start);
    free(world->metrics.order);
    free(world->metrics.looks);
    world->metrics = (thg_metrics){0};
}

// ---- One look ----------------------------------------------------------------------------------

static int along(float offset, float size, int count)
{
    float scaled = offset / size;
    return scaled > 0.0f ? (scaled < (float)count ? (int)scaled : count - 1) : 0; // NaN: 0
}

static int bin_of(const throng_world *world, const throng_agents_view *agents, int row)
{
    const thg_metrics *metrics = &world->metrics;
    throng_vec2 origin = throng_map_origin(world->map);
    return along(agents->y[row] - origin.y, metrics->size, metrics->height) * metrics->width +
           along(agents->x[row] - origin.x, metrics->size, metrics->width);
}

/// Counting sort of the rows by bin: start[bin] to start[bin + 1].
static void fill_bins(throng_world *world, const throng_agents_view *agents, int count)
{
    thg_metrics *metrics = &world->metrics;
    int bins = metrics->width * metrics->height;
    memset(metrics->start, 0, ((size_t)bins + 1) * sizeof *metrics->start);
    for (int row = 0; row < count; row++) {
        metrics->start[bin_of(world, agents, row)]++;
    }
    int sum = 0;
    for (int bin = 0; bin <= bins; bin++) {
        sum += metrics->start[bin];
        metrics->start[bin] = sum;
    }
    for (int row = count - 1; row >= 0; row--) {
        metrics->order[--metrics->start[bin_of(world, agents, row)]] = row;
    }
}

static void look_at_other(const throng_agents_view *agents, int row, int other, thg_look *look)
{
    float dx = agents->x[other] - agents->x[row], dy = agents->y[other] - agents->y[row];
    float square = dx * dx + dy * dy;
    look->around += square < THG_DENSITY_REACH * THG_DENSITY_REACH;
    if (other == row) {
        return;
    }
    float reach = agents->radius[row] + agents->radius[other];
    if (square < look->nearest * look->nearest) {
        look->nearest = sqrtf(square);
    }
    if (square < reach * reach) {
        float smaller = fminf(agents->radius[row], agents->radius[other]);
        look->overlap = fmaxf(look->overlap, (reach - sqrtf(square)) / smaller);
    }
}

static void look_round(throng_world *world, const throng_agents_view *agents, int row)
{
    thg_metrics *metrics = &world->metrics;
    thg_look *look = &metrics->looks[row];
    *look = (thg_look){.nearest = INFINITY};
    int bin = bin_of(world, agents, row);
    int x = bin % metrics->width, y = bin / metrics->width;
    int x0 = x > 0 ? x - 1 : 0, x1 = x + 1 < metrics->width ? x + 1 : x;
    for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < metrics->height; v++) {
        int end = metrics->start[v * metrics->width + x1 + 1];
        for (int i = metrics->start[v * metrics->width + x0]; i < end; i++) {
            look_at_other(agents, row, metrics->order[i], look);
        }
    }
}

// ---- The run as a whole ------------------------------------------------------------------------

int thg_density_class(double density)
{
    return density < THG_DENSITY_FREE ? 0 : density < THG_DENSITY_JAM ? 1 : 2;
}

static bool on_the_way(uint8_t status)
{
    return status == THRONG_WALKING || status == THRONG_STUCK;
}

static void sum_up_row(throng_world *world, const throng_agents_view *agents, int row)
{
    thg_metrics *metrics = &world->metrics;
    const thg_look *look = &metrics->looks[row];
    metrics->looked++;
    metrics->near += look->nearest < world->options.near;
    int bucket = (int)((double)look->overlap * (THG_OVERLAP_BUCKETS / THG_OVERLAP_TOP));
    metrics->overlaps[bucket < THG_OVERLAP_BUCKETS ? bucket : THG_OVERLAP_BUCKETS - 1]++;
    if (on_the_way(agents->status[row])) {
        float wanted = world->model->profiles[agents->profile[row]].def.speed;
        float vx = agents->vx[row], vy = agents->vy[row];
        int kind = thg_density_class(thg_density_of(look->around));
        metrics->contact[agents->contact[row] % 3]++;
        if (wanted > 0.0f) {
            metrics->speed_count[kind]++;
            metrics->speed_sum[kind] += sqrt((double)vx * vx + (double)vy * vy) / wanted;
        }
    }
}

/// Headings of one track against those of the last look; a turn of less than a degree is none.
static void follow_heading(thg_track *track, double seconds)
{
    throng_vec2 velocity = track->velocity, before = track->heading;
    float speed = sqrtf(velocity.x * velocity.x + velocity.y * velocity.y);
    track->flipped = false;
    track->headed = 0.0f;
    if (speed <= THG_HEADING_SPEED) {
        track->heading = (throng_vec2){0.0f, 0.0f};
        return;
    }
    throng_vec2 heading = {velocity.x / speed, velocity.y / speed};
    float turn = before.x * heading.y - before.y * heading.x;
    if (before.x != 0.0f || before.y != 0.0f) {
        track->headed = (float)seconds;
        if (turn > THG_HEADING_TURN || turn < -THG_HEADING_TURN) {
            int8_t side = turn > 0.0f ? 1 : -1;
            track->flipped = track->turning == -side;
            track->turning = side;
        }
    }
    track->heading = heading;
}

static void follow_headings(throng_world *world)
{
    thg_metrics *metrics = &world->metrics;
    double time = throng_crowd_time(world->crowd);
    metrics->headings_fresh = time + THG_TIME_SLACK >= metrics->next_heading;
    if (!metrics->headings_fresh) {
        return;
    }
    double seconds = time - metrics->last_heading;
    metrics->last_heading = time;
    metrics->next_heading = time + THG_HEADING_EVERY;
    for (int i = 0; i < world->track_count; i++) {
        thg_track *track = &world->tracks[i];
        if (thg_track_alive(world, track)) {
            follow_heading(track, seconds);
            metrics->flips += track->flipped;
            metrics->headed += (double)track->headed;
        } else {
            track->flipped = false;
            track->headed = 0.0f;
        }
    }
}

void thg_metrics_look(throng_world *world)
{
    thg_metrics *metrics = &world->metrics;
    for (int i = 0; i < world->track_count; i++) {
        thg_track *track = &world->tracks[i];
        float wanted = world->model->profiles[track->profile].def.speed * THG_JAM_SPEED;
        throng_vec2 v = track->velocity;
        track->jammed = thg_track_alive(world, track) && on_the_way(track->status) &&
                        v.x * v.x + v.y * v.y < wanted * wanted;
        metrics->jam_seconds += track->jammed ? world->dt : 0.0;
    }
    follow_headings(world);
    metrics->fresh = world->steps % (uint64_t)metrics->every == 0;
    if (!metrics->fresh) {
        return;
    }
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    int count = agents.count < world->max_agents ? agents.count : world->max_agents;
    fill_bins(world, &agents, count);
    for (int row = 0; row < count; row++) {
        look_round(world, &agents, row);
        sum_up_row(world, &agents, row);
    }
}

double thg_overlap_percentile(const uint64_t *buckets, double percentile)
{
    uint64_t all = 0, below = 0;
    for (int i = 0; i < THG_OVERLAP_BUCKETS; i++) {
        all += buckets[i];
    }
    for (int i = 0; i < THG_OVERLAP_BUCKETS; i++) {
        below += buckets[i];
        if ((double)below >= percentile / 100.0 * (double)all) {
            return i * (THG_OVERLAP_TOP / THG_OVERLAP_BUCKETS);
        }
    }
    return THG_OVERLAP_TOP;
}

throng_world_metrics throng_world_get_metrics(const throng_world *world)
{
    const thg_metrics *metrics = &world->metrics;
    throng_world_metrics sum = {
        .near = world->options.near,
        .near_share = metrics->looked > 0 ? (double)metrics->near / (double)metrics->looked : 0.0,
        .overlap_50 = thg_overlap_percentile(metrics->overlaps, 50.0),
        .overlap_99 = thg_overlap_percentile(metrics->overlaps, 99.0),
        .overlap_999 = thg_overlap_percentile(metrics->overlaps, 99.9),
        .flips = metrics->headed > 0.0 ? (double)metrics->flips / metrics->headed : 0.0,
        .jam_seconds = world->track_count > 0 ? metrics->jam_seconds / world->track_count : 0.0,
    };
    uint64_t contacts = metrics->contact[0] + metrics->contact[1] + metrics->contact[2];
    for (int i = 0; i < 3; i++) {
        sum.contact_share[i] = contacts > 0 ? (double)metrics->contact[i] / (double)contacts : 0.0;
        sum.speed_share[i] = metrics->speed_count[i] > 0
                                 ? metrics->speed_sum[i] / (double)metrics->speed_count[i]
                                 : 0.0;
        sum.speed_count[i] = metrics->speed_count[i];
    }
    double ratios = 0.0;
    int count = 0;
    for (int i = 0; i < world->track_count; i++) {
        const thg_track *track = &world->tracks[i];
        if (track->arrived >= 0.0f && track->ideal > 0.0f) {
            ratios += track->walked / (double)track->ideal;
            count++;
        }
    }
    sum.detour = count > 0 ? ratios / count : 0.0;
    return sum;
}
