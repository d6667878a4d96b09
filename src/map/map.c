/// The map's life: create, terrain names, classes, edits and the update that makes them count.
///
/// Edits only write `terrain`; everything that is read while agents walk (`solid`, the layers)
/// changes in throng_map_update alone, which works in memory taken at create.
#include "map/planet.h"
#include <math.h>
#include <string.h>

#define MAP_COOKIE 0x6d617031u
#define CLASS_COOKIE 0x636c7331u
#define MAX_CELLS ((size_t)1 << 26)

static const char *const own_names[THRONG_FIRST_OWN_TERRAIN] = {"wall", "ground", "trees", "swamp",
                                                                "water"};

throng_map_def throng_default_map_def(void)
{
    throng_map_def def;
    memset(&def, 0, sizeof def);
    def.cookie = MAP_COOKIE;
    def.width = 1;
    def.height = 1;
    def.cell_size = 1.0f;
    return def;
}

throng_class_def throng_default_class_def(void)
{
    throng_class_def def;
    memset(&def, 0, sizeof def);
    def.cookie = CLASS_COOKIE;
    def.radius = 0.4f;
    for (int kind = 0; kind < THRONG_MAX_TERRAINS; kind++) {
        def.cost[kind] = 1.0f;
    }
    def.cost[THRONG_WALL] = 0.0f;
    def.cost[THRONG_TREES] = 0.0f;
    def.cost[THRONG_WATER] = 0.0f;
    return def;
}

/// True for low <= value <= high; false for NaN.
static bool within(float value, float low, float high)
{
    return value >= low && value <= high;
}

static bool map_def_valid(const throng_map_def *def)
{
    if (def == NULL || def->cookie != MAP_COOKIE || def->width < 1 || def->height < 1 ||
        def->width > THRONG_MAX_MAP_SIDE || def->height > THRONG_MAX_MAP_SIDE) {
        return false;
    }
    size_t count = (size_t)def->width * (size_t)def->height;
    if (count > MAX_CELLS || !within(def->cell_size, 0.01f, 100.0f) ||
        !within(def->origin.x, -1e6f, 1e6f) || !within(def->origin.y, -1e6f, 1e6f)) {
        return false;
    }
    for (size_t i = 0; def->terrain != NULL && i < count; i++) {
        if (def->terrain[i] >= THRONG_MAX_TERRAINS) {
            return false;
        }
    }
    return true;
}

static void solid_fill(throng_map *map)
{
    for (int y = 0; y < map->height; y++) {
        memcpy(map->solid + thg_padded_index(map, 0, y),
               map->terrain + (size_t)y * (size_t)map->width, (size_t)map->width);
    }
}

throng_result throng_map_create(const throng_map_def *def, throng_map **result)
{
    if (result == NULL || !map_def_valid(def)) {
        return THRONG_BAD_ARGUMENT;
    }
    throng_map *map = thg_allocate(1, sizeof *map);
    if (map == NULL) {
        return THRONG_NO_MEMORY;
    }
    map->width = def->width;
    map->height = def->height;
    map->stride = def->width + 2;
    map->cell_count = (size_t)def->width * (size_t)def->height;
    map->padded_count = (size_t)map->stride * (size_t)(def->height + 2);
    map->cell_size = def->cell_size;
    map->inverse_cell_size = 1.0f / def->cell_size;
    map->origin = def->origin;
    // Room for a label per run of fitting cells, or for the three rows of the distance transform.
    map->scratch_count = map->padded_count / 2 + 3 * (size_t)map->stride + 2;
    map->terrain = thg_allocate(map->cell_count, 1);
    map->solid = thg_allocate(map->padded_count, 1);
    map->scratch = thg_allocate(map->scratch_count, sizeof *map->scratch);
    if (map->terrain == NULL || map->solid == NULL || map->scratch == NULL) {
        throng_map_destroy(map);
        return THRONG_NO_MEMORY;
    }
    for (int kind = 0; kind < THRONG_FIRST_OWN_TERRAIN; kind++) {
        memcpy(map->names[kind], own_names[kind], strlen(own_names[kind]) + 1);
    }
    map->terrain_count = THRONG_FIRST_OWN_TERRAIN;
    if (def->terrain != NULL) {
        memcpy(map->terrain, def->terrain, map->cell_count);
    } else {
        memset(map->terrain, THRONG_GROUND, map->cell_count);
    }
    memset(map->solid, THRONG_WALL, map->padded_count);
    solid_fill(map);
    map->version = 1;
    *result = map;
    return THRONG_OK;
}

static void layer_release(const throng_map *map, thg_layer *layer)
{
    if (layer->shared_clearance < 0) {
        thg_release(layer->clearance, map->padded_count, sizeof *layer->clearance);
    }
    thg_release(layer->price, map->padded_count, sizeof *layer->price);
    thg_release(layer->moves, map->padded_count, sizeof *layer->moves);
    thg_release(layer->region, map->padded_count, sizeof *layer->region);
}

void throng_map_destroy(throng_map *map)
{
    if (map == NULL) {
        return;
    }
    for (int i = 0; i < map->layer_count; i++) {
        layer_release(map, &map->layers[i]);
    }
    thg_release(map->terrain, map->cell_count, 1);
    thg_release(map->solid, map->padded_count, 1);
    thg_release(map->scratch, map->scratch_count, sizeof *map->scratch);
    thg_release(map, 1, sizeof *map);
}

throng_result throng_map_terrain(throng_map *map, const char *name, int *kind)
{
    size_t length = name != NULL ? strlen(name) : 0;
    if (length < 1 || length >= sizeof map->names[0]) {
        return THRONG_BAD_ARGUMENT;
    }
    for (int i = 0; i < map->terrain_count; i++) {
        if (strcmp(map->names[i], name) == 0) {
            *kind = i;
            return THRONG_OK;
        }
    }
    if (map->terrain_count == THRONG_MAX_TERRAINS) {
        return THRONG_LIMIT;
    }
    memcpy(map->names[map->terrain_count], name, length + 1);
    *kind = map->terrain_count++;
    return THRONG_OK;
}

const char *throng_map_terrain_name(const throng_map *map, int kind)
{
    return kind >= 0 && kind < map->terrain_count ? map->names[kind] : NULL;
}

static bool class_def_valid(const throng_class_def *def)
{
    if (def == NULL || def->cookie != CLASS_COOKIE || !within(def->radius, 0.0f, 100.0f) ||
        !within(def->wall_surcharge, 0.0f, 8.0f) || !within(def->wall_distance, 0.0f, 100.0f) ||
        def->cost[THRONG_WALL] != 0.0f) {
        return false;
    }
    for (int kind = 0; kind < THRONG_MAX_TERRAINS; kind++) {
        if (def->cost[kind] != 0.0f && !within(def->cost[kind], 1.0f / 16.0f, 64.0f)) {
            return false;
        }
    }
    return true;
}

/// What a class makes of the terrain. Of layers that share their clearance the first fills it.
static void layer_update(throng_map *map, int class_index, thg_layer *layer)
{
    if (map->planet != NULL) {
        thg_planet_fill_layer(map->planet, class_index, layer);
        return;
    }
    if (layer->shared_clearance < 0) {
        thg_clearance_fill(map, layer->blocked_terrains, layer->clearance, map->scratch);
    }
    thg_layer_fill(map, layer);
}

throng_result throng_map_add_class(throng_map *map, const throng_class_def *def, int *class_index)
{
    if (class_index == NULL || !class_def_valid(def)) {
        return THRONG_BAD_ARGUMENT;
    }
    if (map->layer_count == THRONG_MAX_CLASSES) {
        return THRONG_LIMIT;
    }
    throng_result ready =
        map->planet != NULL ? thg_planet_ready_class(map->planet, def) : THRONG_OK;
    if (ready != THRONG_OK) {
        return ready;
    }
    thg_layer layer;
    memset(&layer, 0, sizeof layer);
    layer.def = *def;
    layer.shared_clearance = -1;
    for (int kind = 0; kind < THRONG_MAX_TERRAINS; kind++) {
        layer.blocked_terrains |= def->cost[kind] == 0.0f ? 1u << kind : 0u;
    }
    for (int i = map->layer_count; i-- > 0;) {
        if (map->layers[i].blocked_terrains == layer.blocked_terrains && map->planet == NULL) {
            layer.shared_clearance = i; // ends at the first of its kind, which owns the array
        }
    }
    layer.clearance = layer.shared_clearance >= 0
                          ? map->layers[layer.shared_clearance].clearance
                          : thg_allocate(map->padded_count, sizeof *layer.clearance);
    layer.price = thg_allocate(map->padded_count, sizeof *layer.price);
    layer.moves = thg_allocate(map->padded_count, sizeof *layer.moves);
    layer.region = thg_allocate(map->padded_count, sizeof *layer.region);
    if (layer.clearance == NULL || layer.price == NULL || layer.moves == NULL ||
        layer.region == NULL) {
        layer_release(map, &layer);
        return THRONG_NO_MEMORY;
    }
    layer_update(map, map->layer_count, &layer);
    *class_index = map->layer_count;
    map->layers[map->layer_count++] = layer;
    return THRONG_OK;
}

int throng_map_class_count(const throng_map *map)
{
    return map->layer_count;
}

throng_class_def throng_map_class(const throng_map *map, int class_index)
{
    THRONG_ASSERT(class_index >= 0 && class_index < map->layer_count);
    return map->layers[class_index].def;
}

throng_result throng_map_edit_rect(throng_map *map, throng_cell_rect rect, int kind)
{
    if (kind < 0 || kind >= map->terrain_count || rect.width < 0 || rect.height < 0) {
        return THRONG_BAD_ARGUMENT;
    }
    int64_t right = (int64_t)rect.x + rect.width;
    int64_t bottom = (int64_t)rect.y + rect.height;
    int first_x = thg_max_int(rect.x, 0);
    int first_y = thg_max_int(rect.y, 0);
    int end_x = right < map->width ? (int)right : map->width;
    int end_y = bottom < map->height ? (int)bottom : map->height;
    for (int y = first_y; y < end_y; y++) {
        uint8_t *row = map->terrain + (size_t)y * (size_t)map->width;
        for (int x = first_x; x < end_x; x++) {
            map->dirty |= row[x] != kind;
            row[x] = (uint8_t)kind;
        }
    }
    return THRONG_OK;
}

void throng_map_update(throng_map *map)
{
    if (!map->dirty) {
        return;
    }
    solid_fill(map);
    if (map->planet != NULL) {
        thg_planet_take_terrain(map->planet);
    }
    for (int i = 0; i < map->layer_count; i++) {
        layer_update(map, i, &map->layers[i]);
    }
    map->dirty = false;
    map->version++;
}
