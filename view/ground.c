/// The ground's colours: terrain, and on it the layers that are painted cell by cell. All of them
/// come from the arrays that the solver itself reads.
#include "view.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t pack(throng_colour colour)
{
    return (uint32_t)colour.r | (uint32_t)colour.g << 8 | (uint32_t)colour.b << 16;
}

void view_mix(uint32_t *cell, throng_colour colour, float share)
{
    uint32_t out = 0;
    const uint8_t parts[3] = {colour.r, colour.g, colour.b};
    for (int i = 0; i < 3; i++) {
        float old = (float)(*cell >> (8 * i) & 255u);
        out |= (uint32_t)(old + ((float)parts[i] - old) * share + 0.5f) << (8 * i);
    }
    *cell = out;
}

static throng_colour terrain_colour(int kind)
{
    switch (kind) {
    case THRONG_WALL:
        return (throng_colour){196, 190, 184, 255};
    case THRONG_GROUND:
        return (throng_colour){222, 216, 204, 255};
    case THRONG_TREES:
        return (throng_colour){128, 158, 104, 255};
    case THRONG_SWAMP:
        return (throng_colour){168, 166, 122, 255};
    case THRONG_WATER:
        return (throng_colour){120, 168, 200, 255};
    default: {
        throng_colour own = throng_colour_of_index(kind);
        return (throng_colour){(uint8_t)(own.r / 2 + 100), (uint8_t)(own.g / 2 + 95),
                               (uint8_t)(own.b / 2 + 90), 255};
    }
    }
}

throng_ground view_ground(const throng_map *map, uint32_t *colours, uint8_t *walls)
{
    int width = throng_map_width(map), height = throng_map_height(map);
    float cell = throng_map_cell_size(map);
    float extent = cell * (float)(width > height ? width : height);
    const uint8_t *terrain = throng_map_terrains(map);
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++) {
        walls[i] = terrain[i] == THRONG_WALL;
    }
    return (throng_ground){.width = width,
                           .height = height,
                           .cell_size = cell,
                           .origin = throng_map_origin(map),
                           .colours = colours,
                           .walls = walls,
                           .wall_height = fminf(fmaxf(extent / 70.0f, 1.6f), 12.0f)};
}

/// Costs to the first goal as twenty-four bands. They are what agents of class 0 are told, by
/// whichever method the goal is reached: where no one asks, a method may know nothing.
static void paint_heat(const view_stage *stage, uint32_t *colours)
{
    int width = throng_map_width(stage->map), height = throng_map_height(stage->map);
    throng_goal_id goal = view_shown_goal(stage);
    float *costs = calloc((size_t)width * (size_t)height, sizeof *costs), most = 0.0f;
    for (int y = 0; costs != NULL && y < height; y++) {
        for (int x = 0; x < width; x++) {
            float *cost = &costs[(size_t)y * (size_t)width + (size_t)x];
            *cost = -1.0f;
            if (throng_map_fits(stage->map, 0, x, y)) {
                throng_vec2 at = throng_map_cell_center(stage->map, x, y);
                throng_sample way = throng_crowd_way(stage->crowd, goal, 0, at);
                *cost = way.reached && way.cost < 1e9f ? way.cost : -1.0f;
                most = fmaxf(most, *cost);
            }
        }
    }
    for (size_t i = 0; costs != NULL && i < (size_t)width * (size_t)height; i++) {
        if (costs[i] >= 0.0f && most > 0.0f) {
            int band = (int)(costs[i] / most * 24.0f);
            view_mix(&colours[i], throng_colour_ramp(1.0f - (float)band / 24.0f),
                     (band & 1) != 0 ? 0.74f : 0.62f);
        }
    }
    free(costs);
}

typedef float cell_value(const view_stage *stage, int x, int y);

/// Paints a ramp by a value of each cell in [0, 1]; below 0 it stays as it is.
static void paint_ramp(const view_stage *stage, cell_value *value, float share, uint32_t *colours)
{
    int width = throng_map_width(stage->map), height = throng_map_height(stage->map);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            float at = value(stage, x, y);
            if (at >= 0.0f) {
                view_mix(&colours[(size_t)y * (size_t)width + (size_t)x], throng_colour_ramp(at),
                         share);
            }
        }
    }
}

/// The class's price of the terrain and of the walls beside it: 1 is dark, 8 and more is light.
static float cost_value(const view_stage *stage, int x, int y)
{
    throng_class_def def = throng_map_class(stage->map, 0);
    float cost = def.cost[throng_map_terrain_at(stage->map, x, y)];
    if (!(cost > 0.0f)) {
        return -1.0f;
    }
    if (def.wall_surcharge > 0.0f && def.wall_distance > 0.0f) {
        float free = throng_map_clearance(stage->map, 0, x, y) - def.radius;
        float near = fmaxf(0.0f, 1.0f - fmaxf(free, 0.0f) / def.wall_distance);
        cost *= 1.0f + def.wall_surcharge * near * near;
    }
    return fminf(fmaxf(log2f(cost) / 3.0f, 0.0f), 1.0f);
}

/// Metres to the nearest wall, up to eight class radii.
static float clearance_value(const view_stage *stage, int x, int y)
{
    float free = throng_map_clearance(stage->map, 0, x, y);
    float full = 8.0f * fmaxf(throng_map_class(stage->map, 0).radius, 0.3f);
    return throng_map_blocked(stage->map, 0, x, y) ? -1.0f : fminf(free / full, 1.0f);
}

static void paint_regions(const view_stage *stage, uint32_t *colours)
{
    int width = throng_map_width(stage->map), height = throng_map_height(stage->map);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int region = throng_map_region(stage->map, 0, x, y);
            if (region > 0) {
                view_mix(&colours[(size_t)y * (size_t)width + (size_t)x],
                         throng_colour_of_index(region - 1), 0.6f);
            }
        }
    }
}

/// Agents a square metre, counted in squares of about two metres. NULL without memory.
static float *count_density(const view_stage *stage, int *columns, int *rows, float *side)
{
    float cell = throng_map_cell_size(stage->map);
    *side = fmaxf(2.0f, cell);
    *columns = (int)(cell * (float)throng_map_width(stage->map) / *side) + 1;
    *rows = (int)(cell * (float)throng_map_height(stage->map) / *side) + 1;
    float *counts = calloc((size_t)*columns * (size_t)*rows, sizeof *counts);
    throng_vec2 origin = throng_map_origin(stage->map);
    for (int i = 0; counts != NULL && i < stage->agent_count; i++) {
        int x = (int)((stage->agents[i].x - origin.x) / *side);
        int y = (int)((stage->agents[i].y - origin.y) / *side);
        if (x >= 0 && y >= 0 && x < *columns && y < *rows) {
            counts[(size_t)y * (size_t)*columns + (size_t)x] += 1.0f / (*side * *side);
        }
    }
    return counts;
}

static void paint_density(const view_stage *stage, uint32_t *colours)
{
    int columns, rows, width = throng_map_width(stage->map), height = throng_map_height(stage->map);
    float side, cell = throng_map_cell_size(stage->map);
    float *counts = count_density(stage, &columns, &rows, &side);
    for (int y = 0; counts != NULL && y < height; y++) {
        for (int x = 0; x < width; x++) {
            int column = (int)(((float)x + 0.5f) * cell / side);
            int row = (int)(((float)y + 0.5f) * cell / side);
            float people = counts[(size_t)row * (size_t)columns + (size_t)column];
            if (people > 0.2f && !throng_map_blocked(stage->map, 0, x, y)) {
                view_mix(&colours[(size_t)y * (size_t)width + (size_t)x],
                         throng_colour_heat(1.0f - fminf(people / 4.0f, 1.0f) * 0.8f),
                         fminf(0.35f + people * 0.2f, 0.85f));
            }
        }
    }
    free(counts);
}

static void paint_goals(const view_stage *stage, uint32_t *colours)
{
    int width = throng_map_width(stage->map), height = throng_map_height(stage->map);
    for (int i = 0; i < throng_world_goal_count(stage->world); i++) {
        throng_goal_shape shape;
        throng_world_goal_at(stage->world, i, &shape, NULL);
        throng_colour colour = {64, 168, 96, 255};
        for (int r = 0; r < shape.rect_count; r++) {
            int x0, y0, x1, y1;
            throng_map_cell_at(stage->map, shape.rects[r].min, &x0, &y0);
            throng_map_cell_at(stage->map, shape.rects[r].max, &x1, &y1);
            for (int y = y0; y <= y1 && y < height; y++) {
                for (int x = x0; x <= x1 && x < width; x++) {
                    throng_vec2 at = throng_map_cell_center(stage->map, x, y);
                    if (at.x >= shape.rects[r].min.x && at.x < shape.rects[r].max.x &&
                        at.y >= shape.rects[r].min.y && at.y < shape.rects[r].max.y) {
                        view_mix(&colours[(size_t)y * (size_t)width + (size_t)x], colour, 0.65f);
                    }
                }
            }
        }
        for (int c = 0; c < shape.cell_count; c++) {
            view_mix(&colours[shape.cells[c]], colour, 0.65f);
        }
    }
}

void view_paint(const view_stage *stage, uint32_t layers, int pick, uint32_t *colours)
{
    const uint8_t *terrain = throng_map_terrains(stage->map);
    size_t cells = (size_t)throng_map_width(stage->map) * (size_t)throng_map_height(stage->map);
    for (size_t i = 0; i < cells; i++) {
        colours[i] = pack(terrain_colour(terrain[i]));
    }
    if ((layers >> VIEW_COST & 1u) != 0) {
        paint_ramp(stage, cost_value, 0.7f, colours);
    }
    if ((layers >> VIEW_CLEARANCE & 1u) != 0) {
        paint_ramp(stage, clearance_value, 0.7f, colours);
    }
    if ((layers >> VIEW_REGIONS & 1u) != 0) {
        paint_regions(stage, colours);
    }
    if ((layers >> VIEW_ROOMS & 1u) != 0) {
        view_paint_rooms(stage, colours);
    }
    if ((layers >> VIEW_DOOR & 1u) != 0) {
        view_paint_door(stage, pick, colours);
    }
    if ((layers >> VIEW_HEAT & 1u) != 0) {
        paint_heat(stage, colours);
    }
    if ((layers >> VIEW_DENSITY & 1u) != 0) {
        paint_density(stage, colours);
    }
    paint_goals(stage, colours); // where they go is always worth knowing
}
