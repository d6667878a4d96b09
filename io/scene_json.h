/// Reading JSON against tables: every key of an object is listed with its kind and range, so that
/// unknown keys, wrong types and bad numbers are refused in one place, with file, line and key.
#ifndef THG_SCENE_JSON_H
#define THG_SCENE_JSON_H

#include "scene_model.h"

typedef struct thg_reader {
    throng_scene *scene;
    thg_scene_model *model;
    bool control; ///< the control is read
    throng_error *error;
    throng_result result; ///< THRONG_OK until something is wrong
} thg_reader;

/// A value and how one gets to it from the root.
typedef struct thg_node {
    thg_reader *reader;
    const struct thg_node *parent; ///< NULL: the root
    const char *key;               ///< NULL: an entry of a list
    int index;
    json_t *json;
} thg_node;

typedef enum thg_kind {
    THG_NUMBER,  ///< float
    THG_REAL,    ///< double
    THG_WHOLE,   ///< int
    THG_SEED,    ///< uint64_t
    THG_FLAG,    ///< bool
    THG_TEXT,    ///< const char *
    THG_NAME,    ///< const char *: 1 to 63 of A-Z a-z 0-9 _ . -
    THG_POINT,   ///< throng_vec2: [x, y], each in range
    THG_RECT,    ///< throng_rect: [x0, y0, x1, y1]
    THG_POINTS,  ///< thg_points
    THG_RECTS,   ///< thg_rects
    THG_NUMBERS, ///< thg_numbers
    THG_TEXTS,   ///< thg_texts
    THG_VIA      ///< by a function of its own
} thg_kind;

/// Reads a value into `out`, the member at the key's offset. False after thg_node_fail.
typedef bool thg_read(const thg_node *node, void *out);

typedef struct thg_key {
    const char *name;
    thg_kind kind;
    size_t offset;
    double low, high; ///< of numbers; of the count of entries for lists of texts
    thg_read *read;   ///< THG_VIA
} thg_key;

/// Notes what is wrong with the node's value. Always false.
__attribute__((format(printf, 2, 3))) bool thg_node_fail(const thg_node *node, const char *format,
                                                         ...);
/// Notes that memory is out. Always false.
bool thg_node_no_memory(const thg_node *node);
/// Notes that a value is not what it should be: "expected a number in [0, 1], found -3".
bool thg_node_expected(const thg_node *node, const char *expected);

thg_node thg_node_member(const thg_node *node, const char *key);
thg_node thg_node_entry(const thg_node *node, int index);

/// Reads an object by its table; *present gets bit i for key i. Members that are absent are left.
bool thg_read_object(const thg_node *node, const thg_key *keys, int key_count, void *out,
                     uint64_t *present);
/// Refuses an object that lacks any of the keys in `required`.
bool thg_need_keys(const thg_node *node, const thg_key *keys, int key_count, uint64_t present,
                   uint64_t required);
/// Refuses an object that has none or several of the keys in `choice`. `*chosen` is its index.
bool thg_need_one(const thg_node *node, const thg_key *keys, int key_count, uint64_t present,
                  uint64_t choice, int *chosen);
/// Checks a list and its length. [low, high]
bool thg_read_list(const thg_node *node, int low, int high, int *count);

bool thg_read_value(const thg_node *node, const thg_key *key, void *out);
bool thg_name_is_valid(const char *name);

/// Index of a name, -1 when it is not there. `name_at` gives the i-th.
#define THG_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define THG_BIT(i) (UINT64_C(1) << (i))

// ---- The parts of a scene, each in its file; `out` is the model or a part of it

thg_read thg_read_terrains, thg_read_map, thg_read_classes, thg_read_profiles; // scene_map.c
thg_read thg_read_strength;                                                    // the same
thg_read thg_read_goals, thg_read_own_goals;                                   // scene_goals.c
thg_read thg_read_agents, thg_read_sources;                                    // scene_agents.c
thg_read thg_read_slots, thg_read_relations;                                   // scene_teams.c
thg_read thg_read_events, thg_read_gates, thg_read_arrangements;               // scene_time.c
thg_read thg_read_invariants, thg_read_expectations;                           // scene_expect.c
thg_read thg_read_rooms, thg_read_walkers, thg_read_doors;                     // scene_walk.c

/// Checks that rooms, walkers and the rest of the scene go together.
bool thg_check_walk(const thg_node *root, uint64_t map_present);

/// Looks up whom goals follow, once the groups are read. False after the failure is noted.
bool thg_find_followed(const thg_node *root);

/// Resolves names; false after the failure is noted, with what there is to choose from.
bool thg_find_terrain(const thg_node *node, int *index);
bool thg_find_profile(const thg_node *node, int *index);
bool thg_find_goal(const thg_node *node, int *index);
/// One name or a list of names.
bool thg_find_groups(const thg_node *node, uint64_t *mask);
/// A steering order; `out` is a thg_steer_model, `with_agents` is where a mask of groups goes that
/// the order is given to, NULL: there is no such key.
bool thg_read_steer(const thg_node *node, thg_steer_model *steer, uint64_t *with_agents);
bool thg_find_gates(const thg_node *node, uint32_t *mask);

/// Reads the root of the scene or of its control into the reader's model.
bool thg_read_scene(thg_reader *reader, json_t *root);

// ---- Sources: files, includes, places (scene_source.c)

/// Loads the documents, follows includes, merges. The scene's error place is known afterwards.
throng_result thg_source_load(throng_scene *scene, const char *path, const char *text, size_t size,
                              throng_error *error);
void thg_source_free(throng_scene *scene);

/// RFC 7396: objects are merged, null removes, everything else replaces. A new value; NULL without
/// memory.
json_t *thg_json_merged(const json_t *base, const json_t *patch);

#endif
