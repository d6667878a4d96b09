/// How calls fail: results with names, messages for people, and asserts for the caller's bugs.
#include "core/core.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT_OF(value) #value
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *throng_version(void)
{
    return VERSION_TEXT(THRONG_VERSION_MAJOR, THRONG_VERSION_MINOR, THRONG_VERSION_PATCH);
}

const char *throng_result_name(throng_result result)
{
    switch (result) {
    case THRONG_OK:
        return "ok";
    case THRONG_NO_MEMORY:
        return "no memory";
    case THRONG_BAD_ARGUMENT:
        return "bad argument";
    case THRONG_BAD_DATA:
        return "bad data";
    case THRONG_CANNOT_READ:
        return "cannot read";
    case THRONG_CANNOT_WRITE:
        return "cannot write";
    case THRONG_STALE_ID:
        return "stale id";
    case THRONG_LIMIT:
        return "limit reached";
    case THRONG_UNREACHABLE:
        return "unreachable";
    }
    return "unknown result";
}

throng_result thg_fail(throng_error *error, throng_result result, int line, int column,
                       const char *format, ...)
{
    if (error == NULL) {
        return result;
    }
    error->result = result;
    error->line = line;
    error->column = column;
    error->file[0] = '\0';
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(error->text, sizeof error->text, format, arguments) < 0) {
        error->text[0] = '\0';
    }
    va_end(arguments);
    return result;
}

/// The only place where the library prints: the process is about to end by the caller's own bug.
static void print_and_abort(const char *expression, const char *file, int line)
{
    fprintf(stderr, "%s:%d: assert failed: %s\n", file, line, expression);
    abort();
}

static throng_assert_handler *assert_handler = print_and_abort;

void throng_set_assert_handler(throng_assert_handler *handler)
{
    assert_handler = handler != NULL ? handler : print_and_abort;
}

void thg_assert_failed(const char *expression, const char *file, int line)
{
    assert_handler(expression, file, line);
}
