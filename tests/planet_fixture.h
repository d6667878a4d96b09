/// A small planet for tests of crowds: three kinds of movement, three sizes.
#ifndef PLANET_FIXTURE_H
#define PLANET_FIXTURE_H

#include "planet_random.h"
#include "test.h"

#include <math.h>
#include <throng/throng.h>

enum { WALKER, SHIP, HOVER, PLANET_KINDS };

typedef struct planet_world {
    throng_planet *planet;
    throng_jobs *jobs;
    throng_crowd *crowd;
    throng_profile_def profiles[PLANET_KINDS];
} planet_world;

typedef struct planet_options {
    int side;
    float radius; ///< of the planet
    int max_agents, threads;
    throng_kernels kernels;
    int field_cell_budget;
    float size;     ///< times which agents are larger
    bool one_kind;  ///< all are walkers' size and speed
    bool has_water; ///< a belt over both poles, with a neck of land
} planet_options;

static inline throng_vec3 planet_unit(throng_vec3 v)
{
    float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
    return (throng_vec3){v.x / length, v.y / length, v.z / length};
}

static inline throng_vec3 planet_random_place(uint64_t *state)
{
    return planet_unit(random_direction(state));
}

static inline throng_result planet_try(planet_world *world, planet_options options)
{
    memset(world, 0, sizeof *world);
    throng_planet_def planet_def = throng_default_planet_def();
    planet_def.side = options.side;
    planet_def.radius = options.radius;
    throng_result result = throng_planet_create(&planet_def, &world->planet);
    for (int i = 0; i < 90 && options.has_water && result == THRONG_OK; i++) {
        float angle = (float)(i - 45) * 0.0698f; // four degrees
        throng_vec3 place = {0.0f, sinf(angle), cosf(angle)};
        if (i > 4) {
            result =
                throng_planet_paint(world->planet, place, 0.17f * options.radius, THRONG_WATER);
        }
    }
    for (int kind = 0; kind < PLANET_KINDS && result == THRONG_OK; kind++) {
        throng_profile_def *profile = &world->profiles[kind];
        *profile = throng_default_profile_def();
        float size = options.size > 0.0f ? options.size : 1.0f;
        if (!options.one_kind) {
            profile->radius = kind == WALKER ? 0.3f : kind == SHIP ? 0.8f : 0.5f;
            profile->speed = kind == WALKER ? 2.0f : kind == SHIP ? 2.5f : 3.0f;
        }
        profile->radius *= size;
        profile->class_index = kind;
        throng_class_def def = throng_default_class_def();
        int index;
        def.radius = profile->radius;
        def.cost[THRONG_GROUND] = kind == SHIP && options.has_water ? 0.0f : 1.0f;
        def.cost[THRONG_WATER] = kind == WALKER ? 0.0f : 1.0f;
        result = throng_planet_add_class(world->planet, &def, &index);
    }
    if (result == THRONG_OK && options.threads > 1) {
        result = throng_jobs_create(options.threads, &world->jobs);
    }
    throng_crowd_def def = throng_default_crowd_def();
    def.map = result == THRONG_OK ? throng_planet_map(world->planet) : NULL;
    def.jobs = world->jobs;
    def.profiles = world->profiles;
    def.profile_count = PLANET_KINDS;
    def.max_agents = options.max_agents;
    def.kernels = options.kernels;
    if (options.field_cell_budget > 0) {
        def.field_cell_budget = options.field_cell_budget;
    }
    return result == THRONG_OK ? throng_crowd_create(&def, &world->crowd) : result;
}

static inline planet_world planet_make(planet_options options)
{
    planet_world world;
    assert_ok(planet_try(&world, options));
    return world;
}

static inline void planet_end(planet_world *world)
{
    throng_crowd_destroy(world->crowd);
    throng_planet_destroy(world->planet);
    throng_jobs_destroy(world->jobs);
}

static inline throng_goal_id planet_goal(planet_world *world, throng_vec3 place)
{
    throng_goal_def def = throng_default_goal_def();
    throng_vec2 point = throng_planet_position(world->planet, place);
    throng_goal_id goal = {0, 0};
    def.shape.points = &point;
    def.shape.point_count = 1;
    assert_ok(throng_crowd_add_goal(world->crowd, &def, &goal));
    return goal;
}

static inline throng_agent_id planet_spawn(planet_world *world, throng_vec3 place, int profile,
                                           throng_goal_id goal)
{
    throng_spawn_def def = {.profile = profile, .goal = goal};
    throng_agent_id agent = {0, 0};
    def.position = throng_planet_position(world->planet, place);
    assert_ok(throng_crowd_spawn(world->crowd, &def, &agent));
    return agent;
}

static inline throng_vec3 planet_place_of(const planet_world *world, int row)
{
    throng_agents_view view = throng_crowd_agents(world->crowd);
    return throng_planet_place(world->planet, (throng_vec2){view.x[row], view.y[row]});
}

#endif
