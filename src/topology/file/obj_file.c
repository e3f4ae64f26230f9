// Reading OBJ files: one statement a line.
//
//     v x y z          a point                     f item ...      a face
//     vn x y z         a normal                    l item ...      a line
//     vt u [v]         a texture coordinate        g name ...      the group of what follows
//     mtllib file ...  libraries of materials      usemtl name     the material of what follows
//
// An item is point[/texcoord[/normal]]; numbers count from 1, negative ones from the end of what was read so far. Other
// statements mean nothing here. A face may name points that only come later in the file.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/file/obj_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

typedef struct reader {
    st_obj *obj;
    st_mesh_file *file;
    const char *group, *material; // current names, borrowed from the text
    size_t group_length, material_length;
    bool group_open; // the last group has these names
    bool memory;     // still there
} reader;

// ---------------------------------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------------------------------

// Appends one element of `width` numbers, of which `needed` must be there.
static void read_vector(reader *r, st_reals *list, int width, int needed, const char *cursor, const char *end) {
    const size_t at = list->count;
    if (!st_list_set_count(list, at + 1, width)) {
        r->memory = false;
        return;
    }

    st_real *values = list->data + at * (size_t)width;
    const char *rest = cursor;

    if (!st_mesh_file_reals(&cursor, end, values, needed)) {
        // quote what could not be read
        rest = st_text_skip_blanks(rest, end);
        st_mesh_file_problem(r->file, r->file->line, "%d finite numbers are expected: \"%.*s\"", needed,
                             (int)(end - rest > 60 ? 60 : end - rest), rest);
        return;
    }

    // the others are 0 where they are missing
    st_mesh_file_reals(&cursor, end, values + needed, width - needed);
}

// A decimal number with an optional sign, the whole of [at, end); 0, which no index is, when it is none.
static int64_t read_number(const char *at, const char *end) {
    const bool negative = at < end && *at == '-';
    int64_t value = 0;

    // more than ten digits are no index
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (at == end || end - at > 10) return 0;

    for (; at < end; at++) {
        if (*at < '0' || *at > '9') return 0;
        value = value * 10 + (*at - '0');
    }
    return negative ? -value : value;
}

// The index that a number means when `count` things are there so far; -1 for none at all, -2 for a wrong one.
static int32_t read_index(const char *at, const char *end, size_t count) {
    if (at == end) return -1;

    const int64_t number = read_number(at, end);
    const int64_t index = number > 0 ? number - 1 : number < 0 ? (int64_t)count + number : -2;
    return index < 0 || index >= INT32_MAX ? -2 : (int32_t)index;
}

// ---------------------------------------------------------------------------------------------------
// Faces
// ---------------------------------------------------------------------------------------------------

static void read_corner(reader *r, const char *word, size_t length) {
    const char *end = word + length, *at = word;
    const size_t counts[3] = {r->obj->points.count, r->obj->texcoords.count, r->obj->normals.count};
    int32_t index[3];

    // point / texcoord / normal, each counted from 1 or from the end
    for (int i = 0; i < 3; i++) {
        const char *slash = i < 2 ? memchr(at, '/', (size_t)(end - at)) : NULL;
        index[i] = read_index(at, slash ? slash : end, counts[i]);
        at = slash ? slash + 1 : end;
    }

    if (index[0] < 0 || index[1] < -1 || index[2] < -1)
        st_mesh_file_problem(r->file, r->file->line,
                             "\"%.*s\" is not a corner: v, v/vt, v//vn or v/vt/vn with numbers "
                             "from 1 is expected",
                             (int)(length > 60 ? 60 : length), word);

    // a bad corner is kept as one without a point: the face is left out later
    const st_obj_corner corner = {index[0] < 0 ? -1 : index[0], index[1] < 0 ? -1 : index[1],
                                  index[2] < 0 ? -1 : index[2]};
    r->memory = st_list_push(&r->obj->corners, corner);
}

// The group of the next face: made when the first face comes under new names.
static bool open_group(reader *r) {
    if (r->group_open) return true;

    st_obj_group group = {st_string_copy_n(r->group, r->group_length),
                          st_string_copy_n(r->material, r->material_length)};
    if (group.name && group.material && st_list_push(&r->obj->groups, group)) return r->group_open = true;

    st_free(group.name);
    st_free(group.material);
    return false;
}

static void read_face(reader *r, const char *cursor, const char *end) {
    const char *word;
    size_t length;
    st_obj_face face = {.first = (uint32_t)r->obj->corners.count, .line = r->file->line};

    // a face without corners is no face, but it opens its group
    r->memory = open_group(r);
    while (r->memory && st_mesh_file_word(&cursor, end, &word, &length)) read_corner(r, word, length);

    if (!r->memory) return;

    face.group = (uint32_t)(r->obj->groups.count - 1);
    face.count = (uint32_t)(r->obj->corners.count - face.first);
    if (face.count > 0) r->memory = st_list_push(&r->obj->faces, face);
}

// Only now is it known what exists. Texture coordinates and normals that do not exist are as if not named.
static void check_faces(reader *r) {
    st_obj *obj = r->obj;
    size_t kept = 0;

    // faces move forward over those that are left out
    for (size_t i = 0; i < obj->faces.count; i++) {
        const st_obj_face face = obj->faces.data[i];
        bool complete = true;
        for (uint32_t k = face.first; k < face.first + face.count; k++) {
            st_obj_corner *corner = &obj->corners.data[k];

            // without a point the face is useless
            if (corner->point >= 0 && (size_t)corner->point >= obj->points.count)
                st_mesh_file_problem(r->file, face.line, "the face uses point %d, but there are only %zu",
                                     corner->point + 1, obj->points.count);
            if (corner->point < 0 || (size_t)corner->point >= obj->points.count) complete = false;

            // texture coordinates and normals can be missing
            if (corner->texcoord >= 0 && (size_t)corner->texcoord >= obj->texcoords.count) {
                st_mesh_file_problem(r->file, face.line, "the face uses texture coordinate %d, but there are only %zu",
                                     corner->texcoord + 1, obj->texcoords.count);
                corner->texcoord = -1;
            }
            if (corner->normal >= 0 && (size_t)corner->normal >= obj->normals.count) {
                st_mesh_file_problem(r->file, face.line, "the face uses normal %d, but there are only %zu",
                                     corner->normal + 1, obj->normals.count);
                corner->normal = -1;
            }
        }

        if (complete) obj->faces.data[kept++] = face;
    }
    obj->faces.count = kept;
}

// ---------------------------------------------------------------------------------------------------
// Lines
// ---------------------------------------------------------------------------------------------------

static void set_name(reader *r, const char **name, size_t *length, const char *cursor, const char *end) {
    *name = st_text_skip_blanks(cursor, end);
    while (end > *name && st_text_is_blank(end[-1])) end--;
    *length = (size_t)(end - *name);
    r->group_open = false;
}

// mtllib: one library for each word.
static void add_libraries(reader *r, const char *cursor, const char *end) {
    const char *word;
    size_t length;
    while (r->memory && st_mesh_file_word(&cursor, end, &word, &length)) {
        char *name = st_string_copy_n(word, length);
        r->memory = name && st_list_push(&r->obj->libraries, name);
        if (!r->memory) st_free(name);
    }
}

// False for a line of blanks.
static bool obj_file_read_line(reader *r, const char *cursor, const char *end) {
    const char *word;
    size_t length;

    if (!st_mesh_file_word(&cursor, end, &word, &length)) return false;

    // one statement a line; what is not known is skipped
    if (st_text_is(word, length, "v")) read_vector(r, &r->obj->points, 3, 3, cursor, end);
    else if (st_text_is(word, length, "vn")) read_vector(r, &r->obj->normals, 3, 3, cursor, end);
    else if (st_text_is(word, length, "vt")) read_vector(r, &r->obj->texcoords, 2, 1, cursor, end);
    else if (st_text_is(word, length, "f") || st_text_is(word, length, "l")) read_face(r, cursor, end);
    else if (st_text_is(word, length, "g")) set_name(r, &r->group, &r->group_length, cursor, end);
    else if (st_text_is(word, length, "usemtl")) set_name(r, &r->material, &r->material_length, cursor, end);
    else if (st_text_is(word, length, "mtllib")) add_libraries(r, cursor, end);
    return true;
}

bool st_obj_read(st_obj *obj, st_mesh_file *file) {
    reader r = {.obj = obj, .file = file, .group = "", .material = "", .memory = true};
    const char *begin, *end;
    bool words = false;

    while (r.memory && st_mesh_file_line(file, &begin, &end)) words = obj_file_read_line(&r, begin, end) || words;

    // a file without points is no OBJ file: better to say so than to load nothing
    if (r.memory && obj->points.count == 0)
        st_mesh_file_problem(file, file->line,
                             words ? "there is no point (v x y z) in it: is this an OBJ file?" : "the file is empty");
    if (!r.memory) st_mesh_file_problem(file, file->line, "out of memory for it");
    if (!r.memory || obj->points.count == 0) return false;

    check_faces(&r);
    return true;
}

void st_obj_free(st_obj *obj) {
    for (size_t i = 0; i < obj->groups.count; i++) {
        st_free(obj->groups.data[i].name);
        st_free(obj->groups.data[i].material);
    }

    st_list_free(&obj->points);
    st_list_free(&obj->normals);
    st_list_free(&obj->texcoords);
    st_list_free(&obj->corners);
    st_list_free(&obj->faces);
    st_list_free(&obj->groups);
    st_strings_free(&obj->libraries);
}

// ---------------------------------------------------------------------------------------------------
// Seams
// ---------------------------------------------------------------------------------------------------

typedef struct numbered_corner {
    st_obj_corner corner;
    uint32_t index;
} numbered_corner;

static int compare_corners(const void *a, const void *b) {
    const st_obj_corner *x = &((const numbered_corner *)a)->corner, *y = &((const numbered_corner *)b)->corner;

    if (x->point != y->point) return x->point < y->point ? -1 : 1;
    if (x->texcoord != y->texcoord) return x->texcoord < y->texcoord ? -1 : 1;
    return x->normal < y->normal ? -1 : x->normal > y->normal;
}

static size_t used_corners(const st_obj *obj, numbered_corner *out) {
    size_t count = 0;

    for (size_t i = 0; i < obj->faces.count; i++)
        for (uint32_t k = 0; k < obj->faces.data[i].count; k++) {
            const uint32_t index = obj->faces.data[i].first + k;
            out[count++] = (numbered_corner){obj->corners.data[index], index};
        }
    return count;
}

bool st_obj_split_create(st_obj_split *split, const st_obj *obj) {
    numbered_corner *sorted = st_alloc(obj->corners.count, sizeof *sorted);
    bool ok = sorted && st_list_set_count(&split->of_corner, obj->corners.count, 1);

    // equal corners are neighbors once sorted: each run of them is one vertex
    const size_t count = ok ? used_corners(obj, sorted) : 0;
    if (ok) qsort(sorted, count, sizeof *sorted, compare_corners);

    for (size_t i = 0; ok && i < count; i++) {
        const bool first = i == 0 || compare_corners(&sorted[i - 1], &sorted[i]) != 0;
        ok = !first || st_list_push(&split->vertices, sorted[i].corner);
        if (ok) split->of_corner.data[sorted[i].index] = (uint32_t)(split->vertices.count - 1);
    }

    st_free(sorted);
    return ok;
}

void st_obj_split_free(st_obj_split *split) {
    st_list_free(&split->vertices);
    st_list_free(&split->of_corner);
}

// ---------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------

static bool obj_file_add(st_uints *list, const uint32_t *vertices, int size, bool flip) {
    const size_t at = list->count;

    if (!st_list_set_count(list, at + 1, size)) return false;
    for (int i = 0; i < size; i++) list->data[at * (size_t)size + (size_t)i] = vertices[flip ? size - 1 - i : i];
    return true;
}

bool st_obj_add_face(const st_obj_elements *to, const st_obj_face *face, const uint32_t *vertex_of) {
    const uint32_t *v = vertex_of + face->first;
    bool ok = true;

    if (face->count == 2) return obj_file_add(to->edges, v, 2, v[1] < v[0]);
    if (face->count == 4 && !to->triangulate) return obj_file_add(to->quads, v, 4, to->flip);

    // a fan of triangles from the first corner
    for (uint32_t k = 2; ok && k < face->count; k++)
        ok = obj_file_add(to->triangles, (const uint32_t[3]){v[0], v[k - 1], v[k]}, 3, to->flip);
    return ok;
}
