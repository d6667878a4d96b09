/// Walkers: making them, and what they look like from outside.
#include "rooms/walkers.h"

#define WALKERS_COOKIE 0x57414c4bu

throng_walkers_def throng_default_walkers_def(void)
{
    throng_walkers_def def = {WALKERS_COOKIE, NULL, 0, 512, false, false};
    return def;
}

static bool take_arrays(throng_walkers *walkers)
{
    size_t count = (size_t)walkers->count, blocks = thg_walker_blocks(walkers);
    size_t doors = walkers->rooms->door_count, room_count = walkers->rooms->room_count;
    walkers->ids = thg_allocate(count, sizeof(uint32_t));
    walkers->places = thg_allocate(count, sizeof(uint32_t));
    walkers->queue = thg_allocate((size_t)walkers->most_plans, sizeof(uint32_t));
    walkers->cells = thg_allocate(count, sizeof(uint32_t));
    walkers->moves = thg_allocate(count, sizeof(uint64_t));
    walkers->statuses = thg_allocate(count, 1);
    walkers->walkers = thg_allocate(count, sizeof(thg_walker));
    walkers->slow = thg_allocate(count, sizeof(uint32_t));
    walkers->slow_count = thg_allocate(blocks, sizeof(uint32_t));
    walkers->sums = thg_allocate(blocks, sizeof(throng_walkers_summary));
    walkers->room_first = thg_allocate(room_count + 2, sizeof(uint32_t));
    walkers->change_lengths = thg_allocate(doors * 2 * THG_CHANGES, sizeof(uint32_t));
    walkers->by_rank = thg_allocate(doors, sizeof(uint32_t));
    walkers->to_room = thg_allocate(room_count + 2, sizeof(uint32_t));
    walkers->from_room = thg_allocate(room_count + 2, sizeof(uint32_t));
    return walkers->ids != NULL && walkers->places != NULL && walkers->queue != NULL &&
           walkers->cells != NULL && walkers->moves != NULL && walkers->statuses != NULL &&
           walkers->walkers != NULL && walkers->slow != NULL && walkers->slow_count != NULL &&
           walkers->sums != NULL && walkers->room_first != NULL &&
           walkers->change_lengths != NULL && walkers->by_rank != NULL &&
           walkers->to_room != NULL && walkers->from_room != NULL;
}

/// Places by the room that walkers begin in, in a room by id.
static void sort_places(throng_walkers *walkers, const int *cells)
{
    const throng_rooms *rooms = walkers->rooms;
    uint32_t *next = walkers->room_first, sum = 0;
    for (int i = 0; i < walkers->count; i++) {
        next[rooms->zones[cells[i]]]++;
    }
    for (uint32_t room = 0; room <= rooms->room_count; room++) {
        uint32_t own = next[room];
        next[room] = sum;
        sum += own;
    }
    for (int i = 0; i < walkers->count; i++) {
        uint32_t place = next[rooms->zones[cells[i]]]++;
        walkers->places[i] = place;
        walkers->ids[place] = (uint32_t)i;
        walkers->cells[place] = (uint32_t)cells[i];
    }
}

throng_result throng_walkers_create(throng_rooms *rooms, const throng_walkers_def *def,
                                    throng_walkers **out)
{
    *out = NULL;
    if (def->cookie != WALKERS_COOKIE || def->count < 1 || def->count > 1 << 24 ||
        def->cells == NULL || def->most_plans < 1 || def->most_plans > 1 << 24) {
        return THRONG_BAD_ARGUMENT;
    }
    for (int i = 0; i < def->count; i++) {
        if (throng_rooms_at(rooms, def->cells[i]) == 0) {
            return THRONG_BAD_ARGUMENT;
        }
    }
    throng_walkers *walkers = thg_allocate(1, sizeof *walkers);
    if (walkers == NULL) {
        return THRONG_NO_MEMORY;
    }
    walkers->rooms = rooms;
    walkers->count = def->count;
    walkers->most_plans = def->most_plans;
    walkers->version = rooms->version;
    walkers->stride = thg_stride_best();
    walkers->come_back = def->come_back;
    if (!take_arrays(walkers)) {
        throng_walkers_destroy(walkers);
        return THRONG_NO_MEMORY;
    }
    for (size_t i = 0; i < THG_CHANGES; i++) {
        walkers->changes.ring[i].to = walkers->change_lengths + 2 * i * rooms->door_count;
        walkers->changes.ring[i].from = walkers->changes.ring[i].to + rooms->door_count;
    }
    sort_places(walkers, def->cells);
    bool taken = false;
    if (def->one_per_cell && !thg_crowded_create(walkers, &taken)) {
        throng_walkers_destroy(walkers);
        return taken ? THRONG_BAD_ARGUMENT : THRONG_NO_MEMORY;
    }
    for (int i = 0; i < def->count; i++) {
        walkers->moves[i] = THG_STANDS;
        walkers->walkers[i].next_door = walkers->walkers[i].last_door = THG_NONE;
    }
    *out = walkers;
    return THRONG_OK;
}

void throng_walkers_destroy(throng_walkers *walkers)
{
    if (walkers == NULL) {
        return;
    }
    size_t count = (size_t)walkers->count, blocks = thg_walker_blocks(walkers);
    size_t doors = walkers->rooms->door_count, room_count = walkers->rooms->room_count;
    thg_crowded_release(walkers);
    thg_release(walkers->ids, count, sizeof(uint32_t));
    thg_release(walkers->places, count, sizeof(uint32_t));
    thg_release(walkers->queue, (size_t)walkers->most_plans, sizeof(uint32_t));
    thg_release(walkers->cells, count, sizeof(uint32_t));
    thg_release(walkers->moves, count, sizeof(uint64_t));
    thg_release(walkers->statuses, count, 1);
    thg_release(walkers->walkers, count, sizeof(thg_walker));
    thg_release(walkers->slow, count, sizeof(uint32_t));
    thg_release(walkers->slow_count, blocks, sizeof(uint32_t));
    thg_release(walkers->sums, blocks, sizeof(throng_walkers_summary));
    thg_release(walkers->room_first, room_count + 2, sizeof(uint32_t));
    thg_release(walkers->change_lengths, doors * 2 * THG_CHANGES, sizeof(uint32_t));
    thg_release(walkers->by_rank, doors, sizeof(uint32_t));
    thg_release(walkers->to_room, room_count + 2, sizeof(uint32_t));
    thg_release(walkers->from_room, room_count + 2, sizeof(uint32_t));
    thg_release(walkers, 1, sizeof *walkers);
}

throng_walkers_view throng_walkers_get_view(const throng_walkers *walkers)
{
    throng_walkers_view view = {walkers->ids, walkers->cells, walkers->statuses, walkers->count};
    return view;
}

uint64_t throng_walkers_hash(const throng_walkers *walkers)
{
    uint64_t hash = 0;
    for (int i = 0; i < walkers->count; i++) {
        const thg_walker *walker = &walkers->walkers[i];
        uint64_t own = thg_mix64((uint64_t)walkers->ids[i] << 32 | walkers->cells[i]);
        own = thg_mix64(own + walkers->moves[i]);
        own = thg_mix64(own + ((uint64_t)walker->next_door << 32 | walker->last_door));
        own = thg_mix64(own + ((uint64_t)walker->goal << 32 | walker->left));
        hash += thg_mix64(own + walkers->statuses[i]);
    }
    return hash;
}
