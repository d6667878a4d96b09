/// Save and go on: a world, its snapshot in memory, and the same future twice.
#include <inttypes.h>
#include <stdio.h>
#include <throng/throng.h>

static void run(throng_crowd *crowd, int steps)
{
    for (int i = 0; i < steps; i++) {
        throng_crowd_step(crowd, 1.0f / 30.0f);
    }
}

int main(void)
{
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = 50;
    throng_map *map = NULL;
    throng_map_create(&map_def, &map);
    throng_class_def class_def = throng_default_class_def();
    int class_index;
    throng_map_add_class(map, &class_def, &class_index);
    throng_profile_def person = throng_default_profile_def();
    throng_crowd_def def = throng_default_crowd_def();
    def.map = map;
    def.profiles = &person;
    def.profile_count = 1;
    throng_crowd *crowd = NULL;
    if (throng_crowd_create(&def, &crowd) != THRONG_OK) {
        return 1;
    }
    throng_vec2 there = {45, 25};
    throng_goal_def goal_def = throng_default_goal_def();
    goal_def.shape.points = &there;
    goal_def.shape.point_count = 1;
    throng_goal_id goal;
    throng_crowd_add_goal(crowd, &goal_def, &goal);
    for (int i = 0; i < 200; i++) {
        throng_spawn_def spawn = {.position = {2.0f + i % 10, 10.0f + i / 10}, .goal = goal};
        throng_crowd_spawn(crowd, &spawn, NULL);
    }
    run(crowd, 150);
    void *data;
    size_t size;
    if (throng_crowd_snapshot(crowd, &data, &size) != THRONG_OK) {
        return 1;
    }
    run(crowd, 300);
    uint64_t first = throng_crowd_hash(crowd);
    throng_error error = {0};
    if (throng_crowd_restore(crowd, data, size, &error) != THRONG_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    run(crowd, 300);
    uint64_t second = throng_crowd_hash(crowd);
    printf("snapshot of %zu bytes; %016" PRIx64 " and %016" PRIx64 "\n", size, first, second);
    throng_snapshot_free(data, size);
    throng_crowd_destroy(crowd);
    throng_map_destroy(map);
    return first == second ? 0 : 1;
}
