/// Everything that can be done, once: keys, panels, tooltips and the help are made of this table.
#include "window.h"

// ---- Time ---------------------------------------------------------------------------------------

static void play(view_app *app, int value)
{
    (void)value;
    app->playing = !app->playing;
}

static bool plays(const view_app *app, int value)
{
    (void)value;
    return app->playing;
}

static void step(view_app *app, int value)
{
    app->playing = false;
    app->steps += value;
}

static void change_speed(view_app *app, int value)
{
    app->speed *= value > 0 ? 2.0 : 0.5;
    app->speed = app->speed < 0.0625 ? 0.0625 : app->speed > 64.0 ? 64.0 : app->speed;
    view_say(app, "%g seconds a second", app->speed);
}

static void reset(view_app *app, int value)
{
    (void)value;
    app->reopen = true;
}

// ---- Camera -------------------------------------------------------------------------------------

static void look_from(view_app *app, int value)
{
    static const char *const names[] = {"overview", "top", "crowd", "close", "street"};
    throng_camera camera;
    app->follows = false;
    if (view_camera(&app->stage, names[value], &camera)) {
        view_eye_from(&app->eye, &camera);
    }
}

static void fly(view_app *app, int value)
{
    (void)value;
    app->eye.flies = !app->eye.flies;
}

static bool flies(const view_app *app, int value)
{
    (void)value;
    return app->eye.flies;
}

static void zoom(view_app *app, int value)
{
    view_eye_zoom(&app->eye, (float)value);
}

static void finer(view_app *app, int value)
{
    float next = app->finer * (value > 0 ? 1.4142f : 0.7071f);
    app->finer = next < 0.24f ? 0.25f : next > 1.9f ? 2.0f : next;
    view_say(app, "%.2g pixels drawn for one", (double)app->finer);
}

// ---- One agent ----------------------------------------------------------------------------------

static void pick_next(view_app *app, int value)
{
    throng_agents_view agents = throng_crowd_agents(app->stage.crowd);
    // Ids stay while rows change: the next slot in use.
    uint32_t last = app->picked.generation != 0 ? app->picked.slot : 0;
    int best = -1;
    for (int i = 0; i < agents.count; i++) {
        uint32_t ahead = value > 0 ? agents.id[i].slot - last : last - agents.id[i].slot;
        uint32_t so_far = best < 0    ? 0
                          : value > 0 ? agents.id[best].slot - last
                                      : last - agents.id[best].slot;
        if (ahead != 0 && (best < 0 || ahead < so_far)) {
            best = i;
        }
    }
    if (best >= 0) {
        app->picked = agents.id[best];
        app->layers |= 1u << VIEW_ROUTE;
        view_say(app, "agent %u picked", app->picked.slot);
    }
}

static void follow(view_app *app, int value)
{
    (void)value;
    if (!app->follows && view_picked_row(app) < 0) {
        pick_next(app, 1);
    }
    app->follows = !app->follows && view_picked_row(app) >= 0;
}

static bool follows(const view_app *app, int value)
{
    (void)value;
    return app->follows;
}

static void pick_none(view_app *app, int value)
{
    (void)value;
    app->picked = (throng_agent_id){0, 0};
    app->follows = false;
}

// ---- Hands on -----------------------------------------------------------------------------------

static void take_tool(view_app *app, int value)
{
    app->edit.tool = (view_tool)value;
}

static bool has_tool(const view_app *app, int value)
{
    return (int)app->edit.tool == value;
}

static void paint(view_app *app, int value)
{
    bool had = app->edit.tool == VIEW_PAINT && app->edit.terrain == value;
    app->edit.tool = had ? VIEW_NO_TOOL : VIEW_PAINT;
    app->edit.terrain = value;
}

static bool paints(const view_app *app, int value)
{
    return app->edit.tool == VIEW_PAINT && app->edit.terrain == value;
}

/// Trees, swamp, water, and what the scene has of its own, one after the other.
static void paint_other(view_app *app, int value)
{
    int kind = app->edit.tool == VIEW_PAINT && app->edit.terrain > THRONG_GROUND
                   ? app->edit.terrain + value
                   : THRONG_TREES;
    if (kind >= THRONG_MAX_TERRAINS || throng_map_terrain_name(app->stage.map, kind) == NULL) {
        kind = THRONG_TREES;
    }
    app->edit.tool = VIEW_PAINT;
    app->edit.terrain = kind;
    view_say(app, "paints %s", throng_map_terrain_name(app->stage.map, kind));
}

static bool paints_other(const view_app *app, int value)
{
    (void)value;
    return app->edit.tool == VIEW_PAINT && app->edit.terrain > THRONG_GROUND;
}

static void change_brush(view_app *app, int value)
{
    app->edit.brush *= value > 0 ? 1.4142f : 0.7071f;
    app->edit.brush = app->edit.brush < 0.1f    ? 0.1f
                      : app->edit.brush > 50.0f ? 50.0f
                                                : app->edit.brush;
    view_say(app, "brush of %.2g m", (double)app->edit.brush);
}

static void undo(view_app *app, int value)
{
    (void)value;
    view_edit_undo(app);
}

static void next_profile(view_app *app, int value)
{
    app->edit.profile = (app->edit.profile + value) % throng_crowd_profile_count(app->stage.crowd);
    view_say(app, "profile %d", app->edit.profile);
}

static void save(view_app *app, int value)
{
    (void)value;
    view_edit_save(app);
}

// ---- Drawing, layers, panels --------------------------------------------------------------------

static void draw_by(view_app *app, int value)
{
    app->mode = (throng_draw_mode)value;
}

static bool draws_by(const view_app *app, int value)
{
    return (int)app->mode == value;
}

static void layer(view_app *app, int value)
{
    app->layers ^= 1u << value;
    view_choose_colours(&app->stage, app->layers);
    view_stage_recolour(&app->stage);
}

static bool layer_on(const view_app *app, int value)
{
    return (app->layers >> value & 1u) != 0;
}

static void turn_page(view_app *app, int value)
{
    int room, page, count;
    app->stage.door_page += value;
    app->show.repaint = true;
    if (view_door_of_page(&app->stage, view_picked_row(app), &room, &page, &count) < 0) {
        view_say(app, "no room with a door there");
    } else {
        view_say(app, "door %d of %d of room %d", page + 1, count, room);
    }
}

static void flip_help(view_app *app, int value)
{
    (void)value;
    app->help = !app->help;
}

static bool help_on(const view_app *app, int value)
{
    (void)value;
    return app->help;
}

static void flip_panels(view_app *app, int value)
{
    (void)value;
    app->panels = !app->panels;
}

static bool panels_on(const view_app *app, int value)
{
    (void)value;
    return app->panels;
}

static void flip_full(view_app *app, int value)
{
    (void)value;
    app->full = !app->full;
}

static bool full_on(const view_app *app, int value)
{
    (void)value;
    return app->full;
}

static void restart(view_app *app, int value)
{
    (void)value;
    app->restart = true;
}

static void quit(view_app *app, int value)
{
    (void)value;
    app->quit = true;
}

#define LAYER(key, layer_name, value, tooltip)                                                     \
    {                                                                                              \
        "Layers", key, layer_name, tooltip, layer, layer_on, value                                 \
    }

static const view_action actions[] = {
    {"Time", "Space", "play", "Lets time run, or stops it.", play, plays, 0},
    {"Time", ".", "step", "One step of the crowd, then stands.", step, NULL, 1},
    {"Time", "=", "faster", "Twice as many seconds a second.", change_speed, NULL, 1},
    {"Time", "-", "slower", "Half as many seconds a second.", change_speed, NULL, -1},
    {"Time", "R", "reset", "The scene from its start, as its file says.", reset, NULL, 0},
    {"Camera", "F5", "overview", "All of the map, from the south.", look_from, NULL, 0},
    {"Camera", "F6", "top", "From straight above.", look_from, NULL, 1},
    {"Camera", "F7", "crowd", "Where most of them are.", look_from, NULL, 2},
    {"Camera", "F8", "close", "Near those.", look_from, NULL, 3},
    {"Camera", "F9", "street", "Among them, at eye level.", look_from, NULL, 4},
    {"Camera", "F", "fly",
     "The camera turns about itself and W A S D Q E walk along its look; else it turns round the "
     "point that it looks at.",
     fly, flies, 0},
    {"Camera", "PageUp", "nearer", "As the wheel does.", zoom, NULL, 2},
    {"Camera", "PageDown", "farther", "As the wheel does.", zoom, NULL, -2},
    {"Camera", "'", "finer", "More pixels drawn for one of the window: slower, smoother.", finer,
     NULL, 1},
    {"Camera", ";", "coarser", "Fewer pixels drawn: faster where the device is slow.", finer, NULL,
     -1},
    {"Agent", "N", "next", "Picks another agent. A click picks the one under it.", pick_next, NULL,
     1},
    {"Agent", "B", "last", "Picks the one before.", pick_next, NULL, -1},
    {"Agent", "L", "follow", "The camera goes with the picked agent.", follow, follows, 0},
    {"Agent", "Escape", "none", "Picks nobody.", pick_none, NULL, 0},
    {"Hands on", "I", "look", "The left button turns and picks again.", take_tool, has_tool,
     VIEW_NO_TOOL},
    {"Hands on", "V", "wall", "The left button paints walls.", paint, paints, THRONG_WALL},
    {"Hands on", "M", "ground", "The left button paints open ground: takes walls away.", paint,
     paints, THRONG_GROUND},
    {"Hands on", "K", "terrain", "Paints trees, swamp, water, ...: press again for the next.",
     paint_other, paints_other, 1},
    {"Hands on", "O", "goal",
     "A click puts a goal, and everybody (or the picked one) goes there; dragging moves it.",
     take_tool, has_tool, VIEW_PUT_GOAL},
    {"Hands on", "C", "add", "The left button puts agents of the profile under the brush.",
     take_tool, has_tool, VIEW_SPAWN},
    {"Hands on", "X", "remove", "The left button takes agents under the brush away.", take_tool,
     has_tool, VIEW_REMOVE},
    {"Hands on", "]", "wider", "A wider brush.", change_brush, NULL, 1},
    {"Hands on", "[", "narrower", "A narrower brush.", change_brush, NULL, -1},
    {"Hands on", "Z", "undo", "Takes the last stroke of paint back.", undo, NULL, 0},
    {"Hands on", "U", "profile", "Another profile to put and to turn.", next_profile, NULL, 1},
    {"Hands on", "P", "save", "Writes the world as a scene that throng run accepts.", save, NULL,
     0},
    {"Drawing", "F1", "naive", "The CPU poses each agent and calls once for each.", draw_by,
     draws_by, THRONG_DRAW_NAIVE},
    {"Drawing", "F2", "instanced", "The CPU poses them, one call for each mesh level.", draw_by,
     draws_by, THRONG_DRAW_INSTANCED},
    {"Drawing", "F3", "indirect", "The device poses them and fills in its own calls.", draw_by,
     draws_by, THRONG_DRAW_INDIRECT},
    {"Drawing", "F4", "gpu-driven", "The device also finds out who can be seen at all.", draw_by,
     draws_by, THRONG_DRAW_GPU_DRIVEN},
    LAYER("1", "cost", VIEW_COST, "What a step costs on each cell: dark is cheap."),
    LAYER("2", "heat", VIEW_HEAT, "The field: how far it is to the goal, in bands."),
    LAYER("3", "arrows", VIEW_ARROWS, "Which way the field leads."),
    LAYER("4", "clearance", VIEW_CLEARANCE, "How far the next wall is."),
    LAYER("5", "regions", VIEW_REGIONS, "What is connected with what."),
    LAYER("6", "density", VIEW_DENSITY, "How many stand where."),
    LAYER("7", "bins", VIEW_BINS, "The squares in which neighbours are looked for."),
    LAYER("8", "contacts", VIEW_CONTACTS, "White walks, yellow dodges, red waits."),
    LAYER("9", "slots", VIEW_SLOTS, "Places round targets, and who has them."),
    LAYER("0", "goals", VIEW_GOALS, "Where they go."),
    LAYER("T", "status", VIEW_STATUS, "Colours by status: idle, walking, arrived, stuck, cut off."),
    LAYER("G", "gates", VIEW_GATES, "Narrow gaps and whose turn it is."),
    LAYER("Y", "route", VIEW_ROUTE, "The picked agent's way to its goal."),
    LAYER("Insert", "neighbours", VIEW_NEIGHBOURS,
          "Whom the picked agent reckoned with: red touched, orange ahead, yellow too near."),
    LAYER("Delete", "motives", VIEW_MOTIVES,
          "What moved the picked agent: a vector for each rule, black the sum."),
    LAYER("J", "portals", VIEW_PORTALS, "Sectors, and where one can go from one to the next."),
    LAYER(",", "corridor", VIEW_CORRIDOR,
          "The picked agent's path, and the sectors that tiles take along it."),
    LAYER("/", "rooms", VIEW_ROOMS, "Rooms as walkers know them, and the doors between them."),
    LAYER("\\", "door", VIEW_DOOR,
          "How far it is to a door of the room under the mouse, which is green; agents are red."),
    {"Layers", "Right", "next door", "Another door of that room.", turn_page, NULL, 1},
    {"Layers", "Left", "last door", "The one before.", turn_page, NULL, -1},
    {"Window", "H", "help", "All keys, and what they do.", flip_help, help_on, 0},
    {"Window", "Tab", "panels", "Shows and hides the panels.", flip_panels, panels_on, 0},
    {"Window", "F11", "full screen", "The whole screen, and back.", flip_full, full_on, 0},
    {"Window", "F12", "picture", "Writes what is drawn as throng-STEP.png.", view_save_picture,
     NULL, 0},
    {"Window", "F10", "restart", "Closes the graphics device and opens it anew.", restart, NULL, 0},
    {"Window", "End", "quit", "Closes the window.", quit, NULL, 0},
};

const view_action *view_actions(int *count)
{
    *count = (int)(sizeof actions / sizeof actions[0]);
    return actions;
}
