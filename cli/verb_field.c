/// throng field: solves one field of a map; how long it takes, how far it reaches, how it looks.
#include "cli.h"
#include "draw_route.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <throng_io/picture.h>

typedef struct field_options {
    cli_points goals, from;
    const char *out, *metric;
    double cell, radius, surcharge;
    int repeat;
    bool json;
} field_options;

static const cli_option options[] = {
    {"--goal", "X,Y", "where to, in metres; up to 64 times (the map's middle)", CLI_POINTS,
     offsetof(field_options, goals), 0, 0},
    {"--from", "X,Y", "draw the path from there, its corridor and windows, and what sees the goal",
     CLI_POINTS, offsetof(field_options, from), 0, 0},
    {"--metric", "NAME", "eikonal (straight lines) or octile (cell steps)", CLI_TEXT,
     offsetof(field_options, metric), 0, 0},
    {"--class-radius", "M", "radius of those who walk (0)", CLI_REAL,
     offsetof(field_options, radius), 0, 100},
    {"--class", "M", "the same as --class-radius", CLI_REAL, offsetof(field_options, radius), 0,
     100},
    {"--method", "NAME", "the same as --metric", CLI_TEXT, offsetof(field_options, metric), 0, 0},
    {"--surcharge", "A", "price beside walls, 1 + A (0)", CLI_REAL,
     offsetof(field_options, surcharge), 0, 8},
    {"--cell", "M", "metres a cell, where the file does not say (1)", CLI_REAL,
     offsetof(field_options, cell), 0.01, 100},
    {"--repeat", "N", "solve N times, print the least time (5)", CLI_WHOLE,
     offsetof(field_options, repeat), 1, 1000},
    {"--out", "PNG", "draw the field", CLI_TEXT, offsetof(field_options, out), 0, 0},
    {"--json", NULL, "print one JSON object", CLI_FLAG, offsetof(field_options, json), 0, 0},
};

static void defaults(void *out)
{
    *(field_options *)out = (field_options){.metric = "eikonal", .cell = 1.0, .repeat = 5};
}

static int draw(const field_options *wanted, const throng_map *map, const throng_field *field,
                const throng_goal_shape *shape, const char *title)
{
    int width = throng_map_width(map), height = throng_map_height(map);
    int longer = width > height ? width : height;
    double scale = longer < 1024 ? 1024.0 / longer : longer > 2048 ? 2048.0 / longer : 1.0;
    throng_picture picture = {0};
    throng_error error = {0};
    throng_scene_picture scene = throng_default_scene_picture();
    scene.map = map;
    scene.field = field;
    scene.class_index = 0;
    scene.goals = shape;
    scene.goal_count = 1;
    const char *slash = strrchr(title, '/');
    scene.title = slash != NULL ? slash + 1 : title;
    scene.subtitle = wanted->metric;
    int pixels_x = (int)fmax(64.0, width * scale + 0.5);
    int pixels_y = (int)fmax(64.0, height * scale + 0.5);
    if (throng_picture_create(pixels_x, pixels_y, &picture) != THRONG_OK) {
        return cli_complain("no memory for a picture of %s", title);
    }
    throng_picture_draw_background(&picture, &scene);
    throng_result result = throng_picture_save(&picture, wanted->out, &error);
    throng_picture_free(&picture);
    return result == THRONG_OK ? CLI_FINE : cli_fail(&error);
}

/// The field with a path from a place to the first goal: sectors, windows, line of sight.
static int draw_with_path(const field_options *wanted, const throng_map *map,
                          const throng_field *field, const throng_goal_shape *shape)
{
    throng_picture picture = {0};
    throng_view2 view;
    throng_error error = {0};
    throng_paths *paths = NULL;
    throng_paths_def def = throng_default_paths_def();
    def.map = map;
    throng_result result = throng_paths_create(&def, &paths);
    if (result == THRONG_OK) {
        result = draw_route_begin(map, &picture, &view);
    }
    if (result == THRONG_OK) {
        throng_field_style style = throng_default_field_style();
        style.arrow_spacing = 24;
        throng_picture_draw_field(&picture, &view, map, throng_field_get_view(field), &style);
        throng_path_query query = throng_default_path_query();
        throng_path path;
        query.from = wanted->from.items[0];
        query.to = shape->points[0];
        query.snap_distance = shape->snap_distance;
        if (throng_paths_find(paths, &query, &path) == THRONG_OK) {
            draw_route_sight(&picture, &view, map, path.points[path.point_count - 1]);
            draw_route_sectors(&picture, &view, paths);
            draw_route_line(&picture, &view, &path);
        }
        result = throng_picture_save(&picture, wanted->out, &error);
    } else {
        error.result = result;
    }
    throng_picture_free(&picture);
    throng_paths_destroy(paths);
    return result == THRONG_OK ? CLI_FINE : cli_fail(&error);
}

static void print(const field_options *wanted, double cell_size, throng_field_view view,
                  double seconds)
{
    uint32_t most = 0;
    for (int y = 0; y < view.height; y++) {
        for (int x = 0; x < view.width; x++) {
            uint32_t cost = view.cost[(size_t)y * (size_t)view.stride + (size_t)x];
            most = cost < THRONG_FAR && cost > most ? cost : most;
        }
    }
    double farthest = (double)most / view.unit * cell_size;
    if (wanted->json) {
        printf("{\"metric\": \"%s\", \"cells\": %d, \"reached\": %u, \"ms\": %.3f, "
               "\"farthest\": %.3f}\n",
               wanted->metric, view.width * view.height, view.reached_count, seconds * 1e3,
               farthest);
    } else {
        printf("solved    %.2f ms (least of %d)\n", seconds * 1e3, wanted->repeat);
        printf("reached   %u of %d cells\n", view.reached_count, view.width * view.height);
        printf("farthest  %.1f m of unit terrain\n", farthest);
    }
}

static int solve(const field_options *wanted, const throng_map *map, const char *name)
{
    throng_goal_shape shape = throng_default_goal_shape();
    throng_vec2 middle =
        throng_map_cell_center(map, throng_map_width(map) / 2, throng_map_height(map) / 2);
    shape.points = wanted->goals.count > 0 ? wanted->goals.items : &middle;
    shape.point_count = wanted->goals.count > 0 ? wanted->goals.count : 1;
    if (wanted->goals.count == 0) {
        shape.snap_distance = 1e6f; // any place will do for a first look
    }
    throng_metric metric = strcmp(wanted->metric, "octile") == 0 ? THRONG_OCTILE : THRONG_EIKONAL;
    throng_field *field = NULL;
    throng_result result = throng_field_create(map, 0, &shape, metric, &field);
    if (result != THRONG_OK) {
        return cli_complain("%s: %s for a field", name, throng_result_name(result));
    }
    double least = 1e30;
    for (int i = 0; i < wanted->repeat; i++) {
        double start = cli_seconds();
        throng_field_solve(field);
        double seconds = cli_seconds() - start;
        least = seconds < least ? seconds : least;
        cli_progress("solve", i + 1, wanted->repeat);
    }
    cli_progress_end();
    throng_field_view view = throng_field_get_view(field);
    int status = CLI_FINE;
    if (view.reached_count == 0) {
        status = cli_complain("%s: no goal lies on or near a cell that fits the class", name);
    } else {
        status = wanted->out == NULL      ? CLI_FINE
                 : wanted->from.count > 0 ? draw_with_path(wanted, map, field, &shape)
                                          : draw(wanted, map, field, &shape, name);
        if (status == CLI_FINE) {
            print(wanted, (double)throng_map_cell_size(map), view, least);
        }
    }
    throng_field_destroy(field);
    return status;
}

static int run(void *given, int count, char **arguments)
{
    const field_options *wanted = given;
    (void)count;
    if (strcmp(wanted->metric, "octile") != 0 && strcmp(wanted->metric, "eikonal") != 0) {
        return cli_complain("field: expected eikonal or octile after --metric, found '%s'",
                            wanted->metric);
    }
    throng_map *map = cli_load_map(arguments[0], wanted->cell, wanted->radius, wanted->surcharge);
    int status = map != NULL ? solve(wanted, map, arguments[0]) : CLI_BAD_INPUT;
    throng_map_destroy(map);
    return status;
}

const cli_verb cli_field = {
    .name = "field",
    .arguments = "MAP",
    .summary = "solve one field: time, reach, picture",
    .text =
        "An integration field says for every cell what it costs to reach the goal; agents read\n"
        "it instead of searching for paths.",
    .example = "throng field maps/movingai/Berlin_0_256.map --goal 40,40 --out field.png",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least = 1,
    .most = 1,
    .defaults = defaults,
    .run = run,
};
