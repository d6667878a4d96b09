/// Playgrounds: which there are, their tables, and how they are told.
#define _POSIX_C_SOURCE 200809L
#include "play.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const view_play_kind *const kinds[] = {&view_play_paths, &view_play_cells,
                                              &view_play_threads, &view_play_drawing};

const view_play_kind *const *view_play_kinds(int *count)
{
    *count = (int)(sizeof kinds / sizeof kinds[0]);
    return kinds;
}

const char *view_play_names(void)
{
    return "paths, cells, threads, drawing";
}

double view_play_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool view_play_open(view_play *play, const char *name)
{
    int count;
    const view_play_kind *const *all = view_play_kinds(&count);
    for (int i = 0; i < count && name != NULL; i++) {
        if (strcmp(all[i]->name, name) == 0) {
            view_play_close(play);
            *play = (view_play){.kind = all[i], .value = all[i]->first, .done = all[i]->waits};
            return true;
        }
    }
    if (name == NULL) {
        view_play_close(play);
    }
    return name == NULL;
}

void view_play_close(view_play *play)
{
    if (play->own != NULL && play->kind->release != NULL) {
        play->kind->release(play->own);
    }
    free(play->own);
    *play = (view_play){0};
}

void view_play_again(view_play *play)
{
    view_play kept = *play;
    if (kept.kind != NULL) {
        view_play_close(play);
        *play = (view_play){.kind = kept.kind, .value = kept.value, .fresh = true};
    }
}

static bool is_stale(const view_play *play, const view_stage *stage)
{
    throng_vec2 goal = view_play_goal(stage);
    return play->own != NULL && play->kind->watches &&
           (goal.x != play->goal.x || goal.y != play->goal.y ||
            throng_map_version(stage->map) != play->map_version);
}

static bool begin(view_play *play, const view_play_place *place)
{
    play->table = play->kind->table;
    play->goal = view_play_goal(place->stage);
    play->map_version = throng_map_version(place->stage->map);
    play->own = calloc(1, play->kind->own_size);
    return play->own != NULL && (play->kind->begin == NULL || play->kind->begin(play, place));
}

bool view_play_work(view_play *play, const view_play_place *place, double seconds)
{
    if (play->kind == NULL) {
        return true;
    }
    if (is_stale(play, place->stage)) {
        view_play_again(play);
    }
    if (play->done) {
        return true;
    }
    if (play->own == NULL && !begin(play, place)) {
        view_play_again(play); // nothing half begun is worked on
        return false;
    }
    return play->kind->work(play, place, seconds);
}

void view_play_set(view_play *play, const char *name, const double values[VIEW_PLAY_COLUMNS])
{
    view_play_table *table = &play->table;
    int at = 0;
    while (at < table->row_count && strcmp(table->rows[at].name, name) != 0) {
        at++;
    }
    if (at < VIEW_PLAY_ROWS) {
        table->row_count = at == table->row_count ? at + 1 : table->row_count;
        snprintf(table->rows[at].name, sizeof table->rows[at].name, "%s", name);
        memcpy(table->rows[at].values, values, sizeof table->rows[at].values);
        play->fresh = true;
    }
}

// ---- Maps and places ----------------------------------------------------------------------------

static bool copy_terrain(const throng_map *map, int times, throng_map *copy)
{
    int width = throng_map_width(copy), height = throng_map_height(copy), kind;
    for (int i = THRONG_FIRST_OWN_TERRAIN; i < THRONG_MAX_TERRAINS; i++) {
        const char *name = throng_map_terrain_name(map, i);
        if (name != NULL && throng_map_terrain(copy, name, &kind) != THRONG_OK) {
            return false;
        }
    }
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int from_x = x * times + times / 2, from_y = y * times + times / 2;
            bool inside = from_x < throng_map_width(map) && from_y < throng_map_height(map);
            kind = inside ? throng_map_terrain_at(map, from_x, from_y) : THRONG_WALL;
            if (kind != THRONG_GROUND) { // which is what it is made of
                throng_map_edit_rect(copy, (throng_cell_rect){x, y, 1, 1}, kind);
            }
        }
    }
    throng_map_update(copy);
    return true;
}

throng_map *view_play_copy_map(const throng_map *map, int times)
{
    throng_map_def def = throng_default_map_def();
    throng_map *copy = NULL;
    int class_index;
    def.width = (throng_map_width(map) + times - 1) / times;
    def.height = (throng_map_height(map) + times - 1) / times;
    def.cell_size = throng_map_cell_size(map) * (float)times;
    def.origin = throng_map_origin(map);
    throng_class_def class_def = throng_map_class(map, 0);
    class_def.wall_surcharge = 0.0f;
    if (throng_map_create(&def, &copy) != THRONG_OK) {
        return NULL;
    }
    if (!copy_terrain(map, times, copy) ||
        throng_map_add_class(copy, &class_def, &class_index) != THRONG_OK) {
        throng_map_destroy(copy);
        return NULL;
    }
    throng_map_update(copy);
    return copy;
}

throng_vec2 view_play_goal(const view_stage *stage)
{
    throng_goal_shape shape = {0};
    if (stage->put_count > 0) {
        return stage->put[stage->put_count - 1].point;
    }
    throng_world_goal_at(stage->world, 0, &shape, NULL);
    if (shape.point_count > 0) {
        return shape.points[0];
    }
    throng_rect box = shape.rect_count > 0 ? shape.rects[0] : (throng_rect){{0, 0}, {0, 0}};
    return (throng_vec2){0.5f * (box.min.x + box.max.x), 0.5f * (box.min.y + box.max.y)};
}

throng_field *view_play_field(const throng_map *map, throng_vec2 goal, throng_metric metric)
{
    throng_goal_shape shape = throng_default_goal_shape();
    throng_field *field = NULL;
    shape.points = &goal;
    shape.point_count = 1;
    return throng_field_create(map, 0, &shape, metric, &field) == THRONG_OK ? field : NULL;
}

int view_play_cell(const throng_map *map, throng_vec2 place)
{
    int x, y;
    return throng_map_nearest_fit(map, 0, place, 0, &x, &y) ? y * throng_map_width(map) + x : -1;
}

throng_vec2 view_play_middle(const throng_map *map, int cell)
{
    return throng_map_cell_center(map, cell % throng_map_width(map), cell / throng_map_width(map));
}

// ---- What is told -------------------------------------------------------------------------------

void view_play_print(const view_play *play)
{
    const view_play_table *table = &play->table;
    if (play->kind == NULL) {
        return;
    }
    printf("%s\n  %-26s", play->kind->title, "");
    for (int c = 0; c < VIEW_PLAY_COLUMNS && table->columns[c] != NULL; c++) {
        printf(" %14s", table->columns[c]);
    }
    for (int r = 0; r < table->row_count; r++) {
        printf("\n  %-26s", table->rows[r].name);
        for (int c = 0; c < VIEW_PLAY_COLUMNS && table->columns[c] != NULL; c++) {
            double value = table->rows[r].values[c];
            if (isnan(value)) {
                printf(" %14s", "-");
            } else {
                printf(value == floor(value) && fabs(value) < 1e12 ? " %14.0f" : " %14.4g", value);
            }
        }
    }
    printf("\n  %s\n", play->verdict);
}

void view_play_print_json(const view_play *play)
{
    const view_play_table *table = &play->table;
    printf("{\"name\": \"%s\", \"value\": %g, \"rows\": [", play->kind->name, (double)play->value);
    for (int r = 0; r < table->row_count; r++) {
        printf("%s{\"name\": \"%s\"", r > 0 ? ", " : "", table->rows[r].name);
        for (int c = 0; c < VIEW_PLAY_COLUMNS && table->columns[c] != NULL; c++) {
            if (!isnan(table->rows[r].values[c])) {
                printf(", \"%s\": %.10g", table->columns[c], table->rows[r].values[c]);
            }
        }
        printf("}");
    }
    printf("], \"verdict\": \"%s\"}", play->verdict);
}
