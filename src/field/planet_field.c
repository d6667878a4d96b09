/// A planet's field: its life, a solve in parts, and the directions that follow from the costs.
#include "field/planet.h"
#include <string.h>

/// A field without goals yet.
static throng_result make(const throng_planet *planet, int class_index,
                          throng_planet_field **result)
{
    throng_planet_field *field = thg_allocate(1, sizeof *field);
    if (field == NULL) {
        return THRONG_NO_MEMORY;
    }
    size_t count = (size_t)planet->cell_count;
    field->planet = planet;
    field->class_index = class_index;
    field->cost = thg_allocate(count, sizeof *field->cost);
    field->flow = thg_allocate(count, sizeof *field->flow);
    field->shown.cost = thg_allocate(count, sizeof *field->cost);
    field->shown.flow = thg_allocate(count, sizeof *field->flow);
    field->places = thg_allocate(count, sizeof *field->places);
    field->heap.items = thg_allocate(count + 1, sizeof *field->heap.items);
    field->heap.places = field->places;
    field->heap.size = sizeof *field->places;
    if (!field->cost || !field->flow || !field->shown.cost || !field->shown.flow ||
        !field->places || !field->heap.items) {
        throng_planet_field_destroy(field);
        return THRONG_NO_MEMORY;
    }
    memset(field->shown.cost, 0xFF, count * sizeof *field->cost); // THRONG_UNREACHED
    *result = field;
    return THRONG_OK;
}

throng_result throng_planet_field_create(const throng_planet *planet, int class_index,
                                         const throng_vec3 *goals, int goal_count,
                                         throng_planet_field **result)
{
    if (planet == NULL || result == NULL || goals == NULL || class_index < 0 ||
        class_index >= planet->class_count || goal_count < 1 ||
        goal_count > THRONG_MAX_PLANET_GOALS) {
        return THRONG_BAD_ARGUMENT;
    }
    for (int i = 0; i < goal_count; i++) {
        if (!thg_is_place(goals[i])) {
            return THRONG_BAD_ARGUMENT;
        }
    }
    throng_result made = make(planet, class_index, result);
    if (made != THRONG_OK) {
        return made;
    }
    throng_planet_field *field = *result;
    field->goal_count = goal_count;
    for (int i = 0; i < goal_count; i++) {
        field->goals[i] = thg_unit(thg_wide(goals[i]));
        field->goal_cells[i] = (uint32_t)throng_planet_cell_at(planet, goals[i]);
    }
    return THRONG_OK;
}

throng_result thg_planet_field_for(const throng_planet *planet, int class_index,
                                   const throng_goal_shape *shape, throng_planet_field **result)
{
    if (shape->point_count > THRONG_MAX_PLANET_GOALS) {
        return THRONG_BAD_ARGUMENT;
    }
    throng_result made = make(planet, class_index, result);
    if (made == THRONG_OK) {
        (*result)->shape = shape;
        (*result)->goal_count = shape->point_count;
    }
    return made;
}

void throng_planet_field_destroy(throng_planet_field *field)
{
    if (field == NULL) {
        return;
    }
    size_t count = (size_t)field->planet->cell_count;
    thg_release(field->cost, count, sizeof *field->cost);
    thg_release(field->flow, count, sizeof *field->flow);
    thg_release(field->shown.cost, count, sizeof *field->cost);
    thg_release(field->shown.flow, count, sizeof *field->flow);
    thg_release(field->places, count, sizeof *field->places);
    thg_release(field->heap.items, count + 1, sizeof *field->heap.items);
    thg_release(field, 1, sizeof *field);
}

const uint32_t *throng_planet_field_costs(const throng_planet_field *field)
{
    return field->shown.cost;
}

// ---- Directions -------------------------------------------------------------------------------

static throng_vec3 heading_to(const throng_planet *planet, uint32_t cell, thg_vec3 target)
{
    thg_vec3 middle = thg_planet_middle(planet, cell);
    return thg_narrow(thg_unit(thg_tangent(middle, target)));
}

static void find_direction(throng_planet_field *field, uint32_t cell)
{
    const throng_planet *planet = field->planet;
    thg_vec3 zero = {0.0, 0.0, 0.0}, target = zero;
    field->flow[cell] = thg_narrow(zero);
    if (field->cost[cell] == THRONG_UNREACHED) {
        return;
    }
    thg_planet_way way = thg_planet_best_way(field, cell);
    if (way.cost == THRONG_UNREACHED || way.cost > field->cost[cell] + THRONG_EIKONAL_UNIT / 2) {
        for (int i = 0; i < field->goal_count; i++) { // a seed that no neighbour is lower than
            if (field->goal_cells[i] == cell) {
                field->flow[cell] = heading_to(planet, cell, field->goals[i]);
            }
        }
        return;
    }
    if (way.straight >= 0) {
        uint32_t straight = planet->ring[cell][way.straight];
        target = thg_plus(target, thg_planet_middle(planet, straight), 1.0 - way.share);
    }
    if (way.odd >= 0) {
        uint32_t odd = planet->ring[cell][way.odd];
        target = thg_plus(target, thg_planet_middle(planet, odd), way.share);
    }
    field->flow[cell] = heading_to(planet, cell, target);
}

/// Cells that do not fit but are not blocked lead to the nearest that do, breadth first.
static void spread_leads(throng_planet_field *field)
{
    const throng_planet *planet = field->planet;
    const thg_planet_class *class_ = &planet->classes[field->class_index];
    uint32_t *queue = field->heap.items, count = 0;
    for (uint32_t i = 0; i < (uint32_t)planet->cell_count; i++) {
        bool reached = field->cost[i] != THRONG_UNREACHED, beside = false;
        for (int k = 0; k < THG_RING && reached; k += 2) {
            beside = beside || class_->price[planet->ring[i][k]] == 0;
        }
        if (beside) {
            queue[count++] = i;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < THG_RING; k += 2) {
            uint32_t cell = planet->ring[queue[i]][k];
            if (class_->price[cell] != 0 || field->cost[cell] != THRONG_UNREACHED ||
                thg_planet_blocked(planet, class_, cell)) {
                continue;
            }
            float step = class_->def.cost[planet->terrain[cell]] * (float)THRONG_EIKONAL_UNIT;
            uint64_t cost = (uint64_t)field->cost[queue[i]] + (uint64_t)step;
            field->cost[cell] = cost < THRONG_FAR ? (uint32_t)cost : THRONG_FAR;
            field->flow[cell] = heading_to(planet, cell, thg_planet_middle(planet, queue[i]));
            queue[count++] = cell;
        }
    }
}

/// What has been solved becomes what is read.
static void flip(throng_planet_field *field)
{
    thg_planet_shown *shown = &field->shown;
    uint32_t *cost = shown->cost;
    throng_vec3 *flow = shown->flow;
    shown->cost = field->cost;
    shown->flow = field->flow;
    field->cost = cost;
    field->flow = flow;
    shown->goal_count = field->goal_count;
    memcpy(shown->goals, field->goals, sizeof shown->goals);
    memcpy(shown->goal_cells, field->goal_cells, sizeof shown->goal_cells);
    for (int i = 0; i < shown->goal_count; i++) {
        thg_planet_flatten(field->planet, shown->goals[i], &shown->points[i].x,
                           &shown->points[i].y);
    }
    field->solved = true;
    field->phase = THG_PLANET_IDLE;
}

void thg_planet_field_begin(throng_planet_field *field, const throng_vec2 *points)
{
    thg_planet_resolve(field, points);
    thg_planet_begin_costs(field);
    field->phase = THG_PLANET_COSTS;
    field->next = 0;
}

bool thg_planet_field_advance(throng_planet_field *field, int *budget)
{
    int cells = field->planet->cell_count;
    if (field->phase == THG_PLANET_COSTS && thg_planet_advance_costs(field, budget)) {
        field->phase = THG_PLANET_FLOW;
    }
    for (; field->phase == THG_PLANET_FLOW && field->next<cells && * budget> 0; field->next++) {
        find_direction(field, (uint32_t)field->next);
        *budget -= THG_PLANET_CELL / 4;
    }
    if (field->phase != THG_PLANET_FLOW || field->next < cells) {
        return false;
    }
    spread_leads(field);
    flip(field);
    return true;
}

void throng_planet_field_solve(throng_planet_field *field)
{
    thg_planet_field_begin(field, NULL);
    bool done = false;
    while (!done) {
        int budget = INT32_MAX;
        done = thg_planet_field_advance(field, &budget);
    }
}
