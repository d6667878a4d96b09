/// Routes: the ways in which a crowd finds out where to go, and which is right when.
///
/// All answer the same question: which way, and how far, from a position, for a class.
/// - field: one field over the whole map per goal and class. Work once, whoever asks.
/// - tiles: fields only in the sectors on the ways of those who go there, and round them.
/// - path: a line of its own for each agent.
/// - rooms: the costs of the doors between rooms, once per goal and class, and a field in each room
///   that somebody is in. Rooms are what 32 x 32 cells of the map hold, doors the openings between.
#ifndef THRONG_ROUTE_H
#define THRONG_ROUTE_H

#include <throng/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum throng_route_method {
    THRONG_ROUTE_AUTO = 0, ///< throng_route_choose decides with the first order
    THRONG_ROUTE_FIELD,
    THRONG_ROUTE_TILES, ///< of eikonal crowds; others take fields
    THRONG_ROUTE_PATH,  ///< the same
    THRONG_ROUTE_ROOMS  ///< the same
} throng_route_method;

/// "auto", "field", "tiles", "path", "rooms".
THRONG_API const char *throng_route_name(throng_route_method method);

typedef struct throng_route_facts {
    double cells;   ///< of the map
    double clutter; ///< share of neighbouring cells of which the class fits in one alone. [0, 1]
    double goals;   ///< that are in use, this one included
    double agents;  ///< that go to this goal; 0: not known, which counts as ten thousand
} throng_route_facts;

/// The method that gives every agent of a goal its direction with the least work, by what was
/// measured (throng bench routes), in nanoseconds, where agents come in groups of up to 64 that
/// stand together:
/// - field: 40 a cell of the map;
/// - path: for each agent 2,000 and 9 a cell of the map's side, and for each tenth of clutter
///   300,000 and 600 a cell of the side;
/// - tiles: a path for each group, and 45 a cell of the corridors: each five sectors of 32 wide and
///   half the map's side long, at least as long as wide; of several much is the same. Each tenth of
///   clutter beyond the first adds twice that: where ways wind, tiles are gone back to.
/// Tiles must fit in 2.5 million cells, fields of all goals together in 2^30; else the next best is
/// taken. Pure arithmetic: the same everywhere.
THRONG_API throng_route_method throng_route_choose(const throng_route_facts *facts);

#ifdef __cplusplus
}
#endif

#endif
