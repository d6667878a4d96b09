/// Serial against parallel: the same steps by the plain kernels, by eight lanes, and by eight lanes
/// on more and more threads. The state is the same whichever it is; the hash says so.
#include "play.h"
#include <math.h>
#include <stdio.h>
#include <throng/replay.h>
#include <unistd.h>

#define WARM_STEPS 10
#define TIMED_STEPS 20
#define LEAST_LANES 4
#define MOST_LANES 16

typedef struct play_threads {
    throng_world *world; ///< of the way that is being measured; NULL between two
    int way, way_count;  ///< 0: plain; then one thread, two ...
    int steps;
    double least, first, plain, best; ///< seconds; of one thread; of the plain kernels
    int best_threads;
    uint64_t hash;
    bool same;
} play_threads;

static void release_threads(void *threads)
{
    throng_world_destroy(((play_threads *)threads)->world);
}

static bool begin_threads(view_play *play, const view_play_place *place)
{
    (void)place;
    play_threads *own = play->own;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int most = (int)(cores < LEAST_LANES ? LEAST_LANES : cores > MOST_LANES ? MOST_LANES : cores);
    own->way_count = 1 + (int)fminf((float)most, play->value + 0.5f);
    return true;
}

static bool open_way(play_threads *own, const view_stage *stage)
{
    throng_world_options options = throng_default_world_options();
    throng_error error;
    options.measure_every = 0;
    options.threads = own->way > 0 ? own->way : 1;
    options.kernels = own->way > 0 ? THRONG_KERNELS_AUTO : THRONG_KERNELS_SCALAR;
    own->steps = 0;
    own->least = INFINITY;
    return throng_world_create(stage->scene, &options, &own->world, &error) == THRONG_OK;
}

static void end_way(view_play *play, play_threads *own)
{
    char name[32] = "plain, one thread";
    uint64_t hash = throng_crowd_hash(throng_world_crowd(own->world));
    throng_world_destroy(own->world);
    own->world = NULL;
    own->same = own->way == 0 || (own->same && hash == own->hash);
    own->hash = hash;
    if (own->way == 0) {
        own->plain = own->least;
    } else {
        snprintf(name, sizeof name, "8 lanes, %d thread%s", own->way, own->way > 1 ? "s" : "");
    }
    own->first = own->way == 1 ? own->least : own->first;
    if (own->best_threads == 0 || own->least < own->best) {
        own->best = own->least;
        own->best_threads = own->way;
    }
    view_play_set(play, name,
                  (double[]){own->way > 0 ? own->way : 1, own->least * 1e3, own->plain / own->least,
                             own->same, NAN});
    own->way++;
    snprintf(play->verdict, sizeof play->verdict,
             "%s Best: %d thread%s, %.1f times as fast as plain, %.1f times as fast as one thread.",
             own->same ? "All end in the same state." : "The states DIFFER.", own->best_threads,
             own->best_threads == 1 ? "" : "s", own->plain / own->best,
             own->way > 1 ? own->first / own->best : 1.0);
    play->done = own->way == own->way_count;
}

static bool work_threads(view_play *play, const view_play_place *place, double seconds)
{
    play_threads *own = play->own;
    double until = view_play_seconds() + seconds;
    do {
        if (own->world == NULL && !open_way(own, place->stage)) {
            return false;
        }
        double start = view_play_seconds();
        throng_world_step(own->world);
        double taken = view_play_seconds() - start;
        if (own->steps++ >= WARM_STEPS) {
            own->least = fmin(own->least, taken);
        }
        if (own->steps == WARM_STEPS + TIMED_STEPS) {
            end_way(play, own);
        }
    } while (!play->done && view_play_seconds() < until);
    return true;
}

const view_play_kind view_play_threads = {
    .name = "threads",
    .title = "Serial against parallel",
    .about = "The same steps of this scene, agent by agent, eight agents at a time, and on several "
             "threads. More threads than cores gain nothing. The least time of 20 steps counts.",
    .slider = "threads",
    .tooltip = "As many are tried, one after the other; no more than the machine has cores, or 4.",
    .low = 1.0f,
    .high = 16.0f,
    .first = 16.0f,
    .whole = true,
    .waits = true,
    .table = {.columns = {"threads", "ms", "times", "same"}, .bars = 1},
    .own_size = sizeof(play_threads),
    .begin = begin_threads,
    .work = work_threads,
    .release = release_threads,
};
