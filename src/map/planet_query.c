/// Questions to a planet: where cells are, how far it is, and how one moves on it.
#include "map/planet.h"

static thg_vec3 place_at(const throng_planet *planet, int face, int column2, int row2)
{
    const thg_face *at = &thg_faces[face];
    thg_vec3 place = thg_plus(at->middle, at->along, planet->tangent[column2]);
    return thg_unit(thg_plus(place, at->up, planet->tangent[row2]));
}

thg_vec3 thg_planet_corner(const throng_planet *planet, int face, int column, int row)
{
    return place_at(planet, face, 2 * column, 2 * row);
}

thg_vec3 thg_planet_middle(const throng_planet *planet, uint32_t cell)
{
    int side = planet->side, at = (int)cell;
    return place_at(planet, at / (side * side), 2 * (at % side) + 1, 2 * (at / side % side) + 1);
}

int throng_planet_side(const throng_planet *planet)
{
    return planet->side;
}

float throng_planet_radius(const throng_planet *planet)
{
    return (float)planet->radius;
}

int throng_planet_cell_count(const throng_planet *planet)
{
    return planet->cell_count;
}

float throng_planet_cell_size(const throng_planet *planet)
{
    return (float)planet->cell_size;
}

int throng_planet_cell_at(const throng_planet *planet, throng_vec3 place)
{
    if (!thg_is_place(place)) {
        return -1;
    }
    double u, v;
    int face = thg_sphere_chart(thg_unit(thg_wide(place)), &u, &v);
    int column = thg_min_int(thg_max_int((int)(u * (double)planet->side), 0), planet->side - 1);
    int row = thg_min_int(thg_max_int((int)(v * (double)planet->side), 0), planet->side - 1);
    return (face * planet->side + row) * planet->side + column;
}

static bool is_cell(const throng_planet *planet, int cell)
{
    return cell >= 0 && cell < planet->cell_count;
}

throng_vec3 throng_planet_cell_center(const throng_planet *planet, int cell)
{
    THRONG_ASSERT(is_cell(planet, cell));
    return thg_narrow(thg_planet_middle(planet, (uint32_t)cell));
}

int throng_planet_terrain_at(const throng_planet *planet, int cell)
{
    return is_cell(planet, cell) ? planet->terrain[cell] : THRONG_WALL;
}

bool throng_planet_fits(const throng_planet *planet, int class_index, int cell)
{
    return class_index >= 0 && class_index < planet->class_count && is_cell(planet, cell) &&
           planet->classes[class_index].price[cell] != 0;
}

throng_vec3 throng_planet_at(float longitude_deg, float latitude_deg)
{
    double latitude = (double)thg_clamp(latitude_deg, -90.0f, 90.0f), turns = (double)longitude_deg;
    turns = thg_is_finite(longitude_deg) ? turns / 360.0 - floor(turns / 360.0) : 0.0;
    double east, north, out, along;
    thg_sine_cosine(turns * (2.0 * THG_PI), &east, &out);
    thg_sine_cosine((latitude == latitude ? latitude : 0.0) * (THG_PI / 180.0), &north, &along);
    return thg_narrow((thg_vec3){out * along, east * along, north});
}

void throng_planet_degrees(throng_vec3 place, float *longitude_deg, float *latitude_deg)
{
    thg_vec3 at = thg_unit(thg_wide(place));
    double across = sqrt(at.x * at.x + at.y * at.y);
    double longitude = thg_angle(at.y < 0.0 ? -at.y : at.y, at.x) * (180.0 / THG_PI);
    *longitude_deg = (float)(at.y < 0.0 ? -longitude : longitude);
    *latitude_deg = (float)(90.0 - thg_angle(across, at.z) * (180.0 / THG_PI));
}

float throng_planet_distance(const throng_planet *planet, throng_vec3 from, throng_vec3 to)
{
    return (float)(planet->radius *
                   thg_sphere_angle(thg_unit(thg_wide(from)), thg_unit(thg_wide(to))));
}

throng_vec3 throng_planet_heading(throng_vec3 from, throng_vec3 to)
{
    thg_vec3 place = thg_unit(thg_wide(from));
    thg_vec3 way = thg_tangent(place, thg_unit(thg_wide(to)));
    // What is left where there is no way is rounding: places are floats.
    return thg_length(way) > 1e-7 ? thg_narrow(thg_unit(way)) : (throng_vec3){0.0f, 0.0f, 0.0f};
}

void throng_planet_move(const throng_planet *planet, throng_vec3 *place, throng_vec3 *heading,
                        float metres)
{
    thg_vec3 at = thg_unit(thg_wide(*place));
    thg_vec3 way = thg_unit(thg_tangent(at, thg_wide(*heading)));
    if (thg_length(way) > 0.0 && thg_is_finite(metres)) {
        thg_sphere_move(&at, &way, (double)metres / planet->radius);
    }
    *place = thg_narrow(at);
    *heading = thg_narrow(way);
}
