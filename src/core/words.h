/// Sixteen 16-bit words side by side, for searching short sorted lists without a branch.
#ifndef THG_WORDS_H
#define THG_WORDS_H

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define THG_WORDS 16

/// How many of sixteen words, counted from the first on, are at most `most`. All are read.
static inline uint32_t thg_words_below(const uint16_t *words, uint16_t most)
{
#if defined(__SSE2__)
    // Unsigned a <= b: a - b, stopped at 0, is 0.
    __m128i limit = _mm_set1_epi16((short)most), none = _mm_setzero_si128();
    __m128i low = _mm_loadu_si128((const __m128i *)words);
    __m128i high = _mm_loadu_si128((const __m128i *)(words + 8));
    low = _mm_cmpeq_epi16(_mm_subs_epu16(low, limit), none);
    high = _mm_cmpeq_epi16(_mm_subs_epu16(high, limit), none);
    uint32_t below = (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
    return (uint32_t)__builtin_ctz(~below);
#else
    uint32_t count = 0, all = 1;
    for (int i = 0; i < THG_WORDS; i++) {
        all &= (uint32_t)(words[i] <= most);
        count += all;
    }
    return count;
#endif
}

#endif
