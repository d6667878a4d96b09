/// Videos: pictures piped to ffmpeg, which makes an H.264 file that browsers and players take.
///
/// ffmpeg runs as a child process, started without a shell, with one encoding thread so that the
/// same pictures give the same file. POSIX systems only; elsewhere opening fails.
#ifndef THRONG_IO_VIDEO_H
#define THRONG_IO_VIDEO_H

#include <throng_io/picture.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_video throng_video;

/// Starts ffmpeg on a temporary name beside `path` (which ends in .mp4, .mkv or .webm). Odd sizes
/// get one more column or row, for yuv420p wants even ones. frames_per_second: [1, 240].
/// THRONG_CANNOT_WRITE (no ffmpeg: the text names the package; no such folder),
/// THRONG_BAD_ARGUMENT, THRONG_NO_MEMORY.
THRONG_API throng_result throng_video_open(const char *path, int width, int height,
                                           int frames_per_second, throng_video **video,
                                           throng_error *error);

/// Adds a picture of the video's size (THRONG_BAD_ARGUMENT otherwise). Blocks while ffmpeg is
/// behind. THRONG_CANNOT_WRITE when ffmpeg has ended; the text says what it printed. A broken
/// pipe raises no signal.
THRONG_API throng_result throng_video_frame(throng_video *video, const throng_picture *picture,
                                            throng_error *error);

/// Ends the file, gives it its name, and frees everything, also after a failure, which leaves no
/// file. A video without frames is a failure. NULL is allowed.
THRONG_API throng_result throng_video_close(throng_video *video, throng_error *error);

/// Stops ffmpeg, removes the temporary file and frees everything. NULL is allowed.
THRONG_API void throng_video_abort(throng_video *video);

#ifdef __cplusplus
}
#endif

#endif
