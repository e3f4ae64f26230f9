// Videos: raw frames through a pipe to ffmpeg, which is another program and may not be there.
//
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run.h"

// Is a program of this name in one of the folders of PATH?
static bool is_installed(const char *name) {
    const char *paths = getenv("PATH");
    char path[4096];
    for (const char *at = paths ? paths : ""; *at;) {
        const size_t length = strcspn(at, ":");
        const int n = snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name);
        if (n > 0 && (size_t)n < sizeof path && access(path, X_OK) == 0) return true;
        at += length + (at[length] == ':');
    }
    return false;
}

bool st_cli_video_can(void) {
    if (is_installed("ffmpeg")) return true;
    st_cli_error("--video needs ffmpeg, which is not installed (on Debian: apt-get install ffmpeg); "
                 "--png frames/%%04d.png writes pictures without it");
    return false;
}

// In the new process: standard input is the pipe. Frames as they come, colors that every player knows, even sizes.
static void become_ffmpeg(int input, const char *path, int width, int height, double rate) {
    char size[32], frames[32];
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(frames, sizeof frames, "%.6g", rate);
    if (dup2(input, STDIN_FILENO) >= 0)
        execlp("ffmpeg", "ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r",
               frames, "-i", "-", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", path, (char *)NULL);
    _exit(127);
}

bool st_cli_video_open(st_cli_video *video, const char *path, int width, int height, double rate) {
    int ends[2];
    if (!st_cli_video_can()) return false;
    *video = (st_cli_video){.path = path, .pipe = -1, .size = (size_t)3 * (size_t)width * (size_t)height};
    video->pixels = malloc(video->size);
    if (!video->pixels || pipe(ends) != 0) {
        st_cli_error("%s: no video can be made: %s", path, strerror(video->pixels ? errno : ENOMEM));
        return false;
    }

    // ffmpeg that ends early must not end this program
    signal(SIGPIPE, SIG_IGN);
    const double frames = rate > 1 ? (rate < 1000 ? rate : 1000) : 1;
    video->process = fork();
    if (video->process == 0) {
        close(ends[1]);
        become_ffmpeg(ends[0], path, width, height, frames);
    }
    close(ends[0]);
    video->pipe = ends[1];
    if (video->process > 0) return true;
    st_cli_error("%s: ffmpeg cannot be started: %s", path, strerror(errno));
    video->process = 0;
    return false;
}

bool st_cli_video_frame(st_cli_video *video) {
    for (size_t done = 0; done < video->size;) {
        const ssize_t n = write(video->pipe, video->pixels + done, video->size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            st_cli_error("%s: ffmpeg does not take the frames: %s", video->path, strerror(errno));
            return false;
        }
        done += (size_t)n;
    }
    return true;
}

bool st_cli_video_close(st_cli_video *video) {
    int status = 0;
    free(video->pixels);
    video->pixels = NULL;
    if (!video->process) return true;

    // the end of its input makes ffmpeg finish the file
    close(video->pipe);
    while (waitpid(video->process, &status, 0) < 0 && errno == EINTR) {}
    video->process = 0;
    video->written = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!video->written)
        st_cli_error("%s: ffmpeg failed with code %d", video->path, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return video->written;
}
