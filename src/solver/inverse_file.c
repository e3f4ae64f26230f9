// Files that hold the inverse of a dense matrix. See inverse_file.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "solver/inverse_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <tgmath.h>

#include "base/array.h"
#include "scene/scene.h"
#include "settee/file.h"

#ifdef SETTEE_REAL_FLOAT
#define EXTENSION "compf"
#else
#define EXTENSION "comp"
#endif

char *st_inverse_file_name(const st_object *object, size_t n) {
    const st_node *node = object->node;
    char *name =
        st_string_format("%s-%zu-%g." EXTENSION, node->object.name ? node->object.name : "", n, (double)node->dt);
    // A node's name is text of the scene: it must not lead out of the working directory.
    for (char *c = name; c && *c; c++)
        if (*c == '/' || *c == '\\') *c = '_';
    return name;
}

static st_status read_all(FILE *file, size_t n, st_real *values, const char **why) {
    for (size_t row = 0; row < n; row++) {
        if (fread(values + row * n, sizeof *values, n, file) != n) {
            *why = "it is too short";
            return ST_INVALID;
        }
        for (size_t k = 0; k < n; k++) {
            if (isfinite(values[row * n + k])) continue;
            *why = "it holds a number that is not finite";
            return ST_INVALID;
        }
    }

    // nothing may follow
    if (fgetc(file) == EOF) return ST_OK;
    *why = "it is too long";
    return ST_INVALID;
}

st_status st_inverse_file_read(const st_object *object, const char *name, size_t n, st_real *values) {
    FILE *file = fopen(name, "rb");
    if (!file) return ST_NOT_FOUND;

    const char *why = "";
    const st_status status = read_all(file, n, values, &why);
    fclose(file);

    if (status != ST_OK)
        st_message(object, ST_WARNING, "the file %s does not hold %zu x %zu reals: %s. It is not used", name, n, n,
                   why);

    return status;
}

void st_inverse_file_write(const st_object *object, const char *name, size_t n, const st_real *values) {
    char why[256] = "";
    st_file file;
    if (object->scene->config.read_only) return;

    if (!st_file_create(&file, name, why, sizeof why)) {
        st_message(object, ST_WARNING, "the inverse is not kept in %s: %s", name, why);
        return;
    }

    // written aside, and put in place when it is complete
    bool ok = true;
    for (size_t row = 0; ok && row < n; row++) ok = fwrite(values + row * n, sizeof *values, n, file.stream) == n;
    if (ok && st_file_commit(&file, why, sizeof why)) return;

    if (!ok) {
        st_error_text(errno, why, sizeof why);
        st_file_abandon(&file);
    }

    st_message(object, ST_WARNING, "the inverse is not kept in %s: %s", name, why);
}

// ---------------------------------------------------------------------------------------------------
// Is it the inverse?
// ---------------------------------------------------------------------------------------------------

st_real st_inverse_file_factor(const st_object *object) {
    st_integrator *integrator = (st_integrator *)st_find(object->node, ST_ROLE(integrator), ST_UP);
    const st_integrator_ops *ops = integrator ? integrator->object.type->integrator : NULL;
    const st_real factor = ops && ops->position_factor ? ops->position_factor(integrator, object->node->dt) : 1;
    return factor != 0 && isfinite(factor) ? factor : 1;
}

bool st_inverse_same(size_t n, const st_real *found, const st_real *expected) {
    st_real difference = 0, norm = 0;

    // |found - expected|² against |expected|²
    for (size_t i = 0; i < n; i++) {
        difference += (found[i] - expected[i]) * (found[i] - expected[i]);
        norm += expected[i] * expected[i];
    }
    return difference <= ST_REAL_EPSILON * norm;
}

bool st_inverse_fits(st_system *system, const st_real *inverse, st_real factor, st_real *work) {
    const size_t n = system->size;
    st_real *v = work, *x = v + n, *r = x + n;

    // x = A⁻¹ v, then A x is compared with v
    for (size_t i = 0; i < n; i++) v[i] = st_inverse_test(i);
    for (size_t i = 0; i < n; i++) {
        x[i] = 0;
        for (size_t j = 0; j < n; j++) x[i] += inverse[i * n + j] * v[j] / factor;
    }

    return system->object.type->system->multiply(system, x, r) == ST_OK && st_inverse_same(n, r, v);
}
