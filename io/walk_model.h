/// A walk from inside.
#ifndef THG_WALK_MODEL_H
#define THG_WALK_MODEL_H

#include <throng_io/walk.h>

struct throng_walk {
    throng_walk_def def;
    throng_map *own_map; ///< of a maze or of a scene; NULL: the definition's
    const throng_map *map;
    uint16_t *zones;           ///< of a maze
    throng_walk_group *groups; ///< own copies
    throng_jobs *jobs;
    throng_rooms *rooms;
    throng_walkers *walkers;
    uint64_t door_state; ///< of the draw of random doors
    int next_change;
    double *times; ///< [steps] seconds
    throng_walk_summary sum;
};

/// As throng_walk_create, with a map that the walk owns from then on, also after a failure.
throng_result thg_walk_create(const throng_walk_def *def, throng_map *own_map, throng_walk **walk,
                              throng_error *error);

#endif
