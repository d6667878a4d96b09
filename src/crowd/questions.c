/// Questions to a crowd that change nothing: which way from here, may I build there.
#include "crowd/planet.h"
#include "crowd/routes.h"

throng_sample throng_crowd_way(const throng_crowd *crowd, throng_goal_id goal, int class_index,
                               throng_vec2 position)
{
    throng_sample sample = {{0.0f, 0.0f}, INFINITY, false};
    if (class_index < 0 || class_index >= crowd->map->layer_count || !thg_is_finite(position.x) ||
        !thg_is_finite(position.y) || !thg_goal_valid(crowd, goal.slot, goal.generation)) {
        return sample;
    }
    const thg_goal_field *field = &crowd->goals[goal.slot].fields[class_index];
    if (field->sphere != NULL && field->solved_for != 0) {
        thg_spot spot = thg_planet_spot(crowd->map->planet, position.x, position.y);
        sample = thg_planet_field_lead(field->sphere, &spot);
    } else if (field->field != NULL && field->solved_for != 0) {
        sample = throng_field_sample(field->field, position);
    } else if (field->tiles != NULL) {
        sample = thg_tiles_sample(field->tiles, position);
    }
    return sample;
}

/// The places of a goal and of who goes there in a class: fills `keep`, returns how many.
static int kept_of_goal(const throng_crowd *crowd, uint32_t slot, int class_index,
                        throng_vec2 *keep)
{
    const throng_goal_shape *shape = &crowd->goals[slot].def.shape;
    int agents = 0;
    for (int row = 0; row < crowd->agent_count; row++) {
        int own = crowd->profiles[crowd->columns.profile[row]].way_class;
        if (crowd->columns.goal[row] == slot && own == class_index) {
            keep[agents++] = (throng_vec2){crowd->columns.x[row], crowd->columns.y[row]};
        }
    }
    if (agents == 0) {
        return 0;
    }
    int count = agents;
    for (int i = 0; i < shape->point_count; i++) {
        keep[count++] = shape->points[i];
    }
    for (int i = 0; i < shape->rect_count; i++) {
        keep[count++] = (throng_vec2){0.5f * (shape->rects[i].min.x + shape->rects[i].max.x),
                                      0.5f * (shape->rects[i].min.y + shape->rects[i].max.y)};
    }
    for (int i = 0; i < shape->cell_count; i++) {
        keep[count++] = throng_map_cell_center(crowd->map, shape->cells[i] % crowd->map->width,
                                               shape->cells[i] / crowd->map->width);
    }
    return count;
}

/// Whether a building parts a goal from who goes there, in one class.
static throng_result ask_for_goals(const throng_crowd *crowd, throng_build_query *query,
                                   throng_vec2 *keep, throng_build_answer *answer)
{
    throng_result result = THRONG_OK;
    for (int slot = 1; slot <= crowd->def.max_goals && result == THRONG_OK && !answer->cuts;
         slot++) {
        if (crowd->goals[slot].used) {
            throng_build_answer one = {0};
            query->keep = keep;
            query->keep_count = kept_of_goal(crowd, (uint32_t)slot, query->class_index, keep);
            query->snap_distance = crowd->goals[slot].def.shape.snap_distance;
            if (query->keep_count > 0) {
                result = throng_query_build(crowd->map, query, &one);
            }
            answer->cuts = answer->cuts || one.cuts;
            answer->cells += one.cells;
        }
    }
    return result;
}

throng_result throng_crowd_may_build(const throng_crowd *crowd, throng_cell_rect rect, int terrain,
                                     throng_build_answer *answer)
{
    int most = crowd->agent_count;
    for (int slot = 1; slot <= crowd->def.max_goals; slot++) {
        const throng_goal_shape *shape = &crowd->goals[slot].def.shape;
        int parts = shape->point_count + shape->rect_count + shape->cell_count;
        most = crowd->goals[slot].used ? thg_max_int(most, crowd->agent_count + parts) : most;
    }
    *answer = (throng_build_answer){0};
    throng_vec2 *keep = thg_allocate((size_t)most, sizeof *keep);
    throng_result result = keep != NULL ? THRONG_OK : THRONG_NO_MEMORY;
    for (int i = 0; i < crowd->map->layer_count && result == THRONG_OK && !answer->cuts; i++) {
        throng_build_query query = throng_default_build_query();
        throng_build_answer whole;
        query.class_index = i;
        query.rect = rect;
        query.terrain = terrain;
        result = throng_query_build(crowd->map, &query, &whole);
        answer->cells += whole.cells;
        if (result == THRONG_OK && whole.cuts) {
            result = ask_for_goals(crowd, &query, keep, answer);
        }
    }
    thg_release(keep, (size_t)most, sizeof *keep);
    return result;
}
