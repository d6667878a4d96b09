/// A field without a crowd: how far is it, which way, and along which line?
#include <stdio.h>
#include <string.h>
#include <throng/throng.h>

int main(void)
{
    const char *rows = "....................\n"
                       "....................\n"
                       "..###########.......\n"
                       "............#.......\n"
                       "............#.......\n"
                       "..###########.......\n"
                       "....................\n";
    throng_map_def def = throng_default_map_def();
    throng_map *map = NULL;
    throng_error error = {0};
    if (throng_map_from_text(rows, strlen(rows), &def, &map, &error) != THRONG_OK) {
        fprintf(stderr, "line %d: %s\n", error.line, error.text);
        return 1;
    }
    throng_class_def person = throng_default_class_def();
    int class_index;
    throng_map_add_class(map, &person, &class_index);

    throng_vec2 goal = {10.5f, 3.5f}, start = {18.5f, 4.0f};
    throng_goal_shape shape = throng_default_goal_shape();
    shape.points = &goal;
    shape.point_count = 1;
    throng_field *field = NULL;
    if (throng_field_create(map, class_index, &shape, THRONG_EIKONAL, &field) != THRONG_OK) {
        return 1;
    }
    throng_field_solve(field);
    throng_sample sample = throng_field_sample(field, start);
    printf("from (%.1f, %.1f) it costs %.2f m; go (%.2f, %.2f)\n", (double)start.x, (double)start.y,
           (double)sample.cost, (double)sample.direction.x, (double)sample.direction.y);

    throng_vec2 line[1000];
    int count;
    float length;
    bool there = throng_field_trace(field, start, 0.25f, 1000, line, 1000, &count, &length);
    printf("walked %.2f m in %d points: %s\n", (double)length, count, there ? "there" : "lost");
    throng_field_destroy(field);
    throng_map_destroy(map);
    return there ? 0 : 1;
}
