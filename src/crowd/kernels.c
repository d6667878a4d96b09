/// Which build of the kernels runs, chosen once when a crowd is created.
#include "crowd/kernels.h"
#include <stddef.h>

const thg_kernels *thg_kernels_get(throng_kernels kind)
{
    switch (kind) {
    case THRONG_KERNELS_SCALAR:
        return &thg_kernels_scalar;
    case THRONG_KERNELS_PORTABLE:
        return &thg_kernels_portable;
    case THRONG_KERNELS_AVX2:
        return thg_kernels_avx2();
    case THRONG_KERNELS_AVX512:
        return thg_kernels_avx512();
    case THRONG_KERNELS_AUTO:
        break;
    default:
        return NULL;
    }
    const thg_kernels *best = thg_kernels_avx512();
    best = best != NULL ? best : thg_kernels_avx2();
    return best != NULL ? best : &thg_kernels_portable;
}

bool throng_kernels_available(throng_kernels kernels)
{
    return thg_kernels_get(kernels) != NULL;
}

const char *throng_kernels_name(throng_kernels kernels)
{
    static const char *const names[] = {"auto", "scalar", "portable", "avx2", "avx512"};
    return (unsigned)kernels < 5 ? names[kernels] : "unknown";
}
