// Every registered mapping, found in the class list, with input that makes no sense: parents without DOFs, points that
// coincide, points far away from everything, lists that are too short, too long or name what is not there. It says what
// is wrong or does what it can; it neither crashes nor lets a number that is none travel.
//
// SPDX-License-Identifier: Apache-2.0
#include "api/classes.h"
#include "mapping/states.h"
#include "physics_scene.h"
#include "scene/scene.h"
#include "state/sink.h"

static const char *const solvers[] = {"<CGLinearSolver iterations='20' tolerance='1e-9' threshold='1e-9'/>",
                                      "<SparseLDLSolver/>"};

typedef void spoil(st_scene *scene, st_mapping *mapping, size_t choice);

static bool is_mechanical(const st_object *object) {
    return st_has_role(object, ST_ROLE(state)) && ((const st_state *)object)->mechanical;
}

static st_scene *load(const st_class *type, const char *solver) {
    st_config config = st_default_config();
    st_scene *scene = st_scene_create(&config);
    char *text = st_string_format("<Node dt='0.01'><DefaultAnimationLoop/><Node name='part'><EulerImplicitSolver "
                                  "rayleighStiffness='0.1'/>%s%s</Node></Node>",
                                  solver, type->example);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    st_free(text);
    return scene;
}

static st_mapping *find(st_scene *scene, const st_class *type) {
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++)
        if (strcmp(object->type->name, type->name) == 0) return (st_mapping *)object;
    return NULL;
}

// Masses, so that there is something to solve, and a pull on the children.
static void complete(st_scene *scene, const st_mapping *mapping) {
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++)
        if (is_mechanical(object) && !st_node_members(object->node, ST_ROLE(mass)).last &&
            !st_node_members(object->node, ST_ROLE(mapping)).last)
            st_add_object(object->node, "UniformMass", object->dof->name, NULL, false);
    for (size_t i = 0; i < mapping->output.count; i++)
        if (mapping->output.data[i] && is_mechanical(mapping->output.data[i]))
            st_add_object(mapping->output.data[i]->node, "RestShapeSpringsForceField",
                          mapping->output.data[i]->dof->name, NULL, false);
}

static void check_finite(st_scene *scene, const char *name, const char *what, size_t choice) {
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++) {
        if (!is_mechanical(object)) continue;
        const st_reals *x = &((const st_state *)object)->coord[ST_COORD_POSITION];
        for (size_t k = 0; k < x->count * object->dof->coord; k++)
            if (!isfinite(x->data[k])) fail_msg("%s, %s %zu: '%s' is not finite", name, what, choice, object->name);
    }
}

static void try_one(const st_class *type, const char *what, spoil *change, size_t choice) {
    for (size_t k = 0; k < 2; k++) {
        st_scene *scene = load(type, solvers[k]);
        st_mapping *mapping = find(scene, type);
        assert_non_null(mapping);
        complete(scene, mapping);
        change(scene, mapping, choice);
        st_scene_init(scene);
        bool going = true;
        for (int step = 0; going && step < 3; step++) going = st_scene_step(scene, 0) == ST_OK;
        check_finite(scene, type->name, what, choice);
        st_scene_reset(scene);
        st_scene_destroy(scene);
    }
}

// ---------------------------------------------------------------------------------------------------
// What is done to a scene before it is initialized
// ---------------------------------------------------------------------------------------------------

// Parent number `choice`, or the meshes too, lose their points.
static void empty_parent(st_scene *scene, st_mapping *mapping, size_t choice) {
    st_object *object;
    if (choice < mapping->input.count && mapping->input.data[choice])
        st_object_set(mapping->input.data[choice], "position", "");
    for (size_t i = 0; choice >= mapping->input.count && (object = st_scene_object(scene, i)); i++)
        if (is_mechanical(object) || st_has_role(object, ST_ROLE(topology))) st_object_set(object, "position", "");
}

static void put_all(st_object *state, const char *place) {
    char text[2048] = "";
    const size_t count = 12;
    for (size_t i = 0; i < count; i++) {
        const size_t spatial = state->dof->spatial, coord = state->dof->coord;
        for (size_t k = 0; k < coord; k++) {
            strcat(text, k < spatial ? place : coord == 7 && k == 6 ? "1" : "0");
            strcat(text, " ");
        }
    }
    st_object_set(state, "position", text);
}

static void coincide(st_scene *scene, st_mapping *mapping, size_t choice) {
    (void)choice;
    st_object *object;
    for (size_t i = 0; i < mapping->input.count; i++)
        if (mapping->input.data[i]) put_all(mapping->input.data[i], "0.5");
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++)
        if (st_has_role(object, ST_ROLE(topology)))
            st_object_set(object, "position", "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1");
}

static void far_away(st_scene *scene, st_mapping *mapping, size_t choice) {
    static const char *const places[] = {"1e9", "-1e9", "1e-300", "1e150"};
    (void)scene;
    for (size_t i = 0; i < mapping->output.count; i++)
        if (mapping->output.data[i]) put_all(mapping->output.data[i], places[choice]);
}

static const char *const values[] = {"",    "4294967295", "7 7 7 7 7 7 7 7 7 7 7 7 7", "0 1 2", "-1", "1e300 -1e300 0",
                                     "nan", "[0 9] [3]"};

// Field number choice / 8 of the class gets one of the values.
static void wrong_list(st_scene *scene, st_mapping *mapping, size_t choice) {
    (void)scene;
    size_t number = choice / 8;
    for (const st_class *type = mapping->object.type; type && type->parent; type = type->parent)
        for (const st_field *field = type->fields; field && field->name; field++)
            if (number-- == 0) st_object_set(&mapping->object, field->name, values[choice % 8]);
}

// ---------------------------------------------------------------------------------------------------

static bool is_mapping(const st_class *type) {
    if (type->flags & (ST_CLASS_ABSTRACT | ST_CLASS_INERT) || !type->example) return false;
    for (; type; type = type->parent)
        if (type->mapping) return true;
    return false;
}

// Attributes of the class and of its parents, but not those that every component has.
static size_t field_count(const st_class *type) {
    size_t count = 0;
    for (; type && type->parent; type = type->parent)
        for (const st_field *field = type->fields; field && field->name; field++) count++;
    return count;
}

// No choices: eight for each attribute.
static void for_every_mapping(const char *what, spoil *change, size_t choices) {
    size_t tried = 0;
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        if (!is_mapping(*type)) continue;
        const size_t count = choices > 0 ? choices : 8 * field_count(*type);
        for (size_t choice = 0; choice < count; choice++) try_one(*type, what, change, choice);
        tried++;
    }
    assert_true(tried >= 25);
}

static void test_empty_parents(void **unused) {
    (void)unused;
    for_every_mapping("empty parent", empty_parent, 3);
}

static void test_coincident_points(void **unused) {
    (void)unused;
    for_every_mapping("coincident points", coincide, 1);
}

static void test_points_far_away(void **unused) {
    (void)unused;
    for_every_mapping("points far away", far_away, 4);
}

static void test_wrong_lists(void **unused) {
    (void)unused;
    for_every_mapping("attribute", wrong_list, 0);
}

// ---------------------------------------------------------------------------------------------------
// What is done to a scene that is running
// ---------------------------------------------------------------------------------------------------

static st_sink *nowhere(st_accumulator *accumulator, const st_state *row, const st_state *col) {
    (void)accumulator, (void)row, (void)col;
    return st_null_sink();
}

static void use_everything(st_mapping *mapping) {
    const st_mapping_ops *ops = mapping->object.type->mapping;
    const st_params params = st_default_params();
    st_accumulator accumulator = {.between = nowhere};
    if (ops->apply) ops->apply(mapping, ST_POSITION, st_read_coord(ST_POSITION));
    if (ops->apply_j) ops->apply_j(mapping, ST_VELOCITY, st_read_deriv(ST_VELOCITY));
    if (ops->apply_jt) ops->apply_jt(mapping, ST_FORCE, st_read_deriv(ST_FORCE));
    if (ops->geometric) ops->geometric(mapping, &params, (st_stiffness){&accumulator});
    if (ops->add_curvature) ops->add_curvature(mapping, ST_VELOCITY, st_read_deriv(ST_VELOCITY));
    for (size_t out = 0; ops->jacobian && out < mapping->output.count; out++)
        for (size_t in = 0; in < mapping->input.count; in++) ops->jacobian(mapping, out, in, st_null_sink());
}

// States get other sizes after init: what no longer fits is left alone. A sanitizer sees what is read beyond an end.
static void test_resized_states(void **unused) {
    (void)unused;
    static const size_t sizes[] = {0, 1, 2, 100};
    for (const st_class *const *type = st_builtin_classes; *type; type++)
        for (size_t choice = 0; is_mapping(*type) && choice < 3 * sizeof sizes / sizeof *sizes; choice++) {
            st_scene *scene = load(*type, solvers[0]);
            st_mapping *mapping = find(scene, *type);
            complete(scene, mapping);
            st_scene_init(scene);
            assert_int_equal(st_scene_step(scene, 0), ST_OK);
            const size_t number = choice % 3; // of the input; the last one is the output
            st_object *state =
                number < 2 && number < mapping->input.count ? mapping->input.data[number] : mapping->output.data[0];
            if (is_mechanical(state)) st_state_resize((st_state *)state, sizes[choice / 3]);
            use_everything(mapping);
            check_finite(scene, (*type)->name, "other size", choice);
            st_scene_destroy(scene);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_parents),   cmocka_unit_test(test_coincident_points),
        cmocka_unit_test(test_points_far_away), cmocka_unit_test(test_wrong_lists),
        cmocka_unit_test(test_resized_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
