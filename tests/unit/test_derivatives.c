// Every registered force and mass, found in the class list: its derivatives against finite differences, its own product
// against its blocks, for every template. A class must bring an example; a new class is tested without a line here.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "api/classes.h"
#include "check/derivative_check.h"
#include "plan/plan.h"
#include "scene/scene.h"
#include "settee/plugin/state.h"

// Central differences of a smooth force are good to the 2/3 power of the precision; contacts and square roots cost
// more.
#define TOLERANCE (2e3 * pow((double)ST_REAL_EPSILON, 2.0 / 3.0))

typedef struct tally {
    const char *name;
    size_t stiffness, damping, product, mass, wrong;
} tally;

static void note(void *user, const st_derivative_check *check) {
    tally *t = user;
    if (strcmp(check->what, "stiffness") == 0) t->stiffness++;
    if (strcmp(check->what, "damping") == 0) t->damping++;
    if (strcmp(check->what, "product") == 0) t->product++;
    if (strcmp(check->what, "mass") == 0) t->mass++;
    const double limit = strcmp(check->what, "product") == 0 || strcmp(check->what, "mass") == 0
                             ? 1e3 * (double)ST_REAL_EPSILON
                             : TOLERANCE;
    const bool untested = isnan(check->error) && !check->exact_by_design && strcmp(check->what, "potential") != 0;
    if (untested) print_error("%s: %s\n", t->name, check->note);
    t->wrong += untested;
    if (!check->exact_by_design || (double)check->error <= limit) return;
    print_error("%s: %s is wrong by %g (relative; %g is allowed)\n", t->name, check->what, (double)check->error, limit);
    t->wrong++;
}

static void print_errors(void *user, const st_diagnostic *diagnostic) {
    (void)user;
    if (diagnostic->severity >= ST_ERROR) print_error("%s: %s\n", diagnostic->component, diagnostic->text);
}

// Moves every state away from its symmetric start, so that no entry vanishes by chance.
static void disturb(st_scene *scene, st_real amount, st_real speed) {
    unsigned seed = 12345;
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++) {
        st_state *s = (st_state *)object;
        if (!st_has_role(object, ST_ROLE(state)) || !s->mechanical) continue;
        const st_dof *dof = st_state_dof(s);
        for (size_t n = 0; n < s->size; n++) {
            st_real d[6];
            for (size_t k = 0; k < dof->deriv; k++) {
                seed = seed * 1103515245u + 12345u;
                d[k] = amount * ((st_real)((seed >> 16) & 1023u) / 512 - 1);
                s->deriv[ST_DERIV_VELOCITY].data[n * dof->deriv + (size_t)k] = speed * d[k];
            }
            st_dof_add(dof, s->coord[ST_COORD_POSITION].data + n * dof->coord, d, 1);
        }
    }
}

static size_t check_example(const st_class *type, const char *example) {
    char *text = st_string_format("<Node><DefaultAnimationLoop/><Node name='part'>%s</Node></Node>", example);
    st_config config = st_default_config();
    config.log = print_errors;
    config.no_compat = true; // the right derivative, not a reproduced defect
    st_scene *scene = st_scene_create(&config);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));
    disturb(scene, (st_real)0.03, 5);
    tally t = {.name = type->name};
    size_t found = 0;
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++) {
        if (strcmp(object->type->name, type->name) != 0) continue;
        found++;
        assert_true(st_is_valid(object));
        assert_int_equal(st_check_force((st_force *)object, note, &t), ST_OK);
    }
    if (found == 0 || t.stiffness == 0)
        print_error("%s: its example does not create it, or it has no DOFs\n", type->name);
    assert_true(found > 0 && t.stiffness > 0);
    st_scene_destroy(scene);
    st_free(text);
    return t.wrong;
}

static const st_force_ops *force_ops(const st_class *type) {
    for (; type; type = type->parent)
        if (type->force) return type->force;
    return NULL;
}

static void every_force_has_a_right_derivative(void **state) {
    (void)state;
    size_t checked = 0, wrong = 0;
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        if (!force_ops(*type) || ((*type)->flags & ST_CLASS_ABSTRACT)) continue;
        if (!(*type)->example) fail_msg("%s has no example: the generic test needs one", (*type)->name);
        wrong += check_example(*type, (*type)->example);
        checked++;
    }
    print_message("%zu classes checked\n", checked);
    assert_int_equal((int)wrong, 0);
    assert_true(checked >= 7);
}

static void note_stiffness(void *user, const st_derivative_check *check) {
    if (strcmp(check->what, "stiffness") == 0 && strcmp(check->object->type->name, "PlaneForceField") == 0)
        *(st_derivative_check *)user = *check;
}

// A point that lies on the plane is pushed on one side only: no derivative there, which is no mistake of the force. A
// force that is wrong is still found, since it is wrong where it is moved to.
static void a_kink_is_no_mistake(void **state) {
    (void)state;
    static const char text[] = "<Node><DefaultAnimationLoop/><MechanicalObject position='0 0 0 1 -0.1 0 2 1 0'/>"
                               "<PlaneForceField normal='0 1 0' d='0' stiffness='10'/></Node>";
    st_scene *scene = st_scene_create(NULL);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));

    st_derivative_check found = {0};
    assert_int_equal(st_scene_check_derivatives(scene, note_stiffness, &found), ST_OK);
    assert_string_equal(found.note, "moved, since the force has a kink here");
    assert_true(found.exact_by_design && (double)found.error <= TOLERANCE);
    st_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_force_has_a_right_derivative),
                                       cmocka_unit_test(a_kink_is_no_mistake)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
