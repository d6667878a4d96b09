/// Crowds on planets: what lies between the flat rules of the crowd and the sphere.
///
/// Positions are those of the planet's atlas, velocities metres east and north where the agent is.
/// Whoever looks at others does it in the plane that touches the planet at his place: rows around
/// are gathered there, himself at the origin, and the rules and kernels for flat maps see no
/// difference. Whoever moves goes along a great circle, and his velocity is carried along. So edges
/// and corners of the cube are places like all others, and a metre is a metre everywhere.
#ifndef THG_CROWD_PLANET_H
#define THG_CROWD_PLANET_H

#include "crowd/crowd.h"
#include "field/planet.h"

#define THG_LOCAL_MOST 1024 ///< rows that one row sees at most

/// What one row sees. Row 0 is itself.
typedef struct thg_local thg_local;
struct thg_local {
    throng_crowd crowd; ///< the crowd as if there were these rows alone; spots[0] is the row's own
    thg_rows rows;      ///< the same, for kernels
    thg_ranges ranges;  ///< all of them
    int count;
    float x[THG_LOCAL_MOST + THG_ROW_PADDING], y[THG_LOCAL_MOST + THG_ROW_PADDING];
    float vx[THG_LOCAL_MOST + THG_ROW_PADDING], vy[THG_LOCAL_MOST + THG_ROW_PADDING];
    float wish_x[THG_LOCAL_MOST + THG_ROW_PADDING], wish_y[THG_LOCAL_MOST + THG_ROW_PADDING];
    float radius[THG_LOCAL_MOST + THG_ROW_PADDING], yield[THG_LOCAL_MOST + THG_ROW_PADDING];
    float key[THG_LOCAL_MOST + THG_ROW_PADDING], stir[THG_LOCAL_MOST + THG_ROW_PADDING];
    float rank[THG_LOCAL_MOST + THG_ROW_PADDING];
    uint32_t who[THG_LOCAL_MOST + THG_ROW_PADDING], minds[THG_LOCAL_MOST + THG_ROW_PADDING];
    uint32_t slot[THG_LOCAL_MOST + THG_ROW_PADDING];
    uint16_t goal[THG_LOCAL_MOST + THG_ROW_PADDING];
    uint8_t profile[THG_LOCAL_MOST + THG_ROW_PADDING], status[THG_LOCAL_MOST + THG_ROW_PADDING];
};

// ---- planet_local.c
/// Once for each block of rows, before the first look.
void thg_local_begin(thg_local *local, const throng_crowd *crowd);
/// Gathers what a row sees of some ranges of rows within so many metres.
void thg_local_look(thg_local *local, const throng_crowd *crowd, int row, const thg_ranges *ranges,
                    float reach);
/// Gathers those that a row touches, and some that it nearly does, without how they move.
void thg_local_touch(thg_local *local, const throng_crowd *crowd, int row,
                     const thg_ranges *ranges);
/// Makes spots those of the positions of the columns.
void thg_spots_refresh(throng_crowd *crowd);
/// After a substep's moves: the velocity as the way made says, carried to where the row is now.
void thg_planet_find_velocity(throng_crowd *crowd, int row, float dt);
/// Moves one that the host drives.
void thg_planet_drive(throng_crowd *crowd, int row, float dt);

// ---- planet_bins.c
/// Lays a level's bins over the faces, so that three bins across show everybody within `size`
/// metres. Returns how many there are.
double thg_planet_lay_level(thg_level *level, const throng_planet *planet, float size);
uint32_t thg_planet_bin(const throng_planet *planet, const thg_level *level, float x, float y);
/// Columns and lines of bins of a face, which may reach beyond its edges.
typedef struct thg_window {
    int face, x0, y0, x1, y1;
} thg_window;
/// The bins of another level, or of its own, around those of a level.
thg_window thg_planet_window(const thg_level *own, uint32_t bin, const thg_level *other,
                             float reach);
/// The bins of a window as runs of neighbours: first bins and how many; at most THG_MAX_RANGES.
int thg_planet_runs(const thg_level *level, thg_window window, uint32_t *first, uint32_t *count);
/// Adds the rows of a window of bins to ranges, at most `most` of a run. Returns how many they are.
int thg_planet_add_window(const thg_bins *bins, const thg_level *level, thg_window window, int most,
                          thg_ranges *ranges);
/// thg_ranges_narrow and thg_ranges_view on a planet.
void thg_planet_ranges_of(const throng_crowd *crowd, uint32_t bin, bool view, thg_ranges *ranges);
/// The rows of all levels within reach of a row, as ranges.
void thg_planet_ranges(const throng_crowd *crowd, int row, float reach, thg_ranges *ranges);

// ---- planet_goals.c
float thg_planet_nearest_point(const throng_crowd *crowd, int row, throng_vec2 *point);
bool thg_planet_goal_in_sight(const throng_crowd *crowd, int row, throng_vec2 to, float cells,
                              throng_vec2 *way);

// ---- planet_moves.c
bool thg_planet_push_out(const throng_planet *planet, const thg_layer *layer, float radius,
                         float *x, float *y);
void thg_planet_shift(const throng_map *map, const thg_layer *layer, const thg_profile *profile,
                      float dx, float dy, float *x, float *y);
/// The same from the spot of (*x, *y). True when all of it was gone, or no wall is near.
bool thg_planet_shift_from(const thg_spot *from, const throng_map *map, const thg_layer *layer,
                           const thg_profile *profile, float dx, float dy, float *x, float *y);
void thg_planet_slide(const throng_map *map, const thg_layer *layer, const thg_profile *profile,
                      float dx, float dy, float *x, float *y);
void thg_planet_repel(const throng_planet *planet, const thg_profile *profile, float x, float y,
                      float *push_x, float *push_y);
float thg_planet_free_way(const throng_map *map, const thg_layer *layer, float x, float y, float dx,
                          float dy, float length);

#endif
