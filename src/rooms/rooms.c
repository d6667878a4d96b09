/// Rooms from outside: making them, what they take, questions.
#include "rooms/rooms.h"
#include "core/time.h"
#include "rooms/inside.h"
#include <string.h>

#define ROOMS_COOKIE 0x524f4f4du

throng_rooms_def throng_default_rooms_def(void)
{
    throng_rooms_def def = {
        .cookie = ROOMS_COOKIE, .most_cells = 4096, .most_row_bytes = (size_t)64 << 20};
    return def;
}

// ---- Memory ------------------------------------------------------------------------------------

void *thg_take(throng_rooms *rooms, size_t count, size_t size, thg_part part)
{
    THRONG_ASSERT(rooms->taken_count < THG_MOST_TAKEN);
    void *memory = thg_allocate(count, size);
    if (memory != NULL) {
        rooms->taken[rooms->taken_count++] = (thg_taken){memory, count, size, part};
    }
    return memory;
}

void thg_give(throng_rooms *rooms, void *memory)
{
    for (int i = rooms->taken_count - 1; i >= 0 && memory != NULL; i--) {
        thg_taken *taken = &rooms->taken[i];
        if (taken->memory == memory) {
            thg_release(memory, taken->count, taken->size);
            *taken = rooms->taken[--rooms->taken_count];
            return;
        }
    }
}

void thg_give_all(throng_rooms *rooms)
{
    while (rooms->taken_count > 0) {
        thg_taken *taken = &rooms->taken[--rooms->taken_count];
        thg_release(taken->memory, taken->count, taken->size);
    }
}

static size_t part_bytes(const throng_rooms *rooms, thg_part part)
{
    size_t bytes = 0;
    for (int i = 0; i < rooms->taken_count; i++) {
        bytes += rooms->taken[i].part == part ? rooms->taken[i].count * rooms->taken[i].size : 0;
    }
    return bytes;
}

// ---- Making ------------------------------------------------------------------------------------

static double lap(double *last)
{
    double now = thg_seconds(), passed = (now - *last) * 1e3;
    *last = now;
    return passed;
}

static throng_result take_zones(throng_rooms *rooms, int class_index, const throng_rooms_def *def,
                                throng_error *error)
{
    size_t cells = rooms->map->cell_count;
    rooms->zones = thg_take(rooms, cells, sizeof *rooms->zones, THG_ZONES);
    if (rooms->zones == NULL) {
        return THRONG_NO_MEMORY;
    }
    if (def->zones != NULL) {
        memcpy(rooms->zones, def->zones, cells * sizeof *rooms->zones);
        return THRONG_OK;
    }
    int count;
    throng_result result =
        throng_rooms_cut(rooms->map, class_index, def->most_cells, rooms->zones, &count);
    return result == THRONG_LIMIT
               ? thg_fail(error, result, 0, 0, "the map would be cut into more than %d rooms",
                          THRONG_MAX_ROOMS)
               : result;
}

static throng_result build(throng_rooms *rooms, int class_index, const throng_rooms_def *def,
                           throng_error *error)
{
    throng_rooms_report *report = &rooms->report;
    double last = thg_seconds();
    throng_result result = take_zones(rooms, class_index, def, error);
    result = result == THRONG_OK ? thg_find_doors(rooms, def, error) : result;
    report->zone_ms = lap(&last);
    result = result == THRONG_OK ? thg_fill_inside(rooms, def->jobs) : result;
    report->inside_ms = lap(&last);
    result = result == THRONG_OK ? thg_order_doors(rooms) : result;
    report->order_ms = lap(&last);
    result = result == THRONG_OK ? thg_build_hierarchy(rooms) : result;
    report->hierarchy_ms = lap(&last);
    result = result == THRONG_OK ? thg_build_rows(rooms, def->jobs) : result;
    report->row_ms = lap(&last);
    int threads = throng_jobs_thread_count(def->jobs);
    for (; rooms->search_count < threads && result == THRONG_OK; rooms->search_count++) {
        if (!thg_search_create(rooms, &rooms->searches[rooms->search_count])) {
            result = THRONG_NO_MEMORY;
        }
    }
    return result;
}

throng_result throng_rooms_create(const throng_map *map, int class_index,
                                  const throng_rooms_def *def, throng_rooms **out,
                                  throng_error *error)
{
    *out = NULL;
    if (map->planet != NULL || class_index < 0 || class_index >= map->layer_count ||
        def->cookie != ROOMS_COOKIE || def->door_cell_count < 0 ||
        (def->door_cell_count > 0 && def->door_cells == NULL) || def->most_cells < 16 ||
        def->most_cells > 1 << 20 || def->door_spacing < 0 || def->door_spacing > 1024) {
        return thg_fail(error, THRONG_BAD_ARGUMENT, 0, 0,
                        "a flat map, a class of it, most_cells in 16 .. 2^20, door_spacing in 0 .. "
                        "1024 and door cells are expected");
    }
    throng_rooms *rooms = thg_allocate(1, sizeof *rooms);
    if (rooms == NULL) {
        return thg_fail(error, THRONG_NO_MEMORY, 0, 0, "no memory for rooms");
    }
    rooms->map = map;
    rooms->layer = &map->layers[class_index];
    rooms->width = map->width;
    rooms->height = map->height;
    rooms->diagonal = def->diagonal;
    rooms->version = 1;
    rooms->most_row_bytes = def->most_row_bytes;
    for (int move = 0; move < 8; move++) {
        rooms->move_cells[move] = thg_move_y[move] * map->width + thg_move_x[move];
    }
    throng_result result = build(rooms, class_index, def, error);
    if (result != THRONG_OK) {
        if (result == THRONG_NO_MEMORY) {
            thg_fail(error, result, 0, 0, "no memory for the tables of rooms");
        }
        throng_rooms_destroy(rooms);
        return result;
    }
    *out = rooms;
    return THRONG_OK;
}

void throng_rooms_destroy(throng_rooms *rooms)
{
    if (rooms != NULL) {
        thg_give_all(rooms);
        thg_release(rooms, 1, sizeof *rooms);
    }
}

throng_rooms_report throng_rooms_get_report(const throng_rooms *rooms)
{
    throng_rooms_report report = rooms->report;
    report.zone_bytes = part_bytes(rooms, THG_ZONES);
    report.inside_bytes = part_bytes(rooms, THG_INSIDE_TABLE);
    report.graph_bytes = part_bytes(rooms, THG_GRAPH);
    report.hierarchy_bytes = part_bytes(rooms, THG_HIERARCHY);
    report.row_bytes = part_bytes(rooms, THG_ROWS);
    report.scratch_bytes = part_bytes(rooms, THG_SCRATCH);
    report.rooms = (int)rooms->room_count;
    report.doors = (int)rooms->door_count;
    report.arcs = (int)rooms->arc_count;
    report.hierarchy_arcs = (int)rooms->hierarchy.arc_count;
    report.runs = rooms->rows.runs;
    report.stale_rows = rooms->rows.stale;
    for (uint32_t door = 0; door < rooms->door_count; door++) {
        report.rows += rooms->rows.posts[door].version != 0;
    }
    return report;
}

int throng_rooms_count(const throng_rooms *rooms)
{
    return (int)rooms->room_count;
}

int throng_rooms_door_count(const throng_rooms *rooms)
{
    return (int)rooms->door_count;
}

int throng_rooms_at(const throng_rooms *rooms, int cell)
{
    return cell >= 0 && cell < rooms->width * rooms->height ? rooms->zones[cell] : 0;
}

int throng_rooms_door_cell(const throng_rooms *rooms, int door)
{
    THRONG_ASSERT(door >= 0 && door < (int)rooms->door_count);
    return (int)rooms->doors[door].cell;
}

/// Doors of a room lie row by row: a binary search by cell.
int throng_rooms_door_at(const throng_rooms *rooms, int cell)
{
    int room = throng_rooms_at(rooms, cell);
    if (room == 0 || !thg_is_door(rooms, (uint32_t)cell)) {
        return -1;
    }
    uint32_t low = rooms->rooms[room].first_entry, end = rooms->rooms[room + 1].first_entry;
    uint32_t high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (rooms->doors[rooms->entries[middle].door].cell < (uint32_t)cell) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < end && rooms->doors[rooms->entries[low].door].cell == (uint32_t)cell;
    return found ? (int)rooms->entries[low].door : -1;
}

int throng_rooms_doors_of(const throng_rooms *rooms, int room, int *doors, int capacity)
{
    if (room < 1 || room > (int)rooms->room_count) {
        return 0;
    }
    uint32_t first = rooms->rooms[room].first_entry, end = rooms->rooms[room + 1].first_entry;
    for (uint32_t i = first; i < end && doors != NULL && (int)(i - first) < capacity; i++) {
        doors[i - first] = (int)rooms->entries[i].door;
    }
    return (int)(end - first);
}

uint32_t throng_rooms_inside(const throng_rooms *rooms, int room, int door, int cell)
{
    if (room < 1 || room > (int)rooms->room_count || door < 0 || door >= (int)rooms->door_count ||
        cell < 0 || cell >= rooms->width * rooms->height) {
        return THRONG_ROOMS_FAR;
    }
    const thg_room *box = &rooms->rooms[room];
    int x = cell % rooms->width - box->x, y = cell / rooms->width - box->y;
    if (x < 0 || y < 0 || x >= box->width || y >= box->height) {
        return THRONG_ROOMS_FAR;
    }
    for (uint32_t i = box->first_entry; i < rooms->rooms[room + 1].first_entry; i++) {
        if (rooms->entries[i].door == (uint32_t)door) {
            return thg_leg_length(rooms, i, (uint32_t)cell);
        }
    }
    return THRONG_ROOMS_FAR;
}
