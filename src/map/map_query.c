/// Questions to a map: what is at a cell, how far the walls are, where the nearest fitting cell is.
#include "map/planet.h"
#include <math.h>

uint32_t throng_map_version(const throng_map *map)
{
    return map->version;
}

int throng_map_width(const throng_map *map)
{
    return map->width;
}

int throng_map_height(const throng_map *map)
{
    return map->height;
}

float throng_map_cell_size(const throng_map *map)
{
    return map->cell_size;
}

throng_vec2 throng_map_origin(const throng_map *map)
{
    return map->origin;
}

const uint8_t *throng_map_terrains(const throng_map *map)
{
    return map->terrain;
}

/// The cell along one axis; outside, and for NaN, the nearest inside.
static bool axis_cell(float cells, int count, int *cell)
{
    if (!(cells >= 0.0f)) {
        *cell = 0;
        return false;
    }
    if (!(cells < (float)count)) {
        *cell = count - 1;
        return false;
    }
    *cell = (int)cells;
    return true;
}

bool throng_map_cell_at(const throng_map *map, throng_vec2 position, int *x, int *y)
{
    float cells_x = (position.x - map->origin.x) * map->inverse_cell_size;
    float cells_y = (position.y - map->origin.y) * map->inverse_cell_size;
    bool inside_x = axis_cell(cells_x, map->width, x);
    bool inside_y = axis_cell(cells_y, map->height, y);
    return inside_x && inside_y;
}

throng_vec2 throng_map_cell_center(const throng_map *map, int x, int y)
{
    throng_vec2 center = {map->origin.x + ((float)x + 0.5f) * map->cell_size,
                          map->origin.y + ((float)y + 0.5f) * map->cell_size};
    return center;
}

static bool inside(const throng_map *map, int x, int y)
{
    return x >= 0 && y >= 0 && x < map->width && y < map->height;
}

static const thg_layer *layer_of(const throng_map *map, int class_index)
{
    THRONG_ASSERT(class_index >= 0 && class_index < map->layer_count);
    return &map->layers[class_index];
}

int throng_map_terrain_at(const throng_map *map, int x, int y)
{
    return inside(map, x, y) ? map->terrain[(size_t)y * (size_t)map->width + (size_t)x]
                             : THRONG_WALL;
}

bool throng_map_blocked(const throng_map *map, int class_index, int x, int y)
{
    const thg_layer *layer = layer_of(map, class_index);
    return !inside(map, x, y) || thg_layer_blocked(map, layer, thg_padded_index(map, x, y));
}

float throng_map_clearance(const throng_map *map, int class_index, int x, int y)
{
    const thg_layer *layer = layer_of(map, class_index);
    if (!inside(map, x, y)) {
        return 0.0f;
    }
    return sqrtf((float)layer->clearance[thg_padded_index(map, x, y)]) * map->cell_size * 0.5f;
}

bool throng_map_fits(const throng_map *map, int class_index, int x, int y)
{
    const thg_layer *layer = layer_of(map, class_index);
    return inside(map, x, y) && layer->price[thg_padded_index(map, x, y)] != 0;
}

int throng_map_region(const throng_map *map, int class_index, int x, int y)
{
    const thg_layer *layer = layer_of(map, class_index);
    return inside(map, x, y) ? layer->region[thg_padded_index(map, x, y)] : 0;
}

int throng_map_region_count(const throng_map *map, int class_index)
{
    return layer_of(map, class_index)->region_count;
}

float throng_map_clutter(const throng_map *map, int class_index)
{
    const thg_layer *layer = layer_of(map, class_index);
    int rows = thg_min_int(map->height, 64);
    int changes = 0;
    for (int i = 0; i < rows; i++) {
        // The middle of each of so many parts of the map.
        int y = (int)(((int64_t)2 * i + 1) * map->height / (2 * rows));
        const uint16_t *price = layer->price + thg_padded_index(map, 0, y);
        for (int x = 0; x + 1 < map->width; x++) {
            changes += (price[x] != 0) != (price[x + 1] != 0);
        }
    }
    return (float)changes / ((float)rows * (float)map->width);
}

/// Distance from `value` to [low, low + 1], 0 inside.
static double gap(double value, int low)
{
    double below = (double)low - value;
    double above = value - (double)(low + 1);
    double distance = below > above ? below : above;
    return distance > 0.0 ? distance : 0.0;
}

/// Square root by the correctly rounded float one and a Newton step: no double sqrt is needed for
/// more than float accuracy, and the result is the same everywhere.
static double root(double value)
{
    double guess = (double)sqrtf((float)value);
    return guess > 0.0 ? 0.5 * (guess + value / guess) : guess;
}

/// The cell in [-1, count] nearest to where `cells` lies.
static int clamped_cell(double cells, int count)
{
    if (cells < 0.0) {
        return -1;
    }
    return cells < (double)count ? (int)cells : count;
}

/// Distance in cells to the nearest square (of the padded map) whose being blocked is `blocked`, at
/// most `limit`.
static double nearest_square(const throng_map *map, const thg_layer *layer, double x, double y,
                             bool blocked, double limit)
{
    int first_x = clamped_cell(x - limit, map->width);
    int first_y = clamped_cell(y - limit, map->height);
    int last_x = clamped_cell(x + limit, map->width);
    int last_y = clamped_cell(y + limit, map->height);
    double best = limit * limit;
    for (int row = first_y; row <= last_y; row++) {
        double dy = gap(y, row);
        if (dy * dy >= best) {
            continue;
        }
        for (int column = first_x; column <= last_x; column++) {
            if (thg_layer_blocked(map, layer, thg_padded_index(map, column, row)) == blocked) {
                double dx = gap(x, column);
                double squared = dx * dx + dy * dy;
                best = squared < best ? squared : best;
            }
        }
    }
    return root(best);
}

float throng_map_wall_distance(const throng_map *map, int class_index, throng_vec2 position,
                               float limit)
{
    const thg_layer *layer = layer_of(map, class_index);
    if (!(limit > 0.0f)) {
        return 0.0f;
    }
    if (map->planet != NULL) {
        return thg_planet_wall_distance(map->planet, class_index, position.x, position.y, limit);
    }
    int column, row;
    bool in_map = throng_map_cell_at(map, position, &column, &row);
    size_t index = thg_padded_index(map, column, row);
    double x = ((double)position.x - (double)map->origin.x) / (double)map->cell_size;
    double y = ((double)position.y - (double)map->origin.y) / (double)map->cell_size;
    if (!(x > -1e9 && x < 1e9 && y > -1e9 && y < 1e9)) {
        return -limit; // nowhere: farther inside the outer wall than any limit that matters
    }
    double cells = (double)limit / (double)map->cell_size;
    double reach = cells < 65536.0 ? cells : 65536.0;
    bool wall = !in_map || thg_layer_blocked(map, layer, index);
    double center = 0.5 * (double)sqrtf((float)layer->clearance[index]);
    if (!wall && center - 0.70711 > reach) {
        return limit; // no wall is that near, wherever in the cell the position lies
    }
    double distance = nearest_square(map, layer, x, y, !wall, reach) * (double)map->cell_size;
    distance = distance < (double)limit ? distance : (double)limit;
    return wall ? -(float)distance : (float)distance;
}

/// The best cell so far of a search outwards from a position.
typedef struct nearest {
    const throng_map *map;
    const thg_layer *layer;
    int region;
    double x, y, best; ///< position in cells, squared distance
    int cell_x, cell_y;
} nearest;

static void nearest_try(nearest *search, int x, int y)
{
    if (!inside(search->map, x, y)) {
        return;
    }
    int32_t region = search->layer->region[thg_padded_index(search->map, x, y)];
    if (region == 0 || (search->region != 0 && region != search->region)) {
        return;
    }
    double dx = (double)x + 0.5 - search->x;
    double dy = (double)y + 0.5 - search->y;
    double squared = dx * dx + dy * dy;
    bool earlier = y < search->cell_y || (y == search->cell_y && x < search->cell_x);
    if (squared < search->best || (squared == search->best && earlier)) {
        search->best = squared;
        search->cell_x = x;
        search->cell_y = y;
    }
}

/// Visits the cells at Chebyshev distance `ring` from (x, y), the part inside the map.
static void nearest_ring(nearest *search, int x, int y, int ring)
{
    int first_x = thg_max_int(x - ring, 0);
    int last_x = thg_min_int(x + ring, search->map->width - 1);
    int first_y = thg_max_int(y - ring + 1, 0);
    int last_y = thg_min_int(y + ring - 1, search->map->height - 1);
    for (int column = first_x; column <= last_x; column++) {
        nearest_try(search, column, y - ring);
        nearest_try(search, column, y + ring);
    }
    for (int row = first_y; row <= last_y; row++) {
        nearest_try(search, x - ring, row);
        nearest_try(search, x + ring, row);
    }
}

/// Where in cells a coordinate lies; finite whatever it is.
static double in_cells(float value, float origin, float cell_size)
{
    double cells = ((double)value - (double)origin) / (double)cell_size;
    if (cells != cells) {
        return 0.0;
    }
    cells = cells > 1e9 ? 1e9 : cells;
    return cells < -1e9 ? -1e9 : cells;
}

bool throng_map_nearest_fit(const throng_map *map, int class_index, throng_vec2 position,
                            int region, int *x, int *y)
{
    if (map->planet != NULL) {
        int cell = thg_planet_nearest_fit(map->planet, class_index, position.x, position.y, region);
        *x = cell < 0 ? -1 : cell % map->width;
        *y = cell < 0 ? -1 : cell / map->width;
        return cell >= 0;
    }
    nearest search = {map, layer_of(map, class_index), region, 0.0, 0.0, 1e300, -1, -1};
    search.x = in_cells(position.x, map->origin.x, map->cell_size);
    search.y = in_cells(position.y, map->origin.y, map->cell_size);
    int column, row;
    throng_map_cell_at(map, position, &column, &row);
    int last_ring = thg_max_int(map->width, map->height);
    for (int ring = 0; ring <= last_ring; ring++) {
        // A cell of this ring is at least ring - 1/2 away along one axis, less a rounding.
        double nearer = (double)ring - 0.501;
        if (nearer > 0.0 && nearer * nearer > search.best) {
            break;
        }
        nearest_ring(&search, column, row, ring);
    }
    if (search.cell_x < 0) {
        return false;
    }
    *x = search.cell_x;
    *y = search.cell_y;
    return true;
}
