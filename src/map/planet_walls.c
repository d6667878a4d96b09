/// Blocked cells as a disc near them sees them: quadrangles in the plane that touches the planet at
/// the disc's middle. Seen from the planet's centre, edges of cells are great circles and so are
/// straight there.
#include "map/planet.h"

/// True when a straight neighbour is not blocked: what is inside is farther than what is outside.
static bool is_edge(const throng_planet *planet, uint32_t blocked_terrains, uint32_t cell)
{
    for (int k = 0; k < THG_RING; k += 2) {
        if (!((blocked_terrains >> planet->terrain[planet->ring[cell][k]]) & 1u)) {
            return true;
        }
    }
    return false;
}

/// Lays the corners of a cell into the plane. False for one beyond the horizon.
static bool lay_cell(const throng_planet *planet, const thg_spot *spot, thg_vec3 north,
                     uint32_t cell, float *x, float *y)
{
    static const int corner_x[4] = {0, 1, 1, 0}, corner_y[4] = {0, 0, 1, 1};
    int side = planet->side, column = (int)cell % side, row = (int)cell / side % side;
    const thg_face *face = &thg_faces[(int)cell / (side * side)];
    for (int i = 0; i < 4; i++) {
        double u = planet->tangent[2 * (column + corner_x[i])];
        double v = planet->tangent[2 * (row + corner_y[i])];
        thg_vec3 corner = thg_plus(thg_plus(face->middle, face->along, u), face->up, v);
        double height = thg_dot(corner, spot->place);
        if (!(height > 0.1)) {
            return false;
        }
        double scale = planet->radius / height;
        x[i] = (float)(thg_dot(corner, spot->east) * scale);
        y[i] = (float)(thg_dot(corner, north) * scale);
    }
    return true;
}

float thg_planet_wall_point(const thg_planet_walls *walls, int wall, float x, float y, float *to_x,
                            float *to_y)
{
    const float *ax = walls->x[wall], *ay = walls->y[wall];
    float best = INFINITY;
    bool inside = true;
    for (int i = 0; i < 4; i++) {
        float dx = ax[(i + 1) & 3] - ax[i], dy = ay[(i + 1) & 3] - ay[i];
        float px = x - ax[i], py = y - ay[i];
        inside = inside && dx * py - dy * px >= 0.0f;
        float square = dx * dx + dy * dy;
        float share = square > 0.0f ? thg_clamp((px * dx + py * dy) / square, 0.0f, 1.0f) : 0.0f;
        float off_x = px - dx * share, off_y = py - dy * share;
        float distance = off_x * off_x + off_y * off_y;
        if (distance < best) {
            best = distance;
            *to_x = x - off_x;
            *to_y = y - off_y;
        }
    }
    return inside ? 0.0f : best;
}

bool thg_planet_walls_near(const throng_planet *planet, uint32_t blocked_terrains,
                           const thg_spot *spot, float reach, thg_planet_walls *walls)
{
    thg_vec3 north = thg_spot_north(spot);
    uint32_t own = thg_planet_cell_under(planet, spot->x, spot->y);
    int side = planet->side, face = (int)own / (side * side);
    int column = (int)own % side, row = (int)own / side % side;
    // Nowhere does a cell's width shrink by more than a factor of 1.5, or a line bend by more than
    // a cell for each cell beyond an edge.
    int half = (int)(2.0 * (double)reach / planet->cell_size) + 1;
    half = thg_min_int(half, side - 1);
    walls->count = 0;
    for (int j = row - half; j <= row + half; j++) {
        for (int i = column - half; i <= column + half; i++) {
            int cell = thg_planet_part(side, face, i, j);
            if (cell < 0 || !((blocked_terrains >> planet->terrain[cell]) & 1u) ||
                walls->count == THG_PLANET_WALLS ||
                !is_edge(planet, blocked_terrains, (uint32_t)cell)) {
                continue;
            }
            int at = walls->count;
            float x, y;
            if (lay_cell(planet, spot, north, (uint32_t)cell, walls->x[at], walls->y[at]) &&
                thg_planet_wall_point(walls, at, 0.0f, 0.0f, &x, &y) < reach * reach) {
                walls->cell[at] = (uint32_t)cell;
                walls->count++;
            }
        }
    }
    return (blocked_terrains >> planet->terrain[own]) & 1u;
}

double thg_planet_cell_distance(const throng_planet *planet, thg_vec3 place, uint32_t cell)
{
    thg_vec3 axis = place.x * place.x < 0.5 ? (thg_vec3){1.0, 0.0, 0.0} : (thg_vec3){0.0, 1.0, 0.0};
    thg_spot spot = {.place = place, .east = thg_unit(thg_tangent(place, axis))};
    thg_planet_walls walls; // of which one is used
    float x, y;
    if (!lay_cell(planet, &spot, thg_spot_north(&spot), cell, walls.x[0], walls.y[0])) {
        return 1e9;
    }
    return sqrt((double)thg_planet_wall_point(&walls, 0, 0.0f, 0.0f, &x, &y));
}

float thg_planet_wall_distance(const throng_planet *planet, int class_index, float x, float y,
                               float limit)
{
    uint32_t blocked = planet->classes[class_index].blocked_terrains;
    thg_spot spot = thg_planet_spot(planet, x, y);
    thg_planet_walls walls;
    bool inside = thg_planet_walls_near(planet, blocked, &spot, limit, &walls);
    if (inside) { // what is free is the wall of those inside
        thg_planet_walls_near(planet, ~blocked, &spot, limit, &walls);
    }
    float best = limit * limit;
    for (int i = 0; i < walls.count; i++) {
        float to_x, to_y, square = thg_planet_wall_point(&walls, i, 0.0f, 0.0f, &to_x, &to_y);
        best = square < best ? square : best;
    }
    return inside ? -sqrtf(best) : sqrtf(best);
}
