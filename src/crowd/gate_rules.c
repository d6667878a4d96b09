/// What an agent is to a gate, and what it does there.
///
/// Whether one wants through is read from its goal's field: the way from one mouth to another costs
/// about what it is long, and the flow leads into the mouth. Those whose turn it is not make room
/// sideways and back before the mouth and wait behind; those caught inside walk back out; those
/// whose turn it is push harder. In lanes everybody keeps to the right half.
#include "crowd/gates.h"
#include "crowd/routes.h"
#include <math.h>

#define LEAST_SHARE 0.5f ///< of the cost of the straight way between mouths, to count as through
#define LEAD_IN 0.5f     ///< cosine between the wish and the way to the mouth, at least
#define SURE_SHARE                                                                                 \
    0.9f            ///< likewise of the way to the mouth: a busy gate holds who goes round others
#define BEYOND 1.5f ///< metres by which a mouth may cost more than where one stands inside

/// Cost units of a goal's field for a metre of the cheapest terrain.
static float units_per_metre(const throng_crowd *crowd, const thg_layer *layer)
{
    float unit =
        crowd->def.metric == THRONG_OCTILE ? THRONG_OCTILE_UNIT : (float)THRONG_EIKONAL_UNIT;
    return unit * crowd->map->inverse_cell_size * (float)layer->min_price / (float)THG_PRICE_UNIT;
}

/// What a row's way to its goal costs from a cell.
typedef struct costs {
    const throng_crowd *crowd;
    const thg_goal_field *field;
    int row;
    const uint32_t *whole; ///< of a whole-map field; NULL: by tiles or by a path
} costs;

static uint32_t cost_at(const costs *of, size_t cell)
{
    return of->whole != NULL ? of->whole[cell]
                             : thg_routes_cost(of->crowd, of->row, of->field, cell);
}

/// The least cost across a mouth. Who goes through comes by there, so this holds whatever the crowd
/// makes of the prices; fields that know nothing of the crowd are read in the middle.
static uint32_t mouth_cost(const costs *of, const thg_mouth *mouth)
{
    if (of->whole == NULL) {
        return cost_at(of, mouth->cell);
    }
    uint32_t least = of->whole[mouth->across[0]];
    for (int i = 1; i < THG_MOUTH_CELLS; i++) {
        uint32_t cost = of->whole[mouth->across[i]];
        least = cost < least ? cost : least;
    }
    return least;
}

/// The mouth other than `but` from which the goal is nearest; -1 when none leads there.
static int nearest_exit(const thg_passage *passage, const costs *cost, int but)
{
    int best = -1;
    uint32_t least = THRONG_UNREACHED;
    for (int i = 0; i < passage->mouth_count; i++) {
        uint32_t here = mouth_cost(cost, &passage->mouths[i]);
        if (i != but && here < THRONG_FAR && (best < 0 || here < least)) {
            best = i;
            least = here;
        }
    }
    return best;
}

/// True when the way from one mouth leads through to another.
static bool leads_through(const thg_passage *passage, const costs *cost, int from, int to,
                          float per_metre)
{
    const thg_mouth *a = &passage->mouths[from], *b = &passage->mouths[to];
    uint32_t cost_a = mouth_cost(cost, a), cost_b = mouth_cost(cost, b);
    if (cost_a >= THRONG_FAR || cost_a <= cost_b) {
        return false;
    }
    float dx = b->x - a->x, dy = b->y - a->y;
    float way = sqrtf(dx * dx + dy * dy) + (cost->whole == NULL ? 1.0f : 0.0f);
    return (float)(cost_a - cost_b) >= LEAST_SHARE * way * per_metre;
}

/// True when the way from a place costs what a way to the mouth and on would, or more.
static bool costs_as_through(const costs *cost, size_t cell, const thg_mouth *mouth, float distance,
                             float half, float per_metre)
{
    uint32_t here = cost_at(cost, cell), there = mouth_cost(cost, mouth);
    return here < THRONG_FAR && here > there &&
           (float)(here - there) >= SURE_SHARE * (distance - half) * per_metre;
}

static uint32_t role_before(const throng_crowd *crowd, const thg_passage *passage, int row,
                            size_t cell, int mouth_index, bool busy, const costs *cost,
                            float per_metre)
{
    const thg_mouth *mouth = &passage->mouths[mouth_index];
    float wish_x = crowd->derived.wish_x[row], wish_y = crowd->derived.wish_y[row];
    float speed = sqrtf(wish_x * wish_x + wish_y * wish_y);
    float dx = mouth->x - crowd->columns.x[row], dy = mouth->y - crowd->columns.y[row];
    float distance = sqrtf(dx * dx + dy * dy);
    int exit = nearest_exit(passage, cost, mouth_index);
    if (distance > THG_PASSAGE_REACH + 0.5f * passage->width || !(speed > 1e-3f)) {
        return THG_ROLE_NONE;
    }
    float ahead = wish_x * dx + wish_y * dy;
    bool leads_in =
        ahead >= LEAD_IN * speed * distance ||
        (distance < 0.5f * passage->width + crowd->derived.radius[row] &&
         wish_x * mouth->out_x + wish_y * mouth->out_y < 0.0f) ||
        (busy && costs_as_through(cost, cell, mouth, distance, 0.5f * passage->width, per_metre));
    if (exit >= 0 && leads_in && leads_through(passage, cost, mouth_index, exit, per_metre)) {
        return THG_ROLE_QUEUES << 8 | (uint32_t)mouth_index << 4 | (uint32_t)exit;
    }
    return wish_x * mouth->out_x + wish_y * mouth->out_y > 0.0f
               ? THG_ROLE_LEAVES << 8 | (uint32_t)mouth_index << 4 | (uint32_t)mouth_index
               : THG_ROLE_NONE;
}

static uint32_t role_inside(const thg_passage *passage, size_t cell, const costs *cost,
                            float per_metre)
{
    int exit = nearest_exit(passage, cost, -1);
    if (exit < 0) {
        return THG_ROLE_NONE;
    }
    // One whose goal is in here is not on the way out.
    float there = (float)mouth_cost(cost, &passage->mouths[exit]);
    return there <= (float)cost_at(cost, cell) + BEYOND * per_metre
               ? THG_ROLE_INSIDE << 8 | (uint32_t)exit
               : THG_ROLE_NONE;
}

static uint32_t role_of(const throng_crowd *crowd, int row)
{
    const thg_columns *columns = &crowd->columns;
    int family_index = crowd->gates.family_of[columns->profile[row]];
    if (family_index < 0 || !thg_row_walks(crowd, row)) {
        return 0;
    }
    const thg_gate_family *family = &crowd->gates.families[family_index];
    int x, y;
    throng_map_cell_at(crowd->map, (throng_vec2){columns->x[row], columns->y[row]}, &x, &y);
    size_t cell = thg_padded_index(crowd->map, x, y);
    uint16_t label = family->passages.label[cell];
    if (label == 0) {
        return 0;
    }
    int class_index = crowd->profiles[columns->profile[row]].way_class;
    const thg_goal_field *field = &crowd->goals[columns->goal[row]].fields[class_index];
    if (field->solved_for == 0) {
        return 0;
    }
    costs cost = {crowd, field, row, field->field != NULL ? thg_field_costs(field->field) : NULL};
    float per_metre = units_per_metre(crowd, &crowd->map->layers[class_index]);
    int gate = THG_LABEL_PASSAGE(label), part = THG_LABEL_PART(label);
    const thg_passage *passage = &family->passages.passages[gate];
    // Only whole-map fields change with the crowd; the others lead in by their direction.
    bool busy = family->states[gate].mode != THRONG_GATE_FREE && cost.whole != NULL;
    uint32_t role = part == THG_INSIDE
                        ? role_inside(passage, cell, &cost, per_metre)
                        : role_before(crowd, passage, row, cell, part, busy, &cost, per_metre);
    return role != 0 ? role | (uint32_t)gate << 16 | (uint32_t)family_index << 12 : 0;
}

void thg_gate_roles_fill(throng_crowd *crowd, int first, int end)
{
    for (int row = first; row < end; row++) {
        crowd->derived.gate_role[row] = role_of(crowd, row);
    }
}

// ---- What one does ------------------------------------------------------------------------------

static void set_wish(throng_crowd *crowd, int row, float x, float y)
{
    crowd->derived.wish_x[row] = x;
    crowd->derived.wish_y[row] = y;
}

static void slow_to(throng_crowd *crowd, int row, float share)
{
    set_wish(crowd, row, crowd->derived.wish_x[row] * share, crowd->derived.wish_y[row] * share);
}

/// Waiting is not being stuck.
static void wait_here(throng_crowd *crowd, int row, float yield)
{
    crowd->columns.anchor_age[row] = 0.0f;
    crowd->derived.yield[row] *= yield;
}

/// Where one stands before a mouth.
typedef struct before_mouth {
    float out, aside; ///< metres out of the mouth, and sideways from its middle
    float side_x, side_y;
} before_mouth;

static before_mouth place_before(const throng_crowd *crowd, int row, const thg_mouth *mouth)
{
    float dx = crowd->columns.x[row] - mouth->x, dy = crowd->columns.y[row] - mouth->y;
    before_mouth at = {.out = dx * mouth->out_x + dy * mouth->out_y,
                       .side_x = -mouth->out_y,
                       .side_y = mouth->out_x};
    at.aside = dx * at.side_x + dy * at.side_y;
    return at;
}

/// One whose turn it is not: out of the way of those who come out, then waiting.
static void make_room(throng_crowd *crowd, int row, const thg_passage *passage, int mouth_index)
{
    const thg_mouth *mouth = &passage->mouths[mouth_index];
    before_mouth at = place_before(crowd, row, mouth);
    float wish_x = crowd->derived.wish_x[row], wish_y = crowd->derived.wish_y[row];
    float speed = sqrtf(wish_x * wish_x + wish_y * wish_y);
    float aside = fabsf(at.aside);
    // A fan of 60 degrees to each side, as wide at the mouth as the mouth.
    float half = 0.5f * passage->width + 1.732f * (at.out > 0.0f ? at.out : 0.0f);
    float far = sqrtf(at.out * at.out + at.aside * at.aside);
    float reach = THG_GATE_FAN + 0.25f * passage->width;
    if (far < reach && aside < half) {
        bool left = aside > 0.02f ? at.aside > 0.0f : crowd->columns.slot[row] % 2 != 0;
        float side = left ? THG_GATE_SIDE : -THG_GATE_SIDE;
        set_wish(crowd, row, (at.side_x * side + mouth->out_x * THG_GATE_BACK) * speed,
                 (at.side_y * side + mouth->out_y * THG_GATE_BACK) * speed);
        wait_here(crowd, row, THG_GATE_FAN_YIELD);
    } else {
        slow_to(crowd, row, far < reach + THG_GATE_HOLD ? 0.0f : THG_GATE_CREEP);
        wait_here(crowd, row, THG_GATE_QUEUE_YIELD);
    }
}

static void obey_token(throng_crowd *crowd, int row, const thg_passage *passage,
                       const thg_gate_state *state)
{
    uint32_t role = crowd->derived.gate_role[row];
    int mouth = (int)THG_ROLE_MOUTH(role), exit = (int)THG_ROLE_EXIT(role);
    float *yield = &crowd->derived.yield[row];
    bool late = state->clears && state->age > THG_GATE_LATE;
    switch (THG_ROLE_KIND(role)) {
    case THG_ROLE_QUEUES:
        if (mouth != state->owner) {
            make_room(crowd, row, passage, mouth);
        } else if (!state->clears) {
            *yield *= THG_GATE_OWNER_YIELD;
        } else {
            before_mouth at = place_before(crowd, row, &passage->mouths[mouth]);
            bool near = at.out < THG_GATE_DOORSTEP &&
                        fabsf(at.aside) < 0.5f * passage->width + THG_GATE_DOORSTEP;
            slow_to(crowd, row, near ? 0.0f : THG_GATE_CREEP);
            wait_here(crowd, row, THG_GATE_QUEUE_YIELD);
        }
        break;
    case THG_ROLE_INSIDE:
        if (exit == state->owner) {
            slow_to(crowd, row, -1.0f); // walks back the way it came
            wait_here(crowd, row, late ? 1.0f : THG_GATE_QUEUE_YIELD);
        } else {
            *yield *= late ? THG_GATE_LATE_YIELD : THG_GATE_OWNER_YIELD;
        }
        break;
    default:
        if (mouth != state->owner) {
            *yield *= THG_GATE_OWNER_YIELD;
        }
    }
}

/// The wish of one who keeps to the right half of a straight passage. `along` is from its entry.
static void keep_right(throng_crowd *crowd, int row, const thg_passage *passage)
{
    uint32_t role = crowd->derived.gate_role[row], kind = THG_ROLE_KIND(role);
    int exit = (int)THG_ROLE_EXIT(role);
    const thg_mouth *to = &passage->mouths[exit], *from = &passage->mouths[1 - exit];
    float axis_x = to->x - from->x, axis_y = to->y - from->y;
    float length = sqrtf(axis_x * axis_x + axis_y * axis_y);
    if (!(length > 1e-3f)) {
        return;
    }
    axis_x /= length;
    axis_y /= length;
    float right_x = axis_y, right_y = -axis_x; // the side to which equal ones step aside
    float dx = crowd->columns.x[row] - from->x, dy = crowd->columns.y[row] - from->y;
    float along = dx * axis_x + dy * axis_y, aside = dx * right_x + dy * right_y;
    if (along < -THG_GATE_LANE_REACH || along > length + THG_GATE_LANE_REACH) {
        return;
    }
    float radius = crowd->derived.radius[row], half = 0.5f * passage->width;
    float inner = radius < 0.5f * half ? radius : 0.5f * half;
    float outer = half - radius > inner ? half - radius : inner;
    float wish_x = crowd->derived.wish_x[row], wish_y = crowd->derived.wish_y[row];
    float speed = sqrtf(wish_x * wish_x + wish_y * wish_y);
    float forth = (wish_x * axis_x + wish_y * axis_y) / speed;
    float across = (wish_x * right_x + wish_y * right_y) / speed;
    float pull = 0.0f;
    if (aside < inner) {
        pull = thg_clamp((inner - aside) * THG_GATE_LANE_PULL, 0.0f, 2.0f);
    } else if (kind != THG_ROLE_LEAVES && aside > outer && along > -0.5f) {
        pull = thg_clamp((outer - aside) * THG_GATE_LANE_PULL, -2.0f, 0.0f);
    }
    if (pull > 0.0f) {
        across = across > pull ? across : pull;
        forth = forth > 0.3f ? forth : 0.3f;
    } else if (pull < 0.0f) {
        across = across < pull ? across : pull;
    }
    float scale = speed / sqrtf(forth * forth + across * across);
    set_wish(crowd, row, (axis_x * forth + right_x * across) * scale,
             (axis_y * forth + right_y * across) * scale);
    if (aside < 0.0f && aside > -half - radius) {
        crowd->derived.yield[row] *= THG_GATE_WRONG_YIELD;
    }
}

void thg_gate_rules_apply(throng_crowd *crowd, int first, int end)
{
    for (int row = first; row < end; row++) {
        uint32_t role = crowd->derived.gate_role[row];
        if (role == 0) {
            continue;
        }
        const thg_gate_family *family = &crowd->gates.families[THG_ROLE_FAMILY(role)];
        const thg_gate_state *state = &family->states[THG_ROLE_GATE(role)];
        const thg_passage *passage = &family->passages.passages[THG_ROLE_GATE(role)];
        float wish_x = crowd->derived.wish_x[row], wish_y = crowd->derived.wish_y[row];
        if (state->mode == THRONG_GATE_FREE || !(wish_x * wish_x + wish_y * wish_y > 1e-6f)) {
            continue;
        }
        if (state->mode == THRONG_GATE_TOKEN) {
            obey_token(crowd, row, passage, state);
        } else {
            keep_right(crowd, row, passage);
        }
    }
}
