/// The part of a scene that says who is who, and where one stands round a target.
#include "scene_json.h"
#include <string.h>

bool thg_read_slots(const thg_node *node, void *out)
{
    const double far = THG_MAX_DISTANCE;
    const thg_key keys[] = {
        {"count", THG_WHOLE, offsetof(throng_slots_def, count), 1, THRONG_MAX_SLOTS, NULL},
        {"footprint", THG_RECT, offsetof(throng_slots_def, footprint), -far, far, NULL},
        {"at", THG_POINT, offsetof(throng_slots_def, footprint), -far, far, NULL},
        {"radius", THG_NUMBER, offsetof(throng_slots_def, radius), 0, 1000, NULL},
        {"distance", THG_NUMBER, offsetof(throng_slots_def, distance), 0, 100, NULL},
    };
    throng_slots_def *slots = out;
    uint64_t present;
    int chosen;
    slots->distance = 0.5f;
    if (!thg_read_object(node, keys, THG_COUNT(keys), slots, &present) ||
        !thg_need_keys(node, keys, THG_COUNT(keys), present, 1) ||
        !thg_need_one(node, keys, THG_COUNT(keys), present, 6, &chosen)) {
        return false;
    }
    if (chosen == 2) {
        slots->footprint.max = slots->footprint.min;
    }
    return slots->radius + slots->distance >= 0.05f ||
           thg_node_fail(node, "expected a radius and distance of 0.05 together or more");
}

static bool read_relation(const thg_node *node, void *out)
{
    throng_relation *relation = out;
    const char *text = json_string_value(node->json);
    for (int i = THRONG_ALLY; i <= THRONG_ENEMY && text != NULL; i++) {
        if (strcmp(throng_relation_name((throng_relation)i), text) == 0) {
            *relation = (throng_relation)i;
            return true;
        }
    }
    return thg_node_expected(node, "\"ally\", \"neutral\" or \"enemy\"");
}

bool thg_read_relations(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"team", THG_WHOLE, offsetof(thg_relation_model, team), 0, THRONG_MAX_TEAMS - 1, NULL},
        {"to", THG_WHOLE, offsetof(thg_relation_model, other), 0, THRONG_MAX_TEAMS - 1, NULL},
        {"are", THG_VIA, offsetof(thg_relation_model, relation), 0, 0, read_relation},
    };
    thg_scene_model *model = out;
    int count;
    if (!thg_read_list(node, 0, THRONG_MAX_TEAMS * THRONG_MAX_TEAMS, &count)) {
        return false;
    }
    model->relations = thg_scene_take(node->reader->scene, (size_t)count, sizeof *model->relations);
    if (model->relations == NULL) {
        return thg_node_no_memory(node);
    }
    for (int i = 0; i < count; i++) {
        thg_node entry = thg_node_entry(node, i);
        uint64_t present;
        if (!thg_read_object(&entry, keys, THG_COUNT(keys), &model->relations[i], &present) ||
            !thg_need_keys(&entry, keys, THG_COUNT(keys), present, 7)) {
            return false;
        }
        model->relation_count++;
    }
    return true;
}
