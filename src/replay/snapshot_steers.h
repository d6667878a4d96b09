/// The part of a snapshot that is about steering orders.
#ifndef THG_SNAPSHOT_STEERS_H
#define THG_SNAPSHOT_STEERS_H

#include "crowd/flock.h"
#include "replay/stream.h"

/// The orders of all rows, in row order, after the columns. Reading takes their memory.
/// THRONG_BAD_DATA, THRONG_NO_MEMORY.
throng_result thg_stream_steers(thg_stream *stream, throng_crowd *crowd);

/// False for a command of a steering order that no call would have queued: its crowd
/// has the memory for orders then.
bool thg_stream_steer_command_is_valid(const throng_crowd *crowd, const thg_command *command);

/// Idle without a goal and an order; arrived and cut off only with a goal and without an order.
bool thg_stream_status_is_valid(const throng_crowd *crowd, int row);

#endif
