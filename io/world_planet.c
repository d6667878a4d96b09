/// Worlds on planets: their map, places in degrees of longitude and latitude, and looking at pairs
/// of agents in space.
#include "measure.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

throng_result thg_world_make_planet(throng_world *world, throng_error *error)
{
    throng_planet_def def = throng_default_planet_def();
    def.side = world->model->map.planet_side;
    def.radius = world->model->map.planet_radius;
    throng_result result = throng_planet_create(&def, &world->planet);
    if (result != THRONG_OK) {
        return thg_scene_fail(world->scene, world->options.control, "\x1fmap\x1fplanet", result,
                              error, "the planet could not be made: %s",
                              throng_result_name(result));
    }
    world->map = throng_planet_map(world->planet);
    return THRONG_OK;
}

// ---- What is not for planets --------------------------------------------------------------------

static bool is_measured(const char *name)
{
    static const char *const names[] = {
        "reached_share", "reached_count", "finish_time", "travel_time", "delay",
        "detour",        "quiet_share",   "walked",      "moved_share", "displacement",
        "alive_count",   "status_share",  "overlap",     "penetration", "in_wall",
        "not_finite",    "stuck_count",   "tick_time",   "tick_ratio",  "hash_differences"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

throng_result thg_world_check_planet(const throng_world *world, throng_error *error)
{
    const thg_scene_model *model = world->model;
    const thg_arrangement *arrangement = &world->arrangement;
    char path[160];
    if (arrangement->rotate_deg != 0.0f || arrangement->turn_deg != 0.0f ||
        arrangement->symmetry != 0) {
        return thg_scene_fail(world->scene, world->options.control,
                              "\x1f"
                              "arrangements",
                              THRONG_BAD_DATA, error,
                              "expected dx, dy and seeds: a planet is not "
                              "turned or mirrored");
    }
    for (int i = 0; i < model->map.shape_count; i++) {
        if (model->map.shapes[i].kind == THG_SHAPE_BOXES) {
            snprintf(path, sizeof path, "\x1fmap\x1fshapes\x1f#%d\x1f%s", i, "boxes");
            return thg_scene_fail(world->scene, world->options.control, path, THRONG_BAD_DATA,
                                  error, "expected rects or polygons: boxes are for flat maps");
        }
    }
    for (int i = 0; i < model->goal_count; i++) {
        const thg_goal_model *goal = &model->goals[i];
        if (goal->rects.count > 0 || goal->cells.count > 0 || goal->slots.count > 0 ||
            goal->points.count > THRONG_MAX_PLANET_GOALS) {
            snprintf(path, sizeof path, "\x1fgoals\x1f%s", goal->name);
            return thg_scene_fail(world->scene, world->options.control, path, THRONG_BAD_DATA,
                                  error, "expected 1 to %d points: so are goals on planets",
                                  THRONG_MAX_PLANET_GOALS);
        }
    }
    for (int i = 0; i < model->expectation_count; i++) {
        if (!is_measured(model->expectations[i].measure->name)) {
            snprintf(path, sizeof path, "\x1f%s\x1f#%d\x1fmeasure", "expect", i);
            return thg_scene_fail(world->scene, world->options.control, path, THRONG_BAD_DATA,
                                  error,
                                  "expected a measure of times, statuses, ways or "
                                  "contacts: others are for flat maps");
        }
    }
    return THRONG_OK;
}

// ---- Places -------------------------------------------------------------------------------------

throng_vec2 thg_planet_lay_down(const throng_world *world, throng_vec2 degrees)
{
    return throng_planet_position(world->planet, throng_planet_at(degrees.x, degrees.y));
}

throng_vec2 thg_planet_pick_up(const throng_world *world, throng_vec2 position)
{
    throng_vec2 degrees;
    throng_planet_degrees(throng_planet_place(world->planet, position), &degrees.x, &degrees.y);
    return degrees;
}

bool thg_planet_rect_has_cell(const throng_world *world, const throng_rect *rect, int x, int y)
{
    throng_vec2 at = thg_planet_pick_up(world, throng_map_cell_center(world->map, x, y));
    for (int turn = -1; turn <= 1; turn++) {
        if (thg_rect_covers(rect, (throng_vec2){at.x + 360.0f * (float)turn, at.y})) {
            return true;
        }
    }
    return false;
}

throng_result thg_planet_edit(throng_world *world, const throng_rect *rect, int kind)
{
    int width = throng_map_width(world->map), height = throng_map_height(world->map);
    throng_result result = THRONG_OK;
    for (int y = 0; y < height; y++) {
        int start = 0;
        for (int x = 0; x <= width && result == THRONG_OK; x++) {
            if (x == width || !thg_planet_rect_has_cell(world, rect, x, y)) {
                throng_cell_rect run = {start, y, x - start, 1};
                result = x > start ? throng_crowd_edit_rect(world->crowd, run, kind) : THRONG_OK;
                start = x + 1;
            }
        }
    }
    return result;
}

float thg_world_apart(const throng_world *world, throng_vec2 from, throng_vec2 to)
{
    if (world->planet != NULL) {
        return throng_planet_distance(world->planet, throng_planet_place(world->planet, from),
                                      throng_planet_place(world->planet, to));
    }
    float dx = to.x - from.x, dy = to.y - from.y;
    return sqrtf(dx * dx + dy * dy);
}

// ---- Pairs --------------------------------------------------------------------------------------

/// An agent in space, in metres, and the first of the three numbers that order it.
typedef struct in_space {
    float x, y, z, radius;
} in_space;

static int by_x(const void *a, const void *b)
{
    const in_space *left = a, *right = b;
    return (left->x > right->x) - (left->x < right->x);
}

void thg_planet_look_at_pairs(throng_world *world, const throng_agents_view *agents)
{
    in_space *all = malloc(((size_t)agents->count + 1) * sizeof *all);
    float size = throng_planet_radius(world->planet), most = 0.0f;
    if (all == NULL) {
        world->flags |= THRONG_WORLD_NO_MEMORY;
        return;
    }
    for (int i = 0; i < agents->count; i++) {
        throng_vec3 place =
            throng_planet_place(world->planet, (throng_vec2){agents->x[i], agents->y[i]});
        all[i] = (in_space){place.x * size, place.y * size, place.z * size, agents->radius[i]};
        most = fmaxf(most, agents->radius[i]);
    }
    // In order along one axis whoever is near is near in the list.
    qsort(all, (size_t)agents->count, sizeof *all, by_x);
    for (int i = 0; i < agents->count; i++) {
        for (int k = i + 1; k < agents->count; k++) {
            float dx = all[k].x - all[i].x, dy = all[k].y - all[i].y, dz = all[k].z - all[i].z;
            float reach = all[i].radius + all[k].radius;
            if (dx > all[i].radius + most) {
                break;
            }
            float square = dx * dx + dy * dy + dz * dz;
            if (square < reach * reach) {
                thg_contacts_take_pair(&world->contacts, sqrtf(square), reach,
                                       fminf(all[i].radius, all[k].radius));
            }
        }
    }
    free(all);
}
