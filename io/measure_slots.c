/// Measures of places round a target. They are about the places of all goals.
#include "measure.h"
#include <math.h>

#define BIT(key) (UINT64_C(1) << THG_KEY_##key)

static double finish_total(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->total;
}

static double finish_worst(const throng_world *world, thg_meter *meter)
{
    (void)world;
    return meter->worst;
}

static void observe_held(const throng_world *world, thg_meter *meter)
{
    if (!thg_meter_moment(world, meter, meter->expectation->at)) {
        return;
    }
    for (int i = 0; i < world->goal_count; i++) {
        int count;
        const throng_slot *slots = throng_crowd_slots(world->crowd, world->goals[i].id, &count);
        for (int k = 0; k < count; k++) {
            meter->total += slots[k].state == THRONG_SLOT_HELD;
        }
    }
}

/// Metres from a place to its holder, the farthest.
static void observe_off(const throng_world *world, thg_meter *meter)
{
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    for (int i = 0; i < world->goal_count && thg_meter_within(world, meter); i++) {
        int count;
        const throng_slot *slots = throng_crowd_slots(world->crowd, world->goals[i].id, &count);
        for (int k = 0; k < count; k++) {
            int row = throng_crowd_find(world->crowd, slots[k].agent);
            if (slots[k].state == THRONG_SLOT_HELD && row >= 0) {
                float dx = agents.x[row] - slots[k].position.x;
                float dy = agents.y[row] - slots[k].position.y;
                meter->worst = fmax(meter->worst, (double)sqrtf(dx * dx + dy * dy));
            }
        }
    }
}

/// Agents that held a place a step ago, live, and hold it no more. `values` remembers which.
static void observe_lost(const throng_world *world, thg_meter *meter)
{
    for (int i = 0; i < world->track_count; i++) {
        meter->more[i] = 0.0f;
    }
    for (int i = 0; i < world->goal_count; i++) {
        int count;
        const throng_slot *slots = throng_crowd_slots(world->crowd, world->goals[i].id, &count);
        for (int k = 0; k < count; k++) {
            const thg_track *track = thg_world_track_of(world, slots[k].agent);
            if (slots[k].state == THRONG_SLOT_HELD && track != NULL) {
                // A number of its own for each place; small enough to be a float.
                meter->more[track - world->tracks] = (float)(i % 1024 * THRONG_MAX_SLOTS + k + 1);
            }
        }
    }
    for (int i = 0; i < world->track_count; i++) {
        bool lost = meter->values[i] != 0.0f && meter->values[i] != meter->more[i];
        meter->total +=
            lost && thg_track_alive(world, &world->tracks[i]) && thg_meter_within(world, meter);
        meter->values[i] = meter->more[i];
    }
}

const thg_measure thg_measures_slots[] = {
    {"slots_held", 0, BIT(AT), false, true, observe_held, finish_total},
    {"slots_off", 0, BIT(FROM) | BIT(TO), false, false, observe_off, finish_worst},
    {"slots_lost", 0, BIT(FROM) | BIT(TO), false, false, observe_lost, finish_total},
    {NULL, 0, 0, false, false, NULL, NULL},
};
