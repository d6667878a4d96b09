/// The viewer's window: what its files share.
#ifndef VIEW_WINDOW_H
#define VIEW_WINDOW_H

#include "view.h"
#include "window_ui.h"
#include <throng_gpu/window.h>

/// A camera that is moved by hand: round a point that it looks at, or from where it stands.
typedef struct view_eye {
    float target[3];
    float distance, yaw, pitch; ///< metres; radians, pitch above the ground
    bool flies;                 ///< turns about itself, walks along its look
} view_eye;

void view_eye_from(view_eye *eye, const throng_camera *camera);
throng_camera view_eye_camera(const view_eye *eye);
/// Turns by pixels of a drag.
void view_eye_turn(view_eye *eye, float dx, float dy);
/// Moves to the right and ahead, in shares of the distance; up in fly only.
void view_eye_move(view_eye *eye, float right, float ahead, float up);
void view_eye_zoom(view_eye *eye, float steps);
/// The agent that a point of the picture (0..1 each way) shows, as a row; -1: none.
int view_eye_pick(const view_eye *eye, const view_stage *stage, float aspect, float x, float y);

#define VIEW_SPARE_AGENTS 20000 ///< that may be put by hand, or come from sources
#define VIEW_HISTORY 240        ///< frames of the graphs
#define VIEW_MAX_STAGES 24

typedef struct view_history {
    const char *names[VIEW_MAX_STAGES];
    float stages[VIEW_MAX_STAGES][VIEW_HISTORY]; ///< milliseconds of a step
    float frame[VIEW_HISTORY], step[VIEW_HISTORY];
    int stage_count, at;
} view_history;

/// What the left button does.
typedef enum view_tool {
    VIEW_NO_TOOL,
    VIEW_PAINT,
    VIEW_PUT_GOAL,
    VIEW_SPAWN,
    VIEW_REMOVE
} view_tool;

typedef struct view_stroked {
    int cell, kind; ///< kind: what it was before
} view_stroked;

typedef struct view_stroke {
    view_stroked *cells;
    int count, capacity;
} view_stroke;

typedef struct view_edit {
    view_tool tool;
    int terrain, profile; ///< that is painted; of those who are put, and whose numbers are turned
    float brush;          ///< metres
    view_stroke *strokes;
    int stroke_count;
    bool unsaved;     ///< something has been changed by hand since
    bool down;        ///< the button is, over the ground
    int dragged;      ///< goal, -1: none
    throng_vec2 last; ///< where the mouse was
    uint32_t seed;
    char file[200]; ///< to save to
} view_edit;

typedef struct view_app {
    view_options options;
    const view_options *wanted;
    view_stage stage;
    throng_gpu *gpu;
    throng_drawing *drawing;
    throng_window *window;
    void *shell; ///< the SDL_Window
    view_show show;
    view_eye eye;
    view_edit edit;
    view_history history;
    throng_frame_stats last;
    throng_draw_mode mode;
    uint32_t layers;
    int width, height;   ///< pixels of the drawing
    float finer;         ///< pixels drawn for one of the window
    bool playing, fresh; ///< fresh: what is shown has changed
    bool help, panels, full, quit, reopen, restart;
    int steps;            ///< to do while it stands
    double speed, owed;   ///< simulated seconds a second; steps that are due
    double step_ms, rate; ///< of the last step; simulated seconds a second as they come
    throng_agent_id picked;
    bool follows, reopened; ///< reopened: the device is not the first
    int idle;               ///< frames since anything happened
    char said[160];
} view_app;

/// One thing that can be done: the keys, the panels and the help are all made of this.
typedef struct view_action {
    const char *group, *key; ///< key: as SDL names it
    const char *name, *tooltip;
    void (*run)(view_app *app, int value);
    bool (*is_on)(const view_app *app, int value); ///< NULL: not a switch
    int value;
} view_action;

/// All actions, group by group.
const view_action *view_actions(int *count);
void view_act(view_app *app, const view_action *action);

/// Says something in the panels, and on stdout where asked to.
__attribute__((format(printf, 2, 3))) void view_say(view_app *app, const char *format, ...);

/// Row of the picked agent; -1: none.
int view_picked_row(const view_app *app);

throng_result view_app_no_memory(throng_error *error);
throng_result view_app_open(view_app *app, throng_error *error);
void view_app_close(view_app *app);
/// The scene from its start.
throng_result view_app_open_stage(view_app *app, throng_error *error);
/// A drawing of the window's size, where there is none.
throng_result view_app_make_drawing(view_app *app, throng_error *error);
/// The device is gone, or shall go: everything on it is made anew. The crowd does not notice.
throng_result view_app_restart_device(view_app *app, throng_error *error);

/// Opens the device again where a call failed since it was lost; other results are passed on. When
/// no device lasts a frame, that is the end: THRONG_UNREACHABLE, and *error says so. `lost` counts.
throng_result view_app_survive(view_app *app, throng_result result, int *lost, throng_error *error);
/// What was changed by hand is written to a file of its own, and *error says where it is.
void view_app_rescue(view_app *app, throng_error *error);

/// The ground under a point of the picture, 0..1 each way.
bool view_place_at(const view_app *app, float x, float y, throng_vec2 *place);
/// The left button with a tool: true when it is the tool's. x, y: of the picture, 0..1.
bool view_edit_press(view_app *app, float x, float y);
bool view_edit_drag(view_app *app, float x, float y);
void view_edit_release(view_app *app);
void view_edit_undo(view_app *app);
void view_edit_save(view_app *app);
/// Queued changes take place at once, in no time: who looks sees them though time stands.
void view_edit_apply(view_app *app);
void view_edit_clear(view_edit *edit);

/// Writes the last frame, without panels, as throng-STEP.png. The value is none.
void view_save_picture(view_app *app, int value);

/// Numbers of the chosen profile, to be turned; what is turned takes effect at once.
void view_profile_panel(view_app *app);

/// Puts the panels of this frame together.
void view_panels(view_app *app);

#endif
