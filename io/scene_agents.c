/// The part of a scene that walks: groups of agents, and sources that keep producing.
#include "scene_json.h"
#include <stdio.h>
#include <string.h>

#define METRES -THG_MAX_DISTANCE, THG_MAX_DISTANCE

static bool read_goal_name(const thg_node *node, void *out)
{
    return thg_find_goal(node, out);
}

static bool read_profile_name(const thg_node *node, void *out)
{
    return thg_find_profile(node, out);
}

// ---- Where agents stand at first --------------------------------------------------------------

static bool read_block(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"first", THG_POINT, offsetof(thg_group, first), METRES, NULL},
        {"columns", THG_WHOLE, offsetof(thg_group, columns), 1, THG_MAX_AGENTS, NULL},
        {"rows", THG_WHOLE, offsetof(thg_group, rows), 1, THG_MAX_AGENTS, NULL},
        {"pitch", THG_POINT, offsetof(thg_group, pitch), -1e4, 1e4, NULL},
        {"count", THG_WHOLE, offsetof(thg_group, count), 1, THG_MAX_AGENTS, NULL},
    };
    thg_group *group = out;
    uint64_t present;
    group->form = THG_BLOCK;
    if (!thg_read_object(node, keys, THG_COUNT(keys), group, &present) ||
        !thg_need_keys(node, keys, THG_COUNT(keys), present, 15)) {
        return false;
    }
    int64_t places = (int64_t)group->columns * group->rows;
    if (places > THG_MAX_AGENTS || group->count > places) {
        return thg_node_fail(node,
                             "expected a count of at most columns x rows = %lld, and those "
                             "at most %d",
                             (long long)places, THG_MAX_AGENTS);
    }
    group->count = group->count > 0 ? group->count : (int)places;
    return true;
}

static bool read_lattice(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"area", THG_RECT, offsetof(thg_group, area), METRES, NULL},
        {"pitch", THG_POINT, offsetof(thg_group, pitch), 0.01, 1e4, NULL},
        {"count", THG_WHOLE, offsetof(thg_group, count), 1, THG_MAX_AGENTS, NULL},
    };
    thg_group *group = out;
    uint64_t present;
    group->form = THG_LATTICE;
    if (!thg_read_object(node, keys, THG_COUNT(keys), group, &present) ||
        !thg_need_keys(node, keys, THG_COUNT(keys), present, 3)) {
        return false;
    }
    // A hair more, so that an area of ten pitches holds eleven columns whatever the rounding.
    double columns = ((double)group->area.max.x - group->area.min.x) / group->pitch.x + 1.0001;
    double rows = ((double)group->area.max.y - group->area.min.y) / group->pitch.y + 1.0001;
    if (columns > THG_MAX_AGENTS || rows > THG_MAX_AGENTS ||
        (double)(int)columns * (int)rows > THG_MAX_AGENTS) {
        return thg_node_fail(node, "expected an area of at most %d places", THG_MAX_AGENTS);
    }
    group->columns = (int)columns;
    group->rows = (int)rows;
    if (group->count > group->columns * group->rows) {
        thg_node count = thg_node_member(node, "count");
        return thg_node_fail(&count,
                             "expected at most %d, the places that the area holds, found %d",
                             group->columns * group->rows, group->count);
    }
    group->count = group->count > 0 ? group->count : group->columns * group->rows;
    group->first = group->area.min;
    return true;
}

static bool read_random(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"count", THG_WHOLE, offsetof(thg_group, count), 1, THG_MAX_AGENTS, NULL},
        {"density", THG_NUMBER, offsetof(thg_group, density), 1e-6, 20, NULL},
        {"area", THG_RECT, offsetof(thg_group, area), METRES, NULL},
        {"seed", THG_SEED, offsetof(thg_group, seed), 0, 0, NULL},
        {"apart", THG_NUMBER, offsetof(thg_group, apart), 0, 100, NULL},
    };
    thg_group *group = out;
    uint64_t present;
    int chosen;
    group->form = THG_RANDOM;
    if (!thg_read_object(node, keys, THG_COUNT(keys), group, &present) ||
        !thg_need_one(node, keys, THG_COUNT(keys), present, 3, &chosen)) {
        return false;
    }
    group->has_area = (present & THG_BIT(2)) != 0;
    if (chosen == 0) {
        return true;
    }
    if (!group->has_area) {
        thg_node density = thg_node_member(node, "density");
        return thg_node_fail(&density, "expected the key area beside it: agents per square metre "
                                       "of that rectangle");
    }
    double agents = ((double)group->area.max.x - group->area.min.x) *
                        ((double)group->area.max.y - group->area.min.y) * group->density +
                    0.5;
    if (agents > THG_MAX_AGENTS) {
        return thg_node_fail(node, "expected at most %d agents, found %.0f", THG_MAX_AGENTS,
                             agents);
    }
    group->count = agents < 1.0 ? 1 : (int)agents;
    return true;
}

static bool read_pile(const thg_node *node, void *out)
{
    static const thg_key keys[] = {
        {"at", THG_POINT, offsetof(thg_group, first), METRES, NULL},
        {"count", THG_WHOLE, offsetof(thg_group, count), 1, THG_MAX_AGENTS, NULL},
    };
    thg_group *group = out;
    uint64_t present;
    group->form = THG_PILE;
    return thg_read_object(node, keys, THG_COUNT(keys), group, &present) &&
           thg_need_keys(node, keys, THG_COUNT(keys), present, 3);
}

// ---- Groups -----------------------------------------------------------------------------------

static int find_group(const thg_scene_model *model, const char *name)
{
    for (int i = 0; i < model->group_count; i++) {
        if (model->groups[i].name[0] != '\0' && strcmp(model->groups[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool find_one_group(const thg_node *node, uint64_t *mask)
{
    const thg_scene_model *model = node->reader->model;
    const char *text = json_string_value(node->json);
    int index = text != NULL ? find_group(model, text) : -1;
    if (index >= 0) {
        *mask |= THG_BIT(index);
        return true;
    }
    char known[160];
    int length = 0;
    known[0] = '\0';
    for (int i = 0; i < model->group_count && length < 100; i++) {
        if (model->groups[i].name[0] != '\0') {
            length += snprintf(known + length, sizeof known - (size_t)length, "%s%.40s",
                               length > 0 ? ", " : ": ", model->groups[i].name);
        }
    }
    char expected[256];
    snprintf(expected, sizeof expected, "the name of a group of agents%s", known);
    return thg_node_expected(node, expected);
}

bool thg_find_groups(const thg_node *node, uint64_t *mask)
{
    *mask = 0;
    if (!json_is_array(node->json)) {
        return find_one_group(node, mask);
    }
    int count;
    if (!thg_read_list(node, 1, THG_MAX_GROUPS, &count)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        thg_node entry = thg_node_entry(node, i);
        if (!find_one_group(&entry, mask)) {
            return false;
        }
    }
    return true;
}

/// Goals of one's own are few where each may need a field.
static bool check_own_count(const thg_node *node, const thg_group *group)
{
    const thg_scene_model *model = node->reader->model;
    int goals = 0, fields = 0;
    for (int i = 0; i <= model->group_count; i++) {
        const thg_group *other = i < model->group_count ? &model->groups[i] : group;
        bool paths = other->own.method == THRONG_ROUTE_PATH && model->metric == THRONG_EIKONAL;
        int count = other->own.kind != THG_OWN_NONE || other == group ? other->count : 0;
        goals = count < THG_MAX_OWN_PATHS - goals ? goals + count : THG_MAX_OWN_PATHS + 1;
        fields += paths || goals > THG_MAX_OWN_PATHS ? 0 : count;
    }
    if (fields > THG_MAX_OWN_GOALS) {
        return thg_node_fail(node,
                             "expected at most %d agents with own_goals in a scene, but for those "
                             "of the method path, found %d",
                             THG_MAX_OWN_GOALS, fields);
    }
    return goals <= THG_MAX_OWN_PATHS ||
           thg_node_fail(node, "expected at most %d agents with own_goals in a scene",
                         THG_MAX_OWN_PATHS);
}

/// What agents and sources share, once the entry's own keys are read.
static bool finish_group(const thg_node *node, thg_group *group, bool has_goal, bool has_own)
{
    const thg_scene_model *model = node->reader->model;
    group->goal = has_goal ? group->goal : -1;
    if ((has_goal || has_own) && model->profiles[group->profile].def.kinematic) {
        return thg_node_fail(node, "expected no goal: a kinematic agent is driven");
    }
    if (has_goal && has_own) {
        return thg_node_fail(node, "expected at most one of the keys goal, own_goals");
    }
    if (group->name == NULL) {
        group->name = "";
    } else if (find_group(model, group->name) >= 0) {
        thg_node name = thg_node_member(node, "name");
        return thg_node_expected(&name, "a name that no other group has");
    }
    if (has_own && !check_own_count(node, group)) {
        return false;
    }
    if (group->own.kind == THG_OWN_POINTS && group->own.points.count != group->count) {
        thg_node own = thg_node_member(node, "own_goals");
        return thg_node_fail(&own, "expected as many points as agents, %d, found %d", group->count,
                             group->own.points.count);
    }
    return true;
}

static bool read_group_steer(const thg_node *node, void *out)
{
    return thg_read_steer(node, out, NULL);
}

/// Goals to walk to one after the other; the first is where it goes at first.
static bool read_rounds(const thg_node *node, void *out)
{
    thg_group *group = out;
    int count;
    if (!thg_read_list(node, 2, THG_MAX_ENTRIES, &count)) {
        return false;
    }
    group->rounds = thg_scene_take(node->reader->scene, (size_t)count, sizeof *group->rounds);
    if (group->rounds == NULL) {
        return thg_node_no_memory(node);
    }
    for (group->round_count = 0; group->round_count < count; group->round_count++) {
        thg_node entry = thg_node_entry(node, group->round_count);
        if (!thg_find_goal(&entry, &group->rounds[group->round_count])) {
            return false;
        }
    }
    return true;
}

static bool read_agents_entry(const thg_node *node, thg_group *group)
{
    static const thg_key keys[] = {
        {"at", THG_POINTS, offsetof(thg_group, at), METRES, NULL},
        {"block", THG_VIA, 0, 0, 0, read_block},
        {"lattice", THG_VIA, 0, 0, 0, read_lattice},
        {"random", THG_VIA, 0, 0, 0, read_random},
        {"pile", THG_VIA, 0, 0, 0, read_pile},
        {"name", THG_NAME, offsetof(thg_group, name), 0, 0, NULL},
        {"profile", THG_VIA, offsetof(thg_group, profile), 0, 0, read_profile_name},
        {"goal", THG_VIA, offsetof(thg_group, goal), 0, 0, read_goal_name},
        {"own_goals", THG_VIA, offsetof(thg_group, own), 0, 0, thg_read_own_goals},
        {"velocity", THG_POINT, offsetof(thg_group, velocity), -100, 100, NULL},
        {"team", THG_WHOLE, offsetof(thg_group, team), 0, THRONG_MAX_TEAMS - 1, NULL},
        {"steer", THG_VIA, offsetof(thg_group, steer), 0, 0, read_group_steer},
        {"rounds", THG_VIA, 0, 0, 0, read_rounds},
    };
    uint64_t present;
    int chosen;
    if (!thg_read_object(node, keys, THG_COUNT(keys), group, &present) ||
        !thg_need_one(node, keys, THG_COUNT(keys), present, 31, &chosen)) {
        return false;
    }
    if (group->round_count > 0 && (present & (THG_BIT(7) | THG_BIT(8))) != 0) {
        return thg_node_fail(node, "expected at most one of the keys goal, own_goals, rounds");
    }
    if (chosen == 0) {
        group->form = THG_AT;
        group->count = group->at.count;
    }
    bool has_goal = (present & THG_BIT(7)) != 0 || group->round_count > 0;
    group->goal = group->round_count > 0 ? group->rounds[0] : group->goal;
    return finish_group(node, group, has_goal, (present & THG_BIT(8)) != 0);
}

static bool read_sources_entry(const thg_node *node, thg_group *group)
{
    static const thg_key keys[] = {
        {"area", THG_RECT, offsetof(thg_group, area), METRES, NULL},
        {"rate", THG_NUMBER, offsetof(thg_group, rate), 1e-4, 1e5, NULL},
        {"count", THG_WHOLE, offsetof(thg_group, count), 1, THG_MAX_AGENTS, NULL},
        {"from", THG_NUMBER, offsetof(thg_group, from), 0, THG_MAX_SECONDS, NULL},
        {"until", THG_NUMBER, offsetof(thg_group, until), 0, THG_MAX_SECONDS, NULL},
        {"seed", THG_SEED, offsetof(thg_group, seed), 0, 0, NULL},
        {"name", THG_NAME, offsetof(thg_group, name), 0, 0, NULL},
        {"profile", THG_VIA, offsetof(thg_group, profile), 0, 0, read_profile_name},
        {"goal", THG_VIA, offsetof(thg_group, goal), 0, 0, read_goal_name},
        {"velocity", THG_POINT, offsetof(thg_group, velocity), -100, 100, NULL},
        {"team", THG_WHOLE, offsetof(thg_group, team), 0, THRONG_MAX_TEAMS - 1, NULL},
        {"steer", THG_VIA, offsetof(thg_group, steer), 0, 0, read_group_steer},
    };
    uint64_t present;
    group->form = THG_SOURCE;
    group->until = (float)THG_MAX_SECONDS;
    if (!thg_read_object(node, keys, THG_COUNT(keys), group, &present) ||
        !thg_need_keys(node, keys, THG_COUNT(keys), present, 3)) {
        return false;
    }
    group->has_area = true;
    if (group->count == 0) { // as many as the time has room for
        double end = node->reader->model->duration;
        end = end < (double)group->until ? end : (double)group->until;
        double most = (end - (double)group->from) * (double)group->rate + 2.0;
        if (most > THG_MAX_AGENTS) {
            return thg_node_fail(node, "expected the key count, or a lower rate");
        }
        group->count = most > 1.0 ? (int)most : 1;
    }
    return finish_group(node, group, (present & THG_BIT(8)) != 0, false);
}

static bool read_groups(const thg_node *node, thg_scene_model *model,
                        bool (*read)(const thg_node *, thg_group *))
{
    int count;
    if (!thg_read_list(node, 0, THG_MAX_GROUPS, &count)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        thg_node entry = thg_node_entry(node, i);
        if (model->group_count == THG_MAX_GROUPS) {
            return thg_node_fail(&entry,
                                 "expected at most %d entries of agents and sources "
                                 "together",
                                 THG_MAX_GROUPS);
        }
        thg_group *group = &model->groups[model->group_count];
        *group = (thg_group){.entry = i};
        if (!read(&entry, group)) {
            return false;
        }
        model->group_count++;
    }
    return true;
}

bool thg_read_agents(const thg_node *node, void *out)
{
    return read_groups(node, out, read_agents_entry);
}

bool thg_read_sources(const thg_node *node, void *out)
{
    return read_groups(node, out, read_sources_entry);
}
