/// Mazes for tests, and Dijkstra's algorithm over cells as the reference for every length.
#ifndef ROOMS_FIXTURE_H
#define ROOMS_FIXTURE_H

#include "test.h"
#include <throng/throng.h>

typedef struct fixture_maze {
    throng_map *map;
    uint16_t *zones;
    int width, height;
} fixture_maze;

/// A map of `terrain` with one class that fits everywhere but in walls.
static inline throng_map *fixture_map(const uint8_t *terrain, int width, int height)
{
    throng_map_def def = throng_default_map_def();
    throng_class_def class_def = throng_default_class_def();
    throng_map *map = NULL;
    int class_index;
    def.width = width;
    def.height = height;
    def.terrain = terrain;
    assert_ok(throng_map_create(&def, &map));
    class_def.radius = 0.0f;
    assert_ok(throng_map_add_class(map, &class_def, &class_index));
    return map;
}

static inline fixture_maze fixture_make_maze(const throng_maze_def *def)
{
    fixture_maze maze = {NULL, NULL, throng_maze_width(def), throng_maze_height(def)};
    size_t cells = (size_t)maze.width * (size_t)maze.height;
    uint8_t *terrain = malloc(cells);
    maze.zones = malloc(cells * sizeof *maze.zones);
    assert_ok(throng_maze_fill(def, terrain, maze.zones));
    maze.map = fixture_map(terrain, maze.width, maze.height);
    free(terrain);
    return maze;
}

static inline void fixture_free_maze(fixture_maze *maze)
{
    throng_map_destroy(maze->map);
    free(maze->zones);
}

/// A map and its zones drawn in characters: `#` wall, letters rooms (A is 1), `.` a cell of no
/// room.
static inline fixture_maze fixture_drawn(const char *const *rows, int height)
{
    fixture_maze maze = {NULL, NULL, (int)strlen(rows[0]), height};
    size_t cells = (size_t)maze.width * (size_t)height;
    uint8_t *terrain = malloc(cells);
    maze.zones = calloc(cells, sizeof *maze.zones);
    for (size_t i = 0; i < cells; i++) {
        char at = rows[i / (size_t)maze.width][i % (size_t)maze.width];
        terrain[i] = at == '#' ? THRONG_WALL : THRONG_GROUND;
        maze.zones[i] = at >= 'A' && at <= 'Z' ? (uint16_t)(at - 'A' + 1) : 0;
    }
    maze.map = fixture_map(terrain, maze.width, height);
    free(terrain);
    return maze;
}

static inline throng_rooms *fixture_rooms(const throng_map *map, const uint16_t *zones,
                                          bool diagonal, throng_jobs *jobs)
{
    throng_rooms_def def = throng_default_rooms_def();
    throng_rooms *rooms = NULL;
    throng_error error = {0};
    def.zones = zones;
    def.diagonal = diagonal;
    def.jobs = jobs;
    assert_ok_or(throng_rooms_create(map, 0, &def, &rooms, &error), &error);
    return rooms;
}

static const int fixture_step_x[8] = {1, 0, -1, 0, 1, -1, -1, 1};
static const int fixture_step_y[8] = {0, 1, 0, -1, 1, 1, -1, -1};

/// The cells and doors of a map, as plain arrays for the reference.
typedef struct fixture_reference {
    const throng_map *map;
    const throng_rooms *rooms;
    int width, height;
    bool diagonal;
    int *door;      ///< of each cell, -1 none
    uint8_t *moves; ///< of each cell: to which of its neighbours the map and the zones let one step
    uint8_t *door_moves; ///< those of them that begin or end on a door
    uint32_t *length;    ///< from the start of the last search, UINT32_MAX not reached
    // Dial's buckets, one a length, in a ring: those in use are all within one longest step.
    int *bucket;    ///< [FIXTURE_BUCKETS] first item, -1 none
    uint64_t *used; ///< a bit of each bucket
    int *cell, *next;
    int item_count;
} fixture_reference;

enum { FIXTURE_BUCKETS = 1 << 17 };

static inline bool fixture_free(const throng_map *map, int x, int y)
{
    return x >= 0 && y >= 0 && x < throng_map_width(map) && y < throng_map_height(map) &&
           throng_map_fits(map, 0, x, y);
}

static inline uint8_t fixture_moves(const fixture_reference *made, int x, int y)
{
    uint8_t moves = 0;
    for (int move = 0; move < (made->diagonal ? 8 : 4); move++) {
        int nx = x + fixture_step_x[move], ny = y + fixture_step_y[move];
        bool steps =
            fixture_free(made->map, x, y) && fixture_free(made->map, nx, ny) &&
            throng_rooms_at(made->rooms, ny * made->width + nx) != 0 &&
            (move < 4 || (fixture_free(made->map, nx, y) && fixture_free(made->map, x, ny)));
        moves |= (uint8_t)(steps << move);
    }
    return moves;
}

static inline fixture_reference fixture_make_reference(const throng_map *map,
                                                       const throng_rooms *rooms, bool diagonal)
{
    fixture_reference made = {.map = map, .rooms = rooms, .diagonal = diagonal};
    made.width = throng_map_width(map);
    made.height = throng_map_height(map);
    size_t cells = (size_t)made.width * (size_t)made.height;
    made.door = malloc(cells * sizeof *made.door);
    made.length = malloc(cells * sizeof *made.length);
    made.moves = malloc(cells);
    made.door_moves = calloc(cells, 1);
    made.bucket = malloc(FIXTURE_BUCKETS * sizeof *made.bucket);
    made.used = calloc(FIXTURE_BUCKETS / 64, sizeof *made.used);
    made.cell = malloc((cells * 8 + 8) * sizeof *made.cell);
    made.next = malloc((cells * 8 + 8) * sizeof *made.next);
    memset(made.bucket, 0xff, FIXTURE_BUCKETS * sizeof *made.bucket);
    for (size_t i = 0; i < cells; i++) {
        made.door[i] = throng_rooms_door_at(rooms, (int)i);
        made.moves[i] = fixture_moves(&made, (int)i % made.width, (int)i / made.width);
    }
    for (size_t i = 0; i < cells; i++) {
        for (int move = 0; move < 8; move++) {
            int next = (int)i + fixture_step_y[move] * made.width + fixture_step_x[move];
            bool doors = (made.moves[i] >> move & 1) && (made.door[i] >= 0 || made.door[next] >= 0);
            made.door_moves[i] |= (uint8_t)(doors << move);
        }
    }
    return made;
}

static inline void fixture_free_reference(fixture_reference *made)
{
    free(made->door);
    free(made->moves);
    free(made->door_moves);
    free(made->length);
    free(made->bucket);
    free(made->used);
    free(made->cell);
    free(made->next);
}

static inline bool fixture_in_room(const fixture_reference *made, int cell, int room)
{
    if (throng_rooms_at(made->rooms, cell) == room) {
        return true;
    }
    int doors[512];
    int count = made->door[cell] >= 0 ? throng_rooms_doors_of(made->rooms, room, doors, 512) : 0;
    for (int i = 0; i < count; i++) {
        if (doors[i] == made->door[cell]) {
            return true;
        }
    }
    return false;
}

/// True when the doors' states let one step from a cell to the next; adds the delay.
static inline bool fixture_doors_allow(const fixture_reference *made, int from, int to,
                                       uint64_t *delay)
{
    throng_door leave = {0}, enter = {0};
    if (made->door[from] >= 0) {
        leave = throng_rooms_get_door(made->rooms, made->door[from]);
    }
    if (made->door[to] >= 0) {
        enter = throng_rooms_get_door(made->rooms, made->door[to]);
    }
    *delay = (uint64_t)enter.delay * (made->diagonal ? THRONG_ROOMS_STRAIGHT : 1u);
    if (enter.closed) {
        return false;
    }
    if (leave.one_way == 0 && enter.one_way == 0) {
        return true;
    }
    // The step lies in a room that both cells belong to.
    for (int i = 0; i < 2; i++) {
        int room = throng_rooms_at(made->rooms, i == 0 ? from : to);
        if (fixture_in_room(made, from, room) && fixture_in_room(made, to, room) &&
            leave.one_way != room && (enter.one_way == 0 || enter.one_way == room)) {
            return true;
        }
    }
    return false;
}

static inline void fixture_push(fixture_reference *made, uint64_t length, int cell)
{
    size_t at = length % FIXTURE_BUCKETS;
    made->cell[made->item_count] = cell;
    made->next[made->item_count] = made->bucket[at];
    made->bucket[at] = made->item_count++;
    made->used[at / 64] |= (uint64_t)1 << at % 64;
    made->length[cell] = (uint32_t)length;
}

/// The least length from `length` on that has a bucket in use; UINT64_MAX when none is.
static inline uint64_t fixture_next_length(const fixture_reference *made, uint64_t length)
{
    for (uint64_t end = length + FIXTURE_BUCKETS; length < end;) {
        size_t at = length % FIXTURE_BUCKETS;
        uint64_t bits = made->used[at / 64] >> at % 64;
        if (bits & 1u) {
            return length;
        }
        length = bits != 0 ? length + 1 : length + 64 - at % 64;
    }
    return UINT64_MAX;
}

static inline void fixture_expand(fixture_reference *made, int cell)
{
    for (int move = 0; move < (made->diagonal ? 8 : 4); move++) {
        int next = cell + fixture_step_y[move] * made->width + fixture_step_x[move];
        uint64_t delay = 0, step = !made->diagonal ? 1u
                                   : move < 4      ? THRONG_ROOMS_STRAIGHT
                                                   : THRONG_ROOMS_DIAGONAL;
        bool moves = made->moves[cell] >> move & 1;
        if (moves && (made->door_moves[cell] >> move & 1)) {
            moves = fixture_doors_allow(made, cell, next, &delay);
        }
        if (moves && made->length[cell] + step + delay < made->length[next]) {
            assert_true(step + delay < FIXTURE_BUCKETS);
            fixture_push(made, made->length[cell] + step + delay, next);
        }
    }
}

/// Lengths from a cell to all others, by Dijkstra's algorithm.
static inline void fixture_search(fixture_reference *made, int start)
{
    size_t cells = (size_t)made->width * (size_t)made->height;
    for (size_t i = 0; i < cells; i++) {
        made->length[i] = UINT32_MAX;
    }
    made->item_count = 0;
    fixture_push(made, 0, start);
    for (uint64_t length = 0; length != UINT64_MAX; length = fixture_next_length(made, length)) {
        size_t at = length % FIXTURE_BUCKETS;
        int item = made->bucket[at];
        made->bucket[at] = -1;
        made->used[at / 64] &= ~((uint64_t)1 << at % 64);
        for (; item >= 0; item = made->next[item]) {
            if (made->length[made->cell[item]] == length) {
                fixture_expand(made, made->cell[item]);
            }
        }
    }
}

/// Least length to any cell of each room, from the last search.
static inline uint64_t fixture_room_length(const fixture_reference *made, int room)
{
    uint64_t least = UINT64_MAX;
    size_t cells = (size_t)made->width * (size_t)made->height;
    for (size_t i = 0; i < cells; i++) {
        if (throng_rooms_at(made->rooms, (int)i) == room && made->length[i] < least) {
            least = made->length[i];
        }
    }
    return least;
}

/// A whole number in [0, below), from a state that it moves on.
static inline int fixture_draw(uint64_t *state, int below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)((*state >> 33) % (uint64_t)below);
}

static inline int fixture_draw_cell(const throng_rooms *rooms, int cells, uint64_t *state)
{
    for (;;) {
        int cell = fixture_draw(state, cells);
        if (throng_rooms_at(rooms, cell) != 0) {
            return cell;
        }
    }
}

#endif
