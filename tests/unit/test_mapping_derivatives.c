// Every registered mapping, found in the class list: its Jacobian against finite differences of its positions, its own
// products against its blocks, its geometric stiffness against finite differences of Jᵀf, what it makes of the rows of
// constraints; the assembled matrix of a force on its child against the matrix-free product; and its motion with an
// assembled matrix against that without one. A class must bring an example, by which it is tested in one of its
// templates; for each further template there is a scene here.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tgmath.h>

#include <cmocka.h>

#include "api/classes.h"
#include "check/derivative_check.h"
#include "constraint/problem.h"
#include "mapping/mapping_product.h"
#include "mapping/states.h"
#include "scene/scene.h"
#include "settee/plugin/state.h"
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
    const size_t n = st_state_scalars(force->state), width = st_state_dof(force->state)->deriv;
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

// The same push, with a matrix that is symmetric and holds the state: what conjugate gradients can solve.
static void hold(st_force *force, const st_params *params, st_stiffness k) {
    (void)params;
    const size_t n = st_state_scalars(force->state);
    st_sink *sink = st_stiffness_between(k, force->state, force->state);
    for (size_t i = 0; i < n; i++) st_add_scalar(sink, i, i, -30 - number(i, 1));
    for (size_t i = 0; i + 1 < n; i++) {
        st_add_scalar(sink, i, i + 1, 10 * number(i, 2));
        st_add_scalar(sink, i + 1, i, 10 * number(i, 2));
    }
}

static const st_force_ops holding_ops = {.add_force = push, .stiffness = hold};
static const st_class holding_class = {
    .name = "TestHolding",
    .parent = &st_force_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .size = sizeof(st_force),
    .force = &holding_ops,
};

// ---------------------------------------------------------------------------------------------------
// Scenes
// ---------------------------------------------------------------------------------------------------

// A scene and the class whose mappings are tested in it.
typedef struct tested {
    const char *name, *text;
} tested;

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
            for (size_t k = 0; k < dof->deriv; k++) {
                seed = seed * 1103515245u + 12345u;
                d[k] = amount * ((st_real)((seed >> 16) & 1023u) / 512 - 1);
            }
            st_dof_add(dof, s->coord[ST_COORD_POSITION].data + n * dof->coord, d, 1);
        }
    }
}

// Where there is a choice: one of two, the second where the first is not among the options.
static void ask_for_geometric(st_object *object, const char *mode, const char *otherwise) {
    for (size_t i = 0; i < st_field_count(object); i++)
        if (strcmp(st_fields(object)[i]->name, "geometricStiffness") == 0 &&
            st_object_set(object, "geometricStiffness", mode) != ST_OK)
            assert_int_equal(st_object_set(object, "geometricStiffness", otherwise), ST_OK);
}

static st_scene *load(const char *systems, const char *example) {
    char *text =
        st_string_format("<Node><DefaultAnimationLoop/><Node name='part'>%s%s</Node></Node>", systems, example);
    st_config config = st_default_config();
    config.log = print_errors;
    config.no_compat = true;
    st_scene *scene = st_scene_create(&config);
    assert_int_equal(st_register_class(scene, &coupling_class), ST_OK);
    assert_int_equal(st_register_class(scene, &holding_class), ST_OK);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    st_free(text);
    return scene;
}

static void add_force(const st_mapping *mapping, const char *force) {
    for (size_t i = 0; i < mapping->output.count; i++) {
        st_object *child = mapping->output.data[i];
        if (!child || !((st_state *)child)->mechanical) continue;
        assert_non_null(st_add_object(child->node, force, st_state_dof((st_state *)child)->name, NULL, false));
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
    const bool by_differences = strcmp(check->what, "jacobian") == 0 || strcmp(check->what, "geometric") == 0 ||
                                strcmp(check->what, "acceleration") == 0;
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
    st_system *assembled = (st_system *)st_scene_find(scene, "/part/assembled"),
              *matrix_free = (st_system *)st_scene_find(scene, "/part/free");
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

// Rows h on the children become rows h J on the parents: their products with d are those of h with J d.
static size_t check_rows(st_mapping *mapping, const char *name) {
    enum { ROWS = 2 };
    st_mapped_rows work = {0};
    st_real below[ROWS] = {0}, above[ROWS] = {0};
    for (size_t i = 0; i < mapping->input.count; i++) {
        st_state *s = st_mapping_input(mapping, i);
        assert_true(st_state_make_deriv(s, ST_DX));
        for (size_t k = 0; k < st_state_scalars(s); k++) s->deriv[ST_DERIV_DX].data[k] = number(k, 11);
    }
    for (size_t i = 0; i < mapping->output.count; i++)
        assert_true(st_state_make_deriv(st_mapping_output(mapping, i), ST_DX));
    st_mapping_multiply_j(mapping, ST_DX, st_read_deriv(ST_DX));
    for (size_t i = 0; i < mapping->output.count; i++) {
        st_state *s = st_mapping_output(mapping, i);
        const size_t width = st_state_dof(s)->deriv;
        for (size_t k = 0; k < ROWS * s->size; k++) {
            st_real h[6];
            for (size_t c = 0; c < width; c++) {
                h[c] = number(k * width + c, 7 + i);
                below[k % ROWS] += h[c] * s->deriv[ST_DERIV_DX].data[k / ROWS * width + c];
            }
            st_constraint_add(s, k % ROWS, k / ROWS, h);
        }
    }
    assert_true(st_map_rows(&work, mapping));
    for (size_t i = 0; i < mapping->input.count; i++) {
        st_state *s = st_mapping_input(mapping, i);
        const size_t width = st_state_dof(s)->deriv;
        for (size_t e = 0; e < s->constraint.entries.count; e++) {
            const st_real *entry = st_jacobian_entry(&s->constraint, width, e);
            for (size_t c = 0; c < width; c++)
                above[st_entry_row(entry)] +=
                    entry[ST_ENTRY_HEAD + c] * s->deriv[ST_DERIV_DX].data[st_entry_dof(entry) * width + c];
        }
        st_jacobian_clear(&s->constraint);
    }
    for (size_t i = 0; i < mapping->output.count; i++) st_jacobian_clear(&st_mapping_output(mapping, i)->constraint);
    st_list_free(&work.blocks);
    st_list_free(&work.values);
    st_list_free(&work.wanted);
    st_list_free(&work.starts);
    st_list_free(&work.places);
    size_t wrong = 0;
    for (int row = 0; row < ROWS; row++) wrong += !(fabs(below[row] - above[row]) <= ROUNDING * (1 + fabs(below[row])));
    if (wrong) print_error("%s: rows of constraints: %g, not %g\n", name, (double)above[0], (double)below[0]);
    return wrong;
}

// The mappings of a class in a scene, one after another.
static st_mapping *next_mapping(st_scene *scene, const tested *type, size_t *at) {
    st_object *object;
    while ((object = st_scene_object(scene, (*at)++)))
        if (strcmp(object->type->name, type->name) == 0) return (st_mapping *)object;
    return NULL;
}

static size_t check_example(const tested *type) {
    st_scene *scene = load("<MatrixLinearSystem name='assembled'/><MatrixFreeSystem name='free'/>", type->text);
    tally t = {.name = type->name};
    st_mapping *mapping, *last = NULL;
    for (size_t i = 0; (mapping = next_mapping(scene, type, &i)); last = mapping)
        ask_for_geometric(&mapping->object, "Exact", "Exact");
    if (last) add_force(last, "TestCoupling");
    assert_true(st_succeeded(st_scene_init(scene)));
    disturb(scene, (st_real)0.03);
    for (size_t i = 0; (mapping = next_mapping(scene, type, &i));) {
        assert_true(st_is_valid(&mapping->object));
        assert_int_equal(st_check_mapping(mapping, note, &t), ST_OK);
        t.wrong += check_rows(mapping, type->name);
    }
    if (t.checks == 0)
        print_error("%s: its example does not create it between mechanical states that have DOFs\n", type->name);
    else t.wrong += compare_products(scene, type->name);
    st_scene_destroy(scene);
    return t.wrong + (t.checks == 0);
}

// ---------------------------------------------------------------------------------------------------
// Motion
// ---------------------------------------------------------------------------------------------------

// Masses where nothing is mapped and there is none; the force that holds on the children.
static st_scene *load_moving(const tested *type, const char *solver) {
    char *systems = st_string_format("<EulerImplicitSolver rayleighStiffness='0.1' rayleighMass='0.1'/>%s", solver);
    st_scene *scene = load(systems, type->text);
    st_free(systems);
    st_mapping *mapping;
    for (size_t i = 0; (mapping = next_mapping(scene, type, &i));) {
        ask_for_geometric(&mapping->object, "Stabilized", "None"); // symmetric
        add_force(mapping, "TestHolding");
    }
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++) {
        if (!st_has_role(object, ST_ROLE(state)) || !((st_state *)object)->mechanical) continue;
        if (st_node_members(object->node, ST_ROLE(mapping)).last || st_node_members(object->node, ST_ROLE(mass)).last)
            continue;
        st_object *mass = st_add_object(object->node, "UniformMass", object->dof->name, NULL, false);
        assert_non_null(mass);
        assert_int_equal(st_object_set(mass, "totalMass", "1"), ST_OK);
    }
    assert_true(st_succeeded(st_scene_init(scene)));
    for (int k = 0; k < 10; k++) assert_int_equal(st_scene_step(scene, (st_real)0.02), ST_OK);
    return scene;
}

static size_t compare_motion(const tested *type) {
    st_scene *assembled = load_moving(type, "<SparseLDLSolver/>");
    st_scene *matrix_free =
        load_moving(type, "<CGLinearSolver iterations='1000' tolerance='1e-16' threshold='1e-300'/>");
    const st_real limit = sizeof(st_real) == 4 ? (st_real)2e-3 : (st_real)1e-9;
    st_real error = 0, moved = 0;
    st_object *a, *b;
    for (size_t i = 0; (a = st_scene_object(assembled, i)) && (b = st_scene_object(matrix_free, i)); i++) {
        const st_state *x = (const st_state *)a, *y = (const st_state *)b;
        if (!st_has_role(a, ST_ROLE(state)) || !x->mechanical) continue;
        assert_int_equal(x->size, y->size);
        for (size_t k = 0; k < x->size * st_state_dof(x)->coord; k++)
            error = fmax(error, fabs(x->coord[ST_COORD_POSITION].data[k] - y->coord[ST_COORD_POSITION].data[k]));
        for (size_t k = 0; k < st_state_scalars(x); k++) moved = fmax(moved, fabs(x->deriv[ST_DERIV_VELOCITY].data[k]));
    }
    st_scene_destroy(assembled);
    st_scene_destroy(matrix_free);
    if (error <= limit && moved > (st_real)1e-3) return 0;
    print_error("%s: with and without a matrix it is %g apart after ten steps; speed %g\n", type->name, (double)error,
                (double)moved);
    return 1;
}

// ---------------------------------------------------------------------------------------------------
// All classes, in all of their templates
// ---------------------------------------------------------------------------------------------------

#define PARENT(type, positions) "<MechanicalObject name='parent' template='" type "' position='" positions "'/>"
#define CHILD(type, positions, mapping)                                                                                \
    "<Node name='below'><MechanicalObject name='child' template='" type "' position='" positions "'/>" mapping "</"    \
    "Node>"
#define FRAMES_3 "0 0 0  0 0 0 1  1 0.2 0  0.6 0 0 0.8  2 1 0.5  0 0.6 0 0.8"
#define FRAMES_2 "0 0 0.3  1 0.2 -0.5  2 1 1"
#define SPOTS_1 "0.3 1 -2"
#define SPOTS_2 "0 0  1 0.2  2 1"
#define SPOTS_3 "0 0 0  1 0.2 0.1  2 1 0.5"
#define SPOTS_6 "0 0 0 1 2 3  1 0.2 0.1 0 0 1  2 1 0.5 -1 0 0"
#define COPY(from, to, in, out)                                                                                        \
    { "IdentityMapping", PARENT(from, in) CHILD(to, out, "<IdentityMapping/>") }
#define SUBSET(type, in, out)                                                                                          \
    { "SubsetMapping", "<MeshTopology/>" PARENT(type, in) CHILD(type, out, "<SubsetMapping indices='2 0 2'/>") }
#define TWO(type, positions)                                                                                           \
    "<MechanicalObject name='a' template='" type "' position='" positions "'/><Node name='other'>"                     \
    "<MechanicalObject name='b' template='" type "' position='" positions "'/></Node>"
#define HEAVY(from, to, in)                                                                                            \
    {                                                                                                                  \
        "CenterOfMassMultiMapping",                                                                                    \
            "<MechanicalObject name='a' template='" from "' position='" in "'/><UniformMass totalMass='2'/><Node "     \
            "name='other'><MechanicalObject name='b' template='" from "' position='" in                                \
            "'/><UniformMass totalMass='3'/>"                                                                          \
            "</Node><Node name='below'><MechanicalObject name='child' template='" to "'/><CenterOfMassMultiMapping "   \
            "template='" from "," to "' input='@../a @../other/b' output='@child'/></Node>"                            \
    }
#define MULTI(name, from, to, in, attributes)                                                                          \
    {                                                                                                                  \
        name, TWO(from, in) "<Node name='below'><MechanicalObject name='child' template='" to "'/><" name              \
                            " template='" from "," to "' input='@../a @../other/b' output='@child' " attributes        \
                            "/></Node>"                                                                                \
    }
#define PAIRS "indexPairs='0 1 1 2 0 0 1 2'"
#define TETRAHEDRA "position='0 0 0  1.1 0.1 0  0.2 1 0  0 0.1 1  1 1 1' tetrahedra='0 1 2 3  1 2 3 4'"

#define VECTORS_BETWEEN(type, in)                                                                                      \
    {                                                                                                                  \
        "DifferenceMapping", PARENT(type, in) "<MeshTopology name='mesh' edges='0 1  2 1'/>" CHILD(                    \
                                 type, "", "<DifferenceMapping topology='@../mesh'/>")                                 \
    }

static const tested scenes[] = {
    COPY("Vec1", "Vec1", SPOTS_1, ""),
    COPY("Vec2", "Vec2", SPOTS_2, ""),
    COPY("Vec3", "Vec3", SPOTS_3, ""),
    COPY("Vec6", "Vec6", SPOTS_6, ""),
    COPY("Vec6", "Vec3", SPOTS_6, ""),
    COPY("Rigid3", "Rigid3", FRAMES_3, ""),
    COPY("Rigid2", "Rigid2", FRAMES_2, ""),
    COPY("Rigid3", "Vec3", FRAMES_3, ""),
    COPY("Rigid2", "Vec2", FRAMES_2, ""),
    SUBSET("Vec1", SPOTS_1, ""),
    SUBSET("Vec3", SPOTS_3, ""),
    SUBSET("Rigid3", FRAMES_3, ""),
    MULTI("SubsetMultiMapping", "Vec1", "Vec1", SPOTS_1, PAIRS),
    MULTI("SubsetMultiMapping", "Vec2", "Vec2", SPOTS_2, PAIRS),
    MULTI("SubsetMultiMapping", "Vec3", "Vec3", SPOTS_3, PAIRS),
    MULTI("SubsetMultiMapping", "Rigid3", "Rigid3", FRAMES_3, PAIRS),
    MULTI("SubsetMultiMapping", "Rigid3", "Vec3", FRAMES_3, PAIRS),
    MULTI("IdentityMultiMapping", "Vec1", "Vec1", SPOTS_1, ""),
    MULTI("IdentityMultiMapping", "Vec2", "Vec2", SPOTS_2, ""),
    MULTI("IdentityMultiMapping", "Vec3", "Vec3", SPOTS_3, ""),
    MULTI("IdentityMultiMapping", "Rigid3", "Rigid3", FRAMES_3, ""),
    HEAVY("Vec3", "Vec3", SPOTS_3),
    HEAVY("Rigid3", "Vec3", FRAMES_3),
    HEAVY("Rigid3", "Rigid3", FRAMES_3),
    {"CenterOfMassMapping",
     PARENT("Rigid3", FRAMES_3) "<UniformMass totalMass='2'/>" CHILD("Vec3", "0 0 0", "<CenterOfMassMapping/>")},
    {"CenterOfMassMapping",
     PARENT("Rigid2", FRAMES_2) "<UniformMass totalMass='2'/>" CHILD("Vec2", "0 0", "<CenterOfMassMapping/>")},
    {"RigidMapping", PARENT("Rigid3", FRAMES_3) CHILD("Vec3", SPOTS_3, "<RigidMapping rigidIndexPerPoint='0 2 1'/>")},
    {"RigidMapping", PARENT("Rigid3", FRAMES_3) CHILD("Rigid3", FRAMES_3, "<RigidMapping index='1'/>")},
    {"RigidMapping", PARENT("Rigid2", FRAMES_2) CHILD("Vec2", SPOTS_2, "<RigidMapping index='2'/>")},
    {"BarycentricMapping", "<TetrahedronSetTopologyContainer " TETRAHEDRA
                           "/><MechanicalObject name='parent'/>" CHILD("Vec3", SPOTS_3, "<BarycentricMapping/>")},
    // frames that turn with their tetrahedra, and frames that are carried by their centers alone
    {"BarycentricMapping", "<TetrahedronSetTopologyContainer " TETRAHEDRA
                           "/><MechanicalObject name='parent'/>" CHILD("Rigid3", FRAMES_3, "<BarycentricMapping/>")},
    {"BarycentricMapping", "<MeshTopology " TETRAHEDRA
                           "/><MechanicalObject name='parent'/>" CHILD("Rigid3", FRAMES_3, "<BarycentricMapping/>")},
    {"DeformableOnRigidFrameMapping",
     "<MechanicalObject name='roots' template='Rigid3' position='" FRAMES_3 "'/><Node name='local'><MechanicalObject "
     "name='points' position='" SPOTS_3 "  1 1 1'/><Node name='below'><MechanicalObject name='child'/>"
     "<DeformableOnRigidFrameMapping input1='@../points' input2='@../../roots' output='@child' repartition='1 2 1'/>"
     "</Node></Node>"},
    {"DistanceMapping", PARENT("Vec3", SPOTS_3) "<MeshTopology name='mesh' edges='0 1  1 2  0 2'/>" CHILD(
                            "Vec1", "", "<DistanceMapping topology='@../mesh'/>")},
    {"DistanceMapping", PARENT("Rigid3", FRAMES_3) "<MeshTopology name='mesh' edges='0 1  1 2  0 2'/>" CHILD(
                            "Vec1", "", "<DistanceMapping topology='@../mesh'/>")},
    VECTORS_BETWEEN("Vec1", SPOTS_1),
    VECTORS_BETWEEN("Vec2", SPOTS_2),
    VECTORS_BETWEEN("Vec6", SPOTS_6),
    {"SquareDistanceMapping", PARENT("Vec3", SPOTS_3) "<MeshTopology name='mesh' edges='0 1  1 2  0 2'/>" CHILD(
                                  "Vec1", "", "<SquareDistanceMapping topology='@../mesh'/>")},
    {"SquareDistanceMapping", PARENT("Rigid3", FRAMES_3) "<MeshTopology name='mesh' edges='0 1  1 2  0 2'/>" CHILD(
                                  "Vec1", "", "<SquareDistanceMapping topology='@../mesh'/>")},
    {"DistanceMultiMapping",
     TWO("Vec3",
         SPOTS_3) "<Node name='below'><MeshTopology name='mesh' edges='0 1  1 2'/><MechanicalObject name='child' "
                  "template='Vec1'/><DistanceMultiMapping topology='@mesh' template='Vec3,Vec1' input='@../a "
                  "@../other/b' "
                  "output='@child' indexPairs='0 0  1 1  0 2'/></Node>"},
    {"DistanceMultiMapping",
     TWO("Rigid3",
         FRAMES_3) "<Node name='below'><MeshTopology name='mesh' edges='0 1  1 2'/><MechanicalObject name='child' "
                   "template='Vec1'/><DistanceMultiMapping topology='@mesh' template='Rigid3,Vec1' input='@../a "
                   "@../other/b' "
                   "output='@child' indexPairs='0 0  1 1  0 2'/></Node>"},
    {"DistanceFromTargetMapping",
     PARENT("Vec3", SPOTS_3)
         CHILD("Vec1", "", "<DistanceFromTargetMapping indices='0 2' targetPositions='3 3 3  -1 0 1'/>")},
    {"DistanceFromTargetMapping",
     PARENT("Rigid3", FRAMES_3) CHILD(
         "Vec1", "", "<DistanceFromTargetMapping indices='0 2' targetPositions='3 3 3 0 0 0 1  -1 0 1 0 0 0 1'/>")},
    {"DistanceFromTargetMapping",
     PARENT("Vec1", SPOTS_1) CHILD("Vec1", "", "<DistanceFromTargetMapping indices='0 2' targetPositions='3 -1'/>")},
    {"AdaptiveBeamMapping",
     PARENT("Rigid3", FRAMES_3 "'/><MeshTopology edges='0 1  1 2'/><BeamInterpolation radius='0.1")
         CHILD("Rigid3", "", "<AdaptiveBeamMapping useCurvAbs='0' points='0.5 0 0  1.2 0 0'/>")},
    {"DistanceToPlaneMapping",
     PARENT("Vec3", SPOTS_3) CHILD("Vec1", "", "<DistanceToPlaneMapping planeNormal='1 2 2' planePoint='0 1 0'/>")},
    {"DistanceToPlaneMapping",
     PARENT("Vec2", SPOTS_2) CHILD("Vec1", "", "<DistanceToPlaneMapping planeNormal='1 2' planePoint='0 1'/>")},
    {"DistanceToPlaneMapping",
     PARENT("Vec6", SPOTS_6)
         CHILD("Vec1", "", "<DistanceToPlaneMapping planeNormal='1 2 2 0 1 0' planePoint='0 1 0 0 0 0'/>")},
    {"DistanceToPlaneMapping",
     PARENT("Rigid3", FRAMES_3)
         CHILD("Vec1", "", "<DistanceToPlaneMapping planeNormal='1 2 2 0 0 0' planePoint='0 1 0 0 0 0 1'/>")},
    {"DistanceToPlaneMapping",
     PARENT("Rigid2", FRAMES_2) CHILD("Vec1", "", "<DistanceToPlaneMapping planeNormal='1 2 0' planePoint='0 1 0'/>")},
};

static const st_mapping_ops *mapping_ops(const st_class *type) {
    for (; type; type = type->parent)
        if (type->mapping) return type->mapping;
    return NULL;
}

static void check_every_mapping(size_t (*check)(const tested *)) {
    size_t checked = 0, wrong = 0;
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        const st_mapping_ops *ops = mapping_ops(*type);
        if (!ops || ((*type)->flags & (ST_CLASS_ABSTRACT | ST_CLASS_INERT))) continue;
        if (!ops->jacobian) continue; // it moves nothing
        if (!(*type)->example) fail_msg("%s has no example: the generic test needs one", (*type)->name);
        wrong += check(&(tested){(*type)->name, (*type)->example});
        checked++;
    }
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++, checked++) {
        const size_t here = check(&scenes[i]);
        if (here) print_error("in: %s\n", scenes[i].text);
        wrong += here;
    }
    print_message("%zu scenes checked\n", checked);
    assert_true(checked >= 2);
    assert_int_equal((int)wrong, 0);
}

// Does the scene have a mapping of this class and template?
static bool has_template(const tested *type, const char *template_, size_t length) {
    st_scene *scene = load("", type->text);
    st_mapping *mapping;
    bool found = false;
    for (size_t i = 0; (mapping = next_mapping(scene, type, &i));) {
        const char *own = mapping->object.template_;
        found = found || (own && strlen(own) == length && strncmp(own, template_, length) == 0);
    }
    st_scene_destroy(scene);
    return found;
}

static void every_template_has_a_scene(void **unused) {
    (void)unused;
    size_t missing = 0;
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        const st_mapping_ops *ops = mapping_ops(*type);
        if (!ops || ((*type)->flags & (ST_CLASS_ABSTRACT | ST_CLASS_INERT)) || !ops->jacobian) continue;
        for (const char *t = (*type)->templates; t && *t; t += strspn(t, " ")) {
            const size_t length = strcspn(t, " ");
            bool found = has_template(&(tested){(*type)->name, (*type)->example}, t, length);
            for (size_t i = 0; !found && i < sizeof scenes / sizeof *scenes; i++)
                found = strcmp(scenes[i].name, (*type)->name) == 0 && has_template(&scenes[i], t, length);
            if (!found) print_error("%s<%.*s> is in no scene\n", (*type)->name, (int)length, t);
            missing += !found;
            t += length;
        }
    }
    assert_int_equal((int)missing, 0);
}

static void every_mapping_has_right_derivatives(void **unused) {
    (void)unused;
    check_every_mapping(check_example);
}

static void every_mapping_moves_the_same_with_and_without_a_matrix(void **unused) {
    (void)unused;
    check_every_mapping(compare_motion);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_template_has_a_scene),
        cmocka_unit_test(every_mapping_has_right_derivatives),
        cmocka_unit_test(every_mapping_moves_the_same_with_and_without_a_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
