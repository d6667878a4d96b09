/// Fields on generated maps, as several test files need them.
#ifndef FIELD_FIXTURE_H
#define FIELD_FIXTURE_H

#include "test.h"

#include "../benchmarks/field_maps.h"
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

#endif
