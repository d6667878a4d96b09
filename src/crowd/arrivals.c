/// What came of it: velocities from the way made, who is there, who is stuck or cut off, and
/// events.
///
/// A crowd sent to one point packs round it. Whoever reaches the point stands; whoever touches one
/// that stands there, within the circle that those who stand already fill, stands too; so does
/// one who gets no nearer for a while within the circle of the whole group, and a little
/// later one who touches the crowd from outside. Where walls leave no circle, in a lane or a
/// corner, the crowd stands in line: one who gets nowhere has arrived when his way leads into one
/// who has. Those who stand close up as long as others come, and not a step longer: the place goes
/// dense, and quiet.
#include "crowd/flock.h"
#include "crowd/planet.h"
#include <float.h>
#include <math.h>

/// What a row's change of status is, found in parallel and applied in row order.
enum { NOTHING, PRESSES, ARRIVES, LEAVES, GETS_STUCK, GETS_FREE, IS_CUT_OFF, ORDER_ENDS };

void thg_event_add(throng_crowd *crowd, throng_event_kind kind, int row)
{
    if (crowd->event_count == crowd->event_capacity) {
        crowd->flags |= THRONG_STEP_EVENTS_LOST;
        return;
    }
    uint32_t slot = crowd->columns.slot[row], goal = crowd->columns.goal[row];
    crowd->events[crowd->event_count++] = (throng_event){
        .kind = kind,
        .agent = {slot, crowd->slots[slot].generation},
        .goal = {goal, goal != 0 ? crowd->goals[goal].generation : 0},
    };
}

void thg_agents_set_status(throng_crowd *crowd, int row, throng_status status)
{
    thg_columns *columns = &crowd->columns;
    int before = columns->status[row] == THRONG_ARRIVED, after = status == THRONG_ARRIVED;
    if (before != after) {
        thg_goal_count_settled(crowd, columns->goal[row], columns->profile[row], after - before);
    }
    columns->status[row] = (uint8_t)status;
    columns->home_x[row] = columns->anchor_x[row] = columns->x[row];
    columns->home_y[row] = columns->anchor_y[row] = columns->y[row];
    columns->anchor_age[row] = 0.0f;
    columns->disturbed[row] = 0.0f;
    if (!after) {
        columns->claim[row] = 0; // a place round the goal is only for who goes on to it
    }
    columns->quiet[row] = 0;
}

throng_status thg_agents_fresh_status(const throng_crowd *crowd, int row)
{
    return crowd->columns.goal[row] != 0 || thg_is_steered(crowd, row) ? THRONG_WALKING
                                                                       : THRONG_IDLE;
}

static bool inside_rects(const throng_goal_shape *shape, float x, float y)
{
    for (int i = 0; i < shape->rect_count; i++) {
        const throng_rect *rect = &shape->rects[i];
        if (x >= rect->min.x && x < rect->max.x && y >= rect->min.y && y < rect->max.y) {
            return true;
        }
    }
    return false;
}

static bool on_goal_cell(const throng_map *map, const throng_goal_shape *shape, float x, float y)
{
    int cell_x, cell_y;
    if (shape->cell_count == 0 || !throng_map_cell_at(map, (throng_vec2){x, y}, &cell_x, &cell_y)) {
        return false;
    }
    for (int i = 0; i < shape->cell_count; i++) {
        if (shape->cells[i] == cell_y * map->width + cell_x) {
            return true;
        }
    }
    return false;
}

/// True for a goal where a crowd stands round points.
static bool gathers(const thg_goal *goal)
{
    return !goal->def.remove_on_arrival && goal->def.shape.point_count != 0 && goal->slots == NULL;
}

static bool is_there(const throng_crowd *crowd, const thg_goal *goal, int row)
{
    const thg_columns *columns = &crowd->columns;
    float x = columns->x[row], y = columns->y[row];
    throng_vec2 point;
    if (goal->slots != NULL) {
        return thg_slots_is_there(crowd, row);
    }
    float square = thg_goal_nearest_point(crowd, row, &point);
    float radius = goal->def.arrive_radius;
    if (square <= radius * radius || inside_rects(&goal->def.shape, x, y) ||
        on_goal_cell(crowd->map, &goal->def.shape, x, y)) {
        return true;
    }
    if (!gathers(goal)) {
        return false;
    }
    float own = crowd->derived.radius[row];
    float blocked = thg_goal_pack_radius(goal, goal->agent_area) * THG_PACK_BLOCKED;
    blocked = blocked > 2.0f * own ? blocked : 2.0f * own; // there is room for a neighbour
    float touch = thg_goal_pack_radius(goal, goal->settled_area) * THG_PACK_TOUCH + own;
    touch = touch < blocked ? touch : blocked;
    bool touches = crowd->derived.sensed[row].settled > 0.0f;
    float late = thg_goal_pack_radius(goal, goal->agent_area) * THG_PACK_LATE;
    float age = columns->anchor_age[row];
    return (touches && square <= touch * touch) ||
           (age > THG_SETTLE_AFTER && square <= blocked * blocked) ||
           (touches && age > 2.0f * THG_PRESSES_FOR * own && square <= late * late);
}

/// True near walls beside one who stands at the same goal, unless his place is behind. Nobody
/// queues for a goal that moves.
static bool is_in_line(const throng_crowd *crowd, const thg_goal *goal, int row)
{
    const thg_columns *columns = &crowd->columns;
    const thg_derived *derived = &crowd->derived;
    float wish_x = derived->wish_x[row], wish_y = derived->wish_y[row];
    float ahead = THG_LINE_AHEAD * sqrtf(wish_x * wish_x + wish_y * wish_y);
    thg_sight sight = {.bin = thg_sight_nowhere};
    float beside = THG_LINE_BESIDE * derived->radius[row];
    throng_vec2 here = {columns->x[row], columns->y[row]};
    int class_index = crowd->profiles[columns->profile[row]].def.class_index;
    if (goal->settled_area == 0 || goal->moves || !gathers(goal) ||
        throng_map_wall_distance(crowd->map, class_index, here, beside) >= beside ||
        !thg_sight_from(crowd, row, true, &sight)) {
        return false;
    }
    for (int k = 0; k < sight.ranges.count; k++) {
        for (int j = sight.ranges.begin[k]; j < sight.ranges.end[k]; j++) {
            throng_vec2 off = thg_seen_from(crowd, row, columns->x[j], columns->y[j]);
            float dx = off.x, dy = off.y;
            float distance = sqrtf(dx * dx + dy * dy);
            if (columns->status[j] == THRONG_ARRIVED && columns->goal[j] == columns->goal[row] &&
                distance < THG_LINE_REACH * (derived->radius[row] + derived->radius[j]) &&
                dx * wish_x + dy * wish_y > distance * ahead) {
                return true;
            }
        }
    }
    return false;
}

/// One who stands: home is where he is, unless somebody pushed him away from it.
static void stay_home(throng_crowd *crowd, int row)
{
    thg_columns *columns = &crowd->columns;
    throng_vec2 way = thg_seen_from(crowd, row, columns->home_x[row], columns->home_y[row]);
    float dx = way.x, dy = way.y;
    if (columns->disturbed[row] > 0.0f) {
        if (crowd->derived.sensed[row].stirred == 0.0f &&
            dx * dx + dy * dy < THG_AT_HOME * THG_AT_HOME && columns->disturbed[row] < 7.0f) {
            columns->disturbed[row] = 0.0f;
        }
        return;
    }
    columns->home_x[row] = columns->x[row];
    columns->home_y[row] = columns->y[row];
}

/// One who stands and is not moved by anything falls asleep after a while.
static void come_to_rest(throng_crowd *crowd, int row)
{
    thg_columns *columns = &crowd->columns;
    throng_vec2 back =
        thg_seen_from(crowd, row, crowd->derived.from_x[row], crowd->derived.from_y[row]);
    float dx = back.x, dy = back.y;
    float most = THG_AT_REST * crowd->derived.radius[row];
    bool wants = crowd->derived.wish_x[row] != 0.0f || crowd->derived.wish_y[row] != 0.0f;
    bool rests = !wants && columns->disturbed[row] == 0.0f && dx * dx + dy * dy <= most * most;
    columns->quiet[row] = (uint8_t)(rests ? columns->quiet[row] + 1 : 0);
    if (thg_row_is_still(crowd, row)) {
        columns->vx[row] = columns->vy[row] = 0.0f;
    }
}

/// Away from where progress was last seen; near a point, only nearer to it counts, not round it.
static bool gets_somewhere(const throng_crowd *crowd, const thg_goal *goal, int row)
{
    const thg_columns *columns = &crowd->columns;
    throng_vec2 back = thg_seen_from(crowd, row, columns->anchor_x[row], columns->anchor_y[row]);
    float dx = back.x, dy = back.y;
    if (dx * dx + dy * dy <= THG_PROGRESS * THG_PROGRESS) {
        return false;
    }
    if (goal->slots != NULL || goal->def.remove_on_arrival) {
        return true; // round the target is a way too
    }
    throng_vec2 point;
    float square = thg_goal_nearest_point(crowd, row, &point);
    float near = 2.0f * thg_goal_pack_radius(goal, goal->agent_area);
    if (square > near * near) {
        return true;
    }
    dx = point.x - columns->anchor_x[row];
    dy = point.y - columns->anchor_y[row];
    if (crowd->derived.spots != NULL) {
        throng_vec2 way = thg_seen_from(crowd, row, point.x, point.y);
        dx = way.x - back.x;
        dy = way.y - back.y;
    }
    return sqrtf(dx * dx + dy * dy) - sqrtf(square) > 0.5f * THG_PROGRESS;
}

/// True for one who wants in where a crowd stands, and still gets nearer or is not yet in.
static bool presses(const throng_crowd *crowd, const thg_goal *goal, int row)
{
    const thg_columns *columns = &crowd->columns;
    throng_vec2 point;
    float square = thg_goal_nearest_point(crowd, row, &point);
    if (square == FLT_MAX) { // no points
        return false;
    }
    float near = THG_PACK_PRESSED * thg_goal_pack_radius(goal, goal->agent_area) +
                 4.0f * crowd->derived.radius[row];
    float late = THG_PACK_LATE * thg_goal_pack_radius(goal, goal->agent_area);
    bool gets_on = columns->anchor_age[row] <= THG_PRESSES_FOR * crowd->derived.radius[row];
    return columns->status[row] == THRONG_WALKING && square <= near * near &&
           (gets_on || square > late * late);
}

static uint8_t walk_on(throng_crowd *crowd, int row, float dt)
{
    thg_columns *columns = &crowd->columns;
    const thg_goal *goal = &crowd->goals[columns->goal[row]];
    if (is_there(crowd, goal, row)) {
        return goal->def.remove_on_arrival ? LEAVES : ARRIVES;
    }
    bool gets_on = gets_somewhere(crowd, goal, row);
    bool waits = (gets_on || columns->anchor_age[row] > THG_LINE_AFTER) &&
                 is_in_line(crowd, goal, row); // to and fro behind somebody is no progress
    if (gets_on && !waits) {
        columns->anchor_x[row] = columns->x[row];
        columns->anchor_y[row] = columns->y[row];
        columns->anchor_age[row] = 0.0f;
        return columns->status[row] == THRONG_STUCK ? GETS_FREE : NOTHING;
    }
    columns->anchor_age[row] += dt;
    if (waits && columns->anchor_age[row] > THG_LINE_AFTER) {
        return ARRIVES;
    }
    if (columns->status[row] == THRONG_WALKING && columns->anchor_age[row] > THG_STUCK_AFTER) {
        return GETS_STUCK;
    }
    return presses(crowd, goal, row) ? PRESSES : NOTHING;
}

/// The velocity is the chosen one where the move came out as chosen, and else follows from the way
/// made. (From the way alone a small change of velocity would drown in the rounding of positions.)
static void find_velocity(throng_crowd *crowd, int row, float dt)
{
    thg_columns *columns = &crowd->columns;
    float from_x = crowd->derived.from_x[row], from_y = crowd->derived.from_y[row];
    float x = columns->x[row], y = columns->y[row];
    if (crowd->derived.spots != NULL) {
        thg_planet_find_velocity(crowd, row, dt);
        return;
    }
    if (x == from_x + columns->vx[row] * dt && y == from_y + columns->vy[row] * dt) {
        return;
    }
    float vx = (x - from_x) * (1.0f / dt), vy = (y - from_y) * (1.0f / dt);
    float speed = crowd->profiles[columns->profile[row]].def.speed;
    thg_limit_length(&vx, &vy, speed * columns->pace[row]);
    columns->vx[row] = vx;
    columns->vy[row] = vy;
}

/// One with a steering order settles nowhere; whoever is not pulled anywhere is not stuck.
static uint8_t steer_on(throng_crowd *crowd, int row, float dt)
{
    thg_columns *columns = &crowd->columns;
    const thg_goal *goal = &crowd->goals[columns->goal[row]];
    if (goal->def.remove_on_arrival && is_there(crowd, goal, row)) {
        return LEAVES;
    }
    if (thg_steer_is_over(crowd, row)) {
        return ORDER_ENDS;
    }
    float wish_x = crowd->derived.wish_x[row], wish_y = crowd->derived.wish_y[row];
    throng_vec2 back = thg_seen_from(crowd, row, columns->anchor_x[row], columns->anchor_y[row]);
    float dx = back.x, dy = back.y;
    if (dx * dx + dy * dy > THG_PROGRESS * THG_PROGRESS ||
        wish_x * wish_x + wish_y * wish_y < THG_LEAST_WISH * THG_LEAST_WISH) {
        columns->anchor_x[row] = columns->x[row];
        columns->anchor_y[row] = columns->y[row];
        columns->anchor_age[row] = 0.0f;
        return columns->status[row] == THRONG_STUCK ? GETS_FREE : NOTHING;
    }
    columns->anchor_age[row] += dt;
    return columns->status[row] == THRONG_WALKING && columns->anchor_age[row] > THG_STUCK_AFTER
               ? GETS_STUCK
               : NOTHING;
}

static void settle_rows(void *context, int first, int end, int block)
{
    const thg_step *step = context;
    throng_crowd *crowd = step->crowd;
    thg_columns *columns = &crowd->columns;
    uint8_t any = NOTHING;
    if (thg_block_rests(crowd, block)) {
        crowd->block_changes[block] = false;
        return;
    }
    for (int row = first; row < end; row++) {
        if (crowd->profiles[columns->profile[row]].def.kinematic) { // its velocity is the host's
            crowd->derived.change[row] = NOTHING;
            continue;
        }
        uint8_t change = NOTHING;
        if (thg_row_is_still(crowd, row)) {
            crowd->derived.change[row] = change;
            continue;
        }
        find_velocity(crowd, row, step->dt);
        switch (columns->status[row]) {
        case THRONG_WALKING:
        case THRONG_STUCK:
            change = thg_is_steered(crowd, row) ? steer_on(crowd, row, step->dt)
                                                : walk_on(crowd, row, step->dt);
            break;
        case THRONG_CUT_OFF:
            change = columns->anchor_age[row] >= 0.0f ? IS_CUT_OFF : NOTHING;
            stay_home(crowd, row);
            come_to_rest(crowd, row);
            break;
        default:
            stay_home(crowd, row);
            come_to_rest(crowd, row);
        }
        crowd->derived.change[row] = change;
        any |= change;
    }
    crowd->block_changes[block] = any != NOTHING;
}

static void apply_change(throng_crowd *crowd, int row, uint8_t change)
{
    thg_columns *columns = &crowd->columns;
    switch (change) {
    case PRESSES:
        crowd->goals[columns->goal[row]].pressed_at = crowd->step_count + 1;
        crowd->last_press = crowd->step_count + 1;
        break;
    case ARRIVES:
        thg_event_add(crowd, THRONG_EVENT_ARRIVED, row);
        thg_agents_set_status(crowd, row, THRONG_ARRIVED);
        if (columns->claim[row] != 0) { // on his place, and not past it with what pushed him
            columns->vx[row] = columns->vy[row] = 0.0f;
        }
        break;
    case LEAVES:
        thg_event_add(crowd, THRONG_EVENT_ARRIVED, row);
        thg_event_add(crowd, THRONG_EVENT_REMOVED, row);
        thg_agents_end(crowd, row);
        break;
    case GETS_STUCK:
        thg_event_add(crowd, THRONG_EVENT_STUCK, row);
        columns->status[row] = THRONG_STUCK;
        break;
    case GETS_FREE:
        columns->status[row] = THRONG_WALKING;
        break;
    case ORDER_ENDS:
        thg_event_add(crowd, THRONG_EVENT_STEER_ENDED, row);
        thg_steer_put(crowd, columns->slot[row], &(thg_steer){0});
        thg_agents_set_status(crowd, row, thg_agents_fresh_status(crowd, row));
        break;
    case IS_CUT_OFF:
        // An age below zero says that the host has been told.
        thg_event_add(crowd, THRONG_EVENT_UNREACHABLE, row);
        thg_agents_set_status(crowd, row, THRONG_CUT_OFF);
        columns->anchor_age[row] = -1.0f;
        break;
    default:
        break;
    }
}

/// Applies what was found, in the order of rows. True when somebody leaves.
static bool apply_changes(throng_crowd *crowd, int first, int end)
{
    bool left = false;
    for (int row = first; row < end; row++) {
        uint8_t change = crowd->derived.change[row];
        if (change != NOTHING) {
            left = left || change == LEAVES;
            apply_change(crowd, row, change);
        }
    }
    return left;
}

void thg_stage_arrivals_run(thg_step *step)
{
    throng_crowd *crowd = step->crowd;
    thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK, settle_rows, step);
    bool left = false;
    for (int first = 0; first < crowd->agent_count; first += THG_ROW_BLOCK) {
        if (crowd->block_changes[first / THG_ROW_BLOCK]) {
            int end = thg_min_int(first + THG_ROW_BLOCK, crowd->agent_count);
            left = apply_changes(crowd, first, end) || left;
        }
    }
    if (left) {
        thg_agents_drop_gone(crowd);
    }
}
