/// Planets: neighbours, steps along the sphere across the edges and corners of the cube, where
/// classes fit, and what is refused.
#include "planet_cells.h"

static void neighbours_are_mutual_and_near_on_every_face(void **state)
{
    (void)state;
    static const int sides[4] = {2, 3, 8, 33};
    for (int i = 0; i < 4; i++) {
        throng_planet *planet = planet_of(sides[i], 50.0f, NULL);
        double cell = 0.5 * THG_PI / sides[i];
        int doubles = 0;
        for (uint32_t at = 0; at < (uint32_t)planet->cell_count; at++) {
            thg_vec3 middle = thg_planet_middle(planet, at);
            assert_int_equal(throng_planet_cell_at(planet, thg_narrow(middle)), at);
            for (int k = 0; k < THG_RING; k++) {
                uint32_t to = planet->ring[at][k];
                bool back = false, twice = k % 2 == 1 && (to == planet->ring[at][k - 1] ||
                                                          to == planet->ring[at][(k + 1) & 7]);
                for (int j = 0; j < THG_RING; j++) {
                    back = back || planet->ring[to][j] == at;
                }
                assert_true(back);
                doubles += twice;
                double length = thg_sphere_angle(middle, thg_planet_middle(planet, to)) / cell;
                assert_true(length > 0.6 && length < 1.7);
            }
        }
        assert_int_equal(doubles, 24); // three cells at each of eight corners
        throng_planet_destroy(planet);
    }
}

static void angles_are_those_of_the_mathematics_library(void **state)
{
    (void)state;
    for (int i = -4000; i <= 4000; i++) {
        double angle = (double)i * 0.003, sine, cosine;
        thg_sine_cosine(angle, &sine, &cosine);
        assert_true(fabs(sine - sin(angle)) < 4e-15 && fabs(cosine - cos(angle)) < 4e-15);
        if (sine >= 0.0) {
            assert_true(fabs(thg_angle(2.0 * sine, 2.0 * cosine) - acos(cos(angle))) < 2e-7);
            assert_true(fabs(thg_angle(sine, cosine) - atan2(sine, cosine)) < 1e-15);
        }
    }
    assert_true(thg_angle(0.0, 0.0) == 0.0);
}

static void straight_on_crosses_edges_and_corners_without_a_jump(void **state)
{
    (void)state;
    throng_planet *planet = planet_of(32, 80.0f, NULL);
    uint64_t random = 11;
    int crossings = 0, corners = 0;
    for (int walk = 0; walk < 200; walk++) {
        throng_vec3 place = random_place(&random), to = random_place(&random);
        if (walk < 48) { // through a corner of the cube, or within a hundredth of a cell of it
            float off = walk < 8 ? 0.0f : 5e-4f * (random_share(&random) - 0.5f);
            to = (throng_vec3){walk & 1 ? 1.0f : -1.0f, (walk & 2 ? 1.0f : -1.0f) + off,
                               walk & 4 ? 1.0f : -1.0f};
            corners++;
        }
        throng_vec3 start = place, heading = throng_planet_heading(place, to), first = heading;
        thg_vec3 axis = thg_cross(thg_wide(place), thg_wide(heading));
        int steps = 2000, face = face_of(planet, place);
        float pace = (float)(2.0 * THG_PI * 80.0 / steps);
        for (int i = 0; i < steps; i++) {
            throng_vec3 before = place, ahead = heading;
            throng_planet_move(planet, &place, &heading, pace);
            assert_float_equal(throng_planet_distance(planet, before, place), pace, 1e-4);
            // Place and heading turn by the same small angle and stay in one plane.
            double turn = thg_sphere_angle(thg_wide(ahead), thg_wide(heading));
            assert_true(fabs(turn - (double)pace / 80.0) < 2e-6);
            assert_true(fabs(thg_dot(axis, thg_wide(place))) < 1e-4);
            assert_true(fabs(thg_dot(thg_wide(place), thg_wide(heading))) < 1e-6);
            crossings += face_of(planet, place) != face;
            face = face_of(planet, place);
        }
        assert_true(throng_planet_distance(planet, start, place) < 0.02f);
        assert_true(thg_sphere_angle(thg_wide(first), thg_wide(heading)) < 3e-4);
    }
    assert_int_equal(corners, 48);
    assert_true(crossings >= 4 * 200);
    throng_planet_destroy(planet);
}

static void a_class_fits_where_its_disc_touches_nothing(void **state)
{
    (void)state;
    throng_planet *planet = world(16, 60.0f);
    static const float radii[4] = {0.0f, 2.0f, 5.0f, 11.0f};
    for (int i = 0; i < 4; i++) {
        throng_class_def def = throng_default_class_def();
        int index, closed = 0;
        def.radius = radii[i];
        assert_ok(throng_planet_add_class(planet, &def, &index));
        const thg_planet_class *class_ = &planet->classes[index];
        for (uint32_t cell = 0; cell < (uint32_t)planet->cell_count; cell++) {
            // Against points along the sides of all blocked cells.
            thg_vec3 middle = thg_planet_middle(planet, cell);
            bool blocked = thg_planet_blocked(planet, class_, cell);
            double least = blocked ? 0.0 : 1e9;
            for (uint32_t wall = 0; wall < (uint32_t)planet->cell_count && !blocked; wall++) {
                int side = planet->side, face = (int)wall / (side * side);
                int column = (int)wall % side, row = (int)wall / side % side;
                for (int k = 0; k < 4 * 8 && thg_planet_blocked(planet, class_, wall); k++) {
                    static const int dx[5] = {0, 1, 1, 0, 0}, dy[5] = {0, 0, 1, 1, 0};
                    int edge = k / 8;
                    thg_vec3 a = thg_planet_corner(planet, face, column + dx[edge], row + dy[edge]);
                    thg_vec3 b =
                        thg_planet_corner(planet, face, column + dx[edge + 1], row + dy[edge + 1]);
                    thg_vec3 point = thg_unit(thg_plus(a, thg_plus(b, a, -1.0), (k % 8) / 8.0));
                    double off = thg_sphere_angle(middle, point) * planet->radius;
                    least = off < least ? off : least;
                }
            }
            bool fits = throng_planet_fits(planet, index, (int)cell);
            closed += !fits && !blocked;
            if (!blocked && fabs(least - (double)radii[i]) > 0.12) {
                assert_int_equal(fits, least >= (double)radii[i]);
            }
            assert_true(!blocked || !fits);
        }
        assert_true(closed > 0 || radii[i] < 2.5f);
    }
    throng_planet_destroy(planet);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    throng_planet_def def = throng_default_planet_def();
    throng_planet *planet = NULL;
    static uint8_t terrain[6 * 4 * 4];
    const throng_planet_def good = {def.cookie, 4, 10.0f, terrain, 6 * 4 * 4};
    static const int sides[5] = {0, 1, -3, THRONG_MAX_PLANET_SIDE + 1, 5};
    for (int i = 0; i < 5; i++) { // the last has terrain for side 4
        def = good;
        def.side = sides[i];
        assert_int_equal(throng_planet_create(&def, &planet), THRONG_BAD_ARGUMENT);
    }
    static const float radii[5] = {0.0f, -1.0f, 1e6f, NAN, INFINITY};
    for (int i = 0; i < 5; i++) {
        def = good;
        def.radius = radii[i];
        assert_int_equal(throng_planet_create(&def, &planet), THRONG_BAD_ARGUMENT);
    }
    def = good;
    def.terrain_count = 95; // no face's worth
    assert_int_equal(throng_planet_create(&def, &planet), THRONG_BAD_ARGUMENT);
    def = good;
    def.cookie = 0;
    assert_int_equal(throng_planet_create(&def, &planet), THRONG_BAD_ARGUMENT);
    terrain[7] = THRONG_MAX_TERRAINS;
    assert_int_equal(throng_planet_create(&good, &planet), THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_planet_create(NULL, &planet), THRONG_BAD_ARGUMENT);
    assert_null(planet);
    memset(terrain, THRONG_GROUND, sizeof terrain);
    assert_ok(throng_planet_create(&good, &planet));

    throng_class_def class_def = throng_default_class_def();
    int index;
    class_def.radius = 6.0f; // more than half the planet's
    assert_int_equal(throng_planet_add_class(planet, &class_def, &index), THRONG_BAD_ARGUMENT);
    class_def = throng_default_class_def();
    class_def.wall_surcharge = 1.0f;
    assert_int_equal(throng_planet_add_class(planet, &class_def, &index), THRONG_BAD_ARGUMENT);
    class_def = throng_default_class_def();
    class_def.cost[THRONG_GROUND] = NAN;
    assert_int_equal(throng_planet_add_class(planet, &class_def, &index), THRONG_BAD_ARGUMENT);
    class_def = throng_default_class_def();
    assert_ok(throng_planet_add_class(planet, &class_def, &index));

    throng_planet_field *field = NULL;
    throng_vec3 goals[2] = {{1, 0, 0}, {NAN, 0, 0}};
    assert_int_equal(throng_planet_field_create(planet, 0, goals, 0, &field), THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_planet_field_create(planet, 0, goals, 2, &field), THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_planet_field_create(planet, 1, goals, 1, &field), THRONG_BAD_ARGUMENT);
    goals[1] = (throng_vec3){0, 0, 0};
    assert_int_equal(throng_planet_field_create(planet, 0, goals, 2, &field), THRONG_BAD_ARGUMENT);
    assert_null(field);
    assert_ok(throng_planet_field_create(planet, 0, goals, 1, &field));
    assert_false(throng_planet_field_sample(field, goals[0]).reached); // not solved yet
    throng_planet_field_solve(field);
    assert_true(throng_planet_field_sample(field, goals[0]).reached);
    assert_false(throng_planet_field_sample(field, (throng_vec3){NAN, 0, 0}).reached);
    assert_false(throng_planet_field_sample(field, (throng_vec3){0, 0, 0}).reached);
    assert_int_equal(throng_planet_paint(planet, goals[0], NAN, 1), THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_planet_paint(planet, goals[1], 1.0f, 1), THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_planet_paint(planet, goals[0], 1.0f, 99), THRONG_BAD_ARGUMENT);
    throng_planet_field_destroy(field);
    throng_planet_destroy(planet);
}

static throng_result make_all(void *context)
{
    throng_planet_def def = throng_default_planet_def();
    throng_class_def class_def = throng_default_class_def();
    throng_planet *planet = NULL;
    throng_planet_field *field = NULL;
    throng_vec3 goal = {0.0f, 0.0f, 1.0f};
    int index;
    (void)context;
    def.side = 8;
    throng_result result = throng_planet_create(&def, &planet);
    if (result == THRONG_OK) {
        result = throng_planet_add_class(planet, &class_def, &index);
    }
    if (result == THRONG_OK) {
        result = throng_planet_field_create(planet, index, &goal, 1, &field);
    }
    throng_planet_field_destroy(field);
    throng_planet_destroy(planet);
    return result;
}

static void memory_comes_back_whichever_allocation_fails(void **state)
{
    (void)state;
    assert_true(test_every_allocation_fails(make_all, NULL) >= 13);
}

static void a_solve_takes_no_memory(void **state)
{
    (void)state;
    size_t before = throng_live_bytes();
    throng_planet *planet = world(8, 20.0f);
    throng_planet_field *field = field_to(planet, HOVER, (throng_vec3){0, 0, 1});
    uint64_t allocations = throng_allocation_count();
    throng_planet_field_solve(field);
    assert_true(throng_allocation_count() == allocations);
    throng_planet_field_destroy(field);
    throng_planet_destroy(planet);
    throng_planet_destroy(NULL);
    throng_planet_field_destroy(NULL);
    assert_true(throng_live_bytes() == before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_mutual_and_near_on_every_face),
        cmocka_unit_test(angles_are_those_of_the_mathematics_library),
        cmocka_unit_test(straight_on_crosses_edges_and_corners_without_a_jump),
        cmocka_unit_test(a_class_fits_where_its_disc_touches_nothing),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(memory_comes_back_whichever_allocation_fails),
        cmocka_unit_test(a_solve_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
