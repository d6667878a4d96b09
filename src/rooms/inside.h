/// Searches inside one room, and legs: packed moves from a cell to a door of its room.
#ifndef THG_INSIDE_H
#define THG_INSIDE_H

#include "rooms/rooms.h"

/// A room spread out for searching: cells are those of its box, y * width + x.
typedef struct thg_inside {
    const thg_room *room;
    uint8_t *moves;   ///< moves that stay among the room's cells and doors
    uint8_t *is_door; ///< ways end there
    uint32_t *length; ///< from the start of the last search
    uint32_t *queue[2];
    int32_t offset[8];
} thg_inside;

bool thg_inside_create(throng_rooms *rooms, thg_inside *inside);
void thg_inside_release(throng_rooms *rooms, thg_inside *inside);
void thg_inside_enter(const throng_rooms *rooms, thg_inside *inside, uint32_t number);

/// Lengths from a cell of the box to all others, passing no door. O(cells)
void thg_inside_measure(const throng_rooms *rooms, thg_inside *inside, uint32_t start);

/// The move from a cell back towards the start of the last search; 8 there, 15: not reached.
unsigned thg_inside_back(const throng_rooms *rooms, const thg_inside *inside, uint32_t cell,
                         uint32_t start);

/// The first moves of the way from a cell to the door of an entry: three bits each, the first
/// lowest, a one above the last. The cell lies in the entry's room or is one of its doors.
uint64_t thg_leg(const throng_rooms *rooms, uint32_t entry_index, uint32_t cell);

/// Length of that way, THG_FAR when there is none. O(length)
uint32_t thg_leg_length(const throng_rooms *rooms, uint32_t entry_index, uint32_t cell);

/// Length of a move.
static inline uint32_t thg_step_length(const throng_rooms *rooms, int move)
{
    return !rooms->diagonal ? 1u : move < 4 ? THRONG_ROOMS_STRAIGHT : THRONG_ROOMS_DIAGONAL;
}

static inline uint32_t thg_box_cell(const throng_rooms *rooms, const thg_room *room, uint32_t index)
{
    int32_t x = room->x + (int32_t)index % room->width, y = room->y + (int32_t)index / room->width;
    return (uint32_t)(y * rooms->width + x);
}

#endif
