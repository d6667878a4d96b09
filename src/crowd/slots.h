/// What a goal keeps about the places round it.
#ifndef THG_SLOTS_H
#define THG_SLOTS_H

#include "crowd/ring.h"

#define THG_STATIONS 128   ///< pieces of the lane round a target that are looked at for walls
#define THG_CANDIDATES 256 ///< agents that are thought of for free places at once

typedef struct thg_place {
    throng_vec2 position;
    float along;               ///< the ring
    uint32_t slot, generation; ///< of the agent that has it; slot 0: nobody
    uint32_t fits;             ///< bit per class whose discs have room there
} thg_place;

/// One that might take a place.
typedef struct thg_candidate {
    uint32_t slot;
    int row;
    float along, out; ///< the ring
} thg_candidate;

/// The lane round the ring as a class finds it.
typedef struct thg_lane {
    uint32_t version;          ///< of the map it was looked at for; 0 none
    bool any_cut;              ///< a piece is
    float slack;               ///< metres beside a place that may be cut: beside a wall they are
    uint8_t cut[THG_STATIONS]; ///< pieces that a wall cuts
} thg_lane;

typedef struct thg_slots {
    thg_ring ring;
    int count;
    thg_place *places;
    throng_slot *view; ///< as the host sees them
    thg_lane lanes[THRONG_MAX_CLASSES];
    thg_candidate candidates[THG_CANDIDATES];
    int candidate_count;
    int free_count; ///< places that nobody has
    bool open;      ///< some of them are still to be given away in this substep
} thg_slots;

#endif
