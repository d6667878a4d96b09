/// The last changes of doors, so that rows from before them may still be read.
///
/// A row that is older than a walker's way is right for it all the same if no change since then
/// lies on a way as short: the length over the changed door, kept with each change, tells. A change
/// and the one that takes it back, with nothing between them that counts, count for nothing: what
/// is left is reckoned for every age once a change.
#ifndef THG_CHANGES_H
#define THG_CHANGES_H

#include "rooms/rooms.h"

#define THG_CHANGES 64 ///< that are kept

typedef struct thg_change {
    uint32_t door;
    bool known; ///< its lengths tell; else whatever it may touch is searched
    throng_door old, now;
    uint32_t *to, *from; ///< [doors] lengths to the door and from it, while it was better
} thg_change;

typedef struct thg_changes {
    thg_change ring[THG_CHANGES]; ///< the change that made version v lies at v % THG_CHANGES
    uint32_t count;               ///< versions back from now on that it knows
    /// [age]: the changes in the ring that make the difference to the doors so many versions ago.
    uint64_t since[THG_CHANGES + 1];
    uint64_t unknown; ///< changes whose lengths do not tell
} thg_changes;

/// The place of the change that makes the next version; what it kept is gone.
static inline thg_change *thg_changes_next(thg_changes *changes, const throng_rooms *rooms)
{
    return &changes->ring[(rooms->version + 1) % THG_CHANGES];
}

/// The change at that place has been made: rooms->version is its version. O(THG_CHANGES squared)
void thg_changes_add(thg_changes *changes, const throng_rooms *rooms);

/// True when a row of version `row` names the first step from `door` to `last` as one of today
/// would; `left` is the length of the way there today, `tail` a part behind it that is counted in.
static inline bool thg_changes_spare(const thg_changes *changes, const throng_rooms *rooms,
                                     uint32_t row, uint32_t door, uint32_t last, uint32_t left,
                                     uint32_t tail)
{
    uint32_t age = rooms->version - row;
    if (age > changes->count || (changes->since[age] & changes->unknown) != 0) {
        return false;
    }
    for (uint64_t some = changes->since[age]; some != 0; some &= some - 1) {
        const thg_change *change = &changes->ring[__builtin_ctzll(some)];
        uint32_t over = thg_add_length(change->to[door], change->from[last]);
        if (thg_add_length(over, tail) <= left) {
            return false;
        }
    }
    return true;
}

#endif
