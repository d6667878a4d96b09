/// Maps drawn in characters: rows alone, or a MovingAI file with its four header lines.
///
/// Nothing that the text says is believed before it is seen: sizes are checked against the rows
/// that are really there, so a header of a thousand million rows costs an error message and no
/// memory.
#include "map/map.h"
#include <string.h>

typedef struct reader {
    const char *text;
    size_t size, at; ///< `at`: start of the next line
    int line;        ///< 1-based number of the line last read
    throng_error *error;
} reader;

typedef struct text_line {
    const char *text;
    int length; ///< without CR LF; INT_MAX when longer
} text_line;

static bool next_line(reader *in, text_line *line)
{
    if (in->at >= in->size) {
        return false;
    }
    const char *start = in->text + in->at;
    const char *end = memchr(start, '\n', in->size - in->at);
    size_t length = end != NULL ? (size_t)(end - start) : in->size - in->at;
    in->at += length + (end != NULL ? 1 : 0);
    in->line++;
    if (length > 0 && start[length - 1] == '\r') {
        length--;
    }
    line->text = start;
    line->length = length < INT32_MAX ? (int)length : INT32_MAX;
    return true;
}

static bool line_is(const text_line *line, const char *word)
{
    size_t length = strlen(word);
    return (size_t)line->length == length && memcmp(line->text, word, length) == 0;
}

static bool line_blank(const text_line *line)
{
    for (int i = 0; i < line->length; i++) {
        if (line->text[i] != ' ' && line->text[i] != '\t') {
            return false;
        }
    }
    return true;
}

static throng_result fail(const reader *in, int column, const char *text)
{
    return thg_fail(in->error, THRONG_BAD_DATA, in->line, column, "%s", text);
}

/// "height 12" for key "height": a whole number in [1, THRONG_MAX_MAP_SIDE] and nothing after it.
static bool header_number(const text_line *line, const char *key, int *value)
{
    int at = (int)strlen(key);
    if (line->length < at + 2 || memcmp(line->text, key, (size_t)at) != 0 ||
        line->text[at] != ' ') {
        return false;
    }
    int number = 0;
    for (at++; at < line->length; at++) {
        char c = line->text[at];
        if (c < '0' || c > '9') {
            return false;
        }
        number = number * 10 + (c - '0');
        if (number > THRONG_MAX_MAP_SIDE) {
            return false;
        }
    }
    *value = number;
    return number >= 1;
}

/// The lines after "type octile": height and width in either order, then "map".
static throng_result read_header(reader *in, int *width, int *height)
{
    text_line line;
    for (int i = 0; i < 2; i++) {
        if (!next_line(in, &line)) {
            in->line++;
            return fail(in, 0, "the header ends early: expected `height N` and `width N`");
        }
        bool right = (*height == 0 && header_number(&line, "height", height)) ||
                     (*width == 0 && header_number(&line, "width", width));
        if (!right) {
            return fail(in, 1,
                        "expected `height N` and `width N`, each once, N a whole number from 1 to "
                        "16384");
        }
    }
    if (!next_line(in, &line)) {
        in->line++;
        return fail(in, 0, "the file ends where `map` was expected");
    }
    if (!line_is(&line, "map")) {
        return fail(in, 1, "expected `map` on a line of its own");
    }
    return THRONG_OK;
}

/// The kind a character stands for, or -1.
static int kind_of(char c)
{
    switch (c) {
    case '.':
    case 'G':
        return THRONG_GROUND;
    case '@':
    case 'O':
    case '#':
        return THRONG_WALL;
    case 'T':
        return THRONG_TREES;
    case 'S':
        return THRONG_SWAMP;
    case 'W':
        return THRONG_WATER;
    default:
        return -1;
    }
}

/// Checks one row and, where `kinds` is not NULL, translates it.
static throng_result read_row(const reader *in, const text_line *line, int width, uint8_t *kinds)
{
    int common = thg_min_int(line->length, width);
    for (int x = 0; x < common; x++) {
        int kind = kind_of(line->text[x]);
        if (kind < 0) {
            return thg_fail(in->error, THRONG_BAD_DATA, in->line, x + 1,
                            "byte 0x%02X is no terrain: expected one of . G @ O # T S W",
                            (unsigned)(unsigned char)line->text[x]);
        }
        if (kinds != NULL) {
            kinds[x] = (uint8_t)kind;
        }
    }
    if (line->length != width) {
        return thg_fail(in->error, THRONG_BAD_DATA, in->line, common + 1,
                        "the row has %d cells, expected %d", line->length, width);
    }
    return THRONG_OK;
}

/// Reads the rows from where `in` stands to the end of the text. `height` is the number expected,
/// or 0 for as many as there are; it returns the number found.
static throng_result read_rows(reader in, int width, int *height, uint8_t *kinds)
{
    text_line line;
    int rows = 0;
    bool ended = false;
    while (next_line(&in, &line)) {
        if (line_blank(&line) && (*height == 0 || rows == *height)) {
            ended = true;
            continue;
        }
        if (ended || (*height != 0 && rows == *height)) {
            return fail(&in, 1, "unexpected text after the last row");
        }
        uint8_t *row = kinds != NULL ? kinds + (size_t)rows * (size_t)width : NULL;
        throng_result result = read_row(&in, &line, width, row);
        if (result != THRONG_OK) {
            return result;
        }
        if (++rows > THRONG_MAX_MAP_SIDE) {
            return fail(&in, 1, "more than 16384 rows");
        }
    }
    if (rows == 0 || (*height != 0 && rows != *height)) {
        return thg_fail(in.error, THRONG_BAD_DATA, in.line + 1, 0,
                        "the text ends after %d rows, expected %d", rows, thg_max_int(*height, 1));
    }
    *height = rows;
    return THRONG_OK;
}

/// Finds out where the rows start and how many there should be.
static throng_result read_start(reader *in, int *width, int *height)
{
    text_line line;
    reader start = *in;
    do {
        *in = start; // rows alone may follow blank lines; step back to before the first row
        if (!next_line(&start, &line)) {
            in->line = 1;
            return fail(in, 0, "the text is empty: expected rows of a map");
        }
    } while (line_blank(&line));
    if (line.length >= 4 && memcmp(line.text, "type", 4) == 0) {
        if (start.line != 1 || !line_is(&line, "type octile")) {
            return fail(&start, 1, "expected `type octile` on the first line");
        }
        *in = start;
        return read_header(in, width, height);
    }
    if (line.length > THRONG_MAX_MAP_SIDE) {
        return fail(&start, THRONG_MAX_MAP_SIDE + 1, "the row has more than 16384 cells");
    }
    *width = line.length;
    return THRONG_OK;
}

throng_result throng_map_from_text(const char *text, size_t size, const throng_map_def *def,
                                   throng_map **map, throng_error *error)
{
    if (def == NULL || map == NULL || (text == NULL && size > 0)) {
        return thg_fail(error, THRONG_BAD_ARGUMENT, 0, 0, "text, def or map is missing");
    }
    reader in = {text, size, 0, 0, error};
    int width = 0;
    int height = 0;
    throng_result result = read_start(&in, &width, &height);
    if (result == THRONG_OK) {
        result = read_rows(in, width, &height, NULL);
    }
    if (result != THRONG_OK) {
        return result;
    }
    if ((size_t)width * (size_t)height > (size_t)1 << 26) {
        return thg_fail(error, THRONG_BAD_DATA, in.line, 0, "%d x %d cells are more than 67108864",
                        width, height);
    }
    size_t count = (size_t)width * (size_t)height;
    uint8_t *kinds = thg_allocate(count, 1);
    if (kinds == NULL) {
        return thg_fail(error, THRONG_NO_MEMORY, 0, 0, "no memory for %d x %d cells", width,
                        height);
    }
    read_rows(in, width, &height, kinds);
    throng_map_def sized = *def;
    sized.width = width;
    sized.height = height;
    sized.terrain = kinds;
    result = throng_map_create(&sized, map);
    thg_release(kinds, count, 1);
    if (result != THRONG_OK) {
        return thg_fail(error, result, 0, 0, "a map of %d x %d cells cannot be made: %s", width,
                        height, throng_result_name(result));
    }
    return THRONG_OK;
}
