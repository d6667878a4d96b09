/// Ways between cells: the doors they can begin and end with, and the search between.
#include "rooms/inside.h"
#include "rooms/rows.h"

/// Adds a door, unless it is too far to count.
static uint32_t add_seed(thg_seed *seeds, uint32_t count, uint32_t door, uint32_t length)
{
    if (length < THG_FAR) {
        seeds[count] = (thg_seed){door, length, (uint16_t)count};
        count++;
    }
    return count;
}

/// The cell's own door, where it is one: the only one its ways begin or end with.
static uint32_t own_seed(const throng_rooms *rooms, uint32_t cell, thg_seed *seeds)
{
    int own = throng_rooms_door_at(rooms, (int)cell);
    return own >= 0 ? add_seed(seeds, 0, (uint32_t)own, 0) : 0;
}

uint32_t thg_start_length(const throng_rooms *rooms, uint32_t entry, uint32_t cell)
{
    const thg_door *door = &rooms->doors[rooms->entries[entry].door];
    if (door->closed || (door->one_way != 0 && door->one_way != rooms->zones[cell])) {
        return THG_FAR;
    }
    return thg_add_length(thg_leg_length(rooms, entry, cell), door->delay);
}

uint32_t thg_start_seeds(const throng_rooms *rooms, uint32_t cell, thg_seed *seeds)
{
    uint32_t room = rooms->zones[cell], count = own_seed(rooms, cell, seeds);
    if (count > 0 || room == 0) {
        return count;
    }
    for (uint32_t i = rooms->rooms[room].first_entry; i < rooms->rooms[room + 1].first_entry; i++) {
        count = add_seed(seeds, count, rooms->entries[i].door, thg_start_length(rooms, i, cell));
    }
    return count;
}

unsigned thg_move_into(const throng_rooms *rooms, uint32_t door, uint32_t room)
{
    uint32_t cell = rooms->doors[door].cell;
    unsigned moves = rooms->layer->moves[thg_padded_index(rooms->map, (int)cell % rooms->width,
                                                          (int)cell / rooms->width)];
    for (unsigned move = 0; move < (rooms->diagonal ? 8u : 4u); move++) {
        int next = (int)cell + rooms->move_cells[move];
        if ((moves >> move & 1u) && rooms->zones[next] == room &&
            !thg_is_door(rooms, (uint32_t)next)) {
            return move;
        }
    }
    return 8;
}

static uint32_t seeds_to_room(const throng_rooms *rooms, uint32_t room, thg_seed *seeds)
{
    uint32_t count = 0;
    for (uint32_t i = rooms->rooms[room].first_entry; i < rooms->rooms[room + 1].first_entry; i++) {
        uint32_t number = rooms->entries[i].door;
        const thg_door *door = &rooms->doors[number];
        uint32_t length = 0;
        if (door->home != room) {
            unsigned move = thg_move_into(rooms, number, room);
            length =
                move < 8 && door->one_way != room ? thg_step_length(rooms, (int)move) : THG_FAR;
        }
        count = add_seed(seeds, count, number, length);
    }
    return count;
}

uint32_t thg_end_seeds(const throng_rooms *rooms, throng_rooms_goal goal, thg_seed *seeds)
{
    if (goal.is_room) {
        return seeds_to_room(rooms, (uint32_t)goal.index, seeds);
    }
    uint32_t cell = (uint32_t)goal.index, room = rooms->zones[cell];
    uint32_t count = own_seed(rooms, cell, seeds);
    if (count > 0 || room == 0) {
        return count;
    }
    for (uint32_t i = rooms->rooms[room].first_entry; i < rooms->rooms[room + 1].first_entry; i++) {
        uint32_t number = rooms->entries[i].door;
        if (rooms->doors[number].one_way != room) {
            count = add_seed(seeds, count, number, thg_leg_length(rooms, i, cell));
        }
    }
    return count;
}

uint32_t thg_direct(const throng_rooms *rooms, thg_search *search, uint32_t from, uint32_t to)
{
    uint32_t room = rooms->zones[from];
    if (room == 0 || room != rooms->zones[to] || thg_is_door(rooms, from) ||
        thg_is_door(rooms, to)) {
        return THG_FAR;
    }
    thg_inside_enter(rooms, search->inside, room);
    thg_inside_measure(rooms, search->inside, thg_box_index(rooms, search->inside->room, to));
    return search->inside->length[thg_box_index(rooms, search->inside->room, from)];
}

uint32_t thg_plan(const throng_rooms *rooms, thg_search *search, uint32_t cell,
                  throng_rooms_goal goal, const thg_seed **first, const thg_seed **last)
{
    *first = *last = NULL;
    if (goal.is_room ? rooms->zones[cell] == (uint32_t)goal.index : cell == (uint32_t)goal.index) {
        return 0;
    }
    uint32_t direct =
        goal.is_room ? THG_FAR : thg_direct(rooms, search, cell, (uint32_t)goal.index);
    uint32_t starts = thg_start_seeds(rooms, cell, search->starts);
    uint32_t ends = thg_end_seeds(rooms, goal, search->ends);
    thg_found found = thg_search_ways(rooms, search, search->starts, starts, search->ends, ends);
    if (found.length < direct) {
        *first = &search->starts[found.from_mark];
        *last = &search->ends[found.to_mark];
        return found.length;
    }
    return direct;
}

static bool is_goal(const throng_rooms *rooms, throng_rooms_goal goal)
{
    int most = goal.is_room ? (int)rooms->room_count + 1 : rooms->width * rooms->height;
    return goal.index >= (goal.is_room ? 1 : 0) && goal.index < most;
}

throng_rooms_route throng_rooms_find(throng_rooms *rooms, int cell, throng_rooms_goal goal)
{
    throng_rooms_route route = {THRONG_ROOMS_FAR, -1, -1};
    if (throng_rooms_at(rooms, cell) == 0 || !is_goal(rooms, goal) ||
        (!goal.is_room && rooms->zones[goal.index] == 0)) {
        return route;
    }
    const thg_seed *first, *last;
    route.length = thg_plan(rooms, &rooms->searches[0], (uint32_t)cell, goal, &first, &last);
    route.first_door = first != NULL ? (int)first->door : -1;
    route.last_door = last != NULL ? (int)last->door : -1;
    return route;
}

int throng_rooms_step(throng_rooms *rooms, int door, int to_door)
{
    if (door < 0 || to_door < 0 || door >= (int)rooms->door_count ||
        to_door >= (int)rooms->door_count || door == to_door) {
        return -1;
    }
    uint32_t slot;
    if (rooms->rows.posts[door].version == rooms->version) {
        slot = thg_row_slot(&rooms->rows, (uint32_t)door, (uint32_t)to_door);
    } else {
        thg_seed end = {(uint32_t)to_door, 0, 0};
        slot = thg_search_slot(rooms, &rooms->searches[0], (uint32_t)door, &end, 1).from_mark;
    }
    if (slot == THG_NO_SLOT) {
        return -1;
    }
    const thg_passage *passage = &rooms->passages[rooms->doors[door].first_arc + slot];
    return (int)rooms->doors[door].cell + rooms->move_cells[passage->moves & 7u];
}

/// Lengths to a door within one room, given those of its own doors.
static void fill_room(const throng_rooms *rooms, thg_search *search, uint32_t number,
                      const uint32_t *by_rank, uint32_t *lengths)
{
    const thg_room *room = &rooms->rooms[number];
    uint32_t count = (uint32_t)(room->width * room->height);
    thg_inside_enter(rooms, search->inside, number);
    for (uint32_t i = room->first_entry; i < rooms->rooms[number + 1].first_entry; i++) {
        uint32_t other = rooms->entries[i].door, cell = rooms->doors[other].cell;
        const thg_door *state = &rooms->doors[other];
        uint32_t left = by_rank[rooms->hierarchy.rank_of_door[other]];
        lengths[cell] = left; // who stands on it leaves it
        if (state->closed || (state->one_way != 0 && state->one_way != number) || left >= THG_FAR) {
            continue;
        }
        left = thg_add_length(left, state->delay);
        thg_inside_measure(rooms, search->inside, thg_box_index(rooms, room, cell));
        for (uint32_t k = 0; k < count; k++) {
            uint32_t *own = &lengths[thg_box_cell(rooms, room, k)];
            uint32_t length = thg_add_length(search->inside->length[k], left);
            bool takes = !search->inside->is_door[k];
            *own = takes && length < *own ? length : *own;
        }
    }
}

throng_result throng_rooms_lengths(throng_rooms *rooms, int door, uint32_t *lengths)
{
    if (door < 0 || door >= (int)rooms->door_count) {
        return THRONG_BAD_ARGUMENT;
    }
    thg_search *search = &rooms->searches[0];
    thg_lengths(rooms, (uint32_t)door, false, search->ranks_from); // free between searches
    for (size_t i = 0; i < rooms->map->cell_count; i++) {
        lengths[i] = THG_FAR;
    }
    for (uint32_t room = 1; room <= rooms->room_count; room++) {
        fill_room(rooms, search, room, search->ranks_from, lengths);
    }
    return THRONG_OK;
}
