/// What a scene has for each moment: edits, orders, teleports, removals, odd steps and sources.
#include "world_model.h"

static throng_result edit(throng_world *world, const thg_event *event)
{
    throng_result result = THRONG_OK;
    int kind = world->terrain_kind[event->terrain];
    bool turned = world->arrangement.turn_deg != 0.0f;
    for (int i = 0; i < event->rects.count && result == THRONG_OK; i++) {
        throng_rect rect = event->rects.items[i];
        if (world->planet != NULL) {
            result = thg_planet_edit(world, &rect, kind);
            continue;
        }
        throng_cell_rect cells = thg_world_cells(world, rect);
        int rows = turned ? cells.height : 1; // one that is not turned is one edit
        for (int y = 0; y < rows && result == THRONG_OK; y++) {
            throng_cell_rect run = turned ? thg_world_run(world, rect, cells, cells.y + y) : cells;
            result = throng_crowd_edit_rect(world->crowd, run, kind);
        }
    }
    return result;
}

static throng_result order(throng_world *world, int goal, thg_track *track)
{
    throng_goal_id none = {0, 0};
    throng_result result =
        throng_crowd_order(world->crowd, track->id, goal >= 0 ? world->goals[goal].id : none);
    if (result == THRONG_OK) {
        track->goal = goal;
        track->from = track->last;
        track->since = (float)throng_crowd_time(world->crowd);
        track->arrived = -1.0f;
        track->ideal = 0.0f;
    }
    return result;
}

/// Sends those who make rounds on from where they have arrived.
static throng_result go_round(throng_world *world)
{
    bool any = false;
    for (int i = 0; i < world->model->group_count; i++) {
        any = any || world->model->groups[i].round_count > 0;
    }
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    for (int row = 0; row < agents.count && any; row++) {
        thg_track *track =
            agents.status[row] == THRONG_ARRIVED ? thg_world_track_of(world, agents.id[row]) : NULL;
        const thg_group *group = track != NULL ? &world->model->groups[track->group] : NULL;
        for (int i = 0; group != NULL && i < group->round_count; i++) {
            if (group->rounds[i] == track->goal) {
                if (order(world, group->rounds[(i + 1) % group->round_count], track) ==
                    THRONG_NO_MEMORY) {
                    return THRONG_NO_MEMORY;
                }
                break;
            }
        }
    }
    return THRONG_OK;
}

static throng_result teleport(throng_world *world, const thg_event *event, thg_track *track)
{
    throng_vec2 by = thg_world_turned_way(world, event->by);
    throng_vec2 to = {track->last.x + by.x, track->last.y + by.y};
    int row = throng_crowd_find(world->crowd, track->id);
    if (row >= 0) { // the view knows better than a world that does not measure
        throng_agents_view agents = throng_crowd_agents(world->crowd);
        to.x = agents.x[row] + by.x;
        to.y = agents.y[row] + by.y;
    }
    track->jumped = true;
    return throng_crowd_teleport(world->crowd, track->id,
                                 event->has_to ? thg_world_turned(world, event->to) : to);
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
    return throng_crowd_move_kinematic(world->crowd, track->id, here,
                                       thg_world_turned_way(world, event->velocity));
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
            result = order(world, event->goal, track);
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
    throng_result result = apply ? go_round(world) : THRONG_OK;
    while (world->next_event < model->event_count &&
           model->events[world->next_event].at <= time + THG_TIME_SLACK) {
        const thg_event *event = &model->events[world->next_event++];
        if (event->form == THG_EVENT_STEP) {
            dt = (double)event->step;
        } else if (apply && result == THRONG_OK) {
            result = event->form == THG_EVENT_EDIT ? edit(world, event)
                     : event->form == THG_EVENT_STEER
                         ? thg_world_steer(world, event->groups, 0, &event->steer)
                         : apply_to_agents(world, event);
        }
    }
    if (apply && result == THRONG_OK) {
        result = thg_world_run_sources(world, time);
    }
    if (apply && result == THRONG_OK) {
        result = thg_world_move_goals(world, time);
    }
    if (apply && result == THRONG_OK) {
        result = thg_world_hit_walls(world);
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
