/// Sides of walls: where a wall cell borders on one that is none, in runs as long as they go
/// straight on. The map's own edge has no side: nothing is seen from beyond.
#include "drawing.h"

static bool wall_at(const throng_ground *ground, int x, int y)
{
    return x >= 0 && y >= 0 && x < ground->width && y < ground->height &&
           ground->walls[(size_t)y * (size_t)ground->width + (size_t)x] != 0;
}

typedef struct run_list {
    const throng_ground *ground;
    float *runs;
    int capacity, count;
} run_list;

static void add_run(run_list *list, float x0, float y0, float x1, float y1)
{
    if (list->count < list->capacity) {
        const throng_ground *ground = list->ground;
        float *run = list->runs + 4 * (size_t)list->count;
        run[0] = ground->origin.x + x0 * ground->cell_size;
        run[1] = ground->origin.y + y0 * ground->cell_size;
        run[2] = ground->origin.x + x1 * ground->cell_size;
        run[3] = ground->origin.y + y1 * ground->cell_size;
    }
    list->count++;
}

/// Runs along one line of cells, on its upper (or left) or its lower (or right) side.
static void scan_line(run_list *list, int line, bool along_x, bool beyond)
{
    const throng_ground *ground = list->ground;
    int length = along_x ? ground->width : ground->height, start = -1;
    for (int i = 0; i <= length; i++) {
        int other = beyond ? line + 1 : line - 1;
        bool side =
            i < length && (along_x ? wall_at(ground, i, line) && !wall_at(ground, i, other)
                                   : wall_at(ground, line, i) && !wall_at(ground, other, i));
        if (side && start < 0) {
            start = i;
        } else if (!side && start >= 0) {
            float at = (float)(beyond ? line + 1 : line), from = (float)start, to = (float)i;
            if (along_x) {
                add_run(list, beyond ? to : from, at, beyond ? from : to, at);
            } else {
                add_run(list, at, beyond ? from : to, at, beyond ? to : from);
            }
            start = -1;
        }
    }
}

int thg_wall_sides(const throng_ground *ground, float *runs, int capacity)
{
    run_list list = {ground, runs, capacity, 0};
    for (int beyond = 0; beyond < 2; beyond++) {
        for (int y = 0; y < ground->height; y++) {
            scan_line(&list, y, true, beyond != 0);
        }
        for (int x = 0; x < ground->width; x++) {
            scan_line(&list, x, false, beyond != 0);
        }
    }
    return list.count;
}
