/// The published way through mazes of rooms: see rooms_plain.h.
#include "rooms_plain.h"
#include "bench.h"
#include "jobs/jobs.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define NO_LENGTH 0xffffu

typedef struct plain_door {
    uint32_t cell;
    uint16_t rooms[2]; ///< home, and the other
    uint16_t plane;
} plain_door;

struct plain_rooms {
    const uint16_t *zones;
    int width, height, room_count, plane_count;
    uint32_t door_count;
    plain_door *doors;
    uint32_t *first;      ///< [rooms + 2]: doors of each room
    uint32_t *room_doors; ///< their numbers
    uint16_t *hops;       ///< [rooms][rooms], by goal
    uint16_t *planes;     ///< [planes][cells]
};

static const int step_x[4] = {1, 0, -1, 0}, step_y[4] = {0, 1, 0, -1};

/// The neighbour cell in a direction, -1 outside the map.
static int neighbour(const plain_rooms *plain, int cell, int move)
{
    int x = cell % plain->width + step_x[move], y = cell / plain->width + step_y[move];
    bool inside = x >= 0 && y >= 0 && x < plain->width && y < plain->height;
    return inside ? y * plain->width + x : -1;
}

static uint16_t room_beyond(const plain_rooms *plain, int cell)
{
    for (int move = 0; move < 4 && plain->zones[cell] != 0; move++) {
        int next = neighbour(plain, cell, move);
        if (next >= 0 && plain->zones[next] > plain->zones[cell]) {
            return plain->zones[next];
        }
    }
    return 0;
}

static void list_doors(plain_rooms *plain)
{
    int cells = plain->width * plain->height;
    for (int cell = 0; cell < cells; cell++) {
        uint16_t beyond = room_beyond(plain, cell);
        if (beyond != 0) {
            plain->doors[plain->door_count++] =
                (plain_door){(uint32_t)cell, {plain->zones[cell], beyond}, 0};
            plain->first[plain->zones[cell] + 1]++;
            plain->first[beyond + 1]++;
        }
    }
    for (int room = 1; room <= plain->room_count + 1; room++) {
        plain->first[room] += plain->first[room - 1];
    }
    uint32_t *next = calloc((size_t)plain->room_count + 2, sizeof *next);
    for (uint32_t door = 0; door < plain->door_count && next != NULL; door++) {
        uint64_t taken = 0;
        for (int side = 0; side < 2; side++) {
            uint16_t room = plain->doors[door].rooms[side];
            for (uint32_t i = 0; i < next[room]; i++) {
                taken |= (uint64_t)1
                         << plain->doors[plain->room_doors[plain->first[room] + i]].plane;
            }
            plain->room_doors[plain->first[room] + next[room]++] = door;
        }
        while (taken >> plain->doors[door].plane & 1u) {
            plain->doors[door].plane++;
        }
        plain->plane_count = plain->doors[door].plane >= plain->plane_count
                                 ? plain->doors[door].plane + 1
                                 : plain->plane_count;
    }
    free(next);
}

/// Steps to one door in both of its rooms, by breadth-first search.
static void fill_plane(const plain_rooms *plain, uint32_t number, uint32_t *queue)
{
    const plain_door *door = &plain->doors[number];
    uint16_t *plane =
        plain->planes + (size_t)door->plane * (size_t)plain->width * (size_t)plain->height;
    uint32_t head = 0, tail = 0;
    plane[door->cell] = 0;
    queue[tail++] = door->cell;
    while (head < tail) {
        int cell = (int)queue[head++];
        for (int move = 0; move < 4; move++) {
            int next = neighbour(plain, cell, move);
            if (next >= 0 && plane[next] == NO_LENGTH &&
                (plain->zones[next] == door->rooms[0] || plain->zones[next] == door->rooms[1])) {
                plane[next] = (uint16_t)(plane[cell] + 1);
                queue[tail++] = (uint32_t)next;
            }
        }
    }
}

typedef struct hop_work {
    const plain_rooms *plain;
    uint16_t *queues; ///< [rooms] for each block
} hop_work;

/// Hops from all rooms to goals first .. end - 1.
static void fill_hops(void *context, int first, int end, int block)
{
    const hop_work *work = context;
    const plain_rooms *plain = work->plain;
    uint16_t *queue = work->queues + (size_t)block * (size_t)plain->room_count;
    for (int goal = first + 1; goal <= end; goal++) {
        uint16_t *row = plain->hops + (size_t)goal * (size_t)(plain->room_count + 1);
        memset(row, 0xff, ((size_t)plain->room_count + 1) * sizeof *row);
        int head = 0, tail = 0;
        row[goal] = 0;
        queue[tail++] = (uint16_t)goal;
        while (head < tail) {
            uint16_t room = queue[head++];
            for (uint32_t i = plain->first[room]; i < plain->first[room + 1]; i++) {
                const plain_door *door = &plain->doors[plain->room_doors[i]];
                uint16_t other = door->rooms[door->rooms[0] == room];
                if (row[other] == NO_LENGTH) {
                    row[other] = (uint16_t)(row[room] + 1);
                    queue[tail++] = other;
                }
            }
        }
    }
}

plain_rooms *plain_rooms_create(const uint16_t *zones, int width, int height, int room_count,
                                throng_jobs *jobs, double *build_ms)
{
    double start = bench_now();
    size_t cells = (size_t)width * (size_t)height, rooms = (size_t)room_count + 2;
    enum { GOALS_A_BLOCK = 64 };
    size_t blocks = (size_t)room_count / GOALS_A_BLOCK + 1;
    plain_rooms *plain = calloc(1, sizeof *plain);
    if (plain == NULL) {
        return NULL;
    }
    *plain =
        (plain_rooms){.zones = zones, .width = width, .height = height, .room_count = room_count};
    plain->doors = calloc(4 * rooms, sizeof *plain->doors);
    plain->first = calloc(rooms + 1, sizeof *plain->first);
    plain->room_doors = calloc(8 * rooms, sizeof *plain->room_doors);
    plain->hops = malloc(rooms * rooms * sizeof *plain->hops);
    uint32_t *queue = malloc(cells * sizeof *queue);
    hop_work work = {plain, malloc(blocks * rooms * sizeof(uint16_t))};
    bool good = plain->doors != NULL && plain->first != NULL && plain->room_doors != NULL &&
                plain->hops != NULL && queue != NULL && work.queues != NULL;
    if (good) {
        list_doors(plain);
        plain->planes = malloc((size_t)plain->plane_count * cells * sizeof *plain->planes);
        good = plain->planes != NULL;
    }
    if (good) {
        memset(plain->planes, 0xff, (size_t)plain->plane_count * cells * sizeof *plain->planes);
        for (uint32_t door = 0; door < plain->door_count; door++) {
            fill_plane(plain, door, queue);
        }
        thg_parallel_for(jobs, room_count, GOALS_A_BLOCK, fill_hops, &work);
    }
    free(queue);
    free(work.queues);
    *build_ms = bench_now() - start;
    if (!good) {
        plain_rooms_destroy(plain);
        return NULL;
    }
    return plain;
}

void plain_rooms_destroy(plain_rooms *plain)
{
    if (plain != NULL) {
        free(plain->doors);
        free(plain->first);
        free(plain->room_doors);
        free(plain->hops);
        free(plain->planes);
        free(plain);
    }
}

size_t plain_rooms_bytes(const plain_rooms *plain)
{
    size_t cells = (size_t)plain->width * (size_t)plain->height;
    size_t rooms = (size_t)plain->room_count + 1;
    return rooms * rooms * 2 + (size_t)plain->plane_count * cells * 2 + cells * 2 +
           plain->door_count * (sizeof *plain->doors + 8);
}

int plain_rooms_planes(const plain_rooms *plain)
{
    return plain->plane_count;
}

// ---- Walking -----------------------------------------------------------------------------------

typedef struct plain_work {
    const plain_rooms *plain;
    plain_walker *walkers;
    bool keeps_door;
    atomic_int moved;
} plain_work;

/// The nearest door to a room with fewer hops to go; door_count when there is none.
static uint32_t choose_door(const plain_rooms *plain, uint32_t cell, uint16_t room, uint16_t goal)
{
    size_t cells = (size_t)plain->width * (size_t)plain->height;
    const uint16_t *row = plain->hops + (size_t)goal * (size_t)(plain->room_count + 1);
    uint32_t best = plain->door_count;
    uint16_t least = NO_LENGTH, hops = row[room];
    for (uint32_t i = plain->first[room]; i < plain->first[room + 1]; i++) {
        const plain_door *door = &plain->doors[plain->room_doors[i]];
        uint16_t other = door->rooms[door->rooms[0] == room];
        if (row[other] < hops) {
            uint16_t length = plain->planes[(size_t)door->plane * cells + cell];
            if (length < least) {
                least = length;
                best = plain->room_doors[i];
            }
        }
    }
    return best;
}

static bool step_walker(const plain_rooms *plain, plain_walker *walker, bool keeps_door)
{
    uint16_t room = plain->zones[walker->cell];
    if (room == walker->goal) {
        return false;
    }
    if (!keeps_door || walker->room != room) {
        walker->door = choose_door(plain, walker->cell, room, walker->goal);
        walker->room = room;
    }
    if (walker->door == plain->door_count) {
        return false;
    }
    const plain_door *door = &plain->doors[walker->door];
    const uint16_t *plane =
        plain->planes + (size_t)door->plane * (size_t)plain->width * (size_t)plain->height;
    uint16_t other = door->rooms[door->rooms[0] == room], least = NO_LENGTH;
    bool on_door = walker->cell == door->cell;
    uint32_t best = walker->cell;
    for (int move = 0; move < 4; move++) {
        uint32_t next = walker->cell + (uint32_t)(step_y[move] * plain->width + step_x[move]);
        if (next >= (uint32_t)(plain->width * plain->height)) {
            continue;
        }
        if (on_door ? plain->zones[next] == other : plane[next] < least) {
            least = plane[next];
            best = next;
        }
    }
    walker->cell = best;
    return true;
}

static void step_walkers(void *context, int first, int end, int block)
{
    plain_work *work = context;
    int moved = 0;
    (void)block;
    for (int i = first; i < end; i++) {
        moved += step_walker(work->plain, &work->walkers[i], work->keeps_door);
    }
    atomic_fetch_add(&work->moved, moved);
}

int plain_rooms_step(const plain_rooms *plain, plain_walker *walkers, int count, bool keeps_door,
                     throng_jobs *jobs)
{
    plain_work work = {plain, walkers, keeps_door, 0};
    thg_parallel_for(jobs, count, 4096, step_walkers, &work);
    return atomic_load(&work.moved);
}
