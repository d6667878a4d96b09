/// A scene turned under its map: an arrangement may turn all that the scene writes in metres, its
/// map's shapes included, about a point, while the grid of cells stays. What a crowd does must not
/// depend on the angle; trials show it by running one scene at several.
///
/// An arrangement may also turn the world with its grid by a quarter, mirror it, or both: eight
/// symmetries, exact to the cell, in which nothing but the order of rows changes. They come last:
/// what is written is shifted, rotated, turned, and then lies in the world as it was made; a
/// symmetry takes it, map and all, to the world that is run.
///
/// A turned rectangle is, on the grid, one run of cells in each row: the cells whose centres lie in
/// it, as for one that is not turned.
#include "world_model.h"
#include <math.h>

#define SLACK 1e-4f ///< of a cell by which a centre may miss an edge for rounding

static throng_vec2 turn_by(const throng_world *world, throng_vec2 place, float angle_deg)
{
    double sine, cosine;
    thg_turn(angle_deg, &sine, &cosine);
    throng_vec2 pivot = world->model->arrangements.pivot;
    double x = (double)place.x - pivot.x, y = (double)place.y - pivot.y;
    return (throng_vec2){(float)(pivot.x + x * cosine - y * sine),
                         (float)(pivot.y + x * sine + y * cosine)};
}

// ---- Symmetries ---------------------------------------------------------------------------------

throng_vec2 thg_world_mirrored(const throng_world *world, throng_vec2 place)
{
    if (world->symmetry == 0) {
        return place;
    }
    throng_vec2 origin = throng_map_origin(world->map);
    double cell = (double)throng_map_cell_size(world->map);
    double x = (double)place.x - origin.x, y = (double)place.y - origin.y;
    bool across = (world->symmetry & THG_TRANSPOSED) != 0;
    double u = across ? y : x, v = across ? x : y;
    u = (world->symmetry & THG_MIRRORED_X) != 0 ? throng_map_width(world->map) * cell - u : u;
    v = (world->symmetry & THG_MIRRORED_Y) != 0 ? throng_map_height(world->map) * cell - v : v;
    return (throng_vec2){(float)(origin.x + u), (float)(origin.y + v)};
}

static throng_vec2 unmirrored(const throng_world *world, throng_vec2 place)
{
    if (world->symmetry == 0) {
        return place;
    }
    throng_vec2 origin = throng_map_origin(world->map);
    double cell = (double)throng_map_cell_size(world->map);
    double u = (double)place.x - origin.x, v = (double)place.y - origin.y;
    u = (world->symmetry & THG_MIRRORED_X) != 0 ? throng_map_width(world->map) * cell - u : u;
    v = (world->symmetry & THG_MIRRORED_Y) != 0 ? throng_map_height(world->map) * cell - v : v;
    bool across = (world->symmetry & THG_TRANSPOSED) != 0;
    return (throng_vec2){(float)(origin.x + (across ? v : u)),
                         (float)(origin.y + (across ? u : v))};
}

static throng_vec2 mirrored_way(const throng_world *world, throng_vec2 way)
{
    if ((world->symmetry & THG_TRANSPOSED) != 0) {
        way = (throng_vec2){way.y, way.x};
    }
    way.x = (world->symmetry & THG_MIRRORED_X) != 0 ? -way.x : way.x;
    way.y = (world->symmetry & THG_MIRRORED_Y) != 0 ? -way.y : way.y;
    return way;
}

throng_rect thg_world_mirrored_rect(const throng_world *world, throng_rect rect)
{
    throng_vec2 a = thg_world_mirrored(world, rect.min), b = thg_world_mirrored(world, rect.max);
    return (throng_rect){{fminf(a.x, b.x), fminf(a.y, b.y)}, {fmaxf(a.x, b.x), fmaxf(a.y, b.y)}};
}

void thg_world_made_size(const throng_world *world, int *width, int *height)
{
    bool across = (world->symmetry & THG_TRANSPOSED) != 0;
    *width = across ? throng_map_height(world->map) : throng_map_width(world->map);
    *height = across ? throng_map_width(world->map) : throng_map_height(world->map);
}

void thg_world_mirror_cell(const throng_world *world, int *x, int *y)
{
    int u = (world->symmetry & THG_TRANSPOSED) != 0 ? *y : *x;
    int v = (world->symmetry & THG_TRANSPOSED) != 0 ? *x : *y;
    *x = (world->symmetry & THG_MIRRORED_X) != 0 ? throng_map_width(world->map) - 1 - u : u;
    *y = (world->symmetry & THG_MIRRORED_Y) != 0 ? throng_map_height(world->map) - 1 - v : v;
}

static throng_cell_rect mirrored_cells(const throng_world *world, throng_cell_rect cells)
{
    if (world->symmetry == 0 || cells.width == 0 || cells.height == 0) {
        return cells;
    }
    int x0 = cells.x, y0 = cells.y;
    int x1 = cells.x + cells.width - 1, y1 = cells.y + cells.height - 1;
    thg_world_mirror_cell(world, &x0, &y0);
    thg_world_mirror_cell(world, &x1, &y1);
    int x = x0 < x1 ? x0 : x1, y = y0 < y1 ? y0 : y1;
    return (throng_cell_rect){x, y, x0 + x1 - 2 * x + 1, y0 + y1 - 2 * y + 1};
}

throng_result thg_world_mirror_map(throng_world *world)
{
    throng_map *made = world->map;
    int width = throng_map_width(made), height = throng_map_height(made);
    int symmetry = world->arrangement.symmetry;
    bool across = (symmetry & THG_TRANSPOSED) != 0;
    if (symmetry == 0) {
        return THRONG_OK;
    }
    throng_map_def def = throng_default_map_def();
    def.width = across ? height : width;
    def.height = across ? width : height;
    def.cell_size = throng_map_cell_size(made);
    def.origin = throng_map_origin(made);
    throng_result result = throng_map_create(&def, &world->map);
    if (result != THRONG_OK) {
        world->map = made;
        return result;
    }
    world->symmetry = symmetry;
    for (int kind = THRONG_FIRST_OWN_TERRAIN; throng_map_terrain_name(made, kind) != NULL; kind++) {
        int same;
        throng_map_terrain(world->map, throng_map_terrain_name(made, kind), &same);
    }
    const uint8_t *terrain = throng_map_terrains(made);
    for (int i = 0; i < width * height; i++) {
        int x = i % width, y = i / width;
        thg_world_mirror_cell(world, &x, &y);
        throng_map_edit_rect(world->map, (throng_cell_rect){x, y, 1, 1}, terrain[i]);
    }
    throng_map_destroy(made);
    return THRONG_OK;
}

// ---- Places -------------------------------------------------------------------------------------

throng_vec2 thg_world_turned(const throng_world *world, throng_vec2 place)
{
    if (world->planet != NULL) {
        return thg_planet_lay_down(world, place);
    }
    float angle = world->arrangement.turn_deg;
    return thg_world_mirrored(world, angle != 0.0f ? turn_by(world, place, angle) : place);
}

throng_vec2 thg_world_unturned(const throng_world *world, throng_vec2 place)
{
    if (world->planet != NULL) {
        return thg_planet_pick_up(world, place);
    }
    float angle = world->arrangement.turn_deg;
    place = unmirrored(world, place);
    return angle != 0.0f ? turn_by(world, place, -angle) : place;
}

throng_vec2 thg_world_turned_way(const throng_world *world, throng_vec2 way)
{
    throng_vec2 pivot = world->model->arrangements.pivot;
    if (world->arrangement.turn_deg != 0.0f) {
        throng_vec2 end = {pivot.x + way.x, pivot.y + way.y};
        end = turn_by(world, end, world->arrangement.turn_deg);
        way = (throng_vec2){end.x - pivot.x, end.y - pivot.y};
    }
    return mirrored_way(world, way);
}

throng_vec2 thg_world_arrange(const throng_world *world, throng_vec2 position, bool shifted)
{
    if (shifted) {
        position.x += world->arrangement.shift.x;
        position.y += world->arrangement.shift.y;
    }
    if (world->planet != NULL) {
        return thg_planet_lay_down(world, position);
    }
    float angle = world->arrangement.rotate_deg + world->arrangement.turn_deg;
    return thg_world_mirrored(world, angle != 0.0f ? turn_by(world, position, angle) : position);
}

uint64_t thg_world_seed(const throng_world *world, uint64_t written)
{
    uint64_t state = world->arrangement.seed;
    return state != 0 ? written ^ thg_draw(&state) : written;
}

bool thg_rect_covers(const throng_rect *rect, throng_vec2 place)
{
    return place.x >= rect->min.x && place.x < rect->max.x && place.y >= rect->min.y &&
           place.y < rect->max.y;
}

bool thg_world_rect_has_cell(const throng_world *world, const throng_rect *rect, int x, int y)
{
    if (world->planet != NULL) {
        return thg_planet_rect_has_cell(world, rect, x, y);
    }
    throng_vec2 centre = thg_world_unturned(world, throng_map_cell_center(world->map, x, y));
    float slack = SLACK * throng_map_cell_size(world->map);
    return thg_rect_covers(rect, (throng_vec2){centre.x + slack, centre.y + slack});
}

/// The cells of a map of so many whose centres lie in an upright rectangle.
static throng_cell_rect cells_in(const throng_map *map, throng_rect rect, int map_width,
                                 int map_height)
{
    throng_vec2 origin = throng_map_origin(map);
    double cell = (double)throng_map_cell_size(map);
    double low_x = ceil(((double)rect.min.x - origin.x) / cell - 0.5 - (double)SLACK);
    double low_y = ceil(((double)rect.min.y - origin.y) / cell - 0.5 - (double)SLACK);
    double high_x = ceil(((double)rect.max.x - origin.x) / cell - 0.5 - (double)SLACK);
    double high_y = ceil(((double)rect.max.y - origin.y) / cell - 0.5 - (double)SLACK);
    low_x = fmin(fmax(low_x, 0.0), map_width);
    low_y = fmin(fmax(low_y, 0.0), map_height);
    high_x = fmin(fmax(high_x, low_x), map_width);
    high_y = fmin(fmax(high_y, low_y), map_height);
    return (throng_cell_rect){(int)low_x, (int)low_y, (int)(high_x - low_x), (int)(high_y - low_y)};
}

throng_cell_rect thg_map_cells(const throng_map *map, throng_rect rect)
{
    return cells_in(map, rect, throng_map_width(map), throng_map_height(map));
}

throng_cell_rect thg_world_made_cells(const throng_world *world, throng_rect rect)
{
    int width, height;
    thg_world_made_size(world, &width, &height);
    if (world->planet != NULL) { // cells of a rectangle may be anywhere
        return (throng_cell_rect){0, 0, width, height};
    }
    float angle = world->arrangement.turn_deg;
    if (angle == 0.0f) {
        return cells_in(world->map, rect, width, height);
    }
    throng_vec2 corners[4] = {
        rect.min, {rect.max.x, rect.min.y}, rect.max, {rect.min.x, rect.max.y}};
    throng_rect around = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < 4; i++) {
        throng_vec2 corner = turn_by(world, corners[i], angle);
        around.min.x = fminf(around.min.x, corner.x);
        around.min.y = fminf(around.min.y, corner.y);
        around.max.x = fmaxf(around.max.x, corner.x);
        around.max.y = fmaxf(around.max.y, corner.y);
    }
    return cells_in(world->map, around, width, height);
}

throng_cell_rect thg_world_cells(const throng_world *world, throng_rect rect)
{
    return mirrored_cells(world, thg_world_made_cells(world, rect));
}

throng_cell_rect thg_world_run(const throng_world *world, throng_rect rect, throng_cell_rect around,
                               int y)
{
    throng_cell_rect run = {around.x, y, around.width, 1};
    if (world->arrangement.turn_deg == 0.0f) {
        return run;
    }
    int end = around.x + around.width;
    while (run.x < end && !thg_world_rect_has_cell(world, &rect, run.x, y)) {
        run.x++;
    }
    run.width = 0;
    while (run.x + run.width < end && thg_world_rect_has_cell(world, &rect, run.x + run.width, y)) {
        run.width++;
    }
    return run;
}
