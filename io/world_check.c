/// Checks: a scene's arrangements, their twins for the hash, the control, the runs on other thread
/// counts, and the verdict on every expectation and invariant.
#include "file.h"
#include "measure.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/replay.h>

/// Hashes of one run: every so many steps, and at the end.
typedef struct hashes {
    uint64_t *values;
    int count, capacity, every;
} hashes;

typedef struct check {
    const throng_scene *scene;
    const throng_check_options *options;
    throng_check_report *report;
    void *context;
    throng_check_result *result;
    throng_error *error;
    int arrangement;
    hashes first;
    double *control; ///< values of the control, by expectation
    double *values;  ///< of all, by arrangement and expectation
    int differing;   ///< hashes by which the twin differs
    int *more;       ///< by expectation: by which runs on other threads differ
} check;

static bool keep_hash(hashes *kept, uint64_t hash)
{
    if (kept->count == kept->capacity) {
        int capacity = kept->capacity > 0 ? kept->capacity * 2 : 64;
        uint64_t *grown = realloc(kept->values, (size_t)capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        kept->values = grown;
        kept->capacity = capacity;
    }
    kept->values[kept->count++] = hash;
    return true;
}

static throng_result no_memory(check *check)
{
    return thg_file_fail(check->error, THRONG_NO_MEMORY, check->scene->documents[0].path, 0, 0,
                         "no memory for the check");
}

/// Runs a world to its end, keeping hashes where wanted.
static bool run(throng_world *world, hashes *kept)
{
    while (!throng_world_done(world)) {
        throng_world_step(world);
        if (kept != NULL && kept->every > 0 && world->steps % (uint64_t)kept->every == 0 &&
            !keep_hash(kept, throng_crowd_hash(world->crowd))) {
            return false;
        }
    }
    return kept == NULL || keep_hash(kept, throng_crowd_hash(world->crowd));
}

static throng_result make(check *check, int threads, bool control, int measure_every,
                          throng_world **world)
{
    throng_world_options options = throng_default_world_options();
    options.arrangement = check->arrangement;
    options.threads = threads;
    options.control = control;
    options.measure_every = measure_every;
    return throng_world_create(check->scene, &options, world, check->error);
}

/// How many hashes of another run on so many threads differ from the first's.
static throng_result count_differing(check *check, int threads, int *differing)
{
    throng_world *world = NULL;
    hashes other = {.every = check->first.every};
    throng_result result = make(check, threads, false, 0, &world);
    if (result != THRONG_OK) {
        return result;
    }
    if (!run(world, &other)) {
        result = no_memory(check);
    }
    int longer = other.count > check->first.count ? other.count : check->first.count;
    for (int i = 0; i < longer; i++) {
        *differing += i >= other.count || i >= check->first.count ||
                      other.values[i] != check->first.values[i];
    }
    free(other.values);
    throng_world_destroy(world);
    return result;
}

static bool is_hash_measure(const thg_expectation *expectation)
{
    return strcmp(expectation->measure->name, "hash_differences") == 0;
}

static throng_result run_hashes(check *check)
{
    const thg_scene_model *model = &check->scene->model;
    throng_result result = count_differing(check, check->options->threads, &check->differing);
    for (int i = 0; i < model->expectation_count; i++) {
        const thg_expectation *expectation = &model->expectations[i];
        if (!is_hash_measure(expectation)) {
            continue;
        }
        int thread_counts = expectation->threads.count > 0 ? expectation->threads.count : 1;
        for (int k = 0; k < thread_counts * expectation->runs && result == THRONG_OK; k++) {
            int threads = expectation->threads.count > 0
                              ? (int)expectation->threads.items[k % thread_counts]
                              : check->options->threads;
            result = count_differing(check, threads, &check->more[i]);
        }
    }
    return result;
}

static throng_result run_control(check *check)
{
    const thg_scene_model *model = &check->scene->model;
    bool wanted = false;
    for (int i = 0; i < model->expectation_count; i++) {
        wanted = wanted || model->expectations[i].of_control;
    }
    if (!wanted) {
        return THRONG_OK;
    }
    throng_world *world = NULL;
    throng_result result = make(check, check->options->threads, true, 1, &world);
    if (result != THRONG_OK) {
        return result;
    }
    run(world, NULL);
    for (int i = 0; i < world->meter_count; i++) {
        check->control[i] = thg_meter_value(world, i);
    }
    throng_world_destroy(world);
    return THRONG_OK;
}

// ---- The verdict ------------------------------------------------------------------------------

static void tell(check *check, int arrangement, const char *name, const char *metric, bool timing,
                 bool at_least, double value, double bound, const char *known)
{
    throng_check_line line = {
        .scene = throng_scene_name(check->scene),
        .arrangement = arrangement,
        .name = name,
        .metric = metric,
        // Written so that a NaN fails.
        .passed = at_least ? value >= bound : value <= bound,
        .timing = timing,
        .at_least = at_least,
        .value = value,
        .bound = bound,
        .known = known,
    };
    throng_check_result *result = check->result;
    result->passed += line.passed;
    result->known += !line.passed && known != NULL;
    result->failed += !line.passed && known == NULL && !timing;
    result->failed_timing += !line.passed && known == NULL && timing;
    if (check->report != NULL) {
        check->report(check->context, &line);
    }
}

static void tell_expectation(check *check, int arrangement, const thg_expectation *expectation,
                             double value)
{
    const char *known = expectation->known != NULL ? expectation->known : check->scene->model.known;
    tell(check, arrangement, expectation->name, expectation->measure->name,
         expectation->measure->timing, !expectation->at_most, value, expectation->bound, known);
}

/// What shall be the same in all symmetries: the largest mean over the starts over the smallest.
static void judge_spreads(check *check)
{
    const thg_scene_model *model = &check->scene->model;
    int starts = thg_start_count(model);
    for (int k = 0; k < model->expectation_count; k++) {
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < THG_SYMMETRIES && model->expectations[k].spread; i++) {
            double sum = 0.0;
            for (int start = 0; start < starts; start++) {
                size_t row = (size_t)(i * starts + start) * (size_t)model->expectation_count;
                sum += check->values[row + (size_t)k];
            }
            least = fmin(least, sum);
            most = fmax(most, sum);
        }
        if (model->expectations[k].spread) {
            // What never happened, or took no time, has no ratio.
            bool finite = least > 0.0 && most < INFINITY;
            tell_expectation(check, 0, &model->expectations[k], finite ? most / least : INFINITY);
        }
    }
}

static void judge(check *check, throng_world *world)
{
    const thg_scene_model *model = &check->scene->model;
    for (int i = 0; i < model->expectation_count; i++) {
        const thg_expectation *expectation = &model->expectations[i];
        double value = is_hash_measure(expectation) ? check->more[i] : thg_meter_value(world, i);
        if (expectation->of_control) {
            // What never happened in the control has no ratio.
            bool finite = check->control[i] != 0.0 && check->control[i] < INFINITY;
            value = finite ? value / check->control[i] : INFINITY;
        }
        check->values[(size_t)check->arrangement * (size_t)model->expectation_count + (size_t)i] =
            value;
        if (!expectation->spread) {
            tell_expectation(check, check->arrangement, expectation, value);
        }
    }
    int at = check->arrangement;
    const thg_contacts *contacts = &world->contacts;
    const thg_invariants *invariants = &model->invariants;
    tell(check, at, "finite", "not_finite", false, false, (double)contacts->not_finite, 0.0, NULL);
    tell(check, at, "centres_free", "in_wall", false, false, (double)contacts->in_wall, 0.0, NULL);
    // A float's rounding more than written: positions are floats too.
    tell(check, at, "wall_penetration", "penetration", false, false, contacts->worst_penetration,
         (double)invariants->penetration, NULL);
    tell(check, at, "pair_overlap", "overlap", false, false, contacts->worst_overlap,
         (double)invariants->overlap, NULL);
    tell(check, at, "same_hash", "hash_differences", false, false, check->differing, 0.0, NULL);
}

static throng_result check_arrangement(check *check)
{
    const thg_scene_model *model = &check->scene->model;
    throng_world *world = NULL;
    throng_result result = make(check, check->options->threads, false, 1, &world);
    if (result != THRONG_OK) {
        return result;
    }
    check->first.count = 0;
    check->first.every = 100;
    check->differing = 0;
    for (int i = 0; i < model->expectation_count; i++) {
        check->more[i] = 0;
        if (is_hash_measure(&model->expectations[i]) &&
            model->expectations[i].every < check->first.every) {
            check->first.every = model->expectations[i].every;
        }
    }
    result = run(world, &check->first) ? THRONG_OK : no_memory(check);
    if (result == THRONG_OK) {
        result = run_hashes(check);
    }
    if (result == THRONG_OK) {
        result = run_control(check);
    }
    if (result == THRONG_OK) {
        judge(check, world);
    }
    throng_world_destroy(world);
    return result;
}

throng_result throng_scene_check(const throng_scene *scene, const throng_check_options *options,
                                 throng_check_report *report, void *context,
                                 throng_check_result *result, throng_error *error)
{
    static const throng_check_options whole = {.threads = 0, .arrangement = -1};
    throng_check_result spare;
    options = options != NULL ? options : &whole;
    result = result != NULL ? result : &spare;
    *result = (throng_check_result){0};
    int count = throng_scene_arrangement_count(scene);
    size_t expectations = (size_t)scene->model.expectation_count + 1;
    if (options->arrangement < -1 || options->arrangement >= count || options->threads < 0 ||
        options->threads > 64) {
        return thg_file_fail(error, THRONG_BAD_ARGUMENT, scene->documents[0].path, 0, 0,
                             "the options of the check are out of range");
    }
    check check = {.scene = scene,
                   .options = options,
                   .report = report,
                   .context = context,
                   .result = result,
                   .error = error,
                   .control = calloc(expectations, sizeof(double)),
                   .values = calloc(expectations * (size_t)count, sizeof(double)),
                   .more = calloc(expectations, sizeof(int))};
    throng_result done = check.control != NULL && check.values != NULL && check.more != NULL
                             ? THRONG_OK
                             : no_memory(&check);
    for (int i = 0; i < count && done == THRONG_OK; i++) {
        if (options->arrangement < 0 || options->arrangement == i) {
            check.arrangement = i;
            done = check_arrangement(&check);
        }
    }
    if (done == THRONG_OK && options->arrangement < 0) {
        judge_spreads(&check);
    }
    free(check.control);
    free(check.values);
    free(check.more);
    free(check.first.values);
    return done;
}
