/// Fuzzes every reader of map files: the first byte picks one, the rest is the file.
///
/// Beside the sanitizers' own checks: a failure fills the error and leaves nothing, a success makes
/// a map of a lawful size.
#include "map_image.h"
#include <stdlib.h>
#include <string.h>

static void check(bool right)
{
    if (!right) {
        abort();
    }
}

static void check_error(throng_result result, const throng_error *error)
{
    check(result == error->result && error->text[0] != '\0' && strchr(error->text, '\n') == NULL);
}

static void try_map(int reader, const thg_bytes *bytes, throng_error *error)
{
    throng_map_def def = throng_default_map_def();
    throng_map *map = NULL;
    throng_result result =
        reader == 0
            ? thg_yaml_load(bytes, "no/such/folder/fuzz.yaml", &def, &map, error)
            : throng_map_from_text((const char *)bytes->data, bytes->size, &def, &map, error);
    if (result != THRONG_OK) {
        check(map == NULL);
        check_error(result, error);
        return;
    }
    check(thg_image_size_fits((unsigned long)throng_map_width(map),
                              (unsigned long)throng_map_height(map)));
    throng_map_destroy(map);
}

static void try_image(bool png, const thg_bytes *bytes, throng_error *error)
{
    thg_image image;
    throng_result result = png ? thg_png_decode(bytes, "fuzz", &image, error)
                               : thg_pgm_decode(bytes, "fuzz", &image, error);
    if (result != THRONG_OK) {
        check(image.pixels == NULL);
        check_error(result, error);
        return;
    }
    check(thg_image_size_fits((unsigned long)image.width, (unsigned long)image.height));
    thg_image_grey(&image, (size_t)image.width * (size_t)image.height - 1);
    thg_image_free(&image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) {
        return 0;
    }
    thg_bytes bytes = {malloc(size), size - 1};
    if (bytes.data == NULL) {
        return 0;
    }
    memcpy(bytes.data, data + 1, size - 1);
    bytes.data[size - 1] = 0;
    throng_error error;
    memset(&error, 0, sizeof error);
    int reader = data[0] % 5;
    if (reader < 2) {
        try_map(reader, &bytes, &error);
    } else if (reader < 4) {
        // As in throng_map_load, only what starts as a PGM reaches its reader.
        if (reader == 2 || thg_is_pgm(&bytes)) {
            try_image(reader == 2, &bytes, &error);
        }
    } else {
        throng_scenario scenario;
        throng_result result = thg_scenario_read(&bytes, "fuzz", &scenario, &error);
        if (result != THRONG_OK) {
            check(scenario.rows == NULL);
            check_error(result, &error);
        }
        throng_scenario_free(&scenario);
    }
    check(throng_live_bytes() == 0);
    thg_bytes_free(&bytes);
    return 0;
}
