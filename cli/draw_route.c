/// Pictures of routes: sectors and their windows, the corridor, what sees the goal, the line.
#include "draw_route.h"
#include <math.h>
#include <stdlib.h>

#define MOST_WINDOWS 65536
#define MOST_SECTORS 65536

throng_result draw_route_begin(const throng_map *map, throng_picture *picture, throng_view2 *view)
{
    int width = throng_map_width(map), height = throng_map_height(map);
    int longer = width > height ? width : height;
    double scale = longer < 1024 ? 1024.0 / longer : longer > 2048 ? 2048.0 / longer : 1.0;
    int pixels_x = (int)fmax(64.0, width * scale + 0.5);
    int pixels_y = (int)fmax(64.0, height * scale + 0.5);
    throng_result result = throng_picture_create(pixels_x, pixels_y, picture);
    if (result == THRONG_OK) {
        *view = throng_view2_of_map(map, (throng_pixel_rect){0, 0, pixels_x, pixels_y}, false);
        throng_picture_draw_map(picture, view, map, 0);
    }
    return result;
}

void draw_route_sight(throng_picture *picture, const throng_view2 *view, const throng_map *map,
                      throng_vec2 goal)
{
    const throng_colour colour = {255, 235, 140, 70};
    float half = 0.5f * throng_map_cell_size(map);
    for (int y = 0; y < throng_map_height(map); y++) {
        for (int x = 0; x < throng_map_width(map); x++) {
            throng_vec2 center = throng_map_cell_center(map, x, y);
            if (!throng_query_sees(map, 0, center, goal)) {
                continue;
            }
            throng_vec2 low =
                throng_view2_pixel(view, (throng_vec2){center.x - half, center.y - half});
            throng_vec2 high =
                throng_view2_pixel(view, (throng_vec2){center.x + half, center.y + half});
            throng_pixel_rect rect = {(int)(low.x + 0.5f), (int)(low.y + 0.5f),
                                      (int)(high.x + 0.5f) - (int)(low.x + 0.5f),
                                      (int)(high.y + 0.5f) - (int)(low.y + 0.5f)};
            throng_picture_fill(picture, rect, colour);
        }
    }
}

static void draw_line(throng_picture *picture, const throng_view2 *view, throng_vec2 from,
                      throng_vec2 to, float width, throng_colour colour)
{
    throng_picture_line(picture, throng_view2_pixel(view, from), throng_view2_pixel(view, to),
                        width, colour);
}

void draw_route_sectors(throng_picture *picture, const throng_view2 *view, throng_paths *paths)
{
    const throng_colour edge = {120, 190, 255, 90}, window = {120, 255, 170, 230};
    throng_rect *sectors = malloc(MOST_SECTORS * sizeof *sectors);
    throng_path_window *windows = malloc(MOST_WINDOWS * sizeof *windows);
    if (sectors != NULL && windows != NULL) {
        int count = throng_paths_corridor(paths, sectors, MOST_SECTORS);
        for (int i = 0; i < count && i < MOST_SECTORS; i++) {
            throng_vec2 a = sectors[i].min, c = sectors[i].max;
            throng_vec2 b = {c.x, a.y}, d = {a.x, c.y};
            draw_line(picture, view, a, b, 1.0f, edge);
            draw_line(picture, view, b, c, 1.0f, edge);
            draw_line(picture, view, c, d, 1.0f, edge);
            draw_line(picture, view, d, a, 1.0f, edge);
        }
        count = throng_paths_windows(paths, false, windows, MOST_WINDOWS);
        for (int i = 0; i < count && i < MOST_WINDOWS; i++) {
            draw_line(picture, view, windows[i].from, windows[i].to, 2.5f, window);
        }
    }
    free(sectors);
    free(windows);
}

void draw_route_line(throng_picture *picture, const throng_view2 *view, const throng_path *path)
{
    const throng_colour line = {255, 120, 70, 255}, end = {255, 255, 255, 255};
    for (int i = 0; i + 1 < path->point_count; i++) {
        draw_line(picture, view, path->points[i], path->points[i + 1], 3.0f, line);
    }
    for (int i = 0; i < path->point_count; i++) {
        throng_vec2 at = throng_view2_pixel(view, path->points[i]);
        bool last = i == 0 || i + 1 == path->point_count;
        throng_picture_disc(picture, at.x, at.y, last ? 6.0f : 3.0f, last ? end : line);
    }
}
