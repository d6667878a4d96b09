/// Scenarios: lists of starts, goals and best lengths, as MovingAI's .scen or as an exact csv.
///
/// A .scen row is read from its end, for the map's name in the middle may contain blanks.
#include <throng_io/map_file.h>

#include "map_image.h"
#include <stdlib.h>
#include <string.h>

#define MAX_FIELDS 64

typedef struct scen_reader {
    const char *at, *end;
    int line;
    const char *path;
    throng_error *error;
    const char *from[MAX_FIELDS], *to[MAX_FIELDS]; ///< fields of the line
    int field_count;
} scen_reader;

static bool separates(char c, char comma)
{
    return comma != 0 ? c == comma : c == ' ' || c == '\t';
}

/// Splits the next line at each `comma`, or at runs of blanks when it is 0. A blank line has no
/// field then.
static bool next_line(scen_reader *in, char comma)
{
    if (in->at >= in->end) {
        return false;
    }
    const char *stop = memchr(in->at, '\n', (size_t)(in->end - in->at));
    stop = stop != NULL ? stop : in->end;
    const char *at = in->at;
    const char *end = stop > at && stop[-1] == '\r' ? stop - 1 : stop;
    in->at = stop < in->end ? stop + 1 : stop;
    in->line++;
    in->field_count = 0;
    while (at < end && in->field_count < MAX_FIELDS) {
        while (comma == 0 && at < end && separates(*at, comma)) {
            at++;
        }
        const char *from = at;
        while (at < end && !separates(*at, comma)) {
            at++;
        }
        if (comma != 0 || at > from) {
            in->from[in->field_count] = from;
            in->to[in->field_count++] = at;
        }
        at += at < end; // behind the separator
    }
    return true;
}

static throng_result fail_field(const scen_reader *in, int field, const char *what,
                                const char *expected)
{
    const char *text = in->from[field];
    int length = (int)(in->to[field] - text < 40 ? in->to[field] - text : 40);
    return thg_file_fail(in->error, THRONG_BAD_DATA, in->path, in->line, 0,
                         "%s is `%.*s`, expected %s", what, length, text, expected);
}

static bool read_cell(const scen_reader *in, int field, long low, long high, int *value)
{
    const char *at = in->from[field];
    long number = 0;
    if (!thg_whole_read(&at, in->to[field], low, high, &number) || at != in->to[field]) {
        return false;
    }
    *value = (int)number;
    return true;
}

static bool read_length(const scen_reader *in, int field, double *length, int *decimals)
{
    const char *at = in->from[field];
    if (!thg_number_read(&at, in->to[field], length) || at != in->to[field] || *length < 0 ||
        *length > 1e9) {
        return false;
    }
    const char *point = memchr(in->from[field], '.', (size_t)(at - in->from[field]));
    int digits = 0;
    for (const char *c = point != NULL ? point + 1 : at; c < at && *c >= '0' && *c <= '9'; c++) {
        digits++;
    }
    *decimals = digits > *decimals ? (digits < 17 ? digits : 17) : *decimals;
    return true;
}

/// bucket, map, width, height, start x, start y, goal x, goal y, length.
static throng_result read_scen_row(scen_reader *in, throng_scenario *scenario,
                                   throng_scenario_row *row)
{
    static const char *const names[6] = {"map width", "map height", "start x",
                                         "start y",   "goal x",     "goal y"};
    if (in->field_count < 9 || in->field_count >= MAX_FIELDS) {
        return thg_file_fail(in->error, THRONG_BAD_DATA, in->path, in->line, 0,
                             "the row has %d fields, expected 9: bucket map width height start-x "
                             "start-y goal-x goal-y length",
                             in->field_count);
    }
    int first = in->field_count - 7;
    int values[6];
    if (!read_cell(in, 0, 0, 1000000000, &row->bucket)) {
        return fail_field(in, 0, "bucket", "a whole number");
    }
    for (int i = 0; i < 6; i++) {
        bool size = i < 2;
        if (!read_cell(in, first + i, size, size ? THRONG_MAX_MAP_SIDE : THRONG_MAX_MAP_SIDE - 1,
                       &values[i])) {
            return fail_field(in, first + i, names[i], "a whole number on a map of 16384 a side");
        }
    }
    if (!read_length(in, first + 6, &row->length, &scenario->length_decimals)) {
        return fail_field(in, first + 6, "length", "a number from 0 to 1e9");
    }
    if (scenario->row_count == 0) {
        scenario->map_width = values[0];
        scenario->map_height = values[1];
    }
    if (values[0] != scenario->map_width || values[1] != scenario->map_height) {
        return thg_file_fail(in->error, THRONG_BAD_DATA, in->path, in->line, 0,
                             "the map is %d x %d here and %d x %d before", values[0], values[1],
                             scenario->map_width, scenario->map_height);
    }
    for (int i = 2; i < 6; i++) {
        if (values[i] >= values[i % 2]) {
            return thg_file_fail(in->error, THRONG_BAD_DATA, in->path, in->line, 0,
                                 "%s %d lies outside the map of %d x %d", names[i], values[i],
                                 values[0], values[1]);
        }
    }
    row->start_x = values[2];
    row->start_y = values[3];
    row->goal_x = values[4];
    row->goal_y = values[5];
    row->straight = row->diagonal = -1;
    return THRONG_OK;
}

static throng_result read_csv_row(scen_reader *in, throng_scenario *scenario,
                                  throng_scenario_row *row)
{
    static const char *const names[6] = {"sx", "sy", "gx", "gy", "straight", "diagonal"};
    int *values[6] = {&row->start_x, &row->start_y,  &row->goal_x,
                      &row->goal_y,  &row->straight, &row->diagonal};
    if (in->field_count != 7) {
        return thg_file_fail(in->error, THRONG_BAD_DATA, in->path, in->line, 0,
                             "the row has %d fields, expected 7: "
                             "sx,sy,gx,gy,straight,diagonal,length",
                             in->field_count);
    }
    for (int i = 0; i < 6; i++) {
        if (!read_cell(in, i, 0, i < 4 ? THRONG_MAX_MAP_SIDE - 1 : 1000000000, values[i])) {
            return fail_field(in, i, names[i], "a whole number that is not negative");
        }
    }
    if (!read_length(in, 6, &row->length, &scenario->length_decimals)) {
        return fail_field(in, 6, "length", "a number from 0 to 1e9");
    }
    return THRONG_OK;
}

/// Room for one more row, doubling; each row needs bytes of the file, so the size stays bounded.
static bool grow(throng_scenario *scenario, int *capacity)
{
    if (scenario->row_count < *capacity) {
        return true;
    }
    int wanted = *capacity > 0 ? *capacity * 2 : 256;
    throng_scenario_row *rows = realloc(scenario->rows, (size_t)wanted * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    scenario->rows = rows;
    *capacity = wanted;
    return true;
}

static throng_result read_rows(scen_reader *in, char comma, throng_scenario *scenario)
{
    int capacity = 0;
    while (next_line(in, comma)) {
        if (in->field_count == 0) {
            continue;
        }
        if (!grow(scenario, &capacity)) {
            return thg_file_fail(in->error, THRONG_NO_MEMORY, in->path, in->line, 0,
                                 "no memory for more than %d rows", scenario->row_count);
        }
        throng_scenario_row row;
        memset(&row, 0, sizeof row);
        row.line = in->line;
        throng_result result =
            comma != 0 ? read_csv_row(in, scenario, &row) : read_scen_row(in, scenario, &row);
        if (result != THRONG_OK) {
            return result;
        }
        scenario->rows[scenario->row_count++] = row;
    }
    return THRONG_OK;
}

static bool starts_with(const thg_bytes *bytes, const char *word)
{
    return bytes->size >= strlen(word) && memcmp(bytes->data, word, strlen(word)) == 0;
}

throng_result thg_scenario_read(const thg_bytes *bytes, const char *path, throng_scenario *scenario,
                                throng_error *error)
{
    memset(scenario, 0, sizeof *scenario);
    scen_reader in;
    memset(&in, 0, sizeof in);
    in.at = (const char *)bytes->data;
    in.end = in.at + bytes->size;
    in.path = path;
    in.error = error;
    bool csv = starts_with(bytes, "sx,sy,gx,gy,straight,diagonal,length");
    bool read = next_line(&in, 0);
    double version = 0;
    bool scen = read && in.field_count == 2 && starts_with(bytes, "version") &&
                thg_number_read(&in.from[1], in.to[1], &version) && version == 1;
    if (!csv && !scen) {
        return thg_file_fail(error, THRONG_BAD_DATA, path, 1, 0,
                             "expected `version 1` (a MovingAI .scen) or "
                             "`sx,sy,gx,gy,straight,diagonal,length` (a csv)");
    }
    throng_result result = read_rows(&in, csv ? ',' : 0, scenario);
    if (result != THRONG_OK) {
        throng_scenario_free(scenario);
    }
    return result;
}

throng_result throng_scenario_load(const char *path, throng_scenario *scenario, throng_error *error)
{
    memset(scenario, 0, sizeof *scenario);
    thg_bytes bytes;
    throng_result result = thg_file_read(path, THRONG_MAX_FILE_SIZE, &bytes, error);
    if (result != THRONG_OK) {
        return result;
    }
    result = thg_scenario_read(&bytes, path, scenario, error);
    thg_bytes_free(&bytes);
    return result;
}

void throng_scenario_free(throng_scenario *scenario)
{
    free(scenario->rows);
    memset(scenario, 0, sizeof *scenario);
}
