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

#define LANE_GAP 0.15f   ///< metres between the skins of one on the lane and one on the ring
#define QUEUE_GAP 0.3f   ///< and between one on the lane and one who waits
#define CLAIM_REACH 2.0f ///< metres beyond the queue from which a place can be had
#define MOST_CLAIMS 16   ///< a substep and goal

/// Metres from the ring to the middle of the lane, and to where the queue begins.
static float lane_of(float radius)
{
    return 2.0f * radius + LANE_GAP;
}

static float queue_of(float radius)
{
    return lane_of(radius) + 2.0f * radius + QUEUE_GAP;
}

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

// ---- The lane and its walls ---------------------------------------------------------------------

static throng_vec2 in_cells(const throng_map *map, throng_vec2 place)
{
    return (throng_vec2){(place.x - map->origin.x) * map->inverse_cell_size,
                         (place.y - map->origin.y) * map->inverse_cell_size};
}

static bool sees(const throng_map *map, int class_index, throng_vec2 from, throng_vec2 to)
{
    int x, y;
    if (!throng_map_cell_at(map, from, &x, &y) || !throng_map_cell_at(map, to, &x, &y)) {
        return false;
    }
    from = in_cells(map, from);
    to = in_cells(map, to);
    return thg_layer_sees(map, &map->layers[class_index], 0, from.x, from.y, to.x, to.y);
}

/// A disc of the class fits there, whatever the cell as a whole has room for.
static bool disc_fits(const throng_map *map, int class_index, throng_vec2 place)
{
    int x, y;
    float radius = map->layers[class_index].def.radius;
    return throng_map_cell_at(map, place, &x, &y) && !throng_map_blocked(map, class_index, x, y) &&
           throng_map_wall_distance(map, class_index, place, radius) >= radius;
}

/// Looks which pieces of the lane a wall cuts and which places have room, when the map has changed.
static void look_at_lane(const throng_crowd *crowd, thg_slots *slots, int class_index)
{
    thg_lane *lane = &slots->lanes[class_index];
    const throng_map *map = crowd->map;
    if (lane->version == crowd->map_version && lane->version != 0) {
        return;
    }
    float out = lane_of(map->layers[class_index].def.radius);
    throng_vec2 normal, before = thg_ring_at(&slots->ring, 0.0f, out, &normal);
    lane->version = crowd->map_version;
    lane->any_cut = false;
    lane->slack = map->layers[class_index].def.radius + map->cell_size;
    for (int i = 0; i < slots->count; i++) {
        bool fits = disc_fits(map, class_index, slots->places[i].position);
        uint32_t bit = UINT32_C(1) << class_index;
        slots->places[i].fits = fits ? slots->places[i].fits | bit : slots->places[i].fits & ~bit;
    }
    for (int i = 0; i < THG_STATIONS; i++) {
        float along = slots->ring.length * (float)(i + 1) / (float)THG_STATIONS;
        throng_vec2 next =
            thg_ring_at(&slots->ring, i + 1 < THG_STATIONS ? along : 0.0f, out, &normal);
        lane->cut[i] = !sees(map, class_index, before, next);
        lane->any_cut = lane->any_cut || lane->cut[i];
        before = next;
    }
}

static int station_at(const thg_ring *ring, float along)
{
    int station = (int)(along / ring->length * (float)THG_STATIONS);
    return thg_min_int(thg_max_int(station, 0), THG_STATIONS - 1);
}

/// True when the lane is free over a way along the ring, up to beside its end.
static bool lane_is_free(const thg_slots *slots, const thg_lane *lane, float from, float way)
{
    if (fabsf(way) <= lane->slack) {
        return true;
    }
    float to = from + way - (way > 0.0f ? lane->slack : -lane->slack);
    to = to >= slots->ring.length ? to - slots->ring.length : to;
    to = to < 0.0f ? to + slots->ring.length : to;
    int station = station_at(&slots->ring, way > 0.0f ? from : to);
    int last = station_at(&slots->ring, way > 0.0f ? to : from);
    for (int i = 0; i < THG_STATIONS; i++) {
        if (lane->cut[station]) {
            return false;
        }
        if (station == last) {
            break;
        }
        station = (station + 1) % THG_STATIONS;
    }
    return true;
}

/// The way along the ring to a place, the shorter one that walls leave. FLT_MAX: neither.
static float way_to(const thg_slots *slots, const thg_lane *lane, float from, float to)
{
    float way = thg_ring_between(&slots->ring, from, to);
    if (!lane->any_cut || lane_is_free(slots, lane, from, way)) {
        return way;
    }
    float other = way > 0.0f ? way - slots->ring.length : way + slots->ring.length;
    return lane_is_free(slots, lane, from, other) ? other : FLT_MAX;
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
            look_at_lane(crowd, slots, i);
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
    float lane = lane_of(def->radius);
    if (status == THRONG_WALKING && candidate.out > lane) {
        if (candidate.out > queue_of(def->radius) + CLAIM_REACH) {
            return;
        }
        throng_vec2 there = thg_ring_at(&slots->ring, candidate.along, lane, &normal);
        if (!sees(crowd->map, def->class_index, here, there)) {
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
    float way = way_to(slots, &slots->lanes[class_index], candidate->along, place->along);
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

// ---- How one gets there -------------------------------------------------------------------------

/// To the place: along the lane, or straight when it is beside.
static void wish_to_place(throng_crowd *crowd, const thg_slots *slots, int row, float along,
                          float out)
{
    const thg_columns *columns = &crowd->columns;
    const thg_profile *profile = &crowd->profiles[columns->profile[row]];
    const thg_place *place = &slots->places[columns->claim[row] - 1];
    float radius = profile->def.radius, lane = lane_of(radius);
    if (out > queue_of(radius) + CLAIM_REACH) {
        return; // from farther off the field knows the way
    }
    float dx = place->position.x - columns->x[row], dy = place->position.y - columns->y[row];
    float distance = sqrtf(dx * dx + dy * dy);
    float speed = profile->def.speed * columns->pace[row];
    const thg_lane *course = &slots->lanes[profile->def.class_index];
    float way = way_to(slots, course, along, place->along);
    float beside = course->any_cut ? course->slack : radius;
    if (fabsf(way) > beside && way != FLT_MAX) {
        throng_vec2 normal;
        thg_ring_at(&slots->ring, along, 0.0f, &normal);
        float sign = way > 0.0f ? 1.0f : -1.0f;
        float inwards = thg_clamp((lane - out) / radius, -1.0f, 1.0f);
        dx = -normal.y * sign + normal.x * inwards;
        dy = normal.x * sign + normal.y * inwards;
        distance = sqrtf(dx * dx + dy * dy);
    } else {
        float brake = sqrtf(THG_ARRIVE_BRAKE * distance);
        speed = brake < speed ? brake : speed;
    }
    float scale = distance > 1e-4f ? speed / distance : 0.0f;
    crowd->derived.wish_x[row] = dx * scale;
    crowd->derived.wish_y[row] = dy * scale;
}

/// One without a place: up to the queue's edge, and out of the lane.
static void wish_to_queue(throng_crowd *crowd, const thg_slots *slots, int row, float along,
                          float out)
{
    const thg_columns *columns = &crowd->columns;
    const throng_profile_def *def = &crowd->profiles[columns->profile[row]].def;
    float queue = queue_of(def->radius);
    float *wish_x = &crowd->derived.wish_x[row], *wish_y = &crowd->derived.wish_y[row];
    bool stands = columns->status[row] == THRONG_ARRIVED;
    if (out < queue - (stands ? 0.5f * def->radius : 0.0f)) {
        throng_vec2 normal;
        thg_ring_at(&slots->ring, along, 0.0f, &normal);
        float speed = def->speed * THG_HOME_SHARE;
        *wish_x = normal.x * speed;
        *wish_y = normal.y * speed;
    } else if (!stands) {
        float most = sqrtf(2.0f * THG_ARRIVE_BRAKE * (out - queue));
        thg_limit_length(wish_x, wish_y, most);
    }
}

/// One who has his place stays on it.
static void wish_to_hold(throng_crowd *crowd, const thg_place *place, int row)
{
    float dx = place->position.x - crowd->columns.x[row];
    float dy = place->position.y - crowd->columns.y[row];
    bool there = dx * dx + dy * dy < THG_ON_PLACE * THG_ON_PLACE;
    crowd->derived.wish_x[row] = there ? 0.0f : dx * THG_HOME_RATE;
    crowd->derived.wish_y[row] = there ? 0.0f : dy * THG_HOME_RATE;
}

static void wish_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    const thg_columns *columns = &crowd->columns;
    (void)block;
    for (int row = first; row < end; row++) {
        const thg_slots *slots = crowd->goals[columns->goal[row]].slots;
        uint8_t status = columns->status[row];
        if (slots == NULL || status == THRONG_CUT_OFF) {
            continue;
        }
        if (thg_row_is_still(crowd, row)) {
            crowd->derived.yield[row] *= columns->claim[row] != 0 ? THG_HOLDER_YIELD : 1.0f;
            continue;
        }
        float along, out = thg_ring_find(&slots->ring, columns->x[row], columns->y[row], &along);
        if (columns->claim[row] == 0) {
            wish_to_queue(crowd, slots, row, along, out);
        } else if (status == THRONG_ARRIVED) {
            wish_to_hold(crowd, &slots->places[columns->claim[row] - 1], row);
            crowd->derived.yield[row] *= THG_HOLDER_YIELD;
        } else {
            wish_to_place(crowd, slots, row, along, out);
            crowd->derived.yield[row] *= THG_CLAIMANT_YIELD;
        }
    }
}

void thg_stage_slots_run(thg_step *step)
{
    throng_crowd *crowd = step->crowd;
    if (crowd->slot_goals > 0) {
        give_places(crowd);
        thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK, wish_rows, crowd);
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
    float queue = queue_of(crowd->profiles[columns->profile[row]].def.radius);
    return !slots->open && out >= queue - THG_AT_PLACE &&
           (out <= queue + QUEUE_GAP || crowd->derived.sensed[row].settled > 0.0f);
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
