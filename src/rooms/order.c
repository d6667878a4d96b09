/// The order of the hierarchy: nested dissection by straight lines (George, 1973).
///
/// Doors are sorted along a direction; for every place to cut, the doors on one side that have a
/// neighbour on the other are a separator. The smallest over four directions and all places in the
/// middle half is taken, ordered last, and both sides are cut again.
#include "rooms/rooms.h"
#include <string.h>

typedef struct segment {
    uint32_t first, end; ///< of nodes, and of the ranks that they get
} segment;

typedef struct place {
    int64_t along;
    uint32_t door;
} place;

typedef struct dissection {
    const throng_rooms *rooms;
    uint32_t *nodes; ///< doors; segments of it are cut in place
    uint32_t *owner; ///< segment of each door, by its number
    uint32_t *at;    ///< place of each door along the direction
    uint32_t *low;   ///< [doors + 2] how the separator's size changes from cut to cut
    uint32_t *high;
    place *places;
    uint8_t *side; ///< 0 left, 1 right, 2 separator, of the best cut
    segment *stack;
    uint32_t depth, made;
} dissection;

typedef struct cut {
    uint32_t size, at;
    int direction;
    bool left; ///< separator taken from the left side
} cut;

static int by_place(const void *a, const void *b)
{
    const place *left = a, *right = b;
    if (left->along != right->along) {
        return left->along < right->along ? -1 : 1;
    }
    return (left->door > right->door) - (left->door < right->door);
}

static int64_t along(const throng_rooms *rooms, uint32_t door, int direction)
{
    int64_t x = rooms->doors[door].cell % (uint32_t)rooms->width;
    int64_t y = rooms->doors[door].cell / (uint32_t)rooms->width;
    switch (direction) {
    case 0:
        return x * 65536 + y;
    case 1:
        return y * 65536 + x;
    case 2:
        return (x + y) * 65536 + x;
    default:
        return (x - y) * 65536 + x;
    }
}

static void sort_along(dissection *cutting, segment part, int direction)
{
    for (uint32_t i = part.first; i < part.end; i++) {
        uint32_t door = cutting->nodes[i];
        cutting->places[i] = (place){along(cutting->rooms, door, direction), door};
    }
    thg_sort(cutting->places + part.first, part.end - part.first, sizeof *cutting->places,
             by_place);
    for (uint32_t i = part.first; i < part.end; i++) {
        cutting->at[cutting->places[i].door] = i - part.first;
    }
}

/// Nearest and farthest neighbour of a door within its segment, as places; its own when it has
/// none beyond.
static void reach(const dissection *cutting, uint32_t door, uint32_t owner, uint32_t *least,
                  uint32_t *most)
{
    const throng_rooms *rooms = cutting->rooms;
    *least = *most = cutting->at[door];
    for (uint32_t i = rooms->doors[door].first_arc; i < rooms->doors[door + 1].first_arc; i++) {
        uint32_t other = rooms->arcs[i].head;
        if (cutting->owner[other] == owner) {
            uint32_t at = cutting->at[other];
            *least = at < *least ? at : *least;
            *most = at > *most ? at : *most;
        }
    }
}

/// Betters `best` by the cuts of one direction.
static void try_direction(dissection *cutting, segment part, uint32_t owner, int direction,
                          cut *best)
{
    uint32_t count = part.end - part.first;
    sort_along(cutting, part, direction);
    memset(cutting->low, 0, (count + 2) * sizeof(uint32_t));
    memset(cutting->high, 0, (count + 2) * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t least, most;
        reach(cutting, cutting->places[part.first + i].door, owner, &least, &most);
        // Before cut c lie places 0 .. c - 1. Differences wrap and sum up right.
        cutting->low[i + 1] += 1;
        cutting->low[most + 1] -= 1;
        cutting->high[least + 1] += 1;
        cutting->high[i + 1] -= 1;
    }
    uint32_t left = 0, right = 0, margin = count / 4;
    for (uint32_t c = 1; c < count; c++) {
        left += cutting->low[c];
        right += cutting->high[c];
        if (c < margin || c > count - margin) {
            continue;
        }
        uint32_t size = left < right ? left : right;
        uint32_t off = c > count / 2 ? c - count / 2 : count / 2 - c;
        uint32_t best_off = best->at > count / 2 ? best->at - count / 2 : count / 2 - best->at;
        if (size < best->size || (size == best->size && off < best_off)) {
            *best = (cut){size, c, direction, left <= right};
        }
    }
}

/// Sorts the segment into left, right and separator; the separator keeps the last ranks.
static void cut_segment(dissection *cutting, segment part, uint32_t owner)
{
    uint32_t count = part.end - part.first;
    cut best = {UINT32_MAX, count / 2, 0, true};
    for (int direction = 0; direction < 4; direction++) {
        try_direction(cutting, part, owner, direction, &best);
    }
    sort_along(cutting, part, best.direction);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t door = cutting->places[part.first + i].door, least, most;
        reach(cutting, door, owner, &least, &most);
        bool left = i < best.at;
        bool apart = best.left ? left && most >= best.at : !left && least < best.at;
        cutting->side[i] = apart ? 2 : left ? 0 : 1;
    }
    uint32_t next = part.first, ends[3];
    for (uint8_t side = 0; side < 3; side++) {
        for (uint32_t i = 0; i < count; i++) {
            if (cutting->side[i] == side) {
                cutting->nodes[next++] = cutting->places[part.first + i].door;
            }
        }
        ends[side] = next;
    }
    for (uint32_t i = part.first; i < part.end; i++) {
        cutting->owner[cutting->nodes[i]] = i < ends[0]   ? cutting->made + 1
                                            : i < ends[1] ? cutting->made + 2
                                                          : 0;
    }
    cutting->made += 2;
    cutting->stack[cutting->depth++] = (segment){part.first, ends[0]};
    cutting->stack[cutting->depth++] = (segment){ends[0], ends[1]};
}

throng_result thg_order_doors(throng_rooms *rooms)
{
    uint32_t count = rooms->door_count;
    thg_hierarchy *hierarchy = &rooms->hierarchy;
    hierarchy->count = count;
    hierarchy->rank_of_door = thg_take(rooms, count, sizeof(uint32_t), THG_HIERARCHY);
    hierarchy->door_of_rank = thg_take(rooms, count, sizeof(uint32_t), THG_HIERARCHY);
    dissection cutting = {.rooms = rooms, .nodes = hierarchy->door_of_rank};
    cutting.owner = thg_take(rooms, count, sizeof(uint32_t), THG_SCRATCH);
    cutting.at = thg_take(rooms, count, sizeof(uint32_t), THG_SCRATCH);
    cutting.low = thg_take(rooms, count + 2, sizeof(uint32_t), THG_SCRATCH);
    cutting.high = thg_take(rooms, count + 2, sizeof(uint32_t), THG_SCRATCH);
    cutting.places = thg_take(rooms, count, sizeof *cutting.places, THG_SCRATCH);
    cutting.side = thg_take(rooms, count, 1, THG_SCRATCH);
    cutting.stack = thg_take(rooms, count + 4, sizeof *cutting.stack, THG_SCRATCH);
    bool good = hierarchy->rank_of_door != NULL && cutting.nodes != NULL && cutting.owner != NULL &&
                cutting.at != NULL && cutting.low != NULL && cutting.high != NULL &&
                cutting.places != NULL && cutting.side != NULL && cutting.stack != NULL;
    if (good) {
        for (uint32_t i = 0; i < count; i++) {
            cutting.nodes[i] = i;
            cutting.owner[i] = 1;
        }
        cutting.made = 1;
        cutting.stack[cutting.depth++] = (segment){0, count};
        while (cutting.depth > 0) {
            segment part = cutting.stack[--cutting.depth];
            if (part.end - part.first > 1) {
                cut_segment(&cutting, part, cutting.owner[cutting.nodes[part.first]]);
            }
        }
        for (uint32_t rank = 0; rank < count; rank++) {
            hierarchy->rank_of_door[cutting.nodes[rank]] = rank;
        }
    }
    thg_give(rooms, cutting.stack);
    thg_give(rooms, cutting.side);
    thg_give(rooms, cutting.places);
    thg_give(rooms, cutting.high);
    thg_give(rooms, cutting.low);
    thg_give(rooms, cutting.at);
    thg_give(rooms, cutting.owner);
    return good ? THRONG_OK : THRONG_NO_MEMORY;
}
