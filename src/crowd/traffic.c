/// Crowd in the cost: counts a few times a second who is where and goes which way, and keeps the
/// fields of all goals up to what that makes of the prices, one after the other within the budget.
#include "crowd/crowd.h"

#define COUNT_EVERY 0.1f   ///< seconds between two counts
#define REFRESH_EVERY 0.3f ///< seconds between two solves of one field, where the budget allows
#define TURN_TIME 0.7f     ///< seconds that everyone is given to turn after an edit
#define PI 3.14159265f

throng_result thg_crowd_traffic_create(throng_crowd *crowd)
{
    if (!(crowd->def.traffic > 0.0f) || crowd->map->planet != NULL) {
        return THRONG_OK;
    }
    crowd->traffic.price = thg_allocate(crowd->map->padded_count, sizeof *crowd->traffic.price);
    return crowd->traffic.price == NULL ? THRONG_NO_MEMORY
                                        : thg_traffic_create(crowd->map, &crowd->traffic.blocks);
}

void thg_crowd_traffic_destroy(throng_crowd *crowd)
{
    thg_release(crowd->traffic.price, crowd->map->padded_count, sizeof *crowd->traffic.price);
    thg_traffic_destroy(crowd->traffic.blocks);
}

/// What an agent takes of the ground, and what it does there.
static thg_traffic_block presence(const throng_crowd *crowd, int row)
{
    const thg_columns *columns = &crowd->columns;
    const throng_profile_def *profile = &crowd->profiles[columns->profile[row]].def;
    float area = PI * profile->radius * profile->radius * (float)THG_TRAFFIC_AREA;
    thg_traffic_block disc = {.area = (int32_t)area};
    float speed = profile->speed * columns->pace[row];
    float wish_x = crowd->derived.wish_x[row], wish_y = crowd->derived.wish_y[row];
    float wish = sqrtf(wish_x * wish_x + wish_y * wish_y);
    bool moves = profile->kinematic || thg_row_walks(crowd, row);
    if (moves && speed > 0.0f && wish > 0.0f) {
        // As fast as they are, but where they want to: who turns round is not in his own way.
        float vx = columns->vx[row], vy = columns->vy[row];
        float pace = area * thg_clamp(sqrtf(vx * vx + vy * vy) / speed, 0.0f, 1.0f);
        disc.pace = (int32_t)pace;
        disc.along_x = (int32_t)(pace * (wish_x / wish));
        disc.along_y = (int32_t)(pace * (wish_y / wish));
    } else if (!moves && !thg_teams_is_fixed(crowd, row)) {
        disc.yielding = disc.area;
    }
    return disc;
}

static void count(throng_crowd *crowd)
{
    thg_traffic *blocks = crowd->traffic.blocks;
    thg_traffic_begin(blocks);
    for (int row = 0; row < crowd->agent_count; row++) {
        thg_traffic_block disc = presence(crowd, row);
        thg_traffic_add(blocks, (throng_vec2){crowd->columns.x[row], crowd->columns.y[row]}, &disc);
    }
    thg_traffic_end(blocks);
    if (crowd->field_queue_count == 0) {
        crowd->traffic.turning = false; // they have read their new fields
    }
    thg_traffic_forget_ways(blocks, crowd->traffic.turning);
}

void thg_stage_traffic_run(thg_step *step)
{
    throng_crowd *crowd = step->crowd;
    thg_crowd_traffic *traffic = &crowd->traffic;
    if (traffic->blocks == NULL && crowd->moving_goals == 0) {
        return;
    }
    traffic->count_age += step->dt;
    traffic->round_age += step->dt;
    if (traffic->blocks != NULL && (traffic->count_age >= COUNT_EVERY || traffic->turning)) {
        traffic->count_age = 0.0f;
        count(crowd);
    }
    if (traffic->round_age >= REFRESH_EVERY && traffic->next == 0) {
        traffic->round_age = 0.0f;
        traffic->next = THRONG_MAX_CLASSES; // goals count from 1
    }
}

/// True for a field that is worth another solve.
static bool is_stale(const throng_crowd *crowd, const thg_goal *goal, const thg_goal_field *field)
{
    const thg_traffic *blocks = crowd->traffic.blocks;
    return (field->field != NULL || field->sphere != NULL) && field->solved_for != 0 &&
           goal->agent_area > 0 &&
           (field->priced || (blocks != NULL && !thg_traffic_is_calm(blocks)) ||
            thg_goal_has_moved(goal, field));
}

void thg_crowd_traffic_turn(throng_crowd *crowd)
{
    if (crowd->traffic.blocks != NULL) {
        crowd->traffic.turning = true;
        crowd->traffic.round_age = -TURN_TIME;
        thg_traffic_forget_ways(crowd->traffic.blocks, true);
    }
}

uint32_t thg_crowd_traffic_entry(throng_crowd *crowd)
{
    uint32_t end = (uint32_t)(crowd->def.max_goals + 1) * THRONG_MAX_CLASSES;
    uint32_t entry = crowd->traffic.next;
    for (; entry != 0 && entry < end; entry++) {
        const thg_goal *goal = &crowd->goals[entry / THRONG_MAX_CLASSES];
        if (!goal->used) {
            entry |= THRONG_MAX_CLASSES - 1;
        } else if (is_stale(crowd, goal, &goal->fields[entry % THRONG_MAX_CLASSES])) {
            break;
        }
    }
    crowd->traffic.next = entry < end ? entry : 0;
    return crowd->traffic.next;
}

void thg_crowd_traffic_price(throng_crowd *crowd, thg_goal_field *field)
{
    thg_crowd_traffic *traffic = &crowd->traffic;
    traffic->pricing = traffic->blocks != NULL && !thg_traffic_is_calm(traffic->blocks);
    if (traffic->pricing) {
        traffic->prices =
            thg_traffic_price(traffic->blocks, field->field, crowd->def.traffic, traffic->price);
    }
    thg_field_set_prices(field->field, traffic->pricing ? &traffic->prices : NULL);
}
