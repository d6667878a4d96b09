/// What the files of planet fields share.
#ifndef THG_PLANET_FIELD_H
#define THG_PLANET_FIELD_H

#include "core/heap.h"
#include "map/planet.h"
#include <throng/field.h>

struct throng_planet_field {
    const throng_planet *planet;
    int class_index;
    int goal_count;
    thg_vec3 goals[THRONG_MAX_PLANET_GOALS];
    uint32_t goal_cells[THRONG_MAX_PLANET_GOALS];
    uint32_t *cost;
    throng_vec3 *flow; ///< unit headings at the cells' middles, or zero
    thg_heap heap;
    thg_heap_place *places;
    bool solved;
};

static inline const uint16_t *thg_planet_prices(const throng_planet_field *field)
{
    return field->planet->classes[field->class_index].price;
}

/// The way through a cell that its neighbours' costs make cheapest.
typedef struct thg_planet_way {
    uint32_t cost; ///< THRONG_UNREACHED: none
    int straight;  ///< place in the ring, or -1
    int odd;       ///< the other end of the edge that it crosses, or -1
    double share;  ///< of the edge, from the straight one
} thg_planet_way;

/// Integrates from the goals.
void thg_planet_integrate(throng_planet_field *field);
/// The way out of a cell, for its direction.
thg_planet_way thg_planet_best_way(const throng_planet_field *field, uint32_t cell);

#endif
