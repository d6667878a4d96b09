/// Worlds: made from a scene, stepped with what the scene has for the moment, restored from a save.
#include "clock.h"
#include "file.h"
#include "world_model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <throng/replay.h>

throng_world_options throng_default_world_options(void)
{
    return (throng_world_options){.measure_every = 30, .near = 0.8f};
}

/// What the scene asks for in all, so that nothing has to grow later.
static void count_capacity(throng_world *world, int *goals)
{
    int64_t agents = 0, own = 0;
    for (int i = 0; i < world->model->group_count; i++) {
        const thg_group *group = &world->model->groups[i];
        agents += group->count;
        own += group->own.kind != THG_OWN_NONE ? group->count : 0;
    }
    world->track_capacity = (int)agents;
    world->max_agents = world->model->max_agents > 0 ? world->model->max_agents : (int)agents;
    world->max_agents += world->options.spare_agents;
    *goals = world->model->goal_count + (int)own + world->options.spare_goals;
}

static bool take_memory(throng_world *world, int goals)
{
    world->goals = calloc((size_t)goals + 1, sizeof *world->goals);
    world->tracks = calloc((size_t)world->track_capacity + 1, sizeof *world->tracks);
    world->slot_track = malloc(((size_t)world->max_agents + 1) * sizeof *world->slot_track);
    if (world->slot_track != NULL) {
        memset(world->slot_track, 0xff, ((size_t)world->max_agents + 1) * sizeof(uint32_t));
    }
    return world->goals != NULL && world->tracks != NULL && world->slot_track != NULL;
}

static throng_result make_crowd(throng_world *world, int goals, throng_error *error)
{
    const thg_scene_model *model = world->model;
    int threads = world->options.threads > 0 ? world->options.threads : model->threads;
    throng_profile_def profiles[THRONG_MAX_PROFILES];
    for (int i = 0; i < model->profile_count; i++) {
        profiles[i] = model->profiles[i].def;
    }
    throng_crowd_def def = throng_default_crowd_def();
    def.map = world->map;
    def.profiles = profiles;
    def.profile_count = model->profile_count;
    def.max_agents = world->max_agents;
    def.max_goals = goals > 0 ? goals : 1;
    def.metric = model->metric;
    def.seed = model->seed + world->options.seed + world->arrangement.seed;
    def.field_cell_budget = model->field_cell_budget;
    def.traffic = model->traffic;
    def.kernels = world->options.kernels;
    throng_result result = threads > 1 ? throng_jobs_create(threads, &world->jobs) : THRONG_OK;
    def.jobs = world->jobs;
    if (result == THRONG_OK) {
        result = throng_crowd_create(&def, &world->crowd);
    }
    return result == THRONG_OK
               ? result
               : thg_scene_fail(world->scene, world->options.control, "", result, error,
                                "the crowd could not be made: %s", throng_result_name(result));
}

static throng_result fill(throng_world *world, throng_error *error)
{
    int goals;
    count_capacity(world, &goals);
    throng_result result = thg_world_make_map(world, error);
    if (result == THRONG_OK && world->planet != NULL) {
        result = thg_world_check_planet(world, error);
    }
    if (result == THRONG_OK && !take_memory(world, goals)) {
        result = thg_scene_fail(world->scene, world->options.control, "", THRONG_NO_MEMORY, error,
                                "no memory for the world");
    }
    if (result == THRONG_OK) {
        throng_map_update(world->map);
        result = make_crowd(world, goals, error);
    }
    if (result == THRONG_OK) {
        result = thg_world_make_goals(world, error);
    }
    if (result == THRONG_OK) {
        result = thg_world_spawn_all(world, error);
    }
    if (result == THRONG_OK && !thg_world_make_walls(world)) {
        result = thg_scene_fail(world->scene, world->options.control, "\x1fstrength",
                                THRONG_NO_MEMORY, error, "no memory for the walls");
    }
    bool measures = world->options.measure_every > 0;
    if (result == THRONG_OK &&
        ((measures && (!thg_contacts_create(world) || !thg_metrics_create(world))) ||
         (world->options.measure_every == 1 && !thg_meters_create(world)))) {
        result = thg_scene_fail(world->scene, world->options.control, "", THRONG_NO_MEMORY, error,
                                "no memory for the measures");
    }
    return result;
}

throng_result throng_world_create(const throng_scene *scene, const throng_world_options *options,
                                  throng_world **out, throng_error *error)
{
    *out = NULL;
    throng_error spare = {0};
    error = error != NULL ? error : &spare;
    *error = (throng_error){0};
    if (options->arrangement < 0 || options->arrangement >= throng_scene_arrangement_count(scene) ||
        options->threads < 0 || options->threads > 64 || options->measure_every < 0 ||
        !throng_kernels_available(options->kernels) ||
        (unsigned)options->method > THRONG_ROUTE_ROOMS ||
        (options->control && !scene->has_control)) {
        return thg_file_fail(error, THRONG_BAD_ARGUMENT, scene->documents[0].path, 0, 0,
                             "the options of the world are out of range");
    }
    if (throng_scene_has_walkers(scene)) {
        return thg_scene_fail(scene, false, "\x1fwalkers", THRONG_BAD_DATA, error,
                              "expected agents: a scene with walkers is run by throng run alone");
    }
    throng_world *world = calloc(1, sizeof *world);
    if (world == NULL) {
        return thg_file_fail(error, THRONG_NO_MEMORY, scene->documents[0].path, 0, 0,
                             "no memory for the world");
    }
    world->scene = scene;
    world->options = *options;
    world->model = options->control ? &scene->control : &scene->model;
    world->arrangement = thg_arrangement_get(&scene->model, options->arrangement);
    throng_result result = fill(world, error);
    if (result != THRONG_OK) {
        throng_world_destroy(world);
        return result;
    }
    throng_crowd_solve_fields(world->crowd);
    *out = world;
    return THRONG_OK;
}

void throng_world_destroy(throng_world *world)
{
    if (world == NULL) {
        return;
    }
    thg_world_end_walls(world);
    thg_meters_destroy(world);
    thg_metrics_destroy(world);
    thg_contacts_destroy(world);
    throng_crowd_destroy(world->crowd);
    throng_jobs_destroy(world->jobs);
    if (world->planet != NULL) {
        throng_planet_destroy(world->planet);
    } else {
        throng_map_destroy(world->map);
    }
    for (int i = 0; i < world->goal_count; i++) {
        free(world->goals[i].points.items);
        free(world->goals[i].cell_rects);
        free(world->goals[i].turned_rects);
    }
    free(world->goals);
    free(world->tracks);
    free(world->slot_track);
    free(world);
}

// ---- Stepping ---------------------------------------------------------------------------------

static void look_at_order(throng_world *world)
{
    thg_order order;
    if (!thg_order_look(world, UINT64_MAX, 0.0f, &order)) {
        world->flags |= THRONG_WORLD_NO_MEMORY;
        return;
    }
    if (order.movers > 1) {
        world->polarisation_sum += order.polarisation;
        world->polarisation_looks++;
    }
    if (order.has_lanes) {
        world->lane_order_sum += order.lane_order;
        world->lane_order_looks++;
    }
}

uint32_t throng_world_step(throng_world *world)
{
    world->dt = thg_world_schedule(world, throng_crowd_time(world->crowd), true);
    double start = thg_clock_seconds();
    uint32_t flags = throng_crowd_step(world->crowd, (float)world->dt);
    double took = thg_clock_seconds() - start;
    world->flags |= flags;
    world->steps++;
    thg_world_find_goals(world);
    world->tick_seconds += took;
    world->slowest_tick = took > world->slowest_tick ? took : world->slowest_tick;
    if (world->ticks != NULL && world->tick_count < world->tick_capacity) {
        world->ticks[world->tick_count++] = (float)took;
    }
    int every = world->options.measure_every;
    if (every > 0) {
        thg_world_follow(world);
        if (world->steps % (uint64_t)every == 0) {
            thg_contacts_look(world);
        }
        if (world->planet == NULL) { // what is about directions, or bins of a plane
            if (world->steps % (uint64_t)every == 0) {
                look_at_order(world);
            }
            thg_metrics_look(world);
        }
        thg_meters_observe(world);
    }
    return flags;
}

/// True when no event, source or command can bring agents any more.
static bool nobody_comes(const throng_world *world)
{
    for (int i = 0; i < world->model->group_count; i++) {
        const thg_group *group = &world->model->groups[i];
        if (group->form == THG_SOURCE &&
            world->produced[i] < thg_source_due(group, world->model->duration)) {
            return false;
        }
    }
    return true;
}

bool throng_world_done(const throng_world *world)
{
    if (throng_crowd_time(world->crowd) + THG_TIME_SLACK >= world->model->duration) {
        return true;
    }
    return world->model->stop_when_empty && throng_crowd_step_count(world->crowd) > 0 &&
           throng_crowd_agents(world->crowd).count == 0 && nobody_comes(world);
}

throng_crowd *throng_world_crowd(const throng_world *world)
{
    return world->crowd;
}

throng_map *throng_world_map(const throng_world *world)
{
    return world->map;
}

// ---- Goals ------------------------------------------------------------------------------------

throng_goal_id throng_world_goal(const throng_world *world, const char *name)
{
    for (int i = 0; i < world->model->goal_count; i++) {
        if (strcmp(world->goals[i].name, name) == 0) {
            return world->goals[i].id;
        }
    }
    return (throng_goal_id){0, 0};
}

int throng_world_goal_count(const throng_world *world)
{
    return world->goal_count;
}

throng_goal_id throng_world_goal_at(const throng_world *world, int index, throng_goal_shape *shape,
                                    const char **name)
{
    bool there = index >= 0 && index < world->goal_count;
    const thg_world_goal *goal = there ? &world->goals[index] : NULL;
    if (shape != NULL) {
        *shape = throng_default_goal_shape();
        if (there) {
            // Cells come as rectangles: what draws a goal need not know the map.
            shape->points = goal->points.items;
            shape->point_count = goal->points.count;
            shape->rects = goal->rects.count > 0 ? goal->rects.items : goal->cell_rects;
            shape->rect_count = goal->rects.count > 0 ? goal->rects.count : goal->cell_count;
        }
    }
    if (name != NULL) {
        *name = there && goal->name != NULL ? goal->name : "";
    }
    return there ? goal->id : (throng_goal_id){0, 0};
}

uint64_t throng_world_goals_moved(const throng_world *world)
{
    return world->goals_moved;
}

// ---- Going on from a snapshot -----------------------------------------------------------------

/// Group of an agent that a source had produced before the snapshot: the first source of his
/// profile and goal.
static int source_of(const throng_world *world, const throng_agents_view *agents, int row)
{
    for (int i = 0; i < world->model->group_count; i++) {
        const thg_group *group = &world->model->groups[i];
        uint32_t goal = group->goal >= 0 ? world->goals[group->goal].id.slot : 0;
        if (group->form == THG_SOURCE && group->profile == agents->profile[row] &&
            goal == agents->goal[row]) {
            return i;
        }
    }
    return -1;
}

/// Makes the tracks fit the crowd that was loaded.
static void follow_anew(throng_world *world)
{
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    float time = (float)throng_crowd_time(world->crowd);
    for (int row = 0; row < agents.count; row++) {
        throng_vec2 place = {agents.x[row], agents.y[row]};
        thg_track *track = thg_world_track_of(world, agents.id[row]);
        if (track == NULL) {
            int group = source_of(world, &agents, row);
            if (group < 0 || !thg_world_track(world, agents.id[row], group,
                                              world->model->groups[group].goal, place)) {
                continue;
            }
            track = thg_world_track_of(world, agents.id[row]);
        }
        track->start = track->before = track->last = track->from = place;
        track->since = time;
        for (int i = 0; i < world->goal_count; i++) {
            track->goal = world->goals[i].id.slot == agents.goal[row] ? i : track->goal;
        }
        track->goal = agents.goal[row] == 0 ? -1 : track->goal;
    }
}

throng_result throng_world_resume(throng_world *world, const char *path, throng_error *error)
{
    throng_result result = throng_crowd_load(world->crowd, path, error);
    if (result != THRONG_OK) {
        return result;
    }
    // The schedule is walked again with the same sums of dt, so that it ends where the run stood.
    uint64_t steps = throng_crowd_step_count(world->crowd);
    double time = 0.0;
    world->next_event = 0;
    for (uint64_t i = 0; i < steps; i++) {
        time += (double)(float)thg_world_schedule(world, time, false);
    }
    follow_anew(world);
    return THRONG_OK;
}
