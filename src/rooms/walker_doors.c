/// Doors that change under walkers: whose way is touched.
///
/// A door that gets worse touches those whose way may pass it: the way over it is no longer than
/// their own. These plan anew when it is their turn, unless it opens again before. A door that gets
/// better touches those for whom the way over it now is shorter: their new way is known at once,
/// from the lengths to the door and from it. Everybody else's way stays a shortest one, and so do
/// the old rows along it.
#include "jobs/jobs.h"
#include "rooms/hierarchy.h"
#include "rooms/inside.h"
#include "rooms/walkers.h"
#include <stdlib.h>
#include <string.h>

/// A change while walkers are looked at.
typedef struct marking {
    throng_walkers *walkers;
    const uint32_t *to, *from; ///< [doors] lengths to the changed door, and from it
    uint32_t door;
    bool better;
    bool even; ///< it is as far there as back, everywhere
} marking;

/// Least lengths between the changed door and any door of a room.
static void fill_room_lengths(const marking *made)
{
    throng_walkers *walkers = made->walkers;
    const throng_rooms *rooms = walkers->rooms;
    for (uint32_t room = 1; room <= rooms->room_count; room++) {
        uint32_t to = THG_FAR, from = THG_FAR;
        for (uint32_t i = rooms->rooms[room].first_entry; i < rooms->rooms[room + 1].first_entry;
             i++) {
            uint32_t other_to = made->to[rooms->entries[i].door];
            uint32_t other_from = made->from[rooms->entries[i].door];
            to = other_to < to ? other_to : to;
            from = other_from < from ? other_from : from;
        }
        walkers->to_room[room] = to;
        walkers->from_room[room] = from;
    }
}

static bool passes(const marking *made, const thg_walker *walker)
{
    if (walker->next_door == THG_NONE) {
        return false; // no door lies ahead
    }
    uint32_t over = thg_add_length(made->to[walker->next_door], made->from[walker->last_door]);
    return walker->next_door == made->door || walker->last_door == made->door ||
           thg_add_length(over, walker->tail) <= walker->left;
}

/// Bounds alone: the way over the door may be as short as the walker's own. From where the walker
/// stands it is no nearer to the changed door than from the end of its leg less the leg; so it is
/// from the changed door to the goal.
static bool may_gain(const marking *made, uint32_t i, bool reachable)
{
    const throng_walkers *walkers = made->walkers;
    const throng_rooms *rooms = walkers->rooms;
    const thg_walker *walker = &walkers->walkers[i];
    if (made->even && reachable && walker->next_door != THG_NONE &&
        !(walker->goal & THG_ROOM_GOAL)) {
        uint64_t over = (uint64_t)made->to[walker->next_door] + made->from[walker->last_door];
        if (over > (uint64_t)walker->left + 2 * (uint64_t)walker->leg + walker->tail) {
            return false;
        }
    }
    throng_rooms_goal goal = thg_goal_of(walker);
    uint32_t goal_room = goal.is_room ? (uint32_t)goal.index : rooms->zones[goal.index];
    uint32_t over = thg_add_length(walkers->to_room[rooms->zones[walkers->cells[i]]],
                                   walkers->from_room[goal_room]);
    return reachable ? over <= thg_add_length(walker->left, walker->leg) : over < THG_FAR;
}

/// No way from a cell to the changed door, or back, is shorter: over each door of its room, as if
/// nothing stood between.
static uint32_t least_length(const throng_rooms *rooms, const uint32_t *lengths, uint32_t cell)
{
    const thg_room *room = &rooms->rooms[rooms->zones[cell]];
    int width = rooms->width, x = (int)cell % width, y = (int)cell / width;
    uint32_t least = THG_FAR;
    for (uint32_t i = room[0].first_entry; i < room[1].first_entry; i++) {
        uint32_t door = rooms->entries[i].door;
        int there = (int)rooms->doors[door].cell;
        int dx = abs(there % width - x), dy = abs(there / width - y);
        int slant = rooms->diagonal ? thg_min_int(dx, dy) : 0;
        uint32_t length = (uint32_t)slant * thg_step_length(rooms, 4) +
                          (uint32_t)(dx + dy - 2 * slant) * thg_step_length(rooms, 0);
        length = thg_add_length(length, lengths[door]);
        least = length < least ? length : least;
    }
    return least;
}

/// The seed with the shortest way between it and the changed door; of equal ones the first.
static const thg_seed *best_seed(const marking *made, const thg_seed *seeds, uint32_t count,
                                 bool to, uint32_t *length)
{
    const thg_seed *best = NULL;
    *length = THG_FAR;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t other = to ? made->to[seeds[k].door] : made->from[seeds[k].door];
        other = thg_add_length(seeds[k].length, other);
        if (other < *length) {
            *length = other;
            best = &seeds[k];
        }
    }
    return best;
}

/// What is left of the walker's way.
static uint32_t length_left(const throng_rooms *rooms, const thg_walker *walker, uint32_t cell)
{
    uint32_t room = rooms->zones[cell];
    for (uint32_t i = rooms->rooms[room].first_entry;
         i < rooms->rooms[room + 1].first_entry && !thg_is_door(rooms, cell); i++) {
        if (rooms->entries[i].door == walker->next_door) {
            uint32_t length = thg_start_length(rooms, i, cell);
            return thg_add_length(length < THG_FAR ? length : walker->leg, walker->left);
        }
    }
    bool on_door = throng_rooms_door_at(rooms, (int)cell) == (int)walker->next_door;
    return thg_add_length(on_door ? 0 : walker->leg, walker->left); // stands where the leg begins
}

/// Puts the walker on the way over the door if that is shorter. If it is as short, the walker stays
/// on its own; rows from before may know no better than that one, so they are asked with care.
static void gain(const marking *made, uint32_t i, bool reachable)
{
    enum { MOST = 64 };
    throng_walkers *walkers = made->walkers;
    const throng_rooms *rooms = walkers->rooms;
    thg_walker *walker = &walkers->walkers[i];
    throng_rooms_goal goal = thg_goal_of(walker);
    uint32_t cell = walkers->cells[i], to, from;
    thg_seed starts[MOST], ends[MOST];
    if (rooms->most_entries >= MOST || (reachable && walker->next_door == THG_NONE)) {
        thg_walker_ask(walkers, i, 0); // let a search say so
        return;
    }
    uint32_t own = reachable ? length_left(rooms, walker, cell) : THG_FAR;
    uint32_t back = goal.is_room ? walkers->from_room[goal.index]
                                 : least_length(rooms, made->from, (uint32_t)goal.index);
    if (thg_add_length(least_length(rooms, made->to, cell), back) > own) {
        return;
    }
    uint32_t count = thg_start_seeds(rooms, cell, starts);
    const thg_seed *first = best_seed(made, starts, count, true, &to);
    if (first == NULL || thg_add_length(to, back) > own) {
        return;
    }
    count = thg_end_seeds(rooms, goal, ends);
    const thg_seed *last = best_seed(made, ends, count, false, &from);
    uint32_t over = thg_add_length(to, from);
    if (last != NULL && over < own) {
        thg_walker_begin(walkers, NULL, i, over, first, last);
    } else if (reachable && over == own) {
        walker->version = rooms->version;
    }
}

/// The walker waits for its turn to plan anew, but all doors are again as they were before.
static bool is_right_again(const throng_walkers *walkers, uint32_t i)
{
    const thg_changes *changes = &walkers->changes;
    uint32_t asked = walkers->walkers[i].asked;
    return walkers->statuses[i] == (THRONG_WALKER_WALKING | THG_REPLAN) && asked != 0 &&
           walkers->rooms->version - asked <= changes->count &&
           changes->since[walkers->rooms->version - asked] == 0;
}

static void mark_block(void *context, int first, int end, int block)
{
    marking *made = context;
    throng_walkers *walkers = made->walkers;
    int found = 0;
    for (uint32_t i = (uint32_t)first; i < (uint32_t)end; i++) {
        unsigned status = walkers->statuses[i];
        bool reachable = status == THRONG_WALKER_WALKING;
        if (reachable && !made->better && passes(made, &walkers->walkers[i])) {
            thg_walker_ask(walkers, i, walkers->rooms->version);
        }
        if (made->better && is_right_again(walkers, i)) {
            thg_walker_resume(walkers, i);
        } else if (made->better && (reachable || status == THRONG_WALKER_UNREACHABLE) &&
                   may_gain(made, i, reachable)) {
            gain(made, i, reachable);
            found += !reachable && walkers->statuses[i] == THRONG_WALKER_WALKING;
        }
    }
    walkers->sums[block].walking = found;
}

static void lengths_by_door(throng_walkers *walkers, uint32_t door, bool forward, uint32_t *lengths)
{
    const throng_rooms *rooms = walkers->rooms;
    thg_lengths(rooms, door, forward, walkers->by_rank);
    for (uint32_t other = 0; other < rooms->door_count; other++) {
        lengths[other] = walkers->by_rank[rooms->hierarchy.rank_of_door[other]];
    }
}

static void mark(throng_walkers *walkers, throng_jobs *jobs, thg_change *change, bool better)
{
    marking made = {walkers,      change->to, change->from,
                    change->door, better,     walkers->rooms->odd_doors == 0};
    lengths_by_door(walkers, change->door, false, change->to);
    lengths_by_door(walkers, change->door, true, change->from);
    if (better) {
        fill_room_lengths(&made);
    }
    thg_parallel_for(jobs, walkers->count, THG_WALKER_BLOCK, mark_block, &made);
    for (size_t block = 0; block < thg_walker_blocks(walkers); block++) {
        walkers->now.walking += walkers->sums[block].walking;
        walkers->now.unreachable -= walkers->sums[block].walking;
    }
}

throng_result throng_walkers_set_door(throng_walkers *walkers, throng_jobs *jobs, int door,
                                      const throng_door *state)
{
    throng_rooms *rooms = walkers->rooms;
    if (thg_check_door(rooms, door, state) != THRONG_OK) {
        return THRONG_BAD_ARGUMENT;
    }
    if (walkers->version != rooms->version) {
        return throng_rooms_set_door(rooms, door, state); // the next step plans all anew
    }
    throng_door old = throng_rooms_get_door(rooms, door);
    bool other_way = state->one_way != old.one_way;
    bool worse = (state->closed && !old.closed) || state->delay > old.delay || other_way;
    bool better = (!state->closed && old.closed) || state->delay < old.delay || other_way;
    if (!worse && !better) {
        return throng_rooms_set_door(rooms, door, state);
    }
    thg_change *change = thg_changes_next(&walkers->changes, rooms);
    change->door = (uint32_t)door;
    change->old = old;
    change->now = *state;
    change->known = worse != better; // lengths before and after would be needed
    if (worse) {
        mark(walkers, jobs, change, false);
    }
    throng_rooms_set_door(rooms, door, state);
    thg_changes_add(&walkers->changes, rooms);
    walkers->version = rooms->version;
    walkers->changed++;
    if (better) {
        mark(walkers, jobs, change, true);
    }
    return THRONG_OK;
}
