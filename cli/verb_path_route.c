/// throng path MAP --from X,Y --to X,Y: finds one path, prints and draws it.
#include "draw_route.h"
#include "verb_path.h"
#include <math.h>
#include <stdio.h>

static int draw(const path_route *wanted, const throng_map *map, throng_paths *paths,
                const throng_path *path)
{
    throng_picture picture = {0};
    throng_view2 view;
    throng_error error = {0};
    if (draw_route_begin(map, &picture, &view) != THRONG_OK) {
        return cli_complain("no memory for a picture");
    }
    draw_route_sight(&picture, &view, map, path->points[path->point_count - 1]);
    draw_route_sectors(&picture, &view, paths);
    draw_route_line(&picture, &view, path);
    throng_result result = throng_picture_save(&picture, wanted->out, &error);
    throng_picture_free(&picture);
    return result == THRONG_OK ? CLI_FINE : cli_fail(&error);
}

static void print_json(const throng_path *path, double ms)
{
    printf("{\"length\": %.3f, \"cost\": %.3f, \"narrowest\": ", (double)path->length,
           (double)path->cost);
    if (isfinite(path->narrowest)) {
        printf("%.3f", (double)path->narrowest);
    } else {
        printf("null");
    }
    printf(", \"sectors\": %d, \"ms\": %.3f, \"points\": [", path->sectors, ms);
    for (int i = 0; i < path->point_count; i++) {
        printf("%s[%.3f, %.3f]", i > 0 ? ", " : "", (double)path->points[i].x,
               (double)path->points[i].y);
    }
    printf("]}\n");
}

static void print_text(const throng_path *path, double ms)
{
    printf("length    %.1f m, %.1f m of unit terrain\n", (double)path->length, (double)path->cost);
    if (isfinite(path->narrowest)) {
        printf("narrowest %.2f m\n", (double)path->narrowest);
    } else {
        printf("narrowest nowhere under 32 cells\n");
    }
    printf("crosses   %d sectors\n", path->sectors);
    printf("found     in %.3f ms\n", ms);
    for (int i = 0; i < path->point_count; i++) {
        printf("%-9s %.2f, %.2f\n",
               i == 0                       ? "from"
               : i + 1 == path->point_count ? "to"
                                            : "turn",
               (double)path->points[i].x, (double)path->points[i].y);
    }
}

int cli_path_route(const path_route *wanted, const char *map_path)
{
    throng_map *map = cli_load_map(map_path, wanted->cell, wanted->radius, 0.0);
    throng_paths_def def = throng_default_paths_def();
    throng_paths *paths = NULL;
    def.map = map;
    if (map == NULL || throng_paths_create(&def, &paths) != THRONG_OK) {
        int status = map == NULL ? CLI_BAD_INPUT : cli_complain("%s: no memory", map_path);
        throng_map_destroy(map);
        return status;
    }
    throng_path_query query = throng_default_path_query();
    throng_path path;
    query.from = wanted->from;
    query.to = wanted->to;
    query.narrowest = true;
    double start = cli_seconds();
    throng_result result = throng_paths_find(paths, &query, &path);
    double ms = (cli_seconds() - start) * 1e3;
    int status = CLI_FINE;
    if (result != THRONG_OK) {
        fprintf(stderr, "throng: %s: %s: from %g,%g to %g,%g\n", map_path,
                throng_result_name(result), (double)query.from.x, (double)query.from.y,
                (double)query.to.x, (double)query.to.y);
        status = result == THRONG_UNREACHABLE ? CLI_CHECK_FAILED : CLI_BAD_INPUT;
    } else {
        status = wanted->out != NULL ? draw(wanted, map, paths, &path) : CLI_FINE;
        if (wanted->json) {
            print_json(&path, ms);
        } else {
            print_text(&path, ms);
        }
    }
    throng_paths_destroy(paths);
    throng_map_destroy(map);
    return status;
}
