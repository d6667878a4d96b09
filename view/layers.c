/// Layers that are drawn as lines over the ground: arrows, bins, places, goals, gates, routes.
#include "view.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[VIEW_LAYER_COUNT] = {
    "cost",     "heat",  "arrows", "clearance",  "regions", "density", "bins",
    "contacts", "slots", "goals",  "status",     "gates",   "route",   "portals",
    "corridor", "rooms", "door",   "neighbours", "motives"};

const char *view_layer_name(view_layer layer)
{
    return names[layer];
}

const char *view_layer_names(void)
{
    return "cost, heat, arrows, clearance, regions, density, bins, contacts, slots, goals, status, "
           "gates, route, portals, corridor, rooms, door, neighbours, motives";
}

throng_result view_read_layers(const char *list, uint32_t *layers, throng_error *error)
{
    *layers = 0;
    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, ",");
        int layer = 0;
        while (layer < VIEW_LAYER_COUNT &&
               (strlen(names[layer]) != length || strncmp(list, names[layer], length) != 0)) {
            layer++;
        }
        if (layer == VIEW_LAYER_COUNT) {
            return view_fail(error, "there is no layer '%.*s'; there are %s", (int)length, list,
                             view_layer_names());
        }
        *layers |= 1u << layer;
        list += length + (list[length] == ',');
    }
    return THRONG_OK;
}

void view_line(view_lines *lines, throng_vec2 from, throng_vec2 to, float height, float width,
               throng_colour colour)
{
    if (lines->count == lines->capacity) {
        int capacity = lines->capacity > 0 ? 2 * lines->capacity : 256;
        throng_drawn_line *more = realloc(lines->lines, (size_t)capacity * sizeof *more);
        if (more == NULL) {
            lines->lost = true;
            return;
        }
        lines->lines = more;
        lines->capacity = capacity;
    }
    lines->lines[lines->count++] =
        (throng_drawn_line){{from.x, from.y, height},
                            {to.x, to.y, height},
                            width,
                            (uint32_t)colour.r | (uint32_t)colour.g << 8 |
                                (uint32_t)colour.b << 16 | (uint32_t)colour.a << 24};
}

void view_ring(view_lines *lines, throng_vec2 middle, float radius, float height, float width,
               throng_colour colour)
{
    throng_vec2 last = {middle.x + radius, middle.y};
    for (int i = 1; i <= 20; i++) {
        float angle = 6.2831853f * (float)i / 20.0f;
        throng_vec2 next = {middle.x + radius * cosf(angle), middle.y + radius * sinf(angle)};
        view_line(lines, last, next, height, width, colour);
        last = next;
    }
}

/// An arrow in the middle of every so many cells, at most about four thousand in all.
static void draw_arrows(const view_stage *stage, view_lines *lines)
{
    int width = throng_map_width(stage->map), height = throng_map_height(stage->map);
    throng_goal_id goal = view_shown_goal(stage);
    float cell = throng_map_cell_size(stage->map);
    int every = (int)ceilf(sqrtf((float)width * (float)height / 4000.0f));
    every = every > 1 ? every : 1;
    float length = 0.38f * cell * (float)every;
    const throng_colour ink = {30, 34, 44, 230};
    for (int y = every / 2; y < height; y += every) {
        for (int x = every / 2; x < width; x += every) {
            throng_vec2 at = throng_map_cell_center(stage->map, x, y);
            if (!throng_map_fits(stage->map, 0, x, y)) {
                continue;
            }
            throng_vec2 way = throng_crowd_way(stage->crowd, goal, 0, at).direction;
            if (way.x == 0.0f && way.y == 0.0f) {
                continue;
            }
            float dx = way.x * length, dy = way.y * length;
            throng_vec2 tip = {at.x + dx, at.y + dy}, tail = {at.x - dx, at.y - dy};
            throng_vec2 left = {tip.x - 0.6f * dx + 0.4f * dy, tip.y - 0.6f * dy - 0.4f * dx};
            throng_vec2 right = {tip.x - 0.6f * dx - 0.4f * dy, tip.y - 0.6f * dy + 0.4f * dx};
            view_line(lines, tail, tip, 0.06f, length * 0.14f, ink);
            view_line(lines, tip, left, 0.06f, length * 0.14f, ink);
            view_line(lines, tip, right, 0.06f, length * 0.14f, ink);
        }
    }
}

/// Squares in which neighbours are looked for: as large as the widest pair that can touch.
static void draw_bins(const view_stage *stage, view_lines *lines)
{
    float widest = 0.1f, cell = throng_map_cell_size(stage->map);
    for (int i = 0; i < throng_crowd_profile_count(stage->crowd); i++) {
        widest = fmaxf(widest, throng_crowd_profile(stage->crowd, i).radius);
    }
    float side = fmaxf(2.0f * widest, cell);
    throng_vec2 from = throng_map_origin(stage->map);
    throng_vec2 to = {from.x + cell * (float)throng_map_width(stage->map),
                      from.y + cell * (float)throng_map_height(stage->map)};
    side *= fmaxf(1.0f, ceilf((to.x - from.x + to.y - from.y) / side / 2000.0f));
    const throng_colour ink = {70, 76, 92, 150};
    for (float x = from.x; x <= to.x; x += side) {
        view_line(lines, (throng_vec2){x, from.y}, (throng_vec2){x, to.y}, 0.04f, 0.03f, ink);
    }
    for (float y = from.y; y <= to.y; y += side) {
        view_line(lines, (throng_vec2){from.x, y}, (throng_vec2){to.x, y}, 0.04f, 0.03f, ink);
    }
}

static void draw_goals(const view_stage *stage, view_lines *lines)
{
    const throng_colour ink = {28, 140, 72, 255};
    for (int i = 0; i < stage->put_count; i++) {
        view_ring(lines, stage->put[i].point, 1.0f, 0.08f, 0.2f, ink);
        view_ring(lines, stage->put[i].point, 0.4f, 0.08f, 0.2f, ink);
    }
    for (int i = 0; i < throng_world_goal_count(stage->world); i++) {
        throng_goal_shape shape;
        throng_world_goal_at(stage->world, i, &shape, NULL);
        for (int p = 0; p < shape.point_count; p++) {
            view_ring(lines, shape.points[p], 0.8f, 0.08f, 0.15f, ink);
            view_ring(lines, shape.points[p], 0.3f, 0.08f, 0.15f, ink);
        }
        for (int r = 0; r < shape.rect_count; r++) {
            throng_rect box = shape.rects[r];
            throng_vec2 corners[5] = {
                box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}, box.min};
            for (int c = 0; c < 4; c++) {
                view_line(lines, corners[c], corners[c + 1], 0.08f, 0.2f, ink);
            }
        }
    }
}

static void draw_slots(const view_stage *stage, view_lines *lines)
{
    static const throng_colour inks[4] = {
        {250, 250, 250, 255}, {244, 196, 48, 255}, {64, 168, 96, 255}, {200, 60, 50, 255}};
    for (int i = 0; i < throng_world_goal_count(stage->world); i++) {
        int count = 0;
        throng_goal_id goal = throng_world_goal_at(stage->world, i, NULL, NULL);
        const throng_slot *slots = throng_crowd_slots(stage->crowd, goal, &count);
        for (int s = 0; s < count; s++) {
            view_ring(lines, slots[s].position, 0.42f, 0.06f, 0.08f, inks[slots[s].state]);
        }
    }
}

static void draw_gates(const view_stage *stage, view_lines *lines)
{
    static const throng_colour inks[3] = {
        {150, 156, 170, 255}, {60, 130, 220, 255}, {222, 70, 60, 255}};
    int count = throng_crowd_gates(stage->crowd, NULL, 0);
    throng_gate *gates = calloc(count > 0 ? (size_t)count : 1, sizeof *gates);
    for (int i = 0; gates != NULL && i < throng_crowd_gates(stage->crowd, gates, count); i++) {
        view_line(lines, gates[i].from, gates[i].to, 0.12f, 0.25f, inks[gates[i].mode]);
        for (int m = 0; m < gates[i].mouth_count; m++) {
            bool mine = gates[i].owner == m;
            view_ring(lines, gates[i].mouths[m], 0.5f, 0.08f, 0.1f,
                      mine ? (throng_colour){64, 168, 96, 255} : inks[gates[i].mode]);
        }
    }
    free(gates);
}

void view_draw_lines(const view_stage *stage, uint32_t layers, int pick, view_lines *lines)
{
    lines->count = 0;
    if ((layers >> VIEW_ARROWS & 1u) != 0) {
        draw_arrows(stage, lines);
    }
    if ((layers >> VIEW_BINS & 1u) != 0) {
        draw_bins(stage, lines);
    }
    if ((layers >> VIEW_GOALS & 1u) != 0) {
        draw_goals(stage, lines);
    }
    if ((layers >> VIEW_SLOTS & 1u) != 0) {
        draw_slots(stage, lines);
    }
    if ((layers >> VIEW_GATES & 1u) != 0) {
        draw_gates(stage, lines);
    }
    view_draw_mind(stage, layers, pick, lines);
    view_draw_ways(stage, layers, pick, lines);
}
