/// throng: the command line. One table of verbs; each verb one file, with its table of options.
#include "cli.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_verb *const verbs[] = {&cli_run, &cli_check, &cli_hash,  &cli_field, &cli_path,
                                        &cli_map, &cli_rooms, &cli_bench, &cli_view};
#define VERB_COUNT ((int)(sizeof verbs / sizeof verbs[0]))

static void print_help(FILE *out)
{
    fputs(
        "throng moves crowds: on real maps, by flow fields, the same to the last bit anywhere.\n\n"
        "usage: throng VERB [OPTION...] [ARGUMENT...]\n\n",
        out);
    for (int i = 0; i < VERB_COUNT; i++) {
        fprintf(out, "  %-6s %-14s %s\n", verbs[i]->name, verbs[i]->arguments, verbs[i]->summary);
    }
    fputs("\n`throng VERB --help` explains a verb. A first look:\n\n"
          "  throng run scenes/city.json --out out\n\n"
          "Exit status: 0 fine, 1 a check failed, 2 bad usage or input.\n",
          out);
}

static void print_verb_help(const cli_verb *verb)
{
    printf("throng %s: %s\n\nusage: throng %s [OPTION...] %s\n\n%s\n", verb->name, verb->summary,
           verb->name, verb->arguments, verb->text);
    printf("\noptions:\n");
    for (int i = 0; i < verb->option_count; i++) {
        const cli_option *option = &verb->options[i];
        char left[48];
        snprintf(left, sizeof left, "%s%s%s", option->name, option->argument ? " " : "",
                 option->argument ? option->argument : "");
        printf("  %-22s %s\n", left, option->help);
    }
    printf("  %-22s %s\n\nexample:\n  %s\n", "--help", "this text", verb->example);
}

// ---- Option values ------------------------------------------------------------------------------

/// A decimal number and nothing else. The program never sets a locale, so the point is a point.
static bool read_number(const char *text, const char **end, double *value)
{
    char *stop;
    if (!isdigit((unsigned char)text[0]) && strchr("+-.", text[0]) == NULL) {
        return false;
    }
    errno = 0;
    *value = strtod(text, &stop);
    for (const char *at = text; at < stop; at++) {
        if (strchr("0123456789+-.eE", *at) == NULL) {
            return false; // hexadecimal, infinities, NaN
        }
    }
    *end = stop;
    return stop != text && errno == 0 && isfinite(*value);
}

static bool read_point(const char *text, cli_points *points)
{
    double x, y;
    const char *at;
    if (points->count == CLI_MAX_POINTS || !read_number(text, &at, &x) || *at != ',' ||
        !read_number(at + 1, &at, &y) || *at != '\0' || fabs(x) > 1e7 || fabs(y) > 1e7) {
        return false;
    }
    points->items[points->count++] = (throng_vec2){(float)x, (float)y};
    return true;
}

static bool read_kernels(const char *text, throng_kernels *kernels)
{
    for (int i = THRONG_KERNELS_AUTO; i <= THRONG_KERNELS_AVX512; i++) {
        if (strcmp(text, throng_kernels_name((throng_kernels)i)) == 0) {
            *kernels = (throng_kernels)i;
            return true;
        }
    }
    return false;
}

static bool read_route(const char *text, throng_route_method *method)
{
    for (int i = THRONG_ROUTE_AUTO; i <= THRONG_ROUTE_ROOMS; i++) {
        if (strcmp(text, throng_route_name((throng_route_method)i)) == 0) {
            *method = (throng_route_method)i;
            return true;
        }
    }
    return false;
}

/// Takes one value; 0, or the status after a complaint.
static int take_value(const cli_verb *verb, const cli_option *option, const char *text,
                      void *options)
{
    void *out = (char *)options + option->offset;
    double number = 0.0;
    const char *end = "";
    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)out = true;
        return 0;
    case CLI_TEXT:
        *(const char **)out = text;
        return 0;
    case CLI_TEXTS: {
        cli_texts *texts = out;
        if (texts->count == CLI_MAX_TEXTS) {
            return cli_complain("%s: at most %d times %s", verb->name, CLI_MAX_TEXTS, option->name);
        }
        texts->items[texts->count++] = text;
        return 0;
    }
    case CLI_POINTS:
        if (!read_point(text, out)) {
            return cli_complain("%s: expected a point like 12.5,40 after %s, found '%s'",
                                verb->name, option->name, text);
        }
        return 0;
    case CLI_KERNELS:
        if (!read_kernels(text, out)) {
            return cli_complain("%s: expected auto, scalar, portable, avx2 or avx512 after %s, "
                                "found '%s'",
                                verb->name, option->name, text);
        }
        return 0;
    case CLI_ROUTE:
        if (!read_route(text, out)) {
            return cli_complain("%s: expected auto, field, tiles or path after %s, found '%s'",
                                verb->name, option->name, text);
        }
        return 0;
    case CLI_WHOLE:
    case CLI_REAL:
        break;
    }
    bool right = read_number(text, &end, &number) && *end == '\0' && number >= option->low &&
                 number <= option->high;
    if (!right || (option->kind == CLI_WHOLE && number != floor(number))) {
        return cli_complain("%s: expected a %snumber from %g to %g after %s, found '%s'",
                            verb->name, option->kind == CLI_WHOLE ? "whole " : "", option->low,
                            option->high, option->name, text);
    }
    if (option->kind == CLI_WHOLE) {
        *(int *)out = (int)number;
    } else {
        *(double *)out = number;
    }
    return 0;
}

static const cli_option *find_option(const cli_verb *verb, const char *name, size_t length)
{
    for (int i = 0; i < verb->option_count; i++) {
        const char *known = verb->options[i].name;
        if (strlen(known) == length && strncmp(known, name, length) == 0) {
            return &verb->options[i];
        }
    }
    return NULL;
}

/// Takes the option at words[*at], its value after `=` or from the next word. 0, or the status
/// after a complaint.
static int take_option(const cli_verb *verb, int count, char **words, int *at, void *options)
{
    const char *word = words[*at], *equals = strchr(word, '=');
    size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const cli_option *option = find_option(verb, word, length);
    if (option == NULL) {
        return cli_complain("%s: unknown option '%.*s'; see throng %s --help", verb->name,
                            (int)length, word, verb->name);
    }
    const char *value = "";
    if (option->kind == CLI_FLAG) {
        if (equals != NULL) {
            return cli_complain("%s: %s takes no value", verb->name, option->name);
        }
    } else if (equals != NULL) {
        value = equals + 1;
    } else if (*at + 1 < count) {
        value = words[++*at];
    } else {
        return cli_complain("%s: %s wants %s after it", verb->name, option->name, option->argument);
    }
    return take_value(verb, option, value, options);
}

static int run_verb(const cli_verb *verb, int count, char **words)
{
    union {
        char bytes[CLI_OPTION_BYTES];
        double align;
    } options;
    memset(&options, 0, sizeof options);
    if (verb->defaults != NULL) {
        verb->defaults(&options);
    }
    int arguments = 0;
    bool only_arguments = false;
    for (int i = 0; i < count; i++) {
        if (only_arguments || words[i][0] != '-' || words[i][1] == '\0') {
            words[arguments++] = words[i];
        } else if (strcmp(words[i], "--") == 0) {
            only_arguments = true;
        } else if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) {
            print_verb_help(verb);
            return CLI_FINE;
        } else {
            int status = take_option(verb, count, words, &i, &options);
            if (status != 0) {
                return status;
            }
        }
    }
    if (arguments < verb->least || arguments > verb->most) {
        return cli_complain("%s: usage: throng %s [OPTION...] %s; see throng %s --help", verb->name,
                            verb->name, verb->arguments, verb->name);
    }
    return verb->run(&options, arguments, words);
}

static const cli_verb *find_verb(const char *name)
{
    for (int i = 0; i < VERB_COUNT; i++) {
        if (strcmp(verbs[i]->name, name) == 0) {
            return verbs[i];
        }
    }
    return NULL;
}

/// `count` words after the program's name, at least one.
static int run_words(int count, char **words)
{
    const char *name = words[0];
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        printf("throng %s\n", throng_version());
        return CLI_FINE;
    }
    bool help = strcmp(name, "--help") == 0 || strcmp(name, "help") == 0 || strcmp(name, "-h") == 0;
    if (help && count == 1) {
        print_help(stdout);
        return CLI_FINE;
    }
    const char *wanted = help ? words[1] : name;
    const cli_verb *verb = find_verb(wanted);
    if (verb == NULL) {
        return cli_complain("unknown verb '%s'; see throng --help", wanted);
    }
    if (help) {
        print_verb_help(verb);
        return CLI_FINE;
    }
    return run_verb(verb, count - 1, words + 1);
}

int main(int argument_count, char **arguments)
{
    if (argument_count < 2) {
        print_help(stderr);
        return CLI_BAD_INPUT;
    }
    int status = run_words(argument_count - 1, arguments + 1);
    // A full disk under stdout must not pass for success, even if a line in the middle was lost.
    bool lost = ferror(stdout) != 0;
    if ((fflush(stdout) != 0 || lost) && status == CLI_FINE) {
        return cli_complain("cannot write to the standard output");
    }
    return status;
}
