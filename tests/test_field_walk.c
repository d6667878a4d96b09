/// Claims about what a walker reads from a field: how exact costs are, how straight walks are, that
/// every walk arrives, and how sampling treats walls, goals and places that do not fit.
#include "field_fixture.h"

static void an_open_map_is_within_six_thousandths_of_true_distances(void **state)
{
    (void)state;
    static const throng_vec2 points[] = {{256.5f, 256.5f}, {100.2f, 411.7f}, {3.0f, 3.9f}};
    for (int i = 0; i < 3; i++) {
        throng_map *map = fixture_map(FIELD_MAP_OPEN, 512, 512, 1, 1, 0.0f, 0.0f);
        throng_goal_shape shape = fixture_point(&points[i]);
        throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
        throng_field_solve(field);
        throng_field_view view = throng_field_get_view(field);
        double sum = 0.0;
        int count = 0;
        for (int y = 0; y < 512; y++) {
            for (int x = 0; x < 512; x++) {
                double distance =
                    hypot(x + 0.5 - (double)points[i].x, y + 0.5 - (double)points[i].y);
                if (distance >= 1.0) {
                    double cost = view.cost[y * view.stride + x] / (double)view.unit;
                    sum += fabs(cost - distance) / distance;
                    count++;
                }
            }
        }
        print_message("open 512 x 512: mean error %.3f %%\n", 100.0 * sum / count);
        assert_true(sum / count <= 0.006);
        throng_field_destroy(field);
        throng_map_destroy(map);
    }
}

static void walks_on_an_open_map_are_straight(void **state)
{
    (void)state;
    throng_map *map = fixture_map(FIELD_MAP_OPEN, 256, 256, 1, 1, 0.0f, 0.0f);
    throng_vec2 point = {140.3f, 97.8f};
    throng_goal_shape shape = fixture_point(&point);
    throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
    throng_field_solve(field);
    double walked = 0.0;
    double straight = 0.0;
    double worst = 0.0;
    for (int i = 0; i < 256 * 256; i += 37) {
        throng_vec2 start = {(float)(i % 256) + 0.5f, (float)(i / 256) + 0.5f};
        float length;
        int count;
        assert_true(throng_field_trace(field, start, 0.25f, 100000, NULL, 0, &count, &length));
        double distance = hypot((double)(start.x - point.x), (double)(start.y - point.y));
        walked += (double)length;
        straight += distance - 0.125; // a walk ends anywhere within its last step
        worst = distance > 20.0 ? fmax(worst, (double)length / distance) : worst;
    }
    print_message("open: walked %.5f of the shortest, worst %.5f\n", walked / straight, worst);
    assert_true(walked / straight <= 1.002);
    throng_field_destroy(field);
    throng_map_destroy(map);
}

/// Walks from every `stride`-th reached cell of a field.
static void check_arrivals(const throng_field *field, int stride)
{
    throng_field_view view = throng_field_get_view(field);
    for (int i = 0; i < view.width * view.height; i += stride) {
        int x = i % view.width;
        int y = i / view.width;
        if (view.cost[y * view.stride + x] == THRONG_UNREACHED) {
            continue;
        }
        throng_vec2 start = throng_map_cell_center(field->map, x, y);
        float length;
        if (!throng_field_trace(field, start, 0.3f, 40000, NULL, 0, NULL, &length)) {
            fail_msg("the walk from %d,%d does not arrive", x, y);
        }
    }
}

static void every_walk_arrives(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int round = 0; round < 96; round++) {
        float surcharge = round % 5 == 1 ? 2.0f : 0.0f;
        throng_map *map = fixture_map((field_map_kind)(round % FIELD_MAP_KINDS), 61, 47,
                                      (unsigned)round, round % 3 ? 1 : 8, 0.0f, surcharge);
        throng_vec2 points[3];
        for (int i = 0; i < 3; i++) {
            points[i].x = (float)(field_map_random(&random) % 6100) * 0.01f;
            points[i].y = (float)(field_map_random(&random) % 4700) * 0.01f;
        }
        throng_goal_shape shape = fixture_point(points);
        throng_rect rect = {points[1], {points[1].x + 5.0f, points[1].y + 1.0f}};
        shape.point_count = round % 3 + 1;
        shape.rects = &rect;
        shape.rect_count = round % 2;
        throng_field *field =
            fixture_field(map, round & 4 ? THRONG_OCTILE : THRONG_EIKONAL, &shape);
        throng_field_solve(field);
        check_arrivals(field, 1);
        throng_field_destroy(field);
        throng_map_destroy(map);
    }
}

static void walks_from_where_the_class_does_not_fit_arrive_too(void **state)
{
    (void)state;
    for (int round = 0; round < 12; round++) {
        throng_map *map = fixture_map(FIELD_MAP_RECTANGLES, 80, 60, 40 + (unsigned)round, 1,
                                      round % 2 ? 1.0f : 1.7f, 0.0f);
        throng_vec2 point = {40.0f, 30.0f};
        throng_goal_shape shape = fixture_point(&point);
        throng_field *field =
            fixture_field(map, round & 4 ? THRONG_OCTILE : THRONG_EIKONAL, &shape);
        throng_field_solve(field);
        throng_field_view view = throng_field_get_view(field);
        assert_true(view.reached_count == 0 || view.reached_count > 1000);
        check_arrivals(field, 1);
        throng_field_destroy(field);
        throng_map_destroy(map);
    }
}

static void what_does_not_fit_leads_to_the_nearest_that_does(void **state)
{
    (void)state;
    // Radius 1 m: only the middle row of the hall fits, and the dead end above has no way of its
    // own.
    throng_map *map = fixture_text("#######\n"
                                   "###.###\n"
                                   ".......\n"
                                   ".......\n"
                                   ".......\n"
                                   "#######\n",
                                   1.0f);
    throng_vec2 point = {2.5f, 3.5f};
    throng_goal_shape shape = fixture_point(&point);
    throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
    throng_field_solve(field);
    throng_field_view view = throng_field_get_view(field);
    assert_int_equal(map->layers[0].fit_count, 5);
    assert_int_equal(view.reached_count, 22);
    const int8_t *dead_end = view.flow + 2 * (1 * view.stride + 3);
    assert_int_equal(dead_end[0], 0);
    assert_int_equal(dead_end[1], 127);
    assert_int_equal(view.cost[1 * view.stride + 3] - view.cost[2 * view.stride + 3],
                     THRONG_EIKONAL_UNIT);
    throng_vec2 inside = {4.5f, 2.4f};
    throng_sample sample = throng_field_sample(field, inside);
    assert_true(sample.reached);
    assert_near(sample.direction.y, 1.0, 1e-6);
    assert_int_equal(view.flow[2 * (0 * view.stride + 3)], 0); // a wall has no direction
    throng_field_destroy(field);
    throng_map_destroy(map);
}

static void beside_a_point_the_way_leads_straight_to_it(void **state)
{
    (void)state;
    throng_map *map = fixture_map(FIELD_MAP_OPEN, 20, 20, 1, 1, 0.0f, 0.0f);
    throng_vec2 point = {10.2f, 9.9f};
    throng_goal_shape shape = fixture_point(&point);
    for (int metric = 0; metric < 2; metric++) {
        throng_field *field = fixture_field(map, (throng_metric)metric, &shape);
        throng_field_solve(field);
        for (int i = 0; i < 16; i++) {
            throng_vec2 at = {point.x + 1.2f * (float)cos(i), point.y + 1.2f * (float)sin(i)};
            throng_sample sample = throng_field_sample(field, at);
            assert_near(sample.direction.x, -cos(i), 1e-5);
            assert_near(sample.direction.y, -sin(i), 1e-5);
            assert_near(sample.cost, 1.2, 1e-5);
        }
        throng_sample there = throng_field_sample(field, point);
        assert_true(there.direction.x == 0.0f && there.direction.y == 0.0f && there.cost == 0.0f);
        throng_field_destroy(field);
    }
    throng_map_destroy(map);
}

static void directions_do_not_leak_through_a_wall(void **state)
{
    (void)state;
    // The goal is below the wall, the only way to it round the left end.
    throng_map *map = fixture_text("..........\n"
                                   "..........\n"
                                   ".#########\n"
                                   "..........\n"
                                   "..........\n",
                                   0.0f);
    throng_vec2 point = {8.5f, 4.5f};
    throng_goal_shape shape = fixture_point(&point);
    throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
    throng_field_solve(field);
    for (int i = 0; i < 70; i++) {
        throng_vec2 above = {2.2f + (float)i * 0.1f, 1.95f};
        throng_sample sample = throng_field_sample(field, above);
        assert_true(sample.direction.x < -0.9f);
        assert_true(sample.direction.y <= 0.0f);
    }
    throng_field_destroy(field);
    throng_map_destroy(map);
}

static void samples_anywhere_are_unit_or_zero(void **state)
{
    (void)state;
    throng_map *map = fixture_map(FIELD_MAP_NOISE, 60, 45, 8, 8, 0.6f, 1.0f);
    throng_vec2 point = {30.0f, 20.0f};
    throng_goal_shape shape = fixture_point(&point);
    throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
    throng_vec2 middle = {20.0f, 20.0f};
    assert_false(throng_field_sample(field, middle).reached); // not solved yet
    assert_false(throng_field_trace(field, middle, 0.1f, 10, NULL, 0, NULL, NULL));
    throng_field_solve(field);
    uint64_t random = 6;
    for (int i = 0; i < 20000; i++) {
        throng_vec2 at = {(float)(field_map_random(&random) % 8000) * 0.01f - 10.0f,
                          (float)(field_map_random(&random) % 6500) * 0.01f - 10.0f};
        throng_sample sample = throng_field_sample(field, at);
        double length = hypot((double)sample.direction.x, (double)sample.direction.y);
        assert_true(length == 0.0 || fabs(length - 1.0) < 1e-5);
        assert_true(sample.reached ? sample.cost >= 0.0f : isinf(sample.cost));
    }
    throng_vec2 nowhere[3] = {{NAN, NAN}, {INFINITY, -INFINITY}, {1e30f, -1e30f}};
    for (int i = 0; i < 3; i++) {
        throng_sample sample = throng_field_sample(field, nowhere[i]);
        assert_true(sample.direction.x == sample.direction.x);
    }
    throng_field_destroy(field);
    throng_map_destroy(map);
}

static void a_trace_keeps_its_points_and_its_limits(void **state)
{
    (void)state;
    throng_map *map = fixture_text("..........\n", 0.0f);
    throng_vec2 point = {9.5f, 0.5f};
    throng_vec2 start = {0.5f, 0.5f};
    throng_vec2 points[8];
    int count;
    float length;
    throng_goal_shape shape = fixture_point(&point);
    throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
    throng_field_solve(field);
    assert_false(throng_field_trace(field, start, 0.25f, 5, points, 8, &count, &length));
    assert_int_equal(count, 6);
    assert_near(length, 1.25, 1e-5);
    assert_near(points[5].x, 1.75, 1e-5);
    assert_true(throng_field_trace(field, start, 0.25f, 1000, points, 8, &count, &length));
    assert_int_equal(count, 8);
    assert_near(length, 8.75, 0.01);
    assert_false(throng_field_trace(field, start, NAN, 100, points, 8, &count, &length));
    throng_field_destroy(field);
    throng_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_open_map_is_within_six_thousandths_of_true_distances),
        TEST(walks_on_an_open_map_are_straight),
        TEST(every_walk_arrives),
        TEST(walks_from_where_the_class_does_not_fit_arrive_too),
        TEST(what_does_not_fit_leads_to_the_nearest_that_does),
        TEST(beside_a_point_the_way_leads_straight_to_it),
        TEST(directions_do_not_leak_through_a_wall),
        TEST(samples_anywhere_are_unit_or_zero),
        TEST(a_trace_keeps_its_points_and_its_limits),
    };
    return RUN_TESTS(tests);
}
