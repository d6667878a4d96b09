/// The part of a scene that says what is right: invariants and expectations.
#include "measure.h"
#include "scene_json.h"
#include <stdio.h>
#include <string.h>

#define METRES -THG_MAX_DISTANCE, THG_MAX_DISTANCE
#define SECONDS 0, THG_MAX_SECONDS

// ---- Invariants -------------------------------------------------------------------------------

bool thg_read_invariants(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"overlap_from", THG_REAL, offsetof(thg_invariants, overlap_from), SECONDS, NULL},
        {"overlap_except", THG_POINTS, offsetof(thg_invariants, overlap_except), SECONDS, NULL},
        {"overlap", THG_NUMBER, offsetof(thg_invariants, overlap), 0, 2, NULL},
        {"penetration", THG_NUMBER, offsetof(thg_invariants, penetration), 0, 1, NULL},
    };
    uint64_t present;
    return thg_read_object(node, keys, THG_COUNT(keys), &((thg_scene_model *)out)->invariants,
                           &present);
}

// ---- Values -----------------------------------------------------------------------------------

static bool read_measure(const thg_node *node, void *out)
{
    const char *text = json_string_value(node->json);
    const thg_measure **measure = out;
    *measure = text != NULL ? thg_measure_find(text) : NULL;
    return *measure != NULL || thg_node_expected(node, "the name of a measure (docs/scenes.md)");
}

static bool read_groups(const thg_node *node, void *out)
{
    return thg_find_groups(node, out);
}

static bool read_gates(const thg_node *node, void *out)
{
    return thg_find_gates(node, out);
}

static bool read_one_status(const thg_node *node, uint32_t *mask)
{
    const char *text = json_string_value(node->json);
    for (int i = THRONG_IDLE; i <= THRONG_CUT_OFF && text != NULL; i++) {
        if (strcmp(throng_status_name((throng_status)i), text) == 0) {
            *mask |= (uint32_t)1 << i;
            return true;
        }
    }
    return thg_node_expected(node, "idle, walking, arrived, stuck or cut off");
}

typedef bool read_one(const thg_node *node, uint32_t *mask);

/// One name, or a list of at most so many.
static bool read_names(const thg_node *node, uint32_t *mask, int most, read_one *read)
{
    *mask = 0;
    if (!json_is_array(node->json)) {
        return read(node, mask);
    }
    int count;
    if (!thg_read_list(node, 1, most, &count)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        thg_node entry = thg_node_entry(node, i);
        if (!read(&entry, mask)) {
            return false;
        }
    }
    return true;
}

static bool read_statuses(const thg_node *node, void *out)
{
    return read_names(node, out, 5, read_one_status);
}

static bool read_one_contact(const thg_node *node, uint32_t *mask)
{
    const char *text = json_string_value(node->json);
    for (int i = THRONG_CONTACT_WALKING; i <= THRONG_CONTACT_WAITING && text != NULL; i++) {
        if (strcmp(throng_contact_name((throng_contact)i), text) == 0) {
            *mask |= (uint32_t)1 << i;
            return true;
        }
    }
    return thg_node_expected(node, "walking, dodging or waiting");
}

static bool read_contacts(const thg_node *node, void *out)
{
    return read_names(node, out, 3, read_one_contact);
}

// ---- Expectations -----------------------------------------------------------------------------

#define MEMBER(name) offsetof(thg_expectation, name)

/// In the order of thg_expect_key.
static const thg_key expect_keys[] = {
    {"name", THG_NAME, MEMBER(name), 0, 0, NULL},
    {"measure", THG_VIA, MEMBER(measure), 0, 0, read_measure},
    {"at_most", THG_REAL, MEMBER(bound), -1e12, 1e12, NULL},
    {"at_least", THG_REAL, MEMBER(bound), -1e12, 1e12, NULL},
    {"agents", THG_VIA, MEMBER(groups), 0, 0, read_groups},
    {"of_control", THG_FLAG, MEMBER(of_control), 0, 0, NULL},
    {"spread", THG_FLAG, MEMBER(spread), 0, 0, NULL},
    {"known", THG_TEXT, MEMBER(known), 0, 0, NULL},
    {"at", THG_REAL, MEMBER(at), SECONDS, NULL},
    {"by", THG_REAL, MEMBER(by), SECONDS, NULL},
    {"from", THG_REAL, MEMBER(from), SECONDS, NULL},
    {"to", THG_REAL, MEMBER(to), SECONDS, NULL},
    {"radius", THG_NUMBER, MEMBER(radius), 0.001, 1e5, NULL},
    {"packs", THG_NUMBER, MEMBER(packs), 0.01, 100, NULL},
    {"limit", THG_NUMBER, MEMBER(limit), 0, 1e6, NULL},
    {"angle_deg", THG_NUMBER, MEMBER(angle_deg), 0, 180, NULL},
    {"share", THG_NUMBER, MEMBER(share), 0, 1, NULL},
    {"inside", THG_WHOLE, MEMBER(inside), 1, THG_MAX_AGENTS, NULL},
    {"times", THG_WHOLE, MEMBER(times), 0, 1000, NULL},
    {"percentile", THG_REAL, MEMBER(percentile), 1, 100, NULL},
    {"point", THG_POINT, MEMBER(point), METRES, NULL},
    {"rect", THG_RECT, MEMBER(rect), METRES, NULL},
    {"gate", THG_VIA, MEMBER(gates), 0, 0, read_gates},
    {"status", THG_VIA, MEMBER(statuses), 0, 0, read_statuses},
    {"contact", THG_VIA, MEMBER(contacts), 0, 0, read_contacts},
    {"between", THG_POINT, MEMBER(between), 0, 1e6, NULL},
    {"threads", THG_NUMBERS, MEMBER(threads), 1, 64, NULL},
    {"runs", THG_WHOLE, MEMBER(runs), 1, 100, NULL},
    {"every", THG_WHOLE, MEMBER(every), 1, 1000000, NULL},
};
_Static_assert(THG_COUNT(expect_keys) == THG_EXPECT_KEY_COUNT, "one row for each key");

static void set_defaults(thg_expectation *expectation, const thg_scene_model *model)
{
    expectation->groups = model->group_count == 64 ? UINT64_MAX : THG_BIT(model->group_count) - 1;
    expectation->at = expectation->by = expectation->to = model->duration;
    expectation->share = 1.0f;
    expectation->angle_deg = 45.0f;
    expectation->inside = 1;
    expectation->percentile = 100.0;
    expectation->runs = 1;
    expectation->every = 100;
}

/// The keys that the measure has no use for, or lacks.
static bool check_keys(const thg_node *node, const thg_expectation *expectation, uint64_t present)
{
    const thg_measure *measure = expectation->measure;
    uint64_t common = (THG_BIT(THG_KEY_KNOWN + 1) - 1) & ~THG_BIT(THG_KEY_AGENTS);
    for (int i = 0; i < THG_EXPECT_KEY_COUNT; i++) {
        if ((present & ~(common | measure->needs | measure->may)) >> i & 1) {
            thg_node member = thg_node_member(node, expect_keys[i].name);
            return thg_node_fail(&member, "expected a key that the measure %s knows",
                                 measure->name);
        }
    }
    if ((present & THG_BIT(THG_KEY_RADIUS)) != 0 && (present & THG_BIT(THG_KEY_PACKS)) != 0) {
        return thg_node_fail(node, "expected at most one of the keys radius, packs");
    }
    if (expectation->has_point &&
        (present & (THG_BIT(THG_KEY_RADIUS) | THG_BIT(THG_KEY_PACKS))) == 0) {
        return thg_node_fail(node, "expected the key radius or packs beside point");
    }
    if (expectation->from > expectation->to) {
        thg_node member = thg_node_member(node, "from");
        return thg_node_fail(&member, "expected from <= to");
    }
    return thg_need_keys(node, expect_keys, THG_EXPECT_KEY_COUNT, present, measure->needs);
}

/// The bits of expectations that only a control can answer, and of times past the end.
static bool check_use(const thg_node *node, const thg_expectation *expectation, uint64_t present)
{
    const thg_reader *reader = node->reader;
    static const struct {
        thg_expect_key key;
        size_t offset;
    } times[] = {{THG_KEY_AT, MEMBER(at)}, {THG_KEY_BY, MEMBER(by)}, {THG_KEY_FROM, MEMBER(from)}};
    for (int i = 0; i < THG_COUNT(times); i++) {
        const double *seconds = (const double *)((const char *)expectation + times[i].offset);
        if ((present >> times[i].key & 1) != 0 && *seconds > reader->model->duration + 1e-3) {
            thg_node member = thg_node_member(node, expect_keys[times[i].key].name);
            return thg_node_fail(&member, "expected a time within the duration, %.9g s, found %.9g",
                                 reader->model->duration, *seconds);
        }
    }
    if (expectation->of_control && !reader->control &&
        json_object_get(reader->scene->merged, "control") == NULL) {
        thg_node member = thg_node_member(node, "of_control");
        return thg_node_fail(&member, "expected a scene with the key control");
    }
    if (expectation->spread && (!reader->model->arrangements.symmetries || !expectation->at_most)) {
        thg_node member = thg_node_member(node, "spread");
        return thg_node_fail(&member, "expected arrangements with symmetries, and at_most");
    }
    return true;
}

static bool read_expectation(const thg_node *node, thg_scene_model *model,
                             thg_expectation *expectation)
{
    uint64_t present;
    int chosen;
    set_defaults(expectation, model);
    if (!thg_read_object(node, expect_keys, THG_EXPECT_KEY_COUNT, expectation, &present) ||
        !thg_need_keys(node, expect_keys, THG_EXPECT_KEY_COUNT, present, 3) ||
        !thg_need_one(node, expect_keys, THG_EXPECT_KEY_COUNT, present,
                      THG_BIT(THG_KEY_AT_MOST) | THG_BIT(THG_KEY_AT_LEAST), &chosen)) {
        return false;
    }
    expectation->at_most = chosen == THG_KEY_AT_MOST;
    expectation->has_point = (present & THG_BIT(THG_KEY_POINT)) != 0;
    expectation->present = present;
    for (int i = 0; i < model->expectation_count; i++) {
        if (strcmp(model->expectations[i].name, expectation->name) == 0) {
            thg_node name = thg_node_member(node, "name");
            return thg_node_expected(&name, "a name that no other expectation has");
        }
    }
    return check_keys(node, expectation, present) && check_use(node, expectation, present);
}

bool thg_read_expectations(const thg_node *node, void *out)
{
    thg_scene_model *model = out;
    int count;
    if (!thg_read_list(node, 0, 256, &count)) {
        return false;
    }
    model->expectations =
        thg_scene_take(node->reader->scene, (size_t)count, sizeof *model->expectations);
    if (model->expectations == NULL) {
        return thg_node_no_memory(node);
    }
    for (int i = 0; i < count; i++) {
        thg_node entry = thg_node_entry(node, i);
        if (!read_expectation(&entry, model, &model->expectations[i])) {
            return false;
        }
        model->expectation_count++;
    }
    return true;
}
