/// Walkers from inside.
#ifndef THG_WALKERS_H
#define THG_WALKERS_H

#include "rooms/changes.h"
#include "rooms/inside.h"
#include "rooms/stride.h"

#define THG_ROOM_GOAL 0x80000000u ///< bit of a goal that is a room
#define THG_REPLAN 0x80u          ///< bit of a status: the way may be wrong by now
#define THG_STATUS 0x0fu

/// What a walker needs at doors only. Lengths are units.
typedef struct thg_walker {
    uint32_t next_door; ///< where this leg ends; THG_NONE on the last leg
    uint32_t last_door; ///< the last door of the way, THG_NONE: no door at all
    uint32_t goal;      ///< cell, or THG_ROOM_GOAL | room
    uint32_t left;      ///< from the end of this leg to the goal
    uint32_t tail;      ///< from the last door to the goal
    uint32_t leg;       ///< at least what is left of this leg
    uint32_t version;   ///< rows as new as this are right for the rest of the way
    uint32_t asked;     ///< version of the last doors that a way in doubt was right for; 0: unknown
} thg_walker;

struct throng_walkers {
    throng_rooms *rooms;
    int count, most_plans;
    uint32_t version; ///< of the doors that all ways were planned or checked for
    uint32_t *ids;    ///< of the walker at each place; places are sorted by the room they began in,
    uint32_t *places; ///< so that neighbours read the same rows. All arrays below are by place
    uint32_t *cells;
    uint64_t *moves; ///< packed legs, as stride.h knows them
    uint8_t *statuses;
    thg_walker *walkers;
    uint32_t *slow;       ///< those of each block that rows cannot help, in the block's places
    uint32_t *slow_count; ///< [blocks]
    uint32_t *queue;      ///< whom the hierarchy serves in this step
    uint32_t queue_from;  ///< first place of the next queue: everybody gets a turn
    throng_walkers_summary *sums; ///< of each block in this step
    throng_walkers_summary now;   ///< how many walk, have arrived, have no way
    thg_stride *stride;
    uint32_t *room_first;          ///< for planning many: walkers by room
    bool come_back;                ///< as in the def
    struct thg_crowded *crowded;   ///< with one walker a cell, else NULL
    uint32_t *to_room, *from_room; ///< least lengths between a changed door and each room
    thg_changes changes;
    uint32_t *change_lengths; ///< of all of them
    uint32_t *by_rank;        ///< [doors] lengths before they are put in the order of doors
    int changed;              ///< doors since the last step
};

#define THG_WALKER_BLOCK 4096

/// Plans the way from where the walker stands. `search` is this thread's.
void thg_walker_plan(throng_walkers *walkers, thg_search *search, uint32_t i);

/// The walker stands where its leg ends, or its leg goes on: fills in the next moves, or ends the
/// way. False when only a search can tell (then nothing is changed).
bool thg_walker_turn(throng_walkers *walkers, uint32_t i);

/// The same with a search at hand.
void thg_walker_turn_slowly(throng_walkers *walkers, thg_search *search, uint32_t i);

/// Turns and moves walkers whose legs have ended, in order; who needs a search is put into `slow`
/// (which may be the list), as many as it returns. Adds to sum->moved and ->arrived.
uint32_t thg_turn_walkers(throng_walkers *walkers, const uint32_t *list, uint32_t count,
                          uint32_t *slow, throng_walkers_summary *sum);

/// Serves a list of walkers on all threads, each with a search of its thread. Returns the sum.
typedef int thg_serve(throng_walkers *walkers, thg_search *search, uint32_t i);
int thg_serve_walkers(throng_walkers *walkers, throng_jobs *jobs, const uint32_t *list,
                      uint32_t count, thg_serve *serve);

/// Adds `sign` to walkers->now for each of a list.
void thg_count_walkers(throng_walkers *walkers, const uint32_t *list, uint32_t count, int sign);

/// Length from where the walker stands to its next door, which there is; no delay.
uint32_t thg_walker_leg_left(const throng_walkers *walkers, uint32_t i);

/// Walks on, on a way that was in doubt and is right again.
void thg_walker_resume(throng_walkers *walkers, uint32_t i);

/// Sets the walker on a planned way.
void thg_walker_begin(throng_walkers *walkers, thg_search *search, uint32_t i, uint32_t length,
                      const thg_seed *first, const thg_seed *last);

/// One walker a cell: what it needs, and a step of it. The former is false without memory, and sets
/// *taken when two begin in one cell.
bool thg_crowded_create(throng_walkers *walkers, bool *taken);
void thg_crowded_release(throng_walkers *walkers);
throng_walkers_summary thg_crowded_step(throng_walkers *walkers);

/// Plans for walkers [first, first + count) at once, sixteen doors a sweep. False when lengths are
/// too long for that.
bool thg_plan_many(throng_walkers *walkers, throng_jobs *jobs, int first, int count);

static inline size_t thg_walker_blocks(const throng_walkers *walkers)
{
    return ((size_t)walkers->count + THG_WALKER_BLOCK - 1) / THG_WALKER_BLOCK;
}

/// The walker's way may be wrong by now: it plans anew before it goes on. `right_for` is the
/// version of the doors that it was right for, 0 where that is nothing to come back to.
static inline void thg_walker_ask(throng_walkers *walkers, uint32_t i, uint32_t right_for)
{
    walkers->walkers[i].asked = right_for;
    walkers->statuses[i] |= THG_REPLAN;
    walkers->moves[i] = THG_LEG_WAITS;
}

/// A walker that has just turned moves, unless it has arrived or has nowhere to go.
static inline int thg_walker_move_on(throng_walkers *walkers, uint32_t i)
{
    uint64_t moves = walkers->moves[i];
    if (moves < 8) {
        return 0;
    }
    walkers->cells[i] += (uint32_t)walkers->rooms->move_cells[moves & 7u];
    walkers->moves[i] = moves >> 3;
    return 1;
}

/// True when the row of the walker's next door is there and right for the rest of its way.
static inline bool thg_row_helps(const throng_walkers *walkers, const thg_walker *walker)
{
    uint32_t row = walkers->rooms->rows.posts[walker->next_door].version;
    return row != 0 && (row >= walker->version ||
                        thg_changes_spare(&walkers->changes, walkers->rooms, row, walker->next_door,
                                          walker->last_door, walker->left, walker->tail));
}

static inline throng_rooms_goal thg_goal_of(const thg_walker *walker)
{
    throng_rooms_goal goal = {(walker->goal & THG_ROOM_GOAL) != 0,
                              (int)(walker->goal & ~THG_ROOM_GOAL)};
    return goal;
}

#endif
