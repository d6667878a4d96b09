/// Steering orders that a scene gives: the i-th agent of a group gets its order about the i-th of
/// those whom it is about, round and round when they are fewer.
#include "world_model.h"
#include <stdlib.h>

/// Living agents of some groups, in spawn order. NULL without memory.
static throng_agent_id *list_agents(const throng_world *world, uint64_t groups, int *count)
{
    throng_agent_id *list = malloc(((size_t)world->track_count + 1) * sizeof *list);
    *count = 0;
    for (int i = 0; i < world->track_count && list != NULL; i++) {
        const thg_track *track = &world->tracks[i];
        bool lives = throng_crowd_find(world->crowd, track->id) >= 0 || track->stamp == 0;
        if ((groups >> track->group & 1) != 0 && lives && !track->left) {
            list[(*count)++] = track->id;
        }
    }
    return list;
}

throng_result thg_world_steer(throng_world *world, uint64_t groups, int first_track,
                              const thg_steer_model *steer)
{
    int count = 0, given = 0;
    throng_agent_id *whom = steer->whom != 0 ? list_agents(world, steer->whom, &count) : NULL;
    throng_result result = steer->whom != 0 && whom == NULL ? THRONG_NO_MEMORY : THRONG_OK;
    throng_steer_def def = throng_default_steer_def();
    def.kind = (throng_steer_kind)steer->kind;
    def.point = thg_world_turned(world, steer->point);
    def.radius = steer->radius;
    def.weight = steer->weight;
    def.wall_weight = steer->wall_weight;
    for (int i = 0; i < world->track_count && result != THRONG_NO_MEMORY; i++) {
        const thg_track *track = &world->tracks[i];
        if ((groups >> track->group & 1) == 0) {
            continue;
        }
        int ordinal = given++;
        if (i < first_track || (steer->whom != 0 && count == 0)) {
            continue; // nobody is left whom it could be about
        }
        def.agent = count > 0 ? whom[ordinal % count] : (throng_agent_id){0, 0};
        result = throng_crowd_steer(world->crowd, track->id, &def);
    }
    free(whom);
    return result == THRONG_NO_MEMORY ? result : THRONG_OK; // those who have gone are passed over
}
