// Hexahedra made of finer cells: a full homogeneous cell has the stiffness and mass of one element; half a cell has
// half of it at most; weights of finer corners; points that are mapped follow translations, rotations and stretches.
//
// SPDX-License-Identifier: Apache-2.0
#include "loader_scene.h"

#include "check/derivative_check.h"
#include "force/fem/generic/shape.h"
#include "force/fem/hexahedron/non_uniform_hexahedron.h"

// A box along the axes whose surface lies outside of all cells: every cell of the grid is inside.
#define BOX_SURFACE                                                                                                    \
    "position='0 0 0  4 0 0  4 4 0  0 4 0  0 0 4  4 0 4  4 4 4  0 4 4' "                                               \
    "quads='0 3 2 1  4 5 6 7  0 1 5 4  1 2 6 5  2 3 7 6  3 0 4 7'"

static physics_scene *load(const char *class_name, int levels, const char *grid, const char *more) {
    char text[2048];
    snprintf(text, sizeof text,
             "<SparseGridTopology name='grid' n='3 3 3' nbVirtualFinerLevels='2' %s " BOX_SURFACE "/>"
             "<MechanicalObject name='dofs'/>"
             "<%s name='fem' nbVirtualFinerLevels='%d' youngModulus='1000' poissonRatio='0.3' density='2' %s/>"
             "<Node name='child'><MechanicalObject name='points' position='1 1 1  2.5 1.2 0.7  3.3 3.1 2.9'/>%s</Node>",
             grid, class_name, levels, more,
             strstr(class_name, "Composite")
                 ? "<HexahedronCompositeFEMMapping name='map' input='@../dofs' output='@points'/>"
                 : "");
    return physics_load(text);
}

static const char *const classes[] = {"NonUniformHexahedronFEMForceFieldAndMass",
                                      "HexahedronCompositeFEMForceFieldAndMass"};

static const st_non_uniform_hexahedron *force_of(physics_scene *test) {
    return (const st_non_uniform_hexahedron *)physics_find(test, "/fem");
}

// Full cells (fillWeighted off): trilinear motion within is what the cell itself does, and the composite finds it.
static void full_cells_are_one_element(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++)
        for (int levels = 1; levels <= 2; levels++) {
            physics_scene *test = load(classes[c], levels, "fillWeighted='0'", "");
            const st_non_uniform_hexahedron *force = force_of(test);
            assert_true(force->condensed);
            st_real nodes[24], k[576], expected[576];
            st_pack_take(force->mass.fem.model.rest, 24, 0, nodes);
            st_element_model_matrix(&force->mass.fem.model, 0, k);
            assert_true(st_hexahedron_stiffness(nodes, st_hooke_of(1000, ST_R(0.3)), expected));
            for (int i = 0; i < 576; i++) assert_near(k[i], expected[i], 1e7 * ST_REAL_EPSILON);
            const st_mass_sum sum = st_scene_mass(test->scene);
            st_real whole = 0;
            for (size_t e = 0; e < force->mass.fem.model.mesh.count; e++) {
                st_pack_take(force->mass.fem.model.rest, 24, e, nodes);
                whole += 2 * st_hexahedron_box_volume(nodes);
            }
            assert_near(sum.total / whole, 1, 1e4 * ST_REAL_EPSILON);
            physics_free(test);
        }
}

// Cells on the boundary count half: less stiff than full ones, but still without force from rigid motions.
static void rigid_motion_makes_no_force(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++) {
        physics_scene *test = load(classes[c], 2, "", "");
        st_state *dofs = physics_state(test, "/dofs");
        for (int k = 0; k < 3; k++) dofs->object.node->gravity[k] = 0;
        for (size_t n = 0; n < dofs->size; n++) {
            st_real *x = dofs->coord[ST_COORD_POSITION].data + 3 * n;
            const st_real a = x[0], b = x[1];
            x[0] = ST_R(0.6) * a - ST_R(0.8) * b + 1;
            x[1] = ST_R(0.8) * a + ST_R(0.6) * b - 2;
            x[2] += 3;
        }
        physics_force(test, "/fem");
        for (size_t i = 0; i < 3 * dofs->size; i++)
            assert_near(dofs->deriv[ST_DERIV_FORCE].data[i], 0, 1e7 * ST_REAL_EPSILON);
        physics_free(test);
    }
}

// The weights of a composite do not reproduce small rotations, so its tangent, whose frames are frozen, is not exact
// even at rest. Products and masses must agree.
static void note(void *user, const st_derivative_check *check) {
    const bool stiffness = strcmp(check->what, "stiffness") == 0, potential = strcmp(check->what, "potential") == 0;
    if (stiffness && *(int *)user) return;
    const double limit =
        stiffness || potential ? 2e3 * pow((double)ST_REAL_EPSILON, 2.0 / 3) : 1e3 * (double)ST_REAL_EPSILON;
    if ((double)check->error > limit) print_error("%s is wrong by %g\n", check->what, (double)check->error);
    assert_true((double)check->error <= limit);
}

static void derivatives_at_rest(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++)
        for (int mass = 0; mass < 2; mass++) {
            physics_scene *test = load(classes[c], 1, "", mass ? "useMass='0' totalMass='5'" : "");
            assert_int_equal(st_check_force((st_force *)physics_find(test, "/fem"), note, &c), ST_OK);
            physics_free(test);
        }
}

// p = a moved affinely with the frames of the cells, which turn with it.
static void points_follow_the_body(void **state) {
    (void)state;
    static const st_real start[9] = {1, 1, 1, 2.5, 1.2, 0.7, 3.3, 3.1, 2.9};
    physics_scene *test = load(classes[1], 2, "fillWeighted='0'", "completeInterpolation='0'");
    st_state *dofs = physics_state(test, "/dofs"), *points = physics_state(test, "/child/points");
    st_mapping *mapping = (st_mapping *)physics_find(test, "/child/map");
    for (int turned = 0; turned < 2; turned++) {
        const st_real c = turned ? ST_R(0.6) : 1, s = turned ? ST_R(0.8) : 0, stretch = ST_R(1.1);
        for (size_t n = 0; n < dofs->size; n++) {
            const st_real *from = dofs->coord[ST_COORD_REST].data + 3 * n;
            st_real *x = dofs->coord[ST_COORD_POSITION].data + 3 * n;
            x[0] = c * stretch * from[0] - s * from[1] + 1;
            x[1] = s * stretch * from[0] + c * from[1];
            x[2] = from[2] - 2;
        }
        physics_force(test, "/fem"); // the frames
        mapping->object.type->mapping->apply(mapping, ST_POSITION, st_read_coord(ST_POSITION));
        for (size_t i = 0; i < 3; i++) {
            const st_real *p = start + 3 * i, *x = points->coord[ST_COORD_POSITION].data + 3 * i;
            assert_near(x[0], c * stretch * p[0] - s * p[1] + 1, 1e4 * ST_REAL_EPSILON);
            assert_near(x[1], s * stretch * p[0] + c * p[1], 1e4 * ST_REAL_EPSILON);
            assert_near(x[2], p[2] - 2, 1e4 * ST_REAL_EPSILON);
        }
    }
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// In one step
// ---------------------------------------------------------------------------------------------------

enum { SIDE = 5, POINTS = SIDE * SIDE * SIDE, ALL = 3 * POINTS };

static void lattice_of(int point, int at[3]) {
    at[0] = point % SIDE, at[1] = point / SIDE % SIDE, at[2] = point / SIDE / SIDE;
}

static st_real weight_of(int point, int corner) {
    int at[3];
    st_real w = 1;
    lattice_of(point, at);
    for (int a = 0; a < 3; a++) w *= st_cube_corners[corner][a] > 0 ? (st_real)at[a] / 4 : 1 - (st_real)at[a] / 4;
    return w;
}

// The finest cell at a place of hexahedron h, down two levels of children.
static uint32_t cell_at(const st_sparse_grid *grid, size_t h, int x, int y, int z) {
    const uint32_t child = grid->levels[2].children.data[8 * h + (size_t)(x / 2 + 2 * (y / 2) + 4 * (z / 2))];
    assert_true(child != ST_INVALID_INDEX);
    const uint32_t cell =
        grid->levels[1].children.data[8 * (size_t)child + (size_t)(x % 2 + 2 * (y % 2) + 4 * (z % 2))];
    assert_true(cell != ST_INVALID_INDEX);
    return cell;
}

// All 64 cells, dense.
static void assemble_all(const st_sparse_grid *grid, size_t h, const st_real cell[576], st_real *k) {
    for (int w = 0; w < 64; w++) {
        const int at[3] = {w % 4, w / 4 % 4, w / 16};
        const st_real part = (st_real)grid->levels[0].stiffness.data[cell_at(grid, h, at[0], at[1], at[2])];
        int place[8];
        for (int i = 0; i < 8; i++) {
            place[i] = 0;
            for (int a = 2; a >= 0; a--) place[i] = SIDE * place[i] + at[a] + (st_cube_corners[i][a] > 0 ? 1 : 0);
        }
        for (int r = 0; r < 24; r++)
            for (int c = 0; c < 24; c++)
                k[(3 * place[r / 3] + r % 3) * ALL + 3 * place[c / 3] + c % 3] += part * cell[24 * r + c];
    }
}

static int corner_of(int point) {
    for (int i = 0; i < 8; i++)
        if (weight_of(point, i) == 1) return i;
    return -1;
}

// W: the rows of corners are the identity, the others solve K_ff W = -K_fg; then mask and sums. By plain elimination.
static void solve_all(const st_real *k, st_real *w) {
    st_real *a = calloc(ALL, (ALL + 24) * sizeof *a);
    const size_t width = ALL + 24;
    for (size_t r = 0; r < ALL; r++) {
        const int corner = corner_of((int)r / 3);
        for (size_t c = 0; c < ALL && corner < 0; c++) a[r * width + c] = k[r * ALL + c];
        if (corner >= 0) a[r * width + r] = a[r * width + ALL + 3 * (size_t)corner + r % 3] = 1;
    }
    for (size_t p = 0; p < ALL; p++)
        for (size_t r = 0; r < ALL; r++) {
            const st_real f = r == p ? 0 : a[r * width + p] / a[p * width + p];
            for (size_t c = p; f != 0 && c < width; c++) a[r * width + c] -= f * a[p * width + c];
        }
    for (size_t r = 0; r < ALL; r++) {
        st_real sum = 0;
        for (size_t c = 0; c < 24; c++) {
            const bool kept = c % 3 == r % 3 && weight_of((int)r / 3, (int)c / 3) > ST_R(1e-5);
            w[24 * r + c] = kept ? a[r * width + ALL + c] / a[r * width + r] : 0;
            sum += w[24 * r + c];
        }
        for (size_t c = 0; c < 24; c++) w[24 * r + c] /= sum;
    }
    free(a);
}

// Cells on the boundary are softer, so that the motion within is not trilinear: K = Wᵀ S W with all 64 cells at once.
static void all_levels_at_once(void **state) {
    (void)state;
    physics_scene *test = load(classes[1], 2, "", "finestToCoarse='1'"), *by_level = load(classes[1], 2, "", "");
    const st_non_uniform_hexahedron *force = force_of(test);
    st_real nodes[24], cell[576], k[576], other[576];
    st_real *all = calloc(ALL * ALL, sizeof *all), *w = calloc(ALL * 24, sizeof *w), difference = 0;
    st_pack_take(force->mass.fem.model.rest, 24, 0, nodes);
    st_element_model_matrix(&force->mass.fem.model, 0, k);
    st_element_model_matrix(&force_of(by_level)->mass.fem.model, 0, other);
    for (int i = 0; i < 24; i++) nodes[i] /= 4;
    assert_true(st_hexahedron_stiffness(nodes, st_hooke_of(1000, ST_R(0.3)), cell));

    assemble_all(force->condensation.grid, 0, cell, all);
    solve_all(all, w);
    for (size_t r = 0; r < 24; r++)
        for (size_t c = 0; c < 24; c++) {
            st_real sum = 0;
            for (size_t i = 0; i < ALL; i++)
                for (size_t j = 0; w[24 * i + r] != 0 && j < ALL; j++)
                    sum += w[24 * i + r] * all[i * ALL + j] * w[24 * j + c];
            assert_near(k[24 * r + c], sum, 1e8 * ST_REAL_EPSILON);
            difference = st_max(difference, fabs(k[24 * r + c] - other[24 * r + c]));
        }
    assert_true(difference > ST_R(0.01)); // level by level it is another one

    free(all);
    free(w);
    physics_free(by_level);
    physics_free(test);
}

// With one level both are the same.
static void one_level_is_one_step(void **state) {
    (void)state;
    physics_scene *test = load(classes[1], 1, "", "finestToCoarse='1'"), *by_level = load(classes[1], 1, "", "");
    st_real k[576], other[576];
    st_element_model_matrix(&force_of(test)->mass.fem.model, 0, k);
    st_element_model_matrix(&force_of(by_level)->mass.fem.model, 0, other);
    assert_reals(k, 576, other, 1e6 * ST_REAL_EPSILON);
    physics_free(by_level);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// What SOFA does
// ---------------------------------------------------------------------------------------------------

// Six digits, then single precision: the rows of a rigid cell add up to 301056 along their own axis, exact ones to 0.
static void rigid_cells_are_tied_to_their_place(void **state) {
    (void)state;
    static const double values[] = {2.26667e11, 7.08333e10, 5.66667e10, 4.25e10, 2.83333e10, 2.125e10};
    st_real k[ST_HEXAHEDRON_ENTRIES];
    for (int rounded = 0; rounded < 2; rounded++) {
        st_condensation_rigid_cell(rounded, k);
        for (int r = 0; r < 24; r++)
            for (int axis = 0; axis < 3; axis++) {
                double sum = 0;
                for (int j = 0; j < 8; j++) sum += (double)k[24 * r + 3 * j + axis];
                const double expected = rounded && r % 3 == axis ? 301056 : 0;
                assert_near((st_real)sum, (st_real)expected, rounded ? 0 : 1e13 * ST_REAL_EPSILON);
            }
    }
    for (int i = 0; i < ST_HEXAHEDRON_ENTRIES; i++) {
        bool known = false;
        for (int v = 0; v < 6; v++) known = known || fabs(k[i]) == (st_real)(float)values[v];
        assert_true(known);
    }
}

// Two plates in one coarse cell that do not touch: two hexahedra over the same place.
#define PLATES                                                                                                         \
    "v 0 0 0\nv 8 0 0\nv 8 1 0\nv 0 1 0\nv 0 0 8\nv 8 0 8\nv 8 1 8\nv 0 1 8\n"                                         \
    "v 0 7 0\nv 8 7 0\nv 8 8 0\nv 0 8 0\nv 0 7 8\nv 8 7 8\nv 8 8 8\nv 0 8 8\n"                                         \
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"                                               \
    "f 9 12 11 10\nf 13 14 15 16\nf 9 10 14 13\nf 10 11 15 14\nf 11 12 16 15\nf 12 9 13 16\n"

static physics_scene *load_plates(const char *class_name, double mass, const char *more, bool no_compat) {
    char text[2048];
    const char *path = loader_file("plates.obj", PLATES, sizeof PLATES - 1);
    snprintf(text, sizeof text,
             "<SparseGridMultipleTopology name='grid' n='2 2 2' min='-0.2 -0.2 -0.2' max='8.2 8.2 8.2' "
             "nbVirtualFinerLevels='2' finestConnectivity='0' fileTopologies='%s' stiffnessCoefs='4' massCoefs='%g'/>"
             "<MechanicalObject name='dofs'/>"
             "<%s name='fem' nbVirtualFinerLevels='2' youngModulus='1000' poissonRatio='0.3' density='2' %s/>"
             "<Node name='child'><MechanicalObject name='points' position='2 0.5 3  5 7.5 6'/>%s</Node>",
             path, mass, class_name, more,
             strstr(class_name, "Composite")
                 ? "<HexahedronCompositeFEMMapping name='map' input='@../dofs' output='@points'/>"
                 : "");
    physics_scene *test = physics_load_with(text, no_compat);
    remove(path);
    return test;
}

// The sum of the inertia along x over all pairs of corners, in masses of a full finest cell.
static st_real inertia(const st_non_uniform_hexahedron *force) {
    st_real sum = 0, unit = 0;
    for (size_t e = 0; e < force->mass.fem.model.mesh.count; e++)
        for (size_t i = 0; i < 64; i++) sum += force->mass.pattern[e * ST_MASS_PATTERN + i];
    for (size_t i = 0; i < 64; i++) unit += force->condensation.pattern[i];
    return sum / (unit * force->condensation.mass);
}

// Each half of the divided cell has the mass of all its finest cells: 16 of coefficient 4/2 (boundary).
static void pieces_have_all_their_members(void **state) {
    (void)state;
    for (int compat = 0; compat < 2; compat++) {
        physics_scene *test = load_plates(classes[1], 4, "", !compat);
        const st_non_uniform_hexahedron *force = force_of(test);
        assert_int_equal(force->mass.fem.model.mesh.count, 2);
        assert_int_equal(physics_state(test, "/dofs")->size, 16);
        assert_near(inertia(force), 2 * 16 * 2, 1e5 * ST_REAL_EPSILON);
        physics_free(test);
    }
}

// Mass coefficients count for the inertia; in SOFA those of the stiffness.
static void mass_follows_its_coefficient(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++)
        for (int compat = 0; compat < 2; compat++) {
            physics_scene *heavy = load_plates(classes[c], 4, "", !compat);
            physics_scene *light = load_plates(classes[c], 1, "", !compat);
            assert_near(inertia(force_of(light)) / inertia(force_of(heavy)), compat ? 1 : ST_R(0.25),
                        1e3 * ST_REAL_EPSILON);
            physics_free(heavy);
            physics_free(light);
        }
}

// Points in one of two pieces move with that piece alone.
static void points_follow_their_piece(void **state) {
    (void)state;
    for (int complete = 0; complete < 2; complete++) {
        physics_scene *test =
            load_plates(classes[1], 4, complete ? "completeInterpolation='1'" : "completeInterpolation='0'", true);
        st_state *dofs = physics_state(test, "/dofs"), *points = physics_state(test, "/child/points");
        st_mapping *mapping = (st_mapping *)physics_find(test, "/child/map");
        uint32_t corners[8];
        const st_real *x = points->coord[ST_COORD_POSITION].data;
        const st_real before[6] = {x[0], x[1], x[2], x[3], x[4], x[5]};

        // which piece is the lower one? The first, by the order of its members
        st_element_nodes(&force_of(test)->mass.fem.model.mesh, 0, corners);
        for (int i = 0; i < 8; i++) dofs->coord[ST_COORD_POSITION].data[3 * corners[i] + 2] += 3;
        mapping->object.type->mapping->apply(mapping, ST_POSITION, st_read_coord(ST_POSITION));
        for (int i = 0; i < 6; i++) assert_near(x[i], before[i] + (i == 2 ? 3 : 0), 1e4 * ST_REAL_EPSILON);
        physics_free(test);
    }
}

// Velocities and forces go with the frames of the last application, not with those that the force has found since.
static void frames_are_those_of_the_last_application(void **state) {
    (void)state;
    physics_scene *test = load(classes[1], 2, "", "completeInterpolation='1'");
    st_state *dofs = physics_state(test, "/dofs"), *points = physics_state(test, "/child/points");
    st_mapping *mapping = (st_mapping *)physics_find(test, "/child/map");
    st_real *x = dofs->coord[ST_COORD_POSITION].data, *v = dofs->deriv[ST_DERIV_VELOCITY].data;
    st_real first[9];
    for (size_t i = 0; i < 3 * dofs->size; i++) v[i] = x[i] * x[(i + 1) % (3 * dofs->size)];
    mapping->object.type->mapping->apply_j(mapping, ST_VELOCITY, st_read_deriv(ST_VELOCITY));
    memcpy(first, points->deriv[ST_DERIV_VELOCITY].data, sizeof first);

    // a turn about z
    for (size_t n = 0; n < dofs->size; n++) {
        const st_real a = x[3 * n], b = x[3 * n + 1];
        x[3 * n] = ST_R(0.6) * a - ST_R(0.8) * b;
        x[3 * n + 1] = ST_R(0.8) * a + ST_R(0.6) * b;
    }
    physics_force(test, "/fem");
    for (int applied = 0; applied < 2; applied++) {
        st_real difference = 0;
        if (applied) mapping->object.type->mapping->apply(mapping, ST_POSITION, st_read_coord(ST_POSITION));
        mapping->object.type->mapping->apply_j(mapping, ST_VELOCITY, st_read_deriv(ST_VELOCITY));
        for (int i = 0; i < 9; i++) difference += fabs(points->deriv[ST_DERIV_VELOCITY].data[i] - first[i]);
        assert_true(applied ? difference > ST_R(1e-3) : difference == 0);
    }
    physics_free(test);
}

static void wrong_input_is_answered(void **state) {
    (void)state;
    physics_scene *test = load(classes[0], 3, "", "");
    assert_non_null(strstr(test->log, "nbVirtualFinerLevels is 3: the sparse grid has fewer"));
    physics_force(test, "/fem");
    physics_free(test);
    test = load(classes[0], 0, "", "");
    assert_non_null(strstr(test->log, "finer levels are needed"));
    physics_free(test);
    test = physics_load("<RegularGridTopology n='2 2 2' min='0 0 0' max='1 1 1'/><MechanicalObject name='dofs'/>"
                        "<HexahedronCompositeFEMForceFieldAndMass name='fem' nbVirtualFinerLevels='1' youngModulus='1' "
                        "poissonRatio='0.3'/><Node name='child'><MechanicalObject name='points' position='0 0 0'/>"
                        "<HexahedronCompositeFEMMapping input='@../dofs' output='@points'/></Node>");
    assert_non_null(strstr(test->log, "the mesh is no sparse grid"));
    assert_non_null(strstr(test->log, "has no finer levels that could carry points"));
    physics_free(test);
    test = physics_load("<MechanicalObject name='dofs' position='0 0 0'/><Node name='child'>"
                        "<MechanicalObject name='points' position='0 0 0'/>"
                        "<HexahedronCompositeFEMMapping input='@../dofs' output='@points'/></Node>");
    assert_non_null(strstr(test->log, "there is no HexahedronCompositeFEMForceFieldAndMass"));
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_cells_are_one_element),
        cmocka_unit_test(rigid_motion_makes_no_force),
        cmocka_unit_test(derivatives_at_rest),
        cmocka_unit_test(points_follow_the_body),
        cmocka_unit_test(all_levels_at_once),
        cmocka_unit_test(one_level_is_one_step),
        cmocka_unit_test(rigid_cells_are_tied_to_their_place),
        cmocka_unit_test(pieces_have_all_their_members),
        cmocka_unit_test(mass_follows_its_coefficient),
        cmocka_unit_test(points_follow_their_piece),
        cmocka_unit_test(frames_are_those_of_the_last_application),
        cmocka_unit_test(wrong_input_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
