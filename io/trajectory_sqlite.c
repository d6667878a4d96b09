/// JuPedSim's SQLite schema, version 2, as PedPy reads it.
///
/// One transaction from open to close, without a journal: the database is a new file beside the
/// wanted one, and a failed run throws it away whole.
#include "trajectory_format.h"
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct thg_sqlite_trajectory {
    sqlite3 *database;
    sqlite3_stmt *agent, *frame;
    int64_t geometry_hash;
    char *path;
};

static throng_result fail(const thg_sqlite_trajectory *out, throng_error *error)
{
    int code = sqlite3_errcode(out->database);
    return thg_file_fail(error, code == SQLITE_NOMEM ? THRONG_NO_MEMORY : THRONG_CANNOT_WRITE,
                         out->path, 0, 0, "cannot be written: %s", sqlite3_errmsg(out->database));
}

static const char schema[] =
    "PRAGMA synchronous=OFF;"
    "PRAGMA journal_mode=OFF;"
    "BEGIN;"
    "CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL,"
    " pos_x REAL NOT NULL, pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);"
    "CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);"
    "CREATE UNIQUE INDEX geometry_hash ON geometry (hash);"
    "CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);";

/// FNV-1a, cut to what sqlite's signed integers hold.
static int64_t text_hash(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text != '\0'; text++) {
        hash = (hash ^ (uint8_t)*text) * 0x100000001b3u;
    }
    return (int64_t)(hash >> 1);
}

/// Runs `text` with one text parameter; NULL leaves it NULL.
static bool run(thg_sqlite_trajectory *out, const char *text, const char *first, const char *second,
                int64_t number)
{
    sqlite3_stmt *statement = NULL;
    bool done = sqlite3_prepare_v2(out->database, text, -1, &statement, NULL) == SQLITE_OK;
    int parameters = done ? sqlite3_bind_parameter_count(statement) : 0;
    int at = 1;
    if (first != NULL) {
        done = done && sqlite3_bind_text(statement, at++, first, -1, SQLITE_STATIC) == SQLITE_OK;
    }
    if (at <= parameters && second == NULL) {
        done = done && sqlite3_bind_int64(statement, at, number) == SQLITE_OK;
    } else if (second != NULL) {
        done = done && sqlite3_bind_text(statement, at, second, -1, SQLITE_STATIC) == SQLITE_OK;
    }
    done = done && sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_finalize(statement);
    return done;
}

static bool put_geometry(thg_sqlite_trajectory *out, const char *wkt)
{
    out->geometry_hash = text_hash(wkt);
    return run(out, "INSERT OR IGNORE INTO geometry (wkt, hash) VALUES (?, ?)", wkt, NULL,
               out->geometry_hash);
}

static bool put_number(thg_sqlite_trajectory *out, const char *key, double value)
{
    char text[40];
    thg_number_write(text, value, 4);
    return run(out, "INSERT INTO metadata VALUES (?, ?)", key, text, 0);
}

static bool put_metadata(thg_sqlite_trajectory *out, const throng_trajectory_def *def)
{
    bool done = run(out, "INSERT INTO metadata VALUES (?, ?)", "version", "2", 0) &&
                put_number(out, "fps", (double)def->frames_per_second);
    if (!done || def->map == NULL) {
        return done;
    }
    throng_vec2 origin = throng_map_origin(def->map);
    double cell = (double)throng_map_cell_size(def->map);
    return put_number(out, "xmin", (double)origin.x) &&
           put_number(out, "xmax", (double)origin.x + cell * throng_map_width(def->map)) &&
           put_number(out, "ymin", (double)origin.y) &&
           put_number(out, "ymax", (double)origin.y + cell * throng_map_height(def->map));
}

static throng_result prepare(thg_sqlite_trajectory *out, const throng_trajectory_def *def,
                             const char *wkt, throng_error *error)
{
    bool done =
        sqlite3_exec(out->database, schema, NULL, NULL, NULL) == SQLITE_OK &&
        put_metadata(out, def) && (wkt == NULL || put_geometry(out, wkt)) &&
        sqlite3_prepare_v2(out->database, "INSERT INTO trajectory_data VALUES (?, ?, ?, ?, ?, ?)",
                           -1, &out->agent, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(out->database, "INSERT INTO frame_data VALUES (?, ?)", -1, &out->frame,
                           NULL) == SQLITE_OK;
    return done ? THRONG_OK : fail(out, error);
}

throng_result thg_sqlite_open(const char *beside, const char *path,
                              const throng_trajectory_def *def, thg_sqlite_trajectory **result_out,
                              throng_error *error)
{
    *result_out = NULL;
    thg_sqlite_trajectory *out = calloc(1, sizeof *out);
    char *copy = malloc(strlen(path) + 1);
    char *wkt = def->map != NULL ? throng_trajectory_wkt(def->map, def->class_index) : NULL;
    throng_result result = THRONG_OK;
    if (out == NULL || copy == NULL || (def->map != NULL && wkt == NULL)) {
        result = thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for a trajectory");
        free(out);
        free(copy);
        free(wkt);
        return result;
    }
    memcpy(copy, path, strlen(path) + 1);
    out->path = copy;
    if (sqlite3_open(beside, &out->database) != SQLITE_OK) {
        result = fail(out, error);
    } else {
        result = prepare(out, def, wkt, error);
    }
    free(wkt);
    if (result != THRONG_OK) {
        thg_sqlite_close(out, false, NULL);
        remove(beside);
        return result;
    }
    *result_out = out;
    return THRONG_OK;
}

/// The heading is the velocity's direction; who stands looks along +x.
static bool put_agent(thg_sqlite_trajectory *out, int64_t frame, throng_agents_view agents, int i)
{
    float vx = agents.vx[i];
    float vy = agents.vy[i];
    float speed = sqrtf(vx * vx + vy * vy);
    bool moves = speed > 1e-6f && isfinite(speed);
    sqlite3_stmt *row = out->agent;
    sqlite3_bind_int64(row, 1, frame);
    sqlite3_bind_int64(row, 2, throng_trajectory_person(agents.id[i]));
    sqlite3_bind_double(row, 3, (double)agents.x[i]);
    sqlite3_bind_double(row, 4, (double)agents.y[i]);
    sqlite3_bind_double(row, 5, moves ? (double)(vx / speed) : 1.0);
    sqlite3_bind_double(row, 6, moves ? (double)(vy / speed) : 0.0);
    bool done = sqlite3_step(row) == SQLITE_DONE;
    return sqlite3_reset(row) == SQLITE_OK && done;
}

throng_result thg_sqlite_frame(thg_sqlite_trajectory *out, int64_t frame, const char *geometry,
                               throng_agents_view agents, throng_error *error)
{
    bool done = geometry == NULL || put_geometry(out, geometry);
    for (int i = 0; done && i < agents.count; i++) {
        done = put_agent(out, frame, agents, i);
    }
    if (done) {
        sqlite3_bind_int64(out->frame, 1, frame);
        sqlite3_bind_int64(out->frame, 2, out->geometry_hash);
        done = sqlite3_step(out->frame) == SQLITE_DONE;
        done = sqlite3_reset(out->frame) == SQLITE_OK && done;
    }
    return done ? THRONG_OK : fail(out, error);
}

throng_result thg_sqlite_close(thg_sqlite_trajectory *out, bool keep, throng_error *error)
{
    throng_result result = THRONG_OK;
    sqlite3_finalize(out->agent);
    sqlite3_finalize(out->frame);
    // The index is made last: rows come in its order anyway, and one sort is cheaper than many.
    if (keep && sqlite3_exec(out->database,
                             "CREATE INDEX frame_id_idx ON trajectory_data (frame, id); COMMIT",
                             NULL, NULL, NULL) != SQLITE_OK) {
        result = fail(out, error);
    }
    if (sqlite3_close(out->database) != SQLITE_OK && result == THRONG_OK && keep) {
        result = thg_file_fail(error, THRONG_CANNOT_WRITE, out->path, 0, 0,
                               "the database cannot be closed");
    }
    free(out->path);
    free(out);
    return result;
}
