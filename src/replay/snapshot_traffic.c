/// The crowd in the cost in snapshots, and the solve that is under way.
#include "field/planet.h"
#include "replay/snapshot_parts.h"

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

/// True when it is tiles that are being worked out, or a planet's field.
static bool others_are_active(const throng_crowd *crowd)
{
    uint32_t entry = crowd->field_queue_count > 0 ? crowd->field_queue[0] : 0;
    uint32_t either = crowd->field_queue_count > 0 ? entry : crowd->traffic.next;
    const thg_goal *goal = &crowd->goals[entry / THRONG_MAX_CLASSES];
    if (!crowd->field_active || either / THRONG_MAX_CLASSES > (uint32_t)crowd->def.max_goals) {
        return false;
    }
    return goal->fields[entry % THRONG_MAX_CLASSES].tiles != NULL ||
           crowd->goals[either / THRONG_MAX_CLASSES].fields[either % THRONG_MAX_CLASSES].sphere !=
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
throng_result thg_stream_traffic(thg_stream *stream, throng_crowd *crowd)
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
        crowd->field_active != (active || others_are_active(crowd))) {
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
/// The same for a planet's field. False when it is not such a one that is active.
static bool resume_sphere(throng_crowd *crowd)
{
    uint32_t entry = crowd->field_queue_count > 0 ? crowd->field_queue[0] : crowd->traffic.next;
    const thg_goal *goal = &crowd->goals[entry / THRONG_MAX_CLASSES];
    const thg_goal_field *state = &goal->fields[entry % THRONG_MAX_CLASSES];
    if (state->sphere == NULL) {
        return false;
    }
    thg_planet_field_begin(state->sphere, goal->moves ? &state->solving_at : NULL);
    for (int64_t left = crowd->field_progress; left > 0;) {
        int budget = left < INT32_MAX ? (int)left : INT32_MAX;
        int given = budget;
        if (thg_planet_field_advance(state->sphere, &budget)) {
            crowd->field_active = false; // only a forged snapshot says that this is done
            return true;
        }
        left -= given - budget;
    }
    return true;
}

void thg_resume_solve(throng_crowd *crowd)
{
    uint32_t slot;
    int class_index;
    throng_field *field = active_field(crowd, &slot, &class_index);
    int64_t left = crowd->field_progress;
    if (resume_sphere(crowd)) {
        return;
    }
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
