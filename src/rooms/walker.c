/// One walker: planning, turning at doors, the last leg.
#include "rooms/rows.h"
#include "rooms/walkers.h"

static unsigned opposite(unsigned move)
{
    return move < 4 ? (move + 2u) & 3u : 4u + ((move + 2u) & 3u);
}

/// The leg from a cell to the goal cell along the way from the goal to its last door, which the
/// cell lies on, walked backwards.
static uint64_t last_leg(const throng_rooms *rooms, uint32_t entry_index, uint32_t cell,
                         uint32_t goal)
{
    const thg_entry *entry = &rooms->entries[entry_index];
    const thg_room *room = &rooms->rooms[entry->room];
    uint32_t index = thg_box_index(rooms, room, goal), end = thg_box_index(rooms, room, cell);
    uint64_t moves = THG_LEG_DONE, kept = ((uint64_t)1 << 3 * THG_LEG_MOVES) - 1;
    bool full = false;
    while (index != end) {
        unsigned move = thg_next_move(rooms, entry, index);
        if (move >= 8) {
            return THG_LEG_DONE; // the cell lies not on it: cannot be, and ends the leg
        }
        // Later moves come first; what no longer fits is walked when these are done.
        full = full || moves >> 3 * THG_LEG_MOVES != 0;
        moves = full ? ((moves & kept) << 3 & kept) | opposite(move) | (kept + 1)
                     : moves << 3 | opposite(move);
        index += (uint32_t)(thg_move_y[move] * room->width + thg_move_x[move]);
    }
    return moves;
}

/// The leg between two cells of a room that passes no door.
static uint64_t direct_leg(const throng_rooms *rooms, thg_search *search, uint32_t cell,
                           uint32_t goal)
{
    if (thg_direct(rooms, search, cell, goal) >= THG_FAR) {
        return THG_LEG_DONE;
    }
    const thg_room *room = search->inside->room;
    uint32_t index = thg_box_index(rooms, room, cell), start = thg_box_index(rooms, room, goal);
    uint64_t moves = 0;
    int count = 0;
    while (count < THG_LEG_MOVES && index != start) {
        unsigned move = thg_inside_back(rooms, search->inside, index, start);
        moves |= (uint64_t)move << 3 * count++;
        index += (uint32_t)search->inside->offset[move];
    }
    return moves | (uint64_t)1 << 3 * count;
}

static uint32_t entry_of(const throng_rooms *rooms, uint32_t door, uint32_t room)
{
    uint32_t i = rooms->doors[door].first_entry;
    while (rooms->entries[rooms->door_entries[i]].room != room) {
        i++;
    }
    return rooms->door_entries[i];
}

static void arrive(throng_walkers *walkers, uint32_t i)
{
    walkers->statuses[i] = THRONG_WALKER_ARRIVED;
    walkers->moves[i] = THG_STANDS;
    walkers->walkers[i].next_door = THG_NONE;
}

/// The walker stands on its last door, or has begun its last leg.
static void go_last_leg(throng_walkers *walkers, uint32_t i)
{
    const throng_rooms *rooms = walkers->rooms;
    thg_walker *walker = &walkers->walkers[i];
    throng_rooms_goal goal = thg_goal_of(walker);
    uint32_t cell = walkers->cells[i];
    walker->leg = walker->tail;
    walker->left = 0;
    walker->next_door = THG_NONE;
    if (goal.is_room) {
        if (rooms->zones[cell] == (uint32_t)goal.index) {
            arrive(walkers, i);
        } else {
            walkers->moves[i] = 8u | thg_move_into(rooms, walker->last_door, (uint32_t)goal.index);
        }
    } else if (cell == (uint32_t)goal.index) {
        arrive(walkers, i);
    } else {
        uint32_t entry = entry_of(rooms, walker->last_door, rooms->zones[goal.index]);
        walkers->moves[i] = last_leg(rooms, entry, cell, (uint32_t)goal.index);
    }
}

static void take_passage(throng_walkers *walkers, uint32_t i, uint32_t slot)
{
    thg_walker *walker = &walkers->walkers[i];
    const throng_rooms *rooms = walkers->rooms;
    const thg_passage *passage = &rooms->passages[rooms->doors[walker->next_door].first_arc + slot];
    walker->next_door = passage->head;
    walker->leg = passage->price;
    walker->left -= walker->leg;
    walkers->moves[i] = passage->moves;
}

/// The moves from a cell that is no door to a door of its room.
static uint64_t leg_from(const throng_rooms *rooms, uint32_t door, uint32_t cell)
{
    return thg_leg(rooms, entry_of(rooms, door, rooms->zones[cell]), cell);
}

bool thg_walker_turn(throng_walkers *walkers, uint32_t i)
{
    const throng_rooms *rooms = walkers->rooms;
    thg_walker *walker = &walkers->walkers[i];
    uint32_t cell = walkers->cells[i], door = walker->next_door;
    if (door == THG_NONE) {
        throng_rooms_goal goal = thg_goal_of(walker);
        bool there = goal.is_room ? rooms->zones[cell] == (uint32_t)goal.index
                                  : cell == (uint32_t)goal.index;
        if (there) {
            arrive(walkers, i);
        } else if (walker->last_door == THG_NONE) {
            return false; // inside one room: searched
        } else {
            go_last_leg(walkers, i);
        }
        return true;
    }
    if (rooms->doors[door].cell != cell) {
        walkers->moves[i] = leg_from(rooms, door, cell);
        return true;
    }
    if (door == walker->last_door) {
        go_last_leg(walkers, i);
        return true;
    }
    if (!thg_row_helps(walkers, walker)) {
        return false;
    }
    uint32_t slot = thg_row_slot(&rooms->rows, door, walker->last_door);
    THRONG_ASSERT(slot != THG_NO_SLOT);
    take_passage(walkers, i, slot);
    return true;
}

uint32_t thg_walker_leg_left(const throng_walkers *walkers, uint32_t i)
{
    const throng_rooms *rooms = walkers->rooms;
    uint32_t cell = walkers->cells[i], door = walkers->walkers[i].next_door;
    if (rooms->doors[door].cell == cell) {
        return 0;
    }
    // On a door itself, the leg may cross another room than the cell's own.
    return thg_is_door(rooms, cell)
               ? walkers->walkers[i].leg
               : thg_leg_length(rooms, entry_of(rooms, door, rooms->zones[cell]), cell);
}

void thg_walker_resume(throng_walkers *walkers, uint32_t i)
{
    const throng_rooms *rooms = walkers->rooms;
    thg_walker *walker = &walkers->walkers[i];
    uint32_t cell = walkers->cells[i];
    bool at_end = rooms->doors[walker->next_door].cell == cell;
    walker->version = rooms->version;
    walkers->statuses[i] = THRONG_WALKER_WALKING;
    walkers->moves[i] = at_end ? THG_LEG_DONE : leg_from(rooms, walker->next_door, cell);
}

void thg_walker_begin(throng_walkers *walkers, thg_search *search, uint32_t i, uint32_t length,
                      const thg_seed *first, const thg_seed *last)
{
    const throng_rooms *rooms = walkers->rooms;
    thg_walker *walker = &walkers->walkers[i];
    uint32_t cell = walkers->cells[i];
    throng_rooms_goal goal = thg_goal_of(walker);
    walker->version = rooms->version;
    walker->next_door = walker->last_door = THG_NONE;
    walker->left = walker->tail = walker->leg = 0;
    walkers->statuses[i] = THRONG_WALKER_WALKING;
    walkers->moves[i] = THG_LEG_DONE;
    if (length >= THG_FAR) {
        walkers->statuses[i] = THRONG_WALKER_UNREACHABLE;
        walkers->moves[i] = THG_STANDS;
        return;
    }
    if (first == NULL) {
        walker->leg = length;
        if (length > 0) {
            walkers->moves[i] = direct_leg(rooms, search, cell, (uint32_t)goal.index);
        }
        return;
    }
    walker->next_door = first->door;
    walker->last_door = last->door;
    walker->tail = last->length;
    walker->left = length - first->length;
    walker->leg = first->length;
    if (rooms->doors[first->door].cell != cell) {
        walkers->moves[i] = leg_from(rooms, first->door, cell);
    }
}

void thg_walker_plan(throng_walkers *walkers, thg_search *search, uint32_t i)
{
    const thg_seed *first, *last;
    uint32_t length = thg_plan(walkers->rooms, search, walkers->cells[i],
                               thg_goal_of(&walkers->walkers[i]), &first, &last);
    thg_walker_begin(walkers, search, i, length, first, last);
}

void thg_walker_turn_slowly(throng_walkers *walkers, thg_search *search, uint32_t i)
{
    const throng_rooms *rooms = walkers->rooms;
    thg_walker *walker = &walkers->walkers[i];
    if (walker->next_door == THG_NONE) {
        walkers->moves[i] =
            direct_leg(rooms, search, walkers->cells[i], (uint32_t)thg_goal_of(walker).index);
        return;
    }
    thg_seed end = {walker->last_door, 0, 0};
    thg_found found = thg_search_slot(rooms, search, walker->next_door, &end, 1);
    if (found.from_mark == THG_NO_SLOT) {
        thg_walker_plan(walkers, search, i);
        return;
    }
    take_passage(walkers, i, found.from_mark);
}
