/// What the files of field/ share: the solver's memory, its two queues, and the parts of a field.
#ifndef THG_SOLVER_H
#define THG_SOLVER_H

#include "field/field.h"
#include "field/square.h"

#define THG_EIKONAL_PER_PRICE (THRONG_EIKONAL_UNIT / THG_PRICE_UNIT)
#define THG_BALL_RADIUS 9.0f  ///< cells round a goal point that get exact distances
#define THG_BALL_GOALS 64     ///< goals of more parts than this get none
#define THG_QUEUE_LIMIT 4096u ///< buckets a queue may have
#define THG_CHUNK 32u         ///< words of a chunk: a link and entries
#define THG_PER_CHUNK (THG_CHUNK - 1u)

/// One buffer of results. `first` to `end` is all that may differ from unreached.
typedef struct thg_buffer {
    uint32_t *cost; ///< padded
    int8_t *flow;   ///< padded, two a cell
    size_t first, end;
    bool has_flow;
    uint32_t reached_count;
} thg_buffer;

/// Circular buckets of width 2^shift, each a list of chunks. A cell is at most once in a bucket; an
/// entry whose cell has left is stale. When chunks run out, stale entries are dropped; the rest
/// always fits (see thg_queue_reset).
typedef struct thg_queue {
    uint32_t *words;       ///< chunk c: words [c * THG_CHUNK], the first a link; 0 is none
    uint32_t chunk_count;  ///< as many fit in the solver's list memory
    uint32_t free_chunk;   ///< list of released chunks
    uint32_t fresh_chunk;  ///< first chunk never used
    uint32_t *head, *fill; ///< per bucket: newest chunk and how many entries it holds
    uint32_t limit;        ///< buckets there is memory for, a power of two
    uint32_t mask, shift;
    uint32_t current;     ///< number (not slot) of the bucket that is being emptied
    uint32_t entry_count; ///< stale ones included
} thg_queue;

/// Three flat lists for steps of two lengths: this bucket, the next, the one after.
typedef struct thg_lists {
    uint32_t *list[3];
    uint32_t count[3];
    uint32_t read; ///< entries of list[0] that are done
    uint32_t base; ///< lowest cost of this bucket
    uint32_t straight, diagonal;
    bool far; ///< saturated: first in, first out until nothing changes
} thg_lists;

/// Which of the two eikonal solvers runs.
typedef enum thg_eikonal_way { THG_WAY_AUTO, THG_WAY_BUCKETS, THG_WAY_TILES } thg_eikonal_way;

typedef enum thg_phase {
    THG_IDLE = 0,
    THG_REPAIR, ///< takes back what an edit left without support
    THG_INTEGRATE,
    THG_FLOW,  ///< directions of fitting cells, cell by cell
    THG_SEEK,  ///< find cells beside reached ones that need a lead
    THG_LEADS, ///< spread leads breadth first
} thg_phase;

/// What the tile solver knows of each tile.
typedef struct thg_square {
    uint16_t woken[THG_SQUARE_SIDES]; ///< which cells across each side fell since the last visit
    uint16_t fits[THG_SQUARE_SIDES];  ///< which of its own cells along each side fit
    uint32_t key;                     ///< lowest cost that it waits for
    uint32_t slot;                    ///< bucket that it waits in
    uint32_t before, behind;          ///< others in that bucket
    bool waits;
    bool surveyed; ///< `fits` is known
    bool whole;    ///< any of its cells may be too high
} thg_square;

typedef struct thg_squares thg_squares;

/// A repair under way. Cells that wait for their test are a ring in the first padded_count entries
/// of the solver; the next padded_count are cells whose tiles must be visited.
typedef struct thg_repair {
    size_t first, count;
    size_t listed;
} thg_repair;

struct thg_solver {
    const throng_map *map;
    throng_jobs *jobs;   ///< NULL: the caller's thread
    throng_field *field; ///< being solved; NULL none
    thg_buffer back;
    uint8_t *mark; ///< per cell: directions it was reached from, or "queued"; 0 where untouched
    size_t mark_first, mark_end; ///< all of `mark` that the last finished solve may have left set
    uint32_t *entries;           ///< memory of the queue, of the lists, and of the leads
    size_t entry_words;
    thg_queue queue;
    thg_lists lists;
    thg_phase phase;
    bool uniform; ///< the lists are in use, not the queue
    bool tiled;   ///< the tiles are
    thg_squares *tiles;
    bool repairing;   ///< the back buffer began as a copy of the front
    uint8_t *touched; ///< in a repair: thg_touched() says of what
    thg_repair repair;
    thg_eikonal_way way; ///< for tests and benchmarks
    thg_prices prices;
    uint32_t version; ///< map version this solve is for
    size_t cursor;    ///< cell of the flow and seek passes
    int flow_owed;    ///< cells of a repaired row that no budget has paid for yet
    size_t lead_read, lead_count;
    bool far_seen; ///< a fitting cell at THRONG_FAR
    uint8_t (
        *successors)[256]; ///< moves worth trying: by set of directions of arrival, moves allowed
};

/// A shape with its own arrays.
typedef struct thg_goal_copy {
    throng_goal_shape shape;
    throng_vec2 *points;
    throng_rect *rects;
    int *cells;
    int point_capacity, rect_capacity, cell_capacity;
    throng_vec2 *resolved[2]; ///< points in cells, snapped: of the front buffer and of the back
    int resolved_count[2];
    int resolved_capacity[2];
} thg_goal_copy;

/// What the front buffer was solved for.
typedef struct thg_solved {
    uint16_t *price; ///< padded; NULL for octile fields
    uint64_t goal_hash;
    bool known; ///< the rest counts: the layer's prices, and no cost at THRONG_FAR
} thg_solved;

struct throng_field {
    const throng_map *map;
    int class_index;
    throng_metric metric;
    thg_goal_copy goal;
    thg_prices prices; ///< `price` NULL: the layer's
    thg_solver *solver;
    bool owns_solver;
    thg_buffer front;
    thg_solved solved;
    uint32_t version; ///< solves so far
};

static inline const thg_layer *thg_field_layer(const throng_field *field)
{
    return &field->map->layers[field->class_index];
}

/// What the next solve reckons with.
static inline thg_prices thg_field_prices(const throng_field *field)
{
    const thg_layer *layer = thg_field_layer(field);
    return field->prices.price != NULL
               ? field->prices
               : (thg_prices){layer->price, layer->min_price, layer->max_price};
}

/// False where the class fits in any open cell: then there is nobody to lead.
static inline bool thg_has_leads(const throng_field *field)
{
    return thg_field_layer(field)->def.radius > 0.5f * field->map->cell_size;
}

static inline uint32_t thg_field_unit(const throng_field *field)
{
    return field->metric == THRONG_OCTILE ? THRONG_OCTILE_UNIT : THRONG_EIKONAL_UNIT;
}

/// Cost of a straight (13,860) or diagonal (19,601) step between cells of two prices.
static inline uint32_t thg_octile_step(uint32_t price_a, uint32_t price_b, uint32_t length)
{
    return ((price_a + price_b) * length) >> 7;
}

/// Integer square root of a value below 2^52: the correctly rounded root of doubles cannot reach
/// the next integer there.
uint32_t thg_root(uint64_t value);

/// Cost of a cell from its lower horizontal and vertical neighbours (or THRONG_UNREACHED) and
/// its own crossing cost k < 2^25: the exact floor of Godunov's update, at most THRONG_FAR.
uint32_t thg_eikonal_update(uint32_t a, uint32_t b, uint32_t k);

// ---- goal.c
throng_result thg_goal_copy_set(thg_goal_copy *goal, const throng_goal_shape *shape);
void thg_goal_copy_release(thg_goal_copy *goal);
/// Snaps the points for the map as it is, into resolved[1].
void thg_goal_resolve(throng_field *field);
/// Makes the points in resolved[1] those that are read, too.
void thg_goal_show_points(thg_goal_copy *goal);
/// Calls seed(context, padded index, cost) for every cell whose cost the goal gives.
typedef void thg_seed(void *context, uint32_t cell, uint32_t cost);
void thg_goal_seed(const throng_field *field, thg_seed *seed, void *context);
/// True when a cell belongs to a rectangle or to the cells of the goal.
bool thg_goal_has_cell(const throng_field *field, int x, int y);

// ---- queue.c
/// Empties the queue and chooses its buckets: width at most `width` if the memory allows, range at
/// least `range`.
void thg_queue_reset(thg_solver *solver, uint32_t width, uint64_t range);
/// Makes room for one more entry of a bucket, dropping stale entries of all when there is none.
void thg_queue_grow(thg_solver *solver, uint32_t cell, uint32_t slot);

/// Adds a cell at its cost unless it is there already; its cost was `before`.
static inline void thg_queue_push(thg_solver *solver, uint32_t cell, uint32_t cost, uint32_t before)
{
    thg_queue *queue = &solver->queue;
    uint32_t number = cost >> queue->shift;
    if (solver->mark[cell] != 0 && before >> queue->shift == number) {
        return;
    }
    THRONG_ASSERT(number >= queue->current && number - queue->current <= queue->mask);
    uint32_t slot = number & queue->mask;
    if (queue->fill[slot] == 0 || queue->fill[slot] == THG_PER_CHUNK) {
        thg_queue_grow(solver, cell, slot);
    }
    queue->words[(size_t)queue->head[slot] * THG_CHUNK + ++queue->fill[slot]] = cell;
    solver->mark[cell] = 1;
    queue->entry_count++;
}

/// Takes an entry of the lowest bucket; false when the queue is empty. Entries may be stale: then
/// the cell's mark is 0.
static inline bool thg_queue_pop(thg_solver *solver, uint32_t *cell)
{
    thg_queue *queue = &solver->queue;
    if (queue->entry_count == 0) {
        return false;
    }
    uint32_t slot = queue->current & queue->mask;
    while (queue->head[slot] == 0) {
        slot = ++queue->current & queue->mask;
    }
    uint32_t *chunk = queue->words + (size_t)queue->head[slot] * THG_CHUNK;
    *cell = chunk[queue->fill[slot]--];
    queue->entry_count--;
    if (queue->fill[slot] == 0) {
        uint32_t emptied = queue->head[slot];
        queue->head[slot] = chunk[0];
        queue->fill[slot] = chunk[0] != 0 ? THG_PER_CHUNK : 0;
        chunk[0] = queue->free_chunk;
        queue->free_chunk = emptied;
    }
    return true;
}

/// Counts a cell into the range of the back buffer that must be cleared before the next solve.
static inline void thg_solver_touch(thg_solver *solver, size_t cell)
{
    solver->back.first = cell < solver->back.first ? cell : solver->back.first;
    solver->back.end = cell >= solver->back.end ? cell + 1 : solver->back.end;
}

static inline size_t thg_touched_count(const throng_map *map)
{
    return map->padded_count / (size_t)map->stride * (size_t)(map->width / THG_SQUARE + 1);
}

/// Whether costs or prices of 16 cells of a row may have changed in this repair: of columns
/// [16 n, 16 n + 16) of row y, which may be -1 or the height.
static inline uint8_t *thg_touched(const thg_solver *solver, int y, int n)
{
    return &solver->touched[(size_t)(y + 1) * (size_t)(solver->map->width / THG_SQUARE + 1) +
                            (size_t)n];
}

// ---- octile.c, eikonal.c: seed the queue, then take cells from it until the budget is used up
// (false) or nothing is left (true).
void thg_octile_prepare(thg_solver *solver);
void thg_octile_begin(thg_solver *solver);
bool thg_octile_advance(thg_solver *solver, int *cell_budget);
/// Costs below this are final.
uint32_t thg_octile_settled(const thg_solver *solver);
void thg_eikonal_begin(thg_solver *solver);
bool thg_eikonal_advance(thg_solver *solver, int *cell_budget);

// ---- tiles.c
#define THG_SQUARE_CELLS 64 ///< cells of the budget that a visit counts as: it takes as long
/// NULL when there is no memory.
thg_squares *thg_squares_create(const throng_map *map);
void thg_squares_destroy(thg_squares *tiles);
/// False, and nothing changed, where that build cannot run.
bool thg_squares_use(thg_solver *solver, thg_square_build build);
void thg_squares_begin(thg_solver *solver);
bool thg_squares_advance(thg_solver *solver, int *cell_budget);
/// Says that a cell, and any other of its tile, may be higher than its neighbours allow, the lowest
/// of which costs about `key`.
void thg_squares_mark(thg_solver *solver, size_t cell, uint32_t key);

/// Nobody waits, and no cell is known to be too high.
void thg_squares_reset(thg_solver *solver);

// ---- repair.c
typedef enum thg_repair_state {
    THG_REPAIR_GOES_ON,
    THG_REPAIR_DONE,    ///< the tile solver has the rest
    THG_REPAIR_TOO_MUCH ///< a solve from scratch is faster
} thg_repair_state;
/// Hash of what the goal gives, with the points that were resolved last.
uint64_t thg_goal_hash(const throng_field *field);
/// Notes what the back buffer, which is about to become the front, was solved for.
void thg_repair_keep(throng_field *field);
/// Makes the back buffer what is left of the front one. False where only a solve from scratch will
/// do. O(cells), but little for each.
bool thg_repair_begin(thg_solver *solver);
thg_repair_state thg_repair_advance(thg_solver *solver, int *cell_budget);
/// Derives the directions of row y where they may have changed, and copies the rest. Returns how
/// many it derived.
int thg_repair_flow_row(thg_solver *solver, int y);

// ---- flow.c
/// Goes on with the passes after integration; true when done.
bool thg_flow_advance(thg_solver *solver, int *cell_budget);
/// Index (0 to 7) of the allowed move that falls steepest from the cell at `cost`, -1 when none
/// falls.
int thg_flow_steepest(unsigned moves, const uint32_t *cost, ptrdiff_t stride);
/// Directions of `count` cells of a row from their costs, rows `stride` apart; `first` is the
/// padded index of the first on the map. Returns how many are reached; sets *far_seen at a
/// saturated one.
uint32_t thg_flow_row(const thg_layer *layer, size_t first, const uint32_t *cost, ptrdiff_t stride,
                      int count, int8_t *flow, bool *far_seen);

// ---- sample.c
/// Costs and directions of a part of the map with a rim of one cell, and whose they are.
typedef struct thg_reading {
    const throng_map *map;
    const thg_layer *layer;
    const uint32_t *cost; ///< at the rim's corner, rows `stride` apart
    const int8_t *flow;
    ptrdiff_t stride;
    int first_x, first_y; ///< the part's first cell
    uint32_t unit;
    const throng_vec2 *points; ///< of the goal, in cells
    int point_count;
} thg_reading;
/// throng_field_sample, of whatever was solved. The position's cell must lie in the part.
throng_sample thg_reading_sample(const thg_reading *reading, throng_vec2 position);

// ---- plain.c: the same results by the simplest means. `cost` holds padded_count words.
throng_result thg_plain_octile(throng_field *field, uint32_t *cost);
throng_result thg_plain_eikonal(throng_field *field, uint32_t *cost);
/// Fast marching on a binary heap in floats, the usual way: a benchmark's baseline, not a
/// reference.
throng_result thg_plain_marching(throng_field *field, float *cost);

/// Integrates only: no flow, no flip. The costs are in solver->back.
void thg_field_integrate(throng_field *field);

#endif
