// The element-generic forces: shape functions, stiffness of every kind of element, patch tests, rigid motions, rotation
// methods, and a cantilever that converges to Timoshenko's deflection.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "assembly/matrix_sink.h"
#include "check/derivative_check.h"
#include "force/fem/generic/element_model.h"
#include "force/fem/generic/shape.h"
#include "force/fem/generic/stiffness.h"
#include "math/decompose.h"
#include "math/simd.h"

#define EXACT (1e3 * ST_REAL_EPSILON)

// Nodes of the reference elements.
static const st_real reference[ST_ELEMENT_KINDS][8][3] = {
    [ST_EDGE] = {{-1}, {1}},
    [ST_TRIANGLE] = {{0, 0}, {1, 0}, {0, 1}},
    [ST_QUAD] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}},
    [ST_TETRAHEDRON] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    [ST_HEXAHEDRON] =
        {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}},
    [ST_PRISM] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
    [ST_PYRAMID] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {0, 0, 1}},
};
static const st_real reference_volume[ST_ELEMENT_KINDS] = {2, 0.5, 4, ST_R(1.0 / 6), 8, 0.5, 8};

// ---------------------------------------------------------------------------------------------------
// Reference elements
// ---------------------------------------------------------------------------------------------------

static void shape_functions_are_one_at_their_node(void **state) {
    (void)state;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < st_element_size[kind]; i++) {
            st_real n[8];
            st_shape_values((st_element)kind, reference[kind][i], n);
            for (size_t j = 0; j < st_element_size[kind]; j++) assert_near(n[j], i == j, EXACT);
        }
}

static void gradients_are_derivatives(void **state) {
    (void)state;
    unsigned seed = 1;
    const st_real h = cbrt(ST_REAL_EPSILON);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t c = 0; c < st_shape_dimension((st_element)kind); c++) {
            st_real q[3], g[8][3], high[8], low[8], sum = 0;
            for (int k = 0; k < 3; k++) q[k] = physics_random(&seed) / 2;
            st_shape_gradients((st_element)kind, q, g);
            q[c] += h;
            st_shape_values((st_element)kind, q, high);
            q[c] -= 2 * h;
            st_shape_values((st_element)kind, q, low);
            for (size_t i = 0; i < st_element_size[kind]; i++) {
                assert_near(g[i][c], (high[i] - low[i]) / (2 * h), 10 * h * h);
                sum += g[i][c];
            }
            assert_near(sum, 0, EXACT);
        }
}

static void weights_add_up_to_the_volume(void **state) {
    (void)state;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        const st_quadrature *rule = st_shape_quadrature((st_element)kind);
        assert_near(rule->weight * (st_real)rule->count, reference_volume[kind], EXACT);
    }
}

// ---------------------------------------------------------------------------------------------------
// Stiffness of one element
// ---------------------------------------------------------------------------------------------------

// Symmetric, no force from translations and small rotations, stress of a uniform strain.
static void stiffness_of_every_kind(void **state) {
    (void)state;
    unsigned seed = 11;
    const st_lame lame = st_lame_of(1000, ST_R(0.3), 3);
    for (int kind = ST_TETRAHEDRON; kind < ST_ELEMENT_KINDS; kind++) {
        const size_t n = st_element_size[kind], size = 3 * n;
        st_real x[24], k[576], f[24];
        for (size_t i = 0; i < size; i++) x[i] = reference[kind][i / 3][i % 3] + physics_random(&seed) / 8;
        st_element_stiffness((st_element)kind, x, 3, lame, k);
        for (size_t i = 0; i < size; i++)
            for (size_t j = 0; j < size; j++) assert_near(k[i * size + j], k[j * size + i], 1e6 * ST_REAL_EPSILON);
        for (int mode = 0; mode < 6; mode++) {
            for (size_t i = 0; i < size; i++) {
                f[i] = 0;
                for (size_t j = 0; j < size; j++) {
                    st_real turn[3], axis[3] = {mode == 3, mode == 4, mode == 5};
                    st_vec3_cross(turn, axis, x + j / 3 * 3);
                    f[i] += k[i * size + j] * (mode < 3 ? (st_real)(j % 3 == (size_t)mode) : turn[j % 3]);
                }
                assert_near(f[i], 0, 1e7 * ST_REAL_EPSILON);
            }
        }
        // work of the uniform strain xx: 1/2 (lambda + 2 mu) V
        st_real work = 0, volume = 0;
        for (size_t i = 0; i < size; i += 3)
            for (size_t j = 0; j < size; j += 3) work += x[i] * k[i * size + j] * x[j];
        const st_quadrature *rule = st_shape_quadrature((st_element)kind);
        for (size_t q = 0; q < rule->count; q++) {
            st_real g[8][3], det;
            assert_true(st_spatial_gradients((st_element)kind, rule->point[q], x, 3, g, &det));
            volume += rule->weight * det;
        }
        assert_near(work / ((lame.lambda + 2 * lame.mu) * volume), 1, 1e4 * ST_REAL_EPSILON);
    }
}

// A bar of length L in one, two and three dimensions: E / L along it, nothing across it where nu = 0.
static void edges_are_bars(void **state) {
    (void)state;
    for (int d = 1; d <= 3; d++) {
        st_real x[6] = {0}, k[36];
        x[d] = 4;
        st_element_stiffness(ST_EDGE, x, d, st_lame_of(1000, 0, d), k);
        assert_near(k[0], 250, EXACT * 250);
        assert_near(k[d], -250, EXACT * 250);
        if (d > 1) assert_near(k[2 * d + 1], 125, EXACT * 250); // shear across: mu / L
    }
}

static void elements_without_extent_have_no_stiffness(void **state) {
    (void)state;
    st_real x[24] = {0}, k[576];
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) {
        st_element_stiffness((st_element)kind, x, 3, st_lame_of(1000, ST_R(0.3), 3), k);
        for (size_t i = 0; i < 9 * st_element_size[kind] * st_element_size[kind]; i++) assert_near(k[i], 0, 0);
    }
}

// ---------------------------------------------------------------------------------------------------
// Meshes with a free inner node 0 (the center), one for each kind of element that has an inside
// ---------------------------------------------------------------------------------------------------

#define CUBE "0.55 0.45 0.5  0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1"
static const struct patch {
    const char *template_, *mesh, *position;
} patches[] = {
    {"Vec2,Triangle", "triangles='0 1 2  0 2 3  0 3 4  0 4 1'", "0.4 0.6  0 0  1 0  1 1  0 1"},
    {"Vec2,Quad", "quads='1 5 0 8  5 2 6 0  0 6 3 7  8 0 7 4'",
     "0.45 0.55  0 0  1 0  1 1  0 1  0.5 0  1 0.5  0.5 1  0 0.5"},
    {"Vec3,Tetrahedron",
     "tetrahedra='0 1 3 2  0 1 4 3  0 5 6 7  0 5 7 8  0 1 2 6  0 1 6 5  0 4 8 7  0 4 7 3  0 1 5 8  0 1 8 4  0 2 3 7  0 "
     "2 7 6'",
     CUBE},
    {"Vec3,Pyramid", "pyramids='1 2 3 4 0  5 8 7 6 0  1 5 6 2 0  4 3 7 8 0  1 4 8 5 0  2 6 7 3 0'", CUBE},
    {"Vec3,Prism",
     "prisms='5 6 9 1 2 0  6 7 9 2 3 0  7 8 9 3 4 0  8 5 9 4 1 0  1 2 0 10 11 14  2 3 0 11 12 14  3 4 0 12 13 14  4 1 "
     "0 13 10 14'",
     "0.4 0.6 0.5  0 0 0.5  1 0 0.5  1 1 0.5  0 1 0.5  0 0 0  1 0 0  1 1 0  0 1 0  0.4 0.6 0  0 0 1  1 0 1  1 1 1  0 1 "
     "1  0.4 0.6 1"},
    {"Vec3,Hexahedron",
     "hexahedra='1 9 13 12 17 21 0 24  9 2 10 13 21 18 22 0  13 10 3 11 0 22 19 23  12 13 11 4 24 0 23 20  "
     "17 21 0 24 5 14 25 16  21 18 22 0 14 6 26 25  0 22 19 23 25 26 7 15  24 0 23 20 16 25 15 8'",
     "0.55 0.48 0.52  0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1  0.5 0 0  1 0.5 0  0.5 1 0  0 0.5 0  0.5 "
     "0.5 0  "
     "0.5 0 1  0.5 1 1  0 0.5 1  0 0 0.5  1 0 0.5  1 1 0.5  0 1 0.5  0.5 0 0.5  1 0.5 0.5  0.5 1 0.5  0 0.5 0.5  0.5 "
     "0.5 1  1 0.5 1"},
};

static physics_scene *load_patch(const struct patch *p, const char *force, const char *more) {
    char text[2048];
    snprintf(text, sizeof text,
             "<MeshTopology %s/><MechanicalObject template='%.4s' name='dofs' position='%s'/>"
             "<%s template='%s' name='fem' youngModulus='1000' poissonRatio='0.3' %s/>",
             p->mesh, p->template_, p->position, force, p->template_, more);
    return physics_load(text);
}

static void move(st_state *dofs, const st_real m[9], st_real shift) {
    const size_t d = st_state_dof(dofs)->coord;
    for (size_t n = 0; n < dofs->size; n++)
        for (size_t r = 0; r < d; r++) {
            st_real sum = shift * (st_real)(r + 1);
            for (size_t c = 0; c < d; c++) sum += m[3 * r + c] * dofs->coord[ST_COORD_REST].data[n * d + c];
            dofs->coord[ST_COORD_POSITION].data[n * d + r] = sum;
        }
}

static void patch_test(void **state) {
    (void)state;
    const st_real m[9] = {1.02, 0.03, 0.01, -0.01, 0.97, 0.02, 0.01, 0.04, 1.01};
    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++) {
        physics_scene *test = load_patch(&patches[i], "LinearSmallStrainFEMForceField", "");
        st_state *dofs = physics_state(test, "/dofs");
        move(dofs, m, 1);
        physics_force(test, "/fem");
        const size_t d = st_state_dof(dofs)->coord;
        const st_real *f = dofs->deriv[ST_DERIV_FORCE].data;
        st_real largest = 0;
        for (size_t k = 0; k < dofs->size * d; k++) largest = fmax(largest, fabs(f[k]));
        assert_true(largest > 1);
        // 1e-11: the quadrature constants have twelve digits
        for (size_t k = 0; k < d; k++) assert_near(f[k] / largest, 0, fmax(EXACT, ST_R(1e-11)));
        physics_free(test);
    }
}

// Every rotation method of every kind of element forgets a rigid motion.
static void rigid_motion_makes_no_force(void **state) {
    (void)state;
    static const char *const methods[] = {"", "rotationMethod='polar'", "rotationMethod='stable_polar'",
                                          "rotationMethod='triangle'", "rotationMethod='hexahedron'"};
    st_real turn[9];
    st_frame_rows(turn, (st_real[]){1, 2, -1}, (st_real[]){0.3, 1, 2});
    const st_real plane[9] = {0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1};
    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++)
        for (int method = 0; method < 5; method++) {
            if (method == 3 && !strstr(patches[i].template_, "Tetra")) continue;
            if (method == 4 && !strstr(patches[i].template_, "Hexa")) continue;
            physics_scene *test = load_patch(&patches[i], "CorotationalFEMForceField", methods[method]);
            st_state *dofs = physics_state(test, "/dofs");
            const size_t d = st_state_dof(dofs)->coord;
            move(dofs, d == 2 ? plane : turn, 3);
            physics_force(test, "/fem");
            for (size_t k = 0; k < dofs->size * d; k++)
                assert_near(dofs->deriv[ST_DERIV_FORCE].data[k], 0, 1e7 * ST_REAL_EPSILON);
            physics_free(test);
        }
}

static void note_error(void *user, const st_derivative_check *check) {
    if (strcmp(check->what, "stiffness") == 0) *(st_real *)user = check->error;
    if (strcmp(check->what, "product") == 0) assert_true(check->error <= EXACT);
}

// The frozen rotation leaves the tangent exact at rest; without rotation it is exact everywhere. Products equal blocks.
static void tangents(void **state) {
    (void)state;
    const st_real limit = 2e3 * pow(ST_REAL_EPSILON, ST_R(2.0 / 3));
    const st_real m[9] = {1.2, 0.3, 0.1, -0.1, 0.7, 0.2, 0.1, 0.4, 1.1};
    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++)
        for (int rotated = 0; rotated < 2; rotated++) {
            physics_scene *test =
                load_patch(&patches[i], rotated ? "CorotationalFEMForceField" : "LinearSmallStrainFEMForceField", "");
            st_force *force = (st_force *)physics_find(test, "/fem");
            st_real error = -1;
            assert_int_equal(st_check_force(force, note_error, &error), ST_OK);
            assert_true(error >= 0 && error <= limit);
            move(physics_state(test, "/dofs"), m, 0);
            assert_int_equal(st_check_force(force, note_error, &error), ST_OK);
            assert_true(rotated ? error > ST_R(1e-3) : error <= limit);
            physics_free(test);
        }
}

// Whole elements into a sparse matrix give what the blocks give in a dense one, wherever the component's window is.
static void assembly_equals_blocks(void **state) {
    (void)state;
    for (size_t offset = 0; offset < 6; offset += 3)
        for (int block = 1; block <= 3; block += 2) {
            physics_scene *test = load_patch(&patches[3], "CorotationalFEMForceField", "");
            st_force *force = (st_force *)physics_find(test, "/fem");
            const size_t n = 27, size = n + 6;
            physics_dense dense;
            st_assembly assembly = {0};
            move(force->state, (st_real[]){0.2, -1.1, 0.1, 0.9, 0.3, 0, 0.1, 0.2, 1.2}, 1);
            physics_force(test, "/fem");
            physics_stiffness(force, &dense, force->state, force->state);
            assert_int_equal(st_assembly_begin_record(&assembly, block, size, 1, false), ST_OK);
            for (int pass = 0; pass < 2; pass++) {
                st_matrix_sink sink;
                st_single_accumulator all;
                const st_params params = st_default_params();
                st_matrix_sink_init(&sink, &assembly, (st_window){offset, offset, n, n}, 2);
                st_single_accumulator_init(&all, &sink.sink);
                st_assembly_part(&assembly, 0);
                force->object.type->force->stiffness(force, &params, (st_stiffness){&all.accumulator});
                assert_int_equal(sink.refusals.count, 0);
                if (pass == 0) {
                    assert_int_equal(st_assembly_end_record(&assembly), ST_OK);
                    st_assembly_begin_add(&assembly, NULL);
                }
            }
            assert_int_equal(assembly.misses, 0);
            const size_t b = (size_t)block;
            for (size_t r = 0; r < n; r++)
                for (size_t c = 0; c < n; c++) {
                    const size_t i = r + offset, j = c + offset;
                    const size_t slot = st_bsr_find(&assembly.matrix, (int32_t)(i / b), (int32_t)(j / b));
                    const st_real found =
                        slot == SIZE_MAX ? 0 : assembly.matrix.values[slot * b * b + i % b * b + j % b];
                    assert_near(found, 2 * dense.values[r * n + c], 1e6 * ST_REAL_EPSILON);
                }
            st_assembly_free(&assembly);
            physics_free(test);
        }
}

// Surfaces in space and edges of all dimensions.
static void lower_dimensional_elements(void **state) {
    (void)state;
    static const struct patch parts[] = {
        {"Vec3,Triangle", "triangles='0 1 2  0 2 3'", "0 0 0  1 0 0.2  1 1 0  0 1 0.1"},
        {"Vec3,Quad", "quads='0 1 2 3'", "0 0 0  1 0 0  1 1.2 0  0 1 0"},
        {"Vec3,Edge", "edges='0 1'", "0 0 0  1 2 3"},
        {"Vec2,Edge", "edges='0 1'", "0 0  1 2"},
        {"Vec1,Edge", "edges='0 1'", "0 2"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        physics_scene *test = load_patch(&parts[i], "LinearSmallStrainFEMForceField", "");
        st_state *dofs = physics_state(test, "/dofs");
        const size_t d = st_state_dof(dofs)->coord;
        st_real error = -1, sum = 0;
        assert_int_equal(st_check_force((st_force *)physics_find(test, "/fem"), note_error, &error), ST_OK);
        dofs->coord[ST_COORD_POSITION].data[0] += 0.1;
        physics_force(test, "/fem");
        assert_true(dofs->deriv[ST_DERIV_FORCE].data[0] < 0);
        for (size_t n = 0; n < dofs->size; n++) sum += dofs->deriv[ST_DERIV_FORCE].data[n * d];
        assert_near(sum, 0, 1e6 * ST_REAL_EPSILON);
        physics_free(test);
        if (i == 4) continue; // there is no rotation on a line
        test = load_patch(&parts[i], "CorotationalFEMForceField", "rotationMethod='identity'");
        dofs = physics_state(test, "/dofs");
        dofs->coord[ST_COORD_POSITION].data[0] += 0.1;
        physics_force(test, "/fem");
        assert_true(dofs->deriv[ST_DERIV_FORCE].data[0] < 0);
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// Attributes
// ---------------------------------------------------------------------------------------------------

static void wrong_input_is_answered(void **state) {
    (void)state;
    const struct patch *tetra = &patches[2], beyond = {"Vec3,Tetrahedron", "tetrahedra='0 1 2 90'", CUBE};
    physics_scene *test = load_patch(tetra, "CorotationalFEMForceField", "rotationMethod='wheel'");
    assert_non_null(strstr(test->log, "unknown rotationMethod \"wheel\""));
    physics_free(test);
    test = load_patch(tetra, "CorotationalFEMForceField", "rotationMethod='hexahedron'");
    assert_non_null(strstr(test->log, "unknown rotationMethod \"hexahedron\""));
    physics_free(test);
    test = load_patch(&beyond, "CorotationalFEMForceField", "");
    assert_non_null(strstr(test->log, "beyond the 9 DOFs"));
    assert_false(st_is_valid(physics_find(test, "/fem")));
    physics_free(test);
    test = load_patch(&(struct patch){"Vec3,Hexahedron", "tetrahedra='0 1 2 3'", CUBE},
                      "LinearSmallStrainFEMForceField", "");
    assert_non_null(strstr(test->log, "no element of type Hexahedron"));
    physics_free(test);
}

// A new Young's modulus counts from the next step on.
static void material_may_change(void **state) {
    (void)state;
    physics_scene *test = load_patch(&patches[2], "LinearSmallStrainFEMForceField", "");
    st_state *dofs = physics_state(test, "/dofs");
    dofs->coord[ST_COORD_POSITION].data[0] += 0.1;
    physics_force(test, "/fem");
    const st_real before = dofs->deriv[ST_DERIV_FORCE].data[0];
    assert_int_equal(st_object_set(physics_find(test, "/fem"), "youngModulus", "2000"), ST_OK);
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    physics_force(test, "/fem");
    assert_near(dofs->deriv[ST_DERIV_FORCE].data[0] / before, 2, EXACT);
    physics_free(test);
}

// An element that is not aligned with the axes feels no force at rest.
static void written_frame_method(void **state) {
    (void)state;
    physics_scene *test = physics_load_with(
        "<MeshTopology tetrahedra='0 1 2 3'/><MechanicalObject name='dofs' position='0 0 0  1 1 0  -1 1 0  0 0 1'/>"
        "<CorotationalFEMForceField template='Vec3,Tetrahedron' name='fem' youngModulus='1000' poissonRatio='0.3' "
        "rotationMethod='triangle'/>",
        false);
    physics_force(test, "/fem");
    const st_real *f = physics_state(test, "/dofs")->deriv[ST_DERIV_FORCE].data;
    for (int k = 0; k < 12; k++) assert_true(fabs(f[k]) < 1e6 * ST_REAL_EPSILON);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Cantilever
// ---------------------------------------------------------------------------------------------------

// Tip deflection of a beam of length 4 and cross-section 1 x 1 under the load 1 at its end, n elements across, nu = 0.
static st_real deflection(const char *force, int n, bool tetrahedra) {
    const int along = 4 * n, nodes = (n + 1) * (n + 1);
    char *indices = malloc((size_t)nodes * 8 + 1), *loads = malloc((size_t)nodes * 64 + 1),
         *text = malloc((size_t)nodes * 80 + 4096);
    size_t at_index = 0, at_load = 0;
    for (int k = 0; k < nodes; k++) {
        const int x = k % (n + 1), y = k / (n + 1);
        const double share = (x % n ? 1 : 0.5) * (y % n ? 1 : 0.5) / (n * n);
        at_index += (size_t)sprintf(indices + at_index, "%d ", nodes * along + k);
        at_load += (size_t)sprintf(loads + at_load, "0 %.17g 0 ", share);
    }
    sprintf(text,
            "<RegularGridTopology name='grid' n='%d %d %d' min='0 0 0' max='1 1 4'/><MechanicalObject name='dofs'/>"
            "<StaticSolver newton_iterations='1'/><SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/>%s%s"
            "<FixedProjectiveConstraint indices='0-%d'/><ConstantForceField indices='%s' forces='%s'/>",
            n + 1, n + 1, along + 1,
            tetrahedra ? "<TetrahedronSetTopologyContainer name='tetra'/><Hexa2TetraTopologicalMapping input='@grid' "
                         "output='@tetra' swapping='1'/>"
                       : "",
            force, nodes - 1, indices, loads);
    physics_scene *test = physics_load(text);
    if (st_scene_step(test->scene, 0) != ST_OK) print_message("%s", test->log);
    const st_state *dofs = physics_state(test, "/dofs");
    st_real sum = 0;
    for (int k = 0; k < nodes; k++) {
        const size_t scalar = 3 * (size_t)(nodes * along + k) + 1;
        sum += dofs->coord[ST_COORD_POSITION].data[scalar] - dofs->coord[ST_COORD_REST].data[scalar];
    }
    physics_free(test);
    free(indices);
    free(loads);
    free(text);
    return sum / (st_real)nodes;
}

// w = P L^3 / (3 E I) + P L / (5/6 G A) with E = 1e5 (deflections stay small), G = E / 2, I = 1/12. Half the size of
// the elements, a quarter of the error: from 8 elements across on this is seen, coarser tetrahedra are too stiff for
// it. (Other hexahedra and tetrahedra have the same stiffness: test_hexahedron_fem.c, test_tetra_fem.c. Beams are exact
// for any number of elements: test_beam_fem.c.)
static void cantilever_converges_to_timoshenko(void **state) {
    (void)state;
    if (sizeof(st_real) == sizeof(float)) skip(); // the condition number of the finest beam eats all digits
    const double exact = 64 / (3 * 1e5 / 12) + 4 / (5.0 / 6 * 0.5e5);
    static const struct form {
        const char *xml;
        bool tetrahedra;
    } forms[] = {
        {"<LinearSmallStrainFEMForceField template='Vec3,Hexahedron' youngModulus='1e5' poissonRatio='0'/>", false},
        {"<TetrahedronFEMForceField youngModulus='1e5' poissonRatio='0' method='large'/>", true},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        double error[2]; // the bodies are too stiff: from below
        for (int k = 0; k < 2; k++)
            error[k] = 1 - (double)deflection(forms[i].xml, 8 << k, forms[i].tetrahedra) / exact;
        const double order = log2(error[0] / error[1]);
        print_message("%s: errors %.4f %.4f, order %.2f\n", forms[i].xml, error[0], error[1], order);
        assert_true(error[1] > 0 && order > 1.9 && order < 2.2);
        assert_true(error[1] < (forms[i].tetrahedra ? 0.012 : 0.002));
    }
}

// ---------------------------------------------------------------------------------------------------
// Same bits
// ---------------------------------------------------------------------------------------------------

static void evaluate(const char *xml, int threads, st_real *result, size_t count) {
    char text[512];
    snprintf(text, sizeof text,
             "<Node><DefaultAnimationLoop/><RegularGridTopology n='11 11 9' min='0 0 0' max='1 1 "
             "1'/><MechanicalObject/>%s</Node>",
             xml);
    physics_evaluate_with(text, threads, result, count);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    enum { COUNT = 3 * 11 * 11 * 9 };
    static st_real one[2 * COUNT], more[2 * COUNT];
    static const char *const forces[] = {
        "<CorotationalFEMForceField name='fem' template='Vec3,Hexahedron' youngModulus='1000' poissonRatio='0.3'/>",
        "<CorotationalFEMForceField name='fem' template='Vec3,Hexahedron' youngModulus='1000' poissonRatio='0.3' "
        "rotationMethod='polar'/>",
        "<LinearSmallStrainFEMForceField name='fem' template='Vec3,Hexahedron' youngModulus='1000' "
        "poissonRatio='0.3'/>",
        "<CorotationalFEMForceField name='fem' template='Vec3,Quad' youngModulus='1000' poissonRatio='0.3'/>",
    };
    for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
        evaluate(forces[i], 1, one, COUNT);
        for (int threads = 2; threads <= 3; threads++) {
            evaluate(forces[i], threads, more, COUNT);
            assert_memory_equal(one, more, sizeof one);
        }
    }
}

#ifdef __x86_64__
static void instruction_sets_agree(void **state) {
    (void)state;
    if (!ST_HAS_AVX2()) skip();
    const int sets = ST_HAS_AVX512() ? 3 : 2;
    const st_element_kernels *const all[] = {&st_element_kernels_portable, &st_element_kernels_avx2,
                                             &st_element_kernels_avx512};
    unsigned seed = 3;
    st_real rest[60], x[60];
    uint32_t elements[8 * 9];
    for (int k = 0; k < 60; k++) {
        rest[k] = physics_random(&seed);
        x[k] = rest[k] + physics_random(&seed) / 4;
    }
    for (uint32_t i = 0; i < 72; i++) elements[i] = (i * 7 + i / 8) % 20;
    static const st_element kinds[] = {ST_TETRAHEDRON, ST_HEXAHEDRON, ST_PRISM};
    st_elastic material = {0};
    for (int k = 0; k < 3; k++) {
        st_real f[3][60] = {{0}}, df[3][60] = {{0}};
        for (int set = 0; set < sets; set++) {
            const st_element_kernels *kernels = all[set];
            st_element_kernel *const(*loops)[2] = k == 0 ? kernels->tetra : k == 1 ? kernels->hexa : kernels->any[2];
            st_element_model model = {.kind = kinds[k], .d = 3, .rotated = true, .method = ST_ROTATION_POLAR};
            size_t wrong;
            assert_int_equal(
                st_element_model_make(&model, NULL, elements, 72 / (size_t)st_element_size[kinds[k]], rest, 20, &wrong),
                ST_OK);
            const st_element_hooke hooke = {.material = &material, .kind = kinds[k], .d = 3};
            const st_element_law law = st_element_hooke_law(&hooke);
            assert_true(st_element_model_set_stiffness(&model, NULL, &law, rest));
            st_element_call call = {.model = &model, .x = x, .factor = ST_R(0.7)};
            st_element_loop(NULL, &model.mesh, loops[0][1], &call, f[set]);
            st_element_loop(NULL, &model.mesh, loops[1][1], &call, df[set]);
            st_element_model_free(&model);
        }
        for (int set = 1; set < sets; set++) {
            assert_memory_equal(f[0], f[set], sizeof f[0]);
            assert_memory_equal(df[0], df[set], sizeof df[0]);
        }
    }
}
#endif

// The buffers of the loop have room for so many reals of an element, and no more are taken.
static void results_have_to_fit(void **state) {
    (void)state;
    const uint32_t corners[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    st_element_mesh mesh = {0};
    size_t wrong = 1;
    assert_int_equal(st_element_mesh_make(&mesh, NULL, corners, 1, 6, 9, 9, &wrong), ST_OK);
    assert_int_equal(st_element_mesh_make(&mesh, NULL, corners, 1, 6, 9, 10, &wrong), ST_INVALID);
    assert_int_equal(mesh.count, 0);
    assert_int_equal(st_element_mesh_make(&mesh, NULL, corners, 1, 9, 9, 3, &wrong), ST_INVALID);
    assert_int_equal(st_element_mesh_make(&mesh, NULL, corners, 1, 8, 9, 3, &wrong), ST_OK);
    st_element_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shape_functions_are_one_at_their_node),
        cmocka_unit_test(gradients_are_derivatives),
        cmocka_unit_test(weights_add_up_to_the_volume),
        cmocka_unit_test(stiffness_of_every_kind),
        cmocka_unit_test(edges_are_bars),
        cmocka_unit_test(elements_without_extent_have_no_stiffness),
        cmocka_unit_test(patch_test),
        cmocka_unit_test(rigid_motion_makes_no_force),
        cmocka_unit_test(tangents),
        cmocka_unit_test(assembly_equals_blocks),
        cmocka_unit_test(lower_dimensional_elements),
        cmocka_unit_test(wrong_input_is_answered),
        cmocka_unit_test(material_may_change),
        cmocka_unit_test(written_frame_method),
        cmocka_unit_test(cantilever_converges_to_timoshenko),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(results_have_to_fit),
#ifdef __x86_64__
        cmocka_unit_test(instruction_sets_agree),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
