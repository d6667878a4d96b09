/// Crowd in the cost: what stands or comes the other way makes a way dearer, an empty map stays as
/// it is, and a snapshot carries all of it.
#include "crowd/crowd.h"
#include "crowd_fixture.h"
#include "pass_on.h"

#define DT (1.0f / 30.0f)

static const fixture_options options = {
    .width = 80, .height = 80, .max_agents = 300, .field_cell_budget = 2000};

static void run(fixture *world, int steps)
{
    for (int i = 0; i < steps; i++) {
        throng_crowd_step(world->crowd, DT);
    }
}

/// Prices of a field towards the right, with 40 discs of a tenth of a square metre in the middle
/// 4 x 4 metres, whose pace and way are given in shares.
static float price_in_the_middle(float pace, float way, bool yields)
{
    fixture world = fixture_make(options);
    throng_goal_shape shape = throng_default_goal_shape();
    throng_rect right = {{39.0f, 0.0f}, {40.0f, 40.0f}};
    shape.rects = &right;
    shape.rect_count = 1;
    throng_field *field;
    assert_ok(throng_field_create(world.map, 0, &shape, THRONG_EIKONAL, &field));
    throng_field_solve(field);
    thg_traffic *traffic;
    assert_ok(thg_traffic_create(world.map, &traffic));
    uint16_t *price = malloc(world.map->padded_count * sizeof *price);
    assert_non_null(price);
    assert_true(thg_traffic_is_calm(traffic));
    for (int turn = 0; turn < 200; turn++) {
        thg_traffic_begin(traffic);
        for (int i = 0; i < 160; i++) {
            throng_vec2 place = {18.1f + (float)(i % 4), 18.1f + (float)(i / 4 % 4)};
            thg_traffic_block disc = {.area = 102};
            disc.pace = (int32_t)(102.0f * pace);
            disc.along_x = (int32_t)(102.0f * pace * way);
            disc.yielding = yields ? 102 : 0;
            thg_traffic_add(traffic, place, &disc);
        }
        thg_traffic_end(traffic);
    }
    assert_false(thg_traffic_is_calm(traffic));
    thg_prices prices = thg_traffic_price(traffic, field, 1.0f, price);
    const thg_layer *layer = &world.map->layers[0];
    uint16_t most = 0;
    for (int y = 0; y < 80; y++) {
        for (int x = 0; x < 80; x++) {
            size_t cell = thg_padded_index(world.map, x, y);
            bool near = x >= 28 && x < 52 && y >= 28 && y < 52;
            assert_true(near || price[cell] == layer->price[cell]);
            assert_true((price[cell] == 0) == (layer->price[cell] == 0));
            assert_true(price[cell] == 0 ||
                        (price[cell] >= prices.min && price[cell] <= prices.max));
            most = price[cell] > most ? price[cell] : most;
        }
    }
    assert_int_equal(most, prices.max);
    for (int turn = 0; turn < 2000 && !thg_traffic_is_calm(traffic); turn++) {
        thg_traffic_begin(traffic);
        thg_traffic_end(traffic);
    }
    assert_true(thg_traffic_is_calm(traffic));
    size_t middle = thg_padded_index(world.map, 40, 40);
    float share = (float)price[middle] / (float)layer->price[middle];
    free(price);
    thg_traffic_destroy(traffic);
    throng_field_destroy(field);
    fixture_destroy(&world);
    assert_int_equal(throng_live_bytes(), 0);
    return share;
}

static void prices_follow_what_the_crowd_does(void **ignored)
{
    (void)ignored;
    float with = price_in_the_middle(1.0f, 1.0f, false);
    float slow = price_in_the_middle(0.5f, 1.0f, false);
    float jam = price_in_the_middle(0.0f, 0.0f, false);
    float against = price_in_the_middle(1.0f, -1.0f, false);
    float allies = price_in_the_middle(0.0f, 0.0f, true);
    print_message("times the free price: with %.2f slow %.2f jam %.2f against %.2f allies %.2f\n",
                  (double)with, (double)slow, (double)jam, (double)against, (double)allies);
    assert_near(with, 1.0, 0.05);
    assert_near(slow, 2.0, 0.1);
    assert_near(jam, 20.0, 0.5);
    assert_near(against, 20.0, 0.5);
    assert_near(allies, 2.5, 0.1);
}

/// Two crowds in each other's way, in a world with half as many cells a step as a field has.
static fixture busy_world(void)
{
    fixture world = fixture_make(options);
    assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){40, 0, 2, 36}, THRONG_WALL));
    assert_ok(throng_map_edit_rect(world.map, (throng_cell_rect){40, 42, 2, 38}, THRONG_WALL));
    throng_goal_id east = fixture_goal(&world, 35.0f, 20.0f);
    throng_goal_id west = fixture_goal(&world, 5.0f, 20.0f);
    for (int i = 0; i < 200; i++) {
        float x = (i < 100 ? 4.0f : 26.0f) + (float)(i % 10);
        fixture_spawn(&world, x, 15.0f + (float)(i / 10 % 10), i % 2, i < 100 ? east : west);
    }
    return world;
}

static void a_snapshot_in_the_middle_of_a_round_goes_on_as_it_was(void **ignored)
{
    (void)ignored;
    fixture world = busy_world(), other = fixture_make(options);
    int under_way = 0;
    run(&world, 150);
    for (int i = 0; i < 40; i++) {
        run(&world, 3);
        under_way += world.crowd->field_active && world.crowd->field_queue_count == 0;
        pass_on(world.crowd, other.crowd);
        run(&world, 12);
        run(&other, 12);
        assert_int_equal(throng_crowd_hash(other.crowd), throng_crowd_hash(world.crowd));
        for (int goal = 1; goal <= 2; goal++) {
            assert_memory_equal(thg_field_costs(world.crowd->goals[goal].fields[0].field),
                                thg_field_costs(other.crowd->goals[goal].fields[0].field),
                                world.map->padded_count * sizeof(uint32_t));
        }
    }
    assert_true(under_way > 5);
    fixture_destroy(&world);
    fixture_destroy(&other);
    assert_int_equal(throng_live_bytes(), 0);
}

static void an_empty_world_keeps_the_costs_of_its_map(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(options);
    throng_goal_id goal = fixture_goal(&world, 35.0f, 20.0f);
    throng_agent_id agent = fixture_spawn(&world, 5.0f, 20.0f, 0, goal);
    run(&world, 30);
    const throng_field *field = throng_crowd_goal_field(world.crowd, goal, 0);
    uint32_t version = throng_field_get_view(field).version;
    size_t bytes = world.map->padded_count * sizeof(uint32_t);
    throng_field *fresh;
    throng_goal_shape shape = throng_default_goal_shape();
    throng_vec2 point = {35.0f, 20.0f};
    shape.points = &point;
    shape.point_count = 1;
    assert_ok(throng_field_create(world.map, 0, &shape, THRONG_EIKONAL, &fresh));
    throng_field_solve(fresh);
    // One walks alone: nothing is full.
    assert_memory_equal(thg_field_costs(field), thg_field_costs(fresh), bytes);
    run(&world, 30);
    assert_true(throng_field_get_view(field).version > version);
    assert_ok(throng_crowd_remove(world.crowd, agent));
    run(&world, 300); // until nobody is remembered, nor expected
    version = throng_field_get_view(field).version;
    run(&world, 300);
    assert_int_equal(throng_field_get_view(field).version, version);
    throng_field_destroy(fresh);
    fixture_destroy(&world);
}

static void a_weight_that_cannot_be_is_refused(void **ignored)
{
    (void)ignored;
    fixture world = fixture_make(options);
    throng_crowd_def def = throng_default_crowd_def();
    def.map = world.map;
    def.profiles = world.profiles;
    def.profile_count = 2;
    const float bad[] = {-1.0f, 4.5f, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        throng_crowd *crowd = NULL;
        def.traffic = bad[i];
        assert_int_equal(throng_crowd_create(&def, &crowd), THRONG_BAD_ARGUMENT);
    }
    fixture_destroy(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(prices_follow_what_the_crowd_does),
        TEST(a_snapshot_in_the_middle_of_a_round_goes_on_as_it_was),
        TEST(an_empty_world_keeps_the_costs_of_its_map),
        TEST(a_weight_that_cannot_be_is_refused),
    };
    return RUN_TESTS(tests);
}
