/// A byte stream that counts, writes or reads, so that a format is written down once.
#ifndef THG_STREAM_H
#define THG_STREAM_H

#include "core/core.h"
#include <string.h>

typedef enum thg_stream_mode {
    THG_STREAM_COUNT,
    THG_STREAM_WRITE,
    THG_STREAM_READ
} thg_stream_mode;

typedef struct thg_stream {
    thg_stream_mode mode;
    unsigned char *data; ///< NULL when counting
    size_t size, at;
    bool short_of_data; ///< a read went past the end; what it gave is zero
    bool map_pending;   ///< the map was edited since the crowd's last step
} thg_stream;

/// Moves `size` bytes between the stream and memory. Numbers are little-endian, as they lie in
/// memory on every machine the library is built for.
static inline void thg_stream_bytes(thg_stream *stream, void *memory, size_t size)
{
    if (size == 0) {
        return;
    }
    if (stream->mode == THG_STREAM_WRITE) {
        memcpy(stream->data + stream->at, memory, size);
    } else if (stream->mode == THG_STREAM_READ) {
        if (size > stream->size - stream->at) {
            stream->short_of_data = true;
            memset(memory, 0, size);
            return;
        }
        memcpy(memory, stream->data + stream->at, size);
    }
    stream->at += size;
}

#define THG_STREAM(stream, variable) thg_stream_bytes(stream, &(variable), sizeof(variable))

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "snapshots are little-endian: swap bytes in thg_stream_bytes for this machine"
#endif

#endif
