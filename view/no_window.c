/// In place of the window where this is built without SDL2 or Dear ImGui.
#include "view.h"
#include <stdio.h>

bool view_has_window(void)
{
    return false;
}

throng_result view_window(const view_options *options, throng_error *error)
{
    (void)options;
    view_fail(error, "this build has no window; install libsdl2-dev and libimgui-dev, and build "
                     "again");
    return error->result = THRONG_UNREACHABLE;
}

void view_print_keys(void)
{
    puts("this build has no window");
}
