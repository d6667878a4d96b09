/// What a scene has for each moment: edits, orders, teleports, removals, odd steps and sources.
#include "world_model.h"

static throng_result edit(throng_world *world, const thg_event *event)
{
    throng_result result = THRONG_OK;
    for (int i = 0; i < event->rects.count && result == THRONG_OK; i++) {
        result = throng_crowd_edit_rect(world->crowd, thg_world_cells(world, event->rects.items[i]),
                                        world->terrain_kind[event->terrain]);
    }
    return result;
}

static throng_result order(throng_world *world, const thg_event *event, thg_track *track)
{
    throng_goal_id none = {0, 0};
    throng_result result = throng_crowd_order(
        world->crowd, track->id, event->goal >= 0 ? world->goals[event->goal].id : none);
    if (result == THRONG_OK) {
        track->goal = event->goal;
        track->from = track->last;
        track->since = (float)throng_crowd_time(world->crowd);
        track->arrived = -1.0f;
        track->ideal = 0.0f;
    }
    return result;
}

static throng_result teleport(throng_world *world, const thg_event *event, thg_track *track)
{
    throng_vec2 to = {track->last.x + event->by.x, track->last.y + event->by.y};
    int row = throng_crowd_find(world->crowd, track->id);
    if (row >= 0) { // the view knows better than a world that does not measure
        throng_agents_view agents = throng_crowd_agents(world->crowd);
        to.x = agents.x[row] + event->by.x;
        to.y = agents.y[row] + event->by.y;
    }
    track->jumped = true;
    return throng_crowd_teleport(world->crowd, track->id, event->has_to ? event->to : to);
}

/// On from where it is now, at the event's velocity.
static throng_result drive(throng_world *world, const thg_event *event, const thg_track *track)
{
    throng_vec2 here = track->last;
    int row = throng_crowd_find(world->crowd, track->id);
    if (row >= 0) {
        throng_agents_view agents = throng_crowd_agents(world->crowd);
        here = (throng_vec2){agents.x[row], agents.y[row]};
    }
    return throng_crowd_move_kinematic(world->crowd, track->id, here, event->velocity);
}

/// Agents of the event's groups, in spawn order. Those who have gone are passed over.
static throng_result apply_to_agents(throng_world *world, const thg_event *event)
{
    for (int i = 0; i < world->track_count; i++) {
        thg_track *track = &world->tracks[i];
        if ((event->groups >> track->group & 1) == 0) {
            continue;
        }
        throng_result result;
        switch (event->form) {
        case THG_EVENT_ORDER:
            result = order(world, event, track);
            break;
        case THG_EVENT_TELEPORT:
            result = teleport(world, event, track);
            break;
        case THG_EVENT_DRIVE:
            result = drive(world, event, track);
            break;
        case THG_EVENT_TEAM:
            result = throng_crowd_set_team(world->crowd, track->id, event->team);
            break;
        default:
            result = throng_crowd_remove(world->crowd, track->id);
        }
        if (result == THRONG_NO_MEMORY) {
            return result;
        }
    }
    return THRONG_OK;
}

double thg_world_schedule(throng_world *world, double time, bool apply)
{
    const thg_scene_model *model = world->model;
    double dt = (double)(1.0f / model->steps_per_second);
    throng_result result = THRONG_OK;
    while (world->next_event < model->event_count &&
           model->events[world->next_event].at <= time + THG_TIME_SLACK) {
        const thg_event *event = &model->events[world->next_event++];
        if (event->form == THG_EVENT_STEP) {
            dt = (double)event->step;
        } else if (apply && result == THRONG_OK) {
            result =
                event->form == THG_EVENT_EDIT ? edit(world, event) : apply_to_agents(world, event);
        }
    }
    if (apply && result == THRONG_OK) {
        result = thg_world_run_sources(world, time);
    }
    for (int i = 0; i < model->group_count && !apply; i++) {
        const thg_group *group = &model->groups[i];
        world->produced[i] = group->form == THG_SOURCE ? thg_source_due(group, time) : 0;
    }
    if (result != THRONG_OK) {
        world->flags |= THRONG_WORLD_NO_MEMORY;
    }
    return dt;
}
