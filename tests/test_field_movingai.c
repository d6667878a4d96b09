/// Real maps: every exact length of the benchmark files, and walks that arrive.
///
/// A row of an exact file holds a start, a goal, and the shortest path between them as numbers of
/// straight and diagonal steps, found by another program; so no rounding needs to be allowed for.
#include "field_fixture.h"
#include <ctype.h>

/// The maps of the project's own maps/movingai.
static const char *const map_names[] = {
    "Berlin_0_256", "Berlin_0_1024",          "random-32-32-20", "room-64-64-8",
    "empty-48-48",  "warehouse-10-20-10-2-1", "8room_000",       "maze512-4-0",
};
#define MAP_COUNT ((int)(sizeof map_names / sizeof map_names[0]))

typedef struct exact_row {
    int start, goal, straight, diagonal;
} exact_row;

static int by_goal(const void *a, const void *b)
{
    const exact_row *left = a;
    const exact_row *right = b;
    return (left->goal > right->goal) - (left->goal < right->goal);
}

/// Rows sorted by goal; free() them.
static exact_row *read_exact(const char *name, int width, int *count)
{
    char file[256];
    size_t size;
    snprintf(file, sizeof file, "maps/movingai/exact/%s.csv", name);
    char *text = fixture_read_whole(file, &size);
    exact_row *rows = malloc((size / 8 + 1) * sizeof *rows);
    *count = 0;
    for (char *line = strchr(text, '\n'); line != NULL && isdigit((unsigned char)line[1]);
         line = strchr(line + 1, '\n')) {
        int start_x, start_y, goal_x, goal_y;
        exact_row *row = &rows[*count];
        int found = sscanf(line + 1, "%d,%d,%d,%d,%d,%d,", &start_x, &start_y, &goal_x, &goal_y,
                           &row->straight, &row->diagonal);
        assert_int_equal(found, 6);
        row->start = start_y * width + start_x;
        row->goal = goal_y * width + goal_x;
        (*count)++;
    }
    free(text);
    qsort(rows, (size_t)*count, sizeof *rows, by_goal);
    return rows;
}

static void every_exact_row_is_met_step_for_step(void **state)
{
    (void)state;
    for (int i = 0; i < MAP_COUNT; i++) {
        throng_map *map = fixture_movingai(map_names[i]);
        int width = throng_map_width(map);
        int count;
        exact_row *rows = read_exact(map_names[i], width, &count);
        int *starts = malloc((size_t)(count + 1) * sizeof *starts);
        throng_goal_shape shape = throng_default_goal_shape();
        shape.cells = &rows[0].goal;
        shape.cell_count = 1;
        throng_field *field = fixture_field(map, THRONG_OCTILE, &shape);
        assert_true(count >= 100);
        for (int first = 0; first < count;) {
            int end = first;
            for (; end < count && rows[end].goal == rows[first].goal; end++) {
                starts[end - first] = rows[end].start;
            }
            shape.cells = &rows[first].goal;
            assert_ok(throng_field_set_goal(field, &shape));
            throng_field_solve_until(field, starts, end - first);
            for (; first < end; first++) {
                int straight, diagonal;
                assert_true(throng_field_octile_steps(field, rows[first].start % width,
                                                      rows[first].start / width, &straight,
                                                      &diagonal));
                assert_int_equal(straight, rows[first].straight);
                assert_int_equal(diagonal, rows[first].diagonal);
            }
        }
        print_message("%s: %d exact rows\n", map_names[i], count);
        throng_field_destroy(field);
        free(starts);
        free(rows);
        throng_map_destroy(map);
    }
}

/// A fitting cell of the largest region, the nearest to a place.
static throng_vec2 goal_near(const throng_map *map, float x, float y)
{
    int regions = throng_map_region_count(map, 0);
    int *sizes = calloc((size_t)regions + 1, sizeof *sizes);
    int largest = 1;
    for (int i = 0; i < map->width * map->height; i++) {
        int region = throng_map_region(map, 0, i % map->width, i / map->width);
        sizes[region] += region != 0;
        largest = sizes[region] > sizes[largest] ? region : largest;
    }
    free(sizes);
    throng_vec2 place = {x * (float)map->width, y * (float)map->height};
    int column, row;
    assert_true(throng_map_nearest_fit(map, 0, place, largest, &column, &row));
    throng_vec2 point = {(float)column + 0.3f, (float)row + 0.7f};
    return point;
}

/// Cells between two walks: about `walks` of them start all over the map.
static int stride_for(const throng_map *map, int walks)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    walks /= 10; // a sanitizer makes a step some ten times dearer
#endif
    int cells = map->width * map->height;
    return cells > walks ? cells / walks | 1 : 1;
}

static void a_walk_from_every_reached_cell_arrives(void **state)
{
    (void)state;
    static const float places[2][2] = {{0.31f, 0.62f}, {0.85f, 0.2f}};
    for (int i = 0; i < MAP_COUNT; i++) {
        throng_map *map = fixture_movingai(map_names[i]);
        int stride = stride_for(map, 10000);
        for (int j = 0; j < 4; j++) {
            throng_vec2 point = goal_near(map, places[j / 2][0], places[j / 2][1]);
            throng_goal_shape shape = fixture_point(&point);
            throng_field *field =
                fixture_field(map, j & 1 ? THRONG_OCTILE : THRONG_EIKONAL, &shape);
            throng_field_solve(field);
            throng_field_view view = throng_field_get_view(field);
            int walks = 0;
            for (int cell = j; cell < map->width * map->height; cell += stride) {
                int x = cell % map->width;
                int y = cell / map->width;
                if (view.cost[y * view.stride + x] == THRONG_UNREACHED) {
                    continue;
                }
                float length;
                throng_vec2 start = throng_map_cell_center(map, x, y);
                walks++;
                if (!throng_field_trace(field, start, 0.5f, 200000, NULL, 0, NULL, &length)) {
                    fail_msg("%s: the walk from %d,%d does not arrive", map_names[i], x, y);
                }
            }
            assert_true(walks > 0);
            throng_field_destroy(field);
        }
        throng_map_destroy(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_exact_row_is_met_step_for_step),
        TEST(a_walk_from_every_reached_cell_arrives),
    };
    return RUN_TESTS(tests);
}
