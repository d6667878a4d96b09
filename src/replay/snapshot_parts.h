/// The parts of a snapshot, in the order in which they lie there.
///
/// Each of them counts, writes or reads by the stream's mode. What is read is checked:
/// THRONG_BAD_DATA where it contradicts itself or the crowd, THRONG_NO_MEMORY.
#ifndef THG_SNAPSHOT_PARTS_H
#define THG_SNAPSHOT_PARTS_H

#include "crowd/flock.h"
#include "replay/stream.h"

/// Numbers of the profiles, read into defs whose classes are known; before all that needs memory.
throng_result thg_stream_profiles(thg_stream *stream, const throng_map *map, int count,
                                  throng_profile_def *profiles, uint8_t *changed);
/// False for a queued change of a number that throng_crowd_set_profile would refuse.
bool thg_stream_profile_command_is_valid(const throng_crowd *crowd, const thg_command *command);

throng_result thg_stream_goals(thg_stream *stream, throng_crowd *crowd);

/// The fields that wait to be solved, and how far the first of them is.
throng_result thg_stream_field_queue(thg_stream *stream, throng_crowd *crowd);

/// The crowd in the cost: what was counted, which field is next, and what it reckons with.
throng_result thg_stream_traffic(thg_stream *stream, throng_crowd *crowd);

/// Agents, free slots and queued commands; after the goals.
throng_result thg_stream_agents(thg_stream *stream, throng_crowd *crowd);

/// Takes up again the solve that was under way, once the map and the fields are in place.
void thg_resume_solve(throng_crowd *crowd);

#endif
