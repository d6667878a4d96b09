/// The maps that field benchmarks and field tests share: open, rectangles, rooms, and rooms with
/// costs. Made from a seed by our own mixing function, so that they are the same everywhere.
#ifndef THG_FIELD_MAPS_H
#define THG_FIELD_MAPS_H

#include <stdint.h>
#include <string.h>
#include <throng/map.h>

typedef enum field_map_kind {
    FIELD_MAP_OPEN,
    FIELD_MAP_RECTANGLES, ///< blocks of 4 x 4 cells over about 18 % of the map
    FIELD_MAP_ROOMS,      ///< rooms of 8 x 8 with doors of one cell
    FIELD_MAP_NOISE,      ///< three cells in ten blocked at random
    FIELD_MAP_KINDS
} field_map_kind;

static inline uint64_t field_map_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t value = *state;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

/// Fills width * height kinds. Free cells are ground, or where `terrains` is more than 1 one of
/// that many kinds: patches of ground, swamp and own ones.
static inline void field_map_fill(field_map_kind kind, int width, int height, uint64_t seed,
                                  int terrains, uint8_t *terrain)
{
    uint64_t state = seed;
    size_t count = (size_t)width * (size_t)height;
    memset(terrain, THRONG_GROUND, count);
    if (terrains > 1) {
        for (size_t i = 0; i < count; i++) {
            size_t patch = (i / (size_t)width / 5) * 977 + i % (size_t)width / 7;
            uint64_t mixed = seed + patch;
            uint64_t pick = field_map_random(&mixed) % (uint64_t)terrains;
            terrain[i] = (uint8_t)(pick == 0 ? THRONG_GROUND : THRONG_WATER + pick);
        }
    }
    if (kind == FIELD_MAP_RECTANGLES) {
        for (size_t block = 0; block < count / 80; block++) {
            int x = (int)(field_map_random(&state) % (uint64_t)width);
            int y = (int)(field_map_random(&state) % (uint64_t)height);
            for (int i = 0; i < 16; i++) {
                if (x + i % 4 < width && y + i / 4 < height) {
                    terrain[(size_t)(y + i / 4) * (size_t)width + (size_t)(x + i % 4)] =
                        THRONG_WALL;
                }
            }
        }
    }
    for (int y = 0; y < height && kind == FIELD_MAP_ROOMS; y++) {
        for (int x = 0; x < width; x++) {
            uint64_t wall_x = seed * 31 + (uint64_t)(x / 9) * 4099 + (uint64_t)(y / 9) * 65537;
            uint64_t wall_y = wall_x + 0x5555;
            bool door_x = x % 9 == 8 && y % 9 == (int)(field_map_random(&wall_x) % 8);
            bool door_y = y % 9 == 8 && x % 9 == (int)(field_map_random(&wall_y) % 8);
            if ((x % 9 == 8 || y % 9 == 8) && !door_x && !door_y) {
                terrain[(size_t)y * (size_t)width + (size_t)x] = THRONG_WALL;
            }
        }
    }
    for (size_t i = 0; i < count && kind == FIELD_MAP_NOISE; i++) {
        if (field_map_random(&state) % 10 < 3) {
            terrain[i] = THRONG_WALL;
        }
    }
}

/// A class of radius 0 whose own terrains cost 1 to 8.
static inline throng_class_def field_map_class(void)
{
    throng_class_def def = throng_default_class_def();
    def.radius = 0.0f;
    for (int kind = THRONG_FIRST_OWN_TERRAIN; kind < THRONG_MAX_TERRAINS; kind++) {
        def.cost[kind] = (float)(2 + (kind - THRONG_FIRST_OWN_TERRAIN) % 7);
    }
    return def;
}

#endif
