/// Videos through ffmpeg as a child process: frames to its standard input, its complaints to a
/// temporary file that an error message quotes.
#include <throng_io/video.h>

#include "file.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct throng_video {
    char *path, *beside;
    int width, height; ///< of the pictures
    int pipe;          ///< -1 when closed
    pid_t process;     ///< 0 when it has ended
    FILE *complaints;
    long long frames;
    bool failed;
};

/// What the child turns into. Exit status 127: there is no ffmpeg.
static void become_ffmpeg(const throng_video *video, int input, int complaints, int rate)
{
    char size[32], frames[16], pad[80];
    snprintf(size, sizeof size, "%dx%d", video->width, video->height);
    snprintf(frames, sizeof frames, "%d", rate);
    snprintf(pad, sizeof pad, "pad=%d:%d:0:0:black", video->width + video->width % 2,
             video->height + video->height % 2);
    bool webm = thg_path_ends(video->path, ".webm");
    bool mp4 = thg_path_ends(video->path, ".mp4");
    char *arguments[] = {"ffmpeg",
                         "-hide_banner",
                         "-loglevel",
                         "error",
                         "-nostdin",
                         "-y",
                         "-f",
                         "rawvideo",
                         "-pix_fmt",
                         "rgb24",
                         "-s",
                         size,
                         "-r",
                         frames,
                         "-i",
                         "pipe:0",
                         "-an",
                         "-vf",
                         pad,
                         "-c:v",
                         webm ? "libvpx-vp9" : "libx264",
                         "-pix_fmt",
                         "yuv420p",
                         webm ? "-b:v" : "-preset",
                         webm ? "0" : "veryfast",
                         "-crf",
                         webm ? "34" : "21",
                         "-threads",
                         "1",
                         "-movflags",
                         mp4 ? "+faststart" : "0",
                         "-fflags",
                         "+bitexact",
                         "-flags:v",
                         "+bitexact",
                         "-f",
                         webm  ? "webm"
                         : mp4 ? "mp4"
                               : "matroska",
                         video->beside,
                         NULL};
    if (dup2(input, STDIN_FILENO) < 0 || dup2(complaints, STDERR_FILENO) < 0 ||
        dup2(complaints, STDOUT_FILENO) < 0) {
        _exit(126);
    }
    signal(SIGPIPE, SIG_DFL);
    execvp("ffmpeg", arguments);
    _exit(127);
}

static throng_result start(throng_video *video, int rate, throng_error *error)
{
    int ends[2];
    video->complaints = tmpfile();
    if (video->complaints == NULL || pipe(ends) != 0) {
        return thg_file_fail(error, THRONG_CANNOT_WRITE, video->path, 0, 0,
                             "no pipe for ffmpeg: %s", strerror(errno));
    }
    // Another video's child must not hold our end open, or ffmpeg would wait for more.
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t process = fork();
    if (process == 0) {
        become_ffmpeg(video, ends[0], fileno(video->complaints), rate);
    }
    close(ends[0]);
    if (process < 0) {
        int reason = errno;
        close(ends[1]);
        return thg_file_fail(error, THRONG_CANNOT_WRITE, video->path, 0, 0,
                             "ffmpeg cannot be started: %s", strerror(reason));
    }
    video->pipe = ends[1];
    video->process = process;
    return THRONG_OK;
}

static void release(throng_video *video)
{
    if (video->complaints != NULL) {
        fclose(video->complaints);
    }
    free(video->path);
    free(video->beside);
    free(video);
}

/// Waits for ffmpeg; its exit status, or 1 when it was killed.
static int end_process(throng_video *video)
{
    if (video->pipe >= 0) {
        close(video->pipe);
        video->pipe = -1;
    }
    int status = 0;
    while (video->process > 0 && waitpid(video->process, &status, 0) < 0 && errno == EINTR) {
    }
    video->process = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// One sentence from what ffmpeg printed.
static throng_result fail_of_ffmpeg(throng_video *video, int status, throng_error *error)
{
    video->failed = true;
    if (status == 127) {
        return thg_file_fail(error, THRONG_CANNOT_WRITE, video->path, 0, 0,
                             "there is no ffmpeg to make videos with: install the package ffmpeg");
    }
    char text[300] = "";
    size_t length = 0;
    if (fseek(video->complaints, 0, SEEK_SET) == 0) {
        length = fread(text, 1, sizeof text - 1, video->complaints);
    }
    text[length] = '\0';
    for (size_t i = 0; i < length; i++) {
        text[i] = (char)(text[i] == '\n' || text[i] == '\r' ? ' ' : text[i]);
    }
    return thg_file_fail(error, THRONG_CANNOT_WRITE, video->path, 0, 0,
                         "ffmpeg ends with status %d: %s", status,
                         length > 0 ? text : "it says nothing");
}

throng_result throng_video_open(const char *path, int width, int height, int frames_per_second,
                                throng_video **video, throng_error *error)
{
    *video = NULL;
    if (width < 1 || height < 1 || width > THRONG_MAX_PICTURE_SIDE ||
        height > THRONG_MAX_PICTURE_SIDE || frames_per_second < 1 || frames_per_second > 240) {
        return thg_file_fail(error, THRONG_BAD_ARGUMENT, path, 0, 0,
                             "a video of %d x %d pixels and %d frames a second cannot be made",
                             width, height, frames_per_second);
    }
    if (!thg_path_ends(path, ".mp4") && !thg_path_ends(path, ".mkv") &&
        !thg_path_ends(path, ".webm")) {
        return thg_file_fail(error, THRONG_BAD_ARGUMENT, path, 0, 0,
                             "has no ending of a video: expected .mp4, .mkv or .webm");
    }
    thg_file_writer probe; // says why when the place cannot be written
    throng_result result = thg_file_begin(path, &probe, error);
    if (result != THRONG_OK) {
        return result;
    }
    thg_file_cancel(&probe);
    throng_video *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for a video");
    }
    made->pipe = -1;
    made->width = width;
    made->height = height;
    made->path = malloc(strlen(path) + 1);
    made->beside = thg_file_beside(path);
    if (made->path == NULL || made->beside == NULL) {
        release(made);
        return thg_file_fail(error, THRONG_NO_MEMORY, path, 0, 0, "no memory for a video");
    }
    memcpy(made->path, path, strlen(path) + 1);
    result = start(made, frames_per_second, error);
    if (result != THRONG_OK) {
        release(made);
        return result;
    }
    *video = made;
    return THRONG_OK;
}

/// Writes everything; false when ffmpeg no longer reads. Runs with SIGPIPE blocked.
static bool write_whole(int pipe, const uint8_t *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(pipe, data, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        data += written;
        size -= (size_t)written;
    }
    return true;
}

/// As write_whole, but a broken pipe leaves no SIGPIPE behind, on this thread or the process.
static bool write_quietly(int pipe, const uint8_t *data, size_t size)
{
    sigset_t broken, before, waiting;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&waiting);
    bool was_waiting = sigismember(&waiting, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    bool written = write_whole(pipe, data, size);
    if (!written && !was_waiting) {
        struct timespec none = {0, 0};
        while (sigtimedwait(&broken, NULL, &none) < 0 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return written;
}

throng_result throng_video_frame(throng_video *video, const throng_picture *picture,
                                 throng_error *error)
{
    if (picture->width != video->width || picture->height != video->height) {
        return thg_file_fail(error, THRONG_BAD_ARGUMENT, video->path, 0, 0,
                             "the picture is %d x %d and the video %d x %d", picture->width,
                             picture->height, video->width, video->height);
    }
    if (video->pipe < 0) {
        return thg_file_fail(error, THRONG_CANNOT_WRITE, video->path, 0, 0,
                             "the video has failed before");
    }
    size_t size = (size_t)picture->width * (size_t)picture->height * 3;
    if (!write_quietly(video->pipe, picture->rgb, size)) {
        return fail_of_ffmpeg(video, end_process(video), error);
    }
    video->frames++;
    return THRONG_OK;
}

throng_result throng_video_close(throng_video *video, throng_error *error)
{
    if (video == NULL) {
        return THRONG_OK;
    }
    throng_result result = THRONG_OK;
    if (video->failed) {
        result = thg_file_fail(error, THRONG_CANNOT_WRITE, video->path, 0, 0,
                               "is not kept, for a frame could not be written");
    } else {
        int status = end_process(video);
        if (status != 0) {
            result = fail_of_ffmpeg(video, status, error);
        } else if (video->frames == 0) {
            result = thg_file_fail(error, THRONG_CANNOT_WRITE, video->path, 0, 0,
                                   "a video needs a frame");
        } else if (rename(video->beside, video->path) != 0) {
            result = thg_file_fail(error, THRONG_CANNOT_WRITE, video->path, 0, 0,
                                   "cannot be given its name: %s", strerror(errno));
        }
    }
    if (result != THRONG_OK) {
        remove(video->beside);
    }
    release(video);
    return result;
}

void throng_video_abort(throng_video *video)
{
    if (video == NULL) {
        return;
    }
    if (video->process > 0) {
        kill(video->process, SIGTERM);
    }
    end_process(video);
    remove(video->beside);
    release(video);
}
