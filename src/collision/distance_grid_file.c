// Grids of distances from files and to files.
//
//     .raw     distances of all nodes, 8 bytes each as this machine has them, x fastest; `box` says where
//     .vtk     legacy VTK: DATASET STRUCTURED_POINTS with DIMENSIONS, ORIGIN, SPACING (or ASPECT_RATIO) and SCALARS,
//              as text or in binary (big-endian float or double)
//
// Both are written, too: a .vtk holds all of a grid, and other programs show it.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>

#include "base/array.h"
#include "base/text.h"
#include "collision/distance_grid.h"
#include "math/real.h"
#include "scene/scene.h"
#include "settee/file.h"
#include "topology/file/mesh_file.h"

// Numbers that are none would travel into every force.
static bool check_distances(const st_distance_grid *g, st_object *object, const char *path) {
    for (size_t i = 0; i < g->distances.count; i++) {
        if (isfinite(g->distances.data[i])) continue;
        st_message(object, ST_ERROR, "'%s': the distance of node %zu is not a finite number", path, i);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// .raw
// ---------------------------------------------------------------------------------------------------

bool st_distance_grid_read_raw(st_distance_grid *g, st_object *object, const st_distance_grid_recipe *recipe) {
    const st_real low[3] = {recipe->box[0], recipe->box[1], recipe->box[2]};
    const st_real high[3] = {recipe->box[3], recipe->box[4], recipe->box[5]};
    if (!st_distance_grid_shape(g, object, low, high, recipe->n)) return false;

    // one number for each node, not one less and not one more
    FILE *file = fopen(recipe->file, "rb");
    bool ok = file != NULL;
    for (size_t i = 0; ok && i < g->distances.count; i++) {
        double value = 0;
        ok = fread(&value, sizeof value, 1, file) == 1;
        g->distances.data[i] = (st_real)(value * (double)(float)recipe->scale);
    }
    char beyond;
    ok = ok && fread(&beyond, 1, 1, file) == 0 && !ferror(file);
    if (file) fclose(file);

    if (!ok)
        st_message(object, ST_ERROR, "'%s' does not hold %zu numbers of 8 bytes, one for each node", recipe->file,
                   g->distances.count);
    return ok && check_distances(g, object, recipe->file);
}

// ---------------------------------------------------------------------------------------------------
// .vtk
// ---------------------------------------------------------------------------------------------------

typedef struct vtk_head {
    st_real dimensions[3], origin[3], spacing[3];
    bool has_dimensions, has_origin, has_spacing;
    bool structured, ascii, binary;
    int bytes; // of a number in binary: 4, 8; 0: neither float nor double
} vtk_head;

static bool word_is(const char *word, size_t length, const char *expected) {
    return length == strlen(expected) && strncmp(word, expected, length) == 0;
}

// SCALARS name type [components]
static int bytes_of_scalars(const char *cursor, const char *end) {
    const char *word;
    size_t length;
    if (!st_mesh_file_word(&cursor, end, &word, &length) || !st_mesh_file_word(&cursor, end, &word, &length)) return 0;
    return word_is(word, length, "float") ? 4 : word_is(word, length, "double") ? 8 : 0;
}

// Lines up to the LOOKUP_TABLE, after which the numbers follow; those that are not known are skipped.
static bool read_head(st_mesh_file *file, vtk_head *head) {
    const char *begin, *end, *word;
    size_t length;
    while (st_mesh_file_line(file, &begin, &end)) {
        const char *cursor = begin;
        if (!st_mesh_file_word(&cursor, end, &word, &length)) continue;

        // where the nodes are
        if (word_is(word, length, "DIMENSIONS"))
            head->has_dimensions = st_mesh_file_reals(&cursor, end, head->dimensions, 3);
        if (word_is(word, length, "ORIGIN")) head->has_origin = st_mesh_file_reals(&cursor, end, head->origin, 3);
        if (word_is(word, length, "SPACING") || word_is(word, length, "ASPECT_RATIO"))
            head->has_spacing = st_mesh_file_reals(&cursor, end, head->spacing, 3);

        // how the numbers are written
        if (word_is(word, length, "ASCII")) head->ascii = true;
        if (word_is(word, length, "BINARY")) head->binary = true;
        if (word_is(word, length, "SCALARS")) head->bytes = bytes_of_scalars(cursor, end);
        if (word_is(word, length, "DATASET"))
            head->structured =
                st_mesh_file_word(&cursor, end, &word, &length) && word_is(word, length, "STRUCTURED_POINTS");

        if (word_is(word, length, "LOOKUP_TABLE"))
            return head->structured && (head->ascii || (head->binary && head->bytes)) && head->has_dimensions &&
                   head->has_origin && head->has_spacing;
    }
    return false;
}

static bool read_numbers(st_distance_grid *g, st_mesh_file *file, st_real scale) {
    const char *begin, *end;
    size_t count = 0;
    while (count < g->distances.count && st_mesh_file_line(file, &begin, &end)) {
        const char *cursor = begin;
        st_real value;
        while (count < g->distances.count && st_mesh_file_reals(&cursor, end, &value, 1))
            g->distances.data[count++] = value * scale;
    }
    return count == g->distances.count;
}

// Numbers with their highest byte first, whatever the machine has.
static bool read_bytes(st_distance_grid *g, const st_mesh_file *file, int bytes, st_real scale) {
    const size_t left = (size_t)(file->end - file->cursor);
    if (g->distances.count > left / (size_t)bytes) return false;

    const unsigned char *at = (const unsigned char *)file->cursor;
    for (size_t i = 0; i < g->distances.count; i++) {
        uint64_t bits = 0;
        for (int b = 0; b < bytes; b++) bits = bits << 8 | *at++;

        // the bits of a number are those of an integer of its size
        double value;
        if (bytes == 8) {
            memcpy(&value, &bits, sizeof value);
        } else {
            const uint32_t low = (uint32_t)bits;
            float single;
            memcpy(&single, &low, sizeof single);
            value = (double)single;
        }
        g->distances.data[i] = (st_real)value * scale;
    }
    return true;
}

// Nodes and places of the head, which says how many there are.
static bool shape_of_head(st_distance_grid *g, st_object *object, const vtk_head *head, st_real scale) {
    uint32_t n[3];
    st_real low[3], high[3];
    for (int k = 0; k < 3; k++) {
        n[k] = head->dimensions[k] >= 0 && head->dimensions[k] < UINT32_MAX ? (uint32_t)head->dimensions[k] : 0;
        low[k] = head->origin[k] * scale;
        high[k] = (head->origin[k] + head->spacing[k] * ((st_real)n[k] - 1)) * scale;
    }
    return st_distance_grid_shape(g, object, low, high, n);
}

bool st_distance_grid_read_vtk(st_distance_grid *g, st_object *object, const st_distance_grid_recipe *recipe) {
    st_mesh_file file;
    vtk_head head = {0};
    const st_real scale = fabs(recipe->scale);
    if (!st_mesh_file_open(&file, object, recipe->file)) return false;

    bool ok = read_head(&file, &head);
    if (!ok)
        st_message(object, ST_ERROR, "'%s' is no legacy file of VTK with STRUCTURED_POINTS and SCALARS", recipe->file);

    // the numbers, of which the file must have one for each node
    ok = ok && shape_of_head(g, object, &head, scale);
    if (ok && !(head.ascii ? read_numbers(g, &file, scale) : read_bytes(g, &file, head.bytes, scale))) {
        st_message(object, ST_ERROR, "'%s' does not hold %zu numbers, one for each node", recipe->file,
                   g->distances.count);
        ok = false;
    }
    st_mesh_file_close(&file);
    return ok && check_distances(g, object, recipe->file);
}

// ---------------------------------------------------------------------------------------------------
// Writing
// ---------------------------------------------------------------------------------------------------

static void write_numbers(const st_distance_grid *g, FILE *stream, bool raw) {
    if (!raw)
        fprintf(stream,
                "# vtk DataFile Version 3.0\ndistances\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS %zu %zu %zu\n"
                "ORIGIN %.17g %.17g %.17g\nSPACING %.17g %.17g %.17g\nPOINT_DATA %zu\nSCALARS distance double 1\n"
                "LOOKUP_TABLE default\n",
                g->n[0], g->n[1], g->n[2], (double)g->min[0], (double)g->min[1], (double)g->min[2], (double)g->cell[0],
                (double)g->cell[1], (double)g->cell[2], g->distances.count);

    for (size_t i = 0; i < g->distances.count; i++) {
        const double value = (double)g->distances.data[i];
        if (raw) fwrite(&value, sizeof value, 1, stream);
        else fprintf(stream, "%.17g\n", value);
    }
}

bool st_distance_grid_write(const st_distance_grid *grid, st_object *object, const char *path) {
    const bool raw = st_text_ends_with(path, ".raw");
    char why[512] = "";
    st_file file;
    if (object->scene->config.read_only) return true;
    if (!raw && !st_text_ends_with(path, ".vtk")) {
        st_message(object, ST_ERROR, "dumpfilename is '%.200s': grids are written as .raw or .vtk", path);
        return false;
    }

    // whole or not at all
    bool ok = st_file_create(&file, path, why, sizeof why);
    if (ok) {
        write_numbers(grid, file.stream, raw);
        ok = st_file_commit(&file, why, sizeof why);
    }
    if (!ok) st_message(object, ST_ERROR, "%s", why);
    return ok;
}
