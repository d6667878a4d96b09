/// Optimal reciprocal collision avoidance (van den Berg, Guy, Lin, Manocha 2011), inside.
///
/// A neighbour or a wall forbids a half plane of velocities. It is kept as the unit normal n that
/// points into what is allowed, and an offset b: allowed is n . v >= b.
#ifndef THG_ORCA_H
#define THG_ORCA_H

#include "crowd/kernels.h"
#include <stdbool.h>
#include <stdint.h>

#define THG_ORCA_NEIGHBOURS 32 ///< at most
#define THG_ORCA_WALLS 24      ///< half planes of walls, at most: of the nearest
#define THG_ORCA_PLANES 72     ///< both, and what lanes write past the last

typedef struct thg_orca_planes {
    float nx[THG_ORCA_PLANES], ny[THG_ORCA_PLANES], b[THG_ORCA_PLANES];
    int walls, count; ///< those of walls come first: they hold whatever the others ask
} thg_orca_planes;

/// One agent, as the lines need it.
typedef struct thg_orca_agent {
    float x, y, vx, vy, radius;
    float give;           ///< inverse mass; who gives way
    float own_x, own_y;   ///< unit: where to go from one exactly here
    float wish_x, wish_y; ///< m/s
    float most;           ///< m/s, at most
    float horizon, dt;    ///< seconds
} thg_orca_agent;

/// Neighbours, gathered. `give` 0: it does not give way, all is left to the agent.
typedef struct thg_orca_near {
    float x[THG_ORCA_NEIGHBOURS + 8], y[THG_ORCA_NEIGHBOURS + 8];
    float vx[THG_ORCA_NEIGHBOURS + 8], vy[THG_ORCA_NEIGHBOURS + 8];
    float radius[THG_ORCA_NEIGHBOURS + 8], give[THG_ORCA_NEIGHBOURS + 8];
} thg_orca_near;

/// The nearest so far: squared distance in the high word, row in the low one, smallest first. Rows
/// lie by bin and slot, so ties break by place and slot.
typedef struct thg_orca_nearest {
    uint64_t keys[THG_ORCA_NEIGHBOURS];
    int count, most;
    float square; ///< beyond it nobody counts
} thg_orca_nearest;

typedef struct thg_orca_kernels {
    /// Adds rows [begin, end) but `self` to the nearest.
    void (*look)(const float *x, const float *y, int begin, int end, int self,
                 thg_orca_nearest *nearest);
    /// Adds a half plane for each of `count` neighbours.
    void (*planes)(const thg_orca_agent *agent, const thg_orca_near *near, int count,
                   thg_orca_planes *planes);
    /// The allowed velocity nearest to the wish; where there is none, the one that breaks the
    /// neighbours' half planes least. True in the first case.
    bool (*choose)(const thg_orca_planes *planes, const thg_orca_agent *agent, float *vx,
                   float *vy);
} thg_orca_kernels;

extern const thg_orca_kernels thg_orca_portable;
const thg_orca_kernels *thg_orca_avx2(void);
const thg_orca_kernels *thg_orca_avx512(void);
/// Those that go with a crowd's kernels. All give the same bits; the scalar ones are the portable.
const thg_orca_kernels *thg_orca_kernels_get(throng_kernels kind);

/// A wall as a piece of a straight edge: blocked to the left of the way from a to b.
typedef struct thg_orca_wall {
    float ax, ay, bx, by;
    int8_t turn_a, turn_b; ///< the edge turns there: 1 out, -1 in (round a room), 0 runs on
} thg_orca_wall;

/// Adds the half planes of walls, nearest first, to planes that hold none yet. Reorders `walls`.
void thg_orca_wall_planes(const thg_orca_agent *agent, float horizon, thg_orca_wall *walls,
                          int count, thg_orca_planes *planes);

#endif
