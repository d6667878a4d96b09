/// A scene turned under its map: an arrangement may turn all that the scene writes in metres, its
/// map's shapes included, about a point, while the grid of cells stays. What a crowd does must not
/// depend on the angle; trials show it by running one scene at several.
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

throng_vec2 thg_world_turned(const throng_world *world, throng_vec2 place)
{
    float angle = world->arrangement.turn_deg;
    return angle != 0.0f ? turn_by(world, place, angle) : place;
}

throng_vec2 thg_world_unturned(const throng_world *world, throng_vec2 place)
{
    float angle = world->arrangement.turn_deg;
    return angle != 0.0f ? turn_by(world, place, -angle) : place;
}

throng_vec2 thg_world_turned_way(const throng_world *world, throng_vec2 way)
{
    throng_vec2 pivot = world->model->arrangements.pivot;
    throng_vec2 end = thg_world_turned(world, (throng_vec2){pivot.x + way.x, pivot.y + way.y});
    return world->arrangement.turn_deg != 0.0f ? (throng_vec2){end.x - pivot.x, end.y - pivot.y}
                                               : way;
}

throng_vec2 thg_world_arrange(const throng_world *world, throng_vec2 position, bool shifted)
{
    if (shifted) {
        position.x += world->arrangement.shift.x;
        position.y += world->arrangement.shift.y;
    }
    float angle = world->arrangement.rotate_deg + world->arrangement.turn_deg;
    return angle != 0.0f ? turn_by(world, position, angle) : position;
}

bool thg_rect_covers(const throng_rect *rect, throng_vec2 place)
{
    return place.x >= rect->min.x && place.x < rect->max.x && place.y >= rect->min.y &&
           place.y < rect->max.y;
}

bool thg_world_rect_has_cell(const throng_world *world, const throng_rect *rect, int x, int y)
{
    throng_vec2 centre = thg_world_unturned(world, throng_map_cell_center(world->map, x, y));
    float slack = SLACK * throng_map_cell_size(world->map);
    return thg_rect_covers(rect, (throng_vec2){centre.x + slack, centre.y + slack});
}

throng_cell_rect thg_map_cells(const throng_map *map, throng_rect rect)
{
    throng_vec2 origin = throng_map_origin(map);
    double cell = (double)throng_map_cell_size(map);
    double low_x = ceil(((double)rect.min.x - origin.x) / cell - 0.5 - (double)SLACK);
    double low_y = ceil(((double)rect.min.y - origin.y) / cell - 0.5 - (double)SLACK);
    double high_x = ceil(((double)rect.max.x - origin.x) / cell - 0.5 - (double)SLACK);
    double high_y = ceil(((double)rect.max.y - origin.y) / cell - 0.5 - (double)SLACK);
    double width = throng_map_width(map), height = throng_map_height(map);
    low_x = fmin(fmax(low_x, 0.0), width);
    low_y = fmin(fmax(low_y, 0.0), height);
    high_x = fmin(fmax(high_x, low_x), width);
    high_y = fmin(fmax(high_y, low_y), height);
    return (throng_cell_rect){(int)low_x, (int)low_y, (int)(high_x - low_x), (int)(high_y - low_y)};
}

throng_cell_rect thg_world_cells(const throng_world *world, throng_rect rect)
{
    if (world->arrangement.turn_deg == 0.0f) {
        return thg_map_cells(world->map, rect);
    }
    throng_vec2 corners[4] = {
        rect.min, {rect.max.x, rect.min.y}, rect.max, {rect.min.x, rect.max.y}};
    throng_rect around = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < 4; i++) {
        throng_vec2 corner = thg_world_turned(world, corners[i]);
        around.min.x = fminf(around.min.x, corner.x);
        around.min.y = fminf(around.min.y, corner.y);
        around.max.x = fmaxf(around.max.x, corner.x);
        around.max.y = fmaxf(around.max.y, corner.y);
    }
    return thg_map_cells(world->map, around);
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
