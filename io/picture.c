/// Pictures: pixels, the view, and the few shapes that everything else is drawn with.
#include "map_image.h"
#include "picture_draw.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const throng_colour thg_backdrop = {13, 15, 19, 255};
const throng_colour thg_ground = {27, 31, 38, 255};
const throng_colour thg_wall = {66, 73, 86, 255};
const throng_colour thg_wall_edge = {98, 107, 122, 255};
const throng_colour thg_ink = {230, 233, 238, 255};
const throng_colour thg_faint_ink = {142, 150, 163, 255};

throng_result throng_picture_create(int width, int height, throng_picture *picture)
{
    memset(picture, 0, sizeof *picture);
    if (width < 1 || height < 1 || width > THRONG_MAX_PICTURE_SIDE ||
        height > THRONG_MAX_PICTURE_SIDE) {
        return THRONG_BAD_ARGUMENT;
    }
    uint8_t *rgb = malloc((size_t)width * (size_t)height * 3); // at most 2^28 pixels
    if (rgb == NULL) {
        return THRONG_NO_MEMORY;
    }
    *picture = (throng_picture){width, height, rgb};
    throng_picture_fill(picture, (throng_pixel_rect){0, 0, width, height}, thg_backdrop);
    return THRONG_OK;
}

void throng_picture_free(throng_picture *picture)
{
    free(picture->rgb);
    memset(picture, 0, sizeof *picture);
}

void throng_picture_copy(throng_picture *picture, const throng_picture *from)
{
    if (picture->width == from->width && picture->height == from->height) {
        memcpy(picture->rgb, from->rgb, (size_t)from->width * (size_t)from->height * 3);
    }
}

throng_result throng_picture_save(const throng_picture *picture, const char *path,
                                  throng_error *error)
{
    return thg_png_write(path, picture->width, picture->height, 3, picture->rgb, error);
}

// ---- The view ----------------------------------------------------------------------------------

throng_view2 throng_view2_fit(throng_rect world, throng_pixel_rect area, bool y_up)
{
    throng_view2 view;
    memset(&view, 0, sizeof view);
    view.area = area;
    view.world = world;
    view.y_up = y_up;
    float width = world.max.x - world.min.x;
    float height = world.max.y - world.min.y;
    float scale_x = (float)area.width / (width > 1e-6f ? width : 1e-6f);
    float scale_y = (float)area.height / (height > 1e-6f ? height : 1e-6f);
    view.scale = scale_x < scale_y ? scale_x : scale_y;
    float middle_x = (world.min.x + world.max.x) * 0.5f;
    float middle_y = (world.min.y + world.max.y) * 0.5f;
    float center_x = (float)area.x + (float)area.width * 0.5f;
    float center_y = (float)area.y + (float)area.height * 0.5f;
    view.offset_x = center_x - view.scale * middle_x;
    view.offset_y = y_up ? center_y + view.scale * middle_y : center_y - view.scale * middle_y;
    return view;
}

throng_view2 throng_view2_of_map(const throng_map *map, throng_pixel_rect area, bool y_up)
{
    throng_vec2 origin = throng_map_origin(map);
    float cell = throng_map_cell_size(map);
    throng_rect world = {origin,
                         {origin.x + cell * (float)throng_map_width(map),
                          origin.y + cell * (float)throng_map_height(map)}};
    return throng_view2_fit(world, area, y_up);
}

throng_vec2 throng_view2_pixel(const throng_view2 *view, throng_vec2 position)
{
    float y = view->scale * position.y;
    throng_vec2 pixel = {view->offset_x + view->scale * position.x,
                         view->y_up ? view->offset_y - y : view->offset_y + y};
    return pixel;
}

throng_vec2 thg_view_world(const throng_view2 *view, float x, float y)
{
    float down = (y - view->offset_y) / view->scale;
    throng_vec2 world = {(x - view->offset_x) / view->scale, view->y_up ? -down : down};
    return world;
}

static int clamp_int(long long value, int low, int high)
{
    return value < low ? low : value > high ? high : (int)value;
}

static throng_pixel_rect clip_to(throng_pixel_rect rect, throng_pixel_rect to)
{
    int x0 = clamp_int(rect.x, to.x, to.x + to.width);
    int y0 = clamp_int(rect.y, to.y, to.y + to.height);
    int x1 = clamp_int((long long)rect.x + rect.width, x0, to.x + to.width);
    int y1 = clamp_int((long long)rect.y + rect.height, y0, to.y + to.height);
    return (throng_pixel_rect){x0, y0, x1 - x0, y1 - y0};
}

static throng_pixel_rect whole(const throng_picture *picture)
{
    return (throng_pixel_rect){0, 0, picture->width, picture->height};
}

throng_pixel_rect thg_view_clip(const throng_picture *picture, const throng_view2 *view)
{
    return clip_to(view->area, whole(picture));
}

// ---- Shapes ------------------------------------------------------------------------------------

void throng_picture_fill(throng_picture *picture, throng_pixel_rect rect, throng_colour colour)
{
    throng_pixel_rect clip = clip_to(rect, whole(picture));
    for (int y = clip.y; y < clip.y + clip.height; y++) {
        uint8_t *pixel = thg_pixel(picture, clip.x, y);
        for (int x = 0; x < clip.width; x++, pixel += 3) {
            thg_blend(pixel, colour, 256);
        }
    }
}

/// The whole pixels that a box of floats touches, cut to `clip`. Empty for NaN.
static throng_pixel_rect touched(throng_pixel_rect clip, float x0, float y0, float x1, float y1)
{
    if (!(x0 > -1e6f && y0 > -1e6f && x1 < 1e6f && y1 < 1e6f)) {
        return (throng_pixel_rect){clip.x, clip.y, 0, 0};
    }
    int left = (int)floorf(x0);
    int top = (int)floorf(y0);
    throng_pixel_rect box = {left, top, (int)floorf(x1) - left + 1, (int)floorf(y1) - top + 1};
    return clip_to(box, clip);
}

void thg_disc(throng_picture *picture, throng_pixel_rect clip, float x, float y, float radius,
              throng_colour colour)
{
    float reach = radius + 0.5f;
    throng_pixel_rect box = touched(clip, x - reach, y - reach, x + reach, y + reach);
    // Below a pixel's size the fall-off would hide part of the disc: shrink its opacity instead.
    float inner = radius > 0.5f ? radius - 0.5f : 0.0f;
    float inner_squared = inner * inner;
    for (int py = box.y; py < box.y + box.height; py++) {
        float dy = (float)py + 0.5f - y;
        uint8_t *pixel = thg_pixel(picture, box.x, py);
        for (int px = box.x; px < box.x + box.width; px++, pixel += 3) {
            float dx = (float)px + 0.5f - x;
            float squared = dx * dx + dy * dy;
            if (squared >= reach * reach) {
                continue;
            }
            int cover = squared <= inner_squared
                            ? 256
                            : (int)(256.0f * thg_clamp01(reach - sqrtf(squared)) + 0.5f);
            thg_blend(pixel, colour, cover);
        }
    }
}

void throng_picture_disc(throng_picture *picture, float x, float y, float radius,
                         throng_colour colour)
{
    thg_disc(picture, whole(picture), x, y, radius, colour);
}

void thg_line(throng_picture *picture, throng_pixel_rect clip, throng_vec2 from, throng_vec2 to,
              float width, throng_colour colour)
{
    float half = width * 0.5f + 0.5f;
    float left = from.x < to.x ? from.x : to.x;
    float right = from.x < to.x ? to.x : from.x;
    float top = from.y < to.y ? from.y : to.y;
    float bottom = from.y < to.y ? to.y : from.y;
    throng_pixel_rect box = touched(clip, left - half, top - half, right + half, bottom + half);
    float along_x = to.x - from.x;
    float along_y = to.y - from.y;
    float squared = along_x * along_x + along_y * along_y;
    for (int py = box.y; py < box.y + box.height; py++) {
        for (int px = box.x; px < box.x + box.width; px++) {
            float x = (float)px + 0.5f - from.x;
            float y = (float)py + 0.5f - from.y;
            float share = squared > 0 ? thg_clamp01((x * along_x + y * along_y) / squared) : 0;
            float dx = x - share * along_x;
            float dy = y - share * along_y;
            float cover = thg_clamp01(half - sqrtf(dx * dx + dy * dy));
            if (cover > 0) {
                thg_blend(thg_pixel(picture, px, py), colour, (int)(256.0f * cover + 0.5f));
            }
        }
    }
}

void throng_picture_line(throng_picture *picture, throng_vec2 from, throng_vec2 to, float width,
                         throng_colour colour)
{
    thg_line(picture, whole(picture), from, to, width, colour);
}

float thg_round_step(float value)
{
    static const float steps[3] = {1.0f, 2.0f, 5.0f};
    if (!(value > 1e-6f && value < 1e9f)) {
        return 1.0f;
    }
    for (float power = 1e-6f; power < 1e10f; power *= 10.0f) {
        for (int i = 0; i < 3; i++) {
            if (steps[i] * power >= value * 0.9999f) {
                return steps[i] * power;
            }
        }
    }
    return 1.0f;
}

void thg_count_text(char *text, size_t size, long long count)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%lld", count);
    size_t at = 0;
    for (int i = 0; i < length && at + 2 < size; i++) {
        bool comma = i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-';
        if (comma) {
            text[at++] = ',';
        }
        text[at++] = digits[i];
    }
    text[at] = '\0';
}
