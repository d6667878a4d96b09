/// The window opened and closed: the shell, the device, the scene, and the drawing of its size.
#include "window.h"
#include <SDL.h>
#include <SDL_vulkan.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

throng_result view_app_no_memory(throng_error *error)
{
    view_fail(error, "no memory for the window");
    return error->result = THRONG_NO_MEMORY;
}

throng_result view_app_make_drawing(view_app *app, throng_error *error)
{
    throng_drawing_def def = throng_default_drawing_def();
    int width, height;
    SDL_Vulkan_GetDrawableSize(app->shell, &width, &height);
    def.gpu = app->gpu;
    def.width = (int)fminf(fmaxf((float)width * app->finer, 16.0f), 4096.0f);
    def.height = (int)fminf(fmaxf((float)height * app->finer, 16.0f), 4096.0f);
    def.max_agents = app->stage.agent_count + VIEW_SPARE_AGENTS;
    if (app->drawing != NULL && app->width == def.width && app->height == def.height) {
        return THRONG_OK;
    }
    throng_drawing_destroy(app->drawing);
    app->drawing = NULL;
    throng_result result = throng_drawing_create(&def, &app->drawing);
    if (result != THRONG_OK) {
        return result == THRONG_UNREACHABLE ? result : view_app_no_memory(error);
    }
    app->width = def.width;
    app->height = def.height;
    app->show.ground_version = 0;
    app->fresh = true;
    return THRONG_OK;
}

static throng_result open_device(view_app *app, throng_error *error)
{
    throng_gpu_def def = throng_default_gpu_def();
    def.validate = app->wanted->validate;
    def.lose_after = app->reopened ? app->wanted->lose_again : app->wanted->lose_after;
    app->reopened = true;
    throng_result result = throng_gpu_create(&def, &app->gpu, error);
    if (result != THRONG_OK) {
        return result;
    }
    VkSurfaceKHR surface;
    uint64_t given = 0;
    if (!SDL_Vulkan_CreateSurface(app->shell, throng_gpu_instance(app->gpu), &surface)) {
        view_fail(error, "the window takes no Vulkan: %.300s", SDL_GetError());
        return error->result = THRONG_UNREACHABLE;
    }
    memcpy(&given, &surface, sizeof surface < sizeof given ? sizeof surface : sizeof given);
    result = throng_window_create(app->gpu, given, &app->window, error);
    if (result == THRONG_OK) {
        int width, height;
        const unsigned char *sheet = view_ui_sheet(&width, &height);
        result = throng_window_set_sheet(app->window, sheet, width, height);
        if (result != THRONG_OK) {
            view_fail(error, "%s: the Vulkan device %s", throng_gpu_name(app->gpu),
                      throng_gpu_is_lost(app->gpu) ? "was lost while the window opened"
                                                   : "has no memory for the window");
            error->result = result;
        }
    }
    return result;
}

static void close_device(view_app *app)
{
    throng_drawing_destroy(app->drawing);
    throng_window_destroy(app->window);
    throng_gpu_destroy(app->gpu);
    app->drawing = NULL;
    app->window = NULL;
    app->gpu = NULL;
}

throng_result view_app_restart_device(view_app *app, throng_error *error)
{
    int heard = app->gpu != NULL ? throng_gpu_message_count(app->gpu) : 0;
    if (heard > 0) {
        view_fail(error, "the validation layer says: %.400s", throng_gpu_first_message(app->gpu));
        return error->result = THRONG_BAD_DATA;
    }
    close_device(app);
    throng_result result = open_device(app, error);
    return result == THRONG_OK ? view_app_make_drawing(app, error) : result;
}

throng_result view_app_open_stage(view_app *app, throng_error *error)
{
    view_show_close(&app->show);
    view_stage_close(&app->stage);
    view_edit_clear(&app->edit);
    app->edit.unsaved = false;
    app->picked = (throng_agent_id){0, 0};
    app->follows = false;
    throng_result result = view_stage_open(&app->stage, app->wanted, error);
    if (result == THRONG_OK && !view_show_open(&app->show, &app->stage)) {
        result = view_app_no_memory(error);
    }
    if (result == THRONG_OK) {
        view_choose_colours(&app->stage, app->layers);
        while (throng_crowd_time(app->stage.crowd) < app->wanted->start) {
            if (!view_stage_step(&app->stage)) {
                return view_app_no_memory(error);
            }
        }
        app->edit.profile = 0;
        app->owed = 1.0;
        app->fresh = true;
    }
    return result;
}

static throng_result open_shell(view_app *app, throng_error *error)
{
    int width, height;
    throng_result result = view_read_size(app->wanted->size, &width, &height, error);
    if (result != THRONG_OK) {
        return result;
    }
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        view_fail(error, "no window: %.300s", SDL_GetError());
        return error->result = THRONG_UNREACHABLE;
    }
    app->shell =
        SDL_CreateWindow("Throng", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height,
                         SDL_WINDOW_VULKAN | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (app->shell == NULL) {
        view_fail(error, "no window: %.300s", SDL_GetError());
        return error->result = THRONG_UNREACHABLE;
    }
    float dots = 96.0f;
    SDL_GetDisplayDPI(SDL_GetWindowDisplayIndex(app->shell), NULL, &dots, NULL);
    int wide = 0, pixels = 0;
    SDL_GetWindowSize(app->shell, &wide, NULL);
    SDL_Vulkan_GetDrawableSize(app->shell, &pixels, NULL);
    // Where a unit of the window is a pixel, dense screens need larger letters.
    float scale = pixels > wide ? 1.0f : fminf(fmaxf(floorf(dots / 48.0f) * 0.5f, 1.0f), 3.0f);
    return view_ui_open(app->shell, scale) ? THRONG_OK : view_app_no_memory(error);
}

throng_result view_app_open(view_app *app, throng_error *error)
{
    throng_result result = view_read_mode(app->wanted->draw, &app->mode, error);
    if (result == THRONG_OK) {
        result = view_read_layers(app->wanted->layers, &app->layers, error);
    }
    if (result == THRONG_OK) {
        result = open_shell(app, error);
    }
    if (result == THRONG_OK) {
        result = open_device(app, error);
    }
    if (result == THRONG_OK) {
        app->finer = throng_gpu_is_software(app->gpu) ? 0.5f : 1.0f;
        result = view_app_open_stage(app, error);
    }
    if (result == THRONG_OK) {
        result = view_app_make_drawing(app, error);
    }
    throng_camera camera;
    if (result == THRONG_OK && !view_camera(&app->stage, app->wanted->camera, &camera)) {
        return view_fail(error, "there is no camera '%s'; there are %s", app->wanted->camera,
                         view_camera_names());
    }
    if (result == THRONG_OK) {
        view_eye_from(&app->eye, &camera);
    }
    return result;
}

void view_app_close(view_app *app)
{
    close_device(app);
    view_show_close(&app->show);
    view_stage_close(&app->stage);
    view_edit_clear(&app->edit);
    if (app->shell != NULL) {
        view_ui_close();
        SDL_DestroyWindow(app->shell);
    }
    SDL_Quit();
}

void view_save_picture(view_app *app, int value)
{
    char path[64];
    throng_picture picture;
    throng_error error = {0};
    (void)value;
    snprintf(path, sizeof path, "throng-%06llu.png",
             (unsigned long long)throng_crowd_step_count(app->stage.crowd));
    if (throng_picture_create(app->width, app->height, &picture) != THRONG_OK) {
        view_say(app, "no memory for the picture");
        return;
    }
    throng_drawing_read(app->drawing, picture.rgb);
    if (throng_picture_save(&picture, path, &error) == THRONG_OK) {
        view_say(app, "%s written", path);
    } else {
        view_say(app, "%.150s", error.text);
    }
    throng_picture_free(&picture);
}
