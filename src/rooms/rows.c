/// Rows: for each door, the first arc of the shortest way to every other door, in runs.
#include "rooms/rows.h"
#include "jobs/jobs.h"
#include "rooms/sweep.h"
#include <string.h>

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

/// Words behind the last row that a search in it may read.
enum { ROW_SLACK = THG_WORDS + 8 };

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
        if (rows->posts[door].row == from + ROW_HEAD) {
            memmove(rows->words + to, rows->words + from, size * sizeof(uint16_t));
            rows->posts[door].row = (uint32_t)(to + ROW_HEAD);
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
        if (rows->word_count + taken + ROW_HEAD + ROW_SLACK > rows->word_capacity) {
            if (words_in_use(rooms) + taken + ROW_HEAD + ROW_SLACK > rows->word_capacity) {
                return false;
            }
            close_ranks(rows);
        }
        write_two(rows->words + rows->word_count, door);
        write_two(rows->words + rows->word_count + 2, taken);
        rows->posts[door].row = (uint32_t)rows->word_count + ROW_HEAD;
        rows->capacity[door] = taken;
        rows->word_count += taken + ROW_HEAD;
    }
    memcpy(rows->words + rows->posts[door].row, words, count * sizeof *words);
    rows->posts[door].version = rooms->version;
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
    thg_row_writer writers[THG_LANES];
    (void)first;
    (void)end;
    thg_sweep_slots(work->rooms, sweep, doors, count, work->short_lengths);
    thg_write_rows(work->rooms, sweep, doors, count, writers);
    for (uint32_t lane = 0; lane < count; lane++) {
        sweep->sizes[lane] = writers[lane].used;
    }
}

/// Computes and stores `count` rows; returns how many found no room.
static uint32_t fill_rows(throng_rooms *rooms, throng_jobs *jobs, const uint32_t *list,
                          uint32_t count)
{
    uint32_t most = (uint32_t)rooms->sweep_count * THG_LANES, left_out = 0, doors[THG_LANES] = {0};
    row_work work = {rooms, list, 0, 0, thg_lanes_suffice(rooms, rooms->rows.slot_bits)};
    for (; work.first < count; work.first += work.count) {
        work.count = count - work.first < most ? count - work.first : most;
        uint32_t batches = (work.count + THG_LANES - 1) / THG_LANES;
        thg_parallel_for(jobs, (int)batches, 1, fill_batch, &work);
        for (uint32_t batch = 0; batch < batches; batch++) {
            uint32_t own = round_doors(&work, batch, doors);
            const thg_sweep *sweep = &rooms->sweeps[batch];
            for (uint32_t lane = 0; lane < own; lane++) {
                left_out +=
                    !store_row(rooms, doors[lane], sweep->row + (size_t)lane * THG_ROW_STRIDE,
                               sweep->sizes[lane]);
            }
        }
    }
    return left_out;
}

static bool create_sweeps(throng_rooms *rooms, int threads)
{
    size_t count = rooms->hierarchy.count;
    size_t most = (size_t)THG_LANES * THG_ROW_STRIDE;
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
    capacity = capacity < used + ROW_SLACK ? used + ROW_SLACK : capacity;
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
    thg_row_writer writers[THG_LANES];
    thg_sweep_slots(rooms, &rooms->sweeps[0], doors, lanes,
                    thg_lanes_suffice(rooms, rooms->rows.slot_bits));
    thg_write_rows(rooms, &rooms->sweeps[0], doors, lanes, writers);
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
        if (rows->posts[door].version != 0) {
            runs += rows->words[rows->posts[door].row + rows->chunk_count] - rows->chunk_count - 1;
        }
    }
    return runs;
}

throng_result thg_build_rows(throng_rooms *rooms, throng_jobs *jobs)
{
    thg_rows *rows = &rooms->rows;
    int threads = throng_jobs_thread_count(jobs);
    choose_bits(rooms);
    rows->posts = thg_take(rooms, rooms->door_count, sizeof *rows->posts, THG_ROWS);
    rows->capacity = thg_take(rooms, rooms->door_count, sizeof(uint32_t), THG_ROWS);
    if (rows->posts == NULL || rows->capacity == NULL || !create_sweeps(rooms, threads)) {
        return THRONG_NO_MEMORY;
    }
    for (uint32_t door = 0; door < rooms->door_count; door++) {
        rows->posts[door].first_arc = rooms->doors[door].first_arc;
        rows->posts[door].cell = rooms->doors[door].cell;
    }
    size_t limit = rooms->most_row_bytes / sizeof(uint16_t);
    if (rooms->door_count == 0 || rows->chunk_bits < 4 || limit == 0 ||
        rows->chunk_count >= THG_MOST_ROW_WORDS / 2) {
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
            if (rows->posts[door].version != 0 && rows->posts[door].version != rooms->version) {
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
