/// Questions to a map: against brute force, on random maps, for several radii.
#include "field_fixture.h"
#include "map/map.h"
#include <throng/query.h>

#define SIDE 40

/// Does an edit part what was joined? By doing it, on a copy.
static bool cuts_by_force(const uint8_t *terrain, int width, int height, float radius,
                          throng_cell_rect rect, const int *kept, int kept_count)
{
    throng_map *maps[2];
    for (int i = 0; i < 2; i++) {
        throng_map_def def = throng_default_map_def();
        throng_class_def class_def = field_map_class();
        int class_index;
        def.width = width;
        def.height = height;
        def.terrain = terrain;
        class_def.radius = radius;
        assert_ok(throng_map_create(&def, &maps[i]));
        assert_ok(throng_map_add_class(maps[i], &class_def, &class_index));
    }
    assert_ok(throng_map_edit_rect(maps[1], rect, THRONG_WALL));
    throng_map_update(maps[1]);
    int *now_of = calloc((size_t)(width * height + 1), sizeof *now_of);
    bool cut = false;
    int count = kept_count > 0 ? kept_count : width * height;
    for (int i = 0; i < count; i++) {
        int cell = kept_count > 0 ? kept[i] : i;
        int before = throng_map_region(maps[0], 0, cell % width, cell / width);
        int after = throng_map_region(maps[1], 0, cell % width, cell / width);
        if (before != 0 && after == 0) {
            cut = cut || kept_count > 0;
        } else if (before != 0) {
            cut = cut || (now_of[before] != 0 && now_of[before] != after);
            now_of[before] = after;
        }
    }
    free(now_of);
    throng_map_destroy(maps[0]);
    throng_map_destroy(maps[1]);
    return cut;
}

static throng_vec2 middle_of(int cell, int width)
{
    return (throng_vec2){(float)(cell % width) + 0.5f, (float)(cell / width) + 0.5f};
}

static void a_building_cuts_exactly_when_the_edited_map_says_so(void **state)
{
    (void)state;
    static const float radii[4] = {0.0f, 0.4f, 0.9f, 1.6f};
    static const field_map_kind kinds[3] = {FIELD_MAP_RECTANGLES, FIELD_MAP_ROOMS, FIELD_MAP_NOISE};
    uint64_t random = 5;
    int cut_count = 0, fine_count = 0;
    uint8_t terrain[SIDE * SIDE];
    for (int round = 0; round < 1200; round++) {
        int width = 5 + (int)(field_map_random(&random) % (SIDE - 4));
        int height = 5 + (int)(field_map_random(&random) % (SIDE - 4));
        float radius = radii[round % 4];
        field_map_kind kind = kinds[round / 4 % 3];
        field_map_fill(kind, width, height, field_map_random(&random), 1, terrain);
        for (int i = 0; i < width * height && kind == FIELD_MAP_NOISE; i++) {
            if (field_map_random(&random) % 3 != 0) {
                terrain[i] = THRONG_GROUND; // or hardly anything is joined
            }
        }
        throng_cell_rect rect;
        rect.x = (int)(field_map_random(&random) % (uint64_t)width) - 3;
        rect.y = (int)(field_map_random(&random) % (uint64_t)height) - 3;
        rect.width = 1 + (int)(field_map_random(&random) % 9);
        rect.height = 1 + (int)(field_map_random(&random) % 9);
        throng_map_def def = throng_default_map_def();
        throng_class_def class_def = field_map_class();
        throng_map *map = NULL;
        int class_index;
        def.width = width;
        def.height = height;
        def.terrain = terrain;
        class_def.radius = radius;
        assert_ok(throng_map_create(&def, &map));
        assert_ok(throng_map_add_class(map, &class_def, &class_index));
        throng_build_query query = throng_default_build_query();
        throng_build_answer answer;
        query.rect = rect;
        assert_ok(throng_query_build(map, &query, &answer));
        assert_int_equal(answer.cuts, cuts_by_force(terrain, width, height, radius, rect, NULL, 0));
        cut_count += answer.cuts;
        fine_count += !answer.cuts;

        int kept[3];
        throng_vec2 keep[3];
        for (int i = 0; i < 3; i++) {
            kept[i] = (int)(field_map_random(&random) % (uint64_t)(width * height));
            keep[i] = middle_of(kept[i], width);
        }
        query.keep = keep;
        query.keep_count = 3;
        query.snap_distance = 0.0f;
        assert_ok(throng_query_build(map, &query, &answer));
        assert_int_equal(answer.cuts, cuts_by_force(terrain, width, height, radius, rect, kept, 3));
        throng_map_destroy(map);
    }
    print_message("%d cut, %d did not\n", cut_count, fine_count);
    assert_true(cut_count > 150 && fine_count > 150);
}

static void a_building_in_the_open_is_judged_by_its_ring(void **state)
{
    (void)state;
    throng_map *map = fixture_map(FIELD_MAP_OPEN, 512, 512, 1, 1, 0.4f, 0.0f);
    throng_build_query query = throng_default_build_query();
    throng_build_answer answer;
    query.rect = (throng_cell_rect){200, 200, 10, 10};
    assert_ok(throng_query_build(map, &query, &answer));
    assert_false(answer.cuts);
    assert_true(answer.cells < 1000);
    query.rect = (throng_cell_rect){0, 200, 512, 1}; // from edge to edge
    assert_ok(throng_query_build(map, &query, &answer));
    assert_true(answer.cuts);
    query.rect = (throng_cell_rect){0, 200, 511, 1}; // a gap that the class fits
    assert_ok(throng_query_build(map, &query, &answer));
    assert_false(answer.cuts);
    query.terrain = THRONG_SWAMP; // blocks nobody
    query.rect = (throng_cell_rect){0, 200, 512, 1};
    assert_ok(throng_query_build(map, &query, &answer));
    assert_false(answer.cuts);
    throng_map_destroy(map);
}

static void what_can_be_reached_is_what_regions_say(void **state)
{
    (void)state;
    throng_map *map = fixture_text("......#...\n"
                                   "......#...\n"
                                   "......#...\n",
                                   0.4f);
    throng_reach_query query = throng_default_reach_query();
    throng_vec2 nearest;
    query.from = (throng_vec2){0.5f, 0.5f};
    query.to = (throng_vec2){5.2f, 2.9f};
    assert_true(throng_query_reachable(map, &query));
    assert_true(throng_query_nearest_reachable(map, &query, &nearest));
    assert_near(nearest.x, 5.2f, 0.0);
    query.to = (throng_vec2){9.0f, 1.5f};
    assert_false(throng_query_reachable(map, &query));
    assert_true(throng_query_nearest_reachable(map, &query, &nearest));
    assert_near(nearest.x, 5.5f, 1e-6);
    assert_near(nearest.y, 1.5f, 1e-6);
    query.to = (throng_vec2){6.2f, 1.5f}; // in the wall: the near side of it counts
    assert_true(throng_query_reachable(map, &query));
    query.snap_distance = 0.0f;
    assert_false(throng_query_reachable(map, &query));
    query.to = (throng_vec2){NAN, 1.0f};
    assert_false(throng_query_reachable(map, &query));
    assert_false(throng_query_nearest_reachable(map, &query, &nearest));
    query.to = (throng_vec2){1e9f, -1e9f};
    assert_false(throng_query_reachable(map, &query));
    assert_true(throng_query_nearest_reachable(map, &query, &nearest));
    query.class_index = 7;
    assert_false(throng_query_reachable(map, &query));
    throng_map_destroy(map);
}

static void bad_questions_are_refused(void **state)
{
    (void)state;
    throng_map *map = fixture_text(".", 0.4f);
    throng_build_query query = throng_default_build_query();
    throng_build_answer answer;
    query.rect = (throng_cell_rect){0, 0, -1, 1};
    assert_int_equal(throng_query_build(map, &query, &answer), THRONG_BAD_ARGUMENT);
    query.rect = (throng_cell_rect){0, 0, 1, 1};
    query.class_index = 1;
    assert_int_equal(throng_query_build(map, &query, &answer), THRONG_BAD_ARGUMENT);
    query.class_index = 0;
    query.terrain = 30;
    assert_int_equal(throng_query_build(map, &query, &answer), THRONG_BAD_ARGUMENT);
    query.terrain = THRONG_WALL;
    assert_ok(throng_query_build(map, &query, &answer)); // the only cell: nobody is left to cut
    assert_false(answer.cuts);
    query.rect = (throng_cell_rect){-2000000000, -2000000000, 2147483647, 2147483647};
    assert_ok(throng_query_build(map, &query, &answer));
    assert_false(answer.cuts);
    throng_vec2 kept = {0.5f, 0.5f};
    query.keep = &kept;
    query.keep_count = 1;
    assert_ok(throng_query_build(map, &query, &answer)); // it would be buried
    assert_true(answer.cuts);
    kept.x = NAN;
    assert_ok(throng_query_build(map, &query, &answer));
    assert_false(answer.cuts);
    throng_map_destroy(map);

    map = fixture_text("###\n###\n", 0.4f);
    query.keep_count = 0;
    assert_ok(throng_query_build(map, &query, &answer));
    assert_false(answer.cuts);
    throng_map_destroy(map);
}

static throng_result ask(void *context)
{
    throng_build_query query = throng_default_build_query();
    throng_build_answer answer;
    query.rect = (throng_cell_rect){0, 1, 3, 1};
    throng_result result = throng_query_build(context, &query, &answer);
    return result;
}

static void a_question_gives_all_its_memory_back(void **state)
{
    (void)state;
    throng_map *map = fixture_text("...\n...\n...\n...\n", 0.4f);
    assert_int_equal(test_every_allocation_fails(ask, map), 6);
    throng_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_building_cuts_exactly_when_the_edited_map_says_so),
        TEST(a_building_in_the_open_is_judged_by_its_ring),
        TEST(what_can_be_reached_is_what_regions_say),
        TEST(bad_questions_are_refused),
        TEST(a_question_gives_all_its_memory_back),
    };
    return RUN_TESTS(tests);
}
