/// Wide openings: doors on one cell in so many, where a door on each would be too many.
///
/// The cells along which two rooms meet are chains, in both of which one can go from each cell to
/// the next: on the side of the cells themselves, and on the other. So whoever wanted through at a
/// cell that is no door comes to one within half the spacing on his own side, and back on the
/// other: no room is cut off, and each opening that is passed makes a way longer by about the
/// spacing at most.
#include "rooms/thin.h"
#include <string.h>

#define MOST_ARCS ((uint64_t)1 << 21) ///< pairs of doors of a room, in all rooms
#define MOST_SPACING 16

typedef struct opening {
    throng_rooms *rooms;
    const uint16_t *guest; ///< by cell: the only other room; 0: no door, or of more rooms than two
    uint32_t *depth;       ///< by cell: steps along the chain from where the walk began
    uint32_t *cells;       ///< of the chain, in the order of depth
    uint32_t count;
} opening;

static bool can_move(const throng_rooms *rooms, int x, int y, int move)
{
    return rooms->layer->moves[thg_padded_index(rooms->map, x, y)] >> move & 1u;
}

/// True when one gets from a cell to one of the eight beside it at once or over a third cell, all
/// of one room.
static bool is_beside(const throng_rooms *rooms, int cell, int move, uint16_t room)
{
    int x = cell % rooms->width, y = cell / rooms->width;
    int to_x = x + thg_move_x[move], to_y = y + thg_move_y[move];
    if (to_x < 0 || to_y < 0 || to_x >= rooms->width || to_y >= rooms->height ||
        rooms->zones[cell + rooms->move_cells[move]] != room) {
        return false;
    }
    if (move < 4) {
        return can_move(rooms, x, y, move);
    }
    for (int first = 0; first < 4; first++) {
        int dx = thg_move_x[first], dy = thg_move_y[first];
        bool leads = (dx != 0 && dx == thg_move_x[move]) || (dy != 0 && dy == thg_move_y[move]);
        if (!leads || !can_move(rooms, x, y, first) ||
            rooms->zones[cell + rooms->move_cells[first]] != room) {
            continue;
        }
        for (int second = 0; second < 4; second++) {
            if (dx + thg_move_x[second] == thg_move_x[move] &&
                dy + thg_move_y[second] == thg_move_y[move] &&
                can_move(rooms, x + dx, y + dy, second)) {
                return true;
            }
        }
    }
    return rooms->diagonal && can_move(rooms, x, y, move);
}

/// True when the other room's cells that can be stepped to from two cells hang together.
static bool is_beside_beyond(const throng_rooms *rooms, int cell, int other, uint16_t guest)
{
    int moves = rooms->diagonal ? 8 : 4;
    for (int i = 0; i < moves; i++) {
        int from = cell + rooms->move_cells[i];
        if (!can_move(rooms, cell % rooms->width, cell / rooms->width, i) ||
            rooms->zones[from] != guest) {
            continue;
        }
        for (int k = 0; k < moves; k++) {
            int to = other + rooms->move_cells[k];
            if (!can_move(rooms, other % rooms->width, other / rooms->width, k) ||
                rooms->zones[to] != guest) {
                continue;
            }
            if (from == to) {
                return true;
            }
            for (int move = 0; move < 8; move++) {
                if (from + rooms->move_cells[move] == to && is_beside(rooms, from, move, guest)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/// Goes along a chain breadth first; every cell's depth was THG_NONE.
static void walk_chain(opening *of, uint32_t start)
{
    const throng_rooms *rooms = of->rooms;
    uint16_t home = rooms->zones[start], guest = of->guest[start];
    of->count = 0;
    of->cells[of->count++] = start;
    of->depth[start] = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        int cell = (int)of->cells[i];
        for (int move = 0; move < 8; move++) {
            if (is_beside(rooms, cell, move, home)) {
                int next = cell + rooms->move_cells[move];
                if (of->guest[next] == guest && of->depth[next] == THG_NONE &&
                    is_beside_beyond(rooms, cell, next, guest)) {
                    of->depth[next] = of->depth[cell] + 1;
                    of->cells[of->count++] = (uint32_t)next;
                }
            }
        }
    }
}

static void forget_depths(opening *of)
{
    for (uint32_t i = 0; i < of->count; i++) {
        of->depth[of->cells[i]] = THG_NONE;
    }
}

/// Leaves out all cells of a chain but one in each of as many equal parts as there must be.
static void thin_chain(opening *of, int spacing, uint64_t *left_out)
{
    uint32_t length = of->depth[of->cells[of->count - 1]] + 1;
    uint32_t parts = (length + (uint32_t)spacing - 1) / (uint32_t)spacing, part = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        uint32_t cell = of->cells[i];
        if (part < parts && of->depth[cell] == (2 * part + 1) * length / (2 * parts)) {
            part++;
        } else {
            left_out[cell / 64] |= (uint64_t)1 << cell % 64;
        }
    }
}

/// Pairs of doors of one room, summed over the rooms, with the doors that are kept.
static uint64_t count_arcs(const throng_rooms *rooms, const uint16_t *guest,
                           const uint64_t *left_out, uint32_t *doors_of)
{
    memset(doors_of, 0, ((size_t)rooms->room_count + 1) * sizeof *doors_of);
    uint64_t arcs = 0;
    for (size_t cell = 0; cell < rooms->map->cell_count; cell++) {
        if (guest[cell] != 0 && !(left_out[cell / 64] >> cell % 64 & 1u)) {
            doors_of[guest[cell]]++;
            doors_of[rooms->zones[cell]]++;
        }
    }
    for (uint32_t room = 1; room <= rooms->room_count; room++) {
        arcs += (uint64_t)doors_of[room] * doors_of[room];
    }
    return arcs;
}

static void thin_all(opening *of, int spacing, uint64_t *left_out)
{
    size_t cells = of->rooms->map->cell_count;
    memset(left_out, 0, (cells / 64 + 1) * sizeof *left_out);
    memset(of->depth, 0xff, cells * sizeof *of->depth);
    for (uint32_t cell = 0; cell < cells; cell++) {
        if (of->guest[cell] == 0 || of->depth[cell] != THG_NONE) {
            continue;
        }
        // From wherever to an end, and from there to the other.
        walk_chain(of, cell);
        uint32_t end = of->cells[of->count - 1];
        forget_depths(of);
        walk_chain(of, end);
        thin_chain(of, spacing, left_out);
    }
}

bool thg_thin_doors(throng_rooms *rooms, const uint16_t *guest, int spacing, uint64_t *left_out)
{
    size_t cells = rooms->map->cell_count;
    opening of = {.rooms = rooms, .guest = guest};
    of.depth = thg_take(rooms, cells, sizeof *of.depth, THG_SCRATCH);
    of.cells = thg_take(rooms, cells, sizeof *of.cells, THG_SCRATCH);
    uint32_t *doors_of =
        thg_take(rooms, (size_t)rooms->room_count + 1, sizeof *doors_of, THG_SCRATCH);
    bool good = of.depth != NULL && of.cells != NULL && doors_of != NULL;
    int used = spacing > 0 ? spacing : 1;
    if (good && used > 1) {
        thin_all(&of, used, left_out);
    }
    while (good && spacing == 0 && used < MOST_SPACING &&
           count_arcs(rooms, guest, left_out, doors_of) > MOST_ARCS) {
        used *= 2;
        thin_all(&of, used, left_out);
    }
    rooms->report.door_spacing = used;
    thg_give(rooms, doors_of);
    thg_give(rooms, of.cells);
    thg_give(rooms, of.depth);
    return good;
}
