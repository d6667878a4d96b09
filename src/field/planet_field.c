/// A planet's field: its life, the directions that follow from the costs, and reading them.
#include "field/planet.h"
#include <string.h>

#define NEAR_GOAL 1.5 ///< cells from a goal within which one walks straight to it
#define LEAST_BLEND 1e-4
#define LEAST_AGREEMENT 0.1 ///< cosine between a blend and the direction of the cell itself

throng_result throng_planet_field_create(const throng_planet *planet, int class_index,
                                         const throng_vec3 *goals, int goal_count,
                                         throng_planet_field **result)
{
    if (planet == NULL || result == NULL || goals == NULL || class_index < 0 ||
        class_index >= planet->class_count || goal_count < 1 ||
        goal_count > THRONG_MAX_PLANET_GOALS) {
        return THRONG_BAD_ARGUMENT;
    }
    for (int i = 0; i < goal_count; i++) {
        if (!thg_is_place(goals[i])) {
            return THRONG_BAD_ARGUMENT;
        }
    }
    throng_planet_field *field = thg_allocate(1, sizeof *field);
    if (field == NULL) {
        return THRONG_NO_MEMORY;
    }
    size_t count = (size_t)planet->cell_count;
    field->planet = planet;
    field->class_index = class_index;
    field->goal_count = goal_count;
    for (int i = 0; i < goal_count; i++) {
        field->goals[i] = thg_unit(thg_wide(goals[i]));
        field->goal_cells[i] = (uint32_t)throng_planet_cell_at(planet, goals[i]);
    }
    field->cost = thg_allocate(count, sizeof *field->cost);
    field->flow = thg_allocate(count, sizeof *field->flow);
    field->places = thg_allocate(count, sizeof *field->places);
    field->heap.items = thg_allocate(count + 1, sizeof *field->heap.items);
    field->heap.places = field->places;
    field->heap.size = sizeof *field->places;
    if (!field->cost || !field->flow || !field->places || !field->heap.items) {
        throng_planet_field_destroy(field);
        return THRONG_NO_MEMORY;
    }
    memset(field->cost, 0xFF, count * sizeof *field->cost); // THRONG_UNREACHED
    *result = field;
    return THRONG_OK;
}

void throng_planet_field_destroy(throng_planet_field *field)
{
    if (field == NULL) {
        return;
    }
    size_t count = (size_t)field->planet->cell_count;
    thg_release(field->cost, count, sizeof *field->cost);
    thg_release(field->flow, count, sizeof *field->flow);
    thg_release(field->places, count, sizeof *field->places);
    thg_release(field->heap.items, count + 1, sizeof *field->heap.items);
    thg_release(field, 1, sizeof *field);
}

const uint32_t *throng_planet_field_costs(const throng_planet_field *field)
{
    return field->cost;
}

// ---- Directions -------------------------------------------------------------------------------

static throng_vec3 heading_to(const throng_planet *planet, uint32_t cell, thg_vec3 target)
{
    thg_vec3 middle = thg_planet_middle(planet, cell);
    return thg_narrow(thg_unit(thg_tangent(middle, target)));
}

static void find_direction(throng_planet_field *field, uint32_t cell)
{
    const throng_planet *planet = field->planet;
    thg_vec3 zero = {0.0, 0.0, 0.0}, target = zero;
    field->flow[cell] = thg_narrow(zero);
    if (field->cost[cell] == THRONG_UNREACHED) {
        return;
    }
    thg_planet_way way = thg_planet_best_way(field, cell);
    if (way.cost == THRONG_UNREACHED || way.cost > field->cost[cell] + THRONG_EIKONAL_UNIT / 2) {
        for (int i = 0; i < field->goal_count; i++) { // a seed that no neighbour is lower than
            if (field->goal_cells[i] == cell) {
                field->flow[cell] = heading_to(planet, cell, field->goals[i]);
            }
        }
        return;
    }
    if (way.straight >= 0) {
        uint32_t straight = planet->ring[cell][way.straight];
        target = thg_plus(target, thg_planet_middle(planet, straight), 1.0 - way.share);
    }
    if (way.odd >= 0) {
        uint32_t odd = planet->ring[cell][way.odd];
        target = thg_plus(target, thg_planet_middle(planet, odd), way.share);
    }
    field->flow[cell] = heading_to(planet, cell, target);
}

/// Cells that do not fit but are not blocked lead to the nearest that do, breadth first.
static void spread_leads(throng_planet_field *field)
{
    const throng_planet *planet = field->planet;
    const thg_planet_class *class_ = &planet->classes[field->class_index];
    uint32_t *queue = field->heap.items, count = 0;
    for (uint32_t i = 0; i < (uint32_t)planet->cell_count; i++) {
        bool reached = field->cost[i] != THRONG_UNREACHED, beside = false;
        for (int k = 0; k < THG_RING && reached; k += 2) {
            beside = beside || class_->price[planet->ring[i][k]] == 0;
        }
        if (beside) {
            queue[count++] = i;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < THG_RING; k += 2) {
            uint32_t cell = planet->ring[queue[i]][k];
            if (class_->price[cell] != 0 || field->cost[cell] != THRONG_UNREACHED ||
                thg_planet_blocked(planet, class_, cell)) {
                continue;
            }
            float step = class_->def.cost[planet->terrain[cell]] * (float)THRONG_EIKONAL_UNIT;
            uint64_t cost = (uint64_t)field->cost[queue[i]] + (uint64_t)step;
            field->cost[cell] = cost < THRONG_FAR ? (uint32_t)cost : THRONG_FAR;
            field->flow[cell] = heading_to(planet, cell, thg_planet_middle(planet, queue[i]));
            queue[count++] = cell;
        }
    }
}

void throng_planet_field_solve(throng_planet_field *field)
{
    thg_planet_integrate(field);
    for (int cell = 0; cell < field->planet->cell_count; cell++) {
        find_direction(field, (uint32_t)cell);
    }
    spread_leads(field);
    field->solved = true;
}

// ---- Reading ----------------------------------------------------------------------------------

/// The nearest goal within NEAR_GOAL cells, or -1.
static int near_goal(const throng_planet_field *field, thg_vec3 place, uint32_t cell, double *angle)
{
    const uint16_t *price = thg_planet_prices(field);
    int best = -1;
    *angle = NEAR_GOAL * field->planet->cell_size / field->planet->radius;
    for (int i = 0; i < field->goal_count; i++) {
        double off = thg_sphere_angle(place, field->goals[i]);
        if (off <= *angle && price[cell] != 0 && price[field->goal_cells[i]] != 0) {
            best = i;
            *angle = off;
        }
    }
    return best;
}

/// Sum of the directions of the four cells whose middles surround a place in a cell, by nearness.
static thg_vec3 blend(const throng_planet_field *field, thg_vec3 place, uint32_t cell)
{
    const throng_planet *planet = field->planet;
    const uint16_t *price = thg_planet_prices(field);
    double u, v;
    thg_sphere_chart(place, &u, &v);
    int side = planet->side;
    double right = u * (double)side - (double)((int)cell % side) - 0.5;
    double up = v * (double)side - (double)((int)cell / side % side) - 0.5;
    int by_column = right < 0.0 ? 4 : 0, by_row = up < 0.0 ? 6 : 2;
    int across = right < 0.0 ? (up < 0.0 ? 5 : 3) : (up < 0.0 ? 7 : 1);
    right = right < 0.0 ? -right : right;
    up = up < 0.0 ? -up : up;
    const uint32_t *ring = planet->ring[cell];
    const uint32_t cells[4] = {cell, ring[by_column], ring[by_row], ring[across]};
    const double shares[4] = {(1.0 - right) * (1.0 - up), right * (1.0 - up), (1.0 - right) * up,
                              right * up};
    bool round_corner = price[cells[1]] != 0 || price[cells[2]] != 0;
    bool twice = cells[3] == cells[1] || cells[3] == cells[2];
    thg_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        bool counts = price[cells[i]] != 0 && (i < 3 || (round_corner && !twice));
        sum = thg_plus(sum, thg_wide(field->flow[cells[i]]), counts ? shares[i] : 0.0);
    }
    return thg_tangent(place, sum);
}

throng_planet_sample throng_planet_field_sample(const throng_planet_field *field, throng_vec3 where)
{
    const throng_planet *planet = field->planet;
    throng_planet_sample sample = {{0.0f, 0.0f, 0.0f}, INFINITY, false};
    int found = throng_planet_cell_at(planet, where);
    if (found < 0 || !field->solved || field->cost[found] == THRONG_UNREACHED) {
        return sample;
    }
    uint32_t cell = (uint32_t)found;
    thg_vec3 place = thg_unit(thg_wide(where));
    uint16_t own_price = thg_planet_prices(field)[cell];
    double price = own_price != 0 ? (double)own_price / THG_PRICE_UNIT : 1.0;
    sample.reached = true;
    double angle;
    int goal = near_goal(field, place, cell, &angle);
    if (goal >= 0) {
        sample.direction = throng_planet_heading(thg_narrow(place), thg_narrow(field->goals[goal]));
        sample.cost = (float)(angle * planet->radius * price);
        return sample;
    }
    thg_vec3 own = thg_unit(thg_tangent(place, thg_wide(field->flow[cell])));
    thg_vec3 way = own;
    if (own_price != 0) {
        thg_vec3 sum = blend(field, place, cell);
        bool agrees = thg_length(sum) >= LEAST_BLEND &&
                      (thg_length(own) == 0.0 || thg_dot(thg_unit(sum), own) >= LEAST_AGREEMENT);
        way = agrees ? thg_unit(sum) : own;
    }
    sample.direction = thg_narrow(way);
    // The cost of the cell is that of its middle; go on from there along the direction.
    thg_vec3 offset = thg_plus(place, thg_planet_middle(planet, cell), -1.0);
    double cost = (double)field->cost[cell] / THRONG_EIKONAL_UNIT * planet->cell_size -
                  thg_dot(offset, way) * planet->radius * price;
    sample.cost = (float)(cost > 0.0 ? cost : 0.0);
    return sample;
}

static bool is_blocked(const throng_planet_field *field, throng_vec3 place)
{
    const throng_planet *planet = field->planet;
    int cell = throng_planet_cell_at(planet, place);
    return cell < 0 ||
           thg_planet_blocked(planet, &planet->classes[field->class_index], (uint32_t)cell);
}

/// One step; where it would end in a blocked cell, towards the middle of the own cell instead.
static throng_vec3 stepped(const throng_planet_field *field, throng_vec3 from, throng_vec3 way,
                           float pace)
{
    throng_vec3 to = from, heading = way;
    throng_planet_move(field->planet, &to, &heading, pace);
    if (!is_blocked(field, to)) {
        return to;
    }
    int cell = throng_planet_cell_at(field->planet, from);
    throng_vec3 middle = throng_planet_cell_center(field->planet, cell);
    float left = throng_planet_distance(field->planet, from, middle);
    to = from;
    heading = throng_planet_heading(from, middle);
    throng_planet_move(field->planet, &to, &heading, left < pace ? left : pace);
    return to;
}

bool throng_planet_field_trace(const throng_planet_field *field, throng_vec3 start, float step,
                               int max_steps, throng_vec3 *places, int capacity, int *place_count,
                               float *length)
{
    const throng_planet *planet = field->planet;
    float pace = thg_clamp(step, 0.0f, 0.5f * (float)planet->cell_size);
    throng_vec3 place = start;
    double walked = 0.0;
    int count = 0;
    bool there = false;
    for (int i = 0; i <= max_steps && thg_is_place(start); i++) {
        if (i == 0) {
            place = thg_narrow(thg_unit(thg_wide(start)));
        }
        if (places != NULL && count < capacity) {
            places[count++] = place;
        }
        throng_planet_sample sample = throng_planet_field_sample(field, place);
        for (int goal = 0; goal < field->goal_count && !there; goal++) {
            there = sample.reached &&
                    throng_planet_distance(planet, place, thg_narrow(field->goals[goal])) <= pace &&
                    thg_planet_prices(field)[field->goal_cells[goal]] != 0;
        }
        if (there || i == max_steps || !sample.reached) {
            break;
        }
        throng_vec3 next = stepped(field, place, sample.direction, pace);
        walked += (double)throng_planet_distance(planet, place, next);
        place = next;
    }
    if (place_count != NULL) {
        *place_count = count;
    }
    if (length != NULL) {
        *length = (float)walked;
    }
    return there;
}
