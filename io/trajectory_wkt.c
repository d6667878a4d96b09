/// The walkable area as one WKT polygon with holes.
///
/// Walkable cells join by their sides, walls too: where two walkable cells touch at a corner only,
/// the outline turns round the wall. Then no ring meets itself, rings touch each other at single
/// points at most, and the polygon is valid by the rules of OGC simple features.
#include "file.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <throng_io/trajectory.h>

/// The cells of the area, with a border of one on each side; `done` marks corners whose side to the
/// west was walked.
typedef struct outline {
    int width, height, stride;
    uint8_t *inside, *done;
    double x, y, cell; ///< metres
    char *text;
    size_t length, capacity;
    int points;
    bool no_memory;
} outline;

static size_t index_of(const outline *area, int x, int y)
{
    return (size_t)(y + 1) * (size_t)area->stride + (size_t)(x + 1);
}

static void append(outline *area, const char *text)
{
    size_t length = strlen(text);
    if (area->length + length + 1 > area->capacity && !area->no_memory) {
        size_t wanted = area->capacity * 2 + length + 256;
        char *grown = realloc(area->text, wanted);
        area->no_memory = grown == NULL;
        area->text = grown != NULL ? grown : area->text;
        area->capacity = grown != NULL ? wanted : area->capacity;
    }
    if (!area->no_memory) {
        memcpy(area->text + area->length, text, length + 1);
        area->length += length;
    }
}

/// At most four decimals, without the zeros at the end.
static void append_number(outline *area, double value)
{
    char text[40];
    int length = thg_number_write(text, value, 4);
    while (text[length - 1] == '0') {
        length--;
    }
    length -= text[length - 1] == '.';
    text[length] = '\0';
    append(area, text);
}

static void append_corner(outline *area, int x, int y)
{
    append_number(area, area->x + area->cell * x);
    append(area, " ");
    append_number(area, area->y + area->cell * y);
    area->points++;
}

/// Spreads from one cell over sides; returns the number of cells. `mark` replaces 1.
static size_t flood(outline *area, size_t start, uint8_t mark, size_t *queue)
{
    const size_t steps[4] = {1, (size_t)area->stride, (size_t)0 - 1,
                             (size_t)0 - (size_t)area->stride};
    size_t count = 0;
    queue[count++] = start;
    area->inside[start] = mark;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 4; k++) {
            size_t next = queue[i] + steps[k];
            if (area->inside[next] == 1) {
                area->inside[next] = mark;
                queue[count++] = next;
            }
        }
    }
    return count;
}

/// Leaves only the largest connected part, the first of equals; false when nothing is walkable.
static bool keep_largest(outline *area, size_t cells)
{
    size_t *queue = malloc(cells * sizeof *queue);
    if (queue == NULL) {
        area->no_memory = true;
        return false;
    }
    size_t best = 0;
    size_t best_start = 0;
    size_t padded = (size_t)area->stride * (size_t)(area->height + 2);
    for (size_t i = 0; i < padded; i++) {
        if (area->inside[i] == 1) {
            size_t count = flood(area, i, 2, queue);
            best_start = count > best ? i : best_start;
            best = count > best ? count : best;
        }
    }
    for (size_t i = 0; i < padded; i++) {
        area->inside[i] = area->inside[i] == 2; // ready for one more flood
    }
    if (best > 0) {
        flood(area, best_start, 2, queue);
    }
    for (size_t i = 0; i < padded; i++) {
        area->inside[i] = area->inside[i] == 2;
    }
    free(queue);
    return best > 0;
}

/// Walks a ring from the upper right corner of a cell with a wall above it, westward, the area on
/// the left, and writes each corner where it turns. Directions: 0 east, 1 south, 2 west, 3 north.
static void trace(outline *area, int start_x, int start_y)
{
    static const int step_x[4] = {1, 0, -1, 0};
    static const int step_y[4] = {0, 1, 0, -1};
    // The cells ahead of a corner, to the left and to the right of the way.
    static const int left_x[4] = {0, 0, -1, -1};
    static const int left_y[4] = {-1, 0, 0, -1};
    static const int right_x[4] = {0, -1, -1, 0};
    static const int right_y[4] = {0, 0, -1, -1};
    int x = start_x;
    int y = start_y;
    int direction = 2;
    append(area, "(");
    append_corner(area, x, y);
    do {
        if (direction == 2) {
            area->done[index_of(area, x, y)] = 1;
        }
        x += step_x[direction];
        y += step_y[direction];
        bool left = area->inside[index_of(area, x + left_x[direction], y + left_y[direction])];
        bool right = area->inside[index_of(area, x + right_x[direction], y + right_y[direction])];
        // Right first: at a corner where two cells of the area touch, keep to the wall.
        int turned = right ? (direction + 1) & 3 : left ? direction : (direction + 3) & 3;
        bool closed = x == start_x && y == start_y && turned == 2;
        if (turned != direction || closed) {
            append(area, ", ");
            append_corner(area, x, y);
        }
        direction = turned;
    } while (!(x == start_x && y == start_y && direction == 2) && !area->no_memory &&
             area->points <= THRONG_MAX_WKT_POINTS);
    append(area, ")");
}

static void append_rectangle(outline *area)
{
    area->length = 0;
    append(area, "POLYGON ((");
    append_corner(area, 0, 0);
    append(area, ", ");
    append_corner(area, area->width, 0);
    append(area, ", ");
    append_corner(area, area->width, area->height);
    append(area, ", ");
    append_corner(area, 0, area->height);
    append(area, ", ");
    append_corner(area, 0, 0);
    append(area, "))");
}

/// The first ring in reading order is the outer one: nothing of the area lies above its first side.
static void append_area(outline *area)
{
    append(area, "POLYGON (");
    bool first = true;
    for (int y = 0; y < area->height; y++) {
        for (int x = 0; x < area->width; x++) {
            bool corner = area->inside[index_of(area, x, y)] &&
                          !area->inside[index_of(area, x, y - 1)] &&
                          (!area->inside[index_of(area, x + 1, y)] ||
                           area->inside[index_of(area, x + 1, y - 1)]);
            if (!corner || area->done[index_of(area, x + 1, y)]) {
                continue;
            }
            if (!first) {
                append(area, ", ");
            }
            first = false;
            trace(area, x + 1, y);
            if (area->points > THRONG_MAX_WKT_POINTS || area->no_memory) {
                return;
            }
        }
    }
    append(area, ")");
}

static void fill_inside(outline *area, const throng_map *map, int class_index)
{
    for (int y = 0; y < area->height; y++) {
        for (int x = 0; x < area->width; x++) {
            bool blocked = class_index >= 0 ? throng_map_blocked(map, class_index, x, y)
                                            : throng_map_terrain_at(map, x, y) == THRONG_WALL;
            area->inside[index_of(area, x, y)] = !blocked;
        }
    }
}

char *throng_trajectory_wkt(const throng_map *map, int class_index)
{
    outline area;
    memset(&area, 0, sizeof area);
    area.width = throng_map_width(map);
    area.height = throng_map_height(map);
    area.stride = area.width + 2;
    area.x = (double)throng_map_origin(map).x;
    area.y = (double)throng_map_origin(map).y;
    // A cell size like 0.05f is meant as 0.05: rounding it keeps far corners exact.
    area.cell = floor((double)throng_map_cell_size(map) * 1e7 + 0.5) / 1e7;
    size_t padded = (size_t)area.stride * (size_t)(area.height + 2); // about 2^26 at most
    area.inside = calloc(padded, 1);
    area.done = calloc(padded, 1);
    area.no_memory = area.inside == NULL || area.done == NULL;
    bool walkable = false;
    if (!area.no_memory) {
        fill_inside(&area, map, class_index);
        walkable = keep_largest(&area, (size_t)area.width * (size_t)area.height);
    }
    if (walkable) {
        append_area(&area);
    }
    if (!area.no_memory && (!walkable || area.points > THRONG_MAX_WKT_POINTS)) {
        append_rectangle(&area);
    }
    free(area.inside);
    free(area.done);
    if (area.no_memory) {
        free(area.text);
        return NULL;
    }
    return area.text;
}
