/// Planning for very many walkers: sorted by room, the doors of a few rooms are swept together, and
/// every walker in these rooms picks its way from what the sweep says. The answers, ties included,
/// are those of a search for each.
#include "jobs/jobs.h"
#include "rooms/sweep.h"
#include "rooms/walkers.h"
#include <stdatomic.h>
#include <string.h>

typedef struct many {
    throng_walkers *walkers;
    const uint32_t *order; ///< walkers by room
    uint32_t *batches;     ///< first room of each batch; the last ends behind the last room
    uint32_t batch_count;
    atomic_uint next;
    atomic_bool too_long;
} many;

static void sort_by_room(throng_walkers *walkers, int first, int count)
{
    const throng_rooms *rooms = walkers->rooms;
    uint32_t *starts = walkers->room_first, sum = 0;
    memset(starts, 0, (rooms->room_count + 2) * sizeof *starts);
    for (int i = first; i < first + count; i++) {
        starts[rooms->zones[walkers->cells[walkers->places[i]]]]++;
    }
    for (uint32_t room = 0; room <= rooms->room_count + 1; room++) {
        uint32_t own = starts[room];
        starts[room] = sum;
        sum += own;
    }
    for (int i = first; i < first + count; i++) {
        uint32_t place = walkers->places[i];
        walkers->slow[starts[rooms->zones[walkers->cells[place]]]++] = place;
    }
    memmove(starts + 1, starts, (rooms->room_count + 1) * sizeof *starts);
    starts[0] = 0;
}

static uint32_t doors_in(const throng_rooms *rooms, uint32_t room)
{
    return rooms->rooms[room + 1].first_entry - rooms->rooms[room].first_entry;
}

/// Cuts the rooms into batches of at most sixteen doors; a room with more is alone.
static void make_batches(many *work)
{
    const throng_rooms *rooms = work->walkers->rooms;
    uint32_t doors = THG_LANES + 1;
    for (uint32_t room = 1; room <= rooms->room_count; room++) {
        doors += doors_in(rooms, room);
        if (doors > THG_LANES) {
            work->batches[work->batch_count++] = room;
            doors = doors_in(rooms, room);
        }
    }
    work->batches[work->batch_count] = rooms->room_count + 1;
}

static uint32_t lane_of(const uint32_t *doors, uint32_t door)
{
    uint32_t lane = 0;
    while (doors[lane] != door) {
        lane++;
    }
    return lane;
}

/// As thg_plan, with the sweep in place of the search.
static void plan_by_sweep(throng_walkers *walkers, thg_search *search, const thg_sweep *sweep,
                          const uint32_t *doors, uint32_t i)
{
    const throng_rooms *rooms = walkers->rooms;
    uint32_t cell = walkers->cells[i];
    throng_rooms_goal goal = thg_goal_of(&walkers->walkers[i]);
    bool there =
        goal.is_room ? rooms->zones[cell] == (uint32_t)goal.index : cell == (uint32_t)goal.index;
    bool close = !goal.is_room && rooms->zones[cell] == rooms->zones[goal.index];
    uint32_t best = there   ? 0
                    : close ? thg_direct(rooms, search, cell, (uint32_t)goal.index)
                            : THG_FAR;
    const thg_seed *first = NULL, *last = NULL;
    uint32_t starts = there ? 0 : thg_start_seeds(rooms, cell, search->starts);
    uint32_t ends = there ? 0 : thg_end_seeds(rooms, goal, search->ends);
    for (uint32_t a = 0; a < starts; a++) {
        uint32_t lane = lane_of(doors, search->starts[a].door);
        for (uint32_t b = 0; b < ends; b++) {
            uint32_t rank = rooms->hierarchy.rank_of_door[search->ends[b].door];
            uint32_t middle = sweep->keys[(size_t)rank * THG_LANES + lane];
            uint32_t length = middle < THG_LANE_FAR
                                  ? thg_add_length(search->starts[a].length,
                                                   thg_add_length(middle, search->ends[b].length))
                                  : THG_FAR;
            if (length < best) {
                best = length;
                first = &search->starts[a];
                last = &search->ends[b];
            }
        }
    }
    thg_walker_begin(walkers, search, i, best, first, last);
}

static void serve_batch(many *work, uint32_t batch, int thread)
{
    throng_walkers *walkers = work->walkers;
    throng_rooms *rooms = walkers->rooms;
    thg_search *search = &rooms->searches[thread];
    thg_sweep *sweep = &rooms->sweeps[thread];
    uint32_t room = work->batches[batch], end = work->batches[batch + 1];
    uint32_t i = walkers->room_first[room], i_end = walkers->room_first[end];
    uint32_t first = rooms->rooms[room].first_entry, doors[THG_LANES] = {0};
    uint32_t count = rooms->rooms[end].first_entry - first;
    if (i == i_end) {
        return;
    }
    if (count > THG_LANES) {
        for (; i < i_end; i++) {
            thg_walker_plan(walkers, search, work->order[i]);
        }
        return;
    }
    for (uint32_t k = 0; k < count; k++) {
        doors[k] = rooms->entries[first + k].door;
    }
    if (!thg_sweep_lengths(rooms, sweep, doors, count)) {
        atomic_store(&work->too_long, true);
        return;
    }
    for (; i < i_end; i++) {
        plan_by_sweep(walkers, search, sweep, doors, work->order[i]);
    }
}

static void serve_batches(void *context, int first, int end, int block)
{
    many *work = context;
    (void)first;
    (void)end;
    for (;;) {
        uint32_t batch = atomic_fetch_add(&work->next, 1);
        if (batch >= work->batch_count) {
            return;
        }
        serve_batch(work, batch, block);
    }
}

bool thg_plan_many(throng_walkers *walkers, throng_jobs *jobs, int first, int count)
{
    const throng_rooms *rooms = walkers->rooms;
    many work = {walkers, walkers->slow, walkers->to_room, 0, 0, false};
    sort_by_room(walkers, first, count);
    make_batches(&work);
    int threads = thg_min_int(throng_jobs_thread_count(jobs),
                              thg_min_int(rooms->sweep_count, rooms->search_count));
    thg_parallel_for(jobs, threads, 1, serve_batches, &work);
    return !atomic_load(&work.too_long);
}
