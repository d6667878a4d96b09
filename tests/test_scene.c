/// Scenes: what is right is read, what is wrong is refused with its line, its key and what was
/// expected.
#include "scene_fixture.h"

// ---- Helpers ----------------------------------------------------------------------------------

/// A scene on a map of 20 x 20 m with `rest` from line 4 on.
static void small_scene(char *text, size_t size, const char *rest)
{
    snprintf(text, size, "{\n\"throng_scene\": 1,\n\"map\": {\"size\": [20, 20]},\n%s\n}", rest);
}

// ---- Refused ----------------------------------------------------------------------------------

typedef struct broken {
    const char *rest; ///< lines 4 and on of a small scene
    int line;
    const char *key, *expected;
} broken;

#define AGENT "\"agents\": [{\"at\": [[5, 5]]}],\n"

static const broken broken_scenes[] = {
    {"\"agents\": [{\"at\": [[5, 5]]}],\n\"colour\": 1", 5, "colour", "unknown key"},
    {"\"agents\": [{\"at\": [[5, 5]]}],\n\"duration\": \"long\"", 5, "duration", "a number"},
    {AGENT "\"goals\": {\"g\": {\"points\": [[1, 1]],\n\"method\": \"way\"}}", 6, "goals.g.method",
     "\"auto\", \"field\", \"tiles\", \"path\" or \"rooms\""},
    {AGENT "\"goals\": {\"g\": {\"points\": [[1, 1]],\n\"expected_agents\": -1}}", 6,
     "goals.g.expected_agents", "[0, 16777216]"},
    {AGENT "\"goals\": {\"g\": {\"slots\": {\"count\": 4, \"at\": [9, 9]},\n\"method\": \"path\"}}",
     6, "goals.g.method", "places round a target need a field"},
    {AGENT "\"goals\": {\"g\": {\"rects\": [[1, 1, 2, 2]],\n\"moves\": {\"through\": [[9, 9]], "
           "\"speed\": 1}}}",
     6, "goals.g.moves", "a goal of one point"},
    {AGENT "\"goals\": {\"g\": {\"points\": [[1, 1]],\n\"moves\": {\"through\": [[9, 9]]}}}", 6,
     "goals.g.moves", "the key speed"},
    {AGENT
     "\"goals\": {\"g\": {\"points\": [[1, 1]], \"moves\": {\n\"through\": [],\n\"speed\": 1}}}",
     6, "goals.g.moves.through", "a list of 1"},
    {AGENT "\"goals\": {\"g\": {\"points\": [[1, 1]],\n\"follows\": \"who\"}}", 6,
     "goals.g.follows", "the name of a group"},
    {AGENT "\"goals\": {\"g\": {\"points\": [[1, 1]],\n\"follows\": 7}}", 6, "goals.g.follows",
     "the name of a group"},
    {"\"agents\": [{\"at\": [[5, 5]], \"name\": \"a\"}],\n\"goals\": {\"g\": {\"points\": [[1, 1], "
     "[2, "
     "2]],\n\"follows\": \"a\"}}",
     6, "goals.g.follows", "a goal of one point"},
    {"\"agents\": [{\"at\": [[5, 5]], \"name\": \"a\"}],\n\"goals\": {\"g\": {\"points\": [[1, "
     "1]], "
     "\"follows\": \"a\", \"moves\": {\"through\": [[9, 9]], \"speed\": 1}}}",
     5, "goals.g", "at most one of the keys"},
    {AGENT "\"duration\": 1e308", 5, "duration", "[0, 1000000]"},
    {AGENT "\"duration\": -1", 5, "duration", "[0, 1000000]"},
    {AGENT "\"duration\": 1e309", 5, "", "valid JSON"},
    {AGENT "\"duration\": NaN", 5, "", "valid JSON"},
    {AGENT "\"name\": \"two words\"", 5, "name", "a name"},
    {AGENT "\"name\": 7", 5, "name", "a name"},
    {AGENT "\"threads\": 1.5", 5, "threads", "whole number"},
    {AGENT "\"threads\": 65", 5, "threads", "[1, 64]"},
    {AGENT "\"metric\": \"manhattan\"", 5, "metric", "eikonal"},
    {AGENT "\"seed\": -3", 5, "seed", "whole number"},
    {AGENT "\"stop_when_empty\": 1", 5, "stop_when_empty", "true or false"},
    {AGENT "\"duration\": 1,\n\"duration\": 2", 6, "", "valid JSON"},
    {"\"agents\": [\n{\"at\": [[5, 5]]},\n{\"pile\": {\"at\": [5, 5],\n\"count\": -1}}]", 7,
     "agents[1].pile.count", "[1, 4000000]"},
    {"\"agents\": [{\"pile\": {\"at\": [5, 5], \"count\": 99999999999}}]", 4,
     "agents[0].pile.count", "[1, 4000000]"},
    {"\"agents\": [{\"at\": [[5, 5]],\n\"goal\": \"exot\"}],\n\"goals\": {\"exit\": {\"points\": "
     "[[1, 1]]}}",
     5, "agents[0].goal", "the name of a goal: exit"},
    {"\"agents\": [{\"at\": [[5, 5]],\n\"profile\": \"tank\"}]", 5, "agents[0].profile",
     "the name of a profile: person"},
    {"\"agents\": [{\"at\": [[5, 5]],\n\"block\": {}}]", 5, "agents[0].block", "missing"},
    {"\"agents\": [{\"at\": [[5, 5]], \"pile\": {\"at\": [1, 1], \"count\": 2}}]", 4, "agents[0]",
     "exactly one of the keys"},
    {"\"agents\": [{\"name\": \"a\"}]", 4, "agents[0]", "exactly one of the keys"},
    {"\"agents\": [{\"at\": [[5, 5, 5]]}]", 4, "agents[0].at[0]", "[x, y]"},
    {"\"agents\": [{\"at\": [[5, \"x\"]]}]", 4, "agents[0].at[0][1]", "a number"},
    {"\"agents\": [{\"at\": []}]", 4, "agents[0].at", "a list of 1"},
    {"\"agents\": {\"at\": [[5, 5]]}", 4, "agents", "a list"},
    {"\"agents\": [{\"at\": [[5, 5]], \"name\": \"a\"},\n{\"at\": [[6, 5]], \"name\": \"a\"}]", 5,
     "agents[1].name", "no other group"},
    {"\"agents\": [{\"block\": {\"first\": [1, 1], \"columns\": 4000000,\n\"rows\": 4000000, "
     "\"pitch\": [1, 1]}}]",
     4, "agents[0].block", "columns x rows"},
    {"\"agents\": [{\"random\": {\"density\": 1}}]", 4, "agents[0].random.density", "area"},
    {"\"agents\": [{\"at\": [[5, 5]], \"own_goals\": {\"points\": [[1, 1], [2, 2]]}}]", 4,
     "agents[0].own_goals", "as many points"},
    {"\"agents\": [{\"at\": [[5, 5]], \"goal\": \"g\", \"own_goals\": {\"offset\": [1, 0]}}],\n"
     "\"goals\": {\"g\": {\"points\": [[1, 1]]}}",
     4, "agents[0]", "at most one of the keys"},
    {AGENT "\"goals\": {\"g\": {\"points\": [[1, 1]],\n\"arrive\": -1}}", 6, "goals.g.arrive",
     "[0, 1000]"},
    {AGENT "\"goals\": {\"g\": {\"remove\": true}}", 5, "goals.g", "points, rects, cells"},
    {AGENT "\"goals\": {\"g\": {\"rects\": [[3, 3, 1, 4]]}}", 5, "goals.g.rects[0]", "x0 < x1"},
    {AGENT "\"goals\": {\"g\": {\"cells\": [[1.5, 2]]}}", 5, "goals.g.cells[0]", "whole numbers"},
    {AGENT "\"goals\": {\"my goal\": {\"points\": [[1, 1]]}}", 5, "goals.my goal", "a name"},
    {AGENT "\"goals\": {\"g\": {\"points\": [[1, 1]], \"slots\": {\"count\": 4, \"at\": [1, 1]}}}",
     5, "goals.g", "or the key slots"},
    {AGENT "\"goals\": {\"g\": {\"slots\": {\"count\": 4}}}", 5, "goals.g.slots", "footprint, at"},
    {AGENT "\"goals\": {\"g\": {\"slots\": {\"count\": 4, \"at\": [1, 1], \"distance\": 0}}}", 5,
     "goals.g.slots", "0.05"},
    {AGENT "\"goals\": {\"g\": {\"slots\": {\"count\": 4, \"at\": [1, 1]},\n\"remove\": true}}", 6,
     "goals.g.remove", "expected false"},
    {AGENT "\"relations\": [{\"team\": 1, \"to\": 2, \"are\": \"foes\"}]", 5, "relations[0].are",
     "enemy"},
    {AGENT "\"relations\": [{\"team\": 1, \"to\": 16, \"are\": \"ally\"}]", 5, "relations[0].to",
     "[0, 15]"},
    {"\"profiles\": {\"p\": {\"kinematic\": true}}, \"goals\": {\"g\": {\"points\": [[1, 1]]}},\n"
     "\"agents\": [{\"at\": [[5, 5]], \"goal\": \"g\"}]",
     5, "agents[0]", "is driven"},
    {AGENT "\"classes\": {\"c\": {\"cost\": {\"lava\": 2}}}", 5, "classes.c.cost.lava",
     "unknown terrain"},
    {AGENT "\"classes\": {\"c\": {\"cost\": {\"wall\": 2}}}", 5, "classes.c.cost.wall",
     "blocks every class"},
    {AGENT "\"classes\": {\"c\": {\"cost\": {\"ground\": 255}}}", 5, "classes.c.cost.ground",
     "[0, 64]"},
    {AGENT "\"classes\": {\"c\": {\"cost\": {\"ground\": -1}}}", 5, "classes.c.cost.ground",
     "[0, 64]"},
    {AGENT "\"classes\": {\"c\": {\"cost\": {\"ground\": NaN}}}", 5, "", "valid JSON"},
    {AGENT "\"classes\": {\"c\": {\"cost\": {\"ground\": 0.01}}}", 5, "classes.c.cost.ground",
     "0.0625"},
    {AGENT "\"classes\": {}", 5, "classes", "1 to 16"},
    {AGENT "\"profiles\": {\"p\": {\"radius\": 2}}", 5, "profiles.p", "at most its class's"},
    {AGENT "\"profiles\": {\"p\": {\"like\": \"q\"},\n\"q\": {}}", 5, "profiles.p.like",
     "the name of a profile"},
    {AGENT "\"profiles\": {\"p\": {\"speed\": 100}}", 5, "profiles.p.speed", "[0, 40]"},
    {AGENT "\"terrains\": [\"mud\", \"wall\"]", 5, "terrains[1]", "a new terrain"},
    {AGENT "\"events\": [{\"step\": 1}]", 5, "events[0]", "the key at"},
    {AGENT "\"events\": [{\"at\": 1,\n\"step\": 6}]", 6, "events[0].step", "[0, 5]"},
    {AGENT "\"events\": [{\"at\": 1}]", 5, "events[0]", "exactly one"},
    {AGENT "\"events\": [{\"at\": 1, \"order\": {\"agents\": \"all\", \"goal\": null}}]", 5,
     "events[0].order.agents", "the name of a group"},
    {AGENT "\"events\": [{\"at\": 1, \"edit\": {\"rects\": [[1, 1, 2, 2]], \"terrain\": "
           "\"door\"}}]",
     5, "events[0].edit.terrain", "the name of a terrain"},
    {AGENT "\"sources\": [{\"area\": [1, 1, 2, 2]}]", 5, "sources[0]", "rate"},
    {AGENT "\"gates\": {\"g\": {\"from\": [1, 1], \"to\": [1, 1]}}", 5, "gates.g",
     "two different points"},
    {AGENT "\"arrangements\": {\"dx\": [1, 2],\n\"dz\": [1]}", 6, "arrangements.dz", "unknown key"},
    {AGENT "\"arrangements\": {\"seeds\": [1,\n1.5]}", 6, "arrangements.seeds", "a whole number"},
    {AGENT "\"expect\": [{\"name\": \"e\", \"measure\": \"luck\", \"at_most\": 1}]", 5,
     "expect[0].measure", "the name of a measure"},
    {AGENT "\"expect\": [{\"name\": \"e\", \"measure\": \"walked\"}]", 5, "expect[0]",
     "at_most, at_least"},
    {AGENT "\"expect\": [{\"name\": \"e\", \"measure\": \"walked\", \"at_most\": 1,\n\"gate\": "
           "\"g\"}]",
     6, "expect[0].gate", "the name of a gate"},
    {AGENT "\"expect\": [{\"name\": \"e\", \"measure\": \"walked\", \"at_most\": 1,\n\"radius\": "
           "2}]",
     6, "expect[0].radius", "the measure walked knows"},
    {AGENT "\"expect\": [{\"name\": \"e\", \"measure\": \"quiet_share\", \"at_most\": 1}]", 5,
     "expect[0]", "limit"},
    {AGENT "\"expect\": [{\"name\": \"e\", \"measure\": \"walked\", \"at_most\": 1,\n"
           "\"of_control\": true}]",
     6, "expect[0].of_control", "control"},
    {AGENT "\"expect\": [{\"name\": \"e\", \"measure\": \"alive_count\", \"at_most\": 1,\n"
           "\"at\": 61}]",
     6, "expect[0].at", "within the duration"},
    {AGENT "\"control\": {\n\"duration\": -2}", 6, "duration", "[0, 1000000]"},
    {AGENT "\"control\": {\n\"expect\": []}", 6, "control.expect",
     "a key that a control may change"},
    {"\"about\": \"nobody\"", 1, "", "agents or sources"},
    {"\"agents\": [{\"at\": [[5, 5]]}]\n\"duration\": 3", 5, "", "valid JSON"},
    {"\"agents\": [{\"at\": [[5, 5]]}], \"about\": \"\xff\xfe\"", 4, "", "valid JSON"},
    {"\"agents\": [{\"at\": [[5, 5]]}], \"about\": \"a\\u0000b\"", 4, "", "valid JSON"},
    {AGENT "\"include\": 5", 5, "include", "a string"},
};

static void broken_scenes_are_refused_with_line_key_and_expectation(void **state)
{
    (void)state;
    char text[2048];
    int count = (int)(sizeof broken_scenes / sizeof broken_scenes[0]);
    for (int i = 0; i < count; i++) {
        const broken *one = &broken_scenes[i];
        throng_scene *scene = NULL;
        throng_error error;
        small_scene(text, sizeof text, one->rest);
        throng_result result = parse(text, &scene, &error);
        bool good = result == THRONG_BAD_DATA && scene == NULL && error.line == one->line &&
                    strncmp(error.text, one->key, strlen(one->key)) == 0 &&
                    strstr(error.text, one->expected) != NULL &&
                    strcmp(error.file, "test.json") == 0 && error.column > 0;
        if (!good) {
            print_error("%d: %s\ngave %s:%d:%d: %s\nwanted line %d, %s, %s\n", i, one->rest,
                        error.file, error.line, error.column, error.text, one->line, one->key,
                        one->expected);
        }
        assert_true(good);
    }
    print_message("%d broken scenes refused\n", count);
}

static const char *const broken_maps[][3] = {
    {"{\"size\": [20, 20.2]}", "map.size", "whole cells"},
    {"{\"size\": [1e5, 1e5]}", "map.size", "16384"},
    {"{\"size\": [8000, 8000]}", "map.size", "67108864"},
    {"{\"size\": [-20, 20]}", "map.size[0]", "0.01"},
    {"{}", "map", "exactly one"},
    {"{\"size\": [9, 9], \"file\": \"x.map\"}", "map", "exactly one"},
    {"{\"file\": \"\"}", "map.file", "a map file"},
    {"{\"size\": [9, 9], \"shapes\": [{}]}", "map.shapes[0]", "exactly one"},
    {"{\"size\": [9, 9], \"shapes\": [{\"boxes\": {\"count\": 2, \"side\": [3, 1]}}]}",
     "map.shapes[0].boxes.side", "least <= most"},
    {"{\"size\": [9, 9], \"cell\": 0}", "map.cell", "0.01"},
    {"[]", "map", "an object"},
};

static void broken_maps_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken_maps / sizeof broken_maps[0]; i++) {
        char text[512];
        throng_scene *scene = NULL;
        throng_error error;
        snprintf(text, sizeof text,
                 "{\"throng_scene\": 1,\n \"map\": %s,\n\"agents\": [{\"at\": [[5, 5]]}]}",
                 broken_maps[i][0]);
        assert_int_equal(parse(text, &scene, &error), THRONG_BAD_DATA);
        assert_int_equal(error.line, 2);
        if (strstr(error.text, broken_maps[i][1]) != error.text ||
            strstr(error.text, broken_maps[i][2]) == NULL) {
            fail_msg("%s gave %s", broken_maps[i][0], error.text);
        }
    }
}

static void what_is_no_scene_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "[]", "null", "{", "{}", "{\"throng_scene\": 2}", "\"text\"", "{\"throng_scene\": 1}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        throng_scene *scene = NULL;
        throng_error error;
        assert_int_equal(parse(texts[i], &scene, &error), THRONG_BAD_DATA);
        assert_null(scene);
        assert_true(error.line >= 1 && error.text[0] != '\0');
    }
    throng_scene *scene = NULL;
    throng_error error = {0};
    assert_int_equal(throng_scene_load("no_such_scene.json", &scene, &error), THRONG_CANNOT_READ);
    assert_int_equal(throng_scene_load("/", &scene, &error), THRONG_CANNOT_READ);
    assert_null(scene);
}

/// Brackets without end must neither crash nor take long.
static void deep_nesting_is_refused(void **state)
{
    (void)state;
    size_t size = 200000;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, '[', size);
    throng_scene *scene = NULL;
    throng_error error;
    assert_int_equal(throng_scene_parse(text, size, "deep.json", &scene, &error), THRONG_BAD_DATA);
    free(text);
}

/// Cut at every byte: refused or read, never more.
static void every_prefix_of_a_scene_is_survived(void **state)
{
    (void)state;
    char text[2048];
    small_scene(text, sizeof text,
                AGENT "\"goals\": {\"g\": {\"rects\": [[1, 1, 2, 2]]}},\n\"events\": [{\"at\": 1, "
                      "\"edit\": {\"rects\": [[1, 1, 2, 2]], \"terrain\": \"wall\"}}]");
    size_t size = strlen(text);
    for (size_t cut = 0; cut < size; cut++) {
        throng_scene *scene = NULL;
        throng_error error;
        assert_int_equal(throng_scene_parse(text, cut, "cut.json", &scene, &error),
                         THRONG_BAD_DATA);
        assert_null(scene);
    }
    throng_scene *scene = parse_good(text);
    throng_scene_destroy(scene);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void includes_are_laid_over_and_circles_are_refused(void **state)
{
    (void)state;
    throng_scene *scene = NULL;
    throng_error error;
    write_file("scene_base.json", "{\"throng_scene\": 1, \"map\": {\"size\": [20, 20]},\n"
                                  "\"duration\": 7, \"about\": \"base\",\n"
                                  "\"agents\": [{\"at\": [[5, 5]]}]}");
    write_file("scene_over.json", "{\"include\": \"scene_base.json\",\n\"about\": \"over\"}");
    assert_int_equal(throng_scene_load("scene_over.json", &scene, &error), THRONG_OK);
    assert_string_equal(throng_scene_about(scene), "over");
    assert_near(throng_scene_seconds(scene), 7.0, 0.0);
    assert_string_equal(throng_scene_name(scene), "scene_over");
    throng_scene_destroy(scene);

    // What is wrong in an included file is told with that file's name and line.
    write_file("scene_base.json", "{\"throng_scene\": 1, \"map\": {\"size\": [20, 20]},\n\n"
                                  "\"agents\": [{\"at\": [[5, true]]}]}");
    assert_int_equal(throng_scene_load("scene_over.json", &scene, &error), THRONG_BAD_DATA);
    assert_string_equal(error.file, "scene_base.json");
    assert_int_equal(error.line, 3);

    write_file("scene_base.json", "{\n\"include\": \"scene_over.json\"}");
    assert_int_equal(throng_scene_load("scene_over.json", &scene, &error), THRONG_BAD_DATA);
    assert_string_equal(error.file, "scene_base.json");
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.text, "include"));
    remove("scene_base.json");
    assert_int_equal(throng_scene_load("scene_over.json", &scene, &error), THRONG_CANNOT_READ);
    remove("scene_over.json");
}

static void the_example_of_the_docs_is_a_scene(void **state)
{
    (void)state;
    char path[512];
    FILE *file = fopen(test_source_path(path, sizeof path, "docs/scenes.md"), "rb");
    assert_non_null(file);
    static char text[65536];
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    char *start = strstr(text, "```json\n");
    assert_non_null(start);
    start += strlen("```json\n");
    char *end = strstr(start, "\n```");
    assert_non_null(end);
    *end = '\0';
    throng_scene *scene = parse_good(start);
    assert_int_equal(throng_scene_arrangement_count(scene), 4);
    assert_int_equal(throng_scene_expectation_count(scene), 3);
    throng_world *world = make_good(scene, 3);
    throng_world_step(world);
    assert_int_equal(throng_crowd_agents(throng_world_crowd(world)).count, 102);
    throng_world_destroy(world);
    throng_scene_destroy(scene);
}

static void every_scene_of_the_project_is_read(void **state)
{
    (void)state;
    static const char *const names[] = {"city", "crossing", "counterflow", "room"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[64], path[512];
        snprintf(name, sizeof name, "scenes/%s.json", names[i]);
        throng_scene *scene = NULL;
        throng_error error;
        throng_result result =
            throng_scene_load(test_source_path(path, sizeof path, name), &scene, &error);
        if (result != THRONG_OK) {
            fail_msg("%s:%d: %s", error.file, error.line, error.text);
        }
        assert_string_equal(throng_scene_name(scene), names[i]);
        throng_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(broken_scenes_are_refused_with_line_key_and_expectation),
        TEST(broken_maps_are_refused),
        TEST(what_is_no_scene_is_refused),
        TEST(deep_nesting_is_refused),
        TEST(every_prefix_of_a_scene_is_survived),
        TEST(includes_are_laid_over_and_circles_are_refused),
        TEST(the_example_of_the_docs_is_a_scene),
        TEST(every_scene_of_the_project_is_read),
    };
    return RUN_TESTS(tests);
}
