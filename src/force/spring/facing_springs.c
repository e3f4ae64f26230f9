// Springs between vertices that face each other across an edge: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/facing_springs.h"

#include "state/dof.h"
#include "topology/topology.h"

st_status st_facing_springs_init(st_spring_force *force, st_object *topology_link, st_topology **topology) {
    st_object *object = &force->base.object;
    const st_status status = st_pair_force_class.init(object);
    force->kernel.springs.count = 0;
    if (status != ST_OK) return status;

    *topology = st_context_topology(object->node, topology_link);
    return *topology ? ST_OK : st_invalid(object, "there is no mesh in its node or above: there are no springs");
}

bool st_facing_springs_add(st_spring_force *force, uint32_t a, uint32_t b) {
    const st_state *state = force->base.state;
    const size_t coord = st_state_dof(state)->coord;
    const st_real *x = state->coord[ST_COORD_POSITION].data;
    if (a >= state->size || b >= state->size) {
        st_message_once(&force->base.object, "range", ST_ERROR,
                        "the mesh has vertices beyond the %zu DOFs: their springs are left out", state->size);
        return true;
    }

    // neither stiffness nor damping is divided by the length
    return st_springs_add(&force->kernel,
                          (st_spring){.a = a,
                                      .b = b,
                                      .stiffness = force->stiffness.count ? force->stiffness.data[0] : 0,
                                      .damping = force->damping.count ? force->damping.data[0] : 0,
                                      .length = st_springs_distance(x + a * coord, x + b * coord,
                                                                    st_position_scalars(st_state_dof(state))),
                                      .enabled = true});
}

// Lengths stay those of init.
void st_facing_springs_changed(st_object *object) {
    const st_spring_force *force = (const st_spring_force *)object;
    for (size_t i = 0; i < force->kernel.springs.count; i++) {
        st_spring *spring = &force->kernel.springs.data[i];
        spring->stiffness = force->stiffness.count ? force->stiffness.data[0] : 0;
        spring->damping = force->damping.count ? force->damping.data[0] : 0;
    }
}
