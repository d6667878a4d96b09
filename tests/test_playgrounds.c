/// The viewer's playgrounds: that A* is an honest rival, that ways get better as cells get smaller,
/// that threads change nothing but the time, and that each runs without a window.
#include "test.h"

#include "view/play.h"
#include <jansson.h>

static view_stage stage_of(const char *scene)
{
    static char path[400];
    view_options options = view_default_options();
    view_stage stage;
    throng_error error = {0};
    options.scene = test_source_path(path, sizeof path, scene);
    assert_ok_or(view_stage_open(&stage, &options, &error), &error);
    return stage;
}

static view_play play_through(const char *name, view_stage *stage, float value)
{
    view_play play = {0};
    view_play_place place = {stage, NULL, NULL, -1};
    assert_true(view_play_open(&play, name));
    play.value = value > 0.0f ? value : play.value;
    play.done = false;
    int pieces = 0;
    while (!play.done) { // piece by piece, as in a window
        assert_true(view_play_work(&play, &place, 0.001));
        pieces++;
    }
    assert_true(pieces > 1);
    return play;
}

static const view_play_row *row_of(const view_play *play, const char *name)
{
    for (int i = 0; i < play->table.row_count; i++) {
        if (strcmp(play->table.rows[i].name, name) == 0) {
            return &play->table.rows[i];
        }
    }
    fail_msg("no row '%s'", name);
    return NULL;
}

// ---- A* -----------------------------------------------------------------------------------------

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/// Blocks of wall, and terrain of three prices where `dear`.
static throng_map *random_map(uint32_t seed, bool dear)
{
    throng_map_def def = throng_default_map_def();
    throng_map *map = NULL;
    def.width = 70;
    def.height = 50;
    assert_ok(throng_map_create(&def, &map));
    for (int i = 0; i < 60; i++) {
        int kind = i % 3 == 0 ? THRONG_WALL : THRONG_SWAMP;
        throng_cell_rect rect = {(int)(next_random(&seed) % 70), (int)(next_random(&seed) % 50), 0,
                                 0};
        rect.width = 1 + (int)(next_random(&seed) % 7);
        rect.height = 1 + (int)(next_random(&seed) % 7);
        assert_ok(
            throng_map_edit_rect(map, rect, kind == THRONG_SWAMP && !dear ? THRONG_WALL : kind));
    }
    throng_class_def class_def = throng_default_class_def();
    int class_index;
    class_def.cost[THRONG_SWAMP] = 4.0f;
    assert_ok(throng_map_add_class(map, &class_def, &class_index));
    throng_map_update(map);
    return map;
}

static void a_star_finds_what_the_exact_field_says(void **state)
{
    (void)state;
    long long visited = 0, cells = 0;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        throng_map *map = random_map(seed, seed % 2 == 0);
        int goal = view_play_cell(map, (throng_vec2){60.5f, 25.5f});
        throng_field *field = view_play_field(map, view_play_middle(map, goal), THRONG_OCTILE);
        view_astar *astar = view_astar_create(map, 0);
        throng_field_solve(field);
        throng_field_view view = throng_field_get_view(field);
        for (int start = 0; start < 70 * 50; start += 3) {
            view_astar_answer answer;
            uint32_t cost = view.cost[start / 70 * view.stride + start % 70];
            assert_true(view_astar_find(astar, start, goal, &answer));
            assert_int_equal(answer.found, cost != THRONG_UNREACHED);
            if (answer.found) {
                assert_int_equal(answer.cost, cost);
                assert_true(view_astar_visited(astar, start) && view_astar_visited(astar, goal));
                int length = 0;
                for (int cell = goal; cell != start; cell = view_astar_before(astar, cell)) {
                    assert_true(++length <= answer.visited);
                }
                visited += answer.visited;
                cells += view.reached_count;
            }
        }
        view_astar_destroy(astar);
        throng_field_destroy(field);
        throng_map_destroy(map);
    }
    print_message("A* looks at %.1f %% of the cells that are reached\n",
                  100.0 * (double)visited / (double)cells);
    assert_true(visited < cells / 3); // without an estimate it would be about half
}

/// Ties go to the one farther on: in the open nothing but the way itself is looked at.
static void a_star_goes_straight_where_nothing_is_in_the_way(void **state)
{
    (void)state;
    throng_map_def def = throng_default_map_def();
    throng_map *map = NULL;
    int class_index;
    def.width = def.height = 200;
    assert_ok(throng_map_create(&def, &map));
    throng_class_def class_def = throng_default_class_def();
    assert_ok(throng_map_add_class(map, &class_def, &class_index));
    throng_map_update(map);
    view_astar *astar = view_astar_create(map, 0);
    view_astar_answer answer;
    assert_true(view_astar_find(astar, 10 * 200 + 10, 150 * 200 + 190, &answer));
    assert_int_equal(answer.cost, 140 * THRONG_OCTILE_DIAGONAL + 40 * THRONG_OCTILE_UNIT);
    assert_int_equal(answer.visited, 181);
    view_astar_destroy(astar);
    throng_map_destroy(map);
}

// ---- The four -----------------------------------------------------------------------------------

static void one_field_costs_less_than_a_path_each(void **state)
{
    (void)state;
    view_stage stage = stage_of("scenes/playgrounds/paths.json");
    view_play play = play_through("paths", &stage, 300.0f);
    const view_play_row *astar = row_of(&play, "A*, each agent");
    const view_play_row *field = row_of(&play, "one field, 8 directions");
    assert_true(astar->values[0] > field->values[0]);
    assert_non_null(strstr(play.verdict, "300 of 300 agents have asked"));
    assert_non_null(strstr(play.verdict, "for 300 of 300"));
    // When the goal moves all of it is done again.
    view_play_place place = {&stage, NULL, NULL, 700};
    double cells = astar->values[0];
    stage.put[stage.put_count++].point = (throng_vec2){3.0f, 3.0f};
    while (view_play_work(&play, &place, 0.01) && !play.done) {
    }
    assert_non_null(strstr(play.verdict, "for 300 of 300"));
    assert_true(row_of(&play, "A*, each agent")->values[0] > cells); // a corner is farther
    uint32_t colours[256 * 192] = {0};
    play.kind->paint(&play, &stage, colours);
    int painted = 0;
    for (int i = 0; i < 256 * 192; i++) {
        painted += colours[i] != 0;
    }
    assert_true(painted > 100);
    view_lines lines = {0};
    play.kind->draw(&play, &lines);
    assert_true(lines.count > 50);
    free(lines.lines);
    view_play_close(&play);
    view_stage_close(&stage);
}

static void smaller_cells_make_better_ways(void **state)
{
    (void)state;
    view_stage stage = stage_of("scenes/playgrounds/cells.json");
    view_play play = play_through("cells", &stage, 0.7f); // not one of the list: a row of its own
    const view_play_row *fine = row_of(&play, "0.1 m"), *coarse = row_of(&play, "0.4 m");
    assert_true(fine->values[0] > 10.0 * coarse->values[0]);
    assert_true(fine->values[2] > 0.999 && fine->values[2] < 1.01); // over the best
    assert_true(fine->values[3] > fine->values[2] + 0.02);          // the grid's is longer
    assert_true(fine->values[4] == 0.0);
    assert_true(coarse->values[2] > 1.1);               // a gap has closed
    assert_true(row_of(&play, "2 m")->values[4] > 1.0); // walls have got lost
    row_of(&play, "0.7 m");
    assert_non_null(strstr(play.verdict, "cells of 0.7 m"));
    view_play_close(&play);
    view_stage_close(&stage);
}

static void threads_end_in_the_same_state(void **state)
{
    (void)state;
    view_stage stage = stage_of("scenes/gates/gap_2m_1m.json");
    view_play play = play_through("threads", &stage, 3.0f);
    assert_int_equal(play.table.row_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_true(play.table.rows[i].values[1] > 0.0);
        assert_true(play.table.rows[i].values[3] == 1.0);
    }
    view_play_close(&play);
    view_stage_close(&stage);
}

static void unknown_playgrounds_are_refused(void **state)
{
    (void)state;
    view_play play = {0};
    assert_false(view_play_open(&play, "sandpit"));
    assert_null(play.kind);
    throng_scene *scene = NULL;
    throng_error error = {0};
    const char *text =
        "{\"throng_scene\": 1, \"map\": {\"size\": [4, 4]},\n \"playground\": \"sand\","
        " \"agents\": []}";
    assert_int_equal(throng_scene_parse(text, strlen(text), "x", &scene, &error), THRONG_BAD_DATA);
    assert_non_null(strstr(error.text, "playground"));
    assert_int_equal(error.line, 2);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// What a program of its own prints; NULL where there is no Vulkan.
static json_t *run_view(const char *arguments)
{
    char command[600];
    const char *program = getenv("THRONG_PROGRAM"), *root = getenv("THRONG_SOURCE_DIR");
    assert_non_null(program);
    snprintf(command, sizeof command, "cd '%s' && '%s' view %s 2> /dev/null", root, program,
             arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    json_t *json = json_loadf(pipe, 0, NULL);
    int status = pclose(pipe);
    assert_true(status == 0 || (json == NULL && status == 2 << 8));
    return json;
}

static void each_runs_without_a_window(void **state)
{
    (void)state;
    static const char *const names[] = {"paths", "cells", "threads", "drawing"};
    for (int i = 0; i < 4; i++) {
        char arguments[200];
        snprintf(arguments, sizeof arguments,
                 "scenes/playgrounds/%s.json --json --start 0 --size 256x160 --samples 1",
                 names[i]);
        json_t *json = run_view(arguments);
        if (json == NULL) {
            print_message("no Vulkan here\n");
            return;
        }
        const json_t *play = json_object_get(json, "playground");
        assert_string_equal(json_string_value(json_object_get(play, "name")), names[i]);
        const json_t *rows = json_object_get(play, "rows");
        assert_true(json_array_size(rows) >= 3);
        if (i == 3) { // naive against the rest
            double agents = json_number_value(json_object_get(json, "agents"));
            const json_t *naive = json_array_get(rows, 0);
            assert_true(json_number_value(json_object_get(naive, "calls")) > 0.9 * agents);
            for (size_t k = 1; k < 4; k++) {
                const json_t *other = json_array_get(rows, k);
                assert_true(json_number_value(json_object_get(other, "calls")) <= 12.0);
                assert_true(json_number_value(json_object_get(other, "record_ms")) <
                            json_number_value(json_object_get(naive, "record_ms")));
            }
        }
        json_decref(json);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_star_finds_what_the_exact_field_says),
        TEST(a_star_goes_straight_where_nothing_is_in_the_way),
        TEST(one_field_costs_less_than_a_path_each),
        TEST(smaller_cells_make_better_ways),
        TEST(threads_end_in_the_same_state),
        TEST(unknown_playgrounds_are_refused),
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        TEST(each_runs_without_a_window),
#endif
    };
    return RUN_TESTS(tests);
}
