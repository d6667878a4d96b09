/// The step: one page that reads like a table of contents. Each stage is a file beside this one.
///
/// What changed?         commands, map, fields
/// Who is where?         bins
/// Where would they go?  steer (what the field says), flock (what the flock and orders say),
/// traffic
///                       (where they crowd, for the fields), slots (places round a target), gates
///                       (whose turn it is), sense (what the neighbours say), hold (who does not
///                       listen to them), states (dodge, wait), orca (what is free of all)
/// Go there.             move (slide on walls), contacts (push apart, walls win), arrivals
///
/// The first row happens once a step, the rest once a substep: short enough that nobody walks
/// through anybody. Timing and notes, and later the choice of device, happen here, around every
/// stage.
#include "core/time.h"
#include "crowd/notes.h"

#define THG_LEAST_DT 1e-6f ///< seconds below which nobody moves: 1 / dt stays finite

static void run(thg_step *step, thg_stage stage)
{
    static thg_stage_function *const functions[THG_STAGE_COUNT] = {
#define THG_STAGE(name) thg_stage_##name##_run,
#include "crowd/stages.inc"
#undef THG_STAGE
    };
    double start = thg_seconds();
    functions[stage](step);
    step->crowd->stage_times[stage].seconds += thg_seconds() - start;
    if (step->crowd->notes != NULL) {
        thg_notes_after(step, stage);
    }
}

/// How many substeps keep every move short: in time, and in radii.
static int substep_count(throng_crowd *crowd, float dt)
{
    float by_time = dt / THG_MAX_SUBSTEP;
    float by_move = crowd->top_speed * dt / crowd->substep_move;
    float most = by_time > by_move ? by_time : by_move;
    if (most > (float)THG_MAX_SUBSTEPS) {
        crowd->flags |= THRONG_STEP_SUBSTEPS_CUT;
        return THG_MAX_SUBSTEPS;
    }
    // A hair's breadth below a whole number is that number: 5 / 0.1 is 50 substeps.
    int count = (int)(most * 0.9999f) + 1;
    return count;
}

uint32_t throng_crowd_step(throng_crowd *crowd, float dt)
{
    crowd->flags = 0;
    crowd->event_count = 0;
    if (!(dt >= 0.0f && dt <= THRONG_MAX_DT)) {
        crowd->flags |= THRONG_STEP_DT_CUT;
        dt = dt > THRONG_MAX_DT ? THRONG_MAX_DT : 0.0f;
    }
    for (int i = 0; i < THG_STAGE_COUNT; i++) {
        crowd->stage_times[i].seconds = 0.0;
    }
    thg_step step = {crowd, dt};

    crowd->bins.turn = crowd->step_count << 16;

    // What changed?
    run(&step, THG_STAGE_commands);
    run(&step, THG_STAGE_map);
    run(&step, THG_STAGE_fields);

    int substeps = dt > THG_LEAST_DT ? substep_count(crowd, dt) : 0;
    step.dt = substeps > 0 ? dt / (float)substeps : 0.0f;
    for (int i = 0; i < substeps; i++) {
        // Who is where?
        run(&step, THG_STAGE_bins);
        // Where would they go?
        run(&step, THG_STAGE_steer);
        run(&step, THG_STAGE_flock);
        run(&step, THG_STAGE_traffic);
        run(&step, THG_STAGE_slots);
        run(&step, THG_STAGE_gates);
        run(&step, THG_STAGE_sense);
        run(&step, THG_STAGE_hold);
        run(&step, THG_STAGE_states);
        run(&step, THG_STAGE_orca);
        // Go there.
        run(&step, THG_STAGE_move);
        run(&step, THG_STAGE_contacts);
        run(&step, THG_STAGE_arrivals);
    }
    thg_agents_index(crowd);
    thg_slots_look(crowd);
    crowd->time += (double)dt;
    crowd->step_count++;
    return crowd->flags;
}
