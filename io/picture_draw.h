/// What the picture files share: blending pixels and going back from pixels to metres.
#ifndef THG_PICTURE_DRAW_H
#define THG_PICTURE_DRAW_H

#include <throng_io/picture.h>

/// The calm dark palette of all pictures.
extern const throng_colour thg_backdrop, thg_ground, thg_wall, thg_wall_edge, thg_ink,
    thg_faint_ink;

/// Mixes a colour into a pixel that lies inside; `cover` in [0, 256] scales the colour's own
/// opacity.
static inline void thg_blend(uint8_t *pixel, throng_colour colour, int cover)
{
    int share = (colour.a * cover * 257 + 32768) >> 16; // 0 ... 256
    pixel[0] = (uint8_t)(pixel[0] + (((colour.r - pixel[0]) * share + 128) >> 8));
    pixel[1] = (uint8_t)(pixel[1] + (((colour.g - pixel[1]) * share + 128) >> 8));
    pixel[2] = (uint8_t)(pixel[2] + (((colour.b - pixel[2]) * share + 128) >> 8));
}

static inline uint8_t *thg_pixel(throng_picture *picture, int x, int y)
{
    return picture->rgb + ((size_t)y * (size_t)picture->width + (size_t)x) * 3;
}

static inline throng_colour thg_mix(throng_colour a, throng_colour b, float share)
{
    throng_colour mixed = {(uint8_t)((float)a.r + ((float)b.r - (float)a.r) * share + 0.5f),
                           (uint8_t)((float)a.g + ((float)b.g - (float)a.g) * share + 0.5f),
                           (uint8_t)((float)a.b + ((float)b.b - (float)a.b) * share + 0.5f), 255};
    return mixed;
}

static inline float thg_clamp01(float value)
{
    return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f; // NaN: 0
}

/// The part of the view's area that lies in the picture.
throng_pixel_rect thg_view_clip(const throng_picture *picture, const throng_view2 *view);

/// Metres of a point in pixels.
throng_vec2 thg_view_world(const throng_view2 *view, float x, float y);

/// A disc clipped to `clip`, which lies in the picture.
void thg_disc(throng_picture *picture, throng_pixel_rect clip, float x, float y, float radius,
              throng_colour colour);
void thg_line(throng_picture *picture, throng_pixel_rect clip, throng_vec2 from, throng_vec2 to,
              float width, throng_colour colour);

/// 1, 2 or 5 times a power of ten, at least `value` and at most 2.5 times it; 1 for nonsense.
float thg_round_step(float value);

/// What one position of a map looks like; with a class (not -1) as it sees it.
throng_colour thg_map_colour(const throng_map *map, int class_index, throng_vec2 position);
/// The colour of a row.
throng_colour thg_agent_colour(throng_agents_view agents, int i, throng_agent_colours colours);

/// "12,345".
void thg_count_text(char *text, size_t size, long long count);

#endif
