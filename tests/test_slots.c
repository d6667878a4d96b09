/// Places round a target: each taken once, held quietly, and taken again when its holder is gone.
#include "pass_on.h"
#include "test.h"

#include "crowd/ring.h"
#include <throng/replay.h>
#include <throng/throng.h>
#include <throng_io/world.h>

#define DT (1.0f / 30.0f)
#define AGENTS 220

typedef struct world {
    throng_map *map;
    throng_jobs *jobs;
    throng_crowd *crowd;
    throng_goal_id goal;
} world;

typedef struct siege {
    throng_slots_def slots;
    throng_cell_rect walls[3]; ///< cells of 0.5 m; none where the width is 0
    int threads, attackers;
} siege;

/// 60 x 60 m; the target is at (30, 30) or so, those who come stand west of it.
static world make_world(const siege *siege)
{
    world made = {NULL, NULL, NULL, {0, 0}};
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = 120;
    map_def.cell_size = 0.5f;
    assert_ok(throng_map_create(&map_def, &made.map));
    throng_class_def class_def = throng_default_class_def();
    int class_index;
    assert_ok(throng_map_add_class(made.map, &class_def, &class_index));
    for (int i = 0; i < 3; i++) {
        assert_ok(throng_map_edit_rect(made.map, siege->walls[i], THRONG_WALL));
    }
    if (siege->threads > 1) {
        assert_ok(throng_jobs_create(siege->threads, &made.jobs));
    }
    throng_profile_def profile = throng_default_profile_def();
    throng_crowd_def def = throng_default_crowd_def();
    def.map = made.map;
    def.jobs = made.jobs;
    def.profiles = &profile;
    def.profile_count = 1;
    def.max_agents = AGENTS;
    assert_ok(throng_crowd_create(&def, &made.crowd));
    throng_goal_def goal_def = throng_default_goal_def();
    goal_def.slots = siege->slots;
    assert_ok(throng_crowd_add_goal(made.crowd, &goal_def, &made.goal));
    for (int i = 0; i < siege->attackers; i++) {
        throng_spawn_def spawn = {
            .position = {3.0f + 1.2f * (float)(i % 10), 20.0f + 1.0f * (float)(i / 10)},
            .goal = made.goal};
        assert_ok(throng_crowd_spawn(made.crowd, &spawn, NULL));
    }
    throng_crowd_solve_fields(made.crowd);
    return made;
}

static void end_world(world *made)
{
    throng_crowd_destroy(made->crowd);
    throng_map_destroy(made->map);
    throng_jobs_destroy(made->jobs);
}

static int count_state(const world *made, throng_slot_state state)
{
    int count, found = 0;
    const throng_slot *slots = throng_crowd_slots(made->crowd, made->goal, &count);
    for (int i = 0; i < count; i++) {
        found += slots[i].state == state;
    }
    return found;
}

/// Steps for so long; whoever holds a place must keep it and stay on it.
static void watch(world *made, float seconds)
{
    static throng_agent_id held[THRONG_MAX_SLOTS];
    memset(held, 0, sizeof held);
    for (int i = 0; i < (int)(seconds * 30.0f); i++) {
        throng_crowd_step(made->crowd, DT);
        throng_agents_view agents = throng_crowd_agents(made->crowd);
        int count;
        const throng_slot *slots = throng_crowd_slots(made->crowd, made->goal, &count);
        for (int k = 0; k < count; k++) {
            if (held[k].slot != 0) {
                assert_int_equal(slots[k].state, THRONG_SLOT_HELD);
                assert_int_equal(slots[k].agent.slot, held[k].slot);
            }
            if (slots[k].state == THRONG_SLOT_HELD) {
                held[k] = slots[k].agent;
                int row = throng_crowd_find(made->crowd, slots[k].agent);
                float off = hypotf(agents.x[row] - slots[k].position.x,
                                   agents.y[row] - slots[k].position.y);
                assert_true(off <= 0.1f);
                assert_int_equal(agents.status[row], THRONG_ARRIVED);
            }
            for (int j = 0; j < k; j++) {
                assert_true(slots[j].agent.slot == 0 || slots[j].agent.slot != slots[k].agent.slot);
            }
        }
    }
}

static const siege tower = {
    .slots = {.count = 24, .footprint = {{30.0f, 28.0f}, {35.0f, 33.0f}}, .distance = 0.55f},
    .walls = {{60, 56, 10, 10}},
    .attackers = 200};

static void all_places_of_a_tower_are_held(void **ignored)
{
    (void)ignored;
    world made = make_world(&tower);
    watch(&made, 60.0f);
    int count;
    throng_crowd_slots(made.crowd, made.goal, &count);
    assert_int_equal(count, 24);
    assert_int_equal(count_state(&made, THRONG_SLOT_HELD), 24);
    end_world(&made);
}

static void everybody_is_quiet_once_the_places_are_held(void **ignored)
{
    (void)ignored;
    world made = make_world(&tower);
    watch(&made, 80.0f);
    static float x[AGENTS + 1], y[AGENTS + 1], walked[AGENTS + 1];
    for (int i = 0; i < 30 * 10; i++) {
        throng_agents_view agents = throng_crowd_agents(made.crowd);
        for (int k = 0; k < agents.count; k++) {
            uint32_t slot = agents.id[k].slot;
            walked[slot] =
                i == 0 ? 0.0f : walked[slot] + hypotf(agents.x[k] - x[slot], agents.y[k] - y[slot]);
            x[slot] = agents.x[k];
            y[slot] = agents.y[k];
        }
        throng_crowd_step(made.crowd, DT);
    }
    float most = 0.0f;
    for (int i = 1; i <= AGENTS; i++) {
        most = fmaxf(most, walked[i]);
    }
    assert_true(most <= 0.2f);
    throng_agents_view agents = throng_crowd_agents(made.crowd);
    for (int i = 0; i < agents.count; i++) {
        assert_int_equal(agents.status[i], THRONG_ARRIVED);
    }
    end_world(&made);
}

static void who_waits_takes_the_place_of_who_dies(void **ignored)
{
    (void)ignored;
    world made = make_world(&tower);
    watch(&made, 60.0f);
    int count;
    const throng_slot *slots = throng_crowd_slots(made.crowd, made.goal, &count);
    throng_agent_id gone[5];
    for (int i = 0; i < 5; i++) { // on every side
        gone[i] = slots[i * 5].agent;
        assert_ok(throng_crowd_remove(made.crowd, gone[i]));
    }
    throng_crowd_step(made.crowd, DT);
    assert_int_equal(count_state(&made, THRONG_SLOT_HELD), 19);
    watch(&made, 40.0f);
    assert_int_equal(count_state(&made, THRONG_SLOT_HELD), 24);
    slots = throng_crowd_slots(made.crowd, made.goal, &count);
    for (int i = 0; i < 5; i++) {
        assert_int_not_equal(slots[i * 5].agent.slot, 0);
        assert_int_equal(throng_crowd_find(made.crowd, gone[i]), -1);
    }
    end_world(&made);
}

static void who_is_sent_elsewhere_leaves_his_place(void **ignored)
{
    (void)ignored;
    siege few = tower;
    few.attackers = 24;
    world made = make_world(&few);
    watch(&made, 50.0f);
    assert_int_equal(count_state(&made, THRONG_SLOT_HELD), 24);
    int count;
    throng_agent_id agent = throng_crowd_slots(made.crowd, made.goal, &count)[3].agent;
    assert_ok(throng_crowd_order(made.crowd, agent, (throng_goal_id){0, 0}));
    throng_crowd_step(made.crowd, DT);
    const throng_slot *slots = throng_crowd_slots(made.crowd, made.goal, &count);
    assert_int_equal(slots[3].state, THRONG_SLOT_FREE);
    assert_int_equal(slots[3].agent.slot, 0);
    end_world(&made);
}

static void other_footprints_are_filled_too(void **ignored)
{
    (void)ignored;
    const siege sieges[3] = {
        {.slots = {.count = 8, .footprint = {{30.0f, 30.0f}, {31.0f, 31.0f}}, .distance = 0.7f},
         .walls = {{60, 60, 2, 2}},
         .attackers = 60},
        {.slots = {.count = 30, .footprint = {{28.0f, 29.0f}, {38.0f, 32.0f}}, .distance = 0.6f},
         .walls = {{56, 58, 20, 6}},
         .attackers = 80},
        {.slots = {.count = 20,
                   .footprint = {{32.0f, 30.0f}, {32.0f, 30.0f}},
                   .radius = 3.0f,
                   .distance = 0.5f},
         .attackers = 80}};
    for (int i = 0; i < 3; i++) {
        world made = make_world(&sieges[i]);
        watch(&made, 60.0f);
        assert_int_equal(count_state(&made, THRONG_SLOT_HELD), sieges[i].slots.count);
        end_world(&made);
    }
}

static void places_in_walls_are_not_offered_and_the_others_are_filled(void **ignored)
{
    (void)ignored;
    siege corner = tower; // walls close by on the east and the south
    corner.walls[1] = (throng_cell_rect){70, 40, 4, 30};
    corner.walls[2] = (throng_cell_rect){50, 66, 24, 4};
    world made = make_world(&corner);
    watch(&made, 60.0f);
    int blocked = count_state(&made, THRONG_SLOT_BLOCKED);
    assert_true(blocked >= 11 && blocked <= 14);
    assert_int_equal(count_state(&made, THRONG_SLOT_HELD), 24 - blocked);
    end_world(&made);
}

static void a_wall_across_the_lane_sends_them_the_other_way_round(void **ignored)
{
    (void)ignored;
    siege spur = tower; // from the middle of the north side away
    spur.walls[1] = (throng_cell_rect){64, 30, 2, 26};
    world made = make_world(&spur);
    watch(&made, 70.0f);
    int blocked = count_state(&made, THRONG_SLOT_BLOCKED);
    assert_true(blocked >= 1 && blocked <= 3);
    assert_int_equal(count_state(&made, THRONG_SLOT_HELD), 24 - blocked);
    end_world(&made);
}

static void threads_and_a_snapshot_change_no_bit(void **ignored)
{
    (void)ignored;
    siege fourfold = tower, empty = tower;
    fourfold.threads = 4;
    empty.attackers = 0;
    world one = make_world(&tower), four = make_world(&fourfold), late = make_world(&empty);
    for (int step = 0; step < 1200; step++) {
        throng_crowd_step(one.crowd, DT);
        throng_crowd_step(four.crowd, DT);
        assert_int_equal(throng_crowd_hash(one.crowd), throng_crowd_hash(four.crowd));
        if (step % 100 != 99) {
            continue;
        }
        pass_on(one.crowd, late.crowd);
        assert_int_equal(count_state(&late, THRONG_SLOT_HELD), count_state(&one, THRONG_SLOT_HELD));
        for (int i = 0; i < 20; i++, step++) {
            throng_crowd_step(one.crowd, DT);
            throng_crowd_step(four.crowd, DT);
            throng_crowd_step(late.crowd, DT);
            assert_int_equal(throng_crowd_hash(one.crowd), throng_crowd_hash(late.crowd));
        }
    }
    end_world(&one);
    end_world(&four);
    end_world(&late);
}

static void lengths_along_a_ring_are_found_again(void **ignored)
{
    (void)ignored;
    const throng_slots_def shapes[3] = {
        {.count = 1, .footprint = {{1.0f, 2.0f}, {6.0f, 4.0f}}, .distance = 1.5f},
        {.count = 1, .footprint = {{1.0f, 2.0f}, {1.0f, 2.0f}}, .radius = 2.0f, .distance = 1.0f},
        {.count = 1, .footprint = {{0.0f, 0.0f}, {8.0f, 0.0f}}, .distance = 0.5f}};
    for (int shape = 0; shape < 3; shape++) {
        thg_ring ring = thg_ring_make(&shapes[shape]);
        throng_vec2 normal, before = thg_ring_at(&ring, 0.0f, 0.7f, &normal);
        for (int i = 1; i < 500; i++) {
            float along = ring.length * (float)i / 500.0f, found;
            throng_vec2 place = thg_ring_at(&ring, along, 0.7f, &normal);
            assert_near(hypotf(normal.x, normal.y), 1.0f, 1e-4);
            assert_near(thg_ring_find(&ring, place.x, place.y, &found), 0.7f, 1e-3);
            assert_near(thg_ring_between(&ring, along, found), 0.0f, 2e-3);
            // Onwards is to the normal's left hand, and as far as it says or a bit more outside.
            float dx = place.x - before.x, dy = place.y - before.y;
            assert_true(dx * -normal.y + dy * normal.x > 0.9f * ring.length / 500.0f);
            assert_true(hypotf(dx, dy) < 2.5f * ring.length / 500.0f);
            before = place;
        }
    }
}

static void print_line(void *context, const throng_check_line *line)
{
    (void)context;
    if (!line->passed) {
        print_error("%s: %g, expected %s %g\n", line->name, line->value,
                    line->at_least ? "at least" : "at most", line->bound);
    }
}

static void check_scene(const char *name)
{
    char path[512];
    throng_scene *scene = NULL;
    throng_error error = {0};
    assert_ok_or(throng_scene_load(test_source_path(path, sizeof path, name), &scene, &error),
                 &error);
    throng_check_result result;
    throng_check_options options = {.threads = 0, .arrangement = 0};
    assert_ok_or(throng_scene_check(scene, &options, print_line, NULL, &result, &error), &error);
    throng_scene_destroy(scene);
    assert_int_equal(result.failed, 0);
    assert_true(result.passed > 0);
}

static void the_scene_of_the_tower_passes(void **ignored)
{
    (void)ignored;
    check_scene("scenes/slots/tower.json");
}

static void what_makes_no_sense_is_refused(void **ignored)
{
    (void)ignored;
    siege none = tower;
    none.attackers = 0;
    world made = make_world(&none);
    throng_goal_id goal;
    throng_goal_def def = throng_default_goal_def();
    throng_vec2 point = {1.0f, 1.0f};
    def.slots = tower.slots;
    def.shape.points = &point;
    def.shape.point_count = 1;
    assert_int_equal(throng_crowd_add_goal(made.crowd, &def, &goal), THRONG_BAD_ARGUMENT);
    def.shape = throng_default_goal_shape();
    def.remove_on_arrival = true;
    assert_int_equal(throng_crowd_add_goal(made.crowd, &def, &goal), THRONG_BAD_ARGUMENT);
    def.remove_on_arrival = false;
    def.slots.count = THRONG_MAX_SLOTS + 1;
    assert_int_equal(throng_crowd_add_goal(made.crowd, &def, &goal), THRONG_BAD_ARGUMENT);
    def.slots.count = 4;
    def.slots.distance = NAN;
    assert_int_equal(throng_crowd_add_goal(made.crowd, &def, &goal), THRONG_BAD_ARGUMENT);
    def.slots.distance = 0.0f;
    assert_int_equal(throng_crowd_add_goal(made.crowd, &def, &goal), THRONG_BAD_ARGUMENT);
    int count = 7;
    assert_null(throng_crowd_slots(made.crowd, (throng_goal_id){9, 1}, &count));
    assert_int_equal(count, 0);
    // A goal that goes takes its places along, and those who held them stand about.
    assert_ok(throng_crowd_remove_goal(made.crowd, made.goal));
    throng_crowd_step(made.crowd, DT);
    assert_null(throng_crowd_slots(made.crowd, made.goal, &count));
    end_world(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lengths_along_a_ring_are_found_again),
        TEST(all_places_of_a_tower_are_held),
        TEST(everybody_is_quiet_once_the_places_are_held),
        TEST(who_waits_takes_the_place_of_who_dies),
        TEST(who_is_sent_elsewhere_leaves_his_place),
        TEST(other_footprints_are_filled_too),
        TEST(places_in_walls_are_not_offered_and_the_others_are_filled),
        TEST(a_wall_across_the_lane_sends_them_the_other_way_round),
        TEST(threads_and_a_snapshot_change_no_bit),
        TEST(the_scene_of_the_tower_passes),
        TEST(what_makes_no_sense_is_refused),
    };
    return RUN_TESTS(tests);
}
