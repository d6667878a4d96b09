/// Hash and snapshots: a restored world goes on as the first did, and broken bytes change nothing.
#include "crowd_fixture.h"

#include <sys/stat.h>
#include <unistd.h>

#define DT (1.0f / 30.0f)

static const fixture_options options = {
    .width = 80, .height = 80, .max_agents = 300, .boxes = true, .field_cell_budget = 2000};

/// Agents on their way, some idle, one command queued, a field half solved after an edit.
static fixture busy_world(void)
{
    fixture world = fixture_make(options);
    throng_goal_id goals[2] = {fixture_goal(&world, 38.0f, 20.0f),
                               fixture_goal(&world, 20.0f, 38.0f)};
    throng_goal_id none = {0, 0};
    uint32_t seed = 11;
    for (int i = 0; i < 200; i++) {
        throng_vec2 place = fixture_random_place(&seed, 1.0f, 30.0f);
        fixture_spawn(&world, place.x, place.y, i % 2, i % 5 == 0 ? none : goals[i % 3 == 0]);
    }
    for (int i = 0; i < 40; i++) {
        throng_crowd_step(world.crowd, DT);
    }
    assert_ok(throng_crowd_edit_rect(world.crowd, (throng_cell_rect){50, 30, 6, 20}, THRONG_WALL));
    uint32_t flags = throng_crowd_step(world.crowd, DT);
    assert_true(flags & THRONG_STEP_FIELDS_BEHIND);
    fixture_spawn(&world, 2.0f, 3.0f, 1, goals[0]);
    return world;
}

static void run(fixture *world, int steps)
{
    for (int i = 0; i < steps; i++) {
        throng_crowd_step(world->crowd, DT);
    }
}

static void a_restored_world_goes_on_with_the_same_hashes(void **ignored)
{
    (void)ignored;
    fixture world = busy_world(), other = fixture_make(options);
    void *data;
    size_t size;
    assert_ok(throng_crowd_snapshot(world.crowd, &data, &size));
    throng_error error = {0};
    assert_ok_or(throng_crowd_restore(other.crowd, data, size, &error), &error);
    assert_int_equal(throng_crowd_hash(other.crowd), throng_crowd_hash(world.crowd));
    for (int i = 0; i < 100; i++) {
        run(&world, 1);
        run(&other, 1);
        assert_int_equal(throng_crowd_hash(other.crowd), throng_crowd_hash(world.crowd));
    }
    throng_snapshot_free(data, size);
    fixture_destroy(&world);
    fixture_destroy(&other);
}

static void a_world_restores_itself_to_an_earlier_time(void **ignored)
{
    (void)ignored;
    fixture world = busy_world();
    void *data;
    size_t size;
    assert_ok(throng_crowd_snapshot(world.crowd, &data, &size));
    run(&world, 50);
    uint64_t expected = throng_crowd_hash(world.crowd);
    assert_ok(throng_crowd_restore(world.crowd, data, size, NULL));
    run(&world, 50);
    assert_int_equal(throng_crowd_hash(world.crowd), expected);
    throng_snapshot_free(data, size);
    fixture_destroy(&world);
    assert_int_equal(throng_live_bytes(), 0);
}

static void a_snapshot_survives_a_file(void **ignored)
{
    (void)ignored;
    fixture world = busy_world(), other = fixture_make(options);
    char path[] = "/tmp/throng-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    throng_error error = {0};
    assert_ok_or(throng_crowd_save(world.crowd, path, &error), &error);
    assert_ok_or(throng_crowd_load(other.crowd, path, &error), &error);
    assert_int_equal(throng_crowd_hash(other.crowd), throng_crowd_hash(world.crowd));
    assert_int_equal(throng_crowd_save(world.crowd, "/nowhere/at/all", &error),
                     THRONG_CANNOT_WRITE);
    assert_string_equal(error.file, "/nowhere/at/all");
    assert_int_equal(throng_crowd_load(world.crowd, "/tmp", &error), THRONG_CANNOT_READ);
    assert_int_equal(throng_crowd_load(world.crowd, "/nowhere", &error), THRONG_CANNOT_READ);
    unlink(path);
    fixture_destroy(&world);
    fixture_destroy(&other);
}

static void refuse(fixture *world, const void *data, size_t size, const char *part)
{
    throng_error error = {0};
    uint64_t before = throng_crowd_hash(world->crowd);
    assert_int_equal(throng_crowd_restore(world->crowd, data, size, &error), THRONG_BAD_DATA);
    assert_non_null(strstr(error.text, part));
    assert_int_equal(throng_crowd_hash(world->crowd), before);
}

static void broken_snapshots_are_refused_and_change_nothing(void **ignored)
{
    (void)ignored;
    fixture world = busy_world();
    void *data;
    size_t size;
    assert_ok(throng_crowd_snapshot(world.crowd, &data, &size));
    unsigned char *copy = malloc(size + 8);
    memcpy(copy, data, size);
    memset(copy + size, 0, 8);
    refuse(&world, copy, 0, "ends inside its header");
    refuse(&world, copy, 39, "ends inside its header");
    refuse(&world, copy, size - 1, "says it has");
    refuse(&world, copy, size + 8, "says it has");
    copy[0] ^= 1;
    refuse(&world, copy, size, "not a snapshot");
    copy[0] ^= 1;
    unsigned char version = copy[8];
    copy[8] = 99;
    refuse(&world, copy, size, "version 99");
    copy[8] = version;
    for (size_t at = 24; at < size; at += size / 37) {
        copy[at] ^= 0x10;
        refuse(&world, copy, size, "byte");
        copy[at] ^= 0x10;
    }
    fixture_options wider = options;
    wider.max_agents = 301;
    fixture other = fixture_make(wider);
    refuse(&other, copy, size, "another crowd");
    free(copy);
    throng_snapshot_free(data, size);
    fixture_destroy(&world);
    fixture_destroy(&other);
}

/// The host, or another crowd, has edited the map since the crowd's last step.
static void a_snapshot_keeps_an_edit_that_no_step_has_seen(void **ignored)
{
    (void)ignored;
    for (int updated = 0; updated < 2; updated++) {
        fixture world = fixture_make(options), other = fixture_make(options);
        throng_goal_id goal = fixture_goal(&world, 38.0f, 20.0f);
        uint32_t seed = 4;
        for (int i = 0; i < 200; i++) {
            throng_vec2 place = fixture_random_place(&seed, 1.0f, 30.0f);
            fixture_spawn(&world, place.x, place.y, i % 2, goal);
        }
        run(&world, 60);
        assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){20, 20, 20, 20}, THRONG_WALL));
        if (updated) {
            throng_map_update(world.map);
        }
        void *data;
        size_t size;
        assert_ok(throng_crowd_snapshot(world.crowd, &data, &size));
        assert_ok(throng_crowd_restore(other.crowd, data, size, NULL));
        for (int i = 0; i < 60; i++) {
            run(&world, 1);
            run(&other, 1);
            fixture_check_invariants(&other);
            assert_int_equal(throng_crowd_hash(other.crowd), throng_crowd_hash(world.crowd));
        }
        throng_snapshot_free(data, size);
        fixture_destroy(&world);
        fixture_destroy(&other);
    }
}

/// As a forger would: any byte changed, the checksum put right.
static void forged_snapshots_never_break_the_process(void **ignored)
{
    (void)ignored;
    fixture world = busy_world();
    void *data;
    size_t size;
    assert_ok(throng_crowd_snapshot(world.crowd, &data, &size));
    unsigned char *copy = malloc(size);
    uint32_t seed = 1;
    int taken = 0, refused = 0;
    for (int i = 0; i < 400; i++) {
        memcpy(copy, data, size);
        for (int k = 0; k < 4; k++) {
            size_t at = 40 + (size_t)fixture_random(&seed) * 977 % (size - 40);
            copy[at] = (unsigned char)fixture_random(&seed);
        }
        uint64_t hash = size - 40;
        for (size_t at = 40; at < size; at += 8) {
            uint64_t word = 0;
            memcpy(&word, copy + at, size - at < 8 ? size - at : 8);
            hash = hash * 0x9e3779b97f4a7c15u + word;
            hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
            hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
            hash ^= hash >> 31;
        }
        memcpy(copy + 24, &hash, 8);
        fixture other = fixture_make(options);
        throng_result result = throng_crowd_restore(other.crowd, copy, size, NULL);
        assert_true(result == THRONG_OK || result == THRONG_BAD_DATA);
        taken += result == THRONG_OK;
        refused += result == THRONG_BAD_DATA;
        run(&other, 2);
        fixture_destroy(&other);
    }
    assert_true(taken > 0 && refused > 0);
    free(copy);
    throng_snapshot_free(data, size);
    fixture_destroy(&world);
}

static void the_hash_sees_every_change(void **ignored)
{
    (void)ignored;
    fixture world = busy_world();
    uint64_t before = throng_crowd_hash(world.crowd);
    assert_int_equal(throng_crowd_hash(world.crowd), before);
    // A query between steps changes nothing.
    throng_map_nearest_fit(world.map, 0, (throng_vec2){3.0f, 3.0f}, 0, &(int){0}, &(int){0});
    assert_int_equal(throng_crowd_hash(world.crowd), before);
    run(&world, 1);
    assert_int_not_equal(throng_crowd_hash(world.crowd), before);
    fixture_destroy(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_restored_world_goes_on_with_the_same_hashes),
        TEST(a_world_restores_itself_to_an_earlier_time),
        TEST(a_snapshot_survives_a_file),
        TEST(broken_snapshots_are_refused_and_change_nothing),
        TEST(a_snapshot_keeps_an_edit_that_no_step_has_seen),
        TEST(forged_snapshots_never_break_the_process),
        TEST(the_hash_sees_every_change),
    };
    return RUN_TESTS(tests);
}
