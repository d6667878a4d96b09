/// Fields on several threads: the same bits, and the same count of work, as on one.
#include "field_fixture.h"
#include <limits.h>

/// Solves, or repairs, in pieces; returns the cells that it took.
static int64_t advance_all(throng_field *field, bool repair, int piece)
{
    int64_t total = 0;
    repair ? thg_field_begin_repair(field) : thg_field_begin(field);
    for (bool done = false; !done;) {
        int budget = piece;
        done = thg_field_advance(field, &budget);
        total += piece - budget;
    }
    return total;
}

static void assert_same(const throng_map *map, const throng_field *a, const throng_field *b)
{
    assert_memory_equal(a->front.cost, b->front.cost, map->padded_count * sizeof(uint32_t));
    assert_memory_equal(a->front.flow, b->front.flow, 2 * map->padded_count);
    assert_int_equal(a->front.reached_count, b->front.reached_count);
}

static void compare(field_map_kind kind, int terrains, float radius)
{
    throng_map *map = fixture_map(kind, 430, 390, terrains, 8, radius, 0.0f);
    throng_vec2 point = {70.0f, 60.0f};
    throng_goal_shape shape = fixture_point(&point);
    throng_field *alone = fixture_field(map, THRONG_EIKONAL, &shape);
    int64_t solve = advance_all(alone, false, INT_MAX);
    for (int threads = 2; threads <= 5; threads++) {
        throng_jobs *jobs = NULL;
        throng_field *shared = fixture_field(map, THRONG_EIKONAL, &shape);
        assert_ok(throng_jobs_create(threads, &jobs));
        throng_field_use_jobs(shared, jobs);
        assert_int_equal(advance_all(shared, false, threads % 2 == 0 ? INT_MAX : 1777), solve);
        assert_same(map, alone, shared);
        throng_cell_rect rect = {40 + 61 * threads, 200, 4, 4};
        assert_ok(throng_map_edit_rect(map, rect, THRONG_WALL));
        throng_map_update(map);
        assert_int_equal(advance_all(shared, true, INT_MAX), advance_all(alone, true, 1777));
        assert_same(map, alone, shared);
        solve = advance_all(alone, false, INT_MAX);
        assert_same(map, alone, shared);
        throng_field_destroy(shared);
        throng_jobs_destroy(jobs);
    }
    throng_field_destroy(alone);
    throng_map_destroy(map);
}

static void threads_change_no_bit_and_no_count(void **state)
{
    (void)state;
    compare(FIELD_MAP_OPEN, 1, 0.0f);
    compare(FIELD_MAP_RECTANGLES, 8, 0.9f);
    compare(FIELD_MAP_ROOMS, 8, 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(threads_change_no_bit_and_no_count),
    };
    return RUN_TESTS(tests);
}
