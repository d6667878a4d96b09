/// The part of a scene that makes a walk: rooms, walkers, and doors that change.
#include "scene_json.h"
#include "walk_model.h"
#include "world_model.h"
#include <math.h>
#include <string.h>

#define CELL 0, THRONG_MAX_MAP_SIDE - 1

static bool read_maze(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"rooms", THG_POINT, offsetof(thg_walk_model, maze_rooms), 1, 65535, NULL},
        {"room_size", THG_WHOLE, offsetof(thg_walk_model, def.maze.room_size), 3, 1024, NULL},
        {"extra_doors", THG_WHOLE, offsetof(thg_walk_model, def.maze.extra_doors), 0, 1000, NULL},
        {"obstacles", THG_WHOLE, offsetof(thg_walk_model, def.maze.obstacles), 0, 50, NULL},
        {"seed", THG_SEED, offsetof(thg_walk_model, def.maze.seed), 0, 0, NULL},
    };
    thg_walk_model *walk = out;
    uint64_t present;
    if (!thg_read_object(node, keys, THG_COUNT(keys), walk, &present) ||
        !thg_need_keys(node, keys, THG_COUNT(keys), present, 1)) {
        return false;
    }
    thg_node rooms = thg_node_member(node, "rooms");
    double x = (double)walk->maze_rooms.x, y = (double)walk->maze_rooms.y;
    double longer = x > y ? x : y;
    if (x != floor(x) || y != floor(y) || x * y > THRONG_MAX_ROOMS ||
        longer * walk->def.maze.room_size > THRONG_MAX_MAP_SIDE) {
        return thg_node_fail(&rooms,
                             "expected two whole numbers, at most %d rooms in all and sides of at "
                             "most %d cells",
                             THRONG_MAX_ROOMS, THRONG_MAX_MAP_SIDE);
    }
    walk->def.maze.rooms_x = (int)x;
    walk->def.maze.rooms_y = (int)y;
    return true;
}

bool thg_read_rooms(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"maze", THG_VIA, 0, 0, 0, read_maze},
        {"cut", THG_WHOLE, offsetof(thg_walk_model, def.most_cells), 16, 1 << 20, NULL},
        {"eight", THG_FLAG, offsetof(thg_walk_model, def.diagonal), 0, 0, NULL},
        {"close_every", THG_WHOLE, offsetof(thg_walk_model, def.close_every), 1, 1000000, NULL},
        {"door_seed", THG_SEED, offsetof(thg_walk_model, def.door_seed), 0, 0, NULL},
    };
    thg_walk_model *walk = &((thg_scene_model *)out)->walk;
    uint64_t present;
    int chosen;
    if (!thg_read_object(node, keys, THG_COUNT(keys), walk, &present) ||
        !thg_need_one(node, keys, THG_COUNT(keys), present, 3, &chosen)) {
        return false;
    }
    walk->is_maze = chosen == 0;
    return true;
}

/// "cells", "rooms", a cell [column, row], or the number of a room.
static bool read_to(const thg_node *node, void *out)
{
    throng_walk_group *group = out;
    const char *text = json_string_value(node->json);
    thg_key cell = {"", THG_POINT, 0, CELL, NULL}, room = {"", THG_WHOLE, 0, 1, 65535, NULL};
    if (json_is_array(node->json)) {
        throng_vec2 point;
        group->to = THRONG_TO_CELL;
        if (!thg_read_value(node, &cell, &point)) {
            return false;
        }
        group->x = (int)point.x;
        group->y = (int)point.y;
        return true;
    }
    if (json_is_integer(node->json)) {
        group->to = THRONG_TO_ROOM;
        return thg_read_value(node, &room, &group->room);
    }
    group->to = text != NULL && strcmp(text, "rooms") == 0 ? THRONG_TO_ROOMS : THRONG_TO_CELLS;
    return (text != NULL && (group->to == THRONG_TO_ROOMS || strcmp(text, "cells") == 0)) ||
           thg_node_expected(node, "\"cells\", \"rooms\", a cell [column, row] or a room's number");
}

static bool read_from(const thg_node *node, void *out)
{
    throng_walk_group *group = out;
    thg_key key = {"", THG_RECT, 0, 0, THRONG_MAX_MAP_SIDE, NULL};
    throng_rect rect;
    if (!thg_read_value(node, &key, &rect)) {
        return false;
    }
    int x = (int)rect.min.x, y = (int)rect.min.y;
    group->from = (throng_cell_rect){x, y, (int)rect.max.x - x, (int)rect.max.y - y};
    return (group->from.width > 0 && group->from.height > 0) ||
           thg_node_expected(node, "whole columns and rows [x0, y0, x1, y1]");
}

bool thg_read_walkers(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"count", THG_WHOLE, offsetof(throng_walk_group, count), 1, 1 << 24, NULL},
        {"to", THG_VIA, 0, 0, 0, read_to},
        {"from", THG_VIA, 0, 0, 0, read_from},
        {"seed", THG_SEED, offsetof(throng_walk_group, seed), 0, 0, NULL},
        {"watched", THG_FLAG, offsetof(throng_walk_group, watched), 0, 0, NULL},
    };
    thg_walk_model *walk = &((thg_scene_model *)out)->walk;
    int count;
    int64_t sum = 0;
    if (!thg_read_list(node, 1, THG_MAX_GROUPS, &count)) {
        return false;
    }
    throng_walk_group *groups = thg_scene_take(node->reader->scene, (size_t)count, sizeof *groups);
    if (groups == NULL) {
        return thg_node_no_memory(node);
    }
    for (int i = 0; i < count; i++) {
        thg_node entry = thg_node_entry(node, i);
        uint64_t present;
        groups[i].seed = (uint64_t)i + 1;
        if (!thg_read_object(&entry, keys, THG_COUNT(keys), &groups[i], &present) ||
            !thg_need_keys(&entry, keys, THG_COUNT(keys), present, 3)) {
            return false;
        }
        sum += groups[i].count;
    }
    walk->def.groups = groups;
    walk->def.group_count = count;
    return sum <= 1 << 24 || thg_node_expected(node, "at most 16777216 walkers in all");
}

typedef struct door_entry {
    double at;
    throng_vec2 cell;
    throng_walk_change change;
} door_entry;

static bool read_door(const thg_node *node, float steps_per_second, throng_walk_change *change)
{
    static const thg_key keys[] = {
        {"at", THG_REAL, offsetof(door_entry, at), 0, THG_MAX_SECONDS, NULL},
        {"cell", THG_POINT, offsetof(door_entry, cell), CELL, NULL},
        {"closed", THG_FLAG, offsetof(door_entry, change.state.closed), 0, 0, NULL},
        {"one_way", THG_WHOLE, offsetof(door_entry, change.state.one_way), 0, 65535, NULL},
        {"delay", THG_WHOLE, offsetof(door_entry, change.state.delay), 0, 1 << 20, NULL},
    };
    door_entry entry = {0};
    uint64_t present;
    if (!thg_read_object(node, keys, THG_COUNT(keys), &entry, &present) ||
        !thg_need_keys(node, keys, THG_COUNT(keys), present, 3)) {
        return false;
    }
    *change = entry.change;
    change->step = (int)fmin(1e9, entry.at * (double)steps_per_second + 0.5);
    change->x = (int)entry.cell.x;
    change->y = (int)entry.cell.y;
    return true;
}

bool thg_read_doors(const thg_node *node, void *out)
{
    thg_scene_model *model = out;
    int count;
    if (!thg_read_list(node, 1, THG_MAX_ENTRIES, &count)) {
        return false;
    }
    throng_walk_change *changes =
        thg_scene_take(node->reader->scene, (size_t)count, sizeof *changes);
    if (changes == NULL) {
        return thg_node_no_memory(node);
    }
    for (int i = 0; i < count; i++) {
        thg_node entry = thg_node_entry(node, i);
        throng_walk_change change;
        if (!read_door(&entry, model->steps_per_second, &change)) {
            return false;
        }
        int at = i; // by time, ties as written
        for (; at > 0 && changes[at - 1].step > change.step; at--) {
            changes[at] = changes[at - 1];
        }
        changes[at] = change;
    }
    model->walk.def.changes = changes;
    model->walk.def.change_count = count;
    return true;
}

bool thg_check_walk(const thg_node *root, uint64_t map_present)
{
    const thg_scene_model *model = root->reader->model;
    bool rooms = json_object_get(root->json, "rooms") != NULL;
    bool walkers = model->walk.def.group_count > 0;
    if (rooms != walkers || (model->walk.def.change_count > 0 && !rooms)) {
        return thg_node_fail(root, "expected the keys rooms and walkers together");
    }
    if (rooms && (model->group_count > 0 || model->expectation_count > 0)) {
        return thg_node_fail(root,
                             "expected either walkers, or agents and what is expected of them");
    }
    if (model->walk.is_maze == (map_present != 0)) {
        return thg_node_fail(root, map_present != 0 ? "expected no key map: the maze is the map"
                                                    : "expected the key map, which is missing");
    }
    return true;
}

// ---- From a scene to a walk --------------------------------------------------------------------

bool throng_scene_has_walkers(const throng_scene *scene)
{
    return scene->model.walk.def.group_count > 0;
}

throng_result throng_walk_open(const throng_scene *scene, int threads, uint64_t seed, int steps,
                               throng_walk **walk, throng_error *error)
{
    const thg_scene_model *model = &scene->model;
    throng_walk_def def = model->walk.def;
    throng_walk_group groups[THG_MAX_GROUPS];
    throng_world world = {.scene = scene, .model = model};
    throng_error spare = {0};
    error = error != NULL ? error : &spare;
    *walk = NULL;
    if (def.group_count == 0) {
        return thg_scene_fail(scene, false, "", THRONG_BAD_ARGUMENT, error,
                              "expected a scene with walkers");
    }
    for (int i = 0; i < def.group_count; i++) {
        groups[i] = def.groups[i];
        groups[i].seed += seed;
    }
    def.groups = groups;
    def.threads = threads > 0 ? threads : model->threads;
    double most = model->duration * (double)model->steps_per_second + 0.5;
    def.steps = steps > 0 ? steps : (int)fmin(most, 1e8);
    if (!model->walk.is_maze) {
        throng_result result = thg_world_make_map(&world, error);
        if (result != THRONG_OK) {
            throng_map_destroy(world.map);
            return result;
        }
        throng_map_update(world.map);
    }
    throng_result result = thg_walk_create(&def, world.map, walk, error);
    if (result != THRONG_OK && error->file[0] == '\0') {
        char text[sizeof error->text];
        memcpy(text, error->text, sizeof text);
        thg_scene_fail(scene, false,
                       "\x1f"
                       "rooms",
                       result, error, "%s", text);
    }
    return result;
}
