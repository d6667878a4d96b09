/// The map under everything: terrain, walls of a class, goals and the scale bar.
#include "picture_draw.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

throng_colour throng_colour_of_terrain(int kind)
{
    switch (kind) {
    case THRONG_WALL:
        return thg_wall;
    case THRONG_GROUND:
        return thg_ground;
    case THRONG_TREES:
        return (throng_colour){42, 74, 54, 255};
    case THRONG_SWAMP:
        return (throng_colour){58, 62, 42, 255};
    case THRONG_WATER:
        return (throng_colour){30, 56, 88, 255};
    default:
        return thg_mix(thg_ground, throng_colour_of_index(kind), 0.22f);
    }
}

throng_colour thg_map_colour(const throng_map *map, int class_index, throng_vec2 position)
{
    int x;
    int y;
    if (!throng_map_cell_at(map, position, &x, &y)) {
        return thg_backdrop;
    }
    int kind = throng_map_terrain_at(map, x, y);
    throng_colour colour = throng_colour_of_terrain(kind);
    if (class_index < 0 || kind == THRONG_WALL) {
        return colour;
    }
    if (throng_map_blocked(map, class_index, x, y)) {
        bool natural = kind == THRONG_TREES || kind == THRONG_WATER;
        return natural ? colour : thg_mix(colour, thg_wall, 0.7f);
    }
    // Free, but too narrow for the class: half way to the wall.
    return throng_map_fits(map, class_index, x, y) ? colour : thg_mix(colour, thg_wall, 0.25f);
}

/// A light line where a wall meets walkable ground, once cells are large enough for it.
static void draw_edges(throng_picture *picture, const throng_view2 *view, const throng_map *map)
{
    throng_pixel_rect clip = thg_view_clip(picture, view);
    float cell = throng_map_cell_size(map);
    throng_vec2 origin = throng_map_origin(map);
    int width = throng_map_width(map);
    int height = throng_map_height(map);
    for (int y = 0; y <= height; y++) {
        for (int x = 0; x <= width; x++) {
            bool wall = throng_map_terrain_at(map, x, y) == THRONG_WALL;
            throng_vec2 corner = {origin.x + cell * (float)x, origin.y + cell * (float)y};
            throng_vec2 right = {corner.x + cell, corner.y};
            throng_vec2 below = {corner.x, corner.y + cell};
            bool inside = y > 0 && y < height && x < width;
            if (inside && wall != (throng_map_terrain_at(map, x, y - 1) == THRONG_WALL)) {
                thg_line(picture, clip, throng_view2_pixel(view, corner),
                         throng_view2_pixel(view, right), 1.0f, thg_wall_edge);
            }
            inside = x > 0 && x < width && y < height;
            if (inside && wall != (throng_map_terrain_at(map, x - 1, y) == THRONG_WALL)) {
                thg_line(picture, clip, throng_view2_pixel(view, corner),
                         throng_view2_pixel(view, below), 1.0f, thg_wall_edge);
            }
        }
    }
}

void throng_picture_draw_map(throng_picture *picture, const throng_view2 *view,
                             const throng_map *map, int class_index)
{
    throng_pixel_rect clip = thg_view_clip(picture, view);
    float cell_pixels = throng_map_cell_size(map) * view->scale;
    // Small cells are averaged over nine points a pixel, or narrow walls would flicker and vanish.
    int side = cell_pixels < 4.0f ? 3 : 1;
    for (int y = clip.y; y < clip.y + clip.height; y++) {
        uint8_t *pixel = thg_pixel(picture, clip.x, y);
        for (int x = clip.x; x < clip.x + clip.width; x++, pixel += 3) {
            int sum[3] = {0, 0, 0};
            for (int i = 0; i < side * side; i++) {
                float dx = ((float)(i % side) + 0.5f) / (float)side;
                float dy = ((float)(i / side) + 0.5f) / (float)side;
                throng_vec2 at = thg_view_world(view, (float)x + dx, (float)y + dy);
                throng_colour colour = thg_map_colour(map, class_index, at);
                sum[0] += colour.r;
                sum[1] += colour.g;
                sum[2] += colour.b;
            }
            for (int i = 0; i < 3; i++) {
                pixel[i] = (uint8_t)(sum[i] / (side * side));
            }
        }
    }
    if (cell_pixels >= 4.0f) {
        draw_edges(picture, view, map);
    }
}

static void outline_rect(throng_picture *picture, const throng_view2 *view, throng_rect rect,
                         throng_colour colour)
{
    throng_pixel_rect clip = thg_view_clip(picture, view);
    throng_vec2 corners[4] = {throng_view2_pixel(view, rect.min),
                              throng_view2_pixel(view, (throng_vec2){rect.max.x, rect.min.y}),
                              throng_view2_pixel(view, rect.max),
                              throng_view2_pixel(view, (throng_vec2){rect.min.x, rect.max.y})};
    for (int i = 0; i < 4; i++) {
        thg_line(picture, clip, corners[i], corners[(i + 1) & 3], 2.0f, colour);
    }
}

static void tint_rect(throng_picture *picture, const throng_view2 *view, throng_rect rect,
                      throng_colour colour)
{
    throng_pixel_rect clip = thg_view_clip(picture, view);
    throng_vec2 a = throng_view2_pixel(view, rect.min);
    throng_vec2 b = throng_view2_pixel(view, rect.max);
    float left = a.x < b.x ? a.x : b.x;
    float top = a.y < b.y ? a.y : b.y;
    float right = a.x < b.x ? b.x : a.x;
    float bottom = a.y < b.y ? b.y : a.y;
    for (int y = clip.y; y < clip.y + clip.height; y++) {
        for (int x = clip.x; x < clip.x + clip.width; x++) {
            float px = (float)x + 0.5f;
            float py = (float)y + 0.5f;
            if (px >= left && px < right && py >= top && py < bottom) {
                thg_blend(thg_pixel(picture, x, y), colour, 256);
            }
        }
    }
}

void throng_picture_draw_goal(throng_picture *picture, const throng_view2 *view,
                              const throng_map *map, const throng_goal_shape *shape,
                              throng_colour colour)
{
    throng_pixel_rect clip = thg_view_clip(picture, view);
    throng_colour tint = colour;
    tint.a = (uint8_t)(colour.a * 110 / 255);
    for (int i = 0; i < shape->rect_count; i++) {
        tint_rect(picture, view, shape->rects[i], tint);
        outline_rect(picture, view, shape->rects[i], colour);
    }
    float half = throng_map_cell_size(map) * 0.5f;
    float dot = half * view->scale > 1.2f ? half * view->scale : 1.2f;
    for (int i = 0; i < shape->cell_count; i++) {
        int width = throng_map_width(map);
        if (shape->cells[i] >= 0 && shape->cells[i] / width < throng_map_height(map)) {
            throng_vec2 center =
                throng_map_cell_center(map, shape->cells[i] % width, shape->cells[i] / width);
            throng_vec2 pixel = throng_view2_pixel(view, center);
            thg_disc(picture, clip, pixel.x, pixel.y, dot, tint);
        }
    }
    for (int i = 0; i < shape->point_count; i++) {
        throng_vec2 pixel = throng_view2_pixel(view, shape->points[i]);
        throng_colour dark = thg_backdrop;
        thg_disc(picture, clip, pixel.x, pixel.y, 8.5f, dark);
        thg_disc(picture, clip, pixel.x, pixel.y, 7.0f, colour);
        thg_disc(picture, clip, pixel.x, pixel.y, 4.5f, dark);
        thg_disc(picture, clip, pixel.x, pixel.y, 2.5f, colour);
    }
}

void throng_picture_draw_scale_bar(throng_picture *picture, const throng_view2 *view)
{
    throng_pixel_rect clip = thg_view_clip(picture, view);
    // In the corner of the world where it is narrower than the area.
    throng_vec2 low = throng_view2_pixel(view, view->world.min);
    throng_vec2 high = throng_view2_pixel(view, view->world.max);
    float bottom = low.y > high.y ? low.y : high.y;
    if (low.x > (float)clip.x && low.x < (float)(clip.x + clip.width)) {
        clip.width -= (int)low.x - clip.x;
        clip.x = (int)low.x;
    }
    if (bottom > (float)clip.y && bottom < (float)(clip.y + clip.height)) {
        clip.height = (int)bottom - clip.y;
    }
    if (clip.width < 120 || clip.height < 60) {
        return;
    }
    float metres = thg_round_step((float)clip.width * 0.08f / view->scale);
    int length = (int)(metres * view->scale + 0.5f);
    char text[40];
    snprintf(text, sizeof text, metres < 1.0f ? "%.2g m" : "%.0f m", (double)metres);
    int size = clip.width >= 600 ? 2 : 1;
    int wide = throng_picture_text_width(size, text);
    int box = (length > wide ? length : wide) + 20;
    int x = clip.x + 10;
    int y = clip.y + clip.height - 10 - 24 - 8 * size;
    throng_colour shade = thg_backdrop;
    shade.a = 190;
    throng_picture_fill(picture, (throng_pixel_rect){x, y, box, 24 + 8 * size}, shade);
    throng_picture_text(picture, x + 10, y + 7, size, text, thg_ink);
    int bar = y + 13 + 8 * size;
    throng_picture_fill(picture, (throng_pixel_rect){x + 10, bar, length, 2}, thg_ink);
    throng_picture_fill(picture, (throng_pixel_rect){x + 10, bar - 3, 2, 8}, thg_ink);
    throng_picture_fill(picture, (throng_pixel_rect){x + 8 + length, bar - 3, 2, 8}, thg_ink);
}
