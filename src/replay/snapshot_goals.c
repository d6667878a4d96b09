/// Goals in snapshots: what they are, their fields, and which of those wait.
#include "field/planet.h"
#include "replay/snapshot_parts.h"

#define MAX_PARTS (1 << 24)
_Static_assert(sizeof(throng_slots_def) == 28, "slots have no holes");

static bool count_is_valid(int32_t count)
{
    return count >= 0 && count <= MAX_PARTS;
}

/// One list of a goal's parts. Reading takes memory; a size beyond what is left reads nothing.
static bool stream_parts(thg_stream *stream, const void **parts, int *count, size_t size)
{
    int32_t stored = *count;
    THG_STREAM(stream, stored);
    if (stream->mode != THG_STREAM_READ) {
        thg_stream_bytes(stream, (void *)*parts, (size_t)stored * size);
        return true;
    }
    if (!count_is_valid(stored) || (size_t)stored * size > stream->size - stream->at) {
        stream->short_of_data = true;
        return false;
    }
    void *memory = thg_allocate((size_t)stored, size);
    if (memory == NULL) {
        return false;
    }
    thg_stream_bytes(stream, memory, (size_t)stored * size);
    *parts = memory;
    *count = stored;
    return true;
}

static bool stream_goal_def(thg_stream *stream, throng_goal_def *def)
{
    uint8_t removes = def->remove_on_arrival;
    THG_STREAM(stream, def->arrive_radius);
    THG_STREAM(stream, def->shape.snap_distance);
    THG_STREAM(stream, removes);
    THG_STREAM(stream, def->method);
    THG_STREAM(stream, def->expected_agents);
    THG_STREAM(stream, def->slots);
    if (stream->mode == THG_STREAM_READ) {
        def->remove_on_arrival = removes != 0;
    }
    throng_goal_shape *shape = &def->shape;
    return stream_parts(stream, (const void **)&shape->points, &shape->point_count,
                        sizeof *shape->points) &&
           stream_parts(stream, (const void **)&shape->rects, &shape->rect_count,
                        sizeof *shape->rects) &&
           stream_parts(stream, (const void **)&shape->cells, &shape->cell_count,
                        sizeof *shape->cells);
}

static void release_goal_def(throng_goal_def *def)
{
    throng_goal_shape *shape = &def->shape;
    thg_release((void *)shape->points, (size_t)shape->point_count, sizeof *shape->points);
    thg_release((void *)shape->rects, (size_t)shape->rect_count, sizeof *shape->rects);
    thg_release((void *)shape->cells, (size_t)shape->cell_count, sizeof *shape->cells);
}

static bool is_finite(throng_vec2 point)
{
    return thg_is_finite(point.x) && thg_is_finite(point.y);
}

/// The goal's points where the solution that agents read has them, in cells.
static throng_result stream_points(thg_stream *stream, throng_field *field)
{
    int32_t count = 0;
    const throng_vec2 *points = thg_field_points(field, &count);
    THG_STREAM(stream, count);
    if (stream->mode != THG_STREAM_READ) {
        thg_stream_bytes(stream, (void *)points, (size_t)count * sizeof *points);
        return THRONG_OK;
    }
    if (!count_is_valid(count) || (size_t)count * sizeof *points > stream->size - stream->at) {
        return THRONG_BAD_DATA;
    }
    throng_vec2 *kept = thg_allocate((size_t)count, sizeof *kept);
    if (kept == NULL) {
        return THRONG_NO_MEMORY;
    }
    thg_stream_bytes(stream, kept, (size_t)count * sizeof *kept);
    bool finite = true;
    for (int i = 0; i < count; i++) {
        finite = finite && is_finite(kept[i]);
    }
    if (finite) {
        thg_field_restore_points(field, kept, count);
    }
    thg_release(kept, (size_t)count, sizeof *kept);
    return finite ? THRONG_OK : THRONG_BAD_DATA;
}

/// What a repair of a kept field starts from.
static throng_result stream_solved(thg_stream *stream, throng_field *field, size_t cells)
{
    bool reading = stream->mode == THG_STREAM_READ;
    uint64_t goal_hash = 0;
    const uint16_t *from = reading ? NULL : thg_field_solved_prices(field, &goal_hash);
    uint8_t known = from != NULL;
    THG_STREAM(stream, known);
    if (known == 0) {
        return THRONG_OK;
    }
    THG_STREAM(stream, goal_hash);
    if (!reading) {
        thg_stream_bytes(stream, (void *)from, cells * sizeof *from);
        return THRONG_OK;
    }
    uint16_t *price = thg_allocate(cells, sizeof *price);
    if (price == NULL) {
        return THRONG_NO_MEMORY;
    }
    thg_stream_bytes(stream, price, cells * sizeof *price);
    thg_field_restore_solved(field, price, goal_hash);
    thg_release(price, cells, sizeof *price);
    return known == 1 ? THRONG_OK : THRONG_BAD_DATA;
}

/// What agents read of a planet's field.
static throng_result stream_sphere(thg_stream *stream, throng_planet_field *field)
{
    thg_planet_shown *shown = &field->shown;
    size_t cells = (size_t)field->planet->cell_count;
    thg_stream_bytes(stream, shown->cost, cells * sizeof *shown->cost);
    thg_stream_bytes(stream, shown->flow, cells * sizeof *shown->flow);
    THG_STREAM(stream, shown->goal_count);
    THG_STREAM(stream, shown->goals);
    THG_STREAM(stream, shown->goal_cells);
    THG_STREAM(stream, shown->points);
    if (stream->mode != THG_STREAM_READ) {
        return THRONG_OK;
    }
    bool valid = shown->goal_count >= 0 && shown->goal_count <= THRONG_MAX_PLANET_GOALS;
    for (size_t i = 0; i < cells && valid; i++) {
        valid = thg_is_finite(shown->flow[i].x) && thg_is_finite(shown->flow[i].y) &&
                thg_is_finite(shown->flow[i].z);
    }
    for (int i = 0; i < shown->goal_count && valid; i++) {
        double square = thg_dot(shown->goals[i], shown->goals[i]);
        valid = square > 0.99 && square < 1.01 && shown->goal_cells[i] < (uint32_t)cells &&
                is_finite(shown->points[i]);
    }
    field->solved = true;
    return valid ? THRONG_OK : THRONG_BAD_DATA;
}

/// A field of a goal: whether it is there, waits, and, if agents read an old solution, its costs.
static throng_result stream_goal_field(thg_stream *stream, throng_crowd *crowd, uint32_t slot,
                                       int class_index)
{
    const thg_goal *goal = &crowd->goals[slot];
    thg_goal_field *field = &crowd->goals[slot].fields[class_index];
    bool made = field->field != NULL || field->tiles != NULL || field->question != NULL ||
                field->sphere != NULL;
    uint8_t state = (uint8_t)(made | (field->waiting << 1) | ((field->solved_for != 0) << 2) |
                              (field->priced << 3));
    THG_STREAM(stream, state);
    THG_STREAM(stream, field->method);
    bool reading = stream->mode == THG_STREAM_READ;
    if (state > 15 || (state != 0 && !(state & 1)) || (state & 12) == 8 ||
        field->method > THRONG_ROUTE_ROOMS || ((state & 1) != 0) != (field->method != 0)) {
        return THRONG_BAD_DATA;
    }
    if (reading && (state & 1)) {
        throng_result result = thg_goal_need_field(crowd, slot, class_index);
        if (result != THRONG_OK) {
            return result;
        }
        field->waiting = (state & 2) != 0;
        field->solved_for = (state & 4) != 0;
        field->priced = (state & 8) != 0;
    }
    if (goal->moves) {
        THG_STREAM(stream, field->solved_at);
        THG_STREAM(stream, field->solving_at);
        if (!is_finite(field->solved_at) || !is_finite(field->solving_at)) {
            return THRONG_BAD_DATA;
        }
    }
    // Solved, and to be solved anew: agents still read what was solved for the map, the crowd or
    // the goal as it was.
    bool kept =
        (state & 4) && ((state & 10) || stream->map_pending || thg_goal_has_moved(goal, field));
    if (kept && field->sphere != NULL) {
        return stream_sphere(stream, field->sphere);
    }
    if (!kept || field->field == NULL) {
        return THRONG_OK;
    }
    size_t cells = crowd->map->padded_count;
    uint32_t *cost = reading ? thg_allocate(cells, sizeof *cost) : NULL;
    int8_t *flow = reading ? thg_allocate(2 * cells, 1) : NULL;
    if (reading && (cost == NULL || flow == NULL)) {
        thg_release(cost, cells, sizeof *cost);
        thg_release(flow, 2 * cells, 1);
        return THRONG_NO_MEMORY;
    }
    thg_stream_bytes(stream, reading ? cost : (void *)thg_field_costs(field->field),
                     cells * sizeof *cost);
    thg_stream_bytes(stream, reading ? flow : (void *)thg_field_flow(field->field), 2 * cells);
    if (reading) {
        thg_field_restore(field->field, cost, flow);
        thg_release(cost, cells, sizeof *cost);
        thg_release(flow, 2 * cells, 1);
    }
    throng_result result = stream_solved(stream, field->field, cells);
    return result == THRONG_OK ? stream_points(stream, field->field) : result;
}

throng_result thg_stream_goals(thg_stream *stream, throng_crowd *crowd)
{
    bool reading = stream->mode == THG_STREAM_READ;
    for (uint32_t slot = 1; slot <= (uint32_t)crowd->def.max_goals; slot++) {
        thg_goal *goal = &crowd->goals[slot];
        uint8_t state = (uint8_t)(goal->used | goal->ending << 1 | goal->moves << 2);
        THG_STREAM(stream, goal->generation);
        THG_STREAM(stream, state);
        if (state > 7 || (state != 0 && !(state & 1))) {
            return THRONG_BAD_DATA;
        }
        if (state == 0) {
            continue;
        }
        if (reading) {
            throng_goal_def def = throng_default_goal_def();
            bool complete = stream_goal_def(stream, &def);
            throng_result result = complete                ? thg_goal_put(crowd, slot, &def)
                                   : stream->short_of_data ? THRONG_BAD_DATA
                                                           : THRONG_NO_MEMORY;
            release_goal_def(&def);
            if (result != THRONG_OK) {
                return result == THRONG_BAD_ARGUMENT ? THRONG_BAD_DATA : result;
            }
            goal->ending = (state & 2) != 0;
            if ((state & 4) && !thg_goal_can_move(goal)) {
                return THRONG_BAD_DATA;
            }
            if (state & 4) {
                thg_goal_set_moving(crowd, slot);
            }
        } else {
            stream_goal_def(stream, &goal->def);
        }
        THG_STREAM(stream, goal->pressed_at);
        THG_STREAM(stream, goal->follow);
        for (int i = 0; i < crowd->map->layer_count; i++) {
            throng_result result = stream_goal_field(stream, crowd, slot, i);
            if (result != THRONG_OK) {
                return result;
            }
        }
    }
    return THRONG_OK;
}

throng_result thg_stream_field_queue(thg_stream *stream, throng_crowd *crowd)
{
    int32_t count = crowd->field_queue_count;
    uint8_t active = crowd->field_active;
    THG_STREAM(stream, count);
    THG_STREAM(stream, active);
    THG_STREAM(stream, crowd->field_progress);
    if (stream->mode != THG_STREAM_READ) {
        thg_stream_bytes(stream, crowd->field_queue, (size_t)count * sizeof *crowd->field_queue);
        return THRONG_OK;
    }
    // Reading made the queue anew, as long as there were fields; the stored order counts.
    int waiting = 0;
    for (int slot = 1; slot <= crowd->def.max_goals; slot++) {
        for (int i = 0; i < THRONG_MAX_CLASSES; i++) {
            waiting += crowd->goals[slot].fields[i].waiting;
        }
    }
    if (count != waiting || active > 1 || crowd->field_progress < 0) {
        return THRONG_BAD_DATA;
    }
    crowd->field_queue_count = count;
    crowd->field_active = active != 0;
    for (int i = 0; i < count; i++) {
        uint32_t entry = 0;
        THG_STREAM(stream, entry);
        uint32_t slot = entry / THRONG_MAX_CLASSES;
        if (slot < 1 || slot > (uint32_t)crowd->def.max_goals ||
            !crowd->goals[slot].fields[entry % THRONG_MAX_CLASSES].waiting) {
            return THRONG_BAD_DATA;
        }
        for (int k = 0; k < i; k++) {
            if (crowd->field_queue[k] == entry) {
                return THRONG_BAD_DATA;
            }
        }
        crowd->field_queue[i] = entry;
    }
    return THRONG_OK;
}
