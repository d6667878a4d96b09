/// Uses an installed library: creates and destroys a pool, prints the version.
#include <stdio.h>
#include <throng/throng.h>

int main(void)
{
    throng_jobs *jobs = NULL;
    if (throng_jobs_create(2, &jobs) != THRONG_OK || throng_jobs_thread_count(jobs) != 2) {
        return 1;
    }
    throng_jobs_destroy(jobs);
    printf("throng %s\n", throng_version());
    return throng_live_bytes() == 0 ? 0 : 1;
}
