/// The metric: true lengths between the middles of neighbouring cells, as whole numbers, so that
/// what a field makes of them is the same everywhere.
#include "map/planet.h"

#define LENGTH_UNIT 16384.0 ///< of a cell
#define SHARE_UNIT 8192.0
#define BOUND_UNIT 16384.0
#define MARGIN 0.005 ///< of the price of an edge: keeps slopes inside [0, 1] whatever was rounded

static int rounded(double value)
{
    return (int)floor(value + 0.5);
}

static thg_triangle triangle_of(double ca, double cb, double ab)
{
    if (!(ab > 1e-6)) {
        return (thg_triangle){0}; // a corner of the cube: both are the same cell
    }
    double foot = (ca * ca + ab * ab - cb * cb) / (2.0 * ab * ab);
    double height = sqrt(ca * ca / (ab * ab) - foot * foot);
    double rest = 1.0 - foot;
    double high = foot / sqrt(foot * foot + height * height) - MARGIN;
    double low = -rest / sqrt(rest * rest + height * height) + MARGIN;
    return (thg_triangle){
        .edge = (uint16_t)rounded(ab * LENGTH_UNIT),
        .foot = (int16_t)rounded(foot * SHARE_UNIT),
        .height = (uint16_t)rounded(height * SHARE_UNIT),
        .low = (int16_t)rounded(low * BOUND_UNIT),
        .high = (int16_t)rounded(high * BOUND_UNIT),
    };
}

void thg_planet_measure(throng_planet *planet)
{
    double scale = planet->radius / planet->cell_size;
    for (int i = 0; i < planet->half * planet->half; i++) {
        int column = i % planet->half, row = i / planet->half;
        uint32_t cell = (uint32_t)(row * planet->side + column);
        thg_vec3 middle = thg_planet_middle(planet, cell), ring[THG_RING];
        double length[THG_RING];
        for (int k = 0; k < THG_RING; k++) {
            ring[k] = thg_planet_middle(planet, planet->ring[cell][k]);
            length[k] = thg_sphere_angle(middle, ring[k]) * scale;
            planet->metric[i].length[k] = (uint16_t)rounded(length[k] * LENGTH_UNIT);
        }
        for (int k = 0; k < THG_RING; k++) {
            int straight = k % 2 == 0 ? k : (k + 1) & 7, odd = k % 2 == 0 ? k + 1 : k;
            double edge = thg_sphere_angle(ring[straight], ring[odd]) * scale;
            planet->metric[i].triangles[k] = triangle_of(length[straight], length[odd], edge);
        }
    }
}
