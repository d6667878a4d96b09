/// Reading a field: the direction at a point, the steps behind a cost, and a point's walk.
///
/// Directions of the four cells around are blended, not costs: costs would mix in what lies behind
/// walls and make minima that are not there. See thg_blend for which cells count.
#include "field/solver.h"
#include <math.h>

#define NEAR_GOAL 1.5f ///< cells from a goal point within which one walks straight to it
#define LEAST_BLEND 1e-4f
#define LEAST_AGREEMENT 0.1f ///< cosine between a blend and the direction of the cell itself
#define SURE_AGREEMENT                                                                             \
    0.2f ///< product with the stored one that is more, as none is longer than 1.5

/// Where a position lies.
typedef struct place {
    float x, y;      ///< in cells, inside the map
    int column, row; ///< the cell
    size_t cell;     ///< the cell, padded
} place;

static place place_of(const throng_map *map, throng_vec2 position)
{
    place at;
    bool inside = throng_map_cell_at(map, position, &at.column, &at.row);
    at.cell = thg_padded_index(map, at.column, at.row);
    at.x = (position.x - map->origin.x) * map->inverse_cell_size;
    at.y = (position.y - map->origin.y) * map->inverse_cell_size;
    if (!inside) {
        at.x = (float)at.column + 0.5f;
        at.y = (float)at.row + 0.5f;
    }
    return at;
}

/// Index of a cell in the part that is read.
static ptrdiff_t part_index(const thg_reading *reading, int column, int row)
{
    return (row - reading->first_y + 1) * reading->stride + (column - reading->first_x + 1);
}

/// Points of the goal, as the reading was solved for, nearest first within NEAR_GOAL cells and in
/// sight. Returns its index or -1.
static int near_point(const thg_reading *reading, const place *at, float *distance)
{
    const throng_vec2 *points = reading->points;
    int best = -1;
    float best_squared = NEAR_GOAL * NEAR_GOAL;
    for (int i = 0; i < reading->point_count; i++) {
        float dx = points[i].x - at->x;
        float dy = points[i].y - at->y;
        float squared = dx * dx + dy * dy;
        if (squared < best_squared && thg_layer_sees(reading->map, reading->layer, 0, at->x, at->y,
                                                     points[i].x, points[i].y)) {
            best_squared = squared;
            best = i;
        }
    }
    *distance = sqrtf(best_squared);
    return best;
}

/// The direction stored in a cell of the part.
static throng_vec2 stored_direction(const int8_t *flow, ptrdiff_t cell)
{
    throng_vec2 direction = {(float)flow[2 * cell] * (1.0f / 127.0f),
                             (float)flow[2 * cell + 1] * (1.0f / 127.0f)};
    return direction;
}

/// Blends the directions of the four cells whose centres surround the place. Cells that do not fit
/// weigh nothing, nor does the one across when both between do not fit: its direction belongs to
/// the other side of a wall.
static throng_vec2 blend(const thg_reading *reading, const place *at)
{
    const thg_layer *layer = reading->layer;
    int left = (int)(at->x + 0.5f) - 1;
    int top = (int)(at->y + 0.5f) - 1;
    float right_share = at->x - 0.5f - (float)left;
    float bottom_share = at->y - 0.5f - (float)top;
    size_t corner = thg_padded_index(reading->map, left, top);
    size_t stride = (size_t)reading->map->stride;
    const size_t cells[4] = {corner, corner + 1, corner + stride, corner + stride + 1};
    ptrdiff_t part_corner = part_index(reading, left, top);
    const ptrdiff_t parts[4] = {part_corner, part_corner + 1, part_corner + reading->stride,
                                part_corner + reading->stride + 1};
    const float shares[4] = {(1.0f - right_share) * (1.0f - bottom_share),
                             right_share * (1.0f - bottom_share),
                             (1.0f - right_share) * bottom_share, right_share * bottom_share};
    int own = (at->column - left) + 2 * (at->row - top);
    bool across = layer->price[cells[own ^ 1]] != 0 || layer->price[cells[own ^ 2]] != 0;
    throng_vec2 sum = {0.0f, 0.0f};
    for (int i = 0; i < 4; i++) {
        if (layer->price[cells[i]] != 0 && (i != (own ^ 3) || across)) {
            sum.x += (float)reading->flow[2 * parts[i]] * shares[i];
            sum.y += (float)reading->flow[2 * parts[i] + 1] * shares[i];
        }
    }
    sum.x *= 1.0f / 127.0f;
    sum.y *= 1.0f / 127.0f;
    return sum;
}

static throng_vec2 normalised(throng_vec2 vector, bool *zero)
{
    float squared = vector.x * vector.x + vector.y * vector.y;
    *zero = squared < LEAST_BLEND * LEAST_BLEND;
    if (!*zero) {
        float scale = 1.0f / sqrtf(squared);
        vector.x *= scale;
        vector.y *= scale;
    } else {
        vector.x = 0.0f;
        vector.y = 0.0f;
    }
    return vector;
}

static throng_vec2 direction_at(const thg_reading *reading, const place *at)
{
    const thg_layer *layer = reading->layer;
    ptrdiff_t part = part_index(reading, at->column, at->row);
    throng_vec2 own = stored_direction(reading->flow, part);
    bool zero;
    if (layer->price[at->cell] == 0 && (own.x != 0.0f || own.y != 0.0f)) {
        return normalised(own, &zero); // a lead out of where the class does not fit
    }
    throng_vec2 direction = normalised(blend(reading, at), &zero);
    if (direction.x * own.x + direction.y * own.y > SURE_AGREEMENT) {
        return direction; // nearly always
    }
    bool own_zero;
    own = normalised(own, &own_zero);
    // Where ways part, the neighbours' may cancel the cell's own, or press into its wall: then only
    // its own is sure to lead down.
    if (!own_zero && (zero || direction.x * own.x + direction.y * own.y < LEAST_AGREEMENT)) {
        direction = own;
        zero = false;
    }
    int move =
        zero && reading->cost[part] != 0
            ? thg_flow_steepest(layer->moves[at->cell], reading->cost + part, reading->stride)
            : -1;
    if (move >= 0) {
        throng_vec2 step = {(float)thg_move_x[move], (float)thg_move_y[move]};
        direction = normalised(step, &zero);
    }
    return direction;
}

/// `costs` is a constant to each caller: without it only the direction is found, and whether there
/// is a way.
static inline throng_sample read_at(const thg_reading *reading, throng_vec2 position,
                                    const bool costs)
{
    throng_sample sample = {{0.0f, 0.0f}, INFINITY, false};
    const thg_layer *layer = reading->layer;
    place at = place_of(reading->map, position);
    ptrdiff_t part = part_index(reading, at.column, at.row);
    if (!costs && reading->point_count == 0 &&
        (reading->flow[2 * part] != 0 || reading->flow[2 * part + 1] != 0)) {
        sample.reached = true; // only such cells have a direction of their own
        sample.direction = direction_at(reading, &at);
        return sample;
    }
    uint32_t cost = reading->cost[part];
    if (cost == THRONG_UNREACHED) {
        // A wall, or cut off: where a reached cell touches, that is still the way out.
        sample.direction = direction_at(reading, &at);
        return sample;
    }
    sample.reached = true;
    float unit = (float)reading->unit;
    float price = (float)(layer->price[at.cell] != 0 ? layer->price[at.cell] : THG_PRICE_UNIT);
    float unit_cost = price * (1.0f / (float)THG_PRICE_UNIT);
    float cells = (float)cost / unit;
    if (cells < unit_cost * (NEAR_GOAL + 1.0f)) {
        float distance;
        int point = near_point(reading, &at, &distance);
        if (point >= 0) {
            bool zero;
            throng_vec2 way = {reading->points[point].x - at.x, reading->points[point].y - at.y};
            sample.direction = normalised(way, &zero);
            sample.cost = distance * unit_cost * reading->map->cell_size;
            return sample;
        }
    }
    sample.direction = direction_at(reading, &at);
    if (!costs) {
        return sample;
    }
    // The cost of the cell is that of its middle; go on from there along the direction.
    float ahead = (at.x - (float)at.column - 0.5f) * sample.direction.x +
                  (at.y - (float)at.row - 0.5f) * sample.direction.y;
    cells -= ahead * unit_cost;
    sample.cost = (cells > 0.0f ? cells : 0.0f) * reading->map->cell_size;
    return sample;
}

throng_sample thg_reading_sample(const thg_reading *reading, throng_vec2 position)
{
    return read_at(reading, position, true);
}

/// All of a field's front buffer.
static thg_reading reading_of(const throng_field *field)
{
    thg_reading reading = {
        .map = field->map,
        .layer = thg_field_layer(field),
        .cost = field->front.cost,
        .flow = field->front.flow,
        .stride = field->map->stride,
        .unit = thg_field_unit(field),
        .points = field->goal.resolved[0],
        .point_count = field->goal.resolved_count[0],
    };
    return reading;
}

throng_sample throng_field_sample(const throng_field *field, throng_vec2 position)
{
    if (!field->front.has_flow) {
        return (throng_sample){{0.0f, 0.0f}, INFINITY, false};
    }
    thg_reading reading = reading_of(field);
    return thg_reading_sample(&reading, position);
}

/// The same as direction_at for the middle of open ground, where all four cells around fit and
/// agree with the own one: nearly always. False elsewhere.
static inline bool open_lead(const thg_reading *reading, throng_vec2 position,
                             throng_vec2 *direction)
{
    const throng_map *map = reading->map;
    const float x = (position.x - map->origin.x) * map->inverse_cell_size;
    const float y = (position.y - map->origin.y) * map->inverse_cell_size;
    if (!(x >= 0.0f && y >= 0.0f && x < (float)map->width && y < (float)map->height)) {
        return false;
    }
    const int left = (int)(x + 0.5f) - 1, top = (int)(y + 0.5f) - 1;
    const uint16_t *price = reading->layer->price + thg_padded_index(map, left, top);
    const int8_t *above = reading->flow + 2 * part_index(reading, left, top);
    const int8_t *below = above + 2 * (ptrdiff_t)reading->stride;
    const int8_t *own = ((int)y > top ? below : above) + ((int)x > left ? 2 : 0);
    if (price[0] == 0 || price[1] == 0 || price[map->stride] == 0 || price[map->stride + 1] == 0) {
        return false;
    }
    const float right = x - 0.5f - (float)left, down = y - 0.5f - (float)top;
    const float shares[4] = {(1.0f - right) * (1.0f - down), right * (1.0f - down),
                             (1.0f - right) * down, right * down};
    throng_vec2 sum = {0.0f, 0.0f};
    sum.x += (float)above[0] * shares[0];
    sum.y += (float)above[1] * shares[0];
    sum.x += (float)above[2] * shares[1];
    sum.y += (float)above[3] * shares[1];
    sum.x += (float)below[0] * shares[2];
    sum.y += (float)below[1] * shares[2];
    sum.x += (float)below[2] * shares[3];
    sum.y += (float)below[3] * shares[3];
    sum.x *= 1.0f / 127.0f;
    sum.y *= 1.0f / 127.0f;
    bool zero;
    *direction = normalised(sum, &zero);
    return direction->x * ((float)own[0] * (1.0f / 127.0f)) +
               direction->y * ((float)own[1] * (1.0f / 127.0f)) >
           SURE_AGREEMENT;
}

throng_sample thg_field_lead(const throng_field *field, throng_vec2 position)
{
    if (!field->front.has_flow) {
        return (throng_sample){{0.0f, 0.0f}, INFINITY, false};
    }
    thg_reading reading = reading_of(field);
    throng_vec2 direction;
    if (reading.point_count == 0 && open_lead(&reading, position, &direction)) {
        return (throng_sample){direction, INFINITY, true};
    }
    return read_at(&reading, position, false);
}

throng_field_view throng_field_get_view(const throng_field *field)
{
    size_t corner = thg_padded_index(field->map, 0, 0);
    throng_field_view view;
    view.cost = field->front.cost + corner;
    view.flow = field->front.flow + 2 * corner;
    view.width = field->map->width;
    view.height = field->map->height;
    view.stride = field->map->stride;
    view.unit = thg_field_unit(field);
    view.version = field->version;
    view.reached_count = field->front.reached_count;
    return view;
}

bool throng_field_octile_steps(const throng_field *field, int x, int y, int *straight,
                               int *diagonal)
{
    const throng_map *map = field->map;
    if (field->metric != THRONG_OCTILE || x < 0 || y < 0 || x >= map->width || y >= map->height) {
        return false;
    }
    uint32_t cost = field->front.cost[thg_padded_index(map, x, y)];
    if (cost >= THRONG_FAR) {
        return false;
    }
    // cost = 13860 s + 19601 d, so d = cost / 19601 modulo 13860; 19601 = 5741 and 5741 * 5741 = 1
    // modulo 13860. The least d is the only one below 13,860.
    uint64_t least =
        (uint64_t)cost * (THRONG_OCTILE_DIAGONAL - THRONG_OCTILE_UNIT) % THRONG_OCTILE_UNIT;
    if (least * THRONG_OCTILE_DIAGONAL > cost) {
        return false;
    }
    *diagonal = (int)least;
    *straight = (int)((cost - least * THRONG_OCTILE_DIAGONAL) / THRONG_OCTILE_UNIT);
    return true;
}

/// True when a position is at the goal: within `reach` metres of a point in sight, or in a cell of
/// it.
static bool arrived(const throng_field *field, throng_vec2 position, float reach)
{
    place at = place_of(field->map, position);
    float distance;
    if (field->front.cost[at.cell] == THRONG_UNREACHED) {
        return false;
    }
    thg_reading reading = reading_of(field);
    if (near_point(&reading, &at, &distance) >= 0 && distance * field->map->cell_size <= reach) {
        return true;
    }
    return field->front.cost[at.cell] == 0 && thg_goal_has_cell(field, at.column, at.row);
}

static bool blocked_at(const throng_field *field, throng_vec2 position)
{
    int x, y;
    return !throng_map_cell_at(field->map, position, &x, &y) ||
           thg_layer_blocked(field->map, thg_field_layer(field),
                             thg_padded_index(field->map, x, y));
}

/// One step of a point: along x, then along y, each only when it ends free. So it slides on walls
/// and never cuts a corner.
static throng_vec2 stepped(const throng_field *field, throng_vec2 from, throng_vec2 way)
{
    throng_vec2 to = {from.x + way.x, from.y};
    if (blocked_at(field, to)) {
        to.x = from.x;
    }
    throng_vec2 end = {to.x, from.y + way.y};
    return blocked_at(field, end) ? to : end;
}

bool throng_field_trace(const throng_field *field, throng_vec2 start, float step, int max_steps,
                        throng_vec2 *points, int capacity, int *point_count, float *length)
{
    float cell_size = field->map->cell_size;
    float pace = thg_clamp(step, 0.0f, 0.5f * cell_size); // longer ones could jump a wall
    throng_vec2 position = start;
    double walked = 0.0;
    int count = 0;
    bool there = false;
    for (int i = 0; i <= max_steps; i++) {
        if (count < capacity && points != NULL) {
            points[count++] = position;
        }
        there = arrived(field, position, pace);
        throng_sample sample = throng_field_sample(field, position);
        if (there || i == max_steps || !sample.reached) {
            break;
        }
        throng_vec2 way = {sample.direction.x * pace, sample.direction.y * pace};
        throng_vec2 next = stepped(field, position, way);
        float dx = next.x - position.x;
        float dy = next.y - position.y;
        walked += (double)sqrtf(dx * dx + dy * dy);
        position = next;
    }
    if (point_count != NULL) {
        *point_count = count;
    }
    if (length != NULL) {
        *length = (float)walked;
    }
    return there;
}
