/// Cameras with names: each finds its place from the map and from where the crowd is.
#include "view.h"
#include <math.h>
#include <string.h>

typedef struct sight {
    throng_vec2 middle, crowd; ///< of the map; of the densest part of the crowd
    float width, height;       ///< of the map, metres
    float spread;              ///< metres round `crowd` that hold a good part of it
} sight;

/// Where most agents are: the fullest of 16 x 16 parts of the map, and the mean of those there.
static void find_crowd(const view_stage *stage, sight *seen)
{
    enum { PARTS = 16 };
    int counts[PARTS * PARTS] = {0}, best = 0;
    double sum_x = 0.0, sum_y = 0.0;
    throng_vec2 origin = throng_map_origin(stage->map);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < stage->agent_count; i++) {
            const throng_drawn_agent *agent = &stage->agents[i];
            int x = (int)((agent->x - origin.x) / seen->width * PARTS);
            int y = (int)((agent->y - origin.y) / seen->height * PARTS);
            x = x < 0 ? 0 : x >= PARTS ? PARTS - 1 : x;
            y = y < 0 ? 0 : y >= PARTS ? PARTS - 1 : y;
            if (round == 0) {
                counts[y * PARTS + x]++;
            } else if (y * PARTS + x == best) {
                sum_x += agent->x;
                sum_y += agent->y;
            }
        }
        for (int i = 0; i < PARTS * PARTS && round == 0; i++) {
            best = counts[i] > counts[best] ? i : best;
        }
    }
    seen->crowd = seen->middle;
    if (counts[best] > 0) {
        seen->crowd.x = (float)(sum_x / counts[best]);
        seen->crowd.y = (float)(sum_y / counts[best]);
    }
    // As far as a ring holds thirty people at one a square metre, or all there are.
    float people = (float)(stage->agent_count < 60 ? stage->agent_count : 60);
    seen->spread = 3.0f + sqrtf(people);
}

static void look(throng_camera *camera, throng_vec2 at, float height, float away, float up,
                 float angle)
{
    *camera = (throng_camera){
        .eye = {at.x + away * sinf(angle), at.y + away * cosf(angle), up},
        .target = {at.x, at.y, height},
        .view_angle = 0.7f,
        .near = fmaxf(0.2f, 0.02f * away),
        .far = 40.0f * (away + up) + 2000.0f,
    };
}

const char *view_camera_names(void)
{
    return "overview, top, crowd, close, street";
}

bool view_camera(const view_stage *stage, const char *name, throng_camera *camera)
{
    float cell = throng_map_cell_size(stage->map);
    throng_vec2 origin = throng_map_origin(stage->map);
    sight seen;
    memset(&seen, 0, sizeof seen);
    seen.width = cell * (float)throng_map_width(stage->map);
    seen.height = cell * (float)throng_map_height(stage->map);
    seen.middle = (throng_vec2){origin.x + 0.5f * seen.width, origin.y + 0.5f * seen.height};
    find_crowd(stage, &seen);
    float extent = fmaxf(seen.height, seen.width * 0.62f);
    if (strcmp(name, "overview") == 0) {
        throng_vec2 nearer = {seen.middle.x, seen.middle.y + 0.06f * extent};
        look(camera, nearer, 0.0f, extent * 0.72f, extent * 1.2f, 0.0f);
    } else if (strcmp(name, "top") == 0) {
        look(camera, seen.middle, 0.0f, 0.0f, extent * 1.45f, 0.0f);
    } else if (strcmp(name, "crowd") == 0) {
        look(camera, seen.crowd, 0.0f, seen.spread * 2.4f, seen.spread * 1.9f, 0.45f);
    } else if (strcmp(name, "close") == 0) {
        look(camera, seen.crowd, 0.8f, 8.5f, 4.6f, 0.6f);
    } else if (strcmp(name, "street") == 0) {
        look(camera, seen.crowd, 1.4f, 13.0f, 2.1f, 1.1f);
    } else {
        return false;
    }
    return true;
}
