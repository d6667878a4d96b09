/// What a class makes of a planet: where it fits, how far walls are, what is joined.
#include "map/planet.h"
#include <string.h>

#define MOST_RADIUS_CELLS 16.0
#define SEEN_BEYOND 1.25 ///< cells beyond the radius within which distances of walls are known
#define CORNER 0.25      ///< half cells by which a corner cell's diagonal is longer than a square's

static bool class_is_valid(const throng_planet *planet, const throng_class_def *def)
{
    double most = MOST_RADIUS_CELLS * planet->cell_size;
    most = most < 0.5 * planet->radius ? most : 0.5 * planet->radius;
    return (double)def->radius <= most && def->wall_surcharge == 0.0f;
}

throng_result throng_planet_add_class(throng_planet *planet, const throng_class_def *def,
                                      int *class_index)
{
    return planet != NULL ? throng_map_add_class(planet->atlas, def, class_index)
                          : THRONG_BAD_ARGUMENT;
}

throng_result thg_planet_ready_class(throng_planet *planet, const throng_class_def *def)
{
    if (!class_is_valid(planet, def)) {
        return THRONG_BAD_ARGUMENT;
    }
    thg_planet_class *class_ = &planet->classes[planet->class_count];
    class_->def = *def;
    class_->blocked_terrains = 0;
    for (int i = 0; i < THRONG_MAX_TERRAINS; i++) {
        class_->blocked_terrains |= def->cost[i] == 0.0f ? 1u << i : 0u;
    }
    if (class_->price == NULL) { // it stays for the next when what follows fails
        class_->price = thg_allocate((size_t)planet->cell_count, sizeof *class_->price);
    }
    return class_->price != NULL ? THRONG_OK : THRONG_NO_MEMORY;
}

// ---- Distances of walls -----------------------------------------------------------------------

/// Takes the distance of a wall into account for the cells around it, in squared half cells.
static void close_around(throng_planet *planet, thg_planet_class *class_, thg_layer *layer,
                         uint32_t wall, double seen)
{
    // A middle that near lies within the reach and the cell's own half diagonal of its middle.
    double reach = (seen + 0.85 * planet->cell_size) / planet->radius, cosine, sine;
    double own = (double)class_->def.radius * (1.0 - 1e-5) / planet->radius;
    double needed = planet->radius * thg_tan(own < 1.0 ? own : 1.0);
    thg_sine_cosine(reach, &sine, &cosine);
    thg_vec3 middle = thg_planet_middle(planet, wall);
    uint32_t count = 0;
    planet->round++;
    planet->seen[wall] = planet->round;
    planet->queue[count++] = wall;
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < THG_RING; k++) {
            uint32_t cell = planet->ring[planet->queue[i]][k];
            if (planet->seen[cell] == planet->round) {
                continue;
            }
            planet->seen[cell] = planet->round;
            thg_vec3 place = thg_planet_middle(planet, cell);
            if (thg_dot(place, middle) < cosine) {
                continue;
            }
            planet->queue[count++] = cell;
            double distance = thg_planet_cell_distance(planet, place, wall);
            if (distance < needed) {
                class_->price[cell] = 0;
            }
            double flat = distance / planet->radius; // of the arc, no more than it has
            double halves = 2.0 * distance / (1.0 + flat * flat / 3.0) / planet->cell_size - CORNER;
            uint32_t square = halves > 0.0 ? (uint32_t)(halves * halves) : 0;
            size_t index =
                thg_padded_index(planet->atlas, (int)cell % planet->side, (int)cell / planet->side);
            layer->clearance[index] =
                square < layer->clearance[index] ? square : layer->clearance[index];
        }
    }
}

static void fill_distances(throng_planet *planet, thg_planet_class *class_, thg_layer *layer)
{
    double seen = (double)class_->def.radius + SEEN_BEYOND * planet->cell_size;
    double halves = 2.0 * seen / planet->cell_size - CORNER;
    for (size_t i = 0; i < planet->atlas->padded_count; i++) {
        layer->clearance[i] = (uint32_t)(halves * halves);
    }
    for (uint32_t cell = 0; cell < (uint32_t)planet->cell_count; cell++) {
        bool inner = true; // all around are blocked too: the outer ones are nearer to everybody
        for (int k = 0; k < THG_RING; k++) {
            inner = inner && thg_planet_blocked(planet, class_, planet->ring[cell][k]);
        }
        if (thg_planet_blocked(planet, class_, cell)) {
            layer->clearance[thg_padded_index(planet->atlas, (int)cell % planet->side,
                                              (int)cell / planet->side)] = 0;
            if (!inner) {
                close_around(planet, class_, layer, cell, seen);
            }
        }
    }
}

// ---- The layer --------------------------------------------------------------------------------

static void fill_prices(throng_planet *planet, thg_planet_class *class_)
{
    for (int cell = 0; cell < planet->cell_count; cell++) {
        float price = class_->def.cost[planet->terrain[cell]] * (float)THG_PRICE_UNIT + 0.5f;
        bool blocked = thg_planet_blocked(planet, class_, (uint32_t)cell);
        class_->price[cell] = blocked ? 0 : (uint16_t)(price >= 1.0f ? price : 1.0f);
    }
}

/// Labels what can be walked from a cell.
static void label_from(throng_planet *planet, const thg_planet_class *class_, thg_layer *layer,
                       uint32_t first, int32_t label)
{
    uint32_t count = 0;
    planet->queue[count++] = first;
    planet->seen[first] = planet->round;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cell = planet->queue[i];
        layer->region[thg_padded_index(planet->atlas, (int)cell % planet->side,
                                       (int)cell / planet->side)] = label;
        for (int k = 0; k < THG_RING; k += 2) {
            uint32_t next = planet->ring[cell][k];
            if (class_->price[next] != 0 && planet->seen[next] != planet->round) {
                planet->seen[next] = planet->round;
                planet->queue[count++] = next;
            }
        }
    }
}

static void show_layer(throng_planet *planet, const thg_planet_class *class_, thg_layer *layer)
{
    const throng_map *atlas = planet->atlas;
    memset(layer->region, 0, atlas->padded_count * sizeof *layer->region);
    memset(layer->price, 0, atlas->padded_count * sizeof *layer->price);
    memset(layer->moves, 0, atlas->padded_count); // flat fields alone read them
    layer->fit_count = layer->edge_count = layer->region_count = 0;
    layer->min_price = UINT16_MAX;
    layer->max_price = 0;
    planet->round++;
    for (int cell = 0; cell < planet->cell_count; cell++) {
        uint16_t price = class_->price[cell];
        if (price == 0) {
            continue;
        }
        layer->price[thg_padded_index(atlas, cell % planet->side, cell / planet->side)] = price;
        layer->fit_count++;
        layer->min_price = price < layer->min_price ? price : layer->min_price;
        layer->max_price = price > layer->max_price ? price : layer->max_price;
        bool edge = false;
        for (int k = 0; k < THG_RING; k += 2) {
            edge = edge || class_->price[planet->ring[cell][k]] == 0;
        }
        layer->edge_count += edge;
        if (planet->seen[cell] != planet->round) {
            label_from(planet, class_, layer, (uint32_t)cell, ++layer->region_count);
        }
    }
    if (layer->fit_count == 0) {
        layer->min_price = layer->max_price = THG_PRICE_UNIT;
    }
}

void thg_planet_take_terrain(throng_planet *planet)
{
    size_t side = (size_t)planet->side;
    for (int row = 0; row < 6 * planet->side; row++) {
        memcpy(planet->terrain + (size_t)row * side,
               planet->atlas->solid + thg_padded_index(planet->atlas, 0, row), side);
    }
}

void thg_planet_fill_layer(throng_planet *planet, int class_index, thg_layer *layer)
{
    thg_planet_class *class_ = &planet->classes[class_index];
    fill_prices(planet, class_);
    fill_distances(planet, class_, layer);
    show_layer(planet, class_, layer);
    planet->class_count = thg_max_int(planet->class_count, class_index + 1);
}
