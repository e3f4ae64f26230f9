// Masses computed from meshes: closed forms of every element, sums that must equal the mass, weights, files, attributes
// that are out of range.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/real.h"

#ifdef SETTEE_REAL_FLOAT
static const st_real small = ST_R(1e-5);
#else
static const st_real small = ST_R(1e-13);
#endif

static physics_scene *load(const char *mesh, const char *mass) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s", mesh, mass);
    return physics_load(text);
}

static st_mass *mass_of(physics_scene *test) { return (st_mass *)physics_find(test, "/mass"); }

// M as a dense matrix.
static void dense_mass(physics_scene *test, physics_dense *dense) {
    st_mass *mass = mass_of(test);
    physics_dense_init(dense, mass->force.state, mass->force.state);
    mass->force.object.type->mass->matrix(mass, (st_inertia){&dense->accumulator});
}

// 1ᵀ M 1 along one axis: the whole mass.
static st_real sum_of_matrix(physics_scene *test) {
    physics_dense dense;
    dense_mass(test, &dense);
    const size_t n = st_state_scalars(mass_of(test)->force.state);
    const size_t width = st_state_dof(mass_of(test)->force.state)->deriv;
    st_real sum = 0;
    for (size_t i = 0; i < n; i += width)
        for (size_t j = 0; j < n; j += width) sum += dense.values[i * n + j];
    return sum;
}

static st_real weight_along_y(physics_scene *test) {
    st_mass *mass = mass_of(test);
    physics_force(test, "/mass");
    const size_t width = st_state_dof(mass->force.state)->deriv;
    st_real sum = 0;
    for (size_t i = 0; i < mass->force.state->size; i++)
        sum += mass->force.state->deriv[ST_DERIV_FORCE].data[i * width + 1];
    return sum;
}

#define TETRA "<MeshTopology tetrahedra='0 1 2 3'/><MechanicalObject name='dofs' position='0 0 0 1 0 0 0 2 0 0 0 3'/>"
#define HEXA "<RegularGridTopology n='2 2 2' min='0 0 0' max='1 2 3'/><MechanicalObject name='dofs'/>"
#define TRIANGLE "<MeshTopology triangles='0 1 2'/><MechanicalObject name='dofs' position='0 0 0 2 0 0 0 0 3'/>"
#define QUAD "<MeshTopology quads='0 1 2 3'/><MechanicalObject name='dofs' position='0 0 0 2 0 0 2 3 0 0 3 0'/>"
#define EDGE "<MeshTopology edges='0 1'/><MechanicalObject name='dofs' position='0 0 0 3 4 0'/>"
#define PRISM                                                                                                          \
    "<MeshTopology prisms='0 1 2 3 4 5'/><MechanicalObject name='dofs' position='0 0 0 2 0 0 0 2 0 0 0 3 2 0 3 0 2 "   \
    "3'/>"
#define PYRAMID                                                                                                        \
    "<MeshTopology pyramids='0 1 2 3 4'/><MechanicalObject name='dofs' position='0 0 0 1 0 0 1 1 0 0 1 0 0.5 0.5 3'/>"

static const struct {
    const char *mesh, *element;
    double measure;
} elements[] = {{TETRA, "Tetrahedron", 1}, {HEXA, "Hexahedron", 6}, {TRIANGLE, "Triangle", 3}, {QUAD, "Quad", 6},
                {EDGE, "Edge", 5},         {PRISM, "Prism", 6},     {PYRAMID, "Pyramid", 1}};
enum { ELEMENTS = sizeof elements / sizeof *elements, MESHED = 5 };

// ---------------------------------------------------------------------------------------------------
// DiagonalMass
// ---------------------------------------------------------------------------------------------------

static void diagonal_mass_of_each_element(void **state) {
    (void)state;
    for (size_t i = 0; i < MESHED; i++) {
        physics_scene *test = load(elements[i].mesh, "<DiagonalMass name='mass' massDensity='2'/>");
        const st_real mass = 2 * (st_real)elements[i].measure;
        assert_near(sum_of_matrix(test), mass, mass * 10 * small);
        assert_near(weight_along_y(test), -10 * mass, mass * 100 * small);
        const size_t n = mass_of(test)->force.state->size;
        assert_near(mass_of(test)->force.object.type->mass->element_mass(mass_of(test), 0), mass / (st_real)n,
                    mass * small);
        physics_free(test);

        test = load(elements[i].mesh, "<DiagonalMass name='mass' totalMass='7'/>");
        assert_near(sum_of_matrix(test), 7, 100 * small);
        physics_free(test);
    }
}

static void diagonal_mass_sources(void **state) {
    (void)state;
    physics_scene *test = load(TETRA, "<DiagonalMass name='mass' vertexMass='100'/>"); // the last one is repeated
    assert_near(sum_of_matrix(test), 400, 0);
    assert_field(test, "/mass", "totalMass", "400");
    assert_field(test, "/mass", "massDensity", "400");
    physics_free(test);

    test = load(TETRA, "<DiagonalMass name='mass' massDensity='5' totalMass='7' vertexMass='1'/>");
    assert_near(sum_of_matrix(test), 7, 100 * small); // totalMass takes precedence over all
    assert_non_null(strstr(test->log, "totalMass is used"));
    physics_free(test);

    test = load(TETRA, "<DiagonalMass name='mass'/>");
    assert_near(sum_of_matrix(test), 1, 10 * small);
    physics_free(test);
}

static void diagonal_mass_out_of_range(void **state) {
    (void)state;
    static const char *const masses[] = {"totalMass='-3'", "massDensity='-3'", "vertexMass='1 -1 1 1'",
                                         "vertexMass='1 2 3 4 5'", "totalMass='nan'"};
    for (size_t i = 0; i < sizeof masses / sizeof *masses; i++) {
        char text[128];
        snprintf(text, sizeof text, "<DiagonalMass name='mass' %s/>", masses[i]);
        physics_scene *test = load(TETRA, text);
        if (i < 4) {
            assert_true(test->count[ST_WARNING] > 0);
            assert_near(sum_of_matrix(test), 1, 10 * small); // mass 1 instead
        }
        physics_free(test);
    }
    physics_scene *test = load("<MeshTopology/><MechanicalObject name='dofs' position='0 0 0'/>",
                               "<DiagonalMass name='mass' totalMass='1'/>");
    assert_true(test->count[ST_ERROR] > 0);
    assert_false(st_is_valid(&mass_of(test)->force.object));
    assert_near(weight_along_y(test), 0, 0);
    physics_free(test);

    // a mesh with more vertices than DOFs
    test =
        load("<MeshTopology tetrahedra='0 1 2 9'/><MechanicalObject name='dofs' position='0 0 0 1 0 0 0 1 0 0 0 1'/>",
             "<DiagonalMass name='mass' massDensity='1'/>");
    assert_non_null(strstr(test->log, "without a position"));
    assert_near(sum_of_matrix(test), 0, 0);
    physics_free(test);
}

static void diagonal_mass_measures_at_rest(void **state) {
    (void)state;
    const char *mesh =
        "<MeshTopology edges='0 1'/><MechanicalObject name='dofs' rest_position='0 0 0 2 0 0' position='0 0 0 6 0 0'/>";
    physics_scene *test = load(mesh, "<DiagonalMass name='mass' massDensity='1'/>");
    assert_near(sum_of_matrix(test), 2, small);
    physics_free(test);
    test = load(mesh, "<DiagonalMass name='mass' massDensity='1' computeMassOnRest='0'/>");
    assert_near(sum_of_matrix(test), 6, small);
    physics_free(test);
}

// Mass on scalars, measured on the 3-D state of the mesh; a template of two equal types is the same as one.
static void diagonal_mass_templates(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MeshTopology name='mesh' tetrahedra='0 1 2 3'/><MechanicalObject name='places' position='0 0 0 "
                     "1 0 0 0 2 0 0 0 3'/>"
                     "<Node name='heat'><MechanicalObject name='dofs' template='Vec1' position='0 0 0 0'/>"
                     "<DiagonalMass name='mass' template='Vec1,Vec3' topology='@../mesh' massDensity='8'/></Node>");
    const st_mass *mass = (st_mass *)physics_find(test, "/heat/mass");
    assert_near(mass->force.object.type->mass->element_mass(mass, 2), 2, small);
    physics_free(test);
    test = load(TETRA, "<DiagonalMass name='mass' template='Vec3,Vec3' massDensity='2'/>");
    assert_int_equal(test->count[ST_WARNING] + test->count[ST_ERROR], 0);
    assert_near(sum_of_matrix(test), 2, 10 * small);
    physics_free(test);
}

static void diagonal_mass_of_rigids_and_files(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<MeshTopology edges='0 1'/><MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 "
                     "1  1 0 0 0 0 0 1'/>"
                     "<DiagonalMass name='mass' template='Rigid3' vertexMass='2 1 [1 0 0,0 2 0,0 0 3]'/>");
    physics_dense dense;
    dense_mass(test, &dense);
    assert_near(dense.values[0], 2, 0);
    assert_near(dense.values[5 * 12 + 5], 6, 0);
    assert_near(dense.values[6 * 12 + 6], 0, 0); // the second one has none
    physics_free(test);

    const char *path = physics_file("test_masses.xsp",
                                    "Xsp 3.0\nnumm 2 nums 0\nmass 1 s 0 0 0 0 0 0 2.5 0\nmass 2 s 1 0 0 0 0 0 -4 0\n");
    char text[800];
    snprintf(text, sizeof text,
             "<MechanicalObject name='dofs' position='0 0 0 1 0 0'/><DiagonalMass name='mass' filename='%s'/>", path);
    test = physics_load(text);
    assert_near(sum_of_matrix(test), 6.5, 0);
    remove(path);
    physics_free(test);
}

// a = M⁻¹ f; a vertex without elements has no mass and keeps its acceleration.
static void diagonal_mass_gives_accelerations(void **state) {
    (void)state;
    physics_scene *test =
        load("<MeshTopology edges='0 1'/><MechanicalObject name='dofs' position='0 0 0 2 0 0 9 9 9'/>",
             "<DiagonalMass name='mass' massDensity='2'/>");
    st_mass *mass = mass_of(test);
    const st_real f[9] = {2, 4, 6, 8, 10, 12, 1, 1, 1}, expected[9] = {1, 2, 3, 4, 5, 6, 7, 7, 7};
    physics_set(mass->force.state, ST_FORCE, f);
    st_real *a = physics_set(mass->force.state, ST_DX, NULL);
    for (int i = 6; i < 9; i++) a[i] = 7;
    mass->force.object.type->mass->acceleration(mass, ST_DX, st_read_deriv(ST_FORCE));
    assert_reals(a, 9, expected, small);
    physics_free(test);
}

static void a_changed_attribute_counts_from_the_next_step(void **state) {
    (void)state;
    physics_scene *test = load(TETRA, "<DiagonalMass name='mass' totalMass='4'/><EulerExplicitSolver/>");
    assert_int_equal(st_object_set(physics_find(test, "/mass"), "massDensity", "12"), ST_OK);
    assert_int_equal(st_scene_step(test->scene, 1), ST_OK);
    assert_near(sum_of_matrix(test), 12, 100 * small);
    assert_field(test, "/mass", "totalMass", "12");
    assert_int_equal(st_object_set(physics_find(test, "/mass"), "totalMass", "-1"), ST_OK);
    st_scene_step(test->scene, 1);
    assert_true(test->count[ST_ERROR] > 0);
    assert_near(sum_of_matrix(test), 12, 100 * small);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// MeshMatrixMass
// ---------------------------------------------------------------------------------------------------

// M of a triangle of mass E: E/12 (1 + 1ᵀ1); of a tetrahedron E/20.
static void matrix_mass_by_hand(void **state) {
    (void)state;
    physics_dense dense;
    physics_scene *test = load(TRIANGLE, "<MeshMatrixMass name='mass' massDensity='4'/>");
    dense_mass(test, &dense);
    assert_near(dense.values[0], 2, 10 * small);
    assert_near(dense.values[3], 1, 10 * small);
    assert_near(sum_of_matrix(test), 12, 100 * small);
    assert_near(weight_along_y(test), -120, 1000 * small);
    physics_free(test);

    test = load(TETRA, "<MeshMatrixMass name='mass' massDensity='20'/>");
    dense_mass(test, &dense);
    assert_near(dense.values[0], 2, 10 * small);
    assert_near(dense.values[12 * 3 + 9], 1, 10 * small);
    assert_near(sum_of_matrix(test), 20, 100 * small);
    physics_free(test);
}

// A mass that comes before its mesh finds the edges that the mesh is going to derive.
static void matrix_mass_before_its_mesh(void **state) {
    (void)state;
    static const char *const meshes[] = {("<TetrahedronSetTopologyContainer name='mesh' position='@../from.position' "
                                          "tetrahedra='@../from.tetrahedra'/>"),
                                         "<MeshTopology name='mesh' tetrahedra='@../from.tetrahedra'/>",
                                         "<MeshTopology name='mesh' tetrahedra='0 1 2 3'/>"};
    for (size_t i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<MeshTopology name='from' position='0 0 0 1 0 0 0 2 0 0 0 3' tetrahedra='0 1 2 3'/><Node name='n'>"
                 "<MechanicalObject name='dofs' position='0 0 0 1 0 0 0 2 0 0 0 3'/>"
                 "<MeshMatrixMass name='mass' totalMass='20'/>%s</Node>",
                 meshes[i]);
        physics_scene *test = physics_load(text);
        assert_field(test, "/n/mass", "vertexMass", "2 2 2 2");
        assert_field(test, "/n/mass", "edgeMass", "1 1 1 1 1 1");
        st_topology *mesh = (st_topology *)physics_find(test, "/n/mesh");
        assert_int_equal(st_topology_elements(mesh, ST_EDGE)->count, 6);
        st_topology_invalidate(mesh);
        assert_int_equal(st_topology_elements(mesh, ST_EDGE)->count, 6);
        assert_int_equal(test->count[ST_ERROR], 0);
        physics_free(test);
    }
}

// Edges that a mesh does not list have no mass, which is said; the rest has all of it.
static void matrix_mass_without_some_edges(void **state) {
    (void)state;
    physics_scene *test = load("<MeshTopology tetrahedra='0 1 2 3' edges='0 1  2 3'/>"
                               "<MechanicalObject name='dofs' position='0 0 0 1 0 0 0 2 0 0 0 3'/>",
                               "<MeshMatrixMass name='mass' totalMass='6'/>");
    assert_near(sum_of_matrix(test), 6, 100 * small);
    assert_non_null(strstr(test->log, "4 edges"));
    physics_free(test);
}

static void matrix_mass_of_each_element(void **state) {
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (int lumped = 0; lumped < 2; lumped++) {
            char text[128];
            snprintf(text, sizeof text, "<MeshMatrixMass name='mass' totalMass='6' lumping='%d'/>", lumped);
            physics_scene *test = load(elements[i].mesh, text);
            assert_near(sum_of_matrix(test), 6, 100 * small);
            assert_near(weight_along_y(test), -60, 1000 * small);
            assert_int_equal(mass_of(test)->force.object.type->mass->is_diagonal(mass_of(test)), lumped);
            physics_free(test);
        }
    physics_scene *test = load(EDGE, "<MeshMatrixMass name='mass' totalMass='6'/>"); // edges have no mass here
    assert_near(sum_of_matrix(test), 0, 0);
    physics_free(test);
}

static void matrix_mass_of_lists(void **state) {
    (void)state;
    physics_scene *test = load(TRIANGLE, "<MeshMatrixMass name='mass' vertexMass='1 2 3' edgeMass='0.5 0.5 0.5'/>");
    assert_near(sum_of_matrix(test), 9, 10 * small);
    physics_free(test);
    test = load(TRIANGLE, "<MeshMatrixMass name='mass' vertexMass='1 2 3' lumping='1'/>"); // still times 2
    assert_near(sum_of_matrix(test), 12, 10 * small);
    physics_free(test);
    static const char *const wrong[] = {"vertexMass='1 2 3'", "massDensity='1 2'", "massDensity='-1'", "totalMass='-1'",
                                        "vertexMass='1 2' edgeMass='1 1 1'"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[128];
        snprintf(text, sizeof text, "<MeshMatrixMass name='mass' %s/>", wrong[i]);
        test = load(TRIANGLE, text);
        assert_true(test->count[ST_WARNING] + test->count[ST_ERROR] > 0);
        assert_near(sum_of_matrix(test), 1, 10 * small);
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// FEMMass
// ---------------------------------------------------------------------------------------------------

static void fem_mass_of_each_element(void **state) {
    (void)state;
    for (size_t i = 0; i < ELEMENTS; i++) {
        char text[256];
        snprintf(text, sizeof text, "<NodalMassDensity property='2'/><FEMMass name='mass' template='Vec3,%s'/>",
                 elements[i].element);
        physics_scene *test = load(elements[i].mesh, text);
        const st_real mass = 2 * (st_real)elements[i].measure;
#ifdef SETTEE_REAL_FLOAT
        const st_real near = mass * ST_R(1e-5);
#else
        const st_real near = mass * ST_R(2e-12); // points and weights have twelve digits
#endif
        assert_near(sum_of_matrix(test), mass, near);
        assert_near(weight_along_y(test), -10 * mass, 10 * near);
        // kinetic energy of a translation: ½ m v²
        st_mass *m = mass_of(test);
        st_real *v = physics_set(m->force.state, ST_VELOCITY, NULL);
        for (size_t k = 0; k < st_state_scalars(m->force.state); k += 3) v[k] = 3;
        const st_params params = st_default_params();
        assert_near(m->force.object.type->mass->kinetic(m, &params), mass * ST_R(4.5), 10 * near);
        physics_free(test);
    }
}

static void fem_mass_interpolates_the_density(void **state) {
    (void)state;
    physics_scene *test =
        load(TETRA, "<NodalMassDensity property='1 2 3 6'/><FEMMass name='mass' template='Vec3,Tetrahedron'/>");
    assert_near(sum_of_matrix(test), 3, 100 * small); // mean density times volume 1
    physics_free(test);
    test = load(TETRA, "<FEMMass name='mass' template='Vec3,Tetrahedron'/>");
    assert_non_null(strstr(test->log, "NodalMassDensity"));
    assert_near(sum_of_matrix(test), 0, 0);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diagonal_mass_of_each_element),
        cmocka_unit_test(diagonal_mass_sources),
        cmocka_unit_test(diagonal_mass_out_of_range),
        cmocka_unit_test(diagonal_mass_measures_at_rest),
        cmocka_unit_test(diagonal_mass_templates),
        cmocka_unit_test(diagonal_mass_of_rigids_and_files),
        cmocka_unit_test(diagonal_mass_gives_accelerations),
        cmocka_unit_test(a_changed_attribute_counts_from_the_next_step),
        cmocka_unit_test(matrix_mass_by_hand),
        cmocka_unit_test(matrix_mass_before_its_mesh),
        cmocka_unit_test(matrix_mass_without_some_edges),
        cmocka_unit_test(matrix_mass_of_each_element),
        cmocka_unit_test(matrix_mass_of_lists),
        cmocka_unit_test(fem_mass_of_each_element),
        cmocka_unit_test(fem_mass_interpolates_the_density),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
