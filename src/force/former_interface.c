// Classes that give their matrices by SOFA's former interface, addKToMatrix(matrix, factor, offset) and its like, get
// functions that give blocks: scalar by scalar, with factor 1 and offset 0, as the system applies both.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/former_interface.h"

#include "scene/scene.h"

typedef struct former_bridge {
    st_bridge base;
    st_force_ops force;
    st_mass_ops mass;
} former_bridge;

typedef struct bridged_matrix {
    st_base_matrix matrix;
    st_sink *sink;
} bridged_matrix;

static void former_add(st_base_matrix *matrix, size_t row, size_t col, st_real value) {
    st_add_scalar(((bridged_matrix *)matrix)->sink, row, col, value);
}

static void former_stiffness(st_force *force, const st_params *params, st_stiffness to) {
    bridged_matrix matrix = {{former_add}, st_stiffness_between(to, force->state, force->state)};
    force->object.type->force->add_k_to_matrix(force, params, &matrix.matrix, 1, 0);
}

static void former_damping(st_force *force, const st_params *params, st_damping to) {
    bridged_matrix matrix = {{former_add}, st_damping_between(to, force->state, force->state)};
    force->object.type->force->add_b_to_matrix(force, params, &matrix.matrix, 1, 0);
}

static void mass_matrix(st_mass *mass, st_inertia to) {
    bridged_matrix matrix = {{former_add}, st_inertia_of(to, mass->force.state)};
    mass->force.object.type->mass->add_m_to_matrix(mass, &matrix.matrix, 1, 0);
}

static bool needs_bridge(const st_class *type) {
    const st_force_ops *force = type->force;
    const st_mass_ops *mass = type->mass;
    return (force && force->add_k_to_matrix && !force->stiffness) ||
           (force && force->add_b_to_matrix && !force->damping) || (mass && mass->add_m_to_matrix && !mass->matrix);
}

bool st_bridge_former(st_class *type) {
    if (!needs_bridge(type)) return true;
    former_bridge *bridge = st_alloc(1, sizeof *bridge);
    if (!bridge) return false;
    ((st_resolved_class *)type)->bridge = &bridge->base; // freed with the copy

    // blocks that the former functions make stand in for those that the component does not give
    if (type->force) {
        bridge->force = *type->force;
        if (bridge->force.add_k_to_matrix && !bridge->force.stiffness) {
            bridge->force.stiffness = former_stiffness;
            bridge->base.notices[0] =
                "addKToMatrix, which is deprecated: give blocks by buildStiffnessMatrix (stiffness "
                "of st_force_ops)";
        }
        if (bridge->force.add_b_to_matrix && !bridge->force.damping) {
            bridge->force.damping = former_damping;
            bridge->base.notices[1] =
                "addBToMatrix, which is deprecated: give blocks by buildDampingMatrix (damping of "
                "st_force_ops)";
        }
        type->force = &bridge->force;
    }

    if (type->mass) {
        bridge->mass = *type->mass;
        if (bridge->mass.add_m_to_matrix && !bridge->mass.matrix) {
            bridge->mass.matrix = mass_matrix;
            bridge->base.notices[2] = "addMToMatrix, which is deprecated: give blocks by buildMassMatrix (matrix of "
                                      "st_mass_ops)";
        }
        type->mass = &bridge->mass;
    }
    return true;
}
