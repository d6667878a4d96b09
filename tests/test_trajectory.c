#include "temp_files.h"
#include <locale.h>
#include <sqlite3.h>
#include <throng/map.h>
#include <throng_io/map_file.h>
#include <throng_io/trajectory.h>

#define AGENTS 3

/// Three agents whose places and headings are known.
typedef struct rows {
    throng_agent_id id[AGENTS];
    float x[AGENTS], y[AGENTS], vx[AGENTS], vy[AGENTS], radius[AGENTS];
    throng_agents_view view;
} rows;

static void fill_rows(rows *made, int frame)
{
    for (int i = 0; i < AGENTS; i++) {
        made->id[i] = (throng_agent_id){(uint32_t)(i + 1), i == 2 ? 5 : 1};
        made->x[i] = 1.25f + (float)i + 0.1f * (float)frame;
        made->y[i] = -2.5f - (float)i;
        made->vx[i] = i == 1 ? 0.0f : 1.0f;
        made->vy[i] = i == 2 ? 1.0f : 0.0f;
        made->radius[i] = 0.3f;
    }
    memset(&made->view, 0, sizeof made->view);
    made->view.count = AGENTS;
    made->view.id = made->id;
    made->view.x = made->x;
    made->view.y = made->y;
    made->view.vx = made->vx;
    made->view.vy = made->vy;
    made->view.radius = made->radius;
}

static throng_map *make_map(const char *text)
{
    throng_map *map = NULL;
    throng_map_def def = throng_default_map_def();
    throng_error error;
    assert_ok_or(throng_map_from_text(text, strlen(text), &def, &map, &error), &error);
    return map;
}

static void write_frames(const char *path, throng_map *map, int frames)
{
    throng_trajectory_def def = throng_default_trajectory_def();
    def.frames_per_second = 25.0f;
    def.map = map;
    throng_trajectory *out = NULL;
    throng_error error;
    memset(&error, 0, sizeof error);
    assert_ok_or(throng_trajectory_open(path, &def, &out, &error), &error);
    for (int i = 0; i < frames; i++) {
        rows made;
        fill_rows(&made, i);
        if (i == 2 && map != NULL) {
            assert_ok(throng_map_edit_rect(map, (throng_cell_rect){0, 0, 1, 1}, THRONG_WALL));
            throng_map_update(map);
        }
        assert_ok_or(throng_trajectory_frame(out, made.view, &error), &error);
    }
    assert_ok_or(throng_trajectory_close(out, &error), &error);
}

/// Reads the text as PedPy does: a number in a comment that speaks of the framerate, a unit, and
/// after the comments rows whose first four columns are id, frame, x, y.
static void a_text_trajectory_reads_back(void **state)
{
    (void)state;
    throng_map *map = make_map("....\n.##.\n....\n");
    // A locale with decimal commas must not matter; where it is missing this is the plain check.
    setlocale(LC_NUMERIC, "de_DE.UTF-8");
    write_frames(temp_path("t.txt"), map, 4);
    setlocale(LC_NUMERIC, "C");
    throng_map_destroy(map);
    char *text = temp_read(temp_path("t.txt"), NULL);
    double rate = 0;
    bool metres = false;
    bool geometry = false;
    int count = 0;
    bool comments = true;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (line[0] == '#') {
            assert_true(comments); // PedPy stops looking at the first row
            if (strstr(line, "framerate") != NULL) {
                assert_int_equal(sscanf(line, "# framerate: %lf", &rate), 1);
            }
            metres |= strstr(line, "X/m") != NULL;
            geometry |= strcmp(line, "# geometry: POLYGON ((4 0, 0 0, 0 3, 4 3, 4 0), "
                                     "(3 2, 1 2, 1 1, 3 1, 3 2))") == 0;
            continue;
        }
        comments = false;
        long long id;
        int frame;
        double x;
        double y;
        assert_int_equal(sscanf(line, "%lld %d %lf %lf", &id, &frame, &x, &y), 4);
        rows made;
        fill_rows(&made, count / AGENTS);
        int i = count % AGENTS;
        assert_int_equal(frame, count / AGENTS);
        assert_int_equal(id, throng_trajectory_person(made.id[i]));
        assert_near(x, made.x[i], 6e-5);
        assert_near(y, made.y[i], 6e-5);
        count++;
    }
    assert_near(rate, 25, 0);
    assert_true(metres);
    assert_true(geometry);
    assert_int_equal(count, 4 * AGENTS);
    free(text);
}

static double query(sqlite3 *database, const char *text)
{
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_prepare_v2(database, text, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    double value = sqlite3_column_double(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

static void a_sqlite_trajectory_reads_back(void **state)
{
    (void)state;
    throng_map *map = make_map("....\n.##.\n....\n");
    write_frames(temp_path("t.sqlite"), map, 4);
    throng_map_destroy(map);
    sqlite3 *database = NULL;
    assert_int_equal(sqlite3_open(temp_path("t.sqlite"), &database), SQLITE_OK);
    // The queries of PedPy's loader.
    assert_near(query(database, "SELECT value FROM metadata WHERE key = 'version'"), 2, 0);
    assert_near(query(database, "SELECT value FROM metadata WHERE key = 'fps'"), 25, 0);
    assert_near(query(database, "SELECT value FROM metadata WHERE key = 'xmax'"), 4, 0);
    assert_near(query(database, "SELECT value FROM metadata WHERE key = 'ymin'"), 0, 0);
    assert_near(query(database, "SELECT count(*) FROM trajectory_data"), 4 * AGENTS, 0);
    assert_near(query(database, "SELECT count(DISTINCT id) FROM trajectory_data"), AGENTS, 0);
    assert_near(query(database, "SELECT pos_x FROM trajectory_data WHERE frame = 3 AND id = 2"),
                2.25 + 0.3, 1e-6);
    assert_near(query(database, "SELECT ori_x FROM trajectory_data WHERE frame = 0 AND id = 2"), 1,
                0); // who stands looks along +x
    assert_near(query(database, "SELECT max(abs(ori_x * ori_x + ori_y * ori_y - 1))"
                                " FROM trajectory_data"),
                0, 1e-6);
    // The wall that came at frame 2 makes a second geometry.
    assert_near(query(database, "SELECT count(*) FROM geometry"), 2, 0);
    assert_near(query(database, "SELECT count(*) FROM frame_data"), 4, 0);
    assert_near(query(database, "SELECT count(DISTINCT geometry_hash) FROM frame_data"
                                " WHERE frame < 2"),
                1, 0);
    assert_near(query(database, "SELECT count(*) FROM frame_data JOIN geometry"
                                " ON geometry_hash = hash WHERE wkt LIKE 'POLYGON ((%'"),
                4, 0);
    assert_near(query(database, "SELECT count(*) FROM sqlite_master WHERE name = 'frame_id_idx'"),
                1, 0);
    sqlite3_close(database);
}

static void no_two_people_share_an_id(void **state)
{
    (void)state;
    int64_t first = throng_trajectory_person((throng_agent_id){7, 1});
    assert_int_equal(first, 7);
    assert_int_equal(throng_trajectory_person((throng_agent_id){7, 2}), ((int64_t)1 << 32) + 7);
    assert_true(throng_trajectory_person((throng_agent_id){UINT32_MAX, UINT32_MAX}) > 0);
}

/// The rings of a WKT polygon: twice their summed area (outer minus holes), and whether each is
/// closed and meets no corner twice.
static double polygon_area(const char *wkt, int *rings)
{
    double total = 0;
    *rings = 0;
    for (const char *at = strchr(wkt, '('); at != NULL && (at = strchr(at + 1, '(')) != NULL;) {
        double points[4096][2];
        int count = 0;
        const char *end = strchr(at, ')');
        for (const char *c = at; c < end; c++) {
            if (*c == '(' || *c == ',') {
                assert_true(count < 4096);
                assert_int_equal(sscanf(c + 1, " %lf %lf", &points[count][0], &points[count][1]),
                                 2);
                count++;
            }
        }
        assert_true(count >= 5);
        assert_memory_equal(points[0], points[count - 1], sizeof points[0]);
        for (int i = 0; i < count - 1; i++) {
            total += points[i][0] * points[i + 1][1] - points[i + 1][0] * points[i][1];
            for (int j = 0; j < i; j++) {
                assert_true(points[i][0] != points[j][0] || points[i][1] != points[j][1]);
            }
        }
        (*rings)++;
    }
    return fabs(total) / 2;
}

static void the_geometry_is_one_valid_polygon(void **state)
{
    (void)state;
    static const struct {
        const char *rows;
        int rings;
        double area;
    } cases[] = {
        {"...\n", 1, 3},
        {"....\n.##.\n....\n", 2, 10},
        {"#...\n....\n...#\n", 1, 10},
        {".....\n.#.#.\n.....\n", 3, 13},
        {"....\n.#..\n..#.\n....\n", 3, 14}, // holes that touch at a corner
        {"....\n..#.\n.#..\n....\n", 3, 14}, // and the other way
        {"....\n.#.#\n..#.\n....\n", 3, 13}, // hole touching a notch in the rim
        {"..#..\n..#..\n..#.#\n", 1, 6},     // the larger of two parts
        {"...\n.#.\n#..\n", 2, 7},           // a loop pinched at a corner
        {"###\n###\n", 1, 6},                // nothing walkable: the rectangle
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        throng_map *map = make_map(cases[i].rows);
        char *wkt = throng_trajectory_wkt(map, -1);
        assert_non_null(wkt);
        int rings = 0;
        double area = polygon_area(wkt, &rings);
        if (rings != cases[i].rings || fabs(area - cases[i].area) > 1e-9) {
            fail_msg("case %zu: %d rings, area %g: %s", i, rings, area, wkt);
        }
        free(wkt);
        throng_map_destroy(map);
    }
}

static void the_outline_of_a_real_map_has_the_area_of_its_largest_part(void **state)
{
    (void)state;
    static const char *const names[3] = {"maps/movingai/Berlin_0_256.map",
                                         "maps/movingai/random-32-32-20.map",
                                         "maps/movingai/room-64-64-8.map"};
    for (int k = 0; k < 3; k++) {
        char path[512];
        throng_map_def def = throng_default_map_def();
        throng_map *map = NULL;
        throng_error error;
        memset(&error, 0, sizeof error);
        test_source_path(path, sizeof path, names[k]);
        assert_ok_or(throng_map_load(path, &def, &map, &error), &error);
        throng_class_def class_def = throng_default_class_def();
        class_def.radius = 0; // regions then join cells by their sides
        int index = 0;
        assert_ok(throng_map_add_class(map, &class_def, &index));
        int regions = throng_map_region_count(map, index);
        int *cells = calloc((size_t)regions + 1, sizeof *cells);
        assert_non_null(cells);
        int largest = 0;
        for (int y = 0; y < throng_map_height(map); y++) {
            for (int x = 0; x < throng_map_width(map); x++) {
                int region = throng_map_region(map, index, x, y);
                cells[region] += region > 0;
                largest = region > 0 && cells[region] > largest ? cells[region] : largest;
            }
        }
        free(cells);
        char *wkt = throng_trajectory_wkt(map, index);
        assert_non_null(wkt);
        int rings = 0;
        assert_near(polygon_area(wkt, &rings), largest, 1e-6);
        free(wkt);
        throng_map_destroy(map);
    }
}

static void a_failed_trajectory_leaves_what_was_there(void **state)
{
    (void)state;
    throng_trajectory_def def = throng_default_trajectory_def();
    throng_trajectory *out = NULL;
    throng_error error;
    assert_int_equal(throng_trajectory_open(temp_path("t.csv"), &def, &out, &error),
                     THRONG_BAD_ARGUMENT);
    assert_int_equal(throng_trajectory_open("no/such/t.txt", &def, &out, &error),
                     THRONG_CANNOT_WRITE);
    assert_int_equal(throng_trajectory_open("no/such/t.sqlite", &def, &out, &error),
                     THRONG_CANNOT_WRITE);
    assert_int_equal(strcmp(error.file, "no/such/t.sqlite"), 0);
    def.frames_per_second = NAN;
    assert_int_equal(throng_trajectory_open(temp_path("t.txt"), &def, &out, &error),
                     THRONG_BAD_ARGUMENT);
    def.frames_per_second = 10;
    static const char *const names[2] = {"kept.txt", "kept.sqlite"};
    for (int i = 0; i < 2; i++) {
        temp_write_text(names[i], "as it was");
        int count = temp_count();
        assert_ok_or(throng_trajectory_open(temp_path(names[i]), &def, &out, &error), &error);
        rows made;
        fill_rows(&made, 0);
        assert_ok(throng_trajectory_frame(out, made.view, &error));
        throng_trajectory_abort(out);
        assert_ok_or(throng_trajectory_open(temp_path(names[i]), &def, &out, &error), &error);
        made.x[1] = NAN;
        assert_int_equal(throng_trajectory_frame(out, made.view, &error), THRONG_BAD_ARGUMENT);
        throng_trajectory_abort(out);
        assert_int_equal(temp_count(), count);
        char *text = temp_read(temp_path(names[i]), NULL);
        assert_string_equal(text, "as it was");
        free(text);
    }
    assert_ok(throng_trajectory_close(NULL, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_text_trajectory_reads_back),
        TEST(a_sqlite_trajectory_reads_back),
        TEST(no_two_people_share_an_id),
        TEST(the_geometry_is_one_valid_polygon),
        TEST(the_outline_of_a_real_map_has_the_area_of_its_largest_part),
        TEST(a_failed_trajectory_leaves_what_was_there),
    };
    return cmocka_run_group_tests(tests, temp_make, temp_remove);
}
