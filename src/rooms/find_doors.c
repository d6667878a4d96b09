/// From zones to rooms and doors: checks what was given, finds the doors, numbers them.
#include "rooms/rooms.h"
#include "rooms/thin.h"
#include <string.h>

static bool can_move(const throng_rooms *rooms, int x, int y, int move)
{
    return rooms->layer->moves[thg_padded_index(rooms->map, x, y)] >> move & 1u;
}

static int move_count(const throng_rooms *rooms)
{
    return rooms->diagonal ? 8 : 4;
}

/// Gives each door cell of the host the lowest room beside it.
static throng_result place_door_cells(throng_rooms *rooms, const throng_rooms_def *def,
                                      throng_error *error)
{
    for (int i = 0; i < def->door_cell_count; i++) {
        int cell = def->door_cells[i];
        if (cell < 0 || cell >= rooms->width * rooms->height) {
            return thg_fail(error, THRONG_BAD_DATA, 0, 0, "door cell %d lies outside the map",
                            cell);
        }
        int x = cell % rooms->width, y = cell / rooms->width;
        if (rooms->zones[cell] != 0) {
            return thg_fail(error, THRONG_BAD_DATA, 0, 0,
                            "the door at cell %d,%d lies in room %d; expected a cell of no room", x,
                            y, rooms->zones[cell]);
        }
        int low = 0, high = 0;
        for (int move = 0; move < move_count(rooms); move++) {
            if (can_move(rooms, x, y, move)) {
                int zone = rooms->zones[cell + rooms->move_cells[move]];
                low = zone != 0 && (low == 0 || zone < low) ? zone : low;
                high = zone > high ? zone : high;
            }
        }
        if (low == high) {
            return thg_fail(error, THRONG_BAD_DATA, 0, 0,
                            "the door at cell %d,%d joins nothing: %s can be stepped to from it", x,
                            y, low == 0 ? "no room" : "only one room");
        }
        rooms->zones[cell] = (uint16_t)low;
    }
    return THRONG_OK;
}

static throng_result check_zones(throng_rooms *rooms, throng_error *error)
{
    for (int y = 0; y < rooms->height; y++) {
        for (int x = 0; x < rooms->width; x++) {
            uint16_t zone = rooms->zones[(size_t)y * (size_t)rooms->width + (size_t)x];
            if (zone != 0 && rooms->layer->price[thg_padded_index(rooms->map, x, y)] == 0) {
                return thg_fail(error, THRONG_BAD_DATA, 0, 0,
                                "cell %d,%d is in room %d but does not fit the class", x, y, zone);
            }
            rooms->room_count = zone > rooms->room_count ? zone : rooms->room_count;
        }
    }
    if (rooms->room_count == 0) {
        return thg_fail(error, THRONG_BAD_DATA, 0, 0, "there is no room: no cell has a zone");
    }
    return THRONG_OK;
}

/// Rooms with a higher number that a cell touches, each once, in rising order. At most eight.
static int higher_rooms(const throng_rooms *rooms, int x, int y, uint16_t *found)
{
    int cell = y * rooms->width + x, count = 0;
    for (int move = 0; move < move_count(rooms); move++) {
        if (!can_move(rooms, x, y, move)) {
            continue;
        }
        uint16_t zone = rooms->zones[cell + rooms->move_cells[move]];
        if (zone <= rooms->zones[cell]) {
            continue;
        }
        int at = count;
        while (at > 0 && found[at - 1] >= zone) {
            at--;
        }
        if (at < count && found[at] == zone) {
            continue;
        }
        memmove(found + at + 1, found + at, (size_t)(count - at) * sizeof *found);
        found[at] = zone;
        count++;
    }
    return count;
}

typedef struct door_list {
    uint32_t *cells;      ///< of the doors found, row by row
    uint32_t *room_first; ///< [rooms + 2]: places in room_doors
    uint32_t *room_doors; ///< doors of each room, row by row
    uint32_t *number;     ///< final number of each
    uint32_t *stack;
    uint32_t count, entry_count;
    uint64_t *left_out; ///< a bit a cell: no door, though it could be one
} door_list;

/// Where openings are wide, not every cell is a door.
static bool leave_out(throng_rooms *rooms, door_list *list, int spacing)
{
    size_t cells = rooms->map->cell_count;
    uint16_t *guest = thg_take(rooms, cells, sizeof *guest, THG_SCRATCH), guests[8];
    list->left_out = thg_take(rooms, cells / 64 + 1, sizeof *list->left_out, THG_SCRATCH);
    bool good = guest != NULL && list->left_out != NULL;
    for (size_t cell = 0; cell < cells && good; cell++) {
        int x = (int)(cell % (size_t)rooms->width), y = (int)(cell / (size_t)rooms->width);
        int count = rooms->zones[cell] != 0 ? higher_rooms(rooms, x, y, guests) : 0;
        guest[cell] = count == 1 ? guests[0] : 0;
    }
    good = good && thg_thin_doors(rooms, guest, spacing, list->left_out);
    thg_give(rooms, guest);
    return good;
}

/// Calls for every door in row order: counts, or fills in what was counted.
static void walk_doors(throng_rooms *rooms, door_list *list, bool fill)
{
    uint16_t guests[8];
    list->count = list->entry_count = 0;
    for (int y = 0; y < rooms->height; y++) {
        for (int x = 0; x < rooms->width; x++) {
            uint32_t cell = (uint32_t)(y * rooms->width + x);
            uint16_t home = rooms->zones[cell];
            bool out = list->left_out[cell / 64] >> cell % 64 & 1u;
            int count = home != 0 && !out ? higher_rooms(rooms, x, y, guests) : 0;
            if (count == 0) {
                continue;
            }
            for (int i = -1; i < count; i++) {
                uint32_t room = i < 0 ? home : guests[i];
                if (fill) {
                    list->room_doors[list->room_first[room]++] = list->count;
                } else {
                    list->room_first[room]++;
                }
            }
            if (fill) {
                list->cells[list->count] = cell;
            }
            list->entry_count += (uint32_t)count + 1;
            list->count++;
        }
    }
}

/// Turns counts into first places.
static void sum_up(uint32_t *first, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = first[i];
        first[i] = sum;
        sum += own;
    }
}

static bool list_doors(throng_rooms *rooms, door_list *list)
{
    list->room_first = thg_take(rooms, rooms->room_count + 2, sizeof(uint32_t), THG_SCRATCH);
    if (list->room_first == NULL) {
        return false;
    }
    walk_doors(rooms, list, false);
    list->cells = thg_take(rooms, list->count, sizeof(uint32_t), THG_SCRATCH);
    list->number = thg_take(rooms, list->count, sizeof(uint32_t), THG_SCRATCH);
    list->stack =
        thg_take(rooms, list->entry_count + list->count + 1, sizeof(uint32_t), THG_SCRATCH);
    list->room_doors = thg_take(rooms, list->entry_count, sizeof(uint32_t), THG_SCRATCH);
    if (list->cells == NULL || list->number == NULL || list->stack == NULL ||
        list->room_doors == NULL) {
        return false;
    }
    sum_up(list->room_first, rooms->room_count + 2);
    walk_doors(rooms, list, true);
    // Filling moved each first place to the next room's.
    memmove(list->room_first + 1, list->room_first,
            (size_t)(rooms->room_count + 1) * sizeof(uint32_t));
    list->room_first[0] = 0;
    return true;
}

/// Numbers a door's whole piece of the graph depth-first. Rooms are left as soon as they were
/// entered once: all their doors are on the stack then.
static uint32_t number_from(throng_rooms *rooms, door_list *list, uint8_t *entered, uint32_t door,
                            uint32_t next)
{
    uint32_t depth = 0;
    uint16_t guests[8];
    list->stack[depth++] = door;
    while (depth > 0) {
        uint32_t here = list->stack[--depth];
        if (list->number[here] != THG_NONE) {
            continue;
        }
        list->number[here] = next++;
        int cell = (int)list->cells[here];
        int count = higher_rooms(rooms, cell % rooms->width, cell / rooms->width, guests);
        for (int i = -1; i < count; i++) {
            uint32_t room = i < 0 ? rooms->zones[cell] : guests[i];
            if (entered[room]) {
                continue;
            }
            entered[room] = 1;
            for (uint32_t j = list->room_first[room]; j < list->room_first[room + 1]; j++) {
                if (list->number[list->room_doors[j]] == THG_NONE) {
                    list->stack[depth++] = list->room_doors[j];
                }
            }
        }
    }
    return next;
}

static bool number_doors(throng_rooms *rooms, door_list *list)
{
    uint8_t *entered = thg_take(rooms, rooms->room_count + 2, 1, THG_SCRATCH);
    if (entered == NULL) {
        return false;
    }
    memset(list->number, 0xff, list->count * sizeof *list->number);
    uint32_t next = 0;
    int pieces = 0;
    for (uint32_t door = 0; door < list->count; door++) {
        if (list->number[door] == THG_NONE) {
            next = number_from(rooms, list, entered, door, next);
            pieces++;
        }
    }
    // Every room without a door is a pocket of its own.
    for (uint32_t room = 1; room <= rooms->room_count; room++) {
        pieces += list->room_first[room] == list->room_first[room + 1];
    }
    rooms->report.pockets = pieces - 1;
    thg_give(rooms, entered);
    return true;
}

static void grow_box(thg_room *room, int x, int y)
{
    // Until the end, width and height are the lower right corner.
    room->x = x < room->x ? x : room->x;
    room->y = y < room->y ? y : room->y;
    room->width = x > room->width ? x : room->width;
    room->height = y > room->height ? y : room->height;
}

static void fill_boxes(throng_rooms *rooms)
{
    for (uint32_t room = 0; room <= rooms->room_count + 1; room++) {
        rooms->rooms[room] = (thg_room){INT32_MAX, INT32_MAX, -1, -1, 0};
    }
    for (int y = 0; y < rooms->height; y++) {
        for (int x = 0; x < rooms->width; x++) {
            grow_box(&rooms->rooms[rooms->zones[(size_t)y * (size_t)rooms->width + (size_t)x]], x,
                     y);
        }
    }
}

static void close_boxes(throng_rooms *rooms)
{
    for (uint32_t room = 1; room <= rooms->room_count; room++) {
        thg_room *box = &rooms->rooms[room];
        bool empty = box->width < 0;
        box->width = empty ? 0 : box->width - box->x + 1;
        box->height = empty ? 0 : box->height - box->y + 1;
    }
}

/// Fills doors and entries from the list, under their final numbers.
static throng_result fill_doors(throng_rooms *rooms, door_list *list)
{
    rooms->door_count = list->count;
    rooms->entry_count = list->entry_count;
    rooms->rooms = thg_take(rooms, rooms->room_count + 2, sizeof *rooms->rooms, THG_GRAPH);
    rooms->doors = thg_take(rooms, list->count + 1, sizeof *rooms->doors, THG_GRAPH);
    rooms->entries = thg_take(rooms, list->entry_count, sizeof *rooms->entries, THG_GRAPH);
    rooms->door_entries = thg_take(rooms, list->entry_count, sizeof(uint32_t), THG_GRAPH);
    rooms->door_bits =
        thg_take(rooms, rooms->map->cell_count / 64 + 1, sizeof(uint64_t), THG_GRAPH);
    if (rooms->rooms == NULL || rooms->doors == NULL || rooms->entries == NULL ||
        rooms->door_entries == NULL || rooms->door_bits == NULL) {
        return THRONG_NO_MEMORY;
    }
    fill_boxes(rooms);
    for (uint32_t door = 0; door < list->count; door++) {
        thg_door *made = &rooms->doors[list->number[door]];
        made->cell = list->cells[door];
        made->home = rooms->zones[made->cell];
        rooms->door_bits[made->cell / 64] |= (uint64_t)1 << made->cell % 64;
    }
    for (uint32_t room = 0; room <= rooms->room_count; room++) {
        rooms->rooms[room].first_entry = list->room_first[room];
        for (uint32_t i = list->room_first[room]; i < list->room_first[room + 1]; i++) {
            thg_door *door = &rooms->doors[list->number[list->room_doors[i]]];
            rooms->entries[i] = (thg_entry){list->number[list->room_doors[i]], room, 0};
            door->first_entry++;
            grow_box(&rooms->rooms[room], (int)door->cell % rooms->width,
                     (int)door->cell / rooms->width);
        }
        uint32_t own = list->room_first[room + 1] - list->room_first[room];
        rooms->most_entries = own > rooms->most_entries ? own : rooms->most_entries;
    }
    rooms->rooms[rooms->room_count + 1].first_entry = list->entry_count;
    close_boxes(rooms);
    uint32_t sum = 0;
    for (uint32_t door = 0; door <= list->count; door++) {
        uint32_t own = rooms->doors[door].first_entry;
        rooms->doors[door].first_entry = sum;
        sum += own;
    }
    // Rooms come in rising order, and a door's home is its lowest room: home comes first.
    uint32_t *next = list->stack;
    memset(next, 0, list->count * sizeof *next);
    for (uint32_t entry = 0; entry < list->entry_count; entry++) {
        uint32_t door = rooms->entries[entry].door;
        rooms->door_entries[rooms->doors[door].first_entry + next[door]++] = entry;
    }
    return THRONG_OK;
}

throng_result thg_find_doors(throng_rooms *rooms, const throng_rooms_def *def, throng_error *error)
{
    throng_result result = place_door_cells(rooms, def, error);
    result = result == THRONG_OK ? check_zones(rooms, error) : result;
    if (result != THRONG_OK) {
        return result;
    }
    door_list list = {0};
    bool good = leave_out(rooms, &list, def->door_spacing) && list_doors(rooms, &list) &&
                number_doors(rooms, &list);
    result = good ? fill_doors(rooms, &list) : THRONG_NO_MEMORY;
    thg_give(rooms, list.cells);
    thg_give(rooms, list.number);
    thg_give(rooms, list.stack);
    thg_give(rooms, list.room_doors);
    thg_give(rooms, list.room_first);
    thg_give(rooms, list.left_out);
    return result;
}
