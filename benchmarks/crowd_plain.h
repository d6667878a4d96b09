/// A crowd as anybody would write it first: one struct an agent, one loop after the other.
///
/// The same rules as the library's step, in the same order of sums, so the same bits; but an array
/// of structs in the order of spawning, lists of indices for bins, no lanes, no threads. What the
/// benchmark compares with. It knows agents of one profile that walk to
/// rectangles they do not reach.
#ifndef CROWD_PLAIN_H
#define CROWD_PLAIN_H

#include "crowd/crowd.h"

typedef struct plain_agent {
    float x, y, vx, vy, from_x, from_y, next_x, next_y, wish_x, wish_y;
    float next_yield, pinned_yield;
    float pace, radius, yield, depth;
    thg_sense_result sensed;
    int profile, goal, bin;
    uint32_t slot;
} plain_agent;

typedef struct plain_crowd {
    const throng_crowd *twin; ///< whose map, profiles, goals and bin size it shares
    plain_agent *agents;
    int count;
    int *bin_start, *bin_agents; ///< indices of the agents of each bin
    bool *crush;                 ///< bins near a deep pair
    uint64_t step_count, turn;   ///< as in the twin
} plain_crowd;

/// Takes over the agents of a crowd between two steps. False without memory.
bool plain_create(const throng_crowd *twin, plain_crowd *plain);
void plain_destroy(plain_crowd *plain);
void plain_step(plain_crowd *plain, float dt);

#endif
