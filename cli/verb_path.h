/// The two halves of throng path.
#ifndef VERB_PATH_H
#define VERB_PATH_H

#include "cli.h"

/// One path that is asked for.
typedef struct path_route {
    throng_vec2 from, to; ///< metres
    const char *out;      ///< picture; NULL none
    double cell, radius;  ///< metres
    bool json;
} path_route;

/// Finds, prints and draws it. An exit status: 1 when no way leads there.
int cli_path_route(const path_route *wanted, const char *map_path);

#endif
