/// A world written as a scene: the scene that it came from, with the map, the goals, the profiles
/// and the agents as they are now.
///
/// What names groups of agents goes: events, sources, expectations, arrangements, goals that
/// follow. Velocities and steering orders are not kept either.
#include "file.h"
#include "world_model.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *const dropped[] = {"include", "agents",       "sources",    "events",
                                      "expect",  "arrangements", "invariants", "control",
                                      "known",   "map",          "max_agents"};
static const char *const dropped_of_goals[] = {"moves", "follows"};

static json_t *point(float x, float y)
{
    json_t *pair = json_array();
    if (json_array_append_new(pair, json_real((double)x)) != 0 ||
        json_array_append_new(pair, json_real((double)y)) != 0) {
        json_decref(pair);
        return NULL;
    }
    return pair;
}

// ---- Map ----------------------------------------------------------------------------------------

static char letter_of(int kind)
{
    static const char letters[] = "#.TSW";
    return kind < THRONG_FIRST_OWN_TERRAIN ? letters[kind] : '.';
}

static json_t *rows_of(const throng_map *map)
{
    int width = throng_map_width(map), height = throng_map_height(map);
    const uint8_t *terrain = throng_map_terrains(map);
    char *row = malloc((size_t)width);
    json_t *rows = row != NULL ? json_array() : NULL;
    for (int y = 0; rows != NULL && y < height; y++) {
        for (int x = 0; x < width; x++) {
            row[x] = letter_of(terrain[(size_t)y * (size_t)width + (size_t)x]);
        }
        if (json_array_append_new(rows, json_stringn(row, (size_t)width)) != 0) {
            json_decref(rows);
            rows = NULL;
        }
    }
    free(row);
    return rows;
}

/// Runs of cells of one of the scene's own terrains, from row to row, as one stroke of paint.
static json_t *stroke_of(const throng_map *map, int kind)
{
    int width = throng_map_width(map), height = throng_map_height(map);
    const uint8_t *terrain = throng_map_terrains(map);
    throng_vec2 origin = throng_map_origin(map);
    float cell = throng_map_cell_size(map);
    json_t *rects = json_array();
    for (int y = 0; y < height; y++) {
        const uint8_t *row = terrain + (size_t)y * (size_t)width;
        for (int x = 0, end; x < width; x = end) {
            end = x + 1;
            if (row[x] == kind) {
                for (; end < width && row[end] == kind; end++) {
                }
                json_t *rect = point(origin.x + cell * (float)x, origin.y + cell * (float)y);
                json_array_append_new(rect, json_real((double)(origin.x + cell * (float)end)));
                json_array_append_new(rect, json_real((double)(origin.y + cell * (float)(y + 1))));
                json_array_append_new(rects, rect);
            }
        }
    }
    if (json_array_size(rects) == 0) {
        json_decref(rects);
        return NULL;
    }
    return json_pack("{s:s, s:o}", "terrain", throng_map_terrain_name(map, kind), "rects", rects);
}

static json_t *map_of(const throng_map *map)
{
    throng_vec2 origin = throng_map_origin(map);
    json_t *shapes = json_array();
    for (int kind = THRONG_FIRST_OWN_TERRAIN; kind < THRONG_MAX_TERRAINS; kind++) {
        json_t *stroke = throng_map_terrain_name(map, kind) != NULL ? stroke_of(map, kind) : NULL;
        if (stroke != NULL) {
            json_array_append_new(shapes, stroke);
        }
    }
    return json_pack("{s:o, s:f, s:o, s:o}", "rows", rows_of(map), "cell",
                     (double)throng_map_cell_size(map), "origin", point(origin.x, origin.y),
                     "shapes", shapes);
}

// ---- Profiles and goals -------------------------------------------------------------------------

static bool set_number(json_t *profile, const throng_profile_number *number, float value)
{
    json_t *made = number->kind == THRONG_PROFILE_FLAG    ? json_boolean(value != 0.0f)
                   : number->kind == THRONG_PROFILE_WHOLE ? json_integer((json_int_t)value)
                                                          : json_real((double)value);
    return json_object_set_new(profile, number->name, made) == 0;
}

/// All numbers of all profiles, so that nothing rests on a preset or on another profile.
static bool write_profiles(const throng_world *world, const throng_profile_def *given, json_t *root)
{
    int count;
    const throng_profile_number *numbers = throng_profile_numbers(&count);
    json_t *all = json_object(), *old = json_object_get(root, "profiles");
    for (int i = 0; i < world->model->profile_count; i++) {
        const char *name = world->model->profiles[i].name;
        throng_profile_def def = given != NULL ? given[i] : throng_crowd_profile(world->crowd, i);
        json_t *one = json_object();
        json_t *class_name = NULL;
        if (world->model->class_count > def.class_index &&
            world->model->classes[def.class_index].name != NULL && old != NULL) {
            class_name = json_string(world->model->classes[def.class_index].name);
        }
        if (class_name != NULL && json_object_get(root, "classes") != NULL) {
            json_object_set_new(one, "class", class_name);
        } else {
            json_decref(class_name);
        }
        for (int n = 0; n < count; n++) {
            if (!set_number(one, &numbers[n], throng_profile_get(&def, &numbers[n]))) {
                json_decref(one);
                json_decref(all);
                return false;
            }
        }
        json_object_set_new(all, name != NULL ? name : "person", one);
    }
    return json_object_set_new(root, "profiles", all) == 0;
}

static bool write_goals(const throng_world *world, const throng_saved_goal *more, int count,
                        json_t *root)
{
    json_t *goals = json_object_get(root, "goals"), *goal;
    const char *name;
    if (goals == NULL) {
        goals = json_object();
        json_object_set_new(root, "goals", goals);
    }
    json_object_foreach(goals, name, goal)
    {
        for (size_t i = 0; i < sizeof dropped_of_goals / sizeof dropped_of_goals[0]; i++) {
            json_object_del(goal, dropped_of_goals[i]);
        }
    }
    for (int i = 0; i < world->goal_count; i++) {
        const thg_world_goal *made = &world->goals[i];
        goal = made->name != NULL ? json_object_get(goals, made->name) : NULL;
        if (goal != NULL && made->points.count > 0) { // it may have moved
            json_t *points = json_array();
            for (int p = 0; p < made->points.count; p++) {
                json_array_append_new(points,
                                      point(made->points.items[p].x, made->points.items[p].y));
            }
            json_object_set_new(goal, "points", points);
        }
    }
    for (int i = 0; i < count; i++) {
        json_t *put = json_pack("{s:[o], s:f}", "points", point(more[i].point.x, more[i].point.y),
                                "arrive", (double)more[i].arrive_radius);
        if (json_object_set_new(goals, more[i].name, put) != 0) {
            return false;
        }
    }
    if (json_object_size(goals) == 0) {
        json_object_del(root, "goals");
    }
    return true;
}

// ---- Agents -------------------------------------------------------------------------------------

/// What the agents of a group have in common.
typedef struct kind {
    int profile, team, goal; ///< goal: its slot
    json_t *at, *own;        ///< own: points of their own goals, one each
} kind;

static const char *goal_name(const throng_world *world, const throng_saved_goal *more, int count,
                             int slot, const thg_world_goal **own)
{
    *own = NULL;
    for (int i = 0; i < count; i++) {
        if ((int)more[i].id.slot == slot) {
            return more[i].name;
        }
    }
    for (int i = 0; i < world->goal_count; i++) {
        if (slot != 0 && (int)world->goals[i].id.slot == slot) {
            *own = world->goals[i].name == NULL ? &world->goals[i] : NULL;
            return world->goals[i].name;
        }
    }
    return NULL;
}

static json_t *group_of(const throng_world *world, const kind *of, const char *goal)
{
    const char *profile = world->model->profiles[of->profile].name;
    json_t *group = json_pack("{s:s, s:i, s:O}", "profile", profile != NULL ? profile : "person",
                              "team", of->team, "at", of->at);
    if (goal != NULL) {
        json_object_set_new(group, "goal", json_string(goal));
    } else if (of->own != NULL) {
        json_object_set_new(group, "own_goals", json_pack("{s:O}", "points", of->own));
    }
    return group;
}

/// THRONG_LIMIT when there are more kinds of agents than a scene can have groups.
static throng_result write_agents(const throng_world *world, const throng_saved_goal *more,
                                  int more_count, json_t *root)
{
    throng_agents_view agents = throng_crowd_agents(world->crowd);
    kind kinds[THG_MAX_GROUPS];
    int count = 0;
    for (int i = 0; i < agents.count; i++) {
        const thg_world_goal *own;
        goal_name(world, more, more_count, agents.goal[i], &own);
        int slot = own != NULL ? -1 : agents.goal[i], k = 0;
        while (k < count && (kinds[k].profile != agents.profile[i] ||
                             kinds[k].team != agents.team[i] || kinds[k].goal != slot)) {
            k++;
        }
        if (k == THG_MAX_GROUPS) {
            for (k = 0; k < count; k++) {
                json_decref(kinds[k].at);
                json_decref(kinds[k].own);
            }
            return THRONG_LIMIT;
        }
        if (k == count) {
            kinds[count++] = (kind){agents.profile[i], agents.team[i], slot, json_array(),
                                    own != NULL ? json_array() : NULL};
        }
        json_array_append_new(kinds[k].at, point(agents.x[i], agents.y[i]));
        if (own != NULL && own->points.count > 0) {
            json_array_append_new(kinds[k].own,
                                  point(own->points.items[0].x, own->points.items[0].y));
        }
    }
    json_t *groups = json_array();
    for (int k = 0; k < count; k++) {
        const thg_world_goal *own;
        const char *name = goal_name(world, more, more_count, kinds[k].goal, &own);
        json_array_append_new(groups, group_of(world, &kinds[k], name));
        json_decref(kinds[k].at);
        json_decref(kinds[k].own);
    }
    return json_object_set_new(root, "agents", groups) == 0 ? THRONG_OK : THRONG_NO_MEMORY;
}

// ---- The scene ----------------------------------------------------------------------------------

throng_result throng_world_to_text(const throng_world *world, const throng_saved_goal *more,
                                   int count, const throng_profile_def *profiles, char **text,
                                   throng_error *error)
{
    if (throng_map_planet(world->map) != NULL) {
        return thg_scene_fail(world->scene, world->options.control, "\x1fmap", THRONG_BAD_ARGUMENT,
                              error, "worlds on planets are not written as scenes");
    }
    const char *path = world->scene->documents[0].path;
    *text = NULL;
    json_t *root = json_deep_copy(world->scene->merged);
    if (root == NULL) {
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory to save the scene");
    }
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++) {
        json_object_del(root, dropped[i]);
    }
    throng_result result = THRONG_NO_MEMORY;
    if (json_object_set_new(root, "map", map_of(world->map)) == 0 &&
        write_profiles(world, profiles, root) && write_goals(world, more, count, root)) {
        result = write_agents(world, more, count, root);
    }
    if (result == THRONG_OK) {
        *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
        result = *text != NULL ? THRONG_OK : THRONG_NO_MEMORY;
    }
    json_decref(root);
    return result == THRONG_OK ? THRONG_OK
           : result == THRONG_LIMIT
               ? thg_file_fail(error, result, path, 0, 0,
                               "agents of more than %d kinds (profile, team and goal)",
                               THG_MAX_GROUPS)
               : thg_file_fail(error, result, path, 0, 0, "no memory to save the scene");
}

throng_result throng_world_save(const throng_world *world, const throng_saved_goal *more, int count,
                                const throng_profile_def *profiles, const char *path,
                                throng_error *error)
{
    char *text = NULL;
    thg_file_writer writer;
    throng_result result = throng_world_to_text(world, more, count, profiles, &text, error);
    if (result == THRONG_OK) {
        result = thg_file_begin(path, &writer, error);
    }
    if (result == THRONG_OK) {
        fputs(text, writer.file);
        fputc('\n', writer.file);
        result = thg_file_commit(&writer, error);
    }
    free(text);
    return result;
}
