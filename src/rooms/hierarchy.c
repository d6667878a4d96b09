/// The hierarchy: which arcs there are (once), and their lengths (whole, or round one door).
///
/// Doors are taken out in the order of their ranks; whoever was joined through a door gets an arc
/// of his own. Which arcs these are depends on the order alone, so lengths can change for ever.
/// Ties go to the lower first slot, which makes lengths and slots independent of the order of work.
#include "rooms/hierarchy.h"
#include <string.h>

static int by_value(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

typedef struct contraction {
    uint32_t *mark;        ///< last node whose column a rank was put into, + 1
    uint32_t *first_child; ///< of the elimination tree, linked through next_child
    uint32_t *next_child;
    uint32_t *heads;
    size_t capacity, used;
} contraction;

/// Room for one more column.
static bool make_room(throng_rooms *rooms, contraction *made, uint32_t count)
{
    if (made->used + count <= made->capacity) {
        return true;
    }
    size_t capacity = made->capacity * 2 + count;
    uint32_t *larger = thg_take(rooms, capacity, sizeof *larger, THG_SCRATCH);
    if (larger == NULL || capacity > UINT32_MAX) {
        return false;
    }
    memcpy(larger, made->heads, made->used * sizeof *larger);
    thg_give(rooms, made->heads);
    made->heads = larger;
    made->capacity = capacity;
    return true;
}

static void put(contraction *made, uint32_t rank, uint32_t head)
{
    if (head > rank && made->mark[head] != rank + 1) {
        made->mark[head] = rank + 1;
        made->heads[made->used++] = head;
    }
}

/// The arcs that lead up from a node: to its neighbours, and to those of the nodes below it.
static void fill_column(const throng_rooms *rooms, contraction *made, uint32_t rank)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint32_t *first = hierarchy->first, door = hierarchy->door_of_rank[rank];
    for (uint32_t i = rooms->doors[door].first_arc; i < rooms->doors[door + 1].first_arc; i++) {
        put(made, rank, hierarchy->rank_of_door[rooms->arcs[i].head]);
    }
    for (uint32_t child = made->first_child[rank]; child != THG_NONE;
         child = made->next_child[child]) {
        for (uint32_t i = first[child]; i < first[child + 1]; i++) {
            put(made, rank, made->heads[i]);
        }
    }
    thg_sort(made->heads + first[rank], made->used - first[rank], sizeof *made->heads, by_value);
    first[rank + 1] = (uint32_t)made->used;
    if (made->used > first[rank]) {
        uint32_t parent = made->heads[first[rank]];
        made->next_child[rank] = made->first_child[parent];
        made->first_child[parent] = rank;
    }
}

static bool contract(throng_rooms *rooms)
{
    thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint32_t count = hierarchy->count;
    contraction made = {0};
    made.capacity = (size_t)count * 4 + 16;
    made.heads = thg_take(rooms, made.capacity, sizeof(uint32_t), THG_SCRATCH);
    made.mark = thg_take(rooms, count, sizeof(uint32_t), THG_SCRATCH);
    made.first_child = thg_take(rooms, count, sizeof(uint32_t), THG_SCRATCH);
    made.next_child = thg_take(rooms, count, sizeof(uint32_t), THG_SCRATCH);
    hierarchy->first = thg_take(rooms, (size_t)count + 1, sizeof(uint32_t), THG_HIERARCHY);
    bool good = made.heads != NULL && made.mark != NULL && made.first_child != NULL &&
                made.next_child != NULL && hierarchy->first != NULL;
    if (good) {
        memset(made.first_child, 0xff, count * sizeof(uint32_t));
        memset(made.next_child, 0xff, count * sizeof(uint32_t));
    }
    for (uint32_t rank = 0; rank < count && good; rank++) {
        good = make_room(rooms, &made, count - rank);
        if (good) {
            fill_column(rooms, &made, rank);
        }
    }
    hierarchy->arc_count = good ? hierarchy->first[count] : 0;
    hierarchy->head = thg_take(rooms, hierarchy->arc_count, sizeof(uint32_t), THG_HIERARCHY);
    good = good && hierarchy->head != NULL;
    if (good) {
        memcpy(hierarchy->head, made.heads, hierarchy->arc_count * sizeof(uint32_t));
    }
    thg_give(rooms, made.next_child);
    thg_give(rooms, made.first_child);
    thg_give(rooms, made.mark);
    thg_give(rooms, made.heads);
    return good;
}

static bool list_lower(throng_rooms *rooms)
{
    thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint32_t count = hierarchy->count, arcs = hierarchy->arc_count;
    hierarchy->tail = thg_take(rooms, arcs, sizeof(uint32_t), THG_HIERARCHY);
    hierarchy->lower_first = thg_take(rooms, (size_t)count + 2, sizeof(uint32_t), THG_HIERARCHY);
    hierarchy->lower_arc = thg_take(rooms, arcs, sizeof(uint32_t), THG_HIERARCHY);
    if (hierarchy->tail == NULL || hierarchy->lower_first == NULL || hierarchy->lower_arc == NULL) {
        return false;
    }
    uint32_t *next = hierarchy->lower_first + 1; // one place ahead, so that filling ends right
    for (uint32_t arc = 0; arc < arcs; arc++) {
        next[hierarchy->head[arc]]++;
    }
    uint32_t sum = 0;
    for (uint32_t rank = 0; rank < count; rank++) {
        uint32_t own = next[rank];
        next[rank] = sum;
        sum += own;
        for (uint32_t arc = hierarchy->first[rank]; arc < hierarchy->first[rank + 1]; arc++) {
            hierarchy->tail[arc] = rank;
        }
    }
    for (uint32_t arc = 0; arc < arcs; arc++) {
        hierarchy->lower_arc[next[hierarchy->head[arc]]++] = arc;
    }
    return true;
}

uint32_t thg_find_arc(const thg_hierarchy *hierarchy, uint32_t tail, uint32_t head)
{
    uint32_t low = hierarchy->first[tail], high = hierarchy->first[tail + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (hierarchy->head[middle] < head) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t thg_arc_price(const throng_rooms *rooms, uint32_t door, const thg_arc *arc)
{
    const thg_door *from = &rooms->doors[door], *to = &rooms->doors[arc->head];
    uint32_t room = rooms->entries[arc->entry].room;
    if (to->closed || (to->one_way != 0 && to->one_way != room) ||
        (from->one_way != 0 && from->one_way == room)) {
        return THG_FAR;
    }
    return thg_add_length(arc->length, to->delay);
}

// ---- Customisation -----------------------------------------------------------------------------

/// A length with the slot of its first arc.
static inline void better(uint32_t *length, uint16_t *slot, uint32_t other, uint16_t other_slot)
{
    if (other < *length || (other == *length && other < THG_FAR && other_slot < *slot)) {
        *length = other;
        *slot = other_slot;
    }
}

/// Takes the arcs of the door graph from one door to another.
static void better_by_arcs(const throng_rooms *rooms, uint32_t from, uint32_t to, uint32_t *length,
                           uint16_t *slot)
{
    uint32_t first = rooms->doors[from].first_arc;
    for (uint32_t i = first; i < rooms->doors[from + 1].first_arc; i++) {
        if (rooms->arcs[i].head == to) {
            better(length, slot, thg_arc_price(rooms, from, &rooms->arcs[i]),
                   (uint16_t)(i - first));
        }
    }
}

static void reset_arc(const throng_rooms *rooms, uint32_t arc, thg_lengths_of *out)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint32_t tail = hierarchy->door_of_rank[hierarchy->tail[arc]];
    uint32_t head = hierarchy->door_of_rank[hierarchy->head[arc]];
    *out = (thg_lengths_of){THG_FAR, THG_FAR, THG_NO_SLOT, THG_NO_SLOT};
    better_by_arcs(rooms, tail, head, &out->up, &out->up_slot);
    better_by_arcs(rooms, head, tail, &out->down, &out->down_slot);
}

/// Lets every triangle over a node shorten its upper arc.
static void relax_node(thg_hierarchy *hierarchy, uint32_t rank)
{
    uint32_t end = hierarchy->first[rank + 1];
    for (uint32_t a = hierarchy->first[rank]; a < end; a++) {
        uint32_t middle = hierarchy->head[a];
        uint32_t down = hierarchy->down[a], up = hierarchy->up[a];
        uint16_t slot = hierarchy->down_slot[a];
        uint32_t upper = hierarchy->first[middle];
        for (uint32_t b = a + 1; b < end; b++, upper++) {
            while (hierarchy->head[upper] != hierarchy->head[b]) {
                upper++;
            }
            better(&hierarchy->up[upper], &hierarchy->up_slot[upper],
                   thg_add_length(down, hierarchy->up[b]), slot);
            better(&hierarchy->down[upper], &hierarchy->down_slot[upper],
                   thg_add_length(hierarchy->down[b], up), hierarchy->down_slot[b]);
        }
    }
}

static bool customise(throng_rooms *rooms)
{
    thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint32_t arcs = hierarchy->arc_count;
    hierarchy->up = thg_take(rooms, arcs, sizeof(uint32_t), THG_HIERARCHY);
    hierarchy->down = thg_take(rooms, arcs, sizeof(uint32_t), THG_HIERARCHY);
    hierarchy->up_slot = thg_take(rooms, arcs, sizeof(uint16_t), THG_HIERARCHY);
    hierarchy->down_slot = thg_take(rooms, arcs, sizeof(uint16_t), THG_HIERARCHY);
    hierarchy->heap = thg_take(rooms, (size_t)arcs + 1, sizeof(uint32_t), THG_SCRATCH);
    hierarchy->waiting = thg_take(rooms, arcs, 1, THG_SCRATCH);
    if (hierarchy->up == NULL || hierarchy->down == NULL || hierarchy->up_slot == NULL ||
        hierarchy->down_slot == NULL || hierarchy->heap == NULL || hierarchy->waiting == NULL) {
        return false;
    }
    for (uint32_t arc = 0; arc < arcs; arc++) {
        hierarchy->up[arc] = hierarchy->down[arc] = THG_FAR;
        hierarchy->up_slot[arc] = hierarchy->down_slot[arc] = THG_NO_SLOT;
    }
    for (uint32_t door = 0; door < rooms->door_count; door++) {
        uint32_t first = rooms->doors[door].first_arc, rank = hierarchy->rank_of_door[door];
        for (uint32_t i = first; i < rooms->doors[door + 1].first_arc; i++) {
            uint32_t other = hierarchy->rank_of_door[rooms->arcs[i].head];
            uint32_t price = thg_arc_price(rooms, door, &rooms->arcs[i]);
            uint16_t slot = (uint16_t)(i - first);
            if (rank < other) {
                uint32_t arc = thg_find_arc(hierarchy, rank, other);
                better(&hierarchy->up[arc], &hierarchy->up_slot[arc], price, slot);
            } else {
                uint32_t arc = thg_find_arc(hierarchy, other, rank);
                better(&hierarchy->down[arc], &hierarchy->down_slot[arc], price, slot);
            }
        }
    }
    for (uint32_t rank = 0; rank < hierarchy->count; rank++) {
        relax_node(hierarchy, rank);
    }
    return true;
}

throng_result thg_build_hierarchy(throng_rooms *rooms)
{
    bool good = contract(rooms) && list_lower(rooms) && customise(rooms);
    return good ? THRONG_OK : THRONG_NO_MEMORY;
}

// ---- Round one door ----------------------------------------------------------------------------

static void heap_push(thg_hierarchy *hierarchy, uint32_t *size, uint32_t arc)
{
    if (hierarchy->waiting[arc]) {
        return;
    }
    hierarchy->waiting[arc] = 1;
    uint32_t at = (*size)++;
    for (; at > 0 && hierarchy->heap[(at - 1) / 2] > arc; at = (at - 1) / 2) {
        hierarchy->heap[at] = hierarchy->heap[(at - 1) / 2];
    }
    hierarchy->heap[at] = arc;
}

static uint32_t heap_pop(thg_hierarchy *hierarchy, uint32_t *size)
{
    uint32_t *heap = hierarchy->heap, taken = heap[0], last = heap[--*size], at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        child += child + 1 < *size && heap[child + 1] < heap[child];
        if (child >= *size || heap[child] >= last) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    hierarchy->waiting[taken] = 0;
    return taken;
}

/// Lengths of an arc from the door graph and all triangles below it.
static void recompute(const throng_rooms *rooms, uint32_t arc, thg_lengths_of *out)
{
    const thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint32_t tail = hierarchy->tail[arc], head = hierarchy->head[arc];
    reset_arc(rooms, arc, out);
    uint32_t i = hierarchy->lower_first[tail], i_end = hierarchy->lower_first[tail + 1];
    uint32_t j = hierarchy->lower_first[head], j_end = hierarchy->lower_first[head + 1];
    while (i < i_end && j < j_end) {
        uint32_t a = hierarchy->lower_arc[i], b = hierarchy->lower_arc[j];
        uint32_t low_a = hierarchy->tail[a], low_b = hierarchy->tail[b];
        if (low_a == low_b) {
            better(&out->up, &out->up_slot, thg_add_length(hierarchy->down[a], hierarchy->up[b]),
                   hierarchy->down_slot[a]);
            better(&out->down, &out->down_slot,
                   thg_add_length(hierarchy->down[b], hierarchy->up[a]), hierarchy->down_slot[b]);
        }
        i += low_a <= low_b;
        j += low_b <= low_a;
    }
}

/// True when a way in two parts is, or ties with, a length that was or will be stored.
static inline bool counts(uint32_t a, uint32_t b, uint32_t stored)
{
    uint32_t sum = thg_add_length(a, b);
    return sum <= stored && sum < THG_FAR;
}

/// Puts the upper arcs that an arc's change may reach into the heap.
static void push_upper(thg_hierarchy *hierarchy, uint32_t arc, const thg_lengths_of *old,
                       uint32_t *size)
{
    uint32_t tail = hierarchy->tail[arc], head = hierarchy->head[arc];
    for (uint32_t other = hierarchy->first[tail]; other < hierarchy->first[tail + 1]; other++) {
        if (other == arc) {
            continue;
        }
        bool below = head < hierarchy->head[other];
        uint32_t upper = below ? thg_find_arc(hierarchy, head, hierarchy->head[other])
                               : thg_find_arc(hierarchy, hierarchy->head[other], head);
        // From head over tail to the other's head, and back; before the change and after it.
        uint32_t there = below ? hierarchy->up[upper] : hierarchy->down[upper];
        uint32_t back = below ? hierarchy->down[upper] : hierarchy->up[upper];
        uint32_t up = hierarchy->up[other], down = hierarchy->down[other];
        if (counts(old->down, up, there) || counts(down, old->up, back) ||
            counts(hierarchy->down[arc], up, there) || counts(down, hierarchy->up[arc], back)) {
            heap_push(hierarchy, size, upper);
        }
    }
}

void thg_customise_door(throng_rooms *rooms, uint32_t door)
{
    thg_hierarchy *hierarchy = &rooms->hierarchy;
    uint32_t size = 0, rank = hierarchy->rank_of_door[door];
    for (uint32_t i = rooms->doors[door].first_arc; i < rooms->doors[door + 1].first_arc; i++) {
        uint32_t other = hierarchy->rank_of_door[rooms->arcs[i].head];
        heap_push(hierarchy, &size,
                  rank < other ? thg_find_arc(hierarchy, rank, other)
                               : thg_find_arc(hierarchy, other, rank));
    }
    while (size > 0) {
        uint32_t arc = heap_pop(hierarchy, &size);
        thg_lengths_of now, old = {hierarchy->up[arc], hierarchy->down[arc],
                                   hierarchy->up_slot[arc], hierarchy->down_slot[arc]};
        recompute(rooms, arc, &now);
        if (now.up == old.up && now.down == old.down && now.up_slot == old.up_slot &&
            now.down_slot == old.down_slot) {
            continue;
        }
        hierarchy->up[arc] = now.up;
        hierarchy->down[arc] = now.down;
        hierarchy->up_slot[arc] = now.up_slot;
        hierarchy->down_slot[arc] = now.down_slot;
        push_upper(hierarchy, arc, &old, &size);
    }
}
