/// Clearance: the exact squared distance from each cell's centre to the nearest blocked square.
///
/// In half cells the distance to a square d cells away along an axis is 2 d - 1, and 0 on the same
/// line; the squared distance is h(dx) + h(dy) with h(0) = 0, h(d) = (2 d - 1)^2. The kernel h is
/// even and convex, so two parabola-like curves cross once and the distance transform of Meijster,
/// Roerdink, Hesselink (2000) and of Felzenszwalb, Huttenlocher (2012) works for it as it does for
/// d^2: columns first by counting, then the lower envelope of each row. All in integers.
#include "map/map.h"

/// A side has at most 16,386 cells with the border, so 2 (2 * 16,386)^2 < 2^32.
static int64_t kernel(int64_t distance)
{
    distance = distance < 0 ? -distance : distance;
    return distance == 0 ? 0 : (2 * distance - 1) * (2 * distance - 1);
}

static int64_t floor_div(int64_t numerator, int64_t denominator)
{
    int64_t quotient = numerator / denominator;
    return quotient - (numerator % denominator < 0);
}

/// One row's curves: curve i at x is base[i] + kernel(x - i).
typedef struct envelope {
    const uint32_t *base;
    uint32_t *curve; ///< columns whose curve is lowest somewhere, from left to right
    uint32_t *from;  ///< first x where it is
} envelope;

static int64_t curve_at(const envelope *row, int64_t i, int64_t x)
{
    return (int64_t)row->base[i] + kernel(x - i);
}

/// The first x at which the curve of `right` is lower than that of `left` < `right`. Solved as if
/// both were parabolas, then corrected by the few cells that the kernel's kink may be off.
static int64_t first_lower(const envelope *row, int64_t left, int64_t right)
{
    int64_t gap = right - left;
    int64_t rise = (int64_t)row->base[right] - (int64_t)row->base[left];
    int64_t x;
    if (rise >= kernel(gap)) {
        x = floor_div(rise + 4 * gap * (left + right + 1), 8 * gap);
    } else if (rise < -kernel(gap)) {
        x = floor_div(rise + 4 * gap * (left + right - 1), 8 * gap);
    } else if (gap > 1) {
        x = floor_div(rise + 4 * (gap - 1) * (left + right), 8 * (gap - 1));
    } else {
        x = right;
    }
    while (curve_at(row, right, x) < curve_at(row, left, x)) {
        x--;
    }
    while (curve_at(row, right, x) >= curve_at(row, left, x)) {
        x++;
    }
    return x;
}

/// Distances of one row from the column distances in `base`.
static void envelope_row(const envelope *row, int stride, uint32_t *distance)
{
    int last = 0;
    row->curve[0] = 0;
    row->from[0] = 0;
    for (int x = 1; x < stride; x++) {
        int64_t first = first_lower(row, row->curve[last], x);
        while (last > 0 && first <= (int64_t)row->from[last]) {
            last--;
            first = first_lower(row, row->curve[last], x);
        }
        if (first <= 0) {
            row->curve[0] = (uint32_t)x;
        } else if (first < stride) {
            last++;
            row->curve[last] = (uint32_t)x;
            row->from[last] = (uint32_t)first;
        }
    }
    for (int x = stride - 1; x >= 0; x--) {
        while ((int)row->from[last] > x) {
            last--;
        }
        distance[x] = (uint32_t)curve_at(row, row->curve[last], x);
    }
}

/// Cells up or down to the nearest blocked one of the column; 0 in a blocked cell. The border is
/// blocked, so every column has one.
static void columns_fill(const throng_map *map, uint32_t blocked, uint32_t *distance)
{
    size_t stride = (size_t)map->stride;
    size_t count = map->padded_count;
    for (size_t i = 0; i < count; i++) {
        bool wall = (blocked >> map->solid[i]) & 1u;
        distance[i] = wall || i < stride ? 0 : distance[i - stride] + 1;
    }
    for (size_t i = count - stride; i-- > 0;) {
        uint32_t below = distance[i + stride] + 1;
        distance[i] = distance[i] < below ? distance[i] : below;
    }
}

void thg_clearance_fill(const throng_map *map, uint32_t blocked_terrains, uint32_t *clearance,
                        uint32_t *scratch)
{
    size_t stride = (size_t)map->stride;
    columns_fill(map, blocked_terrains, clearance);
    envelope row = {scratch, scratch + stride, scratch + 2 * stride};
    for (int y = 0; y < map->height + 2; y++) {
        uint32_t *line = clearance + (size_t)y * stride;
        for (size_t x = 0; x < stride; x++) {
            scratch[x] = (uint32_t)kernel((int64_t)line[x]);
        }
        envelope_row(&row, map->stride, line);
    }
    // A blocked cell is its own nearest square; its neighbours' curves are 1 there, so it is 0 now.
}

void thg_clearance_fill_plain(const throng_map *map, uint32_t blocked_terrains, uint32_t *clearance)
{
    int width = map->width + 2;
    int height = map->height + 2;
    for (int i = 0; i < width * height; i++) {
        int64_t best = INT64_MAX;
        for (int j = 0; j < width * height; j++) {
            if ((blocked_terrains >> map->solid[j]) & 1u) {
                int64_t distance = kernel(i % width - j % width) + kernel(i / width - j / width);
                best = distance < best ? distance : best;
            }
        }
        clearance[i] = (uint32_t)best;
    }
}
