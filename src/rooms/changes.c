/// The last changes of doors: which of them make a difference.
#include "rooms/changes.h"

static bool is_same(const throng_door *a, const throng_door *b)
{
    return a->closed == b->closed && a->one_way == b->one_way && a->delay == b->delay;
}

/// True when the second takes back the first.
static bool undoes(const thg_change *first, const thg_change *second)
{
    return first->door == second->door && is_same(&first->old, &second->now);
}

/// The changes of the last `age` versions, oldest first, without those that were taken back before
/// anything else changed: had neither of such two been, every graph between would be the same.
static uint64_t without_pairs(const thg_changes *changes, uint32_t version, uint32_t age)
{
    uint32_t left[THG_CHANGES], count = 0;
    for (uint32_t i = age; i-- > 0;) {
        uint32_t place = (version - i) % THG_CHANGES;
        if (count > 0 && undoes(&changes->ring[left[count - 1]], &changes->ring[place])) {
            count--;
        } else {
            left[count++] = place;
        }
    }
    uint64_t set = 0;
    for (uint32_t i = 0; i < count; i++) {
        set |= (uint64_t)1 << left[i];
    }
    return set;
}

void thg_changes_add(thg_changes *changes, const throng_rooms *rooms)
{
    uint32_t place = rooms->version % THG_CHANGES;
    uint64_t bit = (uint64_t)1 << place;
    changes->count += changes->count < THG_CHANGES;
    changes->unknown =
        changes->ring[place].known ? changes->unknown & ~bit : changes->unknown | bit;
    for (uint32_t age = 1; age <= changes->count; age++) {
        changes->since[age] = without_pairs(changes, rooms->version, age);
    }
}
