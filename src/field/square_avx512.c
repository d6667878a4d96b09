/// The tile kernel in AVX-512: a diagonal is one register.
#include "field/square.h"
#include <stddef.h>

#if defined(__AVX512F__) && defined(__AVX512VL__)
#include <immintrin.h>

#define LANES_INLINE static inline __attribute__((always_inline))
typedef __m512i lanes;

LANES_INLINE lanes lanes_all(uint32_t value)
{
    return _mm512_set1_epi32((int)value);
}

LANES_INLINE lanes lanes_load(const uint32_t *values)
{
    return _mm512_loadu_si512(values);
}

LANES_INLINE void lanes_store(uint32_t *values, lanes a)
{
    _mm512_storeu_si512(values, a);
}

LANES_INLINE lanes lanes_crossing(const uint16_t *prices)
{
    return _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)prices)), 4);
}

LANES_INLINE lanes lanes_add(lanes a, lanes b)
{
    return _mm512_add_epi32(a, b);
}

LANES_INLINE lanes lanes_subtract(lanes a, lanes b)
{
    return _mm512_sub_epi32(a, b);
}

LANES_INLINE lanes lanes_half(lanes a)
{
    return _mm512_srli_epi32(a, 1);
}

LANES_INLINE lanes lanes_smaller(lanes a, lanes b)
{
    return _mm512_min_epu32(a, b);
}

LANES_INLINE lanes lanes_larger(lanes a, lanes b)
{
    return _mm512_max_epu32(a, b);
}

LANES_INLINE uint32_t lanes_less(lanes a, lanes b)
{
    return _mm512_cmplt_epu32_mask(a, b);
}

LANES_INLINE uint32_t lanes_nonzero(lanes a)
{
    return _mm512_test_epi32_mask(a, a);
}

LANES_INLINE lanes lanes_mirror(lanes a)
{
    const lanes order = _mm512_set_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_permutexvar_epi32(order, a);
}

LANES_INLINE lanes lanes_from_west(lanes a, uint32_t first)
{
    return _mm512_alignr_epi32(a, lanes_all(first), 15);
}

LANES_INLINE lanes lanes_from_east(lanes a, uint32_t last)
{
    return _mm512_alignr_epi32(lanes_all(last), a, 1);
}

#define LANES_MIX(step, mask)                                                                      \
    LANES_INLINE lanes lanes_mix_##step(lanes a, lanes b)                                          \
    {                                                                                              \
        return _mm512_mask_mov_epi32(a, mask, b);                                                  \
    }
LANES_MIX(1, 0xaaaa)
LANES_MIX(2, 0xcccc)
LANES_MIX(4, 0xf0f0)
LANES_MIX(8, 0xff00)

/// The smaller where `fits` is not 0, else a.
LANES_INLINE lanes lanes_lower(lanes a, lanes b, lanes fits)
{
    return _mm512_mask_min_epu32(a, _mm512_test_epi32_mask(fits, fits), a, b);
}

/// All ones where a is `nothing`.
LANES_INLINE lanes lanes_unreach(lanes a, uint32_t nothing)
{
    return _mm512_mask_mov_epi32(a, _mm512_cmpeq_epi32_mask(a, lanes_all(nothing)), lanes_all(~0u));
}

LANES_INLINE uint32_t lanes_least(lanes a, uint32_t which)
{
    return _mm512_mask_reduce_min_epu32((__mmask16)which, a);
}

LANES_INLINE __m256i root_doubles(__m256i k, __m256i gap)
{
    __m512d a = _mm512_cvtepi32_pd(k);
    __m512d b = _mm512_cvtepi32_pd(gap);
    __m512d twice = _mm512_mul_pd(_mm512_add_pd(a, a), a);
    return _mm512_cvttpd_epi32(_mm512_sqrt_pd(_mm512_sub_pd(twice, _mm512_mul_pd(b, b))));
}

/// floor(sqrt(2 k k - gap gap)), exactly.
LANES_INLINE lanes lanes_root(lanes k, lanes gap, thg_square_roots roots)
{
    if (roots == THG_ROOTS_SHORT) {
        __m512 a = _mm512_cvtepi32_ps(k);
        __m512 b = _mm512_cvtepi32_ps(gap);
        __m512 twice = _mm512_mul_ps(_mm512_add_ps(a, a), a);
        return _mm512_cvttps_epi32(_mm512_sqrt_ps(_mm512_sub_ps(twice, _mm512_mul_ps(b, b))));
    }
    if (roots == THG_ROOTS_WORD) {
        lanes twice = _mm512_slli_epi32(_mm512_mullo_epi32(k, k), 1);
        lanes square = _mm512_sub_epi32(twice, _mm512_mullo_epi32(gap, gap));
        // Rounded, the float's root is right or one too many.
        lanes root = _mm512_cvtps_epi32(_mm512_sqrt_ps(_mm512_cvtepi32_ps(square)));
        __mmask16 over = _mm512_cmpgt_epu32_mask(_mm512_mullo_epi32(root, root), square);
        return _mm512_mask_sub_epi32(root, over, root, lanes_all(1));
    }
    __m256i low = root_doubles(_mm512_castsi512_si256(k), _mm512_castsi512_si256(gap));
    __m256i high = root_doubles(_mm512_extracti64x4_epi64(k, 1), _mm512_extracti64x4_epi64(gap, 1));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

#include "field/square_lanes.inc"

thg_square_kernel *thg_square_kernel_avx512(void)
{
    bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
    return can ? visit_lanes : NULL;
}
#else
thg_square_kernel *thg_square_kernel_avx512(void)
{
    return NULL;
}
#endif
