/// Walkers in a maze at random places, for tests.
#ifndef WALKERS_FIXTURE_H
#define WALKERS_FIXTURE_H

#include "rooms_fixture.h"

typedef struct walk {
    fixture_maze maze;
    throng_rooms *rooms;
    throng_walkers *walkers;
    int *starts;
    throng_rooms_goal *goals;
    int count;
    bool diagonal;
} walk;

static inline walk make_walk(const throng_maze_def *def, bool diagonal, int count, bool to_rooms,
                             throng_jobs *jobs)
{
    walk made = {.count = count, .diagonal = diagonal};
    uint64_t seed = 5;
    made.maze = fixture_make_maze(def);
    made.rooms = fixture_rooms(made.maze.map, made.maze.zones, diagonal, jobs);
    int cells = made.maze.width * made.maze.height;
    made.starts = malloc((size_t)count * sizeof *made.starts);
    made.goals = malloc((size_t)count * sizeof *made.goals);
    for (int i = 0; i < count; i++) {
        made.starts[i] = fixture_draw_cell(made.rooms, cells, &seed);
        int cell = fixture_draw_cell(made.rooms, cells, &seed);
        made.goals[i] =
            (throng_rooms_goal){to_rooms, to_rooms ? throng_rooms_at(made.rooms, cell) : cell};
    }
    throng_walkers_def walkers_def = throng_default_walkers_def();
    walkers_def.cells = made.starts;
    walkers_def.count = count;
    assert_ok(throng_walkers_create(made.rooms, &walkers_def, &made.walkers));
    assert_ok(throng_walkers_set_goals(made.walkers, jobs, 0, count, made.goals));
    return made;
}

static inline void free_walk(walk *made)
{
    throng_walkers_destroy(made->walkers);
    throng_rooms_destroy(made->rooms);
    fixture_free_maze(&made->maze);
    free(made->starts);
    free(made->goals);
}

#endif
