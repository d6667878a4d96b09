/// The window while it is open: its events, its time and its frames.
#include "window.h"
#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_IDLE 3 ///< frames that are still drawn after the last change, for the panels' sake

static double seconds_now(void)
{
    return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

// ---- Events -------------------------------------------------------------------------------------

static void on_key(view_app *app, SDL_Keycode key)
{
    int count;
    const view_action *actions = view_actions(&count);
    for (int i = 0; i < count; i++) {
        if (SDL_GetKeyFromName(actions[i].key) == key) {
            view_act(app, &actions[i]);
            return;
        }
    }
}

static float aspect_of(const view_app *app)
{
    return (float)app->width / (float)app->height;
}

/// From units of the window to the picture's, 0..1. False without a window.
static bool picture_place(const view_app *app, int at_x, int at_y, float *x, float *y)
{
    int width, height;
    SDL_GetWindowSize(app->shell, &width, &height);
    *x = (float)at_x / (float)(width > 0 ? width : 1);
    *y = (float)at_y / (float)(height > 0 ? height : 1);
    return width > 0 && height > 0;
}

static void on_button_up(view_app *app, const SDL_MouseButtonEvent *button, bool dragged)
{
    float x, y;
    if (button->button == SDL_BUTTON_LEFT && !dragged && app->edit.tool == VIEW_NO_TOOL &&
        picture_place(app, button->x, button->y, &x, &y)) {
        int row = view_eye_pick(&app->eye, &app->stage, aspect_of(app), x, y);
        app->picked =
            row >= 0 ? throng_crowd_agents(app->stage.crowd).id[row] : (throng_agent_id){0, 0};
        if (row >= 0) {
            app->layers |= 1u << VIEW_ROUTE;
            view_say(app, "agent %u picked", app->picked.slot);
        }
    }
}

/// Pixels that the mouse has moved since its button went down.
static int dragged_so_far;

static void on_motion(view_app *app, const SDL_MouseMotionEvent *motion)
{
    float x, y;
    dragged_so_far += abs(motion->xrel) + abs(motion->yrel);
    app->stage.has_cursor = picture_place(app, motion->x, motion->y, &x, &y) &&
                            view_place_at(app, x, y, &app->stage.cursor);
    app->fresh = app->fresh || (app->layers >> VIEW_DOOR & 1u) != 0;
    if ((motion->state & SDL_BUTTON_LMASK) != 0 &&
        picture_place(app, motion->x, motion->y, &x, &y) && view_edit_drag(app, x, y)) {
        return;
    }
    if ((motion->state & SDL_BUTTON_LMASK) != 0 && dragged_so_far > 4) {
        view_eye_turn(&app->eye, (float)motion->xrel, (float)motion->yrel);
    } else if ((motion->state & (SDL_BUTTON_RMASK | SDL_BUTTON_MMASK)) != 0) {
        view_eye_move(&app->eye, -(float)motion->xrel * 0.0012f, (float)motion->yrel * 0.0012f,
                      0.0f);
        app->follows = false;
    }
}

static void on_event(view_app *app, const SDL_Event *event)
{
    float x, y;
    app->idle = 0;
    if (view_ui_event(event)) {
        return;
    }
    switch (event->type) {
    case SDL_QUIT:
        app->quit = true;
        break;
    case SDL_KEYDOWN:
        if (event->key.repeat == 0) {
            on_key(app, event->key.keysym.sym);
        }
        break;
    case SDL_MOUSEBUTTONDOWN:
        dragged_so_far = 0;
        if (event->button.button == SDL_BUTTON_LEFT &&
            picture_place(app, event->button.x, event->button.y, &x, &y)) {
            view_edit_press(app, x, y);
        }
        break;
    case SDL_MOUSEBUTTONUP:
        view_edit_release(app);
        on_button_up(app, &event->button, dragged_so_far > 4);
        break;
    case SDL_MOUSEMOTION:
        on_motion(app, &event->motion);
        break;
    case SDL_MOUSEWHEEL:
        view_eye_zoom(&app->eye, (float)event->wheel.y);
        break;
    default:
        break;
    }
}

/// Keys that act as long as they are held.
static void held_keys(view_app *app, float seconds)
{
    const Uint8 *held = SDL_GetKeyboardState(NULL);
    float right = (float)(held[SDL_SCANCODE_D] - held[SDL_SCANCODE_A]);
    float ahead = (float)(held[SDL_SCANCODE_W] - held[SDL_SCANCODE_S]);
    float turn = (float)(held[SDL_SCANCODE_E] - held[SDL_SCANCODE_Q]);
    if (right != 0.0f || ahead != 0.0f || turn != 0.0f) {
        app->idle = 0;
        app->follows = app->follows && right == 0.0f && ahead == 0.0f;
        view_eye_move(&app->eye, right * seconds * 0.6f, ahead * seconds * 0.6f,
                      turn * seconds * 0.4f);
        if (!app->eye.flies) {
            view_eye_turn(&app->eye, turn * seconds * 240.0f, 0.0f);
        }
    }
}

// ---- Time ---------------------------------------------------------------------------------------

static void note_step(view_app *app)
{
    view_history *history = &app->history;
    int count;
    const throng_stage_time *times = throng_crowd_stage_times(app->stage.crowd, &count);
    history->stage_count = count < VIEW_MAX_STAGES ? count : VIEW_MAX_STAGES;
    for (int i = 0; i < history->stage_count; i++) {
        history->names[i] = times[i].stage;
        history->stages[i][history->at] = (float)(times[i].seconds * 1e3);
    }
}

/// Steps that are due, but no longer than a frame may take: then time goes more slowly.
static bool run_steps(view_app *app, double seconds)
{
    double started = seconds_now();
    int done = 0;
    app->owed += app->playing ? app->speed * seconds / (double)app->stage.dt : 0.0;
    if (app->steps > 0) {
        app->owed = 1.0 + app->steps;
        app->steps = 0;
    }
    while (app->owed > 1.0) {
        double before = seconds_now();
        if (!view_stage_step(&app->stage)) {
            return false;
        }
        app->step_ms = (seconds_now() - before) * 1e3;
        app->owed -= 1.0;
        app->fresh = true;
        done++;
        if (seconds_now() - started > 0.05) {
            app->owed = app->owed > 1.0 ? 1.0 : app->owed;
        }
    }
    if (seconds > 0.0) {
        app->rate += (done * (double)app->stage.dt / seconds - app->rate) * 0.1;
    }
    return true;
}

static void follow_picked(view_app *app)
{
    int row = app->follows ? view_picked_row(app) : -1;
    app->follows = row >= 0;
    if (row >= 0 && row < app->stage.agent_count) {
        const throng_drawn_agent *agent = &app->stage.agents[row];
        float share = (float)fmin(app->owed, 1.0);
        app->eye.target[0] = agent->last_x + (agent->x - agent->last_x) * share;
        app->eye.target[1] = agent->last_y + (agent->y - agent->last_y) * share;
        app->eye.target[2] = 1.0f;
    }
}

// ---- A frame ------------------------------------------------------------------------------------

static throng_result draw_frame(view_app *app, throng_error *error)
{
    throng_result result = view_app_make_drawing(app, error);
    if (result != THRONG_OK) {
        return result;
    }
    if (app->fresh) {
        result = view_show_step(&app->show, &app->stage, app->drawing, app->layers,
                                view_picked_row(app));
        app->fresh = false;
    }
    throng_camera camera = view_eye_camera(&app->eye);
    if (result == THRONG_OK) {
        result = throng_drawing_frame(app->drawing, &camera, (float)fmin(app->owed, 1.0), app->mode,
                                      &app->last);
    }
    view_ui_begin();
    view_panels(app);
    throng_overlay overlay = view_ui_end();
    return result == THRONG_OK ? throng_window_show(app->window, app->drawing, &overlay) : result;
}

/// What actions asked for that takes longer than a key's press.
static throng_result do_asked(view_app *app, throng_error *error)
{
    throng_result result = THRONG_OK;
    bool full = (SDL_GetWindowFlags(app->shell) & SDL_WINDOW_FULLSCREEN_DESKTOP) ==
                SDL_WINDOW_FULLSCREEN_DESKTOP;
    if (full != app->full) {
        SDL_SetWindowFullscreen(app->shell, app->full ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    }
    if (app->reopen) {
        app->reopen = false;
        result = view_app_open_stage(app, error);
    }
    if (app->restart && result == THRONG_OK) {
        app->restart = false;
        result = view_app_restart_device(app, error);
        view_say(app, "the graphics device is open again");
    }
    return result;
}

static throng_result run_app(view_app *app, throng_error *error)
{
    double last = seconds_now();
    int lost = 0;
    throng_result result = THRONG_OK;
    while (result == THRONG_OK && !app->quit) {
        SDL_Event event;
        bool hidden = (SDL_GetWindowFlags(app->shell) & SDL_WINDOW_MINIMIZED) != 0;
        if ((hidden || (!app->playing && app->idle > MOST_IDLE)) &&
            SDL_WaitEventTimeout(&event, 100) != 0) {
            on_event(app, &event);
        }
        while (SDL_PollEvent(&event)) {
            on_event(app, &event);
        }
        result = do_asked(app, error);
        result = result != THRONG_OK ? view_app_survive(app, result, &lost, error) : result;
        double now = seconds_now(), seconds = fmin(now - last, 0.25);
        last = now;
        if (result != THRONG_OK || hidden) {
            continue; // time stands while nobody looks
        }
        held_keys(app, (float)seconds);
        if (!run_steps(app, seconds)) {
            return view_app_no_memory(error);
        }
        follow_picked(app);
        if (app->playing || app->fresh || app->idle++ <= MOST_IDLE) {
            result = view_app_survive(app, draw_frame(app, error), &lost, error);
            view_history *history = &app->history;
            note_step(app);
            history->step[history->at] = (float)app->step_ms;
            history->frame[history->at] = (float)((seconds_now() - now) * 1e3);
            history->at = (history->at + 1) % VIEW_HISTORY;
            if (result == THRONG_OK && !throng_window_visible(app->window)) {
                SDL_Delay(20); // no pixel to draw to
            }
        }
    }
    return result;
}

bool view_has_window(void)
{
    const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x11 != NULL && x11[0] != '\0') || (wayland != NULL && wayland[0] != '\0');
}

throng_result view_window(const view_options *options, throng_error *error)
{
    view_app *app = calloc(1, sizeof *app);
    if (app == NULL) {
        return view_app_no_memory(error);
    }
    app->options = *options;
    app->options.spare_agents = VIEW_SPARE_AGENTS;
    app->wanted = &app->options;
    app->edit.brush = 1.0f;
    app->edit.dragged = -1;
    snprintf(app->edit.file, sizeof app->edit.file, "edited.json");
    app->playing = app->panels = true;
    app->speed = options->speed;
    throng_result result = view_app_open(app, error);
    if (result == THRONG_OK) {
        result = run_app(app, error);
        if (result != THRONG_OK) {
            view_app_rescue(app, error);
        }
    }
    if (result == THRONG_OK && throng_gpu_message_count(app->gpu) > 0) {
        view_fail(error, "the validation layer says: %.400s", throng_gpu_first_message(app->gpu));
        result = error->result = THRONG_BAD_DATA;
    }
    view_app_close(app);
    free(app);
    return result;
}
