/// ROS map_server files: a yaml of a few keys and the picture that it names.
///
/// libyaml reads the text; what is expected of the keys stands here. Keys that map_server does not
/// know are passed over, as it does; what it knows must be right. A picture is never taken for a
/// yaml, so no file can name itself.
#include <throng_io/map_file.h>

#include "map_image.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#define MAX_YAML_SIZE 65536 ///< bytes; map_saver writes 150

enum { KEY_IMAGE, KEY_RESOLUTION, KEY_ORIGIN, KEY_NEGATE, KEY_OCCUPIED, KEY_FREE, KEY_MODE, KEYS };

static const char *const key_names[KEYS] = {"image",           "resolution",  "origin", "negate",
                                            "occupied_thresh", "free_thresh", "mode"};

typedef enum map_mode { MODE_TRINARY, MODE_SCALE, MODE_RAW } map_mode;

typedef struct ros_map {
    char image[1024];
    double resolution, origin[3], occupied, free;
    bool negate;
    map_mode mode;
    int line[KEYS]; ///< where each key was; 0: not yet
} ros_map;

typedef struct yaml_reader {
    yaml_document_t *document;
    int line; ///< that is looked at, 1-based; 0: the file as a whole
    const char *path;
    throng_error *error;
} yaml_reader;

__attribute__((format(printf, 2, 3))) static throng_result fail(const yaml_reader *in,
                                                                const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return thg_file_fail(in->error, THRONG_BAD_DATA, in->path, in->line, 0, "%s", text);
}

static bool is_word(const yaml_node_t *node, const char *word)
{
    return node->type == YAML_SCALAR_NODE && node->data.scalar.length == strlen(word) &&
           memcmp(node->data.scalar.value, word, node->data.scalar.length) == 0;
}

static throng_result read_number(const yaml_reader *in, int key, const yaml_node_t *node,
                                 double low, double high, double *value)
{
    bool scalar = node->type == YAML_SCALAR_NODE;
    const char *text = scalar ? (const char *)node->data.scalar.value : "a list or a mapping";
    const char *end = text + (scalar ? node->data.scalar.length : strlen(text)), *at = text;
    if (!scalar || !thg_number_read(&at, end, value) || at != end || *value < low ||
        *value > high) {
        return fail(in, "`%s` is `%.*s`, expected a number from %g to %g", key_names[key],
                    (int)(end - text < 40 ? end - text : 40), text, low, high);
    }
    return THRONG_OK;
}

static throng_result read_origin(const yaml_reader *in, const yaml_node_t *node, ros_map *ros)
{
    bool list = node->type == YAML_SEQUENCE_NODE;
    const yaml_node_item_t *items = list ? node->data.sequence.items.start : NULL;
    if (!list || node->data.sequence.items.top - items != 3) {
        return fail(in, "`origin` must be a list [x, y, yaw] of three numbers");
    }
    for (int i = 0; i < 3; i++) {
        double most = i < 2 ? 1e6 : 7;
        throng_result result =
            read_number(in, KEY_ORIGIN, yaml_document_get_node(in->document, items[i]), -most, most,
                        &ros->origin[i]);
        if (result != THRONG_OK) {
            return result;
        }
    }
    return THRONG_OK;
}

static throng_result read_image(const yaml_reader *in, const yaml_node_t *node, ros_map *ros)
{
    size_t length = node->type == YAML_SCALAR_NODE ? node->data.scalar.length : 0;
    if (length == 0 || length >= sizeof ros->image ||
        memchr(node->data.scalar.value, 0, length) != NULL) {
        return fail(in, "`image` must be a file name of 1 to %zu bytes", sizeof ros->image - 1);
    }
    memcpy(ros->image, node->data.scalar.value, length);
    ros->image[length] = '\0';
    return THRONG_OK;
}

static throng_result read_negate(const yaml_reader *in, const yaml_node_t *node, ros_map *ros)
{
    ros->negate = is_word(node, "1") || is_word(node, "true");
    if (!ros->negate && !is_word(node, "0") && !is_word(node, "false")) {
        return fail(in, "`negate` must be 0 or 1");
    }
    return THRONG_OK;
}

static throng_result read_mode(const yaml_reader *in, const yaml_node_t *node, ros_map *ros)
{
    static const char *const names[3] = {"trinary", "scale", "raw"};
    for (int i = 0; i < 3; i++) {
        if (is_word(node, names[i])) {
            ros->mode = (map_mode)i;
            return THRONG_OK;
        }
    }
    return fail(in, "`mode` must be trinary, scale or raw");
}

static throng_result read_value(const yaml_reader *in, int key, const yaml_node_t *node,
                                ros_map *ros)
{
    switch (key) {
    case KEY_IMAGE:
        return read_image(in, node, ros);
    case KEY_RESOLUTION:
        return read_number(in, key, node, 0.01, 100, &ros->resolution);
    case KEY_ORIGIN:
        return read_origin(in, node, ros);
    case KEY_NEGATE:
        return read_negate(in, node, ros);
    case KEY_OCCUPIED:
        return read_number(in, key, node, 0, 1, &ros->occupied);
    case KEY_FREE:
        return read_number(in, key, node, 0, 1, &ros->free);
    default:
        return read_mode(in, node, ros);
    }
}

static throng_result read_pair(yaml_reader *in, const yaml_node_pair_t *pair, ros_map *ros)
{
    const yaml_node_t *name = yaml_document_get_node(in->document, pair->key);
    const yaml_node_t *value = yaml_document_get_node(in->document, pair->value);
    for (int key = 0; key < KEYS; key++) {
        if (!is_word(name, key_names[key])) {
            continue;
        }
        in->line = (int)name->start_mark.line + 1;
        if (ros->line[key] != 0) {
            return fail(in, "`%s` appears again; line %d has it already", key_names[key],
                        ros->line[key]);
        }
        ros->line[key] = in->line;
        return read_value(in, key, value, ros);
    }
    return THRONG_OK;
}

static throng_result read_keys(yaml_reader *in, ros_map *ros)
{
    const yaml_node_t *root = yaml_document_get_root_node(in->document);
    if (root == NULL || root->type != YAML_MAPPING_NODE) {
        return fail(in, "expected lines of `key: value`, as in a map_server file");
    }
    for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
         pair < root->data.mapping.pairs.top; pair++) {
        throng_result result = read_pair(in, pair, ros);
        if (result != THRONG_OK) {
            return result;
        }
    }
    in->line = 0;
    for (int key = KEY_IMAGE; key <= KEY_ORIGIN; key++) {
        if (ros->line[key] == 0) {
            return fail(in, "the file has no `%s`", key_names[key]);
        }
    }
    if (ros->free > ros->occupied) {
        in->line = ros->line[KEY_FREE] != 0 ? ros->line[KEY_FREE] : ros->line[KEY_OCCUPIED];
        return fail(in, "free_thresh %g is above occupied_thresh %g", ros->free, ros->occupied);
    }
    if (fabs(ros->origin[2]) > 1e-6) {
        in->line = ros->line[KEY_ORIGIN];
        return fail(in, "the map is turned by %g rad (yaw); only upright maps can be used",
                    ros->origin[2]);
    }
    return THRONG_OK;
}

/// What libyaml found wrong, in its words, and where: it knows bytes where the text is none, and
/// else where what it could not read begins.
static throng_result fail_to_parse(yaml_reader *in, const yaml_parser_t *parser,
                                   const thg_bytes *bytes)
{
    if (parser->error == YAML_MEMORY_ERROR) {
        return thg_file_fail(in->error, THRONG_NO_MEMORY, in->path, 0, 0, "no memory for a yaml");
    }
    if (parser->error != YAML_READER_ERROR) {
        bool begun = parser->context != NULL;
        in->line = (int)(begun ? parser->context_mark.line : parser->problem_mark.line) + 1;
        return fail(in, "%s%s%s", begun ? parser->context : "", begun ? ": " : "", parser->problem);
    }
    in->line = 1;
    for (size_t i = 0; i < parser->problem_offset && i < bytes->size; i++) {
        in->line += bytes->data[i] == '\n';
    }
    return fail(in, "byte %zu: not UTF-8 text: %s", parser->problem_offset, parser->problem);
}

static throng_result read_yaml(yaml_reader *in, const thg_bytes *bytes, ros_map *ros)
{
    if (bytes->size > MAX_YAML_SIZE) {
        return fail(in, "%zu bytes are no map_server file: at most %d", bytes->size, MAX_YAML_SIZE);
    }
    yaml_parser_t parser;
    yaml_document_t document;
    if (!yaml_parser_initialize(&parser)) {
        return thg_file_fail(in->error, THRONG_NO_MEMORY, in->path, 0, 0, "no memory for a yaml");
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, bytes->data, bytes->size);
    throng_result result = THRONG_OK;
    if (!yaml_parser_load(&parser, &document)) {
        result = fail_to_parse(in, &parser, bytes);
    } else {
        in->document = &document;
        result = read_keys(in, ros);
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
    return result;
}

/// Percent of occupancy of a pixel in steps of ten: 0 ground, 100 wall, -1 unknown.
static int occupancy(const ros_map *ros, const thg_image *image, size_t i)
{
    if (thg_image_hidden(image, i)) {
        return -1;
    }
    int grey = thg_image_grey(image, i);
    if (ros->mode == MODE_RAW) {
        return grey == 0     ? 0
               : grey >= 100 ? 100
               : grey < 5    ? 10
               : grey > 94   ? 90
                             : (grey + 5) / 10 * 10;
    }
    double occupied = (ros->negate ? grey : 255 - grey) / 255.0;
    if (occupied > ros->occupied) {
        return 100;
    }
    if (occupied < ros->free) {
        return 0;
    }
    if (ros->mode == MODE_TRINARY) {
        return -1;
    }
    double span = ros->occupied - ros->free;
    double share = span > 0 ? (occupied - ros->free) / span : 0;
    int tens = (int)(share * 10 + 0.5);
    // The free end of a scale is ground; the other end is the highest price that still lets pass.
    return tens > 9 ? 90 : tens * 10;
}

/// Fills `kinds` bottom row first and notes which of the own terrains (10 % ... 90 %) occur.
static void fill_kinds(const ros_map *ros, const thg_image *image, uint8_t *kinds, bool *used)
{
    for (int y = 0; y < image->height; y++) {
        size_t from = (size_t)(image->height - 1 - y) * (size_t)image->width;
        size_t to = (size_t)y * (size_t)image->width;
        for (int x = 0; x < image->width; x++) {
            int percent = occupancy(ros, image, from + (size_t)x);
            int tens = percent / 10;
            bool between = percent > 0 && percent < 100;
            used[between ? tens : 0] |= between;
            kinds[to + (size_t)x] = (uint8_t)(percent == 0 ? THRONG_GROUND
                                              : between    ? THRONG_FIRST_OWN_TERRAIN + tens - 1
                                                           : THRONG_WALL);
        }
    }
}

/// Names the terrains occupancy_10 ... occupancy_90, all in order when any of them occurs, so that
/// kinds and names agree.
static throng_result name_terrains(throng_map *map, const bool *used)
{
    bool any = false;
    for (int tens = 1; tens <= 9; tens++) {
        any |= used[tens];
    }
    for (int tens = 1; any && tens <= 9; tens++) {
        char name[32];
        int kind = 0;
        snprintf(name, sizeof name, "occupancy_%d", tens * 10);
        throng_result result = throng_map_terrain(map, name, &kind);
        if (result != THRONG_OK) {
            return result;
        }
        if (kind != THRONG_FIRST_OWN_TERRAIN + tens - 1) {
            return THRONG_LIMIT;
        }
    }
    return THRONG_OK;
}

static throng_result make_map(const ros_map *ros, const thg_image *image, const char *path,
                              const throng_map_def *def, throng_map **map, throng_error *error)
{
    size_t count = (size_t)image->width * (size_t)image->height;
    uint8_t *kinds = malloc(count);
    if (kinds == NULL) {
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for %zu cells", count);
    }
    bool used[10] = {false};
    fill_kinds(ros, image, kinds, used);
    throng_map_def sized = *def;
    sized.width = image->width;
    sized.height = image->height;
    sized.cell_size = (float)ros->resolution;
    sized.cell_size = sized.cell_size < 0.01f ? 0.01f : sized.cell_size;
    sized.origin = (throng_vec2){(float)ros->origin[0], (float)ros->origin[1]};
    sized.terrain = kinds;
    throng_result result = thg_map_make(&sized, path, map, error);
    free(kinds);
    if (result == THRONG_OK) {
        result = name_terrains(*map, used);
        if (result != THRONG_OK) {
            throng_map_destroy(*map);
            *map = NULL;
            thg_file_fail(error, result, path, 0, 0, "the terrains of scale cannot be named: %s",
                          throng_result_name(result));
        }
    }
    return result;
}

/// Reads the picture that the yaml names. Errors inside it name the picture, errors about it the
/// line of the yaml.
static throng_result load_picture(yaml_reader *in, const ros_map *ros, char *name, thg_image *image)
{
    in->line = ros->line[KEY_IMAGE];
    throng_error found;
    memset(&found, 0, sizeof found);
    thg_bytes bytes;
    throng_result result = thg_file_read(name, THRONG_MAX_FILE_SIZE, &bytes, &found);
    if (result != THRONG_OK) {
        return thg_file_fail(in->error, result, in->path, in->line, 0, "image `%.200s` %.200s",
                             ros->image, found.text);
    }
    if (thg_is_png(&bytes)) {
        result = thg_png_decode(&bytes, name, image, in->error);
    } else if (thg_is_pgm(&bytes)) {
        result = thg_pgm_decode(&bytes, name, image, in->error);
    } else {
        result = fail(in, "image `%.200s` is no PNG and no PGM (P2, P5)", ros->image);
    }
    thg_bytes_free(&bytes);
    return result;
}

throng_result thg_yaml_load(const thg_bytes *bytes, const char *path, const throng_map_def *def,
                            throng_map **map, throng_error *error)
{
    yaml_reader in = {.path = path, .error = error};
    ros_map ros;
    memset(&ros, 0, sizeof ros);
    ros.occupied = 0.65; // map_server's own defaults
    ros.free = 0.25;
    throng_result result = read_yaml(&in, bytes, &ros);
    if (result != THRONG_OK) {
        return result;
    }
    char *name = thg_path_relative(path, ros.image);
    if (name == NULL) {
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for a file name");
    }
    thg_image image = {0, 0, 0, NULL};
    result = load_picture(&in, &ros, name, &image);
    if (result == THRONG_OK) {
        result = make_map(&ros, &image, path, def, map, error);
    }
    thg_image_free(&image);
    free(name);
    return result;
}
