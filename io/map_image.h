/// Grey and colour images on their way to becoming maps, and back.
#ifndef THG_MAP_IMAGE_H
#define THG_MAP_IMAGE_H

#include "file.h"
#include <throng_io/map_file.h>

#define THG_MAX_CELLS ((size_t)1 << 26)

/// Rows of pixels, top row first: one byte (grey) or four (red, green, blue, opacity) each.
typedef struct thg_image {
    int width, height, channels;
    uint8_t *pixels;
} thg_image;

void thg_image_free(thg_image *image);

bool thg_is_png(const thg_bytes *bytes);
bool thg_is_pgm(const thg_bytes *bytes);

/// Decode a file that is already in memory; `path` is for errors. THRONG_BAD_DATA,
/// THRONG_NO_MEMORY.
throng_result thg_png_decode(const thg_bytes *bytes, const char *path, thg_image *image,
                             throng_error *error);
throng_result thg_pgm_decode(const thg_bytes *bytes, const char *path, thg_image *image,
                             throng_error *error);

/// Whichever of the two it is.
throng_result thg_image_decode(const thg_bytes *bytes, const char *path, thg_image *image,
                               throng_error *error);

/// Writes 8-bit grey (channels 1) or RGB (channels 3) rows as PNG.
throng_result thg_png_write(const char *path, int width, int height, int channels,
                            const uint8_t *pixels, throng_error *error);

/// Checks a size that a file claims: [1, THRONG_MAX_MAP_SIDE] a side, THG_MAX_CELLS in all.
bool thg_image_size_fits(unsigned long width, unsigned long height);

/// Luminance of pixel i, rounded.
uint8_t thg_image_grey(const thg_image *image, size_t i);
/// True when more than half transparent: nothing is known there.
bool thg_image_hidden(const thg_image *image, size_t i);

/// The colours in which PNG maps keep the kinds THRONG_WALL ... THRONG_WATER.
extern const uint8_t thg_terrain_rgb[THRONG_FIRST_OWN_TERRAIN][3];

/// Loads a map_server yaml that is already in memory, and the image it names.
throng_result thg_yaml_load(const thg_bytes *bytes, const char *path, const throng_map_def *def,
                            throng_map **map, throng_error *error);

/// throng_scenario_load for a file that is already in memory.
throng_result thg_scenario_read(const thg_bytes *bytes, const char *path, throng_scenario *scenario,
                                throng_error *error);

/// throng_map_create with a sentence in *error when it fails.
throng_result thg_map_make(const throng_map_def *def, const char *path, throng_map **map,
                           throng_error *error);

#endif
