/// The published way through mazes of rooms, rebuilt: what ours is measured against.
///
/// A table of hop counts between all pairs of rooms, 16 bits each, and planes of 16-bit lengths:
/// in a plane each cell holds its steps to one door of its room, doors of one room lying in
/// different planes. A walker looks for a neighbour room with fewer hops to go, takes the nearest
/// door to one, and steps to the neighbour cell with the least length. It never loops, its ways are
/// not the shortest, and no door can change without building the table anew.
#ifndef THG_ROOMS_PLAIN_H
#define THG_ROOMS_PLAIN_H

#include <throng/rooms.h>

typedef struct plain_rooms plain_rooms;

/// Builds from zones as throng_maze_fill makes them: each door cell joins two rooms. NULL without
/// memory. `build_ms` gets the time for the table of hops and the planes.
plain_rooms *plain_rooms_create(const uint16_t *zones, int width, int height, int room_count,
                                throng_jobs *jobs, double *build_ms);
void plain_rooms_destroy(plain_rooms *plain);
size_t plain_rooms_bytes(const plain_rooms *plain);
int plain_rooms_planes(const plain_rooms *plain);

/// A walker of the scheme: eight bytes, and its door where `keeps_door`.
typedef struct plain_walker {
    uint32_t cell;
    uint16_t goal; ///< room, from 1
    uint16_t room; ///< room that `door` was chosen in, 0 none
    uint32_t door;
} plain_walker;

/// One step of all; returns how many moved. With `keeps_door` a door is chosen once a room, without
/// at every step, as published.
int plain_rooms_step(const plain_rooms *plain, plain_walker *walkers, int count, bool keeps_door,
                     throng_jobs *jobs);

#endif
