/// Commands: what the host asks for, queued by calls and applied by the next step (apply.c) in call
/// order.
///
/// Ids and the memory of fields are settled in the call, so that the step can neither fail nor
/// allocate. A command whose agent or goal is gone by the time it is applied does nothing.
#include "crowd/flock.h"
#include <string.h>

bool thg_commands_make_room(throng_crowd *crowd, int more)
{
    if (more <= crowd->command_capacity - crowd->command_count) {
        return true;
    }
    int capacity = crowd->command_capacity > 0 ? crowd->command_capacity : 128;
    do {
        capacity *= 2;
    } while (more > capacity - crowd->command_count);
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
    if (!thg_commands_make_room(crowd, 1)) {
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

throng_result throng_crowd_spawn(throng_crowd *crowd, const throng_spawn_def *def,
                                 throng_agent_id *agent)
{
    if (def->profile < 0 || def->profile >= crowd->profile_count || def->team < 0 ||
        def->team >= THRONG_MAX_TEAMS ||
        (def->goal.slot != 0 && crowd->wanted[def->profile].kinematic) ||
        !thg_is_finite(def->position.x) || !thg_is_finite(def->position.y) ||
        !thg_is_finite(def->velocity.x) || !thg_is_finite(def->velocity.y)) {
        return THRONG_BAD_ARGUMENT;
    }
    if (crowd->free_count == 0) {
        return THRONG_LIMIT;
    }
    if (!thg_commands_make_room(crowd, 1)) { // before the field: a call that fails leaves nothing
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
    if (goal.slot != 0 && crowd->wanted[crowd->slots[agent.slot].profile].kinematic) {
        return THRONG_BAD_ARGUMENT;
    }
    if (!thg_commands_make_room(crowd, 1)) {
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
        !thg_is_finite(velocity.y) || !crowd->wanted[crowd->slots[agent.slot].profile].kinematic) {
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
    thg_steer steer = thg_steer_of(&command);
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

throng_result throng_crowd_set_profile(throng_crowd *crowd, int profile,
                                       const throng_profile_def *def)
{
    if (profile < 0 || profile >= crowd->profile_count || def == NULL ||
        !thg_profile_is_valid(crowd->map, def) ||
        def->class_index != crowd->wanted[profile].class_index ||
        def->ways_of != crowd->wanted[profile].ways_of) {
        return THRONG_BAD_ARGUMENT;
    }
    int count;
    const throng_profile_number *numbers = throng_profile_numbers(&count);
    throng_profile_def before = crowd->wanted[profile];
    crowd->wanted[profile] = *def;
    if (!thg_commands_make_room(crowd, count) || thg_profiles_reserve(crowd) != THRONG_OK) {
        crowd->wanted[profile] = before;
        return THRONG_NO_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        float value = throng_profile_get(def, &numbers[i]);
        if (value != throng_profile_get(&before, &numbers[i])) {
            crowd->commands[crowd->command_count++] = (thg_command){
                .kind = THG_COMMAND_set_profile, .profile = profile, .number = i, .value = value};
        }
    }
    return THRONG_OK;
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
