/// The neighbour kernels in lanes of AVX-512VL: still eight wide, with its masks and registers.
#include "crowd/kernels.h"
#include <stddef.h>

#if defined(__AVX512F__) && defined(__AVX512VL__)
#include "core/lanes.h"
#include "crowd/kernels_lanes.inc"

static const thg_kernels kernels = {THRONG_KERNELS_AVX512, sense_lanes, contact_lanes,
                                    sense_lanes_who, contact_lanes_who};

const thg_kernels *thg_kernels_avx512(void)
{
    bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
    return can ? &kernels : NULL;
}
#else
const thg_kernels *thg_kernels_avx512(void)
{
    return NULL;
}
#endif
