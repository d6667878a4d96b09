/// Mouths: where a passage's body meets the open.
#include "map/passage_finder.h"

#define COLLAR 2.5f ///< metres, and once its width, round a body in which its mouths must be apart
#define NEAR_COLLAR 0.3f ///< metres, and half its width, from which a mouth's direction is taken
#define COST_CELL 1.0f   ///< metres before a mouth where its cell is
#define ACROSS_CELL 0.5f ///< cells before a mouth where costs are read

// The collar is the free cells round a body, in rings; marks tell its cells.
enum { FOUND = 1, IN_PART = 2, IN_LAST_RING = 4, NEAR = 8 };

static bool enters_collar(finder *find, size_t cell, const void *context)
{
    if (find->label[cell] == *(const uint16_t *)context || find->mark[cell] != 0) {
        return false;
    }
    find->mark[cell] = FOUND;
    return true;
}

static bool enters_part(finder *find, size_t cell, const void *context)
{
    (void)context;
    if ((find->mark[cell] & (FOUND | IN_PART)) != FOUND) {
        return false;
    }
    find->mark[cell] |= IN_PART;
    return true;
}

static bool touches_body(const finder *find, size_t cell, uint16_t label)
{
    size_t stride = (size_t)find->map->stride;
    return find->label[cell + 1] == label || find->label[cell - 1] == label ||
           find->label[cell + stride] == label || find->label[cell - stride] == label;
}

/// The mean of the cells of a part that touch the body, or of those that do not.
static throng_vec2 mean_of(const finder *find, size_t first, size_t end, uint16_t label,
                           bool touching)
{
    float x = 0.0f, y = 0.0f, count = 0.0f;
    throng_vec2 base = center_of(find, find->queue[first]);
    for (size_t i = first; i < end; i++) {
        if (touches_body(find, find->queue[i], label) == touching &&
            (find->mark[find->queue[i]] & NEAR) != 0) {
            throng_vec2 at = center_of(find, find->queue[i]);
            x += at.x - base.x;
            y += at.y - base.y;
            count += 1.0f;
        }
    }
    count = count > 0.0f ? count : 1.0f;
    return (throng_vec2){base.x + x / count, base.y + y / count};
}

/// The fitting cells of a part that are nearest to a line across the mouth, just outside.
static void fill_across(const finder *find, size_t first, size_t end, float width, thg_mouth *mouth)
{
    float best[THG_MOUTH_CELLS], out = ACROSS_CELL * find->map->cell_size;
    for (int k = 0; k < THG_MOUTH_CELLS; k++) {
        best[k] = INFINITY;
    }
    for (size_t i = first; i < end; i++) {
        size_t cell = find->queue[i];
        throng_vec2 at = center_of(find, cell);
        float x = at.x - mouth->x, y = at.y - mouth->y;
        float ahead = x * mouth->out_x + y * mouth->out_y - out;
        float aside = y * mouth->out_x - x * mouth->out_y;
        for (int k = 0; k < THG_MOUTH_CELLS && find->layer->price[cell] != 0; k++) {
            float off = aside - width * ((float)k / (float)(THG_MOUTH_CELLS - 1) - 0.5f);
            float square = ahead * ahead + off * off;
            if (square < best[k]) {
                best[k] = square;
                mouth->across[k] = (uint32_t)cell;
            }
        }
    }
}

/// A mouth from the part queue[first..end) of the collar. False when nothing of it fits the class.
static bool make_mouth(const finder *find, size_t first, size_t end, float width, uint16_t label,
                       thg_mouth *mouth)
{
    throng_vec2 rim = mean_of(find, first, end, label, true);
    throng_vec2 outer = mean_of(find, first, end, label, false);
    float dx = outer.x - rim.x, dy = outer.y - rim.y;
    float length = sqrtf(dx * dx + dy * dy);
    if (!(length > 1e-4f * find->map->cell_size)) {
        return false;
    }
    float half = 0.5f * find->map->cell_size; // from the rim's cells back to the body's edge
    *mouth = (thg_mouth){.out_x = dx / length, .out_y = dy / length};
    mouth->x = rim.x - mouth->out_x * half;
    mouth->y = rim.y - mouth->out_y * half;
    float best = INFINITY;
    for (size_t i = first; i < end; i++) {
        size_t cell = find->queue[i];
        throng_vec2 at = center_of(find, cell);
        float off_x = at.x - (mouth->x + mouth->out_x * COST_CELL);
        float off_y = at.y - (mouth->y + mouth->out_y * COST_CELL);
        float square = off_x * off_x + off_y * off_y;
        if (find->layer->price[cell] != 0 && square < best) {
            best = square;
            mouth->cell = (uint32_t)cell;
        }
    }
    fill_across(find, first, end, width, mouth);
    return best < INFINITY;
}

/// Looks at the part queue[first..end) of the collar: a niche joins the body, else it is a mouth.
static void take_part(finder *find, size_t first, size_t end, float width, uint16_t label,
                      thg_mouth *mouths, int *count)
{
    bool reaches = false;
    for (size_t i = first; i < end && !reaches; i++) {
        reaches = (find->mark[find->queue[i]] & IN_LAST_RING) != 0;
    }
    if (!reaches) {
        for (size_t i = first; i < end; i++) {
            uint16_t *cell = &find->label[find->queue[i]];
            *cell = *cell == 0 ? label : *cell;
        }
        return;
    }
    thg_mouth mouth;
    if (make_mouth(find, first, end, width, label, &mouth)) {
        if (*count < THG_MAX_MOUTHS) {
            mouths[*count] = mouth;
        }
        ++*count;
    }
}

int thg_passage_mouths(finder *find, size_t body_end, float width, uint16_t label,
                       thg_mouth *mouths)
{
    float cells = find->map->inverse_cell_size;
    int near = (int)((0.5f * width + NEAR_COLLAR) * cells) + 2;
    int rings = thg_max_int((int)((width + COLLAR) * cells) + 2 - near, 1);
    size_t last, near_end = spread(find, 0, body_end, near, enters_collar, &label, &last);
    for (size_t i = body_end; i < near_end; i++) {
        find->mark[find->queue[i]] |= NEAR;
    }
    size_t end = spread(find, last, near_end, rings, enters_collar, &label, &last);
    for (size_t i = last; i < end; i++) {
        find->mark[find->queue[i]] |= IN_LAST_RING;
    }
    int count = 0;
    for (size_t i = body_end; i < end && end < find->queue_count; i++) {
        size_t start = find->queue[i];
        if (enters_part(find, start, NULL)) {
            find->queue[end] = (uint32_t)start;
            size_t part_end = spread(find, end, end + 1, INT32_MAX, enters_part, NULL, NULL);
            take_part(find, end, part_end, width, label, mouths, &count);
        }
    }
    for (size_t i = body_end; i < end; i++) {
        find->mark[find->queue[i]] = 0;
    }
    return count;
}
