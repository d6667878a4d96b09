/// The numbers of a profile in a panel: what is turned takes effect at once, for the next step and
/// for all who are of that profile.
#include "window.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/// The most that is of use: what a class has room for; else the number's own.
static float most_of(const view_app *app, const throng_profile_def *def,
                     const throng_profile_number *number)
{
    if (strcmp(number->name, "radius") != 0) {
        return number->high;
    }
    return fminf(number->high, throng_map_class(app->stage.map, def->class_index).radius);
}

/// The widget that fits a number. True when it is let go after a change.
static bool turn(const throng_profile_number *number, float high, float *value)
{
    char tooltip[80];
    snprintf(tooltip, sizeof tooltip, "from %g to %g", (double)number->low, (double)high);
    if (number->kind == THRONG_PROFILE_FLAG) {
        if (!view_ui_check(number->name, "", *value != 0.0f)) {
            return false;
        }
        *value = *value != 0.0f ? 0.0f : 1.0f;
        return true;
    }
    if (number->kind == THRONG_PROFILE_WHOLE) {
        return view_ui_whole(number->name, tooltip, value, number->low, high);
    }
    return view_ui_slider(number->name, tooltip, value, number->low, high, high > 20.0f);
}

void view_profile_panel(view_app *app)
{
    char line[80];
    int count, chosen = app->edit.profile;
    const throng_profile_number *numbers = throng_profile_numbers(&count);
    throng_profile_def def = throng_crowd_profile(app->stage.crowd, chosen);
    snprintf(line, sizeof line, "profile %d of %d", chosen + 1,
             throng_crowd_profile_count(app->stage.crowd));
    view_ui_text(line);
    for (int i = 0; i < count; i++) {
        float value = throng_profile_get(&def, &numbers[i]), before = value;
        bool let_go = turn(&numbers[i], most_of(app, &def, &numbers[i]), &value);
        if (value != before) {
            throng_profile_set(&def, &numbers[i], value);
            throng_result result = throng_crowd_set_profile(app->stage.crowd, chosen, &def);
            if (result != THRONG_OK) {
                view_say(app, "%s cannot be %g: %s", numbers[i].name, (double)value,
                         throng_result_name(result));
                return;
            }
            view_edit_apply(app);
        }
        if (let_go) {
            view_say(app, "%s is %g", numbers[i].name, (double)value);
        }
    }
}
