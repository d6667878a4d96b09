/// What the files of planet fields share.
#ifndef THG_PLANET_FIELD_H
#define THG_PLANET_FIELD_H

#include "core/heap.h"
#include "map/planet.h"
#include <throng/field.h>

/// What is read: flipped when a solve is through.
typedef struct thg_planet_shown {
    int goal_count;
    thg_vec3 goals[THRONG_MAX_PLANET_GOALS];
    uint32_t goal_cells[THRONG_MAX_PLANET_GOALS];
    throng_vec2 points[THRONG_MAX_PLANET_GOALS]; ///< the goals on the atlas
    uint32_t *cost;
    throng_vec3 *flow; ///< unit headings at the cells' middles, or zero
} thg_planet_shown;

typedef enum thg_planet_phase {
    THG_PLANET_IDLE = 0,
    THG_PLANET_COSTS,
    THG_PLANET_FLOW
} thg_planet_phase;

struct throng_planet_field {
    const throng_planet *planet;
    int class_index;
    const throng_goal_shape *shape; ///< on the atlas, the host's; NULL: goals alone
    int goal_count;
    thg_vec3 goals[THRONG_MAX_PLANET_GOALS]; ///< as a solve finds them on the planet
    uint32_t goal_cells[THRONG_MAX_PLANET_GOALS];
    uint32_t *cost; ///< of the solve under way
    throng_vec3 *flow;
    thg_planet_shown shown;
    thg_heap heap;
    thg_heap_place *places;
    thg_planet_phase phase;
    int next; ///< cell whose direction comes next
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

/// Begins to integrate from the goals; goes on by up to *budget cells, and says whether all is
/// done.
void thg_planet_begin_costs(throng_planet_field *field);
bool thg_planet_advance_costs(throng_planet_field *field, int *budget);
/// Gives goals in cells that do not fit the nearest ones that do, within the shape's snap distance.
void thg_planet_resolve(throng_planet_field *field, const throng_vec2 *points);

/// A field for a goal of the atlas; the shape must live as long. THRONG_NO_MEMORY,
/// THRONG_BAD_ARGUMENT (too many points).
throng_result thg_planet_field_for(const throng_planet *planet, int class_index,
                                   const throng_goal_shape *shape, throng_planet_field **field);
/// Begins to solve for the planet as it is, and for other points of the shape (NULL: its own); goes
/// on by up to *budget cells, of which one counts THG_PLANET_CELL times, and says whether what is
/// read has been flipped.
void thg_planet_field_begin(throng_planet_field *field, const throng_vec2 *points);
bool thg_planet_field_advance(throng_planet_field *field, int *budget);
#define THG_PLANET_CELL 16 ///< cells of flat fields that take as long

/// throng_planet_field_sample at a spot; the direction is east and north.
throng_sample thg_planet_field_lead(const throng_planet_field *field, const thg_spot *spot);

/// The way out of a cell, for its direction.
thg_planet_way thg_planet_best_way(const throng_planet_field *field, uint32_t cell);

#endif
