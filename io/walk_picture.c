/// The whole picture of a walk: the map with the watched walkers, a part of it magnified, words.
#include "picture_draw.h"
#include "walk_model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct throng_walk_picture {
    throng_walk *walk;
    const char *title, *subtitle;
    throng_picture picture, background;
    throng_cell_view whole, part;
    int words_x, words_y, size;       ///< of the words
    uint32_t first, end;              ///< watched walkers; end 0: all
    const throng_walk_group *watched; ///< NULL: none
    uint32_t *lengths;                ///< to the watched goal; NULL: rooms are drawn
    int drawn_changes;                ///< of doors, that the background shows
};

/// Lengths to the goal that the watched group shares: to a room's doors, or to the doors round a
/// cell's room, whichever is nearer. False when there is no such goal, or no memory.
static bool measure_field(throng_walk_picture *picture)
{
    throng_walk *walk = picture->walk;
    const throng_walk_group *group = picture->watched;
    int width = throng_map_width(walk->map), doors[64];
    size_t cells = (size_t)width * (size_t)throng_map_height(walk->map);
    if (group == NULL || (group->to != THRONG_TO_ROOM && group->to != THRONG_TO_CELL)) {
        return false;
    }
    int room = group->to == THRONG_TO_ROOM
                   ? group->room
                   : throng_rooms_at(walk->rooms, group->y * width + group->x);
    int count = throng_rooms_doors_of(walk->rooms, room, doors, 64);
    uint32_t *own = malloc(cells * sizeof *own);
    picture->lengths = malloc(cells * sizeof *picture->lengths);
    if (own == NULL || picture->lengths == NULL || count == 0) {
        free(own);
        free(picture->lengths);
        picture->lengths = NULL;
        return false;
    }
    memset(picture->lengths, 0xff, cells * sizeof *own);
    for (int i = 0; i < count && i < 64; i++) {
        throng_rooms_lengths(walk->rooms, doors[i], own);
        for (size_t k = 0; k < cells; k++) {
            picture->lengths[k] = own[k] < picture->lengths[k] ? own[k] : picture->lengths[k];
        }
    }
    for (size_t k = 0; k < cells; k++) {
        picture->lengths[k] =
            throng_rooms_at(walk->rooms, (int)k) == room ? 0 : picture->lengths[k];
    }
    free(own);
    return true;
}

static void find_watched(throng_walk_picture *picture)
{
    uint32_t first = 0;
    for (int i = 0; i < picture->walk->def.group_count; i++) {
        const throng_walk_group *group = &picture->walk->def.groups[i];
        if (group->watched) {
            picture->watched = group;
            picture->first = first;
            picture->end = first + (uint32_t)group->count;
            return;
        }
        first += (uint32_t)group->count;
    }
}

/// The magnified cells: a square whose side divides its pixels, in the middle of the map.
static void place_part(throng_walk_picture *picture, throng_pixel_rect area)
{
    int width = throng_map_width(picture->walk->map),
        height = throng_map_height(picture->walk->map);
    int side = 48;
    side = side < width ? side : width;
    side = side < height ? side : height;
    int dot = area.width / side;
    picture->part.area = (throng_pixel_rect){area.x, area.y, dot * side, dot * side};
    picture->part.cells = (throng_cell_rect){(width - side) / 2, (height - side) / 2, side, side};
}

throng_result throng_walk_picture_create(throng_walk *walk, const char *title, const char *subtitle,
                                         int size, throng_walk_picture **out)
{
    *out = NULL;
    if (size < 64 || size > 8192) {
        return THRONG_BAD_ARGUMENT;
    }
    throng_walk_picture *picture = calloc(1, sizeof *picture);
    if (picture == NULL) {
        return THRONG_NO_MEMORY;
    }
    int width = throng_map_width(walk->map), height = throng_map_height(walk->map);
    int longer = width > height ? width : height, margin = 12;
    int map_x = (int)((int64_t)size * width / longer),
        map_y = (int)((int64_t)size * height / longer);
    int side = size / 2 < 360 ? 360 : size / 2, top = 64;
    picture->walk = walk;
    picture->title = title;
    picture->subtitle = subtitle;
    picture->size = 2;
    find_watched(picture);
    picture->whole.area =
        (throng_pixel_rect){margin, top, map_x < 1 ? 1 : map_x, map_y < 1 ? 1 : map_y};
    picture->whole.cells = (throng_cell_rect){0, 0, width, height};
    place_part(picture, (throng_pixel_rect){map_x + 2 * margin, top, side, side});
    picture->words_x = map_x + 2 * margin;
    picture->words_y = top + picture->part.area.height + margin;
    int all_y = picture->words_y + 330;
    all_y = map_y + top + margin > all_y ? map_y + top + margin : all_y;
    int all_x = map_x + side + 3 * margin;
    if (throng_picture_create(all_x, all_y, &picture->picture) != THRONG_OK ||
        throng_picture_create(all_x, all_y, &picture->background) != THRONG_OK) {
        throng_walk_picture_destroy(picture);
        return THRONG_NO_MEMORY;
    }
    measure_field(picture);
    picture->drawn_changes = -1;
    *out = picture;
    return THRONG_OK;
}

void throng_walk_picture_destroy(throng_walk_picture *picture)
{
    if (picture != NULL) {
        throng_picture_free(&picture->picture);
        throng_picture_free(&picture->background);
        free(picture->lengths);
        free(picture);
    }
}

/// One line of the legend; returns the next line's y.
static int draw_key(throng_walk_picture *picture, int y, throng_colour colour, const char *text)
{
    int dot = 6 * picture->size;
    throng_pixel_rect square = {picture->words_x, y, dot, dot};
    throng_picture_fill(&picture->background, square, colour);
    throng_picture_text(&picture->background, picture->words_x + 2 * dot, y, picture->size, text,
                        thg_ink);
    return y + 11 * picture->size;
}

static void outline(throng_picture *picture, throng_pixel_rect area, throng_colour colour)
{
    throng_picture_fill(picture, (throng_pixel_rect){area.x - 1, area.y - 1, area.width + 2, 1},
                        colour);
    throng_picture_fill(
        picture, (throng_pixel_rect){area.x - 1, area.y + area.height, area.width + 2, 1}, colour);
    throng_picture_fill(picture, (throng_pixel_rect){area.x - 1, area.y, 1, area.height}, colour);
    throng_picture_fill(picture, (throng_pixel_rect){area.x + area.width, area.y, 1, area.height},
                        colour);
}

/// What the magnified part covers, as pixels of the whole map.
static throng_pixel_rect part_on_map(const throng_walk_picture *picture)
{
    const throng_cell_view *whole = &picture->whole, *part = &picture->part;
    throng_pixel_rect area = {
        whole->area.x + part->cells.x * whole->area.width / whole->cells.width,
        whole->area.y + part->cells.y * whole->area.height / whole->cells.height,
        part->cells.width * whole->area.width / whole->cells.width,
        part->cells.height * whole->area.height / whole->cells.height};
    return area;
}

static void draw_background(throng_walk_picture *picture)
{
    const throng_walk *walk = picture->walk;
    throng_picture *background = &picture->background;
    const throng_colour white = {255, 255, 255, 255};
    int y = picture->words_y;
    throng_picture_fill(
        background, (throng_pixel_rect){0, 0, background->width, background->height}, thg_backdrop);
    throng_picture_text(background, 12, 10, 3, picture->title, thg_ink);
    throng_picture_text(background, 12, 40, 2, picture->subtitle, thg_faint_ink);
    if (picture->lengths != NULL) {
        throng_picture_draw_lengths(background, &picture->whole, walk->map, picture->lengths, 0.6f);
    } else {
        throng_picture_draw_rooms(background, &picture->whole, walk->map, walk->rooms, 0.35f);
    }
    throng_picture_draw_rooms(background, &picture->part, walk->map, walk->rooms, 0.35f);
    outline(background, part_on_map(picture), white);
    outline(background, picture->part.area, white);
    throng_picture_text(background, picture->words_x, y, 2, "ABOVE: THE WHITE SQUARE, EVERYBODY",
                        thg_faint_ink);
    y = draw_key(picture, y + 26, (throng_colour){250, 220, 120, 255}, "on the way");
    y = draw_key(picture, y, (throng_colour){90, 220, 120, 255}, "arrived");
    y = draw_key(picture, y, (throng_colour){230, 60, 60, 255}, "no way, or closed door");
    y = draw_key(picture, y, (throng_colour){180, 180, 180, 255}, "door");
    if (picture->lengths != NULL) {
        throng_picture_text(background, picture->words_x, y + 6, 2,
                            "LEFT: WAY TO THE GOAL OF THE DOTS", thg_faint_ink);
        for (int x = 0; x < picture->part.area.width; x++) {
            float share = (float)x / (float)picture->part.area.width;
            throng_pixel_rect column = {picture->words_x + x, y + 28, 1, 12};
            throng_picture_fill(background, column,
                                thg_mix((throng_colour){0, 0, 0, 255},
                                        throng_colour_heat(1.0f - 0.9f * share), 0.6f));
        }
        throng_picture_text(background, picture->words_x, y + 44, 2, "near", thg_ink);
        throng_picture_text(background,
                            picture->words_x + picture->part.area.width -
                                throng_picture_text_width(2, "far"),
                            y + 44, 2, "far", thg_ink);
    }
}

static void draw_numbers(throng_walk_picture *picture)
{
    const throng_walk_summary *sum = &picture->walk->sum;
    const struct {
        const char *name;
        long long value;
    } lines[] = {{"step", sum->step},
                 {"walkers", sum->walkers},
                 {"on the way", sum->last.walking},
                 {"arrived", sum->last.arrived},
                 {"no way", sum->last.unreachable},
                 {"doors changed", sum->changes}};
    int y = picture->words_y + 196;
    for (int i = 0; i < 6; i++) {
        char text[32];
        thg_count_text(text, sizeof text, lines[i].value);
        throng_picture_text(&picture->picture, picture->words_x, y + 20 * i, 2, lines[i].name,
                            thg_faint_ink);
        throng_picture_text(&picture->picture,
                            picture->words_x + 320 - throng_picture_text_width(2, text), y + 20 * i,
                            2, text, thg_ink);
    }
}

const throng_picture *throng_walk_picture_draw(throng_walk_picture *picture)
{
    const throng_walk *walk = picture->walk;
    if (picture->drawn_changes < 0) {
        draw_background(picture);
    } else if (picture->drawn_changes != walk->sum.changes) {
        throng_picture_draw_rooms(&picture->background, &picture->part, walk->map, walk->rooms,
                                  0.35f);
    }
    picture->drawn_changes = walk->sum.changes;
    throng_picture_copy(&picture->picture, &picture->background);
    if (walk->walkers != NULL) {
        throng_picture_draw_walkers(&picture->picture, &picture->whole, walk->map, walk->walkers,
                                    picture->first, picture->end);
        throng_picture_draw_walkers(&picture->picture, &picture->part, walk->map, walk->walkers, 0,
                                    0);
    }
    draw_numbers(picture);
    return &picture->picture;
}
