/// Scenes from text, and worlds of them, for tests.
#ifndef SCENE_FIXTURE_H
#define SCENE_FIXTURE_H

#include "test.h"

#include <throng/throng.h>
#include <throng_io/world.h>

static inline throng_result parse(const char *text, throng_scene **scene, throng_error *error)
{
    memset(error, 0, sizeof *error);
    return throng_scene_parse(text, strlen(text), "test.json", scene, error);
}

static inline throng_scene *parse_good(const char *text)
{
    throng_scene *scene = NULL;
    throng_error error;
    throng_result result = parse(text, &scene, &error);
    if (result != THRONG_OK) {
        print_error("%s:%d:%d: %s\n", error.file, error.line, error.column, error.text);
    }
    assert_int_equal(result, THRONG_OK);
    return scene;
}

static inline throng_world *make_good(const throng_scene *scene, int arrangement)
{
    throng_world_options options = throng_default_world_options();
    throng_world *world = NULL;
    throng_error error;
    options.arrangement = arrangement;
    options.measure_every = 1;
    throng_result result = throng_world_create(scene, &options, &world, &error);
    if (result != THRONG_OK) {
        print_error("%s:%d: %s\n", error.file, error.line, error.text);
    }
    assert_int_equal(result, THRONG_OK);
    return world;
}

#endif
