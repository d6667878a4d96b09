/// Half planes and linear programs in lanes of avx512.
#include "crowd/orca.h"
#include <math.h>
#include <string.h>

#if defined(__AVX512F__) && defined(__AVX512VL__)
#include "core/lanes.h"
#include "crowd/orca_lanes.inc"

static const thg_orca_kernels kernels = {look_lanes, planes_lanes, choose_lanes};

const thg_orca_kernels *thg_orca_avx512(void)
{
    return throng_kernels_available(THRONG_KERNELS_AVX512) ? &kernels : NULL;
}
#else
const thg_orca_kernels *thg_orca_avx512(void)
{
    return NULL;
}
#endif
