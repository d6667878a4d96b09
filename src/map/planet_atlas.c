/// The atlas: a planet's faces one above the other in a flat map, and how what is flat there lies
/// on the sphere.
///
/// A position is two floats, as on any map: metres along the columns and rows, as if all cells were
/// as large as those in the middle of a face. Lengths, directions and neighbours on the atlas mean
/// nothing; so whoever looks or walks does it from a spot, in the plane that touches the sphere
/// there, whose axes are east (as the columns run) and north. The frame of axes turns from place to
/// place, and by a jump at the edges of faces: vectors are carried along, and nothing shows.
#include "map/planet.h"
#include <string.h>

#define QUARTER (0.5 * THG_PI)

int thg_planet_part(int side, int face, int column, int row)
{
    bool by_column = column < 0 || column >= side, by_row = row < 0 || row >= side;
    if (!by_column && !by_row) {
        return (face * side + row) * side + column;
    }
    int out = by_column ? column : row, along = by_column ? row : column;
    int deep = out < 0 ? -1 - out : out - side; // beyond the edge, counted from 0
    if ((by_column && by_row) || deep >= side) {
        return -1;
    }
    // The two faces share the edge and how it is divided, so only the way it runs has to be found.
    const thg_face *own = &thg_faces[face];
    thg_vec3 zero = {0.0, 0.0, 0.0};
    thg_vec3 to = thg_plus(zero, by_column ? own->along : own->up, out < 0 ? -1.0 : 1.0);
    thg_vec3 runs = by_column ? own->up : own->along;
    int other = 0;
    while (thg_dot(thg_faces[other].middle, to) < 0.5) {
        other++;
    }
    const thg_face *there = &thg_faces[other];
    // Which of the other's axes points back to the own face, and which way the edge runs on it.
    double back = thg_dot(there->along, own->middle);
    bool columns_back = back > 0.5 || back < -0.5;
    back = columns_back ? back : thg_dot(there->up, own->middle);
    double same = thg_dot(columns_back ? there->up : there->along, runs);
    deep = back > 0.0 ? side - 1 - deep : deep;
    along = same > 0.0 ? along : side - 1 - along;
    int to_column = columns_back ? deep : along, to_row = columns_back ? along : deep;
    return (other * side + to_row) * side + to_column;
}

// ---- Positions and places ---------------------------------------------------------------------

uint32_t thg_planet_cell_under(const throng_planet *planet, float x, float y)
{
    int column, row;
    throng_map_cell_at(planet->atlas, (throng_vec2){x, y}, &column, &row);
    return (uint32_t)(row * planet->side + column);
}

/// Tangent of the angle of a line of cells, `off` cells beside the middle of one. [-1/2, 1/2]
static double tangent_at(const throng_planet *planet, int cell, double off)
{
    off = off > -0.5 ? (off < 0.5 ? off : 0.5) : -0.5; // NaN too
    double middle = planet->tangent[2 * cell + 1];
    double h = off * (QUARTER / (double)planet->side), square = h * h;
    double small =
        h * (1.0 +
             square * (1.0 / 3.0 +
                       square * (2.0 / 15.0 + square * (17.0 / 315.0 + square * (62.0 / 2835.0)))));
    return (middle + small) / (1.0 - middle * small);
}

thg_spot thg_planet_spot(const throng_planet *planet, float x, float y)
{
    double size = (double)planet->atlas->cell_size;
    int column, row, side = planet->side;
    throng_map_cell_at(planet->atlas, (throng_vec2){x, y}, &column, &row);
    const thg_face *face = &thg_faces[row / side];
    double u = tangent_at(planet, column, (double)x / size - (double)column - 0.5);
    double v = tangent_at(planet, row % side, (double)y / size - (double)row - 0.5);
    thg_spot spot = {.x = x, .y = y};
    spot.place = thg_unit(thg_plus(thg_plus(face->middle, face->along, u), face->up, v));
    spot.east = thg_unit(thg_tangent(spot.place, face->along));
    return spot;
}

/// The float beside one that is not below zero.
static float beside(float value, int32_t steps)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = bits + steps > 0 ? bits + steps : 0;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

/// So many cells in metres, moved by the rounding that would put it beyond cells [first, end).
static float within(const throng_map *atlas, double cells, int first, int end)
{
    float at = (float)(cells * (double)atlas->cell_size);
    while ((int)(at * atlas->inverse_cell_size) >= end) {
        at = beside(at, -1);
    }
    while ((int)(at * atlas->inverse_cell_size) < first) {
        at = beside(at, 1);
    }
    return at;
}

void thg_planet_flatten(const throng_planet *planet, thg_vec3 place, float *x, float *y)
{
    double u, v;
    int side = planet->side, face = thg_sphere_chart(place, &u, &v);
    u = u > 0.0 ? u : 0.0;
    v = v > 0.0 ? v : 0.0;
    *x = within(planet->atlas, u * (double)side, 0, side);
    *y = within(planet->atlas, (double)(face * side) + v * (double)side, face * side,
                (face + 1) * side);
}

// ---- From a spot ------------------------------------------------------------------------------

void thg_planet_see(const throng_planet *planet, const thg_spot *from, thg_vec3 place, float *east,
                    float *north)
{
    thg_vec3 off = thg_plus(place, from->place, -1.0);
    double x = thg_dot(off, from->east), y = thg_dot(off, thg_spot_north(from));
    double chord = thg_dot(off, off), flat = x * x + y * y;
    // The square of the angle, by the series of the arc of a chord: a little short behind the
    // horizon, where only the direction counts.
    double arc =
        chord * (1.0 + chord * (1.0 / 12.0 + chord * (1.0 / 90.0 + chord * (1.0 / 560.0))));
    double scale = flat > 0.0 ? planet->radius * sqrt(arc / flat) : 0.0;
    *east = (float)(x * scale);
    *north = (float)(y * scale);
}

float thg_planet_apart(const throng_planet *planet, throng_vec2 from, throng_vec2 to)
{
    thg_vec3 a = thg_planet_spot(planet, from.x, from.y).place;
    return (float)(planet->radius * thg_sphere_angle(a, thg_planet_spot(planet, to.x, to.y).place));
}

thg_vec3 thg_planet_go(const throng_planet *planet, const thg_spot *from, float east, float north)
{
    thg_vec3 zero = {0.0, 0.0, 0.0};
    double scale = 1.0 / planet->radius;
    thg_vec3 way = thg_plus(zero, from->east, (double)east * scale);
    way = thg_plus(way, thg_spot_north(from), (double)north * scale);
    double square = thg_dot(way, way), sine = 1.0, cosine = 1.0;
    if (square < 0.01) {
        sine = 1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0)));
        cosine = 1.0 - square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0)));
    } else {
        double angle = sqrt(square);
        thg_sine_cosine(angle, &sine, &cosine);
        sine = sine / angle;
    }
    return thg_unit(thg_plus(thg_plus(zero, from->place, cosine), way, sine));
}

void thg_spot_carry(const thg_spot *from, const thg_spot *to, float *east, float *north)
{
    thg_vec3 zero = {0.0, 0.0, 0.0};
    thg_vec3 vector = thg_plus(zero, from->east, (double)*east);
    vector = thg_plus(vector, thg_spot_north(from), (double)*north);
    // The rotation about the axis of the great circle between them.
    double share = thg_dot(to->place, vector) / (1.0 + thg_dot(from->place, to->place));
    vector = thg_plus(vector, thg_plus(from->place, to->place, 1.0), -share);
    *east = (float)thg_dot(vector, to->east);
    *north = (float)thg_dot(vector, thg_spot_north(to));
}

bool thg_planet_sees(const throng_planet *planet, int class_index, const thg_spot *from,
                     thg_vec3 place)
{
    const uint16_t *price = planet->classes[class_index].price;
    float east, north;
    thg_planet_see(planet, from, place, &east, &north);
    double length = sqrt((double)east * (double)east + (double)north * (double)north);
    int steps = (int)(4.0 * length / planet->cell_size) + 1;
    for (int i = 0; i <= steps; i++) {
        float share = (float)i / (float)steps, x, y;
        thg_planet_flatten(planet, thg_planet_go(planet, from, east * share, north * share), &x,
                           &y);
        if (price[thg_planet_cell_under(planet, x, y)] == 0) {
            return false;
        }
    }
    return true;
}

int thg_planet_nearest_fit(const throng_planet *planet, int class_index, float x, float y,
                           int region)
{
    const thg_layer *layer = &planet->atlas->layers[class_index];
    thg_vec3 place = thg_planet_spot(planet, x, y).place;
    int best = -1;
    double nearest = -2.0; // cosine
    for (int cell = 0; cell < planet->cell_count; cell++) {
        size_t index = thg_padded_index(planet->atlas, cell % planet->side, cell / planet->side);
        int own = layer->region[index];
        if (own == 0 || (region != 0 && own != region)) {
            continue;
        }
        double cosine = thg_dot(place, thg_planet_middle(planet, (uint32_t)cell));
        if (cosine > nearest) {
            nearest = cosine;
            best = cell;
        }
    }
    return best;
}

// ---- What hosts ask ---------------------------------------------------------------------------

throng_map *throng_planet_map(const throng_planet *planet)
{
    return planet->atlas;
}

const throng_planet *throng_map_planet(const throng_map *map)
{
    return map->planet;
}

throng_vec2 throng_planet_position(const throng_planet *planet, throng_vec3 place)
{
    throng_vec2 position = {0.0f, 0.0f};
    if (thg_is_place(place)) {
        thg_planet_flatten(planet, thg_unit(thg_wide(place)), &position.x, &position.y);
    }
    return position;
}

throng_vec3 throng_planet_place(const throng_planet *planet, throng_vec2 position)
{
    return thg_narrow(thg_planet_spot(planet, position.x, position.y).place);
}

throng_vec3 throng_planet_lift(const throng_planet *planet, throng_vec2 position,
                               throng_vec2 vector)
{
    thg_spot spot = thg_planet_spot(planet, position.x, position.y);
    thg_vec3 zero = {0.0, 0.0, 0.0};
    thg_vec3 along = thg_plus(zero, spot.east, (double)vector.x);
    return thg_narrow(thg_plus(along, thg_spot_north(&spot), (double)vector.y));
}

throng_vec2 throng_planet_lay(const throng_planet *planet, throng_vec2 position, throng_vec3 vector)
{
    thg_spot spot = thg_planet_spot(planet, position.x, position.y);
    thg_vec3 wide = thg_wide(vector);
    return (throng_vec2){(float)thg_dot(wide, spot.east),
                         (float)thg_dot(wide, thg_spot_north(&spot))};
}
