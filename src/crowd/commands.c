/// Commands: what the host asks for, queued by calls and applied by the next step in call order.
///
/// Ids and the memory of fields are settled in the call, so that the step can neither fail nor
/// allocate. A command whose agent or goal is gone by the time it is applied does nothing.
#include "crowd/flock.h"
#include <string.h>

/// Room for one more; false when memory is out.
static bool make_room(throng_crowd *crowd)
{
    if (crowd->command_count < crowd->command_capacity) {
        return true;
    }
    int capacity = crowd->command_capacity > 0 ? crowd->command_capacity * 2 : 256;
    thg_command *grown = thg_allocate((size_t)capacity, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    if (crowd->command_count > 0) {
        memcpy(grown, crowd->commands, (size_t)crowd->command_count * sizeof *grown);
    }
    thg_release(crowd->commands, (size_t)crowd->command_capacity, sizeof *grown);
    crowd->commands = grown;
    crowd->command_capacity = capacity;
    return true;
}

static throng_result queue(throng_crowd *crowd, const thg_command *command)
{
    if (!make_room(crowd)) {
        return THRONG_NO_MEMORY;
    }
    crowd->commands[crowd->command_count++] = *command;
    return THRONG_OK;
}

/// Checks a goal that may be none, and makes sure that the class has its field.
static throng_result ready_goal(throng_crowd *crowd, throng_goal_id goal, int profile)
{
    if (goal.slot == 0) {
        return THRONG_OK;
    }
    if (!thg_goal_valid(crowd, goal.slot, goal.generation)) {
        return THRONG_STALE_ID;
    }
    return thg_goal_need_field(crowd, goal.slot, crowd->profiles[profile].way_class);
}

static thg_steer steer_of(const thg_command *command)
{
    return (thg_steer){.kind = command->steer,
                       .target = command->target,
                       .target_generation = command->target_generation,
                       .x = command->x,
                       .y = command->y,
                       .radius = command->radius,
                       .weight = command->weight,
                       .wall_weight = command->wall_weight};
}

throng_result throng_crowd_spawn(throng_crowd *crowd, const throng_spawn_def *def,
                                 throng_agent_id *agent)
{
    if (def->profile < 0 || def->profile >= crowd->profile_count || def->team < 0 ||
        def->team >= THRONG_MAX_TEAMS ||
        (def->goal.slot != 0 && crowd->profiles[def->profile].def.kinematic) ||
        !thg_is_finite(def->position.x) || !thg_is_finite(def->position.y) ||
        !thg_is_finite(def->velocity.x) || !thg_is_finite(def->velocity.y)) {
        return THRONG_BAD_ARGUMENT;
    }
    if (crowd->free_count == 0) {
        return THRONG_LIMIT;
    }
    if (!make_room(crowd)) { // before the field: a call that fails leaves nothing
        return THRONG_NO_MEMORY;
    }
    throng_result result = ready_goal(crowd, def->goal, def->profile);
    if (result != THRONG_OK) {
        return result;
    }
    uint32_t slot = crowd->free_slots[crowd->free_count - 1];
    uint32_t generation = crowd->slots[slot].generation + 1;
    thg_command command = {.kind = THG_COMMAND_spawn,
                           .slot = slot,
                           .generation = generation > 0 ? generation : 1,
                           .goal = def->goal.slot,
                           .goal_generation = def->goal.generation,
                           .x = def->position.x,
                           .y = def->position.y,
                           .vx = def->velocity.x,
                           .vy = def->velocity.y,
                           .profile = def->profile,
                           .team = def->team};
    result = queue(crowd, &command);
    if (result == THRONG_OK) {
        crowd->free_count--;
        crowd->slots[slot] = (thg_slot){command.generation, THG_ROW_COMING, (uint32_t)def->profile};
        if (agent != NULL) {
            *agent = (throng_agent_id){slot, command.generation};
        }
    }
    return result;
}

static throng_result queue_for_agent(throng_crowd *crowd, throng_agent_id agent,
                                     thg_command *command)
{
    if (thg_agents_row(crowd, agent.slot, agent.generation) == THG_ROW_FREE) {
        return THRONG_STALE_ID;
    }
    command->slot = agent.slot;
    command->generation = agent.generation;
    return queue(crowd, command);
}

throng_result throng_crowd_remove(throng_crowd *crowd, throng_agent_id agent)
{
    return queue_for_agent(crowd, agent, &(thg_command){.kind = THG_COMMAND_remove});
}

throng_result throng_crowd_order(throng_crowd *crowd, throng_agent_id agent, throng_goal_id goal)
{
    if (thg_agents_row(crowd, agent.slot, agent.generation) == THG_ROW_FREE) {
        return THRONG_STALE_ID;
    }
    if (goal.slot != 0 && crowd->profiles[crowd->slots[agent.slot].profile].def.kinematic) {
        return THRONG_BAD_ARGUMENT;
    }
    if (!make_room(crowd)) {
        return THRONG_NO_MEMORY;
    }
    throng_result result = ready_goal(crowd, goal, (int)crowd->slots[agent.slot].profile);
    if (result != THRONG_OK) {
        return result;
    }
    return queue_for_agent(crowd, agent,
                           &(thg_command){.kind = THG_COMMAND_order,
                                          .goal = goal.slot,
                                          .goal_generation = goal.generation});
}

throng_result throng_crowd_teleport(throng_crowd *crowd, throng_agent_id agent,
                                    throng_vec2 position)
{
    if (!thg_is_finite(position.x) || !thg_is_finite(position.y)) {
        return THRONG_BAD_ARGUMENT;
    }
    return queue_for_agent(
        crowd, agent,
        &(thg_command){.kind = THG_COMMAND_teleport, .x = position.x, .y = position.y});
}

throng_result throng_crowd_set_team(throng_crowd *crowd, throng_agent_id agent, int team)
{
    if (team < 0 || team >= THRONG_MAX_TEAMS) {
        return THRONG_BAD_ARGUMENT;
    }
    return queue_for_agent(crowd, agent,
                           &(thg_command){.kind = THG_COMMAND_set_team, .team = team});
}

throng_result throng_crowd_set_relation(throng_crowd *crowd, int team, int other,
                                        throng_relation relation)
{
    if (team < 0 || team >= THRONG_MAX_TEAMS || other < 0 || other >= THRONG_MAX_TEAMS ||
        (unsigned)relation > THRONG_ENEMY) {
        return THRONG_BAD_ARGUMENT;
    }
    return queue(crowd, &(thg_command){.kind = THG_COMMAND_set_relation,
                                       .team = team,
                                       .other_team = other,
                                       .relation = (int32_t)relation});
}

throng_result throng_crowd_move_kinematic(throng_crowd *crowd, throng_agent_id agent,
                                          throng_vec2 position, throng_vec2 velocity)
{
    if (thg_agents_row(crowd, agent.slot, agent.generation) == THG_ROW_FREE) {
        return THRONG_STALE_ID;
    }
    if (!thg_is_finite(position.x) || !thg_is_finite(position.y) || !thg_is_finite(velocity.x) ||
        !thg_is_finite(velocity.y) ||
        !crowd->profiles[crowd->slots[agent.slot].profile].def.kinematic) {
        return THRONG_BAD_ARGUMENT;
    }
    return queue_for_agent(crowd, agent,
                           &(thg_command){.kind = THG_COMMAND_move_kinematic,
                                          .x = position.x,
                                          .y = position.y,
                                          .vx = velocity.x,
                                          .vy = velocity.y});
}

throng_result throng_crowd_steer(throng_crowd *crowd, throng_agent_id agent,
                                 const throng_steer_def *def)
{
    thg_command command = {.kind = THG_COMMAND_steer,
                           .x = def->point.x,
                           .y = def->point.y,
                           .steer = (uint32_t)def->kind,
                           .target = def->agent.slot,
                           .target_generation = def->agent.generation,
                           .radius = def->radius,
                           .weight = def->weight,
                           .wall_weight = def->wall_weight};
    thg_steer steer = steer_of(&command);
    if (def->cookie != throng_default_steer_def().cookie || !thg_steer_is_valid(&steer) ||
        (agent.slot == def->agent.slot && agent.slot != 0)) {
        return THRONG_BAD_ARGUMENT;
    }
    if (def->agent.slot != 0 &&
        thg_agents_row(crowd, def->agent.slot, def->agent.generation) == THG_ROW_FREE) {
        return THRONG_STALE_ID;
    }
    throng_result result = queue_for_agent(crowd, agent, &command);
    if (result == THRONG_OK && thg_steers_need(crowd) != THRONG_OK) {
        crowd->command_count--;
        result = THRONG_NO_MEMORY;
    }
    return result;
}

throng_result throng_crowd_edit_rect(throng_crowd *crowd, throng_cell_rect rect, int terrain)
{
    if (rect.width < 0 || rect.height < 0 || throng_map_terrain_name(crowd->map, terrain) == NULL) {
        return THRONG_BAD_ARGUMENT;
    }
    return queue(crowd, &(thg_command){.kind = THG_COMMAND_edit_rect,
                                       .rect_x = rect.x,
                                       .rect_y = rect.y,
                                       .rect_width = rect.width,
                                       .rect_height = rect.height,
                                       .terrain = terrain});
}

throng_result throng_crowd_remove_goal(throng_crowd *crowd, throng_goal_id goal)
{
    if (!thg_goal_valid(crowd, goal.slot, goal.generation)) {
        return THRONG_STALE_ID;
    }
    throng_result result = queue(crowd, &(thg_command){.kind = THG_COMMAND_remove_goal,
                                                       .goal = goal.slot,
                                                       .goal_generation = goal.generation});
    if (result == THRONG_OK) {
        crowd->goals[goal.slot].ending = true;
    }
    return result;
}

/// A command about a goal that is one point.
static throng_result queue_for_point(throng_crowd *crowd, throng_goal_id goal, thg_command *command)
{
    if (!thg_goal_valid(crowd, goal.slot, goal.generation)) {
        return THRONG_STALE_ID;
    }
    if (!thg_goal_can_move(&crowd->goals[goal.slot])) {
        return THRONG_BAD_ARGUMENT;
    }
    command->goal = goal.slot;
    command->goal_generation = goal.generation;
    return queue(crowd, command);
}

throng_result throng_crowd_move_goal(throng_crowd *crowd, throng_goal_id goal, throng_vec2 point)
{
    if (!thg_is_finite(point.x) || !thg_is_finite(point.y)) {
        return THRONG_BAD_ARGUMENT;
    }
    return queue_for_point(
        crowd, goal, &(thg_command){.kind = THG_COMMAND_move_goal, .x = point.x, .y = point.y});
}

throng_result throng_crowd_follow(throng_crowd *crowd, throng_goal_id goal, throng_agent_id agent)
{
    if (agent.slot != 0 && thg_agents_row(crowd, agent.slot, agent.generation) == THG_ROW_FREE) {
        return THRONG_STALE_ID;
    }
    return queue_for_point(crowd, goal,
                           &(thg_command){.kind = THG_COMMAND_follow_goal,
                                          .target = agent.slot,
                                          .target_generation = agent.generation});
}

// ---- Applying ---------------------------------------------------------------------------------

static bool goal_is_there(const throng_crowd *crowd, const thg_command *command)
{
    const thg_goal *goal = &crowd->goals[command->goal];
    return goal->used && goal->generation == command->goal_generation;
}

static void set_goal(throng_crowd *crowd, int row, uint32_t goal)
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
    set_goal(crowd, row, goal_lives ? command->goal : 0);
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
        set_goal(crowd, row, command->goal);
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
        steer = steer_of(command);
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
            set_goal(crowd, i, 0);
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
    thg_agents_drop_gone(crowd);
    thg_agents_index(crowd);
}
