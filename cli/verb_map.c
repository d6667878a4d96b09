/// throng map: what a map is, and the same in another format.
#include "cli.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <throng_io/map_file.h>

typedef struct map_options {
    const char *out;
    double cell, radius;
    bool json;
} map_options;

static const cli_option options[] = {
    {"--out", "FILE", "write the map as .map, .png, .pgm or .yaml", CLI_TEXT,
     offsetof(map_options, out), 0, 0},
    {"--cell", "M", "metres a cell, where the file does not say (1)", CLI_REAL,
     offsetof(map_options, cell), 0.01, 100},
    {"--class-radius", "M", "radius of the class whose regions are counted (0)", CLI_REAL,
     offsetof(map_options, radius), 0, 100},
    {"--json", NULL, "print one JSON object", CLI_FLAG, offsetof(map_options, json), 0, 0},
};

static void defaults(void *out)
{
    *(map_options *)out = (map_options){.cell = 1.0};
}

/// The narrowest passage: twice the least clearance of a cell that is at least as wide as both its
/// neighbours across it. 0 when there is none.
static double narrowest_gap(const throng_map *map, int *at_x, int *at_y)
{
    int width = throng_map_width(map), height = throng_map_height(map);
    double least = INFINITY;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            if (!throng_map_fits(map, 0, x, y)) {
                continue;
            }
            float here = throng_map_clearance(map, 0, x, y);
            bool across_x = here >= throng_map_clearance(map, 0, x - 1, y) &&
                            here >= throng_map_clearance(map, 0, x + 1, y);
            bool across_y = here >= throng_map_clearance(map, 0, x, y - 1) &&
                            here >= throng_map_clearance(map, 0, x, y + 1);
            if ((across_x || across_y) && 2.0 * (double)here < least) {
                least = 2.0 * (double)here;
                *at_x = x;
                *at_y = y;
            }
        }
    }
    return isfinite(least) ? least : 0.0;
}

typedef struct map_facts {
    long cells[THRONG_MAX_TERRAINS];
    long fitting, largest;
    int regions, gap_x, gap_y;
    double gap;
} map_facts;

static bool find_facts(const throng_map *map, map_facts *facts)
{
    int width = throng_map_width(map), height = throng_map_height(map);
    *facts = (map_facts){.regions = throng_map_region_count(map, 0)};
    long *sizes = calloc((size_t)facts->regions + 1, sizeof *sizes);
    if (sizes == NULL) {
        return false;
    }
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            facts->cells[throng_map_terrain_at(map, x, y)]++;
            int region = throng_map_region(map, 0, x, y);
            if (region > 0) {
                facts->fitting++;
                sizes[region]++;
                facts->largest = sizes[region] > facts->largest ? sizes[region] : facts->largest;
            }
        }
    }
    free(sizes);
    facts->gap = narrowest_gap(map, &facts->gap_x, &facts->gap_y);
    return true;
}

static void print_json(const throng_map *map, const map_facts *facts)
{
    printf("{\"width\": %d, \"height\": %d, \"cell_size\": %g, \"origin\": [%g, %g], \"cells\": {",
           throng_map_width(map), throng_map_height(map), (double)throng_map_cell_size(map),
           (double)throng_map_origin(map).x, (double)throng_map_origin(map).y);
    bool first = true;
    for (int i = 0; i < THRONG_MAX_TERRAINS; i++) {
        if (facts->cells[i] > 0) {
            fputs(first ? "" : ", ", stdout);
            cli_print_json_text(throng_map_terrain_name(map, i));
            printf(": %ld", facts->cells[i]);
            first = false;
        }
    }
    printf(
        "}, \"fitting\": %ld, \"regions\": %d, \"largest_region\": %ld, \"narrowest_gap\": %g}\n",
        facts->fitting, facts->regions, facts->largest, facts->gap);
}

static void print_table(const throng_map *map, const map_facts *facts)
{
    double cell = (double)throng_map_cell_size(map);
    printf("size           %d x %d cells of %g m: %g x %g m\n", throng_map_width(map),
           throng_map_height(map), cell, throng_map_width(map) * cell,
           throng_map_height(map) * cell);
    printf("origin         %g, %g\n", (double)throng_map_origin(map).x,
           (double)throng_map_origin(map).y);
    for (int i = 0; i < THRONG_MAX_TERRAINS; i++) {
        if (facts->cells[i] > 0) {
            printf("%-14s %ld cells\n", throng_map_terrain_name(map, i), facts->cells[i]);
        }
    }
    printf("fitting        %ld cells in %d regions, the largest has %ld\n", facts->fitting,
           facts->regions, facts->largest);
    if (facts->gap > 0.0) {
        printf("narrowest gap  %g m at cell %d, %d\n", facts->gap, facts->gap_x, facts->gap_y);
    }
}

static int run(void *given, int count, char **arguments)
{
    const map_options *wanted = given;
    (void)count;
    throng_error error = {0};
    throng_map *map = cli_load_map(arguments[0], wanted->cell, wanted->radius, 0.0);
    if (map == NULL) {
        return CLI_BAD_INPUT;
    }
    int status = CLI_FINE;
    map_facts facts;
    if (!find_facts(map, &facts)) {
        status = cli_complain("no memory for %s", arguments[0]);
    } else if (wanted->out != NULL && throng_map_save(map, wanted->out, &error) != THRONG_OK) {
        status = cli_fail(&error);
    } else if (wanted->json) {
        print_json(map, &facts);
    } else {
        print_table(map, &facts);
    }
    throng_map_destroy(map);
    return status;
}

const cli_verb cli_map = {
    .name = "map",
    .arguments = "FILE",
    .summary = "what a map is: size, cells, regions, narrowest gap; convert",
    .text = "Reads MovingAI .map files, rows of characters, PNG, PGM and ROS map_server yaml.\n"
            "The narrowest gap is twice the least clearance of a cell that is at least as wide as\n"
            "both its neighbours across it.",
    .example = "throng map maps/movingai/Berlin_0_256.map --out berlin.png",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least = 1,
    .most = 1,
    .defaults = defaults,
    .run = run,
};
