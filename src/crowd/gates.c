/// Gates: two full crowds that meet in a narrow gap jam for ever by local rules alone, so where the
/// map is narrow they take turns, or keep to lanes where there is room for two.
///
/// The passages come from the map (map/passages.h). Each substep every agent near one says what it
/// wants (gate_rules.c); the wishes are counted in whole numbers, so that no order of agents shows;
/// each gate decides from its counts (gate_turns.c); and the agents obey by their wish and by how
/// they yield in contacts. Where only one side wants through, nothing happens at all.
#include "crowd/gates.h"
#include <string.h>

#define LEAST_REACH 4.2f     ///< metres up to which a gap is a gate for the smallest of agents
#define REACH_DIAMETERS 5.5f ///< and in diameters of the largest

/// Which families there are, as the profiles as wanted need them: in the order of the profiles, so
/// that it does not show how they became what they are.
typedef struct family_plan {
    int count;
    int layer[THRONG_MAX_CLASSES];
    float most_width[THRONG_MAX_CLASSES];
    int8_t family_of[THRONG_MAX_PROFILES];
} family_plan;

static bool same_walls(const throng_crowd *crowd, int layer, int other)
{
    const thg_layer *layers = crowd->map->layers;
    return layers[layer].blocked_terrains == layers[other].blocked_terrains;
}

/// The family of a profile's class, made if there is none; a family has the walls of its layer.
static int plan_family(const throng_crowd *crowd, const throng_profile_def *def, family_plan *plan)
{
    const thg_layer *layers = crowd->map->layers;
    int found = 0;
    while (found < plan->count && !same_walls(crowd, plan->layer[found], def->class_index)) {
        found++;
    }
    if (found == plan->count) {
        plan->count++;
        plan->layer[found] = def->class_index;
        plan->most_width[found] = LEAST_REACH;
    }
    if (layers[def->class_index].def.radius < layers[plan->layer[found]].def.radius) {
        plan->layer[found] = def->class_index;
    }
    float width = REACH_DIAMETERS * 2.0f * def->radius;
    plan->most_width[found] = width > plan->most_width[found] ? width : plan->most_width[found];
    return found;
}

static family_plan plan_families(const throng_crowd *crowd)
{
    family_plan plan = {0};
    for (int i = 0; i < crowd->profile_count; i++) {
        const throng_profile_def *def = &crowd->wanted[i];
        bool knows = def->gates && crowd->map->planet == NULL;
        plan.family_of[i] = (int8_t)(knows ? plan_family(crowd, def, &plan) : -1);
    }
    return plan;
}

/// The place of the family with the walls of a layer, among those that have memory; -1: none.
static int made_family(const throng_crowd *crowd, int layer)
{
    for (int i = 0; i < crowd->gates.family_made; i++) {
        if (same_walls(crowd, crowd->gates.families[i].layer, layer)) {
            return i;
        }
    }
    return -1;
}

static void release_family(const throng_map *map, thg_gate_family *family)
{
    thg_passages_release(map, &family->passages);
    thg_release(family->states, THG_MAX_PASSAGES, sizeof *family->states);
    thg_release(family->counts, THG_MAX_PASSAGES, sizeof *family->counts);
    *family = (thg_gate_family){0};
}

static bool make_family(throng_crowd *crowd, int layer)
{
    thg_gate_family *family = &crowd->gates.families[crowd->gates.family_made];
    family->states = thg_allocate(THG_MAX_PASSAGES, sizeof *family->states);
    family->counts = thg_allocate(THG_MAX_PASSAGES, sizeof *family->counts);
    family->layer = layer;
    if (thg_passages_create(crowd->map, &family->passages) != THRONG_OK || family->states == NULL ||
        family->counts == NULL) {
        release_family(crowd->map, family);
        return false;
    }
    crowd->gates.family_made++;
    return true;
}

static bool make_scratch(throng_crowd *crowd)
{
    thg_gates *gates = &crowd->gates;
    if (gates->spare == NULL) {
        gates->spare = thg_allocate(THG_MAX_PASSAGES, sizeof *gates->spare);
    }
    if (gates->scratch.queue == NULL &&
        thg_passage_scratch_create(crowd->map, &gates->scratch) != THRONG_OK) {
        thg_passage_scratch_release(crowd->map, &gates->scratch);
        gates->scratch = (thg_passage_scratch){0};
    }
    return gates->spare != NULL && gates->scratch.queue != NULL;
}

throng_result thg_gates_reserve(throng_crowd *crowd)
{
    family_plan plan = plan_families(crowd);
    bool all = plan.count == 0 || make_scratch(crowd);
    for (int i = 0; i < plan.count && all; i++) {
        all = made_family(crowd, plan.layer[i]) >= 0 || make_family(crowd, plan.layer[i]);
    }
    return all ? THRONG_OK : THRONG_NO_MEMORY;
}

void thg_gates_lay(throng_crowd *crowd)
{
    thg_gates *gates = &crowd->gates;
    family_plan plan = plan_families(crowd);
    bool same = plan.count == gates->family_count;
    for (int i = 0; i < plan.count; i++) {
        thg_gate_family *family = &gates->families[i], old = *family;
        int place = made_family(crowd, plan.layer[i]); // i or later: those before have other walls
        same = same && place == i && family->layer == plan.layer[i] &&
               family->most_width == plan.most_width[i];
        *family = gates->families[place];
        gates->families[place] = old;
        family->layer = plan.layer[i];
        family->most_width = plan.most_width[i];
    }
    for (int i = plan.count; i < gates->family_made; i++) {
        memset(gates->families[i].states, 0, THG_MAX_PASSAGES * sizeof *gates->families[i].states);
    }
    gates->family_count = plan.count;
    memcpy(gates->family_of, plan.family_of, sizeof gates->family_of);
    if (!same) {
        throng_map_update(crowd->map); // edits called before come first
        thg_gates_find(crowd);
    }
}

void thg_gates_destroy(throng_crowd *crowd)
{
    thg_gates *gates = &crowd->gates;
    for (int i = 0; i < gates->family_made; i++) {
        release_family(crowd->map, &gates->families[i]);
    }
    thg_release(gates->spare, THG_MAX_PASSAGES, sizeof *gates->spare);
    thg_passage_scratch_release(crowd->map, &gates->scratch);
}

/// Puts the states of gates that were not free where these gates are now. A gate is known by the
/// cell before its first mouth; who does not find it again is dropped.
static void keep_states(throng_crowd *crowd, thg_gate_family *family)
{
    const thg_passages *passages = &family->passages;
    uint32_t *place_of = crowd->gates.scratch.order; // whatever it holds, a place is checked
    int kept = 0;
    for (int i = 0; i < THG_MAX_PASSAGES; i++) {
        if (family->states[i].mode != THRONG_GATE_FREE) {
            crowd->gates.spare[kept++] = family->states[i];
        }
    }
    memset(family->states, 0, THG_MAX_PASSAGES * sizeof *family->states);
    memset(family->counts, 0, THG_MAX_PASSAGES * sizeof *family->counts);
    for (int i = 0; i < passages->count; i++) {
        place_of[passages->passages[i].mouths[0].cell] = (uint32_t)i;
    }
    for (int i = 0; i < kept; i++) {
        const thg_gate_state *state = &crowd->gates.spare[i];
        uint32_t place = state->key < crowd->map->padded_count ? place_of[state->key] : UINT32_MAX;
        if (place < (uint32_t)passages->count) {
            const thg_passage *passage = &passages->passages[place];
            if (passage->mouths[0].cell == state->key && state->owner < passage->mouth_count &&
                state->next < passage->mouth_count) {
                family->states[place] = *state;
                crowd->gates.busy = true;
            }
        }
    }
}

void thg_gates_find(throng_crowd *crowd)
{
    thg_gates *gates = &crowd->gates;
    gates->busy = false;
    for (int i = 0; i < gates->family_count; i++) {
        thg_gate_family *family = &gates->families[i];
        thg_passages_find(crowd->map, &crowd->map->layers[family->layer], family->most_width,
                          &gates->scratch, &family->passages);
        keep_states(crowd, family);
    }
}

// ---- The stage ----------------------------------------------------------------------------------

static void fill_rows(void *context, int first, int end, int block)
{
    (void)block;
    thg_gate_roles_fill(context, first, end);
}

static void apply_rows(void *context, int first, int end, int block)
{
    (void)block;
    thg_gate_rules_apply(context, first, end);
}

static void count_row(throng_crowd *crowd, int row)
{
    uint32_t role = crowd->derived.gate_role[row], kind = THG_ROLE_KIND(role);
    thg_gate_counts *counts =
        &crowd->gates.families[THG_ROLE_FAMILY(role)].counts[THG_ROLE_GATE(role)];
    int32_t radius = (int32_t)(crowd->derived.radius[row] * 1e4f + 0.5f);
    uint8_t *came = &crowd->columns.came[row];
    if (kind == THG_ROLE_QUEUES) {
        *came = (uint8_t)(THG_ROLE_MOUTH(role) + 1u);
        counts->queue[THG_ROLE_MOUTH(role)][THG_ROLE_EXIT(role)]++;
    } else if (kind == THG_ROLE_INSIDE) {
        counts->inside[THG_ROLE_EXIT(role)]++;
    } else {
        if (*came != 0 && *came != THG_ROLE_MOUTH(role) + 1u) {
            counts->passed[*came - 1]++;
        }
        *came = 0;
        return;
    }
    counts->radius = radius > counts->radius ? radius : counts->radius;
}

void thg_stage_gates_run(thg_step *step)
{
    throng_crowd *crowd = step->crowd;
    thg_gates *gates = &crowd->gates;
    int all = 0;
    for (int i = 0; i < gates->family_count; i++) {
        thg_gate_family *family = &gates->families[i];
        all += family->passages.count;
        memset(family->counts, 0, (size_t)family->passages.count * sizeof *family->counts);
    }
    if (all == 0) {
        return;
    }
    thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK, fill_rows, crowd);
    for (int row = 0; row < crowd->agent_count; row++) {
        if (crowd->derived.gate_role[row] != 0) {
            count_row(crowd, row);
        }
    }
    gates->busy = thg_gate_turns_advance(crowd, step->dt);
    if (gates->busy) {
        thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK, apply_rows, crowd);
    }
}

// ---- The view -----------------------------------------------------------------------------------

static throng_gate gate_view(const thg_gate_family *family, int index)
{
    const thg_passage *passage = &family->passages.passages[index];
    const thg_gate_state *state = &family->states[index];
    const thg_gate_counts *counts = &family->counts[index];
    bool token = state->mode == THRONG_GATE_TOKEN;
    throng_gate gate = {.from = passage->from,
                        .to = passage->to,
                        .width = passage->width,
                        .length = passage->length,
                        .class_index = family->layer,
                        .mode = (throng_gate_mode)state->mode,
                        .mouth_count = passage->mouth_count,
                        .owner = token ? state->owner : -1,
                        .clearing = token && state->clears != 0};
    for (int i = 0; i < passage->mouth_count; i++) {
        gate.mouths[i] = (throng_vec2){passage->mouths[i].x, passage->mouths[i].y};
        gate.inside[i] = counts->inside[i];
        for (int k = 0; k < passage->mouth_count; k++) {
            gate.waiting[i] += counts->queue[i][k];
        }
    }
    return gate;
}

int throng_crowd_gates(const throng_crowd *crowd, throng_gate *gates, int capacity)
{
    int count = 0;
    for (int i = 0; i < crowd->gates.family_count; i++) {
        const thg_gate_family *family = &crowd->gates.families[i];
        for (int k = 0; k < family->passages.count; k++, count++) {
            if (count < capacity) {
                gates[count] = gate_view(family, k);
            }
        }
    }
    return count;
}

const char *throng_gate_mode_name(throng_gate_mode mode)
{
    static const char *const names[] = {"free", "lanes", "token"};
    return (unsigned)mode < 3 ? names[mode] : "unknown";
}
