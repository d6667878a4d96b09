/// Finding passages: chords, bodies, mouths.
///
/// A chord is a run of free cells from wall to wall along one of four axes, at most so long, whose
/// middle is as far from walls as the run's length promises; so the slanted chords in corners and
/// wedges do not count. Each cell keeps its shortest. From the shortest chord of all on, cells that
/// hang together and are hardly wider make a body; the free cells round it fall into parts, each of
/// them a mouth. A body whose narrowest place is the rim of a narrower body of the same direction
/// is only its widening. Ends, sums and ties go by cell index, so the result is a function of the
/// map.
#include "map/passage_finder.h"

#define WIDER 1.3f           ///< times its narrowest that a body may be wide
#define JUNCTION_MIDDLE 1.5f ///< squares of its width that a junction's middle may be large
#define JUNCTION_ARM 8.0f    ///< metres of an arm that still belongs to its junction
#define REJECTED UINT16_MAX  ///< label of a body that is no passage, while others are found

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
    int count = thg_passage_mouths(find, end, width, label, passage.mouths);
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
    thg_passage_chords(&find, most);
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
