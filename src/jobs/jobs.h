/// parallel_for for the stages: blocks of a fixed size, whatever the number of threads.
#ifndef THG_JOBS_H
#define THG_JOBS_H

#include <throng/jobs.h>

/// Handles rows [first, end) of a range; `block` counts the blocks, for sums kept per block.
typedef void thg_range(void *context, int first, int end, int block);

/// Runs `run` over [0, count) in blocks of `block_size` rows. NULL jobs: in order, on this thread.
void thg_parallel_for(throng_jobs *jobs, int count, int block_size, thg_range *run, void *context);

#endif
