// Masses computed from a mesh: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "mass/mesh_mass.h"

#include <string.h>

bool st_mesh_mass_accepts(st_object *object) {
    const char *wanted = st_attribute(object, "template");
    const bool two = object->template_ && strchr(object->template_, ',');
    if (two && !(wanted && strchr(wanted, ','))) return st_refuse(object, "a template of two types must be given");
    return st_force_class.accepts(object);
}

// The second type of the template, else the only one.
static const st_dof *geometry_dof(const st_object *object) {
    const char *comma = object->template_ ? strchr(object->template_, ',') : NULL;
    return comma ? st_dof_by_name(comma + 1, NULL) : object->dof;
}

static st_element highest_kind(st_topology *topology) {
    static const st_element order[] = {ST_HEXAHEDRON, ST_TETRAHEDRON, ST_QUAD, ST_TRIANGLE, ST_EDGE};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (st_topology_elements(topology, order[i])->count) return order[i];
    return ST_ELEMENT_KINDS;
}

st_status st_mesh_mass_find(st_mesh_mass *mesh, st_object *object, st_object *topology, st_object *geometry) {
    *mesh = (st_mesh_mass){.topology = st_context_topology(object->node, topology), .kind = ST_ELEMENT_KINDS};
    if (!mesh->topology) return st_invalid(object, "there is no mesh in its node or above: it has no mass");

    // whose positions?
    if (!geometry) geometry = st_find_slot(mesh->topology->object.node, ST_ROLE(state));
    const st_dof *dof = geometry_dof(object);
    if (!geometry || !((st_state *)geometry)->mechanical || geometry->dof != dof)
        return st_invalid(object,
                          "there is no mechanical state of type %s that gives the positions of the mesh '%s': "
                          "it has no mass; set geometryState",
                          dof ? dof->name : "(none)", mesh->topology->object.name ? mesh->topology->object.name : "");

    // and which elements?
    mesh->geometry = (st_state *)geometry;
    mesh->kind = highest_kind(mesh->topology);
    if (mesh->kind == ST_ELEMENT_KINDS) return st_invalid(object, "the mesh has no elements: it has no mass");
    return ST_OK;
}

st_points st_mesh_mass_points(const st_mesh_mass *mesh, bool at_rest) {
    return st_points_of(mesh->geometry, at_rest ? ST_COORD_REST : ST_COORD_POSITION);
}

st_mass_source st_mass_choose(const st_object *object, bool total, bool density, bool vertices) {
    const char *used = total ? "totalMass" : density ? "massDensity" : "vertexMass";

    if (total + density + vertices > 1)
        st_message(object, ST_WARNING, "several of totalMass, massDensity and vertexMass are given: %s is used", used);

    if (total || (!density && !vertices)) return ST_MASS_FROM_TOTAL;
    return density ? ST_MASS_FROM_DENSITY : ST_MASS_FROM_VERTICES;
}

void st_mass_check_total(const st_object *object, st_real *total) {
    if (*total >= 0) return;
    st_message(object, ST_WARNING, "totalMass = %g is not a mass: 1 is used", (double)*total);
    *total = 1;
}
