// What makes a scene run and mean nothing: see the header.
//
// The shape of an element is that at rest. A volume is measured by the determinant of its edges at one corner (tetrahedra)
// or of the mean edges along its three directions (hexahedra, prisms); it is flat below 1e-12 of the cube of the longest
// edge, and inside out when it is negative. A triangle or quad has no sign: it is flat when its area vanishes.
//
// SPDX-License-Identifier: Apache-2.0
#include "check/sanity_check.h"

#include <string.h>

#include "force/fem/common/elastic.h"
#include "force/fem/common/tensor_mass.h"
#include "force/fem/tetrahedron/hyperelastic.h"
#include "integrator/newton_raphson_solver.h"
#include "mass/mass.h"
#include "math/vec3.h"
#include "plan/plan.h"
#include "topology/topology.h"

extern const st_class st_static_solver_class, st_damp_velocity_solver_class;

// ---------------------------------------------------------------------------------------------------
// Shapes
// ---------------------------------------------------------------------------------------------------

typedef struct shape_count {
    size_t flat, inverted;
    size_t first_flat, first_inverted; // numbers of elements
} shape_count;

// Mean of the edges between pairs of corners.
static void mean_edge(st_real out[3], st_real (*p)[3], const int (*pairs)[2], int count) {
    memset(out, 0, 3 * sizeof *out);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) out[k] += (p[pairs[i][1]][k] - p[pairs[i][0]][k]) / (st_real)count;
}

// The three directions of an element, two of a surface.
static int find_directions(st_element kind, st_real (*p)[3], st_real d[3][3]) {
    static const int corner[3][2] = {{0, 1}, {0, 2}, {0, 3}};
    static const int cube[3][4][2] = {
        {{0, 1}, {3, 2}, {4, 5}, {7, 6}}, {{0, 3}, {1, 2}, {4, 7}, {5, 6}}, {{0, 4}, {1, 5}, {2, 6}, {3, 7}}};
    static const int prism[3][3][2] = {{{0, 1}, {3, 4}}, {{0, 2}, {3, 5}}, {{0, 3}, {1, 4}, {2, 5}}};
    static const int quad[2][2][2] = {{{0, 1}, {3, 2}}, {{0, 3}, {1, 2}}};

    // edges at a corner, or means of those that go the same way
    switch (kind) {
    case ST_TETRAHEDRON:
        for (int i = 0; i < 3; i++) mean_edge(d[i], p, &corner[i], 1);
        return 3;
    case ST_HEXAHEDRON:
        for (int i = 0; i < 3; i++) mean_edge(d[i], p, cube[i], 4);
        return 3;
    case ST_PRISM:
        for (int i = 0; i < 3; i++) mean_edge(d[i], p, prism[i], i == 2 ? 3 : 2);
        return 3;
    case ST_TRIANGLE:
        for (int i = 0; i < 2; i++) mean_edge(d[i], p, &corner[i], 1);
        return 2;
    default:
        for (int i = 0; i < 2; i++) mean_edge(d[i], p, quad[i], 2);
        return 2;
    }
}

static void measure(shape_count *count, size_t number, st_real d[3][3], int directions) {
    st_real normal[3], longest = 0;
    for (int i = 0; i < directions; i++) longest = st_max(longest, st_vec3_norm(d[i]));
    st_vec3_cross(normal, d[0], d[1]);
    const st_real size = directions == 3 ? st_vec3_dot(normal, d[2]) : st_vec3_norm(normal);
    const st_real least = (sizeof(st_real) == sizeof(double) ? ST_R(1e-12) : ST_R(1e-6)) * longest * longest *
                          (directions == 3 ? longest : 1);

    if (!(fabs(size) > least)) {
        if (count->flat++ == 0) count->first_flat = number;
    } else if (size < 0) {
        if (count->inverted++ == 0) count->first_inverted = number;
    }
}

static void report_shape(const st_object *object, st_element kind, size_t total, const shape_count *count) {
    static const char *const names[] = {"edges", "triangles", "quads", "tetrahedra", "hexahedra", "prisms", "pyramids"};
    if (count->flat)
        st_message(object, ST_WARNING,
                   "%zu of %zu %s are flat at rest, number %zu first: no stiffness can be right there", count->flat,
                   total, names[kind], count->first_flat);
    if (count->inverted)
        st_message(object, ST_WARNING,
                   "%zu of %zu %s are inside out at rest (their volume is negative), number %zu first: exchange two of "
                   "their points",
                   count->inverted, total, names[kind], count->first_inverted);
}

static size_t check_kind(const st_force *force, st_topology *mesh, st_element kind) {
    const st_uints *list = st_topology_elements(mesh, kind);
    const size_t corners = st_element_size[kind], size = force->state->size;
    const st_reals *rest = &force->state->coord[ST_COORD_REST];
    shape_count count = {0};

    // elements whose vertices have no DOF are reported by the force itself
    for (size_t e = 0; e < list->count; e++) {
        st_real p[8][3], d[3][3];
        bool there = true;
        for (size_t i = 0; there && i < corners; i++) {
            const uint32_t v = list->data[e * corners + i];
            there = v < size && v < rest->count;
            if (there) memcpy(p[i], rest->data + 3 * (size_t)v, sizeof p[i]);
        }
        if (there) measure(&count, e, d, find_directions(kind, p, d));
    }

    report_shape(&force->object, kind, list->count, &count);
    return list->count;
}

static bool has_elements(const st_object *object) {
    return st_is_a(object, &st_elastic_class) || st_is_a(object, &st_tensor_mass_class) ||
           st_is_a(object, &st_hyperelastic_class) ||
           st_has_word("QuadBendingFEMForceField TetrahedronDiffusionFEMForceField", object->type->name);
}

static st_object *mesh_link(const st_object *object) {
    const int index = st_field_index(object, "topology");
    return index < 0 ? NULL : *(st_object *const *)st_member(object, st_fields(object)[index]);
}

// Volumes where the mesh has some, else its surface.
static void check_shapes(const st_force *force) {
    static const st_element volumes[] = {ST_TETRAHEDRON, ST_HEXAHEDRON, ST_PRISM};
    if (!force->state || st_state_dof(force->state)->coord != 3 || !has_elements(&force->object)) return;
    st_topology *mesh = st_context_topology(force->object.node, mesh_link(&force->object));
    if (!mesh) return;

    size_t found = 0;
    for (size_t i = 0; i < sizeof volumes / sizeof *volumes; i++) found += check_kind(force, mesh, volumes[i]);
    if (found) return;
    check_kind(force, mesh, ST_TRIANGLE);
    check_kind(force, mesh, ST_QUAD);
}

// ---------------------------------------------------------------------------------------------------
// Masses
// ---------------------------------------------------------------------------------------------------

static bool needs_mass(const st_object *integrator) {
    return !st_is_a(integrator, &st_static_solver_class) && !st_is_a(integrator, &st_newton_raphson_solver_class) &&
           !st_is_a(integrator, &st_damp_velocity_solver_class);
}

static void check_masses(const st_object *integrator) {
    const st_plan *plan = st_plan_of(integrator->node);
    size_t masses = 0, points = 0;
    for (size_t i = 0; plan && i < plan->graph_forces.count; i++)
        masses += plan->graph_forces.data[i]->object.type->mass != NULL;
    for (size_t i = 0; plan && i < plan->independent.count; i++) points += plan->independent.data[i]->size;

    if (points > 0 && masses == 0)
        st_message(
            integrator, ST_WARNING,
            "there is no mass at or below its node for %zu DOFs: they have neither weight nor inertia (put a mass "
            "beside their state, such as <UniformMass totalMass=\"1\"/>)",
            points);
}

static void check_mass(const st_mass *mass) {
    const st_state *state = mass->force.state;
    if (!state || state->size == 0 || !mass->force.object.type->mass->element_mass || st_mass_total(mass) != 0) return;
    st_message(&mass->force.object, ST_WARNING, "its total mass is 0: %zu DOFs have neither weight nor inertia by it",
               state->size);
}

// ---------------------------------------------------------------------------------------------------

static bool check_node(st_node *node, void *context) {
    (void)context;
    for (size_t i = 0; i < node->objects.count; i++) {
        const st_object *object = node->objects.data[i];
        if (object->validity != ST_VALID) continue;
        if (object->type->integrator && needs_mass(object)) check_masses(object);
        if (object->type->mass) check_mass((const st_mass *)object);
        if (object->type->force) check_shapes((const st_force *)object);
    }
    return true;
}

void st_check_sanity(st_scene *scene) {
    const st_real dt = scene->root->dt;
    if (!(isfinite(dt) && dt > 0))
        st_message(&scene->root->object, ST_ERROR, "dt is %g: a step must be a positive, finite time", (double)dt);

    st_visit(scene->root, check_node, NULL);
}
