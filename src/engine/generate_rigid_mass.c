// GenerateRigidMass: mass, center and inertia of the body that a closed surface encloses, filled with one density.
//
// Each triangle (a, b, c) makes a tetrahedron with the origin, of volume V = a . (b x c) / 6, whose integrals are
//
//     ∫ x_i dV     = V (a_i + b_i + c_i) / 4
//     ∫ x_i x_j dV = V (s_i s_j + a_i a_j + b_i b_j + c_i c_j) / 20        s = a + b + c
//
// The inertia, about the center of mass, is divided by the mass: this is what rigid masses hold.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"
#include "math/mat3.h"

typedef struct generate_rigid_mass {
    st_object object;
    st_real density;
    st_reals position;
    st_uints triangles, quads;
    st_real rigid_mass[11]; // mass, volume, inertia / mass
    st_real mass, volume, inertia[9], center[3], to_origin[3];
} generate_rigid_mass;

static const st_type rigid_mass_type = {
    .name = "mass of a rigid: mass volume inertia/mass",
    .scalar = ST_SCALAR_REAL,
    .width = 11,
    .syntax = ST_SYNTAX_MATRIX,
};

static const st_field fields[] = {
    ST_INPUT(generate_rigid_mass, density, "density", st_type_real, "1000", "density of the body"),
    ST_INPUT(generate_rigid_mass, position, "position", st_type_vec3s, NULL, "points of the surface"),
    ST_INPUT(generate_rigid_mass, triangles, "triangles", st_type_triangles, NULL, "triangles of the surface"),
    ST_INPUT(generate_rigid_mass, quads, "quads", st_type_quads, NULL, "quads of the surface"),
    ST_OUTPUT(generate_rigid_mass, rigid_mass, "rigidMass", rigid_mass_type, "mass, volume and inertia/mass"),
    ST_OUTPUT(generate_rigid_mass, mass, "mass", st_type_real, "mass"),
    ST_OUTPUT(generate_rigid_mass, volume, "volume", st_type_real, "volume"),
    ST_OUTPUT(generate_rigid_mass, inertia, "inertiaMatrix", st_type_mat3,
              "inertia about the center of mass, divided by the mass"),
    ST_OUTPUT(generate_rigid_mass, center, "massCenter", st_type_vec3, "center of mass"),
    ST_OUTPUT(generate_rigid_mass, to_origin, "centerToOrigin", st_type_vec3, "from the center of mass to the origin"),
    ST_FIELDS_END,
};

typedef struct moments {
    st_real volume, first[3], second[9];
} moments;

static void generate_rigid_mass_add_triangle(moments *sum, const st_real *a, const st_real *b, const st_real *c) {
    st_real cross[3], s[3];

    // V = a · (b × c) / 6
    st_vec3_cross(cross, b, c);
    const st_real volume = st_vec3_dot(a, cross) / 6;
    for (int i = 0; i < 3; i++) s[i] = a[i] + b[i] + c[i];

    // ∫ dV, ∫ x dV, ∫ x xᵀ dV
    sum->volume += volume;
    st_vec3_add_scaled(sum->first, sum->first, s, volume / 4);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum->second[3 * i + j] += volume / 20 * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
}

static void add_faces(const generate_rigid_mass *engine, const st_uints *faces, int size, moments *sum) {
    for (size_t f = 0; f < faces->count; f++) {
        const uint32_t *v = faces->data + f * (size_t)size;

        if (!st_vertices_exist(v, size, engine->position.count)) continue;
        for (int k = 2; k < size; k++)
            generate_rigid_mass_add_triangle(sum, engine->position.data + 3 * (size_t)v[0],
                                             engine->position.data + 3 * (size_t)v[k - 1],
                                             engine->position.data + 3 * (size_t)v[k]);
    }
}

// From the integrals to the inertia tr(C) 1 - C of C = ∫ (x - c)(x - c)^T dV / V.
static void generate_rigid_mass_finish(generate_rigid_mass *engine, const moments *sum) {
    engine->volume = sum->volume;
    engine->mass = engine->density * sum->volume;

    st_vec3_zero(engine->center);
    st_mat3_zero(engine->inertia);

    if (sum->volume != 0) {
        st_real covariance[9], outer[9];

        // C = ∫ x xᵀ dV / V - c cᵀ
        st_vec3_divide(engine->center, sum->first, sum->volume);
        st_mat3_outer(outer, engine->center, engine->center);
        st_mat3_scale(covariance, sum->second, 1 / sum->volume);
        st_mat3_sub(covariance, covariance, outer);

        // tr(C) 1 - C
        const st_real trace = st_mat3_trace(covariance);
        st_mat3_diagonal(engine->inertia, trace, trace, trace);
        st_mat3_sub(engine->inertia, engine->inertia, covariance);
    }

    st_vec3_negate(engine->to_origin, engine->center);
    engine->rigid_mass[0] = engine->mass;
    engine->rigid_mass[1] = engine->volume;
    st_mat3_copy(engine->rigid_mass + 2, engine->inertia);
}

static void generate_rigid_mass_update(st_object *object) {
    generate_rigid_mass *engine = (generate_rigid_mass *)object;
    moments sum = {0};

    add_faces(engine, &engine->triangles, 3, &sum);
    add_faces(engine, &engine->quads, 4, &sum);

    if (!(sum.volume > 0) && (engine->triangles.count || engine->quads.count))
        st_message(object, ST_WARNING, "the surface encloses a volume of %g: its faces should look outward",
                   (double)sum.volume);

    generate_rigid_mass_finish(engine, &sum);
    st_engine_done(object, true);
}

const st_class st_generate_rigid_mass_class = {
    .name = "GenerateRigidMass",
    .help = "computes mass, center and inertia of a body from its surface",
    .parent = &st_engine_class,
    .templates = "Rigid3 Rigid3,Rigid3",
    .default_template = "Rigid3",
    .fields = fields,
    .size = sizeof(generate_rigid_mass),
    .update = generate_rigid_mass_update,
};
