/// Who is who: teams and what they are to each other, layers and masks, ranks, and those that
/// nobody can push.
///
/// All of it is off until something asks for it: kernels look at it only when a relation is not
/// that of allies, when some profile does not mind another's layers, or when priorities differ.
#include "crowd/crowd.h"

const char *throng_relation_name(throng_relation relation)
{
    static const char *const names[] = {"ally", "neutral", "enemy"};
    return (unsigned)relation <= THRONG_ENEMY ? names[relation] : "unknown";
}

throng_relation throng_crowd_relation(const throng_crowd *crowd, int team, int other)
{
    THRONG_ASSERT(team >= 0 && team < THRONG_MAX_TEAMS && other >= 0 && other < THRONG_MAX_TEAMS);
    return (throng_relation)crowd->relations[team][other];
}

void thg_teams_know_profiles(throng_crowd *crowd)
{
    crowd->some_hold = crowd->profiles_differ = false;
    for (int i = 0; i < crowd->profile_count; i++) {
        const throng_profile_def *def = &crowd->profiles[i].def;
        crowd->some_hold = crowd->some_hold || def->anchored || def->kinematic;
        for (int k = 0; k < crowd->profile_count; k++) {
            const throng_profile_def *other = &crowd->profiles[k].def;
            crowd->profiles_differ = crowd->profiles_differ || (def->mask & other->layers) == 0 ||
                                     def->priority != other->priority;
        }
    }
    thg_teams_changed(crowd);
}

void thg_teams_changed(throng_crowd *crowd)
{
    crowd->asks_who = crowd->profiles_differ || crowd->some_hold;
    for (int team = 0; team < THRONG_MAX_TEAMS; team++) {
        crowd->enemies[team] = crowd->neutrals[team] = 0;
        for (int other = 0; other < THRONG_MAX_TEAMS; other++) {
            uint8_t relation = crowd->relations[team][other];
            crowd->enemies[team] |= (uint32_t)(relation == THRONG_ENEMY) << (16 + other);
            crowd->neutrals[team] |= (uint32_t)(relation == THRONG_NEUTRAL) << (16 + other);
        }
        crowd->asks_who = crowd->asks_who || (crowd->enemies[team] | crowd->neutrals[team]) != 0;
    }
}

void thg_teams_derive(throng_crowd *crowd, int first, int end)
{
    const thg_columns *columns = &crowd->columns;
    for (int row = first; row < end; row++) {
        const throng_profile_def *def = &crowd->profiles[columns->profile[row]].def;
        int team = columns->team[row];
        crowd->derived.rank[row] = (float)def->priority;
        crowd->derived.who[row] = (uint32_t)def->layers | UINT32_C(1) << (16 + team);
        crowd->derived.minds[row] = (uint32_t)def->mask | crowd->enemies[team];
    }
}

bool thg_teams_is_fixed(const throng_crowd *crowd, int row)
{
    const throng_profile_def *def = &crowd->profiles[crowd->columns.profile[row]].def;
    return def->kinematic || (def->anchored && !thg_row_walks(crowd, row));
}
