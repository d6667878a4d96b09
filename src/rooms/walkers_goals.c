/// Goals, and planning for many walkers on all threads.
#include "jobs/jobs.h"
#include "rooms/walkers.h"
#include <stdatomic.h>

typedef struct plan_work {
    throng_walkers *walkers;
    const uint32_t *list; ///< places
    uint32_t count;
    atomic_uint next;
    atomic_int moved;
    thg_serve *serve;
} plan_work;

/// Each block is one thread with its own search; it takes walkers until there are none.
static void plan_blocks(void *context, int first, int end, int block)
{
    enum { A_TURN = 16 };
    plan_work *work = context;
    thg_search *search = &work->walkers->rooms->searches[block];
    int moved = 0;
    (void)first;
    (void)end;
    for (;;) {
        uint32_t from = atomic_fetch_add(&work->next, A_TURN);
        if (from >= work->count) {
            break;
        }
        for (uint32_t i = from; i < from + A_TURN && i < work->count; i++) {
            moved += work->serve(work->walkers, search, work->list[i]);
        }
    }
    atomic_fetch_add(&work->moved, moved);
}

int thg_serve_walkers(throng_walkers *walkers, throng_jobs *jobs, const uint32_t *list,
                      uint32_t count, thg_serve *serve)
{
    plan_work work = {walkers, list, count, 0, 0, serve};
    int threads = thg_min_int(throng_jobs_thread_count(jobs), walkers->rooms->search_count);
    if (count > 0) {
        thg_parallel_for(jobs, threads, 1, plan_blocks, &work);
    }
    return atomic_load(&work.moved);
}

void thg_count_walkers(throng_walkers *walkers, const uint32_t *list, uint32_t count, int sign)
{
    for (uint32_t k = 0; k < count; k++) {
        unsigned status = walkers->statuses[list[k]] & THG_STATUS;
        walkers->now.walking += status == THRONG_WALKER_WALKING ? sign : 0;
        walkers->now.arrived += status == THRONG_WALKER_ARRIVED ? sign : 0;
        walkers->now.unreachable += status == THRONG_WALKER_UNREACHABLE ? sign : 0;
    }
}

static int serve_plan(throng_walkers *walkers, thg_search *search, uint32_t i)
{
    thg_walker_plan(walkers, search, i);
    return 0;
}

throng_result throng_walkers_set_goals(throng_walkers *walkers, throng_jobs *jobs, int first,
                                       int count, const throng_rooms_goal *goals)
{
    const throng_rooms *rooms = walkers->rooms;
    if (first < 0 || count < 0 || first > walkers->count - count) {
        return THRONG_BAD_ARGUMENT;
    }
    for (int i = 0; i < count; i++) {
        bool good = goals[i].is_room
                        ? goals[i].index >= 1 && goals[i].index <= (int)rooms->room_count
                        : throng_rooms_at(rooms, goals[i].index) != 0;
        if (!good) {
            return THRONG_BAD_ARGUMENT;
        }
    }
    for (int i = 0; i < count; i++) {
        walkers->walkers[walkers->places[first + i]].goal =
            (uint32_t)goals[i].index | (goals[i].is_room ? THG_ROOM_GOAL : 0);
    }
    const uint32_t *list = walkers->places + first;
    thg_count_walkers(walkers, list, (uint32_t)count, -1);
    if ((uint32_t)count < 2 * rooms->entry_count || !thg_plan_many(walkers, jobs, first, count)) {
        thg_serve_walkers(walkers, jobs, list, (uint32_t)count, serve_plan);
    }
    thg_count_walkers(walkers, list, (uint32_t)count, 1);
    return THRONG_OK;
}
