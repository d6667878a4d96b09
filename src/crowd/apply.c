/// Commands applied: the first stage of the step, in call order.
///
/// A command whose agent or goal is gone by now does nothing.
#include "crowd/flock.h"

static bool goal_is_there(const throng_crowd *crowd, const thg_command *command)
{
    const thg_goal *goal = &crowd->goals[command->goal];
    return goal->used && goal->generation == command->goal_generation;
}

void thg_agents_set_goal(throng_crowd *crowd, int row, uint32_t goal)
{
    int profile = crowd->columns.profile[row];
    thg_agents_set_status(crowd, row, THRONG_IDLE);
    thg_goal_count(crowd, crowd->columns.goal[row], profile, -1);
    crowd->columns.goal[row] = (uint16_t)goal;
    thg_goal_count(crowd, goal, profile, 1);
    thg_agents_set_status(crowd, row, thg_agents_fresh_status(crowd, row));
}

static void put_at(throng_crowd *crowd, int row, float x, float y, float vx, float vy)
{
    thg_columns *columns = &crowd->columns;
    const thg_profile *profile = &crowd->profiles[columns->profile[row]];
    throng_map_update(crowd->map); // edits called before this one come first
    columns->x[row] = x;
    columns->y[row] = y;
    columns->vx[row] = vx;
    columns->vy[row] = vy;
    if (profile->def.kinematic) {
        thg_map_clip(crowd->map, &columns->x[row], &columns->y[row]);
        return;
    }
    if (!thg_walls_place(crowd->map, profile, &columns->x[row], &columns->y[row])) {
        crowd->flags |= THRONG_STEP_NO_ROOM;
        thg_event_add(crowd, THRONG_EVENT_REMOVED, row);
        thg_agents_end(crowd, row);
        return;
    }
    thg_agents_set_status(crowd, row, thg_agents_fresh_status(crowd, row));
}

/// Where the command says, at its velocity as far as the agent's own speed goes.
static void put_moving(throng_crowd *crowd, int row, const thg_command *command)
{
    thg_columns *columns = &crowd->columns;
    const throng_profile_def *profile = &crowd->profiles[columns->profile[row]].def;
    float vx = thg_clamp(command->vx, -1e3f, 1e3f); // the square must not overflow
    float vy = thg_clamp(command->vy, -1e3f, 1e3f);
    thg_limit_length(&vx, &vy, profile->speed * columns->pace[row]);
    put_at(crowd, row, command->x, command->y, vx, vy);
}

static void apply_spawn(throng_crowd *crowd, const thg_command *command, int ignored_row)
{
    (void)ignored_row;
    int row = crowd->agent_count++;
    thg_columns *columns = &crowd->columns;
    const throng_profile_def *profile = &crowd->profiles[command->profile].def;
    columns->slot[row] = command->slot;
    columns->profile[row] = (uint8_t)command->profile;
    columns->goal[row] = 0;
    columns->status[row] = THRONG_IDLE;
    columns->team[row] = (uint8_t)command->team;
    columns->claim[row] = 0;
    columns->pace[row] =
        thg_profile_draw_pace(profile, crowd->def.seed, command->generation, command->slot);
    crowd->slots[command->slot].row = row;
    crowd->rows_moved = true;
    columns->x[row] = command->x;
    columns->y[row] = command->y;
    bool goal_lives = command->goal != 0 && goal_is_there(crowd, command);
    thg_agents_set_goal(crowd, row, goal_lives ? command->goal : 0);
    put_moving(crowd, row, command);
}

static void apply_remove(throng_crowd *crowd, const thg_command *command, int row)
{
    (void)command;
    thg_agents_end(crowd, row);
}

static void apply_order(throng_crowd *crowd, const thg_command *command, int row)
{
    if (command->goal == 0 || goal_is_there(crowd, command)) {
        thg_agents_set_goal(crowd, row, command->goal);
    }
}

static void apply_teleport(throng_crowd *crowd, const thg_command *command, int row)
{
    put_at(crowd, row, command->x, command->y, 0.0f, 0.0f);
}

static void apply_steer(throng_crowd *crowd, const thg_command *command, int row)
{
    thg_steer steer = {0};
    if (command->steer != THRONG_STEER_NONE) {
        steer = thg_steer_of(command);
    }
    thg_steer_put(crowd, command->slot, &steer);
    thg_agents_set_status(crowd, row, thg_agents_fresh_status(crowd, row));
}

static void apply_edit_rect(throng_crowd *crowd, const thg_command *command, int row)
{
    (void)row;
    throng_cell_rect rect = {command->rect_x, command->rect_y, command->rect_width,
                             command->rect_height};
    throng_map_edit_rect(crowd->map, rect, command->terrain);
}

static void apply_set_profile(throng_crowd *crowd, const thg_command *command, int row)
{
    (void)row;
    thg_profile_set_number(crowd, command->profile, command->number, command->value);
}

static void apply_set_team(throng_crowd *crowd, const thg_command *command, int row)
{
    crowd->columns.team[row] = (uint8_t)command->team;
    crowd->columns.quiet[row] = 0;
}

static void apply_set_relation(throng_crowd *crowd, const thg_command *command, int row)
{
    (void)row;
    crowd->relations[command->team][command->other_team] = (uint8_t)command->relation;
    crowd->relations[command->other_team][command->team] = (uint8_t)command->relation;
    thg_teams_changed(crowd);
}

static void apply_move_kinematic(throng_crowd *crowd, const thg_command *command, int row)
{
    put_moving(crowd, row, command);
}

static void apply_remove_goal(throng_crowd *crowd, const thg_command *command, int row)
{
    (void)row;
    if (!goal_is_there(crowd, command)) {
        return;
    }
    for (int i = 0; i < crowd->agent_count; i++) {
        if (crowd->columns.goal[i] == command->goal) {
            thg_agents_set_goal(crowd, i, 0);
        }
    }
    thg_goal_clear(crowd, command->goal);
}

static void apply_move_goal(throng_crowd *crowd, const thg_command *command, int row)
{
    (void)row;
    if (goal_is_there(crowd, command)) {
        crowd->goals[command->goal].follow = (throng_agent_id){0, 0};
        thg_goal_put_at(crowd, command->goal, (throng_vec2){command->x, command->y});
    }
}

static void apply_follow_goal(throng_crowd *crowd, const thg_command *command, int row)
{
    (void)row;
    if (goal_is_there(crowd, command)) {
        crowd->goals[command->goal].follow =
            (throng_agent_id){command->target, command->target_generation};
        thg_goal_set_moving(crowd, command->goal);
    }
}

void thg_stage_commands_run(thg_step *step)
{
    typedef void apply_function(throng_crowd *, const thg_command *, int row);
    static apply_function *const apply[THG_COMMAND_COUNT] = {
#define THG_COMMAND(name) apply_##name,
#include "crowd/commands.inc"
#undef THG_COMMAND
    };
    throng_crowd *crowd = step->crowd;
    for (int i = 0; i < crowd->command_count; i++) {
        const thg_command *command = &crowd->commands[i];
        bool about_agent = command->slot != 0 && command->kind != THG_COMMAND_spawn;
        int row = about_agent ? thg_agents_row(crowd, command->slot, command->generation) : 0;
        if (row >= 0) {
            apply[command->kind](crowd, command, row);
        }
    }
    crowd->bins.known = crowd->bins.known && crowd->command_count == 0;
    crowd->command_count = 0;
    thg_profiles_settle(crowd);
    thg_agents_drop_gone(crowd);
    thg_agents_index(crowd);
}
