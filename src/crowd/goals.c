/// Goals and their fields: which a crowd keeps, and how solving them is spread over steps.
///
/// A field belongs to a goal and a class; it comes with the first order of such an agent. Fields
/// that wait are solved one after the other, oldest first, by one solver, so many cells a step.
/// Agents read the last finished solution; before the first there is none and they head straight
/// for the goal.
#include "crowd/planet.h"
#include "crowd/routes.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define GOAL_COOKIE 0x474f414cu
#define PACKING 0.82f ///< share of area that discs cover when they stand close
#define MAX_GOAL_PARTS (1 << 24)

throng_goal_def throng_default_goal_def(void)
{
    return (throng_goal_def){
        .cookie = GOAL_COOKIE,
        .shape = throng_default_goal_shape(),
        .arrive_radius = 0.5f,
    };
}

static bool shape_is_valid(const throng_map *map, const throng_goal_shape *shape)
{
    if (shape->point_count < 0 || shape->rect_count < 0 || shape->cell_count < 0 ||
        shape->point_count > MAX_GOAL_PARTS || shape->rect_count > MAX_GOAL_PARTS ||
        shape->cell_count > MAX_GOAL_PARTS || !(shape->snap_distance >= 0.0f) ||
        (shape->point_count > 0 && shape->points == NULL) ||
        (shape->rect_count > 0 && shape->rects == NULL) ||
        (shape->cell_count > 0 && shape->cells == NULL)) {
        return false;
    }
    for (int i = 0; i < shape->point_count; i++) {
        if (!thg_is_finite(shape->points[i].x) || !thg_is_finite(shape->points[i].y)) {
            return false;
        }
    }
    for (int i = 0; i < shape->rect_count; i++) {
        const throng_rect *rect = &shape->rects[i];
        if (!(rect->min.x <= rect->max.x && rect->min.y <= rect->max.y) ||
            !thg_is_finite(rect->max.x - rect->min.x) ||
            !thg_is_finite(rect->max.y - rect->min.y)) {
            return false;
        }
    }
    for (int i = 0; i < shape->cell_count; i++) {
        if (shape->cells[i] < 0 || (size_t)shape->cells[i] >= map->cell_count) {
            return false;
        }
    }
    return true;
}

static void *copy_parts(const void *parts, int count, size_t size)
{
    void *copy = thg_allocate((size_t)count, size);
    if (copy != NULL && count > 0) {
        memcpy(copy, parts, (size_t)count * size);
    }
    return copy;
}

static void release_shape(throng_goal_shape *shape)
{
    thg_release((void *)shape->points, (size_t)shape->point_count, sizeof *shape->points);
    thg_release((void *)shape->rects, (size_t)shape->rect_count, sizeof *shape->rects);
    thg_release((void *)shape->cells, (size_t)shape->cell_count, sizeof *shape->cells);
    *shape = (throng_goal_shape){0};
}

/// A planet's fields know so many points, and places round a target lie in a plane.
static bool suits_planet(const throng_map *map, const throng_goal_def *def)
{
    return map->planet == NULL ||
           (def->slots.count == 0 && def->shape.point_count <= THRONG_MAX_PLANET_GOALS);
}

throng_result thg_goal_put(throng_crowd *crowd, uint32_t slot, const throng_goal_def *def)
{
    if (def->cookie != GOAL_COOKIE || !shape_is_valid(crowd->map, &def->shape) ||
        !thg_slots_are_valid(&def->slots) || !suits_planet(crowd->map, def) ||
        !(def->arrive_radius >= 0.0f && def->arrive_radius <= 1000.0f) ||
        (unsigned)def->method > THRONG_ROUTE_ROOMS || def->expected_agents < 0 ||
        def->expected_agents > 1 << 24) {
        return THRONG_BAD_ARGUMENT;
    }
    thg_goal *goal = &crowd->goals[slot];
    throng_goal_shape shape = def->shape;
    throng_rect box = thg_slots_box(crowd->map, &def->slots);
    thg_slots *slots = NULL;
    if (def->slots.count > 0) {
        shape = throng_default_goal_shape();
        shape.rects = &box;
        shape.rect_count = 1;
        slots = thg_slots_create(&def->slots);
        if (slots == NULL) {
            return THRONG_NO_MEMORY;
        }
    }
    shape.points = copy_parts(shape.points, shape.point_count, sizeof *shape.points);
    shape.rects = copy_parts(shape.rects, shape.rect_count, sizeof *shape.rects);
    shape.cells = copy_parts(shape.cells, shape.cell_count, sizeof *shape.cells);
    if (shape.points == NULL || shape.rects == NULL || shape.cells == NULL) {
        release_shape(&shape);
        thg_slots_destroy(slots);
        return THRONG_NO_MEMORY;
    }
    goal->slots = slots;
    crowd->slot_goals += slots != NULL;
    goal->def = *def;
    goal->def.shape = shape;
    crowd->used_goals += !goal->used;
    goal->used = true;
    goal->ending = false;
    goal->moves = false;
    goal->follow = (throng_agent_id){0, 0};
    goal->agent_area = 0;
    goal->settled_area = 0;
    goal->pressed_at = 0;
    return THRONG_OK;
}

void thg_goal_clear(throng_crowd *crowd, uint32_t slot)
{
    thg_goal *goal = &crowd->goals[slot];
    int kept = 0;
    for (int i = 0; i < crowd->field_queue_count; i++) {
        if (crowd->field_queue[i] / THRONG_MAX_CLASSES != slot) {
            crowd->field_queue[kept++] = crowd->field_queue[i];
        } else if (i == 0) {
            crowd->field_active = false;
        }
    }
    crowd->field_queue_count = kept;
    if (crowd->field_queue_count == 0) {
        crowd->field_active = false;
    }
    for (int i = 0; i < THRONG_MAX_CLASSES; i++) {
        throng_field_destroy(goal->fields[i].field);
        throng_planet_field_destroy(goal->fields[i].sphere);
        thg_routes_drop(crowd, &goal->fields[i]);
        goal->fields[i] = (thg_goal_field){0};
    }
    if (goal->used) {
        release_shape(&goal->def.shape);
        crowd->slot_goals -= goal->slots != NULL;
        crowd->moving_goals -= goal->moves;
        thg_slots_destroy(goal->slots);
        goal->slots = NULL;
        crowd->used_goals--;
    }
    goal->used = false;
    goal->ending = false;
    crowd->next_goal = slot < crowd->next_goal ? slot : crowd->next_goal;
}

void thg_goals_destroy(throng_crowd *crowd)
{
    if (crowd->goals != NULL) {
        for (int i = 1; i <= crowd->def.max_goals; i++) {
            thg_goal_clear(crowd, (uint32_t)i);
        }
    }
    thg_release(crowd->field_queue, (size_t)(crowd->def.max_goals + 1) * THRONG_MAX_CLASSES,
                sizeof *crowd->field_queue);
    thg_solver_destroy(crowd->solver);
    thg_routes_destroy(crowd);
}

throng_result throng_crowd_add_goal(throng_crowd *crowd, const throng_goal_def *def,
                                    throng_goal_id *id)
{
    const throng_goal_shape *shape = &def->shape;
    if (def->slots.count > 0 && (shape->point_count + shape->rect_count + shape->cell_count > 0 ||
                                 def->remove_on_arrival)) {
        return THRONG_BAD_ARGUMENT;
    }
    uint32_t slot = crowd->next_goal > 0 ? crowd->next_goal : 1;
    while (slot <= (uint32_t)crowd->def.max_goals && crowd->goals[slot].used) {
        slot++;
    }
    crowd->next_goal = slot;
    if (slot > (uint32_t)crowd->def.max_goals) {
        return THRONG_LIMIT;
    }
    throng_result result = thg_goal_put(crowd, slot, def);
    if (result == THRONG_OK) {
        thg_goal *goal = &crowd->goals[slot];
        goal->generation = goal->generation + 1 > 0 ? goal->generation + 1 : 1;
        *id = (throng_goal_id){slot, goal->generation};
    }
    return result;
}

bool thg_goal_valid(const throng_crowd *crowd, uint32_t slot, uint32_t generation)
{
    return slot >= 1 && slot <= (uint32_t)crowd->def.max_goals && crowd->goals[slot].used &&
           !crowd->goals[slot].ending && crowd->goals[slot].generation == generation;
}

void thg_field_queue_push(throng_crowd *crowd, uint32_t goal, int class_index)
{
    thg_goal_field *field = &crowd->goals[goal].fields[class_index];
    if (!field->waiting) {
        // Who waits goes first: what a busy crowd has begun for itself is dropped.
        crowd->field_active = crowd->field_active && crowd->field_queue_count > 0;
        field->waiting = true;
        if (field->tiles != NULL) {
            field->tiles->busy = true;
        }
        crowd->field_queue[crowd->field_queue_count++] =
            goal * THRONG_MAX_CLASSES + (uint32_t)class_index;
    }
}

/// The solver and the queue, with the first field.
static bool ready_solver(throng_crowd *crowd)
{
    if (crowd->field_queue == NULL) {
        crowd->field_queue = thg_allocate((size_t)(crowd->def.max_goals + 1) * THRONG_MAX_CLASSES,
                                          sizeof *crowd->field_queue);
    }
    bool flat = crowd->map->planet == NULL;
    if (flat && crowd->solver == NULL &&
        thg_solver_create(crowd->map, &crowd->solver) == THRONG_OK) {
        thg_solver_use_jobs(crowd->solver, crowd->jobs);
    }
    return crowd->field_queue != NULL && (crowd->solver != NULL || !flat);
}

throng_result thg_goal_need_field(throng_crowd *crowd, uint32_t slot, int class_index)
{
    thg_goal *goal = &crowd->goals[slot];
    thg_goal_field *made = &goal->fields[class_index];
    if (made->field != NULL || made->tiles != NULL || made->question != NULL ||
        made->sphere != NULL) {
        return THRONG_OK;
    }
    if (!ready_solver(crowd)) {
        return THRONG_NO_MEMORY;
    }
    throng_route_method method = made->method != 0 ? (throng_route_method)made->method
                                                   : thg_routes_method(crowd, slot, class_index);
    if (method != THRONG_ROUTE_FIELD) {
        throng_result outcome = thg_routes_need(crowd, slot, class_index, method);
        if (outcome == THRONG_OK) {
            thg_goal_find_regions(crowd, slot, class_index);
        }
        return outcome;
    }
    throng_result result =
        crowd->map->planet != NULL
            ? thg_planet_field_for(crowd->map->planet, class_index, &goal->def.shape, &made->sphere)
            : thg_field_create(crowd->map, class_index, &goal->def.shape, crowd->def.metric,
                               crowd->solver, &made->field);
    if (result == THRONG_OK) {
        made->method = THRONG_ROUTE_FIELD;
        thg_goal_find_regions(crowd, slot, class_index);
        thg_field_queue_push(crowd, slot, class_index);
    }
    return result;
}

const throng_field *throng_crowd_goal_field(const throng_crowd *crowd, throng_goal_id goal,
                                            int class_index)
{
    if (class_index < 0 || class_index >= THRONG_MAX_CLASSES || goal.slot < 1 ||
        goal.slot > (uint32_t)crowd->def.max_goals || !crowd->goals[goal.slot].used ||
        crowd->goals[goal.slot].generation != goal.generation) {
        return NULL;
    }
    return crowd->goals[goal.slot].fields[class_index].field;
}

/// Square of a radius in millimetres: whole, so that sums do not depend on their order.
static int64_t disc_area(const throng_crowd *crowd, int profile)
{
    float radius = crowd->profiles[profile].def.radius * 1000.0f;
    return (int64_t)(radius * radius);
}

void thg_goal_count(throng_crowd *crowd, uint32_t slot, int profile, int change)
{
    if (slot == 0) {
        return;
    }
    crowd->goals[slot].agent_area += change * disc_area(crowd, profile);
}

void thg_goal_count_settled(throng_crowd *crowd, uint32_t slot, int profile, int change)
{
    crowd->goals[slot].settled_area += change * disc_area(crowd, profile);
}

bool thg_goal_is_pressed(const throng_crowd *crowd, uint32_t slot)
{
    uint64_t pressed_at = crowd->goals[slot].pressed_at;
    return pressed_at != 0 && pressed_at >= crowd->step_count;
}

float thg_goal_pack_radius(const thg_goal *goal, int64_t area)
{
    int points = thg_max_int(goal->def.shape.point_count, 1);
    return sqrtf((float)area * 1e-6f / (float)points / PACKING);
}

float thg_goal_nearest_point(const throng_crowd *crowd, int row, throng_vec2 *point)
{
    if (crowd->derived.spots != NULL) {
        return thg_planet_nearest_point(crowd, row, point);
    }
    const throng_map *map = crowd->map;
    const thg_goal *goal = &crowd->goals[crowd->columns.goal[row]];
    if (goal->def.shape.point_count == 0) {
        return FLT_MAX;
    }
    int class_index = crowd->profiles[crowd->columns.profile[row]].way_class;
    float x = crowd->columns.x[row], y = crowd->columns.y[row];
    const throng_vec2 *points = goal->def.shape.points;
    int count = goal->def.shape.point_count;
    throng_vec2 origin = {0.0f, 0.0f};
    float scale = 1.0f;
    if (goal->fields[class_index].solved_for != 0 &&
        !thg_goal_has_moved(goal, &goal->fields[class_index])) {
        // Where the field leads: a point in a wall has moved to the nearest place that fits.
        const thg_goal_field *field = &goal->fields[class_index];
        points = field->field != NULL ? thg_field_points(field->field, &count)
                                      : thg_routes_points(field, &count);
        origin = map->origin;
        scale = map->cell_size;
    }
    float best = FLT_MAX;
    for (int i = 0; i < count; i++) {
        throng_vec2 at = {origin.x + points[i].x * scale, origin.y + points[i].y * scale};
        float dx = at.x - x, dy = at.y - y;
        float square = dx * dx + dy * dy;
        if (square < best) {
            best = square;
            *point = at;
        }
    }
    return best;
}

/// Gives waiting fields up to `budget` cells of work, then those that the crowd has made stale.
static void work_on_fields(throng_crowd *crowd, int budget)
{
    while (budget > 0) {
        bool queued = crowd->field_queue_count > 0;
        uint32_t entry = queued ? crowd->field_queue[0] : thg_crowd_traffic_entry(crowd);
        if (entry == 0) {
            return;
        }
        thg_goal *goal = &crowd->goals[entry / THRONG_MAX_CLASSES];
        thg_goal_field *field = &goal->fields[entry % THRONG_MAX_CLASSES];
        bool begin = !crowd->field_active;
        if (begin) {
            crowd->field_active = true;
            crowd->field_progress = 0;
        }
        if (begin && field->sphere != NULL) {
            field->solving_at = goal->moves ? goal->def.shape.points[0] : field->solving_at;
            thg_planet_field_begin(field->sphere, NULL);
        }
        if (begin && field->field != NULL) {
            thg_goal_aim(goal, field, goal->def.shape.points);
            thg_crowd_traffic_price(crowd, field);
            thg_field_begin_repair(field->field);
        }
        int before = budget;
        bool done = field->field != NULL    ? thg_field_advance(field->field, &budget)
                    : field->sphere != NULL ? thg_planet_field_advance(field->sphere, &budget)
                                            : thg_routes_work(field, begin, &budget);
        crowd->field_progress += before - budget;
        if (!done) {
            return;
        }
        if (field->field != NULL) {
            thg_field_set_prices(field->field, NULL);
        }
        field->waiting = false;
        field->priced = field->field != NULL && crowd->traffic.pricing;
        field->solved_at = field->solving_at;
        field->solved_for = crowd->map_version;
        crowd->field_active = false;
        if (queued) {
            crowd->field_queue_count--;
            memmove(crowd->field_queue, crowd->field_queue + 1,
                    (size_t)crowd->field_queue_count * sizeof *crowd->field_queue);
        } else {
            crowd->traffic.next++;
        }
    }
}

void thg_agents_free_from_walls(throng_crowd *crowd, int only)
{
    thg_columns *columns = &crowd->columns;
    for (int row = 0; row < crowd->agent_count; row++) {
        const thg_profile *profile = &crowd->profiles[columns->profile[row]];
        const thg_layer *layer = &crowd->map->layers[profile->def.class_index];
        if (profile->def.kinematic || (only >= 0 && columns->profile[row] != only) ||
            thg_walls_far(crowd->map, layer, profile, columns->x[row], columns->y[row])) {
            continue;
        }
        float before_x = columns->x[row], before_y = columns->y[row];
        if (!thg_walls_place(crowd->map, profile, &columns->x[row], &columns->y[row])) {
            crowd->flags |= THRONG_STEP_NO_ROOM;
            thg_event_add(crowd, THRONG_EVENT_REMOVED, row);
            thg_agents_end(crowd, row);
        } else if (columns->x[row] != before_x || columns->y[row] != before_y) {
            thg_agents_set_status(crowd, row, thg_agents_fresh_status(crowd, row));
        }
    }
    thg_agents_drop_gone(crowd);
    thg_agents_index(crowd);
}

void thg_stage_map_run(thg_step *step)
{
    throng_crowd *crowd = step->crowd;
    throng_map_update(crowd->map);
    if (throng_map_version(crowd->map) == crowd->map_version) {
        return;
    }
    crowd->map_version = throng_map_version(crowd->map);
    crowd->field_active = false;
    thg_crowd_traffic_turn(crowd);
    crowd->bins.known = false;
    for (int goal = 1; goal <= crowd->def.max_goals; goal++) {
        for (int i = 0; i < crowd->map->layer_count && crowd->goals[goal].used; i++) {
            const thg_goal_field *field = &crowd->goals[goal].fields[i];
            if (field->field != NULL || field->sphere != NULL ||
                (field->tiles != NULL && field->tiles->member_count > 0)) {
                thg_field_queue_push(crowd, (uint32_t)goal, i);
                thg_goal_find_regions(crowd, (uint32_t)goal, i);
            }
        }
    }
    thg_routes_map_changed(crowd);
    for (int row = 0; row < crowd->agent_count; row++) {
        if (crowd->columns.status[row] == THRONG_CUT_OFF) {
            crowd->columns.quiet[row] = 0; // there may be a way now
        }
    }
    thg_gates_find(crowd);
    thg_agents_free_from_walls(crowd, -1);
}

void thg_stage_fields_run(thg_step *step)
{
    throng_crowd *crowd = step->crowd;
    int budget = crowd->def.field_cell_budget;
    if (crowd->derived.spots != NULL) {
        thg_spots_refresh(crowd); // orders and walls have moved some
    }
    thg_goals_move(crowd);
    thg_routes_look(crowd, &budget);
    work_on_fields(crowd, budget);
    if (crowd->field_queue_count > 0) {
        crowd->flags |= THRONG_STEP_FIELDS_BEHIND;
    }
}

void throng_crowd_solve_fields(throng_crowd *crowd)
{
    while (crowd->field_queue_count > 0) {
        work_on_fields(crowd, INT32_MAX);
    }
}
