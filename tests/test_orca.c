/// Reciprocal avoidance: half planes and programs against brute force in double.
#include "crowd_fixture.h"

#include "crowd/orca.h"

static uint32_t seed = 11;

static float in(float low, float high)
{
    return fixture_random_in(&seed, low, high);
}

/// A circle's point without sine, well enough spread.
static void unit(float *x, float *y)
{
    float length;
    do {
        *x = in(-1.0f, 1.0f);
        *y = in(-1.0f, 1.0f);
        length = sqrtf(*x * *x + *y * *y);
    } while (length < 0.1f || length > 1.0f);
    *x /= length;
    *y /= length;
}

/// By how much the neighbours' half planes are broken at most; infinite where a wall's, or the
/// speed, is.
static double broken(const thg_orca_planes *planes, double most, double x, double y)
{
    double worst = 0.0;
    for (int i = 0; i < planes->count; i++) {
        double short_of = planes->b[i] - (planes->nx[i] * x + planes->ny[i] * y);
        if (i < planes->walls && short_of > 1e-5) {
            return INFINITY;
        }
        worst = i >= planes->walls && short_of > worst ? short_of : worst;
    }
    return x * x + y * y > most * most * 1.00001 ? INFINITY : worst;
}

typedef struct search {
    const thg_orca_planes *planes;
    double most, wish_x, wish_y;
    double nearest; ///< to the wish, of those that break nothing
    double least;   ///< broken
} search;

static void try_point(search *the, double x, double y)
{
    double worst = broken(the->planes, the->most, x, y);
    double distance = hypot(x - the->wish_x, y - the->wish_y);
    the->least = worst < the->least ? worst : the->least;
    the->nearest = worst <= 1e-6 && distance < the->nearest ? distance : the->nearest;
}

/// The best of all points at which the optimum can lie: corners of the lines on which two half
/// planes are equally broken, of the half planes' own edges, and of the disc.
static search search_all(const thg_orca_planes *planes, double most, double wish_x, double wish_y)
{
    static double lines[400][3];
    int count = 0;
    for (int i = 0; i < planes->count; i++) {
        lines[count][0] = planes->nx[i];
        lines[count][1] = planes->ny[i];
        lines[count++][2] = planes->b[i];
        for (int j = planes->walls; j < i && i >= planes->walls; j++) {
            double x = (double)planes->nx[i] - planes->nx[j];
            double y = (double)planes->ny[i] - planes->ny[j], length = hypot(x, y);
            if (length > 1e-9) {
                lines[count][0] = x / length;
                lines[count][1] = y / length;
                lines[count++][2] = ((double)planes->b[i] - planes->b[j]) / length;
            }
        }
    }
    search the = {planes, most, wish_x, wish_y, INFINITY, INFINITY};
    double length = hypot(wish_x, wish_y), scale = length > most ? most / length : 1.0;
    try_point(&the, wish_x * scale, wish_y * scale);
    for (int i = 0; i < count; i++) {
        double nx = lines[i][0], ny = lines[i][1], b = lines[i][2];
        double t = wish_y * nx - wish_x * ny, half = most * most - b * b;
        try_point(&the, b * nx - t * ny, b * ny + t * nx);
        try_point(&the, most * nx, most * ny);
        for (int side = -1; side <= 1 && half >= 0.0; side += 2) {
            t = side * sqrt(half);
            try_point(&the, b * nx - t * ny, b * ny + t * nx);
        }
        for (int j = 0; j < i; j++) {
            double det = nx * lines[j][1] - ny * lines[j][0];
            if (fabs(det) > 1e-9) {
                try_point(&the, (b * lines[j][1] - ny * lines[j][2]) / det,
                          (nx * lines[j][2] - b * lines[j][0]) / det);
            }
        }
    }
    return the;
}

static const thg_orca_kernels *build(int i)
{
    static const throng_kernels kinds[] = {THRONG_KERNELS_PORTABLE, THRONG_KERNELS_AVX2,
                                           THRONG_KERNELS_AVX512};
    return thg_orca_kernels_get(kinds[i]);
}

static void check_choice(const thg_orca_planes *planes, const thg_orca_agent *agent, int *beaten)
{
    float x, y;
    bool all = thg_orca_portable.choose(planes, agent, &x, &y);
    for (int i = 1; i < 3; i++) {
        float their_x, their_y;
        assert_int_equal(build(i)->choose(planes, agent, &their_x, &their_y), all);
        assert_memory_equal(&x, &their_x, sizeof x);
        assert_memory_equal(&y, &their_y, sizeof y);
    }
    search best = search_all(planes, agent->most, agent->wish_x, agent->wish_y);
    double worst = 0.0;
    for (int i = 0; i < planes->count; i++) {
        worst = fmax(worst, planes->b[i] - ((double)planes->nx[i] * x + (double)planes->ny[i] * y));
    }
    assert_true(hypot(x, y) <= agent->most * 1.0001);
    if (all) {
        assert_true(worst < 1e-4);
        assert_true(hypot(x - agent->wish_x, y - agent->wish_y) < best.nearest + 1e-3);
    } else {
        *beaten += 1;
        assert_true(worst < best.least + 1e-3);
    }
}

static void choices_are_those_of_brute_force(void **state)
{
    (void)state;
    int beaten = 0;
    for (int i = 0; i < 10000; i++) {
        thg_orca_planes planes = {.walls = (int)in(0.0f, 2.99f), .count = (int)in(2.0f, 8.99f)};
        for (int k = 0; k < planes.count; k++) {
            unit(&planes.nx[k], &planes.ny[k]);
            planes.b[k] = k < planes.walls ? in(-1.0f, -0.01f) : in(-1.5f, i % 2 ? 0.3f : 1.5f);
            if (k > planes.walls && i % 5 == 0) { // side by side, or against each other
                planes.nx[k] = i % 10 ? planes.nx[k - 1] : -planes.nx[k - 1];
                planes.ny[k] = i % 10 ? planes.ny[k - 1] : -planes.ny[k - 1];
            }
        }
        thg_orca_agent agent = {.most = in(0.5f, 2.0f)};
        agent.wish_x = i % 7 ? in(-2.0f, 2.0f) : 0.0f;
        agent.wish_y = i % 7 ? in(-2.0f, 2.0f) : 0.0f;
        check_choice(&planes, &agent, &beaten);
    }
    assert_true(beaten > 1000 && beaten < 9000);
}

/// True when two discs that keep a relative velocity touch within the horizon: sampled, not solved.
static bool touches(double cx, double cy, double reach, double vx, double vy, double horizon)
{
    double square = vx * vx + vy * vy;
    double t = square > 0.0 ? (cx * vx + cy * vy) / square : 0.0;
    t = t < 0.0 ? 0.0 : t > horizon ? horizon : t;
    return hypot(cx - vx * t, cy - vy * t) < reach;
}

static void two_who_keep_their_half_planes_do_not_touch(void **state)
{
    (void)state;
    int bent = 0;
    for (int i = 0; i < 10000; i++) {
        float ux, uy;
        unit(&ux, &uy);
        float apart = in(0.6f, 4.0f);
        thg_orca_agent a = {.vx = in(-1.5f, 1.5f),
                            .vy = in(-1.5f, 1.5f),
                            .radius = 0.25f,
                            .give = in(0.2f, 5.0f),
                            .own_x = 1.0f,
                            .most = 3.0f,
                            .horizon = 2.0f,
                            .dt = 0.1f};
        thg_orca_agent b = a;
        b.x = ux * apart;
        b.y = uy * apart;
        b.vx = in(-1.5f, 1.5f);
        b.vy = in(-1.5f, 1.5f);
        b.give = in(0.2f, 5.0f);
        a.wish_x = a.vx;
        a.wish_y = a.vy;
        b.wish_x = b.vx;
        b.wish_y = b.vy;
        thg_orca_near of_a = {.x = {b.x},
                              .y = {b.y},
                              .vx = {b.vx},
                              .vy = {b.vy},
                              .radius = {b.radius},
                              .give = {b.give}};
        thg_orca_near of_b = {.x = {a.x},
                              .y = {a.y},
                              .vx = {a.vx},
                              .vy = {a.vy},
                              .radius = {a.radius},
                              .give = {a.give}};
        thg_orca_planes pa = {0}, pb = {0};
        float ax, ay, bx, by;
        thg_orca_portable.planes(&a, &of_a, 1, &pa);
        thg_orca_portable.planes(&b, &of_b, 1, &pb);
        assert_near(hypotf(pa.nx[0], pa.ny[0]), 1.0, 1e-4);
        assert_near(pa.nx[0], -pb.nx[0], 1e-4);
        bool both = thg_orca_portable.choose(&pa, &a, &ax, &ay);
        both = thg_orca_portable.choose(&pb, &b, &bx, &by) && both;
        bool would = touches(b.x, b.y, 0.5, a.vx - b.vx, a.vy - b.vy, 2.0);
        if (both) {
            assert_false(touches(b.x, b.y, 0.499, ax - bx, ay - by, 1.999));
        }
        if (!would) { // who is free already need not turn
            assert_near(ax, a.vx, 1e-3);
            assert_near(by, b.vy, 1e-3);
        }
        bent += would;
    }
    assert_true(bent > 300 && bent < 9700);
}

static void velocities_that_keep_the_walls_planes_hit_no_wall(void **state)
{
    (void)state;
    int held = 0;
    for (int i = 0; i < 10000; i++) {
        // One free-standing block, all its edges that face the agent.
        float x0 = in(-4.0f, 3.0f), y0 = in(-4.0f, 3.0f), x1 = x0 + in(0.5f, 3.0f);
        float y1 = y0 + in(0.5f, 3.0f);
        double near_x = x0 > 0 ? x0 : x1 < 0 ? x1 : 0, near_y = y0 > 0 ? y0 : y1 < 0 ? y1 : 0;
        if (hypot(near_x, near_y) < 0.31) {
            continue;
        }
        thg_orca_wall walls[4];
        int count = 0;
        if (y0 > 0) {
            walls[count++] = (thg_orca_wall){x0, y0, x1, y0, 1, 1};
        }
        if (y1 < 0) {
            walls[count++] = (thg_orca_wall){x1, y1, x0, y1, 1, 1};
        }
        if (x0 > 0) {
            walls[count++] = (thg_orca_wall){x0, y1, x0, y0, 1, 1};
        }
        if (x1 < 0) {
            walls[count++] = (thg_orca_wall){x1, y0, x1, y1, 1, 1};
        }
        thg_orca_agent agent = {
            .vx = in(-1.0f, 1.0f), .vy = in(-1.0f, 1.0f), .radius = 0.3f, .most = 2.0f};
        agent.wish_x = in(-2.0f, 2.0f);
        agent.wish_y = in(-2.0f, 2.0f);
        thg_orca_planes planes;
        thg_orca_wall_planes(&agent, 2.0f, walls, count, &planes);
        float vx, vy;
        assert_true(thg_orca_portable.choose(&planes, &agent, &vx, &vy));
        for (int k = 0; k <= 200; k++) {
            double t = 0.01 * k, x = vx * t, y = vy * t;
            double dx = x < x0 ? x0 - x : x > x1 ? x - x1 : 0;
            double dy = y < y0 ? y0 - y : y > y1 ? y - y1 : 0;
            assert_true(hypot(dx, dy) > 0.299);
        }
        held += planes.count > 0;
    }
    assert_true(held > 2000);
}

static void nothing_degenerate_makes_a_nan(void **state)
{
    (void)state;
    for (int i = 0; i < 4000; i++) {
        thg_orca_agent agent = {.vx = i % 2 ? in(-1.0f, 1.0f) : 0.0f,
                                .radius = 0.3f,
                                .give = 1.0f,
                                .own_x = 0.6f,
                                .own_y = 0.8f,
                                .most = i % 3 ? 1.0f : 0.0f,
                                .horizon = 2.0f,
                                .dt = 1e-6f};
        thg_orca_near near = {.radius = {0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f}};
        int count = 1 + i % 9;
        for (int k = 0; k < count; k++) {
            near.x[k] = k % 3 ? 0.6f * (float)(k % 2) : 0.0f; // touching, or on top
            near.y[k] = i % 5 ? 0.0f : in(-1.0f, 1.0f);
            near.vx[k] = k % 2 ? agent.vx : 0.0f;
            near.give[k] = k % 2 ? 1.0f : 0.0f;
        }
        thg_orca_planes planes = {0};
        thg_orca_portable.planes(&agent, &near, count, &planes);
        for (int k = 1; k < 3; k++) {
            thg_orca_planes theirs = {0};
            build(k)->planes(&agent, &near, count, &theirs);
            assert_memory_equal(&planes, &theirs, sizeof planes);
        }
        float x, y;
        thg_orca_portable.choose(&planes, &agent, &x, &y);
        assert_true(x - x == 0.0f && y - y == 0.0f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(choices_are_those_of_brute_force),
        TEST(two_who_keep_their_half_planes_do_not_touch),
        TEST(velocities_that_keep_the_walls_planes_hit_no_wall),
        TEST(nothing_degenerate_makes_a_nan),
    };
    return RUN_TESTS(tests);
}
