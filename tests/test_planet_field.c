/// Fields on planets: distances against great circles, the same bits in any order of work, three
/// kinds of movement, and walkers that cross the edges and corners of the cube.
#include "planet_cells.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_great_circles_within_three_in_a_thousand),
        cmocka_unit_test(the_solution_does_not_depend_on_the_order_of_work),
        cmocka_unit_test(all_faces_and_their_mirror_images_are_alike),
        cmocka_unit_test(costs_and_a_walk_are_the_same_to_the_bit_everywhere),
        cmocka_unit_test(walks_along_a_field_are_great_circles_across_faces),
        cmocka_unit_test(ten_thousand_of_three_kinds_reach_the_far_side),
        cmocka_unit_test(a_goal_on_the_wrong_terrain_leads_nowhere),
        cmocka_unit_test(who_is_where_the_class_does_not_fit_is_led_out),
        cmocka_unit_test(a_diagonal_pinch_is_never_crossed),
        cmocka_unit_test(dearer_ground_costs_as_many_times_more),
        cmocka_unit_test(a_planet_of_walls_reaches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
