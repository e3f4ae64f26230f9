// Every registered force, mass and projection on meshes that change: random sequences of edits, then the same scene built
// from scratch on the final mesh. Forces, their derivatives and masses must be equal to rounding, and a reset must bring
// the first mesh back, bit for bit. A class is found in the list by itself; it is put on a mesh of each kind with the
// attributes of its example.
//
// SPDX-License-Identifier: Apache-2.0
#include "changing_mesh.h"

#include "api/classes.h"
#include "base/array.h"
#include "math/real.h"
#include "plan/edits.h"
#include "plan/plan.h"
#include "scene/field_reader.h"
#include "scene/scene.h"
#include "settee/plugin/change.h"
#include "topology/edit.h"

#define TOLERANCE (ST_R(2e6) * ST_REAL_EPSILON)

static physics_scene *load_start(const st_class *type, const mesh *m) {
    static text t;
    t.length = 0;
    put(&t, "<Node name='body'>");
    put_first_mesh(&t, m);
    put(&t, "<MechanicalObject name='dofs'/>");
    put_component(&t, type);
    put(&t, "/></Node>");
    return physics_load(t.data);
}

// The scene as it is now, as the text of a new one.
static physics_scene *load_again(physics_scene *test, const st_class *type, const mesh *m) {
    static text t;
    const st_topology *topology = (const st_topology *)physics_find(test, "/body/mesh");
    const st_state *state = physics_state(test, "/body/dofs");
    st_object *it = physics_find(test, "/body/it");

    t.length = 0;
    put(&t, "<Node name='body'>");
    put_final_mesh(&t, m, topology);
    static const char *const vectors[2] = {"position", "rest_position"};
    put(&t, "/><MechanicalObject name='dofs'");
    for (int k = 0; k < 2; k++) {
        put(&t, " %s='", vectors[k]);
        for (size_t i = 0; i < 3 * state->size; i++) put(&t, "%.17g ", (double)state->coord[k + 1].data[i]);
        put(&t, "'");
    }
    put(&t, "/>");

    // declared values are those of the changed mesh
    put_component(&t, type);
    put_declared(&t, it);
    put(&t, "/></Node>");
    return physics_load(t.data);
}

// ---------------------------------------------------------------------------------------------------
// What is compared
// ---------------------------------------------------------------------------------------------------

static void move(st_state *state, uint64_t seed) {
    st_real *x = state->coord[ST_COORD_POSITION].data;
    for (size_t i = 0; i < 3 * state->size; i++) x[i] += ST_R(0.02) * ((st_real)below(&seed, 1000) / 500 - 1);
}

typedef struct answers {
    st_reals force, product;
} answers;

static void answers_free(answers *a) {
    st_list_free(&a->force);
    st_list_free(&a->product);
}

static void ask(physics_scene *test, answers *a) {
    st_force *force = (st_force *)physics_find(test, "/body/it");
    st_state *state = physics_state(test, "/body/dofs");
    const size_t count = 3 * state->size;
    st_params params = st_default_params();
    uint64_t seed = 99;
    assert_true(st_state_make_deriv(state, ST_DX) && st_state_make_deriv(state, ST_DFORCE));

    // force, then K dx or M dx
    physics_force(test, "/body/it");
    assert_true(st_list_set_count(&a->force, count, 1) && st_list_set_count(&a->product, count, 1));
    memcpy(a->force.data, state->deriv[ST_DERIV_FORCE].data, count * sizeof(st_real));
    for (size_t i = 0; i < count; i++) {
        state->deriv[ST_DERIV_DX].data[i] = (st_real)below(&seed, 1000) / 1000;
        state->deriv[ST_DERIV_DFORCE].data[i] = 0;
    }
    if (force->object.type->mass) st_mass_multiply_blocks((st_mass *)force, &params, 1);
    else st_force_multiply_blocks(force, &params, 1, 0);
    memcpy(a->product.data, state->deriv[ST_DERIV_DFORCE].data, count * sizeof(st_real));
}

static bool is_same(const st_reals *a, const st_reals *b, st_real tolerance) {
    st_real scale = 1;
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++) scale = fabs(b->data[i]) > scale ? fabs(b->data[i]) : scale;
    for (size_t i = 0; i < a->count; i++)
        if (!(fabs(a->data[i] - b->data[i]) <= tolerance * scale)) return false;
    return true;
}

static bool is_anything(const answers *a) {
    bool any = false;
    for (size_t i = 0; i < a->force.count; i++) any = any || a->force.data[i] != 0 || a->product.data[i] != 0;
    return any;
}

// ---------------------------------------------------------------------------------------------------
// The test of one class on one mesh
// ---------------------------------------------------------------------------------------------------

enum { SEQUENCES = 3, EDITS = 8 };
static size_t wrong;

static void report(const st_class *type, const mesh *m, uint64_t seed, const char *what) {
    print_error("%s on %s, sequence %u: %s\n", type->name, m->container, (unsigned)seed, what);
    wrong++;
}

// A list of points or elements ran empty: a scene that does not give it would mean all of them.
static bool has_lost_its_points(st_object *it) {
    for (uint32_t i = 0; i < st_field_count(it); i++) {
        const st_field *field = st_fields(it)[i];
        const bool numbers = field->type->list && field->type->scalar == ST_SCALAR_UINT;
        if (numbers && field->mesh > 0 && st_became_empty(it, st_member(it, field))) return true;
    }
    return false;
}

static void check_sequence(const st_class *type, const mesh *m, uint64_t sequence) {
    physics_scene *test = load_start(type, m);
    st_topology *topology = (st_topology *)physics_find(test, "/body/mesh");
    st_state *state = physics_state(test, "/body/dofs");
    answers first = {0}, now = {0}, fresh = {0};
    uint64_t seed = 1000 * sequence + 17;
    ask(test, &first);

    for (int i = 0; i < EDITS; i++) {
        if (i == EDITS - 1) move(state, seed);
        edit_once(test, topology, m->kind, &seed);
        if (!st_is_valid(physics_find(test, "/body/it"))) {
            print_error("%s", test->log);
            report(type, m, sequence, "it is invalid after an edit");
        } else physics_force(test, "/body/it");
    }
    assert_int_equal(state->size, st_topology_points(topology));

    physics_scene *again = load_again(test, type, m);
    if (has_lost_its_points(physics_find(test, "/body/it"))) {
        ask(test, &now);
        if (is_anything(&now)) report(type, m, sequence, "it acts without the points that it had");
    } else if (!st_is_valid(physics_find(again, "/body/it"))) {
        print_error("%s", again->log);
        report(type, m, sequence, "the scene from scratch is invalid");
    } else if (st_is_valid(physics_find(test, "/body/it"))) {
        ask(test, &now);
        ask(again, &fresh);
        if (!is_same(&now.force, &fresh.force, TOLERANCE)) report(type, m, sequence, "other forces than from scratch");
        if (!is_same(&now.product, &fresh.product, TOLERANCE))
            report(type, m, sequence, "another matrix than from scratch");
    }
    physics_free(again);

    // back to the start
    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    ask(test, &now);
    if (!is_same(&now.force, &first.force, 0) || !is_same(&now.product, &first.product, 0))
        report(type, m, sequence, "a reset does not bring back the first forces");
    physics_free(test);
    answers_free(&first);
    answers_free(&now);
    answers_free(&fresh);
}

// Does the class work on such a mesh at all?
static bool fits(const st_class *type, const mesh *m) {
    physics_scene *test = load_start(type, m);
    st_object *it = st_scene_find(test->scene, "/body/it");
    bool ok = it && st_is_valid(it) && ((st_force *)it)->state == physics_state(test, "/body/dofs") &&
              !((st_force *)it)->other;
    if (ok) {
        answers a = {0};
        move(((st_force *)it)->state, 5);
        ask(test, &a);
        ok = is_anything(&a);
        answers_free(&a);
    }
    physics_free(test);
    return ok;
}

static void every_force_and_mass_follows(void **state) {
    (void)state;
    size_t checked = 0;
    wrong = 0;
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        if (!slot_of(*type, ST_ROLE(force)) || ((*type)->flags & (ST_CLASS_ABSTRACT | ST_CLASS_INERT))) continue;
        for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
            if (!fits(*type, &meshes[i])) continue;
            for (uint64_t k = 1; k <= SEQUENCES; k++) check_sequence(*type, &meshes[i], k);
            checked++;
        }
    }
    print_message("%zu pairs of a class and a mesh\n", checked);
    assert_true(checked >= 40);
    assert_int_equal(wrong, 0);
}

// ---------------------------------------------------------------------------------------------------
// Initialized again
// ---------------------------------------------------------------------------------------------------

// All fields of all components, as text.
static char *all_fields(physics_scene *test) {
    size_t capacity = 1 << 16, used = 0;
    char *all = malloc(capacity);
    st_object *object;
    assert_non_null(all);
    all[0] = 0;

    for (size_t i = 0; (object = st_scene_object(test->scene, i)); i++)
        for (uint32_t k = 0; k < st_field_count(object); k++) {
            if (st_fields(object)[k]->type->syntax == ST_SYNTAX_LINK) continue;
            char *value = st_object_get(object, st_fields(object)[k]->name, 12);
            if (!value) continue;
            const size_t length = strlen(object->name) + strlen(st_fields(object)[k]->name) + strlen(value) + 4;
            while (used + length >= capacity) assert_non_null(all = realloc(all, capacity *= 2));
            used += (size_t)snprintf(all + used, capacity - used, "%s.%s=%s\n", object->name,
                                     st_fields(object)[k]->name, value);
            st_string_free(value);
        }
    return all;
}

static void show_difference(const st_class *type, const char *a, const char *b) {
    while (*a && *b) {
        const size_t x = strcspn(a, "\n"), y = strcspn(b, "\n");
        char *one = st_string_copy_n(a, x), *other = st_string_copy_n(b, y);
        const bool same = is_same_text(one, other);
        st_free(one);
        st_free(other);
        if (!same) {
            print_error("%s: %.*s became %.*s\n", type->name, (int)(x < 120 ? x : 120), a, (int)(y < 120 ? y : 120), b);
            break;
        }
        a += x + (a[x] != 0), b += y + (b[y] != 0);
    }
    wrong++;
}

// Away from where it was initialized: what is measured again must not be measured there.
static void shake(physics_scene *test) {
    const st_plan *plan = st_plan_of(test->scene->root);
    uint64_t seed = 31;
    assert_non_null(plan);
    for (size_t i = 0; i < plan->independent.count; i++) {
        st_state *state = plan->independent.data[i];
        const st_dof *dof = st_state_dof(state);
        for (size_t k = 0; k < state->size; k++)
            for (size_t j = 0; j < dof->spatial; j++)
                state->coord[ST_COORD_POSITION].data[k * dof->coord + j] +=
                    ST_R(0.05) * ((st_real)below(&seed, 1000) / 500 - 1);
    }
    st_settle(test->scene->root);
}

// These go on with each projection, have another density after a change, as in SOFA, or turn with the cells of a force that
// has no rotations before its next evaluation.
static bool is_left_out(const st_class *type) {
    return st_has_word("AttachProjectiveConstraint LinearVelocityProjectiveConstraint "
                       "PositionBasedDynamicsProjectiveConstraint MeshMatrixMass HexahedronCompositeFEMMapping",
                       type->name);
}

static bool reads_meshes(const st_class *type) {
    static const size_t roles[] = {ST_ROLE(force),      ST_ROLE(mass), ST_ROLE(mapping),        ST_ROLE(projection),
                                   ST_ROLE(correction), ST_ROLE(law),  ST_ROLE(collision_model)};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (slot_of(type, roles[i])) return true;
    return false;
}

// What is initialized again without any change stays what it is: nothing is added twice, moved twice or lost.
static void every_class_can_be_initialized_again(void **state) {
    (void)state;
    size_t checked = 0;
    wrong = 0;
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        if (!reads_meshes(*type) || is_left_out(*type) || ((*type)->flags & (ST_CLASS_ABSTRACT | ST_CLASS_INERT)) ||
            !(*type)->example)
            continue;
        physics_scene *test = physics_load((*type)->example);
        shake(test);
        char *first = all_fields(test);
        const size_t errors = test->count[ST_ERROR];

        for (int i = 0; i < 2; i++) {
            assert_true(st_list_push(&test->scene->edited, test->scene->root->objects.data[0]));
            st_finish_edits(test->scene);
        }
        char *second = all_fields(test);
        if (!is_same_text(first, second)) show_difference(*type, first, second);
        if (test->count[ST_ERROR] != errors) {
            print_error("%s: %s", (*type)->name, test->log);
            wrong++;
        }
        free(first);
        free(second);
        physics_free(test);
        checked++;
    }
    print_message("%zu classes\n", checked);
    assert_true(checked >= 100);
    assert_int_equal(wrong, 0);
}

// ---------------------------------------------------------------------------------------------------
// What lists of whole numbers are
// ---------------------------------------------------------------------------------------------------

// Meshes are the lists themselves. Lists of engines and loaders, and outputs, are values that are computed again.
static bool is_data_flow(const st_class *type, const st_field *field) {
    if (slot_of(type, ST_ROLE(topology)) || (field->flags & (ST_FIELD_OUTPUT | ST_FIELD_REMOVED))) return true;
    for (; type; type = type->parent)
        if (type->update) return true;
    return false;
}

static void every_list_of_whole_numbers_says_what_it_is(void **state) {
    (void)state;
    size_t checked = 0;
    wrong = 0;
    for (const st_class *const *type = st_builtin_classes; *type; type++)
        for (const st_class *owner = *type; owner; owner = owner->parent)
            for (const st_field *field = owner->fields; field && field->name; field++) {
                const bool whole = field->type->scalar == ST_SCALAR_UINT || field->type->scalar == ST_SCALAR_INT;
                if (!whole || !field->type->list || is_data_flow(*type, field)) continue;
                checked++;
                if (field->mesh) continue;
                print_error("%s.%s: points, elements, or ST_NO_INDEX?\n", (*type)->name, field->name);
                wrong++;
            }
    print_message("%zu lists\n", checked);
    assert_true(checked >= 60);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_list_of_whole_numbers_says_what_it_is),
        cmocka_unit_test(every_force_and_mass_follows),
        cmocka_unit_test(every_class_can_be_initialized_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
