// TriangularAnisotropicFEMForceField: TriangularFEMForceField of a material with fibers.
//
// In the axes of the fibers, with E1 along and E2 across them and ν2 = ν E2/E1:
//
//     Q11 = E1/(1 - ν ν2),   Q12 = ν E2/(1 - ν ν2),   Q22 = E2/(1 - ν ν2),   Q66 = E1/(2 (1 + ν))
//
// turned into the frame of the triangle, where (c, s) is the direction of the fibers:
//
//     K11 = c⁴ Q11 + 2 c²s² (Q12 + 2 Q66) + s⁴ Q22,          K22 = s⁴ Q11 + 2 c²s² (Q12 + 2 Q66) + c⁴ Q22
//     K12 = c²s² (Q11 + Q22 - 4 Q66) + (c⁴ + s⁴) Q12,        K66 = c²s² (Q11 + Q22 - 2 Q12 - 2 Q66) + (c⁴ + s⁴) Q66
//     K16 = s c³ (Q11 - Q12 - 2 Q66) + s³c (Q12 - Q22 + 2 Q66)
//     K26 = s³c (Q11 - Q12 - 2 Q66) + s c³ (Q12 - Q22 + 2 Q66)
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/fem/triangle/triangular_fem.h"
#include "math/vec3.h"
#include "settee/plugin/draw.h"

#define DEFAULT_TRANSVERSE 1000

typedef struct anisotropic {
    st_triangular_fem base;
    st_reals transverse;
    st_real fiber_angle; // degrees
    st_reals fiber_center;
    bool show_fiber;
    st_reals local_direction; // Vec3: c, s, 0
} anisotropic;

// ---------------------------------------------------------------------------------------------------
// Material
// ---------------------------------------------------------------------------------------------------

// The fibers run round a center, or along one direction of the x-y plane.
static void fiber_direction(const anisotropic *self, size_t lane, st_real fiber[3]) {
    const st_real angle = self->fiber_angle * ST_PI / 180;
    st_vec3_set(fiber, cos(angle), sin(angle), 0);
    if (self->fiber_center.count == 0) return;

    // across the line from the middle of the triangle to the center
    const st_real *rest = self->base.base.elastic.force.state->coord[ST_COORD_REST].data;
    uint32_t nodes[3];
    st_real ab[3], ac[3], normal[3], middle[3];
    st_element_nodes(&self->base.base.model.mesh, lane, nodes);
    const st_real *a = rest + 3 * (size_t)nodes[0], *b = rest + 3 * (size_t)nodes[1], *c = rest + 3 * (size_t)nodes[2];
    st_vec3_sub(ab, b, a);
    st_vec3_sub(ac, c, a);
    st_vec3_cross(normal, ab, ac);
    for (int k = 0; k < 3; k++) middle[k] = (a[k] + b[k] + c[k]) / 3;
    st_vec3_sub(middle, self->fiber_center.data, middle);
    st_vec3_cross(fiber, normal, middle);
}

// The direction in the frame of the triangle; its x axis where the fibers are normal to it.
static void local_direction(const anisotropic *self, size_t lane, st_real direction[3]) {
    st_real fiber[3], frame[6];
    fiber_direction(self, lane, fiber);
    st_pack_take(self->base.base.model.frame[0], 6, lane, frame);
    st_vec3_set(direction, st_vec3_dot(frame, fiber), st_vec3_dot(frame + 3, fiber), 0);
    if (!st_vec3_normalize(direction, direction)) st_vec3_set(direction, 1, 0, 0);
}

static void turned_material(st_real k[6], const st_real q[4], st_real c, st_real s) {
    const st_real c2 = c * c, s2 = s * s, c4 = c2 * c2, s4 = s2 * s2, sc3 = s * c * c2, s3c = s * s2 * c;
    const st_real q11 = q[0], q12 = q[1], q22 = q[2], q66 = q[3];

    // Q̄ = T⁻¹ Q T⁻ᵀ of a layer whose fibers are turned by θ; c = cos θ, s = sin θ
    k[0] = c4 * q11 + 2 * c2 * s2 * (q12 + 2 * q66) + s4 * q22;
    k[1] = c2 * s2 * (q11 + q22 - 4 * q66) + (c4 + s4) * q12;
    k[2] = sc3 * (q11 - q12 - 2 * q66) + s3c * (q12 - q22 + 2 * q66);
    k[3] = s4 * q11 + 2 * c2 * s2 * (q12 + 2 * q66) + c4 * q22;
    k[4] = s3c * (q11 - q12 - 2 * q66) + sc3 * (q12 - q22 + 2 * q66);
    k[5] = c2 * s2 * (q11 + q22 - 2 * q12 - 2 * q66) + (c4 + s4) * q66;
}

// False when the material has no finite stiffness: then it has none.
static bool set_material(anisotropic *self, size_t lane) {
    st_triangle_model *model = &self->base.base.model;
    const st_elastic *elastic = &self->base.base.elastic;
    const size_t e = st_triangle_of_lane(model, lane), given = self->transverse.count;

    // Q in the axes of the fibers
    const st_real e1 = st_elastic_young(elastic, e), nu = st_elastic_poisson(elastic, e);
    const st_real e2 = given ? self->transverse.data[e < given ? e : 0] : DEFAULT_TRANSVERSE;
    const st_real nu2 = nu * e2 / e1, divisor = 1 - nu * nu2;
    const st_real q[4] = {e1 / divisor, nu * e2 / divisor, e2 / divisor, e1 / (2 * (1 + nu))};

    // K in the frame of the triangle
    st_real *direction = self->local_direction.data + 3 * e, k[6];
    local_direction(self, lane, direction);
    turned_material(k, q, direction[0], direction[1]);

    bool finite = true;
    for (int i = 0; i < 6; i++) {
        k[i] *= self->base.area.data[e];
        finite = finite && isfinite(k[i]);
    }
    if (!finite) memset(k, 0, sizeof k);
    st_triangle_model_set_material(model, lane, k);
    return finite;
}

static st_status set_materials(anisotropic *self) {
    st_object *object = &self->base.base.elastic.force.object;
    const st_triangle_model *model = &self->base.base.model;
    size_t wrong = 0;
    if (!st_list_set_count(&self->local_direction, model->mesh.count, 3))
        return st_invalid(object, "out of memory for the fibers of %zu triangles", model->mesh.count);

    // moduli that are 0 or not finite would spread through the body
    for (size_t lane = 0; lane < st_triangle_lanes(model); lane++)
        if (!set_material(self, lane) && lane < model->mesh.count) wrong++;
    if (wrong)
        st_message(object, ST_WARNING,
                   "%zu of %zu triangles have moduli that give no finite stiffness: there is no force "
                   "from them (youngModulus must be above 0)",
                   wrong, model->mesh.count);

    st_touch(object, &self->local_direction);
    return ST_OK;
}

static st_status triangular_anisotropic_fem_init(st_object *object) {
    if (((anisotropic *)object)->base.base.tear.stress != 0)
        return st_invalid(object, "tearStress is given: only isotropic materials tear");
    const st_status status = st_triangular_fem_force_field_class.init(object);
    return status == ST_OK ? set_materials((anisotropic *)object) : status;
}

static st_status triangular_anisotropic_fem_reinit(st_object *object) {
    const st_status status = st_triangular_fem_force_field_class.reinit(object);
    return status == ST_OK ? set_materials((anisotropic *)object) : status;
}

// ---------------------------------------------------------------------------------------------------
// The class
// ---------------------------------------------------------------------------------------------------

// A line along the fiber through the middle of each triangle.
static void triangular_anisotropic_fem_draw(st_object *object, st_canvas *canvas) {
    static const uint32_t pair[2] = {0, 1};
    anisotropic *self = (anisotropic *)object;
    const st_triangle_model *model = &self->base.base.model;
    st_triangle_fem_class.draw(object, canvas);
    if (!self->show_fiber || !st_triangle_fem_ready(&self->base.base)) return;

    const st_real *x = self->base.base.elastic.force.state->coord[ST_COORD_POSITION].data;
    for (size_t e = 0; e < model->mesh.count && e < self->local_direction.count; e++) {
        uint32_t nodes[3];
        st_real frame[6], line[6] = {0};
        st_element_nodes(&model->mesh, e, nodes);
        st_pack_take(model->frame[0], 6, e, frame);
        const st_real *local = self->local_direction.data + 3 * e, size = sqrt(fabs(self->base.area.data[e])) / 2;

        // from the middle, as long as half a side
        for (int i = 0; i < 3; i++) st_vec3_add(line, line, x + 3 * (size_t)nodes[i]);
        st_vec3_divide(line, line, 3);
        for (int k = 0; k < 3; k++) line[3 + k] = line[k] + size * (frame[k] * local[0] + frame[3 + k] * local[1]);
        canvas->lines(canvas, 1, pair, line, 2, 3, (st_rgba){0, 0, 0, 1});
    }
}

static const st_field fields[] = {
    ST_FIELD(anisotropic, transverse, "transverseYoungModulus", st_type_reals, "1000",
             "Young's modulus across the fibers: one value, or one for each triangle",
             .flags = ST_FIELD_REINIT | ST_FIELD_REQUIRED),
    ST_FIELD(anisotropic, fiber_angle, "fiberAngle", st_type_real, "0",
             "angle of the fibers with the x axis in the x-y plane, in degrees", .flags = ST_FIELD_REINIT),
    ST_FIELD(anisotropic, fiber_center, "fiberCenter", st_type_vec3s, NULL,
             "a point that the fibers run round; instead of the angle", .flags = ST_FIELD_REINIT),
    ST_FIELD(anisotropic, show_fiber, "showFiber", st_type_bool, "1", "draw the fibers", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(anisotropic, local_direction, "localFiberDirection", st_type_vec3s, NULL,
             "direction of the fibers in the frame of each triangle", .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

const st_class st_triangular_anisotropic_fem_force_field_class = {
    .name = "TriangularAnisotropicFEMForceField",
    .help = "elastic membrane triangles of a material with fibers",
    .parent = &st_triangular_fem_force_field_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(anisotropic),
    .example = "<MeshTopology triangles=\"0 1 2  1 3 2\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0.2  1.2 1.1 0\"/>\n"
               "<TriangularAnisotropicFEMForceField youngModulus=\"1000\" poissonRatio=\"0.3\""
               " transverseYoungModulus=\"200\" fiberAngle=\"30\"/>",
    .flags = ST_CLASS_APPROXIMATE_TANGENT,
    .init = triangular_anisotropic_fem_init,
    .reinit = triangular_anisotropic_fem_reinit,
    .draw = triangular_anisotropic_fem_draw,
};
