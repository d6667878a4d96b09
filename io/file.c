/// Files: read whole after a look at what they are, written beside and renamed.
#include "file.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void thg_file_name_error(throng_error *error, const char *path)
{
    if (error == NULL || error->file[0] != '\0') {
        return;
    }
    size_t length = strlen(path);
    size_t room = sizeof error->file - 1;
    if (length <= room) {
        memcpy(error->file, path, length + 1);
    } else {
        memcpy(error->file, "...", 3);
        memcpy(error->file + 3, path + length - (room - 3), room - 3 + 1);
    }
}

throng_result thg_file_fail(throng_error *error, throng_result result, const char *path, int line,
                            int column, const char *format, ...)
{
    if (error == NULL) {
        return result;
    }
    error->result = result;
    error->line = line;
    error->column = column;
    error->file[0] = '\0';
    thg_file_name_error(error, path);
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(error->text, sizeof error->text, format, arguments) < 0) {
        error->text[0] = '\0';
    }
    va_end(arguments);
    return result;
}

/// Refuses what is no regular file before it is opened: opening a pipe would wait for ever.
static throng_result check_kind(const char *path, size_t limit, size_t *size, throng_error *error)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return thg_file_fail(error, THRONG_CANNOT_READ, path, 0, 0, "cannot be read: %s",
                             strerror(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        return thg_file_fail(error, THRONG_CANNOT_READ, path, 0, 0,
                             "is a directory, expected a file");
    }
    if (!S_ISREG(status.st_mode)) {
        return thg_file_fail(error, THRONG_CANNOT_READ, path, 0, 0, "is no regular file");
    }
    if (status.st_size < 0 || (uintmax_t)status.st_size > limit) {
        return thg_file_fail(error, THRONG_BAD_DATA, path, 0, 0,
                             "has %lld bytes, at most %zu are read", (long long)status.st_size,
                             limit);
    }
    *size = (size_t)status.st_size;
    return THRONG_OK;
}

throng_result thg_file_read(const char *path, size_t limit, thg_bytes *bytes, throng_error *error)
{
    bytes->data = NULL;
    bytes->size = 0;
    size_t size = 0;
    throng_result result = check_kind(path, limit, &size, error);
    if (result != THRONG_OK) {
        return result;
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return thg_file_fail(error, THRONG_CANNOT_READ, path, 0, 0, "cannot be read: %s",
                             strerror(errno));
    }
    uint8_t *data = malloc(size + 1);
    if (data == NULL) {
        fclose(file);
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for %zu bytes", size);
    }
    size_t read = fread(data, 1, size, file);
    bool failed = ferror(file) != 0;
    int reason = errno;
    fclose(file);
    if (failed) {
        free(data);
        return thg_file_fail(error, THRONG_CANNOT_READ, path, 0, 0, "reading fails at byte %zu: %s",
                             read, strerror(reason));
    }
    data[read] = 0; // a file that shrank meanwhile counts as it is now
    bytes->data = data;
    bytes->size = read;
    return THRONG_OK;
}

void thg_bytes_free(thg_bytes *bytes)
{
    free(bytes->data);
    bytes->data = NULL;
    bytes->size = 0;
}

static char *copy_text(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *thg_file_beside(const char *path)
{
    size_t size = strlen(path) + 24;
    char *name = malloc(size);
    for (int i = 0; name != NULL && i < 10000; i++) {
        snprintf(name, size, "%s.part%d", path, i);
        struct stat status;
        if (stat(name, &status) != 0) {
            break;
        }
    }
    return name;
}

throng_result thg_file_begin(const char *path, thg_file_writer *writer, throng_error *error)
{
    memset(writer, 0, sizeof *writer);
    writer->path = copy_text(path, strlen(path));
    for (int i = 0; i < 100 && writer->file == NULL; i++) {
        free(writer->beside);
        writer->beside = thg_file_beside(path);
        if (writer->path == NULL || writer->beside == NULL) {
            thg_file_cancel(writer);
            return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for a file name");
        }
        // Exclusive: another thread or process may take the same free name.
        writer->file = fopen(writer->beside, "wbx");
        if (writer->file == NULL && errno != EEXIST) {
            break;
        }
    }
    if (writer->file == NULL) {
        int reason = errno;
        thg_file_cancel(writer);
        return thg_file_fail(error, THRONG_CANNOT_WRITE, path, 0, 0, "cannot be written: %s",
                             strerror(reason));
    }
    return THRONG_OK;
}

throng_result thg_file_commit(thg_file_writer *writer, throng_error *error)
{
    errno = 0;
    bool written = ferror(writer->file) == 0;
    int reason = written ? 0 : ENOSPC;
    if (fclose(writer->file) != 0) {
        written = false;
        reason = errno;
    }
    writer->file = NULL;
    throng_result result = THRONG_OK;
    if (!written || rename(writer->beside, writer->path) != 0) {
        reason = written ? errno : reason;
        remove(writer->beside);
        result = thg_file_fail(error, THRONG_CANNOT_WRITE, writer->path, 0, 0,
                               "cannot be written: %s", strerror(reason));
    }
    free(writer->beside);
    free(writer->path);
    memset(writer, 0, sizeof *writer);
    return result;
}

void thg_file_cancel(thg_file_writer *writer)
{
    if (writer->file != NULL) {
        fclose(writer->file);
        remove(writer->beside);
    }
    free(writer->beside);
    free(writer->path);
    memset(writer, 0, sizeof *writer);
}

bool thg_path_ends(const char *path, const char *ending)
{
    size_t length = strlen(path);
    size_t wanted = strlen(ending);
    if (length < wanted) {
        return false;
    }
    for (size_t i = 0; i < wanted; i++) {
        char c = path[length - wanted + i];
        c = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        if (c != ending[i]) {
            return false;
        }
    }
    return true;
}

char *thg_path_relative(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    if (name[0] == '/' || slash == NULL) {
        return copy_text(name, strlen(name));
    }
    size_t folder = (size_t)(slash - path) + 1;
    size_t length = strlen(name);
    char *joined = malloc(folder + length + 1);
    if (joined != NULL) {
        memcpy(joined, path, folder);
        memcpy(joined + folder, name, length + 1);
    }
    return joined;
}
