/// A small world for tests: a map from text or open ground, one class, one or two profiles.
#ifndef CROWD_FIXTURE_H
#define CROWD_FIXTURE_H

#include "test.h"

#include <throng/throng.h>

typedef struct fixture {
    throng_map *map;
    throng_jobs *jobs;
    throng_crowd *crowd;
    throng_profile_def profiles[2];
} fixture;

typedef struct fixture_options {
    int width, height; ///< cells of 0.5 m
    int max_agents, threads;
    throng_kernels kernels;
    int field_cell_budget;
    float slow_speed; ///< of the second profile
    bool boxes;       ///< seeded blocks of wall
    bool no_traffic;  ///< the crowd is not in the cost
} fixture_options;

static inline uint32_t fixture_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static inline float fixture_random_in(uint32_t *state, float low, float high)
{
    return low + (high - low) * (float)fixture_random(state) / 16777216.0f;
}

/// One draw a line: C leaves the order of arguments to the compiler, hashes must not depend on it.
static inline throng_vec2 fixture_random_place(uint32_t *state, float low, float high)
{
    float x = fixture_random_in(state, low, high);
    float y = fixture_random_in(state, low, high);
    return (throng_vec2){x, y};
}

static inline throng_result fixture_try(fixture *world, fixture_options options)
{
    memset(world, 0, sizeof *world);
    throng_map_def map_def = throng_default_map_def();
    map_def.width = options.width;
    map_def.height = options.height;
    map_def.cell_size = 0.5f;
    throng_result result = throng_map_create(&map_def, &world->map);
    throng_class_def class_def = throng_default_class_def();
    int class_index = 0;
    if (result == THRONG_OK) {
        result = throng_map_add_class(world->map, &class_def, &class_index);
    }
    uint32_t seed = 5;
    for (int i = 0; i < 20 && options.boxes && result == THRONG_OK; i++) {
        throng_cell_rect rect = {(int)(fixture_random(&seed) % (uint32_t)options.width),
                                 (int)(fixture_random(&seed) % (uint32_t)options.height), 4, 4};
        result = throng_map_edit_rect(world->map, rect, THRONG_WALL);
    }
    if (result == THRONG_OK && options.threads > 1) {
        result = throng_jobs_create(options.threads, &world->jobs);
    }
    world->profiles[0] = throng_default_profile_def();
    world->profiles[1] = throng_default_profile_def();
    world->profiles[1].speed = options.slow_speed > 0.0f ? options.slow_speed : 1.0f;
    world->profiles[1].radius = 0.3f;
    world->profiles[1].speed_spread = 0.2f;
    throng_crowd_def def = throng_default_crowd_def();
    def.map = world->map;
    def.jobs = world->jobs;
    def.profiles = world->profiles;
    def.profile_count = 2;
    def.max_agents = options.max_agents;
    def.kernels = options.kernels;
    def.traffic = options.no_traffic ? 0.0f : def.traffic;
    if (options.field_cell_budget > 0) {
        def.field_cell_budget = options.field_cell_budget;
    }
    return result == THRONG_OK ? throng_crowd_create(&def, &world->crowd) : result;
}

static inline void fixture_destroy(fixture *world)
{
    throng_crowd_destroy(world->crowd);
    throng_map_destroy(world->map);
    throng_jobs_destroy(world->jobs);
}

static inline fixture fixture_make(fixture_options options)
{
    fixture world;
    assert_ok(fixture_try(&world, options));
    return world;
}

static inline throng_goal_id fixture_goal(fixture *world, float x, float y)
{
    throng_goal_def def = throng_default_goal_def();
    throng_vec2 point = {x, y};
    def.shape.points = &point;
    def.shape.point_count = 1;
    throng_goal_id goal = {0, 0};
    assert_ok(throng_crowd_add_goal(world->crowd, &def, &goal));
    return goal;
}

static inline throng_agent_id fixture_spawn(fixture *world, float x, float y, int profile,
                                            throng_goal_id goal)
{
    throng_spawn_def def = {.position = {x, y}, .profile = profile, .goal = goal};
    throng_agent_id agent = {0, 0};
    assert_ok(throng_crowd_spawn(world->crowd, &def, &agent));
    return agent;
}

/// Fails unless every agent is finite, in a free cell, and no deeper in a wall than a tenth of
/// itself.
static inline void fixture_check_invariants(const fixture *world)
{
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    for (int i = 0; i < agents.count; i++) {
        int x, y;
        throng_vec2 position = {agents.x[i], agents.y[i]};
        assert_true(agents.x[i] - agents.x[i] == 0.0f && agents.y[i] - agents.y[i] == 0.0f);
        assert_true(agents.vx[i] - agents.vx[i] == 0.0f && agents.vy[i] - agents.vy[i] == 0.0f);
        assert_true(throng_map_cell_at(world->map, position, &x, &y));
        assert_false(throng_map_blocked(world->map, 0, x, y));
        float free = throng_map_wall_distance(world->map, 0, position, agents.radius[i]);
        assert_true(free >= 0.9f * agents.radius[i]);
    }
}

/// The least distance between two agents, over the sum of their radii.
static inline float fixture_closest(const fixture *world)
{
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    float closest = INFINITY;
    for (int i = 0; i < agents.count; i++) {
        for (int k = 0; k < i; k++) {
            float dx = agents.x[i] - agents.x[k], dy = agents.y[i] - agents.y[k];
            float share = sqrtf(dx * dx + dy * dy) / (agents.radius[i] + agents.radius[k]);
            closest = share < closest ? share : closest;
        }
    }
    return closest;
}

#endif
