/// Claims about solving: equal to the plain solvers in every cell, however it is cut, shared,
/// interrupted or restored.
#include "field_fixture.h"
#include <limits.h>

/// Compares an integration with the plain solver's.
static void check_equal(throng_field *field)
{
    const throng_map *map = field->map;
    uint32_t *plain = malloc(map->padded_count * sizeof *plain);
    thg_field_integrate(field);
    assert_ok(field->metric == THRONG_OCTILE ? thg_plain_octile(field, plain)
                                             : thg_plain_eikonal(field, plain));
    const uint32_t *cost = field->solver->back.cost;
    for (size_t cell = 0; cell < map->padded_count; cell++) {
        if (cost[cell] != plain[cell]) {
            fail_msg("cell %d,%d costs %u, the plain solver says %u",
                     (int)(cell % (size_t)map->stride) - 1, (int)(cell / (size_t)map->stride) - 1,
                     cost[cell], plain[cell]);
        }
    }
    free(plain);
}

/// Points, cells and a rectangle, in turn, chosen by a seed; `shape` refers to static memory.
static throng_goal_shape random_goal(const throng_map *map, uint64_t *random)
{
    static throng_vec2 points[3];
    static throng_rect rect;
    static int cells[5];
    throng_goal_shape shape = throng_default_goal_shape();
    for (int i = 0; i < 3; i++) {
        points[i].x = (float)(field_map_random(random) % 10000) * 1e-4f * (float)map->width;
        points[i].y = (float)(field_map_random(random) % 10000) * 1e-4f * (float)map->height;
    }
    for (int i = 0; i < 5; i++) {
        cells[i] = (int)(field_map_random(random) % (map->cell_count + 3)) - 1; // some outside
    }
    rect.min = points[0];
    rect.max.x = points[0].x + 6.0f;
    rect.max.y = points[0].y + 2.5f;
    unsigned parts = (unsigned)(field_map_random(random) % 7) + 1;
    shape.points = points;
    shape.point_count = parts & 1 ? 1 + (int)(field_map_random(random) % 3) : 0;
    shape.cells = cells;
    shape.cell_count = parts & 2 ? 5 : 0;
    shape.rects = &rect;
    shape.rect_count = parts & 4 ? 1 : 0;
    return shape;
}

static void check_random_maps(throng_metric metric, int terrains, float surcharge, unsigned rounds)
{
    static const int sizes[][2] = {{1, 1}, {1, 19}, {37, 2}, {64, 64}, {97, 61}, {40, 113}};
    uint64_t random = 77;
    for (unsigned round = 0; round < rounds; round++) {
        field_map_kind kind = (field_map_kind)(round % FIELD_MAP_KINDS);
        const int *size = sizes[field_map_random(&random) % 6];
        float radius = round % 5 == 4 ? 1.2f : 0.0f;
        throng_map *map =
            fixture_map(kind, size[0], size[1], 1000 + round, terrains, radius, surcharge);
        throng_goal_shape shape = random_goal(map, &random);
        throng_field *field = fixture_field(map, metric, &shape);
        check_equal(field);
        check_equal(field); // again, in memory that is not fresh
        throng_field_destroy(field);
        throng_map_destroy(map);
    }
}

static void octile_of_one_price_equals_the_plain_heap(void **state)
{
    (void)state;
    check_random_maps(THRONG_OCTILE, 1, 0.0f, 160);
}

static void octile_of_many_prices_equals_the_plain_heap(void **state)
{
    (void)state;
    check_random_maps(THRONG_OCTILE, 8, 0.0f, 80);
    check_random_maps(THRONG_OCTILE, 3, 2.0f, 80);
}

static void eikonal_of_one_price_equals_sweeping(void **state)
{
    (void)state;
    check_random_maps(THRONG_EIKONAL, 1, 0.0f, 80);
}

static void eikonal_of_many_prices_equals_sweeping(void **state)
{
    (void)state;
    check_random_maps(THRONG_EIKONAL, 8, 0.0f, 60);
    check_random_maps(THRONG_EIKONAL, 3, 2.0f, 60);
}

/// A corridor that winds over the whole map, one cell wide, in a terrain of cost 64.
static throng_map *dear_serpentine(int width, int height, float ground_cost)
{
    uint8_t *terrain = malloc((size_t)width * (size_t)height);
    for (int i = 0; i < width * height; i++) {
        int x = i % width;
        int y = i / width;
        bool wall = y % 2 == 1 && x != (y % 4 == 1 ? width - 1 : 0);
        terrain[i] = wall ? THRONG_WALL : x % 50 == 7 ? THRONG_SWAMP : THRONG_GROUND;
    }
    throng_map_def def = throng_default_map_def();
    throng_class_def class_def = throng_default_class_def();
    throng_map *map = NULL;
    int class_index;
    def.width = width;
    def.height = height;
    def.terrain = terrain;
    class_def.radius = 0.0f;
    class_def.cost[THRONG_SWAMP] = 64.0f;
    class_def.cost[THRONG_GROUND] = ground_cost;
    assert_ok(throng_map_create(&def, &map));
    assert_ok(throng_map_add_class(map, &class_def, &class_index));
    free(terrain);
    return map;
}

static void costs_saturate_and_the_way_is_still_known(void **state)
{
    (void)state;
    // 20,000 cells of cost 64 are beyond 32 bits of octile units, 80,000 of eikonal ones.
    for (int i = 0; i < 4; i++) {
        throng_metric metric = i & 1 ? THRONG_EIKONAL : THRONG_OCTILE;
        throng_map *map =
            dear_serpentine(metric == THRONG_OCTILE ? 200 : 400, 401, i & 2 ? 63.0f : 64.0f);
        throng_vec2 point = {0.5f, 0.5f};
        throng_goal_shape shape = fixture_point(&point);
        throng_field *field = fixture_field(map, metric, &shape);
        check_equal(field);
        throng_field_solve(field);
        throng_field_view view = throng_field_get_view(field);
        int x = 0;
        int y = 400;
        assert_int_equal(view.cost[y * view.stride + x], THRONG_FAR);
        assert_int_equal(view.reached_count, map->layers[0].fit_count);
        int steps = 0;
        while (view.cost[y * view.stride + x] == THRONG_FAR && steps++ < 200000) {
            const int8_t *flow = view.flow + 2 * (y * view.stride + x);
            x += (flow[0] > 0) - (flow[0] < 0);
            y += (flow[1] > 0) - (flow[1] < 0);
        }
        assert_in_range(steps, 1000, 199999);
        throng_field_destroy(field);
        throng_map_destroy(map);
    }
}

static void a_queue_that_runs_out_of_chunks_drops_what_is_stale(void **state)
{
    (void)state;
    throng_map *map = fixture_map(FIELD_MAP_OPEN, 90, 70, 9, 1, 0.0f, 0.0f);
    throng_vec2 point = {75.2f, 60.1f};
    throng_goal_shape shape = fixture_point(&point);
    throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
    thg_solver *solver = field->solver;
    uint32_t *cost = solver->back.cost;
    uint32_t cells = (uint32_t)map->padded_count;
    uint64_t random = 3;
    thg_queue_reset(solver, 64, 64 * 40);
    // Every cell falls from bucket to bucket 38 times: far more entries than there is room for.
    for (uint32_t bucket = 38; bucket-- > 0;) {
        for (uint32_t cell = 0; cell < cells; cell++) {
            uint32_t before = cost[cell];
            cost[cell] = bucket * 64 + (uint32_t)(field_map_random(&random) % 64);
            thg_queue_push(solver, cell, cost[cell], before);
        }
    }
    assert_int_equal(solver->queue.fresh_chunk, solver->queue.chunk_count);
    uint32_t cell, live = 0;
    while (thg_queue_pop(solver, &cell)) {
        live += solver->mark[cell];
        solver->mark[cell] = 0;
    }
    assert_int_equal(live, cells);
    thg_solver_touch(solver, 0);
    thg_solver_touch(solver, cells - 1);
    check_equal(field);
    throng_field_destroy(field);
    throng_map_destroy(map);
}

static void few_buckets_are_wider_and_just_as_exact(void **state)
{
    (void)state;
    for (int metric = 0; metric < 2; metric++) {
        throng_map *map = fixture_map(FIELD_MAP_RECTANGLES, 90, 70, 4, 8, 0.0f, 8.0f);
        throng_vec2 point = {40.0f, 30.0f};
        throng_goal_shape shape = fixture_point(&point);
        throng_field *field = fixture_field(map, (throng_metric)metric, &shape);
        for (uint32_t limit = 4; limit <= 32; limit *= 2) {
            field->solver->queue.limit = limit;
            check_equal(field);
        }
        field->solver->queue.limit = 128; // what it was created with, and is released with
        throng_field_destroy(field);
        throng_map_destroy(map);
    }
}

static void how_a_solve_is_cut_changes_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        throng_map *map = fixture_map(FIELD_MAP_ROOMS, 70, 50, 3, i & 2 ? 8 : 1, 0.9f, 0.0f);
        throng_vec2 point = {31.0f, 22.0f};
        throng_goal_shape shape = fixture_point(&point);
        throng_field *whole = fixture_field(map, (throng_metric)(i & 1), &shape);
        throng_field *cut = fixture_field(map, (throng_metric)(i & 1), &shape);
        throng_field_solve(whole);
        static const int budgets[] = {1, 3, 17, 256, 5000};
        for (int j = 0; j < 5; j++) {
            thg_field_begin(cut);
            int total = 0;
            bool done = false;
            while (!done) {
                int budget = budgets[j];
                done = thg_field_advance(cut, &budget);
                assert_in_range(budget, 0, budgets[j]);
                total += budgets[j] - budget;
                assert_true(done || budget == 0);
            }
            assert_int_equal(whole->front.reached_count, cut->front.reached_count);
            assert_memory_equal(whole->front.cost, cut->front.cost, 4 * map->padded_count);
            assert_memory_equal(whole->front.flow, cut->front.flow, 2 * map->padded_count);
            // Half of the cells in one piece, or in pieces, stand at the same place.
            thg_field_begin(whole);
            thg_field_begin(cut);
            int half = total / 2;
            assert_false(thg_field_advance(whole, &half));
            for (int left = total / 2; left > 0;) {
                int budget = left < budgets[j] ? left : budgets[j];
                left -= budget;
                assert_false(thg_field_advance(cut, &budget));
            }
            assert_memory_equal(whole->solver->back.cost, cut->solver->back.cost,
                                4 * map->padded_count);
            throng_field_solve(whole);
        }
        throng_field_destroy(whole);
        throng_field_destroy(cut);
        throng_map_destroy(map);
    }
}

static void fields_share_a_solver_and_keep_their_results(void **state)
{
    (void)state;
    throng_map *map = fixture_map(FIELD_MAP_RECTANGLES, 80, 60, 3, 1, 0.0f, 0.0f);
    thg_solver *solver = NULL;
    throng_field *shared[3];
    throng_field *own[3];
    throng_vec2 points[3] = {{5.0f, 5.0f}, {70.0f, 50.0f}, {40.0f, 20.0f}};
    assert_ok(thg_solver_create(map, &solver));
    for (int i = 0; i < 3; i++) {
        throng_goal_shape shape = fixture_point(&points[i]);
        throng_metric metric = i == 1 ? THRONG_OCTILE : THRONG_EIKONAL;
        own[i] = fixture_field(map, metric, &shape);
        assert_ok(thg_field_create(map, 0, &shape, metric, solver, &shared[i]));
        throng_field_solve(own[i]);
    }
    for (int round = 0; round < 4; round++) {
        int budget = 500;
        thg_field_begin(shared[(round + 1) % 3]); // dropped by the next begin
        assert_false(thg_field_advance(shared[(round + 1) % 3], &budget));
        for (int i = 0; i < 3; i++) {
            throng_field_solve(shared[i]);
        }
        for (int i = 0; i < 3; i++) {
            assert_memory_equal(own[i]->front.cost, shared[i]->front.cost, 4 * map->padded_count);
            assert_memory_equal(own[i]->front.flow, shared[i]->front.flow, 2 * map->padded_count);
        }
    }
    for (int i = 0; i < 3; i++) {
        throng_field_destroy(shared[i]);
        throng_field_destroy(own[i]);
    }
    thg_solver_destroy(solver);
    throng_map_destroy(map);
}

static void a_solve_starts_again_when_the_map_changes(void **state)
{
    (void)state;
    throng_map *map = fixture_map(FIELD_MAP_OPEN, 60, 60, 3, 1, 0.0f, 0.0f);
    throng_vec2 point = {10.5f, 10.5f};
    throng_goal_shape shape = fixture_point(&point);
    throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
    throng_cell_rect wall = {30, 0, 1, 59};
    int budget = 1000;
    thg_field_begin(field);
    assert_false(thg_field_advance(field, &budget));
    assert_ok(throng_map_edit_rect(map, wall, THRONG_WALL));
    throng_map_update(map);
    budget = INT_MAX;
    assert_true(thg_field_advance(field, &budget));
    assert_int_equal(throng_field_get_view(field).version, 1);
    throng_vec2 behind = {50.5f, 10.5f};
    assert_true(throng_field_sample(field, behind).cost > 90.0f);
    uint32_t *cost = malloc(map->padded_count * sizeof *cost);
    assert_ok(thg_plain_eikonal(field, cost));
    assert_memory_equal(cost, field->front.cost, 4 * map->padded_count);
    free(cost);
    throng_field_destroy(field);
    throng_map_destroy(map);
}

static void a_query_settles_what_it_lists(void **state)
{
    (void)state;
    for (int terrains = 1; terrains <= 8; terrains += 7) {
        throng_map *map = fixture_map(FIELD_MAP_ROOMS, 120, 90, 8, terrains, 0.0f, 0.0f);
        throng_vec2 point = {20.5f, 20.5f};
        throng_goal_shape shape = fixture_point(&point);
        throng_field *full = fixture_field(map, THRONG_OCTILE, &shape);
        throng_field *query = fixture_field(map, THRONG_OCTILE, &shape);
        uint64_t random = 12;
        for (int round = 0; round < 60; round++) {
            point.x = (float)(field_map_random(&random) % 120);
            point.y = (float)(field_map_random(&random) % 90);
            assert_ok(throng_field_set_goal(full, &shape));
            assert_ok(throng_field_set_goal(query, &shape));
            throng_field_solve(full);
            int cells[3];
            for (int i = 0; i < 3; i++) {
                cells[i] = (int)(field_map_random(&random) % map->cell_count);
            }
            throng_field_solve_until(query, cells, round % 4);
            throng_field_view all = throng_field_get_view(full);
            throng_field_view some = throng_field_get_view(query);
            for (int i = 0; i < round % 4; i++) {
                int at = cells[i] / 120 * all.stride + cells[i] % 120;
                assert_int_equal(all.cost[at], some.cost[at]);
            }
            assert_false(throng_field_sample(query, point).reached);
        }
        throng_field_destroy(full);
        throng_field_destroy(query);
        throng_map_destroy(map);
    }
}

static void restored_costs_give_the_same_field(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        throng_map *map = fixture_map(FIELD_MAP_ROOMS, 70, 50, 3, i & 2 ? 8 : 1, 0.9f, 0.0f);
        throng_vec2 point = {31.0f, 22.0f};
        throng_goal_shape shape = fixture_point(&point);
        throng_field *solved = fixture_field(map, (throng_metric)(i & 1), &shape);
        throng_field *restored = fixture_field(map, (throng_metric)(i & 1), &shape);
        throng_field_solve(solved);
        assert_true(thg_field_restore_cost(restored, thg_field_costs(solved)));
        assert_memory_equal(solved->front.cost, restored->front.cost, 4 * map->padded_count);
        assert_memory_equal(solved->front.flow, restored->front.flow, 2 * map->padded_count);
        throng_field_solve(restored);
        assert_memory_equal(solved->front.cost, restored->front.cost, 4 * map->padded_count);
        uint32_t *wrong = calloc(map->padded_count, sizeof *wrong); // walls that cost nothing
        assert_false(thg_field_restore_cost(restored, wrong));
        free(wrong);
        throng_field *copied = fixture_field(map, (throng_metric)(i & 1), &shape);
        int point_count;
        thg_field_restore(copied, thg_field_costs(solved), thg_field_flow(solved));
        thg_field_restore_points(copied, thg_field_points(solved, &point_count), 1);
        assert_int_equal(point_count, 1);
        for (int j = 0; j < 500; j++) {
            throng_vec2 at = {(float)j * 0.13f, (float)(j * 7 % 500) * 0.1f};
            throng_sample a = throng_field_sample(solved, at);
            throng_sample b = throng_field_sample(copied, at);
            assert_true(a.direction.x == b.direction.x && a.direction.y == b.direction.y);
            assert_true(a.reached == b.reached && (!a.reached || a.cost == b.cost));
        }
        throng_field_destroy(copied);
        throng_field_destroy(solved);
        throng_field_destroy(restored);
        throng_map_destroy(map);
    }
}

static void a_solve_allocates_nothing(void **state)
{
    (void)state;
    throng_map *map = fixture_map(FIELD_MAP_ROOMS, 70, 50, 3, 8, 0.0f, 1.0f);
    throng_vec2 points[2] = {{31.0f, 22.0f}, {3.0f, 3.0f}};
    throng_goal_shape shape = fixture_point(points);
    shape.point_count = 2;
    throng_field *field = fixture_field(map, THRONG_EIKONAL, &shape);
    throng_cell_rect rect = {5, 5, 9, 9};
    uint64_t allocations = throng_allocation_count();
    for (int i = 0; i < 6; i++) {
        shape.point_count = 1 + i % 2;
        assert_ok(throng_field_set_goal(field, &shape)); // no larger than the first
        assert_ok(throng_map_edit_rect(map, rect, i % 2 ? THRONG_GROUND : THRONG_WALL));
        throng_map_update(map);
        throng_field_solve(field);
    }
    assert_int_equal(throng_allocation_count(), allocations);
    throng_field_destroy(field);
    throng_map_destroy(map);
}

static throng_result make_and_destroy(void *context)
{
    (void)context;
    throng_map_def def = throng_default_map_def();
    throng_class_def class_def = throng_default_class_def();
    throng_map *map = NULL;
    throng_field *field = NULL;
    throng_vec2 points[2] = {{1.0f, 1.0f}, {2.0f, 2.0f}};
    throng_goal_shape shape = fixture_point(points);
    int class_index;
    def.width = def.height = 8;
    throng_result result = throng_map_create(&def, &map);
    if (result == THRONG_OK) {
        result = throng_map_add_class(map, &class_def, &class_index);
    }
    if (result == THRONG_OK) {
        result = throng_field_create(map, class_index, &shape, THRONG_EIKONAL, &field);
    }
    if (result == THRONG_OK) {
        shape.point_count = 2;
        result = throng_field_set_goal(field, &shape);
        throng_field_solve(field); // a refused goal leaves the old one, which can be solved
        assert_int_equal(throng_field_get_view(field).reached_count, 64);
    }
    throng_field_destroy(field);
    throng_map_destroy(map);
    return result;
}

static void every_allocation_of_a_field_may_fail(void **state)
{
    (void)state;
    assert_true(test_every_allocation_fails(make_and_destroy, NULL) >= 20);
    assert_int_equal(throng_live_bytes(), 0);
}

static void arguments_outside_their_ranges_are_refused(void **state)
{
    (void)state;
    throng_map *map = fixture_text("...\n...\n", 0.1f);
    throng_field *field = NULL;
    throng_vec2 point = {1.0f, 1.0f};
    throng_goal_shape shape = fixture_point(&point);
    assert_int_equal(throng_field_create(map, 1, &shape, THRONG_OCTILE, &field),
                     THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_field_create(map, -1, &shape, THRONG_OCTILE, &field),
                     THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_field_create(map, 0, &shape, (throng_metric)7, &field),
                     THRONG_BAD_ARGUMENT);
    shape.point_count = -1;
    assert_int_equal(throng_field_create(map, 0, &shape, THRONG_OCTILE, &field),
                     THRONG_BAD_ARGUMENT);
    shape.point_count = 1;
    shape.snap_distance = NAN;
    assert_int_equal(throng_field_create(map, 0, &shape, THRONG_OCTILE, &field),
                     THRONG_BAD_ARGUMENT);
    shape.snap_distance = 1.0f;
    point.x = NAN;
    throng_rect rect = {{NAN, -INFINITY}, {1e38f, INFINITY}};
    shape.rects = &rect;
    shape.rect_count = 1;
    assert_ok(throng_field_create(map, 0, &shape, THRONG_EIKONAL, &field));
    throng_field_solve(field); // all cells are in the rectangle; the point is ignored
    assert_int_equal(throng_field_get_view(field).reached_count, 6);
    throng_field_destroy(field);
    throng_map_destroy(map);
}

static void parts_in_walls_are_moved_or_ignored(void **state)
{
    (void)state;
    throng_map *map = fixture_text("######....\n######....\n", 0.1f);
    throng_vec2 points[2] = {{4.5f, 0.5f}, {0.5f, 0.5f}};
    throng_goal_shape shape = fixture_point(points);
    throng_field *field = fixture_field(map, THRONG_OCTILE, &shape);
    throng_field_solve(field);
    int straight, diagonal;
    assert_true(throng_field_octile_steps(field, 6, 0, &straight, &diagonal));
    assert_int_equal(straight + diagonal, 0);
    assert_true(throng_field_octile_steps(field, 9, 1, &straight, &diagonal));
    assert_int_equal(straight, 2);
    assert_int_equal(diagonal, 1);
    assert_false(throng_field_octile_steps(field, 3, 1, &straight, &diagonal));
    shape.points = points + 1; // 6 m from the nearest cell that fits
    assert_ok(throng_field_set_goal(field, &shape));
    throng_field_solve(field);
    assert_int_equal(throng_field_get_view(field).reached_count, 0);
    assert_false(throng_field_sample(field, points[0]).reached);
    throng_field_destroy(field);
    throng_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(octile_of_one_price_equals_the_plain_heap),
        TEST(octile_of_many_prices_equals_the_plain_heap),
        TEST(eikonal_of_one_price_equals_sweeping),
        TEST(eikonal_of_many_prices_equals_sweeping),
        TEST(costs_saturate_and_the_way_is_still_known),
        TEST(a_queue_that_runs_out_of_chunks_drops_what_is_stale),
        TEST(few_buckets_are_wider_and_just_as_exact),
        TEST(how_a_solve_is_cut_changes_nothing),
        TEST(fields_share_a_solver_and_keep_their_results),
        TEST(a_solve_starts_again_when_the_map_changes),
        TEST(a_query_settles_what_it_lists),
        TEST(restored_costs_give_the_same_field),
        TEST(a_solve_allocates_nothing),
        TEST(every_allocation_of_a_field_may_fail),
        TEST(arguments_outside_their_ranges_are_refused),
        TEST(parts_in_walls_are_moved_or_ignored),
    };
    return RUN_TESTS(tests);
}
