/// Tiles and paths in snapshots.
#ifndef THG_SNAPSHOT_ROUTES_H
#define THG_SNAPSHOT_ROUTES_H

#include "crowd/routes.h"
#include "replay/stream.h"

/// Tiles, their contents, and the ways of agents; after goals and agents. THRONG_BAD_DATA.
throng_result thg_stream_routes(thg_stream *stream, throng_crowd *crowd);

/// Once the map has its terrain: says of what map the tiles are, and takes the work that was under
/// way to where it stood.
void thg_routes_restored(throng_crowd *crowd, bool map_pending);

#endif
