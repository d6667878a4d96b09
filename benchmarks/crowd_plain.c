/// See crowd_plain.h. The comments there are the point; here are only the rules, plainly.
#include "crowd_plain.h"
#include "core/lanes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool plain_create(const throng_crowd *twin, plain_crowd *plain)
{
    memset(plain, 0, sizeof *plain);
    plain->twin = twin;
    plain->count = twin->agent_count;
    plain->agents = calloc((size_t)plain->count, sizeof *plain->agents);
    plain->bin_start = calloc((size_t)twin->bins.count + 1, sizeof(int));
    plain->bin_agents = calloc((size_t)plain->count, sizeof(int));
    plain->crush = calloc((size_t)twin->bins.count, sizeof(bool));
    plain->step_count = twin->step_count;
    if (!plain->agents || !plain->bin_start || !plain->bin_agents || !plain->crush) {
        plain_destroy(plain);
        return false;
    }
    for (int row = 0; row < plain->count; row++) {
        const thg_columns *columns = &twin->columns;
        uint32_t slot = columns->slot[row];
        const thg_profile *profile = &twin->profiles[columns->profile[row]];
        plain->agents[slot - 1] = (plain_agent){.x = columns->x[row],
                                                .y = columns->y[row],
                                                .vx = columns->vx[row],
                                                .vy = columns->vy[row],
                                                .pace = columns->pace[row],
                                                .radius = profile->def.radius,
                                                .yield = profile->yield,
                                                .profile = columns->profile[row],
                                                .goal = columns->goal[row],
                                                .slot = slot};
    }
    return true;
}

void plain_destroy(plain_crowd *plain)
{
    free(plain->agents);
    free(plain->bin_start);
    free(plain->bin_agents);
    free(plain->crush);
    memset(plain, 0, sizeof *plain);
}

static void sort_into_bins(plain_crowd *plain)
{
    const thg_bins *bins = &plain->twin->bins;
    const thg_level *level = &bins->levels[0];
    throng_vec2 origin = plain->twin->map->origin;
    memset(plain->bin_start, 0, ((size_t)bins->count + 1) * sizeof(int));
    for (int i = 0; i < plain->count; i++) {
        plain_agent *agent = &plain->agents[i];
        agent->from_x = agent->x;
        agent->from_y = agent->y;
        agent->pinned_yield = agent->yield;
        agent->bin =
            thg_bin_along(agent->y - origin.y, level->inverse_size, level->height) * level->width +
            thg_bin_along(agent->x - origin.x, level->inverse_size, level->width);
        plain->bin_start[agent->bin + 1]++;
    }
    for (int i = 0; i < bins->count; i++) {
        plain->bin_start[i + 1] += plain->bin_start[i];
    }
    // Agents are in order of their slots, so each bin's list is too.
    for (int i = plain->count - 1; i >= 0; i--) {
        plain->bin_agents[--plain->bin_start[plain->agents[i].bin + 1]] = i;
    }
    memmove(plain->bin_start, plain->bin_start + 1, (size_t)bins->count * sizeof(int));
    plain->bin_start[bins->count] = plain->count;
}

static void steer(const plain_crowd *plain, plain_agent *agent)
{
    const throng_profile_def *profile = &plain->twin->profiles[agent->profile].def;
    const thg_goal *goal = &plain->twin->goals[agent->goal];
    throng_sample sample = throng_field_sample(goal->fields[profile->class_index].field,
                                               (throng_vec2){agent->x, agent->y});
    agent->wish_x = sample.direction.x * (profile->speed * agent->pace);
    agent->wish_y = sample.direction.y * (profile->speed * agent->pace);
}

typedef struct sense_sums {
    float push_x[8], push_y[8], side_x[8], side_y[8], allowed;
} sense_sums;

static void sense_one(const throng_profile_def *profile, const plain_agent *agent,
                      const plain_agent *other, float ahead_x, float ahead_y, int lane,
                      sense_sums *sums)
{
    float dx = other->from_x - agent->from_x, dy = other->from_y - agent->from_y;
    float square = dx * dx + dy * dy;
    if (!(square > THG_COINCIDENT)) {
        return;
    }
    float distance = sqrtf(square), inverse = 1.0f / distance;
    float reach = agent->radius + other->radius, gap = distance - reach;
    float near = 1.0f - gap * (1.0f / profile->separation_gap);
    if (near > 0.0f) {
        near = near < 1.0f ? near : 1.0f;
        near = near * near * inverse;
        sums->push_x[lane] -= dx * near;
        sums->push_y[lane] -= dy * near;
    }
    float along = (dx * ahead_x + dy * ahead_y) * inverse;
    float across = ahead_x * dy - ahead_y * dx;
    if (along > 0.5f && fabsf(across) < reach) {
        float theirs = other->vx * ahead_x + other->vy * ahead_y;
        float leave = theirs * profile->following + gap * (1.0f / profile->headway);
        sums->allowed = leave < sums->allowed ? leave : sums->allowed;
    }
    float rel_x = agent->wish_x - other->wish_x, rel_y = agent->wish_y - other->wish_y;
    float closing = dx * rel_x + dy * rel_y, relative = rel_x * rel_x + rel_y * rel_y;
    float root = closing * closing - relative * (square - reach * reach);
    if (!(closing > 0.0f) || !(root > 0.0f) || !(relative > THG_LEAST_CLOSING)) {
        return;
    }
    float time = (closing - sqrtf(root)) / relative;
    time = time > 0.0f ? time : 0.0f;
    float urgency = 1.0f - time * (1.0f / profile->avoidance_horizon);
    if (!(urgency > 0.0f)) {
        return;
    }
    float hit_x = dx - rel_x * time, hit_y = dy - rel_y * time;
    float turn = (ahead_x * hit_y - ahead_y * hit_x) * (0.25f / agent->radius);
    float side = turn < THG_LEFT_FROM ? -1.0f : 1.0f;
    float room = 1.0f - turn * side;
    float amount = side * (urgency * urgency) * (room > 0.5f ? room : 0.5f);
    sums->side_x[lane] += ahead_y * amount;
    sums->side_y[lane] -= ahead_x * amount;
}

static int count_around(const plain_crowd *plain, int bin, int half)
{
    int width = plain->twin->bins.levels[0].width, found = 0;
    for (int y = -half; y <= half; y++) {
        int row = bin + y * width;
        found += plain->bin_start[row + half + 1] - plain->bin_start[row - half];
    }
    return found;
}

static void sense(const plain_crowd *plain, plain_agent *agent)
{
    const throng_profile_def *profile = &plain->twin->profiles[agent->profile].def;
    int half = count_around(plain, agent->bin, 1) < THG_WIDE_LIMIT ? 2 : 1;
    float wish = sqrtf(agent->wish_x * agent->wish_x + agent->wish_y * agent->wish_y);
    float ahead_x = wish > 1e-3f ? agent->wish_x / wish : 0.0f;
    float ahead_y = wish > 1e-3f ? agent->wish_y / wish : 0.0f;
    sense_sums sums = {.allowed = THG_FREE_SPEED};
    for (int y = -half; y <= half; y++) {
        int row = agent->bin + y * plain->twin->bins.levels[0].width;
        int begin = plain->bin_start[row - half], end = plain->bin_start[row + half + 1];
        for (int k = begin; k < end; k++) {
            sense_one(profile, agent, &plain->agents[plain->bin_agents[k]], ahead_x, ahead_y,
                      (k - begin) % 8, &sums);
        }
    }
    agent->sensed.push_x = thg_sum_tree(sums.push_x);
    agent->sensed.push_y = thg_sum_tree(sums.push_y);
    agent->sensed.side_x = thg_sum_tree(sums.side_x);
    agent->sensed.side_y = thg_sum_tree(sums.side_y);
    agent->sensed.allowed = sums.allowed;
}

static void move(const plain_crowd *plain, plain_agent *agent, float dt)
{
    const thg_profile *profile = &plain->twin->profiles[agent->profile];
    const throng_profile_def *def = &profile->def;
    const throng_map *map = plain->twin->map;
    float want_x = 0.0f, want_y = 0.0f;
    float speed = sqrtf(agent->wish_x * agent->wish_x + agent->wish_y * agent->wish_y);
    if (speed >= 1e-3f) {
        float least = def->persistence * speed, target = speed;
        float allowed = agent->sensed.allowed > least ? agent->sensed.allowed : least;
        if (allowed < speed) {
            target = speed - def->density_slowdown * (speed - allowed);
        }
        float side_x = agent->sensed.side_x * def->avoidance_weight;
        float side_y = agent->sensed.side_y * def->avoidance_weight;
        thg_limit_length(&side_x, &side_y, THG_MOST_SIDE);
        float push_x = agent->sensed.push_x, push_y = agent->sensed.push_y;
        thg_limit_length(&push_x, &push_y, 1.0f);
        want_x =
            agent->wish_x / speed * target + (side_x + push_x * def->separation_weight) * speed;
        want_y =
            agent->wish_y / speed * target + (side_y + push_y * def->separation_weight) * speed;
        thg_limit_length(&want_x, &want_y, speed);
        float ahead_x = agent->wish_x / speed, ahead_y = agent->wish_y / speed;
        float missing = def->persistence * speed - (want_x * ahead_x + want_y * ahead_y);
        if (missing > 0.0f) {
            want_x += ahead_x * missing;
            want_y += ahead_y * missing;
        }
    }
    float change_x = want_x - agent->vx, change_y = want_y - agent->vy;
    thg_limit_length(&change_x, &change_y, def->acceleration * dt);
    float vx = agent->vx + change_x, vy = agent->vy + change_y;
    agent->vx = vx;
    agent->vy = vy;
    if (vx != 0.0f || vy != 0.0f) {
        thg_walls_move(map, &map->layers[def->class_index], profile, vx * dt, vy * dt, &agent->x,
                       &agent->y);
    }
}

typedef struct contact_sums {
    float push_x[8], push_y[8], count[8], deepest;
} contact_sums;

static void contact_one(const plain_crowd *plain, const plain_agent *agent,
                        const plain_agent *other, int lane, contact_sums *sums)
{
    float dx = agent->x - other->x, dy = agent->y - other->y;
    float square = dx * dx + dy * dy, reach = agent->radius + other->radius;
    if (agent == other || !(square < reach * reach)) {
        return;
    }
    bool apart = square > THG_COINCIDENT;
    float distance = apart ? sqrtf(square) : 0.0f, inverse = apart ? 1.0f / distance : 0.0f;
    float unit_x = dx * inverse, unit_y = dy * inverse;
    if (!apart) {
        thg_own_direction(plain->turn, agent->slot, &unit_x, &unit_y);
    }
    float overlap = reach - distance;
    float amount = overlap * (agent->pinned_yield / (agent->pinned_yield + other->pinned_yield));
    sums->push_x[lane] += unit_x * amount;
    sums->push_y[lane] += unit_y * amount;
    sums->count[lane] += 1.0f;
    float depth = overlap / (agent->radius < other->radius ? agent->radius : other->radius);
    sums->deepest = sums->deepest > depth ? sums->deepest : depth;
}

static void relax(const plain_crowd *plain, plain_agent *agent)
{
    contact_sums sums = {.deepest = 0.0f};
    for (int y = -1; y <= 1; y++) {
        int row = agent->bin + y * plain->twin->bins.levels[0].width;
        int begin = plain->bin_start[row - 1], end = plain->bin_start[row + 2];
        for (int k = begin; k < end; k++) {
            contact_one(plain, agent, &plain->agents[plain->bin_agents[k]], (k - begin) % 8, &sums);
        }
    }
    agent->next_x = agent->x;
    agent->next_y = agent->y;
    agent->next_yield = agent->pinned_yield;
    float count = thg_sum_tree(sums.count);
    if (count > 0.0f) {
        float scale = THG_OVER_RELAX / (count + (THG_OVER_RELAX - 1.0f));
        float push_x = thg_sum_tree(sums.push_x) * scale,
              push_y = thg_sum_tree(sums.push_y) * scale;
        thg_limit_length(&push_x, &push_y, THG_MOST_PUSH * agent->radius);
        const thg_profile *profile = &plain->twin->profiles[agent->profile];
        const throng_map *map = plain->twin->map;
        const thg_layer *layer = &map->layers[profile->def.class_index];
        thg_walls_shift(map, layer, profile, push_x, push_y, &agent->next_x, &agent->next_y);
        if (thg_is_pinned(push_x, push_y, agent->next_x - agent->x, agent->next_y - agent->y)) {
            agent->next_yield = agent->yield * THG_PINNED_YIELD;
        }
    }
    agent->depth = sums.deepest;
}

/// Marks the bins around those of deep pairs. False when there is none.
static bool mark_crush(plain_crowd *plain)
{
    const thg_level *level = &plain->twin->bins.levels[0];
    bool any = false;
    memset(plain->crush, 0, (size_t)plain->twin->bins.count * sizeof(bool));
    for (int i = 0; i < plain->count; i++) {
        int column = plain->agents[i].bin % level->width,
            line = plain->agents[i].bin / level->width;
        for (int y = line - THG_CRUSH_BINS; y <= line + THG_CRUSH_BINS; y++) {
            for (int x = column - THG_CRUSH_BINS; x <= column + THG_CRUSH_BINS; x++) {
                if (plain->agents[i].depth >= THG_DEEP && x >= 0 && y >= 0 && x < level->width &&
                    y < level->height) {
                    plain->crush[y * level->width + x] = true;
                    any = true;
                }
            }
        }
    }
    return any;
}

static void push_apart(plain_crowd *plain)
{
    bool touch = true;
    for (int pass = 0; pass < THG_MOST_PASSES && touch; pass++) {
        bool all = pass < THG_LEAST_PASSES;
        if (!all && !mark_crush(plain)) {
            return;
        }
        plain->turn++;
        touch = false;
        for (int i = 0; i < plain->count; i++) {
            if (all || plain->crush[plain->agents[i].bin]) {
                relax(plain, &plain->agents[i]);
                touch = touch || plain->agents[i].depth > 0.0f;
            }
        }
        for (int i = 0; i < plain->count; i++) {
            if (all || plain->crush[plain->agents[i].bin]) {
                plain->agents[i].x = plain->agents[i].next_x;
                plain->agents[i].y = plain->agents[i].next_y;
                plain->agents[i].pinned_yield = plain->agents[i].next_yield;
            }
        }
    }
}

void plain_step(plain_crowd *plain, float dt)
{
    plain->turn = (plain->step_count++ << 16) + THG_MOST_PASSES + 1;
    sort_into_bins(plain);
    for (int i = 0; i < plain->count; i++) {
        steer(plain, &plain->agents[i]);
    }
    for (int i = 0; i < plain->count; i++) {
        sense(plain, &plain->agents[i]);
    }
    for (int i = 0; i < plain->count; i++) {
        move(plain, &plain->agents[i], dt);
    }
    push_apart(plain);
    for (int i = 0; i < plain->count; i++) {
        plain_agent *agent = &plain->agents[i];
        if (agent->x == agent->from_x + agent->vx * dt &&
            agent->y == agent->from_y + agent->vy * dt) {
            continue;
        }
        agent->vx = (agent->x - agent->from_x) * (1.0f / dt);
        agent->vy = (agent->y - agent->from_y) * (1.0f / dt);
        thg_limit_length(&agent->vx, &agent->vy,
                         plain->twin->profiles[agent->profile].def.speed * agent->pace);
    }
}
