/// A step of all walkers.
///
/// Inside a room a step is the next three bits of the walker's own leg; a table is read only where
/// a leg ends, about every eighth step. The walkers of a block stride, those whose legs have ended
/// turn, and who needs a search waits in the block's list for its turn.
#include "jobs/jobs.h"
#include "rooms/walkers.h"
#include <stdatomic.h>

#define A_STRIDE 1024 ///< walkers that stride before those among them turn: their lines stay near

static void step_block(void *context, int first, int end, int block)
{
    throng_walkers *walkers = context;
    throng_walkers_summary sum = {0};
    uint32_t *slow = walkers->slow + first, slow_count = 0, turning[A_STRIDE + 8], moved = 0;
    for (uint32_t from = (uint32_t)first; from < (uint32_t)end; from += A_STRIDE) {
        uint32_t to = (uint32_t)end - from < A_STRIDE ? (uint32_t)end : from + A_STRIDE;
        uint32_t turns = walkers->stride(walkers->rooms->move_cells, walkers->cells, walkers->moves,
                                         from, to, turning, &moved);
        slow_count += thg_turn_walkers(walkers, turning, turns, slow + slow_count, &sum);
    }
    sum.moved += (int)moved;
    walkers->slow_count[block] = slow_count;
    walkers->sums[block] = sum;
}

static int serve_slow(throng_walkers *walkers, thg_search *search, uint32_t i)
{
    if (walkers->statuses[i] & THG_REPLAN) {
        thg_walker_plan(walkers, search, i);
        // A way may begin with a turn: on a door, or on the goal.
        if (walkers->statuses[i] == THRONG_WALKER_WALKING && walkers->moves[i] == THG_LEG_DONE &&
            !thg_walker_turn(walkers, i)) {
            thg_walker_turn_slowly(walkers, search, i);
        }
    } else {
        thg_walker_turn_slowly(walkers, search, i);
    }
    return thg_walker_move_on(walkers, i);
}

/// How many may plan in this step: fewer where doors changed since the last one, for that is work
/// of the step, too.
static uint32_t plan_budget(const throng_walkers *walkers)
{
    int most = walkers->most_plans, taken = most / 2 * thg_min_int(walkers->changed, 2);
    return (uint32_t)thg_max_int(most - taken, thg_max_int(most / 8, 1));
}

/// Queues at most plan_budget of those in the blocks' lists, going on where the last queue ended;
/// the others wait.
static uint32_t queue_slow(throng_walkers *walkers, throng_walkers_summary *sum)
{
    uint32_t blocks = (uint32_t)thg_walker_blocks(walkers), queued = 0, all = 0;
    uint32_t most = plan_budget(walkers), first_block = walkers->queue_from / THG_WALKER_BLOCK,
             last = walkers->queue_from;
    for (uint32_t k = 0; k <= blocks; k++) {
        uint32_t block = (first_block + k) % blocks;
        const uint32_t *slow = walkers->slow + (size_t)block * THG_WALKER_BLOCK;
        all += k < blocks ? walkers->slow_count[block] : 0;
        for (uint32_t i = 0; i < walkers->slow_count[block]; i++) {
            // The first block comes twice: its end at first, its beginning at last.
            bool turn = k == 0 ? slow[i] >= walkers->queue_from
                               : k < blocks || slow[i] < walkers->queue_from;
            if (turn && queued < most) {
                walkers->queue[queued++] = last = slow[i];
            }
        }
    }
    walkers->queue_from = (last + 1) % (uint32_t)walkers->count;
    sum->planned = (int)queued;
    sum->waiting = (int)(all - queued);
    return queued;
}

/// The doors were changed behind our back: all plan anew.
static void ask_all(throng_walkers *walkers)
{
    for (uint32_t i = 0; i < (uint32_t)walkers->count; i++) {
        unsigned status = walkers->statuses[i] & THG_STATUS;
        if (status == THRONG_WALKER_WALKING || status == THRONG_WALKER_UNREACHABLE) {
            thg_walker_ask(walkers, i, 0);
        }
    }
    walkers->version = walkers->rooms->version;
    walkers->changes.count = 0; // rows from before are not known to be right
}

throng_walkers_summary throng_walkers_step(throng_walkers *walkers, throng_jobs *jobs)
{
    throng_walkers_summary sum = {0};
    if (walkers->version != walkers->rooms->version) {
        ask_all(walkers);
    }
    if (walkers->crowded != NULL) {
        return thg_crowded_step(walkers);
    }
    thg_parallel_for(jobs, walkers->count, THG_WALKER_BLOCK, step_block, walkers);
    uint32_t queued = queue_slow(walkers, &sum);
    walkers->changed = 0;
    for (size_t block = 0; block < thg_walker_blocks(walkers); block++) {
        sum.moved += walkers->sums[block].moved;
        walkers->now.arrived += walkers->sums[block].arrived;
        walkers->now.walking -= walkers->sums[block].arrived;
    }
    thg_count_walkers(walkers, walkers->queue, queued, -1);
    sum.moved += thg_serve_walkers(walkers, jobs, walkers->queue, queued, serve_slow);
    thg_count_walkers(walkers, walkers->queue, queued, 1);
    sum.walking = walkers->now.walking;
    sum.arrived = walkers->now.arrived;
    sum.unreachable = walkers->now.unreachable;
    return sum;
}
