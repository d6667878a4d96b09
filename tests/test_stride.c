/// The stride and the search in a row: every build does what plain loops do.
#include "rooms/rows.h"
#include "rooms/stride.h"
#include "test.h"

enum { COUNT = 1021 };

static uint64_t drawn;

static uint64_t draw(void)
{
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return drawn >> 20;
}

/// Legs of every length, among them done ones, ones that wait and walkers that stand.
static uint64_t random_leg(void)
{
    uint64_t length = draw() % 24, mark = (uint64_t)1 << 3 * (length > 20 ? 20 : length);
    return length == 23 ? THG_STANDS : length == 22 ? THG_LEG_WAITS : mark | (draw() & (mark - 1));
}

static void every_build_strides_alike(void **state)
{
    (void)state;
    static const int32_t move_cells[8] = {1, 64, -1, -64, 65, 63, -65, -63};
    thg_stride *const builds[3] = {thg_stride_plain, thg_stride_avx2(), thg_stride_avx512()};
    drawn = 5;
    uint64_t legs[COUNT];
    for (int i = 0; i < COUNT; i++) {
        legs[i] = random_leg();
    }
    for (uint32_t first = 0; first < 24; first++) {
        uint32_t end = COUNT - first % 5, listed[3] = {0}, moved[3] = {7, 7, 7};
        static uint64_t moves[3][COUNT];
        static uint32_t cells[3][COUNT], turning[3][COUNT + 8];
        for (int k = 0; k < 3; k++) {
            memcpy(moves[k], legs, sizeof legs);
            for (uint32_t i = 0; i < COUNT; i++) {
                cells[k][i] = 100000 + i;
            }
            thg_stride *stride = builds[k] != NULL ? builds[k] : thg_stride_plain;
            listed[k] = stride(move_cells, cells[k], moves[k], first, end, turning[k], &moved[k]);
            assert_int_equal(listed[k], listed[0]);
            assert_int_equal(moved[k], moved[0]);
            assert_memory_equal(turning[k], turning[0], listed[0] * sizeof(uint32_t));
            assert_memory_equal(cells[k], cells[0], sizeof cells[0]);
            assert_memory_equal(moves[k], moves[0], sizeof moves[0]);
        }
        uint32_t turns = 0, goes = 0;
        for (uint32_t i = 0; i < COUNT; i++) {
            bool inside = i >= first && i < end, steps = inside && legs[i] >= 8;
            int32_t by = steps ? move_cells[legs[i] & 7] : 0;
            assert_int_equal((int32_t)cells[0][i], 100000 + (int32_t)i + by);
            assert_true(moves[0][i] == (steps ? legs[i] >> 3 : legs[i]));
            if (inside && !steps && legs[i] != THG_STANDS) {
                assert_int_equal(turning[0][turns++], i);
            }
            goes += steps;
        }
        assert_int_equal(turns, listed[0]);
        assert_int_equal(goes + 7, moved[0]);
    }
}

static void words_below_are_counted(void **state)
{
    (void)state;
    drawn = 9;
    for (int round = 0; round < 2000; round++) {
        uint16_t words[THG_WORDS], most = (uint16_t)(round % 3 ? draw() : round % 2 ? 65535 : 0);
        uint32_t word = (uint32_t)(draw() % 70), count = 0;
        for (int i = 0; i < THG_WORDS; i++) {
            words[i] = (uint16_t)(word < 65535 ? word : 65535);
            count += words[i] <= most;
            word += (uint32_t)(draw() % 9000);
        }
        assert_int_equal(thg_words_below(words, most), count);
    }
}

static void the_run_of_every_target_is_found(void **state)
{
    (void)state;
    drawn = 3;
    for (uint32_t runs = 1; runs < 200; runs += 1 + runs / 20) {
        uint16_t words[300] = {0}; // the next chunk begins with small words again
        uint32_t starts[200], low = 5;
        for (uint32_t i = 0, start = 0; i < runs; i++) {
            starts[i] = start;
            words[low + i] = (uint16_t)(start << 6 | draw() % 64);
            start += 1 + (uint32_t)(draw() % (1024 / runs));
        }
        thg_rows rows = {.slot_bits = 6, .chunk_bits = 10};
        for (uint32_t target = 0, run = 0; target < 1024; target++) {
            run += run + 1 < runs && starts[run + 1] <= target;
            assert_int_equal(
                thg_find_run(words, low, low + runs, thg_run_limit(&rows, 7 * 1024 + target)),
                low + run);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_build_strides_alike),
        TEST(words_below_are_counted),
        TEST(the_run_of_every_target_is_found),
    };
    return RUN_TESTS(tests);
}
