// What a scene has come to: energies, masses, and whether its derivatives are right. Dumps, pictures and VTK files are
// written by io/dump.c, visual/scene_picture.c and io/vtk_writer.c.
//
// SPDX-License-Identifier: Apache-2.0
#include "check/derivative_check.h"
#include "plan/plan.h"
#include "scene/scene.h"

// ---------------------------------------------------------------------------------------------------
// Energies and masses
// ---------------------------------------------------------------------------------------------------

st_energy st_scene_energy(st_scene *scene) {
    st_energy energy = {0};
    st_plan *plan = scene->root ? st_plan_of(scene->root) : NULL;
    const st_params params = st_default_params();

    // those of mapped states count, too
    for (size_t i = 0; plan && i < plan->graph_forces.count; i++) {
        st_force *force = plan->graph_forces.data[i];
        const st_class *type = force->object.type;
        if (type->force->potential) energy.potential += type->force->potential(force, &params);
        if (type->mass && type->mass->kinetic) energy.kinetic += type->mass->kinetic((st_mass *)force, &params);
    }

    return energy;
}

// Masses of single DOFs as their weight has them, at the DOFs' places.
static void add_masses(const st_mass *mass, st_mass_sum *sum) {
    const st_mass_ops *ops = mass->force.object.type->mass;
    const st_state *state = mass->force.state;
    const st_reals *x = &state->coord[ST_COORD_POSITION];
    const st_dof *dof = st_state_dof(state);

    // sums of m and m x
    for (size_t i = 0; ops->element_mass && i < state->size && i < x->count; i++) {
        const st_real m = ops->element_mass(mass, i);
        sum->total += m;
        for (size_t k = 0; k < dof->spatial && k < 3; k++) sum->center[k] += m * x->data[i * dof->coord + k];
    }
}

st_mass_sum st_scene_mass(st_scene *scene) {
    st_mass_sum sum = {0};
    if (!scene->initialized)
        st_scene_message(scene, ST_ERROR, "scene", NULL, 0,
                         "masses are not known before the initialization: 0 is given");
    st_plan *plan = scene->initialized && scene->root ? st_plan_of(scene->root) : NULL;
    for (size_t i = 0; plan && i < plan->graph_forces.count; i++) {
        const st_force *force = plan->graph_forces.data[i];
        if (force->object.type->mass && force->state) add_masses((const st_mass *)force, &sum);
    }

    // center = Σ m x / Σ m
    for (int k = 0; k < 3; k++) sum.center[k] = sum.total != 0 ? sum.center[k] / sum.total : 0;
    return sum;
}

// ---------------------------------------------------------------------------------------------------
// Derivatives
// ---------------------------------------------------------------------------------------------------

st_status st_scene_check_derivatives(st_scene *scene, void (*report)(void *user, const st_derivative_check *),
                                     void *user) {
    st_plan *plan = scene->root ? st_plan_of(scene->root) : NULL;
    if (!plan) {
        st_scene_message(scene, ST_ERROR, "derivatives", NULL, 0, "derivatives cannot be checked: %s",
                         scene->root ? "the scene is not initialized" : "no scene is loaded");
        return ST_INVALID;
    }

    for (size_t i = 0; i < plan->graph_forces.count; i++) {
        const st_status status = st_check_force(plan->graph_forces.data[i], report, user);
        if (status != ST_OK) return status;
    }

    for (size_t i = 0; i < plan->all_mappings.count; i++) {
        const st_status status = st_check_mapping(plan->all_mappings.data[i], report, user);
        if (status != ST_OK) return status;
    }

    return ST_OK;
}
