/// throng view: shows a scene, drawn by the graphics device.
#include "cli.h"
#include "view/view.h"
#include <stdio.h>
#include <string.h>

static const cli_option options[] = {
    {"--png", "FILE", "write the last frame", CLI_TEXT, offsetof(view_options, png), 0, 0},
    {"--video", "FILE", "write all frames; .mp4, .mkv or .webm", CLI_TEXT,
     offsetof(view_options, video), 0, 0},
    {"--frames", "N", "so many frames (one; with --video to the scene's end)", CLI_WHOLE,
     offsetof(view_options, frames), 1, 1e6},
    {"--start", "S", "simulated seconds before the first frame (2)", CLI_REAL,
     offsetof(view_options, start), 0, 1e6},
    {"--speed", "X", "simulated seconds a second (1)", CLI_REAL, offsetof(view_options, speed), 0,
     1000},
    {"--fps", "N", "frames a second (25)", CLI_WHOLE, offsetof(view_options, frames_per_second), 1,
     120},
    {"--size", "WxH", "pixels of a frame (1280x720)", CLI_TEXT, offsetof(view_options, size), 0, 0},
    {"--samples", "N", "pixels drawn for one, each way (2)", CLI_WHOLE,
     offsetof(view_options, samples), 1, 4},
    {"--camera", "NAME", "overview, top, crowd, close or street", CLI_TEXT,
     offsetof(view_options, camera), 0, 0},
    {"--draw", "MODE", "naive, instanced, indirect or gpu-driven", CLI_TEXT,
     offsetof(view_options, draw), 0, 0},
    {"--layers", "A,B", "what the solver knows; see above", CLI_TEXT,
     offsetof(view_options, layers), 0, 0},
    {"--pick", "ROW", "the agent of the layers route, neighbours and motives (0)", CLI_WHOLE,
     offsetof(view_options, pick), 0, 1e7},
    {"--playground", "NAME", "measure: paths, cells, threads or drawing (as the scene says)",
     CLI_TEXT, offsetof(view_options, playground), 0, 0},
    {"--figures", "A,B", "person, soldier, big or zombie, for each profile", CLI_TEXT,
     offsetof(view_options, figures), 0, 0},
    {"--threads", "N", "threads of the crowd (as the scene says)", CLI_WHOLE,
     offsetof(view_options, threads), 1, 64},
    {"--validate", NULL, "with Vulkan's validation layer; fails when it says anything", CLI_FLAG,
     offsetof(view_options, validate), 0, 0},
    {"--window", NULL, "a window, whatever else is asked for", CLI_FLAG,
     offsetof(view_options, window), 0, 0},
    {"--trace", NULL, "in the window: say each action on stdout", CLI_FLAG,
     offsetof(view_options, trace), 0, 0},
    {"--lose-after", "N", "for tests: the device counts as lost after so many submits", CLI_WHOLE,
     offsetof(view_options, lose_after), 1, 1e6},
    {"--lose-again", "N", "for tests: so does each that is opened in its place", CLI_WHOLE,
     offsetof(view_options, lose_again), 1, 1e6},
    {"--keys", NULL, "print the window's keys, and end", CLI_FLAG, offsetof(view_options, keys), 0,
     0},
    {"--quiet", NULL, "no numbers", CLI_FLAG, offsetof(view_options, quiet), 0, 0},
    {"--json", NULL, "the numbers as one JSON object", CLI_FLAG, offsetof(view_options, json), 0,
     0},
};

#ifdef THRONG_HAS_VIEW
static void defaults(void *out)
{
    *(view_options *)out = view_default_options();
}

static int run(void *given, int count, char **arguments)
{
    view_options *wanted = given;
    throng_error error = {0};
    if (wanted->keys) {
        view_print_keys();
        return CLI_FINE;
    }
    if (count == 0) {
        return cli_complain("view: expected a scene");
    }
    wanted->scene = arguments[0];
    bool files = wanted->png != NULL || wanted->video != NULL || wanted->json || wanted->frames > 0;
    bool window = wanted->window || (!files && view_has_window());
    throng_result result = window ? view_window(wanted, &error) : view_headless(wanted, &error);
    if (result != THRONG_OK) {
        error.result = result;
        return cli_fail(&error);
    }
    return CLI_FINE;
}

#else
static void defaults(void *out)
{
    memset(out, 0, sizeof(view_options));
}

static int run(void *given, int count, char **arguments)
{
    (void)given, (void)count, (void)arguments;
    return cli_complain(
        "view: this build has no viewer; install libvulkan-dev, libvulkan-volk-dev, "
        "glslc and mesa-vulkan-drivers, and build again");
}
#endif

const cli_verb cli_view = {
    .name = "view",
    .arguments = "SCENE",
    .summary = "see a scene, drawn by the graphics device",
    .text =
        "Opens a window on a scene, drawn by Vulkan; H there shows all keys. Without a display, "
        "or\n"
        "with --png, --video, --frames or --json, draws without a window and says what that took.\n"
        "Layers come from the solver's own data: cost, heat, arrows, clearance, regions,\n"
        "density, bins, contacts, slots, goals, status, gates, route, portals, corridor,\n"
        "rooms, door.",
    .example = "throng view scenes/city.json --png city.png --layers heat,goals",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least = 0,
    .most = 1,
    .defaults = defaults,
    .run = run,
};
