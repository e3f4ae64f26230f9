// The block-diagonal matrix R of the rotations of all points since another system, the main one, was assembled. With it
// a WarpPreconditioner turns an old factorization with the body: A⁻¹ ≈ R A_old⁻¹ Rᵀ.
//
// The main system is assembled every `assemblingRate` builds, and R is then the identity. In between R tells how far
// the points have turned since. (SOFA takes the rotation since the rest shape there, which is right only until the
// second assembly: warp-rotations in the table of compatibility.)
//
// SPDX-License-Identifier: Apache-2.0
#include "system/rotation_matrix_system.h"

#include <string.h>

#include "base/array.h"
#include "scene/compat.h"

typedef st_rotation_matrix_system rotation_system;

// ---------------------------------------------------------------------------------------------------
// Links
// ---------------------------------------------------------------------------------------------------

static bool is_assembled(const st_object *system) {
    // GraphScattered is SOFA's word for matrix-free
    return !system->template_ || strcmp(system->template_, "GraphScattered") != 0;
}

static void find_main(rotation_system *self) {
    const st_node *node = self->system.object.node;
    for (size_t i = 0; i < node->objects.count && !self->main; i++) {
        st_object *object = node->objects.data[i];

        // another, assembled system
        if (st_has_role(object, ST_ROLE(system)) && object != &self->system.object && is_assembled(object) &&
            !st_is_a(object, &st_rotation_matrix_system_class))
            self->main = (st_system *)object;
    }
}

static st_status rotation_matrix_system_init(st_object *object) {
    rotation_system *self = (rotation_system *)object;

    // the first build assembles
    self->builds = self->rate;
    self->rotations.since_rest = st_compat_on(object->scene, ST_COMPAT_WARP_ROTATIONS);
    return ST_OK;
}

// By now solvers have made the systems that they did not find.
static st_status rotation_matrix_system_bwd_init(st_object *object) {
    rotation_system *self = (rotation_system *)object;

    // who knows the rotations
    if (!self->finder) self->finder = st_rotations_find(object->node);

    if (!self->finder)
        return st_invalid(object, "no force in its node or above tells rotations: say which one does with "
                                  "rotationFinder=\"@...\"");

    if (!st_tells_rotations(self->finder))
        return st_invalid(object, "its rotationFinder %s does not tell rotations", st_path(self->finder));

    // which system is warped
    if (!self->main) find_main(self);

    if (!self->main)
        return st_invalid(object, "there is no assembled linear system in its node: say which one is warped with "
                                  "mainSystem=\"@...\"");

    if (!is_assembled(&self->main->object) || &self->main->object == object)
        return st_invalid(object, "its mainSystem %s is %s: it must be another, assembled system",
                          st_path(&self->main->object), &self->main->object == object ? "itself" : "matrix-free");

    return ST_OK;
}

static void rotation_matrix_system_reset(st_object *object) {
    rotation_system *self = (rotation_system *)object;
    self->builds = self->rate;
    self->built = false;
}

// ---------------------------------------------------------------------------------------------------
// Building
// ---------------------------------------------------------------------------------------------------

static st_status rotation_matrix_system_resize(rotation_system *self) {
    const size_t blocks = self->system.size / 3;
    if ((size_t)self->matrix.rows == blocks && self->matrix.starts) return ST_OK;

    // one block per row, on the diagonal
    size_t *starts = blocks < INT32_MAX ? st_alloc(blocks + 1, sizeof *starts) : NULL;
    int32_t *columns = st_alloc(blocks, sizeof *columns);
    st_status status = starts && columns ? ST_OK : ST_OUT_OF_MEMORY;

    for (size_t i = 0; status == ST_OK && i < blocks; i++) {
        starts[i + 1] = i + 1;
        columns[i] = (int32_t)i;
    }

    st_bsr_free(&self->matrix);
    if (status == ST_OK) status = st_bsr_create(&self->matrix, 3, (int32_t)blocks, (int32_t)blocks, starts, columns);

    st_free(starts);
    st_free(columns);
    if (status != ST_OK) st_message(&self->system.object, ST_ERROR, "out of memory for %zu rotations", blocks);

    return status;
}

static st_status build_main(rotation_system *self, const st_params *params) {
    if (self->building) {
        st_message(&self->system.object, ST_ERROR, "mainSystem leads back to this system");
        return ST_FAILED;
    }

    self->building = true;
    const st_status status = self->main->object.type->system->build(self->main, params);
    self->building = false;
    if (status == ST_OK) self->builds = 0;

    return status;
}

// What SOFA takes for the identity: an eighth of the numbers is cleared, then ones are written on the diagonals. The
// matrix has the rotations of the build before.
static void rotation_matrix_system_keep_old(rotation_system *self) {
    const size_t count = self->rotations.since.count;
    if (9 * (size_t)self->matrix.rows != count) return;

    st_copy_reals(self->rotations.since.data, self->matrix.values, count);
    memset(self->rotations.since.data, 0, count * sizeof(st_real) / 8);
    for (size_t i = 0; i < count; i++)
        if (i % 9 % 4 == 0) self->rotations.since.data[i] = 1;
}

// The rotations since the main system's build. Where that is built every time nobody needs to be asked.
static st_status rotation_matrix_system_turn(rotation_system *self, bool assembled) {
    const st_plan *plan = self->system.plan;
    const st_object *object = &self->system.object;
    const bool ask = !assembled || self->rate > 1;

    if (!(ask ? st_rotations_update(&self->rotations, plan, self->finder, object)
              : st_rotations_clear(&self->rotations, plan, object)))
        return ST_FAILED;

    // R counts from the assembly on
    if (assembled) st_rotations_mark(&self->rotations);
    if (assembled && self->built && self->rotations.since_rest) rotation_matrix_system_keep_old(self);
    const st_status status = rotation_matrix_system_resize(self);
    if (status == ST_OK) st_copy_reals(self->matrix.values, self->rotations.since.data, self->rotations.since.count);
    return status;
}

static st_status rotation_matrix_system_build(st_system *system, const st_params *params) {
    rotation_system *self = (rotation_system *)system;
    if (!st_is_valid(&system->object) || !self->main) {
        st_message(&system->object, ST_ERROR, "it is not valid: nothing is assembled");
        return ST_FAILED;
    }

    st_status status = st_system_prepare(system);
    if (status != ST_OK) return status;
    if (!system->enable_assembly && self->built && 3 * (size_t)self->matrix.rows == system->size) return ST_OK;

    // the main system, when it is its turn or its size changed
    self->builds += self->builds < UINT32_MAX;
    const bool assemble = self->builds >= self->rate || self->main->version == 0 || self->main->size != system->size;
    if (assemble) status = build_main(self, params);

    // the rotations since then
    if (status == ST_OK) status = rotation_matrix_system_turn(self, assemble);
    if (status != ST_OK) return status;

    self->built = true;
    system->params = *params;
    system->version++;
    system->factorization_invalid = true;

    return ST_OK;
}

static st_status rotation_matrix_system_rotate(st_system *system, bool transposed, const st_real *x, st_real *y) {
    const rotation_system *self = (const rotation_system *)system;

    // both are made by a build, for its size
    if (3 * (size_t)self->matrix.rows != system->size || self->rotations.since.count != 3 * system->size) {
        st_message(&system->object, ST_ERROR, "the states changed since the system was built");
        return ST_FAILED;
    }

    st_rotations_apply(&self->rotations, transposed, x, y);
    return ST_OK;
}

static st_status rotation_matrix_system_multiply(st_system *system, const st_real *p, st_real *q) {
    return rotation_matrix_system_rotate(system, false, p, q);
}

static const st_bsr *rotation_matrix_system_matrix(st_system *system) { return &((rotation_system *)system)->matrix; }

static void rotation_matrix_system_destroy(st_object *object) {
    rotation_system *self = (rotation_system *)object;
    st_rotations_free(&self->rotations);
    st_bsr_free(&self->matrix);
    st_system_destroy(object);
}

static const st_field fields[] = {
    ST_FIELD(rotation_system, rate, "assemblingRate", st_type_uint, "1",
             "the main system is assembled every so many builds"),
    ST_FIELD(rotation_system, main, "mainSystem", st_type_link, NULL,
             "assembled linear system that is warped; without it the first one of the node", .role = ST_ROLE(system)),
    ST_FIELD(rotation_system, finder, "rotationFinder", st_type_link, NULL,
             "force that tells the rotations of its points; without it the first one of the node or above",
             .role = ST_ROLE(force)),
    ST_FIELDS_END,
};

static const st_system_ops ops = {.build = rotation_matrix_system_build,
                                  .multiply = rotation_matrix_system_multiply,
                                  .matrix = rotation_matrix_system_matrix,
                                  .rotate = rotation_matrix_system_rotate};

const st_class st_rotation_matrix_system_class = {
    .name = "RotationMatrixSystem",
    .help = "rotations of all points since another linear system was assembled, for a WarpPreconditioner",
    .parent = &st_system_class,
    .templates = "RotationMatrixd",
    .default_template = "RotationMatrixd",
    .fields = fields,
    .size = sizeof(rotation_system),
    .example = "<EulerImplicitSolver/>\n"
               "<PCGLinearSolver iterations=\"50\" tolerance=\"1e-9\" preconditioner=\"@warp\"/>\n"
               "<RotationMatrixSystem name=\"rotations\" assemblingRate=\"5\"/>\n"
               "<WarpPreconditioner name=\"warp\" linearSystem=\"@rotations\" linearSolver=\"@ldl\"/>\n"
               "<SparseLDLSolver name=\"ldl\" template=\"CompressedRowSparseMatrixMat3x3d\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1\"/>\n"
               "<MeshTopology tetrahedra=\"0 1 2 3\"/>\n"
               "<UniformMass totalMass=\"2\"/>\n"
               "<FixedProjectiveConstraint indices=\"0\"/>\n"
               "<TetrahedronFEMForceField youngModulus=\"500\" poissonRatio=\"0.3\" method=\"large\"/>",
    .init = rotation_matrix_system_init,
    .bwd_init = rotation_matrix_system_bwd_init,
    .reset = rotation_matrix_system_reset,
    .destroy = rotation_matrix_system_destroy,
    .system = &ops,
};
