/// How one gets to his place round a target, stays there, or waits for one.
#include "crowd/crowd.h"
#include "crowd/slots.h"
#include <float.h>

/// To the place: along the lane, or straight when it is beside.
static void wish_to_place(throng_crowd *crowd, const thg_slots *slots, int row, float along,
                          float out)
{
    const thg_columns *columns = &crowd->columns;
    const thg_profile *profile = &crowd->profiles[columns->profile[row]];
    const thg_place *place = &slots->places[columns->claim[row] - 1];
    float radius = profile->def.radius, lane = thg_lane_out(radius);
    if (out > thg_queue_out(radius) + THG_CLAIM_REACH) {
        return; // from farther off the field knows the way
    }
    float dx = place->position.x - columns->x[row], dy = place->position.y - columns->y[row];
    float distance = sqrtf(dx * dx + dy * dy);
    float speed = profile->def.speed * columns->pace[row];
    const thg_lane *course = &slots->lanes[profile->def.class_index];
    float way = thg_lane_way(slots, course, along, place->along);
    float beside = course->any_cut ? course->slack : radius;
    if (fabsf(way) > beside && way != FLT_MAX) {
        throng_vec2 normal;
        thg_ring_at(&slots->ring, along, 0.0f, &normal);
        float sign = way > 0.0f ? 1.0f : -1.0f;
        float inwards = thg_clamp((lane - out) / radius, -1.0f, 1.0f);
        dx = -normal.y * sign + normal.x * inwards;
        dy = normal.x * sign + normal.y * inwards;
        distance = sqrtf(dx * dx + dy * dy);
    } else {
        float brake = sqrtf(THG_ARRIVE_BRAKE * distance);
        speed = brake < speed ? brake : speed;
    }
    float scale = distance > 1e-4f ? speed / distance : 0.0f;
    crowd->derived.wish_x[row] = dx * scale;
    crowd->derived.wish_y[row] = dy * scale;
}

/// One without a place: up to the queue's edge, and out of the lane.
static void wish_to_queue(throng_crowd *crowd, const thg_slots *slots, int row, float along,
                          float out)
{
    const thg_columns *columns = &crowd->columns;
    const throng_profile_def *def = &crowd->profiles[columns->profile[row]].def;
    float queue = thg_queue_out(def->radius);
    float *wish_x = &crowd->derived.wish_x[row], *wish_y = &crowd->derived.wish_y[row];
    bool stands = columns->status[row] == THRONG_ARRIVED;
    if (out < queue - (stands ? 0.5f * def->radius : 0.0f)) {
        throng_vec2 normal;
        thg_ring_at(&slots->ring, along, 0.0f, &normal);
        float speed = def->speed * THG_HOME_SHARE;
        *wish_x = normal.x * speed;
        *wish_y = normal.y * speed;
    } else if (!stands) {
        float most = sqrtf(2.0f * THG_ARRIVE_BRAKE * (out - queue));
        thg_limit_length(wish_x, wish_y, most);
    }
}

/// One who has his place stays on it.
static void wish_to_hold(throng_crowd *crowd, const thg_place *place, int row)
{
    float dx = place->position.x - crowd->columns.x[row];
    float dy = place->position.y - crowd->columns.y[row];
    bool there = dx * dx + dy * dy < THG_ON_PLACE * THG_ON_PLACE;
    crowd->derived.wish_x[row] = there ? 0.0f : dx * THG_HOME_RATE;
    crowd->derived.wish_y[row] = there ? 0.0f : dy * THG_HOME_RATE;
}

void thg_slots_wish_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    const thg_columns *columns = &crowd->columns;
    (void)block;
    for (int row = first; row < end; row++) {
        const thg_slots *slots = crowd->goals[columns->goal[row]].slots;
        uint8_t status = columns->status[row];
        if (slots == NULL || status == THRONG_CUT_OFF) {
            continue;
        }
        if (thg_row_is_still(crowd, row)) {
            crowd->derived.yield[row] *= columns->claim[row] != 0 ? THG_HOLDER_YIELD : 1.0f;
            continue;
        }
        float along, out = thg_ring_find(&slots->ring, columns->x[row], columns->y[row], &along);
        if (columns->claim[row] == 0) {
            wish_to_queue(crowd, slots, row, along, out);
        } else if (status == THRONG_ARRIVED) {
            wish_to_hold(crowd, &slots->places[columns->claim[row] - 1], row);
            crowd->derived.yield[row] *= THG_HOLDER_YIELD;
        } else {
            wish_to_place(crowd, slots, row, along, out);
            crowd->derived.yield[row] *= THG_CLAIMANT_YIELD;
        }
    }
}
