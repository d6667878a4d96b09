/// Whom an agent reckoned with: the kernels of the last substep run again, over one neighbour at a
/// time, on what the notes have kept of both.
#include "crowd/flock.h"
#include "crowd/notes.h"
#include "crowd/planet.h"
#include <math.h>

/// One agent, as it looked round.
typedef struct looker {
    const throng_crowd *crowd;
    throng_agent_id agent;
    const thg_note *note;
    const throng_profile_def *profile;
    thg_spot spot; ///< on a planet
    thg_sense_agent sense;
    uint32_t *nearest; ///< slots of those of the flock, or ORCA's
    float *squares;
    int count, most; ///< of the nearest
} looker;

/// A neighbour as rows for the plain kernel: one.
typedef struct other {
    throng_vec2 at, v, wish;
    thg_rows rows;
} other;

static float length_of(float x, float y)
{
    return sqrtf(x * x + y * y);
}

/// Where something is that was at (x, y), seen from where the agent was.
static throng_vec2 seen(const looker *look, float x, float y)
{
    throng_vec2 way = {x, y};
    if (look->crowd->map->planet != NULL) {
        const throng_planet *planet = look->crowd->map->planet;
        thg_planet_see(planet, &look->spot, thg_planet_spot(planet, x, y).place, &way.x, &way.y);
    }
    return way;
}

static void lay_other(const looker *look, const thg_note *note, other *other)
{
    other->at = seen(look, note->x, note->y);
    other->v = note->motives.before;
    other->wish = note->motives.wish;
    if (look->crowd->map->planet != NULL) {
        thg_spot spot = thg_planet_spot(look->crowd->map->planet, note->x, note->y);
        thg_spot_carry(&spot, &look->spot, &other->v.x, &other->v.y);
        thg_spot_carry(&spot, &look->spot, &other->wish.x, &other->wish.y);
    }
    other->rows = (thg_rows){.x = &other->at.x,
                             .y = &other->at.y,
                             .vx = &other->v.x,
                             .vy = &other->v.y,
                             .radius = &note->radius,
                             .yield = &note->yield,
                             .key = &note->key,
                             .stir = &note->stir,
                             .wish_x = &other->wish.x,
                             .wish_y = &other->wish.y,
                             .rank = &note->rank,
                             .who = &note->who,
                             .minds = &note->minds};
}

/// What one neighbour says by itself.
static void ask(const looker *look, const thg_note *note, throng_heeded *heeded)
{
    static const thg_ranges one = {.count = 1, .begin = {0}, .end = {1}};
    const throng_profile_def *profile = look->profile;
    const throng_motives *motives = &look->note->motives;
    thg_sense_result result;
    other other;
    lay_other(look, note, &other);
    if (look->crowd->asks_who) {
        thg_kernels_scalar.sense_who(&other.rows, &look->sense, &one, &result);
    } else {
        thg_kernels_scalar.sense(&other.rows, &look->sense, &one, &result);
    }
    // By what the step left of it: whoever chooses by ORCA, or is held, does not listen.
    float wish = length_of(motives->wish.x, motives->wish.y);
    float separation = wish * profile->separation_weight, side = wish * profile->avoidance_weight;
    bool listens = look->note->walks && !profile->orca && !profile->kinematic && wish > 1e-3f;
    if (listens && (result.push_x != 0.0f || result.push_y != 0.0f) && separation > 0.0f) {
        heeded->reasons |= THRONG_HEED_SEPARATION;
        heeded->separation = (throng_vec2){result.push_x * separation, result.push_y * separation};
    }
    if (listens && (result.side_x != 0.0f || result.side_y != 0.0f) && side > 0.0f) {
        heeded->reasons |= THRONG_HEED_AVOIDANCE;
        heeded->avoidance = (throng_vec2){result.side_x * side, result.side_y * side};
    }
    if (listens && result.allowed < THG_FREE_SPEED) {
        heeded->allowed = result.allowed;
        heeded->reasons |=
            result.allowed < wish && profile->density_slowdown > 0.0f ? THRONG_HEED_SLOWDOWN : 0u;
    }
    throng_vec2 me = seen(look, look->note->moved_x, look->note->moved_y);
    throng_vec2 you = seen(look, note->moved_x, note->moved_y);
    float overlap = look->note->radius + note->radius - length_of(you.x - me.x, you.y - me.y);
    bool minds = !look->crowd->asks_who || (note->who & look->note->minds & THG_LAYER_BITS) != 0;
    if (overlap > 0.0f && minds) {
        heeded->reasons |= THRONG_HEED_TOUCH;
        heeded->overlap = overlap;
    }
}

// ---- Flock and ORCA -----------------------------------------------------------------------------

/// Keeps the nearest, at most so many, by distance and then by slot.
static void keep(looker *look, uint32_t slot, float square)
{
    int at = look->count < look->most ? look->count++ : look->most;
    while (at > 0 && (square < look->squares[at - 1] ||
                      (square == look->squares[at - 1] && slot < look->nearest[at - 1]))) {
        if (at < look->most) {
            look->squares[at] = look->squares[at - 1];
            look->nearest[at] = look->nearest[at - 1];
        }
        at--;
    }
    if (at < look->most) {
        look->squares[at] = square;
        look->nearest[at] = slot;
    }
}

/// Those among all who have a note: of the flock, or any.
static void find_nearest(looker *look, float reach, int most, bool of_flock)
{
    const throng_crowd *crowd = look->crowd;
    throng_vec2 me = seen(look, look->note->x, look->note->y);
    const thg_columns *columns = &crowd->columns;
    int own = thg_agents_row(crowd, look->agent.slot, look->agent.generation);
    look->count = 0;
    look->most = most;
    for (int row = 0; row < crowd->agent_count; row++) {
        const thg_note *note = &crowd->notes->notes[columns->slot[row]];
        if (row == own || note->turn != crowd->notes->turn ||
            (of_flock &&
             (columns->profile[row] != columns->profile[own] || !note->walks ||
              (look->profile->flock_by_goal && columns->goal[row] != columns->goal[own])))) {
            continue;
        }
        throng_vec2 you = seen(look, note->x, note->y);
        float dx = you.x - me.x, dy = you.y - me.y, square = dx * dx + dy * dy;
        if (square <= reach * reach) {
            keep(look, columns->slot[row], square);
        }
    }
}

static bool is_kept(const looker *look, uint32_t slot)
{
    for (int i = 0; i < look->count; i++) {
        if (look->nearest[i] == slot) {
            return true;
        }
    }
    return false;
}

// ---- The list -----------------------------------------------------------------------------------

typedef struct list {
    throng_heeded *heeded;
    int count, capacity;
} list;

static void add(const looker *look, uint32_t slot, uint32_t reasons, list *list)
{
    const thg_note *note = &look->crowd->notes->notes[slot];
    throng_heeded heeded = {
        .agent = {slot, note->generation}, .reasons = reasons, .allowed = INFINITY};
    if (slot == look->agent.slot || note->turn != look->crowd->notes->turn ||
        thg_agents_row(look->crowd, slot, note->generation) < 0) {
        return;
    }
    ask(look, note, &heeded);
    if (heeded.reasons != 0) {
        if (list->count < list->capacity) {
            list->heeded[list->count] = heeded;
        }
        list->count++;
    }
}

static thg_sense_agent as_sensed(const looker *look)
{
    const thg_note *note = look->note;
    throng_vec2 wish = note->motives.wish, at = seen(look, note->x, note->y);
    float size = sqrtf(wish.x * wish.x + wish.y * wish.y);
    bool walks = note->walks && size > 1e-3f;
    return (thg_sense_agent){
        .x = at.x,
        .y = at.y,
        .radius = note->radius,
        .wish_x = wish.x,
        .wish_y = wish.y,
        .ahead_x = walks ? wish.x / size : 0.0f,
        .ahead_y = walks ? wish.y / size : 0.0f,
        .separation_gap =
            look->profile->separation_gap > 1e-3f ? look->profile->separation_gap : 1e-3f,
        .horizon = look->profile->avoidance_horizon,
        .headway = look->profile->headway,
        .following = look->profile->following,
        .key = note->key,
        .rank = note->rank,
        .minds = note->minds,
        .neutrals = look->crowd->neutrals[look->crowd->columns.team[thg_agents_row(
            look->crowd, look->agent.slot, look->agent.generation)]],
    };
}

/// Of those in view, and of the nearest that are not.
static void list_all(looker *look, uint32_t nearest_reason, list *list)
{
    const throng_crowd *crowd = look->crowd;
    thg_ranges ranges;
    thg_ranges_view(crowd, look->note->bin, &ranges);
    for (int k = 0; k < ranges.count; k++) {
        for (int row = ranges.begin[k]; row < ranges.end[k]; row++) {
            if (row < crowd->notes->row_count) {
                uint32_t slot = crowd->notes->slots[row];
                bool kept = is_kept(look, slot);
                add(look, slot, kept ? nearest_reason : 0, list);
                for (int i = 0; kept && i < look->count; i++) { // it is listed
                    look->nearest[i] = look->nearest[i] == slot ? 0 : look->nearest[i];
                }
            }
        }
    }
    for (int i = 0; i < look->count; i++) {
        if (look->nearest[i] != 0) {
            add(look, look->nearest[i], nearest_reason, list);
        }
    }
}

int throng_crowd_heeded(const throng_crowd *crowd, throng_agent_id agent, throng_heeded *heeded,
                        int capacity)
{
    looker look = {.crowd = crowd, .agent = agent, .note = thg_note_of(crowd, agent)};
    list list = {heeded, 0, heeded != NULL ? capacity : 0};
    if (look.note == NULL) {
        return 0;
    }
    const thg_profile *profile =
        &crowd->profiles[crowd->columns
                             .profile[thg_agents_row(crowd, agent.slot, agent.generation)]];
    look.profile = &profile->def;
    if (crowd->map->planet != NULL) {
        look.spot = thg_planet_spot(crowd->map->planet, look.note->x, look.note->y);
    }
    look.sense = as_sensed(&look);
    // The nearest of a flock without a number may be all.
    bool orca = profile->def.orca, flocks = profile->sees_flock;
    int most = orca                             ? profile->def.orca_neighbours
               : profile->def.flock_nearest > 0 ? profile->def.flock_nearest
                                                : crowd->agent_count;
    bool looks_far = look.note->walks && (orca || flocks);
    look.nearest = looks_far ? thg_allocate((size_t)most, sizeof *look.nearest) : NULL;
    look.squares = looks_far ? thg_allocate((size_t)most, sizeof *look.squares) : NULL;
    if (look.nearest != NULL && look.squares != NULL) {
        find_nearest(&look, orca ? profile->def.orca_distance : profile->def.flock_radius, most,
                     !orca);
    }
    list_all(&look, orca ? THRONG_HEED_ORCA : THRONG_HEED_FLOCK, &list);
    thg_release(look.nearest, (size_t)most, sizeof *look.nearest);
    thg_release(look.squares, (size_t)most, sizeof *look.squares);
    return list.count;
}
