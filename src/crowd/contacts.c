/// Push apart: position-based relaxation of overlaps (Weiss et al. 2017), Jacobi, so that no order
/// of agents shows. Each agent takes the mean of its pushes, a little over-relaxed and capped;
/// walls come last in every iteration, so that they always win. More iterations are made while
/// anybody is deep in another, up to a limit that is flagged.
#include "crowd/crowd.h"
#include <math.h>

/// Keeps what a substep's passes move a row, all together, within the cap.
static void cap_push(const throng_crowd *crowd, int row, float x, float y, float cap, float *push_x,
                     float *push_y)
{
    float before_x = x - crowd->derived.placed_x[row], before_y = y - crowd->derived.placed_y[row];
    float all_x = before_x + *push_x, all_y = before_y + *push_y;
    thg_limit_length(&all_x, &all_y, cap);
    *push_x = all_x - before_x;
    *push_y = all_y - before_y;
}

static void relax_row(throng_crowd *crowd, const thg_rows *rows, const thg_ranges *ranges, int row,
                      float *deepest)
{
    float x = rows->x[row], y = rows->y[row], yield = rows->yield[row];
    thg_contact_result contact;
    crowd->kernels->contact(rows, row, ranges, &contact);
    if (contact.count > 0.0f) {
        float scale = THG_OVER_RELAX / (contact.count + (THG_OVER_RELAX - 1.0f));
        float push_x = contact.push_x * scale, push_y = contact.push_y * scale;
        thg_limit_length(&push_x, &push_y, THG_MOST_PUSH * rows->radius[row]);
        const thg_profile *profile = &crowd->profiles[crowd->columns.profile[row]];
        if (profile->def.push_cap > 0.0f) {
            cap_push(crowd, row, x, y, profile->def.push_cap, &push_x, &push_y);
        }
        const thg_layer *layer = &crowd->map->layers[profile->def.class_index];
        thg_walls_shift(crowd->map, layer, profile, push_x, push_y, &x, &y);
        // Who is pinned by a wall yields no more, so that the others do.
        if (thg_is_pinned(push_x, push_y, x - rows->x[row], y - rows->y[row])) {
            yield = profile->yield * THG_PINNED_YIELD;
        }
        *deepest = contact.deepest > *deepest ? contact.deepest : *deepest;
    }
    crowd->derived.next_x[row] = x;
    crowd->derived.next_y[row] = y;
    crowd->derived.next_yield[row] = yield;
}

static void relax_rows(void *context, int first, int end, int block)
{
    throng_crowd *crowd = context;
    const thg_rows rows = thg_rows_of(crowd);
    thg_ranges ranges = {0};
    uint32_t bin = UINT32_MAX;
    float deepest = 0.0f;
    for (int row = first; row < end; row++) {
        if (crowd->derived.bin[row] != bin) {
            bin = crowd->derived.bin[row];
            thg_ranges_narrow(&crowd->bins, bin, &ranges);
        }
        relax_row(crowd, &rows, &ranges, row, &deepest);
    }
    crowd->block_overlap[block] = deepest;
}

static void swap_floats(float **a, float **b)
{
    float *keep = *a;
    *a = *b;
    *b = keep;
}

void thg_stage_contacts_run(thg_step *step)
{
    throng_crowd *crowd = step->crowd;
    int blocks = (crowd->agent_count + THG_ROW_BLOCK - 1) / THG_ROW_BLOCK;
    float deepest = 0.0f;
    for (int pass = 0; pass < THG_MOST_PASSES; pass++) {
        thg_parallel_for(crowd->jobs, crowd->agent_count, THG_ROW_BLOCK, relax_rows, crowd);
        swap_floats(&crowd->columns.x, &crowd->derived.next_x);
        swap_floats(&crowd->columns.y, &crowd->derived.next_y);
        swap_floats(&crowd->derived.yield, &crowd->derived.next_yield);
        deepest = 0.0f;
        for (int i = 0; i < blocks; i++) {
            deepest = crowd->block_overlap[i] > deepest ? crowd->block_overlap[i] : deepest;
        }
        if (deepest == 0.0f || (pass + 1 >= THG_LEAST_PASSES && deepest < THG_DEEP)) {
            return;
        }
    }
    if (deepest > THG_TOO_DEEP) {
        crowd->flags |= THRONG_STEP_CROWDED;
    }
}
