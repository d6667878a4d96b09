/// Inside rooms: shortest ways from every cell to each door, and the arcs between doors.
///
/// A way inside a room passes no other door, so that closing a door changes no room. Two queues,
/// one of straight and one of diagonal steps, are both in order of length all the time: taking the
/// nearer head is Dijkstra's algorithm in O(cells).
#include "rooms/inside.h"
#include "jobs/jobs.h"
#include <stdatomic.h>
#include <string.h>

#define ROOMS_A_TURN 64 ///< rooms that a thread takes at once

bool thg_inside_create(throng_rooms *rooms, thg_inside *inside)
{
    size_t most = 0;
    for (uint32_t room = 1; room <= rooms->room_count; room++) {
        size_t cells = (size_t)rooms->rooms[room].width * (size_t)rooms->rooms[room].height;
        most = cells > most ? cells : most;
    }
    inside->moves = thg_take(rooms, most, 1, THG_SCRATCH);
    inside->is_door = thg_take(rooms, most, 1, THG_SCRATCH);
    inside->length = thg_take(rooms, most, sizeof(uint32_t), THG_SCRATCH);
    for (int i = 0; i < 2; i++) {
        // A cell enters a queue once: what comes later into the same queue is no shorter.
        inside->queue[i] = thg_take(rooms, most + 1, sizeof(uint32_t), THG_SCRATCH);
        if (inside->queue[i] == NULL) {
            return false;
        }
    }
    return inside->moves != NULL && inside->is_door != NULL && inside->length != NULL;
}

void thg_inside_release(throng_rooms *rooms, thg_inside *inside)
{
    thg_give(rooms, inside->queue[1]);
    thg_give(rooms, inside->queue[0]);
    thg_give(rooms, inside->length);
    thg_give(rooms, inside->is_door);
    thg_give(rooms, inside->moves);
}

void thg_inside_enter(const throng_rooms *rooms, thg_inside *inside, uint32_t number)
{
    const thg_room *room = &rooms->rooms[number];
    unsigned all = rooms->diagonal ? 0xffu : 0x0fu;
    inside->room = room;
    for (int move = 0; move < 8; move++) {
        inside->offset[move] = thg_move_y[move] * room->width + thg_move_x[move];
    }
    // First which cells take part, then which moves stay among them.
    uint32_t count = (uint32_t)(room->width * room->height);
    memset(inside->is_door, 0, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cell = thg_box_cell(rooms, room, i);
        inside->moves[i] = rooms->zones[cell] == number;
    }
    uint32_t end = rooms->rooms[number + 1].first_entry;
    for (uint32_t entry = room->first_entry; entry < end; entry++) {
        uint32_t i = thg_box_index(rooms, room, rooms->doors[rooms->entries[entry].door].cell);
        inside->moves[i] = 1;
        inside->is_door[i] = 1;
    }
    memset(inside->length, 0, count * sizeof(uint32_t)); // borrowed for the masks
    for (uint32_t i = 0; i < count; i++) {
        int x = room->x + (int)i % room->width, y = room->y + (int)i / room->width;
        unsigned mask = rooms->layer->moves[thg_padded_index(rooms->map, x, y)] & all;
        unsigned kept = 0;
        for (unsigned move = 0; move < 8 && inside->moves[i]; move++) {
            int nx = x + thg_move_x[move] - room->x, ny = y + thg_move_y[move] - room->y;
            if ((mask >> move & 1u) && nx >= 0 && ny >= 0 && nx < room->width &&
                ny < room->height && inside->moves[ny * room->width + nx]) {
                kept |= 1u << move;
            }
        }
        inside->length[i] = kept;
    }
    for (uint32_t i = 0; i < count; i++) {
        inside->moves[i] = (uint8_t)inside->length[i];
    }
}

static inline void push(thg_inside *inside, uint32_t *tail, uint32_t cell, uint32_t length,
                        int kind)
{
    if (length < inside->length[cell]) {
        inside->length[cell] = length;
        inside->queue[kind][tail[kind]++] = cell;
    }
}

/// Spreads from a cell to its neighbours, unless a queued cell was improved meanwhile: then it
/// stands in the other queue too, and spreading twice from one length does nothing.
static void spread(const throng_rooms *rooms, thg_inside *inside, uint32_t *tail, uint32_t cell)
{
    uint32_t length = inside->length[cell];
    unsigned straight = inside->moves[cell] & 15u, diagonal = inside->moves[cell] >> 4;
    for (; straight != 0; straight &= straight - 1) {
        int move = __builtin_ctz(straight);
        push(inside, tail, cell + (uint32_t)inside->offset[move],
             length + thg_step_length(rooms, 0), 0);
    }
    for (; diagonal != 0; diagonal &= diagonal - 1) {
        int move = 4 + __builtin_ctz(diagonal);
        push(inside, tail, cell + (uint32_t)inside->offset[move],
             length + thg_step_length(rooms, move), 1);
    }
}

void thg_inside_measure(const throng_rooms *rooms, thg_inside *inside, uint32_t start)
{
    uint32_t count = (uint32_t)(inside->room->width * inside->room->height);
    for (uint32_t i = 0; i < count; i++) {
        inside->length[i] = THG_FAR;
    }
    uint32_t head[2] = {0, 0}, tail[2] = {0, 0};
    inside->length[start] = 0;
    spread(rooms, inside, tail, start);
    while (head[0] < tail[0] || head[1] < tail[1]) {
        int kind = head[0] == tail[0] ||
                   (head[1] < tail[1] && inside->length[inside->queue[1][head[1]]] <
                                             inside->length[inside->queue[0][head[0]]]);
        uint32_t cell = inside->queue[kind][head[kind]++];
        if (!inside->is_door[cell]) {
            spread(rooms, inside, tail, cell);
        }
    }
}

unsigned thg_inside_back(const throng_rooms *rooms, const thg_inside *inside, uint32_t cell,
                         uint32_t start)
{
    uint32_t length = inside->length[cell];
    if (cell == start) {
        return 8;
    }
    for (unsigned move = 0; move < 8 && length < THG_FAR; move++) {
        if (!(inside->moves[cell] >> move & 1u)) {
            continue;
        }
        uint32_t next = cell + (uint32_t)inside->offset[move];
        if ((next == start || !inside->is_door[next]) &&
            inside->length[next] + thg_step_length(rooms, (int)move) == length) {
            return move;
        }
    }
    return 15;
}

// ---- All rooms ---------------------------------------------------------------------------------

typedef struct inside_work {
    throng_rooms *rooms;
    thg_inside inside[64];
    uint64_t *pair_first; ///< [rooms + 2]: lengths between the doors of each room
    uint32_t *pairs;
    atomic_uint next;
} inside_work;

static void measure_room(inside_work *work, thg_inside *inside, uint32_t number)
{
    throng_rooms *rooms = work->rooms;
    const thg_room *room = &rooms->rooms[number];
    uint32_t first = room->first_entry, count = rooms->rooms[number + 1].first_entry - first;
    uint32_t cells = (uint32_t)(room->width * room->height);
    if (count == 0) {
        return;
    }
    thg_inside_enter(rooms, inside, number);
    for (uint32_t i = 0; i < count; i++) {
        const thg_entry *entry = &rooms->entries[first + i];
        uint8_t *table = rooms->tables + entry->table;
        uint32_t start = thg_box_index(rooms, room, rooms->doors[entry->door].cell);
        thg_inside_measure(rooms, inside, start);
        for (uint32_t cell = 0; cell < cells; cell++) {
            table[cell / 2] |=
                (uint8_t)(thg_inside_back(rooms, inside, cell, start) << (cell % 2 * 4));
        }
        for (uint32_t j = 0; j < count; j++) {
            uint32_t other =
                thg_box_index(rooms, room, rooms->doors[rooms->entries[first + j].door].cell);
            work->pairs[work->pair_first[number] + (uint64_t)i * count + j] = inside->length[other];
        }
    }
}

static void measure_rooms(void *context, int first, int end, int block)
{
    inside_work *work = context;
    (void)first;
    (void)end;
    for (;;) {
        uint32_t room = atomic_fetch_add(&work->next, ROOMS_A_TURN) + 1;
        if (room > work->rooms->room_count) {
            return;
        }
        for (uint32_t i = room; i < room + ROOMS_A_TURN && i <= work->rooms->room_count; i++) {
            measure_room(work, &work->inside[block], i);
        }
    }
}

/// Places of the tables and of the lengths between doors. False when they are too many.
static bool place_tables(throng_rooms *rooms, inside_work *work)
{
    uint64_t bytes = 0, pairs = 0;
    for (uint32_t number = 1; number <= rooms->room_count; number++) {
        const thg_room *room = &rooms->rooms[number];
        uint64_t cells = (uint64_t)room->width * (uint64_t)room->height;
        uint64_t count = rooms->rooms[number + 1].first_entry - room->first_entry;
        work->pair_first[number] = pairs;
        pairs += count * count;
        for (uint32_t i = 0; i < count; i++) {
            rooms->entries[room->first_entry + i].table = bytes;
            bytes += (cells + 1) / 2;
        }
    }
    rooms->table_bytes = (size_t)bytes;
    rooms->tables = thg_take(rooms, rooms->table_bytes, 1, THG_INSIDE_TABLE);
    work->pairs = thg_take(rooms, (size_t)pairs, sizeof(uint32_t), THG_SCRATCH);
    return rooms->tables != NULL && work->pairs != NULL;
}

/// One call for each pair of doors that see each other inside a room.
static inline bool pair_is_arc(const inside_work *work, uint32_t number, uint32_t count, uint32_t i,
                               uint32_t j)
{
    return i != j && work->pairs[work->pair_first[number] + (uint64_t)i * count + j] < THG_FAR;
}

static void count_arcs(throng_rooms *rooms, const inside_work *work)
{
    for (uint32_t number = 1; number <= rooms->room_count; number++) {
        uint32_t first = rooms->rooms[number].first_entry;
        uint32_t count = rooms->rooms[number + 1].first_entry - first;
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t j = 0; j < count; j++) {
                rooms->doors[rooms->entries[first + i].door].first_arc +=
                    pair_is_arc(work, number, count, i, j);
            }
        }
    }
    uint32_t sum = 0;
    for (uint32_t door = 0; door <= rooms->door_count; door++) {
        uint32_t own = rooms->doors[door].first_arc;
        rooms->doors[door].first_arc = sum;
        sum += own;
        rooms->most_slots = own > rooms->most_slots ? own : rooms->most_slots;
    }
    rooms->arc_count = sum;
}

static bool fill_arcs(throng_rooms *rooms, const inside_work *work)
{
    rooms->arcs = thg_take(rooms, rooms->arc_count, sizeof *rooms->arcs, THG_GRAPH);
    rooms->passages = thg_take(rooms, rooms->arc_count, sizeof *rooms->passages, THG_GRAPH);
    uint32_t *next = thg_take(rooms, rooms->door_count, sizeof *next, THG_SCRATCH);
    if (rooms->arcs == NULL || rooms->passages == NULL || next == NULL) {
        return false;
    }
    for (uint32_t number = 1; number <= rooms->room_count; number++) {
        uint32_t first = rooms->rooms[number].first_entry;
        uint32_t count = rooms->rooms[number + 1].first_entry - first;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t from = rooms->entries[first + i].door;
            for (uint32_t j = 0; j < count; j++) {
                if (pair_is_arc(work, number, count, i, j)) {
                    uint32_t arc = rooms->doors[from].first_arc + next[from]++;
                    uint32_t head = rooms->entries[first + j].door;
                    uint32_t length =
                        work->pairs[work->pair_first[number] + (uint64_t)i * count + j];
                    rooms->arcs[arc] = (thg_arc){head, first + j, length};
                    rooms->passages[arc] = (thg_passage){
                        thg_leg(rooms, first + j, rooms->doors[from].cell), head, length};
                }
            }
        }
    }
    thg_give(rooms, next);
    return true;
}

throng_result thg_fill_inside(throng_rooms *rooms, throng_jobs *jobs)
{
    inside_work *work = thg_take(rooms, 1, sizeof *work, THG_SCRATCH);
    if (work == NULL) {
        return THRONG_NO_MEMORY;
    }
    int threads = throng_jobs_thread_count(jobs);
    work->rooms = rooms;
    work->pair_first = thg_take(rooms, rooms->room_count + 2, sizeof(uint64_t), THG_SCRATCH);
    bool good = work->pair_first != NULL && place_tables(rooms, work);
    for (int i = 0; i < threads && good; i++) {
        good = thg_inside_create(rooms, &work->inside[i]);
    }
    if (good) {
        thg_parallel_for(jobs, threads, 1, measure_rooms, work);
        count_arcs(rooms, work);
        good = rooms->most_slots < THG_NO_SLOT && fill_arcs(rooms, work);
    }
    for (int i = threads - 1; i >= 0; i--) {
        thg_inside_release(rooms, &work->inside[i]);
    }
    thg_give(rooms, work->pairs);
    thg_give(rooms, work->pair_first);
    thg_give(rooms, work);
    return good ? THRONG_OK : THRONG_NO_MEMORY;
}

// ---- Legs --------------------------------------------------------------------------------------

uint64_t thg_leg(const throng_rooms *rooms, uint32_t entry_index, uint32_t cell)
{
    const thg_entry *entry = &rooms->entries[entry_index];
    const thg_room *room = &rooms->rooms[entry->room];
    uint32_t index = thg_box_index(rooms, room, cell);
    uint64_t moves = 0;
    int count = 0;
    while (count < THG_LEG_MOVES) {
        unsigned move = thg_next_move(rooms, entry, index);
        if (move >= 8) {
            break;
        }
        moves |= (uint64_t)move << 3 * count++;
        index += (uint32_t)(thg_move_y[move] * room->width + thg_move_x[move]);
    }
    return moves | (uint64_t)1 << 3 * count;
}

uint32_t thg_leg_length(const throng_rooms *rooms, uint32_t entry_index, uint32_t cell)
{
    const thg_entry *entry = &rooms->entries[entry_index];
    const thg_room *room = &rooms->rooms[entry->room];
    uint32_t index = thg_box_index(rooms, room, cell), length = 0;
    for (;;) {
        unsigned move = thg_next_move(rooms, entry, index);
        if (move >= 8) {
            return move == 8 ? length : THG_FAR;
        }
        length += thg_step_length(rooms, (int)move);
        index += (uint32_t)(thg_move_y[move] * room->width + thg_move_x[move]);
    }
}
