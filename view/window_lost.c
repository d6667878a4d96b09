/// A device that is lost while the window is open: another takes its place and the crowd does not
/// notice; when none lasts, nothing that was changed by hand is lost with it.
#include "window.h"
#include <stdio.h>
#include <string.h>

#define MOST_LOST 3 ///< devices in a row, none of which has drawn a frame

static bool is_lost(const view_app *app)
{
    return app->gpu != NULL && throng_gpu_is_lost(app->gpu);
}

throng_result view_app_survive(view_app *app, throng_result result, int *lost, throng_error *error)
{
    if (result == THRONG_OK) {
        *lost = 0;
        return result;
    }
    while (result != THRONG_OK && is_lost(app)) {
        if (++*lost >= MOST_LOST) {
            view_fail(error, "%s: the Vulkan device is lost again and again",
                      throng_gpu_name(app->gpu));
            return error->result = THRONG_UNREACHABLE;
        }
        view_say(app, "the graphics device was lost and is opened again");
        result = view_app_restart_device(app, error);
    }
    if (result == THRONG_UNREACHABLE && error->text[0] == '\0') {
        view_fail(error, "the Vulkan device draws no more");
        error->result = THRONG_UNREACHABLE;
    }
    return result;
}

void view_app_rescue(view_app *app, throng_error *error)
{
    static const char path[] = "throng-rescued.json";
    throng_error why = {0};
    size_t length = strlen(error->text);
    if (app->stage.world == NULL || !app->edit.unsaved) {
        return;
    }
    if (throng_world_save(app->stage.world, app->stage.put, app->stage.put_count, NULL, path,
                          &why) == THRONG_OK) {
        snprintf(error->text + length, sizeof error->text - length,
                 "; what was changed by hand is in %s", path);
    } else {
        snprintf(error->text + length, sizeof error->text - length,
                 "; what was changed by hand could not be saved: %.100s", why.text);
    }
}
