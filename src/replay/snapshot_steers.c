/// Steering orders in a snapshot: for each row a byte that says its kind, and the order where there
/// is one. A crowd that never had an order stores one byte in all.
#include "replay/snapshot_steers.h"

_Static_assert(sizeof(thg_steer) == 32, "an order is plain words without holes");

static bool slots_are_valid(const throng_crowd *crowd, uint32_t slot, const thg_steer *steer)
{
    return steer->target == 0 ||
           (steer->target <= (uint32_t)crowd->def.max_agents && steer->target != slot);
}

static throng_result stream_row(thg_stream *stream, throng_crowd *crowd, int row)
{
    uint32_t slot = crowd->columns.slot[row];
    if (slot < 1 || slot > (uint32_t)crowd->def.max_agents) {
        return THRONG_BAD_DATA;
    }
    thg_steer steer = crowd->steers[slot];
    uint8_t kind = (uint8_t)steer.kind;
    THG_STREAM(stream, kind);
    if (kind == THRONG_STEER_NONE) {
        return THRONG_OK;
    }
    THG_STREAM(stream, steer);
    if (stream->mode != THG_STREAM_READ) {
        return THRONG_OK;
    }
    if (steer.kind != kind || !thg_steer_is_valid(&steer) ||
        !slots_are_valid(crowd, slot, &steer)) {
        return THRONG_BAD_DATA;
    }
    thg_steer_put(crowd, slot, &steer);
    return THRONG_OK;
}

throng_result thg_stream_steers(thg_stream *stream, throng_crowd *crowd)
{
    uint8_t any = crowd->steers != NULL;
    THG_STREAM(stream, any);
    if (any == 0) {
        return THRONG_OK;
    }
    throng_result result = any == 1 ? thg_steers_need(crowd) : THRONG_BAD_DATA;
    for (int row = 0; row < crowd->agent_count && result == THRONG_OK; row++) {
        result = stream_row(stream, crowd, row);
    }
    return result;
}

bool thg_stream_steer_command_is_valid(const throng_crowd *crowd, const thg_command *command)
{
    thg_steer steer = {.kind = command->steer,
                       .target = command->target,
                       .target_generation = command->target_generation,
                       .radius = command->radius,
                       .weight = command->weight,
                       .wall_weight = command->wall_weight};
    bool steers = command->kind == THG_COMMAND_steer;
    return thg_steer_is_valid(&steer) && slots_are_valid(crowd, command->slot, &steer) &&
           (!steers || (crowd->steers != NULL && command->slot != 0));
}

bool thg_stream_status_is_valid(const throng_crowd *crowd, int row)
{
    bool has_goal = crowd->columns.goal[row] != 0, steered = thg_is_steered(crowd, row);
    switch (crowd->columns.status[row]) {
    case THRONG_IDLE:
        return !has_goal && !steered;
    case THRONG_WALKING:
    case THRONG_STUCK:
        return has_goal || steered;
    default:
        return has_goal && !steered;
    }
}
