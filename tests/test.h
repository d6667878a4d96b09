/// What every test file includes: cmocka in the order it wants, and a few words of our own.
///
/// A test is a function named as a sentence, listed in main with TEST(name). A failing check prints
/// file, line and both values. Files of the project are found through test_source_path.
#ifndef TEST_H
#define TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <throng/base.h>

#define TEST(name) cmocka_unit_test(name)
#define RUN_TESTS(tests) cmocka_run_group_tests(tests, NULL, NULL)

/// Fails unless |a - b| <= tolerance; prints both. NaN always fails.
#define assert_near(a, b, tolerance) test_near((a), (b), (tolerance), __FILE__, __LINE__)

/// Fails with the result's name and the error's text unless `call` gives THRONG_OK.
#define assert_ok(call) test_ok((call), #call, NULL, __FILE__, __LINE__)
#define assert_ok_or(call, error) test_ok((call), #call, (error), __FILE__, __LINE__)

static inline void test_near(double a, double b, double tolerance, const char *file, int line)
{
    if (!(fabs(a - b) <= tolerance)) {
        print_error("%s:%d: %.9g and %.9g differ by more than %.3g\n", file, line, a, b, tolerance);
        _fail(file, line);
    }
}

static inline void test_ok(throng_result result, const char *call, const throng_error *error,
                           const char *file, int line)
{
    if (result != THRONG_OK) {
        print_error("%s:%d: %s: %s%s%s\n", file, line, call, throng_result_name(result),
                    error != NULL ? ": " : "", error != NULL ? error->text : "");
        _fail(file, line);
    }
}

/// Path of a file of the project, e.g. "maps/x.map", in `path`; returns it.
static inline const char *test_source_path(char *path, size_t size, const char *name)
{
    const char *root = getenv("THRONG_SOURCE_DIR");
    snprintf(path, size, "%s/%s", root != NULL ? root : ".", name);
    return path;
}

/// Hooks that give out `allowed` allocations and then refuse; negative: all. They check that
/// releases bring the size back. Use: test_memory memory = {.allowed = n};
/// test_memory_use(&memory).
typedef struct test_memory {
    long allowed;
    size_t live_bytes;
    long live_count, count;
} test_memory;

static inline void *test_memory_allocate(size_t size, void *context)
{
    test_memory *memory = context;
    if (memory->allowed == 0) {
        return NULL;
    }
    memory->allowed -= memory->allowed > 0;
    void *block = aligned_alloc(64, (size + 127) / 64 * 64);
    memory->live_bytes += block != NULL ? size : 0;
    memory->live_count += block != NULL;
    memory->count += block != NULL;
    return block;
}

static inline void test_memory_release(void *block, size_t size, void *context)
{
    test_memory *memory = context;
    memory->live_bytes -= size;
    memory->live_count--;
    free(block);
}

static inline void test_memory_use(test_memory *memory)
{
    throng_memory_hooks hooks = {test_memory_allocate, test_memory_release, memory};
    throng_set_memory_hooks(&hooks);
}

/// Calls `make(context)`, which creates and destroys, with 0, 1, 2 ... allocations allowed until it
/// returns THRONG_OK. Each failure must be THRONG_NO_MEMORY and leave nothing alive. Returns how
/// many allocations a success takes.
static inline long test_every_allocation_fails(throng_result (*make)(void *context), void *context)
{
    for (long allowed = 0; allowed < 100000; allowed++) {
        test_memory memory = {.allowed = allowed};
        test_memory_use(&memory);
        throng_result result = make(context);
        throng_set_memory_hooks(NULL);
        assert_int_equal(memory.live_count, 0);
        assert_int_equal(memory.live_bytes, 0);
        if (result == THRONG_OK) {
            return memory.count;
        }
        assert_int_equal(result, THRONG_NO_MEMORY);
    }
    fail_msg("still out of memory after 100000 allocations");
    return -1;
}

#endif
