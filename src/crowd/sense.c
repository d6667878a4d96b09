/// What the neighbours say: for each agent one pass over those around it.
#include "crowd/planet.h"
#include <math.h>

thg_rows thg_rows_of(const throng_crowd *crowd)
{
    const thg_columns *columns = &crowd->columns;
    const thg_derived *derived = &crowd->derived;
    return (thg_rows){.x = columns->x,
                      .y = columns->y,
                      .vx = columns->vx,
                      .vy = columns->vy,
                      .radius = derived->radius,
                      .yield = derived->yield,
                      .key = derived->key,
                      .stir = derived->stir,
                      .wish_x = derived->wish_x,
                      .wish_y = derived->wish_y,
                      .slot = columns->slot,
                      .turn = crowd->bins.turn,
                      .rank = derived->rank,
                      .who = derived->who,
                      .minds = derived->minds};
}

/// One row, at (x, y) among others.
static inline void sense_row(throng_crowd *crowd, int row, float x, float y, const thg_rows *rows,
                             const thg_ranges *ranges)
{
    const thg_columns *columns = &crowd->columns;
    const thg_derived *derived = &crowd->derived;
    const throng_profile_def *profile = &crowd->profiles[columns->profile[row]].def;
    float wish_x = derived->wish_x[row], wish_y = derived->wish_y[row];
    float wish = sqrtf(wish_x * wish_x + wish_y * wish_y);
    bool walks = thg_row_walks(crowd, row) && wish > 1e-3f;
    thg_sense_agent agent = {
        .x = x,
        .y = y,
        .radius = derived->radius[row],
        .wish_x = wish_x,
        .wish_y = wish_y,
        .ahead_x = walks ? wish_x / wish : 0.0f,
        .ahead_y = walks ? wish_y / wish : 0.0f,
        .separation_gap = profile->separation_gap > 1e-3f ? profile->separation_gap : 1e-3f,
        .horizon = profile->avoidance_horizon,
        .headway = profile->headway,
        .following = profile->following,
        .key = derived->key[row],
    };
    if (crowd->asks_who) {
        agent.rank = derived->rank[row];
        agent.minds = derived->minds[row];
        agent.neutrals = crowd->neutrals[columns->team[row]];
        crowd->kernels->sense_who(rows, &agent, ranges, &crowd->derived.sensed[row]);
    } else {
        crowd->kernels->sense(rows, &agent, ranges, &crowd->derived.sensed[row]);
    }
}

static void sense_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    const thg_rows rows = thg_rows_of(crowd);
    thg_sight sight = {.bin = thg_sight_nowhere};
    if (thg_block_rests(crowd, block)) {
        return;
    }
    for (int row = first; row < end; row++) {
        if (!thg_sight_from(crowd, row, true, &sight)) {
            crowd->derived.sensed[row] = (thg_sense_result){.allowed = THG_FREE_SPEED};
            continue;
        }
        sense_row(crowd, row, crowd->columns.x[row], crowd->columns.y[row], &rows, &sight.ranges);
    }
}

static void sense_rows_on_planet(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    thg_sight sight = {.bin = thg_sight_nowhere};
    thg_local local;
    (void)block;
    thg_local_begin(&local, crowd);
    for (int row = first; row < end; row++) {
        if (!thg_sight_from(crowd, row, true, &sight)) {
            crowd->derived.sensed[row] = (thg_sense_result){.allowed = THG_FREE_SPEED};
            continue;
        }
        thg_local_look(&local, crowd, row, &sight.ranges, INFINITY);
        sense_row(crowd, row, 0.0f, 0.0f, &local.rows, &local.ranges);
    }
}

void thg_stage_sense_run(thg_step *step)
{
    throng_crowd *crowd = step->crowd;
    thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK,
                     crowd->derived.spots != NULL ? sense_rows_on_planet : sense_rows, crowd);
}
