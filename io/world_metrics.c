/// Following every agent through the steps, and the summary that comes of it.
#include "world_model.h"
#include <math.h>
#include <stdlib.h>

static void follow_row(throng_world *world, const throng_agents_view *agents, int row)
{
    thg_track *track = thg_world_track_of(world, agents->id[row]);
    if (track == NULL) {
        return;
    }
    throng_vec2 place = {agents->x[row], agents->y[row]};
    track->moved = track->jumped ? 0.0f : thg_world_apart(world, track->last, place);
    track->before = track->jumped ? place : track->last;
    track->jumped = false;
    track->last = place;
    track->velocity = (throng_vec2){agents->vx[row], agents->vy[row]};
    track->walked += (double)track->moved;
    track->status = agents->status[row];
    track->ever |= (uint8_t)(1u << track->status);
    track->stamp = world->steps;
    if (track->status == THRONG_WALKING || track->status == THRONG_STUCK) {
        track->walking_time += world->dt;
        track->walking_way += (double)track->moved;
    }
}

/// The cost where the order found the agent; asked again until there is an answer. A way to a goal
/// that moves has no length of its own.
static void find_ideal(const throng_world *world, thg_track *track)
{
    int class_index = world->model->profiles[track->profile].def.class_index;
    throng_sample sample =
        throng_crowd_way(world->crowd, world->goals[track->goal].id, class_index, track->from);
    track->ideal = sample.reached ? sample.cost : 0.0f;
}

void thg_world_follow(throng_world *world)
{
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    for (int row = 0; row < agents.count; row++) {
        follow_row(world, &agents, row);
    }
    int event_count;
    const throng_event *events = throng_crowd_events(world->crowd, &event_count);
    float time = (float)throng_crowd_time(world->crowd);
    for (int i = 0; i < event_count; i++) {
        thg_track *track = thg_world_track_of(world, events[i].agent);
        if (track == NULL) {
            continue;
        }
        if (events[i].kind == THRONG_EVENT_ARRIVED) {
            track->arrived = track->arrived < 0.0f ? time : track->arrived;
            track->ever |= (uint8_t)(1u << THRONG_ARRIVED);
        } else if (events[i].kind == THRONG_EVENT_UNREACHABLE) {
            track->ever |= (uint8_t)(1u << THRONG_CUT_OFF);
        } else if (events[i].kind == THRONG_EVENT_REMOVED) {
            track->left = true;
        }
    }
    for (int i = 0; i < world->track_count; i++) {
        int goal = world->tracks[i].goal;
        if (world->tracks[i].ideal == 0.0f && goal >= 0 && !thg_world_goal_moves(world, goal)) {
            find_ideal(world, &world->tracks[i]);
        }
    }
}

static int compare_floats(const void *a, const void *b)
{
    float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

/// Mean and 95th percentile of the seconds that arriving took.
static void sum_up_arrivals(const throng_world *world, throng_world_summary *summary)
{
    float *times = malloc(((size_t)world->track_count + 1) * sizeof *times);
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < world->track_count && times != NULL; i++) {
        const thg_track *track = &world->tracks[i];
        if (track->arrived >= 0.0f) {
            times[count] = track->arrived - track->since;
            sum += (double)times[count++];
        }
    }
    if (count > 0) {
        qsort(times, (size_t)count, sizeof *times, compare_floats);
        summary->mean_arrival = sum / count;
        summary->percentile_95_arrival = times[(int)ceil(0.95 * count) - 1];
    }
    free(times);
}

throng_world_summary throng_world_get_summary(const throng_world *world)
{
    const thg_contacts *contacts = &world->contacts;
    throng_world_summary summary = {
        .spawned = world->track_count,
        .worst_overlap = contacts->worst_overlap,
        .worst_wall = contacts->worst_penetration,
        .smallest_distance = contacts->worst_distance,
        .in_walls = contacts->in_wall < INT32_MAX ? (int)contacts->in_wall : INT32_MAX,
        .not_finite = contacts->not_finite < INT32_MAX ? (int)contacts->not_finite : INT32_MAX,
        .steps = world->steps,
        .seconds = throng_crowd_time(world->crowd),
        .wall_seconds = world->tick_seconds,
        .slowest_step = world->slowest_tick,
        .flags = world->flags,
    };
    double way = 0.0, time = 0.0;
    for (int i = 0; i < world->track_count; i++) {
        const thg_track *track = &world->tracks[i];
        summary.arrived += track->arrived >= 0.0f;
        summary.removed += track->left && track->arrived >= 0.0f;
        way += track->walking_way;
        time += track->walking_time;
    }
    summary.mean_speed = time > 0.0 ? way / time : 0.0;
    if (world->polarisation_looks > 0) {
        summary.polarisation = world->polarisation_sum / world->polarisation_looks;
    }
    if (world->lane_order_looks > 0) {
        summary.lane_order = world->lane_order_sum / world->lane_order_looks;
    }
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    for (int i = 0; i < agents.count; i++) {
        summary.walking += agents.status[i] == THRONG_WALKING;
        summary.idle += agents.status[i] == THRONG_IDLE;
        summary.stuck += agents.status[i] == THRONG_STUCK;
        summary.cut_off += agents.status[i] == THRONG_CUT_OFF;
    }
    sum_up_arrivals(world, &summary);
    return summary;
}
