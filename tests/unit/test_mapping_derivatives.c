// Every registered mapping, found in the class list: its Jacobian against finite differences of its positions, its own
// products against its blocks, its geometric stiffness against finite differences of Jᵀf; and the assembled matrix of a
// force on its child against the matrix-free product. A class must bring an example; a new class is tested without a
// line here.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tgmath.h>

#include <cmocka.h>

#include "linalg/sink.h"
#include "scene/scene.h"
#include "settee/state.h"
#include "system/derivative_check.h"
#include "system/system.h"

#define DIFFERENCE ((st_real)(2e3 * pow((double)ST_REAL_EPSILON, 2.0 / 3.0))) // what central differences are good to
#define ROUNDING ((st_real)(1e4 * (double)ST_REAL_EPSILON))

// ---------------------------------------------------------------------------------------------------
// A force on any state: a full matrix between neighbors, neither symmetric nor constant along the state
// ---------------------------------------------------------------------------------------------------

static st_real number(size_t a, size_t b) { return (st_real)((a * 29 + b * 17 + 5) % 23) / 23 - (st_real)0.4; }

static void push(st_force *force, const st_params *params) {
    for (size_t i = 0; i < st_state_scalars(force->state); i++) st_f(force->state, params)[i] += number(i, 3);
}

static void couple(st_force *force, const st_params *params, st_stiffness k) {
    (void)params;
    const size_t n = st_state_scalars(force->state), width = (size_t)st_state_dof(force->state)->deriv;
    st_sink *sink = st_stiffness_between(k, force->state, force->state);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < 2 * width; j++) st_add_scalar(sink, i, (i + j) % n, number(i, j));
}

static const st_force_ops coupling_ops = {.add_force = push, .stiffness = couple};
static const st_class coupling_class = {
    .name = "TestCoupling",
    .parent = &st_force_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .size = sizeof(st_force),
    .force = &coupling_ops,
};

// ---------------------------------------------------------------------------------------------------
// Scenes
// ---------------------------------------------------------------------------------------------------

static void print_errors(void *user, const st_diagnostic *diagnostic) {
    (void)user;
    if (diagnostic->severity >= ST_ERROR) print_error("%s: %s\n", diagnostic->component, diagnostic->text);
}

static void disturb(st_scene *scene, st_real amount) {
    unsigned seed = 12345;
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++) {
        st_state *s = (st_state *)object;
        if (!st_has_role(object, ST_ROLE(state)) || !s->mechanical) continue;
        const st_dof *dof = st_state_dof(s);
        for (size_t n = 0; n < s->size; n++) {
            st_real d[6];
            for (int k = 0; k < dof->deriv; k++) {
                seed = seed * 1103515245u + 12345u;
                d[k] = amount * ((st_real)((seed >> 16) & 1023u) / 512 - 1);
            }
            st_dof_add(dof, s->coord[ST_COORD_POSITION].data + n * (size_t)dof->coord, d, 1);
        }
    }
}

// Where there is a choice, the derivative is asked for in full.
static void ask_for_exact(st_object *object) {
    for (size_t i = 0; i < object->type->field_count; i++)
        if (strcmp(object->type->all_fields[i]->name, "geometricStiffness") == 0)
            assert_int_equal(st_object_set(object, "geometricStiffness", "Exact"), ST_OK);
}

static st_scene *load(const char *example) {
    char *text = st_string_format("<Node><DefaultAnimationLoop/><MatrixLinearSystem name='assembled'/>"
                                  "<MatrixFreeSystem name='free'/><Node name='part'>%s</Node></Node>",
                                  example);
    st_config config = st_default_config();
    config.log = print_errors;
    config.no_compat = true;
    st_scene *scene = st_scene_create(&config);
    assert_int_equal(st_register_class(scene, &coupling_class), ST_OK);
    assert_int_equal(st_scene_load_text(scene, text, strlen(text), NULL), ST_OK);
    st_free(text);
    return scene;
}

static void add_coupling(const st_mapping *mapping) {
    for (size_t i = 0; i < mapping->output.count; i++) {
        st_object *child = mapping->output.data[i];
        if (!child || !((st_state *)child)->mechanical) continue;
        assert_non_null(st_add_object(child->node, "TestCoupling", st_state_dof((st_state *)child)->name, NULL, false));
    }
}

// ---------------------------------------------------------------------------------------------------
// Checks
// ---------------------------------------------------------------------------------------------------

typedef struct tally {
    const char *name;
    size_t checks, wrong;
} tally;

static void note(void *user, const st_derivative_check *check) {
    tally *t = user;
    const bool by_differences = strcmp(check->what, "jacobian") == 0 || strcmp(check->what, "geometric") == 0;
    const st_real limit = by_differences ? DIFFERENCE : ROUNDING;
    t->checks++;
    if (!check->exact_by_design || check->error <= limit) return;
    print_error("%s: %s is wrong by %g (relative; %g is allowed)\n", t->name, check->what, (double)check->error,
                (double)limit);
    t->wrong++;
}

static st_params params_of_system(void) {
    st_params params = st_default_params();
    params.m = 1;
    params.b = (st_real)-0.1;
    params.k = (st_real)-0.3;
    return params;
}

// A p, assembled and matrix-free, for unit vectors p.
static size_t compare_products(st_scene *scene, const char *name) {
    st_system *assembled = (st_system *)st_scene_find(scene, "/assembled"),
              *matrix_free = (st_system *)st_scene_find(scene, "/free");
    const st_params params = params_of_system();
    assert_int_equal(matrix_free->object.type->system->build(matrix_free, &params), ST_OK);
    st_plan_propagate_xv(matrix_free->plan, ST_POSITION, ST_VELOCITY);
    st_plan_compute_force(matrix_free->plan, &params);
    assert_int_equal(assembled->object.type->system->build(assembled, &params), ST_OK);
    const size_t n = assembled->size;
    st_real *p = st_alloc(n, sizeof *p), *q = st_alloc(n, sizeof *q), *r = st_alloc(n, sizeof *r), error = 0, size = 0;
    for (size_t j = 0; j < n; j++) {
        p[j] = 1;
        assert_int_equal(assembled->object.type->system->multiply(assembled, p, q), ST_OK);
        assert_int_equal(matrix_free->object.type->system->multiply(matrix_free, p, r), ST_OK);
        p[j] = 0;
        for (size_t i = 0; i < n; i++) {
            error = fmax(error, fabs(q[i] - r[i]));
            size = fmax(size, fabs(r[i]));
        }
    }
    st_free(p);
    st_free(q);
    st_free(r);
    if (error <= ROUNDING * size) return 0;
    print_error("%s: the assembled product differs from the matrix-free one by %g of %g\n", name, (double)error,
                (double)size);
    return 1;
}

static size_t check_example(const st_class *type) {
    st_scene *scene = load(type->example);
    tally t = {.name = type->name};
    size_t found = 0;
    st_object *object, *last = NULL;
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++) {
        if (strcmp(object->type->name, type->name) != 0) continue;
        ask_for_exact(object);
        last = object;
        found++;
    }
    if (last) add_coupling((st_mapping *)last);
    assert_int_equal(st_scene_init(scene), ST_OK);
    disturb(scene, (st_real)0.03);
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++) {
        if (strcmp(object->type->name, type->name) != 0) continue;
        assert_true(st_is_valid(object));
        assert_int_equal(st_check_mapping((st_mapping *)object, note, &t), ST_OK);
    }
    if (found == 0 || t.checks == 0)
        print_error("%s: its example does not create it between mechanical states that have DOFs\n", type->name);
    else t.wrong += compare_products(scene, type->name);
    st_scene_destroy(scene);
    return t.wrong + (found == 0 || t.checks == 0);
}

static const st_mapping_ops *mapping_ops(const st_class *type) {
    for (; type; type = type->parent)
        if (type->mapping) return type->mapping;
    return NULL;
}

static void every_mapping_has_right_derivatives(void **state) {
    (void)state;
    size_t checked = 0, wrong = 0;
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        const st_mapping_ops *ops = mapping_ops(*type);
        if (!ops || ((*type)->flags & (ST_CLASS_ABSTRACT | ST_CLASS_INERT))) continue;
        if (!ops->jacobian) continue; // it moves nothing
        if (!(*type)->example) fail_msg("%s has no example: the generic test needs one", (*type)->name);
        wrong += check_example(*type);
        checked++;
    }
    print_message("%zu classes checked\n", checked);
    assert_true(checked >= 2);
    assert_int_equal((int)wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_mapping_has_right_derivatives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
