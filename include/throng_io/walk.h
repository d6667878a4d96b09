/// Walks: rooms, walkers on them, and doors that change by a plan. What `throng rooms` shows and
/// what a scene with the key `walkers` runs (docs/scenes.md).
///
/// A walk goes from cell to cell, one cell a step, where a world (throng_io/world.h) moves agents
/// by metres. Cells are columns and rows of the map.
#ifndef THRONG_IO_WALK_H
#define THRONG_IO_WALK_H

#include <throng/rooms.h>
#include <throng_io/picture.h>
#include <throng_io/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_walk throng_walk;

typedef enum throng_walk_to {
    THRONG_TO_CELLS = 0, ///< each to a random cell of its own
    THRONG_TO_ROOMS,     ///< each to a random room of its own
    THRONG_TO_CELL,      ///< all to one cell
    THRONG_TO_ROOM       ///< all to one room
} throng_walk_to;

/// Walkers that begin at random places.
typedef struct throng_walk_group {
    int count;
    throng_cell_rect from; ///< where they begin; width 0: anywhere
    throng_walk_to to;
    int x, y; ///< the one cell
    int room; ///< the one room, from 1
    uint64_t seed;
    bool watched; ///< pictures of the whole map show these, and the field of their goal
} throng_walk_group;

/// A door that changes before a step.
typedef struct throng_walk_change {
    int step; ///< [0, steps)
    int x, y; ///< the door's cell
    throng_door state;
} throng_walk_change;

typedef struct throng_walk_def {
    uint32_t cookie;       ///< set by throng_default_walk_def()
    const throng_map *map; ///< with a class 0; NULL: `maze` is made
    throng_maze_def maze;
    const uint16_t *zones;           ///< rooms of the map's cells; NULL: they are cut from it
    int most_cells;                  ///< of a room that is cut from the map
    bool diagonal;                   ///< eight neighbours
    const throng_walk_group *groups; ///< may be none: rooms without walkers
    int group_count;
    const throng_walk_change *changes; ///< by step
    int change_count;
    int close_every;    ///< steps after which a random door closes; it opens half way on. 0 never
    uint64_t door_seed; ///< which ones
    int refresh_rows;   ///< stale rows rebuilt in a step; a quarter where a door changes
    int most_plans;     ///< as in throng_walkers_def
    int steps;
    int threads; ///< [1, 64]
} throng_walk_def;

/// The default maze, four neighbours, no walkers, one thread.
THRONG_API throng_walk_def throng_default_walk_def(void);

/// Makes map, rooms and walkers and plans all ways. Lists and map must outlive the walk.
/// THRONG_BAD_ARGUMENT, THRONG_BAD_DATA, THRONG_LIMIT, THRONG_NO_MEMORY with *error.
THRONG_API throng_result throng_walk_create(const throng_walk_def *def, throng_walk **walk,
                                            throng_error *error);
THRONG_API void throng_walk_destroy(throng_walk *walk);

/// True when a scene has walkers: it makes a walk, not a world.
THRONG_API bool throng_scene_has_walkers(const throng_scene *scene);

/// A scene's walk. threads 0 and steps 0: as the scene says; `seed` is added to every group's. The
/// scene must outlive it. Errors as throng_walk_create, and those of the scene's map.
THRONG_API throng_result throng_walk_open(const throng_scene *scene, int threads, uint64_t seed,
                                          int steps, throng_walk **walk, throng_error *error);

/// One step with the doors that change before it. False when all steps are done, or nobody walks
/// and no door will change.
THRONG_API bool throng_walk_step(throng_walk *walk);

THRONG_API const throng_map *throng_walk_map(const throng_walk *walk);
THRONG_API throng_rooms *throng_walk_rooms(const throng_walk *walk);
/// NULL when there are none.
THRONG_API throng_walkers *throng_walk_walkers(const throng_walk *walk);

typedef struct throng_walk_summary {
    int step, steps; ///< done, and at most
    int walkers;
    throng_walkers_summary last;      ///< of the last step
    int changes;                      ///< doors that changed so far
    int closed_door;                  ///< the random one that is closed now, -1: none
    int most_waiting;                 ///< waited to plan anew after a step, at most
    uint64_t moved;                   ///< cells walked by all
    double plan_seconds;              ///< for all ways at the start
    double seconds;                   ///< of all steps together, doors included
    double median_step, slowest_step; ///< seconds
} throng_walk_summary;
THRONG_API throng_walk_summary throng_walk_get_summary(const throng_walk *walk);

// ---- Pictures ----------------------------------------------------------------------------------

/// Some cells of a map on some pixels of a picture. A cell is a square of pixels, or, where there
/// are more cells than pixels, a pixel shows one of its cells.
typedef struct throng_cell_view {
    throng_pixel_rect area;
    throng_cell_rect cells;
} throng_cell_view;

/// Rooms in colours that differ from their neighbours', doors white, closed ones red, walls dark.
/// `brightness` in [0, 1].
THRONG_API void throng_picture_draw_rooms(throng_picture *picture, const throng_cell_view *view,
                                          const throng_map *map, const throng_rooms *rooms,
                                          float brightness);

/// Lengths to somewhere (width * height, as throng_rooms_lengths gives): white there, dark far
/// away, black where no way leads.
THRONG_API void throng_picture_draw_lengths(throng_picture *picture, const throng_cell_view *view,
                                            const throng_map *map, const uint32_t *lengths,
                                            float brightness);

/// Walkers as dots in the colour of their status; `first` to `end` by number, end 0: all.
THRONG_API void throng_picture_draw_walkers(throng_picture *picture, const throng_cell_view *view,
                                            const throng_map *map, const throng_walkers *walkers,
                                            uint32_t first, uint32_t end);

/// The whole picture of a walk: the map with the field of the watched group's goal and its walkers;
/// beside it a part of the map, magnified, with everybody; what the colours mean.
typedef struct throng_walk_picture throng_walk_picture;

/// `size` pixels for the map's longer side. THRONG_NO_MEMORY, THRONG_BAD_ARGUMENT.
THRONG_API throng_result throng_walk_picture_create(throng_walk *walk, const char *title,
                                                    const char *subtitle, int size,
                                                    throng_walk_picture **picture);
THRONG_API void throng_walk_picture_destroy(throng_walk_picture *picture);
/// Draws the walk as it is now; the result is valid until the next call.
THRONG_API const throng_picture *throng_walk_picture_draw(throng_walk_picture *picture);

#ifdef __cplusplus
}
#endif

#endif
