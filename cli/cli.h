/// What the verbs share: option tables, errors in one shape, progress, clock.
#ifndef CLI_H
#define CLI_H

#include <stddef.h>
#include <throng/throng.h>
#include <throng_io/scene.h>

/// Exit statuses of every verb.
enum { CLI_FINE = 0, CLI_CHECK_FAILED = 1, CLI_BAD_INPUT = 2 };

typedef enum cli_kind {
    CLI_FLAG,
    CLI_WHOLE,
    CLI_REAL,
    CLI_TEXT,
    CLI_TEXTS,
    CLI_POINTS,
    CLI_KERNELS,
    CLI_ROUTE
} cli_kind;

#define CLI_MAX_POINTS 64
#define CLI_MAX_TEXTS 64

typedef struct cli_texts {
    const char *items[CLI_MAX_TEXTS];
    int count;
} cli_texts;

typedef struct cli_points {
    throng_vec2 items[CLI_MAX_POINTS];
    int count;
} cli_points;

/// One option; its value goes to the member of the verb's struct at `offset`: bool, int, double,
/// const char *, cli_texts, cli_points, throng_kernels or throng_route_method. Texts and points
/// gather when repeated; of the others the last one counts.
typedef struct cli_option {
    const char *name;     ///< "--steps"
    const char *argument; ///< "N"; NULL for flags
    const char *help;
    cli_kind kind;
    size_t offset;
    double low, high; ///< of numbers
} cli_option;

typedef struct cli_verb {
    const char *name;
    const char *arguments; ///< "SCENE..."
    const char *summary;   ///< one line
    const char *text;      ///< what one should know
    const char *example;
    const cli_option *options;
    int option_count;
    int least, most; ///< arguments
    void (*defaults)(void *options);
    int (*run)(void *options, int count, char **arguments);
} cli_verb;

#define CLI_OPTION_BYTES 4096

extern const cli_verb cli_run, cli_check, cli_hash, cli_field, cli_path, cli_map, cli_rooms,
    cli_bench, cli_view;

/// `throng: file:line:column: text` on stderr; returns CLI_BAD_INPUT.
int cli_fail(const throng_error *error);
__attribute__((format(printf, 1, 2))) int cli_complain(const char *format, ...);

/// A map with one class of that radius and surcharge; NULL after a complaint.
throng_map *cli_load_map(const char *path, double cell_size, double radius, double surcharge);

/// A scene; NULL after a complaint.
throng_scene *cli_load_scene(const char *path);

/// False after a complaint that this processor or build cannot run them.
bool cli_has_kernels(const cli_verb *verb, throng_kernels kernels);

/// A bar on stderr while it is a terminal; `done` of `all`. Call it often, it draws rarely.
void cli_progress(const char *what, double done, double all);
void cli_progress_end(void);

/// Runs a scene with walkers; leaves NAME.png and NAME.mp4 in `out` unless that is NULL.
typedef struct cli_walk_wanted {
    const char *out;
    int threads, seed, steps, frames_per_second, size;
    bool no_video, json, quiet;
} cli_walk_wanted;
int cli_run_walk(const throng_scene *scene, const cli_walk_wanted *wanted);

/// Seconds of a steady clock.
double cli_seconds(void);

/// The most memory the process has had so far.
double cli_peak_mib(void);

/// Makes the folder unless it is there. False after a complaint.
bool cli_make_folder(const char *path);

/// Prints text as a JSON string, quotes included.
void cli_print_json_text(const char *text);

#endif
