/// The size of cells against the quality of ways: the same walls drawn in finer and coarser cells,
/// and on each the way that a field leads, beside the best there is.
///
/// The best way is the any-angle path on the map as it is, the finest there is here. Coarser cells
/// are what the map has at their middles: thin walls get holes and narrow gaps close, which is why
/// ways are also looked at on the map as it is: how far they go where nobody fits.
#include "play.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int sizes[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20}; ///< in cells of the map as it is

typedef struct play_way {
    throng_vec2 *points;
    int count;
    float length;
} play_way;

typedef struct play_cells {
    throng_map *fine, *coarse; ///< coarse: as the slider says
    throng_vec2 from, to;
    play_way best, field, grid; ///< on `coarse`, but for the best
    int chosen, next;           ///< size by the slider; the next of the list
} play_cells;

static void release_cells(void *cells)
{
    play_cells *own = cells;
    throng_map_destroy(own->fine);
    throng_map_destroy(own->coarse);
    free(own->best.points);
    free(own->field.points);
    free(own->grid.points);
}

static bool find_best(play_cells *own)
{
    throng_paths_def def = throng_default_paths_def();
    throng_paths *paths = NULL;
    throng_path_query query = throng_default_path_query();
    throng_path path;
    def.map = own->fine;
    query.from = own->from;
    query.to = own->to;
    if (throng_paths_create(&def, &paths) != THRONG_OK) {
        return false;
    }
    bool fine = true;
    if (throng_paths_find(paths, &query, &path) == THRONG_OK) {
        own->best.points = malloc((size_t)path.point_count * sizeof *path.points);
        fine = own->best.points != NULL;
        if (fine) {
            memcpy(own->best.points, path.points, (size_t)path.point_count * sizeof *path.points);
            own->best.count = path.point_count;
            own->best.length = path.length;
        }
    }
    throng_paths_destroy(paths);
    return fine;
}

/// The way down a field; with no points where there is none.
static bool walk_field(const throng_map *map, throng_vec2 from, throng_vec2 to, play_way *way,
                       double *seconds)
{
    enum { MOST = 20000 };
    float step = 0.25f * throng_map_cell_size(map);
    throng_field *field = view_play_field(map, to, THRONG_EIKONAL);
    way->points = malloc(MOST * sizeof *way->points);
    if (field == NULL || way->points == NULL) {
        throng_field_destroy(field);
        return false;
    }
    double start = view_play_seconds();
    throng_field_solve(field);
    *seconds = view_play_seconds() - start;
    if (!throng_field_trace(field, from, step, MOST - 1, way->points, MOST, &way->count,
                            &way->length)) {
        way->count = 0;
    }
    throng_field_destroy(field);
    return true;
}

/// Cell by cell in 8 directions: A*.
static bool walk_grid(const throng_map *map, throng_vec2 from, throng_vec2 to, play_way *way)
{
    view_astar_answer answer = {0};
    int start = view_play_cell(map, from), end = view_play_cell(map, to);
    view_astar *astar = view_astar_create(map, 0);
    bool fine =
        astar != NULL && start >= 0 && end >= 0 && view_astar_find(astar, start, end, &answer);
    if (answer.found) {
        int count = 0;
        for (int cell = end; cell >= 0; cell = view_astar_before(astar, cell)) {
            count++;
        }
        way->points = malloc((size_t)count * sizeof *way->points);
        fine = way->points != NULL;
        way->count = fine ? count : 0;
        for (int cell = end; cell >= 0 && fine; cell = view_astar_before(astar, cell)) {
            way->points[--count] = view_play_middle(map, cell);
        }
        for (int i = 1; i < way->count; i++) {
            way->length += hypotf(way->points[i].x - way->points[i - 1].x,
                                  way->points[i].y - way->points[i - 1].y);
        }
    }
    view_astar_destroy(astar);
    return fine || start < 0 || end < 0;
}

/// Metres of a way where nobody fits on the map as it is.
static float length_in_walls(const throng_map *fine, const play_way *way)
{
    float sum = 0.0f;
    for (int i = 1; i < way->count; i++) {
        int x, y;
        throng_vec2 a = way->points[i - 1], b = way->points[i];
        throng_vec2 middle = {0.5f * (a.x + b.x), 0.5f * (a.y + b.y)};
        if (!throng_map_cell_at(fine, middle, &x, &y) || !throng_map_fits(fine, 0, x, y)) {
            sum += hypotf(b.x - a.x, b.y - a.y);
        }
    }
    return sum;
}

static bool measure(view_play *play, play_cells *own, int times)
{
    play_way field = {0}, grid = {0};
    double seconds = 0.0;
    throng_map *map = view_play_copy_map(own->fine, times);
    bool fine = map != NULL && walk_field(map, own->from, own->to, &field, &seconds) &&
                walk_grid(map, own->from, own->to, &grid);
    if (fine) {
        char name[32];
        double best = own->best.length;
        snprintf(name, sizeof name, "%.2g m", (double)throng_map_cell_size(map));
        view_play_set(play, name,
                      (double[]){(double)throng_map_width(map) * throng_map_height(map),
                                 seconds * 1e3, field.count > 0 ? field.length / best : NAN,
                                 grid.count > 0 ? grid.length / best : NAN,
                                 field.count > 0 ? length_in_walls(own->fine, &field) : NAN});
    }
    if (fine && times == own->chosen && own->coarse == NULL) {
        own->coarse = map;
        own->field = field;
        own->grid = grid;
        return true;
    }
    free(field.points);
    free(grid.points);
    throng_map_destroy(map);
    return fine;
}

static bool begin_cells(view_play *play, const view_play_place *place)
{
    play_cells *own = play->own;
    throng_agents_view agents = throng_crowd_agents(place->stage->crowd);
    int picked = place->pick >= 0 && place->pick < agents.count ? place->pick : 0;
    own->fine = view_play_copy_map(place->stage->map, 1);
    own->to = play->goal;
    own->from = own->to;
    if (agents.count > 0) {
        own->from = (throng_vec2){agents.x[picked], agents.y[picked]};
    }
    float cell = throng_map_cell_size(place->stage->map);
    own->chosen = (int)fmaxf(roundf(play->value / cell), 1.0f);
    return own->fine != NULL && find_best(own);
}

/// "3.1 % longer", or shorter: where walls have got lost.
static void compare(char text[24], double over_best)
{
    double percent = (over_best - 1.0) * 100.0;
    snprintf(text, 24, "%.1f %% %s", fabs(percent), percent < 0.0 ? "shorter" : "longer");
}

static void conclude(view_play *play, const play_cells *own)
{
    char name[32], field[24], grid[24];
    snprintf(name, sizeof name, "%.2g m",
             (double)(throng_map_cell_size(own->fine) * (float)own->chosen));
    for (int i = 0; i < play->table.row_count; i++) {
        const view_play_row *row = &play->table.rows[i];
        if (strcmp(row->name, name) != 0 || !(own->best.length > 0.0f)) {
            continue;
        }
        if (isnan(row->values[2])) {
            snprintf(play->verdict, sizeof play->verdict,
                     "With cells of %s no way is left: the gaps have closed.", name);
            continue;
        }
        compare(field, row->values[2]);
        compare(grid, row->values[3]);
        snprintf(play->verdict, sizeof play->verdict,
                 "With cells of %s the field's way is %s than the best (%.1f m), the grid's %s; "
                 "%.1f m of it lead through walls.",
                 name, field, (double)own->best.length, grid, row->values[4]);
    }
}

static bool work_cells(view_play *play, const view_play_place *place, double seconds)
{
    (void)place;
    play_cells *own = play->own;
    double until = view_play_seconds() + seconds;
    int count = (int)(sizeof sizes / sizeof sizes[0]);
    do {
        bool listed = false;
        int times = own->next < count ? sizes[own->next] : own->chosen;
        for (int i = 0; i < count; i++) {
            listed = listed || sizes[i] == own->chosen;
        }
        if (own->next < count + !listed && !measure(play, own, times)) {
            return false;
        }
        own->next++;
        play->done = own->next >= count + !listed;
    } while (!play->done && view_play_seconds() < until);
    conclude(play, own);
    return true;
}

/// Red: walls that only the coarse cells have. Blue: those that they lack.
static void paint_cells(const view_play *play, const view_stage *stage, uint32_t *colours)
{
    const play_cells *own = play->own;
    int width = throng_map_width(stage->map), height = throng_map_height(stage->map);
    if (own == NULL || own->coarse == NULL || play->map_version != throng_map_version(stage->map)) {
        return;
    }
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            bool fine = throng_map_blocked(own->fine, 0, x, y);
            bool coarse = throng_map_blocked(own->coarse, 0, x / own->chosen, y / own->chosen);
            if (fine != coarse) {
                view_mix(&colours[y * width + x],
                         coarse ? (throng_colour){214, 72, 60, 255}
                                : (throng_colour){20, 70, 210, 255},
                         coarse ? 0.6f : 0.9f);
            }
        }
    }
}

static void draw_way(const play_way *way, float height, float width, throng_colour ink,
                     view_lines *lines)
{
    for (int i = 1; i < way->count; i++) {
        view_line(lines, way->points[i - 1], way->points[i], height, width, ink);
    }
}

static void draw_cells(const view_play *play, view_lines *lines)
{
    const play_cells *own = play->own;
    if (own == NULL || own->coarse == NULL) {
        return;
    }
    float cell = throng_map_cell_size(own->coarse), fine = throng_map_cell_size(own->fine);
    throng_vec2 from = throng_map_origin(own->coarse);
    throng_vec2 to = {from.x + fine * (float)throng_map_width(own->fine),
                      from.y + fine * (float)throng_map_height(own->fine)};
    const throng_colour ink = {70, 76, 92, 110};
    for (float x = from.x; x <= to.x && own->chosen > 2; x += cell) {
        view_line(lines, (throng_vec2){x, from.y}, (throng_vec2){x, to.y}, 0.04f, 0.03f, ink);
    }
    for (float y = from.y; y <= to.y && own->chosen > 2; y += cell) {
        view_line(lines, (throng_vec2){from.x, y}, (throng_vec2){to.x, y}, 0.04f, 0.03f, ink);
    }
    draw_way(&own->grid, 0.10f, 0.22f, (throng_colour){228, 140, 40, 255}, lines);
    draw_way(&own->field, 0.14f, 0.22f, (throng_colour){200, 40, 140, 255}, lines);
    draw_way(&own->best, 0.18f, 0.22f, (throng_colour){36, 120, 72, 255}, lines);
}

const view_play_kind view_play_cells = {
    .name = "cells",
    .title = "The size of a cell",
    .about = "Small cells make good ways and much work; large ones the other way round. Green: the "
             "best way. Purple: where the field leads. Orange: cell by cell in 8 directions. Red "
             "walls are only in the coarse cells, blue ones are lost in them.",
    .slider = "cell, m",
    .tooltip = "The side of the cells that are drawn.",
    .low = 0.1f,
    .high = 3.0f,
    .first = 1.0f,
    .watches = true,
    .table = {.columns = {"cells", "ms", "field_over_best", "grid_over_best", "in_walls_m"}},
    .own_size = sizeof(play_cells),
    .begin = begin_cells,
    .work = work_cells,
    .paint = paint_cells,
    .draw = draw_cells,
    .release = release_cells,
};
