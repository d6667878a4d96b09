/// Sixteen rows at once: the shortest ways from sixteen doors to all, and their first arcs.
///
/// A sweep carries the slot of its first arc in the low bits of each length, so the least key is
/// the shortest way and, of equal ones, the lowest slot; the hierarchy's searches break ties alike,
/// so it never shows which of the two answered.
#include "rooms/hierarchy.h"
#include "rooms/rows.h"
#include "rooms/sweep.h"

/// Starts one lane: the arcs up from its door, with their slots in the low bits. The door itself
/// stays far: whatever leaves it gets its slot here and in fall_lane.
static void leave_lane(const throng_rooms *rooms, uint32_t *keys, uint32_t door, uint32_t lane)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint32_t start = hierarchy->rank_of_door[door];
    for (uint32_t arc = hierarchy->first[start]; arc < hierarchy->first[start + 1]; arc++) {
        uint32_t price = thg_lane_price(hierarchy->up[arc], rooms->rows.slot_bits);
        uint32_t *other = &keys[(size_t)hierarchy->head[arc] * THG_LANES + lane];
        *other = price < THG_LANE_FAR ? price | hierarchy->up_slot[arc] : *other;
    }
}

/// Climbs the branches above all doors at once, each common rank for all lanes together.
static void climb_lanes(const thg_hierarchy *hierarchy, int slot_bits, int32_t *keys,
                        const uint32_t *doors, uint32_t count)
{
    uint32_t at[THG_LANES];
    for (uint32_t lane = 0; lane < count; lane++) {
        at[lane] = hierarchy->rank_of_door[doors[lane]];
    }
    for (;;) {
        uint32_t rank = THG_NONE;
        for (uint32_t lane = 0; lane < count; lane++) {
            rank = at[lane] < rank ? at[lane] : rank;
        }
        if (rank == THG_NONE) {
            return;
        }
        const int32_t *own = keys + (size_t)rank * THG_LANES;
        for (uint32_t arc = hierarchy->first[rank]; arc < hierarchy->first[rank + 1]; arc++) {
            int32_t *other = keys + (size_t)hierarchy->head[arc] * THG_LANES;
            int32_t price = (int32_t)thg_lane_price(hierarchy->up[arc], slot_bits);
            for (int lane = 0; lane < THG_LANES; lane++) {
                int32_t sum = own[lane] + price;
                other[lane] = sum < other[lane] ? sum : other[lane];
            }
        }
        for (uint32_t lane = 0; lane < count; lane++) {
            at[lane] = at[lane] == rank ? thg_parent(hierarchy, rank) : at[lane];
        }
    }
}

/// Ways that descend from the door at once: the arcs below it start with slots of their own.
static void fall_lane(const throng_rooms *rooms, uint32_t *keys, uint32_t door, uint32_t lane)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint32_t start = hierarchy->rank_of_door[door];
    int bits = rooms->rows.slot_bits;
    for (uint32_t i = hierarchy->lower_first[start]; i < hierarchy->lower_first[start + 1]; i++) {
        uint32_t arc = hierarchy->lower_arc[i];
        uint32_t price = thg_lane_price(hierarchy->down[arc], bits);
        if (price < THG_LANE_FAR) {
            uint32_t *own = &keys[(size_t)hierarchy->tail[arc] * THG_LANES + lane];
            uint32_t key = price | hierarchy->down_slot[arc];
            *own = key < *own ? key : *own;
        }
    }
}

/// The same for one door in 64 bits, whatever the lengths: into the lane's slots.
static void sweep_wide(const throng_rooms *rooms, thg_sweep *sweep, uint32_t door, uint32_t lane)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint64_t *keys = sweep->wide, far = (uint64_t)THG_FAR << 16;
    uint32_t start = hierarchy->rank_of_door[door];
    for (uint32_t rank = 0; rank < hierarchy->count; rank++) {
        keys[rank] = far;
    }
    for (uint32_t i = hierarchy->lower_first[start]; i < hierarchy->lower_first[start + 1]; i++) {
        uint32_t arc = hierarchy->lower_arc[i];
        keys[hierarchy->tail[arc]] =
            (uint64_t)hierarchy->down[arc] << 16 | hierarchy->down_slot[arc];
    }
    for (uint32_t rank = start; rank != THG_NONE; rank = thg_parent(hierarchy, rank)) {
        for (uint32_t arc = hierarchy->first[rank]; arc < hierarchy->first[rank + 1]; arc++) {
            uint64_t length = (uint64_t)hierarchy->up[arc] << 16;
            uint64_t sum = rank == start ? length | hierarchy->up_slot[arc] : keys[rank] + length;
            uint64_t *other = &keys[hierarchy->head[arc]];
            *other = sum < *other ? sum : *other;
        }
    }
    for (uint32_t rank = hierarchy->count; rank-- > 0;) {
        for (uint32_t arc = hierarchy->first[rank]; arc < hierarchy->first[rank + 1]; arc++) {
            uint64_t sum = keys[hierarchy->head[arc]] + ((uint64_t)hierarchy->down[arc] << 16);
            keys[rank] = sum < keys[rank] ? sum : keys[rank];
        }
    }
    for (uint32_t rank = 0; rank < hierarchy->count; rank++) {
        uint32_t slot =
            keys[rank] < far ? (uint32_t)(keys[rank] & 0xffffu) : thg_slot_mask(&rooms->rows);
        sweep->keys[(size_t)rank * THG_LANES + lane] = slot;
    }
}

/// True when no arc is too long for a lane; whole ways may still be, which a sweep finds out.
bool thg_lanes_suffice(const throng_rooms *rooms, int slot_bits)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint32_t limit = THG_LANE_LONG >> slot_bits;
    for (uint32_t arc = 0; arc < hierarchy->arc_count; arc++) {
        if ((hierarchy->up[arc] >= limit && hierarchy->up[arc] < THG_FAR) ||
            (hierarchy->down[arc] >= limit && hierarchy->down[arc] < THG_FAR)) {
            return false;
        }
    }
    return true;
}

void thg_sweep_slots(const throng_rooms *rooms, thg_sweep *sweep, const uint32_t *doors,
                     uint32_t count, bool short_lengths)
{
    size_t all = (size_t)rooms->hierarchy.count * THG_LANES;
    bool done = false;
    if (short_lengths) {
        for (size_t i = 0; i < all; i++) {
            sweep->keys[i] = THG_LANE_FAR;
        }
        for (uint32_t lane = 0; lane < count; lane++) {
            leave_lane(rooms, sweep->keys, doors[lane], lane);
            fall_lane(rooms, sweep->keys, doors[lane], lane);
        }
        climb_lanes(&rooms->hierarchy, rooms->rows.slot_bits, (int32_t *)sweep->keys, doors, count);
        done =
            thg_sweep_best()(&rooms->hierarchy, rooms->rows.slot_bits, sweep->keys) < THG_LANE_LONG;
    }
    for (uint32_t lane = 0; lane < count && !done; lane++) {
        sweep_wide(rooms, sweep, doors[lane], lane);
    }
}

bool thg_sweep_lengths(const throng_rooms *rooms, thg_sweep *sweep, const uint32_t *doors,
                       uint32_t count)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    if (!thg_lanes_suffice(rooms, 0)) {
        return false;
    }
    for (size_t i = 0; i < (size_t)hierarchy->count * THG_LANES; i++) {
        sweep->keys[i] = THG_LANE_FAR;
    }
    for (uint32_t lane = 0; lane < count; lane++) {
        sweep->keys[(size_t)hierarchy->rank_of_door[doors[lane]] * THG_LANES + lane] = 0;
    }
    climb_lanes(hierarchy, 0, (int32_t *)sweep->keys, doors, count);
    return thg_sweep_best()(hierarchy, 0, sweep->keys) < THG_LANE_LONG;
}
