/// Trajectories: who was where, frame by frame, in the two formats that JuPedSim writes and PedPy
/// reads (load_trajectory_from_txt, load_trajectory_from_jupedsim_sqlite and
/// load_walkable_area_from_jupedsim_sqlite).
///
/// - `.txt`: comment lines `# framerate: 25.00` and `# geometry: POLYGON (...)`, then rows of
///   `id frame x/m y/m z/m a/m b/m angle/deg colour`: a and b are the agent's radius, angle is its
///   heading, colour its speed from 0 (standing) to 255 (2 m/s and more).
/// - `.sqlite`: JuPedSim's schema version 2: metadata(key, value) with version, fps, xmin, xmax,
///   ymin, ymax; geometry(hash, wkt); frame_data(frame, geometry_hash); trajectory_data(frame, id,
///   pos_x, pos_y, ori_x, ori_y).
///
/// Numbers have a point and no grouping whatever the locale. Coordinates are the map's. Ids are
/// stable whole numbers: an agent that is the first in its slot has the slot as its id, later ones
/// generation * 2^32 + slot, so that no two agents of a run share one.
///
/// The geometry is one polygon, for PedPy takes no more: the outline of the largest connected part
/// of the cells that do not block `class_index`, with the walls inside it as holes. Outlines run
/// along cell sides exactly, in metres to four decimals. Smaller parts, which nobody can reach from
/// it, are left out. Beyond THRONG_MAX_WKT_POINTS corners, or where nothing is walkable, it is the
/// map's rectangle. A map edited on the way gets a new geometry from that frame on (sqlite; a text
/// file keeps the first).
#ifndef THRONG_IO_TRAJECTORY_H
#define THRONG_IO_TRAJECTORY_H

#include <throng/crowd.h>

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_WKT_POINTS 200000

typedef struct throng_trajectory throng_trajectory;

typedef struct throng_trajectory_def {
    uint32_t cookie;         ///< set by throng_default_trajectory_def()
    float frames_per_second; ///< of the frames that will be written. [0.001, 10000]
    const throng_map *map;   ///< outlives the trajectory; NULL: no geometry
    int class_index;         ///< whose walls; -1: terrain `wall` alone
} throng_trajectory_def;

/// 10 frames a second, no map, terrain walls.
THRONG_API throng_trajectory_def throng_default_trajectory_def(void);

/// Starts a file beside `path` in the format of its ending. THRONG_BAD_ARGUMENT (another ending, a
/// frame rate out of range), THRONG_CANNOT_WRITE, THRONG_NO_MEMORY.
THRONG_API throng_result throng_trajectory_open(const char *path, const throng_trajectory_def *def,
                                                throng_trajectory **trajectory,
                                                throng_error *error);

/// Writes all agents as the next frame (0, 1, 2 ...). Agents whose place is not a number are a
/// THRONG_BAD_ARGUMENT. About 1.5 us an agent as text, 3 us in
/// SQLite. THRONG_CANNOT_WRITE.
THRONG_API throng_result throng_trajectory_frame(throng_trajectory *trajectory,
                                                 throng_agents_view agents, throng_error *error);

/// Ends the file and gives it its name; frees everything, also after a failure, which leaves what
/// was there before. NULL is allowed.
THRONG_API throng_result throng_trajectory_close(throng_trajectory *trajectory,
                                                 throng_error *error);

/// Frees everything and removes the unfinished file. NULL is allowed.
THRONG_API void throng_trajectory_abort(throng_trajectory *trajectory);

/// The id that trajectories use for an agent.
THRONG_API int64_t throng_trajectory_person(throng_agent_id agent);

/// The geometry as WKT text in memory from malloc, which the caller frees with free. NULL when
/// there is no memory.
THRONG_API char *throng_trajectory_wkt(const throng_map *map, int class_index);

#ifdef __cplusplus
}
#endif

#endif
