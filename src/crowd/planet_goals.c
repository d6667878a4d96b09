/// Goals on a planet, as an agent sees them: along great circles.
#include "crowd/planet.h"
#include <float.h>
#include <math.h>

float thg_planet_nearest_point(const throng_crowd *crowd, int row, throng_vec2 *point)
{
    const throng_planet *planet = crowd->map->planet;
    const thg_goal *goal = &crowd->goals[crowd->columns.goal[row]];
    int class_index = crowd->profiles[crowd->columns.profile[row]].way_class;
    const thg_goal_field *field = &goal->fields[class_index];
    // Where the field leads: a point in a wall has moved to the nearest place that fits.
    bool settled = field->solved_for != 0 && !thg_goal_has_moved(goal, field);
    float best = FLT_MAX;
    for (int i = 0; i < goal->def.shape.point_count; i++) {
        const thg_planet_shown *shown = settled ? &field->sphere->shown : NULL;
        throng_vec2 at = settled ? shown->points[i] : goal->def.shape.points[i], way;
        thg_vec3 place = settled ? shown->goals[i] : thg_planet_spot(planet, at.x, at.y).place;
        thg_planet_see(planet, &crowd->derived.spots[row], place, &way.x, &way.y);
        float square = way.x * way.x + way.y * way.y;
        if (square < best) {
            best = square;
            *point = at;
        }
    }
    return best;
}

bool thg_planet_goal_in_sight(const throng_crowd *crowd, int row, throng_vec2 to, float cells,
                              throng_vec2 *way)
{
    const throng_planet *planet = crowd->map->planet;
    int class_index = crowd->profiles[crowd->columns.profile[row]].def.class_index;
    throng_vec2 off = thg_seen_from(crowd, row, to.x, to.y);
    float length = sqrtf(off.x * off.x + off.y * off.y);
    if (!(length > 1e-4f) || length * crowd->map->inverse_cell_size > cells ||
        !thg_planet_sees(planet, class_index, &crowd->derived.spots[row],
                         thg_planet_spot(planet, to.x, to.y).place)) {
        return false;
    }
    *way = (throng_vec2){off.x / length, off.y / length};
    return true;
}
