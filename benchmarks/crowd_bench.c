/// Benchmarks of the step: the library's beside the plain one of crowd_plain.c or another crowd of
/// ours, step by step in turn.
#include "bench.h"
#include "crowd_plain.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 5
#define WARM_UP 30
#define LONGEST_WARM_UP 900
#define DT (1.0f / 30.0f)
#define MAX_STAGES 32
#define GIANT_RADIUS 5.0f

/// What a case is about.
typedef struct case_def {
    int agents, threads;
    bool standing;     ///< without a goal: they settle and fall asleep
    bool giants;       ///< ten among them
    bool giants_space; ///< left free among them, with or without giants
} case_def;

typedef struct crowd_case {
    throng_map *map;
    throng_jobs *jobs;
    throng_crowd *crowd;
    float side, margin; ///< metres of the map, and from its border to the crowd
} crowd_case;

static void case_destroy(crowd_case *the)
{
    throng_crowd_destroy(the->crowd);
    throng_map_destroy(the->map);
    throng_jobs_destroy(the->jobs);
}

static throng_result make_world(crowd_case *the, const case_def *def)
{
    memset(the, 0, sizeof *the);
    the->margin = def->giants_space ? 24.0f : 8.0f;
    // Ten giants cover 785 square metres.
    int area = def->agents + (def->giants_space ? 785 : 0);
    int inner = 0, margin = (int)the->margin;
    while (inner * inner < area) {
        inner++;
    }
    the->side = (float)(inner + 2 * margin);
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = 2 * (inner + 2 * margin);
    map_def.cell_size = 0.5f;
    throng_result result = throng_map_create(&map_def, &the->map);
    throng_profile_def profiles[2] = {throng_default_profile_def(), throng_default_profile_def()};
    profiles[1].radius = GIANT_RADIUS;
    for (int i = 0; i < (def->giants_space ? 2 : 1) && result == THRONG_OK; i++) {
        throng_class_def class_def = throng_default_class_def();
        class_def.radius = i == 1 ? GIANT_RADIUS : class_def.radius;
        result = throng_map_add_class(the->map, &class_def, &profiles[i].class_index);
    }
    if (result == THRONG_OK) {
        result = throng_jobs_create(def->threads, &the->jobs);
    }
    throng_crowd_def crowd_def = throng_default_crowd_def();
    crowd_def.traffic = 0.0f; // the twin knows no cost but the map's
    crowd_def.map = the->map;
    crowd_def.jobs = the->jobs;
    crowd_def.profiles = profiles;
    crowd_def.profile_count = def->giants ? 2 : 1;
    crowd_def.max_agents = def->agents + 10;
    return result == THRONG_OK ? throng_crowd_create(&crowd_def, &the->crowd) : result;
}

/// Where a giant starts: five across, two deep.
static throng_vec2 giant_place(const crowd_case *the, int giant)
{
    float span = the->side - 2.0f * the->margin;
    return (throng_vec2){the->margin + span * (0.1f + 0.2f * (float)(giant % 5)),
                         the->margin + span * (0.25f + 0.5f * (float)(giant / 5))};
}

static bool is_under_giant(const crowd_case *the, throng_vec2 place)
{
    for (int i = 0; i < 10; i++) {
        throng_vec2 giant = giant_place(the, i);
        float dx = place.x - giant.x, dy = place.y - giant.y;
        if (dx * dx + dy * dy < (GIANT_RADIUS + 0.4f) * (GIANT_RADIUS + 0.4f)) {
            return true;
        }
    }
    return false;
}

static throng_vec2 random_place(const crowd_case *the, bool giants_space, uint32_t agent)
{
    float span = the->side - 2.0f * the->margin;
    throng_vec2 place = {0, 0};
    for (uint64_t draw = 1; draw == 1 || (giants_space && is_under_giant(the, place)); draw += 2) {
        place.x = the->margin + span * thg_random(1, draw, agent);
        place.y = the->margin + span * thg_random(1, draw + 1, agent);
    }
    return place;
}

/// Four crossing streams at one agent a square metre, each to the opposite border strip, which
/// stays out of reach for the few seconds that are measured.
static throng_result fill_world(crowd_case *the, const case_def *def)
{
    const float far = the->side, deep = def->giants_space ? 14.0f : 2.0f;
    const throng_rect strips[4] = {{{far - deep, 0}, {far, far}},
                                   {{0, 0}, {deep, far}},
                                   {{0, far - deep}, {far, far}},
                                   {{0, 0}, {far, deep}}};
    throng_goal_id goals[4] = {{0, 0}};
    throng_result result = THRONG_OK;
    for (int i = 0; i < 4 && !def->standing && result == THRONG_OK; i++) {
        throng_goal_def goal = throng_default_goal_def();
        goal.shape.rects = &strips[i];
        goal.shape.rect_count = 1;
        goal.remove_on_arrival = true;
        result = throng_crowd_add_goal(the->crowd, &goal, &goals[i]);
    }
    for (int i = 0; i < def->agents && result == THRONG_OK; i++) {
        throng_spawn_def spawn = {.position = random_place(the, def->giants_space, (uint32_t)i),
                                  .goal = goals[i % 4]};
        result = throng_crowd_spawn(the->crowd, &spawn, NULL);
    }
    for (int i = 0; i < 10 && def->giants && result == THRONG_OK; i++) {
        throng_spawn_def spawn = {
            .position = giant_place(the, i), .profile = 1, .goal = goals[i % 4]};
        result = throng_crowd_spawn(the->crowd, &spawn, NULL);
    }
    throng_crowd_solve_fields(the->crowd);
    return result;
}

/// Agents that do what the case is about: sleep, or walk.
static int count_as_meant(const crowd_case *the, const case_def *def)
{
    int count = 0;
    for (int row = 0; row < the->crowd->agent_count; row++) {
        count += def->standing ? thg_row_is_still(the->crowd, row)
                               : the->crowd->columns.status[row] == THRONG_WALKING;
    }
    return count;
}

/// A crowd some steps on its way, or settled. False without memory.
static bool case_create(crowd_case *the, const case_def *def)
{
    if (make_world(the, def) != THRONG_OK || fill_world(the, def) != THRONG_OK) {
        return false;
    }
    for (int i = 0; i < WARM_UP; i++) {
        throng_crowd_step(the->crowd, DT);
    }
    for (int i = WARM_UP; i < LONGEST_WARM_UP && def->standing; i++) {
        if (i % WARM_UP == 0 && count_as_meant(the, def) == def->agents) {
            break;
        }
        throng_crowd_step(the->crowd, DT);
    }
    return true;
}

static uint64_t hash_place(uint32_t slot, float x, float y, float vx, float vy)
{
    float values[4] = {x, y, vx, vy};
    uint64_t hash = slot;
    for (int i = 0; i < 4; i++) {
        uint32_t bits;
        values[i] = values[i] == 0.0f ? 0.0f : values[i];
        memcpy(&bits, &values[i], sizeof bits);
        hash = thg_mix64(hash * 0x9e3779b97f4a7c15u + bits);
    }
    return hash;
}

static uint64_t hash_crowd(const throng_crowd *crowd)
{
    throng_agents_view agents = throng_crowd_agents(crowd);
    uint64_t sum = 0;
    for (int i = 0; i < agents.count; i++) {
        sum += hash_place(agents.id[i].slot, agents.x[i], agents.y[i], agents.vx[i], agents.vy[i]);
    }
    return sum;
}

static uint64_t hash_plain(const plain_crowd *plain)
{
    uint64_t sum = 0;
    for (int i = 0; i < plain->count; i++) {
        const plain_agent *agent = &plain->agents[i];
        sum += hash_place(agent->slot, agent->x, agent->y, agent->vx, agent->vy);
    }
    return sum;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Keeps the least time of each stage.
static void note_stages(const throng_crowd *crowd, double *least, bool first)
{
    int count;
    const throng_stage_time *times = throng_crowd_stage_times(crowd, &count);
    for (int i = 0; i < count && i < MAX_STAGES; i++) {
        double ms = times[i].seconds * 1e3;
        least[i] = first || ms < least[i] ? ms : least[i];
    }
}

/// A row for each stage that does something, beside the whole step.
static void report_stages(const throng_crowd *crowd, const thg_bench_row *step, const double *least,
                          bench_report *report, void *context)
{
    int count;
    const throng_stage_time *times = throng_crowd_stage_times(crowd, &count);
    for (int i = 0; i < count && i < MAX_STAGES; i++) {
        if (least[i] * 1e6 >= step->n * 0.05) {
            char name[64];
            snprintf(name, sizeof name, "%s_%s", step->name, times[i].stage);
            thg_bench_row row = *step;
            row.name = name;
            row.ms = row.ms_median = least[i];
            row.baseline = "the whole step";
            row.baseline_ms = step->ms;
            report(context, &row);
        }
    }
}

/// Ours beside the plain crowd.
static void measure(const char *name, int agents, int threads, bool stages, bench_report *report,
                    void *context)
{
    const case_def def = {.agents = agents, .threads = threads};
    crowd_case the;
    plain_crowd plain = {0};
    if (case_create(&the, &def) && plain_create(the.crowd, &plain)) {
        double ours[STEPS], theirs[STEPS], least[MAX_STAGES];
        for (int i = 0; i < STEPS; i++) {
            double start = bench_now();
            throng_crowd_step(the.crowd, DT);
            ours[i] = bench_now() - start;
            note_stages(the.crowd, least, i == 0);
            start = bench_now();
            plain_step(&plain, DT);
            theirs[i] = bench_now() - start;
        }
        qsort(ours, STEPS, sizeof *ours, by_time);
        qsort(theirs, STEPS, sizeof *theirs, by_time);
        uint64_t hash = hash_crowd(the.crowd);
        thg_bench_row row = {.name = name,
                             .n = agents,
                             .threads = threads,
                             .ms = ours[0],
                             .ms_median = ours[STEPS / 2],
                             .baseline = "array of structs, scalar, 1 thread",
                             .baseline_ms = theirs[0],
                             .hash = hash == hash_plain(&plain) ? hash : 0};
        report(context, &row);
        if (stages) {
            report_stages(the.crowd, &row, least, report, context);
        }
    }
    plain_destroy(&plain);
    case_destroy(&the);
}

/// Ours beside another crowd of ours, whose time counts `scale` times. Where nearly all do what the
/// case is about the hash is of the result, else 0.
static void measure_beside(const char *name, const case_def *def, const char *baseline,
                           const case_def *other_def, double scale, bench_report *report,
                           void *context)
{
    crowd_case the, other = {0};
    if (case_create(&the, def) && case_create(&other, other_def)) {
        double ours[STEPS], theirs[STEPS];
        for (int i = 0; i < STEPS; i++) {
            double start = bench_now();
            throng_crowd_step(the.crowd, DT);
            ours[i] = bench_now() - start;
            start = bench_now();
            throng_crowd_step(other.crowd, DT);
            theirs[i] = (bench_now() - start) * scale;
        }
        qsort(ours, STEPS, sizeof *ours, by_time);
        qsort(theirs, STEPS, sizeof *theirs, by_time);
        int meant = count_as_meant(&the, def), of = def->agents + (def->giants ? 10 : 0);
        thg_bench_row row = {.name = name,
                             .n = of,
                             .threads = def->threads,
                             .ms = ours[0],
                             .ms_median = ours[STEPS / 2],
                             .baseline = baseline,
                             .baseline_ms = theirs[0],
                             .hash = meant >= 0.99 * of ? hash_crowd(the.crowd) : 0};
        report(context, &row);
    }
    case_destroy(&other);
    case_destroy(&the);
}

void bench_crowd(int threads, bench_report *report, void *context)
{
    measure("step_10k", 10000, threads, false, report, context);
    measure("step_100k_1_thread", 100000, 1, true, report, context);
    measure("step_100k", 100000, threads, false, report, context);

    const case_def asleep = {.agents = 100000, .threads = threads, .standing = true};
    const case_def walking = {.agents = 100000, .threads = threads};
    measure_beside("sleeping_100k", &asleep, "the same crowd walking", &walking, 1.0, report,
                   context);
    const case_def giants = {
        .agents = 10000, .threads = threads, .giants = true, .giants_space = true};
    const case_def people = {.agents = 10000, .threads = threads, .giants_space = true};
    measure_beside("giants_10_in_10k", &giants, "the same without giants", &people, 1.0, report,
                   context);
    const case_def million = {.agents = 1000000, .threads = threads};
    const case_def small = {.agents = 10000, .threads = threads};
    measure_beside("step_1m", &million, "100 times 10,000 agents", &small, 100.0, report, context);
}
