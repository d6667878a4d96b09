/// Scenes: the root object, what is true when a key is absent, and the public doors.
#include "file.h"
#include "scene_json.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    struct block *next;
    max_align_t memory[];
} block;

void *thg_scene_take(throng_scene *scene, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 2) / size) {
        return NULL;
    }
    block *taken = calloc(1, sizeof *taken + count * size + 1);
    if (taken == NULL) {
        return NULL;
    }
    taken->next = scene->blocks;
    scene->blocks = taken;
    return taken->memory;
}

// ---- The root ---------------------------------------------------------------------------------

static void set_defaults(thg_scene_model *model)
{
    static const char *const terrains[THRONG_FIRST_OWN_TERRAIN] = {"wall", "ground", "trees",
                                                                   "swamp", "water"};
    *model = (thg_scene_model){
        .about = "",
        .steps_per_second = 30.0f,
        .duration = 60.0,
        .threads = 1,
        .field_cell_budget = throng_default_crowd_def().field_cell_budget,
        .traffic = throng_default_crowd_def().traffic,
        .metric = THRONG_EIKONAL,
        .stop_when_empty = true,
        .terrain_count = THRONG_FIRST_OWN_TERRAIN,
        .class_count = 1,
        .profile_count = 1,
        .map = {.cell = 0.5f},
        .walk = {.def = throng_default_walk_def()},
        .invariants = {.overlap_from = 1.0, .overlap = 0.2f, .penetration = 0.1f},
    };
    memcpy(model->terrains, terrains, sizeof terrains);
    model->classes[0] = (thg_class_model){.name = "person", .def = throng_default_class_def()};
    model->profiles[0] = (thg_profile_model){.name = "person", .def = throng_default_profile_def()};
}

static bool read_version(const thg_node *node, void *out)
{
    (void)out;
    return (json_is_integer(node->json) && json_integer_value(node->json) == 1) ||
           thg_node_expected(node, "1, the version of the format");
}

static bool read_metric(const thg_node *node, void *out)
{
    const char *text = json_string_value(node->json);
    throng_metric *metric = out;
    *metric = text != NULL && strcmp(text, "octile") == 0 ? THRONG_OCTILE : THRONG_EIKONAL;
    return (text != NULL && (*metric == THRONG_OCTILE || strcmp(text, "eikonal") == 0)) ||
           thg_node_expected(node, "\"eikonal\" or \"octile\"");
}

static bool read_playground(const thg_node *node, void *out)
{
    static const char *const names[] = {"paths", "cells", "threads", "drawing"};
    const char *text = json_string_value(node->json);
    for (int i = 0; i < THG_COUNT(names) && text != NULL; i++) {
        if (strcmp(text, names[i]) == 0) {
            *(const char **)out = names[i];
            return true;
        }
    }
    return thg_node_expected(node, "\"paths\", \"cells\", \"threads\" or \"drawing\"");
}

/// What others read: the include by the sources, the control after this.
static bool read_elsewhere(const thg_node *node, void *out)
{
    (void)node;
    (void)out;
    return true;
}

static const thg_key root_keys[] = {
    // The order counts: what is named comes before what names it.
    {"throng_scene", THG_VIA, 0, 0, 0, read_version},
    {"map", THG_VIA, 0, 0, 0, read_elsewhere},
    {"agents", THG_VIA, 0, 0, 0, read_elsewhere},
    {"include", THG_VIA, 0, 0, 0, read_elsewhere},
    {"control", THG_VIA, 0, 0, 0, read_elsewhere},
    {"name", THG_NAME, offsetof(thg_scene_model, name), 0, 0, NULL},
    {"about", THG_TEXT, offsetof(thg_scene_model, about), 0, 0, NULL},
    {"known", THG_TEXT, offsetof(thg_scene_model, known), 0, 0, NULL},
    {"playground", THG_VIA, offsetof(thg_scene_model, playground), 0, 0, read_playground},
    {"steps_per_second", THG_NUMBER, offsetof(thg_scene_model, steps_per_second), 0.2, 1000, NULL},
    {"duration", THG_REAL, offsetof(thg_scene_model, duration), 0, THG_MAX_SECONDS, NULL},
    {"seed", THG_SEED, offsetof(thg_scene_model, seed), 0, 0, NULL},
    {"threads", THG_WHOLE, offsetof(thg_scene_model, threads), 1, 64, NULL},
    {"max_agents", THG_WHOLE, offsetof(thg_scene_model, max_agents), 1, THG_MAX_AGENTS, NULL},
    {"field_cell_budget", THG_WHOLE, offsetof(thg_scene_model, field_cell_budget), 1024, 1 << 30,
     NULL},
    {"traffic", THG_NUMBER, offsetof(thg_scene_model, traffic), 0, 4, NULL},
    {"metric", THG_VIA, offsetof(thg_scene_model, metric), 0, 0, read_metric},
    {"stop_when_empty", THG_FLAG, offsetof(thg_scene_model, stop_when_empty), 0, 0, NULL},
    {"terrains", THG_VIA, 0, 0, 0, thg_read_terrains},
    {"classes", THG_VIA, 0, 0, 0, thg_read_classes},
    {"strength", THG_VIA, 0, 0, 0, thg_read_strength},
    {"profiles", THG_VIA, 0, 0, 0, thg_read_profiles},
    {"goals", THG_VIA, 0, 0, 0, thg_read_goals},
    {"relations", THG_VIA, 0, 0, 0, thg_read_relations},
    {"sources", THG_VIA, 0, 0, 0, read_elsewhere},
    {"events", THG_VIA, 0, 0, 0, read_elsewhere},
    {"gates", THG_VIA, 0, 0, 0, thg_read_gates},
    {"arrangements", THG_VIA, 0, 0, 0, read_elsewhere},
    {"invariants", THG_VIA, 0, 0, 0, thg_read_invariants},
    {"expect", THG_VIA, 0, 0, 0, read_elsewhere},
    {"rooms", THG_VIA, 0, 0, 0, thg_read_rooms},
    {"walkers", THG_VIA, 0, 0, 0, thg_read_walkers},
    {"doors", THG_VIA, 0, 0, 0, read_elsewhere},
};

/// Parts that stand on all the others, in the order in which they are read.
static bool read_rest(const thg_node *root, thg_scene_model *model)
{
    static const struct {
        const char *name;
        thg_read *read;
    } parts[] = {{"map", thg_read_map},
                 {"agents", thg_read_agents},
                 {"sources", thg_read_sources},
                 {"events", thg_read_events},
                 {"arrangements", thg_read_arrangements},
                 {"expect", thg_read_expectations},
                 {"doors", thg_read_doors}};
    for (int i = 0; i < THG_COUNT(parts); i++) {
        thg_node node = thg_node_member(root, parts[i].name);
        if (node.json != NULL && !parts[i].read(&node, model)) {
            return false;
        }
    }
    return thg_find_followed(root);
}

bool thg_read_scene(thg_reader *reader, json_t *root)
{
    thg_scene_model *model = reader->model;
    thg_node node = {reader, NULL, NULL, 0, root};
    uint64_t present;
    set_defaults(model);
    if (!thg_read_object(&node, root_keys, THG_COUNT(root_keys), model, &present) ||
        !thg_need_keys(&node, root_keys, THG_COUNT(root_keys), present, 1) ||
        !read_rest(&node, model) || !thg_check_walk(&node, present & 2u)) {
        return false;
    }
    if (model->walk.def.group_count > 0) {
        return true;
    }
    float room = model->classes[0].def.radius;
    if (json_object_get(root, "profiles") == NULL && room < model->profiles[0].def.radius) {
        return thg_node_fail(&node,
                             "expected the key profiles: the profile that is there without "
                             "it has a radius of 0.4 m, the first class only %.9g",
                             (double)room);
    }
    if (model->group_count == 0) {
        return thg_node_fail(&node, "expected the key agents or sources, which are missing");
    }
    double total = 0.0;
    for (int i = 0; i < model->group_count; i++) {
        total += (double)model->groups[i].count;
    }
    if (total > (double)THG_MAX_AGENTS) {
        return thg_node_fail(&node, "expected at most %d agents in all, found %.0f", THG_MAX_AGENTS,
                             total);
    }
    return true;
}

// ---- The control ------------------------------------------------------------------------------

/// The scene, changed as its control says, read as a scene of its own.
static bool read_control(thg_reader *reader)
{
    throng_scene *scene = reader->scene;
    thg_node root = {reader, NULL, NULL, 0, scene->merged};
    thg_node control = thg_node_member(&root, "control");
    if (control.json == NULL) {
        return true;
    }
    static const char *const refused[] = {"include",      "control",      "expect",
                                          "arrangements", "throng_scene", "name"};
    if (!json_is_object(control.json)) {
        return thg_node_expected(&control, "an object: { ... }");
    }
    for (int i = 0; i < THG_COUNT(refused); i++) {
        thg_node member = thg_node_member(&control, refused[i]);
        if (member.json != NULL) {
            return thg_node_fail(&member, "expected a key that a control may change, found %s",
                                 refused[i]);
        }
    }
    json_t *base = json_copy(scene->merged);
    if (base == NULL) {
        return thg_node_no_memory(&control);
    }
    json_object_del(base, "control");
    scene->control_merged = thg_json_merged(base, control.json);
    json_decref(base);
    if (scene->control_merged == NULL) {
        return thg_node_no_memory(&control);
    }
    reader->model = &scene->control;
    reader->control = true;
    scene->has_control = thg_read_scene(reader, scene->control_merged);
    return scene->has_control;
}

/// The file's name without folder and ending, as a name.
static void name_from_path(char *name, size_t size, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *start = slash != NULL ? slash + 1 : path;
    snprintf(name, size, "%s", start);
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) {
        *dot = '\0';
    }
    for (char *at = name; *at != '\0'; at++) {
        char one[2] = {*at, '\0'};
        *at = thg_name_is_valid(one) ? *at : '_';
    }
    if (name[0] == '\0') {
        snprintf(name, size, "scene");
    }
}

static throng_result load(const char *path, const char *text, size_t size, throng_scene **out,
                          throng_error *error)
{
    *out = NULL;
    throng_scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL) {
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for the scene");
    }
    throng_result result = thg_source_load(scene, path, text, size, error);
    if (result == THRONG_OK) {
        thg_reader reader = {scene, &scene->model, false, error, THRONG_OK};
        if (thg_read_scene(&reader, scene->merged)) {
            read_control(&reader);
        }
        result = reader.result;
    }
    if (result != THRONG_OK) {
        throng_scene_destroy(scene);
        return result;
    }
    name_from_path(scene->name, sizeof scene->name, path);
    *out = scene;
    return THRONG_OK;
}

// ---- Doors ------------------------------------------------------------------------------------

throng_result throng_scene_load(const char *path, throng_scene **scene, throng_error *error)
{
    return load(path, NULL, 0, scene, error);
}

throng_result throng_scene_parse(const char *text, size_t size, const char *path,
                                 throng_scene **scene, throng_error *error)
{
    return load(path, text != NULL ? text : "", size, scene, error);
}

void throng_scene_destroy(throng_scene *scene)
{
    if (scene == NULL) {
        return;
    }
    block *next = scene->blocks;
    while (next != NULL) {
        block *taken = next;
        next = taken->next;
        free(taken);
    }
    thg_source_free(scene);
    free(scene);
}

const char *throng_scene_name(const throng_scene *scene)
{
    return scene->model.name != NULL ? scene->model.name : scene->name;
}

const char *throng_scene_about(const throng_scene *scene)
{
    return scene->model.about;
}

const char *throng_scene_playground(const throng_scene *scene)
{
    return scene->model.playground;
}

const char *throng_scene_known(const throng_scene *scene)
{
    const char *known = scene->model.known;
    for (int i = 0; i < scene->model.expectation_count && known == NULL; i++) {
        known = scene->model.expectations[i].known;
    }
    return known != NULL ? known : "";
}

int throng_scene_arrangement_count(const throng_scene *scene)
{
    return thg_arrangement_count(&scene->model);
}

int throng_scene_expectation_count(const throng_scene *scene)
{
    return scene->model.expectation_count;
}

const char *throng_scene_profile_name(const throng_scene *scene, int profile)
{
    bool there = profile >= 0 && profile < scene->model.profile_count;
    return there ? scene->model.profiles[profile].name : NULL;
}

bool throng_scene_has_control(const throng_scene *scene)
{
    return scene->has_control;
}

double throng_scene_seconds(const throng_scene *scene)
{
    return scene->model.duration;
}

float throng_scene_dt(const throng_scene *scene)
{
    return 1.0f / scene->model.steps_per_second;
}

void throng_scene_arrangement_name(const throng_scene *scene, int index, char *text, size_t size)
{
    static const char *const symmetries[THG_SYMMETRIES] = {"",
                                                           ", mirrored left to right",
                                                           ", mirrored top to bottom",
                                                           ", turned by 180",
                                                           ", mirrored in the diagonal",
                                                           ", turned by 90",
                                                           ", turned by 270",
                                                           ", mirrored in the other diagonal"};
    const thg_arrangements *all = &scene->model.arrangements;
    thg_arrangement one = thg_arrangement_get(&scene->model, index);
    bool moved = all->dx.count > 0 || all->dy.count > 0;
    char start[120] = "as written";
    if (all->turn_deg.count > 0) {
        snprintf(start, sizeof start, "shift %g %g, rotate %g, turn %g", (double)one.shift.x,
                 (double)one.shift.y, (double)one.rotate_deg, (double)one.turn_deg);
    } else if (all->rotate_deg.count > 0) {
        snprintf(start, sizeof start, "shift %g %g, rotate %g", (double)one.shift.x,
                 (double)one.shift.y, (double)one.rotate_deg);
    } else if (moved) {
        snprintf(start, sizeof start, "shift %g %g", (double)one.shift.x, (double)one.shift.y);
    }
    char seed[32] = "";
    if (all->seeds.count > 0) {
        snprintf(seed, sizeof seed, ", seed %lu", (unsigned long)one.seed);
    }
    snprintf(text, size, "%s%s%s", start, seed, symmetries[one.symmetry & (THG_SYMMETRIES - 1)]);
}
