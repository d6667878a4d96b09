/// Profiles: presets, own speeds, and how one walks behind another.
#include "crowd_fixture.h"

#include "crowd/crowd.h"

#define DT (1.0f / 30.0f)

static void every_preset_makes_a_crowd_and_an_unknown_name_nothing(void **state)
{
    (void)state;
    int count;
    const char *const *names = throng_profile_preset_names(&count);
    assert_true(count >= 2);
    throng_map_def map_def = throng_default_map_def();
    throng_map *map = NULL;
    assert_ok(throng_map_create(&map_def, &map));
    throng_class_def class_def = throng_default_class_def();
    class_def.radius = 0.45f; // of the largest preset
    int class_index;
    assert_ok(throng_map_add_class(map, &class_def, &class_index));
    for (int i = 0; i < count; i++) {
        throng_profile_def profile;
        assert_true(throng_profile_preset(names[i], &profile));
        throng_crowd_def def = throng_default_crowd_def();
        def.map = map;
        def.profiles = &profile;
        def.profile_count = 1;
        throng_crowd *crowd = NULL;
        assert_ok(throng_crowd_create(&def, &crowd));
        throng_crowd_destroy(crowd);
    }
    throng_profile_def kept;
    memset(&kept, 0x55, sizeof kept);
    throng_profile_def before = kept;
    assert_false(throng_profile_preset("pedestrians", &kept));
    assert_memory_equal(&kept, &before, sizeof kept);
    throng_map_destroy(map);
}

static void speeds_drawn_from_a_bell_have_its_mean_and_deviation(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    throng_profile_def def;
    assert_true(throng_profile_preset("pedestrian", &def));
    double sum = 0.0, squares = 0.0;
    int within_one = 0;
    float least = 9.0f, most = 0.0f;
    for (uint32_t i = 0; i < COUNT; i++) {
        float speed = def.speed * thg_profile_draw_pace(&def, 7, 1, i);
        sum += (double)speed;
        squares += (double)speed * (double)speed;
        within_one += fabsf(speed - 1.34f) < 0.2546f;
        least = speed < least ? speed : least;
        most = speed > most ? speed : most;
    }
    double mean = sum / COUNT, deviation = sqrt(squares / COUNT - mean * mean);
    print_message("free speed %.3f +- %.3f m/s, from %.2f to %.2f\n", mean, deviation,
                  (double)least, (double)most);
    assert_true(fabs(mean - 1.34) < 0.01);
    assert_true(fabs(deviation - 0.26) < 0.01);
    assert_true(within_one > 0.64 * COUNT && within_one < 0.70 * COUNT); // flat: 0.58
    assert_true(least > 0.5f && most < 2.2f);
}

static void the_widest_spreads_leave_everybody_a_pace_within_bounds(void **state)
{
    (void)state;
    throng_profile_def def = throng_default_profile_def();
    def.speed_spread = 0.9f;
    def.speed_deviation = 0.3f;
    bool cut_low = false, cut_high = false;
    for (uint32_t i = 0; i < 20000; i++) {
        float pace = thg_profile_draw_pace(&def, 1, 1, i);
        assert_true(pace >= THG_LEAST_PACE && pace <= thg_profile_top_pace(&def));
        cut_low = cut_low || pace == THG_LEAST_PACE;
        cut_high = cut_high || pace == THG_TOP_PACE;
    }
    assert_true(cut_low && cut_high);
}

/// Two on open ground of 80 x 80 m: the first profile stands ahead, the other walks behind it.
typedef struct pair {
    throng_map *map;
    throng_crowd *crowd;
    throng_agent_id ahead, behind;
} pair;

static pair pair_make(float slow, float headway, float following, float persistence)
{
    pair two = {0};
    throng_map_def map_def = throng_default_map_def();
    map_def.width = map_def.height = 160;
    assert_ok(throng_map_create(&map_def, &two.map));
    throng_class_def class_def = throng_default_class_def();
    int class_index;
    assert_ok(throng_map_add_class(two.map, &class_def, &class_index));
    throng_profile_def profiles[2];
    for (int i = 0; i < 2; i++) {
        profiles[i] = throng_default_profile_def();
        profiles[i].speed = i == 0 ? slow : 1.3f;
        profiles[i].avoidance_weight = profiles[i].separation_weight = 0.0f;
        profiles[i].headway = headway;
        profiles[i].following = following;
        profiles[i].persistence = persistence;
    }
    throng_crowd_def def = throng_default_crowd_def();
    def.traffic = 0.0f; // one who finds the way full goes round it
    def.map = two.map;
    def.profiles = profiles;
    def.profile_count = 2;
    assert_ok(throng_crowd_create(&def, &two.crowd));
    fixture world = {.crowd = two.crowd};
    throng_goal_id goal = fixture_goal(&world, 78.0f, 40.0f);
    two.ahead = fixture_spawn(&world, 6.0f, 40.0f, 0, goal);
    two.behind = fixture_spawn(&world, 2.0f, 40.0f, 1, goal);
    return two;
}

static void pair_destroy(pair *two)
{
    throng_crowd_destroy(two->crowd);
    throng_map_destroy(two->map);
}

/// Metres between the skins after half a minute behind one who walks at 0.5 m/s.
static float gap_behind_a_slow_one(float headway, float following)
{
    pair two = pair_make(0.5f, headway, following, 0.15f);
    for (int i = 0; i < 30 * 30; i++) {
        throng_crowd_step(two.crowd, DT);
    }
    throng_agents_view agents = throng_crowd_agents(two.crowd);
    int a = throng_crowd_find(two.crowd, two.ahead), b = throng_crowd_find(two.crowd, two.behind);
    float gap = agents.x[a] - agents.x[b] - agents.radius[a] - agents.radius[b];
    pair_destroy(&two);
    return gap;
}

static void who_does_not_follow_keeps_a_gap_of_his_headway(void **state)
{
    (void)state;
    float second = gap_behind_a_slow_one(1.0f, 0.0f), shorter = gap_behind_a_slow_one(0.7f, 0.0f);
    float shared = gap_behind_a_slow_one(1.0f, 0.5f), none = gap_behind_a_slow_one(0.4f, 1.0f);
    print_message("gaps %.3f %.3f %.3f %.3f m\n", (double)second, (double)shorter, (double)shared,
                  (double)none);
    assert_true(fabsf(second - 0.5f) < 0.03f);   // 0.5 m/s for one second
    assert_true(fabsf(shorter - 0.35f) < 0.03f); // for 0.7
    assert_true(fabsf(shared - 0.25f) < 0.03f);  // half of the speed is theirs
    assert_true(fabsf(none) < 0.03f);            // all of it: up to the skin
}

/// Metres that one who can hardly walk is pushed in twenty seconds.
static float pushed_by(float persistence)
{
    pair two = pair_make(0.0f, 0.4f, 1.0f, persistence);
    for (int i = 0; i < 30 * 20; i++) {
        throng_crowd_step(two.crowd, DT);
    }
    throng_agents_view agents = throng_crowd_agents(two.crowd);
    float moved = agents.x[throng_crowd_find(two.crowd, two.ahead)] - 6.0f;
    pair_destroy(&two);
    return moved;
}

static void persistence_is_what_pushes_those_who_do_not_move(void **state)
{
    (void)state;
    float none = pushed_by(0.0f), usual = pushed_by(0.15f), more = pushed_by(0.3f);
    print_message("pushed %.3f %.3f %.3f m\n", (double)none, (double)usual, (double)more);
    assert_true(none < 0.01f);
    assert_true(usual > 0.5f);
    assert_true(more > 1.5f * usual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_preset_makes_a_crowd_and_an_unknown_name_nothing),
        TEST(speeds_drawn_from_a_bell_have_its_mean_and_deviation),
        TEST(the_widest_spreads_leave_everybody_a_pace_within_bounds),
        TEST(who_does_not_follow_keeps_a_gap_of_his_headway),
        TEST(persistence_is_what_pushes_those_who_do_not_move),
    };
    return RUN_TESTS(tests);
}
