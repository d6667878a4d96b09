/// Doors that change under walkers: whose way is touched.
///
/// A door that gets worse touches those whose way may pass it: the way over it is no longer than
/// their own. A door that gets better touches those for whom the way over it now is no longer.
/// Lengths from the door to all, and from all to it, tell both; everybody else's way stays a
/// shortest one, and so do the old rows along it.
#include "jobs/jobs.h"
#include "rooms/hierarchy.h"
#include "rooms/walkers.h"
#include <string.h>

typedef struct change {
    throng_walkers *walkers;
    uint32_t door;
    bool better;
} change;

static uint32_t to_door(const throng_walkers *walkers, uint32_t door)
{
    return walkers->to_door[walkers->rooms->hierarchy.rank_of_door[door]];
}

static uint32_t from_door(const throng_walkers *walkers, uint32_t door)
{
    return walkers->from_door[walkers->rooms->hierarchy.rank_of_door[door]];
}

/// Least lengths between the changed door and any door of a room.
static void fill_room_lengths(throng_walkers *walkers)
{
    const throng_rooms *rooms = walkers->rooms;
    for (uint32_t room = 1; room <= rooms->room_count; room++) {
        uint32_t to = THG_FAR, from = THG_FAR;
        for (uint32_t i = rooms->rooms[room].first_entry; i < rooms->rooms[room + 1].first_entry;
             i++) {
            uint32_t other_to = to_door(walkers, rooms->entries[i].door);
            uint32_t other_from = from_door(walkers, rooms->entries[i].door);
            to = other_to < to ? other_to : to;
            from = other_from < from ? other_from : from;
        }
        walkers->to_room[room] = to;
        walkers->from_room[room] = from;
    }
}

static bool passes(const throng_walkers *walkers, uint32_t door, const thg_walker *walker)
{
    if (walker->next_door == THG_NONE) {
        return false; // no door lies ahead
    }
    uint32_t over =
        thg_add_length(to_door(walkers, walker->next_door), from_door(walkers, walker->last_door));
    return walker->next_door == door || walker->last_door == door ||
           thg_add_length(over, walker->tail) <= walker->left;
}

static bool may_gain(const throng_walkers *walkers, uint32_t i, bool reachable)
{
    const throng_rooms *rooms = walkers->rooms;
    const thg_walker *walker = &walkers->walkers[i];
    throng_rooms_goal goal = thg_goal_of(walker);
    uint32_t goal_room = goal.is_room ? (uint32_t)goal.index : rooms->zones[goal.index];
    uint32_t over = thg_add_length(walkers->to_room[rooms->zones[walkers->cells[i]]],
                                   walkers->from_room[goal_room]);
    return reachable ? over <= thg_add_length(walker->left, walker->leg) : over < THG_FAR;
}

/// Exactly: the way over the door is no longer than the walker's own.
static bool gains(const throng_walkers *walkers, uint32_t i, bool reachable)
{
    enum { MOST = 64 };
    const throng_rooms *rooms = walkers->rooms;
    const thg_walker *walker = &walkers->walkers[i];
    throng_rooms_goal goal = thg_goal_of(walker);
    thg_seed seeds[MOST];
    if (rooms->most_entries >= MOST || !reachable) {
        return true; // let the search say so
    }
    uint32_t to = THG_FAR, from = THG_FAR;
    uint32_t count = thg_start_seeds(rooms, walkers->cells[i], seeds);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t length = thg_add_length(seeds[k].length, to_door(walkers, seeds[k].door));
        to = length < to ? length : to;
    }
    count = thg_end_seeds(rooms, goal, seeds);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t length = thg_add_length(seeds[k].length, from_door(walkers, seeds[k].door));
        from = length < from ? length : from;
    }
    return thg_add_length(to, from) <= thg_add_length(walker->left, walker->leg);
}

static void mark_block(void *context, int first, int end, int block)
{
    change *made = context;
    throng_walkers *walkers = made->walkers;
    (void)block;
    for (int i = first; i < end; i++) {
        unsigned status = walkers->statuses[i];
        bool reachable = status == THRONG_WALKER_WALKING;
        if (!reachable && !(made->better && status == THRONG_WALKER_UNREACHABLE)) {
            continue;
        }
        bool touched = made->better ? may_gain(walkers, (uint32_t)i, reachable) &&
                                          gains(walkers, (uint32_t)i, reachable)
                                    : passes(walkers, made->door, &walkers->walkers[i]);
        if (touched) {
            thg_walker_ask(walkers, (uint32_t)i);
        }
    }
}

static void mark(throng_walkers *walkers, throng_jobs *jobs, uint32_t door, bool better)
{
    change made = {walkers, door, better};
    thg_lengths(walkers->rooms, door, false, walkers->to_door);
    thg_lengths(walkers->rooms, door, true, walkers->from_door);
    if (better) {
        fill_room_lengths(walkers);
    }
    thg_parallel_for(jobs, walkers->count, THG_WALKER_BLOCK, mark_block, &made);
}

throng_result throng_walkers_set_door(throng_walkers *walkers, throng_jobs *jobs, int door,
                                      const throng_door *state)
{
    throng_rooms *rooms = walkers->rooms;
    if (door < 0 || door >= (int)rooms->door_count || walkers->version != rooms->version) {
        return throng_rooms_set_door(rooms, door, state); // the next step plans all anew
    }
    throng_door old = throng_rooms_get_door(rooms, door);
    bool other_way = state->one_way != old.one_way;
    bool worse = (state->closed && !old.closed) || state->delay > old.delay || other_way;
    bool better = (!state->closed && old.closed) || state->delay < old.delay || other_way;
    if (worse) {
        mark(walkers, jobs, (uint32_t)door, false);
    }
    throng_result result = throng_rooms_set_door(rooms, door, state);
    if (result == THRONG_OK) {
        walkers->version = rooms->version;
        if (better) {
            mark(walkers, jobs, (uint32_t)door, true);
        }
    }
    return result;
}
