/// What pictures show of paths: windows, and the corridor of the last one.
#include "field/path.h"

/// A place in cells, in metres.
static throng_vec2 place_of(const throng_map *map, float x, float y)
{
    return (throng_vec2){map->origin.x + x * map->cell_size, map->origin.y + y * map->cell_size};
}

/// Writes the windows on one side of a sector, whose nodes lie in order; windows end where a cell
/// between two nodes does not fit.
static int side_windows(const throng_paths *paths, const thg_sector *sector, int side,
                        throng_path_window *windows, int capacity, int count)
{
    const throng_map *map = paths->def.map;
    bool upright = side == THG_SIDE_WEST || side == THG_SIDE_EAST;
    for (int node = sector->first[side]; node < sector->first[side + 1];) {
        throng_vec2 first = thg_sector_node(paths->sectors, sector, node);
        throng_vec2 last = first;
        for (node++; node < sector->first[side + 1]; node++) {
            throng_vec2 next = thg_sector_node(paths->sectors, sector, node);
            bool open = true;
            for (float at = upright ? last.y : last.x; at <= (upright ? next.y : next.x); at++) {
                int x = upright ? (int)first.x : (int)at;
                int y = upright ? (int)at : (int)first.y;
                open = open && throng_map_fits(map, paths->def.class_index, x, y) &&
                       throng_map_fits(map, paths->def.class_index, x - upright, y - !upright);
            }
            if (!open) {
                break;
            }
            last = next;
        }
        if (count < capacity) {
            float half_x = upright ? 0.0f : 0.5f, half_y = upright ? 0.5f : 0.0f;
            windows[count].from = place_of(map, first.x - half_x, first.y - half_y);
            windows[count].to = place_of(map, last.x + half_x, last.y + half_y);
        }
        count++;
    }
    return count;
}

int throng_paths_windows(throng_paths *paths, bool all, throng_path_window *windows, int capacity)
{
    int count = 0;
    int sectors = all ? paths->sectors->count : paths->leg_count;
    for (int i = 0; i < sectors; i++) {
        const thg_sector *sector = thg_sectors_get(paths->sectors, all ? i : paths->legs[i].sector);
        // Of the whole map each window is another sector's too.
        for (int side = 0; side < 4; side++) {
            if (!all || side == THG_SIDE_EAST || side == THG_SIDE_SOUTH) {
                count = side_windows(paths, sector, side, windows, capacity, count);
            }
        }
    }
    return count;
}

/// True when a sector lies in the ring of a leg.
static bool in_corridor(const throng_paths *paths, int column, int row)
{
    for (int i = 0; i < paths->leg_count; i++) {
        int dx = paths->legs[i].sector % paths->sectors->columns - column;
        int dy = paths->legs[i].sector / paths->sectors->columns - row;
        if (dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1) {
            return true;
        }
    }
    return false;
}

int throng_paths_corridor(const throng_paths *paths, throng_rect *rects, int capacity)
{
    const thg_sectors *sectors = paths->sectors;
    const throng_map *map = paths->def.map;
    int count = 0;
    for (int i = 0; i < sectors->count; i++) {
        int column = i % sectors->columns, row = i / sectors->columns;
        if (!in_corridor(paths, column, row)) {
            continue;
        }
        if (count < capacity) {
            int x = column << sectors->shift, y = row << sectors->shift;
            rects[count].min = place_of(map, (float)x, (float)y);
            rects[count].max = place_of(map, (float)thg_min_int(x + sectors->side, map->width),
                                        (float)thg_min_int(y + sectors->side, map->height));
        }
        count++;
    }
    return count;
}
