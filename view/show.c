/// What of a stage goes to the device after a step: ground, agents, lines.
#include "play.h"
#include <stdlib.h>

bool view_show_open(view_show *show, const view_stage *stage)
{
    size_t cells = (size_t)throng_map_width(stage->map) * (size_t)throng_map_height(stage->map);
    *show = (view_show){.colours = calloc(cells, sizeof *show->colours), .walls = calloc(cells, 1)};
    return show->colours != NULL && show->walls != NULL;
}

void view_show_close(view_show *show)
{
    free(show->colours);
    free(show->walls);
    free(show->lines.lines);
    *show = (view_show){0};
}

void view_choose_colours(view_stage *stage, uint32_t layers)
{
    if ((layers >> VIEW_DOOR & 1u) != 0) {
        stage->colours = VIEW_ALL_RED;
    } else if ((layers >> VIEW_STATUS & 1u) != 0) {
        stage->colours = VIEW_BY_STATUS;
    } else if ((layers >> VIEW_CONTACTS & 1u) != 0) {
        stage->colours = VIEW_BY_CONTACT;
    } else {
        stage->colours = stage->plain_colours;
    }
}

static void paint(view_show *show, const view_stage *stage, uint32_t layers, int pick)
{
    view_paint(stage, layers, pick, show->colours);
    if (show->play != NULL && show->play->kind != NULL && show->play->kind->paint != NULL) {
        show->play->kind->paint(show->play, stage, show->colours);
    }
}

throng_result view_show_step(view_show *show, const view_stage *stage, throng_drawing *drawing,
                             uint32_t layers, int pick)
{
    uint32_t version = throng_map_version(stage->map);
    const uint32_t moving = 1u << VIEW_DENSITY | 1u << VIEW_HEAT | 1u << VIEW_DOOR;
    throng_result result = THRONG_OK;
    if (version != show->ground_version) {
        paint(show, stage, layers, pick);
        throng_ground ground = view_ground(stage->map, show->colours, show->walls);
        result = throng_drawing_set_ground(drawing, &ground);
        show->ground_version = version;
    } else if ((layers & moving) != 0 || layers != show->layers || show->repaint) {
        paint(show, stage, layers, pick);
        result = throng_drawing_set_colours(drawing, show->colours);
    }
    show->layers = layers;
    show->repaint = false;
    throng_drawing_set_agents(drawing, stage->agents, stage->agent_count);
    view_draw_lines(stage, layers, pick, &show->lines);
    if (show->play != NULL && show->play->kind != NULL && show->play->kind->draw != NULL) {
        show->play->kind->draw(show->play, &show->lines);
    }
    if (result == THRONG_OK) {
        result = throng_drawing_set_lines(drawing, show->lines.lines, show->lines.count);
    }
    return result;
}
