/// The pool: workers that take blocks from a counter, and the same interface over a host's pool.
///
/// Nothing here can change a result. The library cuts the blocks before it calls, every block is
/// run exactly once, and which thread runs it, and when, is nowhere visible to the block.
///
/// A call opens a job, works on it with whoever comes, and closes it when no block is left to take.
/// Workers enter and leave under the lock; a worker that wakes too late finds the job closed and
/// goes back to wait. So a call never waits for a sleeping worker, only for blocks already begun.
/// Idle workers watch the job number for some microseconds, because the stages of a step follow
/// one another quickly, and then sleep.
#include "core/core.h"
#include "jobs/jobs.h"
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>

#define MAX_THREADS 64
/// Looks at the job number before a worker sleeps, or at the workers before a caller does: first in
/// the processor's own pause, then handing the core to whoever else wants it.
#define PAUSES 200
#define YIELDS 40

typedef struct job {
    throng_block *run;
    void *context;
    unsigned block_count;
} job;

struct throng_jobs {
    int thread_count;
    throng_parallel_for *host_for; ///< NULL: the pool's own threads
    void *host;
    atomic_bool busy; ///< a parallel_for is running: they cannot be nested

    int worker_count; ///< threads that were started
    pthread_t workers[MAX_THREADS - 1];
    pthread_mutex_t lock;
    pthread_cond_t wake; ///< workers: a job is open, or the pool ends
    pthread_cond_t left; ///< caller: the last worker has left the job

    // Under the lock.
    job work;
    bool open; ///< workers may enter
    bool ending;
    int sleeping;       ///< workers in a wait on `wake`
    bool caller_sleeps; ///< in a wait on `left`

    // Written under the lock, watched without it.
    alignas(64) atomic_uint job_number;
    alignas(64) atomic_int inside; ///< workers that are in the job

    alignas(64) atomic_uint next_block;
};

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/// Takes and runs blocks until there are none left to take.
static void job_work(throng_jobs *jobs, const job *work)
{
    for (;;) {
        unsigned block = atomic_fetch_add_explicit(&jobs->next_block, 1, memory_order_relaxed);
        if (block >= work->block_count) {
            return;
        }
        work->run(work->context, (int)block);
    }
}

/// Watches until the job number is no longer `seen`, for some microseconds at most.
static void worker_watch(throng_jobs *jobs, unsigned seen)
{
    for (int i = 0; i < PAUSES + YIELDS; i++) {
        if (atomic_load_explicit(&jobs->job_number, memory_order_relaxed) != seen) {
            return;
        }
        i < PAUSES ? pause_briefly() : (void)sched_yield();
    }
}

/// Waits for a job that is not `*seen` and enters it. False when the pool ends.
static bool worker_enter(throng_jobs *jobs, unsigned *seen, job *work)
{
    worker_watch(jobs, *seen);
    pthread_mutex_lock(&jobs->lock);
    while (!jobs->ending) {
        unsigned number = atomic_load_explicit(&jobs->job_number, memory_order_relaxed);
        bool is_new = number != *seen;
        *seen = number;
        if (is_new && jobs->open) {
            atomic_fetch_add_explicit(&jobs->inside, 1, memory_order_relaxed);
            *work = jobs->work;
            pthread_mutex_unlock(&jobs->lock);
            return true;
        }
        jobs->sleeping++;
        pthread_cond_wait(&jobs->wake, &jobs->lock);
        jobs->sleeping--;
    }
    pthread_mutex_unlock(&jobs->lock);
    return false;
}

static void worker_leave(throng_jobs *jobs)
{
    // The caller may go on, and even destroy what the job wrote to, once it sees 0: everything the
    // blocks wrote comes before, and only the lock, which outlives the job, is touched after.
    if (atomic_fetch_sub_explicit(&jobs->inside, 1, memory_order_acq_rel) != 1) {
        return;
    }
    pthread_mutex_lock(&jobs->lock);
    if (jobs->caller_sleeps) {
        pthread_cond_signal(&jobs->left);
    }
    pthread_mutex_unlock(&jobs->lock);
}

static void *worker_main(void *argument)
{
    throng_jobs *jobs = argument;
    unsigned seen = 0;
    job work;
    while (worker_enter(jobs, &seen, &work)) {
        job_work(jobs, &work);
        worker_leave(jobs);
    }
    return NULL;
}

static void job_open(throng_jobs *jobs, const job *work)
{
    pthread_mutex_lock(&jobs->lock);
    jobs->work = *work;
    jobs->open = true;
    atomic_store_explicit(&jobs->next_block, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&jobs->job_number, 1, memory_order_relaxed);
    // One block is the caller's own; to wake more workers than there are others costs for nothing.
    unsigned wanted = work->block_count - 1;
    if (jobs->sleeping > 0 && wanted < (unsigned)jobs->sleeping) {
        for (unsigned i = 0; i < wanted; i++) {
            pthread_cond_signal(&jobs->wake);
        }
    } else if (jobs->sleeping > 0) {
        pthread_cond_broadcast(&jobs->wake);
    }
    pthread_mutex_unlock(&jobs->lock);
}

/// Lets no worker in any more and waits for those that are inside.
static void job_close(throng_jobs *jobs)
{
    pthread_mutex_lock(&jobs->lock);
    jobs->open = false;
    pthread_mutex_unlock(&jobs->lock);
    for (int i = 0; i < PAUSES + YIELDS; i++) {
        if (atomic_load_explicit(&jobs->inside, memory_order_acquire) == 0) {
            return;
        }
        i < PAUSES ? pause_briefly() : (void)sched_yield();
    }
    pthread_mutex_lock(&jobs->lock);
    jobs->caller_sleeps = true;
    while (atomic_load_explicit(&jobs->inside, memory_order_acquire) != 0) {
        pthread_cond_wait(&jobs->left, &jobs->lock);
    }
    jobs->caller_sleeps = false;
    pthread_mutex_unlock(&jobs->lock);
}

static void pool_run(throng_jobs *jobs, int block_count, throng_block *run, void *context)
{
    job work = {run, context, (unsigned)block_count};
    job_open(jobs, &work);
    job_work(jobs, &work);
    job_close(jobs);
}

/// A range and what runs it, for the blocks of one thg_parallel_for.
typedef struct range_job {
    thg_range *run;
    void *context;
    int count, block_size;
} range_job;

static void range_block(void *context, int block)
{
    const range_job *range = context;
    int first = block * range->block_size;
    int rest = range->count - first;
    int length = rest < range->block_size ? rest : range->block_size;
    range->run(range->context, first, first + length, block);
}

void thg_parallel_for(throng_jobs *jobs, int count, int block_size, thg_range *run, void *context)
{
    THRONG_ASSERT(count >= 0 && block_size > 0);
    if (count <= 0) {
        return;
    }
    range_job range = {run, context, count, block_size};
    int block_count = (count - 1) / block_size + 1;
    bool alone =
        jobs == NULL || block_count == 1 || (jobs->host_for == NULL && jobs->worker_count == 0);
    if (!alone && atomic_exchange_explicit(&jobs->busy, true, memory_order_acquire)) {
        THRONG_ASSERT(!"a parallel_for inside of another, or from two threads at once");
        alone = true; // the only thing that is still right
    }
    if (alone) {
        for (int block = 0; block < block_count; block++) {
            range_block(&range, block);
        }
        return;
    }
    if (jobs->host_for != NULL) {
        jobs->host_for(jobs->host, block_count, range_block, &range);
    } else {
        pool_run(jobs, block_count, range_block, &range);
    }
    atomic_store_explicit(&jobs->busy, false, memory_order_release);
}

static throng_jobs *jobs_allocate(int thread_count)
{
    throng_jobs *jobs = thg_allocate(1, sizeof *jobs);
    if (jobs != NULL) {
        jobs->thread_count = thread_count;
    }
    return jobs;
}

/// Lock and conditions, all or none.
static bool signals_create(throng_jobs *jobs)
{
    if (pthread_mutex_init(&jobs->lock, NULL) != 0) {
        return false;
    }
    if (pthread_cond_init(&jobs->wake, NULL) != 0) {
        pthread_mutex_destroy(&jobs->lock);
        return false;
    }
    if (pthread_cond_init(&jobs->left, NULL) != 0) {
        pthread_cond_destroy(&jobs->wake);
        pthread_mutex_destroy(&jobs->lock);
        return false;
    }
    return true;
}

static bool workers_start(throng_jobs *jobs)
{
    for (int i = 0; i < jobs->thread_count - 1; i++) {
        if (pthread_create(&jobs->workers[i], NULL, worker_main, jobs) != 0) {
            return false;
        }
        jobs->worker_count++;
    }
    return true;
}

throng_result throng_jobs_create(int thread_count, throng_jobs **jobs)
{
    THRONG_ASSERT(jobs != NULL);
    if (thread_count < 1 || thread_count > MAX_THREADS) {
        return THRONG_BAD_ARGUMENT;
    }
    throng_jobs *made = jobs_allocate(thread_count);
    if (made == NULL) {
        return THRONG_NO_MEMORY;
    }
    if (!signals_create(made)) {
        thg_release(made, 1, sizeof *made);
        return THRONG_NO_MEMORY;
    }
    if (!workers_start(made)) {
        throng_jobs_destroy(made);
        return THRONG_NO_MEMORY;
    }
    *jobs = made;
    return THRONG_OK;
}

throng_result throng_jobs_create_host(throng_parallel_for *parallel_for, void *host,
                                      int thread_count, throng_jobs **jobs)
{
    THRONG_ASSERT(jobs != NULL);
    if (parallel_for == NULL || thread_count < 1 || thread_count > MAX_THREADS) {
        return THRONG_BAD_ARGUMENT;
    }
    throng_jobs *made = jobs_allocate(thread_count);
    if (made == NULL) {
        return THRONG_NO_MEMORY;
    }
    made->host_for = parallel_for;
    made->host = host;
    *jobs = made;
    return THRONG_OK;
}

void throng_jobs_destroy(throng_jobs *jobs)
{
    if (jobs == NULL) {
        return;
    }
    THRONG_ASSERT(!atomic_load(&jobs->busy));
    if (jobs->host_for == NULL) {
        pthread_mutex_lock(&jobs->lock);
        jobs->ending = true;
        atomic_fetch_add_explicit(&jobs->job_number, 1, memory_order_relaxed); // ends the watching
        pthread_cond_broadcast(&jobs->wake);
        pthread_mutex_unlock(&jobs->lock);
        for (int i = 0; i < jobs->worker_count; i++) {
            pthread_join(jobs->workers[i], NULL);
        }
        pthread_cond_destroy(&jobs->left);
        pthread_cond_destroy(&jobs->wake);
        pthread_mutex_destroy(&jobs->lock);
    }
    thg_release(jobs, 1, sizeof *jobs);
}

int throng_jobs_thread_count(const throng_jobs *jobs)
{
    return jobs != NULL ? jobs->thread_count : 1;
}
