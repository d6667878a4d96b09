/// A path for each agent against one field for all: how many cells are looked at, and how long it
/// takes, each time the goal moves.
///
/// Both solve the same problem: the agents' map with the prices of its terrain, 8 neighbours. That
/// A* finds ways as long as the field's is checked for every agent.
#include "play.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct play_paths {
    throng_map *map; ///< a copy, priced by terrain alone
    throng_field *octile, *eikonal;
    view_astar *astar;
    int *starts; ///< cells of the agents that ask
    int count, asked, found, equal, goal_cell;
    long long visited;
    double seconds;
    throng_vec2 *path; ///< of the last one who asked
    int path_count;
} play_paths;

static void release_paths(void *paths)
{
    play_paths *own = paths;
    view_astar_destroy(own->astar);
    throng_field_destroy(own->octile);
    throng_field_destroy(own->eikonal);
    throng_map_destroy(own->map);
    free(own->starts);
    free(own->path);
}

/// The one looked at last, so that what is drawn is its search.
static bool list_starts(play_paths *own, const view_play_place *place, int most)
{
    throng_agents_view agents = throng_crowd_agents(place->stage->crowd);
    int picked = place->pick >= 0 && place->pick < agents.count ? place->pick : 0;
    own->starts = malloc(((size_t)agents.count + 1) * sizeof *own->starts);
    for (int i = 0; i < agents.count && own->starts != NULL && own->count < most; i++) {
        int row = (picked + 1 + i) % agents.count;
        if (own->count == most - 1) {
            row = picked;
        }
        int start = view_play_cell(own->map, (throng_vec2){agents.x[row], agents.y[row]});
        if (start >= 0) {
            own->starts[own->count++] = start;
        }
    }
    return own->starts != NULL;
}

/// A field once solved, and read by everybody once.
static void time_field(view_play *play, play_paths *own, throng_field *field, const char *name)
{
    double start = view_play_seconds();
    throng_field_solve(field);
    double solved = view_play_seconds();
    float sum = 0.0f;
    for (int i = 0; i < own->count; i++) {
        throng_vec2 at = view_play_middle(own->map, own->starts[i]);
        sum += throng_field_sample(field, at).direction.x;
    }
    double read = view_play_seconds();
    volatile float kept = sum; // so that the reading is not left out
    (void)kept;
    double each = 1e6 / fmax(own->count, 1.0);
    view_play_set(play, name,
                  (double[]){throng_field_get_view(field).reached_count, (read - start) * 1e3,
                             (read - start) * each, (read - solved) * each, NAN});
}

static bool begin_paths(view_play *play, const view_play_place *place)
{
    play_paths *own = play->own;
    own->map = view_play_copy_map(place->stage->map, 1);
    if (own->map == NULL || !list_starts(own, place, (int)(play->value + 0.5f))) {
        return false;
    }
    own->goal_cell = view_play_cell(own->map, play->goal);
    own->asked = own->goal_cell < 0 ? own->count : 0;
    throng_vec2 middle =
        own->goal_cell >= 0 ? view_play_middle(own->map, own->goal_cell) : play->goal;
    own->octile = view_play_field(own->map, middle, THRONG_OCTILE);
    own->eikonal = view_play_field(own->map, middle, THRONG_EIKONAL);
    own->astar = view_astar_create(own->map, 0);
    if (own->octile == NULL || own->eikonal == NULL || own->astar == NULL) {
        return false;
    }
    view_play_set(play, "A*, each agent", (double[]){0.0, 0.0, 0.0, NAN, NAN});
    time_field(play, own, own->octile, "one field, 8 directions");
    time_field(play, own, own->eikonal, "one field, any direction");
    return true;
}

/// The way that the last search found.
static bool keep_path(play_paths *own, int to)
{
    int count = 0;
    for (int cell = to; cell >= 0; cell = view_astar_before(own->astar, cell)) {
        count++;
    }
    free(own->path);
    own->path = malloc((size_t)count * sizeof *own->path);
    own->path_count = own->path != NULL ? count : 0;
    for (int cell = to; cell >= 0 && own->path != NULL;
         cell = view_astar_before(own->astar, cell)) {
        own->path[--count] = view_play_middle(own->map, cell);
    }
    return own->path != NULL;
}

static bool ask_next(play_paths *own)
{
    view_astar_answer answer;
    int start = own->starts[own->asked++];
    double began = view_play_seconds();
    if (!view_astar_find(own->astar, start, own->goal_cell, &answer)) {
        return false;
    }
    own->seconds += view_play_seconds() - began;
    own->visited += answer.visited;
    own->found += answer.found;
    throng_field_view view = throng_field_get_view(own->octile);
    int width = throng_map_width(own->map);
    uint32_t cost = view.cost[(size_t)(start / width) * (size_t)view.stride + start % width];
    own->equal += answer.found ? answer.cost == cost : cost == THRONG_UNREACHED;
    return own->asked < own->count || !answer.found || keep_path(own, own->goal_cell);
}

static void conclude(view_play *play, const play_paths *own)
{
    const view_play_row *field = &play->table.rows[1];
    double each = own->seconds * 1e3 / fmax(own->asked, 1.0);
    double even = each > 0.0 ? ceil(field->values[1] / each) : 0.0;
    snprintf(play->verdict, sizeof play->verdict,
             "%d of %d agents have asked. From %.0f agents on one field costs less. A* found ways "
             "as long as the field's for %d of %d.",
             own->asked, own->count, even, own->equal, own->asked);
    play->done = own->asked >= own->count;
}

static bool work_paths(view_play *play, const view_play_place *place, double seconds)
{
    (void)place;
    play_paths *own = play->own;
    double until = view_play_seconds() + seconds;
    do {
        if (own->asked < own->count && !ask_next(own)) {
            return false;
        }
    } while (own->asked < own->count && view_play_seconds() < until);
    view_play_set(play, "A*, each agent",
                  (double[]){(double)own->visited, own->seconds * 1e3,
                             own->seconds * 1e6 / fmax(own->asked, 1.0), NAN, NAN});
    conclude(play, own);
    return true;
}

/// What the last search looked at.
static void paint_paths(const view_play *play, const view_stage *stage, uint32_t *colours)
{
    const play_paths *own = play->own;
    int cells = throng_map_width(stage->map) * throng_map_height(stage->map);
    if (own == NULL || play->map_version != throng_map_version(stage->map)) {
        return;
    }
    for (int i = 0; i < cells; i++) {
        if (view_astar_visited(own->astar, i)) {
            view_mix(&colours[i], (throng_colour){236, 128, 48, 255}, 0.55f);
        }
    }
}

static void draw_paths(const view_play *play, view_lines *lines)
{
    const play_paths *own = play->own;
    for (int i = 1; own != NULL && i < own->path_count; i++) {
        view_line(lines, own->path[i - 1], own->path[i], 0.12f,
                  0.35f * throng_map_cell_size(own->map), (throng_colour){150, 40, 20, 255});
    }
}

const view_play_kind view_play_paths = {
    .name = "paths",
    .title = "A path each, or one field",
    .about = "A* finds a way for each agent; a field is worked out once, and all of them read it. "
             "Orange: the cells that A* looked at for one agent. Move the goal and see what each "
             "of the two has to do again.",
    .slider = "agents",
    .tooltip = "How many ask for a way.",
    .low = 1.0f,
    .high = 1000.0f,
    .first = 1000.0f,
    .whole = true,
    .logarithmic = true,
    .watches = true,
    .table = {.columns = {"cells", "ms", "us_each", "us_read"}, .bars = 1},
    .own_size = sizeof(play_paths),
    .begin = begin_paths,
    .work = work_paths,
    .paint = paint_paths,
    .draw = draw_paths,
    .release = release_paths,
};
