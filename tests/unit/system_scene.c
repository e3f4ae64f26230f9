// Small scenes for the tests of systems and solvers. See system_scene.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "system_scene.h"

#include <stdio.h>

#include "dense_sink.h"
#include "stray_components.h"

// ---------------------------------------------------------------------------------------------------
// Forces
// ---------------------------------------------------------------------------------------------------

typedef struct test_force {
    st_force force;
    st_uints edges; // pairs
    st_real stiffness;
    st_real damping;
    uint32_t mode;
    uint32_t calls;
} test_force;

// A symmetric positive definite block that belongs to the edge.
static void edge_block(uint32_t i, uint32_t j, size_t width, st_real scale, st_real *block) {
    for (size_t r = 0; r < width; r++)
        for (size_t c = 0; c < width; c++)
            block[r * width + c] =
                scale * (r == c ? 2 + (st_real)(i % 3) : (st_real)((i + j + (uint32_t)(r * c)) % 5) / 10);
}

static void add_block(st_sink *sink, uint32_t i, uint32_t j, size_t width, const st_real *block) {
    sink->add(sink, (size_t)i * width, (size_t)j * width, width, width, block);
}

static void add_edge(st_sink *sink, uint32_t i, uint32_t j, size_t width, st_real scale) {
    st_real minus[36], plus[36];
    edge_block(i, j, width, -scale, minus);
    edge_block(i, j, width, scale, plus);
    add_block(sink, i, i, width, minus);
    add_block(sink, j, j, width, minus);
    add_block(sink, i, j, width, plus);
    add_block(sink, j, i, width, plus);
}

static void misbehave(test_force *self, st_sink *sink, size_t width) {
    const uint32_t last = (uint32_t)self->force.state->size - 1;
    const size_t scalars = st_state_scalars(self->force.state);
    const st_real one = 1, none = (st_real)NAN;
    st_real scalar = 0;
    switch (self->mode) {
    case TEST_MORE_BLOCKS: add_edge(sink, 0, last, width, self->stiffness); break;
    case TEST_ROW_OUTSIDE: sink->add(sink, scalars, 0, 1, 1, &one); break;
    case TEST_COL_OUTSIDE: sink->add(sink, 0, SIZE_MAX - 1, 1, 2, (const st_real[]){1, 1}); break;
    case TEST_NAN: sink->add(sink, width, width, 1, 1, &none); break;
    case TEST_RESTLESS: sink->add(sink, 0, width * (1 + self->calls % last), 1, 1, &scalar); break;
    default: break;
    }
}

static void stiffness(st_force *force, const st_params *params, st_stiffness k) {
    (void)params;
    test_force *self = (test_force *)force;
    const size_t width = st_state_dof(force->state)->deriv;
    st_sink *sink = st_stiffness_between(k, force->state, force->state);
    self->calls++;
    for (size_t e = self->mode == TEST_FEWER_BLOCKS; e < self->edges.count; e++)
        add_edge(sink, self->edges.data[2 * e], self->edges.data[2 * e + 1], width, self->stiffness);
    misbehave(self, sink, width);
}

static void damping(st_force *force, const st_params *params, st_damping b) {
    (void)params;
    st_sink *sink = st_damping_between(b, force->state, force->state);
    for (size_t i = 0; i < st_state_scalars(force->state); i++)
        st_add_scalar(sink, i, i, -((test_force *)force)->damping);
}

static void no_force(st_force *force, const st_params *params) { (void)force, (void)params; }

static const st_force_ops force_ops = {.add_force = no_force, .stiffness = stiffness, .damping = damping};

static const st_field force_fields[] = {
    ST_FIELD(test_force, edges, "edges", st_type_edges, NULL, "pairs of DOFs"),
    ST_FIELD(test_force, stiffness, "stiffness", st_type_real, "1", "scale of the blocks"),
    ST_FIELD(test_force, damping, "damping", st_type_real, "0", "of each scalar"),
    ST_FIELD(test_force, mode, "mode", st_type_uint, "0", "test_mode"),
    ST_FIELDS_END,
};

static const st_class force_class = {
    .name = "TestForce",
    .parent = &st_force_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .fields = force_fields,
    .size = sizeof(test_force),
    .force = &force_ops,
};

// All four accessors are asked for before the first block is added: each must stay what it is.
static void pair_stiffness(st_force *force, const st_params *params, st_stiffness k) {
    (void)params;
    const size_t width = st_state_dof(force->state)->deriv;
    st_sink *aa = st_stiffness_between(k, force->state, force->state),
            *ab = st_stiffness_between(k, force->state, force->other);
    st_sink *ba = st_stiffness_between(k, force->other, force->state),
            *bb = st_stiffness_between(k, force->other, force->other);
    const size_t count = force->state->size < force->other->size ? force->state->size : force->other->size;
    for (uint32_t i = 0; i < count; i++) {
        st_real minus[36], plus[36];
        edge_block(i, i + 1, width, -3, minus);
        edge_block(i, i + 1, width, 3, plus);
        add_block(aa, i, i, width, minus);
        add_block(ab, i, i, width, plus);
        add_block(ba, i, i, width, plus);
        add_block(bb, i, i, width, minus);
    }
}

static const st_force_ops pair_ops = {.add_force = no_force, .stiffness = pair_stiffness};

static const st_class pair_class = {
    .name = "TestPairForce",
    .parent = &st_pair_force_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .size = sizeof(st_force),
    .force = &pair_ops,
};

// ---------------------------------------------------------------------------------------------------
// Any matrix
// ---------------------------------------------------------------------------------------------------

typedef struct test_matrix {
    st_force force;
    st_reals values;
} test_matrix;

// Row by row, without the zeros.
static void matrix_stiffness(st_force *force, const st_params *params, st_stiffness k) {
    (void)params;
    const st_reals *values = &((test_matrix *)force)->values;
    const size_t n = st_state_scalars(force->state);
    st_sink *sink = st_stiffness_between(k, force->state, force->state);
    for (size_t i = 0; i < n * n && i < values->count; i++)
        if (values->data[i] != 0) st_add_scalar(sink, i / n, i % n, values->data[i]);
}

static const st_force_ops matrix_ops = {.add_force = no_force, .stiffness = matrix_stiffness};

static const st_field matrix_fields[] = {
    ST_FIELD(test_matrix, values, "values", st_type_reals, NULL, "row by row"),
    ST_FIELDS_END,
};

static const st_class matrix_class = {
    .name = "TestMatrix",
    .parent = &st_force_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .fields = matrix_fields,
    .size = sizeof(test_matrix),
    .force = &matrix_ops,
};

// ---------------------------------------------------------------------------------------------------
// Mass
// ---------------------------------------------------------------------------------------------------

typedef struct test_mass {
    st_mass mass;
    st_reals masses;
} test_mass;

static void mass_matrix(st_mass *mass, st_inertia m) {
    const st_state *state = mass->force.state;
    const st_reals *masses = &((test_mass *)mass)->masses;
    st_sink *sink = st_inertia_of(m, state);
    for (size_t i = 0; masses->count && i < st_state_scalars(state); i++)
        st_add_scalar(sink, i, i, masses->data[i < masses->count ? i : masses->count - 1]);
}

static const st_force_ops weight_ops = {.add_force = no_force};
static const st_mass_ops mass_ops = {.matrix = mass_matrix};

static const st_field mass_fields[] = {
    ST_FIELD(test_mass, masses, "masses", st_type_reals, "1", "one per scalar"),
    ST_FIELDS_END,
};

static const st_class mass_class = {
    .name = "TestMass",
    .parent = &st_mass_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .fields = mass_fields,
    .size = sizeof(test_mass),
    .force = &weight_ops,
    .mass = &mass_ops,
};

// ---------------------------------------------------------------------------------------------------
// Constraint and mapping
// ---------------------------------------------------------------------------------------------------

typedef struct test_constraint {
    st_projection projection;
    st_uints indices;
} test_constraint;

static void respond(st_projection *projection, st_deriv_id d) {
    const st_uints *indices = &((test_constraint *)projection)->indices;
    const size_t width = st_state_dof(projection->state)->deriv;
    st_real *values = st_dx_of(projection->state, d);
    for (size_t i = 0; i < indices->count; i++)
        if (indices->data[i] < projection->state->size)
            memset(values + indices->data[i] * width, 0, width * sizeof *values);
}

static void discard(st_projection *projection, void (*clear)(void *, size_t), void *context) {
    const st_uints *indices = &((test_constraint *)projection)->indices;
    const size_t width = st_state_dof(projection->state)->deriv;
    for (size_t i = 0; i < indices->count; i++)
        for (size_t k = 0; k < width; k++) clear(context, indices->data[i] * width + k);
}

static const st_projection_ops constraint_ops = {.response = respond, .discard = discard};

static const st_field constraint_fields[] = {
    ST_FIELD(test_constraint, indices, "indices", st_type_indices, NULL, "fixed DOFs"),
    ST_FIELDS_END,
};

static const st_class constraint_class = {
    .name = "TestConstraint",
    .parent = &st_projection_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .fields = constraint_fields,
    .size = sizeof(test_constraint),
    .projection = &constraint_ops,
};

static void map_positions(st_mapping *m, st_coord_id out, st_const_coord_id in) {
    const st_state *from = st_mapping_in(m), *to = st_mapping_out(m);
    memcpy(st_coord_list(to, out.index, ST_COORD_POSITION)->data,
           st_coord_list(from, in.index, ST_COORD_POSITION)->data,
           from->size * st_state_dof(from)->coord * sizeof(st_real));
}

static void map_down(st_mapping *m, st_deriv_id out, st_const_deriv_id in) {
    const st_state *from = st_mapping_in(m), *to = st_mapping_out(m);
    const st_reals *source = st_deriv_list(from, in.index, ST_DERIV_DX);
    st_reals *target = st_deriv_list(to, out.index, ST_DERIV_DX);
    if (source->count == from->size && target->count == to->size)
        memcpy(target->data, source->data, st_state_scalars(from) * sizeof(st_real));
}

static void map_up(st_mapping *m, st_deriv_id in, st_const_deriv_id out) {
    const st_state *from = st_mapping_in(m), *to = st_mapping_out(m);
    st_real *target = st_deriv_list(from, in.index, ST_DERIV_DFORCE)->data;
    const st_real *source = st_deriv_list(to, out.index, ST_DERIV_DFORCE)->data;
    for (size_t i = 0; i < st_state_scalars(to); i++) target[i] += source[i];
}

static st_status mapping_init(st_object *object) {
    st_mapping *mapping = (st_mapping *)object;
    st_object *from = st_find_slot(object->node->parent, ST_ROLE(state)),
              *to = st_find_slot(object->node, ST_ROLE(state));
    if (!from || !to || !st_list_push(&mapping->input, from) || !st_list_push(&mapping->output, to)) return ST_INVALID;
    mapping->map_forces = mapping->map_constraints = mapping->map_masses = mapping->map_matrices = true;
    return ST_OK;
}

static void mapping_destroy(st_object *object) {
    st_list_free(&((st_mapping *)object)->input);
    st_list_free(&((st_mapping *)object)->output);
}

static void mapping_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    for (size_t i = 0; i < st_state_scalars(st_mapping_out(mapping)); i++) st_add_scalar(sink, i, i, 1);
}

static const st_mapping_ops mapping_ops = {
    .apply = map_positions, .apply_j = map_down, .apply_jt = map_up, .jacobian = mapping_jacobian};

static const st_class mapping_class = {
    .name = "TestMapping",
    .parent = &st_object_class,
    .size = sizeof(st_mapping),
    .init = mapping_init,
    .destroy = mapping_destroy,
    .mapping = &mapping_ops,
};

// p_0 = x · y and p_1 = x · x / 2, point by point, for the inputs x and y.
static size_t dot_count(const st_mapping *mapping) {
    const size_t a = ((const st_state *)mapping->input.data[0])->size,
                 b = ((const st_state *)mapping->input.data[1])->size;
    return a < b ? a : b;
}

static const st_real *dot_input(const st_mapping *mapping, size_t in, size_t i, int index) {
    const st_state *state = (const st_state *)mapping->input.data[in];
    return st_coord_list(state, index, ST_COORD_POSITION)->data + i * st_state_dof(state)->coord;
}

static void dot_apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    for (size_t k = 0; k < mapping->output.count; k++) {
        st_real *to = st_coord_list((const st_state *)mapping->output.data[k], out.index, ST_COORD_POSITION)->data;
        for (size_t i = 0; i < dot_count(mapping); i++) {
            const st_real *x = dot_input(mapping, 0, i, in.index), *y = dot_input(mapping, k == 0 ? 1 : 0, i, in.index);
            to[i] = (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) * (k == 0 ? 1 : (st_real)0.5);
        }
    }
}

static void dot_jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    if (out == 1 && in == 1) return;
    const size_t width = st_state_dof((const st_state *)mapping->input.data[in])->deriv;
    for (size_t i = 0; i < dot_count(mapping); i++)
        sink->add(sink, i, i * width, 1, 3, dot_input(mapping, out == 0 ? 1 - in : 0, i, ST_COORD_POSITION));
}

static void dot_geometric_between(const st_mapping *mapping, const st_params *params, st_stiffness k, size_t row,
                                  size_t col) {
    const st_state *r = (const st_state *)mapping->input.data[row], *c = (const st_state *)mapping->input.data[col];
    const st_state *out = (const st_state *)mapping->output.data[row == col ? 1 : 0];
    st_sink *sink = st_stiffness_between(k, r, c);
    for (size_t i = 0; i < dot_count(mapping); i++)
        for (size_t a = 0; a < 3; a++)
            st_add_scalar(sink, i * st_state_dof(r)->deriv + a, i * st_state_dof(c)->deriv + a, st_f(out, params)[i]);
}

static void dot_geometric(st_mapping *mapping, const st_params *params, st_stiffness k) {
    dot_geometric_between(mapping, params, k, 0, 1);
    dot_geometric_between(mapping, params, k, 1, 0);
    if (mapping->output.count > 1) dot_geometric_between(mapping, params, k, 0, 0);
}

static bool dot_accepts(st_object *object) {
    (void)object;
    return true;
}

static st_status dot_init(st_object *object) {
    st_mapping *mapping = (st_mapping *)object;
    for (size_t i = 0; i < mapping->output.count; i++)
        if (st_state_resize((st_state *)mapping->output.data[i], dot_count(mapping)) != ST_OK) return ST_OUT_OF_MEMORY;
    return st_mapping_init(object);
}

static const st_mapping_ops dot_ops = {.apply = dot_apply, .jacobian = dot_jacobian, .geometric = dot_geometric};

static const st_class dot_class = {
    .name = "TestDotMapping",
    .parent = &st_mapping_class,
    .size = sizeof(st_mapping),
    .accepts = dot_accepts,
    .init = dot_init,
    .mapping = &dot_ops,
};

// ---------------------------------------------------------------------------------------------------
// Scenes
// ---------------------------------------------------------------------------------------------------

static void keep_message(void *user, const st_diagnostic *d) {
    test_scene *test = user;
    const size_t used = strlen(test->log);
    test->messages[d->severity]++;
    snprintf(test->log + used, sizeof test->log - used, "%s %s: %s\n", st_severity_name(d->severity),
             d->component ? d->component : "", d->text);
}

test_scene *test_scene_create(const char *children, bool strict, int threads) {
    static const st_class *const classes[] = {&force_class,   &pair_class, &mass_class,  &constraint_class,
                                              &mapping_class, &dot_class,  &matrix_class};
    test_scene *test = st_alloc(1, sizeof *test);
    assert_non_null(test);
    st_config config = st_default_config();
    config.log = keep_message;
    config.log_user = test;
    config.strict = strict;
    config.threads = threads;
    test->scene = st_scene_create(&config);
    assert_non_null(test->scene);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        assert_int_equal(st_register_class(test->scene, classes[i]), ST_OK);
    for (size_t i = 0; stray_classes[i]; i++) assert_int_equal(st_register_class(test->scene, stray_classes[i]), ST_OK);
    char *text = st_string_format("<Node name=\"root\" gravity=\"0 0 0\" dt=\"0.01\"><DefaultAnimationLoop/>%s</Node>",
                                  children);
    assert_non_null(text);
    if (!st_succeeded(st_scene_load_text(test->scene, text, strlen(text), NULL))) fail_msg("%s", test->log);
    st_free(text);
    if (!st_succeeded(st_scene_init(test->scene))) fail_msg("%s", test->log);
    return test;
}

void test_scene_destroy(test_scene *test) {
    st_scene_destroy(test->scene);
    st_free(test);
}

void test_clear_log(test_scene *test) {
    test->log[0] = '\0';
    memset(test->messages, 0, sizeof test->messages);
}

size_t test_count(const test_scene *test, const char *text) {
    size_t count = 0;
    for (const char *at = strstr(test->log, text); at; at = strstr(at + 1, text)) count++;
    return count;
}

static st_object *find(test_scene *test, const char *path) {
    st_object *object = st_scene_find(test->scene, path);
    if (!object) fail_msg("there is no %s; the log says:\n%s", path, test->log);
    return object;
}

st_system *test_system(test_scene *test, const char *path) { return (st_system *)find(test, path); }
st_linear_solver *test_solver(test_scene *test, const char *path) { return (st_linear_solver *)find(test, path); }

void test_set(test_scene *test, const char *path, const char *field, const char *value) {
    assert_int_equal(st_object_set(find(test, path), field, value), ST_OK);
}

st_params test_params(st_real m, st_real b, st_real k) {
    st_params params = st_default_params();
    params.m = m;
    params.b = b;
    params.k = k;
    return params;
}

st_status test_build(st_system *system, st_real m, st_real b, st_real k) {
    const st_params params = test_params(m, b, k);
    return system->object.type->system->build(system, &params);
}

// ---------------------------------------------------------------------------------------------------
// Dense matrices
// ---------------------------------------------------------------------------------------------------

static size_t offset_of(const st_plan *plan, const st_state *state) {
    for (size_t i = 0; i < plan->independent.count; i++)
        if (plan->independent.data[i] == state) return plan->offsets[i];
    return SIZE_MAX;
}

// One kind of matrix of one component, by its blocks, to the places of its states.
static void add_dense(const st_plan *plan, st_force *force, int kind, st_real factor, st_real *a) {
    const st_state *states[2] = {force->state, force->other};
    const size_t count = states[1] && states[1] != states[0] ? 2 : 1;
    dense_sink sinks[4];
    st_pair_accumulator pairs;
    st_pair_accumulator_init(&pairs);
    for (size_t i = 0; i < count * count; i++) {
        const st_state *row = states[i / count], *col = states[i % count];
        const st_window window = {offset_of(plan, row), offset_of(plan, col), st_state_scalars(row),
                                  st_state_scalars(col)};
        if (window.row == SIZE_MAX || window.col == SIZE_MAX) continue;
        dense_sink_init(&sinks[i], window, factor, a, plan->size);
        st_pair_accumulator_put(&pairs, row, col, &sinks[i].sink);
    }
    const st_params params = st_default_params();
    const st_class *type = force->object.type;
    if (kind == 0 && type->force->stiffness) type->force->stiffness(force, &params, (st_stiffness){&pairs.accumulator});
    if (kind == 1 && type->mass) type->mass->matrix((st_mass *)force, (st_inertia){&pairs.accumulator});
    if (kind == 2 && type->force->damping) type->force->damping(force, &params, (st_damping){&pairs.accumulator});
}

typedef struct fixing {
    size_t offset, n;
    st_real *a;
} fixing;

static void fix_dense(void *context, size_t scalar) {
    const fixing *f = context;
    const size_t k = f->offset + scalar;
    for (size_t i = 0; i < f->n; i++) f->a[i * f->n + k] = f->a[k * f->n + i] = 0;
    f->a[k * f->n + k] = 1;
}

st_real *test_dense(st_plan *plan, st_real m, st_real b, st_real k, bool constrained) {
    st_real *a = st_alloc(plan->size * plan->size, sizeof *a);
    assert_non_null(a);
    for (size_t i = 0; i < plan->forces.count; i++) {
        st_force *force = plan->forces.data[i];
        add_dense(plan, force, 0, k + b * force->rayleigh_stiffness, a);
        if (force->object.type->mass) add_dense(plan, force, 1, m - b * ((st_mass *)force)->rayleigh_mass, a);
        add_dense(plan, force, 2, b, a);
    }
    for (size_t i = 0; constrained && i < plan->projections.count; i++) {
        st_projection *projection = plan->projections.data[i];
        fixing context = {offset_of(plan, projection->state), plan->size, a};
        if (context.offset != SIZE_MAX) projection->object.type->projection->discard(projection, fix_dense, &context);
    }
    return a;
}

st_real *test_assembled(st_system *system) {
    const st_bsr *matrix = system->object.type->system->matrix(system);
    assert_non_null(matrix);
    assert_int_equal(st_bsr_scalar_rows(matrix), system->size);
    st_real *a = st_alloc(system->size * system->size, sizeof *a);
    assert_non_null(a);
    st_bsr_to_dense(matrix, a);
    return a;
}

void test_equal(size_t count, const st_real *a, const st_real *b, st_real tolerance) {
    st_real scale = 1;
    for (size_t i = 0; i < count; i++) scale = fmax(scale, fabs(a[i]));
    for (size_t i = 0; i < count; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance * scale))
            fail_msg("entry %zu: %.17g is not %.17g", i, (double)a[i], (double)b[i]);
}

st_real *test_dense_solve(size_t n, const st_real *matrix, const st_real *b) {
    double *a = st_alloc(n * (n + 1), sizeof *a);
    st_real *x = st_alloc(n, sizeof *x);
    assert_true(a && x);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) a[i * (n + 1) + j] = (double)matrix[i * n + j];
        a[i * (n + 1) + n] = (double)b[i];
    }
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k; i < n; i++)
            if (fabs(a[i * (n + 1) + k]) > fabs(a[best * (n + 1) + k])) best = i;
        for (size_t j = 0; j <= n; j++) {
            const double swap = a[k * (n + 1) + j];
            a[k * (n + 1) + j] = a[best * (n + 1) + j];
            a[best * (n + 1) + j] = swap;
        }
        for (size_t i = k + 1; i < n; i++) {
            const double f = a[i * (n + 1) + k] / a[k * (n + 1) + k];
            for (size_t j = k; j <= n; j++) a[i * (n + 1) + j] -= f * a[k * (n + 1) + j];
        }
    }
    for (size_t i = n; i-- > 0;) {
        double sum = a[i * (n + 1) + n];
        for (size_t j = i + 1; j < n; j++) sum -= a[i * (n + 1) + j] * (double)x[j];
        x[i] = (st_real)(sum / a[i * (n + 1) + i]);
    }
    st_free(a);
    return x;
}

st_real test_residual(size_t n, const st_real *a, const st_real *x, const st_real *b) {
    st_real sum = 0, norm_a = 0, norm_b = 0, norm_x = 0;
    for (size_t i = 0; i < n; i++) {
        st_real r = b[i];
        for (size_t j = 0; j < n; j++) {
            r -= a[i * n + j] * x[j];
            norm_a += a[i * n + j] * a[i * n + j];
        }
        sum += r * r;
        norm_b += b[i] * b[i];
        norm_x += x[i] * x[i];
    }
    return sqrt(sum) / (sqrt(norm_a * norm_x) + sqrt(norm_b));
}

st_real test_random(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (st_real)((double)(*seed >> 33) / 1073741824.0 - 1);
}
