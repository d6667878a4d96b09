/// Files that tests make in a folder of their own, and take away.
#ifndef TEMP_FILES_H
#define TEMP_FILES_H

#include "test.h"
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char temp_folder[64];

static inline int temp_make(void **state)
{
    (void)state;
    snprintf(temp_folder, sizeof temp_folder, "throng_test_XXXXXX");
    return mkdtemp(temp_folder) != NULL ? 0 : -1;
}

/// Path of a file in the folder; four calls may be in use at once.
static inline const char *temp_path(const char *name)
{
    static char paths[4][512];
    static int next;
    next = (next + 1) & 3;
    snprintf(paths[next], sizeof paths[next], "%s/%s", temp_folder, name);
    return paths[next];
}

static inline const char *temp_write(const char *name, const void *data, size_t size)
{
    const char *path = temp_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *temp_write_text(const char *name, const char *text)
{
    return temp_write(name, text, strlen(text));
}

/// Bytes of a file in memory that the caller frees; a 0 byte follows them.
static inline char *temp_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    char *data = malloc((size_t)length + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, (size_t)length, file), length);
    data[length] = '\0';
    fclose(file);
    if (size != NULL) {
        *size = (size_t)length;
    }
    return data;
}

/// Files in the folder; what a failed save may not add to.
static inline int temp_count(void)
{
    DIR *folder = opendir(temp_folder);
    int count = 0;
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return count;
}

static inline int temp_remove(void **state)
{
    (void)state;
    DIR *folder = opendir(temp_folder);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        const char *path = temp_path(entry->d_name);
        if (entry->d_name[0] != '.' && remove(path) != 0) {
            print_error("cannot remove %s\n", path);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return rmdir(temp_folder);
}

#endif
