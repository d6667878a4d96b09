/// throng rooms: cuts a map into rooms, or makes a maze of them; tables, pictures, walkers.
#include "cli.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <throng_io/video.h>

typedef struct rooms_options {
    int maze, room_size, extra, obstacles, most_cells, door, walkers, steps, threads, seed, close;
    const char *out, *video;
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
    {"--close-every", "N", "close a random door every N steps, and open the one before (0: never)",
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
    throng_map *map;
    uint16_t *zones; ///< of a maze
    throng_jobs *jobs;
    throng_rooms *rooms;
    throng_walkers *walkers;
    int width, height, scale;
    throng_picture picture, background;
    double slowest, median; ///< seconds of a step
} rooms_run;

static uint32_t draw_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static bool make_maze(rooms_run *run)
{
    const rooms_options *wanted = run->wanted;
    throng_maze_def def = throng_default_maze_def();
    throng_map_def map_def = throng_default_map_def();
    throng_class_def class_def = throng_default_class_def();
    int class_index;
    def.rooms_x = def.rooms_y = wanted->maze;
    def.room_size = wanted->room_size;
    def.extra_doors = wanted->extra;
    def.obstacles = wanted->obstacles;
    def.seed = (uint64_t)wanted->seed;
    map_def.width = throng_maze_width(&def);
    map_def.height = throng_maze_height(&def);
    size_t cells = (size_t)map_def.width * (size_t)map_def.height;
    uint8_t *terrain = malloc(cells);
    run->zones = malloc(cells * sizeof *run->zones);
    map_def.terrain = terrain;
    class_def.radius = 0.0f;
    throng_result result = THRONG_NO_MEMORY;
    if (terrain != NULL && run->zones != NULL) {
        result = throng_maze_fill(&def, terrain, run->zones);
        result = result == THRONG_OK ? throng_map_create(&map_def, &run->map) : result;
        result =
            result == THRONG_OK ? throng_map_add_class(run->map, &class_def, &class_index) : result;
    }
    free(terrain);
    if (result != THRONG_OK) {
        cli_complain("a maze of %d x %d rooms of %d cells: %s", wanted->maze, wanted->maze,
                     wanted->room_size, throng_result_name(result));
    }
    return result == THRONG_OK;
}

static bool make_rooms(rooms_run *run)
{
    throng_rooms_def def = throng_default_rooms_def();
    throng_error error = {0};
    if (throng_jobs_create(run->wanted->threads, &run->jobs) != THRONG_OK) {
        cli_complain("no memory for threads");
        return false;
    }
    def.zones = run->zones;
    def.most_cells = run->wanted->most_cells;
    def.diagonal = run->wanted->eight;
    def.jobs = run->jobs;
    if (throng_rooms_create(run->map, 0, &def, &run->rooms, &error) != THRONG_OK) {
        cli_fail(&error);
        return false;
    }
    return true;
}

static void print_tables(const rooms_run *run)
{
    throng_rooms_report report = throng_rooms_get_report(run->rooms);
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

static void paint(throng_picture *picture, int scale, int x, int y, throng_colour colour)
{
    throng_pixel_rect rect = {x * scale, y * scale, scale, scale};
    throng_picture_fill(picture, rect, colour);
}

static throng_colour dimmed(throng_colour colour, int percent)
{
    colour.r = (uint8_t)(colour.r * percent / 100);
    colour.g = (uint8_t)(colour.g * percent / 100);
    colour.b = (uint8_t)(colour.b * percent / 100);
    return colour;
}

/// Rooms in colours that differ from their neighbours', doors white, walls dark, pockets too.
static void paint_rooms(rooms_run *run, int percent)
{
    throng_colour wall = {16, 16, 20, 255}, nobody = {60, 60, 60, 255};
    for (int y = 0; y < run->height; y++) {
        for (int x = 0; x < run->width; x++) {
            int cell = y * run->width + x, room = throng_rooms_at(run->rooms, cell);
            throng_colour colour =
                room != 0 ? dimmed(throng_colour_of_index((int)((uint32_t)room * 2654435761u >> 8)),
                                   percent)
                : throng_map_fits(run->map, 0, x, y) ? nobody
                                                     : wall;
            if (room != 0 && throng_rooms_door_at(run->rooms, cell) >= 0) {
                colour = dimmed((throng_colour){255, 255, 255, 255}, 40 + percent * 6 / 10);
            }
            paint(&run->picture, run->scale, x, y, colour);
        }
    }
}

/// How far every cell is from a door: white at it, dark far away, black where no way leads.
static bool paint_door(rooms_run *run)
{
    size_t cells = (size_t)run->width * (size_t)run->height;
    uint32_t *lengths = malloc(cells * sizeof *lengths), most = 1;
    if (lengths == NULL ||
        throng_rooms_lengths(run->rooms, run->wanted->door, lengths) != THRONG_OK) {
        cli_complain("expected a door from 0 to %d, found %d",
                     throng_rooms_door_count(run->rooms) - 1, run->wanted->door);
        free(lengths);
        return false;
    }
    for (size_t i = 0; i < cells; i++) {
        most = lengths[i] < THRONG_ROOMS_FAR && lengths[i] > most ? lengths[i] : most;
    }
    for (int y = 0; y < run->height; y++) {
        for (int x = 0; x < run->width; x++) {
            uint32_t length = lengths[y * run->width + x];
            throng_colour colour = {0, 0, 0, 255};
            if (length == 0) {
                colour = (throng_colour){255, 255, 255, 255};
            } else if (length < THRONG_ROOMS_FAR) {
                colour = throng_colour_heat(1.0f - 0.9f * (float)length / (float)most);
            } else if (!throng_map_fits(run->map, 0, x, y)) {
                colour = (throng_colour){24, 24, 36, 255};
            }
            paint(&run->picture, run->scale, x, y, colour);
        }
    }
    free(lengths);
    return true;
}

static void paint_walkers(rooms_run *run)
{
    throng_walkers_view view = throng_walkers_get_view(run->walkers);
    throng_picture_copy(&run->picture, &run->background);
    for (int i = 0; i < view.count; i++) {
        int status = view.statuses[i] & 15;
        throng_colour colour = status == THRONG_WALKER_ARRIVED ? (throng_colour){90, 220, 120, 255}
                               : status == THRONG_WALKER_UNREACHABLE
                                   ? (throng_colour){230, 60, 60, 255}
                                   : (throng_colour){250, 220, 120, 255};
        paint(&run->picture, run->scale, (int)view.cells[i] % run->width,
              (int)view.cells[i] / run->width, colour);
    }
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

static bool make_pictures(rooms_run *run)
{
    int longer = run->width > run->height ? run->width : run->height;
    run->scale = longer < 512 ? 1024 / longer : 1;
    int width = run->width * run->scale, height = run->height * run->scale;
    if (throng_picture_create(width, height, &run->picture) != THRONG_OK ||
        throng_picture_create(width, height, &run->background) != THRONG_OK) {
        cli_complain("no memory for a picture of %d x %d pixels", width, height);
        return false;
    }
    return true;
}

// ---- Walkers -----------------------------------------------------------------------------------

static bool place_walkers(rooms_run *run)
{
    int count = run->wanted->walkers, cells = run->width * run->height;
    int *places = malloc((size_t)count * sizeof *places);
    throng_rooms_goal *goals = malloc((size_t)count * sizeof *goals);
    throng_walkers_def def = throng_default_walkers_def();
    uint64_t state = (uint64_t)run->wanted->seed;
    bool good = places != NULL && goals != NULL;
    for (int i = 0; i < 2 * count && good; i++) {
        int cell;
        do {
            cell = (int)(draw_number(&state) % (uint32_t)cells);
        } while (throng_rooms_at(run->rooms, cell) == 0);
        if (i % 2 == 0) {
            places[i / 2] = cell;
        } else {
            goals[i / 2] = (throng_rooms_goal){false, cell};
        }
    }
    def.cells = places;
    def.count = count;
    good = good && throng_walkers_create(run->rooms, &def, &run->walkers) == THRONG_OK &&
           throng_walkers_set_goals(run->walkers, run->jobs, 0, count, goals) == THRONG_OK;
    free(places);
    free(goals);
    if (!good) {
        cli_complain("no memory for %d walkers", count);
    }
    return good;
}

static void change_doors(rooms_run *run, uint64_t *state, int *closed)
{
    throng_door open = {0}, shut = {.closed = true};
    if (*closed >= 0) {
        throng_walkers_set_door(run->walkers, run->jobs, *closed, &open);
    }
    *closed = (int)(draw_number(state) % (uint32_t)throng_rooms_door_count(run->rooms));
    throng_walkers_set_door(run->walkers, run->jobs, *closed, &shut);
}

static int by_time(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static bool walk(rooms_run *run, throng_video *video, throng_walkers_summary *sum, double *all)
{
    const rooms_options *wanted = run->wanted;
    double *times = malloc((size_t)wanted->steps * sizeof *times);
    uint64_t state = (uint64_t)wanted->seed + 99u, moved = 0;
    int closed = -1, done = 0;
    throng_error error = {0};
    bool good = times != NULL;
    for (; done < wanted->steps && good; done++) {
        double start = cli_seconds();
        if (wanted->close > 0 && done % wanted->close == 0 &&
            throng_rooms_door_count(run->rooms) > 0) {
            change_doors(run, &state, &closed);
        }
        *sum = throng_walkers_step(run->walkers, run->jobs);
        if (wanted->close > 0) {
            throng_rooms_refresh(run->rooms, run->jobs, 128);
        }
        times[done] = cli_seconds() - start;
        *all += times[done];
        moved += (uint64_t)sum->moved;
        cli_progress("walk", done + 1, wanted->steps);
        if (video != NULL && done % 4 == 0) {
            paint_walkers(run);
            good = throng_video_frame(video, &run->picture, &error) == THRONG_OK;
        }
        if (sum->walking == 0 && wanted->close == 0) {
            done++;
            break;
        }
    }
    cli_progress_end();
    if (good && done > 0) {
        qsort(times, (size_t)done, sizeof *times, by_time);
        run->median = times[done / 2];
        run->slowest = times[done - 1];
        *all = *all * 1e9 / (double)(moved > 0 ? moved : 1);
    }
    free(times);
    return good || (cli_fail(&error), false);
}

static void print_walk(const rooms_run *run, const throng_walkers_summary *sum, double each,
                       double plan)
{
    if (run->wanted->json) {
        printf(", \"walking\": %d, \"arrived\": %d, \"unreachable\": %d, \"waiting\": %d, "
               "\"plan_ms\": %.1f, \"median_ms\": %.3f, \"slowest_ms\": %.3f, \"ns_each\": %.2f, "
               "\"hash\": \"%016" PRIx64 "\"",
               sum->walking, sum->arrived, sum->unreachable, sum->waiting, plan * 1e3,
               run->median * 1e3, run->slowest * 1e3, each, throng_walkers_hash(run->walkers));
        return;
    }
    printf("walkers   %d walking, %d arrived, %d unreachable, %d waiting to plan\n", sum->walking,
           sum->arrived, sum->unreachable, sum->waiting);
    printf("planned   all in %.1f ms\n", plan * 1e3);
    printf("step      median %.2f ms, slowest %.2f, %.2f ns a walker's step\n", run->median * 1e3,
           run->slowest * 1e3, each);
    printf("hash      %016" PRIx64 "\n", throng_walkers_hash(run->walkers));
}

static bool run_walkers(rooms_run *run)
{
    const rooms_options *wanted = run->wanted;
    throng_video *video = NULL;
    throng_error error = {0};
    throng_walkers_summary sum = {0};
    double start = cli_seconds(), each = 0.0;
    if (!place_walkers(run)) {
        return false;
    }
    double plan = cli_seconds() - start;
    if (wanted->out != NULL || wanted->video != NULL) {
        paint_rooms(run, 35);
        throng_picture_copy(&run->background, &run->picture);
    }
    if (wanted->video != NULL &&
        throng_video_open(wanted->video, run->picture.width, run->picture.height, 25, &video,
                          &error) != THRONG_OK) {
        cli_fail(&error);
        return false;
    }
    if (!walk(run, video, &sum, &each)) {
        throng_video_abort(video);
        return false;
    }
    if (video != NULL && throng_video_close(video, &error) != THRONG_OK) {
        cli_fail(&error);
        return false;
    }
    print_walk(run, &sum, each, plan);
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
    bool drawn = wanted->out != NULL || wanted->video != NULL;
    bool good = !drawn || make_pictures(run);
    if (good && wanted->walkers > 0) {
        good = run_walkers(run);
    } else if (good && wanted->out != NULL) {
        good = wanted->door < 0 || paint_door(run);
        if (good && wanted->door < 0) {
            paint_rooms(run, 100);
        }
        good = good && save(run);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(wanted->json ? ", \"peak_mib\": %.1f}\n" : "memory    %.1f MiB at most\n",
           (double)usage.ru_maxrss / 1024.0);
    return good;
}

static int run(void *given, int count, char **arguments)
{
    rooms_run made = {.wanted = given};
    if ((count == 1) == (made.wanted->maze > 0)) {
        return cli_complain("rooms: expected either a MAP or --maze N");
    }
    bool good;
    if (count == 1) {
        made.map = cli_load_map(arguments[0], 1.0, 0.0, 0.0);
        good = made.map != NULL;
    } else {
        good = make_maze(&made);
    }
    if (good) {
        made.width = throng_map_width(made.map);
        made.height = throng_map_height(made.map);
        good = make_rooms(&made) && show(&made);
    }
    throng_picture_free(&made.picture);
    throng_picture_free(&made.background);
    throng_walkers_destroy(made.walkers);
    throng_rooms_destroy(made.rooms);
    throng_jobs_destroy(made.jobs);
    throng_map_destroy(made.map);
    free(made.zones);
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
