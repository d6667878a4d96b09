/// What every file format of libthrong_io uses: whole reads, atomic writes, errors with a place,
/// and numbers that no locale changes.
#ifndef THG_FILE_H
#define THG_FILE_H

#include <stdio.h>
#include <throng/base.h>

/// A whole file in memory. `data` is never NULL after a successful read and ends in a 0 byte that
/// `size` does not count.
typedef struct thg_bytes {
    uint8_t *data;
    size_t size;
} thg_bytes;

/// Fills *error (may be NULL) with the file's name, cut at the front when too long. `line` and
/// `column` 0: none. Returns `result`.
__attribute__((format(printf, 6, 7))) throng_result
thg_file_fail(throng_error *error, throng_result result, const char *path, int line, int column,
              const char *format, ...);

/// Puts the file's name into an error that has none.
void thg_file_name_error(throng_error *error, const char *path);

/// Reads a regular file of at most `limit` bytes. Never blocks on a pipe or device: those are
/// refused unopened. THRONG_CANNOT_READ, THRONG_BAD_DATA (too long), THRONG_NO_MEMORY.
throng_result thg_file_read(const char *path, size_t limit, thg_bytes *bytes, throng_error *error);
void thg_bytes_free(thg_bytes *bytes);

/// A name beside `path`, free at the moment; from malloc, NULL without memory.
char *thg_file_beside(const char *path);

/// A file that gets its name only when it is whole.
typedef struct thg_file_writer {
    FILE *file;
    char *path, *beside;
} thg_file_writer;

throng_result thg_file_begin(const char *path, thg_file_writer *writer, throng_error *error);
/// Closes and renames. Whatever went wrong on the way leaves what was at `path` before.
throng_result thg_file_commit(thg_file_writer *writer, throng_error *error);
/// Closes and removes. Fine on a writer that is already done.
void thg_file_cancel(thg_file_writer *writer);

/// True when `path` ends in `ending`, letters of either case.
bool thg_path_ends(const char *path, const char *ending);

/// `name` as seen from the folder of `path`: itself when absolute. From malloc, NULL without
/// memory.
char *thg_path_relative(const char *path, const char *name);

/// Reads a decimal number (sign, digits, point, exponent) at *at and moves *at behind it. False for
/// anything else, NaN, infinities and overflow included. At most 1 ulp off for 17 digits and more.
bool thg_number_read(const char **at, const char *end, double *value);

/// A decimal whole number in [low, high], likewise.
bool thg_whole_read(const char **at, const char *end, long low, long high, long *value);

/// Writes `value` with `decimals` digits [0, 9] behind a point and a terminating 0, in at most 32
/// bytes; |value| <= 1e9. Returns the length.
int thg_number_write(char *text, double value, int decimals);

#endif
