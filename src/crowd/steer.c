/// Where would they go, if they were alone: the wanted velocity of each agent from its goal's
/// field, or from the place it stands at.
#include "crowd/planet.h"
#include "crowd/routes.h"
#include <float.h>
#include <math.h>

/// Straight at the goal: what there is to do before its field is solved.
static throng_vec2 straight_to(const throng_crowd *crowd, int row)
{
    const throng_map *map = crowd->map;
    const throng_goal_shape *shape = &crowd->goals[crowd->columns.goal[row]].def.shape;
    float x = crowd->columns.x[row], y = crowd->columns.y[row];
    throng_vec2 to = {x, y};
    if (thg_goal_nearest_point(crowd, row, &to) == FLT_MAX) {
        if (shape->rect_count > 0) {
            to.x = 0.5f * (shape->rects[0].min.x + shape->rects[0].max.x);
            to.y = 0.5f * (shape->rects[0].min.y + shape->rects[0].max.y);
        } else if (shape->cell_count > 0) {
            int cell = shape->cells[0];
            to = throng_map_cell_center(map, cell % map->width, cell / map->width);
        }
    }
    to = thg_seen_from(crowd, row, to.x, to.y);
    float dx = to.x, dy = to.y;
    float length = sqrtf(dx * dx + dy * dy);
    return length > 1e-4f ? (throng_vec2){dx / length, dy / length} : (throng_vec2){0.0f, 0.0f};
}

static void wish_to_walk(throng_crowd *crowd, int row)
{
    thg_columns *columns = &crowd->columns;
    float x = columns->x[row], y = columns->y[row];
    int class_index = crowd->profiles[columns->profile[row]].way_class;
    const thg_goal *goal = &crowd->goals[columns->goal[row]];
    const thg_goal_field *field = &goal->fields[class_index];
    throng_vec2 direction;
    bool connected = true;
    if (columns->goal[row] == 0) { // only the flock stage knows where to
        crowd->derived.wish_x[row] = crowd->derived.wish_y[row] = 0.0f;
        return;
    }
    if (thg_goal_in_sight(crowd, row, &direction)) {
        connected = true;
    } else if (field->solved_for == 0) {
        direction = straight_to(crowd, row);
        connected =
            field->tiles == NULL || // tiles wait for a way, which there may never be
            thg_routes_connected(crowd, columns->goal[row], class_index, (throng_vec2){x, y});
    } else {
        throng_sample sample =
            field->field != NULL ? thg_field_lead(field->field, (throng_vec2){x, y})
            : field->sphere != NULL
                ? thg_planet_field_lead(field->sphere, &crowd->derived.spots[row])
                : thg_routes_sample(crowd, row, field, (throng_vec2){x, y});
        direction = sample.direction;
        connected = sample.reached;
        if (!connected && field->field == NULL &&
            field->sphere == NULL) { // there is no tile, or no path, yet
            connected =
                thg_routes_connected(crowd, columns->goal[row], class_index, (throng_vec2){x, y});
            direction = straight_to(crowd, row);
        }
    }
    if (field->waiting || goal->moves) {
        connected = thg_goal_connected(crowd, columns->goal[row], class_index, x, y);
    }
    if (!connected) {
        if (!thg_is_steered(crowd, row)) {
            columns->status[row] = THRONG_CUT_OFF; // the arrivals tell the host
        }
        direction = (throng_vec2){0.0f, 0.0f};
    } else if (columns->status[row] == THRONG_CUT_OFF) {
        columns->status[row] = THRONG_WALKING;
        columns->anchor_age[row] = 0.0f; // should the way be lost again, the host is told again
    }
    float speed = crowd->profiles[columns->profile[row]].def.speed * columns->pace[row];
    throng_vec2 point;
    if (!goal->def.remove_on_arrival) {
        float square = thg_goal_nearest_point(crowd, row, &point);
        float brake = 2.0f * THG_ARRIVE_BRAKE * sqrtf(square < 1e6f ? square : 1e6f);
        speed = speed * speed > brake ? sqrtf(brake) : speed;
    }
    crowd->derived.wish_x[row] = direction.x * speed;
    crowd->derived.wish_y[row] = direction.y * speed;
}

/// One who has arrived in a crowd closes up to the point while others still come.
static void wish_to_pack(throng_crowd *crowd, int row, float *wish_x, float *wish_y)
{
    thg_columns *columns = &crowd->columns;
    const thg_goal *goal = &crowd->goals[columns->goal[row]];
    float radius = goal->def.arrive_radius;
    throng_vec2 point;
    float square = thg_goal_nearest_point(crowd, row, &point);
    if (thg_goal_is_pressed(crowd, columns->goal[row]) && square > radius * radius &&
        square < FLT_MAX) {
        float speed = crowd->profiles[columns->profile[row]].def.speed * THG_PACK_SHARE;
        float scale = speed / sqrtf(square);
        throng_vec2 way = thg_seen_from(crowd, row, point.x, point.y);
        *wish_x = way.x * scale;
        *wish_y = way.y * scale;
    }
}

/// One who stands goes back to where he was, once nobody pushes any more.
static void wish_to_stand(throng_crowd *crowd, int row)
{
    thg_columns *columns = &crowd->columns;
    float wish_x = 0.0f, wish_y = 0.0f;
    if (columns->disturbed[row] > 0.0f && columns->disturbed[row] < THG_MAKE_WAY_TIME) {
        throng_vec2 way = thg_seen_from(crowd, row, columns->home_x[row], columns->home_y[row]);
        wish_x = way.x * THG_HOME_RATE;
        wish_y = way.y * THG_HOME_RATE;
        float speed = crowd->profiles[columns->profile[row]].def.speed * THG_HOME_SHARE;
        thg_limit_length(&wish_x, &wish_y, speed);
    } else if (columns->status[row] == THRONG_ARRIVED && columns->disturbed[row] == 0.0f) {
        wish_to_pack(crowd, row, &wish_x, &wish_y);
    }
    crowd->derived.wish_x[row] = wish_x;
    crowd->derived.wish_y[row] = wish_y;
}

/// A sleeper goes on sleeping, unless the crowd at its goal has to close up.
static bool sleeps_on(throng_crowd *crowd, int row)
{
    if (thg_row_is_still(crowd, row) && crowd->columns.status[row] == THRONG_ARRIVED &&
        thg_goal_is_pressed(crowd, crowd->columns.goal[row])) {
        crowd->columns.quiet[row] = 0;
    }
    return thg_row_is_still(crowd, row);
}

static void steer_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    if (thg_block_rests(crowd, block)) {
        return;
    }
    for (int row = first; row < end; row++) {
        uint8_t status = crowd->columns.status[row];
        if (sleeps_on(crowd, row)) {
            crowd->derived.wish_x[row] = crowd->derived.wish_y[row] = 0.0f;
        } else if (crowd->some_hold && crowd->profiles[crowd->columns.profile[row]].def.kinematic) {
            crowd->derived.wish_x[row] = crowd->columns.vx[row]; // what others must reckon with
            crowd->derived.wish_y[row] = crowd->columns.vy[row];
        } else if (status == THRONG_IDLE || status == THRONG_ARRIVED) {
            wish_to_stand(crowd, row);
        } else {
            wish_to_walk(crowd, row);
        }
    }
}

void thg_stage_steer_run(thg_step *step)
{
    thg_parallel_for(step->crowd->jobs, step->crowd->agent_count, THG_ROW_BLOCK, steer_rows,
                     step->crowd);
}
