/// Errors, progress and other small things of the command line.
#include "cli.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <throng_io/map_file.h>
#include <time.h>
#include <unistd.h>

int cli_fail(const throng_error *error)
{
    fputs("throng: ", stderr);
    if (error->file[0] != '\0') {
        fprintf(stderr, "%s:", error->file);
        if (error->line > 0) {
            fprintf(stderr, "%d:", error->line);
            if (error->column > 0) {
                fprintf(stderr, "%d:", error->column);
            }
        }
        fputc(' ', stderr);
    }
    fprintf(stderr, "%s\n",
            error->text[0] != '\0' ? error->text : throng_result_name(error->result));
    return CLI_BAD_INPUT;
}

int cli_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("throng: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return CLI_BAD_INPUT;
}

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double cli_peak_mib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0;
}

throng_map *cli_load_map(const char *path, double cell_size, double radius, double surcharge)
{
    throng_error error = {0};
    throng_map_def def = throng_default_map_def();
    def.cell_size = (float)cell_size;
    throng_map *map = NULL;
    if (throng_map_load(path, &def, &map, &error) != THRONG_OK) {
        cli_fail(&error);
        return NULL;
    }
    throng_class_def class_def = throng_default_class_def();
    class_def.radius = (float)radius;
    class_def.wall_surcharge = (float)surcharge;
    class_def.wall_distance = 2.0f * throng_map_cell_size(map);
    int class_index;
    throng_result result = throng_map_add_class(map, &class_def, &class_index);
    if (result != THRONG_OK) {
        cli_complain("%s: %s", path, throng_result_name(result));
        throng_map_destroy(map);
        return NULL;
    }
    return map;
}

throng_scene *cli_load_scene(const char *path)
{
    throng_error error = {0};
    throng_scene *scene = NULL;
    if (throng_scene_load(path, &scene, &error) != THRONG_OK) {
        cli_fail(&error);
        return NULL;
    }
    return scene;
}

bool cli_has_kernels(const cli_verb *verb, throng_kernels kernels)
{
    if (!throng_kernels_available(kernels)) {
        cli_complain("%s: this processor or build has no %s kernels", verb->name,
                     throng_kernels_name(kernels));
        return false;
    }
    return true;
}

static double last_drawn;
static bool drawn;

void cli_progress(const char *what, double done, double all)
{
    double now = cli_seconds();
    if (now - last_drawn < 0.1 || !isatty(STDERR_FILENO)) {
        return;
    }
    last_drawn = now;
    drawn = true;
    char bar[41];
    double share = all > 0.0 ? done / all : 1.0;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    int full = (int)(share * 40.0);
    memset(bar, '.', 40);
    memset(bar, '#', (size_t)full);
    bar[40] = '\0';
    fprintf(stderr, "\r%s [%s] %3.0f %%", what, bar, share * 100.0);
    fflush(stderr);
}

void cli_progress_end(void)
{
    if (drawn) {
        fputs("\r\033[K", stderr);
        drawn = false;
    }
    last_drawn = 0.0;
}

bool cli_make_folder(const char *path)
{
    struct stat info;
    if (mkdir(path, 0777) == 0) {
        return true;
    }
    int reason = errno;
    if (reason == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        return true;
    }
    cli_complain("%s: cannot make the folder: %s", path,
                 reason == EEXIST ? "a file of that name is there" : strerror(reason));
    return false;
}

void cli_print_json_text(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\') {
            printf("\\%c", byte);
        } else if (byte < 0x20) {
            printf("\\u%04x", byte);
        } else {
            putchar(byte);
        }
    }
    putchar('"');
}
