/// Replay: the hash that says whether two worlds are the same, and snapshots that bring one back.
///
/// A snapshot holds the whole world: terrain, goals, agents, pending work. Restored into a crowd
/// created from the same defs, in any process on any machine, it continues with the same hashes.
#ifndef THRONG_REPLAY_H
#define THRONG_REPLAY_H

#include <throng/crowd.h>

#ifdef __cplusplus
extern "C" {
#endif

/// 64-bit hash over every saved column in id order, the goals, the terrain and profiles that were
/// changed. Equal worlds have equal hashes on every machine; -0 counts as 0. About 10 ns per
/// agent.
THRONG_API uint64_t throng_crowd_hash(const throng_crowd *crowd);

/// Writes a snapshot to memory that throng_snapshot_free releases. Between steps only. Queued
/// commands are part of it. THRONG_NO_MEMORY.
THRONG_API throng_result throng_crowd_snapshot(const throng_crowd *crowd, void **data,
                                               size_t *size);
THRONG_API void throng_snapshot_free(void *data, size_t size);

/// Makes the crowd and its map what the snapshot says, numbers of profiles too. The crowd must have
/// as many profiles of the same classes, and the same map size, classes, max_agents, max_goals,
/// metric and field_cell_budget; else THRONG_BAD_DATA with *error (may be NULL) naming the byte and
/// what does not fit, and the crowd as it was.
THRONG_API throng_result throng_crowd_restore(throng_crowd *crowd, const void *data, size_t size,
                                              throng_error *error);

/// The same through a file. A failed save leaves no file behind.
THRONG_API throng_result throng_crowd_save(const throng_crowd *crowd, const char *path,
                                           throng_error *error);
THRONG_API throng_result throng_crowd_load(throng_crowd *crowd, const char *path,
                                           throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
