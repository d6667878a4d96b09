/// Fields on generated maps, as several test files need them.
#ifndef FIELD_FIXTURE_H
#define FIELD_FIXTURE_H

#include "test.h"

#include "../benchmarks/field_maps.h"
#include "field/path.h"
#include "field/solver.h"

/// A map of generated terrain with the class of field_map_class.
static inline throng_map *fixture_map(field_map_kind kind, int width, int height, unsigned seed,
                                      int terrains, float radius, float surcharge)
{
    throng_map_def def = throng_default_map_def();
    throng_class_def class_def = field_map_class();
    throng_map *map = NULL;
    int class_index;
    uint8_t *terrain = malloc((size_t)width * (size_t)height);
    field_map_fill(kind, width, height, seed, terrains, terrain);
    def.width = width;
    def.height = height;
    def.terrain = terrain;
    assert_ok(throng_map_create(&def, &map));
    free(terrain);
    class_def.radius = radius;
    class_def.wall_surcharge = surcharge;
    class_def.wall_distance = 3.0f;
    assert_ok(throng_map_add_class(map, &class_def, &class_index));
    return map;
}

static inline throng_field *fixture_field(const throng_map *map, throng_metric metric,
                                          const throng_goal_shape *shape)
{
    throng_field *field = NULL;
    assert_ok(throng_field_create(map, 0, shape, metric, &field));
    return field;
}

/// A shape of one point; the point must live as long as the shape.
static inline throng_goal_shape fixture_point(const throng_vec2 *point)
{
    throng_goal_shape shape = throng_default_goal_shape();
    shape.points = point;
    shape.point_count = 1;
    return shape;
}

static inline throng_map *fixture_text_sized(const char *text, size_t size, float radius)
{
    throng_map_def def = throng_default_map_def();
    throng_class_def class_def = throng_default_class_def();
    throng_map *map = NULL;
    throng_error error;
    int class_index;
    assert_ok_or(throng_map_from_text(text, size, &def, &map, &error), &error);
    class_def.radius = radius;
    assert_ok(throng_map_add_class(map, &class_def, &class_index));
    return map;
}

static inline throng_map *fixture_text(const char *text, float radius)
{
    return fixture_text_sized(text, strlen(text), radius);
}

/// The whole of a file of the project, ended by a NUL; free() it.
static inline char *fixture_read_whole(const char *name, size_t *size)
{
    char path[1024];
    FILE *file = fopen(test_source_path(path, sizeof path, name), "rb");
    if (file == NULL) {
        fail_msg("cannot open %s", path);
    }
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    char *text = malloc((size_t)length + 1);
    *size = fread(text, 1, (size_t)length, file);
    text[*size] = '\0';
    fclose(file);
    return text;
}

/// A map of the project's own maps/movingai, with a class of radius 0.
static inline throng_map *fixture_movingai(const char *name)
{
    char file[256];
    size_t size;
    snprintf(file, sizeof file, "maps/movingai/%s.map", name);
    char *text = fixture_read_whole(file, &size);
    throng_map *map = fixture_text_sized(text, size, 0.0f);
    free(text);
    return map;
}

static inline throng_paths *fixture_paths(const throng_map *map)
{
    throng_paths_def def = throng_default_paths_def();
    throng_paths *paths = NULL;
    def.map = map;
    assert_ok(throng_paths_create(&def, &paths));
    return paths;
}

/// A place in the middle of a cell that fits, of a region or (0) any.
static inline throng_vec2 fixture_place(const throng_map *map, uint64_t *random, int region)
{
    for (;;) {
        int x = (int)(field_map_random(random) % (uint64_t)throng_map_width(map));
        int y = (int)(field_map_random(random) % (uint64_t)throng_map_height(map));
        int found = throng_map_region(map, 0, x, y);
        if (found != 0 && (region == 0 || found == region)) {
            return throng_map_cell_center(map, x, y);
        }
    }
}

/// Whatever can be asked for the way.
typedef throng_sample fixture_ask(const void *whom, throng_vec2 place);

static inline throng_sample fixture_ask_field(const void *field, throng_vec2 place)
{
    return throng_field_sample(field, place);
}

static inline bool fixture_is_blocked(const throng_map *map, throng_vec2 place)
{
    int x, y;
    return !throng_map_cell_at(map, place, &x, &y) || throng_map_blocked(map, 0, x, y);
}

/// Walks a point to the goal, a quarter of a cell at a time, sliding along walls, on a map of cells
/// of 1 m at the origin. Returns what the way cost, in metres of unit terrain; negative when it did
/// not arrive.
static inline double fixture_walk(const throng_map *map, fixture_ask *ask, const void *whom,
                                  throng_vec2 from, throng_vec2 goal)
{
    const float pace = 0.25f;
    const thg_layer *layer = &map->layers[0];
    double cost = 0.0;
    throng_vec2 at = from;
    for (size_t i = 0; i < 8 * map->cell_count; i++) {
        int x, y;
        throng_map_cell_at(map, at, &x, &y);
        double price = layer->price[thg_padded_index(map, x, y)] / (double)THG_PRICE_UNIT;
        price = price > 0.0 ? price : 1.0;
        float dx = goal.x - at.x, dy = goal.y - at.y;
        if (dx * dx + dy * dy < 0.3f * 0.3f) {
            return cost + hypot((double)dx, (double)dy) * price;
        }
        throng_sample sample = ask(whom, at);
        if (!sample.reached || (sample.direction.x == 0.0f && sample.direction.y == 0.0f)) {
            return -1.0;
        }
        throng_vec2 to = {at.x + sample.direction.x * pace, at.y};
        to.x = fixture_is_blocked(map, to) ? at.x : to.x;
        throng_vec2 end = {to.x, at.y + sample.direction.y * pace};
        end.y = fixture_is_blocked(map, end) ? at.y : end.y;
        double step = thg_path_line_cost(map, layer, at, end);
        // A step that slides round a corner is not a straight line.
        cost += step < 1e9 ? step : hypot((double)(end.x - at.x), (double)(end.y - at.y)) * price;
        at = end;
    }
    return -1.0;
}

#endif
