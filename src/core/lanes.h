/// Lanes: eight floats side by side, the one width of every neighbour kernel.
///
/// Eight is a register of AVX2 and half of one of AVX-512, two of SSE2 or NEON. Because it is the
/// same everywhere, a sum over neighbours is always eight partial sums added by one fixed tree, and
/// no instruction set changes a bit. Only + - * / sqrt, comparisons and selects are used: no fused
/// multiply-add, no reciprocal estimates, no min and max instructions (they differ on signed zero).
#ifndef THG_LANES_H
#define THG_LANES_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#pragma GCC diagnostic ignored "-Wpsabi"

#define THG_LANES 8
#define THG_LANE_INLINE static inline __attribute__((always_inline))

typedef float thg_lanes __attribute__((vector_size(32)));
typedef int32_t thg_mask __attribute__((vector_size(32))); ///< per lane all ones or zero

THG_LANE_INLINE thg_lanes thg_lanes_all(float value)
{
    return (thg_lanes){value, value, value, value, value, value, value, value};
}

THG_LANE_INLINE thg_lanes thg_lanes_load(const float *values)
{
    thg_lanes lanes;
    memcpy(&lanes, values, sizeof lanes);
    return lanes;
}

/// Per lane a < b. By hand for SSE2: gcc 12 compares generic vectors lane by lane there.
THG_LANE_INLINE thg_mask thg_lanes_less(thg_lanes a, thg_lanes b)
{
#if defined(__SSE2__) && !defined(__AVX__)
    __m128 half_a[2], half_b[2];
    thg_mask mask;
    memcpy(half_a, &a, sizeof a);
    memcpy(half_b, &b, sizeof b);
    half_a[0] = _mm_cmplt_ps(half_a[0], half_b[0]);
    half_a[1] = _mm_cmplt_ps(half_a[1], half_b[1]);
    memcpy(&mask, half_a, sizeof mask);
    return mask;
#else
    return a < b;
#endif
}

/// Per lane a == b.
THG_LANE_INLINE thg_mask thg_lanes_equal(thg_lanes a, thg_lanes b)
{
#if defined(__SSE2__) && !defined(__AVX__)
    __m128 half_a[2], half_b[2];
    thg_mask mask;
    memcpy(half_a, &a, sizeof a);
    memcpy(half_b, &b, sizeof b);
    half_a[0] = _mm_cmpeq_ps(half_a[0], half_b[0]);
    half_a[1] = _mm_cmpeq_ps(half_a[1], half_b[1]);
    memcpy(&mask, half_a, sizeof mask);
    return mask;
#else
    return a == b;
#endif
}

THG_LANE_INLINE thg_lanes thg_lanes_select(thg_mask mask, thg_lanes yes, thg_lanes no)
{
    return (thg_lanes)((mask & (thg_mask)yes) | (~mask & (thg_mask)no));
}

/// Zero where the mask is not set.
THG_LANE_INLINE thg_lanes thg_lanes_keep(thg_mask mask, thg_lanes lanes)
{
    return (thg_lanes)(mask & (thg_mask)lanes);
}

THG_LANE_INLINE thg_lanes thg_lanes_smaller(thg_lanes a, thg_lanes b)
{
    return thg_lanes_select(thg_lanes_less(a, b), a, b);
}

THG_LANE_INLINE thg_lanes thg_lanes_larger(thg_lanes a, thg_lanes b)
{
    return thg_lanes_select(thg_lanes_less(b, a), a, b);
}

/// Eight words as they are, for tests of bits.
THG_LANE_INLINE thg_mask thg_words_load(const uint32_t *words)
{
    thg_mask lanes;
    memcpy(&lanes, words, sizeof lanes);
    return lanes;
}

/// Per lane: have the words any of the bits in common?
THG_LANE_INLINE thg_mask thg_words_meet(thg_mask words, uint32_t bits)
{
    const int32_t bit = (int32_t)bits;
    thg_mask common = words & (thg_mask){bit, bit, bit, bit, bit, bit, bit, bit};
#if defined(__SSE2__) && !defined(__AVX__)
    __m128i half[2];
    memcpy(half, &common, sizeof common);
    half[0] = _mm_cmpeq_epi32(half[0], _mm_setzero_si128());
    half[1] = _mm_cmpeq_epi32(half[1], _mm_setzero_si128());
    memcpy(&common, half, sizeof common);
    return ~common;
#else
    return common != (thg_mask){0};
#endif
}

/// Correctly rounded, as IEEE 754 asks.
THG_LANE_INLINE thg_lanes thg_lanes_sqrt(thg_lanes lanes)
{
#if defined(__AVX__)
    return (thg_lanes)_mm256_sqrt_ps((__m256)lanes);
#elif defined(__SSE2__)
    __m128 low, high;
    memcpy(&low, &lanes, 16);
    memcpy(&high, (const char *)&lanes + 16, 16);
    low = _mm_sqrt_ps(low);
    high = _mm_sqrt_ps(high);
    memcpy(&lanes, &low, 16);
    memcpy((char *)&lanes + 16, &high, 16);
    return lanes;
#else
    for (int i = 0; i < THG_LANES; i++) {
        lanes[i] = __builtin_sqrtf(lanes[i]);
    }
    return lanes;
#endif
}

/// True when any lane of the mask is set.
THG_LANE_INLINE int thg_mask_any(thg_mask mask)
{
#if defined(__AVX__)
    return _mm256_movemask_ps((__m256)mask) != 0;
#else
    uint64_t parts[4];
    memcpy(parts, &mask, sizeof parts);
    return (parts[0] | parts[1] | parts[2] | parts[3]) != 0;
#endif
}

/// A bit for each lane that is set.
THG_LANE_INLINE uint32_t thg_mask_bits(thg_mask mask)
{
#if defined(__AVX__)
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif defined(__SSE2__)
    __m128 half[2];
    memcpy(half, &mask, sizeof mask);
    return (uint32_t)(_mm_movemask_ps(half[0]) | _mm_movemask_ps(half[1]) << 4);
#else
    uint32_t bits = 0;
    for (int i = 0; i < THG_LANES; i++) {
        bits |= mask[i] != 0 ? 1u << i : 0u;
    }
    return bits;
#endif
}

/// The first `count` lanes set, count in [0, 8] or more.
THG_LANE_INLINE thg_mask thg_mask_first(int count)
{
    static const int32_t steps[2 * THG_LANES] = {-1, -1, -1, -1, -1, -1, -1, -1};
    thg_mask mask;
    memcpy(&mask, steps + (count < THG_LANES ? THG_LANES - count : 0), sizeof mask);
    return mask;
}

/// All lanes set but `lane`; all of them where it is not in [0, 7].
THG_LANE_INLINE thg_mask thg_mask_but(int lane)
{
    static const int32_t notch[2 * THG_LANES] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                                 0,  -1, -1, -1, -1, -1, -1, -1};
    unsigned place = (unsigned)lane < THG_LANES ? (unsigned)lane : THG_LANES;
    thg_mask mask;
    memcpy(&mask, notch + (THG_LANES - place), sizeof mask);
    return mask;
}

/// Sums eight partial sums by the fixed tree.
static inline float thg_sum_tree(const float part[THG_LANES])
{
    float a = part[0] + part[4], b = part[1] + part[5];
    float c = part[2] + part[6], d = part[3] + part[7];
    return (a + c) + (b + d);
}

THG_LANE_INLINE float thg_lanes_sum(thg_lanes lanes)
{
    float part[THG_LANES];
    memcpy(part, &lanes, sizeof part);
    return thg_sum_tree(part);
}

/// Four sums at once, each by the fixed tree.
THG_LANE_INLINE void thg_lanes_sums(thg_lanes a, thg_lanes b, thg_lanes c, thg_lanes d,
                                    float sums[4])
{
#if defined(__SSE2__)
    const thg_lanes lanes[4] = {a, b, c, d};
    __m128 half[4];
    for (int i = 0; i < 4; i++) {
        __m128 low, high;
        memcpy(&low, &lanes[i], 16);
        memcpy(&high, (const char *)&lanes[i] + 16, 16);
        half[i] = _mm_add_ps(low, high);
    }
    // Turned on their side: 0 + 2 of each in the low halves, 1 + 3 in the high ones.
    __m128 ab = _mm_add_ps(_mm_unpacklo_ps(half[0], half[1]), _mm_unpackhi_ps(half[0], half[1]));
    __m128 cd = _mm_add_ps(_mm_unpacklo_ps(half[2], half[3]), _mm_unpackhi_ps(half[2], half[3]));
    _mm_storeu_ps(sums, _mm_add_ps(_mm_movelh_ps(ab, cd), _mm_movehl_ps(cd, ab)));
#else
    sums[0] = thg_lanes_sum(a);
    sums[1] = thg_lanes_sum(b);
    sums[2] = thg_lanes_sum(c);
    sums[3] = thg_lanes_sum(d);
#endif
}

/// The least of them. Of 0 and -0 either.
THG_LANE_INLINE float thg_lanes_least(thg_lanes lanes)
{
#if defined(__SSE2__)
    // Their minimum is a < b ? a : b, and no more.
    __m128 low, high;
    memcpy(&low, &lanes, 16);
    memcpy(&high, (const char *)&lanes + 16, 16);
    low = _mm_min_ps(low, high);
    low = _mm_min_ps(low, _mm_movehl_ps(low, low));
    return _mm_cvtss_f32(_mm_min_ss(low, _mm_shuffle_ps(low, low, 1)));
#else
    float part[THG_LANES];
    memcpy(part, &lanes, sizeof part);
    for (int half = THG_LANES / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) {
            part[i] = part[i] < part[i + half] ? part[i] : part[i + half];
        }
    }
    return part[0];
#endif
}

THG_LANE_INLINE float thg_lanes_most(thg_lanes lanes)
{
    return -thg_lanes_least(-lanes);
}

#endif
