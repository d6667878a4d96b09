/// Half planes and linear programs in lanes of avx2.
#include "crowd/orca.h"
#include <math.h>
#include <string.h>

#if defined(__AVX2__)
#include "core/lanes.h"
#include "crowd/orca_lanes.inc"

static const thg_orca_kernels kernels = {look_lanes, planes_lanes, choose_lanes};

const thg_orca_kernels *thg_orca_avx2(void)
{
    return throng_kernels_available(THRONG_KERNELS_AVX2) ? &kernels : NULL;
}
#else
const thg_orca_kernels *thg_orca_avx2(void)
{
    return NULL;
}
#endif
