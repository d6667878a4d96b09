/// PGM, the grey format of ROS maps: binary (P5) and plain (P2), 8 and 16 bits, with comments.
#include "map_image.h"
#include <stdlib.h>
#include <string.h>

typedef struct pgm_reader {
    const uint8_t *data;
    size_t size, at;
    const char *path;
    throng_error *error;
} pgm_reader;

bool thg_is_pgm(const thg_bytes *bytes)
{
    return bytes->size >= 3 && bytes->data[0] == 'P' &&
           (bytes->data[1] == '5' || bytes->data[1] == '2') &&
           (strchr(" \t\r\n#", bytes->data[2]) != NULL && bytes->data[2] != 0);
}

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_spaces(pgm_reader *in)
{
    while (in->at < in->size) {
        if (in->data[in->at] == '#') {
            while (in->at < in->size && in->data[in->at] != '\n') {
                in->at++;
            }
        } else if (is_space(in->data[in->at])) {
            in->at++;
        } else {
            return;
        }
    }
}

/// The next whole number, which must lie in [low, high].
static throng_result read_number(pgm_reader *in, const char *what, long low, long high, long *value)
{
    skip_spaces(in);
    const char *at = (const char *)in->data + in->at;
    const char *end = (const char *)in->data + in->size;
    if (at == end) {
        return thg_file_fail(in->error, THRONG_BAD_DATA, in->path, 0, 0,
                             "byte %zu: the file ends where %s was expected", in->at, what);
    }
    if (!thg_whole_read(&at, end, low, high, value)) {
        return thg_file_fail(in->error, THRONG_BAD_DATA, in->path, 0, 0,
                             "byte %zu: %s must be a whole number from %ld to %ld", in->at, what,
                             low, high);
    }
    in->at = (size_t)(at - (const char *)in->data);
    return THRONG_OK;
}

static throng_result read_binary(pgm_reader *in, long top, size_t count, uint8_t *pixels)
{
    size_t bytes = top > 255 ? 2 : 1;
    if (in->at >= in->size || !is_space(in->data[in->at])) {
        return thg_file_fail(in->error, THRONG_BAD_DATA, in->path, 0, 0,
                             "byte %zu: expected one white space before the pixels", in->at);
    }
    in->at++;
    if ((in->size - in->at) / bytes < count) {
        return thg_file_fail(in->error, THRONG_BAD_DATA, in->path, 0, 0,
                             "byte %zu: the file ends after %zu of %zu pixels", in->size,
                             (in->size - in->at) / bytes, count);
    }
    const uint8_t *from = in->data + in->at;
    for (size_t i = 0; i < count; i++) {
        long value = bytes == 2 ? from[2 * i] * 256L + from[2 * i + 1] : from[i];
        if (value > top) {
            return thg_file_fail(in->error, THRONG_BAD_DATA, in->path, 0, 0,
                                 "byte %zu: pixel %zu is %ld, the most is %ld", in->at + bytes * i,
                                 i, value, top);
        }
        pixels[i] = (uint8_t)(top == 255 ? value : (value * 255 + top / 2) / top);
    }
    return THRONG_OK;
}

static throng_result read_plain(pgm_reader *in, long top, size_t count, uint8_t *pixels)
{
    for (size_t i = 0; i < count; i++) {
        long value = 0;
        throng_result result = read_number(in, "a pixel", 0, top, &value);
        if (result != THRONG_OK) {
            return result;
        }
        if (in->at < in->size && !is_space(in->data[in->at]) && in->data[in->at] != '#') {
            return thg_file_fail(in->error, THRONG_BAD_DATA, in->path, 0, 0,
                                 "byte %zu: byte 0x%02X after a pixel, expected white space",
                                 in->at, (unsigned)in->data[in->at]);
        }
        pixels[i] = (uint8_t)((value * 255 + top / 2) / top);
    }
    return THRONG_OK;
}

throng_result thg_pgm_decode(const thg_bytes *bytes, const char *path, thg_image *image,
                             throng_error *error)
{
    memset(image, 0, sizeof *image);
    pgm_reader in = {bytes->data, bytes->size, 2, path, error};
    long width = 0;
    long height = 0;
    long top = 0;
    throng_result result = read_number(&in, "the width", 1, THRONG_MAX_MAP_SIDE, &width);
    if (result == THRONG_OK) {
        result = read_number(&in, "the height", 1, THRONG_MAX_MAP_SIDE, &height);
    }
    if (result == THRONG_OK) {
        result = read_number(&in, "the largest grey value", 1, 65535, &top);
    }
    if (result != THRONG_OK) {
        return result;
    }
    if (!thg_image_size_fits((unsigned long)width, (unsigned long)height)) {
        return thg_file_fail(error, THRONG_BAD_DATA, path, 0, 0,
                             "%ld x %ld pixels are more than %zu", width, height, THG_MAX_CELLS);
    }
    size_t count = (size_t)width * (size_t)height;
    if (count > bytes->size) { // before memory is taken for what a header claims
        return thg_file_fail(error, THRONG_BAD_DATA, path, 0, 0,
                             "byte %zu: the file ends before its %zu pixels", bytes->size, count);
    }
    uint8_t *pixels = malloc(count);
    if (pixels == NULL) {
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for %zu pixels",
                             count);
    }
    bool binary = bytes->data[1] == '5';
    result = binary ? read_binary(&in, top, count, pixels) : read_plain(&in, top, count, pixels);
    if (result != THRONG_OK) {
        free(pixels);
        return result;
    }
    *image = (thg_image){(int)width, (int)height, 1, pixels};
    return THRONG_OK;
}
