/// Rooms, lengths and walkers as pixels: every plane of the data as a picture.
#include "picture_draw.h"
#include <throng_io/walk.h>

/// The cell that a pixel of the view shows; false outside the map.
static bool cell_at(const throng_cell_view *view, const throng_map *map, int x, int y, int *cell_x,
                    int *cell_y)
{
    *cell_x = view->cells.x + (int)((int64_t)x * view->cells.width / view->area.width);
    *cell_y = view->cells.y + (int)((int64_t)y * view->cells.height / view->area.height);
    return *cell_x >= 0 && *cell_y >= 0 && *cell_x < throng_map_width(map) &&
           *cell_y < throng_map_height(map);
}

typedef throng_colour colour_of_cell(const void *context, int x, int y);

static void draw_cells(throng_picture *picture, const throng_cell_view *view, const throng_map *map,
                       colour_of_cell *colour_of, const void *context)
{
    for (int y = 0; y < view->area.height; y++) {
        for (int x = 0; x < view->area.width; x++) {
            int cell_x, cell_y, at_x = view->area.x + x, at_y = view->area.y + y;
            if (at_x < 0 || at_y < 0 || at_x >= picture->width || at_y >= picture->height ||
                !cell_at(view, map, x, y, &cell_x, &cell_y)) {
                continue;
            }
            throng_colour colour = colour_of(context, cell_x, cell_y);
            uint8_t *pixel = thg_pixel(picture, at_x, at_y);
            pixel[0] = colour.r;
            pixel[1] = colour.g;
            pixel[2] = colour.b;
        }
    }
}

typedef struct painter {
    const throng_map *map;
    const throng_rooms *rooms;
    const uint32_t *lengths;
    float brightness, most;
} painter;

static const throng_colour wall_colour = {16, 16, 20, 255}, nobody_colour = {60, 60, 60, 255},
                           black = {0, 0, 0, 255};

static throng_colour colour_of_room(const void *context, int x, int y)
{
    const painter *own = context;
    int cell = y * throng_map_width(own->map) + x, room = throng_rooms_at(own->rooms, cell);
    if (room == 0) {
        return throng_map_fits(own->map, 0, x, y) ? nobody_colour : wall_colour;
    }
    int door = throng_rooms_door_at(own->rooms, cell);
    if (door >= 0) {
        bool closed = throng_rooms_get_door(own->rooms, door).closed;
        throng_colour colour = {255, closed ? 40 : 255, closed ? 40 : 255, 255};
        return thg_mix(black, colour, closed ? 1.0f : 0.4f + 0.6f * own->brightness);
    }
    int index = (int)((uint32_t)room * 2654435761u >> 8);
    return thg_mix(black, throng_colour_of_index(index), own->brightness);
}

void throng_picture_draw_rooms(throng_picture *picture, const throng_cell_view *view,
                               const throng_map *map, const throng_rooms *rooms, float brightness)
{
    painter own = {map, rooms, NULL, thg_clamp01(brightness), 0.0f};
    draw_cells(picture, view, map, colour_of_room, &own);
}

static throng_colour colour_of_length(const void *context, int x, int y)
{
    const painter *own = context;
    uint32_t length = own->lengths[(size_t)y * (size_t)throng_map_width(own->map) + (size_t)x];
    if (length == 0) {
        return thg_mix(black, (throng_colour){255, 255, 255, 255}, own->brightness);
    }
    if (length < THRONG_ROOMS_FAR) {
        return thg_mix(black, throng_colour_heat(1.0f - 0.9f * (float)length / own->most),
                       own->brightness);
    }
    return throng_map_fits(own->map, 0, x, y) ? black : (throng_colour){24, 24, 36, 255};
}

void throng_picture_draw_lengths(throng_picture *picture, const throng_cell_view *view,
                                 const throng_map *map, const uint32_t *lengths, float brightness)
{
    size_t cells = (size_t)throng_map_width(map) * (size_t)throng_map_height(map);
    uint32_t most = 1;
    for (size_t i = 0; i < cells; i++) {
        most = lengths[i] < THRONG_ROOMS_FAR && lengths[i] > most ? lengths[i] : most;
    }
    painter own = {map, NULL, lengths, thg_clamp01(brightness), (float)most};
    draw_cells(picture, view, map, colour_of_length, &own);
}

void throng_picture_draw_walkers(throng_picture *picture, const throng_cell_view *view,
                                 const throng_map *map, const throng_walkers *walkers,
                                 uint32_t first, uint32_t end)
{
    throng_walkers_view all = throng_walkers_get_view(walkers);
    const throng_colour walking = {250, 220, 120, 255}, arrived = {90, 220, 120, 255},
                        nowhere = {230, 60, 60, 255};
    int width = throng_map_width(map), dot = view->area.width / view->cells.width;
    int rim = dot >= 4 ? dot / 6 + 1 : 0, side = dot > 0 ? dot - 2 * rim : 1;
    side = side < 1 ? 1 : side;
    for (int i = 0; i < all.count; i++) {
        int x = (int)all.cells[i] % width - view->cells.x;
        int y = (int)all.cells[i] / width - view->cells.y;
        if ((end != 0 && (all.ids[i] < first || all.ids[i] >= end)) || x < 0 || y < 0 ||
            x >= view->cells.width || y >= view->cells.height) {
            continue;
        }
        int status = all.statuses[i] & 15;
        throng_colour colour = status == THRONG_WALKER_ARRIVED       ? arrived
                               : status == THRONG_WALKER_UNREACHABLE ? nowhere
                                                                     : walking;
        throng_pixel_rect square = {
            view->area.x + (int)((int64_t)x * view->area.width / view->cells.width) + rim,
            view->area.y + (int)((int64_t)y * view->area.height / view->cells.height) + rim, side,
            side};
        throng_picture_fill(picture, square, colour);
    }
}
