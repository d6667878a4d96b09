/// Layers of how ways are found: sectors and the portals between them, the corridor of sectors
/// along one agent's way, and rooms. All of it is what paths, tiles and walkers themselves work
/// with.
#include "view.h"
#include <math.h>
#include <stdlib.h>

#define MOST_PORTALS 65536
#define MOST_SECTORS 4096

struct view_ways {
    throng_paths *paths[THRONG_MAX_CLASSES]; ///< made when they are first looked at
    throng_rooms *rooms;
    uint32_t rooms_version; ///< of the map that they were cut from
    throng_path_window *portals;
    int portal_count;
    uint32_t portals_version;
    throng_rect sectors[MOST_SECTORS];
    uint32_t *lengths; ///< from every cell to `door`, as the map is in rooms_version
    int door;          ///< -1: of none yet
};

view_ways *view_ways_open(void)
{
    return calloc(1, sizeof(view_ways));
}

void view_ways_close(view_ways *ways)
{
    if (ways != NULL) {
        for (int i = 0; i < THRONG_MAX_CLASSES; i++) {
            throng_paths_destroy(ways->paths[i]);
        }
        free(ways->lengths);
        throng_rooms_destroy(ways->rooms);
        free(ways->portals);
        free(ways);
    }
}

// ---- Portals and corridor -----------------------------------------------------------------------

static throng_paths *paths_of(const view_stage *stage, int class_index)
{
    throng_paths **paths = &stage->ways->paths[class_index];
    if (*paths == NULL) {
        throng_paths_def def = throng_default_paths_def();
        def.map = stage->map;
        def.class_index = class_index;
        if (throng_paths_create(&def, paths) != THRONG_OK) {
            *paths = NULL;
        }
    }
    return *paths;
}

/// Looks at every sector once for each state of the map.
static void find_portals(const view_stage *stage, throng_paths *paths)
{
    view_ways *ways = stage->ways;
    uint32_t version = throng_map_version(stage->map);
    if (ways->portals != NULL && version == ways->portals_version) {
        return;
    }
    if (ways->portals == NULL) {
        ways->portals = malloc(MOST_PORTALS * sizeof *ways->portals);
    }
    ways->portal_count = 0;
    if (ways->portals != NULL) {
        int count = throng_paths_windows(paths, true, ways->portals, MOST_PORTALS);
        ways->portal_count = count < MOST_PORTALS ? count : MOST_PORTALS;
        ways->portals_version = version;
    }
}

static void draw_portal(view_lines *lines, const throng_path_window *portal, float width)
{
    view_line(lines, portal->from, portal->to, 0.1f, width, (throng_colour){24, 150, 96, 255});
}

/// The borders of sectors, and on them where one can go from one to the next.
static void draw_portals(const view_stage *stage, view_lines *lines)
{
    throng_paths *paths = paths_of(stage, 0);
    if (paths == NULL) {
        return;
    }
    find_portals(stage, paths);
    const throng_colour ink = {52, 88, 150, 150};
    float cell = throng_map_cell_size(stage->map);
    float side = cell * (float)throng_default_paths_def().sector_side;
    throng_vec2 from = throng_map_origin(stage->map);
    throng_vec2 to = {from.x + cell * (float)throng_map_width(stage->map),
                      from.y + cell * (float)throng_map_height(stage->map)};
    for (float x = from.x; x < to.x + side; x += side) {
        float at = fminf(x, to.x);
        view_line(lines, (throng_vec2){at, from.y}, (throng_vec2){at, to.y}, 0.05f, cell * 0.15f,
                  ink);
    }
    for (float y = from.y; y < to.y + side; y += side) {
        float at = fminf(y, to.y);
        view_line(lines, (throng_vec2){from.x, at}, (throng_vec2){to.x, at}, 0.05f, cell * 0.15f,
                  ink);
    }
    for (int i = 0; i < stage->ways->portal_count; i++) {
        draw_portal(lines, &stage->ways->portals[i], cell * 0.5f);
    }
}

/// Where the agent's way ends, as its goal leads it; itself where it has none.
static throng_vec2 end_of_way(const view_stage *stage, const throng_agents_view *agents, int row)
{
    throng_vec2 at = {agents->x[row], agents->y[row]}, next;
    throng_goal_id goal = view_goal_of_slot(stage, agents->goal[row]);
    int class_index = throng_crowd_profile(stage->crowd, agents->profile[row]).class_index;
    for (int i = 0; goal.generation != 0 && i < VIEW_MOST_WAY &&
                    view_way_next(stage, goal, class_index, at, &next);
         i++) {
        at = next;
    }
    return at;
}

/// Sectors that tiles take along the picked agent's way, its portals and its straight parts.
static void draw_corridor(const view_stage *stage, int row, view_lines *lines)
{
    throng_agents_view agents = throng_crowd_agents(stage->crowd);
    int class_index = throng_crowd_profile(stage->crowd, agents.profile[row]).class_index;
    throng_paths *paths = paths_of(stage, class_index);
    throng_path_query query = throng_default_path_query();
    throng_path path;
    query.from = (throng_vec2){agents.x[row], agents.y[row]};
    query.to = end_of_way(stage, &agents, row);
    if (paths == NULL || throng_paths_find(paths, &query, &path) != THRONG_OK) {
        return;
    }
    float cell = throng_map_cell_size(stage->map);
    const throng_colour ink = {236, 128, 32, 255};
    for (int i = 0; i + 1 < path.point_count; i++) {
        view_line(lines, path.points[i], path.points[i + 1], 0.12f, 0.2f, ink);
    }
    throng_rect *sectors = stage->ways->sectors;
    int count = throng_paths_corridor(paths, sectors, MOST_SECTORS);
    for (int i = 0; i < count && i < MOST_SECTORS; i++) {
        throng_rect box = sectors[i];
        throng_vec2 corners[5] = {
            box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}, box.min};
        for (int c = 0; c < 4; c++) {
            view_line(lines, corners[c], corners[c + 1], 0.08f, cell * 0.3f, ink);
        }
    }
    throng_path_window *windows = calloc(MOST_SECTORS, sizeof *windows);
    count = windows != NULL ? throng_paths_windows(paths, false, windows, MOST_SECTORS) : 0;
    for (int i = 0; i < count && i < MOST_SECTORS; i++) {
        draw_portal(lines, &windows[i], cell * 0.5f);
    }
    free(windows);
}

void view_draw_ways(const view_stage *stage, uint32_t layers, int pick, view_lines *lines)
{
    if ((layers >> VIEW_PORTALS & 1u) != 0) {
        draw_portals(stage, lines);
    }
    if ((layers >> VIEW_CORRIDOR & 1u) != 0 && pick >= 0 && pick < stage->agent_count) {
        draw_corridor(stage, pick, lines);
    }
}

// ---- Rooms --------------------------------------------------------------------------------------

/// Rooms of the map as it is now, cut as `throng rooms` cuts them; NULL where there are none.
static throng_rooms *rooms_of(const view_stage *stage)
{
    view_ways *ways = stage->ways;
    uint32_t version = throng_map_version(stage->map);
    if (ways->rooms == NULL || ways->rooms_version != version) {
        throng_rooms_def def = throng_default_rooms_def();
        def.most_row_bytes = 0; // nobody walks here
        throng_rooms_destroy(ways->rooms);
        ways->rooms_version = version;
        ways->door = -1;
        if (throng_rooms_create(stage->map, 0, &def, &ways->rooms, NULL) != THRONG_OK) {
            ways->rooms = NULL;
        }
    }
    return ways->rooms;
}

void view_paint_rooms(const view_stage *stage, uint32_t *colours)
{
    const throng_rooms *rooms = rooms_of(stage);
    int cells = throng_map_width(stage->map) * throng_map_height(stage->map);
    for (int i = 0; rooms != NULL && i < cells; i++) {
        int room = throng_rooms_at(rooms, i);
        if (throng_rooms_door_at(rooms, i) >= 0) {
            view_mix(&colours[i], (throng_colour){40, 44, 56, 255}, 0.8f);
        } else if (room > 0) {
            view_mix(&colours[i], throng_colour_of_index(room - 1), 0.55f);
        }
    }
}

// ---- A door's field -----------------------------------------------------------------------------

int view_door_of_page(const view_stage *stage, int pick, int *room, int *page, int *count)
{
    const throng_rooms *rooms = rooms_of(stage);
    throng_vec2 at = stage->cursor;
    int x, y;
    *room = *page = *count = 0;
    if (!stage->has_cursor && pick >= 0 && pick < stage->agent_count) {
        at = (throng_vec2){stage->agents[pick].x, stage->agents[pick].y};
    }
    if (rooms == NULL || !throng_map_cell_at(stage->map, at, &x, &y)) {
        return -1;
    }
    *room = throng_rooms_at(rooms, y * throng_map_width(stage->map) + x);
    *count = *room > 0 ? throng_rooms_doors_of(rooms, *room, NULL, 0) : 0;
    int *doors = calloc(*count > 0 ? (size_t)*count : 1, sizeof *doors);
    if (doors == NULL || *count == 0) {
        free(doors);
        return -1;
    }
    throng_rooms_doors_of(rooms, *room, doors, *count);
    *page = ((stage->door_page % *count) + *count) % *count;
    int door = doors[*page];
    free(doors);
    return door;
}

/// Lengths to a door, kept until another is asked for or the map changes. NULL without memory.
static const uint32_t *lengths_to(const view_stage *stage, int door)
{
    view_ways *ways = stage->ways;
    size_t cells = (size_t)throng_map_width(stage->map) * (size_t)throng_map_height(stage->map);
    if (ways->lengths == NULL) {
        ways->lengths = malloc(cells * sizeof *ways->lengths);
        ways->door = -1;
    }
    if (ways->lengths != NULL && ways->door != door) {
        ways->door =
            throng_rooms_lengths(ways->rooms, door, ways->lengths) == THRONG_OK ? door : -1;
    }
    return ways->lengths != NULL && ways->door == door ? ways->lengths : NULL;
}

void view_paint_door(const view_stage *stage, int pick, uint32_t *colours)
{
    int room, page, count, door = view_door_of_page(stage, pick, &room, &page, &count);
    const uint32_t *lengths = door >= 0 ? lengths_to(stage, door) : NULL;
    int cells = throng_map_width(stage->map) * throng_map_height(stage->map);
    uint32_t most = 1;
    for (int i = 0; lengths != NULL && i < cells; i++) {
        most = lengths[i] < THRONG_ROOMS_FAR && lengths[i] > most ? lengths[i] : most;
    }
    for (int i = 0; lengths != NULL && i < cells; i++) {
        if (i == throng_rooms_door_cell(stage->ways->rooms, door)) {
            view_mix(&colours[i], (throng_colour){20, 24, 32, 255}, 0.95f);
        } else if (lengths[i] < THRONG_ROOMS_FAR) {
            int band = (int)((float)lengths[i] / (float)most * 24.0f);
            bool here = throng_rooms_at(stage->ways->rooms, i) == room;
            throng_colour far = throng_colour_ramp(1.0f - (float)band / 24.0f);
            view_mix(&colours[i], here ? (throng_colour){48, 168, 84, 255} : far,
                     here && (band & 1) == 0 ? 0.85f : 0.66f);
        }
    }
}
