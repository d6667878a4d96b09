/// Saving maps: as text, pictures, or what ROS's map_server reads.
#include <throng_io/map_file.h>

#include "map_image.h"
#include <stdlib.h>
#include <string.h>

static int kind_at(const throng_map *map, int x, int y)
{
    int kind = throng_map_terrain_at(map, x, y);
    return kind < THRONG_FIRST_OWN_TERRAIN ? kind : THRONG_GROUND;
}

static throng_result save_text(const throng_map *map, const char *path, throng_error *error)
{
    static const char letters[THRONG_FIRST_OWN_TERRAIN] = {'@', '.', 'T', 'S', 'W'};
    int width = throng_map_width(map);
    int height = throng_map_height(map);
    thg_file_writer writer;
    throng_result result = thg_file_begin(path, &writer, error);
    if (result != THRONG_OK) {
        return result;
    }
    fprintf(writer.file, "type octile\nheight %d\nwidth %d\nmap\n", height, width);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            putc(letters[kind_at(map, x, y)], writer.file);
        }
        putc('\n', writer.file);
    }
    return thg_file_commit(&writer, error);
}

static throng_result save_png(const throng_map *map, const char *path, throng_error *error)
{
    int width = throng_map_width(map);
    int height = throng_map_height(map);
    uint8_t *pixels = malloc((size_t)width * (size_t)height * 3); // at most 2^26 cells
    if (pixels == NULL) {
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for %d x %d pixels",
                             width, height);
    }
    uint8_t *to = pixels;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++, to += 3) {
            memcpy(to, thg_terrain_rgb[kind_at(map, x, y)], 3);
        }
    }
    throng_result result = thg_png_write(path, width, height, 3, pixels, error);
    free(pixels);
    return result;
}

/// 254 and 0, the greys of ROS's own map_saver. `turned`: last row first.
static throng_result save_pgm(const throng_map *map, const char *path, bool turned,
                              throng_error *error)
{
    int width = throng_map_width(map);
    int height = throng_map_height(map);
    thg_file_writer writer;
    throng_result result = thg_file_begin(path, &writer, error);
    if (result != THRONG_OK) {
        return result;
    }
    fprintf(writer.file, "P5\n%d %d\n255\n", width, height);
    for (int row = 0; row < height; row++) {
        int y = turned ? height - 1 - row : row;
        for (int x = 0; x < width; x++) {
            int kind = kind_at(map, x, y);
            bool blocked = kind == THRONG_WALL || kind == THRONG_TREES || kind == THRONG_WATER;
            putc(blocked ? 0 : 254, writer.file);
        }
    }
    return thg_file_commit(&writer, error);
}

static throng_result write_yaml(const throng_map *map, const char *path, const char *image,
                                throng_error *error)
{
    thg_file_writer writer;
    throng_result result = thg_file_begin(path, &writer, error);
    if (result != THRONG_OK) {
        return result;
    }
    throng_vec2 origin = throng_map_origin(map);
    char cell[32], x[32], y[32];
    thg_number_write(cell, (double)throng_map_cell_size(map), 9);
    thg_number_write(x, (double)origin.x, 6);
    thg_number_write(y, (double)origin.y, 6);
    fprintf(writer.file,
            "image: \"%s\"\nmode: trinary\nresolution: %s\norigin: [%s, %s, 0]\nnegate: 0\n"
            "occupied_thresh: 0.65\nfree_thresh: 0.25\n",
            image, cell, x, y);
    return thg_file_commit(&writer, error);
}

/// The picture first: a yaml without its picture would be a broken map.
static throng_result save_yaml(const throng_map *map, const char *path, throng_error *error)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(path, '.');
    size_t stem = (size_t)(dot - path);
    char *picture = malloc(stem + 5);
    if (picture == NULL) {
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for a file name");
    }
    memcpy(picture, path, stem);
    memcpy(picture + stem, ".pgm", 5);
    throng_result result = THRONG_OK;
    const char *name = slash != NULL ? picture + (slash + 1 - path) : picture;
    if (strpbrk(name, "\"\n\r\\") != NULL) {
        result =
            thg_file_fail(error, THRONG_BAD_ARGUMENT, path, 0, 0,
                          "a yaml cannot name a picture with a quote or line break in its name");
    }
    if (result == THRONG_OK) {
        result = save_pgm(map, picture, true, error);
    }
    if (result == THRONG_OK) {
        result = write_yaml(map, path, name, error);
    }
    free(picture);
    return result;
}

throng_result throng_map_save(const throng_map *map, const char *path, throng_error *error)
{
    if (thg_path_ends(path, ".map")) {
        return save_text(map, path, error);
    }
    if (thg_path_ends(path, ".png")) {
        return save_png(map, path, error);
    }
    if (thg_path_ends(path, ".pgm")) {
        return save_pgm(map, path, false, error);
    }
    if (thg_path_ends(path, ".yaml")) {
        return save_yaml(map, path, error);
    }
    return thg_file_fail(error, THRONG_BAD_ARGUMENT, path, 0, 0,
                         "has no ending of a map: expected .map, .png, .pgm or .yaml");
}
