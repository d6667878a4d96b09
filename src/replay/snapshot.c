/// Snapshots: the whole world as bytes, and back.
///
/// Layout: a header with magic, version, size and checksum, then what write_world lists, in order.
/// Fields are not stored, because their solution is unique: restoring solves them again. Only a
/// field that was waiting stores the costs that agents still read, and how many cells the solver
/// had done, so that it flips in the same step. A restore builds everything beside the crowd and
/// swaps it in at the end; until nothing can fail any more the crowd and its map are untouched.
#include "crowd/flock.h"
#include "replay/snapshot_routes.h"
#include "replay/snapshot_steers.h"
#include <throng/replay.h>

#define SNAPSHOT_MAGIC "THRONGS"
#define SNAPSHOT_VERSION 5u
#define MAX_PARTS (1 << 24)

typedef struct snapshot_header {
    char magic[8];
    uint32_t version, header_size;
    uint64_t size;        ///< of the whole snapshot
    uint64_t checksum;    ///< of all that follows the header
    uint64_t fingerprint; ///< of what must be the same on both sides
} snapshot_header;
_Static_assert(sizeof(snapshot_header) == 40, "a snapshot's header has no holes");
_Static_assert(sizeof(throng_slots_def) == 28, "slots have no holes");
_Static_assert(sizeof(thg_gate_state) == 24, "a gate's state has no holes");
_Static_assert(sizeof(thg_command) == 96, "a command is plain words");

static uint64_t checksum(const unsigned char *bytes, size_t size)
{
    uint64_t hash = size;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        hash = thg_mix64(hash * 0x9e3779b97f4a7c15u + word);
    }
    return hash;
}

static uint64_t mix_in(uint64_t hash, const void *memory, size_t size)
{
    return thg_mix64(hash ^ checksum(memory, size));
}

/// What two crowds must share for a snapshot of one to fit the other.
static uint64_t fingerprint(const throng_crowd *crowd)
{
    const throng_map *map = crowd->map;
    int32_t words[] = {map->width,
                       map->height,
                       map->layer_count,
                       crowd->profile_count,
                       crowd->def.max_agents,
                       crowd->def.max_goals,
                       (int32_t)crowd->def.metric,
                       crowd->def.field_cell_budget,
                       crowd->def.route_bytes};
    float floats[] = {map->cell_size, map->origin.x, map->origin.y, crowd->def.traffic};
    uint64_t hash = mix_in(mix_in(1, words, sizeof words), floats, sizeof floats);
    for (int i = 0; i < map->layer_count; i++) {
        const throng_class_def *def = &map->layers[i].def;
        hash = mix_in(hash, def->cost, sizeof def->cost);
        float rest[] = {def->radius, def->wall_surcharge, def->wall_distance};
        hash = mix_in(hash, rest, sizeof rest);
    }
    for (int i = 0; i < crowd->profile_count; i++) {
        const throng_profile_def *def = &crowd->profiles[i].def;
        float values[] = {
            (float)def->class_index,
#define THG_PROFILE(kind, name, low, high) (float)def->name,
#include "crowd/profile.inc"
#undef THG_PROFILE
        };
        hash = mix_in(hash, values, sizeof values);
        float ways = (float)def->ways_of;
        hash = ways >= 0.0f ? mix_in(hash, &ways, sizeof ways) : hash;
    }
    return hash;
}

// ---- What a snapshot holds, in order ------------------------------------------------------------

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

/// A field of a goal: whether it is there, waits, and, if agents read an old solution, its costs.
static throng_result stream_goal_field(thg_stream *stream, throng_crowd *crowd, uint32_t slot,
                                       int class_index)
{
    const thg_goal *goal = &crowd->goals[slot];
    thg_goal_field *field = &crowd->goals[slot].fields[class_index];
    bool made = field->field != NULL || field->tiles != NULL || field->question != NULL;
    uint8_t state = (uint8_t)(made | (field->waiting << 1) | ((field->solved_for != 0) << 2) |
                              (field->priced << 3));
    THG_STREAM(stream, state);
    THG_STREAM(stream, field->method);
    bool reading = stream->mode == THG_STREAM_READ;
    if (state > 15 || (state != 0 && !(state & 1)) || (state & 12) == 8 ||
        field->method > THRONG_ROUTE_PATH || ((state & 1) != 0) != (field->method != 0)) {
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

static throng_result stream_goals(thg_stream *stream, throng_crowd *crowd)
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

static throng_result stream_field_queue(thg_stream *stream, throng_crowd *crowd)
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

/// The field that a solve is under way for, its goal and class; NULL where none is.
static throng_field *active_field(const throng_crowd *crowd, uint32_t *slot, int *class_index)
{
    uint32_t entry = crowd->field_queue_count > 0 ? crowd->field_queue[0] : crowd->traffic.next;
    *slot = entry / THRONG_MAX_CLASSES;
    *class_index = (int)(entry % THRONG_MAX_CLASSES);
    return crowd->field_active && *slot >= 1 && *slot <= (uint32_t)crowd->def.max_goals
               ? crowd->goals[*slot].fields[*class_index].field
               : NULL;
}

/// True when it is tiles that are being worked out.
static bool tiles_are_active(const throng_crowd *crowd)
{
    uint32_t entry = crowd->field_queue_count > 0 ? crowd->field_queue[0] : 0;
    return crowd->field_active &&
           crowd->goals[entry / THRONG_MAX_CLASSES].fields[entry % THRONG_MAX_CLASSES].tiles !=
               NULL;
}

/// Busy blocks, with their places.
static throng_result stream_blocks(thg_stream *stream, thg_traffic *traffic)
{
    int width, height, side;
    const thg_traffic_block *from = thg_traffic_blocks(traffic, &width, &height, &side);
    const thg_traffic_block empty = {0};
    int32_t total = width * height, count = 0;
    bool reading = stream->mode == THG_STREAM_READ;
    for (int32_t i = 0; i < total && !reading; i++) {
        count += memcmp(&from[i], &empty, sizeof empty) != 0;
    }
    THG_STREAM(stream, count);
    if (count < 0 || count > total) {
        return THRONG_BAD_DATA;
    }
    thg_traffic_block *read = thg_allocate((size_t)total, sizeof *read);
    if (read == NULL) {
        return THRONG_NO_MEMORY;
    }
    bool valid = true;
    for (int32_t i = 0, at = 0; i < count && valid; i++, at++) {
        while (!reading && memcmp(&from[at], &empty, sizeof empty) == 0) {
            at++;
        }
        thg_traffic_block block = reading ? empty : from[at];
        THG_STREAM(stream, at);
        THG_STREAM(stream, block);
        valid = at >= 0 && at < total;
        if (valid) {
            read[at] = block;
        }
    }
    valid = valid && (!reading || thg_traffic_restore(traffic, read));
    thg_release(read, (size_t)total, sizeof *read);
    return valid ? THRONG_OK : THRONG_BAD_DATA;
}

/// Prices of the solve that is under way.
static throng_result stream_prices(thg_stream *stream, throng_crowd *crowd)
{
    thg_crowd_traffic *traffic = &crowd->traffic;
    const throng_map *map = crowd->map;
    THG_STREAM(stream, traffic->prices.min);
    THG_STREAM(stream, traffic->prices.max);
    thg_stream_bytes(stream, traffic->price, map->padded_count * sizeof *traffic->price);
    traffic->prices.price = traffic->price;
    return traffic->prices.min > 0 && traffic->prices.min <= traffic->prices.max ? THRONG_OK
                                                                                 : THRONG_BAD_DATA;
}

/// The crowd in the cost: what was counted, which field is next, and what it reckons with.
static throng_result stream_traffic(thg_stream *stream, throng_crowd *crowd)
{
    thg_crowd_traffic *traffic = &crowd->traffic;
    uint8_t flags = (uint8_t)(traffic->pricing | traffic->turning << 1);
    THG_STREAM(stream, traffic->count_age);
    THG_STREAM(stream, traffic->round_age);
    THG_STREAM(stream, traffic->next);
    THG_STREAM(stream, flags);
    traffic->pricing = (flags & 1) != 0;
    traffic->turning = (flags & 2) != 0;
    uint32_t slot;
    int class_index;
    bool active = active_field(crowd, &slot, &class_index) != NULL;
    if (!thg_is_finite(traffic->count_age) || !thg_is_finite(traffic->round_age) || flags > 3 ||
        crowd->field_active != (active || tiles_are_active(crowd))) {
        return THRONG_BAD_DATA;
    }
    if (traffic->blocks == NULL) {
        return flags != 0 ? THRONG_BAD_DATA : THRONG_OK;
    }
    thg_traffic_forget_ways(traffic->blocks, traffic->turning);
    throng_result result = stream_blocks(stream, traffic->blocks);
    if (result == THRONG_OK && active && traffic->pricing) {
        result = stream_prices(stream, crowd);
    }
    return result;
}

static void stream_columns(thg_stream *stream, throng_crowd *crowd, int count)
{
#define THG_COLUMN(type, name)                                                                     \
    thg_stream_bytes(stream, crowd->columns.name, (size_t)count * sizeof(type));
#include "crowd/columns.inc"
#undef THG_COLUMN
}

static bool row_is_valid(const throng_crowd *crowd, int row)
{
    const thg_columns *columns = &crowd->columns;
    int x, y;
    float vx = columns->vx[row], vy = columns->vy[row];
    bool numbers = vx >= -1e3f && vx <= 1e3f && vy >= -1e3f && vy <= 1e3f &&
                   thg_is_finite(columns->home_x[row]) && thg_is_finite(columns->home_y[row]) &&
                   thg_is_finite(columns->anchor_x[row]) && thg_is_finite(columns->anchor_y[row]) &&
                   thg_is_finite(columns->anchor_age[row]) &&
                   thg_is_finite(columns->disturbed[row]) && columns->pace[row] >= 0.0f &&
                   columns->pace[row] <= THG_TOP_PACE &&
                   columns->contact[row] <= THRONG_CONTACT_WAITING && columns->side[row] <= 2 &&
                   columns->came[row] <= THG_MAX_MOUTHS && columns->patience[row] >= -10.0f &&
                   columns->patience[row] <= 100.0f;
    bool stands = !thg_row_walks(crowd, row);
    numbers = numbers && (columns->quiet[row] < THG_ASLEEP || (columns->quiet[row] == THG_ASLEEP &&
                                                               stands && vx == 0.0f && vy == 0.0f));
    uint16_t goal = columns->goal[row];
    uint8_t status = columns->status[row], profile = columns->profile[row];
    if (!numbers || profile >= crowd->profile_count || status > THRONG_CUT_OFF ||
        columns->team[row] >= THRONG_MAX_TEAMS ||
        (goal != 0 && crowd->profiles[profile].def.kinematic) || goal > crowd->def.max_goals ||
        !thg_stream_status_is_valid(crowd, row) ||
        !throng_map_cell_at(crowd->map, (throng_vec2){columns->x[row], columns->y[row]}, &x, &y)) {
        return false;
    }
    int class_index = crowd->profiles[profile].way_class;
    return goal == 0 || crowd->goals[goal].fields[class_index].method != 0;
}

/// Checks what was read about agents and slots against each other, and books it.
static bool adopt_agents(throng_crowd *crowd)
{
    for (int i = 1; i <= crowd->def.max_agents; i++) {
        crowd->slots[i].row = THG_ROW_UNSEEN;
    }
    for (int row = 0; row < crowd->agent_count; row++) {
        uint32_t slot = crowd->columns.slot[row];
        if (slot < 1 || slot > (uint32_t)crowd->def.max_agents ||
            crowd->slots[slot].row != THG_ROW_UNSEEN || !row_is_valid(crowd, row)) {
            return false;
        }
        crowd->slots[slot].row = row;
        crowd->slots[slot].profile = crowd->columns.profile[row];
        thg_goal_count(crowd, crowd->columns.goal[row], crowd->columns.profile[row], 1);
        if (crowd->columns.status[row] == THRONG_ARRIVED) {
            thg_goal_count_settled(crowd, crowd->columns.goal[row], crowd->columns.profile[row], 1);
        }
        if (!thg_slots_adopt(crowd, row)) {
            return false;
        }
    }
    for (int i = 0; i < crowd->free_count; i++) {
        uint32_t slot = crowd->free_slots[i];
        if (slot < 1 || slot > (uint32_t)crowd->def.max_agents ||
            crowd->slots[slot].row != THG_ROW_UNSEEN) {
            return false;
        }
        crowd->slots[slot].row = THG_ROW_FREE;
    }
    return true;
}

static bool adopt_commands(throng_crowd *crowd)
{
    for (int i = 0; i < crowd->command_count; i++) {
        const thg_command *command = &crowd->commands[i];
        bool spawns = command->kind == THG_COMMAND_spawn;
        if (command->kind >= THG_COMMAND_COUNT || command->slot > (uint32_t)crowd->def.max_agents ||
            command->goal > (uint32_t)crowd->def.max_goals || !thg_is_finite(command->x) ||
            !thg_is_finite(command->y) || !thg_is_finite(command->vx) ||
            !thg_is_finite(command->vy) || command->profile < 0 ||
            command->profile >= crowd->profile_count || command->rect_width < 0 ||
            command->rect_height < 0 || (uint32_t)command->team >= THRONG_MAX_TEAMS ||
            (uint32_t)command->other_team >= THRONG_MAX_TEAMS ||
            (uint32_t)command->relation > THRONG_ENEMY ||
            !thg_stream_steer_command_is_valid(crowd, command) ||
            throng_map_terrain_name(crowd->map, command->terrain) == NULL) {
            return false;
        }
        if (spawns) {
            if (command->slot < 1 || crowd->slots[command->slot].row != THG_ROW_UNSEEN) {
                return false;
            }
            crowd->slots[command->slot].row = THG_ROW_COMING;
            crowd->slots[command->slot].profile = (uint32_t)command->profile;
        }
    }
    for (int i = 1; i <= crowd->def.max_agents; i++) {
        if (crowd->slots[i].row == THG_ROW_UNSEEN) {
            return false;
        }
    }
    return true;
}

static throng_result stream_agents(thg_stream *stream, throng_crowd *crowd)
{
    bool reading = stream->mode == THG_STREAM_READ;
    int32_t rows = crowd->agent_count, free_count = crowd->free_count;
    int32_t commands = crowd->command_count;
    THG_STREAM(stream, rows);
    THG_STREAM(stream, free_count);
    THG_STREAM(stream, commands);
    if (rows < 0 || free_count < 0 || (int64_t)rows + free_count > crowd->def.max_agents ||
        commands < 0 ||
        (reading && (size_t)commands * sizeof(thg_command) > stream->size - stream->at)) {
        return THRONG_BAD_DATA;
    }
    if (reading) {
        crowd->agent_count = rows;
        crowd->free_count = free_count;
        crowd->commands = thg_allocate((size_t)commands, sizeof *crowd->commands);
        if (crowd->commands == NULL) {
            return THRONG_NO_MEMORY;
        }
        crowd->command_count = crowd->command_capacity = commands;
    }
    for (int i = 1; i <= crowd->def.max_agents; i++) {
        THG_STREAM(stream, crowd->slots[i].generation);
    }
    thg_stream_bytes(stream, crowd->free_slots, (size_t)free_count * sizeof *crowd->free_slots);
    stream_columns(stream, crowd, rows);
    throng_result result = thg_stream_steers(stream, crowd);
    if (result != THRONG_OK) {
        return result;
    }
    thg_stream_bytes(stream, crowd->commands, (size_t)commands * sizeof *crowd->commands);
    if (reading && (stream->short_of_data || !adopt_agents(crowd) || !adopt_commands(crowd))) {
        return THRONG_BAD_DATA;
    }
    return THRONG_OK;
}

static throng_result stream_relations(thg_stream *stream, throng_crowd *crowd)
{
    thg_stream_bytes(stream, crowd->relations, sizeof crowd->relations);
    for (int team = 0; team < THRONG_MAX_TEAMS; team++) {
        for (int other = 0; other < THRONG_MAX_TEAMS; other++) {
            uint8_t relation = crowd->relations[team][other];
            if (relation > THRONG_ENEMY || relation != crowd->relations[other][team]) {
                return THRONG_BAD_DATA;
            }
        }
    }
    thg_teams_changed(crowd);
    return THRONG_OK;
}

static bool gate_is_valid(const thg_gate_state *state)
{
    return (state->mode == THRONG_GATE_LANES || state->mode == THRONG_GATE_TOKEN) &&
           state->owner < THG_MAX_MOUTHS && state->next < THG_MAX_MOUTHS && state->clears <= 1 &&
           state->served[0] <= THG_GATE_LEAD_MOST && state->served[1] <= THG_GATE_LEAD_MOST &&
           state->served[2] <= THG_GATE_LEAD_MOST && state->served[3] <= THG_GATE_LEAD_MOST &&
           thg_is_finite(state->age) && thg_is_finite(state->limit) && thg_is_finite(state->calm);
}

/// The gates that are not free. Which gates there are follows from the map: read states lie in any
/// order until thg_gates_find() puts them where their keys say.
static throng_result stream_gates(thg_stream *stream, throng_crowd *crowd)
{
    for (int i = 0; i < crowd->gates.family_count; i++) {
        thg_gate_state *states = crowd->gates.families[i].states;
        int32_t count = 0;
        for (int k = 0; k < THG_MAX_PASSAGES && stream->mode != THG_STREAM_READ; k++) {
            count += states[k].mode != THRONG_GATE_FREE;
        }
        THG_STREAM(stream, count);
        if (count < 0 || count > THG_MAX_PASSAGES) {
            return THRONG_BAD_DATA;
        }
        for (int k = 0, at = 0; at < count; k++) {
            if (stream->mode == THG_STREAM_READ || states[k].mode != THRONG_GATE_FREE) {
                THG_STREAM(stream, states[k]);
                at++;
                if (!gate_is_valid(&states[k])) {
                    return THRONG_BAD_DATA;
                }
            }
        }
        if (stream->mode == THG_STREAM_READ) {
            crowd->gates.busy = crowd->gates.busy || count > 0;
        }
    }
    return THRONG_OK;
}

static throng_result stream_world(thg_stream *stream, throng_crowd *crowd, uint8_t *terrain)
{
    THG_STREAM(stream, crowd->def.seed);
    THG_STREAM(stream, crowd->time);
    THG_STREAM(stream, crowd->step_count);
    uint8_t pending = stream->map_pending;
    THG_STREAM(stream, pending);
    stream->map_pending = pending != 0;
    thg_stream_bytes(stream, terrain, crowd->map->cell_count);
    throng_result result = stream_relations(stream, crowd);
    if (result == THRONG_OK) {
        result = stream_goals(stream, crowd);
    }
    if (result == THRONG_OK) {
        result = stream_field_queue(stream, crowd);
    }
    if (result == THRONG_OK) {
        result = stream_traffic(stream, crowd);
    }
    if (result == THRONG_OK) {
        result = stream_gates(stream, crowd);
    }
    if (result == THRONG_OK) {
        result = stream_agents(stream, crowd);
    }
    return result == THRONG_OK ? thg_stream_routes(stream, crowd) : result;
}

// ---- Memory -------------------------------------------------------------------------------------

throng_result throng_crowd_snapshot(const throng_crowd *crowd, void **data, size_t *size)
{
    // Counting and writing change nothing; one list for three modes is worth the cast.
    throng_crowd *source = (throng_crowd *)crowd;
    bool pending = crowd->map->dirty || throng_map_version(crowd->map) != crowd->map_version;
    thg_stream stream = {
        .mode = THG_STREAM_COUNT, .at = sizeof(snapshot_header), .map_pending = pending};
    throng_result result = stream_world(&stream, source, crowd->map->terrain);
    if (result != THRONG_OK) {
        return result;
    }
    size_t total = stream.at;
    unsigned char *bytes = thg_allocate(total, 1);
    if (bytes == NULL) {
        return THRONG_NO_MEMORY;
    }
    stream = (thg_stream){.mode = THG_STREAM_WRITE,
                          .data = bytes,
                          .size = total,
                          .at = sizeof(snapshot_header),
                          .map_pending = pending};
    stream_world(&stream, source, crowd->map->terrain);
    snapshot_header header = {.version = SNAPSHOT_VERSION,
                              .header_size = sizeof header,
                              .size = total,
                              .checksum = checksum(bytes + sizeof header, total - sizeof header),
                              .fingerprint = fingerprint(crowd)};
    memcpy(header.magic, SNAPSHOT_MAGIC, sizeof header.magic);
    memcpy(bytes, &header, sizeof header);
    *data = bytes;
    *size = total;
    return THRONG_OK;
}

void throng_snapshot_free(void *data, size_t size)
{
    thg_release(data, size, 1);
}

static throng_result check_header(const throng_crowd *crowd, const unsigned char *data, size_t size,
                                  throng_error *error)
{
    snapshot_header header;
    if (size < sizeof header) {
        return thg_fail(error, THRONG_BAD_DATA, 0, 0,
                        "byte %zu: the snapshot ends inside its header of %zu bytes", size,
                        sizeof header);
    }
    memcpy(&header, data, sizeof header);
    if (memcmp(header.magic, SNAPSHOT_MAGIC, sizeof header.magic) != 0) {
        return thg_fail(error, THRONG_BAD_DATA, 0, 0,
                        "byte 0: not a snapshot: it does not start with \"%s\"", SNAPSHOT_MAGIC);
    }
    if (header.version != SNAPSHOT_VERSION || header.header_size != sizeof header) {
        return thg_fail(error, THRONG_BAD_DATA, 0, 0,
                        "byte 8: snapshot version %u, this library reads version %u",
                        (unsigned)header.version, SNAPSHOT_VERSION);
    }
    if (header.size != size) {
        return thg_fail(error, THRONG_BAD_DATA, 0, 0,
                        "byte 16: the snapshot says it has %llu bytes, but there are %zu",
                        (unsigned long long)header.size, size);
    }
    if (header.checksum != checksum(data + sizeof header, size - sizeof header)) {
        return thg_fail(error, THRONG_BAD_DATA, 0, 0,
                        "byte 24: the checksum does not fit: the snapshot is damaged");
    }
    if (header.fingerprint != fingerprint(crowd)) {
        return thg_fail(
            error, THRONG_BAD_DATA, 0, 0,
            "byte 32: the snapshot is of another crowd: map size, classes, profiles, "
            "max_agents, max_goals, metric, field_cell_budget and route_bytes must be the "
            "same");
    }
    return THRONG_OK;
}

/// False where the prices of a solve under way are of another map.
static bool prices_fit(const throng_crowd *crowd, const thg_layer *layer)
{
    const thg_prices *prices = &crowd->traffic.prices;
    bool fit = true;
    for (size_t i = 0; i < crowd->map->padded_count && fit && crowd->traffic.pricing; i++) {
        uint16_t price = prices->price[i];
        fit = (price != 0) == (layer->price[i] != 0) &&
              (price == 0 || (price >= prices->min && price <= prices->max));
    }
    return fit;
}

/// Takes up again the solve that was under way.
static void resume_solve(throng_crowd *crowd)
{
    uint32_t slot;
    int class_index;
    throng_field *field = active_field(crowd, &slot, &class_index);
    int64_t left = crowd->field_progress;
    if (field == NULL) { // tiles: see thg_routes_restored
        return;
    }
    if (!prices_fit(crowd, &crowd->map->layers[class_index])) { // only a forged snapshot
        crowd->field_active = false;
        return;
    }
    thg_goal *goal = &crowd->goals[slot];
    thg_goal_field *state = &goal->fields[class_index];
    thg_goal_aim(goal, state, &(throng_vec2){state->solving_at.x, state->solving_at.y});
    thg_field_set_prices(field, crowd->traffic.pricing ? &crowd->traffic.prices : NULL);
    thg_field_begin_repair(field);
    while (left > 0) {
        int budget = left < INT32_MAX ? (int)left : INT32_MAX;
        int given = budget;
        if (thg_field_advance(field, &budget)) {
            crowd->field_active = false; // only a forged snapshot says that this is done
            return;
        }
        left -= given - budget;
    }
}

/// From here on nothing can fail: the map gets its terrain, the fields their solutions.
static void put_in_place(throng_crowd *crowd, throng_crowd *fresh, const uint8_t *terrain,
                         bool map_pending)
{
    throng_map *map = crowd->map;
    if (memcmp(map->terrain, terrain, map->cell_count) != 0) {
        memcpy(map->terrain, terrain, map->cell_count);
        map->dirty = true;
    }
    throng_map_update(map);
    fresh->map_version = throng_map_version(map);
    for (int slot = 1; slot <= fresh->def.max_goals; slot++) {
        for (int i = 0; i < map->layer_count; i++) {
            thg_goal_field *field = &fresh->goals[slot].fields[i];
            if (field->field != NULL && !field->waiting && !field->priced && !map_pending &&
                !thg_goal_has_moved(&fresh->goals[slot], field)) {
                throng_field_solve(field->field);
            }
            field->solved_for = field->solved_for != 0 ? fresh->map_version : 0;
            if (field->field != NULL) {
                thg_goal_find_regions(fresh, (uint32_t)slot, i);
            }
        }
    }
    if (!map_pending) { // else the next step finds them, on the map as it is then
        thg_gates_find(fresh);
    }
    if (map_pending) {
        fresh->map_version = 0; // the next step looks at the map anew and starts every field
    } else if (fresh->field_active) {
        resume_solve(fresh);
    }
    thg_routes_restored(fresh, map_pending);
    fresh->rows_moved = true;
    fresh->last_press = fresh->step_count + 1; // as far as is known
    thg_agents_index(fresh);
    thg_slots_look(fresh);
    throng_crowd old = *crowd;
    *crowd = *fresh;
    *fresh = old;
}

throng_result throng_crowd_restore(throng_crowd *crowd, const void *data, size_t size,
                                   throng_error *error)
{
    throng_result result = check_header(crowd, data, size, error);
    if (result != THRONG_OK) {
        return result;
    }
    throng_profile_def profiles[THRONG_MAX_PROFILES];
    for (int i = 0; i < crowd->profile_count; i++) {
        profiles[i] = crowd->profiles[i].def;
    }
    throng_crowd_def def = crowd->def;
    def.profiles = profiles;
    throng_crowd *fresh = NULL;
    size_t cells = crowd->map->cell_count;
    uint8_t *terrain = thg_allocate(cells, 1);
    result = terrain != NULL ? throng_crowd_create(&def, &fresh) : THRONG_NO_MEMORY;
    if (result == THRONG_OK) {
        thg_stream stream = {.mode = THG_STREAM_READ,
                             .data = (unsigned char *)data,
                             .size = size,
                             .at = sizeof(snapshot_header)};
        result = stream_world(&stream, fresh, terrain);
        bool complete = !stream.short_of_data && stream.at == size;
        for (size_t i = 0; i < cells && complete; i++) {
            complete = terrain[i] < THRONG_MAX_TERRAINS;
        }
        if (result == THRONG_BAD_DATA || (result == THRONG_OK && !complete)) {
            result =
                thg_fail(error, THRONG_BAD_DATA, 0, 0,
                         "byte %zu: the snapshot contradicts itself or ends too soon", stream.at);
        } else if (result == THRONG_OK) {
            put_in_place(crowd, fresh, terrain, stream.map_pending);
        }
    }
    if (result == THRONG_NO_MEMORY) {
        thg_fail(error, result, 0, 0, "no memory to restore a snapshot of %zu bytes", size);
    }
    throng_crowd_destroy(fresh);
    thg_release(terrain, cells, 1);
    return result;
}
