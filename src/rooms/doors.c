/// Doors that change.
#include "rooms/inside.h"

throng_door throng_rooms_get_door(const throng_rooms *rooms, int door)
{
    THRONG_ASSERT(door >= 0 && door < (int)rooms->door_count);
    const thg_door *kept = &rooms->doors[door];
    throng_door state = {kept->closed, kept->one_way,
                         (int)(kept->delay / thg_step_length(rooms, 0))};
    return state;
}

static bool joins(const throng_rooms *rooms, int door, int room)
{
    for (uint32_t i = rooms->doors[door].first_entry; i < rooms->doors[door + 1].first_entry; i++) {
        if (rooms->entries[rooms->door_entries[i]].room == (uint32_t)room) {
            return true;
        }
    }
    return false;
}

throng_result thg_check_door(const throng_rooms *rooms, int door, const throng_door *state)
{
    bool good = door >= 0 && door < (int)rooms->door_count && state->delay >= 0 &&
                state->delay <= 1 << 20 &&
                (state->one_way == 0 || joins(rooms, door, state->one_way));
    return good ? THRONG_OK : THRONG_BAD_ARGUMENT;
}

/// Passages to a door cost its delay. Who is joined to it by an arc has one back.
static void reprice_passages(throng_rooms *rooms, uint32_t door)
{
    for (uint32_t i = rooms->doors[door].first_arc; i < rooms->doors[door + 1].first_arc; i++) {
        uint32_t from = rooms->arcs[i].head;
        for (uint32_t k = rooms->doors[from].first_arc; k < rooms->doors[from + 1].first_arc; k++) {
            if (rooms->arcs[k].head == door) {
                rooms->passages[k].price =
                    thg_add_length(rooms->arcs[k].length, rooms->doors[door].delay);
            }
        }
    }
}

throng_result throng_rooms_set_door(throng_rooms *rooms, int door, const throng_door *state)
{
    if (thg_check_door(rooms, door, state) != THRONG_OK) {
        return THRONG_BAD_ARGUMENT;
    }
    thg_door *kept = &rooms->doors[door];
    uint64_t delay = (uint64_t)state->delay * thg_step_length(rooms, 0);
    uint32_t units = delay < THG_FAR ? (uint32_t)delay : THG_FAR;
    if (kept->closed == state->closed && kept->one_way == state->one_way && kept->delay == units) {
        return THRONG_OK;
    }
    rooms->odd_doors -= kept->delay != 0 || kept->one_way != 0;
    rooms->odd_doors += units != 0 || state->one_way != 0;
    kept->closed = state->closed;
    kept->one_way = (uint16_t)state->one_way;
    kept->delay = units;
    reprice_passages(rooms, (uint32_t)door);
    thg_customise_door(rooms, (uint32_t)door);
    rooms->version++;
    rooms->rows.stale = 0;
    for (uint32_t i = 0; i < rooms->door_count; i++) {
        rooms->rows.stale += rooms->rows.posts[i].version != 0;
    }
    return THRONG_OK;
}
