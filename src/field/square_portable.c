/// The tile kernel for the instructions every processor of the target has: loops over sixteen lanes
/// that compilers turn into vectors; and the twin that does the same cell by cell.
#include "field/solver.h"
#include "field/square.h"
#include <math.h>

#define LANES_INLINE static inline __attribute__((always_inline))
typedef struct lanes {
    uint32_t at[THG_SQUARE];
} lanes;

#define EACH_LANE for (int i = 0; i < THG_SQUARE; i++)

LANES_INLINE lanes lanes_all(uint32_t value)
{
    lanes result;
    EACH_LANE
    {
        result.at[i] = value;
    }
    return result;
}

LANES_INLINE lanes lanes_load(const uint32_t *values)
{
    lanes result;
    EACH_LANE
    {
        result.at[i] = values[i];
    }
    return result;
}

LANES_INLINE void lanes_store(uint32_t *values, lanes a)
{
    EACH_LANE
    {
        values[i] = a.at[i];
    }
}

LANES_INLINE lanes lanes_crossing(const uint16_t *prices)
{
    lanes result;
    EACH_LANE
    {
        result.at[i] = prices[i] * (uint32_t)THG_EIKONAL_PER_PRICE;
    }
    return result;
}

#define LANES_BOTH(name, expression)                                                               \
    LANES_INLINE lanes name(lanes a, lanes b)                                                      \
    {                                                                                              \
        lanes result;                                                                              \
        EACH_LANE                                                                                  \
        {                                                                                          \
            result.at[i] = expression;                                                             \
        }                                                                                          \
        return result;                                                                             \
    }
LANES_BOTH(lanes_add, a.at[i] + b.at[i])
LANES_BOTH(lanes_subtract, a.at[i] - b.at[i])
LANES_BOTH(lanes_smaller, a.at[i] < b.at[i] ? a.at[i] : b.at[i])
LANES_BOTH(lanes_larger, a.at[i] < b.at[i] ? b.at[i] : a.at[i])
LANES_BOTH(lanes_mix_1, (i & 1) != 0 ? b.at[i] : a.at[i])
LANES_BOTH(lanes_mix_2, (i & 2) != 0 ? b.at[i] : a.at[i])
LANES_BOTH(lanes_mix_4, (i & 4) != 0 ? b.at[i] : a.at[i])
LANES_BOTH(lanes_mix_8, (i & 8) != 0 ? b.at[i] : a.at[i])

LANES_INLINE lanes lanes_half(lanes a)
{
    EACH_LANE
    {
        a.at[i] >>= 1;
    }
    return a;
}

LANES_INLINE uint32_t lanes_less(lanes a, lanes b)
{
    uint32_t bits = 0;
    EACH_LANE
    {
        bits |= (uint32_t)(a.at[i] < b.at[i]) << i;
    }
    return bits;
}

LANES_INLINE uint32_t lanes_nonzero(lanes a)
{
    return lanes_less(lanes_all(0), a);
}

LANES_INLINE lanes lanes_mirror(lanes a)
{
    lanes result;
    EACH_LANE
    {
        result.at[i] = a.at[THG_SQUARE - 1 - i];
    }
    return result;
}

LANES_INLINE lanes lanes_from_west(lanes a, uint32_t first)
{
    lanes result;
    result.at[0] = first;
    for (int i = 1; i < THG_SQUARE; i++) {
        result.at[i] = a.at[i - 1];
    }
    return result;
}

LANES_INLINE lanes lanes_from_east(lanes a, uint32_t last)
{
    lanes result;
    for (int i = 0; i < THG_SQUARE - 1; i++) {
        result.at[i] = a.at[i + 1];
    }
    result.at[THG_SQUARE - 1] = last;
    return result;
}

/// The smaller where `fits` is not 0, else a.
LANES_INLINE lanes lanes_lower(lanes a, lanes b, lanes fits)
{
    EACH_LANE
    {
        uint32_t value = fits.at[i] != 0 ? b.at[i] : UINT32_MAX;
        a.at[i] = value < a.at[i] ? value : a.at[i];
    }
    return a;
}

/// All ones where a is `nothing`.
LANES_INLINE lanes lanes_unreach(lanes a, uint32_t nothing)
{
    EACH_LANE
    {
        a.at[i] = a.at[i] == nothing ? UINT32_MAX : a.at[i];
    }
    return a;
}

LANES_INLINE uint32_t lanes_least(lanes a, uint32_t which)
{
    uint32_t least = UINT32_MAX;
    EACH_LANE
    {
        least = (which >> i & 1) != 0 && a.at[i] < least ? a.at[i] : least;
    }
    return least;
}

/// floor(sqrt(2 k k - gap gap)), exactly.
LANES_INLINE lanes lanes_root(lanes k, lanes gap, thg_square_roots roots)
{
    lanes result;
    EACH_LANE
    {
        if (roots == THG_ROOTS_SHORT) {
            float a = (float)(int32_t)k.at[i];
            float b = (float)(int32_t)gap.at[i];
            result.at[i] = (uint32_t)(int32_t)sqrtf(2.0f * a * a - b * b);
        } else {
            double a = (double)(int32_t)k.at[i];
            double b = (double)(int32_t)gap.at[i];
            result.at[i] = (uint32_t)(int32_t)sqrt(2.0 * a * a - b * b);
        }
    }
    return result;
}

#include "field/square_lanes.inc"

thg_square_kernel *thg_square_kernel_portable(void)
{
    return visit_lanes;
}
