/// Places round a target: who takes which, and how one gets there.
///
/// Each substep the free places go to those near the ring who have none: the pair with the shortest
/// way (out to the ring and along it) first, ties by agent, then by place. A place is its agent's
/// until that dies, is sent elsewhere or gets stuck on the way. Who has one walks to the lane just
/// outside the ring, along it the shorter way that no wall cuts, and in. Who has none stays outside
/// the lane, so that it is free for those who have.
#include "crowd/slots.h"
#include "crowd/crowd.h"
#include <float.h>

#define MOST_CLAIMS 16 ///< a substep and goal

// ---- Memory -------------------------------------------------------------------------------------

bool thg_slots_are_valid(const throng_slots_def *def)
{
    const throng_rect *rect = &def->footprint;
    return def->count >= 0 && def->count <= THRONG_MAX_SLOTS && def->radius >= 0.0f &&
           def->radius <= 1000.0f && def->distance >= 0.0f && def->distance <= 100.0f &&
           (def->count == 0 ||
            (def->radius + def->distance >= 0.05f && rect->min.x <= rect->max.x &&
             rect->min.y <= rect->max.y && thg_is_finite(rect->max.x - rect->min.x) &&
             thg_is_finite(rect->max.y - rect->min.y)));
}

throng_rect thg_slots_box(const throng_map *map, const throng_slots_def *def)
{
    float reach = def->radius + def->distance + 0.5f * map->cell_size;
    return (throng_rect){{def->footprint.min.x - reach, def->footprint.min.y - reach},
                         {def->footprint.max.x + reach, def->footprint.max.y + reach}};
}

thg_slots *thg_slots_create(const throng_slots_def *def)
{
    thg_slots *slots = thg_allocate(1, sizeof *slots);
    if (slots == NULL) {
        return NULL;
    }
    slots->count = def->count;
    slots->free_count = def->count;
    slots->ring = thg_ring_make(def);
    slots->places = thg_allocate((size_t)def->count, sizeof *slots->places);
    slots->view = thg_allocate((size_t)def->count, sizeof *slots->view);
    if (slots->places == NULL || slots->view == NULL) {
        thg_slots_destroy(slots);
        return NULL;
    }
    for (int i = 0; i < def->count; i++) {
        throng_vec2 normal;
        float along = slots->ring.length * ((float)i + 0.5f) / (float)def->count;
        slots->places[i].along = along;
        slots->places[i].position = thg_ring_at(&slots->ring, along, 0.0f, &normal);
        slots->view[i].position = slots->places[i].position;
    }
    return slots;
}

void thg_slots_destroy(thg_slots *slots)
{
    if (slots != NULL) {
        thg_release(slots->places, (size_t)slots->count, sizeof *slots->places);
        thg_release(slots->view, (size_t)slots->count, sizeof *slots->view);
        thg_release(slots, 1, sizeof *slots);
    }
}

// ---- Who takes which ----------------------------------------------------------------------------

static bool place_fits(const throng_crowd *crowd, const thg_place *place, int row)
{
    int profile = crowd->columns.profile[row];
    return (place->fits >> crowd->profiles[profile].def.class_index & 1) != 0;
}

/// Takes places back from who is gone, has gone elsewhere, or got stuck on the way, and from all
/// when a wall was built there.
static void free_places(throng_crowd *crowd, uint32_t goal)
{
    thg_slots *slots = crowd->goals[goal].slots;
    for (int i = 0; i < crowd->map->layer_count; i++) {
        if (crowd->goals[goal].fields[i].field != NULL) {
            thg_lane_look(crowd, slots, i);
        }
    }
    slots->free_count = 0;
    slots->candidate_count = 0;
    for (int i = 0; i < slots->count; i++) {
        thg_place *place = &slots->places[i];
        int row = thg_agents_row(crowd, place->slot, place->generation);
        if (row >= 0 && crowd->columns.claim[row] == i + 1 &&
            (crowd->columns.status[row] == THRONG_STUCK || !place_fits(crowd, place, row))) {
            crowd->columns.claim[row] = 0;
        }
        if (row < 0 || crowd->columns.goal[row] != goal || crowd->columns.claim[row] != i + 1) {
            place->slot = 0;
            slots->free_count++;
        }
    }
    slots->open = slots->free_count > 0;
}

/// The farthest makes room when there are too many.
static void add_candidate(thg_slots *slots, const thg_candidate *candidate)
{
    if (slots->candidate_count < THG_CANDIDATES) {
        slots->candidates[slots->candidate_count++] = *candidate;
        return;
    }
    int worst = 0;
    for (int i = 1; i < THG_CANDIDATES; i++) {
        worst = slots->candidates[i].out > slots->candidates[worst].out ? i : worst;
    }
    if (candidate->out < slots->candidates[worst].out) {
        slots->candidates[worst] = *candidate;
    }
}

/// One without a place that could have one: in the queue, or near and in sight of the ring.
static void consider(throng_crowd *crowd, int row)
{
    const thg_columns *columns = &crowd->columns;
    thg_slots *slots = crowd->goals[columns->goal[row]].slots;
    const throng_profile_def *def = &crowd->profiles[columns->profile[row]].def;
    uint8_t status = columns->status[row];
    if (columns->claim[row] != 0 || (status != THRONG_WALKING && status != THRONG_ARRIVED)) {
        return;
    }
    thg_candidate candidate = {.slot = columns->slot[row], .row = row};
    throng_vec2 here = {columns->x[row], columns->y[row]}, normal;
    candidate.out = thg_ring_find(&slots->ring, here.x, here.y, &candidate.along);
    float lane = thg_lane_out(def->radius);
    if (status == THRONG_WALKING && candidate.out > lane) {
        if (candidate.out > thg_queue_out(def->radius) + THG_CLAIM_REACH) {
            return;
        }
        throng_vec2 there = thg_ring_at(&slots->ring, candidate.along, lane, &normal);
        if (!thg_lane_sees(crowd->map, def->class_index, here, there)) {
            return;
        }
    }
    add_candidate(slots, &candidate);
}

/// Cost of a place to a candidate: metres out to the ring and along it. FLT_MAX: not for him.
static float cost_of(const throng_crowd *crowd, const thg_slots *slots,
                     const thg_candidate *candidate, const thg_place *place)
{
    int profile = crowd->columns.profile[candidate->row];
    int class_index = crowd->profiles[profile].def.class_index;
    if (!place_fits(crowd, place, candidate->row)) {
        return FLT_MAX;
    }
    float way = thg_lane_way(slots, &slots->lanes[class_index], candidate->along, place->along);
    return way == FLT_MAX ? FLT_MAX : fabsf(way) + fabsf(candidate->out);
}

/// Gives one place away: the pair with the shortest way. False when there is none.
static bool give_one(throng_crowd *crowd, thg_slots *slots)
{
    float best = FLT_MAX;
    int best_place = -1, best_candidate = -1;
    for (int i = 0; i < slots->count; i++) {
        for (int k = 0; k < slots->candidate_count && slots->places[i].slot == 0; k++) {
            const thg_candidate *candidate = &slots->candidates[k];
            float cost = cost_of(crowd, slots, candidate, &slots->places[i]);
            if (cost < best || (cost == best && best_candidate >= 0 &&
                                candidate->slot < slots->candidates[best_candidate].slot)) {
                best = cost;
                best_place = i;
                best_candidate = k;
            }
        }
    }
    if (best_place < 0) {
        return false;
    }
    thg_candidate taker = slots->candidates[best_candidate];
    slots->candidates[best_candidate] = slots->candidates[--slots->candidate_count];
    slots->places[best_place].slot = taker.slot;
    slots->places[best_place].generation = crowd->slots[taker.slot].generation;
    slots->free_count--;
    thg_agents_set_status(crowd, taker.row, THRONG_WALKING);
    crowd->columns.claim[taker.row] = (uint16_t)(best_place + 1);
    return true;
}

static void give_places(throng_crowd *crowd)
{
    bool any = false;
    for (int row = 0; row < crowd->agent_count; row++) { // sorting has moved the rows
        if (crowd->columns.claim[row] != 0) {
            crowd->slots[crowd->columns.slot[row]].row = row;
        }
    }
    for (int goal = 1; goal <= crowd->def.max_goals; goal++) {
        if (crowd->goals[goal].slots != NULL) {
            free_places(crowd, (uint32_t)goal);
            any = any || crowd->goals[goal].slots->free_count > 0;
        }
    }
    for (int row = 0; row < crowd->agent_count && any; row++) {
        const thg_slots *slots = crowd->goals[crowd->columns.goal[row]].slots;
        if (slots != NULL && slots->free_count > 0) {
            consider(crowd, row);
        }
    }
    for (int goal = 1; goal <= crowd->def.max_goals && any; goal++) {
        thg_slots *slots = crowd->goals[goal].slots;
        for (int i = 0; i < MOST_CLAIMS && slots != NULL && slots->open; i++) {
            slots->open = give_one(crowd, slots);
        }
    }
}

void thg_stage_slots_run(thg_step *step)
{
    throng_crowd *crowd = step->crowd;
    if (crowd->slot_goals > 0) {
        give_places(crowd);
        thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK, thg_slots_wish_rows,
                         crowd);
    }
}

// ---- What others ask ----------------------------------------------------------------------------

float thg_slots_distance(const throng_crowd *crowd, int row)
{
    const thg_columns *columns = &crowd->columns;
    const thg_slots *slots = crowd->goals[columns->goal[row]].slots;
    if (slots == NULL || columns->claim[row] == 0) {
        return FLT_MAX;
    }
    throng_vec2 place = slots->places[columns->claim[row] - 1].position;
    float dx = place.x - columns->x[row], dy = place.y - columns->y[row];
    return sqrtf(dx * dx + dy * dy);
}

bool thg_slots_is_there(const throng_crowd *crowd, int row)
{
    const thg_columns *columns = &crowd->columns;
    const thg_slots *slots = crowd->goals[columns->goal[row]].slots;
    if (columns->claim[row] != 0) {
        return thg_slots_distance(crowd, row) <= THG_AT_PLACE;
    }
    // Who has none waits at the queue's edge, or behind those who do.
    float along, out = thg_ring_find(&slots->ring, columns->x[row], columns->y[row], &along);
    float queue = thg_queue_out(crowd->profiles[columns->profile[row]].def.radius);
    return !slots->open && out >= queue - THG_AT_PLACE &&
           (out <= queue + THG_QUEUE_GAP || crowd->derived.sensed[row].settled > 0.0f);
}

void thg_slots_look(throng_crowd *crowd)
{
    for (int goal = 1; goal <= crowd->def.max_goals && crowd->slot_goals > 0; goal++) {
        thg_slots *slots = crowd->goals[goal].slots;
        for (int i = 0; slots != NULL && i < slots->count; i++) {
            const thg_place *place = &slots->places[i];
            throng_slot *view = &slots->view[i];
            int row = thg_agents_row(crowd, place->slot, place->generation);
            bool taken =
                row >= 0 && crowd->columns.goal[row] == goal && crowd->columns.claim[row] == i + 1;
            bool free = false, asked = false;
            for (int k = 0; k < crowd->map->layer_count; k++) {
                bool comes = crowd->goals[goal].fields[k].field != NULL;
                asked = asked || comes;
                free = free || (comes && (place->fits >> k & 1) != 0);
            }
            bool held = taken && crowd->columns.status[row] == THRONG_ARRIVED;
            view->agent = taken ? crowd->ids[row] : (throng_agent_id){0, 0};
            view->state = held             ? THRONG_SLOT_HELD
                          : taken          ? THRONG_SLOT_CLAIMED
                          : free || !asked ? THRONG_SLOT_FREE
                                           : THRONG_SLOT_BLOCKED;
        }
    }
}

bool thg_slots_adopt(throng_crowd *crowd, int row)
{
    uint16_t goal = crowd->columns.goal[row], claim = crowd->columns.claim[row];
    uint32_t slot = crowd->columns.slot[row];
    thg_slots *slots = crowd->goals[goal].slots;
    if (claim == 0) {
        return true;
    }
    if (slots == NULL || claim > slots->count || slots->places[claim - 1].slot != 0) {
        return false;
    }
    slots->places[claim - 1].slot = slot;
    slots->places[claim - 1].generation = crowd->slots[slot].generation;
    return true;
}

const throng_slot *throng_crowd_slots(const throng_crowd *crowd, throng_goal_id goal, int *count)
{
    bool there = goal.slot >= 1 && goal.slot <= (uint32_t)crowd->def.max_goals &&
                 crowd->goals[goal.slot].used &&
                 crowd->goals[goal.slot].generation == goal.generation &&
                 crowd->goals[goal.slot].slots != NULL;
    *count = there ? crowd->goals[goal.slot].slots->count : 0;
    return there ? crowd->goals[goal.slot].slots->view : NULL;
}
