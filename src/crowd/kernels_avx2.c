/// The neighbour kernels in lanes of AVX2 (x86-64-v3 without its fused multiply-add).
#include "crowd/kernels.h"
#include <stddef.h>

#if defined(__AVX2__)
#include "core/lanes.h"
#include "crowd/kernels_lanes.inc"

static const thg_kernels kernels = {THRONG_KERNELS_AVX2, sense_lanes,       contact_lanes,
                                    sense_lanes_who,     contact_lanes_who, find_lanes,
                                    push_lanes};

const thg_kernels *thg_kernels_avx2(void)
{
    return __builtin_cpu_supports("avx2") ? &kernels : NULL;
}
#else
const thg_kernels *thg_kernels_avx2(void)
{
    return NULL;
}
#endif
