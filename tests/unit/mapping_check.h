// A mapping against its mathematics: J against differences of apply, the products against the blocks, the geometric
// blocks against differences of Jᵀf. For any number of inputs and outputs.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_MAPPING_CHECK_H
#define SETTEE_TESTS_MAPPING_CHECK_H

#include "mapping/states.h"
#include "physics_scene.h"

#ifdef SETTEE_REAL_FLOAT
static const double mapping_tolerance = 2e-2, mapping_step = 1.0 / 64;
#else
static const double mapping_tolerance = 2e-6, mapping_step = 1.0 / 1024;
#endif

enum mapping_checks {
    MAPPING_J = 1,         // J is the derivative of apply
    MAPPING_GEOMETRIC = 2, // the geometric blocks are the derivative of Jᵀf
    MAPPING_ALL = 3,
};

typedef struct mapping_vectors { // all inputs (or outputs) one after another
    st_mapping *mapping;
    size_t rows, cols;
    double *j, *geometric;
} mapping_vectors;

static inline size_t mapping_scalars(const st_mapping *m, bool inputs) {
    size_t n = 0;
    for (size_t i = 0; i < (inputs ? m->input.count : m->output.count); i++)
        n += st_state_scalars(inputs ? st_mapping_input(m, i) : st_mapping_output(m, i));
    return n;
}

static inline st_state *mapping_state_at(const st_mapping *m, bool inputs, size_t scalar, size_t *local) {
    for (size_t i = 0;; i++) {
        st_state *s = inputs ? st_mapping_input(m, i) : st_mapping_output(m, i);
        if (scalar < st_state_scalars(s)) {
            *local = scalar;
            return s;
        }
        scalar -= st_state_scalars(s);
    }
}

static inline st_real *mapping_scalar(const st_mapping *m, bool inputs, int deriv, size_t scalar) {
    size_t local;
    st_state *s = mapping_state_at(m, inputs, scalar, &local);
    return &s->deriv[deriv].data[local];
}

typedef struct mapping_dense {
    st_sink sink;
    size_t row, col, rows, cols, stride;
    double *m;
} mapping_dense;

static inline void mapping_add(st_sink *sink, size_t row, size_t col, int rows, int cols, const st_real *block) {
    mapping_dense *to = (mapping_dense *)sink;
    assert_true(row + (size_t)rows <= to->rows && col + (size_t)cols <= to->cols);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < cols; k++)
            to->m[(to->row + row + (size_t)i) * to->stride + to->col + col + (size_t)k] += (double)block[i * cols + k];
}

static inline void mapping_apply(st_mapping *m) {
    m->object.type->mapping->apply(m, ST_POSITION, st_read_coord(ST_POSITION));
}

static inline double *mapping_dense_jacobian(st_mapping *m) {
    const size_t rows = mapping_scalars(m, false), cols = mapping_scalars(m, true);
    double *j = calloc(rows * cols + 1, sizeof *j);
    size_t row = 0;
    for (size_t o = 0; o < m->output.count; row += st_state_scalars(st_mapping_output(m, o++))) {
        size_t col = 0;
        for (size_t i = 0; i < m->input.count; col += st_state_scalars(st_mapping_input(m, i++))) {
            mapping_dense sink = {.sink = {.add = mapping_add},
                                  .row = row,
                                  .col = col,
                                  .rows = st_state_scalars(st_mapping_output(m, o)),
                                  .cols = st_state_scalars(st_mapping_input(m, i)),
                                  .stride = cols,
                                  .m = j};
            m->object.type->mapping->jacobian(m, o, i, &sink.sink);
        }
    }
    return j;
}

typedef struct mapping_pairs {
    st_accumulator accumulator;
    const st_mapping *mapping;
    mapping_dense sink;
} mapping_pairs;

static inline st_sink *mapping_between(st_accumulator *accumulator, const st_state *row, const st_state *col) {
    mapping_pairs *self = (mapping_pairs *)accumulator;
    size_t at = 0;
    bool found = false;
    for (size_t i = 0; i < self->mapping->input.count; at += st_state_scalars(st_mapping_input(self->mapping, i++))) {
        if (st_mapping_input(self->mapping, i) == row) self->sink.row = at, self->sink.rows = st_state_scalars(row);
        if (st_mapping_input(self->mapping, i) == col)
            self->sink.col = at, self->sink.cols = st_state_scalars(col), found = true;
    }
    assert_true(found);
    return &self->sink.sink;
}

static inline double *mapping_dense_geometric(st_mapping *m) {
    const size_t cols = mapping_scalars(m, true);
    mapping_pairs pairs = {.accumulator = {.between = mapping_between},
                           .mapping = m,
                           .sink = {.sink = {.add = mapping_add}, .stride = cols}};
    pairs.sink.m = calloc(cols * cols + 1, sizeof(double));
    const st_params params = st_default_params();
    if (m->object.type->mapping->geometric)
        m->object.type->mapping->geometric(m, &params, (st_stiffness){&pairs.accumulator});
    return pairs.sink.m;
}

static inline void mapping_move(st_mapping *m, size_t scalar, double by) {
    size_t local;
    st_state *s = mapping_state_at(m, true, scalar, &local);
    const st_dof *dof = st_state_dof(s);
    st_real d[6] = {0};
    d[local % (size_t)dof->deriv] = 1;
    st_dof_add(dof, s->coord[ST_COORD_POSITION].data + local / (size_t)dof->deriv * (size_t)dof->coord, d, (st_real)by);
}

static inline void mapping_compare(const char *what, size_t r, size_t c, double blocks, double slope) {
    const double scale = 1 + fabs(blocks);
    if (fabs(blocks - slope) > mapping_tolerance * scale)
        fail_msg("%s: row %zu, column %zu: the blocks say %.12g, differences %.12g", what, r, c, blocks, slope);
}

// Positions of the outputs, as derivatives from the present ones.
static inline void mapping_differences(st_mapping *m, const double *j) {
    const size_t rows = mapping_scalars(m, false), cols = mapping_scalars(m, true);
    for (size_t c = 0; c < cols; c++) {
        st_real *plus[8];
        mapping_move(m, c, mapping_step);
        mapping_apply(m);
        for (size_t o = 0; o < m->output.count; o++) {
            const st_state *s = st_mapping_output(m, o);
            const size_t n = s->size * (size_t)st_state_dof(s)->coord;
            plus[o] = calloc(n + 1, sizeof(st_real));
            memcpy(plus[o], s->coord[ST_COORD_POSITION].data, n * sizeof(st_real));
        }
        mapping_move(m, c, -2 * mapping_step);
        mapping_apply(m);
        for (size_t r = 0; r < rows; r++) {
            size_t local, o = 0;
            const st_state *s = mapping_state_at(m, false, r, &local);
            while (st_mapping_output(m, o) != s) o++;
            const st_dof *dof = st_state_dof(s);
            const size_t at = local / (size_t)dof->deriv * (size_t)dof->coord;
            st_real d[6];
            st_dof_difference(dof, d, plus[o] + at, s->coord[ST_COORD_POSITION].data + at);
            mapping_compare("J", r, c, j[r * cols + c], (double)d[local % (size_t)dof->deriv] / (2 * mapping_step));
        }
        for (size_t o = 0; o < m->output.count; o++) free(plus[o]);
        mapping_move(m, c, mapping_step);
    }
    mapping_apply(m);
}

static inline double mapping_random(void) { return (double)rand() / RAND_MAX * 2 - 1; }

static inline void mapping_make_vectors(st_mapping *m) {
    static const st_deriv_id ids[] = {{ST_DERIV_VELOCITY}, {ST_DERIV_FORCE}, {ST_DERIV_DX}, {ST_DERIV_DFORCE}};
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < m->input.count; i++) assert_true(st_state_make_deriv(st_mapping_input(m, i), ids[k]));
        for (size_t i = 0; i < m->output.count; i++) assert_true(st_state_make_deriv(st_mapping_output(m, i), ids[k]));
    }
}

static inline void mapping_products(st_mapping *m, const double *j) {
    const size_t rows = mapping_scalars(m, false), cols = mapping_scalars(m, true);
    for (size_t c = 0; c < cols; c++) {
        *mapping_scalar(m, true, ST_DERIV_VELOCITY, c) = (st_real)mapping_random();
        *mapping_scalar(m, true, ST_DERIV_FORCE, c) = 1;
    }
    for (size_t r = 0; r < rows; r++) *mapping_scalar(m, false, ST_DERIV_FORCE, r) = (st_real)mapping_random();
    for (size_t r = 0; r < rows; r++) *mapping_scalar(m, false, ST_DERIV_VELOCITY, r) = 0;
    st_mapping_apply_j(m, ST_VELOCITY, st_read_deriv(ST_VELOCITY));
    st_mapping_apply_jt(m, ST_FORCE, st_read_deriv(ST_FORCE));
    for (size_t r = 0; r < rows; r++) {
        double sum = 0;
        for (size_t c = 0; c < cols; c++)
            sum += j[r * cols + c] * (double)*mapping_scalar(m, true, ST_DERIV_VELOCITY, c);
        mapping_compare("J v", r, 0, sum, (double)*mapping_scalar(m, false, ST_DERIV_VELOCITY, r));
    }
    for (size_t c = 0; c < cols; c++) {
        double sum = 1;
        for (size_t r = 0; r < rows; r++) sum += j[r * cols + c] * (double)*mapping_scalar(m, false, ST_DERIV_FORCE, r);
        mapping_compare("J^T f", c, 0, sum, (double)*mapping_scalar(m, true, ST_DERIV_FORCE, c));
    }
}

// The forces of the outputs are those of mapping_products.
static inline void mapping_geometric_product(st_mapping *m, const double *g) {
    const size_t cols = mapping_scalars(m, true);
    st_params params = st_default_params();
    for (size_t c = 0; c < cols; c++) {
        *mapping_scalar(m, true, ST_DERIV_DX, c) = (st_real)mapping_random();
        *mapping_scalar(m, true, ST_DERIV_DFORCE, c) = 1;
    }
    st_mapping_apply_geometric(m, &params, (st_real)0.5);
    for (size_t r = 0; r < cols; r++) {
        double sum = 1;
        for (size_t c = 0; c < cols; c++)
            sum += 0.5 * g[r * cols + c] * (double)*mapping_scalar(m, true, ST_DERIV_DX, c);
        mapping_compare("K dx", r, 0, sum, (double)*mapping_scalar(m, true, ST_DERIV_DFORCE, r));
    }
}

static inline void mapping_transposed(st_mapping *m, double *to) {
    const size_t cols = mapping_scalars(m, true);
    mapping_apply(m);
    for (size_t c = 0; c < cols; c++) *mapping_scalar(m, true, ST_DERIV_FORCE, c) = 0;
    st_mapping_apply_jt(m, ST_FORCE, st_read_deriv(ST_FORCE));
    for (size_t c = 0; c < cols; c++) to[c] = (double)*mapping_scalar(m, true, ST_DERIV_FORCE, c);
}

static inline void mapping_geometric_differences(st_mapping *m, const double *g) {
    const size_t cols = mapping_scalars(m, true);
    double *plus = calloc(cols, sizeof *plus), *minus = calloc(cols, sizeof *minus);
    for (size_t c = 0; c < cols; c++) {
        mapping_move(m, c, mapping_step);
        mapping_transposed(m, plus);
        mapping_move(m, c, -2 * mapping_step);
        mapping_transposed(m, minus);
        mapping_move(m, c, mapping_step);
        for (size_t r = 0; r < cols; r++)
            mapping_compare("geometric", r, c, g[r * cols + c], (plus[r] - minus[r]) / (2 * mapping_step));
    }
    free(plus);
    free(minus);
}

static inline void mapping_check(st_mapping *m, unsigned checks) {
    mapping_make_vectors(m);
    mapping_apply(m);
    double *j = mapping_dense_jacobian(m);
    if (checks & MAPPING_J) mapping_differences(m, j);
    mapping_products(m, j);
    double *g = mapping_dense_geometric(m);
    mapping_geometric_product(m, g);
    if (checks & MAPPING_GEOMETRIC) mapping_geometric_differences(m, g);
    free(j);
    free(g);
}

// The mapping called m of a scene.
static inline void mapping_check_scene(const char *children, const char *path, unsigned checks) {
    physics_scene *test = physics_load(children);
    st_mapping *m = (st_mapping *)physics_find(test, path);
    if (!st_is_valid(&m->object)) fail_msg("%s", test->log);
    mapping_check(m, checks);
    physics_free(test);
}

// A scene whose mapping must be refused or become invalid with a message that holds `why`, and can be stepped.
static inline void mapping_check_bad(const char *children, const char *why) {
    physics_scene *test = physics_load(children);
    if (!strstr(test->log, why)) fail_msg("\"%s\" is not in: %s", why, test->log);
    st_scene_step(test->scene, 0);
    physics_free(test);
}

#endif
