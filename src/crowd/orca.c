/// Reciprocal avoidance for profiles that ask for it: the velocity nearest to the wish that runs
/// into nobody within the horizon, when the others do their share too.
///
/// Neighbours are the nearest in the bins around, walls the edges of blocked cells around. What is
/// looked at first does not matter: the nearest are ordered by distance, place and slot.
#include "crowd/orca.h"
#include "crowd/planet.h"
#include <math.h>
#include <string.h>

#define WINDOW 62    ///< cells across at most, so that a row of them is one word
#define WALLS 96     ///< segments looked at, at most
#define JITTER 1e-4f ///< m/s: so that perfect symmetry ends
#define SKIN 1.01f   ///< of the radii: what rounding, and a program without a solution, may use up
#define WIDER 1.5f   ///< when too few were in sight
#define EXTRA_SIGHT 1.15f ///< over the distance at which the last agent had enough

static bool is_active(const throng_crowd *crowd, int row)
{
    const throng_profile_def *profile = &crowd->profiles[crowd->columns.profile[row]].def;
    return profile->orca && !profile->kinematic && !profile->anchored && thg_row_walks(crowd, row);
}

// ---- Walls ------------------------------------------------------------------------------------

typedef struct wall_window {
    const throng_map *map;
    const thg_orca_agent *agent;
    float reach; ///< metres
    int x, y, size;
    uint64_t rows[WINDOW], columns[WINDOW]; ///< bits of blocked cells
    thg_orca_wall walls[WALLS];
    int count;
} wall_window;

static void fill_window(wall_window *window, const thg_layer *layer)
{
    const throng_map *map = window->map;
    memset(window->rows, 0, sizeof window->rows);
    memset(window->columns, 0, sizeof window->columns);
    for (int j = 0; j < window->size; j++) {
        int y = window->y + j;
        for (int i = 0; i < window->size; i++) {
            int x = window->x + i;
            bool outside = x < 0 || y < 0 || x >= map->width || y >= map->height;
            if (outside || thg_layer_blocked(map, layer, thg_padded_index(map, x, y))) {
                window->rows[j] |= (uint64_t)1 << i;
                window->columns[i] |= (uint64_t)1 << j;
            }
        }
    }
}

static void add_wall(wall_window *window, int line, int from, int to, bool upright, bool forward,
                     int turn_from, int turn_to)
{
    const throng_map *map = window->map;
    float cell = map->cell_size;
    float at = (upright ? map->origin.x : map->origin.y) +
               (float)((upright ? window->x : window->y) + line) * cell;
    float base = upright ? map->origin.y : map->origin.x;
    int first = upright ? window->y : window->x;
    float low = base + (float)(first + from) * cell, high = base + (float)(first + to) * cell;
    float own = upright ? window->agent->x : window->agent->y;
    float along = upright ? window->agent->y : window->agent->x;
    float off = at - own;
    float aside = along < low ? low - along : along > high ? along - high : 0.0f;
    if (window->count == WALLS || off * off + aside * aside > window->reach * window->reach) {
        return;
    }
    thg_orca_wall *wall = &window->walls[window->count++];
    float a = forward ? low : high, b = forward ? high : low;
    *wall = upright ? (thg_orca_wall){at, a, at, b, 0, 0} : (thg_orca_wall){a, at, b, at, 0, 0};
    wall->turn_a = (int8_t)(forward ? turn_from : turn_to);
    wall->turn_b = (int8_t)(forward ? turn_to : turn_from);
}

/// Runs of edges between two lines of cells, of which `solid` is blocked where `edges` are.
static void add_runs(wall_window *window, uint64_t edges, uint64_t solid, int line, bool upright,
                     bool forward)
{
    while (edges != 0) {
        int from = __builtin_ctzll(edges), to = from;
        while (to < window->size && (edges >> to & 1u)) {
            to++;
        }
        int turn_from = from == 0 ? 0 : (solid >> (from - 1) & 1u) ? -1 : 1;
        int turn_to = to == window->size ? 0 : (solid >> to & 1u) ? -1 : 1;
        add_wall(window, line, from, to, upright, forward, turn_from, turn_to);
        edges &= ~(uint64_t)0 << to;
    }
}

/// Walls round an agent as segments, each with what is blocked to its left and the agent to its
/// right.
static void find_walls(wall_window *window)
{
    const throng_map *map = window->map;
    for (int i = 1; i < window->size; i++) {
        bool above = window->agent->y >= map->origin.y + (float)(window->y + i) * map->cell_size;
        uint64_t here = window->rows[i], before = window->rows[i - 1];
        if (above) {
            add_runs(window, before & ~here, before, i, false, false);
        } else {
            add_runs(window, here & ~before, here, i, false, true);
        }
        above = window->agent->x >= map->origin.x + (float)(window->x + i) * map->cell_size;
        here = window->columns[i];
        before = window->columns[i - 1];
        if (above) {
            add_runs(window, before & ~here, before, i, true, true);
        } else {
            add_runs(window, here & ~before, here, i, true, false);
        }
    }
}

/// How an edge between a blocked cell and a free one goes on beyond one of its ends.
static int8_t turn_at(const throng_planet *planet, const thg_layer *layer, const uint32_t *ring,
                      int along, int beyond)
{
    if ((layer->blocked_terrains >> planet->terrain[ring[beyond & 7]]) & 1u) {
        return -1;
    }
    return (layer->blocked_terrains >> planet->terrain[ring[along & 7]]) & 1u ? 0 : 1;
}

/// Edges of blocked cells in the plane that touches the planet where the agent is.
static void avoid_walls_on_planet(const throng_planet *planet, const thg_layer *layer,
                                  const throng_profile_def *profile, const thg_orca_agent *agent,
                                  const thg_spot *spot, float reach, thg_orca_planes *planes)
{
    thg_planet_walls near;
    thg_orca_wall walls[WALLS];
    int count = 0;
    thg_planet_walls_near(planet, layer->blocked_terrains, spot, reach, &near);
    for (int i = 0; i < near.count; i++) {
        const uint32_t *ring = planet->ring[near.cell[i]];
        for (int side = 0; side < 4 && count < WALLS; side++) {
            // Side 0 is below, from the first corner to the second, and so on to the left.
            int out = (2 * side + 6) & 7, next = (side + 1) & 3;
            float ax = near.x[i][side], ay = near.y[i][side];
            float bx = near.x[i][next], by = near.y[i][next];
            bool seen = (bx - ax) * -ay - (by - ay) * -ax < 0.0f; // from the right of a to b
            if (seen && !((layer->blocked_terrains >> planet->terrain[ring[out]]) & 1u)) {
                walls[count++] = (thg_orca_wall){ax,
                                                 ay,
                                                 bx,
                                                 by,
                                                 turn_at(planet, layer, ring, out - 2, out - 1),
                                                 turn_at(planet, layer, ring, out + 2, out + 1)};
            }
        }
    }
    thg_orca_wall_planes(agent, profile->orca_wall_horizon, walls, count, planes);
}

static void avoid_walls(const throng_crowd *crowd, const throng_profile_def *profile,
                        const thg_orca_agent *agent, const thg_spot *spot, thg_orca_planes *planes)
{
    const throng_map *map = crowd->map;
    const thg_layer *layer = &map->layers[profile->class_index];
    float reach = agent->radius + profile->orca_wall_horizon * agent->most;
    if (map->planet != NULL) {
        avoid_walls_on_planet(map->planet, layer, profile, agent, spot, reach, planes);
        return;
    }
    int half = (int)(reach * map->inverse_cell_size) + 2;
    half = thg_min_int(half, WINDOW / 2);
    planes->count = planes->walls = 0;
    int x, y;
    if (!throng_map_cell_at(map, (throng_vec2){agent->x, agent->y}, &x, &y)) {
        return;
    }
    float clear = 0.5f * sqrtf((float)layer->clearance[thg_padded_index(map, x, y)]);
    if ((clear - 1.5f) * map->cell_size > reach) {
        return;
    }
    wall_window window = {.map = map,
                          .agent = agent,
                          .reach = reach,
                          .x = x - half,
                          .y = y - half,
                          .size = thg_min_int(2 * half + 1, WINDOW)};
    fill_window(&window, layer);
    find_walls(&window);
    thg_orca_wall_planes(agent, profile->orca_wall_horizon, window.walls, window.count, planes);
}

// ---- Neighbours -------------------------------------------------------------------------------

static void look_in_box(const throng_crowd *crowd, const thg_orca_kernels *kernels, int row,
                        float sight, thg_orca_nearest *nearest)
{
    const float x = crowd->columns.x[row] - crowd->map->origin.x;
    const float y = crowd->columns.y[row] - crowd->map->origin.y;
    for (int i = 0; i < crowd->bins.level_count; i++) {
        const thg_level *level = &crowd->bins.levels[i];
        int x0 = thg_bin_along(x - sight, level->inverse_size, level->width);
        int x1 = thg_bin_along(x + sight, level->inverse_size, level->width);
        int y0 = thg_bin_along(y - sight, level->inverse_size, level->height);
        int y1 = thg_bin_along(y + sight, level->inverse_size, level->height);
        for (int line = y0; line <= y1; line++) {
            uint32_t bin = level->first + (uint32_t)(line * level->width + x0);
            int begin = (int)crowd->bins.start[bin];
            int end = (int)crowd->bins.start[bin + (uint32_t)(x1 - x0) + 1];
            thg_range_cut(&crowd->bins, bin, THG_MOST_IN_REACH, &begin, &end);
            if (begin < end) {
                kernels->look(crowd->columns.x, crowd->columns.y, begin, end, row, nearest);
            }
        }
    }
}

/// The nearest neighbours of a row. `sight` is how far one looks first; the answer is the same.
static int find_nearest(const throng_crowd *crowd, const thg_orca_kernels *kernels, int row,
                        const throng_profile_def *profile, float *sight, thg_orca_nearest *nearest)
{
    float most = profile->orca_distance;
    float look = *sight < most ? *sight : most;
    for (;;) {
        nearest->count = 0; // and the keys are written before they are read
        nearest->most = profile->orca_neighbours;
        nearest->square = look * look;
        look_in_box(crowd, kernels, row, look, nearest);
        if (nearest->count == nearest->most || look >= most) {
            break;
        }
        look = look * WIDER < most ? look * WIDER : most;
    }
    *sight = nearest->count == nearest->most ? sqrtf(nearest->square) * EXTRA_SIGHT + 0.1f : look;
    return nearest->count;
}

/// The same on a planet, among those seen within the farthest distance.
static void find_nearest_on_planet(const throng_crowd *crowd, const thg_orca_kernels *kernels,
                                   int row, const throng_profile_def *profile, thg_local *local,
                                   thg_orca_nearest *nearest)
{
    thg_ranges ranges;
    float most = profile->orca_distance;
    thg_planet_ranges(crowd, row, most, &ranges);
    thg_local_look(local, crowd, row, &ranges, most);
    nearest->count = 0;
    nearest->most = profile->orca_neighbours;
    nearest->square = most * most;
    kernels->look(local->x, local->y, 0, local->count, 0, nearest);
}

/// How much of what two must give a neighbour gives, against the agent's own: nothing when it does
/// not avoid, or does not mind the agent; more, or less, when it is outranked or outranks. False
/// for one whom the agent does not mind.
static bool share_with(const throng_crowd *crowd, int row, int other, float *give)
{
    const thg_derived *derived = &crowd->derived;
    *give = is_active(crowd, other) ? derived->yield[other] : 0.0f;
    if (!crowd->asks_who) {
        return true;
    }
    if ((derived->who[row] & derived->minds[other] & THG_LAYER_BITS) == 0) {
        *give = 0.0f;
    }
    if (derived->rank[other] < derived->rank[row]) {
        *give = *give / THG_OUTRANKED;
    } else if (derived->rank[row] < derived->rank[other]) {
        *give = *give * THG_OUTRANKED;
    }
    return (derived->who[other] & derived->minds[row] & THG_LAYER_BITS) != 0;
}

static void avoid_others(const throng_crowd *crowd, const thg_orca_kernels *kernels, int self,
                         const thg_orca_agent *agent, const thg_orca_nearest *nearest,
                         thg_orca_planes *planes)
{
    thg_orca_near near;
    int count = 0;
    for (int i = 0; i < nearest->count; i++) {
        int row = (int)(uint32_t)nearest->keys[i];
        if (share_with(crowd, self, row, &near.give[count])) {
            near.x[count] = crowd->columns.x[row];
            near.y[count] = crowd->columns.y[row];
            near.vx[count] = crowd->columns.vx[row];
            near.vy[count] = crowd->columns.vy[row];
            near.radius[count] = crowd->derived.radius[row] * SKIN;
            count++;
        }
    }
    for (int i = count; i < THG_ORCA_NEIGHBOURS + 8 && i % 8 != 0; i++) {
        near.x[i] = near.y[i] = near.vx[i] = near.vy[i] = near.radius[i] = near.give[i] = 0.0f;
    }
    thg_orca_agent grown = *agent;
    grown.radius *= SKIN;
    kernels->planes(&grown, &near, count, planes);
}

// ---- The stage --------------------------------------------------------------------------------

static void avoid_rows(void *context, int first, int end, int block)
{
    const thg_step *step = context;
    throng_crowd *crowd = step->crowd;
    const thg_columns *columns = &crowd->columns;
    const thg_orca_kernels *kernels = thg_orca_kernels_get(crowd->kernels->kind);
    float sight = 2.0f;
    const bool sphere = crowd->derived.spots != NULL;
    thg_local local; // of planets
    (void)block;
    if (sphere) {
        thg_local_begin(&local, crowd);
    }
    for (int row = first; row < end; row++) {
        if (!is_active(crowd, row)) {
            continue;
        }
        const throng_profile_def *profile = &crowd->profiles[columns->profile[row]].def;
        thg_orca_agent agent = {.x = sphere ? 0.0f : columns->x[row],
                                .y = sphere ? 0.0f : columns->y[row],
                                .vx = columns->vx[row],
                                .vy = columns->vy[row],
                                .radius = crowd->derived.radius[row],
                                .give = crowd->derived.yield[row],
                                .most = profile->speed * columns->pace[row],
                                .horizon = profile->orca_horizon,
                                .dt = step->dt};
        thg_own_direction(0, columns->slot[row], &agent.own_x, &agent.own_y);
        agent.wish_x = crowd->derived.wish_x[row] + agent.own_x * JITTER;
        agent.wish_y = crowd->derived.wish_y[row] + agent.own_y * JITTER;
        thg_orca_planes planes;
        thg_orca_nearest nearest;
        avoid_walls(crowd, profile, &agent, sphere ? &crowd->derived.spots[row] : NULL, &planes);
        if (sphere) {
            find_nearest_on_planet(crowd, kernels, row, profile, &local, &nearest);
            avoid_others(&local.crowd, kernels, 0, &agent, &nearest, &planes);
        } else {
            find_nearest(crowd, kernels, row, profile, &sight, &nearest);
            avoid_others(crowd, kernels, row, &agent, &nearest, &planes);
        }
        kernels->choose(&planes, &agent, &crowd->derived.orca_x[row], &crowd->derived.orca_y[row]);
    }
}

void thg_stage_orca_run(thg_step *step)
{
    throng_crowd *crowd = step->crowd;
    bool any = false;
    for (int i = 0; i < crowd->profile_count; i++) {
        any = any || crowd->profiles[i].def.orca;
    }
    if (any) {
        thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK, avoid_rows, step);
    }
}
