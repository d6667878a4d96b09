/// Go there: the wish and what the neighbours said become a velocity, and that a move along the
/// walls.
#include "crowd/notes.h"
#include "crowd/planet.h"
#include <math.h>

/// Share of the wanted speed that is kept whoever is in front.
static float least_share(const throng_profile_def *profile, const thg_sense_result *sensed)
{
    return sensed->parked > 0.0f ? THG_SHOULDER_SHARE : profile->persistence;
}

/// Metres per second along the wish that those ahead leave.
static float speed_behind_others(const throng_profile_def *profile, const thg_sense_result *sensed,
                                 float speed)
{
    float least = least_share(profile, sensed) * speed;
    float allowed = sensed->allowed > least ? sensed->allowed : least;
    return allowed < speed ? speed - profile->density_slowdown * (speed - allowed) : speed;
}

/// The velocity one who walks wants, given those around.
static void want_walk(const throng_profile_def *profile, const thg_sense_result *sensed,
                      float wish_x, float wish_y, throng_vec2 *terms, float *x, float *y)
{
    float speed = sqrtf(wish_x * wish_x + wish_y * wish_y);
    if (speed < 1e-3f) {
        *x = *y = 0.0f;
        return;
    }
    float target = speed_behind_others(profile, sensed, speed);
    float side_x = sensed->side_x * profile->avoidance_weight;
    float side_y = sensed->side_y * profile->avoidance_weight;
    thg_limit_length(&side_x, &side_y, sensed->parked > 0.0f ? 0.0f : THG_MOST_SIDE);
    float push_x = sensed->push_x, push_y = sensed->push_y;
    thg_limit_length(&push_x, &push_y, 1.0f);
    float ahead_x = wish_x / speed, ahead_y = wish_y / speed;
    *x = ahead_x * target + (side_x + push_x * profile->separation_weight) * speed;
    *y = ahead_y * target + (side_y + push_y * profile->separation_weight) * speed;
    thg_note_term(terms, THRONG_MOTIVE_SLOWDOWN, ahead_x * (target - speed),
                  ahead_y * (target - speed));
    thg_note_term(terms, THRONG_MOTIVE_AVOIDANCE, side_x * speed, side_y * speed);
    thg_note_term(terms, THRONG_MOTIVE_SEPARATION, push_x * profile->separation_weight * speed,
                  push_y * profile->separation_weight * speed);
    thg_limit_length(x, y, speed);
    // Whatever the others say, a little of the wish is left: who stands in the way feels it.
    float missing = least_share(profile, sensed) * speed - (*x * ahead_x + *y * ahead_y);
    if (missing > 0.0f) {
        *x += ahead_x * missing;
        *y += ahead_y * missing;
    }
}

/// True when somebody comes whom one who stands lets by.
static bool is_asked_aside(const thg_sense_result *sensed)
{
    float side_x = sensed->side_x, side_y = sensed->side_y;
    return side_x * side_x + side_y * side_y > THG_MAKE_WAY_SIDE * THG_MAKE_WAY_SIDE;
}

/// True when a sleeper is touched by somebody who moves, or asked aside.
static bool is_roused(const thg_sense_result *sensed)
{
    return sensed->stirred > 0.0f || is_asked_aside(sensed);
}

/// The same with contact states: their wish, then the pushes of walls and big ones.
static void want_by_state(const thg_profile *profile, const thg_sense_result *sensed,
                          const thg_state_want *want, float wish_x, float wish_y,
                          throng_vec2 *terms, float *x, float *y)
{
    want_walk(&profile->def, sensed, want->x, want->y, terms, x, y);
    if (want->aside_x != 0.0f || want->aside_y != 0.0f) {
        *x += want->aside_x;
        *y += want->aside_y;
        thg_limit_length(x, y, sqrtf(wish_x * wish_x + wish_y * wish_y));
    }
}

/// The velocity one who stands wants: out of the way, or back.
static void want_stand(const throng_profile_def *profile, const thg_sense_result *sensed,
                       float wish_x, float wish_y, float *disturbed, throng_vec2 *terms, float *x,
                       float *y)
{
    float side_x = sensed->side_x, side_y = sensed->side_y;
    *x = wish_x;
    *y = wish_y;
    if (is_asked_aside(sensed)) {
        *disturbed = THG_STIR_WALKING;
        *x += side_x * THG_MAKE_WAY_SPEED;
        *y += side_y * THG_MAKE_WAY_SPEED;
        thg_note_term(terms, THRONG_MOTIVE_AVOIDANCE, side_x * THG_MAKE_WAY_SPEED,
                      side_y * THG_MAKE_WAY_SPEED);
    }
    float most = profile->speed < THG_MAKE_WAY_SPEED ? profile->speed : THG_MAKE_WAY_SPEED;
    thg_limit_length(x, y, most);
}

/// Whoever chooses by ORCA does not listen to states.
static void note_orca(throng_vec2 *terms, float x, float y)
{
    for (int i = THRONG_MOTIVE_STATE; terms != NULL && i < THRONG_MOTIVE_ORCA; i++) {
        terms[i] = (throng_vec2){0.0f, 0.0f};
    }
    thg_note_term(terms, THRONG_MOTIVE_ORCA, x, y);
}

static void move_rows(void *context, int first, int end, int block)
{
    const thg_step *step = context;
    throng_crowd *crowd = step->crowd;
    thg_columns *columns = &crowd->columns;
    if (thg_block_rests(crowd, block)) {
        return;
    }
    for (int row = first; row < end; row++) {
        const thg_profile *profile = &crowd->profiles[columns->profile[row]];
        const thg_sense_result *sensed = &crowd->derived.sensed[row];
        if (thg_row_is_still(crowd, row)) {
            if (!is_roused(sensed)) {
                continue;
            }
            columns->quiet[row] = 0;
        }
        float wish_x = crowd->derived.wish_x[row], wish_y = crowd->derived.wish_y[row];
        float want_x, want_y;
        if (profile->def.kinematic && crowd->derived.spots != NULL) {
            thg_planet_drive(crowd, row, step->dt);
            continue;
        }
        if (profile->def.kinematic) {
            columns->x[row] += columns->vx[row] * step->dt;
            columns->y[row] += columns->vy[row] * step->dt;
            thg_map_clip(crowd->map, &columns->x[row], &columns->y[row]);
            continue;
        }
        bool walks = thg_row_walks(crowd, row);
        throng_vec2 *terms = thg_terms_of(crowd, row);
        if (walks && profile->def.orca) {
            want_x = crowd->derived.orca_x[row];
            want_y = crowd->derived.orca_y[row];
            note_orca(terms, want_x - wish_x, want_y - wish_y);
        } else if (walks && profile->has_states) {
            want_by_state(profile, sensed, &crowd->derived.wants[row], wish_x, wish_y, terms,
                          &want_x, &want_y);
        } else if (walks) {
            want_walk(&profile->def, sensed, wish_x, wish_y, terms, &want_x, &want_y);
        } else {
            float disturbed = columns->disturbed[row] - step->dt;
            disturbed = disturbed > sensed->stirred ? disturbed : sensed->stirred;
            disturbed = disturbed > 0.0f ? disturbed : 0.0f;
            want_stand(&profile->def, sensed, wish_x, wish_y, &disturbed, terms, &want_x, &want_y);
            columns->disturbed[row] = disturbed;
        }
        thg_note_want(crowd, row, want_x, want_y);
        float change_x = want_x - columns->vx[row], change_y = want_y - columns->vy[row];
        thg_limit_length(&change_x, &change_y, profile->def.acceleration * step->dt);
        float vx = columns->vx[row] + change_x, vy = columns->vy[row] + change_y;
        columns->vx[row] = vx;
        columns->vy[row] = vy;
        if (vx != 0.0f || vy != 0.0f) {
            thg_walls_move(crowd->map, &crowd->map->layers[profile->def.class_index], profile,
                           vx * step->dt, vy * step->dt, &columns->x[row], &columns->y[row]);
        }
        if (profile->def.push_cap > 0.0f) {
            crowd->derived.placed_x[row] = columns->x[row];
            crowd->derived.placed_y[row] = columns->y[row];
        }
    }
}

void thg_stage_move_run(thg_step *step)
{
    thg_parallel_for(step->crowd->jobs, step->crowd->agent_count, THG_ROW_BLOCK, move_rows, step);
}
