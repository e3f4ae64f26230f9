// The matrices of a scene as users get them: A, M, B and K of a system, of a node, of one component in both spaces; b
// and x; files; figures; the components that export and show a matrix.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "settee/matrix.h"
#include "system_scene.h"

#ifdef SETTEE_REAL_FLOAT
#define TIGHT ((st_real)1e-4)
#else
#define TIGHT ((st_real)1e-12)
#endif

// Two bodies of which the second has a mapped state; a spring between that and the first body.
#define SCENE                                                                                                          \
    "<EulerImplicitSolver rayleighStiffness=\"0.1\" rayleighMass=\"0.2\"/>%s"                                          \
    "<Node name=\"a\"><MechanicalObject name=\"s\" position=\"0 0 0 1 0 0\"/><TestMass name=\"mass\" masses=\"2\"/>"   \
    "<TestForce name=\"force\" edges=\"0 1\" stiffness=\"30\" damping=\"0.5\"/><TestConstraint indices=\"0\"/></Node>" \
    "<Node name=\"b\"><MechanicalObject name=\"s\" template=\"Rigid3\" position=\"0 1 0 0 0 0 1 1 1 0 0 0 0 1\"/>"     \
    "<TestMass masses=\"3\"/>"                                                                                         \
    "<Node name=\"c\"><MechanicalObject name=\"s\" template=\"Vec3\"/><IdentityMapping/>"                              \
    "<TestForce name=\"force\" edges=\"0 1\" stiffness=\"7\"/></Node></Node>"                                          \
    "<TestPairForce name=\"pair\" object1=\"@/a/s\" object2=\"@/b/c/s\"/>"

static test_scene *make(const char *solver, int steps) {
    char text[4096];
    snprintf(text, sizeof text, SCENE, solver);
    test_scene *test = test_scene_create(text, false, 1);
    for (int i = 0; i < steps; i++)
        if (st_scene_step(test->scene, 0) != ST_OK) fail_msg("%s", test->log);
    return test;
}

static st_real *dense(const st_matrix_view *m) {
    st_real *values = st_alloc(m->rows * m->cols, sizeof *values);
    const size_t b = (size_t)m->block;
    for (size_t i = 0; i < m->rows; i++)
        for (size_t s = m->starts[i / b]; s < m->starts[i / b + 1]; s++)
            for (size_t c = 0; c < b; c++)
                values[i * m->cols + (size_t)m->columns[s] * b + c] = m->values[s * b * b + i % b * b + c];
    return values;
}

static st_real *matrix_of(st_system *system, st_matrix_kind which, size_t *n) {
    st_matrix_view view;
    assert_int_equal(st_system_matrix(system, which, &view), ST_OK);
    assert_int_equal(view.rows, view.cols);
    *n = view.rows;
    return dense(&view);
}

// A = m M + b B + k K where nothing is constrained; constrained rows are those of the identity.
static void a_is_the_weighted_sum(void **unused) {
    (void)unused;
    static const char *const solvers[] = {"<SparseLDLSolver/>", "<CGLinearSolver iterations=\"50\" tolerance=\"1e-9\" "
                                                                "threshold=\"1e-9\"/>"};
    for (int i = 0; i < 2; i++) {
        test_scene *test = make(solvers[i], 2);
        st_system *system = st_scene_system(test->scene, NULL);
        assert_non_null(system);
        size_t n;
        st_real *a = matrix_of(system, ST_MATRIX_A, &n), *m = matrix_of(system, ST_MATRIX_M, &n),
                *b = matrix_of(system, ST_MATRIX_B, &n), *k = matrix_of(system, ST_MATRIX_K, &n);
        assert_int_equal(n, 6 + 12);
        const st_params p = system->params;
        st_real largest[3] = {0};
        for (size_t r = 0; r < n; r++) {
            for (size_t c = 0; c < n; c++) {
                const size_t at = r * n + c;
                const st_real sum = p.m * m[at] + p.b * b[at] + p.k * k[at];
                assert_true(fabs(a[at] - (r < 3 || c < 3 ? (st_real)(r == c) : sum)) < TIGHT * 100);
                largest[0] = fmax(largest[0], fabs(m[at]));
                largest[1] = fmax(largest[1], fabs(b[at]));
                largest[2] = fmax(largest[2], fabs(k[at]));
            }
        }
        for (int j = 0; j < 3; j++) assert_true(largest[j] > 0);
        st_free(a);
        st_free(m);
        st_free(b);
        st_free(k);
        test_scene_destroy(test);
    }
}

// A x = b after a direct solve.
static void vectors_belong_to_the_matrix(void **unused) {
    (void)unused;
    test_scene *test = make("<SparseLDLSolver name=\"solver\"/>", 1);
    st_system *system = st_scene_system(test->scene, "/solver");
    assert_ptr_equal(system, st_scene_system(test->scene, NULL));
    st_vector_view b, x;
    assert_int_equal(st_system_rhs(system, &b), ST_OK);
    assert_int_equal(st_system_solution(system, &x), ST_OK);
    assert_int_equal(b.count, 18);
    size_t n;
    st_real *a = matrix_of(system, ST_MATRIX_A, &n);
    for (size_t i = 0; i < n; i++) {
        st_real sum = 0;
        for (size_t j = 0; j < n; j++) sum += a[i * n + j] * x.values[j];
        assert_true(fabs(sum - b.values[i]) < TIGHT);
    }
    st_free(a);
    test_scene_destroy(test);
}

static void before_the_first_step(void **unused) {
    (void)unused;
    test_scene *test = make("<SparseLDLSolver/>", 0);
    st_system *system = st_scene_system(test->scene, NULL);
    st_matrix_view view;
    st_vector_view vector;
    assert_int_equal(st_system_matrix(system, ST_MATRIX_A, &view), ST_NOT_FOUND);
    assert_int_equal(st_system_rhs(system, &vector), ST_NOT_FOUND);
    assert_int_equal(st_system_matrix(system, ST_MATRIX_K, &view), ST_OK);
    assert_int_equal(view.rows, 18);
    assert_int_equal(st_node_matrix(st_scene_root(test->scene), ST_MATRIX_M, &view), ST_OK);
    assert_int_equal(view.rows, 18);
    assert_null(st_scene_system(test->scene, "/nowhere"));
    test_scene_destroy(test);
}

// One component: its own block, and its part of the whole. The parts of all components are the whole.
static void components_add_up(void **unused) {
    (void)unused;
    test_scene *test = make("<SparseLDLSolver/>", 1);
    static const char *const paths[] = {"/a/force", "/b/c/force", "/pair"};
    size_t n;
    st_real *k = matrix_of(st_scene_system(test->scene, NULL), ST_MATRIX_K, &n);
    for (size_t i = 0; i < 3; i++) {
        st_matrix_view own, part;
        st_object *object = st_scene_find(test->scene, paths[i]);
        assert_int_equal(st_component_matrix(object, ST_MATRIX_K, ST_SPACE_OWN, &own), ST_OK);
        assert_int_equal(own.rows, i == 2 ? 12 : 6);
        assert_int_equal(st_component_matrix(object, ST_MATRIX_K, ST_SPACE_PARENT, &part), ST_OK);
        assert_int_equal(part.rows, n);
        st_real *values = dense(&part), *block = dense(&own);
        // the child's points are the centers of the frames: scalar 3 i + k of it is 6 i + k of the parent
        if (i == 1)
            for (size_t r = 0; r < 6; r++)
                for (size_t c = 0; c < 6; c++)
                    assert_true(fabs(values[(6 + r / 3 * 6 + r % 3) * n + 6 + c / 3 * 6 + c % 3] - block[r * 6 + c]) <
                                TIGHT);
        for (size_t at = 0; at < n * n; at++) k[at] -= values[at];
        st_free(values);
        st_free(block);
    }
    for (size_t at = 0; at < n * n; at++) assert_true(fabs(k[at]) < TIGHT * 100);
    st_free(k);
    st_matrix_view view;
    st_object *mass = st_scene_find(test->scene, "/a/mass");
    assert_int_equal(st_component_matrix(mass, ST_MATRIX_M, ST_SPACE_OWN, &view), ST_OK);
    assert_int_equal(st_component_matrix(mass, ST_MATRIX_K, ST_SPACE_OWN, &view), ST_NOT_FOUND);
    assert_int_equal(st_component_matrix(st_scene_find(test->scene, "/a/s"), ST_MATRIX_K, ST_SPACE_OWN, &view),
                     ST_NOT_FOUND);
    assert_int_equal(st_component_matrix(st_scene_find(test->scene, "/a/force"), ST_MATRIX_A, ST_SPACE_PARENT, &view),
                     ST_OK);
    test_scene_destroy(test);
}

// J is a matrix of its own, outputs by inputs: here the centers of two frames, then the difference of two states.
static void jacobian_of_a_mapping(void **unused) {
    (void)unused;
    test_scene *test = make("<SparseLDLSolver/>", 1);
    st_object *mapping = st_scene_find(test->scene, "/b/c/IdentityMapping1");
    st_matrix_view j;
    assert_int_equal(st_component_matrix(mapping, ST_MATRIX_J, ST_SPACE_OWN, &j), ST_OK);
    assert_int_equal(j.rows, 6);
    assert_int_equal(j.cols, 12);
    st_real *values = dense(&j);
    for (size_t r = 0; r < 6; r++)
        for (size_t c = 0; c < 12; c++) assert_true(values[r * 12 + c] == (c == r / 3 * 6 + r % 3 ? 1 : 0));
    st_free(values);
    const st_real *kept = j.values;
    assert_int_equal(st_component_matrix(mapping, ST_MATRIX_J, ST_SPACE_OWN, &j), ST_OK);
    assert_ptr_equal(j.values, kept); // nothing was allocated again
    assert_int_equal(st_component_matrix(mapping, ST_MATRIX_J, ST_SPACE_PARENT, &j), ST_NOT_FOUND);
    assert_int_equal(st_component_matrix(st_scene_find(test->scene, "/a/force"), ST_MATRIX_J, ST_SPACE_OWN, &j),
                     ST_NOT_FOUND);
    assert_int_equal(st_system_matrix(st_scene_system(test->scene, NULL), ST_MATRIX_J, &j), ST_NOT_FOUND);
    assert_int_equal(st_node_matrix(st_scene_root(test->scene), ST_MATRIX_J, &j), ST_NOT_FOUND);
    test_scene_destroy(test);
}

static void jacobian_of_several_states(void **unused) {
    (void)unused;
    test_scene *test = test_scene_create(
        "<Node name=\"a\"><MechanicalObject name=\"s\" position=\"0 0 0 1 0 0\"/></Node>"
        "<Node name=\"b\"><MechanicalObject name=\"s\" position=\"0 1 0\"/></Node>"
        "<Node name=\"c\"><MechanicalObject name=\"s\"/><SubsetMultiMapping name=\"m\" input=\"@/b/s @/a/s\" "
        "output=\"@s\" indexPairs=\"1 1 0 0\"/></Node>",
        false, 1);
    st_matrix_view j;
    assert_int_equal(st_component_matrix(st_scene_find(test->scene, "/c/m"), ST_MATRIX_J, ST_SPACE_OWN, &j), ST_OK);
    assert_int_equal(j.rows, 6);
    assert_int_equal(j.cols, 9); // b, then a
    st_real *values = dense(&j);
    for (size_t r = 0; r < 6; r++)
        for (size_t c = 0; c < 9; c++) assert_true(values[r * 9 + c] == (c == (r < 3 ? 6 + r : r - 3) ? 1 : 0));
    st_free(values);
    test_scene_destroy(test);
}

// A mass by SOFA's former interface.
static void former_add_m(st_mass *mass, st_base_matrix *matrix, st_real factor, size_t offset) {
    for (size_t i = 0; i < st_state_scalars(mass->force.state); i++)
        st_base_matrix_add(matrix, offset + i, offset + i, factor * (st_real)(i + 1));
}
static const st_mass_ops former_mass_ops = {.add_m_to_matrix = former_add_m};
static const st_force_ops former_weight = {.add_force = NULL};
static const st_class former_mass_class = {
    .name = "FormerMass",
    .parent = &st_mass_class,
    .templates = "Vec3",
    .size = sizeof(st_mass),
    .force = &former_weight,
    .mass = &former_mass_ops,
};

static void former_mass(void **unused) {
    (void)unused;
    static const char text[] = "<Node><DefaultAnimationLoop/><EulerImplicitSolver/><SparseLDLSolver/>"
                               "<MechanicalObject position='0 0 0'/><FormerMass/></Node>";
    st_scene *scene = st_scene_create(NULL);
    assert_int_equal(st_register_class(scene, &former_mass_class), ST_OK);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    assert_true(st_succeeded(st_scene_init(scene)));
    assert_int_equal(st_scene_message_count(scene, ST_DEPRECATED), 1);
    size_t n;
    st_real *m = matrix_of(st_scene_system(scene, NULL), ST_MATRIX_M, &n);
    assert_int_equal(n, 3);
    for (size_t i = 0; i < 9; i++) assert_true(m[i] == (i % 4 == 0 ? (st_real)(i / 4 + 1) : 0));
    st_free(m);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------

static const size_t starts[] = {0, 1, 3};
static const int32_t columns[] = {0, 0, 1};
static const st_real values[] = {4, 1, 1, 3, 0, 0, 0, 0, 5, 0, 0, (st_real)0.25};
static const st_matrix_view small = {
    .rows = 4, .cols = 4, .block = 2, .starts = starts, .columns = columns, .values = values};

static char *written(st_matrix_format format, int digits, size_t *size) {
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);
    assert_int_equal(st_matrix_write(&small, format, digits, stream), ST_OK);
    fclose(stream);
    return text;
}

static void formats(void **unused) {
    (void)unused;
    size_t size;
    char *text = written(ST_FORMAT_MTX, 17, &size);
    assert_string_equal(text, "%%MatrixMarket matrix coordinate real general\n4 4 6\n1 1 4\n1 2 1\n2 1 1\n2 2 3\n"
                              "3 3 5\n4 4 0.25\n");
    free(text);
    text = written(ST_FORMAT_CSV, 6, &size);
    assert_string_equal(text, "4,1,0,0\n1,3,0,0\n0,0,5,0\n0,0,0,0.25\n");
    free(text);
    text = written(ST_FORMAT_TXT, 6, &size);
    assert_string_equal(text, "[\n[ 4 1 0 0 ]\n[ 1 3 0 0 ]\n[ 0 0 5 0 ]\n[ 0 0 0 0.25 ] ]");
    free(text);
    text = written(ST_FORMAT_PNG, 6, &size);
    assert_memory_equal(text, "\x89PNG", 4);
    free(text);
    text = written(ST_FORMAT_NPZ, 6, &size);
    assert_memory_equal(text, "PK\x03\x04", 4);
    assert_memory_equal(text + size - 22, "PK\x05\x06", 4);
    free(text);
    st_matrix_format format;
    assert_true(st_matrix_format_by_name("npz", &format) && format == ST_FORMAT_NPZ);
    assert_false(st_matrix_format_by_name("doc", &format));
}

static void figures(void **unused) {
    (void)unused;
    st_matrix_summary s;
    assert_int_equal(st_matrix_summarize(&small, &s), ST_OK);
    assert_int_equal(s.entries, 6);
    assert_true(s.symmetric && s.factored);
    assert_int_equal(s.positive, 4);
    assert_int_equal(s.negative, 0);
    assert_int_equal(s.bandwidth, 1);
    assert_int_equal(s.factor_entries, 5);
    assert_true(fabs(s.condition - 20) < 0.2); // 5 over 0.25
    st_matrix_view empty = {.block = 1, .starts = starts, .columns = columns, .values = values};
    assert_int_equal(st_matrix_summarize(&empty, &s), ST_OK);
    assert_int_equal(s.rows, 0);
    st_real skew[12];
    memcpy(skew, values, sizeof skew);
    skew[1] = 7;
    st_matrix_view other = small;
    other.values = skew;
    assert_int_equal(st_matrix_summarize(&other, &s), ST_OK);
    assert_false(s.symmetric);
    assert_true(s.factored &&
                fabs((double)s.symmetry_error - 6 * sqrt(2) / sqrt(16 + 49 + 1 + 9 + 25 + 0.0625)) < 1e-5);
    assert_true(fabs(s.condition - 34.56) < 0.3); // 8.641, the larger one of [4 7; 1 3], over 0.25
}

// Small matrices by hand: dense, row by row. Eigenvalues and singular values of 2 x 2 matrices are in closed form.
static st_matrix_summary summary_of(size_t n, const st_real *dense) {
    size_t dense_starts[5] = {0};
    int32_t dense_columns[16];
    for (size_t i = 0; i < n; i++) dense_starts[i + 1] = (i + 1) * n;
    for (size_t k = 0; k < n * n; k++) dense_columns[k] = (int32_t)(k % n);
    const st_matrix_view view = {
        .rows = n, .cols = n, .block = 1, .starts = dense_starts, .columns = dense_columns, .values = dense};
    st_matrix_summary s;
    assert_int_equal(st_matrix_summarize(&view, &s), ST_OK);
    return s;
}

static void figures_of_every_kind(void **unused) {
    (void)unused;
    // One unknown.
    st_matrix_summary s = summary_of(1, (const st_real[]){-3});
    assert_true(s.factored && s.symmetric && s.entries == 1 && s.bandwidth == 0 && s.factor_entries == 1);
    assert_true(s.negative == 1 && s.positive == 0 && fabs(s.condition - 1) < 1e-5);
    s = summary_of(1, (const st_real[]){0});
    assert_true(!s.factored && s.symmetric && s.zero_rows == 1 && s.entries == 0);
    // Indefinite, with LDL: eigenvalues 3 and -1.
    s = summary_of(2, (const st_real[]){1, 2, 2, 1});
    assert_true(s.factored && s.positive == 1 && s.negative == 1 && fabs(s.condition - 3) < 1e-3);
    assert_true(s.entries == 4 && s.bandwidth == 1 && s.factor_entries == 3);
    // Indefinite and regular, although LDL meets a zero pivot: eigenvalues 2, -2; and 1, 1, 4, -4.
    s = summary_of(2, (const st_real[]){0, 2, 2, 0});
    assert_true(s.factored && s.symmetric && s.positive == 1 && s.negative == 1 && fabs(s.condition - 1) < 1e-3);
    s = summary_of(4, (const st_real[]){0, 0, 0, 4, 0, 1, 0, 0, 0, 0, 1, 0, 4, 0, 0, 0});
    assert_true(s.factored && s.positive == 3 && s.negative == 1 && fabs(s.condition - 4) < 1e-2);
    assert_true(s.bandwidth == 3 && s.entries == 4);
    // Singular: symmetric and not.
    s = summary_of(3, (const st_real[]){1, -1, 0, -1, 2, -1, 0, -1, 1});
    assert_true(!s.factored && s.symmetric && s.zero_rows == 0 && s.condition == 0);
    s = summary_of(2, (const st_real[]){1, 2, 2, 4 + (st_real)1e-30});
    assert_false(s.factored);
    s = summary_of(2, (const st_real[]){1, 2, 3, 6});
    assert_true(!s.factored && !s.symmetric && s.condition == 0);
    // Unsymmetric: singular values of [1 1; 0 1] are the golden ratio and its inverse; |A - Aᵀ| / |A| = sqrt(2 / 3).
    s = summary_of(2, (const st_real[]){1, 1, 0, 1});
    assert_true(s.factored && !s.symmetric && s.positive + s.negative == 0);
    assert_true(fabs(s.condition - (3 + sqrt(5.0)) / 2) < 1e-3);
    assert_true(fabs((double)s.symmetry_error - sqrt(2.0 / 3)) < 1e-6 && fabs((double)s.norm - sqrt(3.0)) < 1e-6);
    assert_true(s.entries == 3 && s.bandwidth == 1 && s.factor_entries == 5); // L: 2 ones, U: 3
}

static void exporter_and_image(void **unused) {
    (void)unused;
    char folder[] = "/tmp/settee-matrix-XXXXXX", solver[640], path[256];
    assert_non_null(mkdtemp(folder));
    snprintf(solver, sizeof solver,
             "<SparseLDLSolver/><GlobalSystemMatrixExporter name=\"m\" filename=\"%s\" format=\"csv\" "
             "exportEveryNumberOfSteps=\"2\"/><GlobalSystemMatrixImage name=\"image\"/><MechanicalMatrixMapper "
             "template=\"Vec3,Rigid3\" nodeToParse=\"@./\"/><MappingGeometricStiffnessForceField/>"
             "<MatrixProjectionMethod areJacobiansConstant=\"1\"/><ConstantSparsityProjectionMethod/>",
             folder);
    test_scene *test = make(solver, 4);
    assert_int_equal(test->messages[ST_DEPRECATED], 4);
    assert_int_equal(test_count(test, "is deprecated: it changes nothing"), 4);
    for (int i = 1; i <= 2; i++) {
        snprintf(path, sizeof path, "%s/m%05d.csv", folder, i);
        struct stat status;
        assert_int_equal(stat(path, &status), 0);
        assert_true(status.st_size > 18 * 18);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0); // there is no third file
    char *bitmap = st_object_get(st_scene_find(test->scene, "/image"), "bitmap", 6);
    assert_memory_equal(bitmap, "0 0 1 1 2 2 3 3", 15); // the fixed point, then the first row of the other
    st_string_free(bitmap);
    test_scene_destroy(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_is_the_weighted_sum),
        cmocka_unit_test(vectors_belong_to_the_matrix),
        cmocka_unit_test(before_the_first_step),
        cmocka_unit_test(components_add_up),
        cmocka_unit_test(jacobian_of_a_mapping),
        cmocka_unit_test(jacobian_of_several_states),
        cmocka_unit_test(former_mass),
        cmocka_unit_test(formats),
        cmocka_unit_test(figures),
        cmocka_unit_test(figures_of_every_kind),
        cmocka_unit_test(exporter_and_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
