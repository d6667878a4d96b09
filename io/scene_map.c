/// The part of a scene that does not move: terrains, map, classes and profiles.
#include "scene_json.h"
#include <stdio.h>
#include <string.h>

#define METRES -THG_MAX_DISTANCE, THG_MAX_DISTANCE

// ---- Terrains ---------------------------------------------------------------------------------

bool thg_read_terrains(const thg_node *node, void *out)
{
    thg_scene_model *model = out;
    int count;
    if (!thg_read_list(node, 1, THRONG_MAX_TERRAINS - THRONG_FIRST_OWN_TERRAIN, &count)) {
        return false;
    }
    thg_key name_key = {"", THG_NAME, 0, 0, 0, NULL};
    for (int i = 0; i < count; i++) {
        thg_node entry = thg_node_entry(node, i);
        const char *name;
        if (!thg_read_value(&entry, &name_key, &name)) {
            return false;
        }
        if (strlen(name) > 31) {
            return thg_node_expected(&entry, "a name of at most 31 bytes");
        }
        for (int k = 0; k < model->terrain_count; k++) {
            if (strcmp(model->terrains[k], name) == 0) {
                return thg_node_expected(&entry, "the name of a new terrain");
            }
        }
        model->terrains[model->terrain_count++] = name;
    }
    return true;
}

/// Text that lists what there is, for errors about a name that is not there.
static bool name_not_found(const thg_node *node, const char *what, const char *const *names,
                           int count)
{
    char expected[200];
    int length = snprintf(expected, sizeof expected, "the name of a %s", what);
    for (int i = 0; i < count && length > 0 && length < 150; i++) {
        length += snprintf(expected + length, sizeof expected - (size_t)length, "%s%.30s",
                           i == 0 ? ": " : ", ", names[i]);
    }
    if (count == 0) {
        snprintf(expected, sizeof expected, "the name of a %s, of which there is none", what);
    }
    return thg_node_expected(node, expected);
}

static int index_of(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count && name != NULL; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

bool thg_find_terrain(const thg_node *node, int *index)
{
    const thg_scene_model *model = node->reader->model;
    *index = index_of(json_string_value(node->json), model->terrains, model->terrain_count);
    return *index >= 0 || name_not_found(node, "terrain", model->terrains, model->terrain_count);
}

static bool read_terrain(const thg_node *node, void *out)
{
    return thg_find_terrain(node, out);
}

// ---- Map --------------------------------------------------------------------------------------

static bool read_boxes(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"count", THG_WHOLE, offsetof(thg_boxes, count), 1, 100000, NULL},
        {"side", THG_POINT, offsetof(thg_boxes, side), 0.01, 1e4, NULL},
        {"area", THG_RECT, offsetof(thg_boxes, area), METRES, NULL},
        {"free", THG_RECTS, offsetof(thg_boxes, free), METRES, NULL},
        {"apart", THG_NUMBER, offsetof(thg_boxes, apart), 0, 1000, NULL},
        {"seed", THG_SEED, offsetof(thg_boxes, seed), 0, 0, NULL},
    };
    thg_boxes *boxes = out;
    uint64_t present;
    boxes->apart = -1.0f; // they may lie on one another
    if (!thg_read_object(node, keys, THG_COUNT(keys), boxes, &present) ||
        !thg_need_keys(node, keys, THG_COUNT(keys), present, THG_BIT(0) | THG_BIT(1))) {
        return false;
    }
    boxes->has_area = (present & THG_BIT(2)) != 0;
    if (boxes->side.x > boxes->side.y) {
        thg_node side = thg_node_member(node, "side");
        return thg_node_fail(&side, "expected [least, most] with least <= most");
    }
    return true;
}

static bool read_polygons(const thg_node *node, void *out)
{
    thg_shape *shape = out;
    thg_key corners_key = {"", THG_POINTS, 0, METRES, NULL};
    int count;
    if (!thg_read_list(node, 1, THG_MAX_ENTRIES, &count)) {
        return false;
    }
    shape->polygons = thg_scene_take(node->reader->scene, (size_t)count, sizeof *shape->polygons);
    if (shape->polygons == NULL) {
        return thg_node_no_memory(node);
    }
    for (shape->polygon_count = 0; shape->polygon_count < count; shape->polygon_count++) {
        thg_node entry = thg_node_entry(node, shape->polygon_count);
        thg_points *corners = &shape->polygons[shape->polygon_count];
        if (!thg_read_value(&entry, &corners_key, corners)) {
            return false;
        }
        if (corners->count < 3) {
            return thg_node_fail(&entry, "expected at least three corners, found %d",
                                 corners->count);
        }
    }
    return true;
}

static bool read_shape(const thg_node *node, thg_shape *shape)
{
    static const thg_key keys[] = {
        {"rects", THG_RECTS, offsetof(thg_shape, rects), METRES, NULL},
        {"outside", THG_RECT, offsetof(thg_shape, outside), METRES, NULL},
        {"boxes", THG_VIA, offsetof(thg_shape, boxes), 0, 0, read_boxes},
        {"polygons", THG_VIA, 0, 0, 0, read_polygons},
        {"terrain", THG_VIA, offsetof(thg_shape, terrain), 0, 0, read_terrain},
        {"gaps", THG_RECTS, offsetof(thg_shape, gaps), METRES, NULL},
    };
    uint64_t present;
    int chosen;
    shape->terrain = THRONG_WALL;
    if (!thg_read_object(node, keys, THG_COUNT(keys), shape, &present) ||
        !thg_need_one(node, keys, THG_COUNT(keys), present, 15, &chosen)) {
        return false;
    }
    shape->kind = chosen == 0   ? THG_SHAPE_RECTS
                  : chosen == 1 ? THG_SHAPE_OUTSIDE
                  : chosen == 2 ? THG_SHAPE_BOXES
                                : THG_SHAPE_POLYGONS;
    return true;
}

static bool read_shapes(const thg_node *node, void *out)
{
    thg_map_model *map = out;
    int count;
    if (!thg_read_list(node, 0, THG_MAX_ENTRIES, &count)) {
        return false;
    }
    map->shapes = thg_scene_take(node->reader->scene, (size_t)count, sizeof *map->shapes);
    if (map->shapes == NULL) {
        return thg_node_no_memory(node);
    }
    for (map->shape_count = 0; map->shape_count < count; map->shape_count++) {
        thg_node entry = thg_node_entry(node, map->shape_count);
        if (!read_shape(&entry, &map->shapes[map->shape_count])) {
            return false;
        }
    }
    return true;
}

/// An empty map must have a whole number of cells, within what a map can have.
static bool check_size(const thg_node *node, const thg_map_model *map)
{
    thg_node size = thg_node_member(node, "size");
    float sides[2] = {map->size.x, map->size.y};
    double cells = 1.0;
    for (int i = 0; i < 2; i++) {
        double count = (double)sides[i] / (double)map->cell;
        double whole = (double)(long long)(count + 0.5);
        if (whole < 1.0 || whole > THRONG_MAX_MAP_SIDE || count - whole > 0.001 * count + 0.001 ||
            whole - count > 0.001 * count + 0.001) {
            return thg_node_fail(
                &size, "expected sides of 1 to %d whole cells of %.9g m, found %.9g cells",
                THRONG_MAX_MAP_SIDE, (double)map->cell, count);
        }
        cells *= whole;
    }
    if (cells > (double)(1 << 26)) {
        return thg_node_fail(&size, "expected at most 67108864 cells in all, found %.0f", cells);
    }
    return true;
}

static bool read_planet(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"radius", THG_NUMBER, offsetof(thg_map_model, planet_radius), 1, 1e5, NULL},
        {"side", THG_WHOLE, offsetof(thg_map_model, planet_side), 2, THRONG_MAX_PLANET_SIDE, NULL},
    };
    thg_map_model *map = out;
    throng_planet_def def = throng_default_planet_def();
    uint64_t present;
    map->is_planet = true;
    map->planet_side = def.side;
    map->planet_radius = def.radius;
    return thg_read_object(node, keys, THG_COUNT(keys), map, &present);
}

bool thg_read_map(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"file", THG_TEXT, offsetof(thg_map_model, file), 0, 0, NULL},
        {"rows", THG_TEXTS, offsetof(thg_map_model, rows), 1, THRONG_MAX_MAP_SIDE, NULL},
        {"size", THG_POINT, offsetof(thg_map_model, size), 0.01, 1e6, NULL},
        {"planet", THG_VIA, 0, 0, 0, read_planet},
        {"cell", THG_NUMBER, offsetof(thg_map_model, cell), 0.01, 100, NULL},
        {"origin", THG_POINT, offsetof(thg_map_model, origin), -1e6, 1e6, NULL},
        {"shapes", THG_VIA, 0, 0, 0, read_shapes},
    };
    thg_map_model *map = &((thg_scene_model *)out)->map;
    uint64_t present;
    int chosen;
    if (!thg_read_object(node, keys, THG_COUNT(keys), map, &present) ||
        !thg_need_one(node, keys, THG_COUNT(keys), present, 15, &chosen)) {
        return false;
    }
    map->has_size = chosen == 2;
    if (chosen == 0 && map->file[0] == '\0') {
        thg_node file = thg_node_member(node, "file");
        return thg_node_expected(&file, "the name of a map file");
    }
    return chosen != 2 || check_size(node, map);
}

// ---- Classes ----------------------------------------------------------------------------------

static bool read_costs(const thg_node *node, void *out)
{
    thg_class_model *class_model = out;
    const thg_scene_model *model = node->reader->model;
    const char *name;
    json_t *value;
    if (!json_is_object(node->json)) {
        return thg_node_expected(node, "an object of terrain names and costs");
    }
    json_object_foreach(node->json, name, value)
    {
        thg_node member = {node->reader, node, name, 0, value};
        int terrain = index_of(name, model->terrains, model->terrain_count);
        if (terrain < 0) {
            return thg_node_fail(&member,
                                 "unknown terrain; own ones are named in the key terrains");
        }
        thg_key cost = {"", THG_NUMBER, 0, 0, 64, NULL};
        float *number = &class_model->cost[terrain];
        if (!thg_read_value(&member, &cost, number)) {
            return false;
        }
        if (*number != 0.0f && *number < 1.0f / 16.0f) {
            return thg_node_expected(&member, "0 (blocked) or a number in [0.0625, 64]");
        }
        if (terrain == THRONG_WALL && *number != 0.0f) {
            return thg_node_expected(&member, "0: a wall blocks every class");
        }
        class_model->cost_set |= (uint32_t)1 << terrain;
    }
    return true;
}

/// Checks that an object of named things has low..high of them, with proper names.
static bool check_named(const thg_node *node, int high, const char *what)
{
    const char *name;
    json_t *value;
    char expected[96];
    snprintf(expected, sizeof expected, "an object of 1 to %d named %s", high, what);
    if (!json_is_object(node->json) || json_object_size(node->json) < 1 ||
        json_object_size(node->json) > (size_t)high) {
        return thg_node_expected(node, expected);
    }
    json_object_foreach(node->json, name, value)
    {
        thg_node member = {node->reader, node, name, 0, value};
        if (!thg_name_is_valid(name)) {
            return thg_node_fail(&member, "expected a name: 1 to 63 of letters, digits, _ . -");
        }
    }
    return true;
}

bool thg_read_classes(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"radius", THG_NUMBER, offsetof(thg_class_model, def.radius), 0, 100, NULL},
        {"cost", THG_VIA, 0, 0, 0, read_costs},
        {"wall_surcharge", THG_NUMBER, offsetof(thg_class_model, def.wall_surcharge), 0, 8, NULL},
        {"wall_distance", THG_NUMBER, offsetof(thg_class_model, def.wall_distance), 0, 100, NULL},
    };
    thg_scene_model *model = out;
    const char *name;
    json_t *value;
    if (!check_named(node, THRONG_MAX_CLASSES, "classes")) {
        return false;
    }
    model->class_count = 0;
    json_object_foreach(node->json, name, value)
    {
        thg_node member = {node->reader, node, name, 0, value};
        thg_class_model *class_model = &model->classes[model->class_count++];
        uint64_t present;
        *class_model = (thg_class_model){.name = name, .def = throng_default_class_def()};
        if (!thg_read_object(&member, keys, THG_COUNT(keys), class_model, &present)) {
            return false;
        }
    }
    return true;
}

// ---- Walls that break ---------------------------------------------------------------------------

bool thg_read_strength(const thg_node *node, void *out)
{
    static const thg_key number = {"", THG_NUMBER, 0, 0.01, 1e6, NULL};
    thg_scene_model *model = out;
    const char *name;
    json_t *value;
    if (!json_is_object(node->json)) {
        return thg_node_expected(node, "an object: terrain to seconds of hits");
    }
    json_object_foreach(node->json, name, value)
    {
        thg_node member = {node->reader, node, name, 0, value};
        int index = index_of(name, model->terrains, model->terrain_count);
        if (index < 0) {
            return thg_node_fail(&member,
                                 "unknown terrain; own ones are named in the key terrains");
        }
        if (!thg_read_value(&member, &number, &model->strength[index])) {
            return false;
        }
        model->has_strength = true;
    }
    return true;
}

// ---- Profiles ---------------------------------------------------------------------------------

static bool read_class(const thg_node *node, void *out)
{
    const thg_scene_model *model = node->reader->model;
    const char *names[THRONG_MAX_CLASSES];
    for (int i = 0; i < model->class_count; i++) {
        names[i] = model->classes[i].name;
    }
    int *index = out;
    *index = index_of(json_string_value(node->json), names, model->class_count);
    return *index >= 0 || name_not_found(node, "class", names, model->class_count);
}

bool thg_find_profile(const thg_node *node, int *index)
{
    const thg_scene_model *model = node->reader->model;
    const char *names[THRONG_MAX_PROFILES];
    for (int i = 0; i < model->profile_count; i++) {
        names[i] = model->profiles[i].name;
    }
    *index = index_of(json_string_value(node->json), names, model->profile_count);
    return *index >= 0 || name_not_found(node, "profile", names, model->profile_count);
}

/// `like` comes first in the table, so that the other keys change what it gave. Only profiles
/// above can be named, which is why no two can be like each other.
static bool read_like(const thg_node *node, void *out)
{
    thg_profile_model *profile = out;
    int index;
    if (!thg_find_profile(node, &index)) {
        return false;
    }
    profile->def = node->reader->model->profiles[index].def;
    return true;
}

/// A ready-made profile by name, as a start for the other keys.
static bool read_preset(const thg_node *node, void *out)
{
    thg_profile_model *profile = out;
    const char *name = json_string_value(node->json);
    if (name != NULL && throng_profile_preset(name, &profile->def)) {
        return true;
    }
    int count;
    const char *const *names = throng_profile_preset_names(&count);
    return name_not_found(node, "preset", names, count);
}

#define OWN_KEYS 4 ///< preset, like, class, ways_of
#define MAX_KEYS 64

/// The keys of a profile: its own, and one for each number the library lists.
static int list_keys(thg_key keys[MAX_KEYS])
{
    static const thg_kind kinds[] = {[THRONG_PROFILE_NUMBER] = THG_NUMBER,
                                     [THRONG_PROFILE_WHOLE] = THG_WHOLE,
                                     [THRONG_PROFILE_FLAG] = THG_FLAG};
    keys[0] = (thg_key){"preset", THG_VIA, 0, 0, 0, read_preset};
    keys[1] = (thg_key){"like", THG_VIA, 0, 0, 0, read_like};
    keys[2] =
        (thg_key){"class", THG_VIA, offsetof(thg_profile_model, def.class_index), 0, 0, read_class};
    keys[3] =
        (thg_key){"ways_of", THG_VIA, offsetof(thg_profile_model, def.ways_of), 0, 0, read_class};
    int count;
    const throng_profile_number *numbers = throng_profile_numbers(&count);
    count = count < MAX_KEYS - OWN_KEYS ? count : MAX_KEYS - OWN_KEYS; // a test counts them
    for (int i = 0; i < count; i++) {
        size_t offset = offsetof(thg_profile_model, def) + numbers[i].offset;
        keys[OWN_KEYS + i] = (thg_key){numbers[i].name,        kinds[numbers[i].kind],  offset,
                                       (double)numbers[i].low, (double)numbers[i].high, NULL};
    }
    return OWN_KEYS + count;
}

bool thg_read_profiles(const thg_node *node, void *out)
{
    thg_key keys[MAX_KEYS];
    int key_count = list_keys(keys);
    thg_scene_model *model = out;
    const char *name;
    json_t *value;
    if (!check_named(node, THRONG_MAX_PROFILES, "profiles")) {
        return false;
    }
    model->profile_count = 0;
    json_object_foreach(node->json, name, value)
    {
        thg_node member = {node->reader, node, name, 0, value};
        thg_profile_model *profile = &model->profiles[model->profile_count];
        uint64_t present;
        *profile = (thg_profile_model){.name = name, .def = throng_default_profile_def()};
        if (!thg_read_object(&member, keys, key_count, profile, &present)) {
            return false;
        }
        float room = model->classes[profile->def.class_index].def.radius;
        int ways = profile->def.ways_of;
        if (ways >= 0 && model->classes[ways].def.radius != room) {
            thg_node key = thg_node_member(&member, "ways_of");
            return thg_node_fail(&key, "expected a class of the same radius as its own, %.9g m",
                                 (double)room);
        }
        if (profile->def.radius > room * 1.0001f) {
            return thg_node_fail(&member,
                                 "expected a radius of at most its class's, %.9g m, "
                                 "found %.9g",
                                 (double)room, (double)profile->def.radius);
        }
        model->profile_count++; // only now can others be like it
    }
    return true;
}
