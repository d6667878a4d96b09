/// Reading a planet's field: which way and how far from a place, and a walk along it.
#include "field/planet.h"

#define NEAR_GOAL 1.5 ///< cells from a goal within which one walks straight to it
#define LEAST_BLEND 1e-4
#define LEAST_AGREEMENT 0.1 ///< cosine between a blend and the direction of the cell itself

/// The nearest goal within NEAR_GOAL cells, or -1.
static int near_goal(const throng_planet_field *field, thg_vec3 place, uint32_t cell, double *angle)
{
    const uint16_t *price = thg_planet_prices(field);
    const thg_planet_shown *shown = &field->shown;
    int best = -1;
    *angle = NEAR_GOAL * field->planet->cell_size / field->planet->radius;
    for (int i = 0; i < shown->goal_count; i++) {
        thg_vec3 off = thg_plus(place, shown->goals[i], -1.0);
        if (thg_dot(off, off) > *angle * *angle) {
            continue; // the chord alone is longer
        }
        double arc = thg_sphere_angle(place, shown->goals[i]);
        if (arc <= *angle && price[cell] != 0 && price[shown->goal_cells[i]] != 0) {
            best = i;
            *angle = arc;
        }
    }
    return best;
}

/// Sum of the directions of the four cells whose middles surround a place that lies so far right
/// and up of its cell's middle, in cells, by nearness.
static thg_vec3 blend(const throng_planet_field *field, thg_vec3 place, uint32_t cell, double right,
                      double up)
{
    const throng_planet *planet = field->planet;
    const uint16_t *price = thg_planet_prices(field);
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
        sum = thg_plus(sum, thg_wide(field->shown.flow[cells[i]]), counts ? shares[i] : 0.0);
    }
    return thg_tangent(place, sum);
}

/// Which way and how far from a place in a cell; the direction is a unit vector, or zero.
static bool sample(const throng_planet_field *field, thg_vec3 place, uint32_t cell, double right,
                   double up, thg_vec3 *direction, float *cost)
{
    const throng_planet *planet = field->planet;
    const thg_planet_shown *shown = &field->shown;
    *direction = (thg_vec3){0.0, 0.0, 0.0};
    *cost = INFINITY;
    if (!field->solved || shown->cost[cell] == THRONG_UNREACHED) {
        return false;
    }
    uint16_t own_price = thg_planet_prices(field)[cell];
    double price = own_price != 0 ? (double)own_price / THG_PRICE_UNIT : 1.0;
    double angle;
    int goal = near_goal(field, place, cell, &angle);
    if (goal >= 0) {
        // What is left where there is no way is rounding.
        thg_vec3 way = thg_tangent(place, shown->goals[goal]);
        *direction = thg_length(way) > 1e-7 ? thg_unit(way) : *direction;
        *cost = (float)(angle * planet->radius * price);
        return true;
    }
    thg_vec3 own = thg_unit(thg_tangent(place, thg_wide(shown->flow[cell])));
    *direction = own;
    if (own_price != 0) {
        thg_vec3 sum = blend(field, place, cell, right, up);
        bool agrees = thg_length(sum) >= LEAST_BLEND &&
                      (thg_length(own) == 0.0 || thg_dot(thg_unit(sum), own) >= LEAST_AGREEMENT);
        *direction = agrees ? thg_unit(sum) : own;
    }
    // The cost of the cell is that of its middle; go on from there along the direction.
    thg_vec3 offset = thg_plus(place, thg_planet_middle(planet, cell), -1.0);
    double left = (double)shown->cost[cell] / THRONG_EIKONAL_UNIT * planet->cell_size -
                  thg_dot(offset, *direction) * planet->radius * price;
    *cost = (float)(left > 0.0 ? left : 0.0);
    return true;
}

throng_planet_sample throng_planet_field_sample(const throng_planet_field *field, throng_vec3 where)
{
    throng_planet_sample answer = {{0.0f, 0.0f, 0.0f}, INFINITY, false};
    int cell = throng_planet_cell_at(field->planet, where), side = field->planet->side;
    if (cell < 0) {
        return answer;
    }
    thg_vec3 place = thg_unit(thg_wide(where)), way;
    double u, v;
    thg_sphere_chart(place, &u, &v);
    answer.reached =
        sample(field, place, (uint32_t)cell, u * (double)side - (double)(cell % side) - 0.5,
               v * (double)side - (double)(cell / side % side) - 0.5, &way, &answer.cost);
    answer.direction = thg_narrow(way);
    return answer;
}

throng_sample thg_planet_field_lead(const throng_planet_field *field, const thg_spot *spot)
{
    const throng_planet *planet = field->planet;
    uint32_t cell = thg_planet_cell_under(planet, spot->x, spot->y);
    double size = (double)planet->atlas->cell_size;
    double right = (double)spot->x / size - (double)((int)cell % planet->side) - 0.5;
    double up = (double)spot->y / size - (double)((int)cell / planet->side) - 0.5;
    throng_sample answer;
    thg_vec3 way;
    answer.reached = sample(field, spot->place, cell, right, up, &way, &answer.cost);
    answer.direction.x = (float)thg_dot(way, spot->east);
    answer.direction.y = (float)thg_dot(way, thg_spot_north(spot));
    return answer;
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
