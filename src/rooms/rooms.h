/// The tables of rooms and doors from inside.
///
/// Doors are numbered depth-first over the graph of doors, so that doors which lie together have
/// numbers that do, and rows compress well. The hierarchy numbers them again, by rank. Cells are
/// y * width + x, rooms count from 1 as zones do; rooms[0] is empty.
#ifndef THG_ROOMS_H
#define THG_ROOMS_H

#include "map/map.h"
#include <throng/rooms.h>

#define THG_FAR THRONG_ROOMS_FAR
#define THG_NONE UINT32_MAX
#define THG_NO_SLOT 0xffffu
#define THG_LEG_MOVES 20 ///< moves a packed leg holds, three bits each under an end mark

/// Where a table's bytes are counted.
typedef enum thg_part {
    THG_ZONES,
    THG_INSIDE_TABLE,
    THG_GRAPH,
    THG_HIERARCHY,
    THG_ROWS,
    THG_SCRATCH,
    THG_PART_COUNT
} thg_part;

typedef struct thg_room {
    int32_t x, y;          ///< upper left corner of the box round its cells and doors
    int32_t width, height; ///< of the box
    uint32_t first_entry;  ///< its doors: entries [first_entry, next room's first_entry)
} thg_room;

/// A door seen from one of the rooms that it joins.
typedef struct thg_entry {
    uint32_t door;
    uint32_t room;
    uint64_t table; ///< first byte of its next steps: four bits for each cell of the room's box
} thg_entry;

/// From one door to another through one room.
typedef struct thg_arc {
    uint32_t head;   ///< door
    uint32_t entry;  ///< of the head in the room that the arc crosses
    uint32_t length; ///< inside that room, passing no other door
} thg_arc;

/// What a walker takes along from an arc: one read at a door.
typedef struct thg_passage {
    uint64_t moves; ///< the first steps, as thg_leg packs them
    uint32_t head;  ///< door
    uint32_t price; ///< length and delay of the head
} thg_passage;

/// What a walker reads of the door that it stands on: one read, too.
typedef struct thg_signpost {
    uint32_t row;     ///< first word of the door's row
    uint32_t version; ///< of the doors that the row was built for; 0 never
    uint32_t first_arc;
    uint32_t cell;
} thg_signpost;

typedef struct thg_door {
    uint32_t cell;
    uint32_t first_arc;   ///< arcs [first_arc, next door's first_arc), sorted by entry
    uint32_t first_entry; ///< in door_entries, to the next door's
    uint32_t delay;       ///< units
    uint16_t home;        ///< room that its cell belongs to
    uint16_t one_way;     ///< room it may be entered from, 0 both ways
    bool closed;
} thg_door;

/// The hierarchy: nodes are ranks, arcs lead up, in the order of their lower ends.
typedef struct thg_hierarchy {
    uint32_t count, arc_count;
    uint32_t *rank_of_door, *door_of_rank;
    uint32_t *first; ///< [count + 1]
    uint32_t *head;  ///< sorted within a node; the first is the parent in the elimination tree
    uint32_t *tail;
    uint32_t *up, *down;           ///< lengths from tail to head, and from head to tail
    uint16_t *up_slot, *down_slot; ///< first arc of the way, counted from the start's first arc
    uint32_t *lower_first;         ///< [count + 1]
    uint32_t *lower_arc;           ///< arcs that end in a node, in the order of their tails
    uint32_t *heap;                ///< arcs that wait for a partial customisation
    uint8_t *waiting;
} thg_hierarchy;

/// A run of a row: targets from `start` on within its chunk share a slot.
/// start << slot_bits | slot; a chunk has 1 << chunk_bits targets, chunk_bits + slot_bits <= 16.
typedef struct thg_rows {
    int slot_bits, chunk_bits;
    uint32_t chunk_count;
    uint16_t *words; ///< each row: chunk_count + 1 run offsets, then runs
    size_t word_capacity, word_count;
    thg_signpost *posts; ///< of each door
    uint32_t *capacity;  ///< words that its row may grow to
    uint32_t oldest;     ///< where the next refresh begins
    int64_t runs;
    int stale;
} thg_rows;

/// What a one-to-all sweep or a compression of sixteen rows works in.
typedef struct thg_sweep {
    uint32_t *keys; ///< [count][16]: length << slot_bits | slot
    uint64_t *wide; ///< [count]: one source at a time, where lengths are long
    uint16_t *row;  ///< words of sixteen rows before they are stored
    uint32_t sizes[16];
} thg_sweep;

/// One of the doors that a way may begin or end with: a mark to know it by, and the length of what
/// lies before or behind it.
typedef struct thg_seed {
    uint32_t door, length;
    uint16_t mark;
} thg_seed;

/// What a search between two sets of doors works in.
typedef struct thg_search {
    uint64_t *from, *to; ///< [count]: length << 16 | mark, by rank; THG_UNSEEN between searches
    uint32_t *ranks_from, *ranks_to; ///< touched, in rising order
    uint32_t from_count, to_count;
    thg_seed *starts, *ends; ///< [most doors of a room + 1]
    struct thg_inside *inside;
} thg_search;
#define THG_UNSEEN UINT64_MAX

/// What a search found: length (THG_FAR: nothing) and the marks of its ends.
typedef struct thg_found {
    uint32_t length;
    uint16_t from_mark, to_mark;
} thg_found;

typedef struct thg_taken {
    void *memory;
    size_t count, size;
    thg_part part;
} thg_taken;
#define THG_MOST_TAKEN 1200 ///< up to sixteen for each of 64 threads, and the tables

struct throng_rooms {
    const throng_map *map;
    const thg_layer *layer;
    int width, height;
    bool diagonal;
    uint16_t *zones;
    uint32_t room_count, door_count, entry_count, arc_count;
    uint32_t most_entries; ///< doors of the room that has most
    uint32_t most_slots;   ///< arcs of the door that has most
    thg_room *rooms;       ///< [room_count + 2]
    thg_entry *entries;
    thg_door *doors;        ///< [door_count + 1]
    uint32_t *door_entries; ///< entries of each door, home first
    uint64_t *door_bits;    ///< one of each cell: a door
    uint32_t odd_doors;     ///< doors that are slow or one-way: ways there and back may differ
    thg_arc *arcs;
    thg_passage *passages; ///< of each arc
    uint8_t *tables;       ///< next steps
    size_t table_bytes;
    thg_hierarchy hierarchy;
    thg_rows rows;
    uint32_t version; ///< counts changes of doors, from 1
    size_t most_row_bytes;
    thg_sweep sweeps[64]; ///< one a thread
    int sweep_count;
    thg_search searches[64]; ///< one a thread; the first also serves questions from outside
    int search_count;
    throng_rooms_report report;
    thg_taken taken[THG_MOST_TAKEN];
    int taken_count;
    int32_t move_cells[8]; ///< what each move adds to a cell
};

/// Zeroed memory that thg_rooms_release_all gives back; NULL when there is none.
void *thg_take(throng_rooms *rooms, size_t count, size_t size, thg_part part);
/// Gives back one that was taken; NULL is allowed.
void thg_give(throng_rooms *rooms, void *memory);
void thg_give_all(throng_rooms *rooms);

/// The stages of building, in order; each reads what those before it made.
throng_result thg_find_doors(throng_rooms *rooms, const throng_rooms_def *def, throng_error *error);
throng_result thg_fill_inside(throng_rooms *rooms, throng_jobs *jobs);
throng_result thg_order_doors(throng_rooms *rooms);
throng_result thg_build_hierarchy(throng_rooms *rooms);
throng_result thg_build_rows(throng_rooms *rooms, throng_jobs *jobs);

/// Price of an arc as the doors are now, THG_FAR when it is forbidden.
uint32_t thg_arc_price(const throng_rooms *rooms, uint32_t door, const thg_arc *arc);

/// THRONG_BAD_ARGUMENT for a door that is none, or a state that it cannot have.
throng_result thg_check_door(const throng_rooms *rooms, int door, const throng_door *state);

/// Recomputes the arcs of the hierarchy that a changed door takes part in, and what follows.
void thg_customise_door(throng_rooms *rooms, uint32_t door);

bool thg_search_create(throng_rooms *rooms, thg_search *search);

/// Length of the way from a cell, which is no door, to the door of an entry of its room and through
/// it; THG_FAR when no way can begin so. O(length)
uint32_t thg_start_length(const throng_rooms *rooms, uint32_t entry, uint32_t cell);

/// Doors that a way from a cell can begin with; marks count from 0. Returns how many.
uint32_t thg_start_seeds(const throng_rooms *rooms, uint32_t cell, thg_seed *seeds);

/// Doors that a way to a goal can end with, and what is left to go behind them.
uint32_t thg_end_seeds(const throng_rooms *rooms, throng_rooms_goal goal, thg_seed *seeds);

/// The move that leads from a door into a room at once; 8: none.
unsigned thg_move_into(const throng_rooms *rooms, uint32_t door, uint32_t room);

/// Length of the way between two cells that passes no door; THG_FAR when there is none, or the
/// cells are in different rooms, or either is a door. O(cells of the room), into search->inside.
uint32_t thg_direct(const throng_rooms *rooms, thg_search *search, uint32_t from, uint32_t to);

/// The whole answer for a way between cells; `first` and `last` become seeds of search->starts and
/// ->ends, NULL where the way passes no door.
uint32_t thg_plan(const throng_rooms *rooms, thg_search *search, uint32_t cell,
                  throng_rooms_goal goal, const thg_seed **first, const thg_seed **last);

/// The shortest way from any of the first seeds to any of the others; of equal ones that with the
/// lowest from_mark, then to_mark. Marks below THG_NO_SLOT.
thg_found thg_search_ways(const throng_rooms *rooms, thg_search *search, const thg_seed *from,
                          uint32_t from_count, const thg_seed *to, uint32_t to_count);

/// The same from one door: from_mark is the slot of the first arc, the lowest of all shortest ways,
/// as in a row; THG_NO_SLOT where the way has no arc.
thg_found thg_search_slot(const throng_rooms *rooms, thg_search *search, uint32_t from,
                          const thg_seed *to, uint32_t to_count);

/// Lengths from a door to all (forward), or from all to it, by door. `lengths` [door_count].
void thg_lengths(const throng_rooms *rooms, uint32_t door, bool forward, uint32_t *lengths);

/// Asks for a cache line that will be read soon.
static inline void thg_prefetch(const void *memory)
{
#if defined(__GNUC__)
    __builtin_prefetch(memory);
#else
    (void)memory;
#endif
}

static inline uint32_t thg_add_length(uint32_t a, uint32_t b)
{
    uint32_t sum = a + b; // both are below 2^31 + 1
    return sum < THG_FAR ? sum : THG_FAR;
}

static inline uint32_t thg_box_index(const throng_rooms *rooms, const thg_room *room, uint32_t cell)
{
    int32_t x = (int32_t)cell % rooms->width - room->x, y = (int32_t)cell / rooms->width - room->y;
    return (uint32_t)(y * room->width + x);
}

static inline bool thg_is_door(const throng_rooms *rooms, uint32_t cell)
{
    return rooms->door_bits[cell / 64] >> cell % 64 & 1u;
}

/// The next step from a cell of a room's box towards one of its doors: a move, 8 on the door, 15
/// where there is no way.
static inline unsigned thg_next_move(const throng_rooms *rooms, const thg_entry *entry,
                                     uint32_t index)
{
    return rooms->tables[entry->table + index / 2] >> (index % 2 * 4) & 15u;
}

#endif
