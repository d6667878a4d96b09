/// Four ways to draw the same crowd: what the CPU spends to record a frame, and how many calls and
/// triangles that makes.
///
/// The ways take turns, frame by frame. What counts is the CPU's time only: a device in software
/// says nothing about pixels. A frame whose commands are those of the one before is submitted again
/// without recording; a row of its own says what recording anew takes.
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng_gpu/drawing.h>

#define FRAMES 21
#define FEW 1000
#define MANY 20000
#define MOST 1000000
#define LEAST_RATIO 50.0
#define MOST_CALLS 12

/// What one way took: the least of the frames, in milliseconds, and the last frame's counts.
typedef struct way_times {
    double record[FRAMES], anew[FRAMES];
    int frames;
    throng_frame_stats last;
} way_times;

typedef struct draw_case {
    throng_gpu *gpu;
    throng_drawing *drawing;
    throng_drawn_agent *agents;
    int count;
} draw_case;

/// A block of people, a metre apart.
static void place_agents(throng_drawn_agent *agents, int count)
{
    int columns = (int)ceil(sqrt((double)count));
    for (int i = 0; i < count; i++) {
        uint32_t seed = (uint32_t)i * 2654435769u;
        float x = (float)(i % columns) + (float)(seed >> 24) / 512.0f;
        float y = -(float)(i / columns) + (float)(seed >> 16 & 255u) / 512.0f;
        agents[i] = (throng_drawn_agent){.x = x,
                                         .y = y,
                                         .last_x = x,
                                         .last_y = y,
                                         .radius = 0.4f,
                                         .tint = 0xff806040u,
                                         .figure = seed >> 30,
                                         .seed = seed};
    }
}

static bool case_create(draw_case *the, int count)
{
    throng_drawing_def def = throng_default_drawing_def();
    def.gpu = the->gpu;
    def.width = 320;
    def.height = 180;
    def.max_agents = the->count = count;
    the->agents = malloc((size_t)count * sizeof *the->agents);
    if (the->agents == NULL || throng_drawing_create(&def, &the->drawing) != THRONG_OK) {
        free(the->agents);
        the->agents = NULL;
        return false;
    }
    place_agents(the->agents, count);
    throng_drawing_set_agents(the->drawing, the->agents, count);
    return true;
}

static void case_destroy(draw_case *the)
{
    throng_drawing_destroy(the->drawing);
    free(the->agents);
}

/// From a little way off, at the height of a lamp: many are before one another.
static throng_camera camera_of(int count)
{
    float side = sqrtf((float)count);
    return (throng_camera){.eye = {0.5f * side, 14.0f, 6.0f},
                           .target = {0.5f * side, -12.0f, 0.0f},
                           .view_angle = 0.8f,
                           .near = 0.3f,
                           .far = 3000.0f};
}

/// The frames before leave their own in the processor's caches, how much of it depends on how large
/// they were: each measured frame begins after the same sweep over other memory.
static void stir(void)
{
    static uint64_t words[1 << 22];
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i += 8) {
        words[i] = words[i] * 6364136223846793005u + 1u;
    }
}

/// A frame that may be submitted again, and one that is recorded anew.
static bool draw(draw_case *the, throng_draw_mode mode, way_times *times)
{
    throng_camera camera = camera_of(the->count);
    throng_frame_stats stats;
    throng_drawing_forget(the->drawing);
    stir();
    if (throng_drawing_frame(the->drawing, &camera, 1.0f, mode, &stats) != THRONG_OK) {
        return false;
    }
    times->anew[times->frames] = stats.record_seconds * 1e3;
    stir();
    if (throng_drawing_frame(the->drawing, &camera, 1.0f, mode, &times->last) != THRONG_OK) {
        return false;
    }
    times->record[times->frames++] = times->last.record_seconds * 1e3;
    return true;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void sort_times(way_times *times)
{
    qsort(times->record, (size_t)times->frames, sizeof(double), by_time);
    qsort(times->anew, (size_t)times->frames, sizeof(double), by_time);
}

/// The counts as a number, for a row's hash; 0 where a bound is missed.
static uint64_t hash_of(const throng_frame_stats *stats, bool fine)
{
    uint64_t hash = 14695981039346656037u;
    const uint64_t words[3] = {(uint64_t)stats->draw_calls, (uint64_t)stats->triangles,
                               (uint64_t)stats->agents_drawn};
    for (int i = 0; i < 3; i++) {
        hash = (hash ^ words[i]) * 1099511628211u;
    }
    return fine ? hash : 0;
}

typedef struct draw_row {
    const char *what, *baseline, *bound; ///< bound: NULL when there is none
    const way_times *times;
    int count;
    bool anew, fine, medians;
    double baseline_ms;
} draw_row;

static void report_row(const draw_row *made, bench_report *report, void *context)
{
    const way_times *times = made->times;
    const double *all = made->anew ? times->anew : times->record;
    char name[64], note[160];
    snprintf(name, sizeof name, "draw_%d_%s", made->count, made->what);
    snprintf(note, sizeof note, "%d calls, %lld triangles%s%s%s", times->last.draw_calls,
             (long long)times->last.triangles, made->bound != NULL ? "; " : "",
             made->bound != NULL ? made->bound : "",
             made->bound == NULL ? ""
             : made->fine        ? ": PASS"
                                 : ": MISS");
    thg_bench_row row = {.name = name,
                         .n = made->count,
                         .threads = 1,
                         .ms = all[made->medians ? times->frames / 2 : 0],
                         .ms_median = all[times->frames / 2],
                         .baseline = made->baseline,
                         .baseline_ms = made->baseline_ms,
                         .hash = hash_of(&times->last, made->fine),
                         .note = note};
    report(context, &row);
}

/// All four ways with so many agents. False without memory.
static bool measure_ways(throng_gpu *gpu, int count, bench_report *report, void *context)
{
    draw_case the = {.gpu = gpu};
    way_times ways[THRONG_DRAW_MODE_COUNT];
    memset(ways, 0, sizeof ways);
    if (!case_create(&the, count)) {
        return false;
    }
    bool fine = true;
    for (int frame = 0; frame < FRAMES && fine; frame++) {
        for (int mode = 0; mode < THRONG_DRAW_MODE_COUNT && fine; mode++) {
            // A device in software takes a while for so many calls; a third of the frames will do.
            fine = (mode == THRONG_DRAW_NAIVE && frame % 3 != 0) ||
                   draw(&the, (throng_draw_mode)mode, &ways[mode]);
        }
    }
    case_destroy(&the);
    for (int mode = 0; mode < THRONG_DRAW_MODE_COUNT && fine; mode++) {
        sort_times(&ways[mode]);
        const way_times *naive = &ways[THRONG_DRAW_NAIVE], *times = &ways[mode];
        draw_row row = {.what = throng_draw_mode_name((throng_draw_mode)mode),
                        .baseline = "naive",
                        .times = times,
                        .count = count,
                        .fine = mode == THRONG_DRAW_NAIVE || times->last.draw_calls <= MOST_CALLS,
                        .baseline_ms = naive->record[0]};
        row.bound = mode == THRONG_DRAW_NAIVE ? NULL : "at most 12 calls";
        if (mode == THRONG_DRAW_GPU_DRIVEN && count == MANY) {
            row.bound = "at most 12 calls, ratio at least 50";
            row.fine = row.fine && naive->record[0] >= LEAST_RATIO * times->record[0];
        }
        report_row(&row, report, context);
        if (mode == THRONG_DRAW_GPU_DRIVEN) {
            row.what = "gpu-driven_anew";
            row.anew = row.fine = true;
            row.bound = NULL;
            report_row(&row, report, context);
        }
    }
    return fine;
}

/// The last way with very many, frame by frame beside few: the CPU does not notice.
static bool measure_most(throng_gpu *gpu, bench_report *report, void *context)
{
    draw_case few = {.gpu = gpu}, most = {.gpu = gpu};
    way_times times[2];
    memset(times, 0, sizeof times);
    if (!case_create(&few, FEW)) {
        return false;
    }
    bool fine = case_create(&most, MOST);
    for (int frame = 0; frame < FRAMES && fine; frame++) {
        fine = draw(&few, THRONG_DRAW_GPU_DRIVEN, &times[0]) &&
               draw(&most, THRONG_DRAW_GPU_DRIVEN, &times[1]);
    }
    case_destroy(&few);
    case_destroy(&most);
    if (!fine) {
        return false;
    }
    sort_times(&times[0]);
    sort_times(&times[1]);
    // Two thousandths of a millisecond: what the caches hold makes half of it, so medians here.
    double ratio = times[1].record[FRAMES / 2] / times[0].record[FRAMES / 2];
    draw_row row = {.what = "gpu-driven",
                    .baseline = "gpu-driven, 1000 agents, medians",
                    .bound = "at most 12 calls, within 20 %",
                    .times = &times[1],
                    .count = MOST,
                    .medians = true,
                    .fine = times[1].last.draw_calls <= MOST_CALLS && ratio <= 1.2 &&
                            ratio >= 1.0 / 1.2,
                    .baseline_ms = times[0].record[FRAMES / 2]};
    report_row(&row, report, context);
    row.what = "gpu-driven_anew";
    row.bound = NULL;
    row.anew = row.fine = true;
    row.baseline_ms = times[0].anew[FRAMES / 2];
    report_row(&row, report, context);
    return true;
}

void bench_draw(int threads, bench_report *report, void *context)
{
    (void)threads;
    throng_gpu_def def = throng_default_gpu_def();
    throng_gpu *gpu;
    throng_error error = {0};
    if (throng_gpu_create(&def, &gpu, &error) != THRONG_OK) {
        fprintf(stderr, "throng: bench: draw: %s\n", error.text);
        return;
    }
    const int counts[2] = {FEW, MANY};
    for (int i = 0; i < 2; i++) {
        if (!measure_ways(gpu, counts[i], report, context)) {
            fprintf(stderr, "throng: bench: draw: no memory for %d agents\n", counts[i]);
        }
    }
    if (!measure_most(gpu, report, context)) {
        fprintf(stderr, "throng: bench: draw: no memory for %d agents on %s\n", MOST,
                throng_gpu_name(gpu));
    }
    throng_gpu_destroy(gpu);
}
