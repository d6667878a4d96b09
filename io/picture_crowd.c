/// The crowd: agents as discs, and their density as heat.
///
/// Density is summed in bins of a few pixels and smoothed by three box filters, which together are
/// close to a bell curve (Wells, Efficient Synthesis of Gaussian Filters by Cascaded Uniform
/// Filters, 1986).
#include "picture_draw.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BIN 4 ///< pixels a side

typedef struct heat_grid {
    int width, height;
    float *bins, *spare;
    throng_pixel_rect clip;
} heat_grid;

/// Shares an agent among the four bins around it.
static void splat(heat_grid *grid, throng_vec2 pixel)
{
    float x = (pixel.x - (float)grid->clip.x) / BIN - 0.5f;
    float y = (pixel.y - (float)grid->clip.y) / BIN - 0.5f;
    if (!(x > -1.0f && y > -1.0f && x < (float)grid->width && y < (float)grid->height)) {
        return;
    }
    int column = (int)floorf(x);
    int row = (int)floorf(y);
    float share_x = x - (float)column;
    float share_y = y - (float)row;
    for (int i = 0; i < 4; i++) {
        int bx = column + (i & 1);
        int by = row + (i >> 1);
        if (bx >= 0 && by >= 0 && bx < grid->width && by < grid->height) {
            grid->bins[(size_t)by * (size_t)grid->width + (size_t)bx] +=
                ((i & 1) != 0 ? share_x : 1.0f - share_x) *
                ((i >> 1) != 0 ? share_y : 1.0f - share_y);
        }
    }
}

/// A running mean of 2 radius + 1 bins along rows that lie `across` apart, cells `along` apart.
static void box_filter(const float *from, float *to, int count, int rows, size_t along,
                       size_t across, int radius)
{
    float scale = 1.0f / (float)(2 * radius + 1);
    for (int row = 0; row < rows; row++) {
        const float *in = from + (size_t)row * across;
        float *out = to + (size_t)row * across;
        float sum = 0;
        for (int i = 0; i < radius && i < count; i++) {
            sum += in[(size_t)i * along];
        }
        for (int i = 0; i < count; i++) {
            sum += i + radius < count ? in[(size_t)(i + radius) * along] : 0.0f;
            out[(size_t)i * along] = sum > 0 ? sum * scale : 0.0f;
            sum -= i >= radius ? in[(size_t)(i - radius) * along] : 0.0f;
        }
    }
}

static void smooth(heat_grid *grid, int radius)
{
    size_t width = (size_t)grid->width;
    for (int pass = 0; pass < 3; pass++) {
        box_filter(grid->bins, grid->spare, grid->width, grid->height, 1, width, radius);
        box_filter(grid->spare, grid->bins, grid->height, grid->width, width, 1, radius);
    }
}

/// Colours and opacities of 256 steps up to `full`.
static void fill_palette(throng_colour *palette)
{
    for (int i = 0; i < 256; i++) {
        float value = (float)i / 255.0f;
        palette[i] = throng_colour_heat(value);
        palette[i].a = (uint8_t)(225.0f * thg_clamp01((value - 0.06f) * 3.0f) + 0.5f);
    }
}

/// One row of pixels between two rows of bins. Columns of pixels between two bins that show nothing
/// are left out, which is most of them.
static void paint_row(uint8_t *pixel, const heat_grid *grid, const float *upper, const float *lower,
                      float share_y, float per_bin, const throng_colour *palette)
{
    for (int column = -1; column < grid->width; column++) {
        int left = column < 0 ? 0 : column;
        int right = column + 1 < grid->width ? column + 1 : left;
        float a = upper[left] + (lower[left] - upper[left]) * share_y;
        float b = upper[right] + (lower[right] - upper[right]) * share_y;
        float most = (a > b ? a : b) * per_bin;
        if (most < 255.0f && palette[(int)most].a == 0) {
            continue;
        }
        for (int i = 0; i < BIN; i++) {
            int x = column * BIN + BIN / 2 + i;
            float share = ((float)i + 0.5f) / BIN;
            float value = (a + (b - a) * share) * per_bin;
            int step = value < 255.0f ? (int)value : 255;
            if (x >= 0 && x < grid->clip.width) {
                thg_blend(pixel + 3 * (size_t)x, palette[step], 256);
            }
        }
    }
}

static void paint(throng_picture *picture, const heat_grid *grid, float per_bin)
{
    throng_colour palette[256];
    fill_palette(palette);
    for (int y = 0; y < grid->clip.height; y++) {
        float v = ((float)y + 0.5f) / BIN - 0.5f;
        int row = (int)floorf(v);
        int above = row < 0 ? 0 : row;
        int below = row + 1 < grid->height ? row + 1 : grid->height - 1;
        paint_row(thg_pixel(picture, grid->clip.x, grid->clip.y + y), grid,
                  grid->bins + (size_t)above * (size_t)grid->width,
                  grid->bins + (size_t)below * (size_t)grid->width, v - (float)row, per_bin,
                  palette);
    }
}

throng_result throng_picture_draw_density(throng_picture *picture, const throng_view2 *view,
                                          throng_agents_view agents, float full)
{
    heat_grid grid;
    memset(&grid, 0, sizeof grid);
    grid.clip = thg_view_clip(picture, view);
    if (!(full >= 0.1f && full <= 100.0f)) {
        return THRONG_BAD_ARGUMENT;
    }
    if (grid.clip.width < 1 || grid.clip.height < 1 || agents.count == 0) {
        return THRONG_OK;
    }
    grid.width = (grid.clip.width + BIN - 1) / BIN;
    grid.height = (grid.clip.height + BIN - 1) / BIN;
    size_t count = (size_t)grid.width * (size_t)grid.height; // at most 2^24
    grid.bins = calloc(count, sizeof *grid.bins);
    grid.spare = calloc(count, sizeof *grid.spare);
    if (grid.bins == NULL || grid.spare == NULL) {
        free(grid.bins);
        free(grid.spare);
        return THRONG_NO_MEMORY;
    }
    for (int i = 0; i < agents.count; i++) {
        splat(&grid, throng_view2_pixel(view, (throng_vec2){agents.x[i], agents.y[i]}));
    }
    // Three boxes of radius r have a deviation of about r + 0.5 bins; wanted is 0.7 m.
    float wanted = 0.7f * view->scale / BIN - 0.5f;
    smooth(&grid, wanted < 1.0f ? 1 : wanted > 200.0f ? 200 : (int)(wanted + 0.5f));
    float bin_metres = BIN / view->scale;
    paint(picture, &grid, 255.0f / (bin_metres * bin_metres * full));
    free(grid.bins);
    free(grid.spare);
    return THRONG_OK;
}

throng_colour thg_agent_colour(throng_agents_view agents, int i, throng_agent_colours colours)
{
    switch (colours) {
    case THRONG_COLOUR_PROFILE:
        return throng_colour_of_index(agents.profile[i]);
    case THRONG_COLOUR_STATUS:
        return throng_colour_of_status((throng_status)agents.status[i]);
    case THRONG_COLOUR_SPEED: {
        float speed = sqrtf(agents.vx[i] * agents.vx[i] + agents.vy[i] * agents.vy[i]);
        return throng_colour_ramp(0.15f + 0.85f * thg_clamp01(speed * 0.5f));
    }
    case THRONG_COLOUR_GOAL:
        return throng_colour_of_index(agents.goal[i]);
    }
    return thg_ink;
}

/// A disc with a rim, and from five pixels on a tick that shows where it is going.
static void draw_agent(throng_picture *picture, throng_pixel_rect clip, const throng_view2 *view,
                       throng_agents_view agents, int i, throng_colour colour)
{
    throng_vec2 at = throng_view2_pixel(view, (throng_vec2){agents.x[i], agents.y[i]});
    float radius = agents.radius[i] * view->scale;
    if (!(radius >= 1.0f)) {
        radius = 1.0f;
    }
    throng_colour dark = {10, 11, 14, 230};
    if (radius < 2.5f) {
        thg_disc(picture, clip, at.x, at.y, radius, colour);
        return;
    }
    thg_disc(picture, clip, at.x, at.y, radius, dark);
    thg_disc(picture, clip, at.x, at.y, radius - (radius < 6.0f ? 0.8f : 1.3f), colour);
    float speed = sqrtf(agents.vx[i] * agents.vx[i] + agents.vy[i] * agents.vy[i]);
    if (radius >= 5.0f && speed > 0.05f) {
        float dx = agents.vx[i] / speed * radius;
        float dy = agents.vy[i] / (view->y_up ? -speed : speed) * radius;
        throng_vec2 from = {at.x + dx * 0.15f, at.y + dy * 0.15f};
        throng_vec2 to = {at.x + dx * 0.75f, at.y + dy * 0.75f};
        thg_line(picture, clip, from, to, radius * 0.2f, dark);
    }
}

void throng_picture_draw_agents(throng_picture *picture, const throng_view2 *view,
                                throng_agents_view agents, throng_agent_colours colours)
{
    throng_pixel_rect clip = thg_view_clip(picture, view);
    for (int i = 0; i < agents.count; i++) {
        draw_agent(picture, clip, view, agents, i, thg_agent_colour(agents, i, colours));
    }
}
