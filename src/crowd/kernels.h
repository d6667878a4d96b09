/// The two neighbour kernels, and their builds: a scalar twin, and lanes for each instruction set.
///
/// Both look at the rows of the bins around an agent's own, as a few contiguous ranges, and add
/// what they find as eight partial sums (by place in the range modulo eight) and a fixed tree.
#ifndef THG_KERNELS_H
#define THG_KERNELS_H

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
} thg_sense_agent;

/// The rows as both kernels read them; padded so that eight may be read from any row.
typedef struct thg_rows {
    const float *x, *y, *vx, *vy, *radius, *yield, *key, *stir;
    const float *spread_x, *spread_y, *wish_x, *wish_y;
} thg_rows;

/// Rows to look at: `count` ranges [begin[k], end[k]).
typedef struct thg_ranges {
    int count;
    int32_t begin[THG_WIDE_ROWS], end[THG_WIDE_ROWS];
} thg_ranges;

/// Where overlapping neighbours push an agent.
typedef struct thg_contact_result {
    float push_x, push_y; ///< sum over contacts, metres
    float count;          ///< contacts
    float deepest;        ///< metres of overlap over the smaller radius of the pair
} thg_contact_result;

typedef struct thg_kernels {
    throng_kernels kind;
    void (*sense)(const thg_rows *rows, const thg_sense_agent *agent, const thg_ranges *ranges,
                  thg_sense_result *result);
    void (*contact)(const thg_rows *rows, int row, const thg_ranges *ranges,
                    thg_contact_result *result);
} thg_kernels;

extern const thg_kernels thg_kernels_scalar, thg_kernels_portable;
/// NULL where the build or the processor cannot run them.
const thg_kernels *thg_kernels_avx2(void);
const thg_kernels *thg_kernels_avx512(void);
/// The asked ones, or the best there are for THRONG_KERNELS_AUTO; NULL when not available.
const thg_kernels *thg_kernels_get(throng_kernels kind);

#endif
