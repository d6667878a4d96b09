/// The pictures of `throng run`: the first goal's field where all agents see the map alike; where
/// terrain costs classes differently, terrain, classes by colour and how each goes.
#include "run.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PANEL_SHARE 0.7 ///< of the width that is left to a map beside a panel

/// True where what is ground to one class is none to another, or dearer; sizes alone do not count.
static bool terrain_matters(const throng_crowd *crowd, const throng_map *map)
{
    const throng_class_def first =
        throng_map_class(map, throng_crowd_profile(crowd, 0).class_index);
    for (int i = 1; i < throng_crowd_profile_count(crowd); i++) {
        const throng_class_def other =
            throng_map_class(map, throng_crowd_profile(crowd, i).class_index);
        for (int kind = 0; kind < THRONG_MAX_TERRAINS; kind++) {
            if (other.cost[kind] != first.cost[kind]) {
                return true;
            }
        }
    }
    return false;
}

static void add_entry(run_output *out, throng_colour colour, const char *text, bool area)
{
    if (out->drawing.legend_count < MOST_ENTRIES && text != NULL) {
        out->legend[out->drawing.legend_count++] =
            (throng_legend_entry){.colour = colour, .text = text, .area = area};
    }
}

/// Profiles by their colour, then the terrain that the map has.
static void fill_legend(run_output *out)
{
    const throng_map *map = out->drawing.map;
    size_t cells = (size_t)throng_map_width(map) * (size_t)throng_map_height(map);
    const uint8_t *terrain = throng_map_terrains(map);
    bool there[THRONG_MAX_TERRAINS] = {false};
    for (size_t i = 0; i < cells; i++) {
        there[terrain[i]] = true;
    }
    out->drawing.legend = out->legend;
    for (int i = 0; i < throng_crowd_profile_count(out->drawing.crowd) && i < 8; i++) {
        add_entry(out, throng_colour_of_index(i), throng_scene_profile_name(out->scene, i), false);
    }
    for (int kind = 0; kind < THRONG_MAX_TERRAINS; kind++) {
        if (there[kind]) {
            add_entry(out, throng_colour_of_terrain(kind), throng_map_terrain_name(map, kind),
                      true);
        }
    }
}

/// On a planet the left globe looks at where most agents begin.
static void face_agents(run_output *out, const throng_agents_view *agents)
{
    const throng_planet *planet = throng_map_planet(out->drawing.map);
    throng_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < agents->count && planet != NULL; i++) {
        throng_vec3 place = throng_planet_place(planet, (throng_vec2){agents->x[i], agents->y[i]});
        sum = (throng_vec3){sum.x + place.x, sum.y + place.y, sum.z + place.z};
    }
    out->drawing.toward = sum;
}

/// Of those who are like agent `row` in profile and goal: the one nearest to their middle.
static int middle_agent(const throng_agents_view *agents, int row)
{
    double x = 0.0, y = 0.0, least = INFINITY;
    int count = 0, best = row;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < agents->count; i++) {
            if (agents->profile[i] != agents->profile[row] ||
                agents->goal[i] != agents->goal[row]) {
                continue;
            }
            if (pass == 0) {
                x += (double)agents->x[i];
                y += (double)agents->y[i];
                count++;
            } else {
                double dx = (double)agents->x[i] - x / count, dy = (double)agents->y[i] - y / count;
                best = dx * dx + dy * dy < least ? i : best;
                least = fmin(least, dx * dx + dy * dy);
            }
        }
    }
    return best;
}

/// Goes where the crowd's agents would go from a place, in steps.
static int trace(const run_output *out, throng_goal_id goal, int class_index, throng_vec2 place,
                 throng_vec2 *points)
{
    const throng_map *map = out->drawing.map;
    int width = throng_map_width(map), height = throng_map_height(map);
    float cell = throng_map_cell_size(map);
    float step = fmaxf(0.5f * cell, (float)(width > height ? width : height) * cell / 200.0f);
    int count = 0;
    while (count < MOST_ROUTE_POINTS) {
        points[count++] = place;
        throng_sample sample = throng_crowd_way(out->drawing.crowd, goal, class_index, place);
        if (!sample.reached || !(sample.cost > step)) {
            break;
        }
        const throng_planet *planet = throng_map_planet(map);
        if (planet != NULL) {
            throng_vec3 at = throng_planet_place(planet, place);
            throng_vec3 way = throng_planet_lift(planet, place, sample.direction);
            throng_planet_move(planet, &at, &way, step);
            place = throng_planet_position(planet, at);
            continue;
        }
        place.x += sample.direction.x * step;
        place.y += sample.direction.y * step;
    }
    return count;
}

void cli_run_find_routes(run_output *out)
{
    throng_agents_view agents = throng_crowd_agents(throng_world_crowd(out->world));
    if (!out->kinds_differ || out->drawing.routes != NULL || out->drawing.crowd == NULL) {
        return;
    }
    out->drawing.routes = out->routes;
    face_agents(out, &agents);
    for (int row = 0; row < agents.count && out->drawing.route_count < MOST_ROUTES; row++) {
        bool first = agents.goal[row] != 0;
        for (int i = 0; i < row && first; i++) {
            first = agents.profile[i] != agents.profile[row] || agents.goal[i] != agents.goal[row];
        }
        throng_goal_id goal = {0, 0};
        for (int i = 0; i < throng_world_goal_count(out->world) && first; i++) {
            throng_goal_id one = throng_world_goal_at(out->world, i, NULL, NULL);
            goal = one.slot == agents.goal[row] ? one : goal;
        }
        if (!first || goal.slot == 0) {
            continue;
        }
        int from = middle_agent(&agents, row), profile = agents.profile[row];
        throng_picture_route *route = &out->routes[out->drawing.route_count];
        throng_vec2 *points = out->route_points[out->drawing.route_count++];
        throng_vec2 place = {agents.x[from], agents.y[from]};
        int class_index = throng_crowd_profile(out->drawing.crowd, profile).class_index;
        route->colour = throng_colour_of_index(profile);
        route->points = points;
        route->point_count = trace(out, goal, class_index, place, points);
    }
}

bool cli_run_open_pictures(run_output *out, throng_error *error)
{
    const run_options *wanted = out->wanted;
    throng_map *map = throng_world_map(out->world);
    const char *name = throng_scene_name(out->scene);
    int length =
        snprintf(out->picture_path, sizeof out->picture_path, "%s/%s.png", wanted->out, name);
    snprintf(out->video_path, sizeof out->video_path, "%s/%s.mp4", wanted->out, name);
    if (length < 0 || (size_t)length >= sizeof out->picture_path || strchr(name, '/') != NULL) {
        snprintf(error->text, sizeof error->text, "the scene's name makes no file name: %s", name);
        return false;
    }
    int width = throng_map_width(map), height = throng_map_height(map);
    if (throng_map_planet(map) != NULL) { // two globes and the words
        width = 2 * height;
        height += height / 6;
    }
    double scale = (double)wanted->size / (width > height ? width : height);
    out->kinds_differ = terrain_matters(throng_world_crowd(out->world), map);
    // A legend of classes and terrain needs a panel beside the map.
    scale *= out->kinds_differ && width < 2 * height ? PANEL_SHARE : 1.0;
    int pixels_x = (int)fmax(64.0, width * scale + 0.5);
    int pixels_y = (int)fmax(64.0, height * scale + 0.5);
    pixels_x = out->kinds_differ && width < 2 * height ? wanted->size : pixels_x;
    out->drawing = throng_default_scene_picture();
    out->drawing.map = map;
    out->drawing.crowd = throng_world_crowd(out->world);
    out->drawing.class_index = out->kinds_differ ? -1 : 0;
    if (throng_crowd_profile_count(out->drawing.crowd) > 1) {
        out->drawing.colours = THRONG_COLOUR_PROFILE;
    }
    out->drawing.title = name;
    out->drawing.subtitle = throng_scene_about(out->scene);
    int goals = throng_world_goal_count(out->world);
    goals = goals < MOST_GOALS ? goals : MOST_GOALS;
    for (int i = 0; i < goals; i++) {
        throng_goal_id goal = throng_world_goal_at(out->world, i, &out->goals[i], NULL);
        if (i == 0 && !out->kinds_differ) {
            out->drawing.field =
                throng_crowd_goal_field(out->drawing.crowd, goal, out->drawing.class_index);
        }
    }
    out->drawing.goals = out->goals;
    out->drawing.goal_count = goals;
    if (out->kinds_differ) {
        fill_legend(out);
    }
    // Whole cities are sparse: there one a square metre is much.
    float longer = (float)(width > height ? width : height) * throng_map_cell_size(map);
    out->drawing.density_full = longer > 200.0f ? 1.0f : 4.0f;
    if (throng_picture_create(pixels_x, pixels_y, &out->picture) != THRONG_OK ||
        throng_picture_create(pixels_x, pixels_y, &out->background) != THRONG_OK) {
        snprintf(error->text, sizeof error->text, "no memory for a picture of %d x %d pixels",
                 pixels_x, pixels_y);
        return false;
    }
    return wanted->no_video ||
           throng_video_open(out->video_path, pixels_x, pixels_y, wanted->frames_per_second,
                             &out->video, error) == THRONG_OK;
}

throng_result cli_run_draw(run_output *out)
{
    uint32_t map = throng_map_version(out->drawing.map), field = 0;
    if (out->drawing.field != NULL) {
        field = throng_field_get_view(out->drawing.field).version;
    }
    bool moved = throng_world_goals_moved(out->world) != out->background_moved;
    if (map != out->background_map || field != out->background_field || moved) {
        throng_picture_draw_background(&out->background, &out->drawing);
        out->background_map = map;
        out->background_field = field;
        out->background_moved = throng_world_goals_moved(out->world);
    }
    throng_picture_copy(&out->picture, &out->background);
    return throng_picture_draw_crowd(&out->picture, &out->drawing);
}
