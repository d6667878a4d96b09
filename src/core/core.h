/// What every file of the library may use: asserts, memory, errors, hash, random numbers.
#ifndef THG_CORE_H
#define THG_CORE_H

#include <throng/base.h>

#ifdef NDEBUG
#define THRONG_ASSERT(expression) ((void)0)
#else
#define THRONG_ASSERT(expression)                                                                  \
    ((expression) ? (void)0 : thg_assert_failed(#expression, __FILE__, __LINE__))
#endif

void thg_assert_failed(const char *expression, const char *file, int line);

/// count * size bytes, 64-byte aligned and zeroed; NULL when there is no memory or the product
/// overflows. count 0 gives a valid pointer.
void *thg_allocate(size_t count, size_t size);

/// Releases what thg_allocate(count, size) gave; NULL is allowed.
void thg_release(void *memory, size_t count, size_t size);

/// Fills *error (may be NULL) and returns `result`. `line` and `column` 0: none.
__attribute__((format(printf, 5, 6))) throng_result
thg_fail(throng_error *error, throng_result result, int line, int column, const char *format, ...);

/// Mixes all bits of a 64-bit value (the finaliser of SplitMix64, Steele et al. 2014).
static inline uint64_t thg_mix64(uint64_t value)
{
    value ^= value >> 30;
    value *= 0xbf58476d1ce4e5b9u;
    value ^= value >> 27;
    value *= 0x94d049bb133111ebu;
    value ^= value >> 31;
    return value;
}

/// A random number in [0, 1) as a function of its arguments alone.
static inline float thg_random(uint64_t seed, uint64_t step, uint32_t agent)
{
    uint64_t mixed = thg_mix64(thg_mix64(seed ^ (step * 0x9e3779b97f4a7c15u)) + agent);
    return (float)(mixed >> 40) * (1.0f / 16777216.0f);
}

/// Below zero where `a` comes first, above zero where `b` does; zero only for equal items, so that
/// the order follows from the items alone.
typedef int thg_order(const void *a, const void *b);

/// Sorts `count` items of `size` bytes, at most 16, in place. O(n log n); takes no memory, unlike
/// qsort of the C library, so that a step may use it.
void thg_sort(void *items, size_t count, size_t size, thg_order *order);

/// The root of a set in a union-find forest; the way there gets shorter.
static inline uint32_t thg_root_of(uint32_t *parent, uint32_t member)
{
    while (parent[member] != member) {
        parent[member] = parent[parent[member]];
        member = parent[member];
    }
    return member;
}

static inline int thg_min_int(int a, int b)
{
    return a < b ? a : b;
}

static inline int thg_max_int(int a, int b)
{
    return a > b ? a : b;
}

/// Neither infinite nor NaN.
static inline bool thg_is_finite(float value)
{
    return value - value == 0.0f;
}

static inline float thg_clamp(float value, float low, float high)
{
    value = value < low ? low : value;
    return value > high ? high : value;
}

#endif
