/// Snapshots in files: written beside and renamed, so that a failed save leaves the old file whole.
#include "core/core.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <throng/replay.h>

#define MAX_SNAPSHOT ((size_t)1 << 36)

/// Names the file in an error that may have no other place.
static throng_result fail_in(throng_error *error, throng_result result, const char *path,
                             const char *what)
{
    thg_fail(error, result, 0, 0, "%s: %s", what, strerror(errno));
    if (error != NULL) {
        snprintf(error->file, sizeof error->file, "%s", path);
    }
    return result;
}

throng_result throng_crowd_save(const throng_crowd *crowd, const char *path, throng_error *error)
{
    void *data = NULL;
    size_t size = 0;
    throng_result result = throng_crowd_snapshot(crowd, &data, &size);
    if (result != THRONG_OK) {
        return thg_fail(error, result, 0, 0, "no memory for a snapshot");
    }
    char beside[4096];
    int length = snprintf(beside, sizeof beside, "%s.part", path);
    if (length < 0 || (size_t)length >= sizeof beside) {
        throng_snapshot_free(data, size);
        errno = ENAMETOOLONG;
        return fail_in(error, THRONG_CANNOT_WRITE, path, "cannot write the snapshot");
    }
    FILE *file = fopen(beside, "wb");
    bool written = file != NULL && fwrite(data, 1, size, file) == size;
    int reason = errno;
    if (file != NULL && fclose(file) != 0) {
        reason = errno;
        written = false;
    }
    throng_snapshot_free(data, size);
    if (written && rename(beside, path) == 0) {
        return THRONG_OK;
    }
    errno = written ? errno : reason;
    result = fail_in(error, THRONG_CANNOT_WRITE, path, "cannot write the snapshot");
    if (file != NULL) {
        remove(beside);
    }
    return result;
}

/// Size of an open file, or false for what is no regular file of a sensible size.
static bool file_size(FILE *file, size_t *size)
{
    if (fseek(file, 0, SEEK_END) != 0) {
        return false;
    }
    long end = ftell(file);
    if (end < 0 || (unsigned long)end > MAX_SNAPSHOT || fseek(file, 0, SEEK_SET) != 0) {
        errno = EFBIG; // a directory, for one, says LONG_MAX
        return false;
    }
    *size = (size_t)end;
    return true;
}

throng_result throng_crowd_load(throng_crowd *crowd, const char *path, throng_error *error)
{
    size_t size = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL || !file_size(file, &size)) {
        throng_result result = fail_in(error, THRONG_CANNOT_READ, path, "cannot read the snapshot");
        if (file != NULL) {
            fclose(file);
        }
        return result;
    }
    unsigned char *data = thg_allocate(size, 1);
    bool whole = data != NULL && fread(data, 1, size, file) == size;
    throng_result result;
    if (whole) {
        result = throng_crowd_restore(crowd, data, size, error);
    } else if (data == NULL) {
        errno = ENOMEM;
        result = fail_in(error, THRONG_NO_MEMORY, path, "cannot read the snapshot");
    } else {
        result = fail_in(error, THRONG_CANNOT_READ, path, "cannot read the snapshot");
    }
    if (result != THRONG_OK && error != NULL && error->file[0] == '\0') {
        snprintf(error->file, sizeof error->file, "%s", path);
    }
    fclose(file);
    thg_release(data, size, 1);
    return result;
}
