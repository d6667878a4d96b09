/// Planets as globes: each of two halves as it looks from far away, side by side, so that nothing
/// is hidden. Places are points of the unit sphere; a globe turns them and leaves the depth out.
#include "picture_draw.h"
#include <math.h>

#define LIMB 0.45f ///< of the light that is left at the edge

static throng_vec3 cross(throng_vec3 a, throng_vec3 b)
{
    return (throng_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static float dot(throng_vec3 a, throng_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static throng_vec3 unit(throng_vec3 a)
{
    float length = sqrtf(dot(a, a));
    return length > 1e-12f ? (throng_vec3){a.x / length, a.y / length, a.z / length}
                           : (throng_vec3){1.0f, 0.0f, 0.0f};
}

throng_globe throng_globe_fit(const throng_planet *planet, throng_vec3 toward,
                              throng_pixel_rect area)
{
    throng_globe globe = {.planet = planet, .area = area};
    int shorter = area.width < area.height ? area.width : area.height;
    throng_vec3 pole = {0.0f, 0.0f, 1.0f};
    globe.toward = unit(toward);
    if (fabsf(globe.toward.z) > 0.999f) {
        pole = (throng_vec3){1.0f, 0.0f, 0.0f};
    }
    globe.right = unit(cross(pole, globe.toward));
    globe.up = cross(globe.toward, globe.right);
    globe.radius = 0.48f * (float)shorter;
    globe.x = (float)area.x + 0.5f * (float)area.width;
    globe.y = (float)area.y + 0.5f * (float)area.height;
    return globe;
}

bool throng_globe_pixel(const throng_globe *globe, throng_vec3 place, throng_vec2 *pixel)
{
    throng_vec3 at = unit(place);
    pixel->x = globe->x + globe->radius * dot(at, globe->right);
    pixel->y = globe->y - globe->radius * dot(at, globe->up);
    return dot(at, globe->toward) > 0.0f;
}

/// The place under a point of a globe, right and up of its middle over its radius.
static throng_vec3 place_at(const throng_globe *globe, float right, float up)
{
    float square = right * right + up * up;
    float out = square < 1.0f ? sqrtf(1.0f - square) : 0.0f;
    return (throng_vec3){
        globe->toward.x * out + globe->right.x * right + globe->up.x * up,
        globe->toward.y * out + globe->right.y * right + globe->up.y * up,
        globe->toward.z * out + globe->right.z * right + globe->up.z * up,
    };
}

/// Faint lines every thirty degrees.
static bool on_graticule(throng_vec3 place, float pixel)
{
    float longitude, latitude;
    throng_planet_degrees(place, &longitude, &latitude);
    float width = pixel * 57.29578f * 0.6f;
    float by_latitude = fabsf(latitude - 30.0f * roundf(latitude / 30.0f));
    float along = cosf(latitude * 0.01745329f);
    float by_longitude = fabsf(longitude - 30.0f * roundf(longitude / 30.0f)) * along;
    return fabsf(latitude) < 85.0f && (by_latitude < width || by_longitude < width);
}

static void draw_pixel(uint8_t *pixel, const throng_globe *globe, const throng_map *map,
                       int class_index, float right, float up)
{
    float square = right * right + up * up, one = 1.0f / globe->radius;
    float cover = thg_clamp01((1.0f - sqrtf(square)) * globe->radius + 0.5f);
    if (!(cover > 0.0f)) {
        return;
    }
    int sum[3] = {0, 0, 0};
    for (int i = 0; i < 4; i++) { // smooth coasts
        float dx = (i & 1) != 0 ? 0.25f * one : -0.25f * one,
              dy = i > 1 ? 0.25f * one : -0.25f * one;
        throng_vec3 place = place_at(globe, right + dx, up + dy);
        throng_colour colour =
            thg_map_colour(map, class_index, throng_planet_position(globe->planet, place));
        sum[0] += colour.r;
        sum[1] += colour.g;
        sum[2] += colour.b;
    }
    throng_vec3 place = place_at(globe, right, up);
    float light = LIMB + (1.25f - LIMB) * sqrtf(square < 1.0f ? 1.0f - square : 0.0f);
    float line = on_graticule(place, one) ? 10.0f : 0.0f;
    float parts[3];
    for (int i = 0; i < 3; i++) {
        float value = (float)sum[i] * 0.25f * light + line;
        parts[i] = value < 255.0f ? value : 255.0f;
    }
    throng_colour lit = {(uint8_t)parts[0], (uint8_t)parts[1], (uint8_t)parts[2], 255};
    thg_blend(pixel, lit, (int)(256.0f * cover));
}

/// The part of a globe's area that lies in the picture.
static throng_pixel_rect clip_of(const throng_picture *picture, const throng_globe *globe)
{
    throng_view2 view = {.area = globe->area};
    return thg_view_clip(picture, &view);
}

void throng_picture_draw_globe(throng_picture *picture, const throng_globe *globe,
                               const throng_map *map, int class_index)
{
    throng_pixel_rect clip = clip_of(picture, globe);
    for (int y = clip.y; y < clip.y + clip.height; y++) {
        for (int x = clip.x; x < clip.x + clip.width; x++) {
            float right = ((float)x + 0.5f - globe->x) / globe->radius;
            float up = (globe->y - (float)y - 0.5f) / globe->radius;
            draw_pixel(thg_pixel(picture, x, y), globe, map, class_index, right, up);
        }
    }
}

static throng_vec3 place_of(const throng_globe *globe, float x, float y)
{
    return throng_planet_place(globe->planet, (throng_vec2){x, y});
}

void throng_picture_draw_globe_agents(throng_picture *picture, const throng_globe *globe,
                                      throng_agents_view agents, throng_agent_colours colours)
{
    throng_pixel_rect clip = clip_of(picture, globe);
    float scale = globe->radius / throng_planet_radius(globe->planet);
    for (int i = 0; i < agents.count; i++) {
        throng_vec2 at;
        throng_vec3 place = place_of(globe, agents.x[i], agents.y[i]);
        if (throng_globe_pixel(globe, place, &at)) {
            float radius = fmaxf(agents.radius[i] * scale, 1.0f);
            thg_disc(picture, clip, at.x, at.y, radius, thg_agent_colour(agents, i, colours));
        }
    }
}

void throng_picture_draw_globe_route(throng_picture *picture, const throng_globe *globe,
                                     const throng_vec2 *points, int count, throng_colour colour)
{
    throng_pixel_rect clip = clip_of(picture, globe);
    throng_vec2 before = {0.0f, 0.0f};
    bool was_seen = false;
    for (int i = 0; i < count; i++) {
        throng_vec2 at;
        bool seen = throng_globe_pixel(globe, place_of(globe, points[i].x, points[i].y), &at);
        if (seen && was_seen) {
            thg_line(picture, clip, before, at, 1.5f, colour);
        }
        before = at;
        was_seen = seen;
    }
}

void throng_picture_draw_globe_goal(throng_picture *picture, const throng_globe *globe,
                                    const throng_goal_shape *shape, throng_colour colour)
{
    throng_pixel_rect clip = clip_of(picture, globe);
    float size = fmaxf(0.02f * globe->radius, 5.0f);
    for (int i = 0; i < shape->point_count; i++) {
        throng_vec2 at;
        if (throng_globe_pixel(globe, place_of(globe, shape->points[i].x, shape->points[i].y),
                               &at)) {
            throng_colour dark = {10, 11, 14, 230};
            thg_disc(picture, clip, at.x, at.y, size, dark);
            thg_disc(picture, clip, at.x, at.y, 0.8f * size, colour);
            thg_disc(picture, clip, at.x, at.y, 0.45f * size, dark);
        }
    }
}
