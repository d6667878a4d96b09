/// Actions done and told: by key, by button, on stdout.
#include "window.h"
#include <stdarg.h>
#include <stdio.h>

void view_say(view_app *app, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(app->said, sizeof app->said, format, arguments);
    va_end(arguments);
    if (app->wanted->trace) {
        printf("says %s\n", app->said);
        fflush(stdout);
    }
}

int view_picked_row(const view_app *app)
{
    return app->picked.generation == 0 ? -1 : throng_crowd_find(app->stage.crowd, app->picked);
}

void view_act(view_app *app, const view_action *action)
{
    action->run(app, action->value);
    app->fresh = true;
    if (app->wanted->trace) {
        bool on = action->is_on != NULL && action->is_on(app, action->value);
        printf("does %s/%s%s\n", action->group, action->name,
               action->is_on == NULL ? ""
               : on                  ? " on"
                                     : " off");
        fflush(stdout);
    }
}

void view_print_keys(void)
{
    int count;
    const view_action *actions = view_actions(&count);
    for (int i = 0; i < count; i++) {
        printf("%-9s %-9s %-12s %s\n", actions[i].group, actions[i].key, actions[i].name,
               actions[i].tooltip);
    }
}
