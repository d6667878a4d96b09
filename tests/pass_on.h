/// Worlds that are passed on by a snapshot.
#ifndef PASS_ON_H
#define PASS_ON_H

#include "test.h"
#include <throng/replay.h>

/// Restores a snapshot of one crowd in another, which may be itself; both then have the same hash.
static inline void pass_on(const throng_crowd *from, throng_crowd *into)
{
    void *data = NULL;
    size_t size = 0;
    throng_error error = {0};
    assert_ok(throng_crowd_snapshot(from, &data, &size));
    assert_ok_or(throng_crowd_restore(into, data, size, &error), &error);
    throng_snapshot_free(data, size);
    assert_int_equal(throng_crowd_hash(into), throng_crowd_hash(from));
}

#endif
