/// A field's life: memory, solving a few cells at a time, and the flip that shows the result.
///
/// The solver writes its back buffer; readers see the field's front buffer; the flip swaps them
/// when everything is done. So a field that is being solved is never read, and an unfinished solve
/// can be dropped at any time.
#include "field/solver.h"
#include <limits.h>
#include <string.h>

static bool buffer_create(const throng_map *map, thg_buffer *buffer)
{
    buffer->cost = thg_allocate(map->padded_count, sizeof *buffer->cost);
    buffer->flow = thg_allocate(map->padded_count, 2);
    if (buffer->cost == NULL || buffer->flow == NULL) {
        return false;
    }
    memset(buffer->cost, 0xFF, map->padded_count * sizeof *buffer->cost); // THRONG_UNREACHED
    buffer->first = map->padded_count;
    buffer->end = 0;
    return true;
}

static void buffer_release(const throng_map *map, thg_buffer *buffer)
{
    thg_release(buffer->cost, map->padded_count, sizeof *buffer->cost);
    thg_release(buffer->flow, map->padded_count, 2);
}

throng_result thg_solver_create(const throng_map *map, thg_solver **result)
{
    thg_solver *solver = thg_allocate(1, sizeof *solver);
    if (solver == NULL) {
        return THRONG_NO_MEMORY;
    }
    solver->map = map;
    thg_queue *queue = &solver->queue;
    queue->limit = 8;
    while (queue->limit < THG_QUEUE_LIMIT && queue->limit * 2 <= map->padded_count / THG_CHUNK) {
        queue->limit *= 2;
    }
    // Three lists of cells, or a pool of chunks in the same memory; the least maps need a few more.
    solver->entry_words = 3 * map->padded_count + 16 * THG_CHUNK;
    solver->entries = thg_allocate(solver->entry_words, sizeof *solver->entries);
    queue->words = solver->entries;
    queue->chunk_count = (uint32_t)(solver->entry_words / THG_CHUNK);
    queue->head = thg_allocate(queue->limit, sizeof *queue->head);
    queue->fill = thg_allocate(queue->limit, sizeof *queue->fill);
    solver->mark = thg_allocate(map->padded_count, 1);
    solver->touched = thg_allocate(thg_touched_count(map), 1);
    solver->successors = thg_allocate(256, sizeof *solver->successors);
    bool complete = buffer_create(map, &solver->back) && solver->successors != NULL;
    solver->tiles = thg_squares_create(map);
    complete = complete && solver->tiles != NULL;
    if (!complete || solver->entries == NULL || queue->head == NULL || queue->fill == NULL ||
        solver->mark == NULL || solver->touched == NULL) {
        thg_solver_destroy(solver);
        return THRONG_NO_MEMORY;
    }
    thg_octile_prepare(solver);
    *result = solver;
    return THRONG_OK;
}

void thg_solver_use_jobs(thg_solver *solver, throng_jobs *jobs)
{
    solver->jobs = jobs;
}

void thg_solver_destroy(thg_solver *solver)
{
    if (solver == NULL) {
        return;
    }
    buffer_release(solver->map, &solver->back);
    thg_release(solver->entries, solver->entry_words, sizeof *solver->entries);
    thg_release(solver->queue.head, solver->queue.limit, sizeof *solver->queue.head);
    thg_release(solver->queue.fill, solver->queue.limit, sizeof *solver->queue.fill);
    thg_release(solver->mark, solver->map->padded_count, 1);
    thg_release(solver->touched, thg_touched_count(solver->map), 1);
    thg_release(solver->successors, 256, sizeof *solver->successors);
    thg_squares_destroy(solver->tiles);
    thg_release(solver, 1, sizeof *solver);
}

throng_result thg_field_create(const throng_map *map, int class_index,
                               const throng_goal_shape *shape, throng_metric metric,
                               thg_solver *shared, throng_field **result)
{
    if (map == NULL || map->planet != NULL || shape == NULL || result == NULL || class_index < 0 ||
        class_index >= map->layer_count || (metric != THRONG_EIKONAL && metric != THRONG_OCTILE) ||
        (shared != NULL && shared->map != map)) {
        return THRONG_BAD_ARGUMENT;
    }
    throng_field *field = thg_allocate(1, sizeof *field);
    if (field == NULL) {
        return THRONG_NO_MEMORY;
    }
    field->map = map;
    field->class_index = class_index;
    field->metric = metric;
    field->solver = shared;
    throng_result outcome = thg_goal_copy_set(&field->goal, shape);
    if (outcome == THRONG_OK && shared == NULL) {
        outcome = thg_solver_create(map, &field->solver);
        field->owns_solver = outcome == THRONG_OK;
    }
    if (outcome == THRONG_OK && !buffer_create(map, &field->front)) {
        outcome = THRONG_NO_MEMORY;
    }
    if (outcome == THRONG_OK && metric == THRONG_EIKONAL) {
        field->solved.price = thg_allocate(map->padded_count, sizeof *field->solved.price);
        outcome = field->solved.price != NULL ? THRONG_OK : THRONG_NO_MEMORY;
    }
    if (outcome != THRONG_OK) {
        throng_field_destroy(field);
        return outcome;
    }
    *result = field;
    return THRONG_OK;
}

throng_result throng_field_create(const throng_map *map, int class_index,
                                  const throng_goal_shape *shape, throng_metric metric,
                                  throng_field **field)
{
    return thg_field_create(map, class_index, shape, metric, NULL, field);
}

void throng_field_destroy(throng_field *field)
{
    if (field == NULL) {
        return;
    }
    if (field->solver != NULL && field->solver->field == field) {
        field->solver->field = NULL;
    }
    if (field->owns_solver) {
        thg_solver_destroy(field->solver);
    }
    buffer_release(field->map, &field->front);
    thg_release(field->solved.price, field->map->padded_count, sizeof *field->solved.price);
    thg_goal_copy_release(&field->goal);
    thg_release(field, 1, sizeof *field);
}

throng_result throng_field_set_goal(throng_field *field, const throng_goal_shape *shape)
{
    if (shape == NULL) {
        return THRONG_BAD_ARGUMENT;
    }
    throng_result result = thg_goal_copy_set(&field->goal, shape);
    if (result == THRONG_OK && field->solver->field == field) {
        field->solver->field = NULL; // what is half solved is for the old goal
    }
    return result;
}

void throng_field_use_jobs(throng_field *field, throng_jobs *jobs)
{
    thg_solver_use_jobs(field->solver, jobs);
}

void thg_field_set_prices(throng_field *field, const thg_prices *prices)
{
    field->prices = prices != NULL ? *prices : (thg_prices){0};
}

/// Makes the back buffer all unreached again.
static void clear_back(thg_solver *solver)
{
    thg_buffer *back = &solver->back;
    size_t count = solver->map->padded_count;
    size_t margin = (size_t)solver->map->stride + 1; // neighbours of the cells that were taken
    size_t first = back->first > margin ? back->first - margin : 0;
    size_t end = back->end + margin < count ? back->end + margin : count;
    if (first < end) {
        memset(back->cost + first, 0xFF, (end - first) * sizeof *back->cost);
        memset(solver->mark + first, 0, end - first);
    }
    first = solver->mark_first > margin ? solver->mark_first - margin : 0;
    end = solver->mark_end + margin < count ? solver->mark_end + margin : count;
    if (first < end) {
        memset(solver->mark + first, 0, end - first);
    }
    solver->mark_first = count;
    solver->mark_end = 0;
    back->first = count;
    back->end = 0;
    back->has_flow = false;
    back->reached_count = 0;
}

/// What every solve starts with.
static void begin(throng_field *field)
{
    thg_solver *solver = field->solver;
    solver->field = field;
    solver->version = field->map->version;
    solver->prices = thg_field_prices(field);
    solver->repairing = false;
    solver->far_seen = false;
    solver->cursor = 0;
    solver->flow_owed = 0;
    solver->lead_read = 0;
    solver->lead_count = 0;
    thg_goal_resolve(field);
}

static void begin_integration(throng_field *field)
{
    thg_solver *solver = field->solver;
    solver->phase = THG_INTEGRATE;
    if (field->metric == THRONG_OCTILE) {
        thg_octile_begin(solver);
    } else {
        solver->uniform = false;
        thg_eikonal_begin(solver);
    }
}

void thg_field_begin(throng_field *field)
{
    clear_back(field->solver);
    begin(field);
    begin_integration(field);
}

void thg_field_begin_repair(throng_field *field)
{
    thg_solver *solver = field->solver;
    begin(field);
    if (thg_repair_begin(solver)) {
        solver->back.reached_count = field->front.reached_count; // rows correct it
        solver->repairing = true;
        solver->phase = THG_REPAIR;
    } else {
        thg_field_begin(field);
    }
}

static bool integrate(thg_solver *solver, int *cell_budget)
{
    return solver->field->metric == THRONG_OCTILE ? thg_octile_advance(solver, cell_budget)
                                                  : thg_eikonal_advance(solver, cell_budget);
}

/// The points of the solve that is done become those that are read.
static void flip_points(thg_goal_copy *goal)
{
    throng_vec2 *points = goal->resolved[0];
    int capacity = goal->resolved_capacity[0];
    goal->resolved[0] = goal->resolved[1];
    goal->resolved_capacity[0] = goal->resolved_capacity[1];
    goal->resolved_count[0] = goal->resolved_count[1];
    goal->resolved[1] = points;
    goal->resolved_capacity[1] = capacity;
    goal->resolved_count[1] = 0;
}

/// Swaps the buffers, and the places of the points with them.
static void flip(throng_field *field)
{
    thg_solver *solver = field->solver;
    thg_repair_keep(field);
    solver->mark_first = solver->back.first;
    solver->mark_end = solver->back.end;
    thg_buffer buffer = field->front;
    field->front = solver->back;
    solver->back = buffer;
    flip_points(&field->goal);
    solver->field = NULL;
    solver->phase = THG_IDLE;
    field->version++;
}

bool thg_field_advance(throng_field *field, int *cell_budget)
{
    thg_solver *solver = field->solver;
    if (solver->field != field || solver->version != field->map->version) {
        thg_field_begin(field);
    }
    if (solver->phase == THG_REPAIR) {
        thg_repair_state state = thg_repair_advance(solver, cell_budget);
        if (state == THG_REPAIR_GOES_ON) {
            return false;
        }
        solver->phase = THG_INTEGRATE;
        if (state == THG_REPAIR_TOO_MUCH) {
            thg_field_begin(field);
        }
    }
    if (solver->phase == THG_INTEGRATE && integrate(solver, cell_budget)) {
        solver->phase = THG_FLOW;
    }
    if (solver->phase != THG_INTEGRATE && thg_flow_advance(solver, cell_budget)) {
        solver->back.has_flow = true;
        flip(field);
        return true;
    }
    return false;
}

static void finish(throng_field *field)
{
    bool done = false;
    while (!done) {
        int budget = INT_MAX;
        done = thg_field_advance(field, &budget);
    }
}

void throng_field_solve(throng_field *field)
{
    thg_field_begin(field);
    finish(field);
}

void throng_field_repair(throng_field *field)
{
    thg_field_begin_repair(field);
    finish(field);
}

void thg_field_integrate(throng_field *field)
{
    thg_field_begin(field);
    for (int budget = INT_MAX; !integrate(field->solver, &budget); budget = INT_MAX) {
    }
}

void throng_field_solve_until(throng_field *field, const int *cells, int cell_count)
{
    THRONG_ASSERT(field->metric == THRONG_OCTILE);
    thg_solver *solver = field->solver;
    const throng_map *map = field->map;
    thg_field_begin(field);
    int next = 0;
    bool done = false;
    while (!done && next < cell_count) {
        int budget = 256;
        done = integrate(solver, &budget);
        uint32_t settled = thg_octile_settled(solver);
        for (; next < cell_count; next++) {
            int cell = cells[next];
            bool inside = cell >= 0 && (size_t)cell < map->cell_count;
            if (inside &&
                solver->back.cost[thg_padded_index(map, cell % map->width, cell / map->width)] >=
                    settled) {
                break;
            }
        }
    }
    flip(field);
}

bool thg_field_restore_cost(throng_field *field, const uint32_t *cost)
{
    const thg_layer *layer = thg_field_layer(field);
    thg_solver *solver = field->solver;
    size_t count = field->map->padded_count;
    for (size_t i = 0; i < count; i++) {
        if (cost[i] != THRONG_UNREACHED && thg_layer_blocked(field->map, layer, i)) {
            return false;
        }
    }
    clear_back(solver);
    begin(field);
    for (size_t i = 0; i < count; i++) {
        // Leads are derived again, so the cells that have only a lead start unreached.
        solver->back.cost[i] = layer->price[i] != 0 ? cost[i] : THRONG_UNREACHED;
    }
    solver->back.first = 0;
    solver->back.end = count;
    solver->phase = THG_FLOW;
    finish(field);
    return true;
}

const uint32_t *thg_field_costs(const throng_field *field)
{
    return field->front.cost;
}

const int8_t *thg_field_flow(const throng_field *field)
{
    return field->front.flow;
}

const throng_vec2 *thg_field_points(const throng_field *field, int *point_count)
{
    *point_count = field->goal.resolved_count[0];
    return field->goal.resolved[0];
}

void thg_field_restore(throng_field *field, const uint32_t *cost, const int8_t *flow)
{
    size_t count = field->map->padded_count;
    thg_buffer *front = &field->front;
    memcpy(front->cost, cost, count * sizeof *cost);
    memcpy(front->flow, flow, 2 * count);
    front->first = 0;
    front->end = count;
    front->has_flow = true;
    field->solved.known = false;
    front->reached_count = 0;
    for (size_t i = 0; i < count; i++) {
        front->reached_count += cost[i] != THRONG_UNREACHED;
    }
    thg_goal_resolve(field);
    flip_points(&field->goal);
    field->version++;
}

void thg_field_restore_points(throng_field *field, const throng_vec2 *points, int point_count)
{
    thg_goal_copy *goal = &field->goal;
    goal->resolved_count[0] = thg_min_int(point_count, goal->resolved_capacity[0]);
    for (int i = 0; i < goal->resolved_count[0]; i++) {
        goal->resolved[0][i] = points[i];
    }
}

const uint16_t *thg_field_solved_prices(const throng_field *field, uint64_t *goal_hash)
{
    *goal_hash = field->solved.goal_hash;
    return field->solved.known ? field->solved.price : NULL;
}

void thg_field_restore_solved(throng_field *field, const uint16_t *price, uint64_t goal_hash)
{
    field->solved.known = field->solved.price != NULL;
    if (field->solved.known) {
        memcpy(field->solved.price, price, field->map->padded_count * sizeof *price);
        field->solved.goal_hash = goal_hash;
    }
}
