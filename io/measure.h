/// Measures: what an expectation can be about. Each has a row in one table; a meter is one of them
/// at work in one run.
#ifndef THG_MEASURE_H
#define THG_MEASURE_H

#include "world_model.h"

/// Keys of an expectation; a measure says by bits which it needs and which it may have.
typedef enum thg_expect_key {
    THG_KEY_NAME,
    THG_KEY_MEASURE,
    THG_KEY_AT_MOST,
    THG_KEY_AT_LEAST,
    THG_KEY_AGENTS,
    THG_KEY_OF_CONTROL,
    THG_KEY_SPREAD,
    THG_KEY_KNOWN,
    THG_KEY_AT,
    THG_KEY_BY,
    THG_KEY_FROM,
    THG_KEY_TO,
    THG_KEY_RADIUS,
    THG_KEY_PACKS,
    THG_KEY_LIMIT,
    THG_KEY_ANGLE,
    THG_KEY_SHARE,
    THG_KEY_INSIDE,
    THG_KEY_TIMES,
    THG_KEY_PERCENTILE,
    THG_KEY_POINT,
    THG_KEY_RECT,
    THG_KEY_GATE,
    THG_KEY_STATUS,
    THG_KEY_CONTACT,
    THG_KEY_BETWEEN,
    THG_KEY_THREADS,
    THG_KEY_RUNS,
    THG_KEY_EVERY,
    THG_EXPECT_KEY_COUNT
} thg_expect_key;

/// One expectation at work in one run.
typedef struct thg_meter {
    const thg_expectation *expectation;
    float *values, *more; ///< one per agent, 0 at first; what they mean is the measure's
    double worst;         ///< likewise; 0 at first
    int count, total;
    float radius;      ///< metres: of the expectation, packed radii worked out
    uint64_t *buckets; ///< of overlaps; NULL for other measures
    bool taken;        ///< a measure of one moment has had it
} thg_meter;

typedef struct thg_measure {
    const char *name;
    uint64_t needs, may;
    bool timing; ///< by the clock
    bool moment; ///< looks once; at the end if the run ends before
    void (*observe)(const throng_world *world, thg_meter *meter); ///< after each step
    double (*finish)(const throng_world *world, thg_meter *meter);
} thg_measure;

/// NULL when there is no measure of that name.
const thg_measure *thg_measure_find(const char *name);
/// The i-th measure, NULL past the end.
const thg_measure *thg_measure_at(int index);

/// The tables, each ending in a row without a name.
extern const thg_measure thg_measures_way[];   ///< measure_way.c: arriving, walking
extern const thg_measure thg_measures_place[]; ///< measure_place.c: where and how close
extern const thg_measure thg_measures_slots[]; ///< measure_slots.c: places round a target
extern const thg_measure thg_measures_flow[];  ///< measure_flow.c: density, speed, flow
extern const thg_measure thg_measures_crowd[]; ///< measure_crowd.c: closeness, density, states
extern const thg_measure thg_measures_run[];   ///< measure_run.c: gates, headings, ticks
extern const thg_measure thg_measures_order[]; ///< measure_order.c: lanes and common headings

/// For each agent of the expectation's groups that ever was.
#define THG_EACH_TRACK(world, meter, i)                                                            \
    for (int i = 0; i < (world)->track_count; i++)                                                 \
        if (((meter)->expectation->groups >> (world)->tracks[i].group & 1) != 0)

/// True at the first step whose time has reached `at`.
bool thg_meter_moment(const throng_world *world, thg_meter *meter, double at);
/// True while the time is within [from, to] of the expectation.
bool thg_meter_within(const throng_world *world, const thg_meter *meter);
/// Agents of the groups that ever were.
int thg_meter_population(const throng_world *world, const thg_meter *meter);
/// True when the agent has been where the meter wants it: within its radius of the goal, or, when
/// it has none, arrived.
bool thg_meter_reached(const throng_world *world, const thg_meter *meter, const thg_track *track);
/// True when the last step led through one of the gates.
bool thg_track_crosses(const throng_world *world, const thg_track *track, uint32_t gates);
/// The field that an agent follows, or NULL.
const throng_field *thg_track_field(const throng_world *world, const thg_track *track);

#endif
