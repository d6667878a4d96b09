/// What the two trajectory formats share.
#ifndef THG_TRAJECTORY_FORMAT_H
#define THG_TRAJECTORY_FORMAT_H

#include "file.h"
#include <throng_io/trajectory.h>

typedef struct thg_sqlite_trajectory thg_sqlite_trajectory;

/// Creates the database `beside`, whose errors name `path`, with its first geometry.
throng_result thg_sqlite_open(const char *beside, const char *path,
                              const throng_trajectory_def *def, thg_sqlite_trajectory **out,
                              throng_error *error);
/// `geometry`: WKT when it has changed, else NULL.
throng_result thg_sqlite_frame(thg_sqlite_trajectory *out, int64_t frame, const char *geometry,
                               throng_agents_view agents, throng_error *error);
/// Commits and closes; frees everything either way.
throng_result thg_sqlite_close(thg_sqlite_trajectory *out, bool keep, throng_error *error);

#endif
