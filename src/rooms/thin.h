/// Doors on wide openings, fewer than one a cell.
#ifndef THG_THIN_H
#define THG_THIN_H

#include "rooms/rooms.h"

/// Marks the door cells to leave out, a bit each. `guest` says of each cell of which one other room
/// it is a door; 0 where it is none, or of several, which are kept. `spacing` 1 keeps all; 0 keeps
/// all where that is affordable, else the widest part of 2, 4, 8 and 16 cells that is. The spacing
/// taken goes to the report. False without memory. O(cells).
bool thg_thin_doors(throng_rooms *rooms, const uint16_t *guest, int spacing, uint64_t *left_out);

#endif
