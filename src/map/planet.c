/// A planet's life: cells and their neighbours, terrain, classes and where they fit.
#include "map/planet.h"
#include <string.h>

#define PLANET_COOKIE 0x706c6e31u
#define MOST_RADIUS_CELLS 16.0

throng_planet_def throng_default_planet_def(void)
{
    return (throng_planet_def){.cookie = PLANET_COOKIE, .side = 64, .radius = 100.0f};
}

static bool def_is_valid(const throng_planet_def *def)
{
    if (def == NULL || def->cookie != PLANET_COOKIE || def->side < 2 ||
        def->side > THRONG_MAX_PLANET_SIDE || !(def->radius >= 1.0f && def->radius <= 1e5f)) {
        return false;
    }
    int cells = def->terrain != NULL ? 6 * def->side * def->side : 0;
    if (def->terrain_count != cells) {
        return false;
    }
    for (int i = 0; i < cells; i++) {
        if (def->terrain[i] >= THRONG_MAX_TERRAINS) {
            return false;
        }
    }
    return true;
}

// ---- Neighbours -------------------------------------------------------------------------------

/// Cell of another face beside column and row of a face, one of which is one step outside. The two
/// faces share the edge and how it is divided, so only the way it runs has to be found.
static uint32_t across_edge(int side, int face, int column, int row)
{
    const thg_face *own = &thg_faces[face];
    bool by_column = column < 0 || column >= side;
    int out = by_column ? column : row;
    int along = by_column ? row : column;
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
    int deep = back > 0.0 ? side - 1 : 0;
    along = same > 0.0 ? along : side - 1 - along;
    int to_column = columns_back ? deep : along, to_row = columns_back ? along : deep;
    return (uint32_t)((other * side + to_row) * side + to_column);
}

static uint32_t neighbour(int side, int face, int column, int row)
{
    bool column_in = column >= 0 && column < side, row_in = row >= 0 && row < side;
    if (column_in && row_in) {
        return (uint32_t)((face * side + row) * side + column);
    }
    if (!column_in && !row_in) { // a corner of the cube: the straight one along the columns
        row = row < 0 ? 0 : side - 1;
    }
    return across_edge(side, face, column, row);
}

static void fill_rings(throng_planet *planet)
{
    int side = planet->side;
    for (int cell = 0; cell < planet->cell_count; cell++) {
        int column = cell % side, row = cell / side % side, face = cell / (side * side);
        for (int i = 0; i < THG_RING; i++) {
            planet->ring[cell][i] =
                neighbour(side, face, column + thg_ring_x[i], row + thg_ring_y[i]);
        }
    }
}

// ---- Life -------------------------------------------------------------------------------------

throng_result throng_planet_create(const throng_planet_def *def, throng_planet **result)
{
    if (result == NULL || !def_is_valid(def)) {
        return THRONG_BAD_ARGUMENT;
    }
    throng_planet *planet = thg_allocate(1, sizeof *planet);
    if (planet == NULL) {
        return THRONG_NO_MEMORY;
    }
    planet->side = def->side;
    planet->cell_count = 6 * def->side * def->side;
    planet->radius = (double)def->radius;
    planet->cell_size = planet->radius * (0.5 * THG_PI) / (double)def->side;
    size_t count = (size_t)planet->cell_count;
    planet->terrain = thg_allocate(count, 1);
    planet->ring = thg_allocate(count, sizeof *planet->ring);
    planet->seen = thg_allocate(count, sizeof *planet->seen);
    planet->queue = thg_allocate(count, sizeof *planet->queue);
    planet->half = (def->side + 1) / 2;
    planet->tangent = thg_allocate(2 * (size_t)def->side + 1, sizeof *planet->tangent);
    planet->metric = thg_allocate((size_t)(planet->half * planet->half), sizeof *planet->metric);
    if (!planet->terrain || !planet->ring || !planet->seen || !planet->queue || !planet->tangent ||
        !planet->metric) {
        throng_planet_destroy(planet);
        return THRONG_NO_MEMORY;
    }
    memset(planet->terrain, THRONG_GROUND, count);
    if (def->terrain != NULL) {
        memcpy(planet->terrain, def->terrain, count);
    }
    for (int i = 0; i <= 2 * def->side; i++) {
        planet->tangent[i] = thg_tan(((double)i / (2.0 * def->side) - 0.5) * (0.5 * THG_PI));
    }
    fill_rings(planet);
    thg_planet_measure(planet);
    *result = planet;
    return THRONG_OK;
}

void throng_planet_destroy(throng_planet *planet)
{
    if (planet == NULL) {
        return;
    }
    size_t count = (size_t)planet->cell_count;
    for (int i = 0; i < planet->class_count; i++) {
        thg_release(planet->classes[i].price, count, sizeof(uint16_t));
    }
    thg_release(planet->terrain, count, 1);
    thg_release(planet->ring, count, sizeof *planet->ring);
    thg_release(planet->seen, count, sizeof *planet->seen);
    thg_release(planet->queue, count, sizeof *planet->queue);
    thg_release(planet->tangent, 2 * (size_t)planet->side + 1, sizeof *planet->tangent);
    thg_release(planet->metric, (size_t)(planet->half * planet->half), sizeof *planet->metric);
    thg_release(planet, 1, sizeof *planet);
}

// ---- Where a class fits -----------------------------------------------------------------------

/// Distance in the plane from the origin to a segment.
static double segment_distance(double ax, double ay, double bx, double by)
{
    double dx = bx - ax, dy = by - ay;
    double square = dx * dx + dy * dy;
    double share = square > 0.0 ? -(ax * dx + ay * dy) / square : 0.0;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    double x = ax + dx * share, y = ay + dy * share;
    return sqrt(x * x + y * y);
}

/// Metres from a place outside a cell to the cell. Its corners are laid into the plane that touches
/// at the place, each at its true distance and bearing.
static double cell_distance(const throng_planet *planet, thg_vec3 place, uint32_t cell)
{
    int side = planet->side, face = (int)cell / (side * side);
    int column = (int)cell % side, row = (int)cell / side % side;
    thg_vec3 east = thg_unit(thg_tangent(
        place, place.x * place.x < 0.5 ? (thg_vec3){1.0, 0.0, 0.0} : (thg_vec3){0.0, 1.0, 0.0}));
    thg_vec3 north = thg_cross(place, east);
    static const int corner_x[4] = {0, 1, 1, 0}, corner_y[4] = {0, 0, 1, 1};
    double x[4], y[4], least = 1e300;
    for (int i = 0; i < 4; i++) {
        thg_vec3 corner = thg_planet_corner(planet, face, column + corner_x[i], row + corner_y[i]);
        double scale = planet->radius * thg_sphere_angle(place, corner);
        thg_vec3 bearing = thg_unit(thg_tangent(place, corner));
        x[i] = thg_dot(bearing, east) * scale;
        y[i] = thg_dot(bearing, north) * scale;
    }
    for (int i = 0; i < 4; i++) {
        double distance = segment_distance(x[i], y[i], x[(i + 1) % 4], y[(i + 1) % 4]);
        least = distance < least ? distance : least;
    }
    return least;
}

/// Takes from the class the cells whose middle is within its radius of a blocked cell.
static void close_around(throng_planet *planet, thg_planet_class *class_, uint32_t wall)
{
    double radius = (double)class_->def.radius * (1.0 - 1e-5);
    // A middle that near lies within the radius and the cell's own half diagonal of its middle.
    double reach = (radius + 0.85 * planet->cell_size) / planet->radius;
    thg_vec3 middle = thg_planet_middle(planet, wall);
    uint32_t count = 0;
    planet->round++;
    planet->seen[wall] = planet->round;
    planet->queue[count++] = wall;
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < THG_RING; k++) {
            uint32_t cell = planet->ring[planet->queue[i]][k];
            if (planet->seen[cell] == planet->round) {
                continue;
            }
            planet->seen[cell] = planet->round;
            thg_vec3 place = thg_planet_middle(planet, cell);
            if (thg_sphere_angle(place, middle) > reach) {
                continue;
            }
            planet->queue[count++] = cell;
            if (class_->price[cell] != 0 && cell_distance(planet, place, wall) < radius) {
                class_->price[cell] = 0;
            }
        }
    }
}

static void fill_class(throng_planet *planet, thg_planet_class *class_)
{
    for (int cell = 0; cell < planet->cell_count; cell++) {
        float price = class_->def.cost[planet->terrain[cell]] * (float)THG_PRICE_UNIT + 0.5f;
        bool blocked = thg_planet_blocked(planet, class_, (uint32_t)cell);
        class_->price[cell] = blocked ? 0 : (uint16_t)(price >= 1.0f ? price : 1.0f);
    }
    for (uint32_t cell = 0; cell < (uint32_t)planet->cell_count; cell++) {
        bool inner = true; // all around are blocked too: the outer ones are nearer to everybody
        for (int k = 0; k < THG_RING; k++) {
            inner = inner && thg_planet_blocked(planet, class_, planet->ring[cell][k]);
        }
        if (class_->def.radius > 0.0f && !inner && thg_planet_blocked(planet, class_, cell)) {
            close_around(planet, class_, cell);
        }
    }
}

static bool class_is_valid(const throng_planet *planet, const throng_class_def *def)
{
    double most = MOST_RADIUS_CELLS * planet->cell_size;
    most = most < 0.5 * planet->radius ? most : 0.5 * planet->radius;
    if (def == NULL || def->cookie != throng_default_class_def().cookie ||
        !(def->radius >= 0.0f && (double)def->radius <= most) || def->wall_surcharge != 0.0f ||
        def->cost[THRONG_WALL] != 0.0f) {
        return false;
    }
    for (int i = 0; i < THRONG_MAX_TERRAINS; i++) {
        float cost = def->cost[i];
        if (cost != 0.0f && !(cost >= 1.0f / 16.0f && cost <= 64.0f)) {
            return false;
        }
    }
    return true;
}

throng_result throng_planet_add_class(throng_planet *planet, const throng_class_def *def,
                                      int *class_index)
{
    if (planet == NULL || class_index == NULL || !class_is_valid(planet, def)) {
        return THRONG_BAD_ARGUMENT;
    }
    if (planet->class_count == THRONG_MAX_CLASSES) {
        return THRONG_LIMIT;
    }
    thg_planet_class class_ = {.def = *def};
    for (int i = 0; i < THRONG_MAX_TERRAINS; i++) {
        class_.blocked_terrains |= def->cost[i] == 0.0f ? 1u << i : 0u;
    }
    class_.price = thg_allocate((size_t)planet->cell_count, sizeof *class_.price);
    if (class_.price == NULL) {
        return THRONG_NO_MEMORY;
    }
    fill_class(planet, &class_);
    *class_index = planet->class_count;
    planet->classes[planet->class_count++] = class_;
    return THRONG_OK;
}

throng_result throng_planet_paint(throng_planet *planet, throng_vec3 place, float reach,
                                  int terrain)
{
    if (!thg_is_place(place) || !(reach >= 0.0f) || !thg_is_finite(reach) || terrain < 0 ||
        terrain >= THRONG_MAX_TERRAINS) {
        return THRONG_BAD_ARGUMENT;
    }
    thg_vec3 middle = thg_unit(thg_wide(place));
    for (int cell = 0; cell < planet->cell_count; cell++) {
        double angle = thg_sphere_angle(thg_planet_middle(planet, (uint32_t)cell), middle);
        if (angle * planet->radius <= (double)reach) {
            planet->terrain[cell] = (uint8_t)terrain;
        }
    }
    for (int i = 0; i < planet->class_count; i++) {
        fill_class(planet, &planet->classes[i]);
    }
    return THRONG_OK;
}

bool thg_is_place(throng_vec3 place)
{
    float most = 1e18f; // its square is finite
    float sum = fabsf(place.x) + fabsf(place.y) + fabsf(place.z);
    return sum >= 1e-18f && sum <= most;
}
