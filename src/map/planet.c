/// A planet's life: cells, their neighbours and terrain.
#include "map/planet.h"
#include <string.h>

#define PLANET_COOKIE 0x706c6e31u

throng_planet_def throng_default_planet_def(void)
{
    return (throng_planet_def){.cookie = PLANET_COOKIE, .side = 64, .radius = 100.0f};
}

static bool def_is_valid(const throng_planet_def *def)
{
    if (def == NULL || def->cookie != PLANET_COOKIE || def->side < 2 ||
        def->side > THRONG_MAX_PLANET_SIDE || !(def->radius >= 1.0f && def->radius <= 1e5f)) {
        return false;
    }
    int cells = def->terrain != NULL ? 6 * def->side * def->side : 0;
    if (def->terrain_count != cells) {
        return false;
    }
    for (int i = 0; i < cells; i++) {
        if (def->terrain[i] >= THRONG_MAX_TERRAINS) {
            return false;
        }
    }
    return true;
}

// ---- Neighbours -------------------------------------------------------------------------------

static uint32_t neighbour(int side, int face, int column, int row)
{
    bool column_in = column >= 0 && column < side, row_in = row >= 0 && row < side;
    if (!column_in && !row_in) { // a corner of the cube: the straight one along the columns
        row = row < 0 ? 0 : side - 1;
    }
    return (uint32_t)thg_planet_part(side, face, column, row);
}

static void fill_rings(throng_planet *planet)
{
    int side = planet->side;
    for (int cell = 0; cell < planet->cell_count; cell++) {
        int column = cell % side, row = cell / side % side, face = cell / (side * side);
        for (int i = 0; i < THG_RING; i++) {
            planet->ring[cell][i] =
                neighbour(side, face, column + thg_ring_x[i], row + thg_ring_y[i]);
        }
    }
}

// ---- Life -------------------------------------------------------------------------------------

/// The faces one above the other. The map's limits for the size of cells are not the planet's.
static throng_map *make_atlas(throng_planet *planet, const throng_planet_def *def)
{
    throng_map_def map_def = throng_default_map_def();
    throng_map *atlas = NULL;
    map_def.width = def->side;
    map_def.height = 6 * def->side;
    map_def.terrain = def->terrain;
    if (throng_map_create(&map_def, &atlas) != THRONG_OK) {
        return NULL;
    }
    atlas->cell_size = (float)planet->cell_size;
    atlas->inverse_cell_size = 1.0f / atlas->cell_size;
    atlas->planet = planet;
    return atlas;
}

throng_result throng_planet_create(const throng_planet_def *def, throng_planet **result)
{
    if (result == NULL || !def_is_valid(def)) {
        return THRONG_BAD_ARGUMENT;
    }
    throng_planet *planet = thg_allocate(1, sizeof *planet);
    if (planet == NULL) {
        return THRONG_NO_MEMORY;
    }
    planet->side = def->side;
    planet->cell_count = 6 * def->side * def->side;
    planet->radius = (double)def->radius;
    planet->cell_size = planet->radius * (0.5 * THG_PI) / (double)def->side;
    size_t count = (size_t)planet->cell_count;
    planet->terrain = thg_allocate(count, 1);
    planet->atlas = make_atlas(planet, def);
    planet->ring = thg_allocate(count, sizeof *planet->ring);
    planet->seen = thg_allocate(count, sizeof *planet->seen);
    planet->queue = thg_allocate(count, sizeof *planet->queue);
    planet->half = (def->side + 1) / 2;
    planet->tangent = thg_allocate(2 * (size_t)def->side + 1, sizeof *planet->tangent);
    planet->metric = thg_allocate((size_t)(planet->half * planet->half), sizeof *planet->metric);
    if (!planet->terrain || !planet->atlas || !planet->ring || !planet->seen || !planet->queue ||
        !planet->tangent || !planet->metric) {
        throng_planet_destroy(planet);
        return THRONG_NO_MEMORY;
    }
    memcpy(planet->terrain, planet->atlas->terrain, count);
    for (int i = 0; i <= 2 * def->side; i++) {
        planet->tangent[i] = thg_tan(((double)i / (2.0 * def->side) - 0.5) * (0.5 * THG_PI));
    }
    fill_rings(planet);
    thg_planet_measure(planet);
    *result = planet;
    return THRONG_OK;
}

void throng_planet_destroy(throng_planet *planet)
{
    if (planet == NULL) {
        return;
    }
    size_t count = (size_t)planet->cell_count;
    for (int i = 0; i < THRONG_MAX_CLASSES; i++) {
        thg_release(planet->classes[i].price, count, sizeof(uint16_t));
    }
    throng_map_destroy(planet->atlas);
    thg_release(planet->terrain, count, 1);
    thg_release(planet->ring, count, sizeof *planet->ring);
    thg_release(planet->seen, count, sizeof *planet->seen);
    thg_release(planet->queue, count, sizeof *planet->queue);
    thg_release(planet->tangent, 2 * (size_t)planet->side + 1, sizeof *planet->tangent);
    thg_release(planet->metric, (size_t)(planet->half * planet->half), sizeof *planet->metric);
    thg_release(planet, 1, sizeof *planet);
}

throng_result throng_planet_paint(throng_planet *planet, throng_vec3 place, float reach,
                                  int terrain)
{
    if (!thg_is_place(place) || !(reach >= 0.0f) || !thg_is_finite(reach) || terrain < 0 ||
        terrain >= THRONG_MAX_TERRAINS) {
        return THRONG_BAD_ARGUMENT;
    }
    thg_vec3 middle = thg_unit(thg_wide(place));
    for (int cell = 0; cell < planet->cell_count; cell++) {
        double angle = thg_sphere_angle(thg_planet_middle(planet, (uint32_t)cell), middle);
        if (angle * planet->radius <= (double)reach) {
            planet->atlas->terrain[cell] = (uint8_t)terrain;
        }
    }
    planet->atlas->dirty = true;
    throng_map_update(planet->atlas);
    return THRONG_OK;
}

bool thg_is_place(throng_vec3 place)
{
    float most = 1e18f; // its square is finite
    float sum = fabsf(place.x) + fabsf(place.y) + fabsf(place.z);
    return sum >= 1e-18f && sum <= most;
}
