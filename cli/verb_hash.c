/// throng hash: the state hash every so many steps, for comparing machines, builds and threads.
#include "cli.h"
#include <inttypes.h>
#include <stdio.h>
#include <throng_io/world.h>

typedef struct hash_options {
    int steps, every, threads;
    throng_kernels kernels;
    const char *save, *restore;
    bool json;
} hash_options;

static const cli_option options[] = {
    {"--steps", "N", "go on until step N (the scene's end)", CLI_WHOLE,
     offsetof(hash_options, steps), 1, 1e9},
    {"--every", "K", "a line every K steps (100)", CLI_WHOLE, offsetof(hash_options, every), 1,
     1e9},
    {"--threads", "T", "threads (as the scene says)", CLI_WHOLE, offsetof(hash_options, threads), 1,
     64},
    {"--kernels", "NAME", "auto, scalar, portable, avx2 or avx512", CLI_KERNELS,
     offsetof(hash_options, kernels), 0, 0},
    {"--save", "FILE", "leave a snapshot of the last step", CLI_TEXT, offsetof(hash_options, save),
     0, 0},
    {"--restore", "FILE", "go on from a snapshot of this scene", CLI_TEXT,
     offsetof(hash_options, restore), 0, 0},
    {"--json", NULL, "one JSON object a line", CLI_FLAG, offsetof(hash_options, json), 0, 0},
};

static void defaults(void *out)
{
    *(hash_options *)out = (hash_options){.every = 100};
}

static void print_hash(const hash_options *wanted, const throng_crowd *crowd)
{
    cli_progress_end();
    printf(wanted->json ? "{\"step\": %" PRIu64 ", \"hash\": \"%016" PRIx64 "\"}\n"
                        : "step %" PRIu64 " hash %016" PRIx64 "\n",
           throng_crowd_step_count(crowd), throng_crowd_hash(crowd));
    fflush(stdout);
}

static int hash_world(const hash_options *wanted, throng_world *world, double seconds)
{
    throng_error error = {0};
    if (wanted->restore != NULL &&
        throng_world_resume(world, wanted->restore, &error) != THRONG_OK) {
        return cli_fail(&error);
    }
    throng_crowd *crowd = throng_world_crowd(world);
    uint64_t last = UINT64_MAX;
    while (wanted->steps > 0 ? throng_crowd_step_count(crowd) < (uint64_t)wanted->steps
                             : !throng_world_done(world)) {
        throng_world_step(world);
        uint64_t step = throng_crowd_step_count(crowd);
        if (step % (uint64_t)wanted->every == 0) {
            print_hash(wanted, crowd);
            last = step;
        }
        cli_progress("hash", wanted->steps > 0 ? (double)step : throng_crowd_time(crowd),
                     wanted->steps > 0 ? wanted->steps : seconds);
    }
    cli_progress_end();
    if (last != throng_crowd_step_count(crowd)) {
        print_hash(wanted, crowd);
    }
    if (wanted->save != NULL && throng_crowd_save(crowd, wanted->save, &error) != THRONG_OK) {
        return cli_fail(&error);
    }
    return CLI_FINE;
}

static int run(void *given, int count, char **arguments)
{
    const hash_options *wanted = given;
    (void)count;
    throng_scene *scene = NULL;
    if (!cli_has_kernels(&cli_hash, wanted->kernels) ||
        (scene = cli_load_scene(arguments[0])) == NULL) {
        return CLI_BAD_INPUT;
    }
    throng_error error = {0};
    throng_world_options options_of_world = throng_default_world_options();
    options_of_world.threads = wanted->threads;
    options_of_world.kernels = wanted->kernels;
    options_of_world.measure_every = 0;
    throng_world *world = NULL;
    int status = throng_world_create(scene, &options_of_world, &world, &error) == THRONG_OK
                     ? hash_world(wanted, world, throng_scene_seconds(scene))
                     : cli_fail(&error);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
    return status;
}

const cli_verb cli_hash = {
    .name = "hash",
    .arguments = "SCENE",
    .summary = "state hash every K steps",
    .text =
        "The same scene gives the same lines on every machine, thread count, compiler and build.\n"
        "With --restore the run goes on at the snapshot's step.",
    .example = "throng hash scenes/city.json --steps 300 --every 100 --threads 4",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least = 1,
    .most = 1,
    .defaults = defaults,
    .run = run,
};
