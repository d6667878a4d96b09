/// The tile kernel in AVX2: a diagonal is two registers, which keeps two chains of work in flight.
#include "field/square.h"
#include <stddef.h>

#if defined(__AVX2__)
#include <immintrin.h>

#define LANES_INLINE static inline __attribute__((always_inline))
typedef struct lanes {
    __m256i low, high;
} lanes;

LANES_INLINE lanes lanes_all(uint32_t value)
{
    __m256i all = _mm256_set1_epi32((int)value);
    return (lanes){all, all};
}

LANES_INLINE lanes lanes_load(const uint32_t *values)
{
    return (lanes){_mm256_loadu_si256((const __m256i *)values),
                   _mm256_loadu_si256((const __m256i *)(values + 8))};
}

LANES_INLINE void lanes_store(uint32_t *values, lanes a)
{
    _mm256_storeu_si256((__m256i *)values, a.low);
    _mm256_storeu_si256((__m256i *)(values + 8), a.high);
}

LANES_INLINE lanes lanes_crossing(const uint16_t *prices)
{
    __m128i low = _mm_loadu_si128((const __m128i *)prices);
    __m128i high = _mm_loadu_si128((const __m128i *)(prices + 8));
    return (lanes){_mm256_slli_epi32(_mm256_cvtepu16_epi32(low), 4),
                   _mm256_slli_epi32(_mm256_cvtepu16_epi32(high), 4)};
}

#define LANES_BOTH(name, operation)                                                                \
    LANES_INLINE lanes name(lanes a, lanes b)                                                      \
    {                                                                                              \
        return (lanes){operation(a.low, b.low), operation(a.high, b.high)};                        \
    }
LANES_BOTH(lanes_add, _mm256_add_epi32)
LANES_BOTH(lanes_subtract, _mm256_sub_epi32)
LANES_BOTH(lanes_smaller, _mm256_min_epu32)
LANES_BOTH(lanes_larger, _mm256_max_epu32)
LANES_BOTH(lanes_equal, _mm256_cmpeq_epi32)
LANES_BOTH(lanes_or, _mm256_or_si256)

LANES_INLINE lanes lanes_half(lanes a)
{
    return (lanes){_mm256_srli_epi32(a.low, 1), _mm256_srli_epi32(a.high, 1)};
}

/// The top bit of every lane.
LANES_INLINE uint32_t lanes_bits(lanes a)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(a.low)) |
           (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(a.high)) << 8;
}

LANES_INLINE uint32_t lanes_less(lanes a, lanes b)
{
    return ~lanes_bits(lanes_equal(lanes_larger(a, b), a)) & 0xffffu;
}

LANES_INLINE uint32_t lanes_nonzero(lanes a)
{
    return ~lanes_bits(lanes_equal(a, lanes_all(0))) & 0xffffu;
}

LANES_INLINE lanes lanes_mirror(lanes a)
{
    const __m256i order = _mm256_set_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return (lanes){_mm256_permutevar8x32_epi32(a.high, order),
                   _mm256_permutevar8x32_epi32(a.low, order)};
}

LANES_INLINE lanes lanes_from_west(lanes a, uint32_t first)
{
    __m256i before = _mm256_set1_epi32((int)first);
    __m256i low = _mm256_permute2x128_si256(before, a.low, 0x21);
    __m256i high = _mm256_permute2x128_si256(a.low, a.high, 0x21);
    return (lanes){_mm256_alignr_epi8(a.low, low, 12), _mm256_alignr_epi8(a.high, high, 12)};
}

LANES_INLINE lanes lanes_from_east(lanes a, uint32_t last)
{
    __m256i behind = _mm256_set1_epi32((int)last);
    __m256i low = _mm256_permute2x128_si256(a.low, a.high, 0x21);
    __m256i high = _mm256_permute2x128_si256(a.high, behind, 0x21);
    return (lanes){_mm256_alignr_epi8(low, a.low, 4), _mm256_alignr_epi8(high, a.high, 4)};
}

#define LANES_MIX(step, mask)                                                                      \
    LANES_INLINE lanes lanes_mix_##step(lanes a, lanes b)                                          \
    {                                                                                              \
        return (lanes){_mm256_blend_epi32(a.low, b.low, mask),                                     \
                       _mm256_blend_epi32(a.high, b.high, mask)};                                  \
    }
LANES_MIX(1, 0xaa)
LANES_MIX(2, 0xcc)
LANES_MIX(4, 0xf0)

LANES_INLINE lanes lanes_mix_8(lanes a, lanes b)
{
    return (lanes){a.low, b.high};
}

/// The smaller where `fits` is not 0, else a.
LANES_INLINE lanes lanes_lower(lanes a, lanes b, lanes fits)
{
    return lanes_smaller(a, lanes_or(b, lanes_equal(fits, lanes_all(0))));
}

/// All ones where a is `nothing`.
LANES_INLINE lanes lanes_unreach(lanes a, uint32_t nothing)
{
    return lanes_or(a, lanes_equal(a, lanes_all(nothing)));
}

LANES_INLINE uint32_t lanes_least(lanes a, uint32_t which)
{
    uint32_t value[16];
    uint32_t least = ~0u;
    lanes_store(value, a);
    for (uint32_t i = 0; i < 16; i++) {
        least = (which >> i & 1) != 0 && value[i] < least ? value[i] : least;
    }
    return least;
}

LANES_INLINE __m128i root_doubles(__m128i k, __m128i gap)
{
    __m256d a = _mm256_cvtepi32_pd(k);
    __m256d b = _mm256_cvtepi32_pd(gap);
    __m256d twice = _mm256_mul_pd(_mm256_add_pd(a, a), a);
    return _mm256_cvttpd_epi32(_mm256_sqrt_pd(_mm256_sub_pd(twice, _mm256_mul_pd(b, b))));
}

LANES_INLINE __m256i root_half(__m256i k, __m256i gap, thg_square_roots roots)
{
    if (roots == THG_ROOTS_SHORT) {
        __m256 a = _mm256_cvtepi32_ps(k);
        __m256 b = _mm256_cvtepi32_ps(gap);
        __m256 twice = _mm256_mul_ps(_mm256_add_ps(a, a), a);
        return _mm256_cvttps_epi32(_mm256_sqrt_ps(_mm256_sub_ps(twice, _mm256_mul_ps(b, b))));
    }
    if (roots == THG_ROOTS_WORD) {
        __m256i twice = _mm256_slli_epi32(_mm256_mullo_epi32(k, k), 1);
        __m256i square = _mm256_sub_epi32(twice, _mm256_mullo_epi32(gap, gap));
        // Rounded, the float's root is right or one too many. Its square stays below 2^31.
        __m256i root = _mm256_cvtps_epi32(_mm256_sqrt_ps(_mm256_cvtepi32_ps(square)));
        __m256i over = _mm256_cmpgt_epi32(_mm256_mullo_epi32(root, root), square);
        return _mm256_add_epi32(root, over);
    }
    __m128i low = root_doubles(_mm256_castsi256_si128(k), _mm256_castsi256_si128(gap));
    __m128i high = root_doubles(_mm256_extracti128_si256(k, 1), _mm256_extracti128_si256(gap, 1));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/// floor(sqrt(2 k k - gap gap)), exactly.
LANES_INLINE lanes lanes_root(lanes k, lanes gap, thg_square_roots roots)
{
    return (lanes){root_half(k.low, gap.low, roots), root_half(k.high, gap.high, roots)};
}

#include "field/square_lanes.inc"

thg_square_kernel *thg_square_kernel_avx2(void)
{
    return __builtin_cpu_supports("avx2") ? visit_lanes : NULL;
}
#else
thg_square_kernel *thg_square_kernel_avx2(void)
{
    return NULL;
}
#endif
