/// The part of a scene that is about when and how often: events, gates and arrangements.
#include "scene_json.h"
#include <string.h>

#define METRES -THG_MAX_DISTANCE, THG_MAX_DISTANCE

// ---- Events -----------------------------------------------------------------------------------

static bool read_terrain(const thg_node *node, void *out)
{
    return thg_find_terrain(node, out);
}

static bool read_groups(const thg_node *node, void *out)
{
    return thg_find_groups(node, out);
}

/// A goal's name, or null: stand still.
static bool read_goal_or_none(const thg_node *node, void *out)
{
    if (json_is_null(node->json)) {
        *(int *)out = -1;
        return true;
    }
    return thg_find_goal(node, out);
}

static bool read_edit(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"rects", THG_RECTS, offsetof(thg_event, rects), METRES, NULL},
        {"terrain", THG_VIA, offsetof(thg_event, terrain), 0, 0, read_terrain},
    };
    uint64_t present;
    return thg_read_object(node, keys, THG_COUNT(keys), out, &present) &&
           thg_need_keys(node, keys, THG_COUNT(keys), present, 3);
}

static bool read_order(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"agents", THG_VIA, offsetof(thg_event, groups), 0, 0, read_groups},
        {"goal", THG_VIA, offsetof(thg_event, goal), 0, 0, read_goal_or_none},
    };
    uint64_t present;
    return thg_read_object(node, keys, THG_COUNT(keys), out, &present) &&
           thg_need_keys(node, keys, THG_COUNT(keys), present, 3);
}

static bool read_teleport(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"to", THG_POINT, offsetof(thg_event, to), METRES, NULL},
        {"by", THG_POINT, offsetof(thg_event, by), METRES, NULL},
        {"agents", THG_VIA, offsetof(thg_event, groups), 0, 0, read_groups},
    };
    uint64_t present;
    int chosen = 0;
    bool good = thg_read_object(node, keys, THG_COUNT(keys), out, &present) &&
                thg_need_keys(node, keys, THG_COUNT(keys), present, 4) &&
                thg_need_one(node, keys, THG_COUNT(keys), present, 3, &chosen);
    ((thg_event *)out)->has_to = good && chosen == 0;
    return good;
}

static bool read_remove(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"agents", THG_VIA, offsetof(thg_event, groups), 0, 0, read_groups},
    };
    uint64_t present;
    return thg_read_object(node, keys, THG_COUNT(keys), out, &present) &&
           thg_need_keys(node, keys, THG_COUNT(keys), present, 1);
}

static bool read_drive(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"agents", THG_VIA, offsetof(thg_event, groups), 0, 0, read_groups},
        {"velocity", THG_POINT, offsetof(thg_event, velocity), -100, 100, NULL},
    };
    uint64_t present;
    return thg_read_object(node, keys, THG_COUNT(keys), out, &present) &&
           thg_need_keys(node, keys, THG_COUNT(keys), present, 3);
}

static bool read_team(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"agents", THG_VIA, offsetof(thg_event, groups), 0, 0, read_groups},
        {"team", THG_WHOLE, offsetof(thg_event, team), 0, THRONG_MAX_TEAMS - 1, NULL},
    };
    uint64_t present;
    return thg_read_object(node, keys, THG_COUNT(keys), out, &present) &&
           thg_need_keys(node, keys, THG_COUNT(keys), present, 3);
}

static bool read_event_steer(const thg_node *node, void *out)
{
    thg_event *event = out;
    return thg_read_steer(node, &event->steer, &event->groups);
}

static bool read_event(const thg_node *node, thg_event *event)
{
    // The keys that say what happens stand in the order of thg_event_form.
    static const thg_key keys[] = {
        {"edit", THG_VIA, 0, 0, 0, read_edit},
        {"order", THG_VIA, 0, 0, 0, read_order},
        {"teleport", THG_VIA, 0, 0, 0, read_teleport},
        {"remove", THG_VIA, 0, 0, 0, read_remove},
        {"step", THG_NUMBER, offsetof(thg_event, step), 0, THRONG_MAX_DT, NULL},
        {"drive", THG_VIA, 0, 0, 0, read_drive},
        {"team", THG_VIA, 0, 0, 0, read_team},
        {"steer", THG_VIA, 0, 0, 0, read_event_steer},
        {"at", THG_REAL, offsetof(thg_event, at), 0, THG_MAX_SECONDS, NULL},
    };
    uint64_t present;
    int chosen;
    if (!thg_read_object(node, keys, THG_COUNT(keys), event, &present) ||
        !thg_need_keys(node, keys, THG_COUNT(keys), present, THG_BIT(8)) ||
        !thg_need_one(node, keys, THG_COUNT(keys), present, 255, &chosen)) {
        return false;
    }
    event->form = (thg_event_form)chosen;
    return true;
}

/// By time; stable, so that events of one moment happen as written.
static void sort_events(thg_event *events, int count)
{
    for (int i = 1; i < count; i++) {
        thg_event moved = events[i];
        int k = i;
        for (; k > 0 && events[k - 1].at > moved.at; k--) {
            events[k] = events[k - 1];
        }
        events[k] = moved;
    }
}

bool thg_read_events(const thg_node *node, void *out)
{
    thg_scene_model *model = out;
    int count;
    if (!thg_read_list(node, 0, THG_MAX_ENTRIES, &count)) {
        return false;
    }
    model->events = thg_scene_take(node->reader->scene, (size_t)count, sizeof *model->events);
    if (model->events == NULL) {
        return thg_node_no_memory(node);
    }
    for (int i = 0; i < count; i++) {
        thg_node entry = thg_node_entry(node, i);
        model->events[i].entry = i;
        if (!read_event(&entry, &model->events[i])) {
            return false;
        }
    }
    model->event_count = count;
    sort_events(model->events, count);
    return true;
}

// ---- Gates ------------------------------------------------------------------------------------

bool thg_read_gates(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"from", THG_POINT, offsetof(thg_gate, from), METRES, NULL},
        {"to", THG_POINT, offsetof(thg_gate, to), METRES, NULL},
    };
    thg_scene_model *model = out;
    const char *name;
    json_t *value;
    if (!json_is_object(node->json) || json_object_size(node->json) > THG_MAX_GATES) {
        return thg_node_expected(node, "an object of at most 16 named gates");
    }
    _Static_assert(THG_MAX_GATES == 16, "the message says so");
    json_object_foreach(node->json, name, value)
    {
        thg_node member = {node->reader, node, name, 0, value};
        thg_gate *gate = &model->gates[model->gate_count++];
        uint64_t present;
        if (!thg_name_is_valid(name)) {
            return thg_node_fail(&member, "expected a name: 1 to 63 of letters, digits, _ . -");
        }
        gate->name = name;
        if (!thg_read_object(&member, keys, THG_COUNT(keys), gate, &present) ||
            !thg_need_keys(&member, keys, THG_COUNT(keys), present, 3)) {
            return false;
        }
        if (gate->from.x == gate->to.x && gate->from.y == gate->to.y) {
            return thg_node_fail(&member, "expected two different points");
        }
    }
    return true;
}

static bool find_gate(const thg_node *node, uint32_t *mask)
{
    const thg_scene_model *model = node->reader->model;
    const char *text = json_string_value(node->json);
    for (int i = 0; i < model->gate_count && text != NULL; i++) {
        if (strcmp(model->gates[i].name, text) == 0) {
            *mask |= (uint32_t)1 << i;
            return true;
        }
    }
    return thg_node_expected(node, "the name of a gate");
}

bool thg_find_gates(const thg_node *node, uint32_t *mask)
{
    *mask = 0;
    if (!json_is_array(node->json)) {
        return find_gate(node, mask);
    }
    int count;
    if (!thg_read_list(node, 1, THG_MAX_GATES, &count)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        thg_node entry = thg_node_entry(node, i);
        if (!find_gate(&entry, mask)) {
            return false;
        }
    }
    return true;
}

// ---- Arrangements -----------------------------------------------------------------------------

/// Whole numbers that a float holds exactly.
static bool read_seeds(const thg_node *node, void *out)
{
    static const thg_key key = {"seeds", THG_NUMBERS, 0, 0, 1 << 24, NULL};
    thg_numbers *seeds = out;
    if (!thg_read_value(node, &key, seeds)) {
        return false;
    }
    for (int i = 0; i < seeds->count; i++) {
        if (seeds->items[i] != (float)(uint32_t)seeds->items[i]) {
            thg_node entry = thg_node_entry(node, i);
            return thg_node_expected(&entry, "a whole number");
        }
    }
    return true;
}

bool thg_read_arrangements(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"shift", THG_VIA, offsetof(thg_arrangements, groups), 0, 0, read_groups},
        {"dx", THG_NUMBERS, offsetof(thg_arrangements, dx), -1e4, 1e4, NULL},
        {"dy", THG_NUMBERS, offsetof(thg_arrangements, dy), -1e4, 1e4, NULL},
        {"rotate_deg", THG_NUMBERS, offsetof(thg_arrangements, rotate_deg), -360, 360, NULL},
        {"turn_deg", THG_NUMBERS, offsetof(thg_arrangements, turn_deg), -360, 360, NULL},
        {"pivot", THG_POINT, offsetof(thg_arrangements, pivot), METRES, NULL},
        {"symmetries", THG_FLAG, offsetof(thg_arrangements, symmetries), 0, 0, NULL},
        {"seeds", THG_VIA, offsetof(thg_arrangements, seeds), 0, 0, read_seeds},
        {"jitter", THG_NUMBER, offsetof(thg_arrangements, jitter), 0, 10, NULL},
    };
    thg_scene_model *model = out;
    thg_arrangements *arrangements = &model->arrangements;
    uint64_t present;
    arrangements->groups = 1; // the first block, unless it says otherwise
    if (!thg_read_object(node, keys, THG_COUNT(keys), arrangements, &present)) {
        return false;
    }
    int64_t count = arrangements->symmetries ? THG_SYMMETRIES : 1;
    const thg_numbers *lists[] = {&arrangements->dx, &arrangements->dy, &arrangements->rotate_deg,
                                  &arrangements->turn_deg, &arrangements->seeds};
    for (int i = 0; i < THG_COUNT(lists); i++) {
        count *= lists[i]->count > 0 ? lists[i]->count : 1;
        if (count > 1000) {
            return thg_node_fail(node, "expected at most 1000 arrangements");
        }
    }
    return true;
}

static int at_least_one(int count)
{
    return count > 0 ? count : 1;
}

int thg_arrangement_count(const thg_scene_model *model)
{
    return thg_start_count(model) * (model->arrangements.symmetries ? THG_SYMMETRIES : 1);
}

int thg_start_count(const thg_scene_model *model)
{
    const thg_arrangements *arrangements = &model->arrangements;
    return at_least_one(arrangements->dx.count) * at_least_one(arrangements->dy.count) *
           at_least_one(arrangements->rotate_deg.count) *
           at_least_one(arrangements->turn_deg.count) * at_least_one(arrangements->seeds.count);
}

static float entry_of(const thg_numbers *numbers, int index)
{
    return numbers->count > 0 ? numbers->items[index % numbers->count] : 0.0f;
}

thg_arrangement thg_arrangement_get(const thg_scene_model *model, int index)
{
    const thg_arrangements *arrangements = &model->arrangements;
    thg_arrangement one;
    one.shift.x = entry_of(&arrangements->dx, index);
    index /= at_least_one(arrangements->dx.count);
    one.shift.y = entry_of(&arrangements->dy, index);
    index /= at_least_one(arrangements->dy.count);
    one.rotate_deg = entry_of(&arrangements->rotate_deg, index);
    index /= at_least_one(arrangements->rotate_deg.count);
    one.turn_deg = entry_of(&arrangements->turn_deg, index);
    index /= at_least_one(arrangements->turn_deg.count);
    one.seed = (uint32_t)entry_of(&arrangements->seeds, index);
    one.symmetry = index / at_least_one(arrangements->seeds.count);
    return one;
}
