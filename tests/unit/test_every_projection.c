// Every registered projective constraint, found in the class list: it filters like a projection (twice is once, sums
// are kept), says the same through columns and in assembled matrices, and survives wrong indices and empty states. A
// class must bring an example; a new class is tested without a line here.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "physics_scene.h"

#include "api/classes.h"
#include "math/real.h"
#include "system/system.h"
#include "system_scene.h"

#define TOLERANCE (100 * ST_REAL_EPSILON)

// Their position is not a projection: it goes on with each call, or half the way.
static bool moves_on(const st_class *type) {
    return strcmp(type->name, "LinearVelocityProjectiveConstraint") == 0 ||
           strcmp(type->name, "AttachProjectiveConstraint") == 0;
}

static const st_projection_ops *ops_of(const st_class *type) {
    for (; type; type = type->parent)
        if (type->projection) return type->projection;
    return NULL;
}

typedef void check_class(const st_class *type);

static void for_every_class(check_class *check) {
    size_t checked = 0;
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        if (!ops_of(*type) || ((*type)->flags & ST_CLASS_ABSTRACT)) continue;
        if (!(*type)->example) fail_msg("%s has no example: the generic test needs one", (*type)->name);
        check(*type);
        checked++;
    }
    assert_true(checked >= 20);
}

static st_projection *find_projection(physics_scene *test, const st_class *type) {
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(test->scene, i)); i++)
        if (strcmp(object->type->name, type->name) == 0) return (st_projection *)object;
    print_message("%s", test->log);
    fail_msg("the example of %s does not create it", type->name);
    return NULL;
}

static physics_scene *load_example(const st_class *type, bool no_compat, st_projection **projection) {
    physics_scene *test = physics_load_with(type->example, no_compat);
    if (test->count[ST_ERROR]) print_message("%s: %s", type->name, test->log);
    assert_int_equal(test->count[ST_ERROR], 0);
    *projection = find_projection(test, type);
    assert_true(st_is_valid(&(*projection)->object));
    (*projection)->object.node->time = ST_R(0.5); // the examples act then
    return test;
}

// ---------------------------------------------------------------------------------------------------
// Vectors
// ---------------------------------------------------------------------------------------------------

enum { STATES = 2, SCALARS = 64 };
typedef struct copies {
    st_real values[STATES][SCALARS];
} copies;

static st_state *state_at(physics_scene *test, size_t which) {
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(test->scene, i)); i++)
        if (st_has_role(object, ST_ROLE(state)) && which-- == 0) return (st_state *)object;
    return NULL;
}

static void set_random(physics_scene *test, st_deriv_id id, uint64_t seed) {
    for (size_t k = 0; state_at(test, k); k++) {
        st_state *s = state_at(test, k);
        st_real *values = physics_set(s, id, NULL);
        for (size_t i = 0; i < st_state_scalars(s); i++) values[i] = test_random(&seed);
    }
}

static void keep(physics_scene *test, bool coords, int id, copies *copy) {
    memset(copy, 0, sizeof *copy);
    for (size_t k = 0; state_at(test, k); k++) {
        const st_state *s = state_at(test, k);
        const st_reals *list = coords ? &s->coord[id] : &s->deriv[id];
        const size_t count = s->size * (coords ? st_state_dof(s)->coord : st_state_dof(s)->deriv);
        assert_true(k < STATES && count <= SCALARS);
        memcpy(copy->values[k], list->data, count * sizeof(st_real));
    }
}

static void assert_same(const st_class *type, const char *what, const copies *a, const copies *b) {
    for (size_t k = 0; k < STATES; k++)
        for (size_t i = 0; i < SCALARS; i++)
            if (!(fabs(a->values[k][i] - b->values[k][i]) <= TOLERANCE))
                fail_msg("%s: %s: scalar %zu of state %zu is %g, then %g", type->name, what, i, k,
                         (double)a->values[k][i], (double)b->values[k][i]);
}

static void check_twice_is_once(const st_class *type) {
    for (int compat = 0; compat < 2; compat++) {
        st_projection *p;
        physics_scene *test = load_example(type, !compat, &p);
        const st_projection_ops *ops = p->object.type->projection;
        copies once, twice;
        assert_true(ops->response || ops->velocity || ops->position);
        if (ops->response) {
            set_random(test, ST_DX, 1);
            ops->response(p, ST_DX);
            keep(test, false, ST_DERIV_DX, &once);
            ops->response(p, ST_DX);
            keep(test, false, ST_DERIV_DX, &twice);
            assert_same(type, "response", &once, &twice);
        }
        if (ops->position) {
            ops->position(p, ST_POSITION);
            keep(test, true, ST_COORD_POSITION, &once);
            ops->position(p, ST_POSITION);
            keep(test, true, ST_COORD_POSITION, &twice);
            if (!moves_on(type)) assert_same(type, "position", &once, &twice);
        }
        if (ops->velocity) {
            set_random(test, ST_VELOCITY, 2);
            ops->velocity(p, ST_VELOCITY);
            keep(test, false, ST_DERIV_VELOCITY, &once);
            ops->velocity(p, ST_VELOCITY);
            keep(test, false, ST_DERIV_VELOCITY, &twice);
            assert_same(type, "velocity", &once, &twice);
        }
        physics_free(test);
    }
}

static void twice_is_once(void **state) {
    (void)state;
    for_every_class(check_twice_is_once);
}

static void check_sums_are_kept(const st_class *type) {
    st_projection *p;
    physics_scene *test = load_example(type, true, &p);
    const st_projection_ops *ops = p->object.type->projection;
    copies a, b, sum;
    if (ops->response) {
        set_random(test, ST_DX, 1);
        ops->response(p, ST_DX);
        keep(test, false, ST_DERIV_DX, &a);
        set_random(test, ST_DX, 2);
        ops->response(p, ST_DX);
        keep(test, false, ST_DERIV_DX, &b);
        set_random(test, ST_DX, 1);
        uint64_t seed = 2;
        for (size_t k = 0; state_at(test, k); k++)
            for (size_t i = 0; i < st_state_scalars(state_at(test, k)); i++)
                state_at(test, k)->deriv[ST_DERIV_DX].data[i] += test_random(&seed);
        ops->response(p, ST_DX);
        keep(test, false, ST_DERIV_DX, &sum);
        for (size_t k = 0; k < STATES; k++)
            for (size_t i = 0; i < SCALARS; i++) a.values[k][i] += b.values[k][i];
        assert_same(type, "sum", &a, &sum);
    }
    physics_free(test);
}

static void sums_are_kept(void **state) {
    (void)state;
    for_every_class(check_sums_are_kept);
}

// ---------------------------------------------------------------------------------------------------
// Rows of constraints and matrices
// ---------------------------------------------------------------------------------------------------

typedef struct filtered {
    const st_state *state;
    st_real *row;
    size_t calls;
} filtered;

static void filter_row(void *context, size_t dof, const st_real *block) {
    filtered *f = context;
    const size_t width = st_state_dof(f->state)->deriv;
    st_real out[6] = {0};
    f->calls++;
    assert_true(dof < f->state->size);
    for (size_t i = 0; block && i < width; i++)
        for (size_t j = 0; j < width; j++) out[i] += block[i * width + j] * f->row[dof * width + j];
    memcpy(f->row + dof * width, out, width * sizeof *out);
}

// A row of a Jacobian is filtered as a displacement is.
static void check_columns(const st_class *type) {
    st_projection *p;
    physics_scene *test = load_example(type, true, &p);
    const st_projection_ops *ops = p->object.type->projection;
    assert_int_equal(ops->columns != NULL, ops->response != NULL);
    if (ops->columns) {
        st_real row[SCALARS];
        set_random(test, ST_DX, 3);
        memcpy(row, p->state->deriv[ST_DERIV_DX].data, st_state_scalars(p->state) * sizeof *row);
        filtered f = {.state = p->state, .row = row};
        ops->columns(p, filter_row, &f);
        assert_true(f.calls > 0);
        ops->response(p, ST_DX);
        assert_reals(p->state->deriv[ST_DERIV_DX].data, st_state_scalars(p->state), row, TOLERANCE);
    }
    physics_free(test);
}

static void rows_are_filtered_as_responses(void **state) {
    (void)state;
    for_every_class(check_columns);
}

typedef struct marks {
    size_t count;
    bool seen[SCALARS];
} marks;

static void mark(void *context, size_t scalar) {
    marks *m = context;
    assert_true(scalar < m->count);
    m->seen[scalar] = true;
}

// What is discarded is zero in every response.
static void check_discard(const st_class *type) {
    st_projection *p;
    physics_scene *test = load_example(type, true, &p);
    const st_projection_ops *ops = p->object.type->projection;
    if (ops->discard) {
        marks m = {.count = st_state_scalars(p->state)};
        size_t discarded = 0;
        ops->discard(p, mark, &m);
        set_random(test, ST_DX, 4);
        ops->response(p, ST_DX);
        for (size_t i = 0; i < m.count; i++) {
            discarded += m.seen[i];
            if (m.seen[i]) assert_near(p->state->deriv[ST_DERIV_DX].data[i], 0, 0);
        }
        assert_true(discarded > 0);
    }
    physics_free(test);
}

static void what_is_discarded_does_not_move(void **state) {
    (void)state;
    for_every_class(check_discard);
}

static st_object *find_role(physics_scene *test, size_t role) {
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(test->scene, i)); i++)
        if (st_has_role(object, role)) return object;
    return NULL;
}

// After a step with a direct solver: identity rows and columns, and no increment.
static void check_matrix(const st_class *type) {
    char text[4096];
    snprintf(text, sizeof text, "<EulerImplicitSolver/><SparseLDLSolver/>%s", type->example);
    physics_scene *test = physics_load(text);
    st_projection *p = find_projection(test, type);
    st_scene_step(test->scene, ST_R(0.1)); // the time is 0 at its start: most examples act then
    p->object.node->time = 0;
    st_system *system = (st_system *)find_role(test, ST_ROLE(system));
    assert_non_null(system);
    const st_projection_ops *ops = p->object.type->projection;
    if (ops->discard) {
        marks m = {.count = st_state_scalars(p->state)};
        ops->discard(p, mark, &m);
        size_t offset = 0; // of the state in the matrix: the states of the examples come in the order of the scene
        for (size_t k = 0; state_at(test, k) != p->state; k++) offset += st_state_scalars(state_at(test, k));
        st_real *a = test_assembled(system);
        for (size_t i = 0; i < m.count; i++)
            for (size_t j = 0; m.seen[i] && j < system->size; j++) {
                const st_real expected = j == offset + i ? 1 : 0;
                assert_near(a[(offset + i) * system->size + j], expected, 0);
                assert_near(a[j * system->size + offset + i], expected, 0);
            }
        for (size_t i = 0; i < m.count; i++)
            if (m.seen[i]) assert_near(system->solution[offset + i], 0, 0);
        st_free(a);
    }
    physics_free(test);
}

static void matrices_get_rows_of_the_identity(void **state) {
    (void)state;
    for_every_class(check_matrix);
}

// ---------------------------------------------------------------------------------------------------
// Wrong input
// ---------------------------------------------------------------------------------------------------

// Loads the children of the root, lets `change` change the object, and runs a few steps whatever the messages say.
static physics_scene *run_changed(const st_class *type, const char *text, const char *field, const char *value) {
    physics_scene *test = calloc(1, sizeof *test);
    st_config config = st_default_config();
    config.log = physics_log;
    config.log_user = test;
    test->scene = st_scene_create(&config);
    char *scene = malloc(strlen(text) + 256);
    sprintf(scene, "<Node dt='0.1'><DefaultAnimationLoop/><EulerImplicitSolver/><SparseLDLSolver/>%s</Node>", text);
    assert_true(st_succeeded(st_scene_load_text(test->scene, scene, strlen(scene), NULL)));
    free(scene);
    if (field) st_object_set(&find_projection(test, type)->object, field, value);
    st_scene_init(test->scene);
    for (int i = 0; i < 3; i++) st_scene_step(test->scene, 0);
    return test;
}

static void check_wrong_indices(const st_class *type) {
    static const char *const names[] = {"indices", "indices1", "indices2"};
    for (size_t i = 0; i < 3; i++) {
        bool has = false;
        for (const st_class *t = type; t; t = t->parent)
            for (const st_field *f = t->fields; f && f->name; f++) has = has || strcmp(f->name, names[i]) == 0;
        if (!has) continue;
        physics_scene *test = run_changed(type, type->example, names[i], "4000000000 1");
        if (test->count[ST_WARNING] + test->count[ST_ERROR] == 0) fail_msg("%s is silent on wrong indices", type->name);
        assert_non_null(strstr(test->log, type->name));
        physics_free(test);
    }
}

static void wrong_indices_are_reported(void **state) {
    (void)state;
    for_every_class(check_wrong_indices);
}

// The example with an empty state.
static void check_empty(const st_class *type) {
    char text[4096], *out = text;
    for (const char *in = type->example; *in; in++) {
        *out++ = *in;
        if (strncmp(in, "MechanicalObject", 16) != 0) continue;
        const char *position = strstr(in, "position=\"");
        while (in + 1 < position + 10) *out++ = *++in;
        while (in[1] != '"') in++;
    }
    *out = '\0';
    physics_scene *test = run_changed(type, text, NULL, NULL);
    physics_free(test);
}

static void empty_states_are_fine(void **state) {
    (void)state;
    for_every_class(check_empty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twice_is_once),
        cmocka_unit_test(sums_are_kept),
        cmocka_unit_test(rows_are_filtered_as_responses),
        cmocka_unit_test(what_is_discarded_does_not_move),
        cmocka_unit_test(matrices_get_rows_of_the_identity),
        cmocka_unit_test(wrong_indices_are_reported),
        cmocka_unit_test(empty_states_are_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
