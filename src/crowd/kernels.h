/// The neighbour kernels, and their builds: a scalar twin, and lanes for each instruction set.
///
/// They look at the rows of the bins around an agent's own, as a few contiguous ranges, and add
/// what they find as eight partial sums (by place in the range modulo eight) and a fixed tree.
/// Each has a second form that also asks who is who: teams, layers and ranks. It is the same text,
/// compiled twice, and runs only in crowds where that makes a difference.
#ifndef THG_KERNELS_H
#define THG_KERNELS_H

#include "core/core.h"
#include "crowd/rules.h"
#include <stdbool.h>
#include <stdint.h>
#include <throng/crowd.h>

/// What neighbours mean for one agent's next velocity.
typedef struct thg_sense_result {
    float push_x, push_y; ///< away from those too near, each at most 1
    float side_x, side_y; ///< sideways before collisions, each at most 1
    float allowed;        ///< m/s along the wish that those ahead leave
    float stirred;        ///< seconds of disturbance by those who touch
    float settled;        ///< how many that touch stand at the same goal
    float parked;         ///< how many stand about close ahead
} thg_sense_result;

/// Weights of one agent's profile, as the kernel needs them.
typedef struct thg_sense_agent {
    float x, y, radius;
    float wish_x, wish_y;   ///< m/s
    float ahead_x, ahead_y; ///< unit wish, or zero
    float separation_gap;   ///< metres, at least a millimetre
    float horizon;          ///< seconds
    float headway;          ///< seconds of free gap kept to those ahead
    float following;        ///< share of their speed that counts beside the gap
    float key;              ///< 2 goal + stands
    float rank;             ///< priority; this and what follows is read by the second form
    uint32_t minds;         ///< as in thg_rows
    uint32_t neutrals;      ///< teams that are neither with it nor against it, << 16
} thg_sense_agent;

/// The rows as both kernels read them; padded so that eight may be read from any row.
typedef struct thg_rows {
    const float *x, *y, *vx, *vy, *radius, *yield, *key, *stir;
    const float *wish_x, *wish_y;
    const uint32_t *slot;
    uint64_t turn;         ///< of the bins
    const float *rank;     ///< priority
    const uint32_t *who;   ///< layers, and above them the team's bit: THG_TEAM_BITS
    const uint32_t *minds; ///< layers that it minds, and above them its enemies' teams
} thg_rows;

#define THG_LAYER_BITS 0xffffu
#define THG_TEAM_BITS 0xffff0000u

/// Rows to look at: `count` ranges [begin[k], end[k]).
typedef struct thg_ranges {
    int count;
    int32_t begin[THG_MAX_RANGES], end[THG_MAX_RANGES];
} thg_ranges;

/// Where an agent goes that is exactly on top of another: a unit vector of its own and of the turn,
/// without sine or cosine, from the rational circle.
static inline void thg_own_direction(uint64_t turn, uint32_t slot, float *x, float *y)
{
    float t = 2.0f * thg_random(turn, 1, slot) - 1.0f;
    float side = thg_random(turn, 2, slot) < 0.5f ? 1.0f : -1.0f;
    float scale = 1.0f / (1.0f + t * t);
    *x = side * (1.0f - t * t) * scale;
    *y = side * 2.0f * t * scale;
}

/// Where overlapping neighbours push an agent.
typedef struct thg_contact_result {
    float push_x, push_y; ///< sum over contacts, metres
    float count;          ///< contacts
    float deepest;        ///< metres of overlap over the smaller radius of the pair
} thg_contact_result;

/// Most of those that touch one row that `find` notes; one who touches more is left to `contact`.
#define THG_FOUND_MOST 8
/// Pairs that touch, of some rows one after the other, and what they do to the first of each.
#define THG_PAIRS_MOST 1024
#define THG_PAIR_ROW 0xffffffu ///< of a second: its row; above that its lane, at THG_PAIR_LANE
#define THG_PAIR_LANE 28
typedef struct thg_pairs {
    int count;
    uint32_t first[THG_PAIRS_MOST + 16], second[THG_PAIRS_MOST + 16];
    float push_x[THG_PAIRS_MOST + 16], push_y[THG_PAIRS_MOST + 16]; ///< metres
    float depth[THG_PAIRS_MOST + 16]; ///< metres of overlap over the smaller radius
    int row_count;
    int begin[THG_PAIRS_MOST + 1]; ///< where the pairs of each row begin
} thg_pairs;

/// Adds up what pairs [begin, end) do to the row that is the first of all of them, as `contact`
/// does.
void thg_pairs_sum(const thg_pairs *pairs, int begin, int end, thg_contact_result *result);

typedef struct thg_kernels {
    throng_kernels kind;
    void (*sense)(const thg_rows *rows, const thg_sense_agent *agent, const thg_ranges *ranges,
                  thg_sense_result *result);
    void (*contact)(const thg_rows *rows, int row, const thg_ranges *ranges,
                    thg_contact_result *result);
    void (*sense_who)(const thg_rows *rows, const thg_sense_agent *agent, const thg_ranges *ranges,
                      thg_sense_result *result);
    void (*contact_who)(const thg_rows *rows, int row, const thg_ranges *ranges,
                        thg_contact_result *result);
    /// Who touches a row, as seconds of pairs, and how many. When they are more than THG_FOUND_MOST
    /// what is noted means nothing. `second` has room for 16 more.
    int (*find)(const thg_rows *rows, int row, const thg_ranges *ranges, uint32_t *second);
    /// Fills in what the pairs do: with `find` before and a sum after it, `contact` of many rows.
    void (*push)(const thg_rows *rows, thg_pairs *pairs);
} thg_kernels;

extern const thg_kernels thg_kernels_scalar, thg_kernels_portable;
/// NULL where the build or the processor cannot run them.
const thg_kernels *thg_kernels_avx2(void);
const thg_kernels *thg_kernels_avx512(void);
/// The asked ones, or the best there are for THRONG_KERNELS_AUTO; NULL when not available.
const thg_kernels *thg_kernels_get(throng_kernels kind);

#endif
