/// Claims about the eikonal numbers: roots in lanes are exact, the solution is within 0.1 % of one
/// in double precision, committed maps come out the same by every way, memory does not grow.
#include "field_fixture.h"
#include <limits.h>

static const char *const map_names[] = {
    "Berlin_0_256", "random-32-32-20", "room-64-64-8", "empty-48-48", "8room_000", "maze512-4-0",
};

/// A tile whose first column is one gap after the other: the update of its corner cell is known.
static uint32_t corner(thg_square_kernel *kernel, thg_square_visit *visit, uint32_t low,
                       uint32_t high, uint16_t price, thg_square_roots roots)
{
    memset(visit, 0, sizeof *visit);
    memset(visit->cost, 0xFF, sizeof visit->cost);
    memset(visit->outside, 0xFF, sizeof visit->outside);
    memset(visit->edge, 0xFF, sizeof visit->edge);
    visit->price[0][0] = price;
    visit->cost[0][0] = low;
    visit->outside[0][0] = high;
    visit->whole = true;
    kernel(visit, roots);
    return visit->cost[1][0];
}

static void lanes_find_the_root_of_every_gap(void **state)
{
    (void)state;
    static const uint16_t prices[] = {1, 64, 113, 181, 182, 512, 1024, 2047, 2048, 30000, 65535};
    for (int build = THG_SQUARE_PORTABLE; build < THG_SQUARE_BUILDS; build++) {
        thg_square_kernel *kernel = thg_square_kernel_get((thg_square_build)build);
        for (size_t i = 0; i < sizeof prices / sizeof prices[0] && kernel != NULL; i++) {
            uint32_t k = prices[i] * (uint32_t)THG_EIKONAL_PER_PRICE;
            thg_square_roots roots = k < 2897    ? THG_ROOTS_SHORT
                                     : k < 32768 ? THG_ROOTS_WORD
                                                 : THG_ROOTS_LONG;
            uint32_t step = k > 40000 ? k / 20011 : k > 4000 ? 3 : 1;
            for (uint32_t gap = 0; gap <= k + 2; gap += step) {
                thg_square_visit visit;
                uint32_t found = corner(kernel, &visit, 5000, 5000 + gap, prices[i], roots);
                assert_int_equal(found, thg_eikonal_update(5000, 5000 + gap, k));
            }
        }
    }
}

/// Every radicand that a float holds: the root's floor, and the one that needs a correction.
static void float_roots_are_exact_below_their_limits(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 1u << 24; n++) {
        uint32_t root = (uint32_t)sqrtf((float)n);
        if ((uint64_t)root * root > n || (uint64_t)(root + 1) * (root + 1) <= n) {
            fail_msg("floor of the root of %u is not %u", n, root);
        }
    }
    // Above, only squares and their neighbours are near an integer.
    for (uint32_t i = 4096; i < 46340; i++) {
        for (uint32_t n = i * i - 2; n <= i * i + 2; n++) {
            uint32_t root = (uint32_t)lrintf(sqrtf((float)(int32_t)n));
            root -= root * root > n;
            assert_int_equal(root, n < i * i ? i - 1 : i);
        }
    }
}

static throng_map *load_map(const char *name)
{
    char file[256], path[1024];
    throng_map_def def = throng_default_map_def();
    throng_class_def class_def = throng_default_class_def();
    throng_map *map = NULL;
    throng_error error;
    int class_index;
    snprintf(file, sizeof file, "maps/movingai/%s.map", name);
    FILE *stream = fopen(test_source_path(path, sizeof path, file), "rb");
    assert_non_null(stream);
    char *text = malloc(1 << 21);
    size_t size = fread(text, 1, 1 << 21, stream);
    fclose(stream);
    assert_ok_or(throng_map_from_text(text, size, &def, &map, &error), &error);
    free(text);
    class_def.radius = 0.0f;
    assert_ok(throng_map_add_class(map, &class_def, &class_index));
    return map;
}

static void committed_maps_come_out_the_same_by_every_way(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof map_names / sizeof map_names[0]; i++) {
        throng_map *map = load_map(map_names[i]);
        throng_vec2 point = {0.31f * (float)map->width, 0.47f * (float)map->height};
        throng_goal_shape shape = fixture_point(&point);
        shape.snap_distance = 50.0f;
        throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
        uint32_t *plain = malloc(map->padded_count * sizeof *plain);
        assert_ok(thg_plain_eikonal(field, plain));
        field->solver->way = THG_WAY_BUCKETS;
        thg_field_integrate(field);
        assert_memory_equal(field->solver->back.cost, plain, map->padded_count * sizeof *plain);
        field->solver->way = THG_WAY_TILES;
        for (int build = THG_SQUARE_PLAIN; build < THG_SQUARE_BUILDS; build++) {
            if (thg_squares_use(field->solver, (thg_square_build)build)) {
                thg_field_integrate(field);
                assert_memory_equal(field->solver->back.cost, plain,
                                    map->padded_count * sizeof *plain);
            }
        }
        free(plain);
        throng_field_destroy(field);
        throng_map_destroy(map);
    }
}

static void seed_double(void *context, uint32_t cell, uint32_t cost)
{
    double *exact = context;
    exact[cell] = (double)cost < exact[cell] ? (double)cost : exact[cell];
}

/// Godunov's update in doubles, swept until nothing falls by a millionth of a unit.
static void sweep_doubles(const throng_map *map, const uint16_t *price, double *exact)
{
    size_t stride = (size_t)map->stride;
    int quiet = 0;
    for (int order = 0; quiet < 4; order = (order + 1) & 3) {
        bool fell = false;
        for (int i = 0; i < map->width * map->height; i++) {
            int x = i % map->width, y = i / map->width;
            size_t at = thg_padded_index(map, order & 1 ? map->width - 1 - x : x,
                                         order & 2 ? map->height - 1 - y : y);
            double a = exact[at - 1] < exact[at + 1] ? exact[at - 1] : exact[at + 1];
            double b =
                exact[at - stride] < exact[at + stride] ? exact[at - stride] : exact[at + stride];
            double k = price[at] * (double)THG_EIKONAL_PER_PRICE, gap = fabs(a - b);
            double after =
                gap >= k ? (a < b ? a : b) + k : 0.5 * (a + b + sqrt(2.0 * k * k - gap * gap));
            if (price[at] != 0 && after < exact[at] - 1e-6) {
                exact[at] = after;
                fell = true;
            }
        }
        quiet = fell ? 0 : quiet + 1;
    }
}

static void costs_are_within_a_thousandth_of_double_precision(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        throng_map *map = fixture_map((field_map_kind)(i / 2), 250, 230, 40u + (unsigned)i,
                                      i & 1 ? 8 : 1, 0.0f, 0.0f);
        throng_vec2 point = {101.3f, 88.6f};
        throng_goal_shape shape = fixture_point(&point);
        throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
        double *exact = malloc(map->padded_count * sizeof *exact);
        for (size_t cell = 0; cell < map->padded_count; cell++) {
            exact[cell] = 1e30;
        }
        thg_field_integrate(field);
        thg_goal_seed(field, seed_double, exact);
        sweep_doubles(map, map->layers[0].price, exact);
        double worst = 0.0;
        for (size_t cell = 0; cell < map->padded_count; cell++) {
            uint32_t cost = field->solver->back.cost[cell];
            assert_int_equal(cost == THRONG_UNREACHED, exact[cell] >= 1e30);
            if (cost != THRONG_UNREACHED && cost > 1024) {
                double apart = fabs((double)cost - exact[cell]) / exact[cell];
                worst = apart > worst ? apart : worst;
            }
        }
        print_message("map %d: at most %.4f %% apart\n", i, 100.0 * worst);
        assert_true(worst > 0.0 && worst < 0.001);
        free(exact);
        throng_field_destroy(field);
        throng_map_destroy(map);
    }
}

static void closing_and_opening_takes_no_memory(void **state)
{
    (void)state;
    throng_map *map = fixture_map(FIELD_MAP_ROOMS, 200, 150, 3, 1, 0.0f, 0.0f);
    throng_vec2 point = {90.0f, 77.0f};
    throng_goal_shape shape = fixture_point(&point);
    throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
    throng_field_solve(field);
    size_t bytes = throng_live_bytes();
    uint64_t allocations = throng_allocation_count();
    for (int i = 0; i < 480; i++) {
        throng_cell_rect rect = {20 + i % 7, 30, 4, 4};
        assert_ok(throng_map_edit_rect(map, rect, i % 2 == 0 ? THRONG_WALL : THRONG_GROUND));
        throng_map_update(map);
        throng_field_repair(field);
    }
    assert_int_equal(throng_live_bytes(), bytes);
    assert_int_equal(throng_allocation_count(), allocations);
    throng_field_destroy(field);
    throng_map_destroy(map);
}

static void how_a_repair_is_cut_changes_nothing(void **state)
{
    (void)state;
    throng_map *map = fixture_map(FIELD_MAP_RECTANGLES, 150, 130, 8, 8, 0.9f, 0.0f);
    throng_vec2 point = {70.0f, 60.0f};
    throng_goal_shape shape = fixture_point(&point);
    throng_field *whole = fixture_field(map, THRONG_EIKONAL, &shape);
    throng_field *cut = fixture_field(map, THRONG_EIKONAL, &shape);
    throng_field_solve(whole);
    throng_field_solve(cut);
    int repairs = 0; // where the goal's surroundings change it is a solve from scratch
    for (int edit = 0; edit < 12; edit++) {
        throng_cell_rect rect = {5 + 11 * edit, 20 + 7 * edit, 4, 4};
        assert_ok(throng_map_edit_rect(map, rect, edit % 3 == 2 ? THRONG_GROUND : THRONG_WALL));
        throng_map_update(map);
        thg_field_begin_repair(whole);
        int all = INT_MAX;
        assert_true(thg_field_advance(whole, &all));
        thg_field_begin_repair(cut);
        repairs += cut->solver->repairing;
        int total = 0, piece = 1 + 37 * edit;
        for (bool done = false; !done; total += piece) {
            int budget = piece;
            uint32_t version = cut->version;
            done = thg_field_advance(cut, &budget);
            assert_int_equal(cut->version, version + done); // not read before it is complete
            total -= budget;
        }
        assert_int_equal(total, INT_MAX - all);
        assert_memory_equal(whole->front.cost, cut->front.cost, 4 * map->padded_count);
        assert_memory_equal(whole->front.flow, cut->front.flow, 2 * map->padded_count);
    }
    assert_in_range(repairs, 6, 12);
    throng_field_destroy(whole);
    throng_field_destroy(cut);
    throng_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lanes_find_the_root_of_every_gap),
        TEST(float_roots_are_exact_below_their_limits),
        TEST(committed_maps_come_out_the_same_by_every_way),
        TEST(costs_are_within_a_thousandth_of_double_precision),
        TEST(closing_and_opening_takes_no_memory),
        TEST(how_a_repair_is_cut_changes_nothing),
    };
    return RUN_TESTS(tests);
}
