/// Rooms and doors: exact shortest ways through mazes and buildings, read instead of searched.
///
/// Each cell that fits the class belongs to one zone, a *room*. A *door* is a cell of a room from
/// which a step leads into a room of a higher number; so every way from room to room passes doors.
/// Where an opening is wide not every of its cells need be a door: see `door_spacing`.
/// Three tables answer "which way":
/// - in each room and for each of its doors, the next step from every cell, four bits a cell;
/// - for each door a row that says for every other door which door comes next on the shortest way,
///   compressed into runs (Strasser, Harabor, Botea: Fast first-move queries through run-length
///   encoding, 2014);
/// - a customisable contraction hierarchy over the doors (Dibbelt, Strasser, Wagner 2016), which
///   gives exact distances, and exact first moves while rows wait to be rebuilt after a change.
///
/// Lengths are integers: one unit a step among four neighbours; among eight THRONG_ROOMS_STRAIGHT
/// and THRONG_ROOMS_DIAGONAL (a convergent of sqrt 2: real lengths are ordered exactly up to
/// 2,377 diagonal steps). Diagonals that cut a corner are not allowed.
#ifndef THRONG_ROOMS_H
#define THRONG_ROOMS_H

#include <throng/jobs.h>
#include <throng/map.h>

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_ROOMS 65535
#define THRONG_ROOMS_STRAIGHT 2378u ///< units of a straight step among eight neighbours
#define THRONG_ROOMS_DIAGONAL 3363u
#define THRONG_ROOMS_FAR 0x7fffffffu ///< no way, or one of 2^31 units or more

// ---- Mazes -------------------------------------------------------------------------------------

/// A maze of rooms_x x rooms_y square rooms with walls of one cell between them.
typedef struct throng_maze_def {
    uint32_t cookie;      ///< set by throng_default_maze_def()
    int rooms_x, rooms_y; ///< at least 1 each, at most THRONG_MAX_ROOMS in all
    int room_size;        ///< cells from wall to wall, one wall included. [3, 1024]
    int extra_doors;      ///< percent of the spanning tree's doors, added where walls are left. [0,
                          ///< 1000]
    int obstacles;        ///< percent of the cells inside that are tried as obstacles. [0, 50]
    uint64_t seed;
} throng_maze_def;

/// 128 x 128 rooms of 8 cells, 30 percent of extra doors, no obstacles.
THRONG_API throng_maze_def throng_default_maze_def(void);

/// Sides of the maze in cells: rooms times room_size.
THRONG_API int throng_maze_width(const throng_maze_def *def);
THRONG_API int throng_maze_height(const throng_maze_def *def);

/// Fills width * height terrains (THRONG_WALL, THRONG_GROUND) and zones (0 in walls, else room 1,
/// 2, ... row by row; a door's cell belongs to the room before it). Rooms are joined by a random
/// spanning tree, then the extra doors; no obstacle ever cuts a room in two. `zones` may be NULL.
/// O(cells). THRONG_BAD_ARGUMENT, THRONG_NO_MEMORY.
THRONG_API throng_result throng_maze_fill(const throng_maze_def *def, uint8_t *terrain,
                                          uint16_t *zones);

// ---- Rooms -------------------------------------------------------------------------------------

typedef struct throng_rooms throng_rooms;

typedef struct throng_rooms_def {
    uint32_t cookie;       ///< set by throng_default_rooms_def()
    const uint16_t *zones; ///< width * height rooms, 0 none; NULL: the map is cut automatically
    const int *door_cells; ///< fitting cells of zone 0 (y * width + x) that join rooms; or NULL
    int door_cell_count;   ///< [0, cells]
    int most_cells;        ///< of a room, when cut automatically. [16, 2^20]
    /// Cells of a wide opening for each door. 1: every cell is one, and lengths are exact. More:
    /// walkers pass at doors only, and a way gets longer by about the spacing at most at each
    /// opening that it passes; lengths are exact for ways through doors. 0: 1 where that is
    /// affordable, that is in mazes and buildings, else 2, 4, 8 or 16 (the report says). [0, 1024]
    int door_spacing;
    bool diagonal;         ///< eight neighbours, else four
    size_t most_row_bytes; ///< rows beyond are left out: the hierarchy answers, more slowly
    throng_jobs *jobs;     ///< threads to build on; NULL: this one
} throng_rooms_def;

/// Cut automatically into rooms of at most 4,096 cells, four neighbours, 64 MiB of rows.
THRONG_API throng_rooms_def throng_default_rooms_def(void);

/// Cuts the fitting cells of a class into zones: basins of the clearance that meet at narrowings,
/// none larger than `most_cells`. Writes width * height zones, from 1; returns how many.
/// O(cells log cells). THRONG_LIMIT when there would be more than THRONG_MAX_ROOMS,
/// THRONG_BAD_ARGUMENT, THRONG_NO_MEMORY.
THRONG_API throng_result throng_rooms_cut(const throng_map *map, int class_index, int most_cells,
                                          uint16_t *zones, int *room_count);

/// Builds all tables. The map must outlive the rooms and keep its terrain (doors change through
/// throng_rooms_set_door). Rooms that are in pieces are allowed: each piece is reached through its
/// own doors. Cells that fit but have zone 0 take no part. On failure *rooms is NULL and *error
/// (may be NULL) says which cell: THRONG_BAD_DATA for a zone on a cell that does not fit, a door
/// cell that joins fewer than two rooms, and no room at all; THRONG_LIMIT, THRONG_BAD_ARGUMENT,
/// THRONG_NO_MEMORY.
THRONG_API throng_result throng_rooms_create(const throng_map *map, int class_index,
                                             const throng_rooms_def *def, throng_rooms **rooms,
                                             throng_error *error);
/// NULL is allowed. Walkers on it must be gone.
THRONG_API void throng_rooms_destroy(throng_rooms *rooms);

THRONG_API int throng_rooms_count(const throng_rooms *rooms);
THRONG_API int throng_rooms_door_count(const throng_rooms *rooms);

/// Room of a cell (y * width + x), from 1; 0 for none.
THRONG_API int throng_rooms_at(const throng_rooms *rooms, int cell);
/// Door on a cell, -1 when there is none.
THRONG_API int throng_rooms_door_at(const throng_rooms *rooms, int cell);
/// Cell of a door. [0, door count)
THRONG_API int throng_rooms_door_cell(const throng_rooms *rooms, int door);

/// What the tables take and how long they took.
typedef struct throng_rooms_report {
    size_t zone_bytes;      ///< room of each cell
    size_t inside_bytes;    ///< next steps inside rooms
    size_t graph_bytes;     ///< rooms, doors, and the arcs between them with their first steps
    size_t hierarchy_bytes; ///< arcs of the contraction hierarchy
    size_t row_bytes;       ///< first-move rows, with room to grow
    size_t scratch_bytes;   ///< what rebuilding works in; not a table
    double zone_ms, inside_ms, order_ms, hierarchy_ms, row_ms;
    int rooms, doors, arcs, hierarchy_arcs;
    int door_spacing; ///< as taken: 1 where every cell of an opening is a door
    int64_t runs;     ///< in all rows
    int rows;         ///< doors that have a row
    int stale_rows;   ///< of these, waiting to be rebuilt
    int pockets;      ///< groups of rooms that no door joins to the largest group
} throng_rooms_report;
THRONG_API throng_rooms_report throng_rooms_get_report(const throng_rooms *rooms);

// ---- Doors that change -------------------------------------------------------------------------

/// What a door is like now. All zero: open both ways, no delay.
typedef struct throng_door {
    bool closed; ///< nobody may step on it; who stands on it may leave
    int one_way; ///< may be entered from this room only, and not be left to it; 0: both ways
    int delay;   ///< extra price of stepping on it, in straight steps. [0, 2^20]
} throng_door;

THRONG_API throng_door throng_rooms_get_door(const throng_rooms *rooms, int door);

/// Changes a door; every answer from now on is exact for it. Rows that may be wrong are stale: they
/// are not read until throng_rooms_refresh has rebuilt them. O(arcs above the door), about a
/// millisecond at 20,000 doors. Allocates nothing. THRONG_BAD_ARGUMENT.
THRONG_API throng_result throng_rooms_set_door(throng_rooms *rooms, int door,
                                               const throng_door *state);

/// Rebuilds up to `row_count` stale rows, oldest first, on the given threads. Returns how many stay
/// stale. Allocates nothing. Not while another thread asks.
THRONG_API int throng_rooms_refresh(throng_rooms *rooms, throng_jobs *jobs, int row_count);

// ---- Questions ---------------------------------------------------------------------------------

/// Where to: a cell (y * width + x), or any cell of a room.
typedef struct throng_rooms_goal {
    bool is_room;
    int index; ///< the cell, or the room from 1
} throng_rooms_goal;

typedef struct throng_rooms_route {
    uint32_t length; ///< units of the shortest way, delays included; THRONG_ROOMS_FAR: none
    int first_door;  ///< first door on it, -1: none is passed
    int last_door;   ///< last door on it, -1
} throng_rooms_route;

/// The shortest way, exactly, from the hierarchy. One call at a time. About 20 us at 20,000 doors.
THRONG_API throng_rooms_route throng_rooms_find(throng_rooms *rooms, int cell,
                                                throng_rooms_goal goal);

/// Next step from the cell of a door towards another door: cell to step to, or -1 where there is no
/// way. Reads the door's row when it is fresh, else asks the hierarchy. One call at a time.
THRONG_API int throng_rooms_step(throng_rooms *rooms, int door, int to_door);

/// Length of the way inside a room from a cell to one of the room's doors, without passing other
/// doors; THRONG_ROOMS_FAR where there is none. O(length).
THRONG_API uint32_t throng_rooms_inside(const throng_rooms *rooms, int room, int door, int cell);

/// Lengths from every cell to a door, width * height of them, as the doors are now. What pictures
/// are made of. One call at a time. O(cells x doors of a room + arcs of the hierarchy).
/// THRONG_BAD_ARGUMENT.
THRONG_API throng_result throng_rooms_lengths(throng_rooms *rooms, int door, uint32_t *lengths);

/// Doors that a room can be left or entered by. `doors` may be NULL; returns the count.
THRONG_API int throng_rooms_doors_of(const throng_rooms *rooms, int room, int *doors, int capacity);

// ---- Walkers -----------------------------------------------------------------------------------

typedef enum throng_walker_status {
    THRONG_WALKER_IDLE = 0,    ///< no goal yet
    THRONG_WALKER_WALKING,     ///< on its way
    THRONG_WALKER_ARRIVED,     ///< on its goal cell, or in its goal room
    THRONG_WALKER_UNREACHABLE, ///< no way leads there now; goes on by itself when a door opens
} throng_walker_status;

/// Many walkers that step from cell to cell, each on the shortest way to a goal of its own.
typedef struct throng_walkers throng_walkers;

typedef struct throng_walkers_def {
    uint32_t cookie;  ///< set by throng_default_walkers_def()
    const int *cells; ///< where each stands: cells of rooms
    int count;        ///< [1, 2^24]
    /// Ways planned anew in one step after a door changed, fewer in the step after the change
    /// itself; who is left waits. >= 1
    int most_plans;
    /// At most one walker in a cell, all beginning in different ones. Who is longest on the way
    /// goes first and hands its right of way on to those it pushes (priority inheritance with
    /// backtracking, Okumura et al. 2019), so that narrow loops do not lock; who has arrived makes
    /// way. One thread, and some microseconds a walker: for thousands, not millions.
    bool one_per_cell;
    /// Who has arrived and made way goes back, and has arrived when on the goal again. For rooms
    /// where people can pass each other: in one-cell corridors those whose goals lie in the wrong
    /// order push each other for ever.
    bool come_back;
} throng_walkers_def;

/// No walkers, 512 plans a step.
THRONG_API throng_walkers_def throng_default_walkers_def(void);

/// All idle. The rooms must outlive the walkers; their doors then change through
/// throng_walkers_set_door only. 57 bytes a walker, 516 a door. THRONG_BAD_ARGUMENT,
/// THRONG_NO_MEMORY.
THRONG_API throng_result throng_walkers_create(throng_rooms *rooms, const throng_walkers_def *def,
                                               throng_walkers **walkers);
THRONG_API void throng_walkers_destroy(throng_walkers *walkers);

/// Gives walkers [first, first + count) their goals and plans their ways. About 15 us each; from
/// twice as many walkers on as there are doors, about 2 us. THRONG_BAD_ARGUMENT when a goal is no
/// cell or room; then nothing is changed.
THRONG_API throng_result throng_walkers_set_goals(throng_walkers *walkers, throng_jobs *jobs,
                                                  int first, int count,
                                                  const throng_rooms_goal *goals);

/// Changes a door and finds out whose way it touches: these plan anew with the next step, wherever
/// they are; who gains by the change takes the better way at once. O(walkers + doors), some 5 to 20
/// milliseconds a million walkers on one thread. As throng_rooms_set_door.
THRONG_API throng_result throng_walkers_set_door(throng_walkers *walkers, throng_jobs *jobs,
                                                 int door, const throng_door *state);

/// Congested doors, with one_per_cell: makes each door as slow as the queue in front of it is long
/// (a door lets one through a step), so that part of those who come choose another. Goes half the
/// way each time, and changes at most `most_doors`, those whose delay is most wrong, if by more
/// than three steps. Delays are then this function's own: call it every few steps, and set none
/// yourself. Returns how many doors changed; 0 without one_per_cell. O(walkers + doors), and
/// throng_walkers_set_door for each door. Allocates nothing.
THRONG_API int throng_walkers_congest(throng_walkers *walkers, throng_jobs *jobs, int most_doors);

/// What a step came to.
typedef struct throng_walkers_summary {
    int walking, arrived, unreachable; ///< after the step
    int moved;                         ///< took a step
    int planned;                       ///< asked the hierarchy
    int waiting;                       ///< wait for their turn to plan
} throng_walkers_summary;

/// One step of all: each that walks moves to the next cell of its way. The same for any number of
/// threads. Allocates nothing.
THRONG_API throng_walkers_summary throng_walkers_step(throng_walkers *walkers, throng_jobs *jobs);

/// Arrays by place, valid until the walkers are destroyed; places are sorted by the room that the
/// walkers began in. In bit 7 of a status: waits to plan anew.
typedef struct throng_walkers_view {
    const uint32_t *ids; ///< which walker has the place
    const uint32_t *cells;
    const uint8_t *statuses; ///< throng_walker_status in the low four bits
    int count;
} throng_walkers_view;
THRONG_API throng_walkers_view throng_walkers_get_view(const throng_walkers *walkers);

/// Of all that makes the next steps: equal walkers have equal hashes.
THRONG_API uint64_t throng_walkers_hash(const throng_walkers *walkers);

#ifdef __cplusplus
}
#endif

#endif
