/// The part of a scene that says where to: goals, how their ways are found, and how they move.
#include "scene_json.h"
#include <stdio.h>
#include <string.h>

#define METRES -THG_MAX_DISTANCE, THG_MAX_DISTANCE

// ---- Goals ------------------------------------------------------------------------------------

static bool check_cells(const thg_node *node, const thg_points *cells)
{
    for (int i = 0; i < cells->count; i++) {
        throng_vec2 cell = cells->items[i];
        if (cell.x != (float)(int)cell.x || cell.y != (float)(int)cell.y) {
            thg_node list = thg_node_member(node, "cells");
            thg_node entry = thg_node_entry(&list, i);
            return thg_node_fail(&entry, "expected two whole numbers: [column, row]");
        }
    }
    return true;
}

static bool read_method(const thg_node *node, void *out)
{
    throng_route_method *method = out;
    const char *text = json_string_value(node->json);
    for (int i = THRONG_ROUTE_AUTO; i <= THRONG_ROUTE_ROOMS && text != NULL; i++) {
        if (strcmp(throng_route_name((throng_route_method)i), text) == 0) {
            *method = (throng_route_method)i;
            return true;
        }
    }
    return thg_node_expected(node, "\"auto\", \"field\", \"tiles\", \"path\" or \"rooms\"");
}

/// Way points behind the goal's own point, and how fast it goes along them.
static bool read_moves(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"through", THG_POINTS, offsetof(thg_goal_moves, through), METRES, NULL},
        {"speed", THG_NUMBER, offsetof(thg_goal_moves, speed), 0.01, 100, NULL},
        {"from", THG_NUMBER, offsetof(thg_goal_moves, from), 0, THG_MAX_SECONDS, NULL},
        {"rounds", THG_FLAG, offsetof(thg_goal_moves, rounds), 0, 0, NULL},
    };
    thg_goal_moves *moves = out;
    uint64_t present;
    if (!thg_read_object(node, keys, THG_COUNT(keys), moves, &present) ||
        !thg_need_keys(node, keys, THG_COUNT(keys), present, 3)) {
        return false;
    }
    thg_node through = thg_node_member(node, "through");
    return moves->through.count > 0 || thg_node_fail(&through, "expected one point or more");
}

/// Groups are read after goals: names are looked up by thg_find_followed.
static bool read_follows(const thg_node *node, void *out)
{
    *(bool *)out = true;
    return json_is_string(node->json) || json_is_array(node->json) ||
           thg_node_expected(node, "the name of a group of agents, or a list of them");
}

bool thg_find_followed(const thg_node *root)
{
    thg_scene_model *model = root->reader->model;
    thg_node goals = thg_node_member(root, "goals");
    for (int i = 0; i < model->goal_count; i++) {
        thg_node goal = thg_node_member(&goals, model->goals[i].name);
        thg_node follows = thg_node_member(&goal, "follows");
        if (model->goals[i].follows && !thg_find_groups(&follows, &model->goals[i].followed)) {
            return false;
        }
    }
    return true;
}

/// What moves is one point.
static bool check_moving(const thg_node *node, const thg_goal_model *goal)
{
    if (goal->moves.through.count > 0 && goal->follows) {
        return thg_node_fail(node, "expected at most one of the keys moves, follows");
    }
    if (goal->moves.through.count == 0 && !goal->follows) {
        return true;
    }
    thg_node key = thg_node_member(node, goal->follows ? "follows" : "moves");
    return (goal->points.count == 1 && goal->rects.count + goal->cells.count == 0) ||
           thg_node_fail(&key,
                         "expected a goal of one point and nothing else: where it is at "
                         "first, found %d points, %d rects and %d cells",
                         goal->points.count, goal->rects.count, goal->cells.count);
}

static bool read_goal(const thg_node *node, thg_goal_model *goal)
{
    static const thg_key keys[] = {
        {"points", THG_POINTS, offsetof(thg_goal_model, points), METRES, NULL},
        {"rects", THG_RECTS, offsetof(thg_goal_model, rects), METRES, NULL},
        {"cells", THG_POINTS, offsetof(thg_goal_model, cells), 0, THRONG_MAX_MAP_SIDE - 1, NULL},
        {"arrive", THG_NUMBER, offsetof(thg_goal_model, arrive), 0, 1000, NULL},
        {"snap", THG_NUMBER, offsetof(thg_goal_model, snap), 0, 1e6, NULL},
        {"remove", THG_FLAG, offsetof(thg_goal_model, remove), 0, 0, NULL},
        {"slots", THG_VIA, offsetof(thg_goal_model, slots), 0, 0, thg_read_slots},
        {"method", THG_VIA, offsetof(thg_goal_model, method), 0, 0, read_method},
        {"expected_agents", THG_WHOLE, offsetof(thg_goal_model, expected_agents), 0, 1 << 24, NULL},
        {"moves", THG_VIA, offsetof(thg_goal_model, moves), 0, 0, read_moves},
        {"follows", THG_VIA, offsetof(thg_goal_model, follows), 0, 0, read_follows},
    };
    uint64_t present;
    goal->arrive = throng_default_goal_def().arrive_radius;
    goal->snap = throng_default_goal_shape().snap_distance;
    if (!thg_read_object(node, keys, THG_COUNT(keys), goal, &present)) {
        return false;
    }
    bool has_slots = (present & THG_BIT(6)) != 0;
    if (((present & 7) == 0) != has_slots) {
        return thg_node_fail(node, "expected one or more of the keys points, rects, cells; or the "
                                   "key slots");
    }
    if (has_slots && goal->remove) {
        thg_node remove = thg_node_member(node, "remove");
        return thg_node_fail(&remove, "expected false: who has a place round a target stays");
    }
    if (has_slots && goal->method > THRONG_ROUTE_FIELD) {
        thg_node method = thg_node_member(node, "method");
        return thg_node_fail(&method, "expected auto or field: places round a target need a field");
    }
    return check_moving(node, goal) && check_cells(node, &goal->cells);
}

bool thg_read_goals(const thg_node *node, void *out)
{
    thg_scene_model *model = out;
    const char *name;
    json_t *value;
    if (!json_is_object(node->json) || json_object_size(node->json) > THG_MAX_ENTRIES) {
        return thg_node_expected(node, "an object of at most 4096 named goals");
    }
    _Static_assert(THG_MAX_ENTRIES == 4096, "the message says so");
    model->goals =
        thg_scene_take(node->reader->scene, json_object_size(node->json), sizeof *model->goals);
    if (model->goals == NULL) {
        return thg_node_no_memory(node);
    }
    json_object_foreach(node->json, name, value)
    {
        thg_node member = {node->reader, node, name, 0, value};
        thg_goal_model *goal = &model->goals[model->goal_count];
        if (!thg_name_is_valid(name)) {
            return thg_node_fail(&member, "expected a name: 1 to 63 of letters, digits, _ . -");
        }
        goal->name = name;
        if (!read_goal(&member, goal)) {
            return false;
        }
        model->goal_count++;
    }
    return true;
}

bool thg_find_goal(const thg_node *node, int *index)
{
    const thg_scene_model *model = node->reader->model;
    const char *text = json_string_value(node->json);
    char known[160];
    int length = 0;
    known[0] = '\0';
    for (*index = 0; *index < model->goal_count; ++*index) {
        const char *name = model->goals[*index].name;
        if (text != NULL && strcmp(name, text) == 0) {
            return true;
        }
        if (length < 100) {
            length += snprintf(known + length, sizeof known - (size_t)length, "%s%.40s",
                               length > 0 ? ", " : ": ", name);
        }
    }
    char expected[256];
    snprintf(expected, sizeof expected, "the name of a goal%s%s", known,
             model->goal_count == 0 ? ", of which there is none" : "");
    return thg_node_expected(node, expected);
}

// ---- Goals of one's own -----------------------------------------------------------------------

static bool read_fan(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"first", THG_POINT, offsetof(thg_own_goals, fan_first), METRES, NULL},
        {"pitch", THG_POINT, offsetof(thg_own_goals, fan_pitch), -1e4, 1e4, NULL},
        {"columns", THG_WHOLE, offsetof(thg_own_goals, fan_columns), 1, THG_MAX_OWN_PATHS, NULL},
    };
    uint64_t present;
    return thg_read_object(node, keys, THG_COUNT(keys), out, &present) &&
           thg_need_keys(node, keys, THG_COUNT(keys), present, 7);
}

bool thg_read_own_goals(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"offset", THG_POINT, offsetof(thg_own_goals, offset), METRES, NULL},
        {"mirror", THG_POINT, offsetof(thg_own_goals, mirror), METRES, NULL},
        {"points", THG_POINTS, offsetof(thg_own_goals, points), METRES, NULL},
        {"fan", THG_VIA, 0, 0, 0, read_fan},
        {"arrive", THG_NUMBER, offsetof(thg_own_goals, arrive), 0, 1000, NULL},
        {"snap", THG_NUMBER, offsetof(thg_own_goals, snap), 0, 1e6, NULL},
        {"remove", THG_FLAG, offsetof(thg_own_goals, remove), 0, 0, NULL},
        {"method", THG_VIA, offsetof(thg_own_goals, method), 0, 0, read_method},
    };
    thg_own_goals *own = out;
    uint64_t present;
    int chosen = 0;
    own->arrive = throng_default_goal_def().arrive_radius;
    own->snap = throng_default_goal_shape().snap_distance;
    if (!thg_read_object(node, keys, THG_COUNT(keys), own, &present) ||
        !thg_need_one(node, keys, THG_COUNT(keys), present, 15, &chosen)) {
        return false;
    }
    own->kind = chosen == 0   ? THG_OWN_OFFSET
                : chosen == 1 ? THG_OWN_MIRROR
                : chosen == 2 ? THG_OWN_POINTS
                              : THG_OWN_FAN;
    return true;
}
