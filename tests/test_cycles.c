/// Walls that come and go for hours: memory stays what it was, and so does every answer.
#include "crowd_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <throng/route.h>
#include <throng_io/map_file.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CYCLES 16
#define WARM 8 ///< cycles after which nothing is new any more
#else
#define CYCLES 240
#define WARM 40
#endif
#define AGENTS 300
#define DT (1.0f / 30.0f)

/// Resident kilobytes of this process, counted page by page (statm is late by up to 64 pages); 0
/// where the system does not say, or a sanitizer keeps what is given back.
static long resident(void)
{
    long size = 0;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    while (file != NULL && size == 0 && fgets(line, sizeof line, file) != NULL) {
        size = strncmp(line, "Rss:", 4) == 0 ? strtol(line + 4, NULL, 10) : 0;
    }
    if (file != NULL) {
        fclose(file);
    }
#endif
    return size;
}

static fixture make_world(throng_route_method method)
{
    fixture world;
    memset(&world, 0, sizeof world);
    char path[1024];
    throng_map_def map_def = throng_default_map_def();
    throng_class_def class_def = throng_default_class_def();
    throng_goal_def goal_def = throng_default_goal_def();
    throng_vec2 exits[2] = {{40.5f, 30.5f}, {220.5f, 215.5f}};
    throng_goal_id goal;
    int class_index;
    test_source_path(path, sizeof path, "maps/movingai/Berlin_0_256.map");
    assert_ok(throng_map_load(path, &map_def, &world.map, NULL));
    assert_ok(throng_map_add_class(world.map, &class_def, &class_index));
    world.profiles[0] = throng_default_profile_def();
    throng_crowd_def def = throng_default_crowd_def();
    def.map = world.map;
    def.profiles = world.profiles;
    def.profile_count = 1;
    def.max_agents = AGENTS;
    def.route_bytes = 1 << 24;
    assert_ok(throng_crowd_create(&def, &world.crowd));
    goal_def.shape.points = exits;
    goal_def.shape.point_count = 2;
    goal_def.shape.snap_distance = 30.0f;
    goal_def.method = method;
    assert_ok(throng_crowd_add_goal(world.crowd, &goal_def, &goal));
    uint32_t seed = 9;
    for (int i = 0; i < AGENTS; i++) {
        throng_vec2 place = fixture_random_place(&seed, 10.0f, 245.0f);
        fixture_spawn(&world, place.x, place.y, 0, goal);
    }
    return world;
}

/// A street is closed and opened again, another one each time, in a round of eight.
static void cycle(fixture *world, int number)
{
    throng_cell_rect street = {30 + number % 8 * 25, 40 + number % 8 * 20, 12, 12};
    uint8_t before[144];
    for (int i = 0; i < 144; i++) {
        before[i] =
            (uint8_t)throng_map_terrain_at(world->map, street.x + i % 12, street.y + i / 12);
    }
    assert_ok(throng_crowd_edit_rect(world->crowd, street, THRONG_WALL));
    throng_crowd_step(world->crowd, DT);
    for (int i = 0; i < 144; i++) {
        throng_cell_rect cell = {street.x + i % 12, street.y + i / 12, 1, 1};
        assert_ok(throng_crowd_edit_rect(world->crowd, cell, before[i]));
    }
    throng_crowd_step(world->crowd, DT);
}

static void memory_stays_what_it_was(void **state)
{
    (void)state;
    for (int method = THRONG_ROUTE_FIELD; method <= THRONG_ROUTE_ROOMS; method++) {
        fixture world = make_world((throng_route_method)method);
        for (int i = 0; i < WARM; i++) {
            cycle(&world, i);
        }
        size_t live = throng_live_bytes();
        long before = resident();
        for (int i = 0; i < CYCLES; i++) {
            cycle(&world, i);
        }
        long more = resident() - before;
        print_message("%s: %ld kB, %ld more after %d cycles\n",
                      throng_route_name((throng_route_method)method), before, more, CYCLES);
        assert_int_equal(throng_live_bytes(), live);
        assert_true(100 * more <= before);
        fixture_check_invariants(&world);
        fixture_destroy(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(memory_stays_what_it_was)};
    return RUN_TESTS(tests);
}
