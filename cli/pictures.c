// Pictures of a run: of the last state, of many steps, or the frames of a video.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "run.h"

enum { PATH_SIZE = 4096, CAPTION_SIZE = 256 };

// ---------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------

// The % of a series: exactly one, as %d or %04d.
static bool is_series(const char *path) { return strchr(path, '%') != NULL; }

static bool is_usable_series(const char *path) {
    const char *percent = strchr(path, '%'), *at = percent + 1;
    const size_t digits = strspn(at, "0123456789");
    return digits <= 2 && at[digits] == 'd' && !strchr(at, '%');
}

// Only the number of the step is put in: the name is never used as a format.
static bool picture_path(const char *pattern, size_t step, char path[PATH_SIZE]) {
    const char *percent = strchr(pattern, '%');
    int length;
    if (!percent) length = snprintf(path, PATH_SIZE, "%s", pattern);
    else {
        const int width = atoi(percent + 1);
        const char *rest = strchr(percent, 'd') + 1;
        length = percent[1] == '0'
                     ? snprintf(path, PATH_SIZE, "%.*s%0*zu%s", (int)(percent - pattern), pattern, width, step, rest)
                     : snprintf(path, PATH_SIZE, "%.*s%*zu%s", (int)(percent - pattern), pattern, width, step, rest);
    }
    if (length >= 0 && length < PATH_SIZE) return true;
    st_cli_error("%s: the name is too long", pattern);
    return false;
}

static bool is_other_format(const char *path) {
    static const char *const others[] = {".jpg",  ".jpeg", ".bmp", ".gif", ".tif",
                                         ".tiff", ".webp", ".svg", ".ppm", ".pdf"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof others / sizeof *others; i++)
        if (strcasecmp(dot, others[i]) == 0) return true;
    return false;
}

bool st_cli_pictures_check(const st_cli_options *o) {
    if (o->png && is_other_format(o->png)) {
        st_cli_error("--png %s: pictures are written as PNG; name it %.*s.png", o->png,
                     (int)(strrchr(o->png, '.') - o->png), o->png);
        return false;
    }
    if (o->png && is_series(o->png) && !is_usable_series(o->png)) {
        st_cli_error("--png %s: the number of the step is written as %%d or %%04d, once", o->png);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Drawing
// ---------------------------------------------------------------------------------------------------

static void take_point(const st_cli_point *point, bool *given, st_real at[3]) {
    *given = point->given;
    for (int k = 0; k < 3; k++) at[k] = (st_real)point->at[k];
}

// The name of the scene and its time.
static const char *make_caption(const st_cli_pictures *p, char caption[CAPTION_SIZE]) {
    const char *operand = p->session->options->operand, *slash = strrchr(operand, '/');
    snprintf(caption, CAPTION_SIZE, "%s  t = %.4g s", slash ? slash + 1 : operand,
             (double)st_scene_time(p->session->scene));
    return caption;
}

static st_picture_options picture_options(const st_cli_pictures *p) {
    const st_cli_options *o = p->session->options;
    st_picture_options picture = st_default_picture_options();
    if (o->size[0]) picture.width = (int)o->size[0], picture.height = (int)o->size[1];
    for (int k = 0; k < 3; k++) picture.view[k] = (st_real)o->view[k], picture.up[k] = (st_real)o->up[k];
    for (int k = 0; k < 2; k++) picture.color_range[k] = (st_real)o->range[k];
    take_point(&o->eye, &picture.has_eye, picture.eye);
    take_point(&o->look_at, &picture.has_target, picture.target);
    picture.zoom = (st_real)o->zoom;
    picture.fit = o->fit;
    picture.show = o->show;
    picture.color = o->color;
    picture.drawing = p->drawing;
    return picture;
}

static bool explain(const st_cli_pictures *p, size_t errors_before, const char *path) {
    if (st_cli_errors(&p->session->messages) == errors_before) st_cli_error("%s: cannot be written", path);
    return false;
}

static bool write_picture(st_cli_pictures *p, size_t step) {
    char path[PATH_SIZE], caption[CAPTION_SIZE];
    st_picture_options picture = picture_options(p);
    picture.caption = make_caption(p, caption);
    if (!picture_path(p->session->options->png, step, path)) return false;

    const size_t errors = st_cli_errors(&p->session->messages);
    if (st_scene_write_png(p->session->scene, path, &picture) != ST_OK) return explain(p, errors, path);
    p->count++;
    return true;
}

static bool write_frame(st_cli_pictures *p) {
    char caption[CAPTION_SIZE];
    st_picture_options picture = picture_options(p);
    picture.caption = make_caption(p, caption);

    const size_t errors = st_cli_errors(&p->session->messages);
    if (st_scene_draw_pixels(p->session->scene, p->video.pixels, &picture) != ST_OK)
        return explain(p, errors, p->session->options->video);
    return st_cli_video_frame(&p->video);
}

// ---------------------------------------------------------------------------------------------------
// A run
// ---------------------------------------------------------------------------------------------------

static bool has_trails(const st_cli_options *o) {
    unsigned on = 0, off = 0;
    return o->show && st_read_show_words(o->show, &on, &off, NULL) && on & ST_SHOW_TRAILS;
}

// Folders of a series are made.
static bool prepare_path(const char *png) {
    const char *slash = strrchr(png, '/');
    if (!is_series(png)) return st_cli_can_write(png);
    char *folder = slash && slash > png ? strndup(png, (size_t)(slash - png)) : NULL;
    const bool ok = !folder || st_cli_make_folder(folder);
    free(folder);
    return ok;
}

static bool open_video(st_cli_pictures *p) {
    const st_cli_options *o = p->session->options;
    const st_picture_options size = picture_options(p);
    const double dt = o->dt > 0 ? o->dt : (double)st_scene_dt(p->session->scene), rate = 1 / (dt * (double)o->every);
    if (!st_cli_can_write(o->video)) return false;
    return st_cli_video_open(&p->video, o->video, size.width, size.height, rate);
}

bool st_cli_pictures_open(st_cli_pictures *p, st_cli_session *session) {
    const st_cli_options *o = session->options;
    *p = (st_cli_pictures){.session = session};
    if (!o->png && !o->video) return true;
    if (o->png && !prepare_path(o->png)) return false;

    // trails grow with each update of one drawing
    if (has_trails(o) && !(p->drawing = st_drawing_create())) {
        st_cli_error("out of memory");
        return false;
    }
    return !o->video || open_video(p);
}

// Trails also grow in steps without a picture.
static bool follow(st_cli_pictures *p) {
    st_draw_options what = st_default_draw_options();
    what.show_words = p->session->options->show;
    what.color = p->session->options->color;
    return !p->drawing || st_drawing_update(p->drawing, p->session->scene, &what) == ST_OK;
}

// A series and a video get the steps that are due, and the last one unless it was; a single picture only the last one.
bool st_cli_pictures_step(st_cli_pictures *p, size_t step, bool last) {
    const st_cli_options *o = p->session ? p->session->options : NULL;
    if (!o || (!o->png && !o->video) || p->failed) return true;

    const bool series = o->png && is_series(o->png), frames = series || o->video;
    const bool now = last ? !(p->some && p->step == step) : step % o->every == 0;
    bool ok = true;
    if (series ? now : o->png && last) ok = write_picture(p, step);
    if (o->video && now) ok = write_frame(p) && ok;
    if (!last && !(frames && now)) ok = follow(p) && ok;

    if (now && !last) p->some = true, p->step = step;
    p->failed = !ok;
    return ok;
}

bool st_cli_pictures_close(st_cli_pictures *p) {
    st_drawing_destroy(p->drawing);
    p->drawing = NULL;
    return st_cli_video_close(&p->video);
}
