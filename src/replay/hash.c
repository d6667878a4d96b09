/// The state hash: equal for equal worlds, whatever machine, threads or order of rows.
///
/// Each agent's columns are chained into one word, the words are added: so the order of rows does
/// not count and blocks could be summed apart. Goals, terrain and pending field work are chained on
/// top.
#include "crowd/flock.h"
#include "crowd/routes.h"
#include <string.h>
#include <throng/replay.h>

static uint64_t chain(uint64_t hash, uint64_t value)
{
    return thg_mix64(hash * 0x9e3779b97f4a7c15u + value);
}

static uint64_t chain_float(uint64_t hash, float value)
{
    uint32_t bits;
    value = value == 0.0f ? 0.0f : value; // -0 is 0
    memcpy(&bits, &value, sizeof bits);
    return chain(hash, bits);
}

#define CHAIN(hash, value)                                                                         \
    _Generic((value), float                                                                        \
             : chain_float(hash, (float)(value)), default                                          \
             : chain(hash, (uint64_t)(value)))

static uint64_t hash_bytes(uint64_t hash, const uint8_t *bytes, size_t size)
{
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        // By hand, so that big-endian machines agree.
        uint64_t word = 0;
        for (int k = 7; k >= 0; k--) {
            word = word << 8 | bytes[i + (size_t)k];
        }
        hash = chain(hash, word);
    }
    for (; i < size; i++) {
        hash = chain(hash, bytes[i]);
    }
    return hash;
}

static uint64_t hash_steer(uint64_t hash, const thg_steer *steer)
{
    hash = chain(chain(chain(hash, steer->kind), steer->target), steer->target_generation);
    hash = chain_float(chain_float(hash, steer->x), steer->y);
    hash = chain_float(chain_float(hash, steer->radius), steer->weight);
    return chain_float(hash, steer->wall_weight);
}

static uint64_t hash_agent(const throng_crowd *crowd, int row)
{
    uint64_t hash = crowd->slots[crowd->columns.slot[row]].generation;
#define THG_COLUMN(type, name) hash = CHAIN(hash, crowd->columns.name[row]);
#include "crowd/columns.inc"
#undef THG_COLUMN
    if (thg_is_steered(crowd, row)) {
        hash = hash_steer(hash, &crowd->steers[crowd->columns.slot[row]]);
    }
    return hash;
}

static uint64_t hash_goal(uint64_t hash, const thg_goal *goal)
{
    const throng_goal_shape *shape = &goal->def.shape;
    hash = chain(hash, goal->generation);
    hash = chain(hash, (uint64_t)goal->used);
    if (!goal->used) {
        return hash;
    }
    for (int i = 0; i < shape->point_count; i++) {
        hash = chain_float(chain_float(hash, shape->points[i].x), shape->points[i].y);
    }
    for (int i = 0; i < shape->rect_count; i++) {
        hash = chain_float(chain_float(hash, shape->rects[i].min.x), shape->rects[i].min.y);
        hash = chain_float(chain_float(hash, shape->rects[i].max.x), shape->rects[i].max.y);
    }
    for (int i = 0; i < shape->cell_count; i++) {
        hash = chain(hash, (uint64_t)shape->cells[i]);
    }
    const throng_slots_def *slots = &goal->def.slots;
    if (slots->count > 0) { // their place follows from the shape, which was made from them
        hash = chain(hash, (uint64_t)slots->count);
        hash = chain_float(chain_float(hash, slots->radius), slots->distance);
    }
    if (goal->def.method != THRONG_ROUTE_AUTO || goal->def.expected_agents != 0) {
        hash = chain(chain(hash, goal->def.method), (uint64_t)goal->def.expected_agents);
    }
    hash = chain(hash, goal->pressed_at);
    if (goal->moves) {
        hash = chain(chain(hash, goal->follow.slot), goal->follow.generation);
    }
    hash = chain_float(hash, goal->def.arrive_radius);
    return chain(hash, (uint64_t)goal->def.remove_on_arrival);
}

/// Gates that are not free; the others follow from the map. Added, for a gate is known by its key,
/// not by its place.
static uint64_t hash_gates(const thg_gate_family *family)
{
    uint64_t sum = 0;
    for (int i = 0; i < THG_MAX_PASSAGES; i++) {
        const thg_gate_state *state = &family->states[i];
        if (state->mode != THRONG_GATE_FREE) {
            uint64_t hash = chain(chain(state->key, state->mode), state->owner);
            hash = chain(chain(hash, state->next), state->clears);
            for (int k = 0; k < THG_MAX_MOUTHS; k++) {
                hash = chain(hash, state->served[k]);
            }
            hash = chain_float(chain_float(hash, state->age), state->limit);
            sum += chain_float(hash, state->calm);
        }
    }
    return sum;
}

/// Tiles that have joined, and what agents remember of their paths.
static uint64_t hash_routes(const throng_crowd *crowd)
{
    uint64_t hash = crowd->routes->cursor;
    for (int slot = 1; slot <= crowd->def.max_goals; slot++) {
        for (int i = 0; i < crowd->map->layer_count; i++) {
            const thg_goal_field *field = &crowd->goals[slot].fields[i];
            if (field->tiles != NULL) {
                hash = chain(hash, (uint64_t)field->tiles->member_count);
                hash = chain(hash, (uint64_t)field->tiles->shown_count);
                hash = chain(hash, field->refused_until);
            }
        }
    }
    for (int i = 1; i <= crowd->def.max_agents && crowd->routes->ways != NULL; i++) {
        const thg_way *way = &crowd->routes->ways[i];
        if (way->count > 0) {
            hash =
                chain_float(chain_float(hash, way->points[way->next].x), way->points[way->next].y);
            hash = chain(hash, (uint64_t)(way->state << 16 | way->next << 8 | way->count));
        }
    }
    return hash;
}

/// Profiles of which a command has changed a number; the others are as the crowd was made.
static uint64_t hash_profiles(const throng_crowd *crowd, uint64_t hash)
{
    int count;
    const throng_profile_number *numbers = throng_profile_numbers(&count);
    for (int i = 0; i < crowd->profile_count; i++) {
        for (int k = 0; k < count && crowd->profiles[i].changed; k++) {
            hash = chain_float(chain(hash, (uint64_t)i),
                               throng_profile_get(&crowd->profiles[i].def, &numbers[k]));
        }
    }
    return hash;
}

uint64_t throng_crowd_hash(const throng_crowd *crowd)
{
    uint64_t sum = 0;
    for (int row = 0; row < crowd->agent_count; row++) {
        sum += hash_agent(crowd, row);
    }
    uint64_t hash = chain(crowd->step_count, sum);
    hash = chain(hash, (uint64_t)crowd->agent_count);
    for (int i = 1; i <= crowd->def.max_goals; i++) {
        if (crowd->goals[i].generation != 0) {
            hash = hash_goal(hash, &crowd->goals[i]);
        }
    }
    hash = hash_bytes(hash, &crowd->relations[0][0], sizeof crowd->relations);
    for (int i = 0; i < crowd->gates.family_count && crowd->gates.busy; i++) {
        hash = chain(hash, hash_gates(&crowd->gates.families[i]));
    }
    for (int i = 0; i < crowd->field_queue_count; i++) {
        hash = chain(hash, crowd->field_queue[i]);
    }
    hash = chain(hash, (uint64_t)crowd->field_progress * (uint64_t)crowd->field_active);
    hash = hash_profiles(crowd, hash);
    if (crowd->routes != NULL) {
        hash = chain(hash, hash_routes(crowd));
    }
    if (crowd->traffic.next != 0) {
        hash = chain(hash, crowd->traffic.next);
    }
    return hash_bytes(hash, throng_map_terrains(crowd->map), crowd->map->cell_count);
}
