/// PNG through libpng: any kind in (grey, palette, 16 bits, interlaced, transparent), 8 bits out.
///
/// Pixel values are taken as they are stored; gamma and colour profiles are ignored, for a map's
/// grey is a number, not a shade. libpng leaves by longjmp, so everything that must outlive the
/// jump lies in a struct that the caller owns.
#include "map_image.h"
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct png_job {
    const thg_bytes *bytes;
    size_t at;
    FILE *file; // of a write
    png_structp png;
    png_infop info;
    png_bytep *rows;
    thg_image image;
    bool no_memory;
    char message[200];
} png_job;

bool thg_is_png(const thg_bytes *bytes)
{
    static const uint8_t magic[4] = {0x89, 'P', 'N', 'G'};
    return bytes->size >= 4 && memcmp(bytes->data, magic, 4) == 0;
}

static void on_error(png_structp png, png_const_charp message)
{
    png_job *job = png_get_error_ptr(png);
    snprintf(job->message, sizeof job->message, "%s", message);
    longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_read(png_structp png, png_bytep to, size_t size)
{
    png_job *job = png_get_io_ptr(png);
    if (size > job->bytes->size - job->at) {
        job->at = job->bytes->size;
        png_error(png, "the file ends early");
    }
    memcpy(to, job->bytes->data + job->at, size);
    job->at += size;
}

static void on_write(png_structp png, png_bytep from, size_t size)
{
    png_job *job = png_get_io_ptr(png);
    if (fwrite(from, 1, size, job->file) != size) {
        png_error(png, "writing fails");
    }
}

static void on_flush(png_structp png)
{
    (void)png;
}

/// Reads and checks the header, asks for four bytes a pixel, and takes the memory.
static void prepare(png_job *job)
{
    png_structp png = job->png;
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff); // our own check names the limit
    png_read_info(png, job->info);
    unsigned long width = png_get_image_width(png, job->info);
    unsigned long height = png_get_image_height(png, job->info);
    if (!thg_image_size_fits(width, height)) {
        char text[120];
        snprintf(text, sizeof text, "%lu x %lu pixels are too many: 16384 a side, 67108864 in all",
                 width, height);
        png_error(png, text);
    }
    // Deflate packs at most 1032 bytes into one: a short file cannot hold a large picture.
    size_t row = png_get_rowbytes(png, job->info);
    if (row * height / 1032 > job->bytes->size) {
        png_error(png, "the file is too short for its size in pixels");
    }
    if (png_get_valid(png, job->info, PNG_INFO_tRNS) != 0) {
        png_set_tRNS_to_alpha(png);
    }
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, job->info);
    if (png_get_rowbytes(png, job->info) != width * 4) {
        png_error(png, "an unknown kind of pixels");
    }
    job->image.width = (int)width;
    job->image.height = (int)height;
    job->image.channels = 4;
    job->image.pixels = calloc(width * height, 4);
    job->rows = malloc(height * sizeof *job->rows);
    if (job->image.pixels == NULL || job->rows == NULL) {
        job->no_memory = true;
        png_error(png, "no memory");
    }
    for (unsigned long y = 0; y < height; y++) {
        job->rows[y] = job->image.pixels + y * width * 4;
    }
}

static bool decode(png_job *job)
{
    if (setjmp(png_jmpbuf(job->png)) != 0) {
        return false;
    }
    // A wrong checksum is an error wherever it is: a damaged map is not to be trusted.
    png_set_crc_action(job->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_read_fn(job->png, job, on_read);
    prepare(job);
    png_read_image(job->png, job->rows);
    png_read_end(job->png, NULL);
    return true;
}

throng_result thg_png_decode(const thg_bytes *bytes, const char *path, thg_image *image,
                             throng_error *error)
{
    memset(image, 0, sizeof *image);
    png_job job;
    memset(&job, 0, sizeof job);
    job.bytes = bytes;
    job.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning);
    job.info = job.png != NULL ? png_create_info_struct(job.png) : NULL;
    job.no_memory = job.info == NULL;
    bool decoded = !job.no_memory && decode(&job);
    png_destroy_read_struct(&job.png, &job.info, NULL);
    free(job.rows);
    if (decoded) {
        *image = job.image;
        return THRONG_OK;
    }
    free(job.image.pixels);
    if (job.no_memory) {
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for the picture");
    }
    return thg_file_fail(error, THRONG_BAD_DATA, path, 0, 0, "byte %zu: not a good PNG: %s", job.at,
                         job.message);
}

static bool encode(png_job *job, int width, int height, int channels, const uint8_t *pixels)
{
    if (setjmp(png_jmpbuf(job->png)) != 0) {
        return false;
    }
    png_set_write_fn(job->png, job, on_write, on_flush);
    png_set_IHDR(job->png, job->info, (png_uint_32)width, (png_uint_32)height, 8,
                 channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(job->png, job->info);
    for (int y = 0; y < height; y++) {
        png_write_row(job->png, pixels + (size_t)y * (size_t)width * (size_t)channels);
    }
    png_write_end(job->png, job->info);
    return true;
}

throng_result thg_png_write(const char *path, int width, int height, int channels,
                            const uint8_t *pixels, throng_error *error)
{
    thg_file_writer writer;
    throng_result result = thg_file_begin(path, &writer, error);
    if (result != THRONG_OK) {
        return result;
    }
    png_job job;
    memset(&job, 0, sizeof job);
    job.file = writer.file;
    job.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning);
    job.info = job.png != NULL ? png_create_info_struct(job.png) : NULL;
    bool made = job.info != NULL;
    bool written = made && encode(&job, width, height, channels, pixels);
    png_destroy_write_struct(&job.png, &job.info);
    if (written) {
        return thg_file_commit(&writer, error);
    }
    thg_file_cancel(&writer);
    if (!made) {
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for the picture");
    }
    return thg_file_fail(error, THRONG_CANNOT_WRITE, path, 0, 0, "cannot be written: %s",
                         job.message);
}
