// The Xsp file: "Xsp 3.0" or "Xsp 4.0", then records until the end:
//
//     numm n, nums n                                            numbers of particles and springs
//     mass index s|v  px py pz  vx vy vz  mass elastic          a negative mass is that of a fixed particle
//     lspg index m1 m2 ks kd length [rx ry rz]                  particles from 1; the vector in version 4.0 only
//     grav x y z, visc v, step ..., frce ..., # ...             ignored
//
// A length of -1 means that of now, by which stiffness and damping are then divided.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/xsp.h"

#include <string.h>

#include "base/array.h"
#include "math/vec3.h"

static bool xsp_fail(const st_object *object, st_xsp *xsp, const char *what) {
    xsp->problem = what;
    if (object) st_message(object, ST_ERROR, "Xsp file: %s; what was read before is kept", what);
    return false;
}

static bool read_particle(const st_object *object, st_word_file *file, st_xsp *xsp) {
    uint32_t index;
    char location[ST_WORD_MAX];
    st_real n[8];
    if (!st_word_file_index(file, &index) || !st_word_file_word(file, location) || !st_word_file_reals(file, n, 8))
        return xsp_fail(object, xsp, "a mass record is not complete");

    // a negative mass is that of a fixed particle
    st_xsp_particle particle = {.mass = fabs(n[6]), .fixed = n[6] < 0, .surface = strcmp(location, "s") == 0};
    st_vec3_copy(particle.position, n);
    st_vec3_copy(particle.velocity, n + 3);
    return st_list_push(&xsp->particles, particle) || xsp_fail(object, xsp, "out of memory");
}

static bool read_spring(const st_object *object, st_word_file *file, bool version4, st_xsp *xsp) {
    uint32_t index, m1, m2;
    st_real n[6] = {0};
    if (!st_word_file_index(file, &index) || !st_word_file_index(file, &m1) || !st_word_file_index(file, &m2) ||
        !st_word_file_reals(file, n, version4 ? 6 : 3))
        return xsp_fail(object, xsp, "an lspg record is not complete");

    if (m1 < 1 || m2 < 1 || m1 > xsp->particles.count || m2 > xsp->particles.count)
        return xsp_fail(object, xsp, "a spring joins particles that do not come before it");

    st_xsp_spring spring = {.a = m1 - 1, .b = m2 - 1, .stiffness = n[0], .damping = n[1], .length = n[2]};
    st_vec3_copy(spring.rest, n + 3);

    // a length of -1: that of now
    if (spring.length == -1) {
        spring.length =
            st_vec3_distance(xsp->particles.data[spring.a].position, xsp->particles.data[spring.b].position);
        spring.stiffness /= spring.length;
        spring.damping /= spring.length;
    }

    return st_list_push(&xsp->springs, spring) || xsp_fail(object, xsp, "out of memory");
}

static bool read_record(const st_object *object, st_word_file *file, const char *word, bool version4, st_xsp *xsp) {
    st_real unused[3];
    uint32_t count;

    // what is used
    if (strcmp(word, "mass") == 0) return read_particle(object, file, xsp);
    if (strcmp(word, "lspg") == 0) return read_spring(object, file, version4, xsp);

    // what is only checked
    if (strcmp(word, "numm") == 0 || strcmp(word, "nums") == 0)
        return st_word_file_index(file, &count) || xsp_fail(object, xsp, "a number is missing");
    if (strcmp(word, "grav") == 0)
        return st_word_file_reals(file, unused, 3) || xsp_fail(object, xsp, "a number is missing");
    if (strcmp(word, "visc") == 0)
        return st_word_file_reals(file, unused, 1) || xsp_fail(object, xsp, "a number is missing");

    if (strcmp(word, "step") != 0 && strcmp(word, "frce") != 0 && word[0] != '#')
        return xsp_fail(object, xsp, "unknown keyword");
    st_word_file_skip_line(file);
    return true;
}

bool st_xsp_parse(const st_object *object, st_word_file *file, st_xsp *result) {
    char word[ST_WORD_MAX];
    if (!st_word_file_word(file, word) || strcmp(word, "Xsp") != 0)
        return xsp_fail(object, result, "it does not begin with Xsp");

    // the vector at rest is in version 4.0 only
    if (!st_word_file_word(file, word)) return xsp_fail(object, result, "the version is missing");
    const bool version4 = strcmp(word, "4.0") == 0;
    if (!version4 && strcmp(word, "3.0") != 0) return xsp_fail(object, result, "the version is not 3.0 or 4.0");

    while (st_word_file_word(file, word))
        if (!read_record(object, file, word, version4, result)) return false;
    return true;
}

bool st_xsp_read(const st_object *object, const char *path, st_xsp *result) {
    st_word_file file;
    if (!st_word_file_open(&file, path)) {
        st_message(object, ST_ERROR, "cannot read the file \"%s\"", path ? path : "");
        return false;
    }

    const bool ok = st_xsp_parse(object, &file, result);
    st_word_file_close(&file);
    return ok;
}

void st_xsp_free(st_xsp *xsp) {
    st_list_free(&xsp->particles);
    st_list_free(&xsp->springs);
}
