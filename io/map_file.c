/// Loading maps: looks at what a file is and hands it to the reader for it.
#include <throng_io/map_file.h>

#include "map_image.h"
#include <stdlib.h>
#include <string.h>

/// Dark where the default class is blocked, so that the luminance alone already says it.
const uint8_t thg_terrain_rgb[THRONG_FIRST_OWN_TERRAIN][3] = {
    {0, 0, 0}, {255, 255, 255}, {30, 110, 50}, {190, 200, 140}, {40, 90, 170}};

void thg_image_free(thg_image *image)
{
    free(image->pixels);
    memset(image, 0, sizeof *image);
}

bool thg_image_size_fits(unsigned long width, unsigned long height)
{
    return width >= 1 && height >= 1 && width <= THRONG_MAX_MAP_SIDE &&
           height <= THRONG_MAX_MAP_SIDE && width * height <= THG_MAX_CELLS;
}

uint8_t thg_image_grey(const thg_image *image, size_t i)
{
    if (image->channels == 1) {
        return image->pixels[i];
    }
    const uint8_t *pixel = image->pixels + 4 * i;
    return (uint8_t)((299 * pixel[0] + 587 * pixel[1] + 114 * pixel[2] + 500) / 1000);
}

bool thg_image_hidden(const thg_image *image, size_t i)
{
    return image->channels == 4 && image->pixels[4 * i + 3] < 128;
}

throng_result thg_map_make(const throng_map_def *def, const char *path, throng_map **map,
                           throng_error *error)
{
    throng_result result = throng_map_create(def, map);
    if (result == THRONG_NO_MEMORY) {
        return thg_file_fail(error, result, path, 0, 0, "no memory for a map of %d x %d cells",
                             def->width, def->height);
    }
    if (result != THRONG_OK) {
        return thg_file_fail(error, result, path, 0, 0,
                             "a map of %d x %d cells of %g m cannot be made: %s", def->width,
                             def->height, (double)def->cell_size, throng_result_name(result));
    }
    return THRONG_OK;
}

throng_result thg_image_decode(const thg_bytes *bytes, const char *path, thg_image *image,
                               throng_error *error)
{
    if (thg_is_png(bytes)) {
        return thg_png_decode(bytes, path, image, error);
    }
    if (thg_is_pgm(bytes)) {
        return thg_pgm_decode(bytes, path, image, error);
    }
    return thg_file_fail(error, THRONG_BAD_DATA, path, 0, 0,
                         "byte 0: is no PNG and no PGM (P2, P5)");
}

/// The terrain a pixel stands for when nothing but the picture is known.
static uint8_t kind_of_pixel(const thg_image *image, size_t i)
{
    if (thg_image_hidden(image, i)) {
        return THRONG_WALL;
    }
    for (int kind = 0; image->channels == 4 && kind < THRONG_FIRST_OWN_TERRAIN; kind++) {
        if (memcmp(image->pixels + 4 * i, thg_terrain_rgb[kind], 3) == 0) {
            return (uint8_t)kind;
        }
    }
    return thg_image_grey(image, i) < 128 ? THRONG_WALL : THRONG_GROUND;
}

static throng_result load_image(const thg_bytes *bytes, const char *path, const throng_map_def *def,
                                throng_map **map, throng_error *error)
{
    thg_image image;
    throng_result result = thg_image_decode(bytes, path, &image, error);
    if (result != THRONG_OK) {
        return result;
    }
    size_t count = (size_t)image.width * (size_t)image.height;
    uint8_t *kinds = malloc(count);
    if (kinds == NULL) {
        thg_image_free(&image);
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for %zu cells", count);
    }
    for (size_t i = 0; i < count; i++) {
        kinds[i] = kind_of_pixel(&image, i);
    }
    throng_map_def sized = *def;
    sized.width = image.width;
    sized.height = image.height;
    sized.terrain = kinds;
    thg_image_free(&image);
    result = thg_map_make(&sized, path, map, error);
    free(kinds);
    return result;
}

static throng_result load_text(const thg_bytes *bytes, const char *path, const throng_map_def *def,
                               throng_map **map, throng_error *error)
{
    throng_error found;
    memset(&found, 0, sizeof found);
    throng_result result =
        throng_map_from_text((const char *)bytes->data, bytes->size, def, map, &found);
    if (result != THRONG_OK) {
        *map = NULL;
        return thg_file_fail(error, result, path, found.line, found.column, "%s", found.text);
    }
    return THRONG_OK;
}

throng_result throng_map_load(const char *path, const throng_map_def *def, throng_map **map,
                              throng_error *error)
{
    *map = NULL;
    thg_bytes bytes;
    throng_result result = thg_file_read(path, THRONG_MAX_FILE_SIZE, &bytes, error);
    if (result != THRONG_OK) {
        return result;
    }
    bool pictured = thg_path_ends(path, ".png") || thg_path_ends(path, ".pgm");
    if (bytes.size == 0) {
        result = thg_file_fail(error, THRONG_BAD_DATA, path, 0, 0, "is empty, expected a map");
    } else if (thg_is_png(&bytes) || thg_is_pgm(&bytes)) {
        result = load_image(&bytes, path, def, map, error);
    } else if (pictured) {
        result = thg_file_fail(error, THRONG_BAD_DATA, path, 0, 0,
                               "byte 0: is no PNG and no PGM (P2, P5), whatever its name says");
    } else if (thg_path_ends(path, ".yaml") || thg_path_ends(path, ".yml")) {
        result = thg_yaml_load(&bytes, path, def, map, error);
    } else {
        result = load_text(&bytes, path, def, map, error);
    }
    thg_bytes_free(&bytes);
    return result;
}
