/// Where a scene's JSON comes from: its file, the files it includes, and the way back from a key to
/// its line.
///
/// jansson knows lines for syntax errors only. For everything else the place is found when it is
/// needed: the text, already known to be valid JSON, is walked once more along the path of the key.
/// A merged scene is looked up in its own text first, then in what it includes.
#include "file.h"
#include "scene_json.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ---- From a path to a place -------------------------------------------------------------------

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) {
        at++;
    }
    return at;
}

/// Behind a string that starts at `at` with its quote.
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++) {
        at += *at == '\\' && at + 1 < end;
    }
    return at < end ? at + 1 : end;
}

/// Behind any value. Not recursive, so that no depth of nesting can harm.
static const char *skip_value(const char *at, const char *end)
{
    int depth = 0;
    do {
        at = skip_space(at, end);
        if (at >= end) {
            return end;
        }
        if (*at == '"') {
            at = skip_string(at, end);
        } else if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (*at == '}' || *at == ']') {
            depth--;
            at++;
        } else if (*at == ',' || *at == ':') {
            at++;
        } else {
            while (at < end && strchr(",:]} \t\n\r", *at) == NULL) {
                at++;
            }
        }
    } while (depth > 0);
    return at;
}

/// The member `key` of the object at `at`: *place is its key, the result its value, or NULL.
static const char *find_member(const char *at, const char *end, const char *key, size_t length,
                               const char **place)
{
    if (at >= end || *at != '{') {
        return NULL;
    }
    at = skip_space(at + 1, end);
    while (at < end && *at == '"') {
        const char *name = at, *name_end = skip_string(at, end);
        const char *value = skip_space(name_end, end);
        value = skip_space(value < end ? value + 1 : end, end);
        if ((size_t)(name_end - name) == length + 2 && memcmp(name + 1, key, length) == 0) {
            *place = name;
            return value;
        }
        at = skip_space(skip_value(value, end), end);
        at = at < end && *at == ',' ? skip_space(at + 1, end) : end;
    }
    return NULL;
}

static const char *find_entry(const char *at, const char *end, long index, const char **place)
{
    if (at >= end || *at != '[') {
        return NULL;
    }
    at = skip_space(at + 1, end);
    for (long i = 0; at < end && *at != ']'; i++) {
        if (i == index) {
            *place = at;
            return at;
        }
        at = skip_space(skip_value(at, end), end);
        at = at < end && *at == ',' ? skip_space(at + 1, end) : at;
    }
    return NULL;
}

/// Follows as much of the path as the text has. Returns how many components that was.
static int follow(const thg_document *document, const char *path, const char **place)
{
    const char *end = document->text + document->size;
    const char *at = skip_space(document->text, end);
    int found = 0;
    *place = at;
    while (at != NULL && *path == THG_PATH_MARK) {
        path++;
        size_t length = strcspn(path, "\x1f");
        at = *path == '#' ? find_entry(at, end, strtol(path + 1, NULL, 10), place)
                          : find_member(at, end, path, length, place);
        found += at != NULL;
        path += length;
    }
    return found;
}

static void count_lines(const thg_document *document, const char *place, int *line, int *column)
{
    *line = 1;
    *column = 1;
    for (const char *at = document->text; at < place; at++) {
        *line += *at == '\n';
        *column = *at == '\n' ? 1 : *column + 1;
    }
}

/// Writes a path as people read it: agents[2].block.columns.
static void write_path(char *text, size_t size, const char *path)
{
    size_t length = 0;
    text[0] = '\0';
    while (*path == THG_PATH_MARK && length + 1 < size) {
        path++;
        size_t part = strcspn(path, "\x1f");
        int written =
            *path == '#'
                ? snprintf(text + length, size - length, "[%.*s]", (int)(part - 1), path + 1)
                : snprintf(text + length, size - length, "%s%.*s", length > 0 ? "." : "",
                           (int)(part < 64 ? part : 64), path);
        length += written > 0 ? (size_t)written : 0;
        path += part;
    }
}

static void locate(const throng_scene *scene, const char *path, bool control, throng_error *error)
{
    char inside_control[512];
    const thg_document *best = &scene->documents[0];
    const char *place = best->text;
    int most = -1;
    snprintf(inside_control, sizeof inside_control, "%ccontrol%.480s", THG_PATH_MARK, path);
    for (int i = 0; i < scene->document_count; i++) {
        const char *here;
        // One component less: `control` itself is not part of the path that is looked for.
        int found = control ? follow(&scene->documents[i], inside_control, &here) - 1 : -1;
        if (found > most && found > 0) {
            most = found;
            best = &scene->documents[i];
            place = here;
        }
        found = follow(&scene->documents[i], path, &here);
        if (found > most) {
            most = found;
            best = &scene->documents[i];
            place = here;
        }
    }
    count_lines(best, place, &error->line, &error->column);
    error->file[0] = '\0';
    thg_file_name_error(error, best->path);
}

throng_result thg_scene_fail(const throng_scene *scene, bool control, const char *path,
                             throng_result result, throng_error *error, const char *format, ...)
{
    if (error == NULL) {
        return result;
    }
    char sentence[320], key[160];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(sentence, sizeof sentence, format, arguments) < 0) {
        sentence[0] = '\0';
    }
    va_end(arguments);
    write_path(key, sizeof key, path);
    error->result = result;
    snprintf(error->text, sizeof error->text, "%s%s%s", key, key[0] != '\0' ? ": " : "", sentence);
    locate(scene, path, control, error);
    return result;
}

// ---- Files ------------------------------------------------------------------------------------

/// jansson tells a repeated key only by its text; this says it in our words.
static throng_result syntax_error(const thg_document *document, const json_error_t *found,
                                  throng_error *error)
{
    if (json_error_code(found) == json_error_out_of_memory) {
        return thg_file_fail(error, THRONG_NO_MEMORY, document->path, 0, 0,
                             "no memory for the scene");
    }
    return thg_file_fail(error, THRONG_BAD_DATA, document->path, found->line > 0 ? found->line : 1,
                         found->column > 0 ? found->column : 1, "expected valid JSON: %s",
                         found->text);
}

/// Takes the text as the scene's next document and parses it.
static throng_result add_document(throng_scene *scene, const char *path, thg_bytes *bytes,
                                  throng_error *error)
{
    thg_document *document = &scene->documents[scene->document_count];
    document->path = malloc(strlen(path) + 1);
    document->text = (char *)bytes->data;
    document->size = bytes->size;
    bytes->data = NULL;
    scene->document_count++;
    if (document->path == NULL) {
        scene->document_count--;
        free(document->text);
        *document = (thg_document){0};
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for the scene");
    }
    strcpy(document->path, path);
    json_error_t found;
    document->root = json_loadb(document->text, document->size, JSON_REJECT_DUPLICATES, &found);
    if (document->root == NULL) {
        return syntax_error(document, &found, error);
    }
    if (!json_is_object(document->root)) {
        return thg_file_fail(error, THRONG_BAD_DATA, path, 1, 1, "expected an object: { ... }");
    }
    return THRONG_OK;
}

/// The place is the include of this very file, not the first that has one.
static throng_result include_error(const thg_document *document, const char *text,
                                   throng_error *error)
{
    const char *place;
    int line, column;
    follow(document, "\x1finclude", &place);
    count_lines(document, place, &line, &column);
    return thg_file_fail(error, THRONG_BAD_DATA, document->path, line, column, "include: %s", text);
}

static throng_result include_next(throng_scene *scene, const char *name, throng_error *error)
{
    const thg_document *from = &scene->documents[scene->document_count - 1];
    char *file = thg_path_relative(from->path, name);
    if (file == NULL) {
        return thg_file_fail(error, THRONG_NO_MEMORY, from->path, 0, 0, "no memory for the scene");
    }
    throng_result result = THRONG_OK;
    _Static_assert(THG_MAX_DOCUMENTS == 8, "the message below says so");
    for (int i = 0; i < scene->document_count && result == THRONG_OK; i++) {
        if (strcmp(scene->documents[i].path, file) == 0) {
            result =
                include_error(from, "expected a scene that does not include this one again", error);
        }
    }
    if (result == THRONG_OK && scene->document_count == THG_MAX_DOCUMENTS) {
        result = include_error(from, "expected at most 8 files that include each other", error);
    }
    thg_bytes bytes = {NULL, 0};
    if (result == THRONG_OK) {
        result = thg_file_read(file, THG_MAX_SCENE_SIZE, &bytes, error);
    }
    if (result == THRONG_OK) {
        result = add_document(scene, file, &bytes, error);
    }
    free(file);
    return result;
}

/// Follows `include` from file to file, then lays each over what it includes.
static throng_result follow_includes(throng_scene *scene, throng_error *error)
{
    throng_result result = THRONG_OK;
    while (result == THRONG_OK) {
        const thg_document *last = &scene->documents[scene->document_count - 1];
        json_t *include = json_object_get(last->root, "include");
        if (include == NULL) {
            break;
        }
        if (!json_is_string(include)) {
            return include_error(last, "expected a string: the file of another scene", error);
        }
        result = include_next(scene, json_string_value(include), error);
    }
    if (result != THRONG_OK) {
        return result;
    }
    scene->merged = json_incref(scene->documents[scene->document_count - 1].root);
    for (int i = scene->document_count - 2; i >= 0 && scene->merged != NULL; i--) {
        json_t *merged = thg_json_merged(scene->merged, scene->documents[i].root);
        json_decref(scene->merged);
        scene->merged = merged;
    }
    return scene->merged != NULL ? THRONG_OK
                                 : thg_file_fail(error, THRONG_NO_MEMORY, scene->documents[0].path,
                                                 0, 0, "no memory for the scene");
}

throng_result thg_source_load(throng_scene *scene, const char *path, const char *text, size_t size,
                              throng_error *error)
{
    thg_bytes bytes = {NULL, 0};
    throng_result result = THRONG_OK;
    if (text == NULL) {
        result = thg_file_read(path, THG_MAX_SCENE_SIZE, &bytes, error);
    } else if (size > THG_MAX_SCENE_SIZE) {
        result = thg_file_fail(error, THRONG_BAD_DATA, path, 0, 0, "is longer than %zu bytes",
                               THG_MAX_SCENE_SIZE);
    } else {
        bytes.data = malloc(size + 1);
        bytes.size = size;
        if (bytes.data == NULL) {
            return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for the scene");
        }
        memcpy(bytes.data, text, size);
        bytes.data[size] = 0;
    }
    if (result == THRONG_OK) {
        result = add_document(scene, path, &bytes, error);
    }
    return result == THRONG_OK ? follow_includes(scene, error) : result;
}

void thg_source_free(throng_scene *scene)
{
    json_decref(scene->merged);
    json_decref(scene->control_merged);
    for (int i = 0; i < scene->document_count; i++) {
        json_decref(scene->documents[i].root);
        free(scene->documents[i].text);
        free(scene->documents[i].path);
    }
}

json_t *thg_json_merged(const json_t *base, const json_t *patch)
{
    if (!json_is_object(patch) || !json_is_object(base)) {
        return json_deep_copy(patch);
    }
    json_t *merged = json_copy((json_t *)base);
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)patch, key, value)
    {
        if (merged == NULL) {
            return NULL;
        }
        if (json_is_null(value)) {
            json_object_del(merged, key);
            continue;
        }
        const json_t *below = json_object_get(base, key);
        json_t *part = below != NULL ? thg_json_merged(below, value) : json_deep_copy(value);
        if (part == NULL || json_object_set_new(merged, key, part) != 0) {
            json_decref(merged);
            return NULL;
        }
    }
    return merged;
}
