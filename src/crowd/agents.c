/// Agents: ids and rows, what is derived from them, and the views through which hosts read them.
#include "crowd/flock.h"
#include "crowd/planet.h"
#include "crowd/routes.h"

void thg_agents_derive(throng_crowd *crowd, int first, int end)
{
    thg_columns *columns = &crowd->columns;
    thg_derived *derived = &crowd->derived;
    for (int row = first; row < end; row++) {
        const thg_profile *profile = &crowd->profiles[columns->profile[row]];
        uint8_t status = columns->status[row];
        bool walks = thg_row_walks(crowd, row);
        if (profile->def.kinematic) { // whoever is driven counts as one who walks
            walks = columns->vx[row] != 0.0f || columns->vy[row] != 0.0f;
        }
        // One who stands without a goal gives way; one who has arrived holds his place.
        float ease = status == THRONG_IDLE ? 1.5f : status == THRONG_ARRIVED ? 0.6f : 1.0f;
        derived->radius[row] = profile->def.radius;
        derived->yield[row] = profile->yield * ease;
        // Those on a steering order alone go to a goal that nobody stands at.
        int goal = columns->goal[row] != 0 || !walks ? columns->goal[row] : THG_NO_GOAL_KEY;
        derived->key[row] = (float)(2 * goal + (walks ? 0 : 1));
        derived->stir[row] = walks ? THG_STIR_WALKING : columns->disturbed[row] - THG_STIR_LOSS;
        derived->from_x[row] = columns->x[row];
        derived->from_y[row] = columns->y[row];
        if (profile->def.anchored || profile->def.kinematic) {
            bool fixed = thg_teams_is_fixed(crowd, row);
            derived->yield[row] = fixed ? THG_FIXED_YIELD : profile->yield * THG_WALKING_ANCHOR;
        }
    }
    if (crowd->asks_who) {
        thg_teams_derive(crowd, first, end);
    }
}

void thg_agents_drop_gone(throng_crowd *crowd)
{
    thg_columns *columns = &crowd->columns;
    int kept = 0;
    if (!crowd->rows_gone) {
        return;
    }
    for (int row = 0; row < crowd->agent_count; row++) {
        if (columns->status[row] == THG_STATUS_GONE) {
            continue;
        }
        if (kept != row) {
#define THG_COLUMN(type, name) columns->name[kept] = columns->name[row];
#include "crowd/columns.inc"
#undef THG_COLUMN
        }
        kept++;
    }
    crowd->agent_count = kept;
    crowd->rows_gone = false;
    crowd->rows_moved = true;
    crowd->bins.known = false;
}

static void index_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    (void)block;
    for (int row = first; row < end; row++) {
        uint32_t slot = crowd->columns.slot[row];
        crowd->slots[slot].row = row;
        crowd->ids[row] = (throng_agent_id){slot, crowd->slots[slot].generation};
        crowd->derived.radius[row] = crowd->profiles[crowd->columns.profile[row]].def.radius;
    }
}

void thg_agents_index(throng_crowd *crowd)
{
    if (crowd->rows_moved) {
        thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK, index_rows, crowd);
        crowd->rows_moved = false;
        if (crowd->derived.spots != NULL) {
            thg_spots_refresh(crowd);
        }
    }
}

int thg_agents_row(const throng_crowd *crowd, uint32_t slot, uint32_t generation)
{
    if (slot == 0 || slot > (uint32_t)crowd->def.max_agents ||
        crowd->slots[slot].generation != generation) {
        return THG_ROW_FREE;
    }
    return crowd->slots[slot].row;
}

bool thg_is_steered(const throng_crowd *crowd, int row)
{
    return crowd->steers != NULL &&
           crowd->steers[crowd->columns.slot[row]].kind != THRONG_STEER_NONE;
}

void thg_agents_end(throng_crowd *crowd, int row)
{
    uint32_t slot = crowd->columns.slot[row];
    if (crowd->steers != NULL) {
        crowd->steers[slot] = (thg_steer){0};
    }
    if (crowd->routes != NULL && crowd->routes->ways != NULL) {
        crowd->routes->ways[slot] = (thg_way){0};
    }
    thg_agents_set_status(crowd, row, THRONG_IDLE);
    thg_goal_count(crowd, crowd->columns.goal[row], crowd->columns.profile[row], -1);
    crowd->columns.goal[row] = 0;
    crowd->columns.status[row] = THG_STATUS_GONE;
    crowd->rows_gone = true;
    crowd->slots[slot].row = THG_ROW_FREE;
    crowd->free_slots[crowd->free_count++] = slot;
}

throng_agents_view throng_crowd_agents(const throng_crowd *crowd)
{
    const thg_columns *columns = &crowd->columns;
    return (throng_agents_view){
        .count = crowd->agent_count,
        .id = crowd->ids,
        .x = columns->x,
        .y = columns->y,
        .vx = columns->vx,
        .vy = columns->vy,
        .radius = crowd->derived.radius,
        .status = columns->status,
        .contact = columns->contact,
        .profile = columns->profile,
        .goal = columns->goal,
        .team = columns->team,
    };
}

int throng_crowd_find(const throng_crowd *crowd, throng_agent_id agent)
{
    int row = thg_agents_row(crowd, agent.slot, agent.generation);
    return row >= 0 ? row : -1;
}

const char *throng_status_name(throng_status status)
{
    static const char *const names[] = {"idle", "walking", "arrived", "stuck", "cut off"};
    return (unsigned)status < 5 ? names[status] : "unknown";
}

double throng_crowd_time(const throng_crowd *crowd)
{
    return crowd->time;
}

uint64_t throng_crowd_step_count(const throng_crowd *crowd)
{
    return crowd->step_count;
}

throng_map *throng_crowd_map(const throng_crowd *crowd)
{
    return crowd->map;
}

int throng_crowd_profile_count(const throng_crowd *crowd)
{
    return crowd->profile_count;
}

throng_profile_def throng_crowd_profile(const throng_crowd *crowd, int profile)
{
    THRONG_ASSERT(profile >= 0 && profile < crowd->profile_count);
    return crowd->profiles[profile].def;
}

const throng_event *throng_crowd_events(const throng_crowd *crowd, int *count)
{
    *count = crowd->event_count;
    return crowd->events;
}

const throng_stage_time *throng_crowd_stage_times(const throng_crowd *crowd, int *count)
{
    *count = THG_STAGE_COUNT;
    return crowd->stage_times;
}
