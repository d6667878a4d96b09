/// Contact states: walking, dodging, waiting. What one does who finds others in the way.
///
/// A cheap look for all (density ahead, somebody in a narrow cone ahead, big ones from behind), and
/// a dear one (room to the left and to the right) for the few who are blocked. Density is a whole
/// number of agents in the half circle ahead over its area: behind a gap there is room ahead, so
/// those who are through speed up although they are in a crowd. The rules of the states:
///
/// - who wants to stand is walking, never waiting;
/// - of two who meet head on, the one with the lower slot goes on;
/// - who dodges keeps the side unless the other has several neighbours fewer, and dodges for a
///   moment, not for a step;
/// - one who is overtaken closes the side that it is on; straight ahead it closes neither;
/// - the small do not block the big, who push them aside;
/// - who has waited for long dodges into whatever is there, and leaves the rest to the contacts.
#include "crowd/notes.h"
#include "crowd/planet.h"
#include <math.h>

enum { SIDE_NONE, SIDE_LEFT, SIDE_RIGHT }; ///< left: towards +90 degrees

/// One row at work.
typedef struct looker {
    int row;
    const thg_profile *profile;
    float x, y, radius, speed; ///< speed: wanted
    float ahead_x, ahead_y;    ///< unit
    float slow;                ///< share of the speed that the density leaves
    float least;               ///< m/s along the way of the slowest in the cone
    int ahead;                 ///< agents in the half circle ahead
    float flow;                ///< sum of their m/s along the way
    float shove_x, shove_y;    ///< m/s, by big ones
} looker;

/// What the dear look finds on each side.
typedef struct sides {
    int count[3]; ///< neighbours, by side
    bool blocked[3];
} sides;

/// m/s along a unit vector.
static float along_of(const float *x, const float *y, int row, float unit_x, float unit_y)
{
    return x[row] * unit_x + y[row] * unit_y;
}

/// One who is much bigger and heads here pushes aside, unless one already goes faster that way.
static void be_shoved(const throng_crowd *crowd, looker *look, int j, float dx, float dy,
                      float distance)
{
    const thg_profile *other = &crowd->profiles[crowd->columns.profile[j]];
    float gap = distance - look->radius - other->def.radius;
    if (!(other->def.shove > 0.0f) || !(gap < THG_SHOVE_GAP) || !thg_row_walks(crowd, j)) {
        return;
    }
    float their_x = crowd->derived.wish_x[j], their_y = crowd->derived.wish_y[j];
    float speed = sqrtf(their_x * their_x + their_y * their_y);
    if (!(speed > THG_CRAWL)) {
        return;
    }
    their_x /= speed;
    their_y /= speed;
    if (-(dx * their_x + dy * their_y) < THG_SHOVE_COSINE * distance) {
        return;
    }
    float across = their_y * dx - their_x * dy; // of me from its line, left positive
    bool left = across != 0.0f ? across > 0.0f : (crowd->columns.slot[look->row] & 1) != 0;
    float side_x = left ? -their_y : their_y, side_y = left ? their_x : -their_x;
    float wanted = other->def.shove * speed;
    float has = along_of(crowd->columns.vx, crowd->columns.vy, look->row, side_x, side_y);
    if (has < wanted) {
        look->shove_x += side_x * wanted;
        look->shove_y += side_y * wanted;
    }
}

/// True for one in the cone who does not block: a small one, or one who has to give way.
static bool gives_way(const throng_crowd *crowd, const looker *look, int j)
{
    const throng_profile_def *def = &look->profile->def;
    if (def->shove > 0.0f && crowd->derived.radius[j] < THG_SMALL * look->radius) {
        return true;
    }
    if (!def->head_on || !thg_row_walks(crowd, j)) {
        return false;
    }
    float their =
        along_of(crowd->derived.wish_x, crowd->derived.wish_y, j, look->ahead_x, look->ahead_y);
    return their < 0.0f && crowd->columns.slot[look->row] < crowd->columns.slot[j];
}

static void look_at(const throng_crowd *crowd, looker *look, int j, float density_square)
{
    float dx = crowd->columns.x[j] - look->x, dy = crowd->columns.y[j] - look->y;
    float square = dx * dx + dy * dy;
    float along = dx * look->ahead_x + dy * look->ahead_y;
    if (along > 0.0f && square < density_square) {
        look->ahead++;
        look->flow +=
            along_of(crowd->columns.vx, crowd->columns.vy, j, look->ahead_x, look->ahead_y);
    }
    float reach = look->radius + crowd->derived.radius[j];
    float view = reach + look->profile->def.probe_length;
    bool smaller = look->radius < THG_SMALL * crowd->derived.radius[j];
    if (!(square < view * view) && !smaller) {
        return;
    }
    float distance = sqrtf(square);
    if (smaller) {
        be_shoved(crowd, look, j, dx, dy, distance);
    }
    float across = look->ahead_x * dy - look->ahead_y * dx;
    across = across > -across ? across : -across;
    if (square < view * view && along > look->profile->probe_cosine * distance &&
        across < THG_BODY_SHARE * reach && !gives_way(crowd, look, j)) {
        float speed =
            along_of(crowd->columns.vx, crowd->columns.vy, j, look->ahead_x, look->ahead_y);
        look->least = speed < look->least ? speed : look->least;
    }
}

/// As far as the agent's own level of bins shows everybody.
static float density_reach(const throng_crowd *crowd, const thg_profile *profile)
{
    float size = crowd->bins.levels[profile->level].sight;
    return size < THG_DENSITY_REACH ? size : THG_DENSITY_REACH;
}

/// The share of the wanted speed that the density ahead leaves; the agent itself counts as half.
/// Where those ahead move faster than that, one keeps up with them.
static float density_share(const looker *look, float reach)
{
    const throng_profile_def *def = &look->profile->def;
    int ahead = look->ahead;
    if (!(def->density_free > 0.0f)) {
        return 1.0f;
    }
    float density = ((float)ahead + 0.5f) / (1.5707964f * reach * reach);
    float span = def->density_full - def->density_free;
    float share = 1.0f - (density - def->density_free) / (span > 0.01f ? span : 0.01f);
    if (ahead > 0 && look->flow > share * look->speed * (float)ahead) {
        share = look->flow / (look->speed * (float)ahead);
    }
    return thg_clamp(share, THG_JAM_SHARE, 1.0f);
}

// ---- The dear look -----------------------------------------------------------------------------

/// One who goes the same way: overtaken, once it blocks.
static bool is_overtaken(const throng_crowd *crowd, const looker *look, int j)
{
    if (!look->profile->def.overtaking || !thg_row_walks(crowd, j)) {
        return false;
    }
    float x = crowd->derived.wish_x[j], y = crowd->derived.wish_y[j];
    float along = x * look->ahead_x + y * look->ahead_y;
    return along > 0.0f && 4.0f * along * along > x * x + y * y; // within 60 degrees
}

static void look_aside(const throng_crowd *crowd, const looker *look, int j, sides *found)
{
    float dx = crowd->columns.x[j] - look->x, dy = crowd->columns.y[j] - look->y;
    float along = dx * look->ahead_x + dy * look->ahead_y;
    float left = look->ahead_x * dy - look->ahead_y * dx; // metres to the left of the way
    float reach = look->radius + crowd->derived.radius[j];
    float view = reach + look->profile->def.probe_length, square = dx * dx + dy * dy;
    if (!(square < view * view) || along < -0.5f * reach) {
        return;
    }
    found->count[left > 0.0f ? SIDE_LEFT : SIDE_RIGHT]++;
    bool overtaken = is_overtaken(crowd, look, j);
    bool straight = left < THG_STRAIGHT * reach && left > -THG_STRAIGHT * reach;
    for (int side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        float sign = side == SIDE_LEFT ? 1.0f : -1.0f;
        if (overtaken && (straight || left * sign < 0.0f)) {
            continue;
        }
        // Along and across the side probe, which leaves the way as a dodge does, at 45 degrees.
        float far = THG_DODGE_TURN * (along + sign * left);
        float beside = THG_DODGE_TURN * (left - sign * along);
        beside = beside > -beside ? beside : -beside;
        if (far > 0.0f && beside < THG_BODY_SHARE * reach) {
            found->blocked[side] = true;
        }
    }
}

/// True where a wall is so many metres from a row.
static bool wall_beside(const throng_crowd *crowd, const looker *look, float dx, float dy)
{
    const thg_layer *layer = &crowd->map->layers[look->profile->def.class_index];
    throng_vec2 end = {look->x + dx, look->y + dy};
    if (crowd->derived.spots != NULL) {
        const throng_planet *planet = crowd->map->planet;
        thg_vec3 place = thg_planet_go(planet, &crowd->derived.spots[look->row], dx, dy);
        thg_planet_flatten(planet, place, &end.x, &end.y);
    }
    int x, y;
    return !throng_map_cell_at(crowd->map, end, &x, &y) ||
           thg_layer_blocked(crowd->map, layer, thg_padded_index(crowd->map, x, y));
}

/// A wall at the end of a side probe closes it.
static void look_at_walls(const throng_crowd *crowd, const looker *look, sides *found)
{
    float length = look->radius + look->profile->def.probe_length;
    for (int side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
        float sine = side == SIDE_LEFT ? THG_DODGE_TURN : -THG_DODGE_TURN;
        float dx = length * (THG_DODGE_TURN * look->ahead_x - sine * look->ahead_y);
        float dy = length * (THG_DODGE_TURN * look->ahead_y + sine * look->ahead_x);
        found->blocked[side] = found->blocked[side] || wall_beside(crowd, look, dx, dy);
    }
}

/// The side with fewer neighbours; the old one unless the other has several fewer.
static int better_side(const looker *look, const sides *found, int old, uint32_t slot)
{
    int left = found->count[SIDE_LEFT], right = found->count[SIDE_RIGHT];
    if (old != SIDE_NONE) {
        int other = old == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
        int gain = found->count[old] - found->count[other];
        return gain > 0 && gain >= look->profile->def.side_neighbours ? other : old;
    }
    if (found->blocked[SIDE_LEFT] != found->blocked[SIDE_RIGHT]) {
        return found->blocked[SIDE_LEFT] ? SIDE_RIGHT : SIDE_LEFT;
    }
    if (left != right) {
        return left < right ? SIDE_LEFT : SIDE_RIGHT;
    }
    return (slot & 1) != 0 ? SIDE_LEFT : SIDE_RIGHT;
}

// ---- The states --------------------------------------------------------------------------------

/// What one who is blocked does now. Negative patience: seconds for which a dodge still holds.
static void face_block(throng_crowd *crowd, const looker *look, const sides *found, float dt)
{
    thg_columns *columns = &crowd->columns;
    int row = look->row;
    int side = better_side(look, found, columns->side[row], columns->slot[row]);
    if (!found->blocked[side]) {
        columns->contact[row] = THRONG_CONTACT_DODGING;
        columns->side[row] = (uint8_t)side;
        columns->patience[row] = -THG_DODGE_TIME;
        return;
    }
    columns->contact[row] = THRONG_CONTACT_WAITING;
    columns->patience[row] += dt;
    if (columns->patience[row] > look->profile->def.patience) {
        columns->contact[row] = THRONG_CONTACT_DODGING;
        columns->side[row] = (uint8_t)side;
        columns->patience[row] = -THG_EMERGENCY_TIME;
    }
}

static void decide(throng_crowd *crowd, const thg_ranges *ranges, const looker *look, float dt)
{
    thg_columns *columns = &crowd->columns;
    int row = look->row;
    float wanted = look->speed * look->slow;
    bool blocked =
        look->profile->def.probe_length > 0.0f && look->least < THG_BLOCKED_SHARE * wanted;
    if (columns->patience[row] < 0.0f) { // a dodge under way
        float left = columns->patience[row] + dt;
        columns->patience[row] = left < 0.0f ? left : 0.0f;
        columns->contact[row] = THRONG_CONTACT_DODGING;
        return;
    }
    if (!blocked) {
        columns->contact[row] = THRONG_CONTACT_WALKING;
        columns->patience[row] = 0.0f;
        return;
    }
    sides found = {0};
    for (int k = 0; k < ranges->count; k++) {
        for (int j = ranges->begin[k]; j < ranges->end[k]; j++) {
            if (j != row) {
                look_aside(crowd, look, j, &found);
            }
        }
    }
    look_at_walls(crowd, look, &found);
    face_block(crowd, look, &found, dt);
}

/// The wish as the state leaves it: ahead, turned by 45 degrees, or none.
static void set_want(const throng_crowd *crowd, const looker *look, thg_state_want *want)
{
    float speed = look->speed * look->slow;
    uint8_t state = crowd->columns.contact[look->row];
    float cosine = 1.0f, sine = 0.0f;
    if (state == THRONG_CONTACT_DODGING) {
        cosine = THG_DODGE_TURN;
        sine = crowd->columns.side[look->row] == SIDE_LEFT ? THG_DODGE_TURN : -THG_DODGE_TURN;
    } else if (state == THRONG_CONTACT_WAITING) {
        speed = look->speed * THG_WAIT_SHARE;
    }
    want->x = speed * (cosine * look->ahead_x - sine * look->ahead_y);
    want->y = speed * (cosine * look->ahead_y + sine * look->ahead_x);
    want->aside_x = look->shove_x;
    want->aside_y = look->shove_y;
    throng_vec2 *terms = thg_terms_of(crowd, look->row);
    thg_note_term(terms, THRONG_MOTIVE_STATE, want->x - look->speed * look->ahead_x,
                  want->y - look->speed * look->ahead_y);
    thg_note_term(terms, THRONG_MOTIVE_SHOVE, look->shove_x, look->shove_y);
    if (look->profile->def.wall_push > 0.0f) {
        float push_x, push_y;
        const thg_spot *spot =
            crowd->derived.spots != NULL ? &crowd->derived.spots[look->row] : NULL;
        thg_walls_repel(crowd->map, look->profile, spot != NULL ? spot->x : look->x,
                        spot != NULL ? spot->y : look->y, &push_x, &push_y);
        want->aside_x += push_x * look->profile->def.wall_push * look->speed;
        want->aside_y += push_y * look->profile->def.wall_push * look->speed;
        thg_note_term(terms, THRONG_MOTIVE_WALL_PUSH, want->aside_x - look->shove_x,
                      want->aside_y - look->shove_y);
    }
}

static void stand(throng_crowd *crowd, int row)
{
    crowd->columns.contact[row] = THRONG_CONTACT_WALKING;
    crowd->columns.side[row] = SIDE_NONE;
    crowd->columns.patience[row] = 0.0f;
    crowd->derived.wants[row] = (thg_state_want){0};
    thg_note_term(thg_terms_of(crowd, row), THRONG_MOTIVE_STATE, -crowd->derived.wish_x[row],
                  -crowd->derived.wish_y[row]);
}

static void state_row(throng_crowd *crowd, const thg_ranges *ranges, int row, float dt)
{
    float wish_x = crowd->derived.wish_x[row], wish_y = crowd->derived.wish_y[row];
    float speed = sqrtf(wish_x * wish_x + wish_y * wish_y);
    if (!thg_row_walks(crowd, row) || speed < THG_CRAWL) {
        stand(crowd, row);
        return;
    }
    float reach = density_reach(crowd, &crowd->profiles[crowd->columns.profile[row]]);
    looker look = {
        .row = row,
        .profile = &crowd->profiles[crowd->columns.profile[row]],
        .x = crowd->columns.x[row],
        .y = crowd->columns.y[row],
        .radius = crowd->derived.radius[row],
        .speed = speed,
        .ahead_x = wish_x / speed,
        .ahead_y = wish_y / speed,
        .least = THG_FREE_SPEED,
    };
    for (int k = 0; k < ranges->count; k++) {
        for (int j = ranges->begin[k]; j < ranges->end[k]; j++) {
            if (j != row) {
                look_at(crowd, &look, j, reach * reach);
            }
        }
    }
    look.slow = density_share(&look, reach);
    decide(crowd, ranges, &look, dt);
    set_want(crowd, &look, &crowd->derived.wants[row]);
}

static void state_rows(void *context, int first, int end, int block)
{
    const thg_step *step = context;
    throng_crowd *crowd = step->crowd;
    thg_ranges ranges;
    uint32_t bin = UINT32_MAX;
    if (thg_block_rests(crowd, block)) {
        return;
    }
    for (int row = first; row < end; row++) {
        if (!crowd->profiles[crowd->columns.profile[row]].has_states) {
            continue;
        }
        if (crowd->derived.bin[row] != bin) {
            bin = crowd->derived.bin[row];
            thg_ranges_narrow(crowd, bin, &ranges);
        }
        state_row(crowd, &ranges, row, step->dt);
    }
}

/// A row on a planet, as row 0 of those it sees.
static void state_row_on_planet(throng_crowd *crowd, thg_local *local, int row, float dt)
{
    thg_columns *columns = &crowd->columns, *own = &local->crowd.columns;
    own->contact = &columns->contact[row];
    own->side = &columns->side[row];
    own->patience = &columns->patience[row];
    local->crowd.derived.wants = &crowd->derived.wants[row];
    state_row(&local->crowd, &local->ranges, 0, dt);
}

static void state_rows_on_planet(void *context, int first, int end, int block)
{
    const thg_step *step = context;
    throng_crowd *crowd = step->crowd;
    thg_ranges ranges;
    thg_local local;
    (void)block;
    thg_local_begin(&local, crowd);
    for (int row = first; row < end; row++) {
        if (crowd->profiles[crowd->columns.profile[row]].has_states) {
            thg_ranges_narrow(crowd, crowd->derived.bin[row], &ranges);
            thg_local_look(&local, crowd, row, &ranges, INFINITY);
            state_row_on_planet(crowd, &local, row, step->dt);
        }
    }
}

void thg_stage_states_run(thg_step *step)
{
    if (step->crowd->has_states) {
        thg_parallel_for(step->crowd->jobs, step->crowd->agent_count, THG_ROW_BLOCK,
                         step->crowd->derived.spots != NULL ? state_rows_on_planet : state_rows,
                         step);
    }
}

/// Cosine of an angle in [0, 90] degrees, by its series: the same bits everywhere.
static float cosine_of(float degrees)
{
    double square = (double)degrees * (3.14159265358979 / 180.0);
    square = square * square;
    double term = 1.0, sum = 1.0;
    for (int i = 1; i <= 10; i++) {
        term = term * -square / ((2.0 * i - 1.0) * (2.0 * i));
        sum = sum + term;
    }
    return (float)sum;
}

void thg_states_know_profile(throng_crowd *crowd, thg_profile *profile)
{
    const throng_profile_def *def = &profile->def;
    profile->probe_cosine = cosine_of(def->probe_angle_deg);
    float half_cells = 2.0f * (def->radius + def->wall_reach) / crowd->map->cell_size + 1.4143f;
    profile->near_wall_push = (uint32_t)(half_cells * half_cells) + 1;
    profile->has_states = def->probe_length > 0.0f || def->shove > 0.0f ||
                          def->density_free > 0.0f || def->wall_push > 0.0f;
    crowd->has_states = crowd->has_states || profile->has_states;
}

const char *throng_contact_name(throng_contact contact)
{
    static const char *const names[] = {"walking", "dodging", "waiting"};
    return (unsigned)contact < 3 ? names[contact] : "unknown";
}
