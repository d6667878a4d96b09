/// throng path: one path (verb_path_route.c), or MovingAI scenarios: every optimal length against
/// ours.
///
/// Rows that share a goal share a field, solved only until their starts are settled. Fields are
/// independent, so threads take goals in turn; results are kept per row and do not depend on it.
#include "verb_path.h"
#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <throng_io/map_file.h>

typedef struct path_options {
    const char *scen;
    cli_texts exact;
    int threads;
    bool json;
    cli_points from, to;
    const char *out;
    double cell, radius;
} path_options;

static const cli_option options[] = {
    {"--from", "X,Y", "find one path: from there, in metres", CLI_POINTS,
     offsetof(path_options, from), 0, 0},
    {"--to", "X,Y", "and to there", CLI_POINTS, offsetof(path_options, to), 0, 0},
    {"--out", "PNG", "draw it", CLI_TEXT, offsetof(path_options, out), 0, 0},
    {"--class-radius", "M", "radius of who walks (0)", CLI_REAL, offsetof(path_options, radius), 0,
     100},
    {"--cell", "M", "metres a cell, where the file does not say (1)", CLI_REAL,
     offsetof(path_options, cell), 0.01, 100},
    {"--scen", "FILE", "the scenario (MAP.scen)", CLI_TEXT, offsetof(path_options, scen), 0, 0},
    {"--exact", "CSV", "sx,sy,gx,gy,straight,diagonal,length rows; may be repeated", CLI_TEXTS,
     offsetof(path_options, exact), 0, 0},
    {"--threads", "N", "threads (2)", CLI_WHOLE, offsetof(path_options, threads), 1, 64},
    {"--json", NULL, "print JSON lines", CLI_FLAG, offsetof(path_options, json), 0, 0},
};

static void defaults(void *out)
{
    *(path_options *)out = (path_options){.threads = 2, .cell = 1.0};
}

/// The work that threads share.
typedef struct path_job {
    const throng_map *map;
    const throng_scenario *scenario;
    int *order; ///< rows sorted by goal
    int *first; ///< of each goal in `order`; one more at the end
    int goal_count;
    int *straight, *diagonal; ///< found, per row; -1 none
    atomic_int next, done;
    atomic_bool failed;
} path_job;

static int goal_of(const path_job *job, int row)
{
    const throng_scenario_row *at = &job->scenario->rows[row];
    return at->goal_y * throng_map_width(job->map) + at->goal_x;
}

static bool solve_goal(path_job *job, throng_field *field, int *starts, int goal)
{
    int cell = goal_of(job, job->order[job->first[goal]]);
    throng_goal_shape shape = throng_default_goal_shape();
    shape.cells = &cell;
    shape.cell_count = 1;
    shape.snap_distance = 0.0f;
    if (throng_field_set_goal(field, &shape) != THRONG_OK) {
        return false;
    }
    int count = 0, width = throng_map_width(job->map);
    for (int i = job->first[goal]; i < job->first[goal + 1]; i++) {
        const throng_scenario_row *row = &job->scenario->rows[job->order[i]];
        starts[count++] = row->start_y * width + row->start_x;
    }
    throng_field_solve_until(field, starts, count);
    for (int i = job->first[goal]; i < job->first[goal + 1]; i++) {
        int index = job->order[i];
        const throng_scenario_row *row = &job->scenario->rows[index];
        if (!throng_field_octile_steps(field, row->start_x, row->start_y, &job->straight[index],
                                       &job->diagonal[index])) {
            job->straight[index] = job->diagonal[index] = -1;
        }
    }
    return true;
}

/// Takes goals until none is left. `name` draws the bar; NULL in all threads but one.
static void work(path_job *job, const char *name)
{
    throng_goal_shape nothing = throng_default_goal_shape();
    throng_field *field = NULL;
    int *starts = malloc(((size_t)job->scenario->row_count + 1) * sizeof *starts);
    bool fine = starts != NULL &&
                throng_field_create(job->map, 0, &nothing, THRONG_OCTILE, &field) == THRONG_OK;
    while (fine) {
        int goal = atomic_fetch_add(&job->next, 1);
        if (goal >= job->goal_count) {
            break;
        }
        fine = solve_goal(job, field, starts, goal);
        int done = atomic_fetch_add(&job->done, 1) + 1;
        if (name != NULL) {
            cli_progress(name, done, job->goal_count);
        }
    }
    if (!fine) {
        atomic_store(&job->failed, true);
    }
    throng_field_destroy(field);
    free(starts);
}

static void *work_aside(void *context)
{
    work(context, NULL);
    return NULL;
}

/// Sorts rows by goal (by merging, so that equal ones keep their order) and finds where goals
/// begin.
static bool group_by_goal(path_job *job)
{
    int count = job->scenario->row_count;
    size_t bytes = ((size_t)count + 1) * sizeof(int);
    int *scratch = malloc(bytes);
    job->order = malloc(bytes);
    job->first = malloc(bytes);
    job->straight = malloc(bytes);
    job->diagonal = malloc(bytes);
    if (!scratch || !job->order || !job->first || !job->straight || !job->diagonal) {
        free(scratch);
        return false;
    }
    for (int i = 0; i < count; i++) {
        job->order[i] = i;
    }
    for (int width = 1; width < count; width *= 2) {
        for (int low = 0; low < count; low += 2 * width) {
            int middle = low + width < count ? low + width : count;
            int high = low + 2 * width < count ? low + 2 * width : count;
            int a = low, b = middle;
            for (int i = low; i < high; i++) {
                bool left = a < middle && (b >= high || goal_of(job, job->order[a]) <=
                                                            goal_of(job, job->order[b]));
                scratch[i] = left ? job->order[a++] : job->order[b++];
            }
        }
        memcpy(job->order, scratch, (size_t)count * sizeof(int));
    }
    for (int i = 0; i < count; i++) {
        if (i == 0 || goal_of(job, job->order[i]) != goal_of(job, job->order[i - 1])) {
            job->first[job->goal_count++] = i;
        }
    }
    job->first[job->goal_count] = count;
    free(scratch);
    return true;
}

/// What the file's own printing may hide: half of its last digit, by decimals or six figures.
static double tolerance(const throng_scenario *scenario, double length)
{
    if (scenario->length_decimals >= 8) {
        return 1e-6 * (length > 1.0 ? length : 1.0);
    }
    double by_decimals = 0.5 * pow(10.0, -scenario->length_decimals);
    double by_figures = length > 0.0 ? 0.5 * pow(10.0, floor(log10(length)) - 5.0) : 0.0;
    return 1.02 * (by_decimals > by_figures ? by_decimals : by_figures);
}

static bool row_is_right(const path_job *job, int index)
{
    const throng_scenario_row *row = &job->scenario->rows[index];
    int straight = job->straight[index], diagonal = job->diagonal[index];
    if (straight < 0) {
        return false;
    }
    if (row->straight >= 0) {
        return straight == row->straight && diagonal == row->diagonal;
    }
    double length = straight + diagonal * 1.41421356237309504880;
    return fabs(length - row->length) <= tolerance(job->scenario, row->length);
}

/// Prints the sum of a scenario and its first mistakes. Returns the number of mistakes.
static int print_result(const path_options *wanted, const path_job *job, const char *name,
                        double seconds)
{
    int wrong = 0;
    for (int i = 0; i < job->scenario->row_count; i++) {
        if (row_is_right(job, i)) {
            continue;
        }
        const throng_scenario_row *row = &job->scenario->rows[i];
        if (wrong++ < 5) {
            fprintf(stderr, "%s:%d: %d,%d to %d,%d: expected %.8f, found %d straight %d diagonal\n",
                    name, row->line, row->start_x, row->start_y, row->goal_x, row->goal_y,
                    row->length, job->straight[i], job->diagonal[i]);
        }
    }
    if (wanted->json) {
        printf("{\"file\": ");
        cli_print_json_text(name);
        printf(", \"rows\": %d, \"wrong\": %d, \"goals\": %d, \"seconds\": %.3f}\n",
               job->scenario->row_count, wrong, job->goal_count, seconds);
    } else {
        printf("%-5s %-60s %6d rows %6d wrong  %.2f s\n", wrong ? "FAIL" : "pass", name,
               job->scenario->row_count, wrong, seconds);
    }
    fflush(stdout);
    return wrong;
}

/// Checks the rows of one file. 0 right, 1 wrong, 2 could not be checked.
static int check_rows(const path_options *wanted, const throng_map *map, const char *name)
{
    throng_error error = {0};
    throng_scenario scenario = {0};
    if (throng_scenario_load(name, &scenario, &error) != THRONG_OK) {
        return cli_fail(&error);
    }
    path_job job = {.map = map, .scenario = &scenario};
    int status = CLI_FINE;
    double start = cli_seconds();
    int width = throng_map_width(map), height = throng_map_height(map);
    for (int i = 0; i < scenario.row_count && status == CLI_FINE; i++) {
        const throng_scenario_row *row = &scenario.rows[i];
        if (row->start_x >= width || row->goal_x >= width || row->start_y >= height ||
            row->goal_y >= height) {
            status = cli_complain("%s:%d: a cell outside the map of %d x %d cells", name, row->line,
                                  width, height);
        }
    }
    if (status == CLI_FINE && !group_by_goal(&job)) {
        status = cli_complain("%s: no memory", name);
    }
    if (status == CLI_FINE) {
        pthread_t threads[64];
        int started = 0;
        while (started < wanted->threads - 1 &&
               pthread_create(&threads[started], NULL, work_aside, &job) == 0) {
            started++;
        }
        work(&job, name);
        cli_progress_end();
        for (int i = 0; i < started; i++) {
            pthread_join(threads[i], NULL);
        }
        status = atomic_load(&job.failed) ? cli_complain("%s: no memory", name)
                 : print_result(wanted, &job, name, cli_seconds() - start) > 0 ? CLI_CHECK_FAILED
                                                                               : CLI_FINE;
    }
    free(job.order);
    free(job.first);
    free(job.straight);
    free(job.diagonal);
    throng_scenario_free(&scenario);
    return status;
}

/// Loads a map and checks files of rows on it; `scen` may be NULL.
static int check_map(const path_options *wanted, const char *map_path, const char *scen,
                     const cli_texts *exact)
{
    throng_map *map = cli_load_map(map_path, 1.0, 0.0, 0.0);
    if (map == NULL) {
        return CLI_BAD_INPUT;
    }
    int status = scen != NULL ? check_rows(wanted, map, scen) : CLI_FINE;
    for (int i = 0; i < exact->count && status != CLI_BAD_INPUT; i++) {
        int found = check_rows(wanted, map, exact->items[i]);
        status = found > status ? found : status;
    }
    throng_map_destroy(map);
    return status;
}

// ---- Folders ------------------------------------------------------------------------------------

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/// ROOT/exact/FOLDER_MAP.csv, or ROOT/exact/MAP.csv, for ROOT/FOLDER/MAP.map.
static const char *find_exact(const char *root, const char *map_path, char *out, size_t size)
{
    const char *below = map_path + strlen(root) + 1;
    size_t used = (size_t)snprintf(out, size, "%s/exact/", root);
    for (; *below != '\0' && used + 5 < size; below++) {
        out[used++] = *below == '/' ? '_' : *below;
    }
    if (used < 4 || used + 5 >= size) {
        return NULL;
    }
    memcpy(out + used - 4, ".csv", 5); // over ".map"
    return is_file(out) ? out : NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/// Names in a folder, sorted; each and the list from malloc. -1 on failure.
static int list_folder(const char *folder, char ***names)
{
    DIR *open_folder = opendir(folder);
    int count = 0, room = 0;
    *names = NULL;
    if (open_folder == NULL) {
        return -1;
    }
    for (struct dirent *entry; (entry = readdir(open_folder)) != NULL;) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        if (count == room) {
            room = room > 0 ? room * 2 : 64;
            char **grown = realloc(*names, (size_t)room * sizeof **names);
            if (grown == NULL) {
                break;
            }
            *names = grown;
        }
        if (((*names)[count] = strdup(entry->d_name)) != NULL) {
            count++;
        }
    }
    closedir(open_folder);
    if (count > 0) {
        qsort(*names, (size_t)count, sizeof **names, by_name);
    }
    return count;
}

/// Every .map below a folder that has a .scen beside it. `found` counts them.
static int check_folder(const path_options *wanted, const char *root, const char *folder, int depth,
                        int *found)
{
    char **names;
    int count = list_folder(folder, &names), status = CLI_FINE;
    if (count < 0) {
        return cli_complain("%s: cannot read the folder", folder);
    }
    for (int i = 0; i < count; i++) {
        char path[4096], scen[4104], exact[4200];
        int length = snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        free(names[i]);
        if (length < 0 || (size_t)length >= sizeof path) {
            continue;
        }
        int here = CLI_FINE;
        snprintf(scen, sizeof scen, "%s.scen", path);
        if (is_folder(path) && depth < 8) {
            here = check_folder(wanted, root, path, depth + 1, found);
        } else if (length > 4 && strcmp(path + length - 4, ".map") == 0 && is_file(scen)) {
            (*found)++;
            cli_texts beside = {.count = 0};
            beside.items[0] = find_exact(root, path, exact, sizeof exact);
            beside.count = beside.items[0] != NULL;
            here = check_map(wanted, path, scen, &beside);
        }
        status = here > status ? here : status;
    }
    free(names);
    return status;
}

static int run(void *given, int count, char **arguments)
{
    const path_options *wanted = given;
    (void)count;
    char beside[4096];
    if (wanted->from.count > 0 || wanted->to.count > 0) {
        if (wanted->from.count != 1 || wanted->to.count != 1) {
            return cli_complain("path: expected one --from and one --to");
        }
        path_route route = {.from = wanted->from.items[0],
                            .to = wanted->to.items[0],
                            .out = wanted->out,
                            .cell = wanted->cell,
                            .radius = wanted->radius,
                            .json = wanted->json};
        return cli_path_route(&route, arguments[0]);
    }
    if (is_folder(arguments[0])) {
        if (wanted->scen != NULL || wanted->exact.count > 0) {
            return cli_complain("path: %s is a folder: its scenarios are found, not named",
                                arguments[0]);
        }
        size_t length = strlen(arguments[0]);
        while (length > 1 && arguments[0][length - 1] == '/') {
            arguments[0][--length] = '\0';
        }
        int found = 0;
        int status = check_folder(wanted, arguments[0], arguments[0], 0, &found);
        if (found == 0 && status == CLI_FINE) {
            return cli_complain("%s: no .map with a .scen beside it", arguments[0]);
        }
        return status;
    }
    const char *scen = wanted->scen;
    if (scen == NULL && wanted->exact.count == 0) {
        snprintf(beside, sizeof beside, "%s.scen", arguments[0]);
        scen = beside;
    }
    return check_map(wanted, arguments[0], scen, &wanted->exact);
}

const cli_verb cli_path = {
    .name = "path",
    .arguments = "MAP",
    .summary = "find and draw a path; or check a MovingAI .scen",
    .text =
        "With --from and --to: one path, its turns, length and narrowest place, and a picture of\n"
        "it with the sectors it crosses, their windows, and the cells that see its end. Without:\n"
        "every optimal length of a MovingAI scenario against ours.\n"
        "Lengths are exact counts of straight and diagonal steps; the file is right when its\n"
        "length agrees to its own printed precision. A folder as MAP checks every .map that has\n"
        "a .scen beside it, and exact/FOLDER_MAP.csv where there is one.",
    .example =
        "throng path maps/movingai/Berlin_0_256.map --from 20,30 --to 230,220 --out path.png",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least = 1,
    .most = 1,
    .defaults = defaults,
    .run = run,
};
