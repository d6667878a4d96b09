/// parallel_for: every block once, on any number of threads, ours or the host's. src/jobs.
#include "test.h"

#include "core/core.h"
#include "jobs/jobs.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#define MAX_ROWS 10000

typedef struct rows {
    int count, block_size;
    int visits[MAX_ROWS]; ///< not atomic: blocks may not share a row
    int block_of[MAX_ROWS];
    uint32_t sums[MAX_ROWS];
    atomic_int calls;
} rows;

static rows shared_rows;

static void visit(void *context, int first, int end, int block)
{
    rows *all = context;
    for (int i = first; i < end; i++) {
        all->visits[i]++;
        all->block_of[i] = block;
        all->sums[block] += (uint32_t)i * 2654435761u;
    }
    atomic_fetch_add(&all->calls, 1);
}

static rows *fresh_rows(int count, int block_size)
{
    memset(&shared_rows, 0, sizeof shared_rows);
    shared_rows.count = count;
    shared_rows.block_size = block_size;
    return &shared_rows;
}

static void check_rows(const rows *all)
{
    for (int i = 0; i < all->count; i++) {
        assert_int_equal(all->visits[i], 1);
        assert_int_equal(all->block_of[i], i / all->block_size);
    }
    for (int i = all->count; i < MAX_ROWS; i++) {
        assert_int_equal(all->visits[i], 0);
    }
    assert_int_equal(all->calls, (all->count + all->block_size - 1) / all->block_size);
}

static void cover_many_shapes(throng_jobs *jobs)
{
    static const int counts[] = {0, 1, 2, 63, 64, 65, 1000, MAX_ROWS};
    static const int sizes[] = {1, 7, 64, 20000, INT32_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            rows *all = fresh_rows(counts[i], sizes[k]);
            thg_parallel_for(jobs, counts[i], sizes[k], visit, all);
            // check_rows adds the block size to the count
            all->block_size = thg_min_int(sizes[k], 1 << 20);
            check_rows(all);
        }
    }
}

static void every_block_runs_once_for_1_to_8_threads(void **state)
{
    (void)state;
    cover_many_shapes(NULL);
    for (int threads = 1; threads <= 8; threads++) {
        throng_jobs *jobs = NULL;
        assert_ok(throng_jobs_create(threads, &jobs));
        assert_int_equal(throng_jobs_thread_count(jobs), threads);
        cover_many_shapes(jobs);
        throng_jobs_destroy(jobs);
        assert_int_equal(throng_live_bytes(), 0);
    }
}

static void thousands_of_short_calls_lose_no_block(void **state)
{
    (void)state;
    throng_jobs *jobs = NULL;
    assert_ok(throng_jobs_create(4, &jobs));
    for (int call = 0; call < 5000; call++) {
        int count = 1 + call % 97;
        rows *all = &shared_rows;
        memset(all->visits, 0, 100 * sizeof *all->visits);
        all->calls = 0;
        thg_parallel_for(jobs, count, 1 + call % 5, visit, all);
        for (int i = 0; i < 100; i++) {
            assert_int_equal(all->visits[i], i < count);
        }
        if (call % 500 == 0) { // long enough for all workers to fall asleep
            nanosleep(&(struct timespec){0, 2000000}, NULL);
        }
    }
    throng_jobs_destroy(jobs);
}

static void sums_per_block_do_not_depend_on_the_threads(void **state)
{
    (void)state;
    static uint32_t expected[MAX_ROWS];
    rows *all = fresh_rows(MAX_ROWS, 33);
    thg_parallel_for(NULL, MAX_ROWS, 33, visit, all);
    memcpy(expected, all->sums, sizeof expected);
    for (int threads = 2; threads <= 8; threads += 3) {
        throng_jobs *jobs = NULL;
        assert_ok(throng_jobs_create(threads, &jobs));
        all = fresh_rows(MAX_ROWS, 33);
        thg_parallel_for(jobs, MAX_ROWS, 33, visit, all);
        assert_memory_equal(all->sums, expected, sizeof expected);
        throng_jobs_destroy(jobs);
    }
}

typedef struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t all_here;
    int here, expected;
    pthread_t threads[64];
} meeting;

/// Blocks that wait for each other, which real ones never do: proves that they run at once.
static void meet(void *context, int first, int end, int block)
{
    (void)first;
    (void)end;
    meeting *place = context;
    pthread_mutex_lock(&place->lock);
    place->threads[block] = pthread_self();
    place->here++;
    pthread_cond_broadcast(&place->all_here);
    while (place->here < place->expected) {
        pthread_cond_wait(&place->all_here, &place->lock);
    }
    pthread_mutex_unlock(&place->lock);
}

static void all_threads_of_a_pool_work_at_once(void **state)
{
    (void)state;
    for (int threads = 2; threads <= 64; threads = threads < 8 ? threads + 1 : threads * 8) {
        throng_jobs *jobs = NULL;
        assert_ok(throng_jobs_create(threads, &jobs));
        meeting place = {.expected = threads};
        pthread_mutex_init(&place.lock, NULL);
        pthread_cond_init(&place.all_here, NULL);
        thg_parallel_for(jobs, threads, 1, meet, &place);
        for (int i = 0; i < threads; i++) {
            for (int k = 0; k < i; k++) {
                assert_false(pthread_equal(place.threads[i], place.threads[k]));
            }
        }
        pthread_cond_destroy(&place.all_here);
        pthread_mutex_destroy(&place.lock);
        throng_jobs_destroy(jobs);
    }
}

typedef struct backwards_host {
    int calls, blocks;
} backwards_host;

/// A host that runs blocks in an order of its own.
static void run_backwards(void *host, int block_count, throng_block *run, void *context)
{
    backwards_host *counts = host;
    counts->calls++;
    for (int block = block_count - 1; block >= 0; block--) {
        counts->blocks++;
        run(context, block);
    }
}

static void a_host_pool_runs_every_block(void **state)
{
    (void)state;
    backwards_host host = {0};
    throng_jobs *jobs = NULL;
    assert_ok(throng_jobs_create_host(run_backwards, &host, 16, &jobs));
    assert_int_equal(throng_jobs_thread_count(jobs), 16);
    cover_many_shapes(jobs);
    assert_true(host.calls > 0);
    host = (backwards_host){0};
    rows *all = fresh_rows(1000, 10);
    thg_parallel_for(jobs, 1000, 10, visit, all);
    check_rows(all);
    assert_int_equal(host.calls, 1);
    assert_int_equal(host.blocks, 100);
    throng_jobs_destroy(jobs);
    assert_int_equal(throng_live_bytes(), 0);
}

static void one_block_runs_on_the_calling_thread(void **state)
{
    (void)state;
    throng_jobs *jobs = NULL;
    assert_ok(throng_jobs_create(4, &jobs));
    for (int i = 0; i < 100; i++) {
        meeting place = {.expected = 1};
        pthread_mutex_init(&place.lock, NULL);
        pthread_cond_init(&place.all_here, NULL);
        thg_parallel_for(jobs, 50, 50, meet, &place);
        assert_true(pthread_equal(place.threads[0], pthread_self()));
        pthread_cond_destroy(&place.all_here);
        pthread_mutex_destroy(&place.lock);
    }
    throng_jobs_destroy(jobs);
}

static void thread_counts_out_of_range_are_refused(void **state)
{
    (void)state;
    static const int refused[] = {0, -1, 65, INT32_MAX, INT32_MIN};
    throng_jobs *jobs = NULL;
    backwards_host host = {0};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(throng_jobs_create(refused[i], &jobs), THRONG_BAD_ARGUMENT);
        assert_int_equal(throng_jobs_create_host(run_backwards, &host, refused[i], &jobs),
                         THRONG_BAD_ARGUMENT);
    }
    assert_int_equal(throng_jobs_create_host(NULL, &host, 2, &jobs), THRONG_BAD_ARGUMENT);
    assert_null(jobs);
    throng_jobs_destroy(NULL);
    assert_int_equal(throng_jobs_thread_count(NULL), 1);
    assert_int_equal(throng_live_bytes(), 0);
}

static throng_result make_pools(void *context)
{
    throng_jobs *own = NULL;
    throng_result result = throng_jobs_create(3, &own);
    if (result != THRONG_OK) {
        return result;
    }
    throng_jobs *hosted = NULL;
    result = throng_jobs_create_host(run_backwards, context, 3, &hosted);
    throng_jobs_destroy(hosted);
    throng_jobs_destroy(own);
    return result;
}

static void every_failing_allocation_leaves_nothing_behind(void **state)
{
    (void)state;
    backwards_host host = {0};
    assert_int_equal(test_every_allocation_fails(make_pools, &host), 2);
}

static void threads_that_cannot_start_are_a_failed_create(void **state)
{
    (void)state;
#ifdef SANITIZED
    skip(); // the sanitizers' own memory does not fit under the limit
#else
    pid_t child = fork();
    if (child == 0) {
        // No room for 63 stacks of 8 MiB, but for some of them.
        struct rlimit stack = {8u << 20, 8u << 20}, memory = {256u << 20, 256u << 20};
        setrlimit(RLIMIT_STACK, &stack);
        setrlimit(RLIMIT_AS, &memory);
        throng_jobs *jobs = NULL;
        throng_result result = throng_jobs_create(64, &jobs);
        bool clean = jobs == NULL && throng_live_bytes() == 0;
        _exit(result == THRONG_NO_MEMORY && clean ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
#endif
}

static atomic_int assert_count;

static void count_assert(const char *expression, const char *file, int line)
{
    (void)expression;
    (void)file;
    (void)line;
    atomic_fetch_add(&assert_count, 1);
}

typedef struct nest {
    throng_jobs *jobs;
    atomic_int inner_rows;
} nest;

static void count_rows(void *context, int first, int end, int block)
{
    (void)block;
    atomic_fetch_add(&((nest *)context)->inner_rows, end - first);
}

static void run_nested(void *context, int first, int end, int block)
{
    (void)block;
    nest *outer = context;
    for (int i = first; i < end; i++) {
        thg_parallel_for(outer->jobs, 10, 2, count_rows, outer);
    }
}

static void a_nested_call_is_asserted_and_still_complete(void **state)
{
    (void)state;
    nest outer = {0};
    assert_ok(throng_jobs_create(3, &outer.jobs));
    throng_set_assert_handler(count_assert);
    assert_count = 0;
    thg_parallel_for(outer.jobs, 6, 1, run_nested, &outer);
    throng_set_assert_handler(NULL);
    assert_int_equal(outer.inner_rows, 60);
#ifdef NDEBUG
    assert_int_equal(assert_count, 0);
#else
    assert_int_equal(assert_count, 6);
#endif
    throng_jobs_destroy(outer.jobs);
}

static void touch(void *context, int first, int end, int block)
{
    (void)end;
    (void)block;
    ((volatile char *)context)[first] = 1;
}

static void report_what_a_call_costs(void **state)
{
    (void)state;
    char bytes[64];
    for (int threads = 2; threads <= 8; threads *= 2) {
        throng_jobs *jobs = NULL;
        assert_ok(throng_jobs_create(threads, &jobs));
        double best = 1e9;
        for (int round = 0; round < 20; round++) {
            struct timespec from, to;
            timespec_get(&from, TIME_UTC);
            for (int i = 0; i < 100; i++) {
                thg_parallel_for(jobs, 64, 8, touch, bytes);
            }
            timespec_get(&to, TIME_UTC);
            double us = 1e6 * (double)(to.tv_sec - from.tv_sec) +
                        1e-3 * (double)(to.tv_nsec - from.tv_nsec);
            best = us / 100 < best ? us / 100 : best;
        }
        printf("a parallel_for over 8 tiny blocks, %d threads: %.2f us\n", threads, best);
        throng_jobs_destroy(jobs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_block_runs_once_for_1_to_8_threads),
        TEST(thousands_of_short_calls_lose_no_block),
        TEST(sums_per_block_do_not_depend_on_the_threads),
        TEST(all_threads_of_a_pool_work_at_once),
        TEST(a_host_pool_runs_every_block),
        TEST(one_block_runs_on_the_calling_thread),
        TEST(thread_counts_out_of_range_are_refused),
        TEST(every_failing_allocation_leaves_nothing_behind),
        TEST(threads_that_cannot_start_are_a_failed_create),
        TEST(a_nested_call_is_asserted_and_still_complete),
        TEST(report_what_a_call_costs),
    };
    return RUN_TESTS(tests);
}
