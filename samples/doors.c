/// The map changes while people walk: a door closes, another opens, nobody has to be told.
#include <stdio.h>
#include <throng/throng.h>

static void edit(throng_crowd *crowd, int y, int terrain)
{
    throng_crowd_edit_rect(crowd, (throng_cell_rect){30, y, 1, 6}, terrain);
}

int main(void)
{
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = 60;
    throng_map *map = NULL;
    throng_map_create(&map_def, &map);
    throng_map_edit_rect(map, (throng_cell_rect){30, 0, 1, 60}, THRONG_WALL);
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
    throng_rect east = {{55, 0}, {60, 60}};
    throng_goal_def exit_def = throng_default_goal_def();
    exit_def.shape.rects = &east;
    exit_def.shape.rect_count = 1;
    exit_def.remove_on_arrival = true;
    throng_goal_id exit_goal;
    throng_crowd_add_goal(crowd, &exit_def, &exit_goal);
    for (int i = 0; i < 100; i++) {
        throng_spawn_def spawn = {.position = {2.0f + i % 10, 25.0f + i / 10}, .goal = exit_goal};
        throng_crowd_spawn(crowd, &spawn, NULL);
    }
    int cut_off = 0, left = 0;
    edit(crowd, 27, THRONG_GROUND); // the middle door
    for (int step = 0; step < 30 * 90; step++) {
        if (step == 30 * 12) {
            edit(crowd, 27, THRONG_WALL); // shut: those behind it are cut off
        }
        if (step == 30 * 14) {
            edit(crowd, 5, THRONG_GROUND); // another opens far aside: they walk on
        }
        throng_crowd_step(crowd, 1.0f / 30.0f);
        int count;
        const throng_event *events = throng_crowd_events(crowd, &count);
        for (int i = 0; i < count; i++) {
            cut_off += events[i].kind == THRONG_EVENT_UNREACHABLE;
            left += events[i].kind == THRONG_EVENT_REMOVED;
        }
    }
    printf("%d were cut off for a while, %d of 100 left\n", cut_off, left);
    throng_crowd_destroy(crowd);
    throng_map_destroy(map);
    return left == 100 ? 0 : 1;
}
