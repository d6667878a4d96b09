/// The command line as people use it: statuses, messages, and nothing left behind after a failure.
#define _GNU_SOURCE
#include "test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64], output[65536], errors[65536];

static void read_all(const char *name, char *text, size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    size_t got = file != NULL ? fread(text, 1, size - 1, file) : 0;
    text[got] = '\0';
    if (file != NULL) {
        fclose(file);
    }
}

/// Runs the program in the source folder; returns its exit status, fills `output` and `errors`.
static int throng(const char *arguments)
{
    const char *program = getenv("THRONG_PROGRAM"), *source = getenv("THRONG_SOURCE_DIR");
    char command[4096];
    snprintf(command, sizeof command, "cd '%s' && '%s' %s > '%s/stdout' 2> '%s/stderr'",
             source != NULL ? source : ".", program, arguments, folder, folder);
    int status = system(command);
    read_all("stdout", output, sizeof output);
    read_all("stderr", errors, sizeof errors);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/// Fails unless the call is refused with status 2, one line that begins with "throng: ", and
/// `part`.
static void refused(const char *arguments, const char *part)
{
    char filled[2048], *at;
    snprintf(filled, sizeof filled, "%s", arguments);
    while ((at = strstr(filled, "$T")) != NULL) {
        char rest[2048];
        snprintf(rest, sizeof rest, "%s", at + 2);
        snprintf(at, sizeof filled - (size_t)(at - filled), "%s%s", folder, rest);
    }
    int status = throng(filled);
    if (status != 2 || strncmp(errors, "throng: ", 8) != 0 || strstr(errors, part) == NULL ||
        strchr(errors, '\n') != errors + strlen(errors) - 1 || output[0] != '\0') {
        print_message("throng %s\nstatus %d, output '%s', errors '%s', wanted '%s'\n", filled,
                      status, output, errors, part);
        fail();
    }
}

static void every_verb_explains_itself(void **ignored)
{
    (void)ignored;
    assert_int_equal(throng("--help"), 0);
    assert_non_null(strstr(output, "throng VERB --help"));
    assert_int_equal(throng("--version"), 0);
    assert_non_null(strstr(output, throng_version()));
    const char *verbs[] = {"run", "check", "hash", "field", "path", "map", "bench"};
    for (int i = 0; i < 7; i++) {
        char arguments[32];
        snprintf(arguments, sizeof arguments, "%s --help", verbs[i]);
        assert_int_equal(throng(arguments), 0);
        assert_non_null(strstr(output, "example:"));
    }
    assert_int_equal(throng(""), 2);
}

static void bad_usage_is_refused_in_one_line(void **ignored)
{
    (void)ignored;
    refused("fly", "unknown verb 'fly'");
    refused("run", "usage: throng run");
    refused("run a b", "usage: throng run");
    refused("run --no-such scenes/city.json", "unknown option '--no-such'");
    refused("run scenes/city.json --steps", "--steps wants N");
    refused("run scenes/city.json --steps many", "expected a whole number");
    refused("run scenes/city.json --steps 1.5", "expected a whole number");
    refused("run scenes/city.json --steps -1", "expected a whole number");
    refused("run scenes/city.json --threads 65", "from 1 to 64");
    refused("run scenes/city.json --speed nan", "expected a number");
    refused("run scenes/city.json --speed 1e400", "expected a number");
    refused("run scenes/city.json --speed 0x10", "expected a number");
    refused("run scenes/city.json --kernels mmx", "expected auto");
    refused("hash scenes/city.json --every 0", "from 1");
    refused("field maps/movingai/empty-48-48.map --goal 3", "expected a point");
    refused("field maps/movingai/empty-48-48.map --goal 3,x", "expected a point");
    refused("field maps/movingai/empty-48-48.map --metric taxi", "expected eikonal or octile");
    refused("bench nothing", "no case 'nothing'");
    refused("bench octile --threads 0", "from 1 to 64");
    refused("run scenes/city.json --steps=", "expected a whole number");
    refused("run scenes/city.json --quiet=yes", "--quiet takes no value");
    refused("run -- --steps", "--steps");
    refused("path maps/movingai --scen x.scen", "is a folder");
}

static void bad_files_are_refused_with_file_and_place(void **ignored)
{
    (void)ignored;
    write_file("cut.map", "type octile\nheight 3\nwidth 3\nmap\n...\n..\n");
    write_file("huge.map", "type octile\nheight 99999999\nwidth 99999999\nmap\n...\n");
    write_file("odd.map", "type octile\nheight 1\nwidth 3\nmap\n.?.\n");
    write_file("empty.map", "");
    write_file("not.png", "\x89PNG\r\n\x1a\nrubbish");
    write_file("cut.pgm", "P5 100 100 255\nabc");
    write_file("good.map", "type octile\nheight 1\nwidth 3\nmap\n...\n");
    write_file("far.scen", "version 1\n0\tgood.map\t3\t1\t0\t0\t9\t0\t9.0\n");
    write_file("junk.scen", "version 1\n0\tgood.map\t3\n");
    write_file("broken.json", "{\n  \"map\": [\n");
    write_file("unknown.json", "{\n  \"mapp\": {}\n}\n");
    refused("map /nowhere/x.map", "/nowhere/x.map: ");
    refused("map $T", "");
    refused("map $T/cut.map", "cut.map:6");
    refused("map $T/huge.map", "huge.map:2");
    refused("map $T/odd.map", "odd.map:5");
    refused("map $T/empty.map", "empty.map");
    refused("map $T/not.png", "not.png");
    refused("map $T/cut.pgm", "cut.pgm");
    refused("map $T/good.map --out $T/x.bmp", "x.bmp");
    refused("map $T/good.map --out /nowhere/x.png", "/nowhere/x.png");
    refused("path $T/good.map", "good.map.scen");
    refused("path $T/good.map --scen $T/far.scen", "far.scen:2");
    refused("path $T/good.map --scen $T/junk.scen", "junk.scen:2");
    refused("run /nowhere/x.json", "/nowhere/x.json");
    refused("run $T/broken.json", "broken.json:3");
    refused("run $T/unknown.json", "unknown.json:2");
    refused("hash scenes/city.json --restore $T/good.map", "good.map");
    refused("run scenes/city.json --restore /nowhere/x", "/nowhere/x");
    refused("run scenes/city.json --out $T/good.map", "good.map");
    refused("field $T/good.map --out /nowhere/f.png", "");
}

/// A broken file, and what the refusal must say.
typedef struct broken {
    const char *name, *text, *verb, *part;
} broken;

#define SCENE(rest) "{\"throng_scene\": 1, \"map\": {\"size\": [10, 10]}, \"agents\": [" rest "]}"

static void forty_broken_files_each_get_one_line(void **ignored)
{
    (void)ignored;
    const broken files[] = {
        {"a1.map", "type octile\nheight -3\nwidth 3\nmap\n...\n", "map", "a1.map:2"},
        {"a2.map", "type octile\nheight nan\nwidth 3\nmap\n...\n", "map", "a2.map:2"},
        {"a3.map", "type octile\nheight 1e308\nwidth 3\nmap\n...\n", "map", "a3.map:2"},
        {"a4.map", "type octile\nwidth 3\nmap\n...\n", "map", "a4.map"},
        {"a5.map", "type octile\nheight 1\nwidth 3\nmap\n....\n", "map", "a5.map:5"},
        {"a6.map", "type octile\nheight 1\nwidth 3\nmap\n.\xff.\n", "map", "a6.map:5"},
        {"a7.map", "...\n..\n", "map", "a7.map:2"},
        {"a8.map", "type octile\nheight 1\nwidth 3\nmap\n...\nmore\n", "map", "a8.map:6"},
        {"b1.pgm", "P5", "map", "b1.pgm"},
        {"b2.pgm", "P5 -1 4 255\n....", "map", "b2.pgm"},
        {"b3.pgm", "P5 99999999 99999999 255\n", "map", "b3.pgm"},
        {"b4.pgm", "P5 2 2 0\n....", "map", "b4.pgm"},
        {"b5.pgm", "P2 2 2 255\n1 2 x 4\n", "map", "b5.pgm"},
        {"c1.png", "\x89PNG\r\n\x1a\n", "map", "c1.png"},
        {"c2.png", "GIF89a", "map", "c2.png"},
        {"d1.yaml", "image: d1.yaml\nresolution: 0.1\norigin: [0, 0, 0]\n", "map", "d1.yaml"},
        {"d2.yaml", "image: none.pgm\nresolution: 0.1\norigin: [0, 0, 0]\n", "map", "none.pgm"},
        {"d3.yaml", "image: b1.pgm\nresolution: -1\norigin: [0, 0, 0]\n", "map", "d3.yaml:2"},
        {"d4.yaml", "resolution: 0.1\n", "map", "d4.yaml"},
        {"e1.json", "", "run", "e1.json"},
        {"e2.json", "[]", "run", "e2.json:1"},
        {"e3.json", "{\"throng_scene\": 1}", "run", "e3.json:1"},
        {"e4.json", "{\"throng_scene\": 2, \"map\": {\"size\": [1, 1]}}", "run", "e4.json:1"},
        {"e5.json", SCENE("{\"at\": [[1, NaN]]}"), "run", "e5.json:1"},
        {"e6.json", SCENE("{\"at\": [[1, 1e999]]}"), "run", "e6.json:1"},
        {"e7.json", SCENE("{\"at\": [[1, 1e308]]}"), "run", "e7.json:1"},
        {"e8.json", SCENE("{\"at\": [[1]]}"), "run", "e8.json:1"},
        {"e9.json", SCENE("{\"at\": \"here\"}"), "run", "e9.json:1"},
        {"f1.json", SCENE("{\"at\": [[1, 1]], \"goal\": \"nowhere\"}"), "run", "f1.json:1"},
        {"f2.json", SCENE("{\"at\": [[1, 1]], \"profile\": \"ghost\"}"), "run", "f2.json:1"},
        {"f3.json", SCENE("{\"at\": [[1, 1]], \"at\": [[2, 2]]}"), "run", "f3.json:1"},
        {"f4.json", SCENE("{\"at\": [[1, 1]], \"name\": \"\xff\"}"), "run", "f4.json:1"},
        {"f5.json", "{\"throng_scene\": 1,\n\"include\": \"f5.json\"}", "run", "f5.json"},
        {"f6.json",
         "{\"throng_scene\": 1, \"map\": {\"file\": \"none.map\"},\n\"agents\": [{\"at\": [[1, "
         "1]]}]}",
         "run", "none.map"},
        {"f7.json",
         "{\"throng_scene\": 1, \"map\": {\"size\": [1e7, 1e7]},\n\"agents\": [{\"at\": [[1, "
         "1]]}]}",
         "run", "f7.json:1"},
        {"f8.json", "{\"throng_scene\": 1, \"map\": {\"size\": [-1, 4]}, \"agents\": []}", "run",
         "f8.json:1"},
        {"f9.json", "{\"throng_scene\": 1 \"map\": 3}", "check", "f9.json:1"},
        {"g1.snap", "THRONGS", "hash scenes/city.json --restore", "g1.snap"},
        {"g2.snap", "", "hash scenes/city.json --restore", "g2.snap"},
        {"g3.snap", "no snapshot but long enough to hold a header of forty bytes",
         "hash scenes/city.json --restore", "g3.snap"},
        {"h1.scen", "version 7\n", "path maps/movingai/empty-48-48.map --scen", "h1.scen:1"},
        {"h2.scen", "version 1\n0\tx\t48\t48\t0\t0\t1\t1\tnan\n",
         "path maps/movingai/empty-48-48.map --scen", "h2.scen:2"},
        {"h3.scen", "version 1\n0\tx\t48\t48\t-1\t0\t1\t1\t1.0\n",
         "path maps/movingai/empty-48-48.map --scen", "h3.scen:2"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char arguments[512];
        write_file(files[i].name, files[i].text);
        snprintf(arguments, sizeof arguments, "%s $T/%s", files[i].verb, files[i].name);
        if (strcmp(files[i].verb, "check") == 0) {
            // A check goes on with the next scene and sums up in the end.
            snprintf(arguments, sizeof arguments, "check --json $T/%s", files[i].name);
        }
        refused(arguments, files[i].part);
    }
}

/// Names in the folder that a failed call may have left.
static int leftovers(const char *part)
{
    int count = 0;
    DIR *open_folder = opendir(folder);
    for (struct dirent *entry; (entry = readdir(open_folder)) != NULL;) {
        count += strstr(entry->d_name, part) != NULL;
    }
    closedir(open_folder);
    return count;
}

static void failures_leave_no_files(void **ignored)
{
    (void)ignored;
    refused("map $T/cut.map --out $T/left.png", "cut.map");
    refused("run $T/unknown.json --out $T/left --save $T/left.snap", "unknown.json");
    assert_int_equal(throng("hash scenes/city.json --steps 1 --save /nowhere/left"), 2);
    assert_non_null(strstr(errors, "/nowhere/left"));
    assert_int_equal(leftovers("left"), 0);
}

static void a_wrong_length_fails_the_check_with_status_1(void **ignored)
{
    (void)ignored;
    char arguments[512];
    write_file("wrong.scen", "version 1\n0\tgood.map\t3\t1\t0\t0\t2\t0\t2.50000000\n");
    snprintf(arguments, sizeof arguments, "path %s/good.map --scen %s/wrong.scen", folder, folder);
    assert_int_equal(throng(arguments), 1);
    assert_non_null(strstr(output, "FAIL"));
    assert_int_equal(throng("path maps/movingai/random-32-32-20.map"), 0);
    assert_non_null(strstr(output, "100 rows"));
}

static void maps_survive_conversion(void **ignored)
{
    (void)ignored;
    char arguments[512], first[65536];
    assert_int_equal(throng("map maps/movingai/room-64-64-8.map --json"), 0);
    snprintf(first, sizeof first, "%s", output);
    snprintf(arguments, sizeof arguments, "map maps/movingai/room-64-64-8.map --out %s/room.png",
             folder);
    assert_int_equal(throng(arguments), 0);
    snprintf(arguments, sizeof arguments, "map %s/room.png --json", folder);
    assert_int_equal(throng(arguments), 0);
    assert_string_equal(output, first);
}

static void a_run_goes_on_from_its_snapshot(void **ignored)
{
    (void)ignored;
    char arguments[512], whole[65536];
    assert_int_equal(throng("hash scenes/city.json --steps 6 --every 3 --threads 2"), 0);
    snprintf(whole, sizeof whole, "%s", output);
    snprintf(arguments, sizeof arguments, "hash scenes/city.json --steps 3 --save %s/city.snap",
             folder);
    assert_int_equal(throng(arguments), 0);
    snprintf(arguments, sizeof arguments,
             "hash scenes/city.json --steps 6 --every 3 --restore %s/city.snap", folder);
    assert_int_equal(throng(arguments), 0);
    assert_non_null(strstr(whole, output));
    assert_non_null(strstr(output, "step 6 hash "));
}

static void options_take_their_value_after_an_equals_sign_too(void **ignored)
{
    (void)ignored;
    char first[65536];
    assert_int_equal(throng("hash scenes/room.json --steps 4 --every 2 --json"), 0);
    assert_ptr_equal(strstr(output, "{\"step\": 2, \"hash\": \""), output);
    snprintf(first, sizeof first, "%s", output);
    assert_int_equal(throng("hash --steps=4 --every=2 --json -- scenes/room.json"), 0);
    assert_string_equal(output, first);
}

static void a_map_one_cell_wide_is_drawn(void **ignored)
{
    (void)ignored;
    char arguments[512], row[6000];
    memset(row, '.', 5000);
    strcpy(row + 5000, "\n");
    write_file("thin.map", row);
    snprintf(arguments, sizeof arguments, "field %s/thin.map --out %s/thin.png --repeat 1", folder,
             folder);
    assert_int_equal(throng(arguments), 0);
    assert_non_null(strstr(output, "reached   5000 of 5000"));
}

static void every_named_list_of_exact_rows_is_checked(void **ignored)
{
    (void)ignored;
    char arguments[512];
    write_file("right.csv", "sx,sy,gx,gy,straight,diagonal,length\n0,0,2,0,2,0,2.0\n");
    write_file("wrong.csv", "sx,sy,gx,gy,straight,diagonal,length\n0,0,2,0,1,1,2.0\n");
    snprintf(arguments, sizeof arguments, "path %s/good.map --exact %s/right.csv --exact %s/%s",
             folder, folder, folder, "right.csv");
    assert_int_equal(throng(arguments), 0);
    snprintf(arguments, sizeof arguments, "path %s/good.map --exact %s/wrong.csv --exact %s/%s",
             folder, folder, folder, "right.csv");
    assert_int_equal(throng(arguments), 1);
    assert_non_null(strstr(output, "FAIL"));
    assert_non_null(strstr(output, "pass"));
}

static void a_full_disk_under_the_output_is_an_error(void **ignored)
{
    (void)ignored;
    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: no /dev/full here\n");
        return;
    }
    const char *calls[] = {"--help", "run --help", "map maps/movingai/empty-48-48.map"};
    for (int i = 0; i < 3; i++) {
        char arguments[128];
        // The second redirection wins.
        snprintf(arguments, sizeof arguments, "%s 2> /dev/null > /dev/full; exit $? #", calls[i]);
        assert_int_equal(throng(arguments), 2);
    }
}

static void benchmarks_are_listed(void **ignored)
{
    (void)ignored;
    assert_int_equal(throng("bench --list"), 0);
    assert_non_null(strstr(output, "octile"));
    assert_non_null(strstr(output, "crowd"));
}

/// The README's program is the sample, line for line.
static void the_program_in_the_readme_is_the_sample(void **ignored)
{
    (void)ignored;
    char path[512];
    static char readme[65536], sample[65536];
    FILE *file = fopen(test_source_path(path, sizeof path, "README.md"), "r");
    assert_non_null(file);
    readme[fread(readme, 1, sizeof readme - 1, file)] = '\0';
    fclose(file);
    file = fopen(test_source_path(path, sizeof path, "samples/hello.c"), "r");
    assert_non_null(file);
    sample[fread(sample, 1, sizeof sample - 1, file)] = '\0';
    fclose(file);
    assert_non_null(strstr(readme, sample));
    int lines = 0;
    for (const char *at = readme; *at != '\0'; at++) {
        lines += *at == '\n';
    }
    assert_true(lines <= 150);
}

static int make_folder(void **ignored)
{
    (void)ignored;
    snprintf(folder, sizeof folder, "/tmp/throng-cli-XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **ignored)
{
    (void)ignored;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

int main(void)
{
    if (getenv("THRONG_PROGRAM") == NULL) {
        print_message("THRONG_PROGRAM names no program: nothing tested\n");
        return 1;
    }
    const struct CMUnitTest tests[] = {
        TEST(every_verb_explains_itself),
        TEST(bad_usage_is_refused_in_one_line),
        TEST(bad_files_are_refused_with_file_and_place),
        TEST(forty_broken_files_each_get_one_line),
        TEST(failures_leave_no_files),
        TEST(a_wrong_length_fails_the_check_with_status_1),
        TEST(maps_survive_conversion),
        TEST(a_run_goes_on_from_its_snapshot),
        TEST(options_take_their_value_after_an_equals_sign_too),
        TEST(a_map_one_cell_wide_is_drawn),
        TEST(every_named_list_of_exact_rows_is_checked),
        TEST(a_full_disk_under_the_output_is_an_error),
        TEST(benchmarks_are_listed),
        TEST(the_program_in_the_readme_is_the_sample),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
