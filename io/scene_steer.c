/// The part of a scene that is about steering orders, of groups at the start and of events.
#include "scene_json.h"
#include <string.h>

#define METRES -THG_MAX_DISTANCE, THG_MAX_DISTANCE

enum { KIND, POINT, WHOM, RADIUS, WEIGHT, WALL_WEIGHT, AGENTS, KEY_COUNT };

typedef struct steer_keys {
    thg_steer_model steer;
    uint64_t agents;
} steer_keys;

static bool read_kind(const thg_node *node, void *out)
{
    const char *text = json_string_value(node->json);
    for (int i = THRONG_STEER_NONE; i <= THRONG_STEER_WANDER && text != NULL; i++) {
        if (strcmp(throng_steer_kind_name((throng_steer_kind)i), text) == 0) {
            *(int *)out = i;
            return true;
        }
    }
    return thg_node_expected(node, "none, seek, flee, arrive, pursue, evade, follow or wander");
}

static bool read_groups(const thg_node *node, void *out)
{
    return thg_find_groups(node, out);
}

/// What each kind needs, and what it has no use for.
static bool check_aim(const thg_node *node, int kind, uint64_t present)
{
    uint64_t aims = present & (THG_BIT(POINT) | THG_BIT(WHOM));
    const char *name = throng_steer_kind_name((throng_steer_kind)kind);
    switch (kind) {
    case THRONG_STEER_NONE:
        return aims == 0 || thg_node_fail(node, "expected neither point nor whom for none");
    case THRONG_STEER_WANDER:
        return (present & THG_BIT(WHOM)) == 0 ||
               thg_node_fail(node, "expected point, not whom, for wander");
    case THRONG_STEER_SEEK:
    case THRONG_STEER_FLEE:
    case THRONG_STEER_ARRIVE:
        return (aims != 0 && aims != (THG_BIT(POINT) | THG_BIT(WHOM))) ||
               thg_node_fail(node, "expected exactly one of the keys point, whom for %s", name);
    default:
        return aims == THG_BIT(WHOM) || thg_node_fail(node, "expected the key whom for %s", name);
    }
}

bool thg_read_steer(const thg_node *node, thg_steer_model *steer, uint64_t *with_agents)
{
    static const thg_key keys[KEY_COUNT] = {
        {"kind", THG_VIA, offsetof(steer_keys, steer.kind), 0, 0, read_kind},
        {"point", THG_POINT, offsetof(steer_keys, steer.point), METRES, NULL},
        {"whom", THG_VIA, offsetof(steer_keys, steer.whom), 0, 0, read_groups},
        {"radius", THG_NUMBER, offsetof(steer_keys, steer.radius), 0, 1000, NULL},
        {"weight", THG_NUMBER, offsetof(steer_keys, steer.weight), 0, 4, NULL},
        {"wall_weight", THG_NUMBER, offsetof(steer_keys, steer.wall_weight), 0, 4, NULL},
        {"agents", THG_VIA, offsetof(steer_keys, agents), 0, 0, read_groups},
    };
    throng_steer_def defaults = throng_default_steer_def();
    steer_keys read = {.steer = {.radius = defaults.radius,
                                 .weight = defaults.weight,
                                 .wall_weight = defaults.wall_weight}};
    int key_count = with_agents != NULL ? KEY_COUNT : AGENTS;
    uint64_t present, needed = THG_BIT(KIND) | (with_agents != NULL ? THG_BIT(AGENTS) : 0);
    if (!thg_read_object(node, keys, key_count, &read, &present) ||
        !thg_need_keys(node, keys, key_count, present, needed) ||
        !check_aim(node, read.steer.kind, present)) {
        return false;
    }
    if ((read.steer.whom & read.agents) != 0) {
        thg_node whom = thg_node_member(node, "whom");
        return thg_node_fail(&whom, "expected other groups than those that get the order");
    }
    if (read.steer.kind == THRONG_STEER_WANDER && (present & THG_BIT(POINT)) == 0) {
        read.steer.radius = 0.0f; // a range without a middle is none
    }
    *steer = read.steer;
    if (with_agents != NULL) {
        *with_agents = read.agents;
    }
    return true;
}
