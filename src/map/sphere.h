/// The sphere as six squares: charts of equal angles, steps along great circles, and the few
/// functions of angles that this takes, from sums, products, quotients and square roots alone, so
/// that the bits are the same everywhere.
#ifndef THG_SPHERE_H
#define THG_SPHERE_H

#include "core/core.h"
#include <math.h>

#define THG_PI 3.14159265358979323846

typedef struct thg_vec3 {
    double x, y, z;
} thg_vec3;

/// A face: its middle, and the axes of its columns and rows; right-handed, seen from outside.
typedef struct thg_face {
    thg_vec3 middle, along, up;
} thg_face;
extern const thg_face thg_faces[6];

static inline thg_vec3 thg_plus(thg_vec3 a, thg_vec3 b, double scale)
{
    return (thg_vec3){a.x + b.x * scale, a.y + b.y * scale, a.z + b.z * scale};
}

static inline double thg_dot(thg_vec3 a, thg_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline thg_vec3 thg_cross(thg_vec3 a, thg_vec3 b)
{
    return (thg_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double thg_length(thg_vec3 a)
{
    return sqrt(thg_dot(a, a));
}

/// Zero stays zero.
static inline thg_vec3 thg_unit(thg_vec3 a)
{
    double length = thg_length(a);
    return length > 0.0 ? (thg_vec3){a.x / length, a.y / length, a.z / length} : a;
}

/// What of a vector is along the surface at a unit place.
static inline thg_vec3 thg_tangent(thg_vec3 place, thg_vec3 vector)
{
    return thg_plus(vector, place, -thg_dot(place, vector));
}

/// Sine and cosine of any angle of less than a few thousand turns, to a few ulps.
void thg_sine_cosine(double angle, double *sine, double *cosine);
/// Tangent of an angle in [-pi/3, pi/3].
double thg_tan(double angle);
/// Angle of the vector (cosine, sine) for sine >= 0, any length: in [0, pi].
double thg_angle(double sine, double cosine);

/// The face under a place that is not zero, and where on it: each of u, v in [0, 1] over a quarter
/// turn.
int thg_sphere_chart(thg_vec3 place, double *u, double *v);
/// Angle between two unit places.
double thg_sphere_angle(thg_vec3 from, thg_vec3 to);
/// Moves a unit place by an angle along the great circle of a unit heading, which comes along.
void thg_sphere_move(thg_vec3 *place, thg_vec3 *heading, double angle);

#endif
