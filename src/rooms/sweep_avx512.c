/// The sweep in one register of sixteen.
#include "rooms/sweep.h"

#if defined(__AVX512F__) && defined(__AVX512VL__)
#include <immintrin.h>

static uint32_t sweep(const thg_hierarchy *hierarchy, int slot_bits, uint32_t *keys)
{
    const __m512i far = _mm512_set1_epi32((int)THG_LANE_FAR);
    __m512i most = _mm512_setzero_si512();
    for (uint32_t rank = hierarchy->count; rank-- > 0;) {
        uint32_t *own = keys + (size_t)rank * THG_LANES;
        __m512i best = _mm512_load_si512(own);
        for (uint32_t arc = hierarchy->first[rank]; arc < hierarchy->first[rank + 1]; arc++) {
            __m512i other = _mm512_load_si512(keys + (size_t)hierarchy->head[arc] * THG_LANES);
            __m512i price = _mm512_set1_epi32((int)thg_lane_price(hierarchy->down[arc], slot_bits));
            best = _mm512_min_epi32(best, _mm512_add_epi32(other, price));
        }
        _mm512_store_si512(own, best);
        most = _mm512_mask_max_epi32(most, _mm512_cmplt_epi32_mask(best, far), most, best);
    }
    return (uint32_t)_mm512_reduce_max_epi32(most);
}

thg_sweep_lanes *thg_sweep_avx512(void)
{
    bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
    return can ? sweep : NULL;
}
#else
thg_sweep_lanes *thg_sweep_avx512(void)
{
    return NULL;
}
#endif
