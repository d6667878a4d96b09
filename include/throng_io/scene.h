/// Scenes: JSON files that say what a world is, what happens in it, and what is expected of it.
///
/// docs/scenes.md describes every key. A scene with a mistake is refused with file, line, key and
/// what was expected; nothing is guessed.
#ifndef THRONG_IO_SCENE_H
#define THRONG_IO_SCENE_H

#include <throng/throng.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_scene throng_scene;

/// Reads and checks a scene; the map files it names are read later, by throng_world_create.
/// THRONG_BAD_DATA, THRONG_CANNOT_READ, THRONG_NO_MEMORY with *error (may be NULL).
THRONG_API throng_result throng_scene_load(const char *path, throng_scene **scene,
                                           throng_error *error);

/// The same from memory. `path` is what errors call it, and where the files it names are looked
/// for.
THRONG_API throng_result throng_scene_parse(const char *text, size_t size, const char *path,
                                            throng_scene **scene, throng_error *error);
THRONG_API void throng_scene_destroy(throng_scene *scene);

/// The scene's name: its `name`, else the file's without folder and ending.
THRONG_API const char *throng_scene_name(const throng_scene *scene);
/// One sentence, or empty.
THRONG_API const char *throng_scene_about(const throng_scene *scene);
/// Why the trial, or the first of its expectations that says so, is known to fail for now; empty
/// when none is.
THRONG_API const char *throng_scene_known(const throng_scene *scene);
/// "paths", "cells", "threads" or "drawing": what the viewer opens beside the scene; NULL: nothing.
THRONG_API const char *throng_scene_playground(const throng_scene *scene);
/// How many arrangements (shifts and turns of the start) a check runs. At least 1.
THRONG_API int throng_scene_arrangement_count(const throng_scene *scene);
/// Writes what an arrangement moves, e.g. "shift -1 0" or "as written", cut to `size` bytes.
THRONG_API void throng_scene_arrangement_name(const throng_scene *scene, int index, char *text,
                                              size_t size);
THRONG_API int throng_scene_expectation_count(const throng_scene *scene);
/// Name of a profile of its crowd; NULL past the last.
THRONG_API const char *throng_scene_profile_name(const throng_scene *scene, int profile);
THRONG_API bool throng_scene_has_control(const throng_scene *scene);
/// Simulated seconds a run takes at most, and seconds of a step.
THRONG_API double throng_scene_seconds(const throng_scene *scene);
THRONG_API float throng_scene_dt(const throng_scene *scene);

#ifdef __cplusplus
}
#endif

#endif
