/// Walls that break: each second that an agent stands before a cell of such a terrain is a hit;
/// with enough of them the cell becomes ground. The library says who attacks what, this is the
/// host's part.
#include "world_model.h"
#include <stdlib.h>

bool thg_world_make_walls(throng_world *world)
{
    if (!world->model->has_strength) {
        return true;
    }
    size_t cells = (size_t)throng_map_width(world->map) * (size_t)throng_map_height(world->map);
    world->hits = calloc(cells, sizeof *world->hits);
    world->attacks = calloc((size_t)world->max_agents, sizeof *world->attacks);
    return world->hits != NULL && world->attacks != NULL;
}

void thg_world_end_walls(throng_world *world)
{
    free(world->hits);
    free(world->attacks);
}

throng_result thg_world_hit_walls(throng_world *world)
{
    if (world->hits == NULL) {
        return THRONG_OK;
    }
    throng_result result = THRONG_OK;
    int count = throng_crowd_attacks(world->crowd, world->attacks, world->max_agents);
    for (int i = 0; i < count && result == THRONG_OK; i++) {
        int x = world->attacks[i].x, y = world->attacks[i].y;
        int kind = throng_map_terrain_at(world->map, x, y), width = throng_map_width(world->map);
        float *hits = &world->hits[(size_t)y * (size_t)width + (size_t)x];
        for (int k = 0; k < world->model->terrain_count; k++) {
            float strength = world->model->strength[k];
            if (world->terrain_kind[k] != kind || !(strength > 0.0f)) {
                continue;
            }
            *hits += (float)world->dt;
            if (*hits >= strength) {
                *hits = 0.0f;
                result = throng_crowd_edit_rect(world->crowd, (throng_cell_rect){x, y, 1, 1},
                                                THRONG_GROUND);
            }
        }
    }
    return result;
}
