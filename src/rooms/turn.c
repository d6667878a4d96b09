/// Turning: walkers whose legs have ended, a batch at a time.
///
/// A turn reads the door's signpost, where the row's chunk begins, the runs of the chunk, and the
/// passage that they name: four reads, each from where the one before says. So a batch does the
/// first read of all its walkers, then the second of all, and asks for each line a stage before.
#include "rooms/rows.h"
#include "rooms/walkers.h"

#define BATCH 128

/// One walker on a door, between two reads.
typedef struct turner {
    uint32_t place, first_arc;
    uint32_t target;    ///< last door of the way
    uint32_t low, high; ///< of the chunk's runs
    bool by_row;        ///< else another way of turning
    const uint16_t *row;
    const thg_passage *passage;
} turner;

/// Whether the walker stands at its next door with more doors behind it, and the row can tell.
static void read_signpost(const throng_walkers *walkers, turner *made)
{
    const thg_rows *rows = &walkers->rooms->rows;
    const thg_walker *walker = &walkers->walkers[made->place];
    made->by_row = false;
    if (walker->next_door == THG_NONE || walkers->moves[made->place] != THG_LEG_DONE) {
        return;
    }
    const thg_signpost *post = &rows->posts[walker->next_door];
    made->by_row = post->cell == walkers->cells[made->place] &&
                   walker->next_door != walker->last_door && thg_row_helps(walkers, walker);
    if (made->by_row) {
        made->target = walker->last_door;
        made->first_arc = post->first_arc;
        made->row = rows->words + post->row;
        thg_prefetch(made->row + (made->target >> rows->chunk_bits));
    }
}

static void read_chunk(const thg_rows *rows, turner *made)
{
    const uint16_t *head = made->row + (made->target >> rows->chunk_bits);
    made->low = head[0];
    made->high = head[1];
    thg_prefetch(made->row + made->low);
}

static void read_slot(const throng_rooms *rooms, turner *made)
{
    const thg_rows *rows = &rooms->rows;
    uint32_t run =
        thg_find_run(made->row, made->low, made->high, thg_run_limit(rows, made->target));
    uint32_t slot = made->row[run] & thg_slot_mask(rows);
    THRONG_ASSERT(slot != thg_slot_mask(rows));
    made->passage = &rooms->passages[made->first_arc + slot];
    thg_prefetch(made->passage);
}

static void take_passage(throng_walkers *walkers, const turner *made)
{
    uint32_t i = made->place;
    thg_walker *walker = &walkers->walkers[i];
    uint64_t moves = made->passage->moves;
    walker->next_door = made->passage->head;
    walker->leg = made->passage->price;
    walker->left -= made->passage->price;
    walkers->cells[i] += (uint32_t)walkers->rooms->move_cells[moves & 7u];
    walkers->moves[i] = moves >> 3;
}

/// Turns and moves a batch; who needs a search is put into `slow`, which may be `batch` itself.
static uint32_t turn_batch(throng_walkers *walkers, const uint32_t *batch, uint32_t count,
                           uint32_t *slow, throng_walkers_summary *sum)
{
    const throng_rooms *rooms = walkers->rooms;
    turner turners[BATCH];
    uint32_t slow_count = 0;
    for (uint32_t k = 0; k < count; k++) {
        turners[k].place = batch[k];
        thg_prefetch(&walkers->walkers[batch[k]]);
    }
    for (uint32_t k = 0; k < count; k++) {
        read_signpost(walkers, &turners[k]);
    }
    for (uint32_t k = 0; k < count; k++) {
        if (turners[k].by_row) {
            read_chunk(&rooms->rows, &turners[k]);
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        if (turners[k].by_row) {
            read_slot(rooms, &turners[k]);
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = turners[k].place;
        if (turners[k].by_row) {
            take_passage(walkers, &turners[k]);
            sum->moved++;
        } else if (walkers->moves[i] == THG_LEG_DONE && thg_walker_turn(walkers, i)) {
            sum->moved += thg_walker_move_on(walkers, i);
            sum->arrived += walkers->statuses[i] == THRONG_WALKER_ARRIVED;
        } else {
            slow[slow_count++] = i;
        }
    }
    return slow_count;
}

uint32_t thg_turn_walkers(throng_walkers *walkers, const uint32_t *list, uint32_t count,
                          uint32_t *slow, throng_walkers_summary *sum)
{
    uint32_t slow_count = 0;
    for (uint32_t k = 0; k < count; k += BATCH) {
        uint32_t own = count - k < BATCH ? count - k : BATCH;
        slow_count += turn_batch(walkers, list + k, own, slow + slow_count, sum);
    }
    return slow_count;
}
