/// Half planes and linear programs in lanes, for the instructions every processor has; and which
/// build of them runs.
#include "core/lanes.h"
#include "crowd/orca.h"
#include <math.h>
#include <string.h>

#include "crowd/orca_lanes.inc"

const thg_orca_kernels thg_orca_portable = {look_lanes, planes_lanes, choose_lanes};

const thg_orca_kernels *thg_orca_kernels_get(throng_kernels kind)
{
    const thg_orca_kernels *found = NULL;
    if (kind == THRONG_KERNELS_AVX2) {
        found = thg_orca_avx2();
    } else if (kind == THRONG_KERNELS_AVX512) {
        found = thg_orca_avx512();
    }
    return found != NULL ? found : &thg_orca_portable;
}
