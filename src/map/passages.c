/// Finding passages: chords, bodies, mouths.
///
/// A chord is a run of free cells from wall to wall along one of four axes, at most so long, whose
/// middle is as far from walls as the run's length promises; so the slanted chords in corners and
/// wedges do not count. Each cell keeps its shortest. From the shortest chord of all on, cells that
/// hang together and are hardly wider make a body; the free cells round it fall into parts, each of
/// them a mouth. A body whose narrowest place is the rim of a narrower body of the same direction
/// is only its widening. Ends, sums and ties go by cell index, so the result is a function of the
/// map.
#include "map/passages.h"
#include <math.h>
#include <string.h>

#define MOST_CHORD 400 ///< cells of a chord
#define WIDER 1.3f     ///< times its narrowest that a body may be wide
#define ROUNDNESS 0.8f ///< clearance in a chord's middle over half its length, at least
#define COLLAR 2.5f ///< metres, and once its width, round a body in which its mouths must be apart
#define NEAR_COLLAR 0.3f ///< metres, and half its width, from which a mouth's direction is taken
#define JUNCTION_MIDDLE 1.5f ///< squares of its width that a junction's middle may be large
#define JUNCTION_ARM 8.0f    ///< metres of an arm that still belongs to its junction
#define COST_CELL 1.0f       ///< metres before a mouth where its cell is
#define ACROSS_CELL 0.5f     ///< cells before a mouth where costs are read
#define REJECTED UINT16_MAX  ///< label of a body that is no passage, while others are found

/// A chord as a word: length in tenths of a cell, whether the cell is its middle, and the axis.
#define CHORD_LENGTH(chord) ((chord) >> 3)
#define CHORD_IS_MIDDLE(chord) (((chord)&4u) != 0)
#define CHORD_AXIS(chord) ((chord)&3u)

typedef struct finder {
    const throng_map *map;
    const thg_layer *layer;
    uint16_t *chord, *label;
    uint32_t *queue, *order;
    size_t queue_count;
    size_t seed_count;
    uint8_t *mark;
} finder;

static const int axis_x[4] = {1, 0, 1, 1}, axis_y[4] = {0, 1, 1, -1};

static bool is_free(const finder *find, size_t cell)
{
    return find->layer->clearance[cell] != 0;
}

/// True when one can go on from a free cell along an axis: the next is free, and a diagonal does
/// not slip between two walls.
static bool goes_on(const finder *find, size_t cell, ptrdiff_t along_x, ptrdiff_t along_y)
{
    size_t next = cell + (size_t)(along_x + along_y);
    return is_free(find, next) &&
           (along_x == 0 || along_y == 0 || is_free(find, cell + (size_t)along_x) ||
            is_free(find, cell + (size_t)along_y));
}

/// Enters the run that starts at a cell, if it is a chord.
static void enter_run(finder *find, size_t start, int axis, int most)
{
    ptrdiff_t x = axis_x[axis], y = axis_y[axis] * (ptrdiff_t)find->map->stride;
    ptrdiff_t step = x + y;
    int count = 1;
    for (size_t at = start; count <= most && goes_on(find, at, x, y); at += (size_t)step) {
        count++;
    }
    float pitch = axis < 2 ? 1.0f : 1.41421356f;
    uint32_t length = (uint32_t)((float)count * pitch * 10.0f + 0.5f);
    if (count > most || length > (uint32_t)most * 10) {
        return;
    }
    size_t middle = start + (size_t)(count / 2 * step);
    uint32_t below = find->layer->clearance[start + (size_t)((count - 1) / 2 * step)];
    uint32_t above = find->layer->clearance[middle];
    float half_cells = sqrtf((float)(below > above ? below : above));
    half_cells += count % 2 == 0 ? pitch : 0.0f; // the true middle lies between two cells
    if (half_cells < ROUNDNESS * pitch * (float)count) {
        return;
    }
    size_t at = start;
    for (int i = 0; i < count; i++, at += (size_t)step) {
        uint32_t word = length << 3 | (at == middle ? 4u : 0u) | (uint32_t)axis;
        if (find->chord[at] == 0 || CHORD_LENGTH(find->chord[at]) > length) {
            find->chord[at] = (uint16_t)word;
        }
    }
}

static void fill_chords(finder *find, int most)
{
    const throng_map *map = find->map;
    memset(find->chord, 0, map->padded_count * sizeof *find->chord);
    for (int y = 0; y < map->height; y++) {
        size_t first = thg_padded_index(map, 0, y);
        for (size_t cell = first; cell < first + (size_t)map->width; cell++) {
            if (!is_free(find, cell)) {
                continue;
            }
            for (int axis = 0; axis < 4; axis++) {
                ptrdiff_t along_y = -axis_y[axis] * (ptrdiff_t)map->stride;
                if (!goes_on(find, cell, -axis_x[axis], along_y)) {
                    enter_run(find, cell, axis, most);
                }
            }
        }
    }
}

/// Lists the middles of chords where the class fits, the shortest first, by index among equals.
static void list_seeds(finder *find, int most)
{
    uint32_t *starts = find->queue; // free until the first body; at most MOST_CHORD * 10 + 2 words
    int buckets = most * 10 + 2;
    memset(starts, 0, (size_t)buckets * sizeof *starts);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t cell = 0; cell < find->map->padded_count; cell++) {
            uint16_t chord = find->chord[cell];
            if (!CHORD_IS_MIDDLE(chord) || find->layer->price[cell] == 0) {
                continue;
            }
            if (pass == 0) {
                starts[CHORD_LENGTH(chord) + 1]++;
            } else {
                find->order[starts[CHORD_LENGTH(chord)]++] = (uint32_t)cell;
            }
        }
        for (int i = 1; i < buckets && pass == 0; i++) {
            starts[i] += starts[i - 1];
        }
        if (pass == 0) {
            find->seed_count = starts[buckets - 1];
        }
    }
}

typedef bool enters_function(finder *find, size_t cell, const void *context);

/// Spreads from queue[first..end) in at most so many rings to all four neighbours that `enters`
/// lets in; returns the new end. *last (may be NULL) is where the last full ring starts, or the
/// end. Stops when the queue is full.
static size_t spread(finder *find, size_t first, size_t end, int rings, enters_function *enters,
                     const void *context, size_t *last)
{
    const ptrdiff_t steps[4] = {1, find->map->stride, -1, -(ptrdiff_t)find->map->stride};
    size_t ring_end = end;
    for (int ring = 0; ring < rings && first < ring_end; ring++) {
        for (size_t i = first; i < ring_end; i++) {
            for (int k = 0; k < 4; k++) {
                size_t next = find->queue[i] + (size_t)steps[k];
                if (end < find->queue_count && is_free(find, next) && enters(find, next, context)) {
                    find->queue[end++] = (uint32_t)next;
                }
            }
        }
        first = ring_end;
        ring_end = end;
    }
    if (last != NULL) {
        *last = first;
    }
    return end;
}

typedef struct body_rule {
    uint32_t most;
    uint16_t label;
} body_rule;

static bool enters_body(finder *find, size_t cell, const void *context)
{
    const body_rule *rule = context;
    uint32_t length = CHORD_LENGTH(find->chord[cell]);
    if (find->label[cell] != 0 || length == 0 || length > rule->most) {
        return false;
    }
    find->label[cell] = rule->label;
    return true;
}

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

static throng_vec2 center_of(const finder *find, size_t cell)
{
    int stride = find->map->stride;
    return throng_map_cell_center(find->map, (int)(cell % (size_t)stride) - 1,
                                  (int)(cell / (size_t)stride) - 1);
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

/// Tells the mouths of the body queue[0..body_end); returns how many there are, which may be more
/// than THG_MAX_MOUTHS.
static int find_mouths(finder *find, size_t body_end, float width, uint16_t label,
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

/// True when a cell of another passage whose chord has the same axis is within two cells.
static bool is_rim_of_narrower(const finder *find, size_t cell)
{
    const thg_layer *layer = find->layer;
    uint32_t axis = CHORD_AXIS(find->chord[cell]);
    int stride = find->map->stride;
    for (int y = -2; y <= 2; y++) {
        for (int x = -2; x <= 2; x++) {
            ptrdiff_t at = (ptrdiff_t)cell + x + (ptrdiff_t)y * stride;
            if (at >= 0 && at < (ptrdiff_t)find->map->padded_count && layer->clearance[at] != 0 &&
                find->label[at] != 0 && CHORD_AXIS(find->chord[at]) == axis) {
                return true;
            }
        }
    }
    return false;
}

/// Cells from a place to the first wall along a direction, at most `most`.
static float ray(const finder *find, float x, float y, float dx, float dy, float most)
{
    const throng_map *map = find->map;
    float far = 0.0f;
    while (far < most) {
        int column = (int)floorf(x + dx * far), row = (int)floorf(y + dy * far);
        if (column < 0 || row < 0 || column >= map->width || row >= map->height) {
            return far;
        }
        uint32_t clearance = find->layer->clearance[thg_padded_index(map, column, row)];
        if (clearance == 0) {
            return far;
        }
        // The clearance is of the middle of the cell; nearer than half a diagonal, feel the way.
        float leap = 0.5f * sqrtf((float)clearance) - 0.7072f;
        far += leap > 0.0625f ? leap : 0.0625f;
    }
    return most;
}

/// The cut: the shortest way from wall to wall through the middle of a cell, over 32 directions.
static void cut_through(const finder *find, size_t cell, float most, thg_passage *passage)
{
    const throng_map *map = find->map;
    throng_vec2 at = center_of(find, cell);
    float x = (at.x - map->origin.x) * map->inverse_cell_size;
    float y = (at.y - map->origin.y) * map->inverse_cell_size;
    float best = INFINITY;
    for (int i = 0; i < 32; i++) {
        float t = (float)(i - 16) * 0.0625f; // the rational circle: half of it
        float scale = 1.0f / (1.0f + t * t);
        float dx = (1.0f - t * t) * scale, dy = 2.0f * t * scale;
        float ahead = ray(find, x, y, dx, dy, most), behind = ray(find, x, y, -dx, -dy, most);
        if (ahead + behind < best) {
            best = ahead + behind;
            passage->from = (throng_vec2){at.x - dx * behind * map->cell_size,
                                          at.y - dy * behind * map->cell_size};
            passage->to = (throng_vec2){at.x + dx * ahead * map->cell_size,
                                        at.y + dy * ahead * map->cell_size};
        }
    }
    passage->width = best * map->cell_size;
}

/// The middle of a chord in queue[0..end), hardly longer than the shortest and nearest to the
/// body's centre.
static size_t middle_of_body(const finder *find, size_t end, uint32_t shortest)
{
    throng_vec2 base = center_of(find, find->queue[0]);
    float x = 0.0f, y = 0.0f, best = INFINITY;
    for (size_t i = 0; i < end; i++) {
        throng_vec2 at = center_of(find, find->queue[i]);
        x += at.x - base.x;
        y += at.y - base.y;
    }
    x = base.x + x / (float)end;
    y = base.y + y / (float)end;
    size_t found = find->queue[0];
    for (size_t i = 0; i < end; i++) {
        size_t cell = find->queue[i];
        throng_vec2 at = center_of(find, cell);
        float square = (at.x - x) * (at.x - x) + (at.y - y) * (at.y - y);
        if (CHORD_IS_MIDDLE(find->chord[cell]) &&
            CHORD_LENGTH(find->chord[cell]) <= shortest + shortest / 20 + 5 && square < best) {
            best = square;
            found = cell;
        }
    }
    return found;
}

static bool mouths_see_each_other(const finder *find, const thg_passage *passage)
{
    const thg_mouth *from = &passage->mouths[0], *to = &passage->mouths[1];
    const throng_map *map = find->map;
    float scale = map->inverse_cell_size;
    return thg_layer_sees(map, find->layer, 0, (from->x - map->origin.x) * scale,
                          (from->y - map->origin.y) * scale, (to->x - map->origin.x) * scale,
                          (to->y - map->origin.y) * scale);
}

static float passage_length(const thg_passage *passage)
{
    float longest = 0.0f;
    for (int i = 0; i < passage->mouth_count; i++) {
        for (int k = 0; k < i; k++) {
            float dx = passage->mouths[i].x - passage->mouths[k].x;
            float dy = passage->mouths[i].y - passage->mouths[k].y;
            float length = sqrtf(dx * dx + dy * dy);
            longest = length > longest ? length : longest;
        }
    }
    return longest;
}

// ---- Junctions ----------------------------------------------------------------------------------

/// Passages that meet in a small middle.
typedef struct junction {
    uint16_t own; ///< label of the middle
    uint16_t arms[THG_MAX_MOUTHS];
    int count; ///< THG_MAX_MOUTHS + 1: too many
} junction;

static void add_arm(junction *meet, uint16_t label)
{
    if (label == 0 || label == REJECTED || label == meet->own) {
        return;
    }
    for (int i = 0; i < meet->count && i < THG_MAX_MOUTHS; i++) {
        if (meet->arms[i] == label) {
            return;
        }
    }
    if (meet->count < THG_MAX_MOUTHS) {
        meet->arms[meet->count] = label;
    }
    meet->count += meet->count <= THG_MAX_MOUTHS;
}

static bool enters_arm(finder *find, size_t cell, const void *context)
{
    const junction *meet = context;
    for (int i = 0; i < meet->count; i++) {
        if (find->label[cell] == meet->arms[i]) {
            find->label[cell] = meet->own;
            return true;
        }
    }
    return false;
}

/// Joins short passages that the body queue[0..end) lies between to it: their crowds share that
/// middle, so they must share turns. Returns the new end. *narrowest, if any: the narrowest arm.
static size_t join_arms(finder *find, size_t end, float width, uint16_t label,
                        thg_passages *passages, thg_passage *narrowest)
{
    junction meet = {.own = label};
    size_t stride = (size_t)find->map->stride;
    float cells = width * find->map->inverse_cell_size;
    for (size_t i = 0; i < end; i++) {
        size_t cell = find->queue[i];
        add_arm(&meet, find->label[cell + 1]);
        add_arm(&meet, find->label[cell - 1]);
        add_arm(&meet, find->label[cell + stride]);
        add_arm(&meet, find->label[cell - stride]);
    }
    bool small = (float)end <= JUNCTION_MIDDLE * cells * cells + 4.0f;
    for (int i = 0; i < meet.count && i < THG_MAX_MOUTHS; i++) {
        const thg_passage *arm = &passages->passages[THG_LABEL_PASSAGE(meet.arms[i])];
        small = small && arm->length <= JUNCTION_ARM;
    }
    if (!small || meet.count < 2 || meet.count > THG_MAX_MOUTHS) {
        return end;
    }
    for (int i = 0; i < meet.count; i++) {
        thg_passage *arm = &passages->passages[THG_LABEL_PASSAGE(meet.arms[i])];
        if (narrowest->width == 0.0f || arm->width < narrowest->width) {
            *narrowest = *arm;
        }
        arm->mouth_count = 0; // is none any more: see drop_joined()
    }
    return spread(find, 0, end, INT32_MAX, enters_arm, &meet, NULL);
}

/// Takes passages that were joined to others out of the list and gives labels their new numbers.
static void drop_joined(finder *find, thg_passages *passages)
{
    uint32_t *number = find->queue; // THG_MAX_PASSAGES words
    int kept = 0;
    for (int i = 0; i < passages->count; i++) {
        if (passages->passages[i].mouth_count > 0) {
            number[i] = (uint32_t)kept;
            passages->passages[kept++] = passages->passages[i];
        }
    }
    for (size_t cell = 0; cell < find->map->padded_count; cell++) {
        uint16_t label = find->label[cell];
        if (label == REJECTED) {
            find->label[cell] = 0;
        } else if (label != 0) {
            uint32_t now = number[THG_LABEL_PASSAGE(label)];
            find->label[cell] = (uint16_t)((now + 1) << 4 | THG_INSIDE);
        }
    }
    passages->count = kept;
}

/// Makes a passage of what hangs together with a seed, unless it is none.
static void try_seed(finder *find, size_t seed, float most, thg_passages *passages)
{
    uint32_t shortest = CHORD_LENGTH(find->chord[seed]);
    uint16_t label = (uint16_t)((passages->count + 1) << 4 | THG_INSIDE);
    bool widening = is_rim_of_narrower(find, seed);
    body_rule rule = {(uint32_t)((float)shortest * WIDER) + 10, widening ? REJECTED : label};
    find->label[seed] = rule.label;
    find->queue[0] = (uint32_t)seed;
    size_t end = spread(find, 0, 1, INT32_MAX, enters_body, &rule, NULL);
    if (widening) {
        return;
    }
    thg_passage passage = {0};
    float width = 0.1f * (float)shortest * find->map->cell_size;
    size_t middle = middle_of_body(find, end, shortest);
    thg_passage arm = {0};
    end = join_arms(find, end, width, label, passages, &arm);
    width = arm.width > 0.0f ? arm.width : width;
    int count = find_mouths(find, end, width, label, passage.mouths);
    if (count < 2 || count > THG_MAX_MOUTHS) {
        for (size_t i = 0; i < end; i++) {
            find->label[find->queue[i]] = REJECTED;
        }
        junction niches = {.own = REJECTED, .arms = {label}, .count = 1};
        spread(find, 0, end, INT32_MAX, enters_arm, &niches, NULL);
        return;
    }
    passage.mouth_count = count;
    cut_through(find, middle, most, &passage);
    if (arm.width > 0.0f) {
        passage.from = arm.from;
        passage.to = arm.to;
        passage.width = arm.width;
    }
    passage.length = passage_length(&passage);
    passage.straight = count == 2 && mouths_see_each_other(find, &passage);
    passages->passages[passages->count++] = passage;
}

/// Labels what lies before the mouths: each free cell by the mouth that is the fewest steps away.
static void label_reach(finder *find, const thg_passages *passages)
{
    const throng_map *map = find->map;
    const ptrdiff_t steps[4] = {1, map->stride, -1, -(ptrdiff_t)map->stride};
    size_t end = 0;
    for (int i = 0; i < passages->count; i++) {
        const thg_passage *passage = &passages->passages[i];
        for (int k = 0; k < passage->mouth_count; k++) {
            uint32_t cell = passage->mouths[k].cell;
            if (find->label[cell] == 0 && end < find->queue_count) {
                find->label[cell] = (uint16_t)((i + 1) << 4 | k);
                find->queue[end++] = cell;
            }
        }
    }
    // Steps go along the axes: half as much again reaches as far on the diagonal.
    int rings = (int)(1.42f * THG_PASSAGE_REACH * map->inverse_cell_size) + 1;
    size_t first = 0;
    for (int ring = 0; ring < rings && first < end; ring++) {
        size_t ring_end = end;
        for (size_t i = first; i < ring_end; i++) {
            for (int k = 0; k < 4; k++) {
                size_t next = find->queue[i] + (size_t)steps[k];
                if (end < find->queue_count && is_free(find, next) && find->label[next] == 0) {
                    find->label[next] = find->label[find->queue[i]];
                    find->queue[end++] = (uint32_t)next;
                }
            }
        }
        first = ring_end;
    }
}

void thg_passages_find(const throng_map *map, const thg_layer *layer, float most_width,
                       thg_passage_scratch *scratch, thg_passages *passages)
{
    finder find = {.map = map,
                   .layer = layer,
                   .chord = scratch->chord,
                   .label = passages->label,
                   .queue = scratch->queue,
                   .order = scratch->order,
                   .queue_count = scratch->queue_count,
                   .mark = scratch->mark};
    float cells = most_width * map->inverse_cell_size + 0.01f;
    int most = cells < (float)MOST_CHORD ? (int)cells : MOST_CHORD;
    passages->count = 0;
    passages->cut = false;
    memset(passages->label, 0, map->padded_count * sizeof *passages->label);
    fill_chords(&find, most);
    list_seeds(&find, most);
    for (size_t i = 0; i < find.seed_count; i++) {
        if (find.label[find.order[i]] != 0) {
            continue;
        }
        if (passages->count == THG_MAX_PASSAGES) {
            passages->cut = true;
            break;
        }
        try_seed(&find, find.order[i], 1.5f * (float)most, passages);
    }
    drop_joined(&find, passages);
    label_reach(&find, passages);
}

// ---- Memory -------------------------------------------------------------------------------------

throng_result thg_passages_create(const throng_map *map, thg_passages *passages)
{
    *passages = (thg_passages){0};
    passages->label = thg_allocate(map->padded_count, sizeof *passages->label);
    passages->passages = thg_allocate(THG_MAX_PASSAGES, sizeof *passages->passages);
    return passages->label != NULL && passages->passages != NULL ? THRONG_OK : THRONG_NO_MEMORY;
}

void thg_passages_release(const throng_map *map, thg_passages *passages)
{
    thg_release(passages->label, map->padded_count, sizeof *passages->label);
    thg_release(passages->passages, THG_MAX_PASSAGES, sizeof *passages->passages);
    *passages = (thg_passages){0};
}

throng_result thg_passage_scratch_create(const throng_map *map, thg_passage_scratch *scratch)
{
    *scratch = (thg_passage_scratch){.queue_count = map->padded_count + MOST_CHORD * 10 + 2};
    scratch->chord = thg_allocate(map->padded_count, sizeof *scratch->chord);
    scratch->queue = thg_allocate(scratch->queue_count, sizeof *scratch->queue);
    scratch->order = thg_allocate(map->padded_count, sizeof *scratch->order);
    scratch->mark = thg_allocate(map->padded_count, 1);
    return scratch->chord && scratch->queue && scratch->order && scratch->mark ? THRONG_OK
                                                                               : THRONG_NO_MEMORY;
}

void thg_passage_scratch_release(const throng_map *map, thg_passage_scratch *scratch)
{
    thg_release(scratch->chord, map->padded_count, sizeof *scratch->chord);
    thg_release(scratch->queue, scratch->queue_count, sizeof *scratch->queue);
    thg_release(scratch->order, map->padded_count, sizeof *scratch->order);
    thg_release(scratch->mark, map->padded_count, 1);
    *scratch = (thg_passage_scratch){0};
}
