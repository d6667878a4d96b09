/// The viewer: a scene, seen. What its files share, and the door for the command line.
#ifndef VIEW_H
#define VIEW_H

#include <throng/explain.h>
#include <throng/path.h>
#include <throng/rooms.h>
#include <throng_gpu/drawing.h>
#include <throng_io/picture.h>
#include <throng_io/world.h>

/// What is asked for on the command line.
typedef struct view_options {
    const char *scene;
    const char *png, *video; ///< NULL: none
    const char *draw;        ///< name of a throng_draw_mode
    const char *camera;      ///< name of a camera, see view_camera_names()
    const char *layers;      ///< names with commas between them
    const char *size;        ///< "1280x720"
    const char *playground;  ///< name, see play.h; NULL: the scene's, if it has one
    const char *figures;     ///< one for each profile, commas between; NULL: as they look
    int frames;              ///< 0: until the scene's end when there is a video, else one
    int frames_per_second, samples, threads, pick;
    double speed, start; ///< simulated seconds a second, and before the first frame
    bool json, quiet, validate;
    bool window, trace;         ///< a window is wanted whatever else is; say each action on stdout
    int spare_agents;           ///< that may be put by hand
    int lose_after, lose_again; ///< for tests: submits of the first device, of each later; 0: all
    bool keys;                  ///< only print the table of keys
} view_options;

view_options view_default_options(void);

/// Draws without a window and writes what is asked for. THRONG_BAD_ARGUMENT, THRONG_UNREACHABLE (no
/// Vulkan), and what scenes and files give, with *error.
throng_result view_headless(const view_options *options, throng_error *error);

/// Opens a window and stays until it is closed. As view_headless; THRONG_UNREACHABLE also where
/// there is no display.
throng_result view_window(const view_options *options, throng_error *error);
/// True where this build has windows and there is a display to open one on.
bool view_has_window(void);
/// Prints the table of keys.
void view_print_keys(void);

/// Names for help texts, with commas between them.
const char *view_camera_names(void);
const char *view_layer_names(void);

/// Reads options that both the window and the headless run know.
throng_result view_read_mode(const char *name, throng_draw_mode *mode, throng_error *error);
throng_result view_read_size(const char *text, int *width, int *height, throng_error *error);

__attribute__((format(printf, 2, 3))) throng_result view_fail(throng_error *error,
                                                              const char *format, ...);

// ---- What walks ---------------------------------------------------------------------------------

typedef struct view_walk {
    float x, y, heading, walked;
    uint32_t generation; ///< 0: nobody
} view_walk;

typedef enum view_colours {
    VIEW_CLOTHES = 0, ///< nothing said: everybody dresses differently
    VIEW_BY_TEAM,
    VIEW_BY_STATUS,
    VIEW_BY_CONTACT,
    VIEW_ALL_RED
} view_colours;

typedef struct view_ways view_ways; ///< what layers of ways are drawn from; see ways.c

#define VIEW_MAX_GOALS 32         ///< that can be put by hand
#define VIEW_MOST_NOTED (1 << 17) ///< agents; of more no notes are taken, they cost 330 bytes each

/// A world with what the drawing wants to know beside it.
typedef struct view_stage {
    throng_scene *scene;
    throng_world *world;
    throng_crowd *crowd;
    throng_map *map;
    throng_drawn_agent *agents; ///< of the last step, in the view's order
    int agent_count, capacity;
    view_walk *walks; ///< by slot of the agent's id
    size_t walk_count;
    view_colours colours, plain_colours; ///< now; where no layer asks for others
    throng_figure figures[THRONG_MAX_PROFILES];
    float dt;
    throng_saved_goal put[VIEW_MAX_GOALS]; ///< goals put by hand
    int put_count;
    view_ways *ways;
    throng_vec2 cursor; ///< metres, where the mouse is over the ground
    bool has_cursor;
    int door_page; ///< which of its room's doors the layer of doors shows; any number
} view_stage;

throng_result view_stage_open(view_stage *stage, const view_options *options, throng_error *error);
void view_stage_close(view_stage *stage);
/// The goal whose field is shown: the last one put by hand, else the scene's first.
throng_goal_id view_shown_goal(const view_stage *stage);
/// The goal of a slot, of the scene's or put by hand; zero: there is none.
throng_goal_id view_goal_of_slot(const view_stage *stage, int slot);
/// Steps the world once and takes over who is where. False without memory.
bool view_stage_step(view_stage *stage);
/// Takes over who is where without a step.
bool view_stage_look(view_stage *stage);
/// Tints of those who are there, after their colours have been chosen anew.
void view_stage_recolour(view_stage *stage);

// ---- Ground and layers --------------------------------------------------------------------------

/// Layers: cells that are painted, lines that are drawn, and colours of agents.
typedef enum view_layer {
    VIEW_COST = 0,
    VIEW_HEAT,
    VIEW_ARROWS,
    VIEW_CLEARANCE,
    VIEW_REGIONS,
    VIEW_DENSITY,
    VIEW_BINS,
    VIEW_CONTACTS,
    VIEW_SLOTS,
    VIEW_GOALS,
    VIEW_STATUS,
    VIEW_GATES,
    VIEW_ROUTE,
    VIEW_PORTALS,
    VIEW_CORRIDOR,
    VIEW_ROOMS,
    VIEW_DOOR,
    VIEW_NEIGHBOURS,
    VIEW_MOTIVES,
    VIEW_LAYER_COUNT
} view_layer;

const char *view_layer_name(view_layer layer);
/// Bits of the layers in a list of names. THRONG_BAD_ARGUMENT names the one that is none.
throng_result view_read_layers(const char *names, uint32_t *layers, throng_error *error);

typedef struct view_lines {
    throng_drawn_line *lines;
    int count, capacity;
    bool lost; ///< no memory
} view_lines;

void view_line(view_lines *lines, throng_vec2 from, throng_vec2 to, float height, float width,
               throng_colour colour);

void view_ring(view_lines *lines, throng_vec2 middle, float radius, float height, float width,
               throng_colour colour);

/// The ground's def for a map; arrays are the caller's, a cell each.
throng_ground view_ground(const throng_map *map, uint32_t *colours, uint8_t *walls);
/// Colours of the cells: terrain, then the layers that are painted.
void view_paint(const view_stage *stage, uint32_t layers, int pick, uint32_t *colours);
/// Lines of the layers that are drawn; `pick` is a row of the agents or -1.
void view_draw_lines(const view_stage *stage, uint32_t layers, int pick, view_lines *lines);
#define VIEW_MOST_WAY 8000 ///< half cells that a way is followed
/// Half a cell on along what the crowd tells an agent there. False at the goal and where no way is.
bool view_way_next(const view_stage *stage, throng_goal_id goal, int class_index, throng_vec2 at,
                   throng_vec2 *next);

/// Lines of the layers of one agent; nothing when nobody is picked.
void view_draw_mind(const view_stage *stage, uint32_t layers, int pick, view_lines *lines);
throng_colour view_colour_of_motive(throng_motive motive);

/// NULL without memory.
view_ways *view_ways_open(void);
void view_ways_close(view_ways *ways);
/// Lines of the layers of ways.
void view_draw_ways(const view_stage *stage, uint32_t layers, int pick, view_lines *lines);
void view_paint_rooms(const view_stage *stage, uint32_t *colours);
/// The door that stage->door_page shows, of the room under the cursor, without one of that of the
/// agent in row `pick`; its page and how many there are. -1: there is no door.
int view_door_of_page(const view_stage *stage, int pick, int *room, int *page, int *count);
/// How far it is to that door, and its room in green.
void view_paint_door(const view_stage *stage, int pick, uint32_t *colours);

/// Mixes a colour over a cell.
void view_mix(uint32_t *cell, throng_colour colour, float share);

/// What goes to the device after a step.
typedef struct view_show {
    uint32_t *colours; ///< a cell each
    uint8_t *walls;
    view_lines lines;
    uint32_t ground_version; ///< of the map as it is on the device; 0: none is
    uint32_t layers;
    bool repaint;                 ///< the ground's colours have changed with neither map nor layers
    const struct view_play *play; ///< what it paints and draws comes on top; NULL: none
} view_show;

/// False without memory; to be closed then too.
bool view_show_open(view_show *show, const view_stage *stage);
void view_show_close(view_show *show);
throng_result view_show_step(view_show *show, const view_stage *stage, throng_drawing *drawing,
                             uint32_t layers, int pick);
/// Colours of the agents that the layers ask for; with the next look at them.
void view_choose_colours(view_stage *stage, uint32_t layers);

// ---- Cameras ------------------------------------------------------------------------------------

/// A named camera for the stage as it is now. False for an unknown name.
bool view_camera(const view_stage *stage, const char *name, throng_camera *camera);

#endif
