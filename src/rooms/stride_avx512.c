/// The stride, eight walkers at a time in AVX-512.
#include "rooms/stride.h"
#include <stdbool.h>
#include <stddef.h>

#if defined(__AVX512F__) && defined(__AVX512VL__)
#include <immintrin.h>

static uint32_t stride(const int32_t *move_cells, uint32_t *cells, uint64_t *moves, uint32_t first,
                       uint32_t end, uint32_t *turning, uint32_t *moved)
{
    const __m256i table = _mm256_loadu_si256((const __m256i *)move_cells);
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i seven = _mm512_set1_epi64(7);
    uint32_t listed = 0, taken = 0, i = first;
    for (; i + 8 <= end; i += 8) {
        __m512i leg = _mm512_loadu_si512(moves + i);
        __mmask8 goes = _mm512_cmpgt_epu64_mask(leg, seven);
        __mmask8 turns = (__mmask8)(~goes & _mm512_test_epi64_mask(leg, leg));
        __m256i add = _mm256_permutexvar_epi32(_mm512_cvtepi64_epi32(leg), table);
        __m256i cell = _mm256_loadu_si256((const __m256i *)(cells + i));
        _mm256_storeu_si256((__m256i *)(cells + i), _mm256_mask_add_epi32(cell, goes, cell, add));
        _mm512_storeu_si512(moves + i, _mm512_mask_srli_epi64(leg, goes, leg, 3));
        taken += (uint32_t)_mm_popcnt_u32(goes);
        // Eight places are written, as many as turn count: the list has room for all.
        __m256i own = _mm256_add_epi32(lanes, _mm256_set1_epi32((int)i));
        _mm256_storeu_si256((__m256i *)(turning + listed), _mm256_maskz_compress_epi32(turns, own));
        listed += (uint32_t)_mm_popcnt_u32(turns);
    }
    *moved += taken;
    return listed + thg_stride_plain(move_cells, cells, moves, i, end, turning + listed, moved);
}

thg_stride *thg_stride_avx512(void)
{
    bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("popcnt");
    return can ? stride : NULL;
}
#else
thg_stride *thg_stride_avx512(void)
{
    return NULL;
}
#endif
