/// Words every header shares: results and errors, vectors, memory hooks, asserts.
///
/// Units are SI (metres, seconds, radians) unless a name says otherwise. Counts and indices are
/// int. The world is flat: +x runs along a map row, +y from row to row; row 0 is drawn at the top.
#ifndef THRONG_BASE_H
#define THRONG_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(THRONG_SHARED)
#ifdef THRONG_BUILD
#define THRONG_API __declspec(dllexport)
#else
#define THRONG_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define THRONG_API __attribute__((visibility("default")))
#else
#define THRONG_API
#endif

#define THRONG_VERSION_MAJOR 0
#define THRONG_VERSION_MINOR 1
#define THRONG_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended. The caller's own bugs are asserts; these are the world's.
typedef enum throng_result {
    THRONG_OK = 0,
    THRONG_NO_MEMORY,    ///< an allocation failed; nothing was changed
    THRONG_BAD_ARGUMENT, ///< a value outside its documented range; nothing was changed
    THRONG_BAD_DATA,     ///< a file or buffer is malformed; nothing was changed
    THRONG_CANNOT_READ,  ///< the operating system refused a read
    THRONG_CANNOT_WRITE, ///< the operating system refused a write
    THRONG_STALE_ID,     ///< the id names nothing any more
    THRONG_LIMIT,        ///< a documented limit (max_agents, max_goals ...) is reached
    THRONG_UNREACHABLE   ///< no way leads there
} throng_result;

/// A short lower-case English name of a result, e.g. "no memory". Never NULL.
THRONG_API const char *throng_result_name(throng_result result);

/// What went wrong, for people. Filled only when a call fails; every part may be empty.
typedef struct throng_error {
    throng_result result;
    int line;       ///< 1-based line of the file, 0 when there is none
    int column;     ///< 1-based column, 0 when there is none
    char file[256]; ///< the file, cut at the front when longer; empty when there is none
    char text[512]; ///< one sentence: what was found, what was expected
} throng_error;

typedef struct throng_vec2 {
    float x, y;
} throng_vec2;

/// An axis-aligned rectangle in metres; min is inside, max is outside.
typedef struct throng_rect {
    throng_vec2 min, max;
} throng_rect;

/// A rectangle of cells: columns x .. x + width - 1, rows y .. y + height - 1.
typedef struct throng_cell_rect {
    int x, y, width, height;
} throng_cell_rect;

/// The pair of hooks through which all memory of the library comes.
/// `allocate` returns 64-byte aligned memory or NULL; `release` gets the same size back.
/// Both may be called from the thread that calls the library, never from its workers.
typedef struct throng_memory_hooks {
    void *(*allocate)(size_t size, void *context);
    void (*release)(void *memory, size_t size, void *context);
    void *context;
} throng_memory_hooks;

/// Replaces the hooks of the whole process; NULL restores the C library's. Call it while nothing of
/// the library is alive.
THRONG_API void throng_set_memory_hooks(const throng_memory_hooks *hooks);

/// Bytes that are allocated now, and how many allocations were ever made. Both count exactly.
THRONG_API size_t throng_live_bytes(void);
THRONG_API uint64_t throng_allocation_count(void);

/// Called when a THRONG_ASSERT fails (Debug and RelWithDebInfo builds). The default prints and
/// aborts.
typedef void throng_assert_handler(const char *expression, const char *file, int line);
THRONG_API void throng_set_assert_handler(throng_assert_handler *handler);

/// "0.1.0"; compare with the THRONG_VERSION_ macros to find a header that does not fit the library.
THRONG_API const char *throng_version(void);

#ifdef __cplusplus
}
#endif

#endif
