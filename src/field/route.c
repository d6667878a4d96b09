/// Which method is right when. See route.h of the doors.
#include <math.h>
#include <throng/route.h>

#define FIELD_CELL 40.0
#define TILE_CELL 45.0
#define WINDING 2.0 ///< more for each tenth of clutter beyond the first: tiles are gone back to
#define CORRIDOR_WIDTH 160.0
#define CORRIDOR_LENGTH 0.5 ///< of the map's side
#define GROUP 64.0          ///< agents that stand together
#define PATH_START 2000.0
#define PATH_CELL 9.0
#define CLUTTER_START 300000.0
#define CLUTTER_CELL 600.0
#define CLUTTER_UNIT 0.1
#define MOST_FIELD_CELLS 1073741824.0
#define MOST_TILE_CELLS 2.5e6
#define UNKNOWN_AGENTS 10000.0

const char *throng_route_name(throng_route_method method)
{
    static const char *const names[] = {"auto", "field", "tiles", "path", "rooms"};
    return names[method];
}

throng_route_method throng_route_choose(const throng_route_facts *facts)
{
    double agents = facts->agents > 0.0 ? facts->agents : UNKNOWN_AGENTS;
    double groups = agents > GROUP ? agents / GROUP : 1.0;
    double side = sqrt(facts->cells);
    double path = PATH_START + PATH_CELL * side +
                  facts->clutter / CLUTTER_UNIT * (CLUTTER_START + CLUTTER_CELL * side);
    double length =
        CORRIDOR_LENGTH * side > CORRIDOR_WIDTH ? CORRIDOR_LENGTH * side : CORRIDOR_WIDTH;
    double one = CORRIDOR_WIDTH * length < facts->cells ? CORRIDOR_WIDTH * length : facts->cells;
    // The corridors of several groups lie over each other.
    double covered = groups * one / (1.0 + (groups - 1.0) * one / facts->cells);
    double path_work = agents * path;
    double winding = facts->clutter > CLUTTER_UNIT ? facts->clutter / CLUTTER_UNIT - 1.0 : 0.0;
    double tiles_work = groups * path + TILE_CELL * (1.0 + WINDING * winding) * covered;
    double field_work = FIELD_CELL * facts->cells;
    bool field_fits = facts->cells * facts->goals <= MOST_FIELD_CELLS;
    bool tiles_fit = covered <= MOST_TILE_CELLS;
    throng_route_method best = THRONG_ROUTE_PATH;
    double least = path_work;
    if (tiles_fit && tiles_work < least) {
        best = THRONG_ROUTE_TILES;
        least = tiles_work;
    }
    return field_fits && field_work <= least ? THRONG_ROUTE_FIELD : best;
}
