/// Agents and queued commands in snapshots.
#include "replay/snapshot_parts.h"
#include "replay/snapshot_steers.h"

_Static_assert(sizeof(thg_command) == 104, "a command is plain words");

static void stream_columns(thg_stream *stream, throng_crowd *crowd, int count)
{
#define THG_COLUMN(type, name)                                                                     \
    thg_stream_bytes(stream, crowd->columns.name, (size_t)count * sizeof(type));
#include "crowd/columns.inc"
#undef THG_COLUMN
}

static bool row_is_valid(const throng_crowd *crowd, int row)
{
    const thg_columns *columns = &crowd->columns;
    int x, y;
    float vx = columns->vx[row], vy = columns->vy[row];
    bool numbers = vx >= -1e3f && vx <= 1e3f && vy >= -1e3f && vy <= 1e3f &&
                   thg_is_finite(columns->home_x[row]) && thg_is_finite(columns->home_y[row]) &&
                   thg_is_finite(columns->anchor_x[row]) && thg_is_finite(columns->anchor_y[row]) &&
                   thg_is_finite(columns->anchor_age[row]) &&
                   thg_is_finite(columns->disturbed[row]) && columns->pace[row] >= 0.0f &&
                   columns->pace[row] <= THG_TOP_PACE &&
                   columns->contact[row] <= THRONG_CONTACT_WAITING && columns->side[row] <= 2 &&
                   columns->came[row] <= THG_MAX_MOUTHS && columns->patience[row] >= -10.0f &&
                   columns->patience[row] <= 100.0f;
    bool stands = !thg_row_walks(crowd, row);
    numbers = numbers && (columns->quiet[row] < THG_ASLEEP || (columns->quiet[row] == THG_ASLEEP &&
                                                               stands && vx == 0.0f && vy == 0.0f));
    uint16_t goal = columns->goal[row];
    uint8_t status = columns->status[row], profile = columns->profile[row];
    if (!numbers || profile >= crowd->profile_count || status > THRONG_CUT_OFF ||
        columns->team[row] >= THRONG_MAX_TEAMS ||
        (goal != 0 && crowd->profiles[profile].def.kinematic) || goal > crowd->def.max_goals ||
        !thg_stream_status_is_valid(crowd, row) ||
        !throng_map_cell_at(crowd->map, (throng_vec2){columns->x[row], columns->y[row]}, &x, &y)) {
        return false;
    }
    int class_index = crowd->profiles[profile].way_class;
    return goal == 0 || crowd->goals[goal].fields[class_index].method != 0;
}

/// Checks what was read about agents and slots against each other, and books it.
static bool adopt_agents(throng_crowd *crowd)
{
    for (int i = 1; i <= crowd->def.max_agents; i++) {
        crowd->slots[i].row = THG_ROW_UNSEEN;
    }
    for (int row = 0; row < crowd->agent_count; row++) {
        uint32_t slot = crowd->columns.slot[row];
        if (slot < 1 || slot > (uint32_t)crowd->def.max_agents ||
            crowd->slots[slot].row != THG_ROW_UNSEEN || !row_is_valid(crowd, row)) {
            return false;
        }
        crowd->slots[slot].row = row;
        crowd->slots[slot].profile = crowd->columns.profile[row];
        thg_goal_count(crowd, crowd->columns.goal[row], crowd->columns.profile[row], 1);
        if (crowd->columns.status[row] == THRONG_ARRIVED) {
            thg_goal_count_settled(crowd, crowd->columns.goal[row], crowd->columns.profile[row], 1);
        }
        if (!thg_slots_adopt(crowd, row)) {
            return false;
        }
    }
    for (int i = 0; i < crowd->free_count; i++) {
        uint32_t slot = crowd->free_slots[i];
        if (slot < 1 || slot > (uint32_t)crowd->def.max_agents ||
            crowd->slots[slot].row != THG_ROW_UNSEEN) {
            return false;
        }
        crowd->slots[slot].row = THG_ROW_FREE;
    }
    return true;
}

static bool adopt_commands(throng_crowd *crowd)
{
    for (int i = 0; i < crowd->command_count; i++) {
        const thg_command *command = &crowd->commands[i];
        bool spawns = command->kind == THG_COMMAND_spawn;
        if (command->kind >= THG_COMMAND_COUNT || command->slot > (uint32_t)crowd->def.max_agents ||
            command->goal > (uint32_t)crowd->def.max_goals || !thg_is_finite(command->x) ||
            !thg_is_finite(command->y) || !thg_is_finite(command->vx) ||
            !thg_is_finite(command->vy) || command->profile < 0 ||
            command->profile >= crowd->profile_count ||
            !thg_stream_profile_command_is_valid(crowd, command) || command->rect_width < 0 ||
            command->rect_height < 0 || (uint32_t)command->team >= THRONG_MAX_TEAMS ||
            (uint32_t)command->other_team >= THRONG_MAX_TEAMS ||
            (uint32_t)command->relation > THRONG_ENEMY ||
            !thg_stream_steer_command_is_valid(crowd, command) ||
            throng_map_terrain_name(crowd->map, command->terrain) == NULL) {
            return false;
        }
        if (spawns) {
            if (command->slot < 1 || crowd->slots[command->slot].row != THG_ROW_UNSEEN) {
                return false;
            }
            crowd->slots[command->slot].row = THG_ROW_COMING;
            crowd->slots[command->slot].profile = (uint32_t)command->profile;
        }
        if (command->kind == THG_COMMAND_set_profile) {
            throng_profile_set(&crowd->wanted[command->profile],
                               &throng_profile_numbers(&(int){0})[command->number], command->value);
        }
    }
    for (int i = 1; i <= crowd->def.max_agents; i++) {
        if (crowd->slots[i].row == THG_ROW_UNSEEN) {
            return false;
        }
    }
    return true;
}

throng_result thg_stream_agents(thg_stream *stream, throng_crowd *crowd)
{
    bool reading = stream->mode == THG_STREAM_READ;
    int32_t rows = crowd->agent_count, free_count = crowd->free_count;
    int32_t commands = crowd->command_count;
    THG_STREAM(stream, rows);
    THG_STREAM(stream, free_count);
    THG_STREAM(stream, commands);
    if (rows < 0 || free_count < 0 || (int64_t)rows + free_count > crowd->def.max_agents ||
        commands < 0 ||
        (reading && (size_t)commands * sizeof(thg_command) > stream->size - stream->at)) {
        return THRONG_BAD_DATA;
    }
    if (reading) {
        crowd->agent_count = rows;
        crowd->free_count = free_count;
        crowd->commands = thg_allocate((size_t)commands, sizeof *crowd->commands);
        if (crowd->commands == NULL) {
            return THRONG_NO_MEMORY;
        }
        crowd->command_count = crowd->command_capacity = commands;
    }
    for (int i = 1; i <= crowd->def.max_agents; i++) {
        THG_STREAM(stream, crowd->slots[i].generation);
    }
    thg_stream_bytes(stream, crowd->free_slots, (size_t)free_count * sizeof *crowd->free_slots);
    stream_columns(stream, crowd, rows);
    throng_result result = thg_stream_steers(stream, crowd);
    if (result != THRONG_OK) {
        return result;
    }
    thg_stream_bytes(stream, crowd->commands, (size_t)commands * sizeof *crowd->commands);
    if (reading && (stream->short_of_data || !adopt_agents(crowd) || !adopt_commands(crowd))) {
        return THRONG_BAD_DATA;
    }
    return reading ? thg_profiles_reserve(crowd) : THRONG_OK;
}
