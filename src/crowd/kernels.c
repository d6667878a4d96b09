/// Which build of the kernels runs, chosen once when a crowd is created.
#include "crowd/kernels.h"
#include "core/lanes.h"
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

void thg_pairs_sum(const thg_pairs *pairs, int begin, int end, thg_contact_result *result)
{
    const float *x_of = pairs->push_x, *y_of = pairs->push_y, *depth = pairs->depth;
    float deepest = depth[begin] > 0.0f ? depth[begin] : 0.0f;
    result->count = (float)(end - begin);
    if (end - begin <= 2) {
        // The tree of lanes comes to the same: nothing else is in it, and a sum of two has no
        // order.
        int next = end - 1;
        float second = next > begin ? 1.0f : 0.0f;
        result->push_x = (0.0f + x_of[begin]) + x_of[next] * second;
        result->push_y = (0.0f + y_of[begin]) + y_of[next] * second;
        result->deepest = depth[next] > deepest ? depth[next] : deepest;
        return;
    }
    float x[THG_LANES] = {0}, y[THG_LANES] = {0};
    for (int i = begin; i < end; i++) {
        uint32_t lane = pairs->second[i] >> THG_PAIR_LANE;
        x[lane] += x_of[i];
        y[lane] += y_of[i];
        deepest = depth[i] > deepest ? depth[i] : deepest;
    }
    result->deepest = deepest;
    result->push_x = thg_sum_tree(x);
    result->push_y = thg_sum_tree(y);
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
