/// The sweep in two registers of eight.
#include "rooms/sweep.h"

#if defined(__AVX2__)
#include <immintrin.h>

static uint32_t sweep(const thg_hierarchy *hierarchy, int slot_bits, uint32_t *keys)
{
    const __m256i far = _mm256_set1_epi32((int)THG_LANE_FAR);
    __m256i most = _mm256_setzero_si256();
    for (uint32_t rank = hierarchy->count; rank-- > 0;) {
        __m256i *own = (__m256i *)(keys + (size_t)rank * THG_LANES);
        __m256i low = _mm256_load_si256(own), high = _mm256_load_si256(own + 1);
        for (uint32_t arc = hierarchy->first[rank]; arc < hierarchy->first[rank + 1]; arc++) {
            const __m256i *other =
                (const __m256i *)(keys + (size_t)hierarchy->head[arc] * THG_LANES);
            __m256i price = _mm256_set1_epi32((int)thg_lane_price(hierarchy->down[arc], slot_bits));
            low = _mm256_min_epi32(low, _mm256_add_epi32(_mm256_load_si256(other), price));
            high = _mm256_min_epi32(high, _mm256_add_epi32(_mm256_load_si256(other + 1), price));
        }
        _mm256_store_si256(own, low);
        _mm256_store_si256(own + 1, high);
        most = _mm256_max_epi32(most, _mm256_and_si256(low, _mm256_cmpgt_epi32(far, low)));
        most = _mm256_max_epi32(most, _mm256_and_si256(high, _mm256_cmpgt_epi32(far, high)));
    }
    uint32_t lanes[8], largest = 0;
    _mm256_storeu_si256((__m256i *)lanes, most);
    for (int i = 0; i < 8; i++) {
        largest = lanes[i] > largest ? lanes[i] : largest;
    }
    return largest;
}

thg_sweep_lanes *thg_sweep_avx2(void)
{
    return __builtin_cpu_supports("avx2") ? sweep : NULL;
}
#else
thg_sweep_lanes *thg_sweep_avx2(void)
{
    return NULL;
}
#endif
