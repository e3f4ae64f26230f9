// Hexahedra that stand for voxels: NonUniformHexahedralFEMForceFieldAndMass on its container against the same body made of
// ordinary hexahedra, the containers on a mesh that changes, wrong input.
//
// SPDX-License-Identifier: Apache-2.0
#include "loader_scene.h"
#include "physics_scene.h"

#include "plan/edits.h"
#include "plan/plan.h"
#include "topology/edit.h"

#define NODES "<MechanicalObject name='dofs' position='0 0 0 2 0 0 2 2 0 0 2 0 0 0 2 2 0 2 2 2 2 0 2 2"
#define MATERIAL "name='fem' youngModulus='1000' poissonRatio='0.3' density='3'"
#define CELL "0 1 2 3 4 5 6 7 "
#define VOXELS(level, n, index, cells)                                                                                 \
    "<MultilevelHexahedronSetTopologyContainer name='mesh' level='" level "' resolution='" n                           \
    "' idxInRegularGrid='" index "' hexahedra='" cells "'/>"

// Force at moved nodes with weight, then the mass times a vector.
static void evaluate(const char *text, st_real *result) {
    physics_scene *test = physics_load(text);
    st_state *dofs = physics_state(test, "/dofs");
    st_mass *mass = (st_mass *)physics_find(test, "/fem");
    const size_t count = 3 * dofs->size;
    st_params params = st_default_params();
    unsigned seed = 11;
    if (!st_is_valid(&mass->force.object)) fail_msg("%s", test->log);

    for (size_t i = 0; i < count; i++) dofs->coord[ST_COORD_POSITION].data[i] += physics_random(&seed) / 10;
    physics_force(test, "/fem");
    memcpy(result, dofs->deriv[ST_DERIV_FORCE].data, count * sizeof *result);
    assert_true(st_state_make_deriv(dofs, ST_DX) && st_state_make_deriv(dofs, ST_DFORCE));
    for (size_t i = 0; i < count; i++) dofs->deriv[ST_DERIV_DX].data[i] = physics_random(&seed);
    mass->force.object.type->mass->product(mass, &params, 1);
    memcpy(result + count, dofs->deriv[ST_DERIV_DFORCE].data, count * sizeof *result);

    // the matrix of the mass is its product
    memset(dofs->deriv[ST_DERIV_DFORCE].data, 0, count * sizeof *result);
    st_mass_multiply_blocks(mass, &params, 1);
    assert_reals(dofs->deriv[ST_DERIV_DFORCE].data, count, result + count, 1e4 * ST_REAL_EPSILON);
    physics_free(test);
}

static void assert_same(const char *a, const char *b, size_t count) {
    st_real x[96], y[96];
    st_real scale = 0;
    evaluate(a, x);
    evaluate(b, y);
    for (size_t i = 0; i < 2 * count; i++) scale = st_max(scale, fabs(y[i]));
    assert_true(scale > 1);
    assert_reals(x, 2 * count, y, 1e3 * ST_REAL_EPSILON * scale);
}

static void one_voxel_is_a_hexahedron(void **state) {
    (void)state;
    assert_same(VOXELS("0", "1 1 1", "0", CELL) NODES "'/><NonUniformHexahedralFEMForceFieldAndMass " MATERIAL "/>",
                "<HexahedronSetTopologyContainer hexahedra='" CELL "'/>" NODES
                "'/><HexahedralFEMForceFieldAndMass " MATERIAL "/>",
                24);
    assert_same(VOXELS("0", "1 1 1", "0", CELL) NODES
                "'/><NonUniformHexahedralFEMForceFieldAndMass lumpedMass='1' method='polar' " MATERIAL "/>",
                "<HexahedronSetTopologyContainer hexahedra='" CELL "'/>" NODES
                "'/><HexahedralFEMForceFieldAndMass lumpedMass='1' method='polar' " MATERIAL "/>",
                24);
}

// Eight elements between the same nodes, each with another of the eight voxels: Σ Hᵀ K_f H = K, Σ Hᵀ M_f H = M.
static void all_voxels_are_a_hexahedron(void **state) {
    (void)state;
    assert_same(VOXELS("1", "2 2 2", "0 1 2 3 4 5 6 7", CELL CELL CELL CELL CELL CELL CELL CELL) NODES
                "'/><NonUniformHexahedralFEMForceFieldAndMass useMBK='0' recursive='1' " MATERIAL "/>",
                "<HexahedronSetTopologyContainer hexahedra='" CELL "'/>" NODES
                "'/><HexahedralFEMForceFieldAndMass " MATERIAL "/>",
                24);
}

// The weight of one of eight voxels, and where it lies: the corner next to voxel 7 (1 1 1) has the most inertia.
static void a_voxel_is_a_part(void **state) {
    (void)state;
    physics_scene *test = physics_load(VOXELS("1", "2 2 2", "7", CELL) NODES
                                       "'/><NonUniformHexahedralFEMForceFieldAndMass lumpedMass='1' " MATERIAL "/>");
    physics_force(test, "/fem");
    const st_real *f = physics_force_of(test, "/dofs");
    for (size_t i = 0; i < 8; i++) assert_near(f[3 * i + 1], ST_R(-10.0) * 3 / 8, 1e3 * ST_REAL_EPSILON);

    // Σ_w N_c at the corners of the voxel, an eighth each: (3/4)³ at corner 6, (1/4)³ at corner 0
    st_state *dofs = physics_state(test, "/dofs");
    st_mass *mass = (st_mass *)physics_find(test, "/fem");
    assert_true(st_state_make_deriv(dofs, ST_DX) && st_state_make_deriv(dofs, ST_DFORCE));
    for (size_t i = 0; i < 24; i++) dofs->deriv[ST_DERIV_DX].data[i] = 1;
    const st_params params = st_default_params();
    mass->force.object.type->mass->product(mass, &params, 1);
    assert_near(dofs->deriv[ST_DERIV_DFORCE].data[18], 3 * ST_R(27.0) / 64, 1e3 * ST_REAL_EPSILON);
    assert_near(dofs->deriv[ST_DERIV_DFORCE].data[0], 3 * ST_R(1.0) / 64, 1e3 * ST_REAL_EPSILON);
    physics_free(test);
}

// Three cells in a row with other voxels each; the first goes, and the last one takes its place.
#define ROW(index, cells, nodes)                                                                                       \
    "<Node name='body'>" VOXELS(                                                                                       \
        "1", "6 2 2", index,                                                                                           \
        cells) "<HexahedronSetTopologyModifier name='modifier'/><MechanicalObject name='dofs' position='" nodes "'/>"  \
               "<NonUniformHexahedralFEMForceFieldAndMass " MATERIAL "/></Node>"

static void voxels_follow_their_mesh(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        ROW("1 14 23", "0 1 2 3 4 5 6 7  1 8 9 2 5 10 11 6  8 12 13 9 10 14 15 11 ",
            "0 0 0 2 0 0 2 2 0 0 2 0 0 0 2 2 0 2 2 2 2 0 2 2 4 0 0 4 2 0 4 0 2 4 2 2 6 0 0 6 2 0 6 0 2 6 2 2"));
    assert_int_equal(st_edit_remove_items((st_modifier *)physics_find(test, "/body/modifier"), (uint32_t[]){0}, 1),
                     ST_OK);
    st_finish_edits(test->scene);
    assert_field(test, "/body/mesh", "idxInRegularGrid", "23 14");

    // the same from scratch
    st_state *dofs = physics_state(test, "/body/dofs");
    const st_topology *mesh = (const st_topology *)physics_find(test, "/body/mesh");
    char cells[256] = "", nodes[1024] = "", text[4096];
    for (size_t i = 0; i < 16; i++)
        snprintf(cells + strlen(cells), sizeof cells - strlen(cells), "%u ", mesh->elements[ST_HEXAHEDRON].data[i]);
    for (size_t i = 0; i < 3 * dofs->size; i++)
        snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes), "%g ",
                 (double)dofs->coord[ST_COORD_POSITION].data[i]);
    snprintf(text, sizeof text, ROW("23 14", "%s", "%s"), cells, nodes);
    physics_scene *again = physics_load(text);
    st_state *fresh = physics_state(again, "/body/dofs");
    assert_int_equal(fresh->size, 12);
    assert_int_equal(dofs->size, 12);
    unsigned seed = 3;
    for (size_t i = 0; i < 36; i++)
        fresh->coord[ST_COORD_POSITION].data[i] = dofs->coord[ST_COORD_POSITION].data[i] += physics_random(&seed) / 10;
    physics_force(test, "/body/fem");
    physics_force(again, "/body/fem");
    assert_reals(dofs->deriv[ST_DERIV_FORCE].data, 36, fresh->deriv[ST_DERIV_FORCE].data, 1e5 * ST_REAL_EPSILON);
    physics_free(again);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Images
// ---------------------------------------------------------------------------------------------------

static void an_image_loses_voxels(void **state) {
    (void)state;
    static const char raw[6] = {5, 0, 7, 9, 0, 8};
    char text[2048];
    snprintf(text, sizeof text,
             "<Node name='body'><VoxelGridLoader name='loader' filename='%s' resolution='3 2 1' voxelSize='1 2 3' "
             "bgValue='0'/><DynamicSparseGridTopologyContainer name='mesh' position='@loader.position' "
             "hexahedra='@loader.hexahedra'/><DynamicSparseGridTopologyModifier name='modifier'/>"
             "<DynamicSparseGridGeometryAlgorithms name='geometry'/><MechanicalObject name='dofs'/></Node>",
             loader_file("dynamic.raw", raw, sizeof raw));
    physics_scene *test = physics_load(text);
    assert_int_equal(test->count[ST_ERROR], 0);
    assert_field(test, "/body/mesh", "resolution", "3 2 1");
    assert_field(test, "/body/mesh", "voxelSize", "1 2 3");
    assert_field(test, "/body/mesh", "idxInRegularGrid", "0 2 3 5");
    assert_field(test, "/body/mesh", "valuesIndexedInTopology", "5 7 9 8");
    assert_field(test, "/body/mesh", "valuesIndexedInRegularGrid", "255 0 255 255 0 255");
    assert_field(test, "/body/mesh", "idInRegularGrid2IndexInTopo", "0 4294967295 1 2 4294967295 3");

    // the last voxel takes the place of the first
    assert_int_equal(st_edit_remove_items((st_modifier *)physics_find(test, "/body/modifier"), (uint32_t[]){0}, 1),
                     ST_OK);
    st_finish_edits(test->scene);
    assert_field(test, "/body/mesh", "idxInRegularGrid", "5 2 3");
    assert_field(test, "/body/mesh", "valuesIndexedInTopology", "8 7 9");
    assert_field(test, "/body/mesh", "valuesIndexedInRegularGrid", "0 0 255 255 0 255");
    assert_field(test, "/body/mesh", "idInRegularGrid2IndexInTopo", "4294967295 4294967295 1 2 4294967295 0");

    // and back
    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    assert_field(test, "/body/mesh", "idxInRegularGrid", "0 2 3 5");
    assert_field(test, "/body/mesh", "valuesIndexedInTopology", "5 7 9 8");
    assert_field(test, "/body/mesh", "valuesIndexedInRegularGrid", "255 0 255 255 0 255");
    physics_free(test);
    remove(loader_file("dynamic.raw", "", 0));
}

static void refuse(const char *xml, const char *what) {
    physics_scene *test = physics_load(xml);
    if (!test->count[ST_ERROR] || !strstr(test->log, what)) fail_msg("no \"%s\" in: %s", what, test->log);
    assert_true(st_succeeded(st_scene_step(test->scene, 0)));
    physics_free(test);
}

static void wrong_input_is_reported(void **state) {
    (void)state;
    refuse("<RegularGridTopology name='grid' n='2 2 2'/><MechanicalObject/><NonUniformHexahedralFEMForceFieldAndMass/>",
           "its mesh grid is no MultilevelHexahedronSetTopologyContainer");
    refuse(VOXELS("0", "1 1 1", "0", CELL CELL), "idxInRegularGrid has 1 numbers for 2 hexahedra");
    refuse(VOXELS("0", "0 0 0", "0", CELL), "resolution is 0 0 0");
    refuse(VOXELS("0", "70000 70000 2", "0", CELL), "less than 2^32 voxels");
    refuse(VOXELS("0", "2 2 2", "8", CELL), "idxInRegularGrid of hexahedron 0 is 8, but the grid has 8 voxels");
    refuse(VOXELS("-1", "2 2 2", "0", CELL), "level is -1");
    refuse(VOXELS("-1", "2 2 2", "0", CELL) NODES "'/><NonUniformHexahedralFEMForceFieldAndMass/>",
           "its mesh mesh is not valid");
    refuse("<DynamicSparseGridTopologyContainer hexahedra='" CELL "'/>", "there is no VoxelGridLoader");
    refuse("<HexahedronSetTopologyContainer/><DynamicSparseGridTopologyModifier/>",
           "there is no DynamicSparseGridTopologyContainer");
    refuse("<HexahedronSetTopologyContainer/><DynamicSparseGridGeometryAlgorithms/>",
           "there is no DynamicSparseGridTopologyContainer");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_voxel_is_a_hexahedron), cmocka_unit_test(all_voxels_are_a_hexahedron),
        cmocka_unit_test(a_voxel_is_a_part),         cmocka_unit_test(voxels_follow_their_mesh),
        cmocka_unit_test(an_image_loses_voxels),     cmocka_unit_test(wrong_input_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
