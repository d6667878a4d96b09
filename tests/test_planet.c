/// Planets: neighbours, distances against great circles, fields for three kinds of movement, and
/// walkers that cross the edges and corners of the cube.
#include "field/planet.h"
#include "test.h"
#include <throng/planet.h>

static float random_share(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    return (float)(thg_mix64(*state) >> 40) * (1.0f / 16777216.0f);
}

static throng_vec3 random_place(uint64_t *state)
{
    for (;;) {
        float x = 2.0f * random_share(state) - 1.0f;
        float y = 2.0f * random_share(state) - 1.0f;
        float z = 2.0f * random_share(state) - 1.0f;
        float square = x * x + y * y + z * z;
        if (square < 1.0f && square > 0.01f) {
            return thg_narrow(thg_unit((thg_vec3){(double)x, (double)y, (double)z}));
        }
    }
}

static throng_planet *planet_of(int side, float radius, const uint8_t *terrain)
{
    throng_planet_def def = throng_default_planet_def();
    def.side = side;
    def.radius = radius;
    def.terrain = terrain;
    def.terrain_count = terrain != NULL ? 6 * side * side : 0;
    throng_planet *planet = NULL;
    assert_ok(throng_planet_create(&def, &planet));
    return planet;
}

enum { INFANTRY, SHIP, HOVER };

/// Classes of those who know land, water, or both.
static void add_kinds(throng_planet *planet, float radius)
{
    for (int kind = 0; kind < 3; kind++) {
        throng_class_def def = throng_default_class_def();
        int index;
        def.radius = radius;
        def.cost[THRONG_GROUND] = kind == SHIP ? 0.0f : 1.0f;
        def.cost[THRONG_WATER] = kind == INFANTRY ? 0.0f : 1.0f;
        assert_ok(throng_planet_add_class(planet, &def, &index));
        assert_int_equal(index, kind);
    }
}

static throng_planet_field *field_to(const throng_planet *planet, int kind, throng_vec3 goal)
{
    throng_planet_field *field = NULL;
    assert_ok(throng_planet_field_create(planet, kind, &goal, 1, &field));
    throng_planet_field_solve(field);
    return field;
}

static int face_of(const throng_planet *planet, throng_vec3 place)
{
    int side = throng_planet_side(planet);
    return throng_planet_cell_at(planet, place) / (side * side);
}

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

/// Mean and largest error of a field's costs over great circles, of cells beyond the exact ball.
static void distance_errors(const throng_planet *planet, throng_vec3 goal, double *mean,
                            double *most)
{
    throng_planet_field *field = field_to(planet, HOVER, goal);
    const uint32_t *costs = throng_planet_field_costs(field);
    double cell_size = planet->cell_size, sum = 0.0;
    int count = 0;
    *most = 0.0;
    for (int cell = 0; cell < planet->cell_count; cell++) {
        double exact =
            (double)throng_planet_distance(planet, goal, throng_planet_cell_center(planet, cell));
        double found = (double)costs[cell] / THRONG_EIKONAL_UNIT * cell_size;
        if (exact > 8.5 * cell_size) {
            double error = fabs(found - exact);
            sum += error / exact;
            count++;
            *most = error / cell_size > *most ? error / cell_size : *most;
        }
    }
    *mean = sum / count;
    throng_planet_field_destroy(field);
}

static void distances_are_great_circles_within_three_in_a_thousand(void **state)
{
    (void)state;
    static const throng_vec3 goals[7] = {
        {1.0f, 0.0f, 0.0f},     {1.0f, 1.0f, 0.0f},   {1.0f, 1.0f, 1.0f},   {-1.0f, 0.98f, -0.97f},
        {0.3f, -0.999f, 0.98f}, {0.1f, 0.2f, -0.97f}, {-0.7f, 0.02f, 0.69f}};
    static const int sides[3] = {48, 64, 128};
    for (int i = 0; i < 3; i++) {
        throng_planet *planet = planet_of(sides[i], 200.0f, NULL);
        add_kinds(planet, 0.4f);
        double sum = 0.0, worst = 0.0;
        for (int j = 0; j < 7; j++) {
            double mean, most;
            distance_errors(planet, goals[j], &mean, &most);
            print_message("side %d source %d: mean error %.3f %%, largest %.2f cells\n", sides[i],
                          j, 100.0 * mean, most);
            sum += mean;
            worst = most > worst ? most : worst;
            assert_true(mean <= 0.003);
        }
        print_message("side %d: mean %.3f %%\n", sides[i], 100.0 * sum / 7.0);
        assert_true(worst < 1.0);
        throng_planet_destroy(planet);
    }
}

/// Land with seas: three lumps of water, and one sea that holds an island.
static throng_planet *world(int side, float radius)
{
    throng_planet *planet = planet_of(side, radius, NULL);
    add_kinds(planet, 0.4f * (float)planet->cell_size);
    assert_ok(throng_planet_paint(planet, (throng_vec3){1, 1, 1}, 0.65f * radius, THRONG_WATER));
    assert_ok(throng_planet_paint(planet, (throng_vec3){1, 0, 0}, 0.4f * radius, THRONG_WATER));
    assert_ok(throng_planet_paint(planet, (throng_vec3){-1, 1, 0}, 0.6f * radius, THRONG_WATER));
    assert_ok(throng_planet_paint(planet, (throng_vec3){-1, 1, 0}, 0.2f * radius, THRONG_GROUND));
    assert_ok(throng_planet_paint(planet, (throng_vec3){0, -1, 0.2f}, 0.3f * radius, THRONG_WALL));
    return planet;
}

static void the_solution_does_not_depend_on_the_order_of_work(void **state)
{
    (void)state;
    throng_planet *planet = world(24, 100.0f);
    throng_planet_field *field = field_to(planet, HOVER, (throng_vec3){1.0f, 0.9f, 0.9f});
    size_t count = (size_t)planet->cell_count;
    int budget = INT32_MAX;
    thg_planet_begin_costs(field); // without the leads
    assert_true(thg_planet_advance_costs(field, &budget));
    uint32_t *solved = malloc(count * sizeof *solved);
    memcpy(solved, field->cost, count * sizeof *solved);
    // Seeds are what no neighbour explains. Sweeps to and fro, from them alone, end in the same.
    int seeds = 0;
    for (uint32_t cell = 0; cell < count; cell++) {
        double angle = thg_sphere_angle(field->goals[0], thg_planet_middle(planet, cell));
        bool seeded = angle * planet->radius <= 8.0 * planet->cell_size;
        field->cost[cell] = seeded ? solved[cell] : THRONG_UNREACHED;
        seeds += seeded;
    }
    assert_true(seeds > 30);
    bool changed = true;
    for (int sweep = 0; changed; sweep++) {
        changed = false;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t cell = sweep % 2 ? (uint32_t)count - 1 - i : (uint32_t)((i * 7919) % count);
            if (thg_planet_prices(field)[cell] == 0) {
                continue;
            }
            uint32_t cost = thg_planet_best_way(field, cell).cost;
            if (cost < field->cost[cell]) {
                field->cost[cell] = cost;
                changed = true;
            }
        }
    }
    assert_memory_equal(field->cost, solved, count * sizeof *solved);
    free(solved);
    throng_planet_field_destroy(field);
    throng_planet_destroy(planet);
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void all_faces_and_their_mirror_images_are_alike(void **state)
{
    (void)state;
    static const throng_vec3 goals[6] = {{1.0f, 0.5f, 0.25f},   {-0.5f, 1.0f, 0.25f},
                                         {0.25f, 0.5f, -1.0f},  {0.5f, -0.25f, 1.0f},
                                         {-1.0f, -0.5f, 0.25f}, {0.5f, 0.25f, 1.0f}};
    throng_planet *planet = planet_of(20, 100.0f, NULL);
    add_kinds(planet, 0.0f);
    size_t size = (size_t)planet->cell_count * sizeof(uint32_t);
    uint32_t *first = malloc(size), *other = malloc(size);
    for (int i = 0; i < 6; i++) {
        throng_planet_field *field = field_to(planet, HOVER, goals[i]);
        uint32_t *costs = i == 0 ? first : other;
        memcpy(costs, throng_planet_field_costs(field), size);
        qsort(costs, (size_t)planet->cell_count, sizeof *costs, by_value);
        if (i > 0) {
            assert_memory_equal(first, other, size);
        }
        throng_planet_field_destroy(field);
    }
    free(first);
    free(other);
    throng_planet_destroy(planet);
}

/// The one number that must be the same for every compiler, build and machine.
#define GOLDEN_HASH 0xfc155767f3d3e1e0u
static void costs_and_a_walk_are_the_same_to_the_bit_everywhere(void **state)
{
    (void)state;
    throng_planet *planet = world(40, 100.0f);
    uint64_t hash = 0;
    for (int kind = INFANTRY; kind <= HOVER; kind++) {
        throng_vec3 goal = {1.0f, kind == SHIP ? 0.8f : -0.6f, kind == SHIP ? 0.7f : 0.9f};
        throng_planet_field *field = field_to(planet, kind, goal);
        const uint32_t *costs = throng_planet_field_costs(field);
        for (int cell = 0; cell < planet->cell_count; cell++) {
            hash = thg_mix64(hash + costs[cell]);
        }
        throng_vec3 places[400];
        int count;
        throng_planet_field_trace(field, (throng_vec3){0.5f, 1.0f, 0.9f}, 1.0f, 399, places, 400,
                                  &count, NULL);
        for (int i = 0; i < 3 * count; i++) {
            uint32_t bits;
            memcpy(&bits, (const float *)&places[0].x + i, sizeof bits);
            hash = thg_mix64(hash + bits);
        }
        throng_planet_field_destroy(field);
    }
    throng_planet_destroy(planet);
    print_message("found 0x%llxu\n", (unsigned long long)hash);
    assert_true(hash == GOLDEN_HASH);
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

static void walks_along_a_field_are_great_circles_across_faces(void **state)
{
    (void)state;
    throng_planet *planet = planet_of(64, 200.0f, NULL);
    add_kinds(planet, 0.4f);
    static throng_vec3 places[4096];
    static const throng_vec3 goals[3] = {{1, 1, 1}, {0.2f, -1, 0.98f}, {0, 0, -1}};
    uint64_t random = 3;
    double sum = 0.0, worst = 0.0, sharpest = 0.0;
    int walks = 0;
    for (int i = 0; i < 3; i++) {
        throng_planet_field *field = field_to(planet, HOVER, goals[i]);
        for (int walk = 0; walk < 60; walk++) {
            throng_vec3 start = random_place(&random);
            float length, pace = 1.0f;
            int count;
            double exact = (double)throng_planet_distance(planet, start, goals[i]);
            if (exact > 0.97 * THG_PI * 200.0 || exact < 40.0) {
                continue; // from the antipode all ways are as good
            }
            assert_true(
                throng_planet_field_trace(field, start, pace, 4000, places, 4096, &count, &length));
            for (int j = 1; j + 12 < count; j++) {
                assert_true(throng_planet_distance(planet, places[j - 1], places[j]) <
                            1.01f * pace);
                double turn =
                    thg_sphere_angle(thg_wide(throng_planet_heading(places[j], places[j - 1])),
                                     thg_wide(throng_planet_heading(places[j], places[j + 1])));
                sharpest = THG_PI - turn > sharpest ? THG_PI - turn : sharpest;
            }
            float rest = throng_planet_distance(planet, places[count - 1], goals[i]);
            double over = (double)(length + rest) / exact - 1.0;
            sum += over;
            worst = over > worst ? over : worst;
            walks++;
        }
        throng_planet_field_destroy(field);
    }
    print_message("%d walks: %.2f %% over the great circle, worst %.2f %%, sharpest turn of a step "
                  "%.1f degrees\n",
                  walks, 100.0 * sum / walks, 100.0 * worst, sharpest * 180.0 / THG_PI);
    assert_true(sum / walks < 0.005 && worst < 0.02);
    assert_true(sharpest < 0.2);
    throng_planet_destroy(planet);
}

static void ten_thousand_of_three_kinds_reach_the_far_side(void **state)
{
    (void)state;
    throng_planet *planet = planet_of(48, 150.0f, NULL);
    add_kinds(planet, 0.5f);
    // A belt of water over both poles of the world, and one neck of land across it.
    for (int i = 0; i < 360; i++) {
        double sine, cosine;
        thg_sine_cosine(i * THG_PI / 180.0, &sine, &cosine);
        bool neck = i < 20;
        throng_vec3 place = {0.0f, (float)cosine, (float)sine};
        if (!neck) {
            assert_ok(throng_planet_paint(planet, place, 25.0f, THRONG_WATER));
        }
    }
    // On the far side: land, and for ships the other end of the belt.
    const throng_vec3 goals[3] = {{-1.0f, 0.1f, 0.1f}, {0.0f, 0.8f, -0.75f}, {-1.0f, -0.2f, 0.1f}};
    throng_planet_field *fields[3];
    for (int kind = 0; kind < 3; kind++) {
        fields[kind] = field_to(planet, kind, goals[kind]);
    }
    uint64_t random = 8;
    int arrived = 0, walkers = 0, crossed = 0;
    static throng_vec3 places[1024];
    while (walkers < 10000) {
        int kind = walkers % 3;
        throng_vec3 start = random_place(&random);
        int cell = throng_planet_cell_at(planet, start);
        bool near_side = kind == SHIP ? start.z > 0.3f && start.y > 0.2f : start.x > 0.3f;
        if (!near_side || !throng_planet_fits(planet, kind, cell)) {
            continue;
        }
        int count;
        arrived +=
            throng_planet_field_trace(fields[kind], start, 2.0f, 1023, places, 1024, &count, NULL);
        walkers++;
        int face = face_of(planet, start);
        for (int i = 0; i < count; i++) {
            int terrain =
                throng_planet_terrain_at(planet, throng_planet_cell_at(planet, places[i]));
            assert_true(kind != INFANTRY || terrain == THRONG_GROUND);
            assert_true(kind != SHIP || terrain == THRONG_WATER);
            crossed += face_of(planet, places[i]) != face;
            face = face_of(planet, places[i]);
        }
    }
    print_message("%d of %d arrived, faces changed %d times\n", arrived, walkers, crossed);
    assert_int_equal(arrived, 10000);
    assert_true(crossed > 10000);
    for (int kind = 0; kind < 3; kind++) {
        throng_planet_field_destroy(fields[kind]);
    }
    throng_planet_destroy(planet);
}

static void a_goal_on_the_wrong_terrain_leads_nowhere(void **state)
{
    (void)state;
    throng_planet *planet = world(32, 100.0f);
    const throng_vec3 sea = {1.0f, 0.95f, 0.95f}, island = {-1, 1, 0}, land = {0.0f, -0.2f, 1.0f};
    throng_planet_field *to_sea = field_to(planet, INFANTRY, sea);
    throng_planet_field *to_island = field_to(planet, INFANTRY, island);
    throng_planet_field *ships = field_to(planet, SHIP, sea);
    throng_planet_field *hover = field_to(planet, HOVER, island);
    assert_false(throng_planet_field_sample(to_sea, land).reached);
    assert_true(isinf(throng_planet_field_sample(to_sea, land).cost));
    assert_false(throng_planet_field_trace(to_sea, land, 1.0f, 100, NULL, 0, NULL, NULL));
    assert_false(throng_planet_field_sample(to_island, land).reached);
    assert_true(throng_planet_field_sample(to_island, (throng_vec3){-1, 1.05f, 0}).reached);
    assert_true(throng_planet_field_sample(ships, (throng_vec3){1.0f, 0.1f, 0.1f}).reached);
    assert_false(throng_planet_field_sample(ships, (throng_vec3){-1.0f, 0.6f, 0.0f}).reached);
    assert_true(throng_planet_field_sample(hover, land).reached);
    throng_planet_field_destroy(to_sea);
    throng_planet_field_destroy(to_island);
    throng_planet_field_destroy(ships);
    throng_planet_field_destroy(hover);
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

static void who_is_where_the_class_does_not_fit_is_led_out(void **state)
{
    (void)state;
    throng_planet *planet = world(32, 100.0f);
    throng_class_def def = throng_default_class_def();
    int index;
    def.radius = 2.5f * (float)planet->cell_size;
    assert_ok(throng_planet_add_class(planet, &def, &index));
    throng_planet_field *field = field_to(planet, index, (throng_vec3){0.0f, -0.4f, 1.0f});
    int led = 0;
    for (int cell = 0; cell < planet->cell_count; cell++) {
        throng_vec3 place = throng_planet_cell_center(planet, cell);
        if (throng_planet_terrain_at(planet, cell) == THRONG_GROUND &&
            !throng_planet_fits(planet, index, cell) &&
            throng_planet_field_sample(field, place).reached) {
            assert_true(throng_planet_field_trace(field, place, 1.0f, 2000, NULL, 0, NULL, NULL));
            led++;
        }
    }
    assert_true(led > 50);
    throng_planet_field_destroy(field);
    throng_planet_destroy(planet);
}

static void a_diagonal_pinch_is_never_crossed(void **state)
{
    (void)state;
    static uint8_t terrain[6 * 16 * 16];
    // Water on the diagonal of a face; on its other cells and faces land, but for a moat of wall.
    for (int i = 0; i < 6 * 16 * 16; i++) {
        int column = i % 16, row = i / 16 % 16, face = i / 256;
        bool inside = face == 0 && column > 2 && column < 13 && row > 2 && row < 13;
        terrain[i] = inside ? THRONG_GROUND : THRONG_WALL;
        if (inside && column == row) {
            terrain[i] = THRONG_WATER;
        }
    }
    throng_planet *planet = planet_of(16, 50.0f, terrain);
    add_kinds(planet, 0.0f);
    throng_planet_field *field =
        field_to(planet, INFANTRY, throng_planet_cell_center(planet, 5 * 16 + 9));
    throng_planet_field *along =
        field_to(planet, SHIP, throng_planet_cell_center(planet, 5 * 16 + 5));
    const uint32_t *costs = throng_planet_field_costs(field);
    assert_true(costs[4 * 16 + 8] != THRONG_UNREACHED);
    assert_true(costs[9 * 16 + 5] == THRONG_UNREACHED); // land touches only across the diagonal
    assert_true(throng_planet_field_costs(along)[6 * 16 + 6] == THRONG_UNREACHED);
    throng_planet_field_destroy(field);
    throng_planet_field_destroy(along);
    throng_planet_destroy(planet);
}

static void dearer_ground_costs_as_many_times_more(void **state)
{
    (void)state;
    throng_planet *planet = planet_of(32, 100.0f, NULL);
    for (int i = 0; i < 3; i++) {
        static const float costs[3] = {1.0f, 4.0f, 64.0f};
        throng_class_def def = throng_default_class_def();
        int index;
        def.cost[THRONG_GROUND] = costs[i];
        assert_ok(throng_planet_add_class(planet, &def, &index));
        throng_planet_field *field = field_to(planet, index, (throng_vec3){1.0f, 0.2f, 0.3f});
        float cost = throng_planet_field_sample(field, (throng_vec3){-1.0f, 0.5f, 0.7f}).cost;
        float exact = throng_planet_distance(planet, (throng_vec3){1.0f, 0.2f, 0.3f},
                                             (throng_vec3){-1.0f, 0.5f, 0.7f});
        assert_float_equal(cost / exact, costs[i], 0.006f * costs[i]);
        throng_planet_field_destroy(field);
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

static void a_planet_of_walls_reaches_nothing(void **state)
{
    (void)state;
    static uint8_t terrain[6 * 8 * 8]; // THRONG_WALL
    throng_planet *planet = planet_of(8, 10.0f, terrain);
    add_kinds(planet, 0.4f);
    throng_planet_field *field = field_to(planet, HOVER, (throng_vec3){0, 0, 1});
    for (int cell = 0; cell < planet->cell_count; cell++) {
        assert_true(throng_planet_field_costs(field)[cell] == THRONG_UNREACHED);
    }
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
        cmocka_unit_test(distances_are_great_circles_within_three_in_a_thousand),
        cmocka_unit_test(the_solution_does_not_depend_on_the_order_of_work),
        cmocka_unit_test(all_faces_and_their_mirror_images_are_alike),
        cmocka_unit_test(costs_and_a_walk_are_the_same_to_the_bit_everywhere),
        cmocka_unit_test(straight_on_crosses_edges_and_corners_without_a_jump),
        cmocka_unit_test(walks_along_a_field_are_great_circles_across_faces),
        cmocka_unit_test(ten_thousand_of_three_kinds_reach_the_far_side),
        cmocka_unit_test(a_goal_on_the_wrong_terrain_leads_nowhere),
        cmocka_unit_test(a_class_fits_where_its_disc_touches_nothing),
        cmocka_unit_test(who_is_where_the_class_does_not_fit_is_led_out),
        cmocka_unit_test(a_diagonal_pinch_is_never_crossed),
        cmocka_unit_test(dearer_ground_costs_as_many_times_more),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(a_planet_of_walls_reaches_nothing),
        cmocka_unit_test(memory_comes_back_whichever_allocation_fails),
        cmocka_unit_test(a_solve_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
