/// Rings: the line round a target at some distance, a rectangle with round corners.
///
/// A place on it is a length along the line, from the east side's upper end clockwise as drawn:
/// east, south, west, north, each followed by its corner. Sine and arc tangent are short series, so
/// that they give the same bits everywhere.
#include "crowd/ring.h"
#include <math.h>

#define QUARTER 1.57079633f ///< radians

/// Sine and cosine of [0, QUARTER].
static void turn(float angle, float *sine, float *cosine)
{
    float square = angle * angle;
    *sine =
        angle *
        (1.0f - square / 6.0f *
                    (1.0f - square / 20.0f * (1.0f - square / 42.0f * (1.0f - square / 72.0f))));
    *cosine = 1.0f -
              square / 2.0f *
                  (1.0f -
                   square / 12.0f *
                       (1.0f - square / 30.0f * (1.0f - square / 56.0f * (1.0f - square / 90.0f))));
}

/// Angle of (x, y), both at least 0 and not both 0 (Hastings 1955).
static float angle_of(float x, float y)
{
    float ratio = x > y ? y / x : x / y;
    float square = ratio * ratio;
    float angle =
        ratio *
        (0.999866f + square * (-0.3302995f +
                               square * (0.180141f + square * (-0.085133f + square * 0.0208351f))));
    return x > y ? angle : QUARTER - angle;
}

thg_ring thg_ring_make(const throng_slots_def *def)
{
    thg_ring ring = {.low = def->footprint.min,
                     .high = def->footprint.max,
                     .radius = def->radius + def->distance};
    ring.width = ring.high.x - ring.low.x;
    ring.height = ring.high.y - ring.low.y;
    ring.corner = QUARTER * ring.radius;
    ring.length = 2.0f * (ring.width + ring.height) + 4.0f * ring.corner;
    return ring;
}

/// A direction turned by so many quarters.
static throng_vec2 quarters(float x, float y, int count)
{
    switch (count) {
    case 0:
        return (throng_vec2){x, y};
    case 1:
        return (throng_vec2){-y, x};
    case 2:
        return (throng_vec2){-x, -y};
    default:
        return (throng_vec2){y, -x};
    }
}

throng_vec2 thg_ring_at(const thg_ring *ring, float along, float out, throng_vec2 *normal)
{
    const throng_vec2 corner[4] = {
        ring->high, {ring->low.x, ring->high.y}, ring->low, {ring->high.x, ring->low.y}};
    float reach = ring->radius + out;
    for (int i = 0; i < 4; i++) {
        float side = i % 2 == 0 ? ring->height : ring->width;
        if (along < side) {
            *normal = quarters(1.0f, 0.0f, i);
            throng_vec2 back = quarters(0.0f, along - side, i);
            return (throng_vec2){corner[i].x + back.x + normal->x * reach,
                                 corner[i].y + back.y + normal->y * reach};
        }
        along -= side;
        if (along < ring->corner || i == 3) {
            float sine, cosine;
            float angle = along / ring->radius;
            turn(angle < QUARTER ? angle : QUARTER, &sine, &cosine);
            *normal = quarters(cosine, sine, i);
            return (throng_vec2){corner[i].x + normal->x * reach, corner[i].y + normal->y * reach};
        }
        along -= ring->corner;
    }
    return *normal = ring->high; // not reached: the fourth corner takes what is left
}

/// For a place inside the rectangle: as if it were on the nearest side.
static void nearest_side(const thg_ring *ring, float x, float y, float *dx, float *dy, float *depth)
{
    const float gap[4] = {ring->high.x - x, ring->high.y - y, x - ring->low.x, y - ring->low.y};
    int best = 0;
    for (int i = 1; i < 4; i++) {
        best = gap[i] < gap[best] ? i : best;
    }
    throng_vec2 out = quarters(1.0f, 0.0f, best);
    *dx = out.x;
    *dy = out.y;
    *depth = -gap[best];
}

float thg_ring_find(const thg_ring *ring, float x, float y, float *along)
{
    float at_x = thg_clamp(x, ring->low.x, ring->high.x);
    float at_y = thg_clamp(y, ring->low.y, ring->high.y);
    float dx = x - at_x, dy = y - at_y;
    float distance = sqrtf(dx * dx + dy * dy);
    if (distance == 0.0f) {
        nearest_side(ring, x, y, &dx, &dy, &distance);
    }
    float start = 0.0f;
    if (dy == 0.0f) {
        *along = dx > 0.0f ? at_y - ring->low.y
                           : ring->height + ring->width + 2.0f * ring->corner + ring->high.y - at_y;
    } else if (dx == 0.0f) {
        *along = dy > 0.0f ? ring->height + ring->corner + ring->high.x - at_x
                           : ring->length - ring->corner - ring->high.x + at_x;
    } else {
        int corner = dx > 0.0f ? (dy > 0.0f ? 0 : 3) : (dy > 0.0f ? 1 : 2);
        for (int i = 0; i <= corner; i++) {
            start += (i % 2 == 0 ? ring->height : ring->width) + (i > 0 ? ring->corner : 0.0f);
        }
        throng_vec2 back = quarters(dx, dy, (4 - corner) % 4);
        *along = start + ring->radius * angle_of(back.x, back.y);
    }
    *along = *along < ring->length ? *along : *along - ring->length;
    return distance - ring->radius;
}

float thg_ring_between(const thg_ring *ring, float from, float to)
{
    float way = to - from;
    way = way > 0.5f * ring->length ? way - ring->length : way;
    return way < -0.5f * ring->length ? way + ring->length : way;
}
