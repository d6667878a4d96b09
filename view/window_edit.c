/// Hands on: walls and terrain by the brush, with undo; goals put and dragged; agents put and taken
/// away; profiles turned while it runs; all of it saved as a scene.
#include "window.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STROKES 64

// ---- What is under the mouse --------------------------------------------------------------------

bool view_place_at(const view_app *app, float x, float y, throng_vec2 *place)
{
    throng_camera camera = view_eye_camera(&app->eye);
    return throng_camera_ground(&camera, (float)app->width / (float)app->height, x, y, place);
}

void view_edit_apply(view_app *app)
{
    throng_crowd_step(app->stage.crowd, 0.0f);
    if (!view_stage_look(&app->stage)) {
        view_say(app, "no memory for the agents");
    }
    app->edit.unsaved = true;
    app->fresh = true;
}

// ---- Terrain ------------------------------------------------------------------------------------

/// Begins a stroke; the oldest is forgotten when there are too many.
static view_stroke *begin_stroke(view_edit *edit)
{
    if (edit->stroke_count == MOST_STROKES) {
        free(edit->strokes[0].cells);
        memmove(edit->strokes, edit->strokes + 1, (MOST_STROKES - 1) * sizeof *edit->strokes);
        edit->stroke_count--;
    }
    if (edit->strokes == NULL) {
        edit->strokes = calloc(MOST_STROKES, sizeof *edit->strokes);
    }
    if (edit->strokes == NULL) {
        return NULL;
    }
    view_stroke *stroke = &edit->strokes[edit->stroke_count++];
    memset(stroke, 0, sizeof *stroke);
    return stroke;
}

static bool remember(view_stroke *stroke, int cell, int kind)
{
    if (stroke->count == stroke->capacity) {
        int capacity = stroke->capacity > 0 ? 2 * stroke->capacity : 256;
        view_stroked *more = realloc(stroke->cells, (size_t)capacity * sizeof *more);
        if (more == NULL) {
            return false;
        }
        stroke->cells = more;
        stroke->capacity = capacity;
    }
    stroke->cells[stroke->count++] = (view_stroked){cell, kind};
    return true;
}

static void paint_cell(view_app *app, int x, int y)
{
    throng_map *map = app->stage.map;
    view_edit *edit = &app->edit;
    if (x < 0 || y < 0 || x >= throng_map_width(map) || y >= throng_map_height(map)) {
        return;
    }
    int old = throng_map_terrain_at(map, x, y);
    if (old != edit->terrain && edit->stroke_count > 0 &&
        remember(&edit->strokes[edit->stroke_count - 1], y * throng_map_width(map) + x, old)) {
        throng_crowd_edit_rect(app->stage.crowd, (throng_cell_rect){x, y, 1, 1}, edit->terrain);
    }
}

/// A disc, and the cell under its middle however small it is.
static void paint_disc(view_app *app, throng_vec2 at)
{
    const throng_map *map = app->stage.map;
    throng_vec2 origin = throng_map_origin(map);
    float cell = throng_map_cell_size(map), radius = app->edit.brush;
    int reach = (int)(radius / cell) + 1;
    int x = (int)floorf((at.x - origin.x) / cell), y = (int)floorf((at.y - origin.y) / cell);
    for (int j = -reach; j <= reach; j++) {
        for (int i = -reach; i <= reach; i++) {
            float dx = origin.x + ((float)(x + i) + 0.5f) * cell - at.x;
            float dy = origin.y + ((float)(y + j) + 0.5f) * cell - at.y;
            if ((i == 0 && j == 0) || dx * dx + dy * dy < radius * radius) {
                paint_cell(app, x + i, y + j);
            }
        }
    }
}

static void paint_to(view_app *app, throng_vec2 to)
{
    throng_vec2 from = app->edit.last;
    float dx = to.x - from.x, dy = to.y - from.y, length = sqrtf(dx * dx + dy * dy);
    float step = fmaxf(app->edit.brush * 0.5f, 0.5f * throng_map_cell_size(app->stage.map));
    int count = (int)fminf(length / step, 2000.0f) + 1;
    for (int i = 1; i <= count; i++) {
        float share = (float)i / (float)count;
        paint_disc(app, (throng_vec2){from.x + dx * share, from.y + dy * share});
    }
    view_edit_apply(app);
}

void view_edit_undo(view_app *app)
{
    view_edit *edit = &app->edit;
    int width = throng_map_width(app->stage.map);
    if (edit->stroke_count == 0) {
        view_say(app, "nothing to take back");
        return;
    }
    view_stroke *stroke = &edit->strokes[--edit->stroke_count];
    for (int i = stroke->count; i-- > 0;) {
        int cell = stroke->cells[i].cell;
        throng_crowd_edit_rect(app->stage.crowd,
                               (throng_cell_rect){cell % width, cell / width, 1, 1},
                               stroke->cells[i].kind);
    }
    view_say(app, "%d cells taken back", stroke->count);
    free(stroke->cells);
    view_edit_apply(app);
}

// ---- Goals --------------------------------------------------------------------------------------

/// Everybody goes there, or the picked one alone.
static void send(view_app *app, throng_goal_id goal)
{
    throng_agents_view agents = throng_crowd_agents(app->stage.crowd);
    int picked = view_picked_row(app), sent = 0;
    for (int i = 0; i < agents.count; i++) {
        if (picked < 0 || picked == i) {
            sent += throng_crowd_order(app->stage.crowd, agents.id[i], goal) == THRONG_OK;
        }
    }
    view_say(app, "%d sent there", sent);
}

static void put_goal(view_app *app, throng_vec2 at)
{
    view_edit *edit = &app->edit;
    edit->dragged = -1;
    for (int i = 0; i < app->stage.put_count; i++) {
        float dx = app->stage.put[i].point.x - at.x, dy = app->stage.put[i].point.y - at.y;
        if (dx * dx + dy * dy < fmaxf(4.0f, edit->brush * edit->brush)) {
            edit->dragged = i;
            return;
        }
    }
    if (app->stage.put_count == VIEW_MAX_GOALS) {
        view_say(app, "at most %d goals can be put", VIEW_MAX_GOALS);
        return;
    }
    throng_saved_goal *made = &app->stage.put[app->stage.put_count];
    throng_goal_def def = throng_default_goal_def();
    def.shape.points = &at;
    def.shape.point_count = 1;
    def.arrive_radius = 1.0f;
    *made = (throng_saved_goal){.point = at, .arrive_radius = def.arrive_radius};
    for (int n = app->stage.put_count + 1;; n++) {
        snprintf(made->name, sizeof made->name, "put_%d", n);
        if (throng_world_goal(app->stage.world, made->name).generation == 0) {
            break;
        }
    }
    if (throng_crowd_add_goal(app->stage.crowd, &def, &made->id) != THRONG_OK) {
        view_say(app, "no goal there");
        return;
    }
    edit->dragged = app->stage.put_count++;
    app->layers |= 1u << VIEW_GOALS;
    send(app, made->id);
    view_edit_apply(app);
}

static void drag_goal(view_app *app, throng_vec2 to)
{
    view_edit *edit = &app->edit;
    if (edit->dragged >= 0 &&
        throng_crowd_move_goal(app->stage.crowd, app->stage.put[edit->dragged].id, to) ==
            THRONG_OK) {
        app->stage.put[edit->dragged].point = to;
        view_edit_apply(app);
    }
}

// ---- Agents -------------------------------------------------------------------------------------

static float draw_share(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 16777216.0f;
}

/// Where nobody stands, about as many as there is room for.
static void spawn(view_app *app, throng_vec2 at)
{
    view_edit *edit = &app->edit;
    throng_spawn_def def = {.profile = edit->profile};
    def.goal = app->stage.put_count > 0 ? app->stage.put[app->stage.put_count - 1].id
                                        : throng_world_goal_at(app->stage.world, 0, NULL, NULL);
    float radius = throng_crowd_profile(app->stage.crowd, edit->profile).radius;
    int wanted = (int)(edit->brush * edit->brush / (radius * radius) * 0.4f) + 1;
    for (int i = 0; i < wanted; i++) {
        float angle = draw_share(&edit->seed) * 6.2831853f;
        float away = edit->brush * sqrtf(draw_share(&edit->seed));
        def.position = (throng_vec2){at.x + away * cosf(angle), at.y + away * sinf(angle)};
        throng_agents_view agents = throng_crowd_agents(app->stage.crowd);
        int x, y, class_index = throng_crowd_profile(app->stage.crowd, edit->profile).class_index;
        bool free = throng_map_cell_at(app->stage.map, def.position, &x, &y) &&
                    throng_map_fits(app->stage.map, class_index, x, y);
        for (int a = 0; a < agents.count && free; a++) {
            float dx = agents.x[a] - def.position.x, dy = agents.y[a] - def.position.y;
            float apart = agents.radius[a] + radius;
            free = dx * dx + dy * dy >= apart * apart;
        }
        throng_agent_id id;
        if (free && throng_crowd_spawn(app->stage.crowd, &def, &id) == THRONG_LIMIT) {
            view_say(app, "no room for more agents");
            break;
        }
        throng_crowd_step(app->stage.crowd, 0.0f); // so that the next one sees it
    }
    view_edit_apply(app);
}

static void take_away(view_app *app, throng_vec2 at)
{
    throng_agents_view agents = throng_crowd_agents(app->stage.crowd);
    for (int i = 0; i < agents.count; i++) {
        float dx = agents.x[i] - at.x, dy = agents.y[i] - at.y;
        if (dx * dx + dy * dy < app->edit.brush * app->edit.brush) {
            throng_crowd_remove(app->stage.crowd, agents.id[i]);
        }
    }
    view_edit_apply(app);
}

// ---- The mouse ----------------------------------------------------------------------------------

bool view_edit_press(view_app *app, float x, float y)
{
    view_edit *edit = &app->edit;
    throng_vec2 at;
    if (edit->tool == VIEW_NO_TOOL) {
        return false;
    }
    edit->down = view_place_at(app, x, y, &at);
    if (!edit->down) {
        return true;
    }
    edit->last = at;
    switch (edit->tool) {
    case VIEW_PAINT:
        edit->down = begin_stroke(edit) != NULL;
        paint_to(app, at);
        break;
    case VIEW_PUT_GOAL:
        put_goal(app, at);
        break;
    case VIEW_SPAWN:
        spawn(app, at);
        break;
    default:
        take_away(app, at);
        break;
    }
    return true;
}

bool view_edit_drag(view_app *app, float x, float y)
{
    view_edit *edit = &app->edit;
    throng_vec2 at;
    if (edit->tool == VIEW_NO_TOOL || !edit->down || !view_place_at(app, x, y, &at)) {
        return edit->tool != VIEW_NO_TOOL;
    }
    float dx = at.x - edit->last.x, dy = at.y - edit->last.y;
    if (edit->tool == VIEW_PAINT) {
        paint_to(app, at);
    } else if (edit->tool == VIEW_PUT_GOAL) {
        drag_goal(app, at);
    } else if (edit->tool == VIEW_REMOVE) {
        take_away(app, at);
    } else if (dx * dx + dy * dy < edit->brush * edit->brush) {
        return true; // the next handful a brush farther on
    } else {
        spawn(app, at);
    }
    edit->last = at;
    return true;
}

void view_edit_release(view_app *app)
{
    view_edit *edit = &app->edit;
    if (edit->tool == VIEW_PAINT && edit->down && edit->stroke_count > 0) {
        view_say(app, "%d cells painted", edit->strokes[edit->stroke_count - 1].count);
    }
    edit->down = false;
    edit->dragged = -1;
}

// ---- Saving -------------------------------------------------------------------------------------

void view_edit_save(view_app *app)
{
    throng_error error = {0};
    if (throng_world_save(app->stage.world, app->stage.put, app->stage.put_count, NULL,
                          app->edit.file, &error) == THRONG_OK) {
        app->edit.unsaved = false;
        view_say(app, "%s written", app->edit.file);
    } else {
        view_say(app, "%.150s", error.text);
    }
}

void view_edit_clear(view_edit *edit)
{
    for (int i = 0; i < edit->stroke_count; i++) {
        free(edit->strokes[i].cells);
    }
    free(edit->strokes);
    edit->strokes = NULL;
    edit->stroke_count = 0;
    edit->dragged = -1;
    edit->down = false;
}
