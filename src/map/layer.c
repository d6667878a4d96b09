/// A layer: what one class makes of the terrain. Where it fits, what a cell costs it, which steps
/// it may take, and which cells reach which.
///
/// Everything follows from integers (squared clearance against a threshold) but the surcharge,
/// whose float operations are all correctly rounded ones. Regions are labelled by runs of a row
/// joined with union-find (Rosenfeld, Pfaltz 1966); the root is always the earliest run, so labels
/// come in row order. Four neighbours suffice: a diagonal step needs both straight ones beside it
/// to fit.
#include "map/map.h"
#include <math.h>

/// Clearance in squared half cells that `metres` need, a hair forgiving: 0.5 m fits a lane of 1 m.
static uint32_t clearance_needed(const throng_map *map, double metres)
{
    double half_cells = 2.0 * metres * (1.0 - 1e-5) / (double)map->cell_size;
    double squared = half_cells * half_cells;
    if (squared >= 4294967295.0) {
        return UINT32_MAX;
    }
    uint32_t whole = (uint32_t)squared;
    return (double)whole < squared ? whole + 1 : whole;
}

uint32_t thg_layer_clearance_needed(const throng_map *map, const thg_layer *layer)
{
    return clearance_needed(map, (double)layer->def.radius);
}

/// Price of a cell whose base price and clearance are known.
static uint16_t price_with_wall(const throng_map *map, const throng_class_def *def, float base,
                                uint32_t clearance)
{
    float distance = sqrtf((float)clearance) * map->cell_size * 0.5f - def->radius;
    float near = thg_clamp(1.0f - distance / def->wall_distance, 0.0f, 1.0f);
    float price = base * (1.0f + def->wall_surcharge * near * near) + 0.5f;
    return (uint16_t)(price < 65535.0f ? price : 65535.0f);
}

static void prices_fill(const throng_map *map, thg_layer *layer)
{
    const throng_class_def *def = &layer->def;
    bool surcharged = def->wall_surcharge > 0.0f && def->wall_distance > 0.0f;
    double reach = (double)def->radius + (double)def->wall_distance;
    uint32_t needed = clearance_needed(map, (double)def->radius);
    uint32_t near = surcharged ? clearance_needed(map, reach * (1.0 + 1e-4)) : 0;
    float base[THRONG_MAX_TERRAINS];
    for (int i = 0; i < THRONG_MAX_TERRAINS; i++) {
        base[i] = floorf(def->cost[i] * (float)THG_PRICE_UNIT + 0.5f);
        base[i] = base[i] >= 1.0f ? base[i] : 1.0f;
    }
    uint16_t low = UINT16_MAX;
    uint16_t high = 0;
    int count = 0;
    for (size_t i = 0; i < map->padded_count; i++) {
        uint32_t clearance = layer->clearance[i];
        if (clearance == 0 || clearance < needed) {
            layer->price[i] = 0;
            continue;
        }
        float plain = base[map->solid[i]];
        uint16_t price =
            clearance < near ? price_with_wall(map, def, plain, clearance) : (uint16_t)plain;
        layer->price[i] = price;
        low = price < low ? price : low;
        high = price > high ? price : high;
        count++;
    }
    layer->fit_count = count;
    layer->min_price = count > 0 ? low : THG_PRICE_UNIT;
    layer->max_price = count > 0 ? high : THG_PRICE_UNIT;
}

static void moves_fill(const throng_map *map, thg_layer *layer)
{
    ptrdiff_t stride = map->stride;
    int edges = 0;
    for (int y = 0; y < map->height; y++) {
        const uint16_t *price = layer->price + thg_padded_index(map, 0, y);
        uint8_t *moves = layer->moves + thg_padded_index(map, 0, y);
        for (int x = 0; x < map->width; x++, price++) {
            unsigned east = price[1] != 0;
            unsigned south = price[stride] != 0;
            unsigned west = price[-1] != 0;
            unsigned north = price[-stride] != 0;
            unsigned mask =
                east << THG_EAST | south << THG_SOUTH | west << THG_WEST | north << THG_NORTH;
            mask |= (east & south & (price[stride + 1] != 0)) << THG_SE;
            mask |= (west & south & (price[stride - 1] != 0)) << THG_SW;
            mask |= (west & north & (price[-stride - 1] != 0)) << THG_NW;
            mask |= (east & north & (price[-stride + 1] != 0)) << THG_NE;
            moves[x] = price[0] != 0 ? (uint8_t)mask : 0;
            edges += price[0] != 0 && (mask & 15u) != 15u;
        }
    }
    layer->edge_count = edges;
}

static uint32_t join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = thg_root_of(parent, a);
    b = thg_root_of(parent, b);
    if (a < b) {
        parent[b] = a;
        return a;
    }
    parent[a] = b;
    return b;
}

/// Marks every cell with the run it belongs to, counted from 1, and joins runs that touch the row
/// above. Returns the number of runs, at most half of the cells.
static uint32_t runs_fill(const throng_map *map, thg_layer *layer, uint32_t *parent)
{
    uint32_t run = 0;
    size_t stride = (size_t)map->stride;
    for (size_t i = 0; i < map->padded_count; i++) {
        if (layer->price[i] == 0) {
            layer->region[i] = 0;
            continue;
        }
        if (layer->region[i - 1] == 0) {
            run++;
            parent[run] = run;
        }
        layer->region[i] = (int32_t)run;
        uint32_t above = (uint32_t)layer->region[i - stride];
        // Only the first cell of a shared stretch joins; the rest would join the same two runs.
        if (above != 0 && (layer->region[i - 1] == 0 || layer->region[i - stride - 1] == 0)) {
            join(parent, above, run);
        }
    }
    return run;
}

static void regions_fill(const throng_map *map, thg_layer *layer)
{
    uint32_t *label = map->scratch;
    uint32_t run_count = runs_fill(map, layer, label);
    // A parent is an earlier run, so one pass in order turns parents into final labels.
    int count = 0;
    for (uint32_t run = 1; run <= run_count; run++) {
        label[run] = label[run] == run ? (uint32_t)++count : label[label[run]];
    }
    label[0] = 0;
    for (size_t i = 0; i < map->padded_count; i++) {
        layer->region[i] = (int32_t)label[layer->region[i]];
    }
    layer->region_count = count;
}

void thg_layer_fill(throng_map *map, thg_layer *layer)
{
    prices_fill(map, layer);
    moves_fill(map, layer);
    regions_fill(map, layer);
}

static bool cell_passes(const throng_map *map, const thg_layer *layer, uint16_t price, int x, int y)
{
    if (x < 0 || y < 0 || x >= map->width || y >= map->height) {
        return false;
    }
    uint16_t here = layer->price[thg_padded_index(map, x, y)];
    return here != 0 && (price == 0 || here == price);
}

bool thg_layer_sees(const throng_map *map, const thg_layer *layer, uint16_t price, float from_x,
                    float from_y, float to_x, float to_y)
{
    int x = (int)floorf(from_x);
    int y = (int)floorf(from_y);
    int end_x = (int)floorf(to_x);
    int end_y = (int)floorf(to_y);
    int step_x = end_x > x ? 1 : -1;
    int step_y = end_y > y ? 1 : -1;
    float dx = fabsf(to_x - from_x);
    float dy = fabsf(to_y - from_y);
    if (!cell_passes(map, layer, price, x, y)) {
        return false;
    }
    // Compare when the segment leaves through which side, by cross-multiplied parameters; a corner
    // that is met exactly, or nearly, needs both cells beside it.
    while (x != end_x || y != end_y) {
        float side_x = fabsf((float)(step_x > 0 ? x + 1 : x) - from_x) * dy;
        float side_y = fabsf((float)(step_y > 0 ? y + 1 : y) - from_y) * dx;
        bool corner = fabsf(side_x - side_y) <= 1e-4f && x != end_x && y != end_y;
        if (corner) {
            if (!cell_passes(map, layer, price, x + step_x, y) ||
                !cell_passes(map, layer, price, x, y + step_y)) {
                return false;
            }
            x += step_x;
            y += step_y;
        } else if (y == end_y || (x != end_x && side_x < side_y)) {
            x += step_x;
        } else {
            y += step_y;
        }
        if (!cell_passes(map, layer, price, x, y)) {
            return false;
        }
    }
    return true;
}
