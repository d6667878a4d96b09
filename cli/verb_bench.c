/// throng bench: the benchmarks, each beside its baseline in the same run.
#include "benchmarks/bench.h"
#include "cli.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct bench_options {
    bool json, list;
    int threads;
} bench_options;

static const cli_option options[] = {
    {"--json", NULL, "one JSON object a line", CLI_FLAG, offsetof(bench_options, json), 0, 0},
    {"--threads", "N", "threads of the crowd's steps (2)", CLI_WHOLE,
     offsetof(bench_options, threads), 1, 64},
    {"--list", NULL, "name the cases", CLI_FLAG, offsetof(bench_options, list), 0, 0},
};

static void defaults(void *out)
{
    *(bench_options *)out = (bench_options){.threads = 2};
}

// One field is solved by one thread, however many there are.

static void octile(int threads, bench_report *report, void *context)
{
    (void)threads;
    bench_octile(report, context);
}

static void eikonal(int threads, bench_report *report, void *context)
{
    (void)threads;
    bench_eikonal(report, context);
}

static void routes(int threads, bench_report *report, void *context)
{
    (void)threads;
    bench_routes(report, context);
}

static void paths(int threads, bench_report *report, void *context)
{
    (void)threads;
    bench_paths(report, context);
}

static const struct {
    const char *name, *about;
    void (*run)(int threads, bench_report *report, void *context);
} cases[] = {
    {"octile", "integration by buckets, 1024 x 1024, against a binary heap", octile},
    {"eikonal", "the straight-line metric, against fast marching", eikonal},
    {"routes", "field, tiles and path, and whether auto picks well", routes},
    {"paths", "single paths against A*; the first direction on 8192 x 8192", paths},
    {"fields", "tiles, buckets, fast marching, scikit-fmm; repair against solving anew",
     bench_fields},
    {"crowd", "whole steps, against structs and scalars", bench_crowd},
    {"orca", "the stage of reciprocal half planes, against one thread", bench_orca},
    {"walkers", "a million in a maze of rooms, against the published scheme", bench_walkers},
    {"draw", "frames of a crowd recorded in four ways, against a call an agent", bench_draw},
};
#define CASE_COUNT ((int)(sizeof cases / sizeof cases[0]))

typedef struct bench_count {
    int rows, different;
} bench_count;

static void count_row(bench_count *count, const thg_bench_row *row)
{
    count->rows++;
    count->different += row->hash == 0;
}

static void report_table(void *context, const thg_bench_row *row)
{
    bench_count *counted = context;
    count_row(counted, row);
    if (counted->rows == 1) {
        printf("%-38s %9s %7s %10s %10s %8s  %-34s %10s %6s  %s\n", "case", "n", "threads", "ms",
               "median", "ns each", "baseline", "ms", "ratio", "hash");
    }
    printf("%-38s %9d %7d %10.3f %10.3f %8.1f  %-34s %10.3f %6.2f  %016" PRIx64 "%s\n", row->name,
           row->n, row->threads, row->ms, row->ms_median, row->ms * 1e6 / row->n, row->baseline,
           row->baseline_ms, row->baseline_ms / row->ms, row->hash,
           row->hash == 0 ? " DIFFERS" : "");
    if (row->note != NULL) {
        printf("    %s\n", row->note);
    }
    fflush(stdout);
}

static void report_json(void *context, const thg_bench_row *row)
{
    count_row(context, row);
    printf("{\"case\": ");
    cli_print_json_text(row->name);
    printf(", \"n\": %d, \"threads\": %d, \"ms\": %.6f, \"ms_median\": %.6f, \"baseline\": ",
           row->n, row->threads, row->ms, row->ms_median);
    cli_print_json_text(row->baseline);
    printf(", \"baseline_ms\": %.6f, \"ratio\": %.4f, \"hash\": \"%016" PRIx64 "\"",
           row->baseline_ms, row->baseline_ms / row->ms, row->hash);
    if (row->note != NULL) {
        fputs(", \"note\": ", stdout);
        cli_print_json_text(row->note);
    }
    puts("}");
    fflush(stdout);
}

static int find_case(const char *name)
{
    for (int i = 0; i < CASE_COUNT; i++) {
        if (strcmp(cases[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int run(void *given, int count, char **arguments)
{
    const bench_options *wanted = given;
    bench_count counted = {0};
    bool chosen[CASE_COUNT] = {false};
    for (int i = 0; i < count; i++) {
        int found = find_case(arguments[i]);
        if (found < 0) {
            return cli_complain("bench: no case '%s'; see throng bench --list", arguments[i]);
        }
        chosen[found] = true;
    }
    for (int i = 0; i < CASE_COUNT; i++) {
        if (wanted->list) {
            printf("%-10s %s\n", cases[i].name, cases[i].about);
        } else if (count == 0 || chosen[i]) {
            int before = counted.rows;
            cases[i].run(wanted->threads, wanted->json ? report_json : report_table, &counted);
            if (counted.rows == before) {
                return cli_complain("bench: no memory for the case '%s'", cases[i].name);
            }
        }
    }
    return counted.different > 0 ? CLI_CHECK_FAILED : CLI_FINE;
}

const cli_verb cli_bench = {
    .name = "bench",
    .arguments = "[CASE...]",
    .summary = "benchmarks beside their baselines, in one run",
    .text =
        "Times are the least and the median of five runs, interleaved with the baseline's. A hash\n"
        "is printed where the result equals the baseline's; a fast wrong answer is no result, and\n"
        "status 1. Where the baseline is another crowd of ours it is the hash of the result.",
    .example = "throng bench crowd --json",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least = 0,
    .most = 64,
    .defaults = defaults,
    .run = run,
};
