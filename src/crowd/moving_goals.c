/// Goals that move: a point that the host moves, or an agent that is followed.
///
/// The field of such a goal is solved anew, round by round as for a crowd in the way, for where the
/// goal is when the solve begins. Those in sight of the goal go straight at where it is now; so it
/// does not show that the field lags behind.
#include "crowd/planet.h"
#include "crowd/routes.h"
#include <float.h>

#define SIGHT 32.0f  ///< cells within which a goal that moves is looked for
#define LEAVES 1.25f ///< times the radius of those who stand there that one may be off

bool thg_goal_can_move(const thg_goal *goal)
{
    const throng_goal_shape *shape = &goal->def.shape;
    return shape->point_count == 1 && shape->rect_count == 0 && shape->cell_count == 0;
}

bool thg_goal_has_moved(const thg_goal *goal, const thg_goal_field *field)
{
    const throng_vec2 *point = goal->def.shape.points;
    return goal->moves && (point->x != field->solved_at.x || point->y != field->solved_at.y);
}

bool thg_goal_in_sight(const throng_crowd *crowd, int row, throng_vec2 *way)
{
    const throng_map *map = crowd->map;
    const thg_goal *goal = &crowd->goals[crowd->columns.goal[row]];
    const throng_profile_def *profile = &crowd->profiles[crowd->columns.profile[row]].def;
    if (!goal->moves) {
        return false;
    }
    float x = crowd->columns.x[row], y = crowd->columns.y[row];
    throng_vec2 to = goal->def.shape.points[0];
    if (crowd->derived.spots != NULL) {
        return thg_planet_goal_in_sight(crowd, row, to, SIGHT, way);
    }
    float dx = to.x - x, dy = to.y - y;
    float length = sqrtf(dx * dx + dy * dy);
    float scale = map->inverse_cell_size;
    if (!(length > 1e-4f) || length * scale > SIGHT ||
        !thg_layer_sees(map, &map->layers[profile->class_index], 0, (x - map->origin.x) * scale,
                        (y - map->origin.y) * scale, (to.x - map->origin.x) * scale,
                        (to.y - map->origin.y) * scale)) {
        return false;
    }
    *way = (throng_vec2){dx / length, dy / length};
    return true;
}

/// True for one who stands where the goal was.
static bool was_left(const throng_crowd *crowd, int row)
{
    const thg_goal *goal = &crowd->goals[crowd->columns.goal[row]];
    if (crowd->columns.status[row] != THRONG_ARRIVED || !goal->moves) {
        return false;
    }
    const throng_profile_def *profile = &crowd->profiles[crowd->columns.profile[row]].def;
    throng_vec2 point;
    float square = thg_goal_nearest_point(crowd, row, &point);
    float most = goal->def.arrive_radius + thg_goal_pack_radius(goal, goal->settled_area);
    most = LEAVES * most + 2.0f * profile->radius;
    return square > most * most;
}

void thg_goals_move(throng_crowd *crowd)
{
    for (int slot = 1; slot <= crowd->def.max_goals && crowd->moving_goals > 0; slot++) {
        thg_goal *goal = &crowd->goals[slot];
        int row = goal->used && goal->follow.slot != 0
                      ? thg_agents_row(crowd, goal->follow.slot, goal->follow.generation)
                      : -1;
        if (row >= 0) {
            throng_vec2 place = {crowd->columns.x[row], crowd->columns.y[row]};
            thg_goal_put_at(crowd, (uint32_t)slot, place);
        }
    }
    for (int row = 0; row < crowd->agent_count && crowd->moving_goals > 0; row++) {
        if (was_left(crowd, row)) {
            thg_agents_set_status(crowd, row, THRONG_WALKING);
            crowd->bins.known = false; // nobody rests unseen
        }
    }
}

void thg_goal_set_moving(throng_crowd *crowd, uint32_t slot)
{
    thg_goal *goal = &crowd->goals[slot];
    if (!goal->moves) {
        goal->moves = true;
        crowd->moving_goals++;
        for (int i = 0; i < THRONG_MAX_CLASSES; i++) {
            goal->fields[i].solved_at = goal->fields[i].solving_at = goal->def.shape.points[0];
        }
    }
}

void thg_goal_put_at(throng_crowd *crowd, uint32_t slot, throng_vec2 point)
{
    thg_goal *goal = &crowd->goals[slot];
    thg_goal_set_moving(crowd, slot);
    throng_vec2 *own = (throng_vec2 *)goal->def.shape.points; // a copy that is the goal's
    if (own->x == point.x && own->y == point.y) {
        return;
    }
    *own = point;
    for (int i = 0; i < crowd->map->layer_count; i++) {
        if (goal->fields[i].method != 0) {
            thg_goal_find_regions(crowd, slot, i);
        }
        thg_routes_goal_moved(goal, &goal->fields[i]);
    }
}

void thg_goal_aim(const thg_goal *goal, thg_goal_field *field, const throng_vec2 *point)
{
    if (goal->moves) {
        throng_goal_shape shape = goal->def.shape;
        shape.points = point;
        field->solving_at = *point;
        throng_field_set_goal(field->field, &shape); // as many parts as before: it cannot fail
    }
}
