/// Threads: one primitive, parallel_for over blocks that the library cuts.
///
/// The library decides the blocks, a pool only runs them, in any order and on any thread. That is
/// why no thread count changes a result: sums are kept per block and added in block order.
#ifndef THRONG_JOBS_H
#define THRONG_JOBS_H

#include <throng/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Runs one block; blocks of one call may run at the same time and never wait for each other.
typedef void throng_block(void *context, int block);

/// A host's own parallel_for: call run(context, block) once for each block in [0, block_count) on
/// any threads, return when all are done.
typedef void throng_parallel_for(void *host, int block_count, throng_block *run, void *context);

typedef struct throng_jobs throng_jobs;

/// A pool of its own with `thread_count` threads in all, the caller's included. [1, 64]
/// Idle workers sleep. One parallel_for runs at a time; crowds stepped on different threads need a
/// pool each. THRONG_NO_MEMORY, THRONG_BAD_ARGUMENT.
THRONG_API throng_result throng_jobs_create(int thread_count, throng_jobs **jobs);

/// A pool that hands its blocks to the host's scheduler. `host` is passed through.
/// `thread_count` is only a hint about how finely to cut. [1, 64]
THRONG_API throng_result throng_jobs_create_host(throng_parallel_for *parallel_for, void *host,
                                                 int thread_count, throng_jobs **jobs);

/// Joins the threads. NULL is allowed.
THRONG_API void throng_jobs_destroy(throng_jobs *jobs);

/// Threads in all, the caller's included. 1 for NULL.
THRONG_API int throng_jobs_thread_count(const throng_jobs *jobs);

#ifdef __cplusplus
}
#endif

#endif
