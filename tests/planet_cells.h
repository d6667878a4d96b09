/// Planets for tests of what is below crowds: places, terrain kinds, fields.
#ifndef PLANET_CELLS_H
#define PLANET_CELLS_H

#include "field/planet.h"
#include "planet_random.h"
#include "test.h"
#include <throng/planet.h>

static inline throng_vec3 random_place(uint64_t *state)
{
    throng_vec3 at = random_direction(state);
    return thg_narrow(thg_unit((thg_vec3){(double)at.x, (double)at.y, (double)at.z}));
}

static inline throng_planet *planet_of(int side, float radius, const uint8_t *terrain)
{
    throng_planet_def def = throng_default_planet_def();
    def.side = side;
    def.radius = radius;
    def.terrain = terrain;
    def.terrain_count = terrain != NULL ? 6 * side * side : 0;
    throng_planet *planet = NULL;
    assert_ok(throng_planet_create(&def, &planet));
    return planet;
}

enum { INFANTRY, SHIP, HOVER };

/// Classes of those who know land, water, or both.
static inline void add_kinds(throng_planet *planet, float radius)
{
    for (int kind = 0; kind < 3; kind++) {
        throng_class_def def = throng_default_class_def();
        int index;
        def.radius = radius;
        def.cost[THRONG_GROUND] = kind == SHIP ? 0.0f : 1.0f;
        def.cost[THRONG_WATER] = kind == INFANTRY ? 0.0f : 1.0f;
        assert_ok(throng_planet_add_class(planet, &def, &index));
        assert_int_equal(index, kind);
    }
}

static inline throng_planet_field *field_to(const throng_planet *planet, int kind, throng_vec3 goal)
{
    throng_planet_field *field = NULL;
    assert_ok(throng_planet_field_create(planet, kind, &goal, 1, &field));
    throng_planet_field_solve(field);
    return field;
}

static inline int face_of(const throng_planet *planet, throng_vec3 place)
{
    int side = throng_planet_side(planet);
    return throng_planet_cell_at(planet, place) / (side * side);
}

/// Land with seas: three lumps of water, and one sea that holds an island.
static inline throng_planet *world(int side, float radius)
{
    throng_planet *planet = planet_of(side, radius, NULL);
    add_kinds(planet, 0.4f * (float)planet->cell_size);
    assert_ok(throng_planet_paint(planet, (throng_vec3){1, 1, 1}, 0.65f * radius, THRONG_WATER));
    assert_ok(throng_planet_paint(planet, (throng_vec3){1, 0, 0}, 0.4f * radius, THRONG_WATER));
    assert_ok(throng_planet_paint(planet, (throng_vec3){-1, 1, 0}, 0.6f * radius, THRONG_WATER));
    assert_ok(throng_planet_paint(planet, (throng_vec3){-1, 1, 0}, 0.2f * radius, THRONG_GROUND));
    assert_ok(throng_planet_paint(planet, (throng_vec3){0, -1, 0.2f}, 0.3f * radius, THRONG_WALL));
    return planet;
}

#endif
