/// Goals of a world: where the scene puts them, turned by the arrangement, and how they move.
#include "world_model.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float rect_distance(const throng_rect *rect, throng_vec2 position)
{
    float dx = fmaxf(fmaxf(rect->min.x - position.x, position.x - rect->max.x), 0.0f);
    float dy = fmaxf(fmaxf(rect->min.y - position.y, position.y - rect->max.y), 0.0f);
    return sqrtf(dx * dx + dy * dy);
}

float thg_goal_distance(const thg_world_goal *goal, throng_vec2 position)
{
    float least = INFINITY;
    for (int i = 0; i < goal->points.count && goal->planet != NULL; i++) {
        throng_vec3 point = throng_planet_place(goal->planet, goal->points.items[i]);
        throng_vec3 place = throng_planet_place(goal->planet, position);
        least = fminf(least, throng_planet_distance(goal->planet, point, place));
    }
    for (int i = 0; i < goal->points.count && goal->planet == NULL; i++) {
        float dx = goal->points.items[i].x - position.x, dy = goal->points.items[i].y - position.y;
        least = fminf(least, sqrtf(dx * dx + dy * dy));
    }
    for (int i = 0; i < goal->rects.count; i++) {
        least = fminf(least, rect_distance(&goal->rects.items[i], position));
    }
    for (int i = 0; i < goal->cell_count; i++) {
        least = fminf(least, rect_distance(&goal->cell_rects[i], position));
    }
    return least;
}

/// Cells as the crowd wants them, and as rectangles for distances.
static throng_result take_cells(throng_world *world, const thg_goal_model *model,
                                thg_world_goal *goal, int **cells, throng_error *error)
{
    int width, height;
    thg_world_made_size(world, &width, &height);
    float half = 0.5f * throng_map_cell_size(world->map);
    *cells = calloc((size_t)model->cells.count + 1, sizeof **cells);
    goal->cell_rects = calloc((size_t)model->cells.count + 1, sizeof *goal->cell_rects);
    if (*cells == NULL || goal->cell_rects == NULL) {
        return THRONG_NO_MEMORY;
    }
    goal->cell_count = model->cells.count;
    for (int i = 0; i < model->cells.count; i++) {
        int x = (int)model->cells.items[i].x, y = (int)model->cells.items[i].y;
        if (x >= width || y >= height) {
            char path[160];
            snprintf(path, sizeof path, "\x1fgoals\x1f%s\x1f%s\x1f#%d", model->name, "cells", i);
            return thg_scene_fail(world->scene, world->options.control, path, THRONG_BAD_DATA,
                                  error, "expected a cell of the map's %d x %d, found [%d, %d]",
                                  width, height, x, y);
        }
        thg_world_mirror_cell(world, &x, &y);
        (*cells)[i] = y * throng_map_width(world->map) + x;
        throng_vec2 centre = throng_map_cell_center(world->map, x, y);
        goal->cell_rects[i] =
            (throng_rect){{centre.x - half, centre.y - half}, {centre.x + half, centre.y + half}};
    }
    return THRONG_OK;
}

/// Turned rectangles as rows of cells, mirrored ones as they are.
static throng_result turn_rects(throng_world *world, const thg_rects *written, thg_world_goal *goal)
{
    bool turned_by_angle = world->arrangement.turn_deg != 0.0f;
    int rows = 0;
    for (int i = 0; i < written->count; i++) {
        rows += turned_by_angle ? thg_world_cells(world, written->items[i]).height : 1;
    }
    throng_rect *turned = calloc((size_t)rows + 1, sizeof *turned);
    if (turned == NULL) {
        return THRONG_NO_MEMORY;
    }
    float half = 0.5f * throng_map_cell_size(world->map);
    goal->turned_rects = turned;
    goal->rects = (thg_rects){turned, 0};
    for (int i = 0; i < written->count; i++) {
        if (!turned_by_angle) {
            turned[goal->rects.count++] = thg_world_mirrored_rect(world, written->items[i]);
            continue;
        }
        throng_cell_rect around = thg_world_cells(world, written->items[i]);
        for (int y = around.y; y < around.y + around.height; y++) {
            throng_cell_rect run = thg_world_run(world, written->items[i], around, y);
            throng_vec2 first = throng_map_cell_center(world->map, run.x, y);
            throng_vec2 last = throng_map_cell_center(world->map, run.x + run.width - 1, y);
            if (run.width > 0) {
                turned[goal->rects.count++] =
                    (throng_rect){{first.x - half, first.y - half}, {last.x + half, last.y + half}};
            }
        }
    }
    return THRONG_OK;
}

static throng_result make_goal(throng_world *world, const thg_goal_model *model,
                               throng_error *error)
{
    thg_world_goal *goal = &world->goals[world->goal_count];
    int *cells = NULL;
    throng_result result = take_cells(world, model, goal, &cells, error);
    goal->name = model->name;
    goal->rects = model->rects;
    goal->planet = world->planet;
    bool turned = world->arrangement.turn_deg != 0.0f || world->symmetry != 0;
    if (turned && result == THRONG_OK) {
        result = turn_rects(world, &model->rects, goal);
    }
    goal->points.items = calloc((size_t)model->points.count + 1, sizeof(throng_vec2));
    if (goal->points.items != NULL) {
        goal->points.count = model->points.count;
        for (int i = 0; i < model->points.count; i++) {
            goal->points.items[i] = thg_world_arrange(world, model->points.items[i], false);
        }
    }
    world->goal_count++; // what is taken so far goes with the world
    if (result == THRONG_OK) {
        throng_goal_def def = throng_default_goal_def();
        def.shape.points = goal->points.items;
        def.shape.point_count = goal->points.count;
        def.shape.rects = goal->rects.items;
        def.shape.rect_count = goal->rects.count;
        def.shape.cells = cells;
        def.shape.cell_count = goal->cell_count;
        def.shape.snap_distance = model->snap;
        def.arrive_radius = model->arrive;
        def.remove_on_arrival = model->remove;
        def.slots = model->slots;
        def.slots.footprint = thg_world_mirrored_rect(world, model->slots.footprint);
        def.method = world->options.method != 0 ? world->options.method : model->method;
        def.expected_agents = model->expected_agents;
        result = goal->points.items != NULL ? throng_crowd_add_goal(world->crowd, &def, &goal->id)
                                            : THRONG_NO_MEMORY;
    }
    free(cells);
    if (result == THRONG_OK && model->slots.count > 0) { // distances and pictures go by its box
        const throng_slots_def *slots = &model->slots;
        float reach = slots->radius + slots->distance;
        throng_rect footprint = thg_world_mirrored_rect(world, slots->footprint);
        throng_vec2 low = footprint.min, high = footprint.max;
        goal->cell_rects[0] =
            (throng_rect){{low.x - reach, low.y - reach}, {high.x + reach, high.y + reach}};
        goal->cell_count = 1;
    }
    if (result != THRONG_OK && error != NULL && error->result == THRONG_OK) {
        char path[96];
        snprintf(path, sizeof path, "\x1fgoals\x1f%s", model->name);
        thg_scene_fail(world->scene, world->options.control, path, result, error,
                       "the goal could not be made: %s", throng_result_name(result));
    }
    return result;
}

throng_result thg_world_make_goals(throng_world *world, throng_error *error)
{
    throng_result result = THRONG_OK;
    for (int i = 0; i < world->model->relation_count && result == THRONG_OK; i++) {
        const thg_relation_model *relation = &world->model->relations[i];
        result = throng_crowd_set_relation(world->crowd, relation->team, relation->other,
                                           relation->relation);
    }
    for (int i = 0; i < world->model->goal_count && result == THRONG_OK; i++) {
        result = make_goal(world, &world->model->goals[i], error);
    }
    return result;
}

throng_result thg_world_make_own_goal(throng_world *world, const thg_group *group, int index,
                                      throng_vec2 start, int *goal)
{
    const thg_own_goals *own = &group->own;
    throng_vec2 point = {0.0f, 0.0f};
    switch (own->kind) {
    case THG_OWN_OFFSET:
        point = (throng_vec2){start.x + own->offset.x, start.y + own->offset.y};
        break;
    case THG_OWN_MIRROR:
        point = (throng_vec2){2.0f * own->mirror.x - start.x, 2.0f * own->mirror.y - start.y};
        break;
    case THG_OWN_POINTS:
        point = own->points.items[index];
        break;
    default:
        point.x = own->fan_first.x + own->fan_pitch.x * (float)(index % own->fan_columns);
        point.y = own->fan_first.y + own->fan_pitch.y * (float)(index / own->fan_columns);
    }
    thg_goal_model model = {.name = "own_goals",
                            .points = {&point, 1},
                            .arrive = own->arrive,
                            .snap = own->snap,
                            .remove = own->remove,
                            .method = own->method,
                            .expected_agents = 1};
    throng_error ignored = {0};
    throng_result result = make_goal(world, &model, &ignored);
    *goal = world->goal_count - 1;
    world->goals[*goal].name = NULL;
    return result;
}

// ---- Goals that move ---------------------------------------------------------------------------

static double distance(throng_vec2 a, throng_vec2 b)
{
    double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    return sqrt(dx * dx + dy * dy);
}

/// Where a goal that goes through points is at a moment, as written: a function of time alone, so
/// that a resumed world goes on alike.
static throng_vec2 moved_place(const thg_goal_model *goal, double time)
{
    const thg_goal_moves *moves = &goal->moves;
    const throng_vec2 *through = moves->through.items;
    int legs = moves->through.count + moves->rounds;
    throng_vec2 from = goal->points.items[0];
    double way = 0.0, left = (time - (double)moves->from) * (double)moves->speed;
    for (int i = 0; i < legs; i++) {
        throng_vec2 to = i < moves->through.count ? through[i] : goal->points.items[0];
        way += distance(from, to);
        from = to;
    }
    left = moves->rounds && way > 0.0 ? fmod(left, way) : left;
    from = goal->points.items[0];
    for (int i = 0; i < legs && left > 0.0; i++) {
        throng_vec2 to = i < moves->through.count ? through[i] : goal->points.items[0];
        double leg = distance(from, to);
        if (left < leg) {
            double share = left / leg;
            from.x = (float)(from.x + ((double)to.x - from.x) * share);
            from.y = (float)(from.y + ((double)to.y - from.y) * share);
            return from;
        }
        left -= leg;
        from = to;
    }
    return from;
}

/// The first of some groups, in spawn order, who lives, or is about to before the first step.
static throng_agent_id first_living(const throng_world *world, uint64_t groups)
{
    bool begins = throng_crowd_step_count(world->crowd) == 0;
    for (int i = 0; i < world->track_count; i++) {
        const thg_track *track = &world->tracks[i];
        if ((groups >> track->group & 1) != 0 &&
            (begins || throng_crowd_find(world->crowd, track->id) >= 0)) {
            return track->id;
        }
    }
    return (throng_agent_id){0, 0};
}

static throng_result follow(throng_world *world, thg_world_goal *goal, uint64_t groups)
{
    throng_agent_id whom = first_living(world, groups);
    if (whom.slot == goal->followed.slot && whom.generation == goal->followed.generation) {
        return THRONG_OK;
    }
    goal->followed = whom;
    return throng_crowd_follow(world->crowd, goal->id, whom);
}

throng_result thg_world_move_goals(throng_world *world, double time)
{
    throng_result result = THRONG_OK;
    for (int i = 0; i < world->model->goal_count && result == THRONG_OK; i++) {
        const thg_goal_model *model = &world->model->goals[i];
        thg_world_goal *goal = &world->goals[i];
        if (model->follows) {
            result = follow(world, goal, model->followed);
        } else if (model->moves.through.count > 0) {
            throng_vec2 place = thg_world_arrange(world, moved_place(model, time), false);
            throng_vec2 *known = &goal->points.items[0];
            if (place.x != known->x || place.y != known->y) {
                result = throng_crowd_move_goal(world->crowd, goal->id, place);
                *known = place;
                world->goals_moved = world->steps + 1;
            }
        }
    }
    return result;
}

bool thg_world_goal_moves(const throng_world *world, int goal)
{
    const thg_goal_model *model =
        goal < world->model->goal_count ? &world->model->goals[goal] : NULL;
    return model != NULL && (model->follows || model->moves.through.count > 0);
}

void thg_world_find_goals(throng_world *world)
{
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    for (int i = 0; i < world->model->goal_count; i++) {
        thg_world_goal *goal = &world->goals[i];
        int row = goal->followed.slot != 0 ? throng_crowd_find(world->crowd, goal->followed) : -1;
        if (row >= 0) {
            goal->points.items[0] = (throng_vec2){agents.x[row], agents.y[row]};
            world->goals_moved = world->steps;
        }
    }
}
