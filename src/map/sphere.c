#include "map/sphere.h"

const thg_face thg_faces[6] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},   {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}},
    {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}, {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
    {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},  {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}},
};

/// Taylor's series within an eighth of a turn: the first term left out is below 1e-17.
static void small_sine_cosine(double angle, double *sine, double *cosine)
{
    double square = angle * angle;
    double s = 0.0, c = 0.0;
    for (int k = 9; k >= 1; k--) {
        double n = (double)(2 * k);
        s = (1.0 - s) * square / (n * (n + 1.0));
        c = (1.0 - c) * square / (n * (n - 1.0));
    }
    *sine = angle * (1.0 - s);
    *cosine = 1.0 - c;
}

void thg_sine_cosine(double angle, double *sine, double *cosine)
{
    double quarters = floor(angle / (0.5 * THG_PI) + 0.5);
    double s, c;
    small_sine_cosine(angle - quarters * (0.5 * THG_PI), &s, &c);
    switch ((int)(quarters - 4.0 * floor(0.25 * quarters))) {
    case 0:
        *sine = s;
        *cosine = c;
        break;
    case 1:
        *sine = c;
        *cosine = -s;
        break;
    case 2:
        *sine = -s;
        *cosine = -c;
        break;
    default:
        *sine = -c;
        *cosine = s;
    }
}

double thg_tan(double angle)
{
    double sine, cosine;
    thg_sine_cosine(angle, &sine, &cosine);
    return sine / cosine;
}

/// Inverse tangent of a ratio in [0, 1]: halved twice by tan(a / 2), then its series.
static double small_angle(double ratio)
{
    for (int i = 0; i < 2; i++) {
        ratio = ratio / (1.0 + sqrt(1.0 + ratio * ratio));
    }
    double square = ratio * ratio, sum = 0.0;
    for (int k = 23; k >= 1; k -= 2) {
        sum = 1.0 / (double)k - square * sum;
    }
    return 4.0 * ratio * sum;
}

double thg_angle(double sine, double cosine)
{
    double across = cosine < 0.0 ? -cosine : cosine;
    if (sine == 0.0 && across == 0.0) {
        return 0.0;
    }
    double angle =
        sine <= across ? small_angle(sine / across) : 0.5 * THG_PI - small_angle(across / sine);
    return cosine < 0.0 ? THG_PI - angle : angle;
}

/// Where on a quarter turn a ratio of two sides lies.
static double chart_at(double ratio)
{
    double angle = small_angle(ratio < 0.0 ? -ratio : ratio);
    return 0.5 + (ratio < 0.0 ? -angle : angle) * (2.0 / THG_PI);
}

int thg_sphere_chart(thg_vec3 place, double *u, double *v)
{
    int face = 0;
    for (int i = 1; i < 6; i++) {
        face =
            thg_dot(place, thg_faces[i].middle) > thg_dot(place, thg_faces[face].middle) ? i : face;
    }
    double height = thg_dot(place, thg_faces[face].middle);
    *u = chart_at(thg_dot(place, thg_faces[face].along) / height);
    *v = chart_at(thg_dot(place, thg_faces[face].up) / height);
    return face;
}

double thg_sphere_angle(thg_vec3 from, thg_vec3 to)
{
    return thg_angle(thg_length(thg_cross(from, to)), thg_dot(from, to));
}

void thg_sphere_move(thg_vec3 *place, thg_vec3 *heading, double angle)
{
    double sine, cosine;
    thg_sine_cosine(angle, &sine, &cosine);
    thg_vec3 zero = {0.0, 0.0, 0.0};
    thg_vec3 to = thg_plus(thg_plus(zero, *place, cosine), *heading, sine);
    thg_vec3 on = thg_plus(thg_plus(zero, *heading, cosine), *place, -sine);
    *place = thg_unit(to);
    *heading = thg_unit(thg_tangent(*place, on));
}
