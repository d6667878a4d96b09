/// A window as one more place for a drawing's picture, and flat triangles over it for panels.
///
/// Who opens the window (SDL, a toolkit, a game) makes the surface and hands it over; nothing here
/// knows of keys or of any window system.
#ifndef THRONG_GPU_WINDOW_H
#define THRONG_GPU_WINDOW_H

#include <throng_gpu/drawing.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_window throng_window;

/// The VkInstance, for who makes a surface of it.
THRONG_API void *throng_gpu_instance(const throng_gpu *gpu);

/// Takes over a VkSurfaceKHR of the device's instance; on failure too. THRONG_UNREACHABLE when the
/// device cannot show on it, THRONG_NO_MEMORY; *error (may be NULL) says which.
THRONG_API throng_result throng_window_create(throng_gpu *gpu, uint64_t surface,
                                              throng_window **window, throng_error *error);
/// NULL is allowed. Before its device goes.
THRONG_API void throng_window_destroy(throng_window *window);

/// A corner: place in pixels of the window from its upper left, place in the sheet (0..1), colour.
typedef struct throng_overlay_corner {
    float x, y, u, v;
    uint32_t colour; ///< 0xAABBGGRR
} throng_overlay_corner;

/// Triangles that share a rectangle outside of which nothing is drawn.
typedef struct throng_overlay_part {
    float clip[4]; ///< pixels: left, top, right, bottom
    uint32_t first_index, index_count;
    int32_t first_corner;
} throng_overlay_part;

/// What lies over the picture.
typedef struct throng_overlay {
    const throng_overlay_corner *corners;
    const uint16_t *indices;
    const throng_overlay_part *parts;
    int corner_count, index_count, part_count;
    float width, height; ///< of the window, in the units of the corners; 0: nothing is drawn
} throng_overlay;

/// The sheet of letters and signs that corners point into: width * height * 4 bytes. Copied.
/// THRONG_NO_MEMORY, THRONG_UNREACHABLE.
THRONG_API throng_result throng_window_set_sheet(throng_window *window, const uint8_t *rgba,
                                                 int width, int height);

/// Shows a drawing's last frame, stretched over the window, and an overlay (may be NULL) on it. A
/// window that has become larger or smaller is found out; one without a single pixel is left alone.
/// THRONG_NO_MEMORY, THRONG_UNREACHABLE when the device is lost.
THRONG_API throng_result throng_window_show(throng_window *window, throng_drawing *drawing,
                                            const throng_overlay *overlay);

/// True when the last call showed something.
THRONG_API bool throng_window_visible(const throng_window *window);

#ifdef __cplusplus
}
#endif

#endif
