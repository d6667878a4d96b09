/// Any bytes as a scene: refused with a place, or read; a small enough one also comes to life.
#include <string.h>
#include <throng_io/world.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    throng_scene *scene = NULL;
    throng_error error = {0};
    throng_result result =
        throng_scene_parse((const char *)data, size, "scenes/fuzz.json", &scene, &error);
    if (result != THRONG_OK) {
        // Whatever was wrong has been said, and nothing is left.
        return scene == NULL && error.text[0] != '\0' ? 0 : (__builtin_trap(), 0);
    }
    throng_world_options options = throng_default_world_options();
    throng_world *world = NULL;
    options.measure_every = 1;
    if (throng_world_create(scene, &options, &world, &error) == THRONG_OK) {
        if (throng_crowd_agents(throng_world_crowd(world)).count < 1000) {
            for (int i = 0; i < 5 && !throng_world_done(world); i++) {
                throng_world_step(world);
            }
        }
        throng_world_destroy(world);
    }
    throng_scene_destroy(scene);
    return 0;
}
