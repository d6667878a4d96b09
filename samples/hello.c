#include <stdio.h>
#include <throng/throng.h>

int main(void)
{
    throng_map_def ground = throng_default_map_def();
    ground.width = ground.height = 40; // cells of 1 m
    throng_map *map = NULL;
    throng_class_def feet = throng_default_class_def();
    throng_profile_def person = throng_default_profile_def();
    if (throng_map_create(&ground, &map) || throng_map_add_class(map, &feet, &person.class_index)) {
        return 1;
    }
    throng_map_edit_rect(map, (throng_cell_rect){20, 4, 1, 30}, THRONG_WALL);
    throng_crowd_def def = throng_default_crowd_def();
    def.map = map;
    def.profiles = &person;
    def.profile_count = 1;
    throng_crowd *crowd = NULL;
    if (throng_crowd_create(&def, &crowd)) {
        return 1;
    }
    throng_goal_def there = throng_default_goal_def();
    there.shape.points = &(throng_vec2){35, 20};
    there.shape.point_count = 1;
    throng_spawn_def spawn = {.position = {5, 20}};
    throng_crowd_add_goal(crowd, &there, &spawn.goal);
    for (int i = 0; i < 40; i++) {
        throng_crowd_spawn(crowd, &spawn, NULL); // all at one place: they come apart
    }
    for (int step = 0; step < 30 * 40; step++) {
        throng_crowd_step(crowd, 1.0f / 30.0f);
    }
    throng_agents_view agents = throng_crowd_agents(crowd);
    printf("the first stands at (%.1f, %.1f)\n", (double)agents.x[0], (double)agents.y[0]);
    throng_crowd_destroy(crowd);
    throng_map_destroy(map);
    return 0;
}
