/// Rows: for each door, the first arc of the shortest way to every other door, in runs.
///
/// A sweep carries the slot of its first arc in the low bits of each length, so the least key is
/// the shortest way and, of equal ones, the lowest slot; the hierarchy's searches break ties alike,
/// so it never shows which of the two answered. Targets lie in chunks, each with runs of its own.
#include "jobs/jobs.h"
#include "rooms/hierarchy.h"
#include "rooms/sweep.h"
#include <string.h>

#define MOST_ROW_WORDS 65535u
#define AHEAD 12u         ///< targets whose keys are fetched before they are read
#define ROW_STRIDE 65536u ///< words between the rows of two lanes

// ---- Sixteen rows ------------------------------------------------------------------------------

static uint32_t slot_mask(const throng_rooms *rooms)
{
    return (1u << rooms->rows.slot_bits) - 1u;
}

/// Starts one lane: the arcs up from its door, with their slots in the low bits. The door itself
/// stays far: whatever leaves it gets its slot here and in fall_lane.
static void leave_lane(const throng_rooms *rooms, uint32_t *keys, uint32_t door, uint32_t lane)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint32_t start = hierarchy->rank_of_door[door];
    for (uint32_t arc = hierarchy->first[start]; arc < hierarchy->first[start + 1]; arc++) {
        uint32_t price = thg_lane_price(hierarchy->up[arc], rooms->rows.slot_bits);
        uint32_t *other = &keys[(size_t)hierarchy->head[arc] * THG_LANES + lane];
        *other = price < THG_LANE_FAR ? price | hierarchy->up_slot[arc] : *other;
    }
}

/// Climbs the branches above all doors at once, each common rank for all lanes together.
static void climb_lanes(const thg_hierarchy *hierarchy, int slot_bits, int32_t *keys,
                        const uint32_t *doors, uint32_t count)
{
    uint32_t at[THG_LANES];
    for (uint32_t lane = 0; lane < count; lane++) {
        at[lane] = hierarchy->rank_of_door[doors[lane]];
    }
    for (;;) {
        uint32_t rank = THG_NONE;
        for (uint32_t lane = 0; lane < count; lane++) {
            rank = at[lane] < rank ? at[lane] : rank;
        }
        if (rank == THG_NONE) {
            return;
        }
        const int32_t *own = keys + (size_t)rank * THG_LANES;
        for (uint32_t arc = hierarchy->first[rank]; arc < hierarchy->first[rank + 1]; arc++) {
            int32_t *other = keys + (size_t)hierarchy->head[arc] * THG_LANES;
            int32_t price = (int32_t)thg_lane_price(hierarchy->up[arc], slot_bits);
            for (int lane = 0; lane < THG_LANES; lane++) {
                int32_t sum = own[lane] + price;
                other[lane] = sum < other[lane] ? sum : other[lane];
            }
        }
        for (uint32_t lane = 0; lane < count; lane++) {
            at[lane] = at[lane] == rank ? thg_parent(hierarchy, rank) : at[lane];
        }
    }
}

/// Ways that descend from the door at once: the arcs below it start with slots of their own.
static void fall_lane(const throng_rooms *rooms, uint32_t *keys, uint32_t door, uint32_t lane)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint32_t start = hierarchy->rank_of_door[door];
    int bits = rooms->rows.slot_bits;
    for (uint32_t i = hierarchy->lower_first[start]; i < hierarchy->lower_first[start + 1]; i++) {
        uint32_t arc = hierarchy->lower_arc[i];
        uint32_t price = thg_lane_price(hierarchy->down[arc], bits);
        if (price < THG_LANE_FAR) {
            uint32_t *own = &keys[(size_t)hierarchy->tail[arc] * THG_LANES + lane];
            uint32_t key = price | hierarchy->down_slot[arc];
            *own = key < *own ? key : *own;
        }
    }
}

/// The same for one door in 64 bits, whatever the lengths: into the lane's slots.
static void sweep_wide(const throng_rooms *rooms, thg_sweep *sweep, uint32_t door, uint32_t lane)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint64_t *keys = sweep->wide, far = (uint64_t)THG_FAR << 16;
    uint32_t start = hierarchy->rank_of_door[door];
    for (uint32_t rank = 0; rank < hierarchy->count; rank++) {
        keys[rank] = far;
    }
    for (uint32_t i = hierarchy->lower_first[start]; i < hierarchy->lower_first[start + 1]; i++) {
        uint32_t arc = hierarchy->lower_arc[i];
        keys[hierarchy->tail[arc]] =
            (uint64_t)hierarchy->down[arc] << 16 | hierarchy->down_slot[arc];
    }
    for (uint32_t rank = start; rank != THG_NONE; rank = thg_parent(hierarchy, rank)) {
        for (uint32_t arc = hierarchy->first[rank]; arc < hierarchy->first[rank + 1]; arc++) {
            uint64_t length = (uint64_t)hierarchy->up[arc] << 16;
            uint64_t sum = rank == start ? length | hierarchy->up_slot[arc] : keys[rank] + length;
            uint64_t *other = &keys[hierarchy->head[arc]];
            *other = sum < *other ? sum : *other;
        }
    }
    for (uint32_t rank = hierarchy->count; rank-- > 0;) {
        for (uint32_t arc = hierarchy->first[rank]; arc < hierarchy->first[rank + 1]; arc++) {
            uint64_t sum = keys[hierarchy->head[arc]] + ((uint64_t)hierarchy->down[arc] << 16);
            keys[rank] = sum < keys[rank] ? sum : keys[rank];
        }
    }
    for (uint32_t rank = 0; rank < hierarchy->count; rank++) {
        uint32_t slot = keys[rank] < far ? (uint32_t)(keys[rank] & 0xffffu) : slot_mask(rooms);
        sweep->keys[(size_t)rank * THG_LANES + lane] = slot;
    }
}

/// One lane's row while it is written.
typedef struct row_writer {
    uint16_t *words;
    uint32_t used; ///< 0: too long for a row
} row_writer;

static void start_run(const thg_rows *rows, row_writer *writer, uint32_t offset, uint32_t slot)
{
    if (writer->used >= MOST_ROW_WORDS) {
        writer->used = 0;
    }
    if (writer->used > 0) {
        writer->words[writer->used++] = (uint16_t)(offset << rows->slot_bits | slot);
    }
}

/// Appends what one chunk of targets adds to every lane's row. Most targets lie in the runs of the
/// one before in all lanes, which one comparison over the lanes shows.
static void compress_chunk(const throng_rooms *rooms, const uint32_t *keys, uint32_t first,
                           uint32_t end, row_writer *writers, uint32_t count)
{
    const uint32_t *rank_of_door = rooms->hierarchy.rank_of_door;
    uint32_t mask = slot_mask(rooms), current[THG_LANES];
    memset(current, 0xff, sizeof current);
    for (uint32_t to = first; to < end; to++) {
        const uint32_t *own = keys + (size_t)rank_of_door[to] * THG_LANES;
        thg_prefetch(keys + (size_t)rank_of_door[to + AHEAD < end ? to + AHEAD : to] * THG_LANES);
        uint32_t slots[THG_LANES], change = 0;
        for (int lane = 0; lane < THG_LANES; lane++) {
            slots[lane] = own[lane] & mask;
            change |= slots[lane] ^ current[lane];
        }
        for (uint32_t lane = 0; change != 0 && lane < count; lane++) {
            if (slots[lane] != current[lane]) {
                start_run(&rooms->rows, &writers[lane], to - first, slots[lane]);
            }
        }
        memcpy(current, slots, sizeof current);
    }
}

/// The rows of all lanes into sweep->row.
static void compress(const throng_rooms *rooms, thg_sweep *sweep, const uint32_t *doors,
                     uint32_t count, row_writer *writers)
{
    const thg_rows *rows = &rooms->rows;
    const uint32_t *rank_of_door = rooms->hierarchy.rank_of_door;
    for (uint32_t lane = 0; lane < count; lane++) {
        writers[lane].words = sweep->row + (size_t)lane * ROW_STRIDE;
        writers[lane].used = rows->chunk_count + 1;
        // Nobody asks a door for the way to itself: it goes with the target before.
        uint32_t other = doors[lane] > 0 ? doors[lane] - 1 : rooms->door_count - 1;
        sweep->keys[(size_t)rank_of_door[doors[lane]] * THG_LANES + lane] =
            sweep->keys[(size_t)rank_of_door[other] * THG_LANES + lane];
    }
    for (uint32_t chunk = 0; chunk <= rows->chunk_count; chunk++) {
        for (uint32_t lane = 0; lane < count; lane++) {
            writers[lane].words[chunk] = (uint16_t)writers[lane].used;
        }
        if (chunk < rows->chunk_count) {
            uint32_t first = chunk << rows->chunk_bits, end = first + (1u << rows->chunk_bits);
            end = end < rooms->door_count ? end : rooms->door_count;
            compress_chunk(rooms, sweep->keys, first, end, writers, count);
        }
    }
}

/// True when no arc is too long for a lane; whole ways may still be, which a sweep finds out.
static bool lanes_suffice(const throng_rooms *rooms, int slot_bits)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint32_t limit = THG_LANE_LONG >> slot_bits;
    for (uint32_t arc = 0; arc < hierarchy->arc_count; arc++) {
        if ((hierarchy->up[arc] >= limit && hierarchy->up[arc] < THG_FAR) ||
            (hierarchy->down[arc] >= limit && hierarchy->down[arc] < THG_FAR)) {
            return false;
        }
    }
    return true;
}

static void sweep_lanes(const throng_rooms *rooms, thg_sweep *sweep, const uint32_t *doors,
                        uint32_t count, bool short_lengths)
{
    size_t all = (size_t)rooms->hierarchy.count * THG_LANES;
    bool done = false;
    if (short_lengths) {
        for (size_t i = 0; i < all; i++) {
            sweep->keys[i] = THG_LANE_FAR;
        }
        for (uint32_t lane = 0; lane < count; lane++) {
            leave_lane(rooms, sweep->keys, doors[lane], lane);
            fall_lane(rooms, sweep->keys, doors[lane], lane);
        }
        climb_lanes(&rooms->hierarchy, rooms->rows.slot_bits, (int32_t *)sweep->keys, doors, count);
        done =
            thg_sweep_best()(&rooms->hierarchy, rooms->rows.slot_bits, sweep->keys) < THG_LANE_LONG;
    }
    for (uint32_t lane = 0; lane < count && !done; lane++) {
        sweep_wide(rooms, sweep, doors[lane], lane);
    }
}

bool thg_sweep_lengths(const throng_rooms *rooms, thg_sweep *sweep, const uint32_t *doors,
                       uint32_t count)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    if (!lanes_suffice(rooms, 0)) {
        return false;
    }
    for (size_t i = 0; i < (size_t)hierarchy->count * THG_LANES; i++) {
        sweep->keys[i] = THG_LANE_FAR;
    }
    for (uint32_t lane = 0; lane < count; lane++) {
        sweep->keys[(size_t)hierarchy->rank_of_door[doors[lane]] * THG_LANES + lane] = 0;
    }
    climb_lanes(hierarchy, 0, (int32_t *)sweep->keys, doors, count);
    return thg_sweep_best()(hierarchy, 0, sweep->keys) < THG_LANE_LONG;
}

// ---- All rows ----------------------------------------------------------------------------------

/// Rows are computed on all threads, sixteen on each, and stored by one, in order: so what fits,
/// and where, is the same for any number of threads.
typedef struct row_work {
    throng_rooms *rooms;
    const uint32_t *doors; ///< whose rows; NULL: all, in order
    uint32_t first, count; ///< those of this round
    bool short_lengths;
} row_work;

/// Words before each row: its door and its capacity, 32 bits each.
enum { ROW_HEAD = 4 };

static uint32_t read_two(const uint16_t *words)
{
    return (uint32_t)words[0] | (uint32_t)words[1] << 16;
}

static void write_two(uint16_t *words, uint32_t value)
{
    words[0] = (uint16_t)value;
    words[1] = (uint16_t)(value >> 16);
}

/// Moves all rows that are in use to the front, and forgets those that were replaced.
static void close_ranks(thg_rows *rows)
{
    size_t from = 0, to = 0;
    while (from < rows->word_count) {
        uint32_t door = read_two(rows->words + from);
        size_t size = ROW_HEAD + (size_t)read_two(rows->words + from + 2);
        if (rows->first[door] == from + ROW_HEAD) {
            memmove(rows->words + to, rows->words + from, size * sizeof(uint16_t));
            rows->first[door] = (uint32_t)(to + ROW_HEAD);
            to += size;
        }
        from += size;
    }
    rows->word_count = to;
}

/// Words that are in use, the heads of their rows not counted.
static size_t words_in_use(const throng_rooms *rooms)
{
    size_t sum = 0;
    for (uint32_t door = 0; door < rooms->door_count; door++) {
        sum += rooms->rows.capacity[door] > 0 ? rooms->rows.capacity[door] + ROW_HEAD : 0;
    }
    return sum;
}

/// Puts a row where the old one was, or behind all others. False when there is no room.
static bool store_row(throng_rooms *rooms, uint32_t door, const uint16_t *words, uint32_t count)
{
    thg_rows *rows = &rooms->rows;
    if (count == 0) {
        return false;
    }
    if (count > rows->capacity[door]) {
        uint32_t taken = count + 8; // many a row grows by a run or two
        if (rows->word_count + taken + ROW_HEAD + 8 > rows->word_capacity) {
            if (words_in_use(rooms) + taken + ROW_HEAD + 8 > rows->word_capacity) {
                return false;
            }
            close_ranks(rows);
        }
        write_two(rows->words + rows->word_count, door);
        write_two(rows->words + rows->word_count + 2, taken);
        rows->first[door] = (uint32_t)rows->word_count + ROW_HEAD;
        rows->capacity[door] = taken;
        rows->word_count += taken + ROW_HEAD;
    }
    memcpy(rows->words + rows->first[door], words, count * sizeof *words);
    rows->version[door] = rooms->version;
    return true;
}

static uint32_t round_doors(const row_work *work, uint32_t batch, uint32_t *doors)
{
    uint32_t from = batch * THG_LANES, count = 0;
    for (; count < THG_LANES && from + count < work->count; count++) {
        uint32_t at = work->first + from + count;
        doors[count] = work->doors != NULL ? work->doors[at] : at;
    }
    return count;
}

static void fill_batch(void *context, int first, int end, int block)
{
    row_work *work = context;
    uint32_t doors[THG_LANES] = {0}, count = round_doors(work, (uint32_t)block, doors);
    thg_sweep *sweep = &work->rooms->sweeps[block];
    row_writer writers[THG_LANES];
    (void)first;
    (void)end;
    sweep_lanes(work->rooms, sweep, doors, count, work->short_lengths);
    compress(work->rooms, sweep, doors, count, writers);
    for (uint32_t lane = 0; lane < count; lane++) {
        sweep->sizes[lane] = writers[lane].used;
    }
}

/// Computes and stores `count` rows; returns how many found no room.
static uint32_t fill_rows(throng_rooms *rooms, throng_jobs *jobs, const uint32_t *list,
                          uint32_t count)
{
    uint32_t most = (uint32_t)rooms->sweep_count * THG_LANES, left_out = 0, doors[THG_LANES] = {0};
    row_work work = {rooms, list, 0, 0, lanes_suffice(rooms, rooms->rows.slot_bits)};
    for (; work.first < count; work.first += work.count) {
        work.count = count - work.first < most ? count - work.first : most;
        uint32_t batches = (work.count + THG_LANES - 1) / THG_LANES;
        thg_parallel_for(jobs, (int)batches, 1, fill_batch, &work);
        for (uint32_t batch = 0; batch < batches; batch++) {
            uint32_t own = round_doors(&work, batch, doors);
            const thg_sweep *sweep = &rooms->sweeps[batch];
            for (uint32_t lane = 0; lane < own; lane++) {
                left_out += !store_row(rooms, doors[lane], sweep->row + (size_t)lane * ROW_STRIDE,
                                       sweep->sizes[lane]);
            }
        }
    }
    return left_out;
}

static bool create_sweeps(throng_rooms *rooms, int threads)
{
    size_t count = rooms->hierarchy.count;
    size_t most = (size_t)THG_LANES * ROW_STRIDE;
    for (; rooms->sweep_count < threads; rooms->sweep_count++) {
        thg_sweep *sweep = &rooms->sweeps[rooms->sweep_count];
        sweep->keys = thg_take(rooms, count * THG_LANES, sizeof(uint32_t), THG_SCRATCH);
        sweep->wide = thg_take(rooms, count, sizeof(uint64_t), THG_SCRATCH);
        sweep->row = thg_take(rooms, most, sizeof(uint16_t), THG_SCRATCH);
        if (sweep->keys == NULL || sweep->wide == NULL || sweep->row == NULL) {
            return false;
        }
    }
    return true;
}

static void choose_bits(throng_rooms *rooms)
{
    thg_rows *rows = &rooms->rows;
    rows->slot_bits = 1;
    while ((1u << rows->slot_bits) - 1u < rooms->most_slots) {
        rows->slot_bits++; // the last value says that there is no way
    }
    rows->chunk_bits = thg_min_int(10, 16 - rows->slot_bits);
    rows->chunk_count =
        rows->chunk_bits > 0
            ? (rooms->door_count + (1u << rows->chunk_bits) - 1u) >> rows->chunk_bits
            : 0;
}

/// Gives back what the rows do not need, but for an eighth to grow.
static bool pack_rows(throng_rooms *rooms, size_t limit)
{
    thg_rows *rows = &rooms->rows;
    size_t used = rows->word_count, capacity = used + used / 8 + 4096;
    capacity = capacity < limit ? capacity : limit;
    capacity = capacity < used + 8 ? used + 8 : capacity;
    uint16_t *words = thg_take(rooms, capacity, sizeof *words, THG_ROWS);
    if (words == NULL) {
        return false;
    }
    memcpy(words, rows->words, used * sizeof *words);
    thg_give(rooms, rows->words);
    rows->words = words;
    rows->word_capacity = capacity;
    return true;
}

/// Words that all rows may take, judged by sixteen of them.
static size_t guess_words(throng_rooms *rooms)
{
    uint32_t doors[THG_LANES] = {0}, count = rooms->door_count;
    uint32_t lanes = count < THG_LANES ? count : THG_LANES;
    size_t sum = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        doors[i] = (uint32_t)((uint64_t)i * count / lanes);
    }
    row_writer writers[THG_LANES];
    sweep_lanes(rooms, &rooms->sweeps[0], doors, lanes,
                lanes_suffice(rooms, rooms->rows.slot_bits));
    compress(rooms, &rooms->sweeps[0], doors, lanes, writers);
    for (uint32_t i = 0; i < lanes; i++) {
        sum += writers[i].used + 8 + ROW_HEAD;
    }
    return (size_t)((double)sum / lanes * count * 1.4) + 65536;
}

static int64_t count_runs(const throng_rooms *rooms)
{
    const thg_rows *rows = &rooms->rows;
    int64_t runs = 0;
    for (uint32_t door = 0; door < rooms->door_count; door++) {
        if (rows->version[door] != 0) {
            runs += rows->words[rows->first[door] + rows->chunk_count] - rows->chunk_count - 1;
        }
    }
    return runs;
}

throng_result thg_build_rows(throng_rooms *rooms, throng_jobs *jobs)
{
    thg_rows *rows = &rooms->rows;
    int threads = throng_jobs_thread_count(jobs);
    choose_bits(rooms);
    rows->first = thg_take(rooms, rooms->door_count, sizeof(uint32_t), THG_ROWS);
    rows->capacity = thg_take(rooms, rooms->door_count, sizeof(uint32_t), THG_ROWS);
    rows->version = thg_take(rooms, rooms->door_count, sizeof(uint32_t), THG_ROWS);
    if (rows->first == NULL || rows->capacity == NULL || rows->version == NULL ||
        !create_sweeps(rooms, threads)) {
        return THRONG_NO_MEMORY;
    }
    size_t limit = rooms->most_row_bytes / sizeof(uint16_t);
    if (rooms->door_count == 0 || rows->chunk_bits < 4 || limit == 0 ||
        rows->chunk_count >= MOST_ROW_WORDS / 2) {
        return THRONG_OK; // no rows: the hierarchy answers
    }
    size_t guess = guess_words(rooms);
    rows->word_capacity = guess < limit ? guess : limit;
    rows->words = thg_take(rooms, rows->word_capacity, sizeof(uint16_t), THG_ROWS);
    if (rows->words == NULL) {
        return THRONG_NO_MEMORY;
    }
    fill_rows(rooms, jobs, NULL, rooms->door_count);
    if (!pack_rows(rooms, limit)) {
        return THRONG_NO_MEMORY;
    }
    rows->runs = count_runs(rooms);
    return THRONG_OK;
}

int throng_rooms_refresh(throng_rooms *rooms, throng_jobs *jobs, int row_count)
{
    thg_rows *rows = &rooms->rows;
    enum { MOST_AT_ONCE = 1024 };
    uint32_t doors[MOST_AT_ONCE];
    while (row_count > 0 && rows->stale > 0) {
        uint32_t count = 0, looked = 0;
        for (; looked < rooms->door_count && count < MOST_AT_ONCE && (int)count < row_count;
             looked++) {
            uint32_t door = (rows->oldest + looked) % rooms->door_count;
            if (rows->version[door] != 0 && rows->version[door] != rooms->version) {
                doors[count++] = door;
            }
        }
        uint32_t left_out = fill_rows(rooms, jobs, doors, count);
        rows->oldest = (rows->oldest + looked) % rooms->door_count;
        rows->stale -= (int)(count - left_out);
        row_count -= (int)count;
        if (looked == rooms->door_count || count == 0) {
            break;
        }
    }
    return rows->stale;
}

uint32_t thg_row_slot(const thg_rows *rows, uint32_t from, uint32_t to)
{
    const uint16_t *row = rows->words + rows->first[from];
    uint32_t chunk = to >> rows->chunk_bits;
    uint32_t limit = ((to & ((1u << rows->chunk_bits) - 1u)) + 1u) << rows->slot_bits;
    uint32_t low = row[chunk], high = row[chunk + 1];
    while (high - low > 8) {
        uint32_t middle = low + (high - low) / 2;
        if (row[middle] < limit) {
            low = middle;
        } else {
            high = middle;
        }
    }
    // At most seven are left; all are compared, for a loop that ends early is guessed wrong.
    uint32_t left = high - low - 1, passed = 0;
    for (uint32_t i = 0; i < 7; i++) {
        passed += (uint32_t)(row[low + 1 + i] < limit) & (uint32_t)(i < left);
    }
    low += passed;
    uint32_t mask = (1u << rows->slot_bits) - 1u, slot = row[low] & mask;
    return slot == mask ? THG_NO_SLOT : slot;
}
