/// May I build here? Whether a rectangle of walls would part what is joined now.
///
/// The cells that would no longer fit lie within the class's radius of the rectangle. Whatever they
/// joined is joined by cells beside them; so the fitting cells that touch them are the ends to be
/// joined anew. Fronts grow from the ends in turn, one cell each, and are united where they meet
/// (union by linking of their queues); the ends of one region must all be united in the end. A
/// front that has nothing left to grow into belongs to a part that would be cut off. First this is
/// played in the smallest box round the rectangle, then, only if that does not unite the ends, on
/// the whole map.
#include "map/map.h"
#include <string.h>
#include <throng/query.h>

#define BUILD_COOKIE 0x4255494cu

throng_build_query throng_default_build_query(void)
{
    throng_build_query query;
    memset(&query, 0, sizeof query);
    query.cookie = BUILD_COOKIE;
    query.terrain = THRONG_WALL;
    query.snap_distance = 2.0f;
    return query;
}

/// Columns first_x to end_x - 1 and rows first_y to end_y - 1.
typedef struct box {
    int first_x, first_y, end_x, end_y;
} box;

/// The building, as the class sees it.
typedef struct building {
    const throng_map *map;
    const thg_layer *layer;
    box walls;       ///< the rectangle, inside the map
    box reach;       ///< all cells that may stop to fit, inside the map
    uint32_t needed; ///< squared half cells of clearance
} building;

/// Two cells of a queue, and what they stand for. A front is known by its first end.
typedef struct front {
    uint32_t parent;     ///< another front, or itself
    uint32_t head, tail; ///< cells of the box, counted from 1; 0 none
    uint32_t turn;       ///< of the list of fronts that still grow: who is at this place
    int32_t region;
} front;

/// The box in which fronts grow.
typedef struct growth {
    const building *what;
    box area;
    uint32_t *front_of; ///< per cell of the area, counted from 1; 0 none
    uint32_t *next;     ///< per cell: the cell that is to be looked at after it
    front *fronts;      ///< [front_capacity + 1]
    uint32_t front_count, front_capacity;
    int parted; ///< united fronts that still have to meet another of their region
    int64_t looked;
} growth;

static box clipped(const throng_map *map, int64_t first_x, int64_t first_y, int64_t end_x,
                   int64_t end_y)
{
    box area = {first_x > 0 ? (int)first_x : 0, first_y > 0 ? (int)first_y : 0,
                end_x < map->width ? (int)end_x : map->width,
                end_y < map->height ? (int)end_y : map->height};
    return area;
}

static bool is_empty(const box *area)
{
    return area->first_x >= area->end_x || area->first_y >= area->end_y;
}

static size_t box_cells(const box *area)
{
    return (size_t)(area->end_x - area->first_x) * (size_t)(area->end_y - area->first_y);
}

/// Half cells between the middle of a cell and [first, end] along one axis.
static int64_t half_gap(int cell, int first, int end)
{
    int64_t middle = 2 * (int64_t)cell + 1;
    int64_t below = 2 * (int64_t)first - middle;
    int64_t above = middle - 2 * (int64_t)end;
    int64_t gap = below > above ? below : above;
    return gap > 0 ? gap : 0;
}

/// True when the class would not fit at a cell because of the new walls.
static bool is_covered(const building *what, int x, int y)
{
    int64_t dx = half_gap(x, what->walls.first_x, what->walls.end_x);
    int64_t dy = half_gap(y, what->walls.first_y, what->walls.end_y);
    return (dx == 0 && dy == 0) || (uint64_t)(dx * dx + dy * dy) < what->needed;
}

static bool fits_after(const building *what, int x, int y)
{
    return what->layer->price[thg_padded_index(what->map, x, y)] != 0 && !is_covered(what, x, y);
}

static uint32_t root_of(front *fronts, uint32_t at)
{
    while (fronts[at].parent != at) {
        fronts[at].parent = fronts[fronts[at].parent].parent;
        at = fronts[at].parent;
    }
    return at;
}

static uint32_t area_cell(const growth *grow, int x, int y)
{
    return (uint32_t)((size_t)(y - grow->area.first_y) *
                          (size_t)(grow->area.end_x - grow->area.first_x) +
                      (size_t)(x - grow->area.first_x)) +
           1u;
}

/// Links the queue of one front behind another's, and makes them one.
static void unite(growth *grow, uint32_t a, uint32_t b)
{
    a = root_of(grow->fronts, a);
    b = root_of(grow->fronts, b);
    if (a == b) {
        return;
    }
    front *into = &grow->fronts[a < b ? a : b];
    front *from = &grow->fronts[a < b ? b : a];
    from->parent = into->parent;
    if (into->head == 0) {
        into->head = from->head;
    } else if (from->head != 0) {
        grow->next[into->tail] = from->head;
    }
    into->tail = from->tail != 0 ? from->tail : into->tail;
    grow->parted--;
}

static void append(growth *grow, uint32_t at, uint32_t cell)
{
    front *to = &grow->fronts[at];
    grow->front_of[cell] = at;
    grow->next[cell] = 0;
    if (to->head == 0) {
        to->head = cell;
    } else {
        grow->next[to->tail] = cell;
    }
    to->tail = cell;
}

/// Begins a front at a cell, unless one has been there. False when there is no room for more.
static bool add_end(growth *grow, int x, int y)
{
    uint32_t cell = area_cell(grow, x, y);
    if (grow->front_of[cell] != 0) {
        return true;
    }
    if (grow->front_count == grow->front_capacity) {
        return false;
    }
    uint32_t at = ++grow->front_count;
    int32_t region = grow->what->layer->region[thg_padded_index(grow->what->map, x, y)];
    grow->fronts[at] = (front){at, 0, 0, at, region};
    append(grow, at, cell);
    return true;
}

/// Grows a front by the cell that waits longest.
static void grow_front(growth *grow, uint32_t at)
{
    front *from = &grow->fronts[at];
    uint32_t cell = from->head;
    from->head = grow->next[cell];
    from->tail = from->head != 0 ? from->tail : 0;
    int width = grow->area.end_x - grow->area.first_x;
    int x = grow->area.first_x + (int)((cell - 1u) % (uint32_t)width);
    int y = grow->area.first_y + (int)((cell - 1u) / (uint32_t)width);
    for (int move = 0; move < 4; move++) {
        int to_x = x + thg_move_x[move];
        int to_y = y + thg_move_y[move];
        if (to_x < grow->area.first_x || to_x >= grow->area.end_x || to_y < grow->area.first_y ||
            to_y >= grow->area.end_y || !fits_after(grow->what, to_x, to_y)) {
            continue;
        }
        uint32_t to = area_cell(grow, to_x, to_y);
        grow->looked++;
        if (grow->front_of[to] != 0) {
            unite(grow, at, grow->front_of[to]);
            at = root_of(grow->fronts, at);
        } else {
            append(grow, at, to);
        }
    }
}

/// How many fronts are left, less one for every region: what has to be united yet. Quadratic in
/// the regions that meet at one building, which are few.
static int count_parted(const growth *grow)
{
    int parted = 0;
    for (uint32_t i = 1; i <= grow->front_count; i++) {
        bool first = true;
        for (uint32_t k = 1; k < i && first; k++) {
            first = grow->fronts[k].region != grow->fronts[i].region;
        }
        parted += !first;
    }
    return parted;
}

/// True when a front that cannot grow any more has not met another of its region: it has seen all
/// it ever will, and the other is outside.
static bool is_alone(const growth *grow, uint32_t at)
{
    for (uint32_t other = 1; other <= grow->front_count; other++) {
        if (other != at && grow->fronts[other].parent == other &&
            grow->fronts[other].region == grow->fronts[at].region) {
            return true;
        }
    }
    return false;
}

/// Lets the fronts grow in turn until all of each region have met (true), or none can grow (false).
/// Where the area is the whole map, one that ends alone decides.
static bool grow_together(growth *grow, bool whole)
{
    front *fronts = grow->fronts;
    uint32_t growing = grow->front_count;
    grow->parted = count_parted(grow);
    while (grow->parted > 0 && growing > 0) {
        uint32_t kept = 0;
        for (uint32_t i = 1; i <= growing && grow->parted > 0; i++) {
            uint32_t at = fronts[i].turn;
            if (fronts[at].parent != at) {
                continue; // another grows for it
            }
            if (fronts[at].head != 0) {
                grow_front(grow, at);
                fronts[++kept].turn = at;
            } else if (whole && is_alone(grow, at)) {
                return false;
            }
        }
        growing = kept;
    }
    return grow->parted == 0;
}

static void growth_end(growth *grow)
{
    size_t cells = box_cells(&grow->area) + 1;
    thg_release(grow->front_of, cells, sizeof *grow->front_of);
    thg_release(grow->next, cells, sizeof *grow->next);
    thg_release(grow->fronts, (size_t)grow->front_capacity + 1, sizeof *grow->fronts);
}

static bool growth_begin(growth *grow, const building *what, box area, size_t ends)
{
    *grow = (growth){.what = what, .area = area, .front_capacity = (uint32_t)ends};
    size_t cells = box_cells(&area) + 1;
    grow->front_of = thg_allocate(cells, sizeof *grow->front_of);
    grow->next = thg_allocate(cells, sizeof *grow->next);
    grow->fronts = thg_allocate(ends + 1, sizeof *grow->fronts);
    if (grow->front_of == NULL || grow->next == NULL || grow->fronts == NULL) {
        growth_end(grow);
        return false;
    }
    return true;
}

/// True when a cell fits afterwards and touches one that fits only before.
static bool is_end(const building *what, int x, int y)
{
    if (!fits_after(what, x, y)) {
        return false;
    }
    for (int move = 0; move < 4; move++) {
        int to_x = x + thg_move_x[move];
        int to_y = y + thg_move_y[move];
        if (throng_map_fits(what->map, (int)(what->layer - what->map->layers), to_x, to_y) &&
            is_covered(what, to_x, to_y)) {
            return true;
        }
    }
    return false;
}

/// Begins a front at every end round the building.
static void add_ends(growth *grow)
{
    const building *what = grow->what;
    box ring =
        clipped(what->map, (int64_t)what->reach.first_x - 1, (int64_t)what->reach.first_y - 1,
                (int64_t)what->reach.end_x + 1, (int64_t)what->reach.end_y + 1);
    for (int y = ring.first_y; y < ring.end_y; y++) {
        for (int x = ring.first_x; x < ring.end_x; x++) {
            grow->looked++;
            // Deep inside the rectangle nothing fits afterwards.
            if (y > what->walls.first_y && y < what->walls.end_y - 1 && x > what->walls.first_x &&
                x < what->walls.end_x - 1) {
                x = what->walls.end_x - 2;
            } else if (is_end(what, x, y) && !add_end(grow, x, y)) {
                return; // cannot be: there is room for all cells of the ring's box
            }
        }
    }
}

/// Cells of the ring's box outside the rectangle: no more ends can there be.
static size_t most_ends(const building *what, const box *area)
{
    return box_cells(area) - box_cells(&what->walls);
}

/// Whether the ends meet round the building, in the box `area`.
static throng_result ends_meet(const building *what, box area, const box *ring, bool whole,
                               bool *meet, int64_t *looked)
{
    growth grow;
    if (!growth_begin(&grow, what, area, most_ends(what, ring))) {
        return THRONG_NO_MEMORY;
    }
    add_ends(&grow);
    *meet = grow_together(&grow, whole);
    *looked += grow.looked;
    growth_end(&grow);
    return THRONG_OK;
}

/// Whether the kept places still meet, on the whole map.
static throng_result kept_meet(const building *what, const throng_build_query *query, bool *meet,
                               int64_t *looked)
{
    growth grow;
    box all = {0, 0, what->map->width, what->map->height};
    if (!growth_begin(&grow, what, all, (size_t)query->keep_count)) {
        return THRONG_NO_MEMORY;
    }
    for (int i = 0; i < query->keep_count; i++) {
        int x, y;
        if (thg_map_snap(what->map, query->class_index, query->keep[i], query->snap_distance, &x,
                         &y)) {
            add_end(&grow, x, y);
        }
    }
    *meet = grow_together(&grow, true);
    *looked += grow.looked;
    growth_end(&grow);
    return THRONG_OK;
}

/// True when the class would not fit at a kept place any more.
static bool covers_kept(const building *what, const throng_build_query *query)
{
    for (int i = 0; i < query->keep_count; i++) {
        int x, y;
        if (thg_map_snap(what->map, query->class_index, query->keep[i], query->snap_distance, &x,
                         &y) &&
            is_covered(what, x, y)) {
            return true;
        }
    }
    return false;
}

static bool query_valid(const throng_map *map, const throng_build_query *query)
{
    return query->cookie == BUILD_COOKIE && query->class_index >= 0 &&
           query->class_index < map->layer_count && query->terrain >= 0 &&
           query->terrain < map->terrain_count && query->rect.width >= 0 &&
           query->rect.height >= 0 && query->keep_count >= 0 &&
           (query->keep_count == 0 || query->keep != NULL) && query->snap_distance >= 0.0f;
}

static building building_of(const throng_map *map, const throng_build_query *query)
{
    const throng_cell_rect *rect = &query->rect;
    building what = {.map = map, .layer = &map->layers[query->class_index]};
    what.walls = clipped(map, rect->x, rect->y, (int64_t)rect->x + rect->width,
                         (int64_t)rect->y + rect->height);
    what.needed = thg_layer_clearance_needed(map, what.layer);
    int64_t margin = 0; // cells beyond the rectangle whose middles are nearer than needed
    while (margin <= THRONG_MAX_MAP_SIDE &&
           (uint64_t)((2 * margin + 1) * (2 * margin + 1)) < what.needed) {
        margin++;
    }
    what.reach = clipped(map, what.walls.first_x - margin, what.walls.first_y - margin,
                         what.walls.end_x + margin, what.walls.end_y + margin);
    return what;
}

throng_result throng_query_build(const throng_map *map, const throng_build_query *query,
                                 throng_build_answer *answer)
{
    *answer = (throng_build_answer){0};
    if (map->planet != NULL || !query_valid(map, query)) {
        return THRONG_BAD_ARGUMENT;
    }
    building what = building_of(map, query);
    bool blocks = (what.layer->blocked_terrains >> query->terrain) & 1u;
    if (!blocks || is_empty(&what.walls)) {
        return THRONG_OK;
    }
    box ring = clipped(map, (int64_t)what.reach.first_x - 1, (int64_t)what.reach.first_y - 1,
                       (int64_t)what.reach.end_x + 1, (int64_t)what.reach.end_y + 1);
    if (covers_kept(&what, query)) {
        answer->cuts = true;
        return THRONG_OK;
    }
    bool meet = true;
    throng_result result = ends_meet(&what, ring, &ring, false, &meet, &answer->cells);
    if (result == THRONG_OK && !meet) {
        box all = {0, 0, map->width, map->height};
        result = query->keep_count > 0 ? kept_meet(&what, query, &meet, &answer->cells)
                                       : ends_meet(&what, all, &ring, true, &meet, &answer->cells);
    }
    answer->cuts = !meet;
    return result;
}
