/// Who does not listen to the neighbours: the anchored, while they stand, and those near a place
/// round a target that is theirs.
#include "crowd/crowd.h"

/// As if nobody were there: no push, no step aside, no reason to make way.
static void forget_neighbours(thg_sense_result *sensed)
{
    sensed->push_x = sensed->push_y = 0.0f;
    sensed->side_x = sensed->side_y = 0.0f;
    sensed->stirred = 0.0f;
}

static void hold_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    (void)block;
    for (int row = first; row < end; row++) {
        thg_sense_result *sensed = &crowd->derived.sensed[row];
        if (crowd->some_hold && thg_teams_is_fixed(crowd, row)) {
            forget_neighbours(sensed);
        }
        if (crowd->columns.claim[row] != 0 && thg_slots_distance(crowd, row) <= THG_NEAR_PLACE) {
            forget_neighbours(sensed);
            sensed->allowed = THG_FREE_SPEED;
            sensed->parked = 0.0f;
        }
    }
}

void thg_stage_hold_run(thg_step *step)
{
    throng_crowd *crowd = step->crowd;
    if (crowd->some_hold || crowd->slot_goals > 0) {
        thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK, hold_rows, crowd);
    }
}
