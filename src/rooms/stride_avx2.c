/// The stride, eight walkers at a time in AVX2.
#include "rooms/stride.h"
#include <stddef.h>

#if defined(__AVX2__)
#include <immintrin.h>

/// The low halves of eight 64-bit lanes, in order.
static inline __m256i low_halves(__m256i a, __m256i b)
{
    __m256 mixed = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(mixed), 0xd8);
}

/// One bit for each of eight 64-bit lanes of all ones or zero.
static inline uint32_t bits_of(__m256i a, __m256i b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(low_halves(a, b)));
}

static uint32_t stride(const int32_t *move_cells, uint32_t *cells, uint64_t *moves, uint32_t first,
                       uint32_t end, uint32_t *turning, uint32_t *moved)
{
    const __m256i table = _mm256_loadu_si256((const __m256i *)move_cells);
    const __m256i seven = _mm256_set1_epi64x(7), none = _mm256_setzero_si256();
    uint32_t listed = 0, taken = 0, i = first;
    for (; i + 8 <= end; i += 8) {
        __m256i *legs = (__m256i *)(moves + i), *places = (__m256i *)(cells + i);
        __m256i a = _mm256_loadu_si256(legs), b = _mm256_loadu_si256(legs + 1);
        __m256i goes_a = _mm256_cmpgt_epi64(a, seven), goes_b = _mm256_cmpgt_epi64(b, seven);
        __m256i goes = low_halves(goes_a, goes_b);
        __m256i add = _mm256_permutevar8x32_epi32(table, low_halves(a, b)); // low three bits count
        __m256i cell = _mm256_loadu_si256(places);
        _mm256_storeu_si256(places, _mm256_add_epi32(cell, _mm256_and_si256(add, goes)));
        _mm256_storeu_si256(legs, _mm256_blendv_epi8(a, _mm256_srli_epi64(a, 3), goes_a));
        _mm256_storeu_si256(legs + 1, _mm256_blendv_epi8(b, _mm256_srli_epi64(b, 3), goes_b));
        uint32_t going = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(goes));
        uint32_t standing = bits_of(_mm256_cmpeq_epi64(a, none), _mm256_cmpeq_epi64(b, none));
        uint32_t turns = 0xffu & ~(going | standing);
        taken += (uint32_t)_mm_popcnt_u32(going);
        for (; turns != 0; turns &= turns - 1) {
            turning[listed++] = i + (uint32_t)__builtin_ctz(turns);
        }
    }
    *moved += taken;
    return listed + thg_stride_plain(move_cells, cells, moves, i, end, turning + listed, moved);
}

thg_stride *thg_stride_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") ? stride : NULL;
}
#else
thg_stride *thg_stride_avx2(void)
{
    return NULL;
}
#endif
