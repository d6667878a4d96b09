/// One walker a cell: priority inheritance with backtracking.
///
/// Walkers choose their next cells in the order of their priority. Who wants a cell that is taken
/// lends its priority to the one who stands there, who must find another cell at once, and so on;
/// if the last of such a chain finds none, the one before tries its next choice. Where every two
/// neighbour cells lie on a common loop, the first of all can always go on, so everyone arrives in
/// the end. (Okumura, Machida, Defago, Tamura: Priority inheritance with backtracking, 2019.)
#include "rooms/walkers.h"
#include <string.h>

typedef struct thg_crowded {
    uint32_t *occupant; ///< [cells] place + 1 of who stands there
    uint32_t *claim;    ///< [cells] place + 1 of who will
    uint32_t *next;     ///< [count] cell to go to; THG_NONE: not chosen yet
    uint32_t *age;      ///< [count] steps on the way
    uint64_t *order;    ///< [count] keys to sort by
    uint32_t *chain;    ///< [count] who pushes whom
    uint8_t *choice;    ///< [count] next choice of each in the chain
    uint32_t *queue;    ///< [doors] steps to wait there
    uint32_t step;
} thg_crowded;

bool thg_crowded_create(throng_walkers *walkers, bool *taken)
{
    size_t cells = walkers->rooms->map->cell_count, count = (size_t)walkers->count;
    thg_crowded *crowded = thg_allocate(1, sizeof *crowded);
    walkers->crowded = crowded;
    if (crowded == NULL) {
        return false;
    }
    crowded->occupant = thg_allocate(cells, sizeof(uint32_t));
    crowded->claim = thg_allocate(cells, sizeof(uint32_t));
    crowded->next = thg_allocate(count, sizeof(uint32_t));
    crowded->age = thg_allocate(count, sizeof(uint32_t));
    crowded->order = thg_allocate(count, sizeof(uint64_t));
    crowded->chain = thg_allocate(count, sizeof(uint32_t));
    crowded->choice = thg_allocate(count, 1);
    crowded->queue = thg_allocate(walkers->rooms->door_count, sizeof(uint32_t));
    if (crowded->occupant == NULL || crowded->claim == NULL || crowded->next == NULL ||
        crowded->age == NULL || crowded->order == NULL || crowded->chain == NULL ||
        crowded->choice == NULL || crowded->queue == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        if (crowded->occupant[walkers->cells[i]] != 0) {
            *taken = true;
            return false;
        }
        crowded->occupant[walkers->cells[i]] = i + 1;
    }
    return true;
}

void thg_crowded_release(throng_walkers *walkers)
{
    thg_crowded *crowded = walkers->crowded;
    if (crowded == NULL) {
        return;
    }
    size_t cells = walkers->rooms->map->cell_count, count = (size_t)walkers->count;
    thg_release(crowded->occupant, cells, sizeof(uint32_t));
    thg_release(crowded->claim, cells, sizeof(uint32_t));
    thg_release(crowded->next, count, sizeof(uint32_t));
    thg_release(crowded->age, count, sizeof(uint32_t));
    thg_release(crowded->order, count, sizeof(uint64_t));
    thg_release(crowded->chain, count, sizeof(uint32_t));
    thg_release(crowded->choice, count, 1);
    thg_release(crowded->queue, walkers->rooms->door_count, sizeof(uint32_t));
    thg_release(crowded, 1, sizeof *crowded);
    walkers->crowded = NULL;
}

/// Brings a walker's way up to date, so that its first move is known.
static void look_ahead(throng_walkers *walkers, uint32_t i)
{
    thg_search *search = &walkers->rooms->searches[0];
    if (walkers->statuses[i] & THG_REPLAN) {
        thg_walker_plan(walkers, search, i);
    }
    while (walkers->statuses[i] == THRONG_WALKER_WALKING && walkers->moves[i] == THG_LEG_DONE) {
        if (!thg_walker_turn(walkers, i)) {
            thg_walker_turn_slowly(walkers, search, i);
        }
    }
}

static bool is_walking(const throng_walkers *walkers, uint32_t i)
{
    return walkers->statuses[i] == THRONG_WALKER_WALKING;
}

/// Cell that a move leads to, THG_NONE where none may be made. Doors with a state of their own are
/// entered along a planned way only.
static uint32_t cell_beyond(const throng_walkers *walkers, uint32_t cell, unsigned move)
{
    const throng_rooms *rooms = walkers->rooms;
    int x = (int)cell % rooms->width, y = (int)cell / rooms->width;
    unsigned moves = rooms->layer->moves[thg_padded_index(rooms->map, x, y)];
    if (!(moves >> move & 1u)) {
        return THG_NONE;
    }
    uint32_t next = cell + (uint32_t)rooms->move_cells[move];
    int door = throng_rooms_door_at(rooms, (int)next),
        here = throng_rooms_door_at(rooms, (int)cell);
    bool barred = (door >= 0 && (rooms->doors[door].closed || rooms->doors[door].one_way != 0)) ||
                  (here >= 0 && rooms->doors[here].one_way != 0);
    return rooms->zones[next] == 0 || barred ? THG_NONE : next;
}

/// The k-th choice of a walker: on along its way, then to stay, then all other cells beside it in
/// an order that changes from step to step. Who does not walk stays if it can. THG_NONE: not this
/// one; *last: there are no more.
static uint32_t choice_of(const throng_walkers *walkers, uint32_t i, unsigned k, bool *last)
{
    uint32_t cell = walkers->cells[i], count = walkers->rooms->diagonal ? 8 : 4;
    *last = k >= count + 1;
    if (k == 0) {
        return is_walking(walkers, i)
                   ? cell + (uint32_t)walkers->rooms->move_cells[walkers->moves[i] & 7u]
                   : THG_NONE;
    }
    if (k == 1) {
        return cell;
    }
    uint64_t turn = thg_mix64((uint64_t)walkers->crowded->step << 32 | walkers->ids[i]);
    return cell_beyond(walkers, cell, (unsigned)((turn + k) % count));
}

/// Lets a walker choose, and everybody whom it pushes.
static void choose(throng_walkers *walkers, uint32_t root)
{
    thg_crowded *crowded = walkers->crowded;
    uint32_t depth = 0;
    crowded->chain[depth++] = root;
    crowded->choice[root] = 0;
    while (depth > 0) {
        uint32_t i = crowded->chain[depth - 1];
        uint32_t pusher = depth > 1 ? walkers->cells[crowded->chain[depth - 2]] : THG_NONE;
        bool last = false;
        uint32_t cell = choice_of(walkers, i, crowded->choice[i]++, &last);
        bool free = cell != THG_NONE && cell != pusher && crowded->claim[cell] == 0;
        if (!free) {
            if (last) { // stays, and whoever pushed must look elsewhere
                cell = walkers->cells[i];
                crowded->claim[cell] = i + 1;
                crowded->next[i] = cell;
                depth--;
            }
            continue;
        }
        crowded->claim[cell] = i + 1;
        crowded->next[i] = cell;
        uint32_t other = crowded->occupant[cell];
        if (other != 0 && other - 1 != i && crowded->next[other - 1] == THG_NONE) {
            crowded->chain[depth++] = other - 1;
            crowded->choice[other - 1] = 0;
            continue;
        }
        depth = 0; // the end of the chain moves, so all of it does
    }
}

static int by_key(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/// Who is longest on the way comes first; of equals the lower place.
static void sort_by_age(throng_walkers *walkers)
{
    thg_crowded *crowded = walkers->crowded;
    for (uint32_t i = 0; i < (uint32_t)walkers->count; i++) {
        look_ahead(walkers, i);
        crowded->age[i] = is_walking(walkers, i) ? crowded->age[i] + 1 : 0;
        crowded->order[i] = (uint64_t)(UINT32_MAX - crowded->age[i]) << 32 | i;
        crowded->next[i] = THG_NONE;
    }
    thg_sort(crowded->order, (size_t)walkers->count, sizeof *crowded->order, by_key);
}

static void move_walker(throng_walkers *walkers, uint32_t i, throng_walkers_summary *sum)
{
    uint32_t next = walkers->crowded->next[i];
    if (next == walkers->cells[i]) {
        return;
    }
    uint64_t moves = walkers->moves[i];
    bool planned = is_walking(walkers, i) &&
                   next == walkers->cells[i] + (uint32_t)walkers->rooms->move_cells[moves & 7u];
    walkers->cells[i] = next;
    sum->moved++;
    if (planned) {
        walkers->moves[i] = moves >> 3;
        return;
    }
    if (walkers->statuses[i] == THRONG_WALKER_ARRIVED && walkers->come_back) {
        walkers->statuses[i] = THRONG_WALKER_WALKING;
    }
    if (is_walking(walkers, i) || walkers->statuses[i] == THRONG_WALKER_UNREACHABLE) {
        thg_walker_ask(walkers, i, 0); // pushed aside
        sum->planned++;
    }
}

throng_walkers_summary thg_crowded_step(throng_walkers *walkers)
{
    thg_crowded *crowded = walkers->crowded;
    throng_walkers_summary sum = {0};
    uint32_t count = (uint32_t)walkers->count;
    crowded->step++;
    sort_by_age(walkers);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = (uint32_t)crowded->order[k];
        if (crowded->next[i] == THG_NONE) {
            choose(walkers, i);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        crowded->occupant[walkers->cells[i]] = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        move_walker(walkers, i, &sum);
    }
    for (uint32_t i = 0; i < count; i++) {
        crowded->occupant[walkers->cells[i]] = i + 1;
        crowded->claim[walkers->cells[i]] = 0;
        unsigned status = walkers->statuses[i] & THG_STATUS;
        sum.walking += status == THRONG_WALKER_WALKING;
        sum.arrived += status == THRONG_WALKER_ARRIVED;
        sum.unreachable += status == THRONG_WALKER_UNREACHABLE;
    }
    return sum;
}

// ---- Congested doors ---------------------------------------------------------------------------

/// Steps that whoever comes last to each door waits there: it lets one through a step, so the k-th
/// of those on their way, at k steps or nearer, has to wait for the others.
static void count_queues(throng_walkers *walkers)
{
    const throng_rooms *rooms = walkers->rooms;
    thg_crowded *crowded = walkers->crowded;
    uint32_t count = 0, unit = thg_step_length(rooms, 0);
    for (uint32_t i = 0; i < (uint32_t)walkers->count; i++) {
        const thg_walker *walker = &walkers->walkers[i];
        if (is_walking(walkers, i) && walker->next_door != THG_NONE) {
            uint32_t steps = thg_walker_leg_left(walkers, i) / unit;
            crowded->order[count++] = (uint64_t)walker->next_door << 32 | steps;
        }
    }
    thg_sort(crowded->order, count, sizeof *crowded->order, by_key);
    memset(crowded->queue, 0, rooms->door_count * sizeof *crowded->queue);
    for (uint32_t i = 0, first = 0; i < count; i++) {
        uint32_t door = (uint32_t)(crowded->order[i] >> 32), steps = (uint32_t)crowded->order[i];
        first = crowded->order[first] >> 32 == door ? first : i;
        uint32_t before = i - first, wait = before > steps ? before - steps : 0;
        crowded->queue[door] = wait > crowded->queue[door] ? wait : crowded->queue[door];
    }
}

/// The delay that a door should get, half way to the steps that its queue needs.
static int delay_wanted(const throng_walkers *walkers, uint32_t door, int delay)
{
    uint32_t queue = walkers->crowded->queue[door];
    return (delay + (queue < 1 << 20 ? (int)queue : 1 << 20)) / 2;
}

int throng_walkers_congest(throng_walkers *walkers, throng_jobs *jobs, int most_doors)
{
    enum { SLIGHT = 3 }; ///< steps of difference that no way is changed for
    throng_rooms *rooms = walkers->rooms;
    int changed = 0;
    if (walkers->crowded == NULL) {
        return 0; // nobody waits for anybody
    }
    count_queues(walkers);
    while (changed < most_doors) {
        int worst = -1, most = SLIGHT, wanted = 0;
        for (uint32_t door = 0; door < rooms->door_count; door++) {
            int delay = throng_rooms_get_door(rooms, (int)door).delay;
            int better = delay_wanted(walkers, door, delay);
            int off = better > delay ? better - delay : delay - better;
            if (off > most) {
                worst = (int)door;
                most = off;
                wanted = better;
            }
        }
        if (worst < 0) {
            break;
        }
        throng_door state = throng_rooms_get_door(rooms, worst);
        state.delay = wanted;
        walkers->crowded->queue[worst] = (uint32_t)wanted; // done
        if (throng_walkers_set_door(walkers, jobs, worst, &state) != THRONG_OK) {
            break;
        }
        changed++;
    }
    return changed;
}
