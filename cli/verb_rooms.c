/// throng rooms: cuts a map into rooms, or makes a maze of them; tables, pictures, walkers.
#include "cli.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <throng_io/map_file.h>
#include <throng_io/video.h>
#include <throng_io/walk.h>

typedef struct rooms_options {
    int maze, room_size, extra, obstacles, most_cells, door, walkers, steps, threads, seed, close;
    const char *out, *video, *zones;
    bool eight, json;
} rooms_options;

static const cli_option options[] = {
    {"--maze", "N", "instead of a map: a maze of N x N rooms", CLI_WHOLE,
     offsetof(rooms_options, maze), 1, 255},
    {"--room-size", "N", "cells of a room of the maze, wall included (8)", CLI_WHOLE,
     offsetof(rooms_options, room_size), 3, 1024},
    {"--extra", "P", "percent of doors beyond a tree's (30)", CLI_WHOLE,
     offsetof(rooms_options, extra), 0, 1000},
    {"--obstacles", "P", "percent of cells tried as obstacles (0)", CLI_WHOLE,
     offsetof(rooms_options, obstacles), 0, 50},
    {"--most-cells", "N", "largest room when a map is cut (4096)", CLI_WHOLE,
     offsetof(rooms_options, most_cells), 16, 1 << 20},
    {"--zones", "PICTURE", "rooms of the map: each colour of a PNG or PGM is one, black is none",
     CLI_TEXT, offsetof(rooms_options, zones), 0, 0},
    {"--eight", NULL, "steps to eight neighbours (four)", CLI_FLAG, offsetof(rooms_options, eight),
     0, 0},
    {"--door", "K", "draw how far it is to door K instead of the rooms", CLI_WHOLE,
     offsetof(rooms_options, door), 0, 1e9},
    {"--out", "PNG", "leave a picture of the rooms, of a door, or of the walkers", CLI_TEXT,
     offsetof(rooms_options, out), 0, 0},
    {"--video", "MP4", "leave a video of the walkers", CLI_TEXT, offsetof(rooms_options, video), 0,
     0},
    {"--walkers", "N", "let N walk, each to a random cell", CLI_WHOLE,
     offsetof(rooms_options, walkers), 1, 1 << 24},
    {"--steps", "N", "steps of the walkers (400)", CLI_WHOLE, offsetof(rooms_options, steps), 1,
     1e6},
    {"--close-every", "N", "close a random door every N steps; it opens half way on (0: never)",
     CLI_WHOLE, offsetof(rooms_options, close), 0, 1e6},
    {"--threads", "N", "threads (2)", CLI_WHOLE, offsetof(rooms_options, threads), 1, 64},
    {"--seed", "N", "another maze, other walkers (1)", CLI_WHOLE, offsetof(rooms_options, seed), 0,
     1e9},
    {"--json", NULL, "print one JSON object", CLI_FLAG, offsetof(rooms_options, json), 0, 0},
};

static void defaults(void *out)
{
    *(rooms_options *)out = (rooms_options){.room_size = 8,
                                            .extra = 30,
                                            .most_cells = 4096,
                                            .door = -1,
                                            .steps = 400,
                                            .threads = 2,
                                            .seed = 1};
}

typedef struct rooms_run {
    const rooms_options *wanted;
    throng_walk *walk;
    throng_cell_view view; ///< the whole map
    throng_picture picture, background;
} rooms_run;

static void print_tables(const rooms_run *run)
{
    throng_rooms_report report = throng_rooms_get_report(throng_walk_rooms(run->walk));
    const struct {
        const char *name;
        size_t bytes;
        double ms;
    } parts[] = {
        {"zones", report.zone_bytes, report.zone_ms},
        {"inside", report.inside_bytes, report.inside_ms},
        {"graph", report.graph_bytes, report.order_ms},
        {"hierarchy", report.hierarchy_bytes, report.hierarchy_ms},
        {"rows", report.row_bytes, report.row_ms},
    };
    double bytes = 0.0, ms = 0.0;
    if (run->wanted->json) {
        printf("{\"rooms\": %d, \"doors\": %d, \"arcs\": %d, \"hierarchy_arcs\": %d, \"runs\": "
               "%" PRId64 ", \"pockets\": %d",
               report.rooms, report.doors, report.arcs, report.hierarchy_arcs, report.runs,
               report.pockets);
    } else {
        printf("rooms     %d, doors %d, arcs %d, in the hierarchy %d, runs in rows %" PRId64 "\n",
               report.rooms, report.doors, report.arcs, report.hierarchy_arcs, report.runs);
        printf("pockets   %d\n", report.pockets);
    }
    for (int i = 0; i < 5; i++) {
        bytes += (double)parts[i].bytes;
        ms += parts[i].ms;
        printf(run->wanted->json ? ", \"%s_mib\": %.3f, \"%s_ms\": %.1f"
                                 : "%-9s %8.2f MiB %s %8.1f ms\n",
               parts[i].name, (double)parts[i].bytes / 1048576.0,
               run->wanted->json ? parts[i].name : "", parts[i].ms);
    }
    printf(run->wanted->json ? ", \"all_mib\": %.3f, \"all_ms\": %.1f"
                             : "all       %8.2f MiB  %8.1f ms\n",
           bytes / 1048576.0, ms);
}

// ---- Pictures ----------------------------------------------------------------------------------

static bool make_pictures(rooms_run *run)
{
    const throng_map *map = throng_walk_map(run->walk);
    int width = throng_map_width(map), height = throng_map_height(map);
    int longer = width > height ? width : height, scale = longer < 512 ? 1024 / longer : 1;
    run->view = (throng_cell_view){{0, 0, width * scale, height * scale}, {0, 0, width, height}};
    if (throng_picture_create(width * scale, height * scale, &run->picture) != THRONG_OK ||
        throng_picture_create(width * scale, height * scale, &run->background) != THRONG_OK) {
        cli_complain("no memory for a picture of %d x %d pixels", width * scale, height * scale);
        return false;
    }
    return true;
}

static void paint_rooms(const rooms_run *run, throng_picture *picture, float brightness)
{
    throng_picture_draw_rooms(picture, &run->view, throng_walk_map(run->walk),
                              throng_walk_rooms(run->walk), brightness);
}

/// How far every cell is from the wanted door.
static bool paint_door(rooms_run *run)
{
    const throng_map *map = throng_walk_map(run->walk);
    throng_rooms *rooms = throng_walk_rooms(run->walk);
    size_t cells = (size_t)throng_map_width(map) * (size_t)throng_map_height(map);
    uint32_t *lengths = malloc(cells * sizeof *lengths);
    bool good =
        lengths != NULL && throng_rooms_lengths(rooms, run->wanted->door, lengths) == THRONG_OK;
    if (good) {
        throng_picture_draw_lengths(&run->picture, &run->view, map, lengths, 1.0f);
    } else {
        cli_complain("expected a door from 0 to %d, found %d", throng_rooms_door_count(rooms) - 1,
                     run->wanted->door);
    }
    free(lengths);
    return good;
}

static void paint_walkers(rooms_run *run)
{
    throng_picture_copy(&run->picture, &run->background);
    throng_picture_draw_walkers(&run->picture, &run->view, throng_walk_map(run->walk),
                                throng_walk_walkers(run->walk), 0, 0);
}

static bool save(rooms_run *run)
{
    throng_error error = {0};
    if (throng_picture_save(&run->picture, run->wanted->out, &error) != THRONG_OK) {
        cli_fail(&error);
        return false;
    }
    return true;
}

// ---- Walkers -----------------------------------------------------------------------------------

static bool walk(rooms_run *run, throng_video *video, throng_error *error)
{
    bool good = true;
    for (int step = 0; good && throng_walk_step(run->walk); step++) {
        cli_progress("walk", step + 1, run->wanted->steps);
        if (video != NULL && step % 4 == 0) {
            paint_walkers(run);
            good = throng_video_frame(video, &run->picture, error) == THRONG_OK;
        }
    }
    cli_progress_end();
    return good;
}

static void print_walk(const rooms_run *run)
{
    throng_walk_summary sum = throng_walk_get_summary(run->walk);
    uint64_t hash = throng_walkers_hash(throng_walk_walkers(run->walk));
    double each = sum.moved > 0 ? sum.seconds * 1e9 / (double)sum.moved : 0.0;
    if (run->wanted->json) {
        printf(", \"walking\": %d, \"arrived\": %d, \"unreachable\": %d, \"waiting\": %d, "
               "\"plan_ms\": %.1f, \"median_ms\": %.3f, \"slowest_ms\": %.3f, \"ns_each\": %.2f, "
               "\"hash\": \"%016" PRIx64 "\"",
               sum.last.walking, sum.last.arrived, sum.last.unreachable, sum.last.waiting,
               sum.plan_seconds * 1e3, sum.median_step * 1e3, sum.slowest_step * 1e3, each, hash);
        return;
    }
    printf("walkers   %d walking, %d arrived, %d unreachable, %d waiting to plan\n",
           sum.last.walking, sum.last.arrived, sum.last.unreachable, sum.last.waiting);
    printf("planned   all in %.1f ms\n", sum.plan_seconds * 1e3);
    printf("step      median %.2f ms, slowest %.2f, %.2f ns a walker's step\n",
           sum.median_step * 1e3, sum.slowest_step * 1e3, each);
    printf("hash      %016" PRIx64 "\n", hash);
}

static bool run_walkers(rooms_run *run)
{
    const rooms_options *wanted = run->wanted;
    throng_video *video = NULL;
    throng_error error = {0};
    if (run->background.rgb != NULL) {
        paint_rooms(run, &run->background, 0.35f);
    }
    bool good = wanted->video == NULL ||
                throng_video_open(wanted->video, run->picture.width, run->picture.height, 25,
                                  &video, &error) == THRONG_OK;
    good = good && walk(run, video, &error);
    if (good) {
        good = video == NULL || throng_video_close(video, &error) == THRONG_OK;
    } else {
        throng_video_abort(video);
    }
    if (!good) {
        cli_fail(&error);
        return false;
    }
    print_walk(run);
    if (wanted->out != NULL) {
        paint_walkers(run);
        return save(run);
    }
    return true;
}

static bool show(rooms_run *run)
{
    const rooms_options *wanted = run->wanted;
    print_tables(run);
    bool good = (wanted->out == NULL && wanted->video == NULL) || make_pictures(run);
    if (good && wanted->walkers > 0) {
        good = run_walkers(run);
    } else if (good && wanted->out != NULL) {
        if (wanted->door >= 0) {
            good = paint_door(run);
        } else {
            paint_rooms(run, &run->picture, 1.0f);
        }
        good = good && save(run);
    }
    printf(wanted->json ? ", \"peak_mib\": %.1f}\n" : "memory    %.1f MiB at most\n",
           cli_peak_mib());
    return good;
}

/// Rooms of a map from a picture; NULL after a complaint.
static uint16_t *load_zones(const throng_map *map, const char *path)
{
    int width = throng_map_width(map), height = throng_map_height(map), room_count;
    uint16_t *zones = malloc((size_t)width * (size_t)height * sizeof *zones);
    throng_error error = {.result = THRONG_NO_MEMORY, .text = "no memory for zones"};
    if (zones == NULL ||
        throng_zones_load(path, width, height, zones, &room_count, &error) != THRONG_OK) {
        cli_fail(&error);
        free(zones);
        return NULL;
    }
    return zones;
}

static int run(void *given, int count, char **arguments)
{
    const rooms_options *wanted = given;
    rooms_run made = {.wanted = wanted};
    if ((count == 1) == (wanted->maze > 0)) {
        return cli_complain("rooms: expected either a MAP or --maze N");
    }
    if (wanted->zones != NULL && wanted->maze > 0) {
        return cli_complain("rooms: --zones are those of a MAP");
    }
    throng_map *map = NULL;
    if (count == 1 && (map = cli_load_map(arguments[0], 1.0, 0.0, 0.0)) == NULL) {
        return CLI_BAD_INPUT;
    }
    uint16_t *zones = NULL;
    if (wanted->zones != NULL && (zones = load_zones(map, wanted->zones)) == NULL) {
        throng_map_destroy(map);
        return CLI_BAD_INPUT;
    }
    throng_walk_group everybody = {.count = wanted->walkers, .seed = (uint64_t)wanted->seed};
    throng_walk_def def = throng_default_walk_def();
    def.map = map;
    def.zones = zones;
    def.maze.rooms_x = def.maze.rooms_y = wanted->maze;
    def.maze.room_size = wanted->room_size;
    def.maze.extra_doors = wanted->extra;
    def.maze.obstacles = wanted->obstacles;
    def.maze.seed = (uint64_t)wanted->seed;
    def.most_cells = wanted->most_cells;
    def.diagonal = wanted->eight;
    def.groups = &everybody;
    def.group_count = wanted->walkers > 0;
    def.close_every = wanted->close;
    def.door_seed = (uint64_t)wanted->seed + 99u;
    def.steps = wanted->steps;
    def.threads = wanted->threads;
    throng_error error = {0};
    bool good = throng_walk_create(&def, &made.walk, &error) == THRONG_OK;
    if (good) {
        good = show(&made);
    } else {
        cli_fail(&error);
    }
    throng_picture_free(&made.picture);
    throng_picture_free(&made.background);
    throng_walk_destroy(made.walk);
    throng_map_destroy(map);
    free(zones);
    return good ? CLI_FINE : CLI_BAD_INPUT;
}

const cli_verb cli_rooms = {
    .name = "rooms",
    .arguments = "[MAP]",
    .summary = "rooms and doors: tables, pictures, walkers",
    .text = "Cuts a map into rooms, or makes a maze of them, and builds the tables that a million\n"
            "walkers read instead of searching (docs/rooms.md). Prints what each table takes.",
    .example = "throng rooms --maze 128 --walkers 1048576 --out maze.png --video maze.mp4",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least = 0,
    .most = 1,
    .defaults = defaults,
    .run = run,
};
