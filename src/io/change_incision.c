// INCISE of change files: see the header. Distances of snapping are fixed for points given by the file, 0.1 along the path
// and 0.25 at borders, and attributes of the processor for kept ones.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/change_incision.h"

#include <stdlib.h>

#include "base/array.h"
#include "io/frame_file.h"
#include "math/vec3.h"

#define SNAP_PATH ST_R(0.1)
#define SNAP_BORDER ST_R(0.25)
#define SAME_TIME ST_R(1e-10)

// ---------------------------------------------------------------------------------------------------
// The points of a line
// ---------------------------------------------------------------------------------------------------

void st_incision_points_free(st_incision_points *points) {
    st_list_free(&points->triangles);
    st_list_free(&points->places);
}

bool st_incision_points_read(st_incision_points *points, const st_object *object, const char *file, size_t line,
                             const char *text, size_t count) {
    st_reals numbers = {0};
    const bool read = st_frame_reals(text, text + strlen(text), &numbers);
    const bool with_triangles = count > 0 && numbers.count / 4 == count && numbers.count % 4 == 0;

    if (!read || count < 2 || numbers.count / 3 < count) {
        st_message(object, ST_ERROR,
                   "%s, line %zu: INCISE of %zu points needs 3 or 4 numbers for each of at least 2, there are %zu; "
                   "nothing is cut",
                   file, line, count, numbers.count);
        st_list_free(&numbers);
        return false;
    }
    if (!with_triangles && numbers.count != 3 * count)
        st_message(object, ST_WARNING, "%s, line %zu: %zu numbers are neither 3 nor 4 for each of %zu points", file,
                   line, numbers.count, count);

    // triangle first, where it is given
    bool ok = st_list_set_count(&points->places, 3 * count, 1);
    const size_t width = with_triangles ? 4 : 3;
    for (size_t i = 0; ok && i < count; i++) {
        const st_real *n = numbers.data + i * width;
        st_copy_reals(points->places.data + 3 * i, n + width - 3, 3);
        const bool is_index = n[0] >= 0 && n[0] < ST_R(4e9) && n[0] == floor(n[0]);
        if (with_triangles) ok = st_list_push(&points->triangles, is_index ? (uint32_t)n[0] : ST_INVALID_INDEX);
    }
    if (!ok) st_message(object, ST_ERROR, "out of memory: an incision");
    st_list_free(&numbers);
    return ok;
}

static uint32_t triangle_of(st_topology *topology, const st_incision_points *points, size_t i) {
    if (points->triangles.count) return points->triangles.data[i];
    return st_locate_triangle(topology, points->places.data + 3 * i, ST_INVALID_INDEX);
}

// The beginning of a segment: where the last one ended, if that is inside of the surface.
static void begin_place(const st_incision *c, st_real a[3]) {
    const st_points x = st_view_points(c->topology);
    if (c->last_point < x.count) st_view_copy(&x, c->last_point, a);
}

st_status st_incise_points(const st_object *object, st_topology *topology, const st_incision_points *points) {
    st_incision c = {.topology = topology,
                     .reporter = object,
                     .snap_path = SNAP_PATH,
                     .snap_border = SNAP_BORDER,
                     .last_point = ST_INVALID_INDEX};
    st_status status = ST_OK;
    uint32_t from = triangle_of(topology, points, 0);

    // each segment begins where the last one ended
    for (size_t i = 1; status == ST_OK && 3 * i < points->places.count; i++) {
        st_real a[3];
        st_vec3_copy(a, points->places.data + 3 * (i - 1));
        begin_place(&c, a);
        const uint32_t to = triangle_of(topology, points, i);
        status = st_incise(&c, from, a, to, points->places.data + 3 * i);
        from = to;
    }
    st_incision_free(&c);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Kept points
// ---------------------------------------------------------------------------------------------------

void st_kept_incisions_free(st_kept_incisions *kept) {
    st_list_free(&kept->lines);
    st_list_free(&kept->points);
    st_list_free(&kept->first);
}

void st_kept_incisions_reset(st_kept_incisions *kept) {
    if (kept->first.count == kept->points.count)
        st_copy_bytes(kept->points.data, kept->first.data, kept->first.count * sizeof *kept->first.data);
}

void st_kept_incisions_edited(st_kept_incisions *kept, const st_edits *edits) {
    for (size_t i = 0; i < kept->points.count; i++) {
        uint32_t *triangle = &kept->points.data[i].triangle;
        if (*triangle != ST_INVALID_INDEX) *triangle = st_edits_number(edits, ST_TRIANGLE, *triangle);
    }
}

// Where a kept point is now; false: its triangle is gone.
static bool place_of(const st_topology *topology, const struct st_kept_point *point, st_real p[3]) {
    const st_uints *triangles = &topology->elements[ST_TRIANGLE];
    const st_points x = st_view_points(topology);
    st_vec3_zero(p);
    if (point->triangle >= triangles->count) return false;
    for (size_t k = 0; k < 3; k++) {
        st_real v[3];
        st_view_copy(&x, triangles->data[3 * (size_t)point->triangle + k], v);
        st_vec3_add_scaled(p, p, v, point->w[k]);
    }
    return true;
}

static void keep_place(st_topology *topology, struct st_kept_point *point, const st_real p[3]) {
    point->triangle = st_locate_triangle(topology, p, point->triangle);
    if (point->triangle != ST_INVALID_INDEX) st_triangle_weights(topology, point->triangle, p, point->w);
}

// A line that starts where the former one ended begins a little further on.
static void move_beginning(const st_object *object, const st_reals *former, st_incision_points *points) {
    st_real *first = points->places.data;
    if (former->count == 0) return;
    for (int k = 0; k < 3; k++)
        if (fabs(first[k] - former->data[k]) > ST_R(1e-5)) return;

    st_message(object, ST_WARNING, "an incision begins where the former one ends: its beginning is moved a little");
    for (int k = 0; k < 3; k++) first[k] += ST_R(1e-5) * (first[3 + k] - first[k]);
    points->triangles.count = 0;
}

static bool keep_line(st_kept_incisions *kept, st_topology *topology, st_real time, const st_incision_points *points) {
    const struct st_kept_line line = {time, kept->points.count, points->places.count / 3};
    for (size_t i = 0; i < line.count; i++) {
        struct st_kept_point point = {.triangle = triangle_of(topology, points, i)};
        if (point.triangle < topology->elements[ST_TRIANGLE].count)
            st_triangle_weights(topology, point.triangle, points->places.data + 3 * i, point.w);
        if (!st_list_push(&kept->points, point)) return false;
    }
    return st_list_push(&kept->lines, line);
}

// What the reader of a file knows between two lines.
typedef struct incision_file {
    const st_object *object;
    const char *path;
    size_t line, count; // points that the next line of numbers has; 0: none is expected
    st_real time;
    st_reals last; // where the former incision ended
} incision_file;

static bool read_kept_line(st_kept_incisions *kept, incision_file *f, st_topology *topology, const char *text) {
    st_incision_points points = {0};
    bool ok = true;
    if (st_incision_points_read(&points, f->object, f->path, f->line, text, f->count)) {
        move_beginning(f->object, &f->last, &points);
        ok = keep_line(kept, topology, f->time, &points) && st_list_set_count(&f->last, 3, 1);
        if (ok) st_vec3_copy(f->last.data, points.places.data + points.places.count - 3);
    }
    st_incision_points_free(&points);
    return ok;
}

st_status st_keep_incisions(st_kept_incisions *kept, const st_object *object, st_topology *topology, const char *path) {
    st_frame_reader reader = {0};
    incision_file f = {.object = object, .path = path};
    kept->lines.count = kept->points.count = 0;
    if (!st_frame_reader_open(&reader, path)) {
        st_message(object, ST_ERROR, "%s cannot be read", path);
        return ST_NOT_FOUND;
    }

    // times, commands and the numbers behind INCISE
    bool ok = true;
    const char *line, *rest;
    size_t length;
    while (ok && (line = st_frame_reader_line(&reader, &length))) {
        char *text = st_string_copy_n(line, length);
        f.line++;
        ok = text != NULL;
        if (ok && st_frame_line_is(text, length, "T=", &rest)) f.time = (st_real)strtod(rest, NULL);
        else if (ok && st_frame_line_is(text, length, "INCISE=", &rest)) f.count = strtoul(rest, NULL, 10);
        else if (ok && f.count && text[strspn(text, " \t\r")]) {
            ok = read_kept_line(kept, &f, topology, text);
            f.count = 0;
        }
        st_free(text);
    }
    st_frame_reader_close(&reader);
    st_list_free(&f.last);
    ok = ok && st_list_set_count(&kept->first, kept->points.count, 1);
    if (ok) st_copy_bytes(kept->first.data, kept->points.data, kept->points.count * sizeof *kept->points.data);
    if (!ok) st_message(object, ST_ERROR, "out of memory: incisions of %s", path);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------------
// Cutting along kept points
// ---------------------------------------------------------------------------------------------------

// Numbers and weights of all points, on the mesh as it is now.
static bool places_of_all(const st_kept_incisions *kept, const st_topology *topology, st_reals *places) {
    if (!st_list_set_count(places, 3 * kept->points.count, 1)) return false;
    for (size_t i = 0; i < kept->points.count; i++) place_of(topology, &kept->points.data[i], places->data + 3 * i);
    return true;
}

static st_status incise_line(st_kept_incisions *kept, st_incision *c, const struct st_kept_line *line) {
    st_status status = ST_OK;
    st_reals places = {0};

    for (size_t i = line->first + 1; status == ST_OK && i < line->first + line->count; i++) {
        if (!places_of_all(kept, c->topology, &places)) {
            status = ST_OUT_OF_MEMORY;
            break;
        }
        st_real a[3];
        st_vec3_copy(a, places.data + 3 * (i - 1));
        if (i > line->first + 1) begin_place(c, a);
        status = st_incise(c, kept->points.data[i - 1].triangle, a, kept->points.data[i].triangle, places.data + 3 * i);

        // the triangles have new numbers
        for (size_t k = 0; status == ST_OK && k < kept->points.count; k++)
            keep_place(c->topology, &kept->points.data[k], places.data + 3 * k);
    }
    st_list_free(&places);
    return status;
}

st_status st_incise_kept(st_kept_incisions *kept, const st_object *object, st_topology *topology, st_real time,
                         st_real snap_path, st_real snap_border) {
    st_status status = ST_OK;
    for (size_t i = 0; i < kept->lines.count; i++) {
        const struct st_kept_line *line = &kept->lines.data[i];
        if (fabs(line->time - time) > SAME_TIME) continue;

        st_incision c = {.topology = topology,
                         .reporter = object,
                         .snap_path = snap_path,
                         .snap_border = snap_border,
                         .last_point = ST_INVALID_INDEX};
        const st_status one = incise_line(kept, &c, line);
        if (one != ST_OK) status = one;
        st_incision_free(&c);
    }
    return status;
}
