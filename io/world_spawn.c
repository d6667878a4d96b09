/// Agents of a world: where the scene puts them, turned and shifted by the arrangement.
#include "world_model.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static throng_result fail_at(const throng_world *world, throng_result result, throng_error *error,
                             const thg_group *group, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "\x1f%s\x1f#%d", group->form == THG_SOURCE ? "sources" : "agents",
             group->entry);
    return thg_scene_fail(world->scene, world->options.control, path, result, error, "%s", text);
}

// ---- Tracks -----------------------------------------------------------------------------------

bool thg_world_track(throng_world *world, throng_agent_id id, int group, int goal,
                     throng_vec2 position)
{
    if (world->track_count == world->track_capacity || id.slot > (uint32_t)world->max_agents) {
        return false;
    }
    world->slot_track[id.slot] = (uint32_t)world->track_count;
    world->tracks[world->track_count++] = (thg_track){
        .id = id,
        .group = group,
        .profile = world->model->groups[group].profile,
        .goal = goal,
        .start = position,
        .before = position,
        .last = position,
        .from = position,
        .since = (float)throng_crowd_time(world->crowd),
        .arrived = -1.0f,
    };
    return true;
}

thg_track *thg_world_track_of(const throng_world *world, throng_agent_id id)
{
    if (id.slot > (uint32_t)world->max_agents) {
        return NULL;
    }
    uint32_t track = world->slot_track[id.slot];
    if (track >= (uint32_t)world->track_count) {
        return NULL;
    }
    thg_track *found = &world->tracks[track];
    return found->id.slot == id.slot && found->id.generation == id.generation ? found : NULL;
}

// ---- Agents -----------------------------------------------------------------------------------

static throng_result spawn(throng_world *world, int group_index, throng_vec2 position, int goal)
{
    const thg_group *group = &world->model->groups[group_index];
    throng_spawn_def def = {.position = position,
                            .velocity = thg_world_turned_way(world, group->velocity),
                            .profile = group->profile,
                            .team = group->team,
                            .goal = goal >= 0 ? world->goals[goal].id : (throng_goal_id){0, 0}};
    throng_agent_id id;
    throng_result result = throng_crowd_spawn(world->crowd, &def, &id);
    if (result == THRONG_OK && !thg_world_track(world, id, group_index, goal, position)) {
        result = THRONG_LIMIT;
    }
    if (result == THRONG_OK && group->form == THG_SOURCE && group->steer.kind != 0) {
        result = thg_world_steer(world, UINT64_C(1) << group_index, world->track_count - 1,
                                 &group->steer);
    }
    return result;
}

static bool on_map(const throng_world *world, throng_vec2 position)
{
    int x, y;
    return throng_map_cell_at(world->map, position, &x, &y);
}

/// Place of the index-th agent of a group that is laid out by rule.
static throng_vec2 ruled_place(const thg_group *group, int index)
{
    if (group->form == THG_AT) {
        return group->at.items[index];
    }
    if (group->form == THG_PILE) {
        return group->first;
    }
    return (throng_vec2){group->first.x + group->pitch.x * (float)(index % group->columns),
                         group->first.y + group->pitch.y * (float)(index / group->columns)};
}

/// A place as the arrangement's seed moves it, along each axis by at most the jitter.
static throng_vec2 jittered(const throng_world *world, throng_vec2 place, int group, int index)
{
    float most = world->model->arrangements.jitter;
    if (world->arrangement.seed != 0 && most > 0.0f) {
        uint64_t written = (uint64_t)group << 32 | (uint64_t)(uint32_t)index;
        uint64_t state = thg_world_seed(world, written);
        place.x += most * (2.0f * thg_draw_share(&state) - 1.0f);
        place.y += most * (2.0f * thg_draw_share(&state) - 1.0f);
    }
    return place;
}

/// How much longer a way may be on the map than it is.
static float stretch_of(const throng_world *world)
{
    return world->planet != NULL ? 1.5f : 1.0f;
}

static throng_result spawn_ruled(throng_world *world, int group_index, thg_places *places,
                                 throng_error *error)
{
    const thg_group *group = &world->model->groups[group_index];
    bool shifted = (world->model->arrangements.groups >> group_index & 1) != 0;
    for (int i = 0; i < group->count; i++) {
        throng_vec2 written = ruled_place(group, i);
        throng_vec2 start = shifted ? jittered(world, written, group_index, i) : written;
        throng_vec2 place = thg_world_arrange(world, start, shifted);
        if (!on_map(world, place)) {
            char text[128];
            snprintf(text, sizeof text, "expected agents on the map, found one at [%.9g, %.9g]",
                     (double)place.x, (double)place.y);
            return fail_at(world, THRONG_BAD_DATA, error, group, text);
        }
        int goal = group->goal;
        throng_result result = THRONG_OK;
        if (group->own.kind != THG_OWN_NONE) {
            result = thg_world_make_own_goal(world, group, i, written, &goal);
        }
        if (result == THRONG_OK) {
            result = spawn(world, group_index, place, goal);
        }
        if (result != THRONG_OK) {
            return fail_at(world, result, error, group,
                           result == THRONG_LIMIT ? "more agents than max_agents allows"
                                                  : throng_result_name(result));
        }
        thg_places_add(places, place,
                       stretch_of(world) * world->model->profiles[group->profile].def.radius);
    }
    return THRONG_OK;
}

/// True when a disc stands free of walls at a place.
static bool clear_of_walls(const throng_world *world, const throng_profile_def *profile,
                           throng_vec2 place)
{
    int x, y;
    if (!throng_map_cell_at(world->map, place, &x, &y)) {
        return false;
    }
    float half_diagonal = 0.7072f * throng_map_cell_size(world->map);
    float clearance = throng_map_clearance(world->map, profile->class_index, x, y);
    return clearance >= profile->radius + half_diagonal ||
           throng_map_wall_distance(world->map, profile->class_index, place,
                                    profile->radius + 0.01f) >= profile->radius;
}

/// Marks the regions of a class that reach any part of a goal; all of them when there is no goal.
static bool *goal_regions(const throng_world *world, int class_index, int goal_index)
{
    int count = throng_map_region_count(world->map, class_index);
    bool *reached = calloc((size_t)count + 1, sizeof *reached);
    if (reached == NULL || goal_index < 0) {
        for (int i = 1; i <= count && reached != NULL; i++) {
            reached[i] = true;
        }
        return reached;
    }
    const thg_world_goal *goal = &world->goals[goal_index];
    float snap = goal_index < world->model->goal_count ? world->model->goals[goal_index].snap
                                                       : throng_default_goal_shape().snap_distance;
    for (int i = 0; i < goal->points.count; i++) {
        int x, y;
        throng_vec2 point = goal->points.items[i];
        if (throng_map_nearest_fit(world->map, class_index, point, 0, &x, &y)) {
            throng_vec2 centre = throng_map_cell_center(world->map, x, y);
            float reach = snap + throng_map_cell_size(world->map);
            reached[throng_map_region(world->map, class_index, x, y)] |=
                thg_world_apart(world, centre, point) <= reach;
        }
    }
    for (int i = 0; i < goal->rects.count + goal->cell_count; i++) {
        throng_rect rect =
            i < goal->rects.count ? goal->rects.items[i] : goal->cell_rects[i - goal->rects.count];
        throng_cell_rect cells = thg_map_cells(world->map, rect);
        for (int y = cells.y; y < cells.y + cells.height; y++) {
            for (int x = cells.x; x < cells.x + cells.width; x++) {
                reached[throng_map_region(world->map, class_index, x, y)] = true;
            }
        }
    }
    reached[0] = false; // the label of cells that do not fit
    return reached;
}

/// The cells a random fill may use, as the map was made: so that a mirrored fill is the mirror of
/// the fill.
static int *candidate_cells(const throng_world *world, const thg_group *group, bool shifted,
                            int *count)
{
    int class_index = world->model->profiles[group->profile].def.class_index;
    int width, height;
    thg_world_made_size(world, &width, &height);
    throng_cell_rect area = {0, 0, width, height};
    throng_rect rect = group->area;
    if (group->has_area) {
        if (shifted) {
            rect.min.x += world->arrangement.shift.x;
            rect.max.x += world->arrangement.shift.x;
            rect.min.y += world->arrangement.shift.y;
            rect.max.y += world->arrangement.shift.y;
        }
        area = thg_world_made_cells(world, rect);
    }
    *count = 0;
    bool *reached = goal_regions(world, class_index, group->goal);
    int *cells = malloc(((size_t)area.width * (size_t)area.height + 1) * sizeof *cells);
    for (int i = 0; i < area.width * area.height && reached != NULL && cells != NULL; i++) {
        int made_x = area.x + i % area.width, made_y = area.y + i / area.width;
        int x = made_x, y = made_y;
        thg_world_mirror_cell(world, &x, &y);
        if (reached[throng_map_region(world->map, class_index, x, y)] &&
            (!group->has_area || thg_world_rect_has_cell(world, &rect, x, y))) {
            cells[(*count)++] = made_y * width + made_x;
        }
    }
    if (reached == NULL) {
        free(cells);
        cells = NULL;
    }
    free(reached);
    return cells;
}

static throng_result spawn_random(throng_world *world, int group_index, thg_places *places,
                                  throng_error *error)
{
    const thg_group *group = &world->model->groups[group_index];
    const throng_profile_def *profile = &world->model->profiles[group->profile].def;
    int width, height, cell_count = 0, placed = 0;
    thg_world_made_size(world, &width, &height);
    float half = 0.5f * throng_map_cell_size(world->map);
    bool shifted = (world->model->arrangements.groups >> group_index & 1) != 0;
    int *cells = candidate_cells(world, group, shifted, &cell_count);
    if (cells == NULL) {
        return fail_at(world, THRONG_NO_MEMORY, error, group, "no memory for the agents");
    }
    uint64_t state = thg_world_seed(world, group->seed) ^ ((uint64_t)group_index << 56);
    float stretch = stretch_of(world);
    int64_t tries = (int64_t)group->count * 200 + 10000;
    throng_result result = THRONG_OK;
    while (placed < group->count && tries-- > 0 && cell_count > 0 && result == THRONG_OK) {
        int cell = cells[thg_draw_below(&state, cell_count)];
        throng_vec2 place = throng_map_cell_center(world->map, cell % width, cell / width);
        place.x += half * (2.0f * thg_draw_share(&state) - 1.0f);
        place.y += half * (2.0f * thg_draw_share(&state) - 1.0f);
        place = thg_world_mirrored(world, place);
        if (!clear_of_walls(world, profile, place) ||
            !thg_places_free(places, place, stretch * profile->radius, stretch * group->apart)) {
            continue;
        }
        int goal = group->goal;
        if (group->own.kind != THG_OWN_NONE) {
            result = thg_world_make_own_goal(world, group, placed, thg_world_unturned(world, place),
                                             &goal);
        }
        if (result == THRONG_OK) {
            result = spawn(world, group_index, place, goal);
        }
        thg_places_add(places, place, stretch * profile->radius);
        placed++;
    }
    free(cells);
    if (result == THRONG_OK && placed < group->count) {
        char text[160];
        snprintf(text, sizeof text,
                 "expected room for %d agents that can reach their goal, found it for %d",
                 group->count, placed);
        return fail_at(world, THRONG_BAD_DATA, error, group, text);
    }
    return result == THRONG_OK ? result
                               : fail_at(world, result, error, group, throng_result_name(result));
}

throng_result thg_world_spawn_all(throng_world *world, throng_error *error)
{
    float reach = 0.0f, apart = 0.0f;
    for (int i = 0; i < world->model->profile_count; i++) {
        reach = fmaxf(reach, 2.0f * world->model->profiles[i].def.radius);
    }
    for (int i = 0; i < world->model->group_count; i++) {
        apart = fmaxf(apart, world->model->groups[i].apart);
    }
    thg_places places;
    if (!thg_places_create(&places, world->map, stretch_of(world) * (reach + apart),
                           world->track_capacity)) {
        return thg_scene_fail(world->scene, world->options.control,
                              "\x1f"
                              "agents",
                              THRONG_NO_MEMORY, error, "no memory for the agents");
    }
    throng_result result = THRONG_OK;
    for (int i = 0; i < world->model->group_count && result == THRONG_OK; i++) {
        if (world->model->groups[i].form == THG_RANDOM) {
            result = spawn_random(world, i, &places, error);
        } else if (world->model->groups[i].form != THG_SOURCE) {
            result = spawn_ruled(world, i, &places, error);
        }
    }
    thg_places_destroy(&places);
    for (int i = 0; i < world->model->group_count && result == THRONG_OK; i++) {
        const thg_group *group = &world->model->groups[i];
        if (group->form != THG_SOURCE && group->steer.kind != 0) {
            result = thg_world_steer(world, UINT64_C(1) << i, 0, &group->steer);
        }
    }
    return result;
}

// ---- Sources ----------------------------------------------------------------------------------

int thg_source_due(const thg_group *source, double time)
{
    double end = time < (double)source->until ? time : (double)source->until;
    double due = (end - (double)source->from + THG_TIME_SLACK) * (double)source->rate + 1.0;
    if (time + THG_TIME_SLACK < (double)source->from || due < 1.0) {
        return 0;
    }
    double most = source->count > 0 ? (double)source->count : (double)THG_MAX_AGENTS;
    return (int)(due < most ? due : most);
}

static bool free_of_agents(const throng_world *world, throng_vec2 place, float radius,
                           const throng_vec2 *fresh, int fresh_count, float most)
{
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    for (int i = 0; i < agents.count; i++) {
        float need = radius + agents.radius[i];
        if (thg_world_apart(world, place, (throng_vec2){agents.x[i], agents.y[i]}) < need) {
            return false;
        }
    }
    for (int i = 0; i < fresh_count; i++) {
        if (thg_world_apart(world, place, fresh[i]) < radius + most) {
            return false;
        }
    }
    return true;
}

/// One agent of a source. The draws depend on how many there were and on the step, so
/// that a resumed world goes on alike.
static throng_result produce(throng_world *world, int group_index, throng_vec2 *fresh,
                             int *fresh_count, float most)
{
    const thg_group *source = &world->model->groups[group_index];
    const throng_profile_def *profile = &world->model->profiles[source->profile].def;
    uint64_t state = thg_world_seed(world, source->seed) ^
                     ((uint64_t)world->produced[group_index] << 24) ^
                     (throng_crowd_step_count(world->crowd) & 0xffffff);
    for (int tries = 0; tries < 16; tries++) {
        throng_vec2 place;
        place.x =
            source->area.min.x + (source->area.max.x - source->area.min.x) * thg_draw_share(&state);
        place.y =
            source->area.min.y + (source->area.max.y - source->area.min.y) * thg_draw_share(&state);
        place = thg_world_turned(world, place);
        if (clear_of_walls(world, profile, place) &&
            free_of_agents(world, place, profile->radius, fresh, *fresh_count, most)) {
            throng_result result = spawn(world, group_index, place, source->goal);
            fresh[(*fresh_count)++] = place;
            world->produced[group_index] += result == THRONG_OK;
            return result;
        }
    }
    return THRONG_LIMIT; // no free place: the source waits
}

throng_result thg_world_run_sources(throng_world *world, double time)
{
    throng_vec2 fresh[64];
    int fresh_count = 0;
    float most = 0.0f;
    for (int i = 0; i < world->model->profile_count; i++) {
        most = fmaxf(most, world->model->profiles[i].def.radius);
    }
    for (int i = 0; i < world->model->group_count; i++) {
        const thg_group *source = &world->model->groups[i];
        int due = source->form == THG_SOURCE ? thg_source_due(source, time) : 0;
        throng_result result = THRONG_OK;
        while (world->produced[i] < due && fresh_count < 64 && result == THRONG_OK) {
            result = produce(world, i, fresh, &fresh_count, most);
        }
        if (result == THRONG_NO_MEMORY) {
            return result;
        }
    }
    return THRONG_OK;
}
