/// Walkers: a step of all.
///
/// Inside a room a step is the next three bits of the walker's own leg; a table is read only where
/// a leg ends, about every eighth step. Who turns is gathered and served in batches, each table
/// line asked for before it is read.
#include "rooms/walkers.h"
#include "jobs/jobs.h"
#include <stdatomic.h>
#include <string.h>

#define WALKERS_COOKIE 0x57414c4bu
#define BATCH 128 ///< walkers that turn together

throng_walkers_def throng_default_walkers_def(void)
{
    throng_walkers_def def = {WALKERS_COOKIE, NULL, 0, 512, false};
    return def;
}

static size_t block_count(int count)
{
    return ((size_t)count + THG_WALKER_BLOCK - 1) / THG_WALKER_BLOCK;
}

static bool take_arrays(throng_walkers *walkers)
{
    size_t count = (size_t)walkers->count, blocks = block_count(walkers->count);
    size_t doors = walkers->rooms->door_count, room_count = walkers->rooms->room_count;
    walkers->ids = thg_allocate(count, sizeof(uint32_t));
    walkers->places = thg_allocate(count, sizeof(uint32_t));
    walkers->queue = thg_allocate((size_t)walkers->most_plans, sizeof(uint32_t));
    walkers->cells = thg_allocate(count, sizeof(uint32_t));
    walkers->moves = thg_allocate(count, sizeof(uint64_t));
    walkers->statuses = thg_allocate(count, 1);
    walkers->walkers = thg_allocate(count, sizeof(thg_walker));
    walkers->slow = thg_allocate(count, sizeof(uint32_t));
    walkers->slow_count = thg_allocate(blocks, sizeof(uint32_t));
    walkers->sums = thg_allocate(blocks, sizeof(throng_walkers_summary));
    walkers->room_first = thg_allocate(room_count + 2, sizeof(uint32_t));
    walkers->to_door = thg_allocate(doors, sizeof(uint32_t));
    walkers->from_door = thg_allocate(doors, sizeof(uint32_t));
    walkers->to_room = thg_allocate(room_count + 2, sizeof(uint32_t));
    walkers->from_room = thg_allocate(room_count + 2, sizeof(uint32_t));
    return walkers->ids != NULL && walkers->places != NULL && walkers->queue != NULL &&
           walkers->cells != NULL && walkers->moves != NULL && walkers->statuses != NULL &&
           walkers->walkers != NULL && walkers->slow != NULL && walkers->slow_count != NULL &&
           walkers->sums != NULL && walkers->room_first != NULL && walkers->to_door != NULL &&
           walkers->from_door != NULL && walkers->to_room != NULL && walkers->from_room != NULL;
}

/// Places by the room that walkers begin in, in a room by id.
static void sort_places(throng_walkers *walkers, const int *cells)
{
    const throng_rooms *rooms = walkers->rooms;
    uint32_t *next = walkers->room_first, sum = 0;
    for (int i = 0; i < walkers->count; i++) {
        next[rooms->zones[cells[i]]]++;
    }
    for (uint32_t room = 0; room <= rooms->room_count; room++) {
        uint32_t own = next[room];
        next[room] = sum;
        sum += own;
    }
    for (int i = 0; i < walkers->count; i++) {
        uint32_t place = next[rooms->zones[cells[i]]]++;
        walkers->places[i] = place;
        walkers->ids[place] = (uint32_t)i;
        walkers->cells[place] = (uint32_t)cells[i];
    }
}

throng_result throng_walkers_create(throng_rooms *rooms, const throng_walkers_def *def,
                                    throng_walkers **out)
{
    *out = NULL;
    if (def->cookie != WALKERS_COOKIE || def->count < 1 || def->count > 1 << 24 ||
        def->cells == NULL || def->most_plans < 1 || def->most_plans > 1 << 24) {
        return THRONG_BAD_ARGUMENT;
    }
    for (int i = 0; i < def->count; i++) {
        if (throng_rooms_at(rooms, def->cells[i]) == 0) {
            return THRONG_BAD_ARGUMENT;
        }
    }
    throng_walkers *walkers = thg_allocate(1, sizeof *walkers);
    if (walkers == NULL) {
        return THRONG_NO_MEMORY;
    }
    walkers->rooms = rooms;
    walkers->count = def->count;
    walkers->most_plans = def->most_plans;
    walkers->version = rooms->version;
    if (!take_arrays(walkers)) {
        throng_walkers_destroy(walkers);
        return THRONG_NO_MEMORY;
    }
    sort_places(walkers, def->cells);
    bool taken = false;
    if (def->one_per_cell && !thg_crowded_create(walkers, &taken)) {
        throng_walkers_destroy(walkers);
        return taken ? THRONG_BAD_ARGUMENT : THRONG_NO_MEMORY;
    }
    for (int i = 0; i < def->count; i++) {
        walkers->moves[i] = THG_LEG_DONE;
        walkers->walkers[i].next_door = walkers->walkers[i].last_door = THG_NONE;
    }
    *out = walkers;
    return THRONG_OK;
}

void throng_walkers_destroy(throng_walkers *walkers)
{
    if (walkers == NULL) {
        return;
    }
    size_t count = (size_t)walkers->count, blocks = block_count(walkers->count);
    size_t doors = walkers->rooms->door_count, room_count = walkers->rooms->room_count;
    thg_crowded_release(walkers);
    thg_release(walkers->ids, count, sizeof(uint32_t));
    thg_release(walkers->places, count, sizeof(uint32_t));
    thg_release(walkers->queue, (size_t)walkers->most_plans, sizeof(uint32_t));
    thg_release(walkers->cells, count, sizeof(uint32_t));
    thg_release(walkers->moves, count, sizeof(uint64_t));
    thg_release(walkers->statuses, count, 1);
    thg_release(walkers->walkers, count, sizeof(thg_walker));
    thg_release(walkers->slow, count, sizeof(uint32_t));
    thg_release(walkers->slow_count, blocks, sizeof(uint32_t));
    thg_release(walkers->sums, blocks, sizeof(throng_walkers_summary));
    thg_release(walkers->room_first, room_count + 2, sizeof(uint32_t));
    thg_release(walkers->to_door, doors, sizeof(uint32_t));
    thg_release(walkers->from_door, doors, sizeof(uint32_t));
    thg_release(walkers->to_room, room_count + 2, sizeof(uint32_t));
    thg_release(walkers->from_room, room_count + 2, sizeof(uint32_t));
    thg_release(walkers, 1, sizeof *walkers);
}

// ---- Goals -------------------------------------------------------------------------------------

typedef struct plan_work {
    throng_walkers *walkers;
    const uint32_t *list; ///< places
    uint32_t count;
    atomic_uint next;
    atomic_int moved;
    int (*serve)(throng_walkers *walkers, thg_search *search, uint32_t i);
} plan_work;

/// Each block is one thread with its own search; it takes walkers until there are none.
static void plan_blocks(void *context, int first, int end, int block)
{
    enum { A_TURN = 16 };
    plan_work *work = context;
    thg_search *search = &work->walkers->rooms->searches[block];
    int moved = 0;
    (void)first;
    (void)end;
    for (;;) {
        uint32_t from = atomic_fetch_add(&work->next, A_TURN);
        if (from >= work->count) {
            break;
        }
        for (uint32_t i = from; i < from + A_TURN && i < work->count; i++) {
            moved += work->serve(work->walkers, search, work->list[i]);
        }
    }
    atomic_fetch_add(&work->moved, moved);
}

static void serve_all(plan_work *work, throng_jobs *jobs)
{
    int threads = thg_min_int(throng_jobs_thread_count(jobs), work->walkers->rooms->search_count);
    thg_parallel_for(jobs, threads, 1, plan_blocks, work);
}

static int serve_plan(throng_walkers *walkers, thg_search *search, uint32_t i)
{
    thg_walker_plan(walkers, search, i);
    return 0;
}

throng_result throng_walkers_set_goals(throng_walkers *walkers, throng_jobs *jobs, int first,
                                       int count, const throng_rooms_goal *goals)
{
    const throng_rooms *rooms = walkers->rooms;
    if (first < 0 || count < 0 || first > walkers->count - count) {
        return THRONG_BAD_ARGUMENT;
    }
    for (int i = 0; i < count; i++) {
        bool good = goals[i].is_room
                        ? goals[i].index >= 1 && goals[i].index <= (int)rooms->room_count
                        : throng_rooms_at(rooms, goals[i].index) != 0;
        if (!good) {
            return THRONG_BAD_ARGUMENT;
        }
    }
    for (int i = 0; i < count; i++) {
        walkers->walkers[walkers->places[first + i]].goal =
            (uint32_t)goals[i].index | (goals[i].is_room ? THG_ROOM_GOAL : 0);
    }
    if ((uint32_t)count < 2 * rooms->entry_count || !thg_plan_many(walkers, jobs, first, count)) {
        plan_work work = {walkers, walkers->places + first, (uint32_t)count, 0, 0, serve_plan};
        serve_all(&work, jobs);
    }
    return THRONG_OK;
}

// ---- A step ------------------------------------------------------------------------------------

static inline void take_move(throng_walkers *walkers, uint32_t i)
{
    uint64_t moves = walkers->moves[i];
    walkers->cells[i] += (uint32_t)walkers->rooms->move_cells[moves & 7u];
    walkers->moves[i] = moves >> 3;
}

/// A walker that has just turned moves, unless it has arrived or has nowhere to go.
static inline int move_on(throng_walkers *walkers, uint32_t i)
{
    if (walkers->statuses[i] == THRONG_WALKER_WALKING && walkers->moves[i] != THG_LEG_DONE) {
        take_move(walkers, i);
        return 1;
    }
    return 0;
}

/// Asks for what turning will read, one kind of table after the other.
static void fetch(const throng_walkers *walkers, const uint32_t *batch, int count)
{
    const throng_rooms *rooms = walkers->rooms;
    const thg_rows *rows = &rooms->rows;
    for (int k = 0; k < count; k++) {
        thg_prefetch(&walkers->walkers[batch[k]]);
    }
    for (int k = 0; k < count; k++) {
        uint32_t door = walkers->walkers[batch[k]].next_door;
        if (door != THG_NONE) {
            thg_prefetch(&rooms->doors[door]);
            thg_prefetch(&rows->first[door]);
            thg_prefetch(&rows->version[door]);
        }
    }
    for (int k = 0; k < count && rows->words != NULL; k++) {
        const thg_walker *walker = &walkers->walkers[batch[k]];
        if (walker->next_door != THG_NONE) {
            thg_prefetch(rows->words + rows->first[walker->next_door] +
                         (walker->last_door >> rows->chunk_bits));
            thg_prefetch(&rooms->arcs[rooms->doors[walker->next_door].first_arc]);
            thg_prefetch(&rooms->arcs[rooms->doors[walker->next_door].first_arc + 3]);
        }
    }
    for (int k = 0; k < count && rows->words != NULL; k++) {
        const thg_walker *walker = &walkers->walkers[batch[k]];
        if (walker->next_door != THG_NONE && rows->version[walker->next_door] != 0) {
            const uint16_t *row = rows->words + rows->first[walker->next_door];
            thg_prefetch(row + row[walker->last_door >> rows->chunk_bits]);
        }
    }
}

static void turn_batch(throng_walkers *walkers, const uint32_t *batch, int count, uint32_t *slow,
                       uint32_t *slow_count, throng_walkers_summary *sum)
{
    fetch(walkers, batch, count);
    for (int k = 0; k < count; k++) {
        if (thg_walker_turn(walkers, batch[k])) {
            sum->moved += move_on(walkers, batch[k]);
        } else {
            slow[(*slow_count)++] = batch[k];
        }
    }
}

static void step_block(void *context, int first, int end, int block)
{
    throng_walkers *walkers = context;
    throng_walkers_summary sum = {0};
    uint32_t *slow = walkers->slow + first, slow_count = 0, batch[BATCH];
    int gathered = 0;
    for (int i = first; i < end; i++) {
        if (walkers->statuses[i] == THRONG_WALKER_WALKING) {
            if (walkers->moves[i] != THG_LEG_DONE) {
                take_move(walkers, (uint32_t)i);
                sum.moved++;
                continue;
            }
            batch[gathered++] = (uint32_t)i;
            if (gathered == BATCH) {
                turn_batch(walkers, batch, gathered, slow, &slow_count, &sum);
                gathered = 0;
            }
        } else if (walkers->statuses[i] & THG_REPLAN) {
            slow[slow_count++] = (uint32_t)i;
        }
    }
    turn_batch(walkers, batch, gathered, slow, &slow_count, &sum);
    walkers->slow_count[block] = slow_count;
    walkers->sums[block] = sum;
}

static int serve_slow(throng_walkers *walkers, thg_search *search, uint32_t i)
{
    if (walkers->statuses[i] & THG_REPLAN) {
        thg_walker_plan(walkers, search, i);
        // A way may begin with a turn: on a door, or on the goal.
        if (walkers->statuses[i] == THRONG_WALKER_WALKING && walkers->moves[i] == THG_LEG_DONE &&
            !thg_walker_turn(walkers, i)) {
            thg_walker_turn_slowly(walkers, search, i);
        }
    } else {
        thg_walker_turn_slowly(walkers, search, i);
    }
    return move_on(walkers, i);
}

/// Queues at most `most_plans` of those in the blocks' lists, going on where the last queue ended;
/// the others wait.
static uint32_t queue_slow(throng_walkers *walkers, throng_walkers_summary *sum)
{
    uint32_t blocks = (uint32_t)block_count(walkers->count), queued = 0, all = 0;
    uint32_t first_block = walkers->queue_from / THG_WALKER_BLOCK, last = walkers->queue_from;
    for (uint32_t k = 0; k <= blocks; k++) {
        uint32_t block = (first_block + k) % blocks;
        const uint32_t *slow = walkers->slow + (size_t)block * THG_WALKER_BLOCK;
        all += k < blocks ? walkers->slow_count[block] : 0;
        for (uint32_t i = 0; i < walkers->slow_count[block]; i++) {
            // The first block comes twice: its end at first, its beginning at last.
            bool turn = k == 0 ? slow[i] >= walkers->queue_from
                               : k < blocks || slow[i] < walkers->queue_from;
            if (turn && queued < (uint32_t)walkers->most_plans) {
                walkers->queue[queued++] = last = slow[i];
            }
        }
    }
    walkers->queue_from = (last + 1) % (uint32_t)walkers->count;
    sum->planned = (int)queued;
    sum->waiting = (int)(all - queued);
    return queued;
}

static void count_statuses(void *context, int first, int end, int block)
{
    throng_walkers *walkers = context;
    throng_walkers_summary *sum = &walkers->sums[block];
    int walking = 0, arrived = 0, unreachable = 0;
    for (int i = first; i < end; i++) {
        unsigned status = walkers->statuses[i] & THG_STATUS;
        walking += status == THRONG_WALKER_WALKING;
        arrived += status == THRONG_WALKER_ARRIVED;
        unreachable += status == THRONG_WALKER_UNREACHABLE;
    }
    sum->walking = walking;
    sum->arrived = arrived;
    sum->unreachable = unreachable;
}

throng_walkers_summary throng_walkers_step(throng_walkers *walkers, throng_jobs *jobs)
{
    throng_walkers_summary sum = {0};
    if (walkers->version != walkers->rooms->version) {
        for (int i = 0; i < walkers->count; i++) { // changed behind our back: all plan anew
            walkers->statuses[i] |= walkers->statuses[i] & 1u ? THG_REPLAN : 0;
        }
        walkers->version = walkers->rooms->version;
    }
    if (walkers->crowded != NULL) {
        return thg_crowded_step(walkers);
    }
    thg_parallel_for(jobs, walkers->count, THG_WALKER_BLOCK, step_block, walkers);
    plan_work work = {walkers, walkers->queue, queue_slow(walkers, &sum), 0, 0, serve_slow};
    if (work.count > 0) {
        serve_all(&work, jobs);
    }
    thg_parallel_for(jobs, walkers->count, THG_WALKER_BLOCK, count_statuses, walkers);
    for (size_t block = 0; block < block_count(walkers->count); block++) {
        sum.moved += walkers->sums[block].moved;
        sum.walking += walkers->sums[block].walking;
        sum.arrived += walkers->sums[block].arrived;
        sum.unreachable += walkers->sums[block].unreachable;
    }
    sum.moved += atomic_load(&work.moved);
    return sum;
}

throng_walkers_view throng_walkers_get_view(const throng_walkers *walkers)
{
    throng_walkers_view view = {walkers->ids, walkers->cells, walkers->statuses, walkers->count};
    return view;
}

uint64_t throng_walkers_hash(const throng_walkers *walkers)
{
    uint64_t hash = 0;
    for (int i = 0; i < walkers->count; i++) {
        const thg_walker *walker = &walkers->walkers[i];
        uint64_t own = thg_mix64((uint64_t)walkers->ids[i] << 32 | walkers->cells[i]);
        own = thg_mix64(own + walkers->moves[i]);
        own = thg_mix64(own + ((uint64_t)walker->next_door << 32 | walker->last_door));
        own = thg_mix64(own + ((uint64_t)walker->goal << 32 | walker->left));
        hash += thg_mix64(own + walkers->statuses[i]);
    }
    return hash;
}
