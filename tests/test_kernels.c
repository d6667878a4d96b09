/// The neighbour kernels: every build gives the bits of the scalar twin.
#include "test.h"

#include "crowd/kernels.h"

#define ROWS 4096

static float values[11][ROWS + 16];
static uint32_t words[3][ROWS + 16];
static uint64_t state;

static float random_in(float low, float high)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((float)(state >> 40) / 16777216.0f);
}

static thg_rows random_rows(float side)
{
    for (int i = 0; i < ROWS + 16; i++) {
        values[0][i] = random_in(0.0f, side);
        values[1][i] = random_in(0.0f, side);
        values[2][i] = random_in(-2.0f, 2.0f);
        values[3][i] = random_in(-2.0f, 2.0f);
        values[4][i] = random_in(0.2f, 0.5f);
        values[5][i] = random_in(0.5f, 4.0f);
        values[6][i] = (float)(int)random_in(0.0f, 8.0f);
        values[7][i] = i % 2 ? THG_STIR_WALKING : random_in(-1.0f, 7.0f);
        values[8][i] = random_in(-2.0f, 2.0f);
        values[9][i] = random_in(-2.0f, 2.0f);
        values[10][i] = (float)(int)random_in(0.0f, 3.0f);
        // Layers of few bits, so that some are not minded, and teams of which some are enemies.
        words[0][i] = (uint32_t)random_in(0.0f, 8.0f);
        words[0][i] |= 0x10000u << (int)random_in(0.0f, 15.9f);
        words[1][i] = (uint32_t)random_in(1.0f, 8.0f);
        words[1][i] |= (uint32_t)random_in(0.0f, 65535.0f) << 16;
        words[2][i] = (uint32_t)i * 7919u;
        if (i % 13 == 4) { // some that nobody can push
            values[5][i] = THG_FIXED_YIELD;
        }
        if (i % 7 == 3 && i > 0) { // some on top of each other
            values[0][i] = values[0][i - 1];
            values[1][i] = values[1][i - 1];
        }
        if (i % 11 == 5) { // some at rest, some with signed zeros
            values[2][i] = i % 2 ? -0.0f : 0.0f;
            values[3][i] = 0.0f;
        }
    }
    return (thg_rows){values[0], values[1], values[2],  values[3], values[4],
                      values[5], values[6], values[7],  values[8], values[9],
                      words[2],  77,        values[10], words[0],  words[1]};
}

/// Long ones, which end somewhere in a group of eight, and short ones, as in open ground.
static thg_ranges random_ranges(int row)
{
    thg_ranges ranges = {.count = (int)random_in(1.0f, 5.99f)};
    float longest = row % 2 ? 40.0f : 9.0f;
    for (int k = 0; k < ranges.count; k++) {
        ranges.begin[k] = (int)random_in(0.0f, ROWS - 64);
        ranges.end[k] = ranges.begin[k] + (int)random_in(0.0f, longest);
    }
    ranges.begin[0] = row > 5 ? row - 5 : 0;
    ranges.end[0] = row + 4 < ROWS ? row + 4 : ROWS;
    return ranges;
}

static void compare_sense(const thg_kernels *kernels, const thg_rows *rows, int row,
                          const thg_ranges *ranges)
{
    bool stands = row % 3 == 0;
    thg_sense_agent agent = {.x = rows->x[row],
                             .y = rows->y[row],
                             .radius = rows->radius[row],
                             .wish_x = stands ? 0.0f : 1.2f,
                             .wish_y = stands ? 0.0f : -1.6f,
                             .ahead_x = stands ? 0.0f : 0.6f,
                             .ahead_y = stands ? 0.0f : -0.8f,
                             .separation_gap = 0.3f,
                             .horizon = 2.0f,
                             .headway = row % 2 ? 0.4f : 1.1f,
                             .following = row % 5 ? 1.0f : 0.3f,
                             .key = rows->key[row],
                             .rank = rows->rank[row],
                             .minds = rows->minds[row],
                             .neutrals = (uint32_t)row << 16};
    thg_sense_result expected, found;
    memset(&expected, 0, sizeof expected);
    memset(&found, 0, sizeof found);
    thg_kernels_scalar.sense(rows, &agent, ranges, &expected);
    kernels->sense(rows, &agent, ranges, &found);
    assert_memory_equal(&expected, &found, sizeof expected);
    thg_kernels_scalar.sense_who(rows, &agent, ranges, &expected);
    kernels->sense_who(rows, &agent, ranges, &found);
    assert_memory_equal(&expected, &found, sizeof expected);
}

/// Finds whom a row touches, and what they do to it. False when they are too many for that.
static bool find_and_push(const thg_kernels *kernels, const thg_rows *rows, int row,
                          const thg_ranges *ranges, thg_pairs *pairs)
{
    memset(pairs, 0, sizeof *pairs);
    pairs->count = kernels->find(rows, row, ranges, pairs->second);
    if (pairs->count > THG_FOUND_MOST) {
        return false;
    }
    for (int i = 0; i < pairs->count; i++) {
        pairs->first[i] = (uint32_t)row;
    }
    kernels->push(rows, pairs);
    return true;
}

/// Pair by pair as all at once, and the same pairs as the twin's. Returns how many there were.
static int compare_pairs(const thg_kernels *kernels, const thg_rows *rows, int row,
                         const thg_ranges *ranges, const thg_contact_result *expected)
{
    static thg_pairs plain, pairs;
    bool few = find_and_push(&thg_kernels_scalar, rows, row, ranges, &plain);
    assert_int_equal(find_and_push(kernels, rows, row, ranges, &pairs), few);
    assert_true(pairs.count == (int)expected->count);
    if (!few || pairs.count == 0) {
        return 0;
    }
    size_t size = (size_t)pairs.count * sizeof(float);
    assert_memory_equal(pairs.second, plain.second, size);
    assert_memory_equal(pairs.push_x, plain.push_x, size);
    assert_memory_equal(pairs.push_y, plain.push_y, size);
    assert_memory_equal(pairs.depth, plain.depth, size);
    thg_contact_result sum;
    thg_pairs_sum(&pairs, 0, pairs.count, &sum);
    assert_memory_equal(&sum, expected, sizeof sum);
    return pairs.count;
}

static void compare(const thg_kernels *kernels)
{
    const float sides[] = {3.0f, 10.0f, 40.0f};
    int seen[THG_FOUND_MOST + 1] = {0};
    for (int s = 0; s < 3; s++) {
        state = 7;
        thg_rows rows = random_rows(sides[s]);
        for (int row = 0; row < ROWS; row++) {
            thg_ranges ranges = random_ranges(row);
            compare_sense(kernels, &rows, row, &ranges);
            thg_contact_result expected, found;
            thg_kernels_scalar.contact(&rows, row, &ranges, &expected);
            kernels->contact(&rows, row, &ranges, &found);
            assert_memory_equal(&expected, &found, sizeof expected);
            seen[compare_pairs(kernels, &rows, row, &ranges, &expected)]++;
            thg_kernels_scalar.contact_who(&rows, row, &ranges, &expected);
            kernels->contact_who(&rows, row, &ranges, &found);
            assert_memory_equal(&expected, &found, sizeof expected);
            assert_true(found.push_x - found.push_x == 0.0f && found.push_y - found.push_y == 0.0f);
        }
    }
    for (int i = 0; i <= THG_FOUND_MOST; i++) {
        assert_true(seen[i] > 0);
    }
}

static void portable_lanes_give_the_bits_of_the_scalar_twin(void **ignored)
{
    (void)ignored;
    compare(&thg_kernels_portable);
}

static void avx2_lanes_give_the_bits_of_the_scalar_twin(void **ignored)
{
    (void)ignored;
    if (thg_kernels_avx2() == NULL) {
        print_message("no AVX2 here: not compared\n");
        skip();
    }
    compare(thg_kernels_avx2());
}

static void avx512_lanes_give_the_bits_of_the_scalar_twin(void **ignored)
{
    (void)ignored;
    if (thg_kernels_avx512() == NULL) {
        print_message("no AVX-512 here: not compared\n");
        skip();
    }
    compare(thg_kernels_avx512());
}

static void who_is_who_changes_nothing_among_allies_of_one_kind(void **ignored)
{
    (void)ignored;
    state = 7;
    thg_rows rows = random_rows(10.0f);
    for (int i = 0; i < ROWS + 16; i++) {
        values[5][i] = 1.0f + values[4][i];
        values[10][i] = 3.0f;
        words[0][i] = 0x20001u;
        words[1][i] = 0xffffu;
    }
    for (int row = 0; row < ROWS; row++) {
        thg_ranges ranges = random_ranges(row);
        thg_contact_result plain, asked;
        thg_kernels_scalar.contact(&rows, row, &ranges, &plain);
        thg_kernels_scalar.contact_who(&rows, row, &ranges, &asked);
        assert_memory_equal(&plain, &asked, sizeof plain);
        thg_sense_agent agent = {.x = rows.x[row],
                                 .y = rows.y[row],
                                 .radius = rows.radius[row],
                                 .wish_x = 1.2f,
                                 .wish_y = -1.6f,
                                 .ahead_x = 0.6f,
                                 .ahead_y = -0.8f,
                                 .separation_gap = 0.3f,
                                 .horizon = 2.0f,
                                 .key = rows.key[row],
                                 .rank = 3.0f,
                                 .minds = rows.minds[row]};
        thg_sense_result alone, among;
        memset(&alone, 0, sizeof alone);
        memset(&among, 0, sizeof among);
        thg_kernels_scalar.sense(&rows, &agent, &ranges, &alone);
        thg_kernels_scalar.sense_who(&rows, &agent, &ranges, &among);
        assert_memory_equal(&alone, &among, sizeof alone);
    }
}

static void the_best_kernels_are_available(void **ignored)
{
    (void)ignored;
    assert_true(throng_kernels_available(THRONG_KERNELS_AUTO));
    assert_true(throng_kernels_available(THRONG_KERNELS_SCALAR));
    assert_true(throng_kernels_available(THRONG_KERNELS_PORTABLE));
    assert_string_equal(throng_kernels_name(THRONG_KERNELS_AVX2), "avx2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(portable_lanes_give_the_bits_of_the_scalar_twin),
        TEST(avx2_lanes_give_the_bits_of_the_scalar_twin),
        TEST(avx512_lanes_give_the_bits_of_the_scalar_twin),
        TEST(who_is_who_changes_nothing_among_allies_of_one_kind),
        TEST(the_best_kernels_are_available),
    };
    return RUN_TESTS(tests);
}
