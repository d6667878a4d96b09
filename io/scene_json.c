/// The table-driven reader of scene_json.h, and the words in which it says what it expected.
#include "scene_json.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- Nodes and their errors -------------------------------------------------------------------

thg_node thg_node_member(const thg_node *node, const char *key)
{
    return (thg_node){node->reader, node, key, 0, json_object_get(node->json, key)};
}

thg_node thg_node_entry(const thg_node *node, int index)
{
    return (thg_node){node->reader, node, NULL, index, json_array_get(node->json, (size_t)index)};
}

static size_t append_path(const thg_node *node, char *path, size_t size)
{
    if (node->parent == NULL) {
        path[0] = '\0';
        return 0;
    }
    size_t length = append_path(node->parent, path, size);
    int written = node->key != NULL
                      ? snprintf(path + length, size - length, "%c%.100s", THG_PATH_MARK, node->key)
                      : snprintf(path + length, size - length, "%c#%d", THG_PATH_MARK, node->index);
    // A path that is too long ends early: its line is then that of a key further up.
    if (written < 0 || (size_t)written >= size - length) {
        path[length] = '\0';
        return length;
    }
    return length + (size_t)written;
}

static bool note(const thg_node *node, throng_result result, const char *sentence)
{
    thg_reader *reader = node->reader;
    if (reader->result == THRONG_OK) { // what is found first is what is told
        char path[512];
        append_path(node, path, sizeof path);
        reader->result = thg_scene_fail(reader->scene, reader->control, path, result, reader->error,
                                        "%s", sentence);
    }
    return false;
}

bool thg_node_fail(const thg_node *node, const char *format, ...)
{
    char sentence[320];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(sentence, sizeof sentence, format, arguments) < 0) {
        sentence[0] = '\0';
    }
    va_end(arguments);
    return note(node, THRONG_BAD_DATA, sentence);
}

bool thg_node_no_memory(const thg_node *node)
{
    return note(node, THRONG_NO_MEMORY, "no memory for the scene");
}

/// What a value is, shortly: for "found ...".
static void describe(const json_t *json, char *text, size_t size)
{
    switch (json != NULL ? json_typeof(json) : JSON_NULL) {
    case JSON_OBJECT:
        snprintf(text, size, "an object");
        break;
    case JSON_ARRAY:
        snprintf(text, size, "a list of %zu", json_array_size(json));
        break;
    case JSON_STRING:
        snprintf(text, size, "\"%.40s\"", json_string_value(json));
        break;
    case JSON_INTEGER:
        snprintf(text, size, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
        break;
    case JSON_REAL:
        snprintf(text, size, "%.9g", json_real_value(json));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        snprintf(text, size, "%s", json_is_true(json) ? "true" : "false");
        break;
    case JSON_NULL:
        snprintf(text, size, json != NULL ? "null" : "nothing");
        break;
    }
}

bool thg_node_expected(const thg_node *node, const char *expected)
{
    char found[64];
    describe(node->json, found, sizeof found);
    return thg_node_fail(node, "expected %s, found %s", expected, found);
}

// ---- Single values ----------------------------------------------------------------------------

static bool read_number(const thg_node *node, double low, double high, bool whole, double *value)
{
    char expected[96];
    bool right = whole ? json_is_integer(node->json) : json_is_number(node->json);
    *value = right ? json_number_value(node->json) : 0.0;
    if (right && *value >= low && *value <= high) {
        return true;
    }
    snprintf(expected, sizeof expected, "a %s in [%.9g, %.9g]", whole ? "whole number" : "number",
             low, high);
    return thg_node_expected(node, expected);
}

bool thg_name_is_valid(const char *name)
{
    size_t length =
        strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-");
    return length >= 1 && length <= 63 && name[length] == '\0';
}

static bool read_text(const thg_node *node, bool is_name, void *out)
{
    const char *text = json_string_value(node->json);
    if (text == NULL || (is_name && !thg_name_is_valid(text))) {
        return thg_node_expected(node, is_name ? "a name: 1 to 63 of letters, digits, _ . -"
                                               : "a string");
    }
    *(const char **)out = text;
    return true;
}

static bool read_seed(const thg_node *node, uint64_t *out)
{
    if (!json_is_integer(node->json) || json_integer_value(node->json) < 0) {
        return thg_node_expected(node, "a whole number in [0, 9223372036854775807]");
    }
    *out = (uint64_t)json_integer_value(node->json);
    return true;
}

static bool read_flag(const thg_node *node, bool *out)
{
    if (!json_is_boolean(node->json)) {
        return thg_node_expected(node, "true or false");
    }
    *out = json_is_true(node->json);
    return true;
}

// ---- Lists ------------------------------------------------------------------------------------

bool thg_read_list(const thg_node *node, int low, int high, int *count)
{
    char expected[64];
    if (json_is_array(node->json) && json_array_size(node->json) >= (size_t)low &&
        json_array_size(node->json) <= (size_t)high) {
        *count = (int)json_array_size(node->json);
        return true;
    }
    snprintf(expected, sizeof expected, "a list of %d to %d", low, high);
    return thg_node_expected(node, expected);
}

/// `count` numbers in a list of just that length.
static bool read_tuple(const thg_node *node, const thg_key *key, int count, const char *expected,
                       float *values)
{
    if (!json_is_array(node->json) || json_array_size(node->json) != (size_t)count) {
        return thg_node_expected(node, expected);
    }
    for (int i = 0; i < count; i++) {
        thg_node entry = thg_node_entry(node, i);
        double value;
        if (!read_number(&entry, key->low, key->high, false, &value)) {
            return false;
        }
        values[i] = (float)value;
    }
    return true;
}

static bool read_point(const thg_node *node, const thg_key *key, throng_vec2 *out)
{
    float values[2];
    if (!read_tuple(node, key, 2, "two numbers: [x, y]", values)) {
        return false;
    }
    *out = (throng_vec2){values[0], values[1]};
    return true;
}

static bool read_rect(const thg_node *node, const thg_key *key, throng_rect *out)
{
    float values[4];
    if (!read_tuple(node, key, 4, "four numbers: [x0, y0, x1, y1]", values)) {
        return false;
    }
    if (!(values[0] < values[2] && values[1] < values[3])) {
        return thg_node_fail(node,
                             "expected [x0, y0, x1, y1] with x0 < x1 and y0 < y1, found "
                             "[%.9g, %.9g, %.9g, %.9g]",
                             (double)values[0], (double)values[1], (double)values[2],
                             (double)values[3]);
    }
    *out = (throng_rect){{values[0], values[1]}, {values[2], values[3]}};
    return true;
}

/// Lists share one layout: a pointer, then a count.
typedef struct list {
    void *items;
    int count;
} list;

static bool read_entries(const thg_node *node, const thg_key *key, thg_kind kind, size_t size,
                         void *out)
{
    int count = 0;
    if (!thg_read_list(node, kind == THG_TEXTS ? (int)key->low : 1,
                       kind == THG_TEXTS ? (int)key->high : 1000000, &count)) {
        return false;
    }
    void *items = thg_scene_take(node->reader->scene, (size_t)count, size);
    if (items == NULL) {
        return thg_node_no_memory(node);
    }
    thg_key entry_key = *key;
    entry_key.kind = kind;
    for (int i = 0; i < count; i++) {
        thg_node entry = thg_node_entry(node, i);
        void *item = (char *)items + (size_t)i * size;
        if (kind == THG_TEXTS ? !read_text(&entry, false, item)
                              : !thg_read_value(&entry, &entry_key, item)) {
            return false;
        }
    }
    // The three list types differ in the type of their items only.
    list whole = {items, count};
    memcpy(out, &whole, sizeof whole);
    return true;
}

bool thg_read_value(const thg_node *node, const thg_key *key, void *out)
{
    double value;
    bool good;
    switch (key->kind) {
    case THG_NUMBER:
        good = read_number(node, key->low, key->high, false, &value);
        *(float *)out = good ? (float)value : 0.0f;
        return good;
    case THG_REAL:
        good = read_number(node, key->low, key->high, false, &value);
        *(double *)out = good ? value : 0.0;
        return good;
    case THG_WHOLE:
        good = read_number(node, key->low, key->high, true, &value);
        *(int *)out = good ? (int)value : 0;
        return good;
    case THG_SEED:
        return read_seed(node, out);
    case THG_FLAG:
        return read_flag(node, out);
    case THG_TEXT:
    case THG_NAME:
        return read_text(node, key->kind == THG_NAME, out);
    case THG_POINT:
        return read_point(node, key, out);
    case THG_RECT:
        return read_rect(node, key, out);
    case THG_POINTS:
        return read_entries(node, key, THG_POINT, sizeof(throng_vec2), out);
    case THG_RECTS:
        return read_entries(node, key, THG_RECT, sizeof(throng_rect), out);
    case THG_NUMBERS:
        return read_entries(node, key, THG_NUMBER, sizeof(float), out);
    case THG_TEXTS:
        return read_entries(node, key, THG_TEXTS, sizeof(const char *), out);
    case THG_VIA:
        return key->read(node, out);
    }
    return false;
}

// ---- Objects ----------------------------------------------------------------------------------

/// "a, b, c", for saying what keys there are.
static void list_keys(const thg_key *keys, int key_count, uint64_t which, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < key_count && length + 1 < size; i++) {
        if ((which >> i & 1) != 0) {
            int written = snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "",
                                   keys[i].name);
            length += written > 0 ? (size_t)written : 0;
        }
    }
}

bool thg_read_object(const thg_node *node, const thg_key *keys, int key_count, void *out,
                     uint64_t *present)
{
    *present = 0;
    if (!json_is_object(node->json)) {
        return thg_node_expected(node, "an object: { ... }");
    }
    const char *name;
    json_t *value;
    json_object_foreach(node->json, name, value)
    {
        int i = 0;
        while (i < key_count && strcmp(keys[i].name, name) != 0) {
            i++;
        }
        thg_node member = {node->reader, node, name, 0, value};
        if (i == key_count) {
            char known[256];
            list_keys(keys, key_count, UINT64_MAX, known, sizeof known);
            return thg_node_fail(&member, "unknown key, expected one of: %s", known);
        }
        *present |= THG_BIT(i);
    }
    // In the table's order, so that a part may rely on those above it.
    for (int i = 0; i < key_count; i++) {
        if ((*present >> i & 1) != 0) {
            thg_node member = thg_node_member(node, keys[i].name);
            if (!thg_read_value(&member, &keys[i], (char *)out + keys[i].offset)) {
                return false;
            }
        }
    }
    return true;
}

bool thg_need_keys(const thg_node *node, const thg_key *keys, int key_count, uint64_t present,
                   uint64_t required)
{
    char missing[256];
    if ((present & required) == required) {
        return true;
    }
    list_keys(keys, key_count, required & ~present, missing, sizeof missing);
    return thg_node_fail(node, "expected the key %s, which is missing", missing);
}

bool thg_need_one(const thg_node *node, const thg_key *keys, int key_count, uint64_t present,
                  uint64_t choice, int *chosen)
{
    uint64_t found = present & choice;
    if (found == 0 || (found & (found - 1)) != 0) {
        char known[256], has[128];
        list_keys(keys, key_count, choice, known, sizeof known);
        list_keys(keys, key_count, found, has, sizeof has);
        return thg_node_fail(node, "expected exactly one of the keys %s, found %s", known,
                             found == 0 ? "none" : has);
    }
    for (*chosen = 0; (found >> *chosen & 1) == 0; ++*chosen) {
    }
    return true;
}
