/// What the flock and orders say: Reynolds' three rules (Flocks, Herds, and Schools, 1987),
/// swerving, a steering order and walls ahead change the velocity that the field wishes.
///
/// All are shares of the agent's own speed and are summed with their weights; the sum keeps its
/// direction and is cut to the longer of what the field and the order ask for. So a flock follows
/// and does not drive: who brakes at his goal, or has nowhere to go, is not pushed on by it. Rows
/// without such a profile and without an order are passed over; without any the stage does nothing.
#include "crowd/flock.h"
#include "crowd/notes.h"
#include "crowd/planet.h"
#include <float.h>
#include <math.h>

/// The three rules and the swerve, as a share of the own speed, for one who goes in a direction.
/// Notes each of them `noted` times as large.
static throng_vec2 flock_says(const throng_crowd *crowd, int row, const throng_profile_def *profile,
                              float speed, throng_vec2 way, int *hint, thg_local *local,
                              float noted)
{
    throng_vec2 *terms = thg_terms_of(crowd, row);
    throng_vec2 sum = {0.0f, 0.0f};
    if (crowd->profiles[crowd->columns.profile[row]].sees_flock) {
        thg_flock_view view;
        thg_flock_look(crowd, row, hint, local, &view);
        if (view.count > 0) {
            float with = 1.0f / ((float)view.count * speed);
            float to = profile->flock_radius > 0.0f
                           ? 1.0f / ((float)view.count * profile->flock_radius)
                           : 0.0f;
            float with_x = view.vx * with, with_y = view.vy * with;
            thg_limit_length(&with_x, &with_y, 1.0f);
            thg_limit_length(&view.away_x, &view.away_y, 1.0f);
            sum.x = profile->flock_alignment * with_x + profile->flock_cohesion * view.to_x * to +
                    profile->flock_separation * view.away_x;
            sum.y = profile->flock_alignment * with_y + profile->flock_cohesion * view.to_y * to +
                    profile->flock_separation * view.away_y;
            float alignment = profile->flock_alignment * noted;
            float cohesion = profile->flock_cohesion * to * noted;
            float spacing = profile->flock_separation * noted;
            thg_note_term(terms, THRONG_MOTIVE_ALIGNMENT, with_x * alignment, with_y * alignment);
            thg_note_term(terms, THRONG_MOTIVE_COHESION, view.to_x * cohesion,
                          view.to_y * cohesion);
            thg_note_term(terms, THRONG_MOTIVE_SPACING, view.away_x * spacing,
                          view.away_y * spacing);
        }
    }
    if (profile->wander_weight > 0.0f) {
        float turn = profile->wander_weight * thg_wander_turn(crowd, crowd->columns.slot[row]);
        sum.x -= way.y * turn;
        sum.y += way.x * turn;
        thg_note_term(terms, THRONG_MOTIVE_SWERVE, -way.y * turn * noted, way.x * turn * noted);
    }
    return sum;
}

/// One with an order and a goal whose point is reached stays there: it does not settle.
static bool is_at_point(const throng_crowd *crowd, int row)
{
    throng_vec2 point;
    float radius = crowd->goals[crowd->columns.goal[row]].def.arrive_radius;
    return thg_goal_nearest_point(crowd, row, &point) <= radius * radius;
}

/// What the sum leaves of the terms noted so far; they are of a length that it is cut to.
static void note_cut(throng_vec2 *terms, float x, float y)
{
    for (int i = THRONG_MOTIVE_WAY; terms != NULL && i < THRONG_MOTIVE_CUT; i++) {
        x -= terms[i].x;
        y -= terms[i].y;
    }
    thg_note_term(terms, THRONG_MOTIVE_CUT, x, y);
}

/// Turns a share of the speed from walls within a length.
static void look_out(const throng_crowd *crowd, int row, float length, float weight,
                     throng_vec2 *sum)
{
    float share = sqrtf(sum->x * sum->x + sum->y * sum->y);
    if (weight > 0.0f && share > 1e-3f) {
        sum->x /= share;
        sum->y /= share;
        thg_turn_from_walls(crowd, row, length, weight, &sum->x, &sum->y);
        sum->x *= share;
        sum->y *= share;
    }
}

static void steer_row(throng_crowd *crowd, int row, const thg_steer *steer, float dt, int *hint,
                      thg_local *local)
{
    const thg_profile *profile = &crowd->profiles[crowd->columns.profile[row]];
    float speed = profile->def.speed * crowd->columns.pace[row];
    if (!(speed > THG_CRAWL)) {
        return;
    }
    // What the field and the order ask for.
    thg_pull pull = {0.0f, 0.0f, FLT_MAX};
    throng_vec2 sum = {crowd->derived.wish_x[row] / speed, crowd->derived.wish_y[row] / speed};
    float walls = profile->def.wall_weight;
    if (steer != NULL) {
        pull = thg_steer_pull(crowd, row, speed, dt);
        walls = walls > steer->wall_weight ? walls : steer->wall_weight;
        pull.x = steer->weight > 0.0f ? pull.x : 0.0f;
        pull.y = steer->weight > 0.0f ? pull.y : 0.0f;
        if (is_at_point(crowd, row)) {
            sum = (throng_vec2){0.0f, 0.0f};
        }
    }
    throng_vec2 *terms = thg_terms_of(crowd, row);
    float weight = profile->def.field_weight * speed;
    thg_note_term(terms, THRONG_MOTIVE_WAY, sum.x * weight, sum.y * weight);
    float by_field = sum.x * sum.x + sum.y * sum.y, by_order = pull.x * pull.x + pull.y * pull.y;
    float most = sqrtf(by_field > by_order ? by_field : by_order);
    if (most > 1e-3f) {
        sum.x *= profile->def.field_weight;
        sum.y *= profile->def.field_weight;
        if (steer != NULL) {
            sum.x += steer->weight * pull.x;
            sum.y += steer->weight * pull.y;
            thg_note_term(terms, THRONG_MOTIVE_ORDER, steer->weight * pull.x * speed,
                          steer->weight * pull.y * speed);
        }
        throng_vec2 says =
            flock_says(crowd, row, &profile->def, speed, sum, hint, local, most * speed);
        sum.x += most * says.x;
        sum.y += most * says.y;
        thg_limit_length(&sum.x, &sum.y, most);
        note_cut(terms, sum.x * speed, sum.y * speed);
        float length = speed * profile->def.wall_horizon + profile->def.radius;
        length = length < pull.reach ? length : pull.reach;
        throng_vec2 straight = sum;
        look_out(crowd, row, length, walls, &sum);
        thg_note_term(terms, THRONG_MOTIVE_LOOKOUT, (sum.x - straight.x) * speed,
                      (sum.y - straight.y) * speed);
    } else {
        sum = (throng_vec2){0.0f, 0.0f};
        note_cut(terms, 0.0f, 0.0f);
    }
    crowd->derived.wish_x[row] = sum.x * speed;
    crowd->derived.wish_y[row] = sum.y * speed;
}

static void flock_rows(void *context, int first, int end, int block)
{
    const thg_step *step = context;
    throng_crowd *crowd = step->crowd;
    const thg_columns *columns = &crowd->columns;
    int hint = 0;
    thg_local local; // of planets
    (void)block;
    if (crowd->derived.spots != NULL) {
        thg_local_begin(&local, crowd);
    }
    for (int row = first; row < end; row++) {
        if (!thg_row_walks(crowd, row)) {
            continue;
        }
        const thg_steer *steer =
            thg_is_steered(crowd, row) ? &crowd->steers[columns->slot[row]] : NULL;
        if (steer != NULL || crowd->profiles[columns->profile[row]].flocks) {
            steer_row(crowd, row, steer, step->dt, &hint, &local);
        }
    }
}

void thg_stage_flock_run(thg_step *step)
{
    throng_crowd *crowd = step->crowd;
    if (!crowd->flocks && !crowd->steers_used) {
        return;
    }
    if (crowd->steers_aim) {
        thg_agents_index(crowd); // the sort has moved those whom orders are about
    }
    thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK, flock_rows, step);
}
