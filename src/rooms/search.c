/// Exact searches in the hierarchy: between sets of doors, and from one door to all.
///
/// Every shortest way has a twin that first only climbs in rank and then only descends. Both ends
/// climb their branch of the elimination tree and meet at the best common node (Dibbelt, Strasser,
/// Wagner: Customizable contraction hierarchies, 2016). One to all: climb, then sweep all ranks
/// downward once (Delling et al.: PHAST, 2013).
#include "rooms/hierarchy.h"
#include "rooms/inside.h"
#include <string.h>

bool thg_search_create(throng_rooms *rooms, thg_search *search)
{
    uint32_t count = rooms->hierarchy.count;
    search->from = thg_take(rooms, count, sizeof(uint64_t), THG_SCRATCH);
    search->to = thg_take(rooms, count, sizeof(uint64_t), THG_SCRATCH);
    search->ranks_from = thg_take(rooms, count, sizeof(uint32_t), THG_SCRATCH);
    search->ranks_to = thg_take(rooms, count, sizeof(uint32_t), THG_SCRATCH);
    search->starts = thg_take(rooms, rooms->most_entries + 1, sizeof(thg_seed), THG_SCRATCH);
    search->ends = thg_take(rooms, rooms->most_entries + 1, sizeof(thg_seed), THG_SCRATCH);
    search->inside = thg_take(rooms, 1, sizeof *search->inside, THG_SCRATCH);
    if (search->from == NULL || search->to == NULL || search->ranks_from == NULL ||
        search->ranks_to == NULL || search->starts == NULL || search->ends == NULL ||
        search->inside == NULL || !thg_inside_create(rooms, search->inside)) {
        return false;
    }
    memset(search->from, 0xff, count * sizeof(uint64_t));
    memset(search->to, 0xff, count * sizeof(uint64_t));
    return true;
}

#define KEY_FAR ((uint64_t)THG_FAR << 16)

/// Adds a rank and all above it that are new, keeping the list in rising order: both the list and
/// the branch rise, so they are merged from behind.
static void add_branch(const thg_hierarchy *hierarchy, uint64_t *keys, uint32_t *ranks,
                       uint32_t *count, uint32_t rank)
{
    uint32_t added = 0;
    for (uint32_t at = rank; at != THG_NONE && keys[at] == THG_UNSEEN;
         at = thg_parent(hierarchy, at)) {
        keys[at] = KEY_FAR;
        added++;
    }
    uint32_t old = *count, from = old;
    // The branch's own part, lowest first; each goes below all listed ranks that are higher.
    uint32_t at = rank, done = 0;
    memmove(ranks + added, ranks, old * sizeof *ranks);
    from = added;
    uint32_t end = added + old, put = 0;
    while (done < added) {
        while (from < end && ranks[from] < at) {
            ranks[put++] = ranks[from++];
        }
        ranks[put++] = at;
        at = thg_parent(hierarchy, at);
        done++;
    }
    *count = end;
}

static void climb(const thg_hierarchy *hierarchy, const uint32_t *lengths, uint64_t *keys,
                  const uint32_t *ranks, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t key = keys[ranks[i]];
        if (key >= KEY_FAR) {
            continue;
        }
        for (uint32_t arc = hierarchy->first[ranks[i]]; arc < hierarchy->first[ranks[i] + 1];
             arc++) {
            uint64_t next = key + ((uint64_t)lengths[arc] << 16);
            uint64_t *other = &keys[hierarchy->head[arc]];
            *other = next < *other ? next : *other;
        }
    }
}

static void seed(const thg_hierarchy *hierarchy, uint64_t *keys, uint32_t *ranks, uint32_t *count,
                 const thg_seed *seeds, uint32_t seed_count)
{
    for (uint32_t i = 0; i < seed_count; i++) {
        uint32_t rank = hierarchy->rank_of_door[seeds[i].door];
        if (seeds[i].length < THG_FAR) {
            add_branch(hierarchy, keys, ranks, count, rank);
            uint64_t key = (uint64_t)seeds[i].length << 16 | seeds[i].mark;
            keys[rank] = key < keys[rank] ? key : keys[rank];
        }
    }
}

static void clear(uint64_t *keys, const uint32_t *ranks, uint32_t *count)
{
    for (uint32_t i = 0; i < *count; i++) {
        keys[ranks[i]] = THG_UNSEEN;
    }
    *count = 0;
}

/// Best over the nodes that both climbs reached.
static thg_found meet(const thg_search *search)
{
    uint64_t best = UINT64_MAX;
    for (uint32_t i = 0; i < search->to_count; i++) {
        uint64_t to = search->to[search->ranks_to[i]];
        uint64_t from = search->from[search->ranks_to[i]];
        if (to < KEY_FAR && from < KEY_FAR) {
            uint64_t both =
                (((from >> 16) + (to >> 16)) << 32) | (from & 0xffffu) << 16 | (to & 0xffffu);
            best = both < best ? both : best;
        }
    }
    if (best >> 32 >= THG_FAR) {
        return (thg_found){THG_FAR, THG_NO_SLOT, THG_NO_SLOT};
    }
    return (thg_found){(uint32_t)(best >> 32), (uint16_t)(best >> 16), (uint16_t)best};
}

thg_found thg_search_ways(const throng_rooms *rooms, thg_search *search, const thg_seed *from,
                          uint32_t from_count, const thg_seed *to, uint32_t to_count)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    seed(hierarchy, search->from, search->ranks_from, &search->from_count, from, from_count);
    climb(hierarchy, hierarchy->up, search->from, search->ranks_from, search->from_count);
    seed(hierarchy, search->to, search->ranks_to, &search->to_count, to, to_count);
    climb(hierarchy, hierarchy->down, search->to, search->ranks_to, search->to_count);
    thg_found found = meet(search);
    clear(search->from, search->ranks_from, &search->from_count);
    clear(search->to, search->ranks_to, &search->to_count);
    return found;
}

/// The climb of a search from one door leaves it by arcs whose slots become the marks.
static void leave_by_slots(const thg_hierarchy *hierarchy, uint64_t *keys, uint32_t rank)
{
    for (uint32_t arc = hierarchy->first[rank]; arc < hierarchy->first[rank + 1]; arc++) {
        if (hierarchy->up[arc] < THG_FAR) {
            keys[hierarchy->head[arc]] =
                (uint64_t)hierarchy->up[arc] << 16 | hierarchy->up_slot[arc];
        }
    }
}

/// Where the way descends from its first door at once: by which arc.
static uint64_t descend_by_slot(const thg_hierarchy *hierarchy, const uint64_t *to, uint32_t rank)
{
    uint64_t best = THG_UNSEEN;
    for (uint32_t i = hierarchy->lower_first[rank]; i < hierarchy->lower_first[rank + 1]; i++) {
        uint32_t arc = hierarchy->lower_arc[i];
        uint64_t key = to[hierarchy->tail[arc]];
        if (key < KEY_FAR && hierarchy->down[arc] < THG_FAR) {
            uint64_t both = ((key >> 16) + hierarchy->down[arc]) << 32 |
                            (uint64_t)hierarchy->down_slot[arc] << 16 | (key & 0xffffu);
            best = both < best ? both : best;
        }
    }
    return best;
}

thg_found thg_search_slot(const throng_rooms *rooms, thg_search *search, uint32_t from,
                          const thg_seed *to, uint32_t to_count)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint32_t rank = hierarchy->rank_of_door[from];
    add_branch(hierarchy, search->from, search->ranks_from, &search->from_count, rank);
    leave_by_slots(hierarchy, search->from, rank);
    climb(hierarchy, hierarchy->up, search->from, search->ranks_from, search->from_count);
    seed(hierarchy, search->to, search->ranks_to, &search->to_count, to, to_count);
    // Ways that end here have no arc; those that only descend are found from below.
    uint64_t own = search->to[rank];
    climb(hierarchy, hierarchy->down, search->to, search->ranks_to, search->to_count);
    uint64_t below =
        search->to[rank] != THG_UNSEEN ? descend_by_slot(hierarchy, search->to, rank) : THG_UNSEEN;
    thg_found found = meet(search);
    uint64_t best =
        ((uint64_t)found.length << 32) | (uint64_t)found.from_mark << 16 | found.to_mark;
    best = below < best ? below : best;
    if (own < KEY_FAR) {
        uint64_t here = (own >> 16) << 32 | (uint64_t)THG_NO_SLOT << 16 | (own & 0xffffu);
        best = here < best || here >> 32 == best >> 32 ? here : best;
    }
    clear(search->from, search->ranks_from, &search->from_count);
    clear(search->to, search->ranks_to, &search->to_count);
    if (best >> 32 >= THG_FAR) {
        return (thg_found){THG_FAR, THG_NO_SLOT, THG_NO_SLOT};
    }
    return (thg_found){(uint32_t)(best >> 32), (uint16_t)(best >> 16), (uint16_t)best};
}

void thg_lengths(const throng_rooms *rooms, uint32_t door, bool forward, uint32_t *by_rank)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    const uint32_t *climbing = forward ? hierarchy->up : hierarchy->down;
    const uint32_t *falling = forward ? hierarchy->down : hierarchy->up;
    for (uint32_t rank = 0; rank < hierarchy->count; rank++) {
        by_rank[rank] = THG_FAR;
    }
    by_rank[hierarchy->rank_of_door[door]] = 0;
    for (uint32_t rank = hierarchy->rank_of_door[door]; rank != THG_NONE;
         rank = thg_parent(hierarchy, rank)) {
        for (uint32_t arc = hierarchy->first[rank]; arc < hierarchy->first[rank + 1]; arc++) {
            uint32_t sum = thg_add_length(by_rank[rank], climbing[arc]);
            uint32_t *other = &by_rank[hierarchy->head[arc]];
            *other = sum < *other ? sum : *other;
        }
    }
    for (uint32_t rank = hierarchy->count; rank-- > 0;) {
        uint32_t best = by_rank[rank];
        for (uint32_t arc = hierarchy->first[rank]; arc < hierarchy->first[rank + 1]; arc++) {
            uint32_t sum = thg_add_length(by_rank[hierarchy->head[arc]], falling[arc]);
            best = sum < best ? sum : best;
        }
        by_rank[rank] = best;
    }
}
