// NonUniformHexahedralFEMForceFieldAndMass: hexahedra that are made of voxels, with the stiffness and mass of these.
//
// With ℓ the level of the container, n = 2^ℓ: all voxels have the shape of the first hexahedron by n. K_f and M_f are
// the stiffness and the consistent mass of such a voxel, H the 8 × 8 trilinear weights of the hexahedron's corners at
// the corners of its voxel (i, j, k):
//
//     K_e = (H ⊗ I)ᵀ K_f (H ⊗ I),   M_e = (H ⊗ I)ᵀ M_f (H ⊗ I),   H[w][c] = N_c(((i, j, k) + corner w) / n)
//
// The rotations of the elements do not change M_e, whose blocks are multiples of I.
//
// Init: 1. the container, 2. K_f of the first hexahedron, 3. K_e and M_e of each one, 4. weights and sums of the rows.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/fem/hexahedron/hexahedron_mass.h"
#include "topology/tables.h"
#include "topology/voxel_containers.h"

typedef struct non_uniform_hexahedral {
    st_hexahedron_mass mass;
    bool recursive, use_mbk;
    const st_multilevel *voxels;
} non_uniform_hexahedral;

static const st_field fields[] = {
    ST_FIELD(non_uniform_hexahedral, recursive, "recursive", st_type_bool, "0",
             "sum over voxels level by level; the sum is the same", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(non_uniform_hexahedral, use_mbk, "useMBK", st_type_bool, "1",
             "keep one matrix per element for products; the product is the same", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Weights
// ---------------------------------------------------------------------------------------------------

// h[w][c]: how much corner c of the hexahedron counts at corner w of its voxel.
static void voxel_weights(const non_uniform_hexahedral *self, size_t e, st_real h[8][8]) {
    const st_real n = (st_real)(1 << self->voxels->level);
    int place[3];
    st_multilevel_place(self->voxels, e, place);

    for (int w = 0; w < 8; w++)
        for (int c = 0; c < 8; c++) {
            h[w][c] = 1;
            for (int k = 0; k < 3; k++) {
                const st_real at = (st_real)(place[k] + st_hexahedron_corners[w][k]) / n;
                h[w][c] *= st_hexahedron_corners[c][k] ? at : 1 - at;
            }
        }
}

// The first hexahedron in its own frame, by n: the shape of all voxels.
static void voxel_nodes(const non_uniform_hexahedral *self, st_real nodes[24]) {
    st_real rest[24];
    st_pack_take(self->mass.fem.model.rest, 24, 0, rest);
    for (int i = 0; i < 24; i++) nodes[i] = (rest[i] - rest[i % 3]) / (st_real)(1 << self->voxels->level);
}

// ---------------------------------------------------------------------------------------------------
// Stiffness and mass
// ---------------------------------------------------------------------------------------------------

// One material for all: that of the first element.
static void law_stiffness(const void *user, size_t e, const st_real *nodes, st_real *k) {
    const non_uniform_hexahedral *self = user;
    st_real voxel[24], fine[576], half[576] = {0}, h[8][8];
    (void)nodes; // voxels have one shape
    voxel_nodes(self, voxel);
    voxel_weights(self, e, h);
    if (!st_hexahedron_stiffness(voxel, st_hexahedron_fem_hooke(&self->mass.fem, 0), fine))
        __atomic_store_n((bool *)&self->mass.fem.model.singular, true, __ATOMIC_RELAXED);

    // K_f (H ⊗ I), then its product with the transpose from the left
    for (int r = 0; r < 24; r++)
        for (int c = 0; c < 24; c++)
            for (int v = 0; v < 8; v++) half[24 * r + c] += fine[24 * r + 3 * v + c % 3] * h[v][c / 3];
    for (int r = 0; r < 24; r++)
        for (int c = 0; c < 24; c++) {
            k[24 * r + c] = 0;
            for (int w = 0; w < 8; w++) k[24 * r + c] += h[w][r / 3] * half[24 * (3 * w + r % 3) + c];
        }
}

static void law_marks(const void *user, size_t e, st_real marks[ST_ELEMENT_MARKS]) {
    int place[3];
    st_multilevel_place(((const non_uniform_hexahedral *)user)->voxels, e, place);
    for (int k = 0; k < 3; k++) marks[k] = (st_real)place[k];
}

// Σ_wv H[w][i] P[w][v] H[v][j], the same along each axis.
static void element_pattern(const non_uniform_hexahedral *self, size_t e, const st_real fine[ST_MASS_PATTERN],
                            st_real pattern[ST_MASS_PATTERN]) {
    st_real h[8][8];
    voxel_weights(self, e, h);

    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            st_real sum = 0;
            for (int w = 0; w < 8; w++)
                for (int v = 0; v < 8; v++) sum += h[w][i] * fine[8 * w + v] * h[v][j];
            for (int a = 0; a < 3; a++) pattern[64 * a + 8 * i + j] = sum;
        }
}

static bool set_voxel_masses(non_uniform_hexahedral *self) {
    st_hexahedron_mass *mass = &self->mass;
    const st_element_mesh *mesh = &mass->fem.model.mesh;
    st_real voxel[24], fine[ST_MASS_PATTERN], *patterns = st_alloc(mesh->count, ST_MASS_PATTERN * sizeof *patterns);
    if (!patterns) return false;

    // each hexahedron has the mass of its voxel, an eighth of it at each corner
    voxel_nodes(self, voxel);
    st_hexahedron_mass_consistent(fine);
    const st_real m = mass->density * st_hexahedron_box_volume(voxel);
    for (size_t i = 0; i < mass->weight.count; i++) mass->weight.data[i] = 0;
    for (size_t e = 0; e < mesh->count; e++) {
        uint32_t corners[ST_ELEMENT_CORNERS];
        st_element_nodes(mesh, e, corners);
        mass->scale[e] = m;
        for (int i = 0; i < 8; i++) mass->weight.data[corners[i]] += m / 8;
        element_pattern(self, e, fine, patterns + e * ST_MASS_PATTERN);
    }

    st_free(mass->pattern);
    mass->pattern = patterns;
    mass->pattern_each = true;
    return st_hexahedron_mass_lump(mass, false);
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_status non_uniform_hexahedral_reinit(st_object *object) {
    non_uniform_hexahedral *self = (non_uniform_hexahedral *)object;
    st_hexahedron_fem *fem = &self->mass.fem;

    // which voxel each hexahedron is
    const st_topology *topology = st_elastic_mesh(&fem->elastic);
    if (!topology) return ST_INVALID;
    if (!st_is_a(&topology->object, &st_multilevel_hexahedron_set_topology_container_class))
        return st_invalid(object, "its mesh %s is no %s", topology->object.name,
                          st_multilevel_hexahedron_set_topology_container_class.name);
    if (topology->object.validity != ST_VALID)
        return st_invalid(object, "its mesh %s is not valid", topology->object.name);
    self->voxels = (const st_multilevel *)topology;

    // stiffness, then mass
    fem->law = (st_element_law){law_stiffness, law_marks, self};
    st_status status = st_hexahedron_fem_build(fem, st_hexahedron_fem_rest(fem), false);
    if (status == ST_OK) status = st_hexahedron_mass_build(&self->mass, st_hexahedron_fem_rest(fem)->data);
    if (status == ST_OK && !set_voxel_masses(self))
        return st_invalid(object, "out of memory for the masses of %zu hexahedra", fem->model.mesh.count);
    return status;
}

static st_status non_uniform_hexahedral_init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? non_uniform_hexahedral_reinit(object) : status;
}

const st_class st_non_uniform_hexahedral_fem_force_field_and_mass_class = {
    .name = "NonUniformHexahedralFEMForceFieldAndMass",
    .help = "hexahedra that are made of voxels, with the stiffness and mass of these",
    .parent = &st_hexahedral_fem_force_field_and_mass_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(non_uniform_hexahedral),
    .example = "<MultilevelHexahedronSetTopologyContainer hexahedra=\"0 1 2 3 4 5 6 7\" level=\"1\" "
               "resolution=\"2 2 2\" idxInRegularGrid=\"5\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1\"/>\n"
               "<NonUniformHexahedralFEMForceFieldAndMass youngModulus=\"1000\" poissonRatio=\"0.3\" density=\"2\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = non_uniform_hexahedral_init,
    .reinit = non_uniform_hexahedral_reinit,
};
