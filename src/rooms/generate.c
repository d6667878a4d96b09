/// Mazes of rooms: a random spanning tree of doors, extra doors, obstacles that cut nothing off.
#include "core/core.h"
#include <string.h>
#include <throng/rooms.h>

#define MAZE_COOKIE 0x4d415a45u

throng_maze_def throng_default_maze_def(void)
{
    throng_maze_def def = {MAZE_COOKIE, 128, 128, 8, 30, 0, 1};
    return def;
}

int throng_maze_width(const throng_maze_def *def)
{
    return def->rooms_x * def->room_size;
}

int throng_maze_height(const throng_maze_def *def)
{
    return def->rooms_y * def->room_size;
}

static bool is_valid(const throng_maze_def *def)
{
    return def->cookie == MAZE_COOKIE && def->rooms_x >= 1 && def->rooms_y >= 1 &&
           def->rooms_x <= THRONG_MAX_ROOMS && def->rooms_y <= THRONG_MAX_ROOMS / def->rooms_x &&
           def->room_size >= 3 && def->room_size <= 1024 && def->extra_doors >= 0 &&
           def->extra_doors <= 1000 && def->obstacles >= 0 && def->obstacles <= 50 &&
           def->room_size <= THRONG_MAX_MAP_SIDE / def->rooms_x &&
           def->room_size <= THRONG_MAX_MAP_SIDE / def->rooms_y;
}

typedef struct maze {
    const throng_maze_def *def;
    uint8_t *terrain;
    uint16_t *zones;
    int width;
    uint64_t drawn; ///< random numbers so far
} maze;

/// A whole number in [0, below).
static int draw(maze *maze, int below)
{
    uint64_t bits = thg_mix64(thg_mix64(maze->def->seed) + ++maze->drawn * 0x9e3779b97f4a7c15u);
    return (int)((bits >> 32) * (uint64_t)below >> 32);
}

/// Rooms with walls on their upper and left sides; the map's edge is the wall of the others.
static void fill_rooms(maze *maze)
{
    const throng_maze_def *def = maze->def;
    for (int y = 0; y < throng_maze_height(def); y++) {
        for (int x = 0; x < maze->width; x++) {
            size_t cell = (size_t)y * (size_t)maze->width + (size_t)x;
            bool wall = x % def->room_size == 0 || y % def->room_size == 0;
            int room = y / def->room_size * def->rooms_x + x / def->room_size + 1;
            maze->terrain[cell] = wall ? THRONG_WALL : THRONG_GROUND;
            maze->zones[cell] = wall ? 0 : (uint16_t)room;
        }
    }
}

/// Wall number: 2 * room for the wall to the right of it, + 1 for the wall below.
static int room_beyond(const throng_maze_def *def, int wall)
{
    return wall / 2 + (wall % 2 == 0 ? 1 : def->rooms_x);
}

static void open_door(maze *maze, int wall)
{
    const throng_maze_def *def = maze->def;
    int size = def->room_size, room = wall / 2;
    int along = 1 + draw(maze, size - 1);
    int x = room % def->rooms_x * size + (wall % 2 == 0 ? size : along);
    int y = room / def->rooms_x * size + (wall % 2 == 0 ? along : size);
    size_t cell = (size_t)y * (size_t)maze->width + (size_t)x;
    maze->terrain[cell] = THRONG_GROUND;
    maze->zones[cell] = (uint16_t)(room + 1);
}

/// Kruskal's algorithm over the walls in random order; walls it leaves become the extra doors.
static void open_doors(maze *maze, int *walls, uint32_t *parent)
{
    const throng_maze_def *def = maze->def;
    int rooms = def->rooms_x * def->rooms_y, count = 0;
    for (int room = 0; room < rooms; room++) {
        parent[room] = (uint32_t)room;
        if (room % def->rooms_x + 1 < def->rooms_x) {
            walls[count++] = 2 * room;
        }
        if (room / def->rooms_x + 1 < def->rooms_y) {
            walls[count++] = 2 * room + 1;
        }
    }
    for (int i = count - 1; i > 0; i--) {
        int other = draw(maze, i + 1), kept = walls[i];
        walls[i] = walls[other];
        walls[other] = kept;
    }
    int left = 0;
    for (int i = 0; i < count; i++) {
        uint32_t here = thg_root_of(parent, (uint32_t)(walls[i] / 2));
        uint32_t beyond = thg_root_of(parent, (uint32_t)room_beyond(def, walls[i]));
        if (here != beyond) {
            parent[here] = beyond;
            open_door(maze, walls[i]);
        } else {
            walls[left++] = walls[i];
        }
    }
    int64_t extra = (int64_t)(rooms - 1) * def->extra_doors / 100;
    for (int i = 0; i < left && i < extra; i++) {
        open_door(maze, walls[i]);
    }
}

/// True when the eight cells around are free in one piece at most, so that a cell taken away in the
/// middle cannot part them; nearly all obstacles are judged by this alone.
static bool is_harmless(const maze *maze, int x, int y)
{
    static const int ring_x[8] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int ring_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    int height = throng_maze_height(maze->def);
    bool free[8];
    int changes = 0, inside = 0;
    for (int i = 0; i < 8; i++) {
        int cx = x + ring_x[i], cy = y + ring_y[i], size = maze->def->room_size;
        free[i] = cx >= 0 && cy >= 0 && cx < maze->width && cy < height &&
                  maze->terrain[(size_t)cy * (size_t)maze->width + (size_t)cx] != THRONG_WALL;
        inside += i % 2 == 0 && free[i] && cx % size != 0 && cy % size != 0;
    }
    // Corners join their neighbours only when both sides of them are free.
    for (int i = 1; i < 8; i += 2) {
        free[i] = free[i] && free[i - 1] && free[(i + 1) % 8];
    }
    for (int i = 0; i < 8; i++) {
        changes += free[i] != free[(i + 1) % 8];
    }
    return changes <= 2 && inside > 0; // the last cell of a room stays
}

static void place_obstacles(maze *maze)
{
    const throng_maze_def *def = maze->def;
    int inside = (def->room_size - 1) * (def->room_size - 1);
    for (int room = 0; room < def->rooms_x * def->rooms_y; room++) {
        int left = room % def->rooms_x * def->room_size + 1;
        int top = room / def->rooms_x * def->room_size + 1;
        for (int i = 0; i < inside * def->obstacles / 100; i++) {
            int x = left + draw(maze, def->room_size - 1);
            int y = top + draw(maze, def->room_size - 1);
            size_t cell = (size_t)y * (size_t)maze->width + (size_t)x;
            if (maze->terrain[cell] == THRONG_GROUND && is_harmless(maze, x, y)) {
                maze->terrain[cell] = THRONG_WALL;
                maze->zones[cell] = 0;
            }
        }
    }
}

throng_result throng_maze_fill(const throng_maze_def *def, uint8_t *terrain, uint16_t *zones)
{
    if (!is_valid(def) || terrain == NULL) {
        return THRONG_BAD_ARGUMENT;
    }
    size_t rooms = (size_t)def->rooms_x * (size_t)def->rooms_y;
    size_t cells = (size_t)throng_maze_width(def) * (size_t)throng_maze_height(def);
    maze maze = {def, terrain, zones, throng_maze_width(def), 0};
    uint16_t *own = zones == NULL ? thg_allocate(cells, sizeof *own) : NULL;
    int *walls = thg_allocate(2 * rooms, sizeof *walls);
    uint32_t *parent = thg_allocate(rooms, sizeof *parent);
    bool good = walls != NULL && parent != NULL && (zones != NULL || own != NULL);
    if (good) {
        maze.zones = zones != NULL ? zones : own;
        fill_rooms(&maze);
        open_doors(&maze, walls, parent);
        place_obstacles(&maze);
    }
    thg_release(own, cells, sizeof *own);
    thg_release(walls, 2 * rooms, sizeof *walls);
    thg_release(parent, rooms, sizeof *parent);
    return good ? THRONG_OK : THRONG_NO_MEMORY;
}
