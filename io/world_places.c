/// Places that are taken, and the numbers that scenes draw and turn with.
///
/// All of it is whole-number or plain double arithmetic, so that a scene means the same agents on
/// every machine: no rand, no sine of the C library.
#include "world_model.h"
#include <math.h>
#include <stdlib.h>

#define MAX_BUCKETS (1 << 22)

bool thg_places_create(thg_places *places, const throng_map *map, float reach, int capacity)
{
    float cell_size = throng_map_cell_size(map);
    float width = (float)throng_map_width(map) * cell_size;
    float height = (float)throng_map_height(map) * cell_size;
    *places = (thg_places){.cell = reach > 0.01f ? reach : 0.01f,
                           .origin = throng_map_origin(map),
                           .capacity = capacity};
    while ((width / places->cell + 1.0f) * (height / places->cell + 1.0f) > (float)MAX_BUCKETS) {
        places->cell *= 1.5f;
    }
    places->inverse = 1.0f / places->cell;
    places->width = (int)(width * places->inverse) + 1;
    places->height = (int)(height * places->inverse) + 1;
    size_t buckets = (size_t)places->width * (size_t)places->height;
    size_t count = (size_t)capacity + 1;
    places->head = malloc(buckets * sizeof *places->head);
    places->next = malloc(count * sizeof *places->next);
    places->x = malloc(count * sizeof *places->x);
    places->y = malloc(count * sizeof *places->y);
    places->radius = malloc(count * sizeof *places->radius);
    if (!places->head || !places->next || !places->x || !places->y || !places->radius) {
        thg_places_destroy(places);
        return false;
    }
    for (size_t i = 0; i < buckets; i++) {
        places->head[i] = -1;
    }
    return true;
}

void thg_places_destroy(thg_places *places)
{
    free(places->head);
    free(places->next);
    free(places->x);
    free(places->y);
    free(places->radius);
    *places = (thg_places){0};
}

static int bucket_of(float offset, float inverse, int count)
{
    float scaled = offset * inverse;
    int bucket = scaled > 0.0f ? (scaled < (float)count ? (int)scaled : count - 1) : 0;
    return bucket < count ? bucket : count - 1;
}

void thg_places_add(thg_places *places, throng_vec2 position, float radius)
{
    if (places->count == places->capacity) {
        return;
    }
    int x = bucket_of(position.x - places->origin.x, places->inverse, places->width);
    int y = bucket_of(position.y - places->origin.y, places->inverse, places->height);
    int *head = &places->head[(size_t)y * (size_t)places->width + (size_t)x];
    int place = places->count++;
    places->x[place] = position.x;
    places->y[place] = position.y;
    places->radius[place] = radius;
    places->next[place] = *head;
    *head = place;
}

bool thg_places_free(const thg_places *places, throng_vec2 position, float radius, float apart)
{
    int x = bucket_of(position.x - places->origin.x, places->inverse, places->width);
    int y = bucket_of(position.y - places->origin.y, places->inverse, places->height);
    // Buckets are at least as wide as two of the largest need; `apart` may ask for more.
    int ring = 1 + (int)(apart * places->inverse);
    for (int by = y - ring > 0 ? y - ring : 0; by <= y + ring && by < places->height; by++) {
        for (int bx = x - ring > 0 ? x - ring : 0; bx <= x + ring && bx < places->width; bx++) {
            int place = places->head[(size_t)by * (size_t)places->width + (size_t)bx];
            for (; place >= 0; place = places->next[place]) {
                float dx = places->x[place] - position.x, dy = places->y[place] - position.y;
                float need = radius + places->radius[place] + apart;
                if (dx * dx + dy * dy < need * need) {
                    return false;
                }
            }
        }
    }
    return true;
}

uint64_t thg_draw(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t value = *state;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

int thg_draw_below(uint64_t *state, int bound)
{
    return (int)(((thg_draw(state) >> 32) * (uint64_t)bound) >> 32);
}

float thg_draw_share(uint64_t *state)
{
    return (float)(thg_draw(state) >> 40) * (1.0f / 16777216.0f);
}

void thg_turn(float angle_deg, double *sine, double *cosine)
{
    // To the nearest quarter turn, so that 90 degrees are exact; the rest by series.
    double quarters = floor((double)angle_deg / 90.0 + 0.5);
    double x = ((double)angle_deg - quarters * 90.0) * 0.017453292519943295;
    double square = x * x, s = 0.0, c = 0.0;
    for (int i = 8; i >= 0; i--) {
        s = 1.0 - square / ((2.0 * i + 2.0) * (2.0 * i + 3.0)) * (i < 8 ? s : 1.0);
        c = 1.0 - square / ((2.0 * i + 1.0) * (2.0 * i + 2.0)) * (i < 8 ? c : 1.0);
    }
    s *= x;
    switch ((int)(quarters - 4.0 * floor(quarters / 4.0))) {
    case 0:
        *sine = s, *cosine = c;
        break;
    case 1:
        *sine = c, *cosine = -s;
        break;
    case 2:
        *sine = -s, *cosine = -c;
        break;
    default:
        *sine = -c, *cosine = s;
    }
}
