/// Fields: cost as bands of colour with lines of equal cost, flow as arrows.
#include "picture_draw.h"
#include <math.h>
#include <string.h>

#define FIELD_STYLE_COOKIE 0x66737431u

throng_field_style throng_default_field_style(void)
{
    throng_field_style style;
    memset(&style, 0, sizeof style);
    style.cookie = FIELD_STYLE_COOKIE;
    style.opacity = 0.55f;
    style.lines = true;
    return style;
}

/// What turns units of a field into metres, and the grid it lies on.
typedef struct cost_grid {
    throng_field_view field;
    float metres_per_unit, cell;
    throng_vec2 origin;
} cost_grid;

static bool counted(uint32_t cost)
{
    return cost < THRONG_FAR;
}

static float highest_cost(const cost_grid *grid)
{
    uint32_t highest = 0;
    for (int y = 0; y < grid->field.height; y++) {
        const uint32_t *row = grid->field.cost + (size_t)y * (size_t)grid->field.stride;
        for (int x = 0; x < grid->field.width; x++) {
            highest = counted(row[x]) && row[x] > highest ? row[x] : highest;
        }
    }
    return (float)highest * grid->metres_per_unit;
}

/// Cost in metres at a position; negative where nothing is reached. Bilinear between four reached
/// cells, else that of the cell.
static float cost_at(const cost_grid *grid, throng_vec2 position)
{
    const throng_field_view *field = &grid->field;
    float x = (position.x - grid->origin.x) / grid->cell;
    float y = (position.y - grid->origin.y) / grid->cell;
    if (!(x >= 0 && y >= 0 && x < (float)field->width && y < (float)field->height)) {
        return -1.0f;
    }
    uint32_t own = field->cost[(size_t)(int)y * (size_t)field->stride + (size_t)(int)x];
    if (!counted(own)) {
        return -1.0f;
    }
    float left = floorf(x - 0.5f);
    float top = floorf(y - 0.5f);
    int column = (int)left;
    int row = (int)top;
    if (column < 0 || row < 0 || column + 1 >= field->width || row + 1 >= field->height) {
        return (float)own * grid->metres_per_unit;
    }
    const uint32_t *upper = field->cost + (size_t)row * (size_t)field->stride + (size_t)column;
    const uint32_t *lower = upper + field->stride;
    if (!counted(upper[0]) || !counted(upper[1]) || !counted(lower[0]) || !counted(lower[1])) {
        return (float)own * grid->metres_per_unit;
    }
    float share_x = x - 0.5f - left;
    float share_y = y - 0.5f - top;
    float above = (float)upper[0] + ((float)upper[1] - (float)upper[0]) * share_x;
    float below = (float)lower[0] + ((float)lower[1] - (float)lower[0]) * share_x;
    return (above + (below - above) * share_y) * grid->metres_per_unit;
}

static void draw_bands(throng_picture *picture, const throng_view2 *view, const cost_grid *grid,
                       const throng_field_style *style, float highest, float band)
{
    throng_pixel_rect clip = thg_view_clip(picture, view);
    int cover = (int)(thg_clamp01(style->opacity) * 256.0f);
    throng_colour line = {236, 242, 236, 255};
    for (int y = clip.y; y < clip.y + clip.height; y++) {
        uint8_t *pixel = thg_pixel(picture, clip.x, y);
        for (int x = clip.x; x < clip.x + clip.width; x++, pixel += 3) {
            float cost = cost_at(grid, thg_view_world(view, (float)x + 0.5f, (float)y + 0.5f));
            if (cost < 0) {
                continue;
            }
            float bands = cost / band;
            float whole = floorf(bands);
            float share = (whole + 0.35f + 0.3f * (bands - whole)) * band / highest;
            thg_blend(pixel, throng_colour_ramp(1.0f - share), cover);
            if (style->lines && bands > 0.5f) {
                // Cost grows by a metre a metre: the distance to the line is read off the cost.
                float off = fabsf(bands - floorf(bands + 0.5f)) * band * view->scale;
                thg_blend(pixel, line, (int)(70.0f * thg_clamp01(1.1f - off)));
            }
        }
    }
}

static void draw_arrows(throng_picture *picture, const throng_view2 *view, const cost_grid *grid,
                        int spacing)
{
    throng_pixel_rect clip = thg_view_clip(picture, view);
    throng_colour ink = {235, 240, 240, 150};
    const throng_field_view *field = &grid->field;
    float half = (float)spacing * 0.32f;
    for (int y = clip.y + spacing / 2; y < clip.y + clip.height; y += spacing) {
        for (int x = clip.x + spacing / 2; x < clip.x + clip.width; x += spacing) {
            throng_vec2 at = thg_view_world(view, (float)x, (float)y);
            if (cost_at(grid, at) < 0) {
                continue;
            }
            int column = (int)((at.x - grid->origin.x) / grid->cell);
            int row = (int)((at.y - grid->origin.y) / grid->cell);
            const int8_t *flow =
                field->flow + 2 * ((size_t)row * (size_t)field->stride + (size_t)column);
            float dx = (float)flow[0] / 127.0f;
            float dy = (float)flow[1] / (view->y_up ? -127.0f : 127.0f);
            if (dx * dx + dy * dy < 0.01f) {
                continue;
            }
            throng_vec2 tail = {(float)x - dx * half, (float)y - dy * half};
            throng_vec2 tip = {(float)x + dx * half, (float)y + dy * half};
            throng_vec2 side = {-dy * half * 0.4f, dx * half * 0.4f};
            throng_vec2 neck = {tip.x - dx * half * 0.6f, tip.y - dy * half * 0.6f};
            thg_line(picture, clip, tail, tip, 1.2f, ink);
            thg_line(picture, clip, tip, (throng_vec2){neck.x + side.x, neck.y + side.y}, 1.2f,
                     ink);
            thg_line(picture, clip, tip, (throng_vec2){neck.x - side.x, neck.y - side.y}, 1.2f,
                     ink);
        }
    }
}

float throng_picture_draw_field(throng_picture *picture, const throng_view2 *view,
                                const throng_map *map, throng_field_view field,
                                const throng_field_style *style)
{
    if (style->cookie != FIELD_STYLE_COOKIE || field.cost == NULL || field.unit == 0) {
        return 0;
    }
    cost_grid grid;
    grid.field = field;
    grid.cell = throng_map_cell_size(map);
    grid.metres_per_unit = grid.cell / (float)field.unit;
    grid.origin = throng_map_origin(map);
    float highest = highest_cost(&grid);
    if (!(highest > 0)) {
        return 0;
    }
    float band = style->band > 0 ? style->band : thg_round_step(highest / 25.0f);
    draw_bands(picture, view, &grid, style, highest, band);
    if (style->arrow_spacing > 3 && field.flow != NULL) {
        draw_arrows(picture, view, &grid, style->arrow_spacing);
    }
    return highest;
}
