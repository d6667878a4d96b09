/// Snapshots: the whole world as bytes, and back.
///
/// Layout: a header with magic, version, size and checksum, then what write_world lists, in order.
/// Fields are not stored, because their solution is unique: restoring solves them again. Only a
/// field that was waiting stores the costs that agents still read, and how many cells the solver
/// had done, so that it flips in the same step. A restore builds everything beside the crowd and
/// swaps it in at the end; until nothing can fail any more the crowd and its map are untouched.
#include "crowd/notes.h"
#include "replay/snapshot_parts.h"
#include "replay/snapshot_routes.h"
#include <throng/replay.h>

#define SNAPSHOT_MAGIC "THRONGS"
#define SNAPSHOT_VERSION 7u

typedef struct snapshot_header {
    char magic[8];
    uint32_t version, header_size;
    uint64_t size;        ///< of the whole snapshot
    uint64_t checksum;    ///< of all that follows the header
    uint64_t fingerprint; ///< of what must be the same on both sides
} snapshot_header;
_Static_assert(sizeof(snapshot_header) == 40, "a snapshot's header has no holes");
_Static_assert(sizeof(thg_gate_state) == 24, "a gate's state has no holes");

static uint64_t checksum(const unsigned char *bytes, size_t size)
{
    uint64_t hash = size;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        hash = thg_mix64(hash * 0x9e3779b97f4a7c15u + word);
    }
    return hash;
}

static uint64_t mix_in(uint64_t hash, const void *memory, size_t size)
{
    return thg_mix64(hash ^ checksum(memory, size));
}

/// What two crowds must share for a snapshot of one to fit the other.
static uint64_t fingerprint(const throng_crowd *crowd)
{
    const throng_map *map = crowd->map;
    int32_t words[] = {map->width,
                       map->height,
                       map->layer_count,
                       crowd->profile_count,
                       crowd->def.max_agents,
                       crowd->def.max_goals,
                       (int32_t)crowd->def.metric,
                       crowd->def.field_cell_budget,
                       crowd->def.route_bytes};
    float floats[] = {map->cell_size, map->origin.x, map->origin.y, crowd->def.traffic};
    uint64_t hash = mix_in(mix_in(1, words, sizeof words), floats, sizeof floats);
    if (map->planet != NULL) {
        hash = mix_in(hash, &map->planet->radius, sizeof map->planet->radius);
    }
    for (int i = 0; i < map->layer_count; i++) {
        const throng_class_def *def = &map->layers[i].def;
        hash = mix_in(hash, def->cost, sizeof def->cost);
        float rest[] = {def->radius, def->wall_surcharge, def->wall_distance};
        hash = mix_in(hash, rest, sizeof rest);
    }
    for (int i = 0; i < crowd->profile_count; i++) {
        const throng_profile_def *def = &crowd->profiles[i].def;
        int32_t classes[] = {def->class_index, def->ways_of};
        hash = mix_in(hash, classes, sizeof classes);
    }
    return hash;
}

// ---- What a snapshot holds, in order ------------------------------------------------------------

static throng_result stream_relations(thg_stream *stream, throng_crowd *crowd)
{
    thg_stream_bytes(stream, crowd->relations, sizeof crowd->relations);
    for (int team = 0; team < THRONG_MAX_TEAMS; team++) {
        for (int other = 0; other < THRONG_MAX_TEAMS; other++) {
            uint8_t relation = crowd->relations[team][other];
            if (relation > THRONG_ENEMY || relation != crowd->relations[other][team]) {
                return THRONG_BAD_DATA;
            }
        }
    }
    thg_teams_changed(crowd);
    return THRONG_OK;
}

static bool gate_is_valid(const thg_gate_state *state)
{
    return (state->mode == THRONG_GATE_LANES || state->mode == THRONG_GATE_TOKEN) &&
           state->owner < THG_MAX_MOUTHS && state->next < THG_MAX_MOUTHS && state->clears <= 1 &&
           state->served[0] <= THG_GATE_LEAD_MOST && state->served[1] <= THG_GATE_LEAD_MOST &&
           state->served[2] <= THG_GATE_LEAD_MOST && state->served[3] <= THG_GATE_LEAD_MOST &&
           thg_is_finite(state->age) && thg_is_finite(state->limit) && thg_is_finite(state->calm);
}

/// The gates that are not free. Which gates there are follows from the map: read states lie in any
/// order until thg_gates_find() puts them where their keys say.
static throng_result stream_gates(thg_stream *stream, throng_crowd *crowd)
{
    for (int i = 0; i < crowd->gates.family_count; i++) {
        thg_gate_state *states = crowd->gates.families[i].states;
        int32_t count = 0;
        for (int k = 0; k < THG_MAX_PASSAGES && stream->mode != THG_STREAM_READ; k++) {
            count += states[k].mode != THRONG_GATE_FREE;
        }
        THG_STREAM(stream, count);
        if (count < 0 || count > THG_MAX_PASSAGES) {
            return THRONG_BAD_DATA;
        }
        for (int k = 0, at = 0; at < count; k++) {
            if (stream->mode == THG_STREAM_READ || states[k].mode != THRONG_GATE_FREE) {
                THG_STREAM(stream, states[k]);
                at++;
                if (!gate_is_valid(&states[k])) {
                    return THRONG_BAD_DATA;
                }
            }
        }
        if (stream->mode == THG_STREAM_READ) {
            crowd->gates.busy = crowd->gates.busy || count > 0;
        }
    }
    return THRONG_OK;
}

/// The profiles of a crowd, to be written, or as a restore begins.
typedef struct profile_list {
    throng_profile_def defs[THRONG_MAX_PROFILES];
    uint8_t changed[THRONG_MAX_PROFILES];
} profile_list;

static void list_profiles(const throng_crowd *crowd, profile_list *list)
{
    for (int i = 0; i < crowd->profile_count; i++) {
        list->defs[i] = crowd->profiles[i].def;
        list->changed[i] = crowd->profiles[i].changed;
    }
}

static throng_result stream_profiles(thg_stream *stream, const throng_crowd *crowd,
                                     profile_list *list)
{
    return thg_stream_profiles(stream, crowd->map, crowd->profile_count, list->defs, list->changed);
}

static throng_result stream_world(thg_stream *stream, throng_crowd *crowd, uint8_t *terrain)
{
    THG_STREAM(stream, crowd->def.seed);
    THG_STREAM(stream, crowd->time);
    THG_STREAM(stream, crowd->step_count);
    uint8_t pending = stream->map_pending;
    THG_STREAM(stream, pending);
    stream->map_pending = pending != 0;
    thg_stream_bytes(stream, terrain, crowd->map->cell_count);
    throng_result result = stream_relations(stream, crowd);
    if (result == THRONG_OK) {
        result = thg_stream_goals(stream, crowd);
    }
    if (result == THRONG_OK) {
        result = thg_stream_field_queue(stream, crowd);
    }
    if (result == THRONG_OK) {
        result = thg_stream_traffic(stream, crowd);
    }
    if (result == THRONG_OK) {
        result = stream_gates(stream, crowd);
    }
    if (result == THRONG_OK) {
        result = thg_stream_agents(stream, crowd);
    }
    return result == THRONG_OK ? thg_stream_routes(stream, crowd) : result;
}

// ---- Memory -------------------------------------------------------------------------------------

throng_result throng_crowd_snapshot(const throng_crowd *crowd, void **data, size_t *size)
{
    // Counting and writing change nothing; one list for three modes is worth the cast.
    throng_crowd *source = (throng_crowd *)crowd;
    bool pending = crowd->map->dirty || throng_map_version(crowd->map) != crowd->map_version;
    thg_stream stream = {
        .mode = THG_STREAM_COUNT, .at = sizeof(snapshot_header), .map_pending = pending};
    profile_list profiles;
    list_profiles(crowd, &profiles);
    stream_profiles(&stream, crowd, &profiles);
    throng_result result = stream_world(&stream, source, crowd->map->terrain);
    if (result != THRONG_OK) {
        return result;
    }
    size_t total = stream.at;
    unsigned char *bytes = thg_allocate(total, 1);
    if (bytes == NULL) {
        return THRONG_NO_MEMORY;
    }
    stream = (thg_stream){.mode = THG_STREAM_WRITE,
                          .data = bytes,
                          .size = total,
                          .at = sizeof(snapshot_header),
                          .map_pending = pending};
    stream_profiles(&stream, crowd, &profiles);
    stream_world(&stream, source, crowd->map->terrain);
    snapshot_header header = {.version = SNAPSHOT_VERSION,
                              .header_size = sizeof header,
                              .size = total,
                              .checksum = checksum(bytes + sizeof header, total - sizeof header),
                              .fingerprint = fingerprint(crowd)};
    memcpy(header.magic, SNAPSHOT_MAGIC, sizeof header.magic);
    memcpy(bytes, &header, sizeof header);
    *data = bytes;
    *size = total;
    return THRONG_OK;
}

void throng_snapshot_free(void *data, size_t size)
{
    thg_release(data, size, 1);
}

static throng_result check_header(const throng_crowd *crowd, const unsigned char *data, size_t size,
                                  throng_error *error)
{
    snapshot_header header;
    if (size < sizeof header) {
        return thg_fail(error, THRONG_BAD_DATA, 0, 0,
                        "byte %zu: the snapshot ends inside its header of %zu bytes", size,
                        sizeof header);
    }
    memcpy(&header, data, sizeof header);
    if (memcmp(header.magic, SNAPSHOT_MAGIC, sizeof header.magic) != 0) {
        return thg_fail(error, THRONG_BAD_DATA, 0, 0,
                        "byte 0: not a snapshot: it does not start with \"%s\"", SNAPSHOT_MAGIC);
    }
    if (header.version != SNAPSHOT_VERSION || header.header_size != sizeof header) {
        return thg_fail(error, THRONG_BAD_DATA, 0, 0,
                        "byte 8: snapshot version %u, this library reads version %u",
                        (unsigned)header.version, SNAPSHOT_VERSION);
    }
    if (header.size != size) {
        return thg_fail(error, THRONG_BAD_DATA, 0, 0,
                        "byte 16: the snapshot says it has %llu bytes, but there are %zu",
                        (unsigned long long)header.size, size);
    }
    if (header.checksum != checksum(data + sizeof header, size - sizeof header)) {
        return thg_fail(error, THRONG_BAD_DATA, 0, 0,
                        "byte 24: the checksum does not fit: the snapshot is damaged");
    }
    if (header.fingerprint != fingerprint(crowd)) {
        return thg_fail(
            error, THRONG_BAD_DATA, 0, 0,
            "byte 32: the snapshot is of another crowd: map size, classes, those of profiles, "
            "max_agents, max_goals, metric, field_cell_budget and route_bytes must be the "
            "same");
    }
    return THRONG_OK;
}

/// From here on nothing can fail: the map gets its terrain, the fields their solutions.
static void put_in_place(throng_crowd *crowd, throng_crowd *fresh, const uint8_t *terrain,
                         bool map_pending)
{
    throng_map *map = crowd->map;
    if (memcmp(map->terrain, terrain, map->cell_count) != 0) {
        memcpy(map->terrain, terrain, map->cell_count);
        map->dirty = true;
    }
    throng_map_update(map);
    fresh->map_version = throng_map_version(map);
    for (int slot = 1; slot <= fresh->def.max_goals; slot++) {
        for (int i = 0; i < map->layer_count; i++) {
            thg_goal_field *field = &fresh->goals[slot].fields[i];
            if (field->field != NULL && !field->waiting && !field->priced && !map_pending &&
                !thg_goal_has_moved(&fresh->goals[slot], field)) {
                throng_field_solve(field->field);
            }
            if (field->sphere != NULL && !field->waiting && !map_pending &&
                !thg_goal_has_moved(&fresh->goals[slot], field)) {
                throng_planet_field_solve(field->sphere);
            }
            field->solved_for = field->solved_for != 0 ? fresh->map_version : 0;
            if (field->field != NULL || field->sphere != NULL) {
                thg_goal_find_regions(fresh, (uint32_t)slot, i);
            }
        }
    }
    if (!map_pending) { // else the next step finds them, on the map as it is then
        thg_gates_find(fresh);
    }
    if (map_pending) {
        fresh->map_version = 0; // the next step looks at the map anew and starts every field
    } else if (fresh->field_active) {
        thg_resume_solve(fresh);
    }
    thg_routes_restored(fresh, map_pending);
    fresh->rows_moved = true;
    fresh->last_press = fresh->step_count + 1; // as far as is known
    thg_agents_index(fresh);
    thg_slots_look(fresh);
    fresh->notes = crowd->notes;
    crowd->notes = NULL;
    thg_notes_forget(fresh);
    throng_crowd old = *crowd;
    *crowd = *fresh;
    *fresh = old;
}

/// A crowd like this one, with the profiles of the snapshot.
static throng_result begin_fresh(thg_stream *stream, const throng_crowd *crowd,
                                 throng_crowd **fresh)
{
    profile_list profiles;
    list_profiles(crowd, &profiles);
    throng_result result = stream_profiles(stream, crowd, &profiles);
    if (result != THRONG_OK || stream->short_of_data) {
        return THRONG_BAD_DATA;
    }
    throng_crowd_def def = crowd->def;
    def.profiles = profiles.defs;
    result = throng_crowd_create(&def, fresh);
    for (int i = 0; i < crowd->profile_count && result == THRONG_OK; i++) {
        (*fresh)->profiles[i].changed = profiles.changed[i] != 0;
    }
    return result;
}

throng_result throng_crowd_restore(throng_crowd *crowd, const void *data, size_t size,
                                   throng_error *error)
{
    throng_result result = check_header(crowd, data, size, error);
    if (result != THRONG_OK) {
        return result;
    }
    throng_crowd *fresh = NULL;
    size_t cells = crowd->map->cell_count;
    uint8_t *terrain = thg_allocate(cells, 1);
    thg_stream stream = {.mode = THG_STREAM_READ,
                         .data = (unsigned char *)data,
                         .size = size,
                         .at = sizeof(snapshot_header)};
    result = terrain != NULL ? begin_fresh(&stream, crowd, &fresh) : THRONG_NO_MEMORY;
    if (result == THRONG_OK) {
        result = stream_world(&stream, fresh, terrain);
    }
    bool complete = !stream.short_of_data && stream.at == size;
    for (size_t i = 0; i < cells && complete && result == THRONG_OK; i++) {
        complete = terrain[i] < THRONG_MAX_TERRAINS;
    }
    if (result == THRONG_BAD_DATA || (result == THRONG_OK && !complete)) {
        result = thg_fail(error, THRONG_BAD_DATA, 0, 0,
                          "byte %zu: the snapshot contradicts itself or ends too soon", stream.at);
    } else if (result == THRONG_OK) {
        put_in_place(crowd, fresh, terrain, stream.map_pending);
    }
    if (result == THRONG_NO_MEMORY) {
        thg_fail(error, result, 0, 0, "no memory to restore a snapshot of %zu bytes", size);
    }
    throng_crowd_destroy(fresh);
    thg_release(terrain, cells, 1);
    return result;
}
