/// The panels: switches of the action table, numbers of the frame and of the crowd, one agent,
/// help.
#include "window.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 1, 2))) static void text(const char *format, ...)
{
    char line[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    view_ui_text(line);
}

/// The actions of a group: buttons in rows, or switches in a list, what is no switch a button
/// there.
static void group(view_app *app, const char *name, bool list)
{
    int count, in_row = 0;
    const view_action *actions = view_actions(&count);
    for (int i = 0; i < count; i++) {
        const view_action *action = &actions[i];
        if (strcmp(action->group, name) != 0) {
            continue;
        }
        char label[64], tooltip[300];
        snprintf(label, sizeof label, "%s", action->name);
        snprintf(tooltip, sizeof tooltip, "%s\nKey: %s", action->tooltip, action->key);
        bool on = action->is_on != NULL && action->is_on(app, action->value);
        if (in_row++ % (list                                                          ? 2
                        : strcmp(name, "Agent") == 0 || strcmp(name, "Hands on") == 0 ? 4
                                                                                      : 3) !=
            0) {
            view_ui_same_line();
        }
        if (list && action->is_on != NULL) {
            snprintf(label, sizeof label, "%-10s", action->name);
        }
        bool is_switch = list && action->is_on != NULL;
        if (is_switch ? view_ui_check(label, tooltip, on) : view_ui_button(label, tooltip, on)) {
            view_act(app, action);
        }
    }
}

static float most_of(const float *values, int count)
{
    float most = 1e-3f;
    for (int i = 0; i < count; i++) {
        most = values[i] > most ? values[i] : most;
    }
    return most * 1.1f;
}

static void graphs(view_app *app)
{
    view_history *history = &app->history;
    int last = (history->at + VIEW_HISTORY - 1) % VIEW_HISTORY;
    char label[64];
    snprintf(label, sizeof label, "frame %.1f ms", (double)history->frame[last]);
    view_ui_graph(label, history->frame, VIEW_HISTORY, history->at,
                  most_of(history->frame, VIEW_HISTORY));
    snprintf(label, sizeof label, "step %.2f ms", (double)history->step[last]);
    view_ui_graph(label, history->step, VIEW_HISTORY, history->at,
                  most_of(history->step, VIEW_HISTORY));
    if (!view_ui_header("Stages of a step", true)) {
        return;
    }
    float most = most_of(history->step, VIEW_HISTORY);
    for (int i = 0; i < history->stage_count; i++) {
        float now = history->stages[i][last];
        if (most_of(history->stages[i], VIEW_HISTORY) > 0.03f * most) {
            snprintf(label, sizeof label, "%s %.2f ms", history->names[i], (double)now);
            view_ui_graph(label, history->stages[i], VIEW_HISTORY, history->at, most);
        }
    }
}

static void counters(const view_app *app)
{
    throng_agents_view agents = throng_crowd_agents(app->stage.crowd);
    int by_status[5] = {0};
    for (int i = 0; i < agents.count; i++) {
        by_status[agents.status[i] % 5]++;
    }
    const throng_frame_stats *last = &app->last;
    text("%d agents: %d walk, %d arrived", agents.count, by_status[THRONG_WALKING],
         by_status[THRONG_ARRIVED]);
    text("%d idle, %d stuck, %d cut off", by_status[THRONG_IDLE], by_status[THRONG_STUCK],
         by_status[THRONG_CUT_OFF]);
    text("second %.2f, %.2f a second of %g", throng_crowd_time(app->stage.crowd), app->rate,
         app->speed);
    text("%d calls, %lld triangles", last->draw_calls, (long long)last->triangles);
    text("%d drawn: %d %d %d %d by level", last->agents_drawn, last->levels[0], last->levels[1],
         last->levels[2], last->levels[3]);
    text("record %.4f ms, device %.1f ms", last->record_seconds * 1e3, last->gpu_seconds * 1e3);
}

static void one_agent(const view_app *app, int row)
{
    throng_agents_view agents = throng_crowd_agents(app->stage.crowd);
    text("agent %u, profile %d, team %d", agents.id[row].slot, agents.profile[row],
         agents.team[row]);
    text("at %.2f, %.2f m", (double)agents.x[row], (double)agents.y[row]);
    text("speed %.2f, %.2f m/s", (double)agents.vx[row], (double)agents.vy[row]);
    text("%s, %s, goal %d", throng_status_name((throng_status)agents.status[row]),
         throng_contact_name((throng_contact)agents.contact[row]), agents.goal[row]);
    throng_motives motives;
    if (!throng_crowd_explain(app->stage.crowd, agents.id[row], &motives)) {
        return;
    }
    for (int i = 0; i < THRONG_MOTIVE_COUNT; i++) {
        double x = (double)motives.terms[i].x, y = (double)motives.terms[i].y;
        if (x * x + y * y > 1e-4) {
            text("  %s %+.2f, %+.2f", throng_motive_name((throng_motive)i), x, y);
        }
    }
}

static void help(view_app *app)
{
    float width, height;
    view_ui_size(&width, &height);
    float wide = width * 0.72f < 620.0f ? width * 0.72f : 620.0f;
    if (view_ui_panel("Help", -(width - wide) * 0.5f, 24.0f, wide, height - 48.0f, &app->help)) {
        view_ui_note("Drag with the left button to turn, with the right to move, and use the wheel "
                     "to come nearer. A click picks an agent. To paint walls press V, to put a "
                     "goal press O, and use the left button on the ground; 2 shows the field. W A "
                     "S D move, Q and E turn (or rise "
                     "and sink, when flying).");
        int count;
        const view_action *actions = view_actions(&count);
        for (int i = 0; i < count; i++) {
            if (i == 0 || strcmp(actions[i].group, actions[i - 1].group) != 0) {
                view_ui_faint(actions[i].group);
            }
            view_ui_row(actions[i].key, actions[i].name, actions[i].tooltip);
        }
    }
    view_ui_panel_end();
}

void view_panels(view_app *app)
{
    float width, height;
    view_ui_size(&width, &height);
    if (app->panels) {
        if (view_ui_panel("Throng", 8.0f, 8.0f, 250.0f, height - 16.0f, NULL)) {
            text("%s", throng_scene_name(app->stage.scene));
            group(app, "Time", false);
            if (view_ui_header("Layers", true)) {
                group(app, "Layers", true);
            }
            if (view_ui_header("Hands on", true)) {
                group(app, "Hands on", false);
                text("brush %.2g m", (double)app->edit.brush);
                view_ui_field("file", app->edit.file, (int)sizeof app->edit.file);
            }
            if (view_ui_header("Drawing", false)) {
                group(app, "Drawing", true);
            }
            if (view_ui_header("Camera", false)) {
                group(app, "Camera", false);
            }
            if (view_ui_header("Window", true)) {
                group(app, "Window", false);
            }
            if (app->said[0] != '\0') {
                view_ui_note(app->said);
            }
        }
        view_ui_panel_end();
        if (view_ui_panel("Numbers", -8.0f, 8.0f, 250.0f, height - 16.0f, NULL)) {
            counters(app);
            graphs(app);
            if (view_ui_header("Agent", true)) {
                int row = view_picked_row(app);
                group(app, "Agent", false);
                if (row >= 0) {
                    one_agent(app, row);
                } else {
                    view_ui_faint("nobody is picked");
                }
            }
            if (view_ui_header("Profile", false)) {
                view_profile_panel(app);
            }
        }
        view_ui_panel_end();
    }
    if (app->help) {
        help(app);
    }
}
