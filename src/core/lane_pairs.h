/// Two groups of eight lanes side by side, in one register of AVX-512, with its masks of bits.
///
/// The groups are two that lanes.h would take one after the other. What is summed over them is
/// added to eight partial sums, first the low group, then the high one; so the bits are the same.
/// All of the arithmetic is that of lanes.h.
#ifndef THG_LANE_PAIRS_H
#define THG_LANE_PAIRS_H

#include "core/lanes.h"

typedef float thg_pair __attribute__((vector_size(64)));
typedef uint16_t thg_pair_mask; ///< a bit a lane, the low group in the low byte

THG_LANE_INLINE thg_pair thg_pair_all(float value)
{
    return (thg_pair)_mm512_set1_ps(value);
}

/// Eight values from `low` on, and eight from `high` on.
THG_LANE_INLINE thg_pair thg_pair_load(const float *values, int low, int high)
{
    __m512 pair = _mm512_castps256_ps512(_mm256_loadu_ps(values + low));
    return (thg_pair)_mm512_insertf32x8(pair, _mm256_loadu_ps(values + high), 1);
}

THG_LANE_INLINE thg_lanes thg_pair_low(thg_pair pair)
{
    return (thg_lanes)_mm512_castps512_ps256((__m512)pair);
}

THG_LANE_INLINE thg_lanes thg_pair_high(thg_pair pair)
{
    return (thg_lanes)_mm512_extractf32x8_ps((__m512)pair, 1);
}

/// The first of eight lanes set, as many as `count`, in [0, 8] or more.
THG_LANE_INLINE uint32_t thg_pair_first(int count)
{
    return 0xffu >> (count < THG_LANES ? THG_LANES - count : 0);
}

THG_LANE_INLINE thg_pair_mask thg_pair_less(thg_pair_mask among, thg_pair a, thg_pair b)
{
    return _mm512_mask_cmp_ps_mask(among, (__m512)a, (__m512)b, _CMP_LT_OS);
}

THG_LANE_INLINE thg_pair_mask thg_pair_equal(thg_pair_mask among, thg_pair a, thg_pair b)
{
    return _mm512_mask_cmp_ps_mask(among, (__m512)a, (__m512)b, _CMP_EQ_OQ);
}

THG_LANE_INLINE thg_pair thg_pair_select(thg_pair_mask mask, thg_pair yes, thg_pair no)
{
    return (thg_pair)_mm512_mask_blend_ps(mask, (__m512)no, (__m512)yes);
}

THG_LANE_INLINE thg_pair thg_pair_keep(thg_pair_mask mask, thg_pair pair)
{
    return (thg_pair)_mm512_maskz_mov_ps(mask, (__m512)pair);
}

/// Their minimum is a < b ? a : b, and their maximum a > b ? a : b, as in lanes.h.
THG_LANE_INLINE thg_pair thg_pair_smaller(thg_pair a, thg_pair b)
{
    return (thg_pair)_mm512_min_ps((__m512)a, (__m512)b);
}

THG_LANE_INLINE thg_pair thg_pair_larger(thg_pair a, thg_pair b)
{
    return (thg_pair)_mm512_max_ps((__m512)a, (__m512)b);
}

THG_LANE_INLINE thg_pair thg_pair_sqrt(thg_pair pair)
{
    return (thg_pair)_mm512_sqrt_ps((__m512)pair);
}

THG_LANE_INLINE thg_pair thg_pair_size(thg_pair pair)
{
    return (thg_pair)_mm512_abs_ps((__m512)pair);
}

/// Writes which of the values from `low` and from `high` on are set, but number `but`, and from bit
/// `shift` on their lane in the group; and writes up to 16 words. Returns how many there are.
THG_LANE_INLINE int thg_pair_note(thg_pair_mask mask, int low, int high, int but, int shift,
                                  uint32_t *out)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i low_numbers = _mm256_add_epi32(_mm256_set1_epi32(low), lanes);
    __m256i high_numbers = _mm256_add_epi32(_mm256_set1_epi32(high), lanes);
    __m512i numbers = _mm512_inserti64x4(_mm512_castsi256_si512(low_numbers), high_numbers, 1);
    __m512i marks = _mm512_broadcast_i64x4(_mm256_slli_epi32(lanes, shift));
    __mmask16 set = _mm512_mask_cmpneq_epi32_mask(mask, numbers, _mm512_set1_epi32(but));
    numbers = _mm512_maskz_compress_epi32(set, _mm512_or_si512(numbers, marks));
    _mm512_storeu_si512(out, numbers);
    return __builtin_popcount(set);
}

THG_LANE_INLINE int thg_pair_count(thg_pair_mask mask)
{
    return __builtin_popcount(mask);
}

#endif
