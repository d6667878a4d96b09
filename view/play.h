/// Playgrounds: what the published article lets its readers try, on the stage of any scene. Each
/// measures something step by step, so that a window stays alive meanwhile, and fills a table.
#ifndef VIEW_PLAY_H
#define VIEW_PLAY_H

#include "view.h"

#define VIEW_PLAY_ROWS 24
#define VIEW_PLAY_COLUMNS 5

typedef struct view_play_row {
    char name[32];
    double values[VIEW_PLAY_COLUMNS]; ///< NAN: does not apply
} view_play_row;

/// What has been measured so far.
typedef struct view_play_table {
    const char *columns[VIEW_PLAY_COLUMNS]; ///< names with units, as in "cells" or "ms"; NULL: none
    int bars;                               ///< the column that is shown as bars too
    view_play_row rows[VIEW_PLAY_ROWS];
    int row_count;
} view_play_table;

typedef struct view_play view_play;

/// What a playground works on. Without a drawing those that draw do nothing.
typedef struct view_play_place {
    view_stage *stage;
    throng_drawing *drawing;
    const throng_camera *camera;
    int pick; ///< row of the agent that is looked at; -1: the first
} view_play_place;

typedef struct view_play_kind {
    const char *name, *title;
    const char *about; ///< what is compared, and what to try: for the panel
    const char *slider, *tooltip;
    float low, high, first; ///< of the slider
    bool whole, logarithmic;
    bool waits;            ///< measures when it is told to
    bool watches;          ///< measures again when the goal or the map has changed
    view_play_table table; ///< its columns
    size_t own_size;       ///< bytes of what `own` points to
    /// Fills `own`, which is zero. False without memory. NULL: there is nothing to fill.
    bool (*begin)(view_play *play, const view_play_place *place);
    /// Does a piece of the work, about `seconds` long. Sets play->done when there is no more. False
    /// without memory.
    bool (*work)(view_play *play, const view_play_place *place, double seconds);
    void (*paint)(const view_play *play, const view_stage *stage, uint32_t *colours); ///< or NULL
    void (*draw)(const view_play *play, view_lines *lines);                           ///< or NULL
    void (*release)(void *own); ///< gives back what `own` holds, which may be half filled; or NULL
} view_play_kind;

struct view_play {
    const view_play_kind *kind; ///< NULL: none is open
    void *own;                  ///< the kind's; NULL: not begun
    float value;                ///< of the slider
    throng_vec2 goal;           ///< where it was when this began
    uint32_t map_version;       ///< likewise
    view_play_table table;
    char verdict[240]; ///< what the numbers say
    bool done;
    bool fresh; ///< what it paints or draws has changed
};

/// Opens a playground by name; NULL: none. False for an unknown name; then *play is as it was.
bool view_play_open(view_play *play, const char *name);
void view_play_close(view_play *play);
/// From the beginning, with the slider where it is.
void view_play_again(view_play *play);
/// A piece of work where there is some, after a change of the stage too. False without memory.
bool view_play_work(view_play *play, const view_play_place *place, double seconds);
/// All of them, in the order of the article.
const view_play_kind *const *view_play_kinds(int *count);
/// Names with commas between them, for help and errors.
const char *view_play_names(void);

void view_play_print(const view_play *play);
/// As a JSON object, with a key for each row.
void view_play_print_json(const view_play *play);

// ---- For the kinds ------------------------------------------------------------------------------

double view_play_seconds(void);
/// Adds a row, or sets the one of that name.
void view_play_set(view_play *play, const char *name, const double values[VIEW_PLAY_COLUMNS]);
/// A map with the stage's terrain in cells `times` as large, what lies at their middles, and one
/// class: the first, priced by terrain alone. NULL without memory.
throng_map *view_play_copy_map(const throng_map *map, int times);
/// Where the shown goal is: its first point, or the middle of its first rectangle.
throng_vec2 view_play_goal(const view_stage *stage);
/// An unsolved field to one place, of class 0. NULL without memory.
throng_field *view_play_field(const throng_map *map, throng_vec2 goal, throng_metric metric);
/// The cell (y * width + x) of a place, or the nearest that fits class 0; -1: none.
int view_play_cell(const throng_map *map, throng_vec2 place);
throng_vec2 view_play_middle(const throng_map *map, int cell);
extern const view_play_kind view_play_paths, view_play_cells, view_play_threads, view_play_drawing;

// ---- play_astar.c -------------------------------------------------------------------------------

/// A* on a grid of 8 neighbours, as well as it can be done with a binary heap.
typedef struct view_astar view_astar;

/// Prices as a class of a map has them, by terrain alone. NULL without memory.
view_astar *view_astar_create(const throng_map *map, int class_index);
void view_astar_destroy(view_astar *astar);

typedef struct view_astar_answer {
    bool found;
    uint32_t cost; ///< octile units
    int visited;   ///< cells taken from the heap
} view_astar_answer;
/// From cell to cell (y * width + x). False without memory.
bool view_astar_find(view_astar *astar, int from, int to, view_astar_answer *answer);
/// Whether the last search took a cell from the heap; the cell before one on the way, -1 at its
/// start.
bool view_astar_visited(const view_astar *astar, int cell);
int view_astar_before(const view_astar *astar, int cell);

#endif
