/// The world's map: from a file, rows or nothing, painted with the scene's shapes, with its
/// classes.
#include "file.h"
#include "world_model.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng_io/map_file.h>

static bool in_any(const thg_rects *rects, throng_vec2 position)
{
    for (int i = 0; i < rects->count; i++) {
        if (thg_rect_covers(&rects->items[i], position)) {
            return true;
        }
    }
    return false;
}

/// True where a place lies in an odd number of times: holes may be drawn into a polygon.
static bool in_polygon(const thg_points *corners, throng_vec2 place)
{
    bool inside = false;
    for (int i = 0, k = corners->count - 1; i < corners->count; k = i++) {
        throng_vec2 a = corners->items[i], b = corners->items[k];
        if ((a.y > place.y) != (b.y > place.y)) {
            double part = ((double)place.y - a.y) / ((double)b.y - a.y);
            inside ^= (double)place.x < a.x + part * ((double)b.x - a.x);
        }
    }
    return inside;
}

/// What one stroke covers: a rectangle, all but it, or a polygon.
typedef struct stroke {
    const throng_rect *rect;
    const thg_points *polygon; ///< NULL: the rectangle
    bool outside;
} stroke;

/// On a planet a polygon may reach beyond 180 degrees.
static bool polygon_covers(const throng_world *world, const thg_points *corners, throng_vec2 place)
{
    float turn = world->planet != NULL ? 360.0f : 0.0f;
    return in_polygon(corners, place) ||
           (turn > 0.0f && (in_polygon(corners, (throng_vec2){place.x + turn, place.y}) ||
                            in_polygon(corners, (throng_vec2){place.x - turn, place.y})));
}

static bool covers(const throng_world *world, const thg_shape *shape, const stroke *stroke, int x,
                   int y)
{
    throng_vec2 place = thg_world_unturned(world, throng_map_cell_center(world->map, x, y));
    bool inside = stroke->polygon != NULL ? polygon_covers(world, stroke->polygon, place)
                                          : thg_world_rect_has_cell(world, stroke->rect, x, y);
    return inside != stroke->outside && !in_any(&shape->gaps, place);
}

/// Paints cells row by row, in runs of what the stroke covers.
static void paint_runs(throng_world *world, const thg_shape *shape, const stroke *stroke,
                       throng_cell_rect cells)
{
    int kind = world->terrain_kind[shape->terrain];
    for (int y = cells.y; y < cells.y + cells.height; y++) {
        int start = cells.x;
        for (int x = cells.x; x <= cells.x + cells.width; x++) {
            if (x == cells.x + cells.width || !covers(world, shape, stroke, x, y)) {
                throng_map_edit_rect(world->map, (throng_cell_rect){start, y, x - start, 1}, kind);
                start = x + 1;
            }
        }
    }
}

static void paint_rect(throng_world *world, const thg_shape *shape, const throng_rect *rect)
{
    throng_cell_rect cells = thg_world_cells(world, *rect);
    if (shape->gaps.count == 0 && world->arrangement.turn_deg == 0.0f && world->planet == NULL) {
        throng_map_edit_rect(world->map, cells, world->terrain_kind[shape->terrain]);
    } else {
        paint_runs(world, shape, &(stroke){.rect = rect}, cells);
    }
}

static void paint_polygons(throng_world *world, const thg_shape *shape)
{
    for (int i = 0; i < shape->polygon_count; i++) {
        const thg_points *corners = &shape->polygons[i];
        throng_rect around = {corners->items[0], corners->items[0]};
        for (int k = 1; k < corners->count; k++) {
            around.min.x = fminf(around.min.x, corners->items[k].x);
            around.min.y = fminf(around.min.y, corners->items[k].y);
            around.max.x = fmaxf(around.max.x, corners->items[k].x);
            around.max.y = fmaxf(around.max.y, corners->items[k].y);
        }
        paint_runs(world, shape, &(stroke){.polygon = corners}, thg_world_cells(world, around));
    }
}

static void paint_outside(throng_world *world, const thg_shape *shape)
{
    int width = throng_map_width(world->map), height = throng_map_height(world->map);
    paint_runs(world, shape, &(stroke){.rect = &shape->outside, .outside = true},
               (throng_cell_rect){0, 0, width, height});
}

static bool touch(throng_rect a, throng_rect b, float apart)
{
    return a.min.x < b.max.x + apart && b.min.x < a.max.x + apart && a.min.y < b.max.y + apart &&
           b.min.y < a.max.y + apart;
}

/// One box at a random place that keeps clear of what it should. False when none was found.
static bool draw_box(const thg_boxes *boxes, const throng_rect *area, uint64_t *state,
                     throng_rect *done, int done_count)
{
    for (int tries = 0; tries < 1000; tries++) {
        float span = boxes->side.y - boxes->side.x;
        float width = boxes->side.x + span * thg_draw_share(state);
        float height = boxes->side.x + span * thg_draw_share(state);
        float x = area->min.x + (area->max.x - area->min.x - width) * thg_draw_share(state);
        float y = area->min.y + (area->max.y - area->min.y - height) * thg_draw_share(state);
        throng_rect box = {{x, y}, {x + width, y + height}};
        bool good = x >= area->min.x && y >= area->min.y;
        for (int i = 0; i < boxes->free.count && good; i++) {
            good = !touch(box, boxes->free.items[i], 0.0f);
        }
        for (int i = 0; i < done_count && boxes->apart >= 0.0f && good; i++) {
            good = !touch(box, done[i], boxes->apart);
        }
        if (good) {
            done[done_count] = box;
            return true;
        }
    }
    return false;
}

static throng_result paint_boxes(throng_world *world, const thg_shape *shape, int index,
                                 throng_error *error)
{
    const thg_boxes *boxes = &shape->boxes;
    throng_vec2 origin = throng_map_origin(world->map);
    float cell = throng_map_cell_size(world->map);
    throng_rect whole = {origin,
                         {origin.x + (float)throng_map_width(world->map) * cell,
                          origin.y + (float)throng_map_height(world->map) * cell}};
    const throng_rect *area = boxes->has_area ? &boxes->area : &whole;
    throng_rect *done = malloc((size_t)boxes->count * sizeof *done);
    char path[64];
    snprintf(path, sizeof path, "\x1fmap\x1fshapes\x1f#%d\x1f%s", index, "boxes");
    if (done == NULL) {
        return thg_scene_fail(world->scene, world->options.control, path, THRONG_NO_MEMORY, error,
                              "no memory for the boxes");
    }
    uint64_t state = boxes->seed;
    throng_result result = THRONG_OK;
    for (int i = 0; i < boxes->count && result == THRONG_OK; i++) {
        if (draw_box(boxes, area, &state, done, i)) {
            paint_rect(world, shape, &done[i]);
        } else {
            result =
                thg_scene_fail(world->scene, world->options.control, path, THRONG_BAD_DATA, error,
                               "expected room for %d boxes, found it for %d", boxes->count, i);
        }
    }
    free(done);
    return result;
}

/// All rows in one text; a wrong character comes back as the place in its row.
static throng_result map_from_rows(throng_world *world, const throng_map_def *def,
                                   throng_error *error)
{
    const thg_texts *rows = &world->model->map.rows;
    size_t size = 0;
    for (int i = 0; i < rows->count; i++) {
        size += strlen(rows->items[i]) + 1;
    }
    char *text = malloc(size + 1), *end = text;
    if (text == NULL) {
        return thg_scene_fail(world->scene, world->options.control, "\x1fmap\x1frows",
                              THRONG_NO_MEMORY, error, "no memory for the map");
    }
    for (int i = 0; i < rows->count; i++) {
        size_t length = strlen(rows->items[i]);
        memcpy(end, rows->items[i], length);
        end[length] = '\n';
        end += length + 1;
    }
    throng_error found = {0};
    throng_result result = throng_map_from_text(text, size, def, &world->map, &found);
    free(text);
    if (result != THRONG_OK) {
        char path[64];
        snprintf(path, sizeof path, "\x1fmap\x1frows\x1f#%d", found.line > 0 ? found.line - 1 : 0);
        return thg_scene_fail(world->scene, world->options.control, path, result, error,
                              "column %d: %.250s", found.column, found.text);
    }
    return THRONG_OK;
}

static throng_result map_from_file(throng_world *world, const throng_map_def *def,
                                   throng_error *error)
{
    char *file = thg_path_relative(world->scene->documents[0].path, world->model->map.file);
    throng_result result = THRONG_NO_MEMORY;
    throng_error found = {0};
    if (file != NULL) {
        result = throng_map_load(file, def, &world->map, &found);
    }
    free(file);
    if (result != THRONG_OK && error != NULL) {
        if (found.line > 0) {
            *error = found; // the place in the map says more than the place in the scene
            return result;
        }
        char name[256];
        snprintf(name, sizeof name, "%.250s", found.file);
        thg_scene_fail(world->scene, world->options.control,
                       "\x1fmap\x1f"
                       "file",
                       result, error, "%.120s %.190s", name,
                       found.text[0] != '\0' ? found.text : "no memory");
    }
    return result;
}

static throng_result map_of_size(throng_world *world, throng_map_def *def, throng_error *error)
{
    const thg_map_model *model = &world->model->map;
    def->width = (int)(model->size.x / model->cell + 0.5f);
    def->height = (int)(model->size.y / model->cell + 0.5f);
    throng_result result = throng_map_create(def, &world->map);
    return result == THRONG_OK
               ? THRONG_OK
               : thg_scene_fail(world->scene, world->options.control, "\x1fmap\x1fsize", result,
                                error, "the map could not be made: %s", throng_result_name(result));
}

/// Gives every terrain of the scene's list its kind in the map.
static throng_result name_terrains(throng_world *world, throng_error *error)
{
    for (int i = 0; i < world->model->terrain_count; i++) {
        throng_result result =
            throng_map_terrain(world->map, world->model->terrains[i], &world->terrain_kind[i]);
        if (result != THRONG_OK) {
            return thg_scene_fail(world->scene, world->options.control, "\x1fterrains", result,
                                  error, "expected at most %d terrains with those of the map file",
                                  THRONG_MAX_TERRAINS);
        }
    }
    return THRONG_OK;
}

static throng_result add_classes(throng_world *world, throng_error *error)
{
    for (int i = 0; i < world->model->class_count; i++) {
        const thg_class_model *class_model = &world->model->classes[i];
        throng_class_def def = class_model->def;
        for (int k = 0; k < world->model->terrain_count; k++) {
            if ((class_model->cost_set >> k & 1) != 0) {
                def.cost[world->terrain_kind[k]] = class_model->cost[k];
            }
        }
        int index;
        throng_result result = throng_map_add_class(world->map, &def, &index);
        if (result != THRONG_OK) {
            char path[96];
            snprintf(path, sizeof path, "\x1f%s\x1f%s", "classes", class_model->name);
            return thg_scene_fail(world->scene, world->options.control, path, result, error,
                                  "the class could not be made: %s", throng_result_name(result));
        }
    }
    return THRONG_OK;
}

throng_result thg_world_make_map(throng_world *world, throng_error *error)
{
    const thg_map_model *model = &world->model->map;
    throng_map_def def = throng_default_map_def();
    def.cell_size = model->cell;
    def.origin = model->origin;
    throng_result result = model->is_planet        ? thg_world_make_planet(world, error)
                           : model->file != NULL   ? map_from_file(world, &def, error)
                           : model->rows.count > 0 ? map_from_rows(world, &def, error)
                                                   : map_of_size(world, &def, error);
    if (result == THRONG_OK) {
        result = name_terrains(world, error);
    }
    for (int i = 0; i < model->shape_count && result == THRONG_OK; i++) {
        const thg_shape *shape = &model->shapes[i];
        for (int k = 0; k < shape->rects.count; k++) {
            paint_rect(world, shape, &shape->rects.items[k]);
        }
        if (shape->kind == THG_SHAPE_POLYGONS) {
            paint_polygons(world, shape);
        } else if (shape->kind == THG_SHAPE_OUTSIDE) {
            paint_outside(world, shape);
        } else if (shape->kind == THG_SHAPE_BOXES) {
            result = paint_boxes(world, shape, i, error);
        }
    }
    if (result == THRONG_OK && thg_world_mirror_map(world) != THRONG_OK) {
        result = thg_scene_fail(world->scene, world->options.control,
                                "\x1f"
                                "arrangements",
                                THRONG_NO_MEMORY, error, "no memory for the map");
    }
    return result == THRONG_OK ? add_classes(world, error) : result;
}
