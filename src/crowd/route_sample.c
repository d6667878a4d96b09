/// What the steer stage asks of tiles and paths. Rows are asked in parallel; each may write its own
/// way and nothing else.
#include "crowd/routes.h"

#define LOOK_STEPS 4       ///< a way is looked along by a quarter of the agents each step
#define MOST_MISSED 24     ///< looks without sight of the next turn after which one is lost
#define TURN_DISTANCE 0.5f ///< cells, and the radius at least: so near a turn has been reached

static bool sees(const throng_crowd *crowd, int class_index, throng_vec2 from, throng_vec2 to)
{
    const throng_map *map = crowd->map;
    float scale = map->inverse_cell_size;
    return thg_layer_sees(map, &map->layers[class_index], 0, (from.x - map->origin.x) * scale,
                          (from.y - map->origin.y) * scale, (to.x - map->origin.x) * scale,
                          (to.y - map->origin.y) * scale);
}

/// True when one at a turn who does not see the next may go on beside the way: he is within a cell
/// of the turn, has room there, or is squeezed where his middle does not fit. Big ones, to whom a
/// turn is near from afar, would else lean on the wall before the corner.
static bool may_go_beside(const throng_crowd *crowd, int class_index, throng_vec2 at,
                          const thg_way *way, float distance_square)
{
    float cell = crowd->map->cell_size;
    throng_vec2 turn = way->points[way->next], next = way->points[way->next + 1];
    float dx = next.x - turn.x, dy = next.y - turn.y;
    float length = sqrtf(dx * dx + dy * dy);
    float share = length > cell ? cell / length : 1.0f;
    throng_vec2 beside = {at.x + dx * share, at.y + dy * share};
    int x, y;
    throng_map_cell_at(crowd->map, at, &x, &y);
    return distance_square <= cell * cell || !throng_map_fits(crowd->map, class_index, x, y) ||
           sees(crowd, class_index, at, beside);
}

/// Goes on to the next turn when it is in sight. True for one who has reached a turn and does not
/// see the next: round the corner he goes beside the way, not into the wall before him.
static bool follow(const throng_crowd *crowd, int row, int class_index, throng_vec2 at,
                   thg_way *way)
{
    float radius = crowd->profiles[crowd->columns.profile[row]].def.radius;
    float near = TURN_DISTANCE * crowd->map->cell_size;
    near = near > radius ? near : radius;
    float dx = way->points[way->next].x - at.x;
    float dy = way->points[way->next].y - at.y;
    bool last = way->next + 1 == way->count;
    if (dx * dx + dy * dy <= near * near) {
        if (last && !way->whole) {
            way->state = THG_WAY_NONE; // the rest is to be found from here
        }
        if (!last && sees(crowd, class_index, at, way->points[way->next + 1])) {
            way->next++;
            return false;
        }
        return !last && may_go_beside(crowd, class_index, at, way, dx * dx + dy * dy);
    }
    if ((crowd->columns.slot[row] + crowd->step_count) % LOOK_STEPS != 0) {
        return false;
    }
    if (!last && sees(crowd, class_index, at, way->points[way->next + 1])) {
        way->next++;
        way->missed = 0;
    } else {
        int x, y;
        throng_map_cell_at(crowd->map, at, &x, &y);
        // One who stands where its middle does not fit sees nothing, and is not lost.
        bool fits = throng_map_fits(crowd->map, class_index, x, y);
        bool lost = fits && !sees(crowd, class_index, at, way->points[way->next]);
        way->missed = lost ? way->missed + 1 : 0;
        if (way->missed == MOST_MISSED) {
            way->state = THG_WAY_NONE;
        }
    }
    return false;
}

static throng_sample along_way(const throng_crowd *crowd, int row, int class_index, throng_vec2 at)
{
    throng_sample sample = {{0.0f, 0.0f}, INFINITY, false};
    uint32_t slot = crowd->columns.goal[row];
    thg_way *way = &crowd->routes->ways[crowd->columns.slot[row]];
    if (way->count == 0 || way->goal != slot || way->generation != crowd->goals[slot].generation) {
        return sample;
    }
    bool turns = way->state == THG_WAY_FOUND && follow(crowd, row, class_index, at, way);
    // One who lost sight of his way goes on towards it until he has another.
    throng_vec2 to = way->points[way->next];
    throng_vec2 from = turns ? to : at;
    to = turns ? way->points[way->next + 1] : to;
    float dx = to.x - from.x;
    float dy = to.y - from.y;
    float length = sqrtf(dx * dx + dy * dy);
    sample.reached = true;
    sample.cost = length;
    if (length > 1e-4f) {
        sample.direction = (throng_vec2){dx / length, dy / length};
    }
    return sample;
}

throng_sample thg_routes_sample(throng_crowd *crowd, int row, const thg_goal_field *field,
                                throng_vec2 position)
{
    if (field->tiles != NULL) {
        return thg_tiles_sample(field->tiles, position);
    }
    int class_index = crowd->profiles[crowd->columns.profile[row]].way_class;
    return along_way(crowd, row, class_index, position);
}

/// Metres from a place to the end of what a row remembers of its path, along it: to the nearest
/// piece of the path and on.
static float along_rest(const throng_crowd *crowd, int row, const thg_way *way, throng_vec2 place)
{
    float rest[THG_WAY_POINTS]; // from each turn on
    float length = 0.0f;
    for (int i = way->count - 1; i >= way->next; i--) {
        rest[i] = length;
        throng_vec2 before = i > way->next
                                 ? way->points[i - 1]
                                 : (throng_vec2){crowd->columns.x[row], crowd->columns.y[row]};
        float dx = way->points[i].x - before.x, dy = way->points[i].y - before.y;
        length += sqrtf(dx * dx + dy * dy);
    }
    float best = INFINITY;
    throng_vec2 from = {crowd->columns.x[row], crowd->columns.y[row]};
    for (int i = way->next; i < way->count; i++) {
        throng_vec2 to = way->points[i];
        float dx = to.x - from.x, dy = to.y - from.y;
        float square = dx * dx + dy * dy;
        float share =
            square > 0.0f ? ((place.x - from.x) * dx + (place.y - from.y) * dy) / square : 1.0f;
        share = thg_clamp(share, 0.0f, 1.0f);
        float off_x = place.x - from.x - dx * share, off_y = place.y - from.y - dy * share;
        float whole =
            sqrtf(off_x * off_x + off_y * off_y) + (1.0f - share) * sqrtf(square) + rest[i];
        best = whole < best ? whole : best;
        from = to;
    }
    return best;
}

uint32_t thg_routes_cost(const throng_crowd *crowd, int row, const thg_goal_field *field,
                         size_t cell)
{
    const throng_map *map = crowd->map;
    int x = (int)(cell % (size_t)map->stride) - 1;
    int y = (int)(cell / (size_t)map->stride) - 1;
    if (field->tiles != NULL) {
        return thg_tiles_shown_cost(field->tiles, x, y);
    }
    const thg_way *way = &crowd->routes->ways[crowd->columns.slot[row]];
    if (way->count == 0 || way->goal != crowd->columns.goal[row]) {
        return THRONG_UNREACHED;
    }
    // Metres as if all were of the cheapest terrain: gates compare, they do not add up.
    int class_index = crowd->profiles[crowd->columns.profile[row]].way_class;
    float unit = (float)THRONG_EIKONAL_UNIT * map->inverse_cell_size *
                 (float)map->layers[class_index].min_price / (float)THG_PRICE_UNIT;
    float cost = along_rest(crowd, row, way, throng_map_cell_center(map, x, y)) * unit;
    return cost < 4e9f ? (uint32_t)cost : THRONG_UNREACHED;
}

bool thg_routes_connected(const throng_crowd *crowd, uint32_t slot, int class_index,
                          throng_vec2 place)
{
    int x, y;
    throng_map_cell_at(crowd->map, place, &x, &y);
    if (!throng_map_fits(crowd->map, class_index, x, y) &&
        throng_map_nearest_fit(crowd->map, class_index, place, 0, &x, &y)) {
        place = throng_map_cell_center(crowd->map, x, y);
    }
    return thg_goal_connected(crowd, slot, class_index, place.x, place.y);
}
