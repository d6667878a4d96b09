/// The hierarchy's own words.
#ifndef THG_HIERARCHY_H
#define THG_HIERARCHY_H

#include "rooms/rooms.h"

/// Lengths of an arc both ways, and the slots of their first arcs.
typedef struct thg_lengths_of {
    uint32_t up, down;
    uint16_t up_slot, down_slot;
} thg_lengths_of;

/// Arc between two ranks that has one; tail is the lower.
uint32_t thg_find_arc(const thg_hierarchy *hierarchy, uint32_t tail, uint32_t head);

/// The next rank up in the elimination tree, THG_NONE at a root.
static inline uint32_t thg_parent(const thg_hierarchy *hierarchy, uint32_t rank)
{
    uint32_t first = hierarchy->first[rank];
    return first < hierarchy->first[rank + 1] ? hierarchy->head[first] : THG_NONE;
}

#endif
