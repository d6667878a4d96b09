/// Trajectories: opening by ending, the text format, and the life of both.
#include "trajectory_format.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRAJECTORY_COOKIE 0x74726a31u
#define DEGREES_PER_RADIAN 57.29577951308232
#define FULL_COLOUR_SPEED 2.0f // m/s

struct throng_trajectory {
    throng_trajectory_def def;
    int64_t frame;
    uint32_t map_version; ///< of the last geometry
    bool failed;
    thg_file_writer text;          ///< .txt
    thg_sqlite_trajectory *sqlite; ///< .sqlite
    char *path, *beside;           ///< .sqlite
};

throng_trajectory_def throng_default_trajectory_def(void)
{
    throng_trajectory_def def;
    memset(&def, 0, sizeof def);
    def.cookie = TRAJECTORY_COOKIE;
    def.frames_per_second = 10.0f;
    def.class_index = -1;
    return def;
}

int64_t throng_trajectory_person(throng_agent_id agent)
{
    uint32_t again = agent.generation > 0 ? agent.generation - 1 : 0;
    return (int64_t)(((uint64_t)(again & 0x7fffffffu) << 32) | agent.slot);
}

static throng_result write_header(throng_trajectory *out, throng_error *error)
{
    char rate[40];
    thg_number_write(rate, (double)out->def.frames_per_second, 4);
    fprintf(out->text.file, "# framerate: %s\n", rate);
    if (out->def.map != NULL) {
        char *geometry = throng_trajectory_wkt(out->def.map, out->def.class_index);
        if (geometry == NULL) {
            return thg_file_fail(error, THRONG_NO_MEMORY, out->text.path, 0, 0,
                                 "no memory for the geometry");
        }
        fprintf(out->text.file, "# geometry: %s\n", geometry);
        free(geometry);
    }
    fputs("# ID FR X/m Y/m Z/m A/m B/m ANGLE/deg COLOR\n", out->text.file);
    return THRONG_OK;
}

static throng_result open_text(throng_trajectory *out, const char *path, throng_error *error)
{
    throng_result result = thg_file_begin(path, &out->text, error);
    return result == THRONG_OK ? write_header(out, error) : result;
}

static throng_result open_sqlite(throng_trajectory *out, const char *path, throng_error *error)
{
    // Says at once, and in the system's words, when the place cannot be written.
    thg_file_writer probe;
    throng_result result = thg_file_begin(path, &probe, error);
    if (result != THRONG_OK) {
        return result;
    }
    thg_file_cancel(&probe);
    out->path = malloc(strlen(path) + 1);
    out->beside = thg_file_beside(path);
    if (out->path == NULL || out->beside == NULL) {
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for a file name");
    }
    memcpy(out->path, path, strlen(path) + 1);
    return thg_sqlite_open(out->beside, out->path, &out->def, &out->sqlite, error);
}

throng_result throng_trajectory_open(const char *path, const throng_trajectory_def *def,
                                     throng_trajectory **trajectory, throng_error *error)
{
    *trajectory = NULL;
    if (def->cookie != TRAJECTORY_COOKIE ||
        !(def->frames_per_second >= 0.001f && def->frames_per_second <= 10000.0f)) {
        return thg_file_fail(error, THRONG_BAD_ARGUMENT, path, 0, 0,
                             "%g frames a second are not from 0.001 to 10000",
                             (double)def->frames_per_second);
    }
    bool sqlite = thg_path_ends(path, ".sqlite");
    if (!sqlite && !thg_path_ends(path, ".txt")) {
        return thg_file_fail(error, THRONG_BAD_ARGUMENT, path, 0, 0,
                             "has no ending of a trajectory: expected .txt or .sqlite");
    }
    throng_trajectory *out = calloc(1, sizeof *out);
    if (out == NULL) {
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for a trajectory");
    }
    out->def = *def;
    out->map_version = def->map != NULL ? throng_map_version(def->map) : 0;
    throng_result result = sqlite ? open_sqlite(out, path, error) : open_text(out, path, error);
    if (result != THRONG_OK) {
        throng_trajectory_abort(out);
        return result;
    }
    *trajectory = out;
    return THRONG_OK;
}

static void write_agent(const throng_trajectory *out, throng_agents_view agents, int i)
{
    float speed = sqrtf(agents.vx[i] * agents.vx[i] + agents.vy[i] * agents.vy[i]);
    double angle =
        speed > 0 ? atan2((double)agents.vy[i], (double)agents.vx[i]) * DEGREES_PER_RADIAN : 0;
    float share = speed < FULL_COLOUR_SPEED ? speed / FULL_COLOUR_SPEED : 1.0f;
    char x[40], y[40], radius[40], turned[40];
    thg_number_write(x, (double)agents.x[i], 4);
    thg_number_write(y, (double)agents.y[i], 4);
    thg_number_write(radius, (double)agents.radius[i], 2);
    thg_number_write(turned, angle, 1);
    fprintf(out->text.file, "%lld %lld %s %s 0 %s %s %s %d\n",
            (long long)throng_trajectory_person(agents.id[i]), (long long)out->frame, x, y, radius,
            radius, turned, (int)(share * 255.0f + 0.5f));
}

static throng_result frame_text(throng_trajectory *out, throng_agents_view agents,
                                throng_error *error)
{
    for (int i = 0; i < agents.count; i++) {
        write_agent(out, agents, i);
    }
    if (ferror(out->text.file) != 0) {
        return thg_file_fail(error, THRONG_CANNOT_WRITE, out->text.path, 0, 0,
                             "frame %lld cannot be written", (long long)out->frame);
    }
    return THRONG_OK;
}

static throng_result frame_sqlite(throng_trajectory *out, throng_agents_view agents,
                                  throng_error *error)
{
    char *geometry = NULL;
    uint32_t version = out->def.map != NULL ? throng_map_version(out->def.map) : 0;
    if (version != out->map_version) {
        geometry = throng_trajectory_wkt(out->def.map, out->def.class_index);
        if (geometry == NULL) {
            return thg_file_fail(error, THRONG_NO_MEMORY, out->path, 0, 0,
                                 "no memory for the geometry of frame %lld", (long long)out->frame);
        }
        out->map_version = version;
    }
    throng_result result = thg_sqlite_frame(out->sqlite, out->frame, geometry, agents, error);
    free(geometry);
    return result;
}

throng_result throng_trajectory_frame(throng_trajectory *trajectory, throng_agents_view agents,
                                      throng_error *error)
{
    const char *path = trajectory->sqlite != NULL ? trajectory->path : trajectory->text.path;
    for (int i = 0; i < agents.count; i++) {
        if (!(fabsf(agents.x[i]) <= 1e8f && fabsf(agents.y[i]) <= 1e8f) ||
            !isfinite(agents.vx[i]) || !isfinite(agents.vy[i])) {
            return thg_file_fail(error, THRONG_BAD_ARGUMENT, path, 0, 0,
                                 "the place or velocity of agent row %d is not a number", i);
        }
    }
    throng_result result = trajectory->sqlite != NULL ? frame_sqlite(trajectory, agents, error)
                                                      : frame_text(trajectory, agents, error);
    trajectory->failed |= result != THRONG_OK;
    trajectory->frame++;
    return result;
}

static void release(throng_trajectory *out)
{
    free(out->path);
    free(out->beside);
    free(out);
}

throng_result throng_trajectory_close(throng_trajectory *trajectory, throng_error *error)
{
    if (trajectory == NULL) {
        return THRONG_OK;
    }
    if (trajectory->failed) {
        const char *path = trajectory->path != NULL ? trajectory->path : trajectory->text.path;
        throng_result result = thg_file_fail(error, THRONG_CANNOT_WRITE, path, 0, 0,
                                             "is not kept, for a frame could not be written");
        throng_trajectory_abort(trajectory);
        return result;
    }
    if (trajectory->sqlite == NULL) {
        throng_result result = thg_file_commit(&trajectory->text, error);
        release(trajectory);
        return result;
    }
    throng_result result = thg_sqlite_close(trajectory->sqlite, true, error);
    if (result == THRONG_OK && rename(trajectory->beside, trajectory->path) != 0) {
        result = thg_file_fail(error, THRONG_CANNOT_WRITE, trajectory->path, 0, 0,
                               "cannot be given its name");
    }
    if (result != THRONG_OK) {
        remove(trajectory->beside);
    }
    release(trajectory);
    return result;
}

void throng_trajectory_abort(throng_trajectory *trajectory)
{
    if (trajectory == NULL) {
        return;
    }
    thg_file_cancel(&trajectory->text);
    if (trajectory->sqlite != NULL) {
        thg_sqlite_close(trajectory->sqlite, false, NULL);
        remove(trajectory->beside);
    }
    release(trajectory);
}
