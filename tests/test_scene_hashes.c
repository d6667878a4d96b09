/// Every scene of the project, a few steps of it: the same state hash whatever the kernels and
/// however many threads. Compilers are compared by tools/hash_matrix.sh.
#include "scene_fixture.h"

#include <dirent.h>
#include <throng_io/walk.h>

// A sanitizer makes a step ten times slower: there small scenes must do.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MOST_AGENTS 400
#define AGENT_STEPS 3000 ///< agents times steps, about, that a scene is run for
#else
#define MOST_AGENTS INT32_MAX
#define AGENT_STEPS 30000
#endif
#define LEAST_STEPS 3
#define MOST_STEPS 150

typedef struct way_to_run {
    throng_kernels kernels;
    int threads;
} way_to_run;

/// The hash after some steps; *steps 0: as many as its agents allow, told back. With more agents
/// than are looked at none.
static uint64_t hash_after(const throng_scene *scene, way_to_run way, int *steps)
{
    throng_world_options options = throng_default_world_options();
    options.kernels = way.kernels;
    options.threads = way.threads;
    options.measure_every = 0;
    throng_world *world = NULL;
    throng_error error = {0};
    assert_ok_or(throng_world_create(scene, &options, &world, &error), &error);
    throng_crowd *crowd = throng_world_crowd(world);
    if (*steps == 0) {
        int agents = throng_crowd_agents(crowd).count + 1;
        int wanted = AGENT_STEPS / agents;
        *steps = agents > MOST_AGENTS   ? -1
                 : wanted < LEAST_STEPS ? LEAST_STEPS
                 : wanted > MOST_STEPS  ? MOST_STEPS
                                        : wanted;
    }
    for (int i = 0; i < *steps && !throng_world_done(world); i++) {
        throng_world_step(world);
    }
    uint64_t hash = throng_crowd_hash(crowd);
    throng_world_destroy(world);
    return hash;
}

/// False for a scene that has no crowd.
static bool check_scene(const char *path)
{
    static const way_to_run others[] = {
        {THRONG_KERNELS_PORTABLE, 2}, {THRONG_KERNELS_AVX2, 3}, {THRONG_KERNELS_AVX512, 4}};
    throng_scene *scene = NULL;
    throng_error error = {0};
    assert_ok_or(throng_scene_load(path, &scene, &error), &error);
    bool crowd = !throng_scene_has_walkers(scene);
    if (crowd) {
        int steps = 0;
        uint64_t wanted = hash_after(scene, (way_to_run){THRONG_KERNELS_SCALAR, 1}, &steps);
        for (size_t i = 0; steps > 0 && i < sizeof others / sizeof others[0]; i++) {
            if (throng_kernels_available(others[i].kernels) &&
                hash_after(scene, others[i], &steps) != wanted) {
                fail_msg("%s: %s on %d threads differ within %d steps", path,
                         throng_kernels_name(others[i].kernels), others[i].threads, steps);
            }
        }
    }
    throng_scene_destroy(scene);
    return crowd;
}

static int check_folder(const char *folder, int depth)
{
    int count = 0;
    DIR *files = opendir(folder);
    assert_non_null(files);
    for (struct dirent *file; (file = readdir(files)) != NULL;) {
        char path[1024];
        size_t length = strlen(file->d_name);
        int written = snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        assert_true(written > 0 && written < (int)sizeof path);
        if (length > 5 && strcmp(file->d_name + length - 5, ".json") == 0) {
            count += check_scene(path);
        } else if (file->d_name[0] != '.' && depth > 0) {
            count += check_folder(path, depth - 1);
        }
    }
    closedir(files);
    return count;
}

static void every_scene_has_one_hash(void **state)
{
    (void)state;
    char path[512];
    int count = check_folder(test_source_path(path, sizeof path, "scenes"), 1);
    print_message("%d scenes\n", count);
    assert_true(count >= 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(every_scene_has_one_hash)};
    return RUN_TESTS(tests);
}
