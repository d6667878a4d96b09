/// Zones from a picture: each colour is a room.
#include <throng_io/map_file.h>

#include "map_image.h"
#include <stdlib.h>

#define SLOTS (1u << 18) ///< of the table of colours, four times as many as there may be rooms

/// Colours that have come, with their rooms. Open addressing; a colour is never 0.
typedef struct colour_table {
    uint32_t colours[SLOTS];
    uint16_t rooms[SLOTS];
    int count;
} colour_table;

/// Opacity left out; 0 for no room.
static uint32_t colour_of(const thg_image *image, size_t i)
{
    if (image->channels == 1) {
        return image->pixels[i];
    }
    const uint8_t *pixel = image->pixels + 4 * i;
    return thg_image_hidden(image, i)
               ? 0
               : (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
}

/// Room of a colour, a new one where it is new; 0 when there would be too many.
static uint16_t room_of(colour_table *table, uint32_t colour)
{
    uint32_t slot = colour * 2654435769u >> 14;
    while (table->colours[slot] != 0 && table->colours[slot] != colour) {
        slot = (slot + 1) % SLOTS;
    }
    if (table->colours[slot] == 0) {
        if (table->count == UINT16_MAX) {
            return 0;
        }
        table->colours[slot] = colour;
        table->rooms[slot] = (uint16_t)++table->count;
    }
    return table->rooms[slot];
}

static throng_result read_zones(const thg_image *image, const char *path, colour_table *table,
                                uint16_t *zones, throng_error *error)
{
    size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++) {
        uint32_t colour = colour_of(image, i);
        zones[i] = colour != 0 ? room_of(table, colour) : 0;
        if (colour != 0 && zones[i] == 0) {
            return thg_file_fail(error, THRONG_LIMIT, path, (int)(i / (size_t)image->width) + 1,
                                 (int)(i % (size_t)image->width) + 1,
                                 "more than %d colours, of which each is a room", UINT16_MAX);
        }
    }
    return THRONG_OK;
}

throng_result throng_zones_load(const char *path, int width, int height, uint16_t *zones,
                                int *room_count, throng_error *error)
{
    thg_bytes bytes;
    thg_image image = {0};
    *room_count = 0;
    throng_result result = thg_file_read(path, THRONG_MAX_FILE_SIZE, &bytes, error);
    if (result != THRONG_OK) {
        return result;
    }
    result = thg_image_decode(&bytes, path, &image, error);
    thg_bytes_free(&bytes);
    if (result == THRONG_OK && (image.width != width || image.height != height)) {
        result = thg_file_fail(error, THRONG_BAD_DATA, path, 0, 0,
                               "expected a picture of %d x %d pixels as the map has cells, found "
                               "%d x %d",
                               width, height, image.width, image.height);
    }
    colour_table *table = result == THRONG_OK ? calloc(1, sizeof *table) : NULL;
    if (result == THRONG_OK) {
        result = table != NULL ? read_zones(&image, path, table, zones, error)
                               : thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory");
    }
    *room_count = result == THRONG_OK ? table->count : 0;
    free(table);
    thg_image_free(&image);
    return result;
}
