/// Memory, errors, asserts and random numbers: src/core.
#include "test.h"

#include "core/core.h"
#include <throng/throng.h>

static void live_bytes_return_to_zero(void **state)
{
    (void)state;
    assert_int_equal(throng_live_bytes(), 0);
    uint64_t count_before = throng_allocation_count();
    void *blocks[64];
    for (size_t i = 0; i < 64; i++) {
        blocks[i] = thg_allocate(i * 13, 7);
        assert_non_null(blocks[i]);
    }
    assert_int_equal(throng_allocation_count() - count_before, 64);
    assert_true(throng_live_bytes() >= 64 * 63 / 2 * 13 * 7);
    for (size_t i = 0; i < 64; i++) {
        thg_release(blocks[i], i * 13, 7);
    }
    assert_int_equal(throng_live_bytes(), 0);
    assert_int_equal(throng_allocation_count() - count_before, 64);
}

static void memory_is_aligned_and_zeroed(void **state)
{
    (void)state;
    for (size_t size = 1; size < 5000; size += 37) {
        unsigned char *block = thg_allocate(size, 1);
        assert_int_equal((uintptr_t)block % 64, 0);
        for (size_t i = 0; i < size; i++) {
            assert_int_equal(block[i], 0);
        }
        memset(block, 0xa5, size); // the next one must not see this
        thg_release(block, size, 1);
    }
}

static void a_product_that_overflows_is_refused(void **state)
{
    (void)state;
    static const size_t refused[][2] = {{SIZE_MAX, 2},         {2, SIZE_MAX},
                                        {SIZE_MAX / 2 + 1, 2}, {SIZE_MAX, 1},
                                        {1, SIZE_MAX},         {(size_t)1 << 33, (size_t)1 << 33},
                                        {PTRDIFF_MAX, 1},      {SIZE_MAX, SIZE_MAX}};
    test_memory memory = {.allowed = -1};
    test_memory_use(&memory);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_null(thg_allocate(refused[i][0], refused[i][1]));
    }
    assert_int_equal(memory.count, 0); // not even asked
    throng_set_memory_hooks(NULL);
    assert_int_equal(throng_live_bytes(), 0);
}

static void nothing_can_be_allocated_and_released(void **state)
{
    (void)state;
    void *none = thg_allocate(0, 8);
    void *also_none = thg_allocate(8, 0);
    assert_non_null(none);
    assert_non_null(also_none);
    thg_release(none, 0, 8);
    thg_release(also_none, 8, 0);
    thg_release(NULL, 3, 4);
    assert_int_equal(throng_live_bytes(), 0);
}

static void hooks_get_the_size_back_that_they_gave(void **state)
{
    (void)state;
    test_memory memory = {.allowed = -1};
    test_memory_use(&memory);
    void *small = thg_allocate(1, 1);
    void *large = thg_allocate(1000, 17);
    assert_int_equal(memory.live_bytes, throng_live_bytes());
    thg_release(small, 1, 1);
    thg_release(large, 1000, 17);
    throng_set_memory_hooks(NULL);
    assert_int_equal(memory.live_bytes, 0);
    assert_int_equal(memory.live_count, 0);
    assert_int_equal(memory.count, 2);
}

static void a_hook_that_refuses_changes_no_count(void **state)
{
    (void)state;
    test_memory memory = {.allowed = 0};
    test_memory_use(&memory);
    uint64_t count = throng_allocation_count();
    assert_null(thg_allocate(10, 10));
    throng_set_memory_hooks(NULL);
    assert_int_equal(throng_live_bytes(), 0);
    assert_int_equal(throng_allocation_count(), count);
}

static void every_result_has_a_name(void **state)
{
    (void)state;
    for (int i = THRONG_OK; i <= THRONG_UNREACHABLE; i++) {
        for (int k = THRONG_OK; k < i; k++) {
            assert_string_not_equal(throng_result_name((throng_result)i),
                                    throng_result_name((throng_result)k));
        }
    }
    assert_string_equal(throng_result_name(THRONG_NO_MEMORY), "no memory");
    assert_string_equal(throng_result_name((throng_result)12345), "unknown result");
}

static void the_version_is_that_of_the_headers(void **state)
{
    (void)state;
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", THRONG_VERSION_MAJOR, THRONG_VERSION_MINOR,
             THRONG_VERSION_PATCH);
    assert_string_equal(throng_version(), expected);
}

static void a_failure_fills_the_error_and_cuts_long_text(void **state)
{
    (void)state;
    throng_error error;
    memset(&error, 0x55, sizeof error);
    assert_int_equal(thg_fail(&error, THRONG_BAD_DATA, 12, 3, "row %d of %s", 7, "x"),
                     THRONG_BAD_DATA);
    assert_int_equal(error.result, THRONG_BAD_DATA);
    assert_int_equal(error.line, 12);
    assert_int_equal(error.column, 3);
    assert_string_equal(error.file, "");
    assert_string_equal(error.text, "row 7 of x");

    char text[2000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    thg_fail(&error, THRONG_LIMIT, 0, 0, "%s", text);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_int_equal(thg_fail(NULL, THRONG_LIMIT, 0, 0, "nobody listens"), THRONG_LIMIT);
}

static const char *asserted;
static int asserted_line;

static void remember_assert(const char *expression, const char *file, int line)
{
    (void)file;
    asserted = expression;
    asserted_line = line;
}

static void the_assert_handler_can_be_replaced(void **state)
{
    (void)state;
    throng_set_assert_handler(remember_assert);
    thg_assert_failed("1 == 2", "file.c", 99);
    assert_string_equal(asserted, "1 == 2");
    assert_int_equal(asserted_line, 99);
    asserted = NULL;
    THRONG_ASSERT(asserted_line == 100);
    throng_set_assert_handler(NULL);
#ifdef NDEBUG
    assert_null(asserted);
#else
    assert_string_equal(asserted, "asserted_line == 100");
#endif
}

static void random_numbers_are_a_function_of_their_arguments(void **state)
{
    (void)state;
    // The generator is part of the state hash: these values may never change.
    assert_int_equal(thg_mix64(0), 0);
    assert_int_equal(thg_mix64(0x9e3779b97f4a7c15u), 0xe220a8397b1dcdafu); // SplitMix64, seed 0
    assert_true(thg_random(1, 2, 3) == thg_random(1, 2, 3));
    double sum = 0;
    int below_tenth = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        float value = thg_random(42, i / 100, i % 100);
        assert_true(value >= 0 && value < 1);
        sum += value;
        below_tenth += value < 0.1f;
    }
    assert_near(sum / 100000, 0.5, 0.01);
    assert_near(below_tenth / 100000.0, 0.1, 0.01);
}

static int by_number(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static void sorting_keeps_every_item_and_puts_it_in_order(void **ignored)
{
    (void)ignored;
    uint64_t items[1000] = {0}, expected[1000];
    long before = throng_live_bytes();
    for (size_t count = 0; count <= 1000; count = count < 40 ? count + 1 : count + 160) {
        for (int kind = 0; kind < 4; kind++) { // any order, ordered, reversed, many equal
            for (size_t i = 0; i < count; i++) {
                uint64_t any = thg_mix64(i + 1000 * count);
                items[i] = kind == 0 ? any : kind == 1 ? i : kind == 2 ? count - i : any % 3;
            }
            memcpy(expected, items, sizeof items);
            qsort(expected, count, sizeof *expected, by_number);
            thg_sort(items, count, sizeof *items, by_number);
            assert_memory_equal(items, expected, count * sizeof *items);
        }
    }
    assert_int_equal(throng_live_bytes(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(live_bytes_return_to_zero),
        TEST(memory_is_aligned_and_zeroed),
        TEST(a_product_that_overflows_is_refused),
        TEST(nothing_can_be_allocated_and_released),
        TEST(hooks_get_the_size_back_that_they_gave),
        TEST(a_hook_that_refuses_changes_no_count),
        TEST(every_result_has_a_name),
        TEST(the_version_is_that_of_the_headers),
        TEST(a_failure_fills_the_error_and_cuts_long_text),
        TEST(the_assert_handler_can_be_replaced),
        TEST(sorting_keeps_every_item_and_puts_it_in_order),
        TEST(random_numbers_are_a_function_of_their_arguments),
    };
    return RUN_TESTS(tests);
}
