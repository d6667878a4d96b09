/// Panels, in C: what is used of Dear ImGui. Everything C++ lies behind this.
#ifndef VIEW_WINDOW_UI_H
#define VIEW_WINDOW_UI_H

#include <throng_gpu/window.h>

#ifdef __cplusplus
extern "C" {
#endif

/// `shell` is an SDL_Window. False without memory.
bool view_ui_open(void *shell, float scale);
void view_ui_close(void);
/// The sheet of letters, as throng_window_set_sheet wants it; valid until it is closed.
const unsigned char *view_ui_sheet(int *width, int *height);
/// `event` is an SDL_Event. True: it is the panels' and nobody else's.
bool view_ui_event(const void *event);

void view_ui_begin(void);
/// Valid until the next begin.
throng_overlay view_ui_end(void);

/// A panel whose upper left (or right, with x < 0) corner begins there; units of the window.
/// Whatever it returns, it is ended. `open` may be NULL.
bool view_ui_panel(const char *title, float x, float y, float width, float height, bool *open);
void view_ui_panel_end(void);
void view_ui_size(float *width, float *height); ///< of the window
bool view_ui_header(const char *title, bool open);
void view_ui_text(const char *text);
void view_ui_faint(const char *text);
/// Wrapped at the panel's edge.
void view_ui_note(const char *text);
void view_ui_same_line(void);
bool view_ui_button(const char *label, const char *tooltip, bool on);
bool view_ui_check(const char *label, const char *tooltip, bool on);
/// Changes *value while it is drawn. True when it is let go after a change.
bool view_ui_slider(const char *label, const char *tooltip, float *value, float low, float high,
                    bool logarithmic);
/// A whole number to type, or to step by buttons; as above.
bool view_ui_whole(const char *label, const char *tooltip, float *value, float low, float high);
bool view_ui_field(const char *label, char *text, int size);
void view_ui_graph(const char *label, const float *values, int count, int first, float most);
/// A line of three columns, the first two of fixed width.
void view_ui_row(const char *a, const char *b, const char *c);

#ifdef __cplusplus
}
#endif

#endif
