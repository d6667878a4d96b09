/// The profiles of a crowd: what stages need to know of them, and how numbers change while it
/// walks.
///
/// A change is a command for each number. When it is queued, the memory that it needs is taken, for
/// the profiles as all queued commands will leave them; when it is applied, what agents have of the
/// number is set right. Bins and gates follow once, after the last command, as a new crowd would
/// have them: so nothing shows that a profile was not always so.
#include "crowd/notes.h"
#include <float.h>
#include <string.h>

static void know(throng_crowd *crowd, thg_profile *profile)
{
    const throng_profile_def *def = &profile->def;
    float mass = def->mass > 0.0f ? def->mass : def->radius * def->radius;
    float top = def->speed * thg_profile_top_pace(def);
    // A wall can be in reach of a disc centred anywhere in a cell when the clearance of its centre
    // is below the radius and half a diagonal.
    float half_cells = 2.0f * def->radius / crowd->map->cell_size + 1.4143f;
    profile->yield = 1.0f / mass;
    profile->way_class = def->ways_of >= 0 ? def->ways_of : def->class_index;
    profile->near_wall = (uint32_t)(half_cells * half_cells) + 1;
    profile->sees_flock =
        def->flock_alignment > 0.0f || def->flock_cohesion > 0.0f || def->flock_separation > 0.0f;
    profile->flocks = profile->sees_flock || def->wander_weight > 0.0f || def->wall_weight > 0.0f ||
                      def->field_weight != 1.0f;
    crowd->top_speed = top > crowd->top_speed ? top : crowd->top_speed;
    crowd->flocks = crowd->flocks || profile->flocks;
    thg_states_know_profile(crowd, profile);
}

float thg_profiles_substep_move(const throng_crowd *crowd)
{
    float least = FLT_MAX;
    for (int i = 0; i < crowd->profile_count; i++) {
        least = crowd->wanted[i].radius < least ? crowd->wanted[i].radius : least;
    }
    return 0.5f * least;
}

void thg_profiles_know(throng_crowd *crowd)
{
    crowd->top_speed = 0.0f;
    crowd->flocks = crowd->has_states = false;
    for (int i = 0; i < crowd->profile_count; i++) {
        know(crowd, &crowd->profiles[i]);
    }
    thg_teams_know_profiles(crowd);
}

throng_result thg_profiles_reserve(throng_crowd *crowd)
{
    throng_result result = thg_bins_reserve(crowd);
    return result == THRONG_OK ? thg_gates_reserve(crowd) : result;
}

// ---- A number changes ---------------------------------------------------------------------------

/// What goals have booked of the agents of a profile: their areas.
static void book_areas(throng_crowd *crowd, int profile, int change)
{
    for (int row = 0; row < crowd->agent_count; row++) {
        if (crowd->columns.profile[row] == profile) {
            uint32_t goal = crowd->columns.goal[row];
            thg_goal_count(crowd, goal, profile, change);
            if (crowd->columns.status[row] == THRONG_ARRIVED) {
                thg_goal_count_settled(crowd, goal, profile, change);
            }
        }
    }
}

static void draw_paces(throng_crowd *crowd, int profile)
{
    for (int row = 0; row < crowd->agent_count; row++) {
        uint32_t slot = crowd->columns.slot[row];
        if (crowd->columns.profile[row] == profile) {
            crowd->columns.pace[row] =
                thg_profile_draw_pace(&crowd->profiles[profile].def, crowd->def.seed,
                                      crowd->slots[slot].generation, slot);
        }
    }
}

/// Who is driven by the host goes nowhere by itself.
static void drop_goals(throng_crowd *crowd, int profile)
{
    for (int row = 0; row < crowd->agent_count; row++) {
        if (crowd->columns.profile[row] == profile && crowd->columns.goal[row] != 0) {
            thg_agents_set_goal(crowd, row, 0);
        }
    }
}

static bool is_number(const throng_profile_number *number, const char *name)
{
    return strcmp(number->name, name) == 0;
}

void thg_profile_set_number(throng_crowd *crowd, int profile, int index, float value)
{
    int count;
    const throng_profile_number *number = &throng_profile_numbers(&count)[index];
    throng_profile_def *def = &crowd->profiles[profile].def;
    bool grows = is_number(number, "radius"), drives = is_number(number, "kinematic");
    if (grows) {
        book_areas(crowd, profile, -1);
    }
    throng_profile_set(def, number, value);
    crowd->profiles[profile].changed = true;
    crowd->unsettled = true;
    thg_profiles_know(crowd);
    if (grows) {
        book_areas(crowd, profile, 1);
        crowd->rows_moved = true; // what hosts see of radii
    }
    if (drives && def->kinematic) {
        drop_goals(crowd, profile);
    } else if (grows || drives) {
        throng_map_update(crowd->map); // edits called before come first
        thg_agents_free_from_walls(crowd, profile);
    }
    if (is_number(number, "speed_spread") || is_number(number, "speed_deviation")) {
        draw_paces(crowd, profile);
    }
    for (int row = 0; row < crowd->agent_count; row++) {
        if (crowd->columns.profile[row] == profile) {
            crowd->columns.quiet[row] = 0;
        }
    }
}

void thg_profiles_settle(throng_crowd *crowd)
{
    if (crowd->unsettled) {
        crowd->unsettled = false;
        thg_notes_forget(crowd); // bins will be others
        crowd->substep_move = thg_profiles_substep_move(crowd);
        thg_bins_lay(crowd);
        thg_gates_lay(crowd);
    }
}
