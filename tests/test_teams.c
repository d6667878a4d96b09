/// Who is who: teams and relations, anchored and kinematic agents, layers, masks and priorities.
#include "pass_on.h"
#include "test.h"

#include <throng/replay.h>
#include <throng/throng.h>
#include <throng_io/world.h>

#define DT (1.0f / 30.0f)
enum { PERSON, ANCHORED, DRIVEN, GHOST, LORD, WIDE_DRIVEN, PROFILES };

typedef struct world {
    throng_map *map;
    throng_jobs *jobs;
    throng_crowd *crowd;
} world;

/// Open ground of 40 x 40 m with every kind of profile, walls where `rects` are.
static world make_world(int threads, const throng_cell_rect *walls, int wall_count)
{
    world made = {NULL, NULL, NULL};
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = 80;
    map_def.cell_size = 0.5f;
    assert_ok(throng_map_create(&map_def, &made.map));
    throng_class_def class_def = throng_default_class_def();
    class_def.radius = 0.4f;
    int class_index;
    assert_ok(throng_map_add_class(made.map, &class_def, &class_index));
    class_def.radius = 1.0f;
    assert_ok(throng_map_add_class(made.map, &class_def, &class_index));
    for (int i = 0; i < wall_count; i++) {
        assert_ok(throng_map_edit_rect(made.map, walls[i], THRONG_WALL));
    }
    if (threads > 1) {
        assert_ok(throng_jobs_create(threads, &made.jobs));
    }
    throng_profile_def profiles[PROFILES];
    for (int i = 0; i < PROFILES; i++) {
        profiles[i] = throng_default_profile_def();
    }
    profiles[ANCHORED].anchored = true;
    profiles[DRIVEN].kinematic = true;
    profiles[DRIVEN].speed = 10.0f;
    profiles[GHOST].mask = 0;
    profiles[GHOST].layers = 0;
    profiles[LORD].priority = 10;
    profiles[WIDE_DRIVEN].kinematic = true;
    profiles[WIDE_DRIVEN].class_index = 1;
    profiles[WIDE_DRIVEN].radius = 1.0f;
    profiles[WIDE_DRIVEN].speed = 10.0f;
    throng_crowd_def def = throng_default_crowd_def();
    def.map = made.map;
    def.jobs = made.jobs;
    def.profiles = profiles;
    def.profile_count = PROFILES;
    def.max_agents = 400;
    assert_ok(throng_crowd_create(&def, &made.crowd));
    return made;
}

static void end_world(world *made)
{
    throng_crowd_destroy(made->crowd);
    throng_map_destroy(made->map);
    throng_jobs_destroy(made->jobs);
}

static throng_goal_id goal_at(world *made, float x, float y)
{
    throng_goal_def def = throng_default_goal_def();
    throng_vec2 point = {x, y};
    def.shape.points = &point;
    def.shape.point_count = 1;
    throng_goal_id goal = {0, 0};
    assert_ok(throng_crowd_add_goal(made->crowd, &def, &goal));
    return goal;
}

static throng_agent_id spawn(world *made, float x, float y, int profile, int team,
                             throng_goal_id goal)
{
    throng_spawn_def def = {.position = {x, y}, .profile = profile, .goal = goal, .team = team};
    throng_agent_id agent = {0, 0};
    assert_ok(throng_crowd_spawn(made->crowd, &def, &agent));
    return agent;
}

static const throng_goal_id no_goal = {0, 0};

static throng_vec2 place_of(const world *made, throng_agent_id agent)
{
    int row = throng_crowd_find(made->crowd, agent);
    assert_true(row >= 0);
    throng_agents_view agents = throng_crowd_agents(made->crowd);
    return (throng_vec2){agents.x[row], agents.y[row]};
}

static float distance(throng_vec2 a, throng_vec2 b)
{
    return hypotf(a.x - b.x, a.y - b.y);
}

/// Everybody is a number, and nobody but the driven is in a wall.
static void check_sound(const world *made)
{
    throng_agents_view agents = throng_crowd_agents(made->crowd);
    for (int i = 0; i < agents.count; i++) {
        int x, y;
        assert_true(agents.x[i] - agents.x[i] == 0.0f && agents.y[i] - agents.y[i] == 0.0f);
        assert_true(agents.vx[i] - agents.vx[i] == 0.0f && agents.vy[i] - agents.vy[i] == 0.0f);
        assert_true(throng_map_cell_at(made->map, (throng_vec2){agents.x[i], agents.y[i]}, &x, &y));
        if (agents.profile[i] != DRIVEN && agents.profile[i] != WIDE_DRIVEN) {
            assert_false(throng_map_blocked(made->map, 0, x, y));
        }
    }
}

/// Deepest pair over the smaller radius.
static float deepest(const world *made)
{
    throng_agents_view agents = throng_crowd_agents(made->crowd);
    float most = 0.0f;
    for (int i = 0; i < agents.count; i++) {
        for (int k = 0; k < i; k++) {
            float apart = hypotf(agents.x[i] - agents.x[k], agents.y[i] - agents.y[k]);
            float depth = (agents.radius[i] + agents.radius[k] - apart) /
                          fminf(agents.radius[i], agents.radius[k]);
            most = fmaxf(most, depth);
        }
    }
    return most;
}

/// A corridor two metres wide, along x at y = 20; there is no way round it.
static const throng_cell_rect corridor[2] = {{20, 0, 40, 38}, {20, 42, 40, 38}};

/// A walker through a corridor that some stand in, side by side. Returns where he is in the end.
static throng_vec2 meet(throng_relation relation, int count, float *moved)
{
    world made = make_world(1, corridor, 2);
    assert_ok(throng_crowd_set_relation(made.crowd, 0, 1, relation));
    throng_goal_id east = goal_at(&made, 35.0f, 20.0f);
    throng_agent_id walker = spawn(&made, 5.0f, 20.0f, PERSON, 0, east);
    throng_vec2 places[2] = {{20.0f, count == 1 ? 20.0f : 19.5f}, {20.0f, 20.5f}};
    throng_agent_id standing[2];
    for (int i = 0; i < count; i++) {
        standing[i] = spawn(&made, places[i].x, places[i].y, PERSON, 1, no_goal);
    }
    *moved = 0.0f;
    for (int i = 0; i < 30 * 25; i++) {
        throng_crowd_step(made.crowd, DT);
        for (int k = 0; k < count; k++) {
            *moved = fmaxf(*moved, distance(place_of(&made, standing[k]), places[k]));
        }
        check_sound(&made);
        assert_true(deepest(&made) <= 0.2f || i < 30);
    }
    throng_vec2 end = place_of(&made, walker);
    end_world(&made);
    return end;
}

static void allies_who_stand_in_a_corridor_let_one_by(void **ignored)
{
    (void)ignored;
    float moved;
    throng_vec2 end = meet(THRONG_ALLY, 2, &moved);
    assert_true(end.x > 34.0f);
    assert_true(moved > 0.2f);
}

static void neutrals_make_way_too(void **ignored)
{
    (void)ignored;
    float moved;
    throng_vec2 end = meet(THRONG_NEUTRAL, 1, &moved);
    assert_true(end.x > 34.0f);
    assert_true(moved > 0.1f);
}

static void enemies_who_stand_in_a_corridor_hold_it(void **ignored)
{
    (void)ignored;
    float moved;
    throng_vec2 end = meet(THRONG_ENEMY, 2, &moved);
    assert_true(end.x < 20.0f && end.x > 18.0f);
    assert_true(moved < 0.02f);
}

static void a_crowd_does_not_push_enemies_out_of_a_gap(void **ignored)
{
    (void)ignored;
    world made = make_world(1, corridor, 2);
    assert_ok(throng_crowd_set_relation(made.crowd, 2, 5, THRONG_ENEMY));
    throng_goal_id east = goal_at(&made, 35.0f, 20.0f);
    throng_agent_id holders[2];
    for (int i = 0; i < 2; i++) {
        holders[i] = spawn(&made, 20.0f, 19.5f + (float)i, PERSON, 5, no_goal);
    }
    for (int i = 0; i < 60; i++) {
        spawn(&made, 2.0f + (float)(i % 6), 15.0f + (float)(i / 6), PERSON, 2, east);
    }
    for (int i = 0; i < 30 * 40; i++) {
        throng_crowd_step(made.crowd, DT);
        check_sound(&made);
    }
    assert_true(deepest(&made) <= 0.2f);
    throng_agents_view agents = throng_crowd_agents(made.crowd);
    for (int i = 0; i < agents.count; i++) {
        assert_true(agents.team[i] == 5 || agents.x[i] < 20.0f);
    }
    for (int i = 0; i < 2; i++) {
        assert_true(distance(place_of(&made, holders[i]), (throng_vec2){20.0f, 19.5f + (float)i}) <
                    0.05f);
    }
    // They are told to let them by: the relation is all that held.
    assert_ok(throng_crowd_set_relation(made.crowd, 5, 2, THRONG_ALLY));
    for (int i = 0; i < 30 * 60; i++) {
        throng_crowd_step(made.crowd, DT);
    }
    assert_int_equal(throng_crowd_relation(made.crowd, 2, 5), THRONG_ALLY);
    int through = 0;
    agents = throng_crowd_agents(made.crowd);
    for (int i = 0; i < agents.count; i++) {
        through += agents.team[i] == 2 && agents.x[i] > 22.0f;
    }
    assert_true(through >= 58);
    end_world(&made);
}

static void the_anchored_are_never_pushed_and_walk_when_sent(void **ignored)
{
    (void)ignored;
    world made = make_world(1, NULL, 0);
    throng_goal_id east = goal_at(&made, 30.0f, 20.0f);
    throng_agent_id post = spawn(&made, 20.0f, 20.0f, ANCHORED, 0, no_goal);
    for (int i = 0; i < 60; i++) {
        spawn(&made, 5.0f + (float)(i % 6), 16.0f + (float)(i / 6), PERSON, 0, east);
    }
    for (int i = 0; i < 30 * 25; i++) {
        throng_crowd_step(made.crowd, DT);
        throng_vec2 place = place_of(&made, post);
        assert_true(i == 0 || (place.x == 20.0f && place.y == 20.0f));
    }
    assert_true(deepest(&made) <= 0.2f);
    throng_goal_id north = goal_at(&made, 20.0f, 5.0f);
    assert_ok(throng_crowd_order(made.crowd, post, north));
    for (int i = 0; i < 30 * 15; i++) {
        throng_crowd_step(made.crowd, DT);
    }
    assert_true(distance(place_of(&made, post), (throng_vec2){20.0f, 5.0f}) < 0.6f);
    end_world(&made);
}

static void a_walker_goes_round_one_that_is_anchored(void **ignored)
{
    (void)ignored;
    world made = make_world(1, NULL, 0);
    throng_goal_id east = goal_at(&made, 30.0f, 20.0f);
    spawn(&made, 20.0f, 20.0f, ANCHORED, 0, no_goal);
    throng_agent_id walker = spawn(&made, 10.0f, 20.0f, PERSON, 0, east);
    int steps = 0;
    throng_crowd_step(made.crowd, DT);
    while (place_of(&made, walker).x < 29.4f && steps++ < 30 * 20) {
        throng_crowd_step(made.crowd, DT);
        assert_true(deepest(&made) <= 0.1f);
    }
    assert_true(steps < 30 * 12); // 9.7 s on a free way
    end_world(&made);
}

static void the_driven_go_through_a_crowd_and_walls_hold_for_the_others(void **ignored)
{
    (void)ignored;
    world made = make_world(1, corridor, 2);
    throng_agent_id car = spawn(&made, 3.0f, 20.0f, WIDE_DRIVEN, 0, no_goal);
    for (int i = 0; i < 60; i++) {
        spawn(&made, 8.0f + (float)(i % 20), 19.4f + 0.6f * (float)(i / 20), PERSON, 0, no_goal);
    }
    throng_crowd_step(made.crowd, DT);
    for (int i = 0; i < 30 * 6; i++) {
        throng_vec2 at = {3.0f + 5.0f * DT * (float)i, 20.0f};
        assert_ok(throng_crowd_move_kinematic(made.crowd, car, at, (throng_vec2){5.0f, 0.0f}));
        throng_crowd_step(made.crowd, DT);
        throng_vec2 place = place_of(&made, car);
        assert_near(place.x, at.x + 5.0f * DT, 1e-3);
        assert_near(place.y, 20.0f, 0.0);
        check_sound(&made);
    }
    throng_agents_view agents = throng_crowd_agents(made.crowd);
    int row = throng_crowd_find(made.crowd, car);
    assert_true(agents.vx[row] == 5.0f && agents.vy[row] == 0.0f);
    // It stands still, and the others come apart again.
    throng_vec2 stop = {35.0f, 20.0f};
    assert_ok(throng_crowd_move_kinematic(made.crowd, car, stop, (throng_vec2){0.0f, 0.0f}));
    for (int i = 0; i < 30 * 3; i++) {
        throng_crowd_step(made.crowd, DT);
    }
    assert_true(distance(place_of(&made, car), stop) == 0.0f);
    assert_true(deepest(&made) <= 0.2f);
    end_world(&made);
}

static void two_that_nobody_pushes_may_overlap_without_harm(void **ignored)
{
    (void)ignored;
    world made = make_world(1, NULL, 0);
    throng_agent_id a = spawn(&made, 20.0f, 20.0f, ANCHORED, 0, no_goal);
    throng_agent_id b = spawn(&made, 20.0f, 20.0f, DRIVEN, 0, no_goal);
    throng_agent_id c = spawn(&made, 20.3f, 20.0f, DRIVEN, 0, no_goal);
    throng_agent_id person = spawn(&made, 20.1f, 20.1f, PERSON, 0, no_goal);
    for (int i = 0; i < 60; i++) {
        throng_crowd_step(made.crowd, DT);
        check_sound(&made);
    }
    assert_true(distance(place_of(&made, a), (throng_vec2){20.0f, 20.0f}) == 0.0f);
    assert_true(distance(place_of(&made, b), (throng_vec2){20.0f, 20.0f}) == 0.0f);
    assert_true(distance(place_of(&made, c), (throng_vec2){20.3f, 20.0f}) == 0.0f);
    assert_true(distance(place_of(&made, person), place_of(&made, a)) > 0.7f);
    end_world(&made);
}

static void the_driven_ignore_walls_but_not_the_edge_of_the_map(void **ignored)
{
    (void)ignored;
    world made = make_world(1, corridor, 2);
    throng_agent_id car = spawn(&made, 15.0f, 16.0f, DRIVEN, 0, no_goal);
    throng_crowd_step(made.crowd, DT);
    assert_near(place_of(&made, car).x, 15.0f, 0.0); // in the middle of a wall
    throng_vec2 off = {500.0f, -3.0f};
    assert_ok(throng_crowd_move_kinematic(made.crowd, car, off, (throng_vec2){50.0f, 0.0f}));
    throng_crowd_step(made.crowd, DT);
    check_sound(&made);
    assert_true(place_of(&made, car).x > 39.9f && place_of(&made, car).y < 0.1f);
    throng_agents_view agents = throng_crowd_agents(made.crowd);
    assert_near(agents.vx[throng_crowd_find(made.crowd, car)], 10.0f, 1e-4); // its profile's speed
    // A wall built on it does not move it either.
    throng_vec2 at = {10.0f, 30.0f};
    assert_ok(throng_crowd_move_kinematic(made.crowd, car, at, (throng_vec2){0.0f, 0.0f}));
    assert_ok(throng_crowd_edit_rect(made.crowd, (throng_cell_rect){16, 56, 8, 8}, THRONG_WALL));
    throng_crowd_step(made.crowd, DT);
    assert_true(distance(place_of(&made, car), at) == 0.0f);
    end_world(&made);
}

static void ghosts_walk_through_those_they_do_not_mind(void **ignored)
{
    (void)ignored;
    world made = make_world(1, corridor, 2);
    throng_goal_id east = goal_at(&made, 35.0f, 20.0f);
    throng_agent_id ghost = spawn(&made, 5.0f, 20.0f, GHOST, 0, east);
    throng_agent_id post = spawn(&made, 20.0f, 20.0f, ANCHORED, 0, no_goal);
    throng_agent_id person = spawn(&made, 25.0f, 20.0f, PERSON, 0, no_goal);
    float nearest = 1e9f;
    for (int i = 0; i < 30 * 18; i++) {
        throng_crowd_step(made.crowd, DT);
        nearest = fminf(nearest, distance(place_of(&made, ghost), place_of(&made, post)));
        assert_true(i == 0 ||
                    distance(place_of(&made, person), (throng_vec2){25.0f, 20.0f}) == 0.0f);
    }
    assert_true(nearest < 0.1f);
    assert_true(place_of(&made, ghost).x > 34.0f);
    end_world(&made);
}

static void who_is_not_minded_keeps_clear_on_his_own(void **ignored)
{
    (void)ignored;
    world made = make_world(1, NULL, 0);
    // A lord minds persons and is minded; put on top of a ghost he stays: neither minds the other.
    throng_agent_id ghost = spawn(&made, 20.0f, 20.0f, GHOST, 0, no_goal);
    throng_agent_id lord = spawn(&made, 20.0f, 20.0f, LORD, 0, no_goal);
    throng_agent_id person = spawn(&made, 20.2f, 20.0f, PERSON, 0, no_goal);
    for (int i = 0; i < 60; i++) {
        throng_crowd_step(made.crowd, DT);
    }
    assert_true(distance(place_of(&made, ghost), (throng_vec2){20.0f, 20.0f}) == 0.0f);
    float lord_moved = distance(place_of(&made, lord), (throng_vec2){20.0f, 20.0f});
    float person_moved = distance(place_of(&made, person), (throng_vec2){20.2f, 20.0f});
    assert_true(lord_moved + person_moved > 0.5f);
    assert_true(person_moved > 1.5f * lord_moved); // the lower one gives way
    end_world(&made);
}

static void higher_priority_goes_straight_and_lower_steps_aside(void **ignored)
{
    (void)ignored;
    float aside[2];
    for (int lord = 0; lord < 2; lord++) {
        world made = make_world(1, NULL, 0);
        throng_agent_id first =
            spawn(&made, 10.0f, 20.0f, lord ? LORD : PERSON, 0, goal_at(&made, 30.0f, 20.0f));
        throng_agent_id second =
            spawn(&made, 30.0f, 20.0f, PERSON, 0, goal_at(&made, 10.0f, 20.0f));
        aside[lord] = 0.0f;
        float second_aside = 0.0f;
        for (int i = 0; i < 30 * 12; i++) {
            throng_crowd_step(made.crowd, DT);
            aside[lord] = fmaxf(aside[lord], fabsf(place_of(&made, first).y - 20.0f));
            second_aside = fmaxf(second_aside, fabsf(place_of(&made, second).y - 20.0f));
        }
        assert_true(place_of(&made, first).x > 29.0f && place_of(&made, second).x < 11.0f);
        assert_true(!lord || second_aside > 0.5f);
        end_world(&made);
    }
    assert_true(aside[0] > 0.25f);
    assert_true(aside[1] < 0.1f);
}

static void print_line(void *context, const throng_check_line *line)
{
    (void)context;
    if (!line->passed) {
        print_error("%s: %g, expected %s %g\n", line->name, line->value,
                    line->at_least ? "at least" : "at most", line->bound);
    }
}

static void check_scene(const char *name)
{
    char path[512];
    throng_scene *scene = NULL;
    throng_error error = {0};
    assert_ok_or(throng_scene_load(test_source_path(path, sizeof path, name), &scene, &error),
                 &error);
    throng_check_result result;
    throng_check_options options = {.threads = 0, .arrangement = 0};
    assert_ok_or(throng_scene_check(scene, &options, print_line, NULL, &result, &error), &error);
    throng_scene_destroy(scene);
    assert_int_equal(result.failed, 0);
    assert_true(result.passed > 0);
}

static void the_scene_of_the_held_gap_passes(void **ignored)
{
    (void)ignored;
    check_scene("scenes/slots/held_gap.json");
}

static void what_makes_no_sense_is_refused(void **ignored)
{
    (void)ignored;
    world made = make_world(1, NULL, 0);
    throng_goal_id goal = goal_at(&made, 30.0f, 20.0f);
    throng_agent_id car = spawn(&made, 5.0f, 5.0f, DRIVEN, 0, no_goal);
    throng_agent_id person = spawn(&made, 9.0f, 5.0f, PERSON, 0, no_goal);
    throng_spawn_def def = {.profile = DRIVEN, .goal = goal};
    assert_int_equal(throng_crowd_spawn(made.crowd, &def, NULL), THRONG_BAD_ARGUMENT);
    def = (throng_spawn_def){.team = 16};
    assert_int_equal(throng_crowd_spawn(made.crowd, &def, NULL), THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_crowd_order(made.crowd, car, goal), THRONG_BAD_ARGUMENT);
    throng_vec2 still = {0.0f, 0.0f}, nowhere = {NAN, 0.0f};
    assert_int_equal(throng_crowd_move_kinematic(made.crowd, person, still, still),
                     THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_crowd_move_kinematic(made.crowd, car, nowhere, still),
                     THRONG_BAD_ARGUMENT);
    assert_int_equal(
        throng_crowd_move_kinematic(made.crowd, (throng_agent_id){99, 1}, still, still),
        THRONG_STALE_ID);
    assert_int_equal(throng_crowd_set_team(made.crowd, person, -1), THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_crowd_set_relation(made.crowd, 0, 16, THRONG_ALLY),
                     THRONG_BAD_ARGUMENT);
    assert_ok(throng_crowd_set_team(made.crowd, person, 7));
    throng_crowd_step(made.crowd, DT);
    throng_agents_view agents = throng_crowd_agents(made.crowd);
    assert_int_equal(agents.team[throng_crowd_find(made.crowd, person)], 7);
    assert_string_equal(throng_relation_name(THRONG_ENEMY), "enemy");
    end_world(&made);
}

/// Two armies with posts, ghosts, lords and a car that goes to and fro.
static void fill(world *made, throng_agent_id *car)
{
    assert_ok(throng_crowd_set_relation(made->crowd, 0, 1, THRONG_ENEMY));
    assert_ok(throng_crowd_set_relation(made->crowd, 1, 2, THRONG_NEUTRAL));
    throng_goal_id east = goal_at(made, 36.0f, 20.0f), west = goal_at(made, 4.0f, 20.0f);
    for (int i = 0; i < 200; i++) {
        int profile = i % 10 == 3 ? ANCHORED : i % 10 == 5 ? GHOST : i % 10 == 7 ? LORD : PERSON;
        throng_goal_id goal = i % 5 == 3 ? no_goal : i % 2 ? east : west;
        spawn(made, 3.0f + 1.7f * (float)(i % 20), 3.0f + 3.0f * (float)(i / 20), profile, i % 3,
              goal);
    }
    *car = spawn(made, 2.0f, 20.0f, WIDE_DRIVEN, 0, no_goal);
}

static void drive(world *made, throng_agent_id car, int step)
{
    throng_vec2 at = {2.0f + 0.1f * (float)(step % 300), 20.0f};
    assert_ok(throng_crowd_move_kinematic(made->crowd, car, at, (throng_vec2){3.0f, 0.0f}));
    throng_crowd_step(made->crowd, DT);
}

static void threads_and_a_snapshot_change_no_bit(void **ignored)
{
    (void)ignored;
    throng_agent_id car;
    world one = make_world(1, corridor, 2), four = make_world(4, corridor, 2);
    world late = make_world(2, corridor, 2);
    fill(&one, &car);
    fill(&four, &car);
    for (int step = 0; step < 200; step++) {
        drive(&one, car, step);
        drive(&four, car, step);
        check_sound(&one);
        assert_int_equal(throng_crowd_hash(one.crowd), throng_crowd_hash(four.crowd));
    }
    // With commands that wait: these are in the snapshot too.
    assert_ok(throng_crowd_set_relation(one.crowd, 0, 2, THRONG_ENEMY));
    assert_ok(throng_crowd_set_relation(four.crowd, 0, 2, THRONG_ENEMY));
    pass_on(one.crowd, late.crowd);
    for (int step = 200; step < 300; step++) {
        drive(&one, car, step);
        drive(&late, car, step);
        assert_int_equal(throng_crowd_hash(one.crowd), throng_crowd_hash(late.crowd));
    }
    assert_int_equal(throng_crowd_relation(late.crowd, 2, 0), THRONG_ENEMY);
    end_world(&one);
    end_world(&four);
    end_world(&late);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(allies_who_stand_in_a_corridor_let_one_by),
        TEST(neutrals_make_way_too),
        TEST(enemies_who_stand_in_a_corridor_hold_it),
        TEST(a_crowd_does_not_push_enemies_out_of_a_gap),
        TEST(the_anchored_are_never_pushed_and_walk_when_sent),
        TEST(a_walker_goes_round_one_that_is_anchored),
        TEST(the_driven_go_through_a_crowd_and_walls_hold_for_the_others),
        TEST(two_that_nobody_pushes_may_overlap_without_harm),
        TEST(the_driven_ignore_walls_but_not_the_edge_of_the_map),
        TEST(ghosts_walk_through_those_they_do_not_mind),
        TEST(who_is_not_minded_keeps_clear_on_his_own),
        TEST(higher_priority_goes_straight_and_lower_steps_aside),
        TEST(the_scene_of_the_held_gap_passes),
        TEST(what_makes_no_sense_is_refused),
        TEST(threads_and_a_snapshot_change_no_bit),
    };
    return RUN_TESTS(tests);
}
