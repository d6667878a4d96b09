/// Walks: mazes, walkers at random places, doors that change by a plan.
#include "clock.h"
#include "walk_model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WALK_COOKIE 0x574c4b31u

throng_walk_def throng_default_walk_def(void)
{
    throng_walk_def def = {
        .cookie = WALK_COOKIE,
        .maze = throng_default_maze_def(),
        .most_cells = throng_default_rooms_def().most_cells,
        .refresh_rows = 128,
        .most_plans = throng_default_walkers_def().most_plans,
        .steps = 400,
        .threads = 1,
    };
    return def;
}

static throng_result fail(throng_error *error, throng_result result, const char *text)
{
    error->result = result;
    snprintf(error->text, sizeof error->text, "%s", text);
    return result;
}

static uint32_t draw_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static throng_result make_maze(throng_walk *walk, throng_error *error)
{
    const throng_maze_def *maze = &walk->def.maze;
    throng_map_def map_def = throng_default_map_def();
    throng_class_def class_def = throng_default_class_def();
    int class_index;
    map_def.width = throng_maze_width(maze);
    map_def.height = throng_maze_height(maze);
    if (map_def.width > THRONG_MAX_MAP_SIDE || map_def.height > THRONG_MAX_MAP_SIDE) {
        return fail(error, THRONG_BAD_ARGUMENT, "the maze is larger than a map can be");
    }
    size_t cells = (size_t)map_def.width * (size_t)map_def.height;
    uint8_t *terrain = malloc(cells + 1);
    walk->zones = malloc((cells + 1) * sizeof *walk->zones);
    map_def.terrain = terrain;
    class_def.radius = 0.0f;
    throng_result result = THRONG_NO_MEMORY;
    if (terrain != NULL && walk->zones != NULL) {
        result = throng_maze_fill(maze, terrain, walk->zones);
        result = result == THRONG_OK ? throng_map_create(&map_def, &walk->own_map) : result;
        result = result == THRONG_OK ? throng_map_add_class(walk->own_map, &class_def, &class_index)
                                     : result;
    }
    free(terrain);
    walk->map = walk->own_map;
    return result == THRONG_OK ? result : fail(error, result, "the maze could not be made");
}

static throng_result make_rooms(throng_walk *walk, throng_error *error)
{
    throng_rooms_def def = throng_default_rooms_def();
    throng_result result = throng_jobs_create(walk->def.threads, &walk->jobs);
    if (result != THRONG_OK) {
        return fail(error, result, "no memory for threads");
    }
    def.zones = walk->zones != NULL ? walk->zones : walk->def.zones;
    def.most_cells = walk->def.most_cells;
    def.diagonal = walk->def.diagonal;
    def.jobs = walk->jobs;
    return throng_rooms_create(walk->map, 0, &def, &walk->rooms, error);
}

// ---- Walkers -----------------------------------------------------------------------------------

/// A random cell of a room, in a rectangle; -1 when a million draws found none.
static int draw_cell(const throng_walk *walk, throng_cell_rect from, uint64_t *state)
{
    int width = throng_map_width(walk->map);
    uint32_t area = (uint32_t)from.width * (uint32_t)from.height;
    for (int tries = 0; tries < 1000000; tries++) {
        int drawn = (int)(draw_number(state) % area);
        int x = from.x + drawn % from.width, y = from.y + drawn / from.width;
        if (throng_rooms_at(walk->rooms, y * width + x) != 0) {
            return y * width + x;
        }
    }
    return -1;
}

static throng_cell_rect whole_map(const throng_walk *walk)
{
    return (throng_cell_rect){0, 0, throng_map_width(walk->map), throng_map_height(walk->map)};
}

static bool lies_in(throng_cell_rect inner, throng_cell_rect outer)
{
    return inner.x >= outer.x && inner.y >= outer.y && inner.height > 0 &&
           inner.width <= outer.width - inner.x && inner.height <= outer.height - inner.y;
}

static bool place_group(const throng_walk *walk, const throng_walk_group *group, int *cells,
                        throng_rooms_goal *goals, throng_error *error)
{
    throng_cell_rect all = whole_map(walk), from = group->from.width > 0 ? group->from : all;
    uint64_t state = group->seed;
    int goal = group->y * all.width + group->x;
    if (!lies_in(from, all)) {
        fail(error, THRONG_BAD_DATA, "walkers begin outside the map");
        return false;
    }
    bool known = group->to == THRONG_TO_CELL
                     ? group->x >= 0 && group->y >= 0 && group->x < all.width &&
                           group->y < all.height && throng_rooms_at(walk->rooms, goal) != 0
                     : group->to != THRONG_TO_ROOM ||
                           (group->room >= 1 && group->room <= throng_rooms_count(walk->rooms));
    for (int i = 0; i < group->count && known; i++) {
        cells[i] = draw_cell(walk, from, &state);
        int own = group->to == THRONG_TO_CELLS ? draw_cell(walk, all, &state)
                  : group->to == THRONG_TO_ROOMS
                      ? 1 + (int)(draw_number(&state) % (uint32_t)throng_rooms_count(walk->rooms))
                  : group->to == THRONG_TO_CELL ? goal
                                                : group->room;
        if (cells[i] < 0 || own < 0) {
            fail(error, THRONG_BAD_DATA, "walkers begin where there is no room");
            return false;
        }
        goals[i] =
            (throng_rooms_goal){group->to == THRONG_TO_ROOMS || group->to == THRONG_TO_ROOM, own};
    }
    if (!known) {
        snprintf(error->text, sizeof error->text,
                 "expected a goal inside a room (cell %d, %d) or a room from 1 to %d (%d)",
                 group->x, group->y, throng_rooms_count(walk->rooms), group->room);
        error->result = THRONG_BAD_DATA;
    }
    return known;
}

static throng_result make_walkers(throng_walk *walk, throng_error *error)
{
    int count = walk->sum.walkers, done = 0;
    int *cells = malloc((size_t)count * sizeof *cells);
    throng_rooms_goal *goals = malloc((size_t)count * sizeof *goals);
    throng_result result = cells != NULL && goals != NULL ? THRONG_OK : THRONG_NO_MEMORY;
    for (int i = 0; i < walk->def.group_count && result == THRONG_OK; i++) {
        const throng_walk_group *group = &walk->def.groups[i];
        if (!place_group(walk, group, cells + done, goals + done, error)) {
            result = error->result;
        }
        done += group->count;
    }
    throng_walkers_def def = throng_default_walkers_def();
    def.cells = cells;
    def.count = count;
    def.most_plans = walk->def.most_plans;
    if (result == THRONG_OK) {
        double start = thg_clock_seconds();
        result = throng_walkers_create(walk->rooms, &def, &walk->walkers);
        result = result == THRONG_OK
                     ? throng_walkers_set_goals(walk->walkers, walk->jobs, 0, count, goals)
                     : result;
        walk->sum.plan_seconds = thg_clock_seconds() - start;
        walk->sum.last.walking = count;
    }
    free(cells);
    free(goals);
    return result == THRONG_OK || error->text[0] != '\0'
               ? result
               : fail(error, result, "the walkers could not be made");
}

static bool copy_groups(throng_walk *walk)
{
    int64_t sum = 0;
    walk->groups = calloc((size_t)walk->def.group_count + 1, sizeof *walk->groups);
    walk->times = calloc((size_t)walk->def.steps + 1, sizeof *walk->times);
    if (walk->groups == NULL || walk->times == NULL) {
        return false;
    }
    for (int i = 0; i < walk->def.group_count; i++) {
        walk->groups[i] = walk->def.groups[i];
        sum += walk->groups[i].count;
    }
    walk->def.groups = walk->groups;
    walk->sum.walkers = sum < INT32_MAX ? (int)sum : INT32_MAX;
    return true;
}

static throng_result fill(throng_walk *walk, throng_error *error)
{
    const throng_walk_def *def = &walk->def;
    if (def->cookie != WALK_COOKIE || def->steps < 0 || def->steps > 100000000 ||
        def->group_count < 0 || def->close_every < 0 || def->refresh_rows < 0) {
        return fail(error, THRONG_BAD_ARGUMENT, "the walk's numbers are out of range");
    }
    if (!copy_groups(walk)) {
        return fail(error, THRONG_NO_MEMORY, "no memory for the walk");
    }
    throng_result result = walk->map == NULL ? make_maze(walk, error) : THRONG_OK;
    result = result == THRONG_OK ? make_rooms(walk, error) : result;
    return result == THRONG_OK && walk->sum.walkers > 0 ? make_walkers(walk, error) : result;
}

throng_result thg_walk_create(const throng_walk_def *def, throng_map *own_map, throng_walk **out,
                              throng_error *error)
{
    throng_error spare = {0};
    error = error != NULL ? error : &spare;
    *out = NULL;
    throng_walk *walk = calloc(1, sizeof *walk);
    if (walk == NULL) {
        throng_map_destroy(own_map);
        return fail(error, THRONG_NO_MEMORY, "no memory for the walk");
    }
    walk->def = *def;
    walk->own_map = own_map;
    walk->map = own_map != NULL ? own_map : def->map;
    walk->door_state = def->door_seed;
    walk->sum.steps = def->steps;
    walk->sum.closed_door = -1;
    throng_result result = fill(walk, error);
    if (result != THRONG_OK) {
        throng_walk_destroy(walk);
        return result;
    }
    *out = walk;
    return THRONG_OK;
}

throng_result throng_walk_create(const throng_walk_def *def, throng_walk **walk,
                                 throng_error *error)
{
    return thg_walk_create(def, NULL, walk, error);
}

void throng_walk_destroy(throng_walk *walk)
{
    if (walk != NULL) {
        throng_walkers_destroy(walk->walkers);
        throng_rooms_destroy(walk->rooms);
        throng_jobs_destroy(walk->jobs);
        throng_map_destroy(walk->own_map);
        free(walk->zones);
        free(walk->groups);
        free(walk->times);
        free(walk);
    }
}

// ---- A step ------------------------------------------------------------------------------------

static void set_door(throng_walk *walk, int door, const throng_door *state)
{
    if (walk->walkers != NULL) {
        throng_walkers_set_door(walk->walkers, walk->jobs, door, state);
    } else {
        throng_rooms_set_door(walk->rooms, door, state);
    }
    walk->sum.changes++;
}

static void change_doors(throng_walk *walk)
{
    const throng_walk_def *def = &walk->def;
    int step = walk->sum.step, width = throng_map_width(walk->map);
    while (walk->next_change < def->change_count && def->changes[walk->next_change].step <= step) {
        const throng_walk_change *change = &def->changes[walk->next_change++];
        int door = throng_rooms_door_at(walk->rooms, change->y * width + change->x);
        if (door >= 0) {
            set_door(walk, door, &change->state);
        }
    }
    int doors = throng_rooms_door_count(walk->rooms), every = def->close_every;
    if (every == 0 || doors == 0) {
        return;
    }
    // Half way to the next: a step has one door to see to.
    if (step % every == every / 2 && walk->sum.closed_door >= 0) {
        set_door(walk, walk->sum.closed_door, &(throng_door){0});
        walk->sum.closed_door = -1;
    }
    if (step % every == 0) {
        walk->sum.closed_door = (int)(draw_number(&walk->door_state) % (uint32_t)doors);
        set_door(walk, walk->sum.closed_door, &(throng_door){.closed = true});
    }
}

bool throng_walk_step(throng_walk *walk)
{
    throng_walk_summary *sum = &walk->sum;
    bool changes = walk->def.close_every > 0 || walk->next_change < walk->def.change_count;
    if (sum->step >= sum->steps || walk->walkers == NULL || (sum->last.walking == 0 && !changes)) {
        return false;
    }
    double start = thg_clock_seconds();
    int before = sum->changes;
    change_doors(walk);
    // Finding out whom a door touches is work of the step: it rebuilds fewer rows then.
    int fewer = sum->changes > before ? 4 : 1;
    sum->last = throng_walkers_step(walk->walkers, walk->jobs);
    throng_rooms_refresh(walk->rooms, walk->jobs, walk->def.refresh_rows / fewer);
    walk->times[sum->step] = thg_clock_seconds() - start;
    sum->seconds += walk->times[sum->step++];
    sum->moved += (uint64_t)sum->last.moved;
    sum->most_waiting =
        sum->last.waiting > sum->most_waiting ? sum->last.waiting : sum->most_waiting;
    return true;
}

const throng_map *throng_walk_map(const throng_walk *walk)
{
    return walk->map;
}

throng_rooms *throng_walk_rooms(const throng_walk *walk)
{
    return walk->rooms;
}

throng_walkers *throng_walk_walkers(const throng_walk *walk)
{
    return walk->walkers;
}

static int by_time(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

throng_walk_summary throng_walk_get_summary(const throng_walk *walk)
{
    throng_walk_summary sum = walk->sum;
    double *times = malloc((size_t)sum.step * sizeof *times + 1);
    if (times != NULL && sum.step > 0) {
        memcpy(times, walk->times, (size_t)sum.step * sizeof *times);
        qsort(times, (size_t)sum.step, sizeof *times, by_time);
        sum.median_step = times[sum.step / 2];
        sum.slowest_step = times[sum.step - 1];
    }
    free(times);
    return sum;
}
