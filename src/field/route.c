/// Which method is right when. See route.h of the doors.
#include <math.h>
#include <throng/route.h>

#define FIELD_CELL 40.0
#define TILE_CELL 75.0
#define CORRIDOR_WIDTH 160.0
#define MOST_CORRIDORS 8.0
#define PATH_START 150000.0
#define PATH_CELL 250.0
#define MOST_FIELD_CELLS 1073741824.0
#define UNKNOWN_AGENTS 1000.0

const char *throng_route_name(throng_route_method method)
{
    static const char *const names[] = {"auto", "field", "tiles", "path"};
    return names[method];
}

throng_route_method throng_route_choose(const throng_route_facts *facts)
{
    double agents = facts->agents > 0.0 ? facts->agents : UNKNOWN_AGENTS;
    double side = sqrt(facts->cells);
    double corridors = agents < MOST_CORRIDORS ? agents : MOST_CORRIDORS;
    double covered = corridors * CORRIDOR_WIDTH * 0.7 * side;
    covered = covered < facts->cells ? covered : facts->cells;
    double path = PATH_START + PATH_CELL * side;
    double field_work = FIELD_CELL * facts->cells;
    double tiles_work = TILE_CELL * covered + corridors * path;
    double path_work = agents * path;
    bool roomy = facts->cells * facts->goals <= MOST_FIELD_CELLS;
    if (roomy && field_work <= tiles_work && field_work <= path_work) {
        return THRONG_ROUTE_FIELD;
    }
    return tiles_work <= path_work ? THRONG_ROUTE_TILES : THRONG_ROUTE_PATH;
}
