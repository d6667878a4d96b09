/// Meters: an expectation's measure at work in one run, and what measures have in common.
#include "measure.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define THG_TABLES 4
#define PACKING 0.82f ///< share of a circle that discs packed in it cover

const thg_measure *thg_measure_at(int index)
{
    static const thg_measure *const tables[] = {thg_measures_way, thg_measures_place,
                                                thg_measures_slots, thg_measures_run};
    for (int i = 0; i < THG_TABLES; i++) {
        for (const thg_measure *measure = tables[i]; measure->name != NULL; measure++) {
            if (index-- == 0) {
                return measure;
            }
        }
    }
    return NULL;
}

const thg_measure *thg_measure_find(const char *name)
{
    const thg_measure *measure;
    for (int i = 0; (measure = thg_measure_at(i)) != NULL; i++) {
        if (strcmp(measure->name, name) == 0) {
            return measure;
        }
    }
    return NULL;
}

/// Packed radii are of all who belong to the groups, sources' agents to come included.
static float radius_of(const throng_world *world, const thg_expectation *expectation)
{
    if (expectation->packs == 0.0f) {
        return expectation->radius;
    }
    double squares = 0.0;
    for (int i = 0; i < world->model->group_count; i++) {
        const thg_group *group = &world->model->groups[i];
        double radius = world->model->profiles[group->profile].def.radius;
        if ((expectation->groups >> i & 1) != 0) {
            squares += radius * radius * group->count;
        }
    }
    return expectation->packs * sqrtf((float)squares / PACKING);
}

bool thg_meters_create(throng_world *world)
{
    int count = world->model->expectation_count;
    world->meters = calloc((size_t)count + 1, sizeof *world->meters);
    if (world->meters == NULL) {
        return false;
    }
    world->meter_count = count;
    for (int i = 0; i < count; i++) {
        thg_meter *meter = &world->meters[i];
        meter->expectation = &world->model->expectations[i];
        meter->radius = radius_of(world, meter->expectation);
        meter->values = calloc((size_t)world->track_capacity + 1, sizeof *meter->values);
        meter->more = calloc((size_t)world->track_capacity + 1, sizeof *meter->more);
        if (meter->values == NULL || meter->more == NULL) {
            return false;
        }
    }
    double most = world->model->duration * (double)world->model->steps_per_second + 16.0 +
                  world->model->event_count;
    world->tick_capacity = most < 1e8 ? (int)most : 100000000;
    world->ticks = malloc((size_t)world->tick_capacity * sizeof *world->ticks);
    return world->ticks != NULL;
}

void thg_meters_destroy(throng_world *world)
{
    for (int i = 0; i < world->meter_count; i++) {
        free(world->meters[i].values);
        free(world->meters[i].more);
    }
    free(world->meters);
    free(world->ticks);
    world->meters = NULL;
    world->ticks = NULL;
    world->meter_count = 0;
}

void thg_meters_observe(throng_world *world)
{
    for (int i = 0; i < world->meter_count; i++) {
        thg_meter *meter = &world->meters[i];
        if (meter->expectation->measure->observe != NULL) {
            meter->expectation->measure->observe(world, meter);
        }
    }
}

double thg_meter_value(throng_world *world, int index)
{
    thg_meter *meter = &world->meters[index];
    const thg_measure *measure = meter->expectation->measure;
    if (measure->moment && !meter->taken) {
        world->finishing = true;
        measure->observe(world, meter);
        world->finishing = false;
    }
    return measure->finish != NULL ? measure->finish(world, meter) : INFINITY;
}

// ---- What measures share ----------------------------------------------------------------------

bool thg_meter_moment(const throng_world *world, thg_meter *meter, double at)
{
    if (meter->taken ||
        (throng_crowd_time(world->crowd) + THG_TIME_SLACK < at && !world->finishing)) {
        return false;
    }
    meter->taken = true;
    return true;
}

bool thg_meter_within(const throng_world *world, const thg_meter *meter)
{
    double time = throng_crowd_time(world->crowd);
    return time + THG_TIME_SLACK >= meter->expectation->from &&
           time - THG_TIME_SLACK <= meter->expectation->to;
}

int thg_meter_population(const throng_world *world, const thg_meter *meter)
{
    int count = 0;
    THG_EACH_TRACK(world, meter, i)
    {
        count++;
    }
    return count;
}

bool thg_meter_reached(const throng_world *world, const thg_meter *meter, const thg_track *track)
{
    if (meter->radius == 0.0f || track->left) {
        return track->arrived >= 0.0f;
    }
    return track->goal >= 0 && thg_track_alive(world, track) &&
           thg_goal_distance(&world->goals[track->goal], track->last) <= meter->radius;
}

const throng_field *thg_track_field(const throng_world *world, const thg_track *track)
{
    if (track->goal < 0) {
        return NULL;
    }
    int class_index = world->model->profiles[track->profile].def.class_index;
    return throng_crowd_goal_field(world->crowd, world->goals[track->goal].id, class_index);
}
