/// throng check: runs trials over their arrangements, a line for each expectation.
#include "cli.h"
#include <stdio.h>
#include <throng_io/world.h>

typedef struct check_options {
    int threads, arrangement;
    bool json, quiet;
} check_options;

static const cli_option options[] = {
    {"--threads", "N", "threads (as the scene says)", CLI_WHOLE, offsetof(check_options, threads),
     1, 64},
    {"--arrangement", "K", "only this start, counted from 0 (all)", CLI_WHOLE,
     offsetof(check_options, arrangement), 0, 1000},
    {"--quiet", NULL, "only what failed, and the sum", CLI_FLAG, offsetof(check_options, quiet), 0,
     0},
    {"--json", NULL, "one JSON object a line", CLI_FLAG, offsetof(check_options, json), 0, 0},
};

static void defaults(void *out)
{
    *(check_options *)out = (check_options){.arrangement = -1};
}

static const char *verdict(const throng_check_line *line)
{
    if (line->passed) {
        return "pass";
    }
    return line->known != NULL ? "known" : line->timing ? "slow" : "FAIL";
}

static void report(void *context, const throng_check_line *line)
{
    const check_options *wanted = context;
    cli_progress_end();
    const char *word = verdict(line);
    if (wanted->json) {
        printf("{\"scene\": ");
        cli_print_json_text(line->scene);
        printf(", \"arrangement\": %d, \"name\": ", line->arrangement);
        cli_print_json_text(line->name);
        printf(", \"metric\": ");
        cli_print_json_text(line->metric);
        printf(", \"verdict\": \"%s\", \"timing\": %s, \"value\": %.9g, \"%s\": %.9g}\n", word,
               line->timing ? "true" : "false", line->value,
               line->at_least ? "at_least" : "at_most", line->bound);
    } else if (!line->passed || !wanted->quiet) {
        printf("%-5s %-22s #%d  %-34s %12.5g  (%s %g)\n", word, line->scene, line->arrangement,
               line->name, line->value, line->at_least ? "at least" : "at most", line->bound);
    }
    fflush(stdout);
}

/// 0 passed, 1 failed, 2 could not be run, 3 fails as known.
static int check_file(const check_options *wanted, const char *path)
{
    throng_error error = {0};
    throng_scene *scene = cli_load_scene(path);
    if (scene == NULL) {
        return 2;
    }
    throng_check_options check = {.threads = wanted->threads, .arrangement = wanted->arrangement};
    throng_check_result counts = {0};
    throng_result result =
        throng_scene_check(scene, &check, report, (void *)wanted, &counts, &error);
    int status = 0;
    if (result != THRONG_OK) {
        cli_fail(&error);
        status = 2;
    } else if (counts.failed > 0) {
        status = 1;
    } else if (counts.known > 0) {
        status = 3;
    }
    if (status == 3 && !wanted->json) {
        printf("known %-22s %s\n", throng_scene_name(scene), throng_scene_known(scene));
    }
    throng_scene_destroy(scene);
    return status;
}

static int run(void *given, int count, char **arguments)
{
    const check_options *wanted = given;
    int counts[4] = {0};
    for (int i = 0; i < count; i++) {
        // A scene reports when an arrangement is through, so the bar counts scenes.
        cli_progress("check", i, count);
        int found = check_file(wanted, arguments[i]);
        cli_progress_end();
        counts[found]++;
    }
    if (!wanted->json) {
        printf("%d scenes: %d pass, %d fail, %d known to fail, %d could not be run\n", count,
               counts[0], counts[1], counts[3], counts[2]);
    }
    return counts[2] > 0 ? CLI_BAD_INPUT : counts[1] > 0 ? CLI_CHECK_FAILED : CLI_FINE;
}

const cli_verb cli_check = {
    .name = "check",
    .arguments = "SCENE...",
    .summary = "run trials over their arrangements; a line per expectation",
    .text =
        "Every arrangement must pass. What must always hold (no agent in a wall, no deep overlap,\n"
        "equal runs equal) is checked too. A scene with \"known\" may fail and is listed with its\n"
        "figures. Timings are reported as `slow`, never counted. docs/scenes.md has the format.",
    .example = "throng check scenes/trials/o05_parked_corridor.json",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least = 1,
    .most = 10000,
    .defaults = defaults,
    .run = run,
};
