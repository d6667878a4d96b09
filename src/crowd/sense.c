/// What the neighbours say: for each agent one pass over those around it.
///
/// The view is five bins wide where there is room and three where it is crowded: who stands in a
/// crowd sees no farther, and the pass stays short.
#include "crowd/crowd.h"
#include <math.h>

/// Ranges of rows in the bins around one, `rows` bins across.
static int ranges_around(const thg_bins *bins, uint32_t bin, int rows, thg_ranges *ranges)
{
    int half = rows / 2, found = 0;
    ranges->count = rows;
    for (int k = 0; k < rows; k++) {
        uint32_t middle = bin + (uint32_t)((k - half) * bins->width);
        ranges->begin[k] = (int32_t)bins->start[middle - (uint32_t)half];
        ranges->end[k] = (int32_t)bins->start[middle + (uint32_t)half + 1];
        found += ranges->end[k] - ranges->begin[k];
    }
    return found;
}

void thg_ranges_narrow(const thg_bins *bins, uint32_t bin, thg_ranges *ranges)
{
    ranges_around(bins, bin, THG_NARROW_ROWS, ranges);
}

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
                      .spread_x = derived->spread_x,
                      .spread_y = derived->spread_y,
                      .wish_x = derived->wish_x,
                      .wish_y = derived->wish_y};
}

static void sense_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    const thg_columns *columns = &crowd->columns;
    const thg_derived *derived = &crowd->derived;
    const thg_rows rows = thg_rows_of(crowd);
    thg_ranges ranges = {0};
    uint32_t bin = UINT32_MAX;
    (void)block;
    for (int row = first; row < end; row++) {
        if (derived->bin[row] != bin) {
            bin = derived->bin[row];
            if (ranges_around(&crowd->bins, bin, THG_NARROW_ROWS, &ranges) < THG_WIDE_LIMIT) {
                ranges_around(&crowd->bins, bin, THG_WIDE_ROWS, &ranges);
            }
        }
        const throng_profile_def *profile = &crowd->profiles[columns->profile[row]].def;
        float wish_x = derived->wish_x[row], wish_y = derived->wish_y[row];
        float wish = sqrtf(wish_x * wish_x + wish_y * wish_y);
        uint8_t status = columns->status[row];
        bool walks = (status == THRONG_WALKING || status == THRONG_STUCK) && wish > 1e-3f;
        thg_sense_agent agent = {
            .x = columns->x[row],
            .y = columns->y[row],
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
        crowd->kernels->sense(&rows, &agent, &ranges, &crowd->derived.sensed[row]);
    }
}

void thg_stage_sense_run(thg_step *step)
{
    thg_parallel_for(step->crowd->jobs, step->crowd->agent_count, THG_ROW_BLOCK, sense_rows,
                     step->crowd);
}
