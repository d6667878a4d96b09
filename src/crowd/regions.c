/// Regions of goals: what can be said at once about "does a way lead there?", while a field is
/// still being solved.
#include "crowd/crowd.h"

static void add_region(thg_goal_field *field, int32_t region)
{
    if (region == 0 || field->region_count < 0) {
        return;
    }
    for (int i = 0; i < field->region_count; i++) {
        if (field->regions[i] == region) {
            return;
        }
    }
    if (field->region_count == THG_GOAL_REGIONS) {
        field->region_count = -1;
    } else {
        field->regions[field->region_count++] = region;
    }
}

static void add_rect_regions(const throng_map *map, int class_index, const throng_rect *rect,
                             thg_goal_field *field)
{
    int x0, y0, x1, y1;
    throng_map_cell_at(map, rect->min, &x0, &y0);
    throng_map_cell_at(map, rect->max, &x1, &y1);
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1 && field->region_count >= 0; x++) {
            throng_vec2 center = throng_map_cell_center(map, x, y);
            if (center.x >= rect->min.x && center.x < rect->max.x && center.y >= rect->min.y &&
                center.y < rect->max.y) {
                add_region(field, throng_map_region(map, class_index, x, y));
            }
        }
    }
}

void thg_goal_find_regions(throng_crowd *crowd, uint32_t slot, int class_index)
{
    const throng_map *map = crowd->map;
    const throng_goal_shape *shape = &crowd->goals[slot].def.shape;
    thg_goal_field *field = &crowd->goals[slot].fields[class_index];
    field->region_count = 0;
    for (int i = 0; i < shape->point_count; i++) {
        // Moved to the cell that fits, as the field moves it.
        int x, y;
        if (!throng_map_nearest_fit(map, class_index, shape->points[i], 0, &x, &y)) {
            continue;
        }
        throng_vec2 center = throng_map_cell_center(map, x, y);
        float dx = center.x - shape->points[i].x, dy = center.y - shape->points[i].y;
        // The half diagonal is for a point in the very cell, which does not move.
        if (map->planet != NULL) {
            dx = thg_planet_apart(map->planet, center, shape->points[i]);
            dy = 0.0f;
        }
        if (sqrtf(dx * dx + dy * dy) <= shape->snap_distance + 0.71f * map->cell_size) {
            add_region(field, throng_map_region(map, class_index, x, y));
        }
    }
    for (int i = 0; i < shape->rect_count; i++) {
        add_rect_regions(map, class_index, &shape->rects[i], field);
    }
    if (shape->cell_count > 0) {
        field->region_count = -1; // cells may be snapped anywhere near: the field will tell
    }
}

bool thg_goal_connected(const throng_crowd *crowd, uint32_t slot, int class_index, float x, float y)
{
    const thg_goal_field *field = &crowd->goals[slot].fields[class_index];
    int cell_x, cell_y;
    throng_map_cell_at(crowd->map, (throng_vec2){x, y}, &cell_x, &cell_y);
    int32_t region = throng_map_region(crowd->map, class_index, cell_x, cell_y);
    bool found = region == 0 || field->region_count < 0;
    for (int i = 0; i < field->region_count && !found; i++) {
        found = field->regions[i] == region;
    }
    return found;
}
