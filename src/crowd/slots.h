/// What a goal keeps about the places round it.
#ifndef THG_SLOTS_H
#define THG_SLOTS_H

#include "crowd/ring.h"

#define THG_STATIONS 128     ///< pieces of the lane round a target that are looked at for walls
#define THG_CANDIDATES 256   ///< agents that are thought of for free places at once
#define THG_LANE_GAP 0.15f   ///< metres between the skins of one on the lane and one on the ring
#define THG_QUEUE_GAP 0.3f   ///< and between one on the lane and one who waits
#define THG_CLAIM_REACH 2.0f ///< metres beyond the queue from which a place can be had

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

/// Metres from the ring to the middle of the lane, and to where the queue begins.
static inline float thg_lane_out(float radius)
{
    return 2.0f * radius + THG_LANE_GAP;
}

static inline float thg_queue_out(float radius)
{
    return thg_lane_out(radius) + 2.0f * radius + THG_QUEUE_GAP;
}

// slot_lane.c
bool thg_lane_sees(const throng_map *map, int class_index, throng_vec2 from, throng_vec2 to);
/// Looks which pieces of the lane a wall cuts and which places have room, when the map has changed.
void thg_lane_look(const throng_crowd *crowd, thg_slots *slots, int class_index);
/// The way along the ring to a place, the shorter one that walls leave. FLT_MAX: neither.
float thg_lane_way(const thg_slots *slots, const thg_lane *lane, float from, float to);

// slot_wish.c
/// Turns the wishes of those who have a place to it, and of those who have none to the queue.
void thg_slots_wish_rows(void *context, int first, int end, int block);

#endif
