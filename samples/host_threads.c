/// The host's own threads: the library cuts the blocks, the host's scheduler runs them.
///
/// Here the scheduler is a plain loop from the last block to the first, which shows that the order
/// of blocks does not matter: the hash is that of the library's own pool.
#include <inttypes.h>
#include <stdio.h>
#include <throng/throng.h>

static void backwards(void *host, int block_count, throng_block *run, void *context)
{
    int *calls = host;
    (*calls)++;
    for (int block = block_count - 1; block >= 0; block--) {
        run(context, block);
    }
}

static uint64_t simulate(throng_jobs *jobs)
{
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = 100;
    throng_map *map = NULL;
    throng_map_create(&map_def, &map);
    throng_class_def class_def = throng_default_class_def();
    int class_index;
    throng_map_add_class(map, &class_def, &class_index);
    throng_profile_def person = throng_default_profile_def();
    throng_crowd_def def = throng_default_crowd_def();
    def.map = map;
    def.jobs = jobs;
    def.profiles = &person;
    def.profile_count = 1;
    def.max_agents = 4000;
    throng_crowd *crowd = NULL;
    if (throng_crowd_create(&def, &crowd) != THRONG_OK) {
        return 0;
    }
    throng_vec2 middle = {50, 50};
    throng_goal_def goal_def = throng_default_goal_def();
    goal_def.shape.points = &middle;
    goal_def.shape.point_count = 1;
    throng_goal_id goal;
    throng_crowd_add_goal(crowd, &goal_def, &goal);
    for (int i = 0; i < 4000; i++) {
        throng_spawn_def spawn = {.position = {2.0f + (i % 64) * 1.5f, 2.0f + (i / 64) * 1.5f},
                                  .goal = goal};
        throng_crowd_spawn(crowd, &spawn, NULL);
    }
    for (int i = 0; i < 60; i++) {
        throng_crowd_step(crowd, 1.0f / 30.0f);
    }
    uint64_t hash = throng_crowd_hash(crowd);
    throng_crowd_destroy(crowd);
    throng_map_destroy(map);
    return hash;
}

int main(void)
{
    int calls = 0;
    throng_jobs *own = NULL, *hosted = NULL;
    if (throng_jobs_create(4, &own) != THRONG_OK ||
        throng_jobs_create_host(backwards, &calls, 8, &hosted) != THRONG_OK) {
        return 1;
    }
    uint64_t by_pool = simulate(own), by_host = simulate(hosted);
    printf("own pool %016" PRIx64 ", host %016" PRIx64 " in %d calls\n", by_pool, by_host, calls);
    throng_jobs_destroy(own);
    throng_jobs_destroy(hosted);
    return by_pool == by_host && by_pool != 0 && calls > 0 ? 0 : 1;
}
