/// ROS map_server files: a few flat `key: value` lines and the picture that they name.
///
/// Only that subset of YAML is read, by hand: scalars, quoted or not, comments, and a list of three
/// numbers in brackets or as dashes. Keys that map_server does not know are passed over, as it
/// does; what it knows must be right. A picture is never taken for a yaml, so no file can name
/// itself.
#include <throng_io/map_file.h>

#include "map_image.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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
    const char *at, *end; ///< `at`: the next line
    int line;             ///< of `text`, 1-based
    const char *text, *text_end;
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

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void trim(const char **text, const char **end)
{
    while (*text < *end && is_blank(**text)) {
        (*text)++;
    }
    while (*end > *text && is_blank((*end)[-1])) {
        (*end)--;
    }
}

/// Moves to the next line and cuts its comment; a # counts after a blank and outside of quotes.
static bool next_line(yaml_reader *in)
{
    if (in->at >= in->end) {
        return false;
    }
    const char *stop = memchr(in->at, '\n', (size_t)(in->end - in->at));
    stop = stop != NULL ? stop : in->end;
    in->text = in->at;
    in->text_end = stop;
    in->at = stop < in->end ? stop + 1 : stop;
    in->line++;
    char quote = 0;
    for (const char *c = in->text; c < stop; c++) {
        if (quote != 0) {
            quote = *c == quote ? 0 : quote;
        } else if (*c == '"' || *c == '\'') {
            quote = *c;
        } else if (*c == '#' && (c == in->text || is_blank(c[-1]))) {
            in->text_end = c;
            break;
        }
    }
    return true;
}

/// Length of a UTF-8 sequence at `at`, 0 when it is none.
static int sequence_length(const uint8_t *at, const uint8_t *end)
{
    int length = *at < 0x80 ? 1 : *at >= 0xc2 && *at < 0xe0 ? 2 : (*at & 0xf0) == 0xe0 ? 3 : 4;
    if ((*at >= 0x80 && *at < 0xc2) || *at > 0xf4 || end - at < length) {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

static throng_result check_utf8(yaml_reader *in, const thg_bytes *bytes)
{
    in->line = 1;
    const uint8_t *end = bytes->data + bytes->size;
    for (const uint8_t *at = bytes->data; at < end;) {
        int length = sequence_length(at, end);
        if (length == 0 || *at == 0) {
            return fail(in, "byte %zu: 0x%02X is not UTF-8 text", (size_t)(at - bytes->data),
                        (unsigned)*at);
        }
        in->line += *at == '\n';
        at += length;
    }
    in->line = 0;
    return THRONG_OK;
}

static throng_result read_number(const yaml_reader *in, int key, const char *text, const char *end,
                                 double low, double high, double *value)
{
    const char *at = text;
    if (!thg_number_read(&at, end, value) || at != end || *value < low || *value > high) {
        return fail(in, "`%s` is `%.*s`, expected a number from %g to %g", key_names[key],
                    (int)(end - text < 40 ? end - text : 40), text, low, high);
    }
    return THRONG_OK;
}

/// `[x, y, yaw]` on one line.
static throng_result read_origin(const yaml_reader *in, const char *text, const char *end,
                                 double *origin)
{
    if (end - text < 2 || *text != '[' || end[-1] != ']') {
        return fail(in, "`origin` must be a list [x, y, yaw] of three numbers on one line");
    }
    text++;
    end--;
    for (int i = 0; i < 3; i++) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        if ((comma == NULL) != (i == 2)) {
            return fail(in, "`origin` must have three numbers [x, y, yaw]");
        }
        const char *from = text;
        const char *to = comma != NULL ? comma : end;
        text = comma != NULL ? comma + 1 : end;
        trim(&from, &to);
        throng_result result =
            read_number(in, KEY_ORIGIN, from, to, i < 2 ? -1e6 : -7, i < 2 ? 1e6 : 7, &origin[i]);
        if (result != THRONG_OK) {
            return result;
        }
    }
    return THRONG_OK;
}

/// The same list as three lines `- x`.
static throng_result read_origin_lines(yaml_reader *in, double *origin)
{
    for (int i = 0; i < 3;) {
        if (!next_line(in)) {
            return fail(in, "the file ends inside `origin`: expected three numbers");
        }
        const char *text = in->text;
        const char *end = in->text_end;
        trim(&text, &end);
        if (text == end) {
            continue;
        }
        if (*text != '-' || end - text < 2 || !is_blank(text[1])) {
            return fail(in, "`origin` must have three numbers: expected `- number`");
        }
        text++;
        trim(&text, &end);
        throng_result result =
            read_number(in, KEY_ORIGIN, text, end, i < 2 ? -1e6 : -7, i < 2 ? 1e6 : 7, &origin[i]);
        if (result != THRONG_OK) {
            return result;
        }
        i++;
    }
    return THRONG_OK;
}

static bool text_is(const char *text, const char *end, const char *word)
{
    return (size_t)(end - text) == strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

static void unquote(const char **text, const char **end)
{
    if (*end - *text >= 2 && (**text == '"' || **text == '\'') && (*end)[-1] == **text) {
        (*text)++;
        (*end)--;
    }
}

static throng_result read_image(const yaml_reader *in, const char *text, const char *end,
                                ros_map *ros)
{
    size_t length = (size_t)(end - text);
    if (length == 0 || length >= sizeof ros->image) {
        return fail(in, "`image` must be a file name of 1 to %zu bytes", sizeof ros->image - 1);
    }
    memcpy(ros->image, text, length);
    ros->image[length] = '\0';
    return THRONG_OK;
}

static throng_result read_negate(const yaml_reader *in, const char *text, const char *end,
                                 ros_map *ros)
{
    bool yes = text_is(text, end, "1") || text_is(text, end, "true");
    if (!yes && !text_is(text, end, "0") && !text_is(text, end, "false")) {
        return fail(in, "`negate` must be 0 or 1");
    }
    ros->negate = yes;
    return THRONG_OK;
}

static throng_result read_mode(const yaml_reader *in, const char *text, const char *end,
                               ros_map *ros)
{
    static const char *const names[3] = {"trinary", "scale", "raw"};
    for (int i = 0; i < 3; i++) {
        if (text_is(text, end, names[i])) {
            ros->mode = (map_mode)i;
            return THRONG_OK;
        }
    }
    return fail(in, "`mode` must be trinary, scale or raw");
}

static throng_result read_value(yaml_reader *in, int key, const char *text, const char *end,
                                ros_map *ros)
{
    if (key == KEY_ORIGIN) {
        return text == end ? read_origin_lines(in, ros->origin)
                           : read_origin(in, text, end, ros->origin);
    }
    unquote(&text, &end);
    switch (key) {
    case KEY_IMAGE:
        return read_image(in, text, end, ros);
    case KEY_RESOLUTION:
        return read_number(in, key, text, end, 0.01, 100, &ros->resolution);
    case KEY_NEGATE:
        return read_negate(in, text, end, ros);
    case KEY_OCCUPIED:
        return read_number(in, key, text, end, 0, 1, &ros->occupied);
    case KEY_FREE:
        return read_number(in, key, text, end, 0, 1, &ros->free);
    default:
        return read_mode(in, text, end, ros);
    }
}

/// One line: blank, part of something unknown, or `key: value`.
static throng_result read_line(yaml_reader *in, ros_map *ros)
{
    const char *text = in->text;
    const char *end = in->text_end;
    bool indented = text < end && is_blank(*text);
    trim(&text, &end);
    bool marker = text_is(text, end, "---") || text_is(text, end, "...");
    if (text == end || indented || marker || *text == '%' || *text == '-') {
        return THRONG_OK;
    }
    const char *colon = memchr(text, ':', (size_t)(end - text));
    if (colon == NULL || (colon + 1 < end && !is_blank(colon[1]))) {
        return fail(in, "expected `key: value`, as in a map_server file");
    }
    for (int key = 0; key < KEYS; key++) {
        if (!text_is(text, colon, key_names[key])) {
            continue;
        }
        if (ros->line[key] != 0) {
            return fail(in, "`%s` appears again; line %d has it already", key_names[key],
                        ros->line[key]);
        }
        ros->line[key] = in->line;
        const char *value = colon + 1;
        trim(&value, &end);
        return read_value(in, key, value, end, ros);
    }
    return THRONG_OK;
}

static throng_result read_yaml(yaml_reader *in, ros_map *ros)
{
    while (next_line(in)) {
        throng_result result = read_line(in, ros);
        if (result != THRONG_OK) {
            return result;
        }
    }
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
    yaml_reader in;
    memset(&in, 0, sizeof in);
    in.at = (const char *)bytes->data;
    in.end = in.at + bytes->size;
    in.path = path;
    in.error = error;
    ros_map ros;
    memset(&ros, 0, sizeof ros);
    ros.occupied = 0.65; // map_server's own defaults
    ros.free = 0.25;
    throng_result result = check_utf8(&in, bytes);
    if (result == THRONG_OK) {
        result = read_yaml(&in, &ros);
    }
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
